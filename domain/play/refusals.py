"""Word the refusals of decisions that every game has, about steps, amendments, rulings and seats."""

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game

REFUSALS = {
    "already-there": (
        "play is already at {until}",
        "name a later place, end the step with `done` alone, or end the phase with `done --rest`",
    ),
    "always-open": ("step {step} is open at any time and does not end", "give the order without `leave`"),
    "amendment-waits": (
        "an amendment has stopped at #{at}",
        "finish it first: `umpire amend GAME --continue`, --skip, --quit or --abort",
    ),
    "answer-missing": ("step {step} ({step_name}) needs an answer", "answer with one of: {choices}{example}"),
    "cannot-amend-this-order": ("an amendment cannot contain {order}", "give {order} as an order of its own"),
    "reason-withheld": ("it no longer applies, for a secret reason", "ask {seat} to give the order again"),
    "reason-of-new-order-withheld": (
        "the order is refused, for a reason that only {seat} can read",
        "ask {seat} to give the order",
    ),
    "cannot-be-ruled": (
        "a ruling cannot carry out {order!r}",
        "it can carry out: {carried_out}; or name what the ruling overrides, and ask the side to give the order",
    ),
    "changes-nothing": ("{order} would change nothing", "name another value, or give another order"),
    "choose-first": ("no step can end before a member is picked: {why_stopped}", "pick a member with `pick` first"),
    "dice-wait-for-others": (
        "the order needs dice shares from other sides",
        "reuse the rolls, or rewind and give the orders again",
    ),
    "different-viewers": (
        "the order names hidden units that different sides can see",
        "give one order for each unit",
    ),
    "dropped-and-replaced": (
        "the amendment both drops the order and replaces it",
        "leave out the new order, or leave out --drop",
    ),
    "excused-step-missing": ("the order does not name the step to excuse", "name one of the open steps: {steps}"),
    "game-over": (
        "the game is over: {ended}",
        "return to an earlier position: `umpire undo GAME` or `umpire rewind GAME`",
    ),
    "inside-the-opening": ("#{at} belongs to the setup of the game", "open another game instead: `umpire new`"),
    "is-a-rewind": ("#{at} is a rewind", "return to another position: `umpire rewind`"),
    "no-amendment-waits": ("no amendment has stopped", "amend an order: `umpire amend GAME #N`"),
    "nothing-to-end-yet": (
        "step {step} ({step_name}) waits for {sides}, not for {side}, so `{words}` ends nothing now",
        "wait for {sides}, then give the order when play waits for {side}",
    ),
    "no-answer-asked-for": ("step {step} does not take an answer", "end it with `done` alone"),
    "no-answer-asked-for-in-loop": (
        "{loop} does not take an answer",
        "pick a member with `pick`, or end the loop with `done` alone",
    ),
    "no-step-to-leave": ("{order} cannot end a step", "give it without `leave`"),
    "no-such-keeper": ("there is no seat {who}", "name one of: {known}"),
    "no-such-member": ("{member} cannot be picked for {loop} ({loop_name})", "pick one of: {free}"),
    "no-such-place": ("the sequence has no place {until}", "`umpire sequence {title}` lists every place"),
    "no-such-seat-in-ruling": ("there is no seat {seat}", "name one of: {sides}"),
    "no-witnessed-dice-here": (
        "a ruling cannot use witnessed dice together with a rewind",
        "rewind first, then give the ruling",
    ),
    "not-an-answer": ("{answer!r} is not an answer to this step", "answer with one of: {choices}{example}"),
    "not-on-current-branch": ("#{at} is on an abandoned branch", "{remedy}"),
    "nothing-to-pick": (
        "there is nothing to pick now",
        "`umpire status GAME` shows the orders that play waits for",
    ),
    "only-for-the-referee": ("only the referee can give {order}", "ask the referee"),
    "only-one-order": ("this command accepts one order, but an amendment gives several", "use `umpire amend`"),
    "only-the-referee-amends": (
        "only the referee can amend an order",
        "ask the referee, or ask the other sides for a rewind: `umpire ask-rewind`",
    ),
    "open-and-hidden-at-once": (
        "{order} names hidden and public units together, which would reveal the hidden ones",
        "give one order for the hidden and one for the public units, or reveal the hidden units with `show` first",
    ),
    "order-awaits-dice": ("an order of {seat} waits for its dice", "{remedy}; or ask the referee to rewind"),
    "order-missing": ("the amendment has no order", "give the correct order, or remove the old one with --drop"),
    "order-not-needed": ("{how} does not take an order", "leave out the order, or use --continue"),
    "orders-required": (
        "step {step} ({step_name}) cannot end yet: {required}",
        "give the required orders first: {orders}",
    ),
    "others-act-first": ("step {step} ({step_name}) cannot end yet: {required}", "wait for {sides}"),
    "pick-first": ("pick a member first", "`pick` one of: {members}"),
    "rewind-comes-first": (
        "a ruling can rewind only once, before its other orders",
        "put the rewind before the other orders",
    ),
    "seat-is-gone": ("the game no longer has a seat {seat}", "skip the order, or add the seat again: `umpire seat`"),
    "seat-keeps-no-secrets": ("{who} has no secrets", "name one of: {known}"),
    "seat-taken": ("the seat {seat} already exists", "choose another id for the seat"),
    "several-steps-open": ("several steps are open for you: {steps}", 'name one: `--step STEP`, in JSON "step": "…"'),
    "side-not-waited-for": ("step {step} does not wait for {side}", "name one of: {waits}"),
    "spectator-gives-no-orders": ("a spectator cannot give orders", "act as one of: {known}"),
    "step-has-passed": (
        "{until} has passed in this turn, so `done` would end the rest of the turn",
        "name a later place, or end this phase with `done --rest`",
    ),
    "step-not-open": ("step {step} is not open", "open now: {open_now}"),
    "still-refused": (
        "#{at} still cannot be re-played: {what}",
        "{remedy}; or continue with another order in its place, or skip it",
    ),
    "too-many-steps": ("play would end {limit:step} without reaching {place}", "name an earlier place"),
    "two-places-to-stop": ("`until` and `rest` name two places to stop", "give only one of them"),
    "unit-not-seen": ("{side_does} not see {unit}", "show it first: `show {unit} --to {side_id}`"),
    "unreadable-order": ("{order}: {error}", "`umpire orders {title} {order}` shows its arguments"),
    "unreadable-records": (
        "{unreadable}",
        "continue with the version of Umpire that wrote it, or ask the referee to rewind to a position before it",
    ),
    "words-not-here": ("this copy of the game does not contain the order at #{at}", "replace it, or drop it"),
}


def refuse(game: Game, code: str, rule: str, /, **fields: object) -> RuleViolation:
    """Return the refusal with this code, at the current place of the sequence."""
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=rule, names=game.seat_names)
