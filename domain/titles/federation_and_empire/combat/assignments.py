"""Check and apply the assignments of units for a round, sealed with the Battle Force in 5-3E and revealed in 5-3G.

The assignments are pinwheels with their ships, units in the web, drones, ground combat elements, Prime Teams, missions
of generals, and tugs that rescue.
"""

from collections.abc import Iterator

from umpire_ledger.domain.titles.federation_and_empire import options
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    empire_of,
    has,
    hex_in_hand,
    living,
    own_unit,
    owner_name,
    refuse,
    rule_of,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import listed_price
from umpire_ledger.domain.titles.federation_and_empire.house_values import PINWHEEL
from umpire_ledger.kit import Game, Name, Order, Result, Unit, UnitName, changed, choice_key, names_in, number_of, paid


class Assigned(Order, frozen=True, kw_only=True):
    """An order that gives units of the force their tasks.

    `pinwheels`: each written as the ships that form it, `T-PC-1 T-PC-2`. `in_web`: units in the web of the hex.
    `bombards`: ships that bombard with drones. `gce`: ships for each of which one ground combat element is bought.
    `teams`: each written `TEAM SHIP` or `TEAM SHIP MISSION`. `generals`: each written `GENERAL MISSION`. `rescues`:
    tugs that rescue ships in 5-6H.
    """

    pinwheels: tuple[Name, ...] = ()
    in_web: tuple[UnitName, ...] = ()
    bombards: tuple[UnitName, ...] = ()
    gce: tuple[UnitName, ...] = ()
    teams: tuple[Name, ...] = ()
    generals: tuple[Name, ...] = ()
    rescues: tuple[UnitName, ...] = ()


def words_of(order: Assigned) -> tuple[str, ...]:
    """Return the assignments as texts to seal, one for each."""
    return (
        *(f"pinwheel {one}" for one in order.pinwheels),
        *(f"web {one}" for one in order.in_web),
        *(f"bombards {one}" for one in order.bombards),
        *(f"gce {one}" for one in order.gce),
        *(f"team {one}" for one in order.teams),
        *(f"general {one}" for one in order.generals),
        *(f"rescues {one}" for one in order.rescues),
    )


# --- what may be sealed -----------------------------------------------------------------------------------------------


def verify_assigned(game: Game, order: Assigned, units: tuple[Unit, ...]) -> None:
    """Check that the units of an order can have their assignments.

    Raises:
        RuleViolation: A unit is not in the force, cannot have its assignment or is in two pinwheels; a team or general
            has two assignments; or an empire has too few EPs.
    """
    force = {unit.id: unit for unit in units}
    _verify_pinwheels(game, order.pinwheels, force)
    _verify_web(game, order.in_web, force)
    for name in order.bombards:
        unit = _of_force(game, name, force, "302.3")
        if not has(unit, "drone"):
            raise refuse(game, "not-a-drone-ship", "302.3", unit=name)
    for name in order.rescues:
        if not has(_of_force(game, name, force, "302.3"), "tug"):
            raise refuse(game, "not-a-tug", "302.3", unit=name)
    for name in order.gce:
        unit = _of_force(game, name, force, "521.81")
        if unit.get("gce") is not None:
            raise refuse(game, "has-ground-element", "521.81", unit=name)
    _verify_paid(game, order)
    _verify_riders(game, order, force)


def _of_force(game: Game, name: str, force: dict[str, Unit], number: str) -> Unit:
    if name not in force:
        raise refuse(game, "not-in-force", number, unit=name, units=force)
    return force[name]


def _verify_pinwheels(game: Game, pinwheels: tuple[str, ...], force: dict[str, Unit]) -> None:
    least, seen = number_of(game, PINWHEEL), set[str]()
    for names in (one.split() for one in pinwheels):
        for name in names:
            unit = _of_force(game, name, force, "322.11")
            if not has(unit, "pinwheel"):
                raise refuse(game, "cannot-form-pinwheel", "322.11", unit=name)
            if name in seen or unit.get("pinwheel") is not None:
                raise refuse(game, "in-pinwheel-already", "322.11", unit=name)
            seen.add(name)
        if len(names) < least:
            raise refuse(game, "too-few-for-pinwheel", "322.11", given=len(names), limit=least)


def _verify_web(game: Game, in_web: tuple[str, ...], force: dict[str, Unit]) -> None:
    place = hex_in_hand(game)
    if in_web and (not game.options.get(options.web.name) or place not in names_in(game, "webs")):
        raise refuse(game, "no-web-there", "512.31", place=place)
    for name in in_web:
        _of_force(game, name, force, "512.31")


PRICES = {"gce": "build GCE", "bombards": "drone bombardment"}
"""Assignments that cost EPs, with their names in a scenario's `costs`; one without a price there is free."""


