"""The promises, held against every title of this repository, and against Two Rivers, a package of its own.

What they are and how they are asked is in `umpire_ledger.testing`; the author of a title elsewhere writes the same.
"""

import sys
from pathlib import Path

from umpire_ledger.domain.titles import load
from umpire_ledger.testing import Trial, promises_of, titles

SITE = Path(__file__).parent / "titles" / "two_rivers"


def two_rivers() -> Trial:
    """The title as it lies there; its package is not installed, and nothing else of these tests may find it."""
    sys.path.insert(0, str(SITE))
    try:
        return Trial(load("two_rivers:TITLE"), reference="two_rivers:TITLE")
    finally:
        sys.path.remove(str(SITE))


INSTALLED = titles()
test_promise = promises_of(*INSTALLED, *([] if any(one.id == "two-rivers" for one in INSTALLED) else [two_rivers()]))
