"""Play Pacific War in tests: the fixtures' scenarios, and the shortest way to any step.

`until` gives only the orders that each phase requires; `plan` gives one or several other orders at a step.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from tests.face.domain import (
    Game,
    MarkerSet,
    PacificWarScenario,
    StepOpened,
    UnitChanged,
    Value,
    free_members,
    pacific_war_TITLE as TITLE,
    read_scenario,
    waiting_loop,
    waits_in,
)
from tests.face.testing import Story

FIXTURES = Path(__file__).parents[2] / "fixtures" / "pacific-war"
JAPAN, ALLIES = "japan", "allies"
Line = dict[str, Any]


def scenario(name: str) -> PacificWarScenario:
    """Return a scenario of the fixtures."""
    text = (FIXTURES / "scenarios" / f"{name}.toml").read_text(encoding="utf-8")
    return read_scenario(text, PacificWarScenario)


def campaign(**options: Any) -> Story:
    """Open the Solomons campaign."""
    return Story(TITLE, scenario("solomons"), options=options)


def literal(**options: Any) -> Story:
    """Open the Coral Sea with open bids; an operation ends at once when no unit is activated."""
    return Story(TITLE, scenario("coral-sea"), options=options)


def strategic(**options: Any) -> Story:
    """Open the scenario before the Marianas."""
    return Story(TITLE, scenario("marianas"), options=options)


def says(seat: str, order: str, *pips: int, **arguments: Any) -> Line:
    """Return an order as a line of an order file."""
    return {"as": seat, "order": order, **arguments, **({"pips": pips} if pips else {})}


# --- on the way to a step ---------------------------------------------------------------------------------------------


class Sits(Protocol):
    """A table with a game: a story, or a player without a log."""

    @property
    def game(self) -> Game:
        """Return the current game."""


Asked = Callable[[Sits, str], Line | None]


def to_headquarters(table: Sits, side: str) -> Line | None:
    """Give all points to the side's first headquarters."""
    points = table.game.accounts.get(f"points/{side}", 0)
    first = next(unit.id for unit in table.game.in_play(side) if unit.get("arm") == "headquarters")
    return says(side, "allocate-points", to=first, points=points) if points else None


def let_links_go(table: Sits, side: str) -> Line | None:
    link = next((one for one in table.game.in_play(side) if one.get("arm") == "link" and not one.get("paid")), None)
    return says(side, "remove", unit=link.id, fate="given up") if link else None


def settle_isolation(table: Sits, side: str) -> Line:
    """Return a penalty for the next isolated unit, or the statement that no other unit is isolated."""
    isolated = [one for one in table.game.in_play(side) if one.get("isolated")]
    due = next((one for one in isolated if one.get("penalized") != table.game.number("month")), None)
    if due is None:
        return says(side, "isolation-penalty")
    known = {} if table.game.number("isolation_steps") else {"loses": 0, "source": "12.0"}
    return says(side, "isolation-penalty", unit=due.id, **known)


LEAST: dict[str, Asked] = {
    "5.1.A": lambda table, side: says(side, "roll-weather", 1, 2, 8, 4),
    "5.1.B": lambda table, side: says(side, "determine-level", 5),
    "5.1.E": lambda table, side: says(side, "set-priority", target="merchant shipping"),
    "5.1.F": lambda table, side: says(side, "count-attrition", 4),
    "5.1.G/table": lambda table, side: says(side, "receive-points", 5),
    "5.1.G/allocate": to_headquarters,
    "5.1.H": settle_isolation,
    "5.1.J": let_links_go,
    "5.1.O/bid": lambda table, side: says(side, "bid", points=0),
    "5.1.O/bid-openly": lambda table, side: says(side, "bid", points=0),
    "5.1.O/tie": lambda table, side: says(side, "break-tie", 3),
    "5.1.Q": lambda table, side: says(side, "determine-condition", 5),
    "5.1.R/condition": lambda table, side: (
        None if table.game.markers.get("condition") else says(side, "reveal-condition")
    ),
    "5.2.A": lambda table, side: says(side, "roll-lighting", 8),
    "5.2.B": lambda table, side: says(side, "roll-advantage", 3),
    "5.2.E.a": lambda table, side: says(side, "determine-battle", 2),
    "5.3/damage": lambda table, side: says(side, "count-damage"),
}
"""What a step cannot be left without; for the others `done` is enough."""


