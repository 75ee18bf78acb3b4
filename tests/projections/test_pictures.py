"""Test the map of a game: places, counters, and the drawing of a step."""

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import assume, given, strategies as st

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.face.desk import event_of
from tests.face.domain import (
    Board,
    Hexes,
    Plane,
    Side,
    Squares,
    Unit,
    board_in,
    cell_of,
    hexes as federation,
    joined,
    name_of,
    war_galley_hexes as galley,
)
from tests.face.projections import (
    APART,
    COUNTER,
    HIGH,
    MOST_FANNED,
    DrawnCounter,
    Picture,
    Stack,
    UnitPath,
    apart,
    bearings,
    counter_of,
    label_of,
    laid_out,
    looks_of,
    outline_of,
    picture_of,
    spot_of,
    stack_spots,
    svg_of,
)
from tests.face.testing import FIXTURES, OWN
from tests.naming import Naming
from tests.projections.table import BLUE, RED, Table

SVG = "{http://www.w3.org/2000/svg}"
REPLAYS = sorted((*FIXTURES.glob("*/replays/*.jsonl"), *OWN.glob("replays/*.jsonl")))
ON_A_TABLE = """
title = "freeform"
name = "On a table"
dice = "table"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]
units = [
    { id = "a", side = "red", kind = "foot", at = "10,10", attributes = { facing = "E" } },
    { id = "b", side = "red", kind = "foot", at = "10,10", attributes = { facing = "the ford" } },
    { id = "c", side = "blue", kind = "foot", at = "10,10.1" },
    { id = "d", side = "blue", kind = "foot", at = "10.1,10" },
]
board = { plane = { width = 48, height = 32 }, facing = "facing" }
"""
cells = st.tuples(st.integers(1, 40), st.integers(1, 40))


def drawn(table: Table, *, since: int = 0) -> Picture:
    """Return the picture of the table, with the events after a position."""
    records = [one for one in table.ledger.branch_records("g") if one.position > since]
    events = [event for one in reversed(records) if (event := event_of(one)) is not None]
    return picture_of(table.ledger.state("g"), Board(), events, called="g")


class TestGrids:
    @given(cells, cells)
    @pytest.mark.parametrize(
        ("grid", "rules"),
        [(Hexes(), galley.distance), (Hexes(first=(0, 0)), federation.distance)],
        ids=["War Galley", "Federation & Empire"],
    )
    def test_hexes_touch_on_paper_if_adjacent_by_the_rules(
        self, grid: Hexes, rules: Callable[[str, str], int], one: tuple[int, int], other: tuple[int, int]
    ) -> None:
        near = (one[0] + other[0] % 3 - 1, one[1] + other[1] % 3 - 1)
        assume(min(near) >= 1)
        beside = dist(spot_of(grid, one), spot_of(grid, near)) == pytest.approx(HIGH, abs=0.01)
        assert beside == (rules(name_of(grid, one), name_of(grid, near)) == 1)

    @pytest.mark.parametrize("numbering", ["CCRR", "RRCC", "C.R", "r RRR/CCC", "CRR"])
    @given(cells)
    def test_cell_name_is_read_back_as_its_cell(self, numbering: str, cell: tuple[int, int]) -> None:
        grid = Squares(numbering=numbering)
        assert cell_of(grid, name_of(grid, cell)) == cell

    @pytest.mark.parametrize("name", ["", "0000", "001", "01011", "mill", "0021", "2001", "1O10", "٠١٠١"])
    def test_name_outside_the_grid_has_no_cell(self, name: str) -> None:
        assert cell_of(Hexes(columns=19, rows=20), name) is None

    def test_neighboring_cells_share_a_side(self) -> None:
        for grid in (Hexes(), Hexes(shoved="odd"), Hexes(pointed=True), Hexes(pointed=True, shoved="odd"), Squares()):
            one, next_to = (outline_of(grid, spot_of(grid, cell)) for cell in ((4, 4), (4, 5)))
            shared = [a for a in one if any(dist(a, b) < 0.01 for b in next_to)]
            assert len(shared) == 2, grid
        pointed = Hexes(pointed=True)
        assert spot_of(pointed, (1, 3))[1] == spot_of(pointed, (9, 3))[1]

    def test_even_or_odd_columns_lie_lower_as_the_map_prints_it(self) -> None:
        assert spot_of(Hexes(), (2, 1))[1] > spot_of(Hexes(), (1, 1))[1]
        assert spot_of(Hexes(shoved="odd"), (2, 1))[1] < spot_of(Hexes(shoved="odd"), (1, 1))[1]


