"""Turn an order into events: admit it, call the function that decides it, and advance through the sequence.

    read_order ─► seat may? step allows? ─► the order's decision ─► PlayAdvancer ─► Decision

`decide` may refuse and is the only place that applies rules. It writes nothing: the caller records all events of a
`Decision` together, or none of them. Automatic moves (`flow.automatic_moves`) are tried only if an order is refused at
the present step. If the order is then accepted, they are emitted before its own events.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple

from umpire_ledger.domain.flow.admission import admit
from umpire_ledger.domain.flow.advance import PlayAdvancer
from umpire_ledger.domain.flow.automatic_moves import FARTHEST, make_automatic_move
from umpire_ledger.domain.flow.available_orders import acting_now, where_now
from umpire_ledger.domain.flow.open_steps import acting, at_step, open_steps, rule_of, waiting_loop, waits_in
from umpire_ledger.domain.flow.order_scope import verify_scope
from umpire_ledger.domain.flow.queries import owed
from umpire_ledger.domain.flow.repeated_units import verify_named_once
from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.dice import dice_for
from umpire_ledger.domain.game.errors import NothingDecided, RuleViolation, UnknownName
from umpire_ledger.domain.game.events import (
    AnyEvent,
    GameEnded,
    OrderGiven,
    PlayRewound,
    RestrictedEvent,
    SeatKeyed,
    SeatTaken,
)
from umpire_ledger.domain.game.evolve import evolve, fold
from umpire_ledger.domain.game.hidden_units import in_the_open, known_to
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game
from umpire_ledger.domain.game.unknown_names import no_such_seat, no_such_side
from umpire_ledger.domain.history.consent import decide_ask, decide_consent, decide_refusal
from umpire_ledger.domain.history.couriers import decide_hold, decide_message, with_arrivals
from umpire_ledger.domain.history.dice_seeds import is_open, open_dice, rewind_with_dice
from umpire_ledger.domain.history.dice_shares import decide_seat_dice
from umpire_ledger.domain.history.disputes import decide_dispute, decide_settle
from umpire_ledger.domain.history.end_of_game_reveal import decide_open_secrets, verify_hand_may_ask, verify_opens_own
from umpire_ledger.domain.history.notes import decide_note
from umpire_ledger.domain.history.reused_rolls import RollReuser
from umpire_ledger.domain.history.sealed_orders import decide_open_words, decide_seal_words
from umpire_ledger.domain.history.seals import decide_seal
from umpire_ledger.domain.history.seat_keys import decide_key, verify_key
from umpire_ledger.domain.history.undo_and_rewind import History, decide_redo, decide_rewind, decide_undo
from umpire_ledger.domain.kit.generic import GENERIC
from umpire_ledger.domain.kit.title import Result, Title
from umpire_ledger.domain.kit.title_errors import nothing_decided
from umpire_ledger.domain.play.event_visibility import restrict_visibility, state_for_decision
from umpire_ledger.domain.play.refusals import REFUSALS, refuse
from umpire_ledger.domain.play.roll_guard import Throws, roll_once
from umpire_ledger.domain.play.rulings import decide_peek, decide_rule, where_made
from umpire_ledger.domain.play.searches import searched
from umpire_ledger.domain.play.steps import decide_done, decide_excuse, decide_pick, leave_after
from umpire_ledger.domain.play.witnessed_dice import asked as asked_for, verify_is_awaited
from umpire_ledger.domain.sequence.conditions import Given, parts_of
from umpire_ledger.domain.sequence.constructs import Step


def decide(title: Title, game: Game, sent: Sent, history: History) -> Decision:
    """Return the decision of an order.

    Raises:
        RuleViolation: The order is refused. Nothing has changed.
    """
    try:
        return with_arrivals(_decided(title, game, sent, history))
    except RuleViolation as refused:
        # A decision does not know the sequence, so its refusal names all sides even if they act in turn.
        refused.where = where_now(title, game) if refused.where == game.where else refused.where
        raise


def _decided(title: Title, game: Game, sent: Sent, history: History) -> Decision:
    order, game = sent.order, in_the_open(game)
    _verify_seat(game, order)
    _verify_readable(game, order)
    verify_hand_may_ask(game, sent)
    dice = _dice_for(title, game, sent, history)
    decision_input = DecisionInput(title, game, order, dice, history, sent.seed, hand=sent.hand)
    _verify_may_leave(title, game, sent)
    if type(order) not in DECIDES or isinstance(order, o.Rule):
        verify_is_awaited(title, game, sent, history)
    if type(order) not in DECIDES:
        return _play(decision_input, sent)
    begun = _state_before_roll(decision_input)
    return roll_once(
        begun,
        lambda: _dice_for(title, begun.game, sent, history),
        lambda throws: _decide_from_history(decision_input._replace(dice=throws, begun=begun)),
        lambda trial: asked_for(game, order.seat, begun, trial),
    )


def _state_before_roll(decision_input: "DecisionInput") -> Decision:
    """Return the state in which an order rolls. A ruling may rewind first, and its dice may differ afterwards."""
    game, order = decision_input.game, decision_input.order
    if not isinstance(order, o.Rule):
        return Decision(told=(), game=game)

    def go_back(back: o.Order) -> Decision:
        return DECIDES[type(back)](decision_input._replace(order=back))

    return where_made(game, order, decision_input.history, go_back)


def _decide_from_history(decision_input: "DecisionInput") -> Decision:
    decision = DECIDES[type(decision_input.order)](decision_input)
    decision_input.dice.finish()
    verify_opens_own(decision_input.game, decision_input.hand, decision.told)
    return decision


def _dice_for(title: Title, game: Game, sent: Sent, history: History) -> Throws:
    keeper = RollReuser(title, game, sent.order, history) if game.active_keep else None
    return dice_for(game, sent.pips, keeper, lambda: is_open(game, history))


def _verify_may_leave(title: Title, game: Game, sent: Sent) -> None:
    """Check that an order with `leave` is an action in a step."""
    order = sent.order
    if sent.leave and (type(order) in DECIDES or isinstance(order, (o.Done, o.Pick, o.Excuse)) or not title.sequence):
        raise refuse(game, "no-step-to-leave", "leave", order=order.tag())


def _verify_readable(game: Game, order: o.Order) -> None:
    """Check that this edition can read the state. After an unreadable record, only undo, rewind and comments are."""
    if game.unreadable and not isinstance(order, (o.Undo, o.Rewind, *SPOKEN)):
        raise refuse(game, "unreadable-records", "unreadable records", unreadable=game.unreadable)


def _verify_seat(game: Game, order: o.Order) -> None:
    seat = order.seat
    if seat != REFEREE and not game.side_of(seat):
        known = ", ".join((*game.side_ids, *game.seats, REFEREE))
        if seat != SPECTATOR:
            raise no_such_seat(game, seat, known, "act as")
        code, fields = "spectator-gives-no-orders", {"known": known}
        raise refusal(UnknownName, REFUSALS, code, fields, where=game.where, rule="seats")
    if isinstance(order, o.REFEREE_ORDERS) and seat != REFEREE and not isinstance(order, o.Rewind):
        raise refuse(game, "only-for-the-referee", "seats", order=order.tag())


SPOKEN = (o.Note, o.Dispute, o.Settle, o.Seal)
"""Orders that may be given even in a state that this edition cannot read."""


class DecisionInput(NamedTuple):
    """An order, and everything that its decision may read."""

    title: Title
    game: Game
    order: Any
    dice: Throws
    history: History
    seed: str = ""
    begun: Decision | None = None
    hand: str = ""


# --- orders that read the log -----------------------------------------------------------------------------------------


def _decision_or_rewind(decision_input: DecisionInput, event: AnyEvent) -> Decision:
    """Return the decision of one event. A rewind applies to the state at its target and restores the dice there."""
    if isinstance(event, PlayRewound):
        return rewind_with_dice(decision_input.game, event, decision_input.history, decision_input.seed)
    return Decision(told=(event,), game=evolve(decision_input.game, event))


def _from_log(decides: Callable[[Game, Any, History], AnyEvent]) -> Callable[[DecisionInput], Decision]:
    """Return the decision of an order whose one event follows from the game, the order and the log."""
    return lambda given: _decision_or_rewind(given, decides(given.game, given.order, given.history))


def _ask_rewind(decision_input: DecisionInput) -> Decision:
    return _decision_or_rewind(
        decision_input,
        decide_ask(decision_input.title, decision_input.game, decision_input.order, decision_input.history),
    )


def _consent(decision_input: DecisionInput) -> Decision:
    return _decision_or_rewind(
        decision_input,
        decide_consent(decision_input.title, decision_input.game, decision_input.order, decision_input.history),
    )


def _refuse_rewind(decision_input: DecisionInput) -> Decision:
    return _decision_or_rewind(
        decision_input, decide_refusal(decision_input.title, decision_input.game, decision_input.order)
    )


def _amend(decision_input: DecisionInput) -> Decision:
    raise refuse(decision_input.game, "only-one-order", "amend")


def _rule(decision_input: DecisionInput) -> Decision:
    assert decision_input.begun is not None
    return decide_rule(
        decision_input.title, decision_input.game, decision_input.order, decision_input.dice, decision_input.begun
    )


# --- orders outside the sequence of play ------------------------------------------------------------------------------


def _note(decision_input: DecisionInput) -> Decision:
    told = decide_note(decision_input.game, decision_input.order, decision_input.history)
    return Decision(told=(told,), game=fold(decision_input.game, events_of((told,))))


def _seat(decision_input: DecisionInput) -> Decision:
    return _decision_of(decision_input.game, *_take_seat(decision_input.game, decision_input.order))


def _key(decision_input: DecisionInput) -> Decision:
    return _decision_of(decision_input.game, decide_key(decision_input.game, decision_input.order))


def _decision_of(game: Game, *events: AnyEvent) -> Decision:
    return Decision(told=events, game=fold(game, events))


def _seat_dice(decision_input: DecisionInput) -> Decision:
    return _decision_of(decision_input.game, decide_seat_dice(decision_input.game, decision_input.order))


def _dice(decision_input: DecisionInput) -> Decision:
    return open_dice(decision_input.game, decision_input.history, decision_input.seed)


def _message(decision_input: DecisionInput) -> Decision:
    return _on_its_way(
        decision_input, decide_message(decision_input.game, decision_input.order, _places(decision_input.title))
    )


def _hold(decision_input: DecisionInput) -> Decision:
    return _on_its_way(
        decision_input, decide_hold(decision_input.game, decision_input.order, _places(decision_input.title))
    )


def _on_its_way(decision_input: DecisionInput, told: RestrictedEvent) -> Decision:
    return Decision(told=(told,), game=evolve(decision_input.game, told.event))


def _places(title: Title) -> Collection[object]:
    """Return the places of a title's sequence; () without a sequence."""
    return title.plan.places.values() if title.sequence is not None else ()


