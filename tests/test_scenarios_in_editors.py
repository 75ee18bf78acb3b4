"""Use the JSON Schema of a scenario in the tools of editors, if installed: Taplo (Even Better TOML) and Tombi.

`pip install taplo tombi` installs both. They find the schema by the first line of the template.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.face.domain import Title, schema_of, template_of
from tests.test_scenario_templates import TITLES

ENGINES = {"taplo": ["taplo", "lint"], "tombi": ["tombi", "lint", "--offline"]}
BROKEN = (
    ('title = "', 'title = 3 # "', ":7:"),
    ('id = "', 'idd = "', "idd"),
    ("sides: ", "sides: \nnonsense = 1\n# ", "nonsense"),
)


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> list[str]:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    return ENGINES[request.param]


def linted(engine: list[str], folder: Path, title: Title, text: str) -> subprocess.CompletedProcess[str]:
    (folder / f"{title.id}.schema.json").write_text(json.dumps(schema_of(title)), encoding="utf-8")
    (folder / "mine.toml").write_text(text, encoding="utf-8")
    command = [*engine, "mine.toml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.parametrize("title", TITLES, ids=lambda title: title.id)
def test_template_is_valid(engine: list[str], title: Title, tmp_path: Path) -> None:
    done = linted(engine, tmp_path, title, template_of(title))
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("was", "becomes", "says"), BROKEN, ids=["a type", "a name", "an entry"])
def test_fault_in_a_scenario_is_marked(engine: list[str], was: str, becomes: str, says: str, tmp_path: Path) -> None:
    for title in at_least_one([one for one in TITLES if one.id == "red-coat-rags"]):
        done = linted(engine, tmp_path, title, template_of(title).replace(was, becomes, 1))
        assert done.returncode != 0
        assert says in done.stdout + done.stderr
