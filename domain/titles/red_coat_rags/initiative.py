"""Decide which side has the first phase (1): 1d6 plus the LV of each side's CO.

The rules do not cover ties; here both sides roll again.
"""

from umpire_ledger.domain.titles.red_coat_rags.pieces import CO, has_pieces, officers, other_side, phasing, refuse
from umpire_ledger.kit import Closes, Dice, Game, Modifier, Order, Result, after, marked

RULE = "1"


class RollInitiative(Order, frozen=True, kw_only=True, tag="roll-initiative"):
    """Roll one die and add the leadership value of your CO; a tie is rolled again."""


def _marker(side: str) -> str:
    return f"initiative/{side}"


def _playing(game: Game) -> tuple[str, ...]:
    return tuple(side for side in game.side_ids if has_pieces(game, side))


def initiative_is_owed(game: Game, side: str) -> bool:
    """Check whether a side has not rolled in this round of rolls; if no side is named, whether any has not."""
    return any(game.markers.get(_marker(one)) is None for one in ((side,) if side else _playing(game)))


def initiative_is_won(game: Game, _: str) -> bool:
    """Check whether a side has the first phase, or has no opponent to roll against."""
    return bool(phasing(game)) or len(_playing(game)) < 2


def decide_roll_initiative(game: Game, order: RollInitiative, dice: Dice) -> list[Result]:
    """Roll for one side. The second roll decides, or after a tie clears both totals for another round.

    A side without its CO adds nothing.

    Raises:
        RuleViolation: The side has rolled and waits for the other.
    """
    side = game.side_of(order.seat)
    if not initiative_is_owed(game, side):
        raise refuse(
            game,
            "initiative-decided",
            RULE,
            side_has=game.side_does(side, "has"),
            other=game.side_name(other_side(game, side)),
        )
    leader = next((one for one in officers(game, side) if one.kind == CO), None)
    modifiers = (Modifier(amount=leader.number("lv"), source=f"LV of {leader.id}"),) if leader else ()
    rolled = dice.roll("1d6", purpose=f"initiative of {side}", modifiers=modifiers, rule=RULE)
    results: list[Result] = [rolled, *marked(game, _marker(side), rolled.total, rule=RULE)]
    then = after(game, results)
    return [*results, *_outcome(then), Closes(everybody=True)] if not initiative_is_owed(then, "") else results


def _outcome(game: Game) -> list[Result]:
    """Give the first phase to the side with the higher total, or let both roll again, and clear the totals."""
    totals = {side: game.number(_marker(side)) for side in _playing(game)}
    best = [side for side, total in totals.items() if total == max(totals.values())]
    cause = "tie, roll again" if len(best) > 1 else "highest total"
    cleared = [event for side in totals for event in marked(game, _marker(side), None, cause, RULE)]
    if len(best) > 1:
        return cleared
    return [*cleared, *marked(game, "phasing", best[0], cause, RULE)]
