"""Decide Step 3 of Phase 5: escort groups, flagships and Battle Forces, sealed and announced together."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire import options
from umpire_ledger.domain.titles.federation_and_empire.combat.assignments import (
    Assigned,
    apply_assignments,
    locked_in_pinwheels,
    verify_assigned,
    words_of,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.battle import (
    answered,
    base_is_here,
    base_is_included,
    commit,
    defenders,
    is_working_base,
    open_all,
    round_number,
)
from umpire_ledger.domain.titles.federation_and_empire.combat.withdrawal import open_flagship, verify_rated
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    battle_unit,
    empire_of,
    has,
    in_battle,
    is_base,
    living,
    phasing,
    refuse,
    rule_of,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import MINIMUM_FORCE
from umpire_ledger.domain.titles.federation_and_empire.raids.decoys import is_decoy, romulans, ship_of_decoy
from umpire_ledger.kit import (
    ChoiceRevealed,
    Dice,
    Game,
    Name,
    Order,
    Reason,
    Result,
    Unit,
    UnitName,
    Value,
    after,
    changed,
    choice_key,
    listed,
    marked,
    number_of,
    paid,
    step_open,
)


class SealEscorts(Order, frozen=True, kw_only=True, tag="seal-escorts"):
    """Secretly set up carrier and other escort groups, each written `CVA1: DE1 DE2`; you may set up none."""

    groups: tuple[Name, ...] = ()


class SealFlagship(Order, frozen=True, kw_only=True, tag="seal-flagship"):
    """Secretly name the flagship of this round; Command Points can be used in the first round only."""

    unit: UnitName
    command_points: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0


class SealForce(Assigned, frozen=True, kw_only=True, tag="seal-force"):
    """Secretly choose the Battle Force and the tasks of its units.

    `decoys`: for the Romulans, ships with a decoy and their place in the force, each written `SHIP PLACE`.
    """

    units: tuple[UnitName, ...] = ()
    decoys: tuple[Name, ...] = ()


# --- 5-3C: escort groups ----------------------------------------------------------------------------------------------


def decide_seal_escorts(game: Game, order: SealEscorts, _: Dice) -> list[Result]:
    """Seal escort groups.

    [reading] A group fights whole, so a flagship of its side must be able to lead it (515.15, 302.33).

    Raises:
        RuleViolation: The first round is over, because groups stay until pursuit; a unit is in two groups; or a group
            is too large.
    """
    if round_number(game) > 1 and not step_open(game).startswith("5-8"):
        raise refuse(game, "escorts-set-already", "515.15")
    seen: set[str] = set()
    for name in (name for group in order.groups for name in members_of(group)):
        battle_unit(game, order, name, "515.15")
        if name in seen:
            raise refuse(game, "in-two-groups", "515.15", unit=name)
        seen.add(name)
    if not step_open(game).startswith("5-8"):
        for group in order.groups:
            _verify_can_be_led(game, game.side_of(order.seat), members_of(group))
    return commit(game, game.side_of(order.seat), "escorts", order.groups, "515.15")


def _verify_can_be_led(game: Game, side: str, group: list[str]) -> None:
    """Check that a flagship of the side can lead the whole group.

    If the group contains an open flagship that must serve, only that flagship counts.

    Raises:
        RuleViolation: The group is too large for each of these flagships.
    """
    points, named = game.accounts.get(command_account(side), 0), open_flagship(game, side)
    lead = [game.units[named]] if named in group and _must_serve(game, side, named) else _may_lead(game, side)
    over = [_too_many(game, one, [game.units[name] for name in {*group, one.id}], points) for one in lead]
    if over and min(over) > 0:
        best = lead[over.index(min(over))]
        raise refuse(
            game, "group-too-large", "515.15", leader=group[0], given=len(group), unit=best.id, excess=min(over)
        )


def _may_lead(game: Game, side: str) -> list[Unit]:
    """Return the units of a side in the battle that may be its flagship: those with a rating, if any has one."""
    kept_out = _bases_kept_out(game, side)
    here = [unit for unit in in_battle(game, side) if unit not in kept_out]
    return [unit for unit in here if unit.get("command") is not None] or here


def _must_serve(game: Game, side: str, named: str) -> bool:
    """Check whether a defender's open flagship must serve: in the first round, if it fights."""
    able = any(one.id == named and one not in _bases_kept_out(game, side) for one in in_battle(game, side))
    return round_number(game) == 1 and side in defenders(game) and able


def members_of(group: str) -> list[str]:
    """Return the units of a group as it is written, the escorted one first."""
    return list(dict.fromkeys(group.replace(":", " ").split()))


