"""Write the replay page of a game: everything that a seat may see of it, in one file.

The page is made from the seat's export only, so that it cannot contain records that the export withholds.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import msgspec

from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.open_game import OpenGame
from umpire_ledger.desk.core.text_files import whole_file
from umpire_ledger.desk.pictures.backgrounds import background_of
from umpire_ledger.desk.pictures.pictures import board_of
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.records.errors import BrokenLedger, NoSuchRecord
from umpire_ledger.ledger.records.record import Record
from umpire_ledger.projections.pictures.counters import looks_of, with_colors
from umpire_ledger.projections.pictures.layout import laid_out
from umpire_ledger.projections.pictures.page_records import Entries, PageRow
from umpire_ledger.projections.pictures.page_states import Demands, PageStates, Plain, merge_patch, places_of
from umpire_ledger.projections.pictures.replay_page import Facts, Page, TrailOrder, map_of, page_html
from umpire_ledger.projections.questions.by_turn import by_turn
from umpire_ledger.projections.questions.dice_statistics import Total, totals
from umpire_ledger.projections.questions.log_reader import ReadOrder, read_orders
from umpire_ledger.projections.questions.rolls import thrown_in
from umpire_ledger.projections.record.outcome_phrases import is_kept
from umpire_ledger.projections.record.sentence_context import words_of
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode
from umpire_ledger.projections.tables.copies import copy_words
from umpire_ledger.projections.tables.order_history import deeds
from umpire_ledger.projections.tables.order_sentences import orders_of
from umpire_ledger.projections.tables.seat_visibility import seats_at, sees
from umpire_ledger.projections.tables.turn_view import turn_view

Progress = Callable[[int], None]
"""Called with the position up to which the page is made."""
ENDINGS = (".html", ".htm")

_json = msgspec.json.Encoder().encode


class PageMade(msgspec.Struct, frozen=True, kw_only=True):
    """A written page."""

    game: str
    """Id of the game."""
    seat: str
    """The seat whose view it shows."""
    first: int
    """Position of its first record."""
    last: int
    """Position of its last record."""
    size: int
    """Size of the file, in bytes."""
    root: str
    """The Merkle root of its log."""


def write_page(
    game: OpenGame,
    seat: str,
    file: Path,
    first: int | None,
    last: int | None,
    tell: Progress | None = None,
    *,
    picture: bool = False,
) -> PageMade:
    """Write the page of a game as a seat may see it. `picture`: with the background picture of its map.

    Raises:
        WrongUse: When the file does not end in .html or cannot be written, or `last` is before `first`.
        NoSuchRecord: When the game has no such position.
    """
    _verify_name(file)
    first, last = _stretch(game, first, last)
    ledger, state = game.ledger, game.ledger.state(game.id)

    def see(record: Record) -> bool:
        return sees(state, seat, record.position, record.visible_to)

    size = 0
    with TemporaryFile() as log:
        checkpoint = replay_log.write(ledger, game.id, log, see, at=last)
        background = background_of(ledger, game.id) if picture else ""
        page = _Making(game, seat, log, first, last).page(tell, background)
        log.seek(0)
        with whole_file(file) as out:
            for part in page_html(page, log):
                size += out.write(part)
    return PageMade(game=game.id, seat=seat, first=first, last=last, size=size, root=checkpoint.hex)


def _verify_name(file: Path) -> None:
    if file.suffix.lower() not in ENDINGS:
        what = f"a replay page cannot be {file.suffix or 'a file without an ending'}"
        raise WrongUse(what, where=str(file), rule="kinds of files", remedy="name a file that ends in .html")


def _stretch(game: OpenGame, first: int | None, last: int | None) -> tuple[int, int]:
    """Return the first and last position of a part of the log, extended to whole orders.

    Raises:
        NoSuchRecord: When the game has no such position.
        WrongUse: When the part ends before it begins.
    """
    size = game.size
    for position in (first, last):
        if position is not None and not 1 <= position <= size:
            raise NoSuchRecord(game=game.id, position=position, size=size)
    first, last = first or 1, last or size
    if first > last:
        what = f"the page would begin at #{first} and end before it, at #{last}"
        raise WrongUse(what, where="--from, --to", rule="a page shows a range of the log", remedy="swap the two")
    return _order(game, first)[0].position, _order(game, last)[-1].position


def _order(game: OpenGame, position: int) -> list[Record]:
    """Return the records of the order that a position belongs to."""
    return list(game.ledger.order_at(game.id, position))


class _Making:
    """A page in the making from the lines of an export, which ends at `last`."""

    def __init__(self, game: OpenGame, seat: str, log: IO[bytes], first: int, last: int) -> None:
        self._game = game
        self._seat = seat
        self._log = log
        self._first = first
        self._last = last
        self._title: Title | None = game.title
        self._branch = game.ledger.branch(game.id, last)
        self._follows = {position: to for position, to in game.ledger.rewinds(game.id) if position <= last}
        self._names, self._places = self._read()
        self._board = board_of(self._title, self._names)
        self._looks = looks_of(with_colors(self._names.sides, self._board))
        kept = words_of(self._title).kept
        self._is_kept = lambda kind, name: kept[kind].fit(name)

    def page(self, tell: Progress | None, background: str = "") -> Page:
        """Return the contents of the page. `background`: the address of the background picture."""
        layout = laid_out(self._board, self._places)
        entries, trail = Entries(layout), []
        drawn = PageStates(self._board, layout, self._is_kept, self._seat)
        states = _Patches(drawn, self._first, self._follows)
        for order in self._walked():
            first, last = order.records[0].position, order.records[-1].position
            states.take(order, self._demands(order.games[-1], last))
            if first >= self._first:
                trail.append(TrailOrder(first, order.text, order.rows[0].counts))
                for record, line in zip(order.records, _lines(order), strict=True):
                    entries.take(line, record.event)
            if tell is not None:
                tell(last)
        facts = self._facts(entries, map_of(layout, self._looks, drawn.symbols, background), self._totals(states))
        return Page(facts=facts, trail=trail, states=states.patches, records=entries.entries)

    # --- the log ------------------------------------------------------------------------------------------------------

    def _stored(self) -> Iterator[bytes]:
        """Yield the lines of the records.

        Raises:
            BrokenLedger: When a line has another position.
        """
        self._log.seek(0)
        for position, line in enumerate(islice(self._log, 1, self._last + 1), 1):
            if not line.startswith(b'{"position":%d,' % position):
                raise BrokenLedger(game=self._game.id, position=position, reason="the line is of another position")
            yield line.rstrip(b"\n")

    def _records(self) -> Iterator[VisibleRecord]:
        return map(decode, self._stored())

    def _read(self) -> tuple[Game, list[str]]:
        """Return the game at its last record, and every place in its history, so that one map shows all states."""
        places = places_of(self._events(lambda _: True))
        return fold(Game(), self._events(self._branch.__contains__)), places

    def _events(self, wanted: Callable[[int], bool]) -> Iterator[AnyEvent]:
        return (one.event for one in self._records() if one.event is not None and wanted(one.position))

    def _walked(self) -> Iterator[ReadOrder]:
        title = self._title
        return read_orders(
            orders_of(self._stored()), self._names, lambda _: title, self._branch.stretches, self._follows
        )

    # --- contents -----------------------------------------------------------------------------------------------------

    def _demands(self, game: Game, position: int) -> Demands:
        """Return the current step, the active sides and the required actions as sentences, as in the turn view."""
        view = turn_view(self._title, game, self._seat, position)
        wait = tuple(f"{game.side_name(side)} must act." for side in view.waiting)
        if (pick := view.pick) is not None:
            end = ", or be done" if pick.may_end else ""
            members = ", ".join(pick.members)
            wait += (f"{game.side_name(pick.side)} must pick for {pick.loop} {pick.name}: {members}{end}.",)
        owed = tuple(f"{game.side_name(one.side)} in {one.step}: {one.words} ({one.rule})" for one in view.owed)
        return Demands(view.where, wait, owed, view.waiting)

    def _facts(self, entries: Entries, drawn: Plain, dice: Iterable[Total]) -> Facts:
        names = self._names
        return Facts(
            edition=EDITION,
            game=self._game.id,
            name=names.name,
            copied=copy_words(self._game.copied),
            title=self._title.name if self._title is not None else names.title,
            seat=self._seat,
            first=self._first,
            last=self._last,
            size=self._last,
            turns=entries.turns,
            steps=entries.steps,
            rolls=entries.rolls,
            disputes=entries.disputes,
            seals=entries.seals,
            rulings=entries.rulings,
            undone=_clipped(_between(self._branch.stretches, self._last), self._first),
            line=_clipped(self._branch.stretches, self._first),
            sides=list(self._looks.values()),
            seats={seat: side for seat, side in seats_at(names).items() if side},
            map=drawn,
            charts=self._charts(),
            dice={"totals": msgspec.to_builtins(list(dice))},
        )

    def _charts(self) -> Plain:
        """Return accounts and each side's units out of play at the end of each turn, as `seat.chart` counts them."""
        words = words_of(self._title)
        line = (record for record in self._records() if record.position in self._branch)
        found = by_turn(deeds(line), lambda event: is_kept(words, event))
        return {
            "turns": found.turns,
            "accounts": {one.account: [value or 0 for value in one.values] for one in found.accounts},
            "losses": {one.side: one.out for one in found.forces if any(one.out)},
        }

    def _totals(self, states: "_Patches") -> Iterator[Total]:
        """Yield the totals of the dice on the current branch, as `seat.dice` does."""
        found = deeds(self._records(), rewound_to=states.game_at)
        rolls = thrown_in(found, self._branch)
        return totals([one.judged for one in rolls if one.counts and not one.kept])


