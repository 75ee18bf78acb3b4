"""Define a scenario of Two Rivers: rafts, the owners of the mills, and the last turn. Coins are accounts."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from umpire_ledger.kit import AnyEvent, MarkerSet, Piece, Scenario, ScenarioFault, Side, scenario_fault, set_up_pieces

River = Literal["north", "south"]


class Raft(Piece, frozen=True, kw_only=True):
    """A raft with bales aboard; `at`: river and stretch, for instance `north/spring`."""

    kind: Literal["raft"] = "raft"
    at: Annotated[str, msgspec.Meta(pattern="^(north|south)/(spring|bend|mill|mouth)$")]
    bales: Annotated[int, msgspec.Meta(ge=1, le=9)]


class RiversScenario(Scenario, frozen=True, kw_only=True):
    """`mills`: river to side. `turns`: how many are played at most."""

    sides: Annotated[tuple[Side, ...], msgspec.Meta(min_length=2, max_length=2)]
    mills: dict[River, str]
    turns: Annotated[int, msgspec.Meta(ge=1, le=20)]
    units: Annotated[tuple[Raft, ...], msgspec.Meta(min_length=1)]

    def faults(self) -> Iterator[ScenarioFault]:
        for river, side in self.mills.items():
            if side not in {one.id for one in self.sides}:
                yield scenario_fault(f"there is no side {side}", f"$.mills.{river}")

    def pieces(self) -> tuple[Piece, ...]:
        return self.units


def set_up(scenario: Scenario) -> list[AnyEvent]:
    """Return the set-up events: rafts, coins, and markers for the mills and the last turn."""
    assert isinstance(scenario, RiversScenario)
    mills = (MarkerSet(marker=f"mill/{river}", before=None, after=side) for river, side in scenario.mills.items())
    return [*set_up_pieces(scenario), *mills, MarkerSet(marker="last_turn", before=None, after=scenario.turns)]
