"""Compare actions in a long game with the same in a short one, and with the stock library.

    python -m tests.benchmarks.bench_long_games [records]

Undo, rewind and amend with reused rolls, a preview, a dry run, a view of any position: each should cost no more than
the records it needs. A copy is measured against bare inserts of as many rows.
"""

import io
import itertools
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import umpire_ledger as umpire
from tests.benchmarks.bench_ledger import insert_raw, raw_rows
from tests.benchmarks.bench_orders import Table
from tests.benchmarks.bench_peers import BATCH, Stock
from tests.benchmarks.games import fill
from tests.benchmarks.measure import Row, compare, show
from tests.benchmarks.stock import fill_stock, open_stock
from umpire_ledger.desk.core.adapters import GameStateBuilder
from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.ledger import Ledger

SHORT = 500
BACK = 200
"""Records that a rewind goes back."""
TAIL = 40
"""Orders at the end, each of one record."""
ROUNDS = 5

Act = Callable[[umpire.PlayedGame], object]


def filled(file: Path, records: int, snapshot_every: int = 500) -> umpire.Desk:
    """Return a ledger with one game of `records` records, ten an order; a move near the end is contested."""
    with Ledger.open(file, GameStateBuilder(), snapshot_every=snapshot_every) as ledger:
        fill(ledger, records - TAIL)
    desk = umpire.open(file)
    red = desk.game("g").seat("red")
    red.order("move", unit="u1", path=["0101", "0104"])
    contested = desk.game("g").size
    for number in range(TAIL):
        red.order("note", text=f"remark {number}")
    red.order("dispute", records=[contested], claim="it stood elsewhere")
    return desk


def _undone(game: umpire.PlayedGame) -> None:
    game.referee.undo(why="to look", dice="keep")
    game.referee.redo()


def _rewound(game: umpire.PlayedGame) -> None:
    game.referee.rewind(f"#{game.between_orders(game.size - BACK)}", why="to look", dice="keep")
    game.referee.redo()


def _amended(game: umpire.PlayedGame) -> None:
    """Give the last but one of three orders again; the last is re-played with its rolls reused."""
    red = game.seat("red")
    red.order("move", unit="u1", path=["0101", "0102"])
    at = game.size
    red.order("roll", dice="2d6", purpose="boarding", pips=[3, 4])
    game.referee.amend(at, {"as": "red", "order": "move", "unit": "u1", "path": ["0101", "0103"]}, why="misheard")


def _previewed(game: umpire.PlayedGame) -> None:
    game.referee.preview("rewind", to=f"#{game.between_orders(game.size - BACK)}", why="to look")


def _tried(game: umpire.PlayedGame) -> None:
    game.play([(1, {"as": "red", "order": "note", "text": "tried"})], check=True)


def _amendment_tried(game: umpire.PlayedGame) -> None:
    """Twenty orders are played again."""
    orders = [one.position for one in game.referee.orders(last=TAIL) if one.counts]
    given = {"as": "red", "order": "note", "text": "mended"}
    game.referee.amend(orders[-20], given, why="misheard", check=True)


def _shown(game: umpire.PlayedGame) -> None:
    """Find the later orders that depend on the contested one: each is decided again without it."""
    game.referee.dispute_page("d1")


ACTS: dict[str, Act] = {
    "undo and redo": _undone,
    f"rewind by {BACK} records, dice kept, and redo": _rewound,
    f"preview of a rewind by {BACK} records": _previewed,
    "an order tried": _tried,
    "an amendment of 20 orders tried": _amendment_tried,
    f"a dispute about the order {TAIL} before the last shown": _shown,
    "amend an order before the last, dice kept": _amended,
}


def acts(folder: Path, records: int) -> Iterator[Row]:
    """Time each action in a long game against a short one. The first time opens the game and is not counted."""
    with filled(folder / "acts.db", records) as long, filled(folder / "short.db", SHORT) as short:
        for name, act in ACTS.items():
            act(long.game("g"))
            act(short.game("g"))
            found = compare(partial(act, long.game("g")), partial(act, short.game("g")), rounds=ROUNDS)
            yield Row.of(f"{name}, after {records:,} records", f"after {SHORT}", found, "at most", 2)


