"""Pacific War: situations read from the printed page: the phases of a month, bids and activation."""

import pytest

from tests.face.domain import (
    AccountChanged,
    GameEnded,
    MarkerSet,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
)
from tests.face.testing import Story
from tests.titles.pacific_war_table import ALLIES, JAPAN, bids, campaign, change, operation, says, strategic, until


def goes(table: Story, unit: str, at: str) -> Story:
    """Return the game with a unit at another place than in the scenario."""
    return table.given(UnitMoved(unit=unit, path=(table.game.units[unit].at, at)))


def judged(table: Story, fits: bool, rule: str) -> Story:
    """Assert that the last order was carried out, or refused under a rule."""
    return table.then_accepted() if fits else table.then_refused(rule=rule)


# --- 5.1.A to 5.1.F: the Strategic phases -----------------------------------------------------------------------------


@pytest.mark.parametrize(("pip", "sky"), [(7, "clear"), (8, "foul")])
def test_weather_at_the_edge_of_its_row_is_that_row(pip: int, sky: str) -> None:
    """Check 5.1.A: one roll for each of the four zones."""
    table = strategic().play(says(JAPAN, "roll-weather", 1, 1, 1, pip))
    assert table.game.markers["weather/southwest"] == sky
    table.when(says(ALLIES, "roll-weather", 1, 1, 1, 1)).then_refused("not-allowed-now", rule="Pacific War 5.1")


@pytest.mark.parametrize("pips", [(1, 1, 1), (1, 1, 1, 1, 1)])
def test_weather_for_another_number_of_zones_is_refused(pips: tuple[int, ...]) -> None:
    """Check 5.1.A."""
    strategic().when(says(JAPAN, "roll-weather", *pips)).then_refused("wrong-number-of-pips", rule="dice")


@pytest.mark.parametrize(("owner", "other"), [(JAPAN, ALLIES), (ALLIES, JAPAN)])
def test_level_of_a_side_is_determined_once_by_that_side(owner: str, other: str) -> None:
    """Check 5.1.B: each player, in any order; the phase waits for both."""
    table = until(campaign(), "5.1.B").play(says(owner, "determine-level", 5))
    table.when(says(owner, "determine-level", 5)).then_refused("step-of-another-side", rule="5.1.B")
    assert table.game.cursor.waiting() == (other,)
    table.play(says(other, "determine-level", 5))
    assert table.game.cursor.opened("5.1.B") is None


def test_bombing_at_the_last_homeland_point_stops_at_zero() -> None:
    """Check 5.1.C."""
    table = until(strategic(), "5.1.C")
    table.given(AccountChanged(account="homeland", amount=-29, before=30, after=1))
    table.when(says(ALLIES, "bomb-homeland", 9)).then(AccountChanged, account="homeland", amount=-1, after=0)


@pytest.mark.parametrize(("escorts", "fits"), [(0, True), (6, True), (7, False)])
def test_escorts_up_to_all_of_them_are_allocated(escorts: int, fits: bool) -> None:
    """Check 5.1.D."""
    table = until(strategic(), "5.1.D").when(says(JAPAN, "allocate-escorts", escorts=escorts))
    judged(table, fits, "5.1.D")


def test_attrition_takes_no_more_than_is_allocated() -> None:
    """Check 5.1.F: submarines and escorts that were not allocated are out of it."""
    table = until(strategic(), "5.1.D").play(says(JAPAN, "allocate-escorts", escorts=1))
    until(table, "5.1.E").play(says(ALLIES, "set-priority", target="escorts"))
    before = dict(table.game.accounts)
    book = {"outcome": {"merchant": 99, "escorts": 9, "submarines": 9}, "source": "9.3"}
    table.play(says(ALLIES, "count-attrition", 4, by_the_book=book))
    assert (table.game.accounts["merchant"], table.game.accounts["escorting"]) == (0, 0)
    for account in ("escorts", "submarines/allies", "submarines/subpac"):
        assert table.game.accounts[account] == before[account]
    assert table.game.accounts["anti-shipping"] == 0


def test_submarines_allocated_in_j_come_too_late_for_f() -> None:
    """Check 5.1.F: those of the previous Reinforcement Phase count; F is before J."""
    table = until(strategic(), "5.1.F")
    table.when(says(ALLIES, "allocate-submarines", to="anti-shipping", points=1)).then_refused(
        "not-allowed-now", rule="5.1.F"
    )


