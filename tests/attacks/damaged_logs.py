"""Make damaged and forged replay logs without end, for two verifiers that must agree on each.

Damage is what `tests.attacks` does to a log: bits, bytes, lines. A forgery changes a record and computes every later
hash again, so that only the rules of FORMAT.md for a line, an order or a checkpoint can find it.
"""

import random
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from tests.attacks.bits_of_a_log import changes
from tests.attacks.mutations import mutated_text
from tests.face.ledger import (
    NOTHING,
    Checkpoint,
    Record,
    add_leaf,
    root_of,
)
from tests.face.testing import FIXTURES

FORMATS = FIXTURES / "formats" / "1-edge"
EPOCHS = FIXTURES / "formats" / "scheme-2"
OF_SCHEME_2 = ("ford.whole.jsonl", "ford.spectator.jsonl")
VECTORS = FIXTURES / "formats" / "vectors"
OF_SHARES = ("right-shared-behind-a-rewind.jsonl", "right-witnessed.jsonl", "right-witnessed-by-a-seat.jsonl")
WHOLE = ("ford.whole.jsonl", "duel.spectator.jsonl", "ford.spectator.jsonl", "ford.red.jsonl")


class Damaged(NamedTuple):
    """A log to verify, with a checkpoint of an earlier reader; "" for none."""

    how: str
    log: bytes
    checkpoint: str = ""


def logs() -> list[bytes]:
    files = [*(FORMATS / name for name in WHOLE), *(EPOCHS / name for name in OF_SCHEME_2)]
    files += [VECTORS / name for name in OF_SHARES]
    return [file.read_bytes() for file in files]


def damaged(count: int, seed: int) -> Iterator[Damaged]:
    """Yield `count` logs with bits, bytes or lines changed; every second one has a checkpoint of the original log."""
    chance = random.Random(seed)
    for number in range(count):
        raw = chance.choice(logs())
        if number % 3 == 0:
            _, changed = next(changes(raw, 1, chance))
        elif number % 3 == 1:
            changed = mutated_text(chance, raw)
        else:
            changed = _lines_changed(raw, chance)
        yield Damaged(f"damage {number} of seed {seed}", changed, _checkpoint_at(raw, chance) if number % 2 else "")


def _lines_changed(raw: bytes, chance: random.Random) -> bytes:
    lines = raw.splitlines(keepends=True)
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    changed = {
        "left out": [*lines[:at], *lines[at + 1 :]],
        "doubled": [*lines[: at + 1], *lines[at:]],
        "moved": [*lines[:at], *lines[at + 1 :][:other], lines[at], *lines[at + 1 :][other:]],
        "cut": lines[:at],
        "empty": [*lines[:at], b"\n", *lines[at:]],
        "cut within": [*lines[:at], lines[at][: chance.randrange(len(lines[at]))]],
    }
    return b"".join(changed[chance.choice(sorted(changed))])


def _checkpoint_at(raw: bytes, chance: random.Random) -> str:
    """Return a checkpoint of the original log, of more records than it has, of another game, or of another history."""
    game, records = read(raw)
    size = chance.randrange(len(records) + 1)
    whole = Checkpoint(game=game, size=size, root=_root(game, records[:size]))
    more = replace(whole, size=len(records) + 3)
    return chance.choice(
        (whole, whole, whole, more, replace(whole, game="other"), replace(whole, root=bytes(32)))
    ).text()


# --- forgeries --------------------------------------------------------------------------------------------------------


def read(raw: bytes) -> tuple[str, list[Record]]:
    header, *lines, _ = raw.splitlines()
    game = header.decode().split('"')[-2]
    return game, [Record.decode(line) for line in lines]


def _root(game_id: str, records: list[Record]) -> bytes:
    peaks: list[bytes] = []
    for size, record in enumerate(records):
        add_leaf(peaks, size, record.leaf(game_id))
    return root_of(peaks)


