"""Federation & Empire: situations of the printed page about posts, places and kinds that an order may name."""

from typing import Any

import pytest

from tests.titles.federation_table import Line, War, battle, ship, war
from umpire_ledger.domain.game.events import UnitChanged, UnitMoved

A, C, ORION = "alliance", "coalition", "orion"
D7, F5 = ship("K-D7", "klingon", "1206"), ship("K-F5", "klingon", "1306")
CC = ship("Z-CC", "kzinti", "0902")


def accepted(table: War, seat: str, order: str, *pips: int, **arguments: Any) -> bool:
    """Whether an order is accepted; the game is played on if it is."""
    return table.tries(seat, order, *pips, **arguments).refusal is None


# --- 5-1E: the flagship of those who failed to evade -----------------------------------------------------------------


def evading() -> War:
    """Three Tholians stay: two are cloaked, and the flagship is one of them."""
    tholians = [ship(f"T-{n}", "tholian", "1105", *(("cloak",) if n < 3 else ())) for n in (1, 2, 3)]
    table = battle(ship("K-D7", "klingon", "1105"), *tholians).to("5-1D").says(A, "name-flagship", unit="T-1")
    return table.to("5-1E").says(A, "evade", 6, unit="T-1", at_least=3)


def test_flagship_that_never_tried_to_evade_is_refused() -> None:
    """5-1E (306.1)."""
    table = evading().says(A, "evade", 1, unit="T-2", at_least=3)
    table.tries(A, "name-flagship", unit="T-3").then_refused(rule="306.1", do="T-2")
    table.says(A, "name-flagship", unit="T-2")


def test_flagship_if_none_failed_is_any_that_stays() -> None:
    """5-1E (306.1)."""
    table = evading()
    table.tries(A, "name-flagship", unit="T-1").then_refused(rule="306.1")
    table.says(A, "name-flagship", unit="T-3")
