"""Word the refusals of the generic orders, of hidden units and of rolls on tables."""

REFUSALS = {
    "account-below-limit": ("{account} would be {after}", "pay a smaller amount"),
    "already-there": ("{unit} is at {at} already", "name the places it goes to"),
    "cannot-be-read-so": ("{shown} {what}", "{remedy}"),
    "hidden-already": ("{unit} is hidden already", "`move` it, or `show` it"),
    "hidden-from-no-side": ("it would be hidden from no side", "leave a side out of `only`"),
    "no-such-side": ("there is no side {side}", "name one of: {known}"),
    "no-such-unit": ("there is no unit {unit}", "`umpire units` lists them: {near}{more}"),
    "not-an-outcome": (
        "{outcome} cannot come of {purpose}: {why}",
        'give the outcome as a row of the table {table}: "by_the_book": {example}',
    ),
    "not-rolled-yet": (
        "the ledger throws the dice of {purpose}, and they are not thrown yet",
        "{rows}give the order without `by_the_book`{more}",
    ),
    "only-with-fog": ("{what} only under fog", "open a game with `--option fog=true`, or `fog = true` in its file"),
    "read-the-other-first": ("{shown} and is to be read before {purpose}", "give its order again with `by_the_book`"),
    "seen-already": ("{side} can see {unit} already", "name another side, or leave `to` out"),
    "total-without-row": (
        "some totals of this roll, {lowest} to {highest}, have no row in the table {table}: {missing} has none",
        "its rows are {rows}; roll without `table` and look the total up yourselves",
    ),
    "unit-id-not-of-the-side": (
        "a hidden unit of {side} cannot be called {unit}",
        "call it {side_id}-…: such ids are its alone",
    ),
    "unit-id-of-another-side": (
        "{unit} is an id of {owner}, which may have hidden one so",
        "choose an id that does not begin with {owner_id}-",
    ),
    "unit-id-used": ("{unit} was used already, for a unit that is gone", "choose another id"),
    "unit-in-play": ("{unit} is in play already, at {at}", "choose another id"),
    "unit-is-named": (
        "{unit} cannot slip out of sight: {what} names it",
        "hide first what names it, or wait until that is over",
    ),
    "unit-not-hidden": ("{unit} is in plain sight at {at}", "name a unit that is hidden"),
    "unit-not-seen": ("{unit} is out of sight: {last_seen}", "find it first"),
    "unit-of-another-side": ("{unit} is {owner}'s to hide or show", "ask {owner}, or the referee"),
    "unit-out-of-sight": ("{unit} is out of sight: {last_seen}", "choose another id"),
    "unit-removed": ("{unit} is {fate}", "name a unit that is in play"),
    "value-already-set": ("{unit}: {attribute} is {before} already", "name another value, or leave it"),
}
