"""Carry out the lines of `does`, one after another, of a step that opens or of an order that a scenario defines.

Each line sees the results of the lines before it. Steps never roll dice automatically: a player or the referee must
give an order.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain, count
from typing import NamedTuple

from umpire_ledger.domain.titles.freeform.language import Literal, Node
from umpire_ledger.domain.titles.freeform.names import Names
from umpire_ledger.domain.titles.freeform.texts import ActText, DoText, Given, PlusText
from umpire_ledger.domain.titles.freeform.values import EvaluationContext, bounded, filled, holds, units, value
from umpire_ledger.kit import (
    REFEREE,
    Dice,
    Finds,
    Game,
    GameEnded,
    Modified,
    Modifier,
    Order,
    Result,
    RollTable,
    RuleViolation,
    TableRoll,
    UnitPlaced,
    Value,
    after,
    changed,
    is_foggy,
    known_to,
    marked,
    modifiers_of,
    moved,
    on_table,
    paid,
    parse_dice,
    removed,
    replace,
    reveal,
    shown,
)

OF_STEPS = ("set", "pay", "change", "move", "place", "remove", "show", "reveal", "wins")
OF_ORDERS = (*OF_STEPS, "throw", "let", "find")
TOTAL, RESULT = "total", "result"
MOST_TIMES = 100
"""The most dice of one roll."""
MOST_NAME = 70
"""The most characters of a new unit's id without its number; orders accept ids of up to 80."""
SECOND = 2
ROW = str | dict[str, Value]


class ScriptLine(NamedTuple):
    """A parsed line.

    `nodes`: its expressions by entry; `modifiers`: those of its roll; `rule`: the rule that it cites.
    """

    kind: str
    text: ActText
    nodes: Mapping[str, Node]
    modifiers: tuple[tuple[Node, str], ...]
    rule: str


class Thrower(NamedTuple):
    """The dice and the order of a roll, and the units that the order names."""

    dice: Dice
    order: Order
    subjects: tuple[str, ...]


class _Done(NamedTuple):
    """The events of a line, and the names and the table row that it defines for later lines.

    `over`: whether later lines are skipped.
    """

    told: list[Result]
    known: Mapping[str, Value] = {}
    row: Mapping[str, Value] = {}
    over: bool = False


# --- reading ----------------------------------------------------------------------------------------------------------


def read_lines(
    names: Names, texts: Iterable[ActText], path: str, rule: str, bare: frozenset[str] | None = None
) -> tuple[ScriptLine, ...]:
    """Parse the lines of a step or of an order, and collect their faults.

    Args:
        bare: The arguments of the order; None for a step.
    """
    found = list[ScriptLine]()
    known = bare or frozenset()
    for at, text in enumerate(texts):
        line = _read_line(names, text, f"{path}.does[{at}]", rule, known, OF_STEPS if bare is None else OF_ORDERS)
        if line is not None:
            found.append(line)
            known |= _names_from(line)
    return tuple(found)


def _names_from(line: ScriptLine) -> set[str]:
    """Return the names that a line defines for the lines below it."""
    text = line.text
    if not isinstance(text, DoText):
        return set()
    if line.kind == "let":
        return {text.let}
    return {text.called or TOTAL, *((RESULT,) if text.table else ())} if line.kind == "throw" else set()


def _read_line(
    names: Names, text: ActText, path: str, rule: str, bare: frozenset[str], kinds: tuple[str, ...]
) -> ScriptLine | None:
    said = [kind for kind in kinds if getattr(text, kind) or (kind == "throw" and getattr(text, "table", ""))]
    if len(said) != 1:
        what = f"a line of `does` has {' and '.join(said) or 'no action'}"
        names.fault(what, path, f"write exactly one of: {', '.join(kinds)}")
        return None
    kind = said[0]
    _verify_line(names, kind, text, path, bare)
    nodes = {
        entry: node
        for entry, (given, of_units) in _expressions(kind, text).items()
        if (node := _given(names, given, f"{path}.{entry}", of_units=of_units, bare=bare)) is not None
    }
    plus = text.modifiers if isinstance(text, DoText) else ()
    return ScriptLine(kind, text, nodes, read_modifiers(names, plus, path, bare), rule)


