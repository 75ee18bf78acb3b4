"""Check phase 5 of Federation & Empire for answers without a story by label."""

import pytest

from tests.face.domain import StepOpened
from tests.titles.federation_table import Line, War, battle, ship, steps_named, war
from tests.titles.test_federation_damage import CASTER, SCOUT, SFG, SWAC
from tests.titles.test_federation_pursuit import pursued

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, D6 = ship("K-D7", "klingon", "1105"), ship("K-D6", "klingon", "1105")
CC, FF, DD = (ship(name, "kzinti", "1105") for name in ("Z-CC", "Z-FF", "Z-DD"))
KE, SLOW = ship("R-KE", "romulan", "1105", "cloak"), ship("K-SLOW", "klingon", "1105", "slow")
FAR = ship("Z-FAR", "kzinti", "0902")


def second_round(table: War, step: str) -> War:
    """Continue to a step of the next round; neither side retreats."""
    return table.to("5-7A1").to(step, s5_7A2="stay")


class Test51CDecoySpent:
    """538.53: a decoy that has withdrawn as one is spent."""

    def test_spent_decoy_gives_no_bonus_afterwards(self) -> None:
        decoys = [ship(f"R-DC{n}", "romulan", "raid-pool", "decoy", kind="WE") for n in (1, 2)]
        ships = [ship(name, "romulan", "1105", "cloak") for name in ("R-KE", "R-WE", "R-SP")]
        table = war(*ships, *decoys, {**CC, "at": "1106"}, turn_order=[C, A], options={"decoys": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC1", ship="R-KE").says(C, "assign-decoy", decoy="R-DC2", ship="R-KE")
        table.to("3B2").done(C).to("3B2").says(A, "move-units", units=["Z-CC"], path=["1105"]).to("5-1A")
        table.done(C, answer="withdraw").done(A, answer="oppose")
        table.says(C, "withdraw", units=["R-WE"], path=["1005"]).done(C)
        table.says(C, "withdraw-decoy", decoy="R-DC1", path=["1004"]).to("5-3G/decoys")
        spent = table.tries(C, "reveal-decoy", 4, decoy="R-DC1", purpose="formation bonus")
        spent.then_refused("decoy-revealed-already", rule="5-3G", decoy="R-DC1")
        table.says(C, "reveal-decoy", 4, decoy="R-DC2", purpose="formation bonus")


class Test51EWhoEvades:
    """306.1: ships with a cloaking device, and a die that is read."""

    def cloaked(self) -> War:
        units = (KE, ship("R-WE", "romulan", "1105", "cloak"), ship("R-FF", "romulan", "1105"))
        return war(CC, *units, turn_order=[A, C]).to("5-1E")

    def test_ship_without_a_cloak_does_not_evade(self) -> None:
        table = self.cloaked()
        plain = table.tries(C, "evade", 5, unit="R-FF", at_least=4)
        plain.then_refused("wrong-kind", rule="306.1", unit="R-FF")
        table.says(C, "evade", 5, unit="R-KE", at_least=4)

    def test_order_says_what_the_die_must_show(self) -> None:
        table = self.cloaked()
        unsaid = table.tries(C, "evade", 5, unit="R-KE")
        unsaid.then_refused("die-result-missing", rule="5-1E")
        table.says(C, "evade", 5, unit="R-KE", at_least=4)


class Test52A1NextHex:
    """306.2: offensive cloaks are barred in the hex of the statement, and allowed in the next hex."""

    def test_ban_ends_with_the_hex(self) -> None:
        other = (ship("R-WE", "romulan", "1306", "cloak"), ship("Z-CM", "kzinti", "1306"))
        table = war(KE, BASE, CC, *other).to("5-HEX").says(C, "pick", member="1105").to("5-2A1")
        table.done(C, answer="cloak").to("5-HEX", s5_7A2="retreat")
        since = len(table.events)
        table.says(C, "pick", member="1306").to("5-3X3").says(C, "attack-cloaked", units=["R-WE"])
        opened = [event.step for event in table.events[since:] if isinstance(event, StepOpened)]
        assert "5-2A1" not in opened, "there is no base"


class Test53ASupply:
    """410.22: units of the hex have one status each, stated again in each round."""

    def test_status_is_of_units_of_the_hex(self) -> None:
        table = battle(D7, CC, FF, FAR).to("5-3A")
        far = table.tries(A, "check-supply", out=["Z-FAR"])
        far.then_refused("unit-not-there", rule="5-3A (410.22)", unit="Z-FAR", where="in the battle", place="1105")
        table.says(A, "check-supply", out=["Z-FF"])

    def test_unit_has_one_status(self) -> None:
        table = battle(D7, CC, FF).to("5-3A")
        both = table.tries(A, "check-supply", out=["Z-FF"], partial=["Z-FF"])
        both.then_refused("in-both-lists", rule="5-3A", unit="Z-FF")
        table.says(A, "check-supply", out=["Z-FF"])

    def test_status_of_the_last_round_is_gone(self) -> None:
        table = battle(D7, CC, FF).to("5-3A").says(A, "check-supply", out=["Z-FF"])
        assert second_round(table, "5-3A").game.units["Z-FF"].get("supply") is None


class Test53BNextHex:
    """310.11: small scale is tested again in the next hex."""

    def test_small_scale_ends_with_the_hex(self) -> None:
        other = (ship("K-F5", "klingon", "1306"), ship("Z-CM", "kzinti", "1306"))
        table = war(D7, CC, *other).to("5-HEX").says(C, "pick", member="1105").to("5-3B/size")
        table.done(C, answer="small").to("5-HEX", s5_7A2="retreat").says(C, "pick", member="1306").to("5-3B/size")
        table.done(C, answer="full").to("5-3X2")
        assert "5-3K" not in table.steps()[table.steps().index("5-3B/size", table.steps().index("5-3K")) :]


class Test53CWhere:
    def test_unit_of_another_hex_is_in_no_group(self) -> None:
        table = battle(D7, CC, FF, FAR).to("5-3C")
        far = table.tries(A, "seal-escorts", groups=["Z-CC: Z-FAR"])
        far.then_refused("unit-not-there", rule="5-3C", unit="Z-FAR", where="in the battle")
        table.says(A, "seal-escorts", groups=["Z-CC: Z-FF"])


class Test53DRating:
    """302.32: a flagship has a command rating."""

    def test_unit_without_a_rating_does_not_lead(self) -> None:
        bare = {name: value for name, value in D6.items() if name != "command"}
        table = battle(D7, bare, CC).to("5-3D")
        none = table.tries(C, "seal-flagship", unit="K-D6")
        none.then_refused("no-command-rating", rule="302.32", flagship="K-D6", units="K-D7")
        table.says(C, "seal-flagship", unit="K-D7")

    def test_unit_without_a_rating_is_not_named_openly(self) -> None:
        bare = {name: value for name, value in FF.items() if name != "command"}
        table = battle(D7, CC, bare).to("5-1D")
        none = table.tries(A, "name-flagship", unit="Z-FF")
        none.then_refused("no-command-rating", rule="302.133", flagship="Z-FF", units="Z-CC")
        table.says(A, "name-flagship", unit="Z-CC")

    def test_any_unit_leads_if_none_has_a_rating(self) -> None:
        bare = [{name: value for name, value in one.items() if name != "command"} for one in (CC, FF)]
        table = battle(D7, *bare).to("5-1D").says(A, "name-flagship", unit="Z-FF").to("5-3D")
        table.says(A, "seal-flagship", unit="Z-FF")


class Test53GRevealed:
    """538.54: a decoy revealed for a bonus stays revealed."""

    def test_revealed_decoy_is_not_revealed_again(self) -> None:
        decoys = [ship(f"R-DC{n}", "romulan", "raid-pool", "decoy", kind="WE") for n in (1, 2)]
        cloaked = [ship(name, "romulan", "1105", "cloak") for name in ("R-KE", "R-WE")]
        table = war(CC, *cloaked, *decoys, options={"decoys": True}).to("5-1C/decoys")
        table.says(C, "record-decoys", places=["R-DC1 R-WE", "R-DC2 R-KE"]).to("5-3G/decoys")
        table.says(C, "reveal-decoy", 4, decoy="R-DC1", purpose="formation bonus")
        table = second_round(table, "5-3G/decoys")
        again = table.tries(C, "reveal-decoy", 4, decoy="R-DC1", purpose="formation bonus")
        again.then_refused("decoy-revealed-already", rule="5-3G")
        table.says(C, "reveal-decoy", 4, decoy="R-DC2", purpose="formation bonus")

    def test_decoy_recorded_for_no_ship_is_not_revealed(self) -> None:
        decoys = [ship(f"R-DC{n}", "romulan", "raid-pool", "decoy", kind="WE") for n in (1, 2)]
        table = war(CC, KE, *decoys, options={"decoys": True}).to("5-1C/decoys")
        table.says(C, "record-decoys", places=["R-DC1 R-KE"]).to("5-3G/decoys")
        none = table.tries(C, "reveal-decoy", 4, decoy="R-DC2", purpose="formation bonus")
        none.then_refused("no-ship-recorded-for-decoy", rule="5-3G", decoy="R-DC2")
        table.says(C, "reveal-decoy", 4, decoy="R-DC1", purpose="formation bonus")


class TestGoneWithTheRound:
    """Acts of units in one round are forgotten in the next: cloaks, missions, troops, shock, webs."""

    def test_cloak_that_attacked(self) -> None:
        table = war(KE, CC).to("5-3X3").says(C, "attack-cloaked", units=["R-KE"])
        assert second_round(table, "5-3X3").game.units["R-KE"].get("cloaked") is None
        table.says(C, "attack-cloaked", units=["R-KE"])

    def test_rating_that_a_web_lowered(self) -> None:
        isc = ship("K-I", "klingon", "1105", "isc")
        table = battle(D7, isc, CASTER, options={"isc": True, "web": True}).to("5-3X5")
        table.says(A, "cast-web", caster="T-D", by=9)
        table = second_round(table, "5-3X2").says(C, "seal-intensity", bir=5).says(A, "seal-intensity", bir=5)
        assert table.game.choices[f"BIR/{C}"].choice == 5
        table.to("5-3X5").says(A, "cast-web", caster="T-D", by=1)

    def test_mission_of_a_swac(self) -> None:
        table = battle(D7, CC, SWAC, options={"swac": True}).to("5-4A1")
        table.says(A, "assign-swac", unit="Z-SWAC", mission="wild").to("5-4F")
        table.says(A, "roll-fate", 5, unit="Z-SWAC", at_least=3)
        second_round(table, "5-4A1").says(A, "assign-swac", unit="Z-SWAC", mission="guard")

    def test_list_of_troops(self) -> None:
        troops = [ship(f"K-D5{one}", "klingon", "1105", "commando") for one in "GH"]
        table = battle(D7, *troops, CC, options={"ground_combat": True}).to("5-4A5")
        table.says(C, "announce", units=["K-D5G"], purpose="assault")
        table = second_round(table, "5-4A5").says(C, "announce", units=["K-D5H"], purpose="assault").to("5-6X3")
        late = table.tries(C, "announce", units=["K-D5G"], purpose="assault")
        late.then_refused("not-named-before", rule="521.36", unit="K-D5G")

    def test_shock(self) -> None:
        other = ship("K-D6", "klingon", "1105", "shock")
        table = battle({**D7, "traits": ["shock"]}, other, CC).to("5-4B")
        table.says(C, "announce", units=["K-D7"], purpose="shock", factors=4).to("5-6D")
        table.says(C, "roll-fate", 6, unit="K-D7").to("5-7A1")
        second_round(table, "5-4B").says(C, "announce", units=["K-D6"], purpose="shock", factors=3)
        none = table.to("5-6D").tries(C, "roll-fate", 3, unit="K-D7")
        none.then_refused("cannot-be-chosen", rule="311.21", unit="K-D7", units="K-D6")


class Test54A7BShieldOnce:
    """525.74E: one ship a caster and round."""

    def test_caster_shields_one_ship(self) -> None:
        table = battle(D7, SFG, CASTER, CC, FF, options={"web": True}).to("5-4A7A")
        table.says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        table.says(A, "cast-web", caster="T-D", target="Z-CC")
        again = table.tries(A, "cast-web", caster="T-D", target="Z-FF")
        again.then_refused("caster-used", rule="525.74E", caster="T-D")


class Test54GApproachOnly:
    def test_step_is_passed_in_a_round_with_the_base(self) -> None:
        table = battle(D7, BASE, CC).to("5-2A3").done(A, answer="reject").to("5-4C4")
        assert "5-4G" not in table.steps()
        approach = battle(D7, BASE, CC).to("5-2A3").done(A, answer="accept").to("5-4G")
        approach.done(C, answer="too little")


class Test56EHomeless:
    """501.6: fighters that find no room go with their carrier."""

    def test_fighters_left_without_room_are_gone(self) -> None:
        carriers = [ship(f"Z-CV{n}", "kzinti", "1105", "fighters", fighters=6) for n in (1, 2)]
        table = battle({**D7, "attack": 60}, CC, *carriers).to("5-4C4").says(C, "score", points=13)
        table.says(A, "score", points=0).to("5-6A").says(A, "allot", unit="Z-CV2", result="absorbed", points=4)
        table.says(A, "allot", unit="Z-CV1", result="destroyed").to("5-6E")
        table.says(A, "transfer-fighters", unit="Z-CV1", to="Z-CV2", number=3)
        table = second_round(table, "5-4C3")
        late = table.tries(A, "transfer-fighters", unit="Z-CV1", to="Z-CV2", number=1)
        late.then_refused(
            "not-allowed-now",
            rule="5-4C3",
        )
        assert steps_named(late) == ["5-6E", "5-6X5"]
        assert table.game.units["Z-CV2"].number("fighters_gone") == 1


class Test56X7Depot:
    """424.33: a cripple of the hex goes to the depot's box, and is in it once."""

    def test_cripple_is_in_the_box_once(self) -> None:
        lame, dock = (
            ship("Z-FF", "kzinti", "1105", crippled=True),
            ship("Z-FRD", "kzinti", "1105", "frd", crippled=True),
        )
        table = battle(D7, CC, lame, dock, options={"depot_repair": True}).to("5-6X7")
        none = table.tries(A, "depot", unit="Z-FRD", act="add")
        none.then_refused("not-a-crippled-ship", rule="424.33", unit="Z-FRD")
        table.says(A, "depot", unit="Z-FF", act="add")
        again = table.tries(A, "depot", unit="Z-FF", act="add")
        again.then_refused("in-repair-box", rule="424.33", unit="Z-FF")


class Test58Limits:
    """302.742, 307.3: the forces of a pursuit are led as others are."""

    def chased(self, ours: list[Line], *theirs: Line) -> War:
        """Retreat with the Coalition, after each side has fought with its first two units."""
        table = battle(*ours, *theirs).to("5-1D").says(A, "name-flagship", unit=theirs[0]["id"]).to("5-3D")
        table.says(C, "seal-flagship", unit=ours[0]["id"]).to("5-3E")
        for side, units in ((C, ours), (A, theirs)):
            table.says(side, "seal-force", units=[unit["id"] for unit in units[:2]])
        return table.to("5-7B", s5_7A1="stay", s5_7A2="retreat", s5_7A3="stay").done(A, answer="pursue")

    def test_pursued_force_is_set_up_within_the_limit(self) -> None:
        weak = [{**one, "command": 1} for one in (D7, D6, ship("K-D5", "klingon", "1105"))]
        table = self.chased(weak, CC, FF).to("5-8C").done(A, answer="success")
        large = table.tries(C, "stand", units=["K-D5", "K-D6", "K-D7"])
        large.then_refused("force-above-flagship", rule="307.3", limit=1, given=2, excess=1)
        table.says(C, "stand", units=["K-D6", "K-D7"])

    def test_slow_force_grows_within_the_limit(self) -> None:
        hunters = [{**one, "command": 1} for one in (CC, FF, DD, ship("Z-DE", "kzinti", "1105"))]
        table = self.chased([D7, D6, SLOW], *hunters)
        table.says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8C")
        table.done(A, answer="success").says(C, "seal-escorts", groups=["K-SLOW: K-D6"])
        table.says(C, "stand", units=["K-D7"]).done(C)
        large = table.tries(A, "add-slow", units=["Z-DD", "Z-DE"])
        large.then_refused("force-above-flagship", rule="302.742", limit=1, given=2, excess=1)
        table.says(A, "add-slow", units=["Z-DD"])

    def test_phasing_side_directs_first_in_a_pursuit_too(self) -> None:
        weak = {"defense": 1, "crippled_defense": 1}
        table = pursued({**D7, **weak}, {**CC, **weak}).to("5-8C").done(A, answer="success").to("5-4C4")
        table.says(C, "score", points=2).says(A, "score", points=2).to("5-5B")
        table.tries(A, "direct", unit="K-D7", result="crippled").then_refused(
            "step-of-another-side", rule="5-5B", sides="Coalition"
        )
        table.done(C)
        assert table.open == ("5-5C",)


class Test53F1Once:
    """322.1: the number is declared once a round."""

    def test_number_is_not_declared_twice(self) -> None:
        wheel = [ship(f"T-P{n}", "tholian", "1105", "pinwheel") for n in (1, 2)]
        table = battle(D7, *wheel).to("5-3E")
        table.says(A, "seal-force", units=["T-P1", "T-P2"], pinwheels=["T-P1 T-P2"]).to("5-3F1")
        table.says(A, "declare-pinwheels", number=1)
        again = table.tries(A, "declare-pinwheels", number=1)
        again.then_refused("pinwheels-declared-already", rule="322.1", given=1)
        second_round(table, "5-3F1").says(A, "declare-pinwheels", number=1)


class Test56HBases:
    """537.2: a tug rescues ships, not bases."""

    def test_base_is_not_rescued(self) -> None:
        table = battle(D7, BASE, CC, ship("Z-TG", "kzinti", "1105", "tug")).to("5-3E")
        table.says(A, "seal-force", units=["Z-BATS", "Z-CC", "Z-TG"], rescues=["Z-TG"]).to("5-6H")
        none = table.tries(A, "rescue", 4, tug="Z-TG", unit="Z-BATS")
        none.then_refused("base-not-towed", rule="537.2", unit="Z-BATS")
        table.says(A, "rescue", 4, tug="Z-TG", unit="Z-CC")


class Test54A2Allocation:
    """5-4A2: points allocated in one round are allocated again in the next."""

    @pytest.mark.parametrize("points", [3, 5])
    def test_shift_is_gone_with_its_round(self, points: int) -> None:
        table = battle(D7, CC, {**SCOUT, "ew": 5}).to("5-4A2").says(A, "seal-ew", points=points, units=["Z-SC"])
        table.says(C, "seal-ew", points=0).says(A, "shift-ew", shift=points)
        table = second_round(table, "5-4A2").says(A, "seal-ew", points=1, units=["Z-SC"]).says(C, "seal-ew", points=0)
        much = table.tries(A, "shift-ew", shift=points)
        much.then_refused("wrong-shift", rule="5-4A2", own=1, limit=1)


class TestWhatTheDieMustShowInBattle:
    """If the scenario has no table, the order states the number that the die for a fate must show."""

    def test_number_for_a_swac_is_stated(self) -> None:
        table = battle(D7, CC, SWAC, options={"swac": True}).to("5-4A1")
        table.says(A, "assign-swac", unit="Z-SWAC", mission="wild").to("5-4F")
        unsaid = table.tries(A, "roll-fate", 5, unit="Z-SWAC")
        unsaid.then_refused("die-result-missing", rule="5-4F")
        table.says(A, "roll-fate", 5, unit="Z-SWAC", at_least=3)

    @pytest.mark.parametrize(("step", "trait"), [("5-6C", "team"), ("5-6X2", "leader")])
    def test_number_for_passengers_is_stated(self, step: str, trait: str) -> None:
        aboard = ship("Z-ONE", "kzinti", "1105", trait, aboard="Z-FF")
        options = {"prime_teams": True, "admirals": True}
        table = battle({**D7, "attack": 60}, CC, FF, aboard, options=options).to("5-4C4")
        table.says(C, "score", points=9).says(A, "score", points=0).to("5-6A")
        table.says(A, "allot", unit="Z-FF", result="destroyed").to(step)
        unsaid = table.tries(A, "roll-fate", 5, unit="Z-ONE")
        unsaid.then_refused("die-result-missing", rule=step)
        table.says(A, "roll-fate", 5, unit="Z-ONE", at_least=3)


class Test54A7CWhen:
    """312.232: targets are named after a random result, and not otherwise."""

    def test_targets_are_not_named_after_another_result(self) -> None:
        table = battle(D7, SFG, CC, FF).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        table.says(C, "roll-stasis", 1)
        none = table.tries(C, "name-targets", targets=["Z-CC", "Z-FF", "K-D7"])
        none.then_refused(
            "not-allowed-now",
            rule="5-4C3",
            order="name-targets",
        )
        assert steps_named(none) == ["5-4A7C"]
        random = battle(D7, SFG, CC, FF).to("5-4A7A").says(C, "declare-stasis", attempts={"K-D7A": "Z-CC"})
        random.says(C, "roll-stasis", 5).says(C, "name-targets", targets=["Z-CC", "Z-FF", "K-D7"])


class Test52A1Barred:
    """306.2: ships that cloaked past the base do not attack cloaked in this hex."""

    def test_ships_do_not_attack_cloaked(self) -> None:
        table = war(KE, BASE, CC).to("5-2A1").done(C, answer="cloak").to("5-3X4")
        late = table.tries(C, "attack-cloaked", units=["R-KE"])
        late.then_refused("not-allowed-now", rule="5-3X4", orders=("vary-intensity", "roll", "mark"))
        assert steps_named(late) == ["5-3X3"]
        openly = war(KE, BASE, CC).to("5-2A1").done(C, answer="go openly").to("5-3X3")
        openly.says(C, "attack-cloaked", units=["R-KE"])
