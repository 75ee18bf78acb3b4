"""The sequence of play: `words` declares one, `plan` indexes it, `walk` moves along it, `checks` finds its faults."""
