"""Record which facts of a game a decision reads: attributes of units, accounts, markers and choices.

Only dependency analysis uses this. It repeats a decision with such a game in place of the plain one, and the decision
gets the same values. Events apply as to any game; the resulting game records into the same log.
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
    """Return the same game with a new log of the facts that are read from it."""
    return WatchedGame(**{name: getattr(game, name) for name in Game.__struct_fields__}, book=AccessLog())


class AccessLog:
    """The facts that were read, each once."""

    def __init__(self) -> None:
        self._facts: dict[Fact, None] = {}
        self._over: dict[tuple[str, int], tuple[Any, Any]] = {}

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts, in the order in which they were first read."""
        return tuple(self._facts)

    def note(self, kind: str, name: str, attribute: str = "") -> None:
        """Record that a fact was read."""
        self._facts[kind, name, attribute] = None

    def over(self, kind: str, bare: Map[str, Any]) -> Any:
        """Return the recording view of a map. The same map always has the same view, so views can be compared."""
        key = kind, id(bare)
        if key not in self._over:
            # Store the map too, so that no other map can get its id while the view exists.
            self._over[key] = bare, (WatchedUnits if kind == "unit" else WatchedMap)(self, kind, bare)
        return self._over[key][1]


class WatchedMap(Mapping[str, V], Generic[V]):
    """Accounts, markers or choices by name. Looking up a name records it, even if it is missing; iterating does not."""

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
        """Return a mutation of the plain map for `evolve`, whose reads are not recorded."""
        return self._bare.mutate()


class WatchedUnits(WatchedMap[Unit]):
    """Units by id. Reading a field of a unit is recorded, and so is testing whether a unit exists."""

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
    """Return a property that returns a unit's field and records that it was read."""
    slot = getattr(Unit, field)

    def ask(unit: "WatchedUnit") -> Any:
        unit.book.note("unit", unit.id, field)
        return slot.__get__(unit)

    return property(ask)


def _watched_attributes(unit: "WatchedUnit") -> WatchedAttributes:
    return WatchedAttributes(unit.book, unit.id, Unit.attributes.__get__(unit))  # type: ignore[attr-defined] # a slot


class WatchedUnit(Unit, frozen=True, kw_only=True):
    """A unit that records which of its fields and attributes are read."""

    book: AccessLog
    side = _noted("side")
    kind = _noted("kind")
    at = _noted("at")
    fate = _noted("fate")
    attributes = property(_watched_attributes)


def _watched_unit(unit: Unit, book: AccessLog) -> WatchedUnit:
    return WatchedUnit(**{name: getattr(unit, name) for name in Unit.__struct_fields__}, book=book)


def _noting(field: str) -> Any:
    """Return a property that returns the recording view of one of the game's maps."""
    slot, kind = getattr(Game, field), KINDS[field]
    return property(lambda game: game.book.over(kind, slot.__get__(game)))


class WatchedGame(Game, frozen=True, kw_only=True):
    """A game that records which of its facts are read."""

    book: AccessLog
    units = _noting("units")
    accounts = _noting("accounts")
    markers = _noting("markers")
    choices = _noting("choices")
