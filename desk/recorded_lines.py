"""Which orders of a file a game has recorded already, so that a file that was mended can be played again.

An order that is played from a file gets the command id `file-PLAY-NUMBER-…`: which playing of which file, and which of
its orders, from 1. Whoever reads the log learns no more from it. When a file is played, its orders are compared with
those that the latest playing by the same hand left on the line that counts:

- the same words as far as they go: those stand, and only what comes behind them is given;
- another first order: it is another file, and all of it is given;
- the same at first and different later: one of the two was mended, and which is for people to say.

An order that was rewound does not stand; one that an amendment gave again stands, and one that it replaced or dropped
counts as seen to.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.desk.authorship import ENTERED_BY, authored
from umpire_ledger.desk.command_ids import unsigned, words_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import AGAIN
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.application import Ledger

MARK = "file-"
RULE = "files of orders"
OrderLine = tuple[int, Mapping[str, Any]]
"""A line number, from 1, and the order on it."""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Standing(NamedTuple):
    """An order of a file that counts. `words`: None where they are withheld from this copy of the log."""

    position: int
    words: dict[str, Any] | None


class Playing(NamedTuple):
    """A playing of a file, and its orders that count by their number in it."""

    id: str
    standing: dict[int, Standing]

    @property
    def last(self) -> int:
        """The number of the last order that stands; 0: none."""
        return max(self.standing, default=0)

    def command(self, number: int) -> str:
        """A command id for one of its orders, never the same twice: a rewound order is given again."""
        return f"{MARK}{self.id}-{number}-{secrets.token_hex(4)}"


def new_playing() -> Playing:
    """A playing of which nothing is recorded yet."""
    return Playing(secrets.token_hex(4), {})


def goes_on(playing: Playing, orders: Sequence[OrderLine], name: str, hand: str) -> bool:
    """Whether these orders, the first of a file, are those of a playing; False where the first one is another already.

    Raises RuleViolation where the first is the same and a later one differs.
    """
    numbers = [number for number in sorted(playing.standing) if number <= len(orders)]
    for number in numbers:
        line, raw = orders[number - 1]
        position, words = playing.standing[number]
        if words is None or unsigned(words) == unsigned(_decode(_encode(words_of(authored(raw, hand))))):
            continue
        if number == numbers[0]:
            return False
        raise RuleViolation(
            f"this order is not the one that was recorded from this file (#{position})",
            where=f"{name}, line {line}",
            rule=RULE,
            remedy=f"put what was recorded right (`umpire amend` #{position}, or rewind to before it);"
            " or play the whole file as another one (--again), or a part of it (--from LINE)",
        )
    return True


def latest_playing(ledger: Ledger[Game], game: str, hand: str) -> Playing:
    """The newest playing by this hand that has left orders on the line that counts."""
    playings: dict[str, dict[int, list[int]]] = {}
    for position, command in ledger.commands(game, MARK):
        playing, number = _read(command)
        if number:
            numbers = playings.pop(playing, {})
            numbers.setdefault(number, []).append(position)
            playings[playing] = numbers  # the one that was added to last is the last
    for playing in reversed(playings):
        found = {
            number: standing
            for number, positions in playings[playing].items()
            if (standing := _standing(ledger, game, positions, hand))
        }
        if found:
            return Playing(playing, found)
    return new_playing()


def _read(command: str) -> tuple[str, int]:
    """A command id's playing and number; a number of 0: somebody else made it up."""
    playing, _, rest = command.removeprefix(MARK).partition("-")
    number = rest.partition("-")[0]
    return playing, int(number) if number.isascii() and number.isdigit() and len(number) <= MOST_NUMBER else 0


MOST_NUMBER = 9
"""Digits of an order's number in its file."""


def _standing(ledger: Ledger[Game], game: str, positions: Sequence[int], hand: str) -> Standing | None:
    """The order at one of these positions that counts, itself or given again by an amendment."""
    branch = ledger.branch(game)
    for position in reversed(positions):
        counting = position if position in branch else _copy_of(ledger, game, position)
        if not counting:
            continue
        seat, words = _words(ledger, game, position)
        if hand in (seat, (words or {}).get(ENTERED_BY)):
            return Standing(counting, words)
    return None


def _copy_of(ledger: Ledger[Game], game: str, position: int) -> int:
    """Where the line that counts has an order that was given again; 0 for nowhere."""
    return next((copy for copy, original in _copies(ledger, game, position) if original == position), 0)


def _copies(ledger: Ledger[Game], game: str, after: int) -> Iterator[tuple[int, int]]:
    """(position, that of the order it repeats in the end) on the line that counts, behind a position."""
    for record in ledger.branch_records(game):
        if record.position <= after:
            return
        original = _decode(bytes(record.cause)).get(AGAIN) if record.cause else None
        while isinstance(original, int):
            yield record.position, original
            original = (_words(ledger, game, original)[1] or {}).get(AGAIN)


def _words(ledger: Ledger[Game], game: str, position: int) -> tuple[str, dict[str, Any] | None]:
    """Whose order wrote a record, and its words, None where they are withheld."""
    records = ledger.answer(game, ledger.record(game, position).command)
    cause = next((bytes(record.cause) for record in records if record.cause), b"")
    return records[0].seat, _decode(cause) if cause else None
