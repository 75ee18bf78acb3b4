"""The public API: `import umpire_ledger as umpire`. One object for a ledger, a game, a seat, a position."""

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.desk.game import FORD, coded
from tests.face.domain import Move
from tests.face.testing import FIXTURES
from tests.naming import Naming

HARBOUR = FIXTURES / "war-galley" / "scenarios" / "great-harbour.toml"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[umpire.Desk]:
    with umpire.open(tmp_path / "umpire.db") as desk:
        yield desk


@pytest.fixture
def ford(desk: umpire.Desk) -> umpire.PlayedGame:
    return desk.new_from_text("freeform", FORD, id="ford")


class TestDesk:
    def test_script_opens_a_game_and_gives_an_order(self, desk: umpire.Desk) -> None:
        harbour = desk.new("war-galley", HARBOUR, id="harbour", dice="table")
        outcome = harbour.seat("athens").order("roll-wind", pips=[3, 4])
        assert "wind" in " ".join(record.text for record in outcome.records)
        assert outcome.position == harbour.size
        assert harbour.seat("athens").status.position == harbour.size

    def test_every_name_of_the_api_is_there_and_documented(self) -> None:
        for name in at_least_one(umpire.__all__):
            found = getattr(umpire, name)
            is_plain = name in ("DiceMode", "DiceSource", "EXPECTED", "Value", "__version__")
            assert is_plain or (found.__doc__ and found.__module__.startswith("umpire_ledger")), name

    def test_importing_it_imports_nothing_else(self) -> None:
        """Check the imports: `umpire status` imports the package too, and must not pay for unused modules."""
        code = "import sys; before = set(sys.modules); import umpire_ledger; print(*(set(sys.modules) - before))"
        root = Path(__file__).parents[2]
        done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
        version = {"umpire_ledger.desk", "umpire_ledger.desk.core", "umpire_ledger.desk.core.edition"}
        assert {name for name in done.stdout.split() if name.startswith("umpire_ledger")} == {"umpire_ledger", *version}

    def test_log_check_imports_no_order_decisions(self) -> None:
        code = "import sys, umpire_ledger.desk.logs.log_files; print(*sys.modules)"
        root = Path(__file__).parents[2]
        done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
        assert "umpire_ledger.domain.game.state" in done.stdout
        assert "umpire_ledger.domain.play" not in done.stdout

    def test_missing_ledger_is_not_created_by_a_query(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "none.db") as desk, pytest.raises(umpire.StoreUnavailable):
            desk.games()
        assert list(tmp_path.iterdir()) == []

    def test_game_is_the_same_object_each_time(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        assert desk.game("ford") is ford
        assert [entry.game for entry in desk.games()] == ["ford"]

    def test_closed_desk_stays_closed(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        # A silent reopening would turn a ledger in memory into an empty one.
        red = ford.seat("red")
        desk.close()
        for use in (desk.games, lambda: desk.game("ford"), lambda: red.status, lambda: red.order("note", text="hm")):
            with pytest.raises(umpire.WrongUse) as refusal:
                use()
            assert (refusal.value.where, desk.place in refusal.value.what) == ("desk", True)
        desk.close()

    def test_closed_desk_releases_its_file(self, tmp_path: Path) -> None:
        # The ledger is closed with the desk, even if referenced elsewhere: one file remains, which can be copied as it
        # is.
        desk = umpire.open(tmp_path / "umpire.db")
        desk.new_from_text("freeform", FORD, id="g")
        ledger = desk.ledger
        desk.close()
        assert [file.name for file in tmp_path.iterdir()] == ["umpire.db"]
        with pytest.raises(umpire.StoreUnavailable, match="was closed"):
            ledger.size("g")

    def test_game_has_no_public_method_that_ignores_seats(self) -> None:
        """Only the ledger of a game ignores seats; other public methods go through a seat, or are public."""
        offered = {name for name in dir(umpire.PlayedGame) if not name.startswith("_")}
        assert offered.isdisjoint({"record", "amendment", "preview", "legal_orders"})

    def test_unknown_game_seat_or_position_is_refused(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        with pytest.raises(umpire.NoSuchGame):
            desk.game("harbour")
        with pytest.raises(umpire.NoSuchSeat) as refusal:
            ford.seat("green")
        assert "red" in refusal.value.remedy
        with pytest.raises(umpire.NoSuchRecord):
            ford.at(999)


class TestOrders:
    def test_order_is_given_by_name_as_object_or_as_json(self, ford: umpire.PlayedGame) -> None:
        red = ford.seat("red")
        red.order("move", unit="r1", path=["0201"])
        red.order(Move(seat="red", unit="r1", path=("0202",)))
        red.order({"order": "move", "unit": "r1", "path": ["0203"]})
        assert red.known().units["r1"].at == "0203"

    def test_refusal_has_its_parts_as_attributes(self, ford: umpire.PlayedGame) -> None:
        before = ford.size
        with pytest.raises(umpire.Refused) as refusal:
            ford.seat("red").order("move", unit="ghost", path=["0201"])
        assert (refusal.value.code, refusal.value.rule) == ("unknown-name", "units")
        assert "ghost" in refusal.value.what.split()
        assert refusal.value.remedy
        problem = umpire.problem_of(refusal.value)
        assert (problem.error, problem.code) == ("refused", 3)
        assert ford.size == before

    def test_seat_cannot_give_an_order_of_another(self, ford: umpire.PlayedGame) -> None:
        for order in (Move(seat="blue", unit="b1", path=("0201",)), {"as": "blue", "order": "note", "text": "hm"}):
            with pytest.raises(umpire.Refused, check=coded("given-by-another-seat", author="blue", hand="red")):
                ford.seat("red").order(order)

    def test_arguments_in_addition_to_a_whole_order_are_refused(self, ford: umpire.PlayedGame) -> None:
        with pytest.raises(umpire.WrongUse):
            ford.seat("red").order({"order": "note", "text": "a"}, about=3)

    def test_same_order_id_is_one_order(self, ford: umpire.PlayedGame) -> None:
        first = ford.seat("red").order("note", text="once", id="n1")
        again = ford.seat("red").order("note", text="once", id="n1")
        assert (first.repeated, again.repeated) == (False, True)
        assert again.records == first.records

    def test_value_other_than_an_order_is_refused(self, ford: umpire.PlayedGame) -> None:
        # A server passes on any JSON that it receives.
        for given in ([1], 7, None, True):
            with pytest.raises(umpire.WrongUse) as refusal:
                ford.seat("red").order(given)  # type: ignore[arg-type] # that is what is tried
            assert refusal.value.remedy == Naming('{"order": NAME')

    def test_every_act_can_be_sent_twice_and_can_come_too_late(self, ford: umpire.PlayedGame) -> None:
        red, referee = ford.seat("red"), ford.referee
        moved = red.order("move", unit="r1", path=["0201"]).position
        late, given = ford.size, {"as": "red", "order": "move", "unit": "r1", "path": ["0102"]}
        red.note("once", id="n1")
        assert red.note("once", id="n1").repeated
        acts: list[Callable[[], object]] = [
            lambda: red.done(seen=late),
            lambda: red.undo(seen=late),
            lambda: red.redo(seen=late),
            lambda: red.ask_rewind(late, why="tired", seen=late),
            lambda: red.consent(seen=late),
            lambda: red.refuse(seen=late),
            lambda: red.dispute([moved], "no", seen=late),
            lambda: red.settle("d1", seen=late),
            lambda: red.seal(seen=late),
            lambda: referee.rewind(late, seen=late),
            lambda: referee.amend(moved, given, why="misread", seen=late),
            lambda: referee.rule("so be it", why="why not", grounds="house rule", seen=late),
            lambda: referee.peek("red", why="doubt", seen=late),
        ]
        for act in acts:
            with pytest.raises(umpire.PositionConflict):
                act()
        red.note("late", seen=ford.size, happened_at="2020-01-03T19:30:00Z", witness="Anna")
        assert red.audit(last=1)[0].witness == "Anna"

    def test_unexpected_error_is_not_a_problem_document(self) -> None:
        with pytest.raises(TypeError, match="ZeroDivisionError"):
            umpire.problem_of(ZeroDivisionError())

    def test_legal_orders_can_be_given_as_they_are(self, desk: umpire.Desk) -> None:
        harbour = desk.new("war-galley", HARBOUR, id="harbour", dice="ledger")
        athens = harbour.seat("athens")
        legal = athens.legal_orders()
        assert {order.seat for order in legal} == {"athens"}
        position = harbour.size
        athens.order(legal[0])
        assert harbour.size > position

    def test_asking_what_is_legal_does_not_throw_the_games_dice(self, desk: umpire.Desk) -> None:
        harbour = desk.new("war-galley", HARBOUR, id="harbour", dice="ledger")
        copies = [harbour.seat("athens").legal_orders() for _ in range(3)]
        assert copies[0] == copies[1] == copies[2]
        outcome = harbour.seat("athens").order("roll-wind")
        assert outcome.records[0].event is not None
        assert outcome.records[0].event.roll == 1  # type: ignore[union-attr] # it is a roll

    def test_outcome_has_only_records_visible_to_the_seat(self, ford: umpire.PlayedGame) -> None:
        outcome = ford.seat("red").order("seal-choice", question="flank", choice="left")
        assert [record.position for record in outcome.records] == [ford.size - 1, ford.size]
        with pytest.raises(umpire.Refused):
            ford.seat("blue").order("reveal", question="flank")
        seen = ford.seat("blue").audit()
        assert not any("left" in str(msgspec.to_builtins(line)) for line in seen)


class TestTwoWriters:
    def test_overtaken_object_reads_the_new_records(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("note", text="first")
        with umpire.open(desk.where) as other:
            other.game("ford").seat("blue").order("move", unit="b1", path=["0301"])
        ford.seat("red").order("note", text="second")
        assert ford.spectator.known().units["b1"].at == "0301"

    def test_order_at_an_old_position_gets_the_new_records(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        seen = ford.size
        with umpire.open(desk.where) as other:
            other.game("ford").seat("blue").order("note", text="meanwhile")
        red = ford.seat("red")
        with pytest.raises(umpire.PositionConflict) as late:
            red.order("note", text="mine", seen=seen)
        assert (late.value.expected, late.value.found) == (seen, seen + 1)
        assert "meanwhile" in late.value.remedy
        assert red.order("note", text="mine", seen=ford.size).position == seen + 2

    def test_threads_lose_no_order(self, ford: umpire.PlayedGame) -> None:
        def play(seat: str) -> None:
            for number in range(25):
                ford.seat(seat).order("note", text=f"{seat} {number}")
                assert ford.seat(seat).status.game == "ford"

        before = ford.size
        hands = [threading.Thread(target=play, args=(seat,)) for seat in ("red", "blue", "referee", "red")]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        assert ford.size == before + 100
        assert ford.verify().valid

    def test_processes_lose_no_order(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        """Give each order again after a conflict."""
        code = (
            "import sys, umpire_ledger as u\n"
            "with u.open(sys.argv[1]) as desk:\n"
            "    seat = desk.game('ford').seat(sys.argv[2])\n"
            "    for number in range(20):\n"
            "        while True:\n"
            "            try:\n"
            "                seat.order('note', text=str(number)); break\n"
            "            except u.PositionConflict: pass\n"
        )
        before = ford.size
        root = Path(__file__).parents[2]
        hands = [subprocess.Popen([sys.executable, "-c", code, desk.where, seat], cwd=root) for seat in ("red", "blue")]
        assert [hand.wait(60) for hand in hands] == [0, 0]
        assert ford.size == before + 40


class TestPastPositions:
    def test_undo_redo_and_rewind(self, ford: umpire.PlayedGame) -> None:
        red = ford.seat("red")
        start = ford.size
        red.order("move", unit="r1", path=["0201"])
        red.undo()
        assert red.known().units["r1"].at == "0101"
        red.redo()
        assert red.known().units["r1"].at == "0201"
        impact = ford.referee.preview("rewind", to=start)
        assert [order.seat for order in impact.orders] == ["red"]
        ford.referee.rewind(start, why="set up wrongly")
        assert red.known().units["r1"].at == "0101"
        assert len(red.lines()) == 2

    def test_fork_differs_from_its_original(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("move", unit="r1", path=["0201"])
        copy = ford.at(ford.size).fork("what-if")
        assert copy.desk.game("what-if") is copy
        copy.seat("red").order("move", unit="r1", path=["0909"])
        (difference,) = copy.now.diff(ford.now)
        assert (difference.id, difference.before, difference.after) == ("r1", "0909", "0201")

    def test_position_object_never_changes(self, ford: umpire.PlayedGame) -> None:
        here = ford.seat("red").now
        ford.seat("red").order("move", unit="r1", path=["0201"])
        assert here.known.units["r1"].at == "0101"
        assert here.status.position == here.number
        assert [unit.id for unit in here.units(side="blue")] == ["b1"]

    def test_order_is_amended_and_later_orders_are_replayed(self, ford: umpire.PlayedGame) -> None:
        wrong = ford.seat("red").order("move", unit="r1", path=["0201"]).position
        ford.seat("blue").order("move", unit="b1", path=["0301"])
        given = {"as": "red", "order": "move", "unit": "r1", "path": ["0102"]}
        before = ford.size
        asked = ford.referee.amend(wrong, given, why="misread hex", check=True)
        assert (asked.stopped, ford.size) == (None, before)
        ford.referee.amend(wrong, given, why="misread hex")
        units = ford.spectator.known().units
        assert (units["r1"].at, units["b1"].at) == ("0102", "0301")


class TestReferee:
    def test_dispute_is_opened_shown_ruled_on_and_found(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        contested = ford.seat("red").order("move", unit="r1", path=["0201"]).position
        ford.seat("blue").dispute([contested], "out of turn", rule="4.2")
        page = ford.referee.dispute_page("d1")
        assert (page.dispute.claim, page.precedents) == ("out of turn", ())
        ford.referee.rule("the move stands", why="nobody objected", grounds="house rule", rule="4.2", dispute="d1")
        assert [one.ruling for one in desk.rulings(rule="4.2")] == ["the move stands"]
        assert ford.referee.dispute_page("d1").precedents == ()
        assert ford.referee.disputes("open") == []
        with pytest.raises(umpire.NotThere):
            ford.referee.dispute_page("d9")

    def test_seal_returns_the_checkpoint_to_keep(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        _, checkpoint = ford.seat("red").seal()
        assert ford.verify(checkpoint).valid
        kept = tmp_path / "red.checkpoint"
        kept.write_text(checkpoint.text(), encoding="utf-8")
        assert umpire.read_checkpoint(kept) == umpire.read_checkpoint(str(kept)) == checkpoint

    def test_case_is_a_folder_that_verifies(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        contested = ford.seat("red").order("move", unit="r1", path=["0201"]).position
        ford.seat("blue").dispute([contested], "out of turn")
        case = ford.referee.case("d1", tmp_path / "case-d1")
        assert umpire.verify(case.folder / "replay.jsonl", checkpoint=case.checkpoint).valid

    def test_closed_to_the_referee_is_closed_here(self, desk: umpire.Desk) -> None:
        closed = desk.new_from_text("freeform", FORD, id="closed", options={"secrets_closed_to_referee": True})
        closed.seat("red").order("seal-choice", question="flank", choice="left")
        assert "left" not in str(msgspec.to_builtins(closed.referee.audit()))
        assert not closed.referee.known().choices["flank/red"].known
        with pytest.raises(umpire.Refused) as refusal:
            closed.referee.knew("red", closed.size)
        assert (refusal.value.rule, refusal.value.what) == ("secrets", Naming("referee", "red"))
        assert refusal.value.remedy == Naming("`umpire peek`", "--as red")
        _, secrets = closed.referee.peek("red", why="they say it was right")
        assert "left" in str(secrets)


class TestLogs:
    def test_out_and_in_again(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        exported = ford.export(tmp_path / "ford.jsonl", seat="red")
        assert umpire.verify(tmp_path / "ford.jsonl").valid
        with umpire.open(tmp_path / "second.db") as second:
            taken = second.import_log(tmp_path / "ford.jsonl", tell=lambda read: None)
            assert taken.checkpoint() == exported.checkpoint
        (tmp_path / "ford.jsonl").write_bytes(b"no log\n")
        assert umpire.verify(tmp_path / "ford.jsonl").verdict.verdict == "INVALID"

    def test_export_without_a_seat_has_public_records_only(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("red").order("seal-choice", question="flank", choice="left")
        ford.export(tmp_path / "public.jsonl")
        assert b"left" not in (tmp_path / "public.jsonl").read_bytes()
        ford.seat("red").export(tmp_path / "red.jsonl")
        assert umpire.verify(str(tmp_path / "red.jsonl")).valid
        assert b'"left"' in (tmp_path / "red.jsonl").read_bytes()

    def test_unreadable_or_unwritable_file_is_refused(
        self, desk: umpire.Desk, ford: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        with pytest.raises(umpire.WrongUse):
            desk.import_log(tmp_path / "missing.jsonl")
        with pytest.raises(umpire.WrongUse):
            ford.export(tmp_path / "no" / "such" / "folder.jsonl")
        with pytest.raises(umpire.WrongUse):
            desk.new("freeform", tmp_path / "missing.toml", id="x")

    def test_orders_with_line_numbers_are_played_or_checked(self, ford: umpire.PlayedGame) -> None:
        lines = [(1, {"as": "red", "order": "note", "text": "a"}), (2, {"as": "green", "order": "note", "text": "b"})]
        with pytest.raises(umpire.Refused) as refusal:
            ford.play(lines, name="evening")
        assert refusal.value.where == Naming("evening", 2, "Skirmish at the ford")
        assert refusal.value.what == Naming("green")
        assert ford.play(lines[:1], check=True).orders == 1

    def test_order_file_with_a_bad_line_names_line_and_column(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        file = tmp_path / "evening.jsonl"
        file.write_text('# an evening\n{"as": "red", "order": "note", "text": "a"}\n\n{"as":\n', encoding="utf-8")
        with pytest.raises(umpire.WrongUse) as refusal:
            ford.play(file)
        assert refusal.value.where == "evening.jsonl, line 4, column 7"
        assert ford.referee.audit(last=1)[0].text.endswith("a")  # the earlier lines are recorded
        with pytest.raises(umpire.WrongUse):
            ford.play(str(tmp_path / "missing.jsonl"))


class TestFollowing:
    def test_records_come_as_they_come_and_only_what_may_be_seen(self, ford: umpire.PlayedGame) -> None:
        start = ford.size
        ford.seat("red").order("seal-choice", question="flank", choice="left")
        ford.seat("red").order("note", text="ready")
        stop = ford.size
        red = [record.position for record in ford.seat("red").follow(start, until=stop)]
        blue = [record.position for record in ford.seat("blue").follow(start, until=stop)]
        assert (red, blue) == ([start + 1, start + 2, start + 3], [start + 1, start + 3])

    def test_order_of_another_thread_is_followed(self, ford: umpire.PlayedGame) -> None:
        stream = ford.seat("blue").follow(until=ford.size + 1)
        writer = threading.Timer(0.2, lambda: ford.seat("red").order("note", text="now"))
        writer.start()
        assert [record.seat for record in stream] == ["red"]
        writer.join()
        assert stream.position == ford.size

    def test_async_and_patience(self, ford: umpire.PlayedGame) -> None:
        async def hear() -> list[str]:
            ford.seat("red").order("note", text="one")
            return [record.text async for record in ford.seat("blue").follow(0, patience=0.2)]

        assert any("one" in text for text in asyncio.run(hear()))

    def test_interrupted_follower_continues_at_its_position(self, ford: umpire.PlayedGame) -> None:
        # A bot that starts again gets all records that it had not received.
        everything = [record.position for record in ford.seat("blue").follow(0, until=ford.size)]
        stream = ford.seat("blue").follow(0, until=ford.size)
        first = next(iter(stream))
        assert (first.position, stream.position) == (1, 1)
        assert [first.position, *(record.position for record in stream)] == everything
        assert stream.position == ford.size

        async def two() -> list[int]:
            stream = ford.seat("blue").follow(0, until=ford.size)
            async for record in stream:
                return [record.position, stream.position]
            return []

        assert asyncio.run(two()) == [1, 1]

    def test_closing_ends_it(self, ford: umpire.PlayedGame) -> None:
        stream = ford.seat("blue").follow()
        threading.Timer(0.1, stream.close).start()
        assert list(stream) == []


def test_titles_sequences_and_orders_are_plain_data() -> None:
    ids = {title.id for title in umpire.titles()}
    assert {"war-galley", "freeform"} <= ids
    page = umpire.sequence("war-galley")
    assert {"id", "parent", "name", "by", "need", "cites", "secret", "rolls", "orders", "leads_to"} <= set(page[0])
    (board,) = umpire.orders("war-galley", "board")
    assert json.dumps(board.schema)
    with pytest.raises(umpire.NoSuchTitle):
        umpire.sequence("no-such-title")
