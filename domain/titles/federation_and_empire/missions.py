"""Transports and their missions by code, expeditionary fleets, admirals and generals, cloaked decoys."""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.economy import Points
from umpire_ledger.domain.titles.federation_and_empire.empires import (
    POOL,
    RIDERS,
    empire_of,
    has,
    hex_in_hand,
    is_crippled,
    living,
    named_once,
    need_trait,
    own_unit,
    own_units,
    printed,
    refuse,
    rule_of,
    serving,
    serving_unit,
    side_of_empire,
    spent,
)
from umpire_ledger.domain.titles.federation_and_empire.hexes import is_hex
from umpire_ledger.domain.titles.federation_and_empire.ours import DIE
from umpire_ledger.kit import (
    ChoiceMade,
    ChoiceSealed,
    Dice,
    Game,
    Modified,
    Name,
    Order,
    Result,
    Told,
    Unit,
    UnitName,
    UnitOrNone,
    changed,
    choice_key,
    eyes,
    modifiers_of,
    moved,
    removed,
    reveal,
    step_open,
    word_of,
)

Code = Annotated[str, msgspec.Meta(pattern=r"^[A-Z][0-9]{0,2}$")]
CODES = {"2A3": ("J1",), "2B3": ("J2", "J3", "J4"), "2B7": ("D",), "5-7D": ("F",), "7B": ("E",)}
"""The missions that a step names; the others leave it to 509.1, which we do not have."""


class AssignMission(Order, frozen=True, kw_only=True, tag="assign-mission"):
    """Give a tug or transport its mission, by its code in 509.1."""

    unit: UnitName
    code: Code


class Designate(Order, frozen=True, kw_only=True, tag="designate"):
    """Note what units are in this step: an expeditionary fleet, a scout or formation bonus, towing, in the web, …"""

    units: Annotated[tuple[UnitName, ...], msgspec.Meta(min_length=1)]
    role: Name


class Support(Order, frozen=True, kw_only=True, tag="support"):
    """Buy or name a support line for a homeless ship, or a Forward Defense Unit."""

    unit: UnitName
    line: Literal["homeless", "forward defense"]
    ep: Points = 0


class Pods(Order, frozen=True, kw_only=True, tag="pods"):
    """A tug exchanges its pods, or a crippled one sends them back to the pool (no pods)."""

    unit: UnitName
    pods: tuple[UnitName, ...] = ()


class TransferLeader(Order, frozen=True, kw_only=True, tag="transfer-leader"):
    """An admiral or general goes aboard another ship, or off the map (no ship)."""

    leader: UnitName
    ship: UnitOrNone = ""


class LoseLeader(Order, frozen=True, kw_only=True, tag="lose-leader"):
    """An admiral, general or Prime Team is lost or leaves play."""

    leader: UnitName
    fate: Name = "killed"


class AssignDecoy(Order, frozen=True, kw_only=True, tag="assign-decoy"):
    """Secretly record which ship a cloaked decoy belongs to; it stays so until the decoy is revealed."""

    decoy: UnitName
    ship: UnitName


class RevealDecoy(Modified, frozen=True, kw_only=True, tag="reveal-decoy"):
    """Lay open which ship a decoy belongs to, exactly as it was recorded, and roll for what it does."""

    decoy: UnitName
    purpose: Name
    roll: bool = True


class AnnounceDecoys(Order, frozen=True, kw_only=True, tag="announce-decoys"):
    """Announce how many cloaked decoys are present and of which types; not where."""

    number: Annotated[int, msgspec.Meta(ge=1, le=99)]
    types: tuple[Name, ...]


# --- transports -------------------------------------------------------------------------------------------------------


