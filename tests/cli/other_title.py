"""Record a game of a title that is not installed, as an import from another machine may contain it."""

from tests.face.desk import GameStateBuilder, drafts_of
from tests.face.domain import Game, events as e
from tests.face.ledger import Ledger

EVENTS: tuple[e.AnyEvent, ...] = (
    e.GameOpened(
        game="alien",
        title="crater-of-doom",
        version="3",
        name="The crater",
        sides=(e.Side(id="up", name="Up"), e.Side(id="down", name="Down")),
        dice="table",
    ),
    e.UnitPlaced(unit="u1", side="up", kind="rover", at="rim"),
    e.StepOpened(step="1.1", name="digging", waits=("up",)),
)


class _Recording:
    folding = GameStateBuilder()

    def __call__(self, ledger: Ledger[Game]) -> None:
        drafts = drafts_of(EVENTS, None)
        ledger.append("alien", after=0, seat="referee", command="open", drafts=drafts)


record_a_game_of_another_title = _Recording()
