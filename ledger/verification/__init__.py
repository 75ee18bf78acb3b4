"""Check a log record by record, and a game in its store.

Imports `ledger/records`, `ledger/merkle` and `ledger/storage`.
"""
