"""Check `umpire witness` at the command line: it reads a file, and prints a line to append to the signed note."""

from pathlib import Path

import pytest

from tests.cli.terminal import Terminal


@pytest.fixture
def table(tmp_path: Path) -> Terminal:
    table = Terminal(tmp_path)
    table.ok("key", "new", "red")
    table.new("ford", "--key", f"red={table.ok('key', 'show', 'red').out.strip()}")
    table.ok("witness", "new", "tower", "--name", "tower")
    return table


def cosigned(table: Terminal, note: str, *more: str) -> None:
    """Let a witness cosign a note, and append its line, as the documentation of keys describes."""
    table.ok("witness", "ask", "ford", "--note", note, "-o", "request", *more)
    line = table.ok("witness", "add", "tower", "request").out
    file = table.folder / note
    file.write_text(file.read_text(encoding="utf-8") + line, encoding="utf-8")


class TestWitness:
    def test_cosigned_checkpoint_is_verified(self, table: Terminal) -> None:
        tower = table.ok("witness", "show", "tower").out.strip()
        table.ok("seal", "ford", "--as", "red", "-o", "kept")
        size = table.size()
        cosigned(table, "kept")
        said = table.ok("verify", "ford", "--checkpoint", "kept", "--witness", tower).out
        assert "signed by red" in said
        assert "witnessed by tower+" in said
        assert "it saw no other history" in said
        table.ok("seal", "ford", "--as", "blue", "-o", "bare")  # not signed
        cosigned(table, "bare", "--old", str(size))
        told = table.ok("verify", "ford", "--checkpoint", "bare", "--witness", tower, "--json").json["witnessed"]
        assert [one["name"] for one in told] == ["tower"]

    def test_log_that_was_rolled_back_is_refused(self, table: Terminal) -> None:
        table.ok("backup", "before.db")
        table.ok("seal", "ford", "--as", "red", "-o", "kept")
        cosigned(table, "kept")
        table.ok("witness", "ask", "ford", "-o", "request", "--ledger", "before.db")
        answer = table.type("witness", "add", "tower", "request", "--json")
        assert (answer.code, answer.error["error"], answer.error["rule"]) == (5, "not-witnessed", "witness")
        assert answer.error["remedy"] == f"ask with --old {table.size()}"

    def test_json_and_a_dash(self, table: Terminal) -> None:
        assert table.ok("witness", "ask", "ford", "-o", "-").out.startswith("old 0\n\numpire/ford\n")
        table.ok("witness", "ask", "ford", "-o", "request")
        assert table.ok("witness", "add", "tower", "request", "--json").json["size"] == table.size()
        assert table.ok("witness", "show", "tower", "--json").json["name"] == "tower"
        made = table.ok("witness", "new", "second", "--name", "second", "--json").json
        assert made["key"].startswith("second+")
        red = table.ok("key", "show", "red").out.strip()
        assert table.ok("witness", "trust", "second", "ford", red, "--json").json["game"] == "ford"
        assert "are cosigned" in table.ok("witness", "trust", "second", "ford", red).out
        assert table.type("witness", "add", "second", "request").code == 5

    def test_witness_option_requires_a_checkpoint(self, table: Terminal) -> None:
        tower = table.ok("witness", "show", "tower").out.strip()
        answer = table.type("verify", "ford", "--witness", tower, "--json")
        assert (answer.code, "--checkpoint FILE" in answer.error["remedy"]) == (2, True)

    def test_missing_cosignature_is_an_error(self, table: Terminal) -> None:
        tower = table.ok("witness", "show", "tower").out.strip()
        table.ok("seal", "ford", "--as", "red", "-o", "kept")
        answer = table.type("verify", "ford", "--checkpoint", "kept", "--witness", tower, "--json")
        assert (answer.code, "umpire witness ask" in answer.error["remedy"]) == (5, True)
