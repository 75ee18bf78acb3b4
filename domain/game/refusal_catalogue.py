"""Word a refusal from the catalogue of its folder: each code has one text and one remedy, with the same fields."""

import re
from collections.abc import Iterable, Mapping, Set
from functools import cache
from string import Formatter
from typing import Self, TypeVar

from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.verb_agreement import counted

Texts = Mapping[str, tuple[str, str]]
"""The text and the remedy of each code, with fields in braces; `{given:hex}` becomes `1 hex` or `3 hexes`."""
Error = TypeVar("Error", bound=DomainError)
PLAIN = (str, int, float, type(None))
SEATS = frozenset({"side", "seat", "who", "missing"})
"""Fields that contain ids of seats; texts show their display names."""
NO_NAMES: Mapping[str, str] = {}


class Reason(str):
    """A clause that gives one of several reasons for a refusal, with a key for programs.

    The words of a refusal contain the clause. Its field `reason` is the key, which stays the same when the words
    change.

    Args:
        key: The name of the reason in kebab case, such as `out-of-range`.
        words: The clause.
    """

    __slots__ = ("key",)
    key: str

    def __new__(cls, key: str, words: str) -> Self:
        made = super().__new__(cls, words)
        made.key = key
        return made


def refusal(
    kind: type[Error],
    texts: Texts,
    code: str,
    fields: Mapping[str, object],
    *,
    where: str,
    rule: str,
    names: Mapping[str, str] = NO_NAMES,
) -> Error:
    """Return an error of the given class, worded from a catalogue.

    The error keeps only the fields that its words name, because any other field could reveal a secret. If one of them
    is a `Reason`, the error also gets the field `reason`, which contains its key.

    Args:
        names: The display name of each seat, for sentences. Fields and code between backticks contain the id.

    Raises:
        KeyError: The catalogue has no such code, or its text names a field that is not given.
    """
    what, remedy = texts[code]
    plain = {name: _plain(fields[name]) for name in placeholders(what + remedy)}
    ids = {name: _joined(value) for name, value in plain.items()}
    said = {name: _joined(value, names) for name, value in plain.items() if name in SEATS}
    keys = [one.key for one in map(fields.__getitem__, plain) if isinstance(one, Reason)]
    return kind(
        _filled(what, ids, ids | said),
        where=where,
        rule=rule,
        remedy=_filled(remedy, ids, ids | said),
        code=code,
        fields={**plain, "reason": keys[0]} if keys else plain,
    )


def _joined(value: object, names: Mapping[str, str] = NO_NAMES) -> object:
    """Return a list as joined text and any other value unchanged, with display names of seats."""
    if type(value) is tuple:
        return ", ".join(names.get(str(one), str(one)) for one in value)
    return names.get(value, value) if isinstance(value, str) else value


def _filled(text: str, ids: Mapping[str, object], said: Mapping[str, object]) -> str:
    """Return a text with its fields filled in: `ids` within backticks, `said` elsewhere."""
    parts = text.split("`")
    return "`".join(_WITH_NOUNS.vformat(part, (), ids if at % 2 else said) for at, part in enumerate(parts))


class _WithNouns(Formatter):
    """A formatter that prints a number with a noun: `{given:hex}` becomes `1 hex` or `3 hexes`."""

    def format_field(self, value: object, format_spec: str) -> str:
        if len(format_spec) > 1 and format_spec.replace(" ", "").isalpha():
            return counted(value, format_spec)
        return str(super().format_field(value, format_spec))


_WITH_NOUNS = _WithNouns()


@cache
def placeholders(text: str) -> tuple[str, ...]:
    """Return the names of the fields in a text, in order, each once."""
    return tuple(dict.fromkeys(re.findall(r"(?<!\{)\{(\w+)", text.replace("{{", ""))))


def _plain(value: object) -> object:
    """Return a value that JSON can hold: a number, a text, or a list of these.

    A mapping becomes the list of its keys.
    """
    if isinstance(value, PLAIN):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Iterable):
        return tuple(map(_plain, sorted(value) if isinstance(value, Set) else value))
    return str(value)
