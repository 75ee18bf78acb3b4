"""Check who fights in the battles of Federation & Empire, how often, and which records remain after the hex."""

import pytest

from tests.face.domain import (
    AccountChanged,
    DiceRolled,
    MarkerSet,
    UnitChanged,
    federation_and_empire_TITLE as TITLE,
    serving,
)
from tests.face.projections import turn_view
from tests.titles.federation_table import War, battle, named_in, ship, steps_named, war

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, CC, FF = ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105"), ship("Z-FF", "kzinti", "1105")
SFGS = ship("Z-SFG", "kzinti", "1105", "sfg")
D6, SCOUT = ship("K-D6", "klingon", "1105"), ship("Z-SC", "kzinti", "1105", "scout")


def who(table: War, side: str = "") -> set[str]:
    """Return the units that fight now."""
    return {unit.id for unit in serving(table.game, side)}


def without(*units: dict[str, object], left: str, side: str, until: str) -> War:
    """Open a battle in which one unit is left out of the force of its side."""
    table = battle(*units).to("5-3E")
    mine = [str(unit["id"]) for unit in units if unit["side"] == side and unit["id"] != left]
    return table.says(side, "seal-force", units=mine).to(until)


def test_roll_shows_its_turn_and_its_hex() -> None:
    """Only loops with a subject are shown; a round of combat has none."""
    table = battle(D7, CC).to("5-4C3").says(C, "roll-damage", 3)
    table.story.then(DiceRolled, about=(C, "1105"), step="5-4C3")


class Test51CWithdrawal:
    """302.12: withdrawn units are out of the battle in every later step and round."""

    def withdrawn(self) -> War:
        table = battle(D7, CC, FF).done(A, answer="withdraw").done(C, answer="let go")
        back = table.tries(A, "withdraw", units=["Z-FF"], path=["1005", "1105"])
        back.then_refused("withdrawal-ends-where-it-began", rule="302.12", place="1105")
        return table.says(A, "withdraw", units=["Z-FF"], path=["1005"])

    def test_withdrawn_units_are_in_no_force(self) -> None:
        table = self.withdrawn().to("5-3D")
        flagship = table.tries(A, "seal-flagship", unit="Z-FF")
        flagship.then_refused(
            "unit-not-there", rule="302.33", unit="Z-FF", where="in the battle", place="1105", units="Z-CC"
        )
        force = table.to("5-3E").tries(A, "seal-force", units=["Z-CC", "Z-FF"])
        force.then_refused("unit-not-there", rule="5-3E", unit="Z-FF", units="Z-CC")
        assert who(table.to("5-4C4"), A) == {"Z-CC"}

    def test_withdrawn_units_have_no_part_in_the_second_round(self) -> None:
        table = self.withdrawn().to("5-7A1").to("5-4C4", s5_7A2="stay")
        assert who(table, A) == {"Z-CC"}

    def test_withdrawn_units_are_pursued_and_the_others_are_not(self) -> None:
        hurt = {**FF, "crippled": True}
        table = battle(D7, CC, hurt).done(A, answer="withdraw").done(C, answer="let go")
        table.says(A, "withdraw", units=["Z-FF"], path=["1005"]).to("5-1F").done(C, answer="pursue")
        table.to("5-8C").done(C, answer="success")
        stays = table.tries(A, "stand", units=["Z-CC"])
        stays.then_refused("unit-not-there", rule="307.3", unit="Z-CC", where="in the battle", units="Z-FF")
        table.says(A, "stand", units=["Z-FF"]).to("5-4C4").says(C, "score", points=0).to("5-4C4")
        assert who(table) == {"K-D7", "Z-FF"}
        table.to("5-8L")
        home = table.tries(A, "retreat", units=["Z-CC"], path=["1106"])
        home.then_refused("side-does-not-retreat", rule="302.72")
        assert who(table.to("5-4C4"), A) == {"Z-CC"}


