"""Twilight Imperium 3: when action cards are played; transfers; battles without damage."""

from typing import Any

import pytest

from tests.face.domain import (
    REFEREE,
    AccountChanged,
    ChoiceMade,
    Game,
    StepPassed,
    UnitChanged,
    replace,
    twilight_imperium_3_TITLE as TITLE,
)
from tests.face.projections import turn_view
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.twilight_imperium_3_table import activate, attack, galaxy, here, says, unit

TIMINGS = {"Transport": "action", "Signal Jamming": "action", "Ambush": "before-battle", "Sabotage": "other"}


def table(*cards: str, units: tuple[dict[str, Any], ...] = (), **more: Any) -> Story:
    """Begin Sol's turn with these cards in its hand."""
    return galaxy(unit("sol-cruiser-1", "home-sol"), *units, hands={"sol": cards}, timings=TIMINGS, **more)


class TestAPCards:
    def test_card_played_as_an_action_uses_the_turn(self) -> None:
        story = table("Transport").play(says("sol", "take-action", action="card"))
        story.when(says("sol", "play-card", card="Transport")).then(ChoiceMade, choice="Transport")
        story.play(says("sol", "done"))
        assert story.game.cursor.waiting() == ("letnev",)

    def test_action_plays_one_card(self) -> None:
        story = table("Transport", "Signal Jamming").play(says("sol", "take-action", action="card"))
        story.play(says("sol", "play-card", card="Transport"))
        story.when(says("sol", "play-card", card="Signal Jamming"))
        story.then_refused("action-card-taken", rule="AP")

    def test_card_of_another_timing_is_not_an_action(self) -> None:
        story = table("Ambush", "Sabotage", "Transport").play(says("sol", "take-action", action="card"))
        for card in ("Ambush", "Sabotage"):
            story.when(says("sol", "play-card", card=card))
            story.then_refused("wrong-moment-for-card", rule="AP.card.play", card=card)

    @pytest.mark.parametrize("cards", [("Ambush",), ("Sabotage",), ("Ambush", "Sabotage")])
    def test_hand_without_an_action_card_allows_no_card_action(self, cards: tuple[str, ...]) -> None:
        """Twilight Imperium 3 AP: the action leads to a card, so one must be there to be played."""
        story = table(*cards).when(says("sol", "take-action", action="card"))
        story.then_refused("cannot-take-action", rule="AP", side="Federation of Sol", reason="no-card-for-an-action")
        story.when(says("sol", "take-action", action="tactical")).then_accepted()

    def test_hand_needs_only_one_action_card(self) -> None:
        story = table("Ambush", "Transport").play(says("sol", "take-action", action="card"))
        story.when(says("sol", "play-card", card="Transport")).then(ChoiceMade, choice="Transport")

    def test_action_card_is_not_played_during_another_action(self) -> None:
        """So nobody who has passed plays one in somebody else's turn."""
        story = activate(table("Transport", "Sabotage"), "home-sol")
        story.when(says("sol", "play-card", card="Transport"))
        story.then_refused("wrong-moment-for-card", rule="AP", card="Transport", moment=Naming("`take-action card`"))
        story.when(says("sol", "play-card", card="Sabotage")).then(AccountChanged, account="action-cards/sol", after=1)

    def test_card_without_a_recorded_timing_may_be_played(self) -> None:
        story = table("Local Unrest").play(says("sol", "take-action", action="card"))
        story.when(says("sol", "play-card", card="Local Unrest")).then(ChoiceMade, choice="Local Unrest")

    def test_before_a_battle_only_cards_that_say_so(self) -> None:
        story = table("Ambush", "Transport", units=(unit("mentak-cruiser-1", "wellon-space"),))
        attack(story, ("home-sol", "wellon-space"), "sol-cruiser-1")
        while story.game.cursor.open[0].step != "SB.pre.order":
            story.play(says(story.game.cursor.waiting()[0], "done"))
        story.play(says("mentak", "pick", member="cards"))
        story.when(says("sol", "play-card", card="Transport")).then_refused(
            "wrong-moment-for-card", rule="AP", moment=Naming("`take-action card`")
        )
        story.when(says("sol", "play-card", card="Ambush")).then(ChoiceMade, choice="Ambush")


class TestWhoMayRecordWhatACardSays:
    """Generic orders in the step `card`, as other seats see them offered."""

    def offered(self, story: Story, seat: str, side: str) -> tuple[str, ...]:
        """Return the orders of a side that a seat sees offered in `card`."""
        known = replace(story.game, choices=_without_hands(story.game, seat))
        allowed = turn_view(TITLE, known, seat, 1).allowed
        return next((one.orders for one in allowed if (one.step, one.side) == ("card", side)), ())

    @pytest.mark.parametrize("seat", ["sol", "letnev", "mentak", "referee", "spectator"])
    def test_only_the_card_is_offered_before_it_is_revealed(self, seat: str) -> None:
        story = activate(table("Sabotage"), "home-sol")
        assert self.offered(story, seat, "mentak" if seat == "sol" else "sol") == ("play-card",)

    @pytest.mark.parametrize("seat", ["letnev", "referee", "spectator"])
    def test_owner_is_offered_the_rest_after_revealing_the_card(self, seat: str) -> None:
        story = activate(table("Sabotage"), "home-sol").play(says("sol", "play-card", card="Sabotage"))
        assert {"pay", "roll"} <= {*self.offered(story, seat, "sol")}
        story.play(says("sol", "done"))
        assert "pay" not in self.offered(story, seat, "sol")


def _without_hands(game: Game, seat: str) -> Any:
    """Return the choices as a seat knows them: the hands of other sides are sealed for it."""
    for key, one in game.choices.items():
        if one.sealed and seat not in (one.side, REFEREE):
            game = replace(game, choices=game.choices.set(key, replace(one, choice=None, known=False)))
    return game.choices


class TestSBWithoutDamage:
    def test_battle_without_possible_damage_is_skipped(self) -> None:
        units = (unit("mentak-cruiser-1", "wellon-space", combat=0),)
        story = table(units=units).given(UnitChanged(unit="sol-cruiser-1", attribute="combat", before=None, after=0))
        attack(story, ("home-sol", "wellon-space"), "sol-cruiser-1").then(StepPassed, step="TA.4")
        assert here(story, "wellon-space") == ["mentak-cruiser-1", "sol-cruiser-1"]

    def test_battle_needs_only_one_side_that_can_do_damage(self) -> None:
        units = (unit("mentak-cruiser-1", "wellon-space", combat=0),)
        story = attack(table(units=units), ("home-sol", "wellon-space"), "sol-cruiser-1")
        assert story.game.markers["now/attacker"] == "sol"
