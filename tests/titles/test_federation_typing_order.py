"""Steps of combat that both sides have at once: the order in which they are typed decides nothing."""

from itertools import permutations
from typing import Any

import pytest

from tests.face.domain import Game, UnitChanged
from tests.titles.federation_table import Line, War, battle, says, ship, war
from tests.titles.test_federation_raids_aimed import THREE
from umpire_ledger.kit import names_in

A, C = "alliance", "coalition"
CC, FF, DD = (ship(name, "kzinti", "1105") for name in ("Z-CC", "Z-FF", "Z-DD"))
D7, D6, D5 = (ship(name, "klingon", "1105") for name in ("K-D7", "K-D6", "K-D5"))
TROOPS: dict[str, Any] = {"options": {"ground_combat": True}}


def outcome(game: Game) -> tuple[object, ...]:
    """Return the result of a step: the side, place and state of every unit, and the accounts."""
    units = tuple((one.id, one.side, one.at, one.fate, one.get("crippled")) for one in game.in_play())
    lost = tuple(sorted((one.id, one.fate) for one in game.units.values() if one.fate))
    return units, lost, tuple(sorted(game.accounts.items()))


class Test56X1TypingOrder:
    """305.1: the units that may capture are judged as the step begins."""

    def last_ships(self) -> War:
        hurt = [{**one, "crippled": True} for one in (D7, CC)]
        return battle(*hurt).to("5-6X1")

    CAPTURES = (
        says(C, "capture", 6, unit="Z-CC", at_least=5),
        says(A, "capture", 6, unit="K-D7", at_least=5),
    )

    @pytest.mark.parametrize("lines", list(permutations(CAPTURES)))
    def test_capture_of_the_last_ship_leaves_its_side_its_try(self, lines: tuple[Line, ...]) -> None:
        """Federation & Empire 5-6X1 (305.1)."""
        table = self.last_ships()
        for line in lines:
            table.give(line).then_accepted()
        assert (table.game.units["Z-CC"].side, table.game.units["K-D7"].side) == (C, A)

    def test_captured_ship_is_not_taken_back_in_the_step(self) -> None:
        mauler = ship("Z-M", "kzinti", "1105", "mauler")
        table = battle(D7, {**CC, "crippled": True}, mauler).to("5-6X1").says(C, "capture", 6, unit="Z-CC", at_least=5)
        back = table.tries(A, "capture", 6, unit="Z-CC", at_least=5, mauler="Z-M")
        back.then_refused("not-a-fighting-enemy", rule="305.1", unit="Z-CC", units="K-D7")


class Test56X4TypingOrder:
    """521.3: every designated assault is made before its losses are taken."""

    def assaults(self) -> War:
        mine, theirs = {**D6, "traits": ["troops"]}, {**FF, "traits": ["troops"]}
        table = battle(D7, mine, CC, theirs, **TROOPS).to("5-4A5")
        table.says(C, "announce", units=["K-D6"], purpose="assault")
        table.says(A, "announce", units=["Z-FF"], purpose="assault").to("5-6X3")
        table.says(C, "announce", units=["K-D6"], purpose="assault")
        return table.says(A, "announce", units=["Z-FF"], purpose="assault").to("5-6X4")

    def test_losses_wait_for_every_assault(self) -> None:
        """Federation & Empire 5-6X4 (521.3)."""
        table = self.assaults().says(C, "skirmish", 4, units=["K-D6"])
        early = table.tries(A, "suffer", unit="Z-FF", outcome="destroyed")
        early.then_refused("assaults-not-made", rule="521.3")
        table.says(A, "skirmish", 4, units=["Z-FF"]).says(A, "suffer", unit="Z-FF", outcome="destroyed")

    def test_losses_wait_for_the_assault_of_the_enemy(self) -> None:
        table = self.assaults().says(C, "skirmish", 4, units=["K-D6"])
        early = table.tries(C, "suffer", unit="K-D6", outcome="crippled")
        early.then_refused("skirmish-not-answered", rule="521.3", units="Alliance", unit="K-D6")


