"""A game in which every free text is hostile, and every way to ask about it, made from the table of commands."""

import json
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import click

from tests.attacks.command_table import Word, required, ways
from tests.cli.terminal import Answer, Terminal
from tests.face.domain import SeatKey

NAME = "e\x1b[2J\x9b1m\x7f\u202eb\u2066\u200f\u061c\u2028\u200b"
"""Short enough for an id: clear the screen, colour, DEL, write from right to left, a line separator, nothing at all."""
TEXT = (
    f"{NAME}\x1b]0;owned\x07\u2029\ufeff\U000e0041\x85\u3164"
    "\n# <script>alert(1)</script> | `a` *b* [c](http://d)\r\n| 1 | 2 |\t=cmd"
)
UNSEEN = f"red-{NAME}"
"""A hidden unit has an id of its side."""
KEY = SeatKey("e\u202eb\u2066\u200f\u061c\u200b", bytes(32)).text()
FORMULA = "=HYPERLINK(1)" + NAME
SEATS = ("referee", "red", "spectator")
KEPT = "\n\r"
"""Line ends that commands write themselves; carriage returns in CSV alone."""


def scenario() -> str:
    """Return a skirmish with control characters and markup in its names, places, markers and options."""
    name, text = _toml(NAME), _toml(TEXT)
    return f"""
title = "freeform"
name = {text}
about = {text}
dice = "table"
sides = [{{ id = "red", name = {name} }}, {{ id = "blue", name = {text} }}]
options = {{ {name} = {text} }}
accounts = {{ {name} = 3 }}
markers = {{ {name} = {text} }}
victory = {{ {name} = {text} }}

[tables.wind]
dice = "1d6"
source = {text}
rows = {{ "1..6" = {text} }}

[[units]]
id = "r1"
side = "red"
kind = {name}
at = {name}
attributes = {{ {name} = {text} }}
"""


def _toml(text: str) -> str:
    return '"' + "".join(f"\\U{ord(char):08x}" for char in text) + '"'


def orders() -> list[dict[str, object]]:
    """Return every generic order, each with hostile text wherever it takes text."""
    red = {"as": "red"}
    return [
        {**red, "order": "note", "text": TEXT},
        {**red, "order": "note", "text": TEXT, "to": ["referee", "blue"]},
        {
            **red,
            "order": "note",
            "text": FORMULA,
            "id": NAME,
            "happened_at": "2020-01-01T10:00:00Z",
            "witness": FORMULA,
        },
        {**red, "order": "place", "unit": NAME, "side": "red", "kind": NAME, "at": NAME, "cause": TEXT},
        {**red, "order": "move", "unit": NAME, "path": [NAME + "2", FORMULA], "cause": TEXT},
        {**red, "order": "change", "unit": NAME, "attribute": NAME, "to": TEXT, "cause": TEXT},
        {**red, "order": "pay", "account": NAME, "amount": 2, "cause": TEXT},
        {**red, "order": "mark", "marker": NAME, "to": FORMULA, "cause": TEXT},
        {**red, "order": "choose", "question": NAME, "choice": TEXT},
        {**red, "order": "seal-choice", "question": NAME + "s", "choice": TEXT},
        {**red, "order": "reveal", "question": NAME + "s"},
        {**red, "order": "seal-choice", "question": NAME + "t", "choice": TEXT},
        {**red, "order": "roll", "purpose": TEXT, "table": "wind", "needed": TEXT, "rule": NAME, "pips": [3]}
        | {"subjects": [NAME], "modifiers": [{"amount": 1, "source": TEXT}]},
        {"as": "referee", "order": "take-seat", "taker": NAME, "side": "red", "name": TEXT},
        {"as": "referee", "order": "give-key", "who": "blue", "key": KEY, "reason": TEXT},
        {"as": NAME, "order": "note", "text": TEXT},
        {**red, "order": "remove", "unit": NAME, "fate": NAME, "cause": TEXT},
        {**red, "order": "dispute", "records": [4], "claim": TEXT, "rule": NAME, "dispute": NAME},
        {**red, "order": "dispute", "records": [6], "claim": TEXT, "rule": NAME},
        {"as": "referee", "order": "rule", "ruling": TEXT, "reason": TEXT, "grounds": "house rule", "rule": NAME}
        | {"remedy": TEXT, "overrides": NAME, "dispute": NAME},
        {**red, "order": "pay", "account": NAME, "amount": 1, "cause": TEXT},
        {**red, "order": "undo", "why": TEXT},
        {**red, "order": "ask-rewind", "to": 8, "why": TEXT},
        {**red, "order": "seal-words", "text": TEXT, "condition": FORMULA},
        {"as": "referee", "order": "peek", "who": "red", "reason": TEXT},
    ]


