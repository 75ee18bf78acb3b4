"""A record and its bytes: envelope, limits, errors, verdict, findings, places.

Imports nothing else of Umpire.
"""
