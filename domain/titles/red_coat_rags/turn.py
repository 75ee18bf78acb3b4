"""Change the phase, end the turn and decide the battle (11 and 12).

The printed rule returns to 2 for the next player without a limit. Here each player has one phase a turn. The scenario
sets the victory conditions: a number of lost pieces, or conditions in words, by which a side concedes. A side without a
combat piece has lost. After the last turn the battle ends undecided.
"""

from umpire_ledger.domain.titles.red_coat_rags.activation import end_activation
from umpire_ledger.domain.titles.red_coat_rags.leadership import return_cubes
from umpire_ledger.domain.titles.red_coat_rags.pieces import NO_PIECES, has_pieces, other_side, phasing
from umpire_ledger.kit import Closes, Dice, Game, GameEnded, Order, Result, marked, names_in

CHANGE, END_OF_TURN = "11", "12"


class Concede(Order, frozen=True, kw_only=True, tag="concede"):
    """Declare your side beaten by the scenario's conditions in words."""


def change_phase(game: Game) -> list[Result]:
    """Give the phase to the next player who has not had one in this turn, if any."""
    phased = (*names_in(game, "phased"), phasing(game))
    left = next((side for side in game.side_ids if side not in phased), None)
    cause = "phase change" if left else "all have had their phase"
    return [
        *end_activation(game),
        *marked(game, "failed", None, cause, CHANGE),
        *marked(game, "fewer_dice", None, cause, CHANGE),
        *marked(game, "phased", phased if left else None, cause, CHANGE),
        *marked(game, "phasing", left, cause, CHANGE),
    ]


def phase_is_left(game: Game, _: str) -> bool:
    return bool(phasing(game))


# --- 12 -------------------------------------------------------------------------------------------------------------


def losses(game: Game, side: str) -> int:
    """Count the combat pieces that a side has lost, without withdrawn pieces."""
    return sum(
        1
        for one in game.units.values()
        if one.side == side and one.fate not in ("", "withdrawn") and one.kind not in NO_PIECES
    )


def has_conditions(game: Game, _: str) -> bool:
    """Check whether the scenario has conditions that only the players can judge."""
    return bool(game.markers.get("victory"))


def decide_concede(game: Game, order: Concede, _: Dice) -> list[Result]:
    """Record that a side concedes."""
    return [
        *marked(game, "conceded", game.side_of(order.seat), "by the scenario's conditions", END_OF_TURN),
        Closes(everybody=True),
    ]


def beaten(game: Game) -> dict[str, str]:
    """Return the sides that have lost, each with the reason."""
    found: dict[str, str] = {}
    for side in game.side_ids:
        most = game.number(f"break/{side}")
        if not has_pieces(game, side):
            found[side] = game.side_does(side, "has no piece left")
        elif most and losses(game, side) >= most:
            lost = game.side_does(side, f"has lost {losses(game, side)} pieces")
            found[side] = f"{lost} and {'break' if game.is_plural(side) else 'breaks'} at {most}"
        elif game.markers.get("conceded") == side:
            found[side] = game.side_does(side, "has conceded")
    return found


def why_over(game: Game) -> str:
    """Return the reason why the battle is over; "" if turns remain and no side has won."""
    lost = beaten(game)
    if lost:
        return "; ".join(lost.values())
    last = game.number("last_turn")
    return f"turn {last} was the last" if game.turn >= last else ""


def decided(game: Game, _: str) -> bool:
    return bool(why_over(game))


def conclude(game: Game) -> list[Result]:
    """End the battle if it is over; otherwise return the white cubes for a new turn."""
    why, lost = why_over(game), list(beaten(game))
    if not why:
        return return_cubes(game)
    winner = other_side(game, lost[0]) if len(lost) == 1 else ""
    return [GameEnded(why=why, winner=winner, rule=END_OF_TURN)]
