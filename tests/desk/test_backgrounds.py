"""A background picture next to a scenario: shown as an image only, stored outside the log, embedded by choice."""

from base64 import b64encode
from os import mkfifo
from pathlib import Path
from struct import pack
from time import process_time
from zlib import compress, crc32

import pytest

import umpire_ledger as umpire
from tests.face.desk import fault_of_background
from tests.face.domain import Background

SCENARIO = """
title = "freeform"
name = "Ford"
dice = "table"
sides = [{ id = "red", name = "Red" }]
units = [{ id = "r1", side = "red", kind = "foot", at = "0202" }]
board = { hexes = { columns = 4, rows = 4 }, background = { file = "map.png" } }
"""
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">{}</svg>'


def png() -> bytes:
    """Return a picture of one pixel."""
    parts = ((b"IHDR", pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)), (b"IDAT", compress(b"\0\xaa\xbb\xcc")), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        pack(">I", len(body)) + kind + body + pack(">I", crc32(kind + body)) for kind, body in parts
    )


def scenario(folder: Path, picture: bytes = b"", text: str = SCENARIO) -> Path:
    (folder / "ford.toml").write_text(text)
    (folder / "map.png").write_bytes(picture or png())
    return folder / "ford.toml"


def test_map_shows_the_picture_of_its_scenario(tmp_path: Path) -> None:
    with umpire.open(":memory:") as desk:
        game = desk.new("freeform", scenario(tmp_path), id="ford")
        uri = f"data:image/png;base64,{b64encode(png()).decode()}"
        assert f'href="{uri}"' in game.seat("red").map()
        assert uri not in game.referee.map_in_page(background="/games/ford/background")
        assert 'href="/games/ford/background"' in game.referee.map_in_page(background="/games/ford/background")


def test_picture_is_in_no_record(tmp_path: Path) -> None:
    with umpire.open(":memory:") as desk:
        game = desk.new("freeform", scenario(tmp_path), id="ford")
        game.referee.export(tmp_path / "ford.jsonl")
        log = (tmp_path / "ford.jsonl").read_bytes()
    assert b64encode(png())[:40] not in log
    with umpire.open(":memory:") as other:
        copy = other.import_log(tmp_path / "ford.jsonl")
        assert "<image" not in copy.referee.map_in_page(background="/x")


def test_replay_page_has_the_picture_only_by_choice(tmp_path: Path) -> None:
    with umpire.open(":memory:") as desk:
        referee = desk.new("freeform", scenario(tmp_path), id="ford").referee
        plain = referee.page(tmp_path / "plain.html").size
        large = referee.page(tmp_path / "picture.html", picture=True).size
    assert large > plain


def test_picture_covers_the_corners_that_the_board_names(tmp_path: Path) -> None:
    text = SCENARIO.replace('"map.png"', '"map.png", corners = ["10,20", "70,50"]')
    with umpire.open(":memory:") as desk:
        drawn = desk.new("freeform", scenario(tmp_path, text=text), id="ford").referee.map()
    assert '<image x="10" y="20" width="60" height="30"' in drawn


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (b"GIF89a", "not-a-picture"),
        (png() + bytes(50 * 2**20), "picture-too-large"),
        (png()[:16] + pack(">II", 30_000, 30_000), "picture-too-large"),
        (None, "picture-missing"),
    ],
    ids=["gif", "50-mb", "900-million-pixels", "missing"],
)
def test_faulty_picture_is_refused_and_no_game_is_opened(picture: bytes | None, code: str, tmp_path: Path) -> None:
    file = scenario(tmp_path, picture or b"")
    if picture is None:
        (tmp_path / "map.png").unlink()
    with umpire.open(":memory:") as desk:
        with pytest.raises(umpire.ScenarioError) as caught:
            desk.new("freeform", file, id="ford")
        assert caught.value.fields == {"reason": code, "key": "file"}
        assert [one.game for one in desk.games()] == []
    (finding,) = umpire.check_scenario(file).findings
    assert (finding.code, finding.line) == (code, 7)


@pytest.mark.parametrize("name", ["../map.png", "/etc/map.png", "map.gif", "a/map.svg", "http://x/map.png"])
def test_picture_can_only_be_next_to_its_scenario(name: str, tmp_path: Path) -> None:
    file = scenario(tmp_path, text=SCENARIO.replace("map.png", name))
    (finding,) = umpire.check_scenario(file).findings
    assert (finding.code, finding.key) == ("wrong-value", "file")


