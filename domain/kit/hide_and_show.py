"""Hide and show units under fog, the same for every title.

Afterwards, `domain.play.event_visibility` determines which sides see each of these events.
"""

from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.dice import Dice
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import UnitCovered, UnitPlaced, UnitShown
from umpire_ledger.domain.game.hidden_units import RULE, is_foggy, last_seen, named_by, sighting
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, Unit
from umpire_ledger.domain.game.unknown_names import no_such_side
from umpire_ledger.domain.kit.refusals import REFUSALS
from umpire_ledger.domain.kit.title import Result


def unit_of(game: Game, unit: str, rule: str = "") -> Unit:
    """Return a unit in play.

    Raises:
        UnknownName: There never was such a unit.
        RuleViolation: The unit left play or is out of sight.
    """
    found = game.units.get(unit)
    if found is None:
        if (seen := sighting(game, unit)) is not None:
            raise _refuse(game, "unit-not-seen", rule, unit=unit, last_seen=last_seen(seen))
        near = ", ".join(sorted(game.units)[:8]) or "none"
        raise refusal(
            UnknownName,
            REFUSALS,
            "no-such-unit",
            {"unit": unit, "near": near, "more": ", …" if len(game.units) > 8 else ""},
            where=game.where,
            rule=rule or "units",
        )
    if found.fate:
        raise _refuse(game, "unit-removed", rule or "units", unit=unit, fate=found.fate)
    return found


def decide_show(game: Game, order: o.Show, _: Dice) -> list[Result]:
    """Show hidden units at their places, to some sides or to all.

    Raises:
        RuleViolation: A unit is not hidden, is another side's, or is visible to those sides already.
    """
    units = _named(game, order)
    return [result for unit in units for result in _show(game, order, unit)]


def _named(game: Game, order: o.Show | o.Hide) -> list[Unit]:
    """Return the units of an order, each once.

    Raises:
        RuleViolation: The game has no fog, or a unit is another side's.
    """
    verify_fog(game, "units can be hidden or shown")
    units = [unit_of(game, one, RULE) for one in dict.fromkeys((order.unit, *order.units))]
    for unit in units:
        verify_own(game, order.seat, unit.id, unit.side)
    return units


def _show(game: Game, order: o.Show, unit: Unit) -> list[Result]:
    held = game.hidden.get(unit.id)
    if held is None:
        raise _refuse(game, "unit-not-hidden", unit=unit.id, at=unit.at)
    _verify_sides(game, order.to)
    seers = tuple(side for side in game.side_ids if side in (*held.seen_by, *order.to)) if order.to else ()
    if seers and seers == held.seen_by:
        raise _refuse(game, "seen-already", side=order.to, unit=unit.id)
    return shown(game, unit, seers, order.cause)


def shown(game: Game, unit: Unit, seers: tuple[str, ...], cause: str = "", rule: str = "") -> list[Result]:
    """Return the event that shows a unit. A list of all sides becomes (), so that spectators see the unit too."""
    seen_by = () if set(seers) >= set(game.side_ids) else seers
    return [
        UnitShown(
            unit=unit.id, side=unit.side, kind=unit.kind, at=unit.at, attributes=dict(unit.attributes),
            seen_by=seen_by, cause=cause, rule=rule,
        )
    ]  # fmt: skip


def decide_hide(game: Game, order: o.Hide, _: Dice) -> list[Result]:
    """Hide units at their places; only their own side and the sides in the order still see them.

    Raises:
        RuleViolation: A unit is another side's, or no side loses sight of it.
    """
    units = _named(game, order)
    together = frozenset(unit.id for unit in units)
    parts = [
        covered(game, unit, seers_of(game, unit.side, order.only), order.cause, together=together) for unit in units
    ]
    return [*(cover for cover, _ in parts), *(placed for _, placed in parts)]


def covered(
    game: Game, unit: Unit, seers: tuple[str, ...], cause: str = "", *, together: frozenset[str] = frozenset()
) -> list[Result]:
    """Return the events that hide a unit from all except these sides. `together`: all units that the same order hides.

    Raises:
        RuleViolation: No side loses sight of the unit, or a public text, which a rule may look up, names it.
    """
    held = game.hidden.get(unit.id)
    saw = (*game.side_ids, SPECTATOR) if held is None else held.seen_by
    blind = tuple(side for side in saw if side not in seers)
    if not blind:
        raise _refuse(game, "hidden-already", unit=unit.id)
    if held is None and (what := named_by(game, unit.id, together)):
        raise _refuse(game, "unit-is-named", unit=unit.id, what=what)
    return [
        UnitCovered(unit=unit.id, at=unit.at, blind=blind, cause=cause),
        UnitPlaced(
            unit=unit.id, side=unit.side, kind=unit.kind, at=unit.at, attributes=dict(unit.attributes),
            cause=cause, seen_by=tuple(side for side in game.side_ids if side in seers and side in saw),
        ),
    ]  # fmt: skip


def seers_of(game: Game, side: str, only: tuple[str, ...]) -> tuple[str, ...]:
    """Return the viewers of a hidden unit: its side and the given sides.

    Raises:
        UnknownName: There is no such side.
        RuleViolation: The result would be all sides.
    """
    _verify_sides(game, only)
    seers = tuple(one for one in game.side_ids if one in (side, *only))
    if len(seers) == len(game.side_ids):
        raise _refuse(game, "hidden-from-no-side")
    return seers


def verify_id(game: Game, placed: UnitPlaced, seat: str) -> None:
    """Check the id of a placed unit, so that an accepted id does not reveal whether a hidden unit has it.

    Raises:
        RuleViolation: The id was used before, the id of a hidden unit does not begin with its side, or the id begins
            with a side other than the seat's.
    """
    owner = next((side for side in game.side_ids if placed.unit.startswith(f"{side}-")), "")
    if placed.unit in (game.units if placed.seen_by else game.hidden):
        raise _refuse(game, "unit-id-used", unit=placed.unit)
    if placed.seen_by and owner != placed.side:
        raise _refuse(
            game, "unit-id-not-of-the-side", side=game.side_name(placed.side), unit=placed.unit, side_id=placed.side
        )
    if owner and seat != REFEREE and game.side_of(seat) != owner:
        raise _refuse(game, "unit-id-of-another-side", unit=placed.unit, owner=game.side_name(owner), owner_id=owner)


def verify_fog(game: Game, what: str) -> None:
    """Check that the game has fog.

    Raises:
        RuleViolation: The game has no fog.
    """
    if not is_foggy(game):
        raise _refuse(game, "only-with-fog", what=what)


def verify_own(game: Game, seat: str, unit: str, side: str) -> None:
    """Check that a seat may hide or show a unit: only its own side and the referee may.

    Raises:
        RuleViolation: The unit is another side's.
    """
    if seat != REFEREE and game.side_of(seat) != side:
        name = game.side_name(side)
        raise _refuse(game, "unit-of-another-side", unit=unit, owner=name)


def _verify_sides(game: Game, sides: tuple[str, ...]) -> None:
    for side in sides:
        if side not in game.side_ids:
            raise no_such_side(game, side)


def _refuse(game: Game, code: str, rule: str = "", /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=rule or RULE, names=game.seat_names)
