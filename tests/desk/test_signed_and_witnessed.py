"""Witnessed dice with keys of seats: a seat signs an order once, even if it is carried out later."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.attacks.damaged_logs import RAW, read, written_anew
from tests.face.desk import SecretKey
from tests.face.ledger import Record
from tests.face.testing import FIXTURES
from tests.naming import Naming

FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
FIRE: dict[str, Any] = {"order": "roll", "dice": "6d6", "purpose": "fire"}
NOTE = RAW(b'{"type":"note.added","text":"fire!"}')
RED = SecretKey("red", Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32))


@pytest.fixture
def ford(tmp_path: Path) -> Iterator[umpire.PlayedGame]:
    """Red, who has a key, has ordered fire, and Blue has shown the share that the order waited for."""
    with umpire.open(tmp_path / "club.ledger") as desk:
        desk.signer = {RED.key.text(): RED}.get
        game = desk.new("freeform", FORD, id="ford", dice="witnessed", keys={"red": RED.key.text()})
        for side in game.sides:
            game.seat(side).order(game.seat(side).dice_due(tmp_path / side) or {})
        game.seat("red").order(FIRE)
        desk.signer = None  # Blue's machine has no key of Red's
        blue = game.seat("blue")
        blue.order(blue.dice_due(tmp_path / "blue") or {})
        yield game


def exported(game: umpire.PlayedGame, file: Path) -> Path:
    game.referee.export(file)
    return file


def test_signed_order_carried_out_later_is_verified(ford: umpire.PlayedGame, tmp_path: Path) -> None:
    checked = umpire.verify(exported(ford, tmp_path / "ford.jsonl"))
    assert (checked.valid, checked.signed_again) == (True, 1)
    [red] = checked.signed
    assert (red.seat, red.orders, red.checked) == ("red", 2, True)


def cause_of(record: Record) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(bytes(record.cause))
    return found


def forged(game: umpire.PlayedGame, file: Path, **other: Any) -> umpire.Checked:
    """Verify the log in which Red's order was carried out with other words, with every hash computed again."""
    game_id, records = read(exported(game, file).read_bytes())
    at = next(at for at, one in enumerate(records) if b'"dice.rolled"' in bytes(one.event))
    words = json.dumps({**cause_of(records[at]), **other}, separators=(",", ":")).encode()
    records[at] = replace(records[at], cause=RAW(words))
    file.write_bytes(written_anew(game_id, records))
    return umpire.verify(file)


def test_carried_out_order_with_other_words_is_invalid(ford: umpire.PlayedGame, tmp_path: Path) -> None:
    checked = forged(ford, tmp_path / "ford.jsonl", purpose="a walk")
    assert not checked.valid
    assert (checked.verdict.expected, checked.verdict.found) == (Naming("#13"), "a different text")


def test_repetition_of_an_order_that_did_not_wait_is_invalid(ford: umpire.PlayedGame, tmp_path: Path) -> None:
    checked = forged(ford, tmp_path / "ford.jsonl", again=1)
    assert not checked.valid
    assert (checked.verdict.expected, checked.verdict.found) == (Naming(RED.key.short), "none")


def test_order_carried_out_twice_is_invalid(ford: umpire.PlayedGame, tmp_path: Path) -> None:
    file = exported(ford, tmp_path / "ford.jsonl")
    game_id, records = read(file.read_bytes())
    rolled = next(one for one in records if b'"dice.rolled"' in bytes(one.event))
    once_more = replace(rolled, position=len(records) + 1, command="once-more", salt="0" * 32, event=NOTE)
    file.write_bytes(written_anew(game_id, [*records, once_more]))
    checked = umpire.verify(file)
    assert not checked.valid
    assert (checked.verdict.expected, checked.verdict.found) == (Naming(RED.key.short), "none")
