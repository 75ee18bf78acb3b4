"""Count turns toward recovery, capture, annexation and diplomatic presence (1A3); survey and annex provinces (1B).

A counter belongs to the side that began it. It goes up automatically, once in each player turn of that side; engineers
and hospital ships, each once in a player turn, may add to it.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.federation_and_empire.counters.empires import (
    Pips,
    at_hex,
    empire_of,
    empires_of,
    enemies,
    fortified_by_enemy,
    has,
    held_by_enemy,
    living,
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
    this_turn,
    try_for,
)
from umpire_ledger.domain.titles.federation_and_empire.counters.sheets import Points, turns_needed
from umpire_ledger.domain.titles.federation_and_empire.movement.hexes import is_hex
from umpire_ledger.kit import (
    Acts,
    Dice,
    Game,
    Name,
    Order,
    PlaceName,
    Reason,
    Result,
    TableRoll,
    Unit,
    UnitName,
    UnitOrNone,
    after,
    changed,
    marked,
    names_in,
    paid,
    removed,
    step_open,
    word_in,
)

COUNTERS = {"1A3A": "recovery", "1A3B": "capture", "1A3C": "annexation", "1A3D": "diplomacy"}
HELPERS = {"recovery": {"hospital": "451.31", "engineers": "541.34B"}, "annexation": {"engineers": "541.34-C"}}
"""Traits of the units that may add to a counter, with the rule number of each."""


class Count(Order, frozen=True, kw_only=True, tag="count"):
    """Start a counter toward recovery, capture, annexation or diplomatic presence, or remove it (`turns` is 0).

    A counter goes up automatically once started. `helped`: engineers or hospital ships that add `turns` to it.
    """

    counter: Literal["recovery", "capture", "annexation", "diplomacy"]
    place: Name
    turns: Annotated[int, msgspec.Meta(ge=0, le=9)] = 1
    helped: tuple[UnitName, ...] = ()


class Survey(Order, frozen=True, kw_only=True, tag="survey"):
    """Count the survey points of an empire's survey ships; `by`: a survey Prime Team that adds `team` points."""

    points: Points | None = None
    team: Points = 0
    by: UnitOrNone = ""
    empire: str = ""


class Survive(TableRoll, frozen=True, kw_only=True, tag="survive"):
    """Roll whether a survey Prime Team survives; `at_least` if the scenario has no table `survey-team`."""

    team: UnitName
    at_least: Pips | None = None


class Annex(Order, frozen=True, kw_only=True, tag="annex"):
    """Declare a province annexed by an empire of yours, or transferred to another."""

    province: PlaceName
    empire: str = ""
    to: str = ""


class Negotiate(TableRoll, frozen=True, kw_only=True, tag="negotiate"):
    """Roll for a diplomatic action of diplomats; `at_least` if the scenario has no table `diplomacy`."""

    unit: UnitName
    at_least: Pips | None = None


# --- counters ---------------------------------------------------------------------------------------------------------


def counters_of(game: Game, side: str) -> tuple[str, ...]:
    """Return the counters of a side by name, as in `recovery 1003`."""
    return names_in(game, f"counters of {side}")


ENDS = {"recovery": "recovered", "capture": "captured"}
"""Counters that are removed after the number of turns that the scenario sets; annexation waits for `annex`."""


def count_on(counter: str) -> Acts:
    """Return a step action that adds one turn to every counter of this sort that the phasing side has."""

    def act(game: Game) -> list[Result]:
        mine = [name for name in counters_of(game, phasing(game)) if name.startswith(f"{counter} ")]
        told: list[Result] = []
        for name in mine:
            told += _one_turn_more(after(game, told), name)
        return told

    return act


def _one_turn_more(game: Game, name: str) -> list[Result]:
    """Add one turn to a counter, or take it off if it is complete or its diplomats have left."""
    counter, _, place = name.partition(" ")
    if counter == "diplomacy" and is_hex(place) and not diplomats_at(game, place, phasing(game)):
        return _taken_off(game, name, "the diplomats have left")
    turns, needed = game.number(name) + 1, turns_needed(game, counter)
    if counter in ENDS and needed and turns >= needed:
        return _taken_off(game, name, f"{ENDS[counter]} after {turns} turns")
    return marked(game, name, turns, "one turn more", rule_of(game))


def _taken_off(game: Game, name: str, cause: str) -> list[Result]:
    owners = (side for side in game.side_ids if name in counters_of(game, side))
    rule = rule_of(game)
    return [
        *marked(game, name, None, cause, rule),
        *(
            event
            for side in owners
            for event in marked(
                game, f"counters of {side}", tuple(one for one in counters_of(game, side) if one != name) or None
            )
        ),
    ]


def diplomats_at(game: Game, place: str, side: str) -> tuple[Unit, ...]:
    return tuple(unit for unit in at_hex(game, place, side) if has(unit, "diplomat"))


