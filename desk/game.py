"""One played instance of a title in a ledger: its seats, its orders, its log."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING, Any

import msgspec

from umpire_ledger.desk.core.adapters import LedgerPast, find_title, need_title_of, place_words
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
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.merkle.inclusion_proof import Proof
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.errors import GameExists
from umpire_ledger.ledger.records.places import is_database
from umpire_ledger.ledger.signed_note import SignedNote
from umpire_ledger.projections.questions.rewind_preview import Impact
from umpire_ledger.projections.questions.times import Times, times
from umpire_ledger.projections.tables.copies import CopyOrigin
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.projections.tables.views_file import looked

if TYPE_CHECKING:
    from umpire_ledger.desk.desk import Desk
    from umpire_ledger.desk.signing.witness import Submission

Lines = Iterable[tuple[int, Mapping[str, Any]]]
"""Orders with their line numbers, from 1."""


class PlayedGame:
    """`desk.game("harbour")`. Several threads and several processes may play one game at once."""

    left_to_table: tuple[str, ...] = ()
    """What the scenario does not say and no rule limits then; only the call that opened the game knows it."""

    def __init__(
        self, desk: "Desk", id: str, *, opened: OpenLedger | None = None, original: "PlayedGame | None" = None
    ) -> None:
        self.desk = desk
        self._original = original or self
        """The game itself, of which this may be its spectators' view: names, marks and copies are of its ledger."""
        self._watched: PlayedGame | None = None
        self._watching = Lock()
        self.id = id
        self._open = OpenGame(opened or desk, id, open_session)
        """The game as services take it. It knows no seats, so no caller gets it."""

    # --- what it is ---------------------------------------------------------------------------------------------------

    @property
    def ledger(self) -> Ledger[Game]:
        """The ledger that holds it: for the desk itself, it knows no seats."""
        return self._open.ledger

    @property
    def size(self) -> int:
        """The last position; 0: there is no such game (any more)."""
        return self._open.size

    @property
    def title_id(self) -> str:
        """The id of its title, which need not be installed."""
        return self._open.title_id

    @property
    def title(self) -> Title | None:
        """The title, None where it is not installed: its log can still be read."""
        return self._open.title

    @property
    def name(self) -> str:
        """The scenario's name."""
        return self._open.name

    @property
    def copied(self) -> CopyOrigin | None:
        """The game that this one is a copy of, and up to where; None where it is none."""
        return self._open.copied

    @property
    def full_name(self) -> str:
        """Its id, and of what it is a copy: `what-if (a copy of harbour at #585)`."""
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
        """The place in the sequence in a referee's words."""
        return self._open.where

    @property
    def ended(self) -> str:
        """Why the game is over; "" while it is not."""
        return self._open.ended

    @property
    def unreadable(self) -> str:
        """In words, the record that this edition cannot read; "" where it reads them all."""
        return self._open.unreadable

    @property
    def missing(self) -> str:
        """In words, that this ledger lacks records which were seen before; "" if it does not."""
        return self._open.missing

    @property
    def seats(self) -> tuple[str, ...]:
        """Everybody with a view of the game: the referee, the sides, seats that were taken, the spectator."""
        return self._open.seats

    @property
    def display_name(self) -> str:
        """What this ledger calls the game: the scenario's name until it is renamed."""
        return archive.display_name(self._original.ledger, self.id) or self.name

    def rename(self, name: str) -> None:
        """Call the game so in this ledger; "" goes back to the scenario's name.

        The id stays, and so does every record: a name is no event of the game. Raises WrongUse for one that is too
        long, StoreUnavailable.
        """
        archive.rename(self._original.ledger, self.id, name)

    @property
    def opening(self) -> Outcome:
        """What came of the order that opened the game, as the referee may see it."""
        records = self.ledger.order_at(self.id, 1)
        opened = Recorded(records=records, game=self.ledger.state(self.id, records[-1].position))
        return outcome_for(REFEREE, self.id, opened)

    # --- seats and positions ------------------------------------------------------------------------------------------

    def seat(self, name: str) -> Seat:
        """The seat of that name. Raises NoSuchSeat."""
        if name not in self._lasting_seats:
            self._open.verify_seat(name)
        return Seat(self, name)

    @cached_property
    def _lasting_seats(self) -> frozenset[str]:
        """Those that no rewind takes away, so that the ledger need not be asked for them again."""
        return frozenset((REFEREE, *self.sides, SPECTATOR))

    @property
    def referee(self) -> Seat:
        """The referee's seat; what is closed to the referee is closed here."""
        return Seat(self, REFEREE)

    @property
    def delay(self) -> Delay | None:
        """How late its spectators see it, None where they see everything at once."""
        return delay_in(self._open.state.options)

    @property
    def watched(self) -> "PlayedGame":
        """The game as its spectators see it: this one, or up to where their delay lets them see."""
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
        """A seat that sees what everybody may see, and gives no orders."""
        return Seat(self, SPECTATOR)

    def at(self, position: int) -> Position:
        """The game at a position as a spectator sees it; `seat.at` for what a seat knows. Raises NoSuchRecord."""
        return self.spectator.at(position)

    @property
    def now(self) -> Position:
        """The game at its last position as a spectator sees it."""
        return self.spectator.now

    def verify_position(self, position: int) -> None:
        """Raises NoSuchRecord for a position that the game does not have."""
        self._open.verify_position(position)

    def between_orders(self, position: int) -> int:
        """That position, or, for one inside an order, the end of the order before it: there nothing of it has happened.

        Raises NoSuchRecord; Refused for a position inside the opening.
        """
        return opening.between_orders(self.ledger, self.id, position)

    # --- orders -------------------------------------------------------------------------------------------------------

    def throw_what_waits(self) -> bool:
        """Carry out the order that waits for its dice, if every share is there; whether it was.

        That happens by itself with the last share: only where it was cut off behind that one something is left to do.
        """
        return self._open.throw_what_waits()

    def verify_nothing_came(self, seen: int, seat: str) -> None:
        """Raises PositionConflict when the game has grown since a position, saying what a seat may know of that."""
        self._open.verify_nothing_came(seen, seat)

    def _typed(self, words: str | Sequence[str], hand: str) -> dict[str, Any]:
        """The object of an order that was typed, with its seat."""
        from umpire_ledger.desk.orders.typed_orders import typed_by  # noqa: PLC0415 -- an order in JSON does not need it

        with self._open.session() as sitting:
            return typed_by(sitting.title, known_to(sitting.game, hand), words, hand)

    def _whose(self, order: type[Order], hand: str) -> str:
        """Whose order it is that a hand gives: its own; the referee's is of the one side that can give it now."""
        if hand != REFEREE:
            return hand
        with self._open.session() as sitting:
            givers = givers_now(sitting.title, sitting.game, order)
        return givers[0] if len(givers) == 1 else hand

    def _amendment(self, raw: Mapping[str, Any]) -> Amendment:
        """What an amendment would bring about, rehearsed; nothing is recorded. Raises RuleViolation."""
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

    def _typed_plainly(self, words: str) -> dict[str, Any]:
        """The object of an order that was typed, whose seat whoever reads it knows."""
        from umpire_ledger.desk.orders.typed_orders import read_typed  # noqa: PLC0415 -- an order in JSON does not need it

        return read_typed(need_title_of(self._open.state), split(words), self.where)

    def _typed_here(self, words: str | Sequence[str], seat: str) -> dict[str, Any]:
        """The same as things stand now, in the place of a seat's order."""
        from umpire_ledger.desk.orders.typed_orders import typed_in_place  # noqa: PLC0415 -- an order in JSON does not need it

        with self._open.session() as sitting:
            return typed_in_place(sitting.title, known_to(sitting.game, seat), words, seat)

    def _typed_for(self, at: int, words: str | Sequence[str], *, before: bool = False) -> dict[str, Any]:
        """The object of an order that was typed to stand where another one does, with its seat."""
        from umpire_ledger.desk.orders.typed_orders import typed_in_place  # noqa: PLC0415 -- an order in JSON does not need it

        with self._open.session() as sitting:
            title = sitting.title
            first, _ = LedgerPast(self.ledger, self.id).order_at(at)
            if first < 2:  # no order of play stands there: that is for the amendment to say
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
        """Play an order file (JSON Lines); with `check` nothing is recorded.

        `orders`: the file, or its orders with their line numbers, from 1; `name` is what refusals call those. `hand`:
        the seat that gives them. A side's own file holds its own orders only; the referee may enter those of everybody,
        each with its seat under "as", and the records say by whom they were entered.

        Orders that the game has recorded from this file before are skipped and listed, so that a file which stopped can
        be corrected and played again: `desk.orders.resume_file` says how a file is recognized. `first`: begin with that
        line; `again`: play all of the file as another one; `resume`: the file was renamed or moved; `stream`: the file
        is standard input or the like, and all of it is played. Orders that are not in a file are always given.

        `seen`: the position that it was thought out at; if the game has grown since, nothing is given, unless the first
        order was recorded before under its own id: then this is the same file once more.

        Stops at the first refusal, which names its line: what stands before it is recorded. Ctrl-C stops between two
        orders. Raises WrongUse for a file that cannot be read and for a line that is no JSON.
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
        """What going back would undo, as the order's seat may see it; nothing is recorded."""
        return preview(self.ledger, self.id, raw, lambda seat: self.seat(seat).known)

    def _legal_orders(self, known: Game, seat: str) -> Iterator[Order]:
        """Of what is worth trying for a seat now, what the rules would take, judged by what it knows."""
        return legal_orders(self.title, known, seat, LedgerPast(self.ledger, self.id))

    def _worth_trying(self, known: Game, seats: Collection[str]) -> Iterator[Idea]:
        """A few of those of each kind, for several seats: only what the title itself thinks worth trying."""
        return worth_trying(self.title, known, seats, LedgerPast(self.ledger, self.id))

    def _thrown_by(self, known: Game, raw: Mapping[str, Any]) -> list[DiceRolled]:
        """The rolls of an order that is only tried on what a seat knows."""
        return thrown_by(need_title_of(self._open.state), known, raw, LedgerPast(self.ledger, self.id))

    def times(self, *, pause: timedelta | str | None = None) -> Times:
        """How long each side was waited for, from the records' times; the same for every seat.

        `pause`: gaps longer than that (`8h`, or a timedelta) are nobody's. Raises WrongUse for no length of time.
        """
        return times(self.ledger, self.id, find_title, span(pause) if isinstance(pause, str) else pause)

    # --- its log ------------------------------------------------------------------------------------------------------

    def fork(self, id: str, *, at: int | None = None) -> "PlayedGame":
        """A copy up to a position (None: the last) under another id. Ledger dice get a seed of their own.

        In a game with secrets closed to the referee the copy is a record of the game, for everybody to see: whoever
        has the copy could look at its secrets there. A position inside an order is the end of the order before it.
        Raises GameExists, NoSuchRecord; Refused for a position inside the opening.
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
        """Write the game as a replay log, as a seat may see it: what it may not see is withheld, its hashes stay.

        `whole`: with everything, the unopened seed of the dice among it, to move a game: the referee's, and a record
        in a game that is closed to the referee. Raises NoSuchSeat, WrongUse; Refused for a seat's whole copy.
        """
        self._open.verify_seat(seat)
        if whole:
            self._verify_may_take_all(seat)
        to = Path(file) if isinstance(file, str) else file
        if seat == SPECTATOR and self.watched is not self:
            return self.watched.export(file, seat=seat)
        return log_files.export(self.ledger, self.id, to, seat, whole=whole)

    def export_keys(self, file: str | Path | IO[bytes], *, seat: str = SPECTATOR, whole: bool = False) -> int:
        """Write the private records that a seat may see, with which `umpire.open_export` completes a redacted export.

        Gives how many. `whole`: those too that nobody may see yet, as `export` with `whole`. Raises as `export`.
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
        """One record with its path to a checkpoint (None: the present one), which `umpire.verify_proof` checks alone.

        What the seat may not see is proved redacted. `file`: also written there. Raises NoSuchSeat, NoSuchRecord,
        WrongUse; CannotBeWritten for a checkpoint of another game or of fewer records; BrokenLedger where this is not
        the history that the checkpoint was made of.
        """
        self._open.verify_seat(seat)
        if seat == SPECTATOR and self.watched is not self:
            return self.watched.prove(position, checkpoint, seat=seat, file=file)
        return proofs.prove(self.ledger, self.id, position, checkpoint, seat, None if file is None else Path(file))

    def _public_status(self) -> TurnView:
        """The turn view of what everybody may see, as it is now: for those who play."""
        with self._open.opened.read_models.caught_up(self.id) as following:
            return following.turn_view(self.id, SPECTATOR, None)

    def _looked(self, views: Tables, seat: str) -> int:
        """The position at which a seat last looked, 0 if it never did."""
        if self._is_view:
            return min(last_look(self._original._open.opened, self.id, seat), self.size)
        return (
            last_look(self._open.opened, self.id, seat)
            if is_database(self._open.opened.where)
            else looked(views, self.id, seat)
        )

    def _note_look(self, seat: str, at: int) -> None:
        if self._is_view:
            self._original.catch_up()  # its read models are where looks are noted
        note_look(self._original._open.opened, self.id, seat, at)

    def _close(self) -> None:
        """Let go of what is kept of it beside the ledger."""
        if self._watched is not None:
            self._watched._open.opened.close()

    def _verify_may_take_all(self, seat: str) -> None:
        if seat != REFEREE:
            raise RuleViolation(
                f"the whole log holds what {seat} may not see",
                where=self.where,
                rule="secrets",
                remedy="export without `whole`, or let the referee move the game",
            )
        self._open.leave_a_trace("the whole log was exported, every secret with it")

    @property
    def archived(self) -> bool:
        """Whether the ledger keeps it out of its list of games."""
        return archive.is_archived(self._original.ledger, self.id)

    def archive(self, file: str | Path | None = None) -> Archived:
        """Write the whole log, check what was written, and take the game out of the list. Nothing is deleted.

        `file`: one that is not there; in the folder `umpire.archive` beside `umpire.db` if left out. The log holds
        every secret, as `export` with `whole`. Raises WrongUse, BrokenLedger for a game that does not verify.
        """
        self._verify_is_no_view()
        archive.verify_not_archived(self.ledger, self.id)
        to = archive.archive_file(self._open.opened.where, self.id, self.size) if file is None else Path(file)
        verify_not_there(to)
        self._verify_may_take_all(REFEREE)
        return archive.archive(self.ledger, self.id, to)

    def unarchive(self) -> None:
        """Put the game back into the list. Raises WrongUse for one that is not archived."""
        self._verify_is_no_view()
        archive.unarchive(self.ledger, self.id)

    def checkpoint(self, at: int | None = None) -> Checkpoint:
        """Origin, size and root over the first `at` records (None: all): three lines to keep."""
        return self.ledger.checkpoint(self.id, at)

    def signed_checkpoint(self, seat: str, at: int | None = None) -> SignedNote:
        """The checkpoint, signed with the key of a seat where that is at hand (`Desk.signer`)."""
        return checkpoints.signed_checkpoint(self.checkpoint(at), checkpoints.own_key(self._open, seat))

    def cosigned(self, note: SignedNote, seat: str) -> SignedNote:
        """Somebody's checkpoint with the signature of a seat besides, if this is the history that it was made of.

        Raises BrokenLedger where it is not; Refused where the seat has no key, or it is not at hand.
        """
        return checkpoints.cosigned(self._open, note, seat)

    def submission(self, note: SignedNote, old: int) -> "Submission":
        """What a witness is asked for a checkpoint of this game, if it has cosigned the first `old` records before.

        Raises BrokenLedger where this is not the history that the checkpoint was made of; CannotBeWritten for another
        `old` than one up to its size.
        """
        return checkpoints.submission(self._open, note, old)

    def verify(self, checkpoint: log_files.Kept | None = None) -> Checked:
        """Check every record, every hash, every die whose seed was opened, and every signature.

        `checkpoint`: whether this is still the history that it was made of, and of a signed one who vouches for it.
        """
        return log_files.verify_game(self.ledger, self.id, checkpoint=checkpoint)

    def misfits(self) -> int:
        """How many events do not fit the game as it stood when they happened; `verify` names them."""
        found = log_files.misfits_in(self.ledger, self.id)
        return len(found.findings) + found.left_out

    def catch_up(self, tell: log_files.Progress | None = None, *, views: bool = False) -> str:
        """Let the read models take in what was recorded; a warning where they could not.

        `views`: make every seat's turn view too, which else is made when somebody looks. Whoever gives one order and
        ends leaves them behind, so that `umpire status` opens no ledger.
        """
        return self._open.opened.read_models.follow(self.id, tell, views=views)

    def rebuild(self, tell: log_files.Progress | None = None) -> int:
        """Throw the snapshots and the read models of this game away and make them anew, as `Desk.rebuild` does of all.

        Gives how many records were read. Raises BrokenLedger, StoreUnavailable.
        """
        self.ledger.doubt_snapshots()
        read = self._open.opened.read_models.rebuild_game(self.id, tell)
        if not self._open.opened.read_only:
            self.ledger.drop_snapshots(self.id)
            self.ledger.take_snapshots(self.id)
        return read

    def __repr__(self) -> str:
        return f"<PlayedGame {self.id} of {self._open.opened.where}>"
