"""Decide the generic orders for this title: they record effects of chapters that are not available.

They cannot change facts that have their own orders, such as activation, detection, repair and Command Points.
"""

import msgspec

from umpire_ledger.domain.titles.pacific_war.changeable_units import (
    Refused,
    has_or_may_get,
    may_change,
    may_leave,
    why_no_change,
    why_no_removal,
)
from umpire_ledger.domain.titles.pacific_war.combat import fires_together, hit
from umpire_ledger.domain.titles.pacific_war.forces import OSB_KIND, verify_no_enemy
from umpire_ledger.domain.titles.pacific_war.pieces import (
    arm,
    coming,
    enemies_before,
    has,
    label_of,
    own_unit,
    phase_of,
    refuse,
    verify_on_map,
    with_what_follows,
)
from umpire_ledger.domain.titles.pacific_war.prospects import can_form_units
from umpire_ledger.domain.titles.pacific_war.units import ARMS
from umpire_ledger.kit import (
    Change,
    Dice,
    Game,
    Pay,
    Place,
    Remove,
    Result,
    Ruled,
    Unit,
    Value,
    changed,
    decide_change,
    decide_pay,
    decide_place,
    decide_remove,
    paid,
    replace,
)

OWN_ORDER = {
    "arm": "it never changes",
    "activated": "use `activate` or `deactivate`",
    "detected": "use `search` or `undetect`",
    "repaired": "`repair-ship` sets it",
    "rallied": "`rally` sets it",
    "crippled": "hits set it",
    "task_force": "use `form-task-force`",
    "paid": "use `pay-link`",
    "aboard": "use `embark` or `disembark`",
    "arrives": "the scenario sets it",
    "steps": "`replace-steps`, `isolation-penalty` and combat change them",
    "broken": "combat and `rally` set it",
    "hits": "combat, `repair-ship` and `repair-base` change them",
}
"""Attributes that generic orders do not change outside their phases, each with the remedy."""
RULED = Ruled(attributes=("*",), accounts=("*",), markers=("*",), instead=OWN_ORDER)
"""Generic orders may write nothing that a scenario sets up, except changes that the open step allows."""


def can_change(game: Game, side: str) -> bool:
    """Return whether a side has a unit with an attribute that the open phase may change."""
    return may_change(game, side)


def can_remove(game: Game, side: str) -> bool:
    """Return whether a side has a unit that may leave play in the open phase."""
    return may_leave(game, side)


def can_place(game: Game, side: str) -> bool:
    """Return whether a side could place a unit: in 5.1.L only with available steps, in other phases always."""
    return phase_of(game) != "5.1.L" or can_form_units(game, side)


def decide_change_unit(game: Game, order: Change, dice: Dice) -> list[Result]:
    """Change one attribute of one of the side's own units.

    Raises:
        RuleViolation: The unit does not have the attribute, the open phase does not change it, the value is not valid,
            or hits would be removed without a repair.
    """
    unit = own_unit(game, order.seat, order.unit, label_of(game))
    if not has_or_may_get(unit, order.attribute):
        raise refuse(
            game,
            "no-such-attribute",
            label_of(game),
            unit=unit.id,
            attribute=order.attribute,
            attributes=unit.attributes,
        )
    _verify_opened(game, why_no_change(game, unit, order.attribute, order.to))
    verify_fits(game, unit, order)
    if order.attribute == "hits" and isinstance(order.to, int):
        return _more_hits(game, unit, order.to, order.cause)
    return decide_change(game, order, dice)


def _verify_opened(game: Game, why: Refused) -> None:
    """Refuse an order if the open phase has a reason against it.

    Raises:
        RuleViolation: There is a reason.
    """
    what, remedy = why
    if what:
        raise refuse(game, "not-changed-here", label_of(game), why=what, remedy=remedy)


