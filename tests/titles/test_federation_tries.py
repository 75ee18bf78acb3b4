"""Check that an order of a whole Federation & Empire game with one thing wrong is refused.

Each story covers the labels of the page that cite it (`cells/federation-and-empire.md`). The test also requires its
twin, an order that was accepted there.
"""

import pytest

from tests.at_least_one import at_least_one
from tests.titles.federation_cells import citing
from tests.titles.federation_tries import Wrong, rounds, tried


def all_refused(label: str, *wrongs: Wrong, rule: bool = True) -> None:
    """Check that orders were accepted at the label, and all wrong ones refused, with a remedy.

    With `rule`, the refusals must cite the label's own number.
    """
    orders = tried()[label]
    assert any(not one.wrong for one in orders)
    for one in at_least_one(one for one in orders if one.wrong in wrongs):
        assert one.refused is not None, f"{one.game}: accepted at {label}: {one.line}"
        assert one.refused.remedy, f"{one.line}: {one.refused}"
        assert not rule or label in one.refused.rule, f"{one.line}: {one.refused.rule}"


class TestNobodyElse:
    """Another side gives the very order at that moment."""

    @pytest.mark.parametrize("label", citing("TestNobodyElse"))
    def test_gives_it(self, label: str) -> None:
        all_refused(label, "seat", "stranger")


class TestWhoIsNotThere:
    """A side without a unit in the battle hex has no question and no answer in any step of it."""

    @pytest.mark.parametrize("label", citing("TestWhoIsNotThere"))
    def test_is_not_asked(self, label: str) -> None:
        all_refused(label, "stranger")


class TestFromElsewhere:
    """A unit of the own side in another hex."""

    @pytest.mark.parametrize("label", citing("TestFromElsewhere"))
    def test_units_take_no_part(self, label: str) -> None:
        all_refused(label, "elsewhere")


class TestHexByHex:
    """A path that continues to a hex not adjacent to its last one."""

    @pytest.mark.parametrize("label", citing("TestHexByHex"))
    def test_gap_is_refused(self, label: str) -> None:
        all_refused(label, "gap")


class TestOthersUnits:
    """A unit of another side in place of one of the own side."""

    @pytest.mark.parametrize("label", citing("TestOthersUnits"))
    def test_are_not_named(self, label: str) -> None:
        all_refused(label, "enemy")


class TestOutOfPlay:
    """A unit of the own side that is destroyed, or has left play in another way."""

    @pytest.mark.parametrize("label", citing("TestOutOfPlay"))
    def test_units_are_not_named(self, label: str) -> None:
        all_refused(label, "gone")


class TestOnceOnly:
    """An accepted order, given again."""

    @pytest.mark.parametrize("label", citing("TestOnceOnly"))
    def test_repeated_order_is_refused(self, label: str) -> None:
        all_refused(label, "again", rule=False)


class TestOtherWords:
    """An answer that the page does not print."""

    @pytest.mark.parametrize("label", citing("TestOtherWords"))
    def test_are_not_answers(self, label: str) -> None:
        all_refused(label, "answer")


class TestThePurse:
    """More EPs than the treasury holds."""

    @pytest.mark.parametrize("label", citing("TestThePurse"))
    def test_spending_is_limited_by_the_treasury(self, label: str) -> None:
        all_refused(label, "dear")


class TestRoundAfterRound:
    """A step of the battle's rounds opens again in a later round of the same hex."""

    @pytest.mark.parametrize("label", citing("TestRoundAfterRound"))
    def test_step_comes_again(self, label: str) -> None:
        assert any(battle.count(label) > 1 for battle in rounds())
