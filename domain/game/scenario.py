"""Read scenarios: the starting state of a game, written in TOML and checked completely before anything is recorded.

A title subclasses `Scenario` and `Piece` to give its units typed attributes; a misspelt key is refused with its path.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import msgspec

from umpire_ledger.domain.game.board import Board
from umpire_ledger.domain.game.errors import ScenarioError, UnknownName
from umpire_ledger.domain.game.events import (
    AccountChanged,
    AnyEvent,
    DiceMode,
    Int,
    MarkerSet,
    Side,
    UnitPlaced,
    Value,
)
from umpire_ledger.domain.game.midgame_setup import MidgameSetup
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.refusals import REFUSALS
from umpire_ledger.domain.game.scenario_fault import OTHER, ScenarioFault, error_of
from umpire_ledger.domain.game.scenario_limits import verify_size
from umpire_ledger.domain.game.schema_faults import faults_of
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.toml_faults import line_of_fault, remedy_for

NAMES = "letters, digits, dots, hyphens"
Id = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=60, description=NAMES)]


class Piece(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit as a scenario sets it up. Every further field of a title's own piece becomes an attribute.

    `hidden`: with fog, only its own side sees it at the start.
    """

    id: Id
    side: str
    kind: str
    at: str
    hidden: bool | msgspec.UnsetType = msgspec.UNSET


FIELDS = ("id", "side", "kind", "at", "hidden", "attributes")
"""Fields of every unit; all other fields of a title's own piece are attributes."""


class FreePiece(Piece, frozen=True, kw_only=True):
    """A unit of a title that does not declare the attributes of its units."""

    attributes: dict[str, Value] = {}


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table that a title cannot include. A row has a total (`7`, `3..5`, `2 or less`, `12 or more`) and a result.

    `by_the_book`: instead of rows, the page from which the group reads the results: `War Galley, the boarding table`.
    """

    rows: dict[str, str | dict[str, Value]] = {}
    dice: str = ""
    source: str = ""
    by_the_book: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)] | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        if bool(self.rows) is isinstance(self.by_the_book, str):
            raise ValueError("a table has rows, or `by_the_book` names the page with its results")


class Number(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A house value: a number, or dice, that no rulebook prints, with the group's source for it."""

    value: Int | Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    source: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]


