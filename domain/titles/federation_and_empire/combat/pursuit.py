"""Step 8 of Phase 5: pursuit of those who retreat or withdrew, and of their Slow Units in a battle of its own.

[reading] A failed pursuit roll leaves out 5-8D and 5-8F (A8); what steps 3X to 6 borrow does not hold 6X (A2).
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
    Outcome,
    RestrictedEvent,
    Result,
    TableRoll,
    Unit,
    UnitName,
    Value,
    after,
    changed,
    choice_key,
    eyes,
    listed,
    marked,
    modifiers_of,
    names_in,
    number_of,
    paid,
    step_open,
    word_of,
)

PURSUIT, DIE_SEALED = "pursuit", "pursuit die"
"""The scenario's table and the question of the force; the question under which its owner keeps the die."""


class SealPursuit(Order, frozen=True, kw_only=True, tag="seal-pursuit"):
    """Secretly choose the pursuit force, and the force against Slow Units; escort groups are free again."""

    units: Units
    slow: tuple[UnitName, ...] = ()


class RollPursuit(TableRoll, frozen=True, kw_only=True, tag="roll-pursuit"):
    """Roll for the pursuit; the die stays yours until 5-8E, and its result is announced in 5-8C.

    The table `pursuit` of the scenario gives the result, or `at_least`; without either you announce it yourself.
    """

    at_least: Pips | None = None


class Stand(Order, frozen=True, kw_only=True, tag="stand"):
    """The pursued side sets up its retreating Battle Force, with tugs that rescue; `decoys`: ships that slip away."""

    units: Units
    tugs: tuple[UnitName, ...] = ()
    decoys: tuple[UnitName, ...] = ()


class AddSlow(Order, frozen=True, kw_only=True, tag="add-slow"):
    """Units join the force against Slow Units whose escorts have stayed with them."""

    units: Units


def decide_seal_pursuit(game: Game, order: SealPursuit, _: Dice) -> list[Result]:
    """Two sealed records, the second even of no Slow Unit force.

    Raises RuleViolation: a unit elsewhere, a base, one in both forces; no Slow Units; more than the best one leads.
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
    """Raises RuleViolation for a force of a pursuit that is larger than the one that leads most of it could lead."""
    limits = [(command_limit(game, unit) or 0, unit) for unit in units if unit.get("command") is not None]
    if len(limits) == len(units) and units:
        verify_led(game, max(limits, key=lambda one: one[0])[1], units, number=number)


def _pursuing(game: Game, order: Order, unit: str) -> Unit:
    found = battle_unit(game, order, unit, "302.742")
    if not is_ship(found):
        what = "a base" if is_base(found) else "no ship"
        raise refuse(game, "cannot-pursue", "302.742", unit=unit, why=what)
    return found


def decide_add_slow(game: Game, order: AddSlow, _: Dice) -> list[Result]:
    """The Slow Unit force grows while the Slow Units keep their escorts.

    Raises RuleViolation: no escort has stayed with them; in the pursuit force; more than the best one leads.
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
    """Whether a unit of a Slow Unit's group was not set up in 5-8D: it has stayed with its charge."""
    stood = force_of(game, side) or ()
    return any(not is_slow(unit) and unit.id not in stood for unit in _slow_and_escorts(game, side))


def slow_force(game: Game, side: str) -> tuple[str, ...]:
    """The revealed force against Slow Units, with what was added."""
    slow = chosen(game, "slow pursuit", side)
    return (*slow, *names_in(game, "slow added")) if isinstance(slow, tuple) and slow else ()


def is_slow(unit: Unit) -> bool:
    """A Slow Unit, as a scenario marks it; FRDs are slow."""
    return has(unit, "slow") or has(unit, "frd")


def slow_units(game: Game, side: str) -> tuple[Unit, ...]:
    """The Slow Units of a side among those in the battle."""
    return tuple(unit for unit in in_battle(game, side) if is_slow(unit))


def _slow_and_escorts(game: Game, side: str) -> tuple[Unit, ...]:
    here = [unit for unit in in_battle(game, side) if not is_base(unit)]
    groups = {unit.get("group") for unit in here if is_slow(unit) and unit.get("group")}
    return tuple(unit for unit in here if is_slow(unit) or unit.get("group") in groups)


