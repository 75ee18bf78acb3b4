"""Phases 1 to 2 and repairs: income, production, deployment, reserves.

Imports the kit and other rooms of this title.
"""
