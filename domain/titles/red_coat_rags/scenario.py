"""Define a scenario: two sides with officers, units, line command and pieces, and tables missing from the rules."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.ground import EXAMPLES, LENGTH, MEASURE, POINT, Facing
from umpire_ledger.domain.titles.red_coat_rags.pieces import CO, FO, NO_PIECES
from umpire_ledger.domain.titles.red_coat_rags.tables import FAR, MOST_DICE, ROWS
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
    UnitPlaced,
    faults_in,
    look_up,
    replace,
    scenario_fault,
    set_up_pieces,
)

Few = Annotated[int, msgspec.Meta(ge=0, le=20)]
Quality = Annotated[int, msgspec.Meta(ge=1, le=6)]
Length = Annotated[int, msgspec.Meta(ge=0, le=9999)] | Annotated[str, msgspec.Meta(pattern=LENGTH)]
"""A length in the scenario's measure: a whole number, or text such as "1.5". 0 means no limit."""


class Officer(Piece, frozen=True, kw_only=True):
    """A commanding officer (CO) or a wing commander (FO). A CO with a wing acts as its commander."""

    kind: Literal["CO", "FO"]
    wing: str = ""
    lv: Few = 0
    cubes: Few = 0
    reach: Length = 0
    move: Length = 0


class Formation(Piece, frozen=True, kw_only=True):
    """A unit: the values its pieces share. It has no place of its own; `at` only names its wing."""

    kind: Literal["unit"] = "unit"
    at: str = ""
    wing: Id
    qv: Quality
    casualty_value: Annotated[int, msgspec.Meta(ge=1, le=20)]
    formation: str = ""


class LineCommand(Piece, frozen=True, kw_only=True):
    """The figure that keeps a unit under command."""

    kind: Literal["line command"] = "line command"
    unit: Id
    reach: Length
    move: Length = 0


class Stand(Piece, frozen=True, kw_only=True):
    """A combat piece.

    `fire` and `close`: factors. `length`: the distance from its front edge to its rear edge. `width`: the length of its
    front edge; the same as the length if left out. `facing`: the direction of its front edge; N is the upper edge of
    the table.
    """

    unit: Id
    qv: Quality
    fire: Annotated[int, msgspec.Meta(ge=-6, le=6)] = 0
    close: Annotated[int, msgspec.Meta(ge=-6, le=6)] = 0
    length: Length = 0
    width: Length = 0
    move: Length = 0
    range: Length = 0
    red_cube: Literal["loaded", "unloaded", ""] = ""
    facing: Facing | Literal[""] = ""


class Victory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The end of a battle. `turns`: the number of turns. `conditions`: in words, for the players to judge (step 12)."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=99)]
    conditions: str = ""


class RedCoatScenario(Scenario, frozen=True, kw_only=True):
    """A battle. Its tables are fire and close, and those for activation if it has any.

    `breaks`: the number of lost pieces at which a side is beaten.
    """

    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=2, max_length=2)]
    measure: Literal["inches", "millimetres", "words"]
    breaks: dict[str, Annotated[int, msgspec.Meta(ge=1)]] = msgspec.field(default_factory=dict)
    officers: Annotated[tuple[Officer, ...], msgspec.Meta(min_length=2)]
    units: Annotated[tuple[Formation, ...], msgspec.Meta(min_length=2)]
    line_command: tuple[LineCommand, ...] = ()
    stands: Annotated[tuple[Stand, ...], msgspec.Meta(min_length=2)] = msgspec.field(name="pieces")

    def pieces(self) -> tuple[Piece, ...]:
        """Return all pieces of the scenario; a unit's default place is the name of its wing."""
        cards = (replace(unit, at=unit.at or f"{unit.wing} wing") for unit in self.units)
        return (*self.officers, *cards, *self.line_command, *self.stands)

    def pieces_by_path(self) -> Iterator[tuple[str, Piece]]:
        groups: tuple[tuple[str, tuple[Piece, ...]], ...] = (
            *(("officers", self.officers), ("units", self.units)),
            *(("line_command", self.line_command), ("pieces", self.stands)),
        )
        for name, laid in groups:
            yield from ((f"$.{name}[{at}]", one) for at, one in enumerate(laid))

    def faults(self) -> Iterator[ScenarioFault]:
        yield from _faults_of_victory(self)
        yield from _faults_of_tables(self.tables)
        for path, one in self.pieces_by_path():
            if not isinstance(one, Formation):
                yield from _faults_of_laid(self, path, one)
        for side in self.sides:
            yield from _faults_of_side(self, side.id)


