"""Suggest orders, for lists of possible actions and for random play; `decide` may still refuse them."""

from collections.abc import Iterator
from itertools import islice

from umpire_ledger.domain.titles.twilight_imperium_3 import (
    abilities,
    activation,
    battle,
    cards,
    casualties,
    domain_counters,
    generic_order_rules,
    invasion,
    landing,
    mines,
    movement,
    pds,
    production,
    strategy,
    turn,
)
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import (
    active_planets,
    adjacent,
    at_place,
    enemy_ships_in,
    is_activated_by,
    planets_in,
    ships_in,
    system_of,
    systems,
    units_in,
)
from umpire_ledger.domain.titles.twilight_imperium_3.units import active_systems, kinds, label, value, what_of
from umpire_ledger.kit import Change, Game, Mark, Move, Order, Pay, Place, Remove, Roll, Unit, names_in, word_in

# --- the turn ---------------------------------------------------------------------------------------------------------


def take_action(game: Game, side: str) -> Iterator[Order]:
    for card in turn.unused_cards(game, side):
        yield turn.TakeAction(seat=side, action="strategic", card=card)
    for _ in range(3):  # most turns are tactical actions
        yield turn.TakeAction(seat=side, action="tactical")
    yield turn.TakeAction(seat=side, action="transfer")
    yield turn.TakeAction(seat=side, action="card")
    yield turn.TakeAction(seat=side, action="pass")


def choose_strategy(game: Game, side: str) -> Iterator[Order]:
    taken = {card for other in game.side_ids for card in names_in(game, f"now/chosen/{other}")}
    free = [card for card in game.tables.get("cards", {}) if card not in taken]
    for card in free[:2]:
        yield turn.ChooseStrategy(seat=side, cards=(card,))


def join_secondary(_: Game, side: str) -> Iterator[Order]:
    yield strategy.JoinSecondary(seat=side)


def play_card(game: Game, side: str) -> Iterator[Order]:
    for card in dict.fromkeys(cards.hand(game, side)):
        yield cards.PlayCard(seat=side, card=card)


def draw_card(game: Game, side: str) -> Iterator[Order]:
    if len(cards.hand(game, side)) < 4:
        yield cards.DrawCard(seat=side, card=f"card {game.acts}")


# --- activation and movement ------------------------------------------------------------------------------------------


def activate(game: Game, side: str) -> Iterator[Order]:
    """Suggest activating systems into which ships could move, or any system if there are none."""
    free = [system for system in systems(game) if not is_activated_by(game, system, side)]
    near = [system for system in free if any(_ready(game, side, origin) for origin in adjacent(game, system))]
    for system in near or free:
        yield activation.Activate(seat=side, system=system)


def _ready(game: Game, side: str, system: str) -> bool:
    return not is_activated_by(game, system, side) and bool(ships_in(game, system, side))


def transfer(game: Game, side: str) -> Iterator[Order]:
    for first, second in activation.pairs(game, side):
        yield activation.Transfer(seat=side, first=first, second=second)


def move_ships(game: Game, side: str) -> Iterator[Order]:
    """Suggest moving each ship that reaches an activated system, with passengers, and all of them together."""
    for goal in active_systems(game):
        for origin, way in _ways_to(game, side, goal).items():
            ships = [ship for ship in at_place(game, origin, side) if movement.moves_itself(game, ship)]
            fast = [ship for ship in ships if value(game, ship, "move") >= len(way) - 1]
            for group in [*([ship] for ship in fast), *([fast] if len(fast) > 1 else [])]:
                room = sum(value(game, ship, "capacity") for ship in group)
                units = (*(ship.id for ship in group), *_passengers(game, origin, side, room))
                yield movement.MoveShips(seat=side, units=units, path=way)


def _ways_to(game: Game, side: str, goal: str) -> dict[str, tuple[str, ...]]:
    """Return the shortest paths into a system by origin, up to three moves long and without passing enemy ships."""
    ways: dict[str, tuple[str, ...]] = {goal: (goal,)}
    edge = [goal]
    for _ in range(3):
        reached = []
        for there in edge:
            for here in adjacent(game, there):
                if here not in ways:
                    ways[here] = (here, *ways[there])
                    reached.append(here)
        edge = [system for system in reached if not enemy_ships_in(game, system, side)]
    return {origin: way for origin, way in ways.items() if len(way) > 1}


def _passengers(game: Game, system: str, side: str, room: int) -> tuple[str, ...]:
    """Return as many waiting units of a system as there is room for, one of each class before the rest."""
    waiting = [
        unit
        for unit in units_in(game, system, side)
        if not movement.moves_itself(game, unit) and what_of(game, unit) not in ("dock", "")
    ]
    first: dict[str, Unit] = {}
    for unit in waiting:
        first.setdefault(what_of(game, unit), unit)
    rest = [unit for unit in waiting if unit not in first.values()]
    return tuple(unit.id for unit in [*first.values(), *rest][:room])


# --- what happens in the system ---------------------------------------------------------------------------------------


