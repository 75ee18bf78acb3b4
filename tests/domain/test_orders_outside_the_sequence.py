"""Test refusals outside the sequence of play: seats, dice, amendments, rewinds by consent, rulings, bad records."""

from pathlib import Path
from typing import Any

import pytest

from tests.face.domain import (
    REFEREE,
    AccountChanged,
    Amend,
    AskRewind,
    DiceOpened,
    End,
    FreeScenario,
    GameEnded,
    Note,
    NoteAdded,
    OpenDice,
    Pay,
    Rewind,
    RewindAsked,
    Rule,
    RuleViolation,
    SeatTaken,
    TakeSeat,
    Unreadable,
    amend_amend as amend,
    freeform_TITLE as TITLE,
    read_scenario,
)
from tests.face.testing import Story

TEXT = (Path(__file__).parents[2] / "fixtures" / "freeform" / "scenarios" / "ford.toml").read_text(encoding="utf-8")
PAID = Pay(seat="red", account="points/red", amount=1)


@pytest.fixture
def ford() -> Story:
    return Story(TITLE, read_scenario(TEXT, FreeScenario))


class TestSeats:
    def test_seat_of_unknown_side_is_refused(self, ford: Story) -> None:
        ford.when(TakeSeat(seat=REFEREE, taker="anna", side="green"))
        ford.then_refused("no-such-side", rule="seats", side="green", known="red, blue")
        ford.when(TakeSeat(seat=REFEREE, taker="anna", side="red")).then(SeatTaken, seat="anna", side="red")

    @pytest.mark.parametrize("taker", ["anna", "red", "referee", "spectator"])
    def test_seat_of_taken_name_is_refused(self, ford: Story, taker: str) -> None:
        ford.play(TakeSeat(seat=REFEREE, taker="anna", side="red"))
        ford.when(TakeSeat(seat=REFEREE, taker=taker, side="blue"))
        ford.then_refused("seat-taken", rule="seats", seat=taker)


class TestEnd:
    def test_end_of_ended_game_is_refused(self, ford: Story) -> None:
        ford.when(End(seat=REFEREE, reason="dawn", winner="red")).then(GameEnded, why="dawn", winner="red")
        ford.when(End(seat=REFEREE, reason="noon", winner="blue"))
        ford.then_refused("game-over", rule="the end", ended="dawn")
        ford.when(PAID).then_refused("game-over", rule="the end", ended="dawn")
        ford.when(Note(seat="red", text="well played")).then(NoteAdded, text="well played")


class TestOpenDice:
    def test_dice_thrown_at_the_table_have_no_seed(self, ford: Story) -> None:
        ford.play(End(seat=REFEREE, reason="dawn")).when(OpenDice(seat=REFEREE))
        ford.then_refused("no-seed", rule="dice")

    def test_they_are_opened_once(self) -> None:
        ford = Story(TITLE, read_scenario(TEXT, FreeScenario), dice="ledger")
        ford.play(End(seat=REFEREE, reason="dawn")).when(OpenDice(seat=REFEREE)).then(DiceOpened)
        ford.when(OpenDice(seat=REFEREE)).then_refused("dice-revealed-already", rule="dice")


class TestAmend:
    def test_amend_as_single_order_is_refused(self, ford: Story) -> None:
        ford.play(PAID).when(Amend(seat=REFEREE, at=ford.tip, how="drop", why="a slip"))
        ford.then_refused("only-one-order", rule="amend")

    def amended(self, ford: Story, order: Amend) -> Any:
        return amend(TITLE, ford.game, order, {}, ford)

    @pytest.mark.parametrize("how", ["before", "reroll"])
    def test_amend_around_unknown_words_is_refused(self, ford: Story, how: Any) -> None:
        """Refuse it: a copy has the change to red's account, but not the order that made it."""
        ford.given(AccountChanged(account="points/red", amount=1, before=0, after=1))
        given = {"order": "pay", "account": "points/red", "amount": 2} if how == "before" else {}
        with pytest.raises(RuleViolation) as refused:
            self.amended(ford, Amend(seat=REFEREE, at=ford.tip, how=how, given=given, why="a slip"))
        assert (refused.value.rule, refused.value.code) == ("amend", "words-not-here")
        assert refused.value.fields == {"at": ford.tip}

    def test_amend_drops_order_of_unknown_words(self, ford: Story) -> None:
        ford.given(AccountChanged(account="points/red", amount=1, before=0, after=1))
        found = self.amended(ford, Amend(seat=REFEREE, at=ford.tip, how="drop", why="a slip"))
        assert found.game.accounts["points/red"] == 0


class TestRewindByConsent:
    def test_rewind_by_consent_with_one_side_is_refused(self) -> None:
        sides = '{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }'
        assert sides in TEXT
        text = TEXT.replace(sides, '{ id = "red", name = "Red" }').replace('side = "blue"', 'side = "red"')
        ford = Story(TITLE, read_scenario(text, FreeScenario)).play(PAID)
        ford.when(AskRewind(seat="red", to=ford.tip - 1, why="a slip"))
        ford.then_refused("no-other-side", rule="rewind by consent")

    def test_rewind_by_consent_with_two_sides_asks_the_other(self, ford: Story) -> None:
        ford.play(PAID).when(AskRewind(seat="red", to=ford.tip - 1, why="a slip")).then(RewindAsked, side="red")


class TestRulings:
    def ruling(self, **order: Any) -> Rule:
        return Rule(seat=REFEREE, ruling="a point more", reason="r", grounds="house rule", orders=(order,))

    def test_ruling_with_order_of_unknown_seat_is_refused(self, ford: Story) -> None:
        paid = {"order": "pay", "account": "points/red", "amount": 1}
        ford.when(self.ruling(**paid, **{"as": "green"}))
        ford.then_refused("no-such-seat-in-ruling", rule="seats", seat="green", sides=("red", "blue"))
        ford.when(self.ruling(**paid, **{"as": "red"})).then(AccountChanged, account="points/red", after=1)


class TestUnreadableRecords:
    @pytest.fixture
    def unread(self, ford: Story) -> Story:
        """Return a game after a record of a later edition."""
        return ford.play(PAID).given(Unreadable(position=ford.tip + 1, kind="weather.changed", why="unknown type"))

    def test_unreadable_record_refuses_moves_and_allows_notes(self, unread: Story) -> None:
        unread.when(PAID).then_refused("unreadable-records", rule="unreadable records")
        unread.when(Note(seat="red", text="what is this?")).then(NoteAdded)

    def test_rewind_before_unreadable_record_continues_play(self, unread: Story) -> None:
        unread.play(Rewind(seat=REFEREE, to=unread.tip - 1, why="not ours"))
        unread.when(PAID).then(AccountChanged, after=2)
