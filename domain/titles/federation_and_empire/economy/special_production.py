"""Produce in Phase 2 all but ships: divisions, colonies, yards, police, battleships, leaders, the Swarm, squadrons.

Prices, limits and options are the scenario's if it has them; otherwise the players state them.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire import house_values
from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Pips,
    at_hex,
    empire_of,
    empires_of,
    has,
    is_before,
    is_ship,
    named_once,
    need_trait,
    own_empire,
    own_unit,
    owner_name,
    phasing,
    printed,
    printed_of,
    refuse,
    rule_of,
    side_of_empire,
    spent,
    this_turn,
    try_for,
    verify_ground,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Points, counter_of, listed_price, price
from umpire_ledger.domain.titles.federation_and_empire.economy.shipyard import verify_new
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import Hex, is_hex
from umpire_ledger.domain.titles.federation_and_empire.movement.map_edges import verify_not_foreign
from umpire_ledger.domain.titles.federation_and_empire.raids.raid_answers import verify_police
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    PlaceOrNone,
    Reason,
    Result,
    Roles,
    TableRoll,
    Unit,
    UnitName,
    UnitPlaced,
    Value,
    changed,
    listed,
    marked,
    moved,
    names_in,
    number_of,
    paid,
    step_open,
    word_in,
)

HexOrNone = Annotated[PlaceOrNone, msgspec.Meta(pattern=r"^([0-9]{4})?$")]
STAGES = {"2B7": "announced", "3B5": "begun", "2B3": "paid", "10A": "established"}
"""By step: the stage that a colony reaches there, in the order announced, begun, paid, established."""


class FormDivision(Order, frozen=True, kw_only=True, tag="form-division"):
    """Form the Klingon 77th PF Division or the Kzinti 23rd Fi-Con Division from a unit."""

    division: Literal["77th", "23rd"]
    unit: UnitName


class DisbandDivision(Order, frozen=True, kw_only=True, tag="disband-division"):
    """Disband a division."""

    division: Literal["77th", "23rd"]


class Battleship(Order, frozen=True, kw_only=True, tag="battleship"):
    """Take one option of battleship construction."""

    option: Name
    ep: Points | None = None
    empire: str = ""


class Colony(Order, frozen=True, kw_only=True, tag="colony"):
    """Advance a colony by a stage: announced 2B7, first payment 3B5, further ones 2B3, established 10A, base 2B3."""

    at: Hex
    ep: Points | None = None
    empire: str = ""


class Construct(Order, frozen=True, kw_only=True, tag="construct"):
    """Announce a shipyard facility, or pay for it; the payments add up on a separate account."""

    facility: Name
    at: Hex
    ep: Points = 0
    empire: str = ""


class CallPolice(Order, frozen=True, kw_only=True, tag="call-police"):
    """Call up a police ship and place it, if the scenario lets the empire have one more."""

    unit: Name
    at: Hex
    empire: str = ""


class NewLeader(Order, frozen=True, kw_only=True, tag="new-leader"):
    """Replace a lost admiral or general with a new one."""

    leader: Name
    replaces: UnitName
    ship: UnitName


class Defend(Order, frozen=True, kw_only=True, tag="defend"):
    """Give a Prime Team a defensive mission in a hex, or end the mission (no hex)."""

    team: UnitName
    at: HexOrNone = ""


class Swarm(TableRoll, frozen=True, kw_only=True, tag="swarm"):
    """Roll for the Klingon Swarm; on a success the unit appears at the capital."""

    unit: Name
    at_least: Pips | None = None


class Squadrons(Order, frozen=True, kw_only=True, tag="squadrons"):
    """Name the hexes for the replacement squadrons of a special fighter."""

    fighter: Name
    at: Annotated[tuple[Hex, ...], msgspec.Meta(min_length=1)]


# --- divisions and battleships ----------------------------------------------------------------------------------------

FOUNDERS = {"77th": ("klingon", "513.21"), "23rd": ("kzinti", "513.31")}


def decide_form_division(game: Game, order: FormDivision, _: Dice) -> list[Result]:
    """Form a division from a ship.

    Raises:
        RuleViolation: It is before Spring Y181, the unit is not a ship of the empire, or the division exists.
    """
    unit = own_unit(game, order, order.unit)
    founder, number = FOUNDERS[order.division]
    if is_before(game, "Spring", 181):
        raise refuse(game, "division-too-early", number, division=order.division)
    if empire_of(unit) != founder or not is_ship(unit):
        raise refuse(game, "not-a-founder", number, unit=unit.id, founder=founder)
    if game.markers.get(f"division {order.division}"):
        raise refuse(game, "division-exists", number, division=order.division)
    return marked(game, f"division {order.division}", unit.id, "formed", rule_of(game, number))


def decide_disband_division(game: Game, order: DisbandDivision, _: Dice) -> list[Result]:
    founder, number = FOUNDERS[order.division][0], "513.2" if order.division == "77th" else "513.3"
    own_empire(game, order, founder)
    if not game.markers.get(f"division {order.division}"):
        raise refuse(game, "no-such-division", number, division=order.division)
    return marked(game, f"division {order.division}", None, "disbanded", rule_of(game, number))


def authorized(game: Game) -> tuple[str, ...]:
    """Return the phasing side, if the scenario gives one of its empires options of battleship construction."""
    side = phasing(game)
    return (side,) if any(names_in(game, f"battleships of {one}") for one in empires_of(game, side)) else ()


def decide_battleship(game: Game, order: Battleship, _: Dice) -> list[Result]:
    """Take an option of battleship construction, one per empire and turn.

    Raises:
        RuleViolation: The option is not one of the empire's, or the empire has already taken one in this turn.
    """
    empire, marker = own_empire(game, order, order.empire), "battleship "
    options = names_in(game, f"battleships of {empire}")
    if order.option not in options:
        able = [one for one in empires_of(game, game.side_of(order.seat)) if names_in(game, f"battleships of {one}")]
        raise refuse(
            game,
            "no-such-option" if options else "option-of-others",
            "436.2",
            empire=owner_name(game, empire),
            option=order.option,
            options=options,
            empires=" or ".join(able),
        )
    taken, now = word_in(game, marker + empire), f"{order.option} in turn {game.turn}"
    if taken.endswith(f" in turn {game.turn}"):
        raise refuse(game, "option-taken", "436.2", empire=empire, taken=taken)
    rule, ep = rule_of(game), price(game, order.ep, f"battleship {order.option}", "436.2")
    return [*spent(game, empire, ep, "a battleship", rule), *marked(game, marker + empire, now, "", rule)]


# --- colonies and shipyards -------------------------------------------------------------------------------------------


def decide_colony(game: Game, order: Colony, _: Dice) -> list[Result]:
    """Advance a colony by a stage and add the payment to its own account; an established one gets its base in 2B3.

    Raises:
        RuleViolation: The stage is out of order, or is paid twice in a player turn; the payment is not the scenario's
            price; or the hex has an enemy, or belongs to another empire.
    """
    empire, stage = own_empire(game, order, order.empire), STAGES[printed(step_open(game))]
    now = word_in(game, f"colony {order.at}")
    if stage == "paid" and now == f"established by {empire}":
        stage = "based"
    _verify_stage(game, order, empire, stage)
    rule, account = rule_of(game), f"{empire}/colony {order.at}"
    ep = _payment(game, order, empire, stage)
    return [
        *spent(game, empire, ep, f"the colony at {order.at}", rule),
        *paid(game, account, ep, f"the colony at {order.at}", rule),
        *marked(game, f"colony {order.at}", f"{stage} by {empire}", "", rule),
        *(marked(game, f"paid colony {order.at}", this_turn(game), "", rule) if stage in ("begun", "paid") else ()),
    ]


def _verify_stage(game: Game, order: Colony, empire: str, stage: str) -> None:
    """Check that a colony may take its next stage in this turn.

    Raises:
        RuleViolation: The stage is out of order, or is paid twice in this player turn; or the hex has an enemy, or
            belongs to another empire.
    """
    before = {"announced": ("",), "begun": ("announced",), "paid": ("begun", "paid")}
    after = {"established": ("paid",), "based": ("established",)}
    wanted, now = {**before, **after}[stage], word_in(game, f"colony {order.at}")
    if now not in (*wanted, *(f"{one} by {empire}" for one in wanted)) or (now and "" in wanted):
        raise refuse(
            game,
            "colony-in-other-state" if wanted[0] else "colony-elsewhere",
            at=order.at,
            state=now or "not announced",
            wanted=" or ".join(wanted),
        )
    if stage == "paid" and game.markers.get(f"paid colony {order.at}") == this_turn(game):
        raise refuse(game, "colony-paid-this-turn", "446.13", at=order.at)
    verify_ground(game, game.side_of(order.seat), order.at)
    verify_not_foreign(game, empire, order.at)


def _payment(game: Game, order: Colony, empire: str, stage: str) -> int:
    """Return the EPs paid at this stage; they never exceed the scenario's price, which must be paid in full by 10A."""
    if stage == "based":
        return price(game, order.ep, "colonial base", "446.52", free=True)
    if stage == "announced" and order.ep:
        raise refuse(game, "colony-only-announced", "446.11")
    whole, ep, sum_ = listed_price(game, "colony"), order.ep or 0, game.accounts.get(f"{empire}/colony {order.at}", 0)
    if whole is not None and sum_ + ep > whole:
        number = "446.14" if stage == "established" else "446.13"
        raise refuse(game, "colony-overpaid", number, whole=whole, paid=sum_, limit=whole - sum_)
    if stage in ("begun", "paid") and whole is not None and not ep and sum_ < whole:
        raise refuse(game, "colony-not-paid", "446.13", whole=whole, paid=sum_, limit=whole - sum_)
    if stage == "established" and (ep or (whole is not None and sum_ < whole)):
        raise refuse(
            game,
            "facility-partly-paid" if whole is not None and sum_ < whole else "facility-not-paid",
            "446.14",
            paid=sum_,
            whole=whole,
        )
    return ep


