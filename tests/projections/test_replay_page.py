"""Check that the replay page contains exactly the data that the seat may see at each position."""

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, strategies as st

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.face.desk import GameStateBuilder, OpenGame, drafts_of
from tests.face.domain import (
    Game,
    RestrictedEvent,
    Unit,
    Value,
    dated,
    events as e,
    fold,
)
from tests.face.ledger import Ledger
from tests.face.projections import (
    PAGE,
    SCRIPTS,
    inert,
    lean,
    merge_patch,
    put_in,
    taken_out,
)
from tests.face.testing import FIXTURES, OWN
from tests.naming import Naming
from tests.projections.page_blocks import Blocks, merged

REPLAYS = sorted((*FIXTURES.glob("*/replays/*.jsonl"), *OWN.glob("replays/*.jsonl")))
NAMES = [file.stem for file in REPLAYS]
SEATS = ("referee", "spectator")
STEPS = 9
"""One in this many orders is compared in full, because a turn view at a position reads the log from its beginning."""
SPARE = 150_000
ROOM = 135_000
"""Bytes for the skeleton, the style sheet and the scripts: the remainder of `SPARE` in a game of thirty records."""
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


@pytest.fixture(params=REPLAYS, ids=NAMES, scope="module")
def replay(request: pytest.FixtureRequest) -> Iterator[umpire.PlayedGame]:
    """Recorded game, for reading only."""
    with umpire.open(":memory:") as desk:
        yield desk.import_log(request.param)


class Page(NamedTuple):
    """A page of a recorded game: its file, its blocks, and the size that its maker returned."""

    file: Path
    blocks: Blocks
    size: int


Pages = Callable[[str], Page]


@pytest.fixture(scope="module")
def pages(replay: umpire.PlayedGame, tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """Function that creates and caches the page of a seat of the recorded game."""
    folder = tmp_path_factory.mktemp("pages")

    @cache
    def page(name: str) -> Page:
        file = folder / f"{name}.html"
        made = replay.seat(name).page(file)
        return Page(file, Blocks(file), made.size)

    return page


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "umpire.db") as desk:
        yield desk.new_from_text("freeform", FORD, id="ford")


@pytest.fixture
def harbour() -> Iterator[umpire.PlayedGame]:
    with umpire.open(":memory:") as desk:
        yield desk.import_log(FIXTURES / "war-galley" / "replays" / "great-harbour.jsonl")


def page_of(seat: umpire.Seat, folder: Path, **stretch: int) -> Blocks:
    seat.page(folder / "page.html", **stretch)
    return Blocks(folder / "page.html")