def grouped(game: Game, side: str, groups: Value) -> list[Result]:
    """Replace a side's groups in this battle by those that it has revealed; its other groups dissolve."""
    named = {
        name: members_of(one)[0] for one in (groups if isinstance(groups, tuple) else ()) for name in members_of(one)
    }
    rule = rule_of(game, "515.15")
    return [
        event
        for unit in in_battle(game, side)
        if unit.id in named or unit.get("group") is not None
        for event in changed(unit, "group", named.get(unit.id), "escort group", rule)
    ]


# --- 5-3D: flagships --------------------------------------------------------------------------------------------------


def decide_seal_flagship(game: Game, order: SealFlagship, _: Dice) -> list[Result]:
    """Seal the flagship and its Command Points.

    Raises:
        RuleViolation: In round 1 the unit is not the open flagship; Command Points are used after round 1, or too many;
            the unit is a base that an approach battle leaves out; or it has no rating, or cannot lead its own group,
            although another unit could.
    """
    unit = battle_unit(game, order, order.unit, "302.33")
    named = open_flagship(game, unit.side)
    kept_out = {base.id for base in _bases_kept_out(game, unit.side)}
    if unit.id in kept_out:
        raise refuse(game, "no-part-in-approach", "302.22", unit=unit.id)
    if named != unit.id and _must_serve(game, unit.side, named):
        raise refuse(game, "flagship-required", "302.133", flagship=named)
    if unit.id != named:
        verify_rated(game, unit, (one for one in in_battle(game, unit.side) if one.id not in kept_out))
    if order.command_points and round_number(game) > 1:
        raise refuse(game, "command-points-first-round", "308.9")
    held = game.accounts.get(command_account(unit.side), 0)
    if order.command_points > held:
        raise refuse(game, "too-few-command-points", "308.9", side_holds=game.side_does(unit.side, "holds"), limit=held)
    _verify_leads_its_group(game, unit, order.command_points)
    choice = (unit.id, f"{order.command_points} Command Points")
    return commit(game, unit.side, "flagship", choice, "302.32")


def _verify_leads_its_group(game: Game, unit: Unit, points: int) -> None:
    """Check that a flagship leads its own group.

    Raises:
        RuleViolation: It does not, although another flagship, or more Command Points, would lead the group.
    """
    if (over := _over_its_group(game, unit, points)) <= 0:
        return
    held = game.accounts.get(command_account(unit.side), 0) if round_number(game) == 1 else 0
    if over + points <= held:
        raise refuse(
            game, "group-above-leader", "302.33", unit=unit.id, over=over, plural="s" * (over > 1), points=over + points
        )
    others = [] if _must_serve(game, unit.side, unit.id) else _may_lead(game, unit.side)
    fit = [one.id for one in others if _over_its_group(game, one, held) <= 0]
    if fit:
        raise refuse(
            game,
            "unit-above-leader",
            "302.33",
            unit=unit.id,
            over=over,
            plural="s" * (over > 1),
            units=listed(fit, unit.id),
        )


def _over_its_group(game: Game, flagship: Unit, points: int) -> int:
    """Return the number of units by which a flagship's own group exceeds its limit; 0 or less if it leads the group."""
    group = next((one for one in groups_of(game, flagship.side) if flagship.id in one), [])
    return _too_many(game, flagship, [one for one in in_battle(game, flagship.side) if one.id in group], points)


def command_account(side: str) -> str:
    """Return the account of a side's Command Points."""
    return f"{side}/command points"


def flagship_sealed(game: Game, side: str) -> tuple[str, int]:
    """Return the flagship of a side and its Command Points while they are sealed; "" and 0 otherwise."""
    found = game.choices.get(choice_key("flagship", side))
    return _flagship_of(found.choice) if found is not None and found.sealed else ("", 0)


def _flagship_of(choice: Value) -> tuple[str, int]:
    if not isinstance(choice, tuple):
        return "", 0
    name, points = choice
    return name, int(points.partition(" ")[0])


def command_limit(game: Game, flagship: Unit, points: int = 0) -> int | None:
    """Return the number of units that a flagship leads; None without a rating.

    It is the sum of its rating, that of the best admiral aboard, and the Command Points.
    """
    if flagship.get("command") is None:
        return None
    aboard = (one.number("command") for one in living(game) if one.get("aboard") == flagship.id and has(one, "leader"))
    return flagship.number("command") + max(aboard, default=0) + points


# --- 5-3E: forces -----------------------------------------------------------------------------------------------------


