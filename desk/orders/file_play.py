"""Play an order file into a game in batches, from its first line or from its first unrecorded line."""

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.desk.core.adapters import place_words
from umpire_ledger.desk.core.authorship import authored
from umpire_ledger.desk.core.failed_orders import Failure
from umpire_ledger.desk.core.game_session import GameSession
from umpire_ledger.desk.core.order_checks import Signer
from umpire_ledger.desk.core.order_ids import OrderIdUsed
from umpire_ledger.desk.orders.dry_run import Rehearsal
from umpire_ledger.desk.orders.dry_run_session import DryRunSession, NeedsRecordedHistory
from umpire_ledger.desk.orders.file_lines import FileLines, SkippedLine
from umpire_ledger.desk.orders.resume_file import OrderLine
from umpire_ledger.desk.orders.sessions import open_session
from umpire_ledger.domain.game.errors import DomainError, RuleViolation
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.errors import CommitUnknown, LedgerError

BATCH = 16
"""Number of orders recorded in one transaction, because a flush costs the same for one as for many."""


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """The result of playing an order file."""

    orders: int
    """Number of recorded orders."""
    repeated: int
    """Number of further orders whose order id was known."""
    position: int
    """Position of the last record of the game."""
    where: str
    """The current step."""
    stood: int = 0
    """Number of orders that the game had recorded from this file before."""
    stood_to: int = 0
    """Line number of the last order that the game had recorded before."""
    other_dice: bool = False
    """Whether it was a dry run with other dice than the game's."""
    skipped: tuple[SkippedLine, ...] = ()
    """The lines of the orders that were recorded before."""


def on_what_was_seen(sitting: GameSession, seen: int, lines: Iterable[OrderLine], hand: str) -> Iterator[OrderLine]:
    """Verify that the game has not grown, and return the same lines.

    Raises:
        PositionConflict: When it has grown, unless the first line repeats a recorded order.
    """
    coming = iter(lines)
    first = list(islice(coming, 1))
    if not any(_is_repetition(sitting, raw, hand) for _, raw in first):
        sitting.verify_nothing_came(seen, hand)
    return chain(first, coming)


def _is_repetition(sitting: GameSession, raw: Mapping[str, Any], hand: str) -> bool:
    with suppress(RuleViolation):  # an order of another seat is refused when its line is read
        return sitting.is_repetition(authored(raw, hand))
    return False


def play_lines(
    ledger: Ledger[Game],
    game_id: str,
    lines: Iterable[OrderLine],
    name: str,
    *,
    hand: str = REFEREE,
    check: bool = False,
    signer: Signer | None = None,
) -> Played:
    """Play numbered lines into a game in batches; with `check`, try them and record nothing.

    If a line is refused, its error names the line, and the lines before it are recorded.

    Args:
        hand: The seat that gives the orders. The referee may enter orders of others; their records have `entered_by`.
        signer: Signs the orders if that seat has a key.
    """
    if check:
        return _try_lines(ledger, game_id, list(lines), name, hand)
    return _play_lines(open_session(ledger, game_id, batch=BATCH, signer=signer), lines, name, hand)


def play_file(
    ledger: Ledger[Game],
    game_id: str,
    lines: Iterable[OrderLine],
    file: Path,
    *,
    hand: str = REFEREE,
    check: bool = False,
    first: int = 1,
    again: bool = False,
    resume: bool = False,
    stream: bool = False,
    signer: Signer | None = None,
) -> Played:
    """Play the lines of a file into a game; skip and list the orders that the game has recorded from it before.

    Args:
        first: The line to begin with; lines before it are neither played nor compared.
        again: Play the whole file as if it were another one.
        resume: Continue a file that was renamed or moved.
        stream: Play all lines, because they come from standard input or another stream; recognize only order ids.

    Raises:
        RuleViolation: When a line is refused, the file differs from the orders recorded from it, or it may be another
            file.
        WrongUse: When `first` is after the last order.
    """
    sitting = (
        None if check else open_session(ledger, game_id, batch=BATCH, signer=signer)
    )  # opened first, to notice other writers
    source = FileLines(ledger, game_id, lines, file, hand, first)
    new = source.all() if stream else source.all_again() if again else source.new(resume=resume)
    if sitting:
        played = _play_lines(sitting, new, file.name, hand)
    else:
        played = _try_lines(ledger, game_id, list(new), file.name, hand)
    skipped = tuple(sorted((*source.skipped, *played.skipped), key=lambda one: one.line))
    stood = [one.line for one in source.skipped]
    return msgspec.structs.replace(played, stood=len(stood), stood_to=max(stood, default=0), skipped=skipped)


