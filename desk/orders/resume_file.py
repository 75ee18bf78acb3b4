"""Recognize an order file of which a game has recorded orders, so that it can be corrected and played again.

An order from a file gets the order id `file-PLAYING.MARK-NUMBER-…`. PLAYING identifies one playing of one file, and
NUMBER is the number of the order in the file, from 1. MARK is a hash of the playing and of the file's path: a reader of
the log can confirm a guessed path, and learns nothing else. When a file is played, its orders are compared with the
orders on the current branch from earlier playings by the same seat, the newest playing first:

| path | orders | the file is |
|---|---|---|
| the same | it begins with all recorded orders | continued: recorded orders are skipped, and listed by line |
| the same | it has no recorded order | another file at that path: all of it is played |
| the same | it has some of them, or in another sequence | refused, with the line |
| another | all are the same, up to the end of the shorter file | refused: it may be a copy |
| another | one differs | another file: all of it is played |

Earlier editions recorded no mark. If the newest playing has none, it may belong to any path, and a file that continues
it is refused. `resume` means that the file was renamed or moved; `again` means that it is another file. A rewound order
is recorded again. An order that an amendment replaced or dropped is not.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from umpire_ledger.desk.core.adapters import event_of
from umpire_ledger.desk.core.authorship import ENTERED_BY, authored
from umpire_ledger.desk.core.order_ids import unsigned, words_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DisputeOpened, DisputeSettled, NoteAdded, NoteOpened, NoteSealed
from umpire_ledger.domain.game.order_json import AGAIN
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import Record

MARK = "file-"
RULE = "files of orders"
UNMARKED = frozenset({""})
"""The marks of a playing that an earlier edition recorded."""
KEPT = (NoteAdded, NoteSealed, NoteOpened, DisputeOpened, DisputeSettled)
"""Events that stay after a rewind."""
OrderLine = tuple[int, Mapping[str, Any]]
"""A line number, from 1, and the order on it."""

_decode = msgspec.json.Decoder(dict[str, Any]).decode
_sorted = msgspec.json.Encoder(order="sorted").encode


class RecordedLine(NamedTuple):
    """A recorded order of a file. `position`: its place on the current branch; `given`: its first position.

    `state`: `amended` if an amendment replaced or dropped it; `position` is then the position of the amendment. `kept`
    if it is an event on an abandoned branch that stays after a rewind, such as a note.
    """

    position: int
    given: int
    state: Literal["on branch", "amended", "kept"] = "on branch"


class Playing(NamedTuple):
    """One run of an order file. `standing`: its orders on the current branch, by their number in the file.

    `left`: the newest position of each order that was rewound or amended. `marks`: the marks of the run's paths.
    """

    id: str
    standing: dict[int, RecordedLine]
    left: dict[int, int]
    marks: frozenset[str] = frozenset()

    @property
    def last(self) -> int:
        """Number of the last order on the current branch; 0 if there is none."""
        return max((number for number, one in self.standing.items() if one.state != "kept"), default=0)

    def is_of(self, path: Path) -> bool:
        """Return whether the file was at this path."""
        return _mark_of(self.id, path) in self.marks

    def command(self, number: int, path: Path) -> str:
        """Return a new order id for one of its orders; never reuse an id, because a rewound order is given again."""
        return f"{MARK}{self.id}.{_mark_of(self.id, path)}-{number}-{secrets.token_hex(4)}"


class Comparison(NamedTuple):
    """The numbers of a file's orders: the same as recorded, different, and recorded but missing from the file."""

    same: list[int]
    differs: list[int]
    missing: list[int]


def new_playing() -> Playing:
    """Return a playing without recorded orders."""
    return Playing(secrets.token_hex(4), {}, {})


def _mark_of(playing: str, path: Path) -> str:
    return hashlib.sha256(f"{playing}\0{path}".encode(errors="surrogateescape")).hexdigest()[:8]