def decide_assign_mission(game: Game, order: AssignMission, _: Dice) -> list[Result]:
    """Raises RuleViolation: no tug or transport; a code that belongs to another step."""
    unit = own_unit(game, order, order.unit)
    if not has(unit, "transport"):
        need_trait(game, unit, "tug", "tug or transport", "509.1")
    step = printed(step_open(game))
    here = CODES.get(step)
    if here is not None and order.code not in here:
        home = next((one for one, codes in CODES.items() if order.code in codes), "1F")
        raise refuse(
            game,
            f"mission {order.code} is not given in {step}",
            f"give {' or '.join(here)}, or wait for {home}",
            "509.1",
        )
    return changed(unit, "mission", order.code, f"mission {order.code} in {step}", rule_of(game, "509.1"))


def decide_designate(game: Game, order: Designate, _: Dice) -> list[Result]:
    attribute = "fleet" if step_open(game) == "1G" else "designated"
    rule = rule_of(game)
    units = own_units(game, order, order.units)
    if hex_in_hand(game):
        for unit in units:
            _verify_role(game, order, serving_unit(game, order, unit.id))
    return [event for unit in units for event in changed(unit, attribute, order.role, order.role, rule)]


ONE_A_SIDE = {"formation bonus": "308.7", "scout bonus": "308.53"}
"""The roles of 5-3G that one unit of a side has, with their rule numbers."""


def _verify_role(game: Game, order: Designate, unit: Unit) -> None:
    """In a battle: the bonuses of 5-3G are one a side, cripples are towed by sound ships, 6F pulls who was towed."""
    step, role = step_open(game), order.role
    if step == "5-3G" and role in ONE_A_SIDE:
        has_it = [one.id for one in serving(game, unit.side) if one.get("designated") == role]
        if has_it or len(set(order.units)) > 1:
            what = f"{has_it[0]} has the {role}" if has_it else f"the {role} is for one unit"
            raise refuse(game, what, "`done`, or name one unit", ONE_A_SIDE[role])
        if role == "scout bonus":
            need_trait(game, unit, "scout", "scout", "308.53")
    if step == "5-3G" and role.startswith("tow "):
        _verify_tow(game, unit, role.removeprefix("tow "))
    if step == "5-6F" and unit.get("designated") != f"tow {role.removeprefix('pulled ')}":
        raise refuse(game, f"{unit.id} does not tow {role.removeprefix('pulled ')}", "name a pair of 5-3G", "512.32")


def _verify_tow(game: Game, unit: Unit, cripple: str) -> None:
    towed = next((one for one in serving(game, unit.side) if one.id == cripple), None)
    if is_crippled(unit) or towed is None or not is_crippled(towed):
        what = f"{unit.id} is crippled" if is_crippled(unit) else f"{cripple} is no cripple of your force"
        raise refuse(game, what, "a sound ship tows a crippled one: name such a pair", "512.32")
    other = next((one.id for one in serving(game, unit.side) if one.get("designated") == f"tow {cripple}"), "")
    if other:
        raise refuse(game, f"{other} tows {cripple}", "name another cripple, or `done`", "512.32")


def decide_support(game: Game, order: Support, _: Dice) -> list[Result]:
    unit = own_unit(game, order, order.unit)
    rule = rule_of(game, "410.56" if order.line == "homeless" else "536.15")
    cause = f"{order.line} line for {unit.id}"
    return [*spent(game, empire_of(unit), order.ep, cause, rule), *changed(unit, "support", order.line, cause, rule)]


def decide_pods(game: Game, order: Pods, _: Dice) -> list[Result]:
    """Raises RuleViolation: no tug; in 8B not in an expeditionary fleet; in 6F not crippled."""
    unit = own_unit(game, order, order.unit)
    need_trait(game, unit, "tug", "tug")
    if step_open(game) == "8B" and not unit.get("fleet"):
        raise refuse(game, f"{unit.id} is in no expeditionary fleet", "name a tug that is, as of 1G", "411.75")
    if step_open(game) == "6F" and (unit.get("crippled") is not True or order.pods):
        raise refuse(game, "only a crippled tug sends its pods back", "name a crippled tug and no pods", "509.43")
    return changed(unit, "pods", order.pods or None, "pods", rule_of(game))


