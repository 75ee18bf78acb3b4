"""Check a scenario beyond its schema: options that the title knows, its numbers, and tables that an order looks up.

All faults are returned. `open_game` refuses with the first one; `umpire scenario --check` lists all.
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from umpire_ledger.domain.flow.admission import unreachable_reason
from umpire_ledger.domain.flow.sequence_checks.every_check import check
from umpire_ledger.domain.game.board import SHEET, Board
from umpire_ledger.domain.game.cells import have_common_side, is_on_board, point_of
from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.hidden_units import FOG, RULE as OF_HIDDEN
from umpire_ledger.domain.game.looks import COLORS, EDGES, NO_SYMBOL, SYMBOLS, TERRAINS, color_of
from umpire_ledger.domain.game.midgame_setup import UnitThere
from umpire_ledger.domain.game.nearest import nearest
from umpire_ledger.domain.game.scenario import Piece, Scenario, scenario_fault
from umpire_ledger.domain.game.scenario_fault import ScenarioFault
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.spectator_delay import EXAMPLE, SPECTATOR_DELAY, is_delay
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title

OF_SEQUENCE = "the static checks of a sequence of play"
OF_TABLES = "the tables that a title's orders need"
_KINDS: dict[type, str] = {bool: "true or false", int: "a whole number", str: "a word"}


class TableUse(msgspec.Struct, frozen=True, kw_only=True):
    """A use of a table by an order or an automatic act (`who`), in a step ("" for any step)."""

    step: str
    who: str

    def __str__(self) -> str:
        return f"{self.who} in {self.step}" if self.step else self.who


def brought(title: Title, scenario: Scenario) -> Title:
    """Return the title with a scenario's own sequence of play; the title itself if the scenario has none.

    Raises:
        TitleFault: The title's code fails.
    """
    return title.with_sequence(scenario.sequence(), scenario.options)


def faults_of_sequence(title: Title, scenario: Scenario) -> Iterator[ScenarioFault]:
    """Yield the faults of a scenario's own sequence of play, each at its place in the file."""
    if scenario.sequence():
        for one in check(brought(title, scenario)):
            what, path = f"{one.place}: {one.what}", scenario.path_of(one.place)
            yield ScenarioFault(path=path, what=what, remedy=one.remedy, rule=OF_SEQUENCE, code="wrong-sequence")


def faults_of_options(title: Title, given: Mapping[str, Value]) -> Iterator[ScenarioFault]:
    """Yield options that the title does not know, and options with a value of another type.

    A title without a sequence accepts any option, because Umpire does not know its rules.
    """
    known = {CLOSED_TO_REFEREE: False, SPECTATOR_DELAY: "", FOG: False, **title.options}
    if given.get(FOG) and given.get(CLOSED_TO_REFEREE):
        what = "hidden units need a referee who can see them"
        yield _option(what, CLOSED_TO_REFEREE, f"leave out {CLOSED_TO_REFEREE}, or {FOG}")
    for name, value in given.items():
        if name == SPECTATOR_DELAY and not is_delay(value):
            yield _option(f"option {name} is {value!r}", name, f"write {EXAMPLE}")
            continue
        if name not in known:
            if title.sequence is not None:
                near = nearest(name, known)
                all_known = f"options of this title: {', '.join(sorted(known))}"
                remedy = f"did you mean {' or '.join(near)}?" if near else all_known
                yield _option(f"{title.name} has no option {name}", name, remedy, "unknown-option")
        elif known[name] is not None and type(value) is not type(known[name]):
            kind = _KINDS.get(type(known[name]), "a list of names")
            yield _option(f"option {name} is {value!r}", name, f"give it {kind}, for example {known[name]!r}")


def _option(what: str, name: str, remedy: str, code: str = "wrong-option") -> ScenarioFault:
    return ScenarioFault(path=f"$.options.{name}", what=what, remedy=remedy, rule="the title's options", code=code)


def faults_of_board(scenario: Scenario) -> Iterator[ScenarioFault]:
    """Yield unknown colors and symbols, and a table whose name is the key of the scenario's own board."""
    yield from _faults_of_looks(scenario)
    if not isinstance(scenario.board, msgspec.UnsetType) and SHEET in scenario.tables:
        what = f"a table has the name {SHEET}, which is reserved for the scenario's board"
        remedy = "give the table another name"
        yield ScenarioFault(
            path=f"$.tables.{SHEET}", what=what, remedy=remedy, rule="unique names", code="name-used-twice"
        )


