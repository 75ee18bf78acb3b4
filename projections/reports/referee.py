"""Audit the referee: find overrides, edits, peeks and corrections in the log alone, and count them by side.

An *override* breaks a rule, or ends a step, a loop or the game early. An *edit* changes pieces, accounts, markers,
rolls or choices outside the rules. A *peek* looks at a side's secrets. A *correction* undoes orders or restores them.
Acts on abandoned branches count too. The audit needs only the lines of a log, so it also works on an export.
"""

from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode
from umpire_ledger.projections.tables.step_index import bare

Kind = Literal["override", "edit", "peek", "correction"]
KINDS: tuple[Kind, ...] = ("override", "edit", "peek", "correction")
TABLE = (e.UnitPlaced, e.UnitMoved, e.UnitChanged, e.UnitRemoved, e.AccountChanged, e.MarkerSet)


class RefereeAct(msgspec.Struct, frozen=True, kw_only=True):
    """One act of the referee. `sides`: the sides that it concerns; () if it concerns all sides equally."""

    kind: Kind
    position: int
    at: str
    text: str
    reason: str
    sides: tuple[str, ...]


class Owners:
    """The side of each unit and the seat of each record, collected from the whole log with its abandoned branches."""

    def __init__(self) -> None:
        self.game = Game()
        self.side_of_unit: dict[str, str] = {}
        self.seats: list[str] = [""]

    def see(self, record: VisibleRecord) -> None:
        """Read one record."""
        self.seats.append(record.seat)
        match record.event:
            case e.UnitPlaced(unit=unit, side=side):
                self.side_of_unit[unit] = side
            case e.UnitChanged(unit=unit, attribute="side", after=str(side)):
                self.side_of_unit[unit] = side
            case e.GameOpened() | e.SeatTaken():
                self.game = bare(evolve(self.game, record.event))
            case _:
                pass

    def sides(self, event: AnyEvent) -> tuple[str, ...]:
        """Return the sides that an event concerns."""
        match event:
            case e.UnitPlaced() | e.UnitMoved() | e.UnitChanged() | e.UnitRemoved():
                return self._known(self.side_of_unit.get(event.unit, ""))
            case e.AccountChanged(account=name) | e.MarkerSet(marker=name):
                return self._known(*name.replace(":", "/").split("/"))
            case e.SecretPeeked(seat=seat):
                return self._known(self.game.side_of(seat))
            case e.SideDone(side=side) | e.StepClosed(side=side):
                return self._known(side)
            case e.PlayRewound(to=to, tip=tip):
                gone = self.seats[to + 1 : tip + 1] if to < tip else ()
                return self._known(*map(self.game.side_of, dict.fromkeys(gone)))
            case _:
                return ()

    def _known(self, *names: str) -> tuple[str, ...]:
        return tuple(side for side in self.game.side_ids if side in names)


def acts(records: Iterable[VisibleRecord]) -> Iterator[RefereeAct]:
    """Yield the acts of the referee, in the order of the log. `records`: all records of a game, from the first."""
    owners = Owners()
    order: list[VisibleRecord] = []
    for record in records:
        if record.prior is not None and order:
            yield from _acts_of(order, owners)
            order = []
        owners.see(record)
        order.append(record)
    if order:
        yield from _acts_of(order, owners)


def _acts_of(order: list[VisibleRecord], owners: Owners) -> Iterator[RefereeAct]:
    """Yield the acts of one order; the reason of its ruling applies to all of them."""
    opening = order[0].position == 1
    if opening or (order[0].seat != REFEREE and not any(one.event and one.event.overridden for one in order)):
        return
    by_referee = order[0].seat == REFEREE
    reason = next((one.event.reason for one in order if isinstance(one.event, e.RulingMade)), "")
    # Only an order in a step that is available at any time begins with the opening of its step.
    beside = order[0].event if isinstance(order[0].event, e.StepOpened) else None
    for record in order:
        if isinstance(record.event, e.StepOpened | e.StepClosed | e.SideDone) and record.event is not beside:
            by_referee = False  # Later records are automatic.
        kind = _kind(record.event, by_referee=by_referee)
        if kind is not None and record.event is not None:
            sides = owners.sides(record.event) or _excused(order, record.event, owners)
            yield RefereeAct(
                kind=kind,
                position=record.position,
                at=record.at,
                text=text_of(record.event),
                reason=_reason(record.event) or reason,
                sides=sides,
            )


def _kind(event: AnyEvent | None, *, by_referee: bool) -> Kind | None:
    match event:
        case e.RulingMade(overrides=overrides) if overrides:
            return "override"
        case e.GameEnded() if by_referee:
            return "override"
        case e.SecretPeeked():
            return "peek"
        case e.PlayRewound() if by_referee:
            return "correction"
        case None:
            return None
        case _ if isinstance(event, TABLE) and (event.overridden or by_referee):
            return "edit"
        case e.DiceRolled(overridden=True) | e.ChoiceMade(overridden=True):
            return "edit"
        case _:
            return None


def _reason(event: AnyEvent) -> str:
    match event:
        case e.RulingMade(reason=reason) | e.SecretPeeked(reason=reason):
            return reason
        case e.PlayRewound(why=why) | e.GameEnded(why=why):
            return why
        case _:
            return ""


def _excused(order: list[VisibleRecord], event: AnyEvent, owners: Owners) -> tuple[str, ...]:
    """Return the sides that an override concerns: those of the step that it ended, or of the changes that it made."""
    if not isinstance(event, e.RulingMade):
        return ()
    sides = (side for one in order if one.event is not None for side in owners.sides(one.event))
    ended = [one.event for one in order if isinstance(one.event, e.SideDone | e.StepClosed)]
    return tuple(dict.fromkeys(owners.sides(ended[0]) if ended else sides))


def counted(found: Iterable[RefereeAct]) -> dict[str, dict[str, int]]:
    """Return the number of acts of each kind, by side; `all` counts each act once."""
    totals: dict[str, dict[str, int]] = {"all": dict.fromkeys(KINDS, 0)}
    for act in found:
        for side in ("all", *act.sides):
            totals.setdefault(side, dict.fromkeys(KINDS, 0))[act.kind] += 1
    return totals


def count_words(totals: dict[str, dict[str, int]]) -> str:
    """Return the counts in one line, for example `2 overrides, 1 peek`, or a sentence that there are none."""
    said = (f"{number} {kind}{'s' if number != 1 else ''}" for kind, number in totals["all"].items() if number)
    return ", ".join(said) or "no actions outside the rules"


def records_of_log(lines: Iterable[bytes]) -> Iterator[VisibleRecord]:
    """Return the records of a replay log. The header, the checkpoint and other lines are skipped."""
    return (decode(line) for line in lines if line.startswith(b'{"position":'))
