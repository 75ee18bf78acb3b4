"""Carried: who is aboard, in tow or in a stack goes along with its carrier, by every order that moves or removes it."""

from collections.abc import Iterator

from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.left_behind import left_behind
from umpire_ledger.testing.run import CARRIED, GOES_ALONG
from umpire_ledger.testing.trial import Trial


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield what random play noted after each order, then the first position of a recorded game."""
    for seen in (trial.observed, *trial.own_games):
        yield from seen.findings.get(CARRIED, ())
        recorded = (what for start in seen.starts for what in left_behind(seen.title, start.game))
        yield from (
            Finding(what=f"recorded: {what}", remedy=GOES_ALONG) for what, _ in zip(recorded, (1,), strict=False)
        )
