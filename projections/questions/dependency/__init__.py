"""Prerequisites and dependents of a record.

Imports `projections/questions` and what that imports.
"""
