"""Connect `ledger` and `domain`, which do not import each other.

The ledger stores lines of bytes and needs a state builder; the domain needs the history of a game. Titles are the
built-in ones and those that other packages register under the entry point group `umpire.titles`.
"""

import contextlib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from umpire_ledger.domain.flow.available_orders import where_now
from umpire_ledger.domain.game.errors import NoSuchTitle, TitleFault
from umpire_ledger.domain.game.events import (
    AnyEvent,
    DiceOpened,
    MessageArrived,
    PlayRewound,
    RestrictedEvent,
    read as read_event,
)
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.recordable import recordable
from umpire_ledger.domain.game.snapshot import SCHEMA, dump, load
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.history import is_branch_independent
from umpire_ledger.domain.history.undo_and_rewind import PlayedOrder
from umpire_ledger.domain.kit.title import Title, title_as_played
from umpire_ledger.domain.titles import BUILT_IN, ENTRY_POINTS, load as load_title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import UNREADABLE, Draft, Record
from umpire_ledger.projections.record.visible_record import decode_for_fold

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

# --- titles -----------------------------------------------------------------------------------------------------------


def title_references() -> dict[str, str]:
    """Map the id of every installed title to `module:attribute`. No package overrides a built-in title.

    A package with unreadable entry points is listed under its own name, without a reference.
    """
    return {**{name: found.reference for name, found in _from_packages().items()}, **BUILT_IN}


def find_title(title: str) -> Title | None:
    """Return the title with an id; None if it is not installed or cannot be used. Its logs can still be read."""
    try:
        return _title(title)
    except TitleFault:
        return None


def place_words(game: Game) -> str:
    """Return the current step in words; if sides act in turn, only with the sides that may act now."""
    several = any(len(one.waits) > 1 for one in game.cursor.open)
    return where_now(find_title_of(game) if several else None, game)


def find_title_of(game: Game) -> Title | None:
    """Return the title as a game plays it, with the scenario's own sequence if it has one.

    Return None if the title is not installed or cannot be used.
    """
    return title_as_played(find_title, game)


def need_title_of(game: Game) -> Title:
    """Return the title as a game plays it.

    Raises:
        NoSuchTitle: When it is not installed.
        TitleFault: When it cannot be used.
    """
    return need_title(game.title).of(game)


def need_title(title: str) -> Title:
    """Return the title with an id.

    Raises:
        NoSuchTitle: When it is not installed.
        TitleFault: When it cannot be used.
    """
    found = _title(title)
    if found is None:
        known = ", ".join(sorted(title_references()))
        raise NoSuchTitle(f"no title {title}", where="titles", rule="titles", remedy=f"name one of: {known}")
    return found


def _title(title: str) -> Title | None:
    if title in BUILT_IN:
        return _built_in(title)
    found = _from_packages().get(title)
    return _loaded(title, found) if found else None


@cache
def _built_in(title: str) -> Title:
    return load_title(BUILT_IN[title])


class _FromPackage(NamedTuple):
    """A title of another package. `fault`: the error that makes it unreadable."""

    reference: str
    package: str
    fault: Exception | None = None


def _from_packages() -> dict[str, _FromPackage]:
    """Return the titles of other packages by id; a broken package does not hide the others."""
    from importlib.metadata import distributions, entry_points  # noqa: PLC0415 -- 14 ms: costs 15 ms, only these titles need it

    try:
        return _named(entry_points(group=ENTRY_POINTS))
    except Exception:  # read each package separately, and keep the error of a broken one
        found: dict[str, _FromPackage] = {}
        for one in distributions():
            try:
                found = {**_named(one.entry_points.select(group=ENTRY_POINTS)), **found}
            except Exception as error:
                found.setdefault(one.name, _FromPackage("", one.name, error))
        return found


def _named(points: "EntryPoints") -> dict[str, _FromPackage]:
    return {point.name: _FromPackage(point.value, point.dist.name if point.dist else "") for point in points}


def _loaded(title: str, found: _FromPackage) -> Title:
    """Import a title of another package.

    Raises:
        TitleFault: When its import fails in any way, or it has another id.
    """
    try:
        if found.fault is not None:
            raise found.fault
        loaded = load_title(found.reference)
        dict(loaded.every_order)  # a sequence that cannot be read fails here, and not in each answer about all titles
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}" if found.reference else f"its entry points cannot be read: {error}"
        raise _unusable(title, found, why) from error
    if loaded.id != title:
        raise _unusable(title, found, f"its id is {loaded.id}")
    return loaded


def _unusable(title: str, found: _FromPackage, why: str) -> TitleFault:
    return TitleFault(
        f"the title {title} cannot be used: {' '.join(why.split())}",
        title=title,
        decision=found.reference,
        where=f"package {found.package or 'unknown'}, {ENTRY_POINTS}: {title} = {found.reference}".rstrip(" ="),
        rule=f"an entry point of {ENTRY_POINTS} names a Title",
        remedy=f"update or uninstall that package; send its author the output of `umpire --debug sequence {title}`",
    )


