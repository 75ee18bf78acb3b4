"""Check the list of units with their attributes, and the situation report of a turn."""

from tests.cli.terminal import Terminal


class TestUnits:
    def test_set_attributes_are_listed_in_words(self, ford: Terminal) -> None:
        for attribute, to in (("tired", True), ("lame", False), ("orders", ["hold", "dig"]), ("fatigue", 2)):
            ford.give("red", "change", unit="r1", attribute=attribute, to=to)
        _, red, blue = sorted(ford.ok("units", "ford").out.splitlines(), reverse=True)
        assert red.split(maxsplit=4) == ["r1", "red", "foot", "0101", "strength 4, tired, orders hold dig, fatigue 2"]
        assert blue.split() == ["b1", "blue", "foot", "0102"]

    def test_stacks_are_listed_by_place(self, ford: Terminal) -> None:
        ford.give("red", "move", unit="r1", path=["0102"])
        assert ford.ok("units", "ford", "--stacks").out.splitlines()[-1].split(maxsplit=1) == ["0102", "b1, r1"]


class TestSituationReport:
    def test_report_of_a_game_without_a_sequence_has_all_events(self, ford: Terminal) -> None:
        ford.give("red", "place", unit="r2", side="red", kind="horse", at="0909")
        ford.give("red", "move", unit="r1", path=["0201", "0301", "0302"])
        ford.give("red", "move", unit="r1", path=["0402", "0401"])
        ford.give("blue", "move", unit="b1", path=["0103"])
        ford.give("blue", "move", unit="b1", path=["0102"])
        ford.give("blue", "change", unit="b1", attribute="crippled", to=True)
        ford.give("red", "remove", unit="r2", fate="destroyed")
        said = ford.ok("sitrep", "ford").out
        assert "0101 → 0401: r1" in said
        assert "0102 →" not in said, "b1 is back where it was"
        assert "crippled: b1" in said
        assert "destroyed: r2 at 0909" in said
        assert "Battles" not in said, "nobody has said that there was one"
