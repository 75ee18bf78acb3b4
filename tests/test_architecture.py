"""Check the layers of the code and their permitted imports. `ledger` and `domain` never import each other.

A new layer ("room") is a line in `ROOMS`. A new permitted import is a name in that line, and needs a reviewer who
agrees.
"""

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests import import_graph
from tests.at_least_one import at_least_one

ROOT = Path(__file__).parent.parent
NAME = "umpire_ledger"

GAME, SEQUENCE, KIT, FLOW = "domain/game", "domain/sequence", "domain/kit", "domain/flow"
HISTORY, TITLES, PLAY = "domain/history", "domain/titles", "domain/play"
RECORD, TABLES = "projections/record", "projections/tables"
QUESTIONS, REPORTS, PICTURES = "projections/questions", "projections/reports", "projections/pictures"

RECORDS, MERKLE, STORAGE = "ledger/records", "ledger/merkle", "ledger/storage"
CORE, SIGNING, LOGS, GAMES = "desk/core", "desk/signing", "desk/logs", "desk/games"
ORDERS, SHOWN = "desk/orders", "desk/pictures"
LEDGER = ("ledger", RECORDS, MERKLE, STORAGE, "ledger/verification")
SERVICES = (SIGNING, ORDERS, "desk/scenarios", GAMES, LOGS, SHOWN, "desk/notifications", "desk/cases", "desk/upkeep")
DOMAIN = {GAME, SEQUENCE, KIT, FLOW, HISTORY}
BELOW_DESK = {*LEDGER, PICTURES, RECORD, TABLES, QUESTIONS, REPORTS, *DOMAIN, TITLES, PLAY}

ROOMS: dict[str, set[str]] = {
    RECORDS: set(),
    MERKLE: {RECORDS},
    STORAGE: {RECORDS, MERKLE},
    "ledger/verification": {RECORDS, MERKLE, STORAGE},
    "ledger": {RECORDS, MERKLE, STORAGE, "ledger/verification"},
    GAME: set(),
    SEQUENCE: {GAME},
    KIT: {GAME, SEQUENCE},
    FLOW: {GAME, SEQUENCE, KIT},
    HISTORY: {GAME, SEQUENCE, KIT},
    TITLES: {GAME, SEQUENCE, KIT},
    PLAY: {GAME, SEQUENCE, KIT, FLOW, HISTORY},
    RECORD: {*LEDGER, GAME, KIT},
    TABLES: {*LEDGER, RECORD, GAME, SEQUENCE, KIT, FLOW, HISTORY},
    QUESTIONS: {*LEDGER, RECORD, TABLES, GAME, SEQUENCE, KIT, FLOW, HISTORY, PLAY},
    REPORTS: {*LEDGER, RECORD, TABLES, QUESTIONS, GAME, SEQUENCE, KIT, FLOW, HISTORY},
    PICTURES: {RECORD, QUESTIONS, GAME},
    CORE: BELOW_DESK,
    SIGNING: {CORE, *BELOW_DESK},
    ORDERS: {CORE, SIGNING, *BELOW_DESK},
    "desk/scenarios": {CORE, *BELOW_DESK},
    GAMES: {CORE, *BELOW_DESK},
    LOGS: {CORE, SIGNING, *BELOW_DESK},
    SHOWN: {CORE, *BELOW_DESK},
    "desk/notifications": {CORE, GAMES, *BELOW_DESK},
    "desk/cases": {CORE, LOGS, SHOWN, *BELOW_DESK},
    "desk/upkeep": {CORE, ORDERS, LOGS, *BELOW_DESK},
    "desk": {CORE, *SERVICES, *BELOW_DESK},
    "service": {"desk", CORE, *SERVICES, *LEDGER, RECORD, TABLES, QUESTIONS, REPORTS, GAME},
    "cli": {"service", "desk", CORE, *SERVICES, *LEDGER, RECORD, TABLES, QUESTIONS, REPORTS, GAME, KIT, FLOW, PLAY},
}
"""Each room and the rooms from which it may import, lower rooms first."""

