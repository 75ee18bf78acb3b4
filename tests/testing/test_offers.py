"""Test the contract check `offers-taken`: dead ends, and listed orders whose every form is refused."""

from unittest.mock import patch

import pytest

from tests.face.domain import turn, twilight_imperium_3_TITLE as TITLE, visible_openings
from tests.face.testing import (
    Story,
    as_known,
    dead_ends,
    in_vain,
)
from tests.titles.twilight_imperium_3_table import activate, galaxy, says, unit


def sol_holds(*cards: str) -> Story:
    """Set up a game in which Sol has cards that cannot be played as an action."""
    timings = dict.fromkeys(cards, "other")
    return galaxy(unit("sol-cruiser-1", "home-sol"), hands={"sol": cards, "mentak": ["Flank Speed"]}, timings=timings)


def test_dead_end_that_an_order_leads_to_is_found() -> None:
    """Twilight Imperium 3 AP: `take-action card` without a card for an action."""
    with patch.object(turn, "why_no_card", lambda game, side: ""):
        story = sol_holds("Sabotage").play(says("sol", "take-action", action="card"))
    [finding] = dead_ends(TITLE, story.game)
    assert finding.about == "AP.card.play"
    assert any(refused.startswith("play-card by sol: ") for refused in finding.refusals)


def test_order_of_a_parallel_step_does_not_prevent_a_dead_end() -> None:
    with patch.object(turn, "why_no_card", lambda game, side: ""):
        story = sol_holds("Sabotage").play(says("sol", "take-action", action="card"))
    story.play(says("mentak", "play-card", card="Flank Speed"))
    assert [one.about for one in dead_ends(TITLE, story.game)] == ["AP.card.play"]


def test_position_with_a_way_out_has_no_dead_end() -> None:
    assert not list(dead_ends(TITLE, sol_holds("Sabotage").game))


def test_generic_order_of_another_role_in_a_turn_view_is_found() -> None:
    """Twilight Imperium 3: generic orders in `card` before a card is open, as other seats saw them."""
    story = activate(sol_holds("Sabotage"), "home-sol")
    assert not list(in_vain(TITLE, story.game))
    with patch.object(visible_openings, "is_closed", lambda *asked: False):
        found = list(in_vain(TITLE, story.game))
    assert {"card pay", "card remove", "card roll"} <= {one.about for one in found}
    assert not any("referee sees" in one.what for one in found)


@pytest.mark.parametrize(("seat", "knows"), [("sol", True), ("letnev", False), ("spectator", False), ("referee", True)])
def test_sealed_answer_is_known_to_its_side_and_the_referee(seat: str, knows: bool) -> None:
    known = as_known(sol_holds("Sabotage").game, seat).choices["hand/sol"]
    assert (known.known, known.choice) == ((True, ("Sabotage",)) if knows else (False, None))


def test_sealed_answer_closed_to_the_referee_is_unknown_there() -> None:
    story = galaxy(hands={"sol": ["Sabotage"]}, options={"secrets_closed_to_referee": True})
    assert not as_known(story.game, "referee").choices["hand/sol"].known