def bill_of(game: Game, words: tuple[str, ...]) -> dict[str, int]:
    """Return the EPs that each empire pays for the ground combat elements and drones among these assignments."""
    bills: dict[str, int] = {}
    for what, name, *_ in (one.split() for one in words):
        if what in PRICES:
            empire = empire_of(game.units[name])
            bills[empire] = bills.get(empire, 0) + (listed_price(game, PRICES[what]) or 0)
    return bills


def _verify_paid(game: Game, order: Assigned) -> None:
    for empire, ep in bill_of(game, words_of(order)).items():
        held = game.accounts.get(f"{empire}/EP", 0)
        if ep > held:
            number = "521.81" if order.gce else "302.3"
            raise refuse(
                game, "too-few-points-to-assign", number, given=ep, empire=owner_name(game, empire), limit=held
            )


def _verify_riders(game: Game, order: Assigned, force: dict[str, Unit]) -> None:
    told = [one.split() for one in order.teams]
    for team, *more in told:
        _rider(game, order, team, "team", "522.34")
        if [one[0] for one in told].count(team) > 1 or not more:
            raise refuse(game, "team-twice" if more else "team-without-place", "522.34", team=team)
        _of_force(game, more[0], force, "522.34")
    names = [one.split()[0] for one in order.generals]
    for general in names:
        _rider(game, order, general, "general", "321.3")
        if names.count(general) > 1:
            raise refuse(game, "general-twice", "321.3", general=general)


def _rider(game: Game, order: Assigned, name: str, trait: str, number: str) -> None:
    unit = own_unit(game, order, name)
    if not has(unit, trait) or unit.at != hex_in_hand(game):
        near = [one.id for one in living(game) if one.at == hex_in_hand(game) and has(one, trait)]
        mine = ", ".join(one for one in near if game.units[one].side == unit.side)
        raise refuse(
            game,
            "wrong-trait" if mine else "no-unit-with-trait",
            number,
            unit=name,
            trait=trait,
            hex=hex_in_hand(game),
            units=mine,
        )


# --- after the reveal -------------------------------------------------------------------------------------------------


def apply_assignments(game: Game, side: str, words: tuple[str, ...]) -> list[Result]:
    """Note assignments on their units and pay for them."""
    return [*_paid(game, words), *(event for one in words for event in _noted(game, *one.split()))]


def _noted(game: Game, what: str, first: str, *more: str) -> Iterator[Result]:
    unit, place = game.units[first], hex_in_hand(game)
    match what:
        case "pinwheel":
            for name in (first, *more):
                yield from changed(game.units[name], "pinwheel", first, "a pinwheel", "5-3E (322.11)")
        case "web":
            yield from changed(unit, "in_web", place, "in the web", "5-3E (512.31)")
        case "bombards":
            yield from changed(unit, "bombards", True, "drone bombardment", rule_of(game, "309.0"))
        case "rescues":
            yield from changed(unit, "task", "rescue", "rescue tug", "5-3E (302.36)")
        case "gce":
            yield from changed(unit, "gce", "aboard", "bought", "5-3E (521.81)")
        case "team":
            yield from changed(unit, "aboard", more[0], "Prime Team", "5-3E (522.34)")
            yield from changed(unit, "task", " ".join(more[1:]) or None, "Prime Team", "5-3E (522.34)")
        case _:
            yield from changed(unit, "task", " ".join(more) or "mission", "general", "5-3E (321.3)")


def _paid(game: Game, words: tuple[str, ...]) -> list[Result]:
    rule, cause = "5-3E (521.81), 5-3G (309.0)", "ground combat elements and drones of this round"
    return [
        event for empire, ep in bill_of(game, words).items() for event in paid(game, f"{empire}/EP", -ep, cause, rule)
    ]


# --- pinwheels --------------------------------------------------------------------------------------------------------


def pinwheels_sealed(game: Game, side: str) -> int:
    """Return the number of a side's pinwheels: those present and those that it has sealed."""
    found = game.choices.get(choice_key("assignments", side))
    words = found.choice if found is not None and found.sealed and isinstance(found.choice, tuple) else ()
    return len(pinwheels_of(game, side)) + sum(one.startswith("pinwheel ") for one in words)


def pinwheels_of(game: Game, side: str = "") -> tuple[str, ...]:
    """Return the pinwheels in the hex, of one side or of all, each named by its first ship."""
    place = hex_in_hand(game)
    units = (unit for unit in living(game) if side in ("", unit.side) and unit.at == place)
    return tuple(sorted({str(unit.get("pinwheel")) for unit in units if unit.get("pinwheel") is not None}))


def locked_in_pinwheels(game: Game, side: str, words: tuple[str, ...]) -> frozenset[str]:
    """Return the ships of a side in pinwheels, sealed or already formed."""
    sealed = {name for one in words if one.startswith("pinwheel ") for name in one.split()[1:]}
    return frozenset(sealed | {unit.id for unit in living(game) if unit.side == side and unit.get("pinwheel")})
