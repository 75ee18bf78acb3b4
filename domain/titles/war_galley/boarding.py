"""Resolve boarding in E.2 and F.3, and change the side of captured ships.

The roll on the scenario's boarding table is 2d6 plus the manpower of all boarders minus the manpower of the target. The
table's rows say whether the ship is captured and how much manpower each side loses. All boarders of a ship share a
single roll.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.war_galley import house_values
from umpire_ledger.domain.titles.war_galley.activation import active_ship, active_ships
from umpire_ledger.domain.titles.war_galley.ships import hostile_ship, is_captured, refuse
from umpire_ledger.domain.titles.war_galley.tables import BOARDING
from umpire_ledger.domain.titles.war_galley.withdrawal import admiral_lost
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Modifier,
    Reason,
    Result,
    TableOutcome,
    TableRoll,
    Unit,
    UnitName,
    after,
    changed,
    marked,
    names_in,
    number_of,
    on_table,
    step_open,
)

Boarders = Mapping[str, int]
"""Manpower sent, by ship."""


class Board(TableRoll, frozen=True, kw_only=True, tag="board"):
    """Board one enemy with ships grappled to it, with a single roll on the boarding table.

    A ship sends all its remaining manpower; `send`: its manpower for this target, if it boards several.
    """

    ships: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, max_length=12)]
    target: UnitName
    send: dict[UnitName, Annotated[int, msgspec.Meta(ge=1, le=99)]] = msgspec.field(default_factory=dict)


# --- permission to board --------------------------------------------------------------------------------------------


def manpower_left(ship: Unit) -> int:
    """Return the manpower that has not boarded yet in this segment."""
    return max(0, ship.number("manpower") - ship.number("sent"))


def targets_of(game: Game, ship: Unit) -> tuple[Unit, ...]:
    """Return the enemies that a ship is grappled to."""
    found = (game.units.get(one) for one in ship.names("grappled"))
    return tuple(unit for unit in found if unit and not unit.fate and unit.side != ship.side)


def is_grappled(game: Game, _: str) -> bool:
    """Check whether an active ship is grappled to an enemy."""
    return any(targets_of(game, ship) for ship in active_ships(game))


def has_boarders(game: Game, _: str) -> bool:
    """Check whether a grappled active ship has manpower left; also true if no active ship is grappled to an enemy."""
    tied = [ship for ship in active_ships(game) if targets_of(game, ship)]
    return not tied or any(map(manpower_left, tied))


def boarding_left_out(game: Game, _: str) -> tuple[str, ...]:
    """Return the boardings that `done` would give up."""
    tried = names_in(game, "boarded")
    able = (ship for ship in active_ships(game) if manpower_left(ship))
    found = dict.fromkeys(foe.id for ship in able for foe in targets_of(game, ship) if foe.id not in tried)
    return (f"this segment's boarding of: {', '.join(found)}",) if found else ()


def can_still_board(game: Game) -> bool:
    """Check whether an active ship with manpower left is grappled to an enemy that was not tried in this segment."""
    tried = names_in(game, "boarded")
    return any(
        manpower_left(ship) and any(target.id not in tried for target in targets_of(game, ship))
        for ship in active_ships(game)
    )


def verify_can_board(game: Game, ships: tuple[Unit, ...], target: Unit, boarders: Boarders) -> None:
    """Check that the ships may board the target with the given manpower.

    Raises:
        RuleViolation: A ship is not grappled to the target, has no manpower, sends more than it has left, or holds
            manpower back without another target; or the target was already boarded in this segment.
    """
    rule = step_open(game)
    for ship in ships:
        if target.id not in ship.names("grappled"):
            raise refuse(game, "not-grappled", rule, ship=ship.id, target=target.id)
        if not ship.number("manpower"):
            captured = Reason("captured", "a captured ship has manpower 0")
            why = captured if is_captured(ship) else Reason("no-manpower", "it has manpower 0")
            raise refuse(game, "cannot-board", rule, ship=ship.id, why=why)
        left = manpower_left(ship)
        if not 1 <= boarders[ship.id] <= left:
            raise refuse(
                game,
                "too-many-boarders" if left else "no-boarders-left",
                rule,
                ship=ship.id,
                given=max(1, boarders[ship.id]),
                limit=left,
            )
        if boarders[ship.id] < left and len(targets_of(game, ship)) < 2:
            raise refuse(game, "cannot-hold-back", rule, ship=ship.id, target=target.id, left=left)
    if target.id in names_in(game, "boarded"):
        raise refuse(game, "boarded-already", rule, target=target.id)


def decide_board(game: Game, order: Board, dice: Dice) -> list[Result]:
    """Resolve the boarding of one enemy ship by one or more ships.

    Raises:
        RuleViolation: See `verify_can_board`; or a ship is not active or not yours, or `send` names a ship that does
            not board.
    """
    rule = step_open(game)
    ships = tuple(active_ship(game, order.seat, ship, rule) for ship in dict.fromkeys(order.ships))
    target = hostile_ship(game, game.side_of(order.seat), order.target, rule)
    strangers = set(order.send) - set(order.ships)
    if strangers:
        raise refuse(game, "stranger-sent", rule, strangers=tuple(sorted(strangers)))
    boarders = {ship.id: order.send.get(ship.id, manpower_left(ship)) for ship in ships}
    verify_can_board(game, ships, target, boarders)
    tried = on_table(
        game,
        dice,
        order,
        BOARDING,
        purpose=f"boarding {target.id}",
        rule=rule,
        subjects=(*boarders, target.id),
        modifiers=_modifiers(game, boarders, target),
    )
    if tried.row is None:
        return list(tried.told)
    results = [*tried.told, *_outcome(game, ships, target, boarders, tried)]
    return results if can_still_board(after(game, results)) else [*results, Closes()]


def _modifiers(game: Game, boarders: Boarders, target: Unit) -> tuple[Modifier, ...]:
    each, other = number_of(game, house_values.BOARDERS), number_of(game, house_values.TARGET)
    sent = (Modifier(amount=each * amount, source=f"manpower from {ship}") for ship, amount in boarders.items())
    against = Modifier(amount=other * target.number("manpower"), source=f"manpower of {target.id}")
    return tuple(one for one in (*sent, against) if one.amount)


# --- results --------------------------------------------------------------------------------------------------------


def _outcome(
    game: Game, ships: tuple[Unit, ...], target: Unit, boarders: Boarders, tried: TableOutcome
) -> list[Result]:
    rule, cause = step_open(game), f"boarding {target.id}"
    results = [
        *marked(game, "boarded", (*names_in(game, "boarded"), target.id), cause, rule),
        *_boarders_lose(ships, boarders, tried.number("boarders_lose"), cause, rule),
    ]
    if tried.value("result") == "captured":
        taken = captured(target, ships[0].side, f"boarded by {', '.join(boarders)}", rule)
        return [*results, *taken, *admiral_lost(game, (target,))]
    left = max(0, target.number("manpower") - tried.number("target_loses"))
    return [*results, *changed(target, "manpower", left, cause, rule)]


def _boarders_lose(ships: tuple[Unit, ...], boarders: Boarders, loss: int, cause: str, rule: str) -> list[Result]:
    """Take the losses from the boarding ships in the order in which they were named, and count the others as sent."""
    results: list[Result] = []
    for ship in ships:
        lost = min(loss, boarders[ship.id])
        loss -= lost
        results += changed(ship, "manpower", ship.number("manpower") - lost, cause, rule)
        sent = ship.number("sent") + boarders[ship.id] - lost
        results += changed(ship, "sent", sent or None, cause, rule)
    return results


def captured(ship: Unit, by: str, cause: str, rule: str) -> list[Result]:
    """Change the side of a captured ship: crew and manpower 0, cruise speed, no squadron until the next B.

    A ship that its original side recaptures no longer counts as captured. Its crew and manpower stay 0, because the
    summary prints no way to restore them. A commander aboard leads no squadron while the ship is captured.
    """
    return [
        *changed(ship, "side", by, cause, rule),
        *changed(ship, "captured_by", None if is_captured(ship) else by, cause, rule),
        *changed(ship, "crew", 0, cause, rule),
        *changed(ship, "manpower", 0, cause, rule),
        *changed(ship, "level", "cruise", cause, rule),
        *changed(ship, "squadron", None, cause, rule),
    ]
