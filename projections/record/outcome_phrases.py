"""Write the results of an order as parts of its sentence, as totals and without repeating the order's own words."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent, Value
from umpire_ledger.domain.game.events.phrases import in_brackets
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.domain.kit.phrasing import InWords, value_words
from umpire_ledger.domain.kit.table_rolls import UNREAD
from umpire_ledger.projections.record.referee_verbs import some
from umpire_ledger.projections.record.sentence_context import SentenceContext, who

MOST_PARTS = 8
"""The most results in a sentence; the number of further results follows them."""
COUNTED = (e.UnitChanged, e.AccountChanged, e.MarkerSet)
MAYBE_KEPT = frozenset({*COUNTED, e.ChoiceMade})
UNTOLD = frozenset({e.OrderGiven, e.StepOpened, e.SideDone, e.StepClosed, e.StepPassed, e.LoopClosed})
"""Events of the sequence that are not results; the start of the sentence covers them, or they are left out."""


def is_kept(words: InWords, event: AnyEvent) -> bool:
    """Return whether an event sets a value that only the rules of a title use, or withdraws a choice."""
    if type(event) not in MAYBE_KEPT:
        return False
    match event:
        case e.UnitChanged(attribute=attribute):
            return words.kept["attributes"].fit(attribute)
        case e.MarkerSet(marker=marker):
            return words.kept["markers"].fit(marker)
        case e.AccountChanged(account=account):
            return words.kept["accounts"].fit(account)
        case e.ChoiceMade(choice=None, sealed=False):
            return True
        case _:
            return False


class Consequences:
    """Writes the results of one order.

    `_rolled`: words in the outcomes of its rolls. `_ties`: each attribute that links two units, with those units.
    """

    def __init__(self, order: SentenceContext) -> None:
        self._order = order
        self._rolled: set[str] = set()
        self._ties: set[tuple[str, frozenset[str]]] = set()

    def parts(self, events: Sequence[AnyEvent], *, by_itself: bool = False) -> list[str]:
        """Return the parts for these events, in order. `by_itself`: the events are automatic, after the step's end."""
        events = [event for event in events if type(event) not in UNTOLD]
        rolls = [event for event in events if isinstance(event, e.DiceRolled)]
        for roll in rolls:
            self._rolled |= {roll.outcome, *roll.outcome.replace(",", " ").split()}
        found: dict[Any, _Part] = {}
        for event in _in_sums(events):
            if is_kept(self._order.words, event) and not _waits_for_a_table(event):
                part = self._caused(event)
            else:
                part = self._part(event, alone=len(rolls) == 1 and not by_itself, by_itself=by_itself)
            if part is not None:
                mine = found.setdefault((part.kind, part.text), part)
                mine.units += part.units if mine is not part else ()
        told = list(_joined(found.values(), self._subject))
        return [*told[:MOST_PARTS], f"{len(told) - MOST_PARTS} more"] if len(told) > MOST_PARTS + 1 else told

    def _subject(self, units: tuple[str, ...], *, moved: bool) -> str:
        """Return the subject of a part; "" if the order names the only unit that all parts are about."""
        alone = self._order.units == set(units) <= self._order.said
        return "" if alone and (moved or len(self._order.arguments) == 1) else some(units)

    def _caused(self, event: AnyEvent) -> "_Part | None":
        """Return the title's words for the cause of a value that only the rules use, or for its marker; or None."""
        text, end = self._order.words.words_of_cause(getattr(event, "cause", ""))
        if not text and isinstance(event, e.MarkerSet) and event.after is not None:
            text, end = self._order.words.words_of_mark(event.marker)
        return _Part("cause", text) if text and end not in self._order.said else None

    def _part(self, event: AnyEvent, *, alone: bool, by_itself: bool) -> "_Part | None":
        match event:
            case e.DiceRolled():
                return _Part("roll", self._roll(event, alone=alone))
            case e.UnitMoved(unit=unit, path=path):
                return _Part("moved", " → ".join(path), (unit,))
            case e.UnitPlaced(unit=unit) if unit in self._order.covered:
                return None  # The unit stays in its place, hidden.
            case e.UnitPlaced(unit=unit, kind=kind, at=at):
                known = {unit, at} <= self._order.said
                return None if known else _Part("placed", f"({kind}) placed at {at}", (unit,))
            case e.UnitCovered(unit=unit, at=at):
                return _Part("covered", f"hidden at {at}", (unit,))
            case e.UnitShown(unit=unit, kind=kind, at=at):
                return _Part("shown", f"at {at}, {kind}", (unit,))
            case e.UnitRemoved(unit=unit, fate=fate, at=at):
                return _Part("removed", f"{fate} at {at}" if at else fate, (unit,))
            case e.UnitChanged() if self._is_passed_on(event):
                return None
            case e.UnitChanged(unit=unit):
                text = self._change(event)
                return None if text is None else _Part("changed", text, (unit,))
            case e.AccountChanged(account=account, before=before, after=after) if before != after:
                return _Part("account", f"{account} {before} → {after}")
            case e.MarkerSet() if _waits_for_a_table(event):
                return _Part("unread", "read the result off your table")
            case e.MarkerSet(marker=marker, before=before, after=after):
                if after is None:
                    return _Part("marker", "removed", (marker.replace("_", " "),))
                text = self._set(marker, before, after)
                return None if text is None else _Part("marker", text)
            case e.ChoiceMade(question=question, choice=choice, side=side):
                return self._chosen(question, choice, side)
            case e.ChoiceRevealed(question=question, choice=choice, side=side) if (
                side != REFEREE and self._order.words.is_look(question)
            ):
                return _Part("seen", f"{question}: {self._words(choice)}")
            case e.ChoiceRevealed(question=question, choice=choice, side=side):
                return _Part("revealed", self._order.does(side, f"reveals {self._words(choice)} for {question}"))
            case e.MessageArrived(seat=seat, sent=sent, text=text):
                sender = who(self._order.game, seat)
                return _Part("message", f"a courier of {sender}, sent in turn {sent}, arrives: {text}")
            case e.GameEnded(why=why, winner=winner):
                won = f"; {self._order.does(winner, 'has won')}" if winner else ""
                return _Part("ended", f"the game is over: {why}{won}")
            case e.PlayRewound(to=to) if any(isinstance(one, e.RewindAnswered) for one in self._order.events):
                return _Part("rewound", f"play returns to #{to}")
            case e.RulingMade(ruling=ruling) if self._order.cause.get("order") != "rule" and ruling not in self._rolled:
                return _Part("ruling", f"ruling: {ruling}")
            case e.PassBegun(turn=turn) if turn:
                return _Part("turn", f"turn {turn} begins")
            case e.PassBegun(item=item) if item and not by_itself and item not in self._order.said:
                return _Part("instead", self._order.does(item, "is next instead"))
            case e.LoopOpened(kind="instant", loop=loop, name=name):
                return _Part("instant", f"{loop}{in_brackets(name)} interrupts play")
            case _:
                return None

    def _roll(self, event: e.DiceRolled, *, alone: bool) -> str:
        if not alone or not self._order.cause:
            return f"{event.purpose}: {self._dice_said(event)}"
        prefix = f"{some(event.subjects)}: " if event.subjects and self._order.said.isdisjoint(event.subjects) else ""
        return f"{prefix}{self._dice_said(event)}"

    def _dice_said(self, event: e.DiceRolled) -> str:
        """Return a short text for a roll; if its outcome is a side, with the name of the side."""
        outcome = self._order.game.side_name(event.outcome)
        return dice_said(event if outcome == event.outcome else msgspec.structs.replace(event, outcome=outcome))

    def _change(self, event: e.UnitChanged) -> str | None:
        """Return the change of a unit in words; None if the order's words state it, "" if they omit only the unit."""
        attribute, before, after = event.attribute, event.before, event.after
        if attribute == "side":
            return f"goes over to {self._order.game.side_name(str(after))}"
        known = event.unit in self._order.said
        if isinstance(after, str) and after in self._order.said and (known or attribute in self._order.said):
            return None if known else ""
        if after is True and known and self._speaks_of(attribute):
            return None
        if after is False and known and f"un{attribute}" in self._order.said:
            return None
        if isinstance(before, bool) or isinstance(after, bool):
            yes, no = self._order.words.called.get(attribute, (_plain(attribute), f"no longer {_plain(attribute)}"))
            return yes if after is True else no
        if isinstance(before, tuple) or isinstance(after, tuple):
            return None if self._is_tied(event) else self._listed(_plain(attribute), before, after, known)
        if before in (None, ""):
            return f"{_plain(attribute)} {self._words(after)}"
        if after == "":
            return f"no longer {_plain(attribute)} {self._words(before)}"
        return f"{_plain(attribute)} {self._words(before)} → {self._words(after)}"

    def _is_passed_on(self, event: e.UnitChanged) -> bool:
        """Return whether a unit loses an attribute because its group now has it.

        For example, a Task Force is detected, and so is each of its ships.
        """
        group = self._order.words.joins.get(event.attribute)
        return bool(group and not event.after) and any(
            isinstance(one, e.UnitChanged) and one.unit == event.unit and one.attribute == group and bool(one.after)
            for one in self._order.events
        )

    def _is_tied(self, event: e.UnitChanged) -> bool:
        """Return whether the sentence states this link for the other unit, such as two ships grappled together."""
        ends = {event.unit, *set(_as_tuple(event.before)) ^ set(_as_tuple(event.after))}
        tie = (event.attribute, frozenset(ends))
        known = len(ends) == 2 and tie in self._ties
        self._ties.add(tie)
        return known

    def _speaks_of(self, attribute: str) -> bool:
        """Return whether the order's own words state the change: "sets on fire" states that `fire` becomes true."""
        yes = self._order.words.called.get(attribute, (attribute, ""))[0]
        parts = [part[:3] for part in (attribute, *yes.split()) if part]
        return any(word[:3].casefold() in parts for word in self._order.said)

    def _listed(self, name: str, before: Value, after: Value, known: bool) -> str | None:
        """Return the added and the removed names of a list in words; None if the order's words state them."""
        was, now = _as_tuple(before), _as_tuple(after)
        came, went = [one for one in now if one not in was], [one for one in was if one not in now]
        if known and {*came, *went} <= self._order.said:
            return None
        parts = [f"{name} {some(map(self._order.game.side_name, came))}"] if came else []
        parts += [f"no longer {name} {some(map(self._order.game.side_name, went))}"] if went else []
        return ", ".join(parts)

    def _set(self, marker: str, before: Value, after: Value) -> str | None:
        name = marker.replace("_", " ")
        if after is not None and value_words(after) in self._order.said | self._rolled:
            return None
        if isinstance(before, tuple) or isinstance(after, tuple):
            return self._listed(name, before, after, known=True)
        return (
            f"{name} {self._words(after)}" if before is None else f"{name} {self._words(before)} → {self._words(after)}"
        )

    def _chosen(self, question: str, choice: Value, side: str) -> "_Part | None":
        told = set(filter(None, _as_tuple(choice))) if isinstance(choice, tuple) else {value_words(choice)}
        if told <= self._order.said:
            return None
        whose = "" if side == self._order.game.side_of(self._order.seat) else f"{self._order.game.side_name(side)}, "
        return _Part("chosen", f"{whose}{question}: {self._words(choice)}")

    def _words(self, value: Value) -> str:
        """Return a value in words, with the name of a side instead of its id."""
        name = self._order.game.side_name
        if isinstance(value, tuple):
            return value_words(tuple(map(name, value)))
        return name(value) if isinstance(value, str) else value_words(value)


