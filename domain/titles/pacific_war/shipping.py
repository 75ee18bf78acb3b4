"""Resolve weather, bombing, escorts, and shipping lost to submarines (5.1.A and 5.1.C to 5.1.F).

Attrition comes before the allocation of this month's submarine points (5.1.J). So it depends on the allocation of the
previous month, or in the first month on the scenario's. The roll depends on a secret level, so only the Allies see the
roll, its row and its modifiers. The losses are public.
"""

from typing import Annotated, Literal

import msgspec

from umpire_ledger.domain.titles.pacific_war import house_values
from umpire_ledger.domain.titles.pacific_war.intelligence import LEVEL, level_of
from umpire_ledger.domain.titles.pacific_war.pieces import ALLIES, has, refuse
from umpire_ledger.domain.titles.pacific_war.tables import roll_on
from umpire_ledger.kit import (
    ByTheBook,
    Closes,
    Dice,
    Game,
    HouseValue,
    Modifier,
    Order,
    PlannedThrow,
    Result,
    RollPlan,
    TableOutcome,
    TableRoll,
    marked,
    names_in,
    number_of,
    paid,
    replace,
    secret_viewers,
    shares,
    table_dice,
    unread_roll,
)

A, C, D, E, F = "5.1.A [6.0]", "5.1.C [8.0]", "5.1.D [9.1]", "5.1.E [9.2]", "5.1.F [9.3]"


class RollWeather(TableRoll, frozen=True, kw_only=True, tag="roll-weather"):
    """Roll for the weather of every zone, in the scenario's order. Either player may roll.

    By the book the outcome names every zone: `{"north": "clear", "central": "foul", …}`.
    """


class BombHomeland(TableRoll, frozen=True, kw_only=True, tag="bomb-homeland"):
    """Roll for Strategic Bombing; every Strategic Bombing Point adds 1."""


class AllocateEscorts(Order, frozen=True, kw_only=True, tag="allocate-escorts"):
    """Assign a number of escorts to merchant shipping this month; the others keep out of it."""

    escorts: Annotated[int, msgspec.Meta(ge=0, le=999)]


class SetPriority(Order, frozen=True, kw_only=True, tag="set-priority"):
    """Set the target of the anti-shipping submarines."""

    target: Literal["merchant shipping", "escorts"]


class CountAttrition(TableRoll, frozen=True, kw_only=True, tag="count-attrition"):
    """Roll for the losses of merchant shipping, escorts and submarines."""


# --- weather and bombing ----------------------------------------------------------------------------------------------


def zones(game: Game) -> tuple[str, ...]:
    return names_in(game, "weather_zones")


def has_weather(game: Game, _: str) -> bool:
    """Return whether the scenario has a table for weather."""
    return "weather" in game.tables


def has_bombers(game: Game, _: str) -> bool:
    """Return whether the Allies have Strategic Bombing Points."""
    return has(game, "bombing") > 0


def has_escorts(game: Game, _: str) -> bool:
    """Return whether Japan has escorts, on duty or not."""
    return has(game, "escorts") + has(game, "escorting") > 0


def clear_weather(game: Game) -> list[Result]:
    """Clear last month's weather."""
    return [event for zone in zones(game) for event in marked(game, f"weather/{zone}", None, "a new month", A)]


def decide_roll_weather(game: Game, order: RollWeather, dice: Dice) -> list[Result]:
    """Roll once for each zone; the weather lasts for the month.

    Raises:
        RuleViolation: An outcome by the book lacks a zone.
    """
    results: list[Result] = []
    unread = False
    dice.expects(shares(weather_plan(game, order)))
    for zone in zones(game):
        one = _of_zone(game, order, zone)
        sky = roll_on(game, dice, one, "weather", purpose=f"weather {zone}", rule=A, subjects=(zone,))
        unread = unread or sky.row is None
        cause = f"roll {sky.total}"
        results += [*sky.told, *(marked(game, f"weather/{zone}", sky.said, cause, A) if sky.row is not None else [])]
    return results if unread else [*results, Closes(everybody=True)]


def weather_plan(game: Game, _: RollWeather) -> RollPlan:
    """Plan the dice of each zone, in the scenario's order."""
    notation = table_dice(game, "weather", "1d10")
    return tuple(
        PlannedThrow(dice=notation, purpose=f"weather {zone}", subjects=(zone,), rule=A)
        for zone in zones(game)
        if "weather" in game.tables and unread_roll(game, f"weather {zone}") is None
    )