# --- records ----------------------------------------------------------------------------------------------------------


class _EventLine(msgspec.Struct):
    """The event of a stored line; a redacted line has none."""

    event: AnyEvent | None = None


_decode_line = msgspec.json.Decoder(_EventLine).decode


def _events_of(lines: list[bytes]) -> list[AnyEvent]:
    with contextlib.suppress(*UNREADABLE):  # the lines are read one by one below, including unreadable ones
        return [event for line in lines if (event := _decode_line(line).event) is not None]
    return [event for line in lines if (event := decode_for_fold(line).event) is not None]


CHUNK = 512
"""Number of lines decoded at once. A list takes a tenth less time than a generator when a long game is opened."""


class GameStateBuilder:
    """Build the state of a game from its lines, and snapshots of that state."""

    schema = SCHEMA

    def start(self) -> Game:
        return Game()

    def fold(self, state: Game, lines: Iterable[bytes]) -> Game:
        remaining = iter(lines)
        chunks = iter(lambda: list(islice(remaining, CHUNK)), [])
        return fold(state, chain.from_iterable(map(_events_of, chunks)))

    def dump(self, state: Game) -> bytes:
        return dump(state)

    def load(self, raw: bytes) -> Game:
        return load(raw)


def event_of(record: Record) -> AnyEvent | None:
    """Return the event of a record; None if it is redacted."""
    return None if record.redacted else read_event(bytes(record.event), record.position)


def drafts_of(told: tuple[AnyEvent | RestrictedEvent, ...], cause: bytes | None, where: str = "") -> list[Draft]:
    """Return events as bytes for the ledger. The text of the order is stored with the most restricted event.

    Each encoded event is first decoded as a reader will decode it, because an unreadable record would ruin the game
    permanently.

    Raises:
        RuleViolation: When a decoded event differs from the original.
    """
    keeper = min(range(len(told)), key=lambda at: _openness(told[at]))
    return [_draft(one, cause if at == keeper else None, where) for at, one in enumerate(told)]


def _openness(told: AnyEvent | RestrictedEvent) -> float:
    if isinstance(told, RestrictedEvent) and isinstance(told.event, MessageArrived):
        return float("inf")  # a message of another seat: it arrives with an unrelated order
    return len(told.visible_to) if isinstance(told, RestrictedEvent) and told.visible_to else float("inf")


def _draft(told: AnyEvent | RestrictedEvent, cause: bytes | None, where: str) -> Draft:
    event = told.event if isinstance(told, RestrictedEvent) else told
    return Draft(
        event=recordable(event, where),
        visible_to=told.visible_to if isinstance(told, RestrictedEvent) else None,
        follows=event.to if isinstance(event, PlayRewound) else None,
        cause=cause,
    )


# --- the history ------------------------------------------------------------------------------------------------------


class LedgerHistory:
    """Read the history of a game from the ledger when a decision needs it (`domain.history.history.History`)."""

    def __init__(self, ledger: Ledger[Game], game_id: str) -> None:
        self._ledger = ledger
        self._game = game_id
        self.memo: dict[Any, Any] = {}

    @property
    def tip(self) -> int:
        return self._ledger.size(self._game)

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        """Yield the orders of the current branch, the newest first.

        The records of one order share its order id and are consecutive.
        """
        order: list[Record] = []
        for record in self._ledger.branch_records(self._game, at):
            if order and record.command != order[0].command:
                yield _taken(order)
                order = []
            order.append(record)
        if order:
            yield _taken(order)

    def order_at(self, position: int) -> tuple[int, int]:
        if not 1 <= position <= self.tip:
            return 0, 0
        records = self._ledger.order_at(self._game, position)
        return records[0].position, records[-1].position

    def state(self, position: int) -> Game:
        return self._ledger.state(self._game, position)

    def said(self) -> Iterator[AnyEvent]:
        marks = (b'"type":"dispute.', b'"type":"note.opened"', b'"instead_of":')
        lines = list(chain.from_iterable(self._ledger.lines_with(self._game, mark) for mark in marks))
        return filter(is_branch_independent, _events_of(lines))

    def opened(self) -> Iterator[str]:
        lines = self._ledger.lines_with(self._game, b'"type":"dice.opened"')
        return (event.seed for event in _events_of(lines) if isinstance(event, DiceOpened))


def _taken(newest_first: list[Record]) -> PlayedOrder:
    records = newest_first[::-1]
    placed = [(record.position, event) for record in records if (event := event_of(record)) is not None]
    return PlayedOrder(
        first=records[0].position,
        last=records[-1].position,
        seat=records[0].seat,
        events=tuple(event for _, event in placed),
        cause=next((bytes(record.cause) for record in records if record.cause), b""),
        positions=tuple(position for position, _ in placed),
        hidden=any(
            record.visible_to is not None and not isinstance(event_of(record), MessageArrived) for record in records
        ),
    )
