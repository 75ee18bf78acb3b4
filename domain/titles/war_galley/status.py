"""Resolve the state of ships once a turn (G), in the printed order: disengaging, fires, masts, fatigue, sinking."""

from collections.abc import Iterable

from umpire_ledger.domain.titles.war_galley import tables
from umpire_ledger.domain.titles.war_galley.ships import afloat, has_sails, own_ship, partners, refuse, untied
from umpire_ledger.domain.titles.war_galley.victory import count_rammed
from umpire_ledger.domain.titles.war_galley.withdrawal import admiral_lost
from umpire_ledger.kit import (
    Dice,
    DiceRolled,
    Game,
    Modifier,
    Order,
    PlannedThrow,
    Reason,
    Result,
    RollPlan,
    RuleViolation,
    TableRoll,
    Unit,
    UnitName,
    UnitOrNone,
    after,
    changed,
    leave_when_nothing_is_due,
    marked,
    names_in,
    on_table,
    removed,
    replace,
    step_open,
    throw_all,
)

DISENGAGE = "G.1 [8.35]"
FIREFIGHT = "G.2a [8.54]"
SPREAD = "G.2b [8.55]"
FATIGUE = "G.3"
SINKING = "G.4 [7.17]"
SINKS = 6
WILL_SINK = "sinking"
"""Marker with the ships that will sink, because of their die, when the last rammed ship has rolled."""


class Disengage(TableRoll, frozen=True, kw_only=True, tag="disengage"):
    """Try to free a fouled ship of yours, on the disengage table; once per ship and turn."""

    ship: UnitName


class FightFire(TableRoll, frozen=True, kw_only=True, tag="fight-fire"):
    """Try to put out the fire on a ship of yours, on the firefight table; once per ship and turn."""

    ship: UnitName


class CheckSpread(Order, frozen=True, kw_only=True, tag="check-spread"):
    """Roll one die for a ship of yours that is attached to a burning one; without `ship`, for each of them by id.

    The dice of several ships follow the order of `status`.
    """

    ship: UnitOrNone = ""


class CheckSinking(Order, frozen=True, kw_only=True, tag="check-sinking"):
    """Roll one die for a rammed ship of yours, which sinks on a 6; without `ship`, for each of them by id.

    The dice of several ships follow the order of `status`. Ships sink when every rammed ship has its die.
    """

    ship: UnitOrNone = ""


# --- G.1 ------------------------------------------------------------------------------------------------------------


def fouled(game: Game, side: str) -> tuple[Unit, ...]:
    """Return fouled ships that have not tried to disengage this turn; if no side is named, ships of both sides."""
    return tuple(one for one in afloat(game, side) if one.names("fouled") and one.get("disengaging") != game.turn)


def not_disengaged(game: Game, side: str) -> tuple[str, ...]:
    """Return the attempts to disengage that `done` in G.1 would give up."""
    left = ", ".join(ship.id for ship in fouled(game, side))
    return (f"this turn's attempt to disengage: {left}",) if left else ()


def is_fouled(game: Game, side: str) -> bool:
    return bool(fouled(game, side))


def owners_of_fouled(game: Game) -> tuple[str, ...]:
    return tuple(side for side in game.side_ids if fouled(game, side))


def decide_disengage(game: Game, order: Disengage, dice: Dice) -> list[Result]:
    """Try to disengage. Success removes all fouling of the ship, so that it cannot drag the ship down in G.4.

    Raises:
        RuleViolation: The ship is not yours, not fouled, or has tried already.
    """
    ship = own_ship(game, game.side_of(order.seat), order.ship, DISENGAGE)
    if ship not in fouled(game, ship.side):
        tried_already = ("tried-already", "it has already tried this turn")
        key, why = tried_already if ship.names("fouled") else ("not-fouled", "it is not fouled")
        what = Reason(key, f"{ship.id} cannot disengage: {why}")
        raise _nothing_due(game, what, fouled(game, ship.side), DISENGAGE)
    purpose = f"disengaging {ship.id}"
    tried = on_table(game, dice, order, tables.DISENGAGE, purpose=purpose, rule=DISENGAGE, subjects=(ship.id,))
    if tried.row is None:
        return list(tried.told)
    results = [*tried.told, *changed(ship, "disengaging", game.turn, rule=DISENGAGE)]
    if tried.row == "free":
        results += changed(ship, "fouled", (), "disengaged", DISENGAGE)
        results += untied(game, (ship.id,), ("fouled",), f"{ship.id} disengaged", DISENGAGE)
    return leave_when_nothing_is_due(game, results, is_fouled)


# --- G.2 ------------------------------------------------------------------------------------------------------------


def burning(game: Game, side: str) -> tuple[Unit, ...]:
    """Return burning ships whose fire has not been fought this turn; if no side is named, ships of both sides."""
    return tuple(one for one in afloat(game, side) if one.get("fire") and one.get("firefighting") != game.turn)


def not_fought(game: Game, side: str) -> tuple[str, ...]:
    """Return the attempts to put out fires that `done` in G.2a would give up."""
    left = ", ".join(ship.id for ship in burning(game, side))
    return (f"this turn's attempt to put out the fire: {left}",) if left else ()


