"""Try every order of whole games of Federation & Empire again with one thing wrong, as a referee would.

The orders come from the recorded games, from a whole turn played by people who had not seen the code, and from small
`scenes` for steps that those games do not visit. Each order is tried with one thing wrong before it is given, and
once more after it.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, NamedTuple

from tests.face.domain import (
    Game,
    RuleViolation,
    StepOpened,
    Unit,
    decide,
    federation_and_empire_TITLE as TITLE,
    open_steps,
    phasing,
    read_order,
)
from tests.titles.federation_scenes import SCENES
from tests.titles.federation_table import Line, War
from tests.titles.test_federation_offers import GAMES, opened, orders

Wrong = Literal["seat", "stranger", "elsewhere", "enemy", "gone", "again", "answer", "gap", "dear"]
"""The ways in which an order is wrong: another side gives it, or a side without units in the hex. It names a unit of
another hex, of the enemy or out of play. It is given twice, its answer is another word, its path has a gap, or it
costs more than any side has.
"""
TABLE = ("roll", "mark", "note", "pick", "check-supply")
"""Orders that record what the table says, and picks."""
BEYOND, FORTUNE = "4020", 9999
"""A hex not adjacent to any hex that units enter, and more EPs than any side has."""
FEW = 3
"""The number of other units tried in place of one."""


class Tried(NamedTuple):
    """An order of a game at a label, or the same order with one thing wrong; `refused` is None if it was accepted."""

    game: str
    label: str
    line: Line
    active: str
    """The side whose player turn it is."""
    wrong: Wrong | Literal[""]
    refused: RuleViolation | None


@cache
def tried() -> dict[str, list[Tried]]:
    """Return every order of the games by label, with the results when it was wrong (`5-1A/second` counts as 5-1A)."""
    found: dict[str, list[Tried]] = {}
    for one in _every():
        found.setdefault(one.label, []).append(one)
    return found


def _every() -> Iterator[Tried]:
    for name in GAMES:
        yield from _of(name, opened(name), orders(name))
    for name, scene in SCENES.items():
        table, lines = scene()
        yield from _of(name, table, iter(lines))


def _of(name: str, table: War, lines: Iterator[Line]) -> Iterator[Tried]:
    there: tuple[str, set[str]] = ("", set())
    for line in lines:
        game, label = table.game, _label(table.game, line)
        active, at = phasing(game), game.cursor.item("5-HEX") or ""
        there = (at, there[1] if there[0] == at else set())
        there[1].update(unit.side for unit in game.in_play() if unit.at == at)
        if label:
            for wrong, other in _wrongs(game, line, there[1] if at else set()):
                yield Tried(name, label, other, active, wrong, _refused(table, other))
        table.give(line).then_accepted()
        if label:
            yield Tried(name, label, line, active, "", None)
            yield Tried(name, label, line, active, "again", _refused(table, line))


def _label(game: Game, line: Line) -> str:
    """Return the printed label of the open step of an order, or nothing if the players record a result of the table."""
    if line["order"] in TABLE or (line["order"] == "done" and "answer" not in line):
        return ""
    if line["order"] == "react":
        return "3B3" if game.cursor.opened("3B2") else "4A"
    if line["order"] == "done":
        found = (step for step in open_steps(TITLE, game) if step.answers and line.get("step", step.id) == step.id)
    else:
        order = read_order(TITLE, line, game.where).order
        found = (step for step in open_steps(TITLE, game) if type(order) in step.allows)
    step = next(found, None)
    return step.id.partition("/")[0] if step else ""


def _refused(table: War, line: Line) -> RuleViolation | None:
    """Return the refusal of an order, if any, without giving the order."""
    try:
        decide(TITLE, table.game, read_order(TITLE, line, table.game.where), table.story)
    except RuleViolation as refusal:
        return refusal
    return None


# --- one thing wrong --------------------------------------------------------------------------------------------------


def _wrongs(game: Game, line: Line, there: set[str]) -> Iterator[tuple[Wrong, Line]]:
    mine = game.side_of(line["as"])
    for side in (one for one in game.side_ids if one != mine):
        yield ("stranger" if there and side not in there else "seat"), {**line, "as": side}
    if "answer" in line:
        yield "answer", {**line, "answer": "perhaps"}
    if len(line.get("path", ())):
        yield "gap", {**line, "path": [*line["path"], BEYOND]}
    if line.get("ep"):
        yield "dear", {**line, "ep": FORTUNE}
    arguments = {name: value for name, value in line.items() if name not in ("as", "order", "empire")}
    named = sorted(_units(arguments, game))
    for unit in named[:2]:
        for wrong, others in _others(game, game.units[unit]).items():
            for other in [one for one in others if one not in named][:FEW]:
                yield wrong, {**line, **_replaced(arguments, unit, other)}


def _others(game: Game, unit: Unit) -> dict[Wrong, list[str]]:
    """Return units to name instead of another, by the fault of each."""
    alive = [one for one in game.in_play() if one.id != unit.id]
    return {
        "elsewhere": [one.id for one in alive if one.side == unit.side and one.at != unit.at],
        "enemy": [one.id for one in alive if one.side != unit.side],
        "gone": [one.id for one in game.units.values() if one.fate and one.side == unit.side],
    }


def _units(value: Any, game: Game) -> set[str]:
    """Return the units named in any argument of an order."""
    match value:
        case str():
            return {value} & set(game.units)
        case list():
            return {unit for one in value for unit in _units(one, game)}
        case dict():
            return {unit for one in (*value, *value.values()) for unit in _units(one, game)}
        case _:
            return set()


def _replaced(value: Any, old: str, new: str) -> Any:
    match value:
        case str():
            return new if value == old else value
        case list():
            return [_replaced(one, old, new) for one in value]
        case dict():
            return {_replaced(name, old, new): _replaced(one, old, new) for name, one in value.items()}
        case _:
            return value


# --- rounds -----------------------------------------------------------------------------------------------------------


@cache
def rounds() -> list[list[str]]:
    """List the labels opened, in order, in each battle of the games with more than one round."""
    battles: list[list[str]] = []
    for name in GAMES:
        table = opened(name)
        for line in orders(name):
            table.give(line).then_accepted()
        battles.extend(_battles(table))
    return [one for one in battles if one.count("5-3A") > 1]


def _battles(table: War) -> Iterator[list[str]]:
    now: list[str] = []
    for event in table.events:
        if not isinstance(event, StepOpened) or not event.step.startswith("5-"):
            continue
        if event.step == "5-END":
            yield now
            now = []
        else:
            now.append(event.step.partition("/")[0])
