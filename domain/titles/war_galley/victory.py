"""Count the points in H and end the battle. The loop back to A is not printed; play continues until a side has won.

Every ship counts once for a side: captured, its ram defense and one more, as long as it stays captured; else, rammed or
run aground, its ram defense. A prize that both sides rammed counts for both. A ship that another one dragged down is
worth nothing unless it qualifies on its own. The summary does not print the end of a battle: it ends at the scenario's
points, after its last turn, or when a side has no ships.
"""

from umpire_ledger.domain.titles.war_galley.ships import afloat, as_value, counted_by, sides_in
from umpire_ledger.kit import Game, GameEnded, Result, Unit, after, changed, paid

RAMMED = "H.a"
CAPTURED = "H.b"


def account_of(side: str) -> str:
    """Return the account that holds a side's victory points."""
    return f"vp/{side}"


def count_rammed(game: Game) -> list[Result]:
    """Count enemy ships rammed or run aground: their ram defense, sunk or not."""
    return _count(game, "ram_points", 0, RAMMED)


def count_captured(game: Game) -> list[Result]:
    """Count captured enemy ships: ram defense plus 1, lost again when the ship is taken back."""
    return _count(game, "capture_points", 1, CAPTURED)


def _count(game: Game, points: str, more: int, rule: str) -> list[Result]:
    """Pay points that have become due since the last count, ship by ship, and take back points no longer due."""
    results: list[Result] = []
    for ship in sorted(game.units.values(), key=lambda ship: ship.id):
        had, due = sides_in(ship, points), _due(ship, points)
        lost, gained = (side for side in had if side not in due), (side for side in due if side not in had)
        worth = ship.number("ram_defense") + more
        for side, amount, why in (*((one, -1, "no longer") for one in lost), *((one, 1, "") for one in gained)):
            cause = " ".join(filter(None, (ship.id, why, _deed(ship, points))))
            results += paid(after(game, results), account_of(side), amount * worth, cause, rule)
        results += changed(ship, points, as_value(due), rule=rule)
    return results


def _due(ship: Unit, points: str) -> tuple[str, ...]:
    """Return the sides that hold the points for a ship now."""
    captor = sides_in(ship, "captured_by")
    if points == "capture_points":
        return captor
    return tuple(side for side in counted_by(ship) if side not in captor)


def _deed(ship: Unit, points: str) -> str:
    if points == "capture_points":
        return "captured"
    return "rammed" if ship.get("rammed") else "aground"


# --- the end --------------------------------------------------------------------------------------------------------


def points_of(game: Game, side: str) -> int:
    return game.accounts.get(account_of(side), 0)


def why_over(game: Game) -> str:
    """Return the reason why the battle is over; "" while it continues."""
    lost = [side for side in game.side_ids if not afloat(game, side)]
    if lost:
        return f"{' and '.join(map(game.side_name, lost))} has no ship left"
    enough = game.number("victory_points")
    if enough and any(points_of(game, side) >= enough for side in game.side_ids):
        return f"{enough} victory points are reached"
    last = game.number("last_turn")
    return f"turn {last} was the last" if last and game.turn >= last else ""


def is_decided(game: Game, _: str) -> bool:
    return bool(why_over(game))


def winner_of(game: Game) -> str:
    """Return the side that alone has ships, else the one with more points; "" for a draw."""
    left = [side for side in game.side_ids if afloat(game, side)]
    if len(left) == 1:
        return left[0]
    return leader_in_points(game)


def leader_in_points(game: Game) -> str:
    """Return the side with more points; "" for a draw."""
    most = max(points_of(game, side) for side in game.side_ids)
    best = [side for side in game.side_ids if points_of(game, side) == most]
    return best[0] if len(best) == 1 else ""


def conclude(game: Game) -> list[Result]:
    """Return the end of the game, if a side has won."""
    why = why_over(game)
    return [GameEnded(why=why, winner=winner_of(game), rule="H")] if why else []
