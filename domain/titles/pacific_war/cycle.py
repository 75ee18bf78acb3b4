"""Play the battle cycle (5.2): lighting, advantage, hexes of naval combat, demolition and rally."""

from umpire_ledger.domain.titles.pacific_war.pieces import (
    ashore,
    enemy_of,
    hostile_unit,
    of_arm,
    own_of_arm,
    refuse,
    this_cycle,
    unmarked,
)
from umpire_ledger.domain.titles.pacific_war.tables import roll_on
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Order,
    Reason,
    Result,
    TableRoll,
    Unit,
    UnitName,
    changed,
    marked,
    removed,
    word_in,
)

A, B, E, G, J = "5.2.A [26.0]", "5.2.B [27.0]", "5.2.E.a [29.1]", "5.2.G [30.0]", "5.2.J [31.8]"

SURPRISE_LASTS = "surprise_lasts"
"""The option that Surprise counts in all three naval combat phases of a hex."""


class RollLighting(TableRoll, frozen=True, kw_only=True, tag="roll-lighting"):
    """Roll for the Lighting Condition of the cycle. Either player may roll."""


class RollAdvantage(TableRoll, frozen=True, kw_only=True, tag="roll-advantage"):
    """Roll for the Advantage player of the cycle. Either player may roll."""


class DetermineBattle(TableRoll, frozen=True, kw_only=True, tag="determine-battle"):
    """Roll for naval combat in the current hex, and for Surprise. Either player may roll."""


class Demolish(Order, frozen=True, kw_only=True, tag="demolish"):
    """Eliminate a base, or demolish a Resource hex, with a ground unit that is there."""

    unit: UnitName
    target: UnitName


class Rally(TableRoll, frozen=True, kw_only=True, tag="rally"):
    """Roll for a broken ground unit, once in a cycle."""

    unit: UnitName


def begin_cycle(game: Game) -> list[Result]:
    """Begin a new battle cycle of the operation, and clear the markers of the previous one."""
    number = game.number("cycle") + 1
    held = ("lighting", "advantage", "disadvantage", "surprise", "mission", "mission_target", "interfered")
    return [*unmarked(game, *held), *marked(game, "cycle", number)]


def decide_roll_lighting(game: Game, order: RollLighting, dice: Dice) -> list[Result]:
    """Roll for the lighting of the whole cycle: of searches, missions and naval combat."""
    light = roll_on(game, dice, order, "lighting", purpose="lighting", rule=A)
    if light.row is None:
        return list(light.told)
    return [*light.told, *marked(game, "lighting", light.said, f"roll {light.total}", A), Closes(everybody=True)]


def decide_roll_advantage(game: Game, order: RollAdvantage, dice: Dice) -> list[Result]:
    """Roll for the side with the advantage in this cycle: the Operation or the Reaction player."""
    rolled = roll_on(game, dice, order, "advantage", purpose="advantage", rule=B)
    if rolled.row is None:
        return list(rolled.told)
    side = str(game.markers[f"{rolled.said}_player"])
    cause = f"roll {rolled.total}"
    return [
        *rolled.told,
        *marked(game, "advantage", side, cause, B),
        *marked(game, "disadvantage", enemy_of(side), cause, B),
        Closes(everybody=True),
    ]


# --- naval battles ----------------------------------------------------------------------------------------------------


def battle_hexes(game: Game, _: str) -> tuple[str, ...]:
    """Return places with ships of both sides, at least one of them activated; submarines do not count."""
    ships = of_arm(game, "naval")
    return tuple(
        sorted(
            place
            for place in {ship.at for ship in ships}
            if len({ship.side for ship in ships if ship.at == place}) > 1
            and any(ship.get("activated") for ship in ships if ship.at == place)
        )
    )


def decide_determine_battle(game: Game, order: DetermineBattle, dice: Dice) -> list[Result]:
    """Roll for naval combat in the hex, and for the side that has Surprise, if any."""
    place = game.cursor.item("5.2.E")
    rolled = roll_on(game, dice, order, "naval-battle", purpose=f"naval combat at {place}", rule=E)
    if rolled.row is None:
        return list(rolled.told)
    whose = game.markers.get(str(rolled.value("surprise") or "neither"), "neither")
    answer = "combat" if rolled.value("combat") else "no combat"
    return [*rolled.told, *marked(game, "surprise", whose, f"roll {rolled.total} at {place}", E), Closes(answer)]


def surprising(game: Game) -> tuple[str, ...]:
    """Return the side that fires first by Surprise in the hex being resolved."""
    return tuple(side for side in owners_in_hand(game) if side == word_in(game, "surprise"))


