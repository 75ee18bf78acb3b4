"""A seat: the one way to act in a game and to look at it. The referee and a spectator are seats too."""

from pathlib import Path
from typing import IO, TYPE_CHECKING

from umpire_ledger.desk.core.adapters import need_title_of
from umpire_ledger.desk.core.copied_games import as_continued
from umpire_ledger.desk.core.text_files import whole_file
from umpire_ledger.desk.games.record_stream import Following
from umpire_ledger.desk.logs.log_files import Exported
from umpire_ledger.desk.position import Position
from umpire_ledger.desk.scenarios.from_state import scenario_at
from umpire_ledger.desk.seat_refereeing import Judging
from umpire_ledger.desk.signing.share_files import due_order
from umpire_ledger.domain.game.dice_shares import awaited
from umpire_ledger.domain.game.seat_keys import short

if TYPE_CHECKING:
    from umpire_ledger.desk.pictures.replay_pages import PageMade, Progress
    from umpire_ledger.ledger.merkle.inclusion_proof import Proof
    from umpire_ledger.ledger.merkle.tree import Checkpoint


class Seat(Judging):
    """`game.seat("athens")`. What it gives is the fold of the records that the seat may see, and nothing else."""

    def at(self, position: int) -> Position:
        """The game at an earlier position, as this seat knows it. Raises NoSuchRecord."""
        return Position(self, position)

    @property
    def signs_with(self) -> str:
        """Name and id of the key with which this seat signs its orders; "" where it has none."""
        return short(self.game._open.state.keys.get(self.name, ""))

    @property
    def dice_wait_for(self) -> tuple[str, ...]:
        """The sides without whose share the dice of this game cannot be thrown now; none of most games."""
        return awaited(self.game._open.state)

    def dice_due(self, folder: str | Path) -> dict[str, str] | None:
        """The order with which this seat's side gives its share in the dice; None where none is due of it.

        `folder`: where its secrets are kept; a new one is drawn for a pledge. Raises WrongUse.
        """
        # A copy must not be shown a share for an order that waits in the original.
        game = as_continued(self.game.ledger, self.game.id, self.game._open.state)
        return due_order(game, self.name, Path(folder))

    @property
    def now(self) -> Position:
        """The game at its last position."""
        return Position(self, self.game.size)

    def follow(self, after: int | None = None, *, until: int | None = None, patience: float | None = None) -> Following:
        """The records that this seat may see, as they come: `for record in …` or `async for record in …`.

        `after`: begin behind that position; behind the last one if left out. `until`: end at that position.
        `patience`: end when nothing came for so many seconds.
        """
        self._verify()
        start = self.game.size if after is None else after
        return Following(self.game._open, self.name, start, until=until, patience=patience)

    def looking_as(self, who: str) -> "Seat":
        """Another seat's view, where this one may ask for it: its own side's, or any for the referee.

        Raises NoSuchSeat; Refused where it is closed to this seat.
        """
        self._verify_may_ask(who)
        return Seat(self.game, who)

    def export(self, file: str | Path | IO[bytes]) -> Exported:
        """Write the game as a replay log; what this seat may not see is withheld, its hashes stay. Raises WrongUse."""
        return self.game.export(file, seat=self.name)

    def export_keys(self, file: str | Path | IO[bytes]) -> int:
        """Write the private records that this seat may see, as `PlayedGame.export_keys`; gives how many."""
        return self.game.export_keys(file, seat=self.name)

    def prove(
        self, position: int, checkpoint: "Checkpoint | None" = None, *, file: str | Path | None = None
    ) -> "Proof":
        """One record with its path to a checkpoint, as `PlayedGame.prove`; what this seat may not see is redacted."""
        return self.game.prove(position, checkpoint, seat=self.name, file=file)

    def page(
        self,
        file: str | Path,
        *,
        first: int | None = None,
        last: int | None = None,
        tell: "Progress | None" = None,
    ) -> "PageMade":
        """Write the replay page: one file, made from this seat's export, that opens anywhere and checks itself.

        `first`, `last`: only that stretch, in whole orders; the page then is the game as it stood at the last. `tell`:
        the position up to which it is made. Raises NoSuchRecord; WrongUse where the file does not end in .html or
        cannot be written, and where the stretch ends before it begins.
        """
        from umpire_ledger.desk.pictures.replay_pages import write_page  # noqa: PLC0415 -- most looks draw nothing

        self._verify()
        return write_page(self.game._open, self.name, Path(file), first, last, tell)

    def scenario(self, file: str | Path | None = None, *, at: int | None = None) -> str:
        """A scenario (TOML) from which a game goes on as this one stood at a position (None: the last).

        Its text; `file`: also written there. A game opened from it throws ledger dice from a seed of its own. Inside an
        order it is the end of the order before. Raises Refused where something that is not laid open is closed to this
        seat, inside the opening, and for a game that is over there; NoSuchRecord, NoSuchTitle, WrongUse.
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
