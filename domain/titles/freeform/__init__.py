"""No sequence of play, the generic orders only: for every other game on the table."""

from umpire_ledger.kit import GENERIC_ORDERS, AnyEvent, FreeScenario, Scenario, Title, does, set_up_pieces


def _set_up(scenario: Scenario) -> list[AnyEvent]:
    return set_up_pieces(scenario)


TITLE = Title(
    id="freeform",
    name="Freeform",
    version="1",
    orders=tuple(does(order) for order in GENERIC_ORDERS),
    scenario=FreeScenario,
    set_up=_set_up,
)
