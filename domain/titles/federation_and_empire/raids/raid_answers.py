"""Decide the answers to raids of Phase 3A, the units that fight the raiders, and the raiders' attacks.

Reaction and police exclude each other, and so do disruption and alternate attack. [reading] A raider that was sent back
to the pool disrupts nothing.
"""

from typing import Literal

from umpire_ledger.domain.titles.federation_and_empire import house_values
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    ORION,
    at_hex,
    empire_of,
    empires_of,
    enemies,
    fights_at,
    fortified_by_enemy,
    has,
    is_ship,
    living,
    own_empire,
    own_unit,
    own_units,
    owner_name,
    phasing,
    printed_of,
    refuse,
    rule_of,
    side_of_empire,
    this_turn,
    travelled,
    turn_order,
)
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex
from umpire_ledger.domain.titles.federation_and_empire.movement.paths import verify_together
from umpire_ledger.domain.titles.federation_and_empire.raids.interception import forced_back
from umpire_ledger.domain.titles.federation_and_empire.raids.raids import (
    hexes_of_raid,
    kind_of_raid,
    raiders,
    struck,
    targets,
)
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    Result,
    UnitName,
    UnitPlaced,
    Value,
    changed,
    marked,
    names_in,
    number_of,
    word_in,
)


class AnswerRaid(Order, frozen=True, kw_only=True, tag="answer-raid"):
    """Answer a raid on a hex: a unit reacts along a path, or police are called up, but not both."""

    at: Hex
    unit: Name
    path: tuple[Hex, ...] = ()
    police: bool = False
    empire: str = ""


class Fighters(Order, frozen=True, kw_only=True, tag="fight-raiders"):
    """Declare which of your units fight the raider in a hex; you may name none."""

    at: Hex
    units: tuple[UnitName, ...] = ()


class Disrupt(Order, frozen=True, kw_only=True, tag="disrupt"):
    """Disrupt a raider's target hex or make its alternate attack, not both; a Prime Team carries out its mission."""

    unit: UnitName
    how: Literal["disruption", "alternate attack", "espionage", "sabotage mission"] = "disruption"


MISSIONS: tuple[Literal["espionage", "sabotage mission"], ...] = ("espionage", "sabotage mission")
"""Missions of Prime Teams at their target hex."""


def aimed_at(game: Game, place: str) -> tuple[str, ...]:
    """Return the empires that raids met in a hex are aimed at; for drones, the holders of the hex that they strike."""
    struck_from = (struck(unit) for unit in raiders(game, kind_of_raid(game)) if place in hexes_of_raid(unit))
    return tuple(dict.fromkeys(empire for at in struck_from for empire in targeted(game, at)))


def targeted(game: Game, place: str) -> tuple[str, ...]:
    """Return the empires of the phasing side's enemies with their capital or units in a hex; () if there are none."""
    foes = enemies(game, phasing(game))
    here = {empire_of(unit) for unit in at_hex(game, place) if unit.side in foes}
    others = (empire for one in game.side_ids if one in foes for empire in empires_of(game, one))
    return tuple(empire for empire in others if empire in here or printed_of(game, empire, "capital") == place)


def raided(game: Game) -> tuple[str, ...]:
    """Return the sides that answer raids: those whose empires are targets; if none are, all non-phasing sides."""
    side, aimed = phasing(game), {empire for place in _aims(game) for empire in targeted(game, place)}
    others = tuple(one for one in turn_order(game) if one != side)
    foes = tuple(one for one in enemies(game, side) if set(empires_of(game, one)) & aimed)
    return foes or others


def meeting(game: Game) -> tuple[str, ...]:
    """Return the sides that fight raiders: the phasing side's enemies, and pirates that the raiders met."""
    others = tuple(one for one in enemies(game, phasing(game)) if one != ORION)
    places = set(_aims(game))
    here = (*forced_back(game, ""), *(unit for unit in living(game) if unit.at in places))
    met = any(unit.side == ORION for unit in here) and ORION in enemies(game, phasing(game))
    return (*others, ORION) if met else others


def _aims(game: Game) -> tuple[str, ...]:
    """Return the hexes of raiders and those that they strike."""
    return tuple(dict.fromkeys(place for unit in raiders(game) for place in (unit.at, struck(unit))))


