"""What a seat may do: give orders, leave a step, go back, mend, accept, and ask what it would cost first.

Each is one order of the game. Every method raises `Refused` when the rules refuse, `PositionConflict` when
another hand wrote meanwhile, and `StoreUnavailable`; then nothing is recorded, and the same call may be made again.
After a `CommitUnknown`, which is a `StoreUnavailable` too, the same call is made again with its order id.
Each takes what `order` takes beside an order (`Sending`).
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
How = Literal["replace", "drop", "before", "reroll"]
GoOn = Literal["continue", "skip", "leave", "abort"]
Given = str | Order | Mapping[str, Any]
"""An order by name with its arguments beside it, as an object, or as the JSON object of an order file's line."""


class Sending(TypedDict, total=False):
    """How an order is sent, whichever it is: `Acts.order` says what each of these means."""

    id: str
    seen: int | None
    leave: str
    happened_at: str
    witness: str


class Acts:
    """The acts of a seat in its game."""

    def __init__(self, game: "PlayedGame", name: str) -> None:
        self.game = game.watched if name == SPECTATOR else game
        self.name = name
        self.order_id = ""
        """Id of the next order that brings none of its own."""

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

        `pips`: thrown at the table, in order. `id`: a command id; the same one again is the same order, answered again
        and not done twice. `seen`: the position that this order was thought out at; if the game has grown since,
        PositionConflict says what happened meanwhile. `leave`: leave the step with it ("here"), or go on leaving up
        to that step; it is one order. `happened_at` (RFC 3339) and `witness`: written down late.
        """
        thrown = None if pips is None else list(pips)
        beside = {"pips": thrown, "id": id, "leave": leave, "happened_at": happened_at, "witness": witness}
        return self._give({**self._raw(order, arguments), **_said(beside)}, seen)

    def typed(self, words: str | Sequence[str], /, *, id: str = "", seen: int | None = None) -> Outcome:
        """Give an order as people type it: `athens.typed("move-ship athens-3 0610,0611")`, or the words of that line.

        The referee names the seat with `--as SEAT`; where one side alone can give the order now, it is that side's.
        Raises WrongUse for words that make no order, UnknownName for a name that nothing has.
        """
        return self._give({**authored(self.read(words), self.name, self._where), **_said({"id": id})}, seen)

    def read(self, words: str | Sequence[str], /) -> dict[str, Any]:
        """The same as the object of a file's line, with its seat; nothing is given. Raises as `typed` does."""
        return self.game._typed(words, self.name)

    def done(
        self,
        answer: str = "",
        *,
        step: str = "",
        until: str = "",
        rest: bool = False,
        pips: Sequence[int] | None = None,
        **more: Unpack[Sending],
    ) -> Outcome:
        """Leave the step, with an answer where it asks for one; `step` where several are open.

        `until`: go on leaving steps up to that place; `rest`: to the end of this phase. It is one order, and stops
        at whatever has to be decided, at any secret, and at another side's part: `Outcome.left` and `stopped` say it.
        Where the referee leaves and one side alone is waited for, it is that side's order.
        """
        far: dict[str, Any] = {**({"until": until} if until else {}), **({"rest": True} if rest else {})}
        author = self.game._whose(Done, self.name)
        by = {} if author == self.name else {"as": author}
        return self.order("done", pips=pips, answer=answer, step=step, **by, **far, **more)

    def note(
        self, text: str, *, about: int = 0, instead_of: int = 0, to: Sequence[str] = (), **more: Unpack[Sending]
    ) -> Outcome:
        """Write a remark into the record; it changes nothing. `about`: the position that it is about.

        `instead_of`: the position of an own remark that it takes the place of, for instance of a mistyped one.
        `to`: who alone may read it, sides, seats or the referee; empty: everybody.
        """
        said: dict[str, Any] = {"instead_of": instead_of, "to": list(to)}
        return self.order("note", text=text, about=about, **{key: one for key, one in said.items() if one}, **more)

    def send_message(
        self, text: str, to: Sequence[str], arrives: int, *, step: str = "", **more: Unpack[Sending]
    ) -> Outcome:
        """Send a courier, whose words are told to sides or seats when that turn begins, and not before.

        `step`: when that step of the turn opens.
        """
        at: dict[str, Any] = {"step": step} if step else {}
        return self.order("send-message", text=text, to=list(to), arrives=arrives, **at, **more)

    def seal_words(self, text: str, condition: str, **more: Unpack[Sending]) -> Outcome:
        """Lay words down for a case that may come; your side reads them and the referee, unless secrets are closed."""
        return self.order("seal-words", text=text, condition=condition, **more)

    def open_words(self, note: int, *, withdraw: bool = False, **more: Unpack[Sending]) -> Outcome:
        """Open what was sealed at a position to everybody, letter for letter; or withdraw your own, unread."""
        said: dict[str, Any] = {"withdraw": True} if withdraw else {}
        return self.order("open-words", note=note, **said, **more)

    def open_secrets(self, **more: Unpack[Sending]) -> Outcome:
        """Lay everything open when the game is over: the referee's, or where secrets are closed each side's.

        Raises RuleViolation while the game goes on.
        """
        return self.order("open-secrets", **more)

    # --- going back ---------------------------------------------------------------------------------------------------

    def undo(
        self, orders: int = 1, *, why: str = "", dice: DicePolicy | None = None, **more: Unpack[Sending]
    ) -> Outcome:
        """Take back orders, the newest first; a seat its own only, and none behind a roll, a reveal or a seal.

        `dice`: the referee's choice, reroll if left out. A seat leaves the policy in force as it is.
        """
        return self.order("undo", orders=orders, why=why, dice=dice, **more)

    def redo(self, **more: Unpack[Sending]) -> Outcome:
        """Return to the line that the last undo or rewind left, as long as nothing was played since."""
        return self.order("redo", **more)

    def rewind(self, to: Target, *, why: str = "", dice: DicePolicy | None = None, **more: Unpack[Sending]) -> Outcome:
        """Return play to an earlier position, step or turn; the referee's. Nothing is deleted.

        `dice`: as for `undo`.
        """
        return self.order("rewind", to=to, why=why, dice=dice, **more)

    def ask_rewind(self, to: Target, *, why: str, dice: DicePolicy | None = None, **more: Unpack[Sending]) -> Outcome:
        """Ask all other sides for a rewind; it happens when the last of them has consented.

        `dice`: reroll if left out.
        """
        return self.order("ask-rewind", to=to, why=why, dice=dice, **more)

    def consent(self, **more: Unpack[Sending]) -> Outcome:
        """Agree, for this side, to the rewind that was asked for."""
        return self.order("consent", **more)

    def refuse(self, *, why: str = "", **more: Unpack[Sending]) -> Outcome:
        """Refuse the rewind that was asked for, or take one's own question back."""
        return self.order("refuse", why=why, **more)

    def preview(self, order: Given, /, **arguments: Any) -> Impact:
        """What an undo, redo, rewind or ask-rewind would undo, as this seat may see it; nothing is recorded.

        Whether the seat may do it is not asked: then it could not ask for it. Raises Refused where there is
        nowhere to return to.
        """
        return self.game._preview(self._raw(order, arguments))

    def taken_back(self, position: int) -> tuple[Undone, ...]:
        """The orders that an undo or rewind recorded at a position took back, oldest first, as this seat may see them.

        Raises NoSuchRecord.
        """
        return taken_back(self.game.ledger, self.game.id, position, self.name)

    def refusal_of(self, order: Given, /, **arguments: Any) -> Problem | None:
        """Why the rules would refuse an undo, redo or ask-rewind of this seat, None where they would take it."""
        from umpire_ledger.desk.orders.previews import refusal_of  # noqa: PLC0415 -- few ask beforehand

        return refusal_of(self.game.ledger, self.game.id, self._raw(order, arguments))

    # --- mending ------------------------------------------------------------------------------------------------------

    def amend(
        self,
        at: int,
        given: Given | None = None,
        *,
        why: str,
        how: How = "replace",
        dice: DicePolicy = "keep",
        check: bool = False,
        **more: Unpack[Sending],
    ) -> Amendment:
        """Mend the order at a position: on a new line it is replaced by `given`, and all that followed played again.

        `how`: replace it, drop it, put `given` in before it, or give it again with fresh dice (reroll). `given` as
        words is an order as people type it. `check`: only say what would happen, with dice that are not the game's;
        `Amendment.other_dice` says whether any were thrown. The referee's.

        Where an order no longer applies the amendment stops: `Amendment.stopped` says why, and it waits for
        `go_on_amending`.
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
        how: GoOn = "continue",
        given: Given | None = None,
        *,
        why: str = "",
        check: bool = False,
        **more: Unpack[Sending],
    ) -> Amendment:
        """Go on with an amendment that stopped: with the order at which it did, or with `given` in its place.

        `how`: continue; skip that order; leave what is left on the old line; or abort, and return to the old line.
        `check`: only say what would happen. The referee's.
        """
        self._verify_mends(given)
        if isinstance(given, str):
            waits = next(iter(self.left_to_amend()), None)
            given = self.game._typed_here(given, waits.seat if waits else self.name)
        words = {} if given is None else self._words(given, {})
        return self._amend(self._raw("amending", {"how": how, "given": words, "why": why}), check, more)

    def left_to_amend(self) -> tuple[LeftOrder, ...]:
        """The orders that are left where an amendment waits, the one at which it stopped first. The referee's."""
        if self.name != REFEREE:
            what = f"what is left of an amendment is not for {self.name} to read"
            raise RuleViolation(what, where=self.game.where, rule="amend", remedy="ask the referee")
        return left_orders(self.game._left_to_amend())

    def _verify_mends(self, given: Given | None) -> None:
        """Words are read as the game stands there: so they are read for the referee alone. Raises RuleViolation."""
        if isinstance(given, str) and self.name != REFEREE:
            remedy = "ask the referee, or ask the other sides for a rewind"
            raise RuleViolation("only the referee amends", where=self.game.where, rule="amend", remedy=remedy)

    def _amend(self, raw: dict[str, Any], check: bool, more: Sending) -> Amendment:
        if check:
            return self.game._amendment(raw)
        seen = more.pop("seen", None)
        outcome = self._give({**raw, **_said(more)}, seen)
        return outcome.amendment or Amendment(at=0, orders=(), stopped=None, left=0, where=outcome.where)

    # --- asked --------------------------------------------------------------------------------------------------------

    def answered(self, command: str) -> Outcome | None:
        """What came of the order of that command id, as this seat may see it; None where none was recorded."""
        records = self.game.ledger.answer(self.game.id, command) if command else ()
        if not records:
            return None
        whole = self.game.ledger.state(self.game.id)
        return self._outcome(Recorded(records=records, game=whole))

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _give(self, raw: Mapping[str, Any], seen: int | None) -> Outcome:
        order_id, self.order_id = self.order_id, ""
        if order_id and raw.get("id", order_id) != order_id:
            what, remedy = f"the order has two ids, {order_id} and {raw['id']}", "give it one"
            raise WrongUse(what, where="order", rule="command ids", remedy=remedy)
        named = {**raw, "id": order_id} if order_id else raw
        return self._outcome(self.game._open.record(named, seen))

    def _outcome(self, recorded: Recorded) -> Outcome:
        """What a seat may see of an order; of one that goes back also its dice policy and the rolls it reuses."""
        outcome = outcome_for(self.name, self.game.id, recorded)
        dice = dice_use(self.game.ledger, self.game.id, recorded.records, self.name)
        if dice is None:
            return outcome
        amendment = outcome.amendment and msgspec.structs.replace(outcome.amendment, dice=dice)
        told = (*outcome.told, dice.text)
        return msgspec.structs.replace(outcome, dice=dice, told=told, amendment=amendment)

    def _raw(self, order: Given, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object of an order. Raises RuleViolation for somebody else's, unless the referee enters it."""
        return authored(self._words(order, arguments), self.name, self._where)

    def _where(self) -> str:
        return self.game.where

    def _words(self, order: Given, arguments: Mapping[str, Any]) -> dict[str, Any]:
        if isinstance(order, str):
            return {"order": order, **_said(arguments)}
        if arguments:
            what = f"arguments stand beside a whole order: {', '.join(arguments)}"
            raise WrongUse(what, where="order", rule="", remedy="put them into the order, or give its name alone")
        plain = msgspec.to_builtins(order)
        if not isinstance(plain, dict):
            what, remedy = f"{order!r} is no order", 'give a name, an order, or {"order": NAME, …arguments}'
            raise WrongUse(what, where="order", rule="", remedy=remedy)
        return plain


def _said(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that say something: what is left out takes the order's own default."""
    return {name: value for name, value in arguments.items() if value not in (None, "", ())}
