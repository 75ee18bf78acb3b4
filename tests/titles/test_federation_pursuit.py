"""Phase 5 of Federation & Empire, steps 7 and 8: retreat, pursuit, the battle of the Slow Units, the end."""

from typing import Any

from tests.face.domain import (
    NOTATION,
    ChoiceRevealed,
    DiceRolled,
    MarkerSet,
    StepPassed,
    UnitChanged,
    federation_and_empire_TITLE as TITLE,
    offers,
    open_steps,
    serving,
)
from tests.titles.federation_table import War, battle, says, ship, war

A, C = "alliance", "coalition"
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
D7, D6, F5 = (ship(name, "klingon", "1105") for name in ("K-D7", "K-D6", "K-F5"))
CC, FF, DD = (ship(name, "kzinti", "1105") for name in ("Z-CC", "Z-FF", "Z-DD"))
SLOW = ship("K-SLOW", "klingon", "1105", "slow")
FRD, TUG = ship("K-FRD", "klingon", "1105", "frd"), ship("K-TUG", "klingon", "1105", "tug")
THREE: dict[str, Any] = {
    "sides": [{"id": one, "name": one.title()} for one in (C, A, "isc")],
    "empires": [
        {"id": "klingon", "side": C, "name": "Klingons", "letter": "K"},
        {"id": "kzinti", "side": A, "name": "Kzinti", "letter": "Z"},
        {"id": "isc", "side": "isc", "name": "ISC", "letter": "I"},
    ],
    "turn_order": ["isc", C, A],
    "wars": [["isc", C], ["isc", A]],
}


def who(table: War, side: str = "") -> set[str]:
    return {unit.id for unit in serving(table.game, side)}


def passed(table: War, step: str) -> bool:
    return any(isinstance(event, StepPassed) and event.step == step for event in table.events)


def pursued(*units: dict[str, Any], **more: Any) -> War:
    """Retreat with the Coalition and pursue with the Alliance: 5-8A is open."""
    table = battle(*units, **more).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
    return table.done(A, answer="stay").done(A, answer="pursue")


class Test5S7Retreat:
    """302.7: asked at the end of each round in which both sides are left."""

    def test_retreat_is_decided_again_in_the_next_round(self) -> None:
        table = battle().to("5-7A1").to("5-3A", s5_7A2="stay").to("5-7A1")
        assert table.steps().count("5-7A1") == 2


class Test57A1Defender:
    """302.71: the defender first; each of two."""

    def test_attacker_waits(self) -> None:
        table = battle().to("5-7A1")
        table.tries(C, "done", answer="retreat").then_refused("step-of-another-side", rule="302.71", sides="Alliance")
        table.done(A, answer="retreat").story.then_open("5-7A2")

    def test_two_defenders_decide_and_go_separately(self) -> None:
        weak = [{**one, "attack": 0} for one in (D7, CC, ship("I-CL", "isc", "1105"))]
        table = war(*weak, **THREE).to("5-7A1").done(C, answer="retreat")
        assert table.open == ("5-7A1/second",)
        table.tries(C, "done", answer="stay").then_refused("step-of-another-side", rule="302.71", sides="Alliance")
        table.done(A, answer="stay").done("isc", answer="stay")
        assert passed(table, "5-7A3")
        assert table.open == ("5-7A3/second",)
        table.done(A, answer="stay").to("5-7D", s5_7B="do not")
        home = table.tries(A, "retreat", units=["Z-CC"], path=["1106"])
        home.then_refused("step-of-another-side", rule="5-7D", sides="Coalition")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).to("5-3D")
        assert who(table) == {"I-CL", "Z-CC"}


class Test57A2Attacker:
    """302.71: after the defender's first answer."""

    def test_attacker_answers_second(self) -> None:
        table = battle().to("5-7A2")
        table.tries(A, "done", answer="retreat").then_refused("step-of-another-side", rule="302.71", sides="Coalition")
        table.done(C, answer="stay").story.then_open("5-7A3")


class Test57A3LastChance:
    """302.71: the defender who did not go at first."""

    def test_defender_who_has_gone_is_not_asked_again(self) -> None:
        table = battle().to("5-7A1").done(A, answer="retreat").done(C, answer="stay")
        assert passed(table, "5-7A3")

    def test_defender_may_still_go(self) -> None:
        table = battle().to("5-7A1").done(A, answer="stay").done(C, answer="retreat").done(A, answer="retreat")
        assert table.open == ("5-7C",)


