"""A seeded mutator for JSON, for lines of text, and for the words of a command."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

HUGE = 10**30
EXTREMES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**53 - 1, 2**53, -(2**53), 2**63 - 1, 2**63, -(2**63) - 1, HUGE, -HUGE),
    *(0.5, 1e308, -0.0, "", " ", "0", "x" * 10_000, "\u0000", "\ud800", "\u202e", "é" * 90, "../../etc/passwd"),
    *("'; DROP TABLE record; --", "\x1b[2J", "=1+1", [], {}, [[]], [None], {"": ""}, ["x"] * 2000, "red", "referee"),
)
WORDS = (
    *(
        "",
        " ",
        "-",
        "--",
        "---",
        "-1",
        "#",
        "#0",
        "#-1",
        "#99999999999999999999",
        "0",
        "99999999999999999999",
        "1e9",
        "٣",
    ),
    *("x" * 5000, "\x1b[31m", "\u202e", "\udcff", "a\nb", "a b", "..", ".", "/", "/dev/null", "{}", "[]", "null", '"'),
    *(
        "{",
        '{"order": null}',
        '{"order": "note"}',
        "--help",
        "--json",
        "--as",
        "red",
        "referee",
        "%s",
        "$(id)",
        "*",
        "9" * 5000,
    ),
)
TOKENS = (
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b",",
        b":",
        b"\\",
        b"\n",
        b"\r\n",
        b"\x00",
        b"\xff",
        b"\xef\xbb\xbf",
        b"null",
        b"=",
    ),
    *(
        b"9" * 400,
        b"9" * 5000,
        b"-",
        b"1e999",
        b"NaN",
        b"\\ud800",
        b"=",
        b"[" * 2000,
        b'{"a":' * 500,
        b"'''",
        b'"""',
        b"#",
    ),
    *(b"true", b"2026-01-01", b"0x10", b"a.b.c.d", b'"' + b"x" * 3000 + b'"', b"\xc3\x28", b" " * 500),
)
MOST_CHANGES = 3


def mutated_json(chance: random.Random, value: Any) -> str:
    """Return the text of a JSON value with one to three places changed; now and then it is invalid JSON."""
    for _ in range(chance.randint(1, MOST_CHANGES)):
        value = _changed(chance, value)
    text = json.dumps(value, ensure_ascii=chance.random() < 0.9)
    text = _read(_bytes(text))
    if chance.random() < 0.15:
        return _read(mutated_text(chance, _bytes(text)))
    if chance.random() < 0.03:
        depth = chance.choice((50, 900, 3000, 100_000))
        return '{"order":' + "[" * depth + "]" * depth + "}"
    return text


def changed_entry(chance: random.Random, value: Any) -> Any:
    """Return a copy of a JSON value with one to three places changed."""
    for _ in range(chance.randint(1, MOST_CHANGES)):
        value = _changed(chance, value)
    return value


def mixed_texts(chance: random.Random, value: Any) -> Any:
    """Return a copy in which one text, or a part of it between blanks, replaces another."""
    texts = sorted(set(_texts(value)))
    old, new = chance.choice(texts), chance.choice(texts)
    words, instead = old.split(" "), new.split(" ")
    words[chance.randrange(len(words))] = chance.choice(instead)
    return _with_text(value, old, chance.choice((new, " ".join(words))))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


