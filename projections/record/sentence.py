"""Write one sentence for an order and its results.

The sentence uses only the given records. From the records that a seat may see, it reveals nothing else. It leaves out
changes that only the rules use; the records contain every change.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.events.steps import ENDINGS
from umpire_ledger.domain.game.order_json import BESIDE
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.phrasing import fields_of, phrase, value_words
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.projections.record.outcome_phrases import Consequences
from umpire_ledger.projections.record.referee_verbs import ACTS, TALK, some
from umpire_ledger.projections.record.sentence_context import SentenceContext


def sentence(title: Title | None, game: Game, seat: str, cause: Mapping[str, Any], events: Sequence[AnyEvent]) -> str:
    """Return an order as a line of the audit trail; "" if none of its records is visible.

    Args:
        game: A game with the names of sides and seats.
        cause: The order's text; {} if it is hidden.
        events: Events of the visible records, in order.
    """
    if not events:
        return ""
    return _Sentence(SentenceContext(title, game, seat, cause, events)).whole()


LEAVING = (e.StepClosed, e.StepPassed)


class _Sentence:
    """The sentence of one order."""

    def __init__(self, order: SentenceContext) -> None:
        self._order = order

    def whole(self) -> str:
        head = self._head()
        came = Consequences(self._order)
        own, later = ([], []) if isinstance(self._order.events[0], e.GameOpened) else self._split()
        parts, after = came.parts(own), came.parts(later, by_itself=True) if later else []
        parts += self._order.says
        text = self._order.acts(head)
        text += f"{'' if text.endswith(('?', '!', '.')) else ':'} {'; '.join(parts)}" if parts else ""
        text += f"; then {'; '.join(after)}" if after else ""
        if any(isinstance(event, e.DiceAsked) for event in self._order.events):
            text += ", and waits for dice"
        if again := self._order.cause.get("again"):
            text += f" [repeats #{again}]"
        overridden = any(event.overridden for event in self._order.events)
        return text[:1].upper() + text[1:] + (" [by ruling]" if overridden else "")

    def _split(self) -> tuple[list[AnyEvent], list[AnyEvent]]:
        """Return the events that the order causes itself, and the automatic events from the end of the step on."""
        for at, event in enumerate(self._order.events):
            if type(event) in LEAVING:
                return list(self._order.events[:at]), list(self._order.events[at:])
        return list(self._order.events), []

    def _head(self) -> str:
        """Return the verb and its object."""
        order = self._order.cause.get("order")
        hidden = next((event for event in self._order.events if isinstance(event, e.HiddenOrdered)), None)
        if order is None and hidden is not None:
            return "searches for hidden units" if hidden.search else "gives a hidden order"
        if not isinstance(order, str) or order in TALK:
            # A ruling that the title makes belongs to the step. It is not an act of the seat that gave the order.
            chooses = any(isinstance(event, e.ChoiceSealed | e.ChoiceMade) for event in self._order.events)
            for event in self._order.events:
                is_automatic = isinstance(event, e.RulingMade) and (chooses or self._order.seat != REFEREE)
                act = None if is_automatic else ACTS.get(type(event))
                if act is not None:
                    return act(self._order.game, event)
        if not isinstance(order, str):
            return self._without_cause()
        if order in SEQUENCE:
            return SEQUENCE[order](self._order)
        template = self._order.words.orders.get(order) or GENERIC.get(order)
        if template is None:
            return self._by_name(order)
        for name in fields_of(template):
            self._order.mention(self._order.cause.get(name))
        text = phrase(template, self._with_sides())
        self._order.said.update(text.split())
        return text

    def _with_sides(self) -> Mapping[str, Any]:
        """Return the order's arguments, with names of sides instead of ids."""
        names = {side.id: side.name for side in self._order.game.sides}
        return {
            name: names.get(value, value) if isinstance(value, str) else value
            for name, value in self._order.cause.items()
        }

    def _by_name(self, order: str) -> str:
        """Return the words for an order without a template: its name and its arguments."""
        verb, _, rest = order.partition("-")
        given = {name: value for name, value in self._order.cause.items() if name not in ("as", "order", *BESIDE)}
        for value in given.values():
            self._order.mention(value)
        bare = [value_words(value, way=name == "path") for name, value in list(given.items())[:1]]
        named = [f"{name.replace('_', ' ')} {value_words(one, way=name == 'path')}" for name, one in given.items()][1:]
        text = " ".join(filter(None, (_third(verb), rest.replace("-", " "), *bare)))
        self._order.said.update(text.split())
        return f"{text} ({', '.join(named)})" if named else text

    def _without_cause(self) -> str:
        """Return the words for an order whose text is hidden."""
        sealed = [event.question for event in self._order.events if isinstance(event, e.ChoiceSealed)]
        if sealed:
            return f"makes a secret choice for {some(sealed)}"
        made = next(
            (one for one in self._order.events if isinstance(one, e.ChoiceMade) and one.choice is not None), None
        )
        if made is not None:
            self._order.mention((made.question, made.choice))
            return f"chooses {value_words(made.choice)} for {made.question}"
        return "gives an order"


def _third(verb: str) -> str:
    """Return a verb in the third person."""
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in "aeiou" else f"{verb}s"


# --- the sequence of play ---------------------------------------------------------------------------------------------


def _done(telling: SentenceContext) -> str:
    """Return the words for `done`: the ended steps, or the answer."""
    side = telling.game.side_of(telling.seat)
    many = bool(telling.cause.get("rest") or telling.cause.get("until"))
    automatic = {event.step for event in telling.events if isinstance(event, e.StepOpened) and not event.waits}
    left: list[str] = []
    for event in telling.events:
        if isinstance(event, e.StepClosed) and event.answer and not many:
            return f"answers {telling.step(event.step)} with {event.answer}"
        if isinstance(event, e.StepClosed | e.SideDone) and (not many or not event.side or event.side == side):
            if not many:
                return f"{ENDINGS[event.how]} {telling.step(event.step)}"
            left += [event.step] if event.step not in automatic else []
    return f"ends step{'s' * (len(left) > 1)} {some(left)}" if left else "ends all optional steps"


def _pick(telling: SentenceContext) -> str:
    member = value_words(telling.cause.get("member"))
    telling.said.add(member)
    picked = telling.game.side_name(member)
    for event in telling.events:
        if isinstance(event, e.StepClosed) and event.item:
            return f"picks {picked} for {telling.step(event.step)}"
    return f"picks {picked}"


def _excuse(telling: SentenceContext) -> str:
    side = telling.cause.get("side")
    excused = telling.game.side_name(side) if isinstance(side, str) and side else "every side"
    steps = [event.step for event in telling.events if isinstance(event, e.StepClosed | e.SideDone)][:1]
    return f"excuses {excused} from {some(map(telling.step, steps))}: {telling.cause.get('reason', '')}"


SEQUENCE: Mapping[str, Callable[[SentenceContext], str]] = {"done": _done, "pick": _pick, "excuse": _excuse}

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
    "show": "reveals {unit}[, {units}][ to {to}]",
    "hide": "hides {unit}[, {units}]",
    "reveal": "reveals the choice for {question}",
    "end": "ends the game",
}
"""Templates for the orders that every title has."""
