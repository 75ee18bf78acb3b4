"""Report findings about a title, and a verdict for each promise."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from umpire_ledger.domain.game.verb_agreement import counted

State = Literal["held", "broken", "not asked"]


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A case in which a promise does not hold.

    `about`: the order, fact, step or table concerned; an exception is declared under this name. `seed` and `number`:
    the random game, and the number of orders before. `order`: as JSON. `refusals`: of the orders that were tried last.
    `reason`: why it is an exception, if one is declared.
    """

    what: str
    remedy: str
    about: str = ""
    differs: str = ""
    order: str = ""
    seed: int | None = None
    number: int = 0
    reason: str = ""
    refusals: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return the finding for a person; the first line is the summary."""
        parts = (
            ("order", self.order),
            ("seed", "" if self.seed is None else f"{self.seed}, after {counted(self.number, 'order')}"),
            ("differs", self.differs),
            *(("refused", refusal) for refusal in self.refusals),
            ("do", self.remedy),
            ("excepted", self.reason),
        )
        return [self.what, *(f"  {name + ':':10}{text}" for name, text in parts if text)]


class PromiseVerdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on one promise for one title. `why`: the reason if it was not checked. `excepted`: declared
    exceptions.
    """

    promise: str
    words: str
    state: State
    why: str = ""
    findings: tuple[Finding, ...] = ()
    excepted: tuple[Finding, ...] = ()

    def text(self) -> str:
        """Return the verdict in a line, and its findings below it, for a person."""
        said = f"{self.state.upper() if self.state == 'broken' else self.state:10}{self.promise:20}{self.words}"
        lines = [f"{said} ({self.why})" if self.why else said]
        for finding in (*self.findings, *self.excepted):
            lines += [f"{'':10}{line}" for line in finding.lines()]
        return "\n".join(lines)


Verdict = PromiseVerdict
"""Deprecated name of `PromiseVerdict`, kept for one release."""


class BrokenPromiseError(AssertionError):
    """A promise does not hold for a title; the message lists the findings."""


def verify(verdicts: Iterable[PromiseVerdict]) -> None:
    """Check that no verdict is broken.

    Raises:
        BrokenPromiseError: When one is; the text lists all of them.
    """
    broken = [verdict.text() for verdict in verdicts if verdict.state == "broken"]
    if broken:
        raise BrokenPromiseError("\n" + "\n".join(broken))
