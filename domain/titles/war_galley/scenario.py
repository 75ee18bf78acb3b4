"""What a War Galley scenario holds: two sides, ships with their ratings, and the five tables not printed here."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.war_galley.hexes import PATTERN, column_and_row
from umpire_ledger.domain.titles.war_galley.tables import PRINTED_DICE, TABLES
from umpire_ledger.kit import (
    AnyEvent,
    Game,
    Id,
    MarkerSet,
    Piece,
    RuleViolation,
    Scenario,
    Side,
    Table,
    converted,
    look_up,
    parse_dice,
    scenario_fault,
    set_up_pieces,
)

Rating = Annotated[int, msgspec.Meta(ge=0, le=20)]
Hex = Annotated[str, msgspec.Meta(pattern=PATTERN)]


class Ship(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A ship and what is printed on its counter. `leads`: the command squadron of the commander aboard.

    `cruise` and `maximum` in hexes; `command_range` in hexes; a ship with natural sails goes with the wind instead.
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


class Map(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The size of the map: hexes are CCRR from 0101 on."""

    columns: Annotated[int, msgspec.Meta(ge=1, le=99)] = 99
    rows: Annotated[int, msgspec.Meta(ge=1, le=99)] = 99


class Ending(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What `victory` may say: points that win at once, and the last turn. 0: no such end."""

    points: Annotated[int, msgspec.Meta(ge=0)] = 0
    turns: Annotated[int, msgspec.Meta(ge=0)] = 0


MOST_MANPOWER = 40
"""How far the manpower of both sides may take a boarding roll from its pips."""


class WarGalleyScenario(Scenario, frozen=True, kw_only=True):
    """A battle. Its tables are wind, double-activation, boarding, disengage and firefight."""

    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=2, max_length=2)]
    map: Map = Map()
    units: Annotated[tuple[Ship, ...], msgspec.Meta(min_length=1)]

    def pieces(self) -> tuple[Piece, ...]:
        return self.units

    def __post_init__(self) -> None:
        converted("victory", self.victory, Ending)
        for name in self.tables.keys() - TABLES.keys():
            raise scenario_fault(f"there is no use for a table {name}", f"$.tables.{name}")
        for name, table in self.tables.items():
            _check_table(name, table, TABLES[name].row)
        _check_commanders(self.units)
        for at, ship in enumerate(self.units):
            column, line = column_and_row(ship.at)
            if column > self.map.columns or line > self.map.rows:
                raise scenario_fault(f"{ship.at} is off the map", f"$.units[{at}].at")


def _check_table(name: str, table: Table, row: object) -> None:
    path = f"tables.{name}"
    printed = PRINTED_DICE.get(name)
    if printed and table.dice not in ("", printed):
        raise scenario_fault(f"the {name} table is rolled with {printed}", f"$.{path}.dice")
    for total, result in table.rows.items():
        converted(f"{path}.rows.{total}", result, row)
    _check_totals(path, table, table.dice or printed or "")


def _check_totals(path: str, table: Table, dice: str) -> None:
    """Every total that can be rolled has a row; manpower takes a boarding roll beyond its pips on either side."""
    try:
        thrown = parse_dice(dice, f"$.{path}.dice")
    except RuleViolation as error:
        raise scenario_fault(
            f"{error.what}: the summary does not print the dice of this table", f"$.{path}.dice"
        ) from error
    if not table.rows:
        return
    reach = MOST_MANPOWER if path.endswith("boarding") else 0
    lone = Game(tables={"it": {"rows": table.rows}})
    for total in range(thrown.number + thrown.plus - reach, thrown.number * thrown.faces + thrown.plus + reach + 1):
        try:
            look_up(lone, "it", total)
        except RuleViolation as error:
            raise scenario_fault(f"there is no row for a total of {total}", f"$.{path}.rows") from error


def _check_commanders(ships: tuple[Ship, ...]) -> None:
    taken = {ship.id for ship in ships}
    admirals: set[str] = set()
    for at, ship in enumerate(ships):
        if ship.leads in taken:
            raise scenario_fault(
                f"two squadrons, or a squadron and a ship, are called {ship.leads}", f"$.units[{at}].leads"
            )
        if ship.admiral and (not ship.leads or ship.side in admirals):
            what = "an Admiral leads a squadron" if not ship.leads else f"{ship.side} has two Admirals"
            raise scenario_fault(what, f"$.units[{at}].admiral")
        taken |= {ship.leads} - {""}
        admirals |= {ship.side} if ship.admiral else set()


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Ships, accounts and markers; the size of the map and the end of the battle become markers too."""
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