def _seal_words(decision_input: DecisionInput) -> Decision:
    return Decision(told=(decide_seal_words(decision_input.game, decision_input.order),), game=decision_input.game)


def _end(decision_input: DecisionInput) -> Decision:
    _verify_going_on(decision_input.game)
    return _decision_or_rewind(
        decision_input, GameEnded(why=decision_input.order.reason, winner=decision_input.order.winner)
    )


DECIDES: Mapping[type[o.Order], Callable[[DecisionInput], Decision]] = {
    o.Undo: _from_log(decide_undo),
    o.Redo: _from_log(decide_redo),
    o.Rewind: _from_log(decide_rewind),
    o.AskRewind: _ask_rewind,
    o.Consent: _consent,
    o.Refuse: _refuse_rewind,
    o.Amend: _amend,
    o.Amending: _amend,
    o.Rule: _rule,
    o.Dispute: _from_log(decide_dispute),
    o.Settle: _from_log(decide_settle),
    o.Seal: _from_log(decide_seal),
    o.Peek: _from_log(decide_peek),
    o.Note: _note,
    o.TakeSeat: _seat,
    o.GiveKey: _key,
    o.SeatDice: _seat_dice,
    o.OpenDice: _dice,
    o.OpenSecrets: _from_log(decide_open_secrets),
    o.SendMessage: _message,
    o.HoldMessage: _hold,
    o.SealWords: _seal_words,
    o.OpenWords: _from_log(decide_open_words),
    o.End: _end,
}
"""Decisions of all orders that are not play."""


