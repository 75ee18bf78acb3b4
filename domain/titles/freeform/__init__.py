"""No sequence of play, the generic orders only: for every other game on the table."""

from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.game.scenario import FreeScenario, Scenario, set_up_pieces
from umpire_ledger.domain.kit.generic import GENERIC
from umpire_ledger.domain.kit.title import Title


def _set_up(scenario: Scenario) -> list[AnyEvent]:
    return set_up_pieces(scenario)


TITLE = Title(
    id="freeform",
    name="Freeform",
    version="1",
    decides=GENERIC,
    scenario=FreeScenario,
    set_up=_set_up,
)
