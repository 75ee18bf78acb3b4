"""Names of earlier releases: each still works for one release and is the same object as its successor."""

import pytest

import umpire_ledger
from umpire_ledger import kit, testing


@pytest.mark.parametrize(
    ("module", "former", "name"),
    [
        (umpire_ledger, "SomebodyWroteFirst", "PositionConflict"),
        (umpire_ledger, "PerhapsSent", "DeliveryUnconfirmed"),
        (kit, "Ours", "HouseValue"),
        (kit, "Told", "RestrictedEvent"),
        (testing, "NO_PAST", "NO_HISTORY"),
    ],
)
def test_deprecated_name_is_its_successor(module: object, former: str, name: str) -> None:
    assert getattr(module, former) is getattr(module, name)
