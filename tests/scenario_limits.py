"""Record the limits of scenario files for each title as agreed: `python -m tests.scenario_limits` writes them.

An accepted scenario must be accepted by every later edition, so no limit may become tighter, and none is widened by
mistake. A limit is set when its module is imported: no other test would notice a change by one.
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
"""Of a JSON schema, what draws a limit."""
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
