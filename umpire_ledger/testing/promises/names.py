"""What a title does with names that nobody knows: a refusal, in every field of every order."""

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

import msgspec

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.testing.examples import Example, error_text
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.random_play import NO_PAST
from umpire_ledger.testing.trial import Trial

NOBODY = "nobody-knows-this"
OTHERS_TRIED = 3
"""Names that exist and are out of place here: of another side, out of play, of another kind."""
BESIDE = ("as", "order")
_REFUSE = "look the name up and refuse it: `unit_of(game, name)`, or `refusing(TITLE)` with the names that are known"

Path = tuple[str | int, ...]


class Field(NamedTuple):
    """A field of an order as a path, indices left out: `ships`, `moves.unit`; `key`: the names are keys there."""

    name: str
    path: Path
    value: str
    key: bool = False


def unknown(trial: Trial) -> Iterator[Finding]:
    """Each kind of order with one name in it replaced by another."""
    for kind, examples in sorted(trial.observed.examples.items(), key=lambda pair: pair[0].tag()):
        yield from _of_kind(trial, kind, examples)


def _of_kind(trial: Trial, kind: type[Order], examples: list[Example]) -> Iterator[Finding]:
    told: set[str] = set()
    strict = {name for name in _field_names(examples) if _is_text(kind, name) and _names_things(trial, examples, name)}
    for example in examples:
        raw = msgspec.to_builtins(example.order)
        for field, order in _replaced(example.game, kind, raw):
            if field.name in told:
                continue
            outcome = _outcome(trial, example.game, order)
            unheard = field.value == NOBODY and field.name in strict
            if isinstance(outcome, str):
                what = f"{kind.tag()} with {field.name} {field.value!r} raised {outcome}"
            elif outcome and unheard:
                what = f"{kind.tag()} is accepted with {field.name} {field.value!r}, which names nothing"
            else:
                continue
            told.add(field.name)
            yield example.finding(what, _REFUSE, about=f"{kind.tag()}.{field.name}", order=order)


def _outcome(trial: Trial, game: Game, raw: dict[str, Any]) -> bool | str:
    """Whether an order is accepted; the exception in words where it raises one."""
    try:
        decide(trial.title, game, read_order(trial.title, raw), NO_PAST)
    except RuleViolation:
        return False
    except Exception as error:
        return error_text(error)
    return True


def _field_names(examples: list[Example]) -> set[str]:
    return {field.name for one in examples for field in _fields(msgspec.to_builtins(one.order), one.game)}


def _is_text(kind: type[Order], name: str) -> bool:
    """Whether a field holds names only; one that takes any value names nothing by itself."""
    types = (field.type for field in msgspec.structs.fields(kind) if field.encode_name == name.partition(".")[0])
    return not any(_takes(one, bool) for one in types)


def _takes(annotation: Any, kind: type) -> bool:
    return annotation is kind or any(_takes(one, kind) for one in get_args(annotation))


def _names_things(trial: Trial, examples: list[Example], name: str) -> bool:
    """Whether every value of a field that was seen names a unit in play, a side or a step."""
    places = set(trial.title.plan.places)
    values = [
        (field.value, one.game)
        for one in examples
        for field in _fields(msgspec.to_builtins(one.order), one.game)
        if field.name == name and field.value
    ]
    return bool(values) and all(
        _in_play(game, value) or value in game.side_ids or value in places for value, game in values
    )


def _in_play(game: Game, name: str) -> bool:
    unit = game.units.get(name)
    return unit is not None and not unit.fate


def _fields(value: Any, game: Game, path: Path = (), name: str = "") -> Iterator[Field]:
    """Every text in an order's JSON, and every key that names a unit or side."""
    match value:
        case str():
            yield Field(name, path, value)
        case list() | tuple():
            for at, one in enumerate(value):
                yield from _fields(one, game, (*path, at), name)
        case dict():
            for key, one in value.items():
                if path or key not in BESIDE:
                    is_name = key in game.units or key in game.side_ids
                    inner = name if is_name else f"{name}.{key}".lstrip(".")
                    if is_name:
                        yield Field(f"{name} (key)", (*path, key), key, key=True)
                    yield from _fields(one, game, (*path, key), inner)


def _replaced(game: Game, kind: type[Order], raw: dict[str, Any]) -> Iterator[tuple[Field, dict[str, Any]]]:
    """The order with each of its names replaced, and with each field that was left out filled in."""
    for field in _fields(raw, game):
        for other in (NOBODY, *_out_of_place(game, field.value)):
            yield field._replace(value=other), _with(raw, field, other)
    for name in kind.__struct_encode_fields__:
        if name not in raw and name not in BESIDE:
            for value in (NOBODY, [NOBODY], {NOBODY: 1}):
                yield Field(name, (name,), NOBODY), {**raw, name: value}


def _out_of_place(game: Game, value: str) -> Iterator[str]:
    """Names of the same sort that exist: units of the other side, and such as have left play."""
    unit = game.units.get(value)
    if unit is not None:
        others = [one for one in sorted(game.units.values(), key=lambda one: one.id) if one.id != value]
        kinds = {(one.side == unit.side, one.kind == unit.kind, bool(one.fate)): one.id for one in others}
        yield from list(kinds.values())[:OTHERS_TRIED]
    elif value in game.side_ids:
        yield from (side for side in game.side_ids if side != value)


def _with(raw: Any, field: Field, value: str) -> Any:
    """A copy of an order's JSON with another text, or another key, at a path."""
    head, *rest = field.path
    if not rest:
        if field.key:
            return {value if key == head else key: one for key, one in raw.items()}
        if isinstance(raw, dict):
            return {**raw, head: value}
        return [value if at == head else one for at, one in enumerate(raw)]
    inner = _with(raw[head], field._replace(path=tuple(rest)), value)
    if isinstance(raw, dict):
        return {**raw, head: inner}
    return [inner if at == head else one for at, one in enumerate(raw)]
