"""Choose the rolls that reuse old results after a rewind.

A roll matches an old one if they have the same purpose, subjects, step, members of the loops around it (such as a
battle hex), and dice. Matching rolls reuse the old results in their old sequence, even if the orders are now given in
another one. So fighting the battles in another order cannot improve a roll. Under `keep-unless-new`, all rolls are
fresh from the first order that is not on the abandoned branch; the same orders in another sequence are not new.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec

from umpire_ledger.domain.game.dice_notation import DiceNotation, parse
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DiceRolled, HiddenOrdered
from umpire_ledger.domain.game.order_json import KnowsOrders, read_order
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.state import Game, Keep
from umpire_ledger.domain.history.history import History, PlayedOrder

GIVEN = "given"
"""Memo key for the count of each order since a rewind."""

_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder().decode


class OldRoll(msgspec.Struct, frozen=True):
    """A roll on an abandoned branch, and its position in the log."""

    position: int
    roll: DiceRolled


Alike = tuple[str, tuple[str, ...], int, int]
"""Index key: purpose, subjects, number of dice, faces. Rolls with equal keys may match."""


class AbandonedRolls(msgspec.Struct, frozen=True):
    """The part of a branch that a rewind abandoned: its rolls, oldest first, the count of each order, and its start."""

    rolls: Mapping[Alike, tuple[OldRoll, ...]]
    orders: Counter[bytes]
    since: int


class RollReuser:
    """Reuse of old rolls by one order that is decided after a rewind."""

    def __init__(self, title: KnowsOrders, game: Game, order: Order, history: History) -> None:
        self._title = title
        self._keep = game.active_keep
        self._order = order
        self._history = history
        self._left: AbandonedRolls | None = None
        self._used: set[int] = set()

    def take(self, fresh: DiceRolled, notation: DiceNotation) -> OldRoll | None:
        """Return the old roll whose results a new roll reuses; None if its dice are rolled.

        `fresh`: the new roll, without results yet.
        """
        if self._left is None:
            self._left = self._find()
        for old in self._left.rolls.get(_alike(fresh, notation), ()):
            if old.position not in self._used and _is_there(old.roll, fresh):
                self._used.add(old.position)
                return old
        return None

    def _find(self) -> AbandonedRolls:
        nothing = AbandonedRolls({}, Counter(), 0)
        if self._keep is None:
            return nothing
        left = abandoned_rolls(self._title, self._keep, self._history)
        if self._keep.policy == "keep-unless-new" and self._is_new(self._keep, left):
            return nothing
        self._used.update(self._keep.used)
        return left

    def _is_new(self, keep: Keep, left: AbandonedRolls) -> bool:
        """Return whether the current order, or an order since the rewind, is not among the abandoned orders."""
        key = (GIVEN, keep.to, keep.tip)
        upto, unused = self._history.memo.get(key, (left.since, left.orders.copy()))
        unused.subtract(_given(self._title, _newer(self._history, None, upto)))
        self._history.memo[key] = self._history.tip, unused
        is_known = any(unused[one] > 0 for one in (_encode(self._order), _kind(self._order), _unseen(self._order)))
        return not is_known or min(unused.values()) < 0


def abandoned_rolls(title: KnowsOrders, keep: Keep, history: History) -> AbandonedRolls:
    """Return the rolls that the newest rewind abandoned, and unused ones of earlier rewinds."""
    key = ("left", keep.policy, keep.to, keep.tip, keep.fresh)
    if key not in history.memo:
        history.memo[key] = _left_by(title, keep, history)
    found: AbandonedRolls = history.memo[key]
    return found


def _left_by(title: KnowsOrders, keep: Keep, history: History) -> AbandonedRolls:
    rolls: list[OldRoll] = []
    orders: Counter[bytes] = Counter()
    used: set[int] = set()
    since, to = keep.to, keep.to
    earlier: Keep | None = keep
    while earlier is not None:
        stretch = list(_newer(history, earlier.tip, earlier.to))
        found = [old for taken in reversed(stretch) for old in _rolls(taken) if old.position not in earlier.fresh]
        rolls += [old for old in found if old.position not in used]
        if keep.policy == "keep-unless-new":  # Reading every order again is slow, and only this policy needs them.
            orders.update(_given(title, stretch))
        since = min(since, earlier.to)
        earlier = history.state(earlier.tip).active_keep
        used |= set(earlier.used) | set(earlier.fresh) if earlier else set()
    by_kind: dict[Alike, list[OldRoll]] = {}
    for old in _still_free(rolls, history, to):
        by_kind.setdefault(_alike(old.roll, parse(old.roll.dice)), []).append(old)
    return AbandonedRolls({kind: tuple(found) for kind, found in by_kind.items()}, orders, since)


def _still_free(rolls: list[OldRoll], history: History, to: int) -> Iterator[OldRoll]:
    """Yield the rolls that are not on the current branch and were not reused there."""
    lowest = min((old.position for old in rolls), default=to)
    there: set[int] = set()
    for taken in _newer(history, to, lowest - 1):
        for old in _rolls(taken):
            there |= {old.position, old.roll.kept}
    return (old for old in rolls if old.position not in there)


def _newer(history: History, at: int | None, than: int) -> Iterator[PlayedOrder]:
    """Yield the orders of a branch after a position, the newest first."""
    for taken in history.newest_first(at):
        if taken.last <= than:
            return
        yield taken


def _rolls(taken: PlayedOrder) -> Iterator[OldRoll]:
    return (OldRoll(position, event) for position, event in taken.placed() if isinstance(event, DiceRolled))


def _alike(roll: DiceRolled, notation: DiceNotation) -> Alike:
    return roll.purpose, tuple(sorted(roll.subjects)), notation.number, notation.faces


def _is_there(old: DiceRolled, fresh: DiceRolled) -> bool:
    """Return whether two rolls have the same step and loop members.

    Older logs do not record steps, so they match any.
    """
    return not old.step or (old.step, old.about) == (fresh.step, fresh.about)


def _given(title: KnowsOrders, orders: "Iterator[PlayedOrder] | list[PlayedOrder]") -> Iterator[bytes]:
    """Yield orders as canonical bytes for comparison, without results, order ids, defaults and comments.

    Only the name and seat of an order with a hidden record are compared, and only the seat of an order to hidden units.
    Every seat sees which rolls are reused, so the comparison must not reveal whether a secret choice was repeated.
    """
    for taken in orders:
        if not taken.cause or taken.is_talk or taken.rewound:
            continue
        try:
            order = read_order(title, _decode(taken.cause)).order
            is_unseen = any(isinstance(event, HiddenOrdered) for event in taken.events)
            yield _unseen(order) if is_unseen else _kind(order) if taken.hidden else _encode(order)
        except (RuleViolation, msgspec.DecodeError):  # This edition of the title does not know the order.
            yield taken.cause


def _kind(order: Order) -> bytes:
    """Return the seat and the name of an order."""
    return _encode({"as": order.seat, "order": order.tag()})


def _unseen(order: Order) -> bytes:
    """Return the public part of an order to hidden units, which is its seat."""
    return _encode({"as": order.seat})