def hostile_game(folder: Path) -> Terminal:
    """Return a terminal with that game, `ford`, two replay logs of it, and a few refusals after it."""
    terminal = Terminal(folder)
    terminal.write("hostile.toml", scenario())
    terminal.ok("new", "freeform", "--id", "ford", "--scenario", "hostile.toml")
    terminal.ok("play", "ford", terminal.orders(*orders()))
    for refused in ({"order": "move", "unit": TEXT, "path": [NAME]}, {"order": TEXT}, {"order": "rewind", "to": NAME}):
        terminal.type("order", "ford", json.dumps(refused), "--as", "red")
    terminal.ok("export", "ford", "-o", "whole.jsonl", "--as", "referee")
    terminal.ok("case", "ford", "d1", "-o", "case")
    terminal.ok("key", "new", "first")
    ending = json.loads((terminal.folder / "whole.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    terminal.write("seen.checkpoint", ending["checkpoint"])
    terminal.ok("witness", "new", "tower", "--name", "tower")
    terminal.ok("witness", "ask", "ford", "-o", "request")
    return terminal


def raw(answer: Answer) -> set[str]:
    """Return the invisible characters of an answer and those that would steer a terminal."""
    return {char for char in answer.out + answer.err if unseen(char) and char not in KEPT}


def unseen(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") or char in "\u3164\u115f\u2800\ufe00"


# --- every way to ask -------------------------------------------------------------------------------------------------


def hostile_ways(name: tuple[str, ...], command: click.Command, text: str) -> Iterator[list[str]]:
    """Yield every way to call a command, with hostile text in each option that takes some."""
    return ways(name, command, _words(text), (*SEATS, text))


def _words(text: str) -> Word:
    return lambda command, param: (
        _argument(param, command, text) if isinstance(param, click.Argument) else _value(param, text)
    )


def _argument(param: click.Argument, command: str, text: str) -> str:
    known = {"game_id": "ford", "title_id": "freeform", "unit_id": NAME, "account_id": NAME, "order_name": "move"}
    known |= {
        "dispute_id": NAME,
        "who": "red",
        "record": "#4",
        "records": "#4",
        "before": "2",
        "after": "9",
        "at": "#7",
    }
    known |= {"file": "whole.jsonl" if command == "import" else "orders.jsonl", "what": "ford", "output": "out.html"}
    known |= {"games": "ford", "position": "#4", "sealed": "0", "export": "whole.jsonl", "keys": "whole.jsonl"}
    known |= {"file": "seen.checkpoint"} if command == "cosign" else {}
    known |= {"kind": "losses", "name": "second" if command == "new" else "first", "checkpoint": "seen.checkpoint"}
    known |= {"folder": "second" if command == "new" else "tower", "key": KEY, "request": "request"}
    if command == "sign" and param.name == "order":
        return json.dumps({"order": "note", "text": text})
    if command == "amend" and param.name == "text":
        return json.dumps({"order": "note", "text": text})
    if command == "order":
        return json.dumps({"order": "note", "text": text}) if param.name == "text" else "ford"
    return known.get(param.name or "", text)


def _value(param: click.Parameter, text: str) -> str:
    if isinstance(param.type, click.Choice):
        return str(param.type.choices[0])
    known = {"at": "5", "start": "2", "stop": "9", "to": "#5", "about": "4", "last": "3", "turn": "0", "orders": "1"}
    known |= {
        "scenario": "hostile.toml",
        "output": "out.html",
        "where": "umpire.db",
        "game_id": "copy",
        "new_id": "copy",
        "name": "tower",
    }
    return known.get(param.name or "", text)


def fresh(terminal: Terminal, folder: Path) -> Terminal:
    """Return a copy of a terminal's folder, for a command that writes."""
    shutil.copytree(terminal.folder, folder)
    copy = Terminal.__new__(Terminal)
    copy.folder = folder
    return copy


def wrong_ways(name: tuple[str, ...], command: click.Command, text: str) -> Iterator[list[str]]:
    """Yield calls of a command with hostile text in place of each required word in turn, and after all of them."""
    words = required(command, _words(text))
    for at, word in enumerate(words):
        if not word.startswith("-"):
            yield [*name, *words[:at], text, *words[at + 1 :]]
            yield [*name, *words[:at], text, *words[at + 1 :], "--json"]
    yield [*name, *words, text]
    yield [*name, *words, f"--{text}"]