def _expressions(kind: str, text: ActText) -> dict[str, tuple[Given, bool]]:
    """Return the entries of a line that are expressions, each with whether it is evaluated for each unit."""
    found: dict[str, tuple[Given, bool]] = {"when": (text.when, False)}
    match kind:
        case "set" | "let":
            found["to"] = text.to, False
        case "pay":
            found["amount"] = text.amount, False
        case "change":
            found |= {"of": (text.of, True), "to": (text.to, True)}
        case "move":
            found |= {"move": (text.move, True), "to": (text.to, True)}
        case "place":
            found |= {"side": (text.side, False), "to": (text.to, False)}
        case "remove":
            found["remove"] = text.remove, True
        case "show":
            found["show"] = text.show, True
        case "find" if isinstance(text, DoText):
            found["find"] = text.find, True
        case "wins":
            found["wins"] = text.wins, False
        case "throw" if isinstance(text, DoText):
            found |= {entry: (getattr(text, entry), False) for entry in ("times", "least") if getattr(text, entry)}
        case _:
            pass
    return found


def _verify_line(names: Names, kind: str, text: ActText, path: str, bare: frozenset[str]) -> None:
    """Collect the faults of a line outside its expressions."""
    if kind == "change" and not text.of:
        what = f"the units of the change {text.change} are missing"
        names.fault(what, path, 'write, for example, of = "side = active"')
    if kind == "move" and not text.to:
        names.fault("the destination of the units is missing", path, "write to = \"'0303'\", or a list of places")
    if kind == "place":
        _verify_place(names, text, path, bare)
    if kind == "pay":
        names.template("account", text.pay, f"{path}.pay", bare)
    for entry in ("set", "why"):
        names.within(getattr(text, entry), f"{path}.{entry}", bare)
    if isinstance(text, DoText):
        _verify_throw(names, text, path, bare)


def _verify_place(names: Names, text: ActText, path: str, bare: frozenset[str]) -> None:
    names.within(text.place, f"{path}.place", bare)
    missing = [entry for entry in ("kind", "side", "to") if not getattr(text, entry)]
    if missing:
        what = f"the placed unit has no {' and no '.join(missing)}"
        names.fault(what, path, """write, for example, kind = "foot", side = "active", to = "'0303'\"""")


def _verify_throw(names: Names, text: DoText, path: str, bare: frozenset[str]) -> None:
    for entry in ("purpose", "nothing"):
        names.within(getattr(text, entry), f"{path}.{entry}", bare)
    if text.throw:
        try:
            parse_dice(text.throw)
        except RuleViolation as error:
            names.fault(error.what, f"{path}.throw", error.remedy)
    if text.table:
        names.template("table", text.table, f"{path}.table", bare)
    for entry in ("called", "let"):
        name = getattr(text, entry)
        if name and not name.isidentifier():
            names.fault(f"{name!r} is not a valid name", f"{path}.{entry}", "use letters, digits and _")


def read_modifiers(
    names: Names, texts: Iterable[PlusText], path: str, bare: frozenset[str] = frozenset()
) -> tuple[tuple[Node, str], ...]:
    """Parse the modifiers of a roll into pairs of an expression and its source."""
    found = list[tuple[Node, str]]()
    for at, text in enumerate(texts):
        where = f"{path}.modifiers[{at}]"
        names.within(text.source, f"{where}.source", bare)
        node = _given(names, text.amount, f"{where}.amount", of_units=False, bare=bare)
        if node is not None:
            found.append((node, text.source))
    return tuple(found)


def _given(names: Names, said: Given, path: str, *, of_units: bool, bare: frozenset[str]) -> Node | None:
    """Return a plain value as a literal, or the parsed expression; None for ""."""
    if isinstance(said, str):
        return names.expression(said, path, of_units=of_units, bare=bare) if said else None
    return Literal(said)


# --- carrying out -----------------------------------------------------------------------------------------------------


