"""Write a test as a story: given a scenario and events, when a seat gives an order, then check the result.

A story uses the real domain, with a plain list as its log. Only the dice results are set.
"""

from collections.abc import Iterator
from typing import Any, TypeVar

import msgspec

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, DiceOpened, DiceSource, PlayRewound, RestrictedEvent
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.transition_rules import transition_error
from umpire_ledger.domain.history.history import is_branch_independent
from umpire_ledger.domain.history.undo_and_rewind import PlayedOrder
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.game_setup import open_game

SEED = "5e" * 32
E = TypeVar("E", bound=msgspec.Struct)


class Story:
    """A game at the table. `states[n]`: the game at position n, from 0 before the opening."""

    def __init__(
        self, title: Title, scenario: Scenario, *, dice: DiceSource = "table", options: dict[str, Any] | None = None
    ) -> None:
        self.title = title.with_sequence(scenario.sequence(), scenario.options)
        self.states: list[Game] = [Game()]
        self.taken: list[PlayedOrder] = []
        self.told: list[AnyEvent | RestrictedEvent] = []
        self.refusal: RuleViolation | None = None
        self.memo: dict[Any, Any] = {}
        opened = open_game(title, scenario, game_id="story", dice=dice, seed=SEED, options=options or {})
        self._write("referee", opened)

    # --- the log ------------------------------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The current game."""
        return self.states[-1]

    @property
    def tip(self) -> int:
        return len(self.states) - 1

    def state(self, position: int) -> Game:
        return self.states[position]

    def order_at(self, position: int) -> tuple[int, int]:
        return next(((one.first, one.last) for one in self.taken if one.first <= position <= one.last), (0, 0))

    def said(self) -> Iterator[AnyEvent]:
        return (event for one in self.taken for event in one.events if is_branch_independent(event))

    def opened(self) -> Iterator[str]:
        return (event.seed for one in self.taken for event in one.events if isinstance(event, DiceOpened))

    def newest_first(self, at: int | None = None) -> Iterator[PlayedOrder]:
        at = self.tip if at is None else at
        while at:
            one = next(taken for taken in self.taken if taken.first <= at <= taken.last)
            yield one
            at = one.rewound.to if one.rewound else one.first - 1

    def _write(self, seat: str, decision: Decision, cause: bytes = b"") -> None:
        first = self.tip + 1
        for event in events_of(decision.told):
            assert not transition_error(self.game, event), "what was decided does not fit"
            before = self.states[event.to] if isinstance(event, PlayRewound) else self.game
            self.states.append(evolve(before, event))
        self.told = list(decision.told)
        events = tuple(events_of(decision.told))
        self.taken.append(PlayedOrder(first=first, last=self.tip, seat=seat, events=events, cause=cause))
        assert self.game == decision.game, "what was decided is not what the log folds to"

    # --- telling ------------------------------------------------------------------------------------------------------

    def given(self, *events: AnyEvent) -> "Story":
        """Apply events without an order, as if they had happened earlier."""
        for event in events:
            self.states.append(evolve(self.game, event))
            self.taken.append(PlayedOrder(first=self.tip, last=self.tip, seat="referee", events=(event,)))
        return self

    def when(self, order: Order | dict[str, Any], *, pips: tuple[int, ...] | None = None) -> "Story":
        """Give an order. A refusal is stored for `then_refused`; without that check, it fails the story at `then`."""
        self.refusal, self.told = None, []
        before = self.game
        try:
            if isinstance(order, dict):
                sent = read_order(self.title, order, before.where)
                sent = msgspec.structs.replace(sent, pips=pips if pips is not None else sent.pips)
            else:
                sent = Sent(order=order, pips=pips)
            sent = msgspec.structs.replace(sent, seed=sent.seed or f"{self.tip:064x}")
            cause = msgspec.json.encode(sent.order)
            self._write(sent.order.seat, decide(self.title, before, sent, self), cause)
        except RuleViolation as refusal:
            assert self.game is before, "a refused order left its mark"
            self.refusal = refusal
        return self

    def play(self, *orders: Order | dict[str, Any]) -> "Story":
        """Give several orders, none of which may be refused."""
        for order in orders:
            self.when(order).then_accepted()
        return self

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """The events of the last order."""
        return tuple(events_of(tuple(self.told)))

    def then_accepted(self) -> "Story":
        if self.refusal is not None:
            r = self.refusal
            raise AssertionError(f"refused: {r.what}\n  at: {r.where}\n  rule: {r.rule}\n  do: {r.remedy}")
        return self

    def then(self, kind: type[E], /, **fields: Any) -> E:
        """Return the event of this kind with these fields from the last order; fail if there is none."""
        self.then_accepted()
        of_kind = [event for event in self.events if isinstance(event, kind)]
        for event in of_kind:
            if all(getattr(event, name) == value for name, value in fields.items()):
                return event
        raise AssertionError(f"no {kind.__name__} with {fields}; there were: {of_kind or list(self.events)}")

    def then_not(self, kind: type[AnyEvent], /, **fields: Any) -> "Story":
        """Check that the last order caused no event of this kind with these fields."""
        self.then_accepted()
        for event in self.events:
            if isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items()):
                raise AssertionError(f"unexpected: {event}")
        return self

    def then_refused(self, code: str = "", /, *, rule: str, says: str = "", do: str = "", **fields: object) -> "Story":
        """Check that the last order was refused with this code, under this rule, with these fields.

        Args:
            code: The code of the refusal, such as `too-far`; "" for any.
            rule: A part of the rule.
            says: A part of the text; prefer a code.
            do: A part of the remedy; prefer a code.
            fields: The values in the text, by name.
        """
        if self.refusal is None:
            raise AssertionError(f"accepted: {list(self.events)}")
        for part, text in ((rule, self.refusal.rule), (says, self.refusal.what), (do, self.refusal.remedy)):
            assert part in text, f"{part!r} is not in {text!r}"
        assert code in ("", self.refusal.code), f"refused with {self.refusal.code!r}, not {code!r}: {self.refusal.what}"
        given = {name: self.refusal.fields.get(name) for name in fields}
        assert given == fields, f"{given} instead of {fields}: {self.refusal.what}"
        return self

    def then_open(self, *steps: str) -> "Story":
        """Check that these steps are open now."""
        self.then_accepted()
        assert tuple(one.step for one in self.game.cursor.open) == steps, self.game.where
        return self