class TestLayout:
    def test_layout_without_a_board_has_labelled_boxes(self) -> None:
        layout = laid_out(Board(), ["mill", "ford", "mill"])
        assert [(plot.place, plot.sort) for plot in layout.plots.values()] == [("mill", "box"), ("ford", "box")]

    def test_layout_shows_a_small_grid_whole_or_around_units(self) -> None:
        assert len(laid_out(Board(hexes=Hexes(columns=20, rows=16)), []).plots) == 320
        endless = laid_out(Board(hexes=Hexes()), ["0503", "0704"]).plots
        assert set(endless) == {f"{column:02}{row:02}" for column in range(3, 10) for row in range(1, 7)}
        assert not laid_out(Board(hexes=Hexes()), []).plots

    def test_off_the_map_boxes_and_tracks_lie_below(self) -> None:
        board = Board(squares=Squares(columns=3, rows=3), boxes=("reserve",), tracks={"turns": ("spring", "fall")})
        layout = laid_out(board, ["0101", "somewhere"])
        grid = max(plot.at[1] for plot in layout.plots.values() if plot.sort == "cell")
        boxes = {name: plot.at for name, plot in layout.plots.items() if plot.sort == "box"}
        assert boxes.keys() == {"reserve", "spring", "fall", "somewhere"}
        assert all(at[1] > grid for at in boxes.values())
        assert [heading for heading, _ in layout.headings] == ["turns"]

    def test_layout_of_a_plane_has_measured_places(self) -> None:
        layout = laid_out(Board(plane=Plane(width=40, height=20)), ["10,5", "10.5,5.25", "behind the hedge", "nan,1"])
        assert (layout.spot("10,5"), layout.spot("10.5,5.25")) == ((200, 100), (210, 105))
        assert layout.plots["behind the hedge"].sort == layout.plots["nan,1"].sort == "box"

    def test_planet_is_drawn_in_its_tile(self) -> None:
        layout = laid_out(Board(tiles={"sol": (0, 0), "void": (1, 0)}, within={"jord": "sol"}), ["jord"])
        assert layout.spot("jord") == layout.spot("sol")
        assert "jord" not in layout.plots

    @given(st.lists(st.tuples(st.integers(-2000, 2000), st.integers(-900, 900)), max_size=12))
    def test_places_of_an_atlas_do_not_lie_on_each_other(self, spots: list[tuple[int, int]]) -> None:
        moved = apart([(float(x), float(y)) for x, y in spots])
        assert min((dist(one, other) for one, other in combinations(moved, 2)), default=APART) > APART / 3

    def test_places_far_enough_apart_keep_their_spots(self) -> None:
        """Half a point is too little to see."""
        assert apart([(0.0, 0.0), (9.5, 0.0)], 10) == [(0.0, 0.0), (9.5, 0.0)]
        assert apart([(0.0, 0.0), (8.0, 0.0)], 10) == [(-1.0, 0.0), (9.0, 0.0)]

    def test_layout_is_within_its_extent(self) -> None:
        layout = laid_out(Board(points={"a": (-500, 20)}, areas={"w": ((0, 0), (9, 0), (9, 9))}), ["x", "y"])
        left, top, wide, high = layout.extent
        for plot in at_least_one(layout.plots.values()):
            for x, y in (plot.at, *plot.outline):
                assert left <= x <= left + wide
                assert top <= y <= top + high

    def test_scenario_board_extends_board_of_the_title(self) -> None:
        title = Board(hexes=Hexes(columns=5), points={"a": (0, 0)}, signs={"fire": "burning"})
        own = Board(hexes=Hexes(columns=9), points={"b": (1, 1)})
        both = joined(title, own)
        assert (both.hexes, set(both.points), both.signs) == (Hexes(columns=9), {"a", "b"}, {"fire": "burning"})

    def test_board_of_another_edition_is_ignored(self) -> None:
        assert board_in({"board": {"globe": True}}) == board_in({}) == Board()


