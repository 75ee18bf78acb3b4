"""Define the delay of a spectator's view: an interval of time, or a number of turns or records.

It is set when the game is opened, stays in the log, and cannot be changed later.
"""

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from umpire_ledger.domain.game.values import Value

SPECTATOR_DELAY = "spectator_delay"
"""Option of a scenario: `30m`, `12h`, `2d`, `1 turn`, `50 records`; "" for none."""
EXAMPLE = "30m, 12h, 2d, 1 turn, 2 turns or 50 records"
UNITS = {"m": ("minute", 1), "h": ("hour", 60), "d": ("day", 24 * 60)}
"""Units of time, each with its length in minutes."""
_written = re.compile(r"([1-9][0-9]{0,5}) ?(m|h|d|turn|turns|record|records)", re.ASCII).fullmatch


class Delay(msgspec.Struct, frozen=True, kw_only=True):
    """A delay in minutes, turns or records. `words`: the delay in words, such as `12 hours`."""

    of: Literal["minutes", "turns", "records"]
    number: int
    words: str


def read_delay(said: Value) -> Delay | None:
    """Return the delay that an option's value describes; None if the value is not valid."""
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
    """Return the delay of a game; None if its spectators see everything at once."""
    return read_delay(options.get(SPECTATOR_DELAY, ""))


def is_delay(said: Value) -> bool:
    """Return whether a value is valid for the option."""
    return said == "" or read_delay(said) is not None


def _counted(number: int, name: str) -> str:
    return f"{number} {name}{'' if number == 1 else 's'}"
