"""Notifications: which are due, how each is sent, and what was delivered.

Imports `desk/core`, `desk/games` and the rooms below the desk.
"""