# --- 5.1.G: Command Points --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "fits"), [(19, True), (20, True), (21, False)])
def test_points_up_to_those_of_the_month_are_allocated(points: int, fits: bool) -> None:
    """Check 5.1.G [10.3]: the scenario assigns 20 to Japan."""
    table = until(campaign(), "5.1.G/allocate")
    table.when(says(JAPAN, "allocate-points", to="combined-fleet", points=points))
    judged(table, fits, "5.1.G")


def test_points_in_the_pool_outlast_the_month() -> None:
    """Check 5.1.G [10.4]: points at a headquarters do not, in a Strategic scenario."""
    table = until(strategic(), "5.1.G/allocate")
    table.play(
        says(ALLIES, "allocate-points", to="pool", points=4),
        says(ALLIES, "allocate-points", to="pacific-fleet", points=1),
    )
    until(until(table, "5.1.O/bid"), "5.1.G/table")
    accounts = table.game.accounts
    assert (accounts["pool/allies"], accounts["points/pacific-fleet"], accounts["points/allies"]) == (9, 0, 0)


def test_points_before_the_table_is_rolled_on_are_not_allocated() -> None:
    """Check 5.1.G: first unused points go, then the month's are determined, then they are allocated."""
    table = until(strategic(), "5.1.G/table")
    table.when(says(JAPAN, "allocate-points", to="pool", points=1)).then_refused("not-allowed-now", rule="5.1.G")


# --- 5.1.H to 5.1.N ---------------------------------------------------------------------------------------------------


def test_ship_hit_while_it_is_moved_is_hit_by_the_enemy_alone() -> None:
    """Check 5.1.I [13.2.5]: enemy submarines; and a ship that did not move is not attacked."""
    table = until(strategic(), "5.1.I")
    order = says(ALLIES, "attack", 8, units=["subpac"], target="maya")
    table.when(order).then_refused("not-moved-by-transport", rule="5.1.I [13.2.5]")
    table.play(says(JAPAN, "move", unit="maya", path=["formosa", "kure"]))
    table.when(says(JAPAN, "attack", 8, units=["sixth-fleet"], target="maya")).then_refused(
        "own-unit", rule="5.1.I [13.2.5]"
    )
    table.when(order).then(UnitRemoved, unit="maya", fate="sunk")


@pytest.mark.parametrize(("points", "fits"), [(0, False), (1, True)])
def test_command_attacks_with_a_submarine_point_at_least(points: int, fits: bool) -> None:
    """Check 5.1.I [13.2.5]: enemy submarines attack, not a Command without them."""
    table = until(strategic(), "5.1.I").play(says(JAPAN, "move", unit="maya", path=["formosa", "kure"]))
    table.given(AccountChanged(account="submarines/subpac", amount=points - 4, before=4, after=points))
    table.when(says(ALLIES, "attack", 8, units=["subpac"], target="maya"))
    judged(table, fits, "5.1.I [13.2.5]")


def test_ship_crippled_no_longer_is_not_transported() -> None:
    """Check 5.1.I: crippled ships alone; 5.1.K is later, so it is next month that matters."""
    table = until(strategic(), "5.1.K").play(says(JAPAN, "repair-ship", unit="maya"))
    assert not table.game.units["maya"].get("crippled")
    until(until(table, "5.1.O/bid"), "5.1.I")
    table.when(says(JAPAN, "move", unit="maya", path=["formosa"])).then_refused(
        "cannot-move", rule="5.1.I [13.0]", reason="not-transported"
    )


@pytest.mark.parametrize(("month", "fits"), [(1, False), (2, True), (3, True)])
def test_reinforcement_enters_from_its_month_on(month: int, fits: bool) -> None:
    """Check 5.1.J [14.0]."""
    table = until(campaign(), "5.1.J")
    while table.game.number("month") < month:
        until(until(table, "5.1.O/bid"), "5.1.J")
    table.when(says(ALLIES, "reinforce", unit="americal", at="noumea"))
    judged(table, fits, "5.1.J")


@pytest.mark.parametrize(("points", "fits"), [(3, True), (4, True), (5, False)])
def test_available_submarine_points_can_be_allocated(points: int, fits: bool) -> None:
    """Check 5.1.J [14.1, 14.2]: two of the scenario, two that arrive."""
    table = until(strategic(), "5.1.J")
    table.when(says(ALLIES, "allocate-submarines", to="subpac", points=points))
    judged(table, fits, "5.1.J")


@pytest.mark.parametrize(("linked", "port"), [(False, "noumea-port"), (True, "henderson-field"), (True, "truk-port")])
def test_submarine_command_needs_a_linked_port_of_its_side(linked: bool, port: str) -> None:
    """Check 5.1.J [14.6]."""
    table = change(until(campaign(), "5.1.J"), "noumea-port", "linked", linked)
    order = says(ALLIES, "build-submarine-command", unit="task-force-42", port=port)
    table.when(order).then_refused(rule="5.1.J [14.6]")


