"""Word the refusals about dice, the form of an order, tables and sealed choices."""

REFUSALS = {
    "no-such-face": ("a die with {limit:face} cannot show {given} ({purpose})", "give results from 1 to {limit}"),
    "pips-missing": (
        "{purpose} needs {number}d{faces}, and {left}",
        "roll the dice, then add the results to the order: `--pips {pips}`, in JSON {as_json}{owners}",
    ),
    "too-many-pips": (
        "this order does not need {unused} of the {given:dice result}: {pips}",
        "give one result for each die that the order rolls{kept}{owners}",
    ),
    "wrong-number-of-pips": (
        "this order rolls {most}{limit:die}, but {given}: {dice}",
        "give {most}{limit:result} in this sequence: {dice}",
    ),
    "dice-wait": ("the dice need the {what}{plural} of {missing}", "{remedy}"),
    "ledger-rolls": (
        "Umpire rolls the dice of this game, so an order cannot bring dice results",
        "leave out `pips`; for dice rolled at the table open a game with `--dice table`",
    ),
    "modifiers-too-large": ("{dice} with modifiers of {total} can have a total above 2^53", "give smaller modifiers"),
    "no-such-order": (
        "there is no order {name!r}",
        "list the orders: `umpire orders TITLE`; at the prompt, `?` shows those that are possible now",
    ),
    "no-such-order-nearest": ("there is no order {name!r}", "try {near}"),
    "no-such-row": ("table {table} has no row for {total}", "tables of this scenario: {tables}"),
    "no-such-table": ("the scenario has no table {table}", "tables of this scenario: {tables}"),
    "not-dice": (
        "{dice!r} is not a dice notation",
        "write, for example, 2d6 or 1d10+1; at most {most_dice:die} with {most_faces:face}",
    ),
    "not-recordable": (
        "`{event}` cannot be recorded: {why}",
        "use whole numbers within ±(2^53 − 1), text, true, false or null; {lists}",
    ),
    "no-such-seat": ("there is no seat {seat}", "{do} one of: {known}"),
    "no-such-side": ("there is no side {side}", "name one of: {known}"),
    "nothing-sealed": (
        "{side_has} not sealed a choice for {question}",
        "seal it first: `seal-choice` with question {question}",
    ),
    "order-name-missing": (
        'the order has no name: "order" is missing',
        "list the orders: `umpire orders TITLE`; at the prompt, `?` shows those that are possible now",
    ),
    "order-name-missing-nearest": ('the order has no name: "order" is missing', "try {near}"),
    "sealed-already": (
        "{side_has} already sealed a choice for {question}",
        "reveal it first, or undo it: `umpire undo GAME`",
    ),
    "sealed-choice-not-here": (
        "this copy of the game does not contain the sealed choice for {question}",
        "use the copy of the side that sealed it",
    ),
    "seed-is-public": (
        "the seed of these dice is public, so every player could compute the next results",
        "rewind first: after a rewind the ledger rolls from a new seed",
    ),
    "seed-not-here": (
        "this copy of the game does not contain the seed of its dice, so play cannot continue in it",
        "continue in the ledger that opened the game, or ask its operator for `umpire export GAME --whole`",
    ),
    "unreadable-order": ("{name}: {error}", "`umpire orders {title} {name}` shows its arguments"),
}