def verify_fits(game: Game, unit: Unit, order: Change) -> None:
    """Refuse a value of the wrong type, a value below 0, too many steps, and changes that need their own order.

    Raises:
        RuleViolation: The attribute cannot have the value.
    """
    before = unit.attributes.get(order.attribute, False if order.attribute == "isolated" else None)
    if before is not None and type(before) is not type(order.to):
        raise refuse(
            game, "not-a-value", label_of(game), attribute=order.attribute, unit=unit.id, given=order.to, example=before
        )
    _verify_no_gift(game, unit, order)
    full = unit.number("full_steps")
    if order.attribute == "steps" and not (isinstance(order.to, int) and 1 <= order.to <= full):
        raise refuse(game, "steps-out-of-range", label_of(game), unit=unit.id, given=order.to, limit=full)
    if isinstance(order.to, int) and order.to < 0:
        raise refuse(game, "below-zero", label_of(game), attribute=order.attribute, given=order.to)


def _verify_no_gift(game: Game, unit: Unit, order: Change) -> None:
    """Refuse changes that need another order or phase: more steps, a rally, more than one point of strength.

    Raises:
        RuleViolation: The generic order cannot make the change.
    """
    before, after = unit.get(order.attribute), order.to
    if order.attribute == "steps" and isinstance(after, int) and after > unit.number("steps"):
        raise refuse(game, "steps-by-replacement-only", "5.1.L [16.0]", unit=unit.id)
    if order.attribute == "broken" and before is True and after is False:
        raise refuse(game, "rally-by-roll-only", "5.2.J [31.8]", unit=unit.id)
    if order.attribute == "strength" and after != min(unit.number("strength") + 1, unit.number("full_strength")):
        raise refuse(
            game, "full-strength", "5.1.L [15.2.4]", unit=unit.id, before=before, limit=unit.number("full_strength")
        )


def _more_hits(game: Game, unit: Unit, hits: int, cause: str) -> list[Result]:
    more = hits - unit.number("hits")
    if more < 0 and arm(unit) == "base" and phase_of(game) in ("5.1.M", "5.2.I"):
        return changed(unit, "hits", hits, cause, label_of(game))
    if more < 0:
        raise refuse(game, "hits-by-repair-only", "5.1.K [15.0]", unit=unit.id)
    if arm(unit) != "naval":
        return changed(unit, "hits", hits, cause, label_of(game))
    results, _ = hit(unit, more, cause, label_of(game), later=fires_together(game))
    return with_what_follows(game, results, label_of(game))


def decide_remove_unit(game: Game, order: Remove, dice: Dice) -> list[Result]:
    """Remove one of the side's own units from play, with the units that it carries.

    Raises:
        RuleViolation: The unit is not the side's own, or does not leave play in the open phase.
    """
    unit = own_unit(game, order.seat, order.unit, label_of(game))
    _verify_opened(game, why_no_removal(game, unit, order))
    return with_what_follows(game, decide_remove(game, order, dice), label_of(game))


def decide_place_unit(game: Game, order: Place, dice: Dice) -> list[Result]:
    """Place a unit of the side, with the same checks and default values as a unit of a scenario.

    Raises:
        RuleViolation: The arm is missing, an attribute is not valid for it, the unit would enter activated, the phase
            or place does not allow it, or too few steps are available.
    """
    schema = ARMS.get(str(order.attributes.get("arm")))
    if schema is None:
        raise refuse(game, "arm-missing", label_of(game), unit=order.unit, arms=ARMS)
    _verify_enters_here(game, order)
    if order.attributes.get("activated"):
        raise refuse(game, "enters-not-activated", label_of(game))
    piece = {"id": order.unit, "side": order.side, "kind": order.kind, "at": order.at, **order.attributes}
    try:
        whole = msgspec.to_builtins(msgspec.convert(piece, schema))
    except msgspec.ValidationError as error:
        raise refuse(
            game, "wrong-attributes", label_of(game), unit=order.unit, why=error, arm=order.attributes["arm"]
        ) from error
    attributes = {name: value for name, value in whole.items() if name not in ("id", "side", "kind", "at", "hidden")}
    attributes["came"] = coming(game)
    return [*decide_place(game, replace(order, attributes=attributes), dice), *_steps_for(game, order, attributes)]