def test_link_of_one_side_is_not_paid_by_the_other() -> None:
    """Check 5.1.J [11.7]."""
    table = until(campaign(), "5.1.J")
    for seat, headquarters in ((JAPAN, "combined-fleet"), (ALLIES, "combined-fleet")):
        table.when(says(seat, "pay-link", link="henderson-link", headquarters=headquarters)).then_refused(
            "unit-of-another-side", rule="5.1.J"
        )
    table.play(says(ALLIES, "pay-link", link="henderson-link", headquarters="south-pacific"))


@pytest.mark.parametrize(
    ("seat", "unit", "at", "fits"),
    [
        (JAPAN, "mogami", "truk", True),
        (JAPAN, "mogami", "rabaul", False),
        (JAPAN, "mogami", "pearl-harbor", False),
        (ALLIES, "saratoga", "pearl-harbor", True),
        (ALLIES, "saratoga", "noumea", False),
        (ALLIES, "saratoga", "truk", False),
    ],
)
def test_ship_is_repaired_in_its_docks_and_allies_in_boxes(seat: str, unit: str, at: str, fits: bool) -> None:
    """Check 5.1.K [15.1]."""
    table = until(campaign(), "5.1.K")
    if table.game.units[unit].at != at:
        goes(table, unit, at)
    table.when(says(seat, "repair-ship", unit=unit))
    judged(table, fits, "5.1.K")


@pytest.mark.parametrize(("steps", "fits"), [(1, True), (2, False)])
def test_steps_up_to_the_schedule_are_introduced(steps: int, fits: bool) -> None:
    """Check 5.1.L [16.0]: Japan has one ground step in the first month."""
    table = change(until(campaign(), "5.1.L"), "ichiki", "full_steps", 9)
    table.when(says(JAPAN, "replace-steps", unit="ichiki", steps=steps))
    judged(table, fits, "5.1.L")


def test_steps_of_one_arm_do_not_fill_the_other() -> None:
    """Check 5.1.L [16.0]: no air step is scheduled."""
    table = until(campaign(), "5.1.L")
    table.when(says(JAPAN, "replace-steps", unit="rabaul-air", steps=1)).then_refused(
        "too-many-steps", rule="5.1.L [16.0]"
    )


def test_air_unit_does_not_break_down() -> None:
    """Check 5.1.L [16.9]: only ground units break down."""
    table = until(campaign(), "5.1.L")
    table.when(says(JAPAN, "break-down", unit="rabaul-air", into={"a": 1, "b": 1})).then_refused(
        "not-on-map", rule="5.1.L [16.9]"
    )


@pytest.mark.parametrize(
    ("seat", "linked", "fits"), [(ALLIES, True, True), (ALLIES, False, False), (JAPAN, True, False)]
)
def test_base_is_repaired_linked_and_by_its_owner(seat: str, linked: bool, fits: bool) -> None:
    """Check 5.1.M [17.1.A]."""
    table = change(until(campaign(), "5.1.M"), "henderson-field", "linked", linked)
    table.when(says(seat, "repair-base", unit="henderson-field"))
    judged(table, fits, "5.1.M")


@pytest.mark.parametrize(("submarines", "fits"), [(2, True), (3, False)])
def test_patrols_have_the_submarines_of_the_commands(submarines: int, fits: bool) -> None:
    """Check 5.1.N [25.0]: the sixth fleet has two; units on patrol are removed first."""
    table = until(campaign(), "5.1.N")
    assert table.game.units["i-boats"].fate
    more = {"at": "san-cristobal", "submarines": submarines, "headquarters": "combined-fleet"}
    table.when(says(JAPAN, "place-patrol", unit="i-boats", **more))
    judged(table, fits, "5.1.N")


def test_patrol_without_points_to_pay_it_is_refused() -> None:
    """Check 5.1.N: players pay to activate them."""
    table = until(campaign(), "5.1.N")
    order = {"unit": "i-boats", "at": "san-cristobal", "submarines": 1}
    table.when(says(JAPAN, "place-patrol", headquarters="eighth-fleet", **order)).then_refused(
        "command-points-too-few", rule="5.1.N [25.0]"
    )
    table.play(says(JAPAN, "place-patrol", headquarters="combined-fleet", **order))


# --- 5.1.O: bidding ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("points", "fits"), [(20, True), (21, False)])
def test_bid_of_all_points_is_the_most(points: int, fits: bool) -> None:
    """Check 5.1.O [18.0]."""
    table = until(campaign(), "5.1.O/bid").when(says(JAPAN, "bid", points=points))
    judged(table, fits, "5.1.O")


