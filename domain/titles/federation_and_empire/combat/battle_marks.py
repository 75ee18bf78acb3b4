"""Phase 5: what is noted for a battle hex, for a round of it and on its units, and when each of it comes off."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    hex_in_hand,
    rule_of,
    units_where,
)
from umpire_ledger.kit import ChoiceMade, Game, Result, changed, marked, paid, step_open, word_in

ROUND_MARKS = (
    "variable rolled",
    "EW shift",
    "stasis",
    "frozen",
    "captured used",
    "war-plans",
    "pinwheels",
    "raised",
    "hits",
)
HEX_MARKS = (
    "sealed",
    "base left",
    "fighting retreat",
    "declined",
    "with bases",
    "defenders",
    "slow added",
    "small-scale",
    "approach won",
    "decoys announced",
)
"""Markers of one battle hex, beside the flagships that were named openly."""
UNIT_MARKS = (
    *("frozen", "shock", "eligible", "designated", "stasis", "bonus", "core", "tows", "caster", "aims", "escapes"),
    *(
        "rescuing",
        "rescued_by",
        "capture_tried",
        "fought",
        "absorbed",
        "assaults",
        "task",
        "bombards",
        "mauls",
        "cloaked",
    ),
    *("weakened", "shielded", "fist", "escaped", "transferred", "fate_rolled", "shocked"),
)
HEX_UNIT_MARKS = ("withdrew", "evaded", "withdraws", "tried_evading", "in_web", "pinwheel")
"""What stays on a unit from round to round, and comes off with the battle."""
CHOSEN = (
    *("BIR", "EW", "escorts", "flagship", "force", "assignments", "decoy places", "pinwheels"),
    *("pursuit", "slow pursuit", "pursuit die", "decoys present"),
)
"""What sides choose in a battle hex. Where the Romulans' decoys are (`decoys`) stays theirs."""
HEX_UNIT_MARKS_SET = frozenset(HEX_UNIT_MARKS)


def begin_battle(game: Game) -> list[Result]:
    """5-1A: nothing of the battle before counts; who withdrew from this hex and came back is there again."""
    place, last = hex_in_hand(game), word_in(game, "battle")
    back = units_where(game, lambda unit: not HEX_UNIT_MARKS_SET.isdisjoint(unit.attributes))
    return [
        *forget_hex(game, "a new battle hex"),
        *_forget_choices(game),
        *_no_damage(game, last),
        *clear_units(game, last or place),
        *_taken_along(game, last or place),
        *(event for unit in back for name in HEX_UNIT_MARKS for event in changed(unit, name, None, "", "5-1A")),
        *marked(game, "battle", place, "a new battle hex"),
    ]


def _taken_along(game: Game, last: str) -> list[Result]:
    """What counted for the last round of the battle before comes off those who have retreated from it too."""
    names = frozenset(UNIT_MARKS) - {"designated"}
    marked_units = units_where(game, lambda unit: not names.isdisjoint(unit.attributes))
    gone = [unit for unit in marked_units if last not in (unit.at, unit.get("withdrew"))]
    return [event for unit in gone for name in sorted(names) for event in changed(unit, name, None, "", "5-1A")]


def forget_hex(game: Game, why: str, rule: str = "") -> list[Result]:
    """No marker of a battle hex is left."""
    own = (f"{mark} of {side}" for mark in ("flagship", "damage die") for side in game.side_ids)
    marks = (*HEX_MARKS, *ROUND_MARKS, *own)
    return [*(event for mark in marks for event in marked(game, mark, None, why, rule)), *forget_forces(game)]


def _forget_choices(game: Game) -> list[Result]:
    """What was chosen in the battle before counts no longer; decoys that were announced for the new hex do (5-1A)."""
    stay = ("decoys present",) if game.markers.get("decoys announced") else ()
    old = (one for _, one in sorted(game.choices.items()) if one.question in CHOSEN and one.question not in stay)
    rule = rule_of(game)
    return [
        ChoiceMade(question=one.question, side=one.side, choice=None, rule=rule)
        for one in old
        if one.sealed or one.choice is not None
    ]


def begin_round(game: Game) -> list[Result]:
    """5-3A: what counted for the last round only is taken off."""
    marks = ("sealed", "fighting retreat", *ROUND_MARKS)
    return [
        *(event for mark in marks for event in marked(game, mark, None, "a new round")),
        *forget_forces(game),
        *clear_units(game, hex_in_hand(game)),
    ]


def forget_forces(game: Game) -> list[Result]:
    """No Battle Force is open."""
    return [event for side in game.side_ids for event in marked(game, f"force of {side}", None)]


def clear_units(game: Game, place: str) -> list[Result]:
    """What counted for one round only comes off the units that are or were in the hex."""
    here = units_where(game, lambda unit: place in (unit.at, unit.get("withdrew")))
    return [
        event
        for unit in here
        for name in UNIT_MARKS
        if name in unit.attributes
        for event in changed(unit, name, None, "a new round")
    ]


def carried_in(account: str, place: str = "") -> bool:
    """Whether an account holds plus or minus points of a hex, of any without one."""
    what, _, at = account.partition("/")[2].partition(" ")
    return what in ("plus", "minus") and place in ("", at)


def _no_damage(game: Game, last: str) -> list[Result]:
    """Damage of the last battle, and what was carried there, are gone with its hex."""
    stale = [f"{side}/damage" for side in game.side_ids]
    stale += [one for one in sorted(game.accounts) if last and carried_in(one, last)]
    return [event for one in stale for event in paid(game, one, -game.accounts.get(one, 0), "the battle is over")]


def end_combat(game: Game) -> list[Result]:
    """After the last battle nothing of any is left: nobody has withdrawn, evaded or is frozen, no points wait."""
    rule = step_open(game)
    noted = tuple(one for one in UNIT_MARKS if one != "designated")
    names, last = (*HEX_UNIT_MARKS, *noted, "retreated"), word_in(game, "battle")
    marks = frozenset(names)
    found = units_where(game, lambda unit: not marks.isdisjoint(unit.attributes))
    told = units_where(game, lambda unit: unit.at == last)
    old = [one for one in sorted(game.accounts) if carried_in(one) or one.endswith("/damage")]
    return [
        *(event for unit in found for name in names for event in changed(unit, name, None, "", rule)),
        *(event for unit in told for event in changed(unit, "designated", None, "", rule)),
        *(event for one in old for event in paid(game, one, -game.accounts.get(one, 0), "combat is over", rule)),
        *marked(game, "battle", None, "combat is over", rule),
        *forget_hex(game, "combat is over", rule),
        *_forget_choices(game),
    ]
