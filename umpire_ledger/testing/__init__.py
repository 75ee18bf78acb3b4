"""The test kit for authors of titles: stories, random play, recorded replays, and the promises that every title keeps.

It is installed with Umpire and needs neither pytest nor a clone. Nothing else of Umpire imports it but `umpire check`.
"""

from umpire_ledger.testing.fixtures import folder_of, scenarios, titles
from umpire_ledger.testing.random_play import NO_PAST, Player, StuckError, opened
from umpire_ledger.testing.story import Story

__all__ = [
    "NO_PAST",
    "Player",
    "Story",
    "StuckError",
    "folder_of",
    "opened",
    "scenarios",
    "titles",
]