def decide_count(game: Game, order: Count, _: Dice) -> list[Result]:
    """Begin a counter, add to it, or take it off.

    Raises:
        RuleViolation: The counter belongs to another step or side, was already counted in this turn, or does not exist
            to be taken off; a helper cannot help here; no diplomat is at the place; or the place cannot be annexed.
    """
    wanted = COUNTERS.get(printed(step_open(game)), order.counter)
    if order.counter != wanted:
        home = next(step for step, counter in COUNTERS.items() if counter == order.counter)
        raise refuse(game, "counter-not-counted-here", counter=order.counter, wanted=wanted, step=home)
    name, side = f"{order.counter} {order.place}", game.side_of(order.seat)
    holder = word_in(game, f"province {order.place}")
    if order.turns and order.counter in ("capture", "annexation") and holder in empires_of(game, side):
        raise refuse(game, "annexed-already", place=order.place, empire=owner_name(game, holder))
    owner = next((one for one in game.side_ids if name in counters_of(game, one)), "")
    if owner not in ("", side):
        raise refuse(game, "counted-by-another", place=name, owner=game.side_name(owner))
    if not order.turns:
        if not owner:
            raise refuse(game, "no-such-counter", counter=name)
        return _taken_off(game, name, "taken off")
    _verify_count(game, order, name, owner)
    _verify_not_enemys(game, order)
    helped = [event for unit in order.helped for event in _helps(game, order, unit)]
    needed, turns = turns_needed(game, order.counter), game.number(name) + order.turns
    if order.counter in ENDS and owner and needed and turns >= needed:
        return [*helped, *_taken_off(game, name, f"{ENDS[order.counter]} after {turns} turns")]
    cause = f"helped by {', '.join(order.helped)}" if order.helped else "begun"
    mine = marked(game, f"counters of {side}", (*counters_of(game, side), name)) if not owner else []
    return [*helped, *mine, *marked(game, name, game.number(name) + order.turns, cause, rule_of(game))]


def _verify_count(game: Game, order: Count, name: str, owner: str) -> None:
    if owner and not order.helped:
        raise refuse(game, "counted-this-turn", counter=name, turns=game.number(name))
    if order.turns > 1 and not order.helped:
        raise refuse(game, "begins-at-one", counter=name)
    talks = order.counter == "diplomacy" and is_hex(order.place)
    if talks and not diplomats_at(game, order.place, game.side_of(order.seat)):
        raise refuse(game, "no-diplomats-there", "540.21", place=order.place)


def _verify_not_enemys(game: Game, order: Count) -> None:
    """Check that a hex to be annexed is not an enemy's.

    Raises:
        RuleViolation: The hex is an enemy's capital, or the enemy holds it.
    """
    if order.counter != "annexation" or not is_hex(order.place):
        return
    side = game.side_of(order.seat)
    capitals = {printed_of(game, empire, "capital") for foe in enemies(game, side) for empire in empires_of(game, foe)}
    theirs = held_by_enemy(game, side, order.place) or fortified_by_enemy(game, side, order.place)
    if order.place in capitals or theirs:
        raise refuse(game, "place-of-the-enemy", "448.17", place=order.place)


def _helps(game: Game, order: Count, name: str) -> list[Result]:
    """Note that a unit adds to the counter, once in this player turn."""
    unit, able = own_unit(game, order, name), HELPERS.get(order.counter, {})
    number = next((number for trait, number in able.items() if has(unit, trait)), "")
    if not number:
        known = " or ".join(able) or "no unit: leave out `helped`"
        raise refuse(game, "does-not-help-counter", unit=name, counter=order.counter, units=known)
    if is_hex(order.place) and unit.at != order.place:
        raise refuse(game, "helper-elsewhere", number, unit=name, at=unit.at, place=order.place)
    return named_once(game, unit, "worked", Reason("worked", "has worked"), "name another unit", number)


# --- survey -----------------------------------------------------------------------------------------------------------


def decide_survey(game: Game, order: Survey, _: Dice) -> list[Result]:
    """Add survey points, and separately those of the Prime Team, once in a player turn.

    Raises:
        RuleViolation: The points are already counted, or differ from those of the survey ships; no points are stated
            and no ship has any; or a team is named without points, or points without a team.
    """
    empire, now = own_empire(game, order, order.empire), this_turn(game)
    if game.markers.get(f"surveyed {empire}") == now:
        raise refuse(game, "survey-points-counted", "505.21", empire=owner_name(game, empire))
    points = _survey_points(game, order, empire)
    account, rule = f"{empire}/survey", rule_of(game, "522.44")
    results = [
        *marked(game, f"surveyed {empire}", now, "", rule_of(game, "505.21")),
        *paid(game, account, points, "survey", rule_of(game, "505.21")),
    ]
    if not order.team and not order.by:
        return results
    if not order.team or not order.by:
        raise refuse(game, "team-and-points-together", "522.44")
    team = own_unit(game, order, order.by)
    if empire_of(team) != empire:
        raise refuse(game, "team-of-another-empire", "522.44", team=team.id, owner=empire_of(team), empire=empire)
    need_trait(game, team, "team", "Prime Team", "522.44")
    added = paid(after(game, results), account, order.team, f"survey Prime Team {team.id}", rule)
    return [*results, *added, *changed(team, "surveys", now, "adds survey points", rule)]


