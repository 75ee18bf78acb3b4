"""Preview a rewind, as a seat may see it: list the orders that it would undo, and the alternatives to it."""

import shlex
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.events.dice import dice_words
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.history import TALK
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.branches import Branch
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.questions.dependency.queries import KnownAt, dependents_in
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode
from umpire_ledger.projections.tables.order_history import seen_by
from umpire_ledger.projections.tables.undo_points import NOT_PLAY as WORDS_ONLY

EVERYBODY = "everybody"

_cause = msgspec.json.Decoder(dict[str, Any]).decode


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """An order, a roll, a reveal or a seal that would no longer count."""

    position: int
    seat: str
    text: str


class LearntSince(msgspec.Struct, frozen=True, kw_only=True):
    """A secret that a seat learned after the target; a rewind cannot undo that. `of`: its owner; `by`: the learners."""

    position: int
    of: str
    what: str
    by: tuple[str, ...]


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """A possible remedy, and the command for it."""

    what: str
    command: str


class Impact(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of a rewind to position `to`. All lists are oldest first.

    `decided`: the undone orders, by seat. `seats`: all seats with undone orders or seals. `resting`: the orders that
    depend on the first undone order, directly or not. `regains`: the number of orders of an abandoned branch that would
    count again.
    """

    to: int
    where: str
    orders: tuple[Undone, ...]
    rolls: tuple[Undone, ...]
    reveals: tuple[Undone, ...]
    seals: tuple[Undone, ...]
    seats: tuple[str, ...]
    learnt: tuple[LearntSince, ...]
    decided: dict[str, tuple[str, ...]]
    resting: tuple[Undone, ...]
    regains: int
    remedies: tuple[Remedy, ...]


class ImpactLine(msgspec.Struct, frozen=True):
    """An order and its records, as a seat may see them."""

    records: tuple[VisibleRecord, ...]

    @property
    def first(self) -> int:
        return self.records[0].position

    @property
    def seat(self) -> str:
        return self.records[0].seat

    @property
    def cause(self) -> dict[str, Any]:
        """The order as it was entered; {} if the seat may not see it."""
        return next((_cause(record.cause) for record in self.records if record.cause), {})

    @property
    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Position and event of each record that may be seen."""
        return ((record.position, record.event) for record in self.records if record.event is not None)


def impact(
    ledger: Ledger[Game],
    game_id: str,
    to: int,
    seat: str,
    title: Title | None = None,
    known_at: KnownAt | None = None,
) -> Impact:
    """Return the effect of a rewind to a position; with the game's title, dependents are found by its rules.

    Args:
        known_at: Returns the game as the seat knew it. With it, finding dependents reads only records that the rewind
            would undo.

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
    """
    now, then = ledger.branch(game_id), ledger.branch(game_id, to)
    undone = list(_between(ledger, game_id, seat, now, then))
    acts = [deed for deed in undone if not is_comment(deed)]
    rolls = _of(undone, e.DiceRolled)
    seals = _of(undone, e.LineSealed)
    state = ledger.state(game_id)
    return Impact(
        to=to,
        where=ledger.state(game_id, to).where,
        orders=tuple(map(_undone, acts)),
        rolls=rolls,
        reveals=_of(undone, e.ChoiceRevealed),
        seals=seals,
        seats=tuple(sorted({deed.seat for deed in acts} | {one.seat for one in seals})),
        learnt=tuple(one for deed in undone for one in _learnt(state, deed)),
        decided=_decided(acts),
        resting=tuple(_resting(ledger, game_id, seat, acts, title, known_at)),
        regains=sum(1 for deed in _between(ledger, game_id, seat, then, now) if not is_comment(deed)),
        remedies=tuple(_remedies(state, game_id, to, rolls, acts)),
    )


def taken_back(ledger: Ledger[Game], game_id: str, position: int, seat: str) -> tuple[Undone, ...]:
    """Return the orders that the rewind at a position undid, oldest first, as a seat may see them.

    Returns () if the record is not a rewind.

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
    """
    event = decode(ledger.record(game_id, position).encode()).event
    if not isinstance(event, e.PlayRewound):
        return ()
    left, taken_up = ledger.branch(game_id, event.tip), ledger.branch(game_id, event.to)
    return tuple(_undone(deed) for deed in _between(ledger, game_id, seat, left, taken_up) if not is_comment(deed))


def _undone(deed: ImpactLine) -> Undone:
    return Undone(position=deed.first, seat=deed.seat, text=words_of(deed))


def _resting(
    ledger: Ledger[Game],
    game_id: str,
    seat: str,
    acts: list[ImpactLine],
    title: Title | None,
    known_at: KnownAt | None,
) -> Iterator[Undone]:
    """Yield the undone orders that depend on the first undone order."""
    if len(acts) > 1:
        contested = [record.position for record in acts[0].records]
        resting = dependents_in(ledger, game_id, seat, contested, title, known_at=known_at)
        found = {one.deed.first for one in resting}
        yield from (_undone(deed) for deed in acts[1:] if deed.first in found)


def _between(ledger: Ledger[Game], game_id: str, seat: str, branch: Branch, other: Branch) -> Iterator["ImpactLine"]:
    """Yield the orders of one branch that are not on the other."""
    parting = _parting(branch, other)
    lines = ledger.branch_bytes(game_id, branch.at, after=parting)
    for _, records in groupby(seen_by(ledger, game_id, seat, lines), lambda record: record.command):
        yield ImpactLine(tuple(records))


def _parting(branch: Branch, other: Branch) -> int:
    """Return the last position that two branches have in common."""
    common = 0
    for (first, last), (start, end) in zip(branch.stretches, other.stretches, strict=False):
        if first != start:
            break
        common = min(last, end)
        if last != end:
            break
    return common


def is_comment(deed: ImpactLine) -> bool:
    """Return whether undoing an order undoes no play, because it has only comments or rewinds, or copies a game."""
    kinds = [type(event) for _, event in deed.events]
    if kinds and kinds[0] is e.GameCopied:
        return True
    return bool(kinds) and all(kind in (*TALK, *WORDS_ONLY) for kind in kinds)


def words_of(deed: ImpactLine) -> str:
    """Return an order in a few words: its name and arguments or, if they are hidden, its first visible event."""
    if deed.cause:
        return order_words(deed.cause)
    seen = [text_of(event) for _, event in deed.events]
    return seen[0] if seen else "something that is hidden from this seat"


def order_words(raw: dict[str, Any]) -> str:
    """Return the name of an order and its arguments."""
    beside = ("as", "order", "id", "pips", "again", "entered_by")
    said = [f"{name} {_value(value)}" for name, value in raw.items() if name not in beside and value not in ("", None)]
    return " ".join([str(raw.get("order", "")), *said]).strip()


def _value(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _of(undone: list[ImpactLine], kind: type[AnyEvent]) -> tuple[Undone, ...]:
    return tuple(
        Undone(position=position, seat=deed.seat, text=_undone_text(event))
        for deed in undone
        for position, event in deed.events
        if isinstance(event, kind)
    )


def _undone_text(event: AnyEvent) -> str:
    return f"{event.purpose}, {dice_words(event)}" if isinstance(event, e.DiceRolled) else text_of(event)


def _decided(acts: list[ImpactLine]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for deed in acts:
        found.setdefault(deed.seat, []).append(f"#{deed.first} {words_of(deed)}")
    return {seat: tuple(words) for seat, words in sorted(found.items())}


def _learnt(game: Game, deed: ImpactLine) -> Iterator[LearntSince]:
    """Yield each secret that an order revealed to everyone, or to a side or seat other than its own."""
    for record in deed.records:
        event, own = record.event, (deed.seat, game.side_of(deed.seat))
        if record.visible_to is not None:
            others = tuple(one for one in record.visible_to if one not in own)
            if others and event is not None:
                yield LearntSince(position=record.position, of=own[1] or deed.seat, what=text_of(event), by=others)
            continue
        match event:
            case e.ChoiceRevealed(side=side):
                yield LearntSince(position=record.position, of=side, what=text_of(event), by=(EVERYBODY,))
            case e.SecretsOpened(upto=upto) if upto:
                yield LearntSince(position=record.position, of=deed.seat, what=text_of(event), by=(EVERYBODY,))
            case e.DiceOpened():
                yield LearntSince(position=record.position, of="the ledger", what=text_of(event), by=(EVERYBODY,))
            case e.SecretPeeked(seat=seat):
                yield LearntSince(position=record.position, of=seat, what=text_of(event), by=("referee",))
            case _:
                pass


def _remedies(
    state: Game, game_id: str, to: int, rolls: tuple[Undone, ...], acts: list[ImpactLine]
) -> Iterator[Remedy]:
    """Yield the remedies that a referee can choose from, the smallest change first."""
    umpire = f"umpire {{}} {shlex.quote(game_id)}"
    note = f'{umpire.format("note")} "it stands: …" --about {acts[0].first if acts else to}'
    yield Remedy(what="let the result stand, and note why", command=note)
    rule = f'{umpire.format("rule")} "…" --grounds house --why "…" --order \'{{"order": "change", …}}\''
    yield Remedy(what="correct one fact with a ruling", command=rule)
    if rolls:
        pips = " '{\"pips\": […]}'" if state.dice == "table" else ""
        reroll = f"{umpire.format('amend')} '#{rolls[0].position}'{pips} --reroll --why \"…\""
        yield Remedy(what="repeat one roll, and keep the rest", command=reroll)
    rewind = f"{umpire.format('rewind')} --to '#{to}' --why \"…\" --dice keep"
    yield Remedy(what="rewind; without the referee, ask the other sides: `ask-rewind`", command=rewind)
