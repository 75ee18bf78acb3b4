"""Check the sides that Pacific War waits for, and their order: steps without possible orders, and steps of both."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.terminal import Terminal
from tests.face.domain import (
    AccountChanged,
    ChoiceMade,
    DiceRolled,
    MarkerSet,
    SideDone,
    StepClosed,
    StepOpened,
    StepPassed,
    UnitChanged,
    UnitMoved,
    UnitPlaced,
    UnitRemoved,
    forfeited,
    forfeits,
    offers,
    pacific_war_TITLE as TITLE,
)
from tests.face.projections import turn_view
from tests.face.testing import Story
from tests.titles.pacific_war_table import (
    ALLIES,
    FIXTURES,
    JAPAN,
    campaign,
    change,
    cycle,
    flies,
    literal,
    mark,
    operation,
    says,
    scenario,
    strategic,
    until,
    until_gone,
)

MARINES = "1st-marine-division"


def passed(table: Story, since: int = 0) -> dict[str, str]:
    """Return the steps passed since a position, each with its reason."""
    events = (event for taken in table.taken if taken.first > since for event in taken.events)
    return {event.step: event.why for event in events if isinstance(event, StepPassed)}


class TestClaimDeclined:
    """5.4/resume/b: the claim is offered when the operation is given up, and a claim declined is gone."""

    def declined(self) -> Story:
        table = operation(literal(), "aoba", bid=4, headquarters="fourth-fleet")
        table.play(says(JAPAN, "remove", unit="aoba", fate="sunk"), says(JAPAN, "advance-day", days=4))
        return until(table, "5.1.O/claim").play(says(ALLIES, "done"))

    def test_claim_declined_is_not_offered_next_month(self) -> None:
        table = self.declined()
        assert "may_claim" not in table.game.markers
        since = table.tip
        until(until_gone(table, "5.1.O/bid"), "5.1.O/bid")
        assert table.game.number("month") == 3
        assert "5.1.O/claim" in passed(table, since)

    def test_claim_undeclined_by_undo_is_offered(self) -> None:
        table = self.declined().play(says("referee", "undo")).then_open("5.1.O/claim")
        table.when(says(ALLIES, "claim-operation")).then(MarkerSet, marker="operation_player", after=ALLIES)


class TestUntilPhaseBehindPlay:
    """`done --until` a phase of this month that has passed leaves nothing."""

    @pytest.mark.parametrize("phase", ["5.1.B", "5.1.K"])
    def test_until_phase_of_the_month_passed_is_refused(self, phase: str) -> None:
        table = until(strategic(), "5.1.M").when(says(JAPAN, "done", until=phase))
        table.then_refused("step-has-passed", rule="5.1.M", until=phase)

    def test_until_phase_of_next_battle_cycle_is_accepted(self) -> None:
        table = until(operation(campaign(), "chokai", bid=2), "5.2.M")
        table.when(says(JAPAN, "done", until="5.2.A")).then_accepted()

    @pytest.mark.parametrize("step", ["5.1.T/move", "5.2.M"])
    def test_until_next_operation_is_accepted(self, step: str) -> None:
        """Pacific War 5.3/b."""
        table = until(operation(campaign(), "chokai", bid=2), step)
        table.when(says(table.game.cursor.waiting()[0], "done", until="5.1.O")).then_accepted()

    def test_until_phase_before_the_operation_is_refused(self) -> None:
        table = until(operation(campaign(), "chokai", bid=2), "5.2.M")
        table.when(says(JAPAN, "done", until="5.1.K")).then_refused("step-has-passed", rule="5.2.M", until="5.1.K")


class TestAskedInVain:
    """A step waits for no side whose every order would be refused."""

    def without(self, table: Story, side: str, *arms: str) -> Story:
        gone = [one for one in table.game.in_play(side) if one.get("arm") in arms]
        return table.given(*(UnitRemoved(unit=one.id, fate="lost", at=one.at) for one in gone))

    def waits(self, table: Story, step: str) -> tuple[str, ...]:
        one = table.game.cursor.opened(step)
        return () if one is None else one.waits

    def test_transport_without_units_waits_for_the_other_side(self) -> None:
        table = self.without(until(campaign(), "5.1.H"), ALLIES, "air", "ground", "naval")
        assert self.waits(until(table, "5.1.I"), "5.1.I") == (JAPAN,)

    def test_transport_of_crippled_ship_waits_for_its_owner(self) -> None:
        table = self.without(until(campaign(), "5.1.H"), JAPAN, "air", "ground")
        assert JAPAN in self.waits(until(table, "5.1.I"), "5.1.I")

    def test_transport_of_units_near_the_enemy_is_not_waited_for(self) -> None:
        """Pacific War 5.1.I [13.0]: they are in no rear area."""
        table = self.without(until(campaign(), "5.1.H"), ALLIES, "naval", "air")
        table.given(UnitMoved(unit="ichiki", path=(table.game.units["ichiki"].at, "guadalcanal")))
        assert self.waits(until(table, "5.1.I"), "5.1.I") == (JAPAN,)

    def test_allocation_without_points_is_not_waited_for(self) -> None:
        """Pacific War 5.1.G [10.3]: Japan has nothing that month."""
        whole = scenario("solomons")
        nothing = msgspec.structs.replace(whole.tables["command-points/japan"], rows={"1 or more": {"points": 0}})
        without = msgspec.structs.replace(whole, tables={**whole.tables, "command-points/japan": nothing})
        table = until(Story(TITLE, without), "5.1.G/allocate")
        assert self.waits(table, "5.1.G/allocate") == (ALLIES,)

    def nothing_left(self, table: Story, side: str) -> Story:
        return self.without(table, side, *(one.get("arm") for one in table.game.in_play(side)))  # type: ignore[misc]

    def test_reinforcements_without_units_wait_for_the_other_side(self) -> None:
        """Pacific War 5.1.J: neither units nor ports, Commands or headquarters are left."""
        table = self.nothing_left(until(campaign(), "5.1.I"), JAPAN)
        assert self.waits(until(table, "5.1.J"), "5.1.J") == (ALLIES,)

    @pytest.mark.parametrize(
        ("arm", "kind", "more"),
        [
            ("base", "port", {"linked": True}),
            ("headquarters", "hq", {}),
            ("naval", "cruiser", {}),
            ("link", "link", {}),
        ],
    )
    def test_reinforcements_with_one_order_left_are_waited_for(self, arm: str, kind: str, more: dict[str, Any]) -> None:
        """Pacific War 5.1.J: a Command is built, a headquarters or a ship leaves for a while, a link is given up."""
        table = self.nothing_left(until(campaign(), "5.1.I"), JAPAN)
        table.given(UnitPlaced(unit="last", side=JAPAN, kind=kind, at="truk", attributes={"arm": arm, **more}))
        assert self.waits(until(table, "5.1.J"), "5.1.J") == (JAPAN, ALLIES)

    def test_month_without_orders_has_its_arrivals(self) -> None:
        """Pacific War 5.1.J: points and steps arrive although no side has an order to give."""
        table = mark(until(campaign(), "5.1.I"), "month", 2)
        for side in (JAPAN, ALLIES):
            self.nothing_left(table, side)
        steps = table.game.accounts.get("steps/japan/air", 0)
        since = table.tip
        until(table, "5.1.M")
        assert "5.1.J" in passed(table, since)
        assert table.game.accounts["steps/japan/air"] == steps + 1

    def test_replacements_without_units_or_steps_are_not_waited_for(self) -> None:
        """Pacific War 5.1.L."""
        table = until(campaign(), "5.1.K")
        self.without(table, JAPAN, "air", "ground")
        empty(table, "steps/japan/air", "steps/japan/ground")
        assert self.waits(until(table, "5.1.L"), "5.1.L") == (ALLIES,)

    @pytest.mark.parametrize("can", ["steps", "status", "break-down", "recombine", "strength"])
    def test_replacements_with_one_order_left_are_waited_for(self, can: str) -> None:
        """Pacific War 5.1.L [16.0, 16.3.4, 16.9, 15.2.4]."""
        table = until(campaign(), "5.1.K")
        self.without(table, JAPAN, "air", "ground")
        empty(table, "steps/japan/air", "steps/japan/ground")
        part = {"arm": "ground", "steps": 1, "full_steps": 2}
        match can:
            case "steps":
                table.given(AccountChanged(account="steps/japan/ground", amount=1, before=0, after=1))
            case "status":
                put(table, {"arm": "air", "steps": 1, "full_steps": 1, "status": 1})
            case "break-down":
                put(table, {**part, "steps": 2})
            case "recombine":
                put(table, part, part)
            case _:
                put(table, {"arm": "naval", "strength": 1, "full_strength": 2})
        assert self.waits(until(table, "5.1.L"), "5.1.L") == (JAPAN, ALLIES)

    def test_replacements_of_one_small_unit_are_not_waited_for(self) -> None:
        """Pacific War 5.1.L [16.9]: it is of one step, and alone."""
        table = until(campaign(), "5.1.K")
        self.without(table, JAPAN, "air", "ground")
        empty(table, "steps/japan/air", "steps/japan/ground")
        put(table, {"arm": "ground", "steps": 1, "full_steps": 1})
        assert self.waits(until(table, "5.1.L"), "5.1.L") == (ALLIES,)

    def test_engineering_is_open_to_a_side_without_bases(self) -> None:
        """Pacific War 5.1.M [17.0]: a base may be built anywhere."""
        table = self.nothing_left(until(campaign(), "5.1.L"), JAPAN)
        assert self.waits(until(table, "5.1.M"), "5.1.M") == (JAPAN, ALLIES)
        step = TITLE.plan.step("5.1.M")
        assert step is not None
        assert offers(TITLE, table.game, step, JAPAN) == ("place", "roll")
        new = {"unit": "strip", "side": JAPAN, "kind": "airbase", "at": "rennell", "attributes": {"arm": "base"}}
        table.play(says(JAPAN, "place", **new))

    def test_engineering_offers_to_pay_with_points_alone(self) -> None:
        """Pacific War 5.1.M [17.1]: Command Points are paid by hand."""
        step = TITLE.plan.step("5.1.M")
        assert step is not None
        table = until(campaign(), "5.1.M")
        assert "pay" in offers(TITLE, table.game, step, JAPAN)
        empty(table, *(one for one in table.game.accounts if one.startswith("points/")))
        assert "pay" not in offers(TITLE, table.game, step, JAPAN)

    def test_patrols_without_submarines_are_not_waited_for(self) -> None:
        """Pacific War 5.1.N [25.0]."""
        table = until(campaign(), "5.1.M")
        assert self.waits(until(table, "5.1.N"), "5.1.N") == (JAPAN,)

    def test_patrols_without_points_to_pay_are_not_waited_for(self) -> None:
        """Pacific War 5.1.N [25.0]."""
        table = until(campaign(), "5.1.M")
        empty(table, *(one for one in table.game.accounts if one.startswith("points/")))
        since = table.tip
        assert "5.1.N" in passed(until(table, "5.1.O/bid"), since)

    def test_patrols_leave_although_no_side_can_pay(self) -> None:
        """Pacific War 5.1.N [25.0]."""
        table = until(campaign(), "5.1.M")
        boats = {"arm": "patrol", "submarines": 1, "paid": True}
        table.given(UnitPlaced(unit="gar", side=ALLIES, kind="patrol", at="rabaul", attributes=boats))
        empty(table, *(one for one in table.game.accounts if one.startswith("points/")))
        assert until(table, "5.1.O/bid").game.units["gar"].fate == "recalled"

    def test_side_without_prospect_is_waited_for_under_fog(self) -> None:
        table = until(campaign(fog=True), "5.1.M")
        assert self.waits(until(table, "5.1.N"), "5.1.N") == (JAPAN, ALLIES)

    @pytest.mark.parametrize("step", ["5.1.R/search", "5.1.T/search"])
    def test_search_without_enemy_ships_waits_for_the_other_side(self, step: str) -> None:
        table = operation(self.without(campaign(), ALLIES, "naval", "task-force"), "chokai", bid=2)
        assert self.waits(until(table, step), step) == (ALLIES,)


def put(table: Story, *attributes: dict[str, Any]) -> None:
    """Put Japanese units on Truk."""
    for number, each in enumerate(attributes):
        table.given(UnitPlaced(unit=f"new-{number}", side=JAPAN, kind="new", at="truk", attributes=each))


def empty(table: Story, *accounts: str) -> None:
    """Empty accounts."""
    for account in accounts:
        if before := table.game.accounts.get(account, 0):
            table.given(AccountChanged(account=account, amount=-before, before=before, after=0))


class TestRepairsForfeited:
    """5.1.K: a ship has its repair in this phase or not at all this month."""

    def lost(self, table: Story, side: str) -> tuple[str, ...]:
        return forfeits(table.title, table.game, "5.1.K", side)

    def test_ship_in_dock_with_a_hit_is_listed(self) -> None:
        (lost,) = self.lost(until(campaign(), "5.1.K"), ALLIES)
        assert lost.endswith(" of saratoga")

    def test_ship_that_had_its_repair_is_not_listed(self) -> None:
        table = until(campaign(), "5.1.K")
        (lost,) = self.lost(table, JAPAN)
        assert lost.endswith(" of mogami")
        table.play(says(JAPAN, "repair-ship", unit="mogami"))
        assert table.game.units["mogami"].number("hits") == 1
        assert self.lost(table, JAPAN) == ()

    def test_until_after_the_phase_names_the_repairs(self) -> None:
        table = until(campaign(), "5.1.K")
        before = table.game
        table.play(says(ALLIES, "done", until="5.1.O"))
        (lost,) = forfeited(table.title, before, ALLIES, table.events)
        assert (lost[:7], lost[-12:]) == ("5.1.K: ", " of saratoga")


class TestQuietBattleCycle:
    """5.2: a step in which no side can do anything is passed with its reason."""

    def quiet(self, **options: bool) -> Story:
        """Activate Chokai alone, with no possible order for the Allies."""
        table = until(operation(campaign(**options), "chokai", bid=2), "5.1.T/search")
        return change(table, MARINES, "activated", False)

    def test_idle_steps_are_passed(self) -> None:
        table = self.quiet()
        since = table.tip
        idle = {"5.2.C/submarines", "5.2.D", "5.2.F", "5.2.H", "5.2.H/retreat", "5.2.L"}
        assert idle <= set(passed(until(table, "5.2.M"), since))

    def test_quiet_cycle_takes_few_orders(self) -> None:
        table = until(self.quiet(), "5.2.A")
        since = table.tip
        until(until(table, "5.2.B"), "5.2.A")
        orders = [taken for taken in table.taken if taken.first > since]
        assert len(orders) <= 12

    def test_side_without_prospect_is_not_waited_for(self) -> None:
        table = until(self.quiet(), "5.2.M")
        waits = {one.step: one.waits for one in table.game.cursor.open}
        assert waits == {"5.2.M": (JAPAN, ALLIES)}
        table = self.quiet()
        for headquarters in [one for one in table.game.accounts if one.startswith(("points/", "pool/"))]:
            before = table.game.accounts[headquarters]
            table.given(AccountChanged(account=headquarters, amount=-before, before=before, after=0))
        until(table, "5.2.M")
        assert table.game.cursor.waiting() == (JAPAN,)

    def test_patrol_keeps_submarine_combat_open(self) -> None:
        """Check 5.2.C: a ship may still sail into the patrol's hex while the step is open."""
        table = self.quiet()
        boats = {"arm": "patrol", "submarines": 1, "paid": True}
        table.given(UnitPlaced(unit="gar", side=ALLIES, kind="patrol", at="santa-cruz", attributes=boats))
        until(table, "5.2.C/move").play(says(JAPAN, "move", unit="chokai", path=["santa-cruz"]))
        assert table.game.cursor.opened("5.2.C/submarines").waits == (ALLIES,)  # type: ignore[union-attr]
        table.play(says(ALLIES, "attack", 9, units=["gar"], target="chokai"))
        table.play(says(JAPAN, "change", unit="chokai", attribute="hits", to=2))

    def test_patrol_is_not_asked_if_no_ship_can_come(self) -> None:
        """Check 5.2.K: the enemy has no unit that moves, and no ship in the hex of the patrol."""
        table = self.quiet()
        boats = {"arm": "patrol", "submarines": 1, "paid": True}
        table.given(UnitPlaced(unit="i-19", side=JAPAN, kind="patrol", at="santa-cruz", attributes=boats))
        since = table.tip
        assert "5.2.K/submarines" in passed(until(table, "5.2.M"), since)

    def test_patrol_next_to_an_enemy_ship_is_offered_combat(self) -> None:
        table = self.quiet()
        boats = {"arm": "patrol", "submarines": 1, "paid": True}
        table.given(UnitPlaced(unit="i-19", side=JAPAN, kind="patrol", at="noumea", attributes=boats))
        table = until(table, "5.2.K/submarines")
        assert table.game.cursor.opened("5.2.K/submarines").waits == (JAPAN,)  # type: ignore[union-attr]

    def test_mover_who_may_form_a_task_force_is_searched_for(self) -> None:
        """Check 5.2.C: ships without a Task Force may form one in the step."""
        table = until(self.quiet(), "5.2.C/move")
        table.play(says(JAPAN, "form-task-force", task_force="mikawa", ships=["chokai"]))
        table.play(says(ALLIES, "search", 9, target="mikawa"))

    def test_steps_are_not_passed_when_units_may_be_hidden(self) -> None:
        """Check that a phase is not passed, because that would reveal hidden units."""
        table = self.quiet(fog=True)
        since = table.tip
        why = passed(until(table, "5.2.M"), since)
        assert not {"5.2.C/submarines", "5.2.D", "5.2.F", "5.2.G", "5.2.H", "5.2.L"} & set(why)

    def test_operation_without_activation_in_m_ends_after_m(self) -> None:
        """Check 5.2.M, 5.3: both players have their opportunity before the operation ends."""
        table = until(self.quiet(), "5.2.M").play(says(JAPAN, "deactivate", units=["chokai"])).then_open("5.2.M")
        table.play(says(ALLIES, "activate", units=[MARINES], headquarters="south-pacific"))
        table.play(says(ALLIES, "done")).then_open("5.2.A")
        table = until(self.quiet(), "5.2.M").play(says(JAPAN, "deactivate", units=["chokai"]))
        table.play(says(ALLIES, "done"), says(JAPAN, "done")).then_open("5.3/damage")


