"""Define a Pacific War scenario: two sides, the months, units by arm, shipping, and tables that are not printed.

Most tables are entered by a roll of their own dice. `reinforcements/SIDE`, and `command-points/SIDE` in a Campaign
scenario, are entered by the number of the month instead.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.domain.titles.pacific_war.limits import DAYS, DISTANCE, FOUL, POOLS, TURNED, ZONE
from umpire_ledger.domain.titles.pacific_war.pieces import ALLIES, JAPAN, TO_COME
from umpire_ledger.domain.titles.pacific_war.scenario_parts import (
    Costs,
    Distances,
    FoulWeather,
    Shipping,
    Transport,
    Turned,
)
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
    SideId,
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


class PacificWarScenario(Scenario, frozen=True, kw_only=True):
    """A Strategic or Campaign scenario; 5.0 is not for Battle and Engagement, whose kind only limits 5.2.M.

    `ends`: the victory conditions, checked in this order; the first that holds is the end. `shoreline`: the hexes that
    ships may bombard; if left out, any hex. `omitted_phases`: phases that the Phase Track of the display omits.
    `isolation_steps`: steps that an isolated unit loses in 5.1.H; 0: its owner states the loss. `days_a_multiple`:
    days at sea for each Time multiple. `future_pools`: the sides that may have one. `undetected`: the conditions for a
    Task Force to be turned over in 5.2.N: `apart` from the enemy, `in-port`, `quiet` (none of its ships attacked in the
    cycle).
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
    distances: Distances = Distances()
    foul_weather: FoulWeather = FoulWeather()
    days_a_multiple: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None
    future_pools: tuple[SideId, ...] | None = None
    undetected: tuple[Turned, ...] = ()
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
        """Yield the units by the key under which the file lists them."""
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
            yield scenario_fault("the sides must be japan and allies", "$.sides", code="unknown-side")
        yield from _faults_of_units(self)
        yield from _faults_of_weather(self)
        known = {**ROWS, **MAY_HAVE, **(STRATEGIC if self.kind == "strategic" else {})}
        for name, table in self.tables.items():
            if name in known:
                yield from _faults_of_rows(self, name, table, known[name])
            else:
                remedy = f"tables of this kind of scenario: {', '.join(known)}"
                yield scenario_fault(
                    f"this title has no table {name}", f"$.tables.{name}", remedy, code="unknown-table"
                )

    def left_to_table(self) -> Iterator[ScenarioFault]:
        for path, silent, rule, what, remedy in _unsaid(self):
            if silent:
                yield ScenarioFault(
                    path=f"$.{path}",
                    what=what,
                    remedy=f"{remedy}, or the table decides",
                    rule=rule,
                    code="left-to-table",
                )


def _unsaid(scenario: PacificWarScenario) -> Iterator[tuple[str, bool, str, str, str]]:
    """Yield each optional entry: its path, whether it is missing, the rule, the missing limit, and the remedy."""
    is_strategic = scenario.kind == "strategic" and scenario.options.get("weather") is not False
    for name, asks in msgspec.structs.asdict(scenario.distances).items():
        unit = name.removesuffix("_a_day")
        how = "ships move in a day of 5.1.R" if name.endswith("_a_day") else f"{unit} units move in a phase"
        path = f"distances.{name}"
        yield (
            path,
            asks is None,
            "23.4 & 23.6",
            f"there is no limit on how far {how}",
            f"write `{name}` under [distances]",
        )
    for name, most in msgspec.structs.asdict(scenario.transport).items():
        what = f"there is no limit on how many {name} units move by Strategic Transport"
        yield f"transport.{name}", most is None, "5.1.I [13.0]", what, f"write `{name}` under [transport]"
    no_days = scenario.days_a_multiple is None
    what = "Time multiples do not limit the days at sea"
    yield "days_a_multiple", no_days, "5.1.P [20.2.5]", what, "write `days_a_multiple`"
    no_levels = "reaction-limits" not in scenario.tables
    what = "the Operation Level does not limit what the Reaction player spends"
    yield "tables.reaction-limits", no_levels, "5.1.S [20.3]", what, "write the table `reaction-limits`"
    no_weather = is_strategic and "weather" not in scenario.tables
    yield "tables.weather", no_weather, "5.1.A [6.0]", "the weather is not rolled for", "write the table `weather`"
    no_foul = is_strategic and not scenario.foul_weather.zones
    yield "foul_weather", no_foul, "5.1.A [6.0]", "foul weather restricts nothing", "write [foul_weather]"
    no_pools = scenario.future_pools is None
    what = "either side may have a Future Operation Pool"
    yield "future_pools", no_pools, "5.1.G [10.4]", what, "write `future_pools`"
    what = "any detected Task Force can become undetected"
    yield "undetected", not scenario.undetected, "5.2.N [32.2]", what, "write `undetected`"
    what = "the owner states what an isolated unit loses"
    yield "isolation_steps", not scenario.isolation_steps, "5.1.H [12.0]", what, "write `isolation_steps`"
    yield "shoreline", not scenario.shoreline, "5.2.F [29.3]", "any place is a shoreline hex", "write `shoreline`"
    no_initiative = "strategic-initiative" not in scenario.tables
    what = "damage does not change Strategic Initiative"
    yield "tables.strategic-initiative", no_initiative, "5.3 [19.3]", what, "write the table `strategic-initiative`"
    later = [one.id for one in (*scenario.naval, *scenario.air, *scenario.ground) if one.arrives]
    free = [one for one in later if _enters_anywhere(scenario, one)]
    what = f"{', '.join(free)} may enter at any place without an enemy"
    yield "ground", bool(free), "5.1.J [14.0]", what, "write `enters` for each of them"


