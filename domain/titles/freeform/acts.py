"""What a step of a scenario's own sequence does of itself, and the orders that it is for: `draw`, `throw`, sealing."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from umpire_ledger.domain.titles.freeform.language import Literal, Node
from umpire_ledger.domain.titles.freeform.names import Names
from umpire_ledger.domain.titles.freeform.texts import ActText, DrawText, Given, PlaceText, SealText, ThrowText
from umpire_ledger.domain.titles.freeform.values import Asked, holds, units, value
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
    Value,
    after,
    changed,
    marked,
    names_in,
    on_table,
    paid,
    removed,
    reveal,
    seal,
    step_open,
)

KINDS = ("set", "pay", "change", "remove", "reveal")


class Draw(Order, frozen=True, kw_only=True, tag="draw"):
    """Draw a chit from the cup of this step."""


class Throw(TableRoll, frozen=True, kw_only=True, tag="throw"):
    """Throw the dice of this step on its table."""


# --- what happens of itself -------------------------------------------------------------------------------------------


class Act(NamedTuple):
    """One line of `does`, read: what it says, its expressions, and the rule that it stands under."""

    text: ActText
    to: Node | None
    of: Node | None
    when: Node | None
    rule: str


def read_acts(names: Names, place: PlaceText, path: str) -> Acts | None:
    """What a step does when it opens; None for nothing."""
    rule = place.rules[0] if place.rules else ""
    found = [_read_act(names, text, f"{path}.does[{at}]", rule) for at, text in enumerate(place.does)]
    acts = tuple(one for one in found if one is not None)

    def act(game: Game) -> list[Result]:
        results: list[Result] = []
        for one in acts:
            results += _done(one, after(game, results))
        return results

    return act if acts else None


def _read_act(names: Names, text: ActText, path: str, rule: str) -> Act | None:
    kinds = [kind for kind in KINDS if getattr(text, kind)]
    if len(kinds) != 1:
        names.fault(
            f"a line of `does` says {' and '.join(kinds) or 'nothing'}", path, f"write one of: {', '.join(KINDS)}"
        )
        return None
    if text.change and not text.of:
        names.fault(
            f"of which units {text.change} changes is not said", path, 'write for instance of = "side = active"'
        )
        return None
    if text.pay:
        names.named("account", text.pay, f"{path}.pay")
    said = text.amount if text.pay else text.to
    to = _given(names, said, f"{path}.{'amount' if text.pay else 'to'}", of_units=bool(text.change))
    of = text.of or text.remove
    return Act(
        text=text,
        to=to,
        of=names.expression(of, f"{path}.{'of' if text.of else 'remove'}", of_units=True) if of else None,
        when=names.expression(text.when, f"{path}.when") if text.when else None,
        rule=rule,
    )


def _given(names: Names, said: Given, path: str, *, of_units: bool) -> Node | None:
    """A value as it stands, or the expression that gives it; "" gives nothing."""
    if isinstance(said, str):
        return names.expression(said, path, of_units=of_units) if said else None
    return Literal(said)


def _done(act: Act, game: Game) -> list[Result]:
    text, asked = act.text, Asked(game, game.cursor.side())
    if act.when is not None and not holds(act.when, asked):
        return []
    if text.set:
        return marked(game, text.set, _value(act.to, asked), rule=act.rule)
    if text.pay:
        amount = _value(act.to, asked)
        return paid(game, text.pay, amount if isinstance(amount, int) else 0, rule=act.rule)
    if text.reveal:
        sides = [one.side for one in game.choices.values() if one.question == text.reveal and one.sealed]
        return [told for side in sorted(sides) for told in reveal(game, side, text.reveal, act.rule)]
    found = units(act.of, asked)
    if text.remove:
        return [one for unit in found for one in removed(unit, text.fate, rule=act.rule)]
    return [
        one
        for unit in found
        for one in changed(unit, text.change, _value(act.to, asked._replace(unit=unit)), rule=act.rule)
    ]


def _value(node: Node | None, asked: Asked) -> Value:
    return None if node is None else value(node, asked)


# --- orders -----------------------------------------------------------------------------------------------------------

NOT_HERE = "no step of this moment is for it"


def decide_draw(steps: Mapping[str, tuple[DrawText, str]]) -> Decide:
    """Draws from the cup of the open step; `steps`: each with its rule."""

    def decide(game: Game, order: Draw, dice: Dice) -> list[Result]:
        text, rule = steps[step_open(game)]
        chits = names_in(game, text.cup)
        if not chits:
            raise RuleViolation(
                f"nothing is left in {text.cup}", where=game.where, rule=rule or "the cup", remedy="leave with `done`"
            )
        results: list[Result] = []
        at = 0
        if len(chits) > 1:
            rolled = dice.roll(f"1d{len(chits)}", purpose=f"a chit from {text.cup}", rule=rule)
            results, at = [rolled], rolled.total - 1
        left = (*chits[:at], *chits[at + 1 :])
        results += marked(game, text.cup, left, cause=f"{chits[at]} is drawn", rule=rule)
        return [*results, *marked(game, text.into, chits[at], cause="drawn", rule=rule), Closes(everybody=True)]

    return decide


def decide_throw(steps: Mapping[str, tuple[ThrowText, str]]) -> Decide:
    """Throws on the table of the open step; what its row says goes into a marker."""

    def decide(game: Game, order: Throw, dice: Dice) -> list[Result]:
        text, rule = steps[step_open(game)]
        outcome = on_table(game, dice, order, RollTable(text.table), purpose=text.purpose, rule=rule or "tables")
        if outcome.row is None:
            return list(outcome.told)
        into = marked(game, text.into, outcome.said, cause=text.purpose, rule=rule) if text.into else []
        return [*outcome.told, *into, Closes()]

    return decide


def decide_sealing(steps: Mapping[str, tuple[SealText, str]]) -> Decide:
    """Seals the answer that the open step asks for; elsewhere any answer to any other question."""

    def decide(game: Game, order: SealChoice, _: Dice) -> list[Result]:
        text, rule = steps.get(step_open(game), (None, ""))
        side = game.side_of(order.seat) or order.seat
        if text is None:
            return list(seal(game, side, order.question, order.choice))
        if order.question != text.question:
            what, remedy = f"this step asks for {text.question}, not {order.question}", f"seal {text.question}"
        elif text.choices and order.choice not in text.choices:
            what, remedy = f"{order.choice} is no answer to {text.question}", f"seal one of: {', '.join(text.choices)}"
        else:
            return [*seal(game, side, order.question, order.choice, rule), Closes()]
        raise RuleViolation(what, where=game.where, rule=rule or "sealed choices", remedy=remedy)

    return decide


def sealings(steps: Mapping[str, tuple[SealText, str]]) -> Callable[[Game, str], Iterable[Order]]:
    """Answers worth trying where something is to be sealed."""

    def tries(game: Game, side: str) -> Iterable[Order]:
        text, _ = steps.get(step_open(game), (None, ""))
        for choice in (text.choices or ("yes", "no")) if text is not None else ():
            yield SealChoice(seat=side, question=text.question if text else "", choice=choice)

    return tries
