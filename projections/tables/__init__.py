"""The read models: their tables, their update and their queries.

Imports `projections/record`, `domain/game`, `domain/sequence`, `domain/kit`, `domain/flow`, `domain/history` and all of
the ledger.
"""
