"""Decide the keys of seats, which no rewind removes. Signatures are checked when orders are received."""

from collections.abc import Iterator, Mapping

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import SeatKeyed
from umpire_ledger.domain.game.orders import GiveKey
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.seat_keys import ED25519, SeatKey
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.game.unknown_names import no_such_seat
from umpire_ledger.domain.history.refusals import REFUSALS

RULE = "keys"


def decide_key(game: Game, order: GiveKey) -> SeatKeyed:
    """Set the key with which a seat signs from the next order on.

    The side's own seat can set the keys of the side's other seats.

    Raises:
        UnknownName: The game has no such seat.
        RuleViolation: The key is for the referee or for a seat that the author may not equip, it replaces another
            without a reason, or it is not valid.
    """
    if order.who == REFEREE:
        raise _refuse(game.where, "referee-has-no-key")
    known = _seats(game)
    if order.who not in known:
        refused = no_such_seat(game, order.who, ", ".join(known))
        refused.fields |= {"who": order.who, "known": tuple(known)}  # the fields from before it shared its text
        raise refused
    if order.seat not in (order.who, game.side_of(order.who), REFEREE):
        raise _refuse(game.where, "key-of-another-seat", seat=order.seat, who=order.who)
    if order.seat != order.who and order.who in game.keys and not order.reason:
        raise _refuse(game.where, "reason-missing", who=order.who)
    verify_key(order.key, game.where)
    return SeatKeyed(seat=order.who, key=order.key, why=order.reason)


def keys_at_opening(game: Game, keys: Mapping[str, str]) -> Iterator[SeatKeyed]:
    """Yield the events that set the keys of seats at the opening of a game.

    Raises:
        DomainError: As `decide_key` does.
    """
    for seat, key in keys.items():
        yield decide_key(game, GiveKey(seat=REFEREE, who=seat, key=key))


def verify_key(text: str, where: str) -> None:
    """Check the text of a public key.

    Raises:
        RuleViolation: It is not a public key for signing orders.
    """
    try:
        kind = SeatKey.read(text).kind
    except ValueError as error:
        raise _refuse(where, "not-a-key", error=error) from error
    if kind != ED25519:
        raise _refuse(where, "witness-key")


def keys_behind(game: Game, then: Game) -> Iterator[SeatKeyed]:
    """Yield the events after a rewind that restore every seat's present key. `then`: the state after the rewind."""
    for seat in _seats(then):
        key = game.keys.get(seat, "")
        if key != then.keys.get(seat, ""):
            yield SeatKeyed(seat=seat, key=key, why="a rewind does not change keys")


def _seats(game: Game) -> tuple[str, ...]:
    return (*game.side_ids, *game.seats)


def _refuse(where: str, code: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=where, rule=RULE)
