"""Twilight Imperium, the tactical action up to the battle, and the transfer action."""

import re
from typing import Any

import msgspec
import pytest

from tests.face.domain import (
    AccountChanged,
    ChoiceRevealed,
    DiceRolled,
    MarkerSet,
    RestrictedEvent,
    StepPassed,
    UnitChanged as Changed,
    UnitMoved,
    UnitRemoved,
    twilight_imperium_3_TITLE as TITLE,
)
from tests.face.projections import sentence
from tests.face.testing import Story
from tests.naming import Naming
from tests.titles.twilight_imperium_3_table import activate, attack, galaxy, here, says, some, systems, unit


class TestTATacticalAction:
    def test_moves_landings_and_production_need_a_tactical_action(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"), unit("sol-space-dock-1", "jord"))
        for order in (
            says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "void"]),
            says("sol", "land-neutral", planet="quann", units=["sol-cruiser-1"]),
            says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 1}),
        ):
            table.when(order).then_refused("not-allowed-now", rule="AP.turn", orders=("take-action", "play-card"))

    def test_strategic_action_has_no_moves_or_landings(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"))
        table.play(says("sol", "take-action", action="strategic", card="Initiative"))
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "void"]))
        table.then_refused("not-allowed-now", rule="STRAT", order="move-ships", places=Naming("TA.2", "TR.2"))

    def test_system_is_activated_and_the_other_steps_are_skipped(self) -> None:
        table = activate(galaxy(unit("sol-cruiser-1", "home-sol"), unit("sol-space-dock-1", "jord")), "home-sol")
        table.play(says("sol", "done"), says("sol", "done"))
        assert table.game.cursor.waiting() == ("letnev",)
        assert table.game.markers["activated/home-sol"] == ("sol",)

    def test_steps_do_not_repeat(self) -> None:
        table = activate(galaxy(unit("sol-cruiser-1", "void"), unit("sol-space-dock-1", "jord")), "home-sol")
        table.play(says("sol", "done")).then_open("TA.7")
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "home-sol"]))
        table.then_refused(
            "not-allowed-now",
            rule="TA.7",
            order="move-ships",
            places=Naming("TA.2", "TR.2"),
            orders=("produce", "pay", "mark", "play-card", "done"),
        )
        table.when(says("sol", "produce", dock="sol-space-dock-1", units={"fighter": 2}, exhaust=["jord"]))
        table.then_accepted()

    def test_ships_of_another_player_are_enemies_despite_treaties(self) -> None:
        """A treaty of Sol and the Mentak: the battle is fought, and neither moves the other's ships."""
        table = galaxy(unit("sol-cruiser-1", "wellon-space"), unit("mentak-cruiser-1", "quann-space"))
        activate(table, "quann-space").when(
            says("sol", "move-ships", units=["mentak-cruiser-1"], path=["quann-space", "wellon-space"])
        )
        table.then_refused("unit-of-another-side", rule="TA.2", unit="mentak-cruiser-1")
        table.play(says("sol", "move-ships", units=["sol-cruiser-1"], path=["wellon-space", "quann-space"]))
        table.play(says("sol", "done")).then_open("SB.pre.order")


class TestTA1Activating:
    def test_counter_moves_from_the_command_area_to_the_system(self) -> None:
        table = galaxy().play(says("sol", "take-action", action="tactical"))
        table.when(says("sol", "activate", system="void"))
        table.then(AccountChanged, account="command/sol", before=3, after=2, rule="TA.1")
        table.then(MarkerSet, marker="activated/void", after=("sol",), rule="TA.1")
        table.then_open("TA.2")

    def test_system_is_not_activated_again_by_the_same_player(self) -> None:
        table = galaxy(systems=systems(void={"activated": ["sol"]}))
        table.play(says("sol", "take-action", action="tactical")).when(says("sol", "activate", system="void"))
        table.then_refused("activated-already", rule="Twilight Imperium 3 TA.1", system="void")

    def test_counter_of_another_player_does_not_prevent_activation(self) -> None:
        table = activate(galaxy(systems=systems(void={"activated": ["letnev"]})), "void")
        assert table.game.markers["activated/void"] == ("letnev", "sol")

    def test_activating_is_the_one_part_that_must_be_done(self) -> None:
        table = galaxy().play(says("sol", "take-action", action="tactical")).when(says("sol", "done"))
        table.then_refused(
            "orders-required",
            rule="TA.1",
            step="TA.1",
            required=Naming("`activate`"),
            orders=("activate",),
        )

    def test_activated_system_must_be_on_the_map(self) -> None:
        table = (
            galaxy().play(says("sol", "take-action", action="tactical")).when(says("sol", "activate", system="mars"))
        )
        table.then_refused("no-such-system", rule="TA.1", system="mars")

    def test_other_parts_are_left_in_order_and_do_not_repeat(self) -> None:
        table = activate(galaxy(unit("sol-space-dock-1", "jord")), "home-sol").play(says("sol", "done"))
        table.then_open("TA.7").when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "home-sol"]))
        table.then_refused("not-allowed-now", rule="TA.7", orders=("produce", "pay", "mark", "play-card", "done"))

    def test_action_activates_one_system(self) -> None:
        table = activate(galaxy(unit("sol-cruiser-1", "void")), "home-sol")
        table.when(says("sol", "activate", system="void")).then_refused(
            "not-allowed-now", rule="TA.2", order="activate", places=Naming("TA.1")
        )


