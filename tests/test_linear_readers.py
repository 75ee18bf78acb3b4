"""Check that readers of input take linear time: double input takes about double the time, never four times.

Each reader is timed with input of one size and of eight times that size, and the fastest of several runs counts. A
linear reader takes 8 times as long, a quadratic reader 64 times. LINEAR is between them, with room for a busy machine.
"""

import gc
import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.face.desk import (
    EXPECTED,
    need_title,
    orders_in,
    read_order_json,
    read_typed,
    sort_words,
    split,
    tokenizer,
)
from tests.face.projections import inert, inert_json

MORE = 8
LINEAR = 24
RUNS = 3
ORDER = {"order": "move", "unit": "unit-1", "as": "red"}


def seconds(read: Callable[[Any], object], given: Any) -> float:
    """Return the time of the fastest of several runs; refused input is timed too."""
    found = []
    gc.disable()  # a collection takes seconds after thousands of tests
    try:
        for _ in range(RUNS):
            began = time.process_time()
            with suppress(*EXPECTED):
                read(given)
            found.append(time.process_time() - began)
    finally:
        gc.enable()
    return max(min(found), 0.0005)


def is_linear(read: Callable[[Any], object], made: Callable[[int], Any], size: int) -> bool:
    """Return whether MORE times as much input takes less than LINEAR times as long."""
    return seconds(read, made(MORE * size)) < LINEAR * seconds(read, made(size))


def sorted_words(words: list[str]) -> object:
    title = need_title("freeform")
    return sort_words(title, title.every_order["move"], words)


def typed(words: list[str]) -> object:
    return read_typed(need_title("freeform"), words)


@pytest.fixture
def without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the limit on the length of a typed line, which would hide the time of reading."""
    monkeypatch.setattr(tokenizer, "MOST_TYPED", 2**30)


@pytest.mark.usefixtures("without_limit")
@pytest.mark.parametrize(
    ("read", "made", "size"),
    [
        (split, lambda n: "move" + " a" * n, 2_000),
        (split, lambda n: "move " + "a" * n, 4_000),
        (split, lambda n: 'move "' + "a" * n + '"', 4_000),
        (split, lambda n: 'move "' + '\\"' * n + '"', 4_000),
        (split, lambda n: "a" + "=''" * n, 4_000),
        (sorted_words, lambda n: ["a"] * n, 30_000),
        (typed, lambda n: ["move", *["--only", "red"] * n], 4_000),
        (typed, lambda n: ["roll", "d6", "@1" + ",1" * n], 4_000),
        (typed, lambda n: ["move", "u", "a," * n], 4_000),
        (read_order_json, lambda n: json.dumps({"order": ["x"] * n}), 4_000),
        (read_order_json, lambda n: '{"order": ' + "[" * n, 4_000),
        (read_order_json, lambda n: '{"a": "' + '\\"' * n, 4_000),
        (read_order_json, lambda n: '{"a": ' + "1" * n, 4_000),
        (lambda text: list(orders_in(text, "orders")), lambda n: "\n" * n, 4_000),
        (lambda text: list(orders_in(text, "orders")), lambda n: '{"order": "done"}\n' * n, 2_000),
        (inert, lambda n: "\ufe0f\u202e" * n, 4_000),
        (inert_json, lambda n: "\u202e" * n, 4_000),
    ],
)
def test_reader_of_text_is_linear(read: Callable[[Any], object], made: Callable[[int], Any], size: int) -> None:
    assert is_linear(read, made, size) or is_linear(read, made, size), "worse than linear, twice"


SCENARIO = """
title = "freeform"
name = "Many places"
dice = "table"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]
""" + "".join(f'[[units]]\nid = "unit-{n}"\nside = "red"\nkind = "foot"\nat = "place {n}a"\n' for n in range(300))


@pytest.fixture
def game() -> Iterator[umpire.PlayedGame]:
    with umpire.open(":memory:") as desk:
        yield desk.new_from_text("freeform", SCENARIO, id="linear")


def names(number: int) -> list[str]:
    return [f"qwx jk{n}" for n in range(number)]


@pytest.mark.parametrize(
    "made",
    [
        lambda n: {**ORDER, "path": names(n)},
        lambda n: {**ORDER, "path": names(n), "pips": [1]},
        lambda n: {**ORDER, "path": ["place 1a"] * n},
        lambda n: {"order": "roll", "as": "red", "dice": "d6", "purpose": "x", "subjects": names(n)},
        lambda n: {"order": "x" * n, "as": "red"},
        lambda n: {"order": "show", "as": "red", "unit": "u" * n},
        lambda n: {"order": "change", "as": "red", "unit": "unit-1", "attributes": dict.fromkeys(names(n), 1)},
        lambda n: {"order": "note", "as": "red", "text": "x" * n},
    ],
)
def test_order_is_decided_or_refused_in_linear_time(game: umpire.PlayedGame, made: Callable[[int], Any]) -> None:
    give = game.referee.order
    assert is_linear(give, made, 4_000) or is_linear(give, made, 4_000), "worse than linear, twice"


def test_refused_path_of_unknown_names_is_refused_at_once(game: umpire.PlayedGame) -> None:
    """Compare each name only once, instead of with each place of the game."""
    began = time.process_time()
    with pytest.raises(umpire.Refused):
        game.referee.order({**ORDER, "path": names(20_000), "pips": [1]})
    assert time.process_time() - began < 5


def test_quadratic_reader_is_found() -> None:
    def quadratic(number: int) -> None:
        found: list[int] = []
        for one in range(number):
            if one not in found:
                found.append(one)

    assert not is_linear(quadratic, lambda n: n, 400)
