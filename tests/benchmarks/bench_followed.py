"""What following costs an order: `python -m tests.benchmarks.bench_followed`.

The whole stack: an order is decided, recorded durably, and the read models follow it; beside it the same order without
them. A freeform game of 40 and of 1,000 units, each move by another unit; and War Galley's recorded battle, with its
steps, as its order file gives it. One row says how large the read models are beside the ledger.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import umpire_ledger as umpire
from tests.benchmarks.measure import Row, show
from umpire_ledger.testing.fixtures import FIXTURES

ORDERS = 150
HARBOUR = FIXTURES / "war-galley"


def scenario(units: int) -> str:
    """A freeform scenario with so many units."""
    sides = '[{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]'
    head = f'title = "freeform"\nname = "A long campaign"\ndice = "table"\nsides = {sides}\n'
    return head + "".join(
        f'[[units]]\nid = "u{number}"\nside = "{"red" if number % 2 else "blue"}"\nkind = "ship"\nat = "0101"\n'
        "attributes = { crew = 4, manpower = 3, fire = false, hull = 6 }\n"
        for number in range(units)
    )


def moves(units: int) -> Iterator[dict[str, Any]]:
    for number in range(ORDERS):
        unit = number % units
        side = "red" if unit % 2 else "blue"
        yield {"as": side, "order": "move", "unit": f"u{unit}", "path": ["0101", f"{number + 200:04}"]}


def harbour_orders() -> list[dict[str, Any]]:
    lines = (HARBOUR / "orders/great-harbour.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line and not line.startswith("#")]


def costs(game: umpire.PlayedGame, orders: list[dict[str, Any]], *, follow: bool) -> list[float]:
    """Seconds of processor time of each order, the read models with it or not: others may use this machine too."""
    taken = []
    for order in orders:
        raw = dict(order)
        seat = game.seat(raw.pop("as"))
        start = time.process_time()
        seat.order(raw)
        if follow:
            game.catch_up()
        taken.append(time.process_time() - start)
    return taken


def measured(name: str, open_game: Callable[[umpire.Desk], umpire.PlayedGame], orders: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        medians = {}
        for follow in (False, True):
            with umpire.open(Path(folder) / f"{follow}.db") as desk:
                game = open_game(desk)
                game.catch_up()
                medians[follow] = statistics.median(costs(game, orders, follow=follow)) * 1000
        sizes = [sum(file.stat().st_size for file in Path(folder).glob(f"True{kind}")) for kind in (".views.db", ".db")]
    against = "the same order without read models"
    show(
        [
            Row(f"{name}: an order, read models followed, ms of processor", "", medians[True], "at most", 3),
            Row("  the same", against, medians[True] / medians[False], "at most", 1.5),
            Row("  the read models, MB", "", sizes[0] / 1e6, "at most", 10 * sizes[1] / 1e6),
        ]
    )


def main() -> None:
    for units in (40, 1_000):
        text = scenario(units)
        measured(
            f"{units:,} units, freeform",
            lambda desk, text=text: desk.new_from_text("freeform", text, id="g"),  # type: ignore[misc]
            list(moves(units)),
        )
    harbour = HARBOUR / "scenarios/great-harbour.toml"
    measured("War Galley", lambda desk: desk.new("war-galley", harbour, id="g"), harbour_orders())


if __name__ == "__main__":
    main()