def decide_construct(game: Game, order: Construct, _: Dice) -> list[Result]:
    """Announce a shipyard facility and add up the payments for it.

    Raises:
        RuleViolation: The payments are over the scenario's price, the hex belongs to others, or another empire
            announced the facility.
    """
    empire, rule = own_empire(game, order, order.empire), rule_of(game, "450.1")
    verify_ground(game, game.side_of(order.seat), order.at, "450.1")
    verify_not_foreign(game, empire, order.at, "450.1")
    _verify_facility(game, order.facility)
    facility = f"{order.facility} {order.at}"
    marker, account = f"facility {facility}", f"{empire}/{facility}"
    whole, sum_ = listed_price(game, f"construct {order.facility}"), game.accounts.get(account, 0)
    if whole is not None and sum_ + order.ep > whole:
        raise refuse(
            game, "facility-overpaid", "450.1", facility=order.facility, whole=whole, paid=sum_, limit=whole - sum_
        )
    if word_in(game, marker) not in ("", empire):
        raise refuse(game, "facility-announced-otherwise", "450.1", facility=facility, word=word_in(game, marker))
    return [
        *spent(game, empire, order.ep, f"{order.facility} at {order.at}", rule),
        *paid(game, account, order.ep, "shipyard construction", rule),
        *marked(game, marker, empire, "announced", rule),
    ]


