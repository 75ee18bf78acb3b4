"""Measure growth with the records of a game, with its units, and with the games of a ledger.

`python -m tests.benchmarks --growth` measures, and draws it if matplotlib is installed: time on both axes' logarithms,
so that a constant cost is a level line, and a cost in proportion to the game rises by one square a square.
"""

import io
import itertools
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import umpire_ledger as umpire
from tests.benchmarks.bench_orders import moves, scenario
from tests.benchmarks.games import fill
from tests.benchmarks.measure import seconds
from umpire_ledger.desk.core.adapters import GameStateBuilder, find_title
from umpire_ledger.desk.core.open_ledger import open_ledger
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables.updater import Follower

TIMES = 5
"""Number of times that something short is measured; the median is shown."""


class Point(NamedTuple):
    """`milliseconds` of something when there are `size` of what it grows with."""

    grows_with: str
    what: str
    size: int
    milliseconds: float


def _median(work: Callable[[], object], times: int = TIMES) -> float:
    return statistics.median(seconds(work) for _ in range(times)) * 1000


def by_records(folder: Path, sizes: list[int]) -> Iterator[Point]:
    """Measure one game of forty units, ten records an order, a snapshot every 500."""
    for size in sizes:
        file = folder / f"records{size}.db"
        with Ledger.open(file, GameStateBuilder(), snapshot_every=500) as ledger:
            fill(ledger, size)
        for what, milliseconds in _of_one_game(folder, file, size):
            yield Point("records of the game", what, size, milliseconds)


def _of_one_game(folder: Path, file: Path, size: int) -> Iterator[tuple[str, float]]:
    with open_ledger(file, read_only=True) as ledger:
        yield "fold from the first record", _median(lambda: GameStateBuilder().fold(Game(), ledger.lines("g")), 1)
        middle = iter(range(size // 3, size, max(1, size // 50)))
        yield "state at a position", _median(lambda: ledger.state("g", next(middle)))
        log = io.BytesIO()
        yield "export", seconds(lambda: replay_log.write(ledger, "g", log)) * 1000
    yield "verify", seconds(lambda: replay_log.verify(io.BytesIO(log.getvalue()))) * 1000

    def taken_in() -> None:
        with open_ledger(folder / f"in{size}.db", create=True) as other:
            replay_log.read_into(other, io.BytesIO(log.getvalue()))

    yield "import", seconds(taken_in) * 1000

    def rebuilt() -> None:
        with open_ledger(file) as ledger, Follower(ledger, folder / f"views{size}.db", find_title) as follower:
            follower.catch_up("g")

    yield "rebuild of the read models", seconds(rebuilt) * 1000
    with umpire.open(file) as desk:
        game = desk.game("g")
        game.catch_up()
        orders = moves(40)
        yield from _played(game, orders)


def _played(game: umpire.PlayedGame, orders: Iterator[dict[str, object]]) -> Iterator[tuple[str, float]]:
    def one() -> None:
        raw = dict(next(orders))
        game.seat(str(raw.pop("as"))).order(raw)

    def followed() -> None:
        one()
        game.catch_up()

    followed()
    yield "an order", _median(one, 20)
    game.catch_up()
    yield "an order, read models followed", _median(followed, 20)
    yield "status", _median(lambda: game.seat("red").status)


def by_units(folder: Path, sizes: list[int]) -> Iterator[Point]:
    """Measure a freeform game of each number of units, just opened."""
    for size in sizes:
        with umpire.open(folder / f"units{size}.db") as desk:
            text = scenario(size)
            opened = seconds(lambda: desk.new_from_text("freeform", text, id="g"))  # noqa: B023
            yield Point("units", "opening a new game", size, opened * 1000)
            game = desk.game("g")
            game.catch_up()
            for what, milliseconds in _played(game, moves(size)):
                yield Point("units", what, size, milliseconds)


def by_games(folder: Path, sizes: list[int]) -> Iterator[Point]:
    """Measure one ledger with ever more games of forty units each, with its read models as `umpire` updates them."""
    text, numbers = scenario(40), itertools.count()
    with umpire.open(folder / "games.db") as desk:
        for size in sizes:
            while (number := next(numbers)) < size:
                desk.new_from_text("freeform", text, id=f"g{number}")
                desk.game(f"g{number}").catch_up()
            numbers = itertools.count(size)
            game = desk.game("g0")
            yield Point("games of the ledger", "list of all games", size, _median(desk.games, 1))
            yield Point("games of the ledger", "rebuild of one game", size, _median(game.rebuild))
            for what, milliseconds in _played(game, moves(40)):
                yield Point("games of the ledger", what, size, milliseconds)


def draw(points: list[Point], file: Path) -> bool:
    """Draw one picture with a field for each kind of growth. Return False without matplotlib."""
    try:
        import matplotlib as mpl  # noqa: PLC0415 -- an extra
    except ImportError:
        return False
    mpl.use("svg")
    from matplotlib import pyplot  # noqa: PLC0415 -- an extra

    fields = list(dict.fromkeys(point.grows_with for point in points))
    figure, axes = pyplot.subplots(1, len(fields), figsize=(6 * len(fields), 5), squeeze=False)
    for axis, field in zip(axes[0], fields, strict=True):
        own = [point for point in points if point.grows_with == field]
        for what in dict.fromkeys(point.what for point in own):
            line = [(point.size, point.milliseconds) for point in own if point.what == what]
            axis.loglog(*zip(*line, strict=True), marker="o", markersize=3, label=what)
        axis.set_xlabel(field)
        axis.set_ylabel("ms")
        axis.grid(visible=True, which="major", alpha=0.3)
        axis.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(file)
    return True
