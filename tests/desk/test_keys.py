"""Keys of seats: orders that only the seat can give, and the checks that detect an edited log."""

import base64
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, strategies as st
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.attacks.damaged_logs import RAW, read, written_anew
from tests.desk.game import FORD
from tests.examples import examples
from tests.face.desk import (
    SecretKey,
    ed25519,
    is_signed,
    signed,
)
from tests.face.domain import COSIGNER, SeatKey
from tests.face.ledger import Record


def secret(name: str, number: int) -> SecretKey:
    """Return a secret key that is the same in each run."""
    return SecretKey(name, Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32))


RED, OTHER, BLUE = secret("red", 1), secret("red", 2), secret("blue", 3)
KEYS = {"red": RED.key.text()}


def signer(*own: SecretKey) -> Callable[[str], SecretKey | None]:
    """Return a signer with these keys."""
    by_text = {one.key.text(): one for one in own}
    return by_text.get


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[umpire.Desk]:
    """Yield a ledger on the machine that has red's key."""
    with umpire.open(tmp_path / "club.ledger") as desk:
        desk.signer = signer(RED)
        yield desk


@pytest.fixture
def ford(desk: umpire.Desk) -> umpire.PlayedGame:
    """Return a game opened with red's key; blue has none."""
    return desk.new_from_text("freeform", FORD, id="ford", dice="table", keys=KEYS)


def elsewhere(game: umpire.PlayedGame) -> umpire.PlayedGame:
    """Return the same game on a machine without keys."""
    game.desk.signer = None
    return umpire.PlayedGame(game.desk, game.id)


def refused(game: umpire.PlayedGame, act: Callable[[], object], code: str, **fields: object) -> umpire.Refused:
    """Check the code and fields of a refusal, which leaves the log unchanged, and return it."""
    size = game.size
    with pytest.raises(umpire.Refused) as refusal:
        act()
    assert (refusal.value.rule, refusal.value.code) == ("keys", code)
    assert {name: refusal.value.fields[name] for name in fields} == fields
    assert game.size == size
    return refusal.value


def causes(game: umpire.PlayedGame) -> list[dict[str, Any]]:
    return [json.loads(bytes(one.cause)) for one in game.ledger.records(game.id) if one.cause]


def forged(file: Path, change: Callable[[list[Record]], object]) -> umpire.Checked:
    """Verify the log with changed records, with every later hash correct."""
    name, records = read(file.read_bytes())
    change(records)
    file.write_bytes(written_anew(name, records))
    return umpire.verify(file)


def exported(game: umpire.PlayedGame, folder: Path) -> Path:
    game.referee.export(folder / "log.jsonl")
    return folder / "log.jsonl"


