"""A stopped amendment is resumed like a rebase: continue, skip, leave, abort; each step is recorded whole."""

import json
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal
from tests.desk.game import FORD, DeskGame, any_game, coded
from tests.desk.test_amending import amend, every_title
from tests.face.desk import (
    GameStateBuilder,
    Recorded,
    misfits_in,
    open_session,
)
from tests.face.domain import (
    REFEREE,
    AmendmentEnded,
    AmendmentStopped,
    PlayRewound,
    RuleViolation,
    StoppedAmendment,
    Title,
    fold,
)
from tests.face.ledger import Ledger, StoreUnavailable
from tests.naming import Naming


def stopped(game: DeskGame) -> int:
    """Place r2, pay 1, move r2, pay 2 as red; then drop the placing. Return the position of r2's move."""
    game.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
    at = game.size
    game.give("red", "pay", account="vp/red", amount=1)
    game.give("red", "move", unit="r2", path=["0201"])
    game.give("blue", "pay", account="vp/blue", amount=2)
    amend(game, at, how="drop")
    return at + 2


def go_on(game: DeskGame, how: str = "continue", **more: Any) -> Recorded:
    return game.give(REFEREE, "amending", how=how, **more)


class TestWaiting:
    def test_stopped_amendment_is_recorded_in_its_order(self, ford: DeskGame) -> None:
        at = stopped(ford)
        tip = at + 1
        back, said = (event for _, event in ford.events(tip)[:2])
        assert isinstance(back, PlayRewound)
        assert said == AmendmentStopped(at=at, tip=tip, left=2, seat="red")
        assert ford.game.amending == StoppedAmendment(at=at, tip=tip, left=2, seat="red")

    def test_states_rebuilt_from_the_log_equal_the_cached_states(self, desk_file: Path) -> None:
        game = DeskGame(desk_file)
        stopped(game)
        go_on(game, "skip")
        with Ledger.open(desk_file, GameStateBuilder()) as other:
            for at in range(1, game.size + 1):
                assert other.state("g", at) == game.ledger.state("g", at)
        assert misfits_in(game.ledger, "g").findings == []
        game.close()

    def test_second_amendment_is_refused_while_one_waits(self, ford: DeskGame) -> None:
        at = stopped(ford)
        refusal = ford.refused(REFEREE, "amend", at=ford.size, how="drop", why="x")
        assert (refusal.code, refusal.fields) == ("amendment-waits", {"at": at})
        assert "--continue" in refusal.remedy

    def test_rewind_to_the_old_branch_ends_the_amendment(self, ford: DeskGame) -> None:
        at = stopped(ford)
        ford.give(REFEREE, "rewind", to=at + 1, why="never mind")
        assert ford.game.amending is None

    def test_undo_of_a_replayed_order_keeps_the_amendment(self, ford: DeskGame) -> None:
        at = stopped(ford)
        ford.give(REFEREE, "undo", why="x")
        assert ford.game.amending is not None
        go_on(ford, "skip")
        assert ford.game.amending is None
        assert dict(ford.game.accounts) == {"vp/blue": 2}, at

    def test_stopped_amendment_of_an_old_log_does_not_wait(self, ford: DeskGame) -> None:
        # In an earlier edition a stopped amendment recorded its rewind only.
        assert fold(ford.game, [PlayRewound(to=3, kind="amend", why="x", tip=9)]).amending is None

    def test_amendment_is_continued_by_the_referee_only(self, ford: DeskGame) -> None:
        stopped(ford)
        assert ford.refused("red", "amending").code == "only-the-referee-amends"


