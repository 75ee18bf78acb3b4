"""Act in a game and query it as one of its seats. The referee and a spectator are seats, too."""

from pathlib import Path
from typing import IO, TYPE_CHECKING

from umpire_ledger.desk.core.adapters import need_title_of
from umpire_ledger.desk.core.copied_games import as_continued
from umpire_ledger.desk.core.text_files import whole_file
from umpire_ledger.desk.games.record_stream import Following
from umpire_ledger.desk.logs.log_files import Exported
from umpire_ledger.desk.position import Position
from umpire_ledger.desk.scenarios.from_state import scenario_at
from umpire_ledger.desk.seat_refereeing import SeatRefereeing
from umpire_ledger.desk.signing.share_files import due_order
from umpire_ledger.domain.game.dice_shares import awaited
from umpire_ledger.domain.game.seat_keys import short

if TYPE_CHECKING:
    from umpire_ledger.desk.pictures.replay_pages import PageMade, Progress
    from umpire_ledger.ledger.merkle.inclusion_proof import Proof
    from umpire_ledger.ledger.merkle.tree import Checkpoint


class Seat(SeatRefereeing):
    """A seat of a game, as returned by `game.seat("athens")`. Its answers use only records that the seat may see."""

    def at(self, position: int) -> Position:
        """Return the game at an earlier position, as this seat knows it.

        Raises:
            NoSuchRecord: When the game has no such position.
        """
        return Position(self, position)

    @property
    def signs_with(self) -> str:
        """Name and id of the key that signs this seat's orders; "" if it has no key."""
        return short(self.game._open.state.keys.get(self.name, ""))

    @property
    def dice_wait_for(self) -> tuple[str, ...]:
        """The sides whose dice shares are missing now; empty for most games."""
        return awaited(self.game._open.state)

    def dice_due(self, folder: str | Path) -> dict[str, str] | None:
        """Return the order with this side's dice share; None if none is required of it.

        Args:
            folder: The folder of its secrets; a commitment adds a new secret.

        Raises:
            WrongUse: When the folder cannot be used.
        """
        # A copy must not reveal a share for an order that waits in the original.
        game = as_continued(self.game.ledger, self.game.id, self.game._open.state)
        return due_order(game, self.name, Path(folder))

    @property
    def now(self) -> Position:
        """The game at its last position."""
        return Position(self, self.game.size)

    def follow(self, after: int | None = None, *, until: int | None = None, patience: float | None = None) -> Following:
        """Stream the records that this seat may see, as they are recorded: `for record in …`, `async for record in …`.

        Args:
            after: The position before the first one; the last one by default.
            until: The position to end at.
            patience: Seconds without a record after which the stream ends.
        """
        self._verify()
        start = self.game.size if after is None else after
        return Following(self.game._open, self.name, start, until=until, patience=patience)

    def looking_as(self, who: str) -> "Seat":
        """Return the view of another seat of this seat's side or, for the referee, of any seat.

        Raises:
            NoSuchSeat: When the game does not have the seat.
            Refused: When that view is closed to this seat.
        """
        self._verify_may_ask(who)
        return Seat(self.game, who)

    def export(self, file: str | Path | IO[bytes]) -> Exported:
        """Write the game as a replay log; records that this seat may not see are withheld, and their hashes stay.

        Raises:
            WrongUse: When the file cannot be written.
        """
        return self.game.export(file, seat=self.name)

    def export_keys(self, file: str | Path | IO[bytes]) -> int:
        """Write the private records that this seat may see, as `PlayedGame.export_keys` does; return their number."""
        return self.game.export_keys(file, seat=self.name)

    def prove(
        self, position: int, checkpoint: "Checkpoint | None" = None, *, file: str | Path | None = None
    ) -> "Proof":
        """Return a record with its inclusion proof, as `PlayedGame.prove` does; redacted if the seat may not see it."""
        return self.game.prove(position, checkpoint, seat=self.name, file=file)

    def page(
        self,
        file: str | Path,
        *,
        first: int | None = None,
        last: int | None = None,
        tell: "Progress | None" = None,
        picture: bool = False,
    ) -> "PageMade":
        """Write the replay page: one file, made from this seat's export, that opens in any browser and checks itself.

        Args:
            first: The first record of a part, extended to whole orders.
            last: The last record of a part; the page shows the game at that position.
            tell: Called with the position up to which the page is made.
            picture: Include the background picture of the map.

        Raises:
            NoSuchRecord: When the game has no such position.
            WrongUse: When the file does not end in .html or cannot be written, or `last` is before `first`.
        """
        from umpire_ledger.desk.pictures.replay_pages import write_page  # noqa: PLC0415 -- 14 ms: most looks draw nothing

        self._verify()
        return write_page(self.game._open, self.name, Path(file), first, last, tell, picture=picture)

    def scenario(self, file: str | Path | None = None, *, at: int | None = None) -> str:
        """Return a scenario (TOML) with which a new game continues this one from a position (None: the last).

        The new game rolls ledger dice from its own seed. A position inside an order counts as the end of the order
        before it.

        Args:
            file: Also write the scenario there.

        Raises:
            Refused: When an unrevealed secret is closed to this seat, the position is inside the setup, or the game had
                ended.
            NoSuchRecord: When the game has no such position.
            NoSuchTitle: When the title is not installed.
            WrongUse: When the file cannot be written.
        """
        self._verify()
        title = need_title_of(self._ledger.state(self.game.id))
        text = scenario_at(self._ledger, title, self.game.id, self.game.size if at is None else at, self.name)
        if file is not None:
            with whole_file(Path(file)) as out:
                out.write(text.encode())
        return text

    def __repr__(self) -> str:
        return f"<Seat {self.name} of {self.game.id}>"
