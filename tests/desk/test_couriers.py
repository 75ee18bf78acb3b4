"""Messages that arrive later: the words of a courier are delivered when its turn begins."""

from collections.abc import Iterator

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.desk.test_private_words import CLOSED, TABLE, looks
from tests.face.domain import MessageArrived, MessageHeld, MessageSent, RuleViolation

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
    def test_message_on_its_way_is_known_to_sender_and_referee(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        assert game.turn == 1
        [sent] = game.seat("athens").send_message(WORDS, ["corinth"], 3).records
        assert sent.event == MessageSent(message=1, sent=1, seat="athens", to=("corinth",), text=WORDS, arrives=3)
        next_turn(game)
        assert readers(game) == ["athens", "referee"]

    def test_message_arrives_when_its_turn_begins(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 3)
        next_turn(game)
        told = next_turn(game)
        assert game.turn == 3
        assert told.records[-1].event == MessageArrived(message=1, seat="athens", to=("corinth",), text=WORDS, sent=1)
        assert readers(game) == ["athens", "corinth", "referee"]
        assert WORDS in game.seat("corinth").orders()[-1].text

    def test_order_that_begins_the_turn_is_shown_to_all(self, desk: umpire.Desk) -> None:
        # Its words are not hidden with the message: other seats see the same as without a message.
        game, quiet = opened(desk), desk.new_from_text("freeform", TABLE + TURNS, id="quiet")
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        assert next_turn(game).position - 1 == next_turn(quiet).position + 1
        assert game.seat("sparta").orders()[-1].text == quiet.seat("sparta").orders()[-1].text

    def test_message_in_a_closed_game_is_hidden_from_the_referee(self, desk: umpire.Desk) -> None:
        game = opened(desk, **CLOSED)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        assert readers(game) == ["athens"]
        next_turn(game)
        assert readers(game) == ["athens", "corinth"]

    def test_referee_sends_messages(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.referee.send_message(WORDS, ["sparta", "corinth"], 2)
        next_turn(game)
        assert readers(game) == ["corinth", "sparta", "referee"]


EVENING = """
[[play]]
step = "camp"
in = "day"
name = "camp"
by = "athens"

[[play]]
step = "read"
in = "day"
name = "what is read out"
"""
"""A second step of each day, and one that opens and ends automatically."""


def with_evenings(desk: umpire.Desk) -> umpire.PlayedGame:
    return desk.new_from_text("freeform", TABLE + TURNS + EVENING, id="cities")


class TestArrivalAtStep:
    def test_message_for_a_step_arrives_when_it_opens(self, desk: umpire.Desk) -> None:
        game = with_evenings(desk)
        [sent] = game.seat("athens").send_message(WORDS, ["corinth"], 2, step="camp").records
        assert sent.event == MessageSent(
            message=1, sent=1, seat="athens", to=("corinth",), text=WORDS, arrives=2, step="camp"
        )
        for where in ("camp", "march"):
            next_turn(game)
            assert game.referee.status.open == (where,)
            assert readers(game) == ["athens", "referee"]
        next_turn(game)
        assert (game.turn, game.referee.status.open) == (2, ("camp",))
        assert readers(game) == ["athens", "corinth", "referee"]

    def test_message_for_a_later_step_of_this_turn_arrives(self, desk: umpire.Desk) -> None:
        game = with_evenings(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 1, step="camp")
        assert readers(game) == ["athens", "referee"]
        next_turn(game)
        assert readers(game) == ["athens", "corinth", "referee"]

    def test_message_for_an_automatic_step_arrives(self, desk: umpire.Desk) -> None:
        game = with_evenings(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 1, step="read")
        next_turn(game)
        assert readers(game) == ["athens", "referee"]
        next_turn(game)
        assert (game.turn, readers(game)) == (2, ["athens", "corinth", "referee"])

    def test_message_for_an_open_or_unknown_step_is_refused(self, desk: umpire.Desk) -> None:
        game = with_evenings(desk)
        with pytest.raises(RuleViolation) as come:
            game.seat("athens").send_message(WORDS, ["corinth"], 1, step="march")
        assert (come.value.code, come.value.rule) == ("turn-has-come", "messages")
        assert (come.value.fields["turn"], come.value.fields["first_possible"]) == (1, 2)
        with pytest.raises(RuleViolation) as unknown:
            game.seat("athens").send_message(WORDS, ["corinth"], 2, step="cam")
        assert unknown.value.code == "no-such-step-nearest"
        assert unknown.value.fields == {"step": "cam", "near": "camp"}
        with pytest.raises(RuleViolation) as far:
            game.seat("athens").send_message(WORDS, ["corinth"], 2, step="xyzzy")
        assert (far.value.code, far.value.fields) == ("no-such-step", {"step": "xyzzy", "title": "freeform"})


class TestDelays:
    """The referee's rulings on a courier are secret to the referee."""

    @pytest.fixture
    def game(self, desk: umpire.Desk) -> umpire.PlayedGame:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        return game

    def test_delayed_message_is_known_to_the_referee_only(self, game: umpire.PlayedGame) -> None:
        [held] = game.referee.order("hold-message", message=1, arrives=3, why="a storm").records
        assert held.event == MessageHeld(message=1, arrives=3, why="a storm")
        assert [seat for seat in SEATS if "a storm" in looks(game, seat)] == ["referee"]
        next_turn(game)
        assert readers(game) == ["athens", "referee"]
        assert [seat for seat in SEATS if "a storm" in looks(game, seat)] == ["referee"]
        next_turn(game)
        assert readers(game) == ["athens", "corinth", "referee"]

    def test_lost_message_never_arrives(self, game: umpire.PlayedGame) -> None:
        [lost] = game.referee.order("hold-message", message=1, why="taken by pirates").records
        assert lost.event == MessageHeld(message=1, why="taken by pirates")
        for _ in range(3):
            next_turn(game)
        assert readers(game) == ["athens", "referee"]
        assert WORDS not in game.referee.scenario()

    def test_ruling_on_a_courier_makes_no_difference_to_others(self, desk: umpire.Desk) -> None:
        worlds = [opened(desk), desk.new_from_text("freeform", TABLE + TURNS, id="other")]
        for game, ruled in zip(worlds, ({"arrives": 5}, {}), strict=True):
            game.seat("athens").send_message(WORDS, ["corinth"], 2)
            game.referee.order({"order": "hold-message", "message": 1, **ruled})
            next_turn(game)
        for seat in ("athens", "corinth", "spectator"):
            one, other = ([(line.position, line.text) for line in game.seat(seat).audit()] for game in worlds)
            assert one == other

    def test_rewind_undoes_a_ruling_on_a_courier(self, game: umpire.PlayedGame) -> None:
        before = game.size
        game.referee.order("hold-message", message=1)
        game.referee.rewind(before, why="no pirates")
        next_turn(game)
        assert readers(game) == ["athens", "corinth", "referee"]

    def test_message_is_delayed_to_a_step_of_a_turn(self, desk: umpire.Desk) -> None:
        game = with_evenings(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        game.referee.order("hold-message", message=1, arrives=2, step="camp")
        next_turn(game)
        next_turn(game)
        assert (game.turn, readers(game)) == (2, ["athens", "referee"])
        next_turn(game)
        assert readers(game) == ["athens", "corinth", "referee"]

    def test_impossible_ruling_on_a_courier_is_refused(self, game: umpire.PlayedGame) -> None:
        def refused(seat: umpire.Seat, **said: object) -> RuleViolation:
            with pytest.raises(RuleViolation) as refusal:
                seat.order({"order": "hold-message", **said})
            return refusal.value

        unknown = refused(game.referee, message=2)
        assert (unknown.code, unknown.rule) == ("not-on-its-way", "messages")
        assert unknown.fields == {"message": 2, "numbers": "1"}
        come = refused(game.referee, message=1, arrives=1)
        assert (come.code, come.fields["turn"], come.fields["first_possible"]) == ("turn-has-come", 1, 2)
        without_turn = refused(game.referee, message=1, step="march")
        assert (without_turn.code, without_turn.fields) == ("turn-missing", {"step": "march"})
        by_seat = refused(game.seat("athens"), message=1)
        assert (by_seat.code, by_seat.rule) == ("only-for-the-referee", "seats")

    def test_courier_in_a_closed_game_cannot_be_held_up(self, desk: umpire.Desk) -> None:
        closed = opened(desk, **CLOSED)
        closed.seat("athens").send_message(WORDS, ["corinth"], 2)
        with pytest.raises(RuleViolation) as refusal:
            closed.referee.order("hold-message", message=1)
        assert (refusal.value.code, refusal.value.rule) == ("closed-to-referee", "messages")
        assert "`umpire rule`" in refusal.value.remedy


class TestRewind:
    def test_message_undone_by_a_rewind_arrives_again(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        before = game.size
        next_turn(game)
        with pytest.raises(RuleViolation) as refusal:
            game.seat("athens").undo()
        assert refusal.value.code == "only-the-referee-undoes"
        game.referee.rewind(before, why="a slip")
        assert next_turn(game).records[-1].event == MessageArrived(
            message=1, seat="athens", to=("corinth",), text=WORDS, sent=1
        )

    def test_message_is_undone_by_its_sender_before_other_orders(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        game.seat("athens").undo()
        next_turn(game)
        assert readers(game) == ["athens", "referee"]


class TestRefusals:
    def refused(self, game: umpire.PlayedGame, arrives: int) -> RuleViolation:
        size = game.size
        with pytest.raises(RuleViolation) as refusal:
            game.seat("athens").send_message(WORDS, ["corinth"], arrives)
        assert (refusal.value.rule, game.size) == ("messages", size)
        return refusal.value

    def test_message_for_a_past_turn_is_refused(self, desk: umpire.Desk) -> None:
        refusal = self.refused(opened(desk), 1)
        assert (refusal.code, refusal.fields["turn"], refusal.fields["first_possible"]) == ("turn-has-come", 1, 2)

    def test_message_without_turns_or_after_the_end_is_refused(self, desk: umpire.Desk) -> None:
        bare = desk.new_from_text("freeform", TABLE, id="bare")
        assert self.refused(bare, 3).code == "no-turns"
        game = opened(desk)
        game.referee.order("end", reason="dusk")
        assert self.refused(game, 3).code == "game-over"

    def test_scenario_with_a_message_on_its_way_is_refused(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        game.seat("athens").send_message(WORDS, ["corinth"], 2)
        with pytest.raises(RuleViolation) as refusal:
            game.referee.scenario()
        assert (refusal.value.code, refusal.value.rule) == ("messages-on-their-way", "scenario")
        next_turn(game)
        assert WORDS not in game.referee.scenario()


class TestTerminal:
    def test_sent_and_read(self, terminal: Terminal) -> None:
        terminal.write("cities.toml", TABLE + TURNS)
        terminal.ok("new", "freeform", "--id", "ford", "--scenario", "cities.toml")
        send = ("note", "ford", WORDS, "--as", "athens")
        assert terminal.type(*send, "--arrives", "turn 2").code == 2
        soon = terminal.type(*send, "--to", "corinth", "--arrives", "soon")
        assert (soon.code, "soon" in soon.err) == (2, True)
        terminal.ok(*send, "--to", "corinth", "--arrives", "turn 2")
        terminal.ok("note", "ford", "wait", "--as", "athens", "--to", "corinth", "--arrives", "Turn 3 at march")
        terminal.ok("order", "ford", "hold-message", "2", "--arrives", "4", "--why", "a storm")
        assert WORDS not in terminal.ok("status", "ford", "--as", "corinth").out
        terminal.ok("done", "ford", "--as", "athens")
        assert WORDS in terminal.ok("status", "ford", "--as", "corinth").out
        assert WORDS not in terminal.ok("status", "ford", "--as", "sparta").out

    def test_arrived_message_is_notified_without_its_words(self, terminal: Terminal) -> None:
        terminal.write("cities.toml", TABLE + TURNS)
        terminal.ok("new", "freeform", "--id", "ford", "--scenario", "cities.toml")
        terminal.ok("note", "ford", WORDS, "--as", "athens", "--to", "corinth", "--arrives", "turn 2")

        def told() -> dict[str, list[str]]:
            found = terminal.ok("notices", "--preview", "--json").json
            assert WORDS not in str(found)
            return {
                one["seat"]: [point["text"] for point in one["points"] if "arrived" in point["kind"]] for one in found
            }

        assert not any(told().values())
        terminal.ok("done", "ford", "--as", "athens")
        [(seat, [arrived])] = [(seat, points) for seat, points in told().items() if points]
        assert seat == "corinth"
        assert all(part in arrived for part in ("Athens", "Corinth", "`umpire ", " ford`"))
        terminal.ok("rewind", "ford", "--to", "#5", "--why", "a slip")
        assert not any(told().values())
