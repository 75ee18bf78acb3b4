"""Carry out the automatic actions of a scenario's steps, and their orders `draw`, `throw` and `seal-choice`."""

from collections.abc import Callable, Iterable, Mapping

from umpire_ledger.domain.titles.freeform.action_script import carry_out, modifiers_in, read_lines
from umpire_ledger.domain.titles.freeform.language import Node
from umpire_ledger.domain.titles.freeform.names import Names
from umpire_ledger.domain.titles.freeform.refusals import REFUSALS
from umpire_ledger.domain.titles.freeform.texts import DrawText, PlaceText, SealText, ThrowText
from umpire_ledger.domain.titles.freeform.values import EvaluationContext
from umpire_ledger.kit import (
    Acts,
    Closes,
    Decide,
    Dice,
    Game,
    Order,
    Result,
    RollTable,
    RuleViolation,
    SealChoice,
    TableRoll,
    marked,
    names_in,
    on_table,
    refusal,
    seal,
    step_open,
)


class Draw(Order, frozen=True, kw_only=True, tag="draw"):
    """Draw a chit from the cup of this step."""


class Throw(TableRoll, frozen=True, kw_only=True, tag="throw"):
    """Throw the dice of this step on its table."""


def read_acts(names: Names, place: PlaceText, path: str) -> Acts | None:
    """Return the automatic actions of a step, for when it opens; None if it has none."""
    lines = read_lines(names, place.does, path, place.rules[0] if place.rules else "")

    def act(game: Game) -> list[Result]:
        return carry_out(lines, EvaluationContext(game, game.cursor.side()))[0]

    return act if lines else None


# --- orders -----------------------------------------------------------------------------------------------------------

NOT_HERE = "no step of this moment is for it"


def decide_draw(steps: Mapping[str, tuple[DrawText, str]]) -> Decide:
    """Return the `decide` function that draws from the cup of the open step.

    Args:
        steps: The draw of each step, with its rule.
    """

    def decide(game: Game, order: Draw, dice: Dice) -> list[Result]:
        text, rule = steps[step_open(game)]
        chits = names_in(game, text.cup)
        if not chits:
            where, cited = game.where, rule or "the cup"
            raise refusal(RuleViolation, REFUSALS, "cup-empty", {"cup": text.cup}, where=where, rule=cited)
        results: list[Result] = []
        at = 0
        if len(chits) > 1:
            rolled = dice.roll(f"1d{len(chits)}", purpose=f"a chit from {text.cup}", rule=rule)
            results, at = [rolled], rolled.total - 1
        left = (*chits[:at], *chits[at + 1 :])
        results += marked(game, text.cup, left, cause=f"{chits[at]} is drawn", rule=rule)
        return [*results, *marked(game, text.into, chits[at], cause="drawn", rule=rule), Closes(everybody=True)]

    return decide


Throwing = tuple[ThrowText, str, tuple[tuple[Node, str], ...]]
"""The roll of a step, its rule, and its modifiers."""


def decide_throw(steps: Mapping[str, Throwing]) -> Decide:
    """Return the `decide` function that rolls on the open step's table and puts the result into a marker."""

    def decide(game: Game, order: Throw, dice: Dice) -> list[Result]:
        text, rule, plus = steps[step_open(game)]
        modifiers = modifiers_in(plus, EvaluationContext(game, game.side_of(order.seat)))
        table = RollTable(text.table)
        outcome = on_table(game, dice, order, table, purpose=text.purpose, rule=rule or "tables", modifiers=modifiers)
        if outcome.row is None:
            return list(outcome.told)
        into = marked(game, text.into, outcome.said, cause=text.purpose, rule=rule) if text.into else []
        return [*outcome.told, *into, Closes()]

    return decide


def decide_sealing(steps: Mapping[str, tuple[SealText, str]]) -> Decide:
    """Return the `decide` function that seals an answer to the question of the open step.

    In a step without a question, it seals any answer to any question.
    """

    def decide(game: Game, order: SealChoice, _: Dice) -> list[Result]:
        text, rule = steps.get(step_open(game), (None, ""))
        side = game.side_of(order.seat) or order.seat
        if text is None:
            return list(seal(game, side, order.question, order.choice))
        if order.question != text.question:
            code = "other-question"
            fields: dict[str, object] = {"question": text.question, "given": order.question}
        elif text.choices and order.choice not in text.choices:
            code = "not-an-answer"
            fields = {"given": order.choice, "question": text.question, "choices": text.choices}
        else:
            return [*seal(game, side, order.question, order.choice, rule), Closes()]
        raise refusal(RuleViolation, REFUSALS, code, fields, where=game.where, rule=rule or "sealed choices")

    return decide


def sealings(steps: Mapping[str, tuple[SealText, str]]) -> Callable[[Game, str], Iterable[Order]]:
    """Return the function that suggests answers to the question of the open step."""

    def tries(game: Game, side: str) -> Iterable[Order]:
        text, _ = steps.get(step_open(game), (None, ""))
        for choice in (text.choices or ("yes", "no")) if text is not None else ():
            yield SealChoice(seat=side, question=text.question if text else "", choice=choice)

    return tries
