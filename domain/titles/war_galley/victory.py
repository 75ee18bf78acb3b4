"""Count the points in H, and end the battle.

Each ship counts once for a side. A captured ship is worth its ram defense plus 1 as long as it stays captured; another
ship that was rammed or ran aground is worth its ram defense. A captured ship that both sides rammed counts for both. A
ship that another one dragged down is worth nothing unless it qualifies on its own.

The summary prints neither the loop back to A nor the end of a battle. A battle ends at the scenario's points, after its
last turn, or when a side has no ships.
"""

from umpire_ledger.domain.titles.war_galley.ships import afloat, as_value, counted_by, sides_in
from umpire_ledger.kit import Game, GameEnded, Result, Unit, after, changed, paid

RAMMED = "H.a"
CAPTURED = "H.b"


def account_of(side: str) -> str:
    """Return the account that holds a side's victory points."""
    return f"vp/{side}"


def count_rammed(game: Game) -> list[Result]:
    """Count the ram defense of enemy ships that were rammed or ran aground, sunk or not."""
    return _count(game, "ram_points", 0, RAMMED)


def score_captured(game: Game) -> list[Result]:
    """Count the ram defense plus 1 of captured enemy ships. The points are lost when the ship is recaptured."""
    return _count(game, "capture_points", 1, CAPTURED)


def _count(game: Game, points: str, more: int, rule: str) -> list[Result]:
    """Pay, ship by ship, the points that became due since the last count, and take back points no longer due."""
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
    """Return the sides that are now entitled to the points for a ship."""
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
    """Return the only side that has ships, or else the side with more points; "" for a draw."""
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
    """End the game if the battle is over, with or without a winner."""
    why = why_over(game)
    return [GameEnded(why=why, winner=winner_of(game), rule="H")] if why else []
