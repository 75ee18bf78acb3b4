"""Check a random game in a real ledger: its replay, snapshots, export, rewinds and refusals."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR
from umpire_ledger.ledger import replay_log
from umpire_ledger.projections.tables.updater import Follower
from umpire_ledger.testing.examples import error_text
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.in_ledger import GAME, GameInLedger, empty_ledger, play
from umpire_ledger.testing.random_play import opened
from umpire_ledger.testing.title_under_test import Trial

LONG, MIDDLE, SHORT = 120, 30, 10
"""The number of orders in a long, a middle and a short game."""
NONSENSE = (
    {"as": "nobody", "order": "done"},
    {"as": "SIDE", "order": "no-such-order"},
    {"as": "SIDE", "order": "rewind", "to": 1},
    {"as": "SIDE", "order": "done", "step": "no-such-step"},
    {"as": "SIDE"},
    {"as": REFEREE, "order": "excuse", "reason": "no such step", "step": "no-such-step"},
)
_EVENTS = "tell an event for every change, with values that JSON can hold; keep nothing beside the game"


@contextmanager
def recorded(trial: Trial, orders: int) -> Iterator[GameInLedger]:
    """Yield a random game in a ledger in memory."""
    with empty_ledger() as ledger:
        table = GameInLedger(ledger, trial.title, opened(trial.title, trial.scenarios[0], trial.seed, GAME))
        play(table, trial.seed, orders)
        yield table


def _finding(trial: Trial, what: str, about: str = "", differs: str = "") -> Finding:
    return Finding(what=what, remedy=_EVENTS, about=about, differs=differs, seed=trial.seed)


def replayed(trial: Trial) -> Iterator[Finding]:
    """Compare the state that is rebuilt from the log with the live state, at every third position."""
    with recorded(trial, LONG) as table:
        for position in range(1, len(table.live), 3):
            if table.ledger.state(GAME, position) != table.live[position]:
                yield _finding(trial, f"at #{position} the replayed state is not the live state")
                return


def snapshots(trial: Trial) -> Iterator[Finding]:
    """Compare states that are read with and without snapshots, at every seventh position."""
    with recorded(trial, LONG) as table:
        positions = range(1, len(table.live), 7)
        through = [table.ledger.state(GAME, position) for position in positions]
        table.ledger.drop_snapshots()
        for position, state in zip(positions, through, strict=True):
            if table.ledger.state(GAME, position) != state:
                yield _finding(trial, f"at #{position} the state through a snapshot is another one than without")
                return


def exported(trial: Trial) -> Iterator[Finding]:
    """Check that an export, imported into another ledger, has the same bytes and state and is VALID."""
    with recorded(trial, LONG) as table, open_ledger(":memory:", create=True) as other:
        first, second = io.BytesIO(), io.BytesIO()
        replay_log.write(table.ledger, GAME, first)
        replay_log.read_into(other, io.BytesIO(first.getvalue()))
        replay_log.write(other, GAME, second)
        if first.getvalue() != second.getvalue():
            yield _finding(trial, "exported, imported and exported again the log has other bytes")
        if other.state(GAME) != table.game:
            yield _finding(trial, "exported and imported the game is another one")
        if (verdict := replay_log.verify(io.BytesIO(first.getvalue()))).verdict != "VALID":
            yield _finding(trial, f"the exported log is {verdict.verdict}: {verdict.reason}")


def rewound(trial: Trial) -> Iterator[Finding]:
    """Rewind to the opening and play forward again."""
    with recorded(trial, MIDDLE) as table:
        before = table.game
        start = table.ledger.answer(GAME, "open")[-1].position
        table.give({"as": REFEREE, "order": "rewind", "to": start, "why": "from the start"})
        if table.game != table.live[start] and table.ledger.state(GAME) != table.game:
            yield _finding(trial, "rewound to its opening the game is not what it was then")
        table.give({"as": REFEREE, "order": "redo"})
        if table.game != before:
            yield _finding(trial, "rewound and redone the game is not what it was")


def untouched(trial: Trial) -> Iterator[Finding]:
    """Give several kinds of invalid orders, and check that each is refused and changes nothing."""
    with recorded(trial, SHORT) as table:
        ledger, game = table.ledger, table.game
        before = ledger.size(GAME), ledger.checkpoint(GAME).text(), ledger.state(GAME)
        for nonsense in NONSENSE:
            raw = {key: game.side_ids[0] if value == "SIDE" else value for key, value in nonsense.items()}
            found = partial(_finding, trial, about=str(raw.get("order", "")))
            try:
                table.give(raw)
                yield found(f"{raw} was accepted")
            except RuleViolation:
                continue
            except Exception as error:
                yield found(f"{raw} raised {error_text(error)}")
        if before != (ledger.size(GAME), ledger.checkpoint(GAME).text(), ledger.state(GAME)):
            yield _finding(trial, "a refused order left its mark in the ledger")


def seed_unseen(trial: Trial) -> Iterator[Finding]:
    """Check that no seat's view of the game contains the seed."""
    with recorded(trial, SHORT) as table, Follower(table.ledger, ":memory:", lambda _: trial.title) as follower:
        for seat in (REFEREE, *table.game.side_ids, SPECTATOR):
            if follower.known_to(GAME, seat).seed:
                yield _finding(trial, f"{seat} knows the seed of the dice", about=seat)
