"""Check which generic orders are accepted on any table, and which are refused with rule and remedy."""

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
    freeform_TITLE as TITLE,
    read_scenario,
)
from tests.face.testing import Story

FORD = Path(__file__).parents[2] / "fixtures" / "freeform" / "scenarios" / "ford.toml"
MOST = 2**53 - 1


@pytest.fixture
def ford() -> Story:
    return Story(TITLE, read_scenario(FORD.read_text(encoding="utf-8"), FreeScenario))


class TestPlace:
    def test_unit_in_play_cannot_be_placed_again(self, ford: Story) -> None:
        again = Place(seat="red", unit="red-horse", side="red", kind="horse", at="mill")
        ford.when(again).then_refused("unit-in-play", rule="place", at="hill")

    def test_new_unit_must_belong_to_a_side_of_the_game(self, ford: Story) -> None:
        ford.when(Place(seat="red", unit="scouts", side="green", kind="horse", at="mill"))
        ford.then_refused("no-such-side", rule="sides", side="green", known="red, blue")
        ford.when(Place(seat="red", unit="scouts", side="red", kind="horse", at="mill"))
        ford.then(UnitPlaced, unit="scouts", at="mill")


class TestChange:
    def test_change_to_the_present_value_is_refused(self, ford: Story) -> None:
        """Distinguish 1 from True, which are equal in Python."""
        ford.when(Change(seat="blue", unit="blue-guard", attribute="side", to="blue"))
        ford.then_refused("value-already-set", rule="change", unit="blue-guard", attribute="side", before="blue")
        ford.play(Change(seat="blue", unit="blue-guard", attribute="tired", to=1))
        ford.when(Change(seat="blue", unit="blue-guard", attribute="tired", to=1))
        ford.then_refused("value-already-set", rule="change", unit="blue-guard", attribute="tired", before=1)
        ford.when(Change(seat="blue", unit="blue-guard", attribute="tired", to=True))
        ford.then(UnitChanged, attribute="tired", before=1, after=True)

    def test_unit_can_change_only_to_a_side_of_the_game(self, ford: Story) -> None:
        ford.when(Change(seat="blue", unit="blue-guard", attribute="side", to="green"))
        ford.then_refused("no-such-side", rule="sides", side="green", known="red, blue")
        ford.when(Change(seat="blue", unit="blue-guard", attribute="side", to="red"))
        ford.then(UnitChanged, unit="blue-guard", before="blue", after="red")


class TestPay:
    def test_account_stays_within_the_largest_number(self, ford: Story) -> None:
        ford.when(Pay(seat="red", account="points/red", amount=MOST)).then(AccountChanged, after=MOST)
        ford.when(Pay(seat="red", account="points/red", amount=1))
        ford.then_refused("account-below-limit", rule="accounts", after=9007199254740992)
        ford.when(Pay(seat="red", account="points/red", amount=-MOST)).then(AccountChanged, after=0)


class TestReveal:
    def test_copy_without_the_secret_cannot_reveal_it(self, ford: Story) -> None:
        """Use the copy of Blue, which has the fact that Red sealed a choice, but not the choice."""
        ford.given(ChoiceSealed(question="plan", side="red"))
        ford.when(Reveal(seat="red", question="plan"))
        ford.then_refused("sealed-choice-not-here", rule="sealed choices")

    def test_sealed_choice_can_be_revealed(self, ford: Story) -> None:
        ford.play(SealChoice(seat="red", question="plan", choice="north"))
        ford.when(Reveal(seat="red", question="plan")).then(ChoiceRevealed, side="red", choice="north")