def probe(game: Game, side: str) -> Iterator[Order]:
    for planet in active_planets(game):
        if domain_counters.lies_face_down(game, planet):
            yield domain_counters.Probe(seat=side, planets=(planet,))
            yield domain_counters.Probe(seat=side, planets=(planet,), seen={planet: "natural wealth"})


def raze(game: Game, side: str) -> Iterator[Order]:
    for ship in domain_counters.heavy_ships(game):
        for planet in domain_counters.razable(game):
            yield domain_counters.Raze(seat=side, ship=ship.id, planet=planet)


def resolve_domain(game: Game, side: str) -> Iterator[Order]:
    yield domain_counters.ResolveDomain(seat=side)
    yield domain_counters.ResolveDomain(seat=side, counter="natural wealth")


def fire_pds(game: Game, side: str) -> Iterator[Order]:
    yield pds.FirePds(seat=side)
    for system in pds.aims(game, side):
        yield pds.FirePds(seat=side, at=system)


def roll_mine(game: Game, side: str) -> Iterator[Order]:
    for ship in mines.in_danger(game):
        yield mines.RollMine(seat=side, ship=ship.id)


def assign_hits(game: Game, side: str) -> Iterator[Order]:
    """Suggest assigning the hits to the first units that can take them, and to the last."""
    owed = casualties.owed(game, side)
    for backwards in (False, True):
        to: list[str] = []
        for place, hits in owed.items():
            units = casualties.targets(game, place, side)
            order = reversed(units) if backwards else units
            lives = (unit.id for unit in order for _ in range(casualties.hits_left(game, unit)))
            to += islice(lives, hits)
        if to:
            yield casualties.AssignHits(seat=side, to=tuple(to))


def barrage(_: Game, side: str) -> Iterator[Order]:
    yield abilities.Barrage(seat=side)


def announce(_: Game, side: str) -> Iterator[Order]:
    yield battle.Announce(seat=side)


def roll_combat(_: Game, side: str) -> Iterator[Order]:
    yield battle.RollCombat(seat=side)


def retreat(game: Game, side: str) -> Iterator[Order]:
    """Suggest retreats to every refuge; the ships of least capacity are lost while the fleet supply is exceeded."""
    for to in battle.refuges(game, side):
        every = (*at_place(game, battle.field(game), side), *at_place(game, to, side))
        kept = [one for one in every if what_of(game, one) in ("ship", "fighter")]
        kept.sort(key=lambda one: value(game, one, "capacity"), reverse=True)
        lost: list[str] = []
        while kept and movement.counted(game, kept) > movement.fleet_limit(game, side):
            lost.append(kept.pop().id)
        yield battle.Retreat(seat=side, to=to, lose=tuple(lost))


# --- landings ---------------------------------------------------------------------------------------------------------


def land_friendly(game: Game, side: str) -> Iterator[Order]:
    for planet, units in _landings(game, "friendly"):
        yield landing.LandFriendly(seat=side, planet=planet, units=units)


def land_neutral(game: Game, side: str) -> Iterator[Order]:
    for planet, units in _landings(game, "neutral"):
        yield landing.LandNeutral(seat=side, planet=planet, units=units)


def land_hostile(game: Game, side: str) -> Iterator[Order]:
    for planet, units in _landings(game, "hostile"):
        yield landing.LandHostile(seat=side, planet=planet, units=units)


