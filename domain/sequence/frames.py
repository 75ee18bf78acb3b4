"""Find frames of the cursor: the one that remembers an answer, those around play, and the one that a jump leads to."""

from umpire_ledger.domain.game.cursor import Closed, Cursor, Frame
from umpire_ledger.domain.sequence.plan import Plan


def closed_in_pass(plan: Plan, cursor: Cursor, step: str) -> Closed | None:
    """Return the result of a step in this pass, from the innermost frame to which the step belongs.

    Results of an earlier pass, or of an outer frame that also contains the step, do not count.
    """
    for frame in reversed(cursor.frames):
        found = next((one for one in frame.closed if one.step == step), None)
        if found is not None or _belongs(plan, frame, step):
            return found
    return None


def _belongs(plan: Plan, frame: Frame, step: str) -> bool:
    if step not in plan.places:
        return False
    if frame.kind == "borrow":
        return plan.in_stretch(frame.stretch, step)
    return plan.holds(frame.of, step)


def was_kept(cursor: Cursor, step: str, answer: str) -> bool:
    """Return whether the loop that keeps a step's answers remembers this one in its present pass."""
    return any(one.step == step and one.answer == answer for frame in cursor.frames for one in frame.kept)


def last_kept(cursor: Cursor, step: str) -> str:
    """Return the last answer of a step that a loop keeps in its present pass; "" if there is none."""
    kept = (one.answer for frame in reversed(cursor.frames) for one in reversed(frame.kept) if one.step == step)
    return next(kept, "")


def inside_of(plan: Plan, cursor: Cursor, here: str = "") -> set[str]:
    """Return every place that play is inside of, including `here`; places that a trigger suspended do not count."""
    places = set(plan.around(here))
    for one in cursor.open:
        places.update(plan.around(one.step))
    for frame in reversed(cursor.frames):
        places.update(plan.around(frame.of))
        if frame.kind == "instant":
            return places
        places.update(plan.around(frame.back))
    return places


def suspended_in(plan: Plan, cursor: Cursor) -> set[str]:
    """Return every place that play was inside of when the innermost trigger interrupted; empty without one."""
    frames = cursor.frames
    at = max((at for at, frame in enumerate(frames) if frame.kind == "instant"), default=None)
    if at is None:
        return set()
    before = Cursor(frames=frames[:at], open=frames[at].held)
    return inside_of(plan, before, frames[at].back)


def going_on(cursor: Cursor) -> frozenset[str]:
    """Return the loops and procedures that are open and that no trigger has suspended."""
    frames = cursor.frames
    at = max((at for at, frame in enumerate(frames) if frame.kind == "instant"), default=0)
    return frozenset(frame.of for frame in frames[at:])


def frame_for(plan: Plan, cursor: Cursor, target: str) -> int | None:
    """Return the depth of the innermost frame in which play can enter a target, or of a borrowed stretch to leave.

    It is None if the target is in the middle of a loop or procedure that is not open.
    """
    home = plan.home(target)
    for depth, frame in reversed(list(enumerate(cursor.frames))):
        if frame.kind != "borrow":
            if frame.of in (target, home):
                return depth
        elif not plan.in_stretch(frame.stretch, target) or home == plan.home(frame.stretch[0]):
            return depth
        else:
            return None
    return None


def forgotten(plan: Plan, frame: Frame, target: str, track: str = "") -> tuple[str, ...]:
    """Return the steps whose results a jump forgets: those printed from the target on, or of them one track's."""
    start = plan.order[target]
    later = (one.step for one in frame.closed if plan.order.get(one.step, -1) >= start)
    return tuple(step for step in later if plan.holds(track, step))


def broken_off(cursor: Cursor, frames: int, stays: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the steps that stay unfinished when only `frames` frames remain: open steps and suspended ones.

    `stays`: open steps that stay open.
    """
    held = (one.step for frame in cursor.frames[frames:] for one in frame.held)
    return (*(one.step for one in cursor.open if one.step not in stays), *held)


def beside(plan: Plan, cursor: Cursor, origin: str, target: str) -> tuple[str, ...]:
    """Return the open steps of other tracks, which stay open after a jump within one track."""
    track = plan.track(target)
    if not track or plan.track(origin) != track:
        return ()
    together = plan.parent[track]
    return tuple(one.step for one in cursor.open if plan.holds(together, one.step) and not plan.holds(track, one.step))
