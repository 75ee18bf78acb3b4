"""Prerequisites and dependents of a record.

May import `projections/questions` and the packages that `projections/questions` may import.
"""
