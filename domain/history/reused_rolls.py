"""Dice on a rewind: which rolls of what is played again take their old pips.

A roll is recognised by its purpose, its subjects, its step, what the loops around it are about (a battle hex), and its
dice; such rolls take the old pips in the order in which they were rolled, whatever the order of everything else. So
nobody gets a better roll by fighting the battles in another order. Under `keep-unless-new` all is fresh from the first
order that the line which was left does not know; the same orders in another order are nothing new.
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
"""In a past's memo: how often each order was given since a rewind."""

_encode = msgspec.json.Encoder(order="sorted").encode
_decode = msgspec.json.Decoder().decode


class OldRoll(msgspec.Struct, frozen=True):
    """A roll that a rewind left behind, and where it stands in the log."""

    position: int
    roll: DiceRolled


Alike = tuple[str, tuple[str, ...], int, int]
"""Index key: purpose, subjects, number and faces of the dice. Rolls with equal keys are candidates."""


class AbandonedRolls(msgspec.Struct, frozen=True):
    """What a rewind left: its rolls, the oldest first, how often each order was given, and from where on."""

    rolls: Mapping[Alike, tuple[OldRoll, ...]]
    orders: Counter[bytes]
    since: int


class RollReuser:
    """The dice of one order that is decided while dice are being kept."""

    def __init__(self, title: KnowsOrders, game: Game, order: Order, past: History) -> None:
        self._title = title
        self._keep = game.active_keep
        self._order = order
        self._past = past
        self._left: AbandonedRolls | None = None
        self._used: set[int] = set()

    def take(self, fresh: DiceRolled, notation: DiceNotation) -> OldRoll | None:
        """The old roll whose pips this one takes (it has none yet), or None where they are to be thrown."""
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
        left = abandoned_rolls(self._title, self._keep, self._past)
        if self._keep.policy == "keep-unless-new" and self._is_new(self._keep, left):
            return nothing
        self._used.update(self._keep.used)
        return left

    def _is_new(self, keep: Keep, left: AbandonedRolls) -> bool:
        """Whether an order since then, or the one in hand, is not among those that were left behind."""
        key = (GIVEN, keep.to, keep.tip)
        upto, unused = self._past.memo.get(key, (left.since, left.orders.copy()))
        unused.subtract(_given(self._title, _newer(self._past, None, upto)))
        self._past.memo[key] = self._past.tip, unused
        is_known = any(unused[one] > 0 for one in (_encode(self._order), _kind(self._order), _unseen(self._order)))
        return not is_known or min(unused.values()) < 0


def abandoned_rolls(title: KnowsOrders, keep: Keep, past: History) -> AbandonedRolls:
    """What the rewind left that is now in force, and what earlier ones left that was never used."""
    key = ("left", keep.policy, keep.to, keep.tip, keep.fresh)
    if key not in past.memo:
        past.memo[key] = _left_by(title, keep, past)
    found: AbandonedRolls = past.memo[key]
    return found


def _left_by(title: KnowsOrders, keep: Keep, past: History) -> AbandonedRolls:
    rolls: list[OldRoll] = []
    orders: Counter[bytes] = Counter()
    used: set[int] = set()
    since, to = keep.to, keep.to
    earlier: Keep | None = keep
    while earlier is not None:
        stretch = list(_newer(past, earlier.tip, earlier.to))
        found = [old for taken in reversed(stretch) for old in _rolls(taken) if old.position not in earlier.fresh]
        rolls += [old for old in found if old.position not in used]
        if keep.policy == "keep-unless-new":  # reading every order again costs, and `keep` does not ask
            orders.update(_given(title, stretch))
        since = min(since, earlier.to)
        earlier = past.state(earlier.tip).active_keep
        used |= set(earlier.used) | set(earlier.fresh) if earlier else set()
    by_kind: dict[Alike, list[OldRoll]] = {}
    for old in _still_free(rolls, past, to):
        by_kind.setdefault(_alike(old.roll, parse(old.roll.dice)), []).append(old)
    return AbandonedRolls({kind: tuple(found) for kind, found in by_kind.items()}, orders, since)


def _still_free(rolls: list[OldRoll], past: History, to: int) -> Iterator[OldRoll]:
    """Without the rolls that stand, or whose pips stand, on the line that is returned to."""
    lowest = min((old.position for old in rolls), default=to)
    there: set[int] = set()
    for taken in _newer(past, to, lowest - 1):
        for old in _rolls(taken):
            there |= {old.position, old.roll.kept}
    return (old for old in rolls if old.position not in there)


def _newer(past: History, at: int | None, than: int) -> Iterator[PlayedOrder]:
    """The orders of a line behind a position, the newest first."""
    for taken in past.newest_first(at):
        if taken.last <= than:
            return
        yield taken


def _rolls(taken: PlayedOrder) -> Iterator[OldRoll]:
    return (OldRoll(position, event) for position, event in taken.placed() if isinstance(event, DiceRolled))


def _alike(roll: DiceRolled, notation: DiceNotation) -> Alike:
    return roll.purpose, tuple(sorted(roll.subjects)), notation.number, notation.faces


def _is_there(old: DiceRolled, fresh: DiceRolled) -> bool:
    """Whether two rolls stand in the same step and loop. Older logs lack `step`: then it is not compared."""
    return not old.step or (old.step, old.about) == (fresh.step, fresh.about)


def _given(title: KnowsOrders, orders: "Iterator[PlayedOrder] | list[PlayedOrder]") -> Iterator[bytes]:
    """Orders as canonical bytes, for comparison: no pips, no command id, defaults omitted, notes skipped.

    Of an order with a hidden record only its kind is compared, of one to hidden units not even that: whether dice are
    kept is seen by everybody, and must not tell whether a secret was chosen again.
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
    """The seat and the name of an order."""
    return _encode({"as": order.seat, "order": order.tag()})


def _unseen(order: Order) -> bytes:
    """All that the others know of an order to hidden units: the seat."""
    return _encode({"as": order.seat})
