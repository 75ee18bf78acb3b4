"""Test scenario orders that search for hidden units: results, visibility, and facts that stay secret."""

import pytest

from tests.face.domain import (
    REFEREE,
    SPECTATOR,
    DiceRolled,
    FreeformScenario,
    HiddenDone,
    HiddenOrdered,
    Hide,
    MarkerSet,
    Move,
    RestrictedEvent,
    Show,
    Undo,
    UnitShown,
    freeform_TITLE as TITLE,
    known_to,
    read_scenario,
)
from tests.face.testing import Story

CONVOY, WOLVES, WATCH = "convoy", "wolves", "watch"
SWEEP = """
title = "freeform"
name = "The sweep"
sides = [{ id = "convoy", name = "Convoy" }, { id = "wolves", name = "Wolves" }, { id = "watch", name = "Watch" }]
units = [
  { id = "convoy-1", side = "convoy", kind = "corvette", at = "0610" },
  { id = "wolves-1", side = "wolves", kind = "submarine", at = "0612", hidden = true },
]

[options]
fog = true

[orders.search]
words = "Search a hex"
takes = { hex = "place" }
rules = ["4.2"]
does = [
  { throw = "1d6", purpose = "a search" },
  { find = "at = hex and side != asking", when = "total >= 5", nothing = "nothing is at {hex}" },
]

[orders.listen]
words = "Listen for anybody"
does = [{ find = "true" }, { set = "listened", to = true }]
"""


def search(where: str, seat: str = CONVOY) -> dict[str, str]:
    return {"as": seat, "order": "search", "hex": where}


def swept(text: str = SWEEP) -> Story:
    return Story(TITLE, read_scenario(text, FreeformScenario))


@pytest.fixture
def sea() -> Story:
    """Return a game with a hidden submarine at 0612."""
    return swept()


class TestFoundUnits:
    def test_found_unit_is_shown_to_searcher_and_owner(self, sea: Story) -> None:
        sea.when(search("0612"), pips=(5,)).then_accepted()
        shown = UnitShown(
            unit="wolves-1", side=WOLVES, kind="submarine", at="0612", seen_by=(CONVOY, WOLVES), rule="4.2"
        )
        rolled, *records = sea.told
        assert isinstance(rolled, DiceRolled)
        assert records == [
            HiddenOrdered(side=CONVOY, search=True, rule="4.2"),
            RestrictedEvent(HiddenDone(events=(shown,)), (CONVOY, REFEREE)),
            RestrictedEvent(HiddenDone(events=(shown,)), (WOLVES, REFEREE)),
            RestrictedEvent(HiddenDone(), (WATCH, REFEREE)),
        ]
        assert known_to(sea.game, CONVOY).units["wolves-1"].at == "0612"
        for seat in (WATCH, SPECTATOR):
            assert "wolves-1" not in known_to(sea.game, seat).units

    def test_found_unit_stays_visible_until_it_hides_again(self, sea: Story) -> None:
        sea.when(search("0612"), pips=(5,))
        sea.when(Move(seat=WOLVES, unit="wolves-1", path=("0613",))).then_accepted()
        assert known_to(sea.game, CONVOY).units["wolves-1"].at == "0613"
        sea.when(Hide(seat=WOLVES, unit="wolves-1")).then_accepted()
        assert "wolves-1" not in known_to(sea.game, CONVOY).units
        sea.when(search("0613"), pips=(6,)).then_accepted()
        assert not known_to(sea.game, CONVOY).sightings
        sea.when(Show(seat=WOLVES, unit="wolves-1")).then_accepted()
        assert "wolves-1" in sea.game.units

    def test_all_that_is_there_is_found_whosever_it_is(self) -> None:
        also = '{ id = "watch-1", side = "watch", kind = "picket", at = "0612", hidden = true },\n]'
        sea = swept(SWEEP.replace("]\n\n[options]", f"  {also}\n\n[options]"))
        sea.when(search("0612"), pips=(5,)).then_accepted()
        assert [len(one.event.events) for one in sea.told if isinstance(one, RestrictedEvent)] == [2, 1, 1]  # type: ignore[union-attr]

    def test_public_effect_of_search_is_public(self, sea: Story) -> None:
        sea.when({"as": WATCH, "order": "listen"}).then_accepted()
        marked, ordered, *private = sea.told
        assert isinstance(marked, MarkerSet)
        assert ordered == HiddenOrdered(side=WATCH, search=True)
        assert [one.visible_to for one in private if isinstance(one, RestrictedEvent)] == [
            (WATCH, REFEREE),
            (CONVOY, REFEREE),
            (WOLVES, REFEREE),
        ]
        assert "wolves-1" in known_to(sea.game, WATCH).units

    def test_search_by_hidden_ship_has_secret_dice(self) -> None:
        """Keep the result secret: the number of records is the same for success and failure."""
        text = SWEEP.replace('at = "0610"', 'at = "0610", hidden = true')
        text = text.replace('{ hex = "place" }', '{ hex = "place", ship = "unit" }')
        told = []
        for pip in (2, 5):
            sea = swept(text)
            sea.when({**search("0612"), "ship": "convoy-1"}, pips=(pip,)).then_accepted()
            assert ("wolves-1" in known_to(sea.game, CONVOY).units) is (pip == 5)
            told.append([one.visible_to if isinstance(one, RestrictedEvent) else one for one in sea.told])
        assert told[0] == told[1]
        assert isinstance(told[0][0], tuple)

    def test_search_by_referee_shows_units_to_no_side(self, sea: Story) -> None:
        sea.when({"as": REFEREE, "order": "listen"}).then_accepted()
        assert next(one.visible_to for one in sea.told if isinstance(one, RestrictedEvent)) == (REFEREE,)
        assert sea.game.hidden["wolves-1"].seen_by == (WOLVES,)


