"""Check that two logs that differ only in a secret show every other seat the same bytes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    CLOSED_TO_REFEREE,
    SPECTATOR,
    ChoiceMade,
    DiceRolled,
    Game,
    NoteAdded,
    RestrictedEvent,
    UnitPlaced,
    fold,
)
from tests.face.projections import (
    HIDDEN,
    Filter,
    audit_lines,
    decode,
    fresh_turn_view,
    looked,
    record_read_mark,
    rolls,
    sees,
    undo_points,
    units,
)
from tests.projections.table import BLUE, LESSON, RED, Table

Tell = Callable[[str], Table]


def hidden_fleet(folder: Path, secret: str) -> Table:
    """Return a game in which Red hides a plan, a roll, a unit and a note; `secret` is their content."""
    folder.mkdir()
    table = Table(folder, LESSON)
    table.play("referee", "take-seat", taker="anna", side=RED).play(RED, "seal-choice", question="plan", choice=secret)
    eyes = (RED, "referee")
    pips = (1, 2) if secret == "north" else (6, 6)
    table.lay_down(
        RestrictedEvent(DiceRolled(roll=1, purpose=secret, dice="2d6", pips=pips, total=sum(pips), rule=secret), eyes),
        RestrictedEvent(UnitPlaced(unit=f"red-{secret}", side=RED, kind="galley", at=secret), eyes),
        RestrictedEvent(
            NoteAdded(text=f"we go {secret}") if secret == "north" else ChoiceMade(question="x", side=RED, choice=1),
            eyes,
        ),
        seat=RED,
    )
    table.play(BLUE, "seal-choice", question="plan", choice="hold").play(BLUE, "done")
    return table.play("referee", "note", text="the sun is up").follow()


def everything(table: Table, seat: str) -> bytes:
    """Return all that a seat can get from the read models."""
    ask = table.views.connection
    searches = [
        Filter(all_lines=True),
        Filter(text="north"),
        Filter(text="south"),
        Filter(dice=True),
        Filter(rule="north"),
    ]
    return msgspec.json.encode(
        [
            fresh_turn_view(table.path, "g", seat),
            table.views.turn_view("g", seat),
            [list(audit_lines(ask, "g", seat, wanted)) for wanted in searches],
            list(audit_lines(ask, "g", seat, Filter(unit="red-north"))),
            undo_points(ask, "g", seat),
            rolls(ask, "g", seat),
            units(ask, "g", seat),
        ]
    )


@pytest.mark.parametrize("seat", [BLUE, SPECTATOR, "somebody"])
def test_secret_of_red_makes_no_difference_to_others(tmp_path: Path, seat: str) -> None:
    north, south = hidden_fleet(tmp_path / "north", "north"), hidden_fleet(tmp_path / "south", "south")
    assert everything(north, seat) == everything(south, seat)
    assert b"red-north" not in everything(north, seat)
    north.close()
    south.close()


@pytest.mark.parametrize("seat", [RED, "anna", "referee"])
def test_secret_is_visible_to_the_seats_of_its_side(tmp_path: Path, seat: str) -> None:
    table = hidden_fleet(tmp_path / "north", "north")
    assert "red-north" in [unit["id"] for unit in units(table.views.connection, "g", seat)]
    assert [roll.purpose for roll in rolls(table.views.connection, "g", seat)] == ["north"]
    assert [line.event for line in audit_lines(table.views.connection, "g", seat, Filter(text="red-north"))]
    table.close()


def test_hidden_record_shows_only_its_existence(tmp_path: Path) -> None:
    table = hidden_fleet(tmp_path / "north", "north")
    hidden = [line for line in audit_lines(table.views.connection, "g", BLUE) if line.event == HIDDEN]
    assert {line.seat for line in hidden} == {"referee", RED}
    for line in hidden:
        assert (line.rule, line.dice, line.cause, line.units) == ("", "", None, ())
        assert line.visible_to is not None
        assert BLUE not in line.visible_to
    table.close()


def test_seed_is_hidden_until_its_reveal(lesson: Table) -> None:
    lesson.follow()
    seed = Filter(event="dice.seeded")
    for seat in ("referee", RED, SPECTATOR):
        assert list(audit_lines(lesson.views.connection, "g", seat, seed)) == []
        assert lesson.views.known_to("g", seat).seed == ""
    lesson.play("referee", "end", reason="dawn").play("referee", "open-dice").follow()
    assert [line.seat for line in audit_lines(lesson.views.connection, "g", SPECTATOR, seed)] == ["referee"]


def test_game_can_be_closed_to_the_referee() -> None:
    closed = Game(options={CLOSED_TO_REFEREE: True})
    assert not sees(closed, "referee", 1, (RED,))
    assert sees(closed, "referee", 1, (RED, "referee"))
    assert sees(Game(), "referee", 1, (RED,))
    assert not sees(Game(), "referee", 1, ())


def naive(table: Table, seat: str, at: int) -> Game:
    """Return the game as a seat knows it, by reading each line of the ledger and checking its visibility."""
    now = table.ledger.state("g")
    seen = map(decode, table.ledger.branch_bytes("g", at))
    told = [one for one in seen if sees(now, seat, one.position, one.visible_to)]
    return fold(Game(), [one.event for one in told if one.event is not None])


def test_known_state_at_each_position_is_fold_of_visible_records(table: Table) -> None:
    """Use a game long enough for snapshots, with a secret every few records and a rewind in the middle."""

    def secret_and_open(number: int) -> tuple[Any, ...]:
        hidden = UnitPlaced(unit=f"red-{number}", side=RED, kind="ship", at="0101")
        return RestrictedEvent(hidden, (RED, "referee")), NoteAdded(text=f"order {number}")

    for number in range(10):
        table.lay_down(*(one for more in range(60) for one in secret_and_open(1000 * number + more)))
        table.follow()
        if number == 6:
            table.play("referee", "rewind", to=table.size - 240, why="from there")
    assert table.views.connection.execute("SELECT count(*) FROM snapshot").fetchone()[0] > 0
    for at in (5, 400, 841, table.size - 1, table.size):
        for seat in (RED, BLUE, "referee"):
            assert table.views.known_to("g", seat, at) == naive(table, seat, at), (seat, at)


def test_since_a_seat_last_looked(file_table: Table) -> None:
    table = file_table
    table.play(RED, "move", unit="red-1", path=["0102"]).follow()
    record_read_mark(table.views.connection, "g", BLUE, table.size)
    table.play(RED, "seal-choice", question="plan", choice="north").play(
        BLUE, "pay", account="vp/red", amount=1
    ).follow()
    view = fresh_turn_view(table.path, "g", BLUE)
    assert view is not None
    assert [line["text"] for line in view["since"]] == [
        "Red makes a secret choice for plan",
        "Blue changes vp/red by 1: vp/red 0 → 1",
    ]
    assert looked(table.views.connection, "g", RED) == 0