def is_burning(game: Game, side: str) -> bool:
    return bool(burning(game, side))


def owners_of_burning(game: Game) -> tuple[str, ...]:
    return tuple(side for side in game.side_ids if burning(game, side))


def decide_fight_fire(game: Game, order: FightFire, dice: Dice) -> list[Result]:
    """Try to put out a fire, once per burning ship and turn.

    Raises:
        RuleViolation: The ship is not yours, not burning, or was tried already.
    """
    ship = own_ship(game, game.side_of(order.seat), order.ship, FIREFIGHT)
    if ship not in burning(game, ship.side):
        tried_already = ("tried-already", "it has already been tried this turn")
        key, why = tried_already if ship.get("fire") else ("not-burning", "it is not burning")
        what = Reason(key, f"the fire on {ship.id} cannot be fought: {why}")
        raise _nothing_due(game, what, burning(game, ship.side), FIREFIGHT)
    purpose = f"fire on {ship.id}"
    tried = on_table(game, dice, order, tables.FIREFIGHT, purpose=purpose, rule=FIREFIGHT, subjects=(ship.id,))
    if tried.row is None:
        return list(tried.told)
    results = [*tried.told, *changed(ship, "firefighting", game.turn, rule=FIREFIGHT)]
    if tried.row == "out":
        results += changed(ship, "fire", None, "put out", FIREFIGHT)
    return leave_when_nothing_is_due(game, results, is_burning)


def exposed(game: Game, side: str) -> tuple[Unit, ...]:
    """Return ships attached to a burning ship and not tested yet; each rolls one die for any number of burning ships.

    A ship that caught fire in this segment cannot spread its fire before the next turn.
    """
    return tuple(
        ship
        for ship in afloat(game, side)
        if not ship.get("fire") and ship.get("spread_tested") != game.turn and burning_beside(game, ship)
    )


def burning_beside(game: Game, ship: Unit) -> tuple[str, ...]:
    """Return the ids of burning ships directly grappled or fouled with a ship, if their fire can spread now."""
    attached = (game.units[one] for one in partners(ship) if one in game.units)
    return tuple(one.id for one in attached if not one.fate and one.get("fire") and one.get("caught") != game.turn)


def is_exposed(game: Game, side: str) -> bool:
    return bool(exposed(game, side))


def owners_of_exposed(game: Game) -> tuple[str, ...]:
    return tuple(side for side in game.side_ids if exposed(game, side))


def decide_check_spread(game: Game, order: CheckSpread, dice: Dice) -> list[Result]:
    """Roll one die for each exposed ship, +1 if that ship has sails; on 5 or more it catches fire.

    The summary prints 5-6; a total of 7 counts too.

    Raises:
        RuleViolation: The ship is not yours, or not attached to a burning ship.
    """
    plan = spread_plan(game, order)
    rolls = zip(plan, throw_all(dice, plan), strict=True)
    results = [event for one, rolled in rolls for event in _spread(game, game.units[one.whose[0]], rolled)]
    return leave_when_nothing_is_due(game, results, is_exposed)


def spread_plan(game: Game, order: CheckSpread) -> RollPlan:
    """Plan a die for each exposed ship, or only for the named one.

    Raises:
        RuleViolation: No die is due.
    """
    ships = _due(game, order.seat, order.ship, exposed(game, game.side_of(order.seat)), SPREAD)
    return tuple(
        PlannedThrow(
            dice="1d6",
            purpose=f"fire spreading to {ship.id}",
            modifiers=(Modifier(amount=1, source="it has sails"),) if has_sails(ship) else (),
            rule=SPREAD,
            subjects=(ship.id, *burning_beside(game, ship)),
            needed="5 or more",
            whose=(ship.id,),
        )
        for ship in ships
    )


def _spread(game: Game, ship: Unit, rolled: DiceRolled) -> list[Result]:
    beside = burning_beside(game, ship)
    tested = changed(ship, "spread_tested", game.turn, rule=SPREAD)
    if rolled.total < 5:
        return [replace(rolled, outcome="no fire"), *tested]
    cause = f"from {' and '.join(beside)}"
    return [
        replace(rolled, outcome="catches fire"),
        *tested,
        *changed(ship, "fire", True, cause, SPREAD),
        *changed(ship, "caught", game.turn, cause, SPREAD),
    ]


def clear_masts(game: Game) -> list[Result]:
    """Remove all Masts Down markers (G.2c)."""
    return [event for ship in afloat(game) for event in changed(ship, "masts_down", None, "cleared", "G.2c")]


# --- G.3 ------------------------------------------------------------------------------------------------------------


def recover(game: Game) -> list[Result]:
    """Remove one Fatigue counter from each ship that has any."""
    return [
        event
        for ship in afloat(game)
        if ship.number("fatigue") > 0
        for event in changed(ship, "fatigue", ship.number("fatigue") - 1, "recovers", FATIGUE)
    ]


# --- G.4 ------------------------------------------------------------------------------------------------------------


