"""Check War Galley, E.1: movement, and the actions of ships against each other on the way."""

import pytest

from tests.face.domain import (
    DIRECTIONS,
    DiceRolled,
    Game,
    RulingMade,
    UnitChanged,
    UnitMoved,
    UnitRemoved,
    board,
    direction,
    neighbour,
    war_galley_hexes_distance as distance,
    war_galley_TITLE as TITLE,
)
from tests.face.projections import picture_of, sentence, turn_view
from tests.face.testing import Story
from tests.titles.federation_table import figures
from tests.titles.war_galley_table import (
    BASE,
    battle,
    change,
    flag,
    says,
    ship,
    to_command,
    to_levels,
    to_movement,
)

HIT = {"ship": "athens-1", "loses": "crew"}


def column(**more: object) -> Story:
    """Put a Syracusan two hexes from two Athenians; the first squadron of Athens may move at cruise speed 4."""
    return battle(
        flag("athens-1", "0505", "left", **more),
        ship("athens-2", "0605"),
        ship("athens-3", "1915"),
        flag("syracuse-1", "0503", "foe"),
    )


def moving(**more: object) -> Story:
    return to_movement(column(**more), "left")


def bearing_on_the_map(game: Game, unit: str) -> float | None:
    return picture_of(game, board(game), called="g").bearings.get(unit)


class TestHexes:
    @pytest.mark.parametrize("way", DIRECTIONS)
    def test_six_neighbours_and_back_again(self, way: str) -> None:
        for at in ("0505", "0605"):
            beside = neighbour(at, way)
            assert distance(at, beside) == 1
            assert direction(at, beside) == way

    def test_even_column_is_half_a_hex_lower(self) -> None:
        assert neighbour("0505", "SE") == "0605"
        assert neighbour("0605", "NE") == "0705"

    def test_grid_ends_at_its_first_row_and_column(self) -> None:
        assert (neighbour("0101", "N"), neighbour("0101", "NE"), neighbour("0101", "NW")) == ("", "", "")

    def test_distance_counts_hexes(self) -> None:
        assert (distance("0505", "0505"), distance("0505", "0508"), distance("0505", "0905")) == (0, 3, 4)


