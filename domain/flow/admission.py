"""Find the open step under which an order is given, or refuse the order."""

from collections.abc import Mapping

from umpire_ledger.domain.flow.available_orders import acting_now, offers_here
from umpire_ledger.domain.flow.open_steps import acting, acting_anytime, open_steps, rule_of, waits_in
from umpire_ledger.domain.flow.queries import evaluate
from umpire_ledger.domain.flow.refusals import REFUSALS
from umpire_ledger.domain.game import orders as o
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import AllOf, Condition, Fact, Option, parts_of, says


def admit(title: Title, game: Game, order: o.Order) -> str:
    """Return the open step under which an order is given; "" for a title without a sequence.

    If several open steps allow the order, the first one that waits for the seat's side is chosen.

    Raises:
        RuleViolation: No open step allows the order, or none allows it to this seat.
    """
    return admit_kind(title, game, type(order), order.seat)


def admit_kind(title: Title, game: Game, order: type[o.Order], seat: str) -> str:
    """Return what `admit` returns, for an order of which only the class and the seat are known."""
    if title.sequence is None or order in o.COVERS:
        return ""
    side = game.side_of(seat)
    allowing = [step for step in open_steps(title, game) if order in step.allows]
    taking = [step for step in allowing if side in acting(title, game, step)]
    if taking:
        return next((step.id for step in taking if side in waits_in(game, step)), taking[0].id)
    beside = [step for step in title.plan.anytime if order in step.allows]
    for step in beside:
        if (side or seat) in acting_anytime(title, game, step):
            return step.id
    if not allowing and beside and not _belongs_to(title, order):
        raise not_yours(title, game, seat, beside[0].id, acting_anytime(title, game, beside[0]))
    if not allowing:
        raise _not_allowed_here(title, game, order, side)
    step = allowing[0]
    raise not_yours(title, game, seat, step.id, acting(title, game, step))


def seats_that_may_order(title: Title, game: Game, order: type[o.Order]) -> tuple[str, ...]:
    """Return the seats from which an order would be admitted now.

    The result is () for orders that any seat may give at any time, and for orders of the referee.
    """
    if game.ended or title.sequence is None or order in (*o.COVERS, *o.ANYTIME_ORDERS, *o.REFEREE_ORDERS):
        return ()
    if order in o.SEQUENCE_ORDERS:
        return acting_now(title, game)
    steps = [step for step in open_steps(title, game) if order in step.allows]
    beside = [step for step in title.plan.anytime if order in step.allows]
    found = (*(acting(title, game, step) for step in steps), *(acting_anytime(title, game, one) for one in beside))
    return tuple(dict.fromkeys(seat for seats in found for seat in seats))


def _belongs_to(title: Title, order: type[o.Order]) -> list[str]:
    """Return the steps of the sequence that allow an order, without steps that are open at any time."""
    return [step.id for step in title.plan.leaves() if order in step.allows and step not in title.plan.anytime]


def _not_allowed_here(title: Title, game: Game, order: type[o.Order], side: str) -> RuleViolation:
    elsewhere = _belongs_to(title, order)
    places = f"; it belongs to step{'s' * (len(elsewhere) > 1)} {', '.join(elsewhere[:6])}" if elsewhere else ""
    if elsewhere and all(never := [unreachable_reason(title, game, step) for step in elsewhere]):
        places += f", which this game plays only if {never[0]}"
    code, instead = _instead(title, game, side)
    fields = {"order": order.tag(), "places": places, **instead}
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=rule_of(title, game))


def _instead(title: Title, game: Game, side: str) -> tuple[str, Mapping[str, object]]:
    """Return the code and fields of a refusal: the orders that a side can give now, or else the sides to wait for.

    For the referee, these are the orders of all sides.
    """
    sides = (side,) if side else game.side_ids
    here = dict.fromkeys(name for one in sides for name in offers_here(title, game, one))
    if here:
        return "not-allowed-now", {"orders": tuple(sorted(here, key=lambda name: name in ("pick", "done")))}
    others = [game.side_name(one) for one in acting_now(title, game) if one not in sides]
    return ("wait-for-side", {"sides": " or ".join(others)}) if others else ("not-waited-for", {})


def unreachable_reason(title: Title, game: Game, step: str) -> str:
    """Return the guard that excludes a step for the whole game, in words; "" if the step may still be played."""
    guards = (title.plan.places[one].when for one in title.plan.around(step))
    parts = (part for guard in guards for part in (guard.parts if isinstance(guard, AllOf) else (guard,)) if part)
    lasting = (part for part in parts if all(map(_is_lasting, parts_of(part))))
    return next((says(part) for part in lasting if not evaluate(title, game, part)), "")


def _is_lasting(leaf: Condition) -> bool:
    return isinstance(leaf, Option) or (isinstance(leaf, Fact) and leaf.lasting and not leaf.secret)


def not_yours(title: Title, game: Game, seat: str, step: str, may: tuple[str, ...]) -> RuleViolation:
    code = "referee-has-no-side" if seat == REFEREE else "step-of-another-side"
    if may == (REFEREE,):
        code = "step-of-the-referee"
    fields = {
        "seat": seat,
        "step": step,
        "sides": " or ".join(map(game.side_name, may)) or "the next step",
        "seats": " or ".join(may) or "a side",
    }
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=rule_of(title, game, step))
