"""Test caches of branches, states and snapshots before and after a rewind, and at neighboring games and positions."""

import pytest

from tests.face.ledger import (
    Branch,
    Branches,
    PositionConflict,
    branch_to,
)
from tests.ledger.table import number, open_table, play

# Records 1 to 3; 4 follows 1; 5; 6 follows 3.
REWINDS = [(4, 1), (6, 3)]


@pytest.mark.parametrize(
    ("at", "counts"),
    [(0, []), (1, [1]), (3, [1, 2, 3]), (4, [1, 4]), (5, [1, 4, 5]), (6, [1, 2, 3, 6]), (7, [1, 2, 3, 6, 7])],
)
def test_branch_at_each_side_of_a_rewind(at: int, counts: list[int]) -> None:
    branch = branch_to(at, REWINDS)
    assert [one for one in range(-1, 9) if one in branch] == counts
    assert (list(branch), len(branch)) == (counts[::-1], len(counts))
    for after in range(9):
        left = [one for first, last in branch.after(after) for one in range(first, last + 1)]
        assert left == [one for one in counts if one > after]


def test_branch_holds_no_position_that_is_not_a_number() -> None:
    assert "1" not in Branch(1, ((1, 1),))


class Rewinds:
    """A store that counts the queries for rewinds."""

    def __init__(self, **of: list[tuple[int, int]]) -> None:
        self.of = of
        self.asked: list[tuple[str, int]] = []

    def rewinds(self, game_id: str, after: int) -> list[tuple[int, int]]:
        self.asked.append((game_id, after))
        return [one for one in self.of.get(game_id, []) if one[0] > after]


def test_cached_rewinds_of_one_game_are_complete() -> None:
    store = Rewinds(ford=[(4, 1)], bridge=[(3, 1)])
    branches = Branches(store)  # type: ignore[arg-type] # only asked for rewinds
    assert list(branches.to("ford", 3)) == [3, 2, 1]
    assert list(branches.to("bridge", 4)) == [4, 3, 1]
    assert list(branches.to("ford", 5)) == [5, 4, 1]
    assert list(branches.to("ford", 3)) == [3, 2, 1]
    store.of["ford"].append((6, 3))
    assert list(branches.to("ford", 5)) == [5, 4, 1]
    assert list(branches.to("ford", 6)) == [6, 3, 2, 1]
    assert list(branches.to("bridge", 4)) == [4, 3, 1]


@pytest.mark.parametrize(("after", "is_taken"), [(3, False), (4, True), (5, False)])
def test_news_of_a_rewind_count_only_without_a_gap(after: int, is_taken: bool) -> None:
    store = Rewinds(ford=[])
    branches = Branches(store)  # type: ignore[arg-type] # only asked for rewinds
    branches.to("ford", 4)
    store.of["ford"].append((6, 2))
    store.asked.clear()
    branches.grew("ford", after, 6, [(6, 2)])
    branches.grew("bridge", 4, 6, [(6, 5)])
    assert list(branches.to("ford", 6)) == [6, 2, 1]
    assert bool(store.asked) == (not is_taken)


def test_state_at_every_position_around_a_rewind() -> None:
    states = {1: (1,), 2: (1, 2), 3: (1, 2, 3), 4: (1, 4), 5: (1, 4, 5), 6: (1, 2, 3, 6)}
    with open_table() as ledger:
        play(ledger, "g", [1], [2], [3])
        play(ledger, "other", [7], [8], [9], [10], [11], [12])
        for follows, at in ((1, 4), (4, 5), (3, 6)):
            for before in range(1, at):
                assert ledger.state("g", before) == states[before]
            ledger.append("g", after=at - 1, seat="a", command=f"c{at}", drafts=[number(at, follows=follows)])
        assert {at: ledger.state("g", at) for at in (6, 1, 5, 2, 4, 3)} == states
        assert ledger.state("other", 6) == (7, 8, 9, 10, 11, 12)


def test_order_decided_before_a_rewind_is_not_recorded() -> None:
    with open_table() as ledger:
        play(ledger, "g", [1], [2])
        ledger.append("g", after=2, seat="referee", command="undo", drafts=[number(3, follows=1)])
        for seen in (1, 2):
            with pytest.raises(PositionConflict):
                ledger.append("g", after=seen, seat="a", command=f"late-{seen}", drafts=[number(9)])
        ledger.append("g", after=3, seat="a", command="next", drafts=[number(4)])
        assert ledger.state("g") == (1, 3, 4)