class TestNothingToDo:
    """5.1.A to 5.1.S: a step in which no side can do anything is passed with its reason."""

    def test_repair_is_passed_without_a_ship_to_repair(self) -> None:
        """Check 5.1.K [15.0]."""
        table = until(campaign(), "5.1.I")
        change(change(table, "mogami", "hits", 0), "saratoga", "hits", 0)
        since = table.tip
        assert "5.1.K" in passed(until(table, "5.1.L"), since)

    def test_side_without_a_damaged_ship_is_not_asked(self) -> None:
        table = until(campaign(), "5.1.I")
        change(table, "saratoga", "hits", 0)
        assert until(table, "5.1.K").game.cursor.waiting() == (JAPAN,)

    def test_ships_of_a_kind_in_one_place_may_recombine(self) -> None:
        """Check 5.1.K [15.2.3]."""
        table = until(campaign(), "5.1.I")
        change(table, "saratoga", "hits", 0)
        table.given(UnitMoved(unit="san-francisco", path=("guadalcanal", "noumea")))
        assert until(table, "5.1.K").game.cursor.waiting() == (JAPAN, ALLIES)

    def test_bombing_without_points_is_passed(self) -> None:
        """Check 5.1.C [8.0]."""
        table = strategic().given(AccountChanged(account="bombing", amount=-1, before=1, after=0))
        assert "5.1.C" in passed(until(table, "5.1.D"))

    def test_escorts_are_not_asked_for_without_any(self) -> None:
        """Check 5.1.D [9.1]."""
        table = strategic().given(AccountChanged(account="escorts", amount=-6, before=6, after=0))
        assert "5.1.D" in passed(until(table, "5.1.E"))

    def test_reaction_without_points_is_passed(self) -> None:
        """Check 5.1.S [22.0]."""
        table = operation(campaign(), "chokai")
        points = table.game.accounts["points/south-pacific"]
        table.given(AccountChanged(account="points/south-pacific", amount=-points, before=points, after=0))
        since = table.tip
        assert "5.1.S" in passed(until(table, "5.1.T/move", "5.1.T/search"), since)

    def test_reaction_is_offered_under_fog(self) -> None:
        table = operation(campaign(fog=True), "chokai")
        points = table.game.accounts["points/south-pacific"]
        table.given(AccountChanged(account="points/south-pacific", amount=-points, before=points, after=0))
        until(table, "5.1.S")


