"""The replay page of a game: all that a seat may see of it, in one file.

It is made from the seat's export and from nothing else: what is withheld there cannot come into the page.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import msgspec

from umpire_ledger.desk import EDITION
from umpire_ledger.desk.errors import WrongUse
from umpire_ledger.desk.pictures import board_of
from umpire_ledger.desk.text_files import whole_file
from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.branches import Branch
from umpire_ledger.ledger.errors import BrokenLedger
from umpire_ledger.ledger.record import Record
from umpire_ledger.projections.pictures.counters import looks_of
from umpire_ledger.projections.pictures.layout import Layout, laid_out
from umpire_ledger.projections.pictures.page_states import Demands, Plain, States, merge_patch, places_in, places_of
from umpire_ledger.projections.pictures.replay_page import Facts, Page, TrailOrder, map_of, page_html
from umpire_ledger.projections.questions.chance import totals
from umpire_ledger.projections.questions.deeds import deeds
from umpire_ledger.projections.questions.rolls import thrown_in
from umpire_ledger.projections.questions.walk import Walked, walk
from umpire_ledger.projections.record.sentence import words_of
from umpire_ledger.projections.record.stored_line import Seen, decode
from umpire_ledger.projections.tables.copies import copy_words
from umpire_ledger.projections.tables.knowledge import seats_at, sees
from umpire_ledger.projections.tables.told import Records, orders_of
from umpire_ledger.projections.tables.turn_view import turn_view

if TYPE_CHECKING:
    from pathlib import Path

    from umpire_ledger.desk.played_game import PlayedGame

_json = msgspec.json.Encoder().encode


class PageMade(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was written. `first`, `last`: the stretch that it shows; `size`: its bytes."""

    game: str
    seat: str
    first: int
    last: int
    size: int
    root: str


def write_page(game: "PlayedGame", seat: str, file: "Path", first: int | None, last: int | None) -> PageMade:
    """Write the page of a game as a seat may see it. Raises WrongUse, NoSuchRecord."""
    first, last = _stretch(game, first, last)
    ledger, state = game.ledger, game.ledger.state(game.id)

    def see(record: Record) -> bool:
        return record.visible_to is None or sees(state, seat, record.visible_to)

    size = 0
    with TemporaryFile() as log:
        checkpoint = replay_log.write(ledger, game.id, log, see, at=last)
        page = _Making(game, seat, log, first, last).page()
        log.seek(0)
        with whole_file(file) as out:
            for part in page_html(page, log):
                size += out.write(part)
    return PageMade(game=game.id, seat=seat, first=first, last=last, size=size, root=checkpoint.hex)


def _stretch(game: "PlayedGame", first: int | None, last: int | None) -> tuple[int, int]:
    """The stretch in whole orders. Raises NoSuchRecord, WrongUse for one that ends before it begins."""
    size = game.size
    for position in (first, last):
        if position is not None:
            game.verify_position(position)
    if first is not None and last is not None and first > last:
        what = f"the page would end at #{last}, before it begins at #{first}"
        raise WrongUse(what, where="--from, --to", rule="a page is a stretch of the log", remedy="exchange the two")
    begin = game.ledger.answer(game.id, game.ledger.record(game.id, max(first or 1, 1)).command)[0].position
    end = game.ledger.answer(game.id, game.ledger.record(game.id, max(last or size, 1)).command)[-1].position
    return begin, end


