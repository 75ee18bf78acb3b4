"""Count the fewest orders of an empty player turn, and of a battle of two ships.

With one order for each step, they took 50 and 71 orders. In the player turn each side ends all steps with one order;
the Coalition needs a second one at its income, because the order of the other side must not forfeit it. The battle
needs decisions: 7 answers, 5 sealed choices, four dice and their effects, the flagship, the losses and the retreat.
After those, sides end the optional steps 6 times.
"""

from collections.abc import Callable

from tests.face.domain import (
    OPTIONS,
    FederationScenario,
    pass_number,
    read_scenario,
)
from tests.face.testing import Story
from tests.titles.federation_table import BASE, Line, War, says, ship

PLAIN = {name: False for name, value in OPTIONS.items() if isinstance(value, bool)}
ALL = dict.fromkeys(PLAIN, True)
FAR_APART = (("0101", "2020"), 3)
TOGETHER = (("0504", "0504"), 31)


class Brisk(War):
    """End the step together with the order, or answer, of a side that acts, up to the goal."""

    goal = ""

    def give(self, line: Line) -> Story:
        far = {"until": self.goal} if line["order"] == "done" else {"leave": self.goal}
        story = self.story
        if self.goal and line["order"] != "pick" and super().give({**line, **far}).refusal is None:
            return story
        return super().give(line)


def war(*hexes: str, options: dict[str, bool] = PLAIN) -> Brisk:
    units = [ship("K-D7", "klingon", hexes[0]), ship("Z-BC", "kzinti", hexes[1])]
    no_debt = [{**empire, "debt": 0} for empire in BASE["empires"]]
    return Brisk(read_scenario({**BASE, "units": units, "empires": no_debt}, FederationScenario), options=options)


def orders(table: Brisk, goal: str, is_over: Callable[[War], bool]) -> int:
    """Count the orders until the end, if every side ends as many steps as it can with each."""
    before = len(table.lines)
    table.goal = goal
    while not is_over(table):
        if table.give(says(table.game.cursor.waiting()[0], "done", until=goal)).refusal is not None:
            table.go_on({})
    return len(table.lines) - before


def test_empty_player_turn() -> None:
    hexes, most = FAR_APART
    table = war(*hexes)
    assert orders(table, "END-PT", lambda one: pass_number(one.game.cursor, "player-turn") > 1) <= most
    closed = [event.step for event in table.events if hasattr(event, "how") and event.step == "2B3"]
    assert closed == ["2B3"], "each step that was left has a record of its own"


def test_player_turn_with_all_options() -> None:
    hexes, most = FAR_APART
    table = war(*hexes, options=ALL)
    assert orders(table, "END-PT", lambda one: pass_number(one.game.cursor, "player-turn") > 1) <= 2 * most


def test_battle_of_two_ships() -> None:
    hexes, most = TOGETHER
    table = war(*hexes).to("5-1A")
    assert orders(table, "5-END", lambda one: not any(frame.of == "5-HEX" for frame in one.game.cursor.frames)) <= most