class TestContinue:
    def test_continue_with_another_order_replaces_the_stopped_one(self, ford: DeskGame) -> None:
        at = stopped(ford)
        outcome = go_on(ford, given={"order": "move", "unit": "r1", "path": ["0201"]}, why="r1 went")
        assert [record.seat for record in outcome.records] == [REFEREE, "red", "blue"]
        assert ford.events(outcome.records[0].position - 1)[0][1] == AmendmentEnded(why="r1 went")
        assert ford.game.units["r1"].at == "0201"
        assert dict(ford.game.accounts) == {"vp/red": 1, "vp/blue": 2}
        assert ford.game.amending is None
        assert ford.words()[-1]["again"] == at + 1

    def test_continue_gives_the_order_again_after_new_orders(self, ford: DeskGame) -> None:
        stopped(ford)
        ford.give("red", "place", unit="r2", side="red", kind="horse", at="0101")
        go_on(ford)
        assert (ford.game.units["r2"].at, ford.game.units["r2"].kind) == ("0201", "horse")
        assert ford.game.amending is None

    def test_continue_with_an_order_that_fails_changes_nothing(self, ford: DeskGame) -> None:
        at = stopped(ford)
        refusal = ford.refused(REFEREE, "amending")
        assert (refusal.code, refusal.fields["at"], refusal.rule) == ("still-refused", at, "units")
        assert "r2" in refusal.what
        given = {"order": "move", "unit": "zz", "path": ["1"]}
        assert ford.refused(REFEREE, "amending", given=given).fields["unit"] == "zz"
        assert ford.game.amending is not None

    def test_continued_amendment_can_stop_again(self, ford: DeskGame) -> None:
        ford.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
        at = ford.size
        for place in ("0201", "0202", "0203"):
            ford.give("red", "move", unit="r2", path=[place])
        amend(ford, at, how="drop")
        outcome = go_on(ford, given={"order": "move", "unit": "r1", "path": ["0201"]})
        assert outcome.amended is not None
        assert [one.position for one in outcome.amended.rest] == [at + 2, at + 3]
        assert ford.game.amending == StoppedAmendment(at=at + 2, tip=at + 3, left=2, seat="red")

    def test_dice_stay_as_they_were(self, ford: DeskGame) -> None:
        """Check that the reused dice of the branch are kept before and after the stop."""
        ford.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
        at = ford.size
        for purpose, place in (("wind", "0201"), ("fire", "0202")):
            ford.give("red", "roll", purpose=purpose, dice="3d6")
            ford.give("red", "move", unit="r2", path=[place])
        pips = [roll.pips for roll in ford.rolls()]
        amend(ford, at, how="drop")
        for _ in range(2):
            go_on(ford, "skip")
        assert [roll.pips for roll in ford.rolls()] == pips

    @pytest.mark.parametrize("how", ["skip", "leave", "abort"])
    def test_skip_leave_and_abort_accept_no_order(self, ford: DeskGame, how: str) -> None:
        stopped(ford)
        refusal = ford.refused(REFEREE, "amending", how=how, given={"order": "note", "text": "x"})
        assert (refusal.code, refusal.fields) == ("order-not-needed", {"how": how})

    def test_seal_cannot_be_given_by_an_amendment(self, ford: DeskGame) -> None:
        stopped(ford)
        refusal = ford.refused(REFEREE, "amending", given={"order": "seal"})
        assert (refusal.code, refusal.fields) == ("cannot-amend-this-order", {"order": "seal"})

    def test_continue_without_a_waiting_amendment_is_refused(self, ford: DeskGame) -> None:
        refusal = ford.refused(REFEREE, "amending")
        assert refusal.code == "no-amendment-waits"

    def test_same_order_id_twice_continues_once(self, ford: DeskGame) -> None:
        stopped(ford)
        given = {"order": "move", "unit": "r1", "path": ["0201"]}
        go_on(ford, given=given, id="x1")
        size = ford.size
        assert go_on(ford, given=given, id="x1").repeated
        assert ford.size == size

    @pytest.mark.parametrize("later", [0, 1, 2])
    def test_same_amendment_twice_is_answered_at_any_end(self, ford: DeskGame, later: int) -> None:
        """Amend the last order, the one before it, and the one before that."""
        ford.give("red", "pay", account="vp/red", amount=1)
        at = ford.size
        for amount in range(later):
            ford.give("blue", "pay", account="vp/blue", amount=amount + 1)
        given = {"order": "pay", "account": "vp/red", "amount": 2}
        amend(ford, at, given=given, id="x1")
        size = ford.size
        assert amend(ford, at, given=given, id="x1").repeated
        with pytest.raises(RuleViolation) as refusal:
            amend(ford, at, given={**given, "amount": 3}, id="x1")
        assert refusal.value.rule == "command ids"
        assert ford.size == size


