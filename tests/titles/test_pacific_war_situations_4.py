"""Check situations of Pacific War from the printed page: the end of battle cycles, operations and months."""

import pytest

from tests.face.domain import UnitChanged
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    campaign,
    change,
    cycle,
    literal,
    mark,
    opened,
    operation,
    says,
    until,
)

MARINES = "1st-marine-division"


def activation(*units: str) -> Story:
    """Play Japan's operation to 5.2.M of its first battle cycle."""
    return until(cycle(campaign(), *units), "5.2.M")


# --- 5.2.M to 5.4 -----------------------------------------------------------------------------------------------------


def test_unit_deactivated_in_m_is_not_deactivated_again() -> None:
    """Check 5.2.M [20.5]; a unit of the enemy is not, either."""
    table = activation("chokai", "shokaku")
    table.play(says(JAPAN, "deactivate", units=["chokai"]))
    for units in (["chokai"], [MARINES], ["shokaku", "chokai"]):
        table.when(says(JAPAN, "deactivate", units=units)).then_refused(rule="5.2.M")
    assert table.game.units["shokaku"].get("activated")


@pytest.mark.parametrize(("last", "step"), [(JAPAN, "5.2.A"), (ALLIES, "5.2.A"), ("both", "5.1.O/bid")])
def test_operation_continues_while_either_side_has_units(last: str, step: str) -> None:
    """Check 5.3 [20.5]: no activated unit on either side ends it."""
    table = activation("chokai")
    if last != JAPAN:
        table.play(says(JAPAN, "deactivate", units=["chokai"]))
    if last != ALLIES:
        table.play(says(ALLIES, "deactivate", units=[MARINES]))
    cycle_ = table.game.number("cycle")
    until(table, "5.2.A", "5.1.O/bid")
    assert table.game.cursor.open[0].step == step
    assert last == "both" or table.game.number("cycle") == cycle_ + 1


def test_task_force_of_the_enemy_is_not_turned_over() -> None:
    """Check 5.2.N [32.2]: each player inverts their own."""
    table = change(activation("chokai"), "kido-butai", "detected", True)
    until(table, "5.2.N").when(says(ALLIES, "undetect", task_forces=["kido-butai"])).then_refused(
        "step-of-another-side", rule="5.2.N"
    )
    table.when(says(JAPAN, "undetect", task_forces=["tf-16"])).then_refused("unit-of-another-side", rule="5.2.N [32.2]")
    table.when(says(JAPAN, "undetect", task_forces=["kido-butai"])).then(UnitChanged, attribute="detected", after=False)


@pytest.mark.parametrize(("before", "after", "month"), [(27, 29, 1), (28, 30, 1), (29, 0, 2), (30, 1, 2), (0, 2, 1)])
def test_two_days_end_a_month_from_29_and_30_alone(before: int, after: int, month: int) -> None:
    """Check 5.2.O, 5.4/when."""
    table = mark(activation("chokai"), "day", before)
    until(table, "5.2.A", "5.1.B")
    assert (table.game.number("day"), table.game.number("month")) == (after, month)


def test_operation_suspended_in_o_waits_for_a_to_n() -> None:
    """Check 5.4/suspend: until then no unit moves, fights or is activated; then a new cycle begins."""
    table = mark(activation("chokai"), "day", 29)
    until(table, "5.1.B")
    for order in (
        says(JAPAN, "move", unit="chokai", path=["buin"]),
        says(JAPAN, "deactivate", units=["chokai"]),
        says(JAPAN, "bid", points=1),
    ):
        table.when(order).then_refused("not-allowed-now", rule="5.1.B")
    since = table.tip
    until(table, "5.2.A")
    assert "5.1.O/bid" not in opened(table, since)
    assert (table.game.number("operation"), table.game.number("cycle")) == (1, 2)


@pytest.mark.parametrize("day", [29, 30])
def test_operation_over_on_the_last_days_is_not_claimed(day: int) -> None:
    """Check 5.4/resume/d: the claim belongs to a month that ended in R."""
    table = mark(activation("chokai"), "day", day)
    table.play(says(JAPAN, "deactivate", units=["chokai"]), says(ALLIES, "deactivate", units=[MARINES]))
    since = table.tip
    until(table, "5.1.O/bid")
    assert table.game.number("month") == 2
    assert "5.1.O/claim" not in opened(table, since)
    table.when(says(ALLIES, "claim-operation")).then_refused("not-allowed-now", rule="5.1.O")


@pytest.mark.parametrize(("month", "ended"), [(2, False), (3, True)])
def test_last_month_ends_the_game_with_units_at_sea(month: int, ended: bool) -> None:
    """Check that 5.4/gameend outranks the rules by which an operation resumes."""
    table = mark(activation("chokai"), "month", month)
    mark(table, "day", 30)
    until(table, "5.2.A", "5.1.B")
    assert bool(table.game.ended) is ended


def test_claim_brings_a_free_base_and_a_new_number() -> None:
    """Check 5.4/resume/b, 5.1.O: the new Operation player receives one; no bid limits it."""
    table = operation(literal(), "aoba", bid=4, headquarters="fourth-fleet")
    table.play(says(JAPAN, "remove", unit="aoba", fate="sunk"), says(JAPAN, "advance-day", days=4))
    until(table, "5.1.O/claim").play(says(ALLIES, "claim-operation"))
    assert (table.game.number("operation"), table.game.accounts["osb/allies"]) == (2, 1)
    table.play(says("referee", "undo", why="they bid after all")).then_open("5.1.O/claim")
    assert table.game.accounts.get("osb/allies", 0) == 0
    table.play(says(ALLIES, "done")).then_open("5.1.O/bid-openly")
