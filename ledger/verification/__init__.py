"""Checking a log record by record, and a game where it is stored.

Imports `ledger/records`, `ledger/merkle` and `ledger/storage`.
"""
