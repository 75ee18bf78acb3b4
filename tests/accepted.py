"""Find the kinds of orders that no directed test gets accepted, as `raises.py` finds refusals that none reaches.

A full run of the tests fails if no test of a title gets one of its orders accepted. Random play and recorded games do
not count, because no test there states the result of the order. To print the missing kinds:

    python -m tests.accepted
"""

import sys
from collections.abc import Iterable, Iterator

import pytest

from tests.face.domain import (
    BUILT_IN,
    EVERYWHERE,
    Decision,
    Game,
    History,
    Sent,
    Title,
    load,
)
from tests.raises import is_directed
from umpire_ledger.testing import story

RECORDED = ("test_recorded_games", "test_order_files", "test_superseded_games", "_fixtures", "tests/docs")
"""Parts of the paths of tests that play recorded games."""


class Accepted:
    """Notes the title and the kind of every order of play that a directed test gets accepted."""

    def __init__(self) -> None:
        self.in_a_story = False
        self.seen: set[tuple[str, str]] = set()

    def begin(self) -> None:
        decide = story.decide

        def noting(title: Title, game: Game, sent: Sent, past: History) -> Decision:
            decision = decide(title, game, sent, past)
            if self.in_a_story:
                self.seen.add((title.id, sent.order.tag()))
            return decision

        story.decide = noting  # It is never restored, because the run ends with it.


ACCEPTED = Accepted()


def is_story(path: str) -> bool:
    return is_directed(path) and not any(part in path for part in RECORDED)


def every_kind() -> Iterator[tuple[str, str]]:
    """Yield the orders of play of every built-in title: its own, and the generic orders that its steps allow."""
    for reference in BUILT_IN.values():
        title = load(reference)
        yield from ((title.id, name) for name, order in title.every_order.items() if order not in EVERYWHERE)


def never_accepted(seen: Iterable[tuple[str, str]]) -> list[str]:
    """Return the kinds of orders that no directed test gets accepted, in words."""
    return [f"{title}: {order}" for title, order in sorted({*every_kind()} - {*seen})]


if __name__ == "__main__":
    sys.exit(pytest.main(["-q", "-n", "auto", "--print-never-accepted", *sys.argv[1:]]))
