"""Find units aboard, in tow or in a stack that are not with their carrier, using the title's `carriers`."""

from collections.abc import Iterator
from typing import NamedTuple

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.events import UnitChanged, UnitMoved, UnitPlaced, UnitRemoved
from umpire_ledger.domain.game.hidden_units import is_foggy
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title

ABOUT_UNITS = (UnitChanged, UnitMoved, UnitPlaced, UnitRemoved)


class Left(NamedTuple):
    """A unit without its carrier. `about`: the attribute that names the carrier, and `gone` or `elsewhere`.

    `what`: the fault in words.
    """

    about: str
    what: str


def left_by(title: Title, before: Game, decision: Decision) -> Iterator[Left]:
    """Yield each unit that an order separated from its carrier."""
    if title.carriers and any(isinstance(event, ABOUT_UNITS) for event in events_of(decision.told)):
        known = {*left_behind(title, before)}
        yield from (left for left in left_behind(title, decision.game) if left not in known)


def left_behind(title: Title, game: Game) -> Iterator[Left]:
    """Yield each unit in play whose carrier is elsewhere or no longer in play.

    Under fog, a carrier that is not in the game is not reported, because it may be hidden.
    """
    for unit in game.in_play():
        for attribute in title.carriers:
            for name in _names(unit.get(attribute)):
                carrier = game.units.get(name)
                if carrier is None and not is_foggy(game):
                    yield Left(f"{attribute} gone", f"{attribute} of {unit.id} is {name}, which is not a unit")
                elif carrier is not None and carrier.fate:
                    yield Left(f"{attribute} gone", f"{attribute} of {unit.id} is {name}, which is {carrier.fate}")
                elif carrier is not None and carrier.at != unit.at:
                    what = f"{attribute} of {unit.id} at {unit.at} is {name}, which is at {carrier.at}"
                    yield Left(f"{attribute} elsewhere", what)


def _names(value: object) -> tuple[str, ...]:
    """Return the units that an attribute names."""
    if isinstance(value, tuple):
        return value
    return (value,) if isinstance(value, str) and value else ()
