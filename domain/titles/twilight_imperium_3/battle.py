"""Fight space battles (SB): the active player attacks, and both sides roll in a round before either takes losses.

The attacker, or else the defender, announces a withdrawal or retreat before the dice and carries it out after the
casualties. The fleet goes to an adjacent system without enemy ships that the retreating player has activated earlier;
without such a system, a side cannot announce a retreat. The printed text does not cover ships of more than two players:
the attacker fights them one after another, clockwise.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.casualties import clear_hits, forget, scored, stranded, targets
from umpire_ledger.domain.titles.twilight_imperium_3.dice_rolls import can_fight, volley, volley_plan
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    adjacent,
    at_place,
    clockwise,
    enemy_ships_in,
    is_activated_by,
    ships_in,
    verify_system,
)
from umpire_ledger.domain.titles.twilight_imperium_3.movement import counted, fleet_limit
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    active_systems,
    destroyed,
    ids,
    label,
    own_units,
    player,
    refuse,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Modified,
    Order,
    PlaceName,
    Result,
    RollPlan,
    Unit,
    UnitName,
    after,
    marked,
    moved,
    step_open,
    word_in,
)


class Announce(Order, frozen=True, kw_only=True, tag="announce-retreat"):
    """Announce the withdrawal (attacker) or retreat (defender) of the whole fleet at the end of this round."""


class RollCombat(Modified, frozen=True, kw_only=True, tag="roll-combat"):
    """Roll the combat dice of all your units in the battle; modifiers count for each die."""


class Retreat(Order, frozen=True, kw_only=True, tag="retreat"):
    """Retreat with the whole fleet. `lose`: ships destroyed because the fleet supply there is too small."""

    to: PlaceName
    lose: tuple[UnitName, ...] = ()


# --- who fights -------------------------------------------------------------------------------------------------------


def attacker(game: Game) -> tuple[str, ...]:
    return tuple(filter(None, (word_in(game, "now/attacker"),)))


def defender(game: Game) -> tuple[str, ...]:
    return tuple(filter(None, (word_in(game, "now/defender"),)))


def opponent(game: Game, side: str) -> str:
    """Return the other side of the current battle."""
    return word_in(game, "now/defender" if side == word_in(game, "now/attacker") else "now/attacker")


def field(game: Game) -> str:
    """Return the place of the battle: a system, or a planet."""
    return word_in(game, "now/field")


def in_battle(game: Game, _: str) -> tuple[str, ...]:
    """Return the ids of both sides' units at the place of the battle."""
    return tuple(unit.id for unit in at_place(game, field(game))) if field(game) else ()


def enemies_present(game: Game) -> tuple[str, ...]:
    """Return the sides whose ships the active player must fight in an activated system, clockwise from the player.

    A side is left out if neither its ships nor the player's can do damage.
    """
    side = player(game)
    shared = [system for system in active_systems(game) if ships_in(game, system, side)]
    return tuple(
        other
        for other in clockwise(game, side)
        if any(_can_be_fought(game, system, (side, other)) for system in shared)
    )


def _can_be_fought(game: Game, system: str, sides: tuple[str, str]) -> bool:
    """Return whether both sides have ships there and any can do damage; otherwise the battle would never end."""
    fleets = [ships_in(game, system, side) for side in sides]
    return all(fleets) and any(can_fight(game, ship) for fleet in fleets for ship in fleet)


def battle_is_due(game: Game, _: str) -> bool:
    return bool(enemies_present(game))


def begin_battle(game: Game) -> list[Result]:
    """Begin a battle of the active player against the first enemy present."""
    return begin(game, active_systems(game)[0], next(iter(enemies_present(game)), ""), "TA.4")


def begin(game: Game, place: str, against: str, rule: str) -> list[Result]:
    """Mark the place, the attacker and the defender of a battle."""
    return [
        *marked(game, "now/field", place, "battle", rule),
        *marked(game, "now/attacker", player(game), "battle", rule),
        *marked(game, "now/defender", against or None, "battle", rule),
    ]


def end_space_battle(game: Game) -> list[Result]:
    """End a space battle and record which fleets stay."""
    left = [side for side in (*attacker(game), *defender(game)) if ships_in(game, field(game), side)]
    stay = " and ".join(game.side_does(side, "stays") for side in left) or "no fleet stays"
    return end_battle(game, f"the battle in {field(game)} is over: {stay}")


def end_battle(game: Game, outcome: str) -> list[Result]:
    """End the battle; troops whose ships are all gone are lost with them."""
    over = [*forget(game, "field", cause=outcome), *forget(game, "attacker", "defender")]
    return [*stranded(game, field(game), "SB.5"), *clear_hits(game), *over]


def both_fight(game: Game, _: str) -> bool:
    """Return whether both sides have a target left in the battle, and a unit there can do damage."""
    sides = (*attacker(game), *defender(game))
    left = [targets(game, field(game), side) for side in sides]
    return len(sides) == 2 and all(left) and any(can_fight(game, unit) for units in left for unit in units)


# --- SB.1 and SB.4 ----------------------------------------------------------------------------------------------------


def refuges(game: Game, side: str) -> tuple[str, ...]:
    """Return the adjacent systems that this player activated earlier and that hold no enemy ships."""
    return tuple(
        system
        for system in adjacent(game, field(game))
        if is_activated_by(game, system, side) and not enemy_ships_in(game, system, side)
    )