def _take_seat(game: Game, order: o.TakeSeat) -> Iterator[AnyEvent]:
    if order.side not in game.side_ids:
        raise no_such_side(game, order.side, rule="seats")
    if order.taker in (*game.side_ids, *game.seats, REFEREE, SPECTATOR):
        raise refuse(game, "seat-taken", "seats", seat=order.taker)
    yield SeatTaken(seat=order.taker, side=order.side, name=order.name)
    if order.key:
        verify_key(order.key, game.where)
        yield SeatKeyed(seat=order.taker, key=order.key)


# --- play -------------------------------------------------------------------------------------------------------------


def _play(decision_input: DecisionInput, sent: Sent) -> Decision:
    """Decide an order at the present step; if it is refused there, try again after each automatic move.

    If it is refused everywhere, return the refusal of the first place at which it could be given.
    """
    title, game, order = decision_input.title, decision_input.game, decision_input.order
    _verify_going_on(game)
    side, walk = game.side_of(order.seat), PlayAdvancer(title, game)
    try:
        return _from(walk, decision_input, sent)
    except RuleViolation as violation:
        refusal, could = violation, _could_be_given(title, game, order)
    ahead = PlayAdvancer(title, game)
    for _ in range(0 if _is_meant_here(game, order, side) else FARTHEST):
        if not make_automatic_move(ahead, side) or ahead.game.ended:
            break
        try:
            return _from(ahead, decision_input._replace(game=ahead.game), sent)
        except RuleViolation as violation:
            violation.where = where_now(title, ahead.game) if violation.where == ahead.game.where else violation.where
            if (farther := _could_be_given(title, ahead.game, order)) > could:
                refusal, could = violation, farther
    raise refusal


