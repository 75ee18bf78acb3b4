"""Test keys one before and one behind each limit: names, requests to a witness, and what a seat can have seen."""

import base64
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.attacks.damaged_logs import RAW, read, written_anew
from tests.desk.test_keys import RED, desk, ford
from tests.face.desk import KeyFolder, NotWitnessed, Submission, signed
from tests.face.domain import MOST_NAME
from tests.face.ledger import MOST_HASHES

__all__ = ["desk", "ford"]

NOTE = {"as": "red", "order": "note", "text": "peace"}


@pytest.mark.parametrize(
    ("name", "is_name"),
    [("", False), ("r", True), ("r" * MOST_NAME, True), ("r" * (MOST_NAME + 1), False), ("-r", False), ("r-", True)],
)
def test_name_of_a_key_at_its_limits(tmp_path: Path, name: str, is_name: bool) -> None:
    keys = KeyFolder(tmp_path / "keys", lambda asked: "")
    if is_name:
        assert keys.new(name).name == name
        return
    with pytest.raises(umpire.WrongUse) as refused:
        keys.new(name)
    assert refused.value.rule == "keys"
    assert not (tmp_path / "keys").exists()


@pytest.mark.parametrize(("hashes", "is_read"), [(0, True), (1, True), (MOST_HASHES, True), (MOST_HASHES + 1, False)])
def test_number_of_hashes_that_a_witness_reads(ford: umpire.PlayedGame, hashes: int, is_read: bool) -> None:
    one = base64.b64encode(bytes(32)).decode() + "\n"
    text = f"old 0\n{one * hashes}\n{ford.checkpoint().text()}"
    if is_read:
        assert len(Submission.read(text).path) == hashes
        return
    with pytest.raises(NotWitnessed) as refused:
        Submission.read(text)
    assert refused.value.status == 400


def test_order_signed_again_has_one_signature_over_its_own_words(ford: umpire.PlayedGame) -> None:
    """Leave out what was signed before, and who entered it: neither is a word of the order."""
    now = ford.checkpoint()
    once = signed({**NOTE, "id": "mine"}, RED, now)
    assert once["id"] == "mine"
    assert signed(once, RED, now) == once
    assert signed({**once, "entered_by": "referee"}, RED, now) == once
    assert ford.seat("red").order(signed(once, RED, now)).position == now.size + 1


@pytest.mark.parametrize(("since", "is_right"), [(-1, False), (0, True), (1, True), (2, True)])
def test_order_is_signed_on_what_its_seat_saw_last_or_later(
    ford: umpire.PlayedGame, tmp_path: Path, since: int, is_right: bool
) -> None:
    """Sign red's second order on a record before or behind the one that its first was signed on."""
    ford.seat("blue").note("good evening")
    seen = ford.size
    ford.seat("red").note("peace")
    ford.seat("blue").note("agreed")
    last = ford.seat("red").note("shake hands").position
    ford.export(tmp_path / "log.jsonl", seat="referee", whole=True)
    name, records = read((tmp_path / "log.jsonl").read_bytes())
    record = records[last - 1]
    words = json.loads(bytes(record.cause))
    again = signed({**words, "id": record.command}, RED, ford.checkpoint(seen + since))
    del again["id"]
    records[last - 1] = replace(record, cause=RAW(json.dumps(again, separators=(",", ":")).encode()))
    (tmp_path / "log.jsonl").write_bytes(written_anew(name, records))
    verdict = umpire.verify(tmp_path / "log.jsonl").verdict
    assert (verdict.verdict, verdict.first_bad) == (("VALID", None) if is_right else ("INVALID", last))
