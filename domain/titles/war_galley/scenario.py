"""Define a War Galley scenario: two sides, ships with their ratings, and the five tables not printed here."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.war_galley.hexes import PATTERN, HexSide, column_and_row
from umpire_ledger.domain.titles.war_galley.tables import PRINTED_DICE, TABLES
from umpire_ledger.kit import (
    AnyEvent,
    Game,
    Id,
    MarkerSet,
    Piece,
    RuleViolation,
    Scenario,
    ScenarioFault,
    Side,
    Table,
    faults_in,
    look_up,
    parse_dice,
    scenario_fault,
    set_up_pieces,
)

Rating = Annotated[int, msgspec.Meta(ge=0, le=20)]
Hex = Annotated[str, msgspec.Meta(pattern=PATTERN, description="a hex, column and row from 01: 0510")]


class Ship(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A ship with the values printed on its counter.

    `name`: the ship's own name. `crew`: a crew test succeeds on this number or less (F.crew); with 0 the ship has no
    maximum speed (D). `manpower`: its strength to board and to defend itself (E.2, F.3). `ram_defense`: the points that
    it is worth (H). `cruise`, `maximum`: hexes at that speed (E.1, F.1). `natural_sails`: it moves with the wind
    instead (A, E.1). `sails_up`: its sails are up at the start (E.1). `commander`: the name of the commander aboard.
    `leads`: the id of the commander's squadron (B, E). `command_range`: hexes within which the commander commands ships
    (B). `admiral`: the commander is the Admiral of the fleet; a side has one. `initiative`: the commander's bonus to
    the roll (C.roll). `facing`: the side of its hex that it faces, for the map.
    """

    at: Hex
    name: str = ""
    crew: Rating
    manpower: Rating
    ram_defense: Rating
    cruise: Rating
    maximum: Rating
    natural_sails: bool = False
    sails_up: bool = False
    commander: str = ""
    leads: Id | Literal[""] = ""
    command_range: Rating = 0
    admiral: bool = False
    initiative: Rating = 0
    facing: HexSide | Literal[""] = ""


class Map(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The size of the map. Hexes are CCRR, starting at 0101.

    `columns`: the number of columns. `rows`: the number of rows.
    """

    columns: Annotated[int, msgspec.Meta(ge=1, le=99)] = 99
    rows: Annotated[int, msgspec.Meta(ge=1, le=99)] = 99


class Ending(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The values of `victory`. `points`: points that win the game; 0 for none. `turns`: the last turn; 0 for none."""

    points: Annotated[int, msgspec.Meta(ge=0)] = 0
    turns: Annotated[int, msgspec.Meta(ge=0)] = 0


MOST_MANPOWER = 40
"""The largest change of a boarding roll by manpower for which the table must have rows, in either direction."""


class WarGalleyScenario(Scenario, frozen=True, kw_only=True):
    """A battle. Its tables are wind, double-activation, boarding, disengage and firefight."""

    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=2, max_length=2)]
    map: Map = Map()
    units: Annotated[tuple[Ship, ...], msgspec.Meta(min_length=1)]

    def pieces(self) -> tuple[Piece, ...]:
        return self.units

    def faults(self) -> Iterator[ScenarioFault]:
        yield from faults_in(self.victory, Ending, "$.victory")
        for name, table in self.tables.items():
            yield from _faults_of_table(name, table)
        yield from _faults_of_commanders(self.units)
        for at, ship in enumerate(self.units):
            column, line = column_and_row(ship.at)
            if column > self.map.columns or line > self.map.rows:
                size = f"{self.map.columns:02}{self.map.rows:02}"
                yield scenario_fault(
                    f"{ship.at} is off the map", f"$.units[{at}].at", f"the last hex is {size}", code="place-off-map"
                )


def _faults_of_table(name: str, table: Table) -> Iterator[ScenarioFault]:
    path = f"$.tables.{name}"
    if name not in TABLES:
        remedy = f"tables of this title: {', '.join(TABLES)}"
        yield scenario_fault(f"this title has no table {name}", path, remedy, code="unknown-table")
        return
    printed = PRINTED_DICE.get(name)
    if printed and table.dice not in ("", printed):
        yield scenario_fault(
            f"the {name} table needs {printed}", f"{path}.dice", f'write dice = "{printed}"', code="wrong-dice"
        )
    for total, result in table.rows.items():
        yield from faults_in(result, TABLES[name].row, f"{path}.rows.{total}")
    yield from _faults_of_totals(path, table, table.dice or printed or "")


def _faults_of_totals(path: str, table: Table, dice: str) -> Iterator[ScenarioFault]:
    """Yield a fault for the first total without a row. Manpower can move a boarding total outside the dice range."""
    try:
        thrown = parse_dice(dice, f"{path}.dice")
    except RuleViolation as error:
        what = f"{error.what}: the summary does not print the dice of this table"
        yield scenario_fault(what, f"{path}.dice", error.remedy, code="wrong-dice")
        return
    if not table.rows:
        return
    reach = MOST_MANPOWER if path.endswith("boarding") else 0
    lone = Game(tables={"it": {"rows": table.rows}})
    for total in range(thrown.number + thrown.plus - reach, thrown.number * thrown.faces + thrown.plus + reach + 1):
        try:
            look_up(lone, "it", total)
        except RuleViolation:
            remedy = f"write a row for {total}: `{total}` alone, or a range such as `3..5` or `6 or more`"
            yield scenario_fault(
                f"the table has no row for a total of {total}", f"{path}.rows", remedy, code="row-missing"
            )
            return


def _faults_of_commanders(ships: tuple[Ship, ...]) -> Iterator[ScenarioFault]:
    taken = {ship.id for ship in ships}
    admirals: set[str] = set()
    for at, ship in enumerate(ships):
        if ship.leads in taken:
            yield scenario_fault(
                f"two squadrons, or a squadron and a ship, have the name {ship.leads}",
                f"$.units[{at}].leads",
                code="name-used-twice",
            )
        if ship.admiral and (not ship.leads or ship.side in admirals):
            what = "an Admiral leads a squadron" if not ship.leads else f"{ship.side} has two Admirals"
            yield scenario_fault(what, f"$.units[{at}].admiral", code="wrong-admiral")
        taken |= {ship.leads} - {""}
        admirals |= {ship.side} if ship.admiral else set()


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Return the set-up events: ships, accounts, and markers for the map size and the victory conditions."""
    assert isinstance(scenario, WarGalleyScenario)
    ending = msgspec.convert(scenario.victory, Ending)
    markers = {
        "columns": scenario.map.columns,
        "rows": scenario.map.rows,
        "victory_points": ending.points,
        "last_turn": ending.turns,
    }
    laid = (
        MarkerSet(marker=marker, before=None, after=value, cause="set-up") for marker, value in markers.items() if value
    )
    return [*set_up_pieces(scenario), *laid]
