"""Check groups without a leader, docks and elements without a tow, runners with two ways, bids for other empires."""

import pytest

from tests.face.domain import MarkerSet, UnitChanged
from tests.titles.federation_table import War, battle, ship, war
from tests.titles.test_federation_forces import numbers
from tests.titles.test_federation_phases_9_to_11 import POOLED, pirates
from tests.titles.test_federation_raids_special import run

A, C, ORION = "alliance", "coalition", "orion"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
SMALL = [ship(f"K-D{n}", "klingon", "1105", command=2) for n in range(1, 5)]
THERE = ship("Z-DD", "kzinti", "1105")
FRD, GCE = ship("K-FRD", "klingon", "1206", "frd"), ship("K-GCE", "klingon", "1206", "gce", kind="GCE")
TUG = ship("K-TUG", "klingon", "1206", "tug")


class Test3A4JOnce:
    """320.512: a runner has one way back in the step, so that a second way does not avoid waiting interceptors."""

    def test_second_way_is_refused(self) -> None:
        table = run("1003", "0903").to("3A-4J").says(C, "raid", unit="K-RUN", path=["1002"])
        again = table.tries(C, "raid", unit="K-RUN", path=["1001"])
        again.then_refused("raider-has-gone", rule="320.512", unit="K-RUN", at="1002")
        assert table.game.units["K-RUN"].names("course") == ("0903", "1002")

    def test_next_turn_allows_one_way_back_again(self) -> None:
        table = run("1003", "0903").to("3A-4J").says(C, "raid", unit="K-RUN", path=["1002"]).to("3A-4P")
        table.says(C, "recall", unit="K-RUN")
        assert table.game.units["K-RUN"].get("way_back") is None
        table.to("3A-4A").to("1A2").to("3A-4A").says(C, "raid", unit="K-RUN").to("3A-4C")
        table.says(C, "raid", unit="K-RUN", path=["1003"]).to("3A-4J").says(C, "raid", unit="K-RUN", path=["1002"])


class Test53CNamed:
    """Federation & Empire 515.15: a group has the name of a unit that is in it."""

    UNITS = (*SMALL[:3], THERE, ship("Z-BB", "kzinti", "1105"))

    def grouped(self, *units: dict[str, object]) -> War:
        table = battle(*(units or self.UNITS)).to("5-3C")
        table.says(C, "seal-escorts", groups=["K-D1: K-D2 K-D3"]).to("5-4C4").says(C, "score", points=0)
        return table.says(A, "score", points=9).to("5-6B")

    def test_group_of_a_lost_ship_takes_the_next_name(self) -> None:
        table = self.grouped().says(C, "allot", unit="K-D1", result="destroyed")
        assert [table.game.units[name].get("group") for name in ("K-D2", "K-D3")] == ["K-D2", "K-D2"]
        table.to("6C", s5_7A2="retreat").says(C, "dissolve", group="K-D2")
        assert table.game.units["K-D3"].get("group") is None

    def test_pinwheel_of_a_lost_ship_takes_the_next_name(self) -> None:
        """Federation & Empire 5-3F, 5-6G (322.1)."""
        wheel = [ship(f"T-P{n}", "tholian", "1105", "pinwheel") for n in (1, 2, 3)]
        table = battle({**SMALL[0], "attack": 40}, *wheel).to("5-3E")
        table.says(A, "seal-force", units=["T-P1", "T-P2", "T-P3"], pinwheels=["T-P1 T-P2 T-P3"]).to("5-4C4")
        table.says(C, "score", points=9).to("5-6A").says(A, "allot", unit="T-P1", result="destroyed")
        assert [table.game.units[name].get("pinwheel") for name in ("T-P2", "T-P3")] == ["T-P2", "T-P2"]
        table.to("5-6G").says(A, "dissolve-pinwheel", ship="T-P3")

    def test_ship_of_a_pinwheel_leaves_it_for_the_depot(self) -> None:
        """Federation & Empire 5-6X7 (424.33)."""
        wheel = [ship(f"T-P{n}", "tholian", "1105", "pinwheel") for n in (1, 2, 3)]
        table = battle({**SMALL[0], "attack": 40}, *wheel).to("5-3E")
        table.says(A, "seal-force", units=["T-P1", "T-P2", "T-P3"], pinwheels=["T-P1 T-P2 T-P3"]).to("5-4C4")
        table.says(C, "score", points=6).to("5-6A").says(A, "allot", unit="T-P1", result="crippled").to("5-6X7")
        table.says(A, "depot", unit="T-P1", act="add")
        assert [table.game.units[f"T-P{n}"].get("pinwheel") for n in (1, 2, 3)] == [None, "T-P2", "T-P2"]

    def test_group_that_loses_an_escort_keeps_its_name(self) -> None:
        table = self.grouped().says(C, "allot", unit="K-D2", result="destroyed")
        assert [table.game.units[name].get("group") for name in ("K-D1", "K-D3")] == ["K-D1", "K-D1"]

    def test_group_of_a_captured_ship_takes_the_next_name(self) -> None:
        table = self.grouped().says(C, "allot", unit="K-D1", result="crippled")
        table.says(C, "allot", unit="K-D2", result="crippled").to("5-6X1")
        table.says(A, "capture", 6, unit="K-D1", at_least=5)
        assert [table.game.units[name].get("group") for name in ("K-D1", "K-D2", "K-D3")] == [None, "K-D2", "K-D2"]

    def test_group_of_a_scuttled_ship_takes_the_next_name(self) -> None:
        table = self.grouped().says(C, "allot", unit="K-D1", result="destroyed").to("5-6X9")
        table.says(C, "scuttle", unit="K-D2")
        assert table.game.units["K-D3"].get("group") == "K-D3"


