#!/usr/bin/env python3
"""Check a replay log of Umpire with nothing of Umpire: this file, and Python 3.9 or newer.

    python umpire-verify.py LOG.jsonl [--checkpoint athens.checkpoint]

It prints VALID, VALID WITH REDACTIONS, INCOMPLETE or INVALID, and why. Exit code 0: valid, 5: not, 2: wrong usage.
The page `ledger/FORMAT.md` says what is checked here; the numbers behind § are its sections. Whoever holds a log can
compute every hash of another history again. Only a checkpoint that somebody kept shows that.
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
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

MOST_LINE = 4 * 1024 * 1024  # §1, limits: bytes, the line feed among them
MOST_LEVELS = 100  # arrays and objects in one another, the record itself counted
MOST_DIGITS = 4000  # in a row


class Fault(Exception):  # `between`: the records it lies in; None: in the one that is being read
    def __init__(self, why: str, expected: object = "", found: object = "", between: tuple[int, int] | None = None):
        super().__init__(why)
        self.expected, self.found, self.between = str(expected), str(found), between


class Checkpoint(NamedTuple):  # §5: the root over the first `size` records of a game
    game: str
    size: int
    root: bytes

    def text(self) -> str:
        return f"umpire/{self.game}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


# §1: a record is a line.
NO_RECORD = "the line is not a record as a ledger writes it"
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


def text_of(line: bytes) -> str:
    """A line as text, within the limits: levels and digits are counted before the JSON is read."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault("the line is not UTF-8") from None
    if len(text) > MOST_DIGITS or text.count("{") + text.count("[") > MOST_LEVELS:
        bare, level = STRING.sub("", text), 0
        if re.search(f"[0-9]{{{MOST_DIGITS + 1}}}", bare):
            raise Fault(f"the line is beyond a limit: a number has more than {MOST_DIGITS} digits")
        for sign in re.findall(r"[\[\]{}]", bare):
            level += 1 if sign in "[{" else -1
            if level > MOST_LEVELS:
                raise Fault(f"the line is beyond a limit: nested deeper than {MOST_LEVELS} levels")
    return text


def object_at(text: str, key: str) -> str:
    """The object of a field, from { to } as it stands, if the text begins with that field; else nothing."""
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


class Record:  # what one line says. `salt` is None where the record is redacted (§3)
    def __init__(self, line: str) -> None:
        envelope = ENVELOPE.match(line)
        if not envelope:
            raise Fault(NO_RECORD)
        said = {name: JSON.decode(value) for name, value in envelope.groupdict().items() if value}
        self.position, self.at, self.seat, self.command = (said[name] for name in ("position", "at", "seat", "command"))
        self.follows, self.visible_to = said.get("follows"), said.get("visible_to")
        self.prior, self.salt, self.inner, self.cause_hash = (
            bytes.fromhex(said[name]) if name in said else None for name in ("prior", "salt", "inner", "cause_hash")
        )
        self.event = b""
        if self.salt is not None:
            self.read_content(line[envelope.end() :], self.salt)

    def read_content(self, rest: str, salt: bytes) -> None:
        """§2: without a salt both hashes are in the line."""
        cause = object_at(rest, '"cause":')
        before = f'"cause":{cause},' if cause else ""
        event = object_at(rest[len(before) :], '"event":')
        if not event or rest != f'{before}"event":{event}}}':
            raise Fault(NO_RECORD)
        self.event = event.encode()
        self.inner = sha256(salt + self.event)
        self.cause_hash = sha256(salt + b"\x01" + cause.encode()) if cause else None


