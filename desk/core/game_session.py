"""Decide orders one by one and record them in batches: one order, or a whole file.

Every order passes through a session; `outcomes` limits the answer to what the seat may see.
"""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain, islice
from typing import Any

import msgspec

from umpire_ledger.desk.core.adapters import LedgerHistory, drafts_of, event_of, need_title_of, place_words
from umpire_ledger.desk.core.authorship import hand_of
from umpire_ledger.desk.core.copied_games import first_order_of_copy
from umpire_ledger.desk.core.entered_orders import refusal_for_hand
from umpire_ledger.desk.core.failed_orders import failure_of
from umpire_ledger.desk.core.late_entry import verify_happened
from umpire_ledger.desk.core.order_checks import SignatureCheck, TypoCheck
from umpire_ledger.desk.core.order_ids import OrderIdUsed, is_same_order, new_command, unsigned, words_of
from umpire_ledger.desk.core.outcomes import Recorded
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.dice_shares import awaited
from umpire_ledger.domain.game.errors import RuleViolation, TitleFault
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.order_json import AGAIN, HERE, Sent, read_order
from umpire_ledger.domain.game.orders import MAY_NEED_SEED, Amend, Amending, Done, Order, SeatDice, looks_back
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.end_of_game_reveal import is_entered_blindly
from umpire_ledger.domain.history.history import History
from umpire_ledger.domain.play.amend import Amended, RemainingOrder, amend
from umpire_ledger.domain.play.amend_continue import go_on, waiting
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.end_several_steps import forfeited, why_stopped
from umpire_ledger.domain.play.witnessed_dice import order_asking
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.order_batches import PendingOrder
from umpire_ledger.ledger.records.errors import NoSuchGame, PositionAhead, PositionConflict, StoreUnavailable
from umpire_ledger.ledger.records.record import Draft, Record
from umpire_ledger.ledger.writing import OrderRecords
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.reports.refused_orders import refused
from umpire_ledger.projections.tables.seat_visibility import sees

MOST_TOLD = 6
"""Maximum number of records of other seats that a refusal lists for a late seat."""

_encode = msgspec.json.Encoder().encode