FORMED_ANYWHERE = "formed_anywhere"
"""The option that new units may be formed in places with enemy units."""
NEW_IN = {"5.1.L": ("air", "ground"), "5.1.M": ("base",)}
"""The arms of units that may be placed in each phase: new units from replacement steps, and new bases."""


def _verify_enters_here(game: Game, order: Place) -> None:
    """Refuse a new unit that cannot be formed in this phase, or not in this place.

    Raises:
        RuleViolation: The unit cannot enter in this phase or place.
    """
    phase = phase_of(game)
    may = NEW_IN.get(phase, ())
    if order.attributes["arm"] not in may:
        where = ", ".join(f"{arms} units in {one}" for one, names in NEW_IN.items() for arms in names)
        raise refuse(game, "not-formed-in-this-phase", phase, arm=order.attributes["arm"], phase=phase, where=where)
    foes = enemies_before(game, order.side, order.at)
    if phase == "5.1.L" and foes and not game.options.get(FORMED_ANYWHERE, False):
        raise refuse(game, "enemy-where-formed", "5.1.L [16.0]", at=order.at, enemies=foes)
    verify_on_map(game, order.at, phase)
    if order.attributes["arm"] == "base":
        verify_no_enemy(game, order.side, order.at, "5.1.M [17.0]")
        _verify_base(game, order)


def _verify_base(game: Game, order: Place) -> None:
    """Refuse a base that engineers do not build: an Offensive Support Base, or one without a link or with damage.

    Raises:
        RuleViolation: It is an Offensive Support Base, not linked, or has damage.
    """
    if order.kind == OSB_KIND:
        raise refuse(game, "support-base-from-hand", "5.1.M [11.3.1]", unit=order.unit)
    given = order.attributes
    if given.get("linked") is False or given.get("hits") or given.get("interdicted"):
        raise refuse(game, "base-not-linked", "5.1.M [17.0]", unit=order.unit)


def _steps_for(game: Game, order: Place, attributes: dict[str, Value]) -> list[Result]:
    """Pay for the steps of a new unit in 5.1.L from the available steps.

    Raises:
        RuleViolation: Too few steps are available, or the unit would have more than its full strength.
    """
    if phase_of(game) != "5.1.L":
        return []
    account, steps = f"steps/{order.side}/{attributes['arm']}", attributes["steps"]
    assert isinstance(steps, int)
    full = attributes["full_steps"]
    if isinstance(full, int) and steps > full:
        raise refuse(game, "more-steps-than-full", "5.1.L [16.0]", unit=order.unit, given=steps, limit=full)
    if steps > has(game, account):
        raise refuse(
            game,
            "too-few-steps-available",
            "5.1.L [16.0]",
            unit=order.unit,
            given=steps,
            arm=attributes["arm"],
            limit=has(game, account),
        )
    return paid(game, account, -steps, f"into {order.unit}", "5.1.L [16.0]")


def decide_pay_points(game: Game, order: Pay, dice: Dice) -> list[Result]:
    """Pay Command Points from one of the side's own accounts, as a rule requires.

    Raises:
        RuleViolation: The account is not the side's own, the amount is not negative, or the account holds too little.
    """
    side = game.side_of(order.seat)
    own = {f"points/{side}", *(f"points/{one.id}" for one in game.in_play(side))}
    if order.account not in own or order.amount >= 0:
        raise refuse(
            game,
            "not-yours-to-pay",
            label_of(game),
            account=order.account,
            given=order.amount,
            side_pays=game.side_does(side, "pays"),
        )
    if has(game, order.account) + order.amount < 0:
        raise refuse(game, "account-too-low", label_of(game), account=order.account, limit=has(game, order.account))
    return decide_pay(game, order, dice)
