"""Opening a game: the scenario's set-up, a fresh seed where the ledger throws the dice, and the first step."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from umpire_ledger.domain.flow.gate import why_never
from umpire_ledger.domain.flow.sequence_checks.every_check import Fault, check
from umpire_ledger.domain.flow.walk import Walk
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.dice import commitment_of, parse
from umpire_ledger.domain.game.errors import RuleViolation, ScenarioError, TitleFault
from umpire_ledger.domain.game.events import AnyEvent, DiceCommitted, DiceSeeded, DiceSource, GameOpened, Told, Value
from umpire_ledger.domain.game.scenario import Scenario, parse_scenario, read_scenario, title_of
from umpire_ledger.domain.game.secrets import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.faults import call, name_of
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.resuming import resume, verify_position

MOST_FAULTS = 3
"""Faults of a title that a refusal names."""


def scenario_for(title: Title, text: str) -> Scenario:
    """The scenario of a file, checked against the title that it names.

    Raises:
        ScenarioError: another title's, or a line of it does not fit the schema.
        TitleFault: the title's sequence of play is not sound; the schema's own code raised something else.
    """
    _verify_sound(title)
    parsed = parse_scenario(text)
    named = title_of(parsed)
    if named != title.id:
        raise ScenarioError(
            f"the scenario is for {named}, not for {title.id}",
            where="$.title",
            rule="the title's scenario schema",
            remedy=f"open it with `umpire new {named}`",
        )
    scenario: Scenario = call(title.id, "reading a scenario", read_scenario, (parsed, title.scenario))
    return scenario


def sound(title: Title) -> tuple[Fault, ...]:
    """What the static checks find in a title. Raises TitleFault for a sequence that they cannot even read."""
    faults: tuple[Fault, ...] = call(title.id, "the static checks", check, (title,))
    return faults


def _verify_sound(title: Title) -> None:
    """A game is not begun that would stick or crash later on."""
    faults = sound(title)
    if faults:
        first = "; ".join(f"{one.place}: {one.what}" for one in faults[:MOST_FAULTS])
        more = len(faults) - MOST_FAULTS
        raise TitleFault(
            f"the title {title.id} is at fault: {first}{f'; and {more} more' if more > 0 else ''}",
            title=title.id,
            decision=name_of(None),
            where="the sequence of play",
            rule="the static checks of a title",
            remedy=f"no game was opened; send the author of {title.id} what `umpire doctor` says of it",
        )


def open_game(
    title: Title, scenario: Scenario, *, game: str, dice: DiceSource, seed: str, options: Mapping[str, Value]
) -> Decision:
    """The first order of every game: what the scenario sets up, and the first step. `seed`: 64 hex digits.

    Raises:
        ScenarioError: an option that the title does not know, set by the scenario or by `options`; a table is missing
            that an order of this game needs.
        TitleFault: what is set up does not fit, or the title's own code raised something else.
    """
    settled = settle_options(title, {**scenario.options, **options})
    if scenario.position is not None:
        verify_position(title, scenario, scenario.position)
    public = call(title.id, "what is public of a scenario", scenario.published, ())
    sheets = call(title.id, "what is looked up beside the tables", scenario.sheets, ())
    opened = GameOpened(
        game=game,
        title=title.id,
        version=title.version,
        name=scenario.name,
        sides=scenario.sides,
        dice=dice,
        options=settled,
        tables={**msgspec.to_builtins(scenario.tables), **sheets, **_numbers(title, scenario)},
        scenario=_without_position(public),
    )
    walk = Walk(title, Game())
    walk.tell(opened)
    if dice == "ledger":
        for told in seeding(seed, game):
            walk.tell(told)
    laid = title.set_up(msgspec.structs.replace(scenario, options=settled))
    if scenario.position is None:
        _set_up(walk, laid)
    else:
        _verify_tables(title, walk.game)
        resume(walk, scenario.position)
    return Decision(told=tuple(walk.told), game=walk.game)


def _set_up(walk: Walk, laid: Iterable[AnyEvent | Told]) -> None:
    """Lay what the title sets up on the table, and walk into the first step."""
    walk.decision = walk.title.set_up
    for event in laid:
        walk.tell(event)
    walk.decision = None
    _verify_tables(walk.title, walk.game)
    walk.begin()


def _without_position(scenario: Scenario) -> dict[str, Any]:
    """The scenario for everybody to read. A position may hold secrets; what is public of it follows as events."""
    plain: dict[str, Any] = msgspec.to_builtins(scenario)
    plain.pop("position", None)
    return plain


def _numbers(title: Title, scenario: Scenario) -> dict[str, object]:
    """The numbers that a scenario sets, for the tables. Raises ScenarioError for one that does not fit the title."""
    if isinstance(scenario.numbers, msgspec.UnsetType):
        return {}
    known = {one.name: one.value for one in title.ours if not one.where}
    for name, number in scenario.numbers.items():
        what, remedy = _why_no_number(title, known, name, number.value)
        if what:
            where = f"$.numbers.{name}"
            raise ScenarioError(what, where=where, rule="the numbers that no page prints", remedy=remedy)
    return {"numbers": msgspec.to_builtins(scenario.numbers)}


def _why_no_number(title: Title, known: Mapping[str, int | str], name: str, value: int | str) -> tuple[str, str]:
    """Why a scenario cannot set a number so, and what to do; empty when it can. A word is a roll's dice."""
    if name not in known:
        numbers = ", ".join(sorted(known)) or "none"
        return f"{title.name} has no number {name}", f"it has: {numbers}; `umpire titles {title.id}` explains them"
    if type(value) is not type(known[name]):
        return f"the number {name} is {value!r}", f"give it as ours is: {known[name]!r}"
    try:
        parse(value if isinstance(value, str) else "1d6")
    except RuleViolation as error:
        return f"{name}: {error.what}", error.remedy
    return "", ""


