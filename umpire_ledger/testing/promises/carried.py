"""Carried: who is aboard, in tow or in a stack goes along with its carrier, by every order that moves or removes it."""

from collections.abc import Iterator

from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.left_behind import left_behind
from umpire_ledger.testing.run import CARRIED, GOES_ALONG
from umpire_ledger.testing.title_under_test import Trial


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield what random play noted after each order, then what stands in recorded games; the first of each sort."""
    for seen in (trial.observed, *trial.own_games):
        yield from seen.findings.get(CARRIED, ())
        found: set[str] = set()
        for left in (left for start in seen.starts for left in left_behind(seen.title, start.game)):
            if left.about not in found:
                found.add(left.about)
                yield Finding(what=f"in a recorded game {left.what}", remedy=GOES_ALONG, about=left.about)
