"""What looks back on the log: rewinds and their targets, kept dice, consent, disputes, seals."""