class Test57A4Both:
    """302.712: neither, the next round; both, the defender moves first."""

    def test_defender_moves_first(self) -> None:
        table = battle().to("5-7A1").done(A, answer="retreat").done(C, answer="retreat").to("5-7D")
        early = table.tries(C, "retreat", units=["K-D7"], path=["1106"])
        early.then_refused("step-of-another-side", rule="5-7D", sides="Alliance")
        table.says(A, "retreat", units=["Z-CC"], path=["1005"]).done(A)
        table.says(C, "retreat", units=["K-D7"], path=["1106"])

    def test_neither_begins_the_next_round(self) -> None:
        table = battle().to("5-7A1").to("5-3A", s5_7A2="stay")
        assert table.steps().count("5-3A") == 2


class Test57A5BaseLeftBehind:
    """302.741, A1: the ships go first, then the base is fought alone."""

    def test_next_round_is_against_the_base(self) -> None:
        table = battle({**D7, "attack": 1}, BASE, CC).to("5-7A1").done(A, answer="retreat").done(C, answer="stay")
        table.to("5-7D", s5_7B="do not").says(A, "retreat", units=["Z-CC"], path=["1005"]).to("5-3D")
        gone = table.tries(A, "seal-flagship", unit="Z-CC")
        gone.then_refused("unit-not-there", rule="302.33", unit="Z-CC", where="in the battle", units="Z-BATS")
        assert who(table.to("5-4C4"), A) == {"Z-BATS"}


class Test57BPursuit:
    """Only a side that stays decides, and only ships pursue."""

    def test_pursuit_needs_a_side_that_stays(self) -> None:
        table = battle().to("5-7A1").done(A, answer="retreat").done(C, answer="retreat")
        assert passed(table, "5-7B")

    def test_defender_who_stays_pursues_the_attacker(self) -> None:
        table = war({**D7, "attack": 0}, {**CC, "attack": 0}, ship("I-CL", "isc", "1105"), **THREE).to("5-7A1")
        table.done(C, answer="retreat").done(A, answer="stay").done("isc", answer="retreat").done(A, answer="stay")
        assert table.open == ("5-7B",)
        table.done(A, answer="pursue").says(A, "seal-pursuit", units=["Z-CC"]).to("5-8C").done(A, answer="success")
        assert table.game.cursor.waiting() == ("isc",)
        table.says("isc", "stand", units=["I-CL"]).to("5-8L")
        assert table.game.cursor.waiting() == (C, "isc")

    def test_base_does_not_pursue(self) -> None:
        table = battle(D7, BASE).to("5-7A1").done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay")
        assert passed(table, "5-7B")
        table.tries(A, "done", answer="pursue").then_refused(rule="5-7")
        assert table.open == ("5-7C",)


class Test57CPaths:
    """307.73: an analysis that is noted."""

    def test_analysis_is_noted(self) -> None:
        table = battle().to("5-7C", s5_7A2="retreat").says(C, "mark", marker="agreed paths", to="1106")
        assert table.game.markers["agreed paths"] == "1106"


class Test57DRetreat:
    """302.72, 509.1-F: hex by hex, out of the hex; an FRD needs a transport with mission F each."""

    def test_path_has_no_gap_and_every_unit_goes(self) -> None:
        table = battle(D7, D6, CC).to("5-7D", s5_7A2="retreat")
        gap = table.tries(C, "retreat", units=["K-D7"], path=["1108"])
        gap.then_refused("path-gap", rule="5-7D")
        table.says(C, "retreat", units=["K-D7"], path=["1106"])
        table.must(C, "retreat", "K-D6", rule="302.72")
        table.says(C, "retreat", units=["K-D6"], path=["1205"]).done(C)

    def test_transport_tows_one_frd(self) -> None:
        table = battle(FRD, TUG, D7, CC).to("5-7D", s5_7A2="retreat")
        alone = table.tries(C, "retreat", units=["K-D7", "K-FRD", "K-TUG"], path=["1106"])
        alone.then_refused("too-few-transports", rule="509.1-F", docks=1, transports=0)
        table.says(C, "assign-mission", unit="K-TUG", code="F")
        table.says(C, "retreat", units=["K-D7", "K-FRD", "K-TUG"], path=["1106"]).done(C)
        assert table.game.units["K-FRD"].at == "1106"

    def test_side_without_a_tug_leaves_the_frd(self) -> None:
        table = battle(FRD, D7, CC).to("5-7D", s5_7A2="retreat")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).done(C)
        assert table.game.units["K-FRD"].at == "1105"


