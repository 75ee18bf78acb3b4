"""The replay page: what lies in it is what the seat sees, at every position; nothing else lies in it."""

import json
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.projections.page_blocks import Blocks, merged
from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.projections.pictures.page_log import taken_out
from umpire_ledger.projections.pictures.page_states import merge_patch
from umpire_ledger.testing.fixtures import FIXTURES

REPLAYS = sorted(FIXTURES.glob("*/replays/*.jsonl"))
NAMES = [file.stem for file in REPLAYS]
SEATS = ("referee", "spectator")
STEPS = 9
"""Of so many orders one is looked at whole: a turn view at a position reads the log from its beginning."""
SPARE = 150_000
HOSTILE = (
    "</pre></script></noscript><script>alert(1)</script>",
    "<!-- never closed",
    "&amp; &lt; & &#60; &amp;lt;",
    "line\u2028and\u2029paragraph",
    "🎲⚔️ \N{RIGHT-TO-LEFT OVERRIDE}gpj.exe",
    "\"quotes\" \\ and 'more' `${x}`",
    "]]> <![CDATA[ $script $blocks {{log}} <pre id=log>",
)
FORD = """
title = "freeform"
name = "Skirmish & </title><script>alert(2)</script>"
dice = "table"
sides = [{ id = "red", name = "Red <b>" }, { id = "blue", name = "Blue" }]
units = [
    { id = "r1", side = "red", kind = "foot", at = "0101", attributes = { strength = 4 } },
    { id = "cart", side = "red", kind = "cart", at = "0101" },
    { id = "b1", side = "blue", kind = "foot", at = "0102" },
]
"""


@pytest.fixture(params=REPLAYS, ids=NAMES)
def replay(request: pytest.FixtureRequest) -> Iterator[umpire.PlayedGame]:
    with umpire.open(":memory:") as desk:
        yield desk.import_log(request.param)


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "umpire.db") as desk:
        yield desk.new_from_text("freeform", FORD, id="ford")


def page_of(seat: umpire.Seat, folder: Path, **stretch: int) -> Blocks:
    seat.page(folder / "page.html", **stretch)
    return Blocks(folder / "page.html")


class TestStates:
    """The patches make the state that the seat knows, at every position of every recorded game."""

    @pytest.mark.parametrize("name", SEATS)
    def test_units_accounts_and_markers_are_those_that_the_seat_knows(
        self, replay: umpire.PlayedGame, name: str, tmp_path: Path
    ) -> None:
        seat = replay.seat(name)
        page, last = page_of(seat, tmp_path), 0
        for position, state in page.states():
            known = seat.known(position)
            assert {unit: plain_unit(known, one) for unit, one in known.units.items()} == {
                unit: bare_unit(one) for unit, one in state["units"].items()
            }, position
            kept = state.get("kept", {})
            assert {**state["accounts"], **kept.get("accounts", {})} == dict(known.accounts), position
            assert {*state["markers"], *kept.get("markers", {})} == set(known.markers), position
            assert (state["turn"], state.get("ended", "")) == (known.turn, known.ended), position
            assert state["steps"] == [[one.step, one.name] for one in known.cursor.open], position
            last = position
        assert last == replay.size == page.facts["last"]

    def test_the_map_is_the_picture_of_the_position(self, replay: umpire.PlayedGame, tmp_path: Path) -> None:
        seat = replay.referee
        page, ends = page_of(seat, tmp_path), {one.last for one in seat.orders(all_lines=True)[::STEPS]}
        spots, seen = page.facts["map"]["spots"], 0
        for position, state in page.states():
            if position not in ends:
                continue
            picture = seat.picture(position)
            assert state["ways"] == {way.unit: list(way.path) for way in picture.ways}, position
            assert state["lost"] == {one.unit: [one.place, one.fate] for one in picture.losses}, position
            assert set(picture.contested) <= set(state["contested"]) <= set(picture.contested) | spots.keys()
            for stack in picture.stacks:
                for counter in stack.counters:
                    drawn = state["units"][counter.unit]
                    assert (drawn["place"], drawn["side"], drawn["kind"]) == (stack.place, stack.side, counter.kind)
                    assert (drawn["label"], drawn["signs"]) == (counter.label, list(counter.signs))
                    assert page.facts["map"]["within"].get(stack.place, stack.place) in spots
            seen += 1
        assert seen == len(ends)

    def test_where_and_who_are_those_of_the_turn_view(self, replay: umpire.PlayedGame, tmp_path: Path) -> None:
        seat = replay.seat("spectator")
        ends = {one.last for one in seat.orders(all_lines=True)[:: 10 * STEPS]} | {replay.size}
        page, seen = page_of(seat, tmp_path), 0
        for position, state in page.states():
            if position in ends:
                view = seat.status_at(position)
                assert (state["where"], tuple(state["side_to_act"])) == (view.where, view.waiting), position
                assert len(state["owed"]) == len(view.owed)
                assert all(one.words in said for one, said in zip(view.owed, state["owed"], strict=True))
                seen += 1
        assert seen == len(ends)

    def test_no_state_and_no_entry_holds_a_null(self, replay: umpire.PlayedGame, tmp_path: Path) -> None:
        """A null in a patch takes something away: a state that had one could not be told."""
        page = page_of(replay.referee, tmp_path)
        states = [json.dumps(state) for _, state in page.states()]
        assert not [state for state in states if "null" in state.replace("nullified", "")]
        assert all(None not in entry.values() for entry in at_least_one(page.records.values()))


