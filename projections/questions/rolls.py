"""List every roll in a game's log once, including rolls on abandoned branches."""

from collections.abc import Container, Iterable, Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game.dice_notation import parse
from umpire_ledger.domain.game.events import DiceRolled, GameOpened, PassBegun, StepClosed, UnitPlaced
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.questions.dice_statistics import Thrown, plain_purpose
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.tables.order_history import RecordedOrder, deeds, placed, seen_by


class ThrownRoll(msgspec.Struct, frozen=True, kw_only=True):
    """One roll. `counts`: False if rewound; `kept`: the record whose result it reuses after a rewind, 0 if none."""

    roll: int
    position: int
    seat: str
    turn: int
    step: str
    text: str
    event: DiceRolled
    judged: Thrown
    counts: bool
    kept: int

    @property
    def plain(self) -> dict[str, Any]:
        """The roll as plain names and values."""
        rolled = msgspec.to_builtins(self.event)
        rolled.pop("type")
        envelope = ("roll", "position", "seat", "turn", "step", "counts", "kept", "text")
        return {**rolled, **{name: getattr(self, name) for name in envelope}, "purpose_of": self.judged.purpose}


def thrown(ledger: Ledger[Game], game_id: str, seat: str) -> Iterator[ThrownRoll]:
    """Yield the rolls that a seat may see, oldest first.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    return thrown_in(told_of(ledger, game_id, seat), ledger.branch(game_id))


def told_of(ledger: Ledger[Game], game_id: str, seat: str) -> Iterator[RecordedOrder]:
    """Yield the orders of all branches that a seat may see, with their events.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    return deeds(seen_by(ledger, game_id, seat, ledger.lines(game_id)), rewound_to=lambda at: ledger.state(game_id, at))


def thrown_in(found: Iterable[RecordedOrder], branch: Container[int]) -> Iterator[ThrownRoll]:
    """Yield the rolls of these orders, in the same sequence. `branch`: the positions that count."""
    names: set[str] = set()
    for deed in found:
        _learn(names, deed)
        for position, event, turn, step in placed(deed):
            if isinstance(event, DiceRolled):
                yield ThrownRoll(
                    roll=event.roll,
                    position=position,
                    seat=deed.seat,
                    turn=turn,
                    step=step,
                    text=text_of(event),
                    event=event,
                    judged=_judged(deed.seat, event, names),
                    counts=position in branch,
                    kept=event.kept,
                )


def _learn(names: set[str], deed: RecordedOrder) -> None:
    """Add the names of units, sides and picked members, which are left out of a purpose."""
    for _, event in deed.events:
        match event:
            case UnitPlaced(unit=unit):
                names.add(unit)
            case GameOpened(sides=sides):
                names.update(side.id for side in sides)
            case PassBegun(item=item) | StepClosed(item=item) if item:
                names.add(item)
            case _:
                pass


def _judged(seat: str, event: DiceRolled, names: set[str]) -> Thrown:
    purpose = plain_purpose(event.purpose, event.subjects, names)
    return Thrown(seat=seat, purpose=purpose, sides=parse(event.dice).faces, pips=event.pips)
