"""Decide which units of a side the generic `change` and `remove` may affect: by phase, arm and condition.

A phase allows only changes that its rules concern. A change that has its own order, for example a penalty or a repair,
needs that order.
"""

from collections.abc import Iterator, Mapping

from umpire_ledger.domain.titles.pacific_war.forces import damaged_airbases
from umpire_ledger.domain.titles.pacific_war.pieces import COMBAT_ARMS, TO_COME, arm, of_arm, phase_of
from umpire_ledger.domain.titles.pacific_war.returning import COMES_BACK
from umpire_ledger.kit import Game, Reason, Remove, Unit, Value

Arms = tuple[str, ...]
Refused = tuple[Reason | None, str]
"""The reason why the open phase refuses an order, and the remedy; None and "" if it accepts the order."""
LOSSES: Mapping[str, Arms] = {
    "hits": ("naval", "base"),
    "steps": ("air", "ground"),
    "broken": ("ground",),
    "interdicted": ("base",),
    "linked": ("base",),
}
"""The attributes in which players record losses, each with the arms that have it."""
FIGHT: Mapping[str, Arms] = {
    "5.1.R": COMBAT_ARMS,
    "5.1.T": COMBAT_ARMS,
    "5.2.C": ("naval", "patrol"),
    "5.2.D": ("naval", "air", "ground", "base"),
    "5.2.E": ("naval",),
    "5.2.F": ("naval", "ground", "base"),
    "5.2.H": ("ground", "air", "base"),
    "5.2.K": ("naval", "patrol"),
    "5.2.L": ("naval", "air", "ground", "base"),
}
"""The arms that can have losses, in each phase in which players record them."""
CHANGES: Mapping[str, Mapping[str, Arms]] = {
    "5.1.H": {"isolated": COMBAT_ARMS, "broken": ("ground",)},
    "5.1.L": {"status": ("air",), "strength": ("naval",)},
    "5.1.M": {"hits": ("base",), "interdicted": ("base",), "linked": ("base",), "demolished": ("resource",)},
    "5.2.I": {"hits": ("base",), "interdicted": ("base",)},
    **{
        phase: {name: tuple(one for one in arms if one in suffers) for name, arms in LOSSES.items()}
        for phase, suffers in FIGHT.items()
    },
}
"""The attributes that `change` may change in each phase, each with the arms that have it."""
REPAIRS = ("5.1.M", "5.2.I")
"""The phases in which the damage of bases is reduced."""


def why_no_change(game: Game, unit: Unit, attribute: str, to: Value) -> Refused:
    """Return the reason and the remedy if the open phase does not change an attribute of a unit; else (None, "")."""
    phase = phase_of(game)
    arms = CHANGES.get(phase, {}).get(attribute, ())
    if unit.at == TO_COME:
        return Reason("not-in-play", f"{unit.id} has not entered play"), "name a unit on the map"
    if arm(unit) not in arms:
        what = f"{phase} does not change {attribute} of any unit"
        if arms:
            what = f"{phase} changes {attribute} only of {' and '.join(arms)} units, but {unit.id} is a {unit.kind}"
        return Reason("wrong-arm", what), "name another unit, or end the phase: `done`"
    if phase == "5.1.H" and attribute == "broken" and not (unit.get("isolated") and to is True):
        return Reason("not-isolated", f"in this step, only isolation breaks {unit.id}"), "mark it `isolated` first"
    if phase in REPAIRS:
        return _why_no_repair(game, unit, attribute, to)
    if attribute == "interdicted" and to is False:
        return Reason(
            "stays-interdicted", f"{unit.id} is interdicted until it is repaired"
        ), "use `repair-base` in 5.2.I or 5.1.M"
    return None, ""


def _why_no_repair(game: Game, unit: Unit, attribute: str, to: Value) -> Refused:
    """Return the reason and the remedy if engineers or airbase repair do not make a change; else (None, "").

    They reduce the damage of linked bases, and engineers also that of Resource hexes.
    """
    if attribute == "linked":
        return None, ""
    if phase_of(game) == "5.2.I" and unit not in damaged_airbases(game, unit.side):
        other = Reason("not-a-damaged-airbase", f"{unit.id} is not a damaged, linked airbase")
        return other, "name a damaged, linked airbase, or end the phase: `done`"
    if arm(unit) == "base" and not unit.get("linked"):
        return Reason("not-linked", f"{unit.id} is not linked"), "name a linked base"
    worse = to is True or (type(to) is int and to > unit.number(attribute))
    if not worse:
        return None, ""
    return Reason(
        "only-reduces-damage", "this phase only reduces damage"
    ), "reduce the damage, or end the phase: `done`"


