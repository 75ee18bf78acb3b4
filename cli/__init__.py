"""The way in: `umpire …`. Parses, calls, prints; no rule of a game and no SQL here."""

EDITION = "0.1.0"
"""The program's version; a test holds it against `pyproject.toml`. Turn views stored by another one are made anew."""
