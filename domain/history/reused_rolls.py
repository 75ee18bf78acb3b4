"""Choose the rolls that reuse old results after a rewind.

A roll is recognised by its purpose, its subjects, its step, the members of the loops around it (a battle hex), and its
dice; such rolls reuse the old results in the order of the old rolls, even if other orders come in another order. So
fighting the battles in another order cannot improve a roll. Under `keep-unless-new` all rolls are fresh from the first
order that the abandoned branch does not have; the same orders in another order are not new.
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
"""The memo key of the number of times that each order was given since a rewind."""

_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder().decode


class OldRoll(msgspec.Struct, frozen=True):
    """A roll on an abandoned branch, and its position in the log."""

    position: int
    roll: DiceRolled


Alike = tuple[str, tuple[str, ...], int, int]
"""Index key: purpose, subjects, number and faces of the dice. Rolls with equal keys are candidates."""


class AbandonedRolls(msgspec.Struct, frozen=True):
    """The part of a branch that a rewind abandoned: its rolls, oldest first, its orders with counts, its start."""

    rolls: Mapping[Alike, tuple[OldRoll, ...]]
    orders: Counter[bytes]
    since: int


class RollReuser:
    """The dice of one order that is decided while dice are being kept."""

    def __init__(self, title: KnowsOrders, game: Game, order: Order, history: History) -> None:
        self._title = title
        self._keep = game.active_keep
        self._order = order
        self._history = history
        self._left: AbandonedRolls | None = None
        self._used: set[int] = set()

    def take(self, fresh: DiceRolled, notation: DiceNotation) -> OldRoll | None:
        """Return the old roll whose results this one reuses (it has none yet), or None to roll fresh dice."""
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
        """Return whether an order since then, or the current one, is absent from the abandoned orders."""
        key = (GIVEN, keep.to, keep.tip)
        upto, unused = self._history.memo.get(key, (left.since, left.orders.copy()))
        unused.subtract(_given(self._title, _newer(self._history, None, upto)))
        self._history.memo[key] = self._history.tip, unused
        is_known = any(unused[one] > 0 for one in (_encode(self._order), _kind(self._order), _unseen(self._order)))
        return not is_known or min(unused.values()) < 0


def abandoned_rolls(title: KnowsOrders, keep: Keep, history: History) -> AbandonedRolls:
    """Return the rolls abandoned by the current rewind, and unused ones of earlier rewinds."""
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
        if keep.policy == "keep-unless-new":  # reading every order again costs, and `keep` does not ask
            orders.update(_given(title, stretch))
        since = min(since, earlier.to)
        earlier = history.state(earlier.tip).active_keep
        used |= set(earlier.used) | set(earlier.fresh) if earlier else set()
    by_kind: dict[Alike, list[OldRoll]] = {}
    for old in _still_free(rolls, history, to):
        by_kind.setdefault(_alike(old.roll, parse(old.roll.dice)), []).append(old)
    return AbandonedRolls({kind: tuple(found) for kind, found in by_kind.items()}, orders, since)


def _still_free(rolls: list[OldRoll], history: History, to: int) -> Iterator[OldRoll]:
    """Return the rolls that neither count on the current branch nor were reused there."""
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
    """Return whether two rolls are in the same step and loop. Older logs lack `step`: then it is not compared."""
    return not old.step or (old.step, old.about) == (fresh.step, fresh.about)


def _given(title: KnowsOrders, orders: "Iterator[PlayedOrder] | list[PlayedOrder]") -> Iterator[bytes]:
    """Yield orders as canonical bytes, for comparison: no results, no order id, defaults omitted, notes skipped.

    For an order with a hidden record only its kind is compared, for one to hidden units only its seat: all seats see
    which rolls are reused, so this must not reveal whether a secret choice was repeated.
    """
    for taken in orders:
        if not taken.cause or taken.is_talk or taken.rewound:
            continue
        try:
            order = read_order(title, _decode(taken.cause)).order
            is_unseen = any(isinstance(event, HiddenOrdered) for event in taken.events)
            yield _unseen(order) if is_unseen else _kind(order) if taken.hidden else _encode(order)
        except (RuleViolation, msgspec.DecodeError):  # an order that this edition of the title does not know
            yield taken.cause


def _kind(order: Order) -> bytes:
    """Return the seat and the name of an order."""
    return _encode({"as": order.seat, "order": order.tag()})


def _unseen(order: Order) -> bytes:
    """Return the public part of an order to hidden units: its seat."""
    return _encode({"as": order.seat})