def written_anew(game_id: str, records: list[Record]) -> bytes:
    """Return a log of these records, with every `prior` and the checkpoint computed again."""
    peaks: list[bytes] = []
    lines = []
    for size, record in enumerate(records):
        fitting = record if record.prior is None else replace(record, prior=root_of(peaks).hex())
        lines.append(fitting.encode() + b"\n")
        add_leaf(peaks, size, fitting.leaf(game_id))
    return _log(game_id, lines, Checkpoint(game=game_id, size=len(records), root=root_of(peaks)))


def checkpoint_of(game_id: str, log: bytes, size: int) -> str:
    """Return the checkpoint of a log's first records, under the name of a game."""
    named, records = read(log)
    return Checkpoint(game=game_id, size=size, root=_root(named, records[:size])).text()


def _log(game_id: str, lines: list[bytes], checkpoint: Checkpoint) -> bytes:
    header = b'{"umpire":"replay log","format":1,"game":"%s"}\n' % game_id.encode()
    text = checkpoint.text().replace("\n", "\\n")
    ending = f'{{"checkpoint":"{text}","size":{checkpoint.size},"root":"{checkpoint.hex}"}}\n'
    return header + b"".join(lines) + ending.encode()


Forge = Callable[[Record], Record]
RAW = type(Record(position=1, at="", seat="", command="").event)


def _event(old: bytes, new: bytes) -> Forge:
    return lambda record: replace(record, event=RAW(bytes(record.event).replace(old, new, 1)))


def _wrapped(event: bytes) -> Forge:
    return lambda record: replace(record, event=RAW(event))