class TestTA2Movement:
    def test_ship_moves_into_the_activated_system(self) -> None:
        table = activate(galaxy(unit("sol-cruiser-1", "home-sol")), "quann-space")
        path = ("home-sol", "wellon-space", "quann-space")
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=path))
        table.then(UnitMoved, unit="sol-cruiser-1", path=path, rule="TA.2")

    @pytest.mark.parametrize(
        ("path", "code", "fields"),
        [
            (("home-sol", "wellon-space"), "system-not-activated", {"system": "wellon-space", "systems": "void"}),
            (
                ("home-sol", "lodor-space", "void"),
                "not-adjacent",
                {"system": "lodor-space", "from_system": "home-sol", "systems": "wellon-space, void"},
            ),
            (("home-sol", "mars", "void"), "no-such-system", {"system": "mars", "systems": Naming("void")}),
            (("mecatol", "void"), "unit-elsewhere", {"unit": "sol-cruiser-1", "system": "mecatol", "at": "home-sol"}),
        ],
    )
    def test_path_must_be_valid(self, path: tuple[str, ...], code: str, fields: dict[str, Any]) -> None:
        table = activate(galaxy(unit("sol-cruiser-1", "home-sol")), "void")
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=path))
        table.then_refused(code, rule="TA.2", **fields)

    def test_ship_moves_up_to_its_movement_value(self) -> None:
        table = activate(galaxy(unit("sol-carrier-1", "home-sol")), "quann-space")
        way = ("home-sol", "wellon-space", "quann-space")
        table.when(says("sol", "move-ships", units=["sol-carrier-1"], path=way))
        table.then_refused("too-far", rule="TA.2", unit="sol-carrier-1", limit=1, given=2)

    def test_ship_cannot_leave_a_system_with_its_owners_counter(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"), systems=systems(home_sol={"activated": ["sol"]}))
        activate(table, "void").when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "void"]))
        table.then_refused("ships-held-by-counter", rule="TA.2", system="home-sol")

    def test_counter_of_another_player_does_not_hold_ships(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"), systems=systems(home_sol={"activated": ["mentak"]}))
        activate(table, "void").play(says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "void"]))
        table.then(UnitMoved, unit="sol-cruiser-1", path=("home-sol", "void"), rule="TA.2")

    def test_path_goes_around_enemy_ships(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"), unit("mentak-fighter-1", "wellon-space"))
        activate(table, "quann-space")
        way = ["home-sol", "wellon-space", "quann-space"]
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=way))
        table.then_refused("way-blocked", rule="TA.2", enemies="mentak-fighter-1")

    def test_enemy_troops_on_a_planet_do_not_block_ships(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"), unit("mentak-ground-force-1", "wellon"))
        activate(table, "quann-space")
        way = ["home-sol", "wellon-space", "quann-space"]
        table.play(says("sol", "move-ships", units=["sol-cruiser-1"], path=way))
        table.then(UnitMoved, unit="sol-cruiser-1", path=tuple(way), rule="TA.2")

    def test_carrier_takes_fighters_and_ground_forces_along(self) -> None:
        table = galaxy(
            unit("sol-carrier-1", "home-sol"), unit("sol-fighter-1", "home-sol"), unit("sol-ground-force-1", "jord")
        )
        activate(table, "void")
        crew = ["sol-carrier-1", "sol-fighter-1", "sol-ground-force-1"]
        table.when(says("sol", "move-ships", units=crew, path=["home-sol", "void"]))
        table.then(UnitMoved, unit="sol-ground-force-1", path=("jord", "home-sol", "void"), cause="carried")

    def test_passengers_may_join_on_the_way(self) -> None:
        table = galaxy(unit("sol-carrier-1", "home-sol", move=2), unit("sol-ground-force-1", "wellon"))
        activate(table, "quann-space")
        way = ["home-sol", "wellon-space", "quann-space"]
        table.when(says("sol", "move-ships", units=["sol-carrier-1", "sol-ground-force-1"], path=way))
        table.then(UnitMoved, unit="sol-ground-force-1", path=("wellon", "wellon-space", "quann-space"))

    def test_passengers_off_the_path_stay(self) -> None:
        table = activate(galaxy(unit("sol-carrier-1", "home-sol"), unit("sol-ground-force-1", "wellon")), "void")
        crew = ["sol-carrier-1", "sol-ground-force-1"]
        table.when(says("sol", "move-ships", units=crew, path=["home-sol", "void"]))
        table.then_refused("not-on-the-way", rule="TA.2", unit="sol-ground-force-1")

    def test_they_do_not_join_in_a_system_with_ones_own_counter(self) -> None:
        table = galaxy(
            unit("sol-carrier-1", "home-sol", move=2),
            unit("sol-ground-force-1", "wellon"),
            systems=systems(wellon_space={"activated": ["sol"]}),
        )
        activate(table, "quann-space")
        way = ["home-sol", "wellon-space", "quann-space"]
        table.when(says("sol", "move-ships", units=["sol-carrier-1", "sol-ground-force-1"], path=way))
        table.then_refused("unit-in-activated-system", rule="TA.2")

    def test_passengers_cannot_exceed_the_capacity(self) -> None:
        table = galaxy(unit("sol-carrier-1", "home-sol"), *some("sol-ground-force", 7, "jord"))
        activate(table, "void")
        crew = ["sol-carrier-1", *(f"sol-ground-force-{at}" for at in range(1, 8))]
        table.when(says("sol", "move-ships", units=crew, path=["home-sol", "void"]))
        table.then_refused("too-many-passengers", rule="TA.2", given=7, limit=6)

    def test_fighters_do_not_move_alone(self) -> None:
        table = activate(galaxy(unit("sol-fighter-1", "home-sol")), "void")
        table.when(says("sol", "move-ships", units=["sol-fighter-1"], path=["home-sol", "void"]))
        table.then_refused("too-many-passengers", rule="TA.2", given=1, limit=0)

    def test_troops_are_not_left_in_space_without_a_ship(self) -> None:
        table = activate(galaxy(unit("sol-carrier-1", "home-sol"), unit("sol-ground-force-1", "home-sol")), "void")
        table.when(says("sol", "move-ships", units=["sol-carrier-1"], path=["home-sol", "void"]))
        table.then_refused("left-in-space", rule="TA.2", units="sol-ground-force-1")

    def test_space_dock_does_not_move(self) -> None:
        table = galaxy(unit("sol-carrier-1", "home-sol"), unit("sol-space-dock-1", "jord"))
        activate(table, "void")
        table.when(says("sol", "move-ships", units=["sol-carrier-1", "sol-space-dock-1"], path=["home-sol", "void"]))
        table.then_refused("cannot-move", rule="TA.2", unit="sol-space-dock-1")

    def test_arrived_ship_stays(self) -> None:
        table = activate(galaxy(unit("sol-cruiser-1", "home-sol")), "void")
        table.play(says("sol", "move-ships", units=["sol-cruiser-1"], path=["home-sol", "void"]))
        table.when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "home-sol", "void"]))
        table.then_refused("ships-held-by-counter", rule="TA.2", system="void")

    def test_ship_named_twice_is_refused(self) -> None:
        table = activate(galaxy(unit("sol-cruiser-1", "home-sol")), "void")
        names = ["sol-cruiser-1", "sol-cruiser-1"]
        table.when(says("sol", "move-ships", units=names, path=["home-sol", "void"]))
        table.then_refused("named-twice", rule="TA.2", twice="sol-cruiser-1")