class TestSkipLeaveAbort:
    def test_skipped(self, ford: DeskGame) -> None:
        at = stopped(ford)
        outcome = go_on(ford, "skip", why="he has no r2")
        said = ford.events(outcome.records[0].position - 1)[0][1]
        assert said == AmendmentEnded(skipped=at, why="he has no r2")
        assert dict(ford.game.accounts) == {"vp/red": 1, "vp/blue": 2}

    def test_leave_omits_the_remaining_orders(self, ford: DeskGame) -> None:
        stopped(ford)
        go_on(ford, "leave")
        assert ford.game.amending is None
        assert dict(ford.game.accounts) == {"vp/red": 1}
        ford.give("blue", "pay", account="vp/blue", amount=9)
        assert dict(ford.game.accounts) == {"vp/red": 1, "vp/blue": 9}

    def test_aborted(self, ford: DeskGame) -> None:
        at = stopped(ford)
        ford.give("blue", "pay", account="vp/blue", amount=9)
        before = ford.ledger.state("g", at + 1)
        go_on(ford, "abort", why="it was right after all")
        assert ford.game == before
        assert ford.game.units["r2"].at == "0201"
        assert dict(ford.game.accounts) == {"vp/red": 1, "vp/blue": 2}
        assert misfits_in(ford.ledger, "g").findings == []

    def test_aborted_amendment_can_be_continued(self, ford: DeskGame) -> None:
        # Records cannot be deleted: after a rewind to the branch that stopped, the amendment waits again.
        stopped(ford)
        waiting, there = ford.game.amending, ford.size
        go_on(ford, "abort")
        ford.give(REFEREE, "rewind", to=there, why="after all")
        assert ford.game.amending == waiting
        go_on(ford, "skip")

    def test_amendment_after_an_ended_one_starts_from_scratch(self, ford: DeskGame) -> None:
        # The branch on which an older amendment waited is amended itself: the older one no longer waits.
        stopped(ford)
        ford.give("red", "pay", account="vp/red", amount=5)
        at = ford.size
        go_on(ford, "leave")
        outcome = amend(ford, at, {"order": "pay", "account": "vp/red", "amount": 6})
        assert ford.events(outcome.records[0].position)[0][1] == AmendmentEnded(how="left", left=2)
        assert ford.game.amending is None
        assert dict(ford.game.accounts) == {"vp/red": 7}

    def test_copy_does_not_return_to_the_dice_of_another_game(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "u.db") as desk:
            game = desk.new_from_text("freeform", FORD, id="g")
            referee = game.referee
            referee.order("place", unit="r2", side="red", kind="foot", at="0101")
            at = game.size
            referee.order("move", unit="r2", path=["0201"])
            referee.amend(at, how="drop", why="x")
            copy = game.fork("h").referee
            with pytest.raises(RuleViolation, check=coded("dice-of-another-game")):
                copy.go_on_amending("abort")
            copy.go_on_amending("skip")
            assert copy.known().amending is None


