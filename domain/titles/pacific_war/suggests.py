"""Suggest orders for lists of possible actions and for random play. `decide` may still refuse them."""

from collections.abc import Iterator

from umpire_ledger.domain.titles.pacific_war import (
    activation,
    bidding,
    combat,
    command,
    cycle,
    flying,
    forces,
    limits,
    month,
    movement,
    regroup,
    returning,
    shipping,
    task_forces,
)
from umpire_ledger.domain.titles.pacific_war.pieces import (
    ALLIES,
    activated,
    enemy_of,
    has,
    of_arm,
    off_map,
    phase_of,
)
from umpire_ledger.kit import Change, Game, Move, Order, Pay, Place, Remove, Roll, Unit, Value, names_in

MOST = 6
"""The most units of a kind that are tried."""


def _headquarters(game: Game, side: str) -> tuple[Unit, ...]:
    return of_arm(game, "headquarters", side=side)


def allocate_escorts(game: Game, side: str) -> Iterator[Order]:
    """Yield allocations of none, half and all of the escorts."""
    all_of_them = has(game, "escorts") + has(game, "escorting")
    for escorts in sorted({0, all_of_them // 2, all_of_them}):
        yield shipping.AllocateEscorts(seat=side, escorts=escorts)


def set_priority(_: Game, side: str) -> Iterator[Order]:
    """Yield each target."""
    yield shipping.SetPriority(seat=side, target="merchant shipping")
    yield shipping.SetPriority(seat=side, target="escorts")


def allocate_points(game: Game, side: str) -> Iterator[Order]:
    """Yield allocations of half of the points to the pool and to each headquarters."""
    points = has(game, f"points/{side}")
    pool = ("pool",) if limits.may_have_pool(game, side) else ()
    for one in (*pool, *(unit.id for unit in _headquarters(game, side))):
        if points:
            yield command.AllocatePoints(seat=side, to=one, points=max(1, points // 2))


def isolation_penalty(game: Game, side: str) -> Iterator[Order]:
    """Yield penalties for every unit that has yet to suffer one, then the statement that no other is isolated."""
    for one in regroup.penalized(game, side):
        yield regroup.IsolationPenalty(seat=side, unit=one.id)
        yield regroup.IsolationPenalty(seat=side, unit=one.id, loses=1, source="12.0")
        yield regroup.IsolationPenalty(seat=side, unit=one.id, loses=99, source="12.0")
    yield regroup.IsolationPenalty(seat=side)


def recombine(game: Game, side: str) -> Iterator[Order]:
    """Yield recombinations of two units of a kind in the same place, and of the parts of a unit that broke down."""
    arms = ("naval",) if phase_of(game) == "5.1.K" else ("ground",)
    able = of_arm(game, *arms, side=side)
    for one in able:
        twins = [other.id for other in able if other.id != one.id and (other.at, other.kind) == (one.at, one.kind)]
        if twins:
            yield regroup.Recombine(seat=side, unit=one.id, units=tuple(twins[:1]))
            yield regroup.Recombine(seat=side, unit=str(one.get("part_of") or one.id), units=(one.id, *twins))


def break_down(game: Game, side: str) -> Iterator[Order]:
    """Yield a breakdown of every ground unit of several steps into two parts."""
    for one in of_arm(game, "ground", side=side):
        if one.number("steps") > 1:
            names = (f"{one.id}-a{len(game.units)}", f"{one.id}-b{len(game.units)}")
            yield regroup.BreakDown(seat=side, unit=one.id, into={names[0]: 1, names[1]: one.number("steps") - 1})


def reinforce(game: Game, side: str) -> Iterator[Order]:
    """Yield entries of the first units whose month has come, at each of two bases."""
    for unit in forces.waiting_to_come(game, side)[:MOST]:
        for base in of_arm(game, "base", side=side)[:2]:
            yield forces.Reinforce(seat=side, unit=unit.id, at=base.at)


def bring_back(game: Game, side: str) -> Iterator[Order]:
    """Yield a return of each of the first units that can return, at the first base."""
    for unit in returning.waiting_to_return(game, side)[:MOST]:
        for base in of_arm(game, "base", side=side)[:1]:
            yield returning.BringBack(seat=side, unit=unit, at=base.at, source="14.0")


def allocate_submarines(game: Game, side: str) -> Iterator[Order]:
    """Yield allocations of one point to every Command and, for the Allies, to anti-shipping."""
    for one in (forces.ANTI_SHIPPING, *(unit.id for unit in of_arm(game, "submarine-command", side=side))):
        if side == ALLIES or one != forces.ANTI_SHIPPING:
            yield forces.AllocateSubmarines(seat=side, to=one, points=1)


def build_command(game: Game, side: str) -> Iterator[Order]:
    """Yield a Command at every base, for a side that has none."""
    if not of_arm(game, "submarine-command", side=side):
        for base in of_arm(game, "base", side=side):
            yield forces.BuildCommand(seat=side, unit=f"{side}-submarines-{len(game.units)}", port=base.id)


def pay_link(game: Game, side: str) -> Iterator[Order]:
    """Yield payments for every link by every headquarters."""
    for link in of_arm(game, "link", side=side):
        for unit in _headquarters(game, side):
            yield forces.PayLink(seat=side, link=link.id, headquarters=unit.id)


def repair_ship(game: Game, side: str) -> Iterator[Order]:
    """Return a repair of every ship with a hit."""
    return (forces.RepairShip(seat=side, unit=one.id) for one in of_arm(game, "naval", side=side) if one.number("hits"))


def replace_steps(game: Game, side: str) -> Iterator[Order]:
    """Yield a replacement of one step for every unit below full strength."""
    for unit in of_arm(game, "air", "ground", side=side):
        if unit.number("steps") < unit.number("full_steps"):
            yield forces.ReplaceSteps(seat=side, unit=unit.id, steps=1)


def repair_base(game: Game, side: str) -> Iterator[Order]:
    """Return a repair of every base."""
    return (forces.RepairBase(seat=side, unit=one.id) for one in of_arm(game, "base", side=side))


def place_osb(game: Game, side: str) -> Iterator[Order]:
    """Yield an Offensive Support Base at the first base."""
    for base in of_arm(game, "base", side=side)[:1]:
        yield forces.PlaceOsb(seat=side, unit=f"{side}-osb-{len(game.units)}", at=base.at)


def place_patrol(game: Game, side: str) -> Iterator[Order]:
    """Yield patrols at two places, paid by every headquarters, for a side with fewer than two patrols."""
    if len(of_arm(game, "patrol", side=side)) < 2:
        for unit in _headquarters(game, side):
            for place in [one for one in _places(game) if one not in off_map(game)][:2]:
                name = f"{side}-patrol-{len(game.units)}"
                yield forces.PlacePatrol(seat=side, unit=name, at=place, submarines=2, headquarters=unit.id)


def _places(game: Game) -> tuple[str, ...]:
    """Return the places with bases or ships."""
    return tuple(dict.fromkeys(unit.at for unit in of_arm(game, "base", "naval")))


def make_bid(game: Game, side: str) -> Iterator[Order]:
    """Yield bids of nothing, up to 3, half, and all points."""
    most = command.available(game, side)
    for points in sorted({0, min(3, most), most // 2, most}):
        yield bidding.MakeBid(seat=side, points=points)


def activate(game: Game, side: str) -> Iterator[Order]:
    """Yield activations of air units, of single units and of a few together, paid by every headquarters or the pool."""
    every = [one for one in of_arm(game, "naval", "air", "ground", side=side) if not one.get("activated")]
    idle = [one for one in every if one.id not in game.hidden]
    if hidden := [one for one in every if one.id in game.hidden]:
        yield from _activate_hidden(game, side, hidden[0])
    flies = tuple(one.id for one in idle if one.get("arm") == "air")
    for unit in _headquarters(game, side):
        for names in (flies, *((name,) for name in flies)) if flies else ():
            yield activation.Activate(seat=side, units=names, headquarters=unit.id)
        for one in idle[:MOST]:
            yield activation.Activate(seat=side, units=(one.id,), headquarters=unit.id)
        if len(idle) > 1:
            names = tuple(one.id for one in idle[:4])
            yield activation.Activate(seat=side, units=names, headquarters=unit.id)
            yield activation.Activate(seat=side, units=names[:2], headquarters=unit.id, from_pool=True)


def _activate_hidden(game: Game, side: str, unit: Unit) -> Iterator[Order]:
    """Yield the public payment for a hidden unit, then its activation."""
    for one in _headquarters(game, side)[:1]:
        yield activation.Activate(seat=side, units=(), headquarters=one.id, hidden=unit.number("activation"))
        yield activation.Activate(seat=side, units=(unit.id,), headquarters=one.id)


def deactivate(game: Game, side: str) -> Iterator[Order]:
    """Yield deactivations of all activated units, then of one."""
    mine = tuple(one.id for one in activated(game, side))
    if mine:
        yield activation.Deactivate(seat=side, units=mine)
        yield activation.Deactivate(seat=side, units=mine[:1])


def pay_time(game: Game, side: str) -> Iterator[Order]:
    """Return one more Time multiple, paid by every headquarters."""
    return (activation.PayTime(seat=side, multiples=1, headquarters=one.id) for one in _headquarters(game, side))


def set_level(_: Game, side: str) -> Iterator[Order]:
    """Return the first three levels."""
    return (activation.SetLevel(seat=side, level=level) for level in (1, 2, 3))


def advance_day(game: Game, side: str) -> Iterator[Order]:
    """Yield an advance of one day, of five, and of all days left that are paid for."""
    paid, left = limits.days_paid(game), month.days_left(game)
    most = left if paid is None else min(left, paid)
    for days in sorted({1, min(5, most), most} if most else ()):
        yield movement.AdvanceDay(seat=side, days=days)


def move(game: Game, side: str) -> Iterator[Order]:
    """Yield moves of units that may move in this phase, to places with bases or ships."""
    able = of_arm(game, "naval", "air", "ground", "task-force", side=side)
    for unit in [one for one in able if not movement.why_not(game, one)][:MOST]:
        for place in _places(game):
            yield Move(seat=side, unit=unit.id, path=(place,))


def search(game: Game, side: str) -> Iterator[Order]:
    """Return a search for every enemy Task Force, and every enemy ship that sails alone."""
    forces_of_enemy = task_forces.every_force(game, enemy_of(side))
    return (movement.Search(seat=side, target=one.id) for one in forces_of_enemy if one.at not in off_map(game))


def launch_mission(game: Game, side: str) -> Iterator[Order]:
    """Yield missions of single ready air units, against each of a few targets and for a drop on the first place."""
    ready = [one for one in of_arm(game, "air", side=side) if one.get("activated") and not flying.flown(game, one)]
    foes = of_arm(game, *flying.TARGETS, side=enemy_of(side))
    targets = [one.id for one in foes if one.at not in off_map(game)]
    for one in ready[:MOST]:
        for target in targets[:3]:
            yield flying.LaunchMission(seat=side, units=(one.id,), target=target)
        for place in _places(game)[:1]:
            yield flying.LaunchMission(seat=side, units=(one.id,), at=place)


def paradrop(game: Game, side: str) -> Iterator[Order]:
    """Yield drops of every ground unit by an air unit in the same place, on each of three places."""
    for unit in of_arm(game, "ground", side=side):
        for carrier in [one for one in of_arm(game, "air", side=side) if one.at == unit.at][:1]:
            for place in _places(game)[:3]:
                yield flying.Paradrop(seat=side, unit=unit.id, by=carrier.id, at=place)


def undetect(game: Game, side: str) -> Iterator[Order]:
    """Return an order for each Task Force that may be turned over."""
    return (movement.Undetect(seat=side, task_forces=(one.id,)) for one in limits.may_turn(game, side))


def embark(game: Game, side: str) -> Iterator[Order]:
    """Yield embarkations of every ground unit on each of two ships in its place."""
    ships = of_arm(game, "naval", side=side)
    for unit in of_arm(game, "ground", side=side):
        for ship in [one for one in ships if one.at == unit.at and not unit.get("aboard")][:2]:
            yield movement.Embark(seat=side, unit=unit.id, ship=ship.id)


def disembark(game: Game, side: str) -> Iterator[Order]:
    """Return a disembarkation of every unit aboard."""
    aboard = (one for one in of_arm(game, "ground", "air", side=side) if one.get("aboard"))
    return (movement.Disembark(seat=side, unit=one.id) for one in aboard)


def form_task_force(game: Game, side: str) -> Iterator[Order]:
    """Yield a Task Force of the activated ships in one place that sail alone."""
    lone = [one for one in of_arm(game, "naval", side=side) if one.get("activated") and not one.get("task_force")]
    if lone:
        together = tuple(one.id for one in lone if one.at == lone[0].at)
        yield movement.FormTaskForce(seat=side, task_force=f"{side}-tf-{len(game.units)}", ships=together)


def demolish(game: Game, side: str) -> Iterator[Order]:
    """Yield a demolition of every enemy base and Resource hex in a ground unit's place."""
    for unit in of_arm(game, "ground", side=side):
        for target in of_arm(game, "base", "resource"):
            if target.at == unit.at and target.side != side:
                yield cycle.Demolish(seat=side, unit=unit.id, target=target.id)


def rally(game: Game, side: str) -> Iterator[Order]:
    """Return a rally of every broken unit."""
    return (cycle.Rally(seat=side, unit=one.id) for one in of_arm(game, "ground", side=side) if one.get("broken"))


def attack(game: Game, side: str) -> Iterator[Order]:
    """Yield attacks on targets of the phase by the first able units.

    In air combat, launched missions and carriers are the first targets.
    """
    kind = combat.KINDS.get(phase_of(game))
    if kind is None:
        return
    able = _attackers(game, kind, side)
    targets = list(of_arm(game, *kind.targets, side=enemy_of(side)))
    if kind is combat.AIR:
        aims = {*names_in(game, flying.MISSION), game.markers.get(flying.TARGET)}
        targets.sort(key=lambda one: (one.id not in aims, not flying.may_answer(game, one)))
    for target in targets[: 3 if kind is combat.AIR else MOST]:
        near = [one.id for one in able if not kind.same_place or one.at == target.at]
        for units in [(one,) for one in near[:MOST]] if kind is combat.AIR else [tuple(near[:2])]:
            if units:
                yield combat.Attack(seat=side, units=units, target=target.id)


def _attackers(game: Game, kind: combat.Kind, side: str) -> list[Unit]:
    """Return the units that may attack now: activated if required, not flown already, or able to answer a strike."""
    if flying.is_simultaneous(game):
        return [game.units[one] for one in names_in(game, flying.STRIKE)]
    able = list(of_arm(game, *kind.attackers, side=side))
    if not kind.idle or (kind is combat.AIR and flying.owns_the_phase(game, side)):
        able = [one for one in able if one.get("activated", True)]
    ready = {*names_in(game, flying.MISSION)} if kind is combat.AIR and flying.owns_the_phase(game, side) else set()
    return [one for one in able if kind is not combat.AIR or one.id in ready or _may_fly(game, one)]


def _may_fly(game: Game, unit: Unit) -> bool:
    """Return whether an air unit has not flown yet, or may interfere with a mission of the other side."""
    return not flying.owns_the_phase(game, unit.side) or not flying.flown(game, unit)


# --- generic orders ---------------------------------------------------------------------------------------------------


def roll(_: Game, side: str) -> Iterator[Order]:
    """Yield one roll of a ten-sided die."""
    yield Roll(seat=side, dice="1d10", purpose="as its chapter asks")


def change(game: Game, side: str) -> Iterator[Order]:
    """Yield changes of the isolation of ground units and the status of air units."""
    for unit in of_arm(game, "ground", side=side)[:3]:
        yield Change(seat=side, unit=unit.id, attribute="isolated", to=not unit.get("isolated"))
    for unit in of_arm(game, "air", side=side)[:2]:
        yield Change(seat=side, unit=unit.id, attribute="status", to=unit.number("status") + 1)


def remove(game: Game, side: str) -> Iterator[Order]:
    """Yield removals of links, of activated units (two in 5.1, one in 5.2.L), and in 5.1.J of damaged ships."""
    phase, ready = phase_of(game), activated(game, side)
    gone = ready[:2] if phase.startswith("5.1") else ready[:1] if phase == "5.2.L" else ()
    for unit in (*of_arm(game, "link", side=side), *gone):
        yield Remove(seat=side, unit=unit.id, fate="withdrawn")
    for ship in of_arm(game, "naval", side=side) if phase_of(game) == "5.1.J" else ():
        if ship.number("hits"):
            yield Remove(seat=side, unit=ship.id, fate="repaired")


def place(game: Game, side: str) -> Iterator[Order]:
    """Yield a new regiment at the first base, if the side has few ground units."""
    if len(of_arm(game, "ground", side=side)) < MOST:
        for base in of_arm(game, "base", side=side)[:1]:
            attributes: dict[str, Value] = {"arm": "ground", "steps": 1, "full_steps": 2, "activation": 1}
            name = f"{side}-new-{len(game.units)}"
            yield Place(seat=side, unit=name, side=side, kind="regiment", at=base.at, attributes=attributes)


def pay(game: Game, side: str) -> Iterator[Order]:
    """Yield a payment of one point from every account of Command Points."""
    for account in command.purses(game, side):
        yield Pay(seat=side, account=account, amount=-1)
