"""Try the orders of the turn view, the sides that are waited for and the remedies of refusals: each is accepted."""

import re
from collections.abc import Iterator

import pytest

from tests.face.domain import (
    REFEREE,
    Done,
    Game,
    Order,
    RuleViolation,
    Sent,
    Title,
    acting_now,
    ahead_of,
    decide,
    offered,
    offers,
    open_steps,
    required_actions,
    suggested,
    suggested_here,
    suggestions,
    waits_in,
)
from tests.face.projections import turn_view
from tests.face.testing import (
    NO_HISTORY,
    Player,
    opened,
    scenarios,
    titles,
)

GAMES = [
    pytest.param(title, scenario, id=f"{title.id}/{scenario.name}")
    for title in titles()
    if title.sequence is not None
    for scenario in scenarios(title)[:2]
]
STEPS = 60


def positions(title: Title, scenario: object, seed: int = 7) -> Iterator[Game]:
    """Yield positions of seeded play."""
    game = opened(title, scenario, seed).game  # type: ignore[arg-type]
    player = Player(title, seed, patience=0.7, curiosity=0.3)
    for _ in range(STEPS):
        if game.ended:
            return
        yield game
        game = player.choose(game)[1].game


def is_taken(title: Title, game: Game, order: Order) -> bool:
    try:
        decide(title, game, Sent(order=order), NO_HISTORY)
    except RuleViolation:
        return False
    return True


def place_of(title: Title, game: Game, step: str) -> Game:
    """Return the game with a step open: the current one, or the one that the next order meets."""
    ahead = ahead_of(title, game)
    is_here = ahead is None or game.cursor.opened(step) or title.plan.step(step) in title.plan.anytime
    return game if ahead is None or is_here else ahead.game


def has_a_form(title: Title, game: Game, tag: str, side: str, at: Game | None = None) -> bool:
    """Return whether a suggestion for an order is accepted; if the title itself offers the order, trust it.

    `at`: the game in which it is offered.
    """
    if tag in ("pick", "done"):
        ways = [one for one in suggestions(title, game) if one.seat == side and one.tag() == tag]
        return any(is_taken(title, game, one) for one in ways)
    line = title.lines.get(title.every_order[tag])
    if line is not None and line.offered is not None:
        return True
    ideas = list(suggested(title, at or game, title.every_order[tag], side))
    return not ideas or any(is_taken(title, game, one) for one in ideas)


@pytest.mark.parametrize(("title", "scenario"), GAMES)
class TestOffers:
    def test_every_order_of_the_turn_view_has_a_form_that_is_taken(self, title: Title, scenario: object) -> None:
        seen = 0
        for game in positions(title, scenario):
            for one in turn_view(title, game, REFEREE, 1).allowed:
                at = place_of(title, game, one.step)
                vain = [tag for tag in one.orders if not has_a_form(title, game, tag, one.side, at)]
                seen += len(one.orders)
                assert vain == [], (game.where, one)
        assert seen

    def test_waiting_side_has_an_order_that_is_accepted(self, title: Title, scenario: object) -> None:
        waited = 0
        for game in positions(title, scenario):
            view = turn_view(title, game, REFEREE, 1)
            assert view.waiting == acting_now(title, game)
            for side in view.waiting:
                waited += 1
                assert any(one.seat == side and is_taken(title, game, one) for one in suggestions(title, game)), side
        assert waited

    def test_remedy_of_a_refusal_is_accepted(self, title: Title, scenario: object) -> None:
        """Let every side end the step, and give the first order that no open step allows."""
        heard = 0
        for game in positions(title, scenario):
            for side in game.side_ids:
                for violation in refusals(title, game, side):
                    for tag in named_in(violation):
                        heard += 1
                        assert has_a_form(title, game, tag, side), (game.where, violation.what, tag)
        assert heard

    def test_refused_done_names_required_orders_only(self, title: Title, scenario: object) -> None:
        wrong = []
        for game in positions(title, scenario):
            for step in open_steps(title, game):
                for side in waits_in(game, step):
                    required = {name for one in required_actions(title, game, step, side) for name in one.orders}
                    if required & {*offers(title, game, step, side)}:
                        named = named_in(refused(title, game, Done(seat=side, step=step.id)))
                        wrong += [(step.id, side, name) for name in named - required]
        assert wrong == []

    def test_accepted_order_was_offered(self, title: Title, scenario: object) -> None:
        """Nothing legal is kept from the list."""
        taken = 0
        for game in positions(title, scenario):
            kinds = {(type(order), order.seat) for order in suggested_here(title, game) if type(order) in title.lines}
            hidden = {one for one in kinds if not offered(title, game, *one)}
            taken += len(kinds - hidden)
            for order in suggested_here(title, game):
                assert (type(order), order.seat) not in hidden or not is_taken(title, game, order), order
        assert taken


def named_in(violation: RuleViolation | None) -> set[str]:
    """Return the orders that a remedy names."""
    names = re.match(r"(?:allowed here|do first what is owed): (.*)", violation.remedy) if violation else None
    return set(names[1].split(", ")) if names else set()


def refused(title: Title, game: Game, order: Order) -> RuleViolation | None:
    try:
        decide(title, game, Sent(order=order), NO_HISTORY)
    except RuleViolation as violation:
        return violation
    return None


def refusals(title: Title, game: Game, side: str) -> Iterator[RuleViolation]:
    """Yield the refusals of `done` and of an order that no open step allows."""
    allowed = {order for step in open_steps(title, game) for order in step.allows}
    elsewhere = (one.order for one in title.orders if one.order not in allowed)
    ideas = (order(seat=side) for order in elsewhere if not _has_arguments(order))
    for order in (Done(seat=side), next(ideas, None)):
        try:
            if order is not None:
                decide(title, game, Sent(order=order), NO_HISTORY)
        except RuleViolation as refused:
            yield refused


def _has_arguments(order: type[Order]) -> bool:
    return any(field != "seat" for field in order.__struct_fields__)