def _waits_for_a_table(event: AnyEvent) -> bool:
    """Return whether an event marks a roll that the players must look up in a printed table."""
    return isinstance(event, e.MarkerSet) and event.marker.startswith(UNREAD) and event.after is not None


class _Part(msgspec.Struct):
    """A result, and the units that it is about."""

    kind: str
    text: str
    units: tuple[str, ...] = ()


class _Subject(Protocol):
    """Returns the subject for the units that a part is about."""

    def __call__(self, units: tuple[str, ...], *, moved: bool) -> str: ...


def _joined(parts: Iterable[_Part], subject: _Subject) -> Iterator[str]:
    """Yield the texts of parts in order, with all parts about the same units joined."""
    every = list(parts)
    by_units: dict[tuple[str, ...], list[_Part]] = {}
    for part in every:
        if part.units:
            by_units.setdefault(part.units, []).append(part)
    for part in every:
        if not part.units:
            yield part.text
        elif mine := by_units.pop(part.units, []):
            said = ", ".join(filter(None, (one.text for one in mine)))
            yield f"{subject(part.units, moved=mine[0].kind == 'moved')} {said}".strip()


def _in_sums(events: Sequence[AnyEvent]) -> Iterator[AnyEvent]:
    """Yield events, with all changes of one account, marker or attribute combined into one event."""
    if not any(type(event) in COUNTED for event in events):
        yield from events
        return
    keyed = [(_counter(event), event) for event in events]
    last = dict(keyed)
    first = set[Any]()
    for key, event in keyed:
        if key is None:
            yield event
        elif key not in first:
            first.add(key)
            yield from _summed(event, last[key])


