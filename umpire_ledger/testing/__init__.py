"""Test kit for authors of titles: stories, random play, recorded replays, and promises, which every title must keep.

    from two_rivers import TITLE
    from umpire_ledger.testing import promises_of

    test_promise = promises_of(TITLE)

These lines are a complete test file for pytest. `umpire check-title two_rivers:TITLE` runs the same checks at the
command line. The kit is installed with Umpire, and works without pytest and without a clone of the repository. Of
Umpire's commands, only `umpire check-title` imports it.
"""

from umpire_ledger.testing.finding import BrokenPromiseError, Finding, PromiseVerdict, Verdict, verify
from umpire_ledger.testing.fixtures import folder_of, scenarios, titles
from umpire_ledger.testing.promises import PROMISES, Promise, promises_of, verdict, verdicts
from umpire_ledger.testing.random_play import NO_HISTORY, NO_PAST, Player, StuckError, opened
from umpire_ledger.testing.story import Story
from umpire_ledger.testing.title_under_test import Trial, trial_of

__all__ = [
    "NO_HISTORY",
    "NO_PAST",
    "PROMISES",
    "BrokenPromiseError",
    "Finding",
    "Player",
    "Promise",
    "PromiseVerdict",
    "Story",
    "StuckError",
    "Trial",
    "Verdict",
    "folder_of",
    "opened",
    "promises_of",
    "scenarios",
    "titles",
    "trial_of",
    "verdict",
    "verdicts",
    "verify",
]
