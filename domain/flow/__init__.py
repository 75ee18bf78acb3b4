"""Move play through a title's sequence: admission of orders, conditions, moves, triggers, and static checks.

Imports `domain/game`, `domain/sequence` and `domain/kit`.
"""
