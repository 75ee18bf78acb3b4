"""Find a title's fixtures: scenarios, order files, recorded replays."""

from importlib import import_module
from pathlib import Path

from umpire_ledger.desk.core.adapters import need_title, title_references
from umpire_ledger.desk.scenarios.shipped import fixtures
from umpire_ledger.domain.game.scenario import Scenario, read_scenario
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.titles import BUILT_IN

FIXTURES = fixtures()
"""The fixtures of the built-in titles."""
OWN = FIXTURES / "freeform" / "your-own"
"""Folder with games of freeform whose scenarios have their own sequence of play: scenarios, `orders/`, `replays/`."""


def titles() -> list[Title]:
    """Return every installed title, sorted by id."""
    return [need_title(title) for title in sorted(title_references())]


def folder_of(title: str) -> Path:
    """Return the fixtures folder of an installed title; for a title of another package, the one next to its module."""
    if title in BUILT_IN:
        return FIXTURES / title
    return beside(title_references()[title])


def replay_folders(title: str) -> tuple[Path, ...]:
    """Return the folders of an installed title's recorded games (`replays/`) and their order files (`orders/`)."""
    return (folder_of(title), OWN) if title == "freeform" else (folder_of(title),)


def own_games(title: Title, folder: Path = OWN) -> list[tuple[Title, Scenario]]:
    """Return the scenarios that have their own sequence of play, by file name, each with the title that uses it."""
    read = (read_scenario(file.read_text(encoding="utf-8"), title.scenario) for file in sorted(folder.glob("*.toml")))
    return [(title.with_sequence(one.sequence(), one.options), one) for one in read]


def beside(reference: str) -> Path:
    """Return the folder `fixtures` next to a title's module. `reference`: the title as `module:attribute`."""
    module = import_module(reference.partition(":")[0])
    assert module.__file__ is not None
    return Path(module.__file__).parent / "fixtures"


def scenarios(title: Title, folder: Path | None = None) -> list[Scenario]:
    """Return the scenarios of a title, sorted by file name. `folder`: the folder of its fixtures."""
    return [scenario for _, scenario in scenario_files(title, folder or folder_of(title.id))]


def scenario_files(title: Title, folder: Path) -> list[tuple[Path, Scenario]]:
    """Return the scenarios of a title, each with its file. There is at least one.

    Raises:
        ScenarioError: When a scenario cannot be read.
    """
    files = sorted((folder / "scenarios").glob("*.toml"))
    assert files, f"{title.id} has no scenario in {folder / 'scenarios'}"
    return [(file, read_scenario(file.read_text(encoding="utf-8"), title.scenario)) for file in files]