class TestCounters:
    def test_sides_differ_in_letter_pattern_and_colour(self) -> None:
        """Use as many sides as a scenario may have, all with the same name."""
        sides = [Side(id=f"s{at}", name=f"The Army {'ABCDEFGHIJKLMNOP'[at]}") for at in range(16)]
        looks = [look for side, look in looks_of(sides).items() if side]
        assert looks[0].letter == "A", "`The` is passed over"
        assert len({(look.colour, look.pattern) for look in looks}) == 16
        assert len({look.pattern for look in looks[:4]}) == 4, "without any colour"

    @pytest.mark.parametrize(
        ("unit", "kind", "label"),
        [("K-D7C-1", "D7C", "D7C"), ("athens-13", "trireme", "13"), ("iron-bottom", "cruiser", "IB"), ("--", "x", "?")],
    )
    def test_counter_has_a_short_label(self, unit: str, kind: str, label: str) -> None:
        assert label_of(Unit(id=unit, side="a", kind=kind, at="0101")) == label

    @pytest.mark.parametrize(("side", "label"), [("athens", "8"), ("syracuse", "A8")])
    def test_label_of_captured_unit_names_its_first_side(self, side: str, label: str) -> None:
        sides = ("athens", "syracuse")
        assert label_of(Unit(id="athens-8", side=side, kind="trireme", at="0101"), sides) == label
        assert label_of(Unit(id="liner-8", side=side, kind="trireme", at="0101"), sides) == "8"

    def test_signs_come_from_the_board_and_crippled_needs_no_line(self) -> None:
        board = Board(signs={"fire": "burning", "wet": "bound"})
        unit = Unit(id="a", side="a", kind="k", at="x", attributes={"fire": 2, "crippled": True, "wet": False})
        assert counter_of(board, unit).signs == ("crippled", "burning")


class TestFacing:
    TABLE = Board(plane=Plane(width=48, height=32), facing="looks", bearings={"A": 45})

    def bearings(self, board: Board, **looks: str | int) -> dict[str, float]:
        """Return the bearings of units at 10,10 of the table, each with its own direction."""
        units = [Unit(id=name, side="a", kind="k", at="10,10", attributes={"looks": to}) for name, to in looks.items()]
        stack = Stack("10,10", "a", tuple(counter_of(board, unit) for unit in units))
        return bearings(board, laid_out(board, ["10,10"]), (stack,))

    def test_facing_is_compass_point_board_word_or_place(self) -> None:
        found = self.bearings(self.TABLE, a="N", b="south-west", c="nnw", d="A", e="20,10", f="10,4.5", g="4,16")
        assert found == pytest.approx({"a": 0, "b": 225, "c": 337.5, "d": 45, "e": 90, "f": 0, "g": 225})

    def test_facing_without_direction_is_text_and_not_drawn(self) -> None:
        assert self.bearings(self.TABLE, a="the ford", b="10,10", c=3, d="") == {}
        counter = counter_of(self.TABLE, Unit(id="a", side="a", kind="k", at="x", attributes={"looks": "the ford"}))
        assert counter.facing == "the ford"

    def test_compass_point_on_hexes_is_a_side_of_the_hex(self) -> None:
        flat, pointed = (Board(hexes=Hexes(columns=9, rows=9, pointed=one), facing="looks") for one in (False, True))
        for board, to, degrees in ((flat, "NE", 60), (flat, "s", 180), (pointed, "NE", 30), (pointed, "West", 270)):
            layout = laid_out(board, ["0404"])
            stack = Stack("0404", "a", (DrawnCounter("u", "a", "k", "1", facing=to),))
            assert bearings(board, layout, (stack,)) == {"u": degrees}
        stack = Stack("0404", "a", (DrawnCounter("u", "a", "k", "1", facing="0403"),))
        assert bearings(flat, laid_out(flat, ["0404"]), (stack,)) == {"u": 0}

    def test_facing_is_a_mark_on_the_map_and_a_word_in_its_text(self) -> None:
        with umpire.open(":memory:") as desk:
            picture = desk.new_from_text("freeform", ON_A_TABLE, id="f").referee.picture()
        assert picture.bearings == {"a": 90.0}
        root = ElementTree.fromstring(svg_of(picture))
        assert len([one for one in root.iter(f"{SVG}polygon") if one.get("class") == "facing"]) == 1
        assert any("a foot (facing E), b foot (facing the ford)" in str(one.text) for one in root.iter(f"{SVG}title"))


