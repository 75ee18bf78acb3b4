"""The referee's desk over one ledger: open a game, give orders, look, export, import, fork.

Plain functions with plain arguments; the commands beside this module only parse and print.
"""

import io
import secrets
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from umpire_ledger.desk.late_entry import verify_happened
from umpire_ledger.desk.wiring import GameFolding, LedgerPast, drafts_of, event_of, need_title
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.errors import DomainError, RuleViolation
from umpire_ledger.domain.game.events import DiceSource, Value
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import LOOKING_BACK, Amend
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.rewind import leads_to
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.amend import Amended, amend
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.opening import open_game, scenario_for, seeding
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.ledger.errors import GameExists, LedgerError, NoSuchGame, SomebodyWroteFirst
from umpire_ledger.ledger.orders import PendingOrder
from umpire_ledger.ledger.record import Record
from umpire_ledger.projections.questions.impact import Impact, impact
from umpire_ledger.projections.record.prose import text_of
from umpire_ledger.projections.reports.refusals import refused
from umpire_ledger.projections.tables.knowledge import sees

BATCH = 16
"""Orders of a file recorded in one transaction: a flush costs the same for one as for many."""

MOST_TOLD = 6
"""Records of others that a seat is told of when it comes too late."""

_encode = msgspec.json.Encoder().encode


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of an order. `repeated`: its command id was known, nothing was written again.

    `amended`: what an amendment played again, and where it stopped.
    """

    records: tuple[Record, ...]
    game: Game
    repeated: bool = False
    amended: Amended | None = None


def open_ledger(where: str | Path, *, create: bool = False, read_only: bool = False) -> Ledger[Game]:
    """The ledger in a file. Raises StoreUnavailable."""
    return Ledger.open(where, GameFolding(), create=create, read_only=read_only)


def new_command() -> str:
    """A fresh command id."""
    return secrets.token_hex(8)


# --- opening and copying ----------------------------------------------------------------------------------------------


def new_game(
    ledger: Ledger[Game],
    title: Title,
    scenario_text: str,
    *,
    game: str,
    dice: DiceSource | None = None,
    options: Mapping[str, Value] | None = None,
) -> Outcome:
    """Open a game of a title from the text of a scenario file.

    Raises ScenarioError for a scenario that does not fit, GameExists when the ledger has a game of that id.
    """
    if ledger.size(game):
        raise GameExists(game=game, reason="it has begun")
    scenario = scenario_for(title, scenario_text)
    decision = open_game(
        title, scenario, game=game, dice=dice or scenario.dice, seed=secrets.token_hex(32), options=options or {}
    )
    drafts = drafts_of(decision.told, None)
    records = ledger.append(game, after=0, seat=REFEREE, command=new_command(), drafts=drafts, state=decision.game)
    return Outcome(records=records, game=decision.game)


def fork(ledger: Ledger[Game], game: str, at: int, new_id: str) -> Game:
    """A copy of a game up to a position, to try what would have been. Its ledger dice get a seed of their own.

    Raises GameExists, NoSuchGame, NoSuchRecord, CannotBeWritten; RuleViolation for a position inside an order.
    """
    if ledger.size(new_id):
        raise GameExists(game=new_id, reason="it has begun")
    state = ledger.state(game, at)
    first, last = LedgerPast(ledger, game).order_at(at)
    if at != last:
        raise RuleViolation(
            f"#{at} is inside an order, #{first} to #{last}",
            where=state.where,
            rule="fork",
            remedy=f"fork at #{last}" + (f" or #{first - 1}" if first > 1 else ""),
        )
    ledger.fork(game, at, new_id, _new_seed(new_id) if state.dice == "ledger" and not state.dice_open else None)
    return ledger.state(new_id)


def _new_seed(game: str) -> PendingOrder:
    """A copy that threw the original's dice would tell what the original is going to throw."""
    told = seeding(secrets.token_hex(32), game)
    return PendingOrder(seat=REFEREE, command=new_command(), drafts=drafts_of(told, None))


# --- orders -----------------------------------------------------------------------------------------------------------


