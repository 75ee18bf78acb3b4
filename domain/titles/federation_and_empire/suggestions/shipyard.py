"""Suggest orders in Phase 2: repairs, builds, conversions, the depot."""

from typing import Any

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    DEPOT,
    ORION_POOL,
    empire_of,
    empires_of,
    has,
    is_base,
    is_crippled,
    kind_of,
    printed,
    printed_of,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import yards_of
from umpire_ledger.domain.titles.federation_and_empire.economy.deployment import free_places
from umpire_ledger.domain.titles.federation_and_empire.economy.repairs import Depot, Repair
from umpire_ledger.domain.titles.federation_and_empire.economy.shipyard import (
    Activate,
    Build,
    Convert,
    Deploy,
    Replace,
    Scuttle,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.special_production import (
    FOUNDERS,
    Battleship,
    CallPolice,
    Colony,
    Construct,
    Defend,
    DisbandDivision,
    FormDivision,
    NewLeader,
    Squadrons,
    Swarm,
    lost_leaders,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.domain.titles.federation_and_empire.suggestions.common import (
    FEW,
    Orders,
    each_unit,
    guess,
    mine,
    new_id,
    plain,
    ships,
    trait,
)
from umpire_ledger.kit import Game, names_in, step_open

MANY = 99
FACTORS: dict[str, Any] = {"attack": 5, "defense": 5, "crippled_attack": 2, "crippled_defense": 3}
divisions_disbanded = plain(DisbandDivision, division="77th")


def divisions(game: Game, side: str) -> Orders:
    """Suggest each division with one ship of its founder."""
    for division, (founder, _) in FOUNDERS.items():
        for unit in mine(game, side, lambda one: ships(one) and empire_of(one) == founder, 1):  # noqa: B023 -- used at once
            yield FormDivision(seat=side, division=division, unit=unit.id)  # type: ignore[arg-type]


def facilities(game: Game, side: str) -> Orders:
    """Suggest the facilities that the scenario prices, or a yard, in a fixed hex and in the hexes of some ships."""
    priced = game.tables.get("costs", {}).get("of", {})
    known = [name.removeprefix("construct ") for name in sorted(priced) if name.startswith("construct ")]
    places = dict.fromkeys(("1301", *(unit.at for unit in mine(game, side, ships))))
    for empire in empires_of(game, side):
        for facility in known[:FEW] or ("yard",):
            yield from (Construct(seat=side, facility=facility, at=at, ep=1, empire=empire) for at in places)


def repairs_paid(game: Game, side: str) -> Orders:
    """Suggest repairs of crippled units at a base or FRD: ships in 2A2, bases in 2A3."""
    bases = printed(step_open(game)) != "2A2"
    docks = {one.at for one in mine(game, side, lambda one: is_base(one) or has(one, "frd"), MANY)}
    hurt = mine(game, side, lambda unit: is_crippled(unit) and unit.at in docks and is_base(unit) == bases, MANY)
    for unit in [one for one in hurt if one.get("repair") is None][:FEW]:
        yield Repair(seat=side, unit=unit.id, ep=guess(game, f"repair {kind_of(unit)}"))
    for base in mine(game, side, lambda unit: unit.number("sids") > 0) if bases else ():
        yield Repair(seat=side, unit=base.id, sids=1, ep=guess(game, "repair SIDS"))


def activations(game: Game, side: str) -> Orders:
    for unit in mine(game, side, lambda unit: unit.get("mothballed") is True):
        yield Activate(seat=side, unit=unit.id, ep=guess(game, f"activate {kind_of(unit)}"))


def conversions(game: Game, side: str) -> Orders:
    """Suggest conversions to the first kinds of the scenario, or to a made-up kind if it has none."""
    kinds = tuple(game.tables.get("kinds", ()))[:FEW]
    docks = {one.at for one in mine(game, side, is_base, MANY)}
    for unit in mine(game, side, lambda one: ships(one) and (not docks or one.at in docks)):
        for kind in kinds or ("DW",):
            sides = {} if kinds else FACTORS
            yield Convert(seat=side, unit=unit.id, kind=kind, ep=guess(game, f"convert {kind}"), **sides)


def replacements(game: Game, side: str) -> Orders:
    for what in ("fighters", "PFs"):
        for unit in mine(game, side, lambda one: one.number(f"{what.lower()}_gone") > 0):  # noqa: B023 -- used at once
            yield Replace(seat=side, unit=unit.id, what=what)
    for unit in mine(game, side, lambda one: has(one, "gce") and one.get("gce") is None):
        yield Replace(seat=side, unit=unit.id, what="GCE")


def battleships(game: Game, side: str) -> Orders:
    for empire in empires_of(game, side):
        for option in names_in(game, f"battleships of {empire}")[:1]:
            yield Battleship(seat=side, option=option, ep=3, empire=empire)


def police(game: Game, side: str) -> Orders:
    for empire in empires_of(game, side):
        yield CallPolice(seat=side, unit=new_id(game, side), at="1301", empire=empire)


def new_leaders(game: Game, side: str) -> Orders:
    for lost in lost_leaders(game, side)[:1]:
        for ship in mine(game, side, ships):
            yield NewLeader(seat=side, leader=new_id(game, side), replaces=lost.id, ship=ship.id)


def teams(game: Game, side: str) -> Orders:
    for team in mine(game, side, trait("team")):
        for at in dict.fromkeys(("", team.at if is_hex(team.at) else "", "1301", "1206", "0902")):
            yield Defend(seat=side, team=team.id, at=at)


def swarms(game: Game, side: str) -> Orders:
    yield Swarm(seat=side, unit=new_id(game, side), at_least=4)


def squadrons(game: Game, side: str) -> Orders:
    for unit in mine(game, side, lambda unit: empire_of(unit) == "federation" and ships(unit), 1):
        yield from (Squadrons(seat=side, fighter=fighter, at=(unit.at,)) for fighter in ("F-14", "F-15"))


def colonies(game: Game, side: str) -> Orders:
    """Suggest new colonies, and payments for all that are under way."""
    under_way = [marker.removeprefix("colony ") for marker in sorted(game.markers) if marker.startswith("colony ")]
    places = dict.fromkeys(("1301", *(unit.at for unit in mine(game, side, ships)), *under_way))
    for empire in empires_of(game, side):
        for at in places:
            yield from (Colony(seat=side, at=at, ep=ep, empire=empire) for ep in (1, None))


scuttled = each_unit(Scuttle, lambda unit: ships(unit) and is_crippled(unit))


def builds(game: Game, side: str) -> Orders:
    for empire in empires_of(game, side):
        home = printed_of(game, empire, "capital") or "1205"
        at = ORION_POOL if side == "orion" else next(iter(yards_of(game, empire)), home)
        unit = new_id(game, side)
        known = tuple(game.tables.get("kinds", ()))
        for kind in known[:FEW] or ("FF", "GCE"):
            yield Build(seat=side, unit=unit, kind=kind, at=at, ep=guess(game, f"build {kind}", 2), empire=empire)


def depot_acts(game: Game, side: str) -> Orders:
    for unit in mine(game, side, lambda unit: unit.at == DEPOT):
        yield Depot(seat=side, unit=unit.id, act="progress")
        yield Depot(seat=side, unit=unit.id, act="place", at="1205")
        yield Depot(seat=side, unit=unit.id, act="salvage", ep=guess(game, f"salvage {kind_of(unit)}"))
    hurt = mine(game, side, lambda unit: is_crippled(unit) and unit.at != DEPOT, MANY)
    for unit in sorted(hurt, key=lambda unit: unit.get("raid_hurt") is None)[:FEW]:
        yield Depot(seat=side, unit=unit.id, act="add")


def deployments(game: Game, side: str) -> Orders:
    """Suggest deployments in each empire's first free hexes."""
    for empire in empires_of(game, side):
        for at in free_places(game, empire)[:FEW]:
            yield Deploy(seat=side, unit=new_id(game, side), kind="MB", at=at, empire=empire, defense=6)