FOG = """
title = "freeform"
name = "Wolf pack"
dice = "table"
sides = [{ id = "convoy", name = "Convoy" }, { id = "wolves", name = "Wolves", plural = true }]
options = { fog = true }
units = [
    { id = "wolves-1", side = "wolves", kind = "submarine", at = "0304" },
    { id = "wolves-2", side = "wolves", kind = "submarine", at = "0304" },
    { id = "wolves-3", side = "wolves", kind = "destroyer", at = "0304" },
]
board = { hexes = { columns = 6, rows = 6 } }
play = [
    { rounds = "T", name = "turns", counts_turns = true, until = "nth(19, 'T')" },
    { step = "1", name = "sailing", in = "T", by = "each", allows = ["move"], need = "optional" },
]
"""


class TestOutOfSight:
    """Units out of sight are drawn pale at the place of the last sighting, and normally for seats that see them."""

    @pytest.fixture
    def pack(self) -> Iterator[umpire.PlayedGame]:
        with umpire.open(":memory:") as desk:
            game = desk.new_from_text("freeform", FOG, id="pack")
            for _ in range(8):
                for side in game.sides:
                    game.seat(side).order({"order": "done"})
            wolves, convoy = game.seat("wolves"), game.seat("convoy")
            wolves.order({"order": "hide", "unit": "wolves-1"})
            wolves.order({"order": "move", "unit": "wolves-1", "path": ["0404"]})
            for seat in (convoy, wolves):
                seat.order({"order": "done"})
            wolves.order({"order": "hide", "unit": "wolves-2"})
            yield game

    def test_unit_out_of_sight_has_a_turn_and_its_own_stack(self, pack: umpire.PlayedGame) -> None:
        picture = pack.seat("convoy").picture()
        drawn = [
            (stack.place, stack.seen, [(one.unit, one.seen) for one in stack.counters]) for stack in picture.stacks
        ]
        gone = [("wolves-1", Naming(9)), ("wolves-2", Naming(10))]
        assert drawn == [("0304", False, [("wolves-3", "")]), ("0304", True, gone)]
        root = ElementTree.fromstring(svg_of(picture, stacks=True))
        (past,) = (one for one in root.iter(f"{SVG}g") if one.get("class") == "stack past")
        assert past.findtext(f"{SVG}title") == Naming("Wolves", "0304:", "wolves-1", 9, "wolves-2", 10)
        texts = [one.text for one in root.iter(f"{SVG}text")]
        assert [one.split()[-1] for one in texts if re.fullmatch("[a-z ]+ (9|10)", one)] == ["10", "9", "10"]
        assert Naming("Wolves", 1, 2) in texts
        assert Naming("0304", "Wolves") in texts

    def test_unit_out_of_sight_is_normal_to_its_side_and_referee(self, pack: umpire.PlayedGame) -> None:
        for name in ("wolves", "referee"):
            stacks = pack.seat(name).picture().stacks
            assert [(stack.place, stack.seen) for stack in stacks] == [("0304", False), ("0404", False)]

    def test_unit_shown_again_is_not_pale(self, pack: umpire.PlayedGame) -> None:
        pack.referee.order({"order": "show", "unit": "wolves-1", "to": ["convoy"]})
        stacks = pack.seat("convoy").picture().stacks
        assert [(stack.place, stack.seen) for stack in stacks] == [("0304", False), ("0304", True), ("0404", False)]


