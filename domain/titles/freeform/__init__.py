"""Freeform: any other game, with the generic orders and the sequence of play that its scenario defines, if any."""

from collections.abc import Mapping
from typing import Any

from umpire_ledger.domain.titles.freeform.scenario import FreeformScenario, set_up, title_of
from umpire_ledger.kit import GENERIC_ORDERS, Title, Value, does


def _brought(sequence: Mapping[str, Any], options: Mapping[str, Value]) -> Title:
    return title_of(TITLE, sequence, options)


TITLE = Title(
    id="freeform",
    name="Freeform",
    version="1",
    orders=tuple(does(order) for order in GENERIC_ORDERS),
    scenario=FreeformScenario,
    set_up=set_up,
    brought=_brought,
)
