"""Check raids of Federation & Empire for answers without a story by label."""

import pytest

from tests.face.domain import way
from tests.titles.federation_table import War, says, ship, war
from tests.titles.test_federation_raids import limited_police, raid_on_0902, raids
from tests.titles.test_federation_raids_special import caught, caught_on_the_way_out, drones_at, run, runner

A, C = "alliance", "coalition"
D7, CC, FF = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902"), ship("Z-FF", "kzinti", "1003")
R1 = ship("K-R1", "klingon", "raid-pool")
DRONE = ship("K-D6D", "klingon", "1306", "drone", attack=7)


def beaten_off(step: str) -> tuple[War, str]:
    """Open the step in which a raider or a runner goes back."""
    if step == "3A-2F":
        table = raid_on_0902().to("3A-2E").rolled().says(C, "suffer", unit="K-R1", outcome="retreats")
        return table.to(step), "K-R1"
    table = caught() if step == "3A-4F" else caught_on_the_way_out()
    return table.rolled().says(C, "suffer", unit="K-RUN", outcome="retreats").to(step), "K-RUN"


class TestBackToThePool:
    """314.244: a raider that is called back returns to the Raid Pool, and enters no hex."""

    @pytest.mark.parametrize("step", ["3A-2F", "3A-4F", "3A-4M"])
    def test_raider_called_back_takes_no_path(self, step: str) -> None:
        table, raider = beaten_off(step)
        along = table.tries(C, "recall", unit=raider, path=["1003"])
        along.then_refused("returns-to-pool", rule=step)
        table.says(C, "recall", unit=raider)
        assert table.game.units[raider].at == "raid-pool"


class Test3A3CPolice:
    """314.243: the police of an empire, in special raids too."""

    def raided(self) -> War:
        """Open a drone raid on 1003 and 1105, with one police ship allowed."""
        other = ship("K-D6E", "klingon", "1206", "drone")
        table = war(DRONE, other, D7, CC, FF, options={"raids": True}, empires=limited_police(1)).to("3A-3A")
        table.says(C, "raid", unit="K-D6D").says(C, "raid", unit="K-D6E").to("3A-3B")
        table.says(C, "raid", unit="K-D6D", path=list(way("1306", "1003")))
        return table.says(C, "raid", unit="K-D6E", path=["1106"], target="1105").to("3A-3C")

    def test_police_are_limited_by_the_scenario(self) -> None:
        table = self.raided().says(A, "answer-raid", at="1003", unit="Z-P1", police=True)
        more = table.tries(A, "answer-raid", at="1105", unit="Z-P2", police=True)
        more.then_refused("too-many-police", rule="314.243", given=1, limit=1)


class TestWhatTheDieMustShow:
    """If the scenario has no table, the order states the number that the die must show before the roll."""

    def test_number_for_an_interception_of_drones_is_stated(self) -> None:
        table = drones_at(*way("1306", "0902")).to("3A-3F").says(A, "intercept-at", at="0902")
        table.done(A, answer="intercept")
        unsaid = table.tries(A, "roll-intercept", 5, units=["Z-CC"])
        unsaid.then_refused("die-result-missing", rule="3A-3G")
        table.says(A, "roll-intercept", 5, at_least=4, units=["Z-CC"])

    def test_number_for_an_attempt_on_the_way_in_is_stated(self) -> None:
        table = run("1003").to("3A-4D")
        unsaid = table.tries(A, "roll-intercept", 5, runner="K-RUN", units=["Z-FF"])
        unsaid.then_refused("die-result-missing", rule="3A-4D")
        table.says(A, "roll-intercept", 5, runner="K-RUN", units=["Z-FF"], at_least=4)

    def test_number_for_an_attempt_on_the_way_out_is_stated(self) -> None:
        table = run("1401").to("3A-4J").says(C, "raid", unit="K-RUN", path=list(way("1401", "1003"))).to("3A-4K")
        unsaid = table.tries(A, "roll-intercept", 5, runner="K-RUN", units=["Z-FF"])
        unsaid.then_refused("die-result-missing", rule="3A-4K")
        table.says(A, "roll-intercept", 5, runner="K-RUN", units=["Z-FF"], at_least=4)

    def test_number_for_a_rebellion_is_stated(self) -> None:
        table = raids().to("3A-3K")
        unsaid = table.tries(C, "resist", 5, kind="rebellion", at="0902")
        unsaid.then_refused("die-result-missing", rule="3A-3K")
        table.says(C, "resist", 5, kind="rebellion", at="0902", at_least=4)


