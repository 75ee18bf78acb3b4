"""Report whether the printed sequence was followed: a state and a reason for every label of a turn.

The report is a pure function of the records of the sequence, because play decided the requirements of each step. A
label without records has the reason of an outer label: a heading that does not apply, an empty loop, or a procedure
that was not called.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

from umpire_ledger.domain.game import events as e
from umpire_ledger.domain.game.cursor import How
from umpire_ledger.domain.game.events import AnyEvent
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.plan import Plan
from umpire_ledger.projections.tables.order_history import RecordedOrder, placed
from umpire_ledger.projections.tables.step_index import SEQUENCE

State = Literal["done", "overridden", "excused", "declined", "open", "broken off", "not applicable", "not reached"]
STATES: tuple[State, ...] = (
    "done",
    "overridden",
    "excused",
    "declined",
    "open",
    "broken off",
    "not applicable",
    "not reached",
)
"""All states, strongest first. A label that is done in one pass and declined in another is done."""
LEAVING = ("done", "pick")
"""Orders that only end a step."""


class Pass(msgspec.Struct, frozen=True, kw_only=True):
    """One pass of a label. `opened`, `closed`: positions, 0 for none; `about`: its side and the items of its loops."""

    state: State
    opened: int
    closed: int
    about: tuple[str, ...] = ()
    answer: str = ""
    why: str = ""


class Label(msgspec.Struct, frozen=True, kw_only=True):
    """A printed label in one turn. `positions`: the records that closed or passed it, or opened it if it is open."""

    id: str
    printed: str
    name: str
    depth: int
    rules: tuple[str, ...]
    state: State
    why: str
    positions: tuple[int, ...]
    passes: tuple[Pass, ...]


def conformance(title: Title | None, deeds: Iterable[RecordedOrder], turn: int) -> list[Label]:
    """Return every label of the printed sequence with its state in a turn; without a title, only labels in the log."""
    passes, names, loops = _read(deeds, turn)
    if title is None or title.sequence is None:
        return [_label(name, names[name], "", 0, (), found, "") for name, found in passes.items()]
    plan = title.plan
    labels: dict[str, Label] = {}
    for place in reversed(plan.places.values()):
        found = passes.get(place.id, [])
        around = _around(plan, place.id, passes, loops) if not found else ""
        depth = len(plan.path(place.id))
        label = _label(place.id, place.name, title.printed.get(place.id, place.id), depth, place.rules, found, around)
        labels[place.id] = _with_children(label, [labels[child] for child in plan.siblings[place.id]])
    return [labels[place] for place in plan.places]


def _with_children(label: Label, children: Sequence[Label]) -> Label:
    """Give a heading the strongest state of the labels below it.

    A state from below comes without positions, because those are records of other labels.
    """
    best = min(children, key=lambda child: STATES.index(child.state), default=label)
    if STATES.index(best.state) >= STATES.index(label.state):
        return label
    return msgspec.structs.replace(label, state=best.state, why="", positions=())


def _label(
    label: str, name: str, printed: str, depth: int, rules: tuple[str, ...], found: list[Pass], around: str
) -> Label:
    silent: State = "not applicable" if around else "not reached"
    state = min((one.state for one in found), key=STATES.index, default=silent)
    why = next((one.why for one in found if one.state == state and one.why), around)
    return Label(
        id=label,
        printed=printed or label,
        name=name,
        depth=depth,
        rules=rules,
        state=state,
        why=why,
        positions=tuple(one.closed or one.opened for one in found if one.state == state),
        passes=tuple(found),
    )


def _around(plan: Plan, label: str, passes: dict[str, list[Pass]], loops: dict[str, str]) -> str:
    """Return the reason why play did not use a label without records; "" if play may still reach it."""
    for outer in plan.around(label)[1:]:
        passed = next((one for one in passes.get(outer, ()) if one.state == "not applicable"), None)
        if passed is not None:
            return f"{outer} does not apply: {passed.why}"
        if outer in loops:
            return f"{outer}: {loops[outer]}" if loops[outer] else ""
    top = plan.around(label)[-1]
    if top in plan.procedures and not any(plan.holds(top, one) for one in passes):
        return f"{top} was not called"
    if any(step.id == label for step in plan.anytime):
        return "open at any time; no side used it"
    return ""


def _read(deeds: Iterable[RecordedOrder], turn: int) -> tuple[dict[str, list[Pass]], dict[str, str], dict[str, str]]:
    """Return the passes and names of labels, and the reason why each loop of the turn closed ("" while it is open)."""
    reading = _Reading()
    for deed in deeds:
        reading.note_order(deed)
        for position, event, now, _ in placed(deed):
            if now == turn:
                reading.see(position, event)
    return reading.finish(), reading.names, reading.loops


def _left(how: How, why: str) -> tuple[State, str]:
    """Return the state of a step that a side ended, and the reason; a step without possible orders did not apply."""
    return ("not applicable", why or "no order was possible in it") if how == "idle" else (how, why)


class _Reading:
    """Collects the passes of one turn from its records."""

    def __init__(self) -> None:
        self.passes: dict[str, list[Pass]] = {}
        self.names: dict[str, str] = {}
        self.loops: dict[str, str] = {}
        self._open: dict[str, tuple[int, tuple[str, ...]]] = {}
        self._played: set[str] = set()
        """Steps that borrowed other steps; ending such a step without an order of its own does not decline it."""
        self._used: set[str] = set()
        """Steps in which a side or the title acted. Automatic removals of an earlier round's markers do not count."""

    def note_order(self, deed: RecordedOrder) -> None:
        """Mark the steps in which an order or the title acted; every open step if part of the order is hidden."""
        if any(event is None for event in (record.event for record in deed.records)) or not deed.cause:
            self._used.update(self._open)
        only_leaves = deed.order in LEAVING
        for _, event, _, step in placed(deed):
            moves = type(event) in SEQUENCE or isinstance(event, e.StepPassed)
            if not moves and not (only_leaves and _takes_off(event)):
                self._used.add(step)

    def see(self, position: int, event: AnyEvent) -> None:
        """Read one record of the turn."""
        match event:
            case e.StepOpened(step=step, name=name, where=where):
                self.names[step] = name
                self._open[step] = position, tuple(filter(None, (where.side, *where.items)))
            case e.SideDone(step=step, side=side, how=how, why=why) if how != "done":
                self._add(step, *_left(how, why), position, side)
            case e.StepClosed(item=""):
                idle = event.how == "done" and event.side and not event.answer and event.step not in self._used
                state, why = _left("declined" if idle else event.how, event.why)
                self._add(event.step, state, why, position, event.side, event.answer)
                self._open.pop(event.step, None)
                self._used.discard(event.step)
            case e.StepClosed(step=step, item=item) if item:
                self._open.pop(step, None)
            case e.StepPassed(step=step, name=name, why=why):
                self.names[step] = name
                self._add(step, "not applicable", why, position)
            case e.LoopOpened(loop=loop, kind=kind, back=back):
                self.loops.setdefault(loop, "")
                if kind == "borrow":
                    self._played.add(back)
            case e.LoopClosed(loop=loop, why=why):
                self.loops[loop] = self.loops.get(loop) or why
            case e.PlayJumped(broke_off=broken, note=note):
                for step in broken:
                    self._add(step, "broken off", note, position)
                    self._open.pop(step, None)
            case _:
                pass

    def _add(self, step: str, state: State, why: str, position: int, side: str = "", answer: str = "") -> None:
        opened, about = self._open.get(step, (0, ()))
        state = "done" if state == "declined" and step in self._played else state
        about = about if not side or side in about else (side, *about)
        self.names.setdefault(step, "")
        one = Pass(state=state, opened=opened, closed=position, about=about, answer=answer, why=why)
        self.passes.setdefault(step, []).append(one)

    def finish(self) -> dict[str, list[Pass]]:
        """Return all passes, including open ones."""
        for step, (position, about) in self._open.items():
            self.passes.setdefault(step, []).append(Pass(state="open", opened=position, closed=0, about=about))
        return self.passes


def _takes_off(event: AnyEvent) -> bool:
    """Return whether an event only removes a value, sets an account to 0, or records how many steps a side ends."""
    match event:
        case e.MarkerSet(after=after) | e.UnitChanged(after=after) | e.AccountChanged(after=after):
            return not after
        case e.SideLeaves():
            return True
        case _:
            return False


def counted(labels: Iterable[Label]) -> Iterator[tuple[State, int]]:
    """Return the number of labels in each state, strongest first."""
    states = [label.state for label in labels]
    return ((state, states.count(state)) for state in STATES if state in states)
