"""Fire PDS (TA.3, TR.3 and IC.2), a single shot each.

Enemies fire first, clockwise from the active player. The player's own PDS fire after the player has taken the hits. In
a transfer, a PDS in range of both systems fires into one of them, which uses its one shot of the activation. On a
contested planet every PDS has another shot, whether or not it fired into space.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.casualties import scored
from umpire_ledger.domain.titles.twilight_imperium_3.dice_rolls import volley, volley_plan
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    at_place,
    clockwise,
    distance,
    enemy_ships_in,
    ships_in,
    system_of,
)
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    activation,
    active_systems,
    destroyed,
    ids,
    label,
    own_units,
    player,
    refuse,
    value,
    what_of,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Modified,
    PlaceOrNone,
    Result,
    RollPlan,
    Unit,
    UnitName,
    UnitOrNone,
    after,
    changed,
    word_in,
)


class FirePds(Modified, frozen=True, kw_only=True, tag="fire-pds"):
    """Fire PDS units, all that can if none is named. `at`: the system, if two are activated.

    `target`: the side to fire at, if ships of several enemies are there. Modifiers count for each die.
    """

    pds: tuple[UnitName, ...] = ()
    at: PlaceOrNone = ""
    target: UnitOrNone = ""


def in_range(game: Game, side: str, system: str) -> tuple[Unit, ...]:
    """Return the PDS of a side that reach a system and have not fired during this activation."""
    return tuple(
        unit
        for unit in game.in_play(side)
        if what_of(game, unit) == "pds"
        and system_of(game, unit.at) not in ("", unit.at)
        and unit.get("fired") != activation(game)
        and distance(game, system_of(game, unit.at), system) <= value(game, unit, "range")
    )


def aims(game: Game, side: str) -> tuple[str, ...]:
    """Return the activated systems into which a side could fire now."""
    return tuple(
        system for system in active_systems(game) if _foes(game, side, system) and in_range(game, side, system)
    )


def _foes(game: Game, side: str, system: str) -> tuple[str, ...]:
    """Return a side's targets: the active player for an enemy, all enemies there for the active player."""
    if side != player(game):
        return (player(game),) if ships_in(game, system, player(game)) else ()
    return tuple(dict.fromkeys(ship.side for ship in enemy_ships_in(game, system, side)))


def can_fire(game: Game, side: str) -> bool:
    return bool(aims(game, side))


def anybody_can_fire(game: Game, _: str) -> bool:
    return any(aims(game, side) for side in game.side_ids)


def shots_left_out(game: Game, side: str) -> tuple[str, ...]:
    """Describe the fire that a side forfeits with `done`: the systems in reach of its PDS."""
    there = ", ".join(aims(game, side))
    return (f"the fire of your PDS into: {there}",) if there else ()


def enemy_gunners(game: Game) -> tuple[str, ...]:
    """Return enemies whose PDS reach the active player's ships, clockwise."""
    return tuple(side for side in clockwise(game, player(game)) if aims(game, side))


def own_gunner(game: Game) -> tuple[str, ...]:
    """Return the active player, if the player's PDS reach enemy ships."""
    return tuple(side for side in (player(game),) if side and aims(game, side))


def fire_plan(game: Game, order: FirePds) -> RollPlan:
    """Plan one d10 for each PDS that the order names, or for all that can fire if it names none.

    Raises:
        RuleViolation: As in `decide_fire_pds`.
    """
    side, rule = game.side_of(order.seat), label(game)
    if rule == "IC.2":
        purpose = f"PDS of {word_in(game, 'now/field')} fire"
        return volley_plan(game, _planet_guns(game, order, side), purpose=purpose, rule=rule, each=1, order=order)
    system = _one_of(game, order.at, aims(game, side), "at", rule)
    guns = _guns(game, order, side, in_range(game, side, system), rule)
    return volley_plan(game, guns, purpose=f"PDS fire into {system}", rule=rule, each=1, order=order)


