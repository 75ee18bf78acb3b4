"""A redacted log is completed with its keys: it equals the whole log byte for byte, or is refused with a position."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from tests.at_least_one import at_least_one
from tests.face.ledger import (
    BrokenLedger,
    Checkpoint,
    Proof,
    Record,
    WrongKeys,
)
from tests.face.testing import FIXTURES
from tests.ledger.table import number, open_table
from tests.naming import Naming
from umpire_ledger.ledger import replay_log, unredact

RECORDED = sorted(
    file
    for place in ("*/replays", "freeform/your-own/replays", "formats/1-*")
    for file in FIXTURES.glob(f"{place}/*.jsonl")
)
WITH_SECRETS = [file for file in RECORDED if b'"visible_to"' in file.read_bytes()]
FORD = (FIXTURES / "formats" / "1-edge" / "ford.whole.jsonl").read_bytes()
Sees = Callable[[Record], bool]


def redacted(log: bytes, see: Sees) -> bytes:
    """Return the log as exported to a reader with this visibility."""
    first, *lines, last = log.splitlines()
    return b"".join(line + b"\n" for line in (first, *replay_log.withheld(lines, see), last))


def keys_of(log: bytes, see: Sees | None = None) -> bytes:
    """Return the keys as exported to a reader with this visibility."""
    first, *lines, _ = log.splitlines()
    header = first.replace(b'"replay log"', b'"keys"')
    return b"".join(line + b"\n" for line in (header, *unredact.keys_in(lines, see)))


def opened(log: bytes, known: bytes) -> tuple[bytes, unredact.Opened]:
    out = io.BytesIO()
    said = unredact.unredact(log.splitlines(keepends=True), known.splitlines(keepends=True), out)
    return out.getvalue(), said


def of_seat(seat: str) -> Sees:
    return lambda record: record.visible_to is None or seat in record.visible_to


def seats_in(log: bytes) -> Iterable[str]:
    """Return each seat that may see a private record, and a spectator, who sees none."""
    records = map(Record.decode, log.splitlines()[1:-1])
    return {"spectator"}.union(*(record.visible_to or () for record in records))


def public(record: Record) -> bool:
    return record.visible_to is None


class TestRecordedGamesWithSecrets:
    @pytest.mark.parametrize("file", WITH_SECRETS, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
    def test_export_of_each_seat_is_completed_byte_for_byte(self, file: Path) -> None:
        """Use all keys, the whole log as keys, and a seat's own keys, which turn the public export into the seat's."""
        whole = file.read_bytes()
        before = whole.count(b'"inner":')
        for seat in at_least_one(seats_in(whole)):
            theirs = redacted(whole, of_seat(seat))
            for known in (keys_of(whole), whole):
                got, said = opened(theirs, known)
                assert got == whole
                assert said.opened == theirs.count(b'"inner":') - before
                assert said.private + said.public == before
            assert opened(redacted(whole, public), keys_of(whole, of_seat(seat)))[0] == theirs

    def test_recorded_games_with_secrets_exist(self) -> None:
        assert len(WITH_SECRETS) > 15


@pytest.mark.parametrize("reader", [None, "red", "blue"])
def test_written_keys_have_a_header_and_the_private_records_of_their_reader(reader: str | None) -> None:
    with open_table() as ledger:
        drafts = [number(1), number(2, visible_to=("red",)), number(3, visible_to=("blue",)), number(4, visible_to=())]
        ledger.append("g", after=0, seat="red", command="c", drafts=drafts)
        out = io.BytesIO()
        written = unredact.write(ledger, "g", out, None if reader is None else of_seat(reader))
    header, *lines = map(json.loads, out.getvalue().splitlines())
    assert (header["umpire"], header["game"]) == (unredact.NAME, "g")
    assert [one["position"] for one in lines] == {None: [2, 3, 4], "red": [2], "blue": [3]}[reader]
    assert written == len(lines)


class TestPartialKeys:
    @given(st.sets(st.integers(1, 30)), st.sets(st.integers(1, 30)))
    def test_open_what_they_are_keys_to_and_the_root_stays(self, hidden: set[int], given_away: set[int]) -> None:
        """Withhold public records too: then the whole log, or part of it, is the key."""
        theirs = redacted(FORD, lambda record: record.position not in hidden)
        first, *lines, _ = FORD.splitlines(keepends=True)
        some = [first.replace(b'"replay log"', b'"keys"')]
        some += [line for line in lines if json.loads(line)["position"] in given_away]
        got, said = opened(theirs, b"".join(some))
        assert got == redacted(FORD, lambda record: record.position not in hidden - given_away)
        assert said.opened == len(hidden & given_away & set(range(1, len(lines) + 1)))
        assert said.checkpoint.hex == json.loads(FORD.splitlines()[-1])["root"]

    def test_proof_unredacts_its_own_record(self) -> None:
        line = next(line for line in FORD.splitlines() if b'"visible_to":["red",' in line)
        root = Checkpoint(game=json.loads(FORD.splitlines()[0])["game"], size=1, root=bytes(32))
        proof = Proof(game=root.game, line=line, path=(bytes(32),), checkpoint=root)
        got, said = opened(redacted(FORD, public), proof.encode())
        assert (said.opened, said.private) == (1, 2)
        assert line in got.splitlines()

    def test_keys_of_a_longer_log_open_a_shorter_one(self) -> None:
        # A log was exported early; the keys are exported at the end.
        first, *lines, _ = FORD.splitlines(keepends=True)
        last = max(at for at, line in enumerate(lines) if b'"prior"' in line)
        root = bytes.fromhex(json.loads(lines[last])["prior"])
        said = Checkpoint(game=json.loads(first)["game"], size=last, root=root)
        ending = json.dumps({"checkpoint": said.text(), "size": last, "root": said.hex}, separators=(",", ":")) + "\n"
        shorter = b"".join([first, *lines[:last], ending.encode()])
        assert opened(redacted(shorter, public), FORD)[0] == shorter


class TestWrongKeys:
    def refused(self, known: bytes, reason: str, position: int, log: bytes = b"") -> None:
        with pytest.raises(WrongKeys, match=reason) as error:
            opened(log or redacted(FORD, public), known)
        assert error.value.position == position
        assert error.value.remedy
        assert error.value.rule == Naming("FORMAT.md", 12)

    def test_every_changed_byte_of_a_key_is_refused(self) -> None:
        known = keys_of(FORD)
        theirs = redacted(FORD, public)
        for at in at_least_one(range(len(known))):
            with pytest.raises(WrongKeys):
                opened(theirs, known[:at] + bytes([known[at] ^ 1]) + known[at + 1 :])

    def test_key_of_changed_record_is_refused_with_position(self) -> None:
        known = keys_of(FORD)
        second = Record.decode(known.splitlines()[2])
        changed = known.replace(f'"salt":"{second.salt}"'.encode(), b'"salt":"' + b"0" * 32 + b'"')
        self.refused(changed, rf"#{second.position}\b", second.position)

    def test_key_of_a_public_record_is_refused_if_it_differs(self) -> None:
        self.refused(FORD.replace(b'"salt":"', b'"salt":"0', 1), r"#1\b.*fromhex", 1)
        salt = json.loads(FORD.splitlines()[1])["salt"].encode()
        self.refused(FORD.replace(salt, b"0" * 32, 1), r"#1\b(?!.*fromhex)", 1)

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            ((b'"umpire":"keys"', b'"umpire":"key"'), "has no keys"),
            ((b'"umpire":"keys"', b'"umpire":"keys'), "has no keys"),
            ((b'"format":1', b'"format":2'), "written by a newer Umpire"),
            ((b'"game":"', b'"game":"x'), "keys belong to another game, x"),
            ((b'"format":1', b'"format":0'), "header is not in the form"),
            ((b'"event":', b'"evnt":'), "a line is not a record"),
            ((b'"event":', b' "event":'), "not in the form that Umpire writes"),
            ((b'"salt":', b'"inner":'), "not in the form that Umpire writes|salt is malformed|is not a record"),
        ],
    )
    def test_keys_of_another_game_are_refused(self, change: tuple[bytes, bytes], reason: str) -> None:
        known = keys_of(FORD)
        assert change[0] in known
        with pytest.raises(WrongKeys, match=reason):
            opened(redacted(FORD, public), known.replace(change[0], change[1], 1))

    def test_out_of_order_or_cut_off(self) -> None:
        first, one, *more = keys_of(FORD).splitlines(keepends=True)
        low, high = (Record.decode(line).position for line in (one, more[-1]))
        self.refused(b"".join([first, *more, one]), rf"#{low}\b.*#{high}\b", 0)
        self.refused(b"".join([first, one, one]), rf"#{low}\b.*#{low}\b", 0)
        self.refused(b"".join([first, one[:-1]]), "the last line is cut off", 0)
        self.refused(b"", "has no keys", 0)

    def test_broken_or_cut_log_is_not_unredacted(self) -> None:
        theirs = redacted(FORD, public)
        for log in (theirs[:-10], theirs.replace(b'"seat":"red"', b'"seat":"rad"', 1), b"", keys_of(FORD)):
            with pytest.raises(BrokenLedger):
                opened(log, keys_of(FORD))
