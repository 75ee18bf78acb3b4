"""How many orders the least takes: a player turn in which nothing happens, a battle of two ships.

Before there was `done --until`, every step was left by an order of its own: 50 and 71 of them.
"""

from collections.abc import Callable
from typing import Any

from tests.titles.federation_table import BASE, War, says, ship
from umpire_ledger.domain.game.cursor import pass_number
from umpire_ledger.domain.game.scenario import read_scenario
from umpire_ledger.domain.titles.federation_and_empire.options import OPTIONS
from umpire_ledger.domain.titles.federation_and_empire.scenario import FederationScenario

PLAIN = {name: False for name, value in OPTIONS.items() if isinstance(value, bool)}
FAR_APART = (("0101", "2020"), 2)
TOGETHER = (("0504", "0504"), 49)


def war(*hexes: str) -> War:
    units = [ship("K-D7", "klingon", hexes[0]), ship("Z-BC", "kzinti", hexes[1])]
    return War(read_scenario({**BASE, "units": units}, FederationScenario), options=PLAIN)


def orders(table: War, goal: str, is_over: Callable[[War], bool]) -> int:
    """Orders until it is over, when every side leaves as much as it can with each."""
    before = len(table.lines)
    while not is_over(table):
        far: dict[str, Any] = says(table.game.cursor.waiting()[0], "done", until=goal)
        if table.give(far).refusal is not None:
            table.go_on({})
    return len(table.lines) - before


def test_a_player_turn_in_which_nothing_happens() -> None:
    hexes, most = FAR_APART
    table = war(*hexes)
    assert orders(table, "END-PT", lambda one: pass_number(one.game.cursor, "player-turn") > 1) <= most
    closed = [event.step for event in table.events if hasattr(event, "how") and event.step == "2B3"]
    assert closed == ["2B3"], "each step that was left has a record of its own"


def test_a_battle_of_two_ships() -> None:
    hexes, most = TOGETHER
    table = war(*hexes).to("5-1A")
    assert orders(table, "5-END", lambda one: not any(frame.of == "5-HEX" for frame in one.game.cursor.frames)) <= most
