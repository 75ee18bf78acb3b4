"""Check that a title handles a missing scenario table with a refusal, when the game opens or by a rule.

If an order or an act needs a table, the title must declare it, so that no game can be opened without it.
"""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

import msgspec

from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.errors import RuleViolation, ScenarioError, UnknownName
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.title import Acts
from umpire_ledger.domain.play.scenario_needs import uses_of_tables
from umpire_ledger.testing.arguments import fields_of
from umpire_ledger.testing.examples import Example, error_text
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.promises.names import carried_out
from umpire_ledger.testing.random_play import opened
from umpire_ledger.testing.title_under_test import Trial

GAMES = 40
"""The most games in which each act is tried without a table."""
RULE = "the scenario's tables"
"""The rule under which `look_up` refuses."""
LOOKS_UP = "is refused; it looks the table up and does not declare it"
_REFUSE = "look rows up with `look_up`, which refuses by itself, or check the scenario whole in its `faults`"
_DECLARE = "declare it, so that no game is opened without it: {}"

Tables = Mapping[str, Any]


def missing(trial: Trial) -> Iterator[Finding]:
    """Open each scenario without one of its tables, and try every kind of order in that game."""
    for at, scenario in enumerate(trial.scenarios):
        for table in sorted(scenario.tables):
            yield from _without(trial, at, scenario, table)


def _without(trial: Trial, at: int, scenario: Scenario, table: str) -> Iterator[Finding]:
    name = trial.files[at].stem
    try:
        tables = _opened(trial, scenario, table).game.tables
    except (ScenarioError, RuleViolation):
        return
    except Exception as error:
        what = f"opening {name} without its table {table} raised {error_text(error)}"
        yield Finding(what=what, remedy=_REFUSE, about=table)
        return
    examples = [one for one in chain.from_iterable(trial.observed.examples.values()) if one.scenario == at]
    declared = table in uses_of_tables(trial.title)
    for finding in (*islice(_of_orders(trial, examples, table, tables), 1), *_of_acts(trial, examples, table, tables)):
        if finding.remedy == _REFUSE or not declared:
            yield finding


def _of_orders(trial: Trial, examples: list[Example], table: str, tables: Tables) -> Iterator[Finding]:
    """Yield a finding for each example that raises an exception without a table, or is refused by the lookup in it."""
    for example in examples:
        tag = example.order.tag()
        try:
            carried_out(trial.title, replace(example.game, tables=tables), Sent(order=example.order))
        except RuleViolation as refusal:
            if _is_of_tables(refusal) and table not in _words_of(example):
                what = f"{tag}, or an act after it, looks up the table {table}, which it does not declare"
                yield example.finding(what, _DECLARE.format(f"`does(…, tables=({table!r},))`"), about=table)
        except Exception as error:
            what = f"{tag} without the table {table} of {trial.files[example.scenario].stem} raised {error_text(error)}"
            yield example.finding(what, _REFUSE, about=table)


def _of_acts(trial: Trial, examples: list[Example], table: str, tables: Tables) -> Iterator[Finding]:
    """Yield a finding for each act that fails without a table, but does not fail with it in the same game."""
    for step, act in trial.title.acts.items():
        for example in examples[:GAMES]:
            failed = "" if _failure(act, example.game) else _failure(act, replace(example.game, tables=tables))
            if failed:
                what = f"the act of {step} without the table {table} {failed}"
                remedy = _DECLARE.format(f"`Title(…, tables={{{step!r}: ({table!r},)}})`")
                yield Finding(what=what, remedy=remedy if failed == LOOKS_UP else _REFUSE, about=table)
                break


def _failure(act: Acts, game: Game) -> str:
    """Return the failure of an act in a game; "" if it does not fail, or if a rule forbids it there."""
    try:
        act(game)
    except RuleViolation as refusal:
        return LOOKS_UP if _is_of_tables(refusal) else ""
    except Exception as error:
        return f"raised {error_text(error)}"
    return ""


def _is_of_tables(refusal: RuleViolation) -> bool:
    return isinstance(refusal, UnknownName) and refusal.rule == RULE


def _words_of(example: Example) -> set[str]:
    """Return all texts of an order, because the title does not have to declare a table that the order names."""
    return {field.value for field in fields_of(msgspec.to_builtins(example.order), example.game)}


def _opened(trial: Trial, scenario: Scenario, table: str) -> Decision:
    """Return a game opened without a table.

    Raises:
        ScenarioError: When the scenario's own check refuses it.
    """
    tables = {name: one for name, one in scenario.tables.items() if name != table}
    try:
        without = replace(scenario, tables=tables)
    except ValueError as error:  # The scenario's own check fails.
        raise ScenarioError(str(error), where="$.tables", rule="the scenario", remedy="add the table") from error
    return opened(trial.title, without, trial.seed)
