"""The engine: asking conditions, gates, movement, instants, the walk, the static checks."""