FACADE = tuple(
    f"desk.{name}" for name in ("desk", "game", "position", "seat", "seat_orders", "seat_queries", "seat_refereeing")
)
"""The only import cycle, for types only: a game returns its seats, and a seat returns its game."""
MOST_DEFERRED = 102
"""The number of imports inside functions, which may only fall."""
MOST_FLOORS = 6
"""The most layers of `desk/`."""

PACKAGES = ("ledger", "domain", "projections", "desk", "service", "cli")
BELOW_THE_DESK = ("ledger", "domain", "projections")
KIT_FOR_TESTS = "umpire_ledger/testing"
"""The public package: it is above all rooms and may import anything."""
FOREIGN = {
    "eventsourcing": {"ledger", "projections"},
    "sqlite_utils": {"projections"},
    "click": {"cli"},
    "rich": {"cli"},
    "prompt_toolkit": {"cli"},
    "litestar": {"service"},
    "jinja2": {"service"},
    "uvicorn": {"service"},
}
PURE = {"msgspec", "immutables"}
IMPURE = {"os", "io", "time", "datetime", "random", "secrets", "pathlib", "socket", "sqlite3", "subprocess", "tempfile"}
FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
IMPURE_CALLS = {"open", "input", "print"}


def files(package: str) -> list[Path]:
    found = sorted((ROOT / package).rglob("*.py"))
    assert found, f"there is nothing in {package}"
    return found