class Test54A7ATypingOrder:
    """312.221: attempts are rolled in one order, independent of the order of declaration."""

    DECLARED = (
        says(C, "declare-stasis", attempts={"K-D7": "Z-FF"}),
        says(A, "declare-stasis", attempts={"Z-CC": "K-D6"}),
    )

    @pytest.mark.parametrize("lines", list(permutations(DECLARED)))
    def test_attempts_are_rolled_in_the_order_of_sides(self, lines: tuple[Line, ...]) -> None:
        """Federation & Empire 5-4A7A (312.221)."""
        table = battle({**D7, "traits": ["sfg"]}, D6, {**CC, "traits": ["sfg"]}, FF).to("5-4A7A")
        for line in lines:
            table.give(line).then_accepted()
        assert names_in(table.game, "stasis") == ("Z-CC K-D6", "K-D7 Z-FF")
        assert table.game.cursor.waiting() == (A,)


class Test54A7CTypingOrder:
    """312.232: the side of the generator selects its three targets, then the defender."""

    def test_owner_of_the_generator_names_first(self) -> None:
        """Federation & Empire 5-4A7C (312.232)."""
        table = battle({**D7, "traits": ["sfg"]}, D6, D5, CC, FF, DD).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7": "Z-FF"}).says(C, "roll-stasis", 5)
        early = table.tries(A, "name-targets", targets=["K-D7", "K-D6", "K-D5"])
        early.then_refused("other-side-names-first", rule="312.232", side_names="Coalition names")
        table.says(C, "name-targets", targets=["Z-CC", "Z-FF", "Z-DD"])
        table.says(A, "name-targets", targets=["K-D7", "K-D6", "K-D5"]).says(C, "roll-target", 4)


class Test54A2TypingOrder:
    """308.51: the side with more points states the shift, so that no second statement replaces it."""

    def test_side_with_fewer_points_states_no_shift(self) -> None:
        """Federation & Empire 5-4A2 (308.51)."""
        scout = ship("K-SC", "klingon", "1105", "scout", ew=4)
        table = battle(D7, scout, CC).to("5-4A2").says(C, "seal-ew", points=4, units=["K-SC"])
        table.says(A, "seal-ew", points=0).says(C, "shift-ew", shift=2)
        late = table.tries(A, "shift-ew", shift=0)
        late.then_refused("other-side-sets-shift", rule="308.51", theirs=4, own=0)
        assert names_in(table.game, "EW shift") == (C, "2")


class Test54C4TypingOrder:
    """5-4C2 to 5-6X2: each side's own orders, in any order, come to one outcome."""

    ROUND = (
        ("5-4C3", says(A, "roll-damage", 4), says(C, "roll-damage", 2)),
        ("5-4C4", says(A, "score", points=5), says(C, "score", points=7)),
    )

    @pytest.mark.parametrize("flip", [False, True])
    def test_scores_do_not_depend_on_who_scores_first(self, flip: bool) -> None:
        table = battle(D7, D6, CC, FF)
        for step, *lines in self.ROUND:
            table.to(step)
            for line in reversed(lines) if flip else lines:
                table.give(line).then_accepted()
        assert outcome(table.to("5-7A1").game) == outcome(self.plain())

    def plain(self) -> Game:
        table = battle(D7, D6, CC, FF)
        for step, *lines in self.ROUND:
            table.to(step)
            for line in lines:
                table.give(line).then_accepted()
        return table.to("5-7A1").game


ISC = "isc"
RAIDER = ship("K-E4", "klingon", "raid-pool")


