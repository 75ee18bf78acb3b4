"""Compare a toy of 1,000 units in Umpire and in its peers: moves a second, and a view a hundred steps back.

    python -m tests.benchmarks.bench_peers [FOLDER]

The stock `eventsourcing` library is installed with Umpire. boardgame.io is measured if FOLDER has it (`npm install
boardgame.io@0.50 node-persist@3.1.0`: later ones of the latter wait up to a second before they write), python-chess
if it is installed (`pip install chess`; its licence is the GPL, so none of our extras brings it). A peer does less: no
hashes, no causes, no seats.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from uuid import UUID

import umpire_ledger as umpire
from tests.benchmarks import flush
from tests.benchmarks.bench_orders import Table, moves, scenario
from tests.benchmarks.measure import Row, compare, show
from tests.benchmarks.stock import StockGame, StockLedger
from umpire_ledger.desk.core.adapters import need_title
from umpire_ledger.desk.scenarios.opening import opening_of
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.testing.random_play import NO_HISTORY

UNITS = 1_000
BATCH = 50
"""Moves of one round."""
ROUNDS = 7
SECONDS = 3.0
BACK = 100
SCRIPT = Path(__file__).with_name("boardgame_io.cjs")

Moves = Callable[[], object]


def in_memory() -> Moves:
    """Our rules alone: an order is read, decided and folded; nothing is written."""
    title = need_title("freeform")
    state = [opening_of(title, scenario(UNITS), game_id="g").state or Game()]
    orders = moves(UNITS)

    def play() -> None:
        for _ in range(BATCH):
            state[0] = decide(title, state[0], read_order(title, next(orders)), NO_HISTORY).game

    return play


class Stock:
    """The stock library's aggregate with as many units, saved move by move."""

    def __init__(self, file: Path) -> None:
        self.application = StockLedger({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(file)})
        self.game = StockGame()
        for number in range(UNITS):
            self.game.happened("unit.placed", {"unit": f"u{number}", "at": "0101"})
        self.application.save(self.game)
        self.moves = moves(UNITS)

    def play(self) -> None:
        for _ in range(BATCH):
            raw = next(self.moves)
            self.game.happened("unit.moved", {"unit": raw["unit"], "path": raw["path"]})
            self.application.save(self.game)

    def back(self) -> None:
        identity: UUID = self.game.id
        self.application.repository.get(identity, version=self.game.version - BACK)


def a_second(name: str, rate: float) -> None:
    print(f"{name:<62} {rate:>12,.0f} moves a second", flush=True)


def durable(folder: Path) -> list[Row]:
    """Time single moves of Umpire and the stock library in turn; of Umpire with read models too; then a view back."""
    table, stock = Table(folder, "ours", UNITS), Stock(folder / "stock.db")
    table.game.catch_up()

    def ours(*, follow: bool) -> Moves:
        return lambda: [table.one(follow=follow) for _ in range(BATCH)]

    def back() -> None:
        with umpire.open(folder / "ours.db", read_only=True) as desk:
            desk.ledger.state("g", table.game.size - BACK)

    rows = []
    for follow in (False, True):
        for cost in ("this disk", "no flush"):
            with flush.costs(flush.COSTS[cost]):
                found = compare(ours(follow=follow), stock.play, rounds=ROUNDS)
            name = f"durable moves{', read models followed' if follow else ''}, {cost}"
            goal = 0 if follow else 1
            rows.append(Row.of(name, "stock eventsourcing", found, "at least", goal, speed=True, times=BATCH))
            a_second(f"  {name}: ours, 1,000 units", 1 / (rows[-1].ours or 1))
            a_second(f"  {name}: stock eventsourcing", 1 / (rows[-1].floor or 1))
    for _ in range(2 * BACK // BATCH):
        ours(follow=False)()
        stock.play()
    found = compare(back, stock.back, rounds=ROUNDS)
    rows.append(Row.of(f"a look {BACK} steps back, ledger opened for it", "stock eventsourcing", found))
    table.desk.close()
    stock.application.close()
    return rows


def chess_moves(seconds: float) -> float:
    """Legal moves pushed on one board, always the first of them."""
    import chess  # noqa: PLC0415 -- a peer that may be missing

    board, done, until = chess.Board(), 0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        move = next(iter(board.legal_moves), None)
        if move is None or board.fullmove_number > 200:
            board.reset()
            continue
        board.push(move)
        done += 1
    return done / seconds


def boardgame(home: str, folder: str) -> float:
    """Return boardgame.io's moves a second: "rules" in a client's memory, else its server with matches in a folder."""
    command = ["node", str(SCRIPT), home, str(SECONDS), "1", folder, str(UNITS)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=SECONDS + 60)
    return float(json.loads(done.stdout)["a_second"])


def others(home: str, ours: dict[str, float]) -> Iterator[Row]:
    """Yield rows of peers that are optional."""
    if find_spec("chess") is None:
        print("python-chess is not installed: not measured")
    else:
        rate = chess_moves(SECONDS)
        a_second("  python-chess, legal moves of 32 pieces, in memory", rate)
        yield Row("rules in memory, 1,000 units", "python-chess, 32 pieces", ours["rules"] / rate, "at least")
    if not home or shutil.which("node") is None:
        print("boardgame.io is not there: not measured")
        return
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as folder:
        for name, where, goal in (("rules", "rules", 60), ("durable", folder, 50)):
            rate = boardgame(home, where)
            a_second(f"  boardgame.io, {name}", rate)
            what = "rules in memory" if name == "rules" else "durable moves one by one"
            yield Row(f"{what}, 1,000 units", "boardgame.io", ours[name] / rate, "at least", goal)


def main(home: str = "") -> None:
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as name:
        play = in_memory()
        found = compare(play, play, rounds=ROUNDS)
        rules = BATCH / min(one.wall for one in found.ours)
        a_second("  rules in memory: ours, 1,000 units", rules)
        rows = durable(Path(name))
        show(rows)
        for row in others(home, {"rules": rules, "durable": 1 / (rows[0].ours or 1)}):
            show([row])


if __name__ == "__main__":
    flush.again_pinned("tests.benchmarks.bench_peers")
    main(*sys.argv[1:2])
