"""Define the errors of the application layer, and the exit code of each.

Errors of the rules and of the ledger keep their own types (`domain.game.errors`, `ledger.records.errors`). Each has
`what`, `where` and `remedy` as attributes; those of the rules also have `rule`. `problem_of` returns any of them as
plain data.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any

import msgspec

from umpire_ledger.domain.game.errors import (
    DeclarationError,
    DomainError,
    NoSuchPosition,
    NoSuchTitle,
    RuleViolation,
    ScenarioError,
    TitleFault,
    UnknownName,
)
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.ledger.records.errors import (
    BrokenLedger,
    CannotBeWritten,
    CommitUnknown,
    GameExists,
    LedgerError,
    NoSuchGame,
    NoSuchRecord,
    PositionAhead,
    PositionConflict,
    StoreUnavailable,
)


class ExitCode(IntEnum):
    """The exit code of a command."""

    DONE = 0
    USAGE = 2
    """Wrong usage."""
    REFUSED = 3
    """Refused by the rules."""
    CONFLICT = 4
    """Another client wrote first."""
    BROKEN = 5
    """The log is broken or unverifiable."""
    UNKNOWN = 6
    """There is no such game, record or title."""
    STORE = 7
    """The store cannot be used."""
    TITLE = 8
    """A title is at fault; its author must fix it."""
    UNSENT = 9
    """A notice could not be sent."""
    INTERRUPTED = 130


DONE, USAGE, REFUSED, CONFLICT, BROKEN, UNKNOWN, STORE, TITLE, UNSENT, INTERRUPTED = ExitCode

EXPECTED = (DomainError, LedgerError)
"""Every error that a caller must handle; any other exception is a bug in Umpire."""


class NoSuchSeat(UnknownName):
    """The game has no seat of that name."""


class NotThere(DomainError):
    """The game has no unit, account, dispute or title order of that name."""


class WrongUse(DomainError):
    """The call is wrong: for example, a file cannot be read or written, or arguments exclude each other."""


class NotAuthorized(DomainError):
    """The caller has no invitation, or the invitation is not valid now."""


class NotSent(DomainError):
    """A notice was not delivered; it is sent again later. `stops`: the channel would fail for other notices, too."""

    def __init__(self, what: str, *, where: str, remedy: str, stops: bool = True) -> None:
        super().__init__(what, where=where, rule="notices", remedy=remedy)
        self.stops = stops


class DeliveryUnconfirmed(DomainError):
    """It is unknown whether a notice was delivered: it counts as sent until `umpire notices --again`."""

    def __init__(self, what: str, *, where: str) -> None:
        remedy = "check whether it arrived; `umpire notices --again` sends it again"
        super().__init__(what, where=where, rule="notices", remedy=remedy)


PerhapsSent = DeliveryUnconfirmed
"""Deprecated name of `DeliveryUnconfirmed`, kept for one release."""


class NotWitnessed(DomainError):
    """A witness did not cosign a checkpoint.

    Args:
        status: The status code of C2SP tlog-witness.
        size: The size that the witness has cosigned, if the checkpoint conflicts with it; else 0.
    """

    def __init__(self, what: str, *, where: str, remedy: str, status: int, size: int = 0) -> None:
        super().__init__(what, where=where, rule="witness", remedy=remedy)
        self.status = status
        self.size = size


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """An expected error as plain data."""

    error: str
    """The kind of error in one word, such as `refused`."""
    what: str
    """The fault in words."""
    where: str
    """The step of play, or the faulty part of the call."""
    rule: str
    """The rule that refused; "" for other errors."""
    remedy: str
    """The remedy in words."""
    code: int
    """The exit code of `umpire`."""
    refusal_code: str
    """The stable name of this fault; it stays the same when the words change."""
    fields: Mapping[str, Any]
    """The values that the words contain, by name."""


_KINDS: tuple[tuple[type[Exception], str, int], ...] = (
    (NoSuchPosition, "unknown", UNKNOWN),
    (RuleViolation, "refused", REFUSED),
    (NoSuchTitle, "unknown", UNKNOWN),
    (NotThere, "unknown", UNKNOWN),
    (TitleFault, "title-fault", TITLE),
    (ScenarioError, "usage", USAGE),
    (WrongUse, "usage", USAGE),
    (NotAuthorized, "not-let-in", USAGE),
    (NotWitnessed, "not-witnessed", BROKEN),
    (NotSent, "not-sent", UNSENT),
    (DeliveryUnconfirmed, "perhaps-sent", UNSENT),
    (DeclarationError, "refused", REFUSED),
    (PositionAhead, "position-ahead", CONFLICT),
    (PositionConflict, "somebody-wrote-first", CONFLICT),
    (NoSuchGame, "unknown", UNKNOWN),
    (NoSuchRecord, "unknown", UNKNOWN),
    (GameExists, "usage", USAGE),
    (CannotBeWritten, "usage", USAGE),
    (BrokenLedger, "broken", BROKEN),
    (CommitUnknown, "commit-unknown", STORE),
    (StoreUnavailable, "store", STORE),
)


def problem_of(error: Exception) -> Problem:
    """Return an expected error as plain data.

    Raises:
        TypeError: When the error is not among `EXPECTED`.
    """
    kind, code = next(((kind, code) for cls, kind, code in _KINDS if isinstance(error, cls)), ("", 0))
    if not kind:
        raise TypeError(f"{type(error).__name__} is not among EXPECTED") from error
    where, rule, remedy = (str(getattr(error, part, "")) for part in ("where", "rule", "remedy"))
    named, fields = (error.code, error.fields) if isinstance(error, DomainError) else (kind, {})
    what = str(getattr(error, "what", error))
    return Problem(
        error=kind,
        what=what,
        where=where,
        rule=rule,
        remedy=remedy,
        code=code,
        refusal_code=named,
        fields=fields,
    )


MOST_NAMED = 12
"""Maximum number of names that a refusal lists if no name is similar."""


def no_such_seat(seat: str, known: Iterable[str], where: str = "seats") -> NoSuchSeat:
    """Return the refusal of an unknown seat."""
    remedy = f"name one of: {', '.join(known)}"
    return NoSuchSeat(f"there is no seat {seat}", where=where, rule="seats", remedy=remedy)


def not_there(kind: str, name: str, known: Iterable[str], where: str) -> NotThere:
    """Return the refusal of a name that a game does not have; its remedy suggests similar names, or lists some."""
    names = list(known)
    near = nearest(name, names)
    listed = f"{', '.join(names[:MOST_NAMED]) or 'none'}{', …' if len(names) > MOST_NAMED else ''}"
    remedy = f"did you mean {' or '.join(near)}?" if near else f"name one of: {listed}"
    rule = f"names of existing {' and '.join(map(_several, kind.split(' or ')))}"
    return NotThere(f"there is no {kind} {name}", where=where, rule=rule, remedy=remedy)


def _several(kind: str) -> str:
    """Return the plural of a kind: `units`, `kinds of record`."""
    thing, of, more = kind.partition(" of ")
    return f"{thing}s{of}{more}"


def no_such_game(game_id: str, known: Iterable[str]) -> NoSuchGame:
    """Return the refusal of a game that the ledger does not have; its remedy suggests similar names."""
    near = nearest(game_id, known)
    return NoSuchGame(
        game=game_id, remedy=f"did you mean {' or '.join(near)}?" if near else "`umpire games` lists them"
    )
