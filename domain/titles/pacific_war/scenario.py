"""What a Pacific War scenario holds: two sides, the months, units by arm, shipping, and tables not printed here.

Tables are rolled on with their own dice; `command-points/SIDE` of a Campaign scenario and `reinforcements/SIDE` go by
the number of the month instead.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.domain.titles.pacific_war.pieces import ALLIES, JAPAN, TO_COME
from umpire_ledger.domain.titles.pacific_war.tables import BY_NUMBER, DAMAGE, MAY_HAVE, MODIFIED, ROWS, STRATEGIC
from umpire_ledger.domain.titles.pacific_war.units import (
    Air,
    Base,
    Combat,
    Count,
    Ground,
    Headquarters,
    Link,
    Naval,
    Patrol,
    Resource,
    SubmarineCommand,
    TaskForce,
    Unit,
)
from umpire_ledger.domain.titles.pacific_war.victory import ENDS, Ending
from umpire_ledger.kit import (
    AccountChanged,
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
    UnitPlaced,
    Value,
    faults_in,
    look_up,
    parse_dice,
    replace,
    scenario_fault,
    set_up_pieces,
)

Day = Annotated[int, msgspec.Meta(ge=0, le=30)]


Omitted = Literal["5.1.H", "5.1.I", "5.1.J", "5.1.K", "5.1.L", "5.1.M", "5.1.N"]


class Shipping(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Japan's shipping and what goes against it. `anti_shipping`: submarine points allocated before the first month."""

    merchant: Count = 0
    escorts: Count = 0
    homeland: Count = 0
    anti_shipping: Count = 0
    bombing: Count = 0


class Costs(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Command Points that chapters we do not have ask for: a Submarine Patrol, each further Time multiple.

    `submarine_command`: what one costs that is built in 5.1.J.
    """

    patrol: Count = 1
    time_multiple: Count = 2
    submarine_command: Count = 0


class Transport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many ground and air units a side moves by Strategic Transport in a month; left out: any number."""

    ground: Count | None = None
    air: Count | None = None


class PacificWarScenario(Scenario, frozen=True, kw_only=True):
    """A Strategic or Campaign scenario; 5.0 is not for Battle and Engagement, whose kind only limits 5.2.M.

    `ends`: the victory conditions, asked in this order; the first that holds is the end. `shoreline`: the hexes that
    ships may bombard; left out, the table knows. `omitted_phases`: what the Phase Track of the display leaves out.
    `isolation_steps`: what an isolated unit loses in 5.1.H; 0: the table records the penalty.
    """

    kind: Literal["strategic", "campaign", "battle", "engagement"]
    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=2, max_length=2)]
    months: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=99)]
    day: Day = 0
    final_operation: Count = 0
    weather_zones: tuple[Id, ...] = ("north", "central", "south", "southwest")
    holding_boxes: tuple[str, ...] = ()
    shipping: Shipping = Shipping()
    costs: Costs = Costs()
    transport: Transport = Transport()
    isolation_steps: Count = 0
    omitted_phases: tuple[Omitted, ...] = ()
    shoreline: tuple[str, ...] = ()
    ends: tuple[Ending, ...] = ()
    naval: tuple[Naval, ...] = ()
    air: tuple[Air, ...] = ()
    ground: tuple[Ground, ...] = ()
    headquarters: Annotated[tuple[Headquarters, ...], msgspec.Meta(min_length=2)]
    bases: tuple[Base, ...] = ()
    task_forces: tuple[TaskForce, ...] = ()
    patrols: tuple[Patrol, ...] = ()
    submarine_commands: tuple[SubmarineCommand, ...] = ()
    resources: tuple[Resource, ...] = ()
    links: tuple[Link, ...] = ()

    def groups(self) -> Iterator[tuple[str, tuple[Unit, ...]]]:
        """The units by the key under which the file lists them."""
        for key in _GROUPS:
            yield key, getattr(self, key)

    def pieces(self) -> tuple[Piece, ...]:
        return tuple(unit for _, units in self.groups() for unit in units)

    def sheets(self) -> dict[str, Any]:
        return {ENDS: msgspec.json.decode(msgspec.json.encode(self.ends))} if self.ends else {}

    def pieces_by_path(self) -> Iterator[tuple[str, Piece]]:
        for key, units in self.groups():
            yield from ((f"$.{key}[{at}]", unit) for at, unit in enumerate(units))

    def faults(self) -> Iterator[ScenarioFault]:
        if {side.id for side in self.sides} != {JAPAN, ALLIES}:
            yield scenario_fault("the sides are japan and allies", "$.sides")
        yield from _faults_of_units(self)
        known = {**ROWS, **MAY_HAVE, **(STRATEGIC if self.kind == "strategic" else {})}
        for name, table in self.tables.items():
            if name in known:
                yield from _faults_of_rows(self, name, table, known[name])
            else:
                remedy = f"tables of this kind of scenario: {', '.join(known)}"
                yield scenario_fault(f"there is no use for a table {name}", f"$.tables.{name}", remedy)


