"""The sequence of play: `words` declares one, `plan` indexes it, `walk` moves along it, `checks` finds its faults.

`conditions` are data, `asking` puts them to a game; `moving` holds the movements, `frames` what the cursor remembers,
`instants` what comes in between; `page` prints a sequence.
"""
