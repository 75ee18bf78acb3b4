"""Prepare scenario files: write a template, return the schema for editors, list all faults."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from umpire_ledger.desk.core.adapters import need_title
from umpire_ledger.desk.core.text_files import read_text
from umpire_ledger.desk.scenarios.background_file import fault_of
from umpire_ledger.domain.game.board import Board
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.scenario_fault import ScenarioFault
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
    """Return a scenario template (TOML): every entry with its type and default.

    Raises:
        NoSuchTitle: When the title is not installed.
        TitleFault: When the title cannot be used.
    """
    return template_of(need_title(title))


def scenario_schema(title: str) -> dict[str, Any]:
    """Return the JSON Schema of a title's scenarios.

    Raises:
        NoSuchTitle: When the title is not installed.
        TitleFault: When the title cannot be used.
    """
    return schema_of(need_title(title))


def examined(scenario: str, title: str) -> Examined:
    """Return the findings about a scenario's text, read as a scenario of a title.

    Raises:
        NoSuchTitle: When the title is not installed.
        TitleFault: When the title cannot be used.
    """
    need_title(title)
    return examine(scenario, need_title)


def check_scenario(scenario: str | Path) -> Examined:
    """Return all findings about a scenario file with their lines, and the entries that it leaves to the title.

    Raises:
        WrongUse: When the file cannot be read.
        TitleFault: When the title cannot be used.
    """
    folder = Path(scenario).parent

    def of_files(read: Scenario) -> Iterator[ScenarioFault]:
        board = Board() if isinstance(read.board, msgspec.UnsetType) else read.board
        if board.background is not None and (fault := fault_of(board.background, folder)) is not None:
            yield fault

    return examine(read_text(Path(scenario), MOST_SCENARIO), need_title, of_files)
