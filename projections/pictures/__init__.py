"""Draw the map, charts, dice and replay pages with pure functions of a seat's knowledge; none reads a ledger.

Imports `projections/record`, `projections/questions` and `domain/game`.
"""