class TestOtherWriters:
    def test_second_referee_continues_the_amendment(self, desk_file: Path) -> None:
        game = DeskGame(desk_file)
        stopped(game)
        other = DeskGame(desk_file)
        go_on(other, "skip")
        game.sitting.refresh()
        assert game.refused(REFEREE, "amending").code == "no-amendment-waits"
        game.close()
        other.close()

    def test_orders_of_a_seat_are_recorded_between(self, ford: DeskGame) -> None:
        stopped(ford)
        ford.give("blue", "roll", purpose="fire", dice="1d6")
        ford.give("blue", "seal")
        go_on(ford, "skip")
        assert [roll.purpose for roll in ford.rolls()] == ["fire"]
        assert dict(ford.game.accounts) == {"vp/red": 1, "vp/blue": 2}

    def test_full_disk_leaves_the_amendment_waiting(self, desk_file: Path) -> None:
        game = DeskGame(desk_file)
        game.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
        at = game.size
        game.give("red", "move", unit="r2", path=["0201"])
        for _ in range(60):
            game.give("red", "note", text="x" * 1500)
        amend(game, at, how="drop")
        size, waits = game.size, game.game.amending
        writer = game.ledger._store.datastore._writer  # type: ignore[attr-defined]
        pages = writer.execute("PRAGMA page_count").fetchone()[0]
        writer.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreUnavailable, match="full"):
            go_on(game, "skip")
        writer.execute("PRAGMA max_page_count = 1000000")
        assert (game.size, open_session(game.ledger, "g").game.amending) == (size, waits)
        go_on(game, "skip")
        assert game.ledger.verify("g").verdict == "VALID"
        game.close()


class TestSecrets:
    def test_words_that_are_closed_are_not_among_what_is_left(self) -> None:
        closed = "options = { secrets_closed_to_referee = true }\n[[units]]"
        game = DeskGame(":memory:", scenario=FORD.replace("[[units]]", closed, 1))
        game.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
        at = game.size
        game.give("red", "move", unit="r2", path=["0201"])
        game.give("red", "seal-choice", question="plan", choice="north")
        outcome = amend(game, at, how="drop")
        assert outcome.amended is not None
        assert [one.closed for one in outcome.amended.rest] == [False, True]
        assert "north" not in repr([one.raw for one in outcome.amended.rest])
        assert "north" not in repr(game.sitting.left_to_amend())
        game.close()

    def test_secret_words_stay_secret_in_a_continued_amendment(self, ford: DeskGame) -> None:
        stopped(ford)
        outcome = go_on(ford, given={"order": "seal-choice", "question": "plan", "choice": "southwest"})
        public = [record for record in outcome.records if record.visible_to is None]
        assert all(b"southwest" not in record.encode() for record in public)
        assert ford.game.choices["plan/red"].choice == "southwest"


class TestEveryTitle:
    @every_title
    def test_amendment_with_every_stop_skipped_ends(self, title: Title) -> None:
        """Drop any order, and skip each stop until no order remains."""
        game = any_game(":memory:", title, orders=60, seed=6)
        firsts = [taken.first for taken in game.sitting._history.newest_first() if taken.first > 1][5::15]
        for at in at_least_one(firsts):
            tip, before = game.size, game.game
            amend(game, at, how="drop")
            skipped = 0
            while (waits := game.game.amending) is not None:
                assert len(game.sitting.left_to_amend()) == waits.left
                go_on(game, "skip")
                skipped += 1
                assert game.game.amending is None or game.game.amending.left < waits.left
            assert game.ledger.state("g") == game.game
            game.give(REFEREE, "rewind", to=tip, why="for the next one")
            assert game.game.units == before.units
        assert misfits_in(game.ledger, "g").findings == []
        game.close()