class Test53EForce:
    """302.3: exactly the sealed and revealed forces fight."""

    def test_flagship_is_in_its_force(self) -> None:
        table = battle(D7, CC, FF).to("5-3D").says(A, "seal-flagship", unit="Z-CC").to("5-3E")
        bare = table.tries(A, "seal-force", units=["Z-FF"])
        bare.then_refused("flagship-not-in-force", rule="302.36", flagship="Z-CC")
        table.says(A, "seal-force", units=["Z-CC"])

    def test_unit_left_out_gives_no_points_and_takes_none(self) -> None:
        table = without(D7, CC, FF, left="Z-FF", side=A, until="5-4C4")
        many = table.tries(A, "score", points=3, compot=12)
        many.then_refused("compot-differs", rule="302.4", limit=6, given=12)
        table.says(A, "score", points=3).says(C, "score", points=6).to("5-6A")
        out = table.tries(A, "allot", unit="Z-FF", result="crippled")
        out.then_refused(
            "unit-not-there", rule="302.6", unit="Z-FF", where="in the Battle Force", place="1105", units="Z-CC"
        )
        table.says(A, "allot", unit="Z-CC", result="crippled")

    def test_force_of_one_round_is_not_that_of_the_next(self) -> None:
        table = without(D7, CC, FF, left="Z-FF", side=A, until="5-7A1").to("5-3A", s5_7A2="stay")
        assert who(table, A) == {"Z-CC", "Z-FF"}


class Test52A4ApproachBattle:
    """302.22: an approach battle is fought without the base."""

    def approach(self) -> War:
        return battle(D7, BASE, CC).to("5-2A3").done(A, answer="accept").to("5-3D")

    def test_base_is_not_the_flagship_and_takes_nothing(self) -> None:
        table = self.approach()
        base = table.tries(A, "seal-flagship", unit="Z-BATS")
        base.then_refused("no-part-in-approach", rule="302.22")
        table.says(A, "seal-flagship", unit="Z-CC").to("5-4A2")
        seal = table.tries(A, "seal-ew", points=4, units=["Z-BATS"])
        seal.then_refused("unit-not-there", rule="308.51", unit="Z-BATS", where="in the Battle Force", units="Z-CC")
        table.to("5-4C4").says(C, "score", points=6).to("5-6A")
        table.tries(A, "allot", unit="Z-BATS", result="crippled").then_refused(
            "unit-not-there", rule="302.6", units="Z-CC"
        )

    def test_too_little_damage_is_judged_in_each_approach_battle(self) -> None:
        table = self.approach().to("5-4G").done(C, answer="too little").to("5-7A1")
        table.to("5-2A3", s5_7A2="stay").done(A, answer="accept").to("5-7A1")
        assert table.steps().count("5-4G") == 2

    def test_side_that_comes_openly_is_not_asked_again_in_the_hex(self) -> None:
        table = battle(ship("R-KE", "romulan", "1105", "cloak"), BASE, CC).to("5-2A1").done(C, answer="go openly")
        table.to("5-7A1").to("5-3A", s5_7A2="stay")
        assert table.steps().count("5-2A1") == 1


class Test54A2ElectronicWarfare:
    """308.51: units of the force that have electronic warfare."""

    def test_points_come_from_named_units_that_have_them(self) -> None:
        table = battle(D7, CC, SCOUT).to("5-4A2")
        bare = table.tries(A, "seal-ew", points=2)
        bare.then_refused("no-unit-gives-points", rule="308.51")
        other = table.tries(A, "seal-ew", points=2, units=["Z-CC"])
        other.then_refused("no-electronic-warfare", rule="308.51", unit="Z-CC")
        table.says(A, "seal-ew", points=2, units=["Z-SC"])


