"""The way of one order: decide, leave a step, open a game, amend, rule; and candidates worth trying."""