ENTERED_BY = {"command-points-by-shipping": range(1000), "reaction-limits": range(1, 10)}
"""Tables that are entered by points or a level, and which."""
_GROUPS = (
    "naval",
    "air",
    "ground",
    "headquarters",
    "bases",
    "task_forces",
    "patrols",
    "submarine_commands",
    "resources",
    "links",
)


def _faults_of_units(scenario: PacificWarScenario) -> Iterator[ScenarioFault]:
    ships = {unit.id: unit.kind for unit in scenario.naval}
    forces = {unit.id: unit for unit in scenario.task_forces}
    for key, units in scenario.groups():
        for at, unit in enumerate(units):
            path = f"$.{key}[{at}]"
            if isinstance(unit, Combat) and (unit.arrives > 0) != (unit.at == TO_COME):
                yield scenario_fault(f"a unit that arrives later, and no other, is at {TO_COME}", f"{path}.arrives")
            if isinstance(unit, Air | Ground):
                yield from _faults_of_steps(unit, ships, path)
            if isinstance(unit, Naval):
                yield from _faults_of_ship(unit, forces, path)


def _faults_of_steps(unit: Air | Ground, ships: dict[str, str], path: str) -> Iterator[ScenarioFault]:
    if unit.steps > unit.full_steps:
        yield scenario_fault(f"{unit.id} has more steps than a full unit", f"{path}.steps")
    if unit.aboard and unit.aboard not in ships:
        yield scenario_fault(f"there is no ship {unit.aboard}", f"{path}.aboard")
    elif unit.aboard and isinstance(unit, Air) and "carrier" not in ships[unit.aboard]:
        yield scenario_fault(f"{unit.aboard} is no carrier, and air units ride no other ship", f"{path}.aboard")


def _faults_of_ship(ship: Naval, forces: dict[str, TaskForce], path: str) -> Iterator[ScenarioFault]:
    if ship.hits >= ship.sinks or ship.cripples > ship.sinks:
        yield scenario_fault(f"{ship.id} would be sunk before it is set up", f"{path}.hits")
    if ship.crippled != (ship.hits >= ship.cripples):
        yield scenario_fault(f"{ship.id} is crippled by {ship.cripples} hits, and by no fewer", f"{path}.crippled")
    force = forces.get(ship.task_force)
    if ship.task_force and (force is None or force.side != ship.side or force.at != ship.at):
        yield scenario_fault(
            f"{ship.id} is not where a Task Force {ship.task_force} of its side is", f"{path}.task_force"
        )


