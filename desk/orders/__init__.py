"""Read typed orders and order files; provide forms, examples, completion, previews and dry runs.

Imports `desk/core`, `desk/signing` and the rooms below the desk.
"""
