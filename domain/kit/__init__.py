"""Provide the parts of which a title is made, and the changes that every title records.

Imports `domain/game` and `domain/sequence`.
"""
