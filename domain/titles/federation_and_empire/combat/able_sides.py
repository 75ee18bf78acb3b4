"""Find the sides that can act in the steps 5-3X5 to 5-6X9 of a battle.

A step waits for the sides that it finds when it opens. These functions read public facts only.
"""

from collections.abc import Callable

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import (
    battlers,
    defenders_left,
    foe_in_battle,
    who_fight,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.damage import damage_of
from umpire_ledger.domain.titles.federation_and_empire.combat.directed import cost_of
from umpire_ledger.domain.titles.federation_and_empire.combat.fates import rolled_for
from umpire_ledger.domain.titles.federation_and_empire.combat.intensity import plans_account
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    RIDERS,
    at_hex,
    has,
    hex_in_hand,
    in_battle,
    is_base,
    is_crippled,
    is_ship,
    phasing,
    round_mark,
    serving,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.allotment import due_to, takers
from umpire_ledger.domain.titles.federation_and_empire.economy.economy import unsalvaged
from umpire_ledger.domain.titles.federation_and_empire.economy.shipyard import can_scuttle
from umpire_ledger.domain.titles.federation_and_empire.movement.missions import is_off_ship
from umpire_ledger.domain.titles.federation_and_empire.raids.designations import aboard, is_unused_caster, towed_by
from umpire_ledger.kit import Game, Unit

Can = Callable[[Game, str], bool]
Sides = Callable[[Game], tuple[str, ...]]


def _who(can: Can) -> Sides:
    """Return a role: the sides of the battle that pass a test."""
    return lambda game: tuple(side for side in battlers(game) if can(game, side))


def _can_announce(game: Game, side: str) -> bool:
    """Return whether a ship is subject to shock, or a web caster is unused (311.2, 525.74A)."""
    shock = any(has(unit, "shock") and not has(unit, "mauler") for unit in takers(game, side))
    return shock or any(is_unused_caster(unit) for unit in takers(game, side))


def _can_cast_at_isc(game: Game, side: str) -> bool:
    """Return whether a web caster is unused and an ISC ship fights against it (525.74C)."""
    foes = (unit for foe in foe_in_battle(game, side) for unit in serving(game, foe))
    ready = any(is_unused_caster(unit) for unit in takers(game, side))
    return ready and any(has(unit, "isc") for unit in foes)


def _has_effects(game: Game, side: str) -> bool:
    """Return whether a SWAC of the side fights, or a penal ship may have fought a duel (518.4, 528.431)."""
    return any(has(unit, "swac") for unit in serving(game, side)) or any(has(unit, "penal") for unit in serving(game))


def _has_booty(game: Game, side: str) -> bool:
    """Return whether a side has a captured ship in the battle, or stolen war-plans (305.21, 534.243)."""
    able = (unit for unit in in_battle(game, side) if has(unit, "captured") and not unit.get("frozen"))
    return any(able) or game.accounts.get(plans_account(side), 0) > 0


def _has_swac_to_roll_for(game: Game, side: str) -> bool:
    """Return whether a SWAC of the side still needs a die for its survival (518.33)."""
    return bool(rolled_for(game, side, "5-4F"))


def _has_penal_ship(game: Game, side: str) -> bool:
    """Return whether a penal ship of the side fights (528.41)."""
    return any(has(unit, "penal") for unit in takers(game, side))


def _can_direct(game: Game, side: str) -> bool:
    """Return whether a side has the points to direct damage at an enemy unit that is not frozen (302.5).

    The points needed are those of the result `missed`, which costs least.
    """
    foes = (unit for foe in foe_in_battle(game, side) for unit in takers(game, foe))
    return any(cost_of(game, unit, "missed") <= damage_of(game, side) for unit in foes)


def attacker_who_directs(game: Game) -> tuple[str, ...]:
    """Return the phasing side if it can direct damage (5-5B)."""
    return tuple(side for side in (phasing(game),) if _can_direct(game, side))


def defenders_who_direct(game: Game) -> tuple[str, ...]:
    """Return the defenders that can direct damage (5-5C)."""
    return tuple(side for side in who_fight(game) if _can_direct(game, side))


def defenders_hurt(game: Game) -> tuple[str, ...]:
    """Return the defenders with damage to take (302.6)."""
    return tuple(side for side in defenders_left(game) if due_to(game, side))


def attacker_hurt(game: Game) -> tuple[str, ...]:
    """Return the phasing side if it has damage to take (302.6)."""
    side = phasing(game)
    return (side,) if due_to(game, side) else ()


def _has_fighters_to_move(game: Game, side: str) -> bool:
    """Return whether fighters or PFs of one unit find room on another (501.6, 502.45)."""
    return any(_finds_room(game, side, sort) for sort in ("fighters", "pfs"))


def _finds_room(game: Game, side: str, sort: str) -> bool:
    here, now = takers(game, side), round_mark(game)
    destroyed = [unit for unit in game.units.values() if unit.side == side and unit.fate == "destroyed"]
    lost = [unit for unit in destroyed if unit.get("lost") == now]
    givers = {unit.id for unit in (*here, *lost) if aboard(unit, sort)}
    return any(unit.number(f"{sort}_gone") and givers - {unit.id} for unit in here)


def _tows(game: Game, side: str) -> bool:
    """Return whether a ship that fights tows a cripple that is still in the web (512.32)."""
    return any(towed_by(game, unit) for unit in takers(game, side))


def _can_capture(game: Game, side: str) -> bool:
    """Return whether a side has a unit left and its enemy has a crippled ship that is not frozen (305.1)."""
    foes = (unit for foe in foe_in_battle(game, side) for unit in takers(game, foe))
    return bool(takers(game, side)) and any(is_crippled(unit) and not is_base(unit) for unit in foes)


def _has_leader_off_ship(game: Game, side: str) -> bool:
    """Return whether an admiral or general has no ship, or one that is crippled or lost (316.31, 316.144A)."""
    return any(has(unit, "leader") and is_off_ship(game, unit) for unit in at_hex(game, hex_in_hand(game), side))


def _has_troops_to_move(game: Game, side: str) -> bool:
    """Return whether fighters find room, a GCE may return or a Prime Team may be reassigned (521.34, 522.34)."""
    landed = any(unit.get("gce") == "landed" for unit in takers(game, side))
    return landed or _has_fighters_to_move(game, side) or _can_reassign(game, side)


def _can_reassign(game: Game, side: str) -> bool:
    here = at_hex(game, hex_in_hand(game), side)
    able = {unit.id for unit in here if RIDERS.isdisjoint(unit.names("traits")) and not unit.get("frozen")}
    teams = [unit for unit in here if has(unit, "team") and not _is_in_stasis(game, unit)]
    return any(able - {team.get("aboard")} for team in teams)


def _is_in_stasis(game: Game, rider: Unit) -> bool:
    ship = game.units.get(str(rider.get("aboard") or ""))
    return ship is not None and bool(ship.get("frozen"))


def _can_transfer_gce(game: Game, side: str) -> bool:
    """Return whether a unit has a GCE aboard and another one has room for it (521.22)."""
    aboard_now = [unit.get("gce") for unit in takers(game, side)]
    return "aboard" in aboard_now and None in aboard_now


def _has_casualty(game: Game, side: str) -> bool:
    """Return whether a crippled ship may enter the depot, or a lost unit brings salvage (424.33, 439.1)."""
    return any(is_crippled(unit) and is_ship(unit) for unit in in_battle(game, side)) or any(unsalvaged(game, side))


def _has_hurt_base(game: Game, side: str) -> bool:
    """Return whether a base is crippled, or has damage points (425.3)."""
    bases = (unit for unit in at_hex(game, hex_in_hand(game), side) if is_base(unit))
    return any(is_crippled(unit) or unit.number("sids") for unit in bases)


casters_at_isc = _who(_can_cast_at_isc)
announcers = _who(_can_announce)
affected = _who(_has_effects)
owners_of_booty = _who(_has_booty)
owners_of_lost_swacs = _who(_has_swac_to_roll_for)
penal_owners = _who(_has_penal_ship)
owners_of_fighters = _who(_has_fighters_to_move)
owners_of_tows = _who(_tows)
captors = _who(_can_capture)
owners_of_leaders = _who(_has_leader_off_ship)
owners_of_troops_to_move = _who(_has_troops_to_move)
owners_of_gces = _who(_can_transfer_gce)
owners_of_casualties = _who(_has_casualty)
owners_of_hurt_bases = _who(_has_hurt_base)
scuttlers = _who(can_scuttle)
