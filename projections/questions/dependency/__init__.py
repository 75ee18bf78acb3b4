"""What a record depended on, and what depends on it.

Imports `projections/questions` and what that imports.
"""