def imported(file: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported_at_once(file: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports as soon as it is imported itself."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    inside = {node for outer in ast.walk(tree) if isinstance(outer, FUNCTION) for node in ast.walk(outer)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and node not in inside:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node not in inside:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def top_level(file: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(file)}


def room_of(parts: tuple[str, ...]) -> str:
    """Return the room of a path or dotted name below the package; "" for `__init__` of `domain` or `projections`."""
    if parts[0] in ("domain", "projections"):
        return "/".join(parts[:2]) if len(parts) > 2 or "." not in parts[-1] else ""
    inner = "/".join(parts[:2])
    return inner if inner in ROOMS else parts[0]


def arrows(file: Path) -> set[str]:
    """Return the other rooms from which a file imports."""
    inside = (name.split(".")[1:] for name in imported(file) if name.startswith(NAME + "."))
    here = room_of(file.relative_to(ROOT).parts)
    return {room for parts in inside if (room := room_of(tuple(parts))) in ROOMS and room != here}


def test_these_are_the_rooms_of_the_house() -> None:
    found = {room_of(file.relative_to(ROOT).parts) for package in PACKAGES for file in files(package)} - {""}
    assert found == set(ROOMS)


def test_rooms_import_only_from_earlier_rooms() -> None:
    """Let each room import from rooms above it in the list only."""
    order = list(ROOMS)
    for room, may in ROOMS.items():
        assert not [other for other in may if order.index(other) >= order.index(room)], room


def own_files(room: str) -> list[Path]:
    """Return the files of a room, except those of the rooms inside it."""
    return [file for file in files(room) if room_of(file.relative_to(ROOT).parts) == room]


@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_only_along_its_arrows(room: str) -> None:
    against = {
        f"{file.relative_to(ROOT)} -> {other}" for file in own_files(room) for other in arrows(file) - ROOMS[room]
    }
    assert not against


@pytest.mark.parametrize("room", ROOMS)
def test_room_states_its_arrows(room: str) -> None:
    text = ast.get_docstring(ast.parse((ROOT / room / "__init__.py").read_text(encoding="utf-8"))) or ""
    _, found, said = text.replace("\n", " ").rpartition("mports ")
    stated = {name for name in re.findall(r"`([\w/]+)`", said) if name in ROOMS}
    groups = {"all of the ledger": LEDGER, "rooms below the desk": BELOW_DESK, "its own rooms": (CORE, *SERVICES)}
    groups["all its rooms"] = groups["its own rooms"]
    assert found
    assert stated.union(*(rooms for words, rooms in groups.items() if words in said)) == ROOMS[room]


def test_desk_has_at_most_six_floors() -> None:
    """Compute the layers with `tests.import_graph` from all imports, including deferred imports and those for types."""
    assert 1 < len(import_graph.floors_of_desk()) <= MOST_FLOORS


def test_modules_import_each_other_in_no_circle_when_loaded() -> None:
    assert not import_graph.circles(import_graph.at_load())


def test_modules_import_each_other_in_no_circle_at_all() -> None:
    """Find cycles that a deferred import hides from Python, or an import for types from all tools except mypy."""
    assert import_graph.circles(import_graph.everywhere()) == [FACADE]


def test_deferred_imports_have_a_measured_reason_and_do_not_increase() -> None:
    """Require a measured time, or a missing extra, as the reason for each import inside a function.

    The time was measured in a process that had loaded the module of the function.
    """
    found = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file, node in import_graph.deferred()
        if not re.match(r"(?!0 )\d+(\.\d)? ms: |may be missing: ", _reason(file, node))
    ]
    assert not found
    assert len(list(import_graph.deferred())) <= MOST_DEFERRED


def _reason(file: Path, node: ast.stmt) -> str:
    """Return the comment on an import inside a function."""
    line = file.read_text(encoding="utf-8").splitlines()[node.lineno - 1]
    return line.partition("# noqa: PLC0415 -- ")[2]


def test_circle_in_scratch_modules_is_found() -> None:
    assert import_graph.circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [("b", "c")]


def test_ledger_and_domain_never_meet() -> None:
    lower = [room for room in ROOMS if room.startswith(("ledger", "domain"))]
    for room in at_least_one(lower):
        assert {other.split("/")[0] for other in ROOMS[room]} <= {room.split("/")[0]}, room


@pytest.mark.parametrize(("library", "homes"), FOREIGN.items())
def test_library_is_imported_only_in_its_own_packages(library: str, homes: set[str]) -> None:
    for package in at_least_one(set(PACKAGES) - homes):
        for file in files(package):
            assert library not in top_level(file), f"{file.relative_to(ROOT)} imports {library}"


def test_imports_use_no_name_that_only_a_checkout_has() -> None:
    """Import by the installed name, because a bare `domain` or `cli` may belong to another package."""
    for package in (*PACKAGES, KIT_FOR_TESTS):
        for file in files(package):
            assert not top_level(file) & {*PACKAGES, "tests"}, file.relative_to(ROOT)


def folders_of_titles() -> list[Path]:
    return sorted(path for path in (ROOT / "domain" / "titles").iterdir() if (path / "__init__.py").exists())


@pytest.mark.parametrize("package", PACKAGES)
def test_import_from_checkout_root_names_the_package(package: str) -> None:
    assert str(ROOT) in sys.path, "nothing else would be imported by this name"
    with pytest.raises(ImportError, match=f"import {NAME}.{package}$") as refused:
        import_module(package)
    assert refused.value.name == package
    assert package not in sys.modules, "nothing of a second copy is left"


def test_title_imports_the_kit_and_its_own_modules() -> None:
    """Require that a title imports only one module of Umpire, as a package by another author would."""
    for folder in at_least_one(folders_of_titles()):
        own = (f"{NAME}.kit.", f"{NAME}.domain.titles.{folder.name}.")
        for file in at_least_one(folder.rglob("*.py")):
            strange = {name for name in imported(file) if name.startswith(NAME) and not name.startswith(own)}
            assert not strange, f"{file.relative_to(ROOT)} imports {strange}"


def test_test_kit_is_imported_by_its_command_when_called() -> None:
    for package in PACKAGES:
        for file in files(package):
            kit = {name for name in imported(file) if name.startswith(f"{NAME}.testing")}
            assert not kit or file == ROOT / "cli" / "check.py", f"{file.relative_to(ROOT)} imports {kit}"
            assert not any(name.startswith(f"{NAME}.testing") for name in imported_at_once(file)), file


def test_test_kit_needs_no_test_runner() -> None:
    for file in files(KIT_FOR_TESTS):
        runners = {name.split(".")[0] for name in imported_at_once(file)} & {"pytest", "hypothesis"}
        assert not runners, f"{file.relative_to(ROOT)} imports {runners} before anybody asks for them"


def test_service_is_imported_by_its_command_when_called() -> None:
    """Load the web framework only for `umpire serve`, so that other commands start fast and do not require it."""
    for file in at_least_one(files("cli")):
        served = {name for name in imported(file) if name.startswith(f"{NAME}.service")}
        assert not served or file == ROOT / "cli" / "serving.py", f"{file.relative_to(ROOT)} imports {served}"
        assert not any(name.startswith(f"{NAME}.service") for name in imported_at_once(file)), file


def test_domain_is_pure() -> None:
    for file in files("domain"):
        names = top_level(file) - {NAME}
        assert names <= PURE | set(sys.stdlib_module_names), f"{file.relative_to(ROOT)} imports {names}"
        assert not names & IMPURE, f"{file.relative_to(ROOT)} imports {names & IMPURE}"
        calls = {
            node.func.id
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & IMPURE_CALLS, f"{file.relative_to(ROOT)} calls {calls & IMPURE_CALLS}"


@pytest.mark.parametrize("package", ["cli", "service", "desk"])
def test_sql_is_in_ledger_and_projections_only(package: str) -> None:
    words = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ", "PRAGMA ")
    for file in files(package):
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        strings = [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
        found = [text for text in strings if any(word in text for word in words)]
        assert not found, f"{file.relative_to(ROOT)}: {found}"


def test_titles_share_functions_never_each_other() -> None:
    folders = folders_of_titles()
    for folder in at_least_one(folders):
        others = {f"domain.titles.{other.name}" for other in folders if other != folder}
        for file in at_least_one(folder.rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            assert not any(other in text for other in others), f"{file.relative_to(ROOT)} imports another title"


def test_commands_and_routes_are_thin_calls_of_the_desk() -> None:
    """Allow imports from below the desk only for types, and for functions that write them in words.

    Functions that take a ledger, read models or the whole state of a game are forbidden, because the desk passes only
    data that a seat may see.
    """
    for file in (*files("cli"), *files("service")):
        below = [name for name in imported(file) if name.split(".")[:2] in [[NAME, one] for one in BELOW_THE_DESK]]
        thick = {name: takes for name in below if (takes := _whole_things(name))}
        assert not thick, f"{file.relative_to(ROOT)} imports {thick}"


def _whole_things(name: str) -> list[str]:
    """Return the parameters of an imported function that only the desk may pass; [] for a type."""
    module, _, short = name.rpartition(".")
    found = getattr(import_module(module), short, None)
    takes = [] if isinstance(found, type) or not callable(found) else _parameters(found)
    return [one for one in takes if one.startswith(("Ledger", "Connection", "Follower", "Game"))]


def _parameters(function: Callable[..., object]) -> list[str]:
    """Return the names of the types that a function takes."""
    hints = [parameter.annotation for parameter in inspect.signature(function).parameters.values()]
    return [getattr(hint, "__name__", str(hint)).split(".")[-1] for hint in hints]


def test_connections_are_broken_of_ones_own_database_only() -> None:
    """Let tests break only connections to their own database, because parallel tests share one server.

    `tests/cluster` has its own server.
    """
    breaking = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "tests").rglob("*.py")
        if "pg_terminate_" + "backend" in file.read_text(encoding="utf-8") and file.parent.name != "cluster"
    }
    assert breaking == {"tests/databases.py"}


OWN_IMPORTS = (
    "face",
    "benchmarks",
    "testing/another_process",
    "testing/three_fords",
    "titles/two_rivers",
    "titles/faulty",
)
"""Parts of `tests/` that are separate titles, measure one module, or run as a process that loads no title."""


def test_tests_import_the_inside_of_a_layer_from_one_face() -> None:
    """Let tests import the internals of a layer through `tests/face/`, so that a moved module changes one file.

    Imports inside functions are exempt, because such tests are about the import itself.
    """
    deep = [
        f"{file.relative_to(ROOT)}: {node.module}"
        for file in sorted((ROOT / "tests").rglob("*.py"))
        if not file.relative_to(ROOT / "tests").as_posix().startswith(OWN_IMPORTS)
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom) and (node.module or "").count(".") > 1 and node.module.startswith(NAME)
    ]
    assert not deep
