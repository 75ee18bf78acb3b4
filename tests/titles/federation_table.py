"""Play Federation & Empire in tests: the border war, a siege and small wars of their own.

`War` plays every side: `to` continues to a step with the fewest orders that the rules require, `says` gives one order.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from tests.face.domain import (
    AnyEvent,
    FederationScenario,
    Game,
    StepClosed,
    StepOpened,
    StepPassed,
    active_fleets,
    announced,
    answered,
    answers_for,
    assaults_due,
    at_hex,
    bid_of,
    bids_awaited,
    compot_of,
    decoys_present,
    dice_awaited,
    empires_of,
    federation_and_empire_TITLE as TITLE,
    free_members,
    hex_in_hand,
    in_battle,
    is_base,
    is_crippled,
    is_raid_round,
    is_slow,
    may_fight,
    neighbours,
    open_steps,
    owed,
    phasing,
    pinwheels_sealed,
    raiders,
    read_scenario,
    required_actions,
    round_place,
    rounds_awaited,
    rounds_due,
    runners_to_move,
    serving,
    small_round_is_due,
    targets,
    unstated,
    waiting_loop,
    waits_in,
    way,
    won_ships,
)
from tests.face.testing import Story
from umpire_ledger.kit import names_in

FIXTURES = Path(__file__).parents[2] / "fixtures" / "federation-and-empire"
BORDER_WAR = FIXTURES / "scenarios" / "border-war.toml"
THREE_POWERS = FIXTURES / "scenarios" / "three-powers.toml"
SIEGE = FIXTURES / "scenarios" / "alliance-first.toml"
BASE: dict[str, Any] = tomllib.loads(BORDER_WAR.read_text())
Line = dict[str, Any]

ANSWERS = {
    "5-1A": "stay",
    "5-1B": "let go",
    "5-1F": "do not",
    "5-2A1": "go openly",
    "5-2A2": "offer",
    "5-2A3": "reject",
    "5-2B1": "fight",
    "5-3B/size": "full",
    "5-3F2": "none",
    "5-3F3": "accept",
    "5-4G": "too little",
    "5-7A1": "stay",
    "5-7A2": "retreat",
    "5-7A3": "stay",
    "5-7B": "do not",
    "5-8C": "failure",
    "3A-3F": "let go",
    "3A-6C": "no more",
}
"""The default answers of a side: the attacker goes home after one round."""


def says(seat: str, order: str, *pips: int, **arguments: Any) -> Line:
    """Return an order as a line of an order file."""
    return {"as": seat, "order": order, **arguments, **({"pips": list(pips)} if pips else {})}


def ship(name: str, empire: str, at: str, *traits: str, **more: Any) -> Line:
    """Return a ship as a scenario writes it: 6 attack, 6 defense, half when crippled."""
    sides = {"klingon": "coalition", "romulan": "coalition", "orion": "orion", "isc": "isc"}
    factors = {"attack": 6, "defense": 6, "crippled_attack": 3, "crippled_defense": 3, "command": 6}
    return {
        "id": name,
        "side": sides.get(empire, "alliance"),
        "empire": empire,
        "kind": name.partition("-")[2] or name,
        "at": at,
        "traits": list(traits),
        **factors,
        **more,
    }


class War:
    """A game in which every side is played by the test. `lines`: the orders given, as an order file has them."""

    def __init__(self, scenario: FederationScenario, options: Line | None = None) -> None:
        self.story = Story(TITLE, scenario, options=options)
        self.lines: list[Line] = []
        self.events: list[AnyEvent] = []
        self.plans: dict[str, list[Line]] = {}

    @property
    def game(self) -> Game:
        return self.story.game

    @property
    def open(self) -> tuple[str, ...]:
        return tuple(one.step for one in self.game.cursor.open)

    def give(self, line: Line) -> Story:
        """Give one order, which may be refused."""
        story = self.story.when(line)
        if story.refusal is None:
            self.lines.append(line)
            self.events.extend(story.events)
        return story

    def says(self, seat: str, order: str, *pips: int, **arguments: Any) -> "War":
        """Give one order, which must be accepted."""
        self.give(says(seat, order, *pips, **arguments)).then_accepted()
        return self

    def tries(self, seat: str, order: str, *pips: int, **arguments: Any) -> Story:
        """Give one order, and return its story."""
        return self.give(says(seat, order, *pips, **arguments))

    def must(self, seat: str, order: str, *about: str, rule: str) -> "War":
        """Check that a side cannot leave the step before it gives an order, about these subjects and no others."""
        self.tries(seat, "done").then_refused("orders-required", rule=rule, orders=(order,))
        steps, side = open_steps(TITLE, self.game), self.game.side_of(seat)
        due = [action for step in steps for action in required_actions(TITLE, self.game, step, side)]
        assert [one.about for one in due if order in one.orders] == [about], due
        return self

    def done(self, *sides: str, answer: str = "") -> "War":
        """End the step for these sides."""
        for side in sides:
            self.says(side, "done", **({"answer": answer} if answer else {}))
        return self

    def plan(self, step: str, *lines: Line) -> "War":
        """Plan orders to give once, when the step is open."""
        self.plans.setdefault(step, []).extend(lines)
        return self

    # --- going on -----------------------------------------------------------------------------------------------------

    def to(self, step: str, *, passed: bool = False, **answers: str) -> "War":
        """Play until the step is open (or passed), with the fewest orders required. `answers`: `s5_1A="withdraw"`."""
        said = {name.removeprefix("s").replace("_", "-").replace("--", "/"): answer for name, answer in answers.items()}
        since = len(self.events)
        for _ in range(3000):
            if step in self.open and not self.plans.get(step):
                return self
            if passed and any(isinstance(one, StepPassed) and one.step == step for one in self.events[since:]):
                return self
            assert not self.game.ended, f"the war is over before {step}"
            self.go_on(said)
        raise AssertionError(f"never came to {step}: {self.game.where}")

    def go_on(self, said: dict[str, str]) -> None:
        """Give one order: a planned one, a required one, or `done`."""
        loop = waiting_loop(TITLE, self.game)
        planned = next((step for step in self.open if self.plans.get(step)), None)
        if planned is not None:
            self.give(self.plans[planned].pop(0)).then_accepted()
        elif loop is not None:
            side = self.game.cursor.waiting()[0]
            self.says(side, "pick", member=free_members(TITLE, self.game, loop)[0])
        else:
            step = open_steps(TITLE, self.game)[0]
            waiting = waits_in(self.game, step)
            side = next((one for one in waiting if not awaits_others(self.game, step.id, one)), waiting[0])
            due = next(dues(self.game, step.id, side), None) if owed(TITLE, self.game, step, side) else None
            possible = [one.name for one in answers_for(TITLE, self.game, step, side)]
            answer = said.get(step.id, ANSWERS.get(step.id, ""))
            answer = answer if answer in possible else next(iter(possible[::-1]), "")
            if due is not None:
                self.give(due).then_accepted()
            elif step.answers and not possible:
                self.give(next(dues(self.game, step.id, side))).then_accepted()
            else:
                self.says(side, "done", step=step.id, **({"answer": answer} if step.answers else {}))

    def rolled(self) -> "War":
        """Roll for every side, for the rounds that it must roll in the open step."""
        step = open_steps(TITLE, self.game)[0]
        for side in waits_in(self.game, step):
            while owed(TITLE, self.game, step, side) and not awaits_others(self.game, step.id, side):
                self.give(next(dues(self.game, step.id, side))).then_accepted()
        return self

    def steps(self) -> list[str]:
        """Return the opened steps, in order."""
        return [event.step for event in self.events if isinstance(event, StepOpened)]

    def closed(self, step: str) -> StepClosed:
        """Return the last closing of the step."""
        return [event for event in self.events if isinstance(event, StepClosed) and event.step == step][-1]

    def refused(self, line: Line) -> Story:
        return self.give(line)


def awaits_others(game: Game, step: str, side: str) -> bool:
    """Return whether a side only has to wait for the bids or the dice of others."""
    if step == "11G":
        return bids_awaited(game, side)
    if step in ("5-3H", "5-3K", "5-6X4"):
        return bool(dice_awaited(game, side)) and not small_round_is_due(game, side) and not assaults_due(game, side)
    return bool(rounds_awaited(game, side)) and not rounds_due(game, side) if is_raid_round(game) else False


def dues(game: Game, step: str, side: str) -> Iterator[Line]:  # noqa: PLR0915 -- one case a step
    """Yield the simplest orders that a step requires of a side."""
    here, fighting = in_battle(game, side), serving(game, side)
    ships = [unit for unit in here if not is_base(unit)]
    ids = [unit.id for unit in here]
    match step:
        case "1C2":
            yield from (says(side, "state-interest", amount=0, empire=empire) for empire in unstated(game, side))
        case "1C4":
            yield from (
                says(side, "pay-interest", empire=e)
                for e in empires_of(game, side)
                if game.accounts.get(f"{e}/interest")
            )
        case "3A-2D":
            for place in (one for one in targets(game) if game.markers.get(f"fights {one}") is None):
                named = [unit.id for unit in at_hex(game, place, side)]
                yield says(side, "fight-raiders", at=place, units=named)
        case "3A-2A":
            for name in announced(game, ""):
                kind, _, at = name.partition(" ")
                yield says(side, "resist", 1, kind=kind, at=at, at_least=6)
        case "3A-2E" | "3A-3E" | "3A-3H" | "3A-4E" | "3A-4L":
            for due in rounds_due(game, side):
                fit = [unit.id for unit in may_fight(game, side) if round_place(game, unit) == due]
                yield says(side, "skirmish", 1, units=fit)
        case "3A-3B":
            for unit in raiders(game, "special"):
                yield says(side, "raid", unit=unit.id, path=list(neighbours(unit.at)[:1]))
        case "3A-4C":
            for unit in runners_to_move(game, ""):
                yield says(side, "raid", unit=unit.id, path=["1401"])
        case "3A-3D":
            for unit in (one for one in raiders(game, "special") if not one.get("raid_paid")):
                yield says(side, "pay-raid", unit=unit.id, ep=unit.number("raid_cost"))
        case "3A-3J":
            for unit in raiders(game, "special"):
                home = str(unit.get("raid_from"))
                back = way(unit.at, home) if home != unit.at else neighbours(unit.at)[-1:]
                yield says(side, "recall", unit=unit.id, path=list(back))
        case "3A-2F" | "3A-2J" | "3A-4P":
            kind = {"2": "normal", "4": "blockade"}[step[3]]
            yield from (
                says(side, "recall", unit=u.id) for u in raiders(game, kind) if step != "3A-2F" or u.get("outcome")
            )
        case "3A-3G":
            for at in names_in(game, "interception"):
                group = [unit.id for unit in at_hex(game, at, side) if not is_base(unit)][:1]
                yield says(side, "roll-intercept", 4, at_least=4, at=at, units=group)
        case "5-1D" | "5-1E":
            yield from (says(side, "name-flagship", unit=u.id) for u in here if u.at == hex_in_hand(game))
        case "5-1A/decoys":
            present = decoys_present(game, side)
            yield says(side, "announce-decoys", number=len(present), types=sorted({unit.kind for unit in present}))
        case "5-1C/decoys":
            yield says(side, "record-decoys")
        case "5-3C":
            yield says(side, "seal-escorts")
        case "5-3D":
            named = str(game.markers.get(f"flagship of {side}") or "")
            approach = answered(game, "5-2A3") == "accept" and side != phasing(game)
            able = [u.id for u in ships] if approach else ids
            yield says(side, "seal-flagship", unit=named if named in able else able[0])
        case "5-3E":
            approach = answered(game, "5-2A3") == "accept" and side != phasing(game)
            yield says(side, "seal-force", units=[u.id for u in (ships if approach else here)])
        case "5-3F1":
            yield says(side, "declare-pinwheels", number=pinwheels_sealed(game, side))
        case "5-3K":
            yield says(side, "skirmish", 1, units=[unit.id for unit in fighting])
        case "5-3X2":
            yield says(side, "seal-intensity", bir=5)
        case "5-3X4":
            yield says(side, "vary-intensity", 3)
        case "5-4A2":
            yield says(side, "seal-ew", points=0)
        case "5-4A7B":
            yield says(side, "roll-stasis", 3)
        case "5-4C3":
            yield says(side, "roll-damage", 3)
        case "5-4C4":
            charted = "damage_chart" in game.tables
            yield says(side, "score", **({} if charted else {"points": compot_of(fighting) // 4}))
        case "5-6X4":
            yield says(side, "skirmish", 1, units=[unit.id for unit in assaults_due(game, side)])
        case "5-6A" | "5-6B":
            able = sorted((u for u in fighting if not u.get("frozen")), key=is_crippled)
            yield from (says(side, "allot", unit=u.id, result=("crippled", "destroyed")[is_crippled(u)]) for u in able)
        case "5-7D" | "5-8L":
            place = hex_in_hand(game)
            units = [unit.id for unit in at_hex(game, place, side) if not is_base(unit) and unit.get("aboard") is None]
            yield says(side, "retreat", units=units, path=list(neighbours(place)[:1]))
        case "5-8D":
            yield says(side, "stand", units=[unit.id for unit in ships if not is_slow(unit)])
        case "5-8A":
            yield says(side, "seal-pursuit", units=[unit.id for unit in ships])
        case "5-8B":
            yield says(side, "roll-pursuit", 4)
        case "11G":
            won = won_ships(game, side)
            yield from (
                says(side, "lease", unit=unit, at=active_fleets(game, bid_of(game, side)[1])[0]) for unit in won
            )
            empire = {"empire": "klingon", "ep": 1} if side == "coalition" else {"ep": 0}
            yield says(side, "seal-bid", **empire)


# --- wars -------------------------------------------------------------------------------------------------------------


def border_war(**options: Any) -> War:
    """Open the fixture."""
    return War(read_scenario(BORDER_WAR.read_text(), FederationScenario), options)


def siege(**options: Any) -> War:
    """Open the fixture in which the Alliance is first, with all units in one hex."""
    return War(read_scenario(SIEGE.read_text(), FederationScenario), options)


def three_powers(**options: Any) -> War:
    """Open the fixture with three player turns and pirates on the map."""
    return War(read_scenario(THREE_POWERS.read_text(), FederationScenario), options)


ALL_OFF = dict.fromkeys(BASE["options"], False)


SHEETS = ("kinds", "costs", "yards", "missions", "interest", "turns_needed", "counters", "damage_chart")
"""The numbers of a scenario apart from its units. A small war has none of them unless a test passes them."""


def scenario(*units: Line, **more: Any) -> FederationScenario:
    """Return a war of these units under the rules of the base set; `options` turns expansions on."""
    options = {**ALL_OFF, **more.pop("options", {})}
    bare = {name: value for name, value in BASE.items() if name not in SHEETS}
    return msgspec.convert({**bare, "units": list(units), "options": options, **more}, FederationScenario)


def war(*units: Line, **more: Any) -> War:
    """Open a small war in the Coalition's turn 1."""
    return War(scenario(*units, **more))


def battle(*units: Line, **more: Any) -> War:
    """Open a war in which one battle hex, 1105, is picked and 5-1A is open."""
    table = war(*(units or (ship("K-D7", "klingon", "1105"), ship("Z-CC", "kzinti", "1105"))), **more)
    return table.to("5-1A")


def figures(text: str) -> list[str]:
    """Return the numbers in a text, in order."""
    return re.findall(r"\d+(?:\.\d+)?", text)


Check = Callable[[Game], bool]


def named_in(story: Story, field: str) -> set[str]:
    """Return the ids of units and steps in a field of a story's refusal."""
    assert story.refusal is not None
    return set(re.findall(r"[A-Z]+-\w+|\d[\w/-]*", str(story.refusal.fields[field])))


def steps_named(story: Story) -> list[str]:
    """Return the steps to which the refused order of a story belongs."""
    assert story.refusal is not None
    return re.findall(r"\d[\w/-]*", str(story.refusal.fields["places"]))