def _verify_tables(title: Title, game: Game) -> None:
    """Every table is there that an order or an act of this game looks up; what options switch off looks up nothing."""
    for step, who, tables in _looked_up(title):
        missing = next((table for table in tables if table not in game.tables), None)
        if missing is not None and not (step and why_never(title, game, step)):
            raise ScenarioError(
                f"the table {missing} is missing",
                where=f"$.tables.{missing}",
                rule="the tables that a title's orders need",
                remedy=f"write its rows into the scenario: {who}{f' in {step}' if step else ''} looks there",
            )


def _looked_up(title: Title) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Step ("" for any), who looks up there, and which tables."""
    for one in title.orders:
        if one.tables:
            allowed = [step.id for step in title.plan.leaves() if one.order in step.allows]
            for step in allowed if title.sequence is not None else ("",):
                yield step, one.order.tag(), one.tables
    for step, tables in title.tables.items():
        yield step, "what happens of itself", tables


def settle_options(title: Title, given: Mapping[str, Value]) -> dict[str, Value]:
    """Every option of a game: what is given, and the title's default for the others.

    A title without a sequence takes any option: it plays under rules that we do not have.
    Raises ScenarioError, with the option's path, for one that the title does not know or of another type.
    """
    known = {CLOSED_TO_REFEREE: False, **title.options}
    for name, value in given.items():
        path = f"$.options.{name}"
        if name not in known:
            if title.sequence is not None:
                remedy = f"options of this title: {', '.join(sorted(known))}"
                raise _refuse(f"{title.name} has no option {name}", path, remedy)
        elif known[name] is not None and type(value) is not type(known[name]):
            kind = _KINDS.get(type(known[name]), "a list of names")
            raise _refuse(f"option {name} is {value!r}", path, f"give it {kind}, for instance {known[name]!r}")
    return {**title.options, **given}


_KINDS: dict[type, str] = {bool: "true or false", int: "a whole number", str: "a word"}


def _refuse(what: str, where: str, remedy: str) -> ScenarioError:
    return ScenarioError(what, where=where, rule="the title's options", remedy=remedy)


def seeding(seed: str, label: str) -> tuple[AnyEvent | Told, ...]:
    """A new seed for the ledger's dice: its commitment for all, itself for nobody."""
    return (DiceCommitted(commitment=commitment_of(seed), label=label), Told(DiceSeeded(seed=seed), ()))