def decide_roll_pursuit(game: Game, order: RollPursuit, dice: Dice) -> list[Result]:
    """The die is seen by its owner only; that it was rolled is public, and its pips are opened in 5-8E.

    Raises RuleViolation for a second roll.
    """
    side, rule = game.side_of(order.seat), rule_of(game)
    if f"{side} pursuit die" in names_in(game, "sealed"):
        raise refuse(game, "pursuit-rolled-already")
    tried = _thrown(game, order, dice, eyes(game, side))
    if tried.row is None and is_read(game, order):
        return list(tried.told)
    choice: Value = tried.total if tried.row is None else (str(tried.total), tried.said)
    made = ChoiceMade(question=DIE_SEALED, side=side, choice=choice, sealed=True, rule=rule)
    noted = marked(game, "sealed", (*names_in(game, "sealed"), f"{side} {DIE_SEALED}"), "", rule)
    own = RestrictedEvent(made, eyes(game, side))
    return [*tried.told, ChoiceSealed(question=DIE_SEALED, side=side, rule=rule), own, *noted]


def is_read(game: Game, order: RollPursuit) -> bool:
    """Whether a table or the order says what the die must show; else the pursuer announces what it brings."""
    return PURSUIT in game.tables or order.at_least is not None or order.by_the_book is not None


def _thrown(game: Game, order: RollPursuit, dice: Dice, own: tuple[str, ...]) -> Outcome:
    """The die with all that counts, seen by its owner alone."""
    purpose, facts = f"pursuit from {hex_in_hand(game)}", _facts_of_pursuit(game, game.side_of(order.seat))
    if is_read(game, order):
        return try_for(game, dice, order, PURSUIT, order.at_least, purpose, modifiers=facts, seen_by=own)
    every = (*facts, *modifiers_of(order))
    rolled = dice.roll(word_of(game, DIE), purpose=purpose, modifiers=every, rule=rule_of(game))
    return Outcome((RestrictedEvent(rolled, own),), rolled.total)


def announce_pursuit(game: Game) -> list[Result]:
    """5-8C: the result that a table or a number gives is the one that is announced; nobody states another."""
    rolled = [side for side in pursuer(game) if f"{side} {DIE_SEALED}" in names_in(game, "sealed")]
    dice = [game.choices[choice_key(DIE_SEALED, side)].choice for side in rolled]
    return [Closes(result) for die in dice if isinstance(die, tuple) for _, result in [die]]


