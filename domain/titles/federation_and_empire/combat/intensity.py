"""Decide Steps 3X to 4B of Phase 5: battle intensity, and announcements for one round."""

from collections.abc import Callable
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import (
    battlers,
    chosen,
    commit_and_open,
    foe_in_battle,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.skirmish import factor_of
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Units,
    has,
    hex_in_hand,
    is_base,
    need_trait,
    phasing,
    refuse,
    rule_of,
    serving,
    serving_unit,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import DIE, RAISED_BIR
from umpire_ledger.kit import (
    ChoiceMade,
    Dice,
    Game,
    Name,
    Order,
    Result,
    RollTable,
    TableRoll,
    Unit,
    UnitOrNone,
    changed,
    listed,
    marked,
    modifiers_of,
    names_in,
    number_of,
    on_table,
    paid,
    step_open,
    unit_of,
    word_of,
)

Rating = Annotated[int, msgspec.Meta(ge=0, le=10)]
Points = Annotated[int, msgspec.Meta(ge=0, le=999)]
RETREATING_BIR, BLOCKING_BIR = 0, 10
FOUR_ROUNDS = 4


VARIABLE_BIR = RollTable("variable-bir", str)


class FightingRetreat(Order, frozen=True, kw_only=True, tag="fighting-retreat"):
    """Declare a fighting retreat: BIR 0 for you, 10 for the sides that block you."""


class SealIntensity(Order, frozen=True, kw_only=True, tag="seal-intensity"):
    """Choose a Battle Intensity Rating; both are revealed together [reading: the printed text states no secrecy]."""

    bir: Rating


class VaryIntensity(TableRoll, frozen=True, kw_only=True, tag="vary-intensity"):
    """Roll for the variable battle intensity of your side."""


class AdjustIntensity(Order, frozen=True, kw_only=True, tag="adjust-intensity"):
    """Use stolen war-plans to raise your BIR by 1; they are used up."""

    by: Annotated[int, msgspec.Meta(ge=-5, le=5)]
    why: Name


class RaiseIntensity(Order, frozen=True, kw_only=True, tag="raise-intensity"):
    """Raise the attacker's BIR after four rounds in which units other than ships fought."""

    by: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1


class Announce(Order, frozen=True, kw_only=True, tag="announce"):
    """Announce units for a purpose this round: troop assaults, a SAF against a target, shock factors, a web fist."""

    units: Units
    purpose: Name
    factors: Points = 0
    target: UnitOrNone = ""


def decide_fighting_retreat(game: Game, order: FightingRetreat, _: Dice) -> list[Result]:
    """Declare a fighting retreat, which sets both ratings.

    The step is open only to sides whose units retreated to the hex, and not in a pursuit.

    Raises:
        RuleViolation: A fighting retreat is already declared.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "302.772")
    if game.markers.get("fighting retreat"):
        raise refuse(game, "fighting-retreat-declared", "302.772")
    ratings = {side: RETREATING_BIR, **dict.fromkeys(foe_in_battle(game, side), BLOCKING_BIR)}
    made = [ChoiceMade(question="BIR", side=one, choice=bir, rule=rule) for one, bir in ratings.items()]
    return [*made, *marked(game, "fighting retreat", side, "BIR 0 against 10", rule)]


def may_retreat_fighting(game: Game, side: str) -> bool:
    """Check whether a side may declare a fighting retreat: its units retreated to the hex, and it is not a pursuit."""
    here = hex_in_hand(game)
    came = any(unit.get("retreated") == here for unit in serving(game, side))
    return came and game.cursor.frame("5-S8") is None


def is_fighting_retreat(game: Game, _: str) -> bool:
    return bool(game.markers.get("fighting retreat"))


def decide_seal_intensity(game: Game, order: SealIntensity, _: Dice) -> list[Result]:
    return commit_and_open(game, game.side_of(order.seat), "BIR", order.bir, "304.1", battlers(game))


def decide_vary_intensity(game: Game, order: VaryIntensity, dice: Dice) -> list[Result]:
    """Roll one die; a result of the scenario's table `variable-bir` changes the rating.

    Raises:
        RuleViolation: The side has already rolled in this round.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "304.3")
    done = names_in(game, "variable rolled")
    if side in done:
        raise refuse(game, "intensity-rolled-already", "304.3")
    purpose = f"variable battle intensity of {game.side_name(side)}"
    noted = marked(game, "variable rolled", (*done, side), "", rule)
    if "variable-bir" not in game.tables and order.by_the_book is None:
        return [dice.roll(word_of(game, DIE), purpose=purpose, modifiers=modifiers_of(order), rule=rule), *noted]
    rolled = on_table(game, dice, order, VARIABLE_BIR, purpose=purpose, rule=rule)
    if rolled.row is None:
        return list(rolled.told)
    by = int(rolled.said) if rolled.said.lstrip("+-").isdigit() else 0
    return [*rolled.told, *noted, *_rated(game, side, by, rule)]


