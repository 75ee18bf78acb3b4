"""Orders worth trying, by order type, for listing what is possible and for random play. `decide` has the last word."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from umpire_ledger.domain.titles.pacific_war import (
    activation,
    bidding,
    combat,
    command,
    cycle,
    forces,
    intelligence,
    month,
    movement,
    operation,
    shipping,
)
from umpire_ledger.domain.titles.pacific_war.pieces import ALLIES, activated, enemy_of, has, label, of_arm
from umpire_ledger.kit import Change, Game, Move, Order, Pay, Place, Remove, Roll, Unit, Value

Ideas = Callable[[Game, str], Iterable[Order]]
MOST = 6
"""How many units of a kind are tried."""


def plainly(order: type[Order]) -> Ideas:
    """An order without arguments."""
    return lambda game, side: (order(seat=side),)


def _headquarters(game: Game, side: str) -> tuple[Unit, ...]:
    return of_arm(game, "headquarters", side=side)


def _allocate_escorts(game: Game, side: str) -> Iterator[Order]:
    all_of_them = has(game, "escorts") + has(game, "escorting")
    for escorts in sorted({0, all_of_them // 2, all_of_them}):
        yield shipping.AllocateEscorts(seat=side, escorts=escorts)


def _priority(_: Game, side: str) -> Iterator[Order]:
    yield shipping.SetPriority(seat=side, target="merchant shipping")
    yield shipping.SetPriority(seat=side, target="escorts")


def _allocate_points(game: Game, side: str) -> Iterator[Order]:
    points = has(game, f"points/{side}")
    for one in ("pool", *(unit.id for unit in _headquarters(game, side))):
        if points:
            yield command.AllocatePoints(seat=side, to=one, points=max(1, points // 2))


def _reinforce(game: Game, side: str) -> Iterator[Order]:
    for unit in forces.waiting_to_come(game, side)[:MOST]:
        for base in of_arm(game, "base", side=side)[:2]:
            yield forces.Reinforce(seat=side, unit=unit.id, at=base.at)


def _allocate_submarines(game: Game, side: str) -> Iterator[Order]:
    for one in (forces.ANTI_SHIPPING, *(unit.id for unit in of_arm(game, "submarine-command", side=side))):
        if side == ALLIES or one != forces.ANTI_SHIPPING:
            yield forces.AllocateSubmarines(seat=side, to=one, points=1)


def _build_command(game: Game, side: str) -> Iterator[Order]:
    if not of_arm(game, "submarine-command", side=side):
        for base in of_arm(game, "base", side=side):
            yield forces.BuildCommand(seat=side, unit=f"{side}-submarines-{len(game.units)}", port=base.id)


def _pay_link(game: Game, side: str) -> Iterator[Order]:
    for link in of_arm(game, "link", side=side):
        for unit in _headquarters(game, side):
            yield forces.PayLink(seat=side, link=link.id, headquarters=unit.id)


def _repair_ship(game: Game, side: str) -> Iterator[Order]:
    return (forces.RepairShip(seat=side, unit=one.id) for one in of_arm(game, "naval", side=side) if one.number("hits"))


def _replace_steps(game: Game, side: str) -> Iterator[Order]:
    for unit in of_arm(game, "air", "ground", side=side):
        if unit.number("steps") < unit.number("full_steps"):
            yield forces.ReplaceSteps(seat=side, unit=unit.id, steps=1)


def _repair_base(game: Game, side: str) -> Iterator[Order]:
    return (forces.RepairBase(seat=side, unit=one.id) for one in of_arm(game, "base", side=side))


def _place_osb(game: Game, side: str) -> Iterator[Order]:
    for base in of_arm(game, "base", side=side)[:1]:
        yield forces.PlaceOsb(seat=side, unit=f"{side}-osb-{len(game.units)}", at=base.at)


def _place_patrol(game: Game, side: str) -> Iterator[Order]:
    if len(of_arm(game, "patrol", side=side)) < 2:
        for unit in _headquarters(game, side):
            for place in _places(game)[:2]:
                name = f"{side}-patrol-{len(game.units)}"
                yield forces.PlacePatrol(seat=side, unit=name, at=place, submarines=2, headquarters=unit.id)


def _places(game: Game) -> tuple[str, ...]:
    """Where bases stand, and ships."""
    return tuple(dict.fromkeys(unit.at for unit in of_arm(game, "base", "naval")))


def _bid(game: Game, side: str) -> Iterator[Order]:
    most = command.available(game, side)
    for points in sorted({0, min(3, most), most // 2, most}):
        yield bidding.MakeBid(seat=side, points=points)


def _activate(game: Game, side: str) -> Iterator[Order]:
    idle = [one for one in of_arm(game, "naval", "air", "ground", side=side) if not one.get("activated")]
    for unit in _headquarters(game, side):
        for one in idle[:MOST]:
            yield activation.Activate(seat=side, units=(one.id,), headquarters=unit.id)
        if len(idle) > 1:
            names = tuple(one.id for one in idle[:4])
            yield activation.Activate(seat=side, units=names, headquarters=unit.id)
            yield activation.Activate(seat=side, units=names[:2], headquarters=unit.id, from_pool=True)


def _deactivate(game: Game, side: str) -> Iterator[Order]:
    mine = tuple(one.id for one in activated(game, side))
    if mine:
        yield activation.Deactivate(seat=side, units=mine)
        yield activation.Deactivate(seat=side, units=mine[:1])


def _pay_time(game: Game, side: str) -> Iterator[Order]:
    return (activation.PayTime(seat=side, multiples=1, headquarters=one.id) for one in _headquarters(game, side))


def _level(_: Game, side: str) -> Iterator[Order]:
    return (activation.SetLevel(seat=side, level=level) for level in (1, 2, 3))


def _advance(game: Game, side: str) -> Iterator[Order]:
    for days in sorted({1, min(5, month.days_left(game)), month.days_left(game)}):
        yield movement.AdvanceDay(seat=side, days=days)


def _move(game: Game, side: str) -> Iterator[Order]:
    """The units that may move in this phase, to places where others are."""
    able = of_arm(game, "naval", "air", "ground", "task-force", side=side)
    for unit in [one for one in able if not movement.why_not(game, one)][:MOST]:
        for place in _places(game):
            yield Move(seat=side, unit=unit.id, path=(place,))


def _search(game: Game, side: str) -> Iterator[Order]:
    forces_of_enemy = of_arm(game, "task-force", side=enemy_of(side))
    return (movement.Search(seat=side, target=one.id) for one in forces_of_enemy)


def _undetect(game: Game, side: str) -> Iterator[Order]:
    return (movement.Undetect(seat=side, task_forces=(one.id,)) for one in movement.detected_forces(game, side))


def _embark(game: Game, side: str) -> Iterator[Order]:
    ships = of_arm(game, "naval", side=side)
    for unit in of_arm(game, "ground", side=side):
        for ship in [one for one in ships if one.at == unit.at and not unit.get("aboard")][:2]:
            yield movement.Embark(seat=side, unit=unit.id, ship=ship.id)


def _disembark(game: Game, side: str) -> Iterator[Order]:
    aboard = (one for one in of_arm(game, "ground", "air", side=side) if one.get("aboard"))
    return (movement.Disembark(seat=side, unit=one.id) for one in aboard)


def _form(game: Game, side: str) -> Iterator[Order]:
    lone = [one for one in of_arm(game, "naval", side=side) if one.get("activated") and not one.get("task_force")]
    if lone:
        together = tuple(one.id for one in lone if one.at == lone[0].at)
        yield movement.FormTaskForce(seat=side, task_force=f"{side}-tf-{len(game.units)}", ships=together)


def _demolish(game: Game, side: str) -> Iterator[Order]:
    for unit in of_arm(game, "ground", side=side):
        for target in of_arm(game, "base", "resource"):
            if target.at == unit.at and target.side != side:
                yield cycle.Demolish(seat=side, unit=unit.id, target=target.id)


def _rally(game: Game, side: str) -> Iterator[Order]:
    return (cycle.Rally(seat=side, unit=one.id) for one in of_arm(game, "ground", side=side) if one.get("broken"))


def _attack(game: Game, side: str) -> Iterator[Order]:
    """Every target of the phase, by the first units that could."""
    kind = combat.KINDS.get(label(game)[:5])
    if kind is None:
        return
    able = [one for one in of_arm(game, *kind.attackers, side=side) if one.get("activated", True)]
    for target in of_arm(game, *kind.targets, side=enemy_of(side))[:MOST]:
        near = [one.id for one in able if not kind.same_place or one.at == target.at][:2]
        if near:
            yield combat.Attack(seat=side, units=tuple(near), target=target.id)


def _count(_: Game, side: str) -> Iterator[Order]:
    yield operation.CountDamage(seat=side)


# --- for the record ---------------------------------------------------------------------------------------------------


def _roll(_: Game, side: str) -> Iterator[Order]:
    yield Roll(seat=side, dice="1d10", purpose="as its chapter asks")


def _change(game: Game, side: str) -> Iterator[Order]:
    for unit in of_arm(game, "ground", side=side)[:3]:
        yield Change(seat=side, unit=unit.id, attribute="isolated", to=not unit.get("isolated"))
    for unit in of_arm(game, "air", side=side)[:2]:
        yield Change(seat=side, unit=unit.id, attribute="status", to=unit.number("status") + 1)


def _remove(game: Game, side: str) -> Iterator[Order]:
    for unit in (*of_arm(game, "link", side=side), *activated(game, side)[:2]):
        yield Remove(seat=side, unit=unit.id, fate="withdrawn")


def _place(game: Game, side: str) -> Iterator[Order]:
    if len(of_arm(game, "ground", side=side)) < MOST:
        for base in of_arm(game, "base", side=side)[:1]:
            attributes: dict[str, Value] = {"arm": "ground", "steps": 1, "full_steps": 2, "activation": 1}
            name = f"{side}-new-{len(game.units)}"
            yield Place(seat=side, unit=name, side=side, kind="regiment", at=base.at, attributes=attributes)


def _pay(game: Game, side: str) -> Iterator[Order]:
    for account in command.purses(game, side):
        yield Pay(seat=side, account=account, amount=-1)


SUGGESTS: Mapping[type[Order], Ideas] = {
    shipping.RollWeather: plainly(shipping.RollWeather),
    intelligence.DetermineLevel: plainly(intelligence.DetermineLevel),
    shipping.BombHomeland: plainly(shipping.BombHomeland),
    shipping.AllocateEscorts: _allocate_escorts,
    shipping.SetPriority: _priority,
    shipping.CountAttrition: plainly(shipping.CountAttrition),
    command.ReceivePoints: plainly(command.ReceivePoints),
    command.AllocatePoints: _allocate_points,
    forces.Reinforce: _reinforce,
    forces.AllocateSubmarines: _allocate_submarines,
    forces.BuildCommand: _build_command,
    forces.PayLink: _pay_link,
    forces.RepairShip: _repair_ship,
    forces.ReplaceSteps: _replace_steps,
    forces.RepairBase: _repair_base,
    forces.PlaceOsb: _place_osb,
    forces.PlacePatrol: _place_patrol,
    bidding.ClaimOperation: plainly(bidding.ClaimOperation),
    bidding.MakeBid: _bid,
    bidding.BreakTie: plainly(bidding.BreakTie),
    activation.Activate: _activate,
    activation.Deactivate: _deactivate,
    activation.PayTime: _pay_time,
    activation.SetLevel: _level,
    intelligence.DetermineCondition: plainly(intelligence.DetermineCondition),
    intelligence.RevealCondition: plainly(intelligence.RevealCondition),
    intelligence.ForceEnd: plainly(intelligence.ForceEnd),
    movement.AdvanceDay: _advance,
    movement.Search: _search,
    movement.Undetect: _undetect,
    movement.Embark: _embark,
    movement.Disembark: _disembark,
    movement.FormTaskForce: _form,
    cycle.RollLighting: plainly(cycle.RollLighting),
    cycle.RollAdvantage: plainly(cycle.RollAdvantage),
    cycle.DetermineBattle: plainly(cycle.DetermineBattle),
    cycle.Demolish: _demolish,
    cycle.Rally: _rally,
    combat.Attack: _attack,
    operation.CountDamage: _count,
    Move: _move,
    Roll: _roll,
    Change: _change,
    Remove: _remove,
    Place: _place,
    Pay: _pay,
}
