"""Checks of a log beyond its hashes: dice, shares, sealed orders, table lookups, inconsistent events.

May import `projections/questions` and the packages that `projections/questions` may import.
"""
