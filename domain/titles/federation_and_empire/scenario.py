"""Define a Federation & Empire scenario: sides in turn order, empires and their treasuries, units, options."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.damage_chart import DamageChart, faults_of_chart
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import (
    Costs,
    Counter,
    Interest,
    KindOfUnit,
    Source,
    Yard,
    sheets,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.traits import faults_of_traits
from umpire_ledger.domain.titles.federation_and_empire.economy.prices import faults_of_prices
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.domain.titles.federation_and_empire.movement.map_edges import is_on_map
from umpire_ledger.domain.titles.federation_and_empire.tables import faults_of_tables
from umpire_ledger.kit import (
    AccountChanged,
    AnyEvent,
    Id,
    MarkerSet,
    Piece,
    Scenario,
    ScenarioFault,
    Value,
    scenario_fault,
    set_up_pieces,
)

HexOrNone = Annotated[
    str, msgspec.Meta(pattern=r"^([0-9]{4})?$", description="four digits, column and row; empty for none")
]
Place = Annotated[
    str,
    msgspec.Meta(pattern=r"^([0-9]{4}|[a-z][a-z-]*|DLR)$", description="a hex of four digits, or a box by its name"),
]
Points = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Factor = Annotated[int, msgspec.Meta(ge=0, le=99)]
Turns = Annotated[int, msgspec.Meta(ge=1, le=99)]


class Unit(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A ship, base or group, with the values on both sides of its counter.

    `traits`: its abilities, such as scout, tug or mauler; `umpire titles federation-and-empire` lists them. `empire`:
    the id of its empire. `attack`, `defense`: factors of the front side. `crippled_attack`, `crippled_defense`: factors
    of the back. `command`: its command rating. `base`: it does not move. `crippled`: it is flipped to its back.
    `mothballed`: it is in mothballs. `operational`: it is built and may act. `reserve`: the name of its Reserve Fleet.
    `aboard`: the id of the unit that carries it.

    `survey`: survey points a turn (505.21). `repairs`: ships that a base or FRD repairs in a turn (420.2); `sids`:
    damage of a base (420.6). `fighters`, `pfs`: number that it has room for. `fighters_gone`, `pfs_gone`: number that
    it has lost. `ew`: points of electronic warfare that it can give. `drones`: points that its bombardment adds to the
    COMPOT. `hold`: EPs for which a blockade runner has room, if the scenario limits it (320.52). `pods`: a tug's pods.
    `speed`: hexes that it moves in 3B2 and 6D, if the scenario limits it (204, 206). `raid_cost`: EPs that a drone raid
    of it costs (320.32), `wyn_price`: EPs that the WYN pay for it (449.23). `field_repairs`: ships that a repair unit
    repairs in one Phase 7 (422).
    """

    at: Place
    empire: Id
    attack: Factor = 0
    defense: Factor = 0
    crippled_attack: Factor = 0
    crippled_defense: Factor = 0
    command: Factor = 0
    base: bool = False
    crippled: bool = False
    mothballed: bool = False
    operational: bool = True
    traits: tuple[Id, ...] = ()
    ew: Factor | None = None
    fighters: Factor | None = None
    pfs: Factor | None = None
    drones: Factor | None = None
    reserve: str = ""
    aboard: str = ""
    hold: Factor | None = None
    speed: Factor | None = None
    raid_cost: Factor | None = None
    wyn_price: Factor | None = None
    field_repairs: Factor | None = None
    pods: tuple[Id, ...] = ()
    survey: Factor = 0
    repairs: Factor = 0
    sids: Factor = 0
    fighters_gone: Factor = 0
    pfs_gone: Factor = 0


