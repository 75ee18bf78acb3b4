"""A game with a spectator delay: a spectator sees its first records and no later ones, in every query."""

import io
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import SCENARIO
from tests.face.desk import PlayedGame, plain_unit
from tests.face.domain import delay_in, read_delay
from tests.face.testing import FIXTURES
from tests.naming import Naming

LATE, GAME = "spectator_delay", "late"


@pytest.fixture
def desk() -> Iterator[umpire.Desk]:
    with umpire.open(":memory:") as desk:
        yield desk


def opened(desk: umpire.Desk, delay: str, **options: Any) -> PlayedGame:
    return desk.new_from_text("freeform", SCENARIO, id=GAME, options={LATE: delay, **options})


def later(game: PlayedGame, **by: float) -> None:
    """Advance the ledger's clock."""
    before = game.ledger.clock
    game.ledger.clock = lambda: before() + timedelta(**by)


class TestOption:
    @pytest.mark.parametrize(
        ("said", "words"),
        [
            ("30m", "30 minutes"),
            ("1h", "1 hour"),
            ("2 d", "2 days"),
            ("1 turn", "1 turn"),
            ("2 turns", "2 turns"),
            ("50 records", "50 records"),
        ],
    )
    def test_delay_is_read_in_each_unit(self, said: str, words: str) -> None:
        found = read_delay(said)
        assert found is not None
        assert found.words == words

    @pytest.mark.parametrize("said", ["soon", "0m", "-1 turn", "5", "1.5h", "9999999m", "m"])
    def test_anything_else_is_refused_at_the_opening(self, desk: umpire.Desk, said: str) -> None:
        with pytest.raises(umpire.ScenarioError) as refused:
            opened(desk, said)
        assert refused.value.where == "$.options.spectator_delay"
        assert "30m, 12h" in refused.value.remedy

    def test_title_with_own_options_accepts_a_delay(self, desk: umpire.Desk) -> None:
        scenario = FIXTURES / "war-galley/scenarios/great-harbour.toml"
        game = desk.new("war-galley", scenario, id="harbour", options={LATE: "1 turn"})
        assert delay_in(game.referee.known().options) == read_delay("1 turn")
        with pytest.raises(umpire.ScenarioError, match="spectator_delay"):
            desk.new("war-galley", scenario, id="other", options={LATE: True})

    def test_game_without_a_delay_stores_no_option(self, desk: umpire.Desk) -> None:
        game = desk.new_from_text("freeform", SCENARIO, id=GAME)
        assert LATE not in game.referee.known().options
        assert game.watched is game
        game.seat("red").note("at once")
        assert "at once" in game.spectator.orders()[-1].text


class TestClock:
    def test_delayed_record_is_seen_after_its_time(self, desk: umpire.Desk) -> None:
        game = opened(desk, "30m")
        position = game.seat("red").note("secretly marching").position
        assert game.spectator.now.number < position
        later(game, minutes=29)
        assert game.spectator.now.number < position
        later(game, minutes=2)
        assert game.spectator.now.number == position
        assert "marching" in game.spectator.orders()[-1].text

    def test_opening_is_seen_at_once(self, desk: umpire.Desk) -> None:
        game = opened(desk, "30m")
        assert game.spectator.now.number == game.size
        assert set(game.spectator.known().units) == {"r1", "b1"}

    def test_follower_gets_delayed_records_after_their_time(self, desk: umpire.Desk) -> None:
        game = opened(desk, "30m")
        follower = iter(game.spectator.follow(game.size, patience=0.3))
        game.seat("red").note("marching")
        assert list(follower) == []
        follower = iter(game.spectator.follow(game.spectator.game.size, patience=0.3))
        later(game, minutes=31)
        assert "marching" in next(follower).text


class TestRecords:
    def test_delay_of_records_withholds_whole_orders(self, desk: umpire.Desk) -> None:
        game = opened(desk, "2 records")
        first = game.seat("red").note("one").position
        game.seat("red").note("two")
        assert game.spectator.now.number < first
        game.seat("red").note("three")
        assert game.spectator.now.number == first

    def test_undone_order_is_shown_undone_after_the_delay(self, desk: umpire.Desk) -> None:
        game = opened(desk, "1 record")
        start = game.size
        game.seat("red").typed("move r1 0201")
        game.seat("red").note("here")
        assert game.spectator.known().units["r1"].at == "0201"
        game.referee.rewind(start, why="too early")
        assert game.spectator.known().units["r1"].at == "0201"
        game.seat("red").note("again")
        assert game.spectator.known().units["r1"].at == "0101"


