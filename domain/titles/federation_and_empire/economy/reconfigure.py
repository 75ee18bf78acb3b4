"""Reconfigure modular ships and HDWs in 3B2, at the cost of their movement and EPs (433.432, 525.222)."""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    empire_of,
    has,
    own_unit,
    refuse,
    rule_of,
    spent,
    this_turn,
)
from umpire_ledger.kit import Dice, Game, Name, Order, Reason, Result, UnitName, changed

Factor = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Reconfigure(Order, frozen=True, kw_only=True, tag="reconfigure"):
    """Reconfigure a modular ship or HDW; it does not move in this phase."""

    unit: UnitName
    kind: Name
    ep: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    attack: Factor | None = None
    defense: Factor | None = None


NUMBERS = {"modular": "433.432", "hdw": "525.222"}
"""Traits of units that may be reconfigured, with their rule numbers."""


def decide_reconfigure(game: Game, order: Reconfigure, _: Dice) -> list[Result]:
    """Give a modular ship or HDW another configuration, paid from its empire's treasury.

    Raises:
        RuleViolation: The unit is neither modular nor an HDW, has moved or been reconfigured, or is already of that
            kind; or the treasury has too few EPs.
    """
    unit, now = own_unit(game, order, order.unit), this_turn(game)
    number = next((rule for trait, rule in NUMBERS.items() if has(unit, trait)), "")
    if not number:
        raise refuse(game, "not-modular", "433.432", unit=unit.id)
    if now in (unit.get("moved"), unit.get("reconfigured")):
        raise refuse(
            game,
            "moved-or-reconfigured",
            number,
            unit=unit.id,
            why=Reason("moved", "has moved")
            if unit.get("moved") == now
            else Reason("reconfigured", "was reconfigured"),
        )
    before = str(unit.get("converted") or unit.kind)
    if before == order.kind:
        raise refuse(game, "same-kind-already", number, unit=unit.id, kind=order.kind)
    rule, cause = rule_of(game, number), f"reconfiguring {unit.id}"
    return [
        *spent(game, empire_of(unit), order.ep, cause, rule),
        *changed(unit, "reconfigured", now, cause, rule),
        *changed(unit, "converted", order.kind, f"{before} becomes {order.kind}", rule),
        *(changed(unit, "attack", order.attack, cause, rule) if order.attack is not None else ()),
        *(changed(unit, "defense", order.defense, cause, rule) if order.defense is not None else ()),
    ]
