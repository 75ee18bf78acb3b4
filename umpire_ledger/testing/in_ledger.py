"""Play a random game in a real ledger. Its title does not have to be installed."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec

from umpire_ledger.desk.core.adapters import GameStateBuilder, LedgerHistory, drafts_of, event_of
from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import PlayRewound
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.state import REFEREE, Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.records.record import Record
from umpire_ledger.testing.fixtures import scenarios
from umpire_ledger.testing.random_play import NO_HISTORY, Player, opened

GAME = "g"
MIDNIGHT = datetime(2026, 1, 1, tzinfo=UTC)
REWIND_EVERY = 9
SEED = 5

_encode = msgspec.json.Encoder().encode


@contextmanager
def empty_ledger() -> Iterator[Ledger[Game]]:
    """Yield a ledger in memory, with frequent snapshots and a fixed clock."""
    with Ledger.open(":memory:", GameStateBuilder(), snapshot_every=40, clock=lambda: MIDNIGHT) as ledger:
        yield ledger


class GameInLedger:
    """A game in a ledger. `live`: the state at each position when it was recorded; position 0 is an empty game."""

    def __init__(self, ledger: Ledger[Game], title: Title, opening: Decision) -> None:
        self.ledger = ledger
        self.title = title
        self.live = [Game()]
        self.orders = 0
        self._append(REFEREE, "open", opening, None, Game())

    @property
    def game(self) -> Game:
        """The current game."""
        return self.live[-1]

    def give(self, raw: Mapping[str, Any]) -> tuple[Record, ...]:
        """Decide and record an order.

        Raises:
            RuleViolation: When the order is refused. Then nothing is recorded.
        """
        sent = replace(read_order(self.title, raw, self.game.where), seed=f"{len(self.live):064x}")
        history = LedgerHistory(self.ledger, GAME)
        decision = decide(self.title, self.game, sent, history)
        first = next(events_of(decision.told))
        before = replace(self.live[first.to], rolls=self.game.rolls) if isinstance(first, PlayRewound) else self.game
        return self._append(sent.order.seat, self._command(), decision, _encode(raw), before)

    def record(self, order: Order, decision: Decision) -> tuple[Record, ...]:
        """Record an order that is already decided."""
        return self._append(order.seat, self._command(), decision, _encode(order), self.game)

    def _command(self) -> str:
        self.orders += 1
        return f"order-{self.orders}"

    def _append(
        self, seat: str, command: str, decision: Decision, cause: bytes | None, before: Game
    ) -> tuple[Record, ...]:
        drafts = drafts_of(decision.told, cause)
        after = len(self.live) - 1
        records = self.ledger.append(GAME, after=after, seat=seat, command=command, drafts=drafts, state=decision.game)
        for record in records:
            event = event_of(record)
            before = before if event is None else evolve(before, event)
            self.live.append(before)
        return records


def recorded(ledger: Ledger[Game], title: Title, orders: int = 120, scenario: Scenario | None = None) -> list[Game]:
    """Record a random game with undo, redo and rewind, and return the live state at each position.

    Position 0 is an empty game.
    """
    table = GameInLedger(ledger, title, opened(title, scenario or scenarios(title)[0], SEED, GAME))
    play(table, SEED, orders)
    return table.live


def play(table: GameInLedger, seed: int, orders: int) -> None:
    """Play at random, with undo, redo and rewind."""
    player = Player(table.title, seed)
    for number in range(orders):
        if number % REWIND_EVERY == REWIND_EVERY - 1:
            raw: Mapping[str, Any] | None = rewinding(player, len(table.live))
        elif table.game.ended:
            return
        else:
            raw = legal(player, table.game)
        if raw is None:
            return
        try:
            table.give(raw)
        except RuleViolation:
            continue


def legal(player: Player, game: Game) -> Mapping[str, Any] | None:
    """Return a legal order as JSON, or None; orders that raise an exception are skipped."""
    for order in player.candidates(game):
        try:
            decide(player.title, game, Sent(order=order), NO_HISTORY)
        except Exception:  # Other promises report the exception.
            continue
        raw: Mapping[str, Any] = msgspec.to_builtins(order)
        return raw
    return None


def rewinding(player: Player, positions: int) -> dict[str, object]:
    """Return a random undo, redo or rewind of the referee."""
    kind = player.random.choice(["undo", "redo", "rewind"])
    raw: dict[str, object] = {"as": REFEREE, "order": kind}
    if kind != "redo":
        raw["why"] = "to see"
    if kind == "rewind":
        raw["to"] = player.random.randrange(1, positions)
    return raw