class _Making:
    """A page being made from the lines of an export."""

    def __init__(self, game: "PlayedGame", seat: str, log: IO[bytes], first: int, last: int) -> None:
        self.game = game
        self.seat = seat
        self.log = log
        self.first = first
        self.last = last
        self.title: Title | None = game.title
        self.follows = {position: to for position, to in game.ledger.rewinds(game.id) if position <= last}
        self.branch: Branch = game.ledger.branch(game.id, last)
        self.names = game.ledger.state(game.id, last)

    def _records(self) -> Iterator[Seen]:
        return map(decode, self._lines())

    def _orders(self) -> Iterator[Records]:
        return orders_of(self._lines())

    def _lines(self) -> Iterator[bytes]:
        """The lines of the records. Raises BrokenLedger for one that says that it stands elsewhere."""
        self.log.seek(0)
        for position, line in enumerate(islice(self.log, 1, self.last + 1), 1):
            if not line.startswith(b'{"position":%d,' % position):
                raise BrokenLedger(game=self.game.id, position=position, reason="the line is of another position")
            yield line.rstrip(b"\n")

    def _walked(self) -> Iterator[Walked]:
        title = self.title
        return walk(self._orders(), self.names, lambda _: title, self.branch.stretches, self.follows)

    def page(self) -> Page:
        layout = self._layout()
        made = _Made()
        states = States(board_of(self.title, self.names), layout, _is_kept(self.title))
        before: Plain | None = None
        marks = {0: states.mark(Game())}
        demands, turns, targets = Demands(), _Turns(self), set(self.follows.values())
        for order in self._walked():
            for at, (record, game) in enumerate(zip(order.records, order.games, strict=True)):
                if record.position in self.follows:
                    states.return_to(marks[self.follows[record.position]])
                if at == len(order.records) - 1:
                    demands = self._demands(game, record.position)
                after = states.after(record.position, record.event, game, demands)
                if record.position in targets:
                    marks[record.position] = states.mark(game)
                turns.take(record.position, game)
                if record.position >= self.first:
                    made.states.append(_json(after if before is None else merge_patch(before, after)))
                    before = after
            if order.records[-1].position >= self.first:
                self._take(made, order, layout)
        facts = self._facts(made, layout, turns)
        return Page(facts=facts, trail=made.trail, states=made.states, records=made.records)

    def _layout(self) -> Layout:
        events = (record.event for record in self._records() if record.event is not None)
        return laid_out(board_of(self.title, self.names), places_of(events))

    def _demands(self, game: Game, position: int) -> Demands:
        view = turn_view(self.title, game, self.seat, position)
        wait = tuple(f"{game.side_name(side)} must act." for side in view.waiting)
        if view.pick is not None:
            pick = view.pick
            end = ", or be done" if pick.may_end else ""
            members = ", ".join(pick.members)
            wait += (f"{game.side_name(pick.side)} picks for {pick.loop} {pick.name}: {members}{end}.",)
        owed = tuple(f"{game.side_name(one.side)} in {one.step}: {one.words} ({one.rule})" for one in view.owed)
        return Demands(view.where, wait, owed, view.waiting)

    def _take(self, made: "_Made", order: Walked, layout: Layout) -> None:
        """The trail, the record entries and the marks of an order."""
        first, counts = order.records[0].position, order.rows[0][9]
        made.trail.append(TrailOrder(first, order.text, counts))
        for record, row in zip(order.records, order.rows, strict=True):
            made.take(first, record, row, layout, kept=record.position in order.marks)

    def _facts(self, made: "_Made", layout: Layout, turns: "_Turns") -> Facts:
        game, names = self.game, self.names
        sides = looks_of(names.sides)
        rolls = [one for one in thrown_in(self._deeds(), self.branch) if one.counts and not one.kept]
        return Facts(
            edition=EDITION,
            game=game.id,
            name=names.name,
            copied=copy_words(game.copied),
            title=self.title.name if self.title is not None else names.title,
            seat=self.seat,
            first=self.first,
            last=self.last,
            size=self.last,
            turns=made.turns,
            steps=made.steps,
            rolls=made.rolls,
            disputes=made.disputes,
            seals=made.seals,
            rulings=made.rulings,
            undone=_clipped(_between(self.branch.stretches, self.last), self.first),
            line=_clipped(self.branch.stretches, self.first),
            sides=list(sides.values()),
            seats={seat: side for seat, side in seats_at(names).items() if side},
            map=map_of(layout, sides),
            charts=turns.charts(),
            dice={"totals": msgspec.to_builtins(list(totals([one.judged for one in rolls])))},
        )

    def _deeds(self) -> Any:
        return deeds(self._records(), rewound_to=lambda at: self.game.ledger.state(self.game.id, at))