class Sitting:
    """One game being played: orders are decided at once and recorded in batches, each batch whole or not at all.

    `size`: the last position recorded. `recorded`: orders written by this sitting; `flush` writes what is pending.
    """

    def __init__(self, ledger: Ledger[Game], game: str, *, batch: int = 1) -> None:
        self.ledger = ledger
        self.game_id = game
        self.size = ledger.size(game)
        if not self.size:
            raise NoSuchGame(game=game)
        self.game = ledger.state(game)
        self.title = need_title(self.game.title)
        self.recorded = 0
        self._batch = batch
        self._pending: list[PendingOrder] = []
        self._past = LedgerPast(ledger, game)

    def order(self, raw: Mapping[str, Any]) -> Outcome:
        """Decide an order and record it, or keep it for the batch.

        The same command id twice is one order: the first answer is given again.

        Raises:
            RuleViolation: refused; nothing of it is recorded.
            SomebodyWroteFirst: another hand wrote meanwhile; nothing of it is recorded.
            StoreUnavailable: the store took nothing.
        """
        command = raw.get("id")
        if isinstance(command, str) and command and (known := self._answer(command)) is not None:
            return known
        try:
            sent = read_order(self.title, raw, self.game.where)
            verify_happened(sent, self.ledger.clock, self.game.where)
            keep = self.game.keep
            if isinstance(sent.order, LOOKING_BACK) or (keep and keep.policy == "keep-unless-new"):
                self.flush()
            if isinstance(sent.order, Amend):
                return self._amend(sent, sent.order, raw)
            decision = decide(self.title, self.game, sent, self._past)
        except RuleViolation as refusal:
            self._keep_refusal(raw, refusal)
            raise
        return self._take(sent, decision, raw)

    def _keep_refusal(self, raw: Mapping[str, Any], refusal: RuleViolation) -> None:
        seat = str(raw.get("as", ""))[:80]
        self.ledger.keep_aside(self.game_id, seat, refused(self.title, self.game, seat, raw, refusal))

    def amendment(self, order: Amend, raw: Mapping[str, Any]) -> Amended:
        """What an amendment would bring about; nothing is recorded. Raises RuleViolation."""
        self.flush()
        return amend(self.title, self.game, order, _words(raw), self._past)

    def _amend(self, sent: Sent, order: Amend, raw: Mapping[str, Any]) -> Outcome:
        """The whole new line in one transaction: all of it is recorded, or nothing."""
        amended = self.amendment(order, raw)
        orders = [
            PendingOrder(
                seat=one.seat,
                command=new_command() if at or not sent.id else sent.id,
                drafts=drafts_of(one.decision.told, _encode(one.raw)),
                state=one.decision.game,
            )
            for at, one in enumerate(amended.orders)
        ]
        before = self.game
        self._pending = orders
        try:
            records = self.flush()
        except BaseException:
            self.game = before
            raise
        self.game = amended.game
        return Outcome(records=tuple(chain.from_iterable(records)), game=self.game, amended=amended)

    def _answer(self, command: str) -> Outcome | None:
        if any(order.command == command for order in self._pending):
            self.flush()
        records = self.ledger.answer(self.game_id, command)
        return Outcome(records=records, game=self.game, repeated=True) if records else None

    def _take(self, sent: Sent, decision: Decision, raw: Mapping[str, Any]) -> Outcome:
        before, self.game = self.game, decision.game
        drafts = drafts_of(decision.told, _encode(_words(raw)))
        order = PendingOrder(seat=sent.order.seat, command=sent.id or new_command(), drafts=drafts, state=decision.game)
        self._pending.append(order)
        try:
            records = self.flush() if len(self._pending) >= self._batch else ()
        except BaseException:
            self.game = before
            raise
        return Outcome(records=records[-1] if records else (), game=self.game)

    def flush(self) -> Sequence[tuple[Record, ...]]:
        """Record what is pending in one transaction; a refusal of the store leaves the ledger as it was."""
        if not self._pending:
            return ()
        pending, self._pending = self._pending, []
        try:
            answers = self.ledger.append_many(self.game_id, after=self.size, orders=pending)
        except SomebodyWroteFirst as error:
            error.remedy = f"{self._meanwhile(pending[0].seat)}; give the order again if it still makes sense"
            raise
        self.size = answers[-1][-1].position
        self.recorded += len(pending)
        return answers

    def _meanwhile(self, seat: str) -> str:
        """What others have recorded since, as a seat may see it."""
        now = self.ledger.state(self.game_id)
        records = self.ledger.records(self.game_id, self.size + 1)
        told = [
            f"#{record.position} {record.seat}: {text_of(event)}"
            for record in islice(records, MOST_TOLD)
            if (record.visible_to is None or sees(now, seat, record.visible_to)) and (event := event_of(record))
        ]
        return f"meanwhile {'; '.join(told) or 'something was recorded that is not for these eyes'}"


