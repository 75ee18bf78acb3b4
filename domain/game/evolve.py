"""`evolve`: what each event makes of a game, one case an event, the same for every title.

It never refuses, never rolls, reads no clock and no declaration of a sequence: whoever holds the log holds the game,
with or without the title installed.

A `play.rewound` event is folded on the state of the position it goes back to: the ledger keeps which record follows
which, and hands over that line.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.cursor import Closed, Cursor, Frame, Open
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.state import (
    Amending,
    Asked,
    Choice,
    Game,
    Hidden,
    Keep,
    Leaving,
    Sighting,
    Unit,
    choice_key,
    replace,
)


class FoldingGame:
    """A game being folded: maps as mutations, so that many events cost little. Used inside one fold only."""

    __slots__ = (
        *("_base", "accounts", "acts", "choices", "frames", "leaving"),
        *("markers", "more", "open", "rolls", "turn", "units"),
    )

    def __init__(self, base: Game) -> None:
        self._base = base
        self.units = base.units.mutate()
        self.accounts = base.accounts.mutate()
        self.markers = base.markers.mutate()
        self.choices = base.choices.mutate()
        self.frames = base.cursor.frames
        self.open = base.cursor.open
        self.turn = base.turn
        self.acts = base.acts
        self.rolls = base.rolls
        self.leaving = base.leaving
        self.more: dict[str, Any] = {}

    def freeze(self) -> Game:
        """The game after the events."""
        return replace(
            self._base,
            units=self.units.finish(),
            accounts=self.accounts.finish(),
            markers=self.markers.finish(),
            choices=self.choices.finish(),
            cursor=Cursor(frames=self.frames, open=self.open),
            turn=self.turn,
            acts=self.acts,
            rolls=self.rolls,
            leaving=self.leaving,
            **self.more,
        )

    def now(self, field: str) -> Any:
        """A rarely changed field as it stands now."""
        return self.more.get(field, getattr(self._base, field))


def fold(game: Game, events: Iterable[AnyEvent]) -> Game:
    """The game after many events of one line, in order."""
    draft = FoldingGame(game)
    for event in events:
        _CASES[type(event)](draft, event)
    return draft.freeze()


def evolve(game: Game, event: AnyEvent) -> Game:
    """The game after one event."""
    return fold(game, (event,))


# --- game -----------------------------------------------------------------------------------------------------------


def _opened(draft: FoldingGame, event: e.GameOpened) -> None:
    draft.more.update(
        id=event.game,
        title=event.title,
        version=event.version,
        name=event.name,
        dice=event.dice,
        sides=event.sides,
        options=event.options,
        tables=event.tables,
        sequence=event.sequence,
    )


def _copied(draft: FoldingGame, event: e.GameCopied) -> None:
    if not event.is_same_game:
        draft.more.update(id=event.game, copied=event.of, copied_at=event.at, keys={})  # no seat signed for a copy


def _seat_taken(draft: FoldingGame, event: e.SeatTaken) -> None:
    draft.more["seats"] = {**draft.now("seats"), event.seat: event.side}
    draft.more["keys"] = _without(draft.now("keys"), event.seat)


def _seat_keyed(draft: FoldingGame, event: e.SeatKeyed) -> None:
    others = _without(draft.now("keys"), event.seat)
    draft.more["keys"] = {**others, event.seat: event.key} if event.key else others


def _without(keys: Mapping[str, str], seat: str) -> Mapping[str, str]:
    return {one: key for one, key in keys.items() if one != seat}


def _ended(draft: FoldingGame, event: e.GameEnded) -> None:
    draft.more["ended"] = event.why
    draft.more["winner"] = event.winner
    draft.open = ()


# --- sequence of play -----------------------------------------------------------------------------------------------


def _step_opened(draft: FoldingGame, event: e.StepOpened) -> None:
    acts = draft.acts - event.acts
    opened = Open(step=event.step, name=event.name, waits=event.waits, given=event.given, acts=acts)
    draft.open = (*draft.open, opened)
    draft.turn = event.where.turn or draft.turn  # a step that counts turns opens in the new one
    if draft.leaving:
        places = (event.step, *event.path)
        draft.leaving = {side: one for side, one in draft.leaving.items() if one.until not in places}


def _order_given(draft: FoldingGame, event: e.OrderGiven) -> None:
    draft.open = tuple(
        replace(one, given=(*one.given, event.order)) if one.step == event.step else one for one in draft.open
    )


def _side_done(draft: FoldingGame, event: e.SideDone) -> None:
    draft.open = tuple(
        replace(one, waits=tuple(side for side in one.waits if side != event.side)) if one.step == event.step else one
        for one in draft.open
    )


def _side_leaves(draft: FoldingGame, event: e.SideLeaves) -> None:
    said = Leaving(until=event.until, acts=draft.acts, depth=len(draft.frames))
    draft.leaving = {**draft.leaving, event.side: said}


def _step_closed(draft: FoldingGame, event: e.StepClosed) -> None:
    if event.answer or event.item or event.how in ("excused", "overridden"):
        draft.leaving = {}
    draft.open = tuple(one for one in draft.open if one.step != event.step)
    closed = Closed(step=event.step, answer=event.answer, how=event.how)
    top = draft.frames[-1]
    if event.item:
        top = replace(top, item=event.item, finished=(*top.finished, event.item))
    else:
        top = replace(top, closed=_with(top.closed, closed))
    frames = [*draft.frames[:-1], top]
    if event.keep:
        keeper = max((at for at, frame in enumerate(frames) if frame.of == event.keep), default=0)
        frames[keeper] = replace(frames[keeper], kept=_kept(frames[keeper].kept, closed))
    draft.frames = tuple(frames)


def _with(closed: tuple[Closed, ...], one: Closed) -> tuple[Closed, ...]:
    return (*(other for other in closed if other.step != one.step), one)


def _kept(kept: tuple[Closed, ...], one: Closed) -> tuple[Closed, ...]:
    """Every answer of a step is kept, one that was given again in its new place."""
    return (*(other for other in kept if (other.step, other.answer) != (one.step, one.answer)), one)


def _step_passed(draft: FoldingGame, event: e.StepPassed) -> None:
    """A step that did not apply leaves no trace in the state; the record is the trace."""


def _jumped(draft: FoldingGame, event: e.PlayJumped) -> None:
    frames = draft.frames[: max(event.frames, 1)]  # the outermost frame is the game itself
    top = frames[-1]
    kept = tuple(one for one in top.closed if one.step not in event.forgets)
    draft.frames = (*frames[:-1], replace(top, closed=kept))
    draft.open = tuple(one for one in draft.open if one.step in event.stays)
    draft.leaving = {}


def _loop_opened(draft: FoldingGame, event: e.LoopOpened) -> None:
    frame = Frame(of=event.loop, name=event.name, kind=event.kind, back=event.back, stretch=event.stretch)
    if event.kind == "instant":
        frame = replace(frame, held=draft.open)
        draft.open = ()
    draft.frames = (*draft.frames, frame)


def _pass_begun(draft: FoldingGame, event: e.PassBegun) -> None:
    top = replace(
        draft.frames[-1],
        nth=event.nth,
        item=event.item,
        side=event.side,
        finished=event.finished,
        closed=(),
        kept=(),
    )
    draft.frames = (*draft.frames[:-1], top)
    draft.turn = event.turn or draft.turn
    if draft.leaving:  # the next pass of a loop that was open then is another matter
        depth = len(draft.frames)
        draft.leaving = {side: one for side, one in draft.leaving.items() if one.depth < depth}


def _loop_closed(draft: FoldingGame, event: e.LoopClosed) -> None:
    draft.open = (*draft.open, *draft.frames[-1].held)
    draft.frames = draft.frames[:-1] or draft.frames


def _resumed(draft: FoldingGame, event: e.PlayResumed) -> None:
    draft.frames = event.frames or (Frame(),)
    draft.open = ()
    draft.turn = event.turn
    draft.acts = event.acts
    for key, acts in event.answered.items():
        if key in draft.choices:
            draft.choices[key] = replace(draft.choices[key], acts=acts)


# --- dice -----------------------------------------------------------------------------------------------------------


def _committed(draft: FoldingGame, event: e.DiceCommitted) -> None:
    draft.more.update(commitment=event.commitment, label=event.label, scheme=event.scheme, seed="", dice_open=False)
    draft.more.update(pledges={}, awaits_dice="")


def _seeded(draft: FoldingGame, event: e.DiceSeeded) -> None:
    draft.more["seed"] = event.seed


def _dice_pledged(draft: FoldingGame, event: e.DicePledged) -> None:
    draft.more["pledges"] = {**draft.now("pledges"), event.side: e.Pledge(pledge=event.pledge)}


def _dice_shared(draft: FoldingGame, event: e.DiceShared) -> None:
    pledges = draft.now("pledges")
    before = pledges.get(event.side, e.Pledge(pledge=""))
    draft.more["pledges"] = {**pledges, event.side: replace(before, share=event.share, since=True)}


def _dice_asked(draft: FoldingGame, event: e.DiceAsked) -> None:
    draft.more["awaits_dice"] = event.seat
    draft.more["pledges"] = {side: replace(one, since=False) for side, one in draft.now("pledges").items()}


def _dice_pledges(draft: FoldingGame, event: e.DicePledges) -> None:
    draft.more["pledges"] = event.pledges


def _rolled(draft: FoldingGame, event: e.DiceRolled) -> None:
    draft.rolls = event.roll
    draft.acts += 1
    if draft.now("awaits_dice"):
        draft.more["awaits_dice"] = ""
    keep = draft.now("keep")
    if keep is None:
        return
    if event.kept:
        draft.more["keep"] = replace(keep, used=(*keep.used, event.kept))
    elif keep.policy == "keep-unless-new":
        draft.more["keep"] = None  # a fresh roll is a new fact: what follows it is no replay


def _dice_opened(draft: FoldingGame, event: e.DiceOpened) -> None:
    if not draft.now("dice_open"):  # behind it, a restored ledger opens its earlier seeds
        draft.more.update(seed=event.seed, dice_open=True)


# --- units, counts and choices ---------------------------------------------------------------------------------------


def _placed(draft: FoldingGame, event: e.UnitPlaced) -> None:
    unit = Unit(id=event.unit, side=event.side, kind=event.kind, at=event.at, attributes=event.attributes)
    if event.seen_by:
        _hold(draft, Hidden(unit=unit, seen_by=event.seen_by))
    else:
        draft.acts += 1
        draft.units[event.unit] = unit


def _moved(draft: FoldingGame, event: e.UnitMoved) -> None:
    unit = draft.units.get(event.unit)
    if unit is None and event.path:
        _alter(draft, event.unit, lambda unit: replace(unit, at=event.path[-1]))
        return
    draft.acts += 1  # most records of a long game are moves in the open: without a call more
    if unit is not None and event.path:
        draft.units[event.unit] = replace(unit, at=event.path[-1])


def _changed(draft: FoldingGame, event: e.UnitChanged) -> None:
    if event.attribute == "side" and isinstance(event.after, str):
        side = event.after
        _alter(draft, event.unit, lambda unit: replace(unit, side=side))
    else:
        _alter(
            draft,
            event.unit,
            lambda unit: replace(unit, attributes={**unit.attributes, event.attribute: event.after}),
        )


def _removed(draft: FoldingGame, event: e.UnitRemoved) -> None:
    _alter(draft, event.unit, lambda unit: replace(unit, fate=event.fate))


def _alter(draft: FoldingGame, name: str, change: Callable[[Unit], Unit]) -> None:
    """On the open table, or under its cover: there it is no act, for `hidden.ordered` is one to everybody alike."""
    unit = draft.units.get(name)
    if unit is not None:
        draft.acts += 1
        draft.units[name] = change(unit)
    elif (held := draft.now("hidden").get(name)) is not None:
        _hold(draft, replace(held, unit=change(held.unit)))
    else:
        draft.acts += 1


def _hold(draft: FoldingGame, held: Hidden) -> None:
    draft.more["hidden"] = {**draft.now("hidden"), held.unit.id: held}


def _covered(draft: FoldingGame, event: e.UnitCovered) -> None:
    unit = draft.units.pop(event.unit, None)
    hidden = {**draft.now("hidden")}
    if unit is not None:
        draft.acts += 1
    elif (held := hidden.pop(event.unit, None)) is not None:
        unit = held.unit
        draft.more["hidden"] = hidden
    if unit is not None:
        seen = {f"{side}/{unit.id}": Sighting(side=side, unit=unit, turn=draft.turn) for side in event.blind}
        draft.more["sightings"] = {**draft.now("sightings"), **seen}


def _shown(draft: FoldingGame, event: e.UnitShown) -> None:
    unit = Unit(id=event.unit, side=event.side, kind=event.kind, at=event.at, attributes=event.attributes)
    seers = event.seen_by
    draft.more["sightings"] = {
        key: one
        for key, one in draft.now("sightings").items()
        if one.unit.id != event.unit or (seers and one.side not in seers)
    }
    if seers:
        _hold(draft, Hidden(unit=unit, seen_by=seers))
        return
    draft.acts += 1
    draft.more["hidden"] = {name: one for name, one in draft.now("hidden").items() if name != event.unit}
    draft.units[event.unit] = unit


def _hidden_ordered(draft: FoldingGame, event: e.HiddenOrdered) -> None:
    draft.acts += 1


def _hidden_done(draft: FoldingGame, event: e.HiddenDone) -> None:
    for one in event.events:
        _CASES[type(one)](draft, one)


def _account(draft: FoldingGame, event: e.AccountChanged) -> None:
    draft.acts += 1
    draft.accounts[event.account] = event.after


def _marker(draft: FoldingGame, event: e.MarkerSet) -> None:
    draft.acts += 1
    if event.after is None:
        draft.markers.pop(event.marker, None)
    else:
        draft.markers[event.marker] = event.after


def _chosen(draft: FoldingGame, event: e.ChoiceMade) -> None:
    draft.acts += 1
    key = choice_key(event.question, event.side)
    draft.choices[key] = Choice(
        question=event.question, side=event.side, choice=event.choice, sealed=event.sealed, acts=draft.acts
    )


def _sealed(draft: FoldingGame, event: e.ChoiceSealed) -> None:
    draft.acts += 1
    key = choice_key(event.question, event.side)
    draft.choices[key] = Choice(question=event.question, side=event.side, sealed=True, known=False, acts=draft.acts)


def _revealed(draft: FoldingGame, event: e.ChoiceRevealed) -> None:
    draft.acts += 1
    key = choice_key(event.question, event.side)
    draft.choices[key] = Choice(question=event.question, side=event.side, choice=event.choice, acts=draft.acts)


# --- referee ----------------------------------------------------------------------------------------------------------


def _rewound(draft: FoldingGame, event: e.PlayRewound) -> None:
    draft.rolls = max(draft.rolls, event.rolls)
    draft.more.update(asked=None, awaits_dice="")
    draft.more["secrets_open"] = max(draft.now("secrets_open"), event.secrets_open)
    if event.kind != "redo":
        amends = event.kind == "amend" or draft.now("amending") is not None
        keep = Keep(policy=event.dice, to=event.to, tip=event.tip, fresh=event.fresh, amends=amends)
        draft.more["keep"] = None if event.dice == "reroll" else keep


def _amendment_stopped(draft: FoldingGame, event: e.AmendmentStopped) -> None:
    draft.more["amending"] = Amending(at=event.at, tip=event.tip, left=event.left, seat=event.seat)


def _amendment_ended(draft: FoldingGame, event: e.AmendmentEnded) -> None:
    draft.more["amending"] = None


def _rewind_asked(draft: FoldingGame, event: e.RewindAsked) -> None:
    draft.more["asked"] = Asked(seat=event.seat, side=event.side, to=event.to, why=event.why, dice=event.dice)


def _rewind_answered(draft: FoldingGame, event: e.RewindAnswered) -> None:
    asked = draft.now("asked")
    if asked is not None:
        yes = event.consents
        draft.more["asked"] = replace(asked, consents=(*asked.consents, event.side)) if yes else None


def _unreadable(draft: FoldingGame, event: e.Unreadable) -> None:
    if not draft.now("unreadable"):
        draft.more["unreadable"] = f"#{event.position} cannot be read by this edition ({event.kind}: {event.why})"


def _secrets_opened(draft: FoldingGame, event: e.SecretsOpened) -> None:
    draft.more["agreed_to_open"] = () if event.upto else (*draft.now("agreed_to_open"), event.side)
    draft.more["secrets_open"] = event.upto or draft.now("secrets_open")


def _message_sent(draft: FoldingGame, event: e.MessageSent) -> None:
    draft.more["couriers"] = (*draft.now("couriers"), event)
    draft.more["messages"] = event.message


def _message_held(draft: FoldingGame, event: e.MessageHeld) -> None:
    draft.more["couriers"] = tuple(
        replace(one, arrives=event.arrives, step=event.step) if one.message == event.message else one
        for one in draft.now("couriers")
        if one.message != event.message or event.arrives
    )


def _message_arrived(draft: FoldingGame, event: e.MessageArrived) -> None:
    draft.more["couriers"] = tuple(one for one in draft.now("couriers") if one.message != event.message)


def _said(draft: FoldingGame, event: AnyEvent) -> None:
    """Words for the record change nothing."""


_CASES: dict[type, Callable[[FoldingGame, Any], None]] = {
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
    e.RulingMade: _said,
    e.DisputeOpened: _said,
    e.DisputeSettled: _said,
    e.PlayRewound: _rewound,
    e.AmendmentStopped: _amendment_stopped,
    e.AmendmentEnded: _amendment_ended,
    e.RewindAsked: _rewind_asked,
    e.RewindAnswered: _rewind_answered,
    e.LineSealed: _said,
    e.SecretPeeked: _said,
    e.SecretsOpened: _secrets_opened,
    e.NoteAdded: _said,
    e.NoteSealed: _said,
    e.NoteOpened: _said,
    e.MessageSent: _message_sent,
    e.MessageHeld: _message_held,
    e.MessageArrived: _message_arrived,
    e.Unreadable: _unreadable,
}
