"""Federation & Empire, read a third time: X-bases, cloaked decoys, the Raid Pool, interest, networks."""

from typing import Any

import pytest

from tests.titles.federation_table import Line, War, battle, ship, siege, war
from tests.titles.test_federation_withdrawal import CLOAKED, DECOYS
from umpire_ledger.domain.game.events import AccountChanged, ChoiceSealed, MarkerSet, UnitMoved
from umpire_ledger.kit import choice_key

A, C = "alliance", "coalition"
D7, CC = ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105")
XBASE = ship("Z-XB", "kzinti", "1105", "xbase", base=True, ew=4)
SCOUT = ship("Z-SC", "kzinti", "1105", "scout", ew=3)
X_SCOUT = ship("Z-XSC", "kzinti", "1105", "scout", "x", ew=3)


class Test54A2XBases:
    """5-4A4: X-bases choose their electronic warfare after the enemy has revealed its own."""

    def at_5_4a2(self, *units: Line) -> War:
        return battle(D7, CC, *units, options={"x_ships": True}).to("5-4A2")

    def test_x_base_in_5_4a2_is_refused(self) -> None:
        """5-4A4 (523.44)."""
        table = self.at_5_4a2(XBASE)
        early = table.tries(A, "seal-ew", points=4, units=["Z-XB"])
        early.then_refused(rule="523.44", says="Z-XB is an X-base", do="5-4A4")
        table.tries(A, "seal-ew", points=0, units=["Z-XB"]).then_refused(rule="523.44")
        table.tries(A, "seal-ew", points=4, units=["Z-CC", "Z-XB"]).then_refused(rule="523.44")

    def test_x_base_chooses_in_5_4a4(self) -> None:
        """5-4A4 (523.44)."""
        table = self.at_5_4a2(XBASE).says(A, "seal-ew", points=0).says(C, "seal-ew", points=0).to("5-4A4")
        table.tries(A, "shift-ew", shift=5).then_refused(rule="5-4A4", says="X-units give 4", do="4")
        table.says(A, "shift-ew", shift=4).story.then(MarkerSet, marker="EW shift", after=(A, "4"))

    def test_base_that_is_no_x_base_seals_in_5_4a2(self) -> None:
        base = ship("Z-BATS", "kzinti", "1105", base=True, ew=4)
        self.at_5_4a2(base).says(A, "seal-ew", points=4, units=["Z-BATS"])

    @pytest.mark.parametrize(("sealed", "most"), [(3, 3), (0, 3)])
    def test_x_ship_counts_once_in_5_4a3(self, sealed: int, most: int) -> None:
        """5-4A3 (523.38): what it sealed in 5-4A2 is not added to the shift a second time."""
        table = self.at_5_4a2(X_SCOUT).says(A, "seal-ew", points=sealed, units=["Z-XSC"]).says(C, "seal-ew", points=0)
        table.to("5-4A3").tries(A, "shift-ew", shift=most + 1).then_refused(rule="5-4A3", do=str(most))
        table.says(A, "shift-ew", shift=most)

    def test_x_ship_counts_beside_a_scout_that_sealed(self) -> None:
        """5-4A3 (523.38)."""
        table = self.at_5_4a2(X_SCOUT, SCOUT).says(A, "seal-ew", points=3, units=["Z-SC"]).says(C, "seal-ew", points=0)
        table.to("5-4A3").tries(A, "shift-ew", shift=7).then_refused(rule="5-4A3", do="6")
        table.says(A, "shift-ew", shift=6)