class Test54BShock:
    """311.2: a ship uses at most its factors, and those count."""

    def test_announced_factors_count_in_the_combat_potential(self) -> None:
        table = battle({**D7, "traits": ["shock"]}, CC, ship("Z-SH", "kzinti", "1105", "shock")).to("5-4B")
        none = table.tries(A, "announce", units=["Z-CC"], purpose="shock", factors=1)
        none.then_refused("wrong-kind", rule="311.2", unit="Z-CC", units="Z-SH")
        more = table.tries(C, "announce", units=["K-D7"], purpose="shock", factors=7)
        more.then_refused("too-many-attack-factors", rule="311.2", unit="K-D7", limit=6)
        table.says(C, "announce", units=["K-D7"], purpose="shock", factors=4).to("5-4C4")
        table.says(C, "score", points=4, compot=4)


class Test53KSmallScale:
    """310.0, 528.43: once a unit and step, by units of the force."""

    def test_unit_fights_once(self) -> None:
        table = battle().to("5-3B/size").done(C, answer="small").to("5-3K").says(C, "skirmish", 3, units=["K-D7"])
        again = table.tries(C, "skirmish", 3, units=["K-D7"])
        again.then_refused("fought-in-step", rule="310.0", unit="K-D7", step="5-3K")
        table.says(A, "skirmish", 3, units=["Z-CC"])

    def test_duel_is_between_two_ships(self) -> None:
        penal = ship("K-JAG", "klingon", "1105", "penal")
        table = battle(D7, penal, CC, options={"honor_duels": True}).to("5-3H")
        two = table.tries(C, "skirmish", 3, units=["K-JAG", "K-D7"])
        two.then_refused("one-ship-duels", rule="528.43")
        table.says(C, "skirmish", 3, units=["K-JAG"])

    def test_unit_left_out_of_the_force_suffers_nothing_in_it(self) -> None:
        penal = ship("K-JAG", "klingon", "1105", "penal")
        units = (D7, penal, CC, FF)
        table = battle(*units, options={"honor_duels": True}).to("5-3E").says(A, "seal-force", units=["Z-CC"])
        table.to("5-3H")
        out = table.tries(A, "suffer", unit="Z-FF", outcome="crippled")
        out.then_refused("unit-not-there", rule="5-3H", unit="Z-FF", where="in the Battle Force", units="Z-CC")
        table.says(C, "skirmish", 3, units=["K-JAG"]).says(A, "suffer", unit="Z-CC", outcome="crippled")
        table.story.then(UnitChanged, unit="Z-CC", attribute="crippled")


class Test56HRescue:
    """537.2: one try a tug and a ship."""

    def test_tug_tries_once_a_round(self) -> None:
        table = battle(D7, CC, FF, ship("Z-TG", "kzinti", "1105", "tug"), ship("Z-T2", "kzinti", "1105", "tug"))
        table.to("5-3E").says(A, "seal-force", units=["Z-CC", "Z-FF", "Z-T2", "Z-TG"], rescues=["Z-TG", "Z-T2"])
        table.to("5-6H").says(A, "rescue", 4, tug="Z-TG", unit="Z-CC")
        busy = table.tries(A, "rescue", 4, tug="Z-TG", unit="Z-FF")
        busy.then_refused("busy-this-round", rule="537.2", reason="tug-has-tried")
        assert {"Z-TG", "Z-CC"} <= named_in(busy, "why")
        safe = table.tries(A, "rescue", 4, tug="Z-T2", unit="Z-CC")
        safe.then_refused("busy-this-round", rule="537.2", reason="rescued-already")
        assert "Z-TG" not in named_in(safe, "why")
        assert "Z-CC" in named_in(safe, "why")
        table.says(A, "rescue", 4, tug="Z-T2", unit="Z-FF")


