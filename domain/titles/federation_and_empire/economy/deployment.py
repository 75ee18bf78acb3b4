"""Decide in which hexes mobile bases, PDUs and base modules may be begun, in 3B6 and 8C (510.22, 508.32, 441.422)."""

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    ORION,
    at_hex,
    empire_of,
    enemies,
    fights_at,
    held_by_enemy,
    is_base,
    living,
    printed_of,
    refuse,
    side_of_empire,
)
from umpire_ledger.domain.titles.federation_and_empire.house_values import BEGIN_AT_OWN
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.kit import Game, listed, number_of

MODULE = "module"
"""The kind of unit that is added to an active base."""
PLANETARY = ("PDU", "PGB")
"""Kinds of the defenses of planets."""


def verify_begun_at(game: Game, empire: str, kind: str, place: str) -> None:
    """Check that an empire may begin a base of a kind in a hex.

    [reading, `begin-at-own`] The printed text names no hexes.

    Raises:
        RuleViolation: The hex of a module has no active base of the empire, or the hex of another kind has an enemy, or
            no unit of the empire.
    """
    own = [unit for unit in living(game) if empire_of(unit) == empire and is_hex(unit.at)]
    if kind == MODULE:
        active = sorted({unit.at for unit in own if is_base(unit) and unit.get("operational") is not False})
        if place not in active:
            raise refuse(game, "no-active-base", "441.422", empire=empire, place=place, places=listed(active))
        return
    anywhere, free = not number_of(game, BEGIN_AT_OWN), free_places(game, empire)
    if place not in free and not (anywhere and not _is_fought_over(game, empire, place)):
        fought_over = anywhere or place in _own_places(game, empire)
        raise refuse(
            game,
            "enemy-in-empire-place"
            if fought_over and free
            else "enemy-in-every-place"
            if fought_over and not (free)
            else "nothing-there"
            if not (fought_over) and free
            else "nothing-anywhere",
            "508.32" if kind in PLANETARY else "510.22",
            place=place,
            empire=empire,
            places=listed(free),
        )


def free_places(game: Game, empire: str) -> tuple[str, ...]:
    """Return the hexes in which an empire may begin bases: they have its units or its capital, and no enemy."""
    return tuple(one for one in _own_places(game, empire) if not _is_fought_over(game, empire, one))


def _own_places(game: Game, empire: str) -> tuple[str, ...]:
    mine = {unit.at for unit in living(game) if empire_of(unit) == empire and is_hex(unit.at)}
    return tuple(sorted(mine | {printed_of(game, empire, "capital")} - {""}))


def _is_fought_over(game: Game, empire: str, place: str) -> bool:
    """Check whether an enemy is in a hex in which the side has no base; a pirate alone does not count [reading]."""
    side = side_of_empire(game, empire)
    here = [unit for unit in at_hex(game, place) if fights_at(unit, place)]
    if any(unit.side == side and is_base(unit) and unit.get("operational") is not False for unit in here):
        return False
    foes = set(enemies(game, side)) - {ORION}
    return held_by_enemy(game, side, place) or any(unit.side in foes for unit in here)
