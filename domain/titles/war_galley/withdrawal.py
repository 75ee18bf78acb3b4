"""Test whether a fleet withdraws after the loss of its only Admiral. The rule is from the companion notes.

The test is due when the Admiral's ship is sunk or captured, once for each loss.
"""

from collections.abc import Iterable

from umpire_ledger.domain.titles.war_galley import house_values
from umpire_ledger.domain.titles.war_galley.initiative import rating_of
from umpire_ledger.domain.titles.war_galley.ships import afloat, enemy_of, is_captured
from umpire_ledger.domain.titles.war_galley.victory import (
    account_of,
    count_rammed,
    leader_in_points,
    points_of,
    score_captured,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    GameEnded,
    Modified,
    Modifier,
    Result,
    Unit,
    after,
    marked,
    modifiers_of,
    names_in,
    number_of,
    paid,
    replace,
)

STEP = "withdrawal"
RULE = STEP
LOST = "lost_admirals"
"""Marker with the ships on which an Admiral was lost, until their fleet has tested."""


class FleetTest(Modified, frozen=True, kw_only=True, tag="test-fleet"):
    """Roll one die for your fleet without its Admiral, and add the Admiral's initiative: on 7 or more it withdraws."""


def admiral_lost(game: Game, ships: Iterable[Unit]) -> list[Result]:
    """Mark the loss of any Admiral aboard these ships.

    The marker must be the last event of an order, because play moves to the test as soon as it is set.

    Args:
        ships: The ships as they were before they sank or were captured.
    """
    lost = (ship.id for ship in ships if ship.get("admiral") and not is_captured(ship))
    return marked(game, LOST, (*names_in(game, LOST), *lost) or None, "the Admiral is lost", RULE)


def _flagships(game: Game) -> dict[str, Unit]:
    """Return the ship on which the Admiral was lost, by side, without sides that have no ships left to withdraw."""
    lost = (game.units[ship] for ship in names_in(game, LOST))
    sides = {enemy_of(game, str(ship.get("captured_by"))) if is_captured(ship) else ship.side: ship for ship in lost}
    return {side: ship for side, ship in sides.items() if afloat(game, side)}


def is_leaderless(game: Game, side: str) -> bool:
    """Check whether a side, or any side if none is named, has lost its Admiral and has not tested yet."""
    lost = _flagships(game)
    return side in lost if side else bool(lost)


def leaderless_sides(game: Game) -> tuple[str, ...]:
    return tuple(_flagships(game))


def decide_test_fleet(game: Game, order: FleetTest, dice: Dice) -> list[Result]:
    """Roll 1d6 plus the lost Admiral's initiative, +1 if the side has fewer points; on 7 or more the fleet withdraws.

    A withdrawal gives the enemy 25 points and ends the battle. Points are counted as in H at this moment. The numbers
    1, 7 and 25 are house values.
    """
    side, enough = game.side_of(order.seat), number_of(game, house_values.WITHDRAWS)
    flagship = _flagships(game)[side]
    counted = _counted(game)
    rolled = dice.roll(
        "1d6",
        purpose=f"does the fleet of {side} withdraw",
        modifiers=(*rating_of(flagship), *_if_behind(after(game, counted), side), *modifiers_of(order)),
        rule=RULE,
        subjects=(flagship.id,),
        needed=f"{enough} or more: it withdraws",
    )
    if rolled.total >= enough:
        return [replace(rolled, outcome="withdraws"), *counted, *_withdraws(after(game, counted), side)]
    left = tuple(ship for ship in names_in(game, LOST) if ship != flagship.id)
    return [replace(rolled, outcome="fights on"), *marked(game, LOST, left or None, rule=RULE), Closes()]


def _counted(game: Game) -> list[Result]:
    rammed = count_rammed(game)
    return [*rammed, *score_captured(after(game, rammed))]


def _if_behind(game: Game, side: str) -> tuple[Modifier, ...]:
    behind = points_of(game, side) < points_of(game, enemy_of(game, side))
    return (Modifier(amount=number_of(game, house_values.BEHIND), source="behind in points"),) if behind else ()


def _withdraws(game: Game, side: str) -> list[Result]:
    points = number_of(game, house_values.WITHDRAWAL)
    results = paid(game, account_of(enemy_of(game, side)), points, f"the fleet of {side} withdraws", RULE)
    why = game.side_does(side, "has lost its Admiral, and the fleet withdraws")
    return [*results, GameEnded(why=why, winner=leader_in_points(after(game, results)), rule=RULE)]
