"""What each seat sees now, as rows: its turn view, the pieces as it knows them, and which secrets are open to it.

All of it happens inside a transaction of `Follower`.
"""

import sqlite3

import msgspec

from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.projections.tables import pieces
from umpire_ledger.projections.tables.audit_trail import seats_text
from umpire_ledger.projections.tables.copies import copied_from
from umpire_ledger.projections.tables.game_rows import INSERT
from umpire_ledger.projections.tables.knowledge import Knowledge, Seats, open_to, seats_at
from umpire_ledger.projections.tables.standing import standing_of
from umpire_ledger.projections.tables.told import NewestTold
from umpire_ledger.projections.tables.turn_view import Shared, TitleOf, TurnView, turn_view

_PUT_VIEW = INSERT["turn_view"].replace("INSERT", "INSERT OR REPLACE")
_json = msgspec.json.Encoder().encode


class SeatRows:
    """Writes what the seats of games see into one file of read models."""

    def __init__(
        self, connection: sqlite3.Connection, ledger: Ledger[Game], knowledge: Knowledge, title_of: TitleOf
    ) -> None:
        self.connection = connection
        self._ledger = ledger
        self._knowledge = knowledge
        self._title_of = title_of
        self._newest = NewestTold(ledger)

    def forget(self, game: str) -> None:
        """Let go of what is in hand of a game whose rows are wiped."""
        self._newest.forget(game)

    def write(self, game: str, state: Game, behind: int, size: int) -> None:
        """Seats that know the same share one fold and one set of pieces.

        `behind`: the position at which the rows stand that are there; 0 for none, and for those of another edition.
        """
        secrets = self._knowledge.secrets(game)
        seats = seats_at(state)
        seen = {seat: open_to(secrets, seat, state) for seat in seats}
        first = {known: seat for seat, known in reversed(seen.items())}
        as_before = self._write_seats(game, seats, seen, first) and behind > 0

        def known_at(position: int) -> dict[str, Game]:
            return {seat: self._knowledge.state(game, secrets, known, position) for known, seat in first.items()}

        before = known_at(behind) if as_before else None
        now = known_at(size)
        pieces.write(self.connection, game, now, before)
        title = self._title_of(state.title)
        shared = {seat: Shared() for seat in first.values()}
        told, standing = self._newest.told(game, title, state, size, first), standing_of(self.connection, game)
        views = [
            turn_view(title, now[who], seat, size, shared[who], replace(standing, last=told[seen[seat]]))
            for seat in seats
            for who in (first[seen[seat]],)
        ]
        if not as_before:
            self.connection.execute("DELETE FROM turn_view WHERE game = ?", (game,))
        copied = copied_from(self._ledger, game)
        self.connection.executemany(
            _PUT_VIEW, [view_row(game, replace(view, game=game, copied=copied)) for view in views]
        )

    def _write_seats(
        self, game: str, seats: dict[str, str], seen: dict[str, frozenset[Seats]], first: dict[frozenset[Seats], str]
    ) -> bool:
        """Who has a view of the game, and who sees which secrets; says whether all of it was so before."""
        wanted: dict[str, list[tuple[str, ...]]] = {
            "seat": [(game, seat, side, first[seen[seat]]) for seat, side in seats.items()],
            "sees": [(game, *pair) for pair in _pairs(seen)],
        }
        same = True
        for table, rows in wanted.items():
            there = self.connection.execute(f"SELECT * FROM {table} WHERE game = ? ORDER BY rowid", (game,)).fetchall()
            if there != rows:
                same = False
                self.connection.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
                self.connection.executemany(INSERT[table], rows)
        return same


def view_row(game: str, view: TurnView) -> tuple[str, str, int, int, str, str, str, str]:
    """A turn view as it is stored."""
    steps, waiting = ", ".join(view.open), ", ".join(view.waiting)
    return game, view.seat, view.position, view.turn, view.where, steps, waiting, str(_json(view), "utf-8")


def _pairs(open_to: dict[str, frozenset[Seats]]) -> list[tuple[str, str]]:
    return sorted((seat, seats_text(visible_to)) for seat, known in open_to.items() for visible_to in known)
