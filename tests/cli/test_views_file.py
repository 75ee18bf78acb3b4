"""Check `umpire read-models`: the content of the file of read models, and the command that opens it."""

import csv
import io
import shlex
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal
from tests.naming import Naming


def test_views_lists_the_readable_tables(ford: Terminal) -> None:
    """Bring the read models up to date before they are listed."""
    ford.give("red", "move", unit="r1", path=["0101", "0102"])
    answer = ford.ok("views")
    assert answer.out.splitlines()[0] == Naming(1, "umpire.views.db")
    rows = {line.split()[0]: line for line in answer.out.splitlines()[2:-1]}
    assert rows["orders"].split()[1:3] == ["2", "everyone"]
    assert " --open" in answer.out.splitlines()[-1]
    assert {"audit", "dice", "units_freeform"} <= rows.keys()
    assert "snapshot" not in rows


def test_as_json(ford: Terminal) -> None:
    found = ford.ok("views", "--open", "--json").json
    assert (found["file"], found["games"], found["behind"]) == ("umpire.views.db", 1, [])
    assert {"name", "what", "rows", "public"} == found["tables"][0].keys()
    assert shlex.split(found["command"])[:2] == ["datasette", "umpire-views.db"]


def test_as_csv_it_is_rows_and_nothing_else(ford: Terminal) -> None:
    rows = list(csv.DictReader(io.StringIO(ford.ok("views", "--csv").out)))
    assert [row["table"] for row in rows][:3] == ["game", "orders", "audit"]
    assert {row["for"] for row in rows} == {"everyone", "the referee"}


def test_open_writes_the_file_and_names_the_command(ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    program = ford.folder / "bin" / "datasette"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    answer = ford.ok("views", "--open")
    wrote, command, _ = answer.out.splitlines()
    assert wrote == Naming("umpire.views.datasette.yaml")
    assert command == (
        "datasette umpire-views.db --metadata umpire.views.datasette.yaml --setting sql_time_limit_ms 5000 --open"
    )
    assert "units_freeform" in (ford.folder / "umpire.views.datasette.yaml").read_text(encoding="utf-8")


def test_where_datasette_is_missing_it_says_how_to_get_it(ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(ford.folder))
    answer = ford.ok("views", "--open")
    assert "`pip install datasette`" in answer.out
    assert (ford.folder / "umpire.views.datasette.yaml").is_file()


def test_twice_the_same(ford: Terminal) -> None:
    first = ford.ok("views", "--open")
    written = (ford.folder / "umpire.views.datasette.yaml").read_bytes()
    assert ford.ok("views", "--open") == first
    assert (ford.folder / "umpire.views.datasette.yaml").read_bytes() == written


def test_ledger_name_with_spaces_is_quoted(terminal: Terminal) -> None:
    """Quote the command for the shell, and use the name that Datasette gives the file."""
    terminal.new("g", "--ledger", "our club.ledger")
    found = terminal.ok("views", "--open", "--json", "--ledger", "our club.ledger").json
    assert shlex.split(found["command"])[1] == "our-club-views.db"
    assert '  "our-club-views":\n' in Path(terminal.folder / found["config"]).read_text(encoding="utf-8")


def test_missing_ledger_and_full_disk_are_errors(terminal: Terminal) -> None:
    missing = terminal.type("views", "--ledger", "nowhere.db")
    assert (missing.code, missing.out) == (7, "")
    assert "open a first game in it" in missing.err
    assert not (terminal.folder / "nowhere.db").exists()
    terminal.new("g")
    (terminal.folder / "umpire-views.db").write_text("something else")
    refused = terminal.type("views", "--open", "--json")
    assert (refused.code, refused.error["remedy"]) == (2, "move it elsewhere")
    (terminal.folder / "umpire-views.db").unlink()
    (terminal.folder / "umpire.views.datasette.yaml").mkdir()
    refused = terminal.type("views", "--open", "--json")
    assert refused.code == 2
    assert refused.error["refusal_code"] == "wrong-use"
    assert refused.error["what"] == Naming("umpire.views.datasette.yaml", "Is a directory")


def test_ledger_in_memory_has_no_views_file(terminal: Terminal) -> None:
    refused = terminal.type("views", "--ledger", ":memory:", "--json")
    assert refused.code == 2
    assert (refused.error["refusal_code"], refused.error["where"]) == ("wrong-use", ":memory:")
