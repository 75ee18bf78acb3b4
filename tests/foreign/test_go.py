"""Check notes, cosignatures and proofs with independent packages: those of the Go checksum database.

Debian has them: apt install golang-go golang-golang-x-mod-dev. Without them these tests are skipped, unless UMPIRE_GO
says that they are needed.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.desk.game import FORD
from tests.desk.test_keys import BLUE, OTHER, RED, signer
from tests.face.desk import (
    KeyFolder,
    SecretKey,
    Witness,
    new_witness,
)
from tests.face.ledger import (
    CompactRange,
    SignedNote,
    audit_path,
    consistency_path,
    note_text,
    sha256,
    taken_apart,
)

PROGRAM = Path(__file__).with_name("check.go")
PACKAGES = Path("/usr/share/gocode")
IS_THERE = shutil.which("go") and (PACKAGES / "src/golang.org/x/mod/sumdb/note").is_dir()
pytestmark = pytest.mark.skipif(
    not IS_THERE and not os.environ.get("UMPIRE_GO"), reason="needs golang-go and golang-golang-x-mod-dev of Debian"
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("go")
    environment = {**os.environ, "GO111MODULE": "off", "GOPATH": str(PACKAGES), "GOCACHE": str(folder / "cache")}
    words = ["go", "build", "-o", str(folder / "check"), str(PROGRAM)]
    subprocess.run(words, check=True, env=environment, cwd=folder)
    return folder / "check"


def said(program: Path, *cases: dict[str, Any]) -> list[str]:
    done = subprocess.run([program], input=json.dumps(cases), capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    with umpire.open(tmp_path / "club.ledger") as desk:
        desk.signer = signer(RED, BLUE)
        keys = {"red": RED.key.text(), "blue": BLUE.key.text()}
        yield desk.new_from_text("freeform", FORD, id="ford", dice="table", keys=keys)


def texts(*keys: SecretKey) -> list[str]:
    return [one.key.text() for one in keys]


class TestNotes:
    def test_checkpoint_signed_by_both_seats_is_valid(self, program: Path, ford: umpire.PlayedGame) -> None:
        note = ford.cosigned(ford.signed_checkpoint("red"), "blue")
        assert said(
            program,
            {"Note": note.written(), "Keys": texts(RED, BLUE)},
            {"Note": note.written(), "Keys": texts(RED)},
            {"Note": note.written(), "Keys": texts(OTHER)},
            {"Note": note.written().replace("umpire/ford", "umpire/fort"), "Keys": texts(RED)},
        ) == ["ok", "ok", "note has no verifiable signatures", "invalid signature for key red+" + RED.key.id.hex()]

    def test_signed_order_is_a_valid_note(self, program: Path, ford: umpire.PlayedGame) -> None:
        saw = ford.checkpoint()
        done = ford.seat("red").order("move", unit="r1", path=["0201"])
        record = ford.ledger.record("ford", done.records[0].position)
        found = taken_apart(bytes(record.cause))
        assert found is not None
        text = note_text(saw, record.command, found.words)
        line = f"— red {json.loads(bytes(record.cause))['signed']}\n"
        assert said(program, {"Note": f"{text}\n{line}", "Keys": texts(RED)}) == ["ok"]

    def test_cosignature_of_a_witness_is_valid(self, program: Path, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        keys = KeyFolder(tmp_path / "tower", lambda _: "")
        key = new_witness(tmp_path / "tower", "tower", keys)
        note = ford.signed_checkpoint("red")
        note = note.signed_by(Witness(tmp_path / "tower", keys).add(ford.submission(note, 0)))
        (tower,) = note.signatures[1:]
        later = replace(tower, value=(int.from_bytes(tower.value[:8], "big") + 1).to_bytes(8, "big") + tower.value[8:])
        assert said(
            program,
            {"Note": note.written(), "Keys": [RED.key.text(), key.text()]},
            {"Note": SignedNote(note.text, (later,)).written(), "Keys": [key.text()]},
        ) == ["ok", f"invalid signature for key tower+{key.id.hex()}"]


class TestProofs:
    def test_consistency_of_every_small_tree_is_proved(self, program: Path) -> None:
        leaves = [sha256(bytes([n])).digest() for n in range(24)]
        roots = [CompactRange().grow(leaves[:n]).root().hex() for n in range(25)]
        grown = [
            {
                "Old": old,
                "Size": size,
                "Roots": [roots[old], roots[size]],
                "Proof": [one.hex() for one in consistency_path(leaves[:size], old)],
            }
            for size in range(1, 25)
            for old in range(1, size + 1)
        ]
        assert set(said(program, *grown)) == {"ok"}
        other = [{**one, "Roots": [roots[0], one["Roots"][1]]} for one in grown]
        assert "ok" not in said(program, *other)

    def test_inclusion_of_every_leaf_is_proved(self, program: Path) -> None:
        leaves = [sha256(bytes([n])).digest() for n in range(24)]
        proved = [
            {
                "Size": size,
                "At": at,
                "Leaf": leaves[at].hex(),
                "Roots": [CompactRange().grow(leaves[:size]).root().hex()],
                "Proof": [one.hex() for one in audit_path(leaves[:size], at)],
            }
            for size in range(1, 25)
            for at in range(size)
        ]
        assert set(said(program, *proved)) == {"ok"}
