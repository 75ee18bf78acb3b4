"""Check docs/reference/read-models.md: its tables match the file, its questions and commands run."""

import re
import shlex
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.docs.read_models_page import BEGINS, ENDS, PAGE, SQL_TYPES, made
from tests.face.projections import TABLES, VIEWS, make as lay
from tests.face.testing import FIXTURES
from tests.projections.read_models_of_games import make

ROW = re.compile(r"^\| `(\w+)` \| (\w+) \| (?:.*?)(?: → `(\w+)`)? \|$", re.MULTILINE)
TEXT = PAGE.read_text(encoding="utf-8")


def test_generated_part_is_current() -> None:
    """Else: `python -m tests.docs.read_models_page`."""
    assert TEXT.partition(BEGINS)[2].partition(ENDS)[0].strip() == made()


def test_page_shows_the_schema_of_the_database() -> None:
    """Read from SQLite, not from the catalogue: columns in their order, types, keys and what they refer to."""
    sections = dict(re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL))
    assert sections.keys() == TABLES.keys() | VIEWS.keys()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        lay(connection)
        for name, section in at_least_one(sections.items()):
            laid = connection.execute(f"PRAGMA table_info({name})").fetchall()
            refers = {row[3]: row[2] for row in connection.execute(f"PRAGMA foreign_key_list({name})")}
            shown = [(column, kind, other or None) for column, kind, other in ROW.findall(section)]
            types = {column: kind for _, column, kind, *_ in laid}
            if name in TABLES:
                assert shown == [(column, types[column], refers.get(column)) for column in types], name
                key = [column for place, column in sorted((row[5], row[1]) for row in laid) if place]
                assert f"Key: {', '.join(f'`{column}`' for column in key)}." in section
            else:
                assert [column for column, *_ in shown] == list(types), name
    assert set(SQL_TYPES.values()) == {kind for section in sections.values() for _, kind, _ in ROW.findall(section)}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("club")
    make(folder / "umpire.db")
    (folder / "fixtures").symlink_to(FIXTURES, target_is_directory=True)
    return folder


def commands() -> list[str]:
    blocks = re.findall(r"^```sh\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    return [line.partition(" #")[0].strip() for block in blocks for line in block.splitlines()]


def test_every_command_of_the_page_runs(club: Path) -> None:
    """Replace the page's game harbour by great-harbour."""
    programs = {"umpire": "umpire_ledger", "sqlite-utils": "sqlite_utils"}
    ran: list[tuple[str, int, str]] = []
    for line in at_least_one(commands()):
        name, *words = shlex.split(line.replace("harbour ", "great-harbour "))
        if name in programs:
            program = [sys.executable, "-m", programs[name]]
        elif (found := shutil.which(name)) is not None:
            program = [found]
        else:
            continue  # the program sqlite3 need not be installed
        done = subprocess.run([*program, *words], cwd=club, capture_output=True, text=True, check=False)
        ran.append((line, done.returncode, done.stderr))
    assert [one for one in ran if one[1:] != (0, "")] == []
    assert len(ran) > 1
