"""The list of games, quick status, invitations, read marks, record stream and spectator view.

Imports `desk/core` and the rooms below the desk.
"""
