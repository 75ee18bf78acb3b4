"""Drift rafts down their rivers, and pay the toll at a mill of the other side (3)."""

from typing import Annotated

import msgspec

from two_rivers.tolls import toll_of
from umpire_ledger.kit import Closes, Dice, Game, Order, Result, Unit, moved, paid, refusing, word_in

STRETCHES = ("spring", "bend", "mill", "mouth", "sea")
"""Down the river; a place is written `north/bend`."""
RULE = "3a"
refuse = refusing("Two Rivers")


class Drift(Order, frozen=True, kw_only=True, tag="drift"):
    """Let the raft in hand drift down its river, so many stretches."""

    stretches: Annotated[int, msgspec.Meta(ge=1, le=3)]


def rafts(game: Game, side: str) -> tuple[str, ...]:
    """Return the rafts of a side that are still on a river."""
    return tuple(raft.id for raft in game.in_play(side) if not raft.at.endswith("/sea"))


def raft_in_hand(game: Game) -> Unit:
    return game.units[game.cursor.item("3.1")]


def way_down(raft: Unit, stretches: int) -> tuple[str, ...]:
    """Return the places downstream, from the raft's own place to the sea."""
    river, _, place = raft.at.partition("/")
    at = STRETCHES.index(place)
    return tuple(f"{river}/{stretch}" for stretch in STRETCHES[at : at + stretches + 1])


def miller(game: Game, river: str) -> str:
    """Return the side that owns the mill of a river."""
    return word_in(game, f"mill/{river}")


def decide_drift(game: Game, order: Drift, _: Dice) -> list[Result]:
    """Move the raft, and pay any toll to the owner of the mill.

    Raises:
        RuleViolation: The water does not carry that far, or the side cannot pay the toll.
    """
    raft = raft_in_hand(game)
    verify_can_drift(game, raft, order.stretches)
    path = way_down(raft, order.stretches)
    return [*moved(raft, path, rule=RULE), *_pays(game, raft, path), Closes()]


def verify_can_drift(game: Game, raft: Unit, stretches: int) -> None:
    water = game.number("water")
    if stretches > water:
        raise refuse(game, f"the water carries {water}, not {stretches}", f"drift 1 to {water}, or `done`", RULE)
    due, purse = toll_due(game, raft, way_down(raft, stretches)), game.accounts.get(f"coins/{raft.side}", 0)
    if due > purse:
        raise refuse(game, f"the toll is {due}, and {purse} coins are left", "stop above the mill, or `done`", RULE)


def can_drift(game: Game, _: str) -> bool:
    """Return whether the picked raft can drift one stretch; the water always carries that far."""
    picked = raft_in_hand(game)
    return toll_due(game, picked, way_down(picked, 1)) <= game.accounts.get(f"coins/{picked.side}", 0)


def toll_due(game: Game, raft: Unit, path: tuple[str, ...]) -> int:
    """Return the toll of the mill that the raft reaches, if the mill is the other side's."""
    owner = miller(game, raft.at.partition("/")[0])
    comes_to_mill = any(place.endswith("/mill") for place in path[1:])
    return toll_of(game, owner) if comes_to_mill and owner not in ("", raft.side) else 0


def _pays(game: Game, raft: Unit, path: tuple[str, ...]) -> list[Result]:
    due = toll_due(game, raft, path)
    if not due:
        return []
    owner = miller(game, raft.at.partition("/")[0])
    cause = f"toll of {raft.id}"
    return [*paid(game, f"coins/{raft.side}", -due, cause, RULE), *paid(game, f"coins/{owner}", due, cause, RULE)]
