"""Word the refusals about dice, the form of an order, tables and sealed choices."""

REFUSALS = {
    "no-such-face": ("a die of {limit} faces cannot show {given} ({purpose})", "give pips from 1 to {limit}"),
    "pips-missing": (
        "{purpose} needs {number}d{faces}, and {left}",
        "throw the dice and give them with the order: `--pips {pips}`, in JSON {as_json}{owners}",
    ),
    "too-many-pips": (
        "{unused} of {given} pips were not needed: {pips}",
        "give as many pips as the order rolls{kept}{owners}",
    ),
    "wrong-number-of-pips": (
        "{most}{limit} dice are asked for and {given}: {dice}",
        "give {most}{limit} pips in this order: {dice}",
    ),
    "dice-wait": ("the dice wait for the {what}{plural} of {missing}", "{remedy}"),
    "ledger-rolls": (
        "this game was opened with ledger dice: nobody may bring pips",
        "leave `pips` out; for dice thrown at the table open a game with `--dice table`",
    ),
    "modifiers-too-large": ("{dice} with modifiers of {total} may have a total beyond 2^53", "give smaller modifiers"),
    "no-such-order": (
        "there is no order {name!r}",
        "`umpire orders TITLE` lists them; at the prompt `?` says which fit now",
    ),
    "no-such-order-nearest": ("there is no order {name!r}", "try {near}"),
    "no-such-row": ("table {table} has no row for {total}", "tables of this scenario: {tables}"),
    "no-such-table": ("the scenario has no rows of a table {table}", "tables of this scenario: {tables}"),
    "not-dice": (
        "{dice!r} are no dice",
        "write for instance 2d6 or 1d10+1; at most {most_dice} dice of {most_faces} faces",
    ),
    "not-recordable": (
        "`{event}` cannot be recorded: {why}",
        "use whole numbers within ±(2^53 − 1), text, true, false or null; {lists}",
    ),
    "nothing-sealed": (
        "{side_has} sealed nothing for {question}",
        "seal it first: `seal-choice` with question {question}",
    ),
    "order-name-missing": (
        'the order has no name: "order" is missing',
        "`umpire orders TITLE` lists them; at the prompt `?` says which fit now",
    ),
    "order-name-missing-nearest": ('the order has no name: "order" is missing', "try {near}"),
    "sealed-already": ("{side_has} sealed {question} already", "reveal it first, or undo"),
    "sealed-choice-not-here": ("this copy does not hold what was sealed for {question}", "ask its owner's copy"),
    "seed-is-public": (
        "the seed of these dice is open: everybody knows what they would show",
        "go back to a position first: behind a rewind they are thrown from a new seed",
    ),
    "seed-not-here": (
        "this copy of the game does not hold the seed of its dice, so it cannot be played on",
        "play on in the ledger that opened the game, or let its keeper `export --whole`",
    ),
    "unreadable-order": ("{name}: {error}", "`umpire orders {title} {name}` shows what it takes"),
}
