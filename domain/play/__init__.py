"""Turn orders into events: decide, end several steps, open a game, amend, rule, and suggest orders."""
