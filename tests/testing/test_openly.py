"""Check that playing a card openly is not a leak, and that the rest of the hand and unplayed cards stay secret."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.face.domain import (
    Decision,
    Title,
    decide,
    read_order,
)
from tests.face.testing import (
    HELD,
    ArgumentUse,
    Invariant,
    arguments_OWN as OWN,
    played_openly,
)
from umpire_ledger.testing import NO_HISTORY, Story, scenarios

HERE = Path(__file__).parent


@pytest.fixture
def fords(monkeypatch: pytest.MonkeyPatch) -> Iterator[Title]:
    """Title with hidden hands of cards."""
    monkeypatch.syspath_prepend(str(HERE))
    from three_fords import TITLE  # noqa: PLC0415 -- only importable here

    yield TITLE
    for name in [name for name in sys.modules if name.partition(".")[0] == "three_fords"]:
        del sys.modules[name]


@pytest.fixture
def story(fords: Title) -> Story:
    """Game in which red has a charge and a volley, blue has a rally, and both plans are public."""
    story = Story(fords, scenarios(fords, HERE / "three_fords" / "fixtures")[0])
    for turn, pips in enumerate((1, 4)):
        story.when({"as": "red", "order": "draw-card", "pips": [pips]}).then_accepted()
        story.when({"as": "blue", "order": "draw-card", "pips": [6]}).then_accepted()
        story.play(
            {"as": "red", "order": "seal-plan", "plan": "hold"}, {"as": "blue", "order": "seal-plan", "plan": "hold"}
        )
        if not turn:
            story.play(*[{"as": side, "order": "done"} for _ in range(2) for side in ("red", "blue")])
    return story


def given(story: Story, raw: dict[str, Any]) -> Decision:
    return decide(story.title, story.game, read_order(story.title, raw), NO_HISTORY)


class TestPlayedOpenly:
    def test_card_from_the_hand_is_played_openly(self, story: Story) -> None:
        played = given(story, {"as": "red", "order": "play-card", "card": "charge", "company": "red-1"})
        assert played_openly(story.game, played, "red") == {"charge"}
        assert played_openly(story.game, played, "blue") == frozenset()

    def test_order_without_a_card_plays_nothing_openly(self, story: Story) -> None:
        marched = given(story, {"as": "red", "order": "march", "company": "red-1", "path": ["upper-ford"]})
        assert played_openly(story.game, marched, "red") == frozenset()


class TestArgumentUse:
    ORDERS = (("charge", "red-1"), ("volley", "red-2"), ("volley", "red-1"), ("charge", "red-2"))

    def noted(self, story: Story, orders: tuple[tuple[str, str], ...]) -> ArgumentUse:
        use = ArgumentUse()
        for card, company in orders:
            raw = {"as": "red", "order": "play-card", "card": card, "company": company}
            use.note(story.game, read_order(story.title, raw).order)
        return use

    def test_argument_that_names_own_units_and_held_cards_is_learned(self, story: Story) -> None:
        use, kind = self.noted(story, self.ORDERS), story.title.every_order["play-card"]
        assert use.likely(kind, "company") == {Invariant(OWN)}
        assert use.likely(kind, "card") == {Invariant(HELD, "the sealed hand")}

    def test_argument_that_is_seldom_seen_is_not_learned(self, story: Story) -> None:
        use, kind = self.noted(story, self.ORDERS[:3]), story.title.every_order["play-card"]
        assert not use.likely(kind, "company")

    def test_argument_that_once_names_an_enemy_is_not_learned(self, story: Story) -> None:
        use = self.noted(story, (*self.ORDERS, ("rally", "blue-1")))
        kind = story.title.every_order["play-card"]
        assert not use.likely(kind, "company")
        assert not use.likely(kind, "card")
