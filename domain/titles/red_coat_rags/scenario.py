"""What a scenario holds: two sides with officers, units, line command and pieces, and the tables not printed here."""

import re
from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.ground import EXAMPLES, LENGTH, MEASURE, POINT
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
    Side,
    Table,
    UnitPlaced,
    converted,
    look_up,
    replace,
    scenario_fault,
    set_up_pieces,
)

Few = Annotated[int, msgspec.Meta(ge=0, le=20)]
Quality = Annotated[int, msgspec.Meta(ge=1, le=6)]
Length = Annotated[int, msgspec.Meta(ge=0, le=9999)] | Annotated[str, msgspec.Meta(pattern=LENGTH)]
"""In the scenario's measure, a whole number or for instance "1.5". 0: no limit."""


class Officer(Piece, frozen=True, kw_only=True):
    """A commanding officer (CO) or a wing commander (FO). A CO with a wing acts as its commander."""

    kind: Literal["CO", "FO"]
    wing: str = ""
    lv: Few = 0
    cubes: Few = 0
    reach: Length = 0
    move: Length = 0


class Formation(Piece, frozen=True, kw_only=True):
    """A unit: what its pieces have in common. It stands where they stand; `at` only names its wing."""

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
    """A combat piece. `fire` and `close`: factors; `length`: of its front edge to its rear edge; `facing` in words.

    `width`: along its front edge; as long as the piece is deep where it is left out.
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
    facing: str = ""


class Victory(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`turns`: how many there are. `conditions`: in words, for the players to judge in 12."""

    turns: Annotated[int, msgspec.Meta(ge=1, le=99)]
    conditions: str = ""


class RedCoatScenario(Scenario, frozen=True, kw_only=True):
    """A battle. Its tables are fire and close, and those for activation if it has any.

    `breaks`: how many pieces a side loses until it is beaten.
    """

    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=2, max_length=2)]
    measure: Literal["inches", "millimetres", "words"]
    breaks: dict[str, Annotated[int, msgspec.Meta(ge=1)]] = msgspec.field(default_factory=dict)
    officers: Annotated[tuple[Officer, ...], msgspec.Meta(min_length=2)]
    units: Annotated[tuple[Formation, ...], msgspec.Meta(min_length=2)]
    line_command: tuple[LineCommand, ...] = ()
    stands: Annotated[tuple[Stand, ...], msgspec.Meta(min_length=2)] = msgspec.field(name="pieces")

    def pieces(self) -> tuple[Piece, ...]:
        """Everything that lies on the table; a unit's place is the name of its wing."""
        cards = (replace(unit, at=unit.at or f"{unit.wing} wing") for unit in self.units)
        return (*self.officers, *cards, *self.line_command, *self.stands)

    def __post_init__(self) -> None:
        _check_victory(self)
        _check_tables(self.tables)
        for name, laid in (("officers", self.officers), ("line_command", self.line_command), ("pieces", self.stands)):
            for at, one in enumerate(laid):
                _check_laid(self, f"$.{name}[{at}]", one)
        for side in self.sides:
            _check_side(self, side.id)


def _check_victory(scenario: RedCoatScenario) -> None:
    converted("victory", scenario.victory, Victory)
    for side in scenario.breaks.keys() - {side.id for side in scenario.sides}:
        raise scenario_fault(f"there is no side {side}", f"$.breaks.{side}")


def _check_tables(tables: dict[str, Table]) -> None:
    for name in tables.keys() - ROWS.keys():
        raise scenario_fault(f"there is no use for a table {name}", f"$.tables.{name}")
    for name, table in tables.items():
        for total, result in table.rows.items():
            converted(f"tables.{name}.rows.{total}", result, ROWS[name])
        for number in _totals(name) if table.rows else ():
            try:
                look_up(Game(tables={"it": {"rows": table.rows}}), "it", number)
            except RuleViolation as error:
                raise scenario_fault(f"there is no row for {number}", f"$.tables.{name}.rows") from error


def _totals(table: str) -> range:
    """The totals that must have a row: differences for fire and close combat, successes for an activation."""
    if not table.startswith("activation"):
        return range(-FAR, FAR + 1)
    return range(int(table.removeprefix("activation-")) + 1 if "-" in table else MOST_DICE + 1)


def _check_laid(scenario: RedCoatScenario, path: str, one: Piece) -> None:
    """Places are written as the scenario measures; whoever belongs to a unit belongs to one of its own side."""
    if scenario.measure != "words" and not re.match(POINT, one.at):
        example = EXAMPLES[scenario.measure]
        raise scenario_fault(f"{one.at!r} is no point in {scenario.measure}, such as {example!r}", f"{path}.at")
    unit = getattr(one, "unit", None)
    if unit is not None and not any(card.id == unit and card.side == one.side for card in scenario.units):
        raise scenario_fault(f"{one.side} has no unit {unit}", f"{path}.unit")
    if isinstance(one, Stand) and one.kind in NO_PIECES:
        raise scenario_fault(f"a combat piece cannot be called {one.kind}", f"{path}.kind")


def _check_side(scenario: RedCoatScenario, side: str) -> None:
    """One CO at most, one officer a wing, and pieces to command."""
    leaders = [(at, one) for at, one in enumerate(scenario.officers) if one.side == side]
    wings: set[str] = set()
    for at, one in leaders:
        if one.kind == FO and not one.wing:
            raise scenario_fault(f"{one.id} is an FO without a wing", f"$.officers[{at}].wing")
        if one.wing and one.wing in wings:
            raise scenario_fault(f"the {one.wing} wing of {side} has two officers", f"$.officers[{at}].wing")
        wings |= {one.wing}
    if sum(one.kind == CO for _, one in leaders) != 1:
        raise scenario_fault(f"{side} needs one CO", "$.officers")
    if not any(one.side == side for one in scenario.stands):
        raise scenario_fault(f"{side} has no combat piece", "$.pieces")


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """What lies on the table; how it is measured and how the battle ends become markers."""
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
    """An officer remembers with how many white cubes he began."""
    if isinstance(event, UnitPlaced) and event.kind in (CO, FO):
        return replace(event, attributes={**event.attributes, "all_cubes": event.attributes["cubes"]})
    return event