class TestCommandLine:
    @pytest.fixture
    def at(self, terminal: Terminal) -> int:
        """Return the position at which an amendment waits."""
        terminal.new()
        terminal.give("red", "place", unit="r2", side="red", kind="foot", at="0101")
        size = terminal.size()
        terminal.give("red", "move", unit="r2", path=["0202"])
        terminal.give("blue", "pay", account="vp/blue", amount=2)
        assert terminal.type("amend", "ford", f"#{size}", "--drop", "--why", "never bought").code == 3
        return size + 1

    def test_remaining_orders_are_printed_as_an_order_file(self, terminal: Terminal, at: int) -> None:
        printed = [json.loads(line) for line in terminal.ok("amend", "ford").out.splitlines()]
        assert [one["order"] for one in printed] == ["move", "pay"]
        terminal.ok("amend", "ford", "-o", "left.jsonl")
        assert [json.loads(line) for line in (terminal.folder / "left.jsonl").read_text().splitlines()] == printed
        terminal.ok("order", "ford", "place", "r2", "red", "foot", "0101", "--as", "red")
        terminal.ok("play", "ford", "left.jsonl")
        terminal.ok("amend", "ford", "--quit")
        assert terminal.ok("status", "ford", "--json").json["accounts"] == {"vp/blue": 2}

    def test_remaining_orders_are_written_if_the_amendment_stops(self, terminal: Terminal, at: int) -> None:
        terminal.ok("amend", "ford", "--abort")
        said = terminal.type("amend", "ford", f"#{at - 1}", "--drop", "--why", "x", "-o", "left.jsonl")
        assert (said.code, "Wrote 2 orders to left.jsonl: the remaining orders." in said.out) == (3, True)
        assert "umpire amend ford --continue" in said.out

    def test_everybody_s_status_says_so(self, terminal: Terminal, at: int) -> None:
        for seat in ("referee", "blue", "spectator"):
            waits = terminal.ok("status", "ford", "--as", seat, "--json").json["amending"]
            assert (waits["at"], waits["seat"], waits["left"]) == (at, "red", 2)
            said = terminal.ok("status", "ford", "--as", seat).out
            assert said == Naming(f"#{at}", "Red", 2, "ford --continue")
        terminal.ok("amend", "ford", "--skip")
        assert "--continue" not in terminal.ok("status", "ford").out
        assert terminal.ok("status", "ford", "--json").json["amending"] is None

    def test_typed_order_replaces_the_stopped_one(self, terminal: Terminal, at: int) -> None:
        said = terminal.ok("amend", "ford", "--continue", "move", "r1", "0202", "--why", "it was r1", "--json").json
        assert (said["stopped"], said["again"], said["rest"]) == (None, [at + 1], [])
        units = {one["id"]: one["at"] for one in terminal.ok("units", "ford", "--json").json}
        assert units["r1"] == "0202"
        (ended,) = terminal.ok("audit", "ford", "--event", "amendment.ended", "--json").json
        assert (ended["seat"], ended["cause"]["how"], ended["cause"]["why"]) == ("referee", "continue", "it was r1")

    def test_json(self, terminal: Terminal, at: int) -> None:
        found = terminal.ok("amend", "ford", "--skip", "--check", "--json").json
        assert (found["recorded"], found["stopped"], found["left"], found["rest"]) == (False, None, 0, [])
        terminal.ok("amend", "ford", "--abort", "--json")
        answer = terminal.type("amend", "ford", str(at - 1), "--drop", "--why", "x", "--json", "-o", "left.jsonl")
        assert answer.code == 3
        assert [one["position"] for one in answer.json["rest"]] == [at, at + 1]
        assert answer.json["left"] == 1, "one after the order at which it stopped"
        assert len((terminal.folder / "left.jsonl").read_text().splitlines()) == 2

    def test_still_refused(self, terminal: Terminal, at: int) -> None:
        answer = terminal.type("amend", "ford", "--continue")
        assert answer.code == 3
        assert f"#{at} still cannot be re-played" in answer.err

    @pytest.mark.parametrize(
        ("words", "code", "names"),
        [
            (("--skip", "--drop"), "usage", Naming("--drop", "--skip")),
            (("#5", "--drop"), "usage", Naming("--why")),
            (("#5", "--why", "x"), "usage", Naming("#N", "--drop")),
            (("five", "--why", "x"), "usage", Naming("five", "12", "#12")),
            (("--continue", "no-such", "x"), "no-such-order", Naming("no-such")),
            (("--continue", "move", "r1"), "wrong-use", Naming("PATH")),
            (("--continue", "{"), "wrong-use", Naming("JSON", '{"order": "done"}')),
        ],
    )
    def test_invalid_amend_options_change_nothing(
        self, terminal: Terminal, at: int, words: tuple[str, ...], code: str, names: Naming
    ) -> None:
        size = terminal.size()
        answer = terminal.type_json("amend", "ford", *words)
        assert answer.code == (3 if code == "no-such-order" else 2)
        assert answer.error["refusal_code"] == code
        assert f"{answer.error['what']}; {answer.error['remedy']}" == names
        assert terminal.size() == size

    def test_amend_without_a_waiting_amendment_is_refused(self, terminal: Terminal) -> None:
        terminal.new()
        answer = terminal.type("amend", "ford", "--json")
        assert (answer.code, answer.error["refusal_code"], answer.error["where"]) == (2, "usage", "umpire amend")
        assert answer.error["what"] == Naming("ford")
        assert terminal.type("amend", "nowhere").code == 6