@pytest.mark.parametrize("first", [JAPAN, ALLIES])
@pytest.mark.parametrize(("japan", "allies", "player"), [(1, 0, JAPAN), (0, 1, ALLIES), (5, 6, ALLIES), (6, 5, JAPAN)])
def test_higher_bid_wins_in_either_typing_order(first: str, japan: int, allies: int, player: str) -> None:
    """Check 5.1.O: the winner alone receives a free Offensive Support Base."""
    orders = [says(JAPAN, "bid", points=japan), says(ALLIES, "bid", points=allies)]
    table = until(campaign(), "5.1.O/bid").play(*(orders if first == JAPAN else reversed(orders)))
    assert table.game.markers["operation_player"] == player
    assert {side: table.game.accounts.get(f"osb/{side}", 0) for side in (JAPAN, ALLIES)} == {
        JAPAN: int(player == JAPAN),
        ALLIES: int(player == ALLIES),
    }


@pytest.mark.parametrize(("pip", "player"), [(5, JAPAN), (6, ALLIES)])
def test_tied_bids_at_the_edge_of_a_row_are_that_row(pip: int, player: str) -> None:
    """Check 5.1.O [18.0]: equal bids have no winner before the table is rolled on."""
    table = until(campaign(), "5.1.O/tie", plan=bids(3, 3))
    assert not table.game.markers.get("operation_player")
    table.when(says(ALLIES, "break-tie", pip)).then(MarkerSet, marker="operation_player", after=player)
    table.then(MarkerSet, marker="tie_won_by", before=None, after=player, cause=f"roll {pip}", rule="5.1.O [18.0]")


def test_new_operation_resets_the_hexes_of_ships_that_moved() -> None:
    """Check 5.1.P: one unit has moved 3 hexes and one 0 hexes in the operation before, and the others none."""
    table = until(campaign(), "5.1.O/bid")
    ship, idle, *others = table.game.in_play()
    assert others
    for unit, hexes in ((ship, 3), (idle, 0)):
        table.given(UnitChanged(unit=unit.id, attribute="gone", before=None, after=hexes))
    table.play(says(JAPAN, "bid", points=1)).when(says(ALLIES, "bid", points=0)).then_accepted()
    reset = [one for one in table.events if isinstance(one, UnitChanged) and one.attribute == "gone"]
    assert [(one.unit, one.before, one.after) for one in reset] == [(ship.id, 3, 0)]


def test_months_without_bids_end_one_by_one() -> None:
    """Check 5.4/when/c: no operation, no free base, the marker on Month Begin; the game ends after the last month."""
    table = until(campaign(), "5.1.O/bid")
    for month in (1, 2):
        assert (table.game.number("month"), table.game.number("operation")) == (month, 0)
        table.play(says(ALLIES, "bid", points=0), says(JAPAN, "bid", points=0))
        assert (table.game.number("month"), table.game.number("day")) == (month + 1, 0)
        until(table, "5.1.O/bid")
    assert not any(table.game.accounts.get(f"osb/{side}") for side in (JAPAN, ALLIES))
    table.play(says(ALLIES, "bid", points=0))
    table.when(says(JAPAN, "bid", points=0)).then(GameEnded)


def test_bids_are_made_again_after_a_rewind() -> None:
    """Check 5.1.O: the base that the first winner received is gone, too."""
    table = until(campaign(), "5.1.P/activate", plan=bids(5, 2))
    table.when(says("referee", "rewind", to="5.1.O/bid", why="a bid was misread"))
    table.then_open("5.1.O/bid")
    assert (table.game.accounts.get("osb/japan", 0), table.game.number("operation")) == (0, 0)
    table.play(says(JAPAN, "bid", points=1), says(ALLIES, "bid", points=2))
    assert (table.game.markers["operation_player"], table.game.number("bid")) == (ALLIES, 2)


def test_winner_of_the_second_operation_receives_a_base_again() -> None:
    """Check 5.1.O: whenever a player becomes the Operation player."""
    table = operation(campaign(), "chokai", bid=5)
    change(table, "1st-marine-division", "activated", False)
    table.play(says(JAPAN, "remove", unit="chokai", fate="sunk"))
    until(table, "5.1.P/activate", plan=bids(4, 0))
    assert (table.game.number("operation"), table.game.accounts["osb/japan"]) == (2, 2)