def waits(table: Story, step: str) -> tuple[str, ...]:
    one = table.game.cursor.opened(step)
    return () if one is None else one.waits


def ended(table: Story) -> dict[tuple[str, str], str]:
    """Return the results of the parts of steps that the last order ended automatically, by step and side."""
    parts = (event for event in table.events if isinstance(event, StepClosed | SideDone))
    return {(event.step, event.side): event.how for event in parts if event.why}


class TestLastProspectGone:
    """A step that is open waits no longer for a side whose last target, or last unit that could act, is gone."""

    def test_ship_sunk_elsewhere_leaves_nothing_to_search_for(self) -> None:
        """5.1.R: Japan had one Task Force to find, and the Allies record its loss."""
        table = operation(campaign(), "chokai")
        for ship in ("enterprise", "portland", "saratoga"):
            table.given(UnitRemoved(unit=ship, fate="sunk"))
        table.given(UnitRemoved(unit="tf-16", fate="dissolved"))
        assert JAPAN in waits(table, "5.1.R/search")
        table.play(says(ALLIES, "remove", unit="san-francisco", fate="sunk"))
        assert ended(table)["5.1.R/search", JAPAN] == "done"
        assert waits(table, "5.1.R/search") == (ALLIES,)
        assert "5.1.R/move" in {one.step for one in table.game.cursor.open}

    def test_force_that_is_found_was_the_last_to_search_for(self) -> None:
        """5.1.R [24.0]: the Allies find one of two, then the other."""
        table = operation(campaign(), "chokai")
        for force in ("kido-butai", "mogami", "tokyo-express"):
            change(table, force, "detected", True)
        table.given(UnitMoved(unit="chokai", path=("rabaul", "shortland")))
        table.play(says(ALLIES, "search", 9, target="chokai"))
        assert ended(table)["5.1.R/search", ALLIES] == "done"
        assert waits(table, "5.1.R/search") == (JAPAN,)

    def test_search_in_vain_may_be_repeated_tomorrow(self) -> None:
        """5.1.R: while days may pass, who searched in vain is waited for."""
        table = operation(campaign(), "chokai")
        for force in ("kido-butai", "mogami", "tokyo-express"):
            change(table, force, "detected", True)
        table.play(says(ALLIES, "search", 1, target="chokai"))
        assert ALLIES in waits(table, "5.1.R/search")

    def test_search_in_vain_is_the_last_when_nobody_moves(self) -> None:
        """5.2.C: the Advantage player has moved, and the one Task Force was searched for."""
        table = until(cycle(campaign(), "chokai"), "5.2.C/move").play(says(JAPAN, "done", step="5.2.C/move"))
        for force in ("kido-butai", "mogami", "tokyo-express"):
            change(table, force, "detected", True)
        assert ALLIES in waits(table, "5.2.C/search")
        table.play(says(ALLIES, "search", 1, target="chokai"))
        assert ("5.2.C/search", ALLIES) in ended(table)

    def test_crippled_ship_sunk_was_the_last_target_of_submarines(self) -> None:
        """5.1.I [13.2.5]: the step is over when the only crippled ship is lost, with the reason on record."""
        table = until(campaign(), "5.1.G/allocate")
        for unit in table.game.in_play():
            if unit.get("arm") in ("air", "ground"):
                table.given(UnitRemoved(unit=unit.id, fate="lost"))
        change(table, "mogami", "crippled", False)
        change(table, "portland", "crippled", True)
        until(table, "5.1.I")
        change(table, "portland", "hits", 2)
        assert JAPAN in waits(table, "5.1.I")
        table.play(says(ALLIES, "move", unit="portland", path=["san-cristobal"]))
        table.play(says(JAPAN, "attack", 9, units=["i-boats"], target="portland"))
        table.then(UnitRemoved, unit="portland", fate="sunk")
        assert ended(table)["5.1.I", ALLIES] == "done"

    def test_last_base_demolished_ends_the_phase(self) -> None:
        """5.2.G [30.0]."""
        table = operation(strategic(), "43rd-division", bid=3, headquarters="central-pacific-fleet")
        table = until(table, "5.2.G")
        table.play(says(JAPAN, "demolish", unit="2nd-amphibious-brigade", target="balikpapan-oil"))
        assert JAPAN in waits(table, "5.2.G")
        table.play(says(JAPAN, "demolish", unit="43rd-division", target="aslito-airbase"))
        assert ("5.2.G", JAPAN) in ended(table)

    def test_last_points_allocated_leave_the_other_side(self) -> None:
        """5.1.G [10.3]."""
        table = until(campaign(), "5.1.G/allocate")
        table.play(says(JAPAN, "allocate-points", to="combined-fleet", points=19))
        assert waits(table, "5.1.G/allocate") == (JAPAN, ALLIES)
        table.play(says(JAPAN, "allocate-points", to="eighth-fleet", points=1))
        assert waits(table, "5.1.G/allocate") == (ALLIES,)
        assert ended(table) == {("5.1.G/allocate", JAPAN): "done"}

    def test_side_that_would_lose_the_operation_is_asked(self) -> None:
        """5.2.M: nobody is activated any more, so that leaving ends the operation; the side itself leaves."""
        table = until(cycle(campaign(), "chokai", bid=2), "5.2.M")
        for one in [unit.id for unit in table.game.in_play(ALLIES) if unit.get("activated")]:
            change(table, one, "activated", False)
        table.play(says(JAPAN, "deactivate", units=["chokai"]))
        assert JAPAN in waits(table, "5.2.M")

    def test_last_attack_from_the_air_leaves_time_for_losses(self) -> None:
        """5.2.D: who has flown with all air units is waited for; losses may still be recorded."""
        table = until(cycle(campaign(), "rabaul-air", "chokai"), "5.2.D")
        flies(table, JAPAN, "rabaul-air", "henderson-field", 5)
        assert JAPAN in waits(table, "5.2.D")

    def test_nothing_ends_by_itself_where_units_may_be_hidden(self) -> None:
        """5.1.G: an end without an order could tell the other side something."""
        table = until(campaign(fog=True), "5.1.G/allocate")
        table.play(says(JAPAN, "allocate-points", to="combined-fleet", points=20))
        assert waits(table, "5.1.G/allocate") == (JAPAN, ALLIES)

    def test_undo_asks_the_side_again(self) -> None:
        table = until(campaign(), "5.1.G/allocate")
        table.play(says(JAPAN, "allocate-points", to="combined-fleet", points=20), says(JAPAN, "undo"))
        assert waits(table, "5.1.G/allocate") == (JAPAN, ALLIES)


