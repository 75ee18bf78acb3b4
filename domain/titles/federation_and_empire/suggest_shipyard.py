"""Orders worth trying in Phase 2: repairs, builds, conversions, the depot."""

from umpire_ledger.domain.titles.federation_and_empire.empires import (
    DEPOT,
    ORION_POOL,
    empires_of,
    is_crippled,
    printed_of,
)
from umpire_ledger.domain.titles.federation_and_empire.repairs import Depot, Repair
from umpire_ledger.domain.titles.federation_and_empire.shipyard import (
    Activate,
    Battleship,
    Build,
    Colony,
    Convert,
    Deploy,
    DisbandDivision,
    FormDivision,
    Replace,
    Scuttle,
)
from umpire_ledger.domain.titles.federation_and_empire.suggest import (
    Orders,
    each_empire,
    each_unit,
    mine,
    new_id,
    plain,
    ships,
)
from umpire_ledger.kit import Game

repairs_paid = each_unit(Repair, is_crippled, ep=1)
conversions = each_unit(Convert, ships, kind="DW", ep=1)
activations = each_unit(Activate, lambda unit: unit.get("mothballed") is True, ep=1)
divisions = each_unit(FormDivision, ships, division="77th")
divisions_disbanded = plain(DisbandDivision, division="77th")
replacements = each_unit(Replace, ships, what="fighters", ep=1)
battleships = each_empire(Battleship, option="begin", ep=3)


def colonies(game: Game, side: str) -> Orders:
    """A new one, and every one that is under way."""
    places = (
        "1301",
        *(marker.removeprefix("colony ") for marker in sorted(game.markers) if marker.startswith("colony ")),
    )
    for empire in empires_of(game, side):
        for at in dict.fromkeys(places):
            yield Colony(seat=side, at=at, ep=1, empire=empire)


scuttled = each_unit(Scuttle, lambda unit: ships(unit) and is_crippled(unit))


def builds(game: Game, side: str) -> Orders:
    for empire in empires_of(game, side):
        at = printed_of(game, empire, "capital") or (ORION_POOL if side == "orion" else "1205")
        unit = new_id(game, side)
        yield Build(seat=side, unit=unit, kind="FF", at=at, ep=2, attack=4, defense=4, empire=empire)


def depot_acts(game: Game, side: str) -> Orders:
    for unit in mine(game, side, lambda unit: unit.at == DEPOT):
        yield Depot(seat=side, unit=unit.id, act="progress")
        yield Depot(seat=side, unit=unit.id, act="place", at="1205")
        yield Depot(seat=side, unit=unit.id, act="salvage", ep=1)
    for unit in mine(game, side, lambda unit: is_crippled(unit) and unit.at != DEPOT, 1):
        yield Depot(seat=side, unit=unit.id, act="add")


def deployments(game: Game, side: str) -> Orders:
    for unit in mine(game, side, ships, 1):
        empire = empires_of(game, side)[0]
        yield Deploy(seat=side, unit=new_id(game, side), kind="MB", at=unit.at, empire=empire, defense=6)
