"""Word the refusals of the generic orders, of hidden units and of rolls on tables."""

REFUSALS = {
    "account-below-limit": ("{account} would fall to {after}", "pay a smaller amount"),
    "already-there": ("{unit} is already at {at}", "name the places that it moves to"),
    "cannot-be-read-so": ("{shown} {what}", "{remedy}"),
    "hidden-already": ("{unit} is already hidden", "move it with `move`, or reveal it with `show`"),
    "hidden-from-no-side": ("every side would see the unit", "leave a side out of `only`"),
    "no-such-unit": ("there is no unit {unit}", "`umpire units GAME` lists the units: {near}{more}"),
    "not-an-outcome": (
        "{outcome} is not a possible result of {purpose}: {why}",
        'give the outcome as a row of the table {table}: "by_the_book": {example}',
    ),
    "not-rolled-yet": (
        "the ledger has not rolled for {purpose} yet",
        "{rows}give the order without `by_the_book`{more}",
    ),
    "only-with-fog": (
        "{what} only in games with fog",
        "open a game with `--option fog=true`, or write `fog = true` in its scenario file",
    ),
    "read-the-other-first": (
        "{shown}; read it off your table before {purpose}",
        "give the order of that roll again, with `by_the_book`",
    ),
    "seen-already": ("{unit} is already visible to {side}", "name another side, or leave out `to`"),
    "total-without-row": (
        "this roll can total {lowest} to {highest}, but the table {table} has no row for {missing}",
        "its rows are {rows}; roll without `table` and look the total up yourselves",
    ),
    "unit-id-not-of-the-side": (
        "a hidden unit of {side} cannot have the id {unit}",
        "choose an id that begins with {side_id}-: no other side may use it",
    ),
    "unit-id-of-another-side": (
        "only {owner} can use the id {unit}, perhaps for a hidden unit",
        "choose an id that does not begin with {owner_id}-",
    ),
    "unit-id-used": ("the id {unit} was used before, by a unit that is no longer in play", "choose another id"),
    "unit-in-play": ("{unit} is already in play, at {at}", "choose another id"),
    "unit-is-named": (
        "{unit} cannot be hidden: {what} names it",
        "hide that first, or wait until it is over",
    ),
    "unit-not-hidden": ("{unit} is not hidden; every side sees it at {at}", "name a hidden unit"),
    "unit-not-seen": ("you cannot see {unit}: {last_seen}", "find the unit first"),
    "unit-of-another-side": ("only {owner} can hide or show {unit}", "ask {owner}, or ask the referee"),
    "unit-out-of-sight": ("the id {unit} belongs to a unit that you cannot see: {last_seen}", "choose another id"),
    "unit-removed": ("{unit} is {fate}", "name a unit that is in play"),
    "value-already-set": ("{attribute} of {unit} is already {before}", "name another value"),
}
