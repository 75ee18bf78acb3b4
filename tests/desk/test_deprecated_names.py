"""Names of earlier releases: each still works for one release as its successor does."""

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
        (kit, "Outcome", "TableOutcome"),
        (kit, "Throw", "PlannedThrow"),
        (kit, "Plan", "RollPlan"),
        (kit, "Does", "OrderDeclaration"),
        (kit, "eyes", "secret_viewers"),
        (testing, "Verdict", "PromiseVerdict"),
        (testing, "NO_PAST", "NO_HISTORY"),
    ],
)
def test_deprecated_name_is_its_successor(module: object, former: str, name: str) -> None:
    assert getattr(module, former) is getattr(module, name)


def test_deprecated_keyword_is_its_successor() -> None:
    title = testing.titles()[0]
    scenario = testing.scenarios(title)[0]

    assert testing.opened(title, scenario, 1, game="g") == testing.opened(title, scenario, 1, game_id="g")  # type: ignore[call-arg]
