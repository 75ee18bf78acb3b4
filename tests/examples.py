"""Choose the examples of property tests: the same in every run, or new ones in a search.

README's test command must not fail on a machine where nothing changed, so its examples depend on the test alone, and
no example has a deadline. A search draws its examples by chance, N times as many of them:

    UMPIRE_EXAMPLES=20 python -m pytest -n auto tests/domain tests/ledger tests/projections tests/desk
"""

import os
from typing import Any

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("UMPIRE_EXAMPLES", "0"))
"""How many times as many examples a search draws; 0 in a run with fixed examples."""


def examples(count: int = 100, **more: Any) -> settings:
    """Return the settings of a property test with so many examples in a run with fixed ones."""
    return settings(
        max_examples=count * max(TIMES, 1),
        derandomize=not TIMES,
        database=None,
        deadline=None,
        print_blob=True,
        **{"suppress_health_check": (HealthCheck.too_slow,), **more},
    )
