"""Write the current knowledge of each seat as rows: its pieces, and the kinds of secrets that it may see.

Called only inside a transaction of `Follower`.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from umpire_ledger.domain.game.hidden_units import known_at_position
from umpire_ledger.domain.game.state import Game
from umpire_ledger.projections.tables import pieces
from umpire_ledger.projections.tables.audit_trail import seats_text
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.game_rows import INSERT
from umpire_ledger.projections.tables.pieces import Piece
from umpire_ledger.projections.tables.seat_visibility import Knowledge, Secrets, Visibility, open_to, seats_at
from umpire_ledger.projections.tables.views_file import typed

Seen = dict[str, Visibility]
"""The secret records that each seat may see."""


class _Groups(msgspec.Struct, frozen=True):
    """The groups of seats with equal knowledge; the rows of a group are those of its first seat."""

    public: tuple[Any, ...]
    """The public facts that determine which seats have equal knowledge."""
    secrets: Secrets
    """The kinds of secret records in the game."""
    first: dict[Visibility, str]
    """The first seat of each group, by the secret records that the group may see."""


class SeatRows:
    """Writes the knowledge of seats into one set of read models."""

    def __init__(self, connection: Tables, knowledge: Knowledge) -> None:
        self.connection = connection
        self._knowledge = knowledge
        self._in_hand: dict[str, _Groups] = {}

    def forget(self, game_id: str) -> None:
        """Drop the cached groups of a game."""
        self._in_hand.pop(game_id, None)

    def write(self, game_id: str, state: Game, size: int, touched: Collection[Piece] | None, *, secrets: bool) -> None:
        """Write the rows of seats; seats with equal knowledge share one state and one set of pieces.

        Args:
            touched: The pieces that may have changed since the rows were written; None if all may have changed or
                there are no rows.
            secrets: Whether there are new kinds of secret records.
        """
        public = (state.sides, state.seats, state.options, state.all_seeds_open, state.secrets_open)
        in_hand = self._in_hand.get(game_id)
        if secrets or in_hand is None or in_hand.public != public:
            kinds = self._knowledge.secrets(game_id)
            seats = seats_at(state)
            seen = {seat: open_to(kinds, seat, state) for seat in seats}
            first = {known: seat for seat, known in reversed(seen.items())}
            in_hand = self._in_hand[game_id] = _Groups(public, kinds, first)
            if not self._write_seats(game_id, seats, seen, first) or self._opened(game_id) != state.secrets_open:
                touched = None  # The groups changed, or each group knows more.
        known = {
            seat: known_at_position(self._knowledge.state(game_id, in_hand.secrets, eyes, size), seat, state, size)
            for eyes, seat in in_hand.first.items()
        }
        pieces.write(self.connection, game_id, known, touched)

    def _opened(self, game_id: str) -> int:
        """Return the last position whose secrets were revealed to everyone when the rows were written."""
        select = "SELECT coalesce(secrets_open, 0) FROM game WHERE id = ?"
        return next(typed(self.connection.execute(select, (game_id,)), tuple[int]), (0,))[0]

    def _write_seats(self, game_id: str, seats: dict[str, str], seen: Seen, first: dict[Visibility, str]) -> bool:
        """Write the seats of the game and the secrets that each may see; return whether they are unchanged."""
        wanted: dict[str, list[tuple[str | int, ...]]] = {
            "seat": [
                (game_id, seat, side, first[seen[seat]], nth) for nth, (seat, side) in enumerate(seats.items(), start=1)
            ],
            "sees": [(game_id, *pair) for pair in _pairs(seen)],
        }
        same = True
        for table, rows in wanted.items():
            there = self.connection.execute(f"SELECT * FROM {table} WHERE game = ?", (game_id,)).fetchall()
            if set(there) != set(rows):
                same = False
                self.connection.execute(f"DELETE FROM {table} WHERE game = ?", (game_id,))
                self.connection.executemany(INSERT[table], rows)
        return same


def _pairs(open_to: Seen) -> list[tuple[str, str]]:
    return sorted((seat, seats_text(visible_to)) for seat, known in open_to.items() for visible_to in known.lists)
