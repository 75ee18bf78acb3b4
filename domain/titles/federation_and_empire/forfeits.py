"""List the rights that a side forfeits by ending a step outside of combat without using them.

Moves are not listed: a unit that does not move loses nothing.
"""

from collections.abc import Callable, Iterator
from functools import wraps

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    at_hex,
    empire_of,
    empires_of,
    has,
    is_base,
    is_crippled,
    living,
    this_turn,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import listed_price, yards_of
from umpire_ledger.domain.titles.federation_and_empire.economy.economy import unsalvaged
from umpire_ledger.domain.titles.federation_and_empire.economy.repairs import has_room
from umpire_ledger.domain.titles.federation_and_empire.economy.reserves import fleet_of
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import raiders
from umpire_ledger.kit import Game, Unit, names_in, word_in

Loses = Callable[[Game, str], tuple[str, ...]]


def _in_words(words: str) -> Callable[[Callable[[Game, str], Iterator[str]]], Loses]:
    """Return a decorator that joins the findings of a function into one text, or () if there are none."""

    def named(finds: Callable[[Game, str], Iterator[str]]) -> Loses:
        @wraps(finds)
        def loses(game: Game, side: str) -> tuple[str, ...]:
            found = ", ".join(finds(game, side))
            return (f"{words}: {found}",) if found else ()

        return loses

    return named


def _mine(game: Game, side: str) -> list[Unit]:
    return sorted((unit for unit in living(game) if unit.side == side), key=lambda unit: unit.id)


# --- phase 1 ----------------------------------------------------------------------------------------------------------


@_in_words("uncounted survey points")
def surveys_left(game: Game, side: str) -> Iterator[str]:
    """Yield the uncounted points of survey ships on the map, by empire (1B)."""
    for empire in empires_of(game, side):
        ships = (unit for unit in _mine(game, side) if empire_of(unit) == empire and is_hex(unit.at))
        points = sum(unit.number("survey") for unit in ships)
        if points and game.markers.get(f"surveyed {empire}") != this_turn(game):
            yield f"{points} of {empire}"


@_in_words("empires that take no income")
def incomes_left(game: Game, side: str) -> Iterator[str]:
    """Return the empires that had no income in this player turn (1C3)."""
    return (one for one in empires_of(game, side) if game.markers.get(f"income {one}") != this_turn(game))


# --- phase 2 ----------------------------------------------------------------------------------------------------------


@_in_words("unrepaired crippled units at a yard")
def ships_unrepaired(game: Game, side: str) -> Iterator[str]:
    """Return crippled units that are not out of supply, in the hex of a base or FRD with room (2A2)."""
    waiting = (unit for unit in _mine(game, side) if _waits(unit) and not is_base(unit))
    return (unit.id for unit in waiting if any(_has_room(game, one) for one in at_hex(game, unit.at, side)))


@_in_words("unrepaired bases")
def bases_unrepaired(game: Game, side: str) -> Iterator[str]:
    """Return crippled bases, and bases with damage (2A3)."""
    bases = (unit for unit in _mine(game, side) if is_base(unit))
    return (unit.id for unit in bases if _waits(unit) or unit.number("sids"))


def _waits(unit: Unit) -> bool:
    return is_crippled(unit) and unit.get("repair") is None and unit.get("supply") != "out"


def _has_room(game: Game, yard: Unit) -> bool:
    """Check whether a base or FRD works and repairs fewer ships than it can."""
    works = (is_base(yard) or has(yard, "frd")) and yard.get("operational") is not False
    return works and has_room(game, yard)


def production_left(game: Game, side: str) -> tuple[str, ...]:
    """Return unused places of yards, empires that build nothing, and colonies without a payment (2B3)."""
    return (*_yards_left(game, side), *_treasuries_left(game, side), *_payments_left(game, side))


@_in_words("unused places in shipyards")
def _yards_left(game: Game, side: str) -> Iterator[str]:
    for empire in empires_of(game, side):
        for at, places in yards_of(game, empire).items():
            if (left := places - len(_built(game, empire, at))) > 0:
                yield f"{left} at {at}"


@_in_words("empires that build nothing")
def _treasuries_left(game: Game, side: str) -> Iterator[str]:
    for empire in empires_of(game, side):
        held = game.accounts.get(f"{empire}/EP", 0)
        if held > 0 and not yards_of(game, empire) and not _built(game, empire):
            yield f"{empire} with {held} EP"