def _try_lines(ledger: Ledger[Game], game_id: str, lines: Sequence[OrderLine], name: str, hand: str) -> Played:
    try:
        return _rehearse(DryRunSession(ledger, game_id), lines, name, hand)
    except NeedsRecordedHistory:
        with ledger.tried(game_id) as trial:
            return _rehearse(Rehearsal(trial, game_id, batch=BATCH), lines, name, hand)


def _rehearse(sitting: Rehearsal, lines: Sequence[OrderLine], name: str, hand: str) -> Played:
    played = _play_lines(sitting, lines, name, hand, kept="accepted")
    return msgspec.structs.replace(played, other_dice=sitting.has_thrown)


def _play_lines(
    sitting: GameSession, lines: Iterable[OrderLine], name: str, hand: str, *, kept: str = "recorded"
) -> Played:
    orders = 0
    given: list[_GivenLine] = []
    repeated: dict[int, int] = {}

    def where() -> str:
        return place_words(sitting.game)

    with between_orders() as stopped, _told_how_far(sitting, given):
        try:
            for number, raw in _naming_rest(lines, kept):
                if stopped():
                    raise KeyboardInterrupt
                given.append(_GivenLine(raw.get("id"), number, orders))
                with _line_named(name, given, kept):
                    answer = sitting.order(authored(raw, hand, where))
                if answer.repeated:
                    repeated[number] = answer.records[0].position if answer.records else 0
                orders += 1
                if answer.failure is not None:
                    raise _not_carried_out(answer.failure, f"{name}, line {number} · {where()}", kept)
        finally:
            with _line_named(name, given, kept):
                sitting.flush()
    repeated |= {one.number: sitting.overtaken[one.order_id] for one in given if one.order_id in sitting.overtaken}
    return Played(
        orders=orders - len(repeated),
        repeated=len(repeated),
        position=sitting.size,
        where=where(),
        skipped=tuple(SkippedLine(line=line, position=at, reason="same id") for line, at in sorted(repeated.items())),
    )


class _GivenLine(NamedTuple):
    """A played line: the id of its order, its number, and the number of orders before it."""

    order_id: Any
    number: int
    before: int


@contextmanager
def _told_how_far(sitting: GameSession, given: Sequence[_GivenLine]) -> Iterator[None]:
    """If the store fails, add the number of recorded orders of the file to the error."""
    try:
        yield
    except CommitUnknown as error:
        lines = [str(line.number) for line in given if line.order_id in error.order_ids]
        which = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}" if lines else "the next"
        again = "play the file again, without --again: an order that was recorded is not recorded twice"
        known = f"{_are(sitting.recorded, ' of the file')} recorded, and the outcome of {which} is unknown"
        error.remedy = f"{again if lines else error.remedy} ({known})"
        raise
    except LedgerError as error:
        error.remedy = f"{error.remedy} ({_are(sitting.recorded, ' of the file')} recorded; the rest are not)"
        raise


@contextmanager
def _line_named(name: str, given: Sequence[_GivenLine], kept: str) -> Iterator[None]:
    """Add the file's line to a refusal, and say whether the other lines were recorded.

    The orders of a batch are recorded together, so a duplicate id may belong to a line before the last one read.
    """
    try:
        yield
    except DomainError as error:
        about = (line for line in given if isinstance(error, OrderIdUsed) and line.order_id == error.order_id)
        line = next(about, given[-1])
        error.where = f"{name}, line {line.number} · {error.where}".rstrip(" ·")
        error.remedy = f"{error.remedy} ({_before(line.before, kept)}this one and the rest are not)"
        raise


def _naming_rest(lines: Iterable[OrderLine], kept: str) -> Iterator[OrderLine]:
    """Yield the lines; if one cannot be read, add to the refusal whether the others are recorded."""
    given = 0
    try:
        for given, one in enumerate(lines, 1):  # noqa: B007 -- how many, when it breaks off
            yield one
    except RuleViolation as error:
        error.remedy = f"{error.remedy} ({_before(given, kept)}this one and the rest are not)"
        raise


def _not_carried_out(failure: Failure, where: str, kept: str) -> DomainError:
    """Return the error of a line that failed after its roll: the file stops there, but the roll is recorded."""
    error = failure.error(where)
    error.remedy = f"{error.remedy} (this line and those before it are {kept}; the rest are not)"
    return error


def _before(number: int, kept: str) -> str:
    """Return a phrase for the orders before a refused line."""
    return f"{'the ' if number else ''}{_are(number, ' before it')} {kept}, "


def _are(number: int, which: str = "") -> str:
    """Return a count with its verb: `1 order before it is`, `no orders before it are`."""
    return f"{counted(number, 'order') if number else 'no orders'}{which} {'is' if number == 1 else 'are'}"


@contextmanager
def between_orders() -> Iterator[Callable[[], bool]]:
    """Let the first Ctrl-C stop play between two orders, and a second one immediately."""
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
