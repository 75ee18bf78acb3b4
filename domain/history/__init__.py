"""Decide orders that read the log: rewinds and their targets, reused rolls, consent, disputes, and seals.

Imports `domain/game`, `domain/sequence` and `domain/kit`.
"""
