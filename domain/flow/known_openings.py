"""Openings as one seat may know them: what a side still owes in an open step, and what it may answer there.

A seat is not told what hangs on a secret of others: from what it knows, the answer would be a guess.
"""

from umpire_ledger.domain.flow.asking import owed
from umpire_ledger.domain.flow.openings import answers_for
from umpire_ledger.domain.game.secrets import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import Condition, Fact, parts_of
from umpire_ledger.domain.sequence.constructs import Step

Asked = tuple[str, str]
"""A step's id, and a side."""


class KnownOpenings:
    """What a seat may know at one position; every question is put to the game once, however often it is asked here."""

    def __init__(self, title: Title, game: Game, seat: str) -> None:
        self.title = title
        self.game = game
        self._own = game.side_of(seat)
        self._sees_all = seat == REFEREE and not game.options.get(CLOSED_TO_REFEREE)
        self._owed: dict[Asked, tuple[str, ...]] = {}
        self._answers: dict[Asked, tuple[str, ...]] = {}

    def owed_by(self, step: Step, side: str) -> tuple[str, ...]:
        """What the side still owes in the step, in words."""
        asked = (step.id, side)
        if asked not in self._owed:
            known = self._may_ask(side, step.needs)
            self._owed[asked] = owed(self.title, self.game, step, side) if known else ()
        return self._owed[asked]

    def answers_of(self, step: Step, side: str) -> tuple[str, ...]:
        """The answers that the side may give in the step; all of them where the seat may not know which."""
        asked = (step.id, side)
        if asked not in self._answers:
            if self._may_ask(side, *(answer.when for answer in step.answers)):
                found = answers_for(self.title, self.game, step, side)
            else:
                found = tuple(answer for answer in step.answers if not answer.by_dice)
            self._answers[asked] = tuple(answer.name for answer in found)
        return self._answers[asked]

    def may_leave(self, step: Step, side: str) -> bool:
        """Whether `done` would be taken."""
        return not self.owed_by(step, side) and (not step.answers or bool(self.answers_of(step, side)))

    def _may_ask(self, side: str, *conditions: Condition | None) -> bool:
        if self._sees_all or side == self._own:
            return True
        return not any(map(_is_secret, conditions))


def _is_secret(condition: Condition | None) -> bool:
    return any(isinstance(leaf, Fact) and leaf.secret for leaf in parts_of(condition))
