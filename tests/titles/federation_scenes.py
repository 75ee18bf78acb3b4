"""Small scenes for steps of Federation & Empire that no recorded game visits: a table, and the orders given there."""

from collections.abc import Callable
from typing import Any

from tests.titles.federation_table import Line, War, battle, says, ship, war
from tests.titles.test_federation_accepted import Test55ASacrifice
from tests.titles.test_federation_after_damage import TROOPS, Test56X2Fates, scored
from tests.titles.test_federation_damage import Test54A7FDecoys
from tests.titles.test_federation_phases_9_to_11 import POOLED, pirates
from tests.titles.test_federation_pursuit import Test58EReveal, pursued
from tests.titles.test_federation_raids import raid_on_0902, raids
from tests.titles.test_federation_raids_special import caught_on_the_way_out
from tests.titles.test_federation_retrograde import Test8B

Scene = Callable[[], tuple[War, tuple[Line, ...]]]
A, C, ORION = "alliance", "coalition", "orion"
HOME, AWAY = ship("K-D7", "klingon", "1206"), ship("Z-CC", "kzinti", "0902")
SECOND, FAR = ship("K-D6", "klingon", "1306"), ship("Z-FF", "kzinti", "1003")
D7, D6, D5 = (ship(name, "klingon", "1105") for name in ("K-D7", "K-D6", "K-D5"))
CC, FF = (ship(name, "kzinti", "1105") for name in ("Z-CC", "Z-FF"))
NEAR, OUT = ship("K-E4", "klingon", "1306"), ship("Z-DD", "kzinti", "0902")
BATS = ship("Z-BATS", "kzinti", "1105", base=True, attack=12, defense=12, crippled_attack=6, crippled_defense=6)
WEB: dict[str, Any] = {"options": {"web": True, "isc": True}, "markers": {"webs": ["1105"]}}


def at(step: str, line: Line, *units: Line, **more: Any) -> Scene:
    """Return a scene with one order in a step, among two units of each side."""
    return lambda: (war(HOME, SECOND, AWAY, FAR, *units, **more).to(step), (line,))


def told(table: Callable[[], War], *lines: Line) -> Scene:
    return lambda: (table(), lines)


def landed() -> War:
    """Open 5-4A5 with troops of K-D6 and K-D7 at the base; K-TEAM is aboard K-D7."""
    team = ship("K-TEAM", "klingon", "1105", "team", aboard="K-D7")
    table = battle(D7, D6, D5, team, BATS, CC, NEAR, options=TROOPS).to("5-3E")
    table.says(C, "seal-force", units=["K-D5", "K-D6", "K-D7"], gce=["K-D6", "K-D7"])
    return table.to("5-4A5")


def towed() -> War:
    """Let K-D7 tow K-LAME out of the web."""
    lame = ship("K-LAME", "klingon", "1105", crippled=True)
    table = battle(D7, D6, lame, CC, NEAR, **WEB).to("5-3E")
    table.says(C, "seal-force", units=["K-D6", "K-D7", "K-LAME"], in_web=["K-LAME"]).to("5-3G")
    return table.says(C, "tow", ship="K-D7", cripple="K-LAME").to("5-6F")


def against_the_isc() -> War:
    isc = ship("K-ISC", "klingon", "1105", "isc")
    return battle(D7, isc, ship("T-D", "tholian", "1105", "web"), CC, OUT, **WEB).to("5-3X5")


def team_lost() -> War:
    """Destroy the ship of Z-TEAM."""
    team = ship("Z-TEAM", "kzinti", "1105", "team", aboard="Z-FF")
    table = scored(9, CC, FF, team, OUT, options={"prime_teams": True})
    return table.says(A, "allot", unit="Z-FF", result="destroyed").to("5-6C")


def grouped() -> War:
    """Form two groups: K-CVS with K-F5E, and Z-CC with Z-FF."""
    units = (ship("K-CVS", "klingon", "1105"), ship("K-F5E", "klingon", "1105"), CC, FF)
    table = battle(*units).to("5-3C").says(C, "seal-escorts", groups=["K-CVS: K-F5E"])
    return table.says(A, "seal-escorts", groups=["Z-CC: Z-FF"]).to("6C")


def slow_force() -> War:
    """Open a force against Slow Units whose escort has stayed with them."""
    return Test58EReveal().grouped("K-D7")


def rescuer() -> War:
    """Set up K-TG as a rescue tug of a pursuit."""
    table = pursued(D7, D6, ship("K-TG", "klingon", "1105", "tug"), CC, NEAR).to("5-8C").done(A, answer="success")
    return table.says(C, "stand", units=["K-D7"], tugs=["K-TG"]).to("5-8F")


def station() -> War:
    """Place a new station in the hex of Z-FF."""
    table = raids(SECOND).to("3A-6A").says(C, "emplace", unit="K-PS", at="1003", empire="klingon")
    return table.to("3A-6B")


