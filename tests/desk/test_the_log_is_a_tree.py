"""The log is a tree: random undo, redo and rewind among random orders, compared with a fold of the branch by hand.

The full size, 10,000 rewinds among 50,000 orders, takes some minutes: UMPIRE_REWINDS=10000 pytest tests/desk
"""

import hashlib
import os
import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.desk.game import DeskGame, any_game
from tests.face.desk import event_of, find_title
from tests.face.domain import (
    REFEREE,
    AnyEvent,
    Game,
    PlayRewound,
    RuleViolation,
    Title,
    evolve,
    fold,
)
from tests.face.ledger import Record
from tests.face.projections import Follower, lines
from tests.face.testing import Player, titles

REWINDS = int(os.environ.get("UMPIRE_REWINDS", "240"))
ORDERS = 5 * REWINDS
LOOKS = 8
"""Number of comparisons of the audit trail, and of rebuilds of the whole branch."""

every_title = pytest.mark.parametrize("title", titles(), ids=[title.id for title in titles()])


class ByHand:
    """The log kept by hand: the predecessor of each record, and the states computed with the domain's fold alone."""

    def __init__(self) -> None:
        self.parents = [0]
        self.events: list[AnyEvent | None] = [None]
        self.states = [Game()]
        self.ends = [0]
        self.bytes = hashlib.sha256()

    def take(self, records: tuple[Record, ...]) -> None:
        for record in records:
            event = event_of(record)
            assert event is not None
            parent = event.to if isinstance(event, PlayRewound) else record.position - 1
            self.parents.append(parent)
            self.events.append(event)
            self.states.append(evolve(self.states[parent], event))
            self.bytes.update(record.encode())
        self.ends.append(records[-1].position)

    @property
    def tip(self) -> int:
        return len(self.parents) - 1

    def line(self) -> list[int]:
        """Return the positions that count, by following the predecessors."""
        found, at = [], self.tip
        while at:
            found.append(at)
            at = self.parents[at]
        return found[::-1]

    def folded(self) -> Game:
        """Return the state of the whole branch, folded from its beginning."""
        return fold(Game(), (event for at in self.line() if (event := self.events[at]) is not None))


def at_the_ford(rng: random.Random, game: Game) -> dict[str, Any]:
    """Some order of freeform."""
    side = rng.choice(("red", "blue"))
    return rng.choice(
        (
            {"order": "move", "unit": f"{side[0]}1", "path": [f"{rng.randrange(100, 9999):04}"]},
            {"order": "pay", "account": f"vp/{side}", "amount": rng.randrange(-5, 6)},
            {"order": "mark", "marker": "wind", "to": rng.choice(("N", "E", "S", "W", None))},
            {"order": "change", "unit": f"{side[0]}1", "attribute": "steps", "to": rng.randrange(9)},
            {"order": "roll", "purpose": "fire", "dice": "2d6", "subjects": [f"{side[0]}1"]},
            {"order": "choose", "question": "which way", "choice": rng.choice(("left", "right"))},
            {"order": "seal-choice", "question": f"plan {game.rolls % 7}", "choice": "hold"},
            {"order": "note", "text": "a remark"},
            {"order": "place", "unit": f"{side}-{game.acts}", "side": side, "kind": "foot", "at": "0101"},
        )
    ) | {"as": side}


def going_back(rng: random.Random, hand: ByHand) -> dict[str, Any]:
    """Choose an undo, a redo, or a rewind to the end of any past order, with any dice."""
    dice = rng.choice(("reroll", "keep", "keep-unless-new"))
    match rng.choice(("undo", "redo", "rewind", "back")):
        case "undo":
            return {"as": REFEREE, "order": "undo", "orders": rng.randrange(1, 6), "why": "a test", "dice": dice}
        case "redo":
            return {"as": REFEREE, "order": "redo"}
        case "back":
            to = rng.choice(hand.ends[-30:] if len(hand.ends) > 30 else hand.ends[1:])
        case _:
            to = rng.choice(hand.ends[1:])
    return {"as": REFEREE, "order": "rewind", "to": max(to, hand.ends[1]), "why": "a test", "dice": dice}


def opened(game: DeskGame) -> ByHand:
    hand = ByHand()
    for record in game.ledger.records("g"):
        hand.take((record,))
    hand.ends = [0, hand.tip]
    return hand


@pytest.fixture
def tree() -> Iterator[DeskGame]:
    game = DeskGame(":memory:")
    yield game
    game.close()


