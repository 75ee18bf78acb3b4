"""Check that titles give the same answers in every process, in any order of Python's mappings.

The order of a mapping may depend on the hash of strings, which differs between processes. Then a refusal could name
other units, a random game could take another course, and the dice could have other results.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.face.testing import titles

ROOT = Path(__file__).parent.parent
ORDERS = 300
PLAY = """
import sys
import msgspec
from umpire_ledger.testing.fixtures import scenarios, titles
from umpire_ledger.testing.random_play import Player, opened

title = next(one for one in titles() if one.id == sys.argv[1])
player, decision = Player(title, 7), opened(title, scenarios(title)[-1], 7)
for _ in range(int(sys.argv[2])):
    if decision.game.ended:
        break
    order, decision = player.choose(decision.game)
    told = [msgspec.to_builtins(getattr(one, "event", one)) for one in decision.told]
    print(msgspec.json.encode([order, player.refusals, told]).decode())
"""

FORMS = """
import sys
import msgspec
import umpire_ledger as umpire
from umpire_ledger.desk.orders import titles as catalogue
from umpire_ledger.testing.fixtures import folder_of

title = sys.argv[1]
scenario = sorted((folder_of(title) / "scenarios").glob("*.toml"))[-1]
with umpire.open(":memory:") as desk:
    game = desk.new(title, scenario, id="g")
    for side in game.sides:
        for entry in catalogue.orders(title):
            print(msgspec.json.encode(game.seat(side).order_form(entry.order)).decode())
"""


@pytest.mark.parametrize("title", [title.id for title in titles()])
def test_two_processes_offer_the_same_choices_in_one_order(title: str) -> None:
    first, second = (told(FORMS, title, seed) for seed in ("0", "1"))
    assert len(first) > 10
    assert first == second


@pytest.mark.parametrize("title", [title.id for title in titles()])
def test_two_processes_play_the_same_random_game(title: str) -> None:
    first, second = (played(title, seed) for seed in ("0", "1"))
    assert len(first) > ORDERS // 4
    differ = next((pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]), None)
    assert differ is None
    assert first == second


def played(title: str, hash_seed: str) -> list[str]:
    """Return the orders and events of a random game that is played in a separate process."""
    return told(PLAY, title, hash_seed)


def told(program: str, title: str, hash_seed: str) -> list[str]:
    """Return the output of a program about a title, line by line."""
    done = subprocess.run(
        [sys.executable, "-c", program, title, str(ORDERS)],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()
