"""Decide single rounds of combat by dice and stated losses: against raiders, honor duels, ground assaults.

The damage tables are not in the printed sequence: each side rolls its die and states the losses of its own units.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.dice_awaited import (
    verify_dice_thrown,
    verify_not_declined,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.fates import verify_shocked
from umpire_ledger.domain.titles.federation_and_empire.combat.losses import destroyed, lost_with
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Units,
    has,
    has_units,
    hex_in_hand,
    is_base,
    is_carried,
    is_crippled,
    own_unit,
    own_units,
    refuse,
    rule_of,
    serving,
    serving_unit,
    this_turn,
    verify_not_frozen,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import DIE
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_rounds import (
    can_lose,
    can_roll,
    is_raid_round,
    note_round,
    round_place,
    verify_may_fight,
    verify_rolled,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import targets
from umpire_ledger.kit import (
    ChoiceMade,
    Dice,
    Game,
    Modified,
    Order,
    Result,
    RuleViolation,
    Unit,
    UnitName,
    changed,
    modifiers_of,
    paid,
    removed,
    step_open,
    word_of,
)

RAID_BIR = 4
SMALL_SCALE = ("3A-2E", "3A-4E", "3A-4L")
"""Steps after which reacting and intercepting units forced to retreat must do so."""


class Skirmish(Modified, frozen=True, kw_only=True, tag="skirmish"):
    """Roll your die for one round of a raid, honor duel, small-scale combat or ground assault."""

    units: Units
    bir: Annotated[int, msgspec.Meta(ge=0, le=10)] | None = None


class Suffer(Order, frozen=True, kw_only=True, tag="suffer"):
    """Record that one of your units is crippled, is destroyed or must retreat."""

    unit: UnitName
    outcome: Literal["crippled", "destroyed", "retreats"]


class CarryPoints(Order, frozen=True, kw_only=True, tag="carry-points"):
    """Carry your plus or minus damage points in a hex over to the combat phase."""

    at: Hex
    points: Annotated[int, msgspec.Meta(ge=-99, le=99)]


def factor_of(unit: Unit) -> int:
    """Return a unit's attack factor on its present side: front or crippled."""
    return unit.number("crippled_attack" if is_crippled(unit) else "attack")


def can_skirmish(game: Game, side: str) -> bool:
    """Check whether a side has units that may roll in the open step."""
    return can_roll(game, side) if is_raid_round(game) else has_units(game, side)


def can_suffer(game: Game, side: str) -> bool:
    """Check whether a side has units that may be lost in the open step."""
    if is_raid_round(game):
        return can_lose(game, side)
    return any(_may_suffer(game, unit) for unit in serving(game, side))


def _may_suffer(game: Game, unit: Unit) -> bool:
    """Check whether the dice that can bring a loss of a unit are rolled, and the unit is not frozen."""
    try:
        verify_not_frozen(game, unit)
        verify_dice_thrown(game, unit)
        verify_shocked(game, unit, "destroyed")
    except RuleViolation:
        return False
    return True


def decide_skirmish(game: Game, order: Skirmish, dice: Dice) -> list[Result]:
    """Roll one die with the attack factors of the named units.

    Drone raiders count at half in an interception; special raids are fought at BIR 4.

    Raises:
        RuleViolation: The units are in different hexes or may not fight here, or the BIR is not 4 although the option
            of 320.37 is off.
    """
    units, step = own_units(game, order, order.units), step_open(game)
    raid = is_raid_round(game)
    if raid:
        verify_may_fight(game, game.side_of(order.seat), units)
    battle = _fight_once(game, order, units, step) if hex_in_hand(game) else []
    places = {round_place(game, unit) for unit in units}
    if len(places) > 1:
        raise refuse(game, "units-in-several-hexes", places=" and ".join(sorted(places)))
    once = note_round(game, units) if raid else []
    halves = [step == "3A-3H" and has(unit, "drone") and unit.get("raid_kind") == "special" for unit in units]
    total = sum(factor_of(unit) * (1 if half else 2) for unit, half in zip(units, halves, strict=True))
    factors = f"attack {total // 2}{'.5' if total % 2 else ''}" + (", drone raiders at half" if any(halves) else "")
    bir = order.bir if order.bir is not None else RAID_BIR
    special = step in ("3A-3E", "3A-3H")
    if special and bir != RAID_BIR and game.options.get("raid_bir") is not True:
        raise refuse(game, "raid-rating-fixed", "320.37", limit=RAID_BIR)
    said = f"{factors}, BIR {bir}" if special else factors
    purpose = f"combat at {min(places)}: {said}"
    rule = rule_of(
        game, ("320.37" if bir != RAID_BIR else "320.34" if step == "3A-3E" else "320.353") if special else ""
    )
    about = tuple(unit.id for unit in units)
    rolled = dice.roll(word_of(game, DIE), purpose=purpose, modifiers=modifiers_of(order), rule=rule, subjects=about)
    chosen = ChoiceMade(question="BIR", side=game.side_of(order.seat), choice=bir, rule=rule)
    return [*once, chosen, rolled] if special else [*once, rolled, *battle]


