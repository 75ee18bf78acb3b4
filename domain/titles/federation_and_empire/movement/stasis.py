"""Decide step 5-4A7 of Phase 5: stasis field generators; a breakdown makes every attempt of the round void."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.combat.battle import battlers
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    has,
    hex_in_hand,
    in_battle,
    need_trait,
    refuse,
    rule_of,
    serving,
    serving_unit,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Order,
    Result,
    RollTable,
    TableRoll,
    UnitName,
    changed,
    marked,
    names_in,
    on_table,
    replace,
    word_in,
)

SFG = RollTable("sfg", Literal["frozen", "missed", "random", "breakdown"])


class DeclareStasis(Order, frozen=True, kw_only=True, tag="declare-stasis"):
    """Declare all attempts of the round, each ship with a stasis field generator and its target."""

    attempts: Annotated[dict[UnitName, str], msgspec.Meta(max_length=12)] = msgspec.field(default_factory=dict)


class RollStasis(TableRoll, frozen=True, kw_only=True, tag="roll-stasis"):
    """Roll the next attempt on the scenario's table `sfg`."""


class NameTargets(Order, frozen=True, kw_only=True, tag="name-targets"):
    """Name three valid targets for a random stasis result, or all if there are fewer."""

    targets: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=3)]


class RollTarget(Order, frozen=True, kw_only=True, tag="roll-target"):
    """Roll one die to pick the ship among the targets that both sides named."""


def decide_declare_stasis(game: Game, order: DeclareStasis, _: Dice) -> list[Result]:
    """Declare all attempts of a side at once.

    Raises:
        RuleViolation: A ship has no generator, or a target does not fight.
    """
    rule = rule_of(game, "312.221")
    declared = names_in(game, "stasis")
    here = {unit.id for unit in serving(game)}
    for ship, target in order.attempts.items():
        need_trait(game, serving_unit(game, order, ship), "sfg", "ship with a stasis field generator", "312.20")
        if target not in here:
            raise refuse(game, "target-not-fighting", "312.20", target=target, hex=hex_in_hand(game))
    pairs = tuple(f"{ship} {target}" for ship, target in order.attempts.items())
    if not pairs:
        return [Closes()]
    return [*marked(game, "stasis", _by_side(game, (*declared, *pairs)), "attempts", rule), Closes()]