class TestRoom:
    def stacks(self, *places: str) -> list[Stack]:
        return [
            Stack(place, f"s{at}", (DrawnCounter(f"u{at}", f"s{at}", "k", "1"),)) for at, place in enumerate(places)
        ]

    @given(st.lists(st.tuples(st.integers(0, 4800), st.integers(0, 3200)), max_size=40, unique=True))
    def test_counters_on_a_plane_do_not_overlap(self, spots: list[tuple[int, int]]) -> None:
        places = [f"{x / 100},{y / 100}" for x, y in spots]
        layout = laid_out(Board(plane=Plane(width=48, height=32)), places)
        found = list(stack_spots(layout, self.stacks(*places)).values())
        assert len(found) == len(places)
        covered = [
            (one, other)
            for one, other in combinations(found, 2)
            if abs(one[0] - other[0]) < COUNTER and abs(one[1] - other[1]) < COUNTER
        ]
        assert not covered

    def test_counter_with_room_keeps_its_measured_place(self) -> None:
        layout = laid_out(Board(plane=Plane(width=40, height=20)), ["10,5", "30,5"])
        spots = stack_spots(layout, self.stacks("10,5", "30,5"))
        assert spots == {("10,5", "s0", False): (200, 103.5), ("30,5", "s1", False): (600, 103.5)}

    def test_moved_counter_has_a_line_to_its_point(self) -> None:
        with umpire.open(":memory:") as desk:
            root = ElementTree.fromstring(desk.new_from_text("freeform", ON_A_TABLE, id="f").referee.map())
        assert [one for one in root.iter(f"{SVG}path") if one.get("class") == "leader"]

    def test_stack_on_a_grid_stays_in_its_hex(self) -> None:
        layout = laid_out(Board(hexes=Hexes(columns=5, rows=5)), ["0202"])
        (one, other) = stack_spots(layout, self.stacks("0202", "0202")).values()
        middle = layout.plots["0202"].at
        assert (one[0] + other[0]) / 2 == middle[0]
        assert one[1] == other[1]

    def test_stack_is_fanned_and_expanded_on_request(self, table: Table) -> None:
        for number in range(9):
            table.play(RED, "place", unit=f"red-5{number}", side=RED, kind="foot", at="hill")
        picture = drawn(table)
        plain, opened = (ElementTree.fromstring(svg_of(picture, stacks=asked)) for asked in (False, True))
        counters = [one for one in plain.iter(f"{SVG}path") if "counter" in one.get("class", "").split()]
        assert len(counters) == sum(min(len(stack.counters), MOST_FANNED) for stack in picture.stacks)
        again = [one for one in opened.iter(f"{SVG}path") if "counter" in one.get("class", "").split()]
        many = [stack for stack in picture.stacks if len(stack.counters) > 1]
        assert len(again) == len(counters) + sum(len(stack.counters) for stack in many)
        assert {f"5{number}" for number in range(9)} <= {one.text for one in opened.iter(f"{SVG}text")}
        assert float(opened.get("height", 0)) > float(plain.get("height", 0))


