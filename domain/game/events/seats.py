"""Seats and their keys: each event with its effect, its validity and its audit text."""

from collections.abc import Mapping

from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.checks import VALID, unknown_side
from umpire_ledger.domain.game.events.phrases import in_brackets
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.seat_keys import short
from umpire_ledger.domain.game.state import REFEREE, Game


class SeatTaken(Event, frozen=True, kw_only=True, tag="seat.taken"):
    """A seat acts for a side from now on."""

    seat: str
    side: str
    name: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.more["seats"] = {**draft.now("seats"), self.seat: self.side}
        draft.more["keys"] = _without(draft.now("keys"), self.seat)

    def transition_error(self, game: Game) -> str:
        if self.seat in game.seats:
            return f"the seat {self.seat} already plays for {game.seats[self.seat]}"
        return unknown_side(game, self.side)

    def audit_text(self) -> str:
        return f"{self.seat}{in_brackets(self.name)} takes a seat for {self.side}"


class SeatKeyed(Event, frozen=True, kw_only=True, tag="seat.keyed"):
    """A seat gets a key. From the next order on, it signs its orders with the private half.

    `key`: the public half, as `game/seat_keys.py` writes it; "" if the seat no longer signs, for instance after a
    rewind from a copy into the original.
    """

    seat: str
    key: str
    why: str = ""

    def apply(self, draft: FoldingGame) -> None:
        others = _without(draft.now("keys"), self.seat)
        draft.more["keys"] = {**others, self.seat: self.key} if self.key else others

    def transition_error(self, game: Game) -> str:
        known = (*game.side_ids, *game.seats, REFEREE)
        return VALID if self.seat in known else f"there is no seat {self.seat}"

    def audit_text(self) -> str:
        if not self.key:
            return f"{self.seat} no longer signs{in_brackets(self.why)}"
        return f"{self.seat} now signs with the key {short(self.key)}{in_brackets(self.why)}"


SeatsEvent = SeatTaken | SeatKeyed


def _without(keys: Mapping[str, str], seat: str) -> Mapping[str, str]:
    return {one: key for one, key in keys.items() if one != seat}
