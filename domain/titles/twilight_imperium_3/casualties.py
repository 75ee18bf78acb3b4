"""Assign hits to ships in a system or ground units on a planet. The accounts `hits/PLACE/SIDE` count open hits.

A ship that can sustain damage is damaged by its first hit and destroyed by its second. Hits that no unit is left to
take are lost. Ground units in space are lost with the last ship that could have carried them.
"""

from collections import Counter
from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.twilight_imperium_3.dice_rolls import can_fight
from umpire_ledger.domain.titles.twilight_imperium_3.galaxy import at_place, clockwise, ships_in, system_of, systems
from umpire_ledger.domain.titles.twilight_imperium_3.units import (
    destroyed,
    ids,
    label,
    own_unit,
    player,
    refuse,
    value,
    what_of,
)
from umpire_ledger.kit import (
    REPEATS,
    Closes,
    Dice,
    Game,
    Order,
    Reason,
    Result,
    Unit,
    UnitName,
    after,
    changed,
    marked,
    paid,
    word_in,
)


class AssignHits(Order, frozen=True, kw_only=True, tag="assign-hits"):
    """Assign hits to units, one entry for each hit; name a ship with the sustain ability twice for two hits."""

    to: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1, extra=REPEATS)]


def hit_account(place: str, side: str) -> str:
    return f"hits/{place}/{side}"


def scored(game: Game, place: str, side: str, hits: int, cause: str, rule: str) -> list[Result]:
    """Add hits that a side must take at a place."""
    return paid(game, hit_account(place, side), hits, cause, rule)


def targets(game: Game, place: str, side: str) -> tuple[Unit, ...]:
    """Return the units that can take hits there: ships in space, fighting ground units on a planet."""
    if place in systems(game):
        return ships_in(game, place, side)
    here = at_place(game, place, side)
    return tuple(unit for unit in here if what_of(game, unit) in ("ground", "mercenary") and can_fight(game, unit))


def hits_left(game: Game, unit: Unit) -> int:
    """Return the number of hits that destroy a unit: 2 for an undamaged ship that can sustain damage, else 1."""
    return 2 if value(game, unit, "sustain") and not unit.get("damaged") else 1


def owed(game: Game, side: str) -> dict[str, int]:
    """Return the hits that a side must take, by place, no more than its units there can take."""
    found = {}
    for account, hits in game.accounts.items():
        kind, _, rest = account.partition("/")
        place, _, whose = rest.rpartition("/")
        if kind == "hits" and whose == side and hits > 0:
            number = min(hits, sum(hits_left(game, unit) for unit in targets(game, place, side)))
            if number:
                found[place] = number
    return found


def hits_are_owed(game: Game, side: str) -> bool:
    return bool(owed(game, side))


def hits_to_take(game: Game, side: str) -> tuple[str, ...]:
    """Describe the hits that a side must take, with their places."""
    return tuple(f"{hits} hit{'s' * (hits > 1)} in {place}" for place, hits in owed(game, side).items())


def any_hits_owed(game: Game, _: str) -> bool:
    return bool(sides_hit(game))


def sides_hit(game: Game) -> tuple[str, ...]:
    """Return the sides with hits to take: the attacker, then the defender, then the others clockwise."""
    first = word_in(game, "now/attacker") or player(game)
    order = dict.fromkeys((first, word_in(game, "now/defender"), *clockwise(game, first)))
    return tuple(side for side in order if side and owed(game, side))


def decide_assign_hits(game: Game, order: AssignHits, _: Dice) -> list[Result]:
    """Assign all the hits of a side at once.

    Raises:
        RuleViolation: The order assigns more or fewer hits than were scored, or names a unit that is elsewhere, cannot
            take hits or is already destroyed.
    """
    side, rule = game.side_of(order.seat), label(game)
    wanted = owed(game, side)
    hit = [own_unit(game, side, unit, rule) for unit in order.to]
    _verify_can_be_hit(game, side, hit, rule)
    places = Counter(unit.at for unit in hit)
    if places != Counter(wanted):
        must = " and ".join(f"{hits} in {place}" for place, hits in wanted.items())
        raise refuse(game, "wrong-number-of-hits", rule, given=len(order.to), side=side, limit=must)
    results: list[Result] = []
    for unit in order.to:
        results += _hit(after(game, results), unit, rule)
    for place in wanted:
        account = hit_account(place, side)
        results += paid(game, account, -game.accounts[account], "assigned", rule)
        results += stranded(after(game, results), place, rule)
    return results if hits_are_owed(after(game, results), side) else [*results, Closes()]


def _verify_can_be_hit(game: Game, side: str, units: list[Unit], rule: str) -> None:
    """Check that units can take hits at the places where their side was hit.

    Raises:
        RuleViolation: A unit is elsewhere or cannot take hits.
    """
    places = owed(game, side)
    could = [unit for place in places for unit in targets(game, place, side)]
    wrong = next((unit for unit in units if unit not in could), None)
    if wrong is not None:
        wrong_kind = Reason("wrong-kind", f"a {wrong.kind} cannot take hits")
        why = wrong_kind if wrong.at in places else Reason("elsewhere", f"it is in {wrong.at}")
        raise refuse(
            game, "cannot-take-hit", rule, unit=wrong.id, places=" or ".join(places), why=why, units=ids(could)
        )


def _hit(game: Game, name: str, rule: str) -> list[Result]:
    unit = game.units[name]
    if unit.fate or unit not in targets(game, unit.at, unit.side):
        raise refuse(game, "cannot-take-another-hit", rule, unit=name)
    return take_hit(game, unit, "hit", rule)


def take_hit(game: Game, unit: Unit, cause: str, rule: str) -> list[Result]:
    """Damage a unit with one hit, or destroy it."""
    if hits_left(game, unit) == 2:
        return changed(unit, "damaged", True, f"{cause}: sustains damage", rule)
    return destroyed((unit,), cause, rule)


def stranded(game: Game, place: str, rule: str) -> list[Result]:
    """Destroy the units in space, except docks, of sides that have no ship left there."""
    system = system_of(game, place)
    sides = {ship.side for ship in ships_in(game, system)}
    left = (unit for unit in at_place(game, system) if unit.side not in sides)
    lost = (unit for unit in left if what_of(game, unit) != "dock")
    return destroyed(lost, "lost with the last ship of its side", rule)


def clear_hits(game: Game) -> list[Result]:
    """Forget hits that have no target left."""
    open_hits = [(account, hits) for account, hits in game.accounts.items() if account.startswith("hits/") and hits]
    return [event for account, hits in sorted(open_hits) for event in paid(game, account, -hits, "nobody is left")]


def forget(game: Game, *markers: str, cause: str = "") -> list[Result]:
    """Remove markers of the sequence that no longer apply."""
    return [event for marker in markers for event in marked(game, f"now/{marker}", None, cause)]
