"""Undo, redo and rewind: one more record after which play stands as it stood at an earlier position.

Nothing is deleted, so the log is a tree. A seat takes back its own orders only, and none behind a roll, a reveal, a
seal or a change of the side that acts; behind those the referee may, with a reason.
"""

from collections.abc import Iterator
from typing import Literal, Protocol

import msgspec

from domain.errors import NoSuchPosition, RuleViolation, UnknownName
from domain.events import AnyEvent, ChoiceRevealed, DiceRolled, LineSealed, NoteAdded, PlayRewound, StepOpened
from domain.game import REFEREE, Game
from domain.orders import Redo, Rewind, Undo


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """An order that counts: its first and last position, who gave it, and what came of it."""

    first: int
    last: int
    seat: str
    events: tuple[AnyEvent, ...]

    @property
    def rewound(self) -> PlayRewound | None:
        return next((event for event in self.events if isinstance(event, PlayRewound)), None)

    @property
    def is_talk(self) -> bool:
        return all(isinstance(event, NoteAdded | LineSealed) for event in self.events)


class Past(Protocol):
    """What a decision may ask of the game's history."""

    @property
    def tip(self) -> int:
        """The last position of the log."""

    def newest_first(self) -> Iterator[Taken]:
        """The orders that count, back to the opening of the game."""

    def order_at(self, position: int) -> tuple[int, int]:
        """First and last position of the order that wrote a record; (0, 0) where there is none."""

    def state(self, position: int) -> Game:
        """The game as it stood at a position."""


def barrier(taken: Taken, side: str) -> str:
    """Why a seat may not take an order back alone, in words; "" when it may."""
    for event in taken.events:
        match event:
            case DiceRolled(purpose=purpose):
                return f"dice were rolled ({purpose})"
            case ChoiceRevealed(question=question):
                return f"a choice was revealed ({question})"
            case LineSealed(seat=seat):
                return f"{seat} sealed the line"
            case StepOpened(waits=waits, step=step) if side and waits and side not in waits:
                return f"another side acts since ({step})"
            case _:
                pass
    return ""


def decide_undo(game: Game, order: Undo, past: Past) -> PlayRewound:
    """Take back the newest orders that count.

    Raises RuleViolation: nothing left to undo; somebody else's order; a barrier, unless the referee gives a reason.
    """
    left = order.orders
    for taken in past.newest_first():
        if taken.rewound or taken.is_talk:
            continue
        if taken.first == 1:
            break
        _verify_may_undo(game, order, taken)
        left -= 1
        if left == 0:
            return _rewound(game, past, taken.first - 1, "undo", order.why)
    raise _refuse(game, "there is nothing left to undo", "the opening of a game stays; open another game instead")


def _verify_may_undo(game: Game, order: Undo, taken: Taken) -> None:
    stop = barrier(taken, game.side_of(order.seat))
    if order.seat == REFEREE:
        if stop and not order.why:
            raise _refuse(game, f"#{taken.first} cannot be undone silently: {stop}", 'say why: "why": "…"')
        return
    if taken.seat != order.seat:
        raise _refuse(game, f"#{taken.first} is an order of {taken.seat}", "ask the referee to undo it")
    if stop:
        raise _refuse(game, f"#{taken.first} cannot be undone by a seat: {stop}", "ask the referee to undo it")


def decide_redo(game: Game, order: Redo, past: Past) -> PlayRewound:
    """Return to the line that the last undo or rewind left.

    Raises RuleViolation: something was played since; nothing was undone; a rewind that only its maker may redo.
    """
    for taken in past.newest_first():
        rewound = taken.rewound
        if rewound is None and taken.is_talk:
            continue
        if rewound is None:
            break
        if rewound.kind == "redo":
            continue
        if order.seat not in (REFEREE, taken.seat):
            raise _refuse(game, f"#{taken.first} was {taken.seat}'s {rewound.kind}", f"ask {taken.seat} or the referee")
        return _rewound(game, past, rewound.tip, "redo")
    raise _refuse(game, "there is nothing to redo", "after new orders, `rewind` to a position of the abandoned line")


def decide_rewind(game: Game, order: Rewind, past: Past) -> PlayRewound:
    """Return to the end of any order in the log, abandoned lines included, or to the newest opening of a step.

    Raises RuleViolation: not the referee; a position inside an order; no reason although a barrier is crossed.
    Raises NoSuchPosition; UnknownName for a step that was never opened on this line.
    """
    if order.seat != REFEREE:
        raise _refuse(game, "only the referee rewinds", "take back your own orders with `undo`")
    to = _target(game, order.to, past)
    first, last = past.order_at(to)
    if last == 0:
        raise NoSuchPosition(
            f"there is no position #{to}", where=game.where, rule="rewind", remedy=f"name one from #1 to #{past.tip}"
        )
    if to != last:
        remedy = f"rewind to #{first - 1} or #{last}" if first > 1 else f"rewind to #{last}"
        raise _refuse(game, f"#{to} is inside an order, #{first} to #{last}", remedy)
    if not order.why and (stop := _crossed(past, to)):
        raise _refuse(game, f"#{to} cannot be returned to silently: {stop}", 'say why: "why": "…"')
    return _rewound(game, past, to, "rewind", order.why)


def _target(game: Game, to: int | str, past: Past) -> int:
    if isinstance(to, int):
        return to
    if to.startswith("#") and to[1:].isdigit():
        return int(to[1:])
    for taken in past.newest_first():
        if any(isinstance(event, StepOpened) and event.step == to for event in taken.events):
            return taken.last
    raise UnknownName(
        f"step {to} was never opened on this line",
        where=game.where,
        rule="rewind",
        remedy="name a position, for instance #12, or a step that `umpire undo-points` lists",
    )


def _crossed(past: Past, to: int) -> str:
    """The first barrier between now and an earlier position of the line; "" for none or another line."""
    for taken in past.newest_first():
        if taken.last <= to:
            return ""
        if stop := barrier(taken, ""):
            return stop
    return ""


def _rewound(game: Game, past: Past, to: int, kind: Literal["undo", "redo", "rewind"], why: str = "") -> PlayRewound:
    return PlayRewound(to=to, kind=kind, why=why, rolls=game.rolls, tip=past.tip)


def _refuse(game: Game, what: str, remedy: str) -> RuleViolation:
    return RuleViolation(what, where=game.where, rule="undo and rewind", remedy=remedy)
