"""Checks of a log beyond its hashes: dice, shares, sealed orders, table lookups, inconsistent events.

Imports `projections/questions` and what that imports.
"""
