"""What anybody may do with a ledger of games: open, order, look, rewind, judge, export. Prints nothing, no HTTP."""

EDITION = "0.2.0"
"""The program's version; a test holds it against `pyproject.toml`. Turn views stored by another one are made anew."""
