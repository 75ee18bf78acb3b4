"""Combat: forces, rounds, damage, losses, retreat, pursuit.

Imports the kit and other rooms of this title.
"""
