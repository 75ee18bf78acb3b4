"""Check that exactly the correct proofs of a record are valid, even for an independent verifier from FORMAT.md."""

from __future__ import annotations

import hashlib
import io
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.at_least_one import at_least_one
from tests.face.ledger import (
    BrokenLedger,
    BrokenProof,
    CannotBeWritten,
    Checkpoint,
    Ledger,
    NoSuchGame,
    NoSuchRecord,
    Proof,
    audit_path,
    inclusion_proof,
    root_above,
)
from tests.face.testing import FIXTURES
from tests.ledger.table import open_table
from tests.ledger.test_format import example, fields, hashes, header
from tests.ledger.test_tree import naive_root
from umpire_ledger.ledger import replay_log

GAMES = (
    "formats/1-edge/duel.spectator.jsonl",
    "war-galley/replays/great-harbour.jsonl",
    "freeform/replays/ford.jsonl",
)
EXAMPLE = Checkpoint.read(example("checkpoint"))


def prove(ledger: Ledger[Any], game_id: str, position: int, checkpoint: Checkpoint | None = None) -> Proof:
    return inclusion_proof.prove(ledger.checkpoint(game_id), ledger.first_lines(game_id), position, checkpoint)


def example_proof() -> bytes:
    return example("proof").encode()


# -- From FORMAT.md, section 11; from our tests only the record's header and leaf in test_format.py --------


def path_by_rfc_6962(leaves: list[bytes], at: int) -> list[bytes]:
    """Return the audit path of a leaf as RFC 6962, section 2.1.1, defines it."""
    if len(leaves) == 1:
        return []
    k = 1 << (len(leaves) - 1).bit_length() - 1
    if at < k:
        return [*path_by_rfc_6962(leaves[:k], at), naive_root(leaves[k:])]
    return [*path_by_rfc_6962(leaves[k:], at - k), naive_root(leaves[:k])]


def stranger_says(raw: bytes, checkpoint: str) -> bool:
    """Return whether a proof is valid, by halving the tree from the top down, unlike our own check."""
    first, line, way, last = raw.decode().splitlines()
    game, record, ending = json.loads(first)["game"], fields(line), json.loads(last)
    if ending["checkpoint"] != checkpoint or not checkpoint.startswith(f"umpire/{game}\n"):
        return False
    leaf = hashlib.sha256(b"\x00" + header(game, record) + hashes(record)[0]).digest()
    path = [bytes.fromhex(one) for one in json.loads(way)["path"]]

    def climb(at: int, size: int) -> bytes:
        if size == 1:
            return leaf
        k, beside = 1 << (size - 1).bit_length() - 1, path.pop()
        below = climb(at, k) if at < k else climb(at - k, size - k)
        return hashlib.sha256(b"\x01" + (below + beside if at < k else beside + below)).digest()

    return climb(int(record["position"][0]) - 1, ending["size"]).hex() == ending["root"] and not path


# --------------------------------------------------------------------------------------------------


@cache
def lines_of(game_id: str) -> tuple[str, tuple[bytes, ...]]:
    """Return the id and the records of a recorded game."""
    first, *lines, _ = (FIXTURES / game_id).read_bytes().splitlines()
    return json.loads(first)["game"], tuple(lines)


@cache
def leaves_of(game_id: str) -> tuple[bytes, ...]:
    name, lines = lines_of(game_id)
    return tuple(inclusion_proof.Record.decode(line).leaf(name) for line in lines)


def made(game_id: str, position: int, size: int) -> Proof:
    """Build a proof from the lines alone."""
    name, lines = lines_of(game_id)
    leaves = list(leaves_of(game_id)[:size])
    said = Checkpoint(game=name, size=size, root=naive_root(leaves))
    return Proof(game=name, line=lines[position - 1], path=audit_path(leaves, position - 1), checkpoint=said)


class TestAuditPath:
    def test_audit_path_matches_rfc_6962_and_leads_to_root(self) -> None:
        leaves = [hashlib.sha256(b"%d" % n).digest() for n in range(40)]
        for size in range(1, 41):
            for at in range(size):
                path = audit_path(leaves[:size], at)
                assert list(path) == path_by_rfc_6962(leaves[:size], at)
                assert root_above(leaves[at], at, size, path) == naive_root(leaves[:size])

    @given(st.integers(1, 300), st.data())
    def test_audit_path_changed_does_not_lead_to_root(self, size: int, data: st.DataObject) -> None:
        """Change the position, the size, or the path: a step more or less, or two steps exchanged."""
        at = data.draw(st.integers(0, size - 1))
        leaves = [hashlib.sha256(b"%d" % n).digest() for n in range(size)]
        path, root = audit_path(leaves, at), naive_root(leaves)
        other = data.draw(st.integers(0, size + 3).filter(lambda one: one != at))
        assert root_above(leaves[at], other, size, path) != root
        assert root_above(leaves[at], at, size, (*path, root)) != root
        assert not path or root_above(leaves[at], at, size, path[:-1]) != root
        assert len(path) < 2 or root_above(leaves[at], at, size, (path[1], path[0], *path[2:])) != root
        assert root_above(leaves[at], -1, size, path) is None
        assert root_above(leaves[at], size, size, path) is None


