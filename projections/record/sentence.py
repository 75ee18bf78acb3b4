"""One sentence for an order: what was ordered, and what came of it.

It is made of the records that are handed in: whoever hands in what a seat may see tells that seat no more. Marks that
only the rules keep are left out; the records say everything.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent, Value
from umpire_ledger.domain.game.order_json import BESIDE
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game
from umpire_ledger.domain.kit.in_words import InWords, fields_of, phrase, value_words
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.record.acts import ACTS, TALK, some
from umpire_ledger.projections.record.prose import ENDINGS

MOST_PARTS = 8
"""Consequences that a sentence tells before it says how many more there are."""
NO_WORDS = InWords()


def sentence(title: Title | None, game: Game, seat: str, cause: Mapping[str, Any], events: Sequence[AnyEvent]) -> str:
    """An order as a line of the audit trail. `cause`: its text, {} where that is not for these eyes; `game`: for names.

    `events`: those of its records that may be seen, in order. "" where none may.
    """
    if not events:
        return ""
    telling = _Telling(title, game, seat, cause, events)
    return telling.whole()


def is_kept(words: InWords, event: AnyEvent) -> bool:
    """Whether an event is a mark that only the rules of a title keep."""
    match event:
        case e.UnitChanged(attribute=attribute):
            return words.kept["attributes"].fit(attribute)
        case e.MarkerSet(marker=marker):
            return words.kept["markers"].fit(marker)
        case e.AccountChanged(account=account):
            return words.kept["accounts"].fit(account)
        case _:
            return False


def words_of(title: Title | None) -> InWords:
    """A title's words; none where it is not installed."""
    return title.words if title is not None else NO_WORDS


