"""Check whether the rules that a title cites are on its typed page (`titles/labels`).

`cited_in_code` finds the values that a title's code passes as a `rule` or a `number`, including constants and values of
names, and every dotted number in its strings. `wrong` checks the citation of one refusal or record. The label must be
on the page. The numbers must be printed at that label, at a heading above it, or be listed in
`titles/labels/cited_elsewhere.txt` with the reason.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.face.domain import Title
from tests.typed_pages import LABELS, cited_elsewhere, page
from umpire_ledger.testing import titles

ROOT = Path(__file__).parent.parent
TITLES = {title.id: title for title in titles() if (LABELS / f"{title.id}.txt").is_file()}
ONE = re.compile(r"(?P<label>[^\s,()\[\]]+)(?: ?[(\[](?P<numbers>[^)\]]*)[)\]])?(?:, |$)")
"""One citation: a label, and numbers in brackets."""
DOTTED = re.compile(r"(?<![\w.,/])\d+(?:\.\d+)+(?:\.?[A-Z])?(?:-[A-Z]\b)?(?!,\d)")
HANDED_ON = ("rule", "number")
"""Names of the parameters that pass citations."""


# --- what is on the page ----------------------------------------------------------------------------------------------


@cache
def on_page(title_id: str) -> dict[str, frozenset[str]]:
    """Return the numbers printed at each label or at a heading above it."""
    own = {line.label: frozenset(line.rules) for line in page(title_id)}
    parent = TITLES[title_id].plan.parent
    return {label: frozenset().union(*(own.get(one, ()) for one in _upwards(label, parent))) for label in own}


def _upwards(label: str, parent: Mapping[str, str]) -> Iterator[str]:
    while label:
        yield label
        label = parent.get(label, "")


def printed_label(title: Title, place: str) -> str:
    """Return the printed label of a step; for a split step, the label from which it was split; "" if there is none."""
    if place not in title.plan.places and place not in on_page(title.id):
        return ""
    while place and place not in on_page(title.id):
        place = place[: max(place.rfind("."), place.rfind("/"), 0)]
    return place


def wrong(title: Title, rule: str) -> list[str]:
    """Return the faults of a citation that does not include the title's name; [] for an empty citation."""
    found, at = [], 0
    elsewhere = cited_elsewhere(title.id)
    if rule in elsewhere:
        return []
    while at < len(rule):
        one = ONE.match(rule, at)
        if one is None:
            return [f"{rule!r} is no citation"]
        found += _wrong_one(title, one["label"], (one["numbers"] or "").replace(" & ", ", ").split(", "), elsewhere)
        at = one.end()
    return found


def _wrong_one(title: Title, place: str, numbers: list[str], elsewhere: frozenset[str]) -> Iterator[str]:
    label = printed_label(title, place)
    everywhere = frozenset[str]().union(*on_page(title.id).values())
    if not label and place not in elsewhere and place not in everywhere:
        yield f"{place} is not on the page"
    for number in numbers:
        if number and number not in everywhere | on_page(title.id).keys():
            yield f"{number} is not on the page"
        elif number and number not in elsewhere and number not in on_page(title.id).get(label, everywhere):
            yield f"{number} is not printed at {label}"


def wrong_refusal(rule: str) -> list[str]:
    """Return the faults of a refusal's rule, which begins with the title's name; [] if it names no title."""
    for title in TITLES.values():
        name, space, cited = rule.partition(f"{title.name} ")
        if not name and space:
            return [f"{title.name}: {fault} (in {rule!r})" for fault in wrong(title, cited)]
    return []


# --- what the code cites ----------------------------------------------------------------------------------------------


class Cited(NamedTuple):
    """A citation in the code. `at`: file and line."""

    at: str
    text: str


def cited_in_code(folder: Path) -> list[Cited]:
    """Return the values that a title's modules pass as `rule` or `number`, and the dotted numbers in their strings."""
    modules = {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.py"))}
    positions = _positions([*modules.values(), _kit()])
    found = []
    for file, module in modules.items():
        constants = _constants(module)
        for node in ast.walk(module):
            if isinstance(node, ast.Call):
                for handed in _handed_on(node, positions):
                    found += [Cited(f"{file.name}:{node.lineno}", text) for text in _texts(handed, constants)]
        found += [Cited(f"{file.name}:{line}", text) for line, text in _dotted(module)]
    return list(dict.fromkeys(found))


def _kit() -> ast.Module:
    files = sorted((ROOT / "domain" / "kit").glob("*.py"))
    return ast.Module([node for file in files for node in ast.parse(file.read_text(encoding="utf-8")).body], [])


def _positions(modules: list[ast.Module]) -> dict[str, set[int]]:
    """Return the indexes of the citation parameters of each function. The kit's `refusing` creates `refuse`."""
    found: dict[str, set[int]] = {"refuse": {2}, "refused": {2}}
    for function in (node for module in modules for node in ast.walk(module) if isinstance(node, ast.FunctionDef)):
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        at = {names.index(name) for name in HANDED_ON if name in names}
        if at:
            found.setdefault(function.name, set()).update(at)
    return found


def _handed_on(call: ast.Call, positions: dict[str, set[int]]) -> Iterator[ast.expr]:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    yield from (one.value for one in call.keywords if one.arg in HANDED_ON)
    yield from (one for at, one in enumerate(call.args) if at in positions.get(name, ()))


def _constants(module: ast.Module) -> dict[str, list[str]]:
    """Return the strings that are assigned to each name in the module, and to `rule` names in its functions."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).extend(_texts(node.value, {}))
    return found


def _texts(value: ast.expr, constants: dict[str, list[str]]) -> list[str]:
    """Return the possible strings of an expression that the module contains."""
    match value:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.Name(id=name):
            return constants.get(name, [])
        case ast.IfExp(body=one, orelse=other):
            return [*_texts(one, constants), *_texts(other, constants)]
        case ast.BoolOp(values=values):
            return [text for one in values for text in _texts(one, constants)]
        case _:
            return []


def _dotted(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the dotted numbers in strings other than docstrings."""
    docs = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
    for node in ast.walk(module):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            for number in DOTTED.findall(node.value):
                yield node.lineno, number
