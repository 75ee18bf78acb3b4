"""Questions that have one answer."""
