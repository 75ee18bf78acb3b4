"""Determine the intelligence of a side (5.1.B and 5.1.Q).

Each side's level is secret, and only the Reaction player knows the Condition. Their rolls are as secret as their
results. The Reaction player reveals the Condition in 5.1.R. The page does not print the moment, so the player may
choose it, but the phase cannot end before.
"""

from collections.abc import Mapping

from umpire_ledger.domain.titles.pacific_war import house_values
from umpire_ledger.domain.titles.pacific_war.pieces import refuse
from umpire_ledger.domain.titles.pacific_war.tables import roll_on
from umpire_ledger.kit import (
    AnyEvent,
    Choice,
    ChoiceMade,
    ChoiceSealed,
    Closes,
    Dice,
    Game,
    Modifier,
    Order,
    RestrictedEvent,
    Result,
    TableRoll,
    Value,
    choice_key,
    marked,
    number_of,
    reveal,
    secret_viewers,
)

LEVEL, CONDITION = "strategic intelligence", "operational intelligence"
B, Q, R = "5.1.B [7.0]", "5.1.Q [21.0]", "5.1.R [23.5]"


class DetermineLevel(TableRoll, frozen=True, kw_only=True, tag="determine-level"):
    """Roll secretly for the side's Strategic Intelligence level of the month."""


class DetermineCondition(TableRoll, frozen=True, kw_only=True, tag="determine-condition"):
    """Roll secretly for the Operational Intelligence Condition, as the Reaction player, with that side's own level."""


class RevealCondition(Order, frozen=True, kw_only=True, tag="reveal-condition"):
    """Reveal the Condition, as the Reaction player."""


class ForceEnd(Order, frozen=True, kw_only=True, tag="force-end"):
    """End the Operation player's contact phase, as the Reaction player, if the revealed Condition allows it."""


def sealed(game: Game, side: str, question: str, choice: Value, rule: str) -> list[Result]:
    """Seal a choice in place of any earlier one: one public record and one private record."""
    secret: AnyEvent = ChoiceMade(question=question, side=side, choice=choice, sealed=True, rule=rule)
    return [ChoiceSealed(question=question, side=side, rule=rule), RestrictedEvent(secret, secret_viewers(game, side))]


def level_of(game: Game, side: str) -> int:
    """Return a side's Strategic Intelligence level; 0 if this copy of the game does not know it."""
    known = game.choices.get(choice_key(LEVEL, side), Choice(question=LEVEL, side=side))
    return known.choice if isinstance(known.choice, int) else 0


def decide_determine_level(game: Game, order: DetermineLevel, dice: Dice) -> list[Result]:
    """Roll on the side's own table; only that side sees the roll and the level."""
    side = game.side_of(order.seat)
    table, purpose = f"strategic-intelligence/{side}", f"{LEVEL} of {side}"
    rolled = roll_on(game, dice, order, table, purpose=purpose, rule=B, seen_by=secret_viewers(game, side))
    if rolled.row is None:
        return list(rolled.told)
    return [*rolled.told, *sealed(game, side, LEVEL, rolled.number("level"), B), Closes()]


# --- the Condition ----------------------------------------------------------------------------------------------------


def decide_determine_condition(game: Game, order: DetermineCondition, dice: Dice) -> list[Result]:
    """Roll on the scenario's table with the Reaction player's own level added; only that player sees the roll."""
    side = game.side_of(order.seat)
    amount = number_of(game, house_values.CONDITION) * level_of(game, side)
    level = Modifier(amount=amount, source=f"{LEVEL} level")
    own = secret_viewers(game, side)
    rolled = roll_on(game, dice, order, CONDITION_TABLE, purpose=CONDITION, rule=Q, modifiers=(level,), seen_by=own)
    if rolled.row is None:
        return list(rolled.told)
    return [*rolled.told, *sealed(game, side, CONDITION, rolled.value("condition"), Q), Closes()]


CONDITION_TABLE = "operational-intelligence"


def condition_is_hidden(game: Game, _: str) -> bool:
    """Return whether the Condition of this operation is not revealed yet."""
    return not game.markers.get("condition")


def decide_reveal_condition(game: Game, order: RevealCondition, _: Dice) -> list[Result]:
    """Reveal the Condition to both sides.

    Raises:
        RuleViolation: The Condition is already revealed.
    """
    if not condition_is_hidden(game, ""):
        raise refuse(game, "condition-revealed-already", R)
    side = game.side_of(order.seat)
    choice = game.choices[choice_key(CONDITION, side)].choice
    return [*reveal(game, side, CONDITION, R), *marked(game, "condition", choice, "revealed", R)]


def condition_row(game: Game) -> Mapping[str, Value]:
    """Return the table row of the revealed Condition; an empty one while it is hidden."""
    rows = game.tables.get(CONDITION_TABLE, {}).get("rows", {}).values()
    return next((row for row in rows if row.get("condition") == game.markers.get("condition")), {})


def limit(game: Game, name: str) -> int:
    """Return a limit that the Condition sets for the Reaction player; -1 for none."""
    value = condition_row(game).get(name, -1)
    return value if isinstance(value, int) else -1


def decide_force_end(game: Game, order: ForceEnd, _: Dice) -> list[Result]:
    """End the contact phase of the Operation player; 5.1.S follows.

    Raises:
        RuleViolation: The Condition is hidden, or does not allow this.
    """
    if condition_is_hidden(game, ""):
        raise refuse(game, "hidden-condition", R)
    if not condition_row(game).get("forces"):
        raise refuse(game, "condition-does-not-end", R, condition=game.markers["condition"])
    return [Closes()]
