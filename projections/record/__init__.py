"""Stored records and their text."""
