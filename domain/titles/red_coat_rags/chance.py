"""The catch-all: what the rules do not cover, a simple die decides, at any moment.

The odds are written down before the die is thrown: which totals mean what. The die gives the ruling; what comes of it
the referee records with `move`, `place`, `change` and `remove`.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.pieces import refuse
from umpire_ledger.kit import (
    Dice,
    Game,
    Name,
    Order,
    Result,
    RuleViolation,
    RulingMade,
    Words,
    look_up,
    parse_dice,
    replace,
    row_text,
)

RULE = "catch-all"


class LetDieDecide(Order, frozen=True, kw_only=True, tag="let-die-decide"):
    """A question, and the odds: `{"1..2": "they cross", "3 or more": "they stay"}`, every total once."""

    question: Words
    odds: Annotated[dict[str, Words], msgspec.Meta(min_length=1, max_length=20)]
    dice: Name = "1d6"


def decide_let_die_decide(game: Game, order: LetDieDecide, dice: Dice) -> list[Result]:
    """The die is thrown, and what it shows by the odds is the ruling.

    Raises:
        RuleViolation: no dice; a total without an answer.
    """
    verify_odds(game, order)
    odds = "; ".join(f"{row}: {ruling}" for row, ruling in order.odds.items())
    rolled = dice.roll(order.dice, purpose=order.question, rule=RULE, needed=odds)
    row, ruling = look_up(_odds_of(order), "odds", rolled.total)
    outcome = row_text(ruling)
    reason = f"{order.question} The odds were {odds}; the die showed {rolled.total}."
    return [replace(rolled, row=row, outcome=outcome), RulingMade(ruling=outcome, reason=reason, rule=RULE)]


def _odds_of(order: LetDieDecide) -> Game:
    """The odds as if they were a table of the scenario."""
    return Game(tables={"odds": {"rows": order.odds}})


def verify_odds(game: Game, order: LetDieDecide) -> None:
    thrown = parse_dice(order.dice, game.where)
    for total in range(thrown.number + thrown.plus, thrown.number * thrown.faces + thrown.plus + 1):
        try:
            look_up(_odds_of(order), "odds", total)
        except RuleViolation:
            what = f"the odds say nothing for a {total}"
            remedy = 'give every total an answer, for instance "1..3" and "4 or more"'
            raise refuse(game, what, remedy, RULE) from None
