"""Maps, charts, replay page and situation report as files.

Imports `desk/core` and the rooms below the desk.
"""
