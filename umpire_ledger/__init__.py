"""Umpire: an event-sourced ledger for referees of board wargames."""
