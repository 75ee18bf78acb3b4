"""Where a rewind leads, as people say it: `#412`, `G.2a`, `5-3D of 0407`, `E.1 of demosthenes`, `G.2a of turn 2`,
`5-3D of this hex`, `turn 2`. Looked for on the line that counts, the newest first.
"""

import re

from umpire_ledger.domain.game.errors import RuleViolation, UnknownName
from umpire_ledger.domain.game.events import PassBegun, PlayResumed, StepOpened
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.history.history import Past

RULE = "rewind"


def target_of(game: Game, to: int | str, past: Past) -> int:
    """The position that is meant. Raises UnknownName for what never was on this line."""
    if isinstance(to, int):
        return to
    words = to.strip()
    if re.fullmatch(r"#[0-9]{1,16}", words):
        return int(words.removeprefix("#"))
    if turn := re.fullmatch(r"turn ([0-9]{1,16})", words, re.IGNORECASE):
        return _turn(game, int(turn[1]), past)
    label, of, what = words.partition(" of ")
    return _step(game, label.strip(), what.strip(), past) if of else _step(game, words, "", past)


def _turn(game: Game, turn: int, past: Past) -> int:
    """The order with which a turn began: the oldest that opened a step of it."""
    found = 0
    for taken in past.newest_first():
        turns = [event.where.turn for event in taken.events if isinstance(event, StepOpened)]
        turns += [event.turn for event in taken.events if isinstance(event, PassBegun | PlayResumed) and event.turn]
        if turn in turns:
            found = taken.last
        elif turns and max(turns) < turn:
            break
    if found:
        return found
    raise _never(game, f"turn {turn} never began on this line", "name a turn that was played, or a position: #12")


def _step(game: Game, label: str, what: str, past: Past) -> int:
    wanted = _wanted(game, what)
    opened = ""
    for taken in past.newest_first():
        for event in taken.events:
            if isinstance(event, StepOpened) and event.step.casefold() == label.casefold():
                if not wanted or wanted & _about(event):
                    return taken.last
                opened = opened or f"; it was opened for {', '.join(sorted(_about(event))) or 'nothing in particular'}"
    asked = f"step {label}" + (f" of {what}" if what else "")
    remedy = "name a position, for instance #12, or a step that `umpire undo-points` lists"
    raise _never(game, f"{asked} was never opened on this line{opened}", remedy)


def _wanted(game: Game, what: str) -> set[str]:
    """What the step must have been about; `this hex` is what play is about now."""
    if what.casefold().split(" ")[0] != "this":
        return {what.casefold()} - {""}
    items = [frame.item for frame in game.cursor.frames if frame.item]
    if not items:
        remedy = "name it: `5-3D of 0407`"
        raise RuleViolation(f"play is not about any {what[5:]} now", where=game.where, rule=RULE, remedy=remedy)
    return {items[-1].casefold()}


def _about(event: StepOpened) -> set[str]:
    where = event.where
    return {name.casefold() for name in (*where.items, where.side, *event.waits, f"turn {where.turn}") if name}


def _never(game: Game, what: str, remedy: str) -> UnknownName:
    return UnknownName(what, where=game.where, rule=RULE, remedy=remedy)
