"""A record and its bytes: envelope, limits, errors, verdict, findings, places of ledgers.

Imports nothing else of Umpire.
"""
