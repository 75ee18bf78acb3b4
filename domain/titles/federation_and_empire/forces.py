"""Steps 1 to 3 of Phase 5: withdrawal and evasion, flagships, escorts, Battle Forces, pinwheels."""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.federation_and_empire import options
from umpire_ledger.domain.titles.federation_and_empire.battle import (
    base_is_here,
    base_is_included,
    commit,
    defender,
    is_working_base,
    open_all,
)
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    Pips,
    Units,
    battle_unit,
    empire_of,
    has,
    hex_in_hand,
    in_battle,
    is_base,
    living,
    need_trait,
    own_units,
    phasing,
    refuse,
    rule_of,
    travelled,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import Hex
from umpire_ledger.domain.titles.federation_and_empire.missions import romulans
from umpire_ledger.domain.titles.federation_and_empire.moving import verify_together
from umpire_ledger.domain.titles.federation_and_empire.ours import PINWHEEL
from umpire_ledger.kit import (
    ChoiceMade,
    ChoiceRevealed,
    Dice,
    Game,
    Name,
    Order,
    Result,
    TableRoll,
    Unit,
    UnitName,
    after,
    changed,
    choice_key,
    marked,
    names_in,
    number_of,
    pass_number,
    removed,
    step_open,
    word_in,
)

Path = Annotated[tuple[Hex, ...], msgspec.Meta(min_length=1)]


class Withdraw(Order, frozen=True, kw_only=True, tag="withdraw"):
    """Units withdraw before combat along a path out of the battle hex."""

    units: Units
    path: Path


class RecordDecoys(Order, frozen=True, kw_only=True, tag="record-decoys"):
    """Secretly record where all your cloaked decoys are, each written `DECOY SHIP`; none is recorded the same."""

    places: tuple[Name, ...] = ()


class NameFlagship(Order, frozen=True, kw_only=True, tag="name-flagship"):
    """Name, openly, the flagship of those who stay; it serves in the first round."""

    unit: UnitName


class Evade(TableRoll, frozen=True, kw_only=True, tag="evade"):
    """A cloaked ship tries to evade the battle; `at_least` where the scenario has no table `evasion`."""

    unit: UnitName
    at_least: Pips | None = None


class SealEscorts(Order, frozen=True, kw_only=True, tag="seal-escorts"):
    """Secretly set up carrier and other escort groups, each written `CVA1: DE1 DE2`; none is an answer too."""

    groups: tuple[Name, ...] = ()


class SealFlagship(Order, frozen=True, kw_only=True, tag="seal-flagship"):
    """Secretly name the flagship of this round; Command Points in the first round only."""

    unit: UnitName
    command_points: Annotated[int, msgspec.Meta(ge=0, le=9)] = 0


class SealForce(Order, frozen=True, kw_only=True, tag="seal-force"):
    """Secretly choose the Battle Force. `decoys`: for the Romulans, ships with a decoy and their place in the force."""

    units: tuple[UnitName, ...] = ()
    decoys: tuple[UnitName, ...] = ()


class DeclarePinwheels(Order, frozen=True, kw_only=True, tag="declare-pinwheels"):
    """Declare how many pinwheels are formed, 0 to 9; which ships form them is opened with the forces."""

    number: Annotated[int, msgspec.Meta(ge=0, le=9)]


class DissolvePinwheel(Order, frozen=True, kw_only=True, tag="dissolve-pinwheel"):
    """One pinwheel is dissolved."""


class UseCaptured(Order, frozen=True, kw_only=True, tag="use-captured"):
    """Announce that a captured ship gives +1 on your damage die."""

    unit: UnitName


# --- step 1 -----------------------------------------------------------------------------------------------------------


