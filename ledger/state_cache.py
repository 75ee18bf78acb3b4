"""Return the state at any position, from a cache or built from the nearest state on the same branch."""

from __future__ import annotations

from collections import OrderedDict
from itertools import islice
from threading import RLock
from typing import Generic

from umpire_ledger.ledger.branches import Branch, Branches
from umpire_ledger.ledger.snapshots import Snapshots
from umpire_ledger.ledger.state_builder import S, StateBuilder

STATES_IN_HAND = 64  # undo points are recent, and an immutable state costs only a reference
STRIDE = 25  # records from one cached state to the next


class StateCache(Generic[S]):
    """The states of the games in one store. The most recently used ones are cached."""

    def __init__(self, branches: Branches, snapshots: Snapshots[S], folding: StateBuilder[S]) -> None:
        self._branches = branches
        self._snapshots = snapshots
        self._folding = folding
        self._lock = RLock()
        self._in_hand: OrderedDict[tuple[str, int], S] = OrderedDict()

    def at(self, game_id: str, at: int) -> S:
        """Return the state at a position that the game has; 0 is before the first record."""
        with self._lock:
            state = self._in_hand.get((game_id, at))
            if state is not None:
                self._in_hand.move_to_end((game_id, at))
                return state
            branch = self._branches.to(game_id, at)
            base, state = self._nearest(game_id, branch)
            state = self._fold_along(game_id, branch, base, state)
            self.keep(game_id, at, state)
            return state

    def _nearest(self, game_id: str, branch: Branch) -> tuple[int, S]:
        """Return the (position, state) from which to build: a cached state, a snapshot, or the start."""
        in_hand = max((at for name, at in self._in_hand if name == game_id and at in branch), default=0)
        for position in self._snapshots.positions(game_id, branch.at):
            if position <= in_hand:
                break
            if position in branch and (dumped := self._snapshots.state(game_id, position)) is not None:
                return position, self._folding.load(dumped)
        return (in_hand, self._in_hand[game_id, in_hand]) if in_hand else (0, self._folding.start())

    def _fold_along(self, game_id: str, branch: Branch, base: int, state: S) -> S:
        """Apply events from `base` to the end of a branch. On a short way, cache states for callers that step back."""
        lines = self._branches.lines(game_id, branch, base)
        if branch.at - base > self._snapshots.every:
            return self._folding.fold(state, lines)
        for first, last in branch.after(base):
            for start in range(first, last + 1, STRIDE):
                end = min(start + STRIDE - 1, last)
                state = self._folding.fold(state, islice(lines, end - start + 1))
                self.keep(game_id, end, state)
        return state

    def keep(self, game_id: str, at: int, state: S) -> None:
        """Cache a state, and drop the least recently used one."""
        with self._lock:
            self._in_hand[game_id, at] = state
            self._in_hand.move_to_end((game_id, at))
            while len(self._in_hand) > STATES_IN_HAND:
                self._in_hand.popitem(last=False)

    def forget(self) -> None:
        """Drop all cached states."""
        with self._lock:
            self._in_hand.clear()