def _from(walk: PlayAdvancer, decision_input: DecisionInput, sent: Sent) -> Decision:
    """Decide an order at the place that a walk has reached; the walk's events come first."""
    before = Decision(told=tuple(walk.told), game=walk.game)
    return roll_once(
        before,
        lambda: _dice_for(decision_input.title, walk.game, sent, decision_input.history),
        lambda dice: _by_kind(walk.copy(), decision_input._replace(dice=dice), sent.leave),
        lambda trial: asked_for(decision_input.game, decision_input.order.seat, before, trial),
    )


def _is_meant_here(game: Game, order: o.Order, side: str) -> bool:
    """Return whether an order concerns only the present step, so that automatic moves cannot help.

    Such orders are those of the referee, and a bare `done` of a side that play waits for.
    """
    is_bare = isinstance(order, o.Done) and not (order.step or order.answer or order.until or order.rest)
    return not side or isinstance(order, o.Excuse) or (is_bare and side in game.cursor.waiting())


def _by_kind(walk: PlayAdvancer, decision_input: DecisionInput, leave: str) -> Decision:
    match decision_input.order:
        case o.Done():
            decide_done(walk, decision_input.order)
        case o.Pick():
            decide_pick(walk, decision_input.order)
        case o.Excuse():
            decide_excuse(walk, decision_input.order)
        case _:
            step = _carry_out(walk, decision_input)
            if leave and not walk.game.ended:
                leave_after(walk, decision_input.order.seat, step, leave)
    decision_input.dice.finish()
    verify_opens_own(decision_input.game, decision_input.hand, walk.told)
    return Decision(told=tuple(walk.told), game=walk.game)


