"""Everything that can be done with a ledger of games: open, order, look, rewind, judge, export.

The facade is `desk.py`, `game.py`, `seat.py` and `position.py`; it builds on services, and these on `core`. Nothing
here prints or speaks HTTP.
"""
