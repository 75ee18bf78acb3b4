"""Compare two ledgers that differ in one secret: every other seat gets the same bytes from both.

    python -m tests.attacks.secrets --count 10000 --seed 1

For every title that has secrets, and for every title under fog, pairs of games (`worlds.py`) are written into ledgers,
and the same things are done in both: refused orders, a dispute, an undo, a rewind by consent. Then every command of the
table of commands is run as every seat that may not see the secret, in every way that the table gives, with words out of
the game: units, positions, the secret's own, used order ids. Standard output, standard error, exit code, and every
written file must be the same, byte for byte, except for hashes, salts, roots and times. So must the refusal of a seat
that comes too late (PositionConflict), which lists the newer records; and so must the rows of the read models for all
seats, or for that seat.

Then both worlds go back across the secret, in some of these ways: an amendment before it, of the order before it
with old and with new dice, an undo, a rewind and a redo, a rewind by consent, a copy. One pair of each game differs in
the kind of a private record: sealed orders in one world, a private note in the other.

One answer may differ: of a command whose records reveal the whole secret to all seats, as the last `done` before a
reveal does (`worlds.laid_open`). It is counted separately. A fault names its pair: --pair N tries that pair alone, and
--command NAME every way of one command.
"""

import json
import random
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec

import umpire_ledger as umpire
from tests.attacks.attack import Findings, folder, main, masked, run
from tests.attacks.command_table import commands, ways, word
from tests.attacks.worlds import GAME, LEDGER, Pair, laid_open, lay, pairs, pairs_in_the_dark
from tests.face.cli import COMMANDS
from tests.face.desk import EXPECTED, problem_of
from tests.face.domain import REFEREE
from tests.face.ledger import (
    HOME,
    MetadataEntry,
    Record,
    SqliteMetadata,
    home_of,
)
from tests.face.projections import (
    QUERIES,
    TABLES,
    config_text,
    connect,
    views_path,
)

PER_PAIR = 60
"""Commands that are run in the worlds of one pair."""
SLOW = ("doctor",)
"""Looks at every title, and at nothing that a secret changes but the read models: left out."""
OF_ONESELF = ("key", "witness")
"""Make keys at random and read no secrets: their signatures cover only a game's checkpoint."""
REFEREE_ONLY = ("amend", "peek", "rule")
"""Commands without --as that act as the referee: run only if the referee, too, may not see the secret.

`peek` and `export --whole` show the referee the secret, and a public record says so: left out in that case.
"""
LOOKS = (
    *(("status",), ("audit", "--all"), ("dice",), ("lines",), ("undo-points",), ("units",), ("refusals",), ("map",)),
    *(("chart", "dice"), ("chart", "accounts"), ("chart", "losses")),
)
WHOLE = ("archive", "backup", "invite")
"""Commands for the holder of the ledger's file: they write down every secret, or invite to any seat. Left out."""
WAYS_BACK = 3
"""Ways back that are drawn for a pair."""
COPIED = ("amend", "rewind")
"""Ways back after which a copy is looked at, too."""
EVENTS = ("choice.made", "choice.sealed", "dice.rolled", "hidden.done", "hidden.ordered", "note.added", "unit.covered")
WORDS = '{"order": "note", "text": "hm"}'


class Output(NamedTuple):
    """The masked output of a process. `files`: the files it wrote, except the ledger."""

    code: int
    out: bytes
    err: bytes
    files: tuple[tuple[str, bytes], ...] = ()


