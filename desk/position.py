"""A game at a position, as a seat knows it there."""

from typing import TYPE_CHECKING

from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.projections.questions.differences import Difference, differences
from umpire_ledger.projections.tables.turn_view import TurnView

if TYPE_CHECKING:
    from umpire_ledger.desk.game import PlayedGame
    from umpire_ledger.desk.seat import Seat


class Position:
    """`seat.at(412)`: immutable; positions are never reused, so it never becomes another."""

    def __init__(self, seat: "Seat", number: int) -> None:
        seat.game.verify_position(number)
        self.seat = seat
        self.number = number

    @property
    def known(self) -> Game:
        """The whole state as the seat knows it here."""
        return self.seat.known(self.number)

    @property
    def status(self) -> TurnView:
        """The turn view as it stood here."""
        return self.seat.status_at(self.number)

    def units(self, *, side: str = "", gone: bool = False) -> tuple[Unit, ...]:
        """The units as they stood here, by id."""
        return self.seat.units(at=self.number, side=side, gone=gone)

    def diff(self, other: "Position") -> list[Difference]:
        """What differs between here and another position, of this game or of another: a fork and its original."""
        return differences(self.known, other.known)

    def scenario(self) -> str:
        """A scenario (TOML) that goes on from here; the seat must know all that is in it. Raises as `Seat.scenario`."""
        return self.seat.scenario(at=self.number)

    def fork(self, id: str) -> "PlayedGame":
        """A copy of the game up to here under another id. Raises GameExists; Refused inside the opening."""
        return self.seat.game.fork(id, at=self.number)

    def __repr__(self) -> str:
        return f"<Position #{self.number} of {self.seat.game.id} as {self.seat.name}>"
