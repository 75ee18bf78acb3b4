"""5-8B to 5-8E: the pursuit die that was thrown counts, and a failed pursuit keeps its force secret."""

from typing import Any

import pytest

from tests.face.domain import ChoiceRevealed, DiceRolled, Game, RestrictedEvent, federation_and_empire_TITLE as TITLE
from tests.face.projections import sentence
from tests.titles.federation_table import War, battle, ship
from tests.titles.test_federation_pursuit import CC, D7, DD, F5, FF, SLOW, passed, pursued, who
from umpire_ledger.kit import names_in

A, C = "alliance", "coalition"
TABLE = {"dice": "1d6", "source": "made up for a test", "rows": {"3 or less": "failure", "4 or more": "success"}}
BOOK = {"dice": "1d6", "by_the_book": "the group's own chart"}
NUMBERS = {"pursuit-fast": {"value": 1, "source": "made up for a test"}}


def rolled(*pips: int, table: dict[str, Any] | None = TABLE, **order: Any) -> War:
    """Roll the pursuit die, and end 5-8B for its owner."""
    more = {"tables": {"pursuit": table}} if table else {}
    table_ = pursued(D7, CC, FF, **more).says(A, "seal-pursuit", units=["Z-CC"]).to("5-8B")
    return table_.says(A, "roll-pursuit", *pips, **order).done(A)


def announced(table: War) -> str:
    return table.closed("5-8C").answer


def trail(table: War, seat: str = A) -> str:
    """Return the sentence of the last order as a seat reads it."""
    events = [
        one.event if isinstance(one, RestrictedEvent) else one
        for one in table.story.told
        if not isinstance(one, RestrictedEvent) or seat in one.visible_to
    ]
    return sentence(TITLE, table.game, A, {"order": "done"}, events)


def shown(table: War) -> set[str]:
    """Return the steps opened by the order that ended 5-8C."""
    return {event.question for event in table.story.events if isinstance(event, ChoiceRevealed)}


class Test58CDieCounts:
    """302.8: the table of the scenario sets the result, and players do not state another."""

    @pytest.mark.parametrize(("pips", "result"), [(1, "failure"), (3, "failure"), (4, "success"), (6, "success")])
    def test_result_of_the_table_is_announced(self, pips: int, result: str) -> None:
        """Federation & Empire 5-8B, 5-8C."""
        table = rolled(pips)
        assert announced(table) == result
        assert table.open == (("5-8D",) if result == "success" else ("5-8E",))

    def test_stated_number_binds_the_result(self) -> None:
        assert announced(rolled(4, table=None, at_least=5)) == "failure"
        assert announced(rolled(5, table=None, at_least=5)) == "success"

    def test_modifiers_of_the_rules_count(self) -> None:
        fast = ship("Z-FAST", "kzinti", "1105", "fast")
        table = pursued(D7, CC, fast, tables={"pursuit": TABLE}, numbers=NUMBERS)
        table.to("5-8B").says(A, "roll-pursuit", 3, modifiers=[]).done(A)
        assert announced(table) == "success"

    def test_chart_of_the_group_is_read_once(self) -> None:
        """Dice of the table: the group reads its chart with the roll."""
        read = {"outcome": "failure", "source": "the group's own chart"}
        table = rolled(6, table=BOOK, by_the_book=read)
        assert announced(table) == "failure"

    def test_chart_of_the_group_may_be_read_after_the_roll(self) -> None:
        table = pursued(D7, CC, tables={"pursuit": BOOK}).to("5-8B").says(A, "roll-pursuit", 6)
        table.tries(A, "done").then_refused("orders-required", rule="5-8B")
        read = {"outcome": "failure", "source": "the group's own chart"}
        table.says(A, "roll-pursuit", by_the_book=read).done(A)
        assert announced(table) == "failure"

    def test_without_a_number_the_pursuer_announces_it_once(self) -> None:
        table = rolled(4, table=None)
        assert table.open == ("5-8C",)
        table.done(A, answer="success").tries(A, "roll-pursuit", 4).then_refused("wait-for-side", rule="5-8D")

    def test_second_die_is_refused(self) -> None:
        table = pursued(D7, CC, tables={"pursuit": TABLE}).to("5-8B").says(A, "roll-pursuit", 1)
        table.tries(A, "roll-pursuit", 6).then_refused("pursuit-rolled-already", rule="5-8B")

    def test_die_stays_secret_until_it_is_opened(self) -> None:
        table = pursued(D7, CC, tables={"pursuit": TABLE}).to("5-8B").says(A, "roll-pursuit", 5)
        told = [one for one in table.story.told if isinstance(one, RestrictedEvent)]
        assert {type(one.event) for one in told} >= {DiceRolled}
        assert all(C not in one.visible_to for one in told)


