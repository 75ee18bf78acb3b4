#!/usr/bin/env python3
"""Check a replay log of Umpire with this file and Python 3.9 or newer: umpire-verify.py LOG.jsonl [--checkpoint FILE]

Whoever holds a log can compute every hash again: only a checkpoint that was kept shows it. § are those of FORMAT.md.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import re
import sys
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

MOST_LINE, MOST_LEVELS, MOST_DIGITS = 4 * 1024 * 1024, 100, 4000  # §1, limits: bytes with the line feed; in a row


class Fault(Exception):  # `between`: the records it lies in; None: in the one that is being read
    def __init__(self, why: str, expected: object = "", found: object = "", between: tuple[int, int] | None = None):
        super().__init__(why)
        self.expected, self.found, self.between = str(expected), str(found), between


class Checkpoint(NamedTuple):  # §5: the root over the first `size` records of a game
    game: str
    size: int
    root: bytes


NO_RECORD = "the line is not a record as a ledger writes it"  # §1
TEXT = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\bfnrt]|u00(?:0[0-7be-f]|1[0-9a-f])))*"'  # the one way to write a string
NAME = r'(?!"")' + TEXT
COUNT = r"(?:0|[1-9][0-9]*)"
HASH = r'"[0-9a-f]{64}"'
ENVELOPE = re.compile(
    rf'\{{"position":(?P<position>{COUNT}),"at":(?P<at>{TEXT}),"seat":(?P<seat>{NAME}),"command":(?P<command>{NAME})'
    rf'(?:,"prior":(?P<prior>{HASH}))?(?:,"follows":(?P<follows>{COUNT}))?'
    rf'(?:,"visible_to":(?P<visible_to>\[(?:{NAME}(?:,{NAME})*)?\]))?'
    rf',(?:"salt":(?P<salt>"[0-9a-f]{{32}}"),|"inner":(?P<inner>{HASH})(?:,"cause_hash":(?P<cause_hash>{HASH}))?\}}\Z)'
)
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)  # an open one reaches to the end: the search stays linear
PAIR = re.compile(r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
JSON = json.JSONDecoder(parse_constant=int)  # int refuses NaN and Infinity, which Python would read


def text_of(line: bytes) -> str:  # within the limits: levels and digits are counted before the JSON is read
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault("the line is not UTF-8") from None
    bare = STRING.sub("", text)
    if re.search(f"[0-9]{{{MOST_DIGITS + 1}}}", bare):
        raise Fault(f"the line is beyond a limit: a number has more than {MOST_DIGITS} digits")
    if max(accumulate(1 if sign in "[{" else -1 for sign in re.findall(r"[\[\]{}]", bare)), default=0) > MOST_LEVELS:
        raise Fault(f"the line is beyond a limit: nested deeper than {MOST_LEVELS} levels")
    return text


def object_at(text: str, key: str) -> str:  # from { to } as it stands, if the text begins with that field; else nothing
    if not text.startswith(key + "{"):
        return ""
    try:
        _, end = JSON.raw_decode(text, len(key))
    except (ValueError, RecursionError):
        raise Fault(f"{key} is not followed by JSON") from None
    found = text[len(key) : end]
    if "\r" in found or HALF_A_PAIR.search(PAIR.sub(" ", found)):
        raise Fault(f"{key} has a carriage return, or an escape for half of a surrogate pair")
    return found


class Record:  # what one line says. `salt` is None where the record is redacted (§3); `seats`: `visible_to`
    def __init__(self, line: str) -> None:
        if not (envelope := ENVELOPE.match(line)):
            raise Fault(NO_RECORD)
        said = {name: JSON.decode(value) for name, value in envelope.groupdict().items() if value}
        self.position, self.at, self.seat, self.command = (said[name] for name in ("position", "at", "seat", "command"))
        self.follows, self.seats, self.event = said.get("follows"), said.get("visible_to"), b""
        self.prior, self.salt, self.inner, self.cause_hash = (
            bytes.fromhex(said[name]) if name in said else None for name in ("prior", "salt", "inner", "cause_hash")
        )
        if self.salt is not None:
            self.read_content(line[envelope.end() :], self.salt)

    def read_content(self, rest: str, salt: bytes) -> None:  # §2: without a salt both hashes are in the line
        cause = object_at(rest, '"cause":')
        before = f'"cause":{cause},' if cause else ""
        event = object_at(rest[len(before) :], '"event":')
        if not event or rest != f'{before}"event":{event}}}':
            raise Fault(NO_RECORD)
        self.event = event.encode()
        self.inner = sha256(salt + self.event)
        self.cause_hash = sha256(salt + b"\x01" + cause.encode()) if cause else None

    def leaf(self, game: str) -> bytes:  # §2
        follows = None if self.follows is None else self.follows.to_bytes(8, "big")
        seen = None if self.seats is None else len(self.seats).to_bytes(4, "big") + b"".join(map(text, self.seats))
        header = text(game) + self.position.to_bytes(8, "big") + text(self.at) + text(self.seat) + text(self.command)
        for part in (follows, seen, self.prior, self.cause_hash):
            header += b"\x00" if part is None else b"\x01" + part
        return sha256(b"\x00\x01" + header + (self.inner or b""))

    def has_time(self) -> bool:
        try:  # a month 13 is an error, and there are other ways to write a time
            read = datetime.strptime(self.at, "%Y-%m-%dT%H:%M:%S.%fZ")
        except ValueError:
            return False
        return bool(read.isoformat("T", "microseconds") + "Z" == self.at)


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def text(string: str) -> bytes:  # with its length before it
    return len(string.encode()).to_bytes(4, "big") + string.encode()


def checkpoint_in(text: str) -> Checkpoint | None:
    found = re.fullmatch(r"umpire/([^\n]*)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)\n", text)
    return Checkpoint(found[1], int(found[2]), base64.b64decode(found[3])) if found else None


def whole(value: Any) -> int | None:  # of at most 53 bits; 6.0 is one, true is none
    return int(value) if type(value) in (int, float) and abs(value) < 2**53 and value == int(value) else None


def wholes(values: Any) -> list[int] | None:
    found = [number for value in values if (number := whole(value)) is not None] if isinstance(values, list) else []
    return found if isinstance(values, list) and len(found) == len(values) else None


def seed_in(event: dict[str, Any]) -> dict[str, bytes]:  # the one that an event opens, by its SHA-256
    seed = str(event.get("seed")) if event.get("type") == "dice.opened" else ""
    is_one = re.fullmatch("(?:[0-9a-fA-F]{2})+", seed) and isinstance(event["seed"], str)
    return {sha256(bytes.fromhex(seed)).hex(): bytes.fromhex(seed)} if is_one else {}


class Roll:  # N dice of F faces and M (`more`). `is_one`: no seed gives a roll that is not written as one
    def __init__(self, event: dict[str, Any]) -> None:
        self.purpose, self.roll, self.pips = event.get("purpose"), whole(event.get("roll")), wholes(event.get("pips"))
        self.kept, self.thrown = whole(event.get("kept", 0)) or 0, whole(event.get("thrown", 0))
        found = re.fullmatch("([0-9]{0,3})d([0-9]{1,3})([+-][0-9]{1,4})?", str(event.get("dice")).replace(" ", ""))
        number, faces, more = found.groups() if found else ("0", "0", None)
        self.number, self.faces, self.more = int(number or 1), int(faces), int(more or 0)
        self.is_one = 1 <= self.number <= 100 and 2 <= self.faces <= 256 and isinstance(self.purpose, str)
        self.is_one &= None not in (self.roll, self.thrown, self.pips) and event.get("type") == "dice.rolled"

    def is_of(self, seed: bytes, label: str, scheme: int) -> bool:
        pips, block = list[int](), 0  # bytes that would favour a face are thrown away
        told = f"{label}\0{self.thrown or self.roll}\0" + (f"{self.purpose}\0" if scheme == 1 else "")
        while len(pips) < self.number:
            drawn = hmac.new(seed, f"{told}{block}".encode(), hashlib.sha256).digest()
            pips, block = pips + [byte % self.faces + 1 for byte in drawn if byte < 256 - 256 % self.faces], block + 1
        return scheme in (1, 2) and self.pips == pips[: self.number]


class Dice:  # §9. `told`: events about dice, by position; None where a roll may be withheld
    def __init__(self) -> None:
        self.told, self.opened = dict[int, Any](), dict[str, bytes]()  # seeds by their SHA-256
        self.seeds, self.open_now = list[tuple[str, str, int]](), set[str]()  # so far: SHA-256, label, scheme
        self.rolls, self.left = list[tuple[int, int, Any]](), list[tuple[int, int]]()  # dice are kept: behind, before
        self.withheld = self.thrown = self.closed = 0  # since the last roll; rolls that open seeds give; others

    def see(self, record: Record) -> None:
        if record.salt is None and record.seats != []:
            self.told[record.position] = None
        elif re.search(rb'"(?:dice\.|play\.rewound"|game\.copied")|\\u', record.event):
            self.told[record.position] = event = json.loads(record.event)
            self.opened.update(seed_in(event))

    def throw_again(self) -> None:  # raises Fault for the first record that does not fit
        for position, event in self.told.items():
            kind, why = (event or {}).get("type"), ""
            self.withheld += event is None
            if kind == "dice.committed" and not self.is_due(position, event):
                why = "it commits to other dice, and those before it are not open"
            elif kind == "dice.opened":
                self.open_now |= (opened := seed_in(event).keys() & {sha for sha, *_ in self.seeds})
                why = "" if opened else "no commitment before it is to the seed that is opened here"
            elif kind == "play.rewound" and event.get("dice") in ("keep", "keep-unless-new"):
                self.left += [(to, position)] if (to := whole(event.get("to"))) is not None else []
            elif kind == "dice.rolled":
                why = self.wrong_roll(position, Roll(event), event)
            if why:
                raise Fault(why, between=(position, position))

    def is_due(self, position: int, event: dict[str, Any]) -> bool:
        sha, label, scheme = event.get("commitment"), event.get("label"), whole(event.get("scheme", 1)) or 0
        if not isinstance(sha, str) or not isinstance(label, str):
            return True
        before, self.seeds = self.seeds, [*self.seeds, (sha, label, scheme)]
        if before and all(label != other for _, other, _ in before):  # a copy, which at first was not told
            return scheme == 1 or (self.told.get(position - 1) or {}).get("type") == "game.copied"
        return not before or before[-1] == self.seeds[-1] or before[-1][0] in self.open_now

    def wrong_roll(self, position: int, roll: Roll, event: dict[str, Any]) -> str:
        last = self.rolls[-1][1] if self.rolls else 0
        numbers, self.withheld = range(last + 1, last + 2 + self.withheld), 0
        seeds = self.seeds if roll.kept else self.seeds[-1:]  # pips that are kept may be of an earlier seed
        self.rolls += [(position, roll.roll, roll.pips)] if roll.roll else []
        if event.get("source", "ledger") != "ledger":
            return "its dice are not the ledger's, to which the game is committed" if seeds else ""
        if not seeds or seeds[-1][0] not in self.opened:
            self.closed += 1
            return ""
        if not roll.is_one:
            return "a roll of ledger dice is not written as one"
        is_given = any(
            roll.is_of(self.opened[sha], label, scheme) for sha, label, scheme in seeds if sha in self.opened
        )
        if not is_given and all(sha in self.opened for sha, *_ in seeds):
            return f"the seed gives other dice for this roll ({roll.purpose}: {roll.pips})"
        self.thrown, self.closed = self.thrown + is_given, self.closed + (not is_given)
        if seeds[-1][2] == 1:
            return ""
        more, total = event.get("modifiers", []), whole(event.get("total"))
        added = wholes([isinstance(one, dict) and one.get("amount") for one in more] if isinstance(more, list) else 0)
        if added is None or total != sum(added, sum(roll.pips or [])) or roll.more not in (0, *added[:1]):
            return "its total is not that of its pips and modifiers"
        if roll.roll not in numbers:
            return f"its number is not one that follows the roll before it: {roll.roll}"
        repeats = self.repeats(roll) if roll.kept else not roll.thrown
        return "" if repeats else "it does not repeat the roll that it keeps"

    def repeats(self, roll: Roll) -> bool:  # `event`: of the roll that is kept, which a rewind has left
        event = self.told.get(roll.kept, {}) if any(to < roll.kept < back for to, back in self.left) else {}
        if event is not None:
            old = Roll(event)
            return old.is_one and (old.pips, old.thrown or old.roll) == (roll.pips, roll.thrown)
        before = next((number for at, number, _ in reversed(self.rolls) if at < roll.kept), 0)
        behind = next((number for at, number, _ in self.rolls if at > roll.kept), 0)
        is_earlier = before + 1 < behind and 0 < (roll.thrown or 0) < behind  # a number is left out there
        return is_earlier and all(pips == roll.pips for _, number, pips in self.rolls if number == roll.thrown)


BEGINNING = b'{"umpire":"replay log"'
HEADER = re.compile(rf'\{{"umpire":"replay log","format":({COUNT}),"game":({NAME})\}}')
ENDING = re.compile(rf'\{{"checkpoint":({TEXT}),"size":({COUNT}),"root":({HASH})\}}')
CONTROLS_PLUS_AND_WHITE_SPACE = re.compile("[\x00-\x20+\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


class Check:  # §6: one log. `vouched`: so many records are known to be right, from a later `prior` or a checkpoint
    def __init__(self, kept: Checkpoint | None) -> None:
        self.kept, self.game, self.ended = kept, "", False
        self.size, self.peaks, self.vouched, self.dice = 0, list[bytes](), 0, Dice()
        self.order, self.commands, self.has_cause = ("", "", ""), set[str](), False
        self.private, self.public = list[int](), list[int]()  # withheld records

    def see(self, line: bytes) -> None:
        if self.ended:
            raise Fault("there is something behind the checkpoint line")
        if len(line) > MOST_LINE:
            raise Fault("the line is beyond a limit: longer than 4 MiB")
        told = text_of(line[:-1])
        if not self.game:
            self.see_header(told)
        elif told.startswith('{"checkpoint":'):
            self.see_ending(told)
        else:
            self.see_record(Record(told))

    def see_header(self, line: str) -> None:
        if not (header := HEADER.fullmatch(line)):
            raise Fault("the first line is not the header of a replay log")
        if header[1] != "1":
            raise Fault(f"the log is of format {header[1]}; this program reads format 1")
        game = JSON.decode(header[2])
        if len(game) > 200 or CONTROLS_PLUS_AND_WHITE_SPACE.search(game):
            raise Fault("a game's id has 1 to 200 characters, no white space, no +, no control character")
        self.game = game
        if self.kept and self.kept.game != game:
            raise Fault("the checkpoint is of another game", self.kept.game, game, (0, 0))
        self.compare_with_kept()

    def see_record(self, record: Record) -> None:
        if record.position != self.size + 1:
            raise Fault("a record is missing, doubled or moved", f"#{self.size + 1}", f"#{record.position}")
        if record.follows is not None and record.follows >= record.position - 1:
            raise Fault("`follows` is not a position before the predecessor's")
        if record.prior is not None or record.command != self.order[0]:
            self.begin_order(record)
        elif self.order != (record.command, record.at, record.seat):
            raise self.disagreeing("the records of one order differ in `at` or `seat`")
        if record.cause_hash is not None and self.has_cause:
            raise self.disagreeing("an order has two causes")
        self.has_cause = self.has_cause or record.cause_hash is not None
        if record.salt is None:
            (self.public if record.seats is None else self.private).append(record.position)
        self.dice.see(record)
        self.add(record.leaf(self.game))
        self.compare_with_kept()

    def add(self, node: bytes) -> None:  # §4. `peaks`: the roots of the complete subtrees, the largest first
        size, self.size = self.size, self.size + 1
        while size % 2:
            node, size = sha256(b"\x01" + self.peaks.pop() + node), size // 2
        self.peaks.append(node)

    def root(self) -> bytes:
        node = self.peaks[-1] if self.peaks else sha256(b"")
        for peak in reversed(self.peaks[:-1]):
            node = sha256(b"\x01" + peak + node)
        return node

    def begin_order(self, record: Record) -> None:  # §4: its first record has the root over all before it
        if record.prior is None:
            raise self.disagreeing("an order's first record has no `prior`")
        if record.command in self.commands:
            raise self.disagreeing("the records of one order do not stand together")
        if not record.has_time():
            raise Fault("`at` is not a time in UTC with microseconds")
        if record.prior != (root := self.root()):
            raise Fault("`prior` does not fit", record.prior.hex(), root.hex(), (self.vouched + 1, record.position))
        self.order, self.has_cause, self.vouched = (record.command, record.at, record.seat), False, self.size
        self.commands.add(record.command)

    def disagreeing(self, why: str) -> Fault:  # the next record and the order before it: either may have been changed
        return Fault(why, between=(self.vouched + 1, self.size + 1))

    def compare_with_kept(self) -> None:  # §5: whether the first records are those of somebody's checkpoint
        if self.kept and self.kept.size == self.size:
            if self.kept.root != (root := self.root()):
                why = f"this is not the history that the checkpoint at #{self.size} was made of"
                raise Fault(why, self.kept.root.hex(), root.hex(), (1, max(self.size, 1)))
            self.vouched = self.size

    def see_ending(self, line: str) -> None:
        ending = ENDING.fullmatch(line)
        said = checkpoint_in(JSON.decode(ending[1])) if ending else None
        if not ending or not said:
            raise Fault("the checkpoint line cannot be read")
        if (said.game, said.size) != (self.game, self.size):
            raise Fault("the checkpoint line does not fit", f"{said.game}, {said.size}", f"{self.game}, {self.size}")
        if said.root != (root := self.root()):
            why = "a record was changed, or the checkpoint line"
            raise Fault(why, said.root.hex(), root.hex(), (self.vouched + 1, self.size))
        if (ending[2], ending[3]) != (str(said.size), f'"{root.hex()}"'):
            raise Fault("the checkpoint line does not say the same twice")
        self.ended, self.vouched = True, self.size

    def missing(self, cut: bool) -> str:  # what is not there of a log in which nothing is wrong
        if not self.ended:
            return "its last line is cut off" if cut else "it has no checkpoint line"
        if self.kept and self.kept.size > self.size:
            return f"the checkpoint was made of {self.kept.size} records"
        return f"withheld, though everybody might see them: {self.public[:20]}" if self.public else ""


def check(file: BinaryIO, kept: Checkpoint | None = None) -> dict[str, Any]:
    """What there is to say of a replay log. A fault lies in the records `from` to `to`; 0 is the header."""
    log, cut = Check(kept), False
    try:
        for line in iter(lambda: file.readline(MOST_LINE + 1), b""):
            cut = not line.endswith(b"\n") and len(line) <= MOST_LINE and not log.ended
            if cut and (log.game or line[: len(BEGINNING)] == BEGINNING[: len(line)]):
                break
            log.see(line)
        if not (missing := log.missing(cut)):
            log.dice.throw_again()
    except Fault as fault:
        first, last = fault.between or ((log.size + 1,) * 2 if log.game else (0, 0))
        said = {"verdict": "INVALID", "game": log.game, "records": min(log.size, max(first - 1, 0))}
        return {**said, "from": first, "to": last, "why": fault, "expected": fault.expected, "found": fault.found}
    verdict = "INCOMPLETE" if missing else "VALID WITH REDACTIONS" if log.private else "VALID"
    said = {"verdict": verdict, "game": log.game, "records": log.size, "root": log.root().hex(), "why": missing}
    said |= {"private withheld": len(log.private), "public withheld": len(log.public)}
    return {**said, "dice thrown again": log.dice.thrown, "dice from seeds that are not open": log.dice.closed}


def main() -> int:
    parser = argparse.ArgumentParser(description="Check hashes and dice. Exit code 0: valid, 5: not, 2: wrong usage.")
    parser.add_argument("log", metavar="LOG.jsonl", help="the replay log; - is standard input")
    parser.add_argument("--checkpoint", metavar="FILE", type=Path, help="a checkpoint to hold it against")
    asked = parser.parse_args()
    try:
        kept = asked.checkpoint and checkpoint_in(re.sub("(?s)\n\n— .*", "\n", asked.checkpoint.read_bytes().decode()))
        if asked.checkpoint and kept is None:
            parser.error(f"{asked.checkpoint} is no checkpoint: umpire/GAME, size and base64 root, a line each")
        with sys.stdin.buffer if asked.log == "-" else open(asked.log, "rb") as log:
            said = check(log, kept)
    except (OSError, UnicodeDecodeError) as why:
        parser.error(str(why))
    for name, value in said.items():
        if value not in ("", 0) or name in ("records", "from", "to"):
            told = ascii(str(value))[1:-1]  # a forged log may hold what a terminal obeys
            print(told if name == "verdict" else f"  {name}: {told}")
    return 0 if said["verdict"].startswith("VALID") else 5


if __name__ == "__main__":
    sys.exit(main())
