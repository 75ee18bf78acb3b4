"""Compute import cycles and layers of Umpire's modules. `python -m tests.import_graph` prints them."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
NAME = "umpire_ledger"
ROOMS = ("ledger", "domain", "projections", "desk", "service", "cli")
FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
Graph = Mapping[str, set[str]]
"""The modules that each module imports, by dotted name such as `desk.core.errors`."""


@cache
def modules() -> dict[str, Path]:
    """Return the file of each module."""
    found = {}
    for file in sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def everywhere() -> Graph:
    """Return every import: at the top, inside functions, and for types only."""
    return {module: set(_imported(module, ast.walk(_tree(file)))) for module, file in modules().items()}


@cache
def at_load() -> Graph:
    """Return the imports that run when a module is loaded."""
    return {module: set(_imported(module, _loaded(_tree(file)))) for module, file in modules().items()}


def deferred() -> Iterator[tuple[Path, ast.ImportFrom | ast.Import]]:
    """Yield the imports inside functions."""
    for file in modules().values():
        functions = (node for node in ast.walk(_tree(file)) if isinstance(node, FUNCTION))
        inside = {node for outer in functions for node in ast.walk(outer)}
        yield from ((file, node) for node in inside if isinstance(node, ast.Import | ast.ImportFrom))


def circles(graph: Graph) -> list[tuple[str, ...]]:
    """Return the groups of modules that import each other, directly or through others."""
    reached = {module: _reached(graph, module) for module in graph}
    groups = {tuple(sorted(other for other in reached[one] if one in reached[other])) for one in graph}
    return sorted(group for group in groups if len(group) > 1)


def floors_of_desk() -> list[list[str]]:
    """Return the rooms of `desk/` in layers, starting with those that import no other room."""
    rooms: dict[str, set[str]] = {}
    for module, imported in everywhere().items():
        if module.startswith("desk"):
            others = {room_in_desk(one) for one in imported if one.startswith("desk")}
            rooms.setdefault(room_in_desk(module), set()).update(others - {room_in_desk(module)})
    floors: list[list[str]] = []
    while rooms:
        lowest = sorted(room for room, below in rooms.items() if not below & rooms.keys())
        assert lowest, f"the rooms {', '.join(sorted(rooms))} import each other"
        floors.append(lowest)
        rooms = {room: below for room, below in rooms.items() if room not in lowest}
    return floors


def room_in_desk(module: str) -> str:
    """Return the room of a module in `desk/`: its folder, or the facade."""
    inner = module.split(".")[1:2]
    return f"desk/{inner[0]}" if inner and (ROOT / "desk" / inner[0]).is_dir() else "desk"


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _loaded(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that run when a module is loaded, without functions and code under `if TYPE_CHECKING`."""
    for node in ast.iter_child_nodes(tree):
        is_for_types = isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        if not isinstance(node, FUNCTION) and not is_for_types:
            yield node
            yield from _loaded(node)


def _imported(module: str, nodes: Iterator[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{NAME}."):
            base = str(node.module).removeprefix(f"{NAME}.")
            for alias in node.names:
                found = next((one for one in (f"{base}.{alias.name}", base) if one in modules()), module)
                if found != module:
                    yield found


def _reached(graph: Graph, start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        new = graph[todo.pop()] - found
        found |= new
        todo += new
    return found


def main() -> None:
    """Print the figures of `desk/` and the import cycles of every room."""
    desk = {module: {one for one in below if one.startswith("desk")} for module, below in everywhere().items()}
    arrows = sum(len(below) for module, below in desk.items() if module.startswith("desk"))
    print(f"desk: {sum(module.startswith('desk') for module in desk)} modules, {arrows} arrows")
    for number, rooms in enumerate(floors_of_desk(), 1):
        print(f"floor {number}: {', '.join(rooms)}")
    for kind, graph in (("when loaded", at_load()), ("in all imports", everywhere())):
        print(f"circles {kind}: {'; '.join(', '.join(one) for one in circles(graph)) or 'none'}")
    print(f"deferred imports: {sum(1 for _ in deferred())}")


if __name__ == "__main__":
    main()
