"""Phase 2, production: builds, conversions, activation; bases set up over a turn; colonies.

Costs are the players' to state: the tables of costs are not in the printed sequence.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.deployment import verify_begun_at
from umpire_ledger.domain.titles.federation_and_empire.economy import Points
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    empire_of,
    has,
    hex_in_hand,
    is_before,
    living,
    own_empire,
    own_unit,
    phasing,
    printed,
    refuse,
    rule_of,
    spent,
    units_where,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import Hex
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    PlaceOrNone,
    Result,
    UnitName,
    UnitPlaced,
    Value,
    changed,
    marked,
    removed,
    step_open,
    word_in,
)

Place = Annotated[PlaceOrNone, msgspec.Meta(pattern=r"^([0-9]{4}|[a-z][a-z-]*)$")]
Factor = Annotated[int, msgspec.Meta(ge=0, le=99)]
STAGES = {"2B7": "announced", "3B5": "begun", "2B3": "paid", "10A": "established"}
"""A colony takes them in the order announced, begun, paid, established; each in its step."""


class Build(Order, frozen=True, kw_only=True, tag="build"):
    """A new unit is received where it was built."""

    unit: Name
    kind: Name
    at: Place
    ep: Points
    attack: Factor = 0
    defense: Factor = 0
    traits: tuple[Name, ...] = ()
    empire: str = ""


class Convert(Order, frozen=True, kw_only=True, tag="convert"):
    """A ship, base or PDU becomes another kind: a conversion, an upgrade, another module."""

    unit: UnitName
    kind: Name
    ep: Points = 0
    attack: Factor | None = None
    defense: Factor | None = None


class Activate(Order, frozen=True, kw_only=True, tag="activate"):
    """A mothballed unit comes back into service."""

    unit: UnitName
    ep: Points = 0


class FormDivision(Order, frozen=True, kw_only=True, tag="form-division"):
    """The Klingon 77th PF Division or the Kzinti 23rd Fi-Con Division is formed of a unit."""

    division: Literal["77th", "23rd"]
    unit: UnitName


class DisbandDivision(Order, frozen=True, kw_only=True, tag="disband-division"):
    """The division is a division no longer."""

    division: Literal["77th", "23rd"]


class Replace(Order, frozen=True, kw_only=True, tag="replace"):
    """Lost fighters, PFs or GCEs of a unit in supply are replaced."""

    unit: UnitName
    what: Literal["fighters", "PFs", "GCE"]
    ep: Points = 0


class Battleship(Order, frozen=True, kw_only=True, tag="battleship"):
    """Take one option of battleship construction."""

    option: Name
    ep: Points
    empire: str = ""


class Deploy(Order, frozen=True, kw_only=True, tag="deploy"):
    """Begin a mobile base, a PDU, a PGB or a base module; it works from your next player turn on."""

    unit: Name
    kind: Name
    at: Hex
    ep: Points = 0
    defense: Factor = 0
    empire: str = ""


class Colony(Order, frozen=True, kw_only=True, tag="colony"):
    """Take a colony one stage further: announced 2B7, first payment 3B5, last payment 2B3, established 10A."""

    at: Hex
    ep: Points = 0
    empire: str = ""


class Scuttle(Order, frozen=True, kw_only=True, tag="scuttle"):
    """Destroy a unit of your own."""

    unit: UnitName


def make_operational(game: Game) -> list[Result]:
    """1A1: what the phasing side began on an earlier player turn of its own works now."""
    side = phasing(game)
    begun = units_where(game, lambda unit: unit.get("operational") is False, side)
    return [
        event
        for unit in begun
        if unit.number("begun") < game.turn
        for event in changed(unit, "operational", True, f"begun in turn {unit.number('begun')}", "1A1")
    ]


# --- production -------------------------------------------------------------------------------------------------------


def _verify_new(game: Game, unit: str) -> None:
    if unit in game.units:
        raise refuse(game, f"there is a unit {unit}, or was", "choose another id")


def decide_build(game: Game, order: Build, _: Dice) -> list[Result]:
    """The unit is paid for and placed. Raises RuleViolation: the id is taken; the treasury is short."""
    _verify_new(game, order.unit)
    empire, rule = own_empire(game, order, order.empire), rule_of(game)
    attributes: dict[str, Value] = {
        "empire": empire,
        "attack": order.attack,
        "defense": order.defense,
        "traits": order.traits,
    }
    side = game.side_of(order.seat)
    cause = f"built, {order.ep} EP"
    return [
        *spent(game, empire, order.ep, f"building {order.unit}", rule),
        UnitPlaced(
            unit=order.unit, side=side, kind=order.kind, at=order.at, attributes=attributes, cause=cause, rule=rule
        ),
    ]


def can_convert(game: Game, side: str) -> bool:
    """Whether a side has a ship to convert here."""
    modular = printed(step_open(game)) in ("2B5", "3B2")
    return any(unit.side == side and (not modular or has(unit, "modular")) for unit in living(game))


def decide_convert(game: Game, order: Convert, _: Dice) -> list[Result]:
    """The unit's kind, and its factors where the order gives them, become others.

    Raises RuleViolation: it is of that kind; in 2B5 and 3B2 it is not modular.
    """
    unit = own_unit(game, order, order.unit)
    now = str(unit.get("converted") or unit.kind)
    if now == order.kind:
        raise refuse(game, f"{unit.id} is a {order.kind} already", "name another kind")
    if printed(step_open(game)) in ("2B5", "3B2") and not has(unit, "modular"):
        raise refuse(game, f"{unit.id} is not modular", "convert other ships in step 2B3", "433.432")
    rule = rule_of(game)
    return [
        *spent(game, empire_of(unit), order.ep, f"converting {unit.id}", rule),
        *changed(unit, "converted", order.kind, f"{now} becomes {order.kind}", rule),
        *(changed(unit, "attack", order.attack, "converted", rule) if order.attack is not None else ()),
        *(changed(unit, "defense", order.defense, "converted", rule) if order.defense is not None else ()),
    ]


def decide_activate(game: Game, order: Activate, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    if unit.get("mothballed") is not True:
        raise refuse(game, f"{unit.id} is not mothballed", "name a mothballed unit", "434.0")
    rule = rule_of(game)
    return [
        *spent(game, empire_of(unit), order.ep, f"activating {unit.id}", rule),
        *changed(unit, "mothballed", None, "activated", rule),
    ]


FOUNDERS = {"77th": ("klingon", "513.21"), "23rd": ("kzinti", "513.31")}


def decide_form_division(game: Game, order: FormDivision, _: Dice) -> list[Result]:
    """Raises RuleViolation before Spring Y181, for a unit of another empire, and while the division exists."""
    unit = own_unit(game, order, order.unit)
    founder, number = FOUNDERS[order.division]
    if is_before(game, "Spring", 181):
        raise refuse(
            game, f"the {order.division} cannot be formed before Spring Y181", "wait until Spring Y181", number
        )
    if empire_of(unit) != founder:
        raise refuse(game, f"{unit.id} is no {founder} unit", f"name a {founder} unit", number)
    if game.markers.get(f"division {order.division}"):
        raise refuse(game, f"the {order.division} exists", "disband it in step 6G first", number)
    return marked(game, f"division {order.division}", unit.id, "formed", rule_of(game, number))


def decide_disband_division(game: Game, order: DisbandDivision, _: Dice) -> list[Result]:
    founder, number = FOUNDERS[order.division][0], "513.2" if order.division == "77th" else "513.3"
    own_empire(game, order, founder)
    if not game.markers.get(f"division {order.division}"):
        raise refuse(game, f"there is no {order.division}", "`done`, or form it in step 2B2", number)
    return marked(game, f"division {order.division}", None, "disbanded", rule_of(game, number))


def decide_replace(game: Game, order: Replace, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    number = {"fighters": "501.5", "PFs": "502.43", "GCE": "521.22"}[order.what]
    if unit.get("supply") == "out":
        raise refuse(game, f"{unit.id} is out of supply", "replace for units in supply", number)
    rule, cause = rule_of(game, number), f"{order.what} of {unit.id}"
    name = order.what.lower()
    return [
        *spent(game, empire_of(unit), order.ep, cause, rule),
        *changed(unit, f"lost_{name}", None, cause, rule),
        *changed(unit, f"{name}_replaced", game.turn, cause, rule),
    ]


def decide_battleship(game: Game, order: Battleship, _: Dice) -> list[Result]:
    """Raises RuleViolation for a second option of the same empire in one turn."""
    empire, marker = own_empire(game, order, order.empire), "battleship "
    taken = game.markers.get(marker + empire)
    now = f"{order.option} in turn {game.turn}"
    if isinstance(taken, str) and taken.endswith(f" in turn {game.turn}"):
        raise refuse(game, f"{empire} has taken an option: {taken}", "take one option a turn", "436.2")
    rule = rule_of(game)
    return [*spent(game, empire, order.ep, "a battleship", rule), *marked(game, marker + empire, now, "", rule)]


def decide_deploy(game: Game, order: Deploy, _: Dice) -> list[Result]:
    """The base is placed, not yet working. Raises RuleViolation: the id is taken; `verify_begun_at`."""
    _verify_new(game, order.unit)
    empire, rule = own_empire(game, order, order.empire), rule_of(game)
    verify_begun_at(game, empire, order.kind, order.at)
    attributes: dict[str, Value] = {
        "empire": empire,
        "base": True,
        "defense": order.defense,
        "operational": False,
        "begun": game.turn,
    }
    side, cause = game.side_of(order.seat), "deployment begins"
    return [
        *spent(game, empire, order.ep, f"deploying {order.unit}", rule),
        UnitPlaced(
            unit=order.unit, side=side, kind=order.kind, at=order.at, attributes=attributes, cause=cause, rule=rule
        ),
    ]


def decide_colony(game: Game, order: Colony, _: Dice) -> list[Result]:
    """Raises RuleViolation for a stage out of its order: the payments follow one another over the turns."""
    empire, stage = own_empire(game, order, order.empire), STAGES[printed(step_open(game))]
    stages = ("", "announced", "begun", "paid", "established")
    before = stages[stages.index(stage) - 1]
    now = word_in(game, f"colony {order.at}")
    if now not in (before, f"{before} by {empire}"):
        what = f"the colony at {order.at} is {now or 'not announced'}"
        raise refuse(game, what, f"name one that is {before}" if before else "announce it at another hex")
    rule = rule_of(game)
    return [
        *spent(game, empire, order.ep, f"the colony at {order.at}", rule),
        *marked(game, f"colony {order.at}", f"{stage} by {empire}", "", rule),
    ]


def decide_scuttle(game: Game, order: Scuttle, _: Dice) -> list[Result]:
    """Raises RuleViolation in Phase 5 for a unit that is not in the battle hex."""
    unit, place = own_unit(game, order, order.unit), hex_in_hand(game)
    if place and unit.at != place:
        raise refuse(game, f"{unit.id} is at {unit.at}", f"name a unit at {place}", "301.911")
    return removed(unit, "scuttled", "", rule_of(game))
