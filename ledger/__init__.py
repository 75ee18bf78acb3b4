"""The append-only log: records, their hashes, the stores, replay files. Knows no game."""
