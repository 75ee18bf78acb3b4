"""Resolve the initiative (C). The winner of the roll names the first player for steps D, E and F of this turn."""

from umpire_ledger.domain.titles.war_galley.ships import afloat, enemy_of, refuse
from umpire_ledger.domain.titles.war_galley.squadrons import admiral
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Modifier,
    Order,
    Result,
    SideName,
    Unit,
    after,
    leave_when_nothing_is_due,
    marked,
    word_in,
)

RULE = "C"


class RollInitiative(Order, frozen=True, kw_only=True, tag="roll-initiative"):
    """Roll one die and add your Admiral's initiative rating; ties are rolled again."""


class NameFirst(Order, frozen=True, kw_only=True, tag="name-first"):
    """Name the side that goes first this turn, as the winner of the initiative."""

    side: SideName


def marker_of(side: str) -> str:
    """Return the marker that holds a side's total while the roll is open."""
    return f"initiative/{side}"


def initiative_is_owed(game: Game, side: str) -> bool:
    """Check whether a side has not rolled in this round of rolls; if no side is named, whether any has not."""
    return any(game.markers.get(marker_of(one)) is None for one in ((side,) if side else playing(game)))


def playing(game: Game) -> tuple[str, ...]:
    """Return the sides that still have a ship."""
    return tuple(side for side in game.side_ids if afloat(game, side))


def decide_roll_initiative(game: Game, order: RollInitiative, dice: Dice) -> list[Result]:
    """Roll 1d6 plus the Admiral's rating, if there is one. The printed "high roller" is read as the higher total.

    Raises:
        RuleViolation: The side has rolled and waits for the other.
    """
    side = game.side_of(order.seat)
    verify_can_roll(game, side)
    rolled = dice.roll("1d6", purpose=f"initiative of {side}", modifiers=rating_of(admiral(game, side)), rule=RULE)
    results: list[Result] = [rolled, *marked(game, marker_of(side), rolled.total, rule=RULE)]
    return [*leave_when_nothing_is_due(game, [*results, *_outcome(after(game, results))], _waits)]


def rating_of(leader: Unit | None) -> tuple[Modifier, ...]:
    """Return the initiative rating of an Admiral's ship as a modifier; empty for a rating of 0 or without a ship."""
    rating = leader.number("initiative") if leader else 0
    if leader is None or not rating:
        return ()
    return (Modifier(amount=rating, source=f"initiative of {leader.get('commander') or leader.id}"),)


def verify_can_roll(game: Game, side: str) -> None:
    if not initiative_is_owed(game, side):
        other = game.side_name(enemy_of(game, side))
        raise refuse(game, "rolled-already", RULE, side_has=game.side_does(side, "has"), other=other)


def _waits(game: Game, side: str) -> bool:
    """Check whether a side must still roll in a round that has begun; false once the round is settled or tied."""
    return any(game.markers.get(marker_of(one)) is not None for one in playing(game)) and initiative_is_owed(game, side)


def _outcome(game: Game) -> list[Result]:
    """Record the winner, or no winner after a tie, and clear the totals; no change until all sides have rolled."""
    totals = {side: game.number(marker_of(side)) for side in playing(game)}
    if initiative_is_owed(game, ""):
        return []
    best = [side for side, total in totals.items() if total == max(totals.values())]
    cause = "tie, roll again" if len(best) > 1 else "highest total"
    cleared = [one for side in totals for one in marked(game, marker_of(side), None, cause, RULE)]
    return [*cleared, *marked(game, "initiative", best[0] if len(best) == 1 else None, cause, RULE)]


def initiative_is_won(game: Game, _: str) -> bool:
    """Check whether a side has won the roll."""
    return bool(game.markers.get("initiative"))


def winner(game: Game) -> tuple[str, ...]:
    side = word_in(game, "initiative")
    return (side,) if side else ()


def first_is_open(game: Game, side: str) -> bool:
    """Check whether the winner must still name the first player, which removes the initiative marker."""
    return initiative_is_won(game, side)


def all_sides(game: Game, _: str) -> tuple[str, ...]:
    """Return the sides that the winner may name."""
    return game.side_ids


def decide_name_first(game: Game, order: NameFirst, _: Dice) -> list[Result]:
    """Name the winner's own side or the opponent as first player.

    Raises:
        RuleViolation: There is no such side.
    """
    if order.side not in game.side_ids:
        raise refuse(game, "no-such-side", RULE, side=order.side, sides=game.side_ids)
    cause = f"named by {game.side_of(order.seat)}"
    return [
        *marked(game, "first_player", order.side, cause, RULE),
        *marked(game, "initiative", None, cause, RULE),
        Closes(),
    ]


def turn_order(game: Game) -> tuple[str, ...]:
    """Return the sides, first player first, for D and E, and for F: its "player who went first" is the same one."""
    first = game.markers.get("first_player")
    return tuple(sorted(game.side_ids, key=lambda side: side != first))
