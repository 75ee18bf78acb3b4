"""Decide rescues of units by tugs assigned to this task, from a battle (5-6H) or a pursuit (5-8F, 5-8G)."""

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import battlers
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Pips,
    has,
    is_base,
    refuse,
    rule_of,
    serving,
    serving_unit,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import DIE
from umpire_ledger.kit import Dice, Game, Reason, Result, TableRoll, UnitName, changed, modifiers_of, step_open, word_of


class Rescue(TableRoll, frozen=True, kw_only=True, tag="rescue"):
    """Try to rescue a unit with an assigned tug; `at_least` if the scenario has no table `rescue`.

    With neither, the die is recorded, and the unit counts as rescued.
    """

    tug: UnitName
    unit: UnitName
    at_least: Pips | None = None


def rescuers(game: Game) -> tuple[str, ...]:
    """Return the sides with a tug that fights and was assigned to rescue ships (5-6H)."""
    ready = {unit.side for unit in serving(game) if has(unit, "tug") and unit.get("task") == "rescue"}
    return tuple(side for side in battlers(game) if side in ready)


def decide_rescue(game: Game, order: Rescue, dice: Dice) -> list[Result]:
    """Roll one die for a rescue by a tug.

    Raises:
        RuleViolation: The unit or tug does not fight; the unit is a base; the rescuer is not a tug, or is not assigned;
            or the tug has tried, or the unit was rescued, in this round.
    """
    tug, unit = serving_unit(game, order, order.tug), serving_unit(game, order, order.unit)
    number = "537.2" if step_open(game) == "5-6H" else "537.3"
    if is_base(unit):
        raise refuse(game, "base-not-towed", number, unit=unit.id)
    if "tug" not in tug.names("traits") or tug.id == unit.id:
        raise refuse(game, "not-a-tug-for-unit", number, tug=tug.id, unit=unit.id)
    if tug.get("task") != "rescue":
        at, name, given = ("5-3E", "rescues", "seal-force") if step_open(game) == "5-6H" else ("5-8D", "tugs", "stand")
        where = f"{at}, with the `{name}` argument of `{given}`"
        number = "537.2" if step_open(game) == "5-6H" else "537.3"
        raise refuse(game, "tug-not-assigned", number, tug=tug.id, step=where)
    if tug.get("rescuing") or unit.get("rescued_by"):
        failed = Reason("tug-has-tried", f"{tug.id} has already tried to rescue {tug.get('rescuing')}")
        busy = failed if tug.get("rescuing") else Reason("rescued-already", f"{unit.id} has already been rescued")
        raise refuse(game, "busy-this-round", number, why=busy)
    rule = rule_of(game)
    tries = changed(tug, "rescuing", unit.id, step_open(game), rule)
    purpose, about = f"{tug.id} rescues {unit.id}", (tug.id, unit.id)
    away = changed(unit, "rescued_by", tug.id, step_open(game), rule)
    if order.at_least is None and order.by_the_book is None and "rescue" not in game.tables:
        return [
            dice.roll(word_of(game, DIE), purpose=purpose, modifiers=modifiers_of(order), rule=rule, subjects=about),
            *tries,
            *away,
        ]
    tried = try_for(game, dice, order, "rescue", order.at_least, purpose, about)
    return [*tried.told, *(tries if tried.row else ()), *(away if tried.row == "success" else ())]