class TestTurns:
    @pytest.fixture
    def harbour(self, desk: umpire.Desk) -> PlayedGame:
        scenario = FIXTURES / "war-galley/scenarios/great-harbour.toml"
        game = desk.new("war-galley", scenario, id="great-harbour", options={LATE: "1 turn"})
        game.play(FIXTURES / "war-galley/orders/great-harbour.jsonl")
        return game

    def test_current_turn_is_hidden_with_a_delay_of_a_turn(self, harbour: PlayedGame) -> None:
        assert harbour.turn == 3
        spectator = harbour.spectator
        assert spectator.status.turn == 2
        assert {one.turn for one in spectator.audit(all_lines=True)} <= {0, 1, 2}
        behind = harbour.referee.audit(start=spectator.game.size + 1)
        assert behind[-1].turn == 3

    def test_spectator_position_never_goes_back_with_a_rewind(self, harbour: PlayedGame) -> None:
        before = harbour.spectator.game.size
        harbour.referee.rewind("turn 1", why="all over again")
        assert harbour.spectator.game.size >= before
        assert harbour.referee.status.turn == 1


class TestAfterTheEnd:
    @pytest.mark.parametrize("delay", ["3 turns", "100 records"])
    def test_all_of_it_is_seen(self, desk: umpire.Desk, delay: str) -> None:
        game = opened(desk, delay)
        game.seat("red").note("the last stand")
        assert game.spectator.game.size < game.size
        game.referee.order("end", reason="both are tired")
        assert game.ended
        assert game.spectator.game.size == game.size
        assert game.spectator.status.ended


Look = Callable[[umpire.Seat], Any]
LOOKS: dict[str, Look] = {
    "status": lambda seat: seat.status,
    "known": lambda seat: seat.known(),
    "units": lambda seat: list(map(plain_unit, seat.units(gone=True))),
    "picture": lambda seat: seat.picture(),
    "map": lambda seat: seat.map(),
    "in a page": lambda seat: seat.map_in_page(),
    "dice chart": lambda seat: seat.chart_data("dice"),
    "time chart": lambda seat: seat.chart_data("time"),
    "legal orders": lambda seat: seat.legal_orders(),
    "openings": lambda seat: seat.openings(),
    "audit": lambda seat: seat.audit(all_lines=True),
    "found": lambda seat: seat.audit(text="marching", all_lines=True),
    "orders": lambda seat: seat.orders(all_lines=True),
    "undo points": lambda seat: seat.undo_points(),
    "lines": lambda seat: seat.lines(),
    "since": lambda seat: seat.since(),
    "looked": lambda seat: seat.looked,
    "why": lambda seat: seat.why(4),
    "unit": lambda seat: seat.unit("r1"),
    "account": lambda seat: seat.account("vp"),
    "dice": lambda seat: seat.dice(all_lines=True),
    "knew": lambda seat: seat.knew("spectator", 4),
    "disputes": lambda seat: seat.disputes(),
    "dispute": lambda seat: seat.dispute_page("d1"),
    "rulings": lambda seat: seat.rulings(),
    "refusals": lambda seat: seat.refusals(),
    "referee": lambda seat: seat.referee_acts(),
    "conformance": lambda seat: seat.conformance(),
    "sitrep": lambda seat: seat.sitrep(),
    "now": lambda seat: seat.now.number,
    "size": lambda seat: seat.game.size,
    "times": lambda seat: seat.game.times(),
    "checkpoint": lambda seat: seat.game.checkpoint().text(),
    "where": lambda seat: (seat.game.where, seat.game.turn, seat.game.ended, seat.game.seats),
    "export": lambda seat: exported(seat.game),
    "exported by the game": lambda seat: exported(seat.game),
    "as the referee sees the seat": lambda seat: seat.game.spectator.orders(),
    "followed": lambda seat: list(seat.follow(0, until=seat.game.size)),
}


def exported(game: PlayedGame) -> bytes:
    log = io.BytesIO()
    game.export(log)
    return log.getvalue()


def play(game: PlayedGame) -> None:
    """Play the visible part: with a ruling, a dispute, dice and an account in it."""
    red, blue = game.seat("red"), game.seat("blue")
    red.typed("move r1 0201")
    red.order("pay", account="vp", amount=1)
    red.order("roll", dice="1d6", purpose="marching", pips=[4])
    blue.dispute([4], "too far", rule="5.2")
    game.referee.rule("one hex", why="printed", grounds="printed rule", rule="5.2", dispute="d1")


