"""Write a template of a title's scenarios, with the type, default and purpose of every entry, and a small start.

It contains the title's `starter`; omitted entries are comments with their defaults. A game can be opened from the
unchanged template.
"""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import FieldInfo

from umpire_ledger.domain.game.field_types import (
    bare,
    entry_of,
    example_of,
    fields_of,
    is_struct,
    item_of,
    type_words,
    words_of_fields,
)
from umpire_ledger.domain.game.hidden_units import FOG
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE
from umpire_ledger.domain.game.spectator_delay import EXAMPLE, SPECTATOR_DELAY
from umpire_ledger.domain.game.toml_text import WIDTH, inline, key_text
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.scenario_needs import all_uses, uses_of_tables

SMALL = 2
"""Tables with at most this many entries are written on one line each inside a list, such as `sides`."""
LAST = ("victory", "accounts", "markers", "options", "tables", "numbers")
"""Sections of every title that come after the title's own."""
SCENARIO_WORDS = {
    "title": "the title of the game",
    "name": "name of the scenario",
    "sides": "the sides, in order of play; `id`: the name in orders and `--as`; `plural`: the name takes plural "
    "verbs; `color`, `letter`: those of its counters",
    "about": "source of its values",
    "dice": "who rolls: Umpire, from a seed it has committed to, or the group at its table",
    "accounts": "counters and their values at the start: victory points, money",
    "markers": "markers that are not units",
}
"""Descriptions of the entries that every scenario has."""
UNIT_WORDS = {
    "id": "id in orders and in the log",
    "side": "owner: the id of a side",
    "kind": "kind of unit",
    "at": "its place",
    "hidden": "true: with fog, only its side sees it at the start",
}
"""Descriptions of the entries that every unit and side has."""


def template_of(title: Title) -> str:
    """Return the text of a template. The same title always has the same text."""
    return "\n".join(_Template(title).lines()) + "\n"


def starter_of(title: Title) -> dict[str, Any]:
    """Return the small scenario that a template begins with, as plain data."""
    needed = {one.encode_name: example_of(one.type) for one in fields_of(title.scenario) if one.required}
    sides = [{"id": "red", "name": "Red"}, {"id": "blue", "name": "Blue"}]
    own = {"title": title.id, "name": "A name", "about": "Made up: the template.", "dice": "table"}
    return {**needed, "sides": sides, **title.starter, **own}


