"""Reports for people.

Imports `projections/record`, `projections/tables`, `projections/questions`, `domain/game`, `domain/sequence`,
`domain/kit`, `domain/flow`, `domain/history` and all of the ledger.
"""
