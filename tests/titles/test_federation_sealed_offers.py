"""Federation & Empire: an order of a secret step is listed for no seat once its side has sealed its choice."""

import pytest

from tests.face.domain import REFEREE, SPECTATOR, federation_and_empire_TITLE as TITLE
from tests.face.projections import turn_view
from tests.face.testing import as_known
from tests.titles.federation_table import Line, War, battle, says, ship
from tests.titles.test_federation_phases_9_to_11 import POOLED, pirates

A, C = "alliance", "coalition"
D7, D6 = ship("K-D7", "klingon", "1105"), ship("K-D6", "klingon", "1105")
CC, FF = ship("Z-CC", "kzinti", "1105"), ship("Z-FF", "kzinti", "1105")


def listed(table: War, seat: str, side: str) -> set[str]:
    """Return the orders that the view of a seat lists for a side, from what the seat knows."""
    view = turn_view(TITLE, as_known(table.game, seat), seat, 1)
    return {name for one in view.allowed if one.side == side for name in one.orders}


def pursued(step: str) -> War:
    """Return a table on which the Coalition retreats and the Alliance pursues."""
    table = battle(D7, D6, CC, FF).to("5-7A1").done(A, answer="stay").done(C, answer="retreat").done(A, answer="stay")
    return table.done(A, answer="pursue").to(step)


SEALED: list[tuple[str, Line]] = [
    ("5-3C", says(A, "seal-escorts")),
    ("5-3D", says(A, "seal-flagship", unit="Z-CC")),
    ("5-3E", says(A, "seal-force", units=["Z-CC", "Z-FF"])),
    ("5-3X2", says(A, "seal-intensity", bir=4)),
    ("5-4A2", says(A, "seal-ew", points=0)),
    ("5-8A", says(A, "seal-pursuit", units=["Z-CC"])),
    ("5-8B", says(A, "roll-pursuit", 4)),
    ("11G", says(A, "seal-bid", ep=0)),
]


@pytest.mark.parametrize("seat", [A, C, REFEREE, SPECTATOR])
@pytest.mark.parametrize(("step", "line"), SEALED, ids=[step for step, _ in SEALED])
def test_order_is_listed_until_its_choice_is_sealed(step: str, line: Line, seat: str) -> None:
    order = line["order"]
    table = pursued(step) if step.startswith("5-8") else auction() if step == "11G" else battle(D7, D6, CC, FF).to(step)
    assert order in listed(table, seat, A)
    table.give(line).then_accepted()
    assert order not in listed(table, seat, A)


@pytest.mark.parametrize("seat", [A, REFEREE, SPECTATOR])
def test_order_of_the_side_that_has_not_sealed_stays_listed(seat: str) -> None:
    table = battle(D7, D6, CC, FF).to("5-3E").says(A, "seal-force", units=["Z-CC", "Z-FF"])
    assert "seal-force" in listed(table, seat, C)


def auction() -> War:
    """Return a table with a ship on offer."""
    return pirates(POOLED).to("11F").says("orion", "offer-lease", unit="O-LR").to("11G")
