"""Export, import, prove and archive games; provide the standalone verifier.

Imports `desk/core`, `desk/signing` and the rooms below the desk.
"""
