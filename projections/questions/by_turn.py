"""Compute accounts and forces by turn, on the current branch, as a seat may know them.

Turn 0 is before the first turn.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AccountChanged, AnyEvent, inner_events
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.state import REFEREE, Game, Unit
from umpire_ledger.projections.tables.order_history import RecordedOrder

LOSSES = ("casualty", "destroyed", "eliminated", "killed", "lost", "routed", "sacrificed", "sunk")
"""Fates of lost units; a unit with another fate left play for another reason."""
CAPTURED = "captured"
"""The fate of a unit that another side took."""
HURT = ("crippled", "damaged")
"""Attributes of damaged units that are still in play."""


class AccountByTurn(msgspec.Struct, frozen=True, kw_only=True):
    """An account at the end of each turn; None before it first appears."""

    account: str
    values: tuple[int | None, ...]


class ForcesByTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A side's units by turn: in play and damaged at its end; new, lost, and gone for another reason during it.

    Units that the scenario sets up are not new.

    `fates`: the number of units by fate, over the whole game. `out`: the number of units out of play at the end of each
    turn. A captured unit counts for its new side, and a unit that came back does not count.
    """

    side: str
    in_play: tuple[int, ...]
    hurt: tuple[int, ...]
    new: tuple[int, ...]
    lost: tuple[int, ...]
    gone: tuple[int, ...]
    fates: dict[str, int]
    out: tuple[int, ...]


class ByTurn(msgspec.Struct, frozen=True, kw_only=True):
    """All turns of a game. `turns`: their numbers, in order; `forces`: one entry a side, "" for units without one."""

    turns: tuple[int, ...]
    accounts: tuple[AccountByTurn, ...]
    forces: tuple[ForcesByTurn, ...]


def by_turn(deeds: Iterable[RecordedOrder], kept: Callable[[AnyEvent], bool] = lambda _: False) -> ByTurn:
    """Return the accounts and forces by turn.

    Args:
        kept: Returns whether an event sets a value for the rules only; accounts with such an event are omitted.
    """
    ends: dict[int, Game] = {}
    left: dict[int, list[tuple[str, str]]] = {}
    new: dict[int, list[str]] = {}
    hidden: set[str] = set()
    game = Game()
    for event, set_up in _events(deeds):
        before, game = known_to(game, REFEREE), evolve(game, event)
        ends[game.turn] = known_to(game, REFEREE)
        left.setdefault(game.turn, []).extend(_losses(event, before))
        new.setdefault(game.turn, []).extend(() if set_up else _arrivals(event))
        if isinstance(event, AccountChanged) and kept(event):
            hidden.add(event.account)
    turns = tuple(sorted(ends))
    sides = [*game.side_ids, *(() if all(unit.side for unit in game.units.values()) else ("",))]
    return ByTurn(
        turns=turns,
        accounts=tuple(
            AccountByTurn(account=name, values=tuple(ends[turn].accounts.get(name) for turn in turns))
            for name in sorted(game.accounts)
            if name not in hidden
        ),
        forces=tuple(_forces(side, turns, ends, new, left) for side in sides),
    )


def _events(deeds: Iterable[RecordedOrder]) -> Iterator[tuple[AnyEvent, bool]]:
    """Yield each event, with True if it belongs to the setup of the game."""
    for deed in deeds:
        events = [one for _, event in deed.events for one in inner_events(event)]
        set_up = any(isinstance(event, e.GameOpened) for event in events)
        yield from ((event, set_up) for event in events)


def _losses(event: AnyEvent, before: Game) -> Iterator[tuple[str, str]]:
    """Yield the side that loses a unit by this event, and the fate of the unit."""
    match event:
        case e.UnitRemoved(unit=unit, fate=fate) if unit in before.units and not before.units[unit].fate:
            yield before.units[unit].side, fate
        case e.UnitChanged(unit=unit, attribute="side", after=after) if unit in before.units:
            if before.units[unit].side != after:
                yield before.units[unit].side, CAPTURED
        case _:
            pass


def _arrivals(event: AnyEvent) -> Iterator[str]:
    match event:
        case e.UnitPlaced(side=side):
            yield side
        case e.UnitChanged(attribute="side", after=str(side)):
            yield side
        case _:
            pass


def _forces(
    side: str,
    turns: tuple[int, ...],
    ends: dict[int, Game],
    new: dict[int, list[str]],
    left: dict[int, list[tuple[str, str]]],
) -> ForcesByTurn:
    there = [_in_play(ends[turn], side) for turn in turns]
    fates = [[fate for of, fate in left[turn] if of == side] for turn in turns]
    lost = [sum(fate in (*LOSSES, CAPTURED) for fate in some) for some in fates]
    every = [fate for some in fates for fate in some]
    return ForcesByTurn(
        side=side,
        in_play=tuple(map(len, there)),
        hurt=tuple(sum(any(unit.get(one) is True for one in HURT) for unit in some) for some in there),
        new=tuple(new[turn].count(side) for turn in turns),
        lost=tuple(lost),
        gone=tuple(len(some) - number for some, number in zip(fates, lost, strict=True)),
        fates={fate: every.count(fate) for fate in dict.fromkeys(every)},
        out=tuple(sum(unit.side == side and bool(unit.fate) for unit in ends[turn].units.values()) for turn in turns),
    )


def _in_play(game: Game, side: str) -> list[Unit]:
    return [unit for unit in game.units.values() if unit.side == side and not unit.fate]
