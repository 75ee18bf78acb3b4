"""What people see instead of reading: the map. Pure functions of what a seat knows; nothing here reads a ledger."""
