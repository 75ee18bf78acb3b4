"""A game at the referee's desk: a real ledger, any title, its fixture scenario and orders."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.face.desk import (
    GameStateBuilder,
    Recorded,
    event_of,
    find_title,
    need_title,
    new_game,
    open_session,
)
from tests.face.domain import (
    REFEREE,
    AnyEvent,
    DiceRolled,
    DiceSource,
    DomainError,
    Game,
    RuleViolation,
    Title,
)
from tests.face.ledger import Ledger
from tests.face.projections import Follower
from tests.face.testing import FIXTURES, Player

FORD = """
title = "freeform"
name = "Skirmish at the ford"
dice = "ledger"
sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]

[[units]]
id = "r1"
side = "red"
kind = "foot"
at = "0101"

[[units]]
id = "b1"
side = "blue"
kind = "foot"
at = "0102"
"""


class DeskGame:
    """Game `g` of a title, in a ledger of its own."""

    def __init__(
        self, path: Path | str, title: str = "freeform", scenario: str = FORD, *, dice: DiceSource | None = None
    ) -> None:
        self.path = path
        self.ledger: Ledger[Game] = Ledger.open(path, GameStateBuilder())
        if not self.ledger.size("g"):
            new_game(self.ledger, need_title(title), scenario, game_id="g", dice=dice)
        self.sitting = open_session(self.ledger, "g")

    @property
    def game(self) -> Game:
        return self.sitting.game

    @property
    def title(self) -> Title:
        return self.sitting.title

    @property
    def size(self) -> int:
        return self.ledger.size("g")

    def give(self, seat: str, order: str, **arguments: Any) -> Recorded:
        """An order; a refusal is raised."""
        return self.sitting.order({"as": seat, "order": order, **arguments})

    def refused(self, seat: str, order: str, **arguments: Any) -> RuleViolation:
        """Give an order that must be refused and leave the log unchanged; return the refusal."""
        size = self.size
        with pytest.raises(RuleViolation) as refusal:
            self.give(seat, order, **arguments)
        assert self.size == size
        return refusal.value

    def play(self, *orders: dict[str, Any]) -> "DeskGame":
        for order in orders:
            self.sitting.order(order)
        return self

    def play_at_random(self, orders: int, seed: int = 1, patience: float = 0.6) -> "DeskGame":
        player = Player(self.title, seed, patience=patience)
        for _ in range(orders):
            if self.game.ended:
                break
            order, _ = player.choose(self.game)
            self.sitting.order(msgspec.to_builtins(order))
        return self

    def opened_at(self) -> int:
        """Return the last position of the order that opened the game."""
        return self.ledger.answer("g", self.ledger.record("g", 1).command)[-1].position

    def events(self, after: int = 0) -> list[tuple[int, AnyEvent]]:
        """Position and event of every record that counts, the oldest first."""
        records = [record for record in self.ledger.branch_records("g") if record.position > after]
        return [(record.position, event) for record in reversed(records) if (event := event_of(record)) is not None]

    def rolls(self, after: int = 0) -> list[DiceRolled]:
        """Return the rolls of the current branch."""
        return [event for _, event in self.events(after) if isinstance(event, DiceRolled)]

    def words(self, after: int = 0) -> list[dict[str, Any]]:
        """Return the orders of the current branch, as given."""
        records = [record for record in self.ledger.branch_records("g") if record.position > after and record.cause]
        return [json.loads(bytes(record.cause)) for record in reversed(records)]

    @contextmanager
    def views(self) -> Iterator[Follower]:
        """Yield the read models, up to date."""
        with closing(Follower(self.ledger, ":memory:", find_title)) as following:
            following.catch_up("g")
            yield following

    def counting(self) -> list[int]:
        """Return the positions that count in the audit trail."""
        with self.views() as views:
            rows = views.connection.execute("SELECT position FROM audit WHERE counts ORDER BY position")
            return [position for (position,) in rows]

    def close(self) -> None:
        self.ledger.close()


def fixture_game(path: Path | str, title: str, scenario: str, orders: str, upto: int | None = None) -> DeskGame:
    """Open a fixture scenario and play the first orders of an order file."""
    folder = FIXTURES / title
    found = DeskGame(path, title, (folder / "scenarios" / scenario).read_text(encoding="utf-8"))
    lines = [json.loads(line) for line in (folder / "orders" / orders).read_text(encoding="utf-8").splitlines() if line]
    return found.play(*lines[:upto])


def great_harbour(path: Path | str, upto: int | None = None) -> DeskGame:
    """War Galley's fixture: two and a half turns, with the dice thrown at the table."""
    return fixture_game(path, "war-galley", "great-harbour.toml", "great-harbour.jsonl", upto)


def any_game(path: Path | str, title: Title, orders: int, seed: int = 1) -> DeskGame:
    """Play a random game of a title from its first fixture scenario, with dice of the ledger."""
    scenario = sorted((FIXTURES / title.id / "scenarios").glob("*.toml"))[0].read_text(encoding="utf-8")
    return DeskGame(path, title.id, scenario, dice="ledger").play_at_random(orders, seed)


def coded(code: str, **fields: Any) -> Callable[[DomainError], bool]:
    """Return a check for `pytest.raises`: the refusal has that code, and these among its fields."""

    def check(refusal: DomainError) -> bool:
        given = {name: refusal.fields.get(name) for name in fields}
        assert (refusal.code, given) == (code, fields), str(refusal)
        return True

    return check


def refuse_words(refusal: RuleViolation) -> str:
    """Return all four parts of a refusal in one text."""
    return " | ".join((refusal.what, refusal.where, refusal.rule, refusal.remedy))


__all__ = ["FORD", "REFEREE", "DeskGame", "any_game", "coded", "fixture_game", "great_harbour", "refuse_words"]
