"""Flip bits of a small ledger, one at a time, and ask whether anybody could be shown anything else without being told.

    python -m tests.attacks.bits_of_a_store --count 10000 --seed 1
    python -m tests.attacks.bits_of_a_store --count 2000 --seed 1 --file views

Every flip is one of these:

    refused      the file cannot be opened, or a look at it says what is wrong
    nothing      nothing that is shown differs: every look of every seat, and what each may export
    verify       something differs, and `umpire verify` of one of the games says so
    doctor       something differs, and `umpire doctor` says so
    deep         something differs, and `umpire doctor --deep` says so
    UNNOTICED    something differs, and nobody says so
    CRASHED      a look, a check or a doctor ended in an error of no kind that is expected

The last two must be zero. `--file ledger` hurts the ledger itself and looks with read models made anew from it;
`--file views` hurts the read models beside a sound ledger.
"""

import argparse
import io
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import umpire_ledger as umpire
from umpire_ledger.desk.check_up import check_up
from umpire_ledger.desk.errors import EXPECTED
from umpire_ledger.desk.glance import stored_status
from umpire_ledger.desk.wiring import GameFolding
from umpire_ledger.ledger.application import Ledger

ROOT = Path(__file__).parents[2]
FORD = ROOT / "fixtures/freeform/scenarios/ford.toml"
GAMES = ("ford1", "ford3")
"""One bit apart, so that what belongs to one may come to belong to the other."""
LEDGER, VIEWS = "club.db", "club.views.db"
FAILURES = ("UNNOTICED", "CRASHED")
OUTCOMES = ("refused", "nothing", "verify", "doctor", "deep", *FAILURES)

NOTHING_STORED = b"null"
"""No stored status that is up to date: then the ledger is asked."""

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
)


class Look(NamedTuple):
    """What came of looking: the words shown, or what was said instead. `crashed`: an error of no expected kind."""

    shown: bytes
    said: str = ""
    crashed: str = ""


# --- the store --------------------------------------------------------------------------------------------------------


def make_store(folder: Path) -> Path:
    """A ledger of two games with rewinds, secrets, dice, refused orders and snapshots, and its read models."""
    where = folder / LEDGER
    with umpire.open(where) as desk:
        for game in GAMES:
            opened = desk.new("freeform", FORD, id=game, dice="ledger")
            for seat, order in ORDERS:
                _give(opened.seat(seat), order)
            desk.read_models.follow(game)
    with Ledger.open(where, GameFolding(), snapshot_every=7) as ledger:
        for game in GAMES:
            ledger.take_snapshots(game)
    return where


def _give(seat: Any, order: dict[str, Any]) -> None:
    try:
        seat.order(order)
    except EXPECTED:
        return


# --- what is shown ----------------------------------------------------------------------------------------------------


def looks(where: Path) -> dict[str, Look]:
    """Every look of every seat at every game, and the list of games."""
    found: dict[str, Look] = {}
    try:
        with umpire.open(where, read_only=True) as desk:
            found["games"] = _look(desk.games)
            for game in GAMES:
                found.update(_looks_at(desk, game))
    except EXPECTED as error:
        found["open"] = Look(b"", str(error))
    except Exception as error:
        found["open"] = Look(b"", crashed=repr(error))
    return found


def _looks_at(desk: Any, game: str) -> Iterator[tuple[str, Look]]:
    yield f"{game} orders", _look(lambda: _answers(desk, game))
    for seat in ("referee", "red", "blue", "anna", "spectator"):
        for name, ask in QUESTIONS.items():
            yield f"{game} {seat} {name}", _look(lambda ask=ask, seat=seat: ask(desk.game(game).seat(seat)))


def _answers(desk: Any, game: str) -> list[bytes]:
    """What each order is answered when it is sent a second time."""
    commands = dict.fromkeys(record.command for record in desk.ledger.records(game))
    return [b"\n".join(one.encode() for one in desk.ledger.answer(game, command)) for command in commands]


def _export(seat: Any) -> str:
    out = io.BytesIO()
    seat.game.export(out, seat=seat.name)
    return out.getvalue().decode("latin-1")


QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "status": lambda seat: seat.status,
    "stored status": lambda seat: stored_status(seat.game.desk.where, seat.game.id, seat.name),
    "status earlier": lambda seat: seat.status_at(8),
    "units": lambda seat: seat.units(gone=True),
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
        return Look(b"", crashed=repr(error))


# --- one flip ---------------------------------------------------------------------------------------------------------


