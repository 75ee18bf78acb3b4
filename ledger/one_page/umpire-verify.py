#!/usr/bin/env python3
"""Check a replay log of Umpire with this file and Python 3.9 or newer: umpire-verify.py LOG.jsonl [--checkpoint FILE]
A forger can compute all hashes again; only a checkpoint that you kept reveals that. § are sections of FORMAT.md."""

from __future__ import annotations

import argparse
import base64
import hashlib
import hmac
import json
import re
import sys
from collections import namedtuple
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from typing import Any, BinaryIO

MOST_LINE, MOST_LEVELS = 4 * 1024 * 1024, 100  # §1, limits: bytes with the line feed; nesting


class Fault(Exception):  # `between`: first and last possible record; None: the one being read
    def __init__(self, why: str, expected: object = "", found: object = "", between: tuple[int, int] | None = None):
        super().__init__(why)
        self.expected, self.found, self.between = str(expected), str(found), between


def need(fits: object, why: str, *more: Any) -> None:
    if not fits:
        raise Fault(why, *more)


Checkpoint = namedtuple("Checkpoint", "game size root")  # §5: the root, bytes, over the first `size` records of a game
NO_RECORD = "the line is not a record in the form that Umpire writes"  # §1
TEXT = r'"(?:[^"\\\x00-\x1f]|\\(?:["\\bfnrt]|u00(?:0[0-7be-f]|1[0-9a-f])))*"'  # a string has only this form
NAME, COUNT, HASH = r'(?!"")' + TEXT, r"(?:0|[1-9][0-9]*)", r'"[0-9a-f]{64}"'
ENVELOPE = re.compile(
    rf'\{{"position":(?P<position>{COUNT}),"at":(?P<at>{TEXT}),"seat":(?P<seat>{NAME}),"command":(?P<command>{NAME})'
    rf'(?:,"prior":(?P<prior>{HASH}))?(?:,"follows":(?P<follows>{COUNT}))?'
    rf'(?:,"visible_to":(?P<visible_to>\[(?:{NAME}(?:,{NAME})*)?\]))?'
    rf',(?:"salt":(?P<salt>"[0-9a-f]{{32}}"),|"inner":(?P<inner>{HASH})(?:,"cause_hash":(?P<cause_hash>{HASH}))?\}}\Z)'
)
STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)  # an unclosed string extends to the end, for linear time
PAIR = re.compile(r"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
HALF_A_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
BEGINNING = b'{"umpire":"replay log"'
HEADER = re.compile(rf'\{{"umpire":"replay log","format":({COUNT}),"game":({NAME})\}}')
ENDING = re.compile(rf'\{{"checkpoint":({TEXT}),"size":({COUNT}),"root":({HASH})\}}')
CONTROLS_PLUS_AND_WHITE_SPACE = re.compile("[\x00-\x20+\x7f-\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
TWICE = "an object has a key twice"  # readers differ in the value that they use
# int refuses NaN and Infinity, which Python would accept
JSON = json.JSONDecoder(parse_constant=int, object_pairs_hook=lambda all: need(len(dict(all)) == len(all), TWICE))


def text_of(line: bytes) -> str:  # counts levels and digits before the JSON is parsed
    text = line.decode(errors="surrogateescape")
    need(not re.search("[\ud800-\udfff]", text), "the line is not UTF-8")
    bare = STRING.sub("", text)
    need(not re.search("[0-9]{4001}", bare), "the line exceeds a limit: a number has more than 4000 digits")
    level = max(accumulate(1 if sign in "[{" else -1 for sign in re.findall(r"[\[\]{}]", bare)), default=0)
    need(level <= MOST_LEVELS, f"the line exceeds a limit: nested deeper than {MOST_LEVELS} levels")
    return text


def object_at(text: str, key: str) -> str:  # the unchanged object of that first field, or ""
    try:
        end = JSON.raw_decode(text, len(key))[1] if text.startswith(key + "{") else 0
    except (ValueError, RecursionError):
        raise Fault(f"{key} is not followed by JSON") from None
    found = text[len(key) : end]
    is_whole = "\r" not in found and not HALF_A_PAIR.search(PAIR.sub(" ", found))
    need(is_whole, f"{key} has a carriage return, or an escape for half of a surrogate pair")
    return found


class Record:  # one line. `salt`: None if the record is redacted (§3); `seats`: `visible_to`
    def __init__(self, line: str) -> None:
        envelope: Any = ENVELOPE.match(line)
        need(envelope, NO_RECORD)
        said = {name: JSON.decode(value) for name, value in envelope.groupdict().items() if value}
        self.position, self.at, self.seat, self.command = (said[name] for name in ("position", "at", "seat", "command"))
        self.follows, self.seats, self.event = said.get("follows"), said.get("visible_to"), b""
        self.prior, self.salt, self.inner, self.cause_hash = (
            bytes.fromhex(said[name]) if name in said else None for name in ("prior", "salt", "inner", "cause_hash")
        )
        if self.salt is None:  # §2: the line has both hashes instead
            return
        salt, rest = self.salt, line[envelope.end() :]
        cause = object_at(rest, '"cause":')
        before = f'"cause":{cause},' if cause else ""
        event = object_at(rest[len(before) :], '"event":')
        need(event and rest == f'{before}"event":{event}}}', NO_RECORD)
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


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def text(string: str) -> bytes:  # its length, then its bytes
    return len(string.encode()).to_bytes(4, "big") + string.encode()


def checkpoint_in(text: str) -> Checkpoint | None:
    found = re.fullmatch(r"umpire/([^\n]*)\n(0|[1-9][0-9]{0,18})\n([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)\n", text)
    return Checkpoint(found[1], int(found[2]), base64.b64decode(found[3])) if found else None


def whole(value: Any) -> int | None:  # at most 53 bits; 6.0 is a whole number, true is not
    return int(value) if type(value) in (int, float) and abs(value) < 2**53 and value == int(value) else None


def wholes(values: Any) -> list[int] | None:
    found = [number for value in values if (number := whole(value)) is not None] if isinstance(values, list) else []
    return found if isinstance(values, list) and len(found) == len(values) else None


def seed_in(event: dict[str, Any]) -> dict[str, bytes]:  # the seed that an event reveals, by its SHA-256
    seed = str(event.get("seed")) if event.get("type") == "dice.opened" else ""
    is_one = re.fullmatch("(?:[0-9a-fA-F]{2})+", seed) and isinstance(event["seed"], str)
    return {sha256(bytes.fromhex(seed)).hex(): bytes.fromhex(seed)} if is_one else {}


class Roll:  # NdF+M (`more`). `is_one`: the event is well formed; no seed results in any other
    def __init__(self, event: dict[str, Any]) -> None:
        self.purpose, self.roll, self.pips = event.get("purpose"), whole(event.get("roll")), wholes(event.get("pips"))
        self.kept, self.thrown = whole(event.get("kept", 0)) or 0, whole(event.get("thrown", 0))
        found = re.fullmatch("([0-9]{0,3})d([0-9]{1,3})([+-][0-9]{1,4})?", str(event.get("dice")).replace(" ", ""))
        number, faces, more = found.groups() if found else ("0", "0", None)
        self.number, self.faces, self.more = int(number or 1), int(faces), int(more or 0)
        self.is_one = 1 <= self.number <= 100 and 2 <= self.faces <= 256 and isinstance(self.purpose, str)
        self.is_one &= None not in (self.roll, self.thrown, self.pips) and event.get("type") == "dice.rolled"

    def is_of(self, seed: bytes, label: str, scheme: int, shown: dict[str, str]) -> bool:
        pips, block = list[int](), 0  # bytes that would favor a face are discarded
        key = seed if scheme < 3 else sha256(seed + bytes.fromhex("".join(sorted(shown.values()))))
        told = f"{label}\0{self.thrown or self.roll}\0" + (f"{self.purpose}\0" if scheme == 1 else "")
        while len(pips) < self.number:
            drawn = hmac.new(key, f"{told}{block}".encode(), hashlib.sha256).digest()
            pips, block = pips + [byte % self.faces + 1 for byte in drawn if byte < 256 - 256 % self.faces], block + 1
        return 1 <= scheme <= 4 and self.pips == pips[: self.number]


class Dice:  # §9. `told`: by position, events about dice with (seat, command, whether they are withheld) as ""
    def __init__(self) -> None:
        self.told, self.opened = dict[int, Any](), dict[str, bytes]()  # revealed seeds by their SHA-256
        self.seeds, self.open_now = list[Any](), set[str]()  # each: SHA-256, label, scheme, shares, first roll
        self.given, self.since = dict[str, str](), set[str]()  # pledge or newest share; sides done, and `asker`'s
        self.asked, self.asker, self.thrower, self.sides = 0, "", "", dict[str, str]()  # roll, seat, order, seat's side
        self.rolls, self.left = list[tuple[int, int, Any]](), list[tuple[int, int]]()  # rewinds that reuse dice: to, at
        self.withheld, self.hides, self.thrown, self.closed = list[str](), False, 0, 0  # since a roll, `asker`; counts

    def see(self, record: Record) -> None:
        if record.salt is None and record.seats != []:
            self.told[record.position] = {"": (record.seat, record.command, True)}
        elif re.search(rb'"(?:dice\.|play\.rewound"|game\.copied"|seat\.taken")|\\u', record.event):
            self.told[record.position] = event = {**json.loads(record.event), "": (record.seat, record.command, False)}
            self.opened.update(seed_in(event))

    def throw_again(self) -> None:  # raises Fault for the first inconsistent record
        for position, event in self.told.items():
            kind, (seat, command, is_hidden), why = event.get("type"), event[""], ""
            self.withheld, self.hides = [*self.withheld, *[command] * is_hidden], self.hides or is_hidden
            if kind == "dice.committed" and type(event.get("commitment")) is type(event.get("label")) is str:
                seed = (event["commitment"], event["label"], whole(event.get("scheme", 1)) or 0)
                why = "it commits to new dice before the earlier seed is revealed" * (not self.is_due(position, seed))
            elif kind == "dice.opened":
                self.open_now |= (opened := seed_in(event).keys() & {sha for sha, *_ in self.seeds})
                why = "" if opened else "no earlier record commits to the seed that it reveals"
            elif kind == "play.rewound":
                to, self.asker = whole(event.get("to") if event.get("dice") in ("keep", "keep-unless-new") else ""), ""
                self.left += [] if to is None else [(to, position)]
            elif kind == "seat.taken" and type(event.get("seat")) is type(event.get("side")) is str:
                self.sides[event["seat"]] = event["side"]
            elif kind in ("dice.pledged", "dice.shared"):
                fits = self.takes(event.get("side"), event.get(kind[5:-1]), kind)
                why = "" if fits else "a pledge or dice share does not match the earlier ones"
            elif kind == "dice.asked":
                waits = self.asker and len(self.since) > 1 and not self.hides and self.seeds[-1][2] == 4
                self.asked, self.asker, self.hides = whole(event.get("roll")) or 0, seat, False
                self.since = {seat if seat in self.given else self.sides.get(seat, seat)}
                why = "an order already waits for dice, and shares for it are revealed" if waits else ""
                why = why if self.follows(self.asked) else f"roll number {self.asked} is out of sequence"
            elif kind == "dice.rolled":
                why = self.wrong_roll(position, Roll(event), event)
            need(not why, why, "", "", (position, position))

    def is_due(self, position: int, seed: tuple[str, str, int]) -> bool:
        if self.seeds and self.seeds[-1][:3] == seed:  # repeated after a rewind
            return True
        before, self.seeds, self.given = self.seeds, [*self.seeds, (*seed, {}, 0)], {}
        self.asked, self.asker, self.thrower = 0, "", ""
        if before and all(seed[1] != label for _, label, *_ in before):  # a copy; scheme 1 did not record that
            return seed[2] == 1 or (self.told.get(position - 1) or {}).get("type") == "game.copied"
        return not before or before[-1][0] in self.open_now

    def takes(self, side: Any, given: Any, kind: str) -> bool:  # whether a pledge or share is valid; record it
        *seed, shown, _ = self.seeds[-1] if self.seeds else (0, {}, 0)
        if not (type(side) is type(given) is str and seed[-1] > 2 and re.fullmatch("[0-9a-f]{64}", given)):
            return False
        before, self.given[side] = self.given.get(side), given
        if kind == "dice.pledged":
            return not (before or shown)
        is_due = seed[-1] == 3 or (self.asker and side not in self.since)
        self.seeds, self.since = [*self.seeds, (*seed, {**shown, side: given}, self.asked)], {*self.since, side}
        return bool(is_due) and sha256(bytes.fromhex(given)).hex() == before

    def is_allowed(self, number: int, hidden: int, seat: str, command: str) -> bool:  # whether a roll has its shares
        scheme, shown = self.seeds[-1][2:4]
        if scheme != 4 or command == self.thrower:
            return scheme != 3 or 0 < len(self.given) == len(shown)
        asker, self.asker, self.thrower = self.asker, "", command
        is_next = self.asked <= number <= self.asked + hidden  # withheld records of this order may be rolls
        return seat == asker and is_next and len(self.since) > 1 and self.given.keys() <= self.since

    def follows(self, number: int) -> bool:  # whether the next roll may have that number
        return 0 < number - (self.rolls[-1][1] if self.rolls else 0) <= 1 + len(self.withheld)

    def wrong_roll(self, position: int, roll: Roll, event: dict[str, Any]) -> str:
        hidden, follows, self.withheld = self.withheld.count(event[""][1]), self.follows(roll.roll or 0), []
        first = roll.thrown or roll.roll or 0  # reused results may be from an earlier seed
        seeds = {one[0]: one for one in self.seeds if one[4] <= first}.values() if roll.kept else self.seeds[-1:]
        self.rolls += [(position, roll.roll, roll.pips)] if roll.roll else []
        if event.get("source", "ledger") != "ledger":
            return "its dice are not ledger dice, to which the game is committed" if self.seeds else ""
        if self.seeds and not roll.kept and not self.is_allowed(roll.roll or 0, hidden, *event[""][:2]):
            return "it is rolled before the sides reveal their shares for it"
        if not self.seeds or self.seeds[-1][0] not in self.opened:
            self.closed += 1
            return ""
        if not roll.is_one:
            return "a roll of ledger dice is malformed"
        is_given = any(roll.is_of(self.opened[sha], *how) for sha, *how, _ in seeds if sha in self.opened)
        if not is_given and all(one[0] in self.opened for one in self.seeds if roll.kept):
            return f"the seed produces different results for this roll ({roll.purpose}: {roll.pips})"
        self.thrown, self.closed = self.thrown + is_given, self.closed + (not is_given)
        if self.seeds[-1][2] == 1:
            return ""
        more, total = event.get("modifiers", []), whole(event.get("total"))
        added = wholes([isinstance(one, dict) and one.get("amount") for one in more] if isinstance(more, list) else 0)
        if added is None or total != sum(added, sum(roll.pips or [])) or roll.more not in (0, *added[:1]):
            return "its total is not the sum of its results and modifiers"
        if not follows:
            return f"its roll number does not follow the previous roll: {roll.roll}"
        repeats = self.repeats(roll) if roll.kept else not roll.thrown
        return "" if repeats else "it does not repeat the roll that it reuses"

    def repeats(self, roll: Roll) -> bool:  # `event`: the reused roll, on an abandoned branch
        event = self.told.get(roll.kept) if any(to < roll.kept < back for to, back in self.left) else None
        if not event or not event[""][2]:
            return (old := Roll(event or {})).is_one and (old.pips, old.thrown or old.roll) == (roll.pips, roll.thrown)
        before = next((number for at, number, _ in reversed(self.rolls) if at < roll.kept), 0)
        behind = next((number for at, number, _ in self.rolls if at > roll.kept), 0)
        is_earlier = before + 1 < behind and 0 < (roll.thrown or 0) < behind  # a number is missing there
        return is_earlier and all(pips == roll.pips for _, number, pips in self.rolls if number == roll.thrown)


class Check:  # §6: one log. `vouched`: number of records verified by a later `prior` or a checkpoint
    def __init__(self, kept: Checkpoint | None) -> None:
        self.kept, self.game, self.ended = kept, "", False
        self.size, self.peaks, self.vouched, self.dice = 0, list[bytes](), 0, Dice()
        self.order, self.commands, self.has_cause = ("", "", ""), set[str](), False
        self.private, self.public = list[int](), list[int]()  # withheld records

    def see(self, line: bytes) -> None:
        need(not self.ended, "data follows the checkpoint line")
        need(len(line) <= MOST_LINE, "the line exceeds a limit: longer than 4 MiB")
        told = text_of(line[:-1])
        is_last = told.startswith('{"checkpoint":')
        (self.see_header if not self.game else self.see_ending if is_last else self.see_record)(told)
        self.compare_with_kept()

    def see_header(self, line: str) -> None:
        header: Any = HEADER.fullmatch(line)
        need(header, "the first line is not the header of a replay log")
        need(header[1] == "1", f"the log is of format {header[1]}; this program reads format 1")
        game = JSON.decode(header[2])
        is_id = len(game) <= 200 and not CONTROLS_PLUS_AND_WHITE_SPACE.search(game)
        need(is_id, "a game's id has 1 to 200 characters, no white space, no +, no control character")
        self.game = game
        if self.kept and self.kept.game != game:
            raise Fault("the checkpoint belongs to another game", self.kept.game, game, (0, 0))

    def see_record(self, line: str) -> None:
        record, due = Record(line), self.size + 1
        need(record.position == due, "a record is missing, duplicated or moved", f"#{due}", f"#{record.position}")
        need(record.follows is None or record.follows < due - 1, "`follows` is not a position before the predecessor's")
        if record.prior is not None or record.command != self.order[0]:
            self.begin_order(record)
        near, is_same = (self.vouched + 1, due), self.order == (record.command, record.at, record.seat)
        need(is_same, "the records of one order differ in `at` or `seat`", "", "", near)
        need(record.cause_hash is None or not self.has_cause, "an order has two causes", "", "", near)
        self.has_cause = self.has_cause or record.cause_hash is not None
        if record.salt is None:
            (self.public if record.seats is None else self.private).append(record.position)
        self.dice.see(record)
        self.add(record.leaf(self.game))

    def add(self, node: bytes) -> None:  # §4. `peaks`: roots of complete subtrees, largest first
        size, self.size = self.size, self.size + 1
        while size % 2:
            node, size = sha256(b"\x01" + self.peaks.pop() + node), size // 2
        self.peaks.append(node)

    def root(self) -> bytes:
        *_, root = accumulate(self.peaks[::-1] or [sha256(b"")], lambda node, peak: sha256(b"\x01" + peak + node))
        return root

    def begin_order(self, record: Record) -> None:  # §4: its first record has the root over all earlier ones
        prior, near = record.prior or b"", (self.vouched + 1, record.position)  # this record or the previous order
        need(prior, "an order's first record has no `prior`", "", "", near)
        need(record.command not in self.commands, "the records of one order are not consecutive", "", "", near)
        try:  # a month 13 raises an error; isoformat rejects other forms of a time
            time = datetime.strptime(record.at, "%Y-%m-%dT%H:%M:%S.%fZ").isoformat("T", "microseconds") + "Z"
        except ValueError:
            time = ""
        need(time and time == record.at, "`at` is not a time in UTC with microseconds")
        need(prior == (root := self.root()), "`prior` does not match", prior.hex(), root.hex(), near)
        self.order, self.has_cause, self.vouched = (record.command, record.at, record.seat), False, self.size
        self.commands.add(record.command)

    def compare_with_kept(self) -> None:  # §5: the records must match the given checkpoint
        if self.kept and self.kept.size == self.size:
            root, why = self.root(), f"history differs from the checkpoint at #{self.size}"
            need(self.kept.root == root, why, self.kept.root.hex(), root.hex(), (1, max(self.size, 1)))
            self.vouched = self.size

    def see_ending(self, line: str) -> None:
        ending: Any = ENDING.fullmatch(line)
        said: Any = ending and checkpoint_in(JSON.decode(ending[1]))
        need(said, "the checkpoint line cannot be read")
        told, is_mine = f"{said.game}, {said.size}", (said.game, said.size) == (self.game, self.size)
        need(is_mine, "the checkpoint line does not match", told, f"{self.game}, {self.size}")
        root, why = self.root(), "a record was changed, or the checkpoint line"
        need(said.root == root, why, said.root.hex(), root.hex(), (self.vouched + 1, self.size))
        is_same = (ending[2], ending[3]) == (str(said.size), f'"{root.hex()}"')
        need(is_same, "the two parts of the checkpoint line differ")
        self.ended, self.vouched = True, self.size

    def missing(self, cut: bool) -> str:  # the missing part of a log without a fault
        if not self.ended:
            return "its last line is cut off" if cut else "it has no checkpoint line"
        if self.kept and self.kept.size > self.size:
            return f"the checkpoint covers {self.kept.size} record{'s' * (self.kept.size > 1)}"
        return f"public records are withheld: {self.public[:20]}" if self.public else ""


def check(file: BinaryIO, kept: Checkpoint | None = None) -> dict[str, Any]:
    """Return the result for a replay log. A fault is in the records `from` to `to`; 0 is the header."""
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
    return {**said, "rolls recomputed": log.dice.thrown, "rolls with secret seeds": log.dice.closed}


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks hashes and dice, no signatures. Exits: 0 valid, 5 not, 2 use.")
    parser.add_argument("log", metavar="LOG.jsonl", help="the replay log; - is standard input")
    parser.add_argument("--checkpoint", metavar="FILE", type=Path, help="a checkpoint to compare with")
    asked = parser.parse_args()
    try:
        kept = asked.checkpoint and checkpoint_in(re.sub("(?s)\n\n— .*", "\n", asked.checkpoint.read_bytes().decode()))
        need(kept or not asked.checkpoint, f"{asked.checkpoint} is not umpire/GAME, size and base64 root, a line each")
        with sys.stdin.buffer if asked.log == "-" else open(asked.log, "rb") as log:
            said = check(log, kept) | {"checked": "hashes, dice", "not checked": "signatures, sealed orders, findings"}
    except (Fault, OSError, UnicodeDecodeError) as why:
        parser.error(str(why))
    for name, value in said.items():
        if value not in ("", 0) or name in ("records", "from", "to"):
            print(f"{'' if name == 'verdict' else f'  {name}: '}{ascii(str(value))[1:-1]}")  # no control characters
    return 0 if said["verdict"].startswith("VALID") else 5


if __name__ == "__main__":
    sys.exit(main())
