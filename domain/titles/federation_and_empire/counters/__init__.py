"""Counters and what they show: traits, sizes, empires, turn facts.

Imports the kit and other rooms of this title.
"""
