"""Rewinds at the table: to a label, to a turn, by consent; abandoned branches shown and compared."""

import json

import pytest

from tests.cli.terminal import Terminal
from tests.desk.game import FORD, DeskGame, coded
from tests.face.desk import play_lines
from tests.face.domain import (
    REFEREE,
    LineSealed,
    NoSuchPosition,
    NoteAdded,
    PlayRewound,
    RewindAnswered,
    RewindAsked,
    RuleViolation,
    StepOpened,
    UnknownName,
)
from tests.face.projections import Follower, differences
from tests.face.testing import FIXTURES
from tests.naming import Naming


def went_to(game: DeskGame) -> int:
    """Return the position that the last record returned to."""
    event = game.events()[-1][1]
    assert isinstance(event, PlayRewound)
    return event.to


class TestOwnOrders:
    """A seat rewinds its own orders to a named position, if it could undo them."""

    @pytest.fixture
    def walked(self, ford: DeskGame) -> DeskGame:
        """Red moves to 0201 and 0301, Blue writes a note, and Red moves to 0401."""
        ford.give("red", "move", unit="r1", path=["0201"])
        ford.give("red", "move", unit="r1", path=["0301"])
        ford.give("blue", "note", text="is that so?")
        ford.give("red", "move", unit="r1", path=["0401"])
        return ford

    def test_seat_rewinds_to_a_position(self, walked: DeskGame) -> None:
        first = walked.opened_at() + 1
        walked.give("red", "rewind", to=f"#{first}", why="a slip")
        assert went_to(walked) == first
        assert walked.game.units["r1"].at == "0201"
        walked.give("red", "redo")
        assert walked.game.units["r1"].at == "0401"

    def test_seat_rewinds_to_the_opening(self, walked: DeskGame) -> None:
        walked.give("red", "rewind", to=walked.opened_at())
        assert walked.game.units["r1"].at == "0101"

    def test_seat_cannot_rewind_over_an_order_of_another(self, walked: DeskGame) -> None:
        walked.give("blue", "move", unit="b1", path=["0202"])
        refusal = walked.refused("red", "rewind", to=walked.opened_at() + 1)
        assert (refusal.code, refusal.fields) == ("order-of-another-seat", {"first": walked.size, "seat": "blue"})
        assert "ask-rewind`" in refusal.remedy

    def test_seat_cannot_rewind_over_a_roll(self, walked: DeskGame) -> None:
        walked.give("red", "roll", dice="1d6", purpose="courage")
        refusal = walked.refused("red", "rewind", to=walked.opened_at() + 1)
        assert refusal.code == "only-the-referee-undoes"
        assert "(courage)" in refusal.what

    def test_seat_cannot_rewind_over_a_seal(self, walked: DeskGame) -> None:
        walked.give("blue", "seal")
        refusal = walked.refused("red", "rewind", to=walked.opened_at() + 1)
        assert refusal.code == "only-the-referee-undoes"
        assert "blue" in str(refusal.fields["stop"]).split()

    def test_seat_cannot_rewind_to_an_abandoned_branch(self, walked: DeskGame) -> None:
        left = walked.size
        walked.give("red", "undo", orders=2)
        refusal = walked.refused("red", "rewind", to=left)
        assert (refusal.code, refusal.fields) == ("not-on-current-branch", {"to": left})

    def test_seat_cannot_choose_the_dice_of_a_rewind(self, walked: DeskGame) -> None:
        refusal = walked.refused("red", "rewind", to=walked.opened_at() + 1, dice="keep")
        assert refusal.code == "only-the-referee-sets-dice"


