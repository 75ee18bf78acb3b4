"""`umpire chart`: a picture, the data of it, and the same in words."""

import re
from xml.etree import ElementTree

import pytest

from tests.cli.terminal import Terminal
from tests.naming import Naming

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def rolled(ford: Terminal) -> Terminal:
    """Return the game `ford` after both sides rolled dice and Red scored a point."""
    for seat, pips in (("red", [3]), ("red", [6]), ("blue", [1])):
        ford.give(seat, "roll", dice="1d6", purpose="fire", pips=pips)
    ford.give("red", "pay", account="vp/red", amount=2)
    return ford


@pytest.mark.parametrize("kind", ["dice", "accounts", "losses", "time"])
class TestEveryKind:
    def test_chart_is_printed_and_self_contained(self, rolled: Terminal, kind: str) -> None:
        said = rolled.ok("chart", "ford", kind).out
        root = ElementTree.fromstring(said)
        assert str(root.findtext(f"{SVG}title")).startswith("Skirmish at the ford: ")
        assert "http" not in said.replace("http://www.w3.org/2000/svg", ""), "nothing is fetched"

    def test_chart_is_written_as_svg_and_png(self, rolled: Terminal, kind: str) -> None:
        pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
        told = rolled.ok("chart", "ford", kind, "-o", "c.svg", "--as", "red").out
        assert told == Naming("c.svg", kind, "ford", "red")
        assert (rolled.folder / "c.svg").read_text(encoding="utf-8") == rolled.ok(
            "chart", "ford", kind, "--as", "red"
        ).out
        rolled.ok("chart", "ford", kind, "-o", "c.png")
        assert (rolled.folder / "c.png").read_bytes().startswith(b"\x89PNG\r\n")

    def test_in_words_and_as_data(self, rolled: Terminal, kind: str) -> None:
        words = rolled.ok("chart", "ford", kind, "--text").out.splitlines()
        shown = rolled.ok("chart", "ford", kind, "--json").json
        assert shown["words"] == words
        assert (shown["kind"], shown["game"], shown["file"]) == (kind, "ford", None)


class TestChart:
    def test_dice_in_words(self, rolled: Terminal) -> None:
        words = rolled.ok("chart", "ford", "dice", "--text").out
        assert re.search(r"d6: 1 1 \(0\.5 \w+\), 2 0 \(0\.5 \w+\), 3 1 \(0\.5 \w+\)", words)
        assert "χ² 3.00, df 5, p 0.700, n 3" in words.replace("Χ", "χ")

    def test_dice_of_lines_that_were_left_are_counted_when_asked(self, rolled: Terminal) -> None:
        size = rolled.size()
        rolled.give("red", "roll", dice="1d6", purpose="fire", pips=[2])
        rolled.ok("rewind", "ford", "--to", str(size), "--why", "a slip")
        counts = [
            rolled.ok("chart", "ford", "dice", "--json", *more).json["panels"][0]["facts"]["n"]
            for more in ((), ("--all",))
        ]
        assert counts == [3, 4]

    def test_pause_is_accepted_or_refused(self, rolled: Terminal) -> None:
        assert rolled.ok("chart", "ford", "time", "--pause", "8h").out
        refused = rolled.type_json("chart", "ford", "time", "--pause", "soon")
        assert (refused.code, refused.error["rule"]) == (2, "times")
        assert "'soon'" in refused.error["what"]

    @pytest.mark.parametrize(
        ("words", "code", "says"),
        [
            (("chart", "ford", "dise"), 2, "dice"),
            (("chart", "ford"), 2, "dice"),
            (("chart", "fort", "dice"), 6, "fort"),
            (("chart", "ford", "dice", "--as", "green"), 3, "green"),
            (("chart", "ford", "dice", "-o", "c.gif"), 2, ".svg or .png"),
            (("chart", "ford", "dice", "-o", "nowhere/c.svg"), 2, "nowhere"),
        ],
    )
    def test_wrong_option_is_refused_and_no_file_is_left(
        self, rolled: Terminal, words: tuple[str, ...], code: int, says: str
    ) -> None:
        refused = rolled.type(*words)
        assert refused.code == code
        assert says in refused.err
        assert not [file for file in rolled.folder.iterdir() if file.suffix in (".svg", ".gif", ".part")]

    def test_drawn_twice_it_is_the_same(self, rolled: Terminal) -> None:
        assert rolled.ok("chart", "ford", "losses").out == rolled.ok("chart", "ford", "losses").out