def _faults_of_victory(scenario: RedCoatScenario) -> Iterator[ScenarioFault]:
    yield from faults_in(scenario.victory, Victory, "$.victory")
    for side in scenario.breaks.keys() - {side.id for side in scenario.sides}:
        yield scenario_fault(f"there is no side {side}", f"$.breaks.{side}", code="unknown-side")


def _faults_of_tables(tables: dict[str, Table]) -> Iterator[ScenarioFault]:
    for name, table in tables.items():
        if name not in ROWS:
            remedy = f"tables of this title: {', '.join(ROWS)}"
            yield scenario_fault(
                f"this title does not use a table {name}", f"$.tables.{name}", remedy, code="unknown-table"
            )
            continue
        for total, result in table.rows.items():
            yield from faults_in(result, ROWS[name], f"$.tables.{name}.rows.{total}")
        missing = next((number for number in _totals(name) if not _has_row(table, number)), None)
        if table.rows and missing is not None:
            remedy = f"write a row for {missing}: `{missing}` alone, or a range such as `3..5` or `6 or more`"
            yield scenario_fault(f"there is no row for {missing}", f"$.tables.{name}.rows", remedy, code="row-missing")


def _has_row(table: Table, number: int) -> bool:
    try:
        look_up(Game(tables={"it": {"rows": table.rows}}), "it", number)
    except RuleViolation:
        return False
    return True


def _totals(table: str) -> range:
    """Return the totals that must have a row: differences for combat, successes for an activation."""
    if not table.startswith("activation"):
        return range(-FAR, FAR + 1)
    return range(int(table.removeprefix("activation-")) + 1 if "-" in table else MOST_DICE + 1)


def _faults_of_laid(scenario: RedCoatScenario, path: str, piece: Piece) -> Iterator[ScenarioFault]:
    """Check that a place is written in the scenario's measure, and that a piece's unit is of its own side."""
    if scenario.measure != "words" and not re.match(POINT, piece.at):
        example = EXAMPLES[scenario.measure]
        yield scenario_fault(
            f"{piece.at!r} is not a point in {scenario.measure}, such as {example!r}",
            f"{path}.at",
            code="place-off-map",
        )
    unit = getattr(piece, "unit", None)
    if unit is not None and not any(card.id == unit and card.side == piece.side for card in scenario.units):
        yield scenario_fault(f"{piece.side} has no unit {unit}", f"{path}.unit", code="unknown-unit")
    if isinstance(piece, Stand) and piece.kind in NO_PIECES:
        yield scenario_fault(f"a combat piece cannot be called {piece.kind}", f"{path}.kind", code="unknown-kind")


def _faults_of_side(scenario: RedCoatScenario, side: str) -> Iterator[ScenarioFault]:
    """Check that a side has exactly one CO, at most one officer for each wing, and a combat piece."""
    leaders = [(at, one) for at, one in enumerate(scenario.officers) if one.side == side]
    wings: set[str] = set()
    for at, leader in leaders:
        if leader.kind == FO and not leader.wing:
            yield scenario_fault(f"{leader.id} is an FO without a wing", f"$.officers[{at}].wing", code="wing-missing")
        if leader.wing and leader.wing in wings:
            yield scenario_fault(
                f"the {leader.wing} wing of {side} has two officers", f"$.officers[{at}].wing", code="two-officers"
            )
        wings |= {leader.wing}
    if sum(one.kind == CO for _, one in leaders) != 1:
        yield scenario_fault(f"{side} needs one CO", "$.officers", code="commander-missing")
    if not any(one.side == side for one in scenario.stands):
        yield scenario_fault(f"{side} has no combat piece", "$.pieces", code="pieces-missing")


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Return the set-up events: all pieces, and markers for the measure and the victory conditions."""
    assert isinstance(scenario, RedCoatScenario)
    victory = msgspec.convert(scenario.victory, Victory)
    markers = {
        MEASURE: scenario.measure,
        "last_turn": victory.turns,
        "victory": victory.conditions,
        **{f"break/{side}": number for side, number in scenario.breaks.items()},
    }
    laid = (
        MarkerSet(marker=name, before=None, after=value, cause="set-up") for name, value in markers.items() if value
    )
    return [*map(_with_all_cubes, set_up_pieces(scenario)), *laid]


def _with_all_cubes(event: AnyEvent) -> AnyEvent:
    """Add an officer's initial number of white cubes to the event that places the officer."""
    if isinstance(event, UnitPlaced) and event.kind in (CO, FO):
        return replace(event, attributes={**event.attributes, "all_cubes": event.attributes["cubes"]})
    return event
