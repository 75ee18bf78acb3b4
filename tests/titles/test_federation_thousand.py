"""Check the contract of every title for a game of a thousand units, played at random in a real ledger."""

import io
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.at_least_one import at_least_one
from tests.face.desk import GameStateBuilder, open_ledger
from tests.face.domain import FederationScenario, Game, Scenario, federation_and_empire_TITLE as TITLE, read_scenario
from tests.face.ledger import Ledger
from tests.face.testing import Player, opened, recorded
from tests.titles.federation_thousand import UNITS, thousand
from umpire_ledger.ledger import replay_log


class Played(NamedTuple):
    """A game in a ledger, and its live state at every position."""

    ledger: Ledger[Game]
    live: list[Game]

    @property
    def tip(self) -> int:
        return self.ledger.size("g")

    @property
    def positions(self) -> range:
        """Return some positions of the opening, and of every part of the game."""
        return range(self.tip, 0, -(self.tip // 60))


def scenario() -> Scenario:
    return read_scenario(thousand(), FederationScenario)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    file = tmp_path_factory.mktemp("thousand") / "umpire.db"
    with Ledger.open(file, GameStateBuilder(), snapshot_every=150) as ledger:
        yield Played(ledger, recorded(ledger, TITLE, orders=600, scenario=scenario()))


class TestAThousandUnits:
    def test_random_play_of_hundreds_of_orders_never_gets_stuck(self) -> None:
        player = Player(TITLE, 7)
        decision = opened(TITLE, scenario(), 7)
        assert len(decision.game.units) == UNITS
        taken = 0
        while decision.game.turn == 1:  # one that is stuck raises; the game in the ledger is another one
            _, decision = player.choose(decision.game)
            taken += 1
        assert 200 < taken < 2000

    def test_at_every_position_the_replayed_state_is_the_live_state(self, played: Played) -> None:
        assert len(played.live[-1].in_play()) > UNITS // 2
        for position in played.positions:
            assert played.ledger.state("g", position) == played.live[position], f"#{position}"

    def test_state_through_a_snapshot_is_the_state_without(self, played: Played) -> None:
        played.ledger.drop_snapshots()
        for position in at_least_one(list(played.positions)[::6]):
            assert played.ledger.state("g", position) == played.live[position], f"#{position}"

    def test_export_import_and_replay_keep_the_state(self, played: Played) -> None:
        first, second = io.BytesIO(), io.BytesIO()
        replay_log.write(played.ledger, "g", first)
        with open_ledger(":memory:", create=True) as other:
            replay_log.read_into(other, io.BytesIO(first.getvalue()))
            replay_log.write(other, "g", second)
            assert other.state("g") == played.live[-1]
        assert first.getvalue() == second.getvalue()
        assert replay_log.verify(io.BytesIO(first.getvalue())).verdict == "VALID"
