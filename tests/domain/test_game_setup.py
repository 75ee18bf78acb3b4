"""Test the opening of a game: the scenario's public part, the title's secret set-up, and later look-ups."""

from typing import Any

import msgspec
import pytest

from tests.domain.teaching import NORTH, SOUTH, step
from tests.face.domain import (
    AnyEvent,
    ChoiceMade,
    GameOpened,
    Go,
    MarkerSet,
    RestrictedEvent,
    Scenario,
    Sequence,
    Side,
    Title,
    TitleFault,
    Value,
    open_game,
    replace,
    scenario_for,
)


class Ambush(Scenario, frozen=True, kw_only=True):
    """A scenario with a hidden set-up and a sheet of unit values."""

    title: str = "ambush"
    name: str = "Ambush"
    sides: tuple[Side, ...] = (Side(id=NORTH, name="North"), Side(id=SOUTH, name="South"))
    lies_in: str = "the wood"
    values: tuple[int, ...] = (1, 2)

    def published(self) -> "Ambush":
        return replace(self, lies_in="")

    def sheets(self) -> dict[str, Any]:
        return {"values": list(self.values)}


def lay_out(scenario: Scenario) -> list[AnyEvent | RestrictedEvent]:
    assert isinstance(scenario, Ambush)
    told = RestrictedEvent(ChoiceMade(question="ambush", side=NORTH, choice=scenario.lies_in, sealed=True), (NORTH,))
    return [told, MarkerSet(marker="fog", before=None, after=scenario.options["fog"])]


def opened(**options: Value) -> tuple[AnyEvent | RestrictedEvent, ...]:
    title = Title(
        id="ambush",
        name="Ambush",
        version="1",
        sequence=Sequence(steps=(step("A"),)),
        scenario=Ambush,
        set_up=lay_out,
        options={"fog": False},
    )
    return open_game(title, Ambush(), game_id="g", dice="table", seed="", options=options).told


def test_public_opening_excludes_unpublished_scenario_parts() -> None:
    told = opened()
    public = [msgspec.json.encode(one) for one in told if not isinstance(one, RestrictedEvent)]
    assert not [event for event in public if b"the wood" in event]
    (secret,) = [one for one in told if isinstance(one, RestrictedEvent)]
    assert secret == RestrictedEvent(
        ChoiceMade(question="ambush", side=NORTH, choice="the wood", sealed=True), (NORTH,)
    )


def test_value_sheets_are_opened_as_tables() -> None:
    (game_opened,) = [one for one in opened() if isinstance(one, GameOpened)]
    assert game_opened.tables == {"values": [1, 2]}


def test_faulty_sequence_opens_no_game() -> None:
    again = step("A", by="", then=(Go("A"),))
    title = Title(id="ambush", name="Ambush", version="1", sequence=Sequence(steps=(again,)), set_up=lay_out)
    with pytest.raises(TitleFault) as fault:
        scenario_for(title, 'title = "ambush"')
    assert (fault.value.title, fault.value.event) == ("ambush", None)
    assert " A: " in fault.value.what


def test_set_up_sees_the_settled_options() -> None:
    fog = [one for one in opened(fog=True) if isinstance(one, MarkerSet)]
    assert fog == [MarkerSet(marker="fog", before=None, after=True)]
