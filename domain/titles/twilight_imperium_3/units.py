"""Read units: their kinds, their values, and the small results that several steps share.

A unit is in a system (in space) or on a planet. The scenario gives the values of its kind (`[kinds.cruiser]`); an
attribute of the same name on a single unit replaces them. Play adds attributes, each absent until it happens:

    damaged     it has taken the first of its two hits
    arrived     activation in which it last moved           landed      activation in which it last landed
    fired       activation in which this PDS fired          mined       activation in which it rolled for mines
    shot        activation in which it fired at invaders, while others with it had not
    bombarded   activation in which it bombarded or razed   produced    activation in which this dock produced

Activations are counted in the marker `now/activation`; every marker that begins with `now/` belongs to the sequence.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from umpire_ledger.domain.titles.twilight_imperium_3.refusals import REFUSALS
from umpire_ledger.kit import (
    Game,
    Result,
    Unit,
    UnknownName,
    names_in,
    refusal,
    refusing,
    removed,
    step_open,
    unit_of,
    word_in,
)

NAME = "Twilight Imperium 3"
refuse = refusing(NAME, REFUSALS)
"""Function that makes a refusal under a printed label, for instance `TA.2`."""
TROOPS = ("ground", "mercenary", "leader")
"""Kinds of unit that land; of these only `ground` claims a planet."""


def unknown(game: Game, code: str, rule: str, /, **fields: object) -> UnknownName:
    """Return the refusal for a name that this game does not have."""
    return refusal(UnknownName, REFUSALS, code, fields, where=game.where, rule=f"{NAME} {rule}")


def label(game: Game) -> str:
    """Return the printed label of the open step: `TR.3` while `TR.3.enemy` is open."""
    step = step_open(game)
    return next((stem for stem in ("TA.3", "TR.3", "STRAT") if step.startswith(stem)), step)


# --- what a unit is ---------------------------------------------------------------------------------------------------


def kinds(game: Game) -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of the scenario, by name."""
    found: Mapping[str, Mapping[str, Any]] = game.tables.get("kinds", {})
    return found


def what_of(game: Game, unit: Unit) -> str:
    """Return the class of a unit (ship, fighter, ground, mercenary, leader, pds or dock); "" if its kind is unknown."""
    return str(kinds(game).get(unit.kind, {}).get("what", ""))


def value(game: Game, unit: Unit, name: str) -> int:
    """Return a value of a unit, or else the value of its kind; 0 if neither has one."""
    own = unit.get(name)
    found = own if isinstance(own, int) else kinds(game).get(unit.kind, {}).get(name, 0)
    return int(found)


def bombards(game: Game, unit: Unit) -> str:
    """Return `always`, `unless-pds`, or "" for a unit that does not bombard."""
    return str(unit.get("bombards") or kinds(game).get(unit.kind, {}).get("bombards", ""))


def is_ship(game: Game, unit: Unit) -> bool:
    """Check whether a unit is a ship; Fighters are ships too."""
    return what_of(game, unit) in ("ship", "fighter")


def is_troop(game: Game, unit: Unit) -> bool:
    return what_of(game, unit) in TROOPS


def is_afloat(game: Game, unit: Unit) -> bool:
    """Check whether a unit is a ship other than a Fighter."""
    return what_of(game, unit) == "ship"


def verify_once(game: Game, names: tuple[str, ...], rule: str) -> None:
    """Check that no name is given twice.

    Raises:
        RuleViolation: A name is given twice.
    """
    twice = next((one for one, times in Counter(names).items() if times > 1), "")
    if twice:
        raise refuse(game, "named-twice", rule, unit=twice)


def own_units(game: Game, side: str, names: tuple[str, ...], rule: str) -> tuple[Unit, ...]:
    """Return a side's own units in play."""
    return tuple(own_unit(game, side, one, rule) for one in names)


def own_unit(game: Game, side: str, unit: str, rule: str) -> Unit:
    """Return a unit in play that belongs to the side.

    Raises:
        RuleViolation: The unit is not in play, or belongs to another side.
    """
    found = unit_of(game, unit, f"{NAME} {rule}")
    if found.side != side:
        raise refuse(game, "unit-of-another-side", rule, unit=unit, side=game.side_name(found.side))
    return found


def ids(units: Iterable[Unit]) -> str:
    """Return the ids of units as a list for a sentence."""
    return ", ".join(unit.id for unit in units) or "none"


def destroyed(units: Iterable[Unit], cause: str, rule: str) -> list[Result]:
    """Return units to the reinforcements of their owners."""
    return [event for unit in units for event in removed(unit, "destroyed", cause, rule)]


# --- markers ----------------------------------------------------------------------------------------------------------


def player(game: Game) -> str:
    """Return the active player."""
    return word_in(game, "now/player")


def activation(game: Game) -> int:
    """Return the number of the current activation, from 1."""
    return game.number("now/activation")


def active_systems(game: Game) -> tuple[str, ...]:
    """Return the system that is activated now; both of them in a transfer."""
    return names_in(game, "now/systems")


def has_tech(game: Game, side: str, tech: str) -> bool:
    return tech in names_in(game, f"tech/{side}")