def decide_answer_raid(game: Game, order: AnswerRaid, _: Dice) -> list[Result]:
    """Move a reacting unit, or place a police ship.

    Each side that is raided there answers separately (314.241, 314.243).

    Raises:
        RuleViolation: There is no raid; police follow a reaction, or a reaction follows police; too many police are
            called; or the raid is not aimed at the empire.
    """
    if order.at not in targets(game):
        raise refuse(game, "hex-not-raided", at=order.at, hexes=", ".join(targets(game)) or "none")
    side, how = game.side_of(order.seat), "police" if order.police else "reaction"
    marker, before = _answer_marker(game, order.at, side), _answer_before(game, order.at, side)
    number = "314.243" if order.police else "314.241" if "314.241" in rule_of(game) else "320.314"
    if before not in ("", how):
        raise refuse(game, "answered-otherwise", number, answer=before, at=order.at)
    noted = marked(game, marker, how, "", rule_of(game, number))
    if not order.police:
        return [*noted, *_reaction(game, order, number)]
    called = _police_called(game, marker)
    if called >= number_of(game, house_values.POLICE_PER_RAID):
        raise refuse(game, "police-called-already", number, at=order.at)
    counted = marked(game, f"{marker} police", called + 1, "", rule_of(game, number)) if called else []
    return [*noted, *counted, _police(game, order, number)]


def _answer_marker(game: Game, place: str, side: str) -> str:
    """Return the marker of a side's answer to the raids on a hex; it names the side if several are raided there."""
    several = len({side_of_empire(game, empire) for empire in aimed_at(game, place)}) > 1
    return f"answer {place} of {side}" if several else f"answer {place}"


def _police_called(game: Game, marker: str) -> int:
    """Return the police ships that a side called up to a raided hex in this step; a marker counts further ones."""
    return max(int(word_in(game, marker) == "police"), game.number(f"{marker} police"))


def _answer_before(game: Game, place: str, side: str) -> str:
    """Return a side's answer to the raids met in a hex, there or in the other hex of the same raid; "" if none."""
    out = (unit for unit in raiders(game, kind_of_raid(game)) if place in hexes_of_raid(unit))
    said = (word_in(game, _answer_marker(game, at, side)) for unit in out for at in hexes_of_raid(unit))
    return next((one for one in said if one), "")


def _verify_aimed_at(game: Game, place: str, empire: str, number: str) -> None:
    aimed = aimed_at(game, place)
    if aimed and empire not in aimed:
        raise refuse(game, "raid-aimed-at-others", number, place=place, empire=empire, empires=" and ".join(aimed))


def _reaction(game: Game, order: AnswerRaid, number: str) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    if order.empire not in ("", empire_of(unit)):
        raise refuse(game, "police-of-another-empire", number, unit=unit.id, owner=empire_of(unit), empire=order.empire)
    _verify_aimed_at(game, order.at, empire_of(unit), number)
    if not order.path or order.path[-1] != order.at:
        raise refuse(game, "does-not-reach", number, unit=unit.id, at=order.at)
    if not is_ship(unit):
        raise refuse(game, "not-a-ship-to-react", number, unit=unit.id)
    now = f"{kind_of_raid(game)} raids"
    if unit.get("answered") == now:
        raise refuse(game, "reacted-already", number, unit=unit.id)
    if unit.at == order.at:
        raise refuse(game, "at-raid-already", number, unit=unit.id, at=order.at)
    if unit.get("mothballed") is True:
        raise refuse(game, "mothballed-answer", number, unit=unit.id)
    verify_together(game, (unit,), order.path)
    rule = rule_of(game, number)
    stands_down = changed(unit, "reserve", None, "no reserve any more", rule)
    return [
        *changed(unit, "answered", now, "", rule),
        *stands_down,
        *travelled(game, (unit,), order.path, "reaction", rule),
    ]


def _police(game: Game, order: AnswerRaid, number: str) -> UnitPlaced:
    if order.unit in game.units:
        raise refuse(game, "police-id-used", number, unit=order.unit)
    empire = own_empire(game, order, order.empire)
    _verify_aimed_at(game, order.at, empire, number)
    _verify_not_theirs(game, order)
    verify_police(game, empire, "answer with a reaction, or end the step: `done`", number)
    attributes: dict[str, Value] = {
        "empire": empire,
        "attack": number_of(game, house_values.POLICE_ATTACK),
        "defense": number_of(game, house_values.POLICE_DEFENSE),
        "traits": ("police",),
        "called": this_turn(game),
    }
    rule, side = rule_of(game, number), game.side_of(order.seat)
    return UnitPlaced(
        unit=order.unit, side=side, kind="POL", at=order.at, attributes=attributes, cause="called up", rule=rule
    )


