"""Federation & Empire at every order of whole games: the same order, wrong in one way, is refused.

Each story is told of the labels of the page that cite it (`cells/federation-and-empire.md`). Its twin, an order that
was accepted there, is asked for too.
"""

import pytest

from tests.at_least_one import at_least_one
from tests.titles.federation_cells import citing
from tests.titles.federation_tries import Wrong, rounds, tried


def all_refused(label: str, *wrongs: Wrong, rule: bool = True) -> None:
    """Orders were accepted at the label, and all that were wrong in these ways were refused, with a remedy.

    `rule`: under the label's own number.
    """
    orders = tried()[label]
    assert any(not one.wrong for one in orders)
    for one in at_least_one(one for one in orders if one.wrong in wrongs):
        assert one.refused is not None, f"{one.game}: accepted at {label}: {one.line}"
        assert one.refused.remedy, f"{one.line}: {one.refused}"
        assert not rule or label in one.refused.rule, f"{one.line}: {one.refused.rule}"


class TestNobodyElse:
    """Who says it: the very order, given at that moment by another side."""

    @pytest.mark.parametrize("label", citing("TestNobodyElse"))
    def test_gives_it(self, label: str) -> None:
        all_refused(label, "seat", "stranger")


class TestWhoIsNotThere:
    """Where: a side that has had no unit in the battle hex is asked nothing, and says nothing, in any step of it."""

    @pytest.mark.parametrize("label", citing("TestWhoIsNotThere"))
    def test_is_not_asked(self, label: str) -> None:
        all_refused(label, "stranger")


class TestFromElsewhere:
    """Where: a unit of one's own that stands in another hex."""

    @pytest.mark.parametrize("label", citing("TestFromElsewhere"))
    def test_units_take_no_part(self, label: str) -> None:
        all_refused(label, "elsewhere")


class TestHexByHex:
    """Where: a path that goes on to a hex which is not beside its last one."""

    @pytest.mark.parametrize("label", citing("TestHexByHex"))
    def test_gap_is_refused(self, label: str) -> None:
        all_refused(label, "gap")


class TestOthersUnits:
    """Who is in: a unit of another side in place of one's own."""

    @pytest.mark.parametrize("label", citing("TestOthersUnits"))
    def test_are_not_named(self, label: str) -> None:
        all_refused(label, "enemy")


class TestOutOfPlay:
    """Who is in, gone afterwards: a unit of one's own that is destroyed, or has left play in another way."""

    @pytest.mark.parametrize("label", citing("TestOutOfPlay"))
    def test_units_are_not_named(self, label: str) -> None:
        all_refused(label, "gone")


class TestOnceOnly:
    """How often: the same order again, after it was accepted."""

    @pytest.mark.parametrize("label", citing("TestOnceOnly"))
    def test_repeated_order_is_refused(self, label: str) -> None:
        all_refused(label, "again", rule=False)


class TestOtherWords:
    """How much: an answer that the page does not print."""

    @pytest.mark.parametrize("label", citing("TestOtherWords"))
    def test_are_not_answers(self, label: str) -> None:
        all_refused(label, "answer")


class TestThePurse:
    """How much, what is used up: more EPs than the treasury holds."""

    @pytest.mark.parametrize("label", citing("TestThePurse"))
    def test_spending_is_limited_by_the_treasury(self, label: str) -> None:
        all_refused(label, "dear")


class TestRoundAfterRound:
    """How often: a step of the battle's rounds is opened anew in a later round of the same hex."""

    @pytest.mark.parametrize("label", citing("TestRoundAfterRound"))
    def test_step_comes_again(self, label: str) -> None:
        assert any(battle.count(label) > 1 for battle in rounds())
