"""Declare house values, numbers that no printed page contains.

A title declares each number once, and a scenario may set it, with its source. If a scenario does not set a number, the
house value applies, and `umpire status` and `umpire titles TITLE` say so. Decisions contain no other made-up numbers.
"""

from collections.abc import Iterator

import msgspec

from umpire_ledger.domain.game.state import Game


class HouseValue(msgspec.Struct, frozen=True, kw_only=True):
    """A house value. `value`: the number to use if the scenario sets none; `rule`: the label under which it applies.

    `where`: the key of the scenario that sets it; by default `numbers.NAME`, with `value` and `source`.
    """

    name: str
    value: int | str
    says: str
    rule: str
    where: str = ""


def number_of(game: Game, number: HouseValue) -> int:
    """Return the scenario's number, or the house value."""
    found = _set(game, number)
    return found if isinstance(found, int) else 0


def word_of(game: Game, number: HouseValue) -> str:
    """Return the scenario's word, or the house value, as text; for dice such as `1d6`."""
    return str(_set(game, number))


def _set(game: Game, number: HouseValue) -> object:
    return game.tables.get("numbers", {}).get(number.name, {}).get("value", number.value)


def unset_house_values(game: Game, numbers: tuple[HouseValue, ...]) -> Iterator[HouseValue]:
    """Yield the house values that apply because this game's scenario does not set them."""
    known = game.tables.get("numbers", {})
    return (one for one in numbers if not one.where and one.name not in known)


Ours = HouseValue
"""Deprecated name of `HouseValue`, kept for one release."""