class Attack:
    """A store, what it shows while it is whole, and a copy of it to hurt."""

    def __init__(self, folder: Path, file: str) -> None:
        whole = folder / "whole"
        whole.mkdir()
        self.where = make_store(whole)
        self.file = LEDGER if file == "ledger" else VIEWS
        self.bytes = (whole / self.file).read_bytes()
        self._hurt = folder / "hurt"
        self._hurt.mkdir()
        self._lay(self.bytes)
        self.whole = looks(self._hurt / LEDGER)
        assert not any(look.said or look.crashed for look in self.whole.values()), self.whole

    def _lay(self, raw: bytes) -> None:
        """The store with these bytes in the file that is hurt; without read models where the ledger is."""
        for old in self._hurt.iterdir():
            old.unlink()
        for name in (LEDGER,) if self.file == LEDGER else (LEDGER, VIEWS):
            shutil.copyfile(self.where.with_name(name), self._hurt / name)
        (self._hurt / self.file).write_bytes(raw)

    def flip(self, bit: int) -> tuple[str, str]:
        """(outcome, what was seen) of one flipped bit."""
        raw = bytearray(self.bytes)
        raw[bit // 8] ^= 1 << bit % 8
        self._lay(raw)
        seen = looks(self._hurt / LEDGER)
        if crash := next((f"{name}: {look.crashed}" for name, look in seen.items() if look.crashed), ""):
            return "CRASHED", crash
        other = [name for name, look in seen.items() if look.shown not in (b"", NOTHING_STORED, self.whole[name].shown)]
        try:
            return self._judge(other, next((look.said for look in seen.values() if look.said), ""))
        except Exception as error:
            return "CRASHED", f"while checking: {error!r}"

    def _judge(self, other: Sequence[str], said: str) -> tuple[str, str]:
        if not other:
            return ("refused", said) if said else ("nothing", "")
        if reason := self._verify():
            return "verify", reason
        self._lay_views_aside()
        for deep in (False, True):
            bad = [one.what for one in _findings(self._hurt / LEDGER, deep=deep) if one.state == "bad"]
            if bad:
                return ("deep" if deep else "doctor"), bad[0]
        return "UNNOTICED", ", ".join(other[:4])

    def _lay_views_aside(self) -> None:
        """Read models that a look has just made from a hurt ledger are not what is examined."""

    def _verify(self) -> str:
        try:
            with umpire.open(self._hurt / LEDGER, read_only=True) as desk:
                for game in GAMES:
                    verdict = desk.ledger.verify(game)
                    if not verdict.valid:
                        return verdict.reason
        except EXPECTED as error:
            return str(error)
        return ""


def _findings(where: Path, *, deep: bool) -> Iterator[Any]:
    found = check_up(str(where), deep=deep)
    yield from found.machine
    yield from found.games


# --- many -------------------------------------------------------------------------------------------------------------


class Told(NamedTuple):
    """What came of many flips: how many of each, how many bits the file has, and the first failures in words."""

    counts: Counter[str]
    bits: int
    failures: list[str]


def attack(count: int, seed: int, file: str, tell: Callable[[int], None] | None = None) -> Told:
    """Flip `count` bits of the file, each in a fresh copy; the same `seed` picks the same bits."""
    shelf = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shelf if shelf.is_dir() else None) as folder:
        hurting = Attack(Path(folder), file)
        bits = len(hurting.bytes) * 8
        counts: Counter[str] = Counter()
        failures = []
        for number, bit in enumerate(random.Random(seed).sample(range(bits), min(count, bits))):
            outcome, seen = hurting.flip(bit)
            counts[outcome] += 1
            if outcome in FAILURES:
                failures.append(f"{outcome} byte {bit // 8} bit {bit % 8}: {seen}")
            if tell is not None:
                tell(number)
        return Told(counts, bits, failures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", choices=("ledger", "views"), default="ledger")
    asked = parser.parse_args()
    begun = time.monotonic()
    told = attack(asked.count, asked.seed, asked.file)
    for failure in told.failures[:50]:
        print(failure, file=sys.stderr)
    figures = " · ".join(f"{outcome} {told.counts[outcome]}" for outcome in OUTCOMES)
    print(f"bits of a store ({asked.file}): {told.counts.total()} of {told.bits} bits, seed {asked.seed}: {figures}")
    print(f"{time.monotonic() - begun:.0f} s", file=sys.stderr)
    return 1 if told.failures else 0


if __name__ == "__main__":
    sys.exit(main())
