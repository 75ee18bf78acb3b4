"""Amend and re-play: one order is replaced, and the later orders are re-played if they still apply."""

import json
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import ROOT, Terminal
from tests.desk.game import FORD, DeskGame, any_game, great_harbour
from tests.face.desk import (
    LedgerHistory,
    Recorded,
    event_of,
    open_ledger,
)
from tests.face.domain import (
    REFEREE,
    Decision,
    DiceRolled,
    NoteAdded,
    PlayRewound,
    Replayed,
    ReplayHistory,
    RuleViolation,
    Title,
)
from tests.face.ledger import PositionConflict, StoreUnavailable
from tests.face.projections import differences
from tests.face.testing import FIXTURES, titles
from tests.naming import Naming

every_title = pytest.mark.parametrize("title", titles(), ids=[title.id for title in titles()])


def amend(game: DeskGame, at: int, given: dict[str, Any] | None = None, **more: Any) -> Recorded:
    return game.give(REFEREE, "amend", at=at, given=given or {}, why="a slip", **more)


def skirmish(game: DeskGame) -> int:
    """Play a skirmish: Red pays 5, moves, fights; Blue pays. Return the position of Red's payment."""
    game.give("red", "pay", account="vp/red", amount=5)
    at = game.size
    game.give("red", "move", unit="r1", path=["0201"])
    game.give("red", "roll", purpose="battle", dice="2d6", subjects=["r1"])
    game.give("blue", "roll", purpose="fire", dice="1d6", subjects=["b1"])
    game.give("blue", "pay", account="vp/blue", amount=1)
    return at


