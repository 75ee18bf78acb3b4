"""Check special raids and blockade runs as printed: moves, payments, interceptions and returns."""

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitChanged,
    UnitRemoved,
    way,
)
from tests.titles.federation_table import Line, War, figures, ship, war
from tests.titles.test_federation_forces import numbers

A, C = "alliance", "coalition"
R1, R2 = ship("K-R1", "klingon", "raid-pool"), ship("K-R2", "klingon", "raid-pool")
D7 = ship("K-D7", "klingon", "1206")
CC, FF, PC = ship("Z-CC", "kzinti", "0902"), ship("Z-FF", "kzinti", "1003"), ship("T-PC", "tholian", "1004")
DRONE, FIGHTER = ship("K-D6D", "klingon", "1306", "drone", attack=7), ship("K-FI", "klingon", "1306", "fighter")
OPTIONS = {"raids": True}
KZINTI = {"id": "kzinti", "side": A, "name": "Kzintis", "letter": "Z", "capital": "0902"}


def raids(*more: Line, **options: bool) -> War:
    return war(R1, R2, D7, CC, FF, PC, *more, options={**OPTIONS, **options})


def drones(*more: Line) -> War:
    return raids(DRONE, FIGHTER, *more).to("3A-3A")


def drones_at(*path: str, guards: tuple[Line, ...] = (), **more: str) -> War:
    """Move K-D6D to its attack hex."""
    table = drones(*guards).says(C, "raid", unit="K-D6D").to("3A-3B")
    return table.says(C, "raid", unit="K-D6D", path=list(path), **more)


def runner(**about: int) -> War:
    """Designate K-RUN, which is still in the pool."""
    return raids(ship("K-RUN", "klingon", "raid-pool", **about)).to("3A-4A").says(C, "raid", unit="K-RUN").to("3A-4B")


def run(*path: str, ep: int = 0) -> War:
    """Move K-RUN to its target."""
    table = runner()
    if ep:
        table.says(C, "load", unit="K-RUN", ep=ep)
    return table.to("3A-4C").says(C, "raid", unit="K-RUN", path=list(path))


class Test3A3A:
    def test_drones_fighters_and_pfs_alone_raid(self) -> None:
        table = drones()
        table.tries(C, "raid", unit="K-D7").then_refused(
            "no-special-weapons", rule="320.31", traits=("drone", "fighter", "pf")
        )
        table.says(C, "raid", unit="K-FI")

    def test_designated_raider_does_not_move_yet(self) -> None:
        table = raids(DRONE).to("3A-3A")
        early = table.tries(C, "raid", unit="K-D6D", path=["1206"])
        early.then_refused("designated-moves-later", rule="320.31", step="3A-3", letter="B")
        table.says(C, "raid", unit="K-D6D")

    def test_raider_is_named_once_and_is_in_service(self) -> None:
        table = drones(ship("K-OLD", "klingon", "1306", "drone", mothballed=True)).says(C, "raid", unit="K-D6D")
        table.tries(C, "raid", unit="K-D6D").then_refused("changes-nothing", rule="3A-3A")
        table.tries(C, "raid", unit="K-OLD").then_refused("not-a-raider", rule="320.31", unit="K-OLD")


class Test3A3B:
    def test_raiders_must_move_hex_by_hex(self) -> None:
        table = drones().says(C, "raid", unit="K-D6D").says(C, "raid", unit="K-FI").to("3A-3B")
        jump = table.tries(C, "raid", unit="K-D6D", path=["1105"])
        jump.then_refused("raid-path-gap", rule="320.311", gap="1306 to 1105")
        table.says(C, "raid", unit="K-D6D", path=["1205", "1105"])
        table.must(C, "raid", "K-FI", rule="320.311")
        table.says(C, "raid", unit="K-FI", path=["1305"]).done(C)

    def test_drones_are_aimed_at_a_hex_of_their_own(self) -> None:
        table = drones().says(C, "raid", unit="K-D6D").says(C, "raid", unit="K-FI").to("3A-3B")
        aimed = table.tries(C, "raid", unit="K-FI", path=["1305"], target="1004")
        aimed.then_refused("no-drones-to-aim", rule="320.311")
        table.says(C, "raid", unit="K-D6D", path=["1205", "1105"], target="1004")
        assert (table.game.units["K-D6D"].at, table.game.units["K-D6D"].get("raid")) == ("1105", "1004")
        table.says(C, "raid", unit="K-FI", path=["1305"]).to("3A-3F")
        table.tries(A, "intercept-at", at="1305").then_refused("no-drone-raider", rule="320.35", hexes="1004, 1105")
        table.says(A, "intercept-at", at="1004")

    def test_raider_goes_once(self) -> None:
        table = drones_at("1205", "1105")
        again = table.tries(C, "raid", unit="K-D6D", path=["1104"])
        again.then_refused("raider-has-gone", rule="320.311", at="1105")
        table.tries(C, "raid", unit="K-D7", path=["1106"]).then_refused("not-designated-to-raid", rule="320.311")


