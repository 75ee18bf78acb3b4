"""Turn orders into events: decide, end several steps, open a game, amend, rule, and suggest orders.

Imports `domain/game`, `domain/sequence`, `domain/kit`, `domain/flow` and `domain/history`.
"""
