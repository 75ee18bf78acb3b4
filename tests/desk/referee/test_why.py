"""The prerequisites of records: recorded games of every title, compared with their printed rules."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.desk.referee.tables import Desk
from tests.face.desk import find_title, open_ledger
from tests.face.domain import REFEREE, Game
from tests.face.ledger import Ledger
from tests.face.projections import (
    Cause,
    Explanation,
    depending,
    orders_on_branch,
    text_of,
    why,
)
from tests.face.testing import folder_of
from tests.naming import Naming
from umpire_ledger.ledger import replay_log

FORCE = "K-D5-1, K-D6M, K-D6S, K-D7A, K-D7C, K-JAG, R-KE, R-WE-1 for force"
Fact = tuple[int, str, str]
"""Position of the record that wrote a fact, the subject of the fact, and its attribute."""


@contextmanager
def game_of(title: str, name: str) -> Iterator[Ledger[Game]]:
    with (
        open_ledger(":memory:", create=True) as ledger,
        (folder_of(title) / "replays" / f"{name}.jsonl").open("rb") as log,
    ):
        replay_log.read_into(ledger, log)
        yield ledger


def asked(title: str, name: str, position: int, seat: str = REFEREE) -> Explanation:
    with game_of(title, name) as ledger:
        return why(ledger, name, seat, position, find_title(title))


def told(title: str, name: str, words: str, seat: str = REFEREE) -> Explanation:
    """Return the answer for the first record with these words."""
    with game_of(title, name) as ledger:
        found = (
            at for deed in orders_on_branch(ledger, name, REFEREE) for at, one in deed.events if words in text_of(one)
        )
        return why(ledger, name, seat, next(found), find_title(title))


def played(answer: Explanation) -> list[Fact]:
    """Return the prerequisites from other orders, without the set-up."""
    return [_fact(one) for one in answer.built_on if not one.set_up and one.kind != "roll"]


def dice_of(answer: Explanation) -> list[int]:
    """Return the rolls of its own order that a record depends on."""
    return [one.position for one in answer.built_on if one.kind == "roll"]


def _fact(one: Cause) -> Fact:
    return one.position, one.id, one.attribute


STORIES: list[tuple[str, str, str, list[str]]] = [
    # G.2b [8.55]: a ship attached to a burning one is rolled for.
    (
        *("war-galley", "great-harbour", "fire spreading to syracuse-3"),
        [
            "syracuse-3: grappled none → athens-3 (syracuse-3 grapples athens-3)",
            "athens-3: fire none → yes (set on fire by syracuse-3)",
        ],
    ),
    # G.4 [7.17]: a rammed ship rolls; on a 6 it sinks and takes along the ships grappled to it.
    (
        *("war-galley", "great-harbour", "athens-5 is sunk"),
        ["athens-5: rammed none → yes (rammed by syracuse-5)"],
    ),
    (
        *("war-galley", "great-harbour", "syracuse-5 is sunk"),
        [
            "athens-5: grappled none → syracuse-5 (athens-5 grapples syracuse-5)",
            "athens-5: rammed none → yes (rammed by syracuse-5)",
        ],
    ),
    # G.1 [8.35]: only a fouled ship disengages.
    (
        *("war-galley", "great-harbour", "disengaging athens-4"),
        ["athens-4: fouled none → syracuse-6 (athens-4 collides with syracuse-6)"],
    ),
    # G.2c: masts that are down come up again.
    (
        *("war-galley", "great-harbour", "athens-4: masts_down yes → none"),
        ["athens-4: masts_down none → yes (athens-4 collides with syracuse-6)"],
    ),
    # H.b: points for a captured ship go back when it is taken back; they are taken off what the side has.
    (
        *("war-galley", "great-harbour", "athens-2 no longer captured"),
        [
            "athens-2: captured_by syracuse → none (boarded by athens-1)",
            "athens-2: capture_points none → syracuse",
            "vp/syracuse +5: 7 → 12 (athens-8 captured)",
        ],
    ),
    # 3A-4D: a blockade raider is intercepted on the course it was given.
    (
        *("federation-and-empire", "border-war", "interception of K-D5-3"),
        [
            "K-D5-3 moves raid-pool → 1105 → 1104 → 1203 → 1303 → 1402 → 1502 (blockade raid)",
            "K-D5-3: course none → 1105, 1104, 1203, 1303, 1402, 1502",
            "K-D5-3: raid_kind none → blockade (blockade raid)",
        ],
    ),
    # 5-5B (302.5): directed damage hits a ship of the current battle, using the points that were rolled.
    (
        *("federation-and-empire", "border-war", "Z-DWE is destroyed"),
        [
            "Z-DWE moves 1003 → 1004 → 1105 (reserve 1st Reserve)",
            "coalition/damage +21: 0 → 21 (damage of COMPOT 49)",
            "coalition picks 1105 for step 5-HEX",
        ],
    ),
    # 5-3F1: the secret choices are revealed.
    (
        *("federation-and-empire", "border-war", f"coalition reveals {FORCE}"),
        [f"coalition secretly chooses {FORCE}"],
    ),
    # 5-8D: the pursued set up, because a side retreated from the current battle.
    (
        *("federation-and-empire", "border-war", "step 5-8D (the pursued set up) begins"),
        ["coalition answers step 5-2B1 with retreat; play continues at 5-S7", "coalition picks 1105 for step 5-HEX"],
    ),
    # 5.1.K: a ship is repaired a hit a month, in port.
    (
        *("pacific-war", "solomons-suspended", "mogami: hits 1 → 0"),
        ["mogami: hits 2 → 1 (repaired)", "mogami moves palau → truk (and back)", "month: 1 → 2"],
    ),
    # 5.1.L: steps come out of those that were received.
    (
        *("pacific-war", "solomons-suspended", "cactus-air: steps 1 → 3"),
        ["steps/allies/air +2: 0 → 2 (reinforcement)"],
    ),
    # 5.2.C: submarines attack the units in their hex, which were placed there in play.
    (
        *("pacific-war", "solomons-suspended", "enterprise: hits 0 → 1"),
        ["enterprise moves noumea → santa-cruz", "i-boats (submarine-patrol, japan) is placed at santa-cruz"],
    ),
    # 5.2.D: the air missions of the side with the advantage, with units that were activated.
    (
        *("pacific-war", "solomons-suspended", "enterprise: hits 1 → 3"),
        [
            "enterprise: hits 0 → 1 (attacked by i-boats)",
            "mission: none → shokaku-air (launched)",
            "mission_target: none → enterprise (launched)",
            "advantage: none → japan (roll 3)",
        ],
    ),
    # 4a: opportunity fire is on a piece of the active unit that moves.
    (
        *("red-coat-rags", "mill-ford", "fired_at: none → forlorn-1"),
        [
            "forlorn-1 moves 19,12 → 19,16",
            "active_unit: none → forlorn (2 of 2 dice succeed)",
            "phasing: none → king (highest total)",
        ],
    ),
    # 4b: fire is resolved between the pieces that were declared.
    (
        *("red-coat-rags", "mill-ford", "forlorn-1: disrupted none → yes"),
        ["fired_at: none → forlorn-1 (opportunity fire)", "firing: none → blues-4 (opportunity fire)"],
    ),
    # 2b: a unit checks its morale for as many disrupted pieces as its casualty value, or more.
    (
        *("red-coat-rags", "mill-ford", "morale of rudds-horse"),
        [
            "rudds-3: disrupted none → yes (close combat with carrs-3)",
            "rudds-2: disrupted none → yes (close combat with carrs-2)",
            "rudds-1: disrupted none → yes (close combat with carrs-1)",
        ],
    ),
    # 2c: only a disrupted piece rallies.
    (
        *("red-coat-rags", "mill-ford", "blues-4 is casualty"),
        ["blues-4: disrupted none → yes (fire of forlorn-1)"],
    ),
    # TA.2: ships move into the system that was activated.
    (
        *("twilight-imperium-3", "full-round", "mentak-dreadnought-1 moves home-mentak → quann-space"),
        ["now/systems: none → quann-space (activated)"],
    ),
    # SB.3: hits are taken by ships that are there; no more than were scored.
    (
        *("twilight-imperium-3", "siege-of-jord", "mentak-fighter-1 is destroyed"),
        [
            "mentak-fighter-1 moves home-mentak → quann-space (carried)",
            "hits/quann-space/mentak +1: 0 → 1 (space battle)",
        ],
    ),
    # Ground forces are lost with the last ship of their side, which is the last once its fighters are gone.
    (
        *("twilight-imperium-3", "siege-of-jord", "sol-ground-force-5 is destroyed"),
        [
            "hits/void/sol +2: 0 → 2 (space battle)",
            "sol-fighter-4 is destroyed at void (Assault Cannons)",
            "sol-fighter-5 is destroyed at void (hit)",
        ],
    ),
]


@pytest.mark.parametrize(
    ("title", "name", "words", "rested"), STORIES, ids=[f"{one[1]}: {one[2][:40]}" for one in STORIES]
)
def test_record_has_its_prerequisites(title: str, name: str, words: str, rested: list[str]) -> None:
    answer = told(title, name, words)
    assert answer.found_by == "deciding again"
    assert [one.text for one in answer.built_on if not one.set_up and one.kind != "roll"] == rested


class TestPrerequisites:
    def test_either_of_several_is_named_with_the_others(self) -> None:
        """D: a squadron is picked as long as one ship is in it; all three could have been missing, but not at once."""
        answer = asked("war-galley", "great-harbour", 82)
        assert "picks agatharchus" in answer.record.text
        assert {at for at, _, _ in played(answer)} == {39, 40, 41}

    def test_spread_of_fire_depends_on_its_die(self) -> None:
        # #303: a 5 sets syracuse-3 on fire; #304 records that its die was rolled this turn, with any result.
        assert dice_of(asked("war-galley", "great-harbour", 305)) == [303]
        assert dice_of(asked("war-galley", "great-harbour", 304)) == []

    def test_ship_depends_on_its_own_die_of_several(self) -> None:
        """Use #591 and #593: syracuse-6 and syracuse-7 roll with one order; neither sinks."""
        assert dice_of(asked("war-galley", "great-harbour", 592)) == [591]
        assert dice_of(asked("war-galley", "great-harbour", 594)) == [593]

    def test_automatic_result_does_not_depend_on_dice(self) -> None:
        # #601: the points for syracuse-6 are scored at the end of the turn, with any roll for athens-5 before.
        assert dice_of(asked("war-galley", "great-harbour", 601)) == []

    def test_prerequisite_has_seat_turn_step_and_order(self) -> None:
        answer = asked("war-galley", "great-harbour", 303)
        first = next(one for one in answer.built_on if one.id == "athens-3")
        assert first.what == "fire of athens-3"
        assert (first.seat, first.turn, first.step, first.order) == ("syracuse", 1, "E.1", "set-fire")
        assert first.sentence == Naming("Syracuse", "athens-3", "syracuse-3")
        assert answer.sentence.startswith("Syracuse ")

    def test_end_of_a_step_depends_on_its_order_only(self) -> None:
        answer = asked("war-galley", "great-harbour", 286)
        assert (answer.order["order"], answer.built_on, answer.found_by) == ("done", (), "deciding again")

    def test_side_gets_its_own_records_like_the_referee(self) -> None:
        for seat in ("athens", "syracuse", "spectator"):
            assert played(asked("war-galley", "great-harbour", 597, seat)) == [(163, "athens-5", "rammed")]

    def test_sealed_prerequisite_is_shown_to_its_side_only(self) -> None:
        # 5-3F1 reveals a choice that the coalition had sealed in a record hidden from the alliance.
        words = ("federation-and-empire", "border-war", f"coalition reveals {FORCE}")
        (sealed,) = told(*words).built_on  # a choice, and no dice
        assert sealed.position in [one.position for one in told(*words, "coalition").built_on]
        for seat in ("alliance", "spectator"):
            assert sealed.position not in [one.position for one in told(*words, seat).built_on]

    def test_why_without_the_title_uses_last_touch(self) -> None:
        with game_of("war-galley", "great-harbour") as ledger:
            answer = why(ledger, "great-harbour", REFEREE, 597)
        assert answer.found_by == "last touch"
        assert ("athens-5", 477) in [(one.id, one.position) for one in answer.built_on]


