"""A file of orders, played into a game: in batches, from its first line or from where it was broken off."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import msgspec

from umpire_ledger.desk.authorship import authored
from umpire_ledger.desk.errors import WrongUse
from umpire_ledger.desk.recorded_lines import RULE, OrderLine, Playing, goes_on, latest_playing, new_playing
from umpire_ledger.desk.rehearsal import Rehearsal
from umpire_ledger.desk.sitting import Sitting
from umpire_ledger.desk.trial import LooksBack, Trial
from umpire_ledger.desk.wiring import place_words
from umpire_ledger.domain.game.agreement import counted
from umpire_ledger.domain.game.errors import DomainError, RuleViolation
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.errors import LedgerError

if TYPE_CHECKING:
    from umpire_ledger.desk.signing import Signer

BATCH = 16
"""Orders of a file recorded in one transaction: a flush costs the same for one as for many."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a file of orders. `position`: the game's last; `where`: the place in the sequence.

    `orders`: how many were recorded; `repeated`: how many more had a command id that was known. `stood`: how many the
    game had recorded from this file before, the last of them on line `stood_to`. `other_dice`: they were only tried,
    and the ledger threw dice that are not those of the game.
    """

    orders: int
    repeated: int
    position: int
    where: str
    stood: int = 0
    stood_to: int = 0
    other_dice: bool = False


def on_what_was_seen(sitting: Sitting, seen: int, lines: Iterable[OrderLine], hand: str) -> Iterator[OrderLine]:
    """The same lines. Raises SomebodyWroteFirst where something came since, and the first line is no repetition."""
    coming = iter(lines)
    first = list(islice(coming, 1))
    if not any(_is_repetition(sitting, raw, hand) for _, raw in first):
        sitting.verify_nothing_came(seen, hand)
    return chain(first, coming)


def _is_repetition(sitting: Sitting, raw: Mapping[str, Any], hand: str) -> bool:
    with suppress(RuleViolation):  # somebody else's order is refused when its line is read
        return sitting.is_repetition(authored(raw, hand))
    return False


def play_lines(
    ledger: Ledger[Game],
    game: str,
    lines: Iterable[OrderLine],
    name: str,
    *,
    hand: str = REFEREE,
    check: bool = False,
    signer: "Signer | None" = None,
) -> Played:
    """Play numbered lines into a game, in batches; with `check` they are tried, and nothing is recorded.

    `hand`: the seat that gives them; the referee may enter the orders of others, and their records say so. `signer`:
    signs them where that seat has a key.
    Raises what the first refused line raises, its line named; the lines before it are recorded.
    """
    if check:
        return _try_lines(ledger, game, list(lines), name, hand)
    return _play_lines(Sitting(ledger, game, batch=BATCH, signer=signer), lines, name, hand)


def play_file(
    ledger: Ledger[Game],
    game: str,
    lines: Iterable[OrderLine],
    name: str,
    *,
    hand: str = REFEREE,
    check: bool = False,
    first: int = 1,
    again: bool = False,
    signer: "Signer | None" = None,
) -> Played:
    """The same for the lines of a file: what the game has recorded from it before is not given once more.

    `first`: the line to begin with; then what stands in front of it is nobody's affair. `again`: the whole file is
    given as if it were another one. Raises as `play_lines` does; RuleViolation where the file and what was recorded
    from it differ; WrongUse for a first line behind the last order.
    """
    coming = iter(lines)
    playing = new_playing() if again or first > 1 else latest_playing(ledger, game, hand)
    before = list(islice(coming, playing.last))
    if not goes_on(playing, before, name, hand):
        playing = new_playing()
    fresh = _fresh(playing, chain(before, coming), first)
    played = play_lines(ledger, game, fresh, name, hand=hand, check=check, signer=signer)
    stood = before[: playing.last]
    return msgspec.structs.replace(played, stood=len(stood), stood_to=stood[-1][0] if stood else 0)


def _fresh(playing: Playing, orders: Iterable[OrderLine], first: int) -> Iterator[OrderLine]:
    """What is to be given, each order with a command id.

    One with an id of its own is given in any case: it is answered again where it is known.
    """
    line, none = 0, True
    for number, (line, raw) in enumerate(orders, 1):
        if line >= first:
            none = False
            if raw.get("id"):
                yield line, raw
            elif number > playing.last:
                yield line, {**raw, "id": playing.command(number)}
    if none and first > 1:
        what = f"there is no order from line {first} on: the last one is on line {line}"
        raise WrongUse(what, where=f"line {first}", rule=RULE, remedy=f"name a line from 1 to {line}")


def _try_lines(ledger: Ledger[Game], game: str, lines: Sequence[OrderLine], name: str, hand: str) -> Played:
    try:
        return _rehearse(Trial(ledger, game), lines, name, hand)
    except LooksBack:
        with ledger.tried(game) as trial:
            return _rehearse(Rehearsal(trial, game, batch=BATCH), lines, name, hand)


def _rehearse(sitting: Rehearsal, lines: Sequence[OrderLine], name: str, hand: str) -> Played:
    played = _play_lines(sitting, lines, name, hand, kept="accepted")
    return msgspec.structs.replace(played, other_dice=sitting.has_thrown)


def _play_lines(
    sitting: Sitting, lines: Iterable[OrderLine], name: str, hand: str, *, kept: str = "recorded"
) -> Played:
    orders = repeated = 0

    def where() -> str:
        return place_words(sitting.game)

    with between_orders() as stopped, _told_how_far(sitting):
        try:
            for number, raw in lines:
                if stopped():
                    raise KeyboardInterrupt
                with _line_named(f"{name}, line {number}", orders, kept):
                    repeated += sitting.order(authored(raw, hand, where)).repeated
                orders += 1
        finally:
            sitting.flush()
    return Played(orders=orders - repeated, repeated=repeated, position=sitting.size, where=where())


@contextmanager
def _told_how_far(sitting: Sitting) -> Iterator[None]:
    """When the store takes no more, say how much of the file it has."""
    try:
        yield
    except LedgerError as error:
        error.remedy = f"{error.remedy} (of the file {_are(sitting.recorded)} recorded, the rest is not)"
        raise


@contextmanager
def _line_named(line: str, before: int, kept: str) -> Iterator[None]:
    """A refusal says which line of the file it is about, and what becomes of the others."""
    try:
        yield
    except DomainError as error:
        error.where = f"{line} · {error.where}".rstrip(" ·")
        error.remedy = f"{error.remedy} ({_before(before, kept)}this one and the rest are not)"
        raise


def _before(number: int, kept: str) -> str:
    """What becomes of the orders before a line that was refused."""
    return f"{'the ' if number else ''}{_are(number, ' before it')} {kept}, "


def _are(number: int, which: str = "") -> str:
    """`1 order before it is`, `no orders before it are`."""
    return f"{counted(number, 'order') if number else 'no orders'}{which} {'is' if number == 1 else 'are'}"


@contextmanager
def between_orders() -> Iterator[Callable[[], bool]]:
    """Let the first Ctrl-C stop between two orders, and a second one at once."""
    asked = False

    def remember(_signal: int, _frame: object) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, remember)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)
