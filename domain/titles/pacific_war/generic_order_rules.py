"""Decide the generic orders for this title: they record effects of other chapters, but bypass no rule.

Facts with an order of their own (activation, detection, repair, Command Points) are not changed by the generic one.
"""

import msgspec

from umpire_ledger.domain.titles.pacific_war.combat import fires_together, hit
from umpire_ledger.domain.titles.pacific_war.forces import OSB_KIND, verify_no_enemy
from umpire_ledger.domain.titles.pacific_war.opened import (
    has_or_may_get,
    may_change,
    may_leave,
    why_no_change,
    why_no_removal,
)
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
    "activated": "`activate` and `deactivate` do that",
    "detected": "`search` and `undetect` do that",
    "repaired": "`repair-ship` notes that",
    "rallied": "`rally` notes that",
    "crippled": "hits do that",
    "task_force": "`form-task-force` does that",
    "paid": "`pay-link` does that",
    "aboard": "`embark` and `disembark` do that",
    "arrives": "the scenario says so",
    "steps": "`replace-steps`, `isolation-penalty` and combat do that",
    "broken": "combat and `rally` do that",
    "hits": "combat, `repair-ship` and `repair-base` do that",
}
"""Attributes that only their own orders change, each with the remedy."""
RULED = Ruled(attributes=("*",), accounts=("*",), markers=("*",), instead=OWN_ORDER)
"""All that a scenario of this title sets up is ruled; each step opens what its chapter changes."""


def can_change(game: Game, side: str) -> bool:
    """Return whether a side has a unit with something that the open phase changes."""
    return may_change(game, side)


def can_remove(game: Game, side: str) -> bool:
    """Return whether a side has a unit that the open phase takes out of play."""
    return may_leave(game, side)


def can_place(game: Game, side: str) -> bool:
    """Return whether the open phase forms a unit of a side: from steps that are available, or a base anywhere."""
    return phase_of(game) != "5.1.L" or can_form_units(game, side)


def decide_change_unit(game: Game, order: Change, dice: Dice) -> list[Result]:
    """Change one attribute of one's own unit.

    Raises:
        RuleViolation: it is not of the unit's arm; hits would go down; the value is not valid for the attribute.
    """
    unit = own_unit(game, order.seat, order.unit, label_of(game))
    if not has_or_may_get(unit, order.attribute):
        what = f"{unit.id} has no {order.attribute}"
        raise refuse(game, what, f"name one of: {', '.join(unit.attributes)}", label_of(game))
    _verify_opened(game, why_no_change(game, unit, order.attribute, order.to))
    verify_fits(game, unit, order)
    if order.attribute == "hits" and isinstance(order.to, int):
        return _more_hits(game, unit, order.to, order.cause)
    return decide_change(game, order, dice)


def _verify_opened(game: Game, why: tuple[str, str]) -> None:
    """Refuse an order for which the open phase gives a reason and a remedy.

    Raises:
        RuleViolation: There is a reason.
    """
    what, remedy = why
    if what:
        raise refuse(game, what, remedy, label_of(game))


def verify_fits(game: Game, unit: Unit, order: Change) -> None:
    """Refuse a value of another type than the attribute has, a gift, a value below 0, or too many steps.

    Raises:
        RuleViolation: The attribute cannot have the value.
    """
    before = unit.attributes.get(order.attribute, False if order.attribute == "isolated" else None)
    if before is not None and type(before) is not type(order.to):
        what = f"{order.attribute} of {unit.id} cannot be {order.to!r}"
        raise refuse(game, what, f"give it a value such as {before!r}", label_of(game))
    _verify_no_gift(game, unit, order)
    full = unit.number("full_steps")
    if order.attribute == "steps" and not (isinstance(order.to, int) and 1 <= order.to <= full):
        what = f"{unit.id} cannot have {order.to} steps"
        raise refuse(game, what, f"from 1 to {full}; `remove` a unit without steps", label_of(game))
    if isinstance(order.to, int) and order.to < 0:
        raise refuse(game, f"{order.attribute} cannot be {order.to}", "give 0 or more", label_of(game))


def _verify_no_gift(game: Game, unit: Unit, order: Change) -> None:
    """Refuse changes that need an order of their own: more steps, a rally, more than one point of strength.

    Raises:
        RuleViolation: The generic order cannot make the change.
    """
    before, after = unit.get(order.attribute), order.to
    if order.attribute == "steps" and isinstance(after, int) and after > unit.number("steps"):
        what = f"steps of {unit.id} go up by replacement alone"
        raise refuse(game, what, "`replace-steps` in 5.1.L", "5.1.L [16.0]")
    if order.attribute == "broken" and before is True and after is False:
        raise refuse(game, f"{unit.id} rallies by a roll alone", "`rally` in 5.2.J", "5.2.J [31.8]")
    if order.attribute == "strength" and after != min(unit.number("strength") + 1, unit.number("full_strength")):
        what = f"{unit.id} has a strength of {before} and is full with {unit.number('full_strength')}"
        raise refuse(game, what, "raise it by one, up to full strength", "5.1.L [15.2.4]")


def _more_hits(game: Game, unit: Unit, hits: int, cause: str) -> list[Result]:
    more = hits - unit.number("hits")
    if more < 0 and arm(unit) == "base" and phase_of(game) in ("5.1.M", "5.2.I"):
        return changed(unit, "hits", hits, cause, label_of(game))
    if more < 0:
        what = f"hits of {unit.id} go down by repair alone, one a phase"
        raise refuse(game, what, "`repair-ship` in 5.1.K", "5.1.K [15.0]")
    if arm(unit) != "naval":
        return changed(unit, "hits", hits, cause, label_of(game))
    results, _ = hit(unit, more, cause, label_of(game), later=fires_together(game))
    return with_what_follows(game, results, label_of(game))


