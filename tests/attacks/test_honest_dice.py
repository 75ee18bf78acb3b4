"""Play honest games of every title and reveal their dice: no check objects to a roll, after any rewind or reuse."""

import io
from pathlib import Path

import pytest

from tests.attacks.one_page import one_page
from tests.face.desk import GameStateBuilder, verify_game
from tests.face.domain import Title
from tests.face.ledger import Ledger
from tests.face.testing import (
    GAME,
    GameInLedger,
    opened,
    play,
    scenarios,
    titles,
)
from umpire_ledger.ledger import replay_log

ORDERS = 250


@pytest.mark.parametrize("title", titles(), ids=lambda one: one.id)
@pytest.mark.parametrize("policy", ["reroll", "keep"])
def test_honest_rolls_are_valid(title: Title, policy: str, tmp_path: Path) -> None:
    scenario = scenarios(title)[0]
    with Ledger.open(tmp_path / "l.ledger", GameStateBuilder(), create=True) as ledger:
        brought = title.with_sequence(scenario.sequence(), scenario.options)
        table = GameInLedger(ledger, brought, opened(title, scenario, 3, GAME))
        play(table, 3, ORDERS)
        back = max(end for end in range(1, ledger.size(GAME)) if _ends_order(ledger, end))
        table.give({"as": "referee", "order": "rewind", "to": back, "why": "to try it again", "dice": policy})
        play(table, 4, ORDERS)
        if not table.game.ended:
            table.give({"as": "referee", "order": "end", "reason": "night falls"})
        table.give({"as": "referee", "order": "open-dice"})
        checked = verify_game(ledger, GAME)
        log = io.BytesIO()
        replay_log.write(ledger, GAME, log)
        said = one_page(log.getvalue())
        assert (checked.verdict.verdict, checked.verdict.reason, checked.findings) == ("VALID", "", ())
        assert (said["verdict"], said["rolls recomputed"]) == ("VALID", checked.dice)
        assert checked.dice == table.game.rolls > 0


def _ends_order(ledger: Ledger[object], end: int) -> bool:
    """Return whether an order in the middle of the log ends at a position."""
    size = ledger.size(GAME)
    here, behind = ledger.record(GAME, end), ledger.record(GAME, end + 1)
    return size // 3 < end < size // 2 and here.command != behind.command
