"""Check that each offered order has a form that is accepted, and that play waits for no side without a legal order.

The check covers positions of random play, and the turn views of the referee and of every seat. A seat may see more
orders of another side than are legal, because these can depend on secrets. But it must not see generic orders that a
step reserves for another role.
"""

from collections.abc import Iterator

from umpire_ledger.domain.flow.automatic_moves import ahead_of
from umpire_ledger.domain.flow.available_orders import acting_now
from umpire_ledger.domain.flow.open_steps import open_steps, waits_in
from umpire_ledger.domain.flow.order_scope import may_give
from umpire_ledger.domain.game.errors import NotHeldHere, RuleViolation
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.orders import GENERIC_ORDERS, Done, Order
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.suggested_orders import suggested, suggestions
from umpire_ledger.projections.tables.turn_view import Allowed, turn_view
from umpire_ledger.testing.examples import refusal_texts
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.play_report import Observed
from umpire_ledger.testing.random_play import NO_HISTORY
from umpire_ledger.testing.title_under_test import Trial

POSITIONS = 3
"""The most positions of each step at which all turn views are checked."""
_OFFERED = "refuse by conditions that `offered` of `does`, the step's `touches.by` or its `when` know too"
_LEAVES = "refuse the order that leads there, let the step's `when` pass it, or let something be legal there"


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield the first finding about each order of a step, and about each step that is a dead end."""
    for seen in (trial.observed, *trial.own_games):
        found: set[str] = set()
        for finding in _findings(seen, trial.seed):
            if finding.about not in found:
                found.add(finding.about)
                yield finding


def _findings(seen: Observed, seed: int) -> Iterator[Finding]:
    for _, games in sorted(seen.positions.items()):
        for game in games:
            yield from dead_ends(seen.title, game, seed)
        for game in games[:POSITIONS]:
            yield from in_vain(seen.title, game, seed)


# --- dead ends --------------------------------------------------------------------------------------------------------


def dead_ends(title: Title, game: Game, seed: int = 0) -> Iterator[Finding]:
    """Yield a finding if play waits for sides, and every suggested order of all these sides is refused."""
    refused: list[tuple[Order, RuleViolation]] = []
    sides = acting_now(title, game)
    if not sides or any(_can_act(title, game, side, refused) for side in sides):
        return
    yield Finding(
        what=f"at {game.where} {' and '.join(sides)} must act, and every order is refused",
        remedy=_LEAVES,
        about=", ".join(one.step for one in game.cursor.open),
        seed=seed,
        refusals=refusal_texts(refused),
    )


def _can_act(title: Title, game: Game, side: str, refused: list[tuple[Order, RuleViolation]]) -> bool:
    """Return whether a side has a legal order in its step. Orders that are available at any time do not count."""
    here = {order for step in open_steps(title, game) if side in waits_in(game, step) for order in step.allows}
    beside = {order for step in title.plan.anytime for order in step.allows} - here
    mine = (one for one in suggestions(title, game) if one.seat == side and type(one) not in beside)
    return any(is_taken(title, game, one, refused) for one in mine)


# --- offered in vain --------------------------------------------------------------------------------------------------


def in_vain(title: Title, game: Game, seed: int = 0) -> Iterator[Finding]:
    """Yield a finding about each order that a turn view lists although every form of it would be refused."""
    for one in turn_view(title, game, REFEREE, 1).allowed:
        for tag in one.orders:
            if not has_a_form(title, game, tag, one):
                yield _offered(game, REFEREE, one, tag, seed)
    for seat in (*game.side_ids, SPECTATOR):
        known = as_known(game, seat)
        for one in turn_view(title, known, seat, 1).allowed if known is not game else ():
            for tag in one.orders:
                if not _may_give(title, known, tag, one):
                    yield _offered(game, seat, one, tag, seed)


def _offered(game: Game, seat: str, line: Allowed, tag: str, seed: int) -> Finding:
    what = f"at {game.where} {seat} sees {tag} offered to {line.side} in {line.step}, and every form of it is refused"
    return Finding(what=what, remedy=_OFFERED, about=f"{line.step} {tag}", seed=seed)


def as_known(game: Game, seat: str) -> Game:
    """Return the game as a seat knows it, without the sealed answers of other sides."""
    sees_all = seat == REFEREE and not game.options.get(CLOSED_TO_REFEREE)
    side, choices = game.side_of(seat), game.choices
    for key, one in game.choices.items():
        if one.sealed and one.known and not sees_all and one.side != side:
            choices = choices.set(key, replace(one, choice=None, known=False))
    known = known_to(game, seat)
    return known if choices is game.choices else replace(known, choices=choices)


def has_a_form(title: Title, game: Game, tag: str, line: Allowed) -> bool:
    """Return whether any suggested form of an order is accepted in the step in which it is offered.

    Generic orders, and orders whose offer the title itself decides, are not tried. They only need a step that allows
    them to the side.
    """
    if tag in ("pick", "done"):
        ways = (one for one in suggestions(title, game) if one.seat == line.side and one.tag() == tag)
        leaving = (Done(seat=line.side, step=line.step),) if tag == "done" else ()
        return any(is_taken(title, game, one) for one in (*leaving, *ways))
    kind = title.every_order[tag]
    found = title.lines.get(kind)
    if issubclass(kind, GENERIC_ORDERS) or (found is not None and found.offered is not None):
        return _may_give(title, game, tag, line)
    ideas = list(suggested(title, _place_of(title, game, line.step), kind, line.side))
    return not ideas or any(is_taken(title, game, one) for one in ideas)


def _may_give(title: Title, game: Game, tag: str, line: Allowed) -> bool:
    """Return whether the step in a line of the turn view lets its side give an order now."""
    step, kind = title.plan.step(line.step), title.every_order[tag]
    return step is None or may_give(title, _place_of(title, game, line.step), kind, line.side, step)


def _place_of(title: Title, game: Game, step: str) -> Game:
    """Return the game in which a step is open, now or after the automatic moves before the next order."""
    ahead = ahead_of(title, game)
    is_here = ahead is None or game.cursor.opened(step) or title.plan.step(step) in title.plan.anytime
    return game if ahead is None or is_here else ahead.game


def is_taken(title: Title, game: Game, order: Order, refused: list[tuple[Order, RuleViolation]] | None = None) -> bool:
    """Return whether an order is accepted, or cannot be judged in this copy of the game.

    `refused`: a list to which a refusal is added.
    """
    try:
        decide(title, game, Sent(order=order), NO_HISTORY)
    except NotHeldHere:
        return True
    except RuleViolation as violation:
        if refused is not None:
            refused.append((order, violation))
        return False
    return True
