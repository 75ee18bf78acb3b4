"""New games, copies of games, scenario templates and imported maps.

Imports `desk/core` and the rooms below the desk.
"""
