"""No free look at the ledger's dice: an order is refused before they fall, or what they show is recorded.

An order that throws is decided first with dice of other seeds, which everybody could work out. One that is refused with
those is refused; so no refusal depends on what the game's own dice would have shown. Only then they are thrown. What
fails behind them is recorded as rolls that nothing came of, and their numbers are used up.
"""

from collections.abc import Callable

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.dice import LedgerDice, TableDice
from umpire_ledger.domain.game.errors import DomainError, RuleViolation, TitleFault
from umpire_ledger.domain.game.events import AnyEvent, DiceRolled, Told
from umpire_ledger.domain.game.fold import fold
from umpire_ledger.domain.game.recordable import recordable
from umpire_ledger.domain.game.state import replace

Throws = TableDice | LedgerDice
TRIES = 20
"""Dice with which an order is tried before it counts as refused whatever they show."""
MOST_SAID = 300
"""Characters of a refusal that stand in a roll of which nothing came."""
NOTHING_CAME = "not carried out"


def throw_once(
    before: Decision,
    make: Callable[[], Throws],
    way: Callable[[Throws], Decision],
    asks: Callable[[Decision], Decision | None],
) -> Decision:
    """What an order brings about. `before`: what is told in front of it, and the game as it then stands.

    `make`: dice for that game; `way`: decides the order with dice. `asks`: what is recorded instead of an order whose
    dice wait for others, from what came of it in a trial; None where they are thrown now.
    Raises RuleViolation, TitleFault: the order is refused, whatever the game's own dice would show.
    """
    refused: list[DomainError] = []
    for number in range(TRIES):
        dice = make()
        if isinstance(dice, TableDice):
            return way(dice)
        dice.trial = number
        try:
            trial = _recordable(way(dice), dice)
        except (RuleViolation, TitleFault) as refusal:
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
    except (RuleViolation, TitleFault) as refusal:
        if not dice.fresh:  # refused before the first of them, as in the trial
            raise
        return _used_up(before, dice.shown, trial, refusal)


def _recordable(decision: Decision, dice: Throws) -> Decision:
    """The same decision. Raises RuleViolation where dice were thrown, and something that came of it cannot be kept."""
    for event in events_of(decision.told) if dice.fresh else ():
        recordable(event, decision.game.where)
    return decision


def _used_up(before: Decision, shown: list[DiceRolled], trial: Decision, refusal: DomainError) -> Decision:
    """The rolls of an order that failed behind them. Only those see them who would have seen them of the order.

    Why it failed is for everybody where nothing of the order would have been secret.
    """
    secret = [one for one in trial.told if isinstance(one, Told)]
    seats = [one.visible_to for one in secret if isinstance(one.event, DiceRolled)]
    outcome = NOTHING_CAME if secret else f"{NOTHING_CAME}: {refusal.what[:MOST_SAID]}"
    rolls = [replace(one, outcome=outcome) for one in shown]
    told: list[AnyEvent | Told] = [Told(one, min(seats, key=len)) if seats else one for one in rolls]
    return Decision(told=(*before.told, *told), game=fold(before.game, rolls))
