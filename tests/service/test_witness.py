"""A witness over HTTP, as C2SP tlog-witness has it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

import httpx

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.face.desk import (
    KeyFolder,
    cosigned_by,
    new_witness,
    read_witness,
)
from tests.face.ledger import Signature, SignedNote
from tests.service.served import Served


@pytest.fixture
def table(tmp_path: Path) -> Terminal:
    table = Terminal(tmp_path)
    table.new("ford")
    table.ok("witness", "new", "tower", "--name", "tower")
    return table


@pytest.fixture
def tower(table: Terminal) -> Iterator[Served]:
    served = Served(table.folder, "--witness", "tower", ledger=str(table.folder / "served.db"))
    yield served
    served.stop()


def asked(tower: Served, table: Terminal, *words: str) -> httpx.Response:
    table.ok("witness", "ask", "ford", "-o", "request", *words)
    body = (table.folder / "request").read_bytes()
    return httpx.post(f"{tower.address}/witness/add-checkpoint", content=body, trust_env=False)


def test_witness_cosigns_growth_and_reports_its_state(tower: Served, table: Terminal) -> None:
    first = asked(tower, table)
    assert first.status_code == 200
    table.ok("seal", "ford", "--as", "red")
    with umpire.open(table.folder / "umpire.db", read_only=True) as desk:
        size, early = desk.game("ford").size, desk.game("ford").checkpoint(desk.game("ford").size - 1)
    note = SignedNote(early.text(), (Signature.read(first.text.rstrip("\n")),))
    key = read_witness(table.ok("witness", "show", "tower").out.strip())
    assert [one.name for one in cosigned_by(note, [key])] == ["tower"]
    conflict = asked(tower, table)
    assert (conflict.status_code, conflict.text) == (409, f"{size - 1}\n")
    assert conflict.headers["content-type"] == "text/x.tlog.size"
    assert asked(tower, table, "--old", str(size - 1)).status_code == 200
    address = f"{tower.address}/witness/add-checkpoint"
    wrong = httpx.post(address, content=b"\xff", trust_env=False)
    assert (wrong.status_code, "umpire witness ask" in wrong.text) == (400, True)


def test_without_the_option_there_is_none(served: Served) -> None:
    answer = httpx.post(f"{served.address}/witness/add-checkpoint", content=b"old 0\n\n", trust_env=False)
    assert answer.status_code == 404


def test_witness_that_cannot_sign_is_refused_at_start(table: Terminal) -> None:
    answer = table.type("serve", "--witness", "nowhere", "--port", "0")
    assert (answer.code, "umpire witness new" in answer.err) == (2, True)
    locked = KeyFolder(table.folder / "locked", lambda _: "sesame")
    new_witness(table.folder / "locked", "locked", locked, "sesame")
    answer = table.type("serve", "--witness", "locked", "--port", "0")
    assert (answer.code, "without a pass-phrase" in answer.err) == (2, True)
