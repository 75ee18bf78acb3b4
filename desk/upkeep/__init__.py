"""Diagnose a ledger, administer its database and describe its file of read models.

Imports `desk/core`, `desk/orders`, `desk/logs` and the rooms below the desk.
"""