class Test3A3F:
    def test_fighters_are_not_intercepted(self) -> None:
        table = drones().says(C, "raid", unit="K-FI").to("3A-3J")
        assert any(isinstance(event, StepPassed) and event.step == "3A-3F" for event in table.events)

    def test_base_does_not_intercept(self) -> None:
        table = raids(DRONE, ship("Z-SB", "kzinti", "0902", base=True)).to("3A-3A").says(C, "raid", unit="K-D6D")
        table.to("3A-3B").says(C, "raid", unit="K-D6D", path=list(way("1306", "0902"))).to("3A-3F")
        base = table.tries(A, "intercept-at", at="0902", units=["Z-SB"])
        base.then_refused("not-an-active-ship-on-map", rule="320.35")

    def test_raid_is_met_in_its_attack_or_target_hex(self) -> None:
        table = drones_at("1205", "1105", target="1004", guards=(ship("Z-DD", "kzinti", "1105"),)).to("3A-3F")
        origin = table.tries(A, "intercept-at", at="1306")
        origin.then_refused("no-drone-raider", rule="320.35", at="1306", hexes="1004, 1105")
        table.says(A, "intercept-at", at="1105")
        both = table.tries(A, "intercept-at", at="1004")
        both.then_refused("intercepts-stated", rule="320.35", hexes=("1105",))
        table.done(A, answer="intercept")

    def test_hex_is_named_only_if_a_ship_could_intercept(self) -> None:
        table = drones_at("1205", "1105", target="1004").to("3A-3F")
        empty = table.tries(A, "intercept-at", at="1105")
        empty.then_refused("no-interceptor-there", rule="320.35", at="1105", hexes=("1004",))
        table.says(A, "intercept-at", at="1004")

    def test_raid_without_a_possible_interceptor_goes_through(self) -> None:
        table = drones_at("1205").to("3A-3F")
        none = table.tries(A, "intercept-at", at="1205")
        none.then_refused("no-interceptor", rule="320.35", at="1205")
        table.done(A, answer="let go")
        assert table.open == ("3A-3J",)


class Test3A3G:
    def test_group_is_named_and_rolls_and_fights(self) -> None:
        table = drones(ship("Z-SC", "kzinti", "0902")).says(C, "raid", unit="K-D6D").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=list(way("1306", "0902"))).to("3A-3F")
        table.says(A, "intercept-at", at="0902").done(A, answer="intercept")
        none = table.tries(A, "roll-intercept", 5, at_least=4)
        none.then_refused("group-missing", rule="320.351")
        table.says(A, "intercept-at", at="0902", units=["Z-CC"])
        other = table.tries(A, "roll-intercept", 5, at_least=4, units=["Z-SC"])
        other.then_refused("other-group-intercepted", rule="320.351", group=("Z-CC",))
        table.says(A, "roll-intercept", 5, at_least=4)
        third = table.tries(A, "skirmish", 3, units=["Z-FF"])
        third.then_refused("no-part-in-round", rule="320.353", unit="Z-FF", units="Z-CC")
        table.says(A, "skirmish", 3, units=["Z-CC"])

    def test_group_is_in_the_hex_of_interception(self) -> None:
        """Refuse a unit elsewhere, which could react in 3A-3C."""
        table = drones_at(*way("1306", "0902")).to("3A-3F").says(A, "intercept-at", at="0902")
        early = table.tries(A, "intercept-at", at="0902", units=["Z-FF"])
        early.then_refused("interceptors-elsewhere", rule="3A-3F (320.35)", unit="Z-FF", at="1003", place="0902")
        table.done(A, answer="intercept")
        for order in ("intercept-at", "roll-intercept"):
            about = {"at": "0902", "units": ["Z-FF"]}
            far = table.tries(A, order, **about)
            far.then_refused("interceptors-elsewhere", rule="320.351", unit="Z-FF", at="1003", place="0902")
        table.says(A, "roll-intercept", 5, at_least=4, units=["Z-CC"])
        assert table.open == ("3A-3H",)

    GUARDS = (ship("Z-DD", "kzinti", "1205"), ship("Z-DE", "kzinti", "1205"), ship("Z-DF", "kzinti", "1305"))

    def two(self) -> War:
        """Meet two drone raiders, each in the hex it attacks."""
        other = ship("K-D6E", "klingon", "1306", "drone")
        table = raids(DRONE, other, *self.GUARDS).to("3A-3A").says(C, "raid", unit="K-D6D")
        table.says(C, "raid", unit="K-D6E").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=["1205"]).says(C, "raid", unit="K-D6E", path=["1305"]).to("3A-3F")
        return table.says(A, "intercept-at", at="1205").says(A, "intercept-at", at="1305").done(A, answer="intercept")

    def test_every_hex_has_a_group_of_its_own_and_one_die(self) -> None:
        table = self.two().says(A, "intercept-at", at="1205", units=["Z-DD"])
        shared = table.tries(A, "intercept-at", at="1305", units=["Z-DD"])
        shared.then_refused("interceptors-elsewhere", rule="320.351", unit="Z-DD", at="1205", place="1305")
        table.says(A, "roll-intercept", 6, at_least=4, units=["Z-DD"])
        again = table.tries(A, "roll-intercept", 6, at_least=4, at="1205", units=["Z-DD"])
        again.then_refused("no-group-waits", rule="320.352", place="1205", groups=("1305",))
        new = table.tries(A, "intercept-at", at="1205", units=["Z-DE"])
        new.then_refused("hex-not-open", rule="320.351", at="1205", state="rolled for", hexes="1305")
        table.says(A, "roll-intercept", 1, at_least=4, at="1305", units=["Z-DF"])
        assert table.open == ("3A-3H",)
        free = table.tries(C, "skirmish", 3, units=["K-D6E"])
        free.then_refused("no-part-in-round", rule="320.353", unit="K-D6E", units="K-D6D")
        table.tries(A, "skirmish", 3, units=["Z-DF"]).then_refused(
            "no-part-in-round", rule="320.353", unit="Z-DF", units="Z-DD"
        )

    def test_step_ends_with_the_last_hex_that_was_named(self) -> None:
        table = self.two().says(A, "roll-intercept", 1, at_least=4, at="1205", units=["Z-DD", "Z-DE"])
        assert table.open == ("3A-3G",)
        table.says(A, "roll-intercept", 1, at_least=4, at="1305", units=["Z-DF"])
        assert table.open == ("3A-3J",)