FORGERIES: dict[str, Forge] = {
    "another event": _event(b"}", b',"rule":"99.9"}'),
    "no `prior`": lambda record: replace(record, prior=None),
    "another command": lambda record: replace(record, command="somebody"),
    "the command of nobody": lambda record: replace(record, command=""),
    "another seat": lambda record: replace(record, seat="somebody"),
    "no seat": lambda record: replace(record, seat=""),
    "a seat to be escaped": lambda record: replace(record, seat='a "b" \\ \n\r\t\b\f\x1f\x7f é 😀 \u2028'),
    "another time": lambda record: replace(record, at="2026-11-21T01:22:33.123457Z"),
    "an early time": lambda record: replace(record, at="1999-12-31T23:59:59.999999Z"),
    "a day that no month has": lambda record: replace(record, at="2026-02-30T01:22:33.123456Z"),
    "an hour that no day has": lambda record: replace(record, at="2026-11-21T24:00:00.000000Z"),
    "a second more": lambda record: replace(record, at="2026-12-31T23:59:60.000000Z"),
    "a year nought": lambda record: replace(record, at="0000-02-28T01:22:33.123456Z"),
    "a leap day": lambda record: replace(record, at="2028-02-29T01:22:33.123456Z"),
    "an empty time": lambda record: replace(record, at=""),
    "no time": lambda record: replace(record, at="yesterday"),
    "a time without Z": lambda record: replace(record, at="2026-11-21T01:22:33.123456"),
    "another position": lambda record: replace(record, position=record.position + 1),
    "a position without end": lambda record: replace(record, position=2**60),
    "follows itself": lambda record: replace(record, follows=record.position),
    "follows its predecessor": lambda record: replace(record, follows=record.position - 1),
    "follows an earlier one": lambda record: replace(record, follows=max(record.position - 2, 0)),
    "follows the future": lambda record: replace(record, follows=2**60),
    "a cause": lambda record: replace(record, cause=RAW(b'{"order":"note"}')),
    "a cause that is a list": lambda record: replace(record, cause=RAW(b'["note"]')),
    "a cause that looks like an event": lambda record: replace(
        record, cause=RAW(b'{"a":{"b":"}\\\\\\""},"event":{"x":[{}]}}')
    ),
    "a cause with blanks": lambda record: replace(record, cause=RAW(b'{ "a" :\t[1, 2] }')),
    "withheld": lambda record: record.redact(),
    "withheld of somebody": lambda record: replace(record, visible_to=("red",)).redact(),
    "withheld of nobody": lambda record: replace(record, visible_to=()).redact(),
    "seen by some": lambda record: replace(record, visible_to=("red", "é😀")),
    "seen by nobody's seat": lambda record: replace(record, visible_to=("red", "")),
    "withheld and shown": lambda record: replace(record.redact(), salt="0" * 32),
    "the salt in capitals": lambda record: replace(record, salt="ABCDEF" * 5 + "AB"),
    "a short salt": lambda record: replace(record, salt="00"),
    "no salt": lambda record: replace(record, salt=None),
    "an event that is a list": _wrapped(b"[]"),
    "an event that is a text": _wrapped(b'"}}"'),
    "a cause and no event": lambda record: replace(record, cause=RAW(b'{"order":"note"}'), event=NOTHING),
    "an empty event": _wrapped(b"{}"),
    "an event with blanks": _wrapped(b'{ "type" :\t"x" , "a" : [ 1 , { } ] }'),
    "a carriage return": _wrapped(b'{"type":"x",\r"a":1}'),
    "half a pair": _wrapped(b'{"type":"x\\ud800"}'),
    "the other half": _wrapped(b'{"type":"x\\udc00"}'),
    "halves apart": _wrapped(b'{"type":"x\\ud83d \\ude00"}'),
    "a pair": _wrapped(b'{"type":"x\\ud83d\\ude00"}'),
    "no pair but backslashes": _wrapped(b'{"type":"x\\\\ud800"}'),
    "half a pair behind backslashes": _wrapped(b'{"type":"x\\\\\\ud800"}'),
    "half a pair before backslashes": _wrapped(b'{"type":"x\\ud83d\\\\ude00"}'),
    "99 levels": _wrapped(b'{"a":' + b"[" * 98 + b"]" * 98 + b"}"),
    "100 levels": _wrapped(b'{"a":' + b"[" * 99 + b"]" * 99 + b"}"),
    "brackets in a text": _wrapped(b'{"a":"' + b"[{" * 200 + b'"}'),
    "brackets side by side": _wrapped(b'{"a":[' + b",".join([b"[]"] * 200) + b"]}"),
    "4,000 digits": _wrapped(b'{"a":' + b"9" * 4000 + b"}"),
    "4,001 digits": _wrapped(b'{"a":' + b"9" * 4001 + b"}"),
    "4,001 digits in a text": _wrapped(b'{"a":"' + b"9" * 4001 + b'"}'),
    "a number that is none": _wrapped(b'{"a":01}'),
    "numbers of all kinds": _wrapped(b'{"a":[-0,0.5,1e999,-1E+5,1e05]}'),
    "the same field twice": _wrapped(b'{"a":1,"a":2}'),
    "a control character": _wrapped(b'{"a":"\x01"}'),
    "a delete": _wrapped(b'{"a":"\x7f"}'),
    "no such escape": _wrapped(b'{"a":"\\x41"}'),
    "no UTF-8": _wrapped(b'{"a":"\xff"}'),
    "a replacement character": _wrapped('{"a":"\ufffd"}'.encode()),
    "no JSON": _wrapped(b'{"a":}'),
    "two events": _wrapped(b'{},"event":{}'),
    "pips": _event(b'"pips":[', b'"pips":[7,'),
    "another roll": _event(b'"purpose":"', b'"purpose":"more '),
    "another kind of dice": _event(b'"dice":"', b'"dice":"3'),
    "kept pips": _event(b'"source":"ledger"', b'"source":"ledger","kept":3'),
    "no dice": _event(b'"dice":"2d6', b'"dice":"0d6'),
    "a field more in a roll, and pips": _event(b'"pips":[', b'"more":1,"pips":[7,'),
    "a roll without a total, and pips": _event(b'"total":', b'"pips":[7],"sum":'),
    "a roll that is told in escapes": _event(b'"type":"dice.rolled"', b'"type":"\\u0064ice.rolled","more":1'),
    "a roll whose kind is told twice": _event(b'"type":"dice.rolled"', b'"type":"note","type":"dice.rolled"'),
    "a roll that became a note": _event(b'"type":"dice.rolled"', b'"type":"dice.rolled","type":"note"'),
    "a roll without a number": _event(b'"roll":', b'"number":'),
    "a roll of another number": _event(b'"roll":', b'"roll":1'),
    "a roll with a number of text": _event(b'"roll":', b'"roll":"1","number":'),
    "a roll that is true": _event(b'"roll":', b'"roll":true,"number":'),
    "a roll with a number of 54 bits": _event(b'"roll":', b'"roll":9007199254740992,"number":'),
    "a roll with points": _event(b'"roll":1,', b'"roll":1.0,'),
    "a roll without a purpose": _event(b'"purpose":', b'"aim":'),
    "pips that are a text": _event(b'"pips":', b'"pips":"6","more":'),
    "pips that are no numbers": _event(b'"pips":[', b'"pips":["6",'),
    "pips with a point": _event(b'"pips":[', b'"pips":[0.5,'),
    "dice of the table": _event(b'"type":"dice.rolled"', b'"type":"dice.rolled","source":"table"'),
    "dice of nothing": _event(b'"type":"dice.rolled"', b'"type":"dice.rolled","source":null'),
    "dice in other digits": _event(b'"dice":"', '"dice":"٢d6","more":"'.encode()),
    "kept for ever": _event(b'"type":"dice.rolled"', b'"type":"dice.rolled","kept":"x"'),
    "another total": _event(b'"total":', b'"total":1'),
    "a modifier": _event(b'"amount":', b'"amount":1'),
    "modifiers in a text": _event(b'"modifiers":[', b'"modifiers":"","more":['),
    "thrown as another": _event(b'"thrown":', b'"thrown":1'),
    "kept from another": _event(b'"kept":', b'"kept":1'),
    "kept from the beginning": _event(b'"kept":', b'"kept":1,"more":'),
    "thrown as one that keeps nothing": _event(b'"type":"dice.rolled"', b'"type":"dice.rolled","thrown":1'),
    "a scheme that nobody knows": _event(b'"scheme":2', b'"scheme":3'),
    "no scheme": _event(b',"scheme":2', b""),
    "an opened seed of another": _event(b'"dice.opened","seed":"', b'"dice.opened","seed":"00'),
    "a commitment to a number": _event(b'"commitment":"', b'"commitment":1,"more":"'),
    "a commitment without a label": _event(b'"label":', b'"more":'),
    "an opened seed of nothing": _event(b'"seed":"', b'"seed":"","more":"'),
    "an opened seed in capitals": lambda record: replace(
        record, event=RAW(re.sub(rb'(?<="seed":")[0-9a-f]*', lambda found: found[0].upper(), bytes(record.event)))
    ),
    "the scheme of shares": _event(b'"scheme":2', b'"scheme":4'),
    "the scheme of other shares": _event(b'"scheme":3', b'"scheme":4'),
    "a scheme without shares": _event(b'"scheme":4', b'"scheme":2'),
    "a share that is a pledge": _event(b'"dice.shared"', b'"dice.pledged"'),
    "another share": _event(b'"share":"', b'"share":"00'),
    "a share in capitals": _event(b'"share":"', b'"share":"A'),
    "a share of a number": _event(b'"share":"', b'"share":7,"more":"'),
    "a share that is told twice": _event(b'"share":"', b'"share":"","share":"'),
    "another's share": _event(b'"side":"blue"', b'"side":"red"'),
    "a share of no side": _event(b'"side":"', b'"side":5,"more":"'),
    "a share of a list": _event(b'"side":"', b'"side":["red"],"more":"'),
    "another pledge": _event(b'"pledge":"', b'"pledge":"0'),
    "a pledge of nothing": _event(b'"pledge":', b'"more":'),
    "asked for another roll": _event(b'"type":"dice.asked"', b'"type":"dice.asked","roll":2,"more":1'),
    "asked for no roll": _event(b'"roll":', b'"number":'),
    "asked for a roll with a point": _event(b'"roll":1}', b'"roll":1.0}'),
    "asked for a text": _event(b'"roll":1}', b'"roll":"1"}'),
    "not asked": _event(b'"dice.asked"', b'"dice.askes"'),
    "a seat of the other side": _event(b'"side":"red"', b'"side":"blue"'),
    "a seat of nobody": _event(b'"seat":"', b'"seat":null,"more":"'),
    "a seat that is a number": _event(b'"type":"seat.taken"', b'"type":"seat.taken","side":1,"side":1'),
    "a rewind among shares": _event(b'"type":"dice.shared"', b'"type":"play.rewound"'),
    "another commitment": _event(b'"commitment":"', b'"commitment":"00'),
}
"""A change to one record. All later hashes are right."""