class TestOnlyHexOfBattle:
    """5.2.E: the only hex is picked by itself, although both sides have a sealed Strategic Intelligence level."""

    def battle(self, *more: str, **options: Any) -> Story:
        table = cycle(campaign(**options), "chokai", "hiei")
        table.given(UnitMoved(unit="san-francisco", path=("guadalcanal", "rabaul")))
        for ship in more:
            table.given(UnitMoved(unit=ship, path=("noumea", "truk")))
        return until(table, "5.2.E")

    @pytest.mark.parametrize("seat", [JAPAN, ALLIES])
    def test_only_hex_is_picked_with_the_next_order(self, seat: str) -> None:
        table = self.battle().when(says(seat, "determine-battle", 2))
        table.then(StepClosed, step="5.2.E", item="rabaul")
        table.then(DiceRolled, table="naval-battle", about=("rabaul",))

    @pytest.mark.parametrize("seat", [JAPAN, ALLIES, "spectator", "referee"])
    def test_every_seat_reads_what_is_picked(self, seat: str) -> None:
        table = self.battle()
        view = turn_view(TITLE, table.game, seat, table.tip)
        (picked,) = view.by_itself
        assert picked.startswith("rabaul ")
        assert " 5.2.E " in picked

    def test_one_of_two_hexes_is_picked_by_hand(self) -> None:
        table = self.battle("portland").when(says(JAPAN, "determine-battle", 2))
        table.then_refused(rule="5.2.E", do="pick")
        table.play(says(JAPAN, "pick", member="truk")).then_open("5.2.E.a")

    def test_only_hex_may_be_picked_by_hand(self) -> None:
        self.battle().play(says(ALLIES, "pick", member="rabaul")).then_open("5.2.E.a")

    def test_hidden_ships_make_even_the_only_hex_a_choice(self) -> None:
        """Whether another hex has a battle could depend on hidden ships."""
        table = self.battle(fog=True).when(says(JAPAN, "determine-battle", 2))
        table.then_refused(rule="5.2.E", do="pick")