def sinking(game: Game, side: str) -> tuple[Unit, ...]:
    """Return rammed ships that have not rolled this turn; if no side is named, ships of both sides.

    A ship that stays afloat rolls again every turn.
    """
    return tuple(one for one in afloat(game, side) if one.get("rammed") and not _has_thrown(game, one))


def _has_thrown(game: Game, ship: Unit) -> bool:
    return ship.get("sinking_tested") == game.turn or ship.id in names_in(game, WILL_SINK)


def is_sinking(game: Game, side: str) -> bool:
    return bool(sinking(game, side))


def owners_of_sinking(game: Game) -> tuple[str, ...]:
    return tuple(side for side in game.side_ids if sinking(game, side))


def decide_check_sinking(game: Game, order: CheckSinking, dice: Dice) -> list[Result]:
    """Roll one die for each rammed ship; on a 6 it sinks, and drags down all ships grappled or fouled with it.

    This includes ships of its own side. Ships sink together after the last die, so that the order of the rolls does not
    matter. A ship that another one will drag down still rolls its die.

    Raises:
        RuleViolation: The ship is not yours, not rammed, or has rolled its die.
    """
    plan = sinking_plan(game, order)
    results: list[Result] = []
    hit: list[Unit] = []
    for one, rolled in zip(plan, throw_all(dice, plan), strict=True):
        ship = game.units[one.subjects[0]]
        hit += [ship] if rolled.total == SINKS else []
        results += _tested(game, ship, rolled)
    waiting = [one for one in sinking(after(game, results), "") if one.id not in {ship.id for ship in hit}]
    if waiting:
        will_sink = (*names_in(game, WILL_SINK), *(ship.id for ship in hit))
        results += marked(game, WILL_SINK, will_sink, rule=SINKING) if hit else []
    else:
        results += sink_together(game, hit)
    return leave_when_nothing_is_due(game, results, is_sinking)


def sinking_plan(game: Game, order: CheckSinking) -> RollPlan:
    """Plan a die for each rammed ship, or only for the named one.

    Raises:
        RuleViolation: No die is due.
    """
    ships = _due(game, order.seat, order.ship, sinking(game, game.side_of(order.seat)), SINKING)
    return tuple(
        PlannedThrow(dice="1d6", purpose=f"sinking of {ship.id}", rule=SINKING, subjects=(ship.id,), needed="6 sinks")
        for ship in ships
    )


def _tested(game: Game, ship: Unit, rolled: DiceRolled) -> list[Result]:
    if rolled.total == SINKS:
        return [replace(rolled, outcome="sinks")]
    return [replace(rolled, outcome="stays afloat"), *changed(ship, "sinking_tested", game.turn, rule=SINKING)]


def sink_together(game: Game, hit: Iterable[Unit] = ()) -> list[Result]:
    """Sink the ships that rolled a 6, with the ships directly tied to them, and untie the remaining ships from them.

    Args:
        hit: Ships that rolled a 6 in this order; the marker names those of earlier orders.
    """
    named = {ship.id for ship in hit} | set(names_in(game, WILL_SINK))
    first = [one for one in afloat(game) if one.id in named]
    if not first:
        return marked(game, WILL_SINK, None, rule=SINKING)
    gone = {ship.id: "rammed" for ship in first}
    for ship in first:
        for mate in partners(ship):
            if not game.units[mate].fate:
                gone.setdefault(mate, f"taken down by {ship.id}")
    results = [event for one, cause in gone.items() for event in removed(game.units[one], "sunk", cause, SINKING)]
    cause = f"{' and '.join(ship.id for ship in first)} sank"
    results += untied(game, gone, ("grappled", "fouled"), cause, SINKING)
    results += marked(game, WILL_SINK, None, rule=SINKING)
    return [*results, *admiral_lost(game, (game.units[one] for one in gone))]


def count_rammed_and_sunk(game: Game) -> list[Result]:
    """Count the points of H.a, and sink ships that still wait because the referee cancelled the last die of G.4."""
    counted = count_rammed(game)
    return [*counted, *sink_together(after(game, counted))]


# --- shared ---------------------------------------------------------------------------------------------------------


def _due(game: Game, seat: str, ship: str, due: tuple[Unit, ...], rule: str) -> tuple[Unit, ...]:
    """Return the named ship, or all ships for which a die is due.

    Raises:
        RuleViolation: No die is due for it, or for any ship.
    """
    if not ship and due:
        return due
    named = own_ship(game, game.side_of(seat), ship, rule) if ship else None
    if named is None or named not in due:
        rest = f"die to roll in step {step_open(game)}"
        none = Reason("no-ship-needs-a-die", f"none of your ships has a {rest}")
        what = Reason("needs-no-die", f"{ship} has no {rest}") if ship else none
        raise _nothing_due(game, what, due, rule)
    return (named,)


def _nothing_due(game: Game, what: Reason, due: tuple[Unit, ...], rule: str) -> RuleViolation:
    left = ", ".join(one.id for one in due)
    return refuse(game, "nothing-due" if left else "nothing-left-due", rule, what=what, left=left)