class TestNotes:
    """Notes stay in force on every branch."""

    def test_note_after_an_undo_keeps_counting(self, ford: DeskGame) -> None:
        ford.give("red", "move", unit="r1", path=["0201"])
        ford.give("blue", "note", text="is that so?")
        moved, noted, undone = (ford.opened_at() + number for number in (1, 2, 3))
        with ford.views() as views:
            ford.give("red", "undo")
            views.catch_up("g")
            followed = _counting(views)
            views.rebuild("g")
            assert followed == _counting(views)
        assert followed["audit"][-2:] == [noted, undone]
        assert followed["orders"][-2:] == [noted, undone]
        assert moved not in followed["audit"] + followed["orders"]

    def test_mistyped_note_is_replaced_without_undoing_play(self, ford: DeskGame) -> None:
        ford.give("red", "move", unit="r1", path=["0201"])
        moved = ford.size
        ford.give("red", "note", text="a draw is offred", about=moved)
        with ford.views() as views:
            views.catch_up("g")
            ford.give("red", "note", text="a draw is offered", instead_of=moved + 1)
            assert ford.events()[-1][1] == NoteAdded(text="a draw is offered", about=moved, instead_of=moved + 1)
            views.catch_up("g")
            followed = _counting(views)
            views.rebuild("g")
            assert followed == _counting(views)
        assert followed["audit"][-2:] == [moved, moved + 2]
        assert followed["orders"][-2:] == [moved, moved + 2]

    def test_note_on_an_abandoned_branch_can_be_replaced(self, ford: DeskGame) -> None:
        # Notes are independent of branches.
        ford.give("red", "move", unit="r1", path=["0201"])
        ford.give("red", "note", text="a drwa")
        noted = ford.size
        ford.give("red", "undo")
        ford.give("red", "note", text="a draw", instead_of=noted)
        with ford.views() as views:
            views.catch_up("g")
            assert _counting(views)["audit"][-2:] == [noted + 1, noted + 2]

    def test_note_is_replaced_once_by_its_seat_or_the_referee(self, ford: DeskGame) -> None:
        ford.give("red", "note", text="mine")
        noted = ford.size
        other = ford.refused("blue", "note", text="yours", instead_of=noted)
        assert (other.code, other.rule, other.fields) == (
            "note-of-another-seat",
            "notes",
            {"instead_of": noted, "seat": "red"},
        )
        ford.give(REFEREE, "note", text="not so", instead_of=noted)
        again = ford.refused("red", "note", text="mine too", instead_of=noted)
        assert (again.code, again.fields) == ("note-withdrawn-already", {"instead_of": noted})

    def test_note_is_replaced_once_by_an_order_file(self, ford: DeskGame) -> None:
        ford.give("red", "note", text="a drwa")
        noted = ford.size
        lines = [{"as": "red", "order": "note", "text": text, "instead_of": noted} for text in ("a draw", "a draw!")]
        with pytest.raises(RuleViolation, check=coded("note-withdrawn-already", instead_of=noted)):
            play_lines(ford.ledger, "g", list(enumerate(lines, 1)), "notes")
        assert ford.ledger.size("g") == noted + 1

    @pytest.mark.parametrize("position", [1, 2**40])
    def test_record_other_than_a_note_cannot_be_replaced(self, ford: DeskGame, position: int) -> None:
        refusal = ford.refused("red", "note", text="so", instead_of=position)
        assert (refusal.code, refusal.rule, refusal.fields) == ("not-a-note", "notes", {"instead_of": position})


def _counting(views: Follower) -> dict[str, list[int]]:
    """Return the records that count, and the orders that count by their first record."""
    asked = (("audit", "position"), ("orders", '"first"'))
    return {
        table: [at for (at,) in views.connection.execute(f"SELECT {at} FROM {table} WHERE counts ORDER BY 1")]
        for table, at in asked
    }