class GameSession:
    """A session of one game: orders are decided at once, and each batch is recorded completely or not at all.

    `typo_check`, `signatures`: checks of every order; `desk.orders.sessions` opens a session with both. `size`: the
    last recorded position. `recorded`: the number of orders written by this session; `flush` writes pending ones.
    `overtaken`: orders of a batch that another client recorded at the same moment, id to first position.
    """

    def __init__(
        self,
        ledger: Ledger[Game],
        game_id: str,
        *,
        typo_check: TypoCheck,
        signatures: Callable[[], SignatureCheck],
        batch: int = 1,
    ) -> None:
        self.ledger = ledger
        self.game_id = game_id
        self.size = ledger.size(game_id)
        if not self.size:
            raise NoSuchGame(game=game_id)
        self.game = ledger.state(game_id)
        self.title = need_title_of(self.game)
        self.recorded = 0
        self.overtaken: dict[str, int] = {}
        self._batch = batch
        self._pending: list[PendingOrder] = []
        self._history: History = LedgerHistory(ledger, game_id)
        self._stale = False
        self._dice_are_own = False
        self._typo_check = typo_check
        self._signatures = cache(signatures)

    def refresh(self) -> None:
        """Read the records that other clients have written, so that the next order is decided on the current state."""
        if self._pending:
            return
        size = self.ledger.size(self.game_id)
        if self._stale or size != self.size:
            self.game = self.ledger.state(self.game_id, size)
            self.size = size
            self._history = LedgerHistory(self.ledger, self.game_id)
            self._stale = self._dice_are_own = False

    def verify_nothing_came(self, seen: int, seat: str) -> None:
        """Verify that the game has not grown since a position.

        Raises:
            PositionConflict: When it has; the remedy lists the new records that the seat may see.
            PositionAhead: When the game has no such position.
        """
        if seen > self.size:
            raise PositionAhead(game=self.game_id, expected=seen, found=self.size)
        if seen != self.size:
            late = PositionConflict(game=self.game_id, expected=seen, found=self.size)
            late.remedy = self._too_late(seen, seat)
            raise late

    def order(self, raw: Mapping[str, Any]) -> Recorded:
        """Decide an order and record it, or keep it for the batch.

        An order with a known order id gets its first answer again.

        Raises:
            RuleViolation: When the order is refused; none of it is recorded.
            PositionConflict: When another client wrote meanwhile; none of it is recorded.
            CommitUnknown: When the store failed while it recorded the orders `order_ids`; repeat them with the same
                ids.
            StoreUnavailable: When the store wrote nothing.
        """
        if self._stale:
            self.refresh()
        if self.game.awaits_dice:
            self.resolve_witnessed_order()  # in case the program was interrupted after the last share
        where = place_words(self.game)
        try:
            if (known := self._answer(raw)) is not None:
                return known
            sent = read_order(self.title, raw, where)
            verify_happened(sent, self.ledger.clock, where)
            self._begin_copy()
            self._settle(sent.order)
            if self.game.keys or "signed" in raw:
                raw = self._with_signature(sent, raw)
                sent = msgspec.structs.replace(sent, id=str(raw.get("id", "")))
            if isinstance(sent.order, Amend | Amending):
                return self._amend(sent, sent.order, raw)
            decision = self._decide(sent)
            drafts = drafts_of(decision.told, _encode(words_of(raw)), where)
        except OrderIdUsed:
            raise  # it may be about an earlier order of the batch, and is in the refusal log
        except RuleViolation as refusal:
            self.flush()  # a refusal may reveal rolls of earlier orders, so record those first
            told = self._typo_check(self.title, self.game, raw, refusal)
            self._keep_refusal(raw, told)
            told = self._refusal_for_hand(raw, told)
            if told is refusal:
                raise
            raise told from refusal
        taken = self._take(sent, raw, decision, drafts)
        if not self.game.awaits_dice or not isinstance(sent.order, SeatDice):
            return taken
        thrown = self.resolve_witnessed_order()
        return msgspec.structs.replace(taken, records=(*taken.records, *thrown), game=self.game)

    def _first_of_copy(self) -> PendingOrder | None:
        """Return the first order of a copied game in this ledger; None for other games, or if it is recorded."""
        if self._dice_are_own or self._pending:
            return None
        return first_order_of_copy(self.ledger, self.game_id, self.game, self._history)

    def _begin_copy(self) -> None:
        """Give the dice of a copied game a new seed, before anything else is recorded here."""
        while (order := self._first_of_copy()) is not None:
            with suppress(PositionConflict):  # another program began it
                self.ledger.append_many(self.game_id, after=self.size, orders=(order,))
            self._stale = True
            self.refresh()
        self._dice_are_own = True

    def resolve_witnessed_order(self) -> tuple[Record, ...]:
        """Carry out the order that waits for its dice, once every dice share is there.

        If it cannot be carried out, or another client was faster, it keeps waiting. The share that came with it is
        recorded, and the referee can rewind an order that no version of the program can carry out.
        """
        if not self.game.awaits_dice or awaited(self.game) or self._first_of_copy() is not None:
            return ()
        self.flush()
        before = self.game
        try:
            return self._throw_what_was_asked()
        except (RuleViolation, TitleFault):
            return ()
        except PositionConflict:
            self.refresh()
            return ()
        except StoreUnavailable:
            self.game = before  # the share is recorded, and its seat must see that; the next order carries out this one
            return ()

    def _throw_what_was_asked(self) -> tuple[Record, ...]:
        asking = order_asking(self._history)
        if asking is None or not asking.cause:
            return ()
        raw = {**unsigned(msgspec.json.decode(asking.cause)), AGAIN: asking.first}
        sent = read_order(self.title, raw, place_words(self.game))
        decision = self._decide(sent)
        taken = self._take(sent, raw, decision, drafts_of(decision.told, _encode(raw), place_words(self.game)))
        self.flush()
        return tuple(taken.records)

    def _with_signature(self, sent: Sent, raw: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the order, signed if its seat has a key.

        Raises:
            RuleViolation: When a signature is required and missing.
        """
        self.flush()  # a seat signs on recorded positions only
        return self._signatures().with_signature(raw, sent.order.seat, self.game, self.size)

    def _decide(self, sent: Sent) -> Decision:
        return self._decided(sent, self.game, self._history)

    def _decided(self, sent: Sent, game: Game, history: History) -> Decision:
        if isinstance(sent.order, MAY_NEED_SEED):
            sent = msgspec.structs.replace(sent, seed=secrets.token_hex(32))
        return decide(self.title, game, sent, history)

    def _settle(self, order: Order) -> None:
        """Record pending orders before an order that reads the history."""
        keep = self.game.active_keep
        if self.game.awaits_dice or looks_back(order) or (keep and keep.policy == "keep-unless-new"):
            self.flush()

    def _keep_refusal(self, raw: Mapping[str, Any], refusal: RuleViolation) -> None:
        seat = str(raw.get("as", ""))[:80]
        self.ledger.append_refusal(self.game_id, seat, refused(self.title, self.game, seat, raw, refusal))

    def _refusal_for_hand(self, raw: Mapping[str, Any], refusal: RuleViolation) -> RuleViolation:
        """Return the refusal as the seat that gave the order may read it."""
        if hand_of(raw) == raw.get("as"):
            return refusal
        return refusal_for_hand(self.ledger, self.game_id, self.title, raw, refusal, self._typo_check)

    def amendment(self, order: Amend | Amending, raw: Mapping[str, Any]) -> Amended:
        """Return the result of an amendment, or of its continuation; record nothing.

        Raises:
            RuleViolation: When it is refused.
        """
        self.flush()
        return self._amended(order, raw, self.game, self._history)

    def _amended(self, order: Amend | Amending, raw: Mapping[str, Any], game: Game, history: History) -> Amended:
        words = words_of(raw)
        if isinstance(order, Amending):
            return go_on(self.title, game, order, words, history, secrets.token_hex(32))
        return amend(self.title, game, order, words, history, secrets.token_hex(32))

    def left_to_amend(self) -> tuple[RemainingOrder, ...]:
        """Return the remaining orders of an amendment that has stopped."""
        return waiting(self.game, self._history)

    def _amend(self, sent: Sent, order: Amend | Amending, raw: Mapping[str, Any]) -> Recorded:
        """Record the whole new branch in one transaction."""
        amended = self.amendment(order, raw)
        if self.game.keys:
            self._verify_own_words(amended, order)
        orders = [
            PendingOrder(
                seat=one.seat,
                command=new_command() if at or not sent.id else sent.id,
                drafts=drafts_of(one.decision.told, _encode(one.raw), place_words(amended.game)),
                state=one.decision.game,
            )
            for at, one in enumerate(amended.orders)
        ]
        self._pending = orders
        answers = self.flush()
        records = tuple(chain.from_iterable(answers))
        if answers.repeated:
            return Recorded(records=records, game=self.game, repeated=True)
        self.game = amended.game
        return Recorded(records=records, game=self.game, amended=amended)

    def _verify_own_words(self, amended: Amended, order: Amend | Amending) -> None:
        """Verify that an amendment gives no new or changed order in the name of a seat that signs its orders."""
        for one in amended.orders[1:]:
            if not one.of or (set(order.given) - {"pips"} and one is amended.orders[1]):
                self._signatures().verify_given_for(one.seat, self.game)

    def is_repetition(self, raw: Mapping[str, Any]) -> bool:
        """Return whether this order of this seat was recorded under its order id before."""
        command = raw.get("id")
        records = self.ledger.answer(self.game_id, command) if isinstance(command, str) and command else ()
        return bool(records) and self._is_same(records, words_of(raw))

    def _answer(self, raw: Mapping[str, Any]) -> Recorded | None:
        """Return the first answer to an order with a known order id; None if the id is new.

        Raises:
            OrderIdUsed: When the id belongs to another order.
        """
        command = raw.get("id")
        if not isinstance(command, str) or not command:
            return None
        if any(order.command == command for order in self._pending):
            self.flush()
        records = self.ledger.answer(self.game_id, command)
        if not records:
            return None
        self._verify_same(records, command, words_of(raw))
        if records[-1].position > self.size:
            self.refresh()
        return self._repeated(raw, records)

    def _repeated(self, raw: Mapping[str, Any], records: Sequence[Record]) -> Recorded:
        """Return the answer to a recorded order; if it ended several steps, with the reason why it stopped then."""
        answer = Recorded(records=tuple(records), game=self.game, repeated=True)
        if raw.get("order") != Done.tag() and not raw.get("leave"):
            return answer
        sent = read_order(self.title, raw, place_words(self.game))
        before, after = (self.ledger.state(self.game_id, at) for at in (records[0].position - 1, records[-1].position))
        events = tuple(event for event in map(event_of, records) if event is not None)
        return self._with_end(answer, sent, before, events, after)

    def _with_end(
        self, answer: Recorded, sent: Sent, before: Game, events: Iterable[AnyEvent], after: Game
    ) -> Recorded:
        """Return an answer with the reason why the order stopped, and with the actions that its side forfeited."""
        stopped = self._stopped(sent, before, after)
        if not stopped or is_entered_blindly(after, sent):
            return msgspec.structs.replace(answer, stopped=stopped)
        lost = forfeited(self.title, before, before.side_of(sent.order.seat), events)
        return msgspec.structs.replace(answer, stopped=stopped, forfeited=lost)

    def _stopped(self, sent: Sent, before: Game, game: Game) -> str:
        """Return why an order that ends several steps stopped; "" for other orders."""
        stopped = self._why_stopped(sent, before, game)
        return f"only {sent.order.seat} may see the reason" if stopped and is_entered_blindly(game, sent) else stopped

    def _why_stopped(self, sent: Sent, before: Game, game: Game) -> str:
        order, until = sent.order, sent.leave if sent.leave != HERE else ""
        if isinstance(order, Done) and (order.until or order.rest):
            until = order.until
        elif not until:
            return ""
        return why_stopped(self.title, game, game.side_of(order.seat), until, before)

    def _is_same(self, records: Sequence[Record], words: Mapping[str, Any]) -> bool:
        return is_same_order(self.ledger, self.game_id, records, words)

    def _verify_same(self, records: Sequence[Record], command: str, words: Mapping[str, Any]) -> None:
        """Verify that recorded records answer this order, and log the refusal if not.

        Raises:
            OrderIdUsed: When they belong to another order.
        """
        if not self._is_same(records, words):
            refusal = OrderIdUsed(command, place_words(self.game))
            self._keep_refusal({**words, "id": command}, refusal)
            raise refusal

    def _take(self, sent: Sent, raw: Mapping[str, Any], decision: Decision, drafts: list[Draft]) -> Recorded:
        before, self.game = self.game, decision.game
        order = PendingOrder(seat=sent.order.seat, command=sent.id or new_command(), drafts=drafts, state=decision.game)
        self._pending.append(order)
        answers = self.flush() if len(self._pending) >= self._batch else OrderRecords()
        records = answers[-1] if answers else ()
        if answers.repeated:
            return self._repeated(raw, records)
        failure = failure_of(decision, sent.order.seat)
        answer = Recorded(records=tuple(records), game=self.game, failure=failure)
        return self._with_end(answer, sent, before, events_of(decision.told), decision.game)

    def flush(self) -> OrderRecords:
        """Record the pending orders in one transaction; if that fails, the ledger stays unchanged.

        Orders that were not recorded are dropped: the next order is decided on the ledger's state. If another client
        recorded the same orders under the same ids at the same moment, its records are the answers, as `repeated`.

        Raises:
            OrderIdUsed: When another client has used the id for another order.
            PositionConflict: When another client has recorded anything else; none of the pending orders is recorded.
        """
        if not self._pending:
            return OrderRecords()
        pending, self._pending = self._pending, []
        self._stale = True
        try:
            answers = self.ledger.append_many(self.game_id, after=self.size, orders=pending)
        except PositionConflict as error:
            error.remedy = self._too_late(self.size, hand_of({"as": pending[0].seat, **_text_of(pending[0])}))
            raise
        if answers.repeated:
            self.refresh()
            for order, records in zip(pending, answers, strict=True):
                self._verify_same(records, order.command, _text_of(order))
            self.overtaken |= {
                order.command: records[0].position for order, records in zip(pending, answers, strict=True)
            }
            return answers
        self._stale = False
        self.size = answers[-1][-1].position
        self.recorded += len(pending)
        return answers

    def _too_late(self, since: int, seat: str) -> str:
        """Return a remedy that lists the new records of others that a seat may see, and advises to repeat the order."""
        now = self.ledger.state(self.game_id)
        records = self.ledger.records(self.game_id, since + 1)
        told = [
            f"#{record.position} {record.seat}: {text_of(event)}"
            for record in islice(records, MOST_TOLD)
            if sees(now, seat, record.position, record.visible_to) and (event := event_of(record))
        ]
        news = "; ".join(told) or "a record arrived that your seat cannot see"
        return f"new since then: {news}; give the order again if it is still valid"


def _text_of(order: PendingOrder) -> dict[str, Any]:
    """Return the text of a pending order."""
    text = next((draft.cause for draft in order.drafts if draft.cause), b"{}")
    found: dict[str, Any] = msgspec.json.decode(text)
    return found
