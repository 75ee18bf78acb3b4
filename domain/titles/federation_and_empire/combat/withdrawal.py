"""Decide Step 1 of Phase 5: withdrawal before combat, the open flagship of units that stay, and cloaked evasion."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import (
    answered,
    defenders,
    is_working_base,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.battle_marks import begin_round
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    RIDERS,
    Pips,
    Units,
    at_hex,
    battle_unit,
    enemies,
    everybody_aboard,
    fights_at,
    has,
    hex_in_hand,
    is_base,
    is_carried,
    living,
    need_trait,
    own_units,
    phasing,
    refuse,
    rule_of,
    travelled,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.size import note_size
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import verify_together
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Order,
    Result,
    TableRoll,
    Unit,
    UnitName,
    changed,
    listed,
    marked,
    step_open,
)

Path = Annotated[tuple[Hex, ...], msgspec.Meta(min_length=1)]


class AnnounceWithdrawal(Order, frozen=True, kw_only=True, tag="announce-withdrawal"):
    """Announce that only these units withdraw; the answer `withdraw` alone does not name units."""

    units: Units


class Withdraw(Order, frozen=True, kw_only=True, tag="withdraw"):
    """Withdraw units before combat along a path out of the battle hex."""

    units: Units
    path: Path


class NameFlagship(Order, frozen=True, kw_only=True, tag="name-flagship"):
    """Publicly name the flagship of the ships that stay; it serves in the first round."""

    unit: UnitName


class Evade(TableRoll, frozen=True, kw_only=True, tag="evade"):
    """Try to evade the battle with a cloaked ship; `at_least` if the scenario has no table `evasion`."""

    unit: UnitName
    at_least: Pips | None = None


# --- 5-1A to 5-1C: withdrawal -----------------------------------------------------------------------------------------


def decide_announce_withdrawal(game: Game, order: AnnounceWithdrawal, _: Dice) -> list[Result]:
    """Announce by name the units that withdraw, which answers the step.

    Raises:
        RuleViolation: A unit is not in the battle or is a base, or an FRD has no tug or transport.
    """
    rule, place = rule_of(game, "302.11"), hex_in_hand(game)
    units = [battle_unit(game, order, unit, "302.11") for unit in dict.fromkeys(order.units)]
    if (base := next(filter(is_base, units), None)) is not None:
        raise refuse(game, "base-does-not-withdraw", "302.11", base=base.id)
    docks = [unit.id for unit in units if has(unit, "frd")]
    if len(docks) > sum(has(unit, "tug") or has(unit, "transport") for unit in units):
        raise refuse(game, "dock-needs-transport", "302.11", dock=docks[-1])
    noted = [event for unit in units for event in changed(unit, "withdraws", place, "announced", rule)]
    return [*noted, Closes("withdraw")]


def announced(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units that a side has announced by name and that are still in the hex.

    [reading] An FRD goes with its transport, a GCE with a ship; if its carrier has left without it, it stays (509.1-F).
    """
    place = hex_in_hand(game)
    named = tuple(
        unit for unit in living(game) if unit.side == side and unit.at == place and unit.get("withdraws") == place
    )
    return named if any(not is_carried(unit) for unit in named) else ()


def announced_by_name(game: Game, side: str) -> bool:
    """Check whether a side has announced by name the units that withdraw, even if they are gone by now."""
    place = hex_in_hand(game)
    return any(unit.get("withdraws") == place for unit in living(game) if unit.side == side)


def can_withdraw(game: Game, side: str) -> bool:
    """Check whether a side has a unit in the hex that can withdraw; an FRD or GCE without a carrier stays."""
    return any(not is_base(unit) and not is_carried(unit) for unit in _standing(game, side))


def _standing(game: Game, side: str) -> list[Unit]:
    place = hex_in_hand(game)
    here = [unit for unit in living(game) if unit.side == side and unit.at == place]
    return [unit for unit in here if RIDERS.isdisjoint(unit.names("traits"))]