def carry_out(
    lines: Iterable[ScriptLine], asked: EvaluationContext, thrower: Thrower | None = None
) -> tuple[list[Result], bool]:
    """Carry out the lines in order; return their results, and whether the last line was reached."""
    results: list[Result] = []
    for line in lines:
        if "when" in line.nodes and not holds(line.nodes["when"], asked):
            results += (
                [Finds(rule=line.rule)] if line.kind == "find" else []
            )  # the same number of records as with a search
            continue
        done = _throw(line, asked, thrower) if line.kind == "throw" and thrower else _DOES[line.kind](line, asked)
        results += done.told
        if done.over:
            return results, False
        asked = asked._replace(
            game=after(asked.game, done.told), given={**asked.given, **done.known}, row=done.row or asked.row
        )
    return results, True


def _value(line: ScriptLine, entry: str, asked: EvaluationContext) -> Value:
    return value(line.nodes[entry], asked) if entry in line.nodes else None


def _number(line: ScriptLine, entry: str, asked: EvaluationContext) -> int:
    found = _value(line, entry, asked)
    return found if isinstance(found, int) else 0


def _set(line: ScriptLine, asked: EvaluationContext) -> _Done:
    return _Done(marked(asked.game, filled(line.text.set, asked), _value(line, "to", asked), rule=line.rule))


def _pay(line: ScriptLine, asked: EvaluationContext) -> _Done:
    account = filled(line.text.pay, asked)
    before = asked.game.accounts.get(account, 0)
    amount = bounded(before + _number(line, "amount", asked)) - before
    return _Done(paid(asked.game, account, amount, rule=line.rule))


def _change(line: ScriptLine, asked: EvaluationContext) -> _Done:
    return _Done(
        [
            one
            for unit in units(line.nodes.get("of"), asked)
            for one in changed(unit, line.text.change, _value(line, "to", asked._replace(unit=unit)), rule=line.rule)
        ]
    )


def _move(line: ScriptLine, asked: EvaluationContext) -> _Done:
    told: list[Result] = []
    for unit in units(line.nodes.get("move"), asked):
        to = _value(line, "to", asked._replace(unit=unit))
        path = to if isinstance(to, tuple) else (to,) if isinstance(to, str) and to != unit.at else ()
        told += moved(unit, path, rule=line.rule)
    return _Done(told)


def _place(line: ScriptLine, asked: EvaluationContext) -> _Done:
    """Place a unit; do nothing without a valid side or place."""
    side, at = _value(line, "side", asked), _value(line, "to", asked)
    if side not in asked.game.side_ids or not isinstance(at, str) or not at:
        return _Done([])
    unit = _unused(filled(line.text.place, asked)[:MOST_NAME], asked.game)
    return _Done(
        [UnitPlaced(unit=unit, side=str(side), kind=line.text.kind, at=at, attributes=line.text.has, rule=line.rule)]
    )


def _unused(name: str, game: Game) -> str:
    """Return the name, with a number added if any unit, in play or not, already has it."""
    if is_foggy(game) and any(name.startswith(f"{side}-") for side in game.side_ids):
        name = f"new-{name}"  # do not reveal which ids are free: hidden units may use them
    taken = {*game.units, *(one.unit.id for one in game.sightings.values())}
    return next(one for one in chain((name,), (f"{name}-{n}" for n in count(SECOND))) if one not in taken)


def _remove(line: ScriptLine, asked: EvaluationContext) -> _Done:
    found = units(line.nodes.get("remove"), asked)
    return _Done([one for unit in found for one in removed(unit, line.text.fate, rule=line.rule)])


def _show(line: ScriptLine, asked: EvaluationContext) -> _Done:
    """Reveal matching hidden units: in a step any of them, in an order only units that its side sees."""
    game = known_to(asked.game, REFEREE)
    found = units(line.nodes.get("show"), asked._replace(game=game))
    return _Done([one for unit in found if unit.id in game.hidden for one in shown(game, unit, (), rule=line.rule)])


def _find(line: ScriptLine, asked: EvaluationContext) -> _Done:
    """Return a search. `domain.play.searches` finds its result, because it knows the hidden units."""

    def which(whole: Game) -> list[str]:
        return [unit.id for unit in units(line.nodes.get("find"), asked._replace(game=whole))]

    nothing = filled(getattr(line.text, "nothing", ""), asked)
    return _Done([Finds(which=which, nothing=nothing, rule=line.rule)])


