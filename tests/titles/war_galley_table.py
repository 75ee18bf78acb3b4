"""Play War Galley in tests: small fleets, the fixture's battle, and a player who tries any order."""

import json
import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from tests.face.domain import (
    Done,
    LoopOpened,
    Order,
    Pick,
    StepOpened,
    UnitChanged,
    Value,
    WarGalleyScenario,
    answers_for,
    free_members,
    open_steps,
    read_scenario,
    waiting_loop,
    waits_in,
    war_galley_TITLE as TITLE,
)
from tests.face.testing import Story

FIXTURES = Path(__file__).parents[2] / "fixtures" / "war-galley"
BATTLE = FIXTURES / "scenarios" / "great-harbour.toml"
ORDERS = FIXTURES / "orders" / "great-harbour.jsonl"

BASE: dict[str, Any] = tomllib.loads(BATTLE.read_text())


def ship(name: str, at: str, **more: Any) -> dict[str, Any]:
    """Return a ship as a scenario writes it; its side is the name before the hyphen."""
    ratings = {"crew": 4, "manpower": 2, "ram_defense": 3, "cruise": 4, "maximum": 6}
    return {"id": name, "side": name.partition("-")[0], "kind": "trireme", "at": at, **ratings, **more}


def flag(name: str, at: str, leads: str, **more: Any) -> dict[str, Any]:
    """Return a commander's ship."""
    return ship(name, at, leads=leads, commander=leads.title(), **{"command_range": 2, **more})


def scenario(*ships: dict[str, Any], **more: Any) -> WarGalleyScenario:
    """Return a battle of these ships with the tables of the fixture."""
    return msgspec.convert({**BASE, "units": list(ships), "victory": {}, **more}, WarGalleyScenario)


def battle(*ships: dict[str, Any], **more: Any) -> Story:
    """Return a game of these ships, at its opening."""
    return Story(TITLE, scenario(*ships, **more))


def great_harbour() -> Story:
    """Return the fixture's battle, at its opening."""
    return Story(TITLE, read_scenario(BATTLE.read_text(), WarGalleyScenario))


def fixture_orders() -> list[dict[str, Any]]:
    return [json.loads(line) for line in ORDERS.read_text().splitlines()]


def says(seat: str, order: str, *pips: int, **arguments: Any) -> dict[str, Any]:
    """Return an order as a line of an order file."""
    return {"as": seat, "order": order, **arguments, **({"pips": pips} if pips else {})}


def change(table: Story, name: str, attribute: str, after: Value) -> None:
    """Set an attribute of a ship by an event, without an order."""
    before = table.game.units[name].get(attribute)
    table.given(UnitChanged(unit=name, attribute=attribute, before=before, after=after))


def tie(table: Story, one: str, other: str, how: str = "grappled") -> None:
    """Grapple or foul two ships with each other."""
    for here, there in ((one, other), (other, one)):
        change(table, here, how, (*table.game.units[here].names(how), there))


# --- on the way to a step ---------------------------------------------------------------------------------------------


def to_squadrons(table: Story, wind: tuple[int, int] = (3, 4)) -> Story:
    """Roll the wind."""
    return table.play(says("athens", "roll-wind", *wind))


def to_levels(table: Story, first: str = "athens") -> Story:
    """Roll the wind and the initiative, so that `first` goes first."""
    to_squadrons(table)
    winner, loser = ("athens", 6), ("syracuse", 1)
    return table.play(
        says(loser[0], "roll-initiative", loser[1]),
        says(winner[0], "roll-initiative", winner[1]),
        says(winner[0], "name-first", side=first),
    )


def to_command(table: Story, first: str = "athens", level: str = "cruise") -> Story:
    """Set the level of every squadron; the first player must now pick a command squadron, if there is one."""
    to_levels(table, first)
    return set_all_levels(table, level)


def set_all_levels(table: Story, level: str = "cruise") -> Story:
    while (loop := waiting_loop(TITLE, table.game)) is not None and loop.id == "D":
        (side,) = table.game.cursor.waiting()
        squadron = free_members(TITLE, table.game, loop)[0]
        table.play(says(side, "pick", member=squadron), says(side, "set-levels", level=level))
    return table


def to_movement(table: Story, squadron: str, level: str = "cruise") -> Story:
    """Let the first side pick a command squadron, or a ship that sails alone, which may then move."""
    to_command(table, squadron.partition("-")[0] if "-" in squadron else "athens", level)
    (side,) = table.game.cursor.waiting()
    return table.play(says(side, "pick", member=squadron))


def finish_activations(table: Story) -> Story:
    """Let all remaining ships stay until the status phase is reached."""
    while any(one.step[0] in "EF" for one in table.game.cursor.open):
        side = table.game.cursor.waiting()[0]
        step = table.game.cursor.open[0].step
        loop = waiting_loop(TITLE, table.game)
        if loop is not None:
            table.play(says(side, "pick", member=free_members(TITLE, table.game, loop)[0]))
        elif step == "F.crew":
            table.play(says(side, "test-crew", 1))
        elif table.when(says(side, "done")).refusal:
            table.play(says(side, "stay"))
    return table


# --- a player who tries anything --------------------------------------------------------------------------------------


def possible(table: Story) -> list[Order]:
    """Return orders that the waiting sides might try: suggestions, answers, picks and `done`."""
    game, found = table.game, list[Order]()
    loop = waiting_loop(TITLE, game)
    if loop is not None:
        return [
            Pick(seat=side, member=one) for side in game.cursor.waiting() for one in free_members(TITLE, game, loop)
        ]
    for step in open_steps(TITLE, game):
        for side in waits_in(game, step):
            found += [Done(seat=side, step=step.id)]
            found += [Done(seat=side, answer=one.name) for one in answers_for(TITLE, game, step, side)]
            found += [one for order in step.allows for one in TITLE.tries[order](game, side)]
    return found


ENDLESS = {"tire": 0.7, "roll": 0.8, "cast-off": 0.6, "hit": 0.7, "run-aground": 0.7, "foul": 0.3}
"""Orders that may be given again and again, or that soon leave nothing to play with, come late."""


class Wild:
    """Play at random from a seed. `seen`: steps that were open; `given`: orders by name; `refused`: refusals."""

    def __init__(self, table: Story, seed: int) -> None:
        self.table = table
        self.dice = random.Random(seed)
        self.seen: Counter[str] = Counter()
        self.given: Counter[str] = Counter()
        self.refused = 0

    def play(self, orders: int) -> None:
        """Give that many orders that are accepted, or play until the battle is over."""
        for _ in range(orders):
            if self.table.game.ended:
                return
            self._one_order()
            self._note()

    def _one_order(self) -> None:
        """Give a random possible order; pick its type first, so that the many moves do not crowd out other orders."""
        kinds: dict[str, list[Order]] = {}
        for order in possible(self.table):
            kinds.setdefault(order.tag(), []).append(order)
        for kind in sorted(kinds, key=lambda kind: self.dice.random() + ENDLESS.get(kind, 0)):
            for order in self.dice.sample(kinds[kind], len(kinds[kind])):
                self.table.when(order)
                if self.table.refusal is None:
                    self.given[kind] += 1
                    return
                self.refused += 1
        raise AssertionError(f"stuck at {self.table.game.where}: none of {sorted(kinds)} is accepted")

    def _note(self) -> None:
        for event in self.table.events:
            if isinstance(event, StepOpened):
                self.seen.update((event.step, *event.path))
            elif isinstance(event, LoopOpened):
                self.seen[event.loop] += 1