class TestSecrecy:
    @pytest.mark.parametrize(("where", "pip"), [("0612", 2), ("0612", 5), ("0303", 2), ("0303", 5)])
    def test_search_makes_equal_records_for_every_result(self, where: str, pip: int) -> None:
        sea = swept()
        sea.when(search(where), pips=(pip,)).then_accepted()
        assert [type(one.event if isinstance(one, RestrictedEvent) else one) for one in sea.told] == [
            *(DiceRolled, HiddenOrdered),
            *(HiddenDone, HiddenDone, HiddenDone),
        ]
        assert [one.visible_to for one in sea.told if isinstance(one, RestrictedEvent)] == [
            (CONVOY, REFEREE),
            (WOLVES, REFEREE),
            (WATCH, REFEREE),
        ]

    def test_failed_search_does_not_reveal_a_hidden_unit(self) -> None:
        there, elsewhere = swept(), swept(SWEEP.replace("0612", "0303"))
        for sea in (there, elsewhere):
            sea.when(search("0612"), pips=(2,)).then_accepted()
        assert there.told == elsewhere.told

    def test_empty_search_says_so_only_by_its_rule(self, sea: Story) -> None:
        sea.when(search("0303"), pips=(5,))
        assert RestrictedEvent(HiddenDone(says="nothing is at 0303"), (CONVOY, REFEREE)) in sea.told
        sea.when(search("0303"), pips=(4,))
        assert RestrictedEvent(HiddenDone(), (CONVOY, REFEREE)) in sea.told

    def test_visible_unit_is_not_found_again(self, sea: Story) -> None:
        sea.when(search("0612"), pips=(5,))
        sea.when(search("0612"), pips=(5,))
        assert RestrictedEvent(HiddenDone(says="nothing is at 0612"), (CONVOY, REFEREE)) in sea.told

    def test_undo_of_search_by_seat_is_refused(self, sea: Story) -> None:
        """Refuse the undo, because the seat has learned something, even from an empty search."""
        sea.when({"as": CONVOY, "order": "listen"})
        sea.when(Undo(seat=CONVOY)).then_refused("only-the-referee-undoes", rule="undo and rewind", first=6)

    def test_without_fog_there_is_nothing_to_be_found_and_no_record(self) -> None:
        text = SWEEP.replace("fog = true", "fog = false").replace(", hidden = true", "")
        sea = swept(text)
        sea.when(search("0612"), pips=(5,)).then_accepted()
        assert [type(one) for one in sea.told] == [DiceRolled]
