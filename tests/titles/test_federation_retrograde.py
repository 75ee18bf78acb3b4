"""Phases 6 to 8: retrograde, replacements, field repair, strategic movement."""

from tests.titles.federation_table import ship, war

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")


class Test6D1:
    def test_a_tactical_retrograde_has_three_hexes(self) -> None:
        base = ship("Z-PS", "kzinti", "0903", "pacification", base=True)
        table = war(D7, CC, base).to("6D1")
        round_about = ["0901", "1001", "1002", "0903"]
        far = table.tries(A, "retrograde", units=["Z-CC"], path=round_about)
        far.then_refused(rule="544.47", says="4 hexes", do="three hexes")
        table.says(A, "retrograde", units=["Z-CC"], path=["0903"])


class Test6D2:
    def test_a_unit_goes_back_once(self) -> None:
        table = war(D7, CC).to("6D2").says(C, "retrograde", units=["K-D7"], path=["1306"])
        again = table.tries(C, "retrograde", units=["K-D7"], path=["1206"])
        again.then_refused(rule="206.0", says="went back already", do="that have not")
