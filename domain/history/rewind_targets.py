"""Find the position that a rewind names: `#412`, `G.2a`, `5-3D of 0407`, `E.1 of demosthenes`, `turn 2`.

A step or heading refers to its newest opening on the current branch. `5-3D of this hex` refers to the hex that play is
about now.
"""

import re

from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import PassBegun, PlayResumed, StepOpened
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.history import History, PlayedOrder
from umpire_ledger.domain.history.refusals import REFUSALS

RULE = "rewind"


def target_of(game: Game, to: int | str, history: History) -> int:
    """Return the position that a rewind names.

    Raises:
        UnknownName: The step or turn never began on the current branch.
        RuleViolation: The step or turn began and ended within one order.
    """
    if isinstance(to, int):
        return to
    words = to.strip()
    if re.fullmatch(r"#[0-9]{1,16}", words):
        return int(words.removeprefix("#"))
    if turn := re.fullmatch(r"turn ([0-9]{1,16})", words, re.IGNORECASE):
        return _turn(game, int(turn[1]), history)
    label, of, what = words.partition(" of ")
    return _step(game, label.strip(), what.strip(), history) if of else _step(game, words, "", history)


def _turn(game: Game, turn: int, history: History) -> int:
    """Return the end of the oldest order of the branch that began a turn or opened a step of it."""
    found: PlayedOrder | None = None
    for taken in history.newest_first():
        turns = [event.where.turn for event in taken.events if isinstance(event, StepOpened)]
        turns += [event.turn for event in taken.events if isinstance(event, PassBegun | PlayResumed) and event.turn]
        if turn in turns:
            found = taken
        elif turns and max(turns) < turn:
            break
    if found is None:
        what, remedy = (
            f"turn {turn} has not begun on this branch",
            "name a turn that was played, or a position such as #12",
        )
        raise _never(game, what, remedy)
    if history.state(found.last).turn != turn:
        raise _passed(game, f"turn {turn}", found)
    return found.last


def _step(game: Game, label: str, what: str, history: History) -> int:
    """Return the end of an order after which a step or a part of a heading is open, at its newest opening."""
    asked = f"step {label}" + (f" of {what}" if what else "")
    visit, others = _newest_visit(history, label.casefold(), _wanted(game, what))
    if not visit:
        about = f"; it began for {', '.join(sorted(others)) or 'no unit or place'}" if others is not None else ""
        remedy = "name a position, for example #12, or a step that `umpire undo-points GAME` lists"
        raise _never(game, f"{asked} has not begun on this branch{about}", remedy)
    for taken in visit:
        opened = {event.step for event in taken.events if isinstance(event, StepOpened) and _is_in(event, label)}
        if any(one.step in opened for one in history.state(taken.last).cursor.open):
            return taken.last
    raise _passed(game, asked, visit[0])


def _newest_visit(history: History, label: str, wanted: set[str]) -> tuple[list[PlayedOrder], set[str] | None]:
    """Return the orders of the newest visit to a step, or to the steps of a heading one after another, oldest first.

    The second result names the subjects of the label's newest opening that does not match; None if there is none.
    """
    visit: list[PlayedOrder] = []
    others: set[str] | None = None
    turn = -1
    for taken in history.newest_first():
        for event in reversed([event for event in taken.events if isinstance(event, StepOpened)]):
            is_wanted = _is_in(event, label) and (not wanted or wanted & _about(event))
            if not is_wanted or turn not in (-1, event.where.turn):
                if visit:
                    return visit[::-1], others
                if _is_in(event, label) and others is None:
                    others = _about(event)
                continue
            turn = event.where.turn
            if taken not in visit[-1:]:
                visit.append(taken)
            if event.step.casefold() == label:
                return visit[::-1], others
    return visit[::-1], others


def _is_in(event: StepOpened, label: str) -> bool:
    """Return whether a label names the step or a heading around it."""
    return label.casefold() in (place.casefold() for place in (event.step, *event.path))


def _passed(game: Game, asked: str, taken: PlayedOrder) -> RuleViolation:
    """Return the refusal of a step or turn that began and ended within one order, so that play never waited there."""
    return refusal(
        RuleViolation,
        REFUSALS,
        "within-one-order",
        {"target": asked, "first": taken.first, "last": taken.last, "before": taken.first - 1},
        where=game.where,
        rule=RULE,
    )


def _wanted(game: Game, what: str) -> set[str]:
    """Return the member that the step must be about, in a set; empty if any will do.

    `this hex` means the current member.
    """
    if what.casefold().split(" ")[0] != "this":
        return {what.casefold()} - {""}
    items = [frame.item for frame in game.cursor.frames if frame.item]
    if not items:
        raise refusal(RuleViolation, REFUSALS, "nothing-in-progress", {"what": what[5:]}, where=game.where, rule=RULE)
    return {items[-1].casefold()}


def _about(event: StepOpened) -> set[str]:
    where = event.where
    return {name.casefold() for name in (*where.items, where.side, *event.waits, f"turn {where.turn}") if name}


def _never(game: Game, what: str, remedy: str) -> UnknownName:
    return refusal(
        UnknownName, REFUSALS, "no-such-place", {"what": what, "remedy": remedy}, where=game.where, rule=RULE
    )
