"""The ground of a map: terrain, shores, lines, names and a scale below the places."""

import re
from collections.abc import Iterator
from math import dist
from xml.etree import ElementTree

import pytest

import umpire_ledger as umpire
from tests.face.domain import (
    EDGES,
    TERRAINS,
    Board,
    Edge,
    Hexes,
    Plane,
    Region,
    Scale,
    Squares,
    pacific_war_coasts,
    pacific_war_places,
)
from tests.face.projections import HIGH, PAGE, READABLE, TEXTURES, clipped, contrast, ground_style, laid_out
from tests.face.testing import FIXTURES

SVG = "{http://www.w3.org/2000/svg}"
GRID = Hexes(columns=4, rows=4)
BAY = """
title = "freeform"
name = "The bay"
dice = "table"
sides = [{ id = "red", name = "Red" }]
[board]
hexes = { columns = 6, rows = 5 }
scale = { length = 2, words = "2 hexes" }
names = { "The <bay>" = "0503" }
terrain = { 0101 = "land", 0102 = "woods", 0202 = "water" }
regions = [{ kind = "land", name = "Island", outline = ["100,100", "150,100", "150,150"] }]
edges = [{ kind = "river", between = [["0101", "0102"]] }, { kind = "road", along = ["0101", "0102"] }]
[[units]]
id = "red-1"
side = "red"
kind = "boat"
at = "0404"
"""
PLAIN = BAY[: BAY.index("scale =")] + BAY[BAY.index("[[units]]") :]


def drawn(scenario: str) -> ElementTree.Element:
    with umpire.open(":memory:") as desk:
        return ElementTree.fromstring(desk.new_from_text("freeform", scenario, id="bay").referee.map())


def classes(root: ElementTree.Element) -> list[str]:
    return [one.get("class", "") for one in root.iter() if one.get("class")]


def test_terrain_is_drawn_with_shores_below_the_places() -> None:
    found = classes(drawn(BAY))
    below = found[: found.index("place bare")]
    assert [one for one in below if one.startswith(("terrain-", "sh", "edge"))] == [
        *("terrain-sea", "shelf", "shallows", "shore", "shore", "terrain-water", "terrain-land", "terrain-woods"),
        *("terrain-land", "edge edge-bank", "edge edge-river", "edge edge-verge", "edge edge-road"),
    ]


def test_names_and_scale_are_written_as_text() -> None:
    root = drawn(BAY)
    names = [one.text for one in root.iter(f"{SVG}text") if one.get("class") == "region"]
    assert names == ["The <bay>", "Island"]
    assert "2 hexes" in [one.text for one in root.iter(f"{SVG}text") if one.get("class") == "note"]


def test_map_without_ground_is_drawn_as_before() -> None:
    root = drawn(PLAIN)
    assert "place bare" not in classes(root)
    assert not [one for one in classes(root) if one.startswith("terrain")]
    assert "terrain" not in (root.findtext(f"{SVG}style") or "")


def test_texture_of_each_used_terrain_is_defined_once() -> None:
    root = drawn(BAY)
    assert [one.get("id") for one in root.iter(f"{SVG}pattern") if "terrain" in one.get("id", "")] == ["terrain-woods"]


def test_ground_does_not_change_the_game() -> None:
    with umpire.open(":memory:") as desk:
        games = [desk.new_from_text("freeform", text, id=name) for name, text in (("a", BAY), ("b", PLAIN))]
        with_ground, plain = (list(game.ledger.branch_records(game.id)) for game in games)
        assert [bytes(one.event) for one in with_ground[:-1]] == [bytes(one.event) for one in plain[:-1]]
        assert len(plain) > 1


# --- arranged on paper ------------------------------------------------------------------------------------------------


def test_river_between_hexes_is_their_common_side() -> None:
    board = Board(hexes=GRID, edges=(Edge(kind="river", between=(("0101", "0102"),)),))
    ground = laid_out(board, ["0101"]).ground
    assert ground is not None
    ((line,),) = (one.lines for one in ground.lines)
    assert {round(y, 3) for _, y in line} == {round(HIGH, 3)}
    assert sorted(round(x) for x, _ in line) == [10, 30]


