"""Captured ships: a prize of an earlier round gives +1 on the damage die, once, and is used up (5-4C2, 5-4D)."""

from umpire_ledger.domain.titles.federation_and_empire.empires import battle_unit, need_trait, refuse, rule_of
from umpire_ledger.kit import Dice, Game, Order, Result, UnitName, marked, names_in, removed, step_open


class UseCaptured(Order, frozen=True, kw_only=True, tag="use-captured"):
    """Announce that a captured ship gives +1 on your damage die."""

    unit: UnitName


def decide_use_captured(game: Game, order: UseCaptured, _: Dice) -> list[Result]:
    """A captured ship is used for +1 on the damage die; it is removed in 5-4D."""
    unit = battle_unit(game, order, order.unit)
    need_trait(game, unit, "captured", "captured ship", "305.21")
    used = names_in(game, "captured used")
    if unit.id in used:
        raise refuse(game, f"{unit.id} is used already", "`done`", "305.21")
    if (first := next((name for name in used if game.units[name].side == unit.side), "")) != "":
        raise refuse(game, f"{first} gives the +1 of this round", "`done`: use it in another round", "305.21")
    return marked(game, "captured used", (*used, unit.id), "", rule_of(game, "305.21"))


def captured_to_go(game: Game, side: str) -> tuple[str, ...]:
    """Captured ships of a side that are used up when 5-4C4 is left."""
    units = (game.units.get(name) for name in names_in(game, "captured used"))
    gone = ", ".join(unit.id for unit in units if unit and not unit.fate and unit.side == side)
    return (f"captured ships that are used up: {gone}",) if gone else ()


def remove_used(game: Game) -> list[Result]:
    """5-4D: captured ships that gave their +1 are gone."""
    units = (game.units.get(name) for name in names_in(game, "captured used"))
    rule = f"{step_open(game)} (305.21)"
    return [
        event for unit in units if unit and not unit.fate for event in removed(unit, "used up", "captured ship", rule)
    ]