def play_on(game: PlayedGame) -> None:
    """Play the part that is not visible yet: it changes the result of every query."""
    red = game.seat("red")
    red.typed("move r1 0301")
    red.order("pay", account="vp", amount=5)
    red.order("roll", dice="1d6", purpose="marching", pips=[6])
    game.referee.order("take-seat", taker="anna", side="red")
    red.dispute([4], "still too far")
    game.referee.order("place", unit="new", side="red", kind="foot", at="0909")
    game.referee.rewind(5, why="again")
    game.referee.rule("two hexes", why="printed", grounds="printed rule", rule="5.2")
    red.note("marching")


class TestQueries:
    @pytest.fixture
    def then_and_now(self, tmp_path: Path) -> Iterator[tuple[PlayedGame, PlayedGame]]:
        """Yield the game at the delayed position, without delay; and the current game, with delay."""
        with umpire.open(tmp_path / "now.db") as desk, umpire.open(tmp_path / "then.db") as other:
            now = desk.new_from_text("freeform", SCENARIO, id=GAME, options={LATE: "30m"})
            play(now)
            later(now, minutes=40)
            now.export(tmp_path / "then.jsonl", seat="referee", whole=True)
            then = other.import_log(tmp_path / "then.jsonl")
            then._watched = then  # all records are visible
            now.ledger._writing._clock = now.ledger.clock
            play_on(now)
            yield then, now
            then._watched = None

    def test_delayed_query_shows_the_earlier_game(self, then_and_now: tuple[PlayedGame, PlayedGame]) -> None:
        then, now = then_and_now
        assert now.size > then.size
        for name, look in at_least_one(LOOKS.items()):
            assert look(now.spectator) == look(then.spectator), name
            assert look(now.referee.looking_as("spectator")) == look(then.spectator), name
        assert exported(now) == exported(then)

    def test_those_who_play_see_all_of_it(self, then_and_now: tuple[PlayedGame, PlayedGame]) -> None:
        _, now = then_and_now
        assert now.seat("red").now.number == now.size
        assert now.seat("red").orders()[-1].text == Naming("Red", "marching")

    def test_position_after_the_delayed_one_is_refused(self, then_and_now: tuple[PlayedGame, PlayedGame]) -> None:
        then, now = then_and_now
        for ask in at_least_one((now.spectator.at, now.spectator.why, now.spectator.known, now.spectator.picture)):
            with pytest.raises(umpire.NoSuchRecord) as refused:
                ask(now.size)
            assert refused.value.size == then.size

    def test_spectator_order_is_refused_as_at_the_delayed_position(
        self, then_and_now: tuple[PlayedGame, PlayedGame]
    ) -> None:
        then, now = then_and_now
        size, said = now.size, []
        for game in (now, then):
            with pytest.raises(umpire.Refused) as refused:
                game.spectator.note("hm")
            said.append((refused.value.what, refused.value.where, refused.value.rule, refused.value.remedy))
        assert said[0] == said[1]
        assert now.size == size
        with pytest.raises(umpire.WrongUse):
            now.spectator.game.play([(1, {"as": "red", "order": "note", "text": "hm"})])
        with pytest.raises(umpire.WrongUse):
            now.spectator.game.archive()

    def test_copy_by_a_spectator_ends_at_the_delayed_position(
        self, then_and_now: tuple[PlayedGame, PlayedGame]
    ) -> None:
        then, now = then_and_now
        copy = now.spectator.game.fork("copy")
        assert copy.referee.orders()[-2].text == then.referee.orders()[-1].text
        with pytest.raises(umpire.NoSuchRecord):
            now.spectator.game.fork("other", at=now.size)

    def test_list_of_games_is_delayed_for_spectators(self, then_and_now: tuple[PlayedGame, PlayedGame]) -> None:
        then, now = then_and_now
        now.rename("Friday")
        seen = now.desk.games(watched=(GAME,))[0]
        assert (seen.records, seen.display_name) == (then.size, "Friday")
        assert now.desk.games()[0].records == now.size

    def test_spectator_look_is_stored(self, then_and_now: tuple[PlayedGame, PlayedGame]) -> None:
        _, now = then_and_now
        now.spectator.note_look()
        assert now.spectator.looked == now.spectator.game.size
        assert now.spectator.since().since == ()
