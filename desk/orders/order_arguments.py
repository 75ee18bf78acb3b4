"""Read and write the arguments of an order as a person types them, by the type of each field.

    required fields   by position, in the order of the type
    other fields      as options: --by-the-book, --modifiers
    several values    separated by commas or spaces: 0610,0611 (by semicolons if names have commas: 14,22;15,22;
                      places need no semicolons if all places of the game have the same number of commas)
    {name: value}     NAME=VALUE, several separated by commas
    a struct          its fields separated by colons, the last field takes the rest: -1:out of supply
    anything nested   as JSON too, if it begins with { [ or "

The module knows no specific order: it reads all types with `msgspec.inspect`.
"""

import re
from collections.abc import Sequence
from functools import cache
from inspect import get_annotations
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect as shape

from umpire_ledger.domain.game.orders import PLACE, Order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.records.json_keys import repeated_key

TEXT = 500
"""A string that may have more characters than this is a sentence: the last one on a line takes all remaining words."""


class UnreadableWord(ValueError):
    """A word is not a valid value of its argument; the text of the error says which value was expected."""


class Argument(NamedTuple):
    """One argument of an order. `name`: as in JSON; `type`: its type in `msgspec.inspect`; `says`: help."""

    name: str
    type: shape.Type
    required: bool
    says: str
    names: str
    """The kind of thing that its values name: unit, place, side, …; "" if the type does not say."""
    own: bool
    """Whether the order's own type declares it; False, for example, for an argument of all orders that roll."""

    @property
    def option(self) -> str:
        """Its name as an option, such as `--by-the-book`."""
        return "--" + self.name.replace("_", "-")

    @property
    def is_flag(self) -> bool:
        return isinstance(self.type, shape.BoolType)

    @property
    def is_number(self) -> bool:
        return isinstance(self.type, shape.IntType)

    @property
    def is_many(self) -> bool:
        """Whether it takes several words."""
        return isinstance(self.type, (shape.VarTupleType, shape.DictType))

    @property
    def item(self) -> shape.Type:
        """The type of one of its words."""
        return _plain(self.type.item_type) if isinstance(self.type, shape.VarTupleType) else self.type

    @property
    def is_nested(self) -> bool:
        """Whether it takes a list of lines, each with several values."""
        return isinstance(self.item, (shape.StructType, shape.DictType)) and self.item is not self.type

    @property
    def is_counted(self) -> bool:
        """Whether each of its words is a name with a number: cruiser=2."""
        return isinstance(self.item, shape.DictType) and isinstance(_plain(self.item.value_type), shape.IntType)

    @property
    def may_list(self) -> bool:
        """Whether it takes one value or a list of them, as an attribute and a marker do."""
        return isinstance(self.type, shape.UnionType) and any(
            isinstance(one, (shape.VarTupleType, shape.ListType)) for one in self.type.types
        )

    @property
    def lists_places(self) -> bool:
        """Whether it takes several places in sequence."""
        return self.names == PLACE and isinstance(self.type, shape.VarTupleType)

    @property
    def begins_at_start(self) -> bool:
        """Whether a path of it begins with the place of its units, because it takes two places or more."""
        return self.lists_places and isinstance(self.type, shape.VarTupleType) and (self.type.min_length or 0) > 1

    @property
    def is_text(self) -> bool:
        """Whether it is a sentence."""
        return isinstance(self.type, shape.StrType) and (self.type.max_length or 0) > TEXT

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed words, if the type lists them."""
        return words_of(self.item)

    @property
    def metavar(self) -> str:
        """Its form in a usage line, such as PATH,… or cruise|maximum."""
        if isinstance(self.type, shape.DictType):
            return f"{(self.names or 'name').upper()}={_value_of(self.type.value_type)},…"
        return _metavar(self.name.upper().replace("_", "-"), self.type)

    def read(self, words: Sequence[str]) -> Any:
        """Return the value of the typed words.

        Raises:
            UnreadableWord: When they are not a valid value.
        """
        return _read(self.type, list(words))

    def write(self, value: Any) -> list[str]:
        """Return a value as words that `read` accepts: one word; for a list of nested values, one word each."""
        words = _write(self.type, value)
        try:
            if self.read(words) == msgspec.json.decode(msgspec.json.encode(value)):
                return words
        except UnreadableWord:
            pass
        return [msgspec.json.encode(value).decode()]


@cache
def arguments_of(order: type[Order]) -> tuple[Argument, ...]:
    """Return the arguments of an order in the order of its type, without `as`."""
    told = shape.type_info(order)
    assert isinstance(told, shape.StructType)
    own = get_annotations(order)
    text = order.__doc__ or ""
    return tuple(
        Argument(
            name=field.encode_name,
            type=_plain(field.type),
            required=field.required,
            says=_said_of(text, field.encode_name),
            names=_kind(field.type),
            own=field.name in own,
        )
        for field in told.fields
        if field.encode_name != "as"
    )


@cache
def positional(order: type[Order]) -> tuple[Argument, ...]:
    """Return the positional arguments: the required ones; without any, the first argument that the order declares."""
    required = tuple(one for one in arguments_of(order) if one.required)
    return required or tuple(one for one in arguments_of(order) if one.own and not one.is_flag)[:1]


def _kind(type: shape.Type) -> str:
    """Return the kind of thing from the metadata `names` of a type or of its parts; "" if there is none."""
    if isinstance(type, shape.Metadata):
        return str((type.extra or {}).get("names", "")) or _kind(type.type)
    if isinstance(type, shape.VarTupleType):
        return _kind(type.item_type)
    if isinstance(type, shape.DictType):
        return _kind(type.key_type)
    return ""


def _plain(type: shape.Type) -> shape.Type:
    """Return the type without its metadata; for a union with None, the other type."""
    if isinstance(type, shape.Metadata):
        return _plain(type.type)
    if isinstance(type, shape.UnionType):
        parts = [one for one in type.types if not isinstance(one, shape.NoneType)]
        return _plain(parts[0]) if len(parts) == 1 else type
    return type


def _said_of(text: str, name: str) -> str:
    """Return the description of an argument in the docstring of an order: "`name`: …" up to the next one."""
    found = re.search(rf"`{re.escape(name)}`(?:, `\w+`)*: (.+?)(?=(?:\.|;)\s+`|\n\n|\Z)", text, re.DOTALL)
    return " ".join(found[1].split()).rstrip(".") if found else ""


# --- from words to a value --------------------------------------------------------------------------------------------


def words_of(type: shape.Type) -> tuple[str, ...]:
    """Return the words of a type that is a choice of words or a union of such choices; () for any other type."""
    type = _plain(type)
    each = type.types if isinstance(type, shape.UnionType) else (type,)
    if not all(isinstance(one, shape.LiteralType) for one in each):
        return ()
    return tuple(str(word) for one in each if isinstance(one, shape.LiteralType) for word in one.values if word != "")


def _read(type: shape.Type, words: list[str]) -> Any:
    type = _plain(type)
    if len(words) == 1 and words[0][:1] in ("{", "[") and not isinstance(type, (shape.StrType, shape.LiteralType)):
        if isinstance(type, shape.VarTupleType) and words[0][:1] == "{":
            return [_json(words[0])]
        return _json(words[0])
    if isinstance(type, shape.VarTupleType):
        return _read_list(_plain(type.item_type), words)
    if isinstance(type, shape.DictType):
        return _read_pairs(type, words)
    if len(words) != 1:
        raise UnreadableWord(f"one value, not {len(words)}")
    return _read_one(type, words[0])


def _json(text: str) -> Any:
    try:
        found = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise UnreadableWord(f"complete JSON: {error}") from error
    if (key := repeated_key(text.encode())) is not None:
        raise UnreadableWord(f'each key once, but "{key}" occurs twice')
    return found


def _read_list(item: shape.Type, words: list[str]) -> list[Any]:
    if isinstance(item, (shape.StructType, shape.DictType)):  # each is one word, because its text may have commas
        return [_read(item, [word]) for word in words]
    return [_read_one(item, piece) for word in words for piece in pieces(word)]


def pieces(word: str) -> list[str]:
    """Split a word at commas, or only at semicolons if it has any, for names with commas: 14,22;15,22."""
    return [piece.strip() for piece in word.split(";" if ";" in word else ",") if piece.strip()]


def commas_in_places(game: Game) -> int:
    """Return the number of commas in every numeric place in use, such as 1 for `24,6`; 0 if the numbers differ."""
    numbered = (unit.at for unit in game.units.values() if not unit.fate and re.search(r"\d", unit.at))
    counts = {at.count(",") for at in numbered}
    return counts.pop() if len(counts) == 1 else 0


def whole_places(words: Sequence[str], commas: int) -> list[str]:
    """Put semicolons between places whose names have commas: 24,6,25,7 becomes 24,6;25,7."""
    return [_whole_places(word, commas) for word in words]


def plain_place(word: str, commas: int) -> str:
    """Return one place without its final semicolon, if `whole_places` reads it as one place anyway."""
    alone = word.removesuffix(";")
    return alone if _whole_places(alone, commas) == word else word


def _whole_places(word: str, commas: int) -> str:
    each = word.split(",")
    if not commas or ";" in word or len(each) % (commas + 1):
        return word
    return "".join(f"{','.join(each[at : at + commas + 1])};" for at in range(0, len(each), commas + 1))


def _read_pairs(type: shape.DictType, words: list[str]) -> dict[Any, Any]:
    found: dict[Any, Any] = {}
    for word in words:
        for piece in pieces(word) if not _is_text(type.value_type) else [word]:
            key, equals, value = piece.partition("=")
            if not equals or not key:
                raise UnreadableWord(f"NAME=VALUE, not {piece!r}")
            if key in found:
                raise UnreadableWord(f"each name once, but {key!r} occurs twice")
            found[key] = _read(type.value_type, [value])
    return found


def _is_text(type: shape.Type) -> bool:
    type = _plain(type)
    return isinstance(type, shape.StrType) and (type.max_length or 0) > TEXT


def _read_one(type: shape.Type, word: str) -> Any:
    type = _plain(type)
    match type:
        case shape.BoolType():
            return _read_truth(word)
        case shape.IntType():
            return _read_number(word)
        case shape.LiteralType():
            return _read_choice(words_of(type), word)
        case shape.StructType():
            return _read_struct(type, word)
        case shape.UnionType():
            return _read_any_of(type, word)
        case shape.AnyType():
            return _read_value(word)
        case _:
            return word


def _read_truth(word: str) -> bool:
    truth = {"true": True, "yes": True, "false": False, "no": False}.get(word.lower())
    if truth is None:
        raise UnreadableWord(f"true or false, not {word!r}")
    return truth


_NUMBER = re.compile(r"[+-]?[0-9]{1,20}")


def _read_number(word: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise UnreadableWord(f"a whole number, not {word!r}")
    return int(word)


def _read_choice(choices: Sequence[str], word: str) -> str:
    """Return the chosen word. It may be typed with hyphens, or shortened if only one choice begins with it."""
    typed = word.lower().replace(" ", "-")
    by_form = {one.lower().replace(" ", "-"): one for one in choices}
    begun = [one for form, one in by_form.items() if typed and form.startswith(typed)]
    if typed not in by_form and len(begun) != 1:
        raise UnreadableWord(f"{' or '.join(choices)}, not {word!r}")
    return by_form.get(typed) or begun[0]


def _read_struct(type: shape.StructType, word: str) -> dict[str, Any]:
    """Return the fields of a struct, which are typed in order and separated by colons."""
    parts = word.split(":", len(type.fields) - 1)
    needed = [field.encode_name.upper() for field in type.fields]
    if len(parts) < sum(field.required for field in type.fields):
        raise UnreadableWord(f"{':'.join(needed)}, not {word!r}")
    return {
        field.encode_name: _read(field.type, [part.strip()]) for field, part in zip(type.fields, parts, strict=False)
    }


def _read_any_of(type: shape.UnionType, word: str) -> Any:
    """Return a value of the first matching type of a union: pairs, a number, or a text."""
    kinds = tuple(one for one in map(_plain, type.types))
    pairs = next((one for one in kinds if isinstance(one, shape.DictType)), None)
    if pairs is not None and re.match(r"\w[\w -]*=", word):
        return _read_pairs(pairs, [word])
    if any(isinstance(one, shape.BoolType) for one in kinds):
        return _read_value(word)
    return int(word) if any(isinstance(one, shape.IntType) for one in kinds) and _is_number(word) else word


def _is_number(word: str) -> bool:
    """Return whether a word without a declared type is a number: 407 and -3 are numbers, the place 0407 is not."""
    return _NUMBER.fullmatch(word) is not None and re.match(r"[+-]?0[0-9]", word) is None


def _read_value(word: str) -> Any:
    """Return a value without a declared type: true, false, null, a number, JSON, a list with commas, or a text."""
    if word in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[word]
    if _is_number(word):
        return int(word)
    if word[:1] in ('"', "{", "["):
        return _json(word)
    return pieces(word) if "," in word and " " not in word else word


# --- from a value to words --------------------------------------------------------------------------------------------


def _write(type: shape.Type, value: Any) -> list[str]:
    type = _plain(type)
    if isinstance(type, shape.VarTupleType) and isinstance(value, (list, tuple)):
        item = _plain(type.item_type)
        each = [word for one in value for word in _write(item, one)]
        return each if isinstance(item, (shape.StructType, shape.DictType)) else [joined(each)]
    if isinstance(type, shape.DictType) and isinstance(value, dict) and _is_text(type.value_type):
        return [f"{name}={one}" for name, one in value.items()]
    if isinstance(value, dict):
        return [_write_pairs(type, value)]
    if isinstance(value, (list, tuple)):
        return [",".join(map(str, value))]
    if value is None or isinstance(value, bool):
        return [{None: "null", True: "true", False: "false"}[value]]
    return [str(value)]


def joined(names: Sequence[str]) -> str:
    """Join names into one word."""
    with_commas = any("," in name for name in names)
    return ";".join(names) + ";" * (len(names) == 1) if with_commas else ",".join(names)


def _write_pairs(type: shape.Type, value: dict[str, Any]) -> str:
    if isinstance(type, shape.StructType):
        types = {field.encode_name: field.type for field in type.fields}
        return ":".join(_write(types[name], one)[0] for name, one in value.items() if name in types)
    if isinstance(type, shape.UnionType):
        found = next((one for one in map(_plain, type.types) if isinstance(one, shape.DictType)), None)
        return _write_pairs(found, value) if found is not None else msgspec.json.encode(value).decode()
    if isinstance(type, shape.DictType):
        return ",".join(f"{name}={''.join(_write(type.value_type, one)[:1])}" for name, one in value.items())
    return msgspec.json.encode(value).decode()


# --- lines of usage ---------------------------------------------------------------------------------------------------


def _metavar(name: str, type: shape.Type) -> str:
    type = _plain(type)
    match type:
        case shape.LiteralType():
            return "|".join(one.replace(" ", "-") for one in words_of(type))
        case shape.IntType():
            return name
        case shape.VarTupleType():
            inner = _plain(type.item_type)
            nested = isinstance(inner, (shape.StructType, shape.DictType))
            return _metavar(name, inner) + ("" if nested else ",…")
        case shape.DictType():
            return f"NAME={_value_of(type.value_type)},…"
        case shape.StructType():
            return ":".join(field.encode_name.upper() for field in type.fields)
        case _:
            return name


def _value_of(type: shape.Type) -> str:
    return "N" if isinstance(_plain(type), shape.IntType) else "VALUE"


def range_of(type: shape.Type) -> str:
    """Return the range of a number in words; "" if it has none."""
    type = _plain(type)
    if isinstance(type, (shape.VarTupleType, shape.DictType)):
        return range_of(type.item_type if isinstance(type, shape.VarTupleType) else type.value_type)
    if isinstance(type, shape.IntType) and type.ge is not None:
        if type.le is not None and type.le < 10**6:
            return f"{type.ge} to {type.le}"
        return f"{type.ge} or more" if type.ge > -(10**6) else "a whole number"
    return ""