class TestRalliesForfeited:
    """5.2.J: a side that leaves it gives up the rallies that are due; `done --until` says so."""

    def test_done_until_lists_due_rallies(self, tmp_path: Path) -> None:
        terminal = Terminal(tmp_path)
        terminal.ok("new", "pacific-war", "--id", "s", "--scenario", str(FIXTURES / "scenarios" / "solomons.toml"))
        terminal.orders(*broken())
        terminal.ok("play", "s", "orders.jsonl")
        shown = terminal.ok("status", "s", "--as", "allies").out
        order = '{"order": "done", "until": "5.2.M", "id": "leave"}'
        first = terminal.ok("order", "s", order, "--as", "allies", "--json").json
        (given_up,) = first["forfeited"]
        assert given_up.startswith("5.2.J: ")
        assert f" {MARINES} " in given_up
        assert given_up in shown
        assert terminal.ok("order", "s", order, "--as", "allies", "--json").json["forfeited"] == first["forfeited"]
        terminal.ok("undo", "s", "--why", "too fast")
        out = terminal.ok("done", "s", "--until", "5.2.M", "--as", "allies").out
        assert f"{given_up}\n" in out


def broken() -> list[dict[str, Any]]:
    """Play the order file of the Solomons up to the Marines' rally."""
    from umpire_ledger.desk.orders.order_files import order_lines  # noqa: PLC0415 -- one story

    lines = [line for _, line in order_lines(FIXTURES / "orders" / "solomons-suspended.jsonl")]
    return lines[: next(at for at, line in enumerate(lines) if line["order"] == "rally")]