class Worlds:
    """Both ledgers of a pair, each in a folder, and copies of them to run commands in."""

    def __init__(self, place: Path, pair: Pair, found: Findings, chance: random.Random) -> None:
        self.pair, self.found, self.chance = pair, found, chance
        self.homes = (place / "one", place / "other")
        self.copy = place / "copy"
        self.holder = next(seat for seat in pair.game.side_ids if seat not in pair.blind)
        for home, steps in zip(self.homes, (pair.one, pair.other), strict=True):
            home.mkdir()
            lay(home / LEDGER, pair.opening, steps)
            (home / "orders.jsonl").write_text(WORDS + "\n")
        self._done_in_both()
        for home in self.homes:
            with umpire.open(home / LEDGER) as desk:
                desk.game(GAME).catch_up(views=True)

    def _done_in_both(self) -> None:
        """Do the same in both worlds afterwards: refusals, a dispute about it, rewinds. Compare the answers too."""
        holder, blind = self.holder, self.pair.blind[0]
        at = self.pair.at
        self._give(holder, {"order": "move", "unit": "no-such-unit", "path": ["1"]})
        self._give(blind, {"order": "note", "text": "what was that?", "id": "order-0"})
        self._give(blind, {"order": "dispute", "records": [at, at + 1], "claim": "nobody saw it", "rule": "1.1"})
        self._give(holder, {"order": "note", "text": "you will see"})
        self._give(holder, {"order": "undo"})
        self._give(holder, {"order": "redo"})
        self._give(blind, {"order": "ask-rewind", "to": at - 1, "why": "it was too early"})
        self._give(holder, {"order": "seal"})

    def _give(self, seat: str, order: dict[str, Any]) -> None:
        answers = [self._answer(home, seat, order, None) for home in self.homes]
        if seat in self.pair.blind:
            self.compare(f"{seat} gives {order}", answers)

    def _answer(self, home: Path, seat: str, order: dict[str, Any], seen: int | None) -> Output:
        """Return the answer of the API: the outcome, or the error with its four parts."""
        with umpire.open(home / LEDGER) as desk:
            try:
                outcome = umpire.Seat(desk.game(GAME), seat).order(dict(order), seen=seen)
            except EXPECTED as error:
                said = problem_of(error)
                return Output(
                    said.code, b"", masked(msgspec.json.encode((said.what, said.where, said.rule, said.remedy)))
                )
        return Output(0, masked(msgspec.json.encode(outcome, enc_hook=str)), b"")

    def compare(self, what: str, outputs: Sequence[Output]) -> None:
        one, other = outputs
        self.found.counts["outputs"] += 1
        if one != other:
            self.found.fault(
                f"pair {self.pair.number}, {self.pair.title}, {self.pair.secret} at #{self.pair.at}: "
                f"{what}: {_difference(one, other)}",
                f"{self.pair.title}, {self.pair.secret}: {what.partition(' --')[0]}",
            )

    # --- what is compared ---------------------------------------------------------------------------------------------

    def holder_sees_it(self) -> None:
        """Check that the seat with the secret sees another one in each world; otherwise no comparison counts."""
        words = ["audit", GAME, "--all", "--json", "--as", self.holder]
        if self._run(self.homes[0], words) == self._run(self.homes[1], words):
            self.found.fault(f"{self.pair.title}, {self.pair.secret}: the worlds do not differ for {self.holder}")

    def told_again(self) -> None:
        """Rewind to before the secret with reused dice, and give the secret again, in one world another one.

        Both worlds are copies of the first one, so only the second secret differs.
        """
        before = [moved(self.homes[0], home.with_name(f"again-{home.name}")) for home in self.homes]
        first = next(
            number
            for number, (one, other) in enumerate(zip(self.pair.one, self.pair.other, strict=False))
            if one != other
        )
        rewind = {"order": "rewind", "to": self.pair.at - 1, "why": "again", "dice": "keep-unless-new"}
        given = [[steps[first], *self.pair.one[first + 1 :]] for steps in (self.pair.one, self.pair.other)]
        for home, steps in zip(before, given, strict=True):
            self._answer(home, REFEREE, rewind, None)
            for order, _ in steps:
                self._answer(home, order.seat, msgspec.to_builtins(order), None)
        for seat in self.pair.blind:
            for words in LOOKS:
                asked = [words[0], GAME, *words[1:], "--as", seat]
                self.compare(f"after a rewind, umpire {' '.join(asked)}", [self._run(home, asked) for home in before])

    def went_back(self) -> None:
        """Go back across the secret in some ways, and compare all that the blind seats see afterwards."""
        for name, orders in self.chance.sample(list(self._ways_back()), WAYS_BACK):
            homes = [moved(home, home.with_name(f"{name}-{home.name}")) for home in self.homes]
            for seat, order in orders:
                answers = [self._answer(home, seat, order, None) for home in homes]
                self.found.counts["ways back"] += not answers[0].code
                if seat in self.pair.blind:
                    self.compare(f"{name}: {seat} gives {order}", answers)
            for seat in self.pair.blind:
                self.compare(f"after {name}, {seat} looks", [_seen(home, seat, GAME) for home in homes])
            if name in COPIED:
                self._copied(name, homes)
            for home in homes:
                shutil.rmtree(home)

    def _ways_back(self) -> Iterator[tuple[str, list[tuple[str, dict[str, Any]]]]]:
        at, blind = self.pair.at, self.pair.blind[0]
        forgotten = {"as": REFEREE, "order": "note", "text": "forgotten"}
        before = {"order": "amend", "at": at, "how": "before", "given": forgotten, "why": "late"}
        rewind = {"order": "rewind", "to": at - 1, "why": "again"}
        others = [side for side in self.pair.game.side_ids if side != self.pair.game.side_of(blind)]
        yield "amend", [(REFEREE, before)]
        yield (
            "amend, undo",
            [(REFEREE, before), (REFEREE, {"order": "undo", "why": "no"}), (REFEREE, {"order": "redo"})],
        )
        yield "drop", [(REFEREE, {"order": "amend", "at": at - 1, "how": "drop", "why": "late"})]
        yield "reroll", [(REFEREE, {"order": "amend", "at": at - 1, "how": "reroll", "dice": "reroll", "why": "late"})]
        yield "undo", [(REFEREE, {"order": "undo", "orders": number, "why": "no"}) for number in (1, 2)]
        yield "rewind", [(REFEREE, rewind), (REFEREE, {"order": "redo"}), (REFEREE, before)]
        asks = [(blind, {"order": "ask-rewind", "to": at - 1, "why": "again"})]
        yield "ask", [*asks, *((side, {"order": "consent"}) for side in others)]

    def _copied(self, name: str, homes: Sequence[Path]) -> None:
        """Compare a copy of the results."""
        for home in homes:
            with umpire.open(home / LEDGER) as desk:
                desk.game(GAME).fork("copy")
        for seat in self.pair.blind:
            self.compare(f"after {name}, in a copy, {seat} looks", [_seen(home, seat, "copy") for home in homes])

    def too_late(self) -> None:
        """Compare orders of a seat that has not seen the secret, for each position from there on."""
        size = self._size(self.homes[0])
        for seat in self.pair.blind:
            for seen in range(max(1, self.pair.at - 1), size):
                note = {"order": "note", "text": "hm"}
                self.compare(f"{seat} has seen #{seen}", [self._answer(home, seat, note, seen) for home in self.homes])

    def commands(self, most: int, only: str = "") -> None:
        """Compare every command or only one, as every blind seat, in ways drawn from those that the table gives."""
        table = [(name, command) for name, command in commands() if only in ("", name[0])]
        self.chance.shuffle(table)
        asked = [
            words for seat in self.pair.blind for name, command in table for words in self._ways(name, command, seat)
        ]
        for words in asked if len(asked) <= most else self.chance.sample(asked, most):
            answers = [self._run(home, words) for home in self.homes]
            if answers[0] != answers[1] and laid_open(self.pair, *(self.recorded(home, words) for home in self.homes)):
                self.found.counts["reveals"] += 1
            else:
                self.compare(f"umpire {' '.join(words)}", answers)

    def recorded(self, home: Path, words: list[str]) -> list[Record]:
        """Return the records of a command."""
        self._run(home, words)
        with umpire.open(self.copy / LEDGER, read_only=True) as desk:
            return list(desk.game(GAME).ledger.records(GAME, self._size(home) + 1))

    def typing(self) -> None:
        """Compare all completion for a blind seat: orders, help with examples, and every completion."""
        for seat in self.pair.blind:
            pages = [list(_offered(home, seat)) for home in self.homes]
            for one, other in zip(*pages, strict=True):
                self.compare(f"{seat} types {one[0]}", [Output(0, one[1], b""), Output(0, other[1], b"")])

    def read_models(self) -> None:
        """Compare the rows of the read models for all seats, and those for a blind seat."""
        found = [dict(_rows(home, self.pair.blind)) for home in self.homes]
        for name in found[0].keys() | found[1].keys():
            one, other = (Output(0, rows.get(name, b""), b"") for rows in found)
            self.compare(f"read models, {name}", [one, other])

    def _ways(self, name: tuple[str, ...], command: click.Command, seat: str) -> Iterator[list[str]]:
        if name[0] in (*SLOW, *WHOLE, *OF_ONESELF):
            return
        takes_seat = any(param.name == "seat" for param in command.params)
        for words in ways(name, command, self._word, ()):
            as_seat = ["--as", seat] if takes_seat else []
            taken_on_record = seat == REFEREE and (name[0] == "peek" or "--whole" in words)
            if (takes_seat or seat == REFEREE or name[0] not in REFEREE_ONLY) and not taken_on_record:
                yield [*words, *as_seat]

    def _run(self, home: Path, words: list[str]) -> Output:
        shutil.rmtree(self.copy, ignore_errors=True)
        moved(home, self.copy)
        before = {file.name for file in self.copy.iterdir()}
        answer = run(words, self.copy, WORDS)
        if answer.crash:
            self.found.fault(f"umpire {words}: {answer.crash}", answer.crash.partition(": ")[0])
        files = [file for file in sorted(self.copy.rglob("*")) if file.is_file()]
        written = tuple(
            (str(file.relative_to(self.copy)), masked(file.read_bytes()))
            for file in files
            if file.relative_to(self.copy).parts[0] not in before and ".db" not in file.name
        )
        return Output(answer.code, masked(answer.out.encode()), masked(answer.err.encode()), written)

    def _size(self, home: Path) -> int:
        with umpire.open(home / LEDGER, read_only=True) as desk:
            return desk.game(GAME).size

    def _word(self, command: str, param: click.Parameter) -> str:
        game, chance = self.pair.game, self.chance
        position = str(chance.choice((self.pair.at, self.pair.at + 1, self.pair.at + 2, self._size(self.homes[0]), 1)))
        seat = chance.choice(self.pair.seats)
        known = {
            "game_id": GAME,
            "title_id": self.pair.title,
            "what": GAME,
            "file": "orders.jsonl",
            "output": "out.html",
            "where": LEDGER,
            "new_id": "copy",
            "unit_id": chance.choice(self.pair.units or ["none"]),
            "unit": chance.choice(self.pair.units or ["none"]),
            "account_id": chance.choice(sorted(game.accounts) or ["none"]),
            "dispute_id": "d1",
            "who": seat,
            "side": chance.choice(game.side_ids),
            "author": seat,
            "event": chance.choice(EVENTS),
            "text": self._text(command),
            "turn": str(game.turn),
            "order_name": self.pair.secret,
        }
        return word(param, known, position, chance)

    def _text(self, command: str) -> str:
        """Return an order in JSON for a command that takes one: a new one, or one with a used order id."""
        if command == "note":
            return "hm"
        used = f"order-{len(self.pair.one) - 1 - self.chance.randrange(min(3, len(self.pair.one)))}"
        order, _ = self.pair.one[-1]
        raw = {**msgspec.to_builtins(order), "id": used}
        raw.pop("as")
        return self.chance.choice(
            (WORDS, json.dumps(raw), json.dumps({"order": "reveal", "question": "x", "id": used}))
        )


