"""Roll for the fate of single units after a round.

The dice are for SWACs (5-4F), SAFs (5-5E), Prime Teams and leaders of lost ships, and shock (5-6D). The numbers needed
are in chapters that we do not have, so a table of the scenario or the order states them.
"""

from collections.abc import Callable, Iterator
from typing import Literal

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import battlers, enemy_unit
from umpire_ledger.domain.titles.federation_and_empire.combat.losses import harm, lost_with
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Pips,
    has,
    hex_in_hand,
    is_crippled,
    living,
    own_unit,
    printed,
    refuse,
    round_mark,
    rule_of,
    serving,
    try_for,
    verify_not_frozen,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import DIE
from umpire_ledger.kit import (
    Dice,
    Game,
    Reason,
    Result,
    RollTable,
    TableOutcome,
    TableRoll,
    Unit,
    UnitName,
    changed,
    modifiers_of,
    on_table,
    removed,
    replace,
    step_open,
    word_of,
)


class RollFate(TableRoll, frozen=True, kw_only=True, tag="roll-fate"):
    """Roll for one unit: whether a SWAC, a Prime Team or a leader survives, or what shock does to a ship.

    `at_least`: the lowest die that saves it, if the scenario has no table. `suffer` records the effect of shock.
    """

    unit: UnitName
    at_least: Pips | None = None


class StrikeSaf(TableRoll, frozen=True, kw_only=True, tag="strike-saf"):
    """Roll for a SAF that was aimed in 5-4A6; the SAF is used up.

    The scenario's table `saf` gives the result for the target. Without the table, give the `result` of a roll of
    `at_least` or more; if you roll your own dice, give only the `result` from your chart.
    """

    unit: UnitName
    result: Literal["", "crippled", "destroyed", "missed"] = ""
    at_least: Pips | None = None


# --- units that need a die --------------------------------------------------------------------------------------------


def _swacs(game: Game, side: str) -> Iterator[Unit]:
    return (unit for unit in serving(game, side) if has(unit, "swac") and unit.get("task") is not None)


def _shocked(game: Game, side: str) -> Iterator[Unit]:
    """Yield the ships of a side that announced factors in 5-4B, and its maulers that were used, if they still fight."""
    return (unit for unit in serving(game, side) if unit.get("shock") is not None or unit.get("mauls"))


def owners_of_shock(game: Game) -> tuple[str, ...]:
    """Return the sides with a ship that may suffer shock; the others have nothing to resolve (5-6D)."""
    return tuple(side for side in battlers(game) if any(_shocked(game, side)))


def without_ship(game: Game, side: str, trait: str) -> Iterator[Unit]:
    """Yield the leaders or teams of a side in the hex whose ship was destroyed or captured."""
    place = hex_in_hand(game)
    for unit in living(game):
        ship = game.units.get(str(unit.get("aboard") or ""))
        here = unit.side == side and unit.at == place and has(unit, trait)
        if here and ship is not None and (ship.fate or ship.side != side):
            yield unit


def _on_assault(game: Game, side: str) -> Iterator[Unit]:
    """Yield the Prime Teams with a mission, aboard a ship that has assaulted in this round."""
    here = {unit.id for unit in serving(game, side) if unit.get("fought") == "5-6X4"}
    return (unit for unit in living(game) if has(unit, "team") and unit.get("task") and unit.get("aboard") in here)


WHOSE: dict[str, tuple[str, str, Callable[[Game, str], Iterator[Unit]]]] = {
    "5-4F": ("518.33", "swac-survival", _swacs),
    "5-6C": ("522.32", "prime-team", lambda game, side: without_ship(game, side, "team")),
    "5-6D": ("308.42, 311.21", "shock", _shocked),
    "5-6X2": ("316.31", "leader-fate", lambda game, side: without_ship(game, side, "leader")),
    "5-6X4": ("522.4", "prime-team", _on_assault),
}
"""By step: rule number, the scenario's table, and the units of a side that need a die."""


