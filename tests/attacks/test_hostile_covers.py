"""Hostile words about hidden units, readers and couriers: taken or refused as a whole, and never raw in an answer."""

import contextlib
import json
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.attacks.attack import crash_of
from tests.attacks.hostile import NAME, TEXT, UNSEEN, raw
from tests.cli.terminal import Terminal
from tests.face.desk import EXPECTED

SCENARIO = """
title = "freeform"
name = "Night"
dice = "table"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }, { id = "grey", name = "Grey" }]
options = { fog = true }
units = [
    { id = "r1", side = "red", kind = "ship", at = "0101" },
    { id = "red-1", side = "red", kind = "ship", at = "0101", hidden = true },
]
play = [
    { rounds = "T", name = "turns", counts_turns = true, until = "nth(9, 'T')" },
    { step = "1", name = "sailing", in = "T", by = "each", allows = ["move", "place"], need = "optional" },
]
"""
WORDS = (
    NAME,
    TEXT,
    "<img src=x onerror=alert(1)>",
    "\u202egrey",
    "\x00",
    "",
    " ",
    "x" * 100_000,
    "red,blue",
    "../..",
    "-1",
)
"""Control characters, HTML, right to left, NUL, nothing, too much, two names in one, a path, a number."""
OTHERS: tuple[Any, ...] = (7, None, True, {"red": 1}, [["red"]], ["red"] * 5000, ["red", NAME], "red")
FIELDS: tuple[dict[str, Any], ...] = (
    {"order": "show", "unit": "red-1", "cause": "it surfaces"},
    {"order": "show", "unit": "red-1", "to": ["blue"]},
    {"order": "hide", "unit": "r1", "only": ["blue"], "cause": "it is dark"},
    {"order": "move", "unit": "r1", "path": ["0102"], "only": ["blue"]},
    {"order": "place", "unit": "red-2", "side": "red", "kind": "ship", "at": "0101", "hidden": True, "only": ["blue"]},
    {"order": "note", "text": "hm", "to": ["blue"]},
    {"order": "send-message", "text": "hm", "to": ["blue"], "arrives": 3},
)
CASES = [
    pytest.param(
        {**order, name: [word] if isinstance(value, list) and isinstance(word, str) else word},
        id=f"{order['order']} {name} {at}",
    )
    for order in FIELDS
    for name, value in order.items()
    if name != "order"
    for at, word in enumerate((*WORDS, *OTHERS))
]


@pytest.fixture(scope="module")
def night() -> Any:
    with umpire.open(":memory:") as desk:
        yield desk.new_from_text("freeform", SCENARIO, id="g")


@pytest.mark.parametrize("order", CASES)
def test_hostile_word_is_accepted_or_refused_whole(night: umpire.PlayedGame, order: dict[str, Any]) -> None:
    before = night.size
    try:
        night.seat("red").order(order)
    except EXPECTED:
        assert night.size == before
    except Exception as error:
        pytest.fail(crash_of(error))
    else:
        with contextlib.suppress(umpire.Refused):  # a note alone leaves nothing to take back
            night.referee.order({"order": "rewind", "to": before, "why": "as it was"})
    for seat in ("red", "blue", "referee", "spectator"):
        assert night.seat(seat).map()
        assert night.seat(seat).status


@pytest.fixture
def terminal(tmp_path: Any) -> Terminal:
    found = Terminal(tmp_path)
    found.write("night.toml", SCENARIO)
    found.ok("new", "freeform", "--id", "night", "--scenario", "night.toml")
    return found


@pytest.mark.parametrize("word", [word for word in WORDS if word and "\x00" not in word and len(word) < 1000])
def test_hostile_word_is_printed_as_text(terminal: Terminal, word: str) -> None:
    """Try each at the command line, as an argument or an option."""
    hidden = {"order": "place", "unit": UNSEEN, "side": "red", "kind": word or "x", "at": word or "x", "hidden": True}
    for words in (
        ("order", "night", "show", word),
        ("order", "night", "show", "red-1", "--to", word),
        ("order", "night", "hide", word),
        ("order", "night", "hide", "r1", "--only", word),
        ("order", "night", "hide", "r1", "--cause", word),
        ("order", "night", "move", "r1", "0102", "--only", word),
        ("order", "night", json.dumps(hidden)),
        ("order", "night", "show", UNSEEN, "--cause", word),
        ("order", "night", "hide", UNSEEN, "--cause", word),
        ("note", "night", word, "--to", word),
        ("note", "night", word, "--to", "blue", "--arrives", word),
        ("note", "night", word, "--to", "blue", "--arrives", "turn 3"),
        ("note", "night", word, "--if", word),
    ):
        answer = terminal.type(*words, "--as", "red")
        assert not raw(answer), (words, answer)
    for seat in ("referee", "red", "blue", "spectator"):
        for look in ("status", "units", "audit", "map"):
            answer = terminal.type(look, "night", "--as", seat)
            assert answer.code == 0
            assert not raw(answer), (look, seat, answer)
