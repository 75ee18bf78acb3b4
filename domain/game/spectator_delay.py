"""The delay with which a spectator sees a game: so long after it happened, or so many turns or records behind.

A game is opened with it, so it stands in the log, and nobody changes it later on.
"""

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from umpire_ledger.domain.game.values import Value

SPECTATOR_DELAY = "spectator_delay"
"""The option of a scenario: `30m`, `12h`, `2d`, `1 turn`, `50 records`; "" for none."""
EXAMPLE = "30m, 12h, 2d, 1 turn, 2 turns or 50 records"
UNITS = {"m": ("minute", 1), "h": ("hour", 60), "d": ("day", 24 * 60)}
"""Units of time, each with how many minutes it has."""
_written = re.compile(r"([1-9][0-9]{0,5}) ?(m|h|d|turn|turns|record|records)", re.ASCII).fullmatch


class Delay(msgspec.Struct, frozen=True, kw_only=True):
    """A delay: so many minutes, turns or records. `words`: as people say it, `12 hours`."""

    of: Literal["minutes", "turns", "records"]
    number: int
    words: str


def read_delay(said: Value) -> Delay | None:
    """A delay as an option writes it; None for what is none."""
    found = _written(said.strip()) if isinstance(said, str) else None
    if found is None:
        return None
    number, unit = int(found[1]), found[2]
    if unit in UNITS:
        name, length = UNITS[unit]
        return Delay(of="minutes", number=number * length, words=_counted(number, name))
    name = unit.removesuffix("s")
    return Delay(of="turns" if name == "turn" else "records", number=number, words=_counted(number, name))


def delay_in(options: Mapping[str, Value]) -> Delay | None:
    """The delay of a game, None where its spectators see everything at once."""
    return read_delay(options.get(SPECTATOR_DELAY, ""))


def is_delay(said: Value) -> bool:
    """Whether an option can hold this."""
    return said == "" or read_delay(said) is not None


def _counted(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
