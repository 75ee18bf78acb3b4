"""Amend an order of the branch (replace, drop, repeat, or insert one before it), and re-play all later orders.

Nothing on the old branch changes. The first order on the new branch is the amendment itself, a rewind. After it, every
order is recorded with its own arguments, so that a re-played order can be amended too. If an order no longer applies,
the amendment stops, and an order of the referee continues it (`amend_continue`).
"""

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import (
    AmendmentEnded,
    AmendmentStopped,
    AnyEvent,
    DiceAsked,
    DiceRolled,
    RestrictedEvent,
)
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.order_json import AGAIN, SIGNATURE, core_of, read_order
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, Game, StoppedAmendment, replace
from umpire_ledger.domain.history.couriers import with_arrivals
from umpire_ledger.domain.history.dice_seeds import rewind_with_dice
from umpire_ledger.domain.history.end_of_game_reveal import CLOSED_RULE, verify_opens_own
from umpire_ledger.domain.history.history import History, PlayedOrder, is_branch_independent
from umpire_ledger.domain.history.private_words import is_private_words, repeated_words
from umpire_ledger.domain.history.reused_rolls import GIVEN
from umpire_ledger.domain.history.undo_and_rewind import rewound
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.refusals import REFUSALS

RULE = "amend"
NOT_AGAIN = (
    *("undo", "redo", "rewind", "amend", "amending", "ask-rewind", "consent", "refuse"),
    *("seal", "peek", "dispute", "settle", "open-dice", "seat-dice", "open-secrets", "open-words"),
)
"""Orders that are not re-played: those that made the branch, and comments independent of it.

A seal covered another history, so its seat must seal again. Revealed secrets stay revealed.
"""

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Replayed(msgspec.Struct, frozen=True, kw_only=True):
    """A re-played order. `of`: the position of the order that it repeats; 0 for a new one."""

    of: int
    raw: Mapping[str, Any]
    seat: str
    decision: Decision


class Stop(msgspec.Struct, frozen=True, kw_only=True):
    """The first order that no longer applies, and its refusal."""

    position: int
    seat: str
    raw: Mapping[str, Any]
    refusal: RuleViolation


class RemainingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order still to be re-played, with its arguments. `closed`: the referee may not read all of them."""

    position: int
    seat: str
    raw: Mapping[str, Any]
    closed: bool = False


class Amended(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an amendment. `at`: the position of the amended order, or of the order at which it had stopped.

    `rest`: the orders that are not re-played yet, because the first of them stopped the amendment.
    """

    at: int
    orders: tuple[Replayed, ...]
    stop: Stop | None
    rest: tuple[RemainingOrder, ...]
    game: Game


def amend(
    title: Title, game: Game, order: o.Amend, raw: Mapping[str, Any], history: History, seed: str = ""
) -> Amended:
    """Return the new branch, decided but not recorded: the amendment, the given order, and all later orders.

    `seed`: a new seed for the ledger's dice, needed if the game's seed is revealed.

    Raises:
        RuleViolation: The seat is not the referee; an amendment waits; the position is not an order of the branch that
            can be amended; too little or too much is given; or the given order is refused. Then there is no new branch.
    """
    verify_referee(game, order)
    _verify_none_waits(game)
    mended, later = _from(game, order, history)
    new = _given(game, order, mended)
    fresh = _rolls_of(mended) if order.how in ("drop", "reroll") or "pips" in order.given else ()
    back = rewound(game, history, mended.first - 1, "amend", order.why, dice=order.dice, fresh=fresh)
    begun = rewind_with_dice(game, back, history, seed)
    onward = ReplayHistory(history, back.to)
    first = Replayed(of=0, raw=public_words(raw), seat=order.seat, decision=begun)
    onward.take(first)
    under_way = StoppedAmendment(at=mended.first, tip=history.tip, left=len(later))
    onward.game = replace(onward.game, amending=under_way)  # its dice policy applies until the last order is re-played
    strips = game.dice == "table" and order.dice != "keep" and order.how != "reroll"
    again = play_again(title, onward, (*new, *map(to_repeat, later)), must=len(new), strips=strips)
    rest = remaining_orders(game, later, again.stop)
    told = begun.told
    if again.stop is not None:
        stop = again.stop
        told = (*told, AmendmentStopped(at=stop.position, tip=history.tip, left=len(rest), seat=stop.seat))
    elif begun.game.amending:  # An older amendment waited here, and play continued from there.
        told = (*told, AmendmentEnded(how="left", left=begun.game.amending.left))
    return amended(order.at, first, told, again, rest, onward.game)


