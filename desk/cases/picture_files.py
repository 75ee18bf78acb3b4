"""Name the pictures of a case file."""

BEFORE, AFTER, DICE = "map-before.svg", "map-after.svg", "dice.svg"
