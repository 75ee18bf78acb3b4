"""Decide Step 8 of Phase 5: pursuit of units that retreat or withdrew, and of Slow Units in a battle of their own.

[reading] A failed pursuit roll leaves out 5-8D and 5-8F (A8); the steps borrowed from 3X to 6 do not include 6X (A2).
"""

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import (
    afresh,
    answered,
    chosen,
    commit,
    open_all,
    shown,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.battle_marks import (
    ROUND_MARKS,
    carried_in,
    clear_units,
    forget_forces,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.forces import (
    command_limit,
    grouped,
    groups_of,
    verify_led,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.retreat import pursued, pursuer
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Pips,
    Units,
    battle_unit,
    force_of,
    has,
    hex_in_hand,
    in_battle,
    is_base,
    is_ship,
    need_trait,
    printed,
    refuse,
    rule_of,
    serving,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import (
    DIE,
    PURSUIT_DECLINED,
    PURSUIT_FAST,
    PURSUIT_X,
)
from umpire_ledger.kit import (
    ChoiceMade,
    ChoiceRevealed,
    ChoiceSealed,
    Closes,
    Dice,
    Game,
    MarkerSet,
    Modifier,
    Order,
    Reason,
    RestrictedEvent,
    Result,
    TableOutcome,
    TableRoll,
    Unit,
    UnitName,
    Value,
    after,
    changed,
    choice_key,
    listed,
    marked,
    modifiers_of,
    names_in,
    number_of,
    paid,
    secret_viewers,
    step_open,
    word_of,
)

PURSUIT, DIE_SEALED = "pursuit", "pursuit die"
"""The name of the scenario's table and of the question for the force; the question for the secret die."""
RESULTS = {"success": "the pursuit succeeds", "failure": "the pursuit fails"}
"""Words of the audit trail for each result."""


class SealPursuit(Order, frozen=True, kw_only=True, tag="seal-pursuit"):
    """Secretly choose the pursuit force, and the force against Slow Units; escort groups can be set again."""

    units: Units
    slow: tuple[UnitName, ...] = ()


class RollPursuit(TableRoll, frozen=True, kw_only=True, tag="roll-pursuit"):
    """Roll for the pursuit; the die stays secret until 5-8E, and its result is announced in 5-8C.

    The result comes from the scenario's table `pursuit` or from `at_least`; without either you announce it yourself.
    """

    at_least: Pips | None = None


class Stand(Order, frozen=True, kw_only=True, tag="stand"):
    """Set up the retreating Battle Force. `tugs`: tugs that rescue; `decoys`: cloaked ships that escape by decoy."""

    units: Units
    tugs: tuple[UnitName, ...] = ()
    decoys: tuple[UnitName, ...] = ()


class AddSlow(Order, frozen=True, kw_only=True, tag="add-slow"):
    """Add units to the force against Slow Units whose escorts have stayed with them."""

    units: Units


def decide_seal_pursuit(game: Game, order: SealPursuit, _: Dice) -> list[Result]:
    """Seal the pursuit force and the force against Slow Units, the second even if it has no units.

    Raises:
        RuleViolation: A unit is elsewhere, is not a ship or is in both forces; there are no Slow Units; or a force has
            more units than its best flagship leads.
    """
    force = tuple(_pursuing(game, order, unit) for unit in dict.fromkeys(order.units))
    against_slow = tuple(_pursuing(game, order, unit) for unit in dict.fromkeys(order.slow))
    names, slow = tuple(unit.id for unit in force), tuple(unit.id for unit in against_slow)
    side = game.side_of(order.seat)
    if both := set(names) & set(slow):
        raise refuse(game, "in-both-forces", "302.742", unit=min(both))
    if slow and not any(slow_units(game, one) for one in pursued(game)):
        raise refuse(game, "no-slow-units", "302.742")
    for units in (force, against_slow):
        verify_best_leads(game, units)
    first = commit(game, side, "pursuit", names, "302.742")
    return [*first, *commit(after(game, first), side, "slow pursuit", slow, "302.742")]


def verify_best_leads(game: Game, units: tuple[Unit, ...], number: str = "302.742") -> None:
    """Check that the best flagship in a pursuit force leads all of it; a force with an unrated unit is not checked.

    Raises:
        RuleViolation: The force has more units than the flagship leads.
    """
    limits = [(command_limit(game, unit) or 0, unit) for unit in units if unit.get("command") is not None]
    if len(limits) == len(units) and units:
        verify_led(game, max(limits, key=lambda one: one[0])[1], units, number=number)


def _pursuing(game: Game, order: Order, unit: str) -> Unit:
    found = battle_unit(game, order, unit, "302.742")
    if not is_ship(found):
        what = Reason("base", "a base") if is_base(found) else Reason("not-a-ship", "not a ship")
        raise refuse(game, "cannot-pursue", "302.742", unit=unit, why=what)
    return found


def decide_add_slow(game: Game, order: AddSlow, _: Dice) -> list[Result]:
    """Add units to the force against Slow Units, whose escorts have stayed with them.

    Raises:
        RuleViolation: The side has no such force, or no escort has stayed; a unit is in a pursuit force; or the force
            has more units than its best flagship leads.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "302.742")
    held = slow_force(game, side)
    if not held or not any(_escorted(game, one) for one in pursued(game)):
        raise refuse(game, "no-escort-for-slow-units" if held else "no-force-for-slow-units", "302.742")
    units = tuple(_pursuing(game, order, unit) for unit in dict.fromkeys(order.units))
    named = _sealed(game, PURSUIT, side)
    for unit in units:
        if unit.id in held or unit.id in named:
            raise refuse(game, "in-a-pursuit-force", "302.742", unit=unit.id)
    verify_best_leads(game, (*(game.units[name] for name in held), *units))
    more = tuple(unit.id for unit in units)
    return marked(game, "slow added", (*names_in(game, "slow added"), *more), "added in 5-8E", rule)


def _escorted(game: Game, side: str) -> bool:
    """Check whether an escort of a Slow Unit was not set up in 5-8D, and so has stayed with the Slow Unit."""
    stood = force_of(game, side) or ()
    return any(not is_slow(unit) and unit.id not in stood for unit in _slow_and_escorts(game, side))


def slow_force(game: Game, side: str) -> tuple[str, ...]:
    """Return the revealed force against Slow Units, with added units; () if there is none."""
    slow = chosen(game, "slow pursuit", side)
    return (*slow, *names_in(game, "slow added")) if isinstance(slow, tuple) and slow else ()


def is_slow(unit: Unit) -> bool:
    """Check whether a unit is a Slow Unit, which the scenario marks; FRDs are slow."""
    return has(unit, "slow") or has(unit, "frd")


def slow_units(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the Slow Units of a side in the battle."""
    return tuple(unit for unit in in_battle(game, side) if is_slow(unit))


def _slow_and_escorts(game: Game, side: str) -> tuple[Unit, ...]:
    here = [unit for unit in in_battle(game, side) if not is_base(unit)]
    groups = {unit.get("group") for unit in here if is_slow(unit) and unit.get("group")}
    return tuple(unit for unit in here if is_slow(unit) or unit.get("group") in groups)


def decide_roll_pursuit(game: Game, order: RollPursuit, dice: Dice) -> list[Result]:
    """Roll the pursuit die, which only its owner sees; the roll itself is public, and 5-8E reveals the result.

    Raises:
        RuleViolation: The side has already rolled.
    """
    side, rule = game.side_of(order.seat), rule_of(game)
    if f"{side} pursuit die" in names_in(game, "sealed"):
        raise refuse(game, "pursuit-rolled-already")
    tried = _thrown(game, order, dice, secret_viewers(game, side))
    if tried.row is None and is_read(game, order):
        return list(tried.told)
    choice: Value = tried.total if tried.row is None else (str(tried.total), tried.said)
    made = ChoiceMade(question=DIE_SEALED, side=side, choice=choice, sealed=True, rule=rule)
    noted = marked(game, "sealed", (*names_in(game, "sealed"), f"{side} {DIE_SEALED}"), "", rule)
    own = RestrictedEvent(made, secret_viewers(game, side))
    return [*tried.told, ChoiceSealed(question=DIE_SEALED, side=side, rule=rule), own, *noted]


def is_read(game: Game, order: RollPursuit) -> bool:
    """Check whether a table or the order gives the number needed; if not, the pursuer announces the result."""
    return PURSUIT in game.tables or order.at_least is not None or order.by_the_book is not None


def _thrown(game: Game, order: RollPursuit, dice: Dice, own: tuple[str, ...]) -> TableOutcome:
    """Roll the die with all its modifiers, visible to its owner alone."""
    purpose, facts = f"pursuit from {hex_in_hand(game)}", _facts_of_pursuit(game, game.side_of(order.seat))
    if is_read(game, order):
        return try_for(game, dice, order, PURSUIT, order.at_least, purpose, modifiers=facts, seen_by=own)
    every = (*facts, *modifiers_of(order))
    rolled = dice.roll(word_of(game, DIE), purpose=purpose, modifiers=every, rule=rule_of(game))
    return TableOutcome((RestrictedEvent(rolled, own),), rolled.total)


def announce_pursuit(game: Game) -> list[Result]:
    """Announce the result that a table or number gives, without the die (5-8C); a side cannot state another result."""
    rolled = [side for side in pursuer(game) if f"{side} {DIE_SEALED}" in names_in(game, "sealed")]
    dice = [game.choices[choice_key(DIE_SEALED, side)].choice for side in rolled]
    results = [result for die in dice if isinstance(die, tuple) for _, result in [die]]
    said = [event for result in results for event in marked(game, "pursuit", result, RESULTS[result], rule_of(game))]
    return [*said, *(Closes(result) for result in results)]


def _facts_of_pursuit(game: Game, side: str) -> tuple[Modifier, ...]:
    """Return the scenario's modifiers for X-ships, Fast ships and a declined approach battle, each once."""
    traits = {trait for unit in in_battle(game, side) if not is_base(unit) for trait in unit.names("traits")}
    facts = (
        (PURSUIT_X, "X-ships", "x" in traits),
        (PURSUIT_FAST, "Fast ships", "fast" in traits),
        (PURSUIT_DECLINED, "approach battle declined", bool(game.markers.get("declined"))),
    )
    return tuple(
        Modifier(amount=number_of(game, one), source=words) for one, words, so in facts if so and number_of(game, one)
    )


def decide_stand(game: Game, order: Stand, _: Dice) -> list[Result]:
    """Set up the retreating Battle Force, which fights in the pursuit.

    Raises:
        RuleViolation: The force is already set up; a unit is a base, which stays, or a Slow Unit, whose battle is 5-8G;
            a rescuer is not a tug, or a ship with a decoy has no cloak; or the best flagship leads fewer units.
    """
    side, rule = game.side_of(order.seat), rule_of(game, "307.3")
    if (stands := force_of(game, side)) is not None:
        raise refuse(game, "retreat-force-set", "307.3", force=listed(stands))
    units = tuple(battle_unit(game, order, unit, "307.3") for unit in dict.fromkeys((*order.units, *order.tugs)))
    if (base := next(filter(is_base, units), None)) is not None:
        raise refuse(game, "base-does-not-retreat", "307.3", base=base.id)
    if (slow := next(filter(is_slow, units), None)) is not None:
        raise refuse(game, "slow-unit-in-force", "307.3", unit=slow.id, units=listed(_quick(game, side)))
    verify_best_leads(game, units, "307.3")
    for name in order.decoys:
        if name not in {unit.id for unit in units} or not has(game.units[name], "cloak"):
            raise refuse(game, "not-a-cloaked-ship", "538.55", unit=name)
    for name in order.tugs:
        need_trait(game, game.units[name], "tug", "tug", "537.3")
    names = tuple(unit.id for unit in units)
    made = ChoiceMade(question="force", side=side, choice=names, rule=rule)
    return [
        made,
        *(event for name in order.tugs for event in changed(game.units[name], "task", "rescue", "rescue tug", rule)),
        *(event for name in order.decoys for event in changed(game.units[name], "escapes", True, "by decoy", rule)),
        *marked(game, f"force of {side}", names, "set up for the pursuit", rule),
    ]


def has_stood(game: Game, side: str) -> bool:
    """Check whether the pursued side has set up its force, or has only Slow Units and bases."""
    return force_of(game, side) is not None or not _quick(game, side)


def _quick(game: Game, side: str) -> list[str]:
    """Return the units of a side that can be set up in 5-8D."""
    return [unit.id for unit in in_battle(game, side) if not is_base(unit) and not is_slow(unit)]


def somebody_stands(game: Game, _: str) -> bool:
    """Check whether a retreating Battle Force is set up."""
    return any(force_of(game, side) for side in pursued(game))


def open_pursuit(game: Game) -> list[Result]:
    """Reveal the pursuit forces, the die and the escort groups that both sides have set up again (5-8E)."""
    if answered(game, "5-8C") != "success":
        return _open_failed(game)
    told = open_all("escorts", DIE_SEALED, PURSUIT, "slow pursuit")(game)
    groups = [one for one in told if isinstance(one, ChoiceRevealed) and one.question == "escorts"]
    return [*told, *(event for one in groups for event in grouped(game, one.side, one.choice)), *_verified(game)]


def _verified(game: Game) -> list[Result]:
    """Return the events that note the die revealed in 5-8E; none if the pursuer stated its result or sealed no die."""
    sealed = [game.choices.get(choice_key(DIE_SEALED, side)) for side in pursuer(game)]
    return [
        event
        for one in sealed
        if one is not None and isinstance(one.choice, tuple)
        for total, result in [one.choice]
        for event in marked(game, "pursuit verified", total, f"{RESULTS[result]} on a {total}", rule_of(game))
    ]


def _open_failed(game: Game) -> list[Result]:
    """Reveal the die and the force against Slow Units after a failed roll; the pursuit force stays secret (5-8E).

    [reading] Only escort groups in the force against Slow Units are revealed (A8).
    """
    groups = [event for side in pursuer(game) for event in _groups_against_slow(game, side)]
    sealed = [side for side in pursuer(game) if f"{side} escorts" in names_in(game, "sealed")]
    unused = [ChoiceMade(question="escorts", side=side, choice=None, rule=rule_of(game)) for side in sealed]
    over = afresh("escorts", DIE_SEALED, PURSUIT, "slow pursuit")(game)
    return [*shown(game, DIE_SEALED, "slow pursuit"), *groups, *unused, *over, *_verified(game)]


def _groups_against_slow(game: Game, side: str) -> list[Result]:
    """Return the changes that set the groups sealed in 5-8A for units in a side's force against Slow Units."""
    slow = _sealed(game, "slow pursuit", side)
    lead = {name: group[0] for group in groups_of(game, side) for name in group}
    return [
        event
        for name in slow
        for event in changed(game.units[name], "group", lead.get(name), "escort group", rule_of(game, "515.15"))
    ]


def _sealed(game: Game, question: str, side: str) -> tuple[str, ...]:
    """Return the units of a choice, sealed or revealed."""
    found = game.choices.get(choice_key(question, side))
    return found.choice if found is not None and isinstance(found.choice, tuple) else ()


def begin_pursuit(game: Game) -> list[Result]:
    """Clear the marks of the last round, which do not apply in the pursuit (5-8A)."""
    return [*afresh("escorts", "pursuit", "slow pursuit", "pursuit die")(game), *_fresh(game)]


def _fresh(game: Game) -> list[Result]:
    cause = "a pursuit"
    marks = [event for mark in (*ROUND_MARKS, "fighting retreat") for event in marked(game, mark, None, cause)]
    return [*marks, *forget_forces(game), *clear_units(game, hex_in_hand(game))]


def begin_pursuit_battle(game: Game) -> list[Result]:
    """Set the forces of the battle before 5-8F or 5-8G.

    In 5-8F the pursuer fights with the force sealed in 5-8A; in 5-8G its force against Slow Units fights the Slow Units
    and their escorts that were not set up in 5-8D.
    """
    if printed(step_open(game)) == "5-8F":
        return [event for side in pursuer(game) for event in _serve(game, side, chosen(game, "pursuit", side))]
    slow = [event for side in pursuer(game) for event in _serve(game, side, slow_force(game, side))]
    left = [event for side in pursued(game) for event in _serve(game, side, _slow_units(game, side))]
    kept = [
        event for event in _fresh(game) if not (isinstance(event, MarkerSet) and event.marker.startswith("force of "))
    ]
    return [*kept, *slow, *left, *_no_points(game)]


def _no_points(game: Game) -> list[Result]:
    """Clear the plus and minus points of 5-8F: the battle of the Slow Units is a separate one."""
    if answered(game, "5-8C") != "success":
        return []
    held = [one for one in sorted(game.accounts) if carried_in(one, hex_in_hand(game))]
    return [event for one in held for event in paid(game, one, -game.accounts[one], "another battle", rule_of(game))]


def _serve(game: Game, side: str, names: Value) -> list[Result]:
    return marked(game, f"force of {side}", names if isinstance(names, tuple) else (), "pursuit", rule_of(game))


def _slow_units(game: Game, side: str) -> tuple[str, ...]:
    """Return the pursued Slow Units and the escorts that have stayed with them; units set up in 5-8D fought in 5-8F."""
    stood = force_of(game, side) or ()
    return tuple(unit.id for unit in _slow_and_escorts(game, side) if unit.id not in stood)


def no_tug_waits(game: Game) -> list[Result]:
    """Close the step after the battle unless a tug of the pursued can still try a rescue (5-8F, 5-8G, 537.3)."""
    mine = [unit for side in pursued(game) for unit in serving(game, side)]
    waits = any(unit.get("task") == "rescue" and not unit.get("rescuing") for unit in mine)
    return [] if waits else [Closes()]


def end_pursuit(game: Game) -> list[Result]:
    """Clear the forces and marks of the pursuit (5-8J)."""
    return _fresh(game)


def slow_units_fight(game: Game, _: str) -> bool:
    """Check whether the pursuer has revealed a force against Slow Units, and some of them were not set up in 5-8D."""
    return any(slow_force(game, side) for side in pursuer(game)) and any(
        _slow_units(game, side) for side in pursued(game)
    )