class Test58AForces:
    """302.742: both forces are led, sealed, and of ships that are here; slow ones need Slow Units."""

    def test_force_is_as_large_as_its_best_ship_leads(self) -> None:
        weak = [{**one, "command": 1} for one in (CC, FF, DD)]
        table = battle(D7, *weak).to("5-3E").says(A, "seal-force", units=["Z-CC", "Z-DD"]).to("5-7A1")
        table.done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay").done(A, answer="pursue")
        large = table.tries(A, "seal-pursuit", units=["Z-CC", "Z-DD", "Z-FF"])
        large.then_refused("force-above-flagship", rule="302.742", limit=1, given=2, excess=1)
        table.says(A, "seal-pursuit", units=["Z-CC", "Z-DD"])

    def test_force_is_sealed_once_and_opened_in_5_8e(self) -> None:
        table = pursued(D7, CC, FF).says(A, "seal-pursuit", units=["Z-CC"])
        again = table.tries(A, "seal-pursuit", units=["Z-FF"])
        again.then_refused("sealed-already", rule="302.742", side_has="Alliance has", question="pursuit", do="5-8E")

    def test_slow_force_needs_slow_units(self) -> None:
        table = pursued(D7, CC, FF)
        none = table.tries(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"])
        none.then_refused("no-slow-units", rule="302.742")
        table.says(A, "seal-pursuit", units=["Z-CC"])


NUMBERS = {
    name: {"value": value, "source": "made up for a test"}
    for name, value in (("pursuit-x", 1), ("pursuit-fast", 2), ("pursuit-declined", -1))
}


class Test58BDie:
    """523.39, 525.133, 302.23: the scenario's numbers for X-ships, Fast ships and a declined approach, each once."""

    def test_facts_of_the_hex_are_added_once(self) -> None:
        fast = [ship(f"K-X{n}", "klingon", "1105", "x", "fast") for n in (1, 2)]
        table = battle(*fast, BASE, CC, numbers=NUMBERS).to("5-2A3").done(A, answer="reject").to("5-7A1")
        table.done(A, answer="retreat").done(C, answer="stay").done(C, answer="pursue").to("5-8B")
        table.says(C, "roll-pursuit", 3)
        rolled = next(event for event in table.story.events if isinstance(event, DiceRolled))
        assert {(one.source, one.amount) for one in rolled.modifiers} == {
            ("X-ships", 1),
            ("Fast ships", 2),
            ("approach battle declined", -1),
        }

    def test_die_without_them_has_nothing_added(self) -> None:
        table = pursued(D7, CC, numbers=NUMBERS).to("5-8B").says(A, "roll-pursuit", 3)
        assert next(event for event in table.story.events if isinstance(event, DiceRolled)).total == 3


class Test58CResult:
    """A8: a failed die leaves out the set-up and the battle."""

    def test_failed_die_leaves_out_the_set_up(self) -> None:
        table = pursued(D7, CC).to("5-8L", s5_8C="failure")
        assert passed(table, "5-8D")
        assert passed(table, "5-8F")


class Test58DSetUp:
    """307.3, 537.3, 538.55: retreaters only; real tugs, decoys of cloaked ships, and groups sealed again."""

    def test_retreating_units_are_set_up(self) -> None:
        cloaked = ship("R-KE", "romulan", "1105", "cloak")
        table = pursued(D7, cloaked, TUG, CC).to("5-8C").done(A, answer="success")
        other = table.tries(C, "stand", units=["Z-CC"])
        other.then_refused("unit-of-another-side", rule="5-8D", side="Alliance")
        lame = table.tries(C, "stand", units=["K-D7"], tugs=["K-D7"])
        lame.then_refused("wrong-kind", rule="537.3", unit="K-D7", kind="tug", units="K-TUG")
        bare = table.tries(C, "stand", units=["K-D7", "R-KE"], decoys=["K-D7"])
        bare.then_refused("not-a-cloaked-ship", rule="538.55", unit="K-D7")
        table.says(C, "stand", units=["K-D7", "R-KE"], tugs=["K-TUG"], decoys=["R-KE"])

    def test_force_is_set_up_once(self) -> None:
        table = pursued(D7, D6, CC).to("5-8C").done(A, answer="success").says(C, "stand", units=["K-D7"])
        again = table.tries(C, "stand", units=["K-D6"])
        again.then_refused("retreat-force-set", rule="307.3", force="K-D7")
        table.done(C).to("5-4C4")
        assert who(table, C) == {"K-D7"}

    def test_both_sides_seal_their_groups_again(self) -> None:
        table = pursued(D7, D6, CC, FF).says(A, "seal-escorts", groups=["Z-CC: Z-FF"])
        table.says(A, "seal-pursuit", units=["Z-CC", "Z-FF"]).to("5-8C").done(A, answer="success")
        table.says(C, "seal-escorts", groups=["K-D7: K-D6"]).says(C, "stand", units=["K-D6", "K-D7"]).to("5-8E")
        assert table.game.units["K-D6"].get("group") == "K-D7"
        assert table.game.units["Z-FF"].get("group") == "Z-CC"


class Test58EReveal:
    """302.742: sealed forces are shown; the slow force grows while the Slow Units keep their escorts."""

    def grouped(self, *stood: str) -> War:
        table = pursued(D7, SLOW, F5, CC, FF, DD)
        table.says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8C").done(A, answer="success")
        table.says(C, "seal-escorts", groups=["K-SLOW: K-F5"]).says(C, "stand", units=list(stood))
        return table.done(C)

    def test_reveal_shows_force_and_die(self) -> None:
        table = self.grouped("K-D7")
        shown = {event.question for event in table.events if isinstance(event, ChoiceRevealed)}
        assert {"pursuit", "slow pursuit", "pursuit die"} <= shown

    def test_units_are_added_while_escorts_stay(self) -> None:
        table = self.grouped("K-D7")
        both = table.tries(A, "add-slow", units=["Z-CC"])
        both.then_refused("in-a-pursuit-force", rule="302.742", unit="Z-CC")
        table.says(A, "add-slow", units=["Z-DD"]).story.then(MarkerSet, marker="slow added", after=("Z-DD",))
        assert who(table.done(A).to("5-4C4")) == {"K-D7", "Z-CC"}
        assert who(table.to("5-4C3")) == {"K-F5", "K-SLOW", "Z-DD", "Z-FF"}

    def test_units_are_not_added_when_escorts_have_left(self) -> None:
        table = self.grouped("K-D7", "K-F5")
        left = table.tries(A, "add-slow", units=["Z-DD"])
        left.then_refused("no-escort-for-slow-units", rule="302.742")

    def test_slow_force_that_does_not_exist_does_not_grow(self) -> None:
        table = pursued(D7, SLOW, CC, FF).says(A, "seal-pursuit", units=["Z-CC"]).to("5-8E", s5_8C="failure")
        none = table.tries(A, "add-slow", units=["Z-FF"])
        none.then_refused("no-force-for-slow-units", rule="302.742")


class Test58FBattle:
    """537.3, 538.55: assigned tugs rescue; a named ship escapes by its decoy."""

    def test_named_ship_escapes_by_its_decoy(self) -> None:
        cloaked, decoy = ship("R-KE", "romulan", "1105", "cloak"), ship("R-DC", "romulan", "raid-pool", "decoy")
        table = war(D7, cloaked, decoy, CC, options={"decoys": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC", ship="R-KE").to("5-7A1").done(A, answer="stay")
        table.done(C, answer="retreat").done(A, answer="stay").done(A, answer="pursue").to("5-8C")
        table.done(A, answer="success").says(C, "stand", units=["K-D7", "R-KE"], decoys=["R-KE"]).to("5-8F/decoys")
        table.says(C, "reveal-decoy", 5, decoy="R-DC", purpose="escape", at_least=4)
        table.story.then(UnitChanged, unit="R-KE", attribute="escaped", after=True)
        assert who(table, C) == {"K-D7"}

    def test_unnamed_ship_does_not_escape(self) -> None:
        cloaked = [ship(name, "romulan", "1105", "cloak") for name in ("R-KE", "R-WE")]
        decoy = ship("R-DC", "romulan", "raid-pool", "decoy")
        table = war(D7, *cloaked, decoy, CC, options={"decoys": True}).to("2B7")
        table.says(C, "assign-decoy", decoy="R-DC", ship="R-KE").to("5-7A1").done(A, answer="stay")
        table.done(C, answer="retreat").done(A, answer="stay").done(A, answer="pursue").to("5-8C")
        table.done(A, answer="success").says(C, "stand", units=["R-KE", "R-WE"], decoys=["R-WE"]).to("5-8F/decoys")
        late = table.tries(C, "reveal-decoy", 5, decoy="R-DC", purpose="escape", at_least=4)
        late.then_refused("ship-of-decoy-not-named", rule="538.55")

    def test_place_of_play_names_the_pursuit(self) -> None:
        table = pursued(D7, CC).to("5-8C").done(A, answer="success").to("5-4C4")
        assert [where for where in table.game.where.split(" · ") if " 5-8F: 1105" in where]
        assert " 5-8F" not in table.to("5-8L").game.where

    def test_turn_view_shows_the_units_in_it(self) -> None:
        table = pursued(D7, D6, CC, FF).says(A, "seal-pursuit", units=["Z-CC"]).to("5-8C").done(A, answer="success")
        table.says(C, "stand", units=["K-D7"]).to("5-4C4")
        assert NOTATION.tells(table.game)[1].endswith(" 1105: 1105: K: D7; Z: CC (crippled)")

    def test_unit_outside_the_forces_is_not_hit(self) -> None:
        weak = {**D6, "defense": 1, "crippled_defense": 1}
        strong = {**CC, "attack": 12, "crippled_attack": 12}
        table = pursued(D7, weak, strong, FF).says(A, "seal-pursuit", units=["Z-CC"]).to("5-8C")
        table.done(A, answer="success").says(C, "stand", units=["K-D6"]).to("5-4C4").says(A, "score", points=12)
        table.to("5-5C")
        out = table.tries(A, "direct", unit="K-D7", result="crippled")
        out.then_refused("not-a-fighting-enemy", rule="302.5", unit="K-D7", units="K-D6")


class Test53X1InPursuit:
    """302.772: a pursuit is not a fighting retreat, and the step is passed."""

    def test_fighting_retreat_is_not_offered(self) -> None:
        table = pursued(D7, CC).to("5-8C").done(A, answer="success").says(C, "stand", units=["K-D7"]).done(C)
        table.to("5-3X2")
        fighting = table.tries(C, "fighting-retreat")
        fighting.then_refused("not-allowed-now", rule="5-3X2", order="fighting-retreat")
        assert "fighting-retreat" not in offers(TITLE, table.game, open_steps(TITLE, table.game)[0], C)
        table.says(C, "seal-intensity", bir=3)


class Test58OfTwo:
    """302.8, 307.3: two pursued sides set up separately; a side without units in a battle has no say in it."""

    def test_slow_battle_is_fought_by_its_own_sides(self) -> None:
        hunters = [ship(f"I-{name}", "isc", "1105") for name in ("CC", "CA", "CL")]
        table = war(*hunters, D7, SLOW, CC, **THREE).to("5-7A1").done(C, answer="retreat").done(A, answer="retreat")
        table.done("isc", answer="stay").done("isc", answer="pursue")
        table.says("isc", "seal-pursuit", units=["I-CC", "I-CL"], slow=["I-CA"]).to("5-8C")
        table.done("isc", answer="success").says(C, "stand", units=["K-D7"])
        table.tries(A, "stand", units=["K-D7"]).then_refused("unit-of-another-side", rule="5-8D", unit="K-D7")
        table.says(A, "stand", units=["Z-CC"]).to("5-4C3")
        assert set(table.game.cursor.waiting()) == {"isc", C, A}
        table.to("5-4C4").to("5-4C3")
        assert set(table.game.cursor.waiting()) == {"isc", C}
        table.to("5-END")
        assert {unit.side for unit in table.game.in_play() if unit.at == "1105"} == {"isc"}


class Test58GSlowUnits:
    """302.742B: Slow Units with who stayed, against the slow force; without either there is none."""

    def test_failed_pursuit_leaves_its_own_force_out(self) -> None:
        table = pursued(D7, SLOW, CC, FF).says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8C")
        table.done(A, answer="failure").to("5-4C4")
        assert who(table) == {"K-SLOW", "Z-FF"}

    def test_slow_unit_is_not_set_up_with_the_others(self) -> None:
        table = pursued(D7, SLOW, CC, FF).says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8C")
        table.done(A, answer="success")
        slow = table.tries(C, "stand", units=["K-D7", "K-SLOW"])
        slow.then_refused("slow-unit-in-force", rule="307.3", unit="K-SLOW", units="K-D7")
        table.says(C, "stand", units=["K-D7"]).to("5-4C4")
        assert who(table) == {"K-D7", "Z-CC"}

    def test_slow_units_fight_alone_if_only_they_go(self) -> None:
        table = pursued(SLOW, CC, FF).says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8C")
        table.done(A, answer="success").done(C).to("5-4C4")
        assert passed(table, "5-8F")
        assert who(table) == {"K-SLOW", "Z-FF"}

    def test_points_of_the_pursuit_do_not_count_in_it(self) -> None:
        """Other units fight 5-8F: 1 point is left there, and the Slow Units do not take it."""
        table = battle(D7, SLOW, CC, FF).plan("5-4C4", says(A, "score", points=0)).to("5-7A1").done(A, answer="stay")
        table.done(C, answer="retreat").done(A, answer="stay").done(A, answer="pursue")
        table.says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"]).to("5-8C")
        table.done(A, answer="success").plan("5-4C4", says(A, "score", points=1)).to("5-6B")
        table.says(C, "carry-over")
        assert table.game.accounts["alliance/plus 1105"] == 1
        table.plan("5-4C4", says(A, "score", points=3)).done(C).to("5-6B")
        assert not table.game.accounts.get("alliance/plus 1105")
        assert table.game.accounts["alliance/damage"] == 3

    def test_points_of_earlier_rounds_count_without_a_pursuit(self) -> None:
        table = battle(D7, SLOW, CC, FF).plan("5-4C4", says(A, "score", points=1)).to("5-6B").says(C, "carry-over")
        table.to("5-7A1").done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay")
        table.done(A, answer="pursue").says(A, "seal-pursuit", units=["Z-CC"], slow=["Z-FF"])
        table.plan("5-4C4", says(A, "score", points=1)).to("5-6B", s5_8C="failure")
        assert table.game.accounts["alliance/damage"] == 2


class Test58HObsolete:
    """Printed, and nothing happens there."""

    def test_step_asks_no_player(self) -> None:
        table = pursued(D7, CC).to("5-8L")
        assert not any(line.get("step") == "5-8H" for line in table.lines)


class Test58JOver:
    """302.8: the forces of the pursuit are gone when the retreat follows."""

    def test_pursuit_leaves_no_forces(self) -> None:
        table = pursued(D7, CC).to("5-8L")
        assert [table.game.markers.get(f"force of {side}") for side in (A, C)] == [None, None]
        assert table.game.markers.get("slow added") is None


class Test58KPaths:
    """302.73: as in 5-7C."""

    def test_paths_are_noted(self) -> None:
        table = pursued(D7, CC).to("5-8K").says(C, "mark", marker="agreed paths", to="1106")
        assert table.game.markers["agreed paths"] == "1106"


class Test58LRetreat:
    """302.72: all remaining retreaters leave, and only they."""

    def test_pursuer_stays(self) -> None:
        table = pursued(D7, CC).to("5-8L")
        table.tries(A, "retreat", units=["Z-CC"], path=["1106"]).then_refused(
            "step-of-another-side", rule="5-8L", sides="Coalition"
        )
        table.must(C, "retreat", "K-D7", rule="302.72")
        table.says(C, "retreat", units=["K-D7"], path=["1106"]).to("5-END")
        assert table.game.markers.get("battle") is None or table.game.units["K-D7"].at == "1106"


class Test5ENDGroups:
    """Groups may be disbanded, each side its own; nothing else of a battle is left."""

    def test_sides_disband_their_own_groups(self) -> None:
        table = battle(D7, D6, CC, FF).to("5-3C").says(A, "seal-escorts", groups=["Z-CC: Z-FF"]).to("5-END")
        theirs = table.tries(C, "dissolve", group="Z-CC")
        theirs.then_refused("no-such-group", rule="5-END")
        table.says(A, "dissolve", group="Z-CC")
        assert table.game.units["Z-FF"].get("group") is None

    def test_order_of_the_battle_is_refused(self) -> None:
        table = battle(D7, CC).to("5-END")
        table.tries(C, "direct", unit="Z-CC", result="crippled").then_refused(
            "not-allowed-now", rule="5-END", orders=("roll", "mark", "done")
        )
        marks = [name for name in table.game.markers if name.startswith(("force of", "flagship of", "directed"))]
        assert not [name for name in marks if table.game.markers[name] is not None]
