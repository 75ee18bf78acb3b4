"""Numbers that no printed page gives: a title declares each once, and a scenario may set it, with its source.

What a scenario does not set is ours; `umpire status` and `umpire titles TITLE` say so. Nothing made up stands anywhere
else in a decision.
"""

from collections.abc import Iterator

import msgspec

from umpire_ledger.domain.game.state import Game


class HouseValue(msgspec.Struct, frozen=True, kw_only=True):
    """One such number. `value` serves while the scenario is silent; `rule`: the label under which it counts.

    `where`: the key of the scenario that says it; without one it is `numbers.NAME`, with `value` and `source`.
    """

    name: str
    value: int | str
    says: str
    rule: str
    where: str = ""


def number_of(game: Game, number: HouseValue) -> int:
    """The scenario's number, or ours."""
    found = _set(game, number)
    return found if isinstance(found, int) else 0


def word_of(game: Game, number: HouseValue) -> str:
    """The scenario's word, or ours, for dice such as `1d6`."""
    return str(_set(game, number))


def _set(game: Game, number: HouseValue) -> object:
    return game.tables.get("numbers", {}).get(number.name, {}).get("value", number.value)


def unset_house_values(game: Game, numbers: tuple[HouseValue, ...]) -> Iterator[HouseValue]:
    """The numbers that this game's scenario leaves to us."""
    known = game.tables.get("numbers", {})
    return (one for one in numbers if not one.where and one.name not in known)


Ours = HouseValue
"""Deprecated name of `HouseValue`, kept for one release."""
