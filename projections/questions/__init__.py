"""Queries that return one answer."""
