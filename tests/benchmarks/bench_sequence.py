"""Walk the sequence and apply its events: `python -m tests.benchmarks.bench_sequence [passes]`.

Microseconds, not ratios: a movement is an event of the sequence emitted, applied and queried on the way.
"""

import sys
from collections.abc import Callable

from tests.benchmarks import measure
from tests.benchmarks.measure import Row, seconds, show
from umpire_ledger.domain.flow.advance import PlayAdvancer
from umpire_ledger.domain.game.decision import events_of
from umpire_ledger.domain.game.events import AnyEvent, Side, UnitPlaced
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import fact
from umpire_ledger.domain.sequence.constructs import EACH, END, Heading, Instant, Rounds, Sequence, Step

SIDES = (Side(id="north", name="North"), Side(id="south", name="South"))
UNITS = 300
PHASES = 12


def is_over(game: Game, side: str) -> bool:
    return False


def has_risen(game: Game, side: str) -> bool:
    return game.number("mutiny") > 0


OVER = fact("the war is over", is_over)


def title(*, steps: tuple[Step, ...], instants: tuple[Instant, ...] = ()) -> Title:
    """Return a title with turns of twelve phases of some steps each."""
    phases = tuple(
        Heading(f"{phase}", f"phase {phase}", steps=tuple(renamed(step, phase) for step in steps))
        for phase in range(PHASES)
    )
    turns = Rounds("turns", "turns", steps=phases, counts_turns=True, until=OVER)
    return Title(
        id="bench",
        name="Bench",
        version="1",
        sequence=Sequence(steps=(turns, Step("last", "the last", by=EACH)), instants=instants),
        set_up=lambda scenario: [],
    )


def renamed(step: Step, phase: int) -> Step:
    return Step(f"{phase}.{step.id}", step.name, by=step.by, when=step.when)


def opened(title: Title) -> Game:
    """Return a game with three hundred units, waiting in its first step."""
    placed: list[AnyEvent] = [
        UnitPlaced(unit=f"u{number}", side="north", kind="ship", at="0101") for number in range(UNITS)
    ]
    walk = PlayAdvancer(title, fold(Game(id="g", sides=SIDES), placed))
    walk.begin()
    return walk.game


def play(title: Title, game: Game, orders: int) -> list[AnyEvent]:
    told: list[AnyEvent] = []
    for _ in range(orders):
        walk = PlayAdvancer(title, game)
        one = game.cursor.open[0]
        walk.side_done(one.step, one.waits[0], "done")
        told += events_of(tuple(walk.told))
        game = walk.game
    return told


def microseconds(work: Callable[[], object], times: int, rounds: int = 5) -> float:
    """Return the best time of some rounds, divided by `times`."""
    return min(seconds(work) for _ in range(min(rounds, measure.most_rounds))) / times * 1e6


def row(name: str, against: str, found: float, goal: float) -> Row:
    return Row(name, against, found, "at most", goal)


WAITING = (Step("a", "move", by=EACH), Step("b", "fight", by="north"))
MOSTLY_PASSED = (
    Step("a", "move", by="north"),
    *(Step(f"auto{number}", "read out") for number in range(4)),
    *(Step(f"guarded{number}", "not now", by="north", when=OVER) for number in range(4)),
)
MUTINY = Instant(name="mutiny", when=fact("the crew rises", has_risen), to=END, during=("turns",))


def walked(name: str, declared: Title, orders: int) -> list[Row]:
    """Time a movement on the way of `orders` orders, and the same events applied at once."""
    start = opened(declared)
    told = play(declared, start, orders)
    walking = microseconds(lambda: play(declared, start, orders), len(told))
    folding = microseconds(lambda: fold(start, told), len(told))
    return [
        row(f"a movement: {name}", f"µs, {len(told):,} events", walking, 30),
        row(f"folding them at once: {name}", "µs an event", folding, 3),
    ]


def main(orders: int) -> None:
    show(walked("steps that wait", title(steps=WAITING), orders))
    show(walked("steps read out or passed by", title(steps=MOSTLY_PASSED), orders))
    show(walked("an instant asked everywhere", title(steps=WAITING, instants=(MUTINY,)), orders))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000)
