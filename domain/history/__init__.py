"""Decide orders that read the log: rewinds and their targets, reused dice, consent, disputes, seals."""
