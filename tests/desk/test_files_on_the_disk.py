"""A file is on the disk before it gets its name, and its name is on the disk before success is reported."""

import os
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal

Call = tuple[str, str, int]
"""A call of the system: `fsync` or `name`, the file or folder, and its bytes at that moment."""


@pytest.fixture
def ford(tmp_path: Path) -> Terminal:
    terminal = Terminal(tmp_path)
    terminal.new()
    return terminal


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """Return the list of calls of `fsync` and renaming, in order, each carried out."""
    found: list[Call] = []
    fsync, replace = os.fsync, os.replace

    def noted_fsync(number: int) -> None:
        fsync(number)
        path = os.readlink(f"/proc/self/fd/{number}")
        found.append(("fsync", path, os.path.getsize(path) if os.path.isfile(path) else 0))

    def noted_replace(before: str | Path, after: str | Path) -> None:
        size = os.path.getsize(before)
        replace(before, after)
        found.append(("name", str(Path(after).absolute()), size))

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "replace", noted_replace)
    return found


def test_export_is_on_disk_before_it_is_named(ford: Terminal, calls: list[Call]) -> None:
    ford.ok("export", "ford", "-o", "ford.jsonl")
    file = ford.folder / "ford.jsonl"
    size = file.stat().st_size
    assert size > 0
    (first, hidden, whole), named, last = calls
    assert (first, whole) == ("fsync", size)
    assert Path(hidden).parent == file.parent
    assert Path(hidden).name.startswith(".ford.jsonl.")
    assert named == ("name", str(file), size)
    assert last == ("fsync", str(file.parent), 0)


def test_case_is_on_disk_before_its_folder_is_named(ford: Terminal, calls: list[Call]) -> None:
    ford.give("red", "roll", purpose="fire", dice="1d6", pips=[3])
    ford.ok("dispute", "open", "ford", str(ford.size()), "--claim", "it was a 5", "--as", "blue")
    calls.clear()
    ford.ok("case", "ford", "d1", "-o", "case")
    named = calls.index(next(call for call in calls if call[0] == "name"))
    assert calls[named][1] == str(ford.folder / "case")
    written = {Path(path).name: size for what, path, size in calls[:named] if what == "fsync" and size}
    assert written == {file.name: file.stat().st_size for file in (ford.folder / "case").iterdir()}
    assert written.keys() >= {"case.md", "case.json", "manifest.json", "replay.jsonl", "checkpoint.txt"}
    assert calls[named - 1][0] == "fsync"
    assert Path(calls[named - 1][1]).name.startswith(".case."), "the folder itself, before it has its name"
    assert calls[named + 1 :] == [("fsync", str(ford.folder), 0)]


def test_interrupted_export_leaves_the_old_file_only(ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    ford.ok("export", "ford", "-o", "ford.jsonl")
    before = (ford.folder / "ford.jsonl").read_bytes()
    ford.give("red", "move", unit="r1", path=["0103"])

    def no_room(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_room)
    answer = ford.type("export", "ford", "-o", "ford.jsonl")
    assert answer.code == 2
    assert "No space left" in answer.err
    assert (ford.folder / "ford.jsonl").read_bytes() == before
    assert not list(ford.folder.glob(".ford*"))