REWRITES: dict[str, Callable[[bytes], bytes]] = {
    "format 2": lambda raw: raw.replace(b'"format":1', b'"format":2', 1),
    "a field more in the header": lambda raw: raw.replace(b'"format":1', b'"format":1,"more":1', 1),
    "no game": lambda raw: re.sub(rb'"game":"[^"]*"', b'"game":""', raw, count=1),
    "carriage returns": lambda raw: raw.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda raw: b"\xef\xbb\xbf" + raw,
    "a blank behind a line": lambda raw: raw.replace(b"}}\n", b"}} \n", 1),
    "a blank in the envelope": lambda raw: raw.replace(b'"position":1,', b'"position": 1,', 1),
    "a position with a nought": lambda raw: raw.replace(b'"position":1,', b'"position":01,', 1),
    "a position with a point": lambda raw: raw.replace(b'"position":1,', b'"position":1.0,', 1),
    "escaped without need": lambda raw: raw.replace(b'"seat":"r', b'"seat":"\\u0072', 1),
    "fields in another order": lambda raw: re.sub(rb'("seat":"[^"]*"),("command":"[^"]*")', rb"\2,\1", raw, count=1),
    "a field more": lambda raw: raw.replace(b'"event":', b'"more":1,"event":', 1),
    "a field twice": lambda raw: raw.replace(b'"seat":', b'"seat":"red","seat":', 1),
    "something behind the end": lambda raw: raw + b"\n",
    "no last line feed": lambda raw: raw[:-1],
    "the root in capitals": lambda raw: raw[:-20] + raw[-20:].upper(),
    "another root at the end": lambda raw: re.sub(rb'"root":".', b'"root":"g', raw),
    "another size at the end": lambda raw: re.sub(rb'"size":', b'"size":1', raw),
    "blanks in the last line": lambda raw: raw.replace(b',"size":', b', "size":'),
    "a field more at the end": lambda raw: raw[:-2] + b',"more":1}\n',
    "a field twice at the end": lambda raw: raw.replace(b',"size":', b',"size":0,"size":'),
    "no checkpoint in the last line": lambda raw: raw.replace(b'{"checkpoint":"umpire/', b'{"checkpoint":"referee/'),
    "a line of 4 MiB": lambda raw: raw.replace(b'"event":{', b'"event":{"long":"' + b"x" * 2**22 + b'",', 1),
    "a header of 4 MiB": lambda raw: raw.replace(b'"game":"', b'"game":"' + b"x" * 2**22, 1),
}
"""Other bytes for the same records."""


