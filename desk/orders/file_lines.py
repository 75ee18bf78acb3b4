"""Choose the lines of an order file to record, and list the others.

A line with its own order id is recognized by that id alone; any other line by its position in the file
(`desk.orders.resume_file`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from itertools import chain, islice, tee
from pathlib import Path
from typing import Any, Literal

import msgspec

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.orders.order_files import append_order, order_lines
from umpire_ledger.desk.orders.resume_file import RULE, FileHistory, OrderFile, OrderLine, Playing, new_playing
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger


class SkippedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line that was not recorded again."""

    line: int
    """Number of the line in the file, from 1."""
    position: int
    """Position of the first record of its order."""
    reason: Literal["recorded", "amended", "rewound", "same id"]
    """`recorded`: recorded from this file before. `amended`: changed since. `rewound`: undone, but later orders count.
    `same id`: an order with its id and its words is recorded.
    """


class FileLines:
    """The lines of an order file. `skipped`: the lines skipped so far because they are recorded."""

    def __init__(
        self, ledger: Ledger[Game], game_id: str, lines: Iterable[OrderLine], file: Path, hand: str, first: int = 1
    ) -> None:
        self.skipped: list[SkippedLine] = []
        self._ledger, self._game, self._hand, self._first = ledger, game_id, hand, first
        self._coming = iter(lines)
        self._read: list[OrderLine] = []
        self._name, self._path = file.name, file.resolve()
        self._history = FileHistory(ledger, game_id, hand)

    def new(self, *, resume: bool = False) -> Iterator[OrderLine]:
        """Return the lines that are not recorded yet.

        Raises:
            RuleViolation: When the file was changed, or may be another one.
        """
        playings = self._history.playings()
        orders = self._first_orders(max((max(one.standing) for one in playings), default=0))
        own = (self._name, self._path, self._hand, self._history, self._first)
        playing = OrderFile(orders, self._first_orders, *own).playing_of(playings, resume=resume)
        return self._given(chain(self._read, self._coming), playing)

    def all(self) -> Iterator[OrderLine]:
        """Return every line, to be recorded as lines of a new file."""
        return self._given(self._coming, new_playing())

    def all_again(self) -> Iterator[OrderLine]:
        """Return every line, to be recorded again.

        Raises:
            RuleViolation: When a line has an id that cannot be used again.
        """
        orders = list(self._coming)
        for line, raw in orders:
            if line >= self._first and (position := self._position_of(raw)):
                what = f"the order with the id {raw['id']} is recorded (#{position}), and an id cannot be used again"
                raise self._refusal(what, line, "remove the id, or give the line another one")
        return self._given(orders, new_playing())

    def _first_orders(self, most: int | None = None) -> list[OrderLine]:
        """Read the first orders, or all, up to a line that is not an order; that line is refused when it is played."""
        try:
            for one in islice(self._coming, most):
                self._read.append(one)  # not `extend`, so that an error keeps the orders before it
        except WrongUse as error:
            self._coming = _raising(error)
        return self._read

    def _given(self, orders: Iterable[OrderLine], playing: Playing) -> Iterator[OrderLine]:
        (numbered,) = tee(enumerate(orders, 1), 1)  # a tee can be copied, to look ahead
        line, none = 0, True
        for number, (line, raw) in numbered:
            if line < self._first:
                continue
            none = False
            if skipped := self._skipped(number, line, raw, playing, lambda: copy(numbered)):
                self.skipped.append(skipped)
            elif raw.get("id"):
                yield line, raw
            elif number < playing.last:
                raise self._never_recorded(line, playing)
            else:
                yield line, {**raw, "id": playing.command(number, self._path)}
        if none and self._first > 1:
            what = f"the file has no order from line {self._first} on; its last order is on line {line}"
            raise WrongUse(what, where=f"line {self._first}", rule=RULE, remedy=f"use a line from 1 to {line}")

    def _skipped(
        self,
        number: int,
        line: int,
        raw: Mapping[str, Any],
        playing: Playing,
        ahead: Callable[[], Iterator[tuple[int, OrderLine]]],
    ) -> SkippedLine | None:
        """Return the reason why a line is not recorded again; None for a line to play."""
        position = self._position_of(raw)
        if position:
            if self._history.standing(position):
                return None  # the order gets its first answer again
            if number < playing.last or any(self._counts(later) for _, (_, later) in ahead()):
                return SkippedLine(line=line, position=position, reason="rewound")
            what = f"the order with the id {raw['id']} was recorded (#{position}), and play was rewound to before it"
            raise self._refusal(what, line, "give the line another id to record it again, or remove the line")
        if standing := playing.standing.get(number):
            reason: Literal["recorded", "amended"] = "amended" if standing.state == "amended" else "recorded"
            return SkippedLine(line=line, position=standing.position, reason=reason)
        if number < playing.last and number in playing.left:
            return SkippedLine(line=line, position=playing.left[number], reason="rewound")
        return None

    def _position_of(self, raw: Mapping[str, Any]) -> int:
        """Return the position of the recorded order with this line's own id; 0 if there is none."""
        own = raw.get("id")
        records = self._ledger.answer(self._game, own) if isinstance(own, str) and own else ()
        return records[0].position if records else 0

    def _counts(self, raw: Mapping[str, Any]) -> bool:
        position = self._position_of(raw)
        return bool(position) and self._history.standing(position) is not None

    def _never_recorded(self, line: int, playing: Playing) -> RuleViolation:
        later = playing.standing[playing.last].position
        return self._refusal(
            f"this line was not recorded from this file, but a later one was (#{later})",
            line,
            "if its order is missing, enter it by hand and begin after this line (--from LINE);"
            " or play the whole file as a new one (--again)",
        )

    def _refusal(self, what: str, line: int, remedy: str) -> RuleViolation:
        return RuleViolation(what, where=f"{self._name}, line {line}", rule=RULE, remedy=remedy)


class RecordedFile:
    """A file to which every accepted order is written; its ids in the ledger are as if the file had been played."""

    def __init__(self, ledger: Ledger[Game], game_id: str, file: Path, hand: str) -> None:
        self._file, self._path = file, file.resolve()
        self._orders = sum(1 for _ in order_lines(file)) if file.is_file() else 0
        playings = FileHistory(ledger, game_id, hand).playings() if self._orders else []
        self._playing = next((one for one in playings if one.is_of(self._path)), new_playing())

    def with_id(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Return the order with the id of the next line, unless it has its own id."""
        return {**raw, "id": raw.get("id") or self._playing.command(self._orders + 1, self._path)}

    def append(self, raw: Mapping[str, Any]) -> None:
        """Append an accepted order, as it was given.

        Raises:
            WrongUse: When the file cannot be written.
        """
        append_order(self._file, raw)
        self._orders += 1


def _raising(error: Exception) -> Iterator[OrderLine]:
    raise error
    yield  # pragma: no cover -- makes it an iterator