# --- admirals and generals --------------------------------------------------------------------------------------------


def decide_transfer_leader(game: Game, order: TransferLeader, _: Dice) -> list[Result]:
    """The leader goes where the ship is.

    Raises:
        RuleViolation: no leader; a second one by Strategic Movement (8A); a ship in another hex, but for 2B6 and 8A.
    """
    leader = own_unit(game, order, order.leader)
    need_trait(game, leader, "leader", "admiral or general")
    step, rule = step_open(game), rule_of(game)
    ship = own_unit(game, order, order.ship) if order.ship else None
    once = _verify_post(game, leader, ship) if step in POSTS else []
    if step == "8A" and (gone := _moved_leader(game, leader)):
        raise refuse(game, f"{gone} has moved by Strategic Movement", "only one admiral or general may", "316.144C")
    if ship is not None and ship.at != leader.at and step not in ("2B6", "8A", "3A-1A"):
        what = f"{ship.id} is at {ship.at}, {leader.id} at {leader.at}"
        raise refuse(game, what, "transfer within a hex", "316.144")
    if hex_in_hand(game):
        _verify_in_combat(game, leader, "transfers")
    strategic = changed(leader, "strategic", game.turn, "Strategic Movement", rule) if step == "8A" else []
    to = ship.at if ship else "off-map"
    return [
        *once,
        *strategic,
        *changed(leader, "aboard", order.ship or None, "", rule),
        *moved(leader, (to,), f"aboard {order.ship}", rule),
    ]


POSTS = {"2B6": "316.33", "3A-1A": "320.45", "9B": "316.144B"}
"""Steps that give each leader one post."""


def _verify_post(game: Game, leader: Unit, ship: Unit | None) -> list[Result]:
    """Raises RuleViolation: a second post in this step; no ship of his empire; in 3A-1A no general, not the pool."""
    step = step_open(game)
    number = POSTS[step]
    if ship is not None and (empire_of(ship) != empire_of(leader) or not RIDERS.isdisjoint(ship.names("traits"))):
        what = f"{ship.id} is no ship of {empire_of(leader)}"
        raise refuse(game, what, f"name a ship of {empire_of(leader)}", number)
    if step == "3A-1A":
        need_trait(game, leader, "general", "Marine general", number)
        if ship is None or ship.at != POOL:
            what = f"{ship.id if ship else 'nothing'} is not in the Raid Pool"
            raise refuse(game, what, "name a ship of the Raid Pool", number)
    if step == "9B" and (ship is None or not is_hex(ship.at)):
        raise refuse(game, "he changes from ship to ship on the map", "name a ship in his hex", number)
    attribute = f"posted_{step.replace('-', '_').lower()}"
    return named_once(game, leader, attribute, "changed ships", "leave him where he is", number)


def _moved_leader(game: Game, leader: Unit) -> str:
    others = (one for one in living(game) if one.side == leader.side and has(one, "leader"))
    return next((one.id for one in others if one.get("strategic") == game.turn), "")


def _verify_in_combat(game: Game, leader: Unit, does: str) -> None:
    """In a battle: a leader of this hex; from 5-6C on one whose ship is crippled or lost (316.144A, 522.32)."""
    place, ship = hex_in_hand(game), game.units.get(str(leader.get("aboard") or ""))
    number = {"5-3E": "316.144", "5-6C": "522.32"}.get(step_open(game), "316.144A")
    if leader.at != place:
        raise refuse(game, f"{leader.id} is at {leader.at}", f"name one at {place}", number)
    needs = "destroyed" if step_open(game) == "5-6C" else "crippled or destroyed"
    hurt = ship is None or bool(ship.fate) or (is_crippled(ship) and step_open(game) != "5-6C")
    if step_open(game) != "5-3E" and not hurt:
        raise refuse(game, f"nobody {does} from {leader.get('aboard')}: it is not {needs}", "`done`", number)