class Test56X1Capture:
    """305.1: by units that fight and are left."""

    def test_capture_without_a_unit_left_is_passed(self) -> None:
        second = ship("K-F5", "klingon", "1105")
        table = battle(D7, second, {**CC, "attack": 40}, FF).to("5-3D").says(C, "seal-flagship", unit="K-D7")
        table.to("5-3E").says(C, "seal-force", units=["K-D7"]).to("5-4C4")
        table.says(C, "score", points=6).says(A, "score", points=9).to("5-6A")
        table.says(A, "allot", unit="Z-CC", result="crippled").done(A)
        table.says(C, "allot", unit="K-D7", result="destroyed").to("5-6X1", passed=True)
        late = table.to("5-6X7").tries(C, "capture", 5, unit="Z-CC", at_least=5)
        late.then_refused(
            "not-allowed-now",
            rule="",
        )
        assert steps_named(late) == ["5-6X1"]
        assert "5-6X1" not in table.steps()


class Test56X7Salvage:
    """439.1: units destroyed in this hex and round, each once."""

    def test_loss_of_this_round_is_salvaged(self) -> None:
        table = battle(D7, D6, CC, FF).to("5-4C4").says(C, "score", points=9).to("5-6A")
        table.says(A, "allot", unit="Z-FF", result="destroyed").to("5-6X7")
        unnamed = table.tries(A, "receive", ep=1, source="salvage", empire="kzinti")
        unnamed.then_refused("salvage-missing", rule="439.1")
        other = table.tries(A, "receive", ep=1, source="salvage", unit="Z-FF", empire="tholian")
        other.then_refused("empire-differs", rule="439.1", unit="Z-FF", empire="kzinti", given="tholian")
        table.says(A, "receive", ep=1, source="salvage", unit="Z-FF", empire="kzinti")
        table.story.then(AccountChanged, account="kzinti/EP", amount=1)

    def test_loss_of_an_earlier_round_is_not_salvaged(self) -> None:
        table = battle(D7, D6, CC, FF).to("5-4C4").says(C, "score", points=9).to("5-6A")
        table.says(A, "allot", unit="Z-FF", result="destroyed").to("5-7A1").to("5-6X7", s5_7A2="stay")
        late = table.tries(A, "receive", ep=1, source="salvage", unit="Z-FF", empire="kzinti")
        late.then_refused("not-destroyed-this-round", rule="439.1")


class Test5S8Pursuit:
    """307.3, 302.742: units sealed in 5-8A fight units set up in 5-8D."""

    def pursued(self) -> War:
        slow = {**D6, "traits": ["slow"]}
        table = battle(D7, slow, BASE, CC, FF).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
        return table.done(A, answer="stay").done(A, answer="pursue")

    def test_bases_do_not_pursue(self) -> None:
        table = self.pursued()
        base = table.tries(A, "seal-pursuit", units=["Z-BATS"])
        base.then_refused("cannot-pursue", rule="302.742", unit="Z-BATS", reason="base")
        table.says(A, "seal-pursuit", units=["Z-CC"])

    def test_only_sealed_and_set_up_units_fight(self) -> None:
        table = self.pursued().says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8C")
        table.done(A, answer="success")
        table.must(C, "stand", rule="307.3")
        table.says(C, "stand", units=["K-D7"]).to("5-4C4")
        assert who(table) == {"K-D7", "Z-CC"}
        table.to("5-6B").to("5-4C4")
        assert who(table) == {"K-D6", "Z-FF"}
        assert who(table.to("5-8L")) >= {"K-D7", "Z-CC", "Z-FF"}

    def test_base_that_does_not_retreat_is_not_set_up(self) -> None:
        table = battle(D7, D6, BASE, CC).to("5-7A1").done(A, answer="retreat").done(C, answer="stay")
        table.done(C, answer="pursue").to("5-8C").done(C, answer="success")
        base = table.tries(A, "stand", units=["Z-BATS", "Z-CC"])
        base.then_refused("base-does-not-retreat", rule="307.3", base="Z-BATS")
        table.says(A, "stand", units=["Z-CC"])
        table.story.then(MarkerSet, marker="force of alliance", after=("Z-CC",))

    def test_failed_pursuit_has_the_slow_units_battle_alone(self) -> None:
        slow = ship("K-SLOW", "klingon", "1105", "slow")
        table = battle(D7, slow, CC, FF).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
        table.done(A, answer="stay").done(A, answer="pursue")
        table.says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8C").done(A, answer="failure")
        assert who(table.to("5-4C4")) == {"K-SLOW", "Z-FF"}


