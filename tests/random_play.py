"""Random play moved: `umpire_ledger.testing`."""

from umpire_ledger.testing.fixtures import *  # noqa: F403 -- until the last test imports it from there
from umpire_ledger.testing.random_play import *  # noqa: F403 -- as above
