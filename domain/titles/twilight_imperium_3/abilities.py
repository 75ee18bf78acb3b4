"""Offer each pre-battle ability once (SB.pre), each side's own separately, in the order that the defender chooses.

Barrages always come before a sabotage run. Only the barrage is printed with its numbers. Cards, Assault Cannons, the
Mentak ability and the Sabotage Run are only named: the generic orders of their steps record the effects. Every battle
offers cards, so that the offer does not show whether a hand holds one.
"""

from umpire_ledger.domain.titles.twilight_imperium_3.battle import attacker, defender, field, opponent
from umpire_ledger.domain.titles.twilight_imperium_3.dice_rolls import volley, volley_plan
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import ships_in
from umpire_ledger.domain.titles.twilight_imperium_3.units import destroyed, has_tech, value, what_of
from umpire_ledger.kit import Closes, Dice, Game, Modified, Result, RollPlan, Unit, word_in


class Barrage(Modified, frozen=True, kw_only=True, tag="barrage"):
    """Use the anti-Fighter barrage of all your ships that have one: two dice each; modifiers count for each die."""


def fighters(game: Game, side: str) -> tuple[Unit, ...]:
    return tuple(ship for ship in ships_in(game, field(game), side) if what_of(game, ship) == "fighter")


def barrage_ships(game: Game, side: str) -> tuple[Unit, ...]:
    return tuple(ship for ship in ships_in(game, field(game), side) if value(game, ship, "barrage"))


def barrage_sides(game: Game) -> tuple[str, ...]:
    """Return the sides that have ships for a barrage against enemy Fighters."""
    sides = (*attacker(game), *defender(game))
    return tuple(side for side in sides if barrage_ships(game, side) and fighters(game, opponent(game, side)))


def assault_sides(game: Game) -> tuple[str, ...]:
    """Return the sides with the technology Assault Cannons."""
    return tuple(side for side in (*attacker(game), *defender(game)) if has_tech(game, side, "assault-cannons"))


def mentak_sides(game: Game) -> tuple[str, ...]:
    """Return the sides that play the Mentak."""
    return tuple(
        side for side in (*attacker(game), *defender(game)) if word_in(game, f"race/{side}").lower() == "mentak"
    )


def sabotage_is_played(game: Game) -> bool:
    return bool(game.options.get("sabotage_runs"))


SIDES = ("attacker", "defender")


def abilities(game: Game, _: str) -> tuple[str, ...]:
    """Return the abilities that apply to this battle now; a sabotage run appears only after all barrages.

    An ability that both sides have appears once for each: `barrage-attacker` and `barrage-defender`.
    """
    frame = game.cursor.frame("SB.pre.order")
    over = frame.finished if frame else ()
    if not all(ships_in(game, field(game), side) for side in (*attacker(game), *defender(game))):
        return over  # an ability has ended the battle
    barrage = _each_owners(game, "barrage", barrage_sides(game), over)
    played = sabotage_is_played(game) and all(one in over for one in barrage)
    return (
        "cards",
        *barrage,
        *_each_owners(game, "assault", assault_sides(game), over),
        *_each_owners(game, "mentak", mentak_sides(game), over),
        *(("sabotage",) if played else ()),
    )


def _each_owners(game: Game, ability: str, sides: tuple[str, ...], over: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names under which the defender picks an ability.

    The name is plain if one side has the ability, and split by owner if both have it. Used abilities remain in the
    list.
    """
    split = [f"{ability}-{one}" for one in SIDES]
    if len(sides) == 2 or any(one in over for one in split):
        owners = {word_in(game, f"now/{one}"): name for one, name in zip(SIDES, split, strict=True)}
        return tuple(name for side, name in owners.items() if side in sides or name in over)
    return (ability,) if sides or ability in over else ()


def owner_in_hand(game: Game, sides: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the given sides whose own ability is being used now."""
    whose = game.cursor.item("SB.pre.order").partition("-")[2]
    return tuple(side for side in sides if whose in ("", _role_of(game, side)))


def barrage_owners(game: Game) -> tuple[str, ...]:
    """Return the sides that use their barrage now."""
    return owner_in_hand(game, barrage_sides(game))


def assault_owners(game: Game) -> tuple[str, ...]:
    """Return the sides that use their Assault Cannons now."""
    return owner_in_hand(game, assault_sides(game))


def mentak_owners(game: Game) -> tuple[str, ...]:
    """Return the sides that use the ability of the Mentak now."""
    return owner_in_hand(game, mentak_sides(game))


def _role_of(game: Game, side: str) -> str:
    return "attacker" if side in attacker(game) else "defender"


def barrage_plan(game: Game, order: Barrage) -> RollPlan:
    """Plan two dice for each ship with an anti-Fighter barrage."""
    ships = barrage_ships(game, game.side_of(order.seat))
    return volley_plan(game, ships, purpose="anti-Fighter barrage", rule="SB.pre.afb", each=2, order=order)


def decide_barrage(game: Game, order: Barrage, dice: Dice) -> list[Result]:
    """Roll the barrage and remove one enemy Fighter at once for each hit, as long as any is left."""
    side = game.side_of(order.seat)
    rolls, hits = volley(game, dice, barrage_plan(game, order))
    lost = fighters(game, opponent(game, side))[:hits]
    return [*rolls, *destroyed(lost, "anti-Fighter barrage", "SB.pre.afb"), Closes()]
