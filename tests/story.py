"""Stories moved: `umpire_ledger.testing.story`."""

from umpire_ledger.testing.story import *  # noqa: F403 -- until the last test imports it from there
