"""Scenario files before a game is opened: a template to write one from, its schema for editors, all that is wrong."""

from pathlib import Path
from typing import Any

from umpire_ledger.desk.core.adapters import need_title
from umpire_ledger.desk.core.text_files import read_text
from umpire_ledger.domain.play.scenario_check import Examined, LeftOut, ScenarioFinding, examine
from umpire_ledger.domain.play.scenario_schema import schema_of
from umpire_ledger.domain.play.scenario_template import template_of
from umpire_ledger.ledger.records.limits import MOST_SCENARIO

__all__ = [
    "Examined",
    "LeftOut",
    "ScenarioFinding",
    "check_scenario",
    "examined",
    "scenario_schema",
    "scenario_template",
]


def scenario_template(title: str) -> str:
    """A scenario (TOML) to begin with: every entry with its type and default. Raises NoSuchTitle, TitleFault."""
    return template_of(need_title(title))


def scenario_schema(title: str) -> dict[str, Any]:
    """The JSON Schema of a title's scenarios. Raises NoSuchTitle, TitleFault."""
    return schema_of(need_title(title))


def examined(scenario: str, title: str) -> Examined:
    """The same of a scenario's text, as one of a title. Raises NoSuchTitle, TitleFault."""
    need_title(title)
    return examine(scenario, need_title)


def check_scenario(scenario: str | Path) -> Examined:
    """Everything that is wrong with a scenario file, with lines, and what it leaves to the title.

    Raises WrongUse for a file that cannot be read, TitleFault.
    """
    return examine(read_text(Path(scenario), MOST_SCENARIO), need_title)