class Test53CLed:
    """515.15, 302.33: groups fight whole, so that a group is not larger than a flagship can lead."""

    def test_group_without_a_leader_is_not_set_up(self) -> None:
        table = battle(*SMALL, THERE).to("5-3C")
        large = table.tries(C, "seal-escorts", groups=["K-D1: K-D2 K-D3 K-D4"])
        large.then_refused("group-too-large", rule="515.15", leader="K-D1", given=4, unit="K-D1", excess=1)
        table.says(C, "seal-escorts", groups=["K-D1: K-D2 K-D3"]).to("5-3E")
        table.says(C, "seal-force", units=["K-D1", "K-D2", "K-D3"])

    def test_command_points_that_are_there_count(self) -> None:
        table = battle(*SMALL, THERE, accounts={"coalition/command points": 1}).to("5-3C")
        table.says(C, "seal-escorts", groups=["K-D1: K-D2 K-D3 K-D4"]).to("5-3D")
        few = table.tries(C, "seal-flagship", unit="K-D1")
        few.then_refused("group-above-leader", rule="302.33", over=1, points=1)
        table.says(C, "seal-flagship", unit="K-D1", command_points=1).to("5-3E")
        table.says(C, "seal-force", units=["K-D1", "K-D2", "K-D3", "K-D4"])

    def test_group_of_the_open_flagship_is_its_own(self) -> None:
        mine = [{**one, "id": f"Z-D{n}", "side": A, "empire": "kzinti"} for n, one in enumerate(SMALL)]
        great = ship("Z-BB", "kzinti", "1105", command=9)
        table = battle(ship("K-D7", "klingon", "1105"), *mine, great).to("5-1D")
        table.says(A, "name-flagship", unit="Z-D0").to("5-3C")
        large = table.tries(A, "seal-escorts", groups=["Z-D0: Z-D1 Z-D2 Z-D3"])
        large.then_refused("group-too-large", rule="515.15", leader="Z-D0", unit="Z-D0", excess=1)
        table.says(A, "seal-escorts", groups=["Z-BB: Z-D1 Z-D2 Z-D3"])


