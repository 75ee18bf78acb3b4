"""Expected errors as a message of four parts and an exit code; anything else is our bug and may crash.

0 done · 2 wrong usage · 3 refused by the rules · 4 somebody else wrote first · 5 broken or unverifiable log
6 no such game, record or title · 7 the store cannot be used · 8 a title is at fault, its author must mend it
130 interrupted
"""

import click
import msgspec

from umpire_ledger.domain.game.errors import (
    DeclarationError,
    DomainError,
    NoSuchPosition,
    NoSuchTitle,
    RuleViolation,
    ScenarioError,
    TitleFault,
)
from umpire_ledger.ledger.errors import (
    BrokenLedger,
    CannotBeWritten,
    GameExists,
    LedgerError,
    NoSuchGame,
    NoSuchRecord,
    SomebodyWroteFirst,
    StoreUnavailable,
)

DONE, USAGE, REFUSED, SOMEBODY_ELSE, BROKEN, UNKNOWN, STORE, TITLE, INTERRUPTED = 0, 2, 3, 4, 5, 6, 7, 8, 130

EXPECTED = (DomainError, LedgerError)

_KINDS: tuple[tuple[type[Exception], str, int], ...] = (
    (NoSuchPosition, "unknown", UNKNOWN),
    (RuleViolation, "refused", REFUSED),
    (NoSuchTitle, "unknown", UNKNOWN),
    (TitleFault, "title-fault", TITLE),
    (ScenarioError, "usage", USAGE),
    (DeclarationError, "refused", REFUSED),
    (SomebodyWroteFirst, "somebody-wrote-first", SOMEBODY_ELSE),
    (NoSuchGame, "unknown", UNKNOWN),
    (NoSuchRecord, "unknown", UNKNOWN),
    (GameExists, "usage", USAGE),
    (CannotBeWritten, "usage", USAGE),
    (BrokenLedger, "broken", BROKEN),
    (StoreUnavailable, "store", STORE),
)


class Refusal(click.ClickException):
    """An expected error on its way to the terminal."""

    def __init__(self, error: str, code: int, *, what: str, where: str, rule: str, remedy: str) -> None:
        super().__init__(what)
        self.error = error
        self.code = code
        self.what = what
        self.where = where
        self.rule = rule
        self.remedy = remedy
        self.traceback = ""  # shown to authors who ask for it with `--debug`

    def text(self) -> str:
        """The four parts, one a line."""
        parts = (("at:  ", self.where), ("rule:", self.rule), ("do:  ", self.remedy))
        lines = [f"Error: {self.what}", *(f"  {name} {part}" for name, part in parts if part)]
        return self.traceback + "\n".join(lines)

    def json(self) -> str:
        """The same as one JSON object."""
        parts = {"error": self.error, "what": self.what, "where": self.where, "rule": self.rule, "remedy": self.remedy}
        traced = {"traceback": self.traceback} if self.traceback else {}
        return msgspec.json.encode({**parts, **traced}).decode()


def refusal_of(error: Exception) -> Refusal:
    """What a person is told about an expected error."""
    kind, code = next((kind, code) for cls, kind, code in _KINDS if isinstance(error, cls))
    return Refusal(
        kind,
        code,
        what=getattr(error, "what", str(error)),
        where=getattr(error, "where", ""),
        rule=getattr(error, "rule", ""),
        remedy=getattr(error, "remedy", ""),
    )


def usage(what: str, *, where: str = "", remedy: str = "") -> Refusal:
    """Wrong usage: a file that is not there, JSON that is none."""
    return Refusal("usage", USAGE, what=what, where=where, rule="", remedy=remedy)
