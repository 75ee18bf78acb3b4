"""Play Twilight Imperium in tests: the fixture's galaxy with few units in it."""

import json
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from tests.face.domain import (
    TwilightScenario,
    read_scenario,
    twilight_imperium_3_TITLE as TITLE,
    waiting_loop,
)
from tests.face.testing import Story

FIXTURES = Path(__file__).parents[2] / "fixtures" / "twilight-imperium-3"
GALAXY = FIXTURES / "scenarios" / "three-players.toml"
BASE: dict[str, Any] = tomllib.loads(GALAXY.read_text(encoding="utf-8"))

SHEETS: dict[str, dict[str, Any]] = {
    "sol": {"strategy_cards": ["Initiative"], "command": 3, "fleet": 4, "strategy": 2, "reinforcements": 5},
    "letnev": {"strategy_cards": ["Trade"], "command": 3, "fleet": 4, "strategy": 1, "reinforcements": 5},
    "mentak": {"strategy_cards": ["Imperial"], "command": 3, "fleet": 4, "strategy": 1, "reinforcements": 5},
}
"""Sol acts first, then the Letnev, then the Mentak, whose race is not named: no ability before battles."""


def unit(name: str, at: str, **more: Any) -> dict[str, Any]:
    """Return a counter as a scenario writes it; `sol-ground-force-1` names its side and kind."""
    side, _, rest = name.partition("-")
    return {"id": name, "side": side, "kind": rest.rpartition("-")[0], "at": at, **more}


def some(name: str, number: int, at: str, first: int = 1, **more: Any) -> list[dict[str, Any]]:
    """Return several counters of a kind, numbered from `first`."""
    return [unit(f"{name}-{at_number}", at, **more) for at_number in range(first, first + number)]


def scenario(*units: dict[str, Any], sheets: dict[str, dict[str, Any]] | None = None, **more: Any) -> TwilightScenario:
    """Return the fixture's galaxy with these units; `sheets` changes single entries of the players' sheets."""
    players = {side: {**sheet, **(sheets or {}).get(side, {})} for side, sheet in SHEETS.items()}
    return msgspec.convert({**BASE, "victory": {}, "players": players, "units": list(units), **more}, TwilightScenario)


def galaxy(*units: dict[str, Any], **more: Any) -> Story:
    """Open a game of these units, with Sol's turn."""
    return Story(TITLE, scenario(*units, **more))


def systems(**changes: dict[str, Any]) -> dict[str, Any]:
    """Return the map of the fixture with some systems changed; write `_` for a hyphen in their names."""
    found: dict[str, Any] = dict(BASE["systems"])
    for name, more in changes.items():
        found[name.replace("_", "-")] = {**found[name.replace("_", "-")], **more}
    return found


def three_players() -> Story:
    """Open the fixture's game."""
    return Story(TITLE, read_scenario(GALAXY.read_text(encoding="utf-8"), TwilightScenario))


