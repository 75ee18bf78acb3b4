"""Define a scenario: players at the table, the map, unit values, and secrets at the start."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.domain.titles.twilight_imperium_3.units import NAME
from umpire_ledger.kit import (
    CLOSED_TO_REFEREE,
    REFEREE,
    AccountChanged,
    AnyEvent,
    ChoiceMade,
    ChoiceSealed,
    Id,
    MarkerSet,
    Piece,
    RestrictedEvent,
    Scenario,
    ScenarioError,
    ScenarioFault,
    Side,
    faults_in,
    replace,
    scenario_fault,
    set_up_pieces,
)

Small = Annotated[int, msgspec.Meta(ge=0, le=100)]
Combat = Annotated[int, msgspec.Meta(ge=0, le=10)]
Timing = Literal["action", "before-battle", "other"]
"""When a card is played: as an action, immediately before a space battle, or at a moment that the card itself names."""
Bombards = Literal["", "unless-pds", "always"]


class Plain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a scenario; a misspelt key is refused."""


class Kind(Plain, frozen=True, kw_only=True):
    """The abilities of a kind of unit. `combat`: it hits on this result or more; 0 for never. `dice`: its multiplier.

    `per`: the number of units for one `cost`. `limit`: the pieces in the box for each player; 0 for no limit. `range`:
    the range of a PDS beyond its own system, in systems.
    """

    what: Literal["ship", "fighter", "ground", "mercenary", "leader", "pds", "dock"]
    combat: Combat = 0
    dice: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1
    move: Small = 0
    capacity: Small = 0
    range: Small = 0
    sustain: bool = False
    barrage: bool = False
    bombards: Bombards = ""
    cost: Small = 0
    per: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1
    limit: Small = 0


class Counter(Piece, frozen=True, kw_only=True, omit_defaults=True):
    """A unit on the board, with the values that differ from its kind's."""

    name: str = ""
    combat: Combat | None = None
    dice: Small | None = None
    move: Small | None = None
    capacity: Small | None = None
    range: Small | None = None
    sustain: bool | None = None
    barrage: bool | None = None
    bombards: Bombards | None = None
    damaged: bool | None = None


class Planet(Plain, frozen=True, kw_only=True):
    """A planet. `domain`: it has a face-down domain counter."""

    owner: str = ""
    resources: Small = 0
    influence: Small = 0
    exhausted: bool = False
    domain: bool = False


class System(Plain, frozen=True, kw_only=True):
    """A system. Adjacent systems are named on at least one side; wormholes make systems adjacent too.

    `mines`: tokens by side.
    """

    adjacent: tuple[Id, ...] = ()
    planets: dict[Id, Planet] = msgspec.field(default_factory=dict)
    mines: dict[str, Small] = msgspec.field(default_factory=dict)
    activated: tuple[str, ...] = ()


class Player(Plain, frozen=True, kw_only=True):
    """A player's sheet: the Strategy cards held, and command counters by area.

    Two technologies have an effect here, `assault-cannons` and `transfabrication`, and one race, `Mentak`.
    """

    race: str = ""
    strategy_cards: tuple[str, ...] = ()
    tech: tuple[str, ...] = ()
    command: Small = 0
    fleet: Small = 0
    strategy: Small = 0
    reinforcements: Small = 0
    trade_goods: Small = 0


class Ending(Plain, frozen=True, kw_only=True):
    """The values of `victory`. `rounds`: the last game round; 0 if the referee ends the game."""

    rounds: Small = 0


class TwilightScenario(Scenario, frozen=True, kw_only=True):
    """A galaxy. `cards`: initiative number by Strategy card. `domains` and `hands` are not published.

    `timings`: the moment of each action card in the game, by name; a card without one can be played at any moment.
    """

    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=2, max_length=8)]
    kinds: Annotated[dict[Id, Kind], msgspec.Meta(min_length=1)]
    systems: Annotated[dict[Id, System], msgspec.Meta(min_length=1)]
    players: dict[str, Player]
    cards: dict[str, Small] = msgspec.field(default_factory=dict)
    timings: dict[str, Timing] = msgspec.field(default_factory=dict)
    units: tuple[Counter, ...] = ()
    domains: dict[str, str] = msgspec.field(default_factory=dict)
    hands: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)

    def pieces(self) -> tuple[Piece, ...]:
        return self.units

    def sheets(self) -> dict[str, Any]:
        plain = {name: msgspec.to_builtins(kind) for name, kind in self.kinds.items()}
        return {
            "kinds": plain,
            "systems": _neighbours_both_ways(self.systems),
            "cards": dict(self.cards),
            "timings": dict(self.timings),
        }

    def published(self) -> "TwilightScenario":
        return replace(self, domains={}, hands={})

    def faults(self) -> Iterator[ScenarioFault]:
        yield from faults_in(self.victory, Ending, "$.victory")
        yield from _faults_of_map(self)
        yield from _faults_of_players(self)
        yield from _faults_of_units(self)


