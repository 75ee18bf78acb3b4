"""Write lines that summarize the state of a game, and format stacks and losses."""

from collections.abc import Iterable, Iterator

from umpire_ledger.domain.titles.pacific_war.command import purses
from umpire_ledger.domain.titles.pacific_war.month import months
from umpire_ledger.domain.titles.pacific_war.pieces import has
from umpire_ledger.domain.titles.pacific_war.regroup import penalized
from umpire_ledger.kit import Game, Notation, Unit


def date(game: Game) -> str:
    """Return the date, such as `August 1942, day 26`; day 0 is Month Begin."""
    day = game.number("day")
    month = game.markers.get("month_name") or next(iter(months(game)), "first month")
    return f"{month}, {f'day {day}' if day else 'Month Begin'}"


def tells(game: Game) -> tuple[str, ...]:
    """Return lines on the date, the operation and its players, the battle cycle, isolated units, and points."""
    return (date(game), *_operation(game), *_isolated(game), *(_points(game, side) for side in game.side_ids))


def _operation(game: Game) -> Iterator[str]:
    marked = {name: str(value) for name, value in game.markers.items()}
    if "operation" in marked:
        state = f"operation {marked['operation']}, {marked.get('operation_state', '')}"
        roles = (role for role in ("Operation", "Reaction") if f"{role.lower()}_player" in marked)
        players = [f"{role} player {_named(game, f'{role.lower()}_player')}" for role in roles]
        yield f"{state}: {', '.join(players)}" if players else state
    if game.cursor.opened("5.3/damage") is not None:
        inflicted = (f"{game.side_name(side)} {has(game, f'damage/{side}')}" for side in game.side_ids)
        yield f"damage inflicted in operation {marked['operation']}: {', '.join(inflicted)}"
    if "suspended" in marked:
        yield f"suspended: {marked['suspended']}; resumes in {marked['resumes_in']}"
    if "lighting" in marked:
        advantage = f", advantage {_named(game, 'advantage')}" if "advantage" in marked else ""
        yield f"battle cycle {marked.get('cycle', '')}: lighting {marked['lighting']}{advantage}"
    if place := game.cursor.item("5.2.E"):
        surprise = f", Surprise {_named(game, 'surprise')}" if marked.get("surprise") in game.side_ids else ""
        yield f"naval battle at {place}{surprise}"


def _isolated(game: Game) -> Iterator[str]:
    """Yield a line for each side with isolated units in 5.1.H, with the loss of each unit."""
    if game.cursor.opened("5.1.H") is None:
        return
    for side in game.side_ids:
        loses = [_loses(game, one) for one in penalized(game, side)]
        known = "steps lost" if game.number("isolation_steps") else "loss not in the scenario"
        if loses:
            yield f"isolated units of {game.side_name(side)}, {known}: {', '.join(loses)}"


def _loses(game: Game, unit: Unit) -> str:
    """Return a unit's id with the steps that the scenario takes from it; only the id if its owner states the loss."""
    most = game.number("isolation_steps") if unit.get("arm") != "naval" else 0
    return f"{unit.id} {min(most, unit.number('steps'))}" if most else unit.id


def _named(game: Game, marker: str) -> str:
    return game.side_name(str(game.markers.get(marker, "")))


def _points(game: Game, side: str) -> str:
    """Return a side's Command Points: the General Record Track, then headquarters, then the pool."""
    track, *others = purses(game, side)
    parts = [f"{has(game, track)} on the General Record Track"]
    parts += [f"{one.removeprefix('points/')} {has(game, one)}" for one in others]
    parts += [f"pool {has(game, f'pool/{side}')}"]
    return f"Command Points of {game.side_name(side)}: {', '.join(parts)}"


def stack(game: Game, units: Iterable[Unit]) -> str:
    """Return the units in a place by side: `Japan: chokai (crippled), ichiki; Allies: portland`."""
    found: dict[str, list[str]] = {}
    for unit in sorted(units, key=lambda unit: unit.id):
        found.setdefault(unit.side, []).append(f"{unit.id} (crippled)" if unit.get("crippled") else unit.id)
    return "; ".join(f"{game.side_name(side)}: {', '.join(names)}" for side, names in found.items())


def losses(game: Game, place: str, lost: Iterable[Unit], crippled: Iterable[Unit]) -> str:
    """Return a battle in one line: `guadalcanal: lost tokyo-express; crippled chokai`."""
    gone, hurt = sorted(unit.id for unit in lost), sorted(unit.id for unit in crippled)
    said = [f"lost {', '.join(gone)}"] if gone else []
    said += [f"crippled {', '.join(hurt)}"] if hurt else []
    return f"{place}: {'; '.join(said) or 'no losses'}"


def printed_step(step: str) -> str:
    """Return the printed label of a step, without the part after a slash."""
    return step.partition("/")[0]


NOTATION = Notation(tells=tells, date=date, stack=stack, losses=losses, step=printed_step)