class Test58CSaid:
    """The audit trail says the result in 5-8C, and in 5-8E the die that it is verified by."""

    @pytest.mark.parametrize("seat", [A, C])
    def test_success_is_said_without_the_die(self, seat: str) -> None:
        table = rolled(4)
        assert "the pursuit succeeds" in trail(table, seat)
        assert "on a 4" not in trail(table, seat)

    @pytest.mark.parametrize("seat", [A, C])
    def test_die_of_a_success_is_said_when_it_is_opened(self, seat: str) -> None:
        table = rolled(4).says(C, "stand", units=["K-D7"]).done(C)
        assert table.open == ("5-8E",)
        assert "the pursuit succeeds on a 4" in trail(table, seat)

    @pytest.mark.parametrize("seat", [A, C])
    def test_failure_is_said_with_its_die(self, seat: str) -> None:
        assert "the pursuit fails on a 3" in trail(rolled(3), seat)

    def test_result_is_forgotten_with_the_battle(self) -> None:
        table = rolled(3)
        assert (table.game.markers["pursuit"], table.game.markers["pursuit verified"]) == ("failure", "3")
        assert {"pursuit", "pursuit verified"}.isdisjoint(table.to("6A").game.markers)


class Test58EFailed:
    """A8: after a failure the pursuit force is not revealed."""

    def failed(self, *slow: str) -> War:
        table = pursued(D7, SLOW, F5, CC, FF, DD)
        table.says(A, "seal-escorts", groups=["Z-CC: Z-FF"]).says(A, "seal-pursuit", units=["Z-CC"], slow=list(slow))
        return table.to("5-8C").done(A, answer="failure")

    def test_failed_pursuit_keeps_its_force_secret(self) -> None:
        """Federation & Empire 5-8C, 5-8E."""
        table = self.failed("Z-DD")
        assert {"pursuit die", "slow pursuit"} <= shown(table)
        assert shown(table).isdisjoint({"pursuit", "escorts"})
        assert "Z-FF" not in grouped_units(table.game)

    def test_failed_pursuit_fights_slow_units_with_their_force(self) -> None:
        table = self.failed("Z-DD").done(A).to("5-4C4")
        assert who(table) == {"K-SLOW", "Z-DD"}
        assert passed(table, "5-8F")

    def test_groups_of_the_slow_force_are_opened(self) -> None:
        table = pursued(D7, SLOW, CC, FF, DD).says(A, "seal-escorts", groups=["Z-DD: Z-FF"])
        table.says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-DD", "Z-FF"]).to("5-8C").done(A, answer="failure")
        assert grouped_units(table.game) == {"Z-DD", "Z-FF"}

    def test_units_of_the_failed_force_do_not_join_the_slow_one(self) -> None:
        table = battle(D7, SLOW, F5, CC, FF, DD).to("5-3C").says(C, "seal-escorts", groups=["K-SLOW: K-F5"])
        table.to("5-7A1").done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay")
        table.done(A, answer="pursue").says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-DD"]).to("5-8C")
        both = table.done(A, answer="failure").tries(A, "add-slow", units=["Z-CC"])
        both.then_refused("in-a-pursuit-force", rule="302.742", unit="Z-CC")

    def test_groups_sealed_for_a_failed_pursuit_do_not_return(self) -> None:
        """Leave a base, so that in the next round the pursuer has the open groups."""
        table = self.failed("Z-DD").done(A).to("5-8L")
        assert not [one for one in names_in(table.game, "sealed") if "escorts" in one or "pursuit" in one]
        assert not [one for one in table.game.choices.values() if one.question == "escorts" and one.sealed]


def grouped_units(game: Game) -> set[str]:
    return {unit.id for unit in game.units.values() if unit.side == A and unit.get("group") is not None}
