"""Does an event fit the state it is told to? One small question a kind of event, answered from the state alone.

`evolve` folds whatever the log holds, and never refuses. So what is about to be recorded is held against the state
first, and so is a log that somebody else wrote. Words without an effect, and what only the log knows (positions,
disputes), fit any state.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.cursor import Frame
from umpire_ledger.domain.game.dice import DiceNotation, commitment_of, parse
from umpire_ledger.domain.game.dice_shares import awaited, hash_of, takes_shares, unpledged
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, Value
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.state import REFEREE, Choice, Game, Unit, choice_key

Fits = Callable[[Game, Any], str]
"""Why an event of one kind does not fit, in words; "" when it does."""

FITS = ""


def misfit(game: Game, event: AnyEvent) -> str:
    """Why an event does not fit the game that it is told to, in words; "" when it does.

    `game`: as it stands just before. For a rewind that is the line that is left.
    """
    return _asked(_CASES, game, event)


def misfit_in_part(game: Game, event: AnyEvent) -> str:
    """The same for a game of which some records are withheld: what those may have changed is not asked.

    What remains is the sequence of play, which is public, and what contradicts itself: sums, dice, a path to nowhere.
    """
    return _asked(_IN_PART, game, event)


def _asked(cases: Mapping[type, Fits], game: Game, event: AnyEvent) -> str:
    case = cases.get(type(event))
    if case is None:
        return f"{event!r} is no event"
    try:
        return case(game, event)
    except (TypeError, AttributeError, ValueError, LookupError) as error:  # a field of a type that it cannot have
        return f"a field of it cannot be read: {error}"


def _anything(game: Game, event: AnyEvent) -> str:
    return FITS


def _differs(said: Value, have: Value) -> bool:
    """1 and true differ."""
    return said != have or type(said) is not type(have)


# --- game -------------------------------------------------------------------------------------------------------------


def _opened(game: Game, event: e.GameOpened) -> str:
    return f"the game {game.id} has begun already" if game.id else FITS


def _copied(game: Game, event: e.GameCopied) -> str:
    return FITS if game.id and event.at > 0 else f"there is no game {event.of} to be copied up to #{event.at}"


def _seat_taken(game: Game, event: e.SeatTaken) -> str:
    if event.seat in game.seats:
        return f"the seat {event.seat} speaks for {game.seats[event.seat]} already"
    return _unknown_side(game, event.side)


def _seat_keyed(game: Game, event: e.SeatKeyed) -> str:
    known = (*game.side_ids, *game.seats, REFEREE)
    return FITS if event.seat in known else f"there is no seat {event.seat}"


def _ended(game: Game, event: e.GameEnded) -> str:
    return f"the game is over already: {game.ended}" if game.ended else FITS


def _unknown_side(game: Game, side: str) -> str:
    return FITS if any(one.id == side for one in game.sides) else f"the game has no side {side}"


# --- sequence of play -------------------------------------------------------------------------------------------------


def _step_opened(game: Game, event: e.StepOpened) -> str:
    if game.ended:
        return f"the game is over: {game.ended}"
    if game.cursor.opened(event.step) is not None:
        return f"step {event.step} is open already"
    if event.where.turn not in (0, game.turn, game.turn + 1):
        return f"it is turn {game.turn}, and the step opens in turn {event.where.turn}"
    return next((_unknown_side(game, side) for side in event.waits if side not in game.side_ids), FITS)


def _order_given(game: Game, event: e.OrderGiven) -> str:
    return _not_open(game, event.step)


def _side_done(game: Game, event: e.SideDone) -> str:
    one = game.cursor.opened(event.step)
    if one is None:
        return _not_open(game, event.step)
    return FITS if event.side in one.waits else f"step {event.step} does not wait for {event.side}"


def _side_leaves(game: Game, event: e.SideLeaves) -> str:
    return FITS if event.side in game.side_ids else f"there is no side {event.side}"


def _step_closed(game: Game, event: e.StepClosed) -> str:
    return _not_open(game, event.step)


def _not_open(game: Game, step: str) -> str:
    return FITS if any(one.step == step for one in game.cursor.open) else f"step {step} is not open"


def _step_passed(game: Game, event: e.StepPassed) -> str:
    opened = any(one.step == event.step for one in game.cursor.open)
    return f"step {event.step} is open, so it cannot be passed by" if opened else FITS


def _jumped(game: Game, event: e.PlayJumped) -> str:
    frames = game.cursor.frames
    if not 1 <= event.frames <= len(frames):
        return f"it leaves {event.frames} loops, and {len(frames)} are open with the game itself"
    held = (one.step for frame in frames[event.frames :] for one in frame.held)
    opened = tuple(one.step for one in game.cursor.open)
    if closed := [step for step in event.stays if step not in opened]:
        return f"it leaves {', '.join(closed)} open, and open are {_list(opened)}"
    unfinished = (*(step for step in opened if step not in event.stays), *held)
    if event.broke_off != unfinished:
        return f"it breaks off {_list(event.broke_off)}, and open are {_list(unfinished)}"
    return FITS


def _loop_opened(game: Game, event: e.LoopOpened) -> str:
    if game.ended:
        return f"the game is over: {game.ended}"
    if event.kind in ("call", "borrow") and not event.back:
        return f"{event.loop} is called and does not say from where"
    return f"{event.loop} borrows no stretch" if event.kind == "borrow" and len(event.stretch) != 2 else FITS


def _pass_begun(game: Game, event: e.PassBegun) -> str:
    top = game.cursor.frames[-1]
    if not top.of or top.of != event.loop:
        return _not_innermost(top, event.loop)
    if event.nth != top.nth + 1:
        return f"the next pass of {event.loop} is {top.nth + 1}, not {event.nth}"
    if event.turn not in (0, game.turn + 1):
        return f"the next turn is {game.turn + 1}, not {event.turn}"
    return _unknown_side(game, event.side) if event.side else FITS


def _loop_closed(game: Game, event: e.LoopClosed) -> str:
    frames = game.cursor.frames
    return FITS if len(frames) > 1 and frames[-1].of == event.loop else _not_innermost(frames[-1], event.loop)


def _resumed(game: Game, event: e.PlayResumed) -> str:
    if len(game.cursor.frames) > 1 or game.cursor.open or game.ended:
        return "play has begun already, and goes on from no other position"
    return FITS if event.acts >= game.acts else f"{game.acts} acts are told already, not {event.acts}"


def _not_innermost(top: Frame, loop: str) -> str:
    return f"the innermost loop is {top.of}, not {loop}" if top.of else f"no loop is open, {loop or 'the game'} neither"


def _list(steps: tuple[str, ...]) -> str:
    return ", ".join(steps) or "none"


# --- dice -------------------------------------------------------------------------------------------------------------


def _committed(game: Game, event: e.DiceCommitted) -> str:
    return "the dice of this game are thrown at the table" if game.dice != "ledger" else FITS


def _seeded(game: Game, event: e.DiceSeeded) -> str:
    return _wrong_seed(game, event.seed)


def _dice_pledged(game: Game, event: e.DicePledged) -> str:
    if not takes_shares(game):
        return "the dice of this game take no shares"
    if event.side in game.pledges:
        return f"{event.side} has pledged its share already"
    return _unknown_side(game, event.side)


def _dice_shared(game: Game, event: e.DiceShared) -> str:
    if missing := unpledged(game):
        return f"a share is shown before {missing[0]} has pledged its own"
    pledge = game.pledges.get(event.side)
    if pledge is None:
        return _unknown_side(game, event.side)
    fits = hash_of(event.share) == (pledge.share or pledge.pledge)
    return FITS if fits else f"it is not the share that {event.side} pledged"


def _dice_asked(game: Game, event: e.DiceAsked) -> str:
    return FITS if event.roll == game.rolls + 1 else f"the next roll is number {game.rolls + 1}, not {event.roll}"


def _dice_pledges(game: Game, event: e.DicePledges) -> str:
    return next((_unknown_side(game, side) for side in event.pledges if side not in game.side_ids), FITS)


def _dice_opened(game: Game, event: e.DiceOpened) -> str:
    if game.dice_open and game.has_copied_seed:
        return FITS  # an earlier seed of a restored ledger; whether the log commits to it is checked with the dice
    return "the dice are open already" if game.dice_open else _wrong_seed(game, event.seed)


def _secrets_opened(game: Game, event: e.SecretsOpened) -> str:
    return FITS if game.ended else "the game goes on, and its secrets are closed"


def _wrong_seed(game: Game, seed: str) -> str:
    fits = commitment_of(seed) == game.commitment
    return FITS if fits else "the seed is not the one that the game is committed to"


def _rolled(game: Game, event: e.DiceRolled) -> str:
    if event.roll != game.rolls + 1:
        return f"the next roll is number {game.rolls + 1}, not {event.roll}"
    if event.source != game.dice:
        return f"the dice of this game are from the {game.dice}, not from the {event.source}"
    if event.kept and game.keep is None:
        return f"it keeps the dice of #{event.kept}, and no dice are kept now"
    if not event.kept and (missing := awaited(game)):
        return f"it is thrown without a share of {missing[0]}"
    return _wrong_roll(game, event)


def _wrong_roll(_: Game, event: e.DiceRolled) -> str:
    notation = _notation(event.dice)
    if notation is None:
        return f"{event.dice!r} are no dice"
    pips = event.pips
    if len(pips) != notation.number or min(pips) < 1 or max(pips) > notation.faces:
        return f"{event.dice} cannot show {', '.join(map(str, pips)) or 'nothing'}"
    total = sum(pips)
    for modifier in event.modifiers:
        total += modifier.amount
    return FITS if event.total == total else f"pips and modifiers are {total}, not {event.total}"


@lru_cache(maxsize=256)
def _notation(dice: str) -> DiceNotation | None:
    try:
        return parse(dice)
    except RuleViolation:
        return None


# --- units, counts and choices ----------------------------------------------------------------------------------------


def _unit(game: Game, name: str) -> Unit | None:
    """A unit on the open table, or under a cover."""
    unit = game.units.get(name)
    held = game.hidden.get(name) if unit is None and game.hidden else None
    return unit if held is None else held.unit


def _placed(game: Game, event: e.UnitPlaced) -> str:
    known = _unit(game, event.unit)
    if known is not None and not known.fate:
        return f"{event.unit} is in play already, at {known.at}"
    unknown = next((side for side in event.seen_by if side not in game.side_ids), event.side)
    return _unknown_side(game, unknown)


def _covered(game: Game, event: e.UnitCovered) -> str:
    unit = _unit(game, event.unit)
    if unit is None:
        return _not_in_play(event.unit, unit)
    return FITS if event.at == unit.at else f"{event.unit} stands at {unit.at}, not at {event.at}"


def _shown(game: Game, event: e.UnitShown) -> str:
    """Where this game holds what is hidden: just as it stands there."""
    if event.unit in game.units:
        return f"{event.unit} stands on the open table, at {game.units[event.unit].at}"
    held = game.hidden.get(event.unit)
    if held is None:
        return f"nothing called {event.unit} is hidden"
    said = (event.side, event.kind, event.at, dict(event.attributes))
    unit = held.unit
    same = said == (unit.side, unit.kind, unit.at, dict(unit.attributes))
    return FITS if same else f"{event.unit} is not as it is shown"


def _hidden_done(game: Game, event: e.HiddenDone) -> str:
    for one in event.events:
        if why := misfit(game, one):
            return why
        game = evolve(game, one)
    return FITS


def _moved(game: Game, event: e.UnitMoved) -> str:
    unit = _unit(game, event.unit)
    if unit is None or unit.fate:
        return _not_in_play(event.unit, unit)
    path = event.path
    if len(path) > 1 and path[0] == unit.at:
        return FITS
    if len(path) > 1:
        return f"{event.unit} stands at {unit.at}, and its path starts at {path[0]}"
    return _no_way(game, event)


def _no_way(_: Game, event: e.UnitMoved) -> str:
    return FITS if len(event.path) > 1 else f"the path of {event.unit} has fewer than two places"


def _changed(game: Game, event: e.UnitChanged) -> str:
    unit = _unit(game, event.unit)
    if unit is None:
        return _not_in_play(event.unit, unit)
    if event.attribute == "side":
        if event.before != unit.side:
            return f"{event.unit} belongs to {unit.side}, not to {event.before}"
        return _unknown_side(game, str(event.after))
    have = unit.attributes.get(event.attribute)
    if _differs(event.before, have):
        return f"{event.attribute} of {event.unit} is {_value(have)}, not {_value(event.before)}"
    return FITS


def _removed(game: Game, event: e.UnitRemoved) -> str:
    unit = _unit(game, event.unit)
    if unit is None or unit.fate:
        return _not_in_play(event.unit, unit)
    if event.at and event.at != unit.at:  # old logs do not say where
        return f"{event.unit} stands at {unit.at}, not at {event.at}"
    return FITS


def _not_in_play(name: str, unit: Unit | None) -> str:
    return f"there is no unit {name}" if unit is None else f"{name} is not in play: {unit.fate}"


def _account(game: Game, event: e.AccountChanged) -> str:
    have = game.accounts.get(event.account, 0)
    if _differs(event.before, have):
        return f"{event.account} is {have}, not {event.before}"
    return _wrong_sum(game, event)


def _wrong_sum(_: Game, event: e.AccountChanged) -> str:
    right = event.before + event.amount
    return FITS if event.after == right else f"{event.before} and {event.amount} are {right}, not {event.after}"


def _marker(game: Game, event: e.MarkerSet) -> str:
    have = game.markers.get(event.marker)
    if _differs(event.before, have):
        return f"the marker {event.marker} is {_value(have)}, not {_value(event.before)}"
    return FITS


def _chosen(game: Game, event: e.ChoiceMade) -> str:
    return FITS if event.side == REFEREE or event.side in game.seats else _unknown_side(game, event.side)


def _sealed(game: Game, event: e.ChoiceSealed) -> str:
    """A secret may be settled anew later on, but not twice in one step."""
    before = game.choices.get(choice_key(event.question, event.side))
    since = max((one.acts for one in game.cursor.open), default=-1)
    if before is not None and before.sealed and before.acts > since:
        return f"{event.side} has sealed {event.question} already"
    return FITS


def _revealed(game: Game, event: e.ChoiceRevealed) -> str:
    """Equal to what the side sealed, or else to what the referee did: what lies face down is shown to a side."""
    sealed = _sealed_by(game, event.question, event.side) or _sealed_by(game, event.question, REFEREE)
    if sealed is not None and _differs(event.choice, sealed.choice):
        return f"for {event.question} {_value(sealed.choice)} was sealed, not {_value(event.choice)}"
    return FITS


def _sealed_by(game: Game, question: str, side: str) -> Choice | None:
    """A sealed choice, where this copy of the game holds it."""
    choice = game.choices.get(choice_key(question, side))
    return choice if choice is not None and choice.sealed and choice.known else None


def _value(value: Value) -> str:
    return "not set" if value is None else repr(value)


# --- referee ----------------------------------------------------------------------------------------------------------


def _rewound(game: Game, event: e.PlayRewound) -> str:
    if event.rolls != game.rolls:
        return f"{game.rolls} rolls were made, not {event.rolls}"
    return _nowhere(game, event)


def _nowhere(_: Game, event: e.PlayRewound) -> str:
    return FITS if event.to > 0 else f"there is no position #{event.to}"


def _amendment_stopped(_: Game, event: e.AmendmentStopped) -> str:
    return FITS if 0 < event.at <= event.tip else f"the line that ended at #{event.tip} has no order #{event.at}"


def _amendment_ended(game: Game, event: e.AmendmentEnded) -> str:
    """An aborted one is told where play stands again, on the line that knew nothing of it."""
    return FITS if game.amending or event.how == "aborted" else "no amendment waits"


def _rewind_asked(game: Game, event: e.RewindAsked) -> str:
    return f"there is no position #{event.to}" if event.to < 1 else _unknown_side(game, event.side)


def _rewind_answered(game: Game, event: e.RewindAnswered) -> str:
    if game.asked is None:
        return "no rewind was asked for"
    return f"{event.side} has consented already" if event.side in game.asked.consents else FITS


def _line_sealed(game: Game, event: e.LineSealed) -> str:
    return f"there is no position #{event.position}" if event.position < 1 else FITS


def _peeked(game: Game, event: e.SecretPeeked) -> str:
    return FITS if game.side_of(event.seat) else f"there is no seat {event.seat}"


_CASES: dict[type, Fits] = {
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
    e.HiddenOrdered: _anything,
    e.HiddenDone: _hidden_done,
    e.AccountChanged: _account,
    e.MarkerSet: _marker,
    e.ChoiceMade: _chosen,
    e.ChoiceSealed: _sealed,
    e.ChoiceRevealed: _revealed,
    e.RulingMade: _anything,
    e.DisputeOpened: _anything,
    e.DisputeSettled: _anything,
    e.PlayRewound: _rewound,
    e.AmendmentStopped: _amendment_stopped,
    e.AmendmentEnded: _amendment_ended,
    e.RewindAsked: _rewind_asked,
    e.RewindAnswered: _rewind_answered,
    e.LineSealed: _line_sealed,
    e.SecretPeeked: _peeked,
    e.SecretsOpened: _secrets_opened,
    e.NoteAdded: _anything,
    e.NoteSealed: _anything,
    e.NoteOpened: _anything,
    e.MessageSent: _anything,
    e.MessageHeld: _anything,
    e.MessageArrived: _anything,
}

_IN_PART: dict[type, Fits] = {
    **_CASES,
    e.DiceRolled: _wrong_roll,
    e.UnitPlaced: _anything,
    e.UnitMoved: _no_way,
    e.UnitChanged: _anything,
    e.UnitRemoved: _anything,
    e.UnitCovered: _anything,
    e.UnitShown: _anything,
    e.HiddenDone: _anything,
    e.AccountChanged: _wrong_sum,
    e.MarkerSet: _anything,
    e.ChoiceSealed: _anything,
    e.ChoiceRevealed: _anything,
    e.PlayRewound: _nowhere,
}
