"""Generate random orders under fog, by a side or by the referee for it, about units that not all sides see."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import msgspec

from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.orders import Change, Hide, Move, Order, Place, Remove, Roll, Rule, Show
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.rulings import CARRIED
from umpire_ledger.domain.play.suggested_orders import suggested_here

OF_THE_TITLE = 20
"""The most suggestions of the title to try for a side."""
FARTHEST = 3
"""The most places in the path of a move."""


def hidden_orders(title: Title, game: Game, chance: Random) -> Iterator[Order]:
    """Yield orders about hidden units in random order.

    Most of them are followed by the same order as a ruling of the referee, in case no open step allows the order.
    """
    for side in chance.sample(game.side_ids, len(game.side_ids)):
        known = known_to(game, side)
        given = [*_of_side(known, side, chance), *_of_the_title(title, known, side)]
        for order in chance.sample(given, len(given)):
            yield order
            if type(order) in (Place, Move, Change, Remove, Show):
                yield _ruled(order)


def _of_side(known: Game, side: str, chance: Random) -> Iterator[Order]:
    number = chance.randint(1, 99)
    yield Place(
        seat=side, unit=f"{side}-{number}", side=side, kind="unit", at=_place(known, chance), hidden=True,
        only=_some(known, side, chance),
    )  # fmt: skip
    for unit in chance.sample(mine := known.in_play(side), min(2, len(mine))):
        way = tuple(_place(known, chance) for _ in range(chance.randint(1, FARTHEST)))
        yield Hide(seat=side, unit=unit.id, only=_some(known, side, chance))
        yield Move(seat=side, unit=unit.id, path=way, only=(side, *_some(known, side, chance)))
    hidden = sorted(name for name in known.hidden if name in known.units and known.units[name].side == side)
    for name in chance.sample(hidden, min(2, len(hidden))):
        way = tuple(_place(known, chance) for _ in range(chance.randint(1, FARTHEST)))
        yield Move(seat=side, unit=name, path=way)
        yield Change(seat=side, unit=name, attribute="note", to=chance.randint(1, 9))
        yield Roll(seat=side, purpose="it looks out", subjects=(name,))
        yield Show(seat=side, unit=name, to=_some(known, side, chance))
        if number % 5 == 0:
            yield Remove(seat=side, unit=name)


def _of_the_title(title: Title, known: Game, side: str) -> list[Order]:
    """Return the title's suggestions for a side, as the side sees the game; [] without hidden units."""
    if title.sequence is None or not known.hidden:
        return []
    return list(islice((one for one in suggested_here(title, known) if one.seat == side), OF_THE_TITLE))


def _place(known: Game, chance: Random) -> str:
    """Return the current or last place of a random unit that the side sees, so that the title knows the place."""
    return chance.choice(sorted({unit.at for unit in known.units.values()}) or ["somewhere"])


def _some(known: Game, side: str, chance: Random) -> tuple[str, ...]:
    """Return a random choice of the other sides: often none, never all."""
    others = [one for one in known.side_ids if one != side]
    return tuple(chance.sample(others, max(0, chance.randint(-1, len(others) - 1))))


def _ruled(order: Order) -> Order:
    plain = msgspec.json.decode(msgspec.json.encode(order))
    return Rule(seat=REFEREE, ruling="it is so", reason="fog", grounds="house rule", orders=(plain,))


# --- what the others see ----------------------------------------------------------------------------------------------


def look_alike(game: Game, one: Order, other: Order) -> bool:
    """Return whether no other seat can distinguish two orders.

    Both must be about hidden units only, and have the same viewers.
    """
    eyes = _side_and_viewers(game, one)
    return eyes is not None and eyes == _side_and_viewers(game, other)


def _side_and_viewers(game: Game, order: Order) -> tuple[str, ...] | None:
    """Return the side that gives an order and the viewers of its unit; None if other sides see part of the order."""
    match order:
        case Rule(orders=({"order": name, **raw},)):
            return _side_and_viewers(game, msgspec.convert({"order": name, **raw}, CARRIED[name]))
        case Place() if order.hidden or order.only:
            seers = tuple(side for side in game.side_ids if side == order.side or side in order.only)
        case Move(only=()) | Change() | Remove() if order.unit in game.hidden:
            seers = game.hidden[order.unit].seen_by
        case _:
            return None
    return (game.side_of(order.seat), *seers)
