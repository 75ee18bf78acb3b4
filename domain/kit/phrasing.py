"""Phrase a title's orders and their results, and name the marks that only its rules keep.

Everything is optional. An order without a phrase is described by its name and its arguments.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

import msgspec


class Patterns(msgspec.Struct, frozen=True):
    """Names, prepared for lookup: whole names, and prefixes of names that end in `*`."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]

    def fit(self, name: str) -> bool:
        """Return whether a name matches one of the patterns."""
        return name in self.whole or name.startswith(self.beginnings)


def patterns(names: tuple[str, ...]) -> Patterns:
    """Return the patterns for names, some of which may end in `*`."""
    stars = tuple(one[:-1] for one in names if one.endswith("*"))
    return Patterns(frozenset(one for one in names if not one.endswith("*")), stars)


class InWords(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The words of a title. Names of marks that only the rules keep may end in `*`."""

    orders: Mapping[str, str] = {}
    """By order, its verb in the third person, with arguments in braces: "boards {target} with {ships}".

    A part in [brackets] is omitted if one of its arguments is omitted. "{number|decoy|decoys}" becomes its first word
    for 1 and its second word for any other number.
    """
    attributes: tuple[str, ...] = ()
    """Attributes that only the rules keep and that players at a table would not write down; shown on request."""
    markers: tuple[str, ...] = ()
    """Markers that only the rules keep."""
    accounts: tuple[str, ...] = ()
    """Accounts that only the rules keep."""
    idle: tuple[str, ...] = ()
    """Accounts to omit while they are empty; `*` matches any part of a name."""
    called: Mapping[str, tuple[str, str]] = {}
    """By attribute, the words for a yes and a no: "on fire" and "no longer on fire"."""
    battles: tuple[str, ...] = ()
    """The steps and headings of battles, whose dice and losses the report of a turn lists."""
    retreats: tuple[str, ...] = ()
    """The steps and headings in which units retreat."""
    harm: Mapping[str, int] = {}
    """Attributes whose number counts as damage: 1 if damage raises it, -1 if damage lowers it."""
    plural: tuple[str, ...] = ()
    """Sides whose printed names take plural verbs, unless the game itself declares this."""
    choices: Mapping[str, str] = {}
    """By question, a loop. Outside it, an answer matters as little as a mark that only the rules keep."""
    causes: Mapping[str, str] = {}
    """By cause, the reason for a mark that only the rules keep, in words, if readers need it."""
    joins: Mapping[str, str] = {}
    """By attribute that a group has for its members, the attribute of the members that names the group.

    If a unit loses the attribute because it joins a group, that change is omitted.
    """
    marks: Mapping[str, str] = {}
    """By marker that only the rules keep, the words for readers when it is set."""
    looks: tuple[str, ...] = ()
    """Questions whose revealed answer a side only looks at; they may end in `*`."""

    def is_look(self, question: str) -> bool:
        """Return whether revealing an answer only lets a side look at it."""
        return patterns(self.looks).fit(question)

    def words_of_cause(self, cause: str) -> tuple[str, str]:
        """Return the words for a cause, "" if it has none, and the part of the cause that `*` matches."""
        return _words_for(cause, self.causes)

    def words_of_mark(self, marker: str) -> tuple[str, str]:
        """Return the words for a marker that is set, "" if it has none, and the part of its name that `*` matches."""
        return _words_for(marker, self.marks)

    @cached_property
    def kept(self) -> Mapping[str, Patterns]:
        """The names of marks that only the rules keep, by kind."""
        names = {name: getattr(self, name) for name in ("attributes", "markers", "accounts")}
        return {name: patterns((*found, *KEPT_EVERYWHERE.get(name, ()))) for name, found in names.items()}


def _words_for(name: str, phrases: Mapping[str, str]) -> tuple[str, str]:
    """Return the words for a name, and the part that `*` matches. A final `*` in the words is replaced by that part."""
    if name in phrases:
        return phrases[name], ""
    for begins, words in phrases.items():
        if begins.endswith("*") and name.startswith(begins[:-1]):
            end = name.removeprefix(begins[:-1])
            return (f"{words[:-1]}{end}" if words.endswith("*") else words), end
    return "", ""


KEPT_EVERYWHERE = {"markers": ("unread/*",)}
"""Marks that the kit itself keeps for every title: rolls whose results the group must still read (`table_rolls`)."""


def phrase(template: str, said: Mapping[str, Any]) -> str:
    """Return a phrase filled in with an order's arguments, omitting parts in brackets with an omitted argument."""
    told = (
        _filled(part, said)
        for at, part in enumerate(_parts(template))
        if at % 2 == 0 or all(_is_given(said.get(name)) for name in fields_of(part))
    )
    return "".join(told).strip()


@lru_cache(maxsize=1024)
def _parts(template: str) -> tuple[str, ...]:
    """Return the parts of a phrase. Every second part is in brackets."""
    return tuple(template.replace("]", "[").split("["))


@lru_cache(maxsize=1024)
def _pieces(part: str) -> tuple[str, tuple[tuple[str, tuple[str, ...], str], ...]]:
    """Return the words before the first argument of a part, and then each argument with the words after it.

    An argument also has its forms for 1 and for other numbers.
    """
    first, *rest = part.split("{")
    told = ((name.split("|"), behind) for name, _, behind in (one.partition("}") for one in rest))
    return first, tuple((name, tuple(forms), behind) for (name, *forms), behind in told)


def _filled(part: str, said: Mapping[str, Any]) -> str:
    text, rest = _pieces(part)
    for name, forms, behind in rest:
        value = said.get(name)
        text += (forms[value != 1] if forms else value_words(value, way=name == "path")) + behind
    return text


@lru_cache(maxsize=1024)
def fields_of(template: str) -> tuple[str, ...]:
    """Return the names of the arguments in a phrase."""
    return tuple(part.partition("}")[0].partition("|")[0] for part in template.split("{")[1:])


def _is_given(value: Any) -> bool:
    return value is not None and value not in ("", [], (), {}) and value is not False


def value_words(value: Any, *, way: bool = False) -> str:
    """Return an argument in words. `way`: the value is a path, so its places are joined with arrows."""
    if isinstance(value, str):  # Most values are texts, and a test for a mapping takes ten times as long.
        return value
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return (" → " if way else ", ").join(filter(None, map(value_words, value))) or "nothing"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {value_words(one)}" for name, one in value.items()) or "nothing"
    return str(value)
