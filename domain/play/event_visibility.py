"""Restrict the visibility of orders to hidden units: one public record of the order, and one private record of its
effects.

So other sides see the same number of records, whatever the effects are. Therefore an order that touches hidden units
has no other public effects. Its dice are private too, each in its own record, because verification recomputes them.
"""

from collections.abc import Iterator

import msgspec

from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import (
    DiceRolled,
    HiddenDone,
    HiddenOrdered,
    OrderGiven,
    RestrictedEvent,
    SideDone,
    UnitChanged,
    UnitCovered,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    UnitShown,
)
from umpire_ledger.domain.game.hidden_units import RULE, in_the_open, is_foggy, viewers_of
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.hide_and_show import covered, seers_of, verify_fog, verify_id, verify_own
from umpire_ledger.domain.kit.title import Closes, Finds, Result
from umpire_ledger.domain.play.refusals import REFUSALS

STEPS = (OrderGiven, SideDone, Closes, Finds, RestrictedEvent)
"""Results that may accompany hidden actions: moves through the sequence of play, and private records."""
DEEDS = (UnitPlaced, UnitMoved, UnitChanged, UnitRemoved, UnitShown)
SHOWS = (UnitCovered, UnitShown)


def state_for_decision(known: Game, order: o.Order) -> Game:
    """Return the game for a decision: the public board, or the seat's knowledge if the order names a hidden unit.

    So the public results of an order do not depend on hidden units of its side.
    """
    return known if not known.hidden or hidden_names(known, order) else in_the_open(known)


def restrict_visibility(game: Game, order: o.Order, results: list[Result]) -> list[Result]:
    """Return the results of an order, each as private as the unit that it touches. `game`: the game of the decision.

    Raises:
        RuleViolation: The order also has public effects, or touches units with different viewers.
    """
    results = _as_ordered(game, order, results)
    if not is_foggy(game):
        return results
    covered_now = {result.unit for result in results if isinstance(result, UnitCovered)}
    for result in results:
        if isinstance(result, UnitPlaced) and result.unit not in covered_now:
            verify_id(game, result, order.seat)
    veil = _Veil(game)
    parts = [(result, veil.eyes(result)) for result in results]
    named = hidden_names(game, order)
    thrown = any(isinstance(result, DiceRolled) for result in results)
    if not any(eyes for result, eyes in parts) and not (named and thrown):
        return results
    everyone = {eyes for _, eyes in parts if eyes} | {viewers_of(game, game.hidden[name].seen_by) for name in named}
    return list(_group_hidden(game, order, parts, everyone))


def _as_ordered(game: Game, order: o.Order, results: list[Result]) -> list[Result]:
    """Apply `hidden` and `only` of the generic orders, to decisions of a title and of the kit."""
    if isinstance(order, o.Place) and (order.hidden or order.only):
        verify_fog(game, "units can be hidden as they are placed")
        verify_own(game, order.seat, order.unit, order.side)
        seers = seers_of(game, order.side, order.only)
        return [replace(one, seen_by=seers) if isinstance(one, UnitPlaced) else one for one in results]
    if isinstance(order, o.Move) and order.only:
        verify_fog(game, "units can be hidden as they move")
        unit = game.units[order.unit]
        verify_own(game, order.seat, unit.id, unit.side)
        seers = seers_of(game, unit.side, order.only)
        held = game.hidden.get(unit.id)
        slips = [] if held is not None and held.seen_by == seers else covered(game, unit, seers, order.cause)
        return [*slips, *results]
    return results


def hidden_names(game: Game, order: o.Order) -> list[str]:
    """Return the hidden units that an order names."""
    return [name for name in _words(msgspec.to_builtins(order)) if name in game.hidden]


def _words(plain: object) -> Iterator[str]:
    match plain:
        case str():
            yield plain
        case dict():
            for one in plain.values():
                yield from _words(one)
        case list() | tuple():
            for one in plain:
                yield from _words(one)
        case _:
            pass


class _Veil:
    """The viewers of each unit, updated with each result."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._seen_by = {name: one.seen_by for name, one in game.hidden.items()}

    def eyes(self, result: Result) -> tuple[str, ...]:
        """Return the viewers of a result; () if all sides see it."""
        match result:
            case UnitPlaced(unit=unit, seen_by=seen_by) if seen_by:
                self._seen_by[unit] = seen_by
            case UnitShown(unit=unit, seen_by=seen_by):
                self._seen_by[unit] = seen_by
            case UnitChanged(unit=unit, attribute="side", after=after) if unit in self._seen_by:
                self._verify_new_owner(unit, str(after))
            case DiceRolled(subjects=subjects):
                return next((self._eyes_on(one) for one in subjects if self._seen_by.get(one)), ())
            case UnitPlaced() | UnitMoved() | UnitChanged() | UnitRemoved() | UnitCovered():
                pass
            case _:
                return ()
        return self._eyes_on(result.unit)

    def _eyes_on(self, unit: str) -> tuple[str, ...]:
        seen_by = self._seen_by.get(unit, ())
        return viewers_of(self._game, seen_by) if seen_by else ()

    def _verify_new_owner(self, unit: str, side: str) -> None:
        if side not in self._seen_by[unit]:
            raise _refuse(
                self._game, "unit-not-seen", side_does=self._game.side_does(side, "does"), unit=unit, side_id=side
            )


def _group_hidden(
    game: Game, order: o.Order, parts: list[tuple[Result, tuple[str, ...]]], everyone: set[tuple[str, ...]]
) -> Iterator[Result]:
    """Yield the results in order, with all hidden actions at the place of the first."""
    quiet = {eyes for result, eyes in parts if eyes and isinstance(result, DEEDS)}
    eyes = _one_pair_of_eyes(game, quiet or everyone)
    deeds = tuple(result for result, its_eyes in parts if its_eyes and isinstance(result, DEEDS))
    done = deeds[0] if len(deeds) == 1 else HiddenDone(events=deeds)
    hidden: list[Result] = [HiddenOrdered(side=game.side_of(order.seat)), RestrictedEvent(done, eyes)]
    for result, its_eyes in parts:
        if isinstance(result, DiceRolled):
            yield RestrictedEvent(result, eyes)
        elif its_eyes and isinstance(result, DEEDS):
            yield from hidden
            hidden = []
        elif its_eyes and isinstance(result, UnitCovered):
            yield RestrictedEvent(result, its_eyes)
        elif isinstance(result, (*STEPS, *SHOWS)) or _hides_what_all_saw(game, order):
            yield result  # Results of hiding a unit that everyone saw may be public.
        else:
            raise _in_the_open(game, result)
    yield from hidden


def _hides_what_all_saw(game: Game, order: o.Order) -> bool:
    """Return whether an order hides a unit that everyone saw, so that it may also have public results."""
    return isinstance(order, o.Hide) and any(one not in game.hidden for one in (order.unit, *order.units))


def _one_pair_of_eyes(game: Game, found: set[tuple[str, ...]]) -> tuple[str, ...]:
    if len(found) > 1:
        raise _refuse(game, "different-viewers")
    return next(iter(found))


def _in_the_open(game: Game, result: Result) -> RuleViolation:
    tag = str(type(result).__struct_config__.tag)
    return _refuse(game, "open-and-hidden-at-once", order=tag)


def _refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE)
