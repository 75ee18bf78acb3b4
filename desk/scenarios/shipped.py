"""List the scenarios that are shipped with the built-in titles."""

import sysconfig
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

import msgspec

from umpire_ledger.desk.core.adapters import need_title
from umpire_ledger.desk.core.errors import not_there
from umpire_ledger.domain.game.events import DiceMode, Value
from umpire_ledger.domain.game.scenario import read_scenario
from umpire_ledger.domain.titles import BUILT_IN

HOME = "share/umpire-ledger/fixtures"
"""The folder of the fixtures in the data files of an installation."""


class ShippedScenario(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario that is shipped with a built-in title."""

    id: str
    """The title and the file, for example `war-galley/great-harbour`."""
    title: str
    title_name: str
    name: str
    about: str
    sides: tuple[tuple[str, str], ...]
    """The id and the name of each side, in the order of play."""
    dice: DiceMode
    """Its dice mode."""
    options: Mapping[str, Value]
    """Every option of the title, with its value in this scenario."""
    meanings: Mapping[str, str]
    """The meaning of the values of each option, by option."""
    text: str
    """The scenario as TOML."""

    def named(self, name: str) -> str:
        """Return the text of the scenario under another name."""
        lines = self.text.splitlines(keepends=True)
        at = next(number for number, line in enumerate(lines) if line.startswith("name = "))
        lines[at] = f"name = {msgspec.json.encode(name).decode()}\n"  # a JSON string is a TOML string
        return "".join(lines)


def fixtures() -> Path:
    """Return the folder with the fixtures of the built-in titles, in a clone or in an installed wheel."""
    clone = Path(__file__).resolve().parents[2] / "fixtures"
    if all((clone / title).is_dir() for title in BUILT_IN):  # site-packages may contain a package called `fixtures`
        return clone
    with suppress(PackageNotFoundError):  # the next folder is tried; the check names it
        for file in files("umpire-ledger") or ():
            if f"/{HOME}/" in file.as_posix():
                return Path(str(file.locate()).replace("\\", "/").partition(f"/{HOME}/")[0], HOME).resolve()
    return Path(sysconfig.get_path("data"), HOME)


@cache
def shipped_scenarios() -> tuple[ShippedScenario, ...]:
    """Return the shipped scenarios, by title and file name."""
    found = (file for title in BUILT_IN for file in sorted((fixtures() / title / "scenarios").glob("*.toml")))
    return tuple(map(_read, found))


def shipped_scenario(id: str) -> ShippedScenario:
    """Return a shipped scenario.

    Raises:
        NotThere: When none has this id.
    """
    known = {one.id: one for one in shipped_scenarios()}
    if id not in known:
        raise not_there("scenario", id, known, where="the shipped scenarios")
    return known[id]


def _read(file: Path) -> ShippedScenario:
    title = need_title(file.parents[1].name)
    text = file.read_text(encoding="utf-8")
    scenario = read_scenario(text, title.scenario)
    return ShippedScenario(
        id=f"{title.id}/{file.stem}",
        title=title.id,
        title_name=title.name,
        name=scenario.name,
        about=scenario.about,
        sides=tuple((one.id, one.name) for one in scenario.sides),
        dice=scenario.dice,
        options={**title.options, **scenario.options},
        meanings=title.readings,
        text=text,
    )
