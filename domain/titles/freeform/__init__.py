"""No sequence of play, the generic orders only: for every other game on the table."""

from domain.events import AnyEvent
from domain.generic import GENERIC
from domain.scenario import FreeScenario, Scenario, set_up_pieces
from domain.title import Title


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