def _by_side(game: Game, attempts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the attempts in the order of their rolls: by side, the phasing side last [reading]."""
    sides = battlers(game)
    return tuple(sorted(attempts, key=lambda one: sides.index(game.units[one.partition(" ")[0]].side)))


def begin_stasis(game: Game) -> list[Result]:
    """Clear the attempts of an earlier round or pursuit (5-4A7A)."""
    return [*marked(game, "stasis", None), *marked(game, "stasis ship", None), *marked(game, "stasis broke down", None)]


def stasis_waits(game: Game, _: str) -> bool:
    """Check whether a declared attempt is still to be rolled."""
    return bool(names_in(game, "stasis"))


def stasis_broke_down(game: Game, _: str) -> bool:
    return game.markers.get("stasis broke down") is not None


def next_to_roll(game: Game) -> tuple[str, ...]:
    """Return the side whose attempt is rolled next."""
    return tuple(game.units[one.partition(" ")[0]].side for one in names_in(game, "stasis")[:1])


def ew_is_frozen(game: Game, _: str) -> bool:
    """Check whether a frozen unit produces electronic warfare: a scout, or a unit with points for it."""
    return any(unit.get("frozen") and (has(unit, "scout") or unit.number("ew") > 0) for unit in serving(game))


def decide_roll_stasis(game: Game, order: RollStasis, dice: Dice) -> list[Result]:
    """Roll the next attempt on the table: frozen, missed, random or breakdown. The roll closes the step."""
    ship, _, target = names_in(game, "stasis")[0].partition(" ")
    rule = rule_of(game, "312.222")
    purpose = f"stasis field of {ship} on {target}"
    rolled = on_table(game, dice, order, SFG, purpose=purpose, rule=rule, subjects=(ship, target))
    if rolled.row is None:
        return list(rolled.told)
    outcome = rolled.said
    told = list(rolled.told)
    told += marked(game, "stasis", names_in(game, "stasis")[1:], "one attempt is rolled", rule)
    if outcome == "frozen" and not game.units[target].get("shielded"):
        told += changed(game.units[target], "frozen", ship, purpose, rule)
    if outcome == "breakdown":
        told += marked(game, "stasis broke down", ship, "", rule)
    return [*told, *(marked(game, "stasis ship", ship) if outcome == "random" else ()), Closes(outcome)]


def void_stasis(game: Game) -> list[Result]:
    """Void all attempts of the round after a breakdown (5-4A7D)."""
    rule = "5-4A7D (312.223)"
    thawed = [event for unit in in_battle(game) for event in changed(unit, "frozen", None, "breakdown", rule)]
    return [*thawed, *marked(game, "stasis", (), "void", rule), *marked(game, "stasis broke down", None, "", rule)]


def clear_targets(game: Game) -> list[Result]:
    return [event for side in battlers(game) for event in marked(game, f"targets of {side}", None)]


def decide_name_targets(game: Game, order: NameTargets, _: Dice) -> list[Result]:
    """Name the targets of a side for a random stasis result.

    Raises:
        RuleViolation: The other side names first; a target does not fight, is frozen or was named by the other side; or
            fewer than three are named although there are as many.
    """
    side = game.side_of(order.seat)
    valid = valid_targets(game, side)
    if names_first(game, side):
        raise refuse(
            game, "other-side-names-first", "312.232", side_names=game.side_does(names_first(game, side), "names")
        )
    for target in order.targets:
        if target not in valid:
            raise refuse(game, "not-a-valid-target", "312.232", target=target, units=valid)
    if len(set(order.targets)) < min(3, len(valid)):
        raise refuse(game, "wrong-number-of-targets", "312.232", limit=min(3, len(valid)))
    return marked(game, f"targets of {side}", order.targets, "", rule_of(game, "312.232"))


def names_first(game: Game, side: str) -> str:
    """Return the side of the generator if another side must wait for it to name its targets; otherwise ""."""
    ship = game.units.get(word_in(game, "stasis ship"))
    return ship.side if ship is not None and ship.side != side and targets_missing(game, ship.side) else ""


def valid_targets(game: Game, side: str) -> tuple[str, ...]:
    """Return the units that a side may name: fighting, not frozen, not named by another side."""
    taken = {name for one in battlers(game) if one != side for name in names_in(game, f"targets of {one}")}
    return tuple(unit.id for unit in serving(game) if not unit.get("frozen") and unit.id not in taken)


def targets_missing(game: Game, side: str) -> bool:
    """Check whether a side must still name targets; after the roll for the random ship, no side must."""
    due = game.markers.get("stasis ship") is not None and not names_in(game, f"targets of {side}")
    return due and bool(valid_targets(game, side))


def random_is_due(game: Game, _: str) -> bool:
    """Check whether the random ship is still to be rolled."""
    return game.markers.get("stasis ship") is not None


def decide_roll_target(game: Game, order: RollTarget, dice: Dice) -> list[Result]:
    """Roll one die for the six named targets, or for fewer if there are fewer.

    Raises:
        RuleViolation: A side has not named its targets.
    """
    named = [target for side in battlers(game) for target in names_in(game, f"targets of {side}")]
    if any(targets_missing(game, side) for side in battlers(game)):
        raise refuse(game, "targets-unnamed", "312.232")
    rule = rule_of(game, "312.232")
    ship = word_in(game, "stasis ship")
    rolled = dice.roll(f"1d{max(2, len(named))}", purpose="random stasis target", rule=rule, subjects=tuple(named))
    target = named[min(rolled.total, len(named)) - 1]
    shielded = game.units[target].get("shielded")
    frozen = [] if shielded else changed(game.units[target], "frozen", ship, "random stasis", rule)
    return [replace(rolled, outcome=target), *frozen, *marked(game, "stasis ship", None), Closes(everybody=True)]
