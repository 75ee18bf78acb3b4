"""Suggested orders for random play and completion, by part of the turn.

Imports the kit and other rooms of this title.
"""
