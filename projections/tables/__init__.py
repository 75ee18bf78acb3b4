"""The read models: their tables, their update and their queries."""