def _words(raw: Mapping[str, Any]) -> dict[str, Any]:
    """An order as it is kept with its records."""
    return {name: value for name, value in raw.items() if name != "id"}


def rehearsal(ledger: Ledger[Game], game: str) -> Ledger[Game]:
    """A copy of one game in memory, to try orders that are not to be recorded."""
    copy = io.BytesIO()
    replay_log.write(ledger, game, copy)
    copy.seek(0)
    rehearsed = open_ledger(":memory:", create=True)
    replay_log.read_into(rehearsed, copy)
    return rehearsed


# --- one order, a file of orders --------------------------------------------------------------------------------------


def check_amendment(ledger: Ledger[Game], game: str, raw: Mapping[str, Any]) -> Amended:
    """What an amendment would bring about; nothing is recorded. Raises RuleViolation."""
    sitting = Sitting(ledger, game)
    order = read_order(sitting.title, raw, sitting.game.where).order
    assert isinstance(order, Amend)
    return sitting.amendment(order, raw)


def preview(ledger: Ledger[Game], game: str, raw: Mapping[str, Any]) -> Impact:
    """What an undo, redo or rewind would undo, as its seat may see it; nothing is recorded.

    Raises RuleViolation where there is nowhere to return to; whether the seat may do it is not asked.
    """
    sitting = Sitting(ledger, game)
    sent = read_order(sitting.title, raw, sitting.game.where)
    to = leads_to(sitting.game, sent.order, LedgerPast(ledger, game))
    return impact(ledger, game, to, sent.order.seat)


def give_order(ledger: Ledger[Game], game: str, raw: Mapping[str, Any]) -> Outcome:
    """One order, recorded when this returns. Raises as `Sitting.order` does."""
    return Sitting(ledger, game).order(raw)


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a file of orders. `position`: the game's last; `repeated`: orders that were known already."""

    orders: int
    repeated: int
    position: int
    where: str


def play_file(
    ledger: Ledger[Game], game: str, lines: Iterable[tuple[int, Mapping[str, Any]]], name: str, *, check: bool = False
) -> Played:
    """Play numbered lines into a game, in batches; with `check` into a copy that is thrown away.

    Raises what the first refused line raises, its line named; the lines before it are recorded.
    """
    if not check:
        return _play_lines(Sitting(ledger, game, batch=BATCH), lines, name, kept="recorded")
    with rehearsal(ledger, game) as copy:
        return _play_lines(Sitting(copy, game, batch=BATCH), lines, name, kept="accepted")


def _play_lines(sitting: Sitting, lines: Iterable[tuple[int, Mapping[str, Any]]], name: str, *, kept: str) -> Played:
    orders = repeated = 0
    with between_orders() as stopped, _told_how_far(sitting):
        try:
            for number, raw in lines:
                if stopped():
                    raise KeyboardInterrupt
                with _line_named(f"{name}, line {number}", orders, kept):
                    repeated += sitting.order(raw).repeated
                orders += 1
        finally:
            sitting.flush()
    return Played(orders=orders - repeated, repeated=repeated, position=sitting.size, where=sitting.game.where)


@contextmanager
def _told_how_far(sitting: Sitting) -> Iterator[None]:
    """When the store takes no more, say how much of the file it has."""
    try:
        yield
    except LedgerError as error:
        error.remedy = f"{error.remedy} ({sitting.recorded} orders of the file are recorded, the rest are not)"
        raise


@contextmanager
def _line_named(line: str, before: int, kept: str) -> Iterator[None]:
    """A refusal says which line of the file it is about, and what becomes of the others."""
    try:
        yield
    except DomainError as error:
        error.where = f"{line} · {error.where}".rstrip(" ·")
        error.remedy = f"{error.remedy} (the {before} orders before it are {kept}, this one and the rest are not)"
        raise


@contextmanager
def between_orders() -> Iterator[Callable[[], bool]]:
    """Let the first Ctrl-C stop between two orders, and a second one at once."""
    asked = False

    def remember(_signal: int, _frame: object) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    before = signal.signal(signal.SIGINT, remember)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


__all__ = [
    "Outcome",
    "Played",
    "Sitting",
    "fork",
    "give_order",
    "new_game",
    "open_ledger",
    "play_file",
    "rehearsal",
]