def _fight_once(game: Game, order: Skirmish, units: tuple[Unit, ...], step: str) -> list[Result]:
    """Check that units of the force fight once in a step of a Phase 5 battle, and note it.

    A duel is between two ships (528.43).

    Raises:
        RuleViolation: A unit does not fight, was not designated, or has fought in the step; or the duel is not allowed.
    """
    for unit in units:
        serving_unit(game, order, unit.id)
        if step == "5-6X4" and not unit.get("assaults"):
            raise refuse(game, "not-designated", "521.3", unit=unit.id)
        if unit.get("fought") == step:
            number = "521.3" if step == "5-6X4" else "310.0"
            raise refuse(game, "fought-in-step", number, unit=unit.id, step=step)
    if step == "5-3H":
        verify_not_declined(game, game.side_of(order.seat))
        _verify_duel(game, units)
    landed = [unit for unit in units if step == "5-6X4" and unit.get("gce") == "aboard"]
    return [
        *(event for unit in units for event in changed(unit, "fought", step, "", rule_of(game))),
        *(event for unit in landed for event in changed(unit, "gce", "landed", "", rule_of(game, "521.3"))),
    ]


def _verify_duel(game: Game, units: tuple[Unit, ...]) -> None:
    """Check the ship of an honor duel.

    Raises:
        RuleViolation: There are several ships, the side has already fought a duel, or the ship is not a penal ship
            although only its side has some.
    """
    side = units[0].side
    mine, theirs = ([one for one in serving(game) if (one.side == side) is own] for own in (True, False))
    if len(units) > 1:
        raise refuse(game, "one-ship-duels", "528.43")
    if any(one.get("fought") == "5-3H" and one.id != units[0].id for one in mine):
        raise refuse(game, "duel-fought", "528.43")
    penal = [one.id for one in mine if has(one, "penal")]
    if penal and units[0].id not in penal and not any(has(one, "penal") for one in theirs):
        raise refuse(game, "not-a-penal-ship", "528.43", unit=units[0].id, penal_ships=penal)


def decide_suffer(game: Game, order: Suffer, _: Dice) -> list[Result]:
    """Cripple or destroy a unit, or note that it must retreat; a crippled blockade runner loses its EPs.

    Raises:
        RuleViolation: The dice of the round are not rolled; a crippled unit would be crippled again; or the order
            states a retreat in a battle of Phase 5, or of a base or carried unit.
    """
    unit, rule = own_unit(game, order, order.unit), rule_of(game)
    if hex_in_hand(game):
        serving_unit(game, order, order.unit)
    if is_raid_round(game):
        verify_may_fight(game, unit.side, (unit,))
        verify_rolled(game, unit)
    verify_dice_thrown(game, unit)
    verify_shocked(game, unit, order.outcome)
    if order.outcome == "destroyed":
        if hex_in_hand(game):
            return destroyed(game, unit, "destroyed", "", rule)
        return [*lost_with(game, unit, rule), *removed(unit, "destroyed", "", rule)]
    if order.outcome == "retreats" and hex_in_hand(game):
        raise refuse(game, "retreats-later", unit=unit.id, step=step_open(game))
    if order.outcome == "crippled" and is_crippled(unit):
        raise refuse(game, "only-destroyed" if hex_in_hand(game) else "crippled-before", unit=unit.id)
    if order.outcome == "retreats" and (is_base(unit) or is_carried(unit)):
        raise refuse(
            game, "base-or-carried-stays", unit=unit.id, kind="a base" if is_base(unit) else "carried by others"
        )
    leaves = (unit.get("raid_kind") and is_raid_round(game)) or (
        order.outcome == "retreats" and step_open(game) in SMALL_SCALE
    )
    noted = changed(unit, "outcome", order.outcome, "", rule) if leaves else []
    if order.outcome == "crippled" and is_raid_round(game):
        noted += changed(unit, "raid_hurt", this_turn(game), "", rule)
    if order.outcome == "retreats":
        return noted
    noted += changed(unit, "shocked", "suffered" if unit.get("shocked") else None, "", rule)
    lost = changed(unit, "cargo_ep", None, "a crippled runner loses its EPs", rule_of(game, "320.54"))
    return [*noted, *changed(unit, "crippled", True, "", rule), *(lost if unit.get("cargo_ep") else ())]


def decide_carry_points(game: Game, order: CarryPoints, _: Dice) -> list[Result]:
    """Carry damage points to the combat phase: plus points from damage left over, minus points from excess damage.

    Raises:
        RuleViolation: The hex is not raided, or points are already carried there.
    """
    side, sort = game.side_of(order.seat), "plus" if order.points > 0 else "minus"
    if order.at not in targets(game):
        raise refuse(game, "nobody-raids-there", "320.34", at=order.at, targets=", ".join(targets(game)) or "none")
    before = [one for one in ("plus", "minus") if game.accounts.get(f"{side}/{one} {order.at}")]
    if before:
        raise refuse(game, "points-carried-there", "320.34", points=before[0], at=order.at)
    return paid(game, f"{side}/{sort} {order.at}", abs(order.points), f"{sort} points", rule_of(game))
