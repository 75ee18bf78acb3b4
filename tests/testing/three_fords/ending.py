"""5: points for the fords, and the end of the game."""

from umpire_ledger.kit import Game, GameEnded, Result, after, changed, look_up, paid

FORDS = ("upper-ford", "middle-ford", "lower-ford")


def score(game: Game) -> list[Result]:
    """Score step 5a: a side alone at a ford gets the points of the table; then companies may march and attack again."""
    results: list[Result] = []
    for number, ford in enumerate(FORDS, 1):
        holders = sorted({unit.side for unit in game.in_play() if unit.at == ford})
        if len(holders) == 1:
            _, points = look_up(game, "points", number)
            results += paid(after(game, results), f"points/{holders[0]}", int(str(points)), ford, "5a")
    for unit in game.in_play():
        results += [*changed(unit, "marched", False, rule="5a"), *changed(unit, "attacked", False, rule="5a")]
    return results


def why_over(game: Game) -> str:
    """Return why the game is over; "" while it continues."""
    if any(not game.in_play(side) for side in game.side_ids):
        return "a side has no company left"
    return f"turn {game.turn} was the last" if game.turn >= game.number("last_turn") else ""


def is_decided(game: Game, _: str) -> bool:
    return bool(why_over(game))


def points_of(game: Game, side: str) -> int:
    """Return the points of a side; two for each company that is left."""
    return game.accounts.get(f"points/{side}", 0) + 2 * len(game.in_play(side))


def conclude(game: Game) -> list[Result]:
    """End the game in step 5b: the side with more points wins; a tie is a draw."""
    why = why_over(game)
    if not why:
        return []
    points = {side: points_of(game, side) for side in game.side_ids}
    best = [side for side in game.side_ids if points[side] == max(points.values())]
    return [GameEnded(why=why, winner=best[0] if len(best) == 1 else "", rule="5b")]