class _Telling:
    """One order while it is put into words.

    `said`: names and values that its first part has told already; `arguments`: those of the order among them;
    `rolled`: words of what came of its dice; `ties`: attributes, and the two units that they tie together.
    """

    def __init__(
        self, title: Title | None, game: Game, seat: str, cause: Mapping[str, Any], events: Sequence[AnyEvent]
    ) -> None:
        self.title = title
        self.words = words_of(title)
        self.game = game
        self.seat = seat
        self.cause = cause
        self.events = events
        self.units = {event.unit for event in events if isinstance(event, UNIT_EVENTS)}
        self.said: set[str] = set()
        self.rolled: set[str] = set()
        self.arguments: set[str] = set()
        self.ties: set[tuple[str, frozenset[str]]] = set()

    def whole(self) -> str:
        head = self.head()
        own, later = ([], []) if isinstance(self.events[0], e.GameOpened) else self._split()
        parts, after = self._parts(own), self._parts(later, by_itself=True)
        text = f"{who(self.game, self.seat)} {head}"
        text += f"{'' if text.endswith(('?', '!', '.')) else ':'} {'; '.join(parts)}" if parts else ""
        text += f"; then {'; '.join(after)}" if after else ""
        if again := self.cause.get("again"):
            text += f" [again, as #{again}]"
        overridden = any(event.overridden for event in self.events)
        return text[:1].upper() + text[1:] + (" [by ruling]" if overridden else "")

    # --- what was ordered ---------------------------------------------------------------------------------------------

    def head(self) -> str:
        """The verb and its object."""
        order = self.cause.get("order")
        if not isinstance(order, str) or order in TALK:
            for event in self.events:
                if (act := ACTS.get(type(event))) is not None:
                    return act(self.game, event)
        if not isinstance(order, str):
            return self._without_cause()
        if order in SEQUENCE:
            return SEQUENCE[order](self)
        template = self.words.orders.get(order) or GENERIC.get(order)
        if template is None:
            return self._by_name(order)
        for name in fields_of(template):
            self._mention(self.cause.get(name))
        text = phrase(template, self._with_sides())
        self.said.update(text.split())
        return text

    def _with_sides(self) -> Mapping[str, Any]:
        """The order's arguments, sides by their names."""
        sides = self.game.side_ids
        return {
            name: self.game.side_name(value) if isinstance(value, str) and value in sides else value
            for name, value in self.cause.items()
        }

    def _by_name(self, order: str) -> str:
        """An order of which nobody says how it is told: its name, and its arguments."""
        verb, _, rest = order.partition("-")
        given = {name: value for name, value in self.cause.items() if name not in ("as", "order", *BESIDE)}
        for value in given.values():
            self._mention(value)
        bare = [value_words(value, way=name == "path") for name, value in list(given.items())[:1]]
        named = [f"{name.replace('_', ' ')} {value_words(one, way=name == 'path')}" for name, one in given.items()][1:]
        text = " ".join(filter(None, (_third(verb), rest.replace("-", " "), *bare)))
        self.said.update(text.split())
        return f"{text} ({', '.join(named)})" if named else text

    def _without_cause(self) -> str:
        """What can be said where the order itself is not for these eyes."""
        sealed = [event.question for event in self.events if isinstance(event, e.ChoiceSealed)]
        if sealed:
            return f"has chosen secretly for {some(sealed)}"
        made = next((one for one in self.events if isinstance(one, e.ChoiceMade)), None)
        if made is not None:
            self._mention((made.question, made.choice))
            return f"chooses {value_words(made.choice)} for {made.question}"
        return "has given an order"

    def _mention(self, value: Any) -> None:
        if isinstance(value, str):
            self.said.add(value)
            self.arguments.add(value)
        elif isinstance(value, Mapping):
            self._mention((*value, *value.values()))
        elif isinstance(value, list | tuple):
            for one in value:
                self._mention(one)
        elif value is not None:
            self.said.add(value_words(value))

    def step(self, step: str) -> str:
        """A step by its label and its name."""
        place = self.title.plan.places.get(step) if self.title is not None else None
        return f"{step} {place.name}" if place is not None and place.name else step

    # --- what came of it ----------------------------------------------------------------------------------------------

    def _split(self) -> tuple[list[AnyEvent], list[AnyEvent]]:
        """What belongs to the order itself, and what followed when the step was over."""
        for at, event in enumerate(self.events):
            if isinstance(event, e.StepClosed | e.StepPassed):
                return list(self.events[:at]), list(self.events[at:])
        return list(self.events), []

    def _parts(self, events: Sequence[AnyEvent], *, by_itself: bool = False) -> list[str]:
        rolls = [event for event in events if isinstance(event, e.DiceRolled)]
        for roll in rolls:
            self.rolled |= {roll.outcome, *roll.outcome.replace(",", " ").split()}
        found: dict[Any, _Part] = {}
        for event in _in_sums(events):
            if is_kept(self.words, event):
                continue
            part = self._part(event, alone=len(rolls) == 1 and not by_itself)
            if part is not None:
                mine = found.setdefault((part.kind, part.text), part)
                mine.units += part.units if mine is not part else ()
        told = list(_joined(found.values(), self._subject))
        return [*told[:MOST_PARTS], f"{len(told) - MOST_PARTS} more"] if len(told) > MOST_PARTS + 1 else told

    def _subject(self, units: tuple[str, ...], *, moved: bool) -> str:
        """Who a part is about; nobody where the order named that one unit, and nothing else is about any other."""
        alone = self.units == set(units) <= self.said
        return "" if alone and (moved or len(self.arguments) == 1) else some(units)

    def _part(self, event: AnyEvent, *, alone: bool) -> "_Part | None":
        match event:
            case e.DiceRolled():
                return _Part("roll", self._roll(event, alone=alone))
            case e.UnitMoved(unit=unit, path=path):
                return _Part("moved", " → ".join(path), (unit,))
            case e.UnitPlaced(unit=unit, kind=kind, at=at):
                known = {unit, at} <= self.said
                return None if known else _Part("placed", f"({kind}) placed at {at}", (unit,))
            case e.UnitRemoved(unit=unit, fate=fate, at=at):
                return _Part("removed", f"{fate} at {at}" if at else fate, (unit,))
            case e.UnitChanged(unit=unit):
                text = self._change(event)
                return None if text is None else _Part("changed", text, (unit,))
            case e.AccountChanged(account=account, before=before, after=after) if before != after:
                return _Part("account", f"{account} {before} → {after}")
            case e.MarkerSet(marker=marker, before=before, after=after):
                if after is None:
                    return _Part("marker", "off the table", (marker.replace("_", " "),))
                text = self._set(marker, before, after)
                return None if text is None else _Part("marker", text)
            case e.ChoiceMade(question=question, choice=choice, side=side):
                return self._chosen(question, choice, side)
            case e.ChoiceRevealed(question=question, choice=choice, side=side):
                return _Part("revealed", f"{self.game.side_name(side)} reveals {value_words(choice)} for {question}")
            case e.GameEnded(why=why, winner=winner):
                won = f"; {self.game.side_name(winner)} has won" if winner else ""
                return _Part("ended", f"the game is over: {why}{won}")
            case e.PlayRewound(to=to) if any(isinstance(one, e.RewindAnswered) for one in self.events):
                return _Part("rewound", f"play stands again as at #{to}")
            case e.RulingMade(ruling=ruling) if self.cause.get("order") != "rule" and ruling not in self.rolled:
                return _Part("ruling", f"ruled: {ruling}")
            case e.PassBegun(turn=turn) if turn:
                return _Part("turn", f"turn {turn} begins")
            case e.LoopOpened(kind="instant", loop=loop, name=name):
                return _Part("instant", f"{loop} {name}")
            case _:
                return None

    def _roll(self, event: e.DiceRolled, *, alone: bool) -> str:
        if not alone or not self.cause:
            return f"{event.purpose}: {dice_said(event)}"
        prefix = f"{some(event.subjects)}: " if event.subjects and self.said.isdisjoint(event.subjects) else ""
        return f"{prefix}{dice_said(event)}"

    def _change(self, event: e.UnitChanged) -> str | None:
        """What became of the unit; None where the order's own words say it, "" where they say all but who."""
        attribute, before, after = event.attribute, event.before, event.after
        if attribute == "side":
            return f"goes over to {self.game.side_name(str(after))}"
        known = event.unit in self.said
        if isinstance(after, str) and after in self.said and (known or attribute in self.said):
            return None if known else ""
        if after is True and known and self._speaks_of(attribute):
            return None
        if isinstance(before, bool) or isinstance(after, bool):
            yes, no = self.words.called.get(attribute, (_plain(attribute), f"no longer {_plain(attribute)}"))
            return yes if after is True else no
        if isinstance(before, tuple) or isinstance(after, tuple):
            return None if self._is_tied(event) else self._listed(_plain(attribute), before, after, known)
        if before in (None, ""):
            return f"{_plain(attribute)} {value_words(after)}"
        return f"{_plain(attribute)} {value_words(before)} → {value_words(after)}"

    def _is_tied(self, event: e.UnitChanged) -> bool:
        """Whether the other unit of a tie has told it: two ships are grappled to each other, or no longer."""
        ends = {event.unit, *set(_as_tuple(event.before)) ^ set(_as_tuple(event.after))}
        tie = (event.attribute, frozenset(ends))
        known = len(ends) == 2 and tie in self.ties
        self.ties.add(tie)
        return known

    def _speaks_of(self, attribute: str) -> bool:
        """Whether the order's own words say it: it sets on fire, and `fire` becomes yes."""
        yes = self.words.called.get(attribute, (attribute, ""))[0]
        return any(word[:3].casefold() == part[:3] for word in self.said for part in (attribute, *yes.split()) if part)

    def _listed(self, name: str, before: Value, after: Value, known: bool) -> str | None:
        """A list of names: what came and what went."""
        was, now = _as_tuple(before), _as_tuple(after)
        came, went = [one for one in now if one not in was], [one for one in was if one not in now]
        if known and {*came, *went} <= self.said:
            return None
        parts = [f"{name} {some(came)}"] if came else []
        parts += [f"no longer {name} {some(went)}"] if went else []
        return ", ".join(parts)

    def _set(self, marker: str, before: Value, after: Value) -> str | None:
        name = marker.replace("_", " ")
        if after is not None and value_words(after) in self.said | self.rolled:
            return None
        if isinstance(before, tuple) or isinstance(after, tuple):
            return self._listed(name, before, after, known=True)
        return (
            f"{name} {value_words(after)}" if before is None else f"{name} {value_words(before)} → {value_words(after)}"
        )

    def _chosen(self, question: str, choice: Value, side: str) -> "_Part | None":
        told = set(_as_tuple(choice)) if isinstance(choice, tuple) else {value_words(choice)}
        if told <= self.said:
            return None
        whose = "" if side == self.game.side_of(self.seat) else f"{self.game.side_name(side)}, "
        return _Part("chosen", f"{whose}{question}: {value_words(choice)}")