class TestTargets:
    """War Galley's two and a half turns: turn 2 begins after #338, Demosthenes moves in it after #419."""

    @pytest.mark.parametrize(
        ("to", "lands"),
        [
            ("turn 2", 338),
            ("Turn 2", 338),
            ("#419", 419),
            (419, 419),
            ("E.1 of demosthenes", 419),
            ("e.1 of Demosthenes", 419),
            ("E.1 of demosthenes ", 419),
        ],
    )
    def test_rewind_target_is_a_position_a_turn_or_a_step(self, harbour: DeskGame, to: int | str, lands: int) -> None:
        harbour.give(REFEREE, "rewind", to=to, why="a slip")
        assert went_to(harbour) == lands

    def test_step_means_its_newest_opening(self, harbour: DeskGame) -> None:
        newest = max(at for at, event in harbour.events() if isinstance(event, StepOpened) and event.step == "E.1")
        harbour.give(REFEREE, "rewind", to="E.1", why="a slip")
        assert went_to(harbour) == harbour.ledger.answer("g", harbour.ledger.record("g", newest).command)[-1].position

    @pytest.mark.parametrize("dice", [None, "reroll", "keep"])
    @pytest.mark.parametrize("to", ["A", "turn 3", "{size}"])
    def test_rewind_to_present_position_is_refused(self, harbour: DeskGame, to: str, dice: str | None) -> None:
        before = harbour.size
        refusal = harbour.refused(REFEREE, "rewind", to=to.format(size=f"#{before}"), why="a pause", dice=dice)
        assert (refusal.rule, harbour.size) == ("undo and rewind", before)

    def test_rewind_over_notes_alone_is_refused(self, harbour: DeskGame) -> None:
        played = harbour.size
        harbour.give(REFEREE, "note", text="a pause")
        assert harbour.refused(REFEREE, "rewind", to=played, why="a slip").rule == "undo and rewind"

    def test_rewind_to_heading_is_its_first_step(self, harbour: DeskGame) -> None:
        first = next(at for at, event in harbour.events() if isinstance(event, StepOpened) and "E" in event.path)
        harbour.give(REFEREE, "rewind", to="E of turn 1", why="the whole phase again")
        inside = harbour.ledger.answer("g", harbour.ledger.record("g", first).command)
        assert went_to(harbour) == inside[-1].position

    @pytest.mark.parametrize("step", ["1B", "1b of turn 1"])
    def test_rewind_to_step_left_in_same_order_is_refused(self, step: str) -> None:
        scenario = FIXTURES / "federation-and-empire" / "scenarios" / "border-war.toml"
        war = DeskGame(":memory:", "federation-and-empire", scenario.read_text(encoding="utf-8"))
        war.give("alliance", "done")
        before = war.size
        war.give("coalition", "done", until="1C2")
        refusal = war.refused(REFEREE, "rewind", to=step, why="a slip")
        assert (refusal.rule, f"'#{before}'" in refusal.remedy) == ("rewind", True)
        war.give(REFEREE, "rewind", to=before, why="before it")

    def test_rewind_to_a_step_of_this_squadron(self, harbour: DeskGame) -> None:
        harbour.give(REFEREE, "rewind", to=421, why="back to Demosthenes")
        harbour.give(REFEREE, "rewind", to="E.1 of this squadron", why="his move")
        assert went_to(harbour) == 419

    def test_rewind_target_this_needs_a_current_item(self, harbour: DeskGame) -> None:
        refusal = harbour.refused(REFEREE, "rewind", to="E.1 of this squadron", why="his move")
        assert (refusal.code, "squadron" in str(refusal.fields)) == ("nothing-in-progress", True)

    def test_rewind_to_a_step_of_a_turn(self, harbour: DeskGame) -> None:
        harbour.give(REFEREE, "rewind", to="A of turn 2", why="a slip")
        assert went_to(harbour) == 338

    def test_rewind_to_a_step_never_opened_lists_the_opened_ones(self, harbour: DeskGame) -> None:
        refusal = harbour.refused(REFEREE, "rewind", to="E.1 of nicias", why="a slip")
        assert isinstance(refusal, UnknownName)
        assert refusal.what == Naming("E.1", "nicias", "sicanus", "syracuse")

    @pytest.mark.parametrize("to", ["turn 9", "Z.9", "of", "#9999", 0])
    def test_nowhere_is_refused(self, harbour: DeskGame, to: int | str) -> None:
        refusal = harbour.refused(REFEREE, "rewind", to=to, why="a slip")
        assert isinstance(refusal, UnknownName | NoSuchPosition)

    def test_across_players_and_dice_and_back_again(self, harbour: DeskGame) -> None:
        before = harbour.game
        harbour.give(REFEREE, "rewind", to="turn 1", why="from the start")
        assert harbour.game.turn == 1
        harbour.give(REFEREE, "redo")
        assert harbour.game == before


EVERY_OTHER_TURN = """
title = "freeform"
name = "Supplies"
dice = "table"
sides = [{ id = "red", name = "Red" }]

[facts.low]
is = "turn = 1 or turn = 3"
words = "supplies are low"
otherwise = "supplies suffice"

[[play]]
rounds = "turn"
name = "turns"
counts_turns = true
until = "nth(5)"

[[play]]
step = "A"
in = "turn"
name = "supply"
when = "low"
by = "each"
allows = ["pay"]
"""


class TestTurns:
    def test_rewind_to_turn_passed_in_one_order_is_refused(self) -> None:
        game = DeskGame(":memory:", scenario=EVERY_OTHER_TURN)
        before = game.size
        game.give("red", "done")
        assert game.game.turn == 3
        refusal = game.refused(REFEREE, "rewind", to="turn 2", why="supplies")
        assert (refusal.rule, f"'#{before}'" in refusal.remedy) == ("rewind", True)
        game.give(REFEREE, "rewind", to="turn 1", why="the neighbor")
        assert went_to(game) == before


