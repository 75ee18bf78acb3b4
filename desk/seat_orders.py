"""Give the orders of a seat: play, end a step, go back, amend, accept, and preview their cost.

Each method gives one order and takes the options of `order` (`SendOptions`). It raises `Refused` when the rules refuse
the order, `PositionConflict` when another client wrote meanwhile, and `StoreUnavailable`; then nothing is recorded, and
the same call may be made again. After a `CommitUnknown`, which is also a `StoreUnavailable`, repeat the call with its
order id.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack

import msgspec

from umpire_ledger.desk.core.authorship import authored
from umpire_ledger.desk.core.dice_use import dice_use
from umpire_ledger.desk.core.errors import Problem, WrongUse
from umpire_ledger.desk.core.outcomes import Amendment, LeftOrder, Outcome, Recorded, left_orders, outcome_for
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import DicePolicy
from umpire_ledger.domain.game.orders import Done, Order
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR
from umpire_ledger.projections.questions.rewind_preview import Impact, Undone, taken_back

if TYPE_CHECKING:
    from umpire_ledger.desk.game import PlayedGame

Target = int | str
"""A position, a step (`G.2a`, `5-3D of 0407`) or a turn (`turn 2`)."""
AmendMode = Literal["replace", "drop", "before", "reroll"]
ResumeMode = Literal["continue", "skip", "leave", "abort"]
Given = str | Order | Mapping[str, Any]
"""An order: its name (with arguments in the call), an `Order`, or a JSON object as in an order file."""


class SendOptions(TypedDict, total=False):
    """Options for sending any order; `Acts.order` explains them."""

    id: str
    seen: int | None
    leave: str
    happened_at: str
    witness: str


class SeatOrders:
    """The orders of a seat in its game."""

    def __init__(self, game: "PlayedGame", name: str) -> None:
        self.game = game.watched if name == SPECTATOR else game
        self.name = name
        self.order_id = ""
        """Id of the next order without an id of its own."""
        self.last_order: Mapping[str, Any] = {}
        """The last order given by this object, as JSON."""

    def order(
        self,
        order: Given,
        /,
        *,
        pips: Sequence[int] | None = None,
        id: str = "",
        seen: int | None = None,
        leave: str = "",
        happened_at: str = "",
        witness: str = "",
        **arguments: Any,
    ) -> Outcome:
        """Give an order.

        Args:
            pips: Dice results of the table, in order.
            id: An order id. If the order is given again with the same id, it gets its first answer and is not repeated.
            seen: The position for which the order was written. If the game has grown since, PositionConflict lists the
                news.
            leave: With the same order, end the current step ("here"), or also the later steps before the named one.
            happened_at: The time of a late entry (RFC 3339).
            witness: The witness of a late entry.
        """
        thrown = None if pips is None else list(pips)
        beside = {"pips": thrown, "id": id, "leave": leave, "happened_at": happened_at, "witness": witness}
        return self._give({**self._raw(order, arguments), **_with_value(beside)}, seen)

    def typed(self, words: str | Sequence[str], /, *, id: str = "", seen: int | None = None) -> Outcome:
        """Give an order as people type it: `athens.typed("move-ship athens-3 0610,0611")`, or the words of that line.

        The referee names the seat with `--as SEAT`. Without it, the order belongs to the only side that can give it
        now.

        Raises:
            WrongUse: When the words are not an order.
            UnknownName: When a name in the order is unknown.
        """
        return self._give({**authored(self.read(words), self.name, self._where), **_with_value({"id": id})}, seen)

    def read(self, words: str | Sequence[str], /) -> dict[str, Any]:
        """Return the JSON object of a typed order with its seat, without giving it. The errors are those of `typed`."""
        return self.game._typed(words, self.name)

    def done(
        self,
        answer: str = "",
        *,
        step: str = "",
        until: str = "",
        rest: bool = False,
        pips: Sequence[int] | None = None,
        **more: Unpack[SendOptions],
    ) -> Outcome:
        """End the current step, with an answer if it needs one; if several steps are open, name it with `step`.

        If the referee ends the step and only one side must act, the order belongs to that side.

        Args:
            until: Also end the later steps before this one.
            rest: End the steps up to the end of this phase. The order stops at any decision, any secret and another
                side's part: see `Outcome.left` and `Outcome.stopped`.
        """
        far: dict[str, Any] = {**({"until": until} if until else {}), **({"rest": True} if rest else {})}
        author = self.game._whose(Done, self.name)
        by = {} if author == self.name else {"as": author}
        return self.order("done", pips=pips, answer=answer, step=step, **by, **far, **more)

    def note(
        self, text: str, *, about: int = 0, instead_of: int = 0, to: Sequence[str] = (), **more: Unpack[SendOptions]
    ) -> Outcome:
        """Record a remark; it changes nothing in the game.

        Args:
            about: The position of the record that the remark is about.
            instead_of: The position of your own earlier remark that this one replaces, for example a mistyped one.
            to: The only sides and seats that may read the remark; empty for all.
        """
        said: dict[str, Any] = {"instead_of": instead_of, "to": list(to)}
        return self.order("note", text=text, about=about, **{key: one for key, one in said.items() if one}, **more)

    def send_message(
        self, text: str, to: Sequence[str], arrives: int, *, step: str = "", **more: Unpack[SendOptions]
    ) -> Outcome:
        """Send a courier message, which its sides or seats get when a later turn begins.

        Args:
            arrives: The turn in which the message arrives.
            step: Deliver the message when this step of the turn opens.
        """
        at: dict[str, Any] = {"step": step} if step else {}
        return self.order("send-message", text=text, to=list(to), arrives=arrives, **at, **more)

    def seal_words(self, text: str, condition: str, **more: Unpack[SendOptions]) -> Outcome:
        """Store sealed words for a condition. Your side can read them, and the referee unless secrets are closed."""
        return self.order("seal-words", text=text, condition=condition, **more)

    def open_words(self, note: int, *, withdraw: bool = False, **more: Unpack[SendOptions]) -> Outcome:
        """Reveal the sealed words at a position to all players, unchanged; or withdraw your own words unrevealed."""
        said: dict[str, Any] = {"withdraw": True} if withdraw else {}
        return self.order("open-words", note=note, **said, **more)

    def open_secrets(self, **more: Unpack[SendOptions]) -> Outcome:
        """Reveal all secrets after the end of the game; if they are closed to the referee, each side reveals its own.

        Raises:
            RuleViolation: When the game has not ended.
        """
        return self.order("open-secrets", **more)

    # --- going back ---------------------------------------------------------------------------------------------------

    def undo(
        self, orders: int = 1, *, why: str = "", dice: DicePolicy | None = None, **more: Unpack[SendOptions]
    ) -> Outcome:
        """Undo orders, the newest first. A seat can undo only its own orders, back to the last roll, reveal or seal.

        Args:
            dice: The referee's choice, reroll by default. A seat cannot change the policy in force.
        """
        return self.order("undo", orders=orders, why=why, dice=dice, **more)

    def redo(self, **more: Unpack[SendOptions]) -> Outcome:
        """Return to the branch before the last undo or rewind, if nothing was played since."""
        return self.order("redo", **more)

    def rewind(
        self, to: Target, *, why: str = "", dice: DicePolicy | None = None, **more: Unpack[SendOptions]
    ) -> Outcome:
        """Return play to an earlier position, step or turn; for the referee only. Nothing is deleted.

        Args:
            dice: See `undo`.
        """
        return self.order("rewind", to=to, why=why, dice=dice, **more)

    def ask_rewind(
        self, to: Target, *, why: str, dice: DicePolicy | None = None, **more: Unpack[SendOptions]
    ) -> Outcome:
        """Request a rewind from all other sides. Play is rewound when the last of them consents.

        Args:
            dice: The dice policy, reroll by default.
        """
        return self.order("ask-rewind", to=to, why=why, dice=dice, **more)

    def consent(self, **more: Unpack[SendOptions]) -> Outcome:
        """Consent, for this side, to the requested rewind."""
        return self.order("consent", **more)

    def refuse(self, *, why: str = "", **more: Unpack[SendOptions]) -> Outcome:
        """Refuse the requested rewind, or withdraw one's own request."""
        return self.order("refuse", why=why, **more)

    def preview(self, order: Given, /, **arguments: Any) -> Impact:
        """Return what an undo, redo, rewind or ask-rewind would undo, as this seat may see it; record nothing.

        The preview does not check whether the seat may give the order, so that it also works before a request.

        Raises:
            Refused: When there is no position to return to.
        """
        return self.game._preview(self._raw(order, arguments))

    def taken_back(self, position: int) -> tuple[Undone, ...]:
        """Return the orders that the undo or rewind at a position took back, oldest first, as this seat may see them.

        Raises:
            NoSuchRecord: When the game has no such position.
        """
        return taken_back(self.game.ledger, self.game.id, position, self.name)

    def refusal_of(self, order: Given, /, **arguments: Any) -> Problem | None:
        """Return why the rules would refuse an undo, redo or ask-rewind of this seat; None if they would accept it."""
        from umpire_ledger.desk.orders.previews import refusal_of  # noqa: PLC0415 -- 25 ms: few ask beforehand

        return refusal_of(self.game.ledger, self.game.id, self._raw(order, arguments))

    # --- amendments ---------------------------------------------------------------------------------------------------

    def amend(
        self,
        at: int,
        given: Given | None = None,
        *,
        why: str,
        how: AmendMode = "replace",
        dice: DicePolicy = "keep",
        check: bool = False,
        **more: Unpack[SendOptions],
    ) -> Amendment:
        """Replace the order at a position on a new branch, and re-play all later orders; for the referee only.

        If an order no longer applies, the amendment stops. Then `Amendment.stopped` has the reason, and the amendment
        waits for `go_on_amending`.

        Args:
            given: The new order; a string is an order as people type it.
            how: Replace the order, drop it, insert `given` before it, or give it again with new dice (reroll).
            check: Only return the result, with other dice than the game's; see `Amendment.other_dice`.
        """
        self._verify_mends(given)
        if isinstance(given, str):
            given = self.game._typed_for(at, given, before=how == "before")
        words = {} if given is None else self._words(given, {})
        return self._amend(
            self._raw("amend", {"at": at, "how": how, "given": words, "why": why, "dice": dice}), check, more
        )

    def go_on_amending(
        self,
        how: ResumeMode = "continue",
        given: Given | None = None,
        *,
        why: str = "",
        check: bool = False,
        **more: Unpack[SendOptions],
    ) -> Amendment:
        """Continue a stopped amendment with its next order, or with `given` instead; for the referee only.

        Args:
            how: Continue; skip the next order; end, and leave the remaining orders on the old branch; or abort, and
                return to the old branch.
            check: Only return the result.
        """
        self._verify_mends(given)
        if isinstance(given, str):
            waits = next(iter(self.left_to_amend()), None)
            given = self.game._typed_here(given, waits.seat if waits else self.name)
        words = {} if given is None else self._words(given, {})
        return self._amend(self._raw("amending", {"how": how, "given": words, "why": why}), check, more)

    def left_to_amend(self) -> tuple[LeftOrder, ...]:
        """Return the remaining orders of a stopped amendment, the next one first; for the referee only."""
        if self.name != REFEREE:
            what = f"{self.name} cannot see the remaining orders of an amendment"
            raise RuleViolation(what, where=self.game.where, rule="amend", remedy="ask the referee")
        return left_orders(self.game._left_to_amend())

    def _verify_mends(self, given: Given | None) -> None:
        """Verify that typed words come from the referee, because they are read with the state at an earlier position.

        Raises:
            RuleViolation: When another seat amends with typed words.
        """
        if isinstance(given, str) and self.name != REFEREE:
            remedy = "ask the referee, or ask the other sides for a rewind"
            what = "only the referee can amend an order"
            raise RuleViolation(what, where=self.game.where, rule="amend", remedy=remedy)

    def _amend(self, raw: dict[str, Any], check: bool, more: SendOptions) -> Amendment:
        if check:
            return self.game._amendment(raw)
        seen = more.pop("seen", None)
        outcome = self._give({**raw, **_with_value(more)}, seen)
        return outcome.amendment or Amendment(at=0, orders=(), stopped=None, left=0, where=outcome.where)

    # --- earlier answers ----------------------------------------------------------------------------------------------

    def answered(self, command: str) -> Outcome | None:
        """Return the result of the order with an order id, as this seat may see it; None if there is none."""
        records = self.game.ledger.answer(self.game.id, command) if command else ()
        if not records:
            return None
        whole = self.game.ledger.state(self.game.id)
        return self._outcome(Recorded(records=records, game=whole))

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _give(self, raw: Mapping[str, Any], seen: int | None) -> Outcome:
        order_id, self.order_id = self.order_id, ""
        if order_id and raw.get("id", order_id) != order_id:
            what, remedy = f"the order has two ids, {order_id} and {raw['id']}", "give it only one"
            raise WrongUse(what, where="order", rule="command ids", remedy=remedy)
        named = {**raw, "id": order_id} if order_id else raw
        self.last_order = named
        return self._outcome(self.game._open.record(named, seen))

    def _outcome(self, recorded: Recorded) -> Outcome:
        """Return the result of an order as its seat may see it, with the dice policy of an order that goes back."""
        outcome = outcome_for(self.name, self.game.id, recorded)
        dice = dice_use(self.game.ledger, self.game.id, recorded.records, self.name)
        if dice is None:
            return outcome
        amendment = outcome.amendment and msgspec.structs.replace(outcome.amendment, dice=dice)
        told = (*outcome.told, dice.text)
        return msgspec.structs.replace(outcome, dice=dice, told=told, amendment=amendment)

    def _raw(self, order: Given, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the JSON object of an order.

        Raises:
            RuleViolation: When the order belongs to another seat, unless the referee enters it.
        """
        return authored(self._words(order, arguments), self.name, self._where)

    def _where(self) -> str:
        return self.game.where

    def _words(self, order: Given, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if isinstance(order, str):
            return {"order": order, **_with_value(arguments)}
        if arguments:
            what = f"arguments are given next to a complete order: {', '.join(arguments)}"
            remedy = "put them into the order, or give only the name of the order"
            raise WrongUse(what, where="order", rule="", remedy=remedy)
        plain = msgspec.to_builtins(order)
        if not isinstance(plain, dict):
            what, remedy = f"{order!r} is not an order", 'give a name, an order, or {"order": NAME, …arguments}'
            raise WrongUse(what, where="order", rule="", remedy=remedy)
        return plain


def _with_value(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments that have a value; the other arguments keep the order's defaults."""
    return {name: value for name, value in arguments.items() if value not in (None, "", ())}