def _faults_of_rows(scenario: PacificWarScenario, name: str, table: Table, row: Any) -> Iterator[ScenarioFault]:
    for total, result in table.rows.items():
        yield from faults_in(result, row, f"$.tables.{name}.rows.{total}")
    strategic = scenario.kind == "strategic"
    by_month = name.startswith("command-points/") and not strategic
    if not table.rows and (by_month or name.startswith(BY_NUMBER)):
        yield scenario_fault(f"the table {name} is not rolled on: it needs rows", f"$.tables.{name}")
        return
    if name.startswith("reinforcements/"):
        return
    if name == "strategic-initiative":
        yield from _faults_of_totals(name, table, range(-DAMAGE, DAMAGE + 1))
        return
    if name in ENTERED_BY:
        yield from _faults_of_totals(name, table, ENTERED_BY[name])
        return
    if by_month:
        yield from _faults_of_totals(name, table, range(1, len(scenario.months) + 1))
        return
    try:
        thrown = parse_dice(table.dice, f"$.tables.{name}.dice")
    except RuleViolation as error:
        what = f"{error.what}: the summary does not print the dice of this table"
        yield scenario_fault(what, f"$.tables.{name}.dice", error.remedy)
        return
    if not table.rows:
        return
    least, most = thrown.number + thrown.plus, thrown.number * thrown.faces + thrown.plus
    yield from _faults_of_totals(name, table, range(least - MODIFIED, most + MODIFIED + 1))


def _faults_of_totals(name: str, table: Table, totals: range) -> Iterator[ScenarioFault]:
    lone = Game(tables={"it": {"rows": table.rows}})
    for total in totals:
        try:
            look_up(lone, "it", total)
        except RuleViolation:
            remedy = f"write a row in which {total} falls: {total} alone, or a range such as 3..5, 6 or more"
            yield scenario_fault(f"there is no row for a total of {total}", f"$.tables.{name}.rows", remedy)
            return


# --- set-up -----------------------------------------------------------------------------------------------------------


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Units, accounts and markers; months, day, shipping and headquarters points become markers and accounts."""
    assert isinstance(scenario, PacificWarScenario)
    markers: dict[str, Value] = {
        "kind": scenario.kind,
        "months": scenario.months,
        "day": scenario.day,
        "final_operation": scenario.final_operation or None,
        "weather_zones": scenario.weather_zones,
        "holding_boxes": scenario.holding_boxes or None,
        "cost_of_a_patrol": scenario.costs.patrol,
        "cost_of_time": scenario.costs.time_multiple,
        "cost_of_a_command": scenario.costs.submarine_command or None,
        "transport/ground": scenario.transport.ground,
        "transport/air": scenario.transport.air,
        "omitted_phases": scenario.omitted_phases or None,
        "isolation_steps": scenario.isolation_steps or None,
        "shoreline": scenario.shoreline or None,
    }
    return [
        *(_without_points(event) for event in set_up_pieces(scenario)),
        *(
            MarkerSet(marker=marker, before=None, after=value, cause="set-up")
            for marker, value in markers.items()
            if value is not None
        ),
        *(
            AccountChanged(account=account, amount=amount, before=0, after=amount, cause="set-up")
            for account, amount in _accounts(scenario)
        ),
    ]


IN_ACCOUNTS = {"headquarters": "points", "submarine-command": "submarines"}
"""What units of an arm have at the start that is an account from then on, and no attribute beside it."""


def _without_points(event: AnyEvent) -> AnyEvent:
    """A unit as it is set up, without the number that its account holds."""
    if not isinstance(event, UnitPlaced):
        return event
    number = IN_ACCOUNTS.get(str(event.attributes.get("arm")))
    return replace(event, attributes={name: value for name, value in event.attributes.items() if name != number})


def _accounts(scenario: PacificWarScenario) -> Iterator[tuple[str, int]]:
    for headquarters in scenario.headquarters:
        yield f"points/{headquarters.id}", headquarters.points
    for command in scenario.submarine_commands:
        yield f"submarines/{command.id}", command.submarines
    shipping = msgspec.structs.asdict(scenario.shipping)
    for name, amount in shipping.items() if scenario.kind == "strategic" else ():
        yield name.replace("_", "-"), amount
