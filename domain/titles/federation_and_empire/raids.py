"""Phase 3A: the Raid Pool, resistance, normal and special raids, pacification stations.

What excludes what: reaction or police, disruption or alternate attack. [reading] A raider that was sent back to the
pool disrupts nothing.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire import ours
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    POOL,
    Pips,
    Units,
    at_hex,
    empire_of,
    has,
    is_crippled,
    living,
    own_empire,
    own_unit,
    own_units,
    phasing,
    printed,
    printed_of,
    refuse,
    rule_of,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import Hex
from umpire_ledger.kit import (
    Asks,
    Concerned,
    Dice,
    Game,
    Name,
    Order,
    Result,
    TableRoll,
    Unit,
    UnitPlaced,
    Value,
    changed,
    marked,
    moved,
    names_in,
    number_of,
    step_open,
)

Path = Annotated[tuple[Hex, ...], msgspec.Meta(min_length=1)]
KINDS = {"2": "normal", "3": "special", "4": "blockade"}
"""The kind of raid, by the first digit of a label after `3A-`."""


class Pool(Order, frozen=True, kw_only=True, tag="pool"):
    """Put a ship, team or general into the Raid Pool, or take it out to a place."""

    unit: Name
    to: str = ""


class Resist(TableRoll, frozen=True, kw_only=True, tag="resist"):
    """A resistance movement tries sabotage, infiltration or rebellion; `at_least` where the scenario has no table."""

    kind: Literal["sabotage", "infiltration", "rebellion"]
    at: Hex
    at_least: Pips | None = None


class Raid(Order, frozen=True, kw_only=True, tag="raid"):
    """Designate a raider of this kind of raid and, where the step moves raiders, take it to its target hex."""

    unit: Name
    path: tuple[Hex, ...] = ()


class AnswerRaid(Order, frozen=True, kw_only=True, tag="answer-raid"):
    """Answer a raid on a hex: a unit reacts along a path, or police are called up. Not both."""

    at: Hex
    unit: Name
    path: tuple[Hex, ...] = ()
    police: bool = False
    empire: str = ""


class Fighters(Order, frozen=True, kw_only=True, tag="fight-raiders"):
    """Declare which of your units fight the raider in a hex."""

    at: Hex
    units: Units


class Recall(Order, frozen=True, kw_only=True, tag="recall"):
    """A raider goes back to the Raid Pool, or along a path to a supply point."""

    unit: Name
    path: tuple[Hex, ...] = ()


class Disrupt(Order, frozen=True, kw_only=True, tag="disrupt"):
    """A raider disrupts its target hex, or makes its alternate attack. Not both."""

    unit: Name
    how: Literal["disruption", "alternate attack"] = "disruption"


class Emplace(Order, frozen=True, kw_only=True, tag="emplace"):
    """Put a pacification station into a hex."""

    unit: Name
    at: Hex
    empire: str = ""


def decide_pool(game: Game, order: Pool, _: Dice) -> list[Result]:
    """Raises RuleViolation: a full pool; not in it; in 3A-5B a ship that raided; in 3A-5C one not crippled."""
    unit, step = own_unit(game, order, order.unit), step_open(game)
    if not order.to:
        return _into_pool(game, unit)
    if unit.at != POOL:
        raise refuse(game, f"{unit.id} is not in the Raid Pool", "name a ship that is")
    if step == "3A-5B" and unit.get("raided") == game.turn:
        raise refuse(game, f"{unit.id} has raided", "only ships that did not raid may leave", "314.12")
    if step == "3A-5C":
        _verify_to_capital(game, unit, order.to)
    return moved(unit, (order.to,), "leaves the Raid Pool", rule_of(game))


def _verify_to_capital(game: Game, unit: Unit, to: str) -> None:
    capital = printed_of(game, empire_of(unit), "capital")
    if not is_crippled(unit) or unit.get("raided") != game.turn:
        raise refuse(game, f"{unit.id} was not crippled raiding this turn", "name a raider that was", "320.11")
    if to != capital:
        raise refuse(game, f"{to} is not the capital of {empire_of(unit)}", f"place it at {capital}", "320.11")


def _into_pool(game: Game, unit: Unit) -> list[Result]:
    limit = int(printed_of(game, empire_of(unit), "raid pool") or 0)
    held = sum(empire_of(one) == empire_of(unit) and not has(one, "decoy") for one in at_hex(game, POOL, unit.side))
    if unit.at == POOL:
        raise refuse(game, f"{unit.id} is in the Raid Pool", "name another, or say where it goes", "314.17")
    if held >= limit and not has(unit, "decoy"):
        raise refuse(
            game, f"the Raid Pool of {empire_of(unit)} holds {held}, its limit", "take a ship out first", "314.17"
        )
    return moved(unit, (POOL,), "joins the Raid Pool", rule_of(game))


def decide_resist(game: Game, order: Resist, dice: Dice) -> list[Result]:
    """Announced in 3A-1B, rolled in 3A-2A; rebellions are rolled in 3A-3K.

    Raises RuleViolation: a rebellion elsewhere, something else in 3A-3K, a roll for what was not announced.
    """
    step, marker = step_open(game), f"{order.kind} {order.at}"
    if (order.kind == "rebellion") != (step == "3A-3K"):
        raise refuse(
            game, f"{order.kind} is not tried here", "sabotage and infiltration in 3A-1B, rebellions in 3A-3K", "537.3"
        )
    if step == "3A-1B":
        return marked(game, marker, "announced", "", rule_of(game))
    if step == "3A-2A" and game.markers.get(marker) != "announced":
        raise refuse(game, f"{marker} was not announced", "announce it in 3A-1B", "537.1")
    tried = try_for(game, dice, order, "resistance", order.at_least, f"{order.kind} at {order.at}")
    return [*tried.told, *(marked(game, marker, None, "resolved", rule_of(game)) if tried.row is not None else [])]


def kind_of_raid(game: Game) -> str:
    """The kind of raid that the open step is about."""
    return KINDS.get(printed(step_open(game)).partition("-")[2][:1], "normal")


def raiders(game: Game, kind: str = "") -> tuple[Unit, ...]:
    """The phasing side's raiders that are out, by id."""
    side = phasing(game)
    out = (unit for unit in living(game) if unit.side == side and unit.get("raid_kind") and unit.at != POOL)
    return tuple(sorted((unit for unit in out if kind in ("", unit.get("raid_kind"))), key=lambda unit: unit.id))


