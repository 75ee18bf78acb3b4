"""Export a replay log, verify it, import it elsewhere, and export it again with the same bytes."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, strategies as st

from tests.at_least_one import at_least_one
from tests.examples import examples
from tests.face.ledger import (
    BrokenLedger,
    Checkpoint,
    CompactRange,
    Draft,
    GameExists,
    Ledger,
    NoSuchGame,
    NoSuchRecord,
    Record,
    Verdict,
)
from tests.ledger.table import Numbers, number, open_table, play
from tests.naming import Naming
from umpire_ledger.ledger import replay_log

Damage = Callable[[list[bytes]], list[bytes]]


def export(ledger: Ledger[Numbers], game_id: str = "g", **settings: object) -> bytes:
    out = io.BytesIO()
    replay_log.write(ledger, game_id, out, **settings)  # type: ignore[arg-type]
    return out.getvalue()


def verify(log: bytes, checkpoint: Checkpoint | None = None) -> Verdict:
    return replay_log.verify(io.BytesIO(log), checkpoint)


def seen_by(seat: str) -> Callable[[Record], bool]:
    return lambda record: record.visible_to is None or seat in record.visible_to


@pytest.fixture(scope="module")
def game() -> Iterator[Ledger[Numbers]]:
    """Ten records in six orders: a rewind, a secret with its cause, a name with an accent."""
    with open_table() as ledger:
        play(ledger, "g", [1, 2, 3], [4], seat="Nikías")
        secret = Draft(event=b'{"n":5,"text":"\xc3\xa9"}', cause=b'{"n": 5}', visible_to=("athens",))
        ledger.append("g", after=4, seat="athens", command="secret", drafts=[number(0), secret])
        ledger.append("g", after=6, seat="referee", command="back", drafts=[number(6, follows=2)])
        play(ledger, "g", [7], [8, 9])
        yield ledger


@pytest.fixture(scope="module")
def log(game: Ledger[Numbers]) -> bytes:
    return export(game)


class TestExportAndImport:
    def test_log_is_header_stored_lines_and_checkpoint(self, game: Ledger[Numbers], log: bytes) -> None:
        header, *lines, ending = log.splitlines()
        assert header == b'{"umpire":"replay log","format":1,"game":"g"}'
        assert lines == list(game.lines("g"))
        said = msgspec.json.decode(ending)
        assert said["checkpoint"] == game.checkpoint("g").text()
        assert (said["size"], said["root"]) == (10, game.checkpoint("g").hex)

    def test_log_imported_and_exported_has_same_bytes(self, log: bytes) -> None:
        with open_table() as elsewhere:
            assert replay_log.read_into(elsewhere, io.BytesIO(log)) == "g"
            assert export(elsewhere) == log
            assert elsewhere.state("g") == (1, 2, 6, 7, 8, 9)
            assert elsewhere.verify("g").valid
            play(elsewhere, "g", [10])
            assert elsewhere.verify("g").valid

    def test_redacted_log_is_exported_and_imported(self, game: Ledger[Numbers], log: bytes) -> None:
        redacted = export(game, see=seen_by("syracuse"))
        assert verify(redacted).verdict == "VALID WITH REDACTIONS"
        assert verify(redacted).root == verify(log).root
        assert verify(redacted).redacted == 1
        with open_table() as elsewhere:
            replay_log.read_into(elsewhere, io.BytesIO(redacted))
            assert export(elsewhere) == redacted
            assert export(elsewhere, see=lambda _: False) == export(game, see=lambda _: False)
            assert elsewhere.verify("g").verdict == "VALID WITH REDACTIONS"

    def test_log_without_public_records_is_incomplete(self, game: Ledger[Numbers]) -> None:
        # Every seat could see public records: a log without them hides the game.
        log = export(game, see=lambda record: record.position not in (3, 6, 7, 8))
        verdict = verify(log)
        assert (verdict.verdict, verdict.valid, verdict.size) == ("INCOMPLETE", False, 10)
        assert re.findall(r"#\d+", verdict.reason) == ["#3", "#7", "#8"]
        assert (verdict.redacted, verdict.public_withheld, verdict.private_withheld) == (4, 3, 1)
        assert verdict.public_withheld_at == ((3, 3), (7, 8))
        assert verdict.root == game.checkpoint("g").hex
        with open_table() as elsewhere:
            with pytest.raises(BrokenLedger, match=r"\b3\b") as refusal:
                replay_log.read_into(elsewhere, io.BytesIO(log))
            assert refusal.value.position == 3
            assert elsewhere.games() == ()

    def test_cut_log_is_reported_if_records_are_withheld(self, game: Ledger[Numbers]) -> None:
        cut = export(game, see=lambda _: False)[:-1]
        assert verify(cut).reason == Naming("#10")

    def test_private_record_is_exported_to_its_seats_only(self, game: Ledger[Numbers], log: bytes) -> None:
        assert export(game, see=seen_by("athens")) == log
        assert b'"n":5' not in export(game, see=seen_by("syracuse"))
        assert b'"n": 5' not in export(game, see=seen_by("syracuse"))

    def test_log_up_to_each_position_is_valid(self, game: Ledger[Numbers]) -> None:
        for at in range(1, 11):
            verdict = verify(export(game, at=at))
            assert (verdict.verdict, verdict.size, verdict.root) == ("VALID", at, game.checkpoint("g", at).hex)

    def test_unknown_game_or_record_writes_no_log(self, game: Ledger[Numbers]) -> None:
        out = io.BytesIO()
        with pytest.raises(NoSuchGame):
            replay_log.write(game, "nowhere", out)
        with pytest.raises(NoSuchRecord):
            replay_log.write(game, "g", out, at=11)
        assert not out.getvalue()

    def test_log_is_read_from_any_stream_of_lines(self, log: bytes) -> None:
        assert replay_log.verify(log.splitlines(keepends=True)).valid

    def test_many_records(self) -> None:
        with open_table() as ledger, open_table() as elsewhere:
            ledger.append("g", after=0, seat="a", command="c", drafts=[number(n) for n in range(2000)])
            log = export(ledger)
            replay_log.read_into(elsewhere, io.BytesIO(log))
            assert export(elsewhere) == log


class TestImportingTwice:
    def test_same_log_imported_again_changes_nothing(self, log: bytes) -> None:
        with open_table() as elsewhere:
            for _ in range(2):
                assert replay_log.read_into(elsewhere, io.BytesIO(log)) == "g"
            assert elsewhere.size("g") == 10

    def test_longer_log_adds_the_remaining_records(self, game: Ledger[Numbers], log: bytes) -> None:
        with open_table() as elsewhere:
            for at in (3, 5, 10):
                replay_log.read_into(elsewhere, io.BytesIO(export(game, at=at)))
                assert elsewhere.size("g") == at
            assert export(elsewhere) == log

    def test_shorter_log_is_refused(self, game: Ledger[Numbers], log: bytes) -> None:
        with open_table() as elsewhere:
            replay_log.read_into(elsewhere, io.BytesIO(log))
            with pytest.raises(GameExists, match=r"\b10\b.*\b4\b"):
                replay_log.read_into(elsewhere, io.BytesIO(export(game, at=4)))

    def test_another_history_is_refused(self, log: bytes) -> None:
        with open_table() as elsewhere:
            play(elsewhere, "g", [1])
            with pytest.raises(GameExists):
                replay_log.read_into(elsewhere, io.BytesIO(log))
            assert elsewhere.state("g") == (1,)


def swap(lines: list[bytes]) -> list[bytes]:
    return [*lines[:4], lines[5], lines[4], *lines[6:]]


def re_recorded(lines: list[bytes], number: int, **fields: object) -> list[bytes]:
    """Replace fields of a record, and encode it as a ledger does."""
    record = msgspec.structs.replace(Record.decode(lines[number][:-1]), **fields)
    return [*lines[:number], record.encode() + b"\n", *lines[number + 1 :]]


def with_line(number: int, old: bytes, new: bytes) -> Damage:
    """Change line `number` (0: the header, n: record n, -1: the checkpoint)."""

    def damage(lines: list[bytes]) -> list[bytes]:
        assert old in lines[number]
        changed = list(lines)
        changed[number] = lines[number].replace(old, new, 1)
        return changed

    return damage


# One fault each: (damage, first bad position, text of the reason).
FAULTS: dict[str, tuple[Damage, int, str]] = {
    "two lines swapped": (swap, 4, "out of order"),
    "a line doubled": (lambda lines: [*lines[:6], *lines[5:]], 6, "duplicated"),
    "a line missing": (lambda lines: lines[:5] + lines[6:], 5, "missing"),
    "the first record missing": (lambda lines: lines[:1] + lines[2:], 1, "missing"),
    "records missing at the end": (lambda lines: lines[:-3] + lines[-1:], 9, "missing before the checkpoint"),
    "an event changed": (with_line(4, b'"n":4', b'"n":5'), 4, "#4 to #5 was changed"),
    "an event changed in a long order": (with_line(2, b'"n":2', b'"n":5'), 1, "#1 to #4 was changed"),
    "an event changed in the last order": (with_line(10, b'"n":9', b'"n":8'), 9, "from #9 on was changed"),
    "a seat changed": (with_line(7, b'"referee"', b'"athenai"'), 7, "was changed"),
    "a seat changed inside an order": (with_line(2, "Nikías".encode(), b"Nikias"), 1, "differ in seat or time"),
    "a time changed inside an order": (with_line(2, b"12:00:01", b"12:00:02"), 1, "differ in seat or time"),
    "no time": (with_line(1, b"2026-11-21T12:00:01.000000Z", b"yesterday"), 1, "`at`"),
    "a rewind taken out": (with_line(7, b',"follows":2', b""), 7, "was changed"),
    "a rewind moved": (with_line(7, b'"follows":2', b'"follows":3'), 7, "was changed"),
    "a rewind to the future": (with_line(7, b'"follows":2', b'"follows":7'), 7, "earlier"),
    "a secret made public": (with_line(6, b'"visible_to":["athens"],', b""), 5, "was changed"),
    "a cause changed": (with_line(6, b'{"n": 5}', b'{"n": 6}'), 5, "was changed"),
    "a cause taken out": (with_line(6, b'"cause":{"n": 5},', b""), 5, "was changed"),
    "a cause that is no object": (with_line(6, b'{"n": 5}', b"5"), 6, "cause is not an object"),
    "a prior taken out": (with_line(4, b'"prior":', b'"prioR":'), 4, "unknown field"),
    "no prior where an order begins": (
        lambda lines: re_recorded(lines, 4, prior=None),
        1,
        "first record has no `prior`",
    ),
    "a prior in the middle": (lambda lines: re_recorded(lines, 2, prior="ab" * 32), 1, "order has a `prior`"),
    "capitals in a hash": (lambda lines: [*lines[:4], upper(lines[4], b'"prior":"', 64), *lines[5:]], 4, "`prior`"),
    "capitals in a salt": (lambda lines: [*lines[:4], upper(lines[4], b'"salt":"', 32), *lines[5:]], 4, "salt"),
    "a salt cut": (lambda lines: [*lines[:4], cut(lines[4], b'"salt":"', 2), *lines[5:]], 4, "salt"),
    "an unknown field": (with_line(4, b'"event"', b'"more":1,"event"'), 4, "unknown field"),
    "an event and an inner hash": (with_line(4, b"}}", b'},"inner":"%s"}' % (b"ab" * 32)), 4, "never both"),
    "no event": (with_line(4, b',"event":{"n":4}', b""), 4, "the event is missing"),
    "a blank": (with_line(4, b'"position":4', b'"position": 4'), 4, "not in the form that Umpire writes"),
    "a field twice": (with_line(4, b'"seat"', b'"seat":"x","seat"'), 4, "not in the form that Umpire writes"),
    "fields in another order": (lambda lines: [*lines[:4], reorder(lines[4]), *lines[5:]], 4, "not in the form"),
    "a position as a float": (with_line(4, b'"position":4', b'"position":4.0'), 4, "not a record"),
    "an escaped letter": (with_line(4, "í".encode(), b"\\u00ed"), 4, "not in the form that Umpire writes"),
    "a carriage return in an event": (with_line(4, b'{"n":4', b'{\r"n":4'), 4, "carriage return"),
    "other line ends": (lambda lines: [lines[0], *(n[:-1] + b"\r\n" for n in lines[1:])], 1, "line endings"),
    "an empty line": (lambda lines: [*lines[:4], b"\n", *lines[4:]], 4, "not a record"),
    "a position of words": (with_line(4, b'"position":4', b'"position":"four"'), 4, "not a record"),
    "a huge position": (with_line(4, b'"position":4', b'"position":99999999999999999999999'), 4, "order"),
    "bytes that are no text": (with_line(6, b"\xc3\xa9", b"\xff\xff"), 6, "not a record"),
    "another game": (with_line(0, b'"g"', b'"h"'), 1, "#1 to #4 was changed"),
    "another root": (lambda lines: [*lines[:-1], ending(root=b"\1" * 32)], 9, "from #9 on was changed"),
    "another size": (lambda lines: [*lines[:-1], ending(size=9)], 11, "missing before the checkpoint"),
    "a checkpoint of another game": (lambda lines: [*lines[:-1], ending(game_id="h")], 11, "another game"),
    "a checkpoint that is none": (with_line(-1, b"umpire/", b"vampire/"), 11, "cannot be read"),
    "a checkpoint that differs from itself": (with_line(-1, b'"size":10', b'"size":11'), 11, "not in the form"),
    "something behind the end": (lambda lines: [*lines, lines[4]], 11, "follows the checkpoint"),
    "two logs in one": (lambda lines: [*lines, *lines], 11, "follows the checkpoint"),
}

FALSE_STARTS: dict[str, tuple[bytes, str]] = {
    "another file": (b"Dear referee,\nhere is my log.\n", "not a replay log"),
    "another json file": (b'{"hello":"world"}\n', "not a replay log"),
    "a list": (b"[1,2]\n", "not a replay log"),
    "bytes": (b"\xff\xfe\0\1\n", "not a replay log"),
    "a future format": (b'{"umpire":"replay log","format":2,"game":"g","new":true}\n', "newer Umpire"),
    "a header with blanks": (b'{"umpire": "replay log","format":1,"game":"g"}\n', "not in the form"),
    "a header without an end": (b'{"umpire":"replay log","format":1,"game":"' + b"g" * 2**22, "longer than 4 MiB"),
    "an id that no game has": (b'{"umpire":"replay log","format":1,"game":"a game"}\n', "cannot be the id of a game"),
    "a header without a game": (b'{"umpire":"replay log","format":1}\n', "not in the form"),
}


def upper(line: bytes, field: bytes, length: int) -> bytes:
    start = line.index(field) + len(field)
    hexes = line[start : start + length]
    return line.replace(hexes, hexes.upper() if hexes != hexes.upper() else b"A" + hexes[1:])


def cut(line: bytes, field: bytes, length: int) -> bytes:
    start = line.index(field) + len(field)
    return line[:start] + line[start + length :]


def reorder(line: bytes) -> bytes:
    """Put the event first."""
    event = line[line.index(b'"event"') : -2]
    return b"{" + event + b"," + line[1 : line.index(b',"event"')] + b"}\n"


def ending(game_id: str = "g", size: int = 10, root: bytes = b"\0" * 32) -> bytes:
    checkpoint = Checkpoint(game=game_id, size=size, root=root)
    said = {"checkpoint": checkpoint.text(), "size": size, "root": checkpoint.hex}
    return msgspec.json.encode(said) + b"\n"


class TestFaults:
    @pytest.mark.parametrize("name", FAULTS)
    def test_damaged_log_is_refused_at_first_bad_record(self, name: str, log: bytes, tmp_path: Path) -> None:
        damage, first_bad, says = FAULTS[name]
        damaged = b"".join(damage(log.splitlines(keepends=True)))
        assert damaged != log
        verdict = verify(damaged)
        assert (verdict.verdict, verdict.first_bad) == ("INVALID", first_bad)
        assert says in verdict.reason
        with open_table(tmp_path / "umpire.db") as elsewhere:
            play(elsewhere, "other", [1])
            with pytest.raises(BrokenLedger) as broken:
                replay_log.read_into(elsewhere, io.BytesIO(damaged))
            assert (broken.value.position, broken.value.reason) == (first_bad, verdict.reason)
            assert [entry.id for entry in elsewhere.games()] == ["other"]
            replay_log.read_into(elsewhere, io.BytesIO(log))
            assert export(elsewhere) == log

    @pytest.mark.parametrize("name", FALSE_STARTS)
    def test_file_without_log_header_is_refused(self, name: str) -> None:
        log, says = FALSE_STARTS[name]
        verdict = verify(log)
        assert (verdict.verdict, verdict.first_bad) == ("INVALID", 0)
        assert says in verdict.reason
        with open_table() as ledger, pytest.raises(BrokenLedger, match=says):
            replay_log.read_into(ledger, io.BytesIO(log))

    def test_expected_and_found_values_are_reported(self, log: bytes) -> None:
        swapped = verify(b"".join(swap(log.splitlines(keepends=True))))
        assert (swapped.expected, swapped.found) == ("#4", "#5")
        changed = verify(log.replace(b'"n":4', b'"n":5'))
        assert changed.expected != changed.found
        assert len(changed.expected) == len(changed.found) == 64

    def test_order_id_in_two_places_is_reported(self, log: bytes) -> None:
        # The records of an order are adjacent; a store refuses the same id in a second order.
        lines = [record_with(position, f"c{position % 2}") for position in range(1, 4)]
        twice = forge(lines)
        verdict = verify(twice)
        assert (verdict.verdict, verdict.changed_between) == ("INVALID", (2, 3))
        assert verdict.reason == Naming("#3")
        with open_table() as ledger:
            with pytest.raises(BrokenLedger) as broken:
                replay_log.read_into(ledger, io.BytesIO(twice))
            assert broken.value.reason == verdict.reason
            assert ledger.games() == ()

    @examples(300)
    @given(st.data())
    def test_any_flipped_bit_is_found(self, log: bytes, data: st.DataObject) -> None:
        at = data.draw(st.integers(0, len(log) - 1))
        flipped = bytearray(log)
        flipped[at] ^= 1 << data.draw(st.integers(0, 7))
        verdict = verify(bytes(flipped))
        assert not verdict.valid
        changed = log.count(b"\n", 0, at)  # the header is 0, the checkpoint line 11
        if verdict.changed_between and 1 <= changed <= 10:
            low, high = verdict.changed_between
            assert low <= changed <= high
            assert verdict.first_bad == low

    def test_any_cut_is_found(self, log: bytes) -> None:
        ends = [at + 1 for at, byte in enumerate(log) if byte == 10]
        for size in at_least_one(range(len(log))):
            verdict = verify(log[:size])
            assert verdict.verdict == "INCOMPLETE"
            assert verdict.size == max(sum(end <= size for end in ends) - 1, 0)
            assert verdict.reason == Naming(f"#{verdict.size}")

    def test_cut_log_is_not_imported(self, log: bytes) -> None:
        with open_table() as ledger:
            for size in (0, 20, 500, len(log) - 1):
                with pytest.raises(BrokenLedger) as broken:
                    replay_log.read_into(ledger, io.BytesIO(log[:size]))
                assert broken.value.reason == verify(log[:size]).reason
            assert ledger.games() == ()

    def test_log_without_records_is_not_imported(self) -> None:
        with open_table() as ledger:
            assert verify(forge([])).valid, "it is a log"
            with pytest.raises(BrokenLedger):
                replay_log.read_into(ledger, io.BytesIO(forge([])))
            assert ledger.games() == ()


def record_with(position: int, command: str) -> Record:
    event = msgspec.Raw(b'{"n":%d}' % position)
    at = "2026-11-21T12:00:00.000000Z"
    return Record(position=position, at=at, seat="a", command=command, salt="ab" * 16, event=event)


def forge(records: list[Record]) -> bytes:
    """Build a log with correct hashes, in which each record begins an order."""
    edge, lines = CompactRange(), [b'{"umpire":"replay log","format":1,"game":"g"}\n']
    for record in records:
        whole = msgspec.structs.replace(record, prior=edge.root().hex())
        lines.append(whole.encode() + b"\n")
        edge = edge.grow([whole.leaf("g")])
    return b"".join([*lines, ending(size=edge.size, root=edge.root())])


class TestCheckpointComparison:
    """An old checkpoint reveals a cut tail and a rewritten history."""

    def test_log_matches_its_own_checkpoint(self, game: Ledger[Numbers], log: bytes) -> None:
        for at in range(11):
            assert verify(log, game.checkpoint("g", at)).valid
            assert game.verify("g", game.checkpoint("g", at)).valid

    def test_cut_tail_is_incomplete(self, game: Ledger[Numbers]) -> None:
        verdict = verify(export(game, at=6), game.checkpoint("g", 8))
        assert verdict.verdict == "INCOMPLETE"
        assert verdict.reason == Naming("#6", 8)

    def test_rewritten_history_is_invalid(self, game: Ledger[Numbers], log: bytes) -> None:
        with open_table() as rewritten:
            play(rewritten, "g", *([n] for n in range(10)))
            verdict = verify(log, rewritten.checkpoint("g", 7))
            assert verdict.verdict == "INVALID"
            assert verdict.reason == Naming("#7")
            assert rewritten.verify("g", game.checkpoint("g", 7)).verdict == "INVALID"

    def test_checkpoint_of_another_game_is_invalid(self, game: Ledger[Numbers], log: bytes) -> None:
        other = Checkpoint(game="h", size=10, root=game.checkpoint("g").root)
        for verdict in (verify(log, other), game.verify("g", other)):
            assert (verdict.verdict, verdict.first_bad) == ("INVALID", 0)
            assert verdict.size == 0, "not one record is read"


# Any history: orders of one to three events with any visibility, with or without a cause and a rewind.
events = st.tuples(st.integers(0, 999), st.sampled_from([None, (), ("athens",), ("syracuse", "athens")]), st.booleans())
orders = st.lists(st.tuples(st.lists(events, min_size=1, max_size=3), st.booleans()), min_size=1, max_size=12)


class TestRandomHistories:
    @examples(60)
    @given(orders, st.sampled_from(["athens", "syracuse", "Ζεύς"]))
    def test_goes_out_and_in_and_out_as_the_same_bytes(self, history: list[tuple[list[Any], bool]], seat: str) -> None:
        with open_table() as ledger, open_table() as elsewhere:
            for at, (drawn, has_cause) in enumerate(history):
                size = ledger.size("g")
                drafts = [
                    Draft(
                        event=b'{"n":%d}' % n,
                        visible_to=seats,
                        follows=n % (size + index + 1) if rewinds else None,
                        cause=b'{"order":"x"}' if has_cause and index == 0 else None,
                    )
                    for index, (n, seats, rewinds) in enumerate(drawn)
                ]
                ledger.append("g", after=size, seat=seat, command=f"c{at}", drafts=drafts)
            for log in (export(ledger), export(ledger, see=seen_by("athens")), export(ledger, see=seen_by("nobody"))):
                assert verify(log).valid
                assert verify(log).root == ledger.checkpoint("g").hex
            replay_log.read_into(elsewhere, io.BytesIO(log))
            assert export(elsewhere) == log
            assert list(elsewhere.branch("g")) == list(ledger.branch("g"))
