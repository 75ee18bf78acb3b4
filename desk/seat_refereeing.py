"""Provide each seat's orders and queries about refereeing: disputes, rulings, seals, refusals, reports, cases."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

import msgspec

from umpire_ledger.desk.cases.case_folder import CaseFolder, write_case
from umpire_ledger.desk.cases.disputes import find_disputes, need_dispute
from umpire_ledger.desk.core.errors import WrongUse, not_there
from umpire_ledger.desk.core.outcomes import Outcome
from umpire_ledger.desk.core.text_files import whole_file
from umpire_ledger.desk.games.rulings import find_precedents
from umpire_ledger.desk.seat_orders import SeatOrders, SendOptions
from umpire_ledger.desk.seat_queries import SeatQueries
from umpire_ledger.domain.game.events import DicePolicy, Grounds
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.projections.questions.record_explanation import DependentOrder, depending
from umpire_ledger.projections.questions.seat_knowledge import LearntSecret, knowledge_from
from umpire_ledger.projections.record.refusal import KeptRefusal
from umpire_ledger.projections.reports.conformance import Label, conformance
from umpire_ledger.projections.reports.disputes import DisputeLine, RulingLine, records_at, rulings
from umpire_ledger.projections.reports.referee import RefereeAct, acts
from umpire_ledger.projections.reports.refused_orders import refusals
from umpire_ledger.projections.reports.sitrep import Sitrep, sitrep
from umpire_ledger.projections.tables.copies import copy_words
from umpire_ledger.projections.tables.desk_rows import positions_of
from umpire_ledger.projections.tables.order_history import orders_on_branch, seen_by
from umpire_ledger.projections.tables.sealed_words import SealedWords, notes, sealed_words
from umpire_ledger.projections.tables.seat_visibility import sees

if TYPE_CHECKING:
    from umpire_ledger.desk.orders.completion import CompletionContext

Answer = Literal["open", "settled"]


class DisputePage(msgspec.Struct, frozen=True, kw_only=True):
    """A dispute, the orders that depend on its records, and earlier rulings on the same rule."""

    dispute: DisputeLine
    depends: tuple[DependentOrder, ...]
    precedents: tuple[RulingLine, ...]
    """Rulings of every game on the rule, without the ruling on this dispute."""


class SeatRefereeing(SeatOrders, SeatQueries):
    """The orders and queries of a seat outside play."""

    # --- orders -------------------------------------------------------------------------------------------------------

    def dispute(
        self, records: Sequence[int], claim: str, *, rule: str = "", dispute: str = "", **more: Unpack[SendOptions]
    ) -> Outcome:
        """Contest records by position; play continues under protest. `dispute`: its id, by default d1, d2, …"""
        return self.order("dispute", records=list(records), claim=claim, rule=rule, dispute=dispute, **more)

    def settle(self, dispute: str, ruling: str = "", *, why: str = "", **more: Unpack[SendOptions]) -> Outcome:
        """Settle a dispute without a ruling on a rule; without a `ruling` text, withdraw your own dispute."""
        return self.order("settle", dispute=dispute, ruling=ruling, reason=why, **more)

    def rule(
        self,
        ruling: str,
        *,
        why: str,
        grounds: Grounds,
        rule: str = "",
        overrides: str = "",
        remedy: str = "",
        dispute: str = "",
        orders: Sequence[str | Mapping[str, Any]] = (),
        pips: Sequence[int] | None = None,
        dice: DicePolicy | None = None,
        **more: Unpack[SendOptions],
    ) -> Outcome:
        """Rule on a question, carry out the remedy and settle the dispute in one order; for the referee only.

        Args:
            orders: Generic orders to carry out, as objects or as people type them; a rewind must come first. Their
                records are marked as overridden.
            dice: The dice policy of that rewind, reroll by default.

        Raises:
            WrongUse: When there is a `dice` policy without a rewind.
        """
        carried = [self.game._typed_for_ruling(one) if isinstance(one, str) else one for one in orders]
        if dice is not None:
            carried = _with_policy(carried, dice)
        return self.order(
            "rule",
            pips=pips,
            ruling=ruling,
            reason=why,
            grounds=grounds,
            rule=rule,
            overrides=overrides,
            remedy=remedy,
            dispute=dispute,
            orders=carried or None,
            **more,
        )

    def seal(self, **more: Unpack[SendOptions]) -> tuple[Outcome, Checkpoint]:
        """Seal all records so far as accepted; return the checkpoint to keep, which also covers the seal."""
        outcome = self.order("seal", **more)
        return outcome, self.game.checkpoint(outcome.position)

    def peek(self, who: str, *, why: str, **more: Unpack[SendOptions]) -> tuple[Outcome, tuple[LearntSecret, ...]]:
        """Return a seat's secrets to the referee, after recording the peek publicly."""
        outcome = self.order("peek", who=who, reason=why, **more)
        ledger, game = self.game.ledger, self.game.id
        records = seen_by(ledger, game, who, ledger.lines(game))
        return outcome, tuple(knowledge_from(records, ledger.branch(game).stretches).secrets)

    # --- queries ------------------------------------------------------------------------------------------------------

    def disputes(self, answer: Answer | None = None) -> list[DisputeLine]:
        """Return the game's open, settled or (by default) all disputes, the oldest first."""
        self._verify()
        found = find_disputes(self.game._open.opened, self.game.id)
        return [one for one in found if answer is None or (answer == "settled") == bool(one.settled)]

    def sealed_words(self) -> list[SealedWords]:
        """Return the sealed words that this seat may read, the oldest first; unrevealed words have no `opened`."""
        self._verify()
        now, found = self._ledger.state(self.game.id), notes(self._ledger, self.game.id, self.game.size)
        return sealed_words(found, now, partial(sees, now, self.name))

    def _table(self) -> "CompletionContext":
        return super()._table()._replace(disputes=lambda: [one.dispute for one in self.disputes("open")])

    def need_dispute(self, dispute: str) -> DisputeLine:
        """Return a dispute by id.

        Raises:
            NotThere: When the game has no such dispute.
        """
        self._verify()
        return need_dispute(self.game._open.opened, self.game.id, dispute)

    def dispute_page(self, dispute: str, *, direct: bool = False) -> DisputePage:
        """Return a dispute and all later orders that depend on its records; with `direct`, only direct dependents."""
        found = self.need_dispute(dispute)
        later = depending(self._ledger, self.game.id, self.name, found.records, self.game.title, self.known)
        return DisputePage(
            dispute=found,
            depends=tuple(one for one in later if not direct or one.degree == 1),
            precedents=tuple(
                one
                for one in find_precedents(self.game._open.opened, found.rule)
                if (one.game, one.dispute) != (self.game.id, dispute)
            ),
        )

    def rulings(self, *, rule: str = "", text: str = "") -> list[RulingLine]:
        """Return the rulings of this game by rule number or words."""
        with self._following() as following:
            positions = positions_of(following.connection, self.game.id, "rulings")
        records = list(records_at(self._ledger, self.game.id, positions))
        return list(rulings(self._ledger, self.game.id, records, rule=rule, words=text))

    def refusals(self, last: int | None = None) -> list[KeptRefusal]:
        """Return the refused orders: all of them for the referee, those of its side for another seat."""
        self._verify()
        return refusals(self._ledger, self.game.id, self.name, last)

    def referee_acts(self) -> list[RefereeAct]:
        """Return the referee's acts outside the rules, if this seat may see them."""
        self._verify()
        return list(acts(seen_by(self._ledger, self.game.id, self.name, self._ledger.lines(self.game.id))))

    def conformance(self, turn: int | None = None) -> list[Label]:
        """Return the result of every label of the printed sequence in a turn, by default the current one.

        Raises:
            NotThere: When the game has not reached that turn.
        """
        self._verify()
        chosen = self._turn(turn)
        return conformance(self.game.title, orders_on_branch(self._ledger, self.game.id, self.name), chosen)

    def sitrep(self, turn: int | None = None, side: str = "") -> Sitrep:
        """Return the situation report of a turn, or of one side's player turn.

        Raises:
            NotThere: When the game has no such side, or has not reached that turn.
        """
        self._verify()
        if side and side not in self.game.sides:
            raise not_there("side", side, self.game.sides, self.game.where)
        chosen = self._turn(turn)
        deeds = orders_on_branch(self._ledger, self.game.id, self.name)
        return sitrep(self.game.title, deeds, chosen, side, self.game.id, copy_words(self.game.copied))

    def _turn(self, turn: int | None) -> int:
        """Return a turn that the game has reached; for None, the current one.

        Raises:
            NotThere: When the game has not reached that turn.
        """
        now = self.game.turn
        if turn is not None and turn > now:
            raise not_there("turn", str(turn), [str(one) for one in range(now + 1)], self.game.where)
        return now if turn is None else turn

    def sitrep_page(self, turn: int | None = None, side: str = "", file: str | Path | None = None) -> str:
        """Return the situation report as one HTML file with maps and dice as pictures; `file`: also write it there.

        Raises:
            NotThere: When the game has no such side, or has not reached that turn.
            WrongUse: When the file cannot be written.
        """
        from umpire_ledger.desk.pictures.sitrep_page import sitrep_page  # noqa: PLC0415 -- 19 ms: most looks draw nothing

        page = sitrep_page(self.game._open, self.name, self.known, self.sitrep(turn, side))
        if file is not None:
            with whole_file(Path(file)) as out:
                out.write(page.encode())
        return page

    def case(self, dispute: str, folder: str | Path) -> CaseFolder:
        """Write a dispute as a folder that a second judge can check offline.

        Raises:
            NotThere: When the game has no such dispute.
            WrongUse: When the folder cannot be written.
        """
        found = self.need_dispute(dispute)
        with self._following() as following:
            return write_case(following, self._ledger, found, self.name, Path(folder))


def _with_policy(carried: Sequence[Mapping[str, Any]], dice: DicePolicy) -> list[Mapping[str, Any]]:
    """Return the orders of a ruling with a dice policy for their rewind.

    Raises:
        WrongUse: When there is no rewind, or it names another policy.
    """
    back = next((one for one in carried if one.get("order") == "rewind"), None)
    if back is None:
        remedy = "add a rewind before the other orders, or leave out `dice`"
        raise WrongUse("a dice policy needs a rewind", where="dice", rule="rulings", remedy=remedy)
    if back.get("dice") not in (None, dice):
        what = f"the rewind says {back['dice']}, but `dice` says {dice}"
        raise WrongUse(what, where="dice", rule="rulings", remedy="name the policy once")
    return [{**one, "dice": dice} if one is back else one for one in carried]
