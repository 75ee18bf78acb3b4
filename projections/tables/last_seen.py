"""Find the last sighting of each unit that a seat no longer sees: its place, the turn, and the record that hid it."""

from collections.abc import Mapping

import msgspec

from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.state import Game
from umpire_ledger.projections.tables.audit_search import Filter, audit_lines
from umpire_ledger.projections.tables.dialect import Tables


class LastSeen(msgspec.Struct, frozen=True, kw_only=True):
    """The last sighting of a unit. `turn`: the turn of the sighting; `position`: the record that hid the unit."""

    unit: str
    side: str
    kind: str
    at: str
    attributes: Mapping[str, Value]
    turn: int
    position: int

    @property
    def words(self) -> str:
        """The sighting in words, for example `last seen turn 3 at 0610 (#212)`."""
        return f"last seen {f'turn {self.turn} ' if self.turn else ''}at {self.at} (#{self.position})"


def last_seen(views: Tables, game_id: str, seat: str, known: Game, at: int) -> tuple[LastSeen, ...]:
    """Return the last sightings, by unit id. `known`: the game as the seat knows it at that position."""
    found = sorted(known.sightings.values(), key=lambda one: one.unit.id)
    return tuple(
        LastSeen(
            unit=one.unit.id,
            side=one.unit.side,
            kind=one.unit.kind,
            at=one.unit.at,
            attributes=one.unit.attributes,
            turn=one.turn,
            position=_lost_at(views, game_id, seat, one.unit.id, at),
        )
        for one in found
    )


def _lost_at(views: Tables, game_id: str, seat: str, unit: str, at: int) -> int:
    chosen = Filter(unit=unit, event="unit.covered", stop=at)
    return next((line.position for line in audit_lines(views, game_id, seat, chosen, newest_first=True, limit=1)), 0)