def _verify_not_theirs(game: Game, order: AnswerRaid) -> None:
    """Check that police are not called to an enemy's hex (314.243).

    Raises:
        RuleViolation: The hex is an enemy's capital, or only the enemy has a base there.
    """
    side = game.side_of(order.seat)
    theirs = (empire for foe in enemies(game, side) for empire in empires_of(game, foe))
    capital = any(printed_of(game, empire, "capital") == order.at for empire in theirs)
    if capital or fortified_by_enemy(game, side, order.at):
        raise refuse(game, "hex-of-the-enemy", "314.243", at=order.at)


def verify_police(game: Game, empire: str, remedy: str, number: str) -> None:
    """Check that an empire may call up one more police ship in this turn, if the scenario has a limit.

    Raises:
        RuleViolation: The limit is reached.
    """
    allowed, now = game.markers.get(f"police of {empire}"), this_turn(game)
    called = sum(unit.get("called") == now and empire_of(unit) == empire for unit in game.units.values())
    if isinstance(allowed, int) and called >= allowed:
        raise refuse(
            game, "too-many-police", number, empire=owner_name(game, empire), given=called, limit=allowed, remedy=remedy
        )


def decide_fight_raiders(game: Game, order: Fighters, _: Dice) -> list[Result]:
    """Note the units of a side that fight the raiders in a hex.

    Raises:
        RuleViolation: A unit is not in the hex; no raid there is aimed at the side's empires; or none of the units can
            fight alone.
    """
    rule, side = rule_of(game), game.side_of(order.seat)
    if order.at not in targets(game):
        raise refuse(game, "nobody-raids-there-now", "314.251", at=order.at, hexes=", ".join(targets(game)) or "none")
    aimed = targeted(game, order.at)
    if aimed and not set(aimed) & set(empires_of(game, side)):
        raise refuse(
            game,
            "raid-not-aimed-at-side",
            "314.251",
            at=order.at,
            side=game.side_name(side),
            empires=" and ".join(aimed),
        )
    units = own_units(game, order, order.units)
    for unit in units:
        if unit.at != order.at:
            raise refuse(game, "fighters-elsewhere", "314.251", unit=unit.id, at=unit.at, place=order.at)
    if units and not any(fights_at(unit, order.at) and unit.get("mothballed") is not True for unit in units):
        raise refuse(
            game, "cannot-fight-alone" if len(units) == 1 else "none-fights-alone", "314.251", unit=units[0].id
        )
    marker = f"fights {order.at}"
    fights = {game.units[name].side for name in names_in(game, marker)}
    if not order.units and game.markers.get(marker) is not None and side not in fights:
        whose = f" of {game.side_name(side)}" if fights else ""
        raise refuse(game, "nobody-fights-stated", "314.251", of_whom=whose, at=order.at)
    others = [name for name in names_in(game, marker) if game.units[name].side != side]
    return marked(game, marker, (*others, *dict.fromkeys(order.units)), "", rule)


def fighters_unnamed(game: Game, side: str) -> bool:
    """Check whether a side has units at a raided hex without a declaration of those that fight."""
    return bool(raids_to_meet(game, side))


def raids_to_meet(game: Game, side: str) -> tuple[str, ...]:
    """Return the raided hexes with units of a side and without a declaration of those that fight."""
    return tuple(at for at in targets(game) if game.markers.get(f"fights {at}") is None and at_hex(game, at, side))


def decide_disrupt(game: Game, order: Disrupt, _: Dice) -> list[Result]:
    """Note the attack or mission of a raider at its target hex.

    Raises:
        RuleViolation: The raider was sent back, or has already attacked in this turn; or a team attacks, or another
            unit has a mission.
    """
    unit = own_unit(game, order, order.unit)
    if unit not in raiders(game, "normal"):
        raise refuse(game, "not-a-raider-on-map", "314.27", unit=unit.id)
    if unit.get("did") == game.turn:
        raise refuse(game, "attack-made", "314.28", unit=unit.id)
    if has(unit, "team") != (order.how in MISSIONS):
        able = MISSIONS if has(unit, "team") else ("disruption", "alternate attack")
        raise refuse(
            game,
            "team-how-differs",
            "534.12",
            unit=unit.id,
            kind="a Prime Team" if has(unit, "team") else "no Prime Team",
            ways=" or ".join(able),
        )
    rule = rule_of(game, {"disruption": "314.27", "alternate attack": "314.28"}.get(order.how, "534.12"))
    marker = "disrupted" if order.how == "disruption" else order.how
    return [
        *changed(unit, "did", game.turn, order.how, rule),
        *marked(game, f"{marker} {unit.at}", game.turn, unit.id, rule),
    ]


def raiders_are_met(game: Game, _: str) -> bool:
    """Check whether a unit that was named to fight a normal raider is still in play."""
    return any(not game.units[name].fate for at in targets(game) for name in names_in(game, f"fights {at}"))
