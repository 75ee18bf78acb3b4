"""Check drone raids aimed at another hex than they enter: the sides that answer, the hexes of strike and meeting."""

from tests.face.domain import (
    DiceRolled,
    UnitChanged,
    UnitPlaced,
    way,
)
from tests.titles.federation_table import Line, War, figures, ship, war

A, C, ISC = "alliance", "coalition", "isc"
DRONE, D7 = ship("K-D6D", "klingon", "1306", "drone", attack=7), ship("K-D7", "klingon", "1206")
CC, FF = ship("Z-CC", "kzinti", "0902"), ship("Z-FF", "kzinti", "1105")
PC = ship("T-PC", "tholian", "1205")
KLINGONS = {"id": "klingon", "side": C, "name": "Klingons", "letter": "K", "ep": 9}
THREE: Line = {
    "sides": [{"id": one, "name": one.title()} for one in (C, A, ISC)],
    "turn_order": [C, A, ISC],
    "wars": [[C, A], [C, ISC]],
    "empires": [
        KLINGONS,
        {"id": "kzinti", "side": A, "name": "Kzintis", "letter": "Z", "capital": "0902"},
        {"id": "isc", "side": ISC, "name": "ISC", "letter": "I"},
    ],
}


def aimed(*more: Line, **about: object) -> War:
    """Move K-D6D to 1205, with its drones aimed at 1105."""
    table = war(DRONE, D7, CC, FF, *more, options={"raids": True}, **about).to("3A-3A")
    table.says(C, "raid", unit="K-D6D").to("3A-3B")
    return table.says(C, "raid", unit="K-D6D", path=["1205"], target="1105")


class Test3A3CBothHexes:
    """320.314: the empire whose hex is struck answers, in that hex or in the one that the raider has gone to."""

    def test_police_are_called_to_the_hex_the_drones_strike(self) -> None:
        table = aimed().to("3A-3C")
        table.says(A, "answer-raid", at="1105", unit="Z-POL", police=True, empire="kzinti")
        table.story.then(UnitPlaced, unit="Z-POL", at="1105")
        elsewhere = table.tries(A, "answer-raid", at="1004", unit="Z-P2", police=True, empire="kzinti")
        elsewhere.then_refused("hex-not-raided", rule="3A-3C", at="1004", hexes="1205, 1105")

    def test_ship_reacts_to_the_hex_of_the_raider(self) -> None:
        table = aimed().to("3A-3C").says(A, "answer-raid", at="1205", unit="Z-FF", path=["1205"])
        assert table.game.units["Z-FF"].at == "1205"

    def test_raid_is_answered_in_one_way_in_both_its_hexes(self) -> None:
        table = aimed().to("3A-3C").says(A, "answer-raid", at="1205", unit="Z-FF", path=["1205"])
        police = table.tries(A, "answer-raid", at="1105", unit="Z-POL", police=True, empire="kzinti")
        police.then_refused("answered-otherwise", rule="314.243", answer="reaction", at="1105")
        table.says(A, "answer-raid", at="1105", unit="Z-CC", path=list(way("0902", "1105")))

    def test_owner_of_a_hex_only_entered_is_not_the_target(self) -> None:
        table = aimed(ship("I-CL", "isc", "1205"), **THREE).to("3A-3C")
        other = table.tries(ISC, "answer-raid", at="1205", unit="I-P", police=True, empire="isc")
        other.then_refused("raid-aimed-at-others", rule="314.243", place="1205", empire="isc", empires="kzinti")
        table.says(A, "answer-raid", at="1205", unit="Z-P", police=True, empire="kzinti")


class Test3A3EStruck:
    """320.34: the raid strikes the hex at which the drones are aimed, and spares the other."""

    def test_round_is_fought_in_the_hex_they_strike(self) -> None:
        table = aimed(PC).to("3A-3E")
        table.tries(C, "done").then_refused("orders-required", rule="320.34", orders=("skirmish",))
        table.says(C, "skirmish", 4, units=["K-D6D"])
        assert figures(table.story.then(DiceRolled).purpose) == ["1105", "7", "4"]
        beside = table.tries(A, "suffer", unit="T-PC", outcome="crippled")
        beside.then_refused("no-part-in-round", rule="320.34", unit="T-PC", units="Z-FF")
        table.says(A, "suffer", unit="Z-FF", outcome="crippled")
        table.story.then(UnitChanged, unit="Z-FF", attribute="crippled", after=True)

    def test_points_wait_in_the_hex_they_strike(self) -> None:
        table = aimed(PC).to("3A-3E").says(C, "skirmish", 4, units=["K-D6D"])
        beside = table.tries(C, "carry-points", at="1205", points=2)
        beside.then_refused("nobody-raids-there", rule="320.34", at="1205", targets="1105")
        table.says(C, "carry-points", at="1105", points=2)
        assert table.game.accounts["coalition/plus 1105"] == 2

    def test_raiders_of_two_hexes_strike_one_together_and_once(self) -> None:
        other = ship("K-D6E", "klingon", "1206", "drone", attack=3)
        table = war(DRONE, other, D7, CC, FF, options={"raids": True}).to("3A-3A")
        table.says(C, "raid", unit="K-D6D").says(C, "raid", unit="K-D6E").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=["1205"], target="1105")
        table.says(C, "raid", unit="K-D6E", path=["1106"], target="1105").to("3A-3E")
        table.says(C, "skirmish", 4, units=["K-D6D", "K-D6E"])
        assert figures(table.story.then(DiceRolled).purpose) == ["1105", "10", "4"]
        again = table.tries(C, "skirmish", 4, units=["K-D6E"])
        again.then_refused("fought-this-raid", rule="320.34")


class Test3A3HOneHex:
    """320.353: both sides must roll in the hex of interception, also if the raider is elsewhere."""

    def test_met_in_the_target_hex_both_roll_there(self) -> None:
        table = aimed().to("3A-3F").says(A, "intercept-at", at="1105").done(A, answer="intercept")
        table.says(A, "roll-intercept", 6, at_least=4, units=["Z-FF"])
        for side in (A, C):
            table.tries(side, "done").then_refused("orders-required", rule="320.353", orders=("skirmish",))
        table.says(C, "skirmish", 3, units=["K-D6D"])
        assert figures(table.story.then(DiceRolled).purpose) == ["1105", "3.5", "4"]
        table.says(A, "skirmish", 3, units=["Z-FF"]).done(A, C)
        assert table.open == ("3A-3J",)

    def test_met_in_the_attack_hex_both_roll_there(self) -> None:
        table = aimed(PC).to("3A-3F").says(A, "intercept-at", at="1205").done(A, answer="intercept")
        table.says(A, "roll-intercept", 6, at_least=4, units=["T-PC"])
        table.tries(C, "done").then_refused("orders-required", rule="320.353", orders=("skirmish",))
        away = table.tries(A, "skirmish", 3, units=["Z-FF"])
        away.then_refused("no-part-in-round", rule="320.353", unit="Z-FF", units="T-PC")
        table.says(A, "skirmish", 3, units=["T-PC"])
