"""Play Pacific War and Federation & Empire by mail under fog: the other side cannot tell two games apart."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.face.domain import RuleViolation
from tests.face.testing import folder_of

GALLEYS = folder_of("war-galley") / "scenarios" / "off-naupactus.toml"
GAMES = [("pacific-war", "coral-sea.toml"), ("federation-and-empire", "border-war.toml")]


def opened(desk: umpire.Desk, title: str, scenario: str, number: int) -> umpire.PlayedGame:
    """Hide one unit on entry and move it, and hide one that was in sight, both of the first side."""
    game = desk.new(title, folder_of(title) / "scenarios" / scenario, id="g", options={"fog": True}, dice="table")
    side = game.sides[0]
    unit = f"{side}-{number}"
    lets_in = {"order": "place", "as": side, "unit": unit, "side": side, "kind": "unit", "at": f"010{number}"}
    moves = {"order": "move", "as": side, "unit": unit, "path": [f"0{number}01", f"020{number}"]}
    for order in ({**lets_in, "hidden": True}, moves):
        game.referee.order(
            {
                "order": "rule",
                "ruling": "by mail",
                "reason": "fog",
                "grounds": "house rule",
                "orders": [order],
                "id": f"mail-{order['order']}",
            }
        )
    in_sight = min(one.id for one in game.referee.units(side=side) if one.id != unit)
    game.seat(side).order({"order": "hide", "unit": in_sight, "id": "hide"})
    return game


@pytest.fixture(params=GAMES, ids=[title for title, _ in GAMES])
def worlds(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[umpire.PlayedGame]]:
    with umpire.open(tmp_path / "one.db") as one, umpire.open(tmp_path / "other.db") as other:
        yield [opened(desk, *request.param, number) for desk, number in ((one, 7), (other, 8))]


def looks(game: umpire.PlayedGame, seat: str) -> Any:
    mine = game.seat(seat)
    view = msgspec.structs.replace(mine.status, waits=())
    trail = [(line.position, line.seat, line.event, line.text, line.units) for line in mine.audit()]
    found = [view, trail, mine.plain_units(), mine.map(), list(mine.legal_orders()) if seat != "spectator" else []]
    found += [mine.unit_orders(unit) for unit in ("", *sorted(mine.known().units)[:12])]
    return msgspec.json.decode(msgspec.json.encode(found, enc_hook=str))


def test_seats_without_sight_see_two_games_alike(worlds: list[umpire.PlayedGame]) -> None:
    one, other = worlds
    for seat in (*one.sides[1:], "spectator"):
        assert looks(one, seat) == looks(other, seat), seat
    assert looks(one, one.sides[0]) != looks(other, one.sides[0])
    (lost,) = one.seat(one.sides[1]).status.last_seen
    assert one.seat(one.sides[0]).status.hidden == tuple(sorted((lost.unit, f"{one.sides[0]}-7")))


def test_other_side_sees_the_last_known_place(worlds: list[umpire.PlayedGame]) -> None:
    game, _ = worlds
    (lost,) = game.seat(game.sides[1]).status.last_seen
    with pytest.raises(RuleViolation) as refused:
        game.seat(game.sides[1]).order({"order": "show", "unit": lost.unit})
    assert f"at {lost.at}" in refused.value.what
    game.seat(game.sides[0]).order({"order": "show", "unit": lost.unit})
    assert lost.unit in game.spectator.known().units


def test_initiative_of_a_hidden_admiral_adds_nothing(tmp_path: Path) -> None:
    """Hide Cnemus: a public roll depends on public units only, so Corinth's initiative loses his 1."""
    with umpire.open(tmp_path / "umpire.db") as desk:
        game = desk.new("war-galley", GALLEYS, id="g", options={"fog": True}, dice="ledger")
        corinth = game.seat("corinth")
        corinth.order({"order": "hide", "unit": "corinth-1"})
        corinth.order({"order": "roll-wind"})
        corinth.order({"order": "roll-initiative"})
        game.seat("athens").order({"order": "roll-initiative"})
        told = {line.text for line in game.spectator.audit() if line.event == "dice.rolled"}
    assert any("Phormio" in one for one in told)
    assert not any("Cnemus" in one for one in told)