class TestTA2FleetLimit:
    """Two readings: ships moved (as printed), or ships in the system (the full game)."""

    def cruisers(self, limit: str, there: int = 0, **more: Any) -> Story:
        units = (*some("sol-cruiser", 5, "home-sol"), *some("sol-destroyer", there, "void"))
        return activate(galaxy(*units, options={"fleet_limit": limit}, **more), "void")

    def move(self, table: Story, number: int) -> Story:
        names = [f"sol-cruiser-{at}" for at in range(1, number + 1)]
        return table.when(says("sol", "move-ships", units=names, path=["home-sol", "void"]))

    def test_printed_limit_caps_arrivals_at_the_fleet_counters(self) -> None:
        self.move(self.cruisers("moved"), 5).then_refused(
            "fleet-too-large", rule="TA.2", given=5, system="void", limit=4, excess=1
        )
        self.move(self.cruisers("moved"), 4).then_accepted()

    def test_as_printed_ships_that_came_by_an_earlier_order_count(self) -> None:
        table = self.move(self.cruisers("moved"), 4)
        table.when(says("sol", "move-ships", units=["sol-cruiser-5"], path=["home-sol", "void"]))
        table.then_refused("fleet-too-large", rule="TA.2", given=5, excess=1)

    def test_printed_limit_ignores_ships_already_in_the_system(self) -> None:
        self.move(self.cruisers("moved", there=2), 4).then_accepted()

    def test_full_game_limit_counts_ships_already_in_the_system(self) -> None:
        self.move(self.cruisers("system", there=2), 4).then_refused(
            "fleet-too-large", rule="TA.2", given=6, system="void", limit=4, excess=2
        )
        self.move(self.cruisers("system", there=2), 2).then_accepted()

    @pytest.mark.parametrize(("limit", "allowed"), [("moved", False), ("system", True)])
    def test_carried_fighter_moved_but_does_not_count_in_full_game(self, limit: str, allowed: bool) -> None:
        units = (unit("sol-carrier-1", "home-sol"), *some("sol-fighter", 4, "home-sol"))
        table = activate(galaxy(*units, options={"fleet_limit": limit}), "void")
        names = ["sol-carrier-1", *(f"sol-fighter-{at}" for at in range(1, 5))]
        table.when(says("sol", "move-ships", units=names, path=["home-sol", "void"]))
        if allowed:
            table.then_accepted()
        else:
            table.then_refused("fleet-too-large", rule="TA.2", given=5, excess=1)

    def test_ships_do_not_move_in_without_a_fleet_counter(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "void"), sheets={"sol": {"fleet": 0}})
        activate(table, "home-sol").when(says("sol", "move-ships", units=["sol-cruiser-1"], path=["void", "home-sol"]))
        table.then_refused("fleet-too-large", rule="TA.2")


