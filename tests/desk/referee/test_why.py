"""What records truly rested on: recorded games of every title, read beside their printed rules."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from umpire_ledger.desk.sitting import open_ledger
from umpire_ledger.desk.wiring import find_title
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.projections.questions.reasons import Cause
from umpire_ledger.projections.questions.why import Explanation, depending, why
from umpire_ledger.testing.fixtures import folder_of

Fact = tuple[int, str, str]
"""Position of the record that wrote it, what it is about, and which of its attributes."""


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


def played(answer: Explanation) -> list[Fact]:
    """What it rested on, without what was set up."""
    return [_fact(one) for one in answer.built_on if not one.set_up]


def _fact(one: Cause) -> Fact:
    return one.position, one.id, one.attribute


STORIES: list[tuple[str, str, int, str, list[Fact]]] = [
    # G.2b [8.55]: a ship attached to a burning one is rolled for.
    (
        *("war-galley", "great-harbour", 303, "fire spreading to syracuse-3"),
        [(158, "syracuse-3", "grappled"), (157, "athens-3", "fire")],
    ),
    # G.4 [7.17]: a rammed ship rolls; on a 6 it sinks and takes along whoever is grappled to it.
    ("war-galley", "great-harbour", 597, "athens-5 is sunk", [(163, "athens-5", "rammed")]),
    (
        *("war-galley", "great-harbour", 598, "syracuse-5 is sunk"),
        [(202, "athens-5", "grappled"), (163, "athens-5", "rammed")],
    ),
    # G.1 [8.35]: only a fouled ship disengages. G.2c: only masts that are down come up.
    ("war-galley", "great-harbour", 569, "disengaging athens-4", [(469, "athens-4", "fouled")]),
    ("war-galley", "great-harbour", 585, "athens-4: masts_down", [(472, "athens-4", "masts_down")]),
    # H.b: points for a captured ship go back when it is taken back; they are taken off what the side has.
    (
        *("war-galley", "great-harbour", 605, "athens-2 no longer captured"),
        [(428, "athens-2", "captured_by"), (331, "athens-2", "capture_points"), (332, "vp/syracuse", "")],
    ),
    # 3A-4D: a blockade raider is intercepted on the course it was given.
    (
        *("federation-and-empire", "border-war", 345, "interception of K-D5-3"),
        [(342, "K-D5-3", "at"), (341, "K-D5-3", "course"), (332, "K-D5-3", "raid_kind")],
    ),
    # 5-5B (302.5): directed damage falls on a ship of the battle, out of the points that were rolled.
    (
        *("federation-and-empire", "border-war", 707, "Z-DWE is destroyed"),
        [(462, "Z-DWE", "at"), (687, "coalition/damage", ""), (472, "1105", "")],
    ),
    # 5-3F1: what was chosen in secret is laid open.
    ("federation-and-empire", "border-war", 565, "for force", [(544, "force/coalition", "")]),
    # 5-8D: the pursued set up, because a side retreated from the battle in hand.
    ("federation-and-empire", "border-war", 1192, "the pursued set up", [(1157, "5-2B1", ""), (472, "1105", "")]),
    # 5.1.K: a ship is repaired a hit a month, in port.
    (
        *("pacific-war", "solomons-suspended", 274, "mogami: hits 1 → 0"),
        [(105, "mogami", "hits"), (91, "mogami", "at"), (216, "month", "")],
    ),
    # 5.1.L: steps come out of those that were received.
    ("pacific-war", "solomons-suspended", 280, "cactus-air: steps 1 → 3", [(264, "steps/allies/air", "")]),
    # 5.2.C: submarines attack whoever is in their hex; they were put there in play.
    (
        *("pacific-war", "solomons-suspended", 352, "enterprise: hits 0 → 1"),
        [(323, "enterprise", "at"), (290, "i-boats", "")],
    ),
    # 5.2.D: the air missions of the side with the advantage, with units that were activated.
    (
        *("pacific-war", "solomons-suspended", 362, "enterprise: hits 1 → 3"),
        [(352, "enterprise", "hits"), (159, "shokaku-air", "activated"), (343, "advantage", "")],
    ),
    # 4a: opportunity fire is on a piece of the active unit that moves.
    (
        *("red-coat-rags", "mill-ford", 90, "fired_at: none → forlorn-1"),
        [(87, "forlorn-1", "at"), (78, "active_unit", ""), (60, "phasing", "")],
    ),
    # 4b: fire is resolved between the pieces that were declared.
    ("red-coat-rags", "mill-ford", 97, "forlorn-1: disrupted", [(90, "fired_at", ""), (89, "firing", "")]),
    # 2b: a unit checks its morale for as many disrupted pieces as its casualty value, or more.
    (
        *("red-coat-rags", "mill-ford", 254, "morale of rudds-horse"),
        [(216, "rudds-3", "disrupted"), (211, "rudds-2", "disrupted"), (206, "rudds-1", "disrupted")],
    ),
    # 2c: only a disrupted piece rallies.
    ("red-coat-rags", "mill-ford", 265, "blues-4 is casualty", [(115, "blues-4", "disrupted")]),
    # TA.2: ships move into the system that was activated.
    (
        *("twilight-imperium-3", "full-round", 440, "mentak-dreadnought-1 moves"),
        [(436, "now/systems", "")],
    ),
    # SB.3: hits are taken by ships that are there; no more than were scored.
    (
        *("twilight-imperium-3", "siege-of-jord", 447, "mentak-fighter-1 is destroyed"),
        [(314, "mentak-fighter-1", "at"), (436, "hits/quann-space/mentak", "")],
    ),
    # Ground forces are lost with the last ship of their side, which is the last once its fighters are gone.
    (
        *("twilight-imperium-3", "siege-of-jord", 277, "lost with the last ship"),
        [(268, "hits/void/sol", ""), (210, "sol-fighter-4", "fate"), (190, "sol-fighter-5", "fate")],
    ),
]


@pytest.mark.parametrize(
    ("title", "name", "position", "says", "rested"), STORIES, ids=[f"{one[1]}-{one[2]}" for one in STORIES]
)
def test_a_record_rested_on(title: str, name: str, position: int, says: str, rested: list[Fact]) -> None:
    answer = asked(title, name, position)
    assert says in answer.record.text
    assert answer.found_by == "deciding again"
    assert played(answer) == rested


class TestWhatItRestedOn:
    def test_either_of_several_is_named_with_the_others(self) -> None:
        """D: a squadron is picked as long as one ship is in it; all three could have been missing, but not at once."""
        answer = asked("war-galley", "great-harbour", 82)
        assert "picks agatharchus" in answer.record.text
        assert {at for at, _, _ in played(answer)} == {39, 40, 41}

    def test_the_chain_says_who_gave_which_order_where(self) -> None:
        answer = asked("war-galley", "great-harbour", 303)
        first = answer.built_on[1]
        assert first.what == "fire of athens-3"
        assert (first.seat, first.turn, first.step, first.order) == ("syracuse", 1, "E.1", "set-fire")

    def test_leaving_a_step_rests_on_nothing_but_the_order(self) -> None:
        answer = asked("war-galley", "great-harbour", 286)
        assert (answer.order["order"], answer.built_on, answer.found_by) == ("done", (), "deciding again")

    def test_a_side_hears_of_its_own_records_as_the_referee_does(self) -> None:
        for seat in ("athens", "syracuse", "spectator"):
            assert played(asked("war-galley", "great-harbour", 597, seat)) == [(163, "athens-5", "rammed")]

    def test_what_was_sealed_is_named_to_nobody_else(self) -> None:
        """#565 lays open what the coalition had chosen in #544, which the alliance never saw."""
        assert played(asked("federation-and-empire", "border-war", 565, "coalition"))
        for seat in ("alliance", "spectator"):
            answer = asked("federation-and-empire", "border-war", 565, seat)
            assert 544 not in [one.position for one in answer.built_on]

    def test_without_its_title_it_is_answered_by_last_touch(self) -> None:
        with game_of("war-galley", "great-harbour") as ledger:
            answer = why(ledger, "great-harbour", REFEREE, 597)
        assert (answer.found_by, answer.because) == ("last touch", "its title is not installed")
        assert ("athens-5", 477) in [(one.id, one.position) for one in answer.built_on]


