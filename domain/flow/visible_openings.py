"""Show the open steps as one seat may know them: required actions, possible answers, and available orders.

Facts that depend on other sides' secrets are withheld, because the seat's own knowledge would not suffice to compute
them.
"""

from umpire_ledger.domain.flow.automatic_moves import ahead_of
from umpire_ledger.domain.flow.available_orders import is_closed, offers
from umpire_ledger.domain.flow.open_steps import answers_for
from umpire_ledger.domain.flow.queries import RequiredAction, required_actions
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE, in_public
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import Condition, Fact, parts_of
from umpire_ledger.domain.sequence.constructs import Step

Asked = tuple[str, str]
"""A step's id, and a side."""


class OpeningsCache:
    """Answers of a title at one position. Seats that know the same game may share a cache."""

    def __init__(self) -> None:
        self.owed: dict[Asked, tuple[RequiredAction, ...]] = {}
        self.answers: dict[Asked, tuple[str, ...]] = {}
        self.offers: dict[Asked, tuple[str, ...]] = {}


class KnownOpenings:
    """One seat's knowledge of the open steps at one position. Each query is computed once."""

    def __init__(self, title: Title, game: Game, seat: str, cache: OpeningsCache | None = None) -> None:
        self.title = title
        self.game = game
        self._seat = seat
        self._own = game.side_of(seat)
        self._sees_all = seat == REFEREE and not game.options.get(CLOSED_TO_REFEREE)
        self._cache = cache or OpeningsCache()

    def owed_by(self, step: Step, side: str) -> tuple[RequiredAction, ...]:
        """Return the actions that the side must take in the step; () if the seat may not know them."""
        if not self._may_ask(side, step.needs):
            return ()
        asked, owed = (step.id, side), self._cache.owed
        if asked not in owed:
            owed[asked] = required_actions(self.title, self.game, step, side)
        return owed[asked]

    def answers_of(self, step: Step, side: str) -> tuple[str, ...]:
        """Return the answers that the side may give in the step; all of them if the seat may not know more."""
        if not self._may_ask(side, *(answer.when for answer in step.answers)):
            return tuple(answer.name for answer in step.answers if not answer.by_dice)
        asked, answers = (step.id, side), self._cache.answers
        if asked not in answers:
            answers[asked] = tuple(answer.name for answer in answers_for(self.title, self.game, step, side))
        return answers[asked]

    def offers(self, step: Step, side: str) -> tuple[str, ...]:
        """Return the orders that the side may give in the step and that may be accepted.

        If that depends on another side's secrets, return all orders except those that every seat knows to be
        impossible.
        """
        if not self._sees_all and side != self._own and self._keeps_secrets(step, side):
            shown = in_public(self.game)
            found = (order for order in step.allows if not is_closed(self.title, shown, order, side, step))
            return tuple(order.tag() for order in found)
        asked, cache = (step.id, side), self._cache.offers
        if asked not in cache:
            cache[asked] = offers(self.title, known_to(self.game, side), step, side)
        return cache[asked]

    def ahead(self) -> "tuple[KnownOpenings, tuple[str, ...]] | None":
        """Return the openings after the next automatic moves, with these moves in words; None if there are none."""
        asides = {order.tag() for order in self.title.asides}
        ahead = ahead_of(self.title, self.game, self._own, lambda step, side: bool({*self.offers(step, side)} - asides))
        return ahead and (KnownOpenings(self.title, ahead.game, self._seat), ahead.words)

    def _keeps_secrets(self, step: Step, side: str) -> bool:
        """Return whether the options of a side in a step may depend on its secrets, such as a hand of cards."""
        sealed = any(one.side == side and not one.known for one in self.game.choices.values())
        return step.secret or sealed or step in self.title.plan.anytime

    def forfeits_of(self, step: Step, side: str) -> tuple[str, ...]:
        """Return the side's losses if it gives `done`, in words; () if they are another side's secret."""
        loses = self.title.forfeits.get(step.id)
        if loses is None or (step.secret and not self._sees_all and side != self._own):
            return ()
        return loses(self.game, side)

    def may_leave(self, step: Step, side: str) -> bool:
        """Return whether `done` would be accepted from the side."""
        return not self.owed_by(step, side) and (not step.answers or bool(self.answers_of(step, side)))

    def _may_ask(self, side: str, *conditions: Condition | None) -> bool:
        if self._sees_all or side == self._own:
            return True
        return not any(map(_is_secret, conditions))


def _is_secret(condition: Condition | None) -> bool:
    return any(isinstance(leaf, Fact) and leaf.secret for leaf in parts_of(condition))