class _Part(msgspec.Struct):
    """A consequence, and the units that it is about."""

    kind: str
    text: str
    units: tuple[str, ...] = ()


class _Subject(Protocol):
    """How a part calls the units that it is about."""

    def __call__(self, units: tuple[str, ...], *, moved: bool) -> str: ...


def _joined(parts: Iterable[_Part], subject: _Subject) -> Iterator[str]:
    """Parts in their order, those about the same units together."""
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
    """Each account, marker and attribute once, from what it was to what it is; all else as it is."""
    last = {key: event for event in events if (key := _counter(event)) is not None}
    first: set[tuple[str, ...]] = set()
    for event in events:
        key = _counter(event)
        if key is None:
            yield event
        elif key not in first:
            first.add(key)
            yield from _summed(event, last[key])


def _summed(first: AnyEvent, last: AnyEvent) -> Iterator[AnyEvent]:
    """From the first to the last; nothing where it is again what it was."""
    if isinstance(first, COUNTED) and isinstance(last, COUNTED):
        if first is last:
            yield first
        elif first.before != last.after:
            yield msgspec.structs.replace(first, after=last.after)


def _counter(event: AnyEvent) -> tuple[str, ...] | None:
    """What an event counts on, if it does."""
    match event:
        case e.UnitChanged(unit=unit, attribute=attribute):
            return unit, attribute
        case e.AccountChanged(account=name) | e.MarkerSet(marker=name):
            return str(event.__struct_config__.tag), name
        case _:
            return None