def verify_referee(game: Game, order: o.Order) -> None:
    """Check that the referee gives an order.

    Raises:
        RuleViolation: Another seat gives it.
    """
    if order.seat != REFEREE:
        raise refuse(game, "only-the-referee-amends")


def _verify_none_waits(game: Game) -> None:
    if game.amending is not None:
        raise refuse(game, "amendment-waits", at=game.amending.at)


def public_words(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the public arguments of an amendment. `given` may be secret and is recorded with its own events."""
    return {name: value for name, value in raw.items() if name != "given"}


class PlayedAgain(NamedTuple):
    """The orders that were re-played, and the first one that no longer applied."""

    orders: tuple[Replayed, ...]
    stop: Stop | None


def play_again(
    title: Title, onward: "ReplayHistory", orders: Iterable[tuple[int, Mapping[str, Any]]], *, must: int, strips: bool
) -> PlayedAgain:
    """Decide orders one after the other. Each has the position of the order that it repeats (0: new).

    `strips`: remove the old dice results of repeated orders.

    Raises:
        RuleViolation: One of the first `must` orders is refused.
    """
    replayed: list[Replayed] = []
    for number, (of, given) in enumerate(orders):
        try:
            one = _play(title, onward, of, given, strips=strips and bool(of))
        except RuleViolation as refusal:
            stop = _as_seen(onward.game, Stop(position=of, seat=str(given.get("as")), raw=given, refusal=refusal))
            if number < must:
                raise stop.refusal from None
            return PlayedAgain(tuple(replayed), stop)
        onward.take(one)
        replayed.append(one)
    return PlayedAgain(tuple(replayed), None)


def amended(
    at: int,
    first: Replayed,
    told: tuple[AnyEvent | RestrictedEvent, ...],
    again: PlayedAgain,
    rest: tuple[RemainingOrder, ...],
    game: Game,
) -> Amended:
    """Return the complete amendment. Its final waiting state applies to each of its orders."""
    waits = first.decision.game
    for event in told:
        waits = evolve(waits, event) if isinstance(event, AmendmentStopped | AmendmentEnded) else waits

    def known(one: Replayed, events: tuple[Any, ...]) -> Replayed:
        game = replace(one.decision.game, amending=waits.amending)
        return replace(one, decision=replace(one.decision, told=events, game=game))

    orders = (known(first, told), *(known(one, one.decision.told) for one in again.orders))
    return Amended(at=at, orders=orders, stop=again.stop, rest=rest, game=replace(game, amending=waits.amending))


def to_repeat(taken: PlayedOrder) -> tuple[int, dict[str, Any]]:
    """Return the position and arguments of an order of the old branch, to be re-played."""
    return taken.first, _again(taken)


def remaining_orders(game: Game, later: Iterable[PlayedOrder], stop: Stop | None) -> tuple[RemainingOrder, ...]:
    """Return the order at which the amendment stopped and all later ones; () if it did not stop."""
    return () if stop is None else tuple(left(game, one) for one in later if one.first >= stop.position)


def left(game: Game, taken: PlayedOrder) -> RemainingOrder:
    """Return a remaining order as the referee may read it, in the form of a line of an order file."""
    words = {name: value for name, value in _again(taken).items() if name not in (AGAIN, "entered_by")}
    closed = not taken.cause or (taken.hidden and taken.seat != REFEREE and bool(game.options.get(CLOSED_TO_REFEREE)))
    if closed:
        words = _closed_words(words, is_private_words(taken))
    return RemainingOrder(position=taken.first, seat=taken.seat, raw=words, closed=closed)


def words_seen(game: Game, replayed: Replayed) -> Mapping[str, Any]:
    """Return the arguments of a re-played order as the referee may read them.

    In a game that is closed to the referee, a side's secret order shows only its seat and its name.
    """
    is_secret = any(isinstance(event, RestrictedEvent) for event in replayed.decision.told)
    if not (replayed.of and is_secret and replayed.seat != REFEREE and game.options.get(CLOSED_TO_REFEREE)):
        return replayed.raw
    words = replayed.decision.told[0] if len(replayed.decision.told) == 1 else None
    return _closed_words(replayed.raw, isinstance(words, RestrictedEvent))


def _closed_words(raw: Mapping[str, Any], is_alone: bool) -> dict[str, Any]:
    """Return the seat and the name of an order; only the seat if it has a single, private record."""
    return {name: value for name, value in raw.items() if name in (("as",) if is_alone else ("as", "order"))}


def _as_seen(game: Game, stop: Stop) -> Stop:
    """Return a stop without texts that the referee may not read, if secrets are closed to the referee.

    A side's order may contain its secret, and so may its refusal. The referee knows the referee's own order for a side,
    but its refusal may still quote the side's secret.
    """
    if stop.seat == REFEREE or not game.options.get(CLOSED_TO_REFEREE) or stop.refusal.rule == CLOSED_RULE:
        return stop
    raw = {"as": stop.seat, "order": stop.raw.get("order")} if stop.position else stop.raw
    code = "reason-withheld" if stop.position else "reason-of-new-order-withheld"
    return Stop(position=stop.position, seat=stop.seat, raw=raw, refusal=refuse(game, code, seat=stop.seat))


# --- orders to re-play ------------------------------------------------------------------------------------------------


def _from(game: Game, order: o.Amend, history: History) -> tuple[PlayedOrder, tuple[PlayedOrder, ...]]:
    """Return the amended order, and the orders to re-play, oldest first."""
    later: list[PlayedOrder] = []
    for taken in history.newest_first():
        if taken.last < order.at:
            break
        if taken.first <= order.at:
            return _verified(game, order, taken), tuple(one for one in _kept_back(order, taken, later) if is_play(one))
        later.append(taken)
    remedy = "`umpire branches GAME` shows its branch; rewind to that branch first"
    if not 1 <= order.at <= history.tip:
        remedy = f"name an order from #1 to #{history.tip}"
    raise refuse(game, "not-on-current-branch", at=order.at, remedy=remedy)


def _kept_back(order: o.Amend, mended: PlayedOrder, later: list[PlayedOrder]) -> Iterator[PlayedOrder]:
    if order.how == "before":
        yield mended
    yield from reversed(later)


def _verified(game: Game, order: o.Amend, taken: PlayedOrder) -> PlayedOrder:
    if taken.first == 1:
        raise refuse(game, "inside-the-opening", at=order.at)
    if taken.rewound:
        raise refuse(game, "is-a-rewind", at=order.at)
    if not taken.cause and order.how in ("before", "reroll"):
        raise refuse(game, "words-not-here", at=order.at)
    return taken


def is_play(taken: PlayedOrder) -> bool:
    """Return whether an order is re-played.

    An order that only asks for dice is not, because it is carried out later.
    """
    if any(isinstance(event, DiceAsked) for event in taken.events):
        return False
    if not taken.cause:
        return not taken.is_talk and not taken.is_bare_rewind
    return _decode(taken.cause).get("order") not in NOT_AGAIN


def _given(game: Game, order: o.Amend, mended: PlayedOrder) -> tuple[tuple[int, dict[str, Any]], ...]:
    """Return the first orders of the new branch, each with the position of the order that it repeats (0: new)."""
    if order.how == "drop":
        if order.given:
            raise refuse(game, "dropped-and-replaced")
        return ()
    if order.how == "reroll":
        again = {name: value for name, value in _again(mended).items() if name != "pips"}
        return ((mended.first, {**again, **order.given}),)
    if not order.given:
        raise refuse(game, "order-missing")
    return ((0, {"as": mended.seat, **order.given}),)


def _again(taken: PlayedOrder) -> dict[str, Any]:
    """Return the arguments of an order for a repetition.

    A ruling loses its rewind, because it is re-played after that.
    """
    if not taken.cause:
        return {"as": taken.seat}
    # The referee repeats the order, and a signature is valid only at its own position, so it is not copied.
    raw = {name: value for name, value in _decode(taken.cause).items() if name not in SIGNATURE}
    if raw.get("order") == "rule":
        raw["orders"] = [one for one in raw.get("orders", ()) if one.get("order") != "rewind"]
        raw.pop("dispute", None)
    return {**raw, AGAIN: taken.first}


def _rolls_of(taken: PlayedOrder) -> tuple[int, ...]:
    return tuple(position for position, event in taken.placed() if isinstance(event, DiceRolled))


def _play(title: Title, onward: "ReplayHistory", of: int, raw: Mapping[str, Any], *, strips: bool) -> Replayed:
    """Decide one order. A repeated order loses dice results that its reused rolls do not need."""
    if (repeated := onward.private_words(of, raw)) is not None:
        return repeated
    bare = {name: value for name, value in raw.items() if name != "pips"}
    tries = [bare] if strips else [raw, bare] if of and "pips" in raw else [raw]
    for at, words in enumerate(tries):
        try:
            sent = read_order(title, words, onward.game.where)
            _verify_is_play(onward.game, sent.order)
            decision = decide(title, onward.game, replace(sent, entered_by="" if of else REFEREE), onward)
            verify_opens_own(onward.game, REFEREE, decision.told, onward.events_of(of))
            _verify_dice_there(onward.game, decision)
        except RuleViolation as refusal:
            if refusal.rule != "dice" or at == len(tries) - 1:
                raise
        else:
            return Replayed(of=of, raw=words, seat=sent.order.seat, decision=decision)
    raise AssertionError("the last try returns or raises")


def _verify_dice_there(game: Game, decision: Decision) -> None:
    """Check that an order does not wait for witnessed dice, for which every order must wait separately.

    Raises:
        RuleViolation: It waits for dice.
    """
    if any(isinstance(event, DiceAsked) for event in events_of(decision.told)):
        raise refuse(game, "dice-wait-for-others")


def _verify_is_play(game: Game, order: o.Order) -> None:
    if order.tag() in NOT_AGAIN:
        raise refuse(game, "cannot-amend-this-order", order=order.tag())


def refuse(game: Game, code: str, /, **fields: object) -> RuleViolation:
    """Return the refusal of an amendment."""
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=RULE)


# --- the history of an unrecorded branch ------------------------------------------------------------------------------


class ReplayHistory:
    """A `domain.history.history.History` of a growing branch: decided orders are added as if they were recorded."""

    def __init__(self, history: History, to: int) -> None:
        self._history = history
        self._to = to
        self._new: list[PlayedOrder] = []
        self._states: dict[int, Game] = {}
        self.tip = history.tip
        # Results for unrecorded orders must not be cached.
        self.memo: MutableMapping[Any, Any] = {key: value for key, value in history.memo.items() if key[0] != GIVEN}
        self.game = history.state(to)

    def take(self, replayed: Replayed) -> None:
        """Add an order to the branch."""
        events = tuple(events_of(replayed.decision.told))
        first, self.tip = self.tip + 1, self.tip + len(events)
        self._new.append(
            PlayedOrder(first=first, last=self.tip, seat=replayed.seat, events=events, cause=_encode(replayed.raw))
        )
        self.game = self._states[self.tip] = replayed.decision.game

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        if at is not None and at <= self._history.tip:
            yield from self._history.newest_first(at)
            return
        yield from (one for one in reversed(self._new) if at is None or one.last <= at)
        yield from self._history.newest_first(self._to)

    def events_of(self, position: int) -> tuple[AnyEvent, ...]:
        """Return the events of the order at a position; () if there is none."""
        taken = self._taken_at(position)
        return taken.events if taken else ()

    def private_words(self, of: int, raw: Mapping[str, Any]) -> Replayed | None:
        """Return the private record of an order, repeated; None for other orders, and if the arguments were changed."""
        taken = self._taken_at(of)
        if taken is None or not is_private_words(taken) or core_of(raw) != core_of(_again(taken)):
            return None
        if taken.seat != REFEREE and not self.game.side_of(taken.seat):
            raise refuse(self.game, "seat-is-gone", seat=taken.seat)
        told = repeated_words(self.game, taken, self)
        decision = with_arrivals(Decision(told=(told,), game=evolve(self.game, told.event)))
        return Replayed(of=of, raw=raw, seat=taken.seat, decision=decision)

    def _taken_at(self, position: int) -> PlayedOrder | None:
        _, last = self.order_at(position)
        return next(self.newest_first(last)) if last else None

    def order_at(self, position: int) -> tuple[int, int]:
        new = next(((one.first, one.last) for one in self._new if one.first <= position <= one.last), None)
        return new or self._history.order_at(position)

    def state(self, position: int) -> Game:
        return self._states[position] if position in self._states else self._history.state(position)

    def said(self) -> Iterator[AnyEvent]:
        yield from self._history.said()
        for one in self._new:
            yield from (event for event in one.events if is_branch_independent(event))

    def opened(self) -> Iterator[str]:
        return self._history.opened()  # no amendment reveals a seed
