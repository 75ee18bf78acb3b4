"""Open new games, copy games, write scenario templates and import maps.

Imports `desk/core` and the rooms below the desk.
"""