def decide_raid(game: Game, order: Raid, _: Dice) -> list[Result]:
    """The raider is designated and goes along its path.

    Raises RuleViolation: a normal raider or a runner not from the pool; crippled; no path where raiders move.
    """
    unit, kind, step = own_unit(game, order, order.unit), kind_of_raid(game), step_open(game)
    rule = rule_of(game)
    started = unit.get("raid_kind") == kind
    if kind != "special" and not started and unit.at != POOL:
        raise refuse(game, f"{unit.id} is not in the Raid Pool", "put it there in 3A-1A", "314.21")
    if is_crippled(unit):
        raise refuse(game, f"{unit.id} is crippled", "name an uncrippled unit")
    named = changed(unit, "raid_kind", kind, f"{kind} raid", rule)
    if step in ("3A-3A", "3A-4A"):
        return named
    if kind != "normal" and not started:
        raise refuse(game, f"{unit.id} was not designated", f"designate it in 3A-{3 if kind == 'special' else 4}A")
    if not order.path:
        raise refuse(game, "the order does not say where it goes", "give its path, hex by hex", "314.21")
    target = changed(unit, "raid", order.path[-1], "target", rule)
    return [
        *named,
        *target,
        *changed(unit, "raided", game.turn, "", rule),
        *moved(unit, order.path, f"{kind} raid", rule),
    ]


def raids_are_out(game: Game, _: str) -> bool:
    return bool(raiders(game, "normal"))


def specials_are_out(game: Game, _: str) -> bool:
    return bool(raiders(game, "special"))


def runners_are_out(game: Game, _: str) -> bool:
    return bool(raiders(game, "blockade"))


def targets(game: Game) -> tuple[str, ...]:
    """The hexes that are raided, by the kind of raid that the step is about."""
    return tuple(dict.fromkeys(unit.at for unit in raiders(game, kind_of_raid(game))))


def decide_answer_raid(game: Game, order: AnswerRaid, _: Dice) -> list[Result]:
    """A unit reacts, or a police ship is placed.

    Raises RuleViolation: no raid there; police where a unit reacted, or reaction where police were called.
    """
    if order.at not in targets(game):
        raise refuse(game, f"nobody raids {order.at}", f"raided are: {', '.join(targets(game)) or 'none'}")
    marker, how = f"answer {order.at}", "police" if order.police else "reaction"
    before = game.markers.get(marker)
    number = "314.243" if order.police else "314.241"
    if before not in (None, how):
        what = f"{before} answers the raid on {order.at} already: reaction or police, not both"
        raise refuse(game, what, f"answer with {before}, or `done`", number)
    noted, rule = marked(game, marker, how, "", rule_of(game, number)), rule_of(game, number)
    if not order.police:
        unit = own_unit(game, order, order.unit)
        if not order.path or order.path[-1] != order.at:
            raise refuse(game, f"{unit.id} does not get to {order.at}", "give a path that ends there", number)
        return [*noted, *moved(unit, order.path, "reaction", rule)]
    if order.unit in game.units:
        raise refuse(game, f"there is a unit {order.unit}, or was", "choose another id", number)
    empire = own_empire(game, order, order.empire)
    attributes: dict[str, Value] = {
        "empire": empire,
        "attack": number_of(game, ours.POLICE_ATTACK),
        "defense": number_of(game, ours.POLICE_DEFENSE),
        "traits": ("police",),
    }
    side = game.side_of(order.seat)
    return [
        *noted,
        UnitPlaced(
            unit=order.unit, side=side, kind="POL", at=order.at, attributes=attributes, cause="called up", rule=rule
        ),
    ]