def may_change(game: Game, side: str) -> bool:
    """Return whether a side has a unit with an attribute that the open phase may change."""
    opened = [(name, arms) for name, arms in CHANGES.get(phase_of(game), {}).items() if arms]
    units = {arms: of_arm(game, *arms, side=side) for _, arms in opened}
    return any(has_or_may_get(one, name) for name, arms in opened for one in units[arms])


def has_or_may_get(unit: Unit, attribute: str) -> bool:
    """Return whether a unit has an attribute or can get it: any combat unit can become isolated."""
    return attribute in unit.attributes or (attribute == "isolated" and arm(unit) in COMBAT_ARMS)


# --- leaving play -----------------------------------------------------------------------------------------------------

LEAVES: Mapping[str, str] = {"repaired": "naval", "disbanded": "headquarters", "penalized": "naval"}
"""The arm of units that leave play in 5.1.J to return later, by their fate."""


def why_no_removal(game: Game, unit: Unit, order: Remove) -> Refused:
    """Return the reason and the remedy if a unit does not leave play by `remove` in the open phase; else (None, "")."""
    phase = phase_of(game)
    if unit.at == TO_COME:
        return Reason("not-in-play", f"{unit.id} has not entered play"), "name a unit on the map"
    if phase == "5.1.J":
        return _why_no_leave(unit, order.fate)
    arms = FIGHT.get(phase, ())
    if arm(unit) not in arms:
        removes = f"removes only {' and '.join(arms)} units" if arms else "removes no units"
        what = f"{unit.id} is a {unit.kind}, but {phase} {removes}"
        return Reason("wrong-arm", what), "name a lost unit"
    if order.fate in COMES_BACK:
        return Reason(
            "wrong-fate", f"a unit lost in {phase} cannot be {order.fate}"
        ), 'name its fate, for example "sunk"'
    return None, ""


def _why_no_leave(unit: Unit, fate: str) -> Refused:
    """Return the reason and the remedy if a unit cannot leave play in 5.1.J; else (None, "").

    Unpaid links can leave, and units with a fate from which they can return.
    """
    if arm(unit) == "link":
        paid = Reason("paid-already", f"{unit.id} has already been paid for this month")
        return (paid, "name an unpaid link") if unit.get("paid") else (None, "")
    if arm(unit) != LEAVES.get(fate, ""):
        other = Reason("wrong-fate", f"{unit.id} cannot leave play as {fate} in this step")
        return other, f"name an unpaid link, or {_leaving()}"
    if fate == "repaired" and not unit.number("hits"):
        return Reason("no-hits", f"{unit.id} has no hits to repair"), "name a ship with hits"
    return None, ""


def _leaving() -> str:
    return ", ".join(f"a {arm} unit to be {fate}" for fate, arm in LEAVES.items())


def may_leave_in_reinforcements(game: Game, side: str) -> bool:
    """Return whether a side has a unit that could leave play in 5.1.J, whichever phase is open."""
    units = of_arm(game, "link", *LEAVES.values(), side=side)
    return any(not _why_no_leave(unit, fate)[0] for unit in units for fate in ("given up", *LEAVES))


def may_leave(game: Game, side: str) -> bool:
    """Return whether a side has a unit that may leave play by `remove` in the open phase."""
    return next(leaving(game, side), None) is not None


def leaving(game: Game, side: str) -> Iterator[Remove]:
    """Yield the removals that the open phase allows a side, with the fate of each."""
    fates = ("given up", *LEAVES) if phase_of(game) == "5.1.J" else ("lost",)
    for unit in game.in_play(side):
        for fate in fates:
            order = Remove(seat=side, unit=unit.id, fate=fate)
            if not why_no_removal(game, unit, order)[0]:
                yield order
