"""Write and check case folders for a second judge.

Imports `desk/core`, `desk/logs`, `desk/pictures` and the rooms below the desk.
"""
