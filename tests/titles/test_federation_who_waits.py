"""Check questions and waiting: required dice of raids and assaults, and steps in which no side can act."""

import pytest

from tests.face.domain import (
    StepOpened,
    StepPassed,
    UnitRemoved,
    at_hex,
    federation_and_empire_TITLE as TITLE,
    neighbours,
    way,
)
from tests.face.projections import turn_view
from tests.titles.federation_table import War, battle, ship, war

A, C, ORION = "alliance", "coalition", "orion"
R1, D7 = ship("K-R1", "klingon", "raid-pool"), ship("K-D7", "klingon", "1206")
CC, FF = ship("Z-CC", "kzinti", "0902"), ship("Z-FF", "kzinti", "1003")
DRONE, RUN = ship("K-D6D", "klingon", "1306", "drone", attack=7), ship("K-RUN", "klingon", "raid-pool")
PIRATE = ship("O-P", "orion", "1003")
HERE, THERE = ship("K-D6", "klingon", "1105"), ship("Z-DD", "kzinti", "1105")
BASE = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)


def special_raid(*more: dict[str, object], **options: bool) -> War:
    """Let K-D6D strike 1003, and open 3A-3E."""
    table = war(R1, D7, CC, FF, DRONE, *more, options={"raids": True, **options}).to("3A-3A")
    table.says(C, "raid", unit="K-D6D").to("3A-3B")
    return table.says(C, "raid", unit="K-D6D", path=list(way("1306", "1003"))).to("3A-3E")


class Test3A3EWaits:
    """320.34: the raiders wait until the struck side has rolled or ended the step, so that losses can be stated."""

    def test_raider_waits_for_a_die_that_may_come(self) -> None:
        table = special_raid().says(C, "skirmish", 3, units=["K-D6D"])
        early = table.tries(C, "done")
        early.then_refused("others-act-first", rule="320.34", sides="Alliance")
        table.says(A, "skirmish", 3, units=["Z-FF"]).says(C, "suffer", unit="K-D6D", outcome="crippled").done(C, A)

    def test_struck_side_need_not_roll(self) -> None:
        table = special_raid().says(C, "skirmish", 3, units=["K-D6D"]).done(A)
        table.done(C).story.then_open("3A-3F")

    def test_struck_pirate_is_waited_for_likewise(self) -> None:
        table = special_raid(PIRATE, orions=True).says(C, "skirmish", 3, units=["K-D6D"]).done(A)
        table.tries(C, "done").then_refused("others-act-first", rule="320.34")
        table.done(ORION, C)


class Test3A4EInterceptors:
    """3A-4D, 314.244: the units that made the attempt fight the runner, not others in the hex."""

    def caught(self, **units: list[str]) -> War:
        table = war(R1, D7, CC, FF, RUN, PIRATE, options={"raids": True, "orions": True}).to("3A-4A")
        table.says(C, "raid", unit="K-RUN").to("3A-4C").says(C, "raid", unit="K-RUN", path=["1003"]).to("3A-4D")
        return table.says(A, "roll-intercept", 6, runner="K-RUN", at_least=4, **units).done(A)

    @pytest.mark.parametrize("units", [{}, {"units": ["Z-FF"]}])
    def test_die_of_a_pirate_is_not_awaited(self, units: dict[str, list[str]]) -> None:
        table = self.caught(**units).says(A, "skirmish", 3, units=["Z-FF"])
        table.must(C, "skirmish", "1003", rule="314.244")
        table.says(C, "skirmish", 3, units=["K-RUN"]).done(C, A).story.then_open("3A-4H")

    def test_pirate_does_not_roll_in_it(self) -> None:
        table = self.caught()
        table.tries(ORION, "skirmish", 3, units=["O-P"]).then_refused(
            "step-of-another-side", rule="3A-4E", seat="orion"
        )
        assert table.game.markers["intercepts K-RUN"] == ("Z-FF",)