class Test3A3J:
    def test_raider_of_the_map_goes_home_on_the_map(self) -> None:
        table = drones().says(C, "raid", unit="K-D6D").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=["1205", "1105"]).to("3A-3J")
        pool = table.tries(C, "recall", unit="K-D6D")
        pool.then_refused("not-from-pool", rule="320.36", place="1306")
        enemy = table.tries(C, "recall", unit="K-D6D", path=["1004"])
        enemy.then_refused("enemy-at-supply-point", rule="320.36", place="1004")
        table.says(C, "recall", unit="K-D6D", path=["1205", "1306"]).done(C)
        table.to("3B2").tries(C, "move-units", units=["K-D6D"], path=["1305"]).then_refused(
            "raided-this-turn", rule="3B2"
        )

    def test_raider_goes_to_a_named_supply_point(self) -> None:
        klingons = {"id": "klingon", "side": C, "name": "K", "letter": "K", "ep": 9, "supply_points": ["1306"]}
        kzintis = {"id": "kzinti", "side": A, "name": "Z", "letter": "Z"}
        table = war(DRONE, D7, CC, options=OPTIONS, empires=[klingons, kzintis]).to("3A-3A")
        table.says(C, "raid", unit="K-D6D").to("3A-3B").says(C, "raid", unit="K-D6D", path=["1205"]).to("3A-3J")
        other = table.tries(C, "recall", unit="K-D6D", path=["1206"])
        other.then_refused("not-a-supply-point", rule="320.36", place="1206", empire="klingon", places="1306")
        table.says(C, "recall", unit="K-D6D", path=["1306"])

    def test_every_raider_alive_is_recovered_once(self) -> None:
        table = drones_at("1205").to("3A-3J")
        table.must(C, "recall", "K-D6D", rule="314.273")
        table.says(C, "recall", unit="K-D6D", path=["1306"])
        twice = table.tries(C, "recall", unit="K-D6D", path=["1205"])
        twice.then_refused("not-out-raiding", rule="314.273")


class Test3A3K:
    def test_rebellion_is_rolled_for_once(self) -> None:
        table = raids().to("3A-3K").says(C, "resist", 3, kind="rebellion", at="0902", at_least=5)
        again = table.tries(C, "resist", 6, kind="rebellion", at="0902", at_least=5)
        again.then_refused("raid-rolled-already", rule="537.3")


class Test3A4CMoveOwed:
    """320.511: a designated runner goes to its target, and does not stay in the pool with EPs aboard."""

    def test_designated_runner_goes(self) -> None:
        table = raids(ship("K-RUN", "klingon", "raid-pool")).to("3A-4A").says(C, "raid", unit="K-RUN")
        table.says(C, "raid", unit="K-R1").to("3A-4B").says(C, "load", unit="K-RUN", ep=5).to("3A-4C")
        table.says(C, "raid", unit="K-R1", path=["1401"])
        table.must(C, "raid", "K-RUN", rule="320.511")
        table.says(C, "raid", unit="K-RUN", path=["1003"]).done(C)
        assert table.open == ("3A-4D",)

    def test_step_requires_nothing_without_a_designated_runner(self) -> None:
        assert {"3A-4B", "3A-4C", "3A-4D"}.isdisjoint(raids().to("3A-5B").steps())


def left_loaded() -> War:
    """K-RUN is loaded and in the pool after 3A-4C, as games begun by earlier rules have it: 3A-5A is open."""
    table = raids(ship("K-RUN", "klingon", "raid-pool"), depot_repair=True).to("3A-5A")
    told = {"raid_kind": "blockade", "cargo_ep": 5}
    table.story.given(
        AccountChanged(account="klingon/EP", amount=-5, before=60, after=55),
        *(UnitChanged(unit="K-RUN", attribute=name, before=None, after=value) for name, value in told.items()),
    )
    return table


class Test3A4BLeft:
    """320.52: cargo that was not on a run returns to the empire, also if the ship has left since."""

    def test_loaded_ship_that_left_the_pool_loses_nothing(self) -> None:
        table = left_loaded().to("3A-5B").says(C, "pool", unit="K-RUN", to="1206").to("3B2")
        assert table.game.accounts["klingon/EP"] == 60
        assert table.game.units["K-RUN"].get("raid_kind") is None
        assert table.game.units["K-RUN"].get("cargo_ep") is None