def _neighbours_both_ways(systems: dict[str, System]) -> dict[str, Any]:
    """Return the map as plain JSON, with each connection on both of its systems."""
    return {
        name: {
            "planets": {
                planet: {"resources": one.resources, "influence": one.influence}
                for planet, one in system.planets.items()
            },
            "adjacent": [other for other in systems if other in system.adjacent or name in systems[other].adjacent],
        }
        for name, system in systems.items()
    }


def _faults_of_map(scenario: TwilightScenario) -> Iterator[ScenarioFault]:
    sides = {side.id for side in scenario.sides}
    places = set(scenario.systems)
    for name, system in scenario.systems.items():
        path = f"$.systems.{name}"
        for other in system.adjacent:
            if other not in scenario.systems or other == name:
                yield scenario_fault(f"{name} cannot be next to {other}", f"{path}.adjacent", code="not-adjacent")
        for planet, one in system.planets.items():
            if planet in places:
                yield scenario_fault(
                    f"two places have the name {planet}", f"{path}.planets.{planet}", code="name-used-twice"
                )
            if one.owner and one.owner not in sides:
                yield scenario_fault(
                    f"there is no side {one.owner}", f"{path}.planets.{planet}.owner", code="unknown-side"
                )
            places.add(planet)
        for side in (*system.mines, *system.activated):
            if side not in sides:
                yield scenario_fault(f"there is no side {side}", path, code="unknown-side")
    lying = {name for system in scenario.systems.values() for name, one in system.planets.items() if one.domain}
    for planet in sorted(scenario.domains.keys() - lying):
        yield scenario_fault(f"{planet} has no domain counter", f"$.domains.{planet}", code="counter-missing")


def _faults_of_players(scenario: TwilightScenario) -> Iterator[ScenarioFault]:
    sides = {side.id for side in scenario.sides}
    for name in sorted(sides - scenario.players.keys()):
        yield scenario_fault(f"{name} has no player sheet", f"$.players.{name}", code="player-missing")
    for name in sorted((scenario.players.keys() | scenario.hands.keys()) - sides):
        yield scenario_fault(f"there is no side {name}", f"$.players.{name}", code="unknown-side")
    held: set[str] = set()
    for name, player in scenario.players.items():
        for card in player.strategy_cards:
            if card not in scenario.cards or card in held:
                what = "has two owners" if card in held else "has no number in `cards`"
                yield scenario_fault(
                    f"the Strategy card {card} {what}", f"$.players.{name}.strategy_cards", code="wrong-strategy-card"
                )
            held.add(card)


def _faults_of_units(scenario: TwilightScenario) -> Iterator[ScenarioFault]:
    """Yield faults of units: an unknown kind or place, a ship on a planet, fleets of two players in one system."""
    planets = {planet for system in scenario.systems.values() for planet in system.planets}
    fleets: dict[str, str] = {}
    for at, unit in enumerate(scenario.units):
        path = f"$.units[{at}]"
        kind = scenario.kinds.get(unit.kind)
        if kind is None:
            known = f"name one of: {', '.join(scenario.kinds)}"
            yield scenario_fault(f"there is no kind {unit.kind}", f"{path}.kind", known, code="unknown-kind")
        if unit.at not in planets and unit.at not in scenario.systems:
            yield scenario_fault(f"there is no place {unit.at}", f"{path}.at", code="unknown-place")
        if kind is not None and kind.what in ("ship", "fighter"):
            if unit.at in planets:
                yield scenario_fault(f"{unit.id} is a ship and must be in space", f"{path}.at", code="ship-on-planet")
            if fleets.setdefault(unit.at, unit.side) != unit.side:
                yield scenario_fault(f"ships of two players are in {unit.at}", f"{path}.at", code="two-fleets")


