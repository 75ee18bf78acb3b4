"""Check the sums and rolls of battles at every position of random games of Federation & Empire.

To play more games than a test run: `python -m tests.titles.test_federation_sums --seed 1000 --games 100`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.face.domain import (
    CHOSEN,
    HEX_UNIT_MARKS,
    UNIT_MARKS,
    AccountChanged,
    Allot,
    AnyEvent,
    CarryOver,
    Direct,
    FederationScenario,
    Game,
    Order,
    UnitChanged,
    UnitRemoved,
    absorbs,
    carried_in,
    chases_withdrawn,
    cost_of,
    events_of,
    federation_and_empire_TITLE as TITLE,
    force_of,
    hex_in_hand,
    in_battle,
    read_scenario,
    serving,
)
from tests.face.testing import Player, opened
from tests.titles.federation_table import BORDER_WAR, SIEGE, THREE_POWERS

ORDERS = 700
Position = tuple[Game, Order, tuple[AnyEvent, ...], Game]


def positions(seed: int, file: Path = SIEGE, orders: int = ORDERS) -> Iterator[Position]:
    """Yield each position of a random game: the game before, the order, its events, the game after."""
    scenario = read_scenario(file.read_text(), FederationScenario)
    game, player = opened(TITLE, scenario, seed).game, Player(TITLE, seed, patience=0.7)
    for _ in range(orders):
        if game.ended:
            return
        order, decision = player.choose(game)
        yield game, order, tuple(events_of(decision.told)), decision.game
        game = decision.game


def no_account_is_below_nothing(now: Game) -> None:
    owed = {account: held for account, held in now.accounts.items() if held < 0}
    assert not owed, f"{owed} at {now.where}"


def who_fights_is_there(now: Game) -> None:
    place = hex_in_hand(now)
    for unit in serving(now):
        assert not unit.fate
        assert unit.at == place or chases_withdrawn(now), f"{unit.id} fights at {place} from {unit.at}"
        force = force_of(now, unit.side)
        assert force is None or unit.id in force
    assert {unit.id for unit in serving(now)} <= {unit.id for unit in in_battle(now)}


def who_is_hurt_fought(before: Game, events: tuple[AnyEvent, ...]) -> None:
    """Check that only units of the force are crippled or destroyed in 5-5 and 5-6."""
    steps = {one.step for one in before.cursor.open}
    if not steps & {"5-5B", "5-5C", "5-6A", "5-6B"}:
        return
    fought = {unit.id for unit in serving(before)}
    hurt = {
        event.unit
        for event in events
        if isinstance(event, UnitRemoved) or (isinstance(event, UnitChanged) and event.attribute == "crippled")
    }
    assert hurt <= fought, f"{hurt - fought} are hurt and did not fight at {before.where}"


def moved_on(events: tuple[AnyEvent, ...], sort: str) -> int:
    """Return the sum that an order adds to the accounts of one sort, of either side."""
    changes = (event for event in events if isinstance(event, AccountChanged))
    return sum(one.amount for one in changes if one.account.partition("/")[2].partition(" ")[0] == sort)


def points_taken_are_points_due(before: Game, order: Order, events: tuple[AnyEvent, ...]) -> None:
    """Check that the points a unit takes leave the damage or become minus points, and the rest become plus points."""
    if isinstance(order, Allot) and order.result != "absorbed":
        unit = before.units[order.unit]
        assert moved_on(events, "minus") - moved_on(events, "damage") == absorbs(unit, order.result)
    if isinstance(order, CarryOver):
        assert moved_on(events, "plus") == -moved_on(events, "damage") > 0
    if isinstance(order, Direct):
        assert -moved_on(events, "damage") == cost_of(before, before.units[order.unit], order.result)


def nobody_is_in_two_places(now: Game) -> None:
    """Check that a unit has one force, one group and one pinwheel, and that riders are with their ship."""
    forces = [force_of(now, side) or () for side in now.side_ids]
    names = [name for force in forces for name in force]
    assert len(names) == len(set(names)), f"twice in a force: {names} at {now.where}"


def no_bonus_is_given_twice(now: Game) -> None:
    for side in now.side_ids:
        given = [unit.get("bonus") for unit in serving(now, side) if unit.get("bonus")]
        assert len(given) == len(set(given)), f"{given} at {now.where}"


def a_hex_that_is_done_leaves_nothing(now: Game) -> None:
    if [one.step for one in now.cursor.open] != ["5-END"]:
        return
    left = {account: held for account, held in now.accounts.items() if held and carried_in(account)}
    assert not left
    assert all(force_of(now, side) is None for side in now.side_ids)
    chosen = (one for one in now.choices.values() if one.question in CHOSEN)
    assert not [one for one in chosen if one.sealed or one.choice is not None]
    marks = (*HEX_UNIT_MARKS, *(one for one in UNIT_MARKS if one != "designated"))
    assert not [unit.id for unit in now.units.values() if not unit.fate and any(unit.get(one) for one in marks)]


def positions_of_battle(seed: int, file: Path, orders: int) -> int:
    """Count the positions of a random game in a battle hex, and check the general rules at every position."""
    fought = 0
    for before, order, events, now in positions(seed, file, orders):
        no_account_is_below_nothing(now)
        who_is_hurt_fought(before, events)
        points_taken_are_points_due(before, order, events)
        if hex_in_hand(now):
            fought += 1
            who_fights_is_there(now)
            nobody_is_in_two_places(now)
            no_bonus_is_given_twice(now)
        a_hex_that_is_done_leaves_nothing(now)
    return fought


@pytest.mark.parametrize(("seed", "file"), [(0, SIEGE), (1, SIEGE), (2, BORDER_WAR), (5, THREE_POWERS)])
def test_sums_and_rolls_hold_at_every_position(seed: int, file: Path) -> None:
    assert positions_of_battle(seed, file, ORDERS) > 20


def main() -> None:
    """Play games of all three scenarios, one seed after another, until one breaks a rule."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--games", type=int, default=100)
    asked.add_argument("--orders", type=int, default=1500)
    said = asked.parse_args()
    for seed in range(said.seed, said.seed + said.games):
        for file in (SIEGE, BORDER_WAR, THREE_POWERS):
            fought = positions_of_battle(seed, file, said.orders)
            print(f"seed {seed}, {file.stem}: {said.orders} orders, {fought} positions in a battle hex")


if __name__ == "__main__":
    main()