def clear_answers(game: Game) -> list[Result]:
    """Before a kind of raid is answered: what the last kind was answered with is forgotten."""
    old = sorted(marker for marker in game.markers if marker.startswith("answer "))
    return [event for marker in old for event in marked(game, marker, None, "", rule_of(game))]


def decide_fight_raiders(game: Game, order: Fighters, _: Dice) -> list[Result]:
    """Raises RuleViolation for a unit that is not in the hex."""
    rule = rule_of(game)
    if order.at not in targets(game):
        raise refuse(game, f"nobody raids {order.at}", f"raided are: {', '.join(targets(game)) or 'none'}", "314.251")
    for unit in own_units(game, order, order.units):
        if unit.at != order.at:
            raise refuse(game, f"{unit.id} is at {unit.at}", f"name units at {order.at}", "314.251")
    return marked(game, f"fights {order.at}", order.units, "", rule)


def decide_recall(game: Game, order: Recall, _: Dice) -> list[Result]:
    """The raider is in the pool again, or at a supply point.

    Raises RuleViolation: not out; in 3A-2F, 3A-4F and 3A-4M neither crippled nor forced to retreat; no path on the map.
    """
    unit, step, rule = own_unit(game, order, order.unit), step_open(game), rule_of(game)
    if not unit.get("raid_kind") or unit.at == POOL:
        raise refuse(game, f"{unit.id} is not out raiding", "name a raider", "314.273")
    if step in ("3A-2F", "3A-4F", "3A-4M") and not unit.get("outcome"):
        raise refuse(
            game, f"{unit.id} is neither crippled nor forced to retreat", "it goes on with its mission", "314.244"
        )
    back = order.path or (POOL,)
    done = changed(unit, "raid_kind", None, "back", rule) if step not in ("3A-4J",) else []
    return [
        *done,
        *changed(unit, "outcome", None, "", rule),
        *changed(unit, "tried", None, "", rule),
        *moved(unit, back, "back", rule),
    ]


def out(kind: str) -> Concerned:
    """The raiders of that kind that are out."""
    return lambda game, _: raiders(game, kind)


def going_back(kind: str) -> Concerned:
    """Those of them that are crippled or must retreat."""
    return lambda game, _: (unit for unit in raiders(game, kind) if unit.get("outcome"))


def must_go_back(kind: str) -> Asks:
    """A fact: a raider of that kind is out and is crippled or must retreat."""
    return lambda game, _: any(unit.get("outcome") for unit in raiders(game, kind))


def decide_disrupt(game: Game, order: Disrupt, _: Dice) -> list[Result]:
    """Raises RuleViolation: a raider sent back, or one that has done the other (or the same) already."""
    unit = own_unit(game, order, order.unit)
    if unit not in raiders(game, "normal"):
        raise refuse(game, f"{unit.id} is no raider on the map", "name one that is at its target", "314.27")
    if unit.get("did") == game.turn:
        raise refuse(
            game, f"{unit.id} has made its attack: disruption or alternate attack, not both", "`done`", "314.28"
        )
    rule = rule_of(game, "314.27" if order.how == "disruption" else "314.28")
    marker = "disrupted" if order.how == "disruption" else "alternate attack"
    return [
        *changed(unit, "did", game.turn, order.how, rule),
        *marked(game, f"{marker} {unit.at}", game.turn, unit.id, rule),
    ]


def decide_emplace(game: Game, order: Emplace, _: Dice) -> list[Result]:
    """The station is placed; the owner of the hex may withdraw in the next step."""
    if order.unit in game.units:
        raise refuse(game, f"there is a unit {order.unit}, or was", "choose another id", "544.21")
    empire, side, rule = own_empire(game, order, order.empire), game.side_of(order.seat), rule_of(game)
    attributes: dict[str, Value] = {
        "empire": empire,
        "base": True,
        "defense": number_of(game, ours.STATION_DEFENSE),
        "traits": ("pacification",),
    }
    placed = UnitPlaced(
        unit=order.unit, side=side, kind="PS", at=order.at, attributes=attributes, cause="ROMP", rule=rule
    )
    return [placed, *marked(game, "stations", (*names_in(game, "stations"), order.unit), "", rule)]