class TestTyped:
    def test_typed_order_replaces_an_order(self, terminal: Terminal) -> None:
        terminal.new()
        terminal.give("red", "pay", account="vp/red", amount=1)
        at = terminal.size()
        terminal.ok("amend", "ford", f"#{at}", "pay", "vp/red", "4", "--why", "a slip")
        assert terminal.ok("status", "ford", "--json").json["accounts"] == {"vp/red": 4}

    def test_options_of_the_order_and_of_the_command_keep_apart(self, terminal: Terminal) -> None:
        """Separate them: `--dice` is the amendment's; after -- it is the roll's."""
        terminal.new()
        terminal.ok("order", "ford", "roll", "wind", "--dice", "1d6", "--pips", "3", "--as", "red")
        at = terminal.size()
        words = ("--why", "two dice", "--", "roll", "wind", "--dice", "2d6", "--pips", "3,4")
        terminal.ok("amend", "ford", f"#{at}", *words)
        assert terminal.ok("dice", "ford", "--json").json["rolls"][-1]["dice"] == "2d6"

    def test_typed_order_of_another_seat_is_inserted_before(self, terminal: Terminal) -> None:
        terminal.new()
        terminal.give("red", "pay", account="vp/red", amount=1)
        at = terminal.size()
        terminal.ok("amend", "ford", f"#{at}", "pay", "vp/blue", "3", "--as", "blue", "--before", "--why", "forgotten")
        assert terminal.ok("audit", "ford", "--side", "blue", "--json").json
        assert terminal.ok("status", "ford", "--json").json["accounts"] == {"vp/red": 1, "vp/blue": 3}

    def test_typed_orders_amend_in_python(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "u.db") as desk:
            game = desk.new_from_text("freeform", FORD, id="g")
            game.seat("red").typed("place r2 red foot 0101")
            at = game.size
            game.seat("red").typed("move r2 0201")
            done = game.referee.amend(at, "place r3 red foot 0101", why="it is r3")
            assert done.stopped is not None
            assert [one.position for one in game.referee.left_to_amend()] == [at + 1]
            with pytest.raises(RuleViolation, match="red"):
                game.seat("red").left_to_amend()
            done = game.referee.go_on_amending(given="move r3 0201")
            assert (done.stopped, done.at) == (None, at + 1)
            assert game.referee.known().units["r3"].at == "0201"

    def test_typed_order_is_carried_out_by_a_ruling(self, terminal: Terminal) -> None:
        terminal.new()
        words = ("--why", "seen", "--grounds", "house")
        terminal.ok("rule", "ford", "r1 is weaker", *words, "--order", "change r1 strength 2")
        assert {u["id"]: u for u in terminal.ok("units", "ford", "--json").json}["r1"]["attributes"]["strength"] == 2
        answer = terminal.type("rule", "ford", "x", *words, "--order", "chnge r1 strength 2")
        assert (answer.code, "change" in answer.err) == (3, True)
