"""What a referee tries at every order of whole games of Federation & Empire: the same order, wrong in one way.

Each order of the recorded games, of a whole turn that was played by people who had not seen the code, and of small
`scenes` for steps that none of them visits, is tried before it is given, with one thing wrong, and once more after it.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal, NamedTuple

from tests.titles.federation_scenes import SCENES
from tests.titles.federation_table import Line, War
from tests.titles.test_federation_offers import GAMES, opened, orders
from umpire_ledger.domain.flow.open_steps import open_steps
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import StepOpened
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.titles.federation_and_empire import TITLE
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import phasing

Wrong = Literal["seat", "stranger", "elsewhere", "enemy", "gone", "again", "answer", "gap", "dear"]
"""Another side gives it; one who has nobody in the hex; it names a unit of another hex, of the enemy, out of play;
it is given twice; another word is answered; its path has a gap; it costs more than anybody has."""
TABLE = ("roll", "mark", "note", "pick", "check-supply")
"""Orders that record what the table says, and picks."""
BEYOND, FORTUNE = "4020", 9999
"""A hex beside none where anybody goes, and more EPs than anybody has."""
FEW = 3
"""How many other units are tried in the place of one."""


class Tried(NamedTuple):
    """An order of a game at a label, or the same with one thing wrong; `refused`: None where it was accepted."""

    game: str
    label: str
    line: Line
    active: str
    """The side whose player turn it is."""
    wrong: Wrong | Literal[""]
    refused: RuleViolation | None


@cache
def tried() -> dict[str, list[Tried]]:
    """By label (`5-1A/second` counts as 5-1A): every order of the games, and what became of it when it was wrong."""
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
    """The printed label of the open step that an order belongs to; none for what the table records."""
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
    """Why an order is refused now. It is only looked at, not given."""
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
    """Units to be named in the place of one, by what is wrong with them."""
    alive = [one for one in game.in_play() if one.id != unit.id]
    return {
        "elsewhere": [one.id for one in alive if one.side == unit.side and one.at != unit.at],
        "enemy": [one.id for one in alive if one.side != unit.side],
        "gone": [one.id for one in game.units.values() if one.fate and one.side == unit.side],
    }


def _units(value: Any, game: Game) -> set[str]:
    """The units that stand anywhere in an order's arguments."""
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
    """The labels that were opened in each battle of the games that had more than one round, in order."""
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