def moved(home: Path, to: Path) -> Path:
    """Copy a folder whose ledger continues as the original, so that the dice of both worlds fall alike."""
    shutil.copytree(home, to)
    with closing(sqlite3.connect(to / LEDGER)) as ledger:
        SqliteMetadata(ledger).put(MetadataEntry("", HOME, "", home_of(to / LEDGER)))
        ledger.commit()
    return to


def _seen(home: Path, seat: str, game_id: str) -> Output:
    """Return the whole view that a seat has of a game: its export, and every list of the library."""
    with umpire.open(home / LEDGER) as desk:
        played, out = desk.game(game_id), BytesIO()
        played.export(out, seat=seat)
        sits = played.seat(seat)
        lists = (sits.audit(all_lines=True), sits.orders(all_lines=True), sits.undo_points(), sits.lines())
        shown = (sits.status, *map(list, lists), sits.disputes(), sits.refusals(), sits.referee_acts())
        return Output(0, masked(out.getvalue()) + masked(msgspec.json.encode(shown, enc_hook=str)), b"")


FOR_THE_REFEREE = ("an_evening_order_by_order", "what_is_refused")
"""Canned queries that show refused orders too."""
BY_SEAT = ("units", "accounts", "markers", "turn_view", "sees")


def _rows(home: Path, blind: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the rows of the file for all seats, or for one of these seats; in any order."""
    with closing(connect(views_path(home / LEDGER))) as views:

        def rows(select: str, *values: str) -> bytes:
            return masked("\n".join(map(repr, views.execute(select, values))).encode())

        yield "what is laid", rows("SELECT name, sql FROM sqlite_master")
        for name in (name for name, table in TABLES.items() if table.public):
            yield name, rows(f"SELECT * FROM {name}")
        yield "for Datasette", masked(config_text(views_path(home / LEDGER), views).encode())
        known = {"game": GAME, "unit": "", "account": "", "rule": "", "words": "a* OR e* OR o*"}
        for query in QUERIES:
            if query.name not in FOR_THE_REFEREE or REFEREE in blind:
                asked = {name: known[name] for name in query.parameters}
                yield query.name, masked(repr(views.execute(query.sql, asked).fetchall()).encode())
        by_title = [name for (name,) in views.execute("SELECT name FROM sqlite_master WHERE name GLOB 'units_*'")]
        for name in ("audit", "dice", "refusals"):
            yield f"{name} for all", rows(f"SELECT * FROM {name} WHERE visible_to IS NULL")
        for seat in blind:
            for name in (*BY_SEAT, *by_title):
                yield f"{name} of {seat}", rows(f"SELECT * FROM {name} WHERE seat = ?", seat)
            if seat == REFEREE:
                yield "refusals of the referee", rows("SELECT * FROM refusals")


def _offered(home: Path, seat: str) -> Iterator[tuple[str, bytes]]:
    """Yield typed words, each with its completions."""
    with umpire.open(home / LEDGER) as desk:
        typing = desk.game(GAME).seat(seat)
        title = desk.game(GAME).title
        assert title is not None
        yield "nothing", msgspec.json.encode((typing.openings(), typing.completions([], "")))
        for order in title.every_order:
            yield f"? {order}", msgspec.json.encode(typing.order_page(order))
            for words in ([order], [order, "--step"], [order, "x"], [order, "x", "y"]):
                yield " ".join(words), msgspec.json.encode(typing.completions(words, ""))


def _difference(one: Output, other: Output) -> str:
    """Return the first difference, with the text around it."""
    here, there = str(one), str(other)
    at = next(at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b)
    around = slice(max(0, at - 200), at + 200)
    return f"{here[around]} | {there[around]}"


ABOUT = {"": pairs, "hidden": pairs_in_the_dark}


def attack(count: int, seed: int, found: Findings, *, pair: str = "", command: str = "", about: str = "") -> None:
    """Compare pairs until `count` outputs are compared, or that pair alone, found again by its own seed."""
    if command and command not in COMMANDS:
        sys.exit(f"there is no command {command}: --command takes one of {', '.join(COMMANDS)}")
    if about not in ABOUT:
        sys.exit(f"there are no pairs about {about}: --about takes hidden, or is left out")
    drawn = ABOUT[about](seed)
    for one in islice(drawn, int(pair) - 1, int(pair)) if pair else drawn:
        _attack_pair(one, random.Random(f"{seed} {one.number}"), found, command)
        if found.counts["outputs"] >= count:
            return


def _attack_pair(pair: Pair, chance: random.Random, found: Findings, command: str) -> None:
    found.counts[f"pairs of {pair.title}"] += 1
    for leak in pair.leaks:
        found.fault(f"pair {pair.number}, {pair.title}, {pair.secret} at #{pair.at}: {leak}")
    with folder() as place:
        worlds = Worlds(place, pair, found, chance)
        if command:
            worlds.commands(sys.maxsize, command)
            return
        worlds.holder_sees_it()
        worlds.too_late()
        worlds.told_again()
        worlds.went_back()
        worlds.typing()
        worlds.read_models()
        worlds.commands(PER_PAIR)


MORE = {
    "pair": "the number of the only pair to look at",
    "command": "the only command to look at, in every way",
    "about": "hidden: only games under fog, which differ in hidden units",
}

if __name__ == "__main__":
    sys.exit(main("secrets", "outputs", attack, count=2000, doc=__doc__, more=MORE))
