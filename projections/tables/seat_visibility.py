"""What a seat knows: the fold of the records it may see, and of nothing else.

Where a seat may see everything, or everything but the seed of the dice, that is the ledger's own state. Otherwise its
records are folded here, from the nearest snapshot that was taken of the same knowledge.
"""

import contextlib
import zlib
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import msgspec

from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, replace
from umpire_ledger.domain.game.visibility import CLOSED_TO_REFEREE, may_see
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.visible_record import FoldInput, decode_for_fold
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.views_file import HIDDEN, typed

Seats = tuple[str, ...]
SNAPSHOT_EVERY = 500
LONGEST_FOLD = 5000
"""Records folded before a snapshot is left behind: any position is at most so far from one."""
NO_STATE = (ValueError, TypeError, KeyError, zlib.error, RecursionError)
"""What a hurt snapshot ends in: it is passed over, as if there were none."""
NO_LOSS = ("dice.seeded", "note.added", "note.sealed", HIDDEN)
"""Hidden events that do not alter the state, the seed apart: it is blanked separately."""

_json = msgspec.json.Encoder().encode
_seats = msgspec.json.Decoder(tuple[str, ...]).decode
_named = msgspec.json.Decoder(list[Seats | int]).decode


class Secret(msgspec.Struct, frozen=True, order=True):
    """Records with this event that only these seats may see (`()`: nobody yet), the first of them at `first`."""

    first: int
    visible_to: Seats
    event: str


Secrets = tuple[Secret, ...]
"""All secret records of a game, one for each event and list of seats."""


def seats_at(game: Game) -> dict[str, str]:
    """Who has a view of the game, each with its side: the referee, the sides, taken seats, the spectator."""
    taken = {seat: side for seat, side in game.seats.items() if seat not in (*game.side_ids, REFEREE, SPECTATOR)}
    return {REFEREE: "", **{side: side for side in game.side_ids}, **taken, SPECTATOR: ""}


class Visibility(msgspec.Struct, frozen=True):
    """The secret records that somebody may see: those for one of these lists of seats, and all that were laid open.

    `upto`: the last position whose secrets are open to everybody, seeds apart.
    """

    lists: frozenset[Seats]
    upto: int = 0

    def see(self, position: int, visible_to: Seats | None) -> bool:
        """Whether they see a record."""
        return visible_to is None or visible_to in self.lists or (bool(visible_to) and position <= self.upto)


def sees(game: Game, seat: str, position: int, visible_to: Seats | None) -> bool:
    """Whether a seat may see a record: of secrets the referee all but the seed, unless the game is closed.

    `game` need only hold what is public: seats, options, whether the dice are open, and up to where secrets are.
    """
    if visible_to is None or is_for(game, seat, visible_to):
        return True
    return bool(visible_to) and position <= game.secrets_open


def is_for(game: Game, seat: str, visible_to: Seats) -> bool:
    """Whether a list of seats includes this one, whatever was laid open since."""
    if seat == REFEREE and not game.options.get(CLOSED_TO_REFEREE):
        return bool(visible_to) or game.all_seeds_open
    return may_see(seat, game.side_of(seat), visible_to, game.all_seeds_open)


def open_to(secrets: Secrets, seat: str, game: Game) -> Visibility:
    """The secret records that a seat may see: which lists of seats include it, and up to where all are open."""
    return Visibility(
        frozenset(one.visible_to for one in secrets if is_for(game, seat, one.visible_to)), game.secrets_open
    )


def _name(secrets: Secrets, seen: Visibility, at: int) -> str:
    """Names the knowledge of records up to `at`: who sees the same secrets so far knows the same."""
    lists: list[Any] = sorted({one.visible_to for one in secrets if one.first <= at} & seen.lists)
    return str(_json([*lists, seen.upto] if seen.upto else lists), "utf-8")


def eyes_named(name: str) -> Visibility:
    """Whose knowledge a snapshot holds, by its name. Raises one of NO_STATE."""
    parts = _named(name)
    lists = frozenset(one for one in parts if isinstance(one, tuple))
    return Visibility(lists, next((one for one in parts if isinstance(one, int)), 0))


