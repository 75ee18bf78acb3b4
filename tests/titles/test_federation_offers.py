"""Check in Federation & Empire that accepted orders were offered, in every order of four games of the table.

If a step allows a kind of order without offering it, the test tries it there with the arguments of every game, and
with small changes to them.
"""

import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from tests.face.domain import (
    FederationScenario,
    RuleViolation,
    acting,
    decide,
    federation_and_empire_TITLE as TITLE,
    offered as is_offered,
    open_steps,
    read_order,
    read_scenario,
)
from tests.face.projections import turn_view
from tests.face.testing import NO_HISTORY, edits
from tests.titles.federation_table import FIXTURES, Line, War, ship, war

WHOLE_TURN = Path(__file__).parent / "whole_turn" / "raiders-and-capitals"
GAMES = {
    "border-war": (FIXTURES / "scenarios" / "border-war", FIXTURES / "orders" / "border-war"),
    "siege": (FIXTURES / "scenarios" / "alliance-first", FIXTURES / "orders" / "siege"),
    "three-powers": (FIXTURES / "scenarios" / "three-powers", FIXTURES / "orders" / "three-powers"),
    "whole-turn": (WHOLE_TURN, WHOLE_TURN),
}
"""The recorded games, and a whole turn played by people who had not seen the code."""
BESIDE = ("done", "pick", "roll", "mark")


def opened(name: str) -> War:
    text = GAMES[name][0].with_suffix(".toml").read_text(encoding="utf-8")
    return War(read_scenario(text, FederationScenario))


def orders(name: str) -> Iterator[Line]:
    """Yield the orders of a game, as its players gave them."""
    for line in GAMES[name][1].with_suffix(".jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def offered(table: War, seat: str) -> set[str]:
    """Return the orders that the view of a seat names for its side."""
    view = turn_view(TITLE, table.game, seat, 1)
    return {name for one in view.allowed if one.side == table.game.side_of(seat) for name in one.orders}


def test_base_is_offered_if_one_place_is_free() -> None:
    """Federation & Empire 3B6: three ships of an empire are among enemies, the fourth is not."""
    apart = [ship(f"K-{n}", "klingon", at) for n, at in enumerate(("1105", "1104", "1003"))]
    foes = [ship(f"Z-{n}", "kzinti", at) for n, at in enumerate(("1105", "1104", "1003"))]
    table = war(*apart, ship("K-9", "klingon", "1407"), *foes).to("3B6")
    assert "deploy" in offered(table, "coalition")
    table.says("coalition", "deploy", unit="K-MB", kind="MB", at="1407", ep=2, empire="klingon")


@pytest.mark.parametrize("name", GAMES)
def test_accepted_orders_were_offered(name: str) -> None:
    table, missing, seen = opened(name), [], 0
    for line in orders(name):
        if line["order"] not in BESIDE:
            seen += 1
            if line["order"] not in offered(table, line["as"]):
                missing.append((table.open, line))
        table.give(line).then_accepted()
    assert not missing
    assert seen > 20


@cache
def ever_given(kind: str) -> tuple[Line, ...]:
    """Return the orders of a kind, of all games."""
    return tuple(line for name in GAMES for line in orders(name) if line["order"] == kind)


def is_taken(table: War, line: Line) -> bool:
    try:
        decide(TITLE, table.game, read_order(TITLE, line), NO_HISTORY)
    except (RuleViolation, msgspec.ValidationError):
        return False
    return True


def unoffered(table: War) -> Iterator[tuple[str, str]]:
    """Yield each side with each kind of order that an open step allows without offering it to the side."""
    for step in open_steps(TITLE, table.game):
        for side in acting(TITLE, table.game, step):
            kinds = (one for one in step.allows if not is_offered(TITLE, table.game, one, side, step))
            yield from ((side, kind.tag()) for kind in kinds if kind.tag() not in BESIDE)


def slips(table: War, side: str, kind: str, chance: random.Random) -> Iterator[Line]:
    """Yield orders of a kind as given in some game, and some that differ in one name or number."""
    given = ever_given(kind)
    for line in chance.sample(given, min(3, len(given))):
        mine = {**line, "as": side}
        found = list(islice(edits(mine, table.game), 20))
        yield from (mine, *chance.sample(found, min(3, len(found))))


@pytest.mark.parametrize("name", GAMES)
def test_orders_accepted_with_arguments_of_any_game_were_offered(name: str) -> None:
    table, chance, missing, tried = opened(name), random.Random(5), [], 0
    for number, line in enumerate(orders(name)):
        for side, kind in unoffered(table) if number % 2 else ():
            for slip in slips(table, side, kind, chance):
                tried += 1
                if is_taken(table, slip) and kind not in offered(table, side):
                    missing.append((table.open, slip))
        table.give(line).then_accepted()
    assert not missing
    assert tried > 100


def test_flagship_is_offered_if_the_first_units_have_no_rating() -> None:
    """Federation & Empire 5-1D: docks and bases come before the only ship by their names."""
    bare = {name: value for name, value in ship("Z-A", "kzinti", "1105").items() if name != "command"}
    idle = [{**bare, "id": f"Z-A{n}"} for n in range(4)]
    table = war(ship("K-D7", "klingon", "1105"), *idle, ship("Z-ZZ", "kzinti", "1105")).to("5-1D")
    assert "name-flagship" in offered(table, "alliance")
    table.tries("alliance", "name-flagship", unit="Z-A1").then_refused(
        "no-command-rating", rule="302.133", units="Z-ZZ"
    )
    table.says("alliance", "name-flagship", unit="Z-ZZ")
