"""Export games to replay logs, import logs, and check games and logs. Checking a file needs no import of the store."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from mmap import ACCESS_READ, mmap
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

import msgspec

from umpire_ledger.desk.core.text_files import OPEN, SECRET, read_bytes, whole_file
from umpire_ledger.desk.signing.checkpoints import Vouching, read_note, vouching
from umpire_ledger.desk.signing.log_signatures import Signatures, SignedBy, SignedOn
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.ledger.records.errors import BrokenLedger, CommitUnknown
from umpire_ledger.ledger.records.limits import lines_of
from umpire_ledger.ledger.records.record import Record
from umpire_ledger.ledger.signed_note import SignedNote
from umpire_ledger.ledger.storage.commits import until_known
from umpire_ledger.ledger.verification.log_checker import Verdict
from umpire_ledger.projections.pictures.page_log import NoLogInPageError, is_page, taken_out
from umpire_ledger.projections.questions.verification.dice import RollChecker, opened_seeds
from umpire_ledger.projections.questions.verification.inconsistent_events import Misfit, Misfits, returns
from umpire_ledger.projections.questions.verification.sealed_orders import OpenedWords
from umpire_ledger.projections.record.visible_record import decode
from umpire_ledger.projections.reports.referee import RefereeAct, acts, counted as counted_acts, records_of_log
from umpire_ledger.projections.tables.copies import CopyOrigin, copied_from, copied_in
from umpire_ledger.projections.tables.seat_visibility import sees

if TYPE_CHECKING:
    from umpire_ledger.desk.core.open_ledger import OpenLedger
    from umpire_ledger.ledger.ledger import Ledger

BEGINNING = 64
"""Number of bytes at the beginning of a file that distinguish a page from a log."""
FORESEEN = "it uses a seed that was already revealed, so everyone could foresee it"
Kept = Checkpoint | SignedNote
"""A checkpoint that a user kept: the three lines, alone or signed."""
Progress = Callable[[int], None]
"""Called with the progress of long work: bytes of the file, or records."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check, with its faults, findings and signatures."""

    verdict: Verdict
    """The result of the check of records, hashes and checkpoint."""
    dice: int
    """Number of rolls that were recomputed from a revealed seed, all as recorded."""
    dice_closed: int = 0
    """Number of ledger rolls that cannot be recomputed because their seed is secret."""
    copied: CopyOrigin | None = None
    """The game that this one copies."""
    signed: tuple[SignedBy, ...] = ()
    """Number of orders with a correct signature, by seat and key, and the records that the signatures cover."""
    signed_withheld: int = 0
    """Number of orders of seats with a key whose words are withheld."""
    signed_again: int = 0
    """Number of orders of seats with a key that an amendment repeated."""
    vouching: tuple[Vouching, ...] = ()
    """The signers, all with a correct signature, of the checkpoint with which the log was compared."""
    findings: tuple[Misfit, ...] = ()
    """The first faults that no hash tree detects, such as inconsistent events. They do not make the log invalid."""
    findings_left_out: int = 0
    """Number of further findings."""

    @property
    def valid(self) -> bool:
        return self.verdict.valid

    @property
    def known(self) -> tuple[str, ...]:
        """Phrases about the evidence for a valid log, and about its parts without evidence.

        Empty for an invalid log.
        """
        if not self.valid:
            return ()
        by, held = [], self.verdict.held_against or 0
        seats = dict.fromkeys(one.seat for one in self.vouching if one.seat)
        if held:
            whose = f"signed by {', '.join(seats)} up to" if seats else "matches the checkpoint at"
            by.append(f"{whose} #{held}")
        vouches = {one.seat: one.vouches for one in self.signed if one.checked and not one.copied}
        farther = {seat: last for seat, last in vouches.items() if seat not in seats or last > held}
        by += [f"signed by {seat} up to #{last}" for seat, last in farther.items()]
        if self.dice:
            by.append(f"{counted(self.dice, 'roll')} recomputed")
        not_known = [f"{counted(self.dice_closed, 'roll')} not recomputed"] if self.dice_closed else []
        return (*(by or ["hashes only"]), *not_known)


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """An exported log."""

    game: str
    """Id of the game."""
    checkpoint: Checkpoint
    """Its checkpoint: size and root."""
    referee: dict[str, dict[str, int]]
    """Number of the referee's acts by side, then by kind."""


# --- export -----------------------------------------------------------------------------------------------------------


def write_log(ledger: Ledger[Game], game_id: str, out: IO[bytes], seat: str, *, whole: bool = False) -> Checkpoint:
    """Write a game as a seat may see it; with `whole`, write everything, including the secret seed."""
    return replay_log.write(ledger, game_id, out, None if whole else seen_by(ledger, game_id, seat))


