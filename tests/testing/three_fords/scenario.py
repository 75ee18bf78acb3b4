"""Define the scenarios of Three Fords: companies, tables, the last turn."""

from typing import Annotated, Any, Literal

import msgspec

from umpire_ledger.kit import AnyEvent, MarkerSet, Piece, Scenario, Side, set_up_pieces


class Company(Piece, frozen=True, kw_only=True):
    """A company and its strength."""

    kind: Literal["company"] = "company"
    strength: Annotated[int, msgspec.Meta(ge=1, le=9)]


class FordsScenario(Scenario, frozen=True, kw_only=True):
    """`turns`: the number of the last turn."""

    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=2, max_length=2)]
    turns: Annotated[int, msgspec.Meta(ge=1, le=20)]
    units: Annotated[tuple[Company, ...], msgspec.Meta(min_length=2)]

    def pieces(self) -> tuple[Piece, ...]:
        return self.units


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Place the companies, and set the last turn as a marker."""
    assert isinstance(scenario, FordsScenario)
    return [*set_up_pieces(scenario), MarkerSet(marker="last_turn", before=None, after=scenario.turns)]


STARTER: dict[str, Any] = {
    "sides": [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}],
    "turns": 4,
    "units": [
        {"id": "red-1", "side": "red", "kind": "company", "at": "red-camp", "strength": 2},
        {"id": "blue-1", "side": "blue", "kind": "company", "at": "blue-camp", "strength": 2},
    ],
}