class TestStates:
    """The patches produce the state that the seat knows, at every position of every recorded game."""

    @pytest.mark.parametrize("name", SEATS)
    def test_states_have_the_units_known_to_the_seat(self, replay: umpire.PlayedGame, pages: Pages, name: str) -> None:
        seat = replay.seat(name)
        page, last = pages(seat.name).blocks, 0
        for position, state in page.states():
            known = seat.known(position)
            assert {unit: plain_unit(known, one) for unit, one in known.units.items()} == {
                unit: bare_unit(one) for unit, one in state["units"].items() if "seen" not in one
            }, position
            seen = {one.unit.id: (one.unit.at, dated(one)) for one in known.sightings.values()}
            past = {unit: one for unit, one in state["units"].items() if "seen" in one}
            assert {unit: (one.get("at", one["place"]), one["seen"]) for unit, one in past.items()} == seen, position
            kept = state.get("kept", {})
            assert {**state["accounts"], **kept.get("accounts", {})} == dict(known.accounts), position
            assert {*state["markers"], *kept.get("markers", {})} == set(known.markers), position
            assert (state["turn"], state.get("ended", "")) == (known.turn, known.ended), position
            assert state["steps"] == [[one.step, one.name] for one in known.cursor.open], position
            last = position
        assert last == replay.size == page.facts["last"]

    def test_map_of_a_state_is_the_picture_at_its_position(self, replay: umpire.PlayedGame, pages: Pages) -> None:
        seat = replay.referee
        page, ends = pages(seat.name).blocks, {one.last for one in seat.orders(all_lines=True)[::STEPS]}
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

    def test_states_have_step_and_waiting_seats_of_the_turn_view(self, replay: umpire.PlayedGame, pages: Pages) -> None:
        seat = replay.seat("spectator")
        ends = {one.last for one in seat.orders(all_lines=True)[:: 10 * STEPS]} | {replay.size}
        page, seen = pages(seat.name).blocks, 0
        for position, state in page.states():
            if position in ends:
                view = seat.status_at(position)
                assert (state["where"], tuple(state["side_to_act"])) == (view.where, view.waiting), position
                assert len(state["owed"]) == len(view.owed)
                assert all(one.words in said for one, said in zip(view.owed, state["owed"], strict=True))
                seen += 1
        assert seen == len(ends)

    def test_state_inside_an_order_has_its_own_step(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        seat = harbour.referee
        ends = {one.last for one in seat.orders(all_lines=True)}
        inside = [(at, state) for at, state in page_of(seat, tmp_path).states() if at not in ends]
        turned = [at for at, state in inside if state["where"] != seat.known(at).where]
        assert (len(inside) > 100, turned) == (True, [])
        assert all(f"turn {state['turn']}" in state["where"] for _, state in inside if state["turn"])

    def test_states_and_entries_contain_no_null(self, replay: umpire.PlayedGame, pages: Pages) -> None:
        # A null in a patch removes a field, so a state with a null could not be encoded.
        page = pages("referee").blocks
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


names = st.text(max_size=2)
single = st.integers() | st.text(max_size=3) | st.booleans() | st.lists(st.integers(), max_size=2)
values = single | st.dictionaries(names, single | st.dictionaries(names, single, max_size=3), max_size=3)
states = st.dictionaries(names, values, max_size=4)


@given(states, states)
def test_patch_turns_one_state_into_the_other(before: dict[str, Value], after: dict[str, Value]) -> None:
    assert merged(before, merge_patch(before, after)) == after


class TestContents:
    @pytest.mark.parametrize("name", SEATS)
    def test_log_in_the_page_is_the_export_of_the_seat(
        self, replay: umpire.PlayedGame, pages: Pages, name: str, tmp_path: Path
    ) -> None:
        seat = replay.seat(name)
        seat.export(tmp_path / "log.jsonl")
        page, log = pages(name), (tmp_path / "log.jsonl").read_bytes()
        assert page.blocks.log == log
        assert b"".join(taken_out(page.file.read_bytes())) == log
        assert umpire.verify(page.file) == umpire.verify(tmp_path / "log.jsonl")

    @pytest.mark.parametrize("name", SEATS)
    def test_page_entries_equal_the_audit_trail(self, replay: umpire.PlayedGame, pages: Pages, name: str) -> None:
        seat = replay.seat(name)
        page = pages(seat.name).blocks
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
    def test_page_without_script_lists_every_order(self, replay: umpire.PlayedGame, pages: Pages, name: str) -> None:
        seat = replay.seat(name)
        page = pages(seat.name).blocks
        orders = seat.orders(all_lines=True)
        items = [
            (str(one.position), str(one.position), "" if one.counts else "undone", f"{one.text}\n")
            for one in at_least_one(orders)
        ]
        assert page.items == items
        lines = page.texts["trail"].strip().splitlines()
        assert len(lines) == len(items), "one order a line"

    def test_made_of_the_export_alone_it_is_the_same_file(
        self, replay: umpire.PlayedGame, pages: Pages, tmp_path: Path
    ) -> None:
        """Check that the export is the only source of a page, so that any reader can make it again."""
        for name in at_least_one(("referee", replay.sides[0], "spectator")):
            page = pages(name).file
            with umpire.open(":memory:") as desk:
                desk.import_log(page).seat(name).page(tmp_path / "again.html")
            assert (tmp_path / "again.html").read_bytes() == page.read_bytes(), name

    @pytest.mark.parametrize("name", SEATS)
    def test_page_is_within_its_size_limit(
        self, replay: umpire.PlayedGame, pages: Pages, name: str, tmp_path: Path
    ) -> None:
        replay.seat(name).export(tmp_path / "log.jsonl")
        made = pages(name)
        assert made.size == made.file.stat().st_size
        assert made.size <= 1.3 * (tmp_path / "log.jsonl").stat().st_size + SPARE

    def test_made_twice_it_is_the_same_file(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        harbour.referee.page(tmp_path / "one.html")
        harbour.catch_up()
        harbour.referee.page(tmp_path / "two.html")
        assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()

    def test_page_runs_only_its_script_and_fetches_nothing(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        page = page_of(ford.referee, tmp_path)
        policy = next(given["content"] for tag, given in page.tags if given.get("http-equiv"))
        digest = b64encode(sha256(page.texts["script"].encode()).digest()).decode()
        assert policy == (f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:")
        assert not [given for _, given in page.tags if given.get("src") or (given.get("href") or "#")[0] != "#"]


class TestScripts:
    SOURCES = tuple(PAGE / name for name in SCRIPTS)

    def test_every_script_of_the_folder_is_joined(self) -> None:
        assert {Path(str(file)).name for file in PAGE.iterdir() if file.name.endswith(".js")} == set(SCRIPTS)

    def test_lean_scripts_lose_only_comments_and_blank_lines(self) -> None:
        """Compare line by line, because a template, or a comment after code, would not be recognized."""
        for source in at_least_one(self.SOURCES):
            text = source.read_text(encoding="utf-8")
            assert not [line for line in text.splitlines() if line.count("`") % 2], source.name
            assert lean(text).splitlines() == [*code_of(text)], source.name

    def test_scripts_leave_room_for_the_game(self) -> None:
        sizes = [
            len(lean(source.read_text(encoding="utf-8")).encode()) for source in (*self.SOURCES, PAGE / "page.css")
        ]
        assert sum(sizes) + len((PAGE / "page.html").read_bytes()) <= ROOM


def code_of(text: str) -> Iterator[str]:
    """Yield the lines of a script that are neither blank nor comment."""
    inside = False
    for line in filter(None, map(str.strip, text.splitlines())):
        begins = line.startswith("/*") and ("*/" not in line or line.endswith("*/"))
        if inside or begins:
            inside = "*/" not in line
            assert inside or line.endswith("*/"), "code behind a comment of several lines"
        elif not line.startswith("//"):
            yield line


class TestRanges:
    def test_page_range_begins_and_ends_with_whole_orders(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        seat = harbour.referee
        first, last = seat.orders(start=400, stop=400)[0], seat.orders(start=500, stop=500)[0]
        made = seat.page(tmp_path / "page.html", first=first.last, last=last.position)
        page = Blocks(tmp_path / "page.html")
        assert (made.first, made.last) == (first.position, last.last)
        assert [position for position, _ in page.states()] == [*range(made.first, made.last + 1)] == [*page.records]
        assert page.items[0][0] == str(first.position)
        assert page.items[-1][0] == str(last.position)

    def test_states_of_a_range_are_those_of_the_whole_page(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        whole = dict(page_of(harbour.referee, tmp_path).states())
        part = page_of(harbour.referee, tmp_path, first=300, last=350)
        found = 0
        for position, state in part.states():
            assert state == whole[position]
            found += 1
        assert found >= 51

    def test_log_of_a_range_ends_at_its_last_record(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        made = harbour.referee.page(tmp_path / "page.html", last=350)
        checked = umpire.verify(tmp_path / "page.html", checkpoint=harbour.checkpoint(made.last))
        assert checked.valid
        assert checked.verdict.size == made.last == Blocks(tmp_path / "page.html").facts["size"]
        assert checked.verdict.root == made.root

    def test_order_undone_after_the_range_counts(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        size = harbour.size
        harbour.referee.rewind(298, why="too fast")
        then = page_of(harbour.referee, tmp_path, last=size)
        assert then.facts["undone"] == []
        assert all(entry.get("c") for entry in then.records.values())
        now = page_of(harbour.referee, tmp_path)
        assert now.facts["undone"] == [[299, size]]
        assert now.facts["line"] == [[1, 298], [size + 1, size + 1]]

    def test_page_range_ending_before_its_start_is_refused(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        with pytest.raises(umpire.WrongUse) as refused:
            ford.referee.page(tmp_path / "page.html", first=2, last=1)
        assert refused.value.what == Naming("#2", "#1")
        for stretch in ({"last": 99}, {"first": 99}, {"last": 0}, {"first": 0}):
            with pytest.raises(umpire.NoSuchRecord):
                ford.referee.page(tmp_path / "page.html", **stretch)
        assert not (tmp_path / "page.html").exists()


class TestAbandonedBranches:
    def test_states_after_undo_rewind_and_redo_match_the_seat(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        referee, size = harbour.referee, harbour.size
        referee.rewind(560, why="the wind was wrong")
        referee.note("once more")
        referee.rewind(300, why="much too fast")
        referee.redo()
        referee.rewind(size, why="it was right")
        page, seen = page_of(referee, tmp_path), 0
        for position, state in page.states():
            if position > size - 60:
                picture, known = referee.picture(position), referee.known(position)
                assert state["ways"] == {way.unit: list(way.path) for way in picture.ways}, position
                assert state["lost"] == {one.unit: [one.place, one.fate] for one in picture.losses}, position
                assert {name: bare_unit(one) for name, one in state["units"].items()} == {
                    name: plain_unit(known, one) for name, one in known.units.items()
                }
                seen += 1
        assert seen == harbour.size - size + 60
        assert [entry.get("c", 0) for entry in page.records.values()] == [
            int(line.counts) for line in referee.audit(all_lines=True)
        ]

    def test_undone_order_is_labelled_without_script(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("red").order({"order": "move", "unit": "r1", "path": ["0101", "0102"]})
        ford.seat("red").undo()
        page = page_of(ford.referee, tmp_path)
        assert [undone for _, _, undone, _ in page.items] == ["", "undone", ""]


class TestMarks:
    def test_disputes_seals_and_rulings_are_in_the_facts(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        athens = harbour.seat("athens")
        athens.dispute([303], claim="unseen", rule="8.55")
        athens.seal()
        harbour.referee.rule("it stands", why="it is printed", rule="8.55", grounds="printed rule", dispute="d1")
        facts = page_of(athens, tmp_path).facts
        lines = {line.position: line.text for line in athens.audit()}
        at = harbour.size
        for kind in ("disputes", "seals", "rulings"):
            assert facts[kind], kind
            assert all(lines[position] == words for position, words in facts[kind])
        assert [position for position, _ in facts["seals"]] < [at]
        assert facts["rolls"] == [line.position for line in athens.audit(all_lines=True) if line.dice]

    def test_charts_are_those_of_the_chart_command(self, replay: umpire.PlayedGame, pages: Pages) -> None:
        seat = replay.referee
        charts = pages(seat.name).blocks.facts["charts"]
        drawn = [one for panel in seat.chart_data("accounts").panels for one in panel.series]
        told = Counter(map(tuple, charts["accounts"].values()))
        assert Counter(tuple(value or 0 for value in one.values) for one in drawn) <= told, "that command shows fewer"
        known, kept = seat.known(), set(seat.status.kept)
        ends = {name: numbers[-1] for name, numbers in charts["accounts"].items()}
        assert ends == {name: known.accounts[name] for name in ends}
        assert set(known.accounts) - kept <= ends.keys()
        assert not any(ends[name] for name in ends.keys() & kept), "what is over is folded away, not what stands"
        lost = {side: numbers for side, numbers in charts["losses"].items() if any(numbers)}
        drawn = [{one.look: list(one.values) for one in panel.series} for panel in seat.chart_data("losses").panels]
        assert lost == charts["losses"]
        assert not lost or lost in drawn
        gone = Counter(unit.side for unit in known.units.values() if unit.fate)
        assert {side: numbers[-1] for side, numbers in charts["losses"].items() if numbers[-1]} == gone
        assert charts["turns"] == sorted(set(charts["turns"]))
        assert charts["turns"][-1] == known.turn

    def test_dice_are_those_of_the_report(self, replay: umpire.PlayedGame, pages: Pages) -> None:
        report = replay.referee.dice()
        found = pages("referee").blocks.facts["dice"]["totals"]
        assert [(one["of"], one["name"], one["rolls"], one["faces"]["counts"]) for one in found] == [
            (one.of, one.name, one.rolls, list(one.faces.counts)) for one in report.totals
        ]


class TestCopies:
    def test_copy_has_its_own_name_on_the_page(self, harbour: umpire.PlayedGame, tmp_path: Path) -> None:
        copy = harbour.fork("what-if", at=399)
        page = page_of(copy.referee, tmp_path)
        assert (page.facts["game"], page.facts["copied"]) == ("what-if", "a copy of great-harbour at #399")
        assert umpire.verify(tmp_path / "page.html").verdict.game == "what-if"


class TestHostileText:
    @pytest.mark.parametrize("text", HOSTILE)
    def test_hostile_text_stays_text_on_the_page(self, ford: umpire.PlayedGame, text: str, tmp_path: Path) -> None:
        ford.referee.note(text)
        ford.seat("red").order({"order": "change", "unit": "r1", "attribute": text[:20], "to": text, "cause": text})
        plain = page_of(ford.referee, tmp_path)
        ford.referee.export(tmp_path / "log.jsonl")
        assert plain.log == (tmp_path / "log.jsonl").read_bytes()
        assert umpire.verify(tmp_path / "page.html").valid
        empty = page_of_nothing_hostile(tmp_path)
        assert [tag for tag, _ in plain.tags if tag != "li"] == [tag for tag, _ in empty.tags if tag != "li"]
        assert len(plain.items) == 3
        assert inert(text) in plain.items[1][3]
        assert plain.records[ford.size]["m"] == inert(ford.referee.audit()[-1].text)

    def test_game_name_in_the_page_title_is_escaped(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.referee.page(tmp_path / "page.html")
        html = (tmp_path / "page.html").read_text(encoding="utf-8")
        assert "<title>Skirmish &amp; &lt;/title&gt;&lt;script&gt;alert(2)&lt;/script&gt;</title>" in html

    @given(st.lists(st.binary(max_size=40).map(lambda raw: raw.replace(b"\r", b"").replace(b"\0", b""))))
    def test_log_put_into_a_page_is_read_back_unchanged(self, lines: list[bytes]) -> None:
        log = b"".join(line + b"\n" for line in lines)
        page = b"<!doctype html>\n" + b"".join(put_in(log.splitlines(keepends=True))) + b"<p>the end</p>\n"
        assert b"".join(taken_out(page)) == log


def page_of_nothing_hostile(folder: Path) -> Blocks:
    with umpire.open(":memory:") as desk:
        game = desk.new_from_text("freeform", FORD, id="ford")
        return page_of(game.referee, folder)


class TestAlteredPages:
    def block(self, ford: umpire.PlayedGame, folder: Path) -> bytes:
        ford.referee.page(folder / "page.html")
        return (folder / "page.html").read_bytes()

    @pytest.mark.parametrize(
        ("before", "after", "names"),
        [
            (b'<pre id="log" hidden>', b"<pre hidden>", Naming("`log`")),
            (b'<pre id="log" hidden>', b'<pre id="log">', Naming("`log`", "Umpire")),
            (b"<body>", b"<body><div id=log></div>", Naming(2, "`log`")),
            (b"</pre>\n", b"", Naming("`log`")),
            (b'"unit":"r1"', b'"unit":"<b>r1</b>"', Naming("`log`", "'<'")),
            (b'"unit":"r1"', b'"unit":"&#114;1"', Naming("`log`", "'&'")),
            (b"\n", b"\r\n", Naming("CR LF")),
        ],
    )
    def test_missing_damaged_or_doubled_block_is_invalid(
        self, ford: umpire.PlayedGame, before: bytes, after: bytes, names: Naming, tmp_path: Path
    ) -> None:
        page = self.block(ford, tmp_path)
        assert before in page
        (tmp_path / "page.html").write_bytes(page.replace(before, after))
        verdict = umpire.verify(tmp_path / "page.html").verdict
        assert verdict.verdict == "INVALID"
        assert (verdict.size, verdict.reason) == (0, names)
        with umpire.open(":memory:") as desk:
            with pytest.raises(umpire.BrokenLedger) as no:
                desk.import_log(tmp_path / "page.html")
            assert (no.value.position, no.value.reason) == (0, verdict.reason)
            assert desk.games() == []

    def test_altered_byte_of_the_log_is_reported_with_its_place(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        page = self.block(ford, tmp_path)
        (tmp_path / "page.html").write_bytes(page.replace(b'"at":"0102"', b'"at":"0103"', 1))
        verdict = umpire.verify(tmp_path / "page.html").verdict
        assert (verdict.verdict, verdict.game) == ("INVALID", "ford")
        assert verdict.changed_between is not None

    def test_page_is_imported_like_its_log(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        self.block(ford, tmp_path)
        with umpire.open(":memory:") as desk:
            taken = desk.import_log(tmp_path / "page.html")
            assert taken.checkpoint() == ford.checkpoint()


class TestSecrets:
    def test_secret_of_another_seat_is_not_in_the_page(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("red").order({"order": "seal-choice", "question": "stance", "choice": "attack at dawn"})
        held = {name: everything(page_of(ford.seat(name), tmp_path)) for name in ford.seats}
        assert [name for name, text in held.items() if "attack at dawn" in text] == ["referee", "red"]
        assert all("something that is hidden from this seat" in held[name] for name in ("blue", "spectator"))

    def test_seat_taken_late_sees_earlier_acts_of_its_side(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("red").order({"order": "seal-choice", "question": "stance", "choice": "attack at dawn"})
        ford.referee.order({"order": "take-seat", "taker": "anna", "side": "red", "name": "Anna"})
        anna = page_of(ford.seat("anna"), tmp_path)
        assert "attack at dawn" in everything(anna)
        assert anna.facts["seats"] == {"red": "red", "blue": "blue", "anna": "red"}

    def test_secret_path_is_drawn_for_a_seat_taken_later(self, tmp_path: Path) -> None:
        # The map of an earlier position shows a seat the moves of its side, as the units there do.
        sides = tuple(e.Side(id=side, name=side) for side in ("red", "blue"))
        moved = e.UnitMoved(unit="u1", path=("0101", "0102"))
        told = [
            e.GameOpened(game="g", title="freeform", version="1", name="Fog", sides=sides, dice="table"),
            e.UnitPlaced(unit="u1", side="red", kind="foot", at="0101"),
            e.StepOpened(step="1", name="march", waits=("red",)),
            RestrictedEvent(moved, ("red",)),
            e.SeatTaken(seat="anna", side="red"),
        ]
        with Ledger.open(tmp_path / "fog.db", GameStateBuilder()) as ledger:
            state = fold(Game(), [one.event if isinstance(one, RestrictedEvent) else one for one in told])
            ledger.append("g", after=0, seat="referee", command="c", drafts=drafts_of(tuple(told), b"{}"), state=state)
        with umpire.open(tmp_path / "fog.db") as desk:
            for name, ways in (("anna", {"u1": ["0101", "0102"]}), ("blue", {})):
                seat = desk.game("g").seat(name)
                drawn = dict(page_of(seat, tmp_path).states())[4]
                assert drawn["ways"] == {way.unit: list(way.path) for way in seat.picture(4).ways} == ways
                assert drawn["units"]["u1"]["place"] == seat.known(4).units["u1"].at

    def test_seed_is_in_the_page_after_its_reveal_only(self, tmp_path: Path) -> None:
        with umpire.open(":memory:") as desk:
            game = desk.new_from_text("freeform", FORD.replace('"table"', '"ledger"'), id="ford")
            seed = game.ledger.state("ford").seed
            assert seed not in everything(page_of(game.referee, tmp_path))
            game.referee.order({"order": "end", "reason": "it is late"})
            game.referee.order({"order": "open-dice"})
            assert seed in everything(page_of(game.spectator, tmp_path))


def everything(page: Blocks) -> str:
    """Return all text of a page, uncompressed."""
    return " ".join(map(str, (*page.texts.values(), page.facts, page.records, list(page.states()), page.items)))


class TestWithoutItsTitle:
    def test_page_without_its_title_shows_data_of_the_log(
        self, harbour: umpire.PlayedGame, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        whole = dict(page_of(harbour.referee, tmp_path).states())
        monkeypatch.setattr(OpenGame, "title", None)
        page = page_of(harbour.referee, tmp_path)
        assert (page.facts["title"], page.facts["name"]) == ("war-galley", harbour.name)
        found = 0
        for position, state in page.states():
            assert {name: bare_unit(unit) for name, unit in state["units"].items()} == {
                name: bare_unit(unit) for name, unit in whole[position]["units"].items()
            }
            assert state["owed"] == []
            found += 1
        assert found == harbour.size