OF_LOST_SHIPS = ("5-6C", "5-6X2")
"""Steps with a die for units whose ship was destroyed or captured."""


def losers_of_teams(game: Game) -> tuple[str, ...]:
    """Return the sides with a Prime Team whose ship was destroyed or captured (5-6C)."""
    return tuple(side for side in battlers(game) if any(without_ship(game, side, "team")))


def rolled_for(game: Game, side: str, step: str = "") -> tuple[Unit, ...]:
    """Return the units of a side, by id, that still need a die in the open step, or in the step that is named."""
    label = step or printed(step_open(game))
    if label not in WHOSE:
        return ()
    found = (unit for unit in WHOSE[label][2](game, side) if unit.get("fate_rolled") != _once(game, label))
    return tuple(sorted(found, key=lambda unit: unit.id))


def _once(game: Game, label: str) -> str:
    return f"{label} at {round_mark(game)}"


def fate_is_due(game: Game, side: str) -> bool:
    """Check whether a unit of the side still needs a die in the open step."""
    return bool(rolled_for(game, side))


def decide_roll_fate(game: Game, order: RollFate, dice: Dice) -> list[Result]:
    """Roll a unit's one die of the round; a SWAC, team or leader without success is lost.

    Raises:
        RuleViolation: The unit needs no die here, or its die is already rolled.
    """
    label, unit = printed(step_open(game)), own_unit(game, order, order.unit)
    number, table, _ = WHOSE[label]
    waits = rolled_for(game, unit.side)
    if unit not in waits:
        able = ", ".join(one.id for one in waits)
        is_rolled = unit.get("fate_rolled") == _once(game, label)
        thrown = Reason("die-thrown-already", "its die has already been rolled")
        why = thrown if is_rolled else Reason("needs-no-die", "it needs no die")
        raise refuse(
            game, "cannot-be-chosen" if able else "none-can-be-chosen", number, unit=unit.id, why=why, units=able
        )
    rule, purpose = rule_of(game, number), f"{'shock' if label == '5-6D' else 'fate'} of {unit.id}"
    noted = changed(unit, "fate_rolled", _once(game, label), "", rule)
    if label == "5-6D" and order.at_least is None and order.by_the_book is None and table not in game.tables:
        plus = modifiers_of(order)
        rolled = dice.roll(word_of(game, DIE), purpose=purpose, modifiers=plus, rule=rule, subjects=(unit.id,))
        return [rolled, *noted]
    tried = try_for(game, dice, order, table, order.at_least, purpose, (unit.id,))
    if tried.row is None:
        return list(tried.told)
    lost = label != "5-6D" and tried.row != "success"
    if lost:
        return [*tried.told, *noted, *removed(unit, "lost", purpose, rule)]
    if label == "5-6D":
        return [*tried.told, *noted, *changed(unit, "shocked", tried.said, purpose, rule)]
    survived = changed(unit, "aboard", None, "the ship is lost", rule) if label in OF_LOST_SHIPS else []
    return [*tried.told, *noted, *survived]


# --- shock ------------------------------------------------------------------------------------------------------------


