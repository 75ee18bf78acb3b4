"""Preview of a rewind: the orders it would undo, the revealed secrets, and the alternatives."""

import pytest

from tests.desk.game import DeskGame, coded
from tests.face.desk import preview
from tests.face.domain import REFEREE, RuleViolation
from tests.face.projections import (
    EVERYBODY,
    Impact,
    ImpactLine,
    VisibleRecord,
    impact,
    words_of,
)
from tests.naming import Naming


def asked(game: DeskGame, to: int | str, seat: str = REFEREE) -> Impact:
    """Run `umpire rewind --preview`, which may not record anything."""
    size = game.size
    found = preview(game.ledger, "g", {"as": seat, "order": "rewind", "to": to})
    assert game.size == size
    return found


def a_quarrel(game: DeskGame) -> int:
    """Play a dispute: secret choices of both sides, Red's reveal, a battle, Blue's seal. Return the position before
    it.
    """
    start = game.size
    game.give("red", "seal-choice", question="plan", choice="north")
    game.give("blue", "seal-choice", question="plan", choice="west")
    game.give("red", "reveal", question="plan")
    game.give("blue", "roll", purpose="battle in 0101", dice="2d6", subjects=["b1"])
    game.give("blue", "note", text="well rolled")
    game.give("blue", "seal")
    game.give("red", "pay", account="vp/red", amount=2)
    return start


class TestUndoneOrders:
    def test_orders_rolls_reveals_seals_and_seats(self, ford: DeskGame) -> None:
        found = asked(ford, a_quarrel(ford))
        assert [one.text for one in found.orders] == [
            "seal-choice question plan choice north",
            "seal-choice question plan choice west",
            "reveal question plan",
            'roll purpose battle in 0101 dice 2d6 subjects ["b1"]',
            "pay account vp/red amount 2",
        ]
        assert len(found.rolls) == 1
        assert found.rolls[0].text.startswith("battle in 0101, 2d6: ")
        assert (len(found.reveals), len(found.seals), found.seats) == (1, 1, ("blue", "red"))

    def test_preview_lists_the_decisions_of_each_side(self, ford: DeskGame) -> None:
        start = a_quarrel(ford)
        found = asked(ford, start)
        assert found.decided["blue"][0] == f"#{start + 3} seal-choice question plan choice west"
        assert len(found.decided["red"]) == 3

    def test_preview_lists_dependents_of_the_first_order(self, ford: DeskGame) -> None:
        """Red's reveal depends on the choice that red sealed; Blue's choice, the battle and the points do not."""
        found = asked(ford, a_quarrel(ford))
        assert [one.text for one in found.resting] == ["reveal question plan"]

    def test_preview_of_one_order_has_no_dependents(self, ford: DeskGame) -> None:
        start = ford.size
        ford.give("red", "pay", account="vp/red", amount=2)
        assert asked(ford, start).resting == ()

    def test_preview_of_an_order_without_a_return_is_refused(self, ford: DeskGame) -> None:
        with pytest.raises(RuleViolation, check=coded("no-target", tag="pay")) as refused:
            preview(ford.ledger, "g", {"as": "red", "order": "pay", "account": "vp/red", "amount": 1})
        assert refused.value.rule == "undo and rewind"

    def test_preview_of_an_undo_lists_its_order(self, ford: DeskGame) -> None:
        a_quarrel(ford)
        found = preview(ford.ledger, "g", {"as": "red", "order": "undo"})
        assert [one.text for one in found.orders] == ["pay account vp/red amount 2"]

    def test_undone_orders_are_not_in_the_preview(self, ford: DeskGame) -> None:
        start = a_quarrel(ford)
        ford.give(REFEREE, "rewind", to=start, why="a slip")
        ford.give("red", "pay", account="vp/red", amount=1)
        found = asked(ford, start)
        assert [one.text for one in found.orders] == ["pay account vp/red amount 1"]
        assert found.rolls == ()

    def test_preview_of_an_abandoned_branch_lists_restored_orders(self, ford: DeskGame) -> None:
        start = a_quarrel(ford)
        tip = ford.size
        ford.give(REFEREE, "rewind", to=start, why="a slip")
        ford.give("red", "pay", account="vp/red", amount=1)
        found = asked(ford, tip)
        assert (found.regains, len(found.orders)) == (5, 1)

    def test_two_and_a_half_turns_of_a_battle(self, harbour: DeskGame) -> None:
        found = asked(harbour, "turn 2")
        assert (found.to, found.seats, len(found.rolls)) == (338, ("athens", "syracuse"), 17)
        assert "#339 roll-wind pips [1,2]".startswith(found.decided["athens"][0])


