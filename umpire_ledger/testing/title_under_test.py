"""Hold a title under test, with its location, its fixtures, the length of play, and observations computed once."""

import os
import sys
import tomllib
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec

from umpire_ledger.desk.core.adapters import need_title, title_references
from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.domain.game.errors import ScenarioError
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.titles import load as load_title
from umpire_ledger.testing.finding import Finding, PromiseVerdict
from umpire_ledger.testing.fixtures import OWN, beside, folder_of, own_games, scenario_files
from umpire_ledger.testing.play_report import Observed
from umpire_ledger.testing.recorded import starts_in
from umpire_ledger.testing.run import play

ORDERS = 7500
"""The number of orders of random play, over all seeds; more orders find more faults."""
OWN_ORDERS = 450
"""The number of orders of random play in each game with its own sequence."""
AGAIN = 100
"""The difference between the seeds of a second play and those of the first."""
EXCEPTIONS = "promises.toml"


class Excepted(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A promise that a title cannot keep, declared next to its fixtures.

    `about`: the order, fact, step or table concerned, perhaps with `*`; "" for all.
    """

    promise: str
    reason: Annotated[str, msgspec.Meta(min_length=10)]
    about: str = ""

    def covers(self, promise: str, finding: Finding) -> bool:
        """Return whether the exception covers a finding."""
        return promise == self.promise and (not self.about or fnmatchcase(finding.about, self.about))


class _Exceptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    exception: tuple[Excepted, ...] = ()


class Trial:
    """A title that is checked against the promises.

    `fixtures`: the folder with `scenarios/` and `replays/`, by default next to the title's module. `reference`: the
    title as `module:attribute`, which another process needs; it is searched for if left out. `seed`, `orders`: the
    first seed and the number of orders of random play.
    """

    def __init__(
        self, title: Title, *, fixtures: Path | None = None, reference: str = "", seed: int = 1, orders: int = ORDERS
    ) -> None:
        self.title = title
        self.reference = reference or reference_of(title)
        self.fixtures = fixtures or self._found()
        self.seed = seed
        self.orders = orders
        self.played = orders
        """The number of orders that `observed` covers."""
        self.verdicts: dict[Any, PromiseVerdict] = {}
        """The verdicts so far, by promise."""

    def _found(self) -> Path:
        if title_references().get(self.title.id) == self.reference:
            return folder_of(self.title.id)
        return beside(self.reference) if self.reference else Path()

    @cached_property
    def files(self) -> tuple[Path, ...]:
        """The files of the scenarios, in the order of `scenarios`."""
        return tuple(file for file, _ in self._scenarios)

    @cached_property
    def scenarios(self) -> list[Scenario]:
        """The scenarios of the title.

        Raises:
            ScenarioError: When a scenario cannot be read, or there is none.
        """
        return [scenario for _, scenario in self._scenarios]

    @cached_property
    def _scenarios(self) -> list[tuple[Path, Scenario]]:
        if not any((self.fixtures / "scenarios").glob("*.toml")):
            raise ScenarioError(
                f"{self.title.id} has no scenario to be tried with",
                where=str(self.fixtures / "scenarios"),
                rule="the promises",
                remedy="write `fixtures/scenarios/NAME.toml` next to the title's module, or give `--fixtures FOLDER`",
            )
        return scenario_files(self.title, self.fixtures)

    @cached_property
    def observed(self) -> Observed:
        """The observations of random play, which is run at the first access."""
        starts = starts_in(sorted((self.fixtures / "replays").glob("*.jsonl")))
        return play(Observed(self.title, self.scenarios, starts), seed=self.seed, orders=self.orders)

    @cached_property
    def own_games(self) -> tuple[Observed, ...]:
        """A short random play of each game with its own sequence of play, in `your-own` next to the scenarios."""
        folder = self.fixtures / OWN.name
        if self.title.brought is None:
            return ()
        starts = starts_in(sorted((folder / "replays").glob("*.jsonl")))
        games = [
            Observed(title, [scenario], [one for one in starts if one.game.name == scenario.name])
            for title, scenario in own_games(self.title, folder)
        ]
        return tuple(play(seen, seed=self.seed, orders=OWN_ORDERS) for seen in games)

    def play_again(self) -> None:
        """Play the same number of orders again with other seeds; only once, because more play would find little."""
        if self.played == self.orders:
            play(self.observed, seed=self.seed + AGAIN, orders=self.orders)
            self.played += self.orders

    @cached_property
    def exceptions(self) -> tuple[Excepted, ...]:
        """The exceptions declared in `promises.toml` next to the fixtures.

        Raises:
            ScenarioError: When the file is not valid.
        """
        file = self.fixtures / EXCEPTIONS
        if not file.is_file():
            return ()
        try:
            return msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), _Exceptions).exception
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            remedy = 'write [[exception]] with promise = "…", about = "…", reason = "…"'
            raise ScenarioError(str(error), where=str(file), rule="declared exceptions", remedy=remedy) from error


def trial_of(name: str, *, fixtures: Path | None = None, seed: int = 1, orders: int = ORDERS) -> Trial:
    """Return the trial of a title, named by its id or by `module:attribute`, also in the current folder.

    Raises:
        NoSuchTitle: When no title with this id is installed.
        WrongUse: When the reference names no title.
        ScenarioError: When the title has no scenario.
    """
    title = _imported(name) if ":" in name else need_title(name)
    trial = Trial(title, fixtures=fixtures, reference=name if ":" in name else "", seed=seed, orders=orders)
    assert trial.scenarios  # Raises if there is none.
    assert trial.exceptions is not None  # Raises if the file is faulty.
    return trial


def _imported(reference: str) -> Title:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return load_title(reference)
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        remedy = "name a module that can be imported from here and its title, for instance my_package:TITLE"
        what = f"there is no title {reference}: {error}"
        raise WrongUse(what, where="MODULE:TITLE", rule="", remedy=remedy) from error


def reference_of(title: Title) -> str:
    """Return the import path of a title, `module:attribute`; "" if it is unknown."""
    known = title_references().get(title.id, "")
    if known and _is(title, known):
        return known
    found = (
        f"{name}:{attribute}"
        for name, module in list(sys.modules.items())
        for attribute, value in list(_names(module).items())
        if value is title
    )
    return min(found, key=len, default="")


def _names(module: Any) -> dict[str, Any]:
    return getattr(module, "__dict__", None) or {}


def _is(title: Title, reference: str) -> bool:
    try:
        return load_title(reference) is title
    except Exception:  # A broken package of the same name is another title.
        return False
