"""How the remedy of a faulty scenario begins: it says what to write, or which names there are."""

REMEDIES = (
    "write ",
    "mend this entry",
    "did you mean ",
    "it has: ",
    "tables of this ",
    "the last hex is ",
    "name one of: ",
    "give every ",
)
