"""Games to measure with: freeform, forty units, the mix of events that a long campaign has."""

import itertools
import random
from collections.abc import Iterator

from umpire_ledger.desk.core.adapters import GameStateBuilder
from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent, encode
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.order_batches import PendingOrder
from umpire_ledger.ledger.records.record import Draft

UNITS = 40
SCENARIO = "\n".join(
    [
        'title = "freeform"',
        'name = "A long campaign"',
        'dice = "table"',
        'sides = [{ id = "red", name = "Red" }, { id = "blue", name = "Blue" }]',
        *(
            f'[[units]]\nid = "u{number}"\nside = "{"red" if number % 2 else "blue"}"\nkind = "ship"\nat = "0101"\n'
            "attributes = { crew = 4, manpower = 3, fire = false, hull = 6 }"
            for number in range(UNITS)
        ),
    ]
)


def opening() -> list[AnyEvent]:
    """Return the first order's events."""
    sides = (e.Side(id="red", name="Red"), e.Side(id="blue", name="Blue"))
    opened = e.GameOpened(game="g", title="freeform", version="1", name="A long campaign", sides=sides, dice="table")
    attributes: dict[str, e.Value] = {"crew": 4, "manpower": 3, "fire": False, "hull": 6}
    return [
        opened,
        *(
            e.UnitPlaced(unit=f"u{n}", side="red" if n % 2 else "blue", kind="ship", at="0101", attributes=attributes)
            for n in range(UNITS)
        ),
    ]


def mixed(seed: int = 1) -> Iterator[AnyEvent]:
    """Yield events without end: moves, changes, rolls, points, markers, and steps opened and closed."""
    rng = random.Random(seed)
    points = 0
    for number in itertools.count(1):
        unit = f"u{rng.randrange(UNITS)}"
        match number % 10:
            case 1:
                yield e.StepOpened(
                    step="E.1", name="movement", waits=("red",), path=("turn", "E"), where=e.Where(turn=number // 10)
                )
            case 0:
                yield e.StepClosed(step="E.1", side="red")
            case 5:
                amount = rng.randrange(1, 4)
                yield e.AccountChanged(account="vp/red", amount=amount, before=points, after=points + amount)
                points += amount
            case 6:
                pips = (rng.randint(1, 6), rng.randint(1, 6))
                yield e.DiceRolled(
                    roll=number, purpose=f"boarding {unit}", dice="2d6", pips=pips, total=sum(pips), source="table",
                    subjects=(unit,), rule="E.2",
                )  # fmt: skip
            case 7:
                yield e.MarkerSet(marker="wind", before=number - 10, after=number)
            case 8:
                yield e.UnitChanged(unit=unit, attribute="crew", before=4, after=rng.randrange(4), cause="boarding")
            case _:
                yield e.UnitMoved(unit=unit, path=("0101", f"{rng.randrange(100, 9999):04}"), rule="E.1")


def fill(ledger: Ledger[Game], records: int, *, an_order: int = 10, keep_states: bool = True) -> None:
    """Fill a ledger with a game `g` of `records` records, `an_order` of them an order."""
    state = fold(Game(), opening())
    drafts = [Draft(event=encode(event)) for event in opening()]
    ledger.append("g", after=0, seat="referee", command="open", drafts=drafts, state=state)
    events = mixed()
    size = len(drafts)
    batch: list[PendingOrder] = []
    start = size
    while size < records:
        some = list(itertools.islice(events, min(an_order, records - size)))
        state = fold(state, some)
        size += len(some)
        batch.append(
            PendingOrder(
                seat="red",
                command=f"c{size}",
                drafts=[Draft(event=encode(event)) for event in some],
                state=state if keep_states else None,
            )
        )
        if len(batch) >= 500 or size >= records:
            ledger.append_many("g", after=start, orders=batch)
            start, batch = size, []


def folding() -> GameStateBuilder:
    return GameStateBuilder()