def _summed(first: AnyEvent, last: AnyEvent) -> Iterator[AnyEvent]:
    """Yield one event from the first value to the last; nothing if these are equal."""
    if isinstance(first, COUNTED) and isinstance(last, COUNTED):
        if first is last:
            yield first
        elif first.before != last.after:
            yield msgspec.structs.replace(first, after=last.after)


def _counter(event: AnyEvent) -> tuple[type, str, str] | None:
    """Return the counter that an event changes, or None."""
    match event:
        case e.UnitChanged(unit=unit, attribute=attribute):
            return e.UnitChanged, unit, attribute
        case e.AccountChanged(account=account):
            return e.AccountChanged, account, ""
        case e.MarkerSet(marker=marker):
            return e.MarkerSet, marker, ""
        case _:
            return None


def dice_said(event: e.DiceRolled) -> str:
    """Return a short text for a roll: `4 4 +2 -1 = 9 (needs 8 or more), captured`.

    Only the record names the source of each modifier.
    """
    text = " ".join(map(str, event.pips))
    if event.modifiers:
        text += "".join(f" {one.amount:+d}" for one in event.modifiers) + f" = {event.total}"
    elif len(event.pips) > 1 and not event.needed:
        text += f" = {event.total}"
    text += f" (needs {event.needed})" if event.needed else ""
    text += f", {_outcome(event.outcome)}" if event.outcome else ""
    return text + (f" [reused from #{event.kept}]" if event.kept else "")


def _outcome(outcome: str) -> str:
    """Return an outcome in words, without the prefix `result`, and with "yes" and "no" for booleans."""
    for written, said in ((" True", " yes"), (" False", " no")):
        outcome = f"{outcome},".replace(f"{written},", f"{said},").removesuffix(",")
    return outcome.removeprefix("result ").replace("_", " ")


def _plain(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _as_tuple(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else () if value in (None, "") else (value_words(value),)
