"""Plain data for all rooms: events, the game state and its evolution, orders, errors, dice, and scenarios.

Imports nothing else of Umpire.
"""
