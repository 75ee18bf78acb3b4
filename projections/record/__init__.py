"""One stored line and its words."""
