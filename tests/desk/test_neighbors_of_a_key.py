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


@pytest.mark.parametrize("name", ["r", "r" * MOST_NAME, "r-"])
def test_name_of_a_key_within_its_limits(tmp_path: Path, name: str) -> None:
    assert KeyFolder(tmp_path / "keys", lambda asked: "").new(name).name == name


@pytest.mark.parametrize("name", ["", "r" * (MOST_NAME + 1), "-r"])
def test_name_of_a_key_beyond_its_limits_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(umpire.WrongUse) as refused:
        KeyFolder(tmp_path / "keys", lambda asked: "").new(name)
    assert refused.value.rule == "keys"
    assert not (tmp_path / "keys").exists()


def submitted(game: umpire.PlayedGame, hashes: int) -> Submission:
    """Read a request to a witness with that number of hashes."""
    line = base64.b64encode(bytes(32)).decode() + "\n"
    return Submission.read(f"old 0\n{line * hashes}\n{game.checkpoint().text()}")


@pytest.mark.parametrize("hashes", [0, 1, MOST_HASHES])
def test_witness_reads_every_hash(ford: umpire.PlayedGame, hashes: int) -> None:
    assert len(submitted(ford, hashes).path) == hashes


def test_witness_refuses_too_many_hashes(ford: umpire.PlayedGame) -> None:
    with pytest.raises(NotWitnessed) as refused:
        submitted(ford, MOST_HASHES + 1)
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
