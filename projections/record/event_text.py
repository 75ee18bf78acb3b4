"""What happened, in one plain English line an event, from the event alone."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent, Modifier, Value
from umpire_ledger.domain.game.seat_keys import short

ENDINGS = {
    "done": "leaves",
    "declined": "declines",
    "idle": "has nothing to do in",
    "excused": "is excused from",
    "overridden": "is taken out of",
}
CLOSINGS = {
    "done": "is over",
    "declined": "is declined",
    "idle": "is over: nothing could be done in it",
    "excused": "is excused",
    "overridden": "is ended by the referee",
}


def text_of(event: AnyEvent) -> str:
    """The line of the audit trail for an event."""
    return marked(WORDS[type(event)](event), event)


def marked(text: str, event: AnyEvent) -> str:
    """The line, with the mark of what no rule brought about."""
    return f"{text} [by ruling]" if event.overridden else text


def units_of(event: AnyEvent) -> tuple[str, ...]:
    """The ids of the units that an event is about."""
    about = UNITS.get(type(event))
    return about(event) if about else ()


def say(value: Value) -> str:
    """A value as people say it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(value) or "nothing"
    return str(value)


def dice_words(event: e.DiceRolled) -> str:
    """Pips and modifiers apart, for instance `2d6: 4 3, +1 manpower = 8`."""
    pips = " ".join(map(str, event.pips))
    return f"{event.dice}: {pips}{''.join(_modifier(one, event.dice) for one in event.modifiers)} = {event.total}"


def _modifier(modifier: Modifier, dice: str) -> str:
    """A modifier that stands in the dice themselves (`2d6+1`) has no other source."""
    return f", {modifier.amount:+d}" + ("" if modifier.source == dice else f" {modifier.source}")


def _why(words: str) -> str:
    return f" ({words})" if words else ""