def _built(game: Game, empire: str, at: str = "") -> list[str]:
    """Return the units that an empire has built in this player turn, at one yard or anywhere."""
    new = (one for one in game.units.values() if one.get("new") == this_turn(game) and empire_of(one) == empire)
    return [one.id for one in new if at in ("", one.get("yard"))]


@_in_words("units that lack fighters, PFs or a GCE")
def replacements_left(game: Game, side: str) -> Iterator[str]:
    """Yield the units not out of supply that lack fighters or PFs, in 2B4 also those that lack a GCE (2B4, 6E)."""
    last = game.cursor.opened("6E") is not None
    for unit in _mine(game, side):
        lacks = unit.number("fighters_gone") or unit.number("pfs_gone")
        if unit.get("supply") != "out" and (lacks or (not last and has(unit, "gce") and unit.get("gce") is None)):
            yield unit.id


@_in_words("rolls not made")
def swarm_left(game: Game, side: str) -> Iterator[str]:
    """Yield the roll for the Swarm if it has not been made in this player turn (2B8)."""
    if game.markers.get("swarm rolled") != this_turn(game):
        yield "the Swarm"


@_in_words("empires that take no battleship option")
def battleships_left(game: Game, side: str) -> Iterator[str]:
    """Return the empires with battleship options that have taken none in this turn (2B10)."""
    able = (one for one in empires_of(game, side) if names_in(game, f"battleships of {one}"))
    return (one for one in able if not word_in(game, f"battleship {one}").endswith(f" in turn {game.turn}"))


# --- colonies ---------------------------------------------------------------------------------------------------------


@_in_words("colonies without a payment")
def _payments_left(game: Game, side: str) -> Iterator[str]:
    """Return the colonies that were begun, or are not fully paid, without a payment in this player turn (2B3)."""
    whole = listed_price(game, "colony") or 0
    begun = [at for _, at in _colonies(game, side, "begun")]
    paid = [at for empire, at in _colonies(game, side, "paid") if game.accounts.get(f"{empire}/colony {at}", 0) < whole]
    return (at for at in (*begun, *paid) if game.markers.get(f"paid colony {at}") != this_turn(game))


@_in_words("colonies without their first payment")
def colonies_unbegun(game: Game, side: str) -> Iterator[str]:
    """Return the colonies that are announced (3B5)."""
    return (at for _, at in _colonies(game, side, "announced"))


@_in_words("colonies not established")
def colonies_unestablished(game: Game, side: str) -> Iterator[str]:
    """Return the colonies that are fully paid (10A)."""
    whole = listed_price(game, "colony") or 0
    paid = (one for one in _colonies(game, side, "paid") if game.accounts.get(f"{one[0]}/colony {one[1]}", 0) >= whole)
    return (at for _, at in paid)


def _colonies(game: Game, side: str, *stages: str) -> Iterator[tuple[str, str]]:
    """Yield the empire and hex of each colony of a side at these stages."""
    for marker in sorted(one for one in game.markers if one.startswith("colony ")):
        stage, _, empire = word_in(game, marker).partition(" by ")
        if stage in stages and empire in empires_of(game, side):
            yield empire, marker.removeprefix("colony ")


# --- raids, combat, the end of the turn -------------------------------------------------------------------------------


@_in_words("raiders that attack nothing")
def attacks_left(game: Game, side: str) -> Iterator[str]:
    """Return the raiders that have made no attack (3A-2H)."""
    return (unit.id for unit in raiders(game, "normal") if unit.side == side and unit.get("did") != game.turn)


@_in_words("destroyed units not salvaged")
def salvage_left(game: Game, side: str) -> Iterator[str]:
    """Return the units that were destroyed in this round and are not salvaged (5-6X7)."""
    return (unit.id for unit in unsalvaged(game, side))


@_in_words("reserve markers not placed")
def markers_left(game: Game, side: str) -> Iterator[str]:
    """Yield the number of reserve markers that each empire has left, if the scenario limits them (9A)."""
    for empire in empires_of(game, side):
        most = game.markers.get(f"reserves of {empire}")
        named = {fleet_of(unit) for unit in _mine(game, side) if empire_of(unit) == empire} - {""}
        if isinstance(most, int) and most > len(named):
            yield f"{most - len(named)} of {empire}"
