"""Word a refusal from the catalogue of its room: a code has one text and one remedy, filled with the same fields."""

import re
from collections.abc import Iterable, Mapping, Set
from functools import cache
from typing import Self, TypeVar

from umpire_ledger.domain.game.errors import DomainError

Texts = Mapping[str, tuple[str, str]]
"""The text and the remedy of each code, with the names of fields in braces."""
Error = TypeVar("Error", bound=DomainError)
PLAIN = (str, int, float, type(None))


class Reason(str):
    """A clause that says which of several reasons a refusal has, with a key for programs.

    The words of a refusal contain the clause. Its field `reason` is the key, which does not change when the
    words do.

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
    kind: type[Error], texts: Texts, code: str, fields: Mapping[str, object], *, where: str, rule: str
) -> Error:
    """Return an error of that kind, worded from a catalogue.

    It keeps the fields that its words name and no other: a field that a seat cannot read in them could be a secret. A
    `Reason` among them adds the field `reason`, which contains its key.

    Raises:
        KeyError: The catalogue has no such code, or its text names a field that is not given.
    """
    what, remedy = texts[code]
    plain = {name: _plain(fields[name]) for name in placeholders(what + remedy)}
    words = {name: ", ".join(map(str, value)) if type(value) is tuple else value for name, value in plain.items()}
    keys = [one.key for one in map(fields.__getitem__, plain) if isinstance(one, Reason)]
    return kind(
        what.format_map(words),
        where=where,
        rule=rule,
        remedy=remedy.format_map(words),
        code=code,
        fields={**plain, "reason": keys[0]} if keys else plain,
    )


@cache
def placeholders(text: str) -> tuple[str, ...]:
    """Return the names of the fields of a text, in order, each once."""
    return tuple(dict.fromkeys(re.findall(r"(?<!\{)\{(\w+)", text.replace("{{", ""))))


def _plain(value: object) -> object:
    """Return a value that JSON can hold: a number, a text, or a list of these. A mapping is the list of its keys."""
    if isinstance(value, PLAIN):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, Iterable):
        return tuple(map(_plain, sorted(value) if isinstance(value, Set) else value))
    return str(value)