def decide_seal_force(game: Game, order: SealForce, _: Dice) -> list[Result]:
    """Seal the force and its assignments.

    With cloaked decoys in play, the Romulans always seal the places of decoys in the force, even if it has none.

    Raises:
        RuleViolation: A unit is not in the battle; a base is in an approach battle, or missing in a base battle; a
            group is split; the force is too small or too large; or an assignment is not allowed.
    """
    side = game.side_of(order.seat)
    units = tuple(battle_unit(game, order, unit) for unit in order.units)
    _verify_force(game, side, units)
    _verify_groups(game, side, units)
    _verify_flagship(game, side, units)
    verify_assigned(game, order, units)
    results = commit(game, side, "force", order.units, "302.3")
    results += commit(after(game, results), side, "assignments", words_of(order), "302.3")
    if side not in romulans(game) or not game.options.get(options.decoys.name):
        if order.decoys:
            raise refuse(game, "no-cloaked-decoys", "538.34", side_has=game.side_does(side, "has"))
        return results
    _verify_decoy_places(game, order)
    return [*results, *commit(after(game, results), side, "decoy places", order.decoys, "538.34")]


def _verify_decoy_places(game: Game, order: SealForce) -> None:
    """Check the places of decoys in the force.

    Raises:
        RuleViolation: A ship is not in the force, has no decoy recorded for it, is placed twice, or has no place.
    """
    side = game.side_of(order.seat)
    ships = {ship_of_decoy(game, unit) for unit in living(game) if unit.side == side and is_decoy(unit)} & {
        *order.units
    }
    placed: set[str] = set()
    for ship, place in (one.partition(" ")[::2] for one in order.decoys):
        able = sorted(ships - placed)
        if ship not in ships or ship in placed:
            without = Reason("no-decoy-in-force", "is not a ship of the force with a recorded decoy")
            why = Reason("placed-already", "already has its place") if ship in placed else without
            raise refuse(
                game,
                "cannot-have-decoy" if able else "none-can-have-decoy",
                "538.34",
                ship=ship,
                why=why,
                units=listed(able),
            )
        if not place:
            raise refuse(game, "ship-place-missing", "538.34", ship=ship)
        placed.add(ship)


def _bases(game: Game, side: str) -> list[Unit]:
    """Return the working bases of a defender in the battle; none for the phasing side."""
    defends = side != phasing(game) and base_is_here(game, "")
    return [unit for unit in in_battle(game, side) if is_working_base(unit)] if defends else []


def _bases_kept_out(game: Game, side: str) -> list[Unit]:
    """Return the bases that an approach battle leaves out (302.22)."""
    return [] if base_is_included(game) else _bases(game, side)


def _verify_groups(game: Game, side: str, units: tuple[Unit, ...]) -> None:
    """Check that groups fight whole; as set up in 5-3C, they stay until pursuit.

    [reading] A group that a flagship in it can no longer lead, for instance because it is crippled, fights in part.

    Raises:
        RuleViolation: The force has a part of a group without the rest.
    """
    flagship, points = flagship_sealed(game, side)
    kept_out, named = _bases_kept_out(game, side), {unit.id for unit in units}
    able = {unit.id for unit in in_battle(game, side) if unit not in kept_out}
    for group in groups_of(game, side):
        rest = [name for name in group if name in able and name not in named]
        too_large = flagship in group and _over_its_group(game, game.units[flagship], points) > 0
        if rest and not named.isdisjoint(group) and not too_large:
            raise refuse(
                game,
                "group-incomplete",
                "515.15",
                units=" and ".join(rest),
                plural="s" * (len(rest) == 1),
                leader=group[0],
            )


def groups_of(game: Game, side: str) -> list[list[str]]:
    """Return the groups of a side, escorted unit first: those sealed in this round, or else its present ones."""
    sealed = game.choices.get(choice_key("escorts", side))
    if sealed is not None and sealed.sealed and isinstance(sealed.choice, tuple):
        return [members_of(group) for group in sealed.choice]
    standing: dict[str, list[str]] = {}
    for unit in in_battle(game, side):
        if (group := unit.get("group")) is not None:
            standing.setdefault(str(group), [str(group)]).append(unit.id)
    return [list(dict.fromkeys(names)) for names in standing.values()]


def _verify_flagship(game: Game, side: str, units: tuple[Unit, ...]) -> None:
    """Check that the flagship that the side has sealed in 5-3D is in its force and leads all of it.

    Raises:
        RuleViolation: The flagship is not in the force, or the force has more units than it leads.
    """
    named, points = flagship_sealed(game, side)
    if not named or not units:
        return
    if named not in {unit.id for unit in units}:
        raise refuse(game, "flagship-not-in-force", "302.36", flagship=named)
    verify_led(game, game.units[named], units, points)


