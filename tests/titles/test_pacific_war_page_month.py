"""Check the printed month of Pacific War by sentence: quantities, limits of once, participants, and its end."""

from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    AccountChanged,
    AnyEvent,
    DiceRolled,
    Ending,
    GameEnded,
    MarkerSet,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    pacific_war_TITLE as TITLE,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    JAPAN,
    campaign,
    change,
    literal,
    mark,
    opened,
    operation,
    says,
    scenario,
    strategic,
    until,
    until_gone,
)

MARINES = "1st-marine-division"


def moves(seat: str, unit: str, *path: str) -> dict[str, Any]:
    return says(seat, "move", unit=unit, path=list(path))


class Test51ITransport:
    """5.1.I: a limited number of ground and air units in rear areas; crippled ships, which submarines may attack."""

    def test_units_are_transported_once_and_within_the_allowance(self) -> None:
        table = mark(until(campaign(), "5.1.I"), "transport/ground", 1)
        table.play(moves(JAPAN, "ichiki", "buin"))
        table.when(moves(JAPAN, "ichiki", "rabaul")).then_refused(
            "cannot-move", rule="5.1.I [13.0]", unit="ichiki", reason="moved-this-month"
        )
        pieces = {"arm": "ground", "steps": 1, "full_steps": 1, "isolated": False, "aboard": ""}
        table.given(UnitPlaced(unit="aoba", side=JAPAN, kind="regiment", at="truk", attributes=pieces))
        table.when(moves(JAPAN, "aoba", "rabaul")).then_refused(
            "cannot-move", rule="5.1.I [13.0]", unit="aoba", says="ichiki", reason="month-used"
        )
        table.play(moves(JAPAN, "rabaul-air", "truk"))

    def test_units_do_not_move_out_of_or_into_an_enemy_hex(self) -> None:
        table = until(campaign(), "5.1.I").when(moves(JAPAN, "ichiki", "buin", "guadalcanal"))
        table.then_refused("enemy-in-rear-area", rule="5.1.I [13.0]", place="guadalcanal")
        table.given(UnitMoved(unit="ichiki", path=("rabaul", "guadalcanal")))
        table.when(moves(JAPAN, "ichiki", "rabaul")).then_refused(
            "cannot-move", rule="5.1.I [13.0]", reason="not-a-rear-area"
        )

    def test_crippled_ship_leaves_a_task_force_that_stays_in_place(self) -> None:
        table = until(campaign(), "5.1.I")
        table.when(moves(JAPAN, "kido-butai", "kure")).then_refused(
            "cannot-move", rule="5.1.I", unit="kido-butai", reason="not-transported"
        )
        change(table, "hiei", "crippled", True)
        table.play(moves(JAPAN, "hiei", "kure"))
        assert table.game.units["hiei"].get("task_force") == ""

    def test_cargo_does_not_move_without_its_ship(self) -> None:
        table = until(campaign(), "5.1.I").when(moves(JAPAN, "shokaku-air", "rabaul"))
        table.then_refused("cannot-move", rule="5.1.I [13.0]", unit="shokaku-air", reason="aboard")
        assert table.refusal is not None
        assert table.refusal.what.endswith(" shokaku")

    def test_last_months_movers_are_safe_this_month(self) -> None:
        table = until(campaign(), "5.1.I")
        mark(table, "month", 2)
        change(table, "mogami", "moved_in", 1)
        table.when(says(JAPAN, "attack", 9, units=["i-boats"], target="saratoga")).then_refused(
            "not-moved-by-transport", rule="5.1.I [13.2.5]", target="saratoga"
        )