class Test56X4Made:
    """521.3: a designated assault is made, and a side stays until assaults on its units are made."""

    def designated(self) -> War:
        ours, theirs = {**HERE, "traits": ["troops"]}, {**THERE, "traits": ["troops"]}
        table = battle(ship("K-D7", "klingon", "1105"), ours, BASE, theirs, options={"ground_combat": True})
        table.to("5-4A5").says(C, "announce", units=["K-D6"], purpose="assault", target="Z-BATS")
        table.says(A, "announce", units=["Z-DD"], purpose="assault").to("5-6X3")
        table.says(C, "announce", units=["K-D6"], purpose="assault", target="Z-BATS")
        return table.says(A, "announce", units=["Z-DD"], purpose="assault").to("5-6X4")

    def test_phasing_side_does_not_leave_before_the_enemy_assault(self) -> None:
        table = self.designated()
        table.tries(C, "done").then_refused("orders-required", rule="521.3", orders=("skirmish",))
        table.says(C, "skirmish", 4, units=["K-D6"])
        table.tries(C, "done").then_refused("others-act-first", rule="521.3", sides="Alliance")
        table.says(A, "skirmish", 4, units=["Z-DD"]).says(C, "suffer", unit="K-D7", outcome="crippled").done(C, A)

    def test_defender_may_go_first(self) -> None:
        table = self.designated().says(A, "skirmish", 4, units=["Z-DD"])
        table.tries(A, "done").then_refused("others-act-first", rule="521.3", sides="Coalition")
        table.says(C, "skirmish", 4, units=["K-D6"]).done(A, C)

    def test_assault_whose_target_is_lost_is_not_required(self) -> None:
        table = self.designated().says(A, "skirmish", 4, units=["Z-DD"])
        table.story.given(UnitRemoved(unit="Z-BATS", fate="destroyed", at="1105"))
        table.done(C, A)
        assert "5-6X7" in table.open


ASKED = ("5-3X1", "5-4A5", "5-6C", "5-6H", "5-6X3", "5-6X4")
"""Steps in which only who has something there can do anything."""


