"""Stored records and their text.

Imports `domain/game`, `domain/kit` and all of the ledger.
"""