ACTIVE = {
    "script": "<script>alert(1)</script>",
    "handler": '<rect onload="alert(1)"/>',
    "foreign": "<foreignObject/>",
    "link": '<a href="javascript:alert(1)"/>',
    "image": '<image xlink:href="https://example.org/x.png"/>',
    "nested": '<image href="data:image/svg+xml;base64,AAAA"/>',
    "style": "<style>@import 'https://example.org/x.css'</style>",
    "animated": '<set attributeName="xlink:href" to="#a"/>',
    "fill": '<rect fill="url(https://example.org/x.svg#a)"/>',
    "escaped-fill": r'<rect style="fill: \75 rl(https://example.org/x.svg#a)"/>',
    "escaped-style": r"<style>@\69mport 'https://example.org/x.css'</style>",
    "image-set": "<style>a{background: image-set('https://example.org/x.png' 1x)}</style>",
    "base": '<g xml:base="https://example.org/"><use href="#a"/></g>',
    "refresh": '<meta xmlns="http://www.w3.org/1999/xhtml" http-equiv="refresh" content="0;url=https://example.org"/>',
    "deep": "<g>" * 1000 + "</g>" * 1000,
    "form": '<h:form xmlns:h="http://www.w3.org/1999/xhtml" action="https://example.org/"/>',
}


@pytest.mark.parametrize("inside", ACTIVE.values(), ids=ACTIVE.keys())
def test_drawing_that_is_more_than_a_picture_is_refused(inside: str, tmp_path: Path) -> None:
    (tmp_path / "map.svg").write_text(SVG.format(inside))
    fault = fault_of_background(Background(file="map.svg"), tmp_path)
    assert fault is not None
    assert fault.code == "active-picture"


def test_drawing_with_a_document_type_is_refused(tmp_path: Path) -> None:
    (tmp_path / "map.svg").write_text('<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG.format("&a;"))
    fault = fault_of_background(Background(file="map.svg"), tmp_path)
    assert fault is not None
    assert fault.code == "active-picture"


def test_drawing_with_large_entities_is_refused_at_once(tmp_path: Path) -> None:
    large = f'<!DOCTYPE svg [<!ENTITY a "{"x" * 1_000_000}">]>' + SVG.format("&a;" * 190)
    (tmp_path / "map.svg").write_text(large)
    start = process_time()
    fault = fault_of_background(Background(file="map.svg"), tmp_path)
    assert process_time() - start < 1
    assert fault is not None
    assert fault.code == "active-picture"


def test_drawing_that_other_readers_decode_otherwise_is_refused(tmp_path: Path) -> None:
    (tmp_path / "map.svg").write_text('<?xml version="1.0" encoding="Shift_JIS"?>' + SVG)
    fault = fault_of_background(Background(file="map.svg"), tmp_path)
    assert fault is not None
    assert fault.code == "active-picture"


def test_pipe_in_place_of_a_picture_is_not_a_file(tmp_path: Path) -> None:
    mkfifo(tmp_path / "map.png")
    fault = fault_of_background(Background(file="map.png"), tmp_path)
    assert fault is not None
    assert fault.code == "picture-missing"


def test_picture_name_with_a_line_break_is_refused(tmp_path: Path) -> None:
    file = scenario(tmp_path, text=SCENARIO.replace("map.png", r"map.png\n"))
    (tmp_path / "map.png\n").write_bytes(png())
    (finding,) = umpire.check_scenario(file).findings
    assert (finding.code, finding.key) == ("not-a-picture", "file")


NO_SVG = (b"<html/>", b'<a><svg xmlns="http://www.w3.org/2000/svg"/></a>', b"<svg", "<svg/>".encode("utf-16"), b"")


@pytest.mark.parametrize("raw", NO_SVG, ids=range(5))
def test_drawing_that_is_not_svg_is_refused(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "map.svg").write_bytes(raw)
    fault = fault_of_background(Background(file="map.svg"), tmp_path)
    assert fault is not None
    assert fault.code == "not-a-picture"


PLAIN = (
    '<pattern id="a"/><rect fill="url(#a)" style="stroke: red"/><use href="#a"/><style>a{b:c}</style>',
    """<use xlink:href="#a"/><rect fill="url( '#a' )"/><image href="data:image/png;base64,AAAA"/>""",
)


@pytest.mark.parametrize("inside", PLAIN, ids=range(2))
def test_plain_drawing_is_accepted(inside: str, tmp_path: Path) -> None:
    (tmp_path / "map.svg").write_text(SVG.replace("{}", inside))
    assert fault_of_background(Background(file="map.svg"), tmp_path) is None