def decide_withdraw(game: Game, order: Withdraw, _: Dice) -> list[Result]:
    """Raises RuleViolation: not in the hex; a base; a path with a gap."""
    units = own_units(game, order, order.units)
    place = hex_in_hand(game)
    if order.path[-1] == place:
        raise refuse(game, f"the path ends at {place}, where it began", "end it in another hex", "302.12")
    for unit in units:
        if unit.at != place:
            raise refuse(game, f"{unit.id} is at {unit.at}", f"name units at {place}", "302.12")
    verify_together(game, units, order.path)
    rule = rule_of(game, "302.12")
    noted = [event for unit in units for event in changed(unit, "withdrew", place, "withdrawal", rule)]
    return [*noted, *travelled(game, units, order.path, "withdrawal", rule)]


def decide_record_decoys(game: Game, order: RecordDecoys, _: Dice) -> list[Result]:
    """One sealed record a battle hex, whatever stands in it: nobody learns from it whether there are decoys.

    Raises RuleViolation for a unit of another side, or for a second record: it cannot be changed between rounds.
    """
    for place in order.places:
        own_units(game, order, place.split())
    return commit(game, game.side_of(order.seat), "decoys", order.places, "538.31")


def decide_name_flagship(game: Game, order: NameFlagship, _: Dice) -> list[Result]:
    """Raises RuleViolation for a unit that is not in the battle, or that has withdrawn or evaded."""
    unit = battle_unit(game, order, order.unit, "302.133" if step_open(game) == "5-1D" else "306.1")
    return marked(game, "flagship", unit.id, "named openly", rule_of(game, "302.133"))


def decide_evade(game: Game, order: Evade, dice: Dice) -> list[Result]:
    """One roll a ship; success takes it out of this battle. Raises RuleViolation: no cloak; it has tried."""
    unit = battle_unit(game, order, order.unit)
    need_trait(game, unit, "cloak", "ship with a cloaking device", "306.1")
    tried = f"{hex_in_hand(game)} in turn {game.turn}"
    if unit.get("tried_evading") == tried:
        raise refuse(game, f"{unit.id} has tried to evade here", "name another ship, or `done`", "306.1")
    roll = try_for(game, dice, order, "evasion", order.at_least, f"evasion of {unit.id}", (unit.id,))
    if roll.row is None:
        return list(roll.told)
    rule = rule_of(game, "306.1")
    noted = changed(unit, "tried_evading", tried, "", rule)
    gone = changed(unit, "evaded", hex_in_hand(game), "", rule) if roll.row == "success" else []
    return [*roll.told, *noted, *gone]


# --- step 3 -----------------------------------------------------------------------------------------------------------


def round_number(game: Game) -> int:
    """The round of combat in the hex in hand; 0 outside the rounds."""
    return pass_number(game.cursor, "5-ROUND")


def decide_seal_escorts(game: Game, order: SealEscorts, _: Dice) -> list[Result]:
    """Raises RuleViolation after the first round: escort groups stay as they are until pursuit."""
    if round_number(game) > 1 and step_open(game) != "5-8A":
        what = "escort groups are set for this battle hex until pursuit"
        raise refuse(game, what, "`done`; they are set up anew in 5-8A", "515.15")
    for group in order.groups:
        names = group.replace(":", " ").split()
        for name in names:
            battle_unit(game, order, name)
    return commit(game, game.side_of(order.seat), "escorts", order.groups, "515.15")


def announce_forces(game: Game) -> list[Result]:
    """5-3G: escort groups, flagships and forces are laid open at once; groups and forces are noted."""
    shown = open_all("escorts", "flagship", "force")(game)
    forces = [event for event in shown if isinstance(event, ChoiceRevealed) and event.question == "force"]
    groups = [event.choice for event in shown if isinstance(event, ChoiceRevealed) and event.question == "escorts"]
    return [
        *shown,
        *(event for group in groups for event in _grouped(game, group if isinstance(group, tuple) else ())),
        *(event for one in forces for event in marked(game, f"force of {one.side}", one.choice, "", rule_of(game))),
    ]


def _grouped(game: Game, groups: tuple[str, ...]) -> list[Result]:
    named = [(group.partition(":")[0], group.replace(":", " ").split()) for group in groups]
    rule = rule_of(game, "515.15")
    return [
        event
        for name, units in named
        for unit in units
        for event in changed(game.units[unit], "group", name, "escort group", rule)
    ]


