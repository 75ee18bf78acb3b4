"""Measure the orders of a clicked unit with a thousand units on the board: the median and the 95th percentile.

    python -m tests.benchmarks.bench_clicks

The units that a recorded war orders are clicked before each of these orders. `again`: another unit at one position, as
a player clicks who has not ordered yet.
"""

import statistics
import time
from collections.abc import Iterator
from itertools import islice

import umpire_ledger as umpire
from tests.benchmarks import bench_orders
from tests.benchmarks.bench_federation import LINES
from tests.benchmarks.measure import Row, show
from tests.titles.federation_thousand import thousand
from umpire_ledger.desk.orders.unit_orders import first_argument

UNITS = 1_000
MOST = 100
"""Milliseconds that a click may take at the median."""
AGAIN = 12
"""Units that are clicked at one position."""


def click(seat: umpire.Seat, unit: str) -> float:
    """Return the milliseconds of a click, of this processor: other work on the machine does not count."""
    begun = time.process_time()
    seat.unit_orders(unit)
    return (time.process_time() - begun) * 1000


def in_the_war(desk: umpire.Desk) -> Iterator[tuple[float, bool]]:
    """Play the border war among a thousand units; yield the milliseconds of each click, and whether it was another."""
    game = desk.new_from_text("federation-and-empire", thousand(), id="war")
    assert game.title is not None
    for number, line in enumerate(LINES, 1):
        order = game.title.every_order[line["order"]]
        first = first_argument(order)
        named = line.get(first.name, ()) if first is not None else ()
        unit = named if isinstance(named, str) else next(iter(named), "")
        seat = game.seat(line["as"])
        if unit in seat.known().units:
            yield click(seat, unit), False
            for other in islice((one.id for one in seat.units(side=line["as"])), 2):
                yield click(seat, other), True
        game.play([(number, line)])


def on_a_free_table(desk: umpire.Desk) -> Iterator[tuple[float, bool]]:
    """Yield the same for a game without rules, in which a unit may go to any hex."""
    scenario = bench_orders.scenario(UNITS).replace("[[units]]", "[board]\nhexes = {}\n[[units]]", 1)
    seat = desk.new_from_text("freeform", scenario, id="free").seat("red")
    for number, one in enumerate(islice(seat.units(side="red"), AGAIN)):
        yield click(seat, one.id), bool(number)


def rows(name: str, clicks: list[tuple[float, bool]]) -> Iterator[Row]:
    for which, measure in ((False, "a click"), (True, "a click again")):
        taken = [one for one, again in clicks if again == which]
        yield Row(f"{name}: {measure}, median of {len(taken)}, ms", "", statistics.median(taken), "at most", MOST)
        if len(taken) > 1:
            yield Row(f"{name}: {measure}, 95th percentile, ms", "", statistics.quantiles(taken, n=20)[-1])


def main() -> None:
    with umpire.open(":memory:") as desk:
        show([*rows("war, 1,000 units", list(in_the_war(desk)))])
        show([*rows("free table, 1,000 units", list(on_a_free_table(desk)))])


if __name__ == "__main__":
    main()