def _verify_facility(game: Game, facility: str) -> None:
    """Check that a facility has a price, if the scenario has prices of facilities.

    Raises:
        RuleViolation: The scenario has no price for it.
    """
    priced = game.tables.get("costs", {}).get("of", {})
    known = [name.removeprefix("construct ") for name in priced if name.startswith("construct ")]
    if known and facility not in known:
        raise refuse(game, "not-a-facility", "450.1", facility=facility, facilities=listed(known))


# --- police, leaders and teams ----------------------------------------------------------------------------------------


def decide_call_police(game: Game, order: CallPolice, _: Dice) -> list[Result]:
    """Call up a police ship and place it in a hex.

    Raises:
        RuleViolation: The scenario's limit for this turn is reached, or the hex belongs to others or the enemy holds
            it.
    """
    verify_new(game, order.unit)
    empire, rule = own_empire(game, order, order.empire), rule_of(game, "531.12")
    verify_police(game, empire, "`done`, or name another empire", "531.12")
    verify_ground(game, game.side_of(order.seat), order.at, "531.12")
    verify_not_foreign(game, empire, order.at, "531.12")
    factors: dict[str, Value] = {
        "attack": number_of(game, house_values.POLICE_ATTACK),
        "defense": number_of(game, house_values.POLICE_DEFENSE),
    }
    counter = counter_of(game, "POL", {}, "531.12") or factors
    attributes: dict[str, Value] = {"empire": empire, "traits": ("police",), **counter, "called": this_turn(game)}
    side = game.side_of(order.seat)
    return [
        UnitPlaced(
            unit=order.unit, side=side, kind="POL", at=order.at, attributes=attributes, cause="called up", rule=rule
        )
    ]


