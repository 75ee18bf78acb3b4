"""Check a whole scenario file: list every fault with its line, and the values that the file leaves to the title.

A game can be opened from a scenario if and only if it has no faults.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.game.board import joined
from umpire_ledger.domain.game.errors import NoSuchTitle, ScenarioError, TitleFault
from umpire_ledger.domain.game.scenario import Scenario, all_faults, faults_in, title_of
from umpire_ledger.domain.game.scenario_fault import ScenarioFault, reason_of, value_at
from umpire_ledger.domain.game.scenario_limits import verify_size
from umpire_ledger.domain.game.schema_faults import mended
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.toml_faults import UNREAD, read_leniently
from umpire_ledger.domain.game.toml_lines import line_of, lines_of
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.kit.title_errors import call
from umpire_ledger.domain.play.game_setup import lay_out, open_game
from umpire_ledger.domain.play.midgame_start import RULE as OF_POSITION, faults_of_position
from umpire_ledger.domain.play.scenario_needs import (
    OF_TABLES,
    brought,
    faults_of_board,
    faults_of_ground,
    faults_of_hidden,
    faults_of_numbers,
    faults_of_options,
    faults_of_sequence,
    missing_tables,
)

SEED = "00" * 32
"""Seed of the trial opening, which is not recorded."""


class ScenarioFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A fault in a scenario file. `line`: from 1, or 0 for the end of the file; `path`: such as `$.units[0].at`, or "".

    The path is "" if the file is not valid TOML.
    """

    line: int
    path: str
    what: str
    rule: str
    remedy: str
    code: str
    """Name of the fault, for programs. It stays the same when the words change."""
    key: str
    """The last entry of the path."""
    value: str | int | float | bool | None = None
    """The value of the entry; None if it is missing or not a single value."""


class LeftOut(msgspec.Struct, frozen=True, kw_only=True):
    """A value that the file leaves to the title. `path`: its place in a file; `used`: the rule that needs it."""

    path: str
    value: int | str
    used: str
    says: str


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check of a scenario file. `title`: the title that it names; "" if it names none.

    `left_to_table`: valid omissions that no rule limits.
    """

    title: str
    findings: tuple[ScenarioFinding, ...]
    left_out: tuple[LeftOut, ...] = ()
    left_to_table: tuple[ScenarioFinding, ...] = ()


MoreFaults = Callable[[Scenario], Iterable[ScenarioFault]]
"""Returns faults that the text alone does not show, such as those of files next to it."""


def examine(text: str, need_title: Callable[[str], Title], more: MoreFaults = lambda _: ()) -> Examined:
    """Check a scenario file. `need_title`: returns a title by its id.

    Raises:
        TitleFault: The title's code fails.
    """
    try:
        verify_size(text)
    except ScenarioError as error:
        return Examined(title="", findings=(_finding(_as_fault(error), {}, {}),))
    read = read_leniently(text)
    no_toml = tuple(
        ScenarioFinding(line=one.line, path="", what=one.what, rule="TOML", remedy=one.remedy, code="not-toml", key="")
        for one in read.faults
    )
    if read.parsed is None:
        return Examined(title="", findings=no_toml)
    lines = lines_of(read.text)
    try:
        title = need_title(title_of(read.parsed))
    except (ScenarioError, NoSuchTitle) as error:
        where = ScenarioFault(
            path="$.title", what=error.what, rule=error.rule, remedy=error.remedy, code=reason_of(error)
        )
        return Examined(title="", findings=(*no_toml, _finding(where, lines, read.parsed)))
    found = (*no_toml, *(_finding(one, lines, read.parsed) for one in _all_of(title, read.parsed, more)))
    return Examined(
        title=title.id,
        findings=tuple(sorted(found, key=lambda one: one.line)),
        left_out=tuple(_left_out(title, read.parsed)),
        left_to_table=() if found else tuple(_unsaid(title, read.parsed, lines)),
    )


def _unsaid(title: Title, parsed: Mapping[str, Any], lines: dict[str, int]) -> Iterator[ScenarioFinding]:
    scenario: Scenario = msgspec.convert(parsed, title.scenario)
    return (_finding(one, lines, parsed) for one in left_to_table(title, scenario))


def left_to_table(title: Title, scenario: Scenario) -> tuple[ScenarioFault, ...]:
    """Return open points of a valid scenario that no rule limits.

    Raises:
        TitleFault: The title's own code raised an exception.
    """
    found: tuple[ScenarioFault, ...] = call(
        title.id, "the tables that a scenario leaves to the group", scenario.left_to_table, (), tuple
    )
    return found


def _finding(fault: ScenarioFault, lines: dict[str, int], parsed: Mapping[str, Any]) -> ScenarioFinding:
    return ScenarioFinding(
        line=line_of(lines, fault.path),
        path=fault.path,
        what=fault.what,
        rule=fault.rule,
        remedy=fault.remedy,
        code=fault.code,
        key=fault.key,
        value=value_at(parsed, fault.path),
    )


def _as_fault(error: ScenarioError) -> ScenarioFault:
    return ScenarioFault(path=error.where, what=error.what, rule=error.rule, remedy=error.remedy, code=reason_of(error))


# --- faults -----------------------------------------------------------------------------------------------------------


def _all_of(title: Title, parsed: Mapping[str, Any], more: MoreFaults) -> list[ScenarioFault]:
    """Return the faults of single entries, and then the faults of a copy in which examples replace invalid entries."""
    misfits = list(faults_in(parsed, title.scenario, "$"))
    own = {one.path for one in misfits} | set(_unread(parsed, "$"))
    told = [one for one in misfits if one.path not in set(_unread(parsed, "$"))]
    try:
        scenario: Scenario = msgspec.convert(mended(parsed, title.scenario), title.scenario)
    except msgspec.ValidationError:  # the schema's own check failed
        return told
    found = (*_beyond(title, scenario), *more(scenario))
    beyond = [one for one in found if not (one.rule == OF_TABLES and _is_there(parsed, one.path))]
    return [*told, *(one for one in beyond if not any(_is_about(one.path, path) for path in own))] or (
        _rehearsed(title, scenario) if not own else []
    )


def _unread(value: Any, path: str) -> Iterator[str]:
    """Yield the paths of values that could not be read."""
    if value == UNREAD:
        yield path
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _unread(one, f"{path}.{name}")
    elif isinstance(value, list):
        for at, one in enumerate(value):
            yield from _unread(one, f"{path}[{at}]")


def _is_about(path: str, misfit: str) -> bool:
    """Return whether a fault only results from another: its path is inside the other's, or about the same unit."""
    within = path == misfit or path.startswith((f"{misfit}.", f"{misfit}["))
    member = misfit.rpartition(".")[0]
    return within or (member.endswith("]") and path.startswith(f"{member}."))