def decide_seal_flagship(game: Game, order: SealFlagship, _: Dice) -> list[Result]:
    """Raises RuleViolation: in round 1 another flagship than the defender's open one; Command Points after round 1."""
    unit = battle_unit(game, order, order.unit, "302.33")
    named = word_in(game, "flagship")
    kept_out = {base.id for base in _bases_kept_out(game, unit.side)}
    if unit.id in kept_out:
        raise refuse(game, f"{unit.id} takes no part in an approach battle", "name a ship", "302.22")
    if round_number(game) == 1 and unit.side in defender(game) and named not in ("", unit.id, *kept_out):
        raise refuse(game, f"{named} must be the flagship in the first round", f"name {named}", "302.133")
    if order.command_points and round_number(game) > 1:
        raise refuse(game, "Command Points are used in the first round only", "leave them out", "308.9")
    choice = (unit.id, f"{order.command_points} Command Points")
    return commit(game, unit.side, "flagship", choice, "302.32")


def decide_seal_force(game: Game, order: SealForce, _: Dice) -> list[Result]:
    """The force, and for the Romulans always a second record of where decoys are in it, even of none.

    Raises RuleViolation: a unit that is not here; the base in an approach battle; the base left out of a base battle;
        no unit at all while there are some.
    """
    side = game.side_of(order.seat)
    units = tuple(battle_unit(game, order, unit) for unit in dict.fromkeys(order.units))
    _verify_force(game, side, units)
    _verify_flagship(game, side, units)
    names = tuple(unit.id for unit in units)
    results = commit(game, side, "force", names, "302.3")
    if side not in romulans(game) or not game.options.get(options.decoys.name):
        if order.decoys:
            raise refuse(game, f"{game.side_name(side)} has no cloaked decoys", "leave `decoys` out", "538.34")
        return results
    return [*results, *commit(after(game, results), side, "decoy places", order.decoys, "538.34")]


def _bases(game: Game, side: str) -> list[Unit]:
    """The defenders' bases of the battle that work."""
    defends = side != phasing(game) and base_is_here(game, "")
    return [unit for unit in in_battle(game, side) if is_working_base(unit)] if defends else []


def _bases_kept_out(game: Game, side: str) -> list[Unit]:
    """The bases that an approach battle leaves out (302.22)."""
    return [] if base_is_included(game) else _bases(game, side)


def _verify_flagship(game: Game, side: str, units: tuple[Unit, ...]) -> None:
    """The flagship that the side has sealed in 5-3D serves in its force, which is no larger than it leads.

    [reading] Bases do not count against the limit.
    """
    named, points = flagship_sealed(game, side)
    if not named or not units:
        return
    if named not in {unit.id for unit in units}:
        raise refuse(game, f"{named} is the flagship and not in the force", f"name {named} too", "302.36")
    most = command_limit(game, game.units[named], points)
    led = [unit for unit in units if unit.id != named and not is_base(unit)]
    over = any(_goes_with_general(game, unit) for unit in led)
    if most is not None and len(led) - over > most:
        what = f"{named} leads {most} units, and the force has {len(led)} beside it and bases"
        raise refuse(game, what, f"leave out {len(led) - over - most}", "302.33")


def flagship_sealed(game: Game, side: str) -> tuple[str, int]:
    """The flagship of a side and its Command Points while they are sealed; none otherwise."""
    found = game.choices.get(choice_key("flagship", side))
    if found is None or not found.sealed or not isinstance(found.choice, tuple):
        return "", 0
    name, points = found.choice
    return name, int(points.partition(" ")[0])


def command_limit(game: Game, flagship: Unit, points: int) -> int | None:
    """How many units a flagship leads: its rating, the best admiral aboard, Command Points; None without a rating."""
    if flagship.get("command") is None:
        return None
    aboard = (one.number("command") for one in living(game) if one.get("aboard") == flagship.id and has(one, "leader"))
    return flagship.number("command") + max(aboard, default=0) + points