class TestWhatDependsOnIt:
    def test_a_ramming_leads_to_the_dice_the_points_and_the_end_of_the_ship(self) -> None:
        """#163: athens-5 is rammed. By last touch 59 orders depended on it: whatever came near the ship."""
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

    def test_what_was_put_out_burns_no_longer(self) -> None:
        """#575: the fire on athens-3 is out, so #581 rolls for it: it could catch fire again from syracuse-3."""
        with game_of("war-galley", "great-harbour") as ledger:
            found = depending(ledger, "great-harbour", REFEREE, [575], find_title("war-galley"))
        assert [(one.positions[0], one.why) for one in found if one.order == "check-spread"] == [
            (581, ("rests on fire of athens-3, as #575 left it",))
        ]

    def test_a_unit_that_was_set_up_wrongly_leads_to_what_it_did_and_what_was_done_to_it(self) -> None:
        with game_of("war-galley", "great-harbour") as ledger:
            found = depending(ledger, "great-harbour", REFEREE, [17], find_title("war-galley"))
        assert [one.positions[0] for one in found] == [
            *(45, 124, 126, 128),  # its squadron, its level
            *(274, 276, 278, 282, 285, 288),  # its turn among those that sail alone
            *(408, 410, 543, 545, 547, 550, 553, 556),  # the same again in turn 2
        ]
        assert all(one.found_by == "deciding again" for one in found)
