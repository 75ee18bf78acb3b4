"""Openings as one seat may know them: what a side still owes in an open step, and what it may answer there.

A seat is not told what hangs on a secret of others: from what it knows, the answer would be a guess.
"""

from umpire_ledger.domain.flow.automatic_moves import ahead_of
from umpire_ledger.domain.flow.available_orders import is_closed, offers
from umpire_ledger.domain.flow.open_steps import answers_for
from umpire_ledger.domain.flow.queries import RequiredAction, required_actions
from umpire_ledger.domain.game.hidden_units import known_to
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.game.visibility import CLOSED_TO_REFEREE, in_public
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import Condition, Fact, parts_of
from umpire_ledger.domain.sequence.constructs import Step

Asked = tuple[str, str]
"""A step's id, and a side."""


class Heard:
    """What the title answered at one position; seats that know the same game may share it."""

    def __init__(self) -> None:
        self.owed: dict[Asked, tuple[RequiredAction, ...]] = {}
        self.answers: dict[Asked, tuple[str, ...]] = {}
        self.offers: dict[Asked, tuple[str, ...]] = {}


class KnownOpenings:
    """What a seat may know at one position; every question is put to the game once, however often it is asked here."""

    def __init__(self, title: Title, game: Game, seat: str, heard: Heard | None = None) -> None:
        self.title = title
        self.game = game
        self._seat = seat
        self._own = game.side_of(seat)
        self._sees_all = seat == REFEREE and not game.options.get(CLOSED_TO_REFEREE)
        self._heard = heard or Heard()

    def owed_by(self, step: Step, side: str) -> tuple[RequiredAction, ...]:
        """What the side still owes in the step; nothing where the seat may not know."""
        if not self._may_ask(side, step.needs):
            return ()
        asked, owed = (step.id, side), self._heard.owed
        if asked not in owed:
            owed[asked] = required_actions(self.title, self.game, step, side)
        return owed[asked]

    def answers_of(self, step: Step, side: str) -> tuple[str, ...]:
        """The answers that the side may give in the step; all of them where the seat may not know which."""
        if not self._may_ask(side, *(answer.when for answer in step.answers)):
            return tuple(answer.name for answer in step.answers if not answer.by_dice)
        asked, answers = (step.id, side), self._heard.answers
        if asked not in answers:
            answers[asked] = tuple(answer.name for answer in answers_for(self.title, self.game, step, side))
        return answers[asked]

    def offers(self, step: Step, side: str) -> tuple[str, ...]:
        """The orders that the side may give in the step with some prospect.

        If that may depend on secrets of another side: all except those that every seat can tell it cannot give.
        """
        if not self._sees_all and side != self._own and self._keeps_secrets(step, side):
            shown = in_public(self.game)
            found = (order for order in step.allows if not is_closed(self.title, shown, order, side, step))
            return tuple(order.tag() for order in found)
        asked, heard = (step.id, side), self._heard.offers
        if asked not in heard:
            heard[asked] = offers(self.title, known_to(self.game, side), step, side)
        return heard[asked]

    def ahead(self) -> "tuple[KnownOpenings, tuple[str, ...]] | None":
        """The same where the next order finds the game, and what goes by itself until there; None: nothing does."""
        asides = {order.tag() for order in self.title.asides}
        ahead = ahead_of(self.title, self.game, self._own, lambda step, side: bool({*self.offers(step, side)} - asides))
        return ahead and (KnownOpenings(self.title, ahead.game, self._seat), ahead.words)

    def _keeps_secrets(self, step: Step, side: str) -> bool:
        """Whether what another side may do in a step can hang on what it alone knows, a hand of cards for instance."""
        sealed = any(one.side == side and not one.known for one in self.game.choices.values())
        return step.secret or sealed or step in self.title.plan.anytime

    def forfeits_of(self, step: Step, side: str) -> tuple[str, ...]:
        """What the side would lose by `done`, in words; nothing is said of what others keep secret."""
        loses = self.title.forfeits.get(step.id)
        if loses is None or (step.secret and not self._sees_all and side != self._own):
            return ()
        return loses(self.game, side)

    def may_leave(self, step: Step, side: str) -> bool:
        """Whether `done` would be taken."""
        return not self.owed_by(step, side) and (not step.answers or bool(self.answers_of(step, side)))

    def _may_ask(self, side: str, *conditions: Condition | None) -> bool:
        if self._sees_all or side == self._own:
            return True
        return not any(map(_is_secret, conditions))


def _is_secret(condition: Condition | None) -> bool:
    return any(isinstance(leaf, Fact) and leaf.secret for leaf in parts_of(condition))
