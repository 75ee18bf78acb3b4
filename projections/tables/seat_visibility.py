"""Rebuild the knowledge of a seat, from only the records that it may see.

If the seat may see everything, or everything except the seed of the dice, its knowledge is the ledger's own state.
Otherwise its records are applied here, from the nearest snapshot of the same knowledge.
"""

import contextlib
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE, may_see
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, replace
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.visible_record import FoldInput, decode_for_fold
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.views_file import HIDDEN, typed

Seats = tuple[str, ...]
SNAPSHOT_EVERY = 500
LONGEST_FOLD = 5000
"""The most records to apply before a snapshot is stored, which limits the distance of any position from a snapshot."""
NO_STATE = (ValueError, TypeError, KeyError, zlib.error, RecursionError)
"""Errors from a damaged snapshot, which is then ignored."""
NO_LOSS = ("dice.seeded", "note.added", "note.sealed", HIDDEN)
"""Hidden events that do not change the state, except the seed, which is removed separately."""

_json = msgspec.json.Encoder().encode
_seats = msgspec.json.Decoder(tuple[str, ...]).decode
_named = msgspec.json.Decoder(list[Seats | int]).decode


class Secret(msgspec.Struct, frozen=True, order=True):
    """A kind of secret records. `visible_to`: the seats that may see them, () for none yet; `first`: first position."""

    first: int
    visible_to: Seats
    event: str


Secrets = tuple[Secret, ...]
"""All kinds of secret records of a game, one for each event and list of seats."""


def seats_at(game: Game) -> dict[str, str]:
    """Return the seats that can see the game, each with its side: referee, sides, taken seats, spectator."""
    taken = {seat: side for seat, side in game.seats.items() if seat not in (*game.side_ids, REFEREE, SPECTATOR)}
    return {REFEREE: "", **{side: side for side in game.side_ids}, **taken, SPECTATOR: ""}


class Visibility(msgspec.Struct, frozen=True):
    """The secret records that may be seen. `lists`: the lists of seats whose records are visible.

    `upto`: the last position whose secrets, except seeds, are revealed to everyone.
    """

    lists: frozenset[Seats]
    upto: int = 0

    def see(self, position: int, visible_to: Seats | None) -> bool:
        """Return whether a record may be seen."""
        return visible_to is None or visible_to in self.lists or (bool(visible_to) and position <= self.upto)


def sees(game: Game, seat: str, position: int, visible_to: Seats | None) -> bool:
    """Return whether a seat may see a record.

    The referee sees all secrets except the seed, unless secrets are closed to the referee. `game` needs only public
    facts: seats, options, whether the seeds are revealed, and the last revealed position.
    """
    if visible_to is None or is_for(game, seat, visible_to):
        return True
    return bool(visible_to) and position <= game.secrets_open


def is_for(game: Game, seat: str, visible_to: Seats) -> bool:
    """Return whether a seat may see records for a list of seats, without regard to revealed secrets."""
    if seat == REFEREE and not game.options.get(CLOSED_TO_REFEREE):
        return bool(visible_to) or game.all_seeds_open
    return may_see(seat, game.side_of(seat), visible_to, game.all_seeds_open)


def open_to(secrets: Secrets, seat: str, game: Game) -> Visibility:
    """Return the secret records that a seat may see."""
    return Visibility(
        frozenset(one.visible_to for one in secrets if is_for(game, seat, one.visible_to)), game.secrets_open
    )


def _name(secrets: Secrets, seen: Visibility, at: int) -> str:
    """Return a name for the visible secrets up to a position. Equal knowledge has the same name."""
    lists: list[Any] = sorted({one.visible_to for one in secrets if one.first <= at} & seen.lists)
    return str(_json([*lists, seen.upto] if seen.upto else lists), "utf-8")


def eyes_named(name: str) -> Visibility:
    """Return the visibility of a snapshot from its name. An invalid name raises an error in `NO_STATE`."""
    parts = _named(name)
    lists = frozenset(one for one in parts if isinstance(one, tuple))
    return Visibility(lists, next((one for one in parts if isinstance(one, int)), 0))


