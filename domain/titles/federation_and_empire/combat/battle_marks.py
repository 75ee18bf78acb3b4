"""Set and clear the marks of Phase 5 that last for a battle hex, for a round of it, or for its units."""

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
    "pursuit",
    "pursuit verified",
    "decoys announced",
    "rolled",
    "scored",
)
"""Markers of one battle hex, except the openly named flagships."""
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
"""Attributes that stay on a unit from round to round, and are cleared with the battle."""
CHOSEN = (
    *("BIR", "EW", "escorts", "flagship", "force", "assignments", "decoy places", "pinwheels"),
    *("pursuit", "slow pursuit", "pursuit die", "decoys present"),
)
"""Questions that sides answer in a battle hex; the Romulans' record of their decoys (`decoys`) is kept."""
HEX_UNIT_MARKS_SET = frozenset(HEX_UNIT_MARKS)


def begin_battle(game: Game) -> list[Result]:
    """Clear the marks of the previous battle, and note the new hex (5-1A)."""
    return [*_clear_battle(game, "a new battle hex"), *marked(game, "battle", hex_in_hand(game), "a new battle hex")]


def end_battle(game: Game) -> list[Result]:
    """Clear all marks of a battle when it is over, before the next hex is picked."""
    why = "the battle is over"
    return [*_clear_battle(game, why), *marked(game, "battle", None, why)]


def _clear_battle(game: Game, why: str) -> list[Result]:
    """Clear all marks of a battle, withdrawals too, so that a unit that comes back takes part again."""
    place = word_in(game, "battle") or hex_in_hand(game)
    rule = rule_of(game)
    back = units_where(game, lambda unit: not HEX_UNIT_MARKS_SET.isdisjoint(unit.attributes))
    return [
        *forget_hex(game, why),
        *_forget_choices(game),
        *_no_damage(game, word_in(game, "battle")),
        *clear_units(game, place, why),
        *_taken_along(game, place, rule),
        *(event for unit in back for name in HEX_UNIT_MARKS for event in changed(unit, name, None, "", rule)),
    ]


def _taken_along(game: Game, last: str, rule: str) -> list[Result]:
    """Clear the marks of the last round from units that have left the hex of the last battle."""
    names = frozenset(UNIT_MARKS) - {"designated"}
    marked_units = units_where(game, lambda unit: not names.isdisjoint(unit.attributes))
    gone = [unit for unit in marked_units if last not in (unit.at, unit.get("withdrew"))]
    return [event for unit in gone for name in sorted(names) for event in changed(unit, name, None, "", rule)]


def forget_hex(game: Game, why: str, rule: str = "") -> list[Result]:
    """Clear the markers of a battle hex and of its Battle Forces."""
    own = (f"{mark} of {side}" for mark in ("flagship", "damage die") for side in game.side_ids)
    marks = (*HEX_MARKS, *ROUND_MARKS, *own)
    return [*(event for mark in marks for event in marked(game, mark, None, why, rule)), *forget_forces(game)]


def _forget_choices(game: Game) -> list[Result]:
    """Clear the choices of the previous battle, but keep the decoys announced for the new hex (5-1A)."""
    stay = ("decoys present",) if game.markers.get("decoys announced") else ()
    old = (one for _, one in sorted(game.choices.items()) if one.question in CHOSEN and one.question not in stay)
    rule = rule_of(game)
    return [
        ChoiceMade(question=one.question, side=one.side, choice=None, rule=rule)
        for one in old
        if one.sealed or one.choice is not None
    ]


def begin_round(game: Game) -> list[Result]:
    """Clear the marks that hold for one round only (5-3A)."""
    marks = ("sealed", "fighting retreat", *ROUND_MARKS)
    return [
        *(event for mark in marks for event in marked(game, mark, None, "a new round")),
        *forget_forces(game),
        *clear_units(game, hex_in_hand(game)),
    ]


def forget_forces(game: Game) -> list[Result]:
    """Clear the revealed Battle Forces of all sides, and the targets of their directed damage."""
    marks = (f"{what} {side}" for side in game.side_ids for what in ("force of", "directed by"))
    return [event for mark in marks for event in marked(game, mark, None)]


def clear_units(game: Game, place: str, why: str = "a new round") -> list[Result]:
    """Clear the marks of one round from the units that are in the hex or withdrew from it."""
    here = units_where(game, lambda unit: place in (unit.at, unit.get("withdrew")))
    return [
        event
        for unit in here
        for name in UNIT_MARKS
        if name in unit.attributes
        for event in changed(unit, name, None, why)
    ]


def carried_in(account: str, place: str = "") -> bool:
    """Check whether an account holds plus or minus points of a hex, or of any hex if none is named."""
    what, _, at = account.partition("/")[2].partition(" ")
    return what in ("plus", "minus") and place in ("", at)


def _no_damage(game: Game, last: str) -> list[Result]:
    """Clear the damage of the last battle, and the points that were carried to its hex."""
    stale = [f"{side}/damage" for side in game.side_ids]
    stale += [one for one in sorted(game.accounts) if last and carried_in(one, last)]
    return [event for one in stale for event in paid(game, one, -game.accounts.get(one, 0), "the battle is over")]


def end_combat(game: Game) -> list[Result]:
    """Clear the marks left from the phase's battles: withdrawals, evasions, frozen units, markers, choices, points."""
    rule = step_open(game)
    noted = tuple(one for one in UNIT_MARKS if one != "designated")
    names, last = (*HEX_UNIT_MARKS, *noted, "retreated"), word_in(game, "battle")
    marks = frozenset(names)
    found = units_where(game, lambda unit: not marks.isdisjoint(unit.attributes))
    told = units_where(game, lambda unit: last != "" and unit.at == last)
    old = [one for one in sorted(game.accounts) if carried_in(one) or one.endswith("/damage")]
    return [
        *(event for unit in found for name in names for event in changed(unit, name, None, "", rule)),
        *(event for unit in told for event in changed(unit, "designated", None, "", rule)),
        *(event for one in old for event in paid(game, one, -game.accounts.get(one, 0), "combat is over", rule)),
        *marked(game, "battle", None, "combat is over", rule),
        *forget_hex(game, "combat is over", rule),
        *_forget_choices(game),
    ]
