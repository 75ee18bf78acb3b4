"""Define the cursor, the place of play in a sequence: its frames and open steps, as plain data with ids only.

There is one frame for each open loop, called procedure, borrowed stretch or trigger, outermost first. The first frame
is the game and holds the answers of steps outside every loop. The cursor holds no declaration, so it stays valid when a
later edition of the sequence inserts a step.
"""

from typing import Literal

import msgspec

How = Literal["done", "declined", "idle", "excused", "overridden"]
"""The way in which a side's part of a step ended. `idle`: the side could do nothing, so it declined nothing."""
LoopKind = Literal["loop", "call", "borrow", "instant"]


class OpenStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A step that is open. `waits`: sides still waited for. `acts`: the game's count of acts when the step was opened.

    `declined`: a side that could have acted has ended its part without acting.
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
    """One level of the cursor.

    `nth`: the number of the pass, from 1; `item` and `side`: the member and the side of the pass. `closed`: steps
    closed in this pass. `kept`: answers that this loop remembers until its pass ends, perhaps several of one step.
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
    """The frames, outermost first, and the steps that are open in the innermost frame."""

    frames: tuple[Frame, ...] = (Frame(),)
    open: tuple[OpenStep, ...] = ()

    @property
    def top(self) -> Frame:
        return self.frames[-1]

    def frame(self, of: str) -> Frame | None:
        """Return the innermost frame of a loop or procedure; None if it is not open."""
        return next((frame for frame in reversed(self.frames) if frame.of == of), None)

    def opened(self, step: str) -> OpenStep | None:
        """Return an open step by its id; None if it is not open."""
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
    """Return the number of a loop's current pass; by default, that of the innermost loop.

    It is 0 if no such loop is open.
    """
    for frame in reversed(cursor.frames):
        if frame.of == loop or (not loop and frame.kind == "loop" and frame.nth):
            return frame.nth
    return 0