class TestAskedInVain:
    """A step does not wait for a side that cannot act in it; the conditions are public."""

    def test_two_plain_ships_fight_a_round_without_questions(self) -> None:
        table = battle(HERE, THERE, options={"ground_combat": True, "prime_teams": True}).to("5-7A1")
        assert {one.step for one in table.events if isinstance(one, StepPassed)} >= {*ASKED}

    def waits(self, table: War, step: str) -> tuple[str, ...]:
        return next(one.waits for one in reversed(table.events) if isinstance(one, StepOpened) and one.step == step)

    def test_side_with_troops_alone_names_them(self) -> None:
        table = battle({**HERE, "traits": ["troops"]}, BASE, THERE, options={"ground_combat": True}).to("5-4A5")
        assert self.waits(table, "5-4A5") == (C,)
        table.tries(A, "announce", units=["Z-DD"], purpose="assault").then_refused(
            "step-of-another-side", rule="5-4A5", seat="alliance"
        )
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X3")
        assert self.waits(table, "5-6X3") == (C,)
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X4")
        assert self.waits(table, "5-6X4") == (A, C)

    def test_side_with_a_rescue_tug_alone_decides_about_it(self) -> None:
        tug = ship("Z-TUG", "kzinti", "1105", "tug")
        table = battle(HERE, THERE, tug).to("5-3E").says(A, "seal-force", units=["Z-DD", "Z-TUG"], rescues=["Z-TUG"])
        assert self.waits(table.to("5-6H"), "5-6H") == (A,)
        table.tries(C, "rescue", tug="Z-TUG", unit="Z-DD").then_refused("step-of-another-side", rule="5-6H")
        table.says(A, "rescue", 4, tug="Z-TUG", unit="Z-DD")

    def test_side_that_lost_the_ship_of_a_team_settles_its_fate(self) -> None:
        team = ship("Z-TEAM", "kzinti", "1105", "team", aboard="Z-DD")
        strong = {**HERE, "attack": 30, "crippled_attack": 30}
        table = battle(strong, THERE, ship("Z-CC", "kzinti", "1105"), team, options={"prime_teams": True}).to("5-3E")
        table.says(A, "seal-force", units=["Z-CC", "Z-DD"], teams=["Z-TEAM Z-DD"]).to("5-4C4")
        table.says(C, "score", points=9).to("5-6A").says(A, "allot", unit="Z-DD", result="destroyed").to("5-6C")
        assert self.waits(table, "5-6C") == (A,)
        table.must(A, "roll-fate", "Z-TEAM", rule="522.32")

    def test_sound_ships_alone_pass_the_steps_after_damage(self) -> None:
        """Federation & Empire 5-6E to 5-6X8."""
        options = {"ground_combat": True, "prime_teams": True, "admirals": True, "web": True}
        table = battle(HERE, THERE, options=options).to("5-4C4")
        table.says(C, "score", points=0).says(A, "score", points=0).to("5-6X9")
        passed = {one.step for one in table.events if isinstance(one, StepPassed)}
        asked = ("5-6E", "5-6F", "5-6X1", "5-6X2", "5-6X5", "5-6X6", "5-6X7", "5-6X8")
        assert passed.issuperset(asked)

    @pytest.mark.parametrize(
        ("step", "units", "options"),
        [
            ("5-6X1", [{**HERE, "crippled": True}], {}),
            ("5-6X2", [ship("Z-ADM", "kzinti", "1105", "leader")], {"admirals": True}),
            ("5-6X5", [ship("Z-TEAM", "kzinti", "1105", "team")], {"prime_teams": True}),
            ("5-6X7", [ship("Z-FF", "kzinti", "1105", crippled=True)], {}),
            ("5-6X8", [{**BASE, "crippled": True}], {}),
        ],
    )
    def test_side_that_can_act_acts_alone(
        self, step: str, units: list[dict[str, object]], options: dict[str, bool]
    ) -> None:
        """Federation & Empire 5-6X1 (305.1), 5-6X2 (316.31), 5-6X5 (522.34), 5-6X7 (424.33), 5-6X8 (425.3)."""
        ours = [] if any(one["id"] == "K-D6" for one in units) else [HERE]
        table = battle(*ours, THERE, *units, options=options).to("5-4C4")
        table.says(C, "score", points=0).says(A, "score", points=0).to(step)
        assert self.waits(table, step) == (A,)
        table.tries(C, "done", step=step).then_refused("step-of-another-side", rule=step, sides="Alliance")

    def test_plain_ships_pass_the_steps_before_damage(self) -> None:
        """Federation & Empire 5-4B to 5-6B."""
        table = battle(HERE, THERE, options={"swac": True, "honor_duels": True}).to("5-4C4")
        table.says(C, "score", points=0).says(A, "score", points=0).to("5-6X9")
        passed = {one.step for one in table.events if isinstance(one, StepPassed)}
        assert passed.issuperset(("5-4B", "5-4C1", "5-4C2", "5-4F", "5-6A", "5-6B"))

    @pytest.mark.parametrize(
        ("step", "traits", "options"),
        [
            ("5-4B", ["shock"], {}),
            ("5-4B", ["web"], {"web": True}),
            ("5-4C1", ["swac"], {"swac": True}),
            ("5-4C2", ["captured"], {}),
            ("5-5A", ["penal"], {}),
        ],
    )
    def test_side_with_the_unit_acts_alone_before_damage(
        self, step: str, traits: list[str], options: dict[str, bool]
    ) -> None:
        """Federation & Empire 5-4B (311.2, 525.74A), 5-4C1 (518.4), 5-4C2 (305.21), 5-5A (528.41)."""
        table = battle(HERE, THERE, ship("Z-X", "kzinti", "1105", *traits), options=options).to(step)
        assert self.waits(table, step) == (A,)
        table.tries(C, "done", step=step).then_refused("step-of-another-side", rule=step, sides="Alliance")

    def test_side_with_points_directs_alone(self) -> None:
        """Federation & Empire 5-5B, 5-5C (302.5): a hit costs 12 points, of which only the Coalition has enough."""
        table = battle({**HERE, "attack": 12}, THERE).to("5-4C4").says(C, "score", points=12)
        table.says(A, "score", points=6).to("5-5B")
        assert self.waits(table, "5-5B") == (C,)
        early = table.tries(A, "direct", unit="K-D6", result="crippled")
        early.then_refused("step-of-another-side", rule="5-5B", sides="Coalition")
        table.done(C)
        assert "5-5C" in {one.step for one in table.events if isinstance(one, StepPassed)}

    def test_defender_with_points_directs_alone(self) -> None:
        table = battle(HERE, {**THERE, "attack": 12}).to("5-4C4").says(C, "score", points=6)
        table.says(A, "score", points=12).to("5-5C")
        assert "5-5B" not in table.steps()
        table.tries(C, "direct", unit="Z-DD", result="crippled").then_refused("step-of-another-side", rule="5-5C")
        table.says(A, "direct", unit="K-D6", result="crippled")

    def test_each_round_has_a_target_though_5_5b_was_passed(self) -> None:
        """Federation & Empire 5-5B, 5-5C (302.5): the target of the round before is forgotten in 5-3A."""
        table = battle(HERE, {**THERE, "attack": 12}, ship("Z-CC", "kzinti", "1105")).to("5-4C4")
        table.says(A, "score", points=12).to("5-5C").says(A, "direct", unit="K-D6", result="missed")
        table.to("5-4C4", s5_7A2="stay").says(A, "score", points=12).to("5-5C")
        table.says(A, "direct", unit="K-D6", result="crippled")

    def test_referee_excuses_a_side_from_directing(self) -> None:
        table = battle({**HERE, "attack": 12}, THERE).to("5-4C4").says(C, "score", points=12).to("5-5B")
        table.says("referee", "excuse", reason="the player has left").to("5-6A")

    def test_side_that_was_hit_takes_its_losses_alone(self) -> None:
        """Federation & Empire 5-6A, 5-6B (302.6)."""
        table = battle(HERE, THERE).to("5-4C4").says(C, "score", points=0).says(A, "score", points=3).to("5-6B")
        assert "5-6A" not in table.steps()
        table.says(C, "carry-over").done(C)

    def test_empty_steps_of_the_raids_are_passed(self) -> None:
        """Federation & Empire 3A-4B, 3A-4C, 3A-5C, 3A-6B."""
        table = war(R1, D7, CC, FF, options={"raids": True, "pacification": True}).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1306", empire="klingon").to("3B2")
        assert {"3A-4B", "3A-4C", "3A-5C", "3A-6B"}.isdisjoint(table.steps())

    def test_side_at_a_new_station_may_withdraw(self) -> None:
        """Federation & Empire 3A-6B (544.231)."""
        table = war(R1, D7, CC, FF, options={"raids": True, "pacification": True}).to("3A-6A")
        table.says(C, "emplace", unit="K-PS", at="1003", empire="klingon").to("3A-6B")
        assert self.waits(table, "3A-6B") == (A,)

    def test_pursuit_of_a_withdrawn_side_stays_its_battle(self) -> None:
        """Federation & Empire 5-8F (302.8): the pursued side's last unit is lost, another side stays in the hex."""
        hunters = [ship(f"K-D{n}", "klingon", "1003", attack=40) for n in (1, 2)]
        lame = {**PIRATE, "crippled": True}
        table = war(*hunters, FF, lame, options={"orions": True}).to("5-1A/second", s5_1A="stay")
        table.says(ORION, "announce-withdrawal", units=["O-P"]).to("5-1C")
        table.says(ORION, "withdraw", units=["O-P"], path=["1002"]).to("5-1F").done(C, answer="pursue")
        table.says(C, "seal-pursuit", units=["K-D1", "K-D2"]).to("5-8C").done(C, answer="success").to("5-8D")
        table.says(ORION, "stand", units=["O-P"]).to("5-4C4").says(C, "score", points=9).to("5-6A")
        table.says(ORION, "allot", unit="O-P", result="destroyed").to("5-8L", passed=True)
        asked = {one.step: one.waits for one in table.events if isinstance(one, StepOpened)}
        assert not any(A in waits for step, waits in asked.items() if step.startswith(("5-6", "5-8")))

    def test_fighters_with_room_elsewhere_open_5_6e(self) -> None:
        """Federation & Empire 5-6E (501.6)."""
        carriers = [ship(f"Z-CV{n}", "kzinti", "1105", fighters=6) for n in (1, 2)]
        table = battle(HERE, THERE, *carriers).to("5-4C4").says(C, "score", points=4).says(A, "score", points=0)
        table.to("5-6A").says(A, "allot", unit="Z-CV1", result="absorbed", points=4).to("5-6E")
        assert self.waits(table, "5-6E") == (A,)
        table.says(A, "transfer-fighters", unit="Z-CV2", to="Z-CV1", number=4)

    def test_damage_without_a_taker_is_lost_if_5_6e_is_passed(self) -> None:
        """Federation & Empire 5-6B/lost (302.6)."""
        table = battle({**HERE, "attack": 40}, THERE).to("5-4C4").says(C, "score", points=20).to("5-6A")
        table.says(A, "allot", unit="Z-DD", result="destroyed").done(A).to("5-6X7")
        assert "5-6E" not in table.steps()
        assert table.game.accounts["coalition/damage"] == 0

    def test_gce_that_stays_is_lost_if_5_6x6_is_passed(self) -> None:
        """Federation & Empire 5-6X5/lost (521.34)."""
        table = battle({**HERE, "traits": ["troops"]}, BASE, THERE, options={"ground_combat": True}).to("5-3E")
        table.says(C, "seal-force", units=["K-D6"], gce=["K-D6"]).to("5-4A5")
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X3")
        table.says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X4")
        table.says(C, "skirmish", 4, units=["K-D6"]).to("5-6X5").done(C).to("5-6X9")
        assert "5-6X6" not in table.steps()
        assert table.game.units["K-D6"].get("gce") is None

    def test_pursuit_does_not_ask_for_a_fighting_retreat(self) -> None:
        hurt = {**HERE, "crippled": True}
        table = battle(ship("K-D7", "klingon", "1105"), hurt, THERE).to("5-8A", s5_7A2="retreat", s5_7B="pursue")
        table.says(A, "seal-pursuit", units=["Z-DD"]).to("5-8C").done(A, answer="success").to("5-8D")
        table.says(C, "stand", units=["K-D6"]).to("5-3X2")
        assert [table.game.markers[f"force of {side}"] for side in (A, C)] == [("Z-DD",), ("K-D6",)]


