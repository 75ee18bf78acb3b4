"""List the first words of remedies for a faulty scenario: the text to write, or the names to choose from."""

REMEDIES = (
    "write ",
    "fix this entry",
    "did you mean ",
    "it has: ",
    "tables of this ",
    "the last hex is ",
    "name one of: ",
    "give every ",
)