def seen_by(ledger: Ledger[Game], game_id: str, seat: str) -> Callable[[Record], bool]:
    """Return a filter for the records of a game that a seat may see now.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    state = ledger.state(game_id)

    def see(record: Record) -> bool:
        return sees(state, seat, record.position, record.visible_to)

    return see


def export(ledger: Ledger[Game], game_id: str, to: Path | IO[bytes], seat: str, *, whole: bool = False) -> Exported:
    """Write a game to a file, which appears only when it is complete, or to a stream.

    Raises:
        WrongUse: When the file cannot be written.
        NoSuchGame: When the ledger has no such game.
    """
    ledger.checkpoint(game_id)  # fail before a file is begun
    if isinstance(to, Path):
        with whole_file(to, SECRET if whole else OPEN) as out:
            checkpoint = write_log(ledger, game_id, out, seat, whole=whole)
    else:
        checkpoint = write_log(ledger, game_id, to, seat, whole=whole)
    did = counted_acts(acts(map(decode, ledger.lines(game_id, 1, checkpoint.size))))
    return Exported(game=game_id, checkpoint=checkpoint, referee=did)


# --- import -----------------------------------------------------------------------------------------------------------


def import_log(opened: OpenLedger, file: Path, tell: Progress | None = None) -> str:
    """Import a replay log, and create the ledger if it does not exist; return the game's id.

    The errors are those of `take_in`.
    """
    if not opened.is_there:
        verify_importable(file)  # do not create a ledger for a log that is refused
    return take_in(opened.ledger_for_writing, file, tell)


def take_in(ledger: Ledger[Game], file: Path, tell: Progress | None = None) -> str:
    """Import a replay log after checking all of it; return the game's id.

    If the store fails during the import, the import is repeated; records that are stored already are not stored twice.

    Raises:
        BrokenLedger: When the log is broken.
        GameExists: When the ledger has other records of a game with this id.
        WrongUse: When the file cannot be read.
        StoreUnavailable: When the store cannot be used.
    """
    with log_in(file) as stream:
        game = _given(ledger, stream, tell)
    ledger.take_snapshots(game)
    return game


def _given(ledger: Ledger[Game], stream: IO[bytes], tell: Progress | None) -> str:
    def read() -> str:
        stream.seek(0)
        return replay_log.read_into(ledger, _counted(lines_of(stream), tell))

    try:
        return until_known(read)
    except CommitUnknown as unknown:
        remedy = "import it again: recorded orders are not recorded twice"
        raise unknown.of("the log was recorded", remedy=remedy) from unknown


def game_in(file: Path) -> str:
    """Return the id of the game in a replay log or page; "" if its first line is not a header.

    Raises:
        WrongUse: When the file cannot be read.
    """
    with log_in(file) as stream:
        return replay_log.game_in(next(iter(lines_of(stream)), b""))


def verify_importable(file: Path) -> None:
    """Verify that `take_in` would accept a log in an empty ledger.

    Raises:
        BrokenLedger: When it would refuse the log.
        WrongUse: When the file cannot be read.
    """
    with log_in(file) as stream:
        replay_log.verify_importable(lines_of(stream))


@contextmanager
def log_in(file: Path) -> Iterator[IO[bytes]]:
    """Open a replay log for reading: the file, or the lines in a replay page.

    Raises:
        WrongUse: When the file cannot be read.
        BrokenLedger: When the page has no log.
    """
    try:
        with _log_or_page(file) as stream:
            yield stream
    except NoLogInPageError as error:
        reason, remedy = f"the page has no log: {error}", "get an undamaged copy of the page, or the log itself"
        raise BrokenLedger(position=0, reason=reason, remedy=remedy) from None


@contextmanager
def _log_or_page(file: Path) -> Iterator[IO[bytes]]:
    """Open a replay log, or the log in a replay page.

    Raises:
        WrongUse: When the file cannot be read.
        NoLogInPageError: When the page has no log.
    """
    with read_bytes(file) as stream:
        begins_as_page = is_page(stream.read(BEGINNING))
        stream.seek(0)
        if not begins_as_page:
            yield stream
            return
        with mmap(stream.fileno(), 0, access=ACCESS_READ) as page, TemporaryFile() as log:
            log.writelines(taken_out(page))
            log.seek(0)
            yield log


# --- checks -----------------------------------------------------------------------------------------------------------


def verify_file(file: str | Path, *, checkpoint: Kept | None = None, tell: Progress | None = None) -> Checked:
    """Check a replay log, or the one in a replay page: every record, every hash, every roll with a revealed seed.

    A broken or incomplete log is not an error: `verdict` has the faulty record.

    Args:
        checkpoint: Check that the log still has the history of this checkpoint, and the signatures of a signed one.
        tell: Called with the bytes read.

    Raises:
        WrongUse: When the file cannot be read.
    """
    try:
        return _verified(Path(file), checkpoint, tell)
    except NoLogInPageError as error:
        return Checked(verdict=Verdict(verdict="INVALID", reason=f"the page has no log: {error}"), dice=0)


def _verified(file: Path, kept: Kept | None, tell: Progress | None) -> Checked:
    with _log_or_page(file) as stream:
        signed_on = SignedOn()
        words = OpenedWords()
        dice = RollChecker(opened_seeds(words.look_ahead(signed_on.watch(lines_of(stream)))))
        stream.seek(0)
        misfits = Misfits(returns(lines_of(stream)))
        stream.seek(0)
        signatures = Signatures(signed_on)
        lines = signatures.watch(misfits.watch(words.watch(dice.watch(_counted(lines_of(stream), tell)))))
        verdict = replay_log.verify(lines, checkpoint=_checkpoint_of(kept))
    return _checked(verdict, dice, words, misfits, signatures, copied_in(verdict.game, misfits.game), kept)


def verify_game(ledger: Ledger[Game], game_id: str, *, checkpoint: Kept | None = None) -> Checked:
    """Check a game of a ledger as `verify_file` checks a log.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    signed_on = SignedOn()
    words = OpenedWords()
    dice = RollChecker(opened_seeds(words.look_ahead(signed_on.watch(ledger.lines(game_id)))))
    misfits = Misfits(returns(ledger.lines(game_id)))
    signatures = Signatures(signed_on, game_id)
    for _ in signatures.watch(misfits.watch(words.watch(dice.watch(ledger.lines(game_id))))):
        pass
    verdict = ledger.verify(game_id, checkpoint=_checkpoint_of(checkpoint))
    return _checked(verdict, dice, words, misfits, signatures, copied_from(ledger, game_id), checkpoint)