def decide_fire_pds(game: Game, order: FirePds, dice: Dice) -> list[Result]:
    """Roll one d10 for each PDS; a result at or above its combat value is a hit.

    Raises:
        RuleViolation: A PDS cannot fire there, or `at` or `target` is wrong or missing.
    """
    side, rule = game.side_of(order.seat), label(game)
    if rule == "IC.2":
        return _at_invaders(game, order, dice)
    system = _one_of(game, order.at, aims(game, side), "at", rule)
    target = _one_of(game, order.target, _foes(game, side, system), "target", rule)
    guns = _guns(game, order, side, in_range(game, side, system), rule)
    rolls, hits = volley(game, dice, fire_plan(game, order))
    results = [
        *rolls,
        *(event for gun in guns for event in changed(gun, "fired", activation(game), f"fires into {system}", rule)),
        *scored(game, system, target, hits, "PDS fire", rule),
    ]
    return results if can_fire(after(game, results), side) else [*results, Closes()]


def _one_of(game: Game, named: str, possible: tuple[str, ...], argument: str, rule: str) -> str:
    chosen = named or (possible[0] if len(possible) == 1 else "")
    if chosen in possible:
        return chosen
    raise refuse(
        game,
        "cannot-fire-at" if named else "target-not-named",
        rule,
        target=named,
        several=possible,
        argument=argument,
        targets=", ".join(possible) or "nothing in range",
    )


def _guns(game: Game, order: FirePds, side: str, ready: tuple[Unit, ...], rule: str) -> tuple[Unit, ...]:
    named = own_units(game, side, order.pds, rule)
    for one in named:
        if one not in ready:
            raise refuse(game, "cannot-fire", rule, unit=one.id, units=ids(ready))
    return named or ready


# --- IC.2 -------------------------------------------------------------------------------------------------------------


def ground_gunner(game: Game) -> tuple[str, ...]:
    """Return the defender of a contested planet who has PDS there, if an invading Ground Force is left to hit."""
    defender, attacker = word_in(game, "now/defender"), word_in(game, "now/attacker")
    if not defender or not ground_forces(game, word_in(game, "now/field"), attacker):
        return ()
    return (defender,) if _ready_on_planet(game, defender) else ()


def _ready_on_planet(game: Game, side: str) -> tuple[Unit, ...]:
    """Return PDS of the contested planet that have not had their shot in this invasion."""
    here = at_place(game, word_in(game, "now/field"), side)
    return tuple(unit for unit in here if what_of(game, unit) == "pds" and unit.get("shot") != activation(game))


def _planet_guns(game: Game, order: FirePds, side: str) -> tuple[Unit, ...]:
    return _guns(game, order, side, _ready_on_planet(game, side), "IC.2")


def _at_invaders(game: Game, order: FirePds, dice: Dice) -> list[Result]:
    """Fire at invaders; hits destroy Ground Forces at once. If only some PDS fire, the step waits for the others."""
    side, place = game.side_of(order.seat), word_in(game, "now/field")
    guns, ready = _planet_guns(game, order, side), _ready_on_planet(game, side)
    rolls, hits = volley(game, dice, fire_plan(game, order))
    lost = ground_forces(game, place, word_in(game, "now/attacker"))[:hits]
    results: list[Result] = [*rolls, *destroyed(lost, "PDS fire", "IC.2")]
    if len(guns) == len(ready) or not ground_forces(after(game, results), place, word_in(game, "now/attacker")):
        return [*results, Closes()]
    return [*results, *(event for gun in guns for event in changed(gun, "shot", activation(game), "fires", "IC.2"))]


def ground_forces(game: Game, place: str, side: str) -> tuple[Unit, ...]:
    """Return Ground Forces of a side on a planet, without mercenaries and leaders."""
    return tuple(unit for unit in at_place(game, place, side) if what_of(game, unit) == "ground")
