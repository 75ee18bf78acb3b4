"""Provide a game at a position, as a seat knows it there."""

from typing import TYPE_CHECKING

from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.projections.questions.differences import Difference, differences
from umpire_ledger.projections.tables.turn_view import TurnView

if TYPE_CHECKING:
    from umpire_ledger.desk.game import PlayedGame
    from umpire_ledger.desk.seat import Seat


class Position:
    """A position of a game, as returned by `seat.at(412)`. It is immutable, because positions are never reused."""

    def __init__(self, seat: "Seat", number: int) -> None:
        seat.game.verify_position(number)
        self.seat = seat
        self.number = number

    @property
    def known(self) -> Game:
        """The whole state as the seat knows it at this position."""
        return self.seat.known(self.number)

    @property
    def status(self) -> TurnView:
        """The turn view at this position."""
        return self.seat.status_at(self.number)

    def units(self, *, side: str = "", gone: bool = False) -> tuple[Unit, ...]:
        """Return the units at this position, by id."""
        return self.seat.units(at=self.number, side=side, gone=gone)

    def diff(self, other: "Position") -> list[Difference]:
        """Return the differences from another position, of this game or of another one, such as its fork."""
        return differences(self.known, other.known)

    def scenario(self) -> str:
        """Return a scenario (TOML) that continues from this position; the seat must know all of it.

        The errors are those of `Seat.scenario`.
        """
        return self.seat.scenario(at=self.number)

    def fork(self, id: str) -> "PlayedGame":
        """Copy the game up to this position under another id.

        Raises:
            GameExists: When the ledger has a game with this id.
            Refused: When the position is inside the setup.
        """
        return self.seat.game.fork(id, at=self.number)

    def __repr__(self) -> str:
        return f"<Position #{self.number} of {self.seat.game.id} as {self.seat.name}>"