def test_random_rewinds_match_a_fold_by_hand(tree: DeskGame) -> None:
    rng = random.Random(11)
    hand = opened(tree)
    looks = {ORDERS * look // LOOKS for look in range(1, LOOKS + 1)}
    back = 0
    with closing(Follower(tree.ledger, ":memory:", find_title)) as views:
        for number in range(1, ORDERS + 1):
            while back < number * REWINDS // ORDERS:
                try:
                    hand.take(tree.sitting.order(going_back(rng, hand)).records)
                except RuleViolation:
                    continue
                back += 1
                assert tree.game == hand.states[-1]
            try:
                hand.take(tree.sitting.order(at_the_ford(rng, tree.game)).records)
            except RuleViolation:
                hand.take(tree.give("red", "pay", account="vp/red", amount=1).records)
            assert tree.game == hand.states[-1]
            if number in looks:
                look(tree, hand, views)
        views.rebuild("g")
        assert counting(views) == sorted({*hand.line(), *notes(views)})
    assert back == REWINDS
    nothing_is_lost(tree, hand)
    for at in (rng.choice(hand.ends) for _ in range(50)):
        tree.ledger.drop_snapshots()
        assert tree.ledger.state("g", at) == hand.states[at]


def counting(views: Follower) -> list[int]:
    rows = views.connection.execute("SELECT position FROM audit WHERE counts ORDER BY position")
    return [position for (position,) in rows]


def notes(views: Follower) -> list[int]:
    """Return the positions of notes, which count on every branch."""
    return [at for (at,) in views.connection.execute("SELECT position FROM audit WHERE event = 'note.added'")]


def look(game: DeskGame, hand: ByHand, views: Follower) -> None:
    """Compare the branch folded from its beginning, and the records that count in the audit trail."""
    assert hand.folded() == game.game == game.ledger.state("g")
    views.catch_up("g")
    assert counting(views) == sorted({*hand.line(), *notes(views)})


def nothing_is_lost(game: DeskGame, hand: ByHand) -> None:
    """Check that each record is stored unchanged, and that all hashes are correct."""
    assert game.size == hand.tip
    kept = hashlib.sha256()
    for line in game.ledger.lines("g"):
        kept.update(line)
    assert kept.digest() == hand.bytes.digest()
    assert game.ledger.verify("g").verdict == "VALID"


@every_title
def test_every_title_is_a_tree(title: Title, tmp_path: Path) -> None:
    """Use a file, with the orders of the title."""
    game = any_game(tmp_path / "umpire.db", title, orders=10)
    rng, hand, player = random.Random(7), opened(game), Player(title, 8)
    hand.ends = [0, game.opened_at(), game.size]
    for number in range(60):
        raw = going_back(rng, hand) if number % 3 == 2 else tried(game, player)
        try:
            hand.take(game.sitting.order(raw).records)
        except RuleViolation:
            continue
        assert game.game == hand.states[-1]
    assert game.counting() == hand.line()
    assert hand.folded() == game.game
    nothing_is_lost(game, hand)
    game.close()


def tried(game: DeskGame, player: Player) -> dict[str, Any]:
    """Return a legal order; reused dice do not change the legal orders."""
    if game.game.ended:
        return {"as": REFEREE, "order": "note", "text": "the game is over"}
    free = msgspec.structs.replace(game.game, keep=None)
    order, _ = player.choose(free)
    raw: dict[str, Any] = msgspec.to_builtins(order)
    return raw


def test_lines_name_every_tip_that_was_left(tree: DeskGame) -> None:
    # 1 pays; undo; 2 pays; rewind before it; 3 pays: three branches after the opening, one of which counts.
    start = tree.size
    tree.give("red", "pay", account="vp/red", amount=1)
    tree.give("red", "undo")
    tree.give("red", "pay", account="vp/red", amount=2)
    tree.give(REFEREE, "rewind", to=start, why="neither")
    tree.give("red", "pay", account="vp/red", amount=3)
    with tree.views() as views:
        found = lines(tree.ledger, views.connection, "g", REFEREE)
    assert [(one.tip, one.parts, one.depth, one.orders, one.counts) for one in found] == [
        (start + 1, 0, 0, 1, False),
        (start + 3, start, 1, 1, False),
        (start + 5, start, 1, 1, True),
    ]
    assert [(one.kind, one.by, one.why) for one in found[:2]] == [("undo", "red", ""), ("rewind", REFEREE, "neither")]


def test_restored_branch_is_one_branch(tree: DeskGame) -> None:
    tree.give("red", "pay", account="vp/red", amount=1)
    tree.give("red", "undo")
    tree.give("red", "redo")
    tree.give("red", "pay", account="vp/red", amount=1)
    with tree.views() as views:
        (only,) = lines(tree.ledger, views.connection, "g", REFEREE)
    assert (only.tip, only.orders, only.counts) == (tree.size, 2, True)
