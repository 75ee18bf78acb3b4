"""End an operation at the moment when no side has activated units left (5.3).

5.3 and 5.4 contradict each other: read literally, play leaves the battle cycle at that moment, and the fourth resume
rule of 5.4 almost never applies. The option `closing_cycle` is the recommended reading: the operation is over at that
moment, but 5.2.N and 5.2.O complete its last cycle, so that its two days count.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.pacific_war.month import CASE
from umpire_ledger.domain.titles.pacific_war.pieces import entry, has, refuse, takes_part, unmarked, withdrawn
from umpire_ledger.domain.titles.pacific_war.tables import read_at
from umpire_ledger.kit import Closes, Dice, Game, ReadOff, Result, after, marked, paid

END, DAMAGE = "5.3 [20.5]", "5.3 [19.3]"
INITIATIVE = "strategic-initiative"
COUNTED, DIFFERENCE = "damage inflicted: ", "difference: "
"""Prefixes of causes that state the damage counted."""


class CountDamage(ReadOff, frozen=True, kw_only=True, tag="count-damage"):
    """Report the damage that the side has inflicted in this operation; if left out, the recorded damage counts.

    `source`: the rule or note for a number other than the recorded one. `by_the_book`, of the side that counts last:
    the Operation player's gain in Strategic Initiative, `{"outcome": {"points": 2}, "source": "19.3"}`.
    """

    inflicted: Annotated[int, msgspec.Meta(ge=0, le=9999)] | None = None
    source: str = ""


def operation_is_over(game: Game, _: str) -> bool:
    return game.markers.get("operation_state") == "over"


def nobody_is_activated(game: Game, _: str) -> bool:
    """Return whether an operation under way has no activated unit on either side; false while 5.2.M is open."""
    still_joint = game.cursor.opened("5.2.M") is not None
    return game.markers.get("operation_state") == "under way" and not takes_part(game) and not still_joint


def operation_at_risk(game: Game, _: str) -> tuple[str, ...]:
    """Return the operation as forfeited if the step would end without activated units."""
    return () if takes_part(game) else ("the operation, which ends because no unit is activated",)


def launch(game: Game) -> list[Result]:
    """Mark the operation as under way after the Operation player's activation; from then on 5.3 applies."""
    return marked(game, "operation_state", "under way", rule="5.1.P")


def end(game: Game) -> list[Result]:
    """End the operation, and its suspension if it was suspended."""
    ended = marked(game, "operation_state", "over", rule=END)
    return [*ended, *unmarked(game, CASE, "suspended", "resumes_in"), *withdrawn(game, END)]


def damage_is_uncounted(game: Game, _: str) -> bool:
    """Return whether the damage of the latest operation has not been counted."""
    return game.number("damage_counted") < game.number("operation")


def decide_count_damage(game: Game, order: CountDamage, _: Dice) -> list[Result]:
    """Count a side's damage; after the second side, adjust the Operation player's Strategic Initiative.

    Raises:
        RuleViolation: The number differs from the recorded damage without a source, or the order states a result by the
            book before the other side has counted.
    """
    side = game.side_of(order.seat)
    account = f"damage/{side}"
    told = has(game, account) if order.inflicted is None else order.inflicted
    if told != has(game, account) and not order.source:
        raise refuse(game, "damage-differs", DAMAGE, given=told, limit=has(game, account))
    results: list[Result] = paid(game, account, told - has(game, account), order.source, DAMAGE)
    results += _noted(game, side, told, f"by {order.source}" if order.source else "from the attacks")
    one = next(one for one in game.cursor.open if side in one.waits)
    if one.waits == (side,):
        results += _adjust(after(game, results), order)
    elif order.by_the_book:
        raise refuse(game, "other-side-counts-last", DAMAGE)
    return [*results, Closes()]


def _noted(game: Game, side: str, damage: int, where: str) -> list[Result]:
    """Record that a side has counted, with its damage and the source in the cause."""
    cause = f"{COUNTED}{damage} {where}"
    return marked(game, f"damage_counted/{side}", game.number("operation"), cause, DAMAGE)


def _adjust(game: Game, order: CountDamage) -> list[Result]:
    """Apply the difference of damage by the scenario's table or the players' own; without one, only record it."""
    player, other = str(game.markers["operation_player"]), str(game.markers["reaction_player"])
    difference = has(game, f"damage/{player}") - has(game, f"damage/{other}")
    counts = f"{DIFFERENCE}{difference:+} for {game.side_name(player)}"
    if INITIATIVE not in game.tables and order.by_the_book is None:
        return marked(game, "damage_counted", game.number("operation"), f"{counts}, without a table", DAMAGE)
    row, where = read_at(game, order, INITIATIVE, difference, DAMAGE)
    counts += f", Strategic Initiative {entry(row, 'points'):+} ({where})"
    counted = marked(game, "damage_counted", game.number("operation"), counts, DAMAGE)
    cause = f"damage {difference:+} in operation {game.number('operation')}"
    cause += f", read off {where}" if order.by_the_book else ""
    return [*counted, *paid(game, f"initiative/{player}", entry(row, "points"), cause, DAMAGE)]


def final_operation(game: Game, _: str) -> bool:
    last = game.number("final_operation")
    return bool(last) and game.number("operation") >= last