def _of_zone(game: Game, order: RollWeather, zone: str) -> RollWeather:
    """Return the order for a single zone; an outcome by the book is reduced to that zone.

    Raises:
        RuleViolation: The outcome by the book lacks the zone.
    """
    if order.by_the_book is None:
        return order
    named = order.by_the_book.outcome
    sky = named.get(zone) if isinstance(named, dict) else None
    if not isinstance(sky, str):
        every = ", ".join(f'"{one}": "clear"' for one in zones(game))
        raise refuse(game, "zone-missing", A, zone=zone, example=every)
    return replace(order, by_the_book=ByTheBook(outcome=sky, source=order.by_the_book.source))


def decide_bomb_homeland(game: Game, order: BombHomeland, dice: Dice) -> list[Result]:
    """Reduce Japanese Homeland Resource Points, never below 0."""
    points = Modifier(
        amount=number_of(game, house_values.BOMBING) * has(game, "bombing"), source="Strategic Bombing Points"
    )
    purpose = "strategic bombing"
    rolled = roll_on(game, dice, order, "strategic-bombing", purpose=purpose, rule=C, modifiers=(points,))
    if rolled.row is None:
        return list(rolled.told)
    lost = min(rolled.number("points"), has(game, "homeland"))
    return [*rolled.told, *paid(game, "homeland", -lost, "strategic bombing", C), Closes()]


# --- escorts and submarines -------------------------------------------------------------------------------------------


def decide_allocate_escorts(game: Game, order: AllocateEscorts, _: Dice) -> list[Result]:
    """Move escorts between the two accounts until exactly the ordered number protects shipping.

    Raises:
        RuleViolation: Japan has too few escorts.
    """
    now, free = has(game, "escorting"), has(game, "escorts")
    if order.escorts > now + free:
        raise refuse(game, "too-many-escorts", D, limit=now + free)
    more = order.escorts - now
    return [*paid(game, "escorts", -more, "allocated", D), *paid(game, "escorting", more, "allocated", D), Closes()]


def priority_is_open(game: Game, _: str) -> bool:
    return not game.markers.get("submarine_priority")


def decide_set_priority(game: Game, order: SetPriority, _: Dice) -> list[Result]:
    return [*marked(game, "submarine_priority", order.target, "decided", E), Closes()]


def decide_count_attrition(game: Game, order: CountAttrition, dice: Dice) -> list[Result]:
    """Roll once in secret: the Allied level and anti-shipping points add to the roll, escorts on duty subtract from it.

    The lower priority loses only a part of the row's number, rounded down. The divisor is a house value, because 9.3 is
    not printed.
    """
    modifiers = (
        _each(game, house_values.LEVEL, level_of(game, ALLIES), f"{LEVEL} level"),
        _each(game, house_values.SUBMARINE, has(game, "anti-shipping"), "submarine points allocated last month"),
        _each(game, house_values.ESCORT, has(game, "escorting"), "escorts on duty"),
    )
    rolled = roll_on(
        game,
        dice,
        order,
        "merchant-attrition",
        purpose="merchant shipping attrition",
        rule=F,
        modifiers=modifiers,
        seen_by=secret_viewers(game, ALLIES),
    )
    if rolled.row is None:
        return list(rolled.told)
    lost = (
        event
        for account, loss in _losses(game, rolled, by_the_book=order.by_the_book is not None).items()
        for event in paid(game, account, -min(loss, has(game, account)), "attrition", F)
    )
    return [*rolled.told, *lost, Closes()]


def _each(game: Game, number: HouseValue, many: int, source: str) -> Modifier:
    return Modifier(amount=number_of(game, number) * many, source=source)


def _losses(game: Game, attrition: TableOutcome, *, by_the_book: bool) -> dict[str, int]:
    """Return the row's losses by account. Unless read by the book, the lower priority loses only a part."""
    part = 1 if by_the_book else max(1, number_of(game, house_values.OTHER))
    first = game.markers.get("submarine_priority")
    merchant, escorts = attrition.number("merchant"), attrition.number("escorts")
    return {
        "merchant": merchant if first != "escorts" else merchant // part,
        "escorting": escorts if first == "escorts" else escorts // part,
        "anti-shipping": attrition.number("submarines"),
    }
