"""Where mobile bases, PDUs and base modules may be begun, in 3B6 and 8C (510.22, 508.32, 441.422)."""

from umpire_ledger.domain.titles.federation_and_empire.empires import (
    empire_of,
    is_base,
    living,
    printed_of,
    refuse,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import is_hex
from umpire_ledger.kit import Game, listed

MODULE = "module"
"""The kind of what is added to an active base."""


def verify_begun_at(game: Game, empire: str, kind: str, place: str) -> None:
    """Raises RuleViolation: a module where no base works; anything else where nothing of its empire is."""
    own = [unit for unit in living(game) if empire_of(unit) == empire and is_hex(unit.at)]
    if kind == MODULE:
        active = sorted({unit.at for unit in own if is_base(unit) and unit.get("operational") is not False})
        if place not in active:
            what = f"{empire} has no active base at {place}"
            raise refuse(game, what, f"name one of: {listed(active)}", "441.422")
        return
    places = sorted({unit.at for unit in own} | {printed_of(game, empire, "capital")} - {""})
    if place not in places:
        what = f"nothing of {empire} is at {place}"
        raise refuse(game, what, f"name one of: {listed(places)}", "510.22")
