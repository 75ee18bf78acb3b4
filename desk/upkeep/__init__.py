"""Doctor, database administration and the file of read models.

Imports `desk/core`, `desk/orders`, `desk/logs` and the rooms below the desk.
"""
