"""Check that FORMAT.md is correct: its example runs, and a verifier written from the page agrees with the ledger."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tests.face.ledger import Checkpoint, CompactRange, Record
from tests.ledger.table import number, open_table, play
from umpire_ledger.ledger import replay_log

PAGE = (Path(__file__).parents[2] / "ledger" / "FORMAT.md").read_text(encoding="utf-8")


def example(name: str) -> str:
    """Return the fenced block with this name after its language."""
    found = re.search(rf"^```\w+ {name}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found, name
    return found[1]


# -- A verifier in a page, written from FORMAT.md without our code -----------------------------------


Fields = dict[str, tuple[Any, bytes]]


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def text(value: str) -> bytes:
    return len(value.encode()).to_bytes(4, "big") + value.encode()


def fields(line: str) -> Fields:
    """Return the value of each field and its bytes as stored in the line."""
    read, found, at = json.JSONDecoder().raw_decode, {}, 1
    while line[at - 1] != "}":
        name, at = read(line, at)
        value, end = read(line, at + 1)
        found[name] = (value, line[at + 1 : end].encode())
        at = end + 1
    return found


def hashes(record: Fields) -> tuple[bytes, bytes]:
    """Return (inner, cause_hash) as in section 2."""
    if "inner" in record:
        withheld = [bytes.fromhex(str(record[name][0])) if name in record else b"" for name in ("inner", "cause_hash")]
        return withheld[0], withheld[1]
    salt = bytes.fromhex(str(record["salt"][0]))
    cause_hash = sha256(salt, b"\x01", record["cause"][1]) if "cause" in record else b""
    return sha256(salt, record["event"][1]), cause_hash


def header(game_id: str, record: Fields) -> bytes:
    """Return the header of a record as in the table of section 2, row by row."""

    def optional(raw: bytes | None) -> bytes:
        return b"\x00" if raw is None else b"\x01" + raw

    value = {name: found[0] for name, found in record.items()}
    seats = value.get("visible_to")
    return b"".join(
        [
            b"\x01",
            text(game_id),
            int(value["position"]).to_bytes(8, "big"),
            text(value["at"]) + text(value["seat"]) + text(value["command"]),
            optional(int(value["follows"]).to_bytes(8, "big") if "follows" in value else None),
            optional(None if seats is None else len(seats).to_bytes(4, "big") + b"".join(map(text, seats))),
            optional(bytes.fromhex(str(value["prior"])) if "prior" in value else None),
            optional(hashes(record)[1] or None),
        ]
    )


def root(leaves: list[bytes]) -> bytes:
    """Return the root of a tree as in section 4 and RFC 6962."""
    if len(leaves) < 2:
        return leaves[0] if leaves else sha256()
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return sha256(b"\x01", root(leaves[:half]), root(leaves[half:]))


def stranger_verifies(log: str) -> str:
    """Verify a log without our code, and return its root in hex.

    Raises:
        AssertionError: When the log is not valid.
    """
    first, *lines, last = log.splitlines()
    game, leaves, command = json.loads(first)["game"], list[bytes](), ""
    for position, line in enumerate(lines, 1):
        record = fields(line)
        assert record["position"][0] == position
        if record["command"][0] != command:
            command = str(record["command"][0])
            assert record["prior"][0] == root(leaves).hex()
        leaves.append(sha256(b"\x00", header(game, record), hashes(record)[0]))
    assert json.loads(last)["root"] == root(leaves).hex()
    assert json.loads(last)["size"] == len(leaves)
    return root(leaves).hex()


# --------------------------------------------------------------------------------------------------


class TestExample:
    @pytest.mark.parametrize(("name", "verdict"), [("whole", "VALID"), ("redacted", "VALID WITH REDACTIONS")])
    def test_example_logs_verify_with_both_verifiers(self, name: str, verdict: str) -> None:
        log = example(name)
        ours = replay_log.verify(io.BytesIO(log.encode()))
        assert ours.verdict == verdict
        assert stranger_verifies(log) == ours.root

    def test_example_hashes_are_computed_by_both_verifiers(self) -> None:
        table = dict(re.findall(r"^(.*?\S)\s+([0-9a-f]{64,}|-)$", example("hashes"), re.MULTILINE))
        edge = CompactRange()
        for position, line in enumerate(example("whole").splitlines()[1:-1], 1):
            ours, theirs = Record.decode(line.encode()), fields(line)
            inner, cause_hash = ours.hashes()
            edge = edge.grow([ours.leaf("syracuse-1")])
            assert table[f"#{position} header"] == ours.header("syracuse-1", cause_hash).hex()
            assert table[f"#{position} header"] == header("syracuse-1", theirs).hex()
            assert table[f"#{position} cause_hash"] == (cause_hash.hex() or "-") == (hashes(theirs)[1].hex() or "-")
            assert table[f"#{position} inner"] == inner.hex() == hashes(theirs)[0].hex()
            assert table[f"#{position} leaf"] == ours.leaf("syracuse-1").hex()
            assert table[f"root of {position}"] == edge.root().hex()
        assert len(table) == 3 * 5

    def test_example_checkpoint_is_that_of_its_log(self) -> None:
        checkpoint = Checkpoint.read(example("checkpoint"))
        assert replay_log.verify(io.BytesIO(example("whole").encode()), checkpoint).valid
        assert checkpoint.size == 3

    def test_example_redaction_equals_our_output(self) -> None:
        with open_table() as elsewhere:
            replay_log.read_into(elsewhere, io.BytesIO(example("whole").encode()))
            out = io.BytesIO()
            replay_log.write(elsewhere, "syracuse-1", out, lambda record: record.visible_to is None)
            assert out.getvalue().decode() == example("redacted")


class TestIndependentVerifier:
    def test_independent_verifier_accepts_our_log(self) -> None:
        with open_table() as game:
            play(game, "g", [1, 2], [3], [4, 5, 6])
            game.append("g", after=6, seat='odd "seat"\n', command="\\", drafts=[number(7, follows=2, visible_to=())])
            play(game, "g", [8])
            out = io.BytesIO()
            replay_log.write(game, "g", out, lambda record: record.position % 3 != 0)
            assert stranger_verifies(out.getvalue().decode()) == game.checkpoint("g").hex

    def test_finds_a_changed_event_too(self) -> None:
        with pytest.raises(AssertionError):
            stranger_verifies(example("whole").replace('"to":0', '"to":1'))


class TestSignatures:
    """Section 13, checked with `cryptography` and without our code."""

    def test_signed_example_matches_the_page(self) -> None:
        given = dict(line.split(maxsplit=1) for line in example("signed-order").splitlines())
        body, lines = example("signed-note").rsplit("\n\n", 1)
        name, key_id, public = given["key"].split("+", 2)
        raw = base64.b64decode(public)
        assert sha256(name.encode(), b"\n", raw)[:4].hex() == key_id
        order = sha256(text(given["order"]), given["signed"].encode()).hex()
        assert body + "\n" == example("checkpoint") + f"order {order}\n"
        signature = lines.removeprefix(f"— {name} ").rstrip("\n")
        assert given["stands"] == f'{given["signed"][:-1]},"signed":"{signature}"}}'
        key = Ed25519PublicKey.from_public_bytes(raw[1:])
        key.verify(base64.b64decode(signature)[4:], body.encode() + b"\n")
        assert Ed25519PrivateKey.from_private_bytes(b"\x01" * 32).public_key() == key
