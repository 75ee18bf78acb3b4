"""An order of a scenario's own that searches for hidden units: what it finds, who learns of it, what nobody tells."""

import pytest

from umpire_ledger.domain.game.events import (
    DiceRolled,
    HiddenDone,
    HiddenOrdered,
    MarkerSet,
    RestrictedEvent,
    UnitShown,
)
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.orders import Hide, Move, Show, Undo
from umpire_ledger.domain.game.scenario import read_scenario
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR
from umpire_ledger.domain.titles.freeform import TITLE
from umpire_ledger.domain.titles.freeform.scenario import FreeformScenario
from umpire_ledger.testing.story import Story

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
    """A submarine waits unseen at 0612."""
    return swept()


class TestWhatIsFound:
    def test_it_is_shown_to_the_side_that_searched_and_its_owner_learns_of_it(self, sea: Story) -> None:
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

    def test_from_then_on_it_is_seen_where_it_goes_until_it_is_hidden_again(self, sea: Story) -> None:
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

    def test_what_it_does_beside_stands_in_the_open(self, sea: Story) -> None:
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

    def test_a_hidden_ship_searches_with_hidden_dice(self) -> None:
        """Nobody else learns whether the search succeeded, as many records as there are."""
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

    def test_the_referee_sees_all_and_finds_for_nobody(self, sea: Story) -> None:
        sea.when({"as": REFEREE, "order": "listen"}).then_accepted()
        assert next(one.visible_to for one in sea.told if isinstance(one, RestrictedEvent)) == (REFEREE,)
        assert sea.game.hidden["wolves-1"].seen_by == (WOLVES,)


class TestWhatNobodyCanTell:
    @pytest.mark.parametrize(("where", "pip"), [("0612", 2), ("0612", 5), ("0303", 2), ("0303", 5)])
    def test_a_search_leaves_as_many_records_whatever_comes_of_it(self, where: str, pip: int) -> None:
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

    def test_one_that_fails_says_the_same_whether_something_is_there_or_not(self) -> None:
        there, elsewhere = swept(), swept(SWEEP.replace("0612", "0303"))
        for sea in (there, elsewhere):
            sea.when(search("0612"), pips=(2,)).then_accepted()
        assert there.told == elsewhere.told

    def test_one_that_finds_nothing_says_so_only_where_its_rule_does(self, sea: Story) -> None:
        sea.when(search("0303"), pips=(5,))
        assert RestrictedEvent(HiddenDone(says="nothing is at 0303"), (CONVOY, REFEREE)) in sea.told
        sea.when(search("0303"), pips=(4,))
        assert RestrictedEvent(HiddenDone(), (CONVOY, REFEREE)) in sea.told

    def test_what_is_seen_already_is_not_found_again(self, sea: Story) -> None:
        sea.when(search("0612"), pips=(5,))
        sea.when(search("0612"), pips=(5,))
        assert RestrictedEvent(HiddenDone(says="nothing is at 0612"), (CONVOY, REFEREE)) in sea.told

    def test_no_seat_takes_a_search_back(self, sea: Story) -> None:
        """It knows now, even that nothing is there."""
        sea.when({"as": CONVOY, "order": "listen"})
        sea.when(Undo(seat=CONVOY)).then_refused(
            rule="undo and rewind", says="hidden units were searched for", do="ask the referee"
        )

    def test_without_fog_there_is_nothing_to_be_found_and_no_record(self) -> None:
        text = SWEEP.replace("fog = true", "fog = false").replace(", hidden = true", "")
        sea = swept(text)
        sea.when(search("0612"), pips=(5,)).then_accepted()
        assert [type(one) for one in sea.told] == [DiceRolled]
