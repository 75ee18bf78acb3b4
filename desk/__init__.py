"""Provide every operation on a ledger of games: open, order, query, rewind, judge, export.

The facade is `desk.py`, `game.py`, `seat.py` and `position.py`. It builds on the services, and they build on `core`.
Nothing here prints or speaks HTTP.

Imports its own rooms and the rooms below the desk.
"""

if __name__ != "umpire_ledger.desk":  # a second import would make classes that are unequal to the first ones
    raise ImportError(f"{__name__} is a part of umpire_ledger: import umpire_ledger.{__name__}", name=__name__)
