"""Decide reactions: of the other side to moves (3B3), of phasing X-ships to the reserves of their enemy (4A, 4B)."""

from umpire_ledger.domain.titles.federation_and_empire import house_values
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Units,
    enemies,
    living,
    need_trait,
    own_units,
    phasing,
    printed,
    refuse,
    rule_of,
    this_turn,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.reserves import stand_down
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import distance
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import Path, go
from umpire_ledger.kit import (
    Dice,
    Game,
    Order,
    Reason,
    Result,
    Unit,
    UnitOrNone,
    changed,
    number_of,
    replace,
    step_open,
    unit_of,
)


class React(Order, frozen=True, kw_only=True, tag="react"):
    """Let units react along a path to an enemy's movement."""

    units: Units
    path: Path
    to: UnitOrNone = ""


def decide_react(game: Game, order: React, _: Dice) -> list[Result]:
    """Move units in reaction: the non-phasing side's (3B3), or phasing X-ships to a reserve (4A, 4B) [reading A9].

    [reading] A unit that reacts out of a reserve is no longer in it.

    Raises:
        RuleViolation: In 4A or 4B a unit is not an X-ship, or not the phasing side's; no enemy has moved; `to` is
            unknown, of the side's own or has not moved; or the path does not end nearer to it [reading].
    """
    game = _at_3b3(game)
    units, side = own_units(game, order, order.units), game.side_of(order.seat)
    named = (unit_of(game, order.to, rule_of(game)),) if order.to else ()
    for enemy in named:
        _verify_moved(game, enemy, side)
    if step_open(game) in ("4A", "4B"):
        if game.side_of(order.seat) != phasing(game):
            raise refuse(game, "only-against-reserves", "523.222")
        for unit in units:
            need_trait(game, unit, "x", "X-ship", "523.222")
    counted = [event for unit in units for event in _reacted(game, unit)]
    went = go(game, units, order.path, f"reaction to {order.to}" if order.to else "reaction")
    _verify_answers(game, units, order.path[-1], named, side)
    return [*went, *counted, *stand_down(units, rule_of(game))]


def _at_3b3(game: Game) -> Game:
    """Return the game as if step 3B3 were open, for a reaction ordered during 3B2, even after its side ended 3B3."""
    here = game.cursor.open[0]
    if here.step != "3B2":
        return game
    reaction = replace(here, step="3B3", name="reaction movement")
    return replace(game, cursor=replace(game.cursor, open=(reaction, *game.cursor.open[1:])))


def not_waited_for(game: Game, _: str) -> tuple[str, ...]:
    """Describe the right that a side gives up if it ends 3B3 while units move."""
    moves = game.cursor.opened("3B2") is not None
    return ("the right to be waited for before 3B2 ends; its units may still react until then",) if moves else ()


def moved_enemies(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the units of a side's enemies that have moved in this player turn, alone or as a reserve."""
    foes = enemies(game, side)
    return tuple(unit for unit in living(game) if unit.side in foes and _has_moved(game, unit))


def _has_moved(game: Game, unit: Unit) -> bool:
    """Return whether a unit has moved in 3B2 or as a reserve; a deployment in 3A-6D draws no reaction (205.0)."""
    now = this_turn(game)
    return now in (unit.get("moved"), unit.get("reserve_moved")) and unit.get("deployed") != now


def _verify_answers(game: Game, units: tuple[Unit, ...], end: str, named: tuple[Unit, ...], side: str) -> None:
    """Check that units react to a move and end nearer to each enemy named.

    Raises:
        RuleViolation: No enemy has moved, or the path ends no nearer to the one that is named.
    """
    number = "523.222" if printed(step_open(game)) in ("4A", "4B") else "205.0"
    if not moved_enemies(game, side):
        raise refuse(game, "no-enemy-moved", number)
    for foe in named:
        if all(distance(end, foe.at) >= distance(unit.at, foe.at) for unit in units):
            raise refuse(game, "no-nearer-to-enemy", number, enemy=foe.id, at=foe.at)


def _verify_moved(game: Game, enemy: Unit, side: str) -> None:
    """Check that a unit is an enemy that has moved in this player turn.

    Raises:
        RuleViolation: The unit is of the side's own, or has not moved.
    """
    own = Reason("own-side", "is on your own side: units react only to an enemy")
    why = own if enemy.side == side else Reason("not-moved", "has not moved this player turn")
    if enemy.side == side or not _has_moved(game, enemy):
        raise refuse(game, "not-an-enemy-mover", enemy=enemy.id, why=why)


def _reacted(game: Game, unit: Unit) -> list[Result]:
    """Count one more reaction of a unit in this player turn.

    Raises:
        RuleViolation: The unit is mothballed, or has reacted as often as a unit may in a player turn.
    """
    number = "523.222" if printed(step_open(game)) in ("4A", "4B") else "205.0"
    now, most = this_turn(game), number_of(game, house_values.REACTIONS)
    before = unit.number("reactions") if unit.get("reacted") == now else 0
    if unit.get("mothballed") is True or before >= most:
        reacted = Reason(
            "reacted-already", f"has reacted {before} {'time' if before == 1 else 'times'} this player turn"
        )
        why = reacted if before else Reason("mothballed", "is mothballed")
        raise refuse(game, "cannot-react", number, unit=unit.id, why=why)
    rule = rule_of(game)
    return [*changed(unit, "reacted", now, "", rule), *changed(unit, "reactions", before + 1, "reacts", rule)]
