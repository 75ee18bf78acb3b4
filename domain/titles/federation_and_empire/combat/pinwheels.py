"""Decide pinwheels (5-3F, 5-6G): sides declare their number before the reveal, and seal their ships with the force."""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.assignments import pinwheels_of, pinwheels_sealed
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import living, refuse, rule_of
from umpire_ledger.kit import ChoiceMade, Dice, Game, Order, Reason, Result, UnitOrNone, changed, choice_key, marked


class DeclarePinwheels(Order, frozen=True, kw_only=True, tag="declare-pinwheels"):
    """Declare how many pinwheels are formed, 0 to 9; their ships are revealed with the forces."""

    number: Annotated[int, msgspec.Meta(ge=0, le=9)]


class DissolvePinwheel(Order, frozen=True, kw_only=True, tag="dissolve-pinwheel"):
    """Dissolve a pinwheel; `ship`: one of its ships, if you have several pinwheels."""

    ship: UnitOrNone = ""


def decide_declare_pinwheels(game: Game, order: DeclarePinwheels, _: Dice) -> list[Result]:
    """Declare the number of pinwheels.

    Raises:
        RuleViolation: The number differs from the pinwheels sealed in 5-3E and left from earlier rounds, or is declared
            a second time.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "322.1")
    formed = pinwheels_sealed(game, side)
    if order.number != formed:
        raise refuse(game, "too-many-pinwheels", "322.1", limit=formed, given=order.number)
    if game.markers.get("pinwheels") is not None and choice_key("pinwheels", side) in game.choices:
        raise refuse(game, "pinwheels-declared-already", "322.1", given=order.number)
    said = ChoiceMade(question="pinwheels", side=side, choice=order.number, rule=rule)
    return [said, *marked(game, "pinwheels", order.number, "declared", rule)]


def _why_none(order: DissolvePinwheel) -> Reason:
    if order.ship:
        return Reason("ship-in-no-pinwheel", f"{order.ship} is not in one of your pinwheels")
    return Reason("ship-not-named", "the order does not name the pinwheel")


def decide_dissolve_pinwheel(game: Game, order: DissolvePinwheel, _: Dice) -> list[Result]:
    """Dissolve a pinwheel of the side.

    Raises:
        RuleViolation: The side has none, or several and the order does not name a ship of one.
    """
    mine = pinwheels_of(game, game.side_of(order.seat))
    ship = game.units.get(order.ship)
    named = ship.get("pinwheel") if ship is not None else mine[0] if len(mine) == 1 and not order.ship else None
    if named not in mine:
        raise refuse(game, "not-in-pinwheel" if mine else "no-pinwheel", "322.54", why=_why_none(order), units=mine)
    rule = rule_of(game, "322.54")
    return [
        event
        for unit in sorted(living(game), key=lambda unit: unit.id)
        if unit.get("pinwheel") == named
        for event in changed(unit, "pinwheel", None, "dissolved", rule)
    ]


def pinwheels_declared(game: Game, _: str) -> bool:
    return game.markers.get("pinwheels") is not None


def pinwheels_formed(game: Game, _: str) -> bool:
    """Check whether a pinwheel was declared in this round, or is in the hex."""
    return game.number("pinwheels") > 0 or bool(pinwheels_of(game))


def pinwheels_stand(game: Game, _: str) -> bool:
    """Check whether a pinwheel was formed and not dissolved."""
    return bool(pinwheels_of(game))


def pinwheel_owners(game: Game) -> tuple[str, ...]:
    """Return the sides with pinwheels in the hex."""
    return tuple(side for side in game.side_ids if pinwheels_of(game, side))