class TestE1Movement:
    def test_move_records_the_whole_path(self) -> None:
        table = moving().when(says("athens", "move-ship", ship="athens-1", path=["0506", "0507", "0607"]))
        table.then(UnitMoved, unit="athens-1", path=("0505", "0506", "0507", "0607"), rule="E.1")

    def test_move_with_the_starting_hex_is_accepted(self) -> None:
        table = moving().when(says("athens", "move-ship", ship="athens-1", path=["0505", "0506"]))
        table.then(UnitMoved, path=("0505", "0506"))

    def test_facing_given_in_a_move_is_recorded(self) -> None:
        """Show the facing on the map, although no rule of the summary asks for it."""
        table = moving().when(says("athens", "move-ship", ship="athens-1", path=["0506"], facing="SE"))
        table.then(UnitChanged, unit="athens-1", attribute="facing", after="SE", rule="E.1")
        assert bearing_on_the_map(table.game, "athens-1") == 120, "the side of a flat hex, not a quarter of the compass"
        table = moving(facing="N").when(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        assert bearing_on_the_map(table.game, "athens-1") == 0, "it stays as it was"

    def test_facing_that_is_not_a_hex_side_is_refused(self) -> None:
        table = moving().when(says("athens", "move-ship", ship="athens-1", path=["0506"], facing="E"))
        table.then_refused(
            "unreadable-order",
            rule="order",
            name="move-ship",
            error="Invalid enum value 'E' - at `$.facing`",
            title="war-galley",
        )

    def test_every_hex_of_the_way_must_be_named(self) -> None:
        table = moving().when(says("athens", "move-ship", ship="athens-1", path=["0507"]))
        table.then_refused("not-neighbours", rule="War Galley E.1", one="0505", other="0507")

    @pytest.mark.parametrize("at", ["0517", "2101", "0500", "harbour"])
    def test_move_off_the_map_is_refused(self, at: str) -> None:
        table = moving().when(says("athens", "move-ship", ship="athens-1", path=[at]))
        table.then_refused("no-such-hex", rule="E.1")

    def test_cruise_speed_is_the_limit(self) -> None:
        path = ["0506", "0507", "0508", "0509", "0510"]
        table = moving().when(says("athens", "move-ship", ship="athens-1", path=path))
        table.then_refused("path-too-long", rule="E.1 [6.22]", limit=4)

    def test_maximum_speed_goes_farther(self) -> None:
        path = ["0506", "0507", "0508", "0509", "0510", "0511"]
        table = to_movement(column(), "left", level="maximum")
        table.when(says("athens", "move-ship", ship="athens-1", path=path)).then(UnitMoved, unit="athens-1")
        table.when(says("athens", "move-ship", ship="athens-2", path=["0505", *path])).then_refused(
            "path-too-long", rule="E.1", limit=6
        )

    def test_move_of_a_ship_twice_a_turn_is_refused(self) -> None:
        table = moving().play(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        table.when(says("athens", "move-ship", ship="athens-1", path=["0507"])).then_refused(
            "moved-already", rule="E.1", others="athens-2"
        )

    def test_going_nowhere_is_not_a_move(self) -> None:
        moving().when(says("athens", "move-ship", ship="athens-1", path=["0505"])).then_refused(
            "already-there", rule="E.1", at="0505"
        )

    def test_move_of_a_fouled_ship_is_refused(self) -> None:
        table = column()
        change(table, "athens-2", "fouled", ("syracuse-1",))
        to_movement(table, "left").when(says("athens", "move-ship", ship="athens-2", path=["0606"]))
        table.then_refused(
            "cannot-move",
            rule="E.1 [8.35]",
            says="syracuse-1",
            do="G.1",
            reason="fouled",
        )

    def test_move_of_a_grappled_ship_requires_casting_off(self) -> None:
        table = column()
        change(table, "athens-2", "grappled", ("syracuse-1",))
        change(table, "syracuse-1", "grappled", ("athens-2",))
        to_movement(table, "left").when(says("athens", "move-ship", ship="athens-2", path=["0606"]))
        table.then_refused(
            "cannot-move",
            rule="E.1",
            says="syracuse-1",
            do="`cast-off`",
            reason="grappled",
        )
        table.play(says("athens", "cast-off", ship="athens-2", target="syracuse-1"))
        assert table.game.units["syracuse-1"].get("grappled") == ()
        table.when(says("athens", "move-ship", ship="athens-2", path=["0606"])).then(UnitMoved, unit="athens-2")

    def test_move_of_a_ship_aground_is_refused(self) -> None:
        table = moving().play(says("athens", "run-aground", ship="athens-1"))
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506"])).then_refused(
            "cannot-move", rule="E.1", says="athens-1", do="`stay`", reason="aground"
        )

    def test_only_ships_of_the_active_squadron_move(self) -> None:
        table = moving().when(says("athens", "move-ship", ship="athens-3", path=["1914"]))
        table.then_refused("not-in-acting-squadron", rule="E.1", squadron="athens-1, athens-2")

    def test_move_of_an_enemy_ship_is_refused(self) -> None:
        table = moving().when(says("athens", "move-ship", ship="syracuse-1", path=["0502"]))
        table.then_refused("ship-of-other-side", rule="E.1", side="Syracuse")

    def test_move_in_the_turn_of_the_enemy_is_refused(self) -> None:
        table = moving().when(says("syracuse", "move-ship", ship="syracuse-1", path=["0502"]))
        table.then_refused("step-of-another-side", rule="E.1", seat="syracuse", sides="Athens")

    def test_move_of_an_unknown_ship_is_refused(self) -> None:
        moving().when(says("athens", "move-ship", ship="argo", path=["0502"])).then_refused(
            "no-such-unit", rule="E.1", unit="argo", near="athens-1, athens-2, athens-3, syracuse-1"
        )


class TestE1Staying:
    def test_segment_ended_before_all_ships_have_moved_is_refused(self) -> None:
        table = moving().play(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        table.when(says("athens", "done")).then_refused(
            "orders-required", rule="E.1", says="`stay`: athens-2", orders=("move-ship", "stay")
        )

    def test_staying_is_declared_for_all_who_have_not_moved(self) -> None:
        table = moving().play(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        table.when(says("athens", "stay")).then(UnitChanged, unit="athens-2", attribute="moved", after=1)
        table.then_not(UnitChanged, unit="athens-1")
        table.when(says("athens", "done")).then_accepted()

    def test_move_of_a_ship_that_stayed_is_refused(self) -> None:
        table = moving().play(says("athens", "stay", ships=["athens-1"]))
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506"])).then_refused(
            "moved-already", rule="E.1", others="athens-2"
        )

    def test_stay_of_a_ship_that_moved_is_refused(self) -> None:
        table = moving().play(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        table.when(says("athens", "stay", ships=["athens-1"])).then_refused("cannot-stay-after-move", rule="E.1")

    def test_stay_without_remaining_ships_is_refused(self) -> None:
        table = moving().play(says("athens", "stay"))
        table.when(says("athens", "stay")).then_refused("all-moved", rule="E.1")

    def test_ship_that_cannot_move_needs_no_stay(self) -> None:
        table = column()
        for name in ("athens-1", "athens-2"):
            change(table, name, "fouled", ("syracuse-1",))
        to_movement(table, "left").when(says("athens", "done")).then_accepted()


class TestE1Sails:
    def test_raised_sails_before_the_wind_add_one_hex_at_cruise(self) -> None:
        table = to_movement(column(sails_up=True), "left")  # the wind blows south
        path = ["0506", "0507", "0508", "0509", "0510"]
        table.when(says("athens", "move-ship", ship="athens-1", path=path)).then(UnitMoved, unit="athens-1")

    def test_not_across_the_wind(self) -> None:
        table = to_movement(column(sails_up=True), "left")
        path = ["0506", "0507", "0508", "0509", "0609"]
        table.when(says("athens", "move-ship", ship="athens-1", path=path)).then_refused(
            "path-too-long", rule="E.1", limit=4
        )

    def test_setting_sails_costs_one_hex(self) -> None:
        table = moving().play(says("athens", "set-sails", ship="athens-1", to="up"))
        path = ["0605", "0706", "0806", "0907"]
        table.when(says("athens", "move-ship", ship="athens-1", path=path)).then_refused(
            "path-too-long", rule="E.1", limit=3
        )

    @pytest.mark.parametrize(
        ("attribute", "value", "reason"),
        [
            ("natural_sails", True, "natural-sails"),
            ("masts_down", True, "masts-down"),
            ("moved", 1, "acted-already"),
            ("sails_up", True, "set-so-already"),
        ],
    )
    def test_sails_raised_by_an_unable_ship_are_refused(self, attribute: str, value: bool | int, reason: str) -> None:
        table = moving()
        change(table, "athens-1", attribute, value)
        table.when(says("athens", "set-sails", ship="athens-1", to="up")).then_refused(
            "cannot-set-sails", rule="E.1", says="athens-1", reason=reason
        )

    def test_sails_are_raised_at_cruise_speed_only(self) -> None:
        table = to_movement(column(), "left", level="maximum")
        table.when(says("athens", "set-sails", ship="athens-1", to="up")).then_refused(
            "cannot-set-sails", rule="E.1", says="athens-1", do="D", reason="maximum-speed"
        )

    def test_ship_with_natural_sails_moves_at_the_wind_speed(self) -> None:
        table = to_movement(column(natural_sails=True, cruise=1), "left")  # wind speed 4
        path = ["0506", "0507", "0508", "0509"]
        table.when(says("athens", "move-ship", ship="athens-1", path=[*path, "0510"])).then_refused(
            "path-too-long", rule="E.1", says="4", limit=4
        )
        table.when(says("athens", "move-ship", ship="athens-1", path=path)).then(UnitMoved, unit="athens-1")


class TestCapturedShipsMove:
    def prize(self, wind: tuple[int, int], **more: object) -> Story:
        """Give Athens the prize `athens-2`, in the squadron that may move."""
        table = battle(flag("athens-1", "0505", "left"), ship("athens-2", "0605", **more), ship("syracuse-1", "1915"))
        change(table, "athens-2", "captured_by", "athens")
        table.play(says("athens", "roll-wind", *wind), says("syracuse", "roll-initiative", 1))
        table.play(says("athens", "roll-initiative", 6), says("athens", "name-first", side="athens"))
        for side, squadron in (("athens", "left"), ("syracuse", "syracuse-1")):
            table.play(says(side, "pick", member=squadron), says(side, "set-levels", level="cruise"))
        return table.play(says("athens", "pick", member="left"))

    def test_under_sail_it_goes_half_the_wind(self) -> None:
        table = self.prize((3, 4), natural_sails=True)  # speed 4
        table.when(says("athens", "move-ship", ship="athens-2", path=["0606", "0607", "0608"])).then_refused(
            "path-too-long", rule="E.1", says="4", limit=2
        )
        table.when(says("athens", "move-ship", ship="athens-2", path=["0606", "0607"])).then(UnitMoved)
        table.then_not(RulingMade)

    def test_half_of_an_odd_wind_is_rounded_up_with_a_ruling(self) -> None:
        table = self.prize((1, 2), natural_sails=True)  # speed 3
        table.when(says("athens", "move-ship", ship="athens-2", path=["0606", "0607"]))
        ruling = table.then(RulingMade, rule="E.2")
        assert "athens-2" in ruling.ruling
        assert figures(ruling.ruling.replace("athens-2", "")) == ["3", "2"]

    def test_under_oars_it_cruises(self) -> None:
        table = self.prize((3, 4))
        change(table, "athens-2", "level", "maximum")
        path = ["0606", "0607", "0608", "0609", "0610"]
        table.when(says("athens", "move-ship", ship="athens-2", path=path)).then_refused(
            "path-too-long", rule="E.1", limit=4
        )


class TestE1Ramming:
    def alongside(self) -> Story:
        """Put `athens-1` next to `syracuse-1`, `athens-2` three hexes off, `syracuse-2` between them."""
        return to_movement(
            battle(
                flag("athens-1", "0504", "left"),
                ship("athens-2", "0605"),
                flag("syracuse-1", "0503", "foe"),
                ship("syracuse-2", "0604"),
            ),
            "left",
        )

    def test_ram_is_recorded_with_the_side_that_counts_it(self) -> None:
        table = self.alongside().when(says("athens", "ram", ship="athens-1", target="syracuse-1"))
        table.then(
            UnitChanged, unit="syracuse-1", attribute="rammed", after=True, cause="rammed by athens-1", rule="E.1"
        )
        table.then(UnitChanged, unit="syracuse-1", attribute="worth_to", after="athens")

    def test_ram_of_a_distant_ship_is_refused(self) -> None:
        self.alongside().when(says("athens", "ram", ship="athens-2", target="syracuse-1")).then_refused(
            "not-adjacent", rule="E.1", given=3, target_at="0503"
        )

    def test_ram_of_an_own_ship_is_refused(self) -> None:
        self.alongside().when(says("athens", "ram", ship="athens-1", target="athens-2")).then_refused(
            "own-ship", rule="E.1"
        )

    def test_ram_of_a_rammed_ship_is_refused(self) -> None:
        table = self.alongside().play(says("athens", "ram", ship="athens-1", target="syracuse-1"))
        table.when(says("athens", "ram", ship="athens-1", target="syracuse-1")).then_refused(
            "rammed-already", rule="E.1"
        )

    @pytest.mark.parametrize("tie", ["fouled", "grappled"])
    def test_ram_by_a_fouled_or_grappled_ship_is_refused(self, tie: str) -> None:
        table = self.alongside()
        change(table, "athens-1", tie, ("syracuse-2",))
        table.when(says("athens", "ram", ship="athens-1", target="syracuse-1")).then_refused(
            "cannot-ram", rule="[8.35]", says="syracuse-2", reason=tie
        )

    def test_grappling_ties_both_ships(self) -> None:
        table = self.alongside().when(says("athens", "grapple", ship="athens-1", target="syracuse-1"))
        table.then(UnitChanged, unit="athens-1", attribute="grappled", after=("syracuse-1",))
        table.then(UnitChanged, unit="syracuse-1", attribute="grappled", after=("athens-1",))
        table.when(says("athens", "grapple", ship="athens-1", target="syracuse-1")).then_refused(
            "grappled-already", rule="E.1"
        )

    def test_grapple_of_a_distant_ship_is_refused(self) -> None:
        self.alongside().when(says("athens", "grapple", ship="athens-2", target="syracuse-1")).then_refused(
            "not-adjacent", rule="E.1", given=3
        )

    def test_collision_fouls_both_and_brings_raised_sails_down(self) -> None:
        table = self.alongside()
        change(table, "athens-1", "sails_up", True)
        table.when(says("athens", "foul", ship="athens-1", target="syracuse-1"))
        table.then(UnitChanged, unit="syracuse-1", attribute="fouled", after=("athens-1",))
        table.then(UnitChanged, unit="athens-1", attribute="sails_up", after=False)
        table.then(UnitChanged, unit="athens-1", attribute="masts_down", after=True)
        table.then_not(UnitChanged, unit="syracuse-1", attribute="masts_down")

    def test_friends_can_collide_but_no_ship_with_itself(self) -> None:
        table = self.alongside().play(says("athens", "move-ship", ship="athens-2", path=["0505"]))
        table.when(says("athens", "foul", ship="athens-1", target="athens-1")).then_refused("same-ship", rule="E.1")
        table.play(says("athens", "foul", ship="athens-1", target="athens-2"))
        table.when(says("athens", "foul", ship="athens-1", target="athens-2")).then_refused(
            "fouled-already", rule="E.1"
        )

    def test_only_what_is_grappled_is_cast_off(self) -> None:
        self.alongside().when(says("athens", "cast-off", ship="athens-1", target="syracuse-1")).then_refused(
            "grappled-to-others", rule="E.1", target="syracuse-1", tied="nobody"
        )

    def test_ship_run_aground_twice_is_refused(self) -> None:
        table = self.alongside().play(says("athens", "run-aground", ship="athens-1"))
        assert table.game.units["athens-1"].get("worth_to") == "syracuse"
        table.when(says("athens", "run-aground", ship="athens-1")).then_refused("aground-already", rule="E.1")

    def test_enemy_set_on_fire_twice_is_refused(self) -> None:
        table = self.alongside().when(says("athens", "set-fire", ship="athens-1", target="syracuse-1"))
        assert "athens-1" in table.then(UnitChanged, unit="syracuse-1", attribute="fire", after=True).cause
        table.when(says("athens", "set-fire", ship="athens-1", target="syracuse-1")).then_refused(
            "burns-already", rule="E.1"
        )

    def test_only_a_ship_in_contact_sets_another_on_fire(self) -> None:
        table = self.alongside().when(says("athens", "set-fire", ship="athens-2", target="syracuse-1"))
        table.then_refused("too-far", rule="E.1", says="athens-2", given=3, name="missile-range", limit=1)

    @pytest.mark.parametrize(("reach", "hexes", "taken"), [(2, 2, True), (2, 3, False), (0, 9, True), (1, 1, True)])
    def test_missile_range_of_the_scenario_limits_fire_and_hits(self, reach: int, hexes: int, taken: bool) -> None:
        """War Galley E.1: the page prints no range, so the number is declared, and 0 means no limit."""
        numbers = {"missile-range": {"value": reach, "source": "the group's copy"}}
        fleet = (flag("athens-1", "0505", "own"), ship("syracuse-1", f"{5 + hexes:02}05"))
        for order in (
            {"order": "hit", "ship": "syracuse-1", "loses": "crew"},
            {
                "order": "set-fire",
                "ship": "athens-1",
                "target": "syracuse-1",
            },
        ):
            table = to_movement(battle(*fleet, numbers=numbers), "own").when({"as": "athens", **order})
            if taken:
                table.then(UnitChanged, unit="syracuse-1", rule="E.1")
            else:
                table.then_refused(
                    "too-far",
                    rule="E.1",
                    given=hexes,
                    name="missile-range",
                    limit=reach,
                )

    def test_hit_without_a_ship_in_contact_is_refused(self) -> None:
        table = battle(flag("athens-1", "0505", "own"), ship("syracuse-1", "0515"))
        table = to_movement(table, "own").when(says("athens", "hit", ship="syracuse-1", loses="crew"))
        table.then_refused("too-far", rule="E.1", given=10, name="missile-range", limit=1, at="0515")
        table.when(says("athens", "hit", ship="athens-1", loses="crew", cause="oars raked")).then(
            UnitChanged, unit="athens-1", attribute="crew", before=4, after=3, cause="oars raked"
        )

    def test_losses_are_taken_from_crew_or_manpower_down_to_0(self) -> None:
        table = self.alongside().when(says("athens", "hit", ship="syracuse-1", loses="manpower", amount=2))
        table.then(UnitChanged, unit="syracuse-1", attribute="manpower", before=2, after=0)
        table.when(says("athens", "hit", ship="syracuse-1", loses="manpower")).then_refused(
            "nothing-to-lose", rule="E.1", limit=0
        )

    def test_roll_for_a_table_that_is_not_printed_is_recorded(self) -> None:
        table = self.alongside().when(says("athens", "roll", 2, 6, dice="2d6", purpose="ramming syracuse-1"))
        table.then(DiceRolled, purpose="ramming syracuse-1", total=8)

    def test_fatigue_is_recorded_in_squadron_movement_too(self) -> None:
        table = self.alongside().when(says("athens", "tire", ships=["athens-1", "athens-2"], counters=2))
        table.then(UnitChanged, unit="athens-2", attribute="fatigue", after=2, rule="E.1")


class TestEDoubleActivation:
    def fleet(self, apart: str = "0805", **more: object) -> Story:
        """Give Athens an Admiral at 0505 who commands to 3 hexes, and another commander at `apart`."""
        return to_command(
            battle(
                flag("athens-1", "0505", "own", admiral=True, command_range=3, **more),
                flag("athens-2", apart, "other"),
                flag("syracuse-1", "1515", "foe"),
            )
        )

    def test_success_activates_both_squadrons(self) -> None:
        table = self.fleet().play(says("athens", "pick", member="other")).then_open("E.double")
        table.when(says("athens", "activate-both", 4))
        table.then(DiceRolled, table="double-activation", outcome="success", rule="E [6.18]")
        table.play(says("athens", "move-ship", ship="athens-1", path=["0506"]))
        table.play(says("athens", "move-ship", ship="athens-2", path=["0806"]), says("athens", "done"))
        table.play(says("syracuse", "pick", member="foe"), says("syracuse", "stay"))
        table.when(says("syracuse", "done")).then_open("A")  # no squadron is left: both have gone

    def test_double_activation_failed_moves_the_admiral_later(self) -> None:
        table = self.fleet().play(says("athens", "pick", member="other"))
        table.when(says("athens", "activate-both", 3)).then(DiceRolled, outcome="failure")
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506"])).then_refused(
            "not-in-acting-squadron", rule="E.1"
        )
        table.play(says("athens", "stay"), says("athens", "done"), says("syracuse", "pick", member="foe"))
        table.play(says("syracuse", "stay"), says("syracuse", "done"))
        table.when(says("athens", "pick", member="own")).then_open("E.1")

    def test_double_activation_is_optional(self) -> None:
        table = self.fleet().play(says("athens", "pick", member="other"))
        table.when(says("athens", "done")).then_open("E.1")

    def test_double_activation_out_of_range_is_not_offered(self) -> None:
        self.fleet("0905").when(says("athens", "pick", member="other")).then_open("E.1")

    def test_double_activation_with_the_own_squadron_is_not_offered(self) -> None:
        self.fleet().when(says("athens", "pick", member="own")).then_open("E.1")

    def test_double_activation_after_the_own_squadron_is_refused(self) -> None:
        table = self.fleet().play(says("athens", "pick", member="own"), says("athens", "stay"), says("athens", "done"))
        table.play(says("syracuse", "pick", member="foe"), says("syracuse", "stay"), says("syracuse", "done"))
        table.play(says("athens", "pick", member="other")).then_open("E.1")
        table.when(says("athens", "activate-both", 4)).then_refused(
            "no-double-activation", rule="E [6.18]", reason="admiral-has-acted"
        )

    def test_out_of_range_the_order_says_why_not(self) -> None:
        for squadron, named, reason in (("own", "", "none-in-range"), ("other", "other", "out-of-range")):
            table = self.fleet("0905").play(says("athens", "pick", member=squadron))
            table.when(says("athens", "activate-both", 4)).then_refused(
                "no-double-activation", rule="War Galley E [6.18]", says=named, reason=reason
            )

    def test_double_activation_from_the_own_squadron_succeeds(self) -> None:
        table = self.fleet().play(says("athens", "pick", member="own"))
        table.when(says("athens", "activate-both", 4)).then(DiceRolled, outcome="success", rule="E [6.18]")
        table.play(says("athens", "move-ship", ship="athens-2", path=["0806"]), says("athens", "stay"))
        table.play(says("athens", "done"), says("syracuse", "pick", member="foe"), says("syracuse", "stay"))
        table.when(says("syracuse", "done")).then_open("A")  # both have gone

    def test_double_activation_from_the_own_squadron_fails(self) -> None:
        table = self.fleet().play(says("athens", "pick", member="own"))
        table.when(says("athens", "activate-both", 3)).then(DiceRolled, outcome="failure")
        table.when(says("athens", "move-ship", ship="athens-1", path=["0506"])).then_refused(
            "not-in-acting-squadron", rule="E.1"
        )
        table.play(says("athens", "move-ship", ship="athens-2", path=["0806"]), says("athens", "done"))
        table.play(says("syracuse", "pick", member="foe"), says("syracuse", "stay"), says("syracuse", "done"))
        table.when(says("athens", "pick", member="other")).then_refused("no-such-member", rule="E", free=("own",))
        table.when(says("athens", "pick", member="own")).then_open("E.1")
        table.when(says("athens", "activate-both", 4)).then_refused(
            "no-double-activation", rule="E [6.18]", reason="none-in-range"
        )

    def test_double_activation_after_a_move_is_refused(self) -> None:
        table = self.fleet().play(says("athens", "pick", member="own"), says("athens", "stay"))
        table.when(says("athens", "activate-both", 4)).then_refused(
            "no-double-activation", rule="E [6.18]", reason="admiral-has-acted"
        )

    @pytest.mark.parametrize("first", ["set-sails", "tire", "hit"])
    def test_squadron_that_acted_without_moving_is_too_late(self, first: str) -> None:
        """War Galley E: the try decides which squadrons go, so nothing comes before it."""
        done = {"set-sails": {"ship": "athens-1", "to": "up"}, "tire": {"ships": ["athens-1"]}, "hit": HIT}[first]
        table = self.fleet().play(says("athens", "pick", member="own"), says("athens", first, **done))
        table.when(says("athens", "activate-both", 4)).then_refused(
            "no-double-activation", rule="E [6.18]", reason="admiral-has-acted"
        )

    @pytest.mark.parametrize(("picked", "told"), [("own", True), ("other", False)])
    def test_audit_of_a_failed_try_says_who_goes_instead(self, picked: str, told: bool) -> None:
        """War Galley E [6.18]: only if another squadron than the picked one acts."""
        table = self.fleet().play(says("athens", "pick", member=picked))
        table.when(says("athens", "activate-both", 3)).then_open("E.1")
        said = sentence(TITLE, table.game, "athens", {"order": "activate-both"}, list(table.events))
        assert ("other is next instead" in said) is told

    @pytest.mark.parametrize("picked", ["own", "other"])
    @pytest.mark.parametrize("moved", [False, True])
    def test_failed_double_activation_binds_until_it_passes(self, picked: str, moved: bool) -> None:
        """War Galley E [6.18]: the other squadron goes alone, before it moves and after it has moved."""
        table = self.fleet().play(says("athens", "pick", member=picked))
        table.when(says("athens", "activate-both", 3)).then_open("E.1").then(DiceRolled, outcome="failure")
        if moved:
            table.play(says("athens", "move-ship", ship="athens-2", path=["0806"]))
        for squadron in ("", "own", "other"):
            table.when(says("athens", "activate-both", 6, squadron=squadron))
            table.then_refused("no-double-activation", rule="E [6.18]", says="other", reason="attempt-over")
        offered = turn_view(TITLE, table.game, "athens", 1).allowed
        assert "activate-both" not in [one for line in offered for one in line.orders]

    def test_double_activation_declined_is_over_in_e1(self) -> None:
        """War Galley E [6.18]: `done` in E.double is the Admiral's answer for this squadron."""
        table = self.fleet().play(says("athens", "pick", member="other"), says("athens", "done")).then_open("E.1")
        table.when(says("athens", "activate-both", 6)).then_refused(
            "no-double-activation", rule="E [6.18]", says="other", reason="attempt-over"
        )

    def test_failed_double_activation_undone_may_be_tried_again(self) -> None:
        """After a rewind to before the try it is open as at first."""
        table = self.fleet().play(says("athens", "pick", member="own"))
        before = table.tip
        table.play(says("athens", "activate-both", 3), says("referee", "rewind", to=before, why="a die fell off"))
        table.when(says("athens", "activate-both", 6)).then(DiceRolled, outcome="success")

    @pytest.mark.parametrize(("outcome", "moves"), [("failure", "athens-2"), ("success", "athens-1")])
    def test_double_activation_read_off_the_book_is_one_try(self, outcome: str, moves: str) -> None:
        """War Galley E [6.18]: the roll that waits for its outcome is the try, and the outcome is still to be read."""
        tables = {**BASE["tables"], "double-activation": {"dice": "1d6", "by_the_book": "second edition"}}
        fleet = battle(
            flag("athens-1", "0505", "own", admiral=True, command_range=3),
            flag("athens-2", "0805", "other"),
            flag("syracuse-1", "1515", "foe"),
            tables=tables,
        )
        table = to_command(fleet).play(says("athens", "pick", member="own"), says("athens", "activate-both", 3))
        read = {"outcome": outcome, "source": "second edition"}
        table.play(says("athens", "activate-both", by_the_book=read), says("athens", "stay", ships=[moves]))
        table.when(says("athens", "activate-both", 6)).then_refused("no-double-activation", rule="E [6.18]")

    def test_double_activation_with_several_in_range_names_one(self) -> None:
        fleet = battle(
            flag("athens-1", "0505", "own", admiral=True, command_range=3),
            flag("athens-2", "0805", "right"),
            flag("athens-3", "0805", "left"),
            flag("syracuse-1", "1515", "foe"),
        )
        table = to_command(fleet).play(says("athens", "pick", member="own"))
        table.when(says("athens", "activate-both", 4)).then_refused(
            "squadron-not-named", rule="E [6.18]", possible=("right", "left")
        )
        table.when(says("athens", "activate-both", 4, squadron="foe")).then_refused(
            "not-with-admiral", rule="E [6.18]", squadron="foe"
        )
        table.when(says("athens", "activate-both", 4, squadron="left")).then(DiceRolled, outcome="success")
        table.when(says("athens", "move-ship", ship="athens-2", path=["0806"])).then_refused(
            "not-in-acting-squadron", rule="E.1"
        )
        table.when(says("athens", "move-ship", ship="athens-3", path=["0806"])).then_accepted()

    def test_double_activation_without_an_admiral_is_refused(self) -> None:
        table = to_command(
            battle(flag("athens-1", "0505", "own"), flag("athens-2", "0805", "other"), ship("syracuse-1", "1515"))
        )
        table.play(says("athens", "pick", member="other")).then_open("E.1")
        table.when(says("athens", "activate-both", 4)).then_refused(
            "no-double-activation", rule="E [6.18]", says="Athens", reason="no-admiral"
        )

    def test_double_activation_is_tried_again_with_a_third_squadron(self) -> None:
        fleet = battle(
            flag("athens-1", "0505", "own", admiral=True, command_range=4),
            flag("athens-2", "0805", "right"),
            flag("athens-3", "0805", "left"),
            ship("syracuse-1", "1515"),
        )
        table = to_command(fleet).play(says("athens", "pick", member="right"))
        table.when(says("athens", "activate-both", 1)).then(DiceRolled, outcome="failure")
        table.play(says("athens", "stay"), says("athens", "done"), says("athens", "pick", member="left"))
        table.when(says("athens", "activate-both", 6)).then(DiceRolled, outcome="success")


class TestE3TurnPasses:
    def test_turn_stays_if_the_opponent_has_no_squadron(self) -> None:
        table = to_levels(
            battle(
                flag("athens-1", "0505", "a1"),
                flag("athens-2", "1005", "a2"),
                flag("athens-3", "1505", "a3"),
                flag("syracuse-1", "1515", "s1"),
            )
        )
        for side, squadron in (("athens", "a1"), ("syracuse", "s1"), ("athens", "a2"), ("athens", "a3")):
            table.play(says(side, "pick", member=squadron), says(side, "set-levels", level="cruise"))
        for side, squadron in (("athens", "a1"), ("syracuse", "s1"), ("athens", "a2"), ("athens", "a3")):
            assert table.game.cursor.waiting() == (side,)
            table.play(says(side, "pick", member=squadron), says(side, "stay"), says(side, "done"))
        table.then_open("A")

    def test_squadron_picked_twice_a_turn_is_refused(self) -> None:
        table = to_command(
            battle(flag("athens-1", "0505", "a1"), flag("athens-2", "1005", "a2"), ship("syracuse-1", "1515"))
        )
        table.play(says("athens", "pick", member="a1"), says("athens", "stay"), says("athens", "done"))
        table.when(says("athens", "pick", member="a1")).then_refused(
            "no-such-member", rule="E.squadron", member="a1", free=("a2",)
        )

    def test_squadron_without_its_commander_stays_together(self) -> None:
        fleet = battle(flag("athens-1", "0505", "left"), ship("athens-2", "0506"), ship("syracuse-1", "1515"))
        table = to_command(fleet).given(UnitRemoved(unit="athens-1", fate="sunk"))
        table.play(says("athens", "pick", member="left"))
        table.when(says("athens", "move-ship", ship="athens-2", path=["0507"])).then(UnitMoved, unit="athens-2")
