"""Define a freeform scenario: the pieces on the table, and a sequence of play of its own.

`[[play]]` lists the places of the sequence in printed order. Each place has its id in one of `step`, `heading`,
`rounds`, `each`, `turns`, `together`, `procedure`, `instant` and `anytime`; `in` names the place that contains it.
These kinds of places are the constructs of the same names in `domain/sequence/constructs.py`.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from umpire_ledger.domain.titles.freeform.texts import (
    FactText,
    Name,
    OrderText,
    PlaceText,
    RoleText,
    SequenceText,
    SetText,
)
from umpire_ledger.kit import AnyEvent, FreeScenario, Scenario, ScenarioFault, Title, Value, set_up_pieces

if TYPE_CHECKING:
    from umpire_ledger.domain.titles.freeform.names import KnownNames
    from umpire_ledger.domain.titles.freeform.sequence_loader import LoadedSequence

PARTS = ("play", "roles", "sets", "facts", "orders")


class FreeformScenario(FreeScenario, frozen=True, kw_only=True):
    """A scenario of any game. `play`: its sequence of play. `roles`, `sets`, `facts`: names used in the sequence.

    `orders`: the orders that it defines.
    """

    play: tuple[PlaceText, ...] = ()
    roles: dict[Name, RoleText] = msgspec.field(default_factory=dict)
    sets: dict[Name, SetText] = msgspec.field(default_factory=dict)
    facts: dict[Name, FactText] = msgspec.field(default_factory=dict)
    orders: dict[Name, OrderText] = msgspec.field(default_factory=dict)

    def faults(self) -> Iterable[ScenarioFault]:
        """Return the faults found when the sequence is loaded."""
        return self._reading().faults if self.sequence() else ()

    def sequence(self) -> dict[str, Any]:
        """Return the sequence of play as the log stores it; empty if the scenario has none."""
        found: dict[str, Any] = {}
        for part in PARTS:
            plain = msgspec.to_builtins(getattr(self, part))
            if plain:
                found[part] = plain
        return found

    def path_of(self, place: str) -> str:
        """Return the path in the file of a place of the sequence."""
        return self._reading().path_of(place)

    def _reading(self) -> "LoadedSequence":
        from umpire_ledger.domain.titles.freeform.sequence_loader import LoadedSequence  # noqa: PLC0415 -- 18 ms: most games define no sequence

        parts = {part: getattr(self, part) for part in PARTS}
        return LoadedSequence(SequenceText(**parts), _known_to(self))


def _known_to(scenario: FreeformScenario) -> "KnownNames":
    """Return all names that an expression of the file may use."""
    from umpire_ledger.domain.titles.freeform.names import KnownNames  # noqa: PLC0415 -- 8 ms: most games define no sequence

    lines = [line for order in scenario.orders.values() for line in order.does]
    acts = [*(act for place in scenario.play for act in place.does), *lines]
    into = [one.into for place in scenario.play for one in (place.draws, place.throws) if one is not None]
    into += [line.into for line in lines]
    touched = [place.touches for place in scenario.play if place.touches is not None]
    units = [*(unit.attributes for unit in scenario.units), *(act.has for act in acts)]
    attributes = (name for unit in units for name in unit)
    return KnownNames(
        {
            "marker": frozenset((*scenario.markers, *(act.set for act in acts), *into, *_all(touched, "markers")))
            - {""},
            "account": frozenset((*scenario.accounts, *_all(touched, "accounts"))),
            "option": frozenset(scenario.options),
            "attribute": frozenset((*attributes, *(act.change for act in acts), *_all(touched, "attributes"))) - {""},
            "side": frozenset(side.id for side in scenario.sides),
            "table": frozenset(scenario.tables),
            "board": frozenset() if isinstance(scenario.board, msgspec.UnsetType) else frozenset(("board",)),
            "place": frozenset(id for place in scenario.play for id in (place.rounds, place.each, place.turns)) - {""},
        }
    )


def _all(parts: Iterable[Any], field: str) -> list[str]:
    return [name for part in parts for name in getattr(part, field)]


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Return the events that set up the scenario."""
    return set_up_pieces(scenario)


def title_of(base: Title, sequence: Mapping[str, Any], options: Mapping[str, Value]) -> Title:
    """Return the title of one game: freeform with the sequence of play of its scenario.

    Faults are ignored here, because a game with a faulty sequence cannot be opened.
    """
    from umpire_ledger.domain.titles.freeform.names import KnownNames  # noqa: PLC0415 -- 8 ms: most games define no sequence
    from umpire_ledger.domain.titles.freeform.sequence_loader import LoadedSequence  # noqa: PLC0415 -- 18 ms: most games define no sequence

    text = msgspec.convert(sequence, SequenceText)
    read = LoadedSequence(text, KnownNames({}))
    return Title(
        id=base.id,
        name=base.name,
        version=base.version,
        sequence=read.sequence if text.play else None,
        options=dict(options),
        sides=read.sides_named,
        orders=read.orders if text.play else (*base.orders, *read.orders),
        roles=read.roles,
        sets=read.sets,
        acts=read.acts,
        ruled=read.ruled,
        scenario=base.scenario,
        set_up=base.set_up,
    )
