"""What a sequence of play is declared with: `constructs` and `conditions`, indexed by `plan`; `frames` of a cursor."""