def _is_kept(title: Title | None) -> Callable[[str, str], bool]:
    kept = words_of(title).kept
    return lambda kind, name: kept[kind].fit(name)


def _between(stretches: Iterable[tuple[int, int]], last: int) -> Iterator[tuple[int, int]]:
    """The positions that lie in none of these stretches, up to the last."""
    begin = 1
    for first, end in (*stretches, (last + 1, last + 1)):
        if begin < first:
            yield begin, first - 1
        begin = end + 1


def _clipped(stretches: Iterable[tuple[int, int]], first: int) -> list[tuple[int, int]]:
    return [(max(low, first), high) for low, high in stretches if high >= first]


class _Made:
    """What a page is put together from, as the orders come."""

    def __init__(self) -> None:
        self.trail: list[TrailOrder] = []
        self.states: list[bytes] = []
        self.records: list[bytes] = []
        self.turns: list[tuple[int, int]] = []
        self.steps: list[tuple[int, str, str]] = []
        self.rolls: list[int] = []
        self.disputes: list[tuple[int, str]] = []
        self.seals: list[tuple[int, str]] = []
        self.rulings: list[tuple[int, str]] = []

    def take(self, first: int, record: Seen, row: Any, layout: Layout, *, kept: bool) -> None:
        _, position, turn, step, seat, text, _, rule, tag, counts, _, _, units, *_ = row
        event = record.event
        entry: Plain = {"o": first, "t": turn, "s": step, "w": seat, "e": tag, "r": rule}
        entry["u"] = units.split("\n") if units else ()
        entry["c"], entry["m"], entry["k"] = int(counts), text, int(kept)
        if event is not None:
            entry["p"] = [place for place in places_in(event) if layout.spot(place) is not None]
        if isinstance(event, e.DiceRolled):
            entry["x"] = _roll(event)
        self.records.append(_json({name: value for name, value in entry.items() if value}))
        if not self.turns or self.turns[-1][1] != turn:
            self.turns.append((position, turn))
        self._mark(position, event, text)

    def _mark(self, position: int, event: AnyEvent | None, text: str) -> None:
        match event:
            case e.StepOpened(step=step, name=name):
                self.steps.append((position, step, name))
            case e.DiceRolled():
                self.rolls.append(position)
            case e.DisputeOpened() | e.DisputeSettled():
                self.disputes.append((position, text))
            case e.LineSealed():
                self.seals.append((position, text))
            case e.RulingMade():
                self.rulings.append((position, text))
            case _:
                pass


def _roll(event: e.DiceRolled) -> Plain:
    """A roll as the page draws it."""
    modifiers = [f"{one.amount:+d} {one.source}" for one in event.modifiers]
    words = {"needed": event.needed, "outcome": event.outcome, "modifiers": modifiers}
    said = {name: value for name, value in words.items() if value}
    return {"words": f"{event.purpose}: {event.dice}", "pips": event.pips, "total": event.total, **said}


class _Turn(NamedTuple):
    turn: int
    game: Game


class _Turns:
    """The game at the end of each turn of the line that counts, for the charts."""

    def __init__(self, making: _Making) -> None:
        self._branch = making.branch
        self._is_kept = _is_kept(making.title)
        self._ends: list[_Turn] = []

    def take(self, position: int, game: Game) -> None:
        if position not in self._branch:
            return
        if self._ends and self._ends[-1].turn == game.turn:
            self._ends.pop()
        self._ends.append(_Turn(game.turn, game))

    def charts(self) -> Plain:
        """Accounts, and units lost by side, at the end of each turn."""
        names = dict.fromkeys(name for end in self._ends for name in end.game.accounts)
        accounts = {
            name: [end.game.accounts.get(name, 0) for end in self._ends]
            for name in sorted(names)
            if not self._is_kept("accounts", name)
        }
        losses: dict[str, list[int]] = {}
        for at, end in enumerate(self._ends):
            for unit in end.game.units.values():
                if unit.fate:
                    losses.setdefault(unit.side, [0] * len(self._ends))[at] += 1
        return {"turns": [end.turn for end in self._ends], "accounts": accounts, "losses": dict(sorted(losses.items()))}
