"""Dice on a rewind: reroll, keep, keep unless there is a new decision; no player can shop for a good roll."""

import io
import itertools
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.at_least_one import at_least_one
from tests.desk.game import FIXTURES, DeskGame, any_game, fixture_game, great_harbour, refuse_words
from tests.face.desk import (
    GameSession,
    event_of,
    fork,
    open_session,
)
from tests.face.domain import (
    REFEREE,
    DicePolicy,
    DiceRolled,
    Game,
    PlayRewound,
    RuleViolation,
    StepOpened,
    Title,
)
from tests.face.projections import DiceContext, RollChecker, opened_seeds
from tests.face.testing import titles
from tests.naming import Naming
from tests.projections.table import LESSON, Table
from umpire_ledger.ledger import replay_log

every_title = pytest.mark.parametrize("title", titles(), ids=[title.id for title in titles()])


def battle(hex_: str, **more: Any) -> dict[str, Any]:
    """Build a roll for a battle in a hex, as Red gives it."""
    return {"as": "red", "order": "roll", "dice": "2d6", "purpose": f"battle in {hex_}", "subjects": [hex_], **more}


BATTLES = [battle(hex_) for hex_ in ("0101", "0202", "0303", "0404")]


def pips(game: DeskGame, after: int = 0) -> dict[str, tuple[int, ...]]:
    """Return the results of the rolls that count, by purpose."""
    return {roll.purpose: roll.pips for roll in game.rolls(after)}


def fought(game: DeskGame) -> tuple[int, dict[str, tuple[int, ...]]]:
    """Fight four battles; return the position before them, and the results."""
    start = game.size
    game.play(*BATTLES)
    return start, pips(game, start)


def rewound(game: DeskGame, to: int, dice: DicePolicy | None) -> None:
    more = {"dice": dice} if dice else {}
    game.give(REFEREE, "rewind", to=to, why="the fleet was set up wrongly", **more)