def _facts_of_pursuit(game: Game, side: str) -> tuple[Modifier, ...]:
    """What the scenario's numbers add for X-ships, Fast ships and a declined approach battle, each once."""
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
    """Who is set up fights in the pursuit.

    Raises RuleViolation: the force is set up; a base, which stays; a Slow Unit, whose battle is 5-8G; no tug or cloak;
        more than the best one leads.
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
    """Whether the pursued side has set up its force, or has nobody but Slow Units and bases."""
    return force_of(game, side) is not None or not _quick(game, side)


def _quick(game: Game, side: str) -> list[str]:
    """The ships of a side that can be set up in 5-8D."""
    return [unit.id for unit in in_battle(game, side) if not is_base(unit) and not is_slow(unit)]


def somebody_stands(game: Game, _: str) -> bool:
    """Whether a retreating Battle Force is set up."""
    return any(force_of(game, side) for side in pursued(game))


def open_pursuit(game: Game) -> list[Result]:
    """5-8E: pursuit forces and die are opened, and the escort groups that both sides have set up anew."""
    if answered(game, "5-8C") != "success":
        return _open_failed(game)
    told = open_all("escorts", DIE_SEALED, PURSUIT, "slow pursuit")(game)
    groups = [one for one in told if isinstance(one, ChoiceRevealed) and one.question == "escorts"]
    return [*told, *(event for one in groups for event in grouped(game, one.side, one.choice))]


def _open_failed(game: Game) -> list[Result]:
    """5-8E after a failed die: the die and the force against Slow Units are opened; who was to pursue stays secret.

    [reading] Of the escort groups those are opened that are in the force against Slow Units (A8).
    """
    groups = [event for side in pursuer(game) for event in _groups_against_slow(game, side)]
    sealed = [side for side in pursuer(game) if f"{side} escorts" in names_in(game, "sealed")]
    unused = [ChoiceMade(question="escorts", side=side, choice=None, rule=rule_of(game)) for side in sealed]
    over = afresh("escorts", DIE_SEALED, PURSUIT, "slow pursuit")(game)
    return [*shown(game, DIE_SEALED, "slow pursuit"), *groups, *unused, *over]


def _groups_against_slow(game: Game, side: str) -> list[Result]:
    """The groups that a side has sealed in 5-8A, as far as they are in its force against Slow Units."""
    slow = _sealed(game, "slow pursuit", side)
    lead = {name: group[0] for group in groups_of(game, side) for name in group}
    return [
        event
        for name in slow
        for event in changed(game.units[name], "group", lead.get(name), "escort group", rule_of(game, "515.15"))
    ]


def _sealed(game: Game, question: str, side: str) -> tuple[str, ...]:
    """The units of a choice, sealed or revealed."""
    found = game.choices.get(choice_key(question, side))
    return found.choice if found is not None and isinstance(found.choice, tuple) else ()


def begin_pursuit(game: Game) -> list[Result]:
    """5-8A: what counted for the last round does not count in the pursuit."""
    return [*afresh("escorts", "pursuit", "slow pursuit", "pursuit die")(game), *_fresh(game)]


def _fresh(game: Game) -> list[Result]:
    cause = "a pursuit"
    marks = [event for mark in (*ROUND_MARKS, "fighting retreat") for event in marked(game, mark, None, cause)]
    return [*marks, *forget_forces(game), *clear_units(game, hex_in_hand(game))]


def begin_pursuit_battle(game: Game) -> list[Result]:
    """Before 5-8F and 5-8G, the forces of their battles: what was sealed in 5-8A, and who was set up or is slow."""
    if printed(step_open(game)) == "5-8F":
        return [event for side in pursuer(game) for event in _serve(game, side, chosen(game, "pursuit", side))]
    slow = [event for side in pursuer(game) for event in _serve(game, side, slow_force(game, side))]
    left = [event for side in pursued(game) for event in _serve(game, side, _slow_units(game, side))]
    kept = [
        event for event in _fresh(game) if not (isinstance(event, MarkerSet) and event.marker.startswith("force of "))
    ]
    return [*kept, *slow, *left, *_no_points(game)]


def _no_points(game: Game) -> list[Result]:
    """What 5-8F left over, or took too much, does not count in the battle of the Slow Units, which is another."""
    if answered(game, "5-8C") != "success":
        return []
    held = [one for one in sorted(game.accounts) if carried_in(one, hex_in_hand(game))]
    return [event for one in held for event in paid(game, one, -game.accounts[one], "another battle", rule_of(game))]


def _serve(game: Game, side: str, names: Value) -> list[Result]:
    return marked(game, f"force of {side}", names if isinstance(names, tuple) else (), "pursuit", rule_of(game))


def _slow_units(game: Game, side: str) -> tuple[str, ...]:
    """The Slow Units of the pursued and who has stayed with them; who was set up fought in 5-8F."""
    stood = force_of(game, side) or ()
    return tuple(unit.id for unit in _slow_and_escorts(game, side) if unit.id not in stood)


def no_tug_waits(game: Game) -> list[Result]:
    """5-8F, 5-8G: after the battle the pursued act only where a tug of theirs was assigned to rescue (537.3)."""
    mine = [unit for side in pursued(game) for unit in serving(game, side)]
    waits = any(unit.get("task") == "rescue" and not unit.get("rescuing") for unit in mine)
    return [] if waits else [Closes()]


def end_pursuit(game: Game) -> list[Result]:
    """5-8J: the forces of the pursuit are no more."""
    return _fresh(game)


def slow_units_fight(game: Game, _: str) -> bool:
    """Whether the revealed pursuit has a force against Slow Units, and they were not set up in 5-8D."""
    return any(slow_force(game, side) for side in pursuer(game)) and any(
        _slow_units(game, side) for side in pursued(game)
    )
