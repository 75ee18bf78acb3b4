"""Index a declared sequence: the parents and successors of places, and the loops that remember answers."""

import itertools
from collections.abc import Iterator

from umpire_ledger.domain.game.errors import DeclarationError
from umpire_ledger.domain.sequence.constructs import (
    AnyPlace,
    Each,
    Heading,
    Instant,
    Rounds,
    Sequence,
    Step,
    Together,
    Turns,
)


class Plan:
    """Indexes of one sequence, made once. `order`: places in printed order, from 0. `parent`: "" for a top place."""

    def __init__(self, sequence: Sequence) -> None:
        self.sequence = sequence
        self.places: dict[str, AnyPlace] = {}
        self.parent: dict[str, str] = {}
        self.siblings: dict[str, tuple[str, ...]] = {"": tuple(place.id for place in sequence.steps)}
        self.order: dict[str, int] = {}
        self.duplicates: list[str] = []
        self.procedures = frozenset(procedure.id for procedure in sequence.procedures)
        self.instants: tuple[Instant, ...] = sequence.instants
        self.anytime: tuple[Step, ...] = sequence.anytime
        self._around: dict[str, tuple[str, ...]] = {"": ()}
        self._following: dict[str, str] = {}
        self._last: dict[str, int] = {}
        self._home: dict[str, str] = {}
        self._track: dict[str, str] = {"": ""}
        for place in sequence.steps:
            self._index(place, "")
        for place in sequence.procedures:
            self._index(place, "")
        for step in sequence.anytime:
            self._index(step, "")
        for parent, siblings in self.siblings.items():
            if not isinstance(self.places.get(parent), Together):
                self._following.update(itertools.pairwise(siblings))

    def _index(self, place: AnyPlace, parent: str) -> None:
        if place.id in self.places:
            self.duplicates.append(place.id)
            return
        self.places[place.id] = place
        self.parent[place.id] = parent
        self.order[place.id] = len(self.order)
        self._around[place.id] = (place.id, *self._around[parent])
        self._home[place.id] = next((one for one in self._around[parent] if self.has_frame(one)), "")
        is_track = isinstance(self.places.get(parent), Together)
        self._track[place.id] = place.id if is_track else self._track[parent]
        children = children_of(place)
        self.siblings[place.id] = tuple(child.id for child in children)
        for child in children:
            self._index(child, place.id)
        self._last[place.id] = len(self.order) - 1

    def place(self, place: str) -> AnyPlace:
        """Return a place by its id.

        Raises:
            DeclarationError: The sequence has no such place.
        """
        if place not in self.places:
            raise DeclarationError(
                f"this sequence has no place {place}",
                where=place,
                rule="the sequence of play",
                remedy="install the version of the title with which this game was opened",
                code="no-such-place",
                fields={"place": place},
            )
        return self.places[place]

    def step(self, step: str) -> Step | None:
        """Return a step by its id; None for any other place."""
        place = self.places.get(step)
        return place if isinstance(place, Step) else None

    def after(self, place: str) -> str | None:
        """Return the next sibling; None after the last one, and among places that are open at once."""
        return self._following.get(place)

    def first(self, place: str) -> str:
        return self.siblings[place][0]

    def begins(self, rounds: str, place: str) -> bool:
        """Return whether rounds begin at a place: at their first child, or at the first place of a heading that is
        first.
        """
        first = self.first(rounds)
        while first != place and isinstance(self.places[first], Heading):
            first = self.first(first)
        return first == place

    def around(self, place: str) -> tuple[str, ...]:
        """Return the place and everything that contains it, innermost first; () for an unknown place."""
        return self._around.get(place, ())

    def path(self, place: str) -> tuple[str, ...]:
        """Return the places around a place, outermost first, without the place itself."""
        return self._around.get(place, ())[:0:-1]

    def home(self, place: str) -> str:
        """Return the innermost loop or procedure around a place; "" for the game itself."""
        return self._home.get(place, "")

    def track(self, place: str) -> str:
        """Return the track of a Together to which a place belongs, perhaps itself; "" outside of every Together."""
        return self._track.get(place, "")

    def has_frame(self, place: str) -> bool:
        return place in self.procedures or isinstance(self.places[place], Rounds | Each | Turns)

    def holds(self, outer: str, inner: str) -> bool:
        """Return whether one place is, or contains, another; "" contains every place."""
        return outer == "" or outer in self.around(inner)

    def in_stretch(self, stretch: tuple[str, ...], place: str) -> bool:
        """Return whether a place belongs to a stretch, which includes everything inside its last place."""
        first, last = stretch
        return self.order[first] <= self.order[place] <= self._last[last]

    def leaves(self) -> Iterator[Step]:
        """Yield every step in printed order."""
        return (place for place in self.places.values() if isinstance(place, Step))


def children_of(place: AnyPlace) -> tuple[AnyPlace, ...]:
    """Return the places directly inside a place; a step has none."""
    match place:
        case Heading(steps=steps) | Rounds(steps=steps) | Each(steps=steps) | Turns(steps=steps):
            return steps
        case Together(steps=steps):
            return tuple(steps)
        case _:
            return ()