class TestWhoComesFirstDecidesNothing:
    """5.1.I to 5.1.M: if both sides put units on the map, the sequence of their orders has no effect."""

    @pytest.mark.parametrize("first", [JAPAN, ALLIES])
    def test_both_are_transported_to_an_empty_place(self, first: str) -> None:
        """Check 5.1.I: a rear area is what it was when the phase began."""
        table = until(campaign(), "5.1.I")
        moves = {JAPAN: "ichiki", ALLIES: "americal"}
        table.given(UnitMoved(unit="americal", path=("to-come", "noumea")))
        for side in sorted(moves, key=lambda one: one != first):
            table.play(says(side, "move", unit=moves[side], path=["rennell"]))
        assert {table.game.units[unit].at for unit in moves.values()} == {"rennell"}

    @pytest.mark.parametrize("first", [JAPAN, ALLIES])
    def test_both_build_in_an_empty_place(self, first: str) -> None:
        table = until(campaign(), "5.1.M")
        for side in sorted((JAPAN, ALLIES), key=lambda one: one != first):
            attributes = {"arm": "base"}
            base = {"unit": f"{side}-strip", "side": side, "kind": "airbase", "at": "rennell", "attributes": attributes}
            table.when(says(side, "place", **base)).then(UnitPlaced, unit=f"{side}-strip", at="rennell")

    def test_enemy_of_an_earlier_phase_counts(self) -> None:
        table = until(campaign(), "5.1.I").play(says(JAPAN, "move", unit="ichiki", path=["rennell"]))
        until(table, "5.1.M")
        new = {"unit": "strip", "side": ALLIES, "kind": "airbase", "attributes": {"arm": "base"}}
        table.when(says(ALLIES, "place", at="rennell", **new)).then_refused(
            "enemy-at-site", rule="5.1.M [17.0]", enemies=("ichiki",)
        )

    def test_open_bids_are_made_in_turn(self) -> None:
        """Check 5.1.O: the other side sees an open bid, so the scenario's order of sides decides which bids first."""
        table = until(literal(), "5.1.O/bid").then_open("5.1.O/bid-openly")
        table.when(says(ALLIES, "bid", points=3)).then_refused(
            "step-of-another-side", rule="5.1.O/bid-openly [18.0]", seat="allies", sides="Japan"
        )
        table.play(says(JAPAN, "bid", points=2)).when(says(ALLIES, "bid", points=3)).then(ChoiceMade, side=ALLIES)

    def test_sealed_bids_are_made_in_any_order(self) -> None:
        table = until(campaign(), "5.1.O/bid").play(says(ALLIES, "bid", points=3))
        table.when(says(JAPAN, "bid", points=2)).then(StepOpened, step="5.1.O/open")