def told(table: Story, seat: str) -> str:
    """Return the sentence of the last order, as a seat reads it."""
    order = table.taken[-1]
    seen = [one for one in table.told if not isinstance(one, RestrictedEvent) or seat in one.visible_to]
    cause = msgspec.json.decode(order.cause) if len(seen) == len(table.told) else {}
    events = [one.event if isinstance(one, RestrictedEvent) else one for one in seen]
    return sentence(TITLE, table.game, order.seat, cause, events)


class TestTAprobe:
    def at_vefut(self, planets: dict[str, Any] | None = None, **more: Any) -> Story:
        """Bring a Carrier with two Fighters and a Ground Force to Vefut, which has a counter face down."""
        units = (unit("sol-carrier-1", "lodor-space"), *some("sol-fighter", 2, "lodor-space"))
        vefut = {"mines": {}, **({"planets": planets} if planets else {})}
        table = galaxy(*units, unit("sol-ground-force-1", "lodor"), systems=systems(vefut_space=vefut), **more)
        aboard = ("sol-carrier-1", "sol-fighter-1", "sol-fighter-2", "sol-ground-force-1")
        return attack(table, ("lodor-space", "vefut-space"), *aboard).then_open("TA.probe")

    def test_only_the_prober_sees_the_counter(self) -> None:
        table = self.at_vefut().when(says("sol", "probe", planets=["vefut"]))
        table.then(ChoiceRevealed, question="domain/vefut", side="sol", choice="natural wealth", rule="TA.probe")
        assert [told.visible_to for told in table.told if isinstance(told, RestrictedEvent)] == [("sol", "referee")]
        table.then(MarkerSet, marker="seen/vefut", after=("sol",))
        assert table.game.markers["domain/vefut"] == "face down"

    def test_prober_records_a_counter_kept_on_the_table(self) -> None:
        table = self.at_vefut(domains={}).when(says("sol", "probe", planets=["vefut"], seen={"vefut": "hostage"}))
        table.then(ChoiceRevealed, question="domain/vefut", side="sol", choice="hostage")
        assert [told.visible_to for told in table.told if isinstance(told, RestrictedEvent)] == [("sol", "referee")]

    @pytest.mark.parametrize("seat", ["sol", "referee"])
    def test_prober_reads_what_he_saw(self, seat: str) -> None:
        table = self.at_vefut().play(says("sol", "probe", planets=["vefut"]))
        assert told(table, seat) == "Federation of Sol probes vefut: domain/vefut: natural wealth"

    @pytest.mark.parametrize("seat", ["mentak", "spectator"])
    @pytest.mark.parametrize("counter", ["natural wealth", "hostage"])
    def test_others_read_which_planet_was_probed_and_no_more(self, seat: str, counter: str) -> None:
        """TA.probe: nobody lands there in this activation, so everybody knows the planet; the counter is a secret."""
        table = self.at_vefut(domains={}).play(says("sol", "probe", planets=["vefut"], seen={"vefut": counter}))
        seen = told(table, seat)
        assert seen == Naming("Federation of Sol", "vefut")
        assert not {"natural", "wealth", "hostage", "probes"} & set(re.findall(r"\w+", seen))

    def test_others_read_each_of_several_planets(self) -> None:
        planets = {"vefut": {"domain": True}, "vefut-minor": {"domain": True}}
        seen = {"vefut": "hostage", "vefut-minor": "biohazard"}
        table = self.at_vefut(planets, domains={}).play(says("sol", "probe", planets=list(seen), seen=seen))
        assert told(table, "mentak") == Naming("Federation of Sol", "vefut", "vefut-minor")
        assert not {"hostage", "biohazard"} & set(re.findall(r"\w+", told(table, "mentak")))

    def test_step_left_without_a_probe_tells_of_none(self) -> None:
        assert told(self.at_vefut().play(says("sol", "done")), "mentak") != Naming("vefut")

    @pytest.mark.parametrize("planets", [["vefut", "vefut"], ["vefut", "vefut-minor", "vefut"]])
    def test_planet_named_twice_in_a_probe_is_refused(self, planets: list[str]) -> None:
        """Check TA.probe: a look is recorded once."""
        seen = {"vefut": "hostage", "vefut-minor": "biohazard"}
        table = self.at_vefut({one: {"domain": True} for one in seen}, domains={})
        table.when(says("sol", "probe", planets=planets, seen=seen))
        table.then_refused("named-twice", rule="TA.probe", unit="vefut")
        table.when(says("sol", "probe", planets=list(seen), seen=seen)).then(MarkerSet, marker="seen/vefut-minor")

    def test_counter_known_to_the_ledger_is_not_recorded_by_hand(self) -> None:
        table = self.at_vefut().when(says("sol", "probe", planets=["vefut"], seen={"vefut": "natural wealth"}))
        table.then_refused("counter-known-to-ledger", rule="TA.probe")

    def test_probe_cannot_be_undone(self) -> None:
        table = self.at_vefut().play(says("sol", "probe", planets=["vefut"]))
        table.when(says("sol", "undo", why="I would rather land")).then_refused(
            "only-the-referee-undoes", rule="undo", stop=Naming("domain/vefut")
        )

    def test_probed_planet_cannot_be_landed_on_in_that_activation(self) -> None:
        planets = {"vefut": {"domain": True}, "vefut-minor": {}}
        table = self.at_vefut(planets=planets).play(says("sol", "probe", planets=["vefut"]))
        table.then_open("TA.5.neutral").when(says("sol", "land-neutral", planet="vefut", units=["sol-ground-force-1"]))
        table.then_refused("probed-planet", rule="Twilight Imperium 3 TA.probe", planet="vefut")

    def test_landing_is_not_offered_if_all_planets_were_probed(self) -> None:
        table = self.at_vefut().when(says("sol", "probe", planets=["vefut"])).then_open("TA.7")
        table.then(StepPassed, step="TA.5.neutral")

    def test_in_a_later_activation_the_planet_is_open_to_landings(self) -> None:
        table = self.at_vefut().play(says("sol", "probe", planets=["vefut"]), says("sol", "done"))
        for side in ("letnev", "mentak"):
            activate(table, "void", side).play(says(side, "done"), says(side, "done"))
        table.given(MarkerSet(marker="activated/vefut-space", before=("sol",), after=None))
        activate(table, "vefut-space").play(says("sol", "done"), says("sol", "done")).then_open("TA.5.neutral")
        table.when(says("sol", "land-neutral", planet="vefut", units=["sol-ground-force-1"])).then_accepted()

    def test_counter_is_probed_once_in_an_activation(self) -> None:
        planets = {"vefut": {"domain": True}, "vefut-minor": {"domain": True}}
        table = self.at_vefut(planets=planets).play(says("sol", "probe", planets=["vefut"]))
        table.when(says("sol", "probe", planets=["vefut"]))
        table.then_refused("counter-not-to-be-seen", rule="TA.probe", planet="vefut", reason="probed-already")

    def test_planet_without_a_counter_is_not_probed(self) -> None:
        domain = {"vefut": {"domain": True}, "vefut-minor": {}}
        units = (unit("sol-carrier-1", "lodor-space"), unit("sol-fighter-1", "lodor-space"))
        table = galaxy(*units, systems=systems(vefut_space={"mines": {}, "planets": domain}))
        attack(table, ("lodor-space", "vefut-space"), "sol-carrier-1", "sol-fighter-1")
        table.when(says("sol", "probe", planets=["vefut-minor"]))
        table.then_refused("counter-not-to-be-seen", rule="TA.probe", planet="vefut-minor", reason="no-counter")

    def test_probe_of_unknown_counter_says_what_was_seen(self) -> None:
        table = self.at_vefut(domains={}).when(says("sol", "probe", planets=["vefut"]))
        table.then_refused("counter-not-stated", rule="TA.probe", planet="vefut")
        table.when(says("sol", "probe", planets=["vefut", "vefut"], seen={"vefut": "hostage"}))
        table.then_refused("named-twice", rule="TA.probe", unit="vefut")

    def test_planet_in_another_system_is_not_probed(self) -> None:
        table = self.at_vefut().when(says("sol", "probe", planets=["quann"]))
        table.then_refused("planet-not-in-system", rule="TA.probe", planet="quann", planets=("vefut",))

    def test_without_a_fighter_in_the_system_nothing_is_probed(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "lodor-space"), systems=systems(vefut_space={"mines": {}}))
        attack(table, ("lodor-space", "vefut-space"), "sol-cruiser-1").then(StepPassed, step="TA.probe")

    def test_not_when_pds_have_begun_to_fire(self) -> None:
        table = self.at_vefut().play(says("sol", "done"))
        table.when(says("sol", "probe", planets=["vefut"])).then_refused(
            "not-allowed-now", rule="TA.", order="probe", places=Naming("TA.probe")
        )

    def test_several_counters_at_once(self) -> None:
        planets = {"vefut": {"domain": True}, "vefut-minor": {"domain": True}}
        units = (unit("sol-carrier-1", "lodor-space"), unit("sol-fighter-1", "lodor-space"))
        table = galaxy(*units, systems=systems(vefut_space={"mines": {}, "planets": planets}), domains={})
        attack(table, ("lodor-space", "vefut-space"), "sol-carrier-1", "sol-fighter-1")
        seen = {"vefut": "hostage", "vefut-minor": "radiation"}
        table.when(says("sol", "probe", planets=["vefut", "vefut-minor"], seen=seen))
        for planet in planets:
            table.then(MarkerSet, marker=f"seen/{planet}", after=("sol",))