def _survey_points(game: Game, order: Survey, empire: str) -> int:
    """Return the sum of the survey ships in play, or the order's number if the scenario gives no ship any points."""
    printed_on = [unit for unit in game.units.values() if unit.number("survey")]
    ships = [unit for unit in printed_on if empire_of(unit) == empire]
    if printed_on and not ships and (order.points or not order.by):
        raise refuse(game, "no-survey-ship", "505.21", empire=owner_name(game, empire))
    total = sum(unit.number("survey") for unit in ships if not unit.fate and is_hex(unit.at))
    if not printed_on and order.points is None:
        raise refuse(game, "survey-points-missing", "505.21")
    if ships and order.points not in (None, total):
        raise refuse(
            game, "survey-points-differ", "505.21", empire=owner_name(game, empire), limit=total, given=order.points
        )
    return total if printed_on else order.points or 0


def untested_teams(game: Game, side: str) -> tuple[Unit, ...]:
    """Return the teams that have added survey points in this turn and have not yet rolled for their survival."""
    mine = (unit for unit in living(game) if unit.get("surveys") == this_turn(game))
    return tuple(unit for unit in mine if side in ("", unit.side))


def team_is_untested(game: Game, side: str) -> bool:
    return bool(untested_teams(game, side))


def decide_survive(game: Game, order: Survive, dice: Dice) -> list[Result]:
    """Roll one die for a team's survival, and remove a team that fails.

    Raises:
        RuleViolation: The team added no points in this turn, or has already rolled.
    """
    team = own_unit(game, order, order.team)
    if team.get("surveys") != this_turn(game):
        raise refuse(game, "no-survival-roll", "522.44", team=team.id)
    tried = try_for(game, dice, order, "survey-team", order.at_least, f"survival of {team.id}", (team.id,))
    if tried.row is None:
        return list(tried.told)
    rule = rule_of(game, "522.44")
    lost = removed(team, "lost", "surveying", rule) if tried.row == "failure" else []
    return [*tried.told, *changed(team, "surveys", None, tried.said, rule), *lost]


# --- annexation and diplomacy -----------------------------------------------------------------------------------------


def decide_annex(game: Game, order: Annex, _: Dice) -> list[Result]:
    """Give a province to the empire and remove its counter, or transfer it to a friendly empire.

    Raises:
        RuleViolation: The counter is not complete; or the province to transfer is not the empire's, or would go to an
            enemy.
    """
    empire = own_empire(game, order, order.empire)
    if order.to:
        return _transfer(game, order, empire)
    name, needed = f"annexation {order.province}", turns_needed(game, "annexation")
    turns = game.number(name) if name in counters_of(game, game.side_of(order.seat)) else 0
    if not turns or turns < needed:
        of = f" of {needed}" if needed else ""
        what = f"{order.province} has {turns}{of} turn{'' if (needed or turns) == 1 else 's'} toward annexation"
        raise refuse(game, "annexation-incomplete", "448.23", why=what)
    side, told = game.side_of(order.seat), _taken_off(game, name, "annexed")
    if (capture := f"capture {order.province}") in counters_of(game, side):
        told = [*told, *_taken_off(after(game, told), capture, "annexed")]
    return [*told, *marked(game, f"province {order.province}", empire, "annexed", rule_of(game, "448.23"))]


def _transfer(game: Game, order: Annex, empire: str) -> list[Result]:
    province = f"province {order.province}"
    if word_in(game, province) != empire:
        raise refuse(game, "not-annexed", "448.24", province=order.province, empire=owner_name(game, empire))
    to, side = side_of_empire(game, order.to), game.side_of(order.seat)
    if not to or to in enemies(game, side) or order.to == empire:
        raise refuse(game, "not-a-friendly-empire", "448.24", empire=order.to)
    return marked(game, province, order.to, f"transferred by {owner_name(game, empire)}", rule_of(game, "448.24"))


def decide_negotiate(game: Game, order: Negotiate, dice: Dice) -> list[Result]:
    """Roll one die for diplomats on the map, once in a player turn.

    Raises:
        RuleViolation: The unit is not a diplomat, or has already rolled.
    """
    unit = own_unit(game, order, order.unit)
    need_trait(game, unit, "diplomat", "diplomat", "540.251")
    noted = named_once(
        game,
        unit,
        "negotiated",
        Reason("negotiated", "has negotiated"),
        "name another, or end the step: `done`",
        "540.251",
    )
    tried = try_for(game, dice, order, "diplomacy", order.at_least, f"diplomacy of {unit.id} at {unit.at}", (unit.id,))
    return [*tried.told, *(noted if tried.row is not None else [])]