class Empire(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An empire, the side that plays it, its letters in notation, and its treasury.

    `letter`: its letters in notation. `capital`: its hex. `ep`, `xtp`: points in its treasury. `debt`: its debt (447).
    `raid_pool`: maximum number of ships in the Raid Pool (3A-1A). `side`: the id of the side that plays it. Limits that
    the scenario may set: `borrowing`, EPs in one turn (430.62); `police`, police ships that are called up in one player
    turn (314.243, 531.12); `reserves`, its reserve markers (507.1); `stations`, stations emplaced in one turn
    (544.223). `battleships`: its options (436.2). `nodes`: the hexes of its Strategic Movement Network (204, 422.3);
    `strategic_moves`: units that it moves in 8A. `supply_points`: the hexes to which its raiders of the map (320.36)
    and its retrograding units (206.0) go back.
    """

    id: Id
    side: Id
    name: str
    letter: Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{1,3}$")]
    capital: HexOrNone = ""
    ep: int = 0
    xtp: Points = 0
    debt: Points = 0
    borrowing: Points | None = None
    raid_pool: Points = 99
    stations: Points | None = None
    police: Points | None = None
    reserves: Factor | None = None
    battleships: tuple[Annotated[str, msgspec.Meta(min_length=1, max_length=80)], ...] = ()
    nodes: tuple[Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}$")], ...] = ()
    strategic_moves: Points | None = None
    supply_points: tuple[Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4}$")], ...] = ()


class Calendar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The date of the first turn. `last_turn`: its number, counted from 1; 0 for no last turn."""

    season: Literal["Spring", "Fall"] = "Spring"
    year: Annotated[int, msgspec.Meta(ge=100, le=999)] = 168
    last_turn: Annotated[int, msgspec.Meta(ge=0)] = 0


class Map(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The size of the map. `columns`, `rows`: the last of each, counted from 01; `source`: their source."""

    columns: Annotated[int, msgspec.Meta(ge=1, le=99)]
    rows: Annotated[int, msgspec.Meta(ge=1, le=99)]
    source: Source


LIMITS = {
    "nodes": ("8A (204.2), 7B (422.3)", "their units move and their repair ships deploy wherever the table agrees"),
    "supply_points": ("6D2 (206.0), 3A-3J (320.36)", "their units return to any hex that the table agrees on"),
}
"""Hexes that limit an empire if the scenario names them: the rules, and the effect if it does not."""


class FederationScenario(Scenario, frozen=True, kw_only=True):
    """A war. `turn_order`: the sides that have player turns, first to last; if it is empty, all sides in their order.

    `wars`: pairs of sides; if it is empty, all are at war with all. A side `orion` without player turns plays the
    pirates.

    Values that rules we do not have would give, if the group knows them: `kinds`, both sides of counters that are
    built; `costs` of purchases; `yards`, the hexes where units are built; `missions`, the codes of 509.1; `interest` on
    debts (447.3); `turns_needed` of counters, and the `counters` in play when the war begins; `map`, its last column
    and row; `damage_chart`, the damage points of a COMPOT with a BIR and a die (302.42).
    """

    empires: Annotated[tuple[Empire, ...], msgspec.Meta(min_length=1)]
    turn_order: tuple[Id, ...] = ()
    wars: tuple[tuple[Id, Id], ...] = ()
    calendar: Calendar = Calendar()
    units: Annotated[tuple[Unit, ...], msgspec.Meta(min_length=1)]
    kinds: tuple[KindOfUnit, ...] = ()
    costs: Costs | None = None
    yards: tuple[Yard, ...] = ()
    missions: tuple[Annotated[str, msgspec.Meta(pattern=r"^[A-Z][0-9]{0,2}$")], ...] = ()
    interest: Interest | None = None
    turns_needed: dict[Literal["recovery", "annexation", "capture"], Turns] = msgspec.field(default_factory=dict)
    counters: tuple[Counter, ...] = ()
    map: Map | None = None
    damage_chart: DamageChart | None = None

    def sheets(self) -> dict[str, Any]:
        return sheets(
            kinds=self.kinds,
            costs=self.costs,
            yards=self.yards,
            missions=self.missions,
            interest=self.interest,
            turns_needed=self.turns_needed,
            damage_chart=self.damage_chart,
        )

    def pieces(self) -> tuple[Piece, ...]:
        return self.units

    @property
    def players(self) -> tuple[str, ...]:
        """The sides that have player turns, in order."""
        return self.turn_order or tuple(side.id for side in self.sides if side.id != "orion")

    def left_to_table(self) -> Iterator[ScenarioFault]:
        for name, (rule, unlimited) in LIMITS.items():
            silent = [at for at, one in enumerate(self.empires) if one.side in self.players and not getattr(one, name)]
            if silent:
                empires = ", ".join(self.empires[at].id for at in silent)
                remedy = f"write `{name}` for each of them, or {unlimited}"
                path = f"$.empires[{silent[0]}].{name}"
                yield ScenarioFault(
                    path=path, what=f"no `{name}` for {empires}", remedy=remedy, rule=rule, code="entry-missing"
                )

    def faults(self) -> Iterator[ScenarioFault]:
        yield from _faults_of_sides(self)
        yield from _faults_of_units(self)
        yield from _faults_of_places(self)
        yield from faults_of_chart(self.damage_chart)
        yield from faults_of_tables({name: table.rows for name, table in self.tables.items()})
        for at, unit in enumerate(self.units):
            yield from faults_of_traits(f"$.units[{at}].traits", unit.traits)
        for at, kind in enumerate(self.kinds):
            yield from faults_of_traits(f"$.kinds[{at}].traits", kind.traits)
        if self.costs is not None:
            kinds = {*(unit.kind for unit in self.units), *(one.kind for one in self.kinds)}
            yield from faults_of_prices(self.costs.of, kinds)


def _faults_of_sides(scenario: FederationScenario) -> Iterator[ScenarioFault]:
    sides = {side.id for side in scenario.sides}
    if len(scenario.players) < 2:
        yield scenario_fault("a war has at least two sides with player turns", "$.turn_order", code="too-few-sides")
    for at, side in enumerate(scenario.players):
        if side not in sides or side in scenario.players[:at]:
            yield scenario_fault(
                f"{side} is not a side, or appears twice in the turn order", f"$.turn_order[{at}]", code="unknown-side"
            )
    for at, war in enumerate(scenario.wars):
        if set(war) - set(scenario.players) or war[0] == war[1]:
            yield scenario_fault(
                f"{war[0]} and {war[1]} are not two sides in the turn order", f"$.wars[{at}]", code="wrong-war"
            )
    seen: set[str] = set()
    for at, empire in enumerate(scenario.empires):
        if empire.side not in sides:
            yield scenario_fault(f"there is no side {empire.side}", f"$.empires[{at}].side", code="unknown-side")
        if {empire.id, empire.letter} & seen:
            yield scenario_fault(
                f"two empires are called {empire.id} or {empire.letter}", f"$.empires[{at}]", code="name-used-twice"
            )
        seen |= {empire.id, empire.letter}


def _faults_of_places(scenario: FederationScenario) -> Iterator[ScenarioFault]:
    """Yield a fault for each unit or place of an empire off the map, if the scenario gives the map's size."""
    if scenario.map is None:
        return
    columns, rows = scenario.map.columns, scenario.map.rows
    named = [(f"$.units[{at}].at", unit.at) for at, unit in enumerate(scenario.units)]
    named += [(f"$.yards[{at}].at", yard.at) for at, yard in enumerate(scenario.yards)]
    for at, empire in enumerate(scenario.empires):
        for name in ("nodes", "supply_points"):
            named += [(f"$.empires[{at}].{name}", place) for place in getattr(empire, name)]
        named.append((f"$.empires[{at}].capital", empire.capital))
    for path, place in named:
        if is_hex(place) and not is_on_map(place, columns, rows):
            yield scenario_fault(
                f"{place} is not a hex of a map with {columns} columns and {rows} rows", path, code="place-off-map"
            )


def _faults_of_units(scenario: FederationScenario) -> Iterator[ScenarioFault]:
    owners = {empire.id: empire.side for empire in scenario.empires}
    for at, unit in enumerate(scenario.units):
        if owners.get(unit.empire) != unit.side:
            yield scenario_fault(
                f"{unit.empire} is not an empire of {unit.side}", f"$.units[{at}].empire", code="unknown-empire"
            )
    for at, yard in enumerate(scenario.yards):
        if yard.empire not in owners:
            yield scenario_fault(f"there is no empire {yard.empire}", f"$.yards[{at}].empire", code="unknown-empire")
        if yard.facility and f"construct {yard.facility}" not in (scenario.costs.of if scenario.costs else ()):
            remedy = f"add `construct {yard.facility}` to the `costs`"
            yield scenario_fault(
                f"{yard.facility} has no price", f"$.yards[{at}].facility", remedy, code="price-missing"
            )
    for at, counter in enumerate(scenario.counters):
        if counter.side not in scenario.players:
            yield scenario_fault(f"{counter.side} has no player turns", f"$.counters[{at}].side", code="unknown-side")
    if any("sfg" in unit.traits for unit in scenario.units) and "sfg" not in scenario.tables:
        what = "a unit has a stasis field generator, but the table `sfg` is missing"
        yield scenario_fault(
            what,
            "$.tables.sfg",
            "write the table, with the results frozen, missed, random and breakdown (5-4A7C)",
            code="table-missing",
        )


# --- set-up -----------------------------------------------------------------------------------------------------------


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Return the events that set up units and treasuries, and markers for sides, wars and the calendar."""
    assert isinstance(scenario, FederationScenario)
    treasuries = (
        AccountChanged(account=f"{empire.id}/{what}", amount=amount, before=0, after=amount, cause="set-up")
        for empire in scenario.empires
        for what, amount in (("EP", empire.ep), ("XTP", empire.xtp), ("debt", empire.debt))
        if amount or what == "EP"
    )
    laid = (MarkerSet(marker=name, before=None, after=value, cause="set-up") for name, value in _markers(scenario))
    return [*laid, *treasuries, *set_up_pieces(scenario)]


def _markers(scenario: FederationScenario) -> Iterator[tuple[str, Value]]:
    players = scenario.players
    every = tuple(f"{one} {two}" for at, one in enumerate(players) for two in players[at + 1 :])
    yield "turn order", players
    yield "wars", tuple(f"{one} {two}" for one, two in scenario.wars) or every
    yield "calendar", (scenario.calendar.season, str(scenario.calendar.year))
    if scenario.map is not None:
        yield "map", (f"{scenario.map.columns}", f"{scenario.map.rows}")
    if scenario.calendar.last_turn:
        yield "last turn", scenario.calendar.last_turn
    for side in scenario.sides:
        yield f"empires of {side.id}", tuple(empire.id for empire in scenario.empires if empire.side == side.id)
    yield from _counters(scenario)
    for empire in scenario.empires:
        borrowing = "" if empire.borrowing is None else str(empire.borrowing)
        limits = borrowing, str(empire.raid_pool)
        yield f"empire {empire.id}", (empire.letter, empire.name, empire.capital, *limits)
        if empire.nodes:
            yield f"nodes of {empire.id}", empire.nodes
        if empire.supply_points:
            yield f"supply points of {empire.id}", empire.supply_points
        if empire.strategic_moves is not None:
            yield f"strategic moves of {empire.id}", empire.strategic_moves
        if empire.police is not None:
            yield f"police of {empire.id}", empire.police
        if empire.stations is not None:
            yield f"stations of {empire.id}", empire.stations
        if empire.reserves is not None:
            yield f"reserves of {empire.id}", empire.reserves
        if empire.battleships:
            yield f"battleships of {empire.id}", empire.battleships


def _counters(scenario: FederationScenario) -> Iterator[tuple[str, Value]]:
    """Yield the markers for counters of 1A3 in play at the start, and for the list of each side's counters."""
    for one in scenario.counters:
        yield f"{one.counter} {one.place}", one.turns
    for side in scenario.players:
        named = tuple(f"{one.counter} {one.place}" for one in scenario.counters if one.side == side)
        if named:
            yield f"counters of {side}", named