def decide_new_leader(game: Game, order: NewLeader, _: Dice) -> list[Result]:
    """Place a new leader, in place of a lost one, aboard a ship of the leader's empire.

    Raises:
        RuleViolation: The leader to replace is not lost, or is already replaced; or the ship is not one of that empire.
    """
    verify_new(game, order.leader)
    lost, ship = game.units.get(order.replaces), own_unit(game, order, order.ship)
    side, rule = game.side_of(order.seat), rule_of(game, "316.142")
    if lost is None or not lost.fate or lost.side != side or not has(lost, "leader") or lost.get("replaced"):
        is_filled = lost is not None and lost.get("replaced")
        filled = Reason("replaced-already", f"{order.replaces} has already been replaced")
        what = (
            filled if is_filled else Reason("not-a-lost-leader", f"{order.replaces} is not a lost leader of your side")
        )
        gone = (one for one in game.units.values() if one.side == side and one.fate and not one.get("replaced"))
        free = ", ".join(sorted(one.id for one in gone if has(one, "leader")))
        raise refuse(game, "leader-not-lost" if free else "no-leader-lost", "316.142", why=what, leaders=free)
    if empire_of(ship) != empire_of(lost) or not is_ship(ship):
        raise refuse(game, "ship-of-another-empire", "316.32", ship=ship.id, empire=empire_of(lost))
    own: dict[str, Value] = {"empire": empire_of(lost), "traits": lost.names("traits"), "aboard": ship.id}
    placed = UnitPlaced(
        unit=order.leader, side=side, kind=lost.kind, at=ship.at, attributes=own, cause="new", rule=rule
    )
    return [placed, *changed(lost, "replaced", order.leader, "", rule)]


def decide_defend(game: Game, order: Defend, _: Dice) -> list[Result]:
    """Give a Prime Team a defensive mission in a hex, or take it off the mission.

    Raises:
        RuleViolation: The unit is not a team, has had a mission in this turn, or has none to be taken off.
    """
    team, rule = own_unit(game, order, order.team), rule_of(game, "537.3")
    need_trait(game, team, "team", "Prime Team", "537.3")
    if not order.at:
        if team.get("defends") is None:
            raise refuse(game, "no-defensive-mission", "537.3", team=team.id)
        return changed(team, "defends", None, "taken off", rule)
    noted = named_once(
        game, team, "defends_since", Reason("defends", "has a defensive mission"), "name another team", "537.3"
    )
    return [
        *noted,
        *changed(team, "aboard", None, "defensive mission", rule),
        *changed(team, "defends", order.at, "defensive mission", rule),
        *moved(team, (order.at,), "defensive mission", rule),
    ]


# --- lists of one empire ----------------------------------------------------------------------------------------------


def player_of(empire: str) -> Roles:
    """Return a role: the side that plays an empire, in its own player turn."""

    def asked(game: Game) -> tuple[str, ...]:
        side = side_of_empire(game, empire)
        return (side,) if side and side == phasing(game) else ()

    return asked


def decide_swarm(game: Game, order: Swarm, dice: Dice) -> list[Result]:
    """Roll for the Swarm, once in a player turn.

    Raises:
        RuleViolation: The roll was already made, or the Klingons have no capital.
    """
    verify_new(game, order.unit)
    capital, marker, now = printed_of(game, "klingon", "capital"), "swarm rolled", this_turn(game)
    if game.markers.get(marker) == now:
        raise refuse(game, "swarm-rolled", "514.1")
    if not is_hex(capital):
        raise refuse(game, "no-capital-for-swarm", "514.1")
    tried = try_for(game, dice, order, "swarm", order.at_least, "the Swarm", ())
    if tried.row is None:
        return list(tried.told)
    rule, side = rule_of(game, "514.1"), game.side_of(order.seat)
    own: dict[str, Value] = {"empire": "klingon", **counter_of(game, "SWARM", {}, "514.1")}
    came = UnitPlaced(
        unit=order.unit, side=side, kind="SWARM", at=capital, attributes=own, cause="the Swarm", rule=rule
    )
    return [*tried.told, *marked(game, marker, now, tried.said, rule), *([came] if tried.row == "success" else [])]


def decide_squadrons(game: Game, order: Squadrons, _: Dice) -> list[Result]:
    """Note the places of the replacement squadrons of a fighter, once in a player turn.

    Raises:
        RuleViolation: The places are already named, or a place has no Federation unit.
    """
    marker, now, side = f"squadrons {order.fighter}", this_turn(game), game.side_of(order.seat)
    if word_in(game, f"{marker} named") == now:
        raise refuse(game, "fighter-places-named", "502.95", fighter=order.fighter)
    for place in order.at:
        if not any(empire_of(one) == FEDERATION for one in at_hex(game, place, side)):
            raise refuse(game, "no-federation-unit", "502.95", place=place)
    rule = rule_of(game, "502.95")
    return [*marked(game, marker, order.at, "", rule), *marked(game, f"{marker} named", now, "", rule)]


FEDERATION = "federation"


def lost_leaders(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the leaders of a side who were lost and are not replaced."""
    lost = (unit for unit in game.units.values() if unit.fate and unit.side == side and has(unit, "leader"))
    return tuple(sorted((unit for unit in lost if not unit.get("replaced")), key=lambda unit: unit.id))