class TestAbandonedBranches:
    def test_abandoned_branch_can_be_shown_compared_and_restored(self, harbour: DeskGame) -> None:
        tip, before = harbour.size, harbour.game
        harbour.give(REFEREE, "rewind", to="turn 2", why="the wind was wrong")
        harbour.give("athens", "roll-wind", pips=[6, 6])
        assert harbour.ledger.state("g", tip) == before
        changed = {one.id for one in differences(harbour.ledger.state("g", tip), harbour.game)}
        assert "where" in changed
        harbour.give(REFEREE, "rewind", to=tip, why="it was right after all")
        assert harbour.game.units == before.units


class TestConsent:
    def test_rewind_by_consent_needs_no_referee(self, harbour: DeskGame) -> None:
        harbour.give("athens", "ask-rewind", to="turn 2", why="we forgot the reinforcements")
        harbour.give("syracuse", "consent")
        assert went_to(harbour) == 338
        _, event = harbour.events()[-1]
        assert isinstance(event, PlayRewound)
        assert event.consent == ("athens", "syracuse")
        assert event.why == "we forgot the reinforcements"
        assert harbour.game.asked is None

    def test_sealed_orders_are_undone_by_consent(self, ford: DeskGame) -> None:
        start = ford.size
        ford.give("red", "pay", account="vp/red", amount=1)
        ford.give("blue", "seal")
        assert any(isinstance(event, LineSealed) for _, event in ford.events())
        assert ford.refused("red", "undo").code == "only-the-referee-undoes"
        ford.give("red", "ask-rewind", to=start, why="it was not my turn")
        ford.give("blue", "consent")
        assert "vp/red" not in ford.game.accounts

    def test_every_other_side_must_agree(self) -> None:
        game = DeskGame(
            ":memory:", scenario=FORD.replace('name = "Blue" }', 'name = "Blue" }, { id = "green", name = "Green" }')
        )
        start = game.size
        game.give("red", "pay", account="vp/red", amount=1)
        game.give("red", "ask-rewind", to=start, why="a slip")
        game.give("green", "consent")
        assert isinstance(game.events()[-1][1], RewindAnswered)
        again = game.refused("green", "consent")
        assert (again.code, again.fields) == ("consented-already", {"side": "green"})
        game.give("blue", "consent")
        assert went_to(game) == start
        game.close()

    def test_refusal_of_one_side_ends_the_request(self, ford: DeskGame) -> None:
        ford.give("red", "pay", account="vp/red", amount=1)
        ford.give("red", "ask-rewind", to=ford.size - 1, why="a slip")
        ford.give("blue", "refuse", why="the dice are known")
        refusal = ford.refused("blue", "consent")
        assert (refusal.code, refusal.rule) == ("no-rewind-asked-for", "rewind by consent")

    def test_request_becomes_void_when_play_continues(self, ford: DeskGame) -> None:
        start = ford.size
        ford.give("red", "pay", account="vp/red", amount=1)
        ford.give("red", "ask-rewind", to=start, why="a slip")
        ford.give("blue", "note", text="let me think")
        ford.give("blue", "pay", account="vp/blue", amount=1)
        refusal = ford.refused("blue", "consent")
        assert refusal.code == "play-has-continued"
        ford.give("red", "ask-rewind", to=start, why="a slip")
        ford.give("blue", "consent")
        assert went_to(ford) == start

    def test_consent_of_the_asking_side_or_referee_is_refused(self, ford: DeskGame) -> None:
        ford.give("red", "pay", account="vp/red", amount=1)
        ford.give("red", "ask-rewind", to=ford.size - 1, why="a slip")
        for seat in ("red", REFEREE):
            refusal = ford.refused(seat, "consent")
            assert (refusal.code, refusal.fields["seat"]) == ("not-asked", seat)
        ford.give("red", "refuse")
        assert ford.game.asked is None

    def test_request_by_the_referee_is_refused(self, ford: DeskGame) -> None:
        assert ford.refused(REFEREE, "ask-rewind", to=1, why="a slip").code == "no-side"

    def test_request_stores_the_position_of_its_label(self, harbour: DeskGame) -> None:
        harbour.give("athens", "ask-rewind", to="E.1 of demosthenes", why="a slip", dice="keep")
        _, event = harbour.events()[-1]
        assert event == RewindAsked(seat="athens", side="athens", to=419, why="a slip", dice="keep")
        harbour.give("syracuse", "consent")
        assert harbour.game.keep is not None

    def test_ask_rewind_to_present_position_is_refused(self, ford: DeskGame) -> None:
        assert ford.refused("red", "ask-rewind", to=ford.size, why="x").rule == "undo and rewind"

    def test_agreed_rewind_is_redone_by_the_referee_only(self, ford: DeskGame) -> None:
        ford.give("red", "pay", account="vp/red", amount=1)
        ford.give("red", "ask-rewind", to=ford.size - 1, why="a slip")
        ford.give("blue", "consent")
        assert ford.refused("blue", "redo").code == "all-sides-agreed"
        ford.give(REFEREE, "redo")
        assert ford.game.accounts["vp/red"] == 1


