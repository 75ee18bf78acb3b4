"""The seat of an order, the seat that enters it, and the answer to a used order id."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.desk.game import FORD, coded
from tests.face.testing import FIXTURES


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "umpire.db") as desk:
        yield desk.new_from_text("freeform", FORD, id="ford", dice="table")


def said(anything: Any) -> str:
    return str(msgspec.to_builtins(anything))


class TestUsedOrderId:
    def test_another_seat_is_not_answered_with_a_secret(self, ford: umpire.PlayedGame) -> None:
        """Check the answer: the id is in every export, but not the choice made under it."""
        sealed = ford.seat("red").order("seal-choice", question="flank", choice="left", id="r1")
        assert sealed.command == "r1"
        for seat in ("blue", "referee"):
            with pytest.raises(umpire.Refused, check=coded("order-id-used")) as refusal:
                ford.seat(seat).order("seal-choice", question="flank", choice="left", id="r1")
            assert refusal.value.rule == "command ids"
            assert "left" not in said(vars(refusal.value))

    def test_another_order_is_refused_and_not_swallowed(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("note", text="one", id="n")
        size = ford.size
        with pytest.raises(umpire.Refused, check=coded("order-id-used")):
            ford.seat("red").order("note", text="two", id="n")
        assert ford.size == size

    def test_same_order_of_the_same_seat_is_answered_again(self, ford: umpire.PlayedGame) -> None:
        first = ford.seat("red").order("roll", purpose="wind", dice="2d6", pips=[3, 4], id="w")
        again = ford.seat("red").order("roll", purpose="wind", dice="2d6", pips=[3, 4], id="w")
        assert (again.repeated, again.records) == (True, first.records)

    def test_secret_order_of_the_same_seat_is_answered_again(self, ford: umpire.PlayedGame) -> None:
        # Its words are in its private record, which is not its first.
        first = ford.seat("red").order("seal-choice", question="flank", choice="left", id="r1")
        again = ford.seat("red").order("seal-choice", question="flank", choice="left", id="r1")
        assert (again.repeated, again.records) == (True, first.records)

    def test_other_pips_are_another_order(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("roll", purpose="wind", dice="2d6", pips=[3, 4], id="w")
        with pytest.raises(umpire.Refused, check=coded("order-id-used")):
            ford.seat("red").order("roll", purpose="wind", dice="2d6", pips=[6, 6], id="w")

    def test_another_amendment_under_the_same_id_is_refused(self, ford: umpire.PlayedGame) -> None:
        at = ford.seat("red").order("move", unit="r1", path=["0201"]).position
        amend = {"order": "amend", "at": at, "why": "misread", "id": "a"}
        given = {"as": "red", "order": "move", "unit": "r1", "path": ["0102"]}
        ford.referee.order({**amend, "given": given})
        assert ford.referee.order({**amend, "given": given}).repeated
        with pytest.raises(umpire.Refused, check=coded("order-id-used")):
            ford.referee.order({**amend, "given": {**given, "path": ["0909"]}})


class TestSeats:
    def test_mailed_file_gives_orders_of_its_own_seat_only(self, ford: umpire.PlayedGame) -> None:
        mailed = [(1, {"order": "note", "text": "mine"}), (2, {"as": "red", "order": "note", "text": "not mine"})]
        with pytest.raises(umpire.Refused) as refusal:
            ford.play(mailed, name="mail.jsonl", hand="blue")
        assert re.match(r"mail\.jsonl\b.* 2\b", refusal.value.where)
        assert refusal.value.rule == "seats"
        assert {"red", "blue"} <= set(re.findall(r"\w+", refusal.value.what))
        assert [line.seat for line in ford.referee.audit(event="note.added")] == ["blue"]

    def test_file_sent_twice_is_played_once(self, ford: umpire.PlayedGame) -> None:
        # Lines with order ids: new records are counted separately from known ones.
        lines = [(at, {"as": "red", "order": "note", "text": str(at), "id": f"r{at}"}) for at in (1, 2, 3)]
        first = ford.play(lines[:2])
        assert (first.orders, first.repeated, first.position) == (2, 0, ford.size)
        second = ford.play(lines)
        assert (second.orders, second.repeated, second.position) == (1, 2, first.position + 1)

    def test_order_entered_by_the_referee_is_marked(self, ford: umpire.PlayedGame) -> None:
        ford.play([(1, {"as": "red", "order": "note", "text": "a"}), (2, {"order": "note", "text": "b"})])
        first, second = ford.spectator.audit(event="note.added")
        assert (first.seat, first.entered_by) == ("red", "referee")
        assert (second.seat, second.entered_by) == ("referee", "")

    def test_seat_cannot_forge_or_hide_the_mark(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order({"order": "note", "text": "a", "entered_by": "referee"})
        ford.referee.order({"as": "red", "order": "note", "text": "b", "entered_by": "red"})
        first, second = ford.spectator.audit(event="note.added")
        assert (first.entered_by, second.entered_by) == ("", "referee")

    def test_seat_cannot_enter_an_order_of_another(self, ford: umpire.PlayedGame) -> None:
        for seat in ("blue", "spectator"):
            with pytest.raises(umpire.Refused, check=coded("given-by-another-seat", author="red", hand=seat)):
                ford.seat(seat).order({"as": "red", "order": "note", "text": "hm"})


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    """Yield a game whose secrets are closed to the referee, with one sealed choice in it."""
    with umpire.open(tmp_path / "umpire.db") as desk:
        game = desk.new_from_text("freeform", FORD, id="g", dice="table", options={"secrets_closed_to_referee": True})
        game.seat("red").order("seal-choice", question="flank", choice="left")
        yield game


class TestClosedSecrets:
    def test_copy_leaves_a_record_in_the_game(self, closed: umpire.PlayedGame) -> None:
        upto = closed.size
        copy = closed.fork("copy")
        assert copy.copied is not None
        assert (copy.copied.at, copy.size) == (upto, upto + 1)
        assert {f"#{upto}", "copy"} <= set(re.findall(r"[#\w]+", closed.seat("red").audit(last=1)[0].text))

    def test_refused_copy_leaves_no_record(self, closed: umpire.PlayedGame) -> None:
        size = closed.size
        with pytest.raises(umpire.GameExists):
            closed.fork("g")
        with pytest.raises(umpire.NoSuchRecord):
            closed.fork("other", at=size + 5)
        assert closed.size == size

    def test_whole_log_is_exported_by_referee_with_a_record(self, closed: umpire.PlayedGame, tmp_path: Path) -> None:
        with pytest.raises(umpire.Refused) as refusal:
            closed.export(tmp_path / "all.jsonl", seat="blue", whole=True)
        assert refusal.value.rule == "secrets"
        assert not (tmp_path / "all.jsonl").exists()
        size = closed.size
        closed.export(tmp_path / "all.jsonl", seat="referee", whole=True)
        (line,) = closed.seat("red").audit(last=1)
        assert (line.position, line.seat, line.event) == (size + 1, "referee", "note.added")

    def test_meanwhile_records_are_shown_to_the_entering_seat(self, closed: umpire.PlayedGame) -> None:
        # The referee may enter an order of Red's; the answer is read by the referee.
        before = closed.size - 2
        for seat in (closed.referee, closed.seat("blue")):
            given = (
                {"as": "red", "order": "note", "text": "x"}
                if seat.name == "referee"
                else {"order": "note", "text": "x"}
            )
            with pytest.raises(umpire.PositionConflict) as late:
                seat.order(given, seen=before)
            assert "left" not in late.value.remedy
        with pytest.raises(umpire.PositionConflict) as own:
            closed.seat("red").order({"order": "note", "text": "x"}, seen=before)
        assert "red secretly chooses left for flank" in own.value.remedy

    @pytest.mark.parametrize("again", ["left", "right"])
    def test_reused_dice_do_not_reveal_a_new_secret_choice(self, tmp_path: Path, again: str) -> None:
        # The dice after a rewind are the same for every seat and for any choice sealed the second time.
        with umpire.open(tmp_path / "umpire.db") as desk:
            game = desk.new_from_text("freeform", FORD, id="g", dice="ledger")
            start = game.size
            game.seat("red").order("seal-choice", question="flank", choice="left")
            first = game.seat("blue").order("roll", purpose="wind", dice="2d6")
            game.referee.rewind(start, why="set up wrongly", dice="keep-unless-new")
            game.seat("red").order("seal-choice", question="flank", choice=again)
            second = game.seat("blue").order("roll", purpose="wind", dice="2d6")
            assert second.records[0].event.kept == first.records[0].position  # type: ignore[union-attr] # a roll


class TestAnswers:
    """The answer to an order shows its results to its own seat only."""

    def test_seed_of_the_dice_is_not_shown_at_the_opening(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            game = desk.new_from_text("freeform", FORD, id="g", dice="ledger")
            seed = desk.ledger.state("g").seed
            answer = game.opening
        assert [record.position for record in answer.records] == [1, 2, 4, 5]
        assert seed
        assert seed not in said(answer)

    def test_sealed_choice_is_shown_to_its_seat_not_to_the_referee(self, closed: umpire.PlayedGame) -> None:
        own = closed.seat("blue").order("seal-choice", question="flank", choice="round the wood")
        assert "round the wood" in said(own)
        entered = closed.referee.order({"as": "red", "order": "seal-choice", "question": "reserve", "choice": "hill"})
        assert "hill" not in said(entered)
        assert entered.position > entered.records[-1].position

    def test_late_order_gets_public_records_and_no_secret(self, ford: umpire.PlayedGame) -> None:
        seen = ford.size
        ford.seat("red").order("note", text="rain")
        ford.seat("red").order("seal-choice", question="flank", choice="round the wood")
        for seat in ("blue", "spectator"):
            with pytest.raises(umpire.PositionConflict) as late:
                ford.seat(seat).order("note", text="hm", seen=seen)
            assert "rain" in late.value.remedy
            assert "round the wood" not in said(vars(late.value))
        with pytest.raises(umpire.PositionConflict) as late:
            ford.seat("red").order("note", text="hm", seen=seen)
        assert "round the wood" in late.value.remedy

    def test_step_waiting_for_one_side_is_ended_by_the_referee(self, tmp_path: Path) -> None:
        # As with a typed order; if several sides are waited for, the order must name one.
        scenario = (FIXTURES / "federation-and-empire" / "scenarios" / "border-war.toml").read_text(encoding="utf-8")
        with umpire.open(tmp_path / "umpire.db") as desk:
            war = desk.new_from_text("federation-and-empire", scenario, id="war", dice="ledger")
            with pytest.raises(umpire.Refused, check=coded("referee-has-no-side")) as refusal:
                war.referee.done(until="1C2")
            assert "--as SIDE" in refusal.value.remedy
            war.seat("alliance").done()
            assert "1B" in war.referee.done(until="1C2").left
            (line, *_) = war.spectator.audit(step="1A2", last=1)
            assert (line.seat, line.entered_by) == ("coalition", "referee")
