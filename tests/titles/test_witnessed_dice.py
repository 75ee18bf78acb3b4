"""Play every title at random with witnessed dice, by shares alone, and verify its log for every seat."""

import random
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import umpire_ledger as umpire
from tests.face.desk import event_of
from tests.face.domain import (
    BUILT_IN,
    DiceAsked,
    DiceRolled,
    Game,
    replace,
    unpledged,
    unshown,
)
from tests.face.testing import Player, folder_of
from tests.naming import Naming

ORDERS = 40
WITH_SECRET_DICE = ("pacific-war", "coral-sea.toml")


def games() -> list[tuple[str, str]]:
    return [(title, sorted(one.name for one in (folder_of(title) / "scenarios").iterdir())[0]) for title in BUILT_IN]


@pytest.fixture(params=games(), ids=lambda one: str(one[0]))
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    title, scenario = request.param
    with umpire.open(tmp_path / "club.db") as desk:
        yield desk.new(title, folder_of(title) / "scenarios" / scenario, id="g", dice="witnessed")


def now(game: umpire.PlayedGame) -> Game:
    return game.ledger.state(game.id)


def give_shares(game: umpire.PlayedGame, home: Path) -> None:
    while due := (*unpledged(now(game)), *unshown(now(game))):
        order = game.seat(due[0]).dice_due(home / due[0])
        assert order is not None
        game.seat(due[0]).order(order)


def played(game: umpire.PlayedGame, home: Path, orders: int) -> None:
    """Give random orders of the sides; when one rolls, show the shares of the other machines."""
    title = game.title
    assert title is not None
    player = Player(title, seed=5)
    for _ in range(orders):
        if now(game).ended:
            break
        order, _ = player.choose(replace(now(game), scheme=2))
        given = {name: value for name, value in msgspec.to_builtins(order).items() if name != "as"}
        game.seat(order.seat).order(given)
        give_shares(game, home)


def test_random_play_with_witnessed_dice_verifies_for_every_seat(game: umpire.PlayedGame, tmp_path: Path) -> None:
    give_shares(game, tmp_path)
    played(game, tmp_path, ORDERS)
    rolls = [one for one in map(event_of, game.ledger.records("g")) if isinstance(one, DiceRolled)]
    asked = [one for one in map(event_of, game.ledger.records("g")) if isinstance(one, DiceAsked)]
    assert bool(rolls) == bool(asked)
    if not now(game).ended:
        game.referee.order("end", reason="night falls")
    game.referee.order("open-dice")
    checked = game.verify()
    assert (checked.verdict.verdict, checked.dice, checked.findings) == ("VALID", len(rolls), ())
    for seat in random.Random(1).sample(list(game.sides), 2):
        game.seat(seat).export(tmp_path / f"{seat}.jsonl")
        assert umpire.verify(tmp_path / f"{seat}.jsonl").valid


def test_order_with_a_secret_roll_waits_in_secret(tmp_path: Path) -> None:
    """Pacific War 5.1.B: the Operational Intelligence Condition is rolled for in secret; so is what waits for it."""
    title, scenario = WITH_SECRET_DICE
    with umpire.open(tmp_path / "club.db") as desk:
        game = desk.new(title, folder_of(title) / "scenarios" / scenario, id="g", dice="witnessed")
        give_shares(game, tmp_path)
        player = Player(game.title or pytest.fail("no title"), seed=5)
        for _ in range(120):
            order, decision = player.choose(replace(now(game), scheme=2))
            given = {name: value for name, value in msgspec.to_builtins(order).items() if name != "as"}
            outcome = game.seat(order.seat).order(given)
            if len(outcome.records) == 2 and all(isinstance(one.event, DiceAsked) for one in outcome.records):
                break
            give_shares(game, tmp_path)
        else:
            pytest.fail("nobody threw in secret")
        open_, hidden = outcome.records
        assert open_.visible_to is None
        assert hidden.visible_to is not None
        [other] = [side for side in game.sides if side not in hidden.visible_to]
        seen = [line.text for line in game.seat(other).audit() if line.position >= open_.position]
        asks = Naming(order.seat, now(game).rolls + 1)
        first, second = seen
        assert first == asks
        assert not {order.tag(), order.seat} & set(second.split())
        told = [line.text for line in game.seat(other).orders() if line.position >= open_.position]
        assert all(order.tag() not in text for text in told)
        give_shares(game, tmp_path)
        assert now(game).awaits_dice == ""
        assert decision.told