def _faults_of_looks(scenario: Scenario) -> Iterator[ScenarioFault]:
    """Yield colors and symbols that do not exist."""
    board = Board() if isinstance(scenario.board, msgspec.UnsetType) else scenario.board
    colors = {f"$.sides[{at}].color": side.color for at, side in enumerate(scenario.sides)}
    colors |= {f"$.board.colors.{side}": color for side, color in board.colors.items()}
    for path, color in colors.items():
        if color and not color_of(color):
            yield _unknown(path, "color", color, COLORS, ", or write one as #c1272d")
    for path, symbol in ((f"$.board.symbols.{kind}", symbol) for kind, symbol in board.symbols.items()):
        if symbol not in (NO_SYMBOL, *SYMBOLS):
            yield _unknown(path, "symbol", symbol, SYMBOLS)
    terrains = {"$.board.base": board.base} if board.base else {}
    terrains |= {f"$.board.terrain.{place}": kind for place, kind in board.terrain.items()}
    terrains |= {f"$.board.regions[{at}].kind": one.kind for at, one in enumerate(board.regions)}
    for path, kind in terrains.items():
        if kind not in TERRAINS:
            yield _unknown(path, "terrain", kind, TERRAINS)
    for at, edge in enumerate(board.edges):
        if edge.kind not in EDGES:
            yield _unknown(f"$.board.edges[{at}].kind", "edge", edge.kind, EDGES)


def _unknown(path: str, sort: str, name: str, known: Iterable[str], more: str = "") -> ScenarioFault:
    near = nearest(name, known)
    remedy = f"did you mean {' or '.join(near)}?" if near else f"name one of: {', '.join(known)}{more}"
    return scenario_fault(f"there is no {sort} {name!r}", path, remedy, code=f"unknown-{sort}")


def faults_of_ground(scenario: Scenario, board: Board) -> Iterator[ScenarioFault]:
    """Yield places of the ground that the map does not have. `board`: the title's map with the scenario's own."""
    own = Board() if isinstance(scenario.board, msgspec.UnsetType) else scenario.board
    for path, place in _places_of_ground(own):
        if not is_on_board(board, place):
            remedy = 'name a place of the map, or a point such as "100,40"'
            yield scenario_fault(f"the map has no place {place!r}", path, remedy, code="unknown-place")
    for path, pair in _sides_of_ground(own):
        if not have_common_side(board, *pair):
            what = f"{pair[0]} and {pair[1]} have no common side"
            yield scenario_fault(what, path, "name two cells next to each other", code="no-common-side")


def _places_of_ground(board: Board) -> Iterator[tuple[str, str]]:
    """Yield the places by name under terrain, outlines, lines and names, each with its path."""
    yield from ((f"$.board.terrain.{place}", place) for place in board.terrain)
    lines = [(f"$.board.regions[{at}].outline", one.outline) for at, one in enumerate(board.regions)]
    lines += [(f"$.board.edges[{at}].along", one.along) for at, one in enumerate(board.edges)]
    lines += [("$.board.background.corners", board.background.corners)] if board.background is not None else []
    for path, corners in lines:
        yield from ((f"{path}[{at}]", one) for at, one in enumerate(corners) if not point_of(one))
    yield from ((f"$.board.names.{name}", at) for name, at in board.names.items() if not point_of(at))


def _sides_of_ground(board: Board) -> Iterator[tuple[str, tuple[str, str]]]:
    for number, edge in enumerate(board.edges):
        yield from ((f"$.board.edges[{number}].between[{at}]", pair) for at, pair in enumerate(edge.between))


def faults_of_hidden(scenario: Scenario, options: Mapping[str, Value]) -> Iterator[ScenarioFault]:
    """Yield units that a scenario cannot hide: units without fog, and units whose id could clash with a public one.

    `options`: the options of the game to open, or of the file.
    """
    left_open = scenario.in_the_open().hidden_ids()
    names = {side.id: side.name for side in scenario.sides}
    for path, entry, piece in _hidden(scenario):
        if options.get(FOG) is not True:
            remedy = f"write `{FOG} = true` under [options], or leave out `{entry}`"
            yield _unhidden(
                f"{piece.id} is hidden, but the game has no fog", f"{path}.{entry}", remedy, "hidden-without-fog"
            )
        elif not piece.id.startswith(f"{piece.side}-"):
            what = f"a hidden unit of {names.get(piece.side, piece.side)} cannot have the id {piece.id}"
            yield _unhidden(
                what,
                f"{path}.id",
                f"choose an id that begins with {piece.side}-: no other side may use it",
                "hidden-id-not-of-the-side",
            )
        elif piece.id in left_open:
            what = f"{piece.id} cannot begin hidden, because this title does not list it with its units"
            yield _unhidden(
                what,
                f"{path}.hidden",
                "leave out `hidden`, and hide the unit with `hide` after the game begins",
                "cannot-begin-hidden",
            )


