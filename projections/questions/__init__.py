"""Queries that return one answer.

Imports `projections/record`, `projections/tables`, `domain/game`, `domain/sequence`, `domain/kit`, `domain/flow`,
`domain/history`, `domain/play` and all of the ledger.
"""
