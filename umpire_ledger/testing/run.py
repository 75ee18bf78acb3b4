"""Run random play, game after game, and check each order when it is decided."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import msgspec

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import DomainError, RuleViolation
from umpire_ledger.domain.game.events import (
    AnyEvent,
    DiceSource,
    GameEnded,
    RestrictedEvent,
    StepClosed,
    StepOpened,
    StepPassed,
    Value,
    decode as decode_event,
    encode as encode_event,
)
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import ANYTIME_ORDERS, COVERS, REFEREE_ORDERS, Order
from umpire_ledger.domain.game.recordable import RULE as EVENTS, recordable
from umpire_ledger.domain.game.snapshot import dump, load
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.testing.examples import (
    FITS,
    NO_SCENARIO,
    Example,
    Script,
    broken_by,
    fault,
    given_text,
    refusal_texts,
    rolls_text,
    tells_secret,
    text_of,
    told_text,
)
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.forbidden_orders import trespasses
from umpire_ledger.testing.left_behind import left_by
from umpire_ledger.testing.order_checks import check_order
from umpire_ledger.testing.play_report import Observed
from umpire_ledger.testing.random_play import (
    NO_HISTORY,
    Pips,
    Player,
    missing_parts,
    opened,
    other_options,
    pips_for,
)
from umpire_ledger.testing.recorded import Start, with_ledger_dice

WAYS_TO_PLAY = ((0.6, 0.0), (0.6, 0.5), (0.35, 0.3))
"""Patience and curiosity of the player in each run. The seed of each run is one higher than that of the run before."""
OTHER_OPTIONS, GOES_ON = 1, 2
"""Indexes of the run with other options than the scenario's, and of the run that continues recorded games."""
AT_TABLE = 1
"""Index of the run with table dice. In the run that continues recorded games, every second start has them too."""
FIRST, EVERY = 4, 12
"""Detailed checks of each kind of order: all until `FIRST` are accepted, then one in `EVERY`."""
EXAMPLES = 4
"""The most orders of each kind to keep as examples."""
SCRIPT = 250
"""The most orders of each run that another process decides again."""
STRETCH = 40
"""The number of orders to give from a position of a recorded game."""
BEYOND = (*COVERS, *ANYTIME_ORDERS, *REFEREE_ORDERS)
"""Orders that need a log, which random play does not have."""
CARRIED_OUT, CARRIED = "carried-out", "carried-along"
TRESPASSED_FIRST, TRESPASSED_EVERY = 6, 4
"""Visits of an open step at which forbidden orders are tried: the first `TRESPASSED_FIRST`, then one in this many."""
SAVED_EVERY = 40
FACTS_EVERY = 10

_FOLDS = "tell an event for every change, with values that can be recorded: a list of texts is a tuple"
_LEAVES = "let the step be left, or let the order's `tries` give one that is legal here"
_CARRIED_OUT = (
    "refuse before the first roll what the rules forbid, and let every result of the dice be one that can happen"
)
_RULED = "name in the title's `ruled` what its rules write; let a step open no more of it, by `touches`, than it needs"
GOES_ALONG = "move, release or remove with a unit all that names it in the title's `carriers`"
_PARTS = "say in every refusal what, where, under which rule, and what to do"


