"""Word the refusals of admission: a wrong step, a wrong seat, or a unit or value that the step does not permit."""

REFUSALS = {
    "belongs-to-another-side": (
        "{named} belongs to {owner}",
        "name {kind} of your side, or let {owner} give the order; or {by_referee}",
    ),
    "named-twice": ("`{field}` names {twice} twice", "name {twice} once"),
    "no-such-attribute": ("a {kind} has no attribute {attribute}", "{remedy}; {by_referee}"),
    "not-allowed-now": ("{order} is not allowed now{places}", "allowed here: {orders}"),
    "not-waited-for": (
        "{order} is not allowed now{places}",
        "`umpire status` shows the sides and orders that play waits for",
    ),
    "wait-for-side": ("{order} is not allowed now{places}", "wait for {sides}"),
    "not-in-this-step": (
        "{side} cannot give {order} in step {step} now",
        "give the orders of step {step} first: {first}",
    ),
    "referee-has-no-side": ("the referee does not play for a side", "give the order for {seats}: add --as SIDE"),
    "step-of-another-side": ("{seat} cannot act in step {step} now", "wait for {sides}"),
    "step-of-the-referee": ("only the referee can act in step {step}", "ask the referee"),
    "runs-past-an-interruption": (
        "the order continues past the trigger «{instant}», which interrupts it after {events} of its events",
        "give an order that ends at {last_event}",
    ),
    "unit-id-used": ("the id {unit} was used before, by a unit that is {fate}", "choose another id; {by_referee}"),
    "unit-not-in-this-step": ("{unit} cannot be named in this step", "name one of: {can}"),
    "wait-for-others": ("{side} cannot give {order} in step {step} now", "wait for {may}"),
    "written-by-the-rules": ("only the rules set {written}, not the order `{order}`", "{instead}; or {by_referee}"),
    "written-by-the-rules-alone": ("only the rules set {written}, not the order `{order}`", "{by_referee}"),
}