class TestReplace:
    def test_everything_after_it_is_played_again(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        pips = [roll.pips for roll in ford.rolls()]
        amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
        assert dict(ford.game.accounts) == {"vp/red": 3, "vp/blue": 1}
        assert ford.game.units["r1"].at == "0201"
        assert [roll.pips for roll in ford.rolls()] == pips

    def test_amendment_leaves_the_old_branch_unchanged(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        tip, before, lines = ford.size, ford.game, list(ford.ledger.lines("g"))
        amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
        assert list(ford.ledger.lines("g", 1, tip)) == lines
        assert ford.ledger.state("g", tip) == before
        assert ford.ledger.verify("g").verdict == "VALID"

    def test_amendment_keeps_words_and_seat_of_each_order(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        orders = ford.words()
        outcome = amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
        assert [record.seat for record in outcome.records] == [REFEREE, "red", "red", "red", "blue", "blue"]
        again = [one for one in ford.words() if "again" in one]
        assert [{name: value for name, value in one.items() if name != "again"} for one in again] == orders[-4:]
        assert [one["again"] for one in again] == [at + 1, at + 2, at + 3, at + 4]

    def test_amendment_is_a_record(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        first = amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3}).records[0]
        event = event_of(first)
        assert isinstance(event, PlayRewound)
        assert (event.kind, event.to, event.why, event.dice) == ("amend", at - 1, "a slip", "keep")
        assert json.loads(bytes(first.cause))["at"] == at

    def test_amended_order_can_be_amended_again(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        outcome = amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
        amend(ford, outcome.records[1].position, {"order": "pay", "account": "vp/red", "amount": 4})
        assert dict(ford.game.accounts) == {"vp/red": 4, "vp/blue": 1}

    def test_amendment_of_an_order_before_an_undo_is_possible(self, ford: DeskGame) -> None:
        # The undone order is not on the branch, so it is not re-played.
        at = skirmish(ford)
        ford.give("blue", "undo")
        ford.give("blue", "pay", account="vp/blue", amount=7)
        amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
        assert dict(ford.game.accounts) == {"vp/red": 3, "vp/blue": 7}

    def test_another_seat_may_be_named(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        outcome = amend(ford, at, {"as": "blue", "order": "pay", "account": "vp/blue", "amount": 3})
        assert outcome.records[1].seat == "blue"


class TestDropInsertReroll:
    def test_dropped(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        amend(ford, at, how="drop")
        assert dict(ford.game.accounts) == {"vp/blue": 1}
        assert ford.game.units["r1"].at == "0201"

    def test_pips_that_the_kept_dice_do_not_need_are_left_out(self) -> None:
        """Check that an inserted roll takes the first dice results, and the roll after it the next ones."""
        game = DeskGame(":memory:", dice="table")
        at = game.size + 1
        for pips in ([1, 2], [5, 5]):
            game.give("red", "roll", purpose="wind", dice="2d6", pips=pips)
        forgotten = {"as": "red", "order": "roll", "purpose": "wind", "dice": "2d6"}
        amend(game, at, forgotten, how="before", dice="keep")
        assert [roll.pips for roll in game.rolls()] == [(1, 2), (5, 5), (5, 5)]
        assert ["pips" in words for words in game.words()[-3:]] == [False, False, True]
        game.close()

    def test_unrecorded_replay_history_answers_like_the_log(self, ford: DeskGame) -> None:
        start = ford.size
        skirmish(ford)
        past = LedgerHistory(ford.ledger, "g")
        line = ReplayHistory(past, start)
        for words in ("one", "two"):
            noted = Decision(told=(NoteAdded(text=words),), game=line.game)
            line.take(Replayed(of=0, raw={"order": "note", "text": words}, seat="red", decision=noted))
        first, second = ford.size + 1, ford.size + 2
        assert [one.first for one in line.newest_first()][:3] == [second, first, 1]
        assert [one.first for one in line.newest_first(first)][:2] == [first, 1]
        assert [one.first for one in line.newest_first(start)] == [1]
        assert (line.order_at(1)[0], line.order_at(0)) == (1, (0, 0)), "the opening is an order too"
        assert line.order_at(second) == (second, second)

    def test_forgotten_order_is_inserted_at_its_place(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        given = {"as": "blue", "order": "pay", "account": "vp/blue", "amount": 10}
        outcome = amend(ford, at, given, how="before")
        assert dict(ford.game.accounts) == {"vp/red": 5, "vp/blue": 11}
        assert [record.seat for record in outcome.records[1:3]] == ["blue", "red"]

    def test_dropped_roll_does_not_pass_on_its_dice(self, ford: DeskGame) -> None:
        roll = {"order": "roll", "purpose": "fire", "dice": "1d6"}
        for _ in range(3):
            ford.give("red", **roll)
        first = ford.size - 2
        kept = [one.pips for one in ford.rolls()[1:]]
        amend(ford, first, how="drop")
        assert [one.pips for one in ford.rolls()] == kept

    def test_reroll_changes_one_roll_and_keeps_the_others(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        amend(ford, at + 2, how="reroll")
        battle, fire = ford.rolls()
        assert (battle.kept, battle.roll) == (0, 3)
        assert fire.kept == at + 3

    def test_reroll_with_table_dice_needs_new_results(self, harbour: DeskGame) -> None:
        refusal = harbour.refused(REFEREE, "amend", at=339, how="reroll", why="a cocked die")
        assert (refusal.code, refusal.fields["number"], refusal.fields["faces"]) == ("pips-missing", 2, 6)
        amend(harbour, 339, {"pips": [4, 4]}, how="reroll")
        assert next(roll.pips for roll in harbour.rolls(339) if roll.purpose == "wind") == (4, 4)


class TestStops:
    def test_order_that_no_longer_applies_stops_with_its_refusal(self, ford: DeskGame) -> None:
        ford.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
        at = ford.size
        ford.give("red", "pay", account="vp/red", amount=1)
        ford.give("red", "move", unit="r2", path=["0201"])
        ford.give("red", "pay", account="vp/red", amount=2)
        outcome = amend(ford, at, how="drop")
        assert outcome.amended is not None
        stop = outcome.amended.stop
        assert stop is not None
        assert (stop.position, stop.seat, stop.raw["unit"]) == (at + 2, "red", "r2")
        assert (stop.refusal.code, stop.refusal.fields["unit"]) == ("no-such-unit", "r2")
        assert [one.position for one in outcome.amended.rest] == [at + 2, at + 3]
        assert dict(ford.game.accounts) == {"vp/red": 1}

    def test_refused_replacement_records_no_new_branch(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        refusal = ford.refused(REFEREE, "amend", at=at, given={"order": "move", "unit": "zz", "path": ["1"]}, why="x")
        assert (refusal.code, refusal.fields["unit"]) == ("no-such-unit", "zz")

    @pytest.mark.parametrize(
        ("more", "code"),
        [
            ({"at": 1, "how": "drop"}, "inside-the-opening"),
            ({"at": 999, "how": "drop"}, "not-on-current-branch"),
            ({"how": "replace"}, "order-missing"),
            ({"how": "drop", "given": {"order": "note", "text": "x"}}, "dropped-and-replaced"),
            ({"given": {"order": "undo"}}, "cannot-amend-this-order"),
            ({"given": {"order": "seal"}}, "cannot-amend-this-order"),
            ({"given": {"order": "no-such"}}, "no-such-order"),
        ],
    )
    def test_impossible_amendment_is_refused(self, ford: DeskGame, more: dict[str, Any], code: str) -> None:
        at = skirmish(ford)
        assert ford.refused(REFEREE, "amend", **{"at": at, "why": "x", **more}).code == code

    def test_seat_cannot_amend(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        assert ford.refused("red", "amend", at=at, how="drop", why="x").code == "only-the-referee-amends"

    def test_order_of_an_abandoned_branch_cannot_be_amended(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        ford.give(REFEREE, "rewind", to=at - 1, why="x")
        refusal = ford.refused(REFEREE, "amend", at=at, how="drop", why="x")
        assert refusal.code == "not-on-current-branch"
        assert "umpire branches" in refusal.remedy

    def test_rewind_cannot_be_amended(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        ford.give(REFEREE, "rewind", to=at, why="x")
        refusal = ford.refused(REFEREE, "amend", at=ford.size, how="drop", why="x")
        assert (refusal.code, refusal.fields) == ("is-a-rewind", {"at": ford.size})


class TestSealsAndDisputes:
    def test_seal_of_the_old_history_is_not_repeated(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        ford.give("blue", "seal")
        ford.give("red", "pay", account="vp/red", amount=1)
        outcome = amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
        assert outcome.amended is not None
        assert outcome.amended.stop is None
        assert ford.game.accounts["vp/red"] == 4
        assert "seal" not in [one["order"] for one in ford.words(outcome.records[0].position)]

    def test_dispute_stays_open_and_is_not_repeated(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        ford.give("blue", "dispute", records=[at], claim="he had 3 only")
        outcome = amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
        assert outcome.amended is not None
        assert outcome.amended.stop is None
        ford.give(REFEREE, "settle", dispute="d1", ruling="he had 3")

    def test_remedy_of_a_ruling_is_carried_out_again(self, ford: DeskGame) -> None:
        at = skirmish(ford)
        change = {"order": "change", "unit": "b1", "attribute": "steps", "to": 2}
        ford.give(REFEREE, "rule", ruling="b1 lives", reason="seen", grounds="house rule", orders=[change])
        amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
        assert ford.game.units["b1"].attributes["steps"] == 2


class TestSecrets:
    def test_secret_words_stay_secret_after_an_amendment(self, ford: DeskGame) -> None:
        # The amendment is public; the words of a sealed choice are in its private record only.
        ford.give("red", "seal-choice", question="plan", choice="north")
        at = ford.size - 1
        outcome = amend(ford, at, {"order": "seal-choice", "question": "plan", "choice": "southwest"})
        public = [record for record in outcome.records if record.visible_to is None]
        assert len(public) == 2
        assert all(b"southwest" not in record.encode() for record in public)
        ford.give("red", "reveal", question="plan")
        assert ford.game.choices["plan/red"].choice == "southwest"

    def test_stop_at_a_secret_order_is_closed_to_the_referee(self) -> None:
        closed = "options = { secrets_closed_to_referee = true }\n[[units]]"
        game = DeskGame(":memory:", scenario=FORD.replace("[[units]]", closed, 1))
        game.give("red", "pay", account="vp/red", amount=1)
        at = game.size
        game.give("red", "seal-choice", question="plan", choice="north")
        given = {"order": "seal-choice", "question": "plan", "choice": "south"}
        outcome = amend(game, at, given, how="before")
        assert outcome.amended is not None
        stop = outcome.amended.stop
        assert stop is not None
        assert "north" not in repr((stop.raw, stop.refusal.what, stop.refusal.remedy))
        game.close()

    @pytest.mark.parametrize("check", [True, False])
    def test_repeated_secret_words_are_omitted_in_a_closed_game(self, check: bool) -> None:
        """Check that the answer omits them: a referee who reads them has peeked without a record."""
        closed = "options = { secrets_closed_to_referee = true }\n[[units]]"
        with umpire.open(":memory:") as desk:
            game = desk.new_from_text("freeform", FORD.replace("[[units]]", closed, 1), id="ford")
            game.seat("red").order("pay", account="vp/red", amount=1)
            at = game.size
            game.seat("red").order("seal-choice", question="plan", choice="north")
            mended = game.referee.amend(at, how="drop", why="a slip", check=check)
            (again,) = mended.orders if isinstance(mended, umpire.Amendment) else mended.amended.orders
            assert again.order == {"as": "red", "order": "seal-choice"}
            fresh = game.referee.amend(game.size, how="reroll", why="a slip", check=True)
            assert "north" not in repr(fresh)

    def test_refusal_of_a_repeated_secret_order_is_closed_too(self) -> None:
        """If the secret words conflict with those of the referee, the refusal would reveal them."""
        closed = "options = { secrets_closed_to_referee = true }\n[[units]]"
        refusals = []
        for choice in ("north", "south"):
            game = DeskGame(":memory:", scenario=FORD.replace("[[units]]", closed, 1))
            game.give("red", "seal-choice", question="plan", choice=choice)
            for given in ({"slow": True}, {"question": None}):
                with pytest.raises(RuleViolation) as refused:
                    amend(game, game.size, given, how="reroll")
                refusals.append((choice, refused.value))
            game.close()
        assert {one.rule for _, one in refusals} == {"amend"}
        assert {(one.code, one.fields["seat"]) for _, one in refusals} == {("reason-withheld", "red")}
        assert len({str(one) for _, one in refusals}) == 1


class TestCheck:
    def test_amendment_checked_records_nothing(self, terminal: Terminal) -> None:
        terminal.new()
        terminal.give("red", "pay", account="vp/red", amount=1)
        terminal.give("red", "pay", account="vp/red", amount=2)
        size = terminal.size()
        given = '{"order": "pay", "account": "vp/red", "amount": 5}'
        found = terminal.ok("amend", "ford", f"#{size - 1}", given, "--why", "a slip", "--check", "--json").json
        assert (found["recorded"], found["again"], found["stopped"]) == (False, [size], None)
        assert terminal.size() == size
        done = terminal.ok("amend", "ford", f"#{size - 1}", given, "--why", "a slip", "--json").json
        assert (done["recorded"], done["again"]) == (True, [size])
        assert terminal.ok("status", "ford", "--json").json["accounts"] == {"vp/red": 7}
        said = terminal.ok("amend", "ford", str(size + 2), given, "--why", "x").out
        assert said == Naming("red", "pay", "vp/red", 5, 1, f"#{size + 2}", "keep")

    def test_amendment_checked_reports_its_stop(self, terminal: Terminal) -> None:
        terminal.new()
        terminal.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
        size = terminal.size()
        terminal.give("red", "move", unit="r2", path=["0202"])
        said = terminal.type("amend", "ford", f"#{size}", "--drop", "--why", "never bought")
        assert said.code == 3
        assert f"Stopped: #{size + 1} is no longer valid: red: move unit r2" in said.out
        assert "there is no unit r2" in said.out

    def test_amendment_without_an_order_is_refused(self, terminal: Terminal) -> None:
        terminal.new()
        answer = terminal.type("amend", "ford", "#5", "--why", "x", "--json")
        assert (answer.code, answer.error["error"]) == (2, "usage")

    def test_orders_in_a_file_may_amend(self, terminal: Terminal) -> None:
        terminal.new()
        size = terminal.size()
        lines = [
            {"as": "red", "order": "pay", "account": "a", "amount": 1},
            {"as": "red", "order": "pay", "account": "a", "amount": 1},
            {"as": "referee", "order": "amend", "at": size + 1, "how": "drop", "why": "a slip"},
            {"as": "red", "order": "pay", "account": "a", "amount": 1},
        ]
        terminal.write("orders.jsonl", "\n".join(map(json.dumps, lines)))
        terminal.ok("play", "ford", "orders.jsonl")
        assert terminal.ok("status", "ford", "--json").json["accounts"] == {"a": 2}


class TestGreatHarbour:
    def test_wrong_dice_results_are_amended(self, harbour: DeskGame) -> None:
        # #339: the wind of turn 2 was 6 and 6; all other dice are reused if their orders still apply.
        outcome = amend(harbour, 339, {"order": "roll-wind", "pips": [6, 6]})
        assert outcome.amended is not None
        assert outcome.amended.stop is None or outcome.amended.stop.refusal.rule
        assert harbour.rolls(339)[0].pips == (6, 6)
        assert all(roll.kept for roll in harbour.rolls(339)[1:])
        assert harbour.ledger.verify("g").verdict == "VALID"

    def test_same_order_again_changes_nothing(self, harbour: DeskGame) -> None:
        before = harbour.game
        outcome = amend(harbour, 339, {"order": "roll-wind", "pips": [1, 2]})
        assert outcome.amended is not None
        assert outcome.amended.stop is None
        assert {one.id for one in differences(before, harbour.game)} <= {"rolls"}

    def test_amended_die_keeps_the_ship_afloat(self, harbour: DeskGame) -> None:
        # #596: athens-5 sank on a 6; it was a 5.
        assert harbour.game.units["athens-5"].fate
        amend(harbour, 596, {"pips": [5]}, how="reroll")
        assert not harbour.game.units["athens-5"].fate

    def test_die_is_amended_on_the_command_line(self, terminal: Terminal) -> None:
        folder = FIXTURES / "war-galley"
        terminal.ok("new", "war-galley", "--id", "h", "--scenario", str(folder / "scenarios" / "great-harbour.toml"))
        terminal.ok("play", "h", str(folder / "orders" / "great-harbour.jsonl"))
        terminal.ok("amend", "h", "#596", '{"pips": [5]}', "--reroll", "--why", "read wrongly")
        assert "athens-5" in [one["id"] for one in terminal.ok("units", "h", "--json").json]
        assert (
            "The referee amends the orders after #595 (read wrongly)"
            in terminal.ok("audit", "h", "--text", "amendment").out
        )


class TestEveryTitle:
    @every_title
    def test_first_order_amended_to_itself_changes_nothing(self, title: Title) -> None:
        game = any_game(":memory:", title, orders=80, seed=5)
        before, rolls = game.game, [roll.pips for roll in game.rolls()]
        at = game.opened_at() + 1
        outcome = amend(game, at, game.words()[0])
        assert outcome.amended is not None
        assert outcome.amended.stop is None
        assert [roll.pips for roll in game.rolls()] == rolls
        assert {one.id for one in differences(before, game.game)} <= {"rolls"}
        assert game.ledger.state("g") == game.game
        game.close()

    @every_title
    def test_dropping_any_order_plays_on_or_says_why_not(self, title: Title) -> None:
        game = any_game(":memory:", title, orders=60, seed=6)
        firsts = [taken.first for taken in game.sitting._history.newest_first() if taken.first > 1][::10]
        for at in at_least_one(firsts):
            tip = game.size
            outcome = amend(game, at, how="drop")
            assert outcome.amended is not None
            stop = outcome.amended.stop
            assert stop is None or (stop.refusal.what and stop.refusal.remedy)
            assert game.ledger.state("g") == game.game
            game.give(REFEREE, "rewind", to=tip, why="for the next one")
        game.close()


class TestAtomicity:
    def test_full_disk_during_an_amendment_records_nothing(self, desk_file: Path) -> None:
        game = great_harbour(desk_file)
        size, root, before = game.size, game.ledger.checkpoint("g"), game.game
        writer = game.ledger._store.datastore._writer  # type: ignore[attr-defined]
        pages = writer.execute("PRAGMA page_count").fetchone()[0]
        writer.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreUnavailable, match="full"):
            amend(game, 339, {"order": "roll-wind", "pips": [1, 2]})
        writer.execute("PRAGMA max_page_count = 1000000")
        assert (game.size, game.ledger.checkpoint("g"), game.game) == (size, root, before)
        amend(game, 339, {"order": "roll-wind", "pips": [1, 2]})
        assert game.ledger.verify("g").verdict == "VALID"
        game.close()

    @pytest.mark.parametrize("wait", [0.0, 0.02, 0.05])
    def test_kill_during_an_amendment_leaves_it_whole_or_absent(self, desk_file: Path, wait: float) -> None:
        game = great_harbour(desk_file)
        size = game.size
        game.close()
        command = [sys.executable, "-m", "tests.desk.amender", str(desk_file), "4"]
        at = next(record.position for record in _records(desk_file) if record.cause)
        command[-1] = str(at)
        writer = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert writer.stdin is not None
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        writer.stdin.write("\n")
        writer.stdin.flush()
        said = [int(writer.stdout.readline())]
        time.sleep(wait)
        writer.kill()
        said += [int(line) for line in writer.stdout.readlines() if line.endswith("\n")]
        writer.wait()
        with open_ledger(desk_file) as ledger:
            whole, rest = divmod(ledger.size("g") - size, said[0])
            assert rest == 0, "an amendment was recorded by halves"
            assert whole >= len(said)
            assert ledger.verify("g").verdict == "VALID"

    def test_conflict_with_another_writer_records_nothing(self, desk_file: Path) -> None:
        game, other = great_harbour(desk_file), DeskGame(desk_file)
        other.give("athens", "note", text="I was faster")
        size = other.size
        with pytest.raises(PositionConflict):
            amend(game, 339, {"order": "roll-wind", "pips": [1, 2]})
        assert game.size == size
        game.close()
        other.close()

    def test_ctrl_c_in_the_middle(self, desk_file: Path) -> None:
        """Interrupt while the rows are being written: SQLite's own progress callback raises the interruption."""
        game = great_harbour(desk_file)
        size, before = game.size, game.game
        writer: sqlite3.Connection = game.ledger._store.datastore._writer  # type: ignore[attr-defined]
        writer.set_progress_handler(lambda: 1, 2000)
        with pytest.raises(StoreUnavailable, match="interrupted"):
            amend(game, 339, {"order": "roll-wind", "pips": [1, 2]})
        writer.set_progress_handler(None, 0)
        assert (game.size, game.game) == (size, before)
        game.close()


def _records(path: Path) -> list[Any]:
    with open_ledger(path, read_only=True) as ledger:
        return list(ledger.records("g"))


def test_kept_rolls_of_a_replay_name_the_old_line(ford: DeskGame) -> None:
    at = skirmish(ford)
    amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 3})
    assert [roll.kept for roll in ford.rolls()] == [at + 2, at + 3]
    assert all(isinstance(roll, DiceRolled) for roll in ford.rolls())