def verify_led(game: Game, flagship: Unit, units: tuple[Unit, ...], points: int = 0, number: str = "302.33") -> None:
    """Check that a flagship leads the units.

    [reading] Bases do not count against the limit.

    Raises:
        RuleViolation: There are more units than the flagship leads.
    """
    over = _too_many(game, flagship, units, points)
    if over > 0:
        most = command_limit(game, flagship, points)
        raise refuse(
            game,
            "force-above-flagship",
            number,
            flagship=flagship.id,
            limit=most,
            given=len(_led(flagship, units)),
            excess=over,
        )


def _led(flagship: Unit, units: Iterable[Unit]) -> list[Unit]:
    """Return the units that count against a flagship's limit."""
    return [unit for unit in units if unit.id != flagship.id and not is_base(unit)]


def _too_many(game: Game, flagship: Unit, units: Iterable[Unit], points: int) -> int:
    """Return the number of units that exceed a flagship's limit; 0 or less if it leads them all."""
    most, led = command_limit(game, flagship, points), _led(flagship, units)
    return 0 if most is None else len(led) - any(_goes_with_general(game, unit) for unit in led) - most


def _goes_with_general(game: Game, unit: Unit) -> bool:
    """Check whether a unit is a commando ship whose empire has a general in the hex (321.31).

    One such ship does not count against the command limit.
    """
    if not has(unit, "commando"):
        return False
    near = (one for one in living(game) if one.at == unit.at and has(one, "general"))
    return any(empire_of(one) == empire_of(unit) for one in near)


def _verify_force(game: Game, side: str, units: tuple[Unit, ...]) -> None:
    included, bases = base_is_included(game), _bases(game, side)
    able = [unit.id for unit in in_battle(game, side) if included or unit not in bases]
    least = min(max(1, number_of(game, MINIMUM_FORCE)), len(able))
    if len(units) < least and _could_grow(game, side, units, able):
        raise refuse(game, "force-too-small", "302.36", limit=least, plural="s" * (least > 1), units=listed(able))
    out = next((base for base in bases if not included and base in units), None)
    if out is not None:
        raise refuse(game, "base-not-in-approach", "302.22", base=out.id)
    if included and bases and not any(base in units for base in bases):
        raise refuse(game, "base-required", "302.2", base=bases[0].id)


def _could_grow(game: Game, side: str, units: tuple[Unit, ...], able: list[str]) -> bool:
    """Check whether the sealed flagship could lead another unit, or another whole group, in the force."""
    named, points = flagship_sealed(game, side)
    if not named or not units:
        return True
    groups, taken = groups_of(game, side), {unit.id for unit in units}
    pieces = [{one, *next((group for group in groups if one in group), ())} & {*able} for one in able]
    more = [[*units, *(game.units[one] for one in piece)] for piece in pieces if taken.isdisjoint(piece)]
    return any(_too_many(game, game.units[named], force, points) <= 0 for force in more)


# --- 5-3G: the announcement -------------------------------------------------------------------------------------------


def announce_forces(game: Game) -> list[Result]:
    """Reveal and note groups, flagships, forces and assignments at once, and pay Command Points (5-3G).

    Ships in pinwheels take no part in an approach battle that the Tholians have accepted (5-3F3).
    """
    told = open_all("escorts", "flagship", "force", "assignments")(game)
    shown = {(one.question, one.side): one.choice for one in told if isinstance(one, ChoiceRevealed)}
    results = [*told]
    for (question, side), choice in shown.items():
        if question == "escorts":
            results += grouped(game, side, choice)
        elif question == "flagship":
            results += _pay_command(game, side, _flagship_of(choice)[1])
        elif question == "force" and isinstance(choice, tuple):
            out = _left_out(game, side, shown.get(("assignments", side)))
            serve = tuple(name for name in choice if name not in out)
            results += marked(game, f"force of {side}", serve, "", rule_of(game))
        elif isinstance(choice, tuple):
            results += apply_assignments(game, side, choice)
    return [*results, *_count_bases(game, [choice for (question, _), choice in shown.items() if question == "force"])]


def _left_out(game: Game, side: str, words: Value) -> frozenset[str]:
    if answered(game, "5-3F3") != "accept":
        return frozenset()
    return locked_in_pinwheels(game, side, words if isinstance(words, tuple) else ())


def _pay_command(game: Game, side: str, points: int) -> list[Result]:
    return paid(game, command_account(side), -points, "Command Points", rule_of(game, "308.92"))


def _count_bases(game: Game, forces: list[Value]) -> list[Result]:
    """Count the rounds of the hex that were fought with a base (304.5)."""
    names = [name for force in forces if isinstance(force, tuple) for name in force]
    with_base = any(is_base(game.units[name]) for name in names)
    return marked(game, "with bases", game.number("with bases") + 1, "", "5-3X2 (304.5)") if with_base else []
