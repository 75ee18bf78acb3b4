"""Name the program's version, by which stored turn views are recognized."""

EDITION = "0.3.0"
"""The program's version; a test compares it with `pyproject.toml`. Turn views of another version are computed again."""
