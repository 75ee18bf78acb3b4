"""The way in: `umpire …`. Parses, calls, prints; no rule of a game and no SQL here."""
