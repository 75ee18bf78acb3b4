"""Write maps, charts, the replay page and the situation report as files.

Imports `desk/core` and the rooms below the desk.
"""
