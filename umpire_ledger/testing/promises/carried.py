"""Check that units aboard, in tow or in a stack stay with their carrier, in every order that moves or removes it."""

from collections.abc import Iterator

from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.left_behind import left_behind
from umpire_ledger.testing.run import CARRIED, GOES_ALONG
from umpire_ledger.testing.title_under_test import Trial


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield the findings of random play after each order, then the first finding of each kind in recorded games."""
    for seen in (trial.observed, *trial.own_games):
        yield from seen.findings.get(CARRIED, ())
        found: set[str] = set()
        for left in (left for start in seen.starts for left in left_behind(seen.title, start.game)):
            if left.about not in found:
                found.add(left.about)
                yield Finding(what=f"in a recorded game {left.what}", remedy=GOES_ALONG, about=left.about)
