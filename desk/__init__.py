"""Offer everything that can be done with a ledger of games: open, order, query, rewind, judge, export.

The facade is `desk.py`, `game.py`, `seat.py` and `position.py`; it builds on services, and these on `core`. Nothing
here prints or speaks HTTP.
"""

if __name__ != "umpire_ledger.desk":  # a second copy of each class would be made, equal to none of the first
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
