"""Hold the place of play in a sequence: a tuple of frames and the open steps, plain data with ids only.

There is one frame for each open loop, called procedure, borrowed stretch or trigger, outermost first. The first frame
is the game and holds the answers of steps outside every loop. The cursor reads no declaration, so it stays valid when a
later edition of the sequence inserts a step.
"""

from typing import Literal

import msgspec

How = Literal["done", "declined", "idle", "excused", "overridden"]
"""Idle: the side had nothing to do there, so it declined nothing."""
LoopKind = Literal["loop", "call", "borrow", "instant"]


class OpenStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A step that is open. `waits`: sides still waited for. `acts`: the game's count of acts when it was opened.

    `declined`: a side that could have done something has left it without.
    """

    step: str
    name: str = ""
    waits: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    acts: int = 0
    declined: bool = False


class Closed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The result of a step in this pass: its outcome and the answer, if there was one."""

    step: str
    answer: str = ""
    how: How = "done"


class Frame(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One level of the cursor. `nth`: the number of the pass, from 1; `item` and `side`: the member and the side of the
    pass.

    `closed`: steps closed in this pass. `kept`: answers that this loop remembers until its pass ends, perhaps several
    of one step.
    `held`: the steps that a trigger suspended and that open again when its frame closes.
    """

    of: str = ""
    name: str = ""
    kind: LoopKind = "loop"
    back: str = ""
    stretch: tuple[str, ...] = ()
    nth: int = 0
    item: str = ""
    side: str = ""
    finished: tuple[str, ...] = ()
    closed: tuple[Closed, ...] = ()
    kept: tuple[Closed, ...] = ()
    held: tuple[OpenStep, ...] = ()


class Cursor(msgspec.Struct, frozen=True, kw_only=True):
    """The frames, outermost first, and the steps open in the innermost."""

    frames: tuple[Frame, ...] = (Frame(),)
    open: tuple[OpenStep, ...] = ()

    @property
    def top(self) -> Frame:
        return self.frames[-1]

    def frame(self, of: str) -> Frame | None:
        """The innermost frame of a loop or procedure, or None when it is not open."""
        return next((frame for frame in reversed(self.frames) if frame.of == of), None)

    def opened(self, step: str) -> OpenStep | None:
        """Return the open step of that id, or None."""
        return next((one for one in self.open if one.step == step), None)

    def waiting(self) -> tuple[str, ...]:
        """Return the sides that play waits for, each once, in the order of the open steps."""
        return tuple(dict.fromkeys(side for one in self.open for side in one.waits))

    def item(self, loop: str) -> str:
        """Return the current member of the innermost frame of a loop, or ""."""
        frame = self.frame(loop)
        return frame.item if frame else ""

    def side(self) -> str:
        """Return the side of the innermost pass that has one, or ""."""
        return next((frame.side for frame in reversed(self.frames) if frame.side), "")


def pass_number(cursor: Cursor, loop: str) -> int:
    """Return the pass number of a loop, by default of the innermost. Calls and borrowed stretches have no number."""
    for frame in reversed(cursor.frames):
        if frame.of == loop or (not loop and frame.kind == "loop" and frame.nth):
            return frame.nth
    return 0
