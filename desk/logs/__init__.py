"""Export, import, proofs, archive, and the standalone verifier.

Imports `desk/core`, `desk/signing` and the rooms below the desk.
"""