# --- 5.1.P to 5.1.T ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bid", "fits"), [(6, False), (7, True)])
def test_units_that_cost_the_bid_exactly_are_activated(bid: int, fits: bool) -> None:
    """Check 5.1.P [20.1]: Shokaku 4 and Hiei 3."""
    table = until(campaign(), "5.1.P/activate", plan=bids(bid, 0))
    table.when(says(JAPAN, "activate", units=["shokaku", "hiei"], headquarters="combined-fleet"))
    judged(table, fits, "5.1.P")


def test_headquarters_of_the_enemy_pays_for_no_unit() -> None:
    """Check 5.1.P [20.1]; units of the enemy are not activated either."""
    table = until(campaign(), "5.1.P/activate", plan=bids(9, 0))
    for units, headquarters in ((["chokai"], "south-pacific"), (["portland"], "combined-fleet")):
        table.when(says(JAPAN, "activate", units=units, headquarters=headquarters)).then_refused(
            "unit-of-another-side", rule="5.1.P [20.1]"
        )


def test_eleventh_point_in_m_costs_a_headquarters_operation() -> None:
    """Check 20.2.5: strictly above ten Activation Points, of P and M together."""
    table = operation(campaign(), "shokaku", "hiei", "chokai", "ichiki", bid=20)
    until(table, "5.2.M").play(says(JAPAN, "activate", units=["tokyo-express"], headquarters="combined-fleet"))
    assert (table.game.accounts["activation/japan"], table.game.accounts["spent/japan"]) == (11, 11 + 4)


@pytest.mark.parametrize(("seat", "code"), [(JAPAN, "wait-for-side"), (ALLIES, "not-allowed-now")])
def test_condition_before_it_is_determined_is_not_revealed(seat: str, code: str) -> None:
    """Check 5.1.Q: the Reaction player alone knows it until R."""
    plan = {**bids(9, 0), "5.1.P/activate": [says(JAPAN, "activate", units=["chokai"], headquarters="combined-fleet")]}
    table = until(campaign(), "5.1.Q", plan=plan)
    table.when(says(seat, "reveal-condition")).then_refused(code, rule="5.1.Q")


@pytest.mark.parametrize(("pip", "forces"), [(3, False), (4, True)])
def test_condition_at_the_edge_of_a_row_is_that_row(pip: int, forces: bool) -> None:
    """Check 5.1.Q, 5.1.R [23.5]: the Allied level adds 1; from 5 on the Reaction player may end the phase."""
    plan = {**bids(9, 0), "5.1.P/activate": [says(JAPAN, "activate", units=["chokai"], headquarters="combined-fleet")]}
    table = until(campaign(), "5.1.Q", plan=plan).play(says(ALLIES, "determine-condition", pip))
    until(table, "5.1.R/move").when(says(JAPAN, "reveal-condition")).then_refused("step-of-another-side", rule="5.1.R")
    table.play(says(ALLIES, "reveal-condition")).when(says(ALLIES, "force-end"))
    judged(table, forces, "5.1.R [23.5]")


@pytest.mark.parametrize(("days", "month"), [(4, 1), (5, 2)])
def test_day_31_of_the_contact_phase_is_the_next_month(days: int, month: int) -> None:
    """Check 5.4/when/a: from the 26th, play continues on day 30, but not on Month Begin."""
    table = operation(campaign(), "chokai").play(says(JAPAN, "advance-day", days=days))
    assert table.game.number("month") == month
    assert table.game.number("day") == (30 if month == 1 else 0)


def test_operation_player_neither_moves_nor_sails_in_t() -> None:
    """Check 5.1.T [23.5.1]; days do not pass either."""
    table = until(operation(campaign(), "chokai"), "5.1.S")
    table.play(says(ALLIES, "activate", units=["cactus-air"], headquarters="south-pacific"))
    until(table, "5.1.T/move")
    for order in (says(JAPAN, "move", unit="chokai", path=["buin"]), says(JAPAN, "advance-day", days=1)):
        table.when(order).then_refused(rule="5.1.T")
    table.when(says(ALLIES, "advance-day", days=1)).then_refused("not-allowed-now", rule="5.1.T")


def test_month_ends_after_a_rewind_as_it_did() -> None:
    """Check 5.4: the Month marker goes back and forth with the Day marker."""
    table = operation(campaign(), "chokai").play(says(JAPAN, "advance-day", days=5))
    assert (table.game.number("month"), table.game.markers["operation_state"]) == (2, "suspended")
    table.play(says("referee", "rewind", to="5.1.R/move", why="he had not sailed so far"))
    assert (table.game.number("month"), table.game.number("day")) == (1, 26)
    assert table.game.markers["operation_state"] == "under way"
    table.play(says(JAPAN, "advance-day", days=4)).then_open("5.1.R/move", "5.1.R/search", "5.1.R/condition")