def _hidden(scenario: Scenario) -> Iterator[tuple[str, str, Piece | UnitThere]]:
    """Yield the hidden units of the setup and of a mid-game setup, each with its path and the entry that hides it."""
    for path, piece in scenario.pieces_by_path():
        if piece.hidden is True:
            yield path, "hidden", piece
    for at, unit in enumerate(scenario.position.units if scenario.position is not None else ()):
        if unit.seen_by:
            yield f"$.position.units[{at}]", "seen_by", unit


def _unhidden(what: str, path: str, remedy: str, code: str) -> ScenarioFault:
    return ScenarioFault(path=path, what=what, remedy=remedy, rule=OF_HIDDEN, code=code)


def faults_of_numbers(title: Title, scenario: Scenario) -> Iterator[ScenarioFault]:
    """Yield unknown numbers and faulty values. A word as a value names the dice of a roll."""
    known = {one.name: one.value for one in title.ours if not one.where}
    for name, number in {} if isinstance(scenario.numbers, msgspec.UnsetType) else scenario.numbers.items():
        what, remedy = _why_no_number(title, known, name, number.value)
        if what:
            rule = "the house values"
            yield ScenarioFault(path=f"$.numbers.{name}", what=what, remedy=remedy, rule=rule, code="wrong-number")


def _why_no_number(title: Title, known: Mapping[str, int | str], name: str, value: int | str) -> tuple[str, str]:
    """Return a fault of a number and its remedy; empty strings if the number is valid."""
    if name not in known:
        near = nearest(name, known)
        numbers = f"did you mean {' or '.join(near)}?" if near else f"it has: {', '.join(sorted(known)) or 'none'};"
        return f"{title.name} has no number {name}", f"{numbers} `umpire titles {title.id}` lists them"
    if type(value) is not type(known[name]):
        return f"the number {name} is {value!r}", f"write it like the house value: {known[name]!r}"
    try:
        parse(value if isinstance(value, str) else "1d6")
    except RuleViolation as error:
        return f"{name}: {error.what}", error.remedy
    return "", ""


def missing_tables(title: Title, game: Game) -> Iterator[ScenarioFault]:
    """Yield missing tables that an order or an automatic act of this game looks up, each with all its uses.

    Steps that options switch off do not count.
    """
    for table, uses in uses_of_tables(title).items():
        here = [one for one in uses if not (one.step and unreachable_reason(title, game, one.step))]
        if table not in game.tables and here:
            yield ScenarioFault(
                path=f"$.tables.{table}",
                what=f"the table {table} is missing",
                remedy=f"{all_uses(here)} needs it: write its rows into the scenario, or name a page in `by_the_book`",
                rule=OF_TABLES,
                code="table-missing",
            )


def all_uses(uses: list[TableUse]) -> str:
    """Return the uses of a table in words: `board in E.2`; `attack in 5.2.N, 5.2.R, and receive-points,`."""
    first = uses[0].who
    steps = ", ".join(one.step for one in uses if one.who == first and one.step)
    others = ", ".join(dict.fromkeys(one.who for one in uses if one.who != first))
    return f"{first}{' in ' if steps else ''}{steps}{f', and {others},' if others else ''}"


def uses_of_tables(title: Title) -> dict[str, list[TableUse]]:
    """Return the uses of each table that the title declares."""
    found: dict[str, list[TableUse]] = {}
    for step, who, tables in _looked_up(title):
        for table in tables:
            found.setdefault(table, []).append(TableUse(step=step, who=who))
    return found


def _looked_up(title: Title) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield a step ("" for any), the order or automatic act that looks up tables there, and the tables."""
    for one in title.orders:
        if one.tables:
            allowed = [step.id for step in title.plan.leaves() if one.order in step.allows]
            for step in allowed if title.sequence is not None else ("",):
                yield step, one.order.tag(), one.tables
    for step, tables in title.tables.items():
        yield step, "an automatic action", tables