class _Patches:
    """The states of a page, order by order: the first state in full, then the change from each state to the next."""

    def __init__(self, states: PageStates, first: int, follows: dict[int, int]) -> None:
        self._states = states
        self._first = first
        self._follows = follows
        self._targets = set(follows.values())
        self._marks = {0: states.mark(Game())}
        self._before: Plain = {}
        self._demands = Demands()
        self.patches: list[bytes] = []

    def game_at(self, position: int) -> Game:
        """Return the game at a position to which a rewind returns."""
        return self._marks[position].game

    def take(self, order: ReadOrder, demands: Demands) -> None:
        """Store the states of an order.

        Args:
            order: The order with its records.
            demands: The demands after the order. Its inner records have only their step and the active sides.
        """
        for record, game in zip(order.records, order.games, strict=True):
            position = record.position
            if position in self._follows:
                self._states.return_to(self._marks[self._follows[position]])
            self._demands = demands if record is order.records[-1] else _within(game, self._demands)
            after = self._states.after(position, record.event, game, self._demands)
            if position in self._targets:
                self._marks[position] = self._states.mark(game)
            if position >= self._first:
                self.patches.append(_json(merge_patch(self._before, after)))
                self._before = after


def _within(game: Game, before: Demands) -> Demands:
    """Return the demands inside an order: the step at a record, and the required actions from before the order."""
    waiting = game.cursor.waiting()
    wait = tuple(f"{game.side_name(side)} must act." for side in waiting)
    return Demands(game.where, wait, before.owed, waiting)


def _lines(order: ReadOrder) -> Iterator[PageRow]:
    first = order.records[0].position
    for row in order.rows:
        about = tuple(row.units.split("\n")) if row.units else ()
        kept = row.position in order.marks
        yield PageRow(
            first, row.position, row.turn, row.step, row.seat, row.text, row.rule, row.event, about, row.counts, kept
        )


def _between(stretches: Iterable[tuple[int, int]], last: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of positions outside these stretches, up to the last position."""
    begin = 1
    for first, end in (*stretches, (last + 1, last + 1)):
        if begin < first:
            yield begin, first - 1
        begin = end + 1


def _clipped(stretches: Iterable[tuple[int, int]], first: int) -> list[tuple[int, int]]:
    return [(max(low, first), high) for low, high in stretches if high >= first]