def some_forged(seed: int, part: int, parts: int = 3) -> list[Damaged]:
    """Return one part of the forgeries, from 0, drawn at random and in order; the attacks themselves take all."""
    every = list(forged(seed))
    drawn = list(range(len(every)))
    random.Random(seed).shuffle(drawn)
    return [every[number] for number in sorted(drawn[part::parts])]


def forged(seed: int) -> Iterator[Damaged]:
    """Yield each forgery in a few places of each log, without a checkpoint and with one of the original log."""
    chance = random.Random(seed)
    for raw in logs():
        game, records = read(raw)
        first, last = records[0].position - 1, len(records) - 1
        for how, forge in FORGERIES.items():
            for at in sorted({first, chance.randrange(1, last), last}):
                yield from _forged(f"{how} in #{at + 1} of {game}", game, records, at, forge, chance, raw)
        for how, rewrite in REWRITES.items():
            yield Damaged(f"{how} of {game}", rewrite(raw))
        yield from _dice_forged(game, records)
        again = [
            replace(one, command=records[0].command) if one.command == records[-1].command else one for one in records
        ]
        yield Damaged(f"the last order has the id of the first in {game}", written_anew(game, again))
    yield Damaged("nothing", b"")
    yield Damaged("no log", b"a letter\n")
    yield Damaged("no records", _log("g", [], Checkpoint(game="g", size=0, root=_root("g", []))))
    yield Damaged("no records and another root", _log("g", [], Checkpoint(game="g", size=0, root=bytes(32))))
    for name in (
        "a b",
        "a+b",
        "a\u00a0b",
        "x" * 200,
        "x" * 201,
        "é" * 200,
        "😀" * 200,
        "\u2028",
        "\ufeff",
        "\x7f",
        "\x80",
        "\x85",
        "\x9f",
        "\u1680",
        "\u200b",
    ):
        yield Damaged(f"a game called {name!r}", written_anew(name, read(logs()[0])[1]))