def dice_said(event: e.DiceRolled) -> str:
    """A roll in short: `4 4 +2 -1 = 9 (needed 8 or more), captured`; where the modifiers come from is in its record."""
    text = " ".join(map(str, event.pips))
    if event.modifiers:
        text += "".join(f" {one.amount:+d}" for one in event.modifiers) + f" = {event.total}"
    elif len(event.pips) > 1 and not event.needed:
        text += f" = {event.total}"
    text += f" (needed {event.needed})" if event.needed else ""
    text += f", {_outcome(event.outcome)}" if event.outcome else ""
    return text + (f" [kept from #{event.kept}]" if event.kept else "")


def _outcome(outcome: str) -> str:
    """What a row of a table says: `result` is no word of it, and a yes is no `True`."""
    for written, said in ((" True", " yes"), (" False", " no")):
        outcome = f"{outcome},".replace(f"{written},", f"{said},").removesuffix(",")
    return outcome.removeprefix("result ")


def who(game: Game, seat: str) -> str:
    """A seat as the subject of a sentence."""
    if seat in (REFEREE, SPECTATOR):
        return f"the {seat}"
    side = game.side_of(seat)
    if not side or side == seat:
        return game.side_name(seat) if side else seat
    return f"{seat} ({game.side_name(side)})"


COUNTED = (e.UnitChanged, e.AccountChanged, e.MarkerSet)
UNIT_EVENTS = (e.UnitPlaced, e.UnitMoved, e.UnitChanged, e.UnitRemoved)


def _plain(name: str) -> str:
    return name.replace("_", " ").replace("-", " ")


def _as_tuple(value: Value) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else () if value in (None, "") else (value_words(value),)


def _third(verb: str) -> str:
    """A verb in the third person."""
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else f"{verb}s"


# --- the sequence of play ---------------------------------------------------------------------------------------------


def _done(telling: _Telling) -> str:
    """`done`: the steps that were left, or the answer that was given."""
    side = telling.game.side_of(telling.seat)
    many = bool(telling.cause.get("rest") or telling.cause.get("until"))
    left: list[str] = []
    for event in telling.events:
        if isinstance(event, e.StepClosed) and event.answer and not many:
            return f"answers {telling.step(event.step)} with {event.answer}"
        if isinstance(event, e.StepClosed | e.SideDone) and (not many or not event.side or event.side == side):
            if not many:
                return f"{ENDINGS[event.how]} {telling.step(event.step)}"
            left.append(event.step)
    return f"leaves {some(left)}" if left else "leaves what may be left"


def _pick(telling: _Telling) -> str:
    member = value_words(telling.cause.get("member"))
    telling.said.add(member)
    for event in telling.events:
        if isinstance(event, e.StepClosed) and event.item:
            return f"picks {member} for {telling.step(event.step)}"
    return f"picks {member}"


def _excuse(telling: _Telling) -> str:
    side = telling.cause.get("side")
    excused = telling.game.side_name(side) if isinstance(side, str) and side else "everybody"
    steps = [event.step for event in telling.events if isinstance(event, e.StepClosed | e.SideDone)][:1]
    return f"excuses {excused} from {some(map(telling.step, steps))}: {telling.cause.get('reason', '')}"


SEQUENCE: Mapping[str, Callable[[_Telling], str]] = {"done": _done, "pick": _pick, "excuse": _excuse}

GENERIC: Mapping[str, str] = {
    "roll": "rolls for {purpose}",
    "move": "moves {unit}",
    "place": "places {unit} ({kind}) at {at}",
    "change": "sets {attribute} of {unit} to {to}",
    "remove": "removes {unit}[ ({cause})]",
    "pay": "changes {account} by {amount}[ ({cause})]",
    "mark": "sets {marker} to {to}",
    "choose": "chooses {choice} for {question}",
    "seal-choice": "secretly chooses {choice} for {question}",
    "reveal": "lays open the choice for {question}",
    "end": "ends the game",
}
"""How orders of every title are told."""
