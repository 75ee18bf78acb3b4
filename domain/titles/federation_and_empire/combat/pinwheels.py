"""Pinwheels (5-3F, 5-6G): their number is said before the reveal, their ships are sealed with the force."""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.assignments import pinwheels_of, pinwheels_sealed
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import living, refuse, rule_of
from umpire_ledger.kit import ChoiceMade, Dice, Game, Order, Result, UnitOrNone, changed, choice_key, marked


class DeclarePinwheels(Order, frozen=True, kw_only=True, tag="declare-pinwheels"):
    """Declare how many pinwheels are formed, 0 to 9; which ships form them is opened with the forces."""

    number: Annotated[int, msgspec.Meta(ge=0, le=9)]


class DissolvePinwheel(Order, frozen=True, kw_only=True, tag="dissolve-pinwheel"):
    """One pinwheel is dissolved; `ship`: one of its ships, where there are several."""

    ship: UnitOrNone = ""


def decide_declare_pinwheels(game: Game, order: DeclarePinwheels, _: Dice) -> list[Result]:
    """Raises RuleViolation for another number than was formed: sealed in 5-3E, or standing from an earlier round."""
    side, rule = game.side_of(order.seat), rule_of(game, "322.1")
    formed = pinwheels_sealed(game, side)
    if order.number != formed:
        raise refuse(game, "too-many-pinwheels", "322.1", limit=formed, given=order.number)
    if game.markers.get("pinwheels") is not None and choice_key("pinwheels", side) in game.choices:
        raise refuse(game, "pinwheels-declared-already", "322.1", given=order.number)
    said = ChoiceMade(question="pinwheels", side=side, choice=order.number, rule=rule)
    return [said, *marked(game, "pinwheels", order.number, "declared", rule)]


def decide_dissolve_pinwheel(game: Game, order: DissolvePinwheel, _: Dice) -> list[Result]:
    """Raises RuleViolation when there is none of yours, or it is not said which."""
    mine = pinwheels_of(game, game.side_of(order.seat))
    ship = game.units.get(order.ship)
    named = ship.get("pinwheel") if ship is not None else mine[0] if len(mine) == 1 and not order.ship else None
    if named not in mine:
        what = f"{order.ship} is in no pinwheel of yours" if order.ship else "the order does not say which pinwheel"
        what = what if mine else "there is no pinwheel of yours"
        raise refuse(game, "not-in-pinwheel" if mine else "no-pinwheel", "322.54", why=what, units=mine)
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
    """Whether a pinwheel was declared in this round, or stands in the hex."""
    return game.number("pinwheels") > 0 or bool(pinwheels_of(game))


def pinwheels_stand(game: Game, _: str) -> bool:
    """Whether a pinwheel was formed and not dissolved."""
    return bool(pinwheels_of(game))


def pinwheel_owners(game: Game) -> tuple[str, ...]:
    """The sides whose pinwheels stand in the hex."""
    return tuple(side for side in game.side_ids if pinwheels_of(game, side))