class Test3A2CTypingOrder:
    """314.241, 314.243: each side that is raided in a hex answers for itself."""

    REACTION = says(A, "answer-raid", at="1105", unit="Z-FF", path=["1105"])
    POLICE = says(ISC, "answer-raid", at="1105", unit="I-P1", police=True, empire="isc")
    MORE = says(A, "answer-raid", at="1105", unit="Z-P1", police=True, empire="kzinti")

    def raided(self) -> War:
        here, near = (CC, ship("I-CL", "isc", "1105")), ship("Z-FF", "kzinti", "1005")
        table = war(RAIDER, ship("K-D7", "klingon", "1206"), *here, near, options={"raids": True}, **THREE)
        return table.to("3A-2B").says(C, "raid", unit="K-E4", path=["1105"]).to("3A-2C")

    @pytest.mark.parametrize("lines", list(permutations((REACTION, POLICE))))
    def test_answer_of_one_side_binds_no_other(self, lines: tuple[Line, ...]) -> None:
        """Federation & Empire 3A-2C (314.243)."""
        table = self.raided()
        for line in lines:
            table.give(line).then_accepted()
        assert (table.game.units["Z-FF"].at, table.game.units["I-P1"].at) == ("1105", "1105")

    def test_answer_binds_its_own_side(self) -> None:
        """Federation & Empire 3A-2C (314.243)."""
        table = self.raided()
        table.give(self.REACTION).then_accepted()
        table.give(self.MORE).then_refused("answered-otherwise", rule="314.243", answer="reaction")

    @pytest.mark.parametrize("lines", list(permutations((POLICE, MORE))))
    def test_police_of_one_side_shut_out_no_other(self, lines: tuple[Line, ...]) -> None:
        """Federation & Empire 3A-2C (314.243)."""
        table = self.raided()
        for line in lines:
            table.give(line).then_accepted()
        again = table.tries(A, "answer-raid", at="1105", unit="Z-P2", police=True, empire="kzinti")
        again.then_refused("police-called-already", rule="314.243")

    def test_diplomat_reacts_to_no_raid(self) -> None:
        """Federation & Empire 3A-2C (314.241)."""
        envoy = ship("Z-DIP", "kzinti", "1005", "diplomat")
        table = war(RAIDER, D7, CC, envoy, options={"raids": True}).to("3A-2B")
        table.says(C, "raid", unit="K-E4", path=["1105"]).to("3A-2C")
        alone = table.tries(A, "answer-raid", at="1105", unit="Z-DIP", path=["1105"])
        alone.then_refused("not-a-ship-to-react", rule="314.241", unit="Z-DIP")


class Test51CTypingOrder:
    """302.12: the second side to withdraw meets the first, independent of the order of typing."""

    def test_defenders_withdraw_in_turn_order(self) -> None:
        """Federation & Empire 5-1C (302.12)."""
        wars = {"wars": [[C, A], [C, ISC], [A, ISC]]}
        table = war(D7, CC, ship("I-CL", "isc", "1105"), **{**THREE, **wars}).to("5-1A")
        table.done(A, answer="withdraw").done(ISC, answer="withdraw").to("5-1C")
        early = table.tries(ISC, "withdraw", units=["I-CL"], path=["1104"])
        early.then_refused("step-of-another-side", rule="5-1C")
        table.says(A, "withdraw", units=["Z-CC"], path=["1104"]).done(A)
        table.says(ISC, "withdraw", units=["I-CL"], path=["1104"])
        assert [table.game.units[one].get("retreated") for one in ("Z-CC", "I-CL")] == [None, "1104"]


class Test6CTypingOrder:
    """Both sides dissolve groups, and the one that is done first takes nothing from the other."""

    def grouped(self) -> War:
        table = war(ship("K-D7", "klingon", "1206"), ship("K-D6", "klingon", "1206"), ship("Z-CC", "kzinti", "0902"))
        table.story.given(UnitChanged(unit="Z-CC", attribute="group", before=None, after="Z-CC"))
        return table.to("6C")

    def test_other_side_dissolves_after_the_phasing_side_is_done(self) -> None:
        """Federation & Empire 6C."""
        table = self.grouped().done(C).says(A, "dissolve", group="Z-CC").done(A)
        assert table.game.units["Z-CC"].get("group") is None

    def test_other_side_without_groups_is_not_asked(self) -> None:
        table = war(ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")).to("6C")
        assert table.game.cursor.waiting() == (C,)

    @pytest.mark.parametrize(("hurt", "asked"), [(True, (C, A)), (False, (C,))])
    def test_other_side_sends_its_pods_after_the_phasing_side(self, *, hurt: bool, asked: tuple[str, ...]) -> None:
        """Federation & Empire 6F (509.43)."""
        tug = ship("Z-TUG", "kzinti", "0902", "tug", pods=["BP"], crippled=hurt)
        table = war(ship("K-D7", "klingon", "1206"), tug).to("6F")
        assert table.game.cursor.waiting() == asked
        table.done(C)
        if hurt:
            table.says(A, "send-pods", unit="Z-TUG")
