"""Check in Federation & Empire what accepted orders record, if other stories only show their refusal."""

from tests.face.domain import AccountChanged, UnitChanged, UnitRemoved
from tests.titles.federation_table import War, battle, border_war, ship, war

A, C, ORION = "alliance", "coalition", "orion"
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")


class Test1C3Scrapping:
    """447.5: the ship is gone, and its EPs are on an account of the empire that owned it."""

    def test_scrapped_ship_leaves_play_and_pays(self) -> None:
        table = war(D7, ship("K-F5", "klingon", "1206"), CC).to("1C3")
        held = table.game.accounts["klingon/EP"]
        table.says(C, "scrap", unit="K-F5", ep=2)
        table.story.then(UnitRemoved, unit="K-F5", fate="scrapped", rule="1C3 (447.5)")
        table.story.then(AccountChanged, account="klingon/EP", amount=2, before=held, after=held + 2)
        assert not table.game.units["K-D7"].fate

    def test_enemy_ship_or_other_step_refuses_scrapping(self) -> None:
        table = war(D7, CC).to("1C3")
        table.tries(C, "scrap", unit="Z-CC", ep=2).then_refused("unit-of-another-side", rule="1C3", unit="Z-CC")
        table.to("1C5").tries(C, "scrap", unit="K-D7", ep=2).then_refused(
            "not-allowed-now", rule="1C5", order="scrap", orders=("borrow", "roll", "mark", "done")
        )


class Test1ELeaders:
    """1E: the players say that an admiral leaves play, and why."""

    def test_admiral_leaves_play(self) -> None:
        admiral = ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7")
        table = war(D7, admiral, CC, options={"admirals": True}).to("1E")
        table.says(C, "lose-leader", leader="K-ADM", fate="retired")
        table.story.then(UnitRemoved, unit="K-ADM", fate="retired", at="1206", rule="1E (316.229)")

    def test_ship_is_not_an_admiral(self) -> None:
        table = war(D7, CC, options={"admirals": True}).to("1E")
        table.tries(C, "lose-leader", leader="K-D7").then_refused(
            "no-unit-of-kind", rule="1E", unit="K-D7", kind="admiral"
        )


class Test3B4ShipsSold:
    def test_sold_ship_goes_to_the_wyn(self) -> None:
        """Check that the ship leaves play and its empire has the EPs."""
        table = war(D7, ship("K-F5", "klingon", "1206"), CC, options={"wyn": True}).to("3B4")
        held = table.game.accounts["klingon/EP"]
        table.says(C, "sell-ship", unit="K-F5", ep=3)
        table.story.then(UnitRemoved, unit="K-F5", fate="sold", at="1206", cause="to the WYN")
        table.story.then(AccountChanged, account="klingon/EP", amount=3, before=held, after=held + 3)


class Test53GDecoys:
    def test_ship_is_not_a_decoy_to_reveal(self) -> None:
        units = (ship("R-WE", "romulan", "1105", "cloak"), ship("R-DCY", "romulan", "raid-pool", "decoy"))
        table = war(*units, ship("Z-CC", "kzinti", "1105"), options={"decoys": True, "raids": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DCY", ship="R-WE").to("5-3G/decoys")
        plain = table.tries(C, "reveal-decoy", 3, decoy="R-WE", purpose="diverts damage")
        plain.then_refused("wrong-kind", rule="5-3G", unit="R-WE", kind="cloaked decoy", units="R-DCY")
        table.says(C, "reveal-decoy", 3, decoy="R-DCY", purpose="diverts damage")


class Test55ASacrifice:
    """528.41: a penal ship goes before damage is directed."""

    JAG = ship("K-JAG", "klingon", "1105", "penal")

    def fought(self) -> War:
        return battle(ship("K-D7", "klingon", "1105"), self.JAG, ship("Z-CC", "kzinti", "1105")).to("5-5A")

    def test_penal_ship_is_lost_in_this_round(self) -> None:
        table = self.fought().says(C, "sacrifice", unit="K-JAG")
        table.story.then(UnitRemoved, unit="K-JAG", fate="sacrificed", at="1105", rule="5-5A (528.41)")
        table.story.then(UnitChanged, unit="K-JAG", attribute="lost")
        gone = table.tries(C, "sacrifice", unit="K-JAG")
        gone.then_refused("unit-removed", rule="5-5A (528.41)", unit="K-JAG")

    def test_other_ships_have_no_such_duty(self) -> None:
        table = self.fought().tries(C, "sacrifice", unit="K-D7")
        table.then_refused("wrong-kind", rule="5-5A (528.41)", unit="K-D7", kind="penal ship", units="K-JAG")


class Test56CPrimeTeams:
    """522.32: a Prime Team is lost with the ship that it is aboard."""

    def test_team_is_lost_when_its_ship_is_destroyed(self) -> None:
        units = (
            ship("K-DN", "klingon", "1105", attack=40),
            ship("Z-CC", "kzinti", "1105", crippled=True),
            ship("Z-FF", "kzinti", "1105"),
            ship("Z-TEAM", "kzinti", "1105", "team", aboard="Z-CC"),
        )
        table = battle(*units, options={"prime_teams": True}).to("5-4C4").says(C, "score", points=3)
        table.to("5-6A").says(A, "allot", unit="Z-CC", result="destroyed").to("5-6C")
        table.says(A, "lose-leader", leader="Z-TEAM")
        table.story.then(UnitRemoved, unit="Z-TEAM", fate="killed", at="1105", rule="5-6C (522.32)")


class Test6CGroups:
    """6C: the units of the group are in none; other groups stay."""

    def test_group_is_dissolved(self) -> None:
        names = ("CVS", "F5E", "CVT", "E4E")
        table = battle(*(ship(f"K-{name}", "klingon", "1105") for name in names), ship("Z-CC", "kzinti", "1105"))
        table.to("5-3C").says(C, "seal-escorts", groups=["K-CVS: K-F5E", "K-CVT: K-E4E"])
        table.to("6C").says(C, "dissolve", group="K-CVS")
        for unit in ("K-CVS", "K-F5E"):
            table.story.then(UnitChanged, unit=unit, attribute="group", before="K-CVS", after=None, rule="6C")
        assert [table.game.units[f"K-{name}"].get("group") for name in names] == [None, None, "K-CVT", "K-CVT"]


class Test11C1Repairs:
    """11C1: the Orion shipyard repairs crippled ships, in any number; it costs nothing here."""

    def test_crippled_ship_is_whole_again(self) -> None:
        table = border_war().to("11C1")
        held = dict(table.game.accounts)
        table.says(ORION, "orion-repair", unit="O-LR-2")
        table.story.then(UnitChanged, unit="O-LR-2", attribute="crippled", before=True, after=None, rule="11C1")
        assert dict(table.game.accounts) == held

    def test_repair_is_for_orion_ships_only(self) -> None:
        table = border_war().to("11C1")
        table.tries(C, "orion-repair", unit="O-LR-2").then_refused(
            "step-of-another-side", rule="11C1", seat="coalition", sides="Orion Pirates"
        )
