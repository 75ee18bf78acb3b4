"""Find the line of each entry of a TOML file, and every invalid line at once."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.face.domain import (
    UNREAD,
    line_of,
    lines_of,
    path_of,
    read_leniently,
)

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
TEXT = '''# a comment with [brackets] and = signs
title = "war-galley" # after it
about = """
three = lines
"""
sides = [
    { id = "a", name = "A = [1]" },
    { id = "b", name = "B" },
]
map.columns = 3

[tables.wind]
rows."2..4" = { direction = "N", speed = 3 }

[[units]]
id = "a-1"

[[units]]
id = "a-2"
'a b' = [1, [2,
  3]]
[units.own]
x = 1
'''


def every_path(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[str]:
    yield path_of(path)
    for key, one in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from every_path(one, (*path, key))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("$.title", 2),
        ("$.about", 3),
        ("$.sides[1].name", 8),
        ("$.map.columns", 10),
        ("$.tables.wind.rows.2..4.speed", 13),
        ("$.units[0].id", 16),
        ("$.units[1]", 18),
        ("$.units[1].a b[1][1]", 21),
        ("$.units[1].own.x", 23),
    ],
)
def test_line_of_an_entry(path: str, line: int) -> None:
    assert lines_of(TEXT)[path] == line


def test_line_of_missing_entry_is_that_of_its_table() -> None:
    lines = lines_of(TEXT)
    assert line_of(lines, "$.units[0].crew") == 15
    assert line_of(lines, "$.tables.boarding") == 12
    assert line_of(lines, "$.victory") == 1


@pytest.mark.parametrize("file", sorted(FIXTURES.glob("*/scenarios/*.toml")), ids=lambda file: file.stem)
def test_every_entry_of_every_scenario_has_its_line(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert set(every_path(tomllib.loads(text))) <= set(lines_of(text))


class TestInvalidLines:
    def test_invalid_lines_are_all_reported_and_the_rest_is_read(self) -> None:
        read = read_leniently("a = 1\nat = 0505\nb = 2\nvp/red = 0\nc = five\n")
        assert [(one.line, one.remedy.partition(": ")[2]) for one in read.faults] == [
            (2, 'at = "0505"'),
            (4, '"vp/red" = 0'),
            (5, 'c = "five"'),
        ]
        assert read.parsed == {"a": 1, "at": UNREAD, "b": 2, "c": UNREAD}

    def test_lines_after_an_unclosed_bracket_are_not_read(self) -> None:
        assert read_leniently("a = [1,\nb = 2\n").parsed is None
        read = read_leniently('a = """text\nb = 2\n')
        assert read.parsed is None
        assert [one.line for one in read.faults] == [0]

    def test_valid_file_has_no_fault(self) -> None:
        assert read_leniently(TEXT).faults == ()
