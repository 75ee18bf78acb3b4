"""The generic orders on any table: what cannot be, with its rule and remedy, and what can."""

from pathlib import Path

import pytest

from tests.face.domain import (
    AccountChanged,
    Change,
    ChoiceRevealed,
    ChoiceSealed,
    FreeScenario,
    Pay,
    Place,
    Reveal,
    SealChoice,
    UnitChanged,
    UnitPlaced,
    read_scenario,
)
from tests.face.domain import (
    freeform_TITLE as TITLE,
)
from tests.face.testing import Story

FORD = Path(__file__).parents[2] / "fixtures" / "freeform" / "scenarios" / "ford.toml"
MOST = 2**53 - 1


@pytest.fixture
def ford() -> Story:
    return Story(TITLE, read_scenario(FORD.read_text(encoding="utf-8"), FreeScenario))


class TestPlace:
    def test_a_unit_in_play_is_not_placed_again(self, ford: Story) -> None:
        again = Place(seat="red", unit="red-horse", side="red", kind="horse", at="mill")
        ford.when(again).then_refused("unit-in-play", rule="place", at="hill")

    def test_a_new_unit_belongs_to_a_side_of_the_game(self, ford: Story) -> None:
        ford.when(Place(seat="red", unit="scouts", side="green", kind="horse", at="mill"))
        ford.then_refused("no-such-side", rule="sides", side="green", known="red, blue")
        ford.when(Place(seat="red", unit="scouts", side="red", kind="horse", at="mill"))
        ford.then(UnitPlaced, unit="scouts", at="mill")


class TestChange:
    def test_what_is_so_already_is_not_changed(self, ford: Story) -> None:
        """A truth and a number are two things, though Python holds 1 and True for equal."""
        ford.when(Change(seat="blue", unit="blue-guard", attribute="side", to="blue"))
        ford.then_refused("value-already-set", rule="change", unit="blue-guard", attribute="side", before="blue")
        ford.play(Change(seat="blue", unit="blue-guard", attribute="tired", to=1))
        ford.when(Change(seat="blue", unit="blue-guard", attribute="tired", to=1))
        ford.then_refused("value-already-set", rule="change", unit="blue-guard", attribute="tired", before=1)
        ford.when(Change(seat="blue", unit="blue-guard", attribute="tired", to=True))
        ford.then(UnitChanged, attribute="tired", before=1, after=True)

    def test_a_unit_changes_to_a_side_of_the_game(self, ford: Story) -> None:
        ford.when(Change(seat="blue", unit="blue-guard", attribute="side", to="green"))
        ford.then_refused("no-such-side", rule="sides", side="green", known="red, blue")
        ford.when(Change(seat="blue", unit="blue-guard", attribute="side", to="red"))
        ford.then(UnitChanged, unit="blue-guard", before="blue", after="red")


class TestPay:
    def test_an_account_stays_within_what_can_be_recorded(self, ford: Story) -> None:
        ford.when(Pay(seat="red", account="points/red", amount=MOST)).then(AccountChanged, after=MOST)
        ford.when(Pay(seat="red", account="points/red", amount=1))
        ford.then_refused("account-below-limit", rule="accounts", after=9007199254740992)
        ford.when(Pay(seat="red", account="points/red", amount=-MOST)).then(AccountChanged, after=0)


class TestReveal:
    def test_a_copy_that_does_not_hold_the_secret_cannot_reveal_it(self, ford: Story) -> None:
        """A copy for blue's eyes: that red has sealed is in it, what red sealed is not."""
        ford.given(ChoiceSealed(question="plan", side="red"))
        ford.when(Reveal(seat="red", question="plan"))
        ford.then_refused("sealed-choice-not-here", rule="sealed choices")

    def test_where_it_was_sealed_it_is_revealed(self, ford: Story) -> None:
        ford.play(SealChoice(seat="red", question="plan", choice="north"))
        ford.when(Reveal(seat="red", question="plan")).then(ChoiceRevealed, side="red", choice="north")
