"""Declare a sequence of play with `constructs` and `conditions`, index it in `plan`, and find `frames` of a cursor."""
