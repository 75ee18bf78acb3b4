"""What a title does without one of its scenario's tables: it refuses, when the game is opened or by a rule."""

from collections.abc import Iterator

from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.errors import RuleViolation, ScenarioError
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.state import replace
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.testing.examples import error_text
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.random_play import NO_PAST, opened
from umpire_ledger.testing.trial import Trial

_REFUSE = "look rows up with `look_up`, which refuses by itself, or check the scenario whole in its `faults`"


def missing(trial: Trial) -> Iterator[Finding]:
    """Each scenario without each of its tables: opened, and every kind of order given in a game that was opened so."""
    for at, scenario in enumerate(trial.scenarios):
        for table in sorted(scenario.tables):
            yield from _without(trial, at, scenario, table)


def _without(trial: Trial, at: int, scenario: Scenario, table: str) -> Iterator[Finding]:
    name = trial.files[at].stem
    try:
        game = _opened(trial, scenario, table).game
    except (ScenarioError, RuleViolation):
        return
    except Exception as error:
        what = f"opening {name} without its table {table} raised {error_text(error)}"
        yield Finding(what=what, remedy=_REFUSE, about=table)
        return
    for examples in trial.observed.examples.values():
        for example in examples:
            if example.scenario != at:
                continue
            try:
                decide(trial.title, replace(example.game, tables=game.tables), Sent(order=example.order), NO_PAST)
            except RuleViolation:
                continue
            except Exception as error:
                what = f"{example.order.tag()} without the table {table} of {name} raised {error_text(error)}"
                yield example.finding(what, _REFUSE, about=table)
                return


def _opened(trial: Trial, scenario: Scenario, table: str) -> Decision:
    """A game without a table. Raises ScenarioError where the scenario's own check refuses it."""
    tables = {name: one for name, one in scenario.tables.items() if name != table}
    try:
        without = replace(scenario, tables=tables)
    except ValueError as error:  # a scenario's own check, as when its file is read
        raise ScenarioError(str(error), where="$.tables", rule="the scenario", remedy="add the table") from error
    return opened(trial.title, without, trial.seed)