def fixture_orders(name: str) -> list[dict[str, Any]]:
    text = (FIXTURES / "orders" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def says(seat: str, order: str, *pips: int, **arguments: Any) -> dict[str, Any]:
    """Return an order as a line of an order file."""
    return {"as": seat, "order": order, **arguments, **({"pips": pips} if pips else {})}


# --- on the way to a step ---------------------------------------------------------------------------------------------


def activate(table: Story, system: str, seat: str = "sol") -> Story:
    """Activate a system in a tactical action; ships may move in."""
    return table.play(says(seat, "take-action", action="tactical"), says(seat, "activate", system=system))


def move(table: Story, path: tuple[str, ...], *units: str, seat: str = "sol") -> Story:
    """Move ships in, and no others."""
    return table.play(says(seat, "move-ships", units=units, path=path), says(seat, "done"))


def attack(table: Story, path: tuple[str, ...], *units: str, seat: str = "sol") -> Story:
    """Activate the end of a way and move these ships along it."""
    return move(activate(table, path[-1], seat), path, *units, seat=seat)


def pass_abilities(table: Story) -> Story:
    """Pass all abilities before the battle."""
    while (loop := waiting_loop(TITLE, table.game)) is not None and loop.id == "SB.pre.order":
        (defender,) = table.game.cursor.waiting()
        free = [name for name in ("barrage", "cards", "assault", "mentak", "sabotage") if _can_pick(table, name)]
        table.play(says(defender, "pick", member=free[0]))
        while table.game.cursor.open and table.game.cursor.open[0].step.startswith("SB.pre."):
            if waiting_loop(TITLE, table.game) is not None:
                break
            table.play(says(table.game.cursor.waiting()[0], "done"))
    return table


def _can_pick(table: Story, ability: str) -> bool:
    frame = table.game.cursor.top
    return ability in TITLE.sets["abilities"](table.game, "") and ability not in frame.finished


def nobody_retreats(table: Story) -> Story:
    """Let attacker and defender stay for the round."""
    while table.game.cursor.open[0].step == "SB.1":
        table.play(says(table.game.cursor.waiting()[0], "done"))
    return table


def to_dice(table: Story) -> Story:
    """Skip all steps before the dice: no abilities and no retreats, so that both sides roll."""
    return nobody_retreats(pass_abilities(table)).then_open("SB.2")


def here(table: Story, place: str, side: str = "") -> list[str]:
    """Return the ids of the units in play at a place."""
    return sorted(one.id for one in table.game.in_play(side) if one.at == place)


# --- landings ---------------------------------------------------------------------------------------------------------

NO_COUNTERS: dict[str, Any] = {"planets": {"quann": {"resources": 2}, "rahn": {}}}


def troops(number: int, *units: dict[str, Any], **more: Any) -> Story:
    """Move a Carrier with this number of Ground Forces, and all else at Wellon, to Quann; no PDS fires at the ships."""
    wellon = (unit("sol-carrier-1", "wellon-space"), *some("sol-ground-force", number, "wellon-space"))
    more = {"systems": systems(quann_space=NO_COUNTERS), "domains": {}, **more}
    table = galaxy(*wellon, *units, **more)
    attack(table, ("wellon-space", "quann-space"), *here(table, "wellon-space", "sol"))
    return leave(table, "TA.3")


def leave(table: Story, *steps: str) -> Story:
    """End steps whose labels begin so, for all sides for which play waits."""
    while table.game.cursor.open[0].step.startswith(steps):
        table.play(says(table.game.cursor.waiting()[0], "done"))
    return table


def land(table: Story, planet: str, number: int, how: str = "hostile") -> Story:
    """Land this number of Ground Forces there, and no unit anywhere else."""
    names = [f"sol-ground-force-{at}" for at in range(1, number + 1)]
    while table.game.cursor.open[0].step != f"TA.5.{how}":
        table.play(says("sol", "done"))
    return leave(table.play(says("sol", f"land-{how}", planet=planet, units=names)), "TA.5")


def invade(number: int, *defenders: dict[str, Any], **more: Any) -> Story:
    """Land this number of Ground Forces on Quann, and pick Quann for the fight."""
    table = land(troops(number, *defenders, **more), "quann", number)
    return leave(table, "TA.landpds", "TA.raze", "TA.6.suns").play(says("sol", "pick", member="quann"))


def owned_by_mentak(**more: Any) -> dict[str, Any]:
    return systems(quann_space={"planets": {"quann": {"owner": "mentak", "resources": 2}, "rahn": {}}}, **more)


# --- battles ----------------------------------------------------------------------------------------------------------

WAY = ("wellon-space", "quann-space")


def battle(*units: dict[str, Any], **more: Any) -> Story:
    """Move all of Sol's ships from Wellon to Quann, where the Mentak are; the battle is about to begin."""
    table = galaxy(*units, **more)
    return attack(table, WAY, *here(table, "wellon-space", "sol"))


def cruisers(sol: int, mentak: int, **more: Any) -> Story:
    return battle(
        *some("sol-cruiser", sol, "wellon-space"),
        *some("mentak-cruiser", mentak, "quann-space"),
        **more,
    )
