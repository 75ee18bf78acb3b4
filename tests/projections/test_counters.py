"""Test how counters show kinds, damage and sides: drawings, numbers, and readable colors."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.face.desk import need_title
from tests.face.domain import COLORS, SYMBOLS, Board, Game, Side, Unit, color_of, symbol_of
from tests.face.projections import (
    COLOURS,
    DRAWINGS,
    READABLE,
    contrast,
    counter_of,
    ink_on,
    leaves_right,
    looks_of,
    place_of_symbol,
    with_colors,
)
from tests.face.testing import FIXTURES
from tests.projections.page_blocks import Blocks

SVG = "{http://www.w3.org/2000/svg}"
TITLES = ("war-galley", "pacific-war", "federation-and-empire", "twilight-imperium-3", "red-coat-rags")
FOG = """
title = "freeform"
name = "Night run"
dice = "table"
sides = [{ id = "convoy", name = "Convoy", color = "#123456", letter = "x" }, { id = "wolves", name = "The Red" }]
options = { fog = true }
units = [
    { id = "wolves-1", side = "wolves", kind = "submarine", at = "0304", hidden = true },
    { id = "wolves-2", side = "wolves", kind = "decoy", at = "0303" },
    { id = "convoy-1", side = "convoy", kind = "freighter", at = "0101", attributes = { crippled = true, steps = 3 } },
    { id = "convoy-2", side = "convoy", kind = "tug", at = "0101" },
    { id = "convoy-3", side = "convoy", kind = "freighter", at = "0102", attributes = { steps = 0 } },
]
[board]
hexes = { columns = 6, rows = 6 }
symbols = { freighter = "transport", tug = "boat", decoy = "" }
numbers = { steps = "", hits = "-" }
"""


@pytest.mark.parametrize("colour", [*COLOURS, *COLORS.values(), "#ffffff", "#000000", "#767676", "#7f7f7f", "#ff0000"])
def test_ink_can_be_read_on_every_color(colour: str) -> None:
    """WCAG 2.2, 1.4.3."""
    assert contrast(ink_on(colour), colour) >= READABLE


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


class TestColors:
    def looks(self, *sides: tuple[str, str]) -> list[str]:
        found = looks_of(Side(id=f"s{at}", name=name, color=color) for at, (name, color) in enumerate(sides))
        return [look.colour for side, look in found.items() if side]

    def test_side_named_as_a_color_has_it(self) -> None:
        assert self.looks(("Red", ""), ("The Blue", "")) == [COLORS["red"], COLORS["blue"]]

    def test_chosen_color_is_kept_and_not_given_again(self) -> None:
        found = self.looks(("Japan", "#AB0011"), ("Allies", "blue"), ("Others", ""))
        assert found == ["#ab0011", COLORS["blue"], COLOURS[1]]

    def test_sides_without_color_keep_the_safe_palette(self) -> None:
        assert self.looks(("Athens", ""), ("Syracuse", "")) == list(COLOURS[:2])

    def test_title_gives_a_color_unless_the_side_chose_one(self) -> None:
        board = Board(colors={"a": "red", "b": "blue"})
        sides = (Side(id="a", name="A"), Side(id="b", name="B", color="pink"), Side(id="c", name="C"))
        assert [one.color for one in with_colors(sides, board)] == ["red", "pink", ""]

    def test_letter_of_a_side_is_not_given_to_another(self) -> None:
        looks = looks_of([Side(id="a", name="Japan"), Side(id="b", name="Allies", letter="j")])
        assert [looks[side].letter for side in "ab"] == ["A", "J"]

    def test_unknown_color_is_none(self) -> None:
        assert (color_of("RED"), color_of("#12345"), color_of("reddish")) == (COLORS["red"], "", "")


class TestSymbols:
    def test_every_symbol_has_a_drawing(self) -> None:
        assert set(DRAWINGS) == set(SYMBOLS)

    def test_kind_with_the_name_of_a_symbol_needs_no_entry(self) -> None:
        assert symbol_of({}, "Submarine") == "submarine"
        assert symbol_of({"submarine": ""}, "submarine") == symbol_of({}, "freighter") == ""
        assert symbol_of({"freighter": "of-a-later-edition"}, "freighter") == ""

    def test_galley_turns_and_leaves_a_corner_for_its_label(self) -> None:
        assert place_of_symbol("trireme", 60) == "rotate(60) scale(.9)"
        assert [leaves_right("trireme", bearing) for bearing in (0, 60, 90, 120, 240, 300)] == [
            *(False, False, False),
            *(True, False, True),
        ]
        assert place_of_symbol("cruiser", 60) == place_of_symbol("cruiser", 0)
        assert not leaves_right("cruiser", 120)

    @pytest.mark.parametrize("title", TITLES)
    def test_title_names_symbols_and_colors_that_exist(self, title: str) -> None:
        board = need_title(title).board(Game())
        assert set(at_least_one(board.symbols.values())) <= set(SYMBOLS)
        assert all(map(color_of, board.colors.values()))
        assert len(set(board.colors.values())) == len(board.colors), "two sides of a game would have one color"

    @pytest.mark.parametrize("title", TITLES)
    def test_most_units_of_recorded_games_have_a_drawing(self, title: str) -> None:
        for log in at_least_one(sorted((FIXTURES / title / "replays").glob("*.jsonl"))[:1]):
            with umpire.open(":memory:") as desk:
                stacks = desk.import_log(log).referee.picture().stacks
            drawn = {one.kind: one.symbol for stack in stacks for one in stack.counters}
            assert len([one for one in drawn.values() if one]) >= len(drawn) / 2
            assert len({one for one in drawn.values() if one}) > 1

    def test_ships_and_bases_of_twilight_imperium_differ(self) -> None:
        symbols = need_title("twilight-imperium-3").board(Game()).symbols
        kinds = ("carrier", "destroyer", "cruiser", "dreadnought", "war-sun", "fighter", "ground-force", "pds")
        assert len({symbols[kind] for kind in (*kinds, "space-dock")}) == 9


def test_number_is_the_first_that_is_not_zero() -> None:
    board = Board(numbers={"steps": "", "hits": "-"})
    units = [Unit(id="u", side="a", kind="k", at="x", attributes=attributes) for attributes in (
        {"steps": 2, "hits": 1}, {"steps": 0, "hits": 1}, {"steps": True}, {},
    )]  # fmt: skip
    assert [counter_of(board, unit).number for unit in units] == ["2", "-1", "", ""]


class TestDrawn:
    """Stacks of a small game under fog, as a seat sees them in its page."""

    def drawing(self, seat: str) -> ElementTree.Element:
        with umpire.open(":memory:") as desk:
            return ElementTree.fromstring(desk.new_from_text("freeform", FOG, id="run").seat(seat).map())

    def stack(self, seat: str, place: str) -> ElementTree.Element:
        return next(one for one in self.drawing(seat).iter(f"{SVG}g") if one.get("data-place") == place)

    def test_stack_shows_its_kinds_damage_and_number(self) -> None:
        stack = self.stack("convoy", "0101")
        assert [one.get("href") for one in stack.iter(f"{SVG}use")] == ["#symbol-boat", "#symbol-transport"]
        assert [one.get("class") for one in stack.iter(f"{SVG}path")] == ["counter", "counter front torn"]
        assert [one.text for one in stack.iter(f"{SVG}text")] == ["X", "×2", "1"]
        assert "convoy-1 freighter (3, crippled), convoy-2 tug" in str(stack.findtext(f"{SVG}title"))

    def test_kind_without_symbol_keeps_its_label(self) -> None:
        stack = self.stack("convoy", "0303")
        assert not list(stack.iter(f"{SVG}use"))
        assert [one.text for one in stack.iter(f"{SVG}text")] == ["R", "2"]

    def test_hidden_unit_is_not_even_among_the_drawings(self, tmp_path: Path) -> None:
        assert "symbol-submarine" in ElementTree.tostring(self.drawing("wolves"), "unicode")
        assert "submarine" not in ElementTree.tostring(self.drawing("convoy"), "unicode")
        with umpire.open(":memory:") as desk:
            desk.new_from_text("freeform", FOG, id="run").seat("convoy").page(tmp_path / "page.html")
        facts = json.dumps(Blocks(tmp_path / "page.html").facts)
        assert "symbol-transport" in facts
        assert "submarine" not in facts

    def test_colors_of_the_scenario_are_drawn(self) -> None:
        fills = [one.get("fill") for one in self.drawing("convoy").iter(f"{SVG}rect")]
        assert {"#123456", COLORS["red"]} <= set(fills)

    def test_scenario_without_looks_has_none_in_the_log(self, tmp_path: Path) -> None:
        plain = re.sub(r", (color|letter) = \"[^\"]*\"", "", FOG)
        with umpire.open(":memory:") as desk:
            desk.new_from_text("freeform", plain, id="run").export(tmp_path / "run.jsonl")
        opened = (tmp_path / "run.jsonl").read_text("utf-8")
        assert '"sides":[{"id":"convoy","name":"Convoy"},{"id":"wolves","name":"The Red"}]' in opened
