"""A game that notes what is asked of it: which attributes of which units, which accounts, markers and choices.

For looking back only: a decision that is taken again gets one instead of the game, and cannot tell the difference. It
folds events as any game does, and what comes of that notes on in the same book. Play itself never sees one.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

from immutables import Map

from umpire_ledger.domain.game.state import Game, Unit
from umpire_ledger.domain.game.state_facts import Fact
from umpire_ledger.domain.game.values import Value

V = TypeVar("V")
KINDS = {"units": "unit", "accounts": "account", "markers": "marker", "choices": "choice"}


def track_access(game: Game) -> "WatchedGame":
    """The same game, with a new book in which it notes what is asked of it."""
    return WatchedGame(**{name: getattr(game, name) for name in Game.__struct_fields__}, book=AccessLog())


class AccessLog:
    """The facts that were asked for, each once."""

    def __init__(self) -> None:
        self._facts: dict[Fact, None] = {}
        self._over: dict[tuple[str, int], tuple[Any, Any]] = {}

    @property
    def facts(self) -> tuple[Fact, ...]:
        """In the order in which they were asked for first."""
        return tuple(self._facts)

    def note(self, kind: str, name: str, attribute: str = "") -> None:
        """Something was asked for."""
        self._facts[kind, name, attribute] = None

    def over(self, kind: str, bare: Map[str, Any]) -> Any:
        """What notes for a map: always the same for the same, as whoever compares maps expects."""
        key = kind, id(bare)
        if key not in self._over:
            # With the map itself: as long as it is kept, its id is its own.
            self._over[key] = bare, (WatchedUnits if kind == "unit" else WatchedMap)(self, kind, bare)
        return self._over[key][1]


class WatchedMap(Mapping[str, V], Generic[V]):
    """Accounts, markers or choices by name. Their names alone note nothing; a value does, and one that is missing."""

    def __init__(self, book: AccessLog, kind: str, bare: Map[str, V]) -> None:
        self._book = book
        self._kind = kind
        self._bare = bare

    def __getitem__(self, name: str) -> V:
        self._book.note(self._kind, name)
        return self._bare[name]

    def get(self, name: str, default: Any = None) -> Any:
        if name not in self:
            return default
        return self[name]

    def __contains__(self, name: object) -> bool:
        self._book.note(self._kind, str(name))
        return name in self._bare

    def __iter__(self) -> Iterator[str]:
        return iter(self._bare)

    def __len__(self) -> int:
        return len(self._bare)

    def mutate(self) -> Any:
        """For a fold, which asks nothing."""
        return self._bare.mutate()


class WatchedUnits(WatchedMap[Unit]):
    """Units by id. A unit alone notes nothing, what is asked of it does; and that there is none."""

    def __init__(self, book: AccessLog, kind: str, bare: Map[str, Unit]) -> None:
        super().__init__(book, kind, bare)
        self._watched: dict[str, WatchedUnit] = {}

    def __getitem__(self, name: str) -> Unit:
        if name not in self._watched:
            self._watched[name] = _watched_unit(self._bare[name], self._book)
        return self._watched[name]


class WatchedAttributes(Mapping[str, Value]):
    """A unit's attributes by name."""

    def __init__(self, book: AccessLog, unit: str, bare: Mapping[str, Value]) -> None:
        self._book = book
        self._unit = unit
        self._bare = bare

    def __getitem__(self, name: str) -> Value:
        self._book.note("unit", self._unit, name)
        return self._bare[name]

    def get(self, name: str, default: Any = None) -> Any:
        self._book.note("unit", self._unit, name)
        return self._bare.get(name, default)

    def __contains__(self, name: object) -> bool:
        self._book.note("unit", self._unit, str(name))
        return name in self._bare

    def __iter__(self) -> Iterator[str]:
        return iter(self._bare)

    def __len__(self) -> int:
        return len(self._bare)


def _noted(field: str) -> Any:
    """A field of a unit that notes when it is asked for; behind it lies the unit's own."""
    slot = getattr(Unit, field)

    def ask(unit: "WatchedUnit") -> Any:
        unit.book.note("unit", unit.id, field)
        return slot.__get__(unit)

    return property(ask)


def _watched_attributes(unit: "WatchedUnit") -> WatchedAttributes:
    return WatchedAttributes(unit.book, unit.id, Unit.attributes.__get__(unit))  # type: ignore[attr-defined] # a slot


class WatchedUnit(Unit, frozen=True, kw_only=True):
    """A unit whose fields and attributes note that they are asked for."""

    book: AccessLog
    side = _noted("side")
    kind = _noted("kind")
    at = _noted("at")
    fate = _noted("fate")
    attributes = property(_watched_attributes)


def _watched_unit(unit: Unit, book: AccessLog) -> WatchedUnit:
    return WatchedUnit(**{name: getattr(unit, name) for name in Unit.__struct_fields__}, book=book)


def _noting(field: str) -> Any:
    """A map of a game that notes what is asked of it; behind it lies the game's own."""
    slot, kind = getattr(Game, field), KINDS[field]
    return property(lambda game: game.book.over(kind, slot.__get__(game)))


class WatchedGame(Game, frozen=True, kw_only=True):
    """A game with a book in which it notes what is asked of it."""

    book: AccessLog
    units = _noting("units")
    accounts = _noting("accounts")
    markers = _noting("markers")
    choices = _noting("choices")