def submarines(table: Story) -> dict[str, int]:
    """Return the submarine points of both sides, by account."""
    accounts = table.game.accounts.items()
    return {name: points for name, points in accounts if name == "anti-shipping" or name.startswith("submarines/")}


class TestReadings:
    """Questions that the page leaves open are options of the scenario; both values are played."""

    @pytest.mark.parametrize("stays", [True, False])
    def test_submarines_stay_or_return_to_hand(self, stays: bool) -> None:
        """Check 5.1.J [14.1, 14.2]."""
        table = until(strategic(), "5.1.J")
        before = submarines(table)
        assert before["anti-shipping"]
        assert before["submarines/allies"]
        table = until(strategic(submarines_stay=stays), "5.1.J")
        now = submarines(table)
        assert sum(now.values()) == sum(before.values())
        in_hand = {name for name, points in now.items() if points and name in ("submarines/japan", "submarines/allies")}
        assert ({name for name, points in now.items() if points} == in_hand) is not stays

    @pytest.mark.parametrize("lasts", [True, False])
    def test_bid_caps_activation_in_the_cycle(self, lasts: bool) -> None:
        """Check 5.2.M [20.4], 5.1.P: the bid is what the operation may cost."""
        table = until(cycle(campaign(ceiling_lasts=lasts), "chokai", bid=3), "5.2.M")
        table.when(says(JAPAN, "activate", units=["hiei"], headquarters="combined-fleet"))
        if lasts:
            table.then_refused(
                "above-activation-limit",
                rule="5.2.M [20.4, 20.5 & 32.0]",
                given=3,
                source="the bid",
                limit=3,
                limit_2=1,
            )
        else:
            table.then(UnitChanged, unit="hiei", attribute="activated", after=True)

    @pytest.mark.parametrize("anywhere", [True, False])
    def test_unit_is_formed_among_enemies_by_option(self, anywhere: bool) -> None:
        """Check 5.1.L [16.0]."""
        table = until(campaign(formed_anywhere=anywhere), "5.1.L")
        attributes = {"arm": "ground", "steps": 1, "full_steps": 1}
        new = {"unit": "maizuru", "side": JAPAN, "kind": "regiment", "attributes": attributes}
        table.when(says(JAPAN, "place", at="guadalcanal", **new))
        if anywhere:
            table.then(UnitPlaced, unit="maizuru")
        else:
            table.then_refused("enemy-where-formed", rule="5.1.L [16.0]", at="guadalcanal")
            table.play(says(JAPAN, "place", at="rabaul", **new))

    @pytest.mark.parametrize(("counts", "most"), [(True, 20), (False, 15)])
    def test_pool_counts_in_a_bid_by_option(self, counts: bool, most: int) -> None:
        """Check 5.1.O [18.0], 10.4."""
        table = until(campaign(pool_in_bid=counts), "5.1.G/allocate")
        until(table.play(says(JAPAN, "allocate-points", to="pool", points=5)), "5.1.O/bid")
        table.when(says(JAPAN, "bid", points=most + 1)).then_refused(
            "too-few-command-points",
            rule="5.1.O [18.0]",
            limit=most,
        )
        table.play(says(JAPAN, "bid", points=most))