def _landings(game: Game, kind: landing.Landing) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each planet for such a landing with all the troops in its system, and with one of them."""
    for planet in active_planets(game):
        troops = tuple(unit.id for unit in landing.aboard(game, system_of(game, planet)))
        if troops and landing.kind_of_landing(game, planet) == kind:
            yield planet, troops
            yield planet, troops[:1]


def land_pds(game: Game, side: str) -> Iterator[Order]:
    for planet in landing.invaded(game, side):
        for unit in landing.pds_aboard(game):
            yield landing.LandPds(seat=side, planet=planet, units=(unit.id,))


def bombard(game: Game, side: str) -> Iterator[Order]:
    for ship in domain_counters.heavy_ships(game):
        for planet in active_planets(game):
            yield invasion.Bombard(seat=side, ship=ship.id, planet=planet)


# --- production -------------------------------------------------------------------------------------------------------


def produce(game: Game, side: str) -> Iterator[Order]:
    """Suggest producing one unit of each kind, paid with the first ready planet card or with all of them."""
    ready = production.ready_planets(game, side)
    for dock in production.docks(game):
        for kind, known in kinds(game).items():
            if known["what"] in ("ship", "fighter", "ground", "pds"):
                for paid_with in (ready[:1], ready):
                    yield production.Produce(seat=side, dock=dock.id, units={kind: 1}, exhaust=paid_with)


def build_dock(game: Game, side: str) -> Iterator[Order]:
    ready = production.ready_planets(game, side)
    kind = next((name for name, known in kinds(game).items() if known["what"] == "dock"), "space-dock")
    goods = game.accounts.get(f"trade-goods/{side}", 0)
    for planet in active_planets(game):
        for exhaust in dict.fromkeys((ready, ready[:1], ready[:2])):
            for trade_goods in dict.fromkeys((0, min(2, goods), goods)):
                yield production.BuildDock(
                    seat=side, planet=planet, kind=kind, exhaust=exhaust, trade_goods=trade_goods
                )


def scuttle(game: Game, side: str) -> Iterator[Order]:
    for unit in [unit for unit in game.in_play(side) if what_of(game, unit) == "fighter"][:2]:
        yield production.Scuttle(seat=side, units=(unit.id,))


# --- what the group records -------------------------------------------------------------------------------------------


def roll(_: Game, side: str) -> Iterator[Order]:
    yield Roll(seat=side, dice="1d10", purpose="what the card says")


def move(game: Game, side: str) -> Iterator[Order]:
    """Suggest moving a ground unit to a planet of its side in the same system."""
    for unit in game.in_play(side):
        if what_of(game, unit) == "ground":
            for planet in planets_in(game, system_of(game, unit.at)):
                if word_in(game, f"control/{planet}") == side:
                    yield Move(seat=side, unit=unit.id, path=(planet,))


def place(game: Game, side: str) -> Iterator[Order]:
    for kind, known in kinds(game).items():
        for unit in game.in_play(side):
            if what_of(game, unit) == "dock" and known["what"] in ("ground", "pds"):
                new = f"{side}-{kind}-by-card-{game.acts}"
                yield Place(seat=side, unit=new, side=side, kind=kind, at=unit.at)


def change(game: Game, side: str) -> Iterator[Order]:
    for unit in game.in_play(side):
        if unit.get("damaged"):
            yield Change(seat=side, unit=unit.id, attribute="damaged", to=None, cause="repaired")


def remove(game: Game, side: str) -> Iterator[Order]:
    """Suggest removing Fighters of the current battle, or anywhere if the side has no unit there."""
    units = at_place(game, battle.field(game), side) or game.in_play(side)
    for unit in units:
        if what_of(game, unit) == "fighter":
            yield Remove(seat=side, unit=unit.id, cause="what the card says")


def pay(game: Game, side: str) -> Iterator[Order]:
    if label(game) in generic_order_rules.SPENT:
        if game.accounts.get(f"trade-goods/{side}", 0):
            yield Pay(seat=side, account=f"trade-goods/{side}", amount=-1, cause="spent in addition to the price")
        for system in active_systems(game):
            yield Pay(seat=side, account=f"mines/{system}/{side}", amount=1, cause="mines laid")
        return
    for area in ("command", "fleet", "strategy", "trade-goods"):
        if game.accounts.get(f"{area}/{side}", 0) < 9:
            yield Pay(seat=side, account=f"{area}/{side}", amount=1, cause="what the card says")


def mark(game: Game, side: str) -> Iterator[Order]:
    if label(game) in generic_order_rules.SPENT:
        for planet in production.ready_planets(game, side):
            yield Mark(seat=side, marker=f"exhausted/{planet}", to=True, cause="spent in addition to the price")
        return
    for marker in sorted(game.markers):
        if marker.startswith("exhausted/") and word_in(game, f"control/{marker.partition('/')[2]}") == side:
            yield Mark(seat=side, marker=marker, to=None, cause="refreshed")


# --- words of the table -----------------------------------------------------------------------------------------------

TECHNOLOGIES = (
    *("antimass-deflectors", "assault-cannons", "automated-defense-turrets", "cybernetics", "dacxive-animators"),
    *("deep-space-cannon", "enviro-compensator", "fleet-logistics", "gen-synthesis", "graviton-laser-system"),
    *("hylar-v", "hyper-metabolism", "integrated-economy", "light-wave-deflector", "magen-defense-grid"),
    *("maneuvering-jets", "micro-technology", "nano-technology", "neural-motivator", "sarween-tools"),
    *("stasis-capsules", "transfabrication", "type-iv-drive", "war-sun", "x-89-bacterial-weapon", "xrd-transporters"),
)
ACTION_CARDS = (
    *("Direct Hit", "Emergency Repairs", "Fire Team", "Flank Speed", "Local Unrest", "Sabotage", "Skilled Retreat"),
)
QUESTIONS = ("Diplomacy: the protected system", "Political: the agenda", "Technology: the technology")


def strategy_cards(game: Game) -> tuple[str, ...]:
    """Return the Strategy cards of the game."""
    return tuple(game.tables.get("cards", {}))


def markers(game: Game) -> tuple[str, ...]:
    """Return the markers of the game, with the technologies of each side."""
    return tuple(sorted({*game.markers, *(f"tech/{side}" for side in game.side_ids)}))


def planets(game: Game) -> tuple[str, ...]:
    """Return the planets of the game."""
    return tuple(planet for system in systems(game) for planet in planets_in(game, system))


NAMES = {
    "choose-strategy cards": strategy_cards,
    "draw-card card": lambda _: ACTION_CARDS,
    "mark marker": markers,
    "mark to": lambda _: TECHNOLOGIES,
    "choose question": lambda _: QUESTIONS,
    "choose choice": lambda game: (*systems(game), *game.side_ids),
    "produce units": lambda game: tuple(f"{kind}=1" for kind in kinds(game)),
    "produce exhaust": planets,
    "build-dock exhaust": planets,
}
"""Words that the rules leave to the table, as choices of its forms; any other word is as good."""