class Test3A3ERounds:
    def test_paid_raid_is_rolled(self) -> None:
        table = drones_at(*way("1306", "1003")).to("3A-3E")
        table.tries(C, "done").then_refused("orders-required", rule="320.34", orders=("skirmish",))
        table.tries(A, "done").then_refused("others-act-first", rule="320.34")
        table.says(C, "skirmish", 4, units=["K-D6D"])
        table.says(A, "suffer", unit="Z-FF", outcome="crippled").done(A, C)


class Test3A4BUnused:
    def test_unused_cargo_returns_to_the_empire(self) -> None:
        table = left_loaded().to("3A-5B")
        assert (table.game.accounts["klingon/EP"], table.game.units["K-RUN"].get("cargo_ep")) == (60, None)
        table.says(C, "pool", unit="K-RUN", to="1206").to("3B2")
        assert table.game.units["K-RUN"].get("raid_kind") is None


class Test3A4BCargo:
    def test_cargo_that_is_a_unit_is_with_the_runner(self) -> None:
        table = runner()
        for name in ("Z-CC", "K-D7"):
            cargo = table.tries(C, "load", unit="K-RUN", cargo=[name])
            cargo.then_refused("foreign-cargo", rule="320.52", cargo=name)
        table.says(C, "load", unit="K-RUN", cargo=["GCE"])

    @pytest.mark.parametrize(("number", "taken"), [(0, False), (1, True)])
    def test_ship_is_cargo_if_the_scenario_says_so(self, number: int, taken: bool) -> None:
        """Federation & Empire 3A-4B (320.52): `ships-as-cargo` is the title's own number."""
        pooled = [ship(name, "klingon", "raid-pool") for name in ("K-F5", "K-RUN")]
        table = war(D7, CC, *pooled, options={"raids": True}, numbers=numbers(ships_as_cargo=number)).to("3A-4A")
        table.says(C, "raid", unit="K-RUN").to("3A-4B")
        assert (table.tries(C, "load", unit="K-RUN", cargo=["K-F5"]).refusal is None) is taken


