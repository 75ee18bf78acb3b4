"""Seal and reveal choices: all sides know that a side has chosen, but only some know what.

A record may be visible to sides, seats, or the referee; a seat knows the state that results from the records visible
to it.
"""

from collections.abc import Iterable

from umpire_ledger.domain.game.errors import NotHeldHere, RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, ChoiceMade, ChoiceRevealed, ChoiceSealed, RestrictedEvent, Value
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.refusals import REFUSALS
from umpire_ledger.domain.game.state import REFEREE, Game, choice_key, replace

CLOSED_TO_REFEREE = "secrets_closed_to_referee"
"""Option of a scenario: the referee, too, sees a secret only after it is revealed."""
RULE = "sealed choices"


def secret_viewers(game: Game, side: str) -> tuple[str, ...]:
    """Return the viewers of a side's secret."""
    return (side,) if game.options.get(CLOSED_TO_REFEREE) else (side, REFEREE)


eyes = secret_viewers
"""Deprecated name of `secret_viewers`, kept for one release."""


def readers(game: Game, author: str, to: Iterable[str]) -> tuple[str, ...]:
    """Return the readers of a seat's private text: its own side, the recipients, and the readers of all secrets."""
    side = game.side_of(author)
    own = secret_viewers(game, side) if side else (REFEREE,)
    return tuple(dict.fromkeys((own[0], *to, *own[1:])))


def may_see(seat: str, side: str, visible_to: tuple[str, ...] | None, all_open: bool = False) -> bool:
    """Return whether a seat of a side may see a record. With no viewers, a record opens when all seeds are revealed."""
    if visible_to is None:
        return True
    return seat in visible_to or bool(side and side in visible_to) or (not visible_to and all_open)


def in_public(game: Game) -> Game:
    """Return the game without the contents of sealed choices, as a spectator knows it."""
    choices = game.choices.mutate().finish()  # the map of a tracked game records reads and has no `update`
    sealed = {key: replace(one, choice=None, known=False) for key, one in choices.items() if one.sealed}
    return replace(game, choices=choices.update(sealed)) if sealed else game


def seal(game: Game, side: str, question: str, choice: Value, rule: str = "") -> list[AnyEvent | RestrictedEvent]:
    """Return the two records of a sealed choice: a public one without the choice, and a private one with it.

    Raises:
        RuleViolation: The side has already sealed this question; a sealed choice cannot be changed.
    """
    before = game.choices.get(choice_key(question, side))
    if before is not None and before.sealed:
        raise _refuse(game, "sealed-already", rule, side_has=game.side_does(side, "has"), question=question)
    return [
        ChoiceSealed(question=question, side=side, rule=rule),
        RestrictedEvent(
            ChoiceMade(question=question, side=side, choice=choice, sealed=True, rule=rule), secret_viewers(game, side)
        ),
    ]


def reveal(game: Game, side: str, question: str, rule: str = "") -> list[AnyEvent | RestrictedEvent]:
    """Return the event that reveals a choice exactly as it was sealed.

    Raises:
        RuleViolation: The side has not sealed a choice for this question.
        NotHeldHere: This copy of the game does not hold the sealed choice.
    """
    choice = game.choices.get(choice_key(question, side))
    if choice is None or not choice.sealed:
        raise _refuse(game, "nothing-sealed", rule, side_has=game.side_does(side, "has"), question=question)
    if not choice.known:
        raise refusal(
            NotHeldHere, REFUSALS, "sealed-choice-not-here", {"question": question}, where=game.where, rule=rule or RULE
        )
    return [ChoiceRevealed(question=question, side=side, choice=choice.choice, rule=rule)]


def reveal_all(game: Game, question: str, sides: Iterable[str], rule: str = "") -> list[AnyEvent | RestrictedEvent]:
    """Return the events that reveal the choices of several sides together.

    Raises:
        RuleViolation: One of the sides has not sealed a choice.
    """
    return [told for side in sides for told in reveal(game, side, question, rule)]


def _refuse(game: Game, code: str, rule: str, /, **fields: object) -> RuleViolation:
    return refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=rule or RULE)
