"""Add a new event to a copy of the package, and check that only one folder changes and every reader knows the event."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from tests.face.domain import AnyEvent, Event

ROOT = Path(__file__).parents[2]
FAMILY = "domain/game/events/notes.py"
NAMES = "domain/game/events/__init__.py"
EVENT = '''
class FlagRaised(Event, frozen=True, kw_only=True, tag="flag.raised"):
    """A side raised its flag."""

    side: str

    def apply(self, draft: FoldingGame) -> None:
        draft.acts += 1

    def transition_error(self, game: Game) -> str:
        return unknown_side(game, self.side)

    def audit_text(self) -> str:
        return f"{self.side} raises its flag"


'''
IMPORTS = """
from umpire_ledger.domain.game.events.checks import unknown_side
from umpire_ledger.domain.game.state import Game
"""
READERS = """
from umpire_ledger.domain.game.events import FlagRaised, decode, encode
from umpire_ledger.domain.game.evolve import evolve
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.transition_rules import transition_error
from umpire_ledger.domain.game.values import Side
from umpire_ledger.projections.record.event_text import text_of
from umpire_ledger.projections.tables.audit_trail import KINDS

flag, game = FlagRaised(side="red"), Game(sides=(Side(id="red", name="Red"),))
assert decode(encode(flag)) == flag
assert evolve(game, flag).acts == 1
assert not transition_error(game, flag)
assert transition_error(Game(), flag)
assert text_of(flag) == "red raises its flag"
assert KINDS[FlagRaised].tag == "flag.raised"
"""


def put_before(file: Path, mark: str, text: str) -> None:
    before, found, after = file.read_text(encoding="utf-8").partition(mark)
    assert found, f"{file} has no {mark!r}"
    file.write_text(before + text + found + after, encoding="utf-8")


def changed_folders(copy: Path) -> set[str]:
    files = ((file, ROOT / "umpire_ledger" / file.relative_to(copy)) for file in copy.rglob("*.py"))
    return {str(file.parent.relative_to(copy)) for file, own in files if file.read_bytes() != own.read_bytes()}


def test_new_event_changes_one_folder(tmp_path: Path) -> None:
    copy = tmp_path / "umpire_ledger"
    shutil.copytree(ROOT / "umpire_ledger", copy, ignore=shutil.ignore_patterns("__pycache__"))
    put_before(copy / FAMILY, "from umpire_ledger", IMPORTS.lstrip())
    put_before(copy / FAMILY, "\nNotesEvent = ", EVENT)
    put_before(copy / FAMILY, "NoteAdded | ", "FlagRaised | ")
    put_before(copy / NAMES, "AnyEvent = ", f"from umpire_ledger.{FAMILY[:-3].replace('/', '.')} import FlagRaised\n")
    run = subprocess.run([sys.executable, "-c", READERS], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert changed_folders(copy) == {"domain/game/events"}


@pytest.mark.parametrize("kind", get_args(AnyEvent))
def test_event_has_words_of_its_own(kind: type[Event]) -> None:
    assert "audit_text" in vars(kind)
