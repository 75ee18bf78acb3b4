"""Find a trigger that holds, and refuse orders that would run past one."""

from umpire_ledger.domain.flow.queries import evaluate
from umpire_ledger.domain.flow.refusals import REFUSALS
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import AccountChanged, AnyEvent, MarkerSet, RestrictedEvent, UnitMoved
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.constructs import Instant
from umpire_ledger.domain.sequence.frames import inside_of


def due(title: Title, game: Game, here: str = "") -> Instant | None:
    """Return the first watched trigger that holds; None if none does.

    A trigger is not checked during its own procedure.

    `here`: the step that has just closed and where play still is.
    """
    if not title.plan.instants or game.ended:
        return None
    around = inside_of(title.plan, game.cursor, here)
    running = {frame.of for frame in game.cursor.frames if frame.kind in ("call", "instant")}
    for instant in title.plan.instants:
        watched = not instant.during or not around.isdisjoint(instant.during)
        if watched and instant.to not in running and evaluate(title, game, instant.when):
            return instant
    return None


def too_far(game: Game, instant: Instant, done: list[AnyEvent | RestrictedEvent]) -> RuleViolation:
    """Return the refusal of an order whose events continue past a trigger."""
    return refusal(
        RuleViolation,
        REFUSALS,
        "runs-past-an-interruption",
        {"instant": instant.name, "events": len(done), "last_event": describe(done[-1])},
        where=game.where,
        rule=", ".join(instant.rules) or instant.name,
    )


def describe(event: AnyEvent | RestrictedEvent) -> str:
    """Return the result of the last permitted event in words, for the remedy of an order that runs past a trigger."""
    match event.event if isinstance(event, RestrictedEvent) else event:
        case UnitMoved(unit=unit, path=path):
            return f"{unit} at {path[-1]}"
        case AccountChanged(account=account, after=after):
            return f"{account} at {after}"
        case MarkerSet(marker=marker, after=after):
            return f"{marker} at {after}"
        case other:
            return f"`{type(other).__struct_config__.tag}`"