class TestChoicesOfAHex:
    """Choices in a battle end with its hex: in the next one they are neither shown nor counted."""

    ELSEWHERE = ship("K-E4", "klingon", "0902")

    def shown(self, table: War) -> dict[str, object]:
        view = turn_view(TITLE, table.game, "referee", 1)
        told = {f"{one.question}/{one.side}": one.choice for one in view.choices}
        return {name: choice for name, choice in told.items() if name not in view.kept}

    def test_choices_of_the_first_hex_are_gone_in_the_second(self) -> None:
        table = war(HERE, THERE, self.ELSEWHERE, CC).to("5-7A1")
        assert {"BIR/coalition", "force/alliance", "flagship/coalition"} <= set(self.shown(table))
        table.to("5-1A")
        assert self.shown(table) == {}
        table.to("5-4A2")
        assert self.shown(table)["BIR/coalition"] == 5

    def test_choices_are_gone_after_the_last_hex(self) -> None:
        table = war(HERE, THERE, CC).to("5-7A1")
        assert any(one.choice for one in table.game.choices.values())
        table.to("6A")
        assert not any(one.choice for one in table.game.choices.values())


class TestUntilTheNextBattleHex:
    """302.9: `done --until 5-HEX` ends what is left of a battle and stops where the next hex is picked."""

    @staticmethod
    def three_hexes() -> War:
        """Open 5-7A2 of the first of three battles."""
        hexes = ("1009", "1105", "1107")
        ours = [ship(f"K-{at}", "klingon", at) for at in hexes]
        return battle(*ours, *(ship(f"Z-{at}", "kzinti", at) for at in hexes)).to("5-7A2")

    def test_rest_of_a_battle_ends_at_the_pick_of_the_next_hex(self) -> None:
        table = self.three_hexes()
        here = table.game.cursor.item("5-HEX")
        table.says(C, "done", answer="retreat", until="5-HEX").says(A, "done", answer="stay", until="5-HEX")
        table.says(A, "done", answer="do not", until="5-HEX")
        away = [next(at for at in neighbours(here) if not at_hex(table.game, at))]
        table.says(C, "retreat", units=[f"K-{here}"], path=away, leave="5-HEX").story.then_open("5-HEX")

    def test_side_that_is_not_asked_is_told_who_is(self) -> None:
        early = self.three_hexes().tries(A, "done", until="5-HEX")
        early.then_refused("nothing-to-end-yet", rule="5-7A2", step="5-7A2", sides="Coalition", side="Alliance")

    def test_until_phase_6_ends_the_battle_and_stops_at_the_pick(self) -> None:
        table = self.three_hexes()
        here = table.game.cursor.item("5-HEX")
        table.says(C, "done", answer="retreat", until="6").says(A, "done", answer="stay", until="6")
        table.says(A, "done", answer="do not", until="6")
        away = [next(at for at in neighbours(here) if not at_hex(table.game, at))]
        table.says(C, "retreat", units=[f"K-{here}"], path=away, leave="6").story.then_open("5-HEX")

    def test_heading_around_play_is_refused(self) -> None:
        self.three_hexes().tries(C, "done", until="5-S7").then_refused("already-there", rule="5-7A2", until="5-S7")
