"""Provide the parts of a title, and the changes that every title writes."""
