"""Provide keys, signatures, checkpoints, witnesses and share files.

Imports `desk/core` and the rooms below the desk.
"""
