"""Compare two positions of a game, as one seat knows them. A pure function of two games."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

from umpire_ledger.domain.game.events import Value
from umpire_ledger.domain.game.state import Game, Unit

Kind = Literal["unit", "account", "marker", "choice", "place", "game"]


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """A single difference. `what`: the attribute of a unit that differs, or "" for any other value."""

    kind: Kind
    id: str
    what: str
    before: Value
    after: Value


def differences(before: Game, after: Game) -> list[Difference]:
    """Return all differences, units first, each kind by id."""
    return [
        *_units(before.units, after.units),
        *_values("account", before.accounts, after.accounts),
        *_values("marker", before.markers, after.markers),
        *_values("choice", *({key: one.choice for key, one in game.choices.items()} for game in (before, after))),
        *_plain("place", "where", before.where, after.where),
        *_plain("game", "turn", before.turn, after.turn),
        *_plain("game", "rolls", before.rolls, after.rolls),
        *_plain("game", "ended", before.ended, after.ended),
    ]


def _plain(kind: Kind, name: str, before: Value, after: Value) -> Iterator[Difference]:
    if before != after:
        yield Difference(kind=kind, id=name, what="", before=before, after=after)


def _values(kind: Kind, before: Mapping[str, Value], after: Mapping[str, Value]) -> Iterator[Difference]:
    for name in sorted({*before, *after}):
        yield from _plain(kind, name, before.get(name), after.get(name))


def _units(before: Mapping[str, Unit], after: Mapping[str, Unit]) -> Iterator[Difference]:
    for name in sorted({*before, *after}):
        was, now = facts_of(before.get(name)), facts_of(after.get(name))
        for what in sorted({*was, *now}):
            if was.get(what) != now.get(what):
                yield Difference(kind="unit", id=name, what=what, before=was.get(what), after=now.get(what))


def facts_of(unit: Unit | None) -> dict[str, Any]:
    """Return the known values of a unit by name; {} without a unit."""
    if unit is None:
        return {}
    return {"side": unit.side, "kind": unit.kind, "at": unit.at, "fate": unit.fate, **unit.attributes}
