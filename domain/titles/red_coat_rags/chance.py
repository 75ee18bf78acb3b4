"""Let a simple die decide situations that the rules do not cover, at any time: the catch-all.

The order states the odds before the roll: a ruling for each total. The roll selects the ruling. The referee records its
consequences with `move`, `place`, `change` and `remove`. A piece that is moved or removed this way is no longer locked
or in contact.
"""

from typing import Annotated

import msgspec

from umpire_ledger.domain.titles.red_coat_rags.pieces import refuse, untied
from umpire_ledger.kit import (
    Dice,
    Game,
    Move,
    Name,
    Order,
    Remove,
    Result,
    RuleViolation,
    RulingMade,
    Words,
    changed,
    decide_move,
    decide_remove,
    look_up,
    parse_dice,
    replace,
    row_text,
)

RULE = "catch-all"


class LetDieDecide(Order, frozen=True, kw_only=True, tag="let-die-decide"):
    """Ask a question with odds: `{"1..2": "they cross", "3 or more": "they stay"}`, every total once."""

    question: Words
    odds: Annotated[dict[str, Words], msgspec.Meta(min_length=1, max_length=20)]
    dice: Name = "1d6"


def decide_let_die_decide(game: Game, order: LetDieDecide, dice: Dice) -> list[Result]:
    """Roll the dice and record the ruling that the odds give for the total.

    Raises:
        RuleViolation: The dice are not valid, or a total has no ruling.
    """
    verify_odds(game, order)
    odds = "; ".join(f"{row}: {ruling}" for row, ruling in order.odds.items())
    rolled = dice.roll(order.dice, purpose=order.question, rule=RULE, needed=odds)
    row, ruling = look_up(_odds_of(order), "odds", rolled.total)
    outcome = row_text(ruling)
    reason = f"{order.question} The odds were {odds}; the die showed {rolled.total}."
    return [replace(rolled, row=row, outcome=outcome), RulingMade(ruling=outcome, reason=reason, rule=RULE)]


def _odds_of(order: LetDieDecide) -> Game:
    """Return a game with the odds as a table, so that `look_up` can find the row of a total."""
    return Game(tables={"odds": {"rows": order.odds}})


def verify_odds(game: Game, order: LetDieDecide) -> None:
    thrown = parse_dice(order.dice, game.where)
    for total in range(thrown.number + thrown.plus, thrown.number * thrown.faces + thrown.plus + 1):
        try:
            look_up(_odds_of(order), "odds", total)
        except RuleViolation:
            raise refuse(game, "odds-incomplete", RULE, total=total) from None


# --- consequences -----------------------------------------------------------------------------------------------------


def decide_move_by_ruling(game: Game, order: Move, dice: Dice) -> list[Result]:
    """Move a unit elsewhere, and end its locks and contacts."""
    results = decide_move(game, order, dice)
    unit = game.units[order.unit]
    own = (event for tie in ("locked", "contact") if unit.names(tie) for event in changed(unit, tie, None, rule=RULE))
    return [*results, *own, *untied(game, (order.unit,), f"{order.unit} moved", RULE)]


def decide_remove_by_ruling(game: Game, order: Remove, dice: Dice) -> list[Result]:
    """Remove a unit from play, and end its locks and contacts."""
    return [*decide_remove(game, order, dice), *untied(game, (order.unit,), f"{order.unit} is gone", RULE)]
