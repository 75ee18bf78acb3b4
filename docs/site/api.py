"""Write the pages of the API reference for autodoc: the names of the API and of both kits, and the types they return.

Each object is documented once, on the first page that contains it; the other pages link to it.
"""

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from docstrings import as_rst
from sphinx.pycode import ModuleAnalyzer

API = "umpire_ledger"
PAGES = {API: "Python API", f"{API}.kit": "Kit for titles", f"{API}.testing": "Test kit for titles"}
TYPES = (
    "desk.cases.case_check",
    "desk.cases.case_folder",
    "desk.core.outcomes",
    "desk.games.games_list",
    "desk.logs.archive",
    "desk.logs.log_files",
    "desk.logs.log_folders",
    "desk.notifications.email",
    "desk.notifications.sender",
    "desk.notifications.webhook",
    "desk.pictures.replay_pages",
    "desk.seat_orders",
    "desk.seat_queries",
    "desk.seat_refereeing",
    "domain.game.cursor",
    "domain.game.errors",
    "domain.game.events",
    "domain.game.orders",
    "domain.game.state",
    "domain.game.values",
    "domain.play.scenario_check",
    "ledger.merkle.inclusion_proof",
    "ledger.merkle.tree",
    "ledger.records.errors",
    "ledger.unredact",
    "ledger.verification.log_checker",
    "projections.questions.branches",
    "projections.questions.dependency.model",
    "projections.questions.dice_statistics",
    "projections.questions.differences",
    "projections.questions.order_lines",
    "projections.questions.record_explanation",
    "projections.questions.rewind_preview",
    "projections.questions.rolls",
    "projections.questions.seat_knowledge",
    "projections.questions.statements",
    "projections.questions.times",
    "projections.reports.case_file",
    "projections.reports.conformance",
    "projections.reports.contested_units",
    "projections.reports.disputes",
    "projections.reports.notices",
    "projections.reports.referee",
    "projections.reports.refused_orders",
    "projections.reports.sitrep",
    "projections.tables.audit_search",
    "projections.tables.copies",
    "projections.tables.game_status",
    "projections.tables.order_sentences",
    "projections.tables.turn_view",
    "projections.tables.undo_points",
    "projections.tables.waiting",
)
"""Modules of the types that the API takes and returns. The pages show only the types, not the functions of a module."""
FOREIGN_BASES = "object, Exception, tuple, str, int, dict, list, Struct, Protocol, Generic, Enum"
INDEX = """API reference
=============

These pages are for developers of programs and titles. You need to know Python and :doc:`how to use Umpire from Python
</how-to/library>`. They are made from the docstrings. Names that are not here may change without notice.

.. toctree::
   :maxdepth: 1

   {pages}
"""


def write(folder: Path) -> None:
    """Write the pages to a new folder; the first page is `index.rst`."""
    folder.mkdir(parents=True)
    (folder / "index.rst").write_text(INDEX.format(pages="\n   ".join([*PAGES, "types"])), encoding="utf-8")
    seen: dict[int, str] = {}
    for name, title in PAGES.items():
        module = importlib.import_module(name)
        text = "\n".join(_page_of_names(module, title, seen))
        (folder / f"{name}.rst").write_text(text, encoding="utf-8")
    (folder / "types.rst").write_text("\n".join(_page_of_types(seen)), encoding="utf-8")


def _page_of_names(module: ModuleType, title: str, seen: dict[int, str]) -> Iterator[str]:
    yield from _heading(f"{title}: {module.__name__}", "=")
    yield f".. automodule:: {module.__name__}\n"
    origins = _origins(module)
    for name in module.__all__:
        value = getattr(module, name)
        if inspect.isclass(value) and value.__name__ != name and id(value) not in seen:
            value.__name__ = value.__qualname__ = name  # document it by its name in the API, not as an alias
        yield from _entry(f"{module.__name__}.{name}", value, seen, origins.get(name))


def _origins(module: ModuleType) -> dict[str, tuple[str, str]]:
    """Map each name that a module imports to its original module and name."""
    imports = (node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.ImportFrom))
    return {one.asname or one.name: (node.module or "", one.name) for node in imports for one in node.names}


def _page_of_types(seen: dict[int, str]) -> Iterator[str]:
    yield from _heading("Types that the API returns", "=")
    yield "For developers who read an answer of the API. Each type is plain data.\n"
    for one in TYPES:
        for module in _with_parts(importlib.import_module(f"{API}.{one}")):
            entries = [line for name, value in _types_of(module) for line in _entry(name, value, seen, None)]
            entries = [line for line in entries if not line.startswith("* ")]
            if entries:
                yield from _heading(module.__name__.removeprefix(f"{API}."), "-")
                yield f".. automodule:: {module.__name__}\n"
                yield from entries


def _with_parts(module: ModuleType) -> Iterator[ModuleType]:
    """Yield a module and, if it is a package, the modules in its folder."""
    yield module
    for folder in getattr(module, "__path__", ()):
        for file in sorted(Path(folder).glob("[a-z]*.py")):
            yield importlib.import_module(f"{module.__name__}.{file.stem}")


def _types_of(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Yield the public classes and named types of a module, in the order of its source."""
    for node in ast.parse(inspect.getsource(module)).body:
        match node:
            case ast.ClassDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                is_type = isinstance(node, ast.ClassDef) or not name.isupper()
                if name[0].isupper() and is_type:
                    yield f"{module.__name__}.{name}", getattr(module, name)
            case _:
                pass


def _entry(name: str, value: Any, seen: dict[int, str], origin: tuple[str, str] | None) -> Iterator[str]:
    """Yield the directive for an object, or a link if an earlier page documents it."""
    module, _, short = name.rpartition(".")
    if not isinstance(value, str | int) and id(value) in seen:
        first = seen[id(value)]
        if first.rpartition(".")[0] == module:
            yield f".. py:class:: {short}\n\n   Another name of :py:obj:`{first}`.\n"
        else:
            yield f"* :py:obj:`{short} <{first}>`\n"
        return
    seen[id(value)] = name
    if inspect.isroutine(value) and not value.__module__.startswith(API):
        yield f"* ``{short}``: ``{value.__module__}.{value.__name__}``\n"
    elif inspect.isclass(value):
        kind = "exception" if issubclass(value, Exception) else "class"
        yield f".. auto{kind}:: {name}\n   :members:\n   :undoc-members:\n   :inherited-members: {FOREIGN_BASES}\n"
    elif inspect.isroutine(value):
        yield f".. autofunction:: {name}\n"
    elif origin is None:
        yield f".. autodata:: {name}\n   :no-value:\n"
    else:
        yield f".. py:data:: {short}\n"
        yield from (f"   {line}" for line in as_rst(_documented(*origin)))
        yield ""


def _documented(module: str, name: str) -> list[str]:
    """Return the docstring of a name that is neither a class nor a function, from the module that defines it."""
    found = ModuleAnalyzer.for_module(module).find_attr_docs().get(("", name))
    if found is not None:
        return found
    origin = _origins(importlib.import_module(module)).get(name)
    return _documented(*origin) if origin is not None else []


def _heading(text: str, mark: str) -> tuple[str, str, str]:
    return text, mark * len(text), ""
