"""Word the refusals of admission: a wrong step, a wrong seat, a unit or value that the step is not about."""

REFUSALS = {
    "belongs-to-another-side": (
        "{named} belongs to {owner}",
        "name {kind} of your own, or let {owner} record it; or {by_referee}",
    ),
    "named-twice": ("{twice} is named twice", "name {twice} once in `{field}`"),
    "no-such-attribute": ("a {kind} has no attribute {attribute}", "{remedy}; {by_referee}"),
    "not-allowed-now": ("{order} is not allowed now{places}", "allowed here: {orders}"),
    "not-waited-for": ("{order} is not allowed now{places}", "`umpire status` says what is waited for"),
    "wait-for-side": ("{order} is not allowed now{places}", "wait for {sides}"),
    "not-in-this-step": ("{order} is not {side}'s to give in {step} now", "give first what {step} is for: {first}"),
    "referee-has-no-side": ("the referee plays for no side", "give the order as {seats}: --as SIDE"),
    "step-of-another-side": ("{seat} may not act in {step} now", "wait for {sides}"),
    "step-of-the-referee": ("{step} is the referee's", "ask the referee"),
    "runs-past-an-interruption": (
        "the order runs past the instant «{instant}», which comes after {events} of its events",
        "give an order that goes no farther than {last_event}",
    ),
    "unit-id-used": ("{unit} was used already, for a unit that is {fate}", "choose another id; {by_referee}"),
    "unit-not-in-this-step": ("{unit} is not among the units of this step", "name one of: {can}"),
    "wait-for-others": ("{order} is not {side}'s to give in {step} now", "wait for {may}"),
    "written-by-the-rules": ("the rules write {written}, `{order}` does not", "{instead}; or {by_referee}"),
    "written-by-the-rules-alone": ("the rules write {written}, `{order}` does not", "{by_referee}"),
}