class TestLearntSecrets:
    def test_reveal_is_learnt_by_all_seats(self, ford: DeskGame) -> None:
        (learnt,) = [one for one in asked(ford, a_quarrel(ford)).learnt if one.by == (EVERYBODY,)]
        assert learnt.of == "red"
        assert "north" in learnt.what

    def test_sealed_choices_are_learnt_by_the_referee(self, ford: DeskGame) -> None:
        found = [one for one in asked(ford, a_quarrel(ford)).learnt if one.by == (REFEREE,)]
        assert [one.of for one in found] == ["red", "blue"]

    def test_peek_is_learnt_by_the_referee(self, ford: DeskGame) -> None:
        start = ford.size
        ford.give("red", "seal-choice", question="plan", choice="north")
        ford.give(REFEREE, "peek", who="red", reason="a claim of foul play")
        chosen, looked = (one for one in asked(ford, start).learnt if one.by == (REFEREE,))
        assert (chosen.of, chosen.what == Naming("plan")) == ("red", True)
        assert (looked.of, looked.what) == ("red", Naming("red", "(a claim of foul play)"))


class TestSecrets:
    def test_preview_for_a_seat_hides_choices_of_others(self, ford: DeskGame) -> None:
        start = a_quarrel(ford)
        said = repr(asked(ford, start, "red"))
        assert "north" in said
        assert "west" not in said
        assert "west" in repr(asked(ford, start, "blue"))

    def test_order_without_visible_records_is_labelled_secret(self) -> None:
        unseen = VisibleRecord(position=7, at="2026-01-01T00:00:00Z", seat="blue", command="c7", visible_to=("blue",))
        assert words_of(ImpactLine((unseen,))) == "something that is hidden from this seat"

    def test_preview_is_the_same_for_any_secret_of_others(self) -> None:
        seen = []
        for choice in ("west", "east"):
            game = DeskGame(":memory:")
            start = game.size
            game.give("blue", "seal-choice", question="plan", choice=choice)
            game.give("red", "pay", account="vp/red", amount=1)
            seen.append(impact(game.ledger, "g", start, "red"))
            game.close()
        assert seen[0] == seen[1]


class TestRemedies:
    def test_remedies_are_ordered_from_note_to_rewind(self, ford: DeskGame) -> None:
        start = a_quarrel(ford)
        found = asked(ford, start)
        commands = [one.command.split()[1] for one in found.remedies]
        assert commands == ["note", "rule", "amend", "rewind"]
        assert f"'#{found.rolls[0].position}' --reroll" in found.remedies[2].command

    def test_remedy_with_table_dice_asks_for_results(self) -> None:
        game = DeskGame(":memory:", dice="table")
        start = game.size
        game.give("blue", "roll", purpose="battle in 0101", dice="2d6", pips=[3, 4])
        found = asked(game, start)
        assert f"'#{found.rolls[0].position}' '{{\"pips\": […]}}' --reroll" in found.remedies[2].command
        game.close()

    def test_remedies_without_a_roll_include_no_reroll(self, ford: DeskGame) -> None:
        ford.give("red", "pay", account="vp/red", amount=1)
        found = asked(ford, ford.size - 1)
        assert [one.command.split()[1] for one in found.remedies] == ["note", "rule", "rewind"]
