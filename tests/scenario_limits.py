"""Record the limits of scenario files for each title; `python -m tests.scenario_limits` writes them.

Every later edition must accept an accepted scenario. So no limit may become tighter, and no limit should become wider
by mistake. No other test would notice a change by one, because limits are set when a module is imported.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.face.desk import find_title
from tests.face.domain import BUILT_IN, schema_of

FOLDER = Path(__file__).parent / "titles" / "scenario_limits"
KEYS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength", "pattern"),
    *("minItems", "maxItems", "minProperties", "maxProperties"),
)
"""Keywords of a JSON schema that set a limit."""
TITLES = sorted(BUILT_IN)


def limits_of(title: str) -> str:
    """Return a line for each limit: its path in the schema, and its values."""
    found = find_title(title)
    assert found is not None
    return "".join(f"{path} {json.dumps(limits)}\n" for path, limits in sorted(_limits(schema_of(found), "")))


def _limits(node: Any, path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(node, dict):
        drawn = {key: node[key] for key in KEYS if isinstance(node.get(key), int | float | str)}
        if drawn:
            yield path, drawn
        for key, inside in node.items():
            yield from _limits(inside, f"{path}/{key}")
    elif isinstance(node, list):
        for number, inside in enumerate(node):
            yield from _limits(inside, f"{path}/{number}")


if __name__ == "__main__":
    for name in TITLES:
        (FOLDER / f"{name}.txt").write_text(limits_of(name), encoding="utf-8")
