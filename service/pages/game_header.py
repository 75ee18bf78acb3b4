"""Describe a game for the head of its pages: the sides that must act, required actions, requests."""

from collections.abc import Iterable, Iterator

import msgspec

from umpire_ledger.desk.seat import Seat
from umpire_ledger.projections.tables.turn_view import TurnView


class AwaitedSide(msgspec.Struct, frozen=True, kw_only=True):
    """A side that must act. `mine`: this seat speaks for it; `since`: UTC, "" if unknown."""

    side: str
    name: str
    mine: bool
    since: str


class RequiredLine(msgspec.Struct, frozen=True, kw_only=True):
    """A required action on a page. `whose`: the names of its sides, "" if only this seat's; `mine`: this side's."""

    whose: str
    mine: bool
    words: str
    rule: str


class GameHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The turn view as a page shows it. `headline`: a sentence about the turn.

    `consents`: whether this seat must still answer a requested rewind; `asks`: whether this side requested it.
    """

    game: str
    called: str
    seat: str
    seat_name: str
    view: TurnView
    headline: str
    waits: tuple[AwaitedSide, ...]
    my_turn: bool
    consents: bool = False
    asks: bool = False

    @property
    def required(self) -> tuple[RequiredLine, ...]:
        """The required actions; an action that any of several sides can take is one line."""
        sides: dict[tuple[str, ...], list[str]] = {}
        for one in self.view.owed:
            whose = () if one.any_side else (one.side,)
            sides.setdefault((one.step, one.words, one.rule, *whose), []).append(one.side)
        return tuple(self._required(some, words, rule) for (_, words, rule, *_), some in sides.items())

    def _required(self, sides: list[str], words: str, rule: str) -> RequiredLine:
        whose = "" if sides == [self.view.side] else " or ".join(map(self.name, sides))
        return RequiredLine(whose=whose, mine=self.view.side in sides, words=words.replace("`", ""), rule=rule)

    def name(self, side: str) -> str:
        """Return a side's name."""
        return _names(self.view).get(side, side)

    def names(self, sides: Iterable[str]) -> str:
        """Return the names of sides, separated by commas."""
        return ", ".join(map(self.name, sides))


def header_of(seat: Seat, view: TurnView) -> GameHeader:
    """Return the header of a game for a seat."""
    waits = tuple(_waits(view))
    mine = any(one.mine for one in waits)
    asked = view.asked
    return GameHeader(
        game=seat.game.id,
        called=seat.game.display_name or seat.game.id,
        seat=view.seat,
        seat_name=_names(view).get(view.seat, view.seat),
        view=view,
        headline=_headline(view, waits),
        waits=waits,
        my_turn=mine and not view.ended,
        consents=asked is not None and bool(view.side) and view.side in asked.waits,
        asks=asked is not None and asked.seat == view.seat,
    )


def _names(view: TurnView) -> dict[str, str]:
    return {one.id: one.name or one.id for one in view.sides}


def _waits(view: TurnView) -> Iterator[AwaitedSide]:
    since, names = {one.side: one.since for one in view.waits}, _names(view)
    for side in view.waiting:
        mine = side == view.side if view.side else side == view.seat
        yield AwaitedSide(side=side, name=names.get(side, side), mine=mine, since=since.get(side, ""))


def _headline(view: TurnView, waits: tuple[AwaitedSide, ...]) -> str:
    """Return a sentence such as `Your turn, and Syracuse's` or `Waiting for Syracuse`."""
    if view.ended:
        won = _names(view).get(view.winner, view.winner)
        return f"The game is over: {view.ended}" + (f". {won} won." if won else "")
    others = [one.name for one in waits if not one.mine]
    if any(one.mine for one in waits):
        return "Your turn" + (f", and {_together([f'{name}’s' for name in others])}" if others else "")
    return f"Waiting for {_together(others)}" if others else "Waiting for no side"


def _together(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