def is_time(at: str) -> bool:
    try:  # a month 13 is an error
        found = re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z", at)
        return bool(found and datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ"))
    except ValueError:
        return False


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def text(string: str) -> bytes:  # with its length before it
    return len(string.encode()).to_bytes(4, "big") + string.encode()


def optional(data: bytes | None) -> bytes:
    return b"\x00" if data is None else b"\x01" + data


def leaf(game: str, record: Record) -> bytes:  # §2
    follows, seats = record.follows, record.visible_to
    header = text(game) + record.position.to_bytes(8, "big")
    header += text(record.at) + text(record.seat) + text(record.command)
    header += optional(None if follows is None else follows.to_bytes(8, "big"))
    header += optional(None if seats is None else len(seats).to_bytes(4, "big") + b"".join(map(text, seats)))
    header += optional(record.prior) + optional(record.cause_hash)
    return sha256(b"\x00\x01" + header + (record.inner or b""))


def add_leaf(peaks: list[bytes], size: int, node: bytes) -> None:
    """§4. `peaks`: the roots of the complete subtrees over `size` leaves, the largest first."""
    while size % 2:
        node, size = sha256(b"\x01" + peaks.pop() + node), size // 2
    peaks.append(node)


def root_of(peaks: list[bytes]) -> bytes:
    node = peaks[-1] if peaks else sha256(b"")
    for peak in reversed(peaks[:-1]):
        node = sha256(b"\x01" + peak + node)
    return node


def checkpoint_in(text: str) -> Checkpoint | None:
    found = re.fullmatch(r"umpire/([^\n]*)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n", text)
    said = Checkpoint(found[1], int(found[2]), base64.b64decode(found[3])) if found else None
    return said if said and said.text() == text else None


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
        self.kept, self.thrown = whole(event.get("kept", 0)), whole(event.get("thrown", 0))
        found = re.fullmatch("([0-9]{0,3})d([0-9]{1,3})([+-][0-9]{1,4})?", str(event.get("dice")).replace(" ", ""))
        number, faces, more = found.groups() if found else ("0", "0", None)
        self.number, self.faces, self.more = int(number or 1), int(faces), int(more or 0)
        self.is_one = 1 <= self.number <= 100 and 2 <= self.faces <= 256 and isinstance(self.purpose, str)
        self.is_one &= None not in (self.roll, self.thrown, self.pips) and event.get("type") == "dice.rolled"

    def is_of(self, seed: bytes, label: str, scheme: int | None) -> bool:
        pips, block = list[int](), 0  # bytes that would favour a face are thrown away
        told = f"{label}\0{self.thrown or self.roll}\0" + (f"{self.purpose}\0" if scheme == 1 else "")
        while len(pips) < self.number:
            drawn = hmac.new(seed, f"{told}{block}".encode(), hashlib.sha256).digest()
            pips, block = pips + [byte % self.faces + 1 for byte in drawn if byte < 256 - 256 % self.faces], block + 1
        return scheme in (1, 2) and self.pips == pips[: self.number]


class Dice:  # §9: what is told of dice, by position; {} where a record is withheld. `opened`: seeds by their SHA-256
    def __init__(self) -> None:
        self.told, self.opened = dict[int, dict[str, Any]](), dict[str, bytes]()

    def see(self, record: Record) -> None:
        if record.salt is None or b'"dice.' in record.event or b"\\u" in record.event:
            event = self.told[record.position] = json.loads(record.event or b"{}")
            self.opened.update(seed_in(event))

    def throw_again(self) -> int:
        """How many rolls were thrown again. Raises Fault for the first that its seed does not give."""
        seeds, thrown, last, withheld = list[tuple[str, bytes | None, str, int | None]](), 0, 0, 0
        for position, event in self.told.items():
            kind, why, sha = event.get("type"), "", event.get("commitment")
            if kind == "dice.committed" and isinstance(sha, str) and isinstance(event.get("label"), str):
                seeds.append((sha, self.opened.get(sha), event["label"], whole(event.get("scheme", 1))))
            elif kind == "dice.opened" and not seed_in(event).keys() & {seed[0] for seed in seeds}:
                why = "no commitment before it is to the seed that is opened here"
            elif kind == "dice.rolled" and event.get("source", "ledger") == "ledger" and seeds and seeds[-1][1]:
                thrown, why = thrown + 1, self.wrong(position, event, seeds, range(last + 1, last + 2 + withheld))
            if why:
                raise Fault(why, between=(position, position))
            withheld = 0 if kind == "dice.rolled" else withheld + (not event)
            last = whole(event.get("roll")) or last if kind == "dice.rolled" else last
        return thrown

    def wrong(self, position: int, event: dict[str, Any], seeds: list[Any], numbers: range) -> str:
        """What does not fit a roll of an open seed. `numbers`: those that may follow the roll before it."""
        roll, more = Roll(event), event.get("modifiers", [])
        if not roll.is_one:
            return "a roll of ledger dice is not written as one"
        # Pips that were kept after a rewind may be of an earlier seed, or of one that is not open.
        if not any(seed is None or roll.is_of(seed, *how) for _, seed, *how in (seeds if roll.kept else seeds[-1:])):
            return f"the seed gives other dice for this roll ({roll.purpose}: {roll.pips})"
        if seeds[-1][3] == 1:
            return ""
        added = wholes([isinstance(one, dict) and one.get("amount") for one in more] if isinstance(more, list) else 0)
        is_added = added is not None and whole(event.get("total")) == sum(added, sum(roll.pips or []))
        if not is_added or (roll.more and (added or [0])[0] != roll.more):
            return "its total is not that of its pips and modifiers"
        if roll.roll not in numbers:
            return f"its number is not one that follows the roll before it: {roll.roll}"
        old = self.told.get(roll.kept or 0, {"": ""}) if roll.kept and roll.kept < position else {"": ""}
        was, same = Roll(old), (roll.pips, roll.thrown)
        repeats = not old or (was.is_one and (was.pips, was.thrown or was.roll) == same)
        return "" if (repeats if roll.kept else not roll.thrown) else "it does not repeat the roll that it keeps"


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
        header = HEADER.fullmatch(line)
        if not header:
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
            (self.public if record.visible_to is None else self.private).append(record.position)
        self.dice.see(record)
        add_leaf(self.peaks, self.size, leaf(self.game, record))
        self.size += 1
        self.compare_with_kept()

    def begin_order(self, record: Record) -> None:  # §4: its first record has the root over all before it
        if record.prior is None:
            raise self.disagreeing("an order's first record has no `prior`")
        if record.command in self.commands:
            raise self.disagreeing("the records of one order do not stand together")
        if not is_time(record.at):
            raise Fault("`at` is not a time in UTC with microseconds")
        if record.prior != (root := root_of(self.peaks)):
            raise Fault("`prior` does not fit", record.prior.hex(), root.hex(), (self.vouched + 1, record.position))
        self.order, self.has_cause, self.vouched = (record.command, record.at, record.seat), False, self.size
        self.commands.add(record.command)

    def disagreeing(self, why: str) -> Fault:
        """The next record does not agree with the order before it: either may have been changed."""
        return Fault(why, between=(self.vouched + 1, self.size + 1))

    def compare_with_kept(self) -> None:
        """§5: the root over the first records must be that of the checkpoint that somebody kept."""
        if self.kept and self.kept.size == self.size:
            if self.kept.root != (root := root_of(self.peaks)):
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
        if said.root != (root := root_of(self.peaks)):
            between = self.vouched + 1, self.size
            raise Fault("a record was changed, or the checkpoint line", said.root.hex(), root.hex(), between)
        if (ending[2], ending[3]) != (str(said.size), f'"{root.hex()}"'):
            raise Fault("the checkpoint line does not say the same twice")
        self.ended, self.vouched = True, self.size

    def missing(self, cut: bool) -> str:
        """What is not there of a log in which nothing is wrong."""
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
        dice = 0 if (missing := log.missing(cut)) else log.dice.throw_again()
    except Fault as fault:
        here = log.size + 1 if log.game else 0
        first, last = fault.between or (here, here)
        said = {"verdict": "INVALID", "game": log.game, "records": min(log.size, max(first - 1, 0))}
        return {**said, "from": first, "to": last, "why": fault, "expected": fault.expected, "found": fault.found}
    verdict = "INCOMPLETE" if missing else "VALID WITH REDACTIONS" if log.private else "VALID"
    said = {"verdict": verdict, "game": log.game, "records": log.size, "root": root_of(log.peaks).hex(), "why": missing}
    return {**said, "private withheld": len(log.private), "public withheld": len(log.public), "dice thrown again": dice}


def main() -> int:
    parser = argparse.ArgumentParser(description="Check a replay log. Exit code 0: valid, 5: not, 2: wrong usage.")
    parser.add_argument("log", metavar="LOG.jsonl", help="the replay log; - is standard input")
    parser.add_argument("--checkpoint", metavar="FILE", help="a three-line checkpoint to hold it against")
    asked = parser.parse_args()
    try:
        kept = checkpoint_in(Path(asked.checkpoint).read_bytes().decode()) if asked.checkpoint else None
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
