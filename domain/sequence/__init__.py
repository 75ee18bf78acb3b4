"""Declare a sequence of play (`constructs`, `conditions`), index it (`plan`), and find the cursor's `frames`.

Imports `domain/game`.
"""
