"""Follow docs/how-to/postgresql-operations.md: a game moves to PostgreSQL and back; `tests/cluster` has the rest."""

import re
import shlex
from pathlib import Path

import pytest

from tests.at_least_one import at_least_one
from tests.benchmarks import simulate_load
from tests.cli.terminal import ROOT, Terminal

PAGE = (ROOT / "docs" / "how-to" / "postgresql-operations.md").read_text(encoding="utf-8")
SERVER = "postgresql://umpire_app@host/club"


def commands(name: str) -> list[list[str]]:
    found = re.search(rf"^```sh {name}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert found, name
    return [shlex.split(line)[1:] for line in found[1].splitlines()]


def test_game_moved_into_the_database_and_back_is_the_same(database: str, tmp_path: Path) -> None:
    table = Terminal(tmp_path)
    dice = table.write("dice.toml", (tmp_path / "scenario.toml").read_text().replace('"table"', '"ledger"'))
    table.ok("new", "freeform", "--id", "harbour", "--scenario", dice.name, "--ledger", "club.db")
    table.ok("order", "harbour", "roll", "attack", "--as", "red", "--ledger", "club.db")
    for there in ({SERVER: database}, {SERVER: "home.db", "club.db": database}):
        for words in at_least_one(commands("move")):
            table.ok(*(there.get(word, word) for word in words))
    checked = [table.ok("verify", "harbour", "--json", "--ledger", at).json for at in ("club.db", database, "home.db")]
    assert len({(one["size"], one["root"]) for one in checked}) == 1
    pips = [table.ok("audit", "harbour", "--json", "--ledger", at).json for at in ("club.db", "home.db")]
    assert pips[0] == pips[1]
    table.ok("order", "harbour", "roll", "again", "--as", "red", "--ledger", "home.db")


def test_links_of_the_page_lead_to_places() -> None:
    headings = {
        re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= headings
    for file in at_least_one(sorted(set(re.findall(r"\]\(([\w.][\w./-]*)(?:#[\w-]+)?\)", PAGE)))):
        assert (ROOT / "docs" / "how-to" / file).exists()


def test_page_shows_the_output_of_the_simulation(capsys: pytest.CaptureFixture[str]) -> None:
    simulate_load.main([])
    rows = [line for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert len(rows) == len(simulate_load.LOADS) + 1
    assert [row for row in rows if row not in PAGE] == []
