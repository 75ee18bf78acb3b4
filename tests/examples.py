"""Choose the examples of property tests: the same in every run, or new examples in a search.

README's test command must not fail on an unchanged machine, so its examples depend only on the test, and no example has
a deadline. The thorough run (`thorough.py`) draws new random examples. A search draws N times as many:

    UMPIRE_EXAMPLES=20 python -m pytest -n auto tests/domain tests/ledger tests/projections tests/desk
"""

import os
from typing import Any

from hypothesis import HealthCheck, settings


def times() -> int:
    """Return the factor by which a search draws more examples; 0 in a run with fixed examples."""
    return int(os.environ.get("UMPIRE_EXAMPLES", "0"))


def examples(count: int = 100, **more: Any) -> settings:
    """Return the settings of a property test with `count` examples in a run with fixed ones."""
    return settings(
        max_examples=count * max(times(), 1),
        derandomize=not times(),
        database=None,
        deadline=None,
        print_blob=True,
        **{"suppress_health_check": (HealthCheck.too_slow,), **more},
    )