def test_outline_on_a_plane_is_in_its_units() -> None:
    region = Region(kind="woods", outline=("0,0", "36,0", "36,24"))
    board = Board(
        plane=Plane(width=72, height=48), base="land", regions=(region,), scale=Scale(length=36, words="a yard")
    )
    ground = laid_out(board, ["36,24"]).ground
    assert ground is not None
    assert set(ground.fields[0].outlines[0]) == {(0, 0), (400, 0), (400, 24 * (800 / 72))}
    assert ground.scale == (400, "a yard")


def test_land_has_a_shore_only_in_water() -> None:
    terrain = {"0101": "land"}
    on_sea = laid_out(Board(squares=Squares(2, 2), terrain=terrain), []).ground
    on_land = laid_out(Board(squares=Squares(2, 2), terrain=terrain, base="field"), []).ground
    assert on_sea is not None
    assert on_land is not None
    assert len(on_sea.lands) == 1
    assert on_land.lands == ()


def test_region_is_cut_at_the_edge_of_the_map() -> None:
    assert clipped(((-5, -5), (5, -5), (5, 5), (-5, 5)), (0, 0, 10, 10)) == ((0, 0), (5, 0), (5, 5), (0, 5))
    assert clipped(((20, 20), (30, 20), (30, 30)), (0, 0, 10, 10)) == ()


def test_coast_of_an_atlas_moves_with_its_places() -> None:
    board = Board(atlas={"a": (100, 0), "b": (300, 0)}, coasts=(((1000, -50), (1100, -50), (1100, 50)),))
    layout = laid_out(board, ["a", "b"])
    assert layout.ground is not None
    ((coast,),) = (one.outlines for one in layout.ground.fields)
    assert {layout.plots["a"].at, (40.0, 20.0), (40.0, -20.0)} >= {(x, y) for x, y in coast if x > 0}
    assert laid_out(board, ["elsewhere"]).ground is None


# --- colors -----------------------------------------------------------------------------------------------------------


def palettes() -> Iterator[dict[str, str]]:
    """Yield the light and the dark colors of the pages, by name."""
    parts = [(PAGE / name).read_text("utf-8").partition("@media") for name in ("palette.css", "ground.css")]
    for at in (0, 2):
        yield dict(re.findall(r"--([a-z]+): (#[0-9a-f]{3,6})", " ".join(part[at] for part in parts)))


def fills() -> dict[str, str]:
    """Return the variable with the color of each terrain."""
    rules = re.findall(
        r"((?:\.terrain-[a-z]+,? ?)+)\{ fill: var\(--([a-z]+)\) \}", (PAGE / "ground.css").read_text("utf-8")
    )
    return {kind: color for kinds, color in rules for kind in re.findall("terrain-([a-z]+)", kinds)}


def test_every_kind_of_ground_has_a_style() -> None:
    assert set(fills()) == set(TERRAINS)
    style = ground_style()
    assert all(f".edge-{kind} " in style for kind in EDGES)
    assert "var(" not in style


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_names_are_readable_on_every_terrain(theme: int) -> None:
    colors = list(palettes())[theme]
    grounds = {*fills().values(), "shelf", "shoal"}
    assert {
        one: round(contrast(colors["num"], colors[one]), 2)
        for one in grounds
        if contrast(colors["num"], colors[one]) < READABLE
    } == {}


def test_terrains_of_one_color_differ_by_texture() -> None:
    looks = [(color, kind in TEXTURES and kind) for kind, color in fills().items()]
    assert [one for one in looks if looks.count(one) > 1] == [("shoal", False)] * 2


# --- the coasts of Pacific War ----------------------------------------------------------------------------------------

HARBORS = ("brisbane", "darwin", "manila", "port-moresby", "rabaul", "saipan", "sydney", "tokyo", "truk")


@pytest.mark.parametrize("harbor", HARBORS)
def test_harbor_of_pacific_war_is_on_a_coast(harbor: str) -> None:
    x, y = (10 * one for one in pacific_war_places[harbor])
    nearest = min(dist((x, y), corner) for outline in pacific_war_coasts() for corner in outline)
    assert nearest < 60  # hundredths of a degree


def test_map_of_pacific_war_has_coasts() -> None:
    with umpire.open(":memory:") as desk:
        scenario = FIXTURES / "pacific-war" / "scenarios" / "coral-sea.toml"
        root = ElementTree.fromstring(desk.new("pacific-war", scenario, id="sea").referee.map())
    (land,) = (one for one in root.iter(f"{SVG}path") if one.get("class") == "terrain-land")
    assert land.get("d", "").count("M") > 5
