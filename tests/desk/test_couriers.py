"""Messages that arrive later: the words of a courier are told when its turn begins."""

from collections.abc import Iterator

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.desk.test_private_words import CLOSED, TABLE, looks
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import MessageArrived

SEATS = ("athens", "corinth", "sparta", "spectator", "referee")
WORDS = "hold two days more"
TURNS = """
[[play]]
rounds = "day"
name = "days"
counts_turns = true
until = "nth(9, 'day')"

[[play]]
step = "march"
in = "day"
name = "march"
by = "athens"
"""


@pytest.fixture
def desk(place: str) -> Iterator[umpire.Desk]:
    with umpire.open(place) as desk:
        yield desk


def opened(desk: umpire.Desk, **options: object) -> umpire.PlayedGame:
    return desk.new_from_text("freeform", TABLE + TURNS, id="cities", options=options)


def next_turn(game: umpire.PlayedGame) -> umpire.Outcome:
    return game.seat("athens").done()


def readers(game: umpire.PlayedGame) -> list[str]:
    return [seat for seat in SEATS if WORDS in looks(game, seat)]


class TestOnTheWay:
    def test_only_the_sender_and_the_referee_know_the_words(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        assert game.turn == 1
        told = game.seat("athens").send_message(WORDS, ["corinth"], 3)
        assert told.told == (f"Athens sends a courier to Corinth, who arrives in turn 3: {WORDS}",)
        next_turn(game)
        assert readers(game) == ["athens", "referee"]

    def test_it_arrives_when_its_turn_begins(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 3)
        next_turn(game)
        told = next_turn(game)
        assert game.turn == 3
        assert told.records[-1].event == MessageArrived(message=1, seat="athens", to=("corinth",), text=WORDS, sent=1)
        assert readers(game) == ["athens", "corinth", "referee"]
        assert f"a courier of athens, sent in turn 1, arrives: {WORDS}" in game.seat("corinth").orders()[-1].text

    def test_the_order_that_brought_the_turn_is_told_to_all_as_ever(self, desk: umpire.Desk) -> None:
        """Its words are not hidden with the message: what others see of it is what they would see without one."""
        game, quiet = opened(desk), desk.new_from_text("freeform", TABLE + TURNS, id="quiet")
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        assert next_turn(game).position - 1 == next_turn(quiet).position + 1
        assert game.seat("sparta").orders()[-1].text == quiet.seat("sparta").orders()[-1].text

    def test_where_secrets_are_closed_the_referee_reads_nothing(self, desk: umpire.Desk) -> None:
        game = opened(desk, **CLOSED)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        assert readers(game) == ["athens"]
        next_turn(game)
        assert readers(game) == ["athens", "corinth"]

    def test_the_referee_sends_them_too(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.referee.send_message(WORDS, ["sparta", "corinth"], 2)
        next_turn(game)
        assert readers(game) == ["corinth", "sparta", "referee"]


class TestGoingBack:
    def test_what_a_rewind_takes_back_arrives_again(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        before = game.size
        next_turn(game)
        with pytest.raises(RuleViolation, match="a message arrived"):
            game.seat("athens").undo()
        game.referee.rewind(before, why="a slip")
        assert next_turn(game).records[-1].event == MessageArrived(
            message=1, seat="athens", to=("corinth",), text=WORDS, sent=1
        )

    def test_its_sender_takes_it_back_before_anything_else_was_done(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        game.seat("athens").undo()
        next_turn(game)
        assert readers(game) == ["athens", "referee"]


class TestWhatIsRefused:
    def refused(self, game: umpire.PlayedGame, arrives: int) -> tuple[str, str]:
        size = game.size
        with pytest.raises(RuleViolation) as refusal:
            game.seat("athens").send_message(WORDS, ["corinth"], arrives)
        assert (refusal.value.rule, game.size) == ("messages", size)
        return refusal.value.what, refusal.value.remedy

    def test_a_turn_that_has_come(self, desk: umpire.Desk) -> None:
        what, remedy = self.refused(opened(desk), 1)
        assert what == "turn 1 has come already"
        assert "from 2 on, or write a note" in remedy

    def test_a_game_without_turns_or_that_is_over(self, desk: umpire.Desk) -> None:
        what, remedy = self.refused(desk.new_from_text("freeform", TABLE, id="bare"), 3)
        assert what == "this game counts no turns"
        assert "write a note" in remedy
        game = opened(desk)
        game.referee.order("end", reason="dusk")
        assert "no turn comes any more" in self.refused(game, 3)[0]

    def test_a_scenario_of_a_position_with_one_on_its_way(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        with pytest.raises(RuleViolation, match="messages are on their way") as refusal:
            game.referee.scenario()
        assert "when they have arrived" in refusal.value.remedy
        next_turn(game)
        assert WORDS not in game.referee.scenario()


class TestAtTheTerminal:
    def test_sent_and_read(self, terminal: Terminal) -> None:
        terminal.write("cities.toml", TABLE + TURNS)
        terminal.ok("new", "freeform", "--id", "ford", "--scenario", "cities.toml")
        send = ("note", "ford", WORDS, "--as", "athens")
        assert terminal.type(*send, "--arrives", "turn 2").code == 2
        assert "is no turn" in terminal.type(*send, "--to", "corinth", "--arrives", "soon").err
        terminal.ok(*send, "--to", "corinth", "--arrives", "turn 2")
        assert WORDS not in terminal.ok("status", "ford", "--as", "corinth").out
        terminal.ok("done", "ford", "--as", "athens")
        assert WORDS in terminal.ok("status", "ford", "--as", "corinth").out
        assert WORDS not in terminal.ok("status", "ford", "--as", "sparta").out