def _reveal(line: ScriptLine, asked: EvaluationContext) -> _Done:
    question = line.text.reveal
    sides = [one.side for one in asked.game.choices.values() if one.question == question and one.sealed]
    return _Done([told for side in sorted(sides) for told in reveal(asked.game, side, question, line.rule)])


def _wins(line: ScriptLine, asked: EvaluationContext) -> _Done:
    winner = _value(line, "wins", asked)
    why = filled(line.text.why, asked) or "the scenario names the winner"
    won = winner if isinstance(winner, str) and winner in asked.game.side_ids else ""
    return _Done([GameEnded(why=why, winner=won, rule=line.rule)], over=True)


def _let(line: ScriptLine, asked: EvaluationContext) -> _Done:
    return _Done([], {getattr(line.text, "let", ""): _value(line, "to", asked)})


_DOES: Mapping[str, Callable[[ScriptLine, EvaluationContext], _Done]] = {
    "set": _set,
    "pay": _pay,
    "change": _change,
    "move": _move,
    "place": _place,
    "remove": _remove,
    "show": _show,
    "find": _find,
    "reveal": _reveal,
    "wins": _wins,
    "let": _let,
}


# --- rolls ------------------------------------------------------------------------------------------------------------


def modifiers_in(modifiers: Iterable[tuple[Node, str]], asked: EvaluationContext) -> tuple[Modifier, ...]:
    """Return the modifiers with their current values, without those of 0."""
    found = ((value(node, asked), filled(source, asked)) for node, source in modifiers)
    return tuple(
        Modifier(amount=int(amount), source=source) for amount, source in found if isinstance(amount, int) and amount
    )


def _throw(line: ScriptLine, asked: EvaluationContext, by: Thrower) -> _Done:
    assert isinstance(line.text, DoText)
    modifiers = modifiers_in(line.modifiers, asked)
    purpose = filled(line.text.purpose, asked) or f"{by.order.tag()} {' '.join(by.subjects)}".strip()
    if line.text.table:
        return _on_table(line.text, asked, by, modifiers, purpose, line.rule)
    return _plain(line, line.text, asked, by, modifiers, purpose)


def _on_table(
    text: DoText, asked: EvaluationContext, by: Thrower, modifiers: tuple[Modifier, ...], purpose: str, rule: str
) -> _Done:
    assert isinstance(by.order, TableRoll)
    table = RollTable(filled(text.table, asked), ROW, text.throw or "1d6")
    outcome = on_table(
        asked.game,
        by.dice,
        by.order,
        table,
        purpose=purpose,
        rule=rule or "tables",
        subjects=by.subjects,
        modifiers=modifiers,
    )
    if outcome.row is None:
        return _Done(list(outcome.told), over=True)
    row = outcome.row if isinstance(outcome.row, dict) else {}
    told = [*outcome.told, *_into(text, asked.game, outcome.said, purpose, rule)]
    return _Done(told, {text.called or TOTAL: outcome.total, RESULT: outcome.said}, row)


def _plain(
    line: ScriptLine, text: DoText, asked: EvaluationContext, by: Thrower, modifiers: tuple[Modifier, ...], purpose: str
) -> _Done:
    """Roll dice for their total, or for the number of dice that show at least `least`; the result without dice is 0."""
    name, notation = text.called or TOTAL, text.throw
    if "times" in line.nodes:
        times = min(_number(line, "times", asked), MOST_TIMES)
        if times < 1:
            return _Done([], {name: 0})
        notation = f"{times}{notation[notation.index('d') :]}"
    least = _number(line, "least", asked)
    own = modifiers_of(by.order) if isinstance(by.order, Modified) else ()
    needed = f"{least} or more" if least else ""
    rolled = by.dice.roll(
        notation,
        purpose=purpose,
        modifiers=(*modifiers, *own),
        rule=line.rule,
        subjects=by.subjects,
        needed=needed,
    )
    counted = sum(pip >= least for pip in rolled.pips) if least else rolled.total
    if least:
        rolled = replace(rolled, outcome=f"{counted} of {len(rolled.pips)}")
    return _Done([rolled, *_into(text, asked.game, counted, purpose, line.rule)], {name: counted})


def _into(text: DoText, game: Game, value: Value, cause: str, rule: str) -> list[Result]:
    return marked(game, text.into, value, cause=cause, rule=rule) if text.into else []
