"""Report findings about a title, and a verdict for each promise."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from umpire_ledger.domain.game.verb_agreement import counted

State = Literal["held", "broken", "not asked"]


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A case in which a promise does not hold.

    `about`: the order, fact, step or table concerned, which is also the name for declaring an exception. `seed`,
    `number`: the random game, and the number of its orders before the finding. `order`: the order as JSON. `refusals`:
    the refusals of the orders that were tried last. `reason`: the reason of a declared exception.
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
        """Return the finding as readable lines; the first line is the summary."""
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
    """The verdict on one promise for one title. `why`: the reason if it was not checked.

    `excepted`: the findings for which exceptions are declared.
    """

    promise: str
    words: str
    state: State
    why: str = ""
    findings: tuple[Finding, ...] = ()
    excepted: tuple[Finding, ...] = ()

    def text(self) -> str:
        """Return the verdict as one readable line, with its findings below it."""
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
    """Check that no promise is broken.

    Raises:
        BrokenPromiseError: When a promise is broken; the message lists all broken promises.
    """
    broken = [verdict.text() for verdict in verdicts if verdict.state == "broken"]
    if broken:
        raise BrokenPromiseError("\n" + "\n".join(broken))
