"""Learn likely invariants of arguments from accepted orders, such as that an argument names only the side's own units.

An argument that never named units of another side should refuse them. The declaration of an order does not state this,
and random play rarely suggests such units. So the contract checks learn the invariant, and then try to break it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.domain.game.orders import EVERYWHERE, GENERIC_ORDERS, Order
from umpire_ledger.domain.game.state import Game

BESIDE = ("as", "order")
OWN, HELD = "own", "held"
LEAST = 4
"""The number of accepted values of an argument, at least two of them different, before an invariant is likely."""
MOST_VALUES = 40
"""The most accepted values of an argument to keep for later tries."""


class Field(NamedTuple):
    """A text in an order's JSON. `name`: its path without indexes, such as `ships` or `moves.unit`.

    `path`: its path with indexes; `key`: whether the text is a key of an object.
    """

    name: str
    path: tuple[str | int, ...]
    value: str
    key: bool = False


def fields_of(value: Any, game: Game, path: tuple[str | int, ...] = (), name: str = "") -> Iterator[Field]:
    """Yield every text in an order's JSON, and every key that names a unit or side."""
    match value:
        case str():
            yield Field(name, path, value)
        case list() | tuple():
            for at, one in enumerate(value):
                yield from fields_of(one, game, (*path, at), name)
        case dict():
            for key, one in value.items():
                if path or key not in BESIDE:
                    is_name = key in game.units or key in game.side_ids
                    inner = name if is_name else f"{name}.{key}".lstrip(".")
                    if is_name:
                        yield Field(f"{name} (key)", (*path, key), key, key=True)
                    yield from fields_of(one, game, (*path, key), inner)


def replaced(raw: Any, field: Field, value: str) -> Any:
    """Return a copy of an order's JSON with another text or key at the path of a field."""
    head, *rest = field.path
    if not rest:
        if field.key:
            return {value if key == head else key: one for key, one in raw.items()}
        if isinstance(raw, dict):
            return {**raw, head: value}
        return [value if at == head else one for at, one in enumerate(raw)]
    inner = replaced(raw[head], field._replace(path=tuple(rest)), value)
    if isinstance(raw, dict):
        return {**raw, head: inner}
    return [inner if at == head else one for at, one in enumerate(raw)]


# --- likely invariants ------------------------------------------------------------------------------------------------


class Invariant(NamedTuple):
    """A property of every accepted value of an argument. `kind`: `own` or `held`; `holder`: place of a held card."""

    kind: str
    holder: str = ""


class Usage(msgspec.Struct):
    """The accepted values of one argument, and the properties that all of them share."""

    times: int = 0
    values: dict[str, None] = {}
    invariants: frozenset[Invariant] = frozenset()


class ArgumentUse:
    """The values that random play used as arguments of a title's own orders, by kind of order and field."""

    def __init__(self) -> None:
        self.seen: dict[tuple[type[Order], str], Usage] = {}

    def note(self, game: Game, order: Order) -> None:
        """Learn from an order that is accepted in this game."""
        side = game.side_of(order.seat)
        if not side or isinstance(order, (*GENERIC_ORDERS, *EVERYWHERE)):
            return
        holders = holders_of(game, side)
        for field in fields_of(msgspec.to_builtins(order), game):
            if field.value:
                self._note(type(order), field, invariants_of(game, side, field.value, holders))

    def _note(self, kind: type[Order], field: Field, found: frozenset[Invariant]) -> None:
        usage = self.seen.setdefault((kind, field.name), Usage(invariants=found))
        usage.times += 1
        usage.invariants &= found
        if len(usage.values) < MOST_VALUES:
            usage.values[field.value] = None

    def values(self, kind: type[Order], field: str) -> tuple[str, ...]:
        """Return the accepted values of an argument, in the order of first use."""
        usage = self.seen.get((kind, field))
        return tuple(usage.values) if usage else ()

    def likely(self, kind: type[Order], field: str) -> frozenset[Invariant]:
        """Return the likely properties of an argument; an empty set if random play used it too rarely."""
        usage = self.seen.get((kind, field))
        if usage is None or usage.times < LEAST or len(usage.values) < 2:
            return frozenset()
        return usage.invariants


def invariants_of(game: Game, side: str, value: str, holders: Mapping[str, tuple[str, ...]]) -> frozenset[Invariant]:
    """Return the invariants that a value satisfies for a side: its own unit in play, or a card that it holds."""
    unit = game.units.get(value)
    found = {Invariant(HELD, name) for name, held in holders.items() if value in held}
    if unit is not None and unit.side == side and not unit.fate:
        found.add(Invariant(OWN))
    return frozenset(found)


def holders_of(game: Game, side: str) -> dict[str, tuple[str, ...]]:
    """Return the lists of names that a side holds, by place: in its sealed answers, and in markers with its name."""
    choices = (one for _, one in sorted(game.choices.items()) if one.side == side and one.sealed and one.known)
    sealed = {f"the sealed {one.question}": one.choice for one in choices}
    markers = {name.replace(side, "SIDE"): value for name, value in game.markers.items() if side in name.split("/")}
    return {name: held for name, held in {**sealed, **markers}.items() if isinstance(held, tuple)}
