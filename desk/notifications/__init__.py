"""Find the notifications that are due, send them, and store their delivery."""