def shock_to_suffer(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the ships of a side whose shock die has failed, and that have not yet suffered the loss (5-6D)."""
    return tuple(unit for unit in serving(game, side) if unit.get("shocked") == "failure")


def shock_is_due(game: Game, side: str) -> bool:
    return bool(shock_to_suffer(game, side))


def verify_shocked(game: Game, unit: Unit, outcome: str) -> None:
    """Check that a ship may suffer a loss from shock (5-6D).

    Raises:
        RuleViolation: The ship's die is not rolled, has saved the ship, or has already caused its loss; or the order
            states a retreat.
    """
    if step_open(game) != "5-6D":
        return
    if unit.get("fate_rolled") != _once(game, "5-6D"):
        raise refuse(game, "fate-not-rolled", "308.42, 311.21", unit=unit.id)
    if unit.get("shocked") not in (None, "failure"):
        is_saved = unit.get("shocked") == "success"
        why = Reason("saved", "has saved it") if is_saved else Reason("lost", "has destroyed it")
        raise refuse(game, "fate-used", "308.42, 311.21", unit=unit.id, why=why)
    if outcome == "retreats":
        raise refuse(game, "shock-does-not-retreat", "308.42, 311.21", unit=unit.id)


def survived_its_die(game: Game, unit: Unit) -> bool:
    """Check whether a leader or team in play has had its die in the open step, and so survived it."""
    return unit.get("fate_rolled") == _once(game, printed(step_open(game)))


# --- SAF --------------------------------------------------------------------------------------------------------------


def aimed(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the SAFs of a side, not frozen, that were aimed at a fixed unit in this round and have not struck."""
    able = (unit for unit in serving(game, side) if has(unit, "saf") and not unit.get("frozen"))
    return tuple(unit for unit in able if unit.get("aims"))


def saf_is_due(game: Game, side: str) -> bool:
    return bool(aimed(game, side))


def decide_strike_saf(game: Game, order: StrikeSaf, dice: Dice) -> list[Result]:
    """Roll the die of a SAF, apply the result to its target and remove the SAF (520.43).

    Raises:
        RuleViolation: The SAF was not aimed in 5-4A6; the order states a loss of a frozen base; or neither a table nor
            the order gives the results.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "520.4")
    found = next((unit for unit in aimed(game, side) if unit.id == order.unit), None)
    if found is None:
        able = ", ".join(unit.id for unit in aimed(game, side)) or "none: `done`"
        raise refuse(game, "not-aimed", "520.4", unit=order.unit, units=able)
    name = str(found.get("aims"))
    if order.result not in ("", "missed"):
        verify_not_frozen(game, game.units[name])
    struck = _struck(game, order, dice, found, name)
    if struck.row is None:
        return list(struck.told)
    gone = [*lost_with(game, found, rule), *removed(found, "used up", "SAF", rule_of(game, "520.43"))]
    return [*struck.told, *_hit_by_saf(game, side, game.units[name], struck.said, rule), *gone]


SAF = RollTable("saf", Literal["crippled", "destroyed", "missed"])


def _struck(game: Game, order: StrikeSaf, dice: Dice, saf: Unit, target: str) -> TableOutcome:
    """Return the die of a SAF and its result.

    Raises:
        RuleViolation: The order states a result although the table gives it, or there is no table and the order does
            not state the result before the roll.
    """
    rule, purpose, about = rule_of(game, "520.4"), f"SAF {saf.id} against {target}", (saf.id, target)
    if SAF.name in game.tables or order.by_the_book is not None:
        if order.result:
            raise refuse(game, "result-given-by-table", "520.4")
        return on_table(game, dice, order, SAF, purpose=purpose, rule=rule, subjects=about)
    if not order.result or (order.at_least is None and game.dice != "table"):
        raise refuse(game, "result-missing", "520.4", purpose=purpose)
    plus = modifiers_of(order)
    if order.at_least is None:
        rolled = dice.roll(word_of(game, DIE), purpose=purpose, modifiers=plus, rule=rule, subjects=about)
        return TableOutcome((rolled,), rolled.total, order.result)
    needed = f"{order.at_least} or more"
    rolled = dice.roll(word_of(game, DIE), purpose=purpose, modifiers=plus, rule=rule, subjects=about, needed=needed)
    result = order.result if rolled.total >= order.at_least else "missed"
    return TableOutcome((replace(rolled, outcome=result),), rolled.total, result)


def _hit_by_saf(game: Game, side: str, target: Unit, result: str, rule: str) -> list[Result]:
    """Apply a SAF's result to its target.

    [reading] A target that is lost or frozen suffers nothing, nor does a crippled one that would be crippled again.
    """
    if target.fate or target.get("frozen") or (result == "crippled" and is_crippled(target)):
        return []
    return harm(game, enemy_unit(game, side, target.id, "520.4"), result, "SAF", rule)
