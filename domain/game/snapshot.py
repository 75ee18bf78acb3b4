"""Convert a game to bytes and back, for snapshots. They are a cache, discarded when `SCHEMA` changes."""

import hashlib
from collections.abc import Mapping
from typing import Any

import msgspec
from immutables import Map

from umpire_ledger.domain.game.cursor import Closed, Cursor, Frame, OpenStep
from umpire_ledger.domain.game.state import (
    Choice,
    Courier,
    Game,
    Hidden,
    Keep,
    LeaveUntil,
    RewindRequest,
    Sighting,
    Unit,
    replace,
)
from umpire_ledger.domain.game.values import Value


class _Saved(msgspec.Struct, frozen=True, array_like=True):
    """The game without its maps, and the maps as plain dictionaries."""

    game: dict[str, Any]
    units: dict[str, Unit]
    accounts: dict[str, int]
    markers: dict[str, Value]
    choices: dict[str, Choice]


_MAPS = ("units", "accounts", "markers", "choices")
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Saved).decode


FOLD = 2
"""Version of `evolve`. Raise it when the same events result in another state, so that old snapshots are discarded."""


def _shape() -> str:
    """Return a hash of all saved fields, so that a change of a field changes the schema."""
    structs = (
        Game,
        Unit,
        Hidden,
        Sighting,
        Choice,
        Keep,
        RewindRequest,
        LeaveUntil,
        Courier,
        Cursor,
        Frame,
        OpenStep,
        Closed,
    )
    text = repr((FOLD, [(struct.__name__, struct.__annotations__) for struct in structs]))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


SCHEMA = _shape()


def dump(game: Game) -> bytes:
    """Return the game as JSON."""
    rest = {field: getattr(game, field) for field in Game.__struct_fields__ if field not in _MAPS}
    return _encode([rest, *(dict(getattr(game, name)) for name in _MAPS)])


def load(raw: bytes) -> Game:
    """Return the game in a dump.

    Raises:
        msgspec.DecodeError: The bytes are not a dump.
    """
    saved = _decode(raw)
    plain = msgspec.convert(saved.game, Game)
    maps: Mapping[str, Any] = {name: Map(getattr(saved, name)) for name in _MAPS}
    return replace(plain, **maps)
