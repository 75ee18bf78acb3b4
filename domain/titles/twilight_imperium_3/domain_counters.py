"""Probe domain counters in secret, raze them unseen, and resolve them after landing.

No player knows a face-down counter. If the scenario lists the counters (`domains`), a probe shows one to the prober
alone; if they are physical counters on a table, the prober notes their values. Both ways leave the same records, and a
probe leaves the same records for any result.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import active_planets, at_place, system_of, verify_planet
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    activation,
    active_systems,
    bombards,
    own_unit,
    player,
    refuse,
    verify_once,
    what_of,
)
from umpire_ledger.kit import (
    REFEREE,
    ChoiceRevealed,
    Closes,
    Dice,
    Game,
    Order,
    PlaceName,
    Reason,
    RestrictedEvent,
    Result,
    Unit,
    UnitName,
    after,
    changed,
    choice_key,
    marked,
    names_in,
    secret_viewers,
)


class Probe(Order, frozen=True, kw_only=True, tag="probe"):
    """Look at face-down domain counters. `seen`: their values by planet, if the ledger does not know them."""

    planets: Annotated[tuple[PlaceName, ...], msgspec.Meta(min_length=1)]
    seen: dict[str, str] = msgspec.field(default_factory=dict)


class Raze(Order, frozen=True, kw_only=True, tag="raze"):
    """Raze a domain counter of an invaded planet with a War Sun or Dreadnought, instead of bombarding."""

    ship: UnitName
    planet: PlaceName


class ResolveDomain(Order, frozen=True, kw_only=True, tag="resolve-domain"):
    """Turn the domain counter of the planet face up. `counter`: its value, if the ledger does not know it."""

    counter: str = ""


def lies_face_down(game: Game, planet: str) -> bool:
    return game.markers.get(f"domain/{planet}") is not None


def hidden(game: Game, planet: str) -> str | None:
    """Return the counter on a planet, if this copy of the game knows it."""
    known = game.choices.get(choice_key(f"domain/{planet}", REFEREE))
    return str(known.choice) if known is not None and known.known else None


def is_probed(game: Game, planet: str) -> bool:
    """Check whether a planet was probed during the current activation."""
    return activation(game) > 0 and game.markers.get(f"probed/{planet}") == activation(game)


# --- TA.probe ---------------------------------------------------------------------------------------------------------


def can_probe(game: Game, _: str) -> bool:
    """Return whether the active player has a Fighter in an activated system with a face-down, unprobed counter."""
    fighters = any(
        what_of(game, unit) == "fighter" for at in active_systems(game) for unit in at_place(game, at, player(game))
    )
    return fighters and any(_can_be_probed(game, planet) for planet in active_planets(game))


def _can_be_probed(game: Game, planet: str) -> bool:
    return lies_face_down(game, planet) and not is_probed(game, planet)


def decide_probe(game: Game, order: Probe, _: Dice) -> list[Result]:
    """Probe any number of counters; no unit lands on these planets during this activation.

    Only the prober sees the values, so the prober cannot undo the look.

    Raises:
        RuleViolation: A planet has no counter or was already probed, or `seen` does not name exactly the counters that
            the ledger does not know.
    """
    side = game.side_of(order.seat)
    verify_once(game, order.planets, "TA.probe")
    results: list[Result] = []
    for planet in order.planets:
        verify_planet(game, planet, "TA.probe")
        if not _can_be_probed(game, planet):
            without = Reason("no-counter", "has no face-down domain counter")
            why = Reason("probed-already", "has already been probed") if is_probed(game, planet) else without
            raise refuse(game, "counter-not-to-be-seen", "TA.probe", planet=planet, why=why)
        results += _seen(game, planet, side, order.seen.get(planet, ""))
    return results if can_probe(after(game, results), side) else [*results, Closes()]


def _seen(game: Game, planet: str, side: str, noted: str) -> list[Result]:
    known = hidden(game, planet)
    if noted and known is not None:
        raise refuse(game, "counter-known-to-ledger", "TA.probe")
    if not noted and choice_key(f"domain/{planet}", REFEREE) not in game.choices:
        raise refuse(game, "counter-not-stated", "TA.probe", planet=planet)
    seen_by = names_in(game, f"seen/{planet}")
    look = ChoiceRevealed(question=f"domain/{planet}", side=side, choice=known or noted, rule="TA.probe")
    return [
        *marked(game, f"probed/{planet}", activation(game), f"{side} looks at its counter", "TA.probe"),
        *marked(game, f"seen/{planet}", tuple(dict.fromkeys((*seen_by, side))), "probed", "TA.probe"),
        RestrictedEvent(look, secret_viewers(game, side)),
    ]


# --- TA.raze ----------------------------------------------------------------------------------------------------------


def can_raze(game: Game, _: str) -> bool:
    """Return whether an invaded planet has a counter and a ship could raze it."""
    return bool(razable(game)) and bool(heavy_ships(game))


def razable(game: Game) -> tuple[str, ...]:
    return tuple(planet for planet in active_planets(game) if lies_face_down(game, planet) and invaders(game, planet))


def invaders(game: Game, planet: str) -> tuple[Unit, ...]:
    """Return the units that the active player landed on a planet during this activation."""
    landed = at_place(game, planet, player(game))
    return tuple(unit for unit in landed if unit.get("landed") == activation(game))


def heavy_ships(game: Game) -> tuple[Unit, ...]:
    """Return the active player's bombarding ships in the system that have not used their one bombardment."""
    here = (unit for system in active_systems(game) for unit in at_place(game, system, player(game)))
    return tuple(unit for unit in here if bombards(game, unit) and unit.get("bombarded") != activation(game))