def decide_remove_unit(game: Game, order: Remove, dice: Dice) -> list[Result]:
    """Remove one's own unit from play, with the units that it carries."""
    unit = own_unit(game, order.seat, order.unit, label_of(game))
    _verify_opened(game, why_no_removal(game, unit, order))
    return with_what_follows(game, decide_remove(game, order, dice), label_of(game))


def decide_place_unit(game: Game, order: Place, dice: Dice) -> list[Result]:
    """Place a unit of one's own side, checked like those of a scenario, with the same default values.

    Raises:
        RuleViolation: no such arm; an attribute that its arm does not have; activated.
    """
    schema = ARMS.get(str(order.attributes.get("arm")))
    if schema is None:
        what = f"{order.unit} needs an arm"
        raise refuse(game, what, f'"attributes": {{"arm": …}} with one of: {", ".join(ARMS)}', label_of(game))
    _verify_enters_here(game, order)
    if order.attributes.get("activated"):
        raise refuse(game, "nothing enters activated", "`activate` it when its time comes", label_of(game))
    piece = {"id": order.unit, "side": order.side, "kind": order.kind, "at": order.at, **order.attributes}
    try:
        whole = msgspec.to_builtins(msgspec.convert(piece, schema))
    except msgspec.ValidationError as error:
        what = f"{order.unit}: {error}"
        raise refuse(
            game, what, f"give what a {order.attributes['arm']} unit of a scenario has", label_of(game)
        ) from error
    attributes = {name: value for name, value in whole.items() if name not in ("id", "side", "kind", "at", "hidden")}
    attributes["came"] = coming(game)
    return [*decide_place(game, replace(order, attributes=attributes), dice), *_steps_for(game, order, attributes)]


FORMED_ANYWHERE = "formed_anywhere"
"""The option for new units that are formed in places with enemy units."""
NEW_IN = {"5.1.L": ("air", "ground"), "5.1.M": ("base",)}
"""Arms that each phase places: new units of replacement steps, bases that are built."""


def _verify_enters_here(game: Game, order: Place) -> None:
    """Refuse a new unit that the phase does not form, or in a place that is closed to it.

    Raises:
        RuleViolation: The unit cannot enter in this phase or place.
    """
    phase = phase_of(game)
    may = NEW_IN.get(phase, ())
    if order.attributes["arm"] not in may:
        what = f"no {order.attributes['arm']} unit is formed in {phase}"
        where = ", ".join(f"{arms} units in {one}" for one, names in NEW_IN.items() for arms in names)
        raise refuse(game, what, f"place {where}", phase)
    foes = enemies_before(game, order.side, order.at)
    if phase == "5.1.L" and foes and not game.options.get(FORMED_ANYWHERE, False):
        what = f"no unit is formed in {order.at}: {', '.join(foes)} of the enemy are there"
        raise refuse(game, what, "name a place without the enemy", "5.1.L [16.0]")
    verify_on_map(game, order.at, phase)
    if order.attributes["arm"] == "base":
        verify_no_enemy(game, order.side, order.at, "5.1.M [17.0]")
        _verify_base(game, order)


def _verify_base(game: Game, order: Place) -> None:
    """Refuse a base that engineers do not build: from the hand, without a link, or damaged.

    Raises:
        RuleViolation: It is an Offensive Support Base, not linked, or has damage.
    """
    if order.kind == OSB_KIND:
        what = f"{order.unit} is an Offensive Support Base, which comes from the hand"
        raise refuse(game, what, "`place-osb`", "5.1.M [11.3.1]")
    given = order.attributes
    if given.get("linked") is False or given.get("hits") or given.get("interdicted"):
        what = f"{order.unit} would not be a linked base without damage"
        raise refuse(game, what, "build one that is", "5.1.M [17.0]")


def _steps_for(game: Game, order: Place, attributes: dict[str, Value]) -> list[Result]:
    """Pay the steps of a new unit in 5.1.L from the available ones.

    Raises:
        RuleViolation: Too few steps are available, or more than a full unit has.
    """
    if phase_of(game) != "5.1.L":
        return []
    account, steps = f"steps/{order.side}/{attributes['arm']}", attributes["steps"]
    assert isinstance(steps, int)
    full = attributes["full_steps"]
    if isinstance(full, int) and steps > full:
        what = f"{order.unit} would have {steps} steps and be full with {full}"
        raise refuse(game, what, "give it no more than `full_steps`", "5.1.L [16.0]")
    if steps > has(game, account):
        what = f"{order.unit} needs {steps} {attributes['arm']} steps and {has(game, account)} are available"
        raise refuse(game, what, "form a unit of no more steps, or `done`", "5.1.L [16.0]")
    return paid(game, account, -steps, f"into {order.unit}", "5.1.L [16.0]")


def decide_pay_points(game: Game, order: Pay, dice: Dice) -> list[Result]:
    """Command Points that a chapter asks for: from one's own accounts, down only, not below 0.

    Raises:
        RuleViolation: no account of one's own with Command Points; more than it holds.
    """
    side = game.side_of(order.seat)
    own = {f"points/{side}", *(f"points/{one.id}" for one in game.in_play(side))}
    if order.account not in own or order.amount >= 0:
        what = f"{order.account} by {order.amount:+} is nothing that {game.side_name(side)} pays"
        raise refuse(game, what, "pay from Command Points of your own, with a negative amount", label_of(game))
    if has(game, order.account) + order.amount < 0:
        what = f"{order.account} holds {has(game, order.account)}"
        raise refuse(game, what, "pay no more than that", label_of(game))
    return decide_pay(game, order, dice)