def _and(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


# --- game -----------------------------------------------------------------------------------------------------------


def _opened(event: e.GameOpened) -> str:
    sides = " against ".join(side.name for side in event.sides)
    dice = "the ledger throws the dice" if event.dice == "ledger" else "dice are thrown at the table"
    return f"{event.name} is opened: {event.title} {event.version}, {sides}; {dice}"


COPIED = {"backup": "a backup", "import": "an import", "file": "a copied file", "restored": "a restored ledger"}


def _copied(event: e.GameCopied) -> str:
    if event.is_same_game:
        where = COPIED.get(event.how, "another ledger")
        return f"{event.game} continues after #{event.at} in {where}; its dice have a new seed{_why(event.why)}"
    return f"{event.game} begins as a copy of {event.of} up to #{event.at}"


def _seat_taken(event: e.SeatTaken) -> str:
    return f"{event.seat}{_why(event.name)} takes a seat for {event.side}"


def _seat_keyed(event: e.SeatKeyed) -> str:
    if not event.key:
        return f"{event.seat} signs no more{_why(event.why)}"
    return f"from here on {event.seat} signs with the key {short(event.key)}{_why(event.why)}"


def _ended(event: e.GameEnded) -> str:
    return f"the game is over: {event.why}" + (f"; won by {event.winner}" if event.winner else "")


# --- sequence of play -----------------------------------------------------------------------------------------------


def _step_opened(event: e.StepOpened) -> str:
    where = event.where
    about = [f"turn {where.turn}"] if where.turn else []
    about += [where.side] if where.side else []
    about += where.items
    about += [f"round {where.round}"] if where.round else []
    waits = f", waiting for {_and(event.waits)}" if event.waits else ""
    verb = "" if event.name.endswith(" begins") else " begins"
    return f"{event.step} {event.name}{verb}{_why(', '.join(about))}{waits}"


def _order_given(event: e.OrderGiven) -> str:
    return f"{event.side or 'the referee'} has given {event.order} in {event.step}"


def _side_done(event: e.SideDone) -> str:
    return f"{event.side} {ENDINGS[event.how]} {event.step}{_why(event.why)}"


def _side_leaves(event: e.SideLeaves) -> str:
    return f"{event.side} leaves what follows up to {event.until}, as long as nobody does anything"


def _step_closed(event: e.StepClosed) -> str:
    if event.item:
        return f"{event.side or 'the referee'} picks {event.item} for {event.step}{_why(event.why)}"
    said = f"{event.side} " if event.side else ""
    how = f"{said}answers {event.step} with {event.answer}" if event.answer else f"{event.step} {CLOSINGS[event.how]}"
    leads = "" if event.to in ("", "next") else f", play goes to {event.to}"
    return f"{how}{leads}{_why(event.why)}"


def _step_passed(event: e.StepPassed) -> str:
    return f"{event.step} {event.name} does not apply: {event.why}"


def _jumped(event: e.PlayJumped) -> str:
    broken = f"; left unfinished: {', '.join(event.broke_off)}" if event.broke_off else ""
    return f"play goes to {event.to}{_why(event.note)}{broken}"


def _loop_opened(event: e.LoopOpened) -> str:
    match event.kind:
        case "call":
            return f"{event.loop} {event.name} is called from {event.back}"
        case "borrow":
            return f"{' to '.join(event.stretch)} is run for {event.back or event.loop}"
        case "instant":
            return f"{event.loop} {event.name} breaks in"
        case _:
            return f"{event.loop} {event.name} begins"


def _pass_begun(event: e.PassBegun) -> str:
    about = ", ".join(filter(None, (event.side, event.item)))
    return (f"turn {event.turn} begins: " if event.turn else "") + f"{event.loop}, pass {event.nth}{_why(about)}"


def _loop_closed(event: e.LoopClosed) -> str:
    return f"{event.loop} is over{_why(event.why)}"


def _resumed(event: e.PlayResumed) -> str:
    at = f" at #{event.at}" if event.at else ""
    written = f", as {event.of} stood{at}" if event.of else ""
    return f"play goes on from a position of the scenario{written}" + (f": turn {event.turn}" if event.turn else "")


# --- dice -----------------------------------------------------------------------------------------------------------


def _committed(event: e.DiceCommitted) -> str:
    return f"the ledger commits itself to its dice: {event.commitment[:16]}…"


def _seeded(_: e.DiceSeeded) -> str:
    return "the seed of the ledger's dice is laid away"


def _dice_pledged(event: e.DicePledged) -> str:
    return f"{event.side} pledges its share in the dice: {event.pledge[:16]}…"


def _dice_shared(event: e.DiceShared) -> str:
    return f"{event.side} shows its share in the dice: {event.share[:16]}…"


def _dice_asked(event: e.DiceAsked) -> str:
    return f"an order of {event.seat} waits for its dice, from roll {event.roll} on"


def _dice_pledges(_: e.DicePledges) -> str:
    return "the shares in the dice stand"


def _rolled(event: e.DiceRolled) -> str:
    table = f" on {event.table}, row {event.row}" if event.table else ""
    needed = f"; needed {event.needed}" if event.needed else ""
    outcome = f": {event.outcome}" if event.outcome else ""
    kept = f" [kept from #{event.kept}]" if event.kept else ""
    return f"roll {event.roll}, {event.purpose}: {dice_words(event)}{table}{needed}{outcome}{kept}"


def _dice_opened(event: e.DiceOpened) -> str:
    missing = f"; no share came from {', '.join(event.missing)}" if event.missing else ""
    return f"the seed of the ledger's dice is opened: {event.seed[:16]}…{missing}"


# --- units, counts and choices ---------------------------------------------------------------------------------------


def _placed(event: e.UnitPlaced) -> str:
    hidden = f", seen by {', '.join(event.seen_by)}" if event.seen_by else ""
    return f"{event.unit} ({event.kind}, {event.side}) is placed at {event.at}{hidden}{_why(event.cause)}"


def _moved(event: e.UnitMoved) -> str:
    return f"{event.unit} moves {' → '.join(event.path)}{_why(event.cause)}"


def _changed(event: e.UnitChanged) -> str:
    return f"{event.unit}: {event.attribute} {say(event.before)} → {say(event.after)}{_why(event.cause)}"


def _removed(event: e.UnitRemoved) -> str:
    return f"{event.unit} is {event.fate}{f' at {event.at}' if event.at else ''}{_why(event.cause)}"


def _covered(event: e.UnitCovered) -> str:
    return f"{event.unit} goes out of sight at {event.at}{_why(event.cause)}"


def _shown(event: e.UnitShown) -> str:
    to = f" to {', '.join(event.seen_by)}" if event.seen_by else ""
    return f"{event.unit} ({event.kind}, {event.side}) is shown{to} at {event.at}{_why(event.cause)}"


def _hidden_ordered(event: e.HiddenOrdered) -> str:
    return f"{event.side or 'the referee'} {'searches for hidden units' if event.search else 'gives a hidden order'}"


def _hidden_done(event: e.HiddenDone) -> str:
    return "; ".join((*map(text_of, event.events), *filter(None, (event.says,)))) or "nothing hidden changes"


def _account(event: e.AccountChanged) -> str:
    return f"{event.account} {event.amount:+d}: {event.before} → {event.after}{_why(event.cause)}"


def _marker(event: e.MarkerSet) -> str:
    return f"{event.marker}: {say(event.before)} → {say(event.after)}{_why(event.cause)}"


def _chosen(event: e.ChoiceMade) -> str:
    if event.choice is None and not event.sealed:
        return f"what {event.side} chose for {event.question} counts no longer"
    how = "secretly chooses" if event.sealed else "chooses"
    return f"{event.side} {how} {say(event.choice)} for {event.question}"


def _sealed(event: e.ChoiceSealed) -> str:
    return f"{event.side} has chosen secretly for {event.question}"


def _revealed(event: e.ChoiceRevealed) -> str:
    return f"{event.side} reveals {say(event.choice)} for {event.question}"


# --- referee ----------------------------------------------------------------------------------------------------------


def _ruling(event: e.RulingMade) -> str:
    overrides = f", against {event.overrides}" if event.overrides else ""
    about = f" on {event.rule}" if event.rule else ""
    rests = f"; {event.grounds}" if event.grounds else ""
    remedy = f"; remedy: {event.remedy}" if event.remedy else ""
    return f"the referee rules{about}{overrides}: {event.ruling} ({event.reason}{rests}){remedy}"


def _dispute(event: e.DisputeOpened) -> str:
    about = f" about {', '.join(f'#{position}' for position in event.positions)}" if event.positions else ""
    by = f" by {event.seat}" if event.seat else ""
    return f"dispute {event.dispute} is opened{by}{about}: {event.claim}"


def _settled(event: e.DisputeSettled) -> str:
    return f"dispute {event.dispute} is settled: {event.ruling}{_why(event.reason)}"


DICE_AFTER = {
    "reroll": "",
    "keep": "; what is played again keeps its dice",
    "keep-unless-new": "; what is played again keeps its dice until something new is decided",
}


def _rewound(event: e.PlayRewound) -> str:
    kinds = {"undo": "an undo", "redo": "a redo", "rewind": "a rewind", "amend": "an amendment"}
    agreed = f", agreed by {_and(event.consent)}" if event.consent else ""
    again = "; what follows is played again" if event.kind == "amend" else ""
    stands = f"{kinds[event.kind]}{agreed}: play stands again as at #{event.to}{_why(event.why)}"
    return f"{stands}{again or DICE_AFTER[event.dice]}"


def _amendment_stopped(event: e.AmendmentStopped) -> str:
    whose = f" of {event.seat}" if event.seat else ""
    stops = f"the amendment stops at #{event.at}{whose}, which no longer applies; {orders_left(event.left)}"
    return f"{_skipped(event.skipped)}{stops}{_why(event.why)}"


AMENDMENT_ENDS = {
    "played": "the amendment is done: everything that was left is played again",
    "left": "the amendment ends here",
    "aborted": "the amendment is aborted",
}


def _amendment_ended(event: e.AmendmentEnded) -> str:
    stay = f"; {orders_left(event.left)} on the old line" if event.left else ""
    return f"{_skipped(event.skipped)}{AMENDMENT_ENDS[event.how]}{stay}{_why(event.why)}"


def orders_left(number: int) -> str:
    """`1 order is left`, `3 orders are left`."""
    return f"{number} order is left" if number == 1 else f"{number} orders are left"


def _skipped(position: int) -> str:
    return f"#{position} is skipped; " if position else ""


def _asked(event: e.RewindAsked) -> str:
    return f"{event.seat} asks all sides to return to #{event.to}{_why(event.why)}{DICE_AFTER[event.dice]}"


def _answered(event: e.RewindAnswered) -> str:
    return f"{event.side} {'consents to' if event.consents else 'refuses'} the rewind{_why(event.why)}"


def _line_sealed(event: e.LineSealed) -> str:
    return f"{event.seat} accepts everything up to #{event.position}"


def _peeked(event: e.SecretPeeked) -> str:
    return f"the referee looks at what only {event.seat} may know{_why(event.reason)}"


def _secrets_opened(event: e.SecretsOpened) -> str:
    if not event.upto:
        return f"{event.side} wants everything laid open"
    return f"everything up to #{event.upto} is laid open"


def _note(event: e.NoteAdded) -> str:
    instead = f" in place of #{event.instead_of}" if event.instead_of else ""
    private = f"private note to {', '.join(event.to)}" if event.to else "note"
    return f"{private}{instead}{f' on #{event.about}' if event.about else ''}: {event.text}"


def _message_sent(event: e.MessageSent) -> str:
    of = f"message {event.message} of {event.seat} to {', '.join(event.to)}"
    return f"{of}, arrives in {when_in(event)}: {event.text}"


def when_in(event: e.MessageSent | e.MessageHeld) -> str:
    """When a courier arrives: `turn 4`, or `turn 4 at E.2`."""
    return f"turn {event.arrives}{f' at {event.step}' if event.step else ''}"


def _message_held(event: e.MessageHeld) -> str:
    comes = f"is held up, arrives in {when_in(event)}" if event.arrives else "is lost"
    return f"message {event.message} {comes}{_why(event.why)}"


def _message_arrived(event: e.MessageArrived) -> str:
    of = f"message {event.message} of {event.seat} to {', '.join(event.to)}"
    return f"{of}, sent in turn {event.sent}, arrives: {event.text}"


def _note_sealed(event: e.NoteSealed) -> str:
    again = f" again, as #{event.again}" if event.again else ""
    return f"sealed{again}, if {event.condition}: {event.text}"


def _note_opened(event: e.NoteOpened) -> str:
    if event.withdrawn:
        return f"what was sealed at #{event.note} is withdrawn unread"
    return f"what {event.side} sealed at #{event.note}, if {event.condition}: {event.text}"


WORDS: Mapping[type[e.Event], Callable[[Any], str]] = {
    e.GameOpened: _opened,
    e.GameCopied: _copied,
    e.SeatTaken: _seat_taken,
    e.SeatKeyed: _seat_keyed,
    e.GameEnded: _ended,
    e.StepOpened: _step_opened,
    e.OrderGiven: _order_given,
    e.SideDone: _side_done,
    e.SideLeaves: _side_leaves,
    e.StepClosed: _step_closed,
    e.StepPassed: _step_passed,
    e.PlayJumped: _jumped,
    e.LoopOpened: _loop_opened,
    e.PassBegun: _pass_begun,
    e.LoopClosed: _loop_closed,
    e.PlayResumed: _resumed,
    e.DiceCommitted: _committed,
    e.DiceSeeded: _seeded,
    e.DicePledged: _dice_pledged,
    e.DiceShared: _dice_shared,
    e.DiceAsked: _dice_asked,
    e.DicePledges: _dice_pledges,
    e.DiceRolled: _rolled,
    e.DiceOpened: _dice_opened,
    e.UnitPlaced: _placed,
    e.UnitMoved: _moved,
    e.UnitChanged: _changed,
    e.UnitRemoved: _removed,
    e.UnitCovered: _covered,
    e.UnitShown: _shown,
    e.HiddenOrdered: _hidden_ordered,
    e.HiddenDone: _hidden_done,
    e.AccountChanged: _account,
    e.MarkerSet: _marker,
    e.ChoiceMade: _chosen,
    e.ChoiceSealed: _sealed,
    e.ChoiceRevealed: _revealed,
    e.RulingMade: _ruling,
    e.DisputeOpened: _dispute,
    e.DisputeSettled: _settled,
    e.PlayRewound: _rewound,
    e.AmendmentStopped: _amendment_stopped,
    e.AmendmentEnded: _amendment_ended,
    e.RewindAsked: _asked,
    e.RewindAnswered: _answered,
    e.LineSealed: _line_sealed,
    e.SecretPeeked: _peeked,
    e.SecretsOpened: _secrets_opened,
    e.NoteAdded: _note,
    e.MessageSent: _message_sent,
    e.MessageHeld: _message_held,
    e.MessageArrived: _message_arrived,
    e.NoteSealed: _note_sealed,
    e.NoteOpened: _note_opened,
    e.Unreadable: lambda event: f"a record that this edition cannot read ({event.kind}: {event.why})",
}

UNITS: Mapping[type, Callable[[Any], tuple[str, ...]]] = {
    e.DiceRolled: lambda event: event.subjects,
    **dict.fromkeys(get_args(e.UnitEvent), lambda event: (event.unit,)),
    e.HiddenDone: lambda event: tuple(one.unit for one in event.events),
}
