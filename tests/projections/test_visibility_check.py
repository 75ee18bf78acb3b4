"""Check forged logs with correct hashes: wrong visibility of a record, or an order in the name of another side."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.attacks.damaged_logs import RAW, read, written_anew
from tests.desk.game import FORD
from tests.face.domain import (
    AnyEvent,
    Game,
    events as e,
    evolve,
)
from tests.face.projections import (
    FREE,
    LIMITS,
    PUBLIC,
    Envelope,
    visibility_fault,
)
from tests.naming import Naming

RED, BLUE = "red", "blue"
GAME = Game(sides=(e.Side(id=RED, name="Red"), e.Side(id=BLUE, name="Blue")))
CLOSED = Game(sides=GAME.sides, options={"secrets_closed_to_referee": True})


@pytest.fixture
def ford() -> Iterator[umpire.PlayedGame]:
    """Game with one record of each private kind, by red."""
    with umpire.open(":memory:") as desk:
        game = desk.new_from_text("freeform", FORD, id="ford", dice="table")
        red = game.seat(RED)
        red.order("seal-choice", question="plan", choice="attack")
        red.note("to you alone", to=["referee"])
        red.seal_words("left wing", "attacked")
        red.note("good evening")
        yield game


def forged(game: umpire.PlayedGame, folder: Path, tag: str, **change: Any) -> tuple[int, umpire.Checked]:
    """Change one record of the game's log and compute all hashes again; return its position and the check's result."""
    file = folder / "log.jsonl"
    game.export(file, seat="referee", whole=True)
    name, records = read(file.read_bytes())
    at = next(at for at, one in enumerate(records) if f'"{tag}"' in bytes(one.event).decode())
    records[at] = replace(records[at], **change)
    file.write_bytes(written_anew(name, records))
    return at + 1, umpire.verify(file)


def raw(**members: object) -> Any:
    return RAW(msgspec.json.encode(members))


def faults(checked: umpire.Checked) -> list[int]:
    assert checked.verdict.verdict == "VALID"
    return [one.position for one in checked.findings]


class TestForgedLog:
    @pytest.mark.parametrize("tag", ["choice.made", "note.sealed", "note.added"])
    def test_private_record_shown_to_all_is_a_finding(self, ford: umpire.PlayedGame, tmp_path: Path, tag: str) -> None:
        at, found = forged(ford, tmp_path, tag, visible_to=None)
        assert faults(found) == [at]

    @pytest.mark.parametrize("tag", ["choice.made", "note.sealed", "note.added"])
    def test_private_record_shown_to_blue_is_a_finding(self, ford: umpire.PlayedGame, tmp_path: Path, tag: str) -> None:
        at, found = forged(ford, tmp_path, tag, visible_to=(RED, BLUE, "referee"))
        assert faults(found) == [at]

    def test_secret_choice_called_open_is_a_finding(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        event = raw(type="choice.made", question="plan", side=RED, choice="attack")
        at, found = forged(ford, tmp_path, "choice.made", visible_to=None, event=event)
        assert faults(found) == [at]

    def test_public_record_made_private_is_a_finding(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        at, found = forged(ford, tmp_path, "choice.sealed", visible_to=(RED,))
        assert faults(found) == [at]

    def test_order_of_another_side_is_a_finding(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        cause = raw(**{"as": BLUE, "order": "note", "text": "good evening"})
        ford.seat(RED).note("peace")
        at, found = forged(ford, tmp_path, "peace", cause=cause)
        assert faults(found) == [at]
        assert found.findings[0].what == Naming("red", "blue")

    def test_order_entered_by_a_side_is_a_finding(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        cause = raw(**{"as": RED, "order": "note", "text": "peace", "entered_by": BLUE})
        ford.seat(RED).note("peace")
        at, found = forged(ford, tmp_path, "peace", cause=cause)
        assert faults(found) == [at]

    def test_genuine_log_has_no_finding(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.referee.order({"as": RED, "order": "note", "text": "entered"})
        ford.referee.note("in place", instead_of=ford.seat(RED).note("private", to=[BLUE]).position)
        ford.referee.rewind(ford.opening.position, why="again")
        ford.export(tmp_path / "log.jsonl", seat="referee", whole=True)
        assert faults(umpire.verify(tmp_path / "log.jsonl")) == []


class TestTable:
    def test_every_kind_of_event_has_a_rule(self) -> None:
        kinds = [*PUBLIC, *FREE, *LIMITS]
        assert sorted(kinds, key=repr) == sorted(get_args(AnyEvent), key=repr)

    @pytest.mark.parametrize(
        ("event", "allowed"),
        [
            (e.DiceSeeded(seed="00"), ()),
            (e.ChoiceMade(question="plan", side=RED, choice=1, sealed=True), (RED, "referee")),
            (e.NoteAdded(text="x", to=(BLUE,)), (RED, BLUE, "referee")),
            (e.NoteSealed(text="x", condition="y"), (RED, "referee")),
            (e.MessageSent(message=1, seat=RED, to=(BLUE,), text="x", arrives=2), (RED, "referee")),
            (e.MessageArrived(message=1, seat=RED, to=(BLUE,), text="x"), (RED, BLUE, "referee")),
            (e.MessageHeld(message=1), ("referee",)),
            (e.UnitPlaced(unit="red-1", side=RED, kind="raft", at="1", seen_by=(RED,)), (RED, "referee")),
            (e.UnitShown(unit="red-1", side=RED, kind="raft", at="1", seen_by=(RED,)), (RED, "referee")),
            (e.HiddenDone(), (RED, "referee")),
        ],
    )
    def test_event_is_for_its_readers_alone(self, event: AnyEvent, allowed: tuple[str, ...]) -> None:
        def fault(visible_to: tuple[str, ...] | None, game: Game = GAME) -> str:
            return visibility_fault(game, Envelope(seat=RED, visible_to=visible_to), event)

        assert fault(allowed) == ""
        assert fault(None) != ""
        if not isinstance(event, e.HiddenDone):  # without events it is for all
            assert (", ".join(allowed) or "no seat") in fault(None)
        assert fault((*allowed, "spectator")) != ""
        if allowed == (RED, "referee") and not isinstance(event, (e.HiddenDone, e.UnitPlaced, e.UnitShown)):
            assert fault(allowed, CLOSED) != ""

    def test_move_of_a_hidden_unit_is_for_those_who_see_it(self) -> None:
        placed = e.UnitPlaced(unit="red-1", side=RED, kind="raft", at="1", seen_by=(RED,))
        game, moved = evolve(GAME, placed), e.UnitMoved(unit="red-1", path=("1", "2"))
        assert visibility_fault(game, Envelope(seat=RED, visible_to=(RED, "referee")), moved) == ""
        assert visibility_fault(game, Envelope(seat=RED, visible_to=(RED, BLUE)), moved) != ""
        assert visibility_fault(game, Envelope(seat=RED, visible_to=None), moved) != ""

    def test_seal_in_the_name_of_another_seat_is_a_finding(self) -> None:
        event = e.LineSealed(seat=BLUE, position=3)
        assert visibility_fault(GAME, Envelope(seat=RED, visible_to=None), event) != ""
        assert visibility_fault(GAME, Envelope(seat=BLUE, visible_to=None), event) == ""
