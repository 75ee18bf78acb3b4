"""Everything that a small ledger shows: each look of each seat, each command's output, and every row in the file."""

import io
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import msgspec

import umpire_ledger as umpire
from tests.attacks.attack import Answer, crash_of, masked, run
from tests.attacks.command_table import commands, ways, word
from tests.face.desk import EXPECTED, GameStateBuilder, stored_status
from tests.face.ledger import Ledger, timestamp

ROOT = Path(__file__).parents[2]
FORD = ROOT / "fixtures/freeform/scenarios/ford.toml"
GAMES = ("ford1", "ford3")
"""One bit apart, so that what belongs to one may come to belong to the other."""
LEDGER, VIEWS = "club.db", "club.views.db"

_encode = msgspec.json.Encoder(enc_hook=str, order="sorted").encode

ORDERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("referee", {"order": "note", "text": "Rot sitzt am Nordrand · «oben»"}),
    ("referee", {"order": "take-seat", "taker": "anna", "side": "red", "name": "Anna"}),
    ("red", {"order": "seal-choice", "question": "stance", "choice": "attack", "id": "red-stance"}),
    ("blue", {"order": "seal-choice", "question": "stance", "choice": "hold"}),
    ("red", {"order": "roll", "dice": "2d6", "purpose": "the ford", "table": "fight", "subjects": ["red-horse"]}),
    ("blue", {"order": "change", "unit": "blue-guard", "attribute": "strength", "to": 1, "cause": "both hold"}),
    ("red", {"order": "move", "unit": "red-horse", "path": ["hill", "road", "ford-north"]}),
    ("red", {"order": "undo"}),
    ("red", {"order": "move", "unit": "red-horse", "path": ["hill", "road"]}),
    ("blue", {"order": "dispute", "records": [7, 8], "claim": "the horse was never on the hill", "rule": "4.2"}),
    ("red", {"order": "move", "unit": "ghost", "path": ["nowhere"]}),
    ("blue", {"order": "pay", "account": "points/blue", "amount": 3, "cause": "the ford is held"}),
    ("anna", {"order": "seal"}),
    ("blue", {"order": "pay", "account": "points/blue", "amount": "many"}),
    ("red", {"order": "move", "unit": "red-foot", "path": ["village", "road"]}),
    (
        "referee",
        {
            "order": "rule",
            "ruling": "it was",
            "reason": "the map",
            "rule": "4.2",
            "grounds": "house rule",
            "dispute": "d1",
        },
    ),
)


def make_store(folder: Path) -> Path:
    """Make a ledger of two games with rewinds, secrets, dice, refused orders and snapshots, and its read models.

    Each call writes the same bytes.
    """
    where = folder / LEDGER
    with _without_chance(), umpire.open(where) as desk:
        for game in GAMES:
            opened = desk.new("freeform", FORD, id=game, dice="ledger")
            for seat, order in ORDERS:
                _give(opened.seat(seat), order)
                desk.read_models.follow(game, views=True)
    with Ledger.open(where, GameStateBuilder(), snapshot_every=7) as ledger:
        for game in GAMES:
            ledger.take_snapshots(game)
    return where


@contextmanager
def _without_chance() -> Iterator[None]:
    """Fix salts, seeds and times; take snapshots of the seats' knowledge close together."""
    chance, clock = random.Random(1), count(datetime(2026, 11, 21, 10, tzinfo=UTC).timestamp())

    def now(_: datetime) -> str:
        return timestamp(datetime.fromtimestamp(next(clock), UTC))

    with (
        mock.patch("umpire_ledger.ledger.order_batches.os.urandom", chance.randbytes),
        mock.patch("secrets.token_hex", lambda size: chance.randbytes(size).hex()),
        mock.patch("umpire_ledger.ledger.order_batches.timestamp", now),
        mock.patch("umpire_ledger.ledger.ledger.timestamp", now),
        mock.patch("umpire_ledger.projections.tables.seat_visibility.SNAPSHOT_EVERY", 2),
    ):
        yield


def _give(seat: Any, order: dict[str, Any]) -> None:
    try:
        seat.order(order)
    except EXPECTED:
        return


# --- looks ------------------------------------------------------------------------------------------------------------


class Look(NamedTuple):
    """The result of a view: its output or its refusal. `crashed`: an error of an unexpected kind."""

    shown: bytes
    said: str = ""
    crashed: str = ""


def looks(where: Path) -> dict[str, Look]:
    """Return every view of every seat of every game, and the list of games."""
    found: dict[str, Look] = {}
    try:
        with umpire.open(where, read_only=True) as desk:
            found["games"] = _look(desk.games)
            for game in GAMES:
                found.update(_looks_at(desk, game))
    except EXPECTED as error:
        found["open"] = Look(b"", str(error))
    except Exception as error:
        found["open"] = Look(b"", crashed=crash_of(error))
    return found


def _looks_at(desk: Any, game_id: str) -> Iterator[tuple[str, Look]]:
    yield f"{game_id} orders", _look(lambda: _answers(desk, game_id))
    for seat in ("referee", "red", "blue", "anna", "spectator"):
        for name, ask in QUESTIONS.items():
            yield f"{game_id} {seat} {name}", _look(lambda ask=ask, seat=seat: ask(desk.game(game_id).seat(seat)))