class TestReroll:
    def test_reroll_has_new_roll_numbers(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        rewound(ford, start, None)
        ford.play(*BATTLES)
        assert [roll.roll for roll in ford.rolls(start)] == [5, 6, 7, 8]
        assert all(not roll.kept for roll in ford.rolls(start))

    def test_reroll_in_any_order_of_combats_has_new_results(self) -> None:
        # The number of a roll is an input of the die, so the results of #1 to #4 never occur again automatically.
        for order in at_least_one(itertools.permutations(BATTLES)):
            game = DeskGame(":memory:")
            start, _ = fought(game)
            rewound(game, start, "reroll")
            game.play(*order)
            assert [roll.thrown or roll.roll for roll in game.rolls(start)] == [5, 6, 7, 8]
            game.close()


class TestKeep:
    def test_restored_roll_is_not_reused_again(self, ford: DeskGame) -> None:
        """Rewind, fight one battle, return to the abandoned branch: its four rolls count, and a fifth one is new."""
        start, _ = fought(ford)
        rewound(ford, start, "keep")
        ford.play(BATTLES[0])
        rewound(ford, start + 4, "keep")
        ford.play(BATTLES[1])
        assert [roll.kept for roll in ford.rolls(start)] == [0, 0, 0, 0, 0]

    @pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
    def test_reused_rolls_do_not_depend_on_the_order_of_battles(self, ford: DeskGame, order: tuple[int, ...]) -> None:
        start, before = fought(ford)
        rewound(ford, start, "keep")
        ford.play(*(BATTLES[number] for number in order))
        assert pips(ford, start) == before

    def test_reused_roll_names_its_first_record(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        rewound(ford, start, "keep")
        ford.play(BATTLES[2])
        (roll,) = ford.rolls(start)
        assert (roll.kept, roll.roll, roll.thrown) == (start + 3, 5, 3)

    def test_reused_roll_has_new_modifiers(self, ford: DeskGame) -> None:
        start, before = fought(ford)
        rewound(ford, start, "keep")
        ford.play(battle("0101", modifiers=[{"amount": 2, "source": "supply"}]))
        (roll,) = ford.rolls(start)
        assert roll.pips == before["battle in 0101"]
        assert roll.total == sum(roll.pips) + 2

    def test_repeated_battle_reuses_its_rolls_then_rolls_new(self, ford: DeskGame) -> None:
        start = ford.size
        ford.play(BATTLES[0], BATTLES[0])
        first, second = (roll.pips for roll in ford.rolls(start))
        rewound(ford, start, "keep")
        ford.play(*[BATTLES[0]] * 3)
        rolls = ford.rolls(start)
        assert [roll.pips for roll in rolls[:2]] == [first, second]
        assert [roll.kept for roll in rolls] == [start + 1, start + 2, 0]

    def test_roll_reused_once_is_reused_once_after_another_rewind(self, ford: DeskGame) -> None:
        start = ford.size
        ford.play(BATTLES[0])
        first = ford.rolls(start)[0].pips
        rewound(ford, start, "keep")
        ford.play(BATTLES[0])
        rewound(ford, start, "keep")
        ford.play(BATTLES[0], BATTLES[0])
        kept, fresh = ford.rolls(start)
        assert (kept.pips, kept.thrown) == (first, 1)
        assert (fresh.kept, fresh.thrown) == (0, 0)

    def test_roll_with_other_dice_subjects_or_purpose_is_new(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        rewound(ford, start, "keep")
        ford.play(battle("0101", dice="3d6"), battle("0101", subjects=["r1"]), battle("0101", purpose="loot"))
        assert [roll.kept for roll in ford.rolls(start)] == [0, 0, 0]

    def test_subjects_named_in_another_order_are_the_same(self, ford: DeskGame) -> None:
        start = ford.size
        ford.play(battle("0101", subjects=["a", "b"]))
        rewound(ford, start, "keep")
        ford.play(battle("0101", subjects=["b", "a"]))
        assert ford.rolls(start)[0].kept == start + 1


class TestShoppingByUndo:
    def test_undo_by_a_seat_keeps_the_reused_dice(self, ford: DeskGame) -> None:
        start, before = fought(ford)
        ford.give("red", "move", unit="r1", path=["0201"])
        rewound(ford, start, "keep")
        ford.give("red", "move", unit="r1", path=["0301"])
        ford.give("red", "undo")
        ford.play(BATTLES[3])
        assert pips(ford, start) == {"battle in 0404": before["battle in 0404"]}

    def test_undo_of_orders_before_the_rewind_keeps_the_reused_dice(self, ford: DeskGame) -> None:
        ford.give("red", "move", unit="r1", path=["0201"])
        start, before = fought(ford)
        rewound(ford, start, "keep")
        ford.give("red", "undo")
        ford.play(*reversed(BATTLES))
        assert pips(ford) == before

    def test_undo_and_redo_keep_the_reused_dice(self, ford: DeskGame) -> None:
        start, before = fought(ford)
        rewound(ford, start, "keep")
        for _ in range(3):
            ford.give("red", "move", unit="r1", path=["0201"])
            ford.give("red", "undo")
            ford.give("red", "redo")
            ford.give("red", "undo")
        ford.play(*BATTLES[::-1])
        assert pips(ford, start) == before

    def test_seat_cannot_choose_the_dice_policy(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        rewound(ford, start, "keep")
        ford.give("red", "move", unit="r1", path=["0201"])
        refusal = ford.refused("red", "undo", dice="reroll")
        assert refusal.code == "only-the-referee-sets-dice"

    def test_reused_rolls_are_kept_through_a_second_rewind(self, ford: DeskGame) -> None:
        start, before = fought(ford)
        rewound(ford, start, "keep")
        ford.play(BATTLES[1])
        rewound(ford, start, "keep")
        ford.play(BATTLES[3], BATTLES[1], BATTLES[0], BATTLES[2])
        assert pips(ford, start) == before
        assert {roll.thrown for roll in ford.rolls(start)} == {1, 2, 3, 4}

    def test_roll_still_on_the_branch_is_not_reused(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        rewound(ford, start + 2, "keep")
        ford.play(BATTLES[0], BATTLES[2])
        assert [roll.kept for roll in ford.rolls(start)] == [0, 0, 0, start + 3]

    def test_referee_can_drop_the_reused_dice(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        rewound(ford, start, "keep")
        rewound(ford, start, "reroll")
        ford.play(*BATTLES)
        assert all(not roll.kept for roll in at_least_one(ford.rolls(start)))


class TestKeepUnlessNew:
    @pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
    def test_another_order_of_the_same_battles_is_nothing_new(self, ford: DeskGame, order: tuple[int, ...]) -> None:
        """Otherwise a seat would fight the battle with the good roll first, and roll the others again."""
        start, before = fought(ford)
        rewound(ford, start, "keep-unless-new")
        ford.play(*(BATTLES[number] for number in order))
        assert pips(ford, start) == before

    def test_rolls_after_a_new_order_are_new(self, ford: DeskGame) -> None:
        start, before = fought(ford)
        rewound(ford, start, "keep-unless-new")
        ford.play(BATTLES[0])
        ford.give("blue", "move", unit="b1", path=["0303"])
        ford.play(*BATTLES[1:])
        assert [roll.kept for roll in ford.rolls(start)] == [start + 1, 0, 0, 0]
        assert pips(ford, start)["battle in 0101"] == before["battle in 0101"]

    def test_added_modifier_is_a_new_decision(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        rewound(ford, start, "keep-unless-new")
        ford.play(battle("0101", modifiers=[{"amount": 2, "source": "supply"}]), BATTLES[1])
        assert [roll.kept for roll in ford.rolls(start)] == [0, 0]

    def test_talk_is_nothing_new(self, ford: DeskGame) -> None:
        start, before = fought(ford)
        rewound(ford, start, "keep-unless-new")
        ford.give("red", "note", text="we play on")
        ford.play(*BATTLES)
        assert pips(ford, start) == before

    def test_default_stated_explicitly_is_not_a_new_decision(self, ford: DeskGame) -> None:
        start = ford.size
        ford.play({"as": "red", "order": "roll", "purpose": "scouting"})
        rewound(ford, start, "keep-unless-new")
        ford.play({"as": "red", "order": "roll", "purpose": "scouting", "dice": "1d6"})
        assert ford.rolls(start)[0].kept == start + 1

    @pytest.mark.parametrize(
        "instead",
        [
            {"order": "move", "unit": "wolves-1", "path": ["0307"]},
            {"order": "move", "unit": "wolves-1", "path": ["0408"]},
            {"order": "change", "unit": "wolves-1", "attribute": "hurt", "to": True},
            {"order": "place", "unit": "wolves-9", "side": "wolves", "kind": "submarine", "at": "0101", "hidden": True},
        ],
        ids=lambda order: order["order"],
    )
    def test_reused_dice_do_not_reveal_a_hidden_order(self, tmp_path: Path, instead: dict[str, Any]) -> None:
        # The convoy looks out after the wolves' hidden move; re-played, its die is the same for any such move.
        night = (FIXTURES / "freeform" / "scenarios" / "night-run.toml").read_text(encoding="utf-8")
        game = DeskGame(tmp_path / "umpire.db", "freeform", night, dice="ledger")
        game.give("wolves", "hide", unit="wolves-1")
        start = game.size
        looks_out = {"as": "convoy", "order": "roll", "purpose": "lookout"}
        game.play({"as": "wolves", "order": "move", "unit": "wolves-1", "path": ["0307"]}, looks_out)
        old = game.size
        rewound(game, start, "keep-unless-new")
        game.play({"as": "wolves", **instead}, looks_out)
        assert game.rolls(old)[-1].kept == old


def plain(game: Game) -> Game:
    """Return a game without the effects of a rewind."""
    return msgspec.structs.replace(game, rolls=0, keep=None, asked=None)


class TestEveryTitle:
    @every_title
    @pytest.mark.parametrize("dice", ["keep", "keep-unless-new"])
    def test_same_orders_again_lead_to_the_same_state(self, title: Title, dice: DicePolicy) -> None:
        game = any_game(":memory:", title, orders=120, seed=3)
        start = game.opened_at()
        before, orders, state = game.rolls(start), game.words(start), game.game
        rewound(game, start, dice)
        game.play(*orders)
        assert plain(game.game) == plain(state)
        assert [roll.pips for roll in game.rolls(start)] == [roll.pips for roll in before]
        assert all(roll.kept for roll in game.rolls(start))
        game.close()

    @every_title
    def test_under_reroll_the_same_orders_use_no_old_roll_number(self, title: Title) -> None:
        game = any_game(":memory:", title, orders=60, seed=4)
        start, made = game.opened_at(), game.game.rolls
        orders = game.words(start)
        rewound(game, start, "reroll")
        for order in orders:
            try:
                game.play(order)
            except RuleViolation:
                break
        assert not [roll for roll in game.rolls(start) if roll.roll <= made or roll.kept]
        game.close()


class TestBattlesOfALoop:
    """Battles are picked one after the other; their dice name no subjects, only the hex differs."""

    @pytest.mark.parametrize("dice", ["keep", "keep-unless-new"])
    def test_another_order_of_the_hexes_brings_each_its_own_dice(self, tmp_path: Path, dice: DicePolicy) -> None:
        table = Table(tmp_path, LESSON)
        for side in ("red", "blue"):
            table.play(side, "seal-choice", question="plan", choice="hold").play(side, "done")
        start = table.size
        for hex_ in ("0101", "0202"):
            fight(table, hex_)
        before = by_hex(table, start)
        table.play(REFEREE, "rewind", to=start, why="a slip", dice=dice)
        again = table.size
        for hex_ in ("0202", "0101"):
            fight(table, hex_)
        assert by_hex(table, again) == before
        table.close()


def fight(table: Table, hex_: str) -> None:
    if table.ledger.state("g").cursor.open[0].step == "3":
        table.play("red", "pick", member=hex_)
    table.play("red", "roll", purpose="damage", dice="2d6").play("red", "done", answer="stand")


def by_hex(table: Table, after: int) -> dict[str, tuple[int, ...]]:
    events = (event_of(record) for record in table.ledger.records("g", after + 1))
    return {event.about[-1]: event.pips for event in events if isinstance(event, DiceRolled)}


class TestFederationAndEmpire:
    """The border war: two rounds of combat at 1105."""

    def test_rewind_to_a_step_of_a_hex_opens_that_step(self) -> None:
        game = fixture_game(":memory:", "federation-and-empire", "border-war.toml", "border-war.jsonl")
        opened = [(at, event) for at, event in game.events() if isinstance(event, StepOpened) and event.step == "5-3D"]
        at, event = opened[-1]
        game.give(REFEREE, "rewind", to=f"5-3D of {event.where.items[-1]}", why="a slip")
        inside = game.events()[-1][1]
        assert isinstance(inside, PlayRewound)
        assert game.ledger.answer("g", game.ledger.record("g", at).command)[-1].position == inside.to
        refusal = game.refused(REFEREE, "rewind", to="5-3D of this hex", why="the same by another name")
        assert f"#{inside.to}" in refusal.what
        game.close()

    @pytest.mark.parametrize("dice", ["keep", "keep-unless-new"])
    def test_combat_played_again_has_the_same_dice(self, dice: DicePolicy) -> None:
        game = fixture_game(":memory:", "federation-and-empire", "border-war.toml", "border-war.jsonl")
        state, first = game.game, next(at for at, event in game.events() if isinstance(event, DiceRolled))
        to = game.ledger.answer("g", game.ledger.record("g", first).command)[0].position - 1
        orders, pips = game.words(to), [roll.pips for roll in game.rolls(to)]
        rewound(game, to, dice)
        for order in orders:
            game.play({name: value for name, value in order.items() if name != "pips"})
        assert [roll.pips for roll in game.rolls(to)] == pips
        assert plain(game.game) == plain(state)
        game.close()


class TestGreatHarbour:
    def test_ships_disengage_in_another_order_and_keep_their_dice(self, harbour: DeskGame) -> None:
        """War Galley G.1: athens-6 rolled 5 and athens-4 rolled 3, in either order."""
        rewound(harbour, 338, "keep")
        orders = [
            msgspec.json.decode(bytes(record.cause)) for record in harbour.ledger.records("g", 339, 609) if record.cause
        ]
        six = next(n for n, one in enumerate(orders) if one["order"] == "disengage" and one["ship"] == "athens-6")
        harbour.play(*orders[:six])
        for order in ({"ship": "athens-4"}, {"ship": "athens-6"}):
            harbour.give("athens", "disengage", **order)
        found = {roll.purpose: roll.pips for roll in harbour.rolls(338)}
        assert found["disengaging athens-6"] == (5,)
        assert found["disengaging athens-4"] == (3,)

    def test_reused_roll_refuses_other_results(self, harbour: DeskGame) -> None:
        rewound(harbour, 338, "keep")
        refusal = harbour.refused("athens", "roll-wind", pips=[6, 6])
        assert (refusal.code, refusal.fields["unused"], refusal.fields["pips"]) == ("too-many-pips", 2, "[6, 6]")
        harbour.give("athens", "roll-wind")
        assert harbour.rolls(338)[0].pips == (1, 2)

    def test_audit_trail_has_the_origin_of_a_reused_roll(self, harbour: DeskGame) -> None:
        rewound(harbour, 338, "keep")
        harbour.give("athens", "roll-wind")
        with harbour.views() as views:
            (text,) = views.connection.execute(
                "SELECT text FROM audit WHERE position > 610 AND event = 'dice.rolled'"
            ).fetchone()
        assert text.endswith("[reused from #339]")


def with_seeds(lines: list[bytes], seeds: dict[str, str]) -> RollChecker:
    """Return the dice of a log whose seeds are given here, by commitment."""
    found = opened_seeds(lines)
    return RollChecker(DiceContext(seeds, found.kept, found.thrown))


class TestVerification:
    def test_reused_ledger_dice_are_recomputed_with_first_number(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        rewound(ford, start, "keep")
        ford.play(*reversed(BATTLES))
        ford.give(REFEREE, "end", reason="dawn")
        ford.give(REFEREE, "open-dice")
        log = io.BytesIO()
        replay_log.write(ford.ledger, "g", log)
        lines = log.getvalue().splitlines()
        again = RollChecker(opened_seeds(lines))
        list(again.watch(lines))
        assert (again.checked, again.wrong) == (8, None)

    def test_roll_that_falsely_claims_reuse_is_reported(self, ford: DeskGame) -> None:
        start, _ = fought(ford)
        seed = ford.game.seed
        lines = list(ford.ledger.lines("g"))
        roll = ford.rolls(start)[0]
        false = msgspec.structs.replace(
            roll, roll=5, kept=start + 1, thrown=1, pips=tuple(7 - pip for pip in roll.pips)
        )
        again = with_seeds(lines, {ford.game.commitment: seed})
        list(again.watch([*lines, b'{"position":99,"event":%s}' % msgspec.json.encode(false)]))
        assert again.wrong is not None
        assert again.wrong.position == 99

    @pytest.mark.parametrize(("battle", "is_left"), [(0, False), (1, False), (2, True), (3, True)])
    def test_only_a_roll_that_the_rewind_left_is_reused(self, ford: DeskGame, battle: int, is_left: bool) -> None:
        """Rewind to the second roll: it stays on the branch, and the two behind it are left."""
        fought(ford)
        records = list(ford.ledger.records("g"))
        rolls = [(one.position, event) for one in records if isinstance(event := event_of(one), DiceRolled)]
        rewound(ford, rolls[1][0], "keep")
        position, old = rolls[battle]
        again = msgspec.structs.replace(old, roll=5, kept=position, thrown=old.roll)
        found = opened_seeds(lines := list(ford.ledger.lines("g")))
        kept, thrown = found.kept | {position}, found.thrown | {old.roll}
        read = RollChecker(DiceContext({ford.game.commitment: ford.game.seed}, kept, thrown))
        list(read.watch([*lines, b'{"position":99,"event":%s}' % msgspec.json.encode(again)]))
        assert (read.wrong is None) == is_left

    @pytest.mark.parametrize(("claimed", "repeated"), [(2, 2), (2, 3), (3, 2), (3, 3)])
    def test_reused_roll_repeats_the_roll_that_it_names(self, ford: DeskGame, claimed: int, repeated: int) -> None:
        """Give the results of another abandoned roll, which follow from the seed too."""
        fought(ford)
        records = list(ford.ledger.records("g"))
        rolls = [(one.position, event) for one in records if isinstance(event := event_of(one), DiceRolled)]
        rewound(ford, rolls[1][0], "keep")
        position, old = rolls[claimed][0], rolls[repeated][1]
        again = msgspec.structs.replace(old, roll=5, kept=position, thrown=old.roll)
        found = opened_seeds(lines := list(ford.ledger.lines("g")))
        kept, thrown = found.kept | {position}, found.thrown | {old.roll}
        read = RollChecker(DiceContext({ford.game.commitment: ford.game.seed}, kept, thrown))
        list(read.watch([*lines, b'{"position":99,"event":%s}' % msgspec.json.encode(again)]))
        assert (read.wrong is None) == (claimed == repeated)


class TestDiceOfACopy:
    """A copy of a game must not reveal the next rolls of the game itself."""

    def copied(self, ford: DeskGame) -> GameSession:
        """Four battles, the last of them taken back; then the game is copied."""
        fought(ford)
        ford.give(REFEREE, "undo", why="that hex was empty")
        fork(ford.ledger, "g", ford.size, "copy")
        return open_session(ford.ledger, "copy")

    def refused(self, copy: GameSession, order: str, **more: Any) -> RuleViolation:
        size = copy.size
        with pytest.raises(RuleViolation) as refusal:
            copy.order({"as": REFEREE, "order": order, **more})
        assert copy.size == size
        return refusal.value

    def test_copy_rolls_other_dice(self, ford: DeskGame) -> None:
        copy = self.copied(ford)
        assert copy.game.commitment != ford.game.commitment
        copy.order(battle("0505"))
        lines = list(ford.ledger.lines("copy"))
        again = with_seeds(lines, {copy.game.commitment: copy.game.seed})
        assert list(again.watch(lines)) == lines
        assert (again.checked, again.wrong) == (1, None)

    def test_copy_cannot_rewind_to_the_seed_of_the_game(self, ford: DeskGame) -> None:
        # This was a fault: after a rewind the copy rolled the next results of the game, with the same number and
        # purpose.
        copy = self.copied(ford)
        before = ford.size
        for order, more in {
            "rewind": {"to": 5, "why": "from the start"},
            "undo": {"why": "the copying"},
            "ask-rewind": {"to": 5, "why": "from the start"},
        }.items():
            refusal = self.refused(copy, order, **({**more, "as": "red"} if order == "ask-rewind" else more))
            assert (refusal.code, refusal.rule) == ("dice-of-another-game", "undo and rewind")
            assert refusal.remedy == Naming("umpire fork", "--at", refusal.fields["to"])
        copy.order(battle("0505"))
        copy.order({"as": REFEREE, "order": "undo", "why": "after it they do"})
        assert ford.size == before

    def test_copy_cannot_redo_to_the_seed_of_the_game(self, ford: DeskGame) -> None:
        refusal = self.refused(self.copied(ford), "redo")
        assert refusal.code == "nothing-to-redo"

    def test_copy_with_table_dice_has_no_seed(self, harbour: DeskGame) -> None:
        fork(harbour.ledger, "g", 338, "copy")
        copy = open_session(harbour.ledger, "copy")
        copy.order({"as": REFEREE, "order": "undo", "why": "another way"})
        assert copy.game.rolls


class TestReusedDiceOfACopy:
    """A game that is to keep its pips is copied: in the copy two battles keep them, and one is new."""

    def kept(self, ford: DeskGame) -> tuple[list[bytes], dict[str, str], dict[str, str]]:
        """Return the lines of the copy; commitment to seed of the game, and of the copy."""
        start, _ = fought(ford)
        rewound(ford, start, "keep")
        fork(ford.ledger, "g", ford.size, "copy")
        copy = open_session(ford.ledger, "copy")
        for order in (*BATTLES[:2], battle("0505")):
            copy.order(order)
        own = {copy.game.commitment: copy.game.seed}
        return list(ford.ledger.lines("copy")), {ford.game.commitment: ford.game.seed}, own

    def test_reused_rolls_in_the_copy_use_the_seed_of_the_game(self, ford: DeskGame) -> None:
        lines, first, own = self.kept(ford)
        again = with_seeds(lines, first | own)
        assert list(again.watch(lines)) == lines
        assert (again.checked, again.closed, again.wrong) == (7, 0, None)

    def test_rolls_of_an_unrevealed_seed_are_unverified(self, ford: DeskGame) -> None:
        lines, _, own = self.kept(ford)
        again = with_seeds(lines, own)
        assert list(again.watch(lines)) == lines
        assert (again.checked, again.closed, again.wrong) == (1, 6, None)

    def test_new_roll_in_the_copy_uses_its_own_seed(self, ford: DeskGame) -> None:
        # A roll of the original is wrong in the copy, although number and purpose are the same.
        lines, first, own = self.kept(ford)
        old = next(event for record in ford.ledger.records("g") if isinstance(event := event_of(record), DiceRolled))
        again = with_seeds(lines, first | own)
        list(again.watch([*lines, b'{"position":99,"event":%s}' % msgspec.json.encode(old)]))
        assert again.wrong is not None
        assert (again.wrong.position, str(old.pips) in again.wrong.why) == (99, True)


def test_refusals_of_dice_have_four_parts(ford: DeskGame) -> None:
    assert refuse_words(ford.refused("red", "undo", dice="keep")).count(" | ") == 3


def test_reused_rolls_are_kept_in_a_snapshot(harbour: DeskGame) -> None:
    rewound(harbour, 338, "keep")
    harbour.give("athens", "roll-wind")
    assert harbour.game.keep is not None
    assert harbour.ledger.folding.load(harbour.ledger.folding.dump(harbour.game)) == harbour.game


def test_roll_has_the_step_in_which_it_was_made() -> None:
    game = great_harbour(":memory:", 1)
    assert [roll.step for roll in game.rolls()] == ["A"]
    assert isinstance(game.rolls()[0], DiceRolled)
    game.close()
