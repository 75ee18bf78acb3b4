"""Report a typo before a rule: an order at the wrong step, then a name that the game does not have.

The check runs on refused orders only, so that it never refuses an order that the rules accept. Names of units, sides
and steps are public, so a suggestion of similar names reveals no secret.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from umpire_ledger.domain.flow.admission import admit_kind, seats_that_may_order
from umpire_ledger.domain.flow.automatic_moves import ahead_of
from umpire_ledger.domain.game.board import board_in, joined
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.nearest import MOST, nearest
from umpire_ledger.domain.game.orders import EVERYWHERE, PLACE, SIDE, UNIT, Order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title

MOST_CHECKED = 16
"""Maximum number of names of one argument to compare with the known ones.

A path may have 100,000 names, and the time to compare one grows with the number of places of the game.
"""
VERY_CLOSE = 0.85
"""Minimum similarity of two names, from 0 to 1, if the suggested unit belongs to another side."""


def typo_error(title: Title, game: Game, raw: Mapping[str, Any], refusal: RuleViolation) -> RuleViolation:
    """Return the refusal to show for a refused order: the typo in it, or the refusal itself."""
    name, seat = raw.get("order"), raw.get("as")
    order = title.every_order.get(name) if isinstance(name, str) else None
    if order is None or not isinstance(seat, str):
        return refusal
    misplaced = wrong_step(title, game, order, seat)
    if misplaced is not None:
        return misplaced if _is_about_arguments(refusal, order) else refusal
    return unknown_name(title, known_to(game, seat), order, raw) or refusal


def wrong_step(title: Title, game: Game, order: type[Order], seat: str) -> RuleViolation | None:
    """Return the refusal of an order that no open step accepts from a seat with any arguments; None if one does."""
    if game.ended or game.unreadable or order in EVERYWHERE:
        return None
    try:
        admit_kind(title, given_at(title, game, order, game.side_of(seat)), order, seat)
    except RuleViolation as refusal:
        return refusal
    return None


def given_at(title: Title, game: Game, order: type[Order], side: str) -> Game:
    """Return the game in which a side's order is decided: as it is now, or after the automatic moves."""
    if side in seats_that_may_order(title, game, order) or not side:
        return game
    ahead = ahead_of(title, game, side)
    return ahead.game if ahead is not None and side in seats_that_may_order(title, ahead.game, order) else game


def givers_now(title: Title, game: Game, order: type[Order]) -> tuple[str, ...]:
    """Return the seats that can give an order now; if there are none, the sides that can after automatic moves."""
    return seats_that_may_order(title, game, order) or tuple(
        side for side in game.side_ids if side in seats_that_may_order(title, given_at(title, game, order, side), order)
    )


def _is_about_arguments(refusal: RuleViolation, order: type[Order]) -> bool:
    """Return whether the order was refused by its type alone, before the game was considered."""
    return refusal.rule == f"order {order.tag()}"


def unknown_name(title: Title, game: Game, order: type[Order], raw: Mapping[str, Any]) -> UnknownName | None:
    """Return the refusal of the first unknown name in the arguments; None if all are known."""
    return next(_unknown_names(title, game, order, raw, str(raw.get("as", ""))), None)


def _unknown_names(
    title: Title, game: Game, order: type[Order], raw: Mapping[str, Any], seat: str
) -> Iterator[UnknownName]:
    from umpire_ledger.desk.orders.order_arguments import arguments_of  # noqa: PLC0415 -- 2 ms: only a refusal needs it

    last_seen = {
        one.unit.id for one in game.sightings.values()
    }  # the rules refuse such a unit and name its last sighting
    for argument in arguments_of(order):
        kind = argument.names
        known = _known(title, game, kind, seat)
        for name in _first_names(raw.get(argument.name)) if known else ():
            if name in known or name in last_seen:
                continue
            if kind != PLACE or (nearest(name, known) and not _is_on_board(title, game, name)):
                yield _no_such(kind, name, known, game, seat)


def _known(title: Title, game: Game, kind: str, seat: str) -> tuple[str, ...]:
    """Return the names of a kind; if they are units, those of the seat's side first."""
    if kind == UNIT:
        side = game.side_of(seat)
        units = [*game.in_play(side), *game.units.values()] if side else game.units.values()
        return tuple(dict.fromkeys(unit.id for unit in units))
    if kind == SIDE:
        return game.side_ids
    if kind == PLACE:  # no title lists the places of its map: a name is a typo only if a place in use is similar
        from umpire_ledger.desk.orders.order_arguments import commas_in_places  # noqa: PLC0415 -- 2 ms: only a refusal needs it

        if commas_in_places(game):  # measured places: 24,6 is not a typo for 24,4
            return ()
        return tuple(dict.fromkeys(unit.at for unit in game.units.values() if not unit.at.isdigit()))
    return tuple(title.plan.places) if kind == "any step" else ()


def _is_on_board(title: Title, game: Game, name: str) -> bool:
    """Return whether a place is on the map, whether or not a unit is in it."""
    board = joined(title.board(game), board_in(game.tables))
    named: tuple[Collection[str], ...] = (
        board.tiles,
        board.points,
        board.atlas,
        board.areas,
        board.boxes,
        board.within,
    )
    return any(name in places for places in (*named, *board.tracks.values(), *board.links))


def _first_names(value: object) -> Iterable[str]:
    """Return the first few different names in an argument."""
    return islice(dict.fromkeys(islice(_names_in(value), MOST_CHECKED**2)), MOST_CHECKED)


def _names_in(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,) if value else ()
    return (one for one in value if isinstance(one, str)) if isinstance(value, (list, tuple, dict)) else ()


def _nearest_unit(name: str, known: tuple[str, ...], side: str, game: Game) -> list[str]:
    """Return units with similar names: the side's own first, then others, whose names must be very similar."""
    if not side:
        return nearest(name, known)
    own = [one for one in known if game.units[one].side == side]
    others = [one for one in known if game.units[one].side != side]
    return [*nearest(name, own), *nearest(name, others, VERY_CLOSE)][:MOST]


def _no_such(kind: str, name: str, known: tuple[str, ...], game: Game, seat: str) -> UnknownName:
    near = _nearest_unit(name, known, game.side_of(seat), game) if kind == UNIT else nearest(name, known)
    words, rule = {"any step": ("step or heading", "steps")}.get(kind, (kind, f"{kind}s"))
    remedy = f"did you mean {' or '.join(near)}?" if near else _all_of(kind, known)
    return UnknownName(f"there is no {words} {name}", where=game.where, rule=rule, remedy=remedy)


def _all_of(kind: str, known: tuple[str, ...]) -> str:
    listed = {UNIT: "`umpire units` lists them", "any step": "`umpire sequence` prints them"}.get(kind, "name one of")
    return f"{listed}: {', '.join(known[:8])}{', …' if len(known) > 8 else ''}"