def _enters_anywhere(scenario: PacificWarScenario, unit: str) -> bool:
    combat = (*scenario.naval, *scenario.air, *scenario.ground)
    return any(one.id == unit and one.enters is msgspec.UNSET for one in combat)


ENTERED_BY = {"command-points-by-shipping": range(1000), "reaction-limits": range(1, 10)}
"""Tables that are entered by points or a level, each with the numbers for which it must have a row."""
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
                yield scenario_fault(
                    f"units that arrive later, and only they, must be at {TO_COME}",
                    f"{path}.arrives",
                    code="wrong-arrival",
                )
            if isinstance(unit, Air | Ground):
                yield from _faults_of_steps(unit, ships, path)
            if isinstance(unit, Naval):
                yield from _faults_of_ship(unit, forces, path)


def _faults_of_weather(scenario: PacificWarScenario) -> Iterator[ScenarioFault]:
    foul, path = scenario.foul_weather, "$.foul_weather"
    if foul != FoulWeather() and scenario.kind != "strategic":
        yield scenario_fault(
            "5.1.A is played in Strategic scenarios only", path, "leave out `foul_weather`", code="not-in-this-scenario"
        )
    if foul.zones and foul.search is None and foul.places is None and foul.missions:
        yield scenario_fault(
            "the scenario does not describe foul weather",
            path,
            "write `search`, `places` or `missions`",
            code="entry-missing",
        )
    if foul != FoulWeather() and not foul.zones:
        yield scenario_fault(
            "no place is in a zone, so nothing is restricted", path, "write `zones`", code="zones-missing"
        )
    seen: set[str] = set()
    for zone, places in foul.zones.items():
        if zone not in scenario.weather_zones:
            known = ", ".join(scenario.weather_zones)
            yield scenario_fault(
                f"there is no weather zone {zone}", f"{path}.zones.{zone}", f"name one of: {known}", code="unknown-zone"
            )
        if twice := sorted(seen & {*places}):
            yield scenario_fault(
                f"listed in two zones: {', '.join(twice)}",
                f"{path}.zones.{zone}",
                "name each place once",
                code="two-zones",
            )
        seen |= {*places}


def _faults_of_steps(unit: Air | Ground, ships: dict[str, str], path: str) -> Iterator[ScenarioFault]:
    if unit.steps > unit.full_steps:
        yield scenario_fault(f"{unit.id} has more steps than a full unit", f"{path}.steps", code="too-many-steps")
    if unit.aboard and unit.aboard not in ships:
        yield scenario_fault(f"there is no ship {unit.aboard}", f"{path}.aboard", code="unknown-ship")
    elif unit.aboard and isinstance(unit, Air) and "carrier" not in ships[unit.aboard]:
        yield scenario_fault(
            f"{unit.aboard} is not a carrier; only carriers hold air units", f"{path}.aboard", code="not-a-carrier"
        )


def _faults_of_ship(ship: Naval, forces: dict[str, TaskForce], path: str) -> Iterator[ScenarioFault]:
    if ship.hits >= ship.sinks or ship.cripples > ship.sinks:
        yield scenario_fault(f"{ship.id} has enough hits to be sunk", f"{path}.hits", code="too-many-hits")
    if ship.crippled != (ship.hits >= ship.cripples):
        yield scenario_fault(
            f"{ship.id} must be crippled if it has {ship.cripples} hits or more, and only then",
            f"{path}.crippled",
            code="not-crippled",
        )
    force = forces.get(ship.task_force)
    if ship.task_force and (force is None or force.side != ship.side or force.at != ship.at):
        yield scenario_fault(
            f"{ship.id} is not in the same place as the Task Force {ship.task_force} of its side",
            f"{path}.task_force",
            code="other-place",
        )


def _faults_of_rows(scenario: PacificWarScenario, name: str, table: Table, row: Any) -> Iterator[ScenarioFault]:
    for total, result in table.rows.items():
        yield from faults_in(result, row, f"$.tables.{name}.rows.{total}")
    strategic = scenario.kind == "strategic"
    by_month = name.startswith("command-points/") and not strategic
    if not table.rows and (by_month or name.startswith(BY_NUMBER)):
        yield scenario_fault(
            f"the table {name} has no roll, so it needs rows", f"$.tables.{name}", code="table-missing"
        )
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
        yield scenario_fault(what, f"$.tables.{name}.dice", error.remedy, code="wrong-dice")
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
            remedy = f"write a row for {total}: `{total}` alone, or a range such as `3..5` or `6 or more`"
            yield scenario_fault(
                f"the table has no row for a total of {total}", f"$.tables.{name}.rows", remedy, code="row-missing"
            )
            return


# --- set-up -----------------------------------------------------------------------------------------------------------


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Return the set-up events: units, and markers and accounts for months, day, shipping and headquarters points."""
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
        **_limits(scenario),
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


def _limits(scenario: PacificWarScenario) -> dict[str, Value]:
    """Return the markers of `limits.py`; values that the scenario leaves out are None."""
    foul, distances = scenario.foul_weather, msgspec.structs.asdict(scenario.distances)
    return {
        **{f"{DISTANCE}/{name}": places for name, places in distances.items()},
        **{f"{ZONE}/{zone}": places for zone, places in foul.zones.items()},
        f"{FOUL}/search": foul.search,
        f"{FOUL}/places": foul.places,
        f"{FOUL}/missions": None if foul.missions else False,
        DAYS: scenario.days_a_multiple,
        POOLS: scenario.future_pools,
        TURNED: scenario.undetected or None,
    }


IN_ACCOUNTS = {"headquarters": "points", "submarine-command": "submarines"}
"""The attribute of an arm that only sets the initial balance of an account."""


def _without_points(event: AnyEvent) -> AnyEvent:
    """Return the event that places a unit, without the number that an account holds."""
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
