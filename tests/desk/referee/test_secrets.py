"""No answer of the desk changes when only another seat's secret does."""

import json
import re
from pathlib import Path

import pytest

from tests.desk.referee.tables import Desk

QUESTIONS = (
    "why g {sealed}",
    "why g {private}",
    "why g {later}",
    "dispute show g d1",
    "dispute list g",
    "unit g r1",
    "account g vp",
    "dice g --all",
    "knew g blue {private}",
    "knew g blue {later}",
    "since g blue",
    "referee g",
    "conformance g",
)


def desk_with(choice: str, folder: Path) -> Desk:
    """Red seals a choice, Blue contests it; the two games differ in the sealed choice alone."""
    folder.mkdir()
    desk = Desk(folder)
    desk.new("g", "--option", "secrets_closed_to_referee=true")
    desk.order("red", "pay", account="vp", amount=2)
    desk.order("red", "seal-choice", question="flank", choice=choice)
    desk.order("blue", "roll", purpose="scouting", dice="1d6", pips=[4])
    desk.ok("dispute", "open", "g", "4", "5", "--claim", "too late", "--as", "blue")
    desk.ok("peek", "g", "red", "--why", "the quarrel")
    desk.ok("case", "g", "d1", "-o", "case", "--as", "blue")
    return desk


def without_chance(text: str) -> str:
    """Replace times, hashes and order ids, which differ between any two games."""
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "TIME", text)
    return re.sub(r"^[A-Za-z0-9+/]{43}=$|[A-Za-z0-9+/]{43}=", "ROOT", text, flags=re.M)


@pytest.mark.parametrize("seat", ["blue", "spectator", "referee"])
def test_two_games_that_differ_in_a_secret_answer_alike(seat: str, tmp_path: Path) -> None:
    said: list[list[str]] = []
    for choice in ("by-the-marsh", "over-the-hill"):
        desk = desk_with(choice, tmp_path / choice)
        numbers = {"sealed": 4, "private": 5, "later": 6}
        answers = [
            desk.type(*question.format(**numbers).split(), "--as", seat, *more)
            for question in QUESTIONS
            for more in ((), ("--json",))
        ]
        texts = [json.dumps(without_chance(answer.out + answer.err)) for answer in answers]
        texts += [without_chance((desk.folder / "case" / name).read_text()) for name in ("case.md", "case.json")]
        assert choice not in "".join(texts)
        said.append(texts)
    assert said[0] == said[1]
