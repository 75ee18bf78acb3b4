"""Read the log order by order, as a seat may see it, each order with its step and its events."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, place_of
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.record.visible_record import NOTHING, VisibleRecord, decode
from umpire_ledger.projections.tables.seat_visibility import sees
from umpire_ledger.projections.tables.step_index import OWN_STEP, SEQUENCE, StepPlaces

Thing = tuple[str, str]
"""Kind and id of a thing that an event is about: `unit`, `account`, `marker`, `choice`, `roll`, `pick` or `answer`."""

_cause = msgspec.json.Decoder(dict[str, Any]).decode


class RecordedOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order and its records. `turn`, `step`, `where`, `items`: its place in the sequence of play.

    `order` is "" and `cause` is {} if the seat may not see the order's text.
    """

    records: tuple[VisibleRecord, ...]
    turn: int
    step: str
    where: str
    items: tuple[str, ...] = ()
    cause: dict[str, Any] = {}

    @property
    def first(self) -> int:
        return self.records[0].position

    @property
    def last(self) -> int:
        return self.records[-1].position

    @property
    def seat(self) -> str:
        return self.records[0].seat

    @property
    def order(self) -> str:
        return str(self.cause.get("order", ""))

    @property
    def events(self) -> Iterator[tuple[int, AnyEvent]]:
        """Position and event of each record that may be seen."""
        return ((one.position, one.event) for one in self.records if one.event is not None)


def seen_by(
    ledger: Ledger[Game], game_id: str, seat: str, lines: Iterable[bytes], *, at: int | None = None
) -> Iterator[VisibleRecord]:
    """Yield the records of these lines; of a record that is hidden from the seat, only the envelope.

    `at`: the position that decides what the seat may see; None for now.
    """
    state = ledger.state(game_id, at)
    for line in lines:
        record = decode(line)
        shown = sees(state, seat, record.position, record.visible_to)
        yield record if shown else msgspec.structs.replace(record, event=None, cause=NOTHING)


def deeds(
    records: Iterable[VisibleRecord], rewound_to: Callable[[int], Game] | None = None, *, before: Game | None = None
) -> Iterator[RecordedOrder]:
    """Yield orders from their records, oldest first.

    Args:
        records: The records of one branch; with `rewound_to`, of all branches.
        rewound_to: Returns the game at a position.
        before: The game before the first record, if that is not the first record of the game.
    """
    places = StepPlaces(0, before or Game(), rewound_to or (lambda _: Game()))
    for group in _orders(records):
        now = places.now()
        yield _deed(group, places, now)
        for record in group:
            if isinstance(record.event, e.PlayRewound):
                if rewound_to is not None:
                    places.return_to(record.event.to)
            elif record.event is not None and record.visible_to is None and type(record.event) in SEQUENCE:
                places.see(record.event)
        places.order_ends(group[-1].position)


def orders_on_branch(ledger: Ledger[Game], game_id: str, seat: str, at: int | None = None) -> Iterator[RecordedOrder]:
    """Yield the orders that count at a position (None: now).

    Raises:
        NoSuchGame: When the ledger has no such game.
        NoSuchRecord: When the game has no such position.
    """
    return deeds(seen_by(ledger, game_id, seat, ledger.branch_bytes(game_id, at)))


def orders_after(
    ledger: Ledger[Game], game_id: str, seat: str, start: int, at: int | None = None
) -> Iterator[RecordedOrder]:
    """Yield the orders that count at position `at` and begin after position `start`, the end of an order or 0."""
    lines = ledger.branch_bytes(game_id, at, after=start)
    return deeds(seen_by(ledger, game_id, seat, lines), before=ledger.state(game_id, start) if start else None)


def _orders(records: Iterable[VisibleRecord]) -> Iterator[tuple[VisibleRecord, ...]]:
    group: list[VisibleRecord] = []
    for record in records:
        if record.prior is not None and group:
            yield tuple(group)
            group = []
        group.append(record)
    if group:
        yield tuple(group)


def _deed(group: tuple[VisibleRecord, ...], places: StepPlaces, now: Game) -> RecordedOrder:
    cause = next((record.cause for record in group if record.cause), None)
    return RecordedOrder(
        records=group,
        turn=now.turn,
        step=places.step_for(group[0].seat) or own_step(group[0].event),
        where=now.where,
        items=place_of(now).items,
        cause=_cause(cause) if cause else {},
    )


def placed(deed: RecordedOrder) -> Iterator[tuple[int, AnyEvent, int, str]]:
    """Yield position, event, turn and step of each record, because an order may span several steps and turns."""
    turn, step = deed.turn, deed.step
    for position, event in deed.events:
        match event:
            case e.StepOpened():
                turn, step = event.where.turn or turn, event.step
            case e.PassBegun() | e.PlayResumed():
                turn = event.turn or turn
            case _:
                pass
        yield position, event, turn, step


def own_step(event: AnyEvent | None) -> str:
    """Return the step that an event of the sequence names; "" for other events."""
    find = OWN_STEP.get(type(event))
    return find(event) if find else ""


# --- what they are about ----------------------------------------------------------------------------------------------


def subjects_of(event: AnyEvent) -> tuple[Thing, ...]:
    """Return the things that an event changes or decides."""
    match event:
        case e.UnitPlaced(unit=unit) | e.UnitMoved(unit=unit) | e.UnitChanged(unit=unit) | e.UnitRemoved(unit=unit):
            return (("unit", unit),)
        case e.UnitCovered(unit=unit) | e.UnitShown(unit=unit):
            return (("unit", unit),)
        case e.HiddenDone(events=events):
            return tuple(dict.fromkeys(("unit", one.unit) for one in events))
        case e.AccountChanged(account=account):
            return (("account", account),)
        case e.MarkerSet(marker=marker):
            return (("marker", marker),)
        case e.DiceRolled(roll=roll, subjects=subjects):
            return (("roll", str(roll)), *(("unit", subject) for subject in subjects))
        case e.ChoiceMade() | e.ChoiceSealed() | e.ChoiceRevealed():
            return (("choice", f"{event.question}/{event.side}"),)
        case e.PassBegun(item=item) if item:
            return (("pick", item),)
        case e.StepClosed(item=item) if item:
            return (("pick", item),)
        case e.StepClosed(step=step, answer=answer) if answer:
            return (("answer", step),)
        case _:
            return ()


def names_in(value: Any) -> Iterator[str]:
    """Yield every name that occurs in an order's arguments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, one in value.items():
            if name not in ("as", "order"):
                yield from names_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from names_in(one)


def may_ask(game: Game, asker: str, about: str) -> bool:
    """Return whether a seat may ask for another seat's knowledge.

    A seat may ask for its own side. The referee may ask for any, unless secrets are closed to the referee.
    """
    own = game.side_of(asker)
    if asker == REFEREE:
        return not game.options.get(CLOSED_TO_REFEREE) or not game.side_of(about)
    return asker == about or bool(own and own == game.side_of(about)) or about == SPECTATOR
