#!/usr/bin/env python3
"""Check a replay log of Umpire with nothing of Umpire: this file, and Python 3.9 or newer.

    python umpire-verify.py LOG.jsonl [--checkpoint athens.checkpoint]

It prints VALID, VALID WITH REDACTIONS, INCOMPLETE or INVALID, and why. Exit code 0: valid, 5: not, 2: wrong usage.
The page `ledger/FORMAT.md` says what is checked here; the numbers behind § are its sections.

Whoever holds a log can compute every hash of another history again. Only a checkpoint that somebody kept shows that.
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


class Fault(Exception):
    """Something is not as it was written. `between`: the records it lies in; None: in the one that is being read."""

    def __init__(self, why: str, expected: object = "", found: object = "", between: tuple[int, int] | None = None):
        super().__init__(why)
        self.expected, self.found, self.between = str(expected), str(found), between


class Checkpoint(NamedTuple):
    """§5: the root over the first `size` records of a game."""

    game: str
    size: int
    root: bytes

    def text(self) -> str:
        return f"umpire/{self.game}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


# --- §1: a record is a line ------------------------------------------------------------------------------------------

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


class Record:
    """What one line says. `salt` is None where the record is redacted (§3)."""

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
    try:
        datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ")
        return bool(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z", at))
    except ValueError:  # a month 13
        return False


# --- §2: header and leaf ---------------------------------------------------------------------------------------------


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def text(string: str) -> bytes:
    return len(string.encode()).to_bytes(4, "big") + string.encode()


def optional(data: bytes | None) -> bytes:
    return b"\x00" if data is None else b"\x01" + data


def leaf(game: str, record: Record) -> bytes:
    follows, seats = record.follows, record.visible_to
    header = text(game) + record.position.to_bytes(8, "big")
    header += text(record.at) + text(record.seat) + text(record.command)
    header += optional(None if follows is None else follows.to_bytes(8, "big"))
    header += optional(None if seats is None else len(seats).to_bytes(4, "big") + b"".join(map(text, seats)))
    header += optional(record.prior) + optional(record.cause_hash)
    return sha256(b"\x00\x01" + header + (record.inner or b""))


# --- §4 and §5: the tree of RFC 6962, and the checkpoint --------------------------------------------------------------


def add_leaf(peaks: list[bytes], size: int, node: bytes) -> None:
    """`peaks`: the roots of the complete subtrees over `size` leaves, the largest first; two of one size become one."""
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


# --- §9: the dice ----------------------------------------------------------------------------------------------------


def whole(value: Any) -> int | None:
    """A whole number of at most 53 bits; 6.0 is one, true is none."""
    return int(value) if type(value) in (int, float) and abs(value) < 2**53 and value == int(value) else None


def pips_of(seed: bytes, message: str, number: int, faces: int) -> list[int]:
    pips, block = list[int](), 0  # bytes that would favour a face are thrown away
    while len(pips) < number:
        drawn = hmac.new(seed, f"{message}{block}".encode(), hashlib.sha256).digest()
        pips, block = pips + [byte % faces + 1 for byte in drawn if byte < 256 - 256 % faces], block + 1
    return pips[:number]


class Dice:  # the rolls of a log, and the seeds that it commits to and opens
    def __init__(self) -> None:
        self.opened, self.committed = dict[str, bytes](), list[tuple[str, str, Any]]()
        self.rolls = list[tuple[int, dict[str, Any], int]]()  # position, event, how many were committed before it

    def see(self, record: Record) -> None:
        if b'"dice.' not in record.event and b"\\u" not in record.event:
            return
        event = json.loads(record.event)
        kind, seed = event.get("type"), event.get("seed")
        if kind == "dice.opened" and isinstance(seed, str) and re.fullmatch("(?:[0-9a-fA-F]{2})+", seed):
            self.opened[sha256(bytes.fromhex(seed)).hex()] = bytes.fromhex(seed)
        elif kind == "dice.committed" and all(isinstance(event.get(name), str) for name in ("commitment", "label")):
            self.committed.append((event["commitment"], event["label"], whole(event.get("scheme", 1))))
        elif kind == "dice.rolled" and event.get("source", "ledger") == "ledger":
            self.rolls.append((record.position, event, len(self.committed)))

    def throw_again(self) -> int:
        """How many rolls were thrown again. Raises Fault for the first that its seed does not give."""
        thrown = 0
        for position, roll, number in self.rolls:
            seeds = [(self.opened.get(sha), label, scheme) for sha, label, scheme in self.committed[:number]]
            if not seeds or seeds[-1][0] is None:
                continue
            # Pips that were kept after a rewind may be of an earlier seed, or of one that is not open.
            may_be = seeds if whole(roll.get("kept", 0)) else seeds[-1:]
            if not any(seed is None or gives(seed, label, scheme, roll) for seed, label, scheme in may_be):
                why = f"the seed gives other dice for this roll ({roll.get('purpose')}: {roll.get('pips')})"
                raise Fault(why, between=(position, position))
            thrown += 1
        return thrown


def gives(seed: bytes, label: str, scheme: Any, event: dict[str, Any]) -> bool:
    """Whether a seed gives a roll. It gives none that lacks a field, or has one of another type."""
    roll, thrown = whole(event.get("roll")), whole(event.get("thrown", 0))
    purpose, dice, pips = event.get("purpose"), event.get("dice"), event.get("pips")
    found = re.fullmatch(r"([0-9]{0,3})d([0-9]{1,3})(?:[+-][0-9]{1,4})?", str(dice).replace(" ", ""))
    number, faces = (int(found[1] or 1), int(found[2])) if found else (0, 0)
    is_whole = None not in (roll, thrown) and isinstance(purpose, str) and isinstance(dice, str)
    drawn = {1: f"{label}\0{thrown or roll}\0{purpose}\0", 2: f"{label}\0{thrown or roll}\0"}.get(scheme)
    if not is_whole or not isinstance(pips, list) or not drawn or not 1 <= number <= 100 or not 2 <= faces <= 256:
        return False
    return [whole(pip) for pip in pips] == pips_of(seed, drawn, number, faces)


# --- §6: the replay log ----------------------------------------------------------------------------------------------

BEGINNING = b'{"umpire":"replay log"'
HEADER = re.compile(rf'\{{"umpire":"replay log","format":({COUNT}),"game":({NAME})\}}')
ENDING = re.compile(rf'\{{"checkpoint":({TEXT}),"size":({COUNT}),"root":({HASH})\}}')
CONTROLS_PLUS_AND_WHITE_SPACE = re.compile("[\x00-\x20+\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")


class Check:
    """One log, line by line. `vouched`: so many records are known to be right, from a later `prior` or a checkpoint."""

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

    def begin_order(self, record: Record) -> None:
        """§4: the first record of an order has the root over all before it."""
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
            why = "a record was changed, or the checkpoint line"
            raise Fault(why, said.root.hex(), root.hex(), (self.vouched + 1, self.size))
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
