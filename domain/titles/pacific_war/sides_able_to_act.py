"""Decide which sides can act in a phase; a phase in which no side can act is skipped, with a reason.

Play does not wait for a side without a prospect, so that no record says that it declined. A prospect is anything that
the side can do now, or could do after orders of the other side while the step is open. Play stops waiting for a side
that loses its last prospect during a phase (`asked`). Air missions and naval combat are exceptions, because a side that
has flown or fired may still have losses to record. If units may be hidden, play always waits for both sides, because
anything else would reveal facts about hidden units.
"""

from collections.abc import Callable, Iterable

from umpire_ledger.domain.titles.pacific_war import (
    activation,
    cycle,
    flying,
    forces,
    limits,
    movement,
    prospects,
    task_forces,
)
from umpire_ledger.domain.titles.pacific_war.pieces import activated, ashore, enemy_of, of_arm, off_map, phase_of
from umpire_ledger.domain.titles.pacific_war.task_forces import is_searched
from umpire_ledger.kit import Called, Game, Roles, Unit, called, is_foggy, names_in, word_in


def sides_that(can: Callable[[Game, str], bool]) -> Roles:
    """Return the function of a role: the sides with a prospect, the Advantage player first.

    If units may be hidden, all sides have the role.
    """

    def holders(game: Game) -> tuple[str, ...]:
        return tuple(side for side in in_order(game) if is_foggy(game) or can(game, side))

    return holders


def listed_that(can: Callable[[Game, str], bool]) -> Roles:
    """Return the function of a role outside the battle cycle: the sides with a prospect, in the scenario's order."""

    def holders(game: Game) -> tuple[str, ...]:
        return tuple(side for side in game.side_ids if is_foggy(game) or can(game, side))

    return holders


def in_order(game: Game) -> tuple[str, ...]:
    """Return the sides with the Advantage player first (27.0), or in the scenario's order before there is one."""
    return tuple(sorted(game.side_ids, key=lambda side: side != word_in(game, "advantage")))


def flyers(marker: str) -> Roles:
    """Return the function of a role: the side that a marker names, if it has an air unit to fly with."""

    def holders(game: Game) -> tuple[str, ...]:
        side = word_in(game, marker)
        return (side,) if side and (is_foggy(game) or can_fly(game, side)) else ()

    return holders


def can_fly(game: Game, side: str) -> bool:
    """Return whether a side has an activated air unit that has not flown in this battle cycle."""
    return any(one.get("activated") and not flying.flown(game, one) for one in of_arm(game, "air", side=side))


def interferer(marker: str) -> Roles:
    """Return the function of a role: the side that a marker names, if its air units can meet a mission in flight."""

    def holders(game: Game) -> tuple[str, ...]:
        side = word_in(game, marker)
        return (side,) if flying.still_flying(game) and flying.may_be_met(game, enemy_of(side)) else ()

    return holders


def on_mission(marker: str) -> Roles:
    """Return the function of a role: the side that a marker names, if an air unit of its mission is still in play."""

    def holders(game: Game) -> tuple[str, ...]:
        return (word_in(game, marker),) if flying.still_flying(game) else ()

    return holders


def can_search(marker: str) -> Callable[[Game, str], bool]:
    """Return a check whether a side has a target to search for, while the side that a marker names moves."""

    def able(game: Game, side: str) -> bool:
        foe = enemy_of(side)
        hidden = [one for one in task_forces.every_force(game, foe) if not one.get("detected")]
        moves = foe == word_in(game, marker)
        left = hidden if _may_be_new(game, moves=moves) else [one for one in hidden if not is_searched(game, one)]
        return any(one.at not in off_map(game) or (moves and _is_activated(game, one)) for one in left)

    return able


def _may_be_new(game: Game, *, moves: bool) -> bool:
    """Return whether a new search may become possible after a failed one: on a new day, or for a new Task Force."""
    phase = phase_of(game)
    return game.cursor.opened(f"{phase}/move") is not None and (moves or phase == "5.1.R")


def _is_activated(game: Game, force: Unit) -> bool:
    """Return whether a Task Force, or a ship that sails alone, has an activated unit, so that it may enter the map."""
    return any(one.get("activated") for one in movement.with_it(game, force))


def has_patrol(marker: str) -> Callable[[Game, str], bool]:
    """Return a check whether a side has a paid patrol and an enemy ship in the same place, or may have them later.

    Enemy ships may still arrive while the side that a marker names moves. By an optional rule, patrols move too.
    """

    def able(game: Game, side: str) -> bool:
        paid = [one for one in of_arm(game, "patrol", side=side) if one.get("paid") is not False]
        ships = of_arm(game, "naval", side=enemy_of(side))
        mover = word_in(game, marker)
        moves = mover == enemy_of(side) and any(one.get("activated") for one in ships)
        moves = moves or (mover == side and any(movement.is_optional_submarine(game, one) for one in paid))
        return bool(paid and ships) and (moves or _are_together(paid, ships))

    return able


def _are_together(units: Iterable[Unit], others: Iterable[Unit]) -> bool:
    places = {one.at for one in others}
    return any(one.at in places for one in units)


def can_bombard(game: Game, side: str) -> bool:
    """Return whether an activated ship of the side is at a shoreline with ground units or bases of the enemy."""
    foe = enemy_of(side)
    targets = {one.at for one in (*ashore(game, foe), *of_arm(game, "base", side=foe))}
    shore = names_in(game, "shoreline")
    coasts = targets & set(shore) if shore else targets
    return any(ship.at in coasts for ship in activated(game, side) if ship.get("arm") == "naval")


