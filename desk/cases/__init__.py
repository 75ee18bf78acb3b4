"""Case folders for a second judge, and their check.

Imports `desk/core`, `desk/logs`, `desk/pictures` and the rooms below the desk.
"""
