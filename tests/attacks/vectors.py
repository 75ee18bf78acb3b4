"""Write the test vectors of FORMAT.md, section 10: small logs with one fault each, and a verifier's verdict on each.

    python -m tests.attacks.vectors

writes `fixtures/formats/vectors/` again, byte for byte. The verdicts are typed by hand, from the page.
"""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from tests.attacks.damaged_logs import Damaged, checkpoint_of, written_anew
from tests.attacks.share_vectors import ShareVector, share_vectors
from tests.face.domain import (
    Epoch,
    commitment_of,
    draw,
    parse,
)
from tests.face.ledger import NOTHING, Record
from tests.face.testing import FIXTURES

FOLDER = FIXTURES / "formats" / "vectors"
GAME = "ford-7"
SEED = "6d" * 32
LABEL = "ford-7"
RAW = type(NOTHING)
VALID, REDACTED, INCOMPLETE, INVALID = "VALID", "VALID WITH REDACTIONS", "INCOMPLETE", "INVALID"


class Vector(NamedTuple):
    """One log. `between`: the first and last record that may contain its fault; `section`: of FORMAT.md."""

    name: str
    section: str
    verdict: str
    between: tuple[int, int] | None
    log: bytes
    checkpoint: str = ""


def _record(position: int, command: str, event: str, **more: object) -> Record:
    seat, minute = {"c1": ("referee", 0), "c2": ("red", 1), "c3": ("blue", 2), "c4": ("referee", 3)}[command]
    record = Record(
        position=position,
        at=f"2026-11-21T01:0{minute}:00.000000Z",
        seat=seat,
        command=command,
        salt=f"{position:032x}",
        event=RAW(event.encode()),
    )
    return replace(record, **more)


def _committed(commitment: str, label: str, scheme: str = "") -> str:
    """Return a commitment event. `scheme`: as JSON; left out if empty."""
    said = f',"scheme":{scheme}' if scheme else ""
    return f'{{"type":"dice.committed","commitment":"{commitment}","label":"{label}"{said}}}'


def _roll(number: int, purpose: str, dice: str, scheme: int = 1) -> str:
    pips = list(draw(Epoch(SEED, LABEL, scheme), number, parse(dice), purpose))
    return json.dumps(
        {"type": "dice.rolled", "roll": number, "purpose": purpose, "dice": dice, "pips": pips, "total": sum(pips)},
        separators=(",", ":"),
    )


FIRST = "0" * 64
"""A placeholder for `prior`: `written_anew` computes the right value."""
RECORDS = [
    _record(1, "c1", _committed(commitment_of(SEED), LABEL), prior=FIRST),
    _record(2, "c1", f'{{"type":"dice.seeded","seed":"{SEED}"}}', visible_to=()),
    _record(
        3,
        "c2",
        _roll(1, "ambush", "2d6"),
        prior=FIRST,
        cause=RAW(b'{ "order": "ambush", "text": "\\u00e9\\ud83d\\ude00" }'),
    ),
    _record(4, "c2", '{"type":"choice.made","answer":"wood"}', visible_to=("red", "réf 😀")),
    _record(5, "c3", '{"type":"play.rewound","to":2}', prior=FIRST, follows=2),
    _record(6, "c4", f'{{"type":"dice.opened","seed":"{SEED}"}}', prior=FIRST),
    _record(7, "c4", '{"type":"note","text":"a\\tb\u2028"}'),
]


def _log(records: list[Record] | None = None, game_id: str = GAME) -> bytes:
    return written_anew(game_id, RECORDS if records is None else records)


def _log_with(position: int, **fields: object) -> bytes:
    """Return the log with a record changed, and every later hash right."""
    return _log([replace(one, **fields) if one.position == position else one for one in RECORDS])


def _log_with_order(order: str, /, **fields: object) -> bytes:
    """Return the log with all records of an order changed, and every later hash right."""
    return _log([replace(one, **fields) if one.command == order else one for one in RECORDS])