def _checkpoint_of(kept: Kept | None) -> Checkpoint | None:
    return kept.checkpoint if isinstance(kept, SignedNote) else kept


def misfits_in(ledger: Ledger[Game], game_id: str) -> Misfits:
    """Return the events of a game that cannot apply to its state.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    misfits = Misfits(returns(ledger.lines(game_id)))
    for _ in misfits.watch(ledger.lines(game_id)):
        pass
    return misfits


def _checked(
    verdict: Verdict,
    dice: RollChecker,
    words: OpenedWords,
    misfits: Misfits,
    signatures: Signatures,
    copied: CopyOrigin | None,
    kept: Kept | None,
) -> Checked:
    """Return the result of a check.

    Even with correct hashes, a log is invalid if a roll does not follow from its seed, if revealed words differ from
    the sealed words, or if a signature is not by its seat.
    """
    faults = [one for one in (dice.wrong, words.wrong, signatures.wrong) if one is not None]
    wrong = min(faults, key=lambda one: one.position, default=None)
    if wrong is not None and verdict.valid:
        verdict = msgspec.structs.replace(
            verdict,
            verdict="INVALID",
            size=wrong.position - 1,
            root="",
            first_bad=wrong.position,
            changed_between=(wrong.position, wrong.position),
            reason=wrong.why,
            expected=getattr(wrong, "expected", ""),
            found=getattr(wrong, "found", ""),
        )
    vouched = vouching(kept, signatures.given) if isinstance(kept, SignedNote) and verdict.valid else ()
    clock = [Misfit(position=one.position, what=one.what) for one in verdict.clock_back]
    foreseen = [Misfit(position=one, what=FORESEEN) for one in dice.foreseen]
    return Checked(
        verdict=verdict,
        dice=dice.checked if dice.wrong is None else 0,
        dice_closed=dice.closed if dice.wrong is None else 0,
        copied=copied,
        signed=signatures.by if signatures.wrong is None else (),
        signed_withheld=signatures.withheld,
        signed_again=signatures.again,
        vouching=vouched,
        findings=tuple(
            sorted((*misfits.findings, *clock, *foreseen, *signatures.unsigned), key=lambda one: one.position)
        ),
        findings_left_out=misfits.left_out + verdict.clock_back_left_out,
    )


def read_checkpoint(file: str | Path) -> Checkpoint:
    """Return the checkpoint in a file, signed or not.

    Raises:
        WrongUse: When the file cannot be read.
    """
    return read_note(file).checkpoint


def referee_acts_in(file: Path) -> list[RefereeAct]:
    """Return the referee's acts in a replay log.

    Raises:
        BrokenLedger: When the log is invalid or incomplete.
        WrongUse: When the file cannot be read.
    """
    with log_in(file) as log:
        verify_unbroken(file, replay_log.verify(lines_of(log)))
        log.seek(0)
        return list(acts(records_of_log(lines_of(log))))


def verify_unbroken(file: Path, verdict: Verdict) -> None:
    """Verify that a log is valid and complete.

    Raises:
        BrokenLedger: When it was changed or cut.
    """
    if not verdict.valid:
        raise BrokenLedger(
            position=verdict.size + 1 if verdict.first_bad is None else verdict.first_bad,
            game=verdict.game,
            reason=verdict.reason,
            expected=verdict.expected,
            found=verdict.found,
            remedy=f"get an undamaged copy; `umpire verify {shlex.quote(str(file))}` shows the fault",
        )


def _counted(stream: Iterable[bytes], tell: Progress | None) -> Iterator[bytes]:
    read = 0
    for at, line in enumerate(stream):
        read += len(line)
        if tell is not None and at % 1000 == 0:
            tell(read)
        yield line