def withdrawal_owed(game: Game, side: str) -> bool:
    """Check whether a withdrawing side must still move units: all that it named, or one if it named none."""
    if announced_by_name(game, side):
        return bool(announced(game, side))
    place = hex_in_hand(game)
    return can_withdraw(game, side) and not any(
        unit.get("withdrew") == place for unit in living(game) if unit.side == side
    )


def who_is_to_go(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units that a side announced; if it named none, all that can go."""
    may = (unit for unit in _standing(game, side) if not is_base(unit) and not is_carried(unit))
    return announced(game, side) or tuple(may)


def decide_withdraw(game: Game, order: Withdraw, _: Dice) -> list[Result]:
    """Move units out of the battle hex along a path.

    Raises:
        RuleViolation: A unit is not in the hex, was not announced or is a base; or the path has a gap, or ends in the
            hex.
    """
    units = own_units(game, order, order.units)
    place, side = hex_in_hand(game), game.side_of(order.seat)
    if order.path[-1] == place:
        raise refuse(game, "withdrawal-ends-where-it-began", "302.12", place=place)
    for unit in units:
        if unit.at != place:
            raise refuse(game, "withdrawing-units-elsewhere", "302.12", unit=unit.id, at=unit.at, place=place)
        if announced_by_name(game, side) and unit.get("withdraws") != place and not has(unit, "leader"):
            able = ", ".join(one.id for one in announced(game, side)) or "none: `done`"
            raise refuse(game, "not-announced", "302.12", unit=unit.id, units=able)
    verify_together(game, units, order.path)
    rule = rule_of(game, "302.12")
    noted = [event for unit in units for event in changed(unit, "withdrew", place, "withdrawal", rule)]
    return [
        *noted,
        *travelled(game, units, order.path, "withdrawal", rule),
        *into_battle(game, units, order.path[-1], rule),
    ]


def into_battle(game: Game, units: tuple[Unit, ...], end: str, rule: str) -> list[Result]:
    """Note units that retreat to a hex with an enemy, because a battle there may be a fighting retreat (302.77)."""
    foes = enemies(game, units[0].side)
    met = any(unit.side in foes and fights_at(unit, end) for unit in at_hex(game, end))
    return [event for unit in units for event in changed(unit, "retreated", end if met else None, "", rule)]


# --- 5-1D, 5-1E -------------------------------------------------------------------------------------------------------


def decide_name_flagship(game: Game, order: NameFlagship, _: Dice) -> list[Result]:
    """Name the open flagship.

    Raises:
        RuleViolation: The unit is not in the battle, withdrew or evaded; in 5-1E the named flagship has not evaded, or
            the unit did not fail to evade; or the unit has no command rating, although another has one.
    """
    named = open_flagship(game, game.side_of(order.seat))
    unit = battle_unit(game, order, order.unit, "302.133" if step_open(game) == "5-1D" else "306.1")
    found = game.units.get(named)
    if step_open(game) == "5-1E" and found is not None and found.get("evaded") != hex_in_hand(game):
        raise refuse(game, "flagship-has-not-evaded", "306.1", flagship=named)
    able = who_may_lead(game, unit.side)
    if unit not in able:
        raise refuse(game, "not-failed-to-evade", "306.1", unit=unit.id, units=listed(one.id for one in able))
    verify_rated(game, unit, able)
    return marked(game, f"flagship of {unit.side}", unit.id, "named openly", rule_of(game, "302.133"))


def verify_rated(game: Game, flagship: Unit, able: Iterable[Unit]) -> None:
    """Check that a flagship has a command rating, if any unit that could be flagship has one.

    Raises:
        RuleViolation: It has none, although another unit has one.
    """
    rated = sorted(one.id for one in able if one.get("command") is not None)
    if rated and flagship.get("command") is None:
        number = "302.133" if step_open(game) == "5-1D" else "306.1" if step_open(game) == "5-1E" else "302.32"
        raise refuse(game, "no-command-rating", number, flagship=flagship.id, units=listed(rated, flagship.id))


def open_flagship(game: Game, side: str) -> str:
    """Return the flagship that a defender has named openly in this hex; "" if it has named none."""
    value = game.markers.get(f"flagship of {side}")
    return value if isinstance(value, str) else ""


def has_flagship(game: Game, side: str) -> bool:
    """Check whether a defender's open flagship is named and has not evaded, or no unit is left to be flagship."""
    named, stay = open_flagship(game, side), _who_stay(game, side)
    return named in {unit.id for unit in stay} or not stay


def _who_stay(game: Game, side: str) -> tuple[Unit, ...]:
    place = hex_in_hand(game)
    return tuple(unit for unit in _standing(game, side) if unit.get("evaded") != place and not has(unit, "team"))


def who_may_lead(game: Game, side: str) -> tuple[Unit, ...]:
    """Return a defender's units that stay; after an evasion those that failed to evade, if any did (5-1E)."""
    place, tried, stay = hex_in_hand(game), _tried(game), _who_stay(game, side)
    failed = tuple(unit for unit in stay if unit.get("tried_evading") == tried)
    gone = any(unit.side == side and unit.get("evaded") == place for unit in living(game))
    return failed if gone and failed else stay


def _tried(game: Game) -> str:
    return f"{hex_in_hand(game)} in turn {game.turn}"


def decide_evade(game: Game, order: Evade, dice: Dice) -> list[Result]:
    """Roll once for a ship's evasion; success takes it out of this battle.

    Raises:
        RuleViolation: The ship has no cloaking device, or has already tried to evade here.
    """
    unit = battle_unit(game, order, order.unit)
    need_trait(game, unit, "cloak", "ship with a cloaking device", "306.1")
    if unit.get("tried_evading") == _tried(game):
        raise refuse(game, "evaded-already", "306.1", unit=unit.id)
    roll = try_for(game, dice, order, "evasion", order.at_least, f"evasion of {unit.id}", (unit.id,))
    if roll.row is None:
        return list(roll.told)
    rule = rule_of(game, "306.1")
    noted = changed(unit, "tried_evading", _tried(game), "", rule)
    away = (unit, *everybody_aboard(game, (unit,))) if roll.row == "success" else ()
    return [*roll.told, *noted, *(event for one in away for event in changed(one, "evaded", unit.at, "", rule))]


def note_defenders(game: Game) -> list[Result]:
    """Note the defenders with units in the hex, in turn order, if there is more than one enemy (5-1D)."""
    several = len(defenders(game)) > 1 or game.markers.get("defenders") is not None
    return marked(game, "defenders", defenders_here(game), "", rule_of(game)) if several else []


def defenders_here(game: Game) -> tuple[str, ...]:
    """Return the defenders with units in the hex, or with ships in an accepted approach battle (302.22); else all."""
    approach = answered(game, "5-2A3") == "accept"
    here = {side for side in enemies(game, phasing(game)) if _fight(_standing(game, side), approach=approach)}
    return tuple(side for side in enemies(game, phasing(game)) if side in here) or defenders(game)


def _fight(units: list[Unit], *, approach: bool) -> bool:
    return any(not (approach and is_working_base(unit)) for unit in units)


def withdrawers(game: Game) -> tuple[str, ...]:
    """Return the defenders that have answered that they withdraw."""
    asked = zip(defenders(game), ("5-1A", "5-1A/second", "5-1A/third"), strict=False)
    return tuple(side for side, step in asked if answered(game, step) == "withdraw")


def somebody_withdraws(game: Game, _: str) -> bool:
    return bool(withdrawers(game))


def begin_the_round(game: Game) -> list[Result]:
    """Clear the marks of the last round, and note the defenders and the size of the battle (5-3A)."""
    return [*begin_round(game), *note_defenders(game), *note_size(game)]
