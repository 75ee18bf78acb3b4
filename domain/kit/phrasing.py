"""How a title's orders and their consequences are told, and what only its rules keep.

Everything is optional: an order without a phrase is told by its name and its arguments.
"""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

import msgspec


class Patterns(msgspec.Struct, frozen=True):
    """Names, made ready to be asked for: whole ones, and the beginnings of those that end in `*`."""

    whole: frozenset[str]
    beginnings: tuple[str, ...]

    def fit(self, name: str) -> bool:
        """Whether a name is one of them."""
        return name in self.whole or name.startswith(self.beginnings)


def patterns(names: tuple[str, ...]) -> Patterns:
    """Names, some of which may end in `*`."""
    stars = tuple(one[:-1] for one in names if one.endswith("*"))
    return Patterns(frozenset(one for one in names if not one.endswith("*")), stars)


class InWords(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The words of a title. Names of what the rules keep may end in `*`.

    `orders`: by order, the verb in the third person, arguments in braces: "boards {target} with {ships}"; what stands
    in [brackets] is left out where an argument in it is; of "{number|decoy|decoys}" it is the first word for one, the
    second for any other number. `attributes`, `markers`, `accounts`: marks that only the rules
    keep, and that nobody at a table would note; they are shown where they are asked for. `called`: what a yes and a
    no of an attribute are called, "on fire" and "no longer on fire". `battles`: the steps and headings in which fights
    are carried out, of which the report of a turn tells the dice and the losses. `retreats`: those in which units
    retreat. `harm`: attributes whose number counts as damage, 1 if that goes up by it and -1 if it goes down.
    `plural`: sides whose printed names take plural verbs, where the game itself does not say so.
    `causes`: why such a mark is set, where its cause tells a reader something: by cause, the words. A cause may end in
    `*`, for any end; words that end in `*` repeat it.
    `idle`: accounts that say nothing while nothing is on them, `*` for any part of a name. `choices`: by question, the
    loop outside which an answer to it is of no more interest than such a mark.
    """

    orders: Mapping[str, str] = {}
    attributes: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    called: Mapping[str, tuple[str, str]] = {}
    battles: tuple[str, ...] = ()
    retreats: tuple[str, ...] = ()
    harm: Mapping[str, int] = {}
    plural: tuple[str, ...] = ()
    choices: Mapping[str, str] = {}
    causes: Mapping[str, str] = {}

    def words_of_cause(self, cause: str) -> tuple[str, str]:
        """Return the words for a cause ("" if it has none) and its end, for which `*` was written."""
        if cause in self.causes:
            return self.causes[cause], ""
        for begins, words in self.causes.items():
            if begins.endswith("*") and cause.startswith(begins[:-1]):
                end = cause.removeprefix(begins[:-1])
                return (f"{words[:-1]}{end}" if words.endswith("*") else words), end
        return "", ""

    @cached_property
    def kept(self) -> Mapping[str, Patterns]:
        """What only the rules keep, by the kind of thing."""
        names = {name: getattr(self, name) for name in ("attributes", "markers", "accounts")}
        return {name: patterns((*found, *KEPT_EVERYWHERE.get(name, ()))) for name, found in names.items()}


KEPT_EVERYWHERE = {"markers": ("unread/*",)}
"""What the kit itself keeps for every title: rolls that wait to be read off the group's table (`table_rolls`)."""


def phrase(template: str, said: Mapping[str, Any]) -> str:
    """A phrase with an order's arguments; parts in brackets only where all their arguments are given."""
    told = (
        _filled(part, said)
        for at, part in enumerate(_parts(template))
        if at % 2 == 0 or all(_is_given(said.get(name)) for name in fields_of(part))
    )
    return "".join(told).strip()


@lru_cache(maxsize=1024)
def _parts(template: str) -> tuple[str, ...]:
    """Every other part stands in brackets."""
    return tuple(template.replace("]", "[").split("["))


@lru_cache(maxsize=1024)
def _pieces(part: str) -> tuple[str, tuple[tuple[str, tuple[str, ...], str], ...]]:
    """The words before the first argument; each argument, its words for one and for more, and the words behind it."""
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
    """The arguments that a phrase names."""
    return tuple(part.partition("}")[0].partition("|")[0] for part in template.split("{")[1:])


def _is_given(value: Any) -> bool:
    return value is not None and value not in ("", [], (), {}) and value is not False


def value_words(value: Any, *, way: bool = False) -> str:
    """An argument as people say it; the places of a way with arrows."""
    if isinstance(value, str):  # most are, and to ask whether something is a mapping costs ten times as much
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
