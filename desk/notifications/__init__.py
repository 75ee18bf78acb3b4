"""Find the notifications that are due, send them, and store their delivery.

Imports `desk/core`, `desk/games` and the rooms below the desk.
"""