class Knowledge:
    """What seats know of the games of one ledger; snapshots of it are kept with the read models."""

    def __init__(self, ledger: Ledger[Game], views: Tables) -> None:
        self._ledger = ledger
        self._views = views
        self._in_hand: dict[tuple[str, Visibility], tuple[int, Game]] = {}

    def secrets(self, game: str) -> Secrets:
        """What kinds of secret records a game has, on any line."""
        rows = self._views.execute("SELECT first, visible_to, event FROM secret WHERE game = ?", (game,))
        found = typed(rows, tuple[int, str, str])
        return tuple(sorted(Secret(first, _seats(visible_to), event) for first, visible_to, event in found))

    def state(self, game: str, secrets: Secrets, seen: Visibility, at: int) -> Game:
        """The game at a position as it is known to whoever may see the public records and these.

        `secrets`: all that the game has; `seen`: those of them that are open, as `open_to` gives them.
        """
        unseen = [one for one in secrets if one.first <= at and not seen.see(at, one.visible_to)]
        if all(one.event in NO_LOSS for one in unseen):
            whole = self._ledger.state(game, at)
            return replace(whole, seed="") if unseen and not whole.dice_open else whole
        return self._folded(game, secrets, seen, at)

    def _folded(self, game: str, secrets: Secrets, seen: Visibility, at: int) -> Game:
        position, state = self._nearest(game, secrets, seen, at)
        if position == at:
            return state
        since = position
        lines = self._ledger.branch_bytes(game, at, after=position)
        while records := list(map(decode_for_fold, islice(lines, LONGEST_FOLD))):
            state = fold(state, _heard(records, seen))
            position = records[-1].position
            if len(records) == LONGEST_FOLD or position - since >= SNAPSHOT_EVERY:
                self._keep(game, _name(secrets, seen, position), position, state)
        self._in_hand[game, seen] = position, state
        return state

    def _nearest(self, game: str, secrets: Secrets, seen: Visibility, at: int) -> tuple[int, Game]:
        """(position, state) to fold on from, on the branch of `at`."""
        in_hand = self._in_hand.get((game, seen), (0, Game()))
        if in_hand[0] == at:
            return in_hand
        branch = self._ledger.branch(game, at)
        best = in_hand if in_hand[0] in branch else (0, Game())
        folding = self._ledger.folding
        rows = self._views.execute(
            "SELECT position, sees, state FROM snapshot WHERE game = ? AND schema = ? AND position BETWEEN ? AND ?"
            " ORDER BY position DESC",
            (game, folding.schema, best[0] + 1, at),
        )
        for position, known, state in rows:
            if position in branch and known == _name(secrets, seen, position):
                with contextlib.suppress(*NO_STATE):  # a cache: the state is rebuilt
                    return position, folding.load(zlib.decompress(state))
        return best

    def _keep(self, game: str, sees: str, position: int, state: Game) -> None:
        """Leave a snapshot behind; only inside a transaction of whoever follows, a reader leaves none."""
        if self._views.in_transaction:
            folding = self._ledger.folding
            packed = zlib.compress(folding.dump(state), 1)
            self._views.execute(
                "INSERT INTO snapshot (game, position, sees, schema, state) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (game, position, sees) DO UPDATE SET schema = excluded.schema, state = excluded.state",
                (game, position, sees, folding.schema, packed),
            )

    # For whoever doubts the snapshots that others keep.

    @property
    def schema(self) -> str:
        """Names the shape of the states."""
        return self._ledger.folding.schema

    def load(self, raw: bytes) -> Game:
        """A state from a snapshot."""
        return self._ledger.folding.load(raw)

    def folded(self, game: str, seen: Visibility, at: int) -> Game:
        """The game as it is known to whoever may see the public records and these, folded."""
        return self._folded(game, self.secrets(game), seen, at)

    def forget(self, game: str) -> None:
        """Drop what is in hand, because the game has another history now."""
        for key in [key for key in self._in_hand if key[0] == game]:
            del self._in_hand[key]


def _heard(records: Iterable[FoldInput], seen: Visibility) -> Iterator[AnyEvent]:
    for record in records:
        if record.event is not None and seen.see(record.position, record.visible_to):
            yield record.event
