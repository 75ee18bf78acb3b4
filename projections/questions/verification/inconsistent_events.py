"""Check that every event of a log can apply to the state before it. The check needs no title.

A log with correct hashes may still record impossible events, such as a wrong balance or a unit in two places. Such
events are findings, not faults of the log. The log is read twice, as a stream: first for the positions that rewinds
return to, then to rebuild the game. Only the game itself stays in memory, and its states at positions to which rewinds
still return.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game.dice_shares import awaited
from umpire_ledger.domain.game.events import AnyEvent, DiceCommitted, PlayRewound
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.transition_rules import transition_error, transition_error_in_part
from umpire_ledger.ledger.records.record import UNREADABLE
from umpire_ledger.projections.questions.verification.table_lookups import wrong_row
from umpire_ledger.projections.questions.verification.witnessed_dice import AskedOrders
from umpire_ledger.projections.questions.visibility_check import Envelope, order_fault, visibility_fault

MOST = 1000
"""The most findings that are kept; the others are counted."""


class Misfit(msgspec.Struct, frozen=True, kw_only=True):
    """An event that cannot apply to the state before it."""

    position: int
    """Number of its record, from 1."""
    what: str
    """The contradiction, as a clause."""


class _Return(msgspec.Struct, frozen=True):
    """The field of a stored record for the position that it continues from, if not the previous one."""

    follows: int | None = None


class _OrderAuthor(msgspec.Struct, frozen=True):
    """The author and the entering seat of an order; a forged log may contain any values."""

    author: Any = msgspec.field(default=None, name="as")
    entered_by: Any = None


class _StateRecord(msgspec.Struct, frozen=True):
    """The part of a stored record that a rebuild needs; a withheld record has no event."""

    position: int
    seat: str = ""
    prior: str = ""
    follows: int | None = None
    visible_to: tuple[str, ...] | None = None
    cause: _OrderAuthor = _OrderAuthor()
    event: AnyEvent | None = None


_return = msgspec.json.Decoder(_Return).decode
_told = msgspec.json.Decoder(_StateRecord).decode


def returns(lines: Iterable[bytes]) -> Counter[int]:
    """Count the rewinds of a log to each position."""
    found: Counter[int] = Counter()
    for line in lines:
        if b'"follows":' in line:
            try:
                follows = _return(line).follows
            except UNREADABLE:
                continue
            if follows is not None:
                found[follows] += 1
    return found


class Misfits:
    """Reads the records of a log in order, and keeps the inconsistent events. Some records may be withheld.

    `back`: the result of `returns` for the same log. `findings`: the first `MOST` findings; `left_out`: the number of
    further findings.
    """

    def __init__(self, back: Counter[int]) -> None:
        self.findings: list[Misfit] = []
        self.left_out = 0
        self._back = back
        self._game = Game()
        self._in_part = False
        self._seed_is_next = False
        self._kept: dict[int, tuple[Game, bool]] = {}
        self._asked = AskedOrders()
        self._orders = 0
        self._keep(0)

    @property
    def game(self) -> Game:
        """The game after the last line, built from the events that are visible."""
        return self._game

    def watch(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Check the events in the lines of a log, and yield the lines unchanged. Lines without a record are ignored."""
        for line in lines:
            if line.startswith(b'{"position":'):
                for position, what in self._asked.see(line):
                    self._find(position, what)
                self._see(line)
            yield line
        for position, what in self._asked.close():
            self._find(position, what)

    def _see(self, line: bytes) -> None:
        try:
            told = _told(line)
        except UNREADABLE as error:
            self._in_part = True  # The changes by an unreadable event are unknown.
            if (found := _position(line)) is not None:
                self._find(found, f"its event cannot be read: {error}")
            return
        self._orders += bool(told.prior)
        if told.event is None:
            self._in_part = self._in_part or not self._seed_is_next
        else:
            self._hold(told, told.event)
        self._seed_is_next = isinstance(told.event, DiceCommitted)
        self._keep(told.position)

    def _hold(self, told: _StateRecord, event: AnyEvent) -> None:
        found = (transition_error_in_part if self._in_part else transition_error)(self._game, event)
        what = found or _strayed(told, event) or _taken_back(self._game, event) or wrong_row(self._game, event)
        what = what or order_fault(told.seat, told.cause.author, told.cause.entered_by)
        if what := what or visibility_fault(self._game, self._envelope(told), event):
            tag = type(event).__struct_config__.tag
            self._find(told.position, what if told.visible_to is None else f"`{tag}` is inconsistent; secret reason")
        if told.follows is not None:
            self._return_to(told.follows)
        self._game = evolve(self._game, event)

    def _envelope(self, told: _StateRecord) -> Envelope:
        return Envelope(
            seat=told.seat,
            visible_to=told.visible_to,
            is_opening=self._orders <= 1,
            follows_withheld=self._in_part,
        )

    def _keep(self, position: int) -> None:
        if self._back[position]:
            self._kept[position] = self._game, self._in_part

    def _return_to(self, position: int) -> None:
        if position in self._kept:
            self._game, self._in_part = self._kept[position]
            self._back[position] -= 1
            if not self._back[position]:
                del self._kept[position]

    def _find(self, position: int, what: str) -> None:
        if len(self.findings) < MOST:
            self.findings.append(Misfit(position=position, what=what))
        else:
            self.left_out += 1


def _strayed(told: _StateRecord, event: AnyEvent) -> str:
    """Return the fault if a record continues from another position than its event says; "" if it does not."""
    follows = told.position - 1 if told.follows is None else told.follows
    if isinstance(event, PlayRewound):
        why = f"play is rewound to #{event.to}, but the record continues from #{follows}"
        return why if event.to != follows else ""
    return f"it continues from #{follows}, but is not a rewind" if told.follows is not None else ""


def _taken_back(game: Game, event: AnyEvent) -> str:
    """Return the fault if a rewind undoes an order whose dice can already be computed; "" otherwise."""
    is_known = isinstance(event, PlayRewound) and game.awaits_dice and not awaited(game)
    return f"the order of {game.awaits_dice} is undone after every share for it was revealed" if is_known else ""


class _Placed(msgspec.Struct):
    position: int


_placed = msgspec.json.Decoder(_Placed).decode


def _position(line: bytes) -> int | None:
    """Return the position of an unreadable event; None for a line without a record."""
    try:
        return _placed(line).position
    except UNREADABLE:
        return None
