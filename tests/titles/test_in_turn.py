"""Check steps that sides take in turn: status, refusals and lists of games name only the side whose turn it is."""

from pathlib import Path

import msgspec
import pytest

import umpire_ledger as umpire
from tests.face.domain import (
    Cursor,
    Done,
    Excuse,
    Game,
    OpenStep,
    Order,
    RuleViolation,
    Sent,
    Step,
    Title,
    decide,
    open_steps,
    replace,
)
from tests.face.projections import turn_view
from tests.face.testing import (
    FIXTURES,
    NO_HISTORY,
    opened,
    scenarios,
    titles,
)
from tests.naming import Naming

IN_TURN = [
    pytest.param(title, step, id=f"{title.id}/{step.id}")
    for title in titles()
    if title.sequence is not None
    for step in title.plan.leaves()
    if step.in_turn
]


def waiting_in(title: Title, step: Step) -> Game:
    """Return the first scenario of a title, with that step open and two sides waited for."""
    game = opened(title, scenarios(title)[0], 7).game
    both = OpenStep(step=step.id, name=step.name, waits=game.side_ids[:2])
    return replace(game, cursor=Cursor(open=(both,)))


def test_some_steps_are_taken_in_turn() -> None:
    assert IN_TURN


@pytest.mark.parametrize(("title", "step"), IN_TURN)
class TestOneIsNamed:
    def test_refusal_names_the_place_as_status_does(self, title: Title, step: Step) -> None:
        game = waiting_in(title, step)
        first, second = game.side_ids[:2]
        view = turn_view(title, game, second, 1)
        assert view.waiting == (first,)
        assert view.where.endswith(f" · {game.side_name(first)}")
        for order in self.refused_orders(title, game, second):
            with pytest.raises(RuleViolation) as refusal:
                decide(title, game, Sent(order=order), NO_HISTORY)
            assert refusal.value.where == view.where

    def refused_orders(self, title: Title, game: Game, side: str) -> tuple[Order, ...]:
        """Return orders given too early, outside their step, by an unknown seat, and by a side for the referee."""
        here = {order for one in open_steps(title, game) for order in one.allows}
        elsewhere = next(one.order for one in title.orders if one.order not in here and not _required(one.order))
        excused = Excuse(seat=side, reason="a slip")
        return Done(seat=side), elsewhere(seat=side), Done(seat="nobody-here"), excused


def _required(order: type[Order]) -> bool:
    return any(field.required for field in msgspec.structs.fields(order) if field.name != "seat")


class TestAtADesk:
    """Mentak waits for the Federation of Sol, which takes its casualties first."""

    AFTER, SOL = 350, Naming(1, "SB.3", "Federation of Sol")

    @pytest.fixture
    def battle(self, tmp_path: Path) -> umpire.PlayedGame:
        desk = umpire.open(tmp_path / "umpire.db")
        round_ = desk.import_log(FIXTURES / "twilight-imperium-3" / "replays" / "full-round.jsonl")
        return round_.fork("battle", at=self.AFTER)

    def test_game_list_status_and_refusal_agree(self, battle: umpire.PlayedGame) -> None:
        mentak = battle.seat("mentak")
        with pytest.raises(umpire.Refused) as refusal:
            mentak.order("done")
        listed = {entry.game: entry.where for entry in battle.desk.games()}
        assert refusal.value.where == mentak.status.where == battle.where == listed["battle"] == self.SOL

    def test_so_does_an_order_that_cannot_be_read(self, battle: umpire.PlayedGame) -> None:
        with pytest.raises(umpire.Refused) as refusal:
            battle.seat("mentak").order("no-such-order")
        assert refusal.value.where == self.SOL

    def test_decision_names_the_place(self, battle: umpire.PlayedGame) -> None:
        assert battle.seat("mentak").order("note", text="hm").where == self.SOL