class Scenario(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The entries of every scenario. `about`: the source of its values.

    `position`: a mid-game setup from which the game continues, instead of the setup at the start. `numbers`: house
    values, each with its source; those left out have the title's values (`umpire titles`). `board`: the places of the
    map, in addition to the title's or instead of them; no rule uses it.
    """

    title: str
    name: str
    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=1, max_length=16)]
    about: str = ""
    dice: DiceMode = "ledger"
    options: dict[str, Value] = {}
    tables: dict[str, Table] = {}
    accounts: dict[str, Int] = {}
    markers: dict[str, Value] = {}
    victory: dict[str, Value] = {}
    position: MidgameSetup | None = None
    numbers: dict[str, Number] | msgspec.UnsetType = msgspec.UNSET
    board: Board | msgspec.UnsetType = msgspec.UNSET

    def pieces(self) -> tuple[Piece, ...]:
        """Return the units, in the order of the file."""
        return ()

    def pieces_by_path(self) -> Iterator[tuple[str, Piece]]:
        """Yield the units, each with its path in the file.

        A title whose file lists units under other names overrides this.
        """
        for at, piece in enumerate(self.pieces()):
            yield f"$.units[{at}]", piece

    def hidden_ids(self) -> frozenset[str]:
        """Return the ids of the units that begin hidden."""
        return frozenset(piece.id for piece in self.pieces() if piece.hidden is True)

    def in_the_open(self: "S") -> "S":
        """Return the scenario without the units that begin hidden, in every list of the file."""
        lists = {name: getattr(self, name) for name in self.__struct_fields__ if type(getattr(self, name)) is tuple}
        return msgspec.structs.replace(
            self, **{name: tuple(one for one in found if not _is_hidden(one)) for name, found in lists.items()}
        )

    def sheets(self) -> dict[str, Any]:
        """Return the title's lookup data other than tables, as plain JSON by name: unit values, the map."""
        return {}

    def faults(self) -> Iterable[ScenarioFault]:
        """Return faults that concern several entries, each made with `scenario_fault`. A title must not raise them."""
        return ()

    def left_to_table(self) -> Iterable[ScenarioFault]:
        """Return open points that no rule limits. The scenario is valid, but the referee should know about them."""
        return ()

    def sequence(self) -> dict[str, Any]:
        """Return the scenario's own sequence of play, as plain JSON; empty to use the title's."""
        return {}

    def path_of(self, place: str) -> str:
        """Return the path in the file of a place in the scenario's own sequence."""
        return "$"

    def published(self: "S") -> "S":
        """Return the scenario as the log may show it.

        A title with a hidden setup overrides this to leave the setup out.
        """
        return self


def _is_hidden(one: object) -> bool:
    return isinstance(one, Piece) and one.hidden is True


class FreeScenario(Scenario, frozen=True, kw_only=True):
    """A scenario whose units may have any attributes."""

    units: tuple[FreePiece, ...] = ()

    def pieces(self) -> tuple[Piece, ...]:
        return self.units


S = TypeVar("S", bound=Scenario)


Parsed = Mapping[str, Any]
"""A scenario file, parsed from TOML."""


def title_of(parsed: Parsed) -> str:
    """Return the id of the title that a scenario file names.

    Raises:
        ScenarioError: The file names no title.
    """
    title = parsed.get("title")
    if not isinstance(title, str):
        remedy = 'write, for example, title = "war-galley"'
        raise error_of(scenario_fault("the scenario does not name its title", "$.title", remedy, code="title-missing"))
    return title


def read_scenario(source: str | Parsed, schema: type[S]) -> S:
    """Return a scenario file as its title's schema, checked.

    Raises:
        ScenarioError: A line does not match the schema; the error names its path.
    """
    parsed = parse_scenario(source) if isinstance(source, str) else source
    try:
        scenario = msgspec.convert(parsed, schema)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at ")
        found = tuple(faults_in(parsed, schema, "$"))
        raise _refuse_first(found or (scenario_fault(what, path.strip("`") or "$", code="wrong-value"),)) from error
    faults = all_faults(scenario)
    if faults:
        raise _refuse_first(faults)
    return scenario


def _refuse_first(faults: Sequence[ScenarioFault]) -> ScenarioError:
    more = len(faults) - 1
    others = f"; {more} more: `umpire scenario --check FILE` lists them" if more else ""
    return error_of(faults[0], f"{faults[0].remedy}{others}")


def all_faults(scenario: Scenario) -> tuple[ScenarioFault, ...]:
    """Return the faults of a scenario with valid entries: those found by its title, then those of names and rows."""
    return (*scenario.faults(), *_faults_of_names(scenario))


def parse_scenario(text: str) -> Parsed:
    """Parse the text of a scenario file.

    Raises:
        ScenarioError: The text is not valid TOML or exceeds a limit.
    """
    verify_size(text)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = str(error).rpartition("(at ")[2].rstrip(")") or "$"
        remedy = remedy_for(text.split("\n"), line_of_fault(error))
        what = f"the file is not valid TOML: {error}"
        raise error_of(scenario_fault(what, where, remedy, code="not-toml")) from error


def _faults_of_names(scenario: Scenario) -> Iterator[ScenarioFault]:
    sides = {side.id for side in scenario.sides}
    if len(sides) < len(scenario.sides):
        yield scenario_fault(
            "two sides have the same id", "$.sides", "give every side its own id", code="side-id-used-twice"
        )
    for reserved in sorted(sides & {"referee", "spectator"}):
        yield scenario_fault(
            f"a side cannot have the id {reserved}", "$.sides", "choose another id", code="side-id-reserved"
        )
    seen: set[str] = set()
    for path, piece in scenario.pieces_by_path():
        if piece.id in seen:
            yield scenario_fault(
                f"two units have the id {piece.id}",
                f"{path}.id",
                "give every unit its own id",
                code="unit-id-used-twice",
            )
        if piece.side not in sides:
            known = ", ".join(sorted(sides))
            yield scenario_fault(
                f"there is no side {piece.side}", f"{path}.side", f"name one of: {known}", code="unknown-side"
            )
        seen.add(piece.id)
    for name, table in scenario.tables.items():
        for row in table.rows:
            if _bounds(row) is None:
                remedy = "write 7, 3..5, `2 or less` or `12 or more`"
                yield scenario_fault(
                    f"{row!r} is not a row of a table", f"$.tables.{name}.rows.{row}", remedy, code="not-a-row"
                )


def faults_in(value: object, schema: Any, path: str) -> Iterator[ScenarioFault]:
    """Yield a fault for every part of a scenario's value that does not match a type. `path`: such as `$.victory`."""
    return faults_of(value, schema, path)


def scenario_fault(
    what: str, path: str, remedy: str = "fix this entry of the scenario file", *, code: str = OTHER
) -> ScenarioFault:
    """Return a fault that a title finds in its scenario, for the result of `Scenario.faults`.

    Args:
        what: The fault.
        path: The path of its line, such as `$.units[0].at`.
        remedy: The correction.
        code: The name of the fault in kebab case, for programs.
    """
    return ScenarioFault(path=path, what=what, remedy=remedy, code=code)


def set_up_pieces(scenario: Scenario) -> list[AnyEvent]:
    """Return the events that set up a scenario's units, accounts and markers."""
    return [
        *(_placed(piece) for piece in scenario.pieces()),
        *(
            AccountChanged(account=account, amount=amount, before=0, after=amount, cause="set-up")
            for account, amount in scenario.accounts.items()
        ),
        *(
            MarkerSet(marker=marker, before=None, after=value, cause="set-up")
            for marker, value in scenario.markers.items()
        ),
    ]


def _placed(piece: Piece) -> UnitPlaced:
    fields = msgspec.to_builtins(piece)
    own = {name: value for name, value in fields.items() if name not in FIELDS}
    attributes: dict[str, Value] = {**own, **fields.get("attributes", {})}
    return UnitPlaced(
        unit=piece.id,
        side=piece.side,
        kind=piece.kind,
        at=piece.at,
        attributes={name: tuple(value) if isinstance(value, list) else value for name, value in attributes.items()},
        cause="set-up",
    )


# --- tables -----------------------------------------------------------------------------------------------------------


def look_up(game: Game, table: str, total: int) -> tuple[str, str | dict[str, Value]]:
    """Return the row of a scenario's table that contains a total, and its result.

    Raises:
        UnknownName: The scenario has no such table, or the table has no row for the total.
    """
    rows: dict[str, str | dict[str, Value]] = game.tables.get(table, {}).get("rows", {})
    for row, result in rows.items():
        low, high = _bounds(row) or (1, 0)
        if low <= total <= high:
            return row, result
    raise refusal(
        UnknownName,
        REFUSALS,
        "no-such-row" if rows else "no-such-table",
        {"table": table, "total": total, "tables": ", ".join(sorted(game.tables)) or "none"},
        where=game.where,
        rule="the scenario's tables",
    )


def total_without_row(game: Game, table: str, lowest: int, highest: int) -> int | None:
    """Return the first total in a range, limits included, for which a table has no row; None if all have one."""
    rows = [_bounds(row) or (1, 0) for row in game.tables.get(table, {}).get("rows", {})]
    total = lowest
    while total <= highest:
        ends = [high for low, high in rows if low <= total <= high]
        if not ends:
            return total
        total = max(ends) + 1
    return None


def table_dice(game: Game, table: str, default: str) -> str:
    """Return the dice that a table is rolled with."""
    return str(game.tables.get(table, {}).get("dice") or default)


def _bounds(row: str) -> tuple[int, int] | None:
    """Return the first and the last total of a row; None if the row is not valid."""
    most = 2**53
    if found := re.fullmatch(r"(-?\d{1,9})", row):
        return int(found[1]), int(found[1])
    if found := re.fullmatch(r"(-?\d{1,9})\.\.(-?\d{1,9})", row):
        return int(found[1]), int(found[2])
    if found := re.fullmatch(r"(-?\d{1,9}) or less", row):
        return -most, int(found[1])
    if found := re.fullmatch(r"(-?\d{1,9}) or more", row):
        return int(found[1]), most
    return None
