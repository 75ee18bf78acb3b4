"""Decide which units fight in a round of Phase 3A, and let each of them fight in it only once.

Only the raiders of a hex and the units named against them fight a raid.
"""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    ORION,
    RIDERS,
    enemies,
    has,
    living,
    phasing,
    refuse,
    rule_of,
)
from umpire_ledger.domain.titles.federation_and_empire.raids.interception import can_intercept
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import hexes_of_raid, raiders, struck
from umpire_ledger.kit import Game, Result, RuleViolation, Unit, listed, marked, names_in, step_open, word_in

BY_RUNNER = ("3A-4E", "3A-4L")
NUMBERS = {"3A-2E": "314.244", "3A-3E": "320.34", "3A-3H": "320.353", "3A-4E": "314.244", "3A-4L": "314.244"}


def is_raid_round(game: Game) -> bool:
    """Check whether the open step is a round of combat in a raid."""
    return step_open(game) in NUMBERS


def may_fight(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units of a side that fight in the open round of Phase 3A, by id."""
    step = step_open(game)
    ours = _raiders(game, step) if side == phasing(game) else _defenders(game, step, side)
    return tuple(sorted(filter(_is_active, ours), key=lambda unit: unit.id))


def round_place(game: Game, unit: Unit) -> str:
    """Return the hex in which a unit fights in the open round: that of the strike, the interception, or its own."""
    if unit.get("raid_kind") == "special" and step_open(game) == "3A-3E":
        return struck(unit)
    if unit.get("raid_kind") == "special" and step_open(game) == "3A-3H":
        return next((at for at in hexes_of_raid(unit) if at in _met(game)), unit.at)
    if unit.get("raid_kind") == "blockade" and step_open(game) in BY_RUNNER:
        return next((game.units[name].at for name in names_in(game, f"intercepts {unit.id}")), unit.at)
    return unit.at


def _met(game: Game) -> list[str]:
    """Return the hexes in which drone raiders are intercepted."""
    return [at for at in names_in(game, "interception") if word_in(game, f"intercepted {at}") == "success"]


def _is_active(unit: Unit) -> bool:
    """Check whether a unit fights separately: leaders and teams fight with their ship, mothballed units not at all."""
    return RIDERS.isdisjoint(unit.names("traits")) and unit.get("mothballed") is not True


def _raiders(game: Game, step: str) -> list[Unit]:
    if step == "3A-3H":
        drones = (unit for unit in raiders(game, "special") if has(unit, "drone"))
        return [unit for unit in drones if not set(hexes_of_raid(unit)).isdisjoint(_met(game))]
    if step not in BY_RUNNER:
        if step == "3A-2E":
            return [unit for unit in raiders(game, "normal") if names_in(game, f"fights {unit.at}")]
        return [unit for unit in raiders(game, "special") if not has(unit, "drone") or unit.get("raid_paid")]
    now = f"{'in' if step == '3A-4E' else 'out'} in turn {game.turn}"
    return [unit for unit in raiders(game, "blockade") if unit.get("caught") == now]


def _defenders(game: Game, step: str, side: str) -> list[Unit]:
    mine = [unit for unit in living(game) if unit.side == side]
    if step == "3A-3E":
        attacked = {struck(unit) for unit in (*raiders(game, "special"), *_fallen(game, "special"))}
        return [unit for unit in mine if unit.at in attacked]
    if step == "3A-2E":
        named = {name for marker in game.markers if marker.startswith("fights ") for name in names_in(game, marker)}
    elif step == "3A-3H":
        named = {name for place in _met(game) for name in names_in(game, f"intercept group {place}")}
    else:
        now = f"{'in' if step == '3A-4E' else 'out'} in turn {game.turn}"
        fallen = [unit for unit in _fallen(game, "blockade") if unit.get("caught") == now]
        runners = [*_raiders(game, step), *fallen]
        named = {name for unit in runners for name in names_in(game, f"intercepts {unit.id}")}
        places = {unit.at for unit in runners if not names_in(game, f"intercepts {unit.id}")}
        named |= {unit.id for unit in mine if side != ORION and unit.at in places and can_intercept(unit)}
    return [unit for unit in mine if unit.id in named]


def _fallen(game: Game, kind: str) -> list[Unit]:
    """Return the raiders lost in this player turn, so that units that met them still count as defenders."""
    side, turn = phasing(game), game.turn
    lost = (unit for unit in game.units.values() if unit.fate and unit.side == side and unit.get("raided") == turn)
    return [unit for unit in lost if unit.get("raid_kind") == kind]


def opponents(game: Game, side: str) -> tuple[str, ...]:
    """Return the opponents of a side in raids: for the phasing side, all sides at war with it."""
    active = phasing(game)
    foes = enemies(game, active)
    return foes if side == active else (active,) if side in foes else ()


def rounds_due(game: Game, side: str) -> tuple[str, ...]:
    """Return the hexes in which a side must still roll in the open round, because its units meet an opponent's there.

    Special raids (3A-3E) are the raiders' attack: the other sides need not roll.
    """
    step, active = step_open(game), phasing(game)
    if not is_raid_round(game) or (step == "3A-3E" and side != active):
        return ()
    mine, fought = may_fight(game, side), [game.units[name] for name in names_in(game, f"fought {step}")]
    foes = {round_place(game, foe) for one in opponents(game, side) for foe in may_fight(game, one)}
    rolled = {round_place(game, unit) for unit in fought if unit.side == side}
    alone = step == "3A-3E" or (step != "3A-2E" and bool(foes))
    places = {round_place(game, unit) for unit in mine}
    return tuple(sorted(at for at in places if at not in rolled and (alone or at in foes)))


def round_is_due(game: Game, side: str) -> bool:
    """Check whether a side must still roll in the open round."""
    return bool(rounds_due(game, side))


def rounds_awaited(game: Game, side: str) -> tuple[str, ...]:
    """Return the hexes in which a side's units fight and an opponent, whose die may cause losses, has not rolled."""
    mine = {round_place(game, unit) for unit in may_fight(game, side)}
    foes = opponents(game, side) if mine else ()
    due = sorted({at for foe in foes for at in (*rounds_due(game, foe), *_rounds_free(game, foe))})
    return tuple(at for at in due if at in mine or step_open(game) in BY_RUNNER)


def _rounds_free(game: Game, side: str) -> tuple[str, ...]:
    """Return the hexes in which a side may roll against a special raid (3A-3E), which is optional."""
    if step_open(game) != "3A-3E" or side == phasing(game) or side not in game.cursor.open[0].waits:
        return ()
    fought = [game.units[name] for name in names_in(game, "fought 3A-3E")]
    rolled = {round_place(game, unit) for unit in fought if unit.side == side}
    return tuple(sorted({round_place(game, unit) for unit in may_fight(game, side)} - rolled))


def round_is_awaited(game: Game, side: str) -> bool:
    """Check whether a side fights in the open round and an opponent has not yet rolled."""
    return bool(rounds_awaited(game, side))


def verify_rolled(game: Game, unit: Unit) -> None:
    """Check that the dice of a round are rolled before a unit takes a loss in it.

    Raises:
        RuleViolation: A side must still roll, or no opponent has rolled against the unit.
    """
    step, at = step_open(game), round_place(game, unit)
    sides = (unit.side, *opponents(game, unit.side))
    due = [one for one in sides if at in (places := rounds_due(game, one)) or (places and step in BY_RUNNER)]
    fought = [game.units[name] for name in names_in(game, f"fought {step}")]
    if unit.side in due:
        raise refuse(game, "round-not-rolled", NUMBERS[step], at=at)
    if due:
        raise refuse(
            game, "round-not-rolled-by-all", NUMBERS[step], at=at, sides=" and ".join(map(game.side_name, due))
        )
    if not any(one.side in sides[1:] and _meets(game, one, unit) for one in fought):
        raise refuse(game, "no-enemy-rolled", NUMBERS[step], unit=unit.id)


def can_roll(game: Game, side: str) -> bool:
    """Check whether a side has units that have not fought in the open round, in a hex where it has not rolled."""
    fought = names_in(game, f"fought {step_open(game)}")
    able = [unit for unit in may_fight(game, side) if unit.id not in fought]
    if step_open(game) in BY_RUNNER:
        return bool(able)
    return any(not any(_together(game, game.units[name], unit) for name in fought) for unit in able)


def can_lose(game: Game, side: str) -> bool:
    """Check whether the dice that could cost a side a loss in the open round have been rolled."""
    return any(_is_rolled(game, unit) for unit in may_fight(game, side))


def _is_rolled(game: Game, unit: Unit) -> bool:
    try:
        verify_rolled(game, unit)
    except RuleViolation:
        return False
    return True


def _meets(game: Game, one: Unit, other: Unit) -> bool:
    return step_open(game) in BY_RUNNER or round_place(game, one) == round_place(game, other)


def verify_may_fight(game: Game, side: str, units: tuple[Unit, ...]) -> None:
    """Check that all units take part in this round.

    Raises:
        RuleViolation: A unit does not.
    """
    able = may_fight(game, side)
    for unit in units:
        if unit not in able:
            names = listed((one.id for one in able), unit.id)
            raise refuse(game, "no-part-in-round", NUMBERS[step_open(game)], unit=unit.id, units=names)


def note_round(game: Game, units: tuple[Unit, ...]) -> list[Result]:
    """Note that units have rolled for this round.

    Raises:
        RuleViolation: They, or others of their hex and side, have already rolled.
    """
    step = step_open(game)
    marker = f"fought {step}"
    fought = [game.units[name] for name in names_in(game, marker)]
    for unit in units:
        before = (one for one in fought if one.id == unit.id or (step not in BY_RUNNER and _together(game, one, unit)))
        if (one := next(before, None)) is not None:
            raise refuse(game, "fought-this-raid", NUMBERS[step], unit=one.id)
    names = (*(one.id for one in fought), *(unit.id for unit in units))
    return marked(game, marker, names, "", rule_of(game, NUMBERS[step]))


def _together(game: Game, one: Unit, other: Unit) -> bool:
    return round_place(game, one) == round_place(game, other) and one.side == other.side