def _is_there(parsed: Mapping[str, Any], path: str) -> bool:
    """Return whether the file has a table that is missing only because its faulty entry was left out."""
    return path.removeprefix("$.tables.") in parsed.get("tables", {})


def _beyond(title: Title, scenario: Scenario) -> Iterator[ScenarioFault]:
    """Yield the remaining faults of a scenario in which every entry is valid."""
    misread: list[ScenarioFault] = call(title.id, "reading a scenario", all_faults, (scenario,), list)
    yield from misread
    if not misread:
        yield from faults_of_sequence(title, scenario)
        title = brought(title, scenario)
    options = list(faults_of_options(title, scenario.options))
    numbers = list(faults_of_numbers(title, scenario))
    board = list(faults_of_board(scenario))
    yield from (*options, *numbers, *board)
    yield from faults_of_hidden(scenario, {**title.options, **scenario.options})
    if scenario.position is not None:
        for what, where, remedy in faults_of_position(title, scenario, scenario.position):
            yield ScenarioFault(path=where, what=what, remedy=remedy, rule=OF_POSITION, code="wrong-mid-game-setup")
    bare = _without(scenario, options, numbers)
    laid = _laid_out(title, msgspec.structs.replace(bare, board=msgspec.UNSET))
    yield from missing_tables(title, laid)
    if not isinstance(scenario.board, msgspec.UnsetType):
        yield from faults_of_ground(scenario, joined(title.board(laid), scenario.board))


def _without(scenario: Scenario, options: list[ScenarioFault], numbers: list[ScenarioFault]) -> Scenario:
    """Return the scenario without faulty options and numbers, and without a mid-game setup."""
    wrong = {one.path for one in (*options, *numbers)}
    kept = {name: one for name, one in scenario.options.items() if f"$.options.{name}" not in wrong}
    bare = msgspec.structs.replace(scenario, options=kept, position=None)
    return msgspec.structs.replace(bare, numbers=msgspec.UNSET) if numbers else bare


def _laid_out(title: Title, scenario: Scenario) -> Game:
    """Return the game as the scenario sets it up. If that fails, return a game with only its options and tables."""
    try:
        return lay_out(title, scenario, game_id="check", dice="table", seed=SEED, options={}).game
    except (ScenarioError, TitleFault):
        return Game(options={**title.options, **scenario.options}, tables=msgspec.to_builtins(scenario.tables))


def _rehearsed(title: Title, scenario: Scenario) -> list[ScenarioFault]:
    """Return the faults of opening a game from a scenario without other faults.

    Raises:
        TitleFault: The title's code fails.
    """
    try:
        open_game(title, scenario, game_id="check", dice="table", seed=SEED, options={})
    except ScenarioError as error:
        return [_as_fault(error)]
    return []


# --- values left to the title -----------------------------------------------------------------------------------------


def _left_out(title: Title, parsed: Mapping[str, Any]) -> Iterator[LeftOut]:
    """Yield the numbers of the title that the file does not set, with the rule that needs each."""
    for one in title.ours:
        path = one.where or f"numbers.{one.name}"
        if not _stands(parsed, path.split(".")):
            yield LeftOut(path=path, value=one.value, used=one.rule, says=one.says)


def _stands(value: Any, path: list[str]) -> bool:
    """Return whether a file has an entry at a path. In a list, one member with the entry is enough."""
    if isinstance(value, list):
        return any(_stands(one, path) for one in value)
    if not path:
        return True
    if not isinstance(value, Mapping):
        return False
    if path[0].isupper():  # stands for any name, as in kinds.KIND.dice
        return any(_stands(one, path[1:]) for one in value.values())
    return path[0] in value and _stands(value[path[0]], path[1:])
