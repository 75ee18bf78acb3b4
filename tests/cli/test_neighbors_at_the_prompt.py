"""Test the prompt with typed lines and what happens between them: other programs, refusals, Ctrl-C, pasted lines."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.desk.game import FORD
from tests.face.cli import Conversation

RED, RITA, BLUE, REFEREE = "red", "rita", "blue", "referee"
"""A side, a second seat of that side, the other side, and the referee."""
CTRL_C = KeyboardInterrupt
Typed = str | type[KeyboardInterrupt] | Callable[["Evening"], object]


class Evening:
    """A game with a seat at its prompt, the seat's input (lines and Ctrl-C), and actions of others in between."""

    def __init__(self, folder: Path) -> None:
        self.file, self.record = folder / "umpire.db", folder / "evening.jsonl"
        self.desk = umpire.open(self.file)
        self.game = self.desk.new_from_text("freeform", FORD, id="ford")
        self.game.seat(REFEREE).order({"order": "take-seat", "taker": RITA, "side": RED})
        self.opened = self.game.size
        self.typed: list[Typed] = []
        self.labels: list[str] = []

    def sits(self, seat: str, *typed: Typed) -> "Evening":
        self.typed = list(typed)
        Conversation(self.game.seat(seat), self, self.record).run()
        return self

    def read(self, label: str) -> str:
        """Return the next typed line, as a reader of lines does."""
        self.labels.append(label)
        while self.typed:
            one = self.typed.pop(0)
            if isinstance(one, str):
                return one
            if one is CTRL_C:
                raise KeyboardInterrupt
            one(self)
        raise EOFError

    def notes(self) -> list[tuple[str, str]]:
        """Return the seat and the text of the notes that count."""
        lines = [one for one in self.game.seat(REFEREE).audit() if one.event == "note.added" and one.counts]
        return [(one.seat, str((one.cause or {}).get("text"))) for one in lines]

    def written(self) -> list[dict[str, Any]]:
        """Return the orders in the record of the prompt."""
        text = self.record.read_text(encoding="utf-8") if self.record.exists() else ""
        return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    found = Evening(tmp_path)
    yield found
    found.desk.close()


def writes(seat: str, text: str, **more: object) -> Callable[[Evening], object]:
    """Write a note in another program."""

    def write(evening: Evening) -> None:
        with umpire.open(evening.file) as other:
            other.game("ford").seat(seat).order({"order": "note", "text": text, **more})

    return write


NEWS: dict[str, tuple[tuple[Typed, ...], list[str]]] = {
    "nobody writes": (("note mine", ""), []),
    "before an empty line": ((writes(BLUE, "theirs"), ""), ["theirs"]),
    "before an order": ((writes(BLUE, "theirs"), "note mine"), ["theirs"]),
    "before and after an order": (
        (writes(BLUE, "theirs"), "note mine", writes(BLUE, "again"), ""),
        ["theirs", "again"],
    ),
    "after an order": (("note mine", writes(BLUE, "theirs"), ""), ["theirs"]),
    "before a refused order": ((writes(BLUE, "theirs"), "move r9 0201"), ["theirs"]),
    "before two pasted orders": ((writes(BLUE, "theirs"), "note mine\nnote mine too"), ["theirs"]),
    "before Ctrl-C": ((writes(BLUE, "theirs"), CTRL_C), ["theirs"]),
    "before an undo": (("note mine", writes(BLUE, "theirs"), "u"), ["theirs"]),
    "another seat of the side": ((writes(RITA, "ours"), "note mine"), ["ours"]),
    "the same seat elsewhere": ((writes(RED, "elsewhere"), "note mine"), ["elsewhere"]),
    "the referee": ((writes(REFEREE, "late"), "note mine"), ["late"]),
    "a secret": ((writes(BLUE, "north", to=["referee"]), "note mine"), []),
    "a word for us": ((writes(BLUE, "a truce", to=[RED]), "note mine"), ["a truce"]),
}
"""Input and actions at Red's prompt, and the news that Red must read there, each once."""


@pytest.mark.parametrize("name", NEWS)
def test_records_of_others_are_news_once(evening: Evening, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    typed, news = NEWS[name]
    evening.sits(RED, *typed)
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("new: ")]
    texts = [text for line in told for text in ("theirs", "again", "ours", "elsewhere", "late", "north", "a truce")
             if text in line]  # fmt: skip
    assert texts == news
    assert not any("mine" in line for line in told)


