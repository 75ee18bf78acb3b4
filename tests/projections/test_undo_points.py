"""Test undo points: the positions to which a referee can return, and the orders that each return would undo."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, strategies as st

from tests.at_least_one import at_least_one
from tests.examples import examples
from tests.face.domain import (
    ChoiceRevealed,
    DiceRolled,
    LineSealed,
    PlayRewound,
    RuleViolation,
)
from tests.face.projections import (
    NOT_PLAY_TAGS,
    UndoPoint,
    VisibleRecord,
    decode,
    undo_points,
)
from tests.projections.table import BLUE, RED, Table, rows


def points(table: Table, seat: str = "referee") -> list[UndoPoint]:
    return undo_points(table.follow().views.connection, "g", seat)


class TestWithSequence:
    def test_points_are_one_per_resting_step_newest_first(self, lesson: Table) -> None:
        """Expect no undo point for step 2, which is automatic and ends at once."""
        opening = lesson.size
        for side in (RED, BLUE):
            lesson.play(side, "seal-choice", question="plan", choice="north").play(side, "done")
        closed = lesson.size
        lesson.play(RED, "pick", member="0202")
        found = [(point.step, point.position, point.where.rpartition(" · ")[2]) for point in points(lesson)]
        assert found == [
            ("3.1", lesson.size, "Red"),
            ("3", closed, "Red"),
            ("1", opening, "Red and Blue"),
        ]

    def test_point_has_what_a_return_would_undo(self, lesson: Table) -> None:
        for side in (RED, BLUE):
            lesson.play(side, "seal-choice", question="plan", choice="north").play(side, "done")
        lesson.play(RED, "pick", member="0202").play(RED, "roll", dice="1d6", purpose="boarding")
        lesson.play("referee", "note", text="ouch")
        lesson.lay_down(LineSealed(seat="anna", position=lesson.size), seat="anna")
        fight, battles, plans = points(lesson)
        assert (fight.orders, fight.rolls, fight.reveals, fight.seals, fight.seats) == (1, 1, 0, 1, ("anna", RED))
        assert (battles.orders, battles.rolls) == (2, 1)
        assert (plans.orders, plans.seats) == (6, ("anna", BLUE, RED))

    def test_return_to_each_point_is_possible_and_exact(self, lesson: Table) -> None:
        for side in (RED, BLUE):
            lesson.play(side, "seal-choice", question="plan", choice="north").play(side, "done")
        lesson.play(RED, "pick", member="0202").play(RED, "done", answer="stand")
        for point in at_least_one(points(lesson)[1:]):
            lesson.play("referee", "rewind", to=point.position, why="to look")
            assert lesson.ledger.state("g").where == point.where
            assert points(lesson)[0].position == point.position
            lesson.play("referee", "redo")

    def test_end_of_the_game_is_an_undo_point(self, lesson: Table) -> None:
        lesson.play("referee", "end", reason="dawn")
        newest = points(lesson)[0]
        assert (newest.step, newest.position) == ("", lesson.size)


class TestWithoutSequence:
    def test_every_order_is_a_point_but_talk_is_none(self, table: Table) -> None:
        table.play(RED, "pay", account="vp/red", amount=1)
        paid = table.size
        table.play("referee", "note", text="paid")
        assert [point.position for point in points(table)] == [paid, paid - 1]

    def test_limited_points_are_the_newest(self, table: Table) -> None:
        for _ in range(5):
            table.play(RED, "pay", account="vp/red", amount=1)
        every = points(table)
        assert undo_points(table.views.connection, "g", RED, limit=2) == every[:2]


ORDERS = st.one_of(
    st.sampled_from(
        [
            (RED, "pay", {"account": "vp/red", "amount": 1}),
            (BLUE, "roll", {"purpose": "a storm"}),
            (RED, "seal-choice", {"question": "plan", "choice": "north"}),
            (RED, "reveal", {"question": "plan"}),
            (BLUE, "note", {"text": "hm"}),
            (RED, "undo", {}),
            ("referee", "undo", {"why": "a slip", "orders": 2}),
            ("referee", "redo", {}),
        ]
    ),
    st.integers(1, 40).map(lambda to: ("referee", "rewind", {"to": to, "why": "from there"})),
)


def by_hand(table: Table) -> list[UndoPoint]:
    """Return the undo points of a game without steps, computed only from the ledger's own branch."""
    orders: list[list[VisibleRecord]] = []
    for record in map(decode, table.ledger.branch_bytes("g")):
        if record.prior is not None:
            orders.append([])
        orders[-1].append(record)
    found: list[UndoPoint] = []
    for at, order in enumerate(orders):
        if str(type(order[0].event).__struct_config__.tag) in NOT_PLAY_TAGS:
            continue
        behind = orders[at + 1 :]
        events = [record.event for later in behind for record in later]
        acts = [later for later in behind if str(type(later[0].event).__struct_config__.tag) not in NOT_PLAY_TAGS]
        found.append(
            UndoPoint(
                position=order[-1].position,
                opened=order[-1].position,
                turn=0,
                step="",
                name="",
                where=table.ledger.state("g", order[-1].position).where,
                orders=len(acts),
                rolls=sum(isinstance(event, DiceRolled) for event in events),
                reveals=sum(isinstance(event, ChoiceRevealed) for event in events),
                seals=sum(isinstance(event, LineSealed) for event in events),
                seats=tuple(sorted({later[0].seat for later in acts})),
            )
        )
    return found[::-1]


@examples(25)
@given(st.lists(ORDERS, max_size=25), st.integers(1, 4))
def test_points_after_undo_redo_and_rewind_are_of_the_branch(
    orders: list[tuple[str, str, dict[str, Any]]], every: int
) -> None:
    with TemporaryDirectory() as folder:
        table = Table(Path(folder))
        for number, (seat, order, arguments) in enumerate(orders):
            try:
                table.play(seat, order, **arguments)
            except RuleViolation:
                continue
            if number % every == 0:
                table.follow()
        assert points(table) == by_hand(table)
        trail = table.views.connection.execute("SELECT position, event, counts FROM audit ORDER BY position").fetchall()
        branch = table.ledger.branch("g")
        said = {position for position, event, _ in trail if event == "note.added"}
        assert [position for position, _, counts in trail if counts] == sorted({*branch, *said})
        followed = rows(table.views)
        table.views.rebuild("g")
        assert rows(table.views) == followed
        table.close()


def test_not_play_tags_are_the_tags_of_their_events() -> None:
    assert str(PlayRewound.__struct_config__.tag) in NOT_PLAY_TAGS