def _event(position: int, event: str | bytes) -> bytes:
    return _log_with(position, event=RAW(event.encode() if isinstance(event, str) else event))


def _lines(change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    return b"".join(change(_log().splitlines(keepends=True)))


def _withheld(*positions: int) -> bytes:
    return _log([one.redact() if one.position in positions else one for one in RECORDS])


def _swapped(log: bytes, old: bytes, new: bytes) -> bytes:
    assert log.count(old), old
    return log.replace(old, new, 1)


def _right() -> list[Vector]:
    return [
        Vector("right", "6", VALID, None, _log()),
        Vector("right-redacted", "3", REDACTED, None, _withheld(2, 4)),
        Vector("right-no-records", "6", VALID, None, _log([])),
        Vector("right-clock-back", "6", VALID, None, _log_with_order("c4", at="1999-12-31T23:59:59.999999Z")),
        Vector("right-field-in-two-objects", "1", VALID, None, _event(7, '{"a":{"a":1},"b":[{"a":"a:"},{"a": 2}]}')),
        Vector("right-number-beyond-any-range", "1", VALID, None, _event(7, '{"a":[1e999,-0,0.5E+1]}')),
        Vector("right-99-levels", "1", VALID, None, _event(7, '{"a":' + "[" * 98 + "]" * 98 + "}")),
        Vector("right-4000-digits", "1", VALID, None, _event(7, '{"a":' + "9" * 4000 + "}")),
        Vector("right-game-of-200-characters", "1", VALID, None, _log(game_id="é" * 200)),
        Vector("right-checkpoint", "5", VALID, None, _log(), checkpoint_of(GAME, _log(), 4)),
        Vector("right-checkpoint-of-nothing", "5", VALID, None, _log(), checkpoint_of(GAME, _log(), 0)),
        Vector("right-roll-kept-from-a-closed-seed", "9", VALID, None, _kept()),
        Vector("right-scheme-2", "9", VALID, None, _of_scheme("2", _roll(1, "ambush", "2d6", 2))),
        Vector("right-scheme-2-as-2.0", "9", VALID, None, _of_scheme("2.0", _roll(1, "ambush", "2d6", 2))),
        Vector("right-scheme-2-another-purpose", "9", VALID, None, _of_scheme("2", _roll(1, "a walk", "2d6", 2))),
        *(Vector(f"right-roll-{name}", "9", verdict, None, log) for name, verdict, log in _rolls_right()),
        *(Vector(f"right-{name}", "9", VALID, None, _told_last(*last)) for name, last in _seeds_right()),
    ]


def _of_scheme(scheme: str, roll: str, *withheld: int, last: str = "", back: str = "") -> bytes:
    """Return the log with a dice scheme and another roll. `last`: the event of #7; `back`: that of #5."""
    told = {1: _committed(commitment_of(SEED), LABEL, scheme), 3: roll}
    told |= {position: event for position, event in ((5, back), (7, last)) if event}
    records = [replace(one, event=RAW(told.get(one.position, bytes(one.event).decode()).encode())) for one in RECORDS]
    return _log([one.redact() if one.position in withheld else one for one in records])


def _second(number: int = 2, thrown: int = 0, **more: object) -> str:
    """Return a second roll of scheme 2, with the dice results of its own number or of another."""
    pips = list(draw(Epoch(SEED, LABEL, 2), thrown or number, parse("2d6")))
    told: dict[str, object] = {"type": "dice.rolled", "roll": number, "purpose": "again", "dice": "2d6", "pips": pips}
    told |= {"total": sum(pips), **({"thrown": thrown} if thrown else {}), **more}
    return json.dumps(told, separators=(",", ":"))


FIRST_ROLL = _roll(1, "ambush", "2d6", 2)
PIPS = draw(Epoch(SEED, LABEL, 2), 1, parse("2d6"))
KEPT = _second(2, 1, kept=3)
KEEPING = '{"type":"play.rewound","to":2,"dice":"keep"}'


def _kept_as(last: str, *withheld: int, back: str = KEEPING) -> bytes:
    """Return the log of scheme 2 in which the last roll reuses dice, after a rewind in #5."""
    return _of_scheme("2", FIRST_ROLL, *withheld, last=last, back=back)


def _rolls_right() -> list[tuple[str, str, bytes]]:
    plus = (
        _roll(1, "ambush", "2d6", 2)
        .replace('"2d6"', '"2d6+1"')
        .replace('"total":', '"modifiers":[{"amount":1}],"total":1')
    )
    pips = draw(Epoch(SEED, LABEL, 2), 1, parse("2d6"))
    plus = re.sub('"total":1[0-9]+', f'"total":{sum(pips) + 1}', plus)
    return [
        ("with-the-number-behind-it", VALID, _of_scheme("2", FIRST_ROLL, last=_second())),
        ("behind-withheld-ones", REDACTED, _of_scheme("2", FIRST_ROLL, 4, last=_second(3))),
        ("kept", VALID, _kept_as(KEPT)),
        ("kept-unless-new", VALID, _kept_as(KEPT, back=KEEPING.replace("keep", "keep-unless-new"))),
        ("kept-from-a-withheld-one", REDACTED, _kept_as(_second(3, 2, kept=4), 4)),
        ("with-a-modifier-of-its-dice", VALID, _of_scheme("2", plus)),
    ]


def _rolls_at_odds() -> list[tuple[str, int, bytes]]:
    """Return rolls of scheme 2 with right dice and another fault, and seeds without a commitment."""
    second = _second()
    total = json.loads(second)["total"]
    modified = second.replace(f'"total":{total}', f'"total":{total + 2},"modifiers":%s')
    plus = modified.replace('"2d6"', '"2d6+2"')
    wrong = {
        "another-total": second.replace(f'"total":{total}', f'"total":{total + 1}'),
        "no-total": second.replace('"total"', '"sum"'),
        "modifiers-that-are-no-list": modified % '{"amount":2}',
        "a-modifier-without-an-amount": modified % "[2]",
        "a-modifier-left-out": second.replace('"2d6"', '"2d6+1"'),
        "modifiers-in-another-order": plus % '[{"amount":0},{"amount":2}]',
        "a-number-twice": _second(1),
        "a-number-left-out": _second(3),
        "thrown-as-another": _second(2, 1),
    }
    seen_otherwise = _second(3, 1, kept=4).replace('"2d6"', '"d6"')
    seen_otherwise = re.sub(r'"pips":.*"thrown"', f'"pips":[{PIPS[0]}],"total":{PIPS[0]},"thrown"', seen_otherwise)
    kept = {
        "kept-as-another": _kept_as(_second(2, 4, kept=3)),
        "kept-from-no-roll": _kept_as(_second(2, 1, kept=5)),
        "kept-from-itself": _kept_as(_second(2, 2, kept=7)),
        "kept-without-a-rewind": _kept_as(KEPT, back='{"type":"play.rewound","to":2}'),
        "kept-from-what-was-not-left": _kept_as(KEPT, back=KEEPING.replace("2", "3")),
        "kept-from-a-withheld-later-one": _kept_as(_second(3, 9, kept=4), 4),
        "kept-from-a-withheld-one-where-no-number-is-left-out": _kept_as(_second(2, 1, kept=4), 4),
        "kept-from-a-withheld-one-that-was-seen-otherwise": _kept_as(seen_otherwise, 4),
    }
    seeds = {"of-nothing": "ab" * 32, "that-is-none": SEED[:-1]}
    return [
        *((f"roll-with-{name}", 7, _of_scheme("2", FIRST_ROLL, last=roll)) for name, roll in wrong.items()),
        *((f"roll-with-{name}", 7, log) for name, log in kept.items()),
        ("roll-behind-a-withheld-seed", 3, _of_scheme("2", _roll(2, "ambush", "2d6", 2), 2)),
        ("roll-of-the-table", 3, _of_scheme("2", FIRST_ROLL.replace('"roll"', '"source":"table","roll"', 1))),
        *((f"commitment-{name}", at, _told_last(*last)) for name, at, last in _seeds_wrong()),
        *((f"seed-{name}", 6, _event(6, f'{{"type":"dice.opened","seed":"{seed}"}}')) for name, seed in seeds.items()),
        ("seed-before-its-commitment", 6, _of_seeds_reversed()),
    ]


def _of_seeds_reversed() -> bytes:
    return _log(
        [RECORDS[0], *RECORDS[1:5], replace(RECORDS[5], event=RAW(OTHER_OPENED)), replace(RECORDS[6], event=RAW(OTHER))]
    )


def _told_last(*events: str) -> bytes:
    """Return the log of scheme 2 up to its rewind, and these events in one order."""
    told = {1: _committed(commitment_of(SEED), LABEL, "2"), 3: FIRST_ROLL}
    first = [replace(one, event=RAW(told.get(one.position, bytes(one.event).decode()).encode())) for one in RECORDS[:5]]
    more = [_record(at, "c4", event, prior=FIRST if at == 6 else None) for at, event in enumerate(events, start=6)]
    return _log([*first, *more])


def _seeds_right() -> list[tuple[str, tuple[str, ...]]]:
    """Return the events that may follow a commitment, with its seed revealed or not."""
    return [
        ("commitment-again", (AGAIN, OPENED)),
        ("commitment-behind-an-open-one", (OPENED, OTHER_2)),
        ("commitment-of-a-copy", (COPIED, COPYS, OTHER_OPENED.decode())),
    ]


def _seeds_wrong() -> list[tuple[str, int, tuple[str, ...]]]:
    """Return rolls between two commitments, from a seed never revealed, and other changes out of turn."""
    forged = '{"type":"dice.rolled","roll":2,"purpose":"x","dice":"d6","pips":[6],"total":6}'
    return [
        ("around-a-roll", 6, (OTHER_2, forged, AGAIN, OPENED)),
        ("of-another-scheme", 6, (AGAIN.replace('"scheme":2', '"scheme":1'), OPENED)),
        ("of-a-copy-that-is-not-told", 6, (COPYS, OTHER_OPENED.decode())),
        ("behind-a-copy-by-another-record", 8, (COPIED, '{"type":"note"}', COPYS, OTHER_OPENED.decode())),
    ]


OPENED = f'{{"type":"dice.opened","seed":"{SEED}"}}'
OTHER_SEED = "6e" * 32
OTHER = _committed(commitment_of(OTHER_SEED), LABEL).encode()
OTHER_OPENED = f'{{"type":"dice.opened","seed":"{OTHER_SEED}"}}'.encode()
OTHER_2 = _committed(commitment_of(OTHER_SEED), LABEL, "2")
AGAIN = _committed(commitment_of(SEED), LABEL, "2")
COPIED = '{"type":"game.copied","of":"ford-7","at":5,"game":"ford-8"}'
COPYS = _committed(commitment_of(OTHER_SEED), "ford-8", "2")


def _kept() -> bytes:
    """Return a roll that no known seed explains: it is reused, and an earlier seed is secret. Scheme 1 allows that."""
    other = _committed("ab" * 32, "old")
    roll = '{"type":"dice.rolled","roll":9,"purpose":"x","dice":"d6","pips":[1],"kept":3,"thrown":2}'
    first, last = RECORDS[0], RECORDS[6]
    records = [
        replace(first, event=RAW(other.encode())),
        *RECORDS[1:5],
        replace(RECORDS[5], event=first.event),
        replace(last, event=RECORDS[5].event),
    ]
    more = _record(8, "c4", roll)
    return _log([*records, more])


def _lines_wrong() -> list[Vector]:
    log = _log()
    by_itself: list[tuple[str, int, bytes]] = [
        ("field-unknown", 7, _swapped(log, b'"event":{"type":"note"', b'"more":1,"event":{"type":"note"')),
        ("field-twice", 1, _swapped(log, b'"seat":"referee"', b'"seat":"referee","seat":"referee"')),
        (
            "fields-in-another-order",
            1,
            _swapped(log, b'"seat":"referee","command":"c1"', b'"command":"c1","seat":"referee"'),
        ),
        ("blank-in-the-envelope", 1, _swapped(log, b'"position":1', b'"position": 1')),
        ("integer-with-a-nought", 1, _swapped(log, b'"position":1', b'"position":01')),
        ("integer-with-a-point", 1, _swapped(log, b'"position":1', b'"position":1.0')),
        ("escaped-without-need", 1, _swapped(log, b'"seat":"referee"', b'"seat":"\\u0072eferee"')),
        (
            "hash-in-capitals",
            1,
            re.sub(rb'"prior":"[0-9a-f]*"', lambda found: found[0].upper().replace(b"PRIOR", b"prior"), log, count=1),
        ),
        ("salt-short", 1, _swapped(log, b'"salt":"00', b'"salt":"')),
        ("seat-empty", 1, _log_with_order("c1", seat="")),
        ("command-empty", 3, _log_with_order("c2", command="")),
        ("visible-to-an-empty-seat", 4, _log_with(4, visible_to=("red", ""))),
        ("time-without-z", 1, _log_with_order("c1", at="2026-11-21T01:00:00.000000")),
        ("time-that-is-empty", 1, _log_with_order("c1", at="")),
        ("time-of-no-day", 1, _log_with_order("c1", at="2026-02-30T01:00:00.000000Z")),
        ("time-of-a-leap-second", 1, _log_with_order("c1", at="2026-12-31T23:59:60.000000Z")),
        ("position-missing", 4, _lines(lambda lines: [*lines[:4], *lines[5:]])),
        ("follows-the-predecessor", 5, _log_with(5, follows=4)),
        ("follows-itself", 5, _log_with(5, follows=5)),
        ("event-missing", 7, _swapped(log, b',"event":{"type":"note"', b',"cause":{"type":"note"')),
        ("event-is-a-list", 7, _event(7, "[]")),
        ("event-has-a-key-twice", 7, _event(7, '{"a":1,"a":2}')),
        ("event-has-a-key-twice-with-one-value", 7, _event(7, '{"a":1,"a":1}')),
        ("event-has-a-key-twice-within", 7, _event(7, '{"a":[{"b":1,"c":{},"b":2}]}')),
        ("event-has-a-key-twice-by-an-escape", 7, _event(7, '{"a":1,"\\u0061":2}')),
        ("event-has-a-key-twice-and-a-number-beyond-any-range", 7, _event(7, '{"a":1e999,"a":2}')),
        (
            "event-has-a-key-twice-within-an-order",
            4,
            _event(4, '{"type":"choice.made","answer":"ford","answer":"wood"}'),
        ),
        ("event-has-a-key-twice-and-colons", 7, _event(7, '{"a" :"1","a" :":"}')),
        ("event-has-an-empty-key-twice", 7, _event(7, '{"":1,"":2}')),
        ("event-has-a-proto-key-twice", 7, _event(7, '{"__proto__":1,"__proto__":2}')),
        ("cause-has-a-key-twice", 3, _log_with(3, cause=RAW(b'{"order":"ambush","order":"wait"}'))),
        ("cause-is-a-list", 3, _log_with(3, cause=RAW(b"[1]"))),
        ("event-is-no-json", 7, _event(7, '{"a":01}')),
        ("event-has-nan", 7, _event(7, '{"a":NaN}')),
        ("event-has-half-a-pair", 7, _event(7, '{"a":"\\ud83d"}')),
        ("event-has-a-carriage-return", 7, _event(7, '{"a":1,\r"b":2}')),
        ("event-has-a-control-character", 7, _event(7, '{"a":"\x01"}')),
        ("event-is-not-utf-8", 7, _event(7, b'{"a":"\xff"}')),
        ("withheld-and-shown", 7, _log_with(7, inner="0" * 64)),
        ("100-levels", 7, _event(7, '{"a":' + "[" * 99 + "]" * 99 + "}")),
        ("4001-digits", 7, _event(7, '{"a":' + "9" * 4001 + "}")),
        ("empty-line", 3, _lines(lambda lines: [*lines[:3], b"\n", *lines[3:]])),
        ("carriage-returns", 0, log.replace(b"\n", b"\r\n")),
    ]
    return [
        Vector(name, "6" if name == "carriage-returns" else "1", INVALID, (at, at), raw) for name, at, raw in by_itself
    ]


def _orders_wrong() -> list[Vector]:
    log = _log()
    renamed = [replace(one, command="c1") if one.command == "c4" else one for one in RECORDS]
    return [
        Vector("order-without-prior", "4", INVALID, (3, 5), _log_with(5, prior=None)),
        Vector("prior-within-an-order", "1", INVALID, (3, 4), _log_with(4, prior=FIRST)),
        Vector("prior-of-another-root", "4", INVALID, (3, 5), _swapped(log, b'"wood"', b'"ford"')),
        Vector("prior-of-the-first-record", "4", INVALID, (1, 1), _swapped(log, b'"prior":"e3b0', b'"prior":"e3b1')),
        Vector("order-at-two-times", "1", INVALID, (3, 4), _log_with(4, at="2026-11-21T01:01:00.000001Z")),
        Vector("order-of-two-seats", "1", INVALID, (3, 4), _log_with(4, seat="blue")),
        Vector("order-with-two-causes", "1", INVALID, (3, 4), _log_with(4, cause=RAW(b"{}"))),
        Vector("order-id-again", "1", INVALID, (5, 6), _log(renamed)),
        Vector("cause-changed", "2", INVALID, (3, 5), _swapped(log, b'"ambush", ', b'"ambush",  ')),
        Vector("last-order-changed", "4", INVALID, (6, 7), _swapped(log, b"a\\tb", b"a\\tc")),
    ]


def _ends_wrong() -> list[Vector]:
    log = _log()
    ends = [
        ("empty", "6", INCOMPLETE, None, b""),
        ("header-cut", "6", INCOMPLETE, None, b'{"umpire":"repl'),
        ("no-log-cut", "6", INVALID, (0, 0), b"a letter"),
        ("no-log", "6", INVALID, (0, 0), b"a letter\n"),
        ("format-2", "6", INVALID, (0, 0), _swapped(log, b'"format":1', b'"format":2')),
        ("header-with-a-field-more", "6", INVALID, (0, 0), _swapped(log, b'"format":1', b'"format":1,"more":1')),
        ("byte-order-mark", "1", INVALID, (0, 0), b"\xef\xbb\xbf" + log),
        ("game-with-a-blank", "1", INVALID, (0, 0), _log(game_id="ford 7")),
        ("game-with-a-c1-control", "1", INVALID, (0, 0), _log(game_id="ford\x9b7")),
        ("game-of-201-characters", "1", INVALID, (0, 0), _log(game_id="é" * 201)),
        ("no-checkpoint-line", "6", INCOMPLETE, None, _lines(lambda lines: lines[:-1])),
        ("last-line-without-a-line-feed", "6", INCOMPLETE, None, log[:-1]),
        ("record-cut", "6", INCOMPLETE, None, _lines(lambda lines: [*lines[:5], lines[5][:50]])),
        ("something-behind-the-end", "6", INVALID, (8, 8), log + b"x"),
        ("checkpoint-line-of-another-root", "6", INVALID, (6, 7), _other_root(log)),
        ("checkpoint-line-of-another-size", "6", INVALID, (7, 7), _lines(lambda lines: [*lines[:-2], lines[-1]])),
        ("checkpoint-line-with-blanks", "6", INVALID, (8, 8), _swapped(log, b',"size":', b', "size":')),
        ("checkpoint-line-with-two-roots", "6", INVALID, (8, 8), re.sub(rb'"root":".', b'"root":"g', log)),
        ("checkpoint-line-of-two-roots", "6", INVALID, (6, 7), _text_of_another_root(log)),
        ("withheld-of-everybody", "6", INCOMPLETE, None, _withheld(7)),
    ]
    return [Vector(*one) for one in ends]


def _other_root(log: bytes) -> bytes:
    """Return the checkpoint line of a log with another last record; its text and its hex agree."""
    other = _event(7, "{}").splitlines(keepends=True)
    return b"".join([*log.splitlines(keepends=True)[:-1], other[-1]])


def _text_of_another_root(log: bytes) -> bytes:
    """Return the log with another root in the checkpoint's three lines; its hex fields are right."""
    [right] = re.findall(rb'"checkpoint":"[^"]*"', log)
    [other] = re.findall(rb'"checkpoint":"[^"]*"', _event(7, "{}"))
    return log.replace(right, other)


def _held_against() -> list[Vector]:
    log, more = _log(), _log([*RECORDS, _record(8, "c4", "{}")])
    another = _event(4, '{"type":"choice.made","answer":"ford"}')
    return [
        Vector("checkpoint-of-another-history", "5", INVALID, (1, 4), another, checkpoint_of(GAME, log, 4)),
        Vector("checkpoint-of-another-game", "6", INVALID, (0, 0), log, checkpoint_of("ford-8", log, 4)),
        Vector("checkpoint-of-more-records", "6", INCOMPLETE, None, log, checkpoint_of(GAME, more, 8)),
        Vector(
            "prior-behind-a-checkpoint",
            "6",
            INVALID,
            (5, 6),
            _swapped(log, b'"to":2', b'"to":1'),
            checkpoint_of(GAME, log, 4),
        ),
    ]


def _dice_wrong() -> list[Vector]:
    roll = bytes(RECORDS[2].event).decode()
    pips = re.findall(r'"pips":\[[0-9,]*\]', roll)[0]
    rolls = [
        ("other-pips", roll.replace(pips, '"pips":[7,7]')),
        ("another-purpose", roll.replace('"ambush"', '"a walk"')),
        ("another-number", roll.replace('"roll":1', '"roll":2')),
        ("other-dice", roll.replace('"2d6"', '"2d8"')),
        ("pips-twice", roll[:-1] + ',"pips":[7,7]}'),
        ("a-field-more", roll.replace(pips, '"pips":[7,7],"more":1')),
        ("told-in-escapes", roll.replace(pips, '"pips":[7,7]').replace('"dice.rolled"', '"\\u0064ice.rolled"')),
        ("without-a-number", roll.replace('"roll":', '"number":')),
        ("dice-in-other-digits", roll.replace('"2d6"', '"٢d6"')),
    ]
    schemes = [("of-scheme-1-in-scheme-2", "2", roll), ("of-scheme-2-in-scheme-1", "1", _roll(1, "ambush", "2d6", 2))]
    schemes += [(f"of-scheme-{said}", said, roll) for said in ("3", "null", "true")]
    return [
        *(Vector(f"roll-{name}", "9", INVALID, (3, 3), _event(3, event)) for name, event in rolls),
        *(Vector(f"roll-{name}", "9", INVALID, (3, 3), _of_scheme(scheme, event)) for name, scheme, event in schemes),
        *(Vector(name, "9", INVALID, (at, at), log) for name, at, log in _rolls_at_odds()),
    ]


SEALED = '{"type":"note.sealed","text":"withdraw","condition":"we are attacked"}'
WORDS_OPENED = '{"type":"note.opened","note":4,"side":"red","text":"withdraw","condition":"we are attacked"}'


def _words(opened: str, *withheld: int, sealed: str = SEALED) -> bytes:
    """Return the log in which #4 seals words for red and #7 reveals them."""
    told = {4: sealed, 7: opened}
    records = [replace(one, event=RAW(told.get(one.position, bytes(one.event).decode()).encode())) for one in RECORDS]
    return _log([one.redact() if one.position in withheld else one for one in records])


def _sealed_words() -> list[Vector]:
    """Compared by `umpire verify` alone."""
    withdrawn = '{"type":"note.opened","note":4,"side":"red","withdrawn":true}'
    wrong = {
        "other-words": WORDS_OPENED.replace("withdraw", "attack"),
        "another-case": WORDS_OPENED.replace("we are", "they are"),
        "no-words": WORDS_OPENED.replace('"text":"withdraw",', ""),
        "another-side": WORDS_OPENED.replace('"red"', '"blue"'),
        "what-was-not-sealed": WORDS_OPENED.replace('"note":4', '"note":3'),
        "itself": WORDS_OPENED.replace('"note":4', '"note":7'),
        "what-never-was": WORDS_OPENED.replace('"note":4', '"note":99'),
        "nothing-by-its-number": WORDS_OPENED.replace('"note":4,', ""),
        "told-in-escapes": WORDS_OPENED.replace("withdraw", "attack").replace("note.opened", "\\u006eote.opened"),
    }
    return [
        Vector("right-words-opened", "14", VALID, None, _words(WORDS_OPENED)),
        Vector("right-words-withdrawn", "14", VALID, None, _words(withdrawn)),
        Vector("right-words-opened-withheld", "14", REDACTED, None, _words(WORDS_OPENED, 4)),
        *(Vector(f"words-opened-{name}", "14", INVALID, (7, 7), _words(opened)) for name, opened in wrong.items()),
        Vector("words-withdrawn-by-another-side", "14", INVALID, (7, 7), _words(withdrawn.replace('"red"', '"blue"'))),
        Vector("words-opened-withheld-from-that-side", "14", INVALID, (7, 7), _words(wrong["another-side"], 4)),
        Vector("words-opened-that-were-told-openly", "14", INVALID, (7, 7), _words(WORDS_OPENED.replace("4", "1"))),
    ]


def vectors() -> list[Vector]:
    """Return all vectors, each name once."""
    dice_and_words = (*_dice_wrong(), *map(_of_shares, share_vectors()), *_sealed_words())
    return [*_right(), *_lines_wrong(), *_orders_wrong(), *_ends_wrong(), *_held_against(), *dice_and_words]


def _of_shares(one: ShareVector) -> Vector:
    return Vector(one.name, "9", one.verdict, (one.at, one.at) if one.at else None, one.log)


def files() -> dict[str, bytes]:
    """Return the files of the folder: a log for each vector, `verdicts.json`, and the checkpoints in it."""
    made = {f"{one.name}.jsonl": one.log for one in vectors()}
    listed = [
        {
            "log": f"{one.name}.jsonl",
            "verdict": one.verdict,
            "section": one.section,
            **({"from": one.between[0], "to": one.between[1]} if one.between else {}),
            **({"checkpoint": one.checkpoint} if one.checkpoint else {}),
        }
        for one in vectors()
    ]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in listed)
    return {**made, "verdicts.json": f"[\n{lines}\n]\n".encode()}


def as_damaged(one: Vector) -> Damaged:
    return Damaged(one.name, one.log, one.checkpoint)


def write(folder: Path = FOLDER) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files().items():
        (folder / name).write_bytes(text)


if __name__ == "__main__":
    sys.exit(write())
