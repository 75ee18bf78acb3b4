"""Test the status of a game at a position: waits and open disputes, read from rows instead of the whole log."""

import io
from collections.abc import Iterator
from pathlib import Path

from tests.at_least_one import at_least_one
from tests.face.desk import GameStateBuilder, find_title
from tests.face.domain import DisputeOpened, DisputeSettled, Game
from tests.face.ledger import Ledger
from tests.face.projections import (
    Follower,
    TitleOf,
    Waiting,
    Waits,
    order_by_order,
    standing_at,
)
from tests.face.testing import FIXTURES
from tests.projections.table import BLUE, RED, TITLES, Table
from umpire_ledger.ledger import replay_log

ROUND = FIXTURES / "twilight-imperium-3/replays/full-round.jsonl"


def walked(ledger: Ledger[Game], game_id: str, at: int, title_of: TitleOf) -> tuple[Waits, list[str]]:
    """Return the waits and the open disputes, read from the first record on."""
    waiting, disputes = Waiting(title_of), dict[str, bool]()
    for order, place in order_by_order(ledger.lines(game_id, 1, at), lambda earlier: ledger.state(game_id, earlier)):
        for record in order:
            waiting.see(record)
            if isinstance(record.event, DisputeOpened | DisputeSettled):
                disputes[record.event.dispute] = isinstance(record.event, DisputeOpened)
        waiting.order_ends(order[-1].position, place)
    return waiting.waits, [name for name, is_open in disputes.items() if is_open]


def dispute(table: Table) -> Table:
    """Play both plans, a dispute, a rewind to the plans, the settlement, and further orders."""
    opening = table.size
    for side in (RED, BLUE):
        table.play(side, "seal-choice", question="plan", choice="north").play(side, "done")
    table.follow().play(RED, "pick", member="0202").play(BLUE, "dispute", records=[2], claim="too late")
    table.play("referee", "rewind", to=opening, why="the plans were open").follow()
    table.play(RED, "dispute", records=[3], claim="it was not")
    table.play("referee", "settle", dispute="d1", ruling="it was").follow()
    for side in (BLUE, RED):
        table.play(side, "seal-choice", question="plan", choice="north").play(side, "done")
    return table.follow()


class TestStatusAtPosition:
    def test_status_read_equals_status_walked(self, lesson: Table) -> None:
        dispute(lesson)
        found = set[tuple[str, ...]]()
        for at in at_least_one(range(1, lesson.size + 1)):
            read = standing_at(lesson.views.connection, lesson.ledger, "g", at, TITLES.get)
            assert (read.waits, [one.dispute for one in read.disputes]) == walked(lesson.ledger, "g", at, TITLES.get)
            found.add(tuple(one.dispute for one in read.disputes))
        assert found == {(), ("d1",), ("d1", "d2"), ("d2",)}

    def test_so_it_is_in_a_recorded_game_inside_orders_too(self, tmp_path: Path) -> None:
        with Ledger.open(":memory:", GameStateBuilder()) as ledger:
            game = replay_log.read_into(ledger, io.BytesIO(ROUND.read_bytes()))
            with Follower(ledger, tmp_path / "round.views.db", find_title) as views:
                views.catch_up(game)
                sides = set[str]()
                for at in at_least_one(range(1, ledger.size(game) + 1, 7)):
                    read = standing_at(views.connection, ledger, game, at, find_title)
                    assert read.waits == walked(ledger, game, at, find_title)[0]
                    sides |= {one.side for one in read.waits}
                assert sides == {"sol", "letnev", "mentak"}

    def test_status_reads_only_one_order_from_the_log(self, lesson: Table) -> None:
        dispute(lesson)
        read = list[tuple[int, int | None]]()

        class Watched:
            def lines(self, game_id: str, first: int = 1, last: int | None = None) -> Iterator[bytes]:
                read.append((first, last))
                return lesson.ledger.lines(game_id, first, last)

            def state(self, game_id: str, at: int | None = None) -> Game:
                return lesson.ledger.state(game_id, at)

        standing_at(lesson.views.connection, Watched(), "g", lesson.size, TITLES.get)  # type: ignore[arg-type] # two of it
        ((first, last),) = read
        assert last == lesson.size
        assert first > lesson.size - 6
