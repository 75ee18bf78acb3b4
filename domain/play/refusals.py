"""Word the refusals of decisions that every game has: steps, amendments, rulings, seats."""

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game

REFUSALS = {
    "already-there": (
        "play is at {until} already",
        "name a place farther on, leave the step with `done` alone, or this phase with `done --rest`",
    ),
    "always-open": ("{step} is open at any moment: nobody leaves it", "give the order without `leave`"),
    "amendment-waits": (
        "an amendment waits: it stopped at #{at}",
        "go on with it first: `umpire amend GAME --continue`, --skip, --quit or --abort",
    ),
    "answer-missing": ("{step} {step_name} asks for an answer", "answer with one of: {choices}{example}"),
    "cannot-amend-this-order": ("{order} is no order that an amendment can give", "give it for itself"),
    "reason-withheld": ("it no longer applies; why is not for these eyes", "ask {seat} to give the order again"),
    "reason-of-new-order-withheld": (
        "the order is refused; only {seat} may read why",
        "let {seat} give the order",
    ),
    "cannot-be-ruled": (
        "a ruling cannot carry out {order!r}",
        "it carries out: {carried_out}; or name what it overrides, and let the side give the order",
    ),
    "changes-nothing": ("{order} changes nothing: all of it is so already", "name something else, or leave it"),
    "choose-first": ("nothing can be left before a choice is made: {why_stopped}", "`pick` a member first"),
    "dice-wait-for-others": ("it needs dice that wait for others", "keep the dice, or rewind and give the orders anew"),
    "different-viewers": (
        "the hidden units of one order are not seen by the same sides",
        "give an order for each of them",
    ),
    "dropped-and-replaced": ("what is dropped needs no other order", "leave it out, or replace instead of dropping"),
    "excused-step-missing": ("say which step is excused", "open now: {steps}"),
    "game-over": ("the game is over: {ended}", "`undo` or `rewind` to play on from earlier"),
    "inside-the-opening": ("#{at} belongs to the opening of the game", "open another game instead"),
    "is-a-rewind": ("#{at} is a rewind", "return to another position: `umpire rewind`"),
    "no-amendment-waits": ("no amendment waits to be gone on with", "mend an order: `umpire amend GAME #N`"),
    "nothing-to-end-yet": (
        "{step} {step_name} waits for {sides}, not for {side}: `{words}` ends nothing now",
        "wait for {sides}, and give it when {side} is asked",
    ),
    "no-answer-asked-for": ("{step} asks for no answer", "leave it with `done` alone"),
    "no-answer-asked-for-in-loop": ("{loop} asks for no answer", "`pick` a member, or end the loop with `done` alone"),
    "no-step-to-leave": ("no step is left with {order}", "give it without `leave`"),
    "no-such-keeper": ("there is no seat {who}", "look at one of: {known}"),
    "no-such-member": ("{member} cannot be picked for {loop} {loop_name}", "pick one of: {free}"),
    "no-such-place": ("there is no place {until} in the sequence", "`umpire sequence {title}` prints every place"),
    "no-such-seat": ("there is no seat {seat}", "act as one of: {known}"),
    "no-such-seat-in-ruling": ("there is no seat {seat}", "name one of: {sides}"),
    "no-such-side": ("there is no side {side}", "name one of: {known}"),
    "no-witnessed-dice-here": ("witnessed dice are asked for where play stands", "rewind first, then give the ruling"),
    "not-an-answer": ("{answer!r} is no answer here", "answer with one of: {choices}{example}"),
    "not-on-current-branch": ("#{at} is not on the line that counts", "{remedy}"),
    "nothing-to-pick": ("there is nothing to pick now", "`umpire status` says what is waited for"),
    "only-for-the-referee": ("{order} is the referee's", "ask the referee"),
    "only-one-order": ("an amendment is more than one order", "give it by itself: `umpire amend`"),
    "only-the-referee-amends": ("only the referee amends", "ask the referee, or ask the other sides for a rewind"),
    "open-and-hidden-at-once": (
        "an order that touches hidden units does nothing in the open, and this one does ({order})",
        "`show` the units first, or let it be two orders",
    ),
    "order-awaits-dice": ("an order of {seat} waits for its dice", "{remedy}; or the referee rewinds"),
    "order-missing": ("an order must be given", "give the order as it ought to have been, or drop #n"),
    "order-not-needed": ("{how} needs no order", "leave it out, or continue with it"),
    "orders-required": ("{step} {step_name} cannot be left yet: {required}", "do first what is owed: {orders}"),
    "others-act-first": ("{step} {step_name} cannot be left yet: {required}", "wait for {sides}"),
    "pick-first": ("a member must be picked first", "`pick` one of: {members}"),
    "rewind-comes-first": (
        "a rewind among a ruling's orders comes first, and once",
        "put the rewind in front of the other orders",
    ),
    "seat-is-gone": ("there is no seat {seat}", "skip the order, or give the seat again"),
    "seat-keeps-no-secrets": ("{who} keeps no secrets", "look at one of: {known}"),
    "seat-taken": ("the seat {seat} is taken", "choose another name for the seat"),
    "several-steps-open": ("several steps are open for you: {steps}", 'say which: `--step STEP`, in JSON "step": "…"'),
    "side-not-waited-for": ("{step} does not wait for {side}", "it waits for: {waits}"),
    "spectator-gives-no-orders": ("a spectator gives no orders", "act as one of: {known}"),
    "step-has-passed": (
        "{until} has passed in this turn, and the rest of the turn would be left",
        "name a place farther on, or leave this phase with `done --rest`",
    ),
    "step-not-open": ("step {step} is not open", "open now: {open_now}"),
    "still-refused": (
        "#{at} still does not apply: {what}",
        "{remedy}; or continue with another order in its place, or skip it",
    ),
    "too-many-steps": ("{limit} steps would be left, and play is not at {place}", "name a place that comes sooner"),
    "two-places-to-stop": ("`until` and `rest` are two places to stop", "give one of them"),
    "unit-not-seen": ("{side_does} not see {unit}", "show it first: `show {unit} --to {side_id}`"),
    "unreadable-order": ("{order}: {error}", "`umpire orders {title} {order}` shows what it takes"),
    "unreadable-records": (
        "{unreadable}",
        "play on with the edition that wrote it, or let the referee rewind to a position before it",
    ),
    "words-not-here": ("the words of #{at} are not in this copy", "replace it, or drop it"),
}


def refuse(game: Game, code: str, rule: str, /, **fields: object) -> RuleViolation:
    """Return the refusal of that code at the current place of the sequence."""
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=rule)
