"""Two clients give an order under one id at the same moment: each decides on the same game before either records."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.desk.game import FORD, coded
from tests.face.desk import (
    GameSession,
    open_ledger,
    open_session,
    play_lines,
)
from tests.face.projections import refusals

RAISE = {"as": "red", "order": "pay", "account": "points/red", "amount": 1}
NOTE = {"as": "blue", "order": "note", "text": "blue was here"}


@pytest.fixture
def clients(place: str) -> Iterator[tuple[GameSession, GameSession]]:
    """Two clients of one game, each with a ledger of its own, that have seen the same records."""
    with umpire.open(place) as desk:
        desk.new_from_text("freeform", FORD, id="ford", dice="table")
    with open_ledger(place) as one, open_ledger(place) as other:
        yield open_session(one, "ford"), open_session(other, "ford")


def note(text: str, **more: Any) -> dict[str, Any]:
    return {"as": "red", "order": "note", "text": text, **more}


def at_once(first: GameSession, one: Mapping[str, Any], second: GameSession, other: Mapping[str, Any]) -> list[Any]:
    """Give two orders of which the first is recorded when the second is decided and not yet recorded."""
    append, answers = second.ledger.append_many, []

    def append_late(*args: Any, **more: Any) -> Any:
        if not answers:
            answers.append(first.order(one))
        return append(*args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(second.ledger, "append_many", append_late)
        answers.append(second.order(other))
    return answers


class TestTwoOrders:
    def test_second_order_is_refused_as_in_sequence(self, clients: tuple[GameSession, GameSession]) -> None:
        first, second = clients
        with pytest.raises(umpire.Refused) as raced:
            at_once(first, note("one", id="n"), second, note("two", id="n"))
        with pytest.raises(umpire.Refused) as in_sequence:
            first.order(note("two", id="n"))
        assert vars(raced.value) == vars(in_sequence.value)
        assert raced.value.rule == "command ids"

    def test_refused_order_leaves_no_state(self, clients: tuple[GameSession, GameSession]) -> None:
        """Otherwise the next order records a value that no event has set."""
        first, second = clients
        with pytest.raises(umpire.Refused):
            at_once(first, note("one", id="n"), second, {**RAISE, "id": "n"})
        second.order({**RAISE, "id": "m"})
        assert second.game.accounts["points/red"] == 1
        assert second.game == second.ledger.state("ford")

    def test_refusal_log_has_the_refused_order(self, clients: tuple[GameSession, GameSession]) -> None:
        first, second = clients
        with pytest.raises(umpire.Refused):
            at_once(first, note("one", id="n"), second, note("two", id="n"))
        (refused,) = refusals(second.ledger, "ford", "referee")
        assert json.loads(refused.text) == note("two", id="n")

    def test_order_of_another_seat_is_refused(self, clients: tuple[GameSession, GameSession]) -> None:
        first, second = clients
        with pytest.raises(umpire.Refused):
            at_once(first, note("one", id="n"), second, {**note("one", id="n"), "as": "blue"})


class TestSameOrder:
    def test_second_client_gets_the_first_answer(self, clients: tuple[GameSession, GameSession]) -> None:
        first, second = clients
        recorded, again = at_once(first, {**RAISE, "id": "n"}, second, {**RAISE, "id": "n"})
        assert (recorded.repeated, again.repeated) == (False, True)
        assert again.records == recorded.records
        assert first.game == again.game == second.ledger.state("ford")
        assert (first.recorded, second.recorded, len(second.overtaken)) == (1, 0, 1)

    def test_amendment_gets_the_first_answer(self, clients: tuple[GameSession, GameSession]) -> None:
        first, second = clients
        at = first.order(RAISE).records[-1].position
        second.refresh()
        drop = {"as": "referee", "order": "amend", "at": at, "how": "drop", "why": "misread", "id": "a"}
        recorded, again = at_once(first, drop, second, drop)
        assert (again.repeated, again.records) == (True, recorded.records)
        assert second.order(NOTE).game == second.ledger.state("ford")

    def test_answer_after_the_newest_seen_record_shows_the_game_now(
        self, clients: tuple[GameSession, GameSession]
    ) -> None:
        first, second = clients
        first.order({**RAISE, "id": "n"})
        assert second.order({**RAISE, "id": "n"}).game == first.game


class TestBatch:
    """Orders of a file are recorded together; another client has used ids of theirs meanwhile."""

    @pytest.fixture
    def file(self, clients: tuple[GameSession, GameSession]) -> GameSession:
        return open_session(clients[1].ledger, "ford", batch=16)

    def test_same_orders_are_answered_and_counted_apart(
        self, clients: tuple[GameSession, GameSession], file: GameSession
    ) -> None:
        for client in (file, clients[0]):
            for n in range(3):
                client.order(note(str(n), id=f"n{n}"))
        file.flush()
        assert (file.recorded, len(file.overtaken)) == (0, 3)
        assert file.game == clients[0].game

    def test_different_order_is_refused(self, clients: tuple[GameSession, GameSession], file: GameSession) -> None:
        for text, client in (("one", file), ("two", clients[0])):
            client.order(note("same", id="n0"))
            client.order(note(text, id="n1"))
        with pytest.raises(umpire.Refused, check=coded("order-id-used")):
            file.flush()
        assert file.order(RAISE).game.accounts["points/red"] == 1

    def test_known_and_new_ids_record_none_of_the_batch(
        self, clients: tuple[GameSession, GameSession], file: GameSession
    ) -> None:
        # The orders are not lost silently: the caller gets a conflict, and gives them again.
        for n in range(3):
            file.order(note("two", id=f"n{n}"))
        size = clients[0].order(note("one", id="n1")).records[-1].position
        with pytest.raises(umpire.PositionConflict):
            file.flush()
        assert (file.ledger.size("ford"), file.recorded) == (size, 0)
        file.order(note("two", id="n0"))
        with pytest.raises(umpire.Refused, check=coded("order-id-used")):
            file.order(note("two", id="n1"))

    def test_file_names_the_line_of_the_used_id(self, clients: tuple[GameSession, GameSession]) -> None:
        """Name the order in question, not the newest line of the batch that was given to the store."""
        ledger, lines = clients[1].ledger, [(n, note(str(n), id=f"n{n}")) for n in (1, 2, 3)]
        append = ledger.append_many

        def append_late(*args: Any, **more: Any) -> Any:
            for n, text in ((1, "1"), (2, "another"), (3, "3")):
                clients[0].order(note(text, id=f"n{n}", entered_by="referee"))
            return append(*args, **more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ledger, "append_many", append_late)
            with pytest.raises(umpire.Refused) as refused:
                play_lines(ledger, "ford", lines, "evening.jsonl")
        assert re.match(r"evening\.jsonl\b.* 2\b", refused.value.where)