class _Template:
    def __init__(self, title: Title) -> None:
        self.title = title
        self.given = starter_of(title)
        self.fields = {one.encode_name: one for one in fields_of(title.scenario)}
        self.words = {**SCENARIO_WORDS, **words_of_fields(title.scenario)}

    def lines(self) -> Iterator[str]:
        yield f"#:schema {self.title.id}.schema.json"
        yield from _head(self.title)
        for field in self.fields.values():
            if not _is_section(field):
                yield from _entry(field, self.given, self.words)
        sections = [name for name, field in self.fields.items() if _is_section(field) and name != "position"]
        for name in (*(one for one in sections if one not in LAST), *LAST):
            yield ""
            yield from self._section(name, self.fields[name])
        yield from ("", "# [position]: a mid-game setup; `umpire scenario GAME -o FILE` writes it")

    def _section(self, name: str, field: FieldInfo) -> Iterator[str]:
        own = {"options": self._options, "tables": self._tables, "numbers": self._numbers}
        if name in own:
            yield from own[name]()
            return
        kind = self.title.victory if name == "victory" and self.title.victory is not None else field.type
        inner, item, entry = bare(kind), item_of(kind), entry_of(kind)
        words = self.words.get(name, "")
        if is_struct(inner):
            yield from _about(name, words or type_words(kind), inner)
            yield from _table(f"[{name}]", inner, self.given.get(name))
        elif item is not None:
            yield from _about(name, words, bare(item))
            yield from _members(f"[[{name}]]", bare(item), self.given.get(name) or [None])
        elif entry is not None and is_struct(bare(entry[1])):
            yield from _about(name, words, bare(entry[1]))
            yield from _named(name, bare(entry[1]), self.given.get(name) or {"NAME": None})
        else:
            yield from _wrapped(f"{name}: {words or type_words(kind)}")
            yield from _plain_table(name, entry, self.given.get(name) or {})

    # --- entries of every title
    # -------------------------------------------------------------------------------------------

    def _options(self) -> Iterator[str]:
        known = {**self.title.options, CLOSED_TO_REFEREE: False, SPECTATOR_DELAY: "", FOG: False}
        yield "# options, each with its default"
        yield "[options]"
        readings = {
            **self.title.readings,
            CLOSED_TO_REFEREE: "the referee cannot see the sides' secrets",
            FOG: "units may be hidden from other sides",
            SPECTATOR_DELAY: f"delay for spectators: {EXAMPLE}",
        }
        for name, value in known.items():
            yield from _line(name, value, readings.get(name, ""), commented=True)

    def _tables(self) -> Iterator[str]:
        uses = uses_of_tables(self.title)
        names = dict.fromkeys((*uses, *self.title.rows))
        yield from _wrapped(
            "tables that this title cannot include: give either a row for every total (`7`, `3..5`, `2 or less`, "
            "`12 or more`) or, in `by_the_book`, the page from which the group reads the results."
        )
        given: Mapping[str, Any] = self.given.get("tables", {})
        for name in names:
            there = all_uses(uses[name]) if name in uses else ""
            yield from _one_table(name, self.title.rows.get(name, str), given.get(name), there)
        if not names:
            yield from _one_table("NAME", str, None, "the order `roll`, by name")

    def _numbers(self) -> Iterator[str]:
        yield "# numbers: house values, which no rulebook prints. Give a source for each that you change."
        for number in self.title.ours:
            if not number.where:
                yield ""
                yield from _wrapped(f"{number.rule}: {number.says}")
                yield f"# [numbers.{key_text(number.name)}]"
                yield f"# value = {inline(number.value)}"
                yield '# source = "the source"'


def _head(title: Title) -> Iterator[str]:
    yield f"# A scenario of {title.name}. All values are invented; lines and entries after # are optional."
    yield "# Check it:        umpire scenario --check FILE"
    yield f"# Open a game:     umpire new {title.id} --id ID --scenario FILE"
    yield f"# For an editor:   umpire scenario {title.id} --schema -o {title.id}.schema.json"
    yield ""


def _is_section(field: FieldInfo) -> bool:
    """Return whether an entry has a section of its own. Sections come after entries on one line."""
    inner, item, entry = bare(field.type), item_of(field.type), entry_of(field.type)
    if item is not None and is_struct(bare(item)):
        return len(fields_of(bare(item))) > SMALL
    return is_struct(inner) or entry is not None


def _about(name: str, words: str, schema: type[msgspec.Struct]) -> Iterator[str]:
    """Yield the purpose of a section: by default the first sentence of its schema."""
    first = " ".join((schema.__doc__ or "").split("\n\n")[0].split()).partition(". ")[0].rstrip(".")
    yield from _wrapped(f"{name}: {words or first}")


def _table(heading: str, schema: type[msgspec.Struct], given: Any) -> Iterator[str]:
    """Yield a section with every entry of its schema, commented out if it is not given."""
    yield heading if given is not None else f"# {heading}"
    words = {**UNIT_WORDS, **words_of_fields(schema)}
    shown: Mapping[str, Any] = given if given is not None else {}
    for field in fields_of(schema):
        yield from _entry(field, shown, words)


def _members(heading: str, schema: type[msgspec.Struct], given: Sequence[Any]) -> Iterator[str]:
    """Yield the sections of a list: the first with every entry, the others with only the given ones."""
    yield from _table(heading, schema, given[0])
    for one in given[1:]:
        yield from ("", heading)
        yield from (f"{key_text(name)} = {inline(value)}" for name, value in one.items())


