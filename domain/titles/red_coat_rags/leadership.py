"""Spend white cubes: an officer within reach adds 1 to a die for each cube.

The rules do not print the value of a cube; a related page gives it as 1. That page also requires an officer of the same
wing or without a wing, which is the option `own_wing_cubes` here. No printed rule returns a spent cube; the option
`cubes_return_each_turn` does.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.house_values import CUBE
from umpire_ledger.domain.titles.red_coat_rags.pieces import CO, FO, in_reach, officers, own, refuse
from umpire_ledger.kit import (
    Dice,
    DiceRolled,
    Game,
    Modifier,
    Result,
    Unit,
    UnitName,
    changed,
    number_of,
)

Cubes = dict[UnitName, Annotated[int, msgspec.Meta(ge=1, le=20)]]
"""White cubes spent on one die, by officer."""


def roll_led(
    game: Game,
    dice: Dice,
    led: tuple[Unit, ...],
    cubes: Mapping[str, int],
    *,
    purpose: str,
    rule: str,
    needed: str = "",
    minus: tuple[Modifier, ...] = (),
) -> tuple[DiceRolled, list[Result]]:
    """Roll one die for pieces of one side, with cubes spent on it; return the roll and the events that spend the cubes.

    Raises:
        RuleViolation: See `verify_cubes`.
    """
    verify_cubes(game, led, cubes, rule)
    spent: list[Result] = []
    for name, number in cubes.items():
        officer = game.units[name]
        spent += changed(officer, "cubes", officer.number("cubes") - number, purpose, rule)
    worth = number_of(game, CUBE)
    rolled = dice.roll(
        "1d6",
        purpose=purpose,
        modifiers=(*minus, *(Modifier(amount=worth * n, source=f"white cubes of {name}") for name, n in cubes.items())),
        rule=rule,
        subjects=tuple(one.id for one in led),
        needed=needed,
    )
    return rolled, spent


def verify_cubes(game: Game, led: tuple[Unit, ...], cubes: Mapping[str, int], rule: str) -> None:
    """Check that the named officers can spend these cubes.

    Raises:
        RuleViolation: An officer is not of that side, has too few cubes left, reaches none of the pieces, or commands
            another wing while the option `own_wing_cubes` is on.
    """
    for name, number in cubes.items():
        officer = own(game, led[0].side, name, (CO, FO), rule)
        left = officer.number("cubes")
        if number > left:
            raise refuse(
                game, "too-many-cubes" if left else "no-cubes-left", rule, officer=name, limit=left, given=number
            )
        if not any(in_reach(officer, one, officer.get("reach")) for one in led):
            others = ", ".join(one.id for one in leaders_of(game, led)) or "none"
            raise refuse(
                game,
                "out-of-reach",
                rule,
                pieces=tuple(one.id for one in led),
                officer=name,
                limit=officer.get("reach"),
                officers=others,
            )
        if not _of_this_wing(game, officer, led[0]):
            raise refuse(game, "other-wings-officer", rule, officer=name, wing=officer.get("wing"))


def leaders_of(game: Game, led: tuple[Unit, ...]) -> tuple[Unit, ...]:
    """Return the officers who could spend a cube on these pieces."""
    return tuple(
        officer
        for officer in officers(game, led[0].side)
        if officer.number("cubes") > 0
        and any(in_reach(officer, one, officer.get("reach")) for one in led)
        and _of_this_wing(game, officer, led[0])
    )


def _of_this_wing(game: Game, officer: Unit, led: Unit) -> bool:
    if not game.options.get("own_wing_cubes"):
        return True
    unit = game.units.get(str(led.get("unit")))
    return officer.get("wing") in ("", unit.get("wing") if unit else "")


def return_cubes(game: Game) -> list[Result]:
    """Return all spent cubes at the end of a turn, if the option is on."""
    if not game.options.get("cubes_return_each_turn"):
        return []
    return [
        event
        for side in game.side_ids
        for officer in officers(game, side)
        for event in changed(officer, "cubes", officer.number("all_cubes"), "returned", "12")
    ]
