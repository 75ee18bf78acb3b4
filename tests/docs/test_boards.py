"""Open and draw every board of docs/reference/boards.md."""

import re

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import SCENARIO
from tests.docs import pages

PAGE = (pages.ROOT / "docs" / "reference" / "boards.md").read_text(encoding="utf-8")
BOARDS = re.findall(r"^```toml\n(.+?)^```", PAGE, re.MULTILINE | re.DOTALL)

CORNERS = {"outline", "between", "along"}
"""Entries with a list that name no place."""


@pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
def test_board_of_the_page_opens_and_is_drawn(board: str) -> None:
    head, units = SCENARIO.split("[[units]]", 1)
    text = f"{head}{board}\n[[units]]{units}"
    with umpire.open(":memory:") as desk:
        game = desk.new_from_text("freeform", text, id="ford")
        declared = umpire.Seat(game, "red").picture().layout.plots
        assert set(re.findall(r"^([\w-]+) = \[", board, re.MULTILINE)) - {"boxes", *CORNERS} <= declared.keys()
        assert {"0101", "0102"} <= declared.keys(), "what the board does not tell of is a box"


def test_page_has_its_boards() -> None:
    assert len(BOARDS) == 4