class TestDependents:
    def test_ramming_leads_to_dice_points_and_loss_of_the_ship(self) -> None:
        # #163: athens-5 is rammed. By last touch 59 orders depended on it: all that came near the ship.
        with game_of("war-galley", "great-harbour") as ledger:
            found = depending(ledger, "great-harbour", REFEREE, [163], find_title("war-galley"))
        assert [(one.order, one.positions[0], one.degree) for one in found] == [
            ("ram", 164, 1),  # whose points it will be
            ("check-spread", 316, 1),  # G.4 waits for its owner
            ("check-sinking", 317, 1),
            ("check-sinking", 324, 1),  # the points
            ("check-spread", 590, 1),
            ("check-sinking", 595, 1),
            ("check-sinking", 596, 1),
        ]

    def test_extinguished_fire_leads_to_the_next_spread_check(self) -> None:
        # #575: the fire on athens-3 is out, so #581 rolls for it: it could catch fire again from syracuse-3.
        with game_of("war-galley", "great-harbour") as ledger:
            found = depending(ledger, "great-harbour", REFEREE, [575], find_title("war-galley"))
        assert [(one.positions[0], one.why) for one in found if one.order == "check-spread"] == [
            (581, (Naming("athens-3", "#575"),))
        ]

    def test_wrong_set_up_of_a_unit_leads_to_its_later_orders(self) -> None:
        with game_of("war-galley", "great-harbour") as ledger:
            found = depending(ledger, "great-harbour", REFEREE, [17], find_title("war-galley"))
        assert [one.positions[0] for one in found] == [
            *(45, 124, 126, 128),  # its squadron, its level
            *(274, 276, 278, 282, 285, 288),  # its turn among those that sail alone
            *(408, 410, 543, 545, 547, 550, 553, 556),  # the same again in turn 2
        ]
        assert all(one.found_by == "deciding again" for one in found)


class TestPreviews:
    def test_rewind_preview_lists_dependents_of_the_first_order(self, harbour: Desk) -> None:
        """Rewind to before #163, the ramming: of all orders that would be undone only a few depend on it."""
        found = harbour.ask("rewind", "--to", "#162", "--why", "out of range", "--preview")
        assert found["orders"][0]["position"] == 163
        assert [one["position"] for one in found["resting"]] == [303, 317, 320, 581, 591, 596]
        said = harbour.ok("rewind", "g", "--to", "#162", "--why", "x", "--preview").out
        assert Naming("#163", 6, len(found["orders"]) - 1, "#303", "#317") in said.splitlines()