def _could_be_given(title: Title, game: Game, order: o.Order) -> int:
    """Return how well an order matches a place, apart from its arguments: 2 for its side, 1 for another side, else 0.

    If a side must pick, `done` counts as 1, because that refusal helps it most.
    """
    side, steps = game.side_of(order.seat), open_steps(title, game)
    picks = waiting_loop(title, game) is not None
    if isinstance(order, o.Pick):
        return picks + (picks and side in game.cursor.waiting())
    if isinstance(order, o.Done):
        here = [step for step in steps if order.step in ("", step.id)]
        return 2 if any(side in waits_in(game, step) for step in here) else int(bool(here) or picks)
    here = [step for step in steps if type(order) in step.allows]
    return 2 if any(side in acting(title, game, step) for step in here) else int(bool(here))


def _carry_out(walk: PlayAdvancer, decision_input: DecisionInput) -> str:
    """Carry out an order of the title or a generic one, under the step that admits it, and return that step."""
    title, game, order, dice, *_ = decision_input
    step = dice.step = admit(title, game, order)
    known = known_to(game, order.seat)
    verify_scope(title, known, order, step)
    verify_named_once(game, order, rule_of(title, game, step))
    walk.decision = decides = decision_of(title, type(order))
    here = at_step(state_for_decision(known, order), step)
    try:
        results = searched(game, order, restrict_visibility(here, order, decides(here, order, dice)))
    except RuleViolation as refused:
        refused.where = game.where if refused.where == here.where else refused.where
        refused.remedy = _where_it_leads(title, game, game.side_of(order.seat), refused.remedy)
        raise
    results = _with_given(title, game, order, step, results)
    if not results:
        raise _nothing_decided(title, game, order, step)
    if any(one.id == step for one in title.plan.anytime):
        walk.carry_out_anytime(results, step)
    else:
        walk.carry_out(results, step, game.side_of(order.seat))
    return step


def _nothing_decided(title: Title, game: Game, order: o.Order, step: str) -> RuleViolation | NothingDecided:
    """Return the error of a decision without an event: a refusal if the scenario brought the sequence, else a fault."""
    if not game.sequence:
        return nothing_decided(title.id, game, decision_of(title, type(order)))
    return refuse(game, "changes-nothing", rule_of(title, game, step), order=order.tag())


def _where_it_leads(title: Title, game: Game, side: str, remedy: str) -> str:
    """Return a remedy without `done` if the side cannot end its step now. Decisions know neither `needs` nor turns."""
    if not side or title.sequence is None or not BARE_DONE.search(remedy):
        return remedy
    mine = [step for step in open_steps(title, game) if side in waits_in(game, step)]
    if not mine:
        others = " and ".join(map(game.side_name, acting_now(title, game)))
        return BARE_DONE.sub(f"wait for {others}", remedy) if others else remedy
    owes = any(owed(title, game, step, side) for step in mine)
    return BARE_DONE.sub("`done` after the required orders", remedy) if owes else remedy


BARE_DONE = re.compile(r"(?:end the \w+: )?`done`(?! with)")
"""Matches the part of a remedy that suggests ending the step without an answer."""


def _verify_going_on(game: Game) -> None:
    if game.ended:
        raise refuse(game, "game-over", "the end", ended=game.ended)


def decision_of(title: Title, order: type[o.Order]) -> Any:
    """Return the function that decides an order: the title's own, or the generic one."""
    return title.decisions.get(order) or GENERIC[order]


def _with_given(title: Title, game: Game, order: o.Order, step_id: str, results: list[Result]) -> list[Result]:
    """Add a record that the order was given, if a condition of the step tests that."""
    step = title.plan.step(step_id) if step_id else None
    if step is None or order.tag() not in _asked_for(step):
        return results
    return [OrderGiven(step=step_id, order=order.tag(), side=game.side_of(order.seat)), *results]


def _asked_for(step: Step) -> set[str]:
    conditions = (step.needs, *(go.when for go in step.then), *(answer.when for answer in step.answers))
    return {leaf.order for condition in conditions for leaf in parts_of(condition) if isinstance(leaf, Given)}