def step_of(table: Sits) -> str:
    """Return the first open step, or the end of the game."""
    return table.game.cursor.open[0].step if table.game.cursor.open else table.game.ended


def least(table: Sits) -> Line:
    """Return the next order that play requires."""
    loop = waiting_loop(TITLE, table.game)
    if loop is not None:
        return says(table.game.cursor.waiting()[0], "pick", member=free_members(TITLE, table.game, loop)[0])
    step = TITLE.plan.step(step_of(table))
    assert step is not None, table.game.where
    side = waits_in(table.game, step)[0]
    asked = LEAST.get(step.id)
    line = asked(table, side) if asked else None
    return line or says(side, "done", step=step.id)


def until(table: Story, *steps: str, plan: dict[str, Iterable[Line]] | None = None) -> Story:
    """Give only required orders until one of these steps is open, or the game is over.

    `plan`: orders for a step, given one by one each time that it is the first open step.
    """
    left = {step: list(lines) for step, lines in (plan or {}).items()}
    for _ in range(2000):
        if table.game.ended or any(_step_name(one.step) in steps for one in table.game.cursor.open):
            return table
        planned = left.get(_step_name(step_of(table)))
        table.play(planned.pop(0) if planned else least(table))
    raise AssertionError(f"never came to {steps}: {table.game.where}")


def _step_name(step: str) -> str:
    """Return a step as tests name it: sealed and open bids are the same step."""
    return "5.1.O/bid" if step == "5.1.O/bid-openly" else step


def until_gone(table: Story, step: str) -> Story:
    """Give only required orders until a step is no longer open."""
    while any(_step_name(one.step) == step for one in table.game.cursor.open):
        table.play(least(table))
    return table


def bids(japan: int, allies: int) -> dict[str, Iterable[Line]]:
    """Plan one round of bids, sealed or open."""
    return {"5.1.O/bid": [says(JAPAN, "bid", points=japan), says(ALLIES, "bid", points=allies)]}


def operation(table: Story, *units: str, bid: int = 15, headquarters: str = "combined-fleet", level: int = 0) -> Story:
    """Let Japan win the bid, activate units and begin its contact phase."""
    until(table, "5.1.P/activate", plan=bids(bid, 0))
    if level:
        table.play(says(JAPAN, "set-operation-level", level=level))
    table.play(says(JAPAN, "activate", units=list(units), headquarters=headquarters))
    return until(table, "5.1.R/move")


def cycle(table: Story, *units: str, **more: Any) -> Story:
    """Play to the first battle cycle of Japan's operation."""
    return until(operation(table, *units, **more), "5.2.A")


def sets_out(table: Story, seat: str, unit: str, target: str) -> Story:
    """Launch an air unit on a mission, with no interference by the other side."""
    aim = {"target": target} if target in table.game.units else {"at": target}
    table.play(says(seat, "launch-mission", units=[unit], **aim))
    if step_of(table).endswith("/interfere"):
        table.play(says(table.game.cursor.waiting()[0], "done"))
    return table


def flies(table: Story, seat: str, unit: str, target: str, *pips: int) -> Story:
    """Launch an air unit on a mission without interference, and attack."""
    return sets_out(table, seat, unit, target).play(says(seat, "attack", *pips, units=[unit], target=target))


def lose_isolated(table: Story, seat: str, unit: str) -> Story:
    """5.1.H: a unit is isolated, and its owner states that it loses all it has."""
    table.play(says(seat, "change", unit=unit, attribute="isolated", to=True))
    return table.play(says(seat, "isolation-penalty", unit=unit, loses=99, source="12.0"))


# --- facts laid down without an order ---------------------------------------------------------------------------------


def mark(table: Story, marker: str, after: Value) -> Story:
    return table.given(MarkerSet(marker=marker, before=table.game.markers.get(marker), after=after))


def change(table: Story, unit: str, attribute: str, after: Value) -> Story:
    before = table.game.units[unit].get(attribute)
    return table.given(UnitChanged(unit=unit, attribute=attribute, before=before, after=after))


# --- what was seen ----------------------------------------------------------------------------------------------------


def opened(table: Story, since: int = 0) -> list[str]:
    """Return the steps opened so far, or since a position."""
    events = (event for taken in table.taken if taken.first > since for event in taken.events)
    return [event.step for event in events if isinstance(event, StepOpened)]