class Test53DLeads:
    def test_flagship_leads_its_own_group_even_if_another_could(self) -> None:
        great = ship("K-BB", "klingon", "1105", command=9)
        table = battle(*SMALL, great, THERE).to("5-3C").says(C, "seal-escorts", groups=["K-D1: K-D2 K-D3 K-D4"])
        small = table.to("5-3D").tries(C, "seal-flagship", unit="K-D1")
        small.then_refused("unit-above-leader", rule="302.33", unit="K-D1", over=1, units="K-BB")
        table.says(C, "seal-flagship", unit="K-BB").to("5-3E")
        table.says(C, "seal-force", units=["K-BB", "K-D1", "K-D2", "K-D3", "K-D4"])


class Test53ELegal:
    """A legal force always exists, also after losses among flagships and groups."""

    def grouped(self) -> War:
        """Lose K-BB, the leader of the group, so that in round two no flagship leads the group whole."""
        great = ship("K-BB", "klingon", "1105", command=9)
        table = battle(*SMALL, great, THERE, ship("Z-CC", "kzinti", "1105")).to("5-3C")
        table.says(C, "seal-escorts", groups=["K-D1: K-D2 K-D3 K-D4"]).to("5-3D")
        table.says(C, "seal-flagship", unit="K-BB").to("5-4C4").says(A, "score", points=6).to("5-6B")
        table.says(C, "allot", unit="K-BB", result="crippled")
        return table.to("5-6X9").says(C, "scuttle", unit="K-BB").to("5-3E", s5_7A2="stay")

    def test_group_beyond_its_flagship_fights_in_part(self) -> None:
        table = self.grouped()
        many = table.tries(C, "seal-force", units=["K-D1", "K-D2", "K-D3", "K-D4"])
        many.then_refused("force-above-flagship", rule="302.33", flagship="K-D1", limit=2, excess=1)
        table.says(C, "seal-force", units=["K-D1", "K-D2", "K-D3"])

    def test_group_within_its_flagship_stays_whole(self) -> None:
        table = battle(*SMALL, THERE).to("5-3C").says(C, "seal-escorts", groups=["K-D1: K-D2 K-D3"]).to("5-3E")
        part = table.tries(C, "seal-force", units=["K-D1", "K-D2"])
        part.then_refused("group-incomplete", rule="515.15", units="K-D3", plural="s", leader="K-D1")

    def test_least_force_is_not_larger_than_what_is_led(self) -> None:
        """Two units are required: the flagship leads one more unit, and the force has a group of two."""
        lone, *pair = (ship(f"K-L{n}", "klingon", "1105", command=1) for n in range(3))
        table = battle(lone, *pair, THERE, numbers=numbers(minimum_force=2)).to("5-3C")
        table.says(C, "seal-escorts", groups=["K-L1: K-L2"]).to("5-3D").says(C, "seal-flagship", unit="K-L0")
        table.to("5-3E").says(C, "seal-force", units=["K-L0"])
        more = battle(*SMALL, THERE, numbers=numbers(minimum_force=2)).to("5-3E")
        few = more.tries(C, "seal-force", units=["K-D1"])
        few.then_refused("force-too-small", rule="302.36", limit=2, plural="s", units="K-D1, K-D2, K-D3, K-D4")