def yet_to_fire(game: Game) -> tuple[str, ...]:
    """Return the sides with ships in the hex being resolved, except the one that fired first by Surprise."""
    return tuple(side for side in owners_in_hand(game) if side != word_in(game, "surprise"))


def yet_to_fire_later(game: Game) -> tuple[str, ...]:
    """Return the sides yet to fire in naval combat phases 2 and 3.

    Without the option `surprise_lasts`, both sides fire, because Surprise no longer counts.
    """
    return yet_to_fire(game) if game.options.get(SURPRISE_LASTS, True) else owners_in_hand(game)


def owners_in_hand(game: Game) -> tuple[str, ...]:
    """Return both sides while both have ships in the hex being resolved; otherwise none."""
    place = game.cursor.item("5.2.E")
    sides = {ship.side for ship in of_arm(game, "naval") if ship.at == place}
    return game.side_ids if len(sides) == len(game.side_ids) else ()


# --- on land ----------------------------------------------------------------------------------------------------------


def can_demolish(game: Game, side: str) -> bool:
    """Return whether a steady ground unit of the side is on a base or a Resource hex."""
    there = {one.at for one in of_arm(game, "base", "resource") if not one.get("demolished")}
    return any(unit.at in there and not unit.get("broken") for unit in ashore(game, side))


def decide_demolish(game: Game, order: Demolish, _: Dice) -> list[Result]:
    """Eliminate a base, or mark a Resource hex as demolished.

    Raises:
        RuleViolation: The ground unit is broken, aboard a ship or elsewhere; or the target is not a base or Resource
            hex, or is already demolished.
    """
    unit = own_of_arm(game, order.seat, order.unit, ("ground",), G)
    found = game.units.get(order.target)
    target = found if found is not None and found.side == unit.side else hostile_unit(game, order.seat, order.target, G)
    if target.get("arm") not in ("base", "resource") or target.fate or target.get("demolished"):
        raise refuse(game, "cannot-be-demolished", G, target=target.id)
    if why := _why_no_demolition(unit, target):
        raise refuse(game, "cannot-demolish", G, why=why)
    if target.get("arm") == "resource":
        return changed(target, "demolished", True, f"by {unit.id}", G)
    return removed(target, "demolished", f"by {unit.id}", G)


def _why_no_demolition(unit: Unit, target: Unit) -> Reason | None:
    """Return the reason why a unit cannot demolish a target; None if it can."""
    if unit.get("broken"):
        return Reason("broken", f"{unit.id} is broken")
    if unit.get("aboard"):
        return Reason("aboard", f"{unit.id} is aboard {unit.get('aboard')}")
    if unit.at == target.at:
        return None
    return Reason("elsewhere", f"{unit.id} is at {unit.at}, but {target.id} is at {target.at}")


def why_no_rally(game: Game, unit: Unit) -> Reason | None:
    """Return the reason why a unit cannot rally; None if it may try.

    An isolated unit, or one in a hex with an enemy, stays broken.
    """
    if not unit.get("broken"):
        return Reason("not-broken", "it is not broken")
    if unit.get("isolated"):
        return Reason("isolated", "it is isolated")
    if any(foe.at == unit.at for foe in ashore(game, enemy_of(unit.side))):
        return Reason("enemy-in-hex", "an enemy is in its hex")
    if unit.get("rallied") == this_cycle(game):
        return Reason("tried-already", "it has already tried in this battle cycle")
    return None


def may_rally(game: Game, side: str) -> tuple[Unit, ...]:
    return tuple(one for one in of_arm(game, "ground", side=side) if not why_no_rally(game, one))


def rallies_to_leave(game: Game, side: str) -> tuple[str, ...]:
    """Return the side's units that could rally; they stay broken when 5.2.J ends."""
    broken = ", ".join(one.id for one in may_rally(game, side))
    return (f"rallies: {broken} may try",) if broken else ()


def decide_rally(game: Game, order: Rally, dice: Dice) -> list[Result]:
    """Roll for a unit to rally.

    Raises:
        RuleViolation: See `why_no_rally`.
    """
    unit = own_of_arm(game, order.seat, order.unit, ("ground",), J)
    if why := why_no_rally(game, unit):
        ready = ", ".join(one.id for one in may_rally(game, unit.side)) or "none"
        raise refuse(game, "cannot-rally", J, unit=unit.id, why=why, units=ready)
    rolled = roll_on(game, dice, order, "rally", purpose=f"rally of {unit.id}", rule=J, subjects=(unit.id,))
    if rolled.row is None:
        return list(rolled.told)
    return [
        *rolled.told,
        *changed(unit, "rallied", this_cycle(game), rule=J),
        *(changed(unit, "broken", False, "rallied", J) if rolled.row == "rallied" else []),
    ]