def decide_lose_leader(game: Game, order: LoseLeader, _: Dice) -> list[Result]:
    leader = own_unit(game, order, order.leader)
    if not has(leader, "leader"):
        need_trait(game, leader, "team", "admiral, general or Prime Team")
    if hex_in_hand(game):
        _verify_in_combat(game, leader, "is lost")
    return removed(leader, order.fate, "", rule_of(game))


# --- cloaked decoys ---------------------------------------------------------------------------------------------------
# A decoy lies openly in the Raid Pool; the ship it belongs to is a sealed choice that stays in the log, so that what is
# revealed later is provably what was recorded. No step asks whether there are decoys.


def romulans(game: Game) -> tuple[str, ...]:
    """The side that plays the Romulans, phasing or not (A12)."""
    side = side_of_empire(game, "romulan")
    return (side,) if side else ()


def decide_assign_decoy(game: Game, order: AssignDecoy, _: Dice) -> list[Result]:
    """The same two records whatever is assigned.

    Raises:
        RuleViolation: no decoy of yours; a ship of another side; recorded already, for that cannot be changed.
    """
    decoy = own_unit(game, order, order.decoy)
    need_trait(game, decoy, "decoy", "cloaked decoy", "538.51")
    ship = own_unit(game, order, order.ship)
    question = f"decoy {decoy.id}"
    recorded = game.choices.get(choice_key(question, decoy.side))
    if recorded is not None and recorded.sealed:
        raise refuse(game, f"{decoy.id} is recorded already", "reveal it first: a record is not changed", "538.31")
    rule = rule_of(game, "538.51")
    made = ChoiceMade(question=question, side=decoy.side, choice=ship.id, sealed=True, rule=rule)
    return [ChoiceSealed(question=question, side=decoy.side, rule=rule), Told(made, eyes(game, decoy.side))]


def decide_reveal_decoy(game: Game, order: RevealDecoy, dice: Dice) -> list[Result]:
    """The recorded ship is laid open, one decoy an order, with a die for its effect where one is asked for.

    Raises:
        RuleViolation: not yours; nothing recorded, which only its owner is told.
    """
    decoy = own_unit(game, order, order.decoy)
    need_trait(game, decoy, "decoy", "cloaked decoy")
    if hex_in_hand(game):
        _verify_diverts(game, decoy)
    rule = rule_of(game)
    shown = reveal(game, decoy.side, f"decoy {decoy.id}", rule)
    purpose = f"decoy {decoy.id}: {order.purpose}"
    plus, about = modifiers_of(order), (decoy.id,)
    rolled = (
        [dice.roll(word_of(game, DIE), purpose=purpose, modifiers=plus, rule=rule, subjects=about)]
        if order.roll
        else []
    )
    return [*shown, *rolled, *changed(decoy, "revealed", step_open(game), order.purpose, rule)]


def _verify_diverts(game: Game, decoy: Unit) -> None:
    """A decoy helps the ship that it was recorded for: the one directed at (5-5B, 5-5C), a frozen one (5-4A7F)."""
    recorded = game.choices.get(choice_key(f"decoy {decoy.id}", decoy.side))
    ship = str(recorded.choice) if recorded is not None and recorded.sealed else ""
    step, found = step_open(game), game.units.get(ship)
    if ship and step in ("5-5B/decoys", "5-5C/decoys"):
        aimed = [game.markers.get(f"directed by {side}") for side in game.side_ids if side != decoy.side]
        if ship not in aimed:
            raise refuse(game, f"no damage is directed at the ship of {decoy.id}", "`done`")
    if step == "5-4A7F" and found is not None and not found.get("frozen"):
        raise refuse(game, f"the ship of {decoy.id} is not frozen", "`done`")


def decide_announce_decoys(game: Game, order: AnnounceDecoys, _: Dice) -> list[Result]:
    """Number and types are open, the place of none is."""
    said = (str(order.number), *order.types)
    side = game.side_of(order.seat)
    return [ChoiceMade(question="decoys present", side=side, choice=said, rule=rule_of(game, "538.31"))]
