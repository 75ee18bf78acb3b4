"""Federation & Empire with a thousand units against the small border war.

python -m tests.benchmarks.bench_federation

Both play the same order file, through the real store; the commands are whole processes, as a referee starts them.
"""

import itertools
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.games import folding
from tests.benchmarks.measure import Row, another_process, ratio, seconds, show
from tests.titles.federation_table import BORDER_WAR, FIXTURES
from tests.titles.federation_thousand import thousand
from umpire_ledger.desk.core.adapters import find_title
from umpire_ledger.desk.core.game_session import GameSession
from umpire_ledger.desk.orders.sessions import open_session
from umpire_ledger.desk.scenarios.opening import new_game
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.titles.federation_and_empire import TITLE
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables.updater import Follower
from umpire_ledger.projections.tables.views_file import MEMORY

LINES: list[dict[str, Any]] = [
    json.loads(line) for line in (FIXTURES / "orders" / "border-war.jsonl").read_text(encoding="utf-8").splitlines()
]
SMALL = "the border war"
NOTE = '{"order": "note", "text": "a fine evening"}'
Clock = Callable[[], float]
Commands = dict[str, tuple[tuple[str, ...], float]]
LOOKS: Commands = {
    "umpire order": (("order", "g", NOTE, "--as", "coalition"), 1.5),
    "umpire status": (("status", "g", "--as", "coalition"), 1.2),
    "umpire units": (("units", "g", "--as", "coalition"), 2.0),
    "umpire audit --last 20": (("audit", "g", "--last", "20"), 1.2),
}
"""Commands and what a thousand units may cost them."""


class Table:
    """One game `g` in a ledger of its own."""

    def __init__(self, folder: Path, scenario: str) -> None:
        folder.mkdir()
        self.scenario = folder / "war.toml"
        self.scenario.write_text(scenario, encoding="utf-8")
        self.file = folder / "umpire.db"
        self.numbers = itertools.count(1)
        with self.opened() as ledger:
            new_game(ledger, TITLE, scenario, game_id="g")

    @contextmanager
    def opened(self) -> Iterator[Ledger[Game]]:
        with Ledger.open(self.file, folding()) as ledger:
            yield ledger

    def command(self, *words: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "umpire_ledger.cli.main", *words, "--ledger", str(self.file)],
            check=True,
            stdout=subprocess.DEVNULL,
            env=another_process(),
        )

    def new(self) -> None:
        self.command("new", TITLE.id, "--scenario", str(self.scenario), "--id", f"n{next(self.numbers)}")

    @contextmanager
    def fresh(self) -> Iterator[GameSession]:
        """Yield a session of another game of the same scenario."""
        game = f"f{next(self.numbers)}"
        with self.opened() as ledger:
            new_game(ledger, TITLE, self.scenario.read_text(encoding="utf-8"), game_id=game)
            yield open_session(ledger, game)

    def playing(self) -> float:
        """Return the seconds an order of the whole order file, each order recorded separately."""
        with self.fresh() as sitting:
            return seconds(lambda: [sitting.order(line) for line in LINES]) / len(LINES)

    def catching_up(self, orders: int = 100) -> float:
        """Return the seconds in which open read models take in each of the first orders, in turn."""
        with self.fresh() as sitting, Follower(sitting.ledger, MEMORY, find_title) as follower:
            follower.catch_up(sitting.game_id)
            spent = 0.0
            for line in LINES[:orders]:
                sitting.order(line)
                spent += seconds(lambda: follower.catch_up(sitting.game_id))
        return spent / orders


def rows(many: Table, few: Table) -> Iterator[Row]:
    yield Row("umpire new", SMALL, ratio(many.new, few.new), "at most", 2.5)
    for name, (words, goal) in LOOKS.items():
        for table in (many, few):
            table.command(*words)
        measured = ratio(partial(many.command, *words), partial(few.command, *words), rounds=7)
        yield Row(name, SMALL, measured, "at most", goal)
    yield from timed(f"one of {len(LINES)} orders, recorded", many.playing, few.playing, goal=1.5, most=2)
    yield from timed("catching up after one order", many.catching_up, few.catching_up, goal=2.5, most=5)


def timed(measure: str, many: Clock, few: Clock, *, goal: float, most: float) -> Iterator[Row]:
    """Yield rows of work that times itself: the median of three ratios, and the milliseconds."""
    pairs = [(many(), few()) for _ in range(3)]
    yield Row(measure, SMALL, statistics.median(one / other for one, other in pairs), "at most", goal)
    yield Row(f"{measure}, ms", "", min(one for one, _ in pairs) * 1000, "at most", most)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        many = Table(Path(name) / "many", thousand())
        few = Table(Path(name) / "few", BORDER_WAR.read_text(encoding="utf-8"))
        for row in rows(many, few):
            show([row._replace(measure=f"1,000 units: {row.measure}")])


if __name__ == "__main__":
    main()