class Test51JSubmarines:
    """5.1.J: points go to Commands or against shipping, and are taken back and moved; 5.1.F counts what J left."""

    def give(self, to: str, points: int, source: str = "hand") -> dict[str, Any]:
        return says(ALLIES, "allocate-submarines", to=to, points=points, source=source)

    def test_they_are_moved_between_roles_and_none_is_lost(self) -> None:
        table = until(strategic(), "5.1.J")
        now = table.game.accounts
        table.play(self.give("subpac", 2, "anti-shipping"))
        then = table.game.accounts
        assert then["anti-shipping"] == now["anti-shipping"] - 2
        assert then["submarines/subpac"] == now["submarines/subpac"] + 2
        table.play(self.give("hand", 3, "subpac"), self.give("anti-shipping", 3))

    def test_submarine_points_cannot_exceed_those_available(self) -> None:
        table = until(strategic(), "5.1.J").when(self.give("anti-shipping", 5, "subpac"))
        table.then_refused("too-many-points-allocated", rule="5.1.J [14.1 & 14.2]", says=" 4 ", reason="too-few-there")
        table.when(self.give("subpac", 1, "subpac")).then_refused(
            "points-there-already", rule="5.1.J [14.1 & 14.2]", holder="subpac"
        )

    def test_returned_points_do_not_count_in_the_next_attrition(self) -> None:
        table = until(strategic(), "5.1.J")
        left = table.game.accounts["anti-shipping"] - 2
        table.play(self.give("subpac", 2, "anti-shipping"))
        until_gone(until(table, "5.1.O/bid"), "5.1.O/bid")
        rolled = until(table, "5.1.F").when(says(ALLIES, "count-attrition", 1)).then(DiceRolled)
        assert [one.amount for one in rolled.modifiers][1] == left

    def test_campaign_has_no_such_role(self) -> None:
        table = until(campaign(), "5.1.J").when(self.give("anti-shipping", 1))
        table.then_refused("no-shipping-account", rule="5.1.J [14.1 & 14.2]")
        assert "anti-shipping" not in table.game.accounts


class Test51JComeBack:
    """5.1.J: repaired ships, disbanded headquarters and penalized ships may be brought back, nothing else."""

    @pytest.mark.parametrize(("unit", "fate"), [("chokai", "repaired"), ("eighth-fleet", "disbanded")])
    def test_they_enter_with_what_they_had(self, unit: str, fate: str) -> None:
        table = until(campaign(), "5.1.J").given(UnitRemoved(unit=unit, fate=fate, at="rabaul"))
        table.when(says(JAPAN, "bring-back", unit=unit, at="truk", source="15.0, box 3")).then(UnitPlaced, at="truk")
        assert not table.game.units[unit].fate

    def test_sunk_or_deployed_unit_does_not_come_back(self) -> None:
        table = until(campaign(), "5.1.J").given(UnitRemoved(unit="chokai", fate="sunk", at="rabaul"))
        for unit, reason in (("chokai", "gone-for-good"), ("hiei", "not-gone")):
            table.when(says(JAPAN, "bring-back", unit=unit, at="truk", source="15.0")).then_refused(
                "cannot-return-there", rule="5.1.J [14.0]", places="none", says=f"{unit} ", reason=reason
            )


class Test51LNewUnits:
    """5.1.L: steps may be formed into new units; they are paid for, and only here."""

    def new(self, steps: int, arm: str = "ground") -> dict[str, Any]:
        attributes = {"arm": arm, "steps": steps, "full_steps": 3}
        return says(JAPAN, "place", unit="17th", side=JAPAN, kind="regiment", at="rabaul", attributes=attributes)

    def test_new_unit_takes_its_steps_from_those_available(self) -> None:
        table = until(campaign(), "5.1.L").when(self.new(2))
        table.then_refused("too-few-steps-available", rule="5.1.L [16.0]", unit="17th", given=2, arm="ground", limit=1)
        table.when(self.new(1)).then(AccountChanged, account="steps/japan/ground", after=0)

    def test_new_unit_has_no_more_steps_than_a_full_unit(self) -> None:
        until(campaign(), "5.1.L").when(self.new(4)).then_refused(
            "more-steps-than-full", rule="5.1.L [16.0]", unit="17th", given=4, limit=3
        )

    @pytest.mark.parametrize(("step", "arm"), [("5.1.M", "ground"), ("5.1.M", "air"), ("5.1.L", "headquarters")])
    def test_new_units_are_formed_only_in_the_step_of_their_arm(self, step: str, arm: str) -> None:
        order = self.new(1, arm)
        until(campaign(), step).when(order).then_refused("not-formed-in-this-phase", rule=step, arm=arm, phase=step)


class Test51LStatus:
    """5.1.L: the Status Level of air units is changed here, by hand; it is theirs alone."""

    def test_only_air_units_change_their_level(self) -> None:
        table = until(campaign(), "5.1.L")
        table.when(says(JAPAN, "change", unit="rabaul-air", attribute="status", to=2, cause="16.3.4"))
        table.then(UnitChanged, unit="rabaul-air", attribute="status", after=2)
        table.when(says(JAPAN, "change", unit="ichiki", attribute="status", to=2)).then_refused(
            "no-such-attribute", rule="5.1.L", unit="ichiki", attribute="status"
        )


class Test51BOnceAMonth:
    """5.1.B: a level is determined once a month, each side its own."""

    def test_not_a_second_time(self) -> None:
        table = until(campaign(), "5.1.B").play(says(JAPAN, "determine-level", 9))
        table.when(says(JAPAN, "determine-level", 9)).then_refused(
            "step-of-another-side", rule="5.1.B [7.0, 9.0]", seat="japan", step="5.1.B", sides="Allies"
        )
        table.play(says(ALLIES, "determine-level", 9)).then_open("5.1.G/allocate")


