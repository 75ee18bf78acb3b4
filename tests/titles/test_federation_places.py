"""Check the hexes of Federation & Empire and their owners. Orders name only places on the map."""

from collections.abc import Iterator

import msgspec
import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import PLACES, federation_and_empire_TITLE as TITLE
from tests.titles.federation_table import Line, ship, war

A, C, ORION = "alliance", "coalition", "orion"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
R1 = ship("K-R1", "klingon", "raid-pool")
SMALL = {"columns": 17, "rows": 12, "source": "made up for this story"}


def fields_of_places() -> Iterator[tuple[str, str]]:
    """Yield each argument of the title's own orders whose type is a place."""
    for line in TITLE.orders:
        for field in msgspec.structs.fields(line.order):
            if "'names': 'place'" in repr(field.type) or "[0-9]{4}" in repr(field.type):
                yield line.order.tag(), field.name


class TestEveryPlace:
    """A5: row 00 and hexes beyond the scenario's `map` are refused in every order that names them."""

    def test_every_argument_that_holds_a_place_is_looked_at(self) -> None:
        for order, name in at_least_one(fields_of_places()):
            assert name in PLACES, f"{order} --{name} holds a place that nobody looks at"

    @pytest.mark.parametrize(
        ("step", "seat", "order"),
        [
            ("2B3", C, {"order": "call-police", "unit": "K-POL", "at": "0800", "empire": "klingon"}),
            ("2B3", C, {"order": "construct", "facility": "yard", "at": "1800", "empire": "klingon"}),
            ("2B7", C, {"order": "colony", "at": "1813", "empire": "klingon"}),
            ("3A-1B", C, {"order": "resist", "kind": "sabotage", "at": "0013"}),
            ("3A-2B", C, {"order": "raid", "unit": "K-R1", "path": ["1801", "1802"]}),
            ("3B2", C, {"order": "move-units", "units": ["K-D7"], "path": ["1205", "1200"]}),
            ("3B6", C, {"order": "deploy", "unit": "K-MB", "kind": "MB", "at": "1213", "empire": "klingon"}),
        ],
        ids=lambda one: one["order"] if isinstance(one, dict) else one,
    )
    def test_place_is_on_the_map(self, step: str, seat: str, order: Line) -> None:
        table = war(D7, R1, CC, options={"raids": True, "colonies": True}, map=SMALL).to(step)
        arguments = {name: value for name, value in order.items() if name != "order"}
        off = table.tries(seat, order["order"], **arguments)
        off.then_refused("outside-the-map", rule=step, columns=17, rows=12)

    def test_row_and_column_00_do_not_exist(self) -> None:
        table = war(D7, CC).to("3B2")
        row = table.tries(C, "move-units", units=["K-D7"], path=["1205", "1200"])
        row.then_refused("outside-the-map", rule="3B2", hex="1200", columns=99, rows=99)
        column = table.tries(C, "move-units", units=["K-D7"], path=["0006"])
        column.then_refused("outside-the-map", rule="3B2", hex="0006", columns=99, rows=99)
        table.says(C, "move-units", units=["K-D7"], path=["1205"])

    def test_pirates_come_to_the_map(self) -> None:
        pirate = ship("O-LR", "orion", "orion-pool")
        table = war(D7, CC, pirate, options={"orions": True}, map=SMALL).to("11H")
        off = table.tries(ORION, "pirate", unit="O-LR", at="9999")
        off.then_refused("outside-the-map", rule="11H", hex="9999", columns=17)
        table.says(ORION, "pirate", unit="O-LR", at="1106")


class TestForeignPlaces:
    """446.11, 531.12: new or called-up units are not at another empire's capital or in its province."""

    def test_capital_of_a_friend_is_refused(self) -> None:
        table = war(D7, CC, options={"colonies": True}).to("2B7")
        friends = table.tries(C, "colony", at="1306", empire="romulan")
        friends.then_refused(
            "not-own-territory",
            rule="2B7",
            place="1306",
            what="the capital",
            owner="Klingon Empire",
            empire="Romulan Star Empire",
            reason="capital",
        )
        table.says(C, "colony", at="1401", empire="romulan")

    def test_province_of_a_friend_is_refused(self) -> None:
        units, counted = (D7, CC), [{"side": C, "counter": "annexation", "place": "1502", "turns": 2}]
        more = {"options": {"annexation": True}, "turns_needed": {"annexation": 3}, "counters": counted}
        table = war(*units, **more).to("1B").says(C, "annex", province="1502", empire="klingon").to("2B3")
        friends = table.tries(C, "call-police", unit="R-POL", at="1502", empire="romulan")
        friends.then_refused(
            "not-own-territory",
            rule="531.12",
            place="1502",
            what="a province",
            owner="Klingon Empire",
            reason="province",
        )
        table.says(C, "call-police", unit="K-POL", at="1502", empire="klingon")


class Test3A2BOwn:
    """314.21, 320.311: raided is a hex of the enemy's, not one's own."""

    def test_side_does_not_raid_its_own_capital_or_fleet(self) -> None:
        table = war(R1, D7, CC, options={"raids": True}).to("3A-2B")
        for at in ("1306", "1206"):
            own = table.tries(C, "raid", unit="K-R1", path=[at])
            own.then_refused("raid-on-own-hex", rule="3A-2B (314.21)", place=at)
        table.says(C, "raid", unit="K-R1", path=["0902"])

    def test_enemy_in_the_own_capital_is_raided(self) -> None:
        table = war(R1, D7, ship("Z-CC", "kzinti", "1306"), options={"raids": True}).to("3A-2B")
        table.says(C, "raid", unit="K-R1", path=["1306"])

    def test_drones_are_not_aimed_at_ones_own(self) -> None:
        drones = ship("K-D6D", "klingon", "1306", "drone", raid_cost=1)
        table = war(drones, D7, CC, options={"raids": True}).to("3A-3A").says(C, "raid", unit="K-D6D").to("3A-3B")
        own = table.tries(C, "raid", unit="K-D6D", path=["1305"], target="1206")
        own.then_refused("raid-on-own-hex", rule="320.311", place="1206")
        table.says(C, "raid", unit="K-D6D", path=["1305"], target="1205")

    def test_police_do_not_answer_at_the_enemy_capital(self) -> None:
        """Federation & Empire 314.243: ships, not police, meet a drone ship that strikes from its own capital."""
        drones = ship("K-D6D", "klingon", "1206", "drone", raid_cost=1)
        table = war(drones, D7, CC, options={"raids": True}).to("3A-3A").says(C, "raid", unit="K-D6D").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=["1306"], target="1305").to("3A-3C")
        police = {"unit": "Z-POL", "police": True, "empire": "kzinti"}
        there = table.tries(A, "answer-raid", at="1306", **police)
        there.then_refused("hex-of-the-enemy", rule="314.243", at="1306")
        table.says(A, "answer-raid", at="1305", **police)