class FileHistory:
    """The orders that a game has recorded from the files of one seat."""

    def __init__(self, ledger: Ledger[Game], game_id: str, hand: str) -> None:
        self._ledger, self._game, self._hand = ledger, game_id, hand
        self._branch = ledger.branch(game_id)

    def playings(self) -> list[Playing]:
        """Return the playings with orders on the current branch, the newest first."""
        numbers: dict[str, dict[int, list[int]]] = {}
        marks: dict[str, set[str]] = {}
        for position, command in self._ledger.commands(self._game, MARK):
            playing, mark, number = _read(command)
            if number:
                found = numbers.pop(playing, {})  # so that the playing of the newest order comes last
                found.setdefault(number, []).append(position)
                numbers[playing] = found
                marks.setdefault(playing, set()).add(mark)
        playings = (self._playing(id, numbers[id], frozenset(marks[id])) for id in reversed(numbers))
        return [one for one in playings if one.standing and self._is_own(min(one.standing.values()))]

    def _playing(self, id: str, numbers: Mapping[int, Sequence[int]], marks: frozenset[str]) -> Playing:
        found = {number: self._standing(positions) for number, positions in numbers.items()}
        standing = {number: one for number, one in found.items() if one is not None}
        return Playing(id, standing, {number: numbers[number][-1] for number in found.keys() - standing.keys()}, marks)

    def _standing(self, positions: Sequence[int]) -> RecordedLine | None:
        """Return the newest order at these positions that counts: as it was given, repeated, or amended."""
        return next((one for position in reversed(positions) if (one := self.standing(position))), None)

    def standing(self, position: int) -> RecordedLine | None:
        """Return the order that begins at a position, as it counts now; None if it was rewound."""
        if position in self._branch:
            return RecordedLine(position, position)
        if all(isinstance(event, KEPT) for event in map(event_of, self._answer(position))):
            return RecordedLine(position, position, "kept")
        counting, is_amended = self._moved.get(position, (0, False))
        return RecordedLine(counting, position, "amended" if is_amended else "on branch") if counting else None

    def _is_own(self, one: RecordedLine) -> bool:
        """Return whether this seat gave the order."""
        records = self._answer(one.given)
        return self._hand in (records[0].seat, (_text_of(records) or {}).get(ENTERED_BY))

    def words(self, one: RecordedLine) -> dict[str, Any] | None:
        """Return the words of an order as they were given; None if they are withheld, or if the order was amended."""
        return None if one.state == "amended" else _text_of(self._answer(one.given))

    @cached_property
    def _moved(self) -> dict[int, tuple[int, bool]]:
        """Abandoned orders, with the position of their repetition or amendment, and whether it is an amendment."""
        found: dict[int, tuple[int, bool]] = {}
        for record in self._ledger.branch_records(self._game):
            cause = bytes(record.cause)
            if b'"again"' in cause or b'"amend"' in cause:
                words = _decode(cause)
                amended = _amended_by(words)
                for original in self._originals(amended or words.get(AGAIN)):
                    found.setdefault(original, (record.position, amended is not None))
        return found

    def _originals(self, position: object) -> Iterator[int]:
        """Yield the first position of the order at a position, then those of the orders that it repeats."""
        while isinstance(position, int):
            records = self._answer(position)
            yield records[0].position
            position = (_text_of(records) or {}).get(AGAIN)

    def _answer(self, position: int) -> tuple[Record, ...]:
        return self._ledger.order_at(self._game, position)


def _text_of(records: Sequence[Record]) -> dict[str, Any] | None:
    cause = next((bytes(record.cause) for record in records if record.cause), b"")
    return _decode(cause) if cause else None


def _amended_by(words: Mapping[str, Any]) -> int | None:
    """Return the position of the order that an amendment replaces or drops; None for any other order."""
    is_amendment = words.get("order") == "amend" and words.get("how", "replace") in ("replace", "drop")
    return words["at"] if is_amendment else None


def _read(command: str) -> tuple[str, str, int]:
    """Return the playing, mark and number in an order id. The number is 0 if a person invented the id."""
    playing, _, rest = command.removeprefix(MARK).partition("-")
    playing, _, mark = playing.partition(".")
    number = rest.partition("-")[0]
    is_number = number.isascii() and number.isdigit() and len(number) <= MOST_NUMBER
    return playing, mark, int(number) if is_number else 0


MOST_NUMBER = 9
"""Maximum number of digits of an order's number in its file."""


# --- identity of a file -----------------------------------------------------------------------------------------------