class TestTerminal:
    @pytest.fixture
    def galleys(self, terminal: Terminal) -> Terminal:
        folder = FIXTURES / "war-galley"
        terminal.ok("new", "war-galley", "--id", "h", "--scenario", str(folder / "scenarios" / "great-harbour.toml"))
        terminal.ok("play", "h", str(folder / "orders" / "great-harbour.jsonl"))
        return terminal

    def test_rewind_lines_status_diff(self, galleys: Terminal) -> None:
        galleys.ok("rewind", "h", "--to", "turn 2", "--why", "the wind", "--dice", "keep")
        galleys.ok("order", "h", '{"order": "roll-wind"}', "--as", "athens")
        left, now = galleys.ok("lines", "h", "--json").json
        assert (left["tip"], left["counts"], left["kind"], left["why"]) == (611, False, "rewind", "the wind")
        assert (now["counts"], now["parts"], now["rolls"]) == (True, 338, 1)
        assert galleys.ok("status", "h", "--at", str(left["tip"]), "--json").json["turn"] == 3
        differs = galleys.ok("diff", "h", str(left["tip"]), str(now["tip"]), "--json").json
        assert {"unit", "place"} <= {one["kind"] for one in differs}
        assert "#338" in galleys.ok("lines", "h").out

    def test_rewind_preview_records_nothing(self, galleys: Terminal) -> None:
        found = galleys.ok("rewind", "h", "--to", "E.1 of demosthenes", "--preview", "--json").json
        assert found["to"] == 419
        assert [roll["position"] for roll in found["rolls"]][:2] == [424, 430]
        assert found["seats"] == ["athens", "syracuse"]
        assert galleys.ok("status", "h", "--json").json["position"] == 611
        said = galleys.ok("undo", "h", "--preview", "-n", "2").out
        assert "alternatives:" in said

    def test_undo_lists_the_undone_orders(self, terminal: Terminal) -> None:
        terminal.write("ford.toml", FORD)
        terminal.ok("new", "freeform", "--id", "ford", "--scenario", "ford.toml")
        opened = terminal.ok("status", "ford", "--json").json["position"]
        for place in ("0201", "0301"):
            terminal.ok("order", "ford", f'{{"order": "move", "unit": "r1", "path": ["{place}"]}}', "--as", "red")
        terminal.ok("note", "ford", "hm", "--as", "blue")
        said = terminal.ok("rewind", "ford", "--to", f"#{opened + 1}", "--as", "red").out.splitlines()
        assert said[-1] == f'undone:   #{opened + 2} red: move unit r1 path ["0301"]'
        again = terminal.ok("undo", "ford", "--as", "red", "--json").json
        assert [one["position"] for one in again["taken_back"]] == [opened + 1]

    def test_consent_on_the_command_line(self, galleys: Terminal) -> None:
        galleys.ok("ask-rewind", "h", "--to", "#338", "--why", "a slip", "--as", "athens")
        said = galleys.ok("status", "h", "--as", "syracuse").out
        assert said == Naming("Athens", "#338", "a slip", "Syracuse", "`consent`", "`refuse`")
        asked = galleys.ok("status", "h", "--as", "syracuse", "--json").json["asked"]
        assert (asked["seat"], asked["to"], asked["waits"]) == ("athens", 338, ["syracuse"])
        galleys.ok("consent", "h", "--as", "syracuse")
        assert galleys.ok("status", "h", "--json").json["turn"] == 2
        answer = galleys.type("refuse", "h", "--as", "syracuse", "--json")
        assert (answer.code, json.loads(answer.err)["rule"]) == (3, "rewind by consent")