def plain_unit(game: Game, unit: Unit) -> dict[str, Any]:
    attributes = {name: value for name, value in unit.attributes.items() if value is not None}
    lists = {name: list(value) if isinstance(value, tuple) else value for name, value in attributes.items()}
    return {"side": unit.side, "kind": unit.kind, "at": unit.at, "fate": unit.fate, "attributes": lists}


def bare_unit(drawn: dict[str, Any]) -> dict[str, Any]:
    return {
        "side": drawn["side"],
        "kind": drawn["kind"],
        "at": drawn.get("at", drawn["place"]),
        "fate": drawn.get("fate", ""),
        "attributes": {**drawn["about"], **drawn.get("kept", {})},
    }


values = st.recursive(
    st.integers() | st.text(max_size=3) | st.booleans(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)
states = st.dictionaries(st.text(max_size=2), values, max_size=4)


@given(states, states)
def test_a_patch_makes_one_state_of_the_other(before: dict[str, Value], after: dict[str, Value]) -> None:
    assert merged(before, merge_patch(before, after)) == after


class TestWhatLiesInIt:
    @pytest.mark.parametrize("name", SEATS)
    def test_the_log_is_the_export_of_the_seat(self, replay: umpire.PlayedGame, name: str, tmp_path: Path) -> None:
        seat = replay.seat(name)
        seat.export(tmp_path / "log.jsonl")
        page = page_of(seat, tmp_path)
        log = (tmp_path / "log.jsonl").read_bytes()
        assert page.log == log
        assert b"".join(taken_out((tmp_path / "page.html").read_bytes())) == log
        assert umpire.verify(tmp_path / "page.html") == umpire.verify(tmp_path / "log.jsonl")

    @pytest.mark.parametrize("name", SEATS)
    def test_it_says_what_the_audit_trail_says(self, replay: umpire.PlayedGame, name: str, tmp_path: Path) -> None:
        seat = replay.seat(name)
        page = page_of(seat, tmp_path)
        lines = seat.audit(all_lines=True)
        assert len(lines) == len(page.records) == replay.size
        entries = page.records
        for line in lines:
            entry = entries[line.position]
            said = [entry.get(key, "") for key in ("m", "s", "w", "e", "r")]
            assert said == [line.text, line.step, line.seat, line.event, line.rule]
            assert (entry.get("t", 0), bool(entry.get("c")), tuple(entry.get("u", ()))) == (
                line.turn,
                line.counts,
                line.units,
            )
            assert ("x" in entry) == bool(line.dice)

    @pytest.mark.parametrize("name", SEATS)
    def test_the_list_for_readers_without_script_holds_every_order(
        self, replay: umpire.PlayedGame, name: str, tmp_path: Path
    ) -> None:
        seat = replay.seat(name)
        page = page_of(seat, tmp_path)
        orders = seat.orders(all_lines=True)
        items = [
            (str(one.position), str(one.position), "" if one.counts else "undone", f"{one.text}\n")
            for one in at_least_one(orders)
        ]
        assert page.items == items
        lines = page.texts["trail"].strip().splitlines()
        assert len(lines) == len(items), "one order a line"

    def test_it_is_no_larger_than_was_promised(self, replay: umpire.PlayedGame, tmp_path: Path) -> None:
        for name in at_least_one(replay.seats):
            seat = replay.seat(name)
            seat.export(tmp_path / "log.jsonl")
            made = seat.page(tmp_path / "page.html")
            assert made.size == (tmp_path / "page.html").stat().st_size
            assert made.size <= 1.3 * (tmp_path / "log.jsonl").stat().st_size + SPARE, name

    def test_made_twice_it_is_the_same_file(self, replay: umpire.PlayedGame, tmp_path: Path) -> None:
        replay.referee.page(tmp_path / "one.html")
        replay.catch_up()
        replay.referee.page(tmp_path / "two.html")
        assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()

    def test_only_its_own_script_may_run_and_nothing_is_fetched(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        page = page_of(ford.referee, tmp_path)
        policy = next(given["content"] for tag, given in page.tags if given.get("http-equiv"))
        digest = b64encode(sha256(page.texts["script"].encode()).digest()).decode()
        assert policy == (f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:")
        assert not [given for _, given in page.tags if given.get("src") or (given.get("href") or "#")[0] != "#"]
