"""List games; provide quick status, invitations, read marks, the record stream and the spectator view.

Imports `desk/core` and the rooms below the desk.
"""