class Test5HexOver:
    """302.9: nothing of a battle is left on the table while the next hex is picked."""

    MARKS = ("battle", "sealed", "variable rolled", "rolled", "scored", *(f"flagship of {one}" for one in (A, C)))

    @staticmethod
    def fought(until: str) -> War:
        more = ship("K-F5", "klingon", "1107"), ship("Z-BC", "kzinti", "1107")
        table = war(D7, CC, FF, *more).to("5-HEX").says(C, "pick", member="1105").to("5-6B")
        return table.to(until, s5_7A2="retreat")

    def marks(self, table: War) -> list[str]:
        """Return the markers of the battle, and those of its forces."""
        kept = table.game.markers
        return [name for name in (*self.MARKS, f"force of {A}", f"force of {C}") if kept.get(name) is not None]

    @pytest.mark.parametrize("seat", [A, C, "spectator"])
    def test_choices_of_a_battle_are_withdrawn_for_every_seat(self, seat: str) -> None:
        for until, left in (("5-7A1", True), ("5-HEX", False)):
            choices = turn_view(TITLE, self.fought(until).game, seat, 0).choices
            assert any(one.choice is not None or one.sealed for one in choices) == left

    def test_marks_of_a_battle_come_off(self) -> None:
        assert {"battle", "rolled", "scored", f"force of {A}", f"flagship of {A}"} <= {
            *self.marks(self.fought("5-7A1"))
        }
        assert self.marks(self.fought("5-HEX")) == []

    def test_damage_and_carried_points_are_gone(self) -> None:
        accounts = self.fought("5-HEX").game.accounts
        assert not [name for name, held in accounts.items() if held and ("damage" in name or "1105" in name)]

    def test_battle_ends_in_a_step_of_its_own(self) -> None:
        table = self.fought("5-HEX")
        assert [step for step in table.steps() if step == "5-HEX/over"] == ["5-HEX/over"]


class Test308PlusAndMinusPoints:
    """308.2: two accounts, and both are gone with the hex, fought for or not."""

    def test_finished_hex_takes_its_points_with_it(self) -> None:
        waits = {"coalition/plus 1105": 2, "alliance/minus 1105": 1, "alliance/plus 1306": 4}
        table = war(D7, CC, accounts=waits).to("5-1A", s5_1A="withdraw").done(A, answer="withdraw").to("5-1C")
        table.says(A, "withdraw", units=["Z-CC"], path=["1005"]).to("5-END")
        assert {account: table.game.accounts[account] for account in waits} == dict.fromkeys(waits, 0)

    def test_points_without_a_unit_to_take_them_are_lost(self) -> None:
        table = battle({**D7, "attack": 40}, CC).to("5-4C4").says(C, "score", points=20).to("5-6A")
        table.says(A, "allot", unit="Z-CC", result="destroyed").done(A).to("5-6X7")
        assert table.game.accounts["coalition/damage"] == 0
        assert not table.game.accounts.get("coalition/plus 1105")

    def test_scored_points_are_directed_taken_or_carried(self) -> None:
        table = battle({**D7, "attack": 40}, CC, FF).to("5-4C4").says(C, "score", points=20).to("5-5B")
        table.says(C, "direct", unit="Z-FF", result="crippled").to("5-6A")
        table.says(A, "allot", unit="Z-CC", result="crippled").says(A, "carry-over")
        assert table.game.accounts["coalition/plus 1105"] == 20 - 12 - 6


