"""Turn bales into points, and end the game (4)."""

from umpire_ledger.kit import Game, GameEnded, Result, after, marked, paid, removed


def deliver(game: Game) -> list[Result]:
    """Count one point for each delivered bale, and clear the water of this turn (4a)."""
    results = marked(game, "water", None, rule="4a")
    for raft in game.in_play():
        if raft.at.endswith("/sea"):
            results += paid(after(game, results), f"points/{raft.side}", raft.number("bales"), raft.id, "4a")
            results += removed(raft, "delivered", rule="4a")
    return results


def why_over(game: Game) -> str:
    """Return why the game is over, or "" while it continues."""
    if not game.in_play():
        return "every raft has delivered"
    last = game.number("last_turn")
    return f"turn {last} was the last" if game.turn >= last else ""


def is_decided(game: Game, _: str) -> bool:
    return bool(why_over(game))


def conclude(game: Game) -> list[Result]:
    """End the game if it is over: the side with more points wins; equal points are a draw (4b)."""
    why = why_over(game)
    if not why:
        return []
    points = {side: game.accounts.get(f"points/{side}", 0) for side in game.side_ids}
    best = [side for side in game.side_ids if points[side] == max(points.values())]
    return [GameEnded(why=why, winner=best[0] if len(best) == 1 else "", rule="4b")]
