"""Check facts that are true after every order of random games of Twilight Imperium."""

from collections import Counter
from collections.abc import Iterator

import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import (
    TROOPS,
    Excuse,
    Game,
    Sent,
    at_place,
    decide,
    events_of,
    ships_in,
    systems,
    twilight_imperium_3_TITLE as TITLE,
    what_of,
)
from tests.face.testing import (
    NO_HISTORY,
    Player,
    opened,
    scenarios,
)

AFTER_BATTLE = ("TA.5", "TA.6", "TA.7", "TA.scuttle", "IC", "TR", "AP", "STRAT", "between")
"""Steps in which no two fleets stand in one system."""


def patient_game(seed: int, orders: int, excuses: float = 0.0) -> Iterator[tuple[Game, tuple[object, ...]]]:
    """Play games in which sides take most possible actions, and the referee sometimes excuses all sides from a step."""
    player = Player(TITLE, seed, patience=0.9)
    decision = opened(TITLE, scenarios(TITLE)[0], seed)
    for number in range(orders):
        game = decision.game
        if game.ended:
            decision = opened(TITLE, scenarios(TITLE)[0], seed + number)
        elif player.random.random() < excuses:
            excuse = Excuse(seat="referee", reason="to go on", step=game.cursor.open[0].step)
            decision = decide(TITLE, game, Sent(order=excuse), NO_HISTORY)
        else:
            _, decision = player.choose(game)
        yield decision.game, tuple(events_of(decision.told))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_two_fleets_never_remain_in_one_system(seed: int) -> None:
    games = (game for game, _ in patient_game(seed, 700) if not game.ended)
    for game in at_least_one(game for game in games if game.cursor.open[0].step.startswith(AFTER_BATTLE)):
        for system in at_least_one(systems(game)):
            assert len({ship.side for ship in ships_in(game, system)}) < 2, (system, game.where)


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_troops_are_never_left_in_space_without_a_ship(seed: int) -> None:
    for game, _ in at_least_one(patient_game(seed, 700)):
        for system in at_least_one(systems(game)):
            afloat = {ship.side for ship in ships_in(game, system)}
            troops = [unit for unit in at_place(game, system) if what_of(game, unit) in TROOPS]
            assert {unit.side for unit in troops} <= afloat, (system, game.where)


@pytest.mark.parametrize("seed", [7, 8, 9])
def test_accounts_are_never_overdrawn_and_hits_are_all_taken(seed: int) -> None:
    for game, _ in at_least_one(patient_game(seed, 700)):
        assert min(game.accounts.values()) >= 0
        if game.cursor.open and game.cursor.open[0].step == "AP.turn":
            assert not [name for name, hits in game.accounts.items() if name.startswith("hits/") and hits]
            assert not [name for name in game.markers if name in ("now/field", "now/attacker", "now/retreat")]


@pytest.mark.parametrize("seed", [10, 11])
def test_excusals_by_the_referee_never_stop_the_game(seed: int) -> None:
    turns = Counter(game.turn for game, _ in patient_game(seed, 1200, excuses=0.25))
    assert len(turns) > 1