def rehashed(count: int, seed: int) -> Iterator[Damaged]:
    """Yield this number of logs with bytes of one record changed, and every later hash right."""
    chance = random.Random(seed)
    read_once = [(raw, *read(raw)) for raw in logs()]
    for number in range(count):
        raw, game, records = chance.choice(read_once)
        at = chance.randrange(len(records))
        told = list(records)
        told[at] = _mutated(chance, records[at])
        try:
            log = written_anew(game, told)
        except (ValueError, OverflowError):  # half of a surrogate pair in a name has no bytes
            continue
        how = f"record #{at + 1} of {game} mutated and written anew, {number} of seed {seed}"
        yield Damaged(how, log, _checkpoint_at(raw, chance) if number % 8 == 0 else "")


def _mutated(chance: random.Random, record: Record) -> Record:
    """Another event mostly; else another cause, name, time or circle of those who may see it."""
    kind = chance.choice(("event", "event", "event", "cause", "seat", "command", "at", "visible_to", "follows"))
    if kind in {"event", "cause"}:
        given = bytes(record.event or b"{}") if kind == "event" else bytes(record.cause or b'{"order":"note"}')
        changed = RAW(mutated_text(chance, given))
        shown = replace(record, salt=record.salt or "0" * 32, inner=None, cause_hash=None)
        return replace(shown, event=changed) if kind == "event" else replace(shown, cause=changed)
    if kind == "follows":
        return replace(record, follows=chance.randrange(record.position + 2))
    if kind == "visible_to":
        seen = chance.choice((None, (), ("red",), ("red", "blue"), ("",)))
        return chance.choice((replace(record, visible_to=seen), replace(record, visible_to=seen).redact()))
    name = mutated_text(chance, getattr(record, kind).encode()).decode("utf-8", "replace")
    return {"seat": replace(record, seat=name), "command": replace(record, command=name)}.get(
        kind, replace(record, at=name)
    )


def _forged(
    how: str, game_id: str, records: list[Record], at: int, forge: Forge, chance: random.Random, raw: bytes
) -> Iterator[Damaged]:
    told = [*records[:at], forge(records[at]), *records[at + 1 :]]
    try:
        log = written_anew(game_id, told)
    except (ValueError, OverflowError):  # what cannot even be hashed is put in as it is
        lines = [record.encode() + b"\n" for record in told]
        log = _log(game_id, lines, Checkpoint(game=game_id, size=len(told), root=bytes(32)))
    yield Damaged(how, log)
    yield Damaged(f"{how}, with a checkpoint", log, _checkpoint_at(raw, chance))


def _dice_forged(game_id: str, records: list[Record]) -> Iterator[Damaged]:
    """Yield every roll with another first die and right hashes: only the seed shows the forgery."""
    for at, record in enumerate(records):
        found = re.search(rb'"pips":\[([0-9]+)', bytes(record.event))
        if found:
            pip = b'"pips":[%d' % (int(found[1]) % 6 + 1)
            told = replace(record, event=RAW(bytes(record.event).replace(found[0], pip, 1)))
            yield Damaged(
                f"a die in #{at + 1} of {game_id}", written_anew(game_id, [*records[:at], told, *records[at + 1 :]])
            )