class OrderFile(NamedTuple):
    """A file to play: its orders, up to the number of recorded ones. `first`: the line to begin with."""

    orders: Sequence[OrderLine]
    read_all: Callable[[], Sequence[OrderLine]]
    name: str
    path: Path
    hand: str
    history: FileHistory
    first: int = 1

    def playing_of(self, playings: Sequence[Playing], *, resume: bool = False) -> Playing:
        """Return the playing that this file continues, or a new one.

        Args:
            playings: The playings with recorded orders, the newest first.
            resume: The file was renamed or moved, so it continues any playing with which it agrees.

        Raises:
            RuleViolation: When the file differs from the recorded orders, or its identity is in doubt.
        """
        if resume:
            return self._resumed(playings)
        for playing in sorted(playings, key=lambda one: not one.is_of(self.path)):
            is_of_path = playing.is_of(self.path)
            may_be_of_path = is_of_path or (playing is playings[0] and playing.marks == UNMARKED)
            found = self.compare(playing, whole=may_be_of_path)
            if is_of_path and self.first > 1 and not found.same and not found.differs:
                return playing  # the first line is after all recorded ones
            if not may_be_of_path and (found.differs or not found.same):
                continue
            if (found.differs or found.missing) and not self._has_any_of(playing):
                continue
            self._verify_same_file(playing, found)
            if not is_of_path:
                raise self._in_doubt(playing, found)
            return playing
        return new_playing()

    def _resumed(self, playings: Sequence[Playing]) -> Playing:
        found = [(one, compared) for one in playings if (compared := self.compare(one)).same]
        found.sort(key=lambda one: bool(one[1].differs))
        if not found:
            what = "the game has no orders from this file"
            raise self._refusal(what, self.orders[0][0] if self.orders else 1, "leave out --resume to play it")
        self._verify_same_file(*found[0])
        return found[0][0]

    def compare(self, playing: Playing, *, whole: bool = True) -> Comparison:
        """Compare the orders from the first line with the recorded ones; without `whole`, stop at a difference."""
        found = Comparison([], [], [])
        for number, recorded in sorted(playing.standing.items()):
            if number > len(self.orders):
                found.missing.append(number)
            elif self.orders[number - 1][0] >= self.first:
                is_same = self._is_same(self.history.words(recorded), self.orders[number - 1][1])
                (found.same if is_same else found.differs).append(number)
                if found.differs and not whole:
                    break
        return found

    def _has_any_of(self, playing: Playing) -> bool:
        """Return whether the file has any recorded order, because playing the whole file would record it twice."""
        own = {words for _, raw in self.read_all() if (words := self._text_of(raw))}
        recorded = (self.history.words(one) for one in playing.standing.values())
        return any(words is None or _sorted(unsigned(words)) in own for words in recorded)

    def _text_of(self, raw: Mapping[str, Any]) -> bytes:
        """Return an order's words in the form for comparison; b"" for an order that this seat may not give."""
        with suppress(RuleViolation):  # it is refused when its line is read
            return _sorted(unsigned(words_of(authored(raw, self.hand))))
        return b""

    def _is_same(self, recorded: dict[str, Any] | None, raw: Mapping[str, Any]) -> bool:
        return recorded is None or _sorted(unsigned(recorded)) == self._text_of(raw)

    def _verify_same_file(self, playing: Playing, found: Comparison) -> None:
        """Verify that the file has the recorded orders unchanged.

        Raises:
            RuleViolation: When a recorded order differs from the file's, or is missing from the file.
        """
        if found.differs:
            position = playing.standing[found.differs[0]].position
            raise self._refusal(
                f"this order differs from the one recorded from this file (#{position})",
                self.orders[found.differs[0] - 1][0],
                f"correct the record (`umpire amend` #{position}, or rewind to before it);"
                " or play the whole file as a new one (--again), or a part of it (--from LINE)",
            )
        if found.missing and self.first == 1:
            position = playing.standing[found.missing[0]].position
            raise self._refusal(
                f"the game has more orders from this file than the file has now: the next one is #{position}",
                self.orders[-1][0],
                "add the missing orders; or play the whole file as a new one (--again)",
            )

    def _in_doubt(self, playing: Playing, found: Comparison) -> RuleViolation:
        position = playing.standing[found.same[0]].position
        return self._refusal(
            f"this order was already recorded from a file, perhaps this one (#{position})",
            self.orders[found.same[0] - 1][0],
            "if it is the same file, add --resume to continue it; if it is a different one, add --again to play it all",
        )

    def _refusal(self, what: str, line: int, remedy: str) -> RuleViolation:
        return RuleViolation(what, where=f"{self.name}, line {line}", rule=RULE, remedy=remedy)
