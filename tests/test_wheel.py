"""Check that the wheel installs one package, complete and typed, next to a project's own `cli`, `domain` and `ledger`.

The tree is copied with its links, without .git, and built there. Only the wheel is installed in a clean environment. A
.pth file adds the dependencies from the environment that runs the tests, so that only the build needs an index.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.face.desk import HOME
from tests.face.domain import BUILT_IN
from tests.face.testing import FIXTURES
from umpire_ledger.testing import PROMISES

ROOT = Path(__file__).parent.parent
LEFT_BEHIND = (".git", ".*", "__pycache__", "build", "dist", "*.egg-info", "*.db*")
SCENARIO = ROOT / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml"
OWN = ("cli", "domain", "ledger", "projections", "desk")

STUDY = """\
import cli, domain, ledger, projections, desk
import umpire_ledger as umpire

for own in (cli, domain, ledger, projections, desk):
    assert own.MARK == f"the project's own {own.__name__}"

with umpire.open("api.db") as here:
    harbour = here.new("war-galley", "great-harbour.toml", id="harbour", dice="table")
    athens, syracuse = harbour.seat("athens"), harbour.seat("syracuse")
    athens.order("roll-wind", pips=[3, 4])
    syracuse.order(syracuse.legal_orders()[0])
    athens.order({"order": "join", "ship": "athens-6", "squadron": "menander"})
    assert {line.seat for line in athens.audit()} >= {"athens", "syracuse"}
    harbour.export("api.jsonl", seat="athens")
    assert harbour.verify().valid
assert umpire.verify("api.jsonl").valid
print(umpire.__file__)
"""

TYPED = """\
import umpire_ledger as umpire

with umpire.open("typed.db") as here:
    position: int = here.game("harbour").seat("athens").order("done").position
    reveal_type(here.games())
    wrong: str = here.game("harbour").spectator.status.turn
"""


FOUND = """\
import json, sys
from umpire_ledger.testing.title_under_test import trial_of

trials = {name: trial_of(name) for name in sys.argv[1:]}
replays = {name: sorted((one.fixtures / "replays").glob("*.jsonl")) for name, one in trials.items()}
assert all(len(one.scenarios) == len(one.files) for one in trials.values())
json.dump(
    {
        name: [[file.name for file in one.files], [file.name for file in replays[name]], bool(one.exceptions)]
        for name, one in trials.items()
    },
    sys.stdout,
)
"""


def run(command: Sequence[str | Path], folder: Path, **environment: str) -> str:
    """Return the output of a command, which must succeed. Its environment contains nothing of this checkout."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "UMPIRE", "VIRTUAL"))}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env={**clean, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy of the tree as in a clone, with its symbolic links."""
    copy = tmp_path_factory.mktemp("checkout") / "umpire"
    shutil.copytree(ROOT, copy, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_BEHIND))
    return copy


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, checkout], folder)
    (made,) = folder.glob("*.whl")
    return made


def environment(folder: Path, what: Sequence[str | Path]) -> Path:
    """Install one thing in a clean environment and return the folder of its programs."""
    venv.create(folder, symlinks=True)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = [sys.executable, "-m", "pip", "--python", programs / "python", "install", "--quiet", "--no-deps", *what]
    run(pip, folder)
    borrowed = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    (borrowed / "borrowed.pth").write_text(f"{dependencies(folder / 'borrowed')}\n", encoding="utf-8")
    return programs


def dependencies(folder: Path) -> Path:
    """Link the packages of the running environment, except Umpire itself, which may be installed there too."""
    folder.mkdir()
    for one in Path(sysconfig.get_path("purelib")).iterdir():
        if not one.name.startswith(("umpire_ledger", "__editable__")):
            (folder / one.name).symlink_to(one)
    return folder


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the programs of an environment in which the wheel is installed."""
    return environment(tmp_path_factory.mktemp("installed"), [wheel])


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Small project whose own packages have the names of Umpire's folders."""
    for name in OWN:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f'MARK = "the project\'s own {name}"\n', encoding="utf-8")
    shutil.copy(SCENARIO, tmp_path)
    (tmp_path / "study.py").write_text(STUDY, encoding="utf-8")
    return tmp_path


class TestWheel:
    def test_wheel_has_one_name_and_all_files(self, wheel: Path) -> None:
        names = [Path(name) for name in zipfile.ZipFile(wheel).namelist()]
        tops = {name.parts[0] for name in names}
        assert {top for top in tops if not top.endswith((".dist-info", ".data"))} == {"umpire_ledger"}
        assert len(tops) == 3
        assert any(name.parts[1:] == ("data", "share", "man", "man1", "umpire.1") for name in names)
        package = ROOT / "umpire_ledger"
        sources = {
            (Path(folder) / file).relative_to(ROOT)
            for folder, _, files in os.walk(package, followlinks=True)
            for file in files
            if file.endswith((".py", "py.typed", "FORMAT.md", ".jsonl", ".html", ".css", ".js", ".svg"))
        }
        assert {name for name in names if name.parts[0] == "umpire_ledger"} == sources
        for part in (
            "py.typed",
            "ledger/FORMAT.md",
            "desk/orders/examples/table.jsonl",
            "projections/pictures/page/page.html",
            "testing/story.py",
            "domain/titles/war_galley/sequence.py",
        ):
            assert Path("umpire_ledger") / part in names
        assert [name for name in names if "tests" in name.parts or name.name.startswith(("test_", "conftest"))] == []

    def test_wheel_has_no_links(self, wheel: Path) -> None:
        kinds = {entry.external_attr >> 28 for entry in zipfile.ZipFile(wheel).infolist()}
        assert 0o12 not in kinds  # the kind of a symbolic link