def can_fight_on_land(game: Game, _: str) -> bool:
    """Return whether ground units of both sides are ashore in the same place, at least one of them activated."""
    on_land = ashore(game)
    return any(one.get("activated") and _meets(one, on_land) for one in on_land)


def _meets(unit: Unit, others: tuple[Unit, ...]) -> bool:
    return any(one.at == unit.at and one.side != unit.side for one in others)


def can_retreat(game: Game, side: str) -> bool:
    """Return whether a ground unit of the side has fought in this phase, and still meets an enemy."""
    fought = (one for one in of_arm(game, "ground", side=side) if not movement.why_no_retreat(game, one))
    return any(_meets(one, ashore(game)) for one in fought)


def can_change_activation(game: Game, side: str) -> bool:
    """Return whether a side can activate or deactivate a unit in 5.2.M."""
    return activation.can_deactivate(game, side) or activation.can_activate(game, side)


# --- the roles of the sequence ----------------------------------------------------------------------------------------


def asked(words: str, asks: Callable[..., tuple[str, ...]], *, none: str) -> Called:
    """Return a role; play waits for its holders only while they have a prospect."""
    return called(words, asks, none=none, asked_again=True)


SIDES = {"advantage_player": "advantage", "disadvantage_player": "disadvantage"}
"""The paired roles of the sequence, each with its marker."""
ONE_SIDE = "only one side has ships in the hex of battle"


def _paired(role: str, side: str) -> dict[str, Called]:
    """Return the roles during one side's movement and missions: searching, attacking, flying and interfering."""
    flies = f"the {side.capitalize()} player has no activated air unit to fly with"
    player = f"{side.capitalize()} player"
    searches = sides_that(can_search(side))
    return {
        f"searchers_beside_{role}": asked("searching sides", searches, none="no side has a Task Force to search for"),
        f"owners_of_patrols_beside_{role}": asked(
            "owners of patrols", sides_that(has_patrol(side)), none="no patrol has an enemy to attack"
        ),
        f"flying_{role}": called(f"{player} with air units", flyers(side), none=flies),
        f"interfering_{role}": called(f"{player} with air units", interferer(side), none="no air unit can interfere"),
        f"on_mission_{role}": called(f"{player} on a mission", on_mission(side), none="no air unit is left in it"),
    }


ROLES = {
    **{name: one for role, side in SIDES.items() for name, one in _paired(role, side).items()},
    **{
        f"searchers_beside_{mover}": asked(
            "searching sides", listed_that(can_search(mover)), none="no side has a Task Force to search for"
        )
        for mover in ("operation_player", "reaction_player")
    },
    "allocators": asked(
        "sides with Command Points on the track",
        listed_that(prospects.can_allocate_points),
        none="no side has Command Points to allocate",
    ),
    "transporters": asked(
        "owners of units to transport", listed_that(prospects.can_transport), none="no side has a unit to transport"
    ),
    "owners_of_reinforcements": asked(
        "sides with something to bring in, build or remove",
        listed_that(prospects.has_reinforcements),
        none="no side has anything to bring, build or take off",
    ),
    "owners_of_replacements": asked(
        "sides with steps or units to arrange",
        listed_that(prospects.has_replacements),
        none="no side has steps or units to arrange",
    ),
    "payers_of_patrols": asked(
        "sides that can pay for a patrol", listed_that(prospects.can_patrol), none="no side can pay a Submarine Patrol"
    ),
    "surprising": called("side with Surprise", cycle.surprising, none="no side with Surprise has an enemy in the hex"),
    "yet_to_fire": called("sides that have yet to fire", cycle.yet_to_fire, none=ONE_SIDE),
    "yet_to_fire_later": called("sides that have yet to fire", cycle.yet_to_fire_later, none=ONE_SIDE),
    "repairers": asked(
        "owners of ships to repair", sides_that(forces.can_repair), none="no ship can be repaired or recombined"
    ),
    "bombarders": asked(
        "owners of ships off an enemy shore", sides_that(can_bombard), none="no ship is off an enemy shore"
    ),
    "demolishers": asked(
        "owners of ground units on a base or resource",
        sides_that(cycle.can_demolish),
        none="no ground unit is in a place that it can demolish",
    ),
    "fighters_on_land": asked(
        "sides that meet on land", sides_that(can_fight_on_land), none="no activated ground unit meets an enemy"
    ),
    "owners_of_retreating": asked(
        "owners of ground units that fought",
        sides_that(can_retreat),
        none="no ground unit that fought meets an enemy",
    ),
    "owners_of_damaged_airbases": asked(
        "owners of damaged airbases",
        sides_that(lambda game, side: bool(forces.damaged_airbases(game, side))),
        none="no linked airbase is damaged",
    ),
    "owners_of_broken": asked(
        "owners of broken units",
        sides_that(lambda game, side: bool(cycle.may_rally(game, side))),
        none="no broken unit may rally",
    ),
    "owners_of_detected": asked(
        "owners of detected Task Forces",
        sides_that(lambda game, side: bool(limits.may_turn(game, side))),
        none="no detected Task Force may be turned over",
    ),
    "activators": asked(
        "sides that can activate or deactivate",
        sides_that(can_change_activation),
        none="no side can activate or deactivate a unit",
    ),
}
"""Roles for which a phase waits; `none` is the recorded reason if no side has the role."""