class Test3A4DInterceptors:
    def test_interceptors_are_in_one_hex_of_the_way(self) -> None:
        table = run("1003", "0903", "0902").to("3A-4D")
        apart = table.tries(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-CC", "Z-FF"])
        apart.then_refused("interceptors-in-several-hexes", rule="3A-4D", places="0902 and 1003")
        table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"])

    def test_side_without_a_ship_does_not_intercept(self) -> None:
        table = run("1003", "1002").to("3A-4D")
        none = table.tries(A, "roll-intercept", 6, runner="K-RUN", at_least=4)
        none.then_refused("no-ship-on-course", rule="3A-4D", at="1002", course=("1003", "1002"))

    def test_both_roll_for_the_round(self) -> None:
        table = run("1003").to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"]).to("3A-4E")
        table.tries(A, "done").then_refused("orders-required", rule="314.244", orders=("skirmish",))
        table.says(A, "skirmish", 3, units=["Z-FF"]).says(C, "skirmish", 3, units=["K-RUN"])
        table.says(C, "suffer", unit="K-RUN", outcome="destroyed")
        table.says(A, "suffer", unit="Z-FF", outcome="retreats").done(A, C)


class Test3A4B:
    def test_hold_has_the_room_that_the_scenario_gives_it(self) -> None:
        table = runner(hold=3)
        table.tries(C, "load", unit="K-RUN", ep=4).then_refused("cargo-room-too-small", rule="320.52", limit=3)
        table.says(C, "load", unit="K-RUN", ep=3)

    def test_cargo_comes_out_of_the_treasury(self) -> None:
        table = runner()
        held = table.game.accounts["klingon/EP"]
        more = table.tries(C, "load", unit="K-RUN", ep=held + 1)
        more.then_refused("loads-too-much", rule="320.52", held=60, limit=60)
        table.says(C, "load", unit="K-RUN", ep=3)
        assert table.game.accounts["klingon/EP"] == held - 3

    def test_cargo_of_a_run_not_made_returns_to_the_treasury(self) -> None:
        table = runner()
        held = table.game.accounts["klingon/EP"]
        table.says(C, "load", unit="K-RUN", ep=3).to("3B2")
        assert table.game.accounts["klingon/EP"] == held
        assert table.game.units["K-RUN"].get("cargo_ep") is None


def places_fought(table: War) -> list[str]:
    """Return the hexes of the rolled rounds, in order."""
    rolls = (event for event in table.events if isinstance(event, DiceRolled))
    return [figures(one.purpose)[0] for one in rolls if one.step == "3A-4E"]


class Test3A4E:
    def test_caught_runner_and_its_interceptors_fight(self) -> None:
        table = runner().to("3A-4C").says(C, "raid", unit="K-RUN", path=["1003", "0903", "0902"]).to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"])
        table.story.then(MarkerSet, marker="intercepts K-RUN", after=("Z-FF",))
        other = table.to("3A-4E").tries(A, "skirmish", 3, units=["Z-CC"])
        other.then_refused("no-part-in-round", rule="314.244", unit="Z-CC", units="Z-FF")
        table.says(A, "skirmish", 3, units=["Z-FF"]).says(C, "skirmish", 3, units=["K-RUN"])
        again = table.tries(C, "skirmish", 3, units=["K-RUN"])
        again.then_refused("fought-this-raid", rule="314.244")

    def test_runner_caught_on_its_way_is_fought_there(self) -> None:
        table = runner().to("3A-4C").says(C, "raid", unit="K-RUN", path=["1003", "0903", "0902"]).to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"]).to("3A-4E")
        table.says(A, "skirmish", 3, units=["Z-FF"])
        table.must(C, "skirmish", "1003", rule="314.244")
        table.says(C, "skirmish", 3, units=["K-RUN"])
        assert places_fought(table) == ["1003", "1003"]

    def test_runners_met_in_different_hexes_each_roll(self) -> None:
        table = raids().to("3A-4A").says(C, "raid", unit="K-R1").says(C, "raid", unit="K-R2").to("3A-4C")
        for unit in ("K-R1", "K-R2"):
            table.says(C, "raid", unit=unit, path=["1003", "0903", "0902"])
        table.to("3A-4D").says(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"])
        table.says(A, "roll-intercept", 6, runner="K-R2", at_least=4, units=["Z-CC"]).to("3A-4E")
        table.says(A, "skirmish", 3, units=["Z-FF"]).says(A, "skirmish", 3, units=["Z-CC"])
        table.says(C, "skirmish", 3, units=["K-R1"]).says(C, "skirmish", 3, units=["K-R2"]).done(A, C)
        assert places_fought(table) == ["1003", "0902", "1003", "0902"]

    def test_only_the_runner_that_was_caught_fights(self) -> None:
        table = raids().to("3A-4A").says(C, "raid", unit="K-R1").says(C, "raid", unit="K-R2").to("3A-4C")
        table.says(C, "raid", unit="K-R1", path=["1003"]).says(C, "raid", unit="K-R2", path=["1003"]).to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"]).to("3A-4E")
        other = table.tries(C, "skirmish", 3, units=["K-R2"])
        other.then_refused("no-part-in-round", rule="314.244", unit="K-R2", units="K-R1")

    def test_failure_leaves_no_round(self) -> None:
        table = run("1003").to("3A-4D").says(A, "roll-intercept", 1, runner="K-RUN", at_least=4, units=["Z-FF"]).done(A)
        assert table.open == ("3A-4H",)


class Test3A4H:
    def test_pickup_needs_something_to_pick_up(self) -> None:
        table = runner().says(C, "load", unit="K-RUN", ep=3).to("3A-4C").says(C, "raid", unit="K-RUN", path=["1401"])
        table.to("3A-4H")
        more = table.tries(C, "load", unit="K-RUN", ep=5)
        more.then_refused("too-few-points-there", rule="320.512", held=0, limit=3)
        table.says(C, "load", unit="K-RUN").says(C, "load", unit="K-RUN", ep=2)
        assert table.game.accounts["klingon/grid 1401"] == 1

    def test_crippled_runner_loads_nothing(self) -> None:
        table = runner().to("3A-4C").says(C, "raid", unit="K-RUN", path=["1003", "0903", "0902"]).to("3A-4D")
        table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"]).to("3A-4E")
        table.rolled().says(C, "suffer", unit="K-RUN", outcome="crippled").to("3A-4H")
        table.tries(C, "load", unit="K-RUN", cargo=["GCE"]).then_refused("cargo-lost", rule="320.54")

    def test_runner_that_stays_leaves_the_pool_with_its_eps(self) -> None:
        table = run("1401", ep=3).to("3A-4H").says(C, "stay-there", unit="K-RUN")
        assert (table.game.units["K-RUN"].at, table.game.accounts["klingon/grid 1401"]) == ("1401", 3)
        late = table.tries(C, "load", unit="K-RUN", ep=1)
        late.then_refused("not-designated-runner", rule="320.512")
        table.done(C).to("3B2")
        assert not {"3A-4J", "3A-4P"} & set(table.steps())

    def test_cargo_or_staying(self) -> None:
        table = run("1401", ep=3).to("3A-4H").says(C, "load", unit="K-RUN", ep=2)
        table.tries(C, "stay-there", unit="K-RUN").then_refused("cargo-handled-already", rule="320.514")


class Test3A4P:
    def test_cargo_that_comes_home_returns_to_the_empire(self) -> None:
        table = runner().says(C, "load", unit="K-RUN", ep=3).to("3A-4C").says(C, "raid", unit="K-RUN", path=["1401"])
        table.to("3A-4H").says(C, "load", unit="K-RUN", ep=2).to("3A-4P")
        before = table.game.accounts["klingon/EP"]
        table.says(C, "recall", unit="K-RUN").story.then(AccountChanged, account="klingon/EP", amount=2)
        assert table.game.accounts["klingon/EP"] == before + 2
        assert table.game.accounts["klingon/grid 1401"] == 1
        assert table.game.units["K-RUN"].get("cargo_ep") is None

    def test_runner_goes_back_to_the_pool_and_nowhere_else(self) -> None:
        table = runner().to("3A-4C").says(C, "raid", unit="K-RUN", path=["1401"]).to("3A-4P")
        away = table.tries(C, "recall", unit="K-RUN", path=["1306"])
        away.then_refused("returns-to-pool", rule="314.273")
        table.says(C, "recall", unit="K-RUN")

    def test_eps_are_kept_between_purse_hold_and_target(self) -> None:
        table = runner()
        held = table.game.accounts["klingon/EP"]
        table.says(C, "load", unit="K-RUN", ep=5).to("3A-4C").says(C, "raid", unit="K-RUN", path=["1401"])
        table.to("3A-4H").says(C, "load", unit="K-RUN", ep=2).to("3A-4P")
        table.must(C, "recall", "K-RUN", rule="314.273")
        table.says(C, "recall", unit="K-RUN")
        assert table.game.accounts["klingon/EP"] + table.game.accounts["klingon/grid 1401"] == held
        twice = table.tries(C, "recall", unit="K-RUN")
        twice.then_refused("not-out-raiding", rule="314.273")


class Test3A3C:
    def test_reaction_or_police_to_a_special_raid(self) -> None:
        """Let a unit that reacted to a normal raid react to a special one: each raid is answered separately."""
        table = raids(DRONE).to("3A-2B").says(C, "raid", unit="K-R1", path=["0902"]).to("3A-2C")
        table.says(A, "answer-raid", at="0902", unit="Z-FF", path=["0903", "0902"]).to("3A-3A")
        table.says(C, "raid", unit="K-D6D").to("3A-3B").says(C, "raid", unit="K-D6D", path=list(way("1306", "1003")))
        table.to("3A-3C").says(A, "answer-raid", at="1003", unit="Z-FF", path=["0903", "1003"])
        both = table.tries(A, "answer-raid", at="1003", unit="Z-P", police=True, empire="kzinti")
        both.then_refused("answered-otherwise", rule="314.243", answer="reaction")
        twice = table.tries(A, "answer-raid", at="1003", unit="Z-FF", path=["0903", "1003"])
        twice.then_refused("reacted-already", rule="320.314")


class Test3A3D:
    def costly(self, **more: int) -> War:
        drone = ship("K-D6D", "klingon", "1306", "drone", raid_cost=3)
        empires = [{"id": "klingon", "side": C, "name": "Klingons", "letter": "K", "ep": 10, **more}, KZINTI]
        table = war(drone, FIGHTER, CC, FF, options=OPTIONS, empires=empires).to("3A-3A")
        table.says(C, "raid", unit="K-D6D").says(C, "raid", unit="K-FI").to("3A-3B")
        return table.says(C, "raid", unit="K-D6D", path=list(way("1306", "1003"))).says(
            C, "raid", unit="K-FI", path=["1305"]
        )

    def test_drone_raid_is_paid_once_at_the_price_of_the_scenario(self) -> None:
        table = self.costly().to("3A-3D")
        table.must(C, "pay-raid", "K-D6D", rule="320.32")
        table.tries(C, "pay-raid", unit="K-D6D", ep=2).then_refused("drone-raid-price", rule="320.32", limit=3)
        table.tries(C, "pay-raid", unit="K-FI", ep=3).then_refused(
            "not-to-be-paid-for", rule="320.32", state="not a drone raider", units="K-D6D"
        )
        table.says(C, "pay-raid", unit="K-D6D", ep=3).story.then(AccountChanged, account="klingon/EP", amount=-3)
        table.tries(C, "pay-raid", unit="K-D6D", ep=3).then_refused(
            "not-to-be-paid-for", rule="320.32", state="already paid for", units="none"
        )

    def test_empire_that_cannot_pay_is_not_asked(self) -> None:
        table = self.costly(ep=2).to("3A-3D")
        table.tries(C, "pay-raid", unit="K-D6D", ep=3).then_refused(
            "too-few-economic-points", rule="3A-3D", given=3, limit=2
        )
        table.done(C)
        unpaid = table.tries(C, "skirmish", 3, units=["K-D6D"])
        unpaid.then_refused("no-part-in-round", rule="320.34", unit="K-D6D", units="K-FI")
        assert table.game.accounts["klingon/EP"] == 2


class Test3A3E:
    def test_round_is_fought_at_bir_4_once(self) -> None:
        table = drones_at(*way("1306", "1003")).to("3A-3E").says(C, "skirmish", 4, units=["K-D6D"])
        assert figures(table.story.then(DiceRolled).purpose) == ["1003", "7", "4"]
        again = table.tries(C, "skirmish", 6, units=["K-D6D"])
        again.then_refused("fought-this-raid", rule="320.34")
        away = table.tries(A, "skirmish", 3, units=["Z-CC"])
        away.then_refused("no-part-in-round", rule="320.34", unit="Z-CC", units="Z-FF")

    def test_another_bir_is_an_option(self) -> None:
        raid = (C, "skirmish", 4)
        plain = drones_at(*way("1306", "1003")).to("3A-3E").tries(*raid, units=["K-D6D"], bir=6)
        plain.then_refused("raid-rating-fixed", rule="320.37", limit=4)
        table = raids(DRONE, raid_bir=True).to("3A-3A").says(C, "raid", unit="K-D6D").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=list(way("1306", "1003"))).to("3A-3E")
        assert figures(table.says(*raid, units=["K-D6D"], bir=6).story.then(DiceRolled).purpose) == ["1003", "7", "6"]

    def test_points_left_over_wait_for_phase_5_in_that_hex(self) -> None:
        table = drones_at(*way("1306", "1003")).to("3A-3E").says(C, "skirmish", 4, units=["K-D6D"])
        elsewhere = table.tries(C, "carry-points", at="0902", points=1)
        elsewhere.then_refused("nobody-raids-there", rule="320.34", at="0902", targets="1003")
        table.says(C, "carry-points", at="1003", points=1)
        twice = table.tries(C, "carry-points", at="1003", points=-2)
        twice.then_refused("points-carried-there", rule="320.34", points="plus")
        assert table.game.accounts["coalition/plus 1003"] == 1

    def test_points_without_a_later_battle_are_gone(self) -> None:
        table = drones_at(*way("1306", "1003")).to("3A-3E").says(C, "carry-points", at="1003", points=1).to("6A")
        assert not table.game.accounts.get("coalition/plus 1003")


class Test3A3H:
    def test_drones_at_half_fight_only_the_group_in_one_round(self) -> None:
        table = (
            drones_at(*way("1306", "0902")).to("3A-3F").says(A, "intercept-at", at="0902").done(A, answer="intercept")
        )
        table.says(A, "roll-intercept", 6, at_least=4, units=["Z-CC"]).says(C, "skirmish", 3, units=["K-D6D"])
        assert figures(table.story.then(DiceRolled).purpose) == ["0902", "3.5", "4"]
        again = table.tries(C, "skirmish", 3, units=["K-D6D"])
        again.then_refused("fought-this-raid", rule="320.353")


class Test3A4A:
    def test_runners_are_ships_of_the_pool_that_did_not_raid(self) -> None:
        table = raids().to("3A-2B").says(C, "raid", unit="K-R1", path=["0902"]).to("3A-4A")
        table.tries(C, "raid", unit="K-D7").then_refused("raider-not-in-pool", rule="320.51")
        table.tries(C, "raid", unit="K-R1").then_refused("raider-has-raided", rule="320.51")
        table.says(C, "raid", unit="K-R2").story.then(UnitChanged, unit="K-R2", attribute="raid_kind", after="blockade")


class Test3A4C:
    def test_runner_goes_to_one_target(self) -> None:
        table = run("1003", "0903")
        table.tries(C, "raid", unit="K-RUN", path=["0902"]).then_refused("raider-has-gone", rule="320.511", at="0903")
        other = table.tries(C, "raid", unit="K-R1", path=["0902"])
        other.then_refused("not-designated-to-raid", rule="320.511", letter=4)


class Test3A4D:
    def test_interceptors_on_the_way_have_one_attempt(self) -> None:
        table = run("1003", "0903").to("3A-4D")
        away = table.tries(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-CC"])
        away.then_refused("unit-off-course", rule="3A-4D", unit="Z-CC", at="0902", course=("1003", "0903"))
        table.says(A, "roll-intercept", 1, runner="K-RUN", at_least=4, units=["Z-FF"])
        again = table.tries(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"])
        again.then_refused("runner-tried-already", rule="320.54")


def caught(ep: int = 3) -> War:
    """Catch K-RUN at 1003 on its way in."""
    table = run("1003", ep=ep).to("3A-4D")
    return table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"]).to("3A-4E")


class Test3A4F:
    def test_cripple_loses_its_eps_and_goes_back_or_on(self) -> None:
        table = caught().rolled().says(C, "suffer", unit="K-RUN", outcome="crippled")
        table.story.then(UnitChanged, unit="K-RUN", attribute="cargo_ep", before=3, after=None)
        held = table.game.accounts["klingon/EP"]
        table.to("3A-4F").says(C, "recall", unit="K-RUN").to("3B2")
        assert table.game.accounts["klingon/EP"] == held
        on = caught().rolled().says(C, "suffer", unit="K-RUN", outcome="crippled").to("3A-4F").done(C)
        assert on.open == ("3A-4H",)

    def test_runner_only_beaten_off_keeps_its_eps(self) -> None:
        table = caught().rolled().says(C, "suffer", unit="K-RUN", outcome="retreats").to("3A-4F")
        held = table.game.accounts["klingon/EP"]
        table.says(C, "recall", unit="K-RUN").story.then(AccountChanged, amount=3, after=held + 3)


class Test3A4G:
    def test_interceptors_that_are_beaten_off_must_go(self) -> None:
        table = caught().rolled().says(A, "suffer", unit="Z-FF", outcome="retreats").to("3A-4G")
        table.must(A, "move-units", "Z-FF", rule="314.244")
        other = table.tries(A, "move-units", units=["Z-CC"], path=["0901"])
        other.then_refused("not-forced-to-retreat", rule="314.244", unit="Z-CC")
        table.says(A, "move-units", units=["Z-FF"], path=["1002"]).done(A)

    def test_destroyed_runner_is_not_asked_again(self) -> None:
        table = caught()
        held = table.game.accounts["klingon/EP"]
        table.rolled().says(C, "suffer", unit="K-RUN", outcome="destroyed").to("3B2")
        assert not {"3A-4F", "3A-4H", "3A-4P"} & set(table.steps())
        assert table.game.accounts["klingon/EP"] == held


class Test3A4J:
    def test_way_back_begins_at_the_target(self) -> None:
        table = run("1003", "0903").to("3A-4J")
        gap = table.tries(C, "raid", unit="K-RUN", path=["1105"])
        gap.then_refused("raid-path-gap", rule="320.512", gap="0903 to 1105")
        table.says(C, "raid", unit="K-RUN", path=["1003"])
        assert table.game.units["K-RUN"].at == "1003"


class Test3A4K:
    def test_runner_not_tried_on_the_way_in_may_be_tried_later(self) -> None:
        table = run("1401").to("3A-4J").says(C, "raid", unit="K-RUN", path=list(way("1401", "1003"))).to("3A-4K")
        table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"]).done(A)
        assert table.open == ("3A-4L",)

    def test_failed_try_in_4d_is_the_only_one(self) -> None:
        table = run("1003").to("3A-4D").says(A, "roll-intercept", 1, runner="K-RUN", at_least=4, units=["Z-FF"])
        table.to("3A-4P")
        assert any(isinstance(event, StepPassed) and event.step == "3A-4K" for event in table.events)

    def test_runner_that_stayed_is_not_tried(self) -> None:
        table = run("1003").to("3A-4H").says(C, "stay-there", unit="K-RUN").to("3B2")
        assert "3A-4K" not in table.steps()


def caught_on_the_way_out() -> War:
    table = run("1401", ep=3).to("3A-4J").says(C, "raid", unit="K-RUN", path=list(way("1401", "1003"))).to("3A-4K")
    return table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"]).done(A)


class Test3A4L:
    def test_runner_and_its_interceptors_fight_one_round(self) -> None:
        table = caught_on_the_way_out().says(A, "skirmish", 3, units=["Z-FF"])
        table.tries(A, "skirmish", 3, units=["Z-FF"]).then_refused("fought-this-raid", rule="314.244")
        table.tries(A, "skirmish", 3, units=["Z-CC"]).then_refused(
            "no-part-in-round", rule="314.244", unit="Z-CC", units="Z-FF"
        )


class Test3A4M:
    def test_cripple_loses_its_eps_on_the_way_out_too(self) -> None:
        table = caught_on_the_way_out().rolled().says(C, "suffer", unit="K-RUN", outcome="crippled").to("3A-4M")
        held = table.game.accounts["klingon/EP"]
        table.says(C, "recall", unit="K-RUN")
        assert table.game.accounts["klingon/EP"] == held


class Test3A4N:
    def test_interceptors_that_are_beaten_off_must_go(self) -> None:
        table = caught_on_the_way_out().rolled().says(A, "suffer", unit="Z-FF", outcome="retreats").to("3A-4N")
        table.must(A, "move-units", "Z-FF", rule="314.244")
        table.says(A, "move-units", units=["Z-FF"], path=["1002"]).done(A)


class Test3A4Q:
    def test_decoys_and_docks_are_not_ships(self) -> None:
        things = ship("R-DC", "romulan", "raid-pool", "decoy"), ship("K-FRD", "klingon", "1206", "frd")
        table = war(D7, CC, *things, options={**OPTIONS, "wyn": True}).to("3A-4Q")
        for name in ("R-DC", "K-FRD"):
            table.tries(C, "sell-ship", unit=name, ep=3).then_refused("not-a-ship", rule="449.23")
        scrap = war(D7, CC, *things).to("1C3")
        for name in ("R-DC", "K-FRD"):
            scrap.tries(C, "scrap", unit=name, ep=3).then_refused("not-a-ship", rule="447.5")

    def test_ship_in_mothballs_is_not_sold(self) -> None:
        table = raids(ship("K-OLD", "klingon", "1206", mothballed=True), wyn=True).to("3A-4Q")
        idle = table.tries(C, "sell-ship", unit="K-OLD", ep=4)
        idle.then_refused("not-a-sold-ship", rule="449.23")

    def test_ship_is_sold_once_at_the_price_of_the_scenario(self) -> None:
        sold = ship("K-R3", "klingon", "raid-pool", wyn_price=4)
        table = raids(sold, ship("K-SB", "klingon", "1206", base=True), wyn=True).to("3A-4Q")
        cheap = table.tries(C, "sell-ship", unit="K-R3", ep=5)
        cheap.then_refused("wrong-sale-price", rule="449.23", price=4)
        table.tries(C, "sell-ship", unit="K-SB", ep=4).then_refused("not-a-ship", rule="449.23", unit="K-SB")
        table.tries(C, "sell-ship", unit="Z-CC", ep=4).then_refused(
            "unit-of-another-side", rule="3A-4Q", side="Alliance"
        )
        table.says(C, "sell-ship", unit="K-R3", ep=4).story.then(AccountChanged, account="klingon/EP", amount=4)
        table.story.then(UnitRemoved, unit="K-R3", fate="sold")
        table.tries(C, "sell-ship", unit="K-R3", ep=4).then_refused("unit-removed", rule="3A-4Q", unit="K-R3")