class Knowledge:
    """The knowledge of seats in the games of one ledger. Snapshots are stored with the read models."""

    def __init__(self, ledger: Ledger[Game], views: Tables) -> None:
        self._ledger = ledger
        self._views = views
        self._in_hand: dict[tuple[str, Visibility], tuple[int, Game]] = {}

    def secrets(self, game_id: str) -> Secrets:
        """Return the kinds of secret records that a game has, on any branch."""
        rows = self._views.execute("SELECT first, visible_to, event FROM secret WHERE game = ?", (game_id,))
        found = typed(rows, tuple[int, str, str])
        return tuple(sorted(Secret(first, _seats(visible_to), event) for first, visible_to, event in found))

    def state(self, game_id: str, secrets: Secrets, seen: Visibility, at: int) -> Game:
        """Return the game at a position, built from public records and visible secrets.

        Args:
            secrets: All kinds of secret records of the game.
            seen: The visible secret records, from `open_to`.
        """
        unseen = [one for one in secrets if one.first <= at and not seen.see(at, one.visible_to)]
        if all(one.event in NO_LOSS for one in unseen):
            whole = self._ledger.state(game_id, at)
            return replace(whole, seed="") if unseen and not whole.dice_open else whole
        return self._folded(game_id, secrets, seen, at)

    def _folded(self, game_id: str, secrets: Secrets, seen: Visibility, at: int) -> Game:
        position, state = self._nearest(game_id, secrets, seen, at)
        if position == at:
            return state
        since = position
        lines = self._ledger.branch_bytes(game_id, at, after=position)
        while records := list(map(decode_for_fold, islice(lines, LONGEST_FOLD))):
            state = fold(state, _heard(records, seen))
            position = records[-1].position
            if len(records) == LONGEST_FOLD or position - since >= SNAPSHOT_EVERY:
                self._keep(game_id, _name(secrets, seen, position), position, state)
        self._in_hand[game_id, seen] = position, state
        return state

    def _nearest(self, game_id: str, secrets: Secrets, seen: Visibility, at: int) -> tuple[int, Game]:
        """Return position and state of the nearest snapshot on the branch of `at`; 0 and an empty game if none."""
        in_hand = self._in_hand.get((game_id, seen), (0, Game()))
        if in_hand[0] == at:
            return in_hand
        branch = self._ledger.branch(game_id, at)
        best = in_hand if in_hand[0] in branch else (0, Game())
        folding = self._ledger.folding
        rows = self._views.execute(
            "SELECT position, sees, state FROM snapshot WHERE game = ? AND schema = ? AND position BETWEEN ? AND ?"
            " ORDER BY position DESC",
            (game_id, folding.schema, best[0] + 1, at),
        )
        for position, known, state in rows:
            if position in branch and known == _name(secrets, seen, position):
                with contextlib.suppress(*NO_STATE):  # A damaged snapshot is only a cache miss.
                    return position, folding.load(zlib.decompress(state))
        return best

    def _keep(self, game_id: str, sees: str, position: int, state: Game) -> None:
        """Store a snapshot if a transaction is open. A reader has none, and stores nothing."""
        if self._views.in_transaction:
            folding = self._ledger.folding
            packed = zlib.compress(folding.dump(state), 1)
            self._views.execute(
                "INSERT INTO snapshot (game, position, sees, schema, state) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (game, position, sees) DO UPDATE SET schema = excluded.schema, state = excluded.state",
                (game_id, position, sees, folding.schema, packed),
            )

    # For checking the stored snapshots.

    @property
    def schema(self) -> str:
        """Version of the format of states."""
        return self._ledger.folding.schema

    def load(self, raw: bytes) -> Game:
        """Return the state in a snapshot."""
        return self._ledger.folding.load(raw)

    def folded(self, game_id: str, seen: Visibility, at: int) -> Game:
        """Return the game at a position, always rebuilt from visible records instead of the ledger's own state."""
        return self._folded(game_id, self.secrets(game_id), seen, at)

    def forget(self, game_id: str) -> None:
        """Drop the cached states of a game whose history changed."""
        for key in [key for key in self._in_hand if key[0] == game_id]:
            del self._in_hand[key]


def _heard(records: Iterable[FoldInput], seen: Visibility) -> Iterator[AnyEvent]:
    for record in records:
        if record.event is not None and seen.see(record.position, record.visible_to):
            yield record.event