def copies(folder: Path, records: int) -> list[Row]:
    """Copy the game at half its length, against bare inserts of as many rows with the same indexes."""
    numbers = itertools.count()
    with filled(folder / "copied.db", records) as desk:
        game = desk.game("g")
        half = game.between_orders(records // 2)
        rows = raw_rows(desk.ledger, half)
        found = compare(
            lambda: game.fork(f"copy{next(numbers)}", at=half),
            lambda: insert_raw(folder / f"raw{next(numbers)}.db", rows),
            rounds=3,
        )
    return [Row.of(f"a copy of {half:,} records", "bare inserts of as many rows", found, speed=True)]


def anywhere(folder: Path, records: int) -> list[Row]:
    """Compute the state at random positions, each in a ledger just opened, against a rebuild to there."""
    filled(folder / "anywhere.db", records).close()
    positions = iter(random.Random(2).sample(range(1, records), 4 * ROUNDS))
    asked: list[int] = []

    def look() -> None:
        asked.append(next(positions))
        with open_ledger(folder / "anywhere.db", read_only=True) as ledger:
            ledger.state("g", asked[-1])

    def whole() -> None:
        at = asked[-1] if asked else records // 2
        with open_ledger(folder / "anywhere.db", read_only=True) as ledger:
            GameStateBuilder().fold(Game(), ledger.lines("g", 1, at))

    found = compare(look, whole, rounds=3 * ROUNDS)
    measure = f"state at a position drawn from all {records:,}, ledger opened for it"
    return [Row.of(measure, "folding from the first record", found)]


def beside_stock(folder: Path, records: int) -> list[Row]:
    """Opening a game and taking a log in, against an aggregate and a recorder of the stock library."""
    against, numbers = "stock eventsourcing", itertools.count()
    with filled(folder / f"ours{records}.db", records, snapshot_every=10**9) as desk:
        log = io.BytesIO()
        replay_log.write(desk.ledger, "g", log)
        application, game = fill_stock(folder / f"stock{records}.db", records)

        def opened() -> None:
            GameStateBuilder().fold(Game(), desk.ledger.lines("g"))

        opening = compare(opened, lambda: open_stock(application, game), rounds=3)
        application.close()

    def taken_in() -> None:
        with open_ledger(folder / f"in{records}-{next(numbers)}.db", create=True) as other:
            replay_log.read_into(other, io.BytesIO(log.getvalue()))

    def stock() -> None:
        fill_stock(folder / f"instock{records}-{next(numbers)}.db", records)[0].close()

    taking = compare(taken_in, stock, rounds=1 if records > 50_000 else 3)
    return [
        Row.of(f"opening {records:,} records", against, opening, "at least", 20, speed=True),
        Row.of(f"import of {records:,} records, all checked", against, taking, "at least", 2.5, speed=True),
    ]


def size(folder: Path, moves: int = 2_000) -> list[Row]:
    """Measure the bytes that a move adds to the file, each an order of its own, and those of the stock library."""
    table, stock = Table(folder, "size"), Stock(folder / "stock.db")
    before = [_bytes(folder / name) for name in ("size.db", "stock.db")]
    table.several(moves)
    for _ in range(moves // BATCH):
        stock.play()
    ours, theirs = (
        (_bytes(folder / name) - was) / moves for name, was in zip(("size.db", "stock.db"), before, strict=True)
    )
    table.desk.close()
    stock.application.close()
    return [
        Row("bytes of the file a move, an order each", "", ours, "at most", 450),
        Row("the same", "stock eventsourcing", ours / theirs, "at most", 1.6),
    ]


def _bytes(file: Path) -> int:
    """Return the size of a ledger that others have open: its pages, written back or not."""
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    pages, of = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    connection.close()
    return int(pages) * int(of)


def main(records: int = 20_000, stock_sizes: tuple[int, ...] = (5_000, 50_000, 250_000)) -> None:
    with tempfile.TemporaryDirectory(prefix="umpire-bench-") as name:
        folder = Path(name)
        show(size(folder))
        for row in acts(folder, records):
            show([row])
        show(copies(folder, records))
        show(anywhere(folder, records))
        for number in stock_sizes:
            show(beside_stock(folder, number))


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:2]))
