"""Raids, their answers, interception, decoys and designations.

Imports the kit and other rooms of this title.
"""