class TestCleanEnvironment:
    def test_game_is_played_next_to_packages_of_the_same_names(self, installed: Path, project: Path) -> None:
        """Play by the API, by `umpire`, and by `python -m`, which searches the project first."""
        where = run([installed / "python", "study.py"], project).strip()
        assert Path(where).is_relative_to(installed.parent)
        for number, umpire in enumerate(([installed / "umpire"], [installed / "python", "-m", "umpire_ledger"])):
            self.play(umpire, project, f"command-{number}.db")

    def play(self, umpire: Sequence[Path | str], project: Path, ledger: str) -> None:
        def give(*words: str) -> str:
            return run([*umpire, *words], project, UMPIRE_LEDGER=ledger)

        give("new", "war-galley", "--id", "harbour", "--scenario", "great-harbour.toml", "--dice", "table")
        give("order", "harbour", '{"order": "roll-wind", "pips": [3, 4]}', "--as", "athens")
        for side, squadron in (("athens", "menander"), ("syracuse", "sicanus")):
            give("order", "harbour", f'{{"order": "join", "ship": "{side}-6", "squadron": "{squadron}"}}', "--as", side)
        assert "C.roll" in give("status", "harbour", "--as", "syracuse")
        give("export", "harbour", "-o", f"{ledger}.jsonl", "--as", "athens")
        assert "VALID" in give("verify", f"{ledger}.jsonl")

    def test_types_are_visible_to_a_type_checker(self, installed: Path, project: Path) -> None:
        """Find a wrong use with the types that `py.typed` promises."""
        pytest.importorskip("mypy")
        (project / "typed.py").write_text(TYPED, encoding="utf-8")
        mypy = [installed / "python", "-m", "mypy", "--strict", "--cache-dir", project / ".mypy_cache", "typed.py"]
        done = subprocess.run(list(map(str, mypy)), cwd=project, capture_output=True, text=True, check=False)
        said = done.stdout.splitlines()
        assert "Revealed type is " in said[0], done
        assert 'list[umpire_ledger.desk.games.games_list.GameEntry]"' in said[0], done
        assert 'has type "int", variable has type "str"' in said[1], done
        assert said[2:] == ["Found 1 error in 1 file (checked 1 source file)"]


class TestCheckOfBuiltInTitles:
    """`umpire check-title` after the installation in README: the wheel contains scenarios and recorded games."""

    def test_wheel_has_the_fixtures_of_every_title(self, wheel: Path) -> None:
        names = {name.partition(f"/{HOME}/")[2] for name in zipfile.ZipFile(wheel).namelist() if f"/{HOME}/" in name}
        fixtures = {
            file.relative_to(FIXTURES).as_posix()
            for title in BUILT_IN
            for pattern in ("promises.toml", "scenarios/*.toml", "replays/*.json*")
            for file in (FIXTURES / title).glob(pattern)
        }
        assert names == fixtures

    def test_installed_check_finds_the_fixtures_of_every_title(self, installed: Path, tmp_path: Path) -> None:
        """Read the scenarios and recorded games as a check does; `test_every_title` checks them, once."""
        (tmp_path / "found.py").write_text(FOUND, encoding="utf-8")
        found = json.loads(run([installed / "python", "found.py", *sorted(BUILT_IN)], tmp_path))
        folders = {title: FIXTURES / title for title in BUILT_IN}
        assert found == {
            title: [
                sorted(file.name for file in (folder / "scenarios").glob("*.toml")),
                sorted(file.name for file in (folder / "replays").glob("*.jsonl")),
                (folder / "promises.toml").is_file(),
            ]
            for title, folder in folders.items()
        }

    def test_short_run_breaks_no_other_promise(self, installed: Path, tmp_path: Path) -> None:
        """Allow only those promises to break that need a long run to hold."""
        command = [installed / "umpire", "check", "war-galley", "--orders", "60", "--json"]
        done = subprocess.run(list(map(str, command)), cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 8), done.stderr
        states = {one["promise"]: one["state"] for one in json.loads(done.stdout)["promises"]}
        seldom = {promise.name for promise in PROMISES if promise.sooner_or_later}
        assert {name for name, state in states.items() if state == "broken"} <= seldom
        assert states["replays-fold"] == "held"


class TestEditableInstall:
    def test_editable_install_imports_the_checkout_and_has_commands(
        self, checkout: Path, project: Path, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        programs = environment(tmp_path_factory.mktemp("editable"), ["--editable", checkout])
        where = run([programs / "python", "study.py"], project).strip()
        assert Path(where).resolve() == (checkout / "umpire_ledger" / "__init__.py").resolve()
        assert "war-galley" in run([programs / "umpire", "titles"], project)
