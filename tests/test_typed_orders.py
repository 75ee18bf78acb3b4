"""Check the short form, the example, the schema and the completion of every order of every title."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.at_least_one import at_least_one
from tests.face.desk import (
    WrongUse,
    arguments_of,
    example_of,
    lines_in,
    order_lines,
    read_typed,
    short_form,
    split,
    usage_of,
)
from tests.face.domain import (
    UNIT,
    Order,
    Title,
    freeform_TITLE as FREEFORM,
    order_schema,
    read_order,
)
from tests.face.testing import folder_of, titles
from tests.json_schema import misfits
from tests.order_examples import recorded, with_units

TITLES = [pytest.param(title, id=title.id) for title in titles()]
ORDERS = [
    pytest.param(title, order, id=f"{title.id}/{name}")
    for title in titles()
    for name, order in title.every_order.items()
]


def given_in(title: Title) -> list[dict[str, Any]]:
    """Return every line of the title's order files, each with a seat."""
    files = sorted((folder_of(title.id) / "orders").glob("*.jsonl"))
    return [{"as": "referee", **raw} for file in files for _, raw in order_lines(Path(file))]


@pytest.mark.parametrize("title", TITLES)
def test_orders_of_all_files_can_be_typed(title: Title) -> None:
    lines = given_in(title)
    assert lines
    for raw in lines:
        typed = read_typed(title, split(short_form(title, raw, seat=True)))
        assert read_order(title, typed) == read_order(title, raw), raw


@pytest.mark.parametrize(("title", "order"), ORDERS)
def test_order_example_can_be_typed_and_is_valid_by_its_schema(title: Title, order: type[Order]) -> None:
    raw = example_of(title, order)
    typed = read_typed(title, split(short_form(title, raw, seat=True)))
    assert read_order(title, typed) == read_order(title, raw)
    assert not misfits(order_schema(order), raw)
    assert order.tag() in usage_of(order)


@pytest.mark.parametrize("title", TITLES)
def test_order_examples_are_taken_from_recorded_games(title: Title) -> None:
    """Take examples from the recordings, which accepted them; other orders were never given.

    An order that was first recorded after the examples were chosen has an example that is made from its type.
    """
    taken = [msgspec.json.encode(raw) for raw in recorded(title, "replays", "superseded")]
    given = {msgspec.json.decode(raw)["order"] for raw in taken}
    shown = [raw for name, raw in lines_in(title.id).items() if name in given]
    assert shown
    for raw in shown:
        assert msgspec.json.encode(raw) in taken, f"`python -m tests.order_examples` chooses others: {raw}"


@pytest.mark.parametrize("title", TITLES)
def test_order_schema_accepts_the_lines_of_all_files(title: Title) -> None:
    for raw in at_least_one(given_in(title)):
        order = title.every_order[raw["order"]]
        assert not misfits(order_schema(order), raw), raw
        without_seat = {name: one for name, one in raw.items() if name != "as"}
        late = {**without_seat, "pips": [3], "id": "a", "happened_at": "2026-01-03T19:30:00Z", "witness": "Anna"}
        assert not misfits(order_schema(order), late)
        assert misfits(order_schema(order), {**raw, "pisp": [3]})


@pytest.mark.parametrize("title", TITLES)
def test_argument_that_always_names_units_has_such_a_type(title: Title) -> None:
    """Learn the arguments from recorded games. With such a type, a typo gets the nearest name of the right kind."""
    named: dict[tuple[type[Order], str], set[bool]] = {}
    for raw, units in with_units(title, "replays"):
        order = title.every_order[raw["order"]]
        for one in arguments_of(order):
            for name in names_in(raw.get(one.name)):
                named.setdefault((order, one.name), set()).add(name in units)
    assert any(True in found for found in named.values())
    for (order, argument), found in named.items():
        kind = next(one.names for one in arguments_of(order) if one.name == argument)
        if kind == UNIT:
            assert found == {True}, (order, argument)
        elif found == {True}:
            assert kind or (order.tag(), argument) in FREE, (order, argument)


class Signal(Order, frozen=True, kw_only=True, tag="signal"):
    """Signal to a ship.

    `flag`: its colour.
    `lamp`: the number of flashes.
    """

    flag: str = ""
    lamp: int = 0


def test_description_of_argument_ends_before_the_next() -> None:
    assert [one.says for one in arguments_of(Signal)] == ["its colour", "the number of flashes"]


FREE = {("roll", "subjects"), ("form", "places")}
"""Arguments that name units along with other things, or that name units that do not exist yet."""


def names_in(value: object) -> list[str]:
    found = [value] if isinstance(value, str) else list(value) if isinstance(value, list | dict) else []
    return [one for one in found if isinstance(one, str) and one]


def test_order_schema_refuses_missing_and_empty_arguments(everything: dict[str, Title]) -> None:
    board = order_schema(everything["war-galley"].every_order["board"])
    assert misfits(board, {"order": "board", "ships": [], "target": "athens-4"}) == ["$.ships: minItems 1"]
    assert misfits(board, {"order": "board", "ships": ["syracuse-1"]}) == ["$.target: missing"]


@pytest.fixture
def everything() -> dict[str, Title]:
    return {title.id: title for title in titles()}


@pytest.mark.parametrize("words", [("2d6", "a", "ram"), ("a", "ram", "2d6"), ("a ram", "--dice", "2d6")])
def test_roll_typed_with_dice_first_or_last_takes_them(words: tuple[str, ...]) -> None:
    raw = read_typed(FREEFORM, ["roll", *words])
    assert (raw["purpose"], raw["dice"]) == ("a ram", "2d6")


@pytest.mark.parametrize(("words", "purpose"), [("2d6", "2d6"), ("a 2d6 ram", "a 2d6 ram"), ("a d", "a d")])
def test_roll_typed_with_dice_inside_the_purpose_keeps_it(words: str, purpose: str) -> None:
    raw = read_typed(FREEFORM, ["roll", *words.split()])
    assert (raw["purpose"], raw.get("dice")) == (purpose, None)


@pytest.mark.parametrize(
    ("order", "typed", "do"),
    [
        ("move-units", "K-D7 1105 1204 1303", "`move-units K-D7 1105,1204,1303`"),
        ("move-ships", "sol-carrier-1 a b c", "`move-ships sol-carrier-1 a,b,c`"),
        ("move", "hiei --path 0101 0202 0203", "`--path 0101,0202,0203`"),
    ],
)
def test_list_typed_with_spaces_is_shown_by_comma(order: str, typed: str, do: str) -> None:
    title = next(one for one in titles() if order in one.every_order)
    with pytest.raises(WrongUse) as refused:
        read_typed(title, [order, *split(typed)])
    assert do in refused.value.remedy
    words = split(do.strip("`"))
    again = words if words[0] == order else [order, *split(typed)[:1], *words]
    assert all(isinstance(value, (str, list)) for value in read_typed(title, again).values())
