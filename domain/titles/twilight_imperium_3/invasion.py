"""Invade planets (TA.6 and IC): bombardment, PDS shots, rounds of ground combat, success or failure, planet cards.

A Dreadnought bombards only an invaded planet without an enemy PDS; a War Sun has neither limit. Each ship bombards or
razes once in an activation. An invaded planet with an enemy Ground Force is bombarded at the start of its battle. If no
defender can fight, a Ground Force that survives the PDS takes the planet without a round of combat. Only a Ground Force
can claim a planet; if none survives, the owner does not change.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.battle import begin, end_battle, field
from umpire_ledger.domain.titles.twilight_imperium_3.casualties import targets
from umpire_ledger.domain.titles.twilight_imperium_3.dice_rolls import volley, volley_plan
from umpire_ledger.domain.titles.twilight_imperium_3.domain_counters import heavy_ships, verify_heavy
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    active_planets,
    controller,
    enemies_at,
    verify_planet,
)
from umpire_ledger.domain.titles.twilight_imperium_3.landing import invaded
from umpire_ledger.domain.titles.twilight_imperium_3.pds import ground_forces
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    activation,
    bombards,
    destroyed,
    label,
    player,
    refuse,
    what_of,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Modified,
    PlaceOrNone,
    Result,
    Unit,
    UnitName,
    after,
    changed,
    marked,
    word_in,
)


class Bombard(Modified, frozen=True, kw_only=True, tag="bombard"):
    """Bombard a planet with one ship; the contested one if none is named. Modifiers count for each die."""

    ship: UnitName
    planet: PlaceOrNone = ""


# --- the current planet -----------------------------------------------------------------------------------------------


def planet_in_hand(game: Game) -> str:
    return game.cursor.item("TA.6.planets")


def is_contested(game: Game, _: str) -> bool:
    """Check whether another side owns the current planet or has units on it."""
    planet = planet_in_hand(game)
    others = controller(game, planet) not in ("", player(game))
    return others or bool(enemies_at(game, planet, player(game)))


def begin_invasion(game: Game) -> list[Result]:
    """Begin the battle for the current planet against its owner or another enemy there."""
    planet = planet_in_hand(game)
    foes = {unit.side for unit in enemies_at(game, planet, player(game))}
    owner = controller(game, planet)
    against = owner if owner not in ("", player(game)) and (owner in foes or not foes) else min(foes, default="")
    return begin(game, planet, against, "IC")


def both_on_planet(game: Game, _: str) -> bool:
    sides = (word_in(game, "now/attacker"), word_in(game, "now/defender"))
    return all(side and targets(game, field(game), side) for side in sides)


# --- IC.1 -------------------------------------------------------------------------------------------------------------


def suns_can_bombard(game: Game, _: str) -> bool:
    """Check whether a War Sun could bombard a planet that is not invaded."""
    return bool(_suns(game)) and bool(_bombarded_from_space(game))


def _suns(game: Game) -> tuple[Unit, ...]:
    return tuple(ship for ship in heavy_ships(game) if bombards(game, ship) == "always")


def invasion_is_due(game: Game, side: str) -> bool:
    return bool(invaded(game, side)) or suns_can_bombard(game, side)


def _bombarded_from_space(game: Game) -> tuple[str, ...]:
    """Return planets with an enemy Ground Force that are not invaded."""
    side, landed_on = player(game), invaded(game, "")
    return tuple(
        planet for planet in active_planets(game) if planet not in landed_on and _defenders(game, planet, side)
    )


def _defenders(game: Game, planet: str, side: str) -> tuple[Unit, ...]:
    return tuple(unit for unit in enemies_at(game, planet, side) if what_of(game, unit) == "ground")


def can_bombard(game: Game, _: str) -> bool:
    """Return whether a ship still has a bombardment for the contested planet, and an enemy Ground Force is there."""
    ships = _suns(game) if _is_under_pds(game, field(game)) else heavy_ships(game)
    return bool(ships) and bool(_defenders(game, field(game), player(game)))


def decide_bombard(game: Game, order: Bombard, dice: Dice) -> list[Result]:
    """Roll dice equal to the multiplier; each hit destroys a Ground Force on the planet.

    Raises:
        RuleViolation: The ship cannot bombard there or has used its bombardment; a Dreadnought faces a PDS, or a planet
            that is not invaded; another battle is being fought, or this one has not begun; no enemy Ground Force is
            there.
    """
    planet = order.planet or field(game)
    rule = "IC.1"
    verify_planet(game, planet, rule)
    ship = verify_heavy(game, order.ship, planet, rule)
    _verify_moment(game, planet)
    if bombards(game, ship) != "always":
        _verify_dreadnought(game, ship, planet)
    if not _defenders(game, planet, player(game)):
        raise refuse(game, "no-enemy-to-bombard", rule, planet=planet)
    plan = volley_plan(game, (ship,), purpose=f"bombardment of {planet}", rule=rule, order=order)
    rolls, hits = volley(game, dice, plan)
    lost = _defenders(game, planet, player(game))[:hits]
    results: list[Result] = [
        *rolls,
        *changed(ship, "bombarded", activation(game), f"bombards {planet}", rule),
        *destroyed(lost, f"bombarded by {ship.id}", rule),
    ]
    can_go_on = can_bombard if label(game) == "IC.1" else suns_can_bombard
    return results if can_go_on(after(game, results), "") else [*results, Closes()]


def _verify_moment(game: Game, planet: str) -> None:
    """Check that an invaded planet is bombarded only in its own battle, and that no other planet is bombarded then.

    Raises:
        RuleViolation: The planet is bombarded at another moment.
    """
    if label(game) == "IC.1" and planet != field(game):
        raise refuse(game, "planet-not-fought-for", "IC.1", planet=planet, contested=field(game))
    if label(game) != "IC.1" and planet in invaded(game, ""):
        raise refuse(game, "bombarded-when-fought-for", "IC.1", planet=planet)


def _is_under_pds(game: Game, planet: str) -> bool:
    return any(what_of(game, unit) == "pds" for unit in enemies_at(game, planet, player(game)))


def _verify_dreadnought(game: Game, ship: Unit, planet: str) -> None:
    if planet not in invaded(game, ""):
        raise refuse(game, "planet-not-invaded", "IC.1", ship=ship.id)
    if _is_under_pds(game, planet):
        raise refuse(game, "pds-protects-planet", "IC.1", ship=ship.id, planet=planet)


# --- IC.5 -------------------------------------------------------------------------------------------------------------


def conclude(game: Game) -> list[Result]:
    """End the invasion: the conqueror gets the planet, or the units that landed in vain are destroyed."""
    planet = field(game)
    return [*settle(game, planet, "IC.5"), *end_battle(game, "" if _succeeds(game, planet) else _failure(game, planet))]


def _failure(game: Game, planet: str) -> str:
    """Describe a failed invasion and who keeps the planet."""
    keeper = controller(game, planet) or word_in(game, "now/defender")
    return f"the invasion of {planet} failed: {game.side_does(keeper, 'keeps it')}"


def claim(game: Game) -> list[Result]:
    """Claim a neutral planet if a Ground Force survived its domain counter."""
    return settle(game, planet_in_hand(game), "TA.5.neutral")


def settle(game: Game, planet: str, rule: str) -> list[Result]:
    """Give the planet to the active player or, after a failed invasion, destroy the units that landed in vain.

    Units that were on the planet before this activation always stay.
    """
    side = player(game)
    if not _succeeds(game, planet):
        return destroyed(_landed_in_vain(game, planet, side), "the invasion failed", rule)
    fallen = (unit for unit in enemies_at(game, planet, side) if what_of(game, unit) in ("pds", "dock"))
    return [*destroyed(fallen, f"{planet} has fallen", rule), *_owned(game, planet, side, rule)]


def _succeeds(game: Game, planet: str) -> bool:
    """Return whether an attacking Ground Force is alive and no defender that can fight is left."""
    side = player(game)
    others = {unit.side for unit in enemies_at(game, planet, side)}
    return bool(ground_forces(game, planet, side)) and not any(targets(game, planet, other) for other in others)


def _landed_in_vain(game: Game, planet: str, side: str) -> tuple[Unit, ...]:
    """Return the units that landed in a failed attempt to take the planet.

    On a planet without owner or enemies, only a landing with a Ground Force is an attempt; without one, other units
    stay, but PDS do not.
    """
    came = [unit for unit in game.units.values() if unit.side == side and unit.get("landed") == activation(game)]
    here = [unit for unit in came if unit.at == planet]
    tried = any(what_of(game, unit) == "ground" for unit in here) or is_contested(game, "")
    return tuple(unit for unit in here if not unit.fate and (tried or what_of(game, unit) == "pds"))


def _owned(game: Game, planet: str, side: str, rule: str) -> list[Result]:
    """Give the planet card to its new owner, exhausted."""
    return [
        *marked(game, f"control/{planet}", side, "claimed", rule),
        *marked(game, f"since/{planet}", game.turn, "claimed", rule),
        *marked(game, f"exhausted/{planet}", True, "the planet card is taken exhausted", rule),
    ]
