"""Check carriers: attributes that name the unit with which a unit moves, and units that leave their carrier."""

from typing import Any

import pytest

from tests.domain.teaching import NORTH, lesson, step
from tests.face.desk import need_title
from tests.face.domain import Unit, replace
from tests.face.testing import left_behind
from tests.titles.test_federation_aboard import C, pooled

DECLARED = {"pacific-war": {"aboard", "task_force"}, "federation-and-empire": {"aboard", "tows", "pinwheel"}}


@pytest.mark.parametrize("title", ["freeform", "war-galley", "red-coat-rags", "twilight-imperium-3", *DECLARED])
def test_title_declares_its_carriers(title: str) -> None:
    assert {*need_title(title).carriers} == DECLARED.get(title, set())


def left(**ship: Any) -> list[str]:
    """Return the words of the findings in a game with a boat, a crew and a guest aboard it."""
    table = lesson(step("A", NORTH))
    boat = Unit(**{"id": "boat", "side": NORTH, "kind": "boat", "at": "0101", **ship})
    crew = Unit(id="crew", side=NORTH, kind="crew", at="0101", attributes={"aboard": "boat"})
    guest = Unit(id="guest", side=NORTH, kind="crew", at="0101", attributes={"aboard": ("boat",)})
    game = replace(table.game, units=replace_units(table.game.units, boat, crew, guest))
    return [one.what for one in left_behind(replace(table.title, carriers=("aboard",)), game)]


def replace_units(units: Any, *more: Unit) -> Any:
    """Return the units, with some of them replaced."""
    for one in more:
        units = units.set(one.id, one)
    return units


def test_unit_with_its_carrier_is_not_left() -> None:
    assert not left()


@pytest.mark.parametrize(("ship", "words"), [({"at": "0202"}, "at 0202"), ({"fate": "sunk"}, "sunk")])
def test_unit_without_its_carrier_is_left(ship: dict[str, Any], words: str) -> None:
    assert [what.split(" ")[2] for what in left(**ship)] == ["crew", "guest"]
    assert all(words in what for what in left(**ship))


@pytest.mark.parametrize("rider", ["K-TEAM", "K-ADM"])
def test_rider_that_leaves_the_raid_pool_leaves_its_ship(rider: str) -> None:
    """Federation & Empire 3A-5B."""
    table = pooled().to("3A-5B").says(C, "pool", unit=rider, to="1206")
    assert not table.game.units[rider].get("aboard")
    assert not list(left_behind(table.story.title, table.game))