def variable_is_due(game: Game, side: str) -> bool:
    """Check whether the scenario has a table for variable intensity and a side has not rolled on it."""
    return VARIABLE_BIR.name in game.tables and side not in names_in(game, "variable rolled")


def _rated(game: Game, side: str, by: int, rule: str) -> list[Result]:
    now = chosen(game, "BIR", side)
    if not by or not isinstance(now, int):
        return []
    return [ChoiceMade(question="BIR", side=side, choice=max(0, now + by), rule=rule)]


def decide_adjust_intensity(game: Game, order: AdjustIntensity, _: Dice) -> list[Result]:
    """Raise the rating by 1 for stolen war-plans, which are used up.

    Raises:
        RuleViolation: The side has no stolen war-plans left, or the change is not +1.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "534.243")
    if order.by != 1:
        raise refuse(game, "plans-give-one", "534.243", given=order.by)
    if not game.accounts.get(plans_account(side), 0):
        raise refuse(game, "no-war-plans", "534.243", side_holds=game.side_does(side, "holds"))
    return [*_rated(game, side, order.by, rule), *paid(game, plans_account(side), -1, "war-plans", rule)]


def plans_account(side: str) -> str:
    """Return the account of the war-plans that a side has stolen."""
    return f"{side}/war-plans"


def decide_raise_intensity(game: Game, order: RaiseIntensity, _: Dice) -> list[Result]:
    """Raise the attacker's rating, from the fifth round that is fought with bases.

    Raises:
        RuleViolation: The side is the defender; it is too early; the rating was raised in this round, or is raised too
            far; or the ratings are not revealed.
    """
    side, rule, most = game.side_of(order.seat), rule_of(game, "304.5"), number_of(game, RAISED_BIR)
    if side != phasing(game):
        raise refuse(game, "only-attacker-raises", "304.5")
    fought = game.number("with bases")
    if fought <= FOUR_ROUNDS or not _no_ships(game):
        raise refuse(game, "too-early-to-raise", "304.5", given=fought)
    if game.markers.get("raised") is not None or order.by > most:
        raise refuse(
            game,
            "rating-raised-already" if order.by <= most else "rating-raised-too-much",
            "304.5",
            limit=most,
            given=order.by,
        )
    if not (rated := _rated(game, side, order.by, rule)):
        raise refuse(game, "ratings-not-revealed", "304.5")
    return [*rated, *marked(game, "raised", side, "", rule)]


def _no_ships(game: Game) -> bool:
    return any(is_base(unit) for unit in serving(game))


def decide_announce(game: Game, order: Announce, _: Dice) -> list[Result]:
    """Announce units for a purpose in this round.

    Raises:
        RuleViolation: A unit is frozen or not suitable for the step, or the purpose or target is not that of the step.
    """
    step, rule = step_open(game), rule_of(game)
    units = tuple(serving_unit(game, order, unit) for unit in dict.fromkeys(order.units))
    _verify_purpose(game, order, step)
    for unit in units:
        if step in VERIFIED:
            VERIFIED[step](game, order, unit)
    if step == "5-4A6":
        return [event for unit in units for event in changed(unit, "aims", order.target, order.purpose, rule)]
    attribute = {"5-4B": "shock", "5-6X3": "assaults"}.get(step, "eligible")
    value = order.factors if step == "5-4B" else f"{order.purpose} {order.target}".strip()
    return [event for unit in units for event in changed(unit, attribute, value, order.purpose, rule)]


PURPOSES = {"5-4A5": "assault", "5-4A6": "SAF", "5-4B": "shock", "5-6X3": "assault"}
"""The purpose for which units are announced, by step."""


def _verify_purpose(game: Game, order: Announce, step: str) -> None:
    """Check the purpose and target of an announcement against the step.

    Raises:
        RuleViolation: The step has another purpose, or a target is named in 5-4B or is not an enemy unit in the hex.
    """
    if order.purpose != (purpose := PURPOSES[step]):
        raise refuse(game, "purpose-missing", purpose=order.purpose, due=purpose)
    if not order.target or step == "5-4A6":
        return
    found = unit_of(game, order.target, rule_of(game))
    foes = foe_in_battle(game, game.side_of(order.seat))
    if step == "5-4B" or found.side not in foes or found.at != hex_in_hand(game):
        remedy = "leave out `target`" + ("" if step == "5-4B" else ", or name an enemy unit in the hex")
        raise refuse(game, "not-an-announced-target", found=found.id, remedy=remedy)


def lands_troops(unit: Unit) -> bool:
    """Check whether a unit may be named for a troop assault (521.3)."""
    return has(unit, "commando") or has(unit, "troops") or unit.get("gce") == "aboard"


def _fixed_enemies(game: Game) -> tuple[Unit, ...]:
    """Return the fixed units that fight against the phasing side, at which a SAF can be aimed (520.4)."""
    foes = foe_in_battle(game, phasing(game))
    return tuple(unit for foe in foes for unit in serving(game, foe) if is_base(unit))


def saf_has_target(game: Game, _: str) -> bool:
    """Check whether the attacker has a SAF in the battle and a fixed unit fights against it (5-4A6)."""
    return any(has(unit, "saf") for unit in serving(game, phasing(game))) and bool(_fixed_enemies(game))


def owners_of_troops(game: Game) -> tuple[str, ...]:
    """Return the sides with troops that fight in the current battle and are not frozen (5-4A5)."""
    return _with(game, lambda unit: lands_troops(unit) and not unit.get("frozen"))


def assaulters(game: Game) -> tuple[str, ...]:
    """Return the sides with units that were named in 5-4A5, still fight and are not frozen (5-6X3)."""
    return _with(game, lambda unit: bool(unit.get("eligible")) and not unit.get("frozen"))


def retreated_here(game: Game) -> tuple[str, ...]:
    """Return the sides that may declare a fighting retreat in the current battle (5-3X1)."""
    return tuple(side for side in battlers(game) if may_retreat_fighting(game, side))


def _with(game: Game, fits: Callable[[Unit], bool]) -> tuple[str, ...]:
    return tuple(side for side in battlers(game) if any(map(fits, serving(game, side))))


def _may_land(game: Game, order: Announce, unit: Unit) -> None:
    if not lands_troops(unit):
        raise refuse(game, "no-troops", "521.3", unit=unit.id)


def _may_aim(game: Game, order: Announce, unit: Unit) -> None:
    need_trait(game, unit, "saf", "SAF", "520.4")
    able = [one.id for one in _fixed_enemies(game)]
    if order.target not in able:
        raise refuse(
            game,
            "not-a-fixed-target" if able else "no-fixed-target",
            "520.4",
            target=order.target or "nothing",
            units=listed(able),
        )
    if unit.get("aims"):
        raise refuse(game, "aimed-already", "520.4", unit=unit.id, target=unit.get("aims"))


def _may_shock(game: Game, order: Announce, unit: Unit) -> None:
    if has(unit, "mauler"):
        raise refuse(game, "mauler-not-announced", "311.2", unit=unit.id)
    need_trait(game, unit, "shock", "ship subject to shock", "311.2")
    if order.factors > factor_of(unit):
        raise refuse(game, "too-many-attack-factors", "311.2", unit=unit.id, limit=factor_of(unit))


def _may_assault(game: Game, _: Announce, unit: Unit) -> None:
    if not unit.get("eligible"):
        raise refuse(game, "not-named-before", "521.36", unit=unit.id)


VERIFIED = {"5-4A5": _may_land, "5-4A6": _may_aim, "5-4B": _may_shock, "5-6X3": _may_assault}
"""The check of each announced unit, by step."""