class TestSignedOrders:
    def test_order_of_red_is_signed_and_blue_plays_without_key(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("move", unit="r1", path=["0201"])
        ford.seat("blue").note("well moved")
        moved, noted = causes(ford)
        assert moved["saw"] == ford.opening.position
        assert list(moved)[-2:] == ["saw", "signed"]
        assert "signed" not in noted

    def test_unsigned_order_as_red_is_refused(self, ford: umpire.PlayedGame) -> None:
        there = elsewhere(ford)
        refused(ford, lambda: there.seat("red").note("I resign"), "not-signed", seat="red", key=RED.key.short)

    def test_referee_cannot_give_an_unsigned_order_as_red(self, ford: umpire.PlayedGame) -> None:
        entered = {"as": "red", "order": "note", "text": "I resign"}
        refused(ford, lambda: ford.referee.order(entered), "not-signed", seat="red", key=RED.key.short)
        ford.referee.note("red is asleep")

    def test_key_with_the_same_name_is_another_key(self, ford: umpire.PlayedGame) -> None:
        raw = signed({"as": "red", "order": "note", "text": "hello"}, OTHER, ford.checkpoint())
        refused(ford, lambda: ford.seat("red").order(raw), "another-key", seat="red", key=RED.key.short)

    @pytest.mark.parametrize(
        ("change", "code", "fields"),
        [
            ({"text": "I resign"}, "signature-does-not-match", {"seat": "red"}),
            ({"id": "other"}, "signature-does-not-match", {"seat": "red"}),
            ({"saw": 2}, "signed-on-no-order", {"saw": 2}),
            ({"saw": 900}, "signed-on-no-order", {"saw": 900}),
            ({"signed": "aGVsbG8="}, "malformed-signature", {}),
            ({"id": ""}, "malformed-signature", {}),
            ({"witness": "Anna"}, "malformed-signature", {}),
        ],
    )
    def test_signed_order_changed_in_transit_is_refused(
        self, ford: umpire.PlayedGame, change: dict[str, Any], code: str, fields: dict[str, Any]
    ) -> None:
        raw = signed({"as": "red", "order": "note", "text": "hello", "id": "one"}, RED, ford.checkpoint())
        refused(ford, lambda: ford.seat("red").order({**raw, **change}), code, **fields)
        ford.seat("red").order(raw)

    def test_referee_enters_a_signed_order_sent_by_mail(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        raw = signed({"as": "red", "order": "note", "text": "by mail"}, RED, ford.checkpoint())
        there = elsewhere(ford)
        there.referee.order(raw)
        assert causes(ford)[-1]["entered_by"] == "referee"
        assert umpire.verify(exported(ford, tmp_path)).signed[0].orders == 1

    def test_signed_order_sent_again_is_the_same_order(self, ford: umpire.PlayedGame) -> None:
        # A stranger who intercepted it cannot use it, and red cannot give it twice by accident.
        raw = signed({"as": "red", "order": "note", "text": "once"}, RED, ford.checkpoint())
        ford.seat("red").order(raw)
        size = ford.size
        assert elsewhere(ford).seat("red").order(raw).repeated
        ford.desk.signer = signer(RED)
        again = {"order": "note", "text": "once", "id": raw["id"]}
        anew = umpire.PlayedGame(ford.desk, "ford")  # signed again, at another position
        assert anew.seat("red").order(again).repeated
        assert ford.size == size

    def test_signed_order_is_refused_after_red_acts_differently(self, ford: umpire.PlayedGame) -> None:
        seen = ford.size
        early = signed({"as": "red", "order": "note", "text": "attack"}, RED, ford.checkpoint())
        ford.seat("blue").note("wait")
        ford.seat("red").note("I wait")
        refused(ford, lambda: ford.seat("red").order(early), "signed-later-since", saw=seen, since=ford.size - 1)

    def test_orders_signed_at_the_same_position_are_accepted(self, ford: umpire.PlayedGame) -> None:
        seen = ford.checkpoint()
        for text in ("one", "two", "three"):
            ford.referee.order(signed({"as": "red", "order": "note", "text": text}, RED, seen))
        assert [one["saw"] for one in causes(ford)] == [seen.size] * 3

    def test_another_history_up_to_there_is_not_what_red_saw(self, ford: umpire.PlayedGame) -> None:
        other = replace(ford.checkpoint(), root=bytes(32))
        raw = signed({"as": "red", "order": "note", "text": "hello"}, RED, other)
        refused(ford, lambda: ford.seat("red").order(raw), "signature-does-not-match", saw=ford.size)

    def test_another_game_is_not_what_red_signed_for(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        second = desk.new_from_text("freeform", FORD, id="second", dice="table", keys=KEYS)
        raw = signed({"as": "red", "order": "note", "text": "hello"}, RED, ford.checkpoint())
        refused(second, lambda: second.seat("red").order(raw), "signature-does-not-match", saw=ford.size)

    def test_signature_of_a_seat_without_a_key_is_refused(self, ford: umpire.PlayedGame) -> None:
        raw = signed({"as": "blue", "order": "note", "text": "hello"}, BLUE, ford.checkpoint())
        refused(ford, lambda: ford.seat("blue").order(raw), "signed-without-a-key", seat="blue")

    def test_order_file_is_signed_per_line_and_continues(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        lines = [{"order": "note", "text": str(number)} for number in range(20)]
        file = tmp_path / "orders.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in lines[:15]))
        assert ford.play(file, hand="red").orders == 15
        file.write_text("".join(json.dumps(one) + "\n" for one in lines))
        assert ford.play(file, hand="red").stood == 15
        assert ford.play(file, hand="red", check=True).orders == 0
        assert umpire.verify(exported(ford, tmp_path)).signed[0].orders == 20

    def test_dry_run_needs_no_signature(self, ford: umpire.PlayedGame) -> None:
        there = elsewhere(ford)
        assert there.play([(1, {"order": "note", "text": "x"})], hand="red", check=True).orders == 1


class TestKeyOrders:
    def test_seat_with_a_new_key_signs_from_the_next_order_on(self, ford: umpire.PlayedGame) -> None:
        ford.seat("blue").order("give-key", who="blue", key=BLUE.key.text())
        refused(ford, lambda: ford.seat("blue").note("hello"), "not-signed", seat="blue", key=BLUE.key.short)
        ford.desk.signer = signer(RED, BLUE)
        umpire.PlayedGame(ford.desk, "ford").seat("blue").note("hello")

    def test_seat_cannot_give_a_key_to_another(self, ford: umpire.PlayedGame) -> None:
        act = lambda: ford.seat("blue").order("give-key", who="red", key=BLUE.key.text())  # noqa: E731
        refused(ford, act, "key-of-another-seat", seat="blue", who="red")

    def test_lost_key_is_replaced_by_referee_with_a_reason(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("red").note("the old one")
        act = lambda: ford.referee.order("give-key", who="red", key=OTHER.key.text())  # noqa: E731
        refused(ford, act, "reason-missing", who="red")
        given = ford.referee.order("give-key", who="red", key=OTHER.key.text(), reason="the laptop was stolen")
        assert "the laptop was stolen" in given.records[0].text
        assert OTHER.key.short in given.records[0].text
        refused(ford, lambda: ford.seat("red").note("the thief"), "not-signed", seat="red", key=OTHER.key.short)
        ford.desk.signer = signer(OTHER)
        umpire.PlayedGame(ford.desk, "ford").seat("red").note("the new one")
        found = umpire.verify(exported(ford, tmp_path))
        assert [(one.key, one.orders) for one in found.signed] == [(RED.key.short, 1), (OTHER.key.short, 1)]

    def test_replaced_key_is_of_one_seat_from_its_record_on(self, ford: umpire.PlayedGame) -> None:
        ford.seat("blue").order("give-key", who="blue", key=BLUE.key.text())
        ford.desk.signer = signer(RED, BLUE)
        game = umpire.PlayedGame(ford.desk, "ford")
        game.seat("red").note("before")
        game.referee.order("give-key", who="red", key=OTHER.key.text(), reason="lost")
        refused(game, lambda: game.seat("red").note("the old key"), "not-signed", seat="red", key=OTHER.key.short)
        assert game.seat("blue").note("its neighbor's key stays").carried_out
        game.desk.signer = signer(RED, OTHER, BLUE)
        assert umpire.PlayedGame(game.desk, "ford").seat("red").note("the new key").carried_out
        assert umpire.PlayedGame(game.desk, "ford").seat("blue").note("still").carried_out

    def test_referee_cannot_have_a_key(self, ford: umpire.PlayedGame) -> None:
        act = lambda: ford.referee.order("give-key", who="referee", key=BLUE.key.text())  # noqa: E731
        refused(ford, act, "referee-has-no-key")

    def test_take_seat_brings_a_key_with_it(self, ford: umpire.PlayedGame) -> None:
        ford.referee.order("take-seat", taker="anna", side="blue", key=BLUE.key.text())
        refused(ford, lambda: ford.seat("anna").note("hello"), "not-signed", seat="anna", key=BLUE.key.short)
        ford.seat("blue").note("the side itself has none")

    @pytest.mark.parametrize(
        ("key", "code"),
        [
            ("red", "not-a-key"),
            (RED.key.text().replace("red", "rod"), "not-a-key"),
            (SeatKey("tower", bytes(32), COSIGNER).text(), "witness-key"),
        ],
    )
    def test_invalid_key_is_refused(self, ford: umpire.PlayedGame, key: str, code: str) -> None:
        act = lambda: ford.seat("blue").order("give-key", who="blue", key=key)  # noqa: E731
        refused(ford, act, code)

    def test_key_for_an_unknown_seat_is_refused(self, desk: umpire.Desk, ford: umpire.PlayedGame) -> None:
        with pytest.raises(umpire.Refused) as refusal:
            desk.new_from_text("freeform", FORD, id="other", keys={"green": RED.key.text()})
        assert refusal.value.rule == "seats"
        assert refusal.value.remedy.endswith(": red, blue")


class TestSecondSeat:
    """Red's own seat has a key; anna is a second seat of red."""

    @pytest.fixture
    def with_anna(self, ford: umpire.PlayedGame) -> umpire.PlayedGame:
        ford.referee.order("take-seat", taker="anna", side="red")
        return ford

    def test_second_seat_without_key_is_refused(self, with_anna: umpire.PlayedGame) -> None:
        act = lambda: with_anna.seat("anna").order("move", unit="r1", path=["0201"])  # noqa: E731
        refusal = refused(with_anna, act, "side-signs", seat="anna", side="red")
        assert "give-key" in refusal.remedy
        refused(with_anna, lambda: with_anna.seat("anna").note("I resign"), "side-signs", seat="anna", side="red")

    def test_second_seat_gives_itself_no_key(self, with_anna: umpire.PlayedGame) -> None:
        act = lambda: with_anna.seat("anna").order("give-key", who="anna", key=OTHER.key.text())  # noqa: E731
        refused(with_anna, act, "side-signs", seat="anna", side="red")

    @pytest.mark.parametrize("giver", ["red", "referee"])
    def test_second_seat_signs_with_a_key_from_its_side(
        self, with_anna: umpire.PlayedGame, tmp_path: Path, giver: str
    ) -> None:
        with_anna.seat(giver).order("give-key", who="anna", key=OTHER.key.text())
        with_anna.desk.signer = signer(RED, OTHER)
        umpire.PlayedGame(with_anna.desk, "ford").seat("anna").note("peace")
        found = umpire.verify(exported(with_anna, tmp_path))
        assert (found.valid, found.findings) == (True, ())
        assert "anna" in [one.seat for one in found.signed]

    def test_second_seat_of_a_side_without_key_needs_none(self, with_anna: umpire.PlayedGame, tmp_path: Path) -> None:
        with_anna.referee.order("take-seat", taker="bob", side="blue")
        with_anna.seat("bob").note("hello")
        with_anna.seat("blue").note("hello")
        assert umpire.verify(exported(with_anna, tmp_path)).findings == ()

    def test_amendment_gives_nothing_for_a_second_seat(self, ford: umpire.PlayedGame) -> None:
        second = ford.desk.new_from_text("freeform", FORD, id="second", dice="table")
        second.referee.order("take-seat", taker="anna", side="red")
        at = second.seat("anna").order("move", unit="r1", path=["0201"]).position
        second.referee.order("give-key", who="red", key=RED.key.text())
        other = {"order": "move", "unit": "r1", "path": ["0301"]}
        act = lambda: second.referee.amend(at, other, why="a slip")  # noqa: E731
        refused(second, act, "side-signs", seat="anna", side="red")

    def test_amendment_repeats_older_orders_without_finding(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        second = ford.desk.new_from_text("freeform", FORD, id="second", dice="table")
        second.referee.order("take-seat", taker="anna", side="red")
        at = second.seat("blue").order("move", unit="b1", path=["0103"]).position
        second.seat("anna").order("move", unit="r1", path=["0201"])
        second.referee.order("give-key", who="red", key=RED.key.text())
        second.referee.amend(at, how="drop", why="it was not his turn")
        found = umpire.verify(exported(second, tmp_path))
        assert (found.valid, found.findings) == (True, ())

    def test_order_without_key_in_a_log_is_a_finding(
        self, ford: umpire.PlayedGame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Record the order as an older edition did."""
        monkeypatch.setattr("umpire_ledger.desk.signing.signing.verify_side_signs_not", lambda seat, game: None)
        ford.referee.order("take-seat", taker="anna", side="red")
        at = ford.seat("anna").order("move", unit="r1", path=["0201"]).position
        found = umpire.verify(exported(ford, tmp_path))
        assert (found.valid, [one.position for one in found.findings]) == (True, [at])
        assert {"anna", "red"} <= set(found.findings[0].what.split())
        assert [one.position for one in ford.verify().findings] == [at]


class TestRewindAndCopy:
    def test_rewind_does_not_remove_a_key(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        begun = ford.size
        ford.seat("blue").order("move", unit="b1", path=["0103"])
        ford.seat("blue").order("give-key", who="blue", key=BLUE.key.text())
        ford.referee.rewind(begun, why="to try")
        refused(ford, lambda: ford.seat("blue").note("hello"), "not-signed", seat="blue", key=BLUE.key.short)
        assert umpire.verify(exported(ford, tmp_path)).valid

    def test_orders_replayed_by_an_amendment_are_the_referees(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("blue").order("move", unit="b1", path=["0103"])
        at = ford.size
        ford.seat("red").order("move", unit="r1", path=["0201"])
        ford.referee.amend(at, how="drop", why="it was not his turn")
        found = umpire.verify(exported(ford, tmp_path))
        assert (found.valid, found.signed[0].orders, found.signed_again) == (True, 1, 1)

    def test_amendment_cannot_replace_a_signed_order(self, ford: umpire.PlayedGame) -> None:
        ford.seat("red").order("move", unit="r1", path=["0201"])
        at = ford.size
        other = {"order": "move", "unit": "r1", "path": ["0301"]}
        act = lambda: ford.referee.amend(at, other, why="a slip")  # noqa: E731
        refused(ford, act, "signs-itself", seat="red")

    def test_copy_is_played_without_keys_and_is_unchecked(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("red").note("the real game")
        copy = ford.fork("what-if")
        elsewhere(copy).seat("red").note("what if")
        found = umpire.verify(exported(copy, tmp_path))
        assert found.valid
        assert [(one.copied, one.checked) for one in found.signed] == [(True, False)]


def saying(records: list[Record], words: bytes) -> int:
    return next(at for at, one in enumerate(records) if words in bytes(one.cause))


def give_cause(records: list[Record], at: int, cause: bytes) -> int:
    records[at] = replace(records[at], cause=RAW(cause))
    return at


def give_other_words(records: list[Record]) -> int:
    at = saying(records, b"peace")
    return give_cause(records, at, bytes(records[at].cause).replace(b"peace", b"truce"))


def give_another_history(records: list[Record]) -> int:
    """Change what blue said: blue has no key, but red saw it and signed a later order."""
    return give_cause(records, saying(records, b"agreed"), b'{"as":"blue","order":"note","text":"never"}')


def forge_an_order_of_red(records: list[Record]) -> int:
    return give_cause(records, saying(records, b"shake hands"), b'{"as":"red","order":"note","text":"war"}')


def take_the_words(records: list[Record]) -> int:
    at = saying(records, b"shake hands")
    records[at] = replace(records[at], cause=Record.__struct_defaults__[-4])
    return at


def repeat_an_old_order(records: list[Record]) -> int:
    return give_cause(records, saying(records, b"shake hands"), bytes(records[saying(records, b"peace")].cause))


def repeat_with_other_words(records: list[Record]) -> int:
    at, of = saying(records, b"shake hands"), saying(records, b"peace") + 1
    amended = {"as": "referee", "order": "amend", "at": of, "how": "drop", "why": "a slip"}
    records[at - 1] = replace(records[at - 1], seat="referee", cause=RAW(msgspec.json.encode(amended)))
    made_up = {"as": "red", "order": "note", "text": "war", "again": of}
    return give_cause(records, at, msgspec.json.encode(made_up))


def repeat_without_amendment(records: list[Record], of: bytes) -> int:
    made_up = {"as": "red", "order": "note", "text": of.decode(), "again": saying(records, of) + 1}
    return give_cause(records, saying(records, b"shake hands"), msgspec.json.encode(made_up))


def give_another_key(records: list[Record], key: str) -> int:
    at = next(at for at, one in enumerate(records) if b"seat.keyed" in bytes(one.event))
    event = bytes(records[at].event).replace(RED.key.text().encode(), key.encode())
    records[at] = replace(records[at], event=RAW(event))
    return at


Forge = Callable[[list[Record]], int]
FORGERIES: tuple[tuple[Forge, int, str, str], ...] = (
    (give_other_words, 0, RED.key.short, "a different one"),
    (give_another_history, 1, RED.key.short, "a different one"),
    (forge_an_order_of_red, 0, RED.key.short, "none"),
    (take_the_words, 0, RED.key.short, "none"),
    (repeat_an_old_order, 0, RED.key.short, "a different one"),
    (repeat_with_other_words, 0, "#5", "a different text"),
    (partial(repeat_without_amendment, of=b"peace"), 0, RED.key.short, "none"),
    (partial(repeat_without_amendment, of=b"agreed"), 0, RED.key.short, "none"),
    (partial(give_another_key, key=OTHER.key.text()), 1, OTHER.key.short, RED.key.id.hex()),
    (partial(give_another_key, key="red"), 1, "", "red"),
)
"""How a log is forged, how many records later that is found, and what is expected and found there."""

TOLD: tuple[tuple[Forge, str], ...] = (
    (give_other_words, "its signature is invalid"),
    (forge_an_order_of_red, "an order is not signed"),
    (take_the_words, "no signed text"),
    (repeat_with_other_words, "its text differs from #"),
    (partial(repeat_without_amendment, of=b"peace"), "an order is not signed"),
    (partial(give_another_key, key=OTHER.key.text()), "signed with another key"),
    (partial(give_another_key, key="red"), "the key of its seat is not valid"),
)


class TestForgeries:
    """A forger who can write the file can compute every hash, but cannot sign."""

    @pytest.fixture
    def log(self, ford: umpire.PlayedGame, tmp_path: Path) -> Path:
        ford.seat("red").note("peace")
        ford.seat("blue").note("agreed")
        ford.seat("red").note("shake hands")
        return exported(ford, tmp_path)

    def test_verify_says_who_vouches_up_to_where(self, ford: umpire.PlayedGame, log: Path) -> None:
        (one,) = umpire.verify(log).signed
        assert (one.seat, one.key, one.orders, one.vouches) == ("red", RED.key.short, 2, ford.size - 1)
        assert ford.verify().signed == (one,)
        (known,) = ford.verify().known
        assert known.endswith(f" up to #{one.vouches}")
        assert known.startswith("signed by red ")

    @pytest.mark.parametrize(("forge", "after", "expected", "found"), FORGERIES)
    def test_forgery_is_found_where_it_is(
        self, log: Path, forge: Callable[[list[Record]], int], after: int, expected: str, found: str
    ) -> None:
        """`after`: how many records after the forged one the first wrong signature is."""
        at = []
        verdict = forged(log, lambda records: at.append(forge(records))).verdict
        assert (verdict.verdict, verdict.first_bad) == ("INVALID", at[0] + 1 + after)
        assert expected in verdict.expected
        assert verdict.found == found

    def test_forgery_is_told_in_these_words(self, log: Path) -> None:
        whole = log.read_bytes()
        for forge, says in TOLD:
            log.write_bytes(whole)
            assert says in forged(log, forge).verdict.reason

    @pytest.mark.parametrize(
        ("what", "instead"),
        [(b'"prior":"', b'"prior":"zz'), (b'"cause":{', b'"cause":[{'), (b'"type":"seat.keyed"', b'"type":7')],
    )
    def test_damaged_line_gives_a_verdict_without_an_error(self, log: Path, what: bytes, instead: bytes) -> None:
        raw = log.read_bytes()
        log.write_bytes(raw[: len(raw) // 2] + raw[len(raw) // 2 :].replace(what, instead, 1))
        assert umpire.verify(log).verdict.verdict in ("INVALID", "VALID")
        log.write_bytes(raw.replace(what, instead, 1))
        assert umpire.verify(log).verdict.verdict == "INVALID"

    def test_withheld_signed_orders_are_counted(self, ford: umpire.PlayedGame, tmp_path: Path) -> None:
        ford.seat("red").order("seal-choice", question="plan", choice="north")
        ford.seat("red").note("done")
        ford.spectator.export(tmp_path / "seen.jsonl")
        found = umpire.verify(tmp_path / "seen.jsonl")
        assert (found.valid, found.signed[0].orders, found.signed_withheld) == (True, 1, 1)

    def test_signatures_without_the_extra_are_unchecked(self, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("umpire_ledger.desk.signing.log_signatures.is_installed", lambda: False)
        found = umpire.verify(log)
        assert (found.valid, found.signed[0].checked) == (True, False)

    def test_signed_order_without_the_extra_is_refused(
        self, ford: umpire.PlayedGame, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        raw = signed({"as": "red", "order": "note", "text": "hello"}, RED, ford.checkpoint())
        monkeypatch.setattr(ed25519, "is_installed", lambda: False)
        size = ford.size
        with pytest.raises(umpire.WrongUse) as refusal:
            ford.seat("red").order(raw)
        assert (refusal.value.rule, "umpire-ledger[keys]" in refusal.value.remedy) == ("keys", True)
        assert ford.size == size


class TestGamesWithoutKeys:
    def test_game_without_keys_imports_and_writes_nothing_of_them(self, tmp_path: Path) -> None:
        # Its orders have no additional member, and `cryptography` is not imported.
        (tmp_path / "ford.toml").write_text(FORD)
        code = (
            "import sys, umpire_ledger as u\n"
            f"with u.open({str(tmp_path / 'x.db')!r}) as desk:\n"
            f"    game = desk.new('freeform', {str(tmp_path / 'ford.toml')!r}, id='ford')\n"
            "    game.seat('red').note('hello'); game.referee.export('log.jsonl'); u.verify('log.jsonl')\n"
            "signing = ('cryptography', 'umpire_ledger.desk.signing.signing')\n"
            "found = [name for name in sys.modules if name.startswith(signing)]\n"
            "assert not found, found\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
        _, records = read((tmp_path / "log.jsonl").read_bytes())
        assert not [one for one in at_least_one(records) if b"key" in bytes(one.event) or b"sign" in bytes(one.cause)]


class TestSeatKeys:
    def test_published_example_key_is_read(self) -> None:
        """Key, text and signature are those of the example of C2SP signed-note."""
        key = SeatKey.read("example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k")
        assert key.id.hex() == "530d903a"
        line = "Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM="
        assert is_signed(key, "This is an example message.\n", base64.b64decode(line)[4:])
        assert not is_signed(key, "This is another message.\n", base64.b64decode(line)[4:])

    @given(st.text("abc.-_ü", min_size=1, max_size=20), st.binary(min_size=32, max_size=32))
    def test_written_key_is_read_back(self, name: str, public: bytes) -> None:
        key = SeatKey(name, public)
        assert SeatKey.read(key.text()) == key

    @examples(50)
    @given(st.text(max_size=60), st.integers(0, 63), st.integers(0, 7))
    def test_signature_with_one_changed_bit_is_invalid(self, text: str, at: int, bit: int) -> None:
        text = text.encode(errors="replace").decode()
        value = bytearray(RED.sign(text).value)
        assert is_signed(RED.key, text, bytes(value))
        value[at] ^= 1 << bit
        assert not is_signed(RED.key, text, bytes(value))