class Test53DFlagship:
    """302.33, 308.9, 321.31: a flagship leads as many units as its rating says; bases do not count."""

    def fleet(self, *more: dict[str, object], points: int = 0, held: int = 0) -> War:
        small = ship("K-F5", "klingon", "1105", command=1)
        table = battle(small, D7, D6, CC, *more, accounts={"coalition/command points": held}).to("5-3D")
        return table.says(C, "seal-flagship", unit="K-F5", command_points=points).to("5-3E")

    def test_rating_of_the_flagship_is_the_limit(self) -> None:
        table = self.fleet()
        many = table.tries(C, "seal-force", units=["K-D6", "K-D7", "K-F5"])
        many.then_refused("force-above-flagship", rule="302.33", flagship="K-F5", limit=1, given=2, excess=1)
        table.says(C, "seal-force", units=["K-D7", "K-F5"])

    def test_command_points_and_an_admiral_raise_the_limit(self) -> None:
        self.fleet(points=1, held=2).says(C, "seal-force", units=["K-D6", "K-D7", "K-F5"])
        admiral = ship("K-ADM", "klingon", "1105", "leader", aboard="K-F5", command=1)
        self.fleet(admiral).says(C, "seal-force", units=["K-D6", "K-D7", "K-F5"])

    def test_general_lets_one_commando_ship_exceed_the_limit(self) -> None:
        troops = ship("K-F5G", "klingon", "1105", "commando")
        general = ship("K-GEN", "klingon", "1105", "leader", "general", aboard="K-D7", command=0)
        self.fleet(troops, general).says(C, "seal-force", units=["K-D7", "K-F5", "K-F5G"])
        alone = self.fleet(troops).tries(C, "seal-force", units=["K-D7", "K-F5", "K-F5G"])
        alone.then_refused("force-above-flagship", rule="302.33", limit=1, given=2, excess=1)


class Test53GAnnouncement:
    """308.7, 308.53, 512.32: one bonus a side, by units of the force; sound ships tow crippled ones."""

    def test_bonus_is_for_one_unit(self) -> None:
        table = battle(D7, D6, CC, SCOUT).to("5-3G").says(C, "give-bonus", unit="K-D7", bonus="formation")
        second = table.tries(C, "give-bonus", unit="K-D6", bonus="formation")
        second.then_refused("bonus-given-to-another", rule="308.7", unit="K-D7", bonus="formation")
        none = table.tries(A, "give-bonus", unit="Z-CC", bonus="scout")
        none.then_refused("wrong-kind", rule="308.53", unit="Z-CC", kind="scout", units="Z-SC")
        theirs = table.tries(C, "give-bonus", unit="Z-CC", bonus="formation")
        theirs.then_refused("unit-of-another-side", rule="308.7", side="Alliance")
        table.says(A, "give-bonus", unit="Z-SC", bonus="scout")

    def test_bonus_is_chosen_again_in_each_round(self) -> None:
        table = battle(D7, D6, CC).to("5-3G").says(C, "give-bonus", unit="K-D7", bonus="formation")
        table.to("5-7A1").to("5-3G", s5_7A2="stay").says(C, "give-bonus", unit="K-D6", bonus="formation")

    def in_web(self) -> War:
        hurt = ship("K-E4", "klingon", "1105", crippled=True)
        units = (D7, D6, hurt, ship("K-E5", "klingon", "1105", crippled=True), CC)
        table = battle(*units, options={"web": True}, markers={"webs": ["1105"]}).to("5-3E")
        table.says(C, "seal-force", units=["K-D6", "K-D7", "K-E4", "K-E5"], in_web=["K-E4"])
        return table.to("5-3G")

    def test_sound_ship_tows_one_cripple_and_pulls_it_later(self) -> None:
        table = self.in_web()
        lame = table.tries(C, "tow", ship="K-E5", cripple="K-E4")
        lame.then_refused("cannot-tow", rule="512.32", ship="K-E5", why="crippled", reason="crippled")
        free = table.tries(C, "tow", ship="K-D7", cripple="K-E5")
        free.then_refused("not-a-cripple-in-web", rule="512.32", unit="K-E5")
        table.says(C, "tow", ship="K-D7", cripple="K-E4")
        twice = table.tries(C, "tow", ship="K-D6", cripple="K-E4")
        twice.then_refused("towed-already", rule="512.32", other="K-D7", cripple="K-E4")
        table.to("5-6F")
        other = table.tries(C, "pull-out", ship="K-D6")
        other.then_refused("tows-nobody", rule="512.32", ship="K-D6")
        table.says(C, "pull-out", ship="K-D7").story.then(UnitChanged, unit="K-E4", attribute="in_web", after=None)
        again = table.tries(C, "pull-out", ship="K-D7")
        again.then_refused("tows-nobody", rule="512.32", ship="K-D7")

    def test_ship_that_is_not_pulled_out_stays_in_the_web(self) -> None:
        table = self.in_web().to("5-7A1").to("5-3G", s5_7A2="stay")
        assert table.game.units["K-E4"].get("in_web") == "1105"