def crippled_raider() -> War:
    old = ship("K-OLD", "klingon", "1306", crippled=True)
    table = raids(old, depot_repair=True).to("3A-2B")
    table.says(C, "raid", unit="K-R1", path=["0902"]).to("3A-2E")
    return table.rolled().says(C, "suffer", unit="K-R1", outcome="crippled").to("3A-5A")


PODS = {"pods": ["SP", "BP"]}
HURT = [ship(f"K-T{n}", "klingon", "1206", "tug", crippled=True, **PODS) for n in (1, 2)]
SCENES: dict[str, Scene] = {
    "1E": at(
        "1E",
        says(C, "lose-leader", leader="K-ADM", fate="retired"),
        ship("K-ADM", "klingon", "1206", "leader", aboard="K-D7"),
        ship("Z-ADM", "kzinti", "0902", "leader", aboard="Z-CC"),
        options={"admirals": True},
    ),
    "2B11": at("2B11", says(C, "scuttle", unit="K-D7")),
    "3A-4N": told(
        lambda: caught_on_the_way_out().rolled(),
        says(A, "suffer", unit="Z-FF", outcome="retreats"),
        says(A, "done"),
        says(C, "done"),
        says(A, "move-units", units=["Z-FF"], path=["1002"]),
    ),
    "3A-4Q": at("3A-4Q", says(C, "sell-ship", unit="K-D7", ep=3), options={"raids": True, "wyn": True}),
    "3A-5A": told(crippled_raider, says(C, "depot", unit="K-R1", act="add")),
    "3A-5B": told(lambda: raid_on_0902().to("3A-5B"), says(C, "pool", unit="K-R2", to="1206")),
    "3A-6B": told(station, says(A, "move-units", units=["Z-FF"], path=["1002"])),
    "3B4": at("3B4", says(C, "sell-ship", unit="K-D7", ep=3), options={"wyn": True}),
    "5-3X5": told(against_the_isc, says(A, "cast-web", caster="T-D", by=2)),
    "5-4A5": told(
        landed,
        says(C, "announce", units=["K-D6"], purpose="assault"),
        says(C, "done"),
    ),
    "5-4A7F": told(
        lambda: Test54A7FDecoys().freeze(), says(C, "reveal-decoy", 5, decoy="R-DC", purpose="diverts", at_least=4)
    ),
    "5-5A": told(lambda: Test55ASacrifice().fought(), says(C, "sacrifice", unit="K-JAG")),
    "5-6C": told(team_lost, says(A, "roll-fate", 5, unit="Z-TEAM", at_least=4)),
    "5-6F": told(towed, says(C, "pull-out", ship="K-D7")),
    "5-6X2": told(
        lambda: Test56X2Fates().lost(),
        says(A, "roll-fate", 5, unit="Z-ADM", at_least=3),
        says(A, "transfer-leader", leader="Z-ADM", ship="Z-CC"),
    ),
    "5-6X3": told(
        lambda: landed().says(C, "announce", units=["K-D6"], purpose="assault").to("5-6X3"),
        says(C, "announce", units=["K-D6"], purpose="assault"),
        says(C, "done"),
        says(C, "skirmish", 4, units=["K-D6"]),
        says(C, "done"),
        says(A, "done"),
        says(C, "return-gce", units=["K-D6"]),
        says(C, "transfer-leader", leader="K-TEAM", ship="K-D6"),
        says(C, "done"),
        says(C, "transfer-gce", unit="K-D6", to="K-D5"),
    ),
    "5-6X8": told(
        lambda: battle(D7, {**BATS, "crippled": True}, CC, OUT).to("5-6X8"), says(A, "repair", unit="Z-BATS", ep=2)
    ),
    "5-6X9": told(lambda: battle(D7, CC, FF, OUT).to("5-6X9"), says(A, "scuttle", unit="Z-FF")),
    "5-8E": told(slow_force, says(A, "add-slow", units=["Z-DD"])),
    "5-8F": told(rescuer, says(C, "rescue", 4, tug="K-TG", unit="K-D7")),
    "6C": told(grouped, says(C, "dissolve", group="K-CVS")),
    "6F": at("6F", says(C, "send-pods", unit="K-T1"), *HURT),
    "8B": told(lambda: Test8B().fleets(), says(C, "exchange-pods", unit="K-T1", other="K-T2", pods=["SP", "SP"])),
    "10A": at(
        "10A",
        says(C, "colony", at="1410", empire="klingon"),
        options={"colonies": True},
        markers={"colony 1410": "paid by klingon"},
    ),
    "11C2": told(
        lambda: pirates(POOLED).to("11C2"), says(ORION, "build", unit="O-N", kind="CR", at="orion-pool", ep=2)
    ),
}
"""By a label of theirs: the table at its step, and orders that are accepted there."""