class Test3A3HIntensity:
    """320.353: drones at half, and at BIR 4."""

    def test_other_ratings_are_refused(self) -> None:
        table = drones_at(*way("1306", "0902")).to("3A-3F").says(A, "intercept-at", at="0902")
        table.done(A, answer="intercept").says(A, "roll-intercept", 6, at_least=4, units=["Z-CC"])
        other = table.tries(C, "skirmish", 3, units=["K-D6D"], bir=6)
        other.then_refused("raid-rating-fixed", rule="3A-3H", limit=4)
        table.says(C, "skirmish", 3, units=["K-D6D"])


class Test3A3JRecords:
    """3A-3J: of a special raid nothing is left on the raider that came home."""

    def test_raid_leaves_nothing_on_the_raider(self) -> None:
        table = drones_at("1205").to("3A-3J").says(C, "recall", unit="K-D6D", path=["1306"]).to("3B2")
        raider = table.game.units["K-D6D"]
        names = ("raid_kind", "raid", "raid_from", "raid_paid")
        assert {name: raider.get(name) for name in names} == dict.fromkeys(names)


class Test3A3KPlaces:
    def test_rebellion_is_not_in_a_hex_of_the_own_side(self) -> None:
        table = raids(ship("K-SB", "klingon", "1206", base=True)).to("3A-3K")
        for at in ("1206", "1306"):
            own = table.tries(C, "resist", 5, kind="rebellion", at=at, at_least=4)
            own.then_refused("own-hex", rule="3A-3K", at=at)
        table.says(C, "resist", 5, kind="rebellion", at="0902", at_least=4)


class Test3A4BUntilItLeaves:
    def test_runner_is_loaded_again_in_the_pool_but_not_on_its_way(self) -> None:
        table = runner().says(C, "load", unit="K-RUN", ep=1).says(C, "load", unit="K-RUN", ep=2).to("3A-4C")
        late = table.says(C, "raid", unit="K-RUN", path=["1003"]).tries(C, "load", unit="K-RUN", ep=1)
        late.then_refused("not-allowed-now", rule="3A-4C", order="load", orders=("roll", "mark", "done"))
        assert table.game.units["K-RUN"].get("cargo_ep") == 2


class TestNoShipsIntercept:
    """320.54: a dock or a ground combat element on the way does not stop a runner."""

    THINGS = (
        ship("Z-FRD", "kzinti", "1003", "frd"),
        ship("Z-ADM", "kzinti", "1003", "leader"),
        ship("Z-OLD", "kzinti", "1003", mothballed=True),
    )

    @pytest.mark.parametrize("thing", [str(one["id"]) for one in THINGS])
    def test_docks_and_elements_do_not_intercept(self, thing: str) -> None:
        table = raids(*self.THINGS).to("3A-4A").says(C, "raid", unit="K-R1").to("3A-4C")
        table.says(C, "raid", unit="K-R1", path=["1003"]).to("3A-4D")
        none = table.tries(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=[thing])
        none.then_refused("not-an-active-ship-on-map", rule="3A-4D", unit=thing)
        table.says(A, "roll-intercept", 6, runner="K-R1", at_least=4, units=["Z-FF"])

    def test_ship_that_is_not_a_runner_is_refused_by_its_own_rule(self) -> None:
        table = run("1401").to("3A-4J").says(C, "raid", unit="K-RUN", path=list(way("1401", "1003"))).to("3A-4K")
        other = table.tries(A, "roll-intercept", 6, runner="K-D7", at_least=4, units=["Z-FF"])
        other.then_refused("not-a-blockade-runner", rule="3A-4K (320.54)", runner="K-D7", runners="K-RUN")
        table.give(says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, units=["Z-FF"])).then_accepted()


class Test3B4Price:
    def test_price_is_that_of_the_unit(self) -> None:
        sold = ship("K-F5", "klingon", "1206", wyn_price=4)
        table = war(D7, sold, CC, options={"wyn": True}).to("3B4")
        cheap = table.tries(C, "sell-ship", unit="K-F5", ep=9)
        cheap.then_refused("wrong-sale-price", rule="449.23", price=4)
        table.says(C, "sell-ship", unit="K-F5", ep=4)
