"""Check which orders a side could give in the phases of a month, 5.1.G to 5.1.N; others are not offered.

Play does not wait for a side that can give none of them (`sides_able_to_act.ROLES`). These checks run before a phase
opens, so none of them may depend on the open phase.
"""

from umpire_ledger.domain.titles.pacific_war import forces, limits, returning
from umpire_ledger.domain.titles.pacific_war.changeable_units import may_leave_in_reinforcements
from umpire_ledger.domain.titles.pacific_war.command import purses, strategic
from umpire_ledger.domain.titles.pacific_war.pieces import ALLIES, arm, enemies_at, enemy_of, has, of_arm
from umpire_ledger.kit import Game, Unit

# --- G and I ----------------------------------------------------------------------------------------------------------


def can_allocate_points(game: Game, side: str) -> bool:
    """Return whether a side has Command Points on the track, and a headquarters or a pool to receive them."""
    receives = bool(of_arm(game, "headquarters", side=side)) or limits.may_have_pool(game, side)
    return receives and has(game, f"points/{side}") > 0


def can_transport(game: Game, side: str) -> bool:
    """Return whether a side has a unit to move in 5.1.I, or submarines to attack a crippled enemy ship."""
    crippled = [one.side for one in of_arm(game, "naval") if one.get("crippled")]
    return side in crippled or _has_rear_units(game, side) or (enemy_of(side) in crippled and _has_boats(game, side))


def _has_rear_units(game: Game, side: str) -> bool:
    able = (one for one in of_arm(game, "air", "ground", side=side) if game.markers.get(f"transport/{arm(one)}") != 0)
    return any(not one.get("aboard") and not enemies_at(game, side, one.at) for one in able)


def _has_boats(game: Game, side: str) -> bool:
    patrols = any(one.get("paid") is not False for one in of_arm(game, "patrol", side=side))
    commands = of_arm(game, "submarine-command", side=side)
    return patrols or any(has(game, f"submarines/{one.id}") for one in commands)


# --- J: reinforcements ------------------------------------------------------------------------------------------------


def can_reinforce(game: Game, side: str) -> bool:
    """Return whether a side has a unit that may enter because its month has come."""
    return bool(forces.waiting_to_come(game, side))


def can_bring_back(game: Game, side: str) -> bool:
    """Return whether a side has a unit that left play and can return."""
    return bool(returning.waiting_to_return(game, side))


def can_allocate_submarines(game: Game, side: str) -> bool:
    """Return whether a side has submarine points, and a Command or anti-shipping role to allocate them to."""
    roles = [f"submarines/{one.id}" for one in of_arm(game, "submarine-command", side=side)]
    if side == ALLIES and strategic(game, ""):
        roles.append(forces.ANTI_SHIPPING)
    return bool(roles) and any(has(game, account) for account in (f"submarines/{side}", *roles))


def can_build_command(game: Game, side: str) -> bool:
    """Return whether a side has a linked port, and has built no submarine Command this month."""
    ports = (one for one in of_arm(game, "base", side=side) if one.kind == "port" and one.get("linked"))
    return any(ports) and not forces.commands_of_the_month(game, side)


def can_pay_link(game: Game, side: str) -> bool:
    """Return whether a headquarters of a side can pay for an unpaid Emergency Command Link."""
    purse = max((has(game, f"points/{one.id}") for one in of_arm(game, "headquarters", side=side)), default=-1)
    return any(link.number("maintenance") <= purse for link in forces.unpaid_links(game, side))


def has_reinforcements(game: Game, side: str) -> bool:
    """Return whether 5.1.J has anything for a side to do."""
    able = (can_reinforce, can_bring_back, can_allocate_submarines, can_build_command, may_leave_in_reinforcements)
    return any(can(game, side) for can in able)


# --- L: replacements --------------------------------------------------------------------------------------------------


def can_replace_steps(game: Game, side: str) -> bool:
    """Return whether steps are available for a unit that is not full."""
    able = (one for one in of_arm(game, "air", "ground", side=side) if one.number("steps") < one.number("full_steps"))
    return any(has(game, f"steps/{side}/{arm(one)}") for one in able)


def can_form_units(game: Game, side: str) -> bool:
    """Return whether steps are available for a new unit."""
    return any(has(game, f"steps/{side}/{one}") for one in ("air", "ground"))


def can_break_down(game: Game, side: str) -> bool:
    """Return whether a ground unit of several steps is neither activated nor aboard a ship."""
    able = (one for one in of_arm(game, "ground", side=side) if one.number("steps") > 1)
    return any(not one.get("activated") and not one.get("aboard") for one in able)


def can_recombine_on_land(game: Game, side: str) -> bool:
    """Return whether two ground units in the same place could recombine."""
    ashore = [one for one in of_arm(game, "ground", side=side) if not one.get("aboard")]
    return any(_could_be_one(one, other) for one in ashore for other in ashore if one is not other)


def _could_be_one(unit: Unit, other: Unit) -> bool:
    are_together = unit.at == other.at and bool(unit.get("activated")) == bool(other.get("activated"))
    most = max(unit.number("full_steps"), other.number("full_steps"))
    are_parts = bool(unit.get("part_of")) and unit.get("part_of") == other.get("part_of")
    return are_together and (are_parts or unit.number("steps") + other.number("steps") <= most)


def can_raise(game: Game, side: str) -> bool:
    """Return whether a side has an air unit, whose status may change, or a ship below its full strength."""
    transports = (one for one in of_arm(game, "naval", side=side) if one.get("full_strength"))
    weak = any(one.number("strength") < one.number("full_strength") for one in transports)
    return weak or bool(of_arm(game, "air", side=side))


def has_replacements(game: Game, side: str) -> bool:
    """Return whether 5.1.L has anything for a side to do."""
    able = (can_form_units, can_break_down, can_recombine_on_land, can_raise)
    return any(can(game, side) for can in able)


# --- M and N ----------------------------------------------------------------------------------------------------------


def can_place_osb(game: Game, side: str) -> bool:
    """Return whether a side has an Offensive Support Base to place."""
    return has(game, f"osb/{side}") > 0


def can_pay(game: Game, side: str) -> bool:
    """Return whether a side has Command Points outside its pool."""
    return any(has(game, account) for account in purses(game, side))


def can_patrol(game: Game, side: str) -> bool:
    """Return whether a side has submarines for a patrol, and a headquarters that can pay for it."""
    cost = game.number("cost_of_a_patrol")
    headquarters = of_arm(game, "headquarters", side=side)
    payers = any(has(game, f"points/{one.id}") >= cost for one in headquarters)
    return payers and forces.free_submarines(game, side) > 0