def may_retreat(game: Game) -> tuple[str, ...]:
    """Return the attacker, then the defender, if they have a system to retreat to."""
    return tuple(side for side in (*attacker(game), *defender(game)) if refuges(game, side))


def decide_announce(game: Game, order: Announce, _: Dice) -> list[Result]:
    """Announce a retreat; only one side can in each round, and the defender only if the attacker stays.

    Raises:
        RuleViolation: There is no system to retreat to.
    """
    side = game.side_of(order.seat)
    if not refuges(game, side):
        raise refuse(game, "no-refuge", "SB.1", side=game.side_name(side))
    return [*marked(game, "now/retreat", side, "announced", "SB.1"), Closes(everybody=True)]


def retreating(game: Game) -> tuple[str, ...]:
    return tuple(filter(None, (word_in(game, "now/retreat"),)))


def fleet_to_retreat(game: Game, side: str) -> tuple[str, ...]:
    """Return the ids of the ships that must retreat."""
    return tuple(ship.id for ship in ships_in(game, field(game), side))


def retreat_is_due(game: Game, _: str) -> bool:
    """Return whether a retreat is announced and a system to retreat to is left; a card may have closed the last one."""
    return any(refuges(game, side) for side in retreating(game))


def cancel_retreat(game: Game) -> list[Result]:
    """Cancel an announced retreat if one side can no longer fight: a winner stays, a destroyed fleet cannot move."""
    side = word_in(game, "now/retreat")
    if both_fight(game, "") or not side:
        return []
    left = ships_in(game, field(game), side)
    cause = "cancelled: every enemy ship is destroyed" if left else "the fleet is destroyed"
    return [*marked(game, "now/retreat", None, cause, "SB.4"), Closes()]


def decide_retreat(game: Game, order: Retreat, _: Dice) -> list[Result]:
    """Retreat with the whole fleet; ships over the fleet supply, which its owner names, are destroyed.

    Raises:
        RuleViolation: The fleet cannot retreat to that system, or the ships named as lost do not match the excess over
            the fleet supply.
    """
    side = game.side_of(order.seat)
    verify_system(game, order.to, "SB.4")
    if order.to not in refuges(game, side):
        raise refuse(
            game,
            "cannot-retreat-there",
            "SB.4",
            side=game.side_name(side),
            system=order.to,
            systems=tuple(refuges(game, side)),
        )
    origin = field(game)
    fleet = at_place(game, origin, side)
    results = [event for unit in fleet for event in moved(unit, (order.to,), "retreat", "SB.4")]
    lost = _excess(after(game, results), side, order)
    results += destroyed(lost, "over the fleet supply", "SB.4")
    results += stranded(after(game, results), order.to, "SB.4")
    return [*results, *forget(game, "retreat"), Closes()]


def _excess(game: Game, side: str, order: Retreat) -> tuple[Unit, ...]:
    """Return the ships named as lost.

    Raises:
        RuleViolation: They are not exactly the excess over the fleet supply, or one of them is not with the fleet.
    """
    ships = ships_in(game, order.to, side)
    lost = own_units(game, side, order.lose, "SB.4")
    for ship in lost:
        if ship not in ships:
            raise refuse(game, "ship-not-with-fleet", "SB.4", ship=ship.id, ships=ids(ships))
    most = fleet_limit(game, side)
    kept = tuple(ship for ship in ships if ship not in lost)
    over = counted(game, kept) - most
    if over > 0:
        raise refuse(
            game,
            "fleet-too-large-to-retreat",
            "SB.4",
            given=counted(game, ships),
            system=order.to,
            limit=most,
            over=over,
            ships=ids(kept),
        )
    for ship in lost:
        if counted(game, (*kept, ship)) <= most:
            raise refuse(game, "need-not-be-lost", "SB.4", ship=ship.id)
    return lost


# --- SB.2 and IC.3 ----------------------------------------------------------------------------------------------------


def dice_are_due(game: Game, _: str) -> bool:
    """Check whether the step waits for the dice of both sides."""
    return step_open(game) in ("SB.2", "IC.3")


def with_dice(game: Game) -> tuple[str, ...]:
    """Return the attacker and the defender, leaving out a side that has no dice to roll."""
    return tuple(side for side in (*attacker(game), *defender(game)) if _fighting(game, side))


def _fighting(game: Game, side: str) -> tuple[Unit, ...]:
    """Return all units that fight for a side."""
    return tuple(unit for unit in targets(game, field(game), side) if can_fight(game, unit))


def combat_plan(game: Game, order: RollCombat) -> RollPlan:
    """Plan the dice of all units that fight for a side."""
    fighting = _fighting(game, game.side_of(order.seat))
    return volley_plan(game, fighting, purpose=f"{_how(game)} in {field(game)}", rule=label(game), order=order)


def _how(game: Game) -> str:
    return "space battle" if label(game) == "SB.2" else "ground combat"


def decide_roll_combat(game: Game, order: RollCombat, dice: Dice) -> list[Result]:
    """Roll for all units that fight; the hits wait until the other side has rolled too."""
    side, rule, how = game.side_of(order.seat), label(game), _how(game)
    rolls, hits = volley(game, dice, combat_plan(game, order))
    return [*rolls, *scored(game, field(game), opponent(game, side), hits, how, rule), Closes()]


def end_round(game: Game) -> list[Result]:
    """End the round: clear hits that have no target left, and an announced retreat."""
    return [*clear_hits(game), *forget(game, "retreat")]