def _named(section: str, schema: type[msgspec.Struct], given: Mapping[str, Any]) -> Iterator[str]:
    """Yield the sections of a table of names: the first with every entry, the others with only the given ones."""
    for at, (name, one) in enumerate(given.items()):
        heading = f"[{section}.{key_text(name)}]"
        if at:
            yield from ("", heading)
            yield from (f"{key_text(key)} = {inline(value)}" for key, value in one.items())
        else:
            yield from _table(heading, schema, one)


def _plain_table(section: str, entry: tuple[Any, Any] | None, given: Mapping[str, Any]) -> Iterator[str]:
    yield f"[{section}]" if given else f"# [{section}]"
    for name, value in given.items():
        yield f"{key_text(name)} = {inline(value)}"
    if not given:
        yield f"# NAME = {inline(example_of(entry[1]) if entry else 'value')}"


def _one_table(name: str, row: Any, given: Mapping[str, Any] | None, there: str) -> Iterator[str]:
    commented = given is None
    mark = "# " if commented else ""
    yield ""
    yield from _wrapped(f"{name}{f': looked up by {there}' if there else ''}; a row holds {_row_words(row)}")
    yield f"{mark}[tables.{key_text(name)}]"
    shown: Mapping[str, Any] = given or {"dice": "1d6", "by_the_book": f"the book's table {name}"}
    for key, value in shown.items():
        if key == "rows":
            yield from (f"{mark}rows.{key_text(total)} = {inline(one)}" for total, one in value.items())
        else:
            yield f"{mark}{key} = {inline(value)}"
    if "rows" not in shown:
        example = inline(example_of(row))
        yield from ("# instead of by_the_book:", '# source = "page of the book"')
        yield from (f'# rows."6 or less" = {example}', f'# rows."7 or more" = {example}')


def _row_words(row: Any) -> str:
    inner = bare(row)
    if not is_struct(inner):
        return type_words(row)
    words = words_of_fields(inner)
    parts = (f"{one.encode_name} ({words.get(one.name) or type_words(one.type)})" for one in fields_of(inner))
    return ", ".join(parts)


# --- one entry --------------------------------------------------------------------------------------------------------


def _entry(field: FieldInfo, given: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[str]:
    """Yield a given entry; otherwise its default, commented out, or an example if it has no default."""
    name = field.encode_name
    needed = "required: " if field.required else ""
    says = words.get(field.name) or words.get(name, "")
    comment = f"{needed}{type_words(field.type)}{f'; {says}' if says else ''}"
    if name in given:
        yield from _line(name, given[name], comment)
        return
    default = _default(field)
    has_none = default is msgspec.NODEFAULT
    shown = example_of(field.type) if has_none else default
    unless = "; an example, because there is no default" if has_none and not field.required else ""
    yield from _line(name, shown, f"{comment}{unless}", commented=True)


def _default(field: FieldInfo) -> Any:
    """Return the default of an entry; NODEFAULT if it has none."""
    if field.default_factory is not msgspec.NODEFAULT:
        return msgspec.to_builtins(field.default_factory())
    if field.default in (None, msgspec.UNSET, msgspec.NODEFAULT):
        return msgspec.NODEFAULT
    return msgspec.to_builtins(field.default)


def _line(name: str, value: Any, comment: str, *, commented: bool = False) -> Iterator[str]:
    """Yield `name = value  # comment`; the comment comes above if the line would be too long."""
    mark = "# " if commented else ""
    line = f"{mark}{key_text(name)} = {inline(value)}"
    whole = f"{line}  # {comment}" if comment else line
    if len(whole) <= WIDTH or not comment:
        yield whole
        return
    yield from _wrapped(f"{name}: {comment}")
    yield line


def _wrapped(text: str) -> Iterator[str]:
    yield from (f"# {line}" for line in textwrap.wrap(text, WIDTH - 2))
