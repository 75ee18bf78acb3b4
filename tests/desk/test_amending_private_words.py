"""An amendment repeats private words of every kind in the same way: other seats cannot distinguish the kinds."""

import json
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.desk.game import coded
from tests.desk.test_couriers import TURNS, WORDS, next_turn
from tests.desk.test_private_words import CLOSED, TABLE

Kind = Callable[[umpire.Seat], umpire.Outcome]
OPEN_KINDS: dict[str, Kind] = {
    "note": lambda seat: seat.note(WORDS, to=["referee"]),
    "sealed": lambda seat: seat.seal_words(WORDS, "attacked"),
    "message": lambda seat: seat.send_message(WORDS, ["corinth"], 3),
}
CLOSED_KINDS: dict[str, Kind] = {**OPEN_KINDS, "note": lambda seat: seat.note(WORDS, to=["athens"])}
HOWS: tuple[dict[str, Any], ...] = ({"how": "drop"}, {"how": "reroll"}, {"dice": "reroll", "how": "drop"})


@pytest.fixture
def desk() -> Iterator[umpire.Desk]:
    with umpire.open(":memory:") as desk:
        yield desk


def opened(desk: umpire.Desk, **options: object) -> umpire.PlayedGame:
    turns = TURNS.replace('by = "athens"', 'by = "athens"\nallows = ["move"]')
    return desk.new_from_text("freeform", TABLE + turns, id="cities", options=options)


def told(game: umpire.PlayedGame, kind: Kind, how: dict[str, Any]) -> tuple[list[Any], Any]:
    """Return the view of the other seats on a game in which Athens gives private words, and on its amendment."""
    athens = game.seat("athens")
    at = athens.order("note", text="good evening").position
    athens.order("move", unit="a1", path=["0102"])
    kind(athens)
    athens.order("move", unit="a1", path=["0103"])
    mended = game.referee.amend(at, why="a slip", **how)
    answer = [(one.seat, dict(one.order)) for one in mended.orders if one.order.get("order") != "move"]
    game.referee.undo(why="again")
    return envelopes(game, "corinth"), answer


def envelopes(game: umpire.PlayedGame, seat: str) -> list[Any]:
    out = BytesIO()
    game.export(out, seat=seat)
    records = [json.loads(line) for line in out.getvalue().splitlines()[1:-1]]
    secret = ("inner", "cause_hash", "prior", "salt", "at", "command")
    return [{name: value for name, value in one.items() if name not in secret} for one in records]


class TestOtherSeats:
    @pytest.mark.parametrize("how", HOWS)
    @pytest.mark.parametrize("options", [{}, CLOSED])
    def test_every_kind_looks_the_same(self, options: dict[str, Any], how: dict[str, Any]) -> None:
        seen = []
        for kind in (CLOSED_KINDS if options else OPEN_KINDS).values():
            with umpire.open(":memory:") as desk:
                shown, answer = told(opened(desk, **options), kind, how)
                seen.append((shown, answer if options else None))
        assert seen[0] == seen[1] == seen[2]


class TestSealedOrders:
    def test_list_shows_them_once(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        told(game, OPEN_KINDS["sealed"], HOWS[0])
        (words,) = game.seat("athens").sealed_words()
        assert (words.text, words.opened) == (WORDS, 0)

    def test_repetition_is_opened_by_its_original(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        athens = game.seat("athens")
        at = athens.order("move", unit="a1", path=["0102"]).position
        first = athens.seal_words(WORDS, "attacked").position
        game.referee.amend(at, how="drop", why="a slip")
        with pytest.raises(umpire.Refused, check=coded("sealed-elsewhere", again=first)):
            athens.open_words(game.size)
        athens.open_words(first)
        assert athens.sealed_words()[0].opened == game.size
        assert game.verify().findings == ()

    def test_second_amendment_names_the_first_words(self, desk: umpire.Desk) -> None:
        game = opened(desk)
        athens = game.seat("athens")
        at = athens.order("move", unit="a1", path=["0102"]).position
        first = athens.seal_words(WORDS, "attacked").position
        athens.order("note", text="good evening")
        game.referee.amend(at, {"order": "move", "unit": "a1", "path": ["0103"]}, why="a slip")
        (moved,) = [one.position for one in athens.audit(event="unit.moved") if one.counts]
        game.referee.amend(moved, how="drop", why="a slip")
        assert {one.event.again for one in athens.follow(0, until=game.size) if hasattr(one.event, "condition")} == {
            0,
            first,
        }
        assert len(athens.sealed_words()) == 1


class TestMessages:
    def test_message_whose_turn_has_come_arrives_at_once(self, desk: umpire.Desk) -> None:
        """Check that the message neither stops the amendment nor is lost."""
        game = opened(desk)
        athens = game.seat("athens")
        at = athens.order("move", unit="a1", path=["0102"]).position
        athens.send_message(WORDS, ["corinth"], 2)
        next_turn(game)
        amended = game.referee.amend(at, how="drop", why="a slip")
        assert amended.stopped is None
        assert len([one for one in game.seat("corinth").audit(event="message.arrived") if one.counts]) == 1
        assert game.verify().findings == ()


class TestDroppedSeat:
    def test_note_of_dropped_seat_stops_the_amendment(self, desk: umpire.Desk) -> None:
        """Stop, because the record of the note would belong to a seat that does not exist."""
        game = opened(desk)
        at = game.referee.order("take-seat", taker="anna", side="athens").position
        game.seat("anna").note(WORDS, to=["referee"])
        amended = game.referee.amend(at, how="drop", why="a slip")
        assert amended.stopped is not None
        assert (amended.stopped.seat, amended.stopped.rule) == ("anna", "amend")
        assert "anna" in amended.stopped.what
