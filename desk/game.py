"""Provide one game of a ledger: its seats, its orders, its log."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Any

import msgspec

from umpire_ledger.desk.core.adapters import LedgerHistory, find_title, need_title_of, place_words
from umpire_ledger.desk.core.dice_use import reusable_in
from umpire_ledger.desk.core.durations import span
from umpire_ledger.desk.core.open_game import OpenGame
from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.desk.core.outcomes import Amendment, Outcome, Recorded, amendment_of, outcome_for
from umpire_ledger.desk.core.text_files import verify_not_there
from umpire_ledger.desk.core.tokenizer import split
from umpire_ledger.desk.games.read_marks import last_look, note_look
from umpire_ledger.desk.games.spectator_view import SpectatorLedger, spectators_only_look
from umpire_ledger.desk.logs import archive, log_files, proofs, unredact
from umpire_ledger.desk.logs.archive import Archived
from umpire_ledger.desk.logs.log_files import Checked, Exported
from umpire_ledger.desk.orders.dry_run import Rehearsal
from umpire_ledger.desk.orders.file_play import Played, on_what_was_seen, play_file, play_lines
from umpire_ledger.desk.orders.legal_orders import Idea, legal_orders, thrown_by, worth_trying
from umpire_ledger.desk.orders.order_files import order_lines
from umpire_ledger.desk.orders.previews import preview
from umpire_ledger.desk.orders.sessions import open_session
from umpire_ledger.desk.orders.typo_check import givers_now
from umpire_ledger.desk.position import Position
from umpire_ledger.desk.scenarios import opening
from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.signing import checkpoints
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DiceRolled
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.orders import Amend, Amending, Order
from umpire_ledger.domain.game.spectator_delay import Delay, delay_in
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.amend import RemainingOrder
from umpire_ledger.domain.play.rulings import CARRIED
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.merkle.inclusion_proof import Proof
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.errors import GameExists
from umpire_ledger.ledger.records.ledger_address import is_database
from umpire_ledger.ledger.signed_note import SignedNote
from umpire_ledger.projections.questions.rewind_preview import Impact
from umpire_ledger.projections.questions.times import Times, times
from umpire_ledger.projections.tables.copies import CopyOrigin
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.projections.tables.views_file import looked

if TYPE_CHECKING:
    from umpire_ledger.desk.desk import Desk
    from umpire_ledger.desk.orders.click_choices import UnitOrders
    from umpire_ledger.desk.orders.completion import CompletionContext
    from umpire_ledger.desk.orders.unit_orders import Candidates
    from umpire_ledger.desk.signing.witness import Submission

Lines = Iterable[tuple[int, Mapping[str, Any]]]
"""Orders with their line numbers, from 1."""


class PlayedGame:
    """A game in a ledger, as returned by `desk.game("harbour")`.

    Several threads and several processes may play one game at once.
    """

    left_to_table: tuple[str, ...] = ()
    """Parts that the scenario leaves to the table without a limit; known only to the call that opened the game."""

    def __init__(
        self, desk: "Desk", id: str, *, opened: OpenLedger | None = None, original: "PlayedGame | None" = None
    ) -> None:
        self.desk = desk
        self._original = original or self
        """The game itself, if this is its spectators' view. Names, read marks and copies are in its ledger."""
        self._watched: PlayedGame | None = None
        self._watching = Lock()
        self.id = id
        self._candidates: dict[str, Candidates] = {}
        self._open = OpenGame(opened or desk, id, open_session)
        """The game as services use it. It does not hide secrets from seats, so no caller gets it."""

    # --- properties ---------------------------------------------------------------------------------------------------

    @property
    def ledger(self) -> Ledger[Game]:
        """The ledger with this game. For the application layer only: it does not hide secrets from seats."""
        return self._open.ledger

    @property
    def size(self) -> int:
        """The last position; 0 if the game does not exist."""
        return self._open.size

    @property
    def title_id(self) -> str:
        """The id of its title, which need not be installed."""
        return self._open.title_id

    @property
    def title(self) -> Title | None:
        """The title; None if it is not installed. The game's log can still be read."""
        return self._open.title

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self._open.name

    @property
    def copied(self) -> CopyOrigin | None:
        """The original of this copy and the last copied position; None if the game is not a copy."""
        return self._open.copied

    @property
    def full_name(self) -> str:
        """The id and, for a copy, the original: `what-if (a copy of harbour at #585)`."""
        return self._open.full_name

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides by id, in the order of the scenario."""
        return self._open.sides

    @property
    def turn(self) -> int:
        """The turn that is being played."""
        return self._open.turn

    @property
    def where(self) -> str:
        """The current step in a referee's words."""
        return self._open.where

    @property
    def ended(self) -> str:
        """The reason for the end of the game; "" during play."""
        return self._open.ended

    @property
    def unreadable(self) -> str:
        """A sentence on the record that this edition cannot read; "" if it reads all."""
        return self._open.unreadable

    @property
    def missing(self) -> str:
        """A sentence about records that this ledger had before and lacks now; "" if it has all."""
        return self._open.missing

    @property
    def seats(self) -> tuple[str, ...]:
        """Every seat with a view of the game: the referee, the sides, claimed seats, the spectator."""
        return self._open.seats

    @property
    def display_name(self) -> str:
        """The game's name in this ledger: the scenario's name until it is renamed."""
        return archive.display_name(self._original.ledger, self.id) or self.name

    def rename(self, name: str) -> None:
        """Set the game's name in this ledger; "" restores the scenario's name.

        The id and every record stay, because a name is not an event of the game.

        Raises:
            WrongUse: When the name is too long.
            StoreUnavailable: When the ledger cannot be written.
        """
        archive.rename(self._original.ledger, self.id, name)

    @property
    def opening(self) -> Outcome:
        """The result of the order that opened the game, as the referee may see it."""
        records = self.ledger.order_at(self.id, 1)
        opened = Recorded(records=records, game=self.ledger.state(self.id, records[-1].position))
        return outcome_for(REFEREE, self.id, opened)

    # --- seats and positions ------------------------------------------------------------------------------------------

    def seat(self, name: str) -> Seat:
        """Return the seat with a name.

        Raises:
            NoSuchSeat: When the game has no seat with that name.
        """
        if name not in self._lasting_seats:
            self._open.verify_seat(name)
        return Seat(self, name)

    @cached_property
    def _lasting_seats(self) -> frozenset[str]:
        """Seats that no rewind removes, so that each is checked without reading the ledger."""
        return frozenset((REFEREE, *self.sides, SPECTATOR))

    @property
    def referee(self) -> Seat:
        """The referee's seat; it cannot read secrets that are closed to the referee."""
        return Seat(self, REFEREE)

    @property
    def delay(self) -> Delay | None:
        """The delay of its spectators; None if they see everything at once."""
        return delay_in(self._open.state.options)

    @property
    def watched(self) -> "PlayedGame":
        """The game as its spectators see it: this one, or its delayed view."""
        delay = None if self._is_view else self.delay
        if delay is None:
            return self
        with self._watching:
            if self._watched is None:
                seen = SpectatorLedger(self._open, delay)
                self._watched = PlayedGame(self.desk, self.id, opened=seen, original=self)
            return self._watched

    @property
    def _is_view(self) -> bool:
        return self._original is not self

    def _verify_is_no_view(self) -> None:
        if self._is_view:
            raise spectators_only_look(self.id)

    @property
    def spectator(self) -> Seat:
        """A seat that sees the public part of the game, and gives no orders."""
        return Seat(self, SPECTATOR)

    def at(self, position: int) -> Position:
        """Return the game at a position as a spectator sees it; use `seat.at` for a seat's knowledge.

        Raises:
            NoSuchRecord: When the game has no such position.
        """
        return self.spectator.at(position)

    @property
    def now(self) -> Position:
        """The game at its last position as a spectator sees it."""
        return self.spectator.now

    def verify_position(self, position: int) -> None:
        """Verify that the game has a position.

        Raises:
            NoSuchRecord: When it has no such position.
        """
        self._open.verify_position(position)

    def between_orders(self, position: int) -> int:
        """Return the position, or, if it is inside an order, the end of the order before it.

        Raises:
            NoSuchRecord: When the game has no such position.
            Refused: When the position is inside the setup.
        """
        return opening.between_orders(self.ledger, self.id, position)

    # --- orders -------------------------------------------------------------------------------------------------------

    def throw_what_waits(self) -> bool:
        """Carry out the order that waits for its dice, if every dice share is there; return whether it was carried out.

        The last share starts it automatically. A call is needed only if Umpire was interrupted after that share.
        """
        return self._open.throw_what_waits()

    def verify_nothing_came(self, seen: int, seat: str) -> None:
        """Verify that the game has not grown since a position.

        Raises:
            PositionConflict: When it has; the remedy lists the new records that the seat may see.
        """
        self._open.verify_nothing_came(seen, seat)

    def _typed(self, words: str | Sequence[str], hand: str) -> dict[str, Any]:
        """Return the object of a typed order, with its seat."""
        from umpire_ledger.desk.orders.typed_orders import typed_by  # noqa: PLC0415 -- 1 ms: an order in JSON does not need it

        with self._open.session() as sitting:
            return typed_by(sitting.title, known_to(sitting.game, hand), words, hand)

    def _whose(self, order: type[Order], hand: str) -> str:
        """Return the author of a seat's order: the seat; for the referee, the only side that can give it now."""
        if hand != REFEREE:
            return hand
        with self._open.session() as sitting:
            givers = givers_now(sitting.title, sitting.game, order)
        return givers[0] if len(givers) == 1 else hand

    def _amendment(self, raw: Mapping[str, Any]) -> Amendment:
        """Return the result of an amendment in a dry run; record nothing.

        Raises:
            RuleViolation: When the amendment is refused.
        """
        with self._open.session():
            sitting = Rehearsal(self.ledger, self.id)
            order = read_order(sitting.title, raw, place_words(sitting.game)).order
            assert isinstance(order, Amend | Amending)
            amended = sitting.amendment(order, raw)
            found = amendment_of(amended, other_dice=sitting.has_thrown)
            if found.dice is None:
                return found
            reusable = tuple(reusable_in(self.ledger, self.id, amended.game, order.seat))
            return msgspec.structs.replace(found, dice=msgspec.structs.replace(found.dice, reusable=reusable))

    def _left_to_amend(self) -> tuple[RemainingOrder, ...]:
        with self._open.session() as sitting:
            return sitting.left_to_amend()

    def _typed_for_ruling(self, words: str) -> dict[str, Any]:
        """Return the object of an order typed for a ruling, which carries generic orders that the title may lack."""
        from umpire_ledger.desk.orders.typed_orders import read_typed  # noqa: PLC0415 -- 1 ms: an order in JSON does not need it

        title = need_title_of(self._open.state)
        return read_typed(title, split(words), self.where, known={**title.every_order, **CARRIED})

    def _typed_here(self, words: str | Sequence[str], seat: str) -> dict[str, Any]:
        """Return the object of an order typed for a seat, by the state now."""
        from umpire_ledger.desk.orders.typed_orders import typed_in_place  # noqa: PLC0415 -- 1 ms: an order in JSON does not need it

        with self._open.session() as sitting:
            return typed_in_place(sitting.title, known_to(sitting.game, seat), words, seat)

    def _typed_for(self, at: int, words: str | Sequence[str], *, before: bool = False) -> dict[str, Any]:
        """Return the object of an order that is typed to replace another one, or to come before it, with its seat."""
        from umpire_ledger.desk.orders.typed_orders import typed_in_place  # noqa: PLC0415 -- 1 ms: an order in JSON does not need it

        with self._open.session() as sitting:
            title = sitting.title
            first, _ = LedgerHistory(self.ledger, self.id).order_at(at)
            if first < 2:  # the position has no order of play: the amendment refuses it
                return typed_in_place(title, known_to(self._open.state, REFEREE), words, REFEREE, before=before)
            seat = self.ledger.record(self.id, first).seat
            known = known_to(self.ledger.state(self.id, first - 1), seat)
            return typed_in_place(title, known, words, seat, before=before)

    def play(
        self,
        orders: str | Path | Lines,
        *,
        name: str = "orders",
        hand: str = REFEREE,
        check: bool = False,
        first: int = 1,
        again: bool = False,
        resume: bool = False,
        stream: bool = False,
        seen: int | None = None,
    ) -> Played:
        """Play an order file (JSON Lines); with `check`, record nothing.

        A side's file has only orders of that side. The referee may enter orders of all seats, each with its seat under
        "as", and their records have `entered_by`. Orders that the game has recorded from this file before are skipped
        and listed, so that a refused line can be corrected and the file played again; `desk.orders.resume_file`
        explains how a file is recognized. Play stops at the first refusal, which names its line; the lines before it
        are recorded. Ctrl-C stops play between two orders.

        Args:
            orders: The file, or orders with line numbers from 1. Orders without a file are always played.
            name: The name of orders without a file, for refusals.
            hand: The seat that gives the orders.
            first: The line to begin with.
            again: Play the whole file as if it were another one.
            resume: Continue a file that was renamed or moved.
            stream: Play all of the file, because it is standard input or another stream.
            seen: The position for which the file was written. If the game has grown since, nothing is recorded, unless
                the first order is already recorded under its own id, because the same file is then played again.

        Raises:
            WrongUse: When the file cannot be read, or a line is not JSON.
        """
        self._verify_is_no_view()
        with self._open.session() as sitting:
            lines: Lines = order_lines(Path(orders)) if isinstance(orders, str | Path) else orders
            if seen is not None:
                lines = on_what_was_seen(sitting, seen, lines, hand)
            if isinstance(orders, str | Path):
                return play_file(
                    *(self.ledger, self.id, lines, Path(orders)),
                    hand=hand,
                    check=check,
                    first=first,
                    again=again,
                    resume=resume,
                    stream=stream,
                    signer=self._open.opened.signer,
                )
            return play_lines(
                self.ledger, self.id, lines, name, hand=hand, check=check, signer=self._open.opened.signer
            )

    def _preview(self, raw: Mapping[str, Any]) -> Impact:
        """Return what an order that goes back would undo, as its seat may see it; record nothing."""
        return preview(self.ledger, self.id, raw, lambda seat: self.seat(seat).known)

    def _legal_orders(self, known: Game, seat: str) -> Iterator[Order]:
        """Yield the suggested orders of a seat that the rules accept, judged by the seat's knowledge."""
        return legal_orders(self.title, known, seat, LedgerHistory(self.ledger, self.id))

    def _worth_trying(self, known: Game, seats: Collection[str]) -> Iterator[Idea]:
        """Yield a few suggested orders of each kind for several seats, only from the title's own suggestions."""
        return worth_trying(self.title, known, seats, LedgerHistory(self.ledger, self.id))

    def _thrown_by(self, known: Game, raw: Mapping[str, Any]) -> list[DiceRolled]:
        """Return the rolls that an order makes in a dry run that uses only what a seat knows."""
        return thrown_by(need_title_of(self._open.state), known, raw, LedgerHistory(self.ledger, self.id))

    def _unit_orders(
        self, table: "CompletionContext", root_at: int, unit: str, place: str, order: str, over: tuple[str, ...]
    ) -> "UnitOrders":
        """Return the orders that begin with a unit or a place. The answer is kept until the next record."""
        from umpire_ledger.desk.orders.unit_orders import Candidates, Subject, unit_orders  # noqa: PLC0415 -- 5 ms: a look at the game does not need it

        kept = self._candidates.get(table.seat)
        if kept is None or kept.root_at != root_at:
            kept = self._candidates[table.seat] = Candidates(table, root_at)
        return unit_orders(table, kept, Subject(unit, place, order, over), LedgerHistory(self.ledger, self.id))

    def times(self, *, pause: timedelta | str | None = None) -> Times:
        """Return how long the game waited for each side, from the times of records; the same for every seat.

        Args:
            pause: Longer gaps (`8h`, or a timedelta) count for no side.

        Raises:
            WrongUse: When `pause` is not a length of time.
        """
        return times(self.ledger, self.id, find_title, span(pause) if isinstance(pause, str) else pause)

    # --- its log ------------------------------------------------------------------------------------------------------

    def fork(self, id: str, *, at: int | None = None) -> "PlayedGame":
        """Copy the game up to a position (None: the last) under another id. Ledger dice get a new seed.

        If secrets are closed to the referee, the copy is recorded publicly in the game, because the owner of a copy
        could read its secrets. A position inside an order counts as the end of the order before it.

        Raises:
            GameExists: When the ledger has a game with this id.
            NoSuchRecord: When the game has no such position.
            Refused: When the position is inside the setup.
        """
        if self._is_view:
            if at is not None:
                self.verify_position(at)
            return self._original.fork(id, at=self.size if at is None else at)
        if self.ledger.size(id):
            raise GameExists(game=id, reason="it has begun")
        upto = self.size if at is None else self.between_orders(at)
        self._open.leave_a_trace(f"the game was copied up to #{upto} as {id}, its secrets with it")
        opening.fork(self.ledger, self.id, upto, id)
        return self.desk.game(id)

    def export(self, file: str | Path | IO[bytes], *, seat: str = SPECTATOR, whole: bool = False) -> Exported:
        """Write the game as a replay log, as a seat may see it: other records are withheld, and their hashes stay.

        Args:
            whole: Write everything, including the secret dice seed, to move a game. For the referee only. If secrets
                are closed to the referee, the game records it.

        Raises:
            NoSuchSeat: When the game does not have the seat.
            WrongUse: When the file cannot be written.
            Refused: When a seat other than the referee exports the whole log.
        """
        self._open.verify_seat(seat)
        if whole:
            self._verify_may_take_all(seat)
        to = Path(file) if isinstance(file, str) else file
        if seat == SPECTATOR and self.watched is not self:
            return self.watched.export(file, seat=seat)
        return log_files.export(self.ledger, self.id, to, seat, whole=whole)

    def export_keys(self, file: str | Path | IO[bytes], *, seat: str = SPECTATOR, whole: bool = False) -> int:
        """Write the private records that a seat may see; return their number.

        `umpire.open_export` completes a redacted export with them. The errors are those of `export`.

        Args:
            whole: Include records that no seat may see yet, as `export` does with `whole`.
        """
        self._open.verify_seat(seat)
        if whole:
            self._verify_may_take_all(seat)
        if seat == SPECTATOR and self.watched is not self:
            return self.watched.export_keys(file, seat=seat)
        to = Path(file) if isinstance(file, str) else file
        return unredact.export_keys(self.ledger, self.id, to, seat, whole=whole)

    def prove(
        self,
        position: int,
        checkpoint: Checkpoint | None = None,
        *,
        seat: str = SPECTATOR,
        file: str | Path | None = None,
    ) -> Proof:
        """Return a record with its inclusion proof in a checkpoint (None: the current one), for `umpire.verify_proof`.

        A record that the seat may not see is redacted in the proof.

        Args:
            file: Also write the proof there.

        Raises:
            NoSuchSeat: When the game does not have the seat.
            NoSuchRecord: When the game has no such position.
            WrongUse: When the file cannot be written.
            CannotBeWritten: When the checkpoint belongs to another game, or does not cover the record.
            BrokenLedger: When the checkpoint is of another history.
        """
        self._open.verify_seat(seat)
        if seat == SPECTATOR and self.watched is not self:
            return self.watched.prove(position, checkpoint, seat=seat, file=file)
        return proofs.prove(self.ledger, self.id, position, checkpoint, seat, None if file is None else Path(file))

    def _public_status(self) -> TurnView:
        """Return the public turn view without the spectators' delay, for players."""
        with self._open.opened.read_models.caught_up(self.id) as following:
            return following.turn_view(self.id, SPECTATOR, None)

    def _looked(self, views: Tables, seat: str) -> int:
        """Return the position that a seat read last; 0 if it has read none."""
        if self._is_view:
            return min(last_look(self._original._open.opened, self.id, seat), self.size)
        return (
            last_look(self._open.opened, self.id, seat)
            if is_database(self._open.opened.where)
            else looked(views, self.id, seat)
        )

    def _note_look(self, seat: str, at: int) -> None:
        self._original.catch_up()  # its read models store the read marks
        note_look(self._original._open.opened, self.id, seat, at)

    def _close(self) -> None:
        """Release the ledger of its spectators' view."""
        if self._watched is not None:
            self._watched._open.opened.close()

    def _verify_may_take_all(self, seat: str) -> None:
        if seat != REFEREE:
            raise RuleViolation(
                f"the whole log contains records that {seat} may not see",
                where=self.where,
                rule="secrets",
                remedy="export without `whole`, or let the referee move the game",
            )
        self._open.leave_a_trace("the whole log was exported, every secret with it")

    @property
    def archived(self) -> bool:
        """Whether the ledger leaves it out of its list of games."""
        return archive.is_archived(self._original.ledger, self.id)

    def archive(self, file: str | Path | None = None) -> Archived:
        """Write the whole log, check the file, and take the game out of the list. Nothing is deleted.

        The log has every secret, like an `export` with `whole`.

        Args:
            file: A path that does not exist; by default in the folder `umpire.archive` next to `umpire.db`.

        Raises:
            WrongUse: When the game is archived, or the file cannot be written.
            BrokenLedger: When the game does not verify.
        """
        self._verify_is_no_view()
        archive.verify_not_archived(self.ledger, self.id)
        to = archive.archive_file(self._open.opened.where, self.id, self.size) if file is None else Path(file)
        verify_not_there(to)
        self._verify_may_take_all(REFEREE)
        return archive.archive(self.ledger, self.id, to)

    def unarchive(self) -> None:
        """Put the game back into the list.

        Raises:
            WrongUse: When the game is not archived.
        """
        self._verify_is_no_view()
        archive.unarchive(self.ledger, self.id)

    def checkpoint(self, at: int | None = None) -> Checkpoint:
        """Return the checkpoint over the first `at` records (None: all): origin, size and root, three lines to keep."""
        return self.ledger.checkpoint(self.id, at)

    def signed_checkpoint(self, seat: str, at: int | None = None) -> SignedNote:
        """Return the checkpoint, signed with the key of a seat if the key is available (`Desk.signer`)."""
        return checkpoints.signed_checkpoint(self.checkpoint(at), checkpoints.own_key(self._open, seat))

    def cosigned(self, note: SignedNote, seat: str) -> SignedNote:
        """Return a checkpoint with the seat's signature added, if it is of this game's history.

        Raises:
            BrokenLedger: When the checkpoint is of another history.
            Refused: When the seat has no key, or it is not available.
        """
        return checkpoints.cosigned(self._open, note, seat)

    def submission(self, note: SignedNote, old: int) -> "Submission":
        """Return the request to cosign a checkpoint of this game, for a witness that has cosigned `old` records before.

        Raises:
            BrokenLedger: When the checkpoint is of another history.
            CannotBeWritten: When `old` is not between 0 and the checkpoint's size.
        """
        return checkpoints.submission(self._open, note, old)

    def verify(self, checkpoint: log_files.Kept | None = None) -> Checked:
        """Check every record, every hash, every roll with a revealed seed, and every signature.

        Args:
            checkpoint: Check that the game still has the history of this checkpoint, and the signatures of a signed
                one.
        """
        return log_files.verify_game(self.ledger, self.id, checkpoint=checkpoint)

    def misfits(self) -> int:
        """Return the number of inconsistent events; `verify` names them."""
        found = log_files.misfits_in(self.ledger, self.id)
        return len(found.findings) + found.left_out

    def catch_up(self, tell: log_files.Progress | None = None, *, views: bool = False) -> str:
        """Update the read models with the recorded orders; return a warning if that failed, else "".

        Args:
            views: Also store the turn view of every seat, which is otherwise computed at a query. A program that gives
                one order and exits does this, so that `umpire status` need not open the ledger.
        """
        return self._open.opened.read_models.follow(self.id, tell, views=views)

    def rebuild(self, tell: log_files.Progress | None = None) -> int:
        """Rebuild the snapshots and read models of this game, as `Desk.rebuild` does; return the number of records.

        Raises:
            BrokenLedger: When the log is broken.
            StoreUnavailable: When the ledger or the read models cannot be used.
        """
        self.ledger.doubt_snapshots()
        read = self._open.opened.read_models.rebuild_game(self.id, tell)
        if not self._open.opened.read_only:
            self.ledger.drop_snapshots(self.id)
            self.ledger.take_snapshots(self.id)
        return read

    def __repr__(self) -> str:
        return f"<PlayedGame {self.id} of {self._open.opened.where}>"