class Test54whenBMarkerFirst:
    """5.4, note: the Day marker is in space 1 before the month ends; the next month lacks that day."""

    def test_day_advances_before_the_month_and_next_cycle_ends_on_3(self) -> None:
        table = mark(until(operation(campaign(), "chokai"), "5.2.M"), "day", 30)
        until(table, "5.1.G/allocate", "5.1.H")
        told = [(event.marker, event.after) for event in whole(table) if isinstance(event, MarkerSet)]
        assert told.index(("day", 1)) < told.index(("month_ends", "passed in 5.2.O")) < told.index(("month", 2))
        until(until_gone(until(table, "5.2.A"), "5.2.A"), "5.2.A")
        assert table.game.number("day") == 3


def whole(table: Story) -> list[AnyEvent]:
    """Return every event since the opening."""
    return [event for taken in table.taken[1:] for event in taken.events]


class Test51NPatrols:
    """5.1.N: patrols are marked with a number of submarines, no more than the Commands have."""

    def test_patrols_cannot_exceed_the_submarines_available(self) -> None:
        table = until(campaign(), "5.1.N")
        patrol = {"at": "truk", "headquarters": "combined-fleet"}
        table.play(says(JAPAN, "place-patrol", unit="ro-boats", submarines=1, **patrol))
        table.when(says(JAPAN, "place-patrol", unit="i-boats", submarines=2, **patrol)).then_refused(
            "too-few-submarine-points", rule="5.1.N [25.0]", limit=1
        )


class Test54NobodyBids:
    """5.1.O, 5.4: if neither player bids, the month ends immediately, whether an operation was played or not."""

    def test_no_bids_after_an_operation_create_no_operation_or_base(self) -> None:
        table = operation(literal(), "aoba", bid=4, headquarters="fourth-fleet")
        change(table, "moresby-air", "activated", False)
        table.play(says(JAPAN, "remove", unit="aoba", fate="sunk"))
        until_gone(until(table, "5.1.O/bid"), "5.1.O/bid")
        assert (table.game.number("month"), table.game.number("operation")) == (2, 1)
        assert "5.1.O/tie" not in opened(table)
        assert table.game.accounts["osb/japan"] == 1
        assert table.game.number("day") == 0
        table.then_open("5.1.B")


class Test53And54VictoryConditions:
    """5.3, 5.4: play ends and players refer to the scenario Victory Conditions; the end is a sentence."""

    def ends(self, *endings: Ending) -> Story:
        whole = msgspec.structs.replace(scenario("solomons"), ends=endings)
        return mark(operation(Story(TITLE, whole), "chokai"), "month", 3)

    def sail(self) -> dict[str, Any]:
        return says(JAPAN, "advance-day", days=5)

    def test_first_satisfied_condition_ends_the_game(self) -> None:
        held = Ending(says="Japan holds all objectives", winner=JAPAN, holds=("rabaul", "truk"))
        lost = Ending(says="the Allies hold Rabaul", winner=ALLIES, holds=("rabaul",))
        table = self.ends(lost, held).when(self.sail())
        assert table.then(GameEnded, winner=JAPAN).why.startswith("Japan holds all objectives ")

    def test_place_with_an_enemy_ashore_is_not_held(self) -> None:
        table = self.ends(Ending(says="Japan holds Rabaul", winner=JAPAN, holds=("rabaul",)))
        table.given(UnitMoved(unit=MARINES, path=("guadalcanal", "rabaul"))).when(self.sail())
        assert "Japan holds Rabaul" not in table.then(GameEnded, winner="").why

    def test_losses_and_points_are_judged_too(self) -> None:
        sunk = Ending(says="Hiei is sunk", winner=ALLIES, sunk=("hiei",))
        points = Ending(says="a draw by points", account="initiative/japan", at_least=2)
        table = self.ends(sunk, points).given(AccountChanged(account="initiative/japan", amount=2, before=0, after=2))
        assert table.when(self.sail()).then(GameEnded, winner="").why.startswith("a draw by points ")

    def test_without_conditions_the_players_declare(self) -> None:
        ended = self.ends().when(self.sail()).then(GameEnded, winner="")
        unmet = self.ends(Ending(says="Hiei is sunk", winner=ALLIES, sunk=("hiei",))).when(self.sail())
        assert ended.why != unmet.then(GameEnded, winner="").why
