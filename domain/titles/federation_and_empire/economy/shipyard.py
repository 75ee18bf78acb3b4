"""Produce units in Phase 2: build, convert, upgrade, activate, replace; set bases up over a turn; scuttle units.

Prices, yards and kinds are the scenario's if it has them; otherwise the players state them.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    ORION_POOL,
    RIDERS,
    at_hex,
    empire_of,
    has,
    hex_in_hand,
    is_base,
    is_ship,
    kind_of,
    living,
    named_once,
    own_empire,
    own_unit,
    owner_name,
    payer_of,
    phasing,
    printed,
    printed_of,
    refuse,
    rule_of,
    spent,
    this_turn,
    units_where,
    verify_ground,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import (
    BOTH_SIDES,
    Factor,
    Points,
    Some,
    counter_of,
    listed_price,
    price,
    stated_in,
    unpaid_at,
    yards_of,
)
from umpire_ledger.domain.titles.federation_and_empire.economy.deployment import verify_begun_at
from umpire_ledger.domain.titles.federation_and_empire.economy.economy import left_behind, spent_xtp
from umpire_ledger.domain.titles.federation_and_empire.house_values import BUILD_AT_OWN
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex, is_hex
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    PlaceOrNone,
    Reason,
    Result,
    Unit,
    UnitName,
    UnitPlaced,
    Value,
    changed,
    listed,
    number_of,
    removed,
    step_open,
)

Place = Annotated[PlaceOrNone, msgspec.Meta(pattern=r"^([0-9]{4}|[a-z][a-z-]*)$")]


class Build(Order, frozen=True, kw_only=True, tag="build"):
    """Receive a new unit at its yard; state both sides of its counter if the scenario has no such kind."""

    unit: Name
    kind: Name
    at: Place
    ep: Points | None = None
    xtp: Points = 0
    attack: Factor | None = None
    defense: Factor | None = None
    crippled_attack: Factor | None = None
    crippled_defense: Factor | None = None
    command: Factor | None = None
    traits: tuple[Name, ...] | None = None
    empire: str = ""


class Convert(Order, frozen=True, kw_only=True, tag="convert"):
    """Convert a ship to another kind or module, or begin the upgrade of a base or PDU."""

    unit: UnitName
    kind: Name
    ep: Points | None = None
    attack: Factor | None = None
    defense: Factor | None = None
    crippled_attack: Factor | None = None
    crippled_defense: Factor | None = None
    command: Factor | None = None
    traits: tuple[Name, ...] | None = None


class Activate(Order, frozen=True, kw_only=True, tag="activate"):
    """Return a mothballed unit to service."""

    unit: UnitName
    ep: Points | None = None


class Replace(Order, frozen=True, kw_only=True, tag="replace"):
    """Replace lost fighters, PFs or GCEs of a unit in supply."""

    unit: UnitName
    what: Literal["fighters", "PFs", "GCE"]
    number: Some | None = None
    ep: Points | None = None


class Deploy(Order, frozen=True, kw_only=True, tag="deploy"):
    """Begin a mobile base, a PDU, a PGB or a base module; it works from your next player turn on."""

    unit: Name
    kind: Name
    at: Hex
    ep: Points | None = None
    defense: Factor = 0
    empire: str = ""


class Scuttle(Order, frozen=True, kw_only=True, tag="scuttle"):
    """Destroy a unit of your own."""

    unit: UnitName


# --- bases and upgrades in progress -----------------------------------------------------------------------------------

UPGRADE = "upgrade_"
"""Prefix of the attributes that a base gets when its upgrade is done."""


def make_operational(game: Game) -> list[Result]:
    """Make the new bases and upgrades operational that the phasing side began on an earlier turn (1A1)."""
    side = phasing(game)
    begun = units_where(game, lambda unit: unit.get("operational") is False and unit.number("begun") < game.turn, side)
    due = units_where(game, lambda unit: 0 < unit.number(f"{UPGRADE}begun") < game.turn, side)
    return [
        *(
            event
            for unit in begun
            for event in changed(unit, "operational", True, f"begun in turn {unit.number('begun')}", "1A1")
        ),
        *(event for unit in due for event in _upgraded(unit)),
    ]


def _upgraded(unit: Unit) -> list[Result]:
    """Give a base its new kind, with both sides of its new counter."""
    cause = f"begun in turn {unit.number(f'{UPGRADE}begun')}"
    news = [
        name for name in (*BOTH_SIDES, "traits", "fighters", "pfs", "repairs") if unit.get(UPGRADE + name) is not None
    ]
    names = ("kind", "begun", *news)
    return [
        *changed(unit, "converted", unit.get(f"{UPGRADE}kind"), cause, "1A1"),
        *(event for name in news for event in changed(unit, name, unit.get(UPGRADE + name), cause, "1A1")),
        *(event for name in names for event in changed(unit, UPGRADE + name, None, cause, "1A1")),
    ]


# --- production -------------------------------------------------------------------------------------------------------


def verify_new(game: Game, unit: str) -> None:
    """Check that no unit has, or had, this id.

    Raises:
        RuleViolation: A unit has or had it.
    """
    if unit in game.units:
        raise refuse(game, "unit-id-used", unit=unit)


def decide_build(game: Game, order: Build, _: Dice) -> list[Result]:
    """Pay for a unit and place it, with both sides of its counter.

    Raises:
        RuleViolation: The id is taken, the empire cannot build there, the kind is unknown, the price is missing, or the
            treasury is short.
    """
    verify_new(game, order.unit)
    empire, rule = own_empire(game, order, order.empire), rule_of(game)
    _verify_site(game, order, empire)
    number = "504.31" if printed(step_open(game)) == "11C2" else "431.0"
    counter = counter_of(game, order.kind, stated_in(order), number)
    if not counter and game.tables.get("kinds"):
        raise refuse(game, "kind-unknown", number, kind=order.kind)
    attributes: dict[str, Value] = {
        "empire": empire,
        **counter,
        "new": this_turn(game),
        "yard": order.at,
    }
    ep = price(game, order.ep, f"build {order.kind}", number)
    side, cause = game.side_of(order.seat), f"built, {ep} EP"
    return [
        *spent(game, empire, ep, f"building {order.unit}", rule),
        *spent_xtp(game, empire, order.xtp, f"building {order.unit}", rule),
        UnitPlaced(
            unit=order.unit, side=side, kind=order.kind, at=order.at, attributes=attributes, cause=cause, rule=rule
        ),
    ]


def _verify_site(game: Game, order: Build, empire: str) -> None:
    """Check that an empire may build at the place of the order.

    Raises:
        RuleViolation: In 11C2 the place is not the Force Pool; in other steps it is not a hex, has enemies, or has a
            yard at its limit.
    """
    step = printed(step_open(game))
    if step == "11C2":
        if order.at != ORION_POOL:
            raise refuse(game, "not-the-force-pool", "504.31", at=order.at, pool=ORION_POOL)
        return
    if not is_hex(order.at):
        raise refuse(game, "not-a-hex", at=order.at)
    verify_ground(game, game.side_of(order.seat), order.at)
    verify_yard(game, empire, order.at)


def verify_yard(game: Game, empire: str, at: str) -> None:
    """Check that an empire may build one more unit in a hex in this turn.

    Raises:
        RuleViolation: The empire may not build there, or its yard there has built its limit in this turn.
    """
    yards = yards_of(game, empire)
    if at not in yards and (facility := unpaid_at(game, empire, at)):
        able = f", or name one of: {', '.join(yards)}" if yards else ""
        raise refuse(game, "not-paid-off", "450.1", facility=facility, at=at, more=able)
    if yards and at not in yards:
        raise refuse(game, "no-shipyard", "431.0", empire=owner_name(game, empire), at=at, yards=yards)
    others = [one for one in game.tables.get("yards", ()) if one["at"] == at and one["empire"] != empire]
    if not yards and others:
        whose = owner_name(game, others[0]["empire"])
        raise refuse(game, "shipyard-of-another", "431.0", at=at, owner=whose)
    if not yards:
        _verify_own_hex(game, empire, at)
    built = [one for one in game.units.values() if one.get("new") == this_turn(game) and one.get("yard") == at]
    if yards and len(built) >= yards[at]:
        left = [other for other in yards if other != at]
        raise refuse(
            game,
            "shipyard-limit" if left else "all-shipyards-at-limit",
            "431.0",
            at=at,
            limit=len(built),
            places=" or ".join(left),
        )


def _verify_own_hex(game: Game, empire: str, at: str) -> None:
    """Check that an empire without yards builds at its capital or in a hex with its units [reading, `build-at-own`]."""
    if not number_of(game, BUILD_AT_OWN):
        return
    own = {unit.at for unit in living(game) if empire_of(unit) == empire and is_hex(unit.at)}
    places = sorted((own | {printed_of(game, empire, "capital")}) - {""})
    if at not in places:
        raise refuse(
            game,
            "nothing-of-empire-there",
            "431.0",
            empire=owner_name(game, empire),
            at=at,
            places=listed(places) or "none",
        )


def can_convert(game: Game, side: str) -> bool:
    """Check whether a side has a ship to convert here."""
    modular = printed(step_open(game)) in ("2B5", "3B2")
    return any(unit.side == side and (not modular or has(unit, "modular")) for unit in living(game))


def decide_convert(game: Game, order: Convert, _: Dice) -> list[Result]:
    """Change a unit's kind and both sides of its counter; for a base this happens at its side's next 1A1.

    Raises:
        RuleViolation: The unit is already of that kind, was converted in this turn, or is not at a yard or base; in 2B5
            it is not modular, or not at a starbase; or only one side of the counter is stated.
    """
    unit, step = own_unit(game, order, order.unit), printed(step_open(game))
    number = "433.432" if step in MODULES else "433.41" if is_base(unit) else "433.0"
    now = kind_of(unit)
    if order.kind in (now, unit.get(f"{UPGRADE}kind")):
        raise refuse(game, "kind-planned-already", number, unit=unit.id, kind=order.kind)
    if step in MODULES:
        _verify_modular(game, unit, step)
    elif not is_base(unit):
        _verify_is_converted(game, unit)
        _verify_at_yard(game, unit)
    noted = named_once(
        game,
        unit,
        "refitted",
        Reason("converted", "was converted"),
        "name another unit, or end the step: `done`",
        number,
    )
    counter = counter_of(game, order.kind, stated_in(order), number)
    if not counter and step not in MODULES:
        raise refuse(game, "counter-values-missing-for-kind", number, kind=order.kind)
    rule, sort = rule_of(game, number), "upgrade" if is_base(unit) else "convert"
    ep = price(game, order.ep, f"{sort} {order.kind}", number)
    cause = f"{now} becomes {order.kind}"
    will = {"kind": order.kind, "begun": game.turn, **counter}
    news = (
        {UPGRADE + name: one for name, one in will.items()} if is_base(unit) else {"converted": order.kind, **counter}
    )
    return [
        *spent(game, payer_of(game, unit), ep, f"converting {unit.id}", rule),
        *noted,
        *(event for name, one in news.items() for event in changed(unit, name, one, cause, rule)),
    ]


MODULES = ("2B5", "3B2")
"""Steps in which modular ships change modules."""
STARBASES = ("starbase", "stellar-fortress")
"""Traits of bases at which modular ships change modules in 2B5."""


def _verify_modular(game: Game, unit: Unit, step: str) -> None:
    if not has(unit, "modular"):
        raise refuse(game, "cannot-convert-here", "433.432", unit=unit.id)
    bases = (one for one in at_hex(game, unit.at, unit.side) if any(has(one, trait) for trait in STARBASES))
    if step == "2B5" and next(bases, None) is None:
        raise refuse(game, "no-starbase-there", "433.432", at=unit.at)


def _verify_is_converted(game: Game, unit: Unit) -> None:
    """Check that a unit other than a base is a ship: a dock or an admiral cannot be converted.

    Raises:
        RuleViolation: The unit is not a ship.
    """
    if not is_ship(unit):
        raise refuse(game, "not-a-ship-or-base", "433.0", unit=unit.id)


def _verify_at_yard(game: Game, unit: Unit) -> None:
    """Check that a ship is at a shipyard of its empire or a working base of its side to be converted [reading]."""
    bases = (one for one in at_hex(game, unit.at, unit.side) if is_base(one) and one.get("operational") is not False)
    if unit.at not in yards_of(game, payer_of(game, unit)) and next(bases, None) is None:
        raise refuse(game, "no-yard-or-base", "433.0", unit=unit.id, at=unit.at)


def decide_activate(game: Game, order: Activate, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    if unit.get("mothballed") is not True:
        raise refuse(game, "not-mothballed", "434.0", unit=unit.id)
    rule, ep = rule_of(game), price(game, order.ep, f"activate {kind_of(unit)}", "434.0", free=True)
    return [
        *spent(game, payer_of(game, unit), ep, f"activating {unit.id}", rule),
        *changed(unit, "mothballed", None, "activated", rule),
    ]


LOST = {"fighters": "501.5", "PFs": "502.43", "GCE": "521.22"}
"""The replaceable parts of a unit, with their rule numbers."""


def decide_replace(game: Game, order: Replace, _: Dice) -> list[Result]:
    """Replace lost fighters, PFs or GCEs at the scenario's price for each; without a price, `ep` pays for all.

    [reading] The printed text gives no price for one.

    Raises:
        RuleViolation: The unit is out of supply, or lacks fewer; in 2B4 they were already replaced; or a GCE is
            replaced in 6E.
    """
    unit, number = own_unit(game, order, order.unit), LOST[order.what]
    if step_open(game) == "6E" and order.what == "GCE":
        raise refuse(game, "no-ground-elements-here")
    if unit.get("supply") == "out":
        raise refuse(game, "replacement-out-of-supply", number, unit=unit.id)
    rule, cause = rule_of(game, number), f"{order.what} of {unit.id}"
    name = order.what.lower()
    gone = unit.number(f"{name}_gone") if order.what != "GCE" else int(unit.get("gce") is None and has(unit, "gce"))
    replaced = order.number or gone
    if not gone or replaced > gone:
        raise refuse(game, "lacks-fewer" if gone else "lacks-none", number, unit=unit.id, limit=gone, what=order.what)
    once = (
        named_once(
            game,
            unit,
            f"{name}_replaced",
            Reason(f"{name}-replaced", f"has had its {order.what}"),
            "name another, or wait for 6E",
            number,
        )
        if step_open(game) == "2B4"
        else []
    )
    one = price(game, order.ep, f"replace {order.what}", number, free=True)
    ep = one * replaced if listed_price(game, f"replace {order.what}") is not None else one
    back = changed(unit, f"{name}_gone", gone - replaced or None, cause, rule)
    return [
        *spent(game, payer_of(game, unit), ep, cause, rule),
        *once,
        *(back if order.what != "GCE" else changed(unit, "gce", "aboard", cause, rule)),
    ]


def decide_deploy(game: Game, order: Deploy, _: Dice) -> list[Result]:
    """Place a base that is not yet working.

    Raises:
        RuleViolation: The id is taken, or the empire may not begin it there (`verify_begun_at`).
    """
    verify_new(game, order.unit)
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
    ep = price(game, order.ep, f"deploy {order.kind}", free=True)
    return [
        *spent(game, empire, ep, f"deploying {order.unit}", rule),
        UnitPlaced(
            unit=order.unit, side=side, kind=order.kind, at=order.at, attributes=attributes, cause=cause, rule=rule
        ),
    ]


def can_scuttle(game: Game, side: str) -> bool:
    """Check whether a side has a unit that is not a rider, in Phase 5 in the battle hex."""
    place = hex_in_hand(game)
    mine = (unit for unit in living(game) if unit.side == side and place in ("", unit.at))
    return any(RIDERS.isdisjoint(unit.names("traits")) for unit in mine)


def decide_scuttle(game: Game, order: Scuttle, _: Dice) -> list[Result]:
    """Destroy a unit of the side, with the effect on the units aboard it.

    Raises:
        RuleViolation: The unit is a rider, or in Phase 5 is not in the battle hex.
    """
    unit, place = own_unit(game, order, order.unit), hex_in_hand(game)
    if not RIDERS.isdisjoint(unit.names("traits")):
        raise refuse(game, "not-scuttled-alone", "301.911", unit=unit.id)
    if place and unit.at != place:
        raise refuse(game, "unit-elsewhere", "301.911", unit=unit.id, at=unit.at, place=place)
    rule = rule_of(game, "301.911")
    return [*left_behind(game, unit, rule), *removed(unit, "scuttled", "", rule)]
