"""Check broken title packages: each is named with its fault, and other titles still work."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.terminal import ROOT, SCENARIO, Answer, Terminal
from tests.face.desk import drafts_of, open_ledger
from tests.face.domain import events as e

MODULES = {
    "crashes": "raise RuntimeError('the author was asleep')",
    "exits": "import sys; sys.exit(3)",
    "imports": "import no_such_module_anywhere",
    "attribute": "OTHER = 1",
    "no-title": "TITLE = 'a title'",
    "misnamed": "from umpire_ledger.domain.titles.freeform import TITLE",
    "no-sequence": """
from umpire_ledger.kit import FreeScenario, Title

TITLE = Title(
    id="no-sequence", name="No", version="1", scenario=FreeScenario, set_up=lambda scenario: [], sequence=3
)
""",
    "unsound": """
from umpire_ledger.kit import FreeScenario, Sequence, Step, Title, Go

TITLE = Title(
    id="unsound", name="Unsound", version="1", scenario=FreeScenario, set_up=lambda scenario: [],
    sequence=Sequence(steps=(
        Step("1", "talking", by="each", rules=("1",)),
        Step("2", "going", by="each", then=(Go("nowhere"),), rules=("2",)),
        Step("2", "going again", by="nobody at all", rules=("3",)),
    )),
)
""",
}
SAYS = {
    "crashes": "RuntimeError: the author was asleep",
    "exits": "SystemExit: 3",
    "imports": "No module named 'no_such_module_anywhere'",
    "attribute": "has no attribute 'TITLE'",
    "no-title": "TypeError: no_title:TITLE ",
    "misnamed": "its id is freeform",
    "no-sequence": "AttributeError: 'int' object has no attribute 'steps'",
    "missing": "No module named 'not_there'",
}


def install(site: Path, name: str, entry: str) -> None:
    """Write the files that a package installer leaves for a package."""
    info = site / f"{name.replace('-', '_')}_umpire-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-umpire\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[umpire.titles]\n{entry}\n")


class Machine(Terminal):
    """A terminal on a machine with these packages installed next to Umpire."""

    def umpire(self, *words: str) -> Answer:
        path = os.pathsep.join((str(ROOT), str(self.folder / "site")))
        done = subprocess.run(
            self.command(*words),
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    site = tmp_path / "site"
    for name, source in MODULES.items():
        module = name.replace("-", "_")
        install(site, name, f"{name} = {module}:TITLE")
        (site / f"{module}.py").write_text(source)
    install(site, "missing", "missing = not_there:TITLE")
    return Machine(tmp_path)


def test_titles_lists_the_others_and_says_what_is_wrong(machine: Machine) -> None:
    told = machine.umpire("titles")
    assert told.code == 0, told
    assert "War Galley" in told.out
    for name, why in SAYS.items():
        line = next(line for line in told.out.splitlines() if line.startswith(f"the title {name} cannot be used"))
        assert why in line
    listed = {one["id"]: one for one in machine.umpire("titles", "--json").json}
    assert listed["war-galley"]["fault"] == ""
    assert listed["war-galley"]["steps"] > 0
    assert {name for name, one in listed.items() if one["fault"]} == set(SAYS)
    assert "the author was asleep" in listed["crashes"]["fault"]


def test_doctor_names_them_and_the_machine_can_be_used(machine: Machine) -> None:
    machine.write("scenario.toml", SCENARIO)
    machine.umpire("new", "freeform", "--id", "ford", "--scenario", "scenario.toml")
    told = machine.umpire("doctor", "--json")
    assert told.code == 0, told
    found = {one["check"]: one for one in told.json}
    for name, why in SAYS.items():
        assert found[name]["state"] == "warn"
        assert why in found[name]["what"]
        assert f"package {name}-umpire" in found[name]["what"]
        assert f"`umpire --debug sequence {name}`" in found[name]["remedy"]
    assert found["unsound"]["state"] == "warn"
    assert found["war-galley"]["state"] == "ok"


@pytest.mark.parametrize("name", ["crashes", "exits", "attribute"])
def test_broken_title_is_an_error_with_four_parts(machine: Machine, name: str) -> None:
    told = machine.umpire("sequence", name)
    assert told.code == 8
    assert "Traceback" not in told.err
    assert [line.split()[0] for line in told.err.splitlines()] == ["Error:", "at:", "rule:", "do:"]
    assert SAYS[name] in told.err
    assert f"package {name}-umpire" in told.err
    assert "Traceback" in machine.umpire("--debug", "sequence", name).err


def test_broken_package_does_not_affect_another_title(machine: Machine) -> None:
    machine.write("scenario.toml", SCENARIO)
    assert machine.umpire("new", "freeform", "--id", "ford", "--scenario", "scenario.toml").code == 0
    assert machine.umpire("status", "ford").code == 0


def test_game_of_a_broken_title_can_be_viewed_but_not_played(machine: Machine) -> None:
    """Read the log of a game without its title."""
    told = (
        e.GameOpened(
            game="g", title="crashes", version="1", name="Sleep", sides=(e.Side(id="red", name="Red"),), dice="table"
        ),
        e.StepOpened(step="1", name="dreaming", waits=("red",)),
    )
    with open_ledger(machine.folder / "umpire.db", create=True) as ledger:
        ledger.append("g", after=0, seat="referee", command="c", drafts=drafts_of(told, None))
    status = machine.umpire("status", "g", "--json")
    assert (status.code, status.json["waiting"]) == (0, ["red"])
    assert "cannot be loaded (see `umpire titles`)" in status.json["note"]
    assert machine.umpire("audit", "g").code == 0
    assert machine.umpire("done", "g", "--as", "red").code == 8


def test_title_with_faults_cannot_open_a_game(machine: Machine) -> None:
    machine.write("unsound.toml", SCENARIO.replace("freeform", "unsound"))
    told = machine.umpire("new", "unsound", "--id", "g", "--scenario", "unsound.toml", "--json")
    assert told.code == 8
    assert told.error["rule"] == "the static checks of a title"
    assert "nowhere" in told.error["what"]
    assert "umpire doctor" in told.error["remedy"]
    assert not (machine.folder / "umpire.db").exists()


def test_entry_points_that_cannot_be_read_hide_no_other_package(machine: Machine) -> None:
    """Continue after the first such package, at which Python's own reader stops."""
    install(machine.folder / "site", "garbled", "this is no entry point")
    listed = {one["id"]: one for one in machine.umpire("titles", "--json").json}
    assert listed["war-galley"]["fault"] == ""
    assert "the author was asleep" in listed["crashes"]["fault"]
    assert "its entry points cannot be read" in listed["garbled-umpire"]["fault"]