def _answers(desk: Any, game_id: str) -> list[bytes]:
    """Return the answers to each order when it is sent a second time."""
    commands = dict.fromkeys(record.command for record in desk.ledger.records(game_id))
    return [b"\n".join(one.encode() for one in desk.ledger.answer(game_id, command)) for command in commands]


def _export(seat: Any) -> str:
    out = io.BytesIO()
    seat.game.export(out, seat=seat.name)
    return out.getvalue().decode("latin-1")


QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "status": lambda seat: seat.status,
    "stored status": lambda seat: stored_status(seat.game.desk.where, seat.game.id, seat.name),
    "status earlier": lambda seat: seat.status_at(8),
    "units": lambda seat: seat.units(gone=True),
    "map": lambda seat: seat.map(),
    "audit": lambda seat: seat.audit(all_lines=True),
    "undo points": lambda seat: seat.undo_points(),
    "lines": lambda seat: seat.lines(),
    "dice": lambda seat: seat.dice(all_lines=True),
    "refusals": lambda seat: seat.refusals(),
    "disputes": lambda seat: seat.disputes(),
    "export": _export,
}


def _look(ask: Callable[[], Any]) -> Look:
    try:
        return Look(_encode(ask()))
    except EXPECTED as error:
        return Look(b"", str(error))
    except Exception as error:
        return Look(b"", crashed=crash_of(error))


# --- commands ---------------------------------------------------------------------------------------------------------

KNOWN = {
    "title_id": "freeform",
    "file": "orders.jsonl",
    "scenario": str(FORD),
    "output": "out.html",
    "new_id": "copy",
    "unit_id": "red-horse",
    "unit": "red-horse",
    "account_id": "points/blue",
    "dispute_id": "d1",
    "who": "red",
    "side": "red",
    "order_name": "move",
    "text": '{"order": "note", "text": "hm"}',
    "where": LEDGER,
}
ELSEWHERE = (("check",), ("key", "new"), ("witness", "new"))
"""These look at a title, or draw a key, and not at a ledger."""


def answers(home: Path, beside: Path, asked: Iterable[list[str]]) -> dict[str, Answer]:
    """Return the answers of commands, each run in a fresh copy of `home`. Random values and times are masked."""
    (home / "orders.jsonl").write_text('{"as": "red", "order": "note", "text": "hm"}\n')
    with mock.patch.dict(os.environ, {"UMPIRE_LEDGER": LEDGER}):
        return {" ".join(words): _answer(words, home, beside) for words in asked}


def calls() -> Iterator[list[str]]:
    """Yield every command, in every way that the table of commands gives."""
    for game in GAMES:
        known = {**KNOWN, "game_id": game, "what": game}
        for name, command in commands():
            if name[:1] not in ELSEWHERE and name[:2] not in ELSEWHERE:
                yield from ways(name, command, lambda _, param, known=known: word(param, known, "9"), ("red", "anna"))


def _answer(words: list[str], home: Path, beside: Path) -> Answer:
    shutil.rmtree(beside, ignore_errors=True)
    shutil.copytree(home, beside)
    answer = run(words, beside)
    out, err = (masked(said.encode()).decode() for said in (answer.out, answer.err))
    return Answer(answer.code, out, err, answer.crash)


# --- rows -------------------------------------------------------------------------------------------------------------

PRAGMAS = ("application_id", "user_version", "encoding", "page_size", "freelist_count", "integrity_check")


def rows(file: Path) -> object:
    """Return every row of every table, the faults SQLite finds in pages and indexes, and the schema; None: unreadable.

    Two files with the same result give the same rows to every query, through any index.
    """
    try:
        with closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as connection:
            connection.text_factory = bytes
            schema = connection.execute("SELECT type, name, tbl_name, rootpage, sql FROM sqlite_master").fetchall()
            tables = [name.decode() for kind, name, _, root, _ in schema if kind == b"table" and root]
            return (
                schema,
                [connection.execute(f"PRAGMA {name}").fetchall() for name in PRAGMAS],
                [_all_of(connection, table) for table in tables],
            )
    except (sqlite3.Error, UnicodeDecodeError):
        return None


def _all_of(connection: sqlite3.Connection, table: str) -> list[Any]:
    try:
        return connection.execute(f'SELECT rowid, * FROM "{table}" ORDER BY rowid').fetchall()
    except sqlite3.OperationalError:  # it has no rowid
        return connection.execute(f'SELECT * FROM "{table}"').fetchall()


def pages(file: Path) -> dict[str, list[int]]:
    """Return the pages of each table and index, counted from 0. Needs SQLite's table of its pages, `dbstat`."""
    with closing(sqlite3.connect(file)) as connection:
        found: dict[str, list[int]] = {}
        for name, page in connection.execute("SELECT name, pageno FROM dbstat ORDER BY name, pageno"):
            found.setdefault(name, []).append(page - 1)
        return found
