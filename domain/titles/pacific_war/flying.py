"""5.2.D and 5.2.L: air missions. One side flies, the other interferes, and may answer by a Simultaneous Strike (28.12).

An air unit flies once in a battle cycle: a mission, a movement between bases, a paradrop or a Simultaneous Strike; to
interfere is no mission. The strike is asked for when a mission against a Task Force with carriers that hold air units
is resolved; both happen at one time, so air units fly that have gone down with their carrier.
"""

from umpire_ledger.domain.titles.pacific_war.pieces import (
    arm,
    of_arm,
    own_of_arm,
    phase_of,
    refuse,
    this_cycle,
    this_use,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Order,
    PlaceName,
    Result,
    Unit,
    UnitMoved,
    UnitName,
    changed,
    marked,
    names_in,
    step_open,
    word_in,
)

WHOSE = {"5.2.D": "advantage", "5.2.L": "disadvantage"}
"""The air mission phases, and whose each is."""
STRIKE = "simultaneous_strike"
"""The marker that names the air units which may answer a mission now."""
AT_ONCE = "28.12"


class Paradrop(Order, frozen=True, kw_only=True, tag="paradrop"):
    """An air unit drops a ground unit from its base on a place."""

    unit: UnitName
    by: UnitName
    at: PlaceName


def flown(game: Game, unit: Unit) -> bool:
    """Whether an air unit has flown in this battle cycle."""
    return str(unit.get("used") or "").startswith(f"{this_cycle(game)}.")


def owns_the_phase(game: Game, side: str) -> bool:
    """Whether the missions of this phase are a side's own."""
    return side == word_in(game, WHOSE.get(phase_of(game), ""))


def is_simultaneous(game: Game) -> bool:
    """Whether a Simultaneous Strike is asked for now."""
    return AT_ONCE in step_open(game)


def strike_is_open(game: Game, _: str) -> bool:
    return bool(names_in(game, STRIKE))


def strikers(game: Game, units: tuple[str, ...], rule: str) -> list[Unit]:
    """The air units of a Simultaneous Strike. Raises RuleViolation for a unit that cannot answer."""
    able = names_in(game, STRIKE)
    if wrong := [one for one in units if one not in able]:
        what = f"{', '.join(wrong)}: not on a carrier of the Task Force that is attacked"
        raise refuse(game, what, f"strike with: {', '.join(able)}; `done` declines", rule)
    return [game.units[one] for one in dict.fromkeys(units)]


def verify_mission(game: Game, flying: list[Unit], target: Unit, rule: str) -> None:
    """Raises RuleViolation: flown already; not activated; the other side does more than interfere."""
    if is_simultaneous(game):
        return
    if not owns_the_phase(game, flying[0].side):
        if arm(target) == "air" and target.get("used") == this_use(game):
            return
        what = f"{game.side_name(flying[0].side)} only interferes with missions in this phase"
        raise refuse(game, what, "attack an air unit whose mission was flown in this phase, or wait", rule)
    if idle := [one.id for one in flying if not one.get("activated")]:
        raise refuse(game, f"{', '.join(idle)}: not activated", "attack with activated units", rule)
    if again := [one.id for one in flying if flown(game, one)]:
        what = f"{', '.join(again)}: flown already in this battle cycle"
        raise refuse(game, what, "name air units that have not, or `done`", rule)


def notes(game: Game, flying: list[Unit]) -> list[Result]:
    """Who has flown; in a Simultaneous Strike also who is left to strike."""
    if not is_simultaneous(game) and not owns_the_phase(game, flying[0].side):
        return []
    noted = [event for one in flying if not one.fate for event in changed(one, "used", this_use(game))]
    if not is_simultaneous(game):
        return noted
    left = tuple(one for one in names_in(game, STRIKE) if one not in {unit.id for unit in flying})
    return [*noted, *marked(game, STRIKE, left or None), *([] if left else [Closes()])]


def calls_for(game: Game, flying: list[Unit], target: Unit) -> list[Result]:
    """After a mission against carriers: the air units that may answer it by a Simultaneous Strike."""
    if is_simultaneous(game) or not owns_the_phase(game, flying[0].side):
        return []
    return marked(game, STRIKE, may_answer(game, target) or None, f"mission against {target.id}", AT_ONCE)


def may_answer(game: Game, target: Unit) -> tuple[str, ...]:
    """The air units on carriers of the Task Force that a mission is flown against; a ship alone is one by itself."""
    if arm(target) != "naval":
        return ()
    force = target.get("task_force")
    ships = {
        one.id for one in of_arm(game, "naval") if one.id == target.id or (force and one.get("task_force") == force)
    }
    aboard = (one for one in of_arm(game, "air", side=target.side) if one.get("aboard") in ships)
    return tuple(one.id for one in aboard if not flown(game, one))


def decline(game: Game) -> list[Result]:
    """The Simultaneous Strike is over."""
    return marked(game, STRIKE, None, rule=AT_ONCE)


# --- other flights ----------------------------------------------------------------------------------------------------


def why_not_flying(game: Game, unit: Unit) -> str:
    """Why a unit may not fly to another base in an air mission phase; "" when it may."""
    if not owns_the_phase(game, unit.side):
        return "its owner only interferes with missions in this phase"
    if arm(unit) == "ground":
        return "only air units fly; ground units are dropped by `paradrop`"
    if arm(unit) != "air":
        return "only air units fly"
    return "it has flown in this battle cycle" if flown(game, unit) else ""


def own_bases(game: Game, side: str) -> tuple[str, ...]:
    """Where a side's air units may land."""
    return tuple(dict.fromkeys(base.at for base in of_arm(game, "base", side=side)))


def decide_paradrop(game: Game, order: Paradrop, _: Dice) -> list[Result]:
    """A ground unit is dropped by an air unit from where both stand; one that can jump, where the scenario says who.

    Raises:
        RuleViolation: no paratroops; not activated; not in one place; flown already; not one's own phase.
    """
    rule = "5.2.D [28.14]" if phase_of(game) == "5.2.D" else "5.2.L [28.0]"
    unit = own_of_arm(game, order.seat, order.unit, ("ground",), rule)
    carrier = own_of_arm(game, order.seat, order.by, ("air",), rule)
    if why := _why_no_drop(game, unit, carrier):
        raise refuse(game, f"{unit.id} cannot be dropped: {why}", "name paratroops and air units that are ready", rule)
    if order.at == unit.at:
        raise refuse(game, f"{unit.id} is at {order.at} already", "name the place of the drop", rule)
    path = (unit.at, order.at)
    drop = UnitMoved(unit=unit.id, path=path, cause=f"dropped by {carrier.id}", rule=rule)
    return [drop, *changed(carrier, "used", this_use(game), "paradrop", rule)]


def _why_no_drop(game: Game, unit: Unit, carrier: Unit) -> str:
    if why := why_not_flying(game, carrier):
        return f"{carrier.id}: {why}"
    if not unit.get("paratroops") and any("paratroops" in one.attributes for one in of_arm(game, "ground")):
        return "it is no paratroop unit"
    idle = [one.id for one in (unit, carrier) if not one.get("activated")]
    if idle:
        return f"not activated: {', '.join(idle)}"
    if unit.at != carrier.at or unit.at not in own_bases(game, unit.side):
        return f"{unit.id} and {carrier.id} are not at one base of their side"
    return f"it is aboard {unit.get('aboard')}" if unit.get("aboard") else ""