LINES: dict[str, tuple[str, tuple[Typed, ...], list[tuple[str, str]]]] = {
    "an order": (RED, ("note a",), [(RED, "a")]),
    "an order of another seat of the side": (RED, ("note a --as rita", "note b"), [(RED, "b")]),
    "an order of the other side": (RED, ("note a --as blue", "note b"), [(RED, "b")]),
    "JSON of the other side": (RED, ('{"order": "note", "text": "a", "as": "blue"}', "note b"), [(RED, "b")]),
    "an order of the referee": (RED, ("end dawn", "note b"), [(RED, "b")]),
    "the referee for another seat": (REFEREE, ("note a --as blue",), [(BLUE, "a")]),
    "the referee for two seats": (REFEREE, ("note a --as red", "note b --as blue"), [(RED, "a"), (BLUE, "b")]),
    "the referee for itself again": (REFEREE, ("note a --as red", "note b"), [(RED, "a"), (REFEREE, "b")]),
    "a refused order between two": (RED, ("note a", "move r9 0201", "note b"), [(RED, "a"), (RED, "b")]),
    "Ctrl-C between two": (RED, ("note a", CTRL_C, "note b"), [(RED, "a"), (RED, "b")]),
    "undone": (RED, ("note a", "move r1 0201", "u", "note b"), [(RED, "a"), (RED, "b")]),
    "left before the last": (RED, ("note a", "q", "note b"), [(RED, "a")]),
    "two pasted lines": (RED, ("note a\nnote b",), [(RED, "a"), (RED, "b")]),
    "pasted with blank lines": (RED, ("\n note a\r\n\r\nnote b\n",), [(RED, "a"), (RED, "b")]),
    "pasted, the second is refused": (RED, ("note a\nmove r9 0201\nnote b", "note c"), [(RED, "a"), (RED, "c")]),
    "pasted, the second is a shell's": (RED, ("note a\nexport x\nnote b",), [(RED, "a")]),
    "pasted, the second is a look": (RED, ("note a\nunits\nnote b",), [(RED, "a"), (RED, "b")]),
    "pasted, the second leaves": (RED, ("note a\nq\nnote b", "note c"), [(RED, "a")]),
    "one order in JSON on two lines": (RED, ('{"order": "note",\n "text": "a"}',), [(RED, "a")]),
    "two orders in JSON": (RED, ('{"order": "note", "text": "a"}\n{"order": "note", "text": "b"}',),
                           [(RED, "a"), (RED, "b")]),
}  # fmt: skip
"""A seat, its input, and the notes that are recorded."""


@pytest.mark.parametrize("name", LINES)
def test_accepted_lines_alone_are_recorded(evening: Evening, name: str) -> None:
    """Write each accepted line into the ledger and the file, and nothing else."""
    seat, typed, notes = LINES[name]
    evening.sits(seat, *typed)
    assert evening.notes() == notes
    assert [(line.get("as"), line["text"]) for line in evening.written() if line["order"] == "note"] == notes


@pytest.mark.parametrize(
    ("before", "takes_back"),
    [
        (("note a",), False),
        (("move r1 0201",), True),
        (("move r1 0201", "note a"), True),
        (("move r1 0201", writes(RITA, "ours")), True),
        (("move r1 0201", writes(BLUE, "theirs")), True),
        ((writes(BLUE, "theirs"),), False),
    ],
)
def test_u_takes_back_an_own_order(evening: Evening, before: tuple[Typed, ...], takes_back: bool) -> None:
    evening.sits(RED, *before, "u")
    assert evening.game.seat(RED).known().units["r1"].at == "0101"
    undone = [line for line in evening.written() if line["order"] == "undo"]
    assert bool(undone) == takes_back


@pytest.mark.parametrize("seat", [RITA, BLUE])
def test_u_takes_back_no_order_of_a_neighbor(evening: Evening, seat: str, capsys: pytest.CaptureFixture[str]) -> None:
    evening.game.seat(RED).order({"order": "move", "unit": "r1", "path": ["0201"]})
    evening.sits(seat, "u")
    assert evening.game.seat(RED).known().units["r1"].at == "0201"
    assert "Refused:" in capsys.readouterr().err
    evening.sits(REFEREE, "u a slip")
    assert evening.game.seat(RED).known().units["r1"].at == "0101"


def test_two_prompts_take_turns(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    """Blue sits down while Red is at the prompt; each reads the other's orders once and its own as recorded."""

    def blue_sits(evening: Evening) -> None:
        left, evening.typed = evening.typed, ["note from blue", "u"]
        with umpire.open(evening.file) as other:
            Conversation(other.game("ford").seat(BLUE), evening).run()
        evening.typed = left

    evening.sits(RED, "note from red", blue_sits, "note again", "")
    told = [
        line for line in capsys.readouterr().out.splitlines() if line.endswith((": from red", ": from blue", ": again"))
    ]
    assert [line.partition("  " if line.startswith("#") else " ")[0] == "new:" for line in told] == [False] * 3 + [True]
    assert evening.notes() == [(RED, "from red"), (BLUE, "from blue"), (RED, "again")]