class Test55BDecoys:
    """538.34: only the Romulans decide about the decoy, and it helps the ship it was recorded for."""

    CLOAKED = (ship("R-KE", "romulan", "1105", "cloak"), ship("R-WE", "romulan", "1105", "cloak"))
    DECOY = ship("R-DCY", "romulan", "raid-pool", "decoy")

    def fight(self) -> War:
        options = {"decoys": True, "raids": True}
        strong = {**CC, "attack": 40}
        table = war(*self.CLOAKED, self.DECOY, SFGS, strong, options=options).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DCY", ship="R-KE").to("5-4C4")
        return table.says(A, "score", points=20).to("5-5C")

    def test_decoy_helps_the_ship_aimed_at(self) -> None:
        table = self.fight()
        early = table.tries(C, "reveal-decoy", 4, decoy="R-DCY", purpose="diverts")
        early.then_refused("wait-for-side", rule="5-5C", sides="Alliance")
        table.says(A, "direct", unit="R-WE", result="crippled").done(A)
        other = table.tries(C, "reveal-decoy", 4, decoy="R-DCY", purpose="diverts")
        other.then_refused("ship-of-decoy-not-directed-at", rule="5-5C", decoy="R-DCY")

    def test_decoy_is_revealed_for_its_ship(self) -> None:
        table = self.fight().says(A, "direct", unit="R-KE", result="missed").done(A)
        table.says(C, "reveal-decoy", 4, decoy="R-DCY", purpose="diverts")
        table.story.then(UnitChanged, unit="R-DCY", attribute="revealed")

    def test_decoy_diverts_a_stasis_field_from_its_frozen_ship(self) -> None:
        options = {"decoys": True, "raids": True}
        table = war(*self.CLOAKED, self.DECOY, CC, SFGS, options=options).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DCY", ship="R-KE").to("5-4A7A")
        table.says(A, "declare-stasis", attempts={"Z-SFG": "R-WE"}).says(A, "roll-stasis", 1).to("5-4A7F")
        other = table.tries(C, "reveal-decoy", 4, decoy="R-DCY", purpose="diverts")
        other.then_refused("ship-of-decoy-not-frozen", rule="5-4A7F", decoy="R-DCY")


