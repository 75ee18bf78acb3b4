"""Check the sentences of Federation & Empire for skipped steps and refused orders."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.face.domain import StepPassed
from tests.face.testing import Story
from tests.titles.federation_table import BASE, War, battle, ship, war

A, C = "alliance", "coalition"
SHOCK = {"dice": "1d6", "source": "made up", "rows": {"2 or less": "failure", "3 or more": "success"}}
D7, CC = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
BATS = ship("Z-BATS", "kzinti", "1105", base=True)
F5 = ship("K-F5", "klingon", "1206", crippled=True)
SB = ship("K-SB", "klingon", "1206", base=True)
ADMIRAL = ship("K-A1", "klingon", "1206", "leader", aboard="K-D7")
HERE, THERE = ship("K-D6", "klingon", "1105"), ship("Z-DD", "kzinti", "1105")


def base_wins() -> War:
    table = battle(HERE, ship("Z-BATS", "kzinti", "1105", base=True)).to("5-7A1")
    return table.done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay")


def x_ship_of_the_phasing_side() -> War:
    return war(D7, ship("K-X", "klingon", "1206", "x"), CC, options={"x_ships": True}).to("6E")


def plain_round() -> War:
    return battle(HERE, THERE, options={"ground_combat": True, "prime_teams": True}).to("5-7A1")


def defender_with_few_points() -> War:
    table = battle({**HERE, "attack": 12}, THERE).to("5-4C4").says(C, "score", points=12)
    return table.says(A, "score", points=6).to("5-5B").done(C)


def without_debt() -> War:
    return war(D7, CC, empires=[{**one, "debt": 0} for one in BASE["empires"]]).to("1C5")


def coalition_turn() -> War:
    return war(D7, CC, options={"special_fighters": True}).to("2B11")


def alliance_turn() -> War:
    table = war(D7, CC, options={"swarm": True}, empires=[{**one, "capital": ""} for one in BASE["empires"]])
    return table.to("10D").done(A, C).to("2B11")


def without_battleships() -> War:
    bare = [{name: value for name, value in one.items() if name != "battleships"} for one in BASE["empires"]]
    return war(D7, CC, empires=bare).to("2B11")


@pytest.mark.parametrize(
    ("step", "play", "why"),
    [
        ("1C2", without_debt, "no empire has a debt"),
        ("1C4", without_debt, "the interest stated in 1C2 has been paid"),
        ("1E", lambda: war(D7, CC).to("1F"), "option admirals is off"),
        ("11", lambda: war(D7, CC).to("10D").done(A, C).to("10D").done(A, C), "option orions is off"),
        ("2B8", alliance_turn, "it is not the Klingon player's turn"),
        ("2B9", coalition_turn, "it is not the Federation player's turn"),
        ("2B10", without_battleships, "no empire here has battleship options"),
        ("5-2A3", lambda: battle(HERE, BATS).to("5-2B1"), "the defender has only the base"),
        ("5-3X1", plain_round, "no unit has retreated to the hex"),
        ("5-4A5", plain_round, "no unit here has troops"),
        ("5-5C", defender_with_few_points, "no defender has enough points to direct at any unit"),
        ("5-6C", plain_round, "no Prime Team has lost its ship"),
        ("5-6H", plain_round, "no tug was assigned to rescue"),
        ("5-6X3", plain_round, "no unit was named for troop assaults"),
        ("5-6X4", plain_round, "no ground assault was designated"),
        ("5-7B", base_wins, "the pursuer has no ship in the hex"),
        ("6D3", x_ship_of_the_phasing_side, "no non-phasing side has an X-ship"),
        ("10B", lambda: war(D7, CC, options={"wyn": True}).to("10C"), "no WYN transfer funds are on their way"),
    ],
)
def test_passed_step_says_why(step: str, play: Callable[[], War], why: str) -> None:
    assert [one.why for one in play().events if isinstance(one, StepPassed) and one.step == step] == [why]


def team_after(*pips: int) -> Story:
    """Roll for the fate of a Prime Team twice, if it has rolled before."""
    team = ship("Z-TEAM", "kzinti", "1105", "team", aboard="Z-FF")
    table = battle({**HERE, "attack": 40}, THERE, ship("Z-FF", "kzinti", "1105"), team, options={"prime_teams": True})
    table.to("5-4C4").says(C, "score", points=9).says(A, "score", points=0).to("5-6A")
    table.says(A, "allot", unit="Z-FF", result="destroyed").to("5-6C")
    table.says(A, "roll-fate", *pips, unit="Z-TEAM", at_least=4)
    return table.tries(A, "roll-fate", *pips, unit="Z-TEAM", at_least=4)


def shock(*pips: int) -> War:
    """Open 5-6D with a ship that announced shock factors, and roll for it."""
    other = ship("K-D5", "klingon", "1105", "shock")
    table = battle({**HERE, "traits": ["shock"]}, other, THERE, tables={"shock": SHOCK}).to("5-4B")
    table.says(C, "announce", units=["K-D6"], purpose="shock", factors=4).to("5-6D")
    return table.says(C, "roll-fate", *pips, unit="K-D6") if pips else table


def pinwheels(**named: str) -> Story:
    wheel = [ship(f"T-P{n}", "tholian", "1105", "pinwheel") for n in (1, 2, 3, 4)]
    table = battle(HERE, *wheel).to("5-3E")
    units = [str(one["id"]) for one in wheel]
    table.says(A, "seal-force", units=units, pinwheels=["T-P1 T-P2", "T-P3 T-P4"]).to("5-6G")
    return table.tries(A, "dissolve-pinwheel", **named)


def rescued(tug: str, unit: str) -> Story:
    tugs = [ship(name, "kzinti", "1105", "tug") for name in ("Z-TG", "Z-T2")]
    table = battle(HERE, THERE, ship("Z-FF", "kzinti", "1105"), *tugs).to("5-3E")
    table.says(A, "seal-force", units=["Z-DD", "Z-FF", "Z-T2", "Z-TG"], rescues=["Z-TG", "Z-T2"])
    table.to("5-6H").says(A, "rescue", 4, tug="Z-TG", unit="Z-DD")
    return table.tries(A, "rescue", 4, tug=tug, unit=unit)


def repaired_again() -> Story:
    table = war(D7, SB, F5, CC).to("2A2").says(C, "repair", unit="K-F5", ep=1)
    return table.tries(C, "repair", unit="K-F5", ep=1)


def withdrawn() -> Story:
    table = battle(HERE, THERE, ship("Z-FF", "kzinti", "1105")).done(A, answer="withdraw").done(C, answer="let go")
    table.says(A, "withdraw", units=["Z-FF"], path=["1005"]).to("5-3E")
    return table.tries(A, "seal-force", units=["Z-DD", "Z-FF"])


def moved(name: str, *traits: str) -> Story:
    table = war(D7, ship(name, "klingon", "off-map", *traits), CC).to("3B2")
    return table.tries(C, "move-units", units=[name], path=["1205"])


def reacted(**state: bool) -> Story:
    """Let a unit react, once before if nothing hinders it."""
    table = war(D7, {**CC, **state}).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
    table.tries(A, "react", units=["Z-CC"], path=["0903"])
    return table.tries(A, "react", units=["Z-CC"], path=["1003"])


def leader_for(*, lost: bool) -> Story:
    table = war(D7, HERE, ADMIRAL, CC, options={"admirals": True}).to("1E")
    if lost:
        table.says(C, "lose-leader", leader="K-A1").to("2B6")
        table.says(C, "new-leader", leader="K-A2", replaces="K-A1", ship="K-D7")
    return table.to("2B6").tries(C, "new-leader", leader="K-A3", replaces="K-A1", ship="K-D7")


def reconfigured(order: str, **about: Any) -> Story:
    """Reconfigure a modular ship after it was reconfigured or moved."""
    table = war(D7, ship("R-KR", "romulan", "1206", "modular", kind="KR"), CC).to("3B2").says(C, order, **about)
    return table.tries(C, "reconfigure", unit="R-KR", kind="KRC", ep=1)


def suffered(pips: int) -> Story:
    """Suffer a shock twice, or after a die that saved the ship."""
    table = shock(pips)
    if pips < 3:
        table.says(C, "suffer", unit="K-D6", outcome="crippled")
    return table.tries(C, "suffer", unit="K-D6", outcome="destroyed")


def annexed() -> Story:
    counters = [{"side": C, "counter": "annexation", "place": "Q", "turns": 1}]
    table = war(D7, CC, options={"annexation": True}, turns_needed={"annexation": 3}, counters=counters).to("1B")
    return table.tries(C, "annex", province="Q", empire="klingon")


def progressed() -> Story:
    table = war(D7, F5, CC).to("2B3").says(C, "depot", unit="K-F5", act="add")
    return table.says(C, "depot", unit="K-F5", act="progress").tries(C, "depot", unit="K-F5", act="progress")


def shipped() -> Story:
    table = war(D7, ship("K-D5", "klingon", "1206"), ADMIRAL, CC, options={"admirals": True}).to("2B6")
    table.says(C, "transfer-leader", leader="K-A1", ship="K-D5")
    return table.tries(C, "transfer-leader", leader="K-A1", ship="K-D7")


def moved_twice() -> Story:
    table = war(D7, CC).to("3B2").says(C, "move-units", units=["K-D7"], path=["1106"])
    return table.tries(C, "move-units", units=["K-D7"], path=["1105"])


def pursuing(unit: dict[str, Any]) -> Story:
    """Seal a pursuit force with a unit that cannot be in it."""
    table = battle(HERE, THERE, unit).to("5-7A1").done(A, answer="stay").done(C, answer="retreat")
    table.done(A, answer="stay").done(A, answer="pursue")
    return table.tries(A, "seal-pursuit", units=["Z-DD", unit["id"]])


@pytest.mark.parametrize(
    ("code", "play", "why"),
    [
        ("none-can-be-chosen", lambda: team_after(6), "its die has already been rolled"),
        ("cannot-be-chosen", lambda: shock().tries(C, "roll-fate", 3, unit="K-D5"), "it needs no die"),
        ("not-in-pinwheel", pinwheels, "the order does not name the pinwheel"),
        ("not-in-pinwheel", lambda: pinwheels(ship="K-D6"), "K-D6 is not in one of your pinwheels"),
        ("busy-this-round", lambda: rescued("Z-TG", "Z-FF"), "Z-TG has already tried to rescue Z-DD"),
        ("busy-this-round", lambda: rescued("Z-T2", "Z-DD"), "Z-DD has already been rescued"),
        ("cannot-be-repaired", repaired_again, "its repair has already been paid for"),
        (
            "cannot-be-repaired",
            lambda: war(D7, SB, CC, F5).to("2A2").tries(C, "repair", unit="K-D7", ep=1),
            "it is not crippled",
        ),
        (
            "sealed-already",
            lambda: battle().to("5-3X2").says(C, "seal-intensity", bir=7).tries(C, "seal-intensity", bir=6),
            "it is revealed together with the other side's",
        ),
        ("unit-not-there", withdrawn, ": it withdrew in 5-1C"),
        ("stays-off-map", lambda: moved("K-RS", "repair"), "it is deployed in step 7B"),
        ("stays-off-map", lambda: moved("K-DCY", "decoy"), "it moves with its ship"),
        ("cannot-react", reacted, "has reacted 1 time this player turn"),
        ("cannot-react", lambda: reacted(mothballed=True), "is mothballed"),
        (
            "moved-or-reconfigured",
            lambda: reconfigured("reconfigure", unit="R-KR", kind="KR scout", ep=1),
            "was reconfigured",
        ),
        ("moved-or-reconfigured", lambda: reconfigured("move-units", units=["R-KR"], path=["1106"]), "has moved"),
        ("fate-used", lambda: suffered(2), "has destroyed it"),
        ("fate-used", lambda: suffered(3), "has saved it"),
        ("annexation-incomplete", annexed, "Q has 2 of 3 turns toward annexation"),
        ("done-this-player-turn", progressed, "has made progress"),
        ("done-this-player-turn", shipped, "changed ships"),
        ("done-this-player-turn", moved_twice, "has moved"),
        ("cannot-pursue", lambda: pursuing(BATS), "a base"),
        ("cannot-pursue", lambda: pursuing(ship("Z-FRD", "kzinti", "1105", "frd")), "not a ship"),
        ("no-leader-lost", lambda: leader_for(lost=False), "K-A1 is not a lost leader of your side"),
        ("no-leader-lost", lambda: leader_for(lost=True), "K-A1 has already been replaced"),
    ],
)
def test_refusal_says_why(code: str, play: Callable[[], Story], why: str) -> None:
    story = play().then_refused(code, rule="")
    assert story.refusal is not None
    assert why in story.refusal.fields.values()
