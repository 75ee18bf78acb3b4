"""The results of ledger dice are hidden until the roll is recorded, also in the refusal of a later order."""

from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.face.desk import open_session
from tests.face.domain import RuleViolation
from tests.face.ledger import PositionConflict
from tests.face.testing import FIXTURES
from tests.naming import Naming

FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
ROLL = {"as": "red", "order": "roll", "dice": "2d6", "purpose": "who is first"}
REFUSED = {"as": "red", "order": "move", "unit": "nobody", "path": ["0101"]}


def test_refusal_after_a_roll_waits_until_the_roll_is_recorded(tmp_path: Path) -> None:
    # Orders of a file are recorded together. On a conflict the roll is lost, and no refusal is shown.
    with umpire.open(tmp_path / "club.ledger") as desk:
        game = desk.new("freeform", FORD, id="ford", dice="ledger")
        sitting = open_session(desk.ledger, "ford", batch=16)
        sitting.order(ROLL)
        game.seat("blue").note("wait!")
        with pytest.raises(PositionConflict):
            sitting.order(REFUSED)
        assert game.referee.refusals() == []
        assert sitting.recorded == 0


def test_refusal_after_a_recorded_roll_is_shown(tmp_path: Path) -> None:
    with umpire.open(tmp_path / "club.ledger") as desk:
        game = desk.new("freeform", FORD, id="ford", dice="ledger")
        sitting = open_session(desk.ledger, "ford", batch=16)
        sitting.order(ROLL)
        with pytest.raises(RuleViolation) as refused:
            sitting.order(REFUSED)
        assert (refused.value.rule, refused.value.what) == ("units", Naming("nobody"))
        assert sitting.recorded == 1
        assert len(game.referee.refusals()) == 1
