"""The referee's desk, from every seat: disputes, rulings, seals, what was refused, reports, and what is handed on."""

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
from umpire_ledger.desk.seat_orders import Acts, Sending
from umpire_ledger.desk.seat_queries import Looks
from umpire_ledger.domain.game.events import DicePolicy, Grounds
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.projections.questions.record_explanation import DependentOrder, depending
from umpire_ledger.projections.questions.seat_knowledge import LearntSecret, knew
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
    """A dispute, what depends on its records, and how the same rule was ruled on before."""

    dispute: DisputeLine
    depends: tuple[DependentOrder, ...]
    precedents: tuple[RulingLine, ...]


class Judging(Acts, Looks):
    """What a seat may say and ask beside play."""

    # --- said ---------------------------------------------------------------------------------------------------------

    def dispute(
        self, records: Sequence[int], claim: str, *, rule: str = "", dispute: str = "", **more: Unpack[Sending]
    ) -> Outcome:
        """Contest records by position; play goes on under protest. `dispute`: an id, d1, d2, … if left out."""
        return self.order("dispute", records=list(records), claim=claim, rule=rule, dispute=dispute, **more)

    def settle(self, dispute: str, ruling: str = "", *, why: str = "", **more: Unpack[Sending]) -> Outcome:
        """Answer a dispute without a ruling on a rule; without an answer, withdraw one's own."""
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
        **more: Unpack[Sending],
    ) -> Outcome:
        """Rule on a question, carry the remedy out and settle the dispute, all in one order; the referee's.

        `orders`: generic orders to carry out, first of all a rewind, as objects or as people type them; their records
        are marked as overridden. `dice`: the policy of that rewind, reroll if left out; WrongUse where there is none.
        """
        carried = [self.game._typed_plainly(one) if isinstance(one, str) else one for one in orders]
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

    def seal(self, **more: Unpack[Sending]) -> tuple[Outcome, Checkpoint]:
        """Accept everything up to here; the checkpoint to keep, which covers the seal itself."""
        outcome = self.order("seal", **more)
        return outcome, self.game.checkpoint(outcome.position)

    def peek(self, who: str, *, why: str, **more: Unpack[Sending]) -> tuple[Outcome, tuple[LearntSecret, ...]]:
        """The referee looks at what only a seat may know. That it was done is recorded first, for everybody to see."""
        outcome = self.order("peek", who=who, reason=why, **more)
        ledger, game = self.game.ledger, self.game.id
        records = seen_by(ledger, game, who, ledger.lines(game))
        return outcome, tuple(knew(records, ledger.branch(game).stretches).secrets)

    # --- asked --------------------------------------------------------------------------------------------------------

    def disputes(self, answer: Answer | None = None) -> list[DisputeLine]:
        """The game's disputes, the oldest first: those that are open, those that are settled, or all."""
        self._verify()
        found = find_disputes(self.game._open.opened, self.game.id)
        return [one for one in found if answer is None or (answer == "settled") == bool(one.settled)]

    def sealed_words(self) -> list[SealedWords]:
        """The words under seal that this seat may read, the oldest first; those that wait have no `opened`."""
        self._verify()
        now, found = self._ledger.state(self.game.id), notes(self._ledger, self.game.id, self.game.size)
        return sealed_words(found, now, partial(sees, now, self.name))

    def _table(self) -> "CompletionContext":
        return super()._table()._replace(disputes=lambda: [one.dispute for one in self.disputes("open")])

    def need_dispute(self, dispute: str) -> DisputeLine:
        """A dispute by id. Raises NotThere."""
        self._verify()
        return need_dispute(self.game._open.opened, self.game.id, dispute)

    def dispute_page(self, dispute: str, *, direct: bool = False) -> DisputePage:
        """A dispute and everything later that depends on its records; `direct`: only on the records themselves."""
        found = self.need_dispute(dispute)
        later = depending(self._ledger, self.game.id, self.name, found.records, self.game.title, self.known)
        return DisputePage(
            dispute=found,
            depends=tuple(one for one in later if not direct or one.degree == 1),
            precedents=tuple(find_precedents(self.game._open.opened, found.rule)),
        )

    def rulings(self, *, rule: str = "", text: str = "") -> list[RulingLine]:
        """Rulings made in this game, by rule number or words."""
        with self._following() as following:
            positions = positions_of(following.connection, self.game.id, "rulings")
        records = list(records_at(self._ledger, self.game.id, positions))
        return list(rulings(self._ledger, self.game.id, records, rule=rule, words=text))

    def refusals(self, last: int | None = None) -> list[KeptRefusal]:
        """The orders that were refused: the referee sees them all, a seat those of its side."""
        self._verify()
        return refusals(self._ledger, self.game.id, self.name, last)

    def referee_acts(self) -> list[RefereeAct]:
        """What the referee did against or beside the rules, as far as this seat may see it."""
        self._verify()
        return list(acts(seen_by(self._ledger, self.game.id, self.name, self._ledger.lines(self.game.id))))

    def conformance(self, turn: int | None = None) -> list[Label]:
        """Every label of the printed sequence, and how it went in a turn; the present one if left out.

        Raises:
            NotThere: The game has not come to that turn.
        """
        self._verify()
        chosen = self._turn(turn)
        return conformance(self.game.title, orders_on_branch(self._ledger, self.game.id, self.name), chosen)

    def sitrep(self, turn: int | None = None, side: str = "") -> Sitrep:
        """The situation report of a turn, or of one side's player turn. Raises NotThere for no such side or turn."""
        self._verify()
        if side and side not in self.game.sides:
            raise not_there("side", side, self.game.sides, self.game.where)
        chosen = self._turn(turn)
        deeds = orders_on_branch(self._ledger, self.game.id, self.name)
        return sitrep(self.game.title, deeds, chosen, side, self.game.id, copy_words(self.game.copied))

    def _turn(self, turn: int | None) -> int:
        """Return a turn that the game has come to; None is the present one. Raises NotThere."""
        now = self.game.turn
        if turn is not None and turn > now:
            raise not_there("turn", str(turn), [str(one) for one in range(now + 1)], self.game.where)
        return now if turn is None else turn

    def sitrep_page(self, turn: int | None = None, side: str = "", file: str | Path | None = None) -> str:
        """The same as one HTML file with maps and dice as pictures; `file`: also written there. Raises WrongUse too."""
        from umpire_ledger.desk.pictures.sitrep_page import sitrep_page  # noqa: PLC0415 -- most looks draw nothing

        page = sitrep_page(self.game._open, self.name, self.known, self.sitrep(turn, side))
        if file is not None:
            with whole_file(Path(file)) as out:
                out.write(page.encode())
        return page

    def case(self, dispute: str, folder: str | Path) -> CaseFolder:
        """Write a dispute as a folder that a second judge can check offline. Raises NotThere, WrongUse."""
        found = self.need_dispute(dispute)
        with self._following() as following:
            return write_case(following, self._ledger, found, self.name, Path(folder))


def _with_policy(carried: Sequence[Mapping[str, Any]], dice: DicePolicy) -> list[Mapping[str, Any]]:
    """Return the orders of a ruling with a dice policy for the rewind among them.

    Raises:
        WrongUse: There is no rewind, or it names another policy.
    """
    back = next((one for one in carried if one.get("order") == "rewind"), None)
    if back is None:
        remedy = "add a rewind in front of the other orders, or leave `dice` out"
        raise WrongUse("a dice policy needs a rewind", where="dice", rule="rulings", remedy=remedy)
    if back.get("dice") not in (None, dice):
        what = f"the rewind says {back['dice']}, and `dice` says {dice}"
        raise WrongUse(what, where="dice", rule="rulings", remedy="name the policy once")
    return [{**one, "dice": dice} if one is back else one for one in carried]
