"""docs/how-to/postgresql.md: its roles, its commands and its table of rights, at a real server."""

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.terminal import ROOT, Terminal
from tests.databases import connected

PAGE = (ROOT / "docs" / "how-to" / "postgresql.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[0]


@pytest.fixture
def club(database: str) -> str:
    """Return the URL of the page's database with its roles, for the superuser."""
    roles, (_, owned) = block("sql").split(";\n")[:2], block("sql").split("CREATE DATABASE club OWNER ")
    with connected(database) as connection:
        for role in ("umpire_app", "umpire_owner"):
            connection.execute(f"DO $$ BEGIN DROP OWNED BY {role}; EXCEPTION WHEN undefined_object THEN NULL; END $$")
            connection.execute(f"DROP ROLE IF EXISTS {role}")
        for statement in roles:
            connection.execute(statement)
        name = database.partition("@/")[2].partition("?")[0]
        connection.execute(f"GRANT CREATE ON DATABASE {name} TO {owned.strip().rstrip(';')}")
    return database


def test_page_shows_the_rights_of_the_roles(club: str, tmp_path: Path) -> None:
    table = Terminal(tmp_path)
    owner, player = (club.replace("postgres:@", f"{role}@") for role in ("umpire_owner", "umpire_app"))
    commands = [line for line in block("sh").splitlines() if line.startswith("umpire ")]
    assert len(commands) == 2
    for line in commands:
        there = {"postgresql://umpire_owner@host/club": owner, "postgresql://umpire_app@host/club": player}
        table.ok(*(there.get(word, word) for word in shlex.split(line)[1:]))
    table.ok("new", "freeform", "--id", "ford", "--scenario", "scenario.toml", "--ledger", player)
    assert table.type("doctor", "--ledger", player).code == 0
    with connected(club) as connection:
        rights = {
            name: "select, insert" if not may_change else "change"
            for name, may_change in connection.execute(
                "SELECT relname, has_table_privilege('umpire_app', oid, 'UPDATE') FROM pg_class"
                " WHERE relnamespace = to_regnamespace('umpire') AND relkind = 'r'"
            ).fetchall()
        }
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([\w, ]+) \|$", PAGE, re.MULTILINE)
    assert dict(rows) == rights