class TestDrawing:
    def test_successive_moves_are_drawn_as_one_path(self, table: Table) -> None:
        before = table.size
        table.play(RED, "move", unit="red-1", path=["0102", "0103"]).play(RED, "move", unit="red-1", path=["0104"])
        (way,) = drawn(table, since=before).ways
        assert way == UnitPath("red-1", RED, ("0101", "0102", "0103", "0104"))

    def test_loss_is_marked_at_its_place_without_counter(self, table: Table) -> None:
        before = table.size
        table.play(RED, "remove", unit="red-1", fate="sunk")
        picture = drawn(table, since=before)
        (loss,) = picture.losses
        assert (loss.unit, loss.side, loss.fate) == ("red-1", RED, "sunk")
        assert "red-1" not in {one.unit for stack in picture.stacks for one in stack.counters}
        assert loss.place in picture.layout.plots

    def test_stacks_are_by_place_and_side(self, table: Table) -> None:
        table.play(RED, "place", unit="red-9", side=RED, kind="foot", at="hill")
        table.play(RED, "place", unit="red-8", side=RED, kind="foot", at="hill")
        table.play(BLUE, "place", unit="blue-9", side=BLUE, kind="foot", at="hill")
        stacks = [(one.side, [c.unit for c in one.counters]) for one in drawn(table).stacks if one.place == "hill"]
        assert sorted(stacks) == sorted([(RED, ["red-8", "red-9"]), (BLUE, ["blue-9"])])

    def test_unit_aboard_is_drawn_with_its_carrier(self, table: Table) -> None:
        table.play(RED, "place", unit="boat", side=RED, kind="boat", at="bay")
        table.play(RED, "place", unit="guns", side=RED, kind="guns", at="boat")
        assert ["boat", "guns"] in [[c.unit for c in one.counters] for one in drawn(table).stacks]

    def test_text_written_by_players_is_inert_in_the_svg(self, table: Table) -> None:
        table.play(RED, "place", unit="x", side=RED, kind="</text><script>alert(1)</script>", at="a&b\u202e<")
        text = svg_of(drawn(table))
        root = ElementTree.fromstring(text)
        assert not root.findall(f".//{SVG}script")
        assert "a&b<U+202E><" in [one.text for one in root.iter(f"{SVG}text")]


class TestRecordedGames:
    @pytest.mark.parametrize("replay", REPLAYS, ids=lambda file: file.stem)
    def test_every_step_of_it_can_be_drawn_for_every_seat(self, replay: Path) -> None:
        """Check at twenty positions that each known unit in play is drawn once, at a place that is drawn."""
        with umpire.open(":memory:") as desk:
            game = desk.import_log(replay)
            for at in at_least_one(range(game.size, 0, -max(game.size // 20, 1))):
                for name in ("referee", *game.sides):
                    picture = game.seat(name).picture(at)
                    there = {unit.id for unit in game.seat(name).units(at=at)}
                    counters = [one.unit for stack in picture.stacks if not stack.seen for one in stack.counters]
                    assert sorted(counters) == sorted(there)
                    past = [one.unit for stack in picture.stacks if stack.seen for one in stack.counters]
                    assert sorted(past) == [one.unit for one in game.seat(name).status_at(at).last_seen]
                    assert all(picture.layout.spot(stack.place) for stack in picture.stacks)
            ElementTree.fromstring(game.referee.map())

    def test_copy_is_drawn_from_its_own_records(self, tmp_path: Path) -> None:
        # Its original continued differently, or is missing from the ledger.
        with umpire.open(tmp_path / "one.db") as desk:
            game = desk.import_log(FIXTURES / "war-galley" / "replays" / "great-harbour.jsonl")
            drawn = game.referee.picture(160)
            assert drawn.ways
            game.fork("twin", at=298).export(tmp_path / "twin.jsonl", seat="referee", whole=True)
        with umpire.open(tmp_path / "other.db") as desk:
            picture = desk.import_log(tmp_path / "twin.jsonl").referee.picture(160)
        assert (picture.game, picture.copied) == ("twin", "a copy of great-harbour at #298")
        assert picture.ways == drawn.ways

    def test_hexes_of_the_harbour_are_the_scenarios(self) -> None:
        with umpire.open(":memory:") as desk:
            game = desk.import_log(FIXTURES / "war-galley" / "replays" / "great-harbour.jsonl")
            picture = game.referee.picture(595)
        assert len(picture.layout.plots) == 20 * 16
        assert [one.signs for stack in picture.stacks for one in stack.counters if one.unit == "syracuse-3"] == [
            ("burning", "bound")
        ]

    def test_contested_hex_is_marked(self) -> None:
        with umpire.open(":memory:") as desk:
            game = desk.import_log(FIXTURES / "federation-and-empire" / "replays" / "border-war.jsonl")
            assert game.referee.picture(900).contested == ("1105",)
