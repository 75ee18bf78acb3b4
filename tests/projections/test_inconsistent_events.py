"""Test the check for inconsistent events in logs with correct hashes, and its limits."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.face.desk import drafts_of, open_ledger
from tests.face.domain import (
    AnyEvent,
    Game,
    RestrictedEvent,
    events as e,
)
from tests.face.ledger import VALID, Ledger, Record
from tests.face.projections import (
    MOST,
    Misfit,
    Misfits,
    returns,
    seats_at,
    sees,
)
from tests.face.testing import folder_of, titles
from tests.naming import Naming
from umpire_ledger.ledger import replay_log

REPLAYS = [
    pytest.param(file, id=f"{title.id}/{file.stem}")
    for title in titles()
    for file in sorted((folder_of(title.id) / "replays").glob("*.jsonl"))
]
RED, BLUE = "red", "blue"
OPENING: tuple[AnyEvent, ...] = (
    e.GameOpened(
        game="ford",
        title="nobody-has-it",
        version="1",
        name="The ford",
        sides=(e.Side(id=RED, name="Red"), e.Side(id=BLUE, name="Blue")),
        dice="table",
    ),
    e.UnitPlaced(unit="heron", side=RED, kind="raft", at="bend"),
)


def paid(before: int, amount: int) -> e.AccountChanged:
    return e.AccountChanged(account="coins", amount=amount, before=before, after=before + amount)


@pytest.fixture
def ledger() -> Iterator[Ledger[Game]]:
    """Ledger with a game that another program could have written; events 1 and 2 are its opening."""
    with open_ledger(":memory:", create=True) as ledger:
        write(ledger, *OPENING)
        yield ledger


def write(ledger: Ledger[Game], *told: AnyEvent | RestrictedEvent) -> None:
    """Record one order without any check; its hashes are correct."""
    size = ledger.size("ford")
    ledger.append("ford", after=size, seat="referee", command=f"c{size}", drafts=drafts_of(told, None))


def found(ledger: Ledger[Game], seat: str = "") -> list[Misfit]:
    """Return the findings in the complete game or in its export for a seat; the hashes are correct."""
    state = ledger.state("ford")
    lines = list(ledger.lines("ford"))
    if seat:
        lines = list(replay_log.withheld(lines, lambda one: sees(state, seat, one.position, one.visible_to)))
    assert ledger.verify("ford").verdict == VALID
    watching = Misfits(returns(lines))
    assert list(watching.watch(lines)) == lines
    return watching.findings


def at(*positions: int) -> list[int]:
    return list(positions)


class TestForgedLog:
    def test_inconsistent_balance_is_reported(self, ledger: Ledger[Game]) -> None:
        write(ledger, paid(0, 5), paid(7, 1))
        assert found(ledger) == [Misfit(position=4, what="coins is 5, not 7")]

    def test_forged_balance_has_exactly_one_finding(self, ledger: Ledger[Game]) -> None:
        # One finding for one forged event, not one for each later event.
        write(ledger, paid(7, 1), paid(8, 1))
        assert [one.position for one in found(ledger)] == at(3)

    def test_move_from_another_place_is_reported(self, ledger: Ledger[Game]) -> None:
        write(ledger, e.UnitMoved(unit="heron", path=("sea", "mill")))
        assert [one.what for one in found(ledger)] == [Naming("heron", "bend", "sea")]

    def test_closed_step_or_loop_never_opened_is_reported(self, ledger: Ledger[Game]) -> None:
        write(ledger, e.StepClosed(step="4"), e.LoopClosed(loop="R"))
        assert [one.position for one in found(ledger)] == at(3, 4)

    def test_many_are_counted_and_not_kept(self, ledger: Ledger[Game]) -> None:
        write(ledger, *(paid(7, 1) for _ in range(MOST + 5)))
        lines = list(ledger.lines("ford"))
        watching = Misfits(returns(lines))
        for _ in watching.watch(lines):
            pass
        assert (len(watching.findings), watching.left_out) == (MOST, 5)


class TestRewinds:
    def test_rewind_restores_the_state_before(self, ledger: Ledger[Game]) -> None:
        write(ledger, paid(0, 5))
        write(ledger, e.UnitMoved(unit="heron", path=("bend", "mill")))
        write(ledger, e.PlayRewound(to=2, kind="undo", tip=4))
        write(ledger, paid(0, 1))
        write(ledger, e.UnitMoved(unit="heron", path=("mill", "sea")))
        assert found(ledger) == [Misfit(position=7, what=Naming("heron", "bend", "mill"))]

    def test_position_returned_to_repeatedly_is_consistent(self, ledger: Ledger[Game]) -> None:
        for _ in range(3):
            write(ledger, paid(0, 5))
            write(ledger, paid(5, 5))
            write(ledger, e.PlayRewound(to=2, kind="undo", tip=ledger.size("ford")))
        assert found(ledger) == []

    def test_redo_to_an_abandoned_branch_is_consistent(self, ledger: Ledger[Game]) -> None:
        write(ledger, paid(0, 5))
        write(ledger, paid(5, 5))
        write(ledger, e.PlayRewound(to=2, kind="undo", tip=4))
        write(ledger, e.PlayRewound(to=4, kind="redo", tip=5))
        write(ledger, paid(10, 5))
        assert found(ledger) == []

    def test_rewind_that_follows_another_record_is_reported(self, ledger: Ledger[Game]) -> None:
        write(ledger, paid(0, 5))
        write(ledger, paid(5, 5))
        back = drafts_of((e.PlayRewound(to=2, kind="undo", tip=4),), None)[0]
        draft = type(back)(event=back.event, follows=3)
        ledger.append("ford", after=4, seat="referee", command="back", drafts=[draft])
        assert [one.what for one in found(ledger)] == [Naming("#2", "#3")]

    def test_cached_states_do_not_grow_with_the_log(self, ledger: Ledger[Game]) -> None:
        for _ in range(20):
            write(ledger, paid(0, 5))
            write(ledger, paid(5, 5))
            size = ledger.size("ford")
            write(ledger, e.PlayRewound(to=size - 2, kind="undo", tip=size))
        lines = list(ledger.lines("ford"))
        watching = Misfits(returns(lines))
        assert max(len(watching._kept) for _ in watching.watch(lines)) == 1


class TestWithheldRecords:
    def test_withheld_record_may_explain_a_later_one(self, ledger: Ledger[Game]) -> None:
        write(ledger, RestrictedEvent(paid(0, 5), (RED, "referee")), paid(5, 1))
        assert found(ledger) == found(ledger, RED) == found(ledger, BLUE) == []

    def test_event_inconsistent_in_itself_is_reported(self, ledger: Ledger[Game]) -> None:
        wrong = e.AccountChanged(account="coins", amount=1, before=5, after=9)
        write(ledger, RestrictedEvent(paid(0, 5), (RED, "referee")), wrong, e.StepClosed(step="4"))
        assert [one.position for one in found(ledger, BLUE)] == at(4, 5)

    def test_rewind_before_a_withheld_record_restores_checks(self, ledger: Ledger[Game]) -> None:
        write(ledger, paid(0, 1))
        write(ledger, RestrictedEvent(paid(1, 5), (RED, "referee")))
        write(ledger, e.PlayRewound(to=3, kind="undo", tip=4))
        write(ledger, paid(7, 1))
        assert [one.position for one in found(ledger, BLUE)] == at(6)


class TestUnreadableEvents:
    LINE = b'{"position":3,"at":"","seat":"referee","command":"c","event":{"type":"unit.beamed","unit":"heron"}}'

    def test_event_of_unknown_type_is_reported(self) -> None:
        watching = Misfits(returns([self.LINE]))
        assert list(watching.watch([self.LINE])) == [self.LINE]
        assert [one.position for one in watching.findings] == at(3)
        assert watching.findings[0].what == Naming("unit.beamed")

    @pytest.mark.parametrize("line", [b'{"position":', b'{"position":"#3"}', b"", b"\xff", b'{"position":1,"\xff":0}'])
    def test_damaged_line_is_not_reported_here(self, line: bytes) -> None:
        watching = Misfits(returns([line]))
        assert list(watching.watch([line])) == [line]
        assert watching.findings == []


@pytest.mark.parametrize("file", REPLAYS)
def test_recorded_game_has_no_findings_for_any_seat(file: Path) -> None:
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        game = replay_log.read_into(ledger, stream)
        state = ledger.state(game)
        for seat in ("", *seats_at(state)):

            def see(record: Record, seat: str = seat) -> bool:
                return not seat or sees(state, seat, record.position, record.visible_to)

            lines = list(replay_log.withheld(ledger.lines(game), see))
            watching = Misfits(returns(lines))
            assert list(watching.watch(lines)) == lines
            assert watching.findings == [], seat
