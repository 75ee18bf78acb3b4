"""Check `umpire map`, which prints the map or writes it to a file."""

import sys
from xml.etree import ElementTree

import pytest

from tests.cli.terminal import Terminal


class TestMap:
    def test_map_without_a_file_is_printed_and_self_contained(self, ford: Terminal) -> None:
        said = ford.ok("map", "ford").out
        root = ElementTree.fromstring(said)
        assert root.findtext("{http://www.w3.org/2000/svg}title") == "Skirmish at the ford, Skirmish at the ford"
        assert "http" not in said.replace("http://www.w3.org/2000/svg", ""), "nothing is fetched"

    def test_map_is_written_as_svg_and_png(self, ford: Terminal) -> None:
        pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")
        assert ford.ok("map", "ford", "-o", "now.svg").out == "Wrote now.svg: ford at #3 as referee sees it.\n"
        ford.ok("map", "ford", "-o", "now.PNG", "--at", "#2", "--as", "red")
        assert (ford.folder / "now.PNG").read_bytes().startswith(b"\x89PNG\r\n")
        assert (ford.folder / "now.svg").read_text(encoding="utf-8") == ford.ok("map", "ford").out

    def test_stacks_are_opened_out_when_asked(self, ford: Terminal) -> None:
        ford.give("red", "place", unit="r9", side="red", kind="foot", at="0101")
        ford.give("red", "place", unit="r8", side="red", kind="foot", at="0101")
        plain, opened = (ford.ok("map", "ford", *asked).out for asked in ((), ("--stacks",)))
        heading = "0101 · Red"
        assert (heading in plain, heading in opened) == (False, True)

    def test_map_data_lists_moved_units(self, ford: Terminal) -> None:
        ford.give("red", "move", unit="r1", path=["0103"])
        shown = ford.ok("map", "ford", "--json").json
        assert [(one["place"], one["counters"][0]["unit"]) for one in shown["stacks"]] == [
            ("0102", "b1"),
            ("0103", "r1"),
        ]

    @pytest.mark.parametrize(
        ("file", "says"),
        [("map.gif", "a file that ends in .svg or .png"), ("map", ".svg or .png"), ("nowhere/map.svg", "nowhere")],
    )
    def test_another_kind_of_file_is_refused_and_none_is_left(self, ford: Terminal, file: str, says: str) -> None:
        refused = ford.type("map", "ford", "-o", file)
        assert refused.code == 2
        assert says in refused.err
        assert not [one for one in ford.folder.iterdir() if "map" in one.name]

    def test_without_the_extra_a_png_is_refused_with_its_name(
        self, ford: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "resvg_py", None)
        refused = ford.type("map", "ford", "-o", "map.png")
        assert refused.code == 2
        assert "umpire-ledger[pictures]" in refused.err
        assert not (ford.folder / "map.png").exists()

    def test_map_of_an_unknown_position_or_seat_is_an_error(self, ford: Terminal) -> None:
        assert ford.type("map", "ford", "--at", "99").code == 6
        assert "green" in ford.type("map", "ford", "--as", "green").err