class TestTA3PDSFire:
    def at_home_of_letnev(self, **more: Any) -> Story:
        """Bring two Sol cruisers to Arc Prime, which has two PDS and a Letnev destroyer."""
        table = galaxy(
            *some("sol-cruiser", 2, "void"),
            unit("sol-pds-1", "lodor", range=1),
            *some("letnev-pds", 2, "arc-prime"),
            unit("letnev-destroyer-1", "home-letnev"),
            **more,
        )
        return attack(table, ("void", "home-letnev"), "sol-cruiser-1", "sol-cruiser-2")

    def test_enemy_pds_in_range_fire_first_one_die_each(self) -> None:
        table = self.at_home_of_letnev().then_open("TA.3.enemy")
        table.when(says("letnev", "fire-pds", 6, 5))
        table.then(DiceRolled, dice="2d10", needed=Naming(6), outcome=Naming(1), rule="TA.3")
        table.then(AccountChanged, account="hits/home-letnev/sol", after=1)
        table.then_open("TA.3.losses")

    def test_active_player_fires_after_taking_casualties(self) -> None:
        table = self.at_home_of_letnev().play(says("letnev", "fire-pds", 6, 5))
        table.when(says("sol", "fire-pds", 9)).then_refused(
            "not-allowed-now", rule="TA.3.losses", orders=("assign-hits", "play-card")
        )
        table.when(says("sol", "assign-hits", to=["sol-cruiser-1"])).then(
            UnitRemoved, unit="sol-cruiser-1", rule="TA.3"
        )
        table.then_open("TA.3.own").when(says("sol", "fire-pds", 9))
        table.then(AccountChanged, account="hits/home-letnev/letnev", after=1)
        table.then_open("TA.3.hits").when(says("letnev", "assign-hits", to=["letnev-destroyer-1"]))
        table.then_open("TA.7")

    def test_firing_is_optional(self) -> None:
        self.at_home_of_letnev().play(says("letnev", "done")).when(says("sol", "done")).then_open("SB.pre.order")

    def test_pds_fires_a_single_shot(self) -> None:
        table = self.at_home_of_letnev().play(says("letnev", "fire-pds", 1, pds=["letnev-pds-1"]))
        table.when(says("letnev", "fire-pds", 1, pds=["letnev-pds-1"]))
        table.then_refused("cannot-fire", rule="TA.3", unit="letnev-pds-1", units="letnev-pds-2")

    def test_pds_out_of_range_does_not_fire(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"), unit("letnev-pds-1", "arc-prime"))
        attack(table, ("home-sol", "void"), "sol-cruiser-1").then(StepPassed, step="TA.3")

    def test_pds_with_a_longer_range_fires(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "home-sol"), unit("letnev-pds-1", "arc-prime", range=1))
        attack(table, ("home-sol", "void"), "sol-cruiser-1").then_open("TA.3.enemy")

    def test_several_enemies_fire_clockwise_from_the_active_player(self) -> None:
        table = galaxy(
            unit("sol-cruiser-1", "home-sol"),
            unit("mentak-pds-1", "lodor", range=1),
            unit("letnev-pds-1", "arc-prime", range=1),
        )
        attack(table, ("home-sol", "void"), "sol-cruiser-1").when(says("mentak", "fire-pds", 9))
        table.then_refused("step-of-another-side", rule="TA.3.enemy", seat="mentak", sides="Barony of Letnev")
        table.play(says("letnev", "fire-pds", 1)).when(says("mentak", "fire-pds", 1)).then_open("TA.7")

    def test_fleet_destroyed_by_pds_fights_no_battle(self) -> None:
        table = self.at_home_of_letnev().play(says("letnev", "fire-pds", 6, 7))
        table.when(says("sol", "assign-hits", to=["sol-cruiser-1", "sol-cruiser-2"])).then_open("TA.3.own")
        table.when(says("sol", "fire-pds", 1)).then(StepPassed, step="TA.4")

    def test_pds_does_not_fire_without_active_ships_in_range(self) -> None:
        table = activate(galaxy(unit("letnev-pds-1", "arc-prime", range=1)), "void")
        table.when(says("sol", "done")).then(StepPassed, step="TA.3")

    def test_they_fire_when_movement_is_over(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "void"), unit("letnev-pds-1", "arc-prime", range=1))
        activate(table, "void").when(says("letnev", "fire-pds", 9)).then_refused("not-allowed-now", rule="TA.2")

    def test_enemy_takes_its_own_casualties(self) -> None:
        table = self.at_home_of_letnev().play(says("letnev", "done"), says("sol", "fire-pds", 9)).then_open("TA.3.hits")
        table.when(says("sol", "assign-hits", to=["letnev-destroyer-1"]))
        table.then_refused("step-of-another-side", rule="TA.3.hits", seat="sol", sides="Barony of Letnev")