def _goes_with_general(game: Game, unit: Unit) -> bool:
    """A commando ship whose empire has a general in the hex stands above the command limit (321.31)."""
    if not has(unit, "commando"):
        return False
    near = (one for one in living(game) if one.at == unit.at and has(one, "general"))
    return any(empire_of(one) == empire_of(unit) for one in near)


def _verify_force(game: Game, side: str, units: tuple[Unit, ...]) -> None:
    included, bases = base_is_included(game), _bases(game, side)
    able = [unit.id for unit in in_battle(game, side) if included or unit not in bases]
    if not units and able:
        raise refuse(game, "a Battle Force has at least one unit", f"name some of: {', '.join(able[:8])}", "302.36")
    out = next((base for base in bases if not included and base in units), None)
    if out is not None:
        raise refuse(game, f"{out.id} takes no part in an approach battle", "leave the base out", "302.22")
    if included and bases and not any(base in units for base in bases):
        raise refuse(game, f"{bases[0].id} must be in the force of a base battle", f"name {bases[0].id} too", "302.2")


def decide_declare_pinwheels(game: Game, order: DeclarePinwheels, _: Dice) -> list[Result]:
    """Raises RuleViolation for more pinwheels than the ships would make [reading: two each]: 322.1 is not here."""
    able = sum(has(unit, "pinwheel") for unit in in_battle(game, game.side_of(order.seat)))
    most = able // max(1, number_of(game, PINWHEEL))
    if order.number > most:
        what = f"{able} ships cannot form {order.number} pinwheels"
        raise refuse(game, what, f"declare at most {most}", "322.1")
    rule = rule_of(game, "322.1")
    said = ChoiceMade(question="pinwheels", side=game.side_of(order.seat), choice=order.number, rule=rule)
    return [said, *marked(game, "pinwheels", order.number, "declared", rule)]


def decide_dissolve_pinwheel(game: Game, order: DissolvePinwheel, _: Dice) -> list[Result]:
    """Raises RuleViolation when there is none."""
    held = game.number("pinwheels")
    if not held:
        raise refuse(game, "there is no pinwheel", "`done`", "322.54")
    return marked(game, "pinwheels", held - 1, "dissolved", rule_of(game, "322.54"))


def pinwheels_declared(game: Game, _: str) -> bool:
    return game.markers.get("pinwheels") is not None


def pinwheels_formed(game: Game, _: str) -> bool:
    return game.number("pinwheels") > 0


def decide_use_captured(game: Game, order: UseCaptured, _: Dice) -> list[Result]:
    """A captured ship is used for +1 on the damage die; it is removed in 5-4D."""
    unit = battle_unit(game, order, order.unit)
    need_trait(game, unit, "captured", "captured ship", "305.21")
    used = names_in(game, "captured used")
    if unit.id in used:
        raise refuse(game, f"{unit.id} is used already", "`done`", "305.21")
    if (first := next((name for name in used if game.units[name].side == unit.side), "")) != "":
        raise refuse(game, f"{first} gives the +1 of this round", "`done`: use it in another round", "305.21")
    return marked(game, "captured used", (*used, unit.id), "", rule_of(game, "305.21"))


def captured_to_go(game: Game, side: str) -> tuple[str, ...]:
    """Captured ships of a side that are used up when 5-4C4 is left."""
    units = (game.units.get(name) for name in names_in(game, "captured used"))
    gone = ", ".join(unit.id for unit in units if unit and not unit.fate and unit.side == side)
    return (f"captured ships that are used up: {gone}",) if gone else ()


def remove_used(game: Game) -> list[Result]:
    """5-4D: captured ships that gave their +1 are gone."""
    units = (game.units.get(name) for name in names_in(game, "captured used"))
    rule = f"{step_open(game)} (305.21)"
    return [
        event for unit in units if unit and not unit.fate for event in removed(unit, "used up", "captured ship", rule)
    ]
