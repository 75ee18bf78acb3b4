"""Run the contract checks on every title of this repository, and on Two Rivers, which is a separate package.

`umpire_ledger.testing` defines the checks. Authors of other titles write the same test.
"""

import sys
from pathlib import Path

from tests.face.domain import load
from umpire_ledger.testing import Trial, promises_of, titles

SITE = Path(__file__).parent / "titles" / "two_rivers"


def two_rivers() -> Trial:
    """Return the title Two Rivers from its folder; its package is not installed, so that other tests do not find it."""
    sys.path.insert(0, str(SITE))
    try:
        return Trial(load("two_rivers:TITLE"), reference="two_rivers:TITLE")
    finally:
        sys.path.remove(str(SITE))


INSTALLED = titles()
test_promise = promises_of(*INSTALLED, *([] if any(one.id == "two-rivers" for one in INSTALLED) else [two_rivers()]))
