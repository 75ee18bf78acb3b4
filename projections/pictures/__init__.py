"""Draw the map, charts, dice and replay pages. Pure functions of what a seat knows; none reads a ledger."""
