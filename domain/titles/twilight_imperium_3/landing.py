"""Land ground units from the ships of the activated system (TA.5, TR.4 and TA.landpds).

Friendly, neutral and hostile landings come one after another, all before any combat; they end when no unit is left
aboard. A planet that an enemy owns is hostile even without units on it. Invading PDS land with the invasion and do not
fight.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.twilight_imperium_3.domain_counters import invaders, is_probed
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    active_planets,
    at_place,
    controller,
    enemies_at,
    system_of,
    verify_planet,
)
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    activation,
    active_systems,
    ids,
    is_troop,
    own_units,
    player,
    refuse,
    what_of,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Order,
    PlaceName,
    Result,
    Unit,
    UnitName,
    after,
    changed,
    moved,
)

Landing = Literal["friendly", "neutral", "hostile"]
Landers = Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1)]


class LandFriendly(Order, frozen=True, kw_only=True, tag="land-friendly"):
    """Land on a planet of your own."""

    planet: PlaceName
    units: Landers


class LandNeutral(Order, frozen=True, kw_only=True, tag="land-neutral"):
    """Land on a planet that has no owner."""

    planet: PlaceName
    units: Landers


class LandHostile(Order, frozen=True, kw_only=True, tag="land-hostile"):
    """Invade a planet with enemy units, or one that an enemy owns."""

    planet: PlaceName
    units: Landers


class LandPds(Order, frozen=True, kw_only=True, tag="land-pds"):
    """Land PDS units with an invasion."""

    planet: PlaceName
    units: Landers


def kind_of_landing(game: Game, planet: str) -> Landing:
    """Return the kind of landing that the active player makes on a planet."""
    side = player(game)
    owner = controller(game, planet)
    if enemies_at(game, planet, side) or owner not in ("", side):
        return "hostile"
    return "friendly" if owner == side else "neutral"


def aboard(game: Game, system: str, landing: Landing = "hostile") -> tuple[Unit, ...]:
    """Return the active player's units in space that may land: troops, and PDS if the planet is friendly.

    PDS that come with an invasion have a step of their own.
    """
    here = at_place(game, system, player(game))
    return tuple(unit for unit in here if is_troop(game, unit) or (landing == "friendly" and is_pds(game, unit)))


def is_pds(game: Game, unit: Unit) -> bool:
    return what_of(game, unit) == "pds"


def can_land(game: Game, landing: Landing) -> bool:
    """Return whether units can land on a planet of this kind that was not probed in this activation."""
    return any(
        kind_of_landing(game, planet) == landing
        and not is_probed(game, planet)
        and aboard(game, system_of(game, planet), landing)
        for planet in active_planets(game)
    )


def troops_aboard(game: Game, _: str) -> bool:
    """Return whether any unit could land; PDS alone count only if a planet there is the player's own."""
    return any(aboard(game, system) for system in active_systems(game)) or can_land(game, "friendly")


def can_land_friendly(game: Game, _: str) -> bool:
    return can_land(game, "friendly")


def can_land_neutral(game: Game, _: str) -> bool:
    return can_land(game, "neutral")


def can_land_hostile(game: Game, _: str) -> bool:
    return can_land(game, "hostile")


def decide_land_friendly(game: Game, order: LandFriendly, _: Dice) -> list[Result]:
    """Land units on a planet of the player's own."""
    rule = "TR.4" if len(active_systems(game)) == 2 else "TA.5.friendly"
    return _land(game, order.planet, order.units, "friendly", rule)


def decide_land_neutral(game: Game, order: LandNeutral, _: Dice) -> list[Result]:
    """Land units on a planet without an owner."""
    return _land(game, order.planet, order.units, "neutral", "TA.5.neutral")


def decide_land_hostile(game: Game, order: LandHostile, _: Dice) -> list[Result]:
    """Land units to invade a planet."""
    return _land(game, order.planet, order.units, "hostile", "TA.5.hostile")


def _land(game: Game, planet: str, units: tuple[str, ...], landing: Landing, rule: str) -> list[Result]:
    """Land units on a planet of one kind.

    Raises:
        RuleViolation: The planet is of another kind or was probed, or a unit is not aboard there.
    """
    verify_planet(game, planet, rule)
    is_one = kind_of_landing(game, planet)
    if is_one != landing:
        raise refuse(
            game,
            "wrong-transfer-landing" if rule == "TR.4" else "wrong-landing",
            rule,
            planet=planet,
            due=is_one,
            given=landing,
        )
    if is_probed(game, planet):
        raise refuse(game, "probed-planet", "TA.probe", planet=planet)
    ready = aboard(game, system_of(game, planet), landing)
    found = own_units(game, player(game), units, rule)
    for one in found:
        if one not in ready:
            raise refuse(game, "cannot-land", rule, unit=one.id, planet=planet, units=ids(ready))
    results = [event for one in found for event in _landed(game, one, planet, rule)]
    return results if can_land(after(game, results), landing) else [*results, Closes()]


def _landed(game: Game, unit: Unit, planet: str, rule: str) -> list[Result]:
    return [
        *moved(unit, (planet,), "lands", rule),
        *changed(unit, "landed", activation(game), "lands", rule),
    ]


# --- TA.landpds -------------------------------------------------------------------------------------------------------


def pds_aboard(game: Game) -> tuple[Unit, ...]:
    here = (unit for system in active_systems(game) for unit in at_place(game, system, player(game)))
    return tuple(unit for unit in here if is_pds(game, unit))


def invaded(game: Game, _: str) -> tuple[str, ...]:
    """Return planets on which the active player has landed without owning them."""
    return tuple(
        planet
        for planet in active_planets(game)
        if invaders(game, planet) and kind_of_landing(game, planet) != "friendly"
    )


def can_land_pds(game: Game, _: str) -> bool:
    return bool(pds_aboard(game)) and bool(invaded(game, ""))


def decide_land_pds(game: Game, order: LandPds, _: Dice) -> list[Result]:
    """Land PDS with an invasion; a failed invasion destroys them.

    Raises:
        RuleViolation: The planet is not being invaded, or a PDS is not aboard there.
    """
    rule = "TA.landpds"
    verify_planet(game, order.planet, rule)
    if order.planet not in invaded(game, ""):
        could = ", ".join(invaded(game, ""))
        raise refuse(game, "planet-not-being-invaded", rule, planet=order.planet, planets=could)
    found = own_units(game, player(game), order.units, rule)
    for one in found:
        if one not in pds_aboard(game):
            raise refuse(game, "no-such-pds", rule, unit=one.id, units=ids(pds_aboard(game)))
    results = [event for one in found for event in _landed(game, one, order.planet, rule)]
    return results if can_land_pds(after(game, results), "") else [*results, Closes()]
