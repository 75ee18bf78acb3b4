"""Check that `umpire import FOLDER` names every entry that it does not import."""

import os
import socket
from pathlib import Path

import pytest

from tests.cli.terminal import ROOT, Answer, Terminal

HARBOUR = ROOT / "fixtures" / "war-galley" / "replays" / "great-harbour.jsonl"


@pytest.fixture
def logs(terminal: Terminal) -> Path:
    folder = terminal.folder / "logs"
    folder.mkdir()
    return folder


def lines(answer: Answer) -> dict[str, tuple[int, str]]:
    return {Path(one["file"]).name: (one["code"], one["skipped"]) for one in answer.json}


def test_every_other_entry_is_named(terminal: Terminal, logs: Path) -> None:
    (logs / "harbour.jsonl").write_bytes(HARBOUR.read_bytes())
    (logs / "linked.jsonl").symlink_to(HARBOUR)
    (logs / "README.txt").write_text("ours")
    (logs / "HARBOUR.JSONL").write_bytes(HARBOUR.read_bytes())
    (logs / "old").mkdir()
    (logs / ".hidden").write_text("")
    found = lines(terminal.ok("import", "logs", "--json"))
    assert {code for code, _ in found.values()} == {0}
    skipped = {name: why for name, (_, why) in found.items() if why}
    assert found.keys() - skipped.keys() == {"harbour.jsonl", "linked.jsonl"}
    assert skipped.keys() == {"README.txt", "HARBOUR.JSONL", "old", ".hidden"}
    assert {name for name, why in skipped.items() if why.endswith(" .jsonl")} == skipped.keys() - {"old"}
    *_, last = told = terminal.ok("import", "logs").out.splitlines()
    (old,) = [line for line in told if line.startswith("logs/old: ")]
    assert old.endswith(f": {skipped['old']}")
    assert [word for word in last.split() if word.isdigit()] == ["2", "4"]


@pytest.mark.parametrize("kind", ["a FIFO", "a socket", "a folder", "a broken link", "a device"])
def test_log_that_is_not_a_file_is_not_done(terminal: Terminal, logs: Path, kind: str) -> None:
    (logs / "harbour.jsonl").write_bytes(HARBOUR.read_bytes())
    _make(logs / "x.jsonl", kind)
    answer = terminal.type("import", "logs", "--json")
    code, why = lines(answer).pop("x.jsonl")
    assert (answer.code, code, lines(answer)["harbour.jsonl"]) == (2, 2, (0, ""))
    assert why
    assert f" {why}" in terminal.type("import", "logs").out


def test_folder_with_nothing_to_import_is_refused(terminal: Terminal, logs: Path) -> None:
    for number in range(7):
        (logs / f"{number}.txt").write_text("")
    error = terminal.type("import", "logs", "--json")
    assert error.code == 2
    assert "0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 2 more" in error.error["what"]


def test_folder_with_a_fifo_alone_is_not_done(terminal: Terminal, logs: Path) -> None:
    _make(logs / "x.jsonl", "a FIFO")
    assert terminal.type("import", "logs").code == 2
    assert not (terminal.folder / "umpire.db").exists()


def _make(path: Path, kind: str) -> None:
    if kind == "a FIFO":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "a socket":
        before = Path.cwd()
        os.chdir(path.parent)  # the name of a socket has at most 107 bytes
        try:
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(path.name)
        finally:
            os.chdir(before)
    else:
        path.symlink_to("/dev/null" if kind == "a device" else "nowhere")


class TestOneLog:
    def test_import_counts_records_that_are_new(self, ford: Terminal) -> None:
        def import_now() -> dict[str, int]:
            ford.ok("export", "ford", "-o", "ford.jsonl")
            return ford.ok("import", "ford.jsonl", "--ledger", "club.db", "--json").json

        size = ford.size()
        assert import_now() == {"game": "ford", "size": size, "new": size, "findings": 0}
        assert import_now()["new"] == 0
        ford.ok("note", "ford", "the wind turned")
        assert import_now()["new"] == 1

    def test_import_of_page_counts_records_that_are_new(self, ford: Terminal) -> None:
        ford.ok("page", "ford", "-o", "ford.html")
        assert ford.ok("import", "ford.html", "--ledger", "club.db", "--json").json["new"] == ford.size()
        assert ford.ok("import", "ford.html", "--ledger", "club.db", "--json").json["new"] == 0
