"""All SQL of the ledger: SQLite, PostgreSQL, memory, refusal log, metadata, backup, health.

Imports `ledger/records` and `ledger/merkle`.
"""
