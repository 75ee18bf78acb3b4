"""Define the refusals that a seat sees.

DomainError
├── RuleViolation      the seat must act otherwise: not its turn, not allowed, out of range, an action still required
│   ├── NotHeldHere    … or the answer depends on secrets of others, which this copy does not hold
│   └── UnknownName    … because it named something that does not exist: a unit, an order, a step, a member
│       └── NoSuchPosition  … a position that the game has not reached
├── NoSuchTitle        the title is not installed
├── TitleFault         the author of a title must fix its code: it raised an error of its own, or emitted a wrong event
├── ScenarioError      the author of a scenario must fix a line of it
└── DeclarationError   the author of a title must fix its sequence of play
"""

import re
from collections.abc import Mapping


class DomainError(Exception):
    """An expected refusal in four parts: the fault, its place in the sequence, the rule and the remedy.

    Args:
        code: A name of the fault that stays the same when its words change, such as `too-far`; by default the name of
            the class, such as `rule-violation`.
        fields: Values for the placeholders in the words, by name. A typed word that knows its place in the line becomes
            plain text, because JSON takes no other.
    """

    def __init__(
        self,
        what: str,
        *,
        where: str,
        rule: str,
        remedy: str,
        code: str = "",
        fields: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.rule = rule
        self.remedy = remedy
        self.code = code or re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(self).__name__).lower()
        self.fields = {name: str(one) if isinstance(one, str) else one for name, one in (fields or {}).items()}


class RuleViolation(DomainError):
    """The rules, or the state of the game, do not allow this order. Nothing was recorded."""


class NotHeldHere(RuleViolation):
    """The answer depends on a secret that this copy of the game does not hold, so it cannot apply the rules."""


class UnknownName(RuleViolation):
    """The order names something this game does not have."""


class NoSuchPosition(UnknownName):
    """The game has no record at this position."""


class NoSuchTitle(DomainError):
    """This machine has no title with this id."""


class ScenarioError(DomainError):
    """A scenario does not match its title's schema. `where` is the path of the faulty line."""


class DeclarationError(DomainError):
    """A sequence of play is declared wrongly. `where` is the id of the faulty place."""


class TitleFault(DomainError):
    """The code of a title is at fault. No record was written.

    `title`: its id. `decision`: the function that is at fault. `event`: the inconsistent event, if the function emitted
    one. If the function raised an exception, that exception is the cause of this one.
    """

    def __init__(
        self, what: str, *, title: str, decision: str, event: object = None, where: str, rule: str, remedy: str
    ) -> None:
        super().__init__(what, where=where, rule=rule, remedy=remedy)
        self.title = title
        self.decision = decision
        self.event = event


class NothingDecided(TitleFault):
    """A title accepted an order but returned no event, so no record of the order could be written."""