class Test56X2Leaders:
    """316.144A, 316.31, 522.32: those whose ship was crippled or lost."""

    ADMIRALS = (
        ship("Z-ADM", "kzinti", "1105", "leader", aboard="Z-CC"),
        ship("Z-AD2", "kzinti", "1105", "leader", aboard="Z-FF"),
        ship("Z-FAR", "kzinti", "0902", "leader"),
        ship("Z-TEAM", "kzinti", "1105", "team", aboard="Z-CC"),
    )

    def fought(self) -> War:
        units = (ship("K-DN", "klingon", "1105", attack=40), CC, FF, *self.ADMIRALS)
        table = battle(*units, options={"admirals": True, "prime_teams": True}).to("5-4C4")
        return table.says(C, "score", points=6).to("5-6A").says(A, "allot", unit="Z-CC", result="crippled")

    def test_leaders_leave_crippled_ships_but_not_sound_ones(self) -> None:
        table = self.fought().to("5-6X2")
        sound = table.tries(A, "transfer-leader", leader="Z-AD2", ship="Z-CC")
        sound.then_refused("not-from-this-ship", rule="316.144A", action="transfers", ship="Z-FF")
        far = table.tries(A, "lose-leader", leader="Z-FAR")
        far.then_refused("leader-elsewhere", rule="316.144A", leader="Z-FAR", at="0902", place="1105")
        table.says(A, "transfer-leader", leader="Z-ADM", ship="Z-FF")

    def test_prime_teams_are_lost_with_destroyed_ships_only(self) -> None:
        lost = ship("Z-TM2", "kzinti", "1105", "team", aboard="Z-FF")
        units = (ship("K-DN", "klingon", "1105", attack=40), CC, FF, *self.ADMIRALS, lost)
        table = battle(*units, options={"admirals": True, "prime_teams": True}).to("5-4C4")
        table.says(C, "score", points=9).to("5-6A").says(A, "allot", unit="Z-FF", result="destroyed").to("5-6C")
        safe = table.tries(A, "lose-leader", leader="Z-TEAM")
        safe.then_refused("not-from-this-ship", rule="522.32", wanted="destroyed")
        table.says(A, "lose-leader", leader="Z-TM2")


class Test56X8BaseRepair:
    """425.3: a crippled base of the hex, once a round."""

    def test_base_is_repaired_at_once_and_once(self) -> None:
        hurt = {**BASE, "crippled": True}
        table = battle(D7, hurt, CC).to("5-6X8")
        other = table.tries(A, "repair", unit="Z-CC", ep=1)
        other.then_refused("not-a-crippled-base", rule="425.3", unit="Z-CC", hex="1105")
        table.says(A, "repair", unit="Z-BATS", ep=2).story.then(UnitChanged, attribute="crippled", after=None)
        table.story.then(AccountChanged, account="kzinti/EP", amount=-2)


class Test56X9Scuttling:
    """301.911: units of the hex."""

    def test_unit_elsewhere_is_not_scuttled_here(self) -> None:
        table = battle(D7, CC, FF, ship("Z-FAR", "kzinti", "0902")).to("5-6X9")
        far = table.tries(A, "scuttle", unit="Z-FAR")
        far.then_refused("unit-elsewhere", rule="301.911", unit="Z-FAR", at="0902", place="1105")
        table.says(A, "scuttle", unit="Z-FF")


class Test56X3GroundAssault:
    """521.3, 521.36: by units that were named in 5-4A5 and designated in 5-6X3, each once."""

    def test_unit_named_in_time_assaults_once(self) -> None:
        troops = [{**one, "traits": ["troops"]} for one in (D7, D6)]
        table = battle(*troops, BASE, CC, options={"ground_combat": True}).to("5-4A5")
        none = table.tries(A, "announce", units=["Z-CC"], purpose="assault")
        none.then_refused("step-of-another-side", rule="521.3", seat="alliance", step="5-4A5", sides="Coalition")
        table.says(C, "announce", units=["K-D7"], purpose="assault").to("5-6X3")
        other = table.tries(C, "announce", units=["K-D6"], purpose="assault")
        other.then_refused("not-named-before", rule="521.36", unit="K-D6")
        table.says(C, "announce", units=["K-D7"], purpose="assault").to("5-6X4")
        late = table.tries(C, "skirmish", 3, units=["K-D6"])
        late.then_refused("not-designated", rule="521.3", unit="K-D6")
        table.says(C, "skirmish", 3, units=["K-D7"])
        again = table.tries(C, "skirmish", 3, units=["K-D7"])
        again.then_refused("fought-in-step", rule="521.3", unit="K-D7", step="5-6X4")
