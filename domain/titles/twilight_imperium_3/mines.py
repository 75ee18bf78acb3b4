"""Roll for space mines (TA.mines): one die for each ship of the mover except Fighters, then remove one token.

Each die is announced separately. Every such ship in the system rolls once, even if it was there before, however many
tokens there are.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.casualties import stranded, take_hit
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import clockwise, ships_in
from umpire_ledger.domain.titles.twilight_imperium_3.movement import has_arrived
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    activation,
    active_systems,
    ids,
    is_afloat,
    own_unit,
    player,
    refuse,
)
from umpire_ledger.kit import (
    Closes,
    Dice,
    Game,
    Modified,
    Result,
    Unit,
    UnitName,
    after,
    changed,
    modifiers_of,
    paid,
    replace,
)

RULE = "TA.mines"


class RollMine(Modified, frozen=True, kw_only=True, tag="roll-mine"):
    """Roll for one ship: on 9 or 10 it receives a hit."""

    ship: UnitName


def owner_of_mines(game: Game, system: str) -> str:
    """Return the first opponent, clockwise, with a token there, or ""."""
    opponents = clockwise(game, player(game))
    return next((side for side in opponents if game.accounts.get(f"mines/{system}/{side}", 0) > 0), "")


def in_danger(game: Game) -> tuple[Unit, ...]:
    """Return the active player's ships among mines that have not rolled yet, without Fighters."""
    return tuple(
        ship
        for system in active_systems(game)
        if owner_of_mines(game, system)
        for ship in ships_in(game, system, player(game))
        if is_afloat(game, ship) and ship.get("mined") != activation(game)
    )


def ships_among_mines(game: Game, _: str) -> tuple[Unit, ...]:
    """Return the ships that have not rolled for mines yet, whichever side asks."""
    return in_danger(game)


def mines_are_due(game: Game, _: str) -> bool:
    """Return whether ships moved into an opponent's mines and some have not rolled."""
    return has_arrived(game, player(game)) and bool(in_danger(game))


def decide_roll_mine(game: Game, order: RollMine, dice: Dice) -> list[Result]:
    """Roll one d10 for one ship; after the last ship a token is removed, hit or miss.

    Raises:
        RuleViolation: No die is due for the ship.
    """
    ship = own_unit(game, player(game), order.ship, RULE)
    if ship not in in_danger(game):
        raise refuse(game, "no-die-due", RULE, ship=ship.id, ships=ids(in_danger(game)))
    rolled = dice.roll(
        "1d10",
        purpose=f"space mines: {ship.id}",
        modifiers=modifiers_of(order),
        rule=RULE,
        subjects=(ship.id,),
        needed="9 or more",
    )
    hit = rolled.total >= 9
    results: list[Result] = [
        replace(rolled, outcome="1 hit" if hit else "no hit"),
        *changed(ship, "mined", activation(game), rule=RULE),
    ]
    if hit:
        results += take_hit(game, ship, "space mine", RULE)
        results += stranded(after(game, results), ship.at, RULE)
    if in_danger(after(game, results)):
        return results
    token = paid(game, f"mines/{ship.at}/{owner_of_mines(game, ship.at)}", -1, "the mines went off", RULE)
    return [*results, *token, Closes()]
