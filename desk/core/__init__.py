"""An open ledger and an open game: ids, session, outcomes, read models. The services and the facade build on it.

Imports the rooms below the desk, and no service.
"""