class TestTAmines:
    def at_vefut(self, *units: dict[str, Any], tokens: int = 1) -> Story:
        table = galaxy(*units, systems=systems(vefut_space={"mines": {"mentak": tokens}, "planets": {}}), domains={})
        return attack(table, ("lodor-space", "vefut-space"), *here(table, "lodor-space", "sol")).then_open("TA.mines")

    def test_larger_ships_all_roll_then_one_token_is_removed(self) -> None:
        table = self.at_vefut(*some("sol-cruiser", 2, "lodor-space"), tokens=2)
        table.when(says("sol", "roll-mine", 8, ship="sol-cruiser-1"))
        table.then(DiceRolled, purpose=Naming("sol-cruiser-1"), needed=Naming(9), pips=(8,), rule="TA.mines")
        table.when(says("sol", "roll-mine", 9, ship="sol-cruiser-2")).then(UnitRemoved, unit="sol-cruiser-2")
        table.then(AccountChanged, account="mines/vefut-space/mentak", before=2, after=1)
        table.then_open("TA.7")

    def test_token_is_removed_even_without_hits(self) -> None:
        table = self.at_vefut(unit("sol-cruiser-1", "lodor-space")).when(
            says("sol", "roll-mine", 1, ship="sol-cruiser-1")
        )
        table.then(AccountChanged, account="mines/vefut-space/mentak", before=1, after=0)

    def test_ship_that_sustains_is_damaged(self) -> None:
        table = self.at_vefut(unit("sol-dreadnought-1", "lodor-space"))
        table.when(says("sol", "roll-mine", 10, ship="sol-dreadnought-1")).then(
            Changed, attribute="damaged", after=True
        )

    def test_fighters_do_not_roll(self) -> None:
        table = self.at_vefut(unit("sol-carrier-1", "lodor-space"), unit("sol-fighter-1", "lodor-space"))
        table.when(says("sol", "roll-mine", 1, ship="sol-fighter-1"))
        table.then_refused("no-die-due", rule="TA.mines", ship="sol-fighter-1", ships="sol-carrier-1")

    def test_ship_already_in_the_system_rolls_too(self) -> None:
        table = self.at_vefut(unit("sol-cruiser-1", "lodor-space"), unit("sol-cruiser-2", "vefut-space"))
        table.play(says("sol", "roll-mine", 1, ship="sol-cruiser-1")).then_open("TA.mines")

    def test_ship_rolls_once_for_any_number_of_tokens(self) -> None:
        table = self.at_vefut(*some("sol-cruiser", 2, "lodor-space"), tokens=3)
        table.play(says("sol", "roll-mine", 1, ship="sol-cruiser-1")).when(
            says("sol", "roll-mine", 1, ship="sol-cruiser-1")
        )
        table.then_refused("no-die-due", rule="TA.mines", ships="sol-cruiser-2")

    def test_mines_cannot_be_skipped(self) -> None:
        table = self.at_vefut(unit("sol-cruiser-1", "lodor-space")).when(says("sol", "done"))
        table.then_refused(
            "orders-required",
            rule="TA.mines",
            required=Naming("roll-mine", "sol-cruiser-1"),
            orders=("roll-mine",),
        )

    def test_passing_through_sets_nothing_off(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "lodor-space"))
        attack(table, ("lodor-space", "vefut-space", "arnor-space"), "sol-cruiser-1").then(StepPassed, step="TA.mines")

    def test_that_the_ship_which_came_is_shot_down_cancels_nothing(self) -> None:
        """A ship that stood there rolls, although the one whose coming set the mines off is gone."""
        table = galaxy(
            unit("sol-cruiser-1", "lodor-space"),
            unit("sol-dreadnought-1", "vefut-space"),
            unit("mentak-pds-1", "vefut"),
            systems=systems(vefut_space={"mines": {"mentak": 1}}),
            domains={},
        )
        attack(table, ("lodor-space", "vefut-space"), "sol-cruiser-1")
        table.then_open("TA.3.enemy")
        table.play(says("mentak", "fire-pds", 10), says("sol", "assign-hits", to=["sol-cruiser-1"]))
        table.then_open("TA.mines")
        table.when(says("sol", "roll-mine", 3, ship="sol-dreadnought-1"))
        table.then(AccountChanged, account="mines/vefut-space/mentak", before=1, after=0)

    def test_ones_own_mines_are_harmless(self) -> None:
        table = galaxy(unit("sol-cruiser-1", "lodor-space"), systems=systems(vefut_space={"mines": {"sol": 1}}))
        attack(table, ("lodor-space", "vefut-space"), "sol-cruiser-1").then(StepPassed, step="TA.mines")

    def test_ships_that_do_not_move_set_nothing_off(self) -> None:
        table = activate(galaxy(unit("sol-cruiser-1", "vefut-space")), "vefut-space")
        table.when(says("sol", "done")).then(StepPassed, step="TA.mines")

    def test_rolling_ship_takes_the_hit_and_is_destroyed_if_damaged(self) -> None:
        units = (unit("sol-dreadnought-1", "lodor-space", damaged=True), unit("sol-cruiser-1", "lodor-space"))
        table = self.at_vefut(*units).when(says("sol", "roll-mine", 9, ship="sol-dreadnought-1"))
        table.then(UnitRemoved, unit="sol-dreadnought-1", fate="destroyed")
        table.then_not(UnitRemoved, unit="sol-cruiser-1")

    def test_token_remains_until_the_last_die(self) -> None:
        table = self.at_vefut(*some("sol-cruiser", 2, "lodor-space"))
        table.when(says("sol", "roll-mine", 9, ship="sol-cruiser-1"))
        table.then_not(AccountChanged, account="mines/vefut-space/mentak")
