"""Prevent free looks at the ledger's dice: an order is refused before its roll, or its results are recorded.

An order that rolls is first decided with dice from other, public seeds. If it is refused with each of them, it is
refused, so a refusal never depends on the game's own dice. Only then are the game's dice rolled. If the order fails
after that, it is not carried out. Its rolls are recorded with the reason, and their numbers are used up.
"""

from collections.abc import Callable

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.dice import LedgerDice, TableDice
from umpire_ledger.domain.game.errors import DomainError, RuleViolation
from umpire_ledger.domain.game.events import AnyEvent, DiceRolled, Failed, RestrictedEvent
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.recordable import recordable
from umpire_ledger.domain.game.state import replace
from umpire_ledger.domain.kit.title_errors import unexpected

Throws = TableDice | LedgerDice
TRIES = 20
"""Number of public seeds with which an order is tried before it is refused."""
MOST_SAID = 300
"""Limit of characters of a refusal that are recorded with the rolls of an order that was not carried out."""
NOT_CARRIED_OUT = "not carried out"


def roll_once(
    before: Decision,
    make: Callable[[], Throws],
    way: Callable[[Throws], Decision],
    asks: Callable[[Decision], Decision | None],
) -> Decision:
    """Return the decision of an order.

    Args:
        before: The events before the order, and the game after them.
        make: Makes dice for that game.
        way: Decides the order with some dice.
        asks: Returns the record of an order whose dice wait for other sides, from its decision with public dice; None
            if the dice can be rolled now.

    Raises:
        DomainError: The order is refused, whatever the game's own dice would show.
    """
    refused: list[DomainError] = []
    for number in range(TRIES):
        dice = make()
        if isinstance(dice, TableDice):
            return way(dice)
        dice.trial = number
        try:
            trial = _recordable(way(dice), dice)
        except DomainError as refusal:
            if not dice.fresh:
                raise
            refused.append(refusal)
        else:
            if not dice.fresh:
                return trial
            return asks(trial) or _for_good(before, make(), way, trial)
    raise refused[0]


def _for_good(before: Decision, dice: Throws, way: Callable[[Throws], Decision], trial: Decision) -> Decision:
    try:
        return _recordable(way(dice), dice)
    except Exception as error:
        if not dice.fresh:  # refused before its first roll, as with public dice
            raise
        failure = error if isinstance(error, DomainError) else unexpected(before.game, error)
        return _used_up(before, dice.shown, trial, failure)


def _recordable(decision: Decision, dice: Throws) -> Decision:
    """Return the same decision.

    Raises:
        RuleViolation: Dice were rolled, and one of the events cannot be recorded.
    """
    for event in events_of(decision.told) if dice.fresh else ():
        recordable(event, decision.game.where)
    return decision


def _used_up(before: Decision, shown: list[DiceRolled], trial: Decision, failure: DomainError) -> Decision:
    """Return the rolls of an order that failed after them, with the viewers that its rolls would have had.

    The reason is public if every event of the order would have been public.
    """
    secret = [one for one in trial.told if isinstance(one, RestrictedEvent)]
    seats = [one.visible_to for one in secret if isinstance(one.event, DiceRolled)]
    outcome = NOT_CARRIED_OUT if secret else f"{NOT_CARRIED_OUT}: {failure.what[:MOST_SAID]}"
    failed: Failed = "refused" if isinstance(failure, RuleViolation) else "fault"
    rolls = [replace(one, outcome=outcome, failed=failed) for one in shown]
    told: list[AnyEvent | RestrictedEvent] = [
        RestrictedEvent(one, min(seats, key=len)) if seats else one for one in rolls
    ]
    return Decision(told=(*before.told, *told), game=fold(before.game, rolls), failure=failure)