def play(observed: Observed, *, seed: int, orders: int) -> Observed:
    """Play a number of orders, divided between all ways to play, and collect the observations in `observed`."""
    for number, (patience, curiosity) in enumerate(WAYS_TO_PLAY):
        player = Player(observed.title, seed + number, patience=patience, curiosity=curiosity)
        player.given, player.suggested = observed.accepted, observed.suggested
        run = Run(observed, player, seed + number)
        run.other_options, run.goes_on = number == OTHER_OPTIONS, number == GOES_ON
        run.at_table = number == AT_TABLE
        run.play(orders // len(WAYS_TO_PLAY))
    return observed


class Run:
    """A run with one seed. `other_options`: whether to change the scenario's options; `at_table`: to use table dice.

    `goes_on`: whether to continue recorded games after the first `SCRIPT` orders.
    """

    def __init__(self, observed: Observed, player: Player, seed: int) -> None:
        self.seen = observed
        self.title = observed.title
        self.player = player
        self.seed = seed
        self.other_options = self.goes_on = self.at_table = False
        self._pips: Pips = ()
        self._dice_seed = seed
        self._options: dict[str, Value] = {}
        self._number = self._until = self._scenario = 0
        self._base = self._game = Game()
        self._recorded: dict[str, Any] | None = None
        self._tried: list[str] = []
        self._visits: Counter[tuple[str, ...]] = Counter()
        self._refused: list[tuple[Order, RuleViolation]] = []
        self._chance = Random(seed)  # Separate, so that it does not affect the player.
        self._kept_by = Random(seed)
        self._raw: list[bytes] = []
        self._told: list[AnyEvent | RestrictedEvent] = []

    def play(self, orders: int) -> None:
        """Play a number of orders, and begin a new game when one is over or stuck. Stop if no game can be opened."""
        opening = self._open(self.seed)
        if opening is None:
            return
        script = Script(
            scenario=self._scenario,
            seed=self.seed,
            dice=self._game.dice,
            options=self._options,
            opening=told_text(opening),
            orders=[],
        )
        self.seen.scripts.append(script)
        scripted = self._game
        self._until = SCRIPT if self.goes_on and self.seen.starts else 0
        for _ in range(orders):
            over = self._game.ended or (self._until and self._number >= self._until)
            found = None if over else self._next()
            if found is None:
                self._fold()
                if not self._begin(self.seed + self._number + 1):
                    return
                continue
            order, decision = found
            if self._game is scripted and len(script.orders) < SCRIPT:
                script.orders.append(given_text(order, self._pips))
                script.events.append(told_text(decision))
                scripted = decision.game
            self._take(order, decision)
        self._fold()

    # --- games --------------------------------------------------------------------------------------------------------

    def _begin(self, seed: int) -> bool:
        """Begin another game; return False if it cannot be opened."""
        if self.goes_on and self.seen.starts and self._number >= SCRIPT:
            self._go_on(seed)
            return True
        return self._open(seed) is not None

    def _open(self, seed: int) -> Decision | None:
        """Open a scenario; return None if that is impossible."""
        self._scenario = seed % len(self.seen.scenarios)
        scenario = self.seen.scenarios[self._scenario]
        self._options = other_options(self.title, scenario, seed) if self.other_options else {}
        try:
            dice: DiceSource = "table" if self.at_table else "ledger"
            decision = _verified(opened(self.title, scenario, seed, options=self._options, dice=dice))
        except Exception as error:
            self.seen.note(broken_by(error), fault(error, "opening a game"))
            return None
        self._base, self._raw, self._told, self._dice_seed = Game(), [], [], seed
        self.seen.openings.append(decision.game)
        self._follow(decision)
        return decision

    def _go_on(self, seed: int) -> None:
        """Begin at a position of a recorded game, alternately with table dice and ledger dice."""
        start = self._start()
        self.at_table, self._dice_seed = not self.at_table, seed
        ledger = with_ledger_dice(start.game, f"{seed:064x}")
        self._game = self._base = replace(ledger, dice="table", seed="") if self.at_table else ledger
        self._raw, self._told = [], []
        self._recorded = start.order
        self._until = self._number + STRETCH
        named = (at for at, scenario in enumerate(self.seen.scenarios) if scenario.name == self._game.name)
        self._scenario = next(named, NO_SCENARIO)

    def _start(self) -> Start:
        """Return a start whose kind of order is not accepted yet; otherwise one in a new step; otherwise any."""
        accepted = {kind.tag() for kind in self.seen.accepted}
        wanting = [start for start in self.seen.starts if start.order["order"] in self.title.every_order]
        wanting = [start for start in wanting if start.order["order"] not in (*accepted, *self._tried)]
        start = self.player.random.choice(wanting or self._unreached() or self.seen.starts)
        self._tried.append(start.order["order"])
        return start

    def _unreached(self) -> list[Start]:
        """Return the starts in steps that random play has not reached yet."""
        steps = self.seen.steps
        return [start for start in self.seen.starts if any(one.step not in steps for one in start.game.cursor.open)]

    def _follow(self, decision: Decision) -> None:
        """Continue with the game after a decision."""
        if self._base == Game() and not self.at_table:
            self._told.extend(decision.told)
        for event in events_of(decision.told):
            self._raw.append(encode_event(event))
            if isinstance(event, StepOpened | StepClosed | StepPassed):
                self.seen.steps.add(event.step)
        self._game = decision.game
        if self._number % FACTS_EVERY == 0 or self._game.ended or self._until:
            self.seen.answers.ask_all(self._game)

    def _fold(self) -> None:
        """Check that the game equals the game that is rebuilt from its encoded events."""
        try:
            same = fold(self._base, map(decode_event, self._raw)) == self._game
            what = "" if same else "the game is not what its events fold to"
        except msgspec.ValidationError as error:
            what = f"an event cannot be read back from its JSON: {error}"
        if what:
            self.seen.note("folds-to-live", self._finding(what, _FOLDS))

    def _finding(self, what: str, remedy: str, about: str = "") -> Finding:
        return Finding(what=what, remedy=remedy, about=about, seed=self.seed, number=self._number)

    # --- orders -------------------------------------------------------------------------------------------------------

    def _next(self) -> tuple[Order, Decision] | None:
        """Return the next legal order and its decision; None if there is none."""
        at_fault = False
        self._refused.clear()
        try:
            for order in (*self._as_recorded(), *self.player.candidates(self._game)):
                decision, faulty = self._decided(order)
                at_fault = at_fault or faulty
                if decision is not None:
                    return order, decision
        except Exception as error:
            self.seen.note(broken_by(error), fault(error, "suggesting orders"))
            at_fault = True
        if not at_fault:  # A fault of the title may be why play is stuck.
            steps = ", ".join(one.step for one in self._game.cursor.open)
            what = f"at {self._game.where} no seat has a legal order"
            refusals = refusal_texts(self._refused) or ("no order is suggested there",)
            self.seen.note("never-stuck", replace(self._finding(what, _LEAVES, steps), refusals=refusals))
        return None

    def _as_recorded(self) -> Iterator[Order]:
        """Yield the next order of the recorded game, without its dice results."""
        raw, self._recorded = self._recorded, None
        if raw is not None:
            with suppress(RuleViolation):  # The title may no longer read the order.
                order = read_order(self.title, {name: value for name, value in raw.items() if name != "pips"}).order
                if not isinstance(order, BEYOND):
                    yield order

    def _decided(self, order: Order) -> tuple[Decision | None, bool]:
        """Return the decision of an order, or None if it is refused, and whether the title is at fault."""
        kind, decision, at_fault = type(order), None, False
        close = self._looks_closely(kind)
        before = dump(self._game) if close else b""
        example = self._example(order)
        try:
            decision = _verified(self._decide(order))
        except RuleViolation as violation:
            self._refused.append((order, violation))
            if missing := missing_parts(violation):
                what = f"{order.tag()} is refused without {', '.join(missing)}"
                self.seen.note("whole-refusals", example.finding(what, _PARTS, differs=violation.what))
            at_fault = self._note_unrecordable(example, violation) or self._note_dice_of_table(example, violation)
            close = close and not at_fault
        except Exception as error:
            self.seen.note(broken_by(error), self._with_dice(fault(error, order.tag(), example), order))
            at_fault = True
        if decision is not None and decision.failure is not None:
            self._note_failure(example, decision, decision.failure)
            decision, at_fault = None, True
        elif close:
            self._look_closely(example, before, decision)
        if decision is None:
            self.seen.refused[kind] += 1
        return decision, at_fault

    def _decide(self, order: Order) -> Decision:
        """Decide an order with the dice of the game. Table dice have the results that ledger dice would have."""
        self._pips = ()
        try:
            return decide(self.title, self._game, Sent(order=order), NO_HISTORY)
        except RuleViolation:
            if self._game.dice != "table":
                raise
            decision, pips = pips_for(self.title, self._game, order, self._dice_seed)
            if decision.failure is not None:
                return decision
            if not pips:
                raise
        self._pips = pips
        return decide(self.title, self._game, Sent(order=order, pips=pips), NO_HISTORY)

    def _with_dice(self, finding: Finding, order: Order) -> Finding:
        return replace(finding, order=given_text(order, self._pips)) if self._pips else finding

    def _note_unrecordable(self, example: Example, failure: DomainError) -> bool:
        """Note a refusal because of an event that cannot be recorded, which is the title's fault.

        Returns whether the failure is such a refusal.
        """
        if failure.rule == EVENTS:
            self.seen.note(FITS, example.finding(f"{example.order.tag()}: {failure.what}", failure.remedy))
        return failure.rule == EVENTS

    def _note_dice_of_table(self, example: Example, violation: RuleViolation) -> bool:
        """Note a refusal after table dice were rolled, and return whether the refusal is one."""
        if self._pips:
            what = f"{example.order.tag()} is refused with dice of the table, and accepted with the same of the ledger"
            finding = example.finding(what, _CARRIED_OUT, differs=violation.what)
            self.seen.note(CARRIED_OUT, self._with_dice(finding, example.order))
        return bool(self._pips)

    def _note_failure(self, example: Example, decision: Decision, failure: DomainError) -> None:
        """Note that an order was not carried out after its roll, with the roll and the reason."""
        rolls, name = rolls_text(decision), example.order.tag()
        if self._note_unrecordable(example, failure):
            return
        if isinstance(failure, RuleViolation):
            what = f"{name} is not carried out after its roll: {failure.what} [{failure.rule}]"
            self.seen.note(CARRIED_OUT, example.finding(what, _CARRIED_OUT, differs=rolls))
        else:
            finding = fault(failure, name, example)
            self.seen.note(broken_by(failure), replace(finding, differs=finding.differs or rolls))

    def _looks_closely(self, kind: type[Order]) -> bool:
        tried = self.seen.accepted[kind] + self.seen.refused[kind]
        return self.seen.accepted[kind] < FIRST or tried % EVERY == 0

    def _look_closely(self, example: Example, before: bytes, decision: Decision | None) -> None:
        found = check_order(self.title, example, before, decision, self._pips or None)
        if found is not None:
            self.seen.note(*found)

    def _trespass(self) -> None:
        """Check that no generic order touches another side's property, or state that the rules write."""
        here = tuple(one.step for one in self._game.cursor.open)
        self._visits[here] += 1
        if self._visits[here] > TRESPASSED_FIRST and self._visits[here] % TRESPASSED_EVERY:
            return
        for order in trespasses(self.title, self._game, self.seen.written, self._chance):
            try:
                decision = decide(self.title, self._game, Sent(order=order), NO_HISTORY)
            except RuleViolation:
                continue
            except Exception:  # Suggested orders raise the same exceptions.
                continue
            what = f"{order.tag()} is accepted: {', '.join(map(text_of, events_of(decision.told)))}"
            self.seen.note("others-untouched", self._example(order).finding(what, _RULED))

    def _example(self, order: Order) -> Example:
        return Example(self._game, order, self._scenario, self.seed, self._number, self._told, len(self._told))

    def _with_ledger_dice(self, example: Example) -> Example:
        """Return the example with ledger dice, because other promises have no dice results to give."""
        if self._game.dice != "table":
            return example
        return example._replace(game=with_ledger_dice(self._game, f"{self._dice_seed:064x}"))

    def _take(self, order: Order, decision: Decision) -> None:
        """Collect the observations of an accepted order, and continue from its game."""
        kind, example, chance = type(order), self._with_ledger_dice(self._example(order)), self.player.random
        self.seen.accepted[kind] += 1
        self.seen.note_position(example.game, self._kept_by)
        kept = self.seen.examples[kind]
        if len(kept) < EXAMPLES:
            kept.append(example)
        elif chance.random() < EXAMPLES / self.seen.accepted[kind]:
            kept[chance.randrange(EXAMPLES)] = example
        if tells_secret(decision) and len(self.seen.secrets[kind]) < EXAMPLES:
            self.seen.secrets[kind].append(example)
        for left in left_by(self.title, self._game, decision):
            found = example.finding(f"after {order.tag()} {left.what}", GOES_ALONG, about=left.about)
            self.seen.note(CARRIED, found)
        self.seen.written.note(order, decision)
        self.seen.arguments.note(self._game, order)
        self._number += 1
        self._follow(decision)
        self._trespass()
        if self._number % SAVED_EVERY == 0 and load(dump(self._game)) != self._game:
            what = f"after {order.tag()} the game is not the same when it is saved and loaded"
            self.seen.note("folds-to-live", example.finding(what, _FOLDS))


def _verified(decision: Decision) -> Decision:
    """Return the decision if all its events can be recorded.

    Raises:
        RuleViolation: When one of its events cannot be recorded.
    """
    game = decision.game
    for event in events_of(decision.told):
        recordable(event, game.where)
        if isinstance(event, GameEnded) and event.winner not in ("", *game.side_ids):
            what = f"`game.ended` names the winner {event.winner!r}, which is not a side"
            raise RuleViolation(what, where=game.where, rule=EVENTS, remedy='name the id of a side, or "" for a draw')
    return decision