# --- set-up -----------------------------------------------------------------------------------------------------------


def set_up(scenario: Scenario) -> list[AnyEvent | RestrictedEvent]:
    """Return the events that set up units, counters and cards.

    A hand is visible to its owner and the referee, a face-down domain counter to the referee only. If secrets are
    closed to the referee, the referee sees neither.

    Raises:
        ScenarioError: The option `fleet_limit` has an unknown value.
    """
    assert isinstance(scenario, TwilightScenario)
    if scenario.options.get("fleet_limit", "moved") not in ("moved", "system"):
        raise ScenarioError(
            f"option fleet_limit is {scenario.options['fleet_limit']!r}",
            where="$.options.fleet_limit",
            rule=f"{NAME} TA.2",
            remedy='write "moved" (ships that move in, as printed) or "system" (ships there, as in the full game)',
            fields={"reason": "wrong-option", "key": "fleet_limit"},
        )
    ending = msgspec.convert(scenario.victory, Ending)
    return [
        *set_up_pieces(scenario),
        *(event for side in scenario.sides for event in _sheet(scenario, side.id)),
        *(event for name, system in scenario.systems.items() for event in _laid(name, system)),
        *(_marker("last-round", ending.rounds) for _ in range(1) if ending.rounds),
        *(told for side in scenario.sides for told in _hand(scenario, side.id)),
        *_counters(scenario),
    ]


def _marker(marker: str, value: str | int | tuple[str, ...]) -> AnyEvent:
    return MarkerSet(marker=marker, before=None, after=value, cause="set-up")


def _account(account: str, amount: int) -> AnyEvent:
    return AccountChanged(account=account, amount=amount, before=0, after=amount, cause="set-up")


def _sheet(scenario: TwilightScenario, side: str) -> list[AnyEvent]:
    player = scenario.players[side]
    accounts = {
        "command": player.command,
        "fleet": player.fleet,
        "strategy": player.strategy,
        "reinforcements": player.reinforcements,
        "trade-goods": player.trade_goods,
        "action-cards": len(scenario.hands.get(side, ())),
    }
    return [
        *(_account(f"{name}/{side}", amount) for name, amount in accounts.items()),
        *(_marker(f"race/{side}", player.race) for _ in range(1) if player.race),
        *(_marker(f"strategy-cards/{side}", player.strategy_cards) for _ in range(1) if player.strategy_cards),
        *(_marker(f"tech/{side}", player.tech) for _ in range(1) if player.tech),
    ]


def _laid(name: str, system: System) -> list[AnyEvent]:
    events: list[AnyEvent] = [_account(f"mines/{name}/{side}", tokens) for side, tokens in system.mines.items()]
    if system.activated:
        events.append(_marker(f"activated/{name}", system.activated))
    for planet, one in system.planets.items():
        if one.owner:
            events += [_marker(f"control/{planet}", one.owner), _marker(f"since/{planet}", 0)]
        if one.exhausted:
            events.append(_marker(f"exhausted/{planet}", True))
        if one.domain:
            events.append(_marker(f"domain/{planet}", "face down"))
    return events


def _hand(scenario: TwilightScenario, side: str) -> list[AnyEvent | RestrictedEvent]:
    """Seal a hand: its existence is public, its cards are its owner's.

    The referee sees them too, unless secrets are closed to the referee.
    """
    eyes = (side,) if scenario.options.get(CLOSED_TO_REFEREE) else (side, REFEREE)
    hand = ChoiceMade(question="hand", side=side, choice=scenario.hands.get(side, ()), sealed=True)
    return [ChoiceSealed(question="hand", side=side), RestrictedEvent(hand, eyes)]


def _counters(scenario: TwilightScenario) -> list[RestrictedEvent]:
    """Return the face-down counters of the scenario; the referee sees them unless secrets are closed to the referee."""
    eyes = () if scenario.options.get(CLOSED_TO_REFEREE) else (REFEREE,)
    return [
        RestrictedEvent(ChoiceMade(question=f"domain/{planet}", side=REFEREE, choice=counter, sealed=True), eyes)
        for planet, counter in scenario.domains.items()
    ]