class TestCarried:
    """509.1: a dock is towed by a transport of mission F; a ground combat element goes with a ship."""

    def test_dock_does_not_move_alone(self) -> None:
        table = war(D7, TUG, FRD, CC).to("3B2")
        for units in (["K-FRD"], ["K-FRD", "K-TUG"]):
            alone = table.tries(C, "move-units", units=units, path=["1207"])
            alone.then_refused("too-few-transports", rule="509.1", docks=1, transports=0)
        table.says(C, "assign-mission", unit="K-TUG", code="F")
        table.says(C, "move-units", units=["K-FRD", "K-TUG"], path=["1207"])
        assert table.game.units["K-FRD"].at == "1207"

    def test_dock_does_not_move_alone_in_later_phases(self) -> None:
        table = war(D7, TUG, FRD, CC).to("6D2")
        table.tries(C, "retrograde", units=["K-FRD"], path=["1207"]).then_refused(
            "too-few-transports", rule="206.0", docks=1
        )
        table.to("8A").tries(C, "move-units", units=["K-FRD"], path=["1207"]).then_refused(
            "too-few-transports", rule="509.1", docks=1
        )
        table.says(C, "assign-mission", unit="K-TUG", code="F")
        table.says(C, "move-units", units=["K-FRD", "K-TUG"], path=["1207"])

    def test_element_goes_with_a_ship(self) -> None:
        table = war(D7, GCE, CC).to("3B2")
        alone = table.tries(C, "move-units", units=["K-GCE"], path=["1207"])
        alone.then_refused("element-moves-with-ship", rule="3B2", element="K-GCE")
        table.says(C, "move-units", units=["K-D7", "K-GCE"], path=["1207"])
        assert table.game.units["K-GCE"].at == "1207"

    def test_retreating_ship_may_leave_the_dock(self) -> None:
        here = [{**one, "at": "1105"} for one in (D7, GCE)]
        table = battle(*here, THERE).to("5-7D", s5_7A2="retreat")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).done(C)
        assert table.game.units["K-GCE"].at == "1105"

    def test_element_alone_does_not_retreat(self) -> None:
        table = battle({**GCE, "at": "1105"}, THERE).to("5-7A2")
        table.tries(C, "done", answer="retreat").then_refused(
            "not-an-answer", rule="302.71", answer="retreat", choices="stay"
        )

    def test_element_is_not_beaten_off_by_raiders(self) -> None:
        """Avoid a 3A-2G that waits for a retreat it cannot make."""
        there = {**GCE, "id": "Z-GCE", "side": A, "empire": "kzinti", "at": "0902"}
        raider = ship("K-R1", "klingon", "raid-pool")
        table = war(raider, D7, CC, there, options={"raids": True}).to("3A-2B")
        table.says(C, "raid", unit="K-R1", path=["0902"]).to("3A-2D")
        table.says(A, "fight-raiders", at="0902", units=["Z-CC", "Z-GCE"]).to("3A-2E").rolled()
        stays = table.tries(A, "suffer", unit="Z-GCE", outcome="retreats")
        stays.then_refused("base-or-carried-stays", rule="314.244", unit="Z-GCE", kind="carried by others")
        table.says(A, "suffer", unit="Z-CC", outcome="retreats").to("3A-2G")


class Test11GNought:
    """504.33: the player who bids for an empire plays it, also if the bid is zero."""

    def auction(self) -> War:
        return pirates(POOLED).to("11F").says(ORION, "offer-lease", unit="O-LR").to("11G")

    @pytest.mark.parametrize("bid", [{"empire": "kzinti"}, {"also": ["kzinti=0"]}])
    def test_another_sides_empire_is_refused(self, bid: dict[str, object]) -> None:
        table = self.auction()
        theirs = table.tries(C, "seal-bid", **{"ep": 0, **bid})
        theirs.then_refused(
            "not-an-empire-of-the-side", rule="11G", empire="kzinti", side="Coalition", empires="klingon, romulan"
        )

    def test_own_empire_may_bid_zero(self) -> None:
        table = self.auction().says(C, "seal-bid", ep=0, empire="klingon").says(A, "seal-bid", ep=0)
        table.story.then(MarkerSet, marker="on offer", after=None)

    def test_empire_is_named_once(self) -> None:
        twice = self.auction().tries(C, "seal-bid", ep=0, empire="klingon", also=["klingon=3"])
        twice.then_refused("bids-twice", rule="504.33", empire="Klingon Empire")


def test_way_back_is_noted_for_its_turn() -> None:
    table = run("1003", "0903").to("3A-4J").says(C, "raid", unit="K-RUN", path=["1002"])
    table.story.then(UnitChanged, unit="K-RUN", attribute="way_back", after=1)
