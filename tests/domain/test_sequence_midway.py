"""Compare any sequence from any position: a game opened from that mid-game setup plays on like the original."""

from hypothesis import given

from tests.at_least_one import at_least_one
from tests.domain.teaching import BOTH
from tests.domain.test_sequence_random import CHOICES, QUICK, no_fault_unfound, titles, walk
from tests.face.domain import (
    Game,
    Order,
    RuleViolation,
    Scenario,
    Sent,
    Side,
    Title,
    decide,
    events_of,
    read_scenario,
)
from tests.face.testing import NO_HISTORY, Story
from tests.taken_over import bare, standing, written

BASE = Scenario(title="teaching", name="a lesson", sides=tuple(Side(id=side, name=side.title()) for side in BOTH))


def outcome(title: Title, game: Game, order: Order) -> object:
    """Return the result of an order: its events and the state, or the parts of the refusal."""
    try:
        decision = decide(title, game, Sent(order=order), NO_HISTORY)
    except RuleViolation as refusal:
        return refusal.what, refusal.where, refusal.rule, refusal.remedy
    return list(bare(tuple(events_of(decision.told)))), standing(decision.game)


class TestMidgameSetup:
    @QUICK
    @given(titles(), CHOICES)
    def test_midgame_setup_plays_on_like_the_original(self, title: Title, choices: list[int]) -> None:
        with no_fault_unfound(title):
            for story, order in at_least_one(walk(title, choices)):
                text = written(title, BASE, story.game)
                other = Story(title, read_scenario(text, title.scenario))
                assert standing(other.game) == standing(story.game)
                assert written(title, BASE, other.game) == text
                assert outcome(title, other.game, order) == outcome(title, story.game, order)
