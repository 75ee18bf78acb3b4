"""List the branches of a log as a tree, each with the position of its fork and the record that abandoned it.

An abandoned branch that a redo continues is one branch. Branches without orders of play are omitted.
"""

from bisect import bisect_right

import msgspec

from umpire_ledger.domain.game.events import PlayRewound, read as read_event
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables.dialect import Tables
from umpire_ledger.projections.tables.undo_points import NOT_PLAY_TAGS
from umpire_ledger.projections.tables.views_file import SEEN, key_of, row_id


class LineOfPlay(msgspec.Struct, frozen=True, kw_only=True):
    """A branch of the tree. `tip`: its last record, a position for `status --at`, `diff` and `rewind --to`.

    `parent`: the tip of the branch that it forks from, 0 for the trunk. `parts`: the last record that both have in
    common. `orders`, `rolls`: the number of orders and of rolls after `parts`. `left`: the record that abandoned the
    branch, 0 for the current branch. `kind`, `by`, `why`: the kind, seat and reason of that record.
    """

    tip: int
    parent: int
    parts: int
    depth: int
    counts: bool
    orders: int
    rolls: int
    left: int
    kind: str
    by: str
    why: str
    at: str
    where: str


class _Stem(msgspec.Struct):
    """A branch under construction: its stretches in the log, and the branch and position it forks from."""

    stretches: list[tuple[int, int]]
    parent: int
    """Index of the parent branch; -1 if there is none."""
    parts: int

    @property
    def tip(self) -> int:
        return self.stretches[-1][1]


def lines(ledger: Ledger[Game], views: Tables, game_id: str, seat: str, last: int | None = None) -> list[LineOfPlay]:
    """Return the branches of a game, oldest first, each after the branch that it forks from.

    Args:
        last: The largest number of branches to return; those with the newest tips, so also the current branch. None:
            all.

    Raises:
        NoSuchGame: When the ledger has no such game.
    """
    size = ledger.size(game_id)
    stems = _stems(ledger.rewinds(game_id), size)
    own = {at: _counts(views, game_id, seat, stem) for at, stem in enumerate(stems)}
    shown = {at for at, stem in enumerate(stems) if own[at][0] or stem.tip == size or stem.parent < 0}
    if last is not None:
        shown = set(sorted(shown, key=lambda at: stems[at].tip)[-last:])
    children: dict[int, list[int]] = {}
    for at, stem in enumerate(stems):
        children.setdefault(stem.parent, []).append(at)
    found: list[LineOfPlay] = []
    growing = [(0, 0, 0)]
    while growing:
        at, depth, parent = growing.pop()
        stem = stems[at]
        if at in shown:
            found.append(_branch(ledger, game_id, stem, own[at], depth=depth, parent=parent, counts=stem.tip == size))
            depth, parent = depth + 1, stem.tip
        growing += [(child, depth, parent) for child in reversed(children.get(at, []))]
    return found


def _stems(rewinds: list[tuple[int, int]], size: int) -> list[_Stem]:
    """Group the stretches between rewinds into branches; a stretch that continues at a tip joins its branch."""
    starts = [1, *(position for position, _ in rewinds)]
    follows = dict(rewinds)
    home: dict[int, int] = {}
    stems: list[_Stem] = []
    for number, first in enumerate(starts):
        last = starts[number + 1] - 1 if number + 1 < len(starts) else size
        back = follows.get(first, 0)
        while back in follows:  # A rewind restores the state of its target.
            back = follows[back]
        at = home[starts[bisect_right(starts, back) - 1]] if back else -1
        if at >= 0 and back == stems[at].tip:
            stems[at].stretches.append((first, last))
        else:
            stems.append(_Stem([(first, last)], at, back))
            at = len(stems) - 1
        home[first] = at
    return stems


def _counts(views: Tables, game_id: str, seat: str, stem: _Stem) -> tuple[int, int]:
    """Return the number of orders and of rolls on a branch, without its parent."""
    key = key_of(views, game_id)
    select = (
        f"SELECT count(*) FILTER (WHERE starts AND NOT ({SEEN} AND event IN {(*NOT_PLAY_TAGS, 'game.opened')})),"
        f" count(*) FILTER (WHERE {SEEN} AND event = 'dice.rolled') FROM audit WHERE id BETWEEN :first AND :last"
    )
    found = [
        views.execute(
            select, {"game": game_id, "seat": seat, "first": row_id(key, first), "last": row_id(key, last)}
        ).fetchone()
        for first, last in stem.stretches
    ]
    return sum(orders for orders, _ in found), sum(rolls for _, rolls in found)


def _branch(
    ledger: Ledger[Game],
    game_id: str,
    stem: _Stem,
    own: tuple[int, int],
    *,
    depth: int,
    parent: int,
    counts: bool,
) -> LineOfPlay:
    left, kind, by, why = 0, "", "", ""
    if not counts:
        record = ledger.record(game_id, stem.tip + 1)
        event = read_event(bytes(record.event), record.position) if not record.redacted else None
        left, by = record.position, record.seat
        if isinstance(event, PlayRewound):
            kind, why = event.kind, event.why
    return LineOfPlay(
        tip=stem.tip,
        parent=parent,
        parts=stem.parts,
        depth=depth,
        counts=counts,
        orders=own[0],
        rolls=own[1],
        left=left,
        kind=kind,
        by=by,
        why=why,
        at=ledger.record(game_id, stem.tip).at,
        where=ledger.state(game_id, stem.tip).where,
    )