def _with_text(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {name: _with_text(one, old, new) for name, one in value.items()}
    if isinstance(value, list):
        return [_with_text(one, old, new) for one in value]
    return new if value == old else value


def _changed(chance: random.Random, value: Any) -> Any:
    """Return a copy of a JSON value with one place changed, anywhere in it."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        way = chance.random()
        if way < 0.1:
            return {name: inner for name, inner in value.items() if name != key}
        if way < 0.2:
            return {**value, chance.choice((*value, "id", "as", "pips", "again", "entered_by", "")): _extreme(chance)}
        return {**value, key: _changed(chance, value[key])}
    if isinstance(value, list) and value and chance.random() < 0.8:
        at = chance.randrange(len(value))
        way = chance.random()
        if way < 0.15:
            return [*value[:at], *value[at + 1 :]]
        if way < 0.3:
            return [*value[:at], value[at], *value[at:]]
        return [*value[:at], _changed(chance, value[at]), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 10, -100, 2**40))
    if isinstance(value, str) and chance.random() < 0.5:
        return _read(mutated_text(chance, _bytes(value)))
    return _extreme(chance)


def _extreme(chance: random.Random) -> Any:
    return chance.choice(EXTREMES)


def mutated_text(chance: random.Random, text: bytes) -> bytes:
    """Return bytes with one to three changes: flipped, left out, put in, doubled, exchanged, cut."""
    for _ in range(chance.randint(1, MOST_CHANGES)):
        text = chance.choice(CHANGES)(chance, text)
    return text


def _place(chance: random.Random, text: bytes) -> tuple[int, int]:
    start = chance.randrange(len(text) + 1)
    return start, min(len(text), start + chance.choice((1, 1, 2, 8, 40, 200)))


def _flipped(chance: random.Random, text: bytes) -> bytes:
    if not text:
        return b"?"
    at = chance.randrange(len(text))
    return text[:at] + bytes((text[at] ^ 1 << chance.randrange(8),)) + text[at + 1 :]


def _left_out(chance: random.Random, text: bytes) -> bytes:
    start, end = _place(chance, text)
    return text[:start] + text[end:]


def _put_in(chance: random.Random, text: bytes) -> bytes:
    start, _ = _place(chance, text)
    return text[:start] + chance.choice(TOKENS) + text[start:]


def _put_over(chance: random.Random, text: bytes) -> bytes:
    start, end = _place(chance, text)
    return text[:start] + chance.choice(TOKENS) + text[end:]


def _doubled(chance: random.Random, text: bytes) -> bytes:
    start, end = _place(chance, text)
    return text[:end] + text[start:]


def _exchanged(chance: random.Random, text: bytes) -> bytes:
    lines = text.splitlines(keepends=True)
    if len(lines) < 2:
        return text[::-1]
    one, other = chance.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _other_number(chance: random.Random, text: bytes) -> bytes:
    """Replace one digit by another number, to get valid text with another meaning."""
    digits = [at for at, byte in enumerate(text) if 48 <= byte <= 57]
    if not digits:
        return _flipped(chance, text)
    at = chance.choice(digits)
    number = chance.choice((b"0", b"-1", b"7", b"4294967296", b"9007199254740993", b"9223372036854775808", b"1.5"))
    return text[:at] + number + text[at + 1 :]


def _cut(chance: random.Random, text: bytes) -> bytes:
    return text[: chance.randrange(len(text) + 1)]


Change = Callable[[random.Random, bytes], bytes]
CHANGES: tuple[Change, ...] = (
    *(_flipped, _flipped, _left_out, _put_in, _put_over, _doubled, _exchanged, _other_number, _other_number, _cut),
)


def mutated_words(chance: random.Random, words: list[str], *, keep: int) -> list[str]:
    """Return the words of a command with one to three changed; the first `keep`, its name, mostly stay."""
    words = list(words)
    for _ in range(chance.randint(1, MOST_CHANGES)):
        first = 0 if chance.random() < 0.02 else min(keep, len(words))
        at = chance.randint(first, len(words))
        way = chance.random()
        if way < 0.5 and at < len(words):
            words[at] = chance.choice(WORDS)
        elif way < 0.65:
            del words[at : at + 1]
        elif way < 0.85 and at < len(words):
            words[at] = _read(mutated_text(chance, _bytes(words[at])))
        else:
            words.insert(at, chance.choice(WORDS))
    return [word.replace("\x00", "") for word in words]


def _bytes(text: str) -> bytes:
    """Half a character of two, which no UTF-8 has, is written as JSON's escapes would have it."""
    return text.encode("utf-8", "surrogatepass")


def _read(raw: bytes) -> str:
    """Decode invalid UTF-8 as a shell passes it on."""
    return raw.decode("utf-8", "surrogateescape")