class Test53EDecoyPlaces:
    """5-3E (538.34): places are recorded of ships that have a cloaked decoy."""

    def sealing(self) -> War:
        table = war(CC, *CLOAKED, *DECOYS, options={"decoys": True}).to("2B7")
        return table.says(C, "assign-decoy", decoy="R-DC1", ship="R-KE").to("5-3E")

    def test_ship_without_a_decoy_is_refused(self) -> None:
        table = self.sealing()
        none = table.tries(C, "seal-force", units=["R-KE", "R-WE"], decoys=["R-WE rear"])
        none.then_refused(rule="538.34", says="R-WE is no ship of the force with a decoy", do="R-KE")
        table.tries(C, "seal-force", units=["R-KE"], decoys=["nonsense rear"]).then_refused(rule="538.34", do="R-KE")

    def test_ship_outside_the_force_is_refused(self) -> None:
        table = war(CC, *CLOAKED, *DECOYS, options={"decoys": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC1", ship="R-KE").to("5-3D").says(C, "seal-flagship", unit="R-WE")
        out = table.to("5-3E").tries(C, "seal-force", units=["R-WE"], decoys=["R-KE rear"])
        out.then_refused(rule="538.34", says="R-KE is no ship of the force", do="leave it out")

    def test_place_is_said_once_for_each_ship(self) -> None:
        table = self.sealing()
        bare = table.tries(C, "seal-force", units=["R-KE", "R-WE"], decoys=["R-KE"])
        bare.then_refused(rule="538.34", says="does not say the place of R-KE", do="SHIP PLACE")
        twice = table.tries(C, "seal-force", units=["R-KE", "R-WE"], decoys=["R-KE rear", "R-KE van"])
        twice.then_refused(rule="538.34", says="R-KE has its place already", do="leave it out")

    @pytest.mark.parametrize("decoys", [["R-KE rear of the line"], []])
    def test_record_is_sealed_with_or_without_places(self, decoys: list[str]) -> None:
        table = self.sealing().says(C, "seal-force", units=["R-KE", "R-WE"], decoys=decoys)
        table.story.then(ChoiceSealed, question="decoy places", side=C)
        assert table.game.choices[choice_key("decoy places", C)].choice == tuple(decoys)

    def test_decoy_recorded_in_5_1c_counts(self) -> None:
        table = war(CC, *CLOAKED, *DECOYS, options={"decoys": True}).to("5-1C/decoys")
        table.says(C, "record-decoys", places=["R-DC2 R-WE"]).to("5-3E")
        table.says(C, "seal-force", units=["R-KE", "R-WE"], decoys=["R-WE van"])


class Test2B7OnlyRomulans:
    """2B7 (538.51): the Romulans alone assign cloaked decoys."""

    FALSE = ship("K-DC", "klingon", "raid-pool", "decoy")

    def assigning(self, *units: Line) -> War:
        return war(D7, CC, *units, options={"decoys": True, "raids": True}).to("2B7")

    def test_decoy_of_another_empire_is_refused(self) -> None:
        """2B7 (538.51)."""
        table = self.assigning(self.FALSE)
        table.tries(C, "assign-decoy", decoy="K-DC", ship="K-D7").then_refused(
            rule="538.51", says="only the Romulans", do="`done`"
        )
        assert not table.game.choices

    def test_decoy_of_another_empire_joins_no_pool(self) -> None:
        """2B7 (538.51)."""
        table = self.assigning({**self.FALSE, "at": "1105"})
        table.tries(C, "pool", unit="K-DC").then_refused(rule="538.51", says="K-DC is no ship and no Prime Team")

    def test_decoy_of_another_empire_is_not_recorded_in_5_1c(self) -> None:
        """5-1C (538.31)."""
        table = war(CC, *CLOAKED, *DECOYS, self.FALSE, D7, options={"decoys": True}).to("5-1C/decoys")
        other = table.tries(C, "record-decoys", places=["K-DC K-D7"])
        other.then_refused(rule="538.31", says="K-DC is no decoy that nobody has seen")
        table.says(C, "record-decoys", places=["R-DC1 R-KE"])

    def test_romulan_decoy_of_the_same_side_is_assigned(self) -> None:
        table = self.assigning(*CLOAKED, *DECOYS, self.FALSE)
        table.says(C, "assign-decoy", decoy="R-DC1", ship="R-KE").story.then(ChoiceSealed, question="decoy R-DC1")


class Test3A5BWhere:
    """3A-5B (314.12): the page prints no limit on the hex; ours is `pool-to-own`."""

    def in_3a_5b(self, **numbers: Any) -> War:
        pooled, foe = ship("K-E4", "klingon", "raid-pool"), ship("Z-FF", "kzinti", "1003")
        given = {name: {"value": value, "source": "our group"} for name, value in numbers.items()}
        more = {"numbers": given} if given else {}
        return war(D7, pooled, CC, foe, options={"raids": True}, **more).to("3A-5B")

    def test_ship_leaves_to_its_side_by_default(self) -> None:
        table = self.in_3a_5b()
        table.tries(C, "pool", unit="K-E4", to="1304").then_refused(rule="314.12", says="nothing of yours is at 1304")
        table.says(C, "pool", unit="K-E4", to="1306").story.then(UnitMoved, unit="K-E4")

    def test_ship_leaves_anywhere_if_the_scenario_says_so(self) -> None:
        table = self.in_3a_5b(**{"pool-to-own": 0})
        table.says(C, "pool", unit="K-E4", to="1304").story.then(UnitMoved, unit="K-E4")

    @pytest.mark.parametrize("own", [0, 1])
    def test_ship_never_leaves_to_a_hex_of_the_enemy(self, own: int) -> None:
        table = self.in_3a_5b(**{"pool-to-own": own})
        table.tries(C, "pool", unit="K-E4", to="1003").then_refused(rule="314.12", says="the enemy is at 1003")


class Test1C2Interest:
    """1C2 (447.3): the interest on a debt is stated, so that 1C4 asks for it."""

    def test_debt_without_a_rate_keeps_1c2_open(self) -> None:
        table = war(D7, CC).to("1C2")
        table.tries(C, "done").then_refused(rule="447.3", says="state the interest", do="state-interest")
        assert table.open == ("1C2",)

    def test_interest_of_zero_is_an_answer(self) -> None:
        table = war(D7, CC).to("1C2").says(C, "state-interest", amount=0, empire="klingon").done(C)
        table.to("1C5")
        assert "1C4" not in table.steps()

    def test_stated_interest_opens_1c4(self) -> None:
        """1C4 (447.3)."""
        table = war(D7, CC).to("1C2").says(C, "state-interest", amount=2, empire="klingon").done(C).to("1C4")
        table.tries(C, "done").then_refused(rule="447.3", says="pay the interest")
        table.says(C, "pay-interest", empire="klingon").story.then(AccountChanged, account="klingon/interest", after=0)

    def test_zero_may_be_stated_again_as_another_amount(self) -> None:
        table = war(D7, CC).to("1C2").says(C, "state-interest", amount=0, empire="klingon")
        table.says(C, "state-interest", amount=1, empire="klingon").says(
            C, "state-interest", amount=0, empire="klingon"
        )
        assert table.game.accounts["klingon/interest"] == 0
        table.done(C)

    def test_rate_states_it_and_1c2_may_be_left(self) -> None:
        rate = {"interest": {"percent": 1, "source": "made up"}}
        table = war(D7, CC, **rate).to("1C2").done(C)
        assert table.open == ("1C3",)

    def test_other_side_states_nothing(self) -> None:
        table = war(D7, CC).to("1C2")
        table.tries(A, "state-interest", amount=1, empire="klingon").then_refused(rule="1C2")

    def test_interest_is_asked_for_in_each_turn(self) -> None:
        table = siege().to("1C2")
        first = table.game.turn
        table.says(C, "state-interest", amount=0, empire="klingon").done(C).to("1C2")
        assert table.game.turn == first + 1
        table.tries(C, "done").then_refused(rule="447.3")