def verify_heavy(game: Game, ship: str, planet: str, rule: str) -> Unit:
    """Return a ship that may bombard a planet.

    Raises:
        RuleViolation: The ship cannot bombard there, or has done so in this activation.
    """
    unit = own_unit(game, player(game), ship, rule)
    if not bombards(game, unit) or unit.at != system_of(game, planet):
        could = ", ".join(one.id for one in heavy_ships(game)) or "none can"
        raise refuse(game, "cannot-bombard", rule, ship=ship, planet=planet, ships=could)
    if unit.get("bombarded") == activation(game):
        raise refuse(game, "bombarded-already", rule, ship=ship)
    return unit


def decide_raze(game: Game, order: Raze, _: Dice) -> list[Result]:
    """Raze a counter: remove it unseen.

    Raises:
        RuleViolation: The planet is not being invaded, it has no counter, or the ship has used its bombardment.
    """
    verify_planet(game, order.planet, "TA.raze")
    if order.planet not in razable(game):
        without = Reason("no-counter", "it has no domain counter")
        why = without if invaders(game, order.planet) else Reason("not-invaded", "it is not being invaded")
        could = ", ".join(razable(game)) or "none can be razed"
        raise refuse(game, "cannot-be-razed", "TA.raze", planet=order.planet, why=why, planets=could)
    ship = verify_heavy(game, order.ship, order.planet, "TA.raze")
    results = [
        *marked(game, f"domain/{order.planet}", None, f"razed by {ship.id}", "TA.raze"),
        *changed(ship, "bombarded", activation(game), f"razed {order.planet}", "TA.raze"),
    ]
    return results if can_raze(after(game, results), "") else [*results, Closes()]


# --- resolving --------------------------------------------------------------------------------------------------------


def counter_to_resolve(game: Game, _: str) -> tuple[str, ...]:
    """Return the planet whose counter is resolved now."""
    return (game.cursor.item("TA.6.planets"),)


def whose_counter_lies_open(game: Game) -> tuple[str, ...]:
    """Return the active player, who records the effect, once the current planet's counter is no longer face down."""
    planet = game.cursor.item("TA.6.planets")
    return (player(game),) if planet and not lies_face_down(game, planet) else ()


def counter_is_due(game: Game, _: str) -> bool:
    """Check whether the current planet has a face-down counter."""
    return lies_face_down(game, game.cursor.item("TA.6.planets"))


def decide_resolve_domain(game: Game, order: ResolveDomain, _: Dice) -> list[Result]:
    """Reveal the counter to all and remove it from the planet; the group then records its effect.

    Raises:
        RuleViolation: The planet has no counter; `counter` is missing, or given although the ledger knows it.
    """
    planet = game.cursor.item("TA.6.planets")
    if not lies_face_down(game, planet):
        raise refuse(game, "counter-resolved", "TA.5.neutral", planet=planet)
    known = hidden(game, planet)
    if known is not None and order.counter:
        raise refuse(game, "counter-in-ledger", "TA.5.neutral")
    if known is None and not order.counter:
        raise refuse(game, "counter-missing", "TA.5.neutral", planet=planet)
    question, rule = f"domain/{planet}", "TA.5.neutral"
    turned = ChoiceRevealed(question=question, side=REFEREE, choice=known or order.counter, rule=rule)
    return [turned, *marked(game, f"domain/{planet}", None, known or order.counter, rule)]