class TestRecordedGames:
    @pytest.mark.parametrize("game", GAMES)
    def test_proof_of_each_record_verifies_against_checkpoints(self, game: str) -> None:
        size = len(leaves_of(game))
        checked = 0
        for checkpoint in sorted({size, size - 1, size // 2, size // 3, 1 << size.bit_length() - 1}):
            for position in range(1, checkpoint + 1, 1 if size < 100 else 7):
                one = made(game, position, checkpoint)
                again = Proof.read(one.encode())
                again.verify(one.checkpoint)
                assert again == one
                assert stranger_says(one.encode(), one.checkpoint.text())
                checked += 1
        assert checked > 50

    @pytest.mark.parametrize("game", GAMES)
    def test_under_the_path_of_another_it_does_not(self, game: str) -> None:
        """Use the neighboring record, unchanged and with the position of the proved record."""
        one, lines = made(game, 12, 20), lines_of(game)[1]
        for line in (lines[10], lines[10].replace(b'"position":11,', b'"position":12,')):
            forged = Proof.read(one.encode().replace(lines[11], line))
            with pytest.raises(BrokenProof):
                forged.verify(one.checkpoint)

    @pytest.mark.parametrize("redacted", [False, True])
    @pytest.mark.parametrize("bit", [1, 32])
    def test_every_flipped_byte_of_a_proof_is_found(self, redacted: bool, bit: int) -> None:
        one = made(GAMES[0], 3, 21)
        raw = one.encode()
        if redacted:
            raw = raw.replace(one.line, one.record.redact().encode())
        Proof.read(raw).verify(one.checkpoint)
        for at in at_least_one(range(len(raw))):
            flipped = raw[:at] + bytes([raw[at] ^ bit]) + raw[at + 1 :]
            with pytest.raises(BrokenProof):
                Proof.read(flipped).verify(one.checkpoint)

    def test_proof_cut_short_is_refused(self) -> None:
        raw = example_proof()
        for end in at_least_one(range(len(raw))):
            with pytest.raises(BrokenProof):
                Proof.read(raw[:end])


class TestFormatPage:
    def test_example_proof_verifies_with_both_verifiers(self) -> None:
        Proof.read(example_proof()).verify(EXAMPLE)
        assert stranger_says(example_proof(), example("checkpoint"))
        assert not stranger_says(example_proof().replace(b"who goes", b"who Goes"), example("checkpoint"))

    def test_example_proof_equals_our_output(self) -> None:
        with open_table() as ledger:
            replay_log.read_into(ledger, io.BytesIO(example("whole").encode()))
            assert prove(ledger, "syracuse-1", 1).encode() == example_proof()
            assert prove(ledger, "syracuse-1", 1, EXAMPLE).encode() == example_proof()


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (("proof", "replay log"), "this is not a proof"),
            (('"format":1', '"format":2'), "written by a newer Umpire"),
            (('"format":1', '"format":0'), "not in the form that Umpire writes"),
            (('"game":"syracuse-1"', '"game":"a b"'), "its header cannot be read"),
            (('"game":"syracuse-1"', '"game":"other"'), "the checkpoint belongs to another game"),
            (('"umpire":"proof",', '"umpire":"proof", '), "not in the form that Umpire writes"),
            (('"salt":"10', '"salt":"1'), "the salt is not 16 bytes long"),
            (('"position":1', '"position":4'), "the record does not lead"),
            (('"position":1', f'"position":{2**64}'), "not in the form that Umpire writes"),
            (('"position":1', '"position":0'), "not in the form that Umpire writes"),
            (('"path":["', '"path":["00'), "not in the form that Umpire writes"),
            (('"path":["', '"path":["x'), "its path or its checkpoint cannot be read"),
            ((r"\n3\nb", r"\n2\nb"), "not in the form that Umpire writes"),
            (("who goes", "who Goes"), "the record does not lead"),
        ],
    )
    def test_changed_proof_is_refused(self, change: tuple[str, str], reason: str) -> None:
        raw = example_proof().replace(change[0].encode(), change[1].encode())
        assert raw != example_proof()
        with pytest.raises(BrokenProof, match=reason) as refused:
            Proof.read(raw).verify(EXAMPLE)
        assert refused.value.remedy
        assert refused.value.where
        assert "section 11" in refused.value.rule

    def test_proof_against_other_checkpoint_is_refused(self) -> None:
        held = Proof.read(example_proof())
        for other, reason in (
            (Checkpoint(game="other", size=3, root=EXAMPLE.root), "other"),
            (
                Checkpoint(game="syracuse-1", size=2, root=EXAMPLE.root),
                r"\b3\b.*\b2\b",
            ),
            (Checkpoint(game="syracuse-1", size=3, root=bytes(32)), "."),
        ):
            with pytest.raises(BrokenProof, match=reason):
                held.verify(other)
        held.verify(EXAMPLE)

    def test_proof_of_missing_record_is_refused(self) -> None:
        with open_table() as ledger:
            replay_log.read_into(ledger, io.BytesIO(example("whole").encode()))
            two = ledger.checkpoint("syracuse-1", 2)
            for position in (0, 4):
                with pytest.raises(NoSuchRecord, match=rf"#{position}\b"):
                    prove(ledger, "syracuse-1", position)
            with pytest.raises(NoSuchGame):
                prove(ledger, "syracuse", 1)
            with pytest.raises(CannotBeWritten, match=r"\b2\b.*#3\b"):
                prove(ledger, "syracuse-1", 3, two)
            with pytest.raises(CannotBeWritten, match=r"\bother$"):
                prove(ledger, "syracuse-1", 1, Checkpoint(game="other", size=2, root=two.root))
            with pytest.raises(BrokenLedger, match=r"\b4\b.*\b3\b"):
                prove(ledger, "syracuse-1", 1, Checkpoint(game="syracuse-1", size=4, root=two.root))
            with pytest.raises(BrokenLedger, match=r"#2\b"):
                prove(ledger, "syracuse-1", 1, Checkpoint(game="syracuse-1", size=2, root=bytes(32)))
            assert prove(ledger, "syracuse-1", 2, two).checkpoint == two
