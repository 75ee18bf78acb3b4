"""The sequence of play: each event with its effect, its validity and its audit text."""

from umpire_ledger.domain.game.cursor import Closed, Frame, How, LoopKind, OpenStep
from umpire_ledger.domain.game.events.base import Event
from umpire_ledger.domain.game.events.checks import VALID, unknown_side
from umpire_ledger.domain.game.events.phrases import and_list, in_brackets, step_words
from umpire_ledger.domain.game.folding_game import FoldingGame
from umpire_ledger.domain.game.state import Game, LeaveUntil, replace
from umpire_ledger.domain.game.values import Where
from umpire_ledger.domain.game.verb_agreement import counted

ENDINGS = {
    "done": "ends",
    "declined": "declines",
    "idle": "has nothing to do in",
    "excused": "is excused from",
    "overridden": "is removed from",
}


CLOSINGS = {
    "done": "is over",
    "declined": "is declined",
    "idle": "is over: no order was possible",
    "excused": "is excused",
    "overridden": "is ended by the referee",
}


class StepOpened(Event, frozen=True, kw_only=True, tag="step.opened"):
    """A step begins. `waits`: the sides it waits for, fixed now. `path`: the places around it, outermost first.

    If play continues from a mid-game setup: `given`: the orders already given in it; `acts`: the number of acts since
    it was opened; `declined`: a side that could have acted has ended its part without acting.
    """

    step: str
    name: str
    where: Where = Where()
    waits: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    secret: bool = False
    given: tuple[str, ...] = ()
    acts: int = 0
    declined: bool = False

    def apply(self, draft: FoldingGame) -> None:
        opened = OpenStep(
            step=self.step,
            name=self.name,
            waits=self.waits,
            given=self.given,
            acts=draft.acts - self.acts,
            declined=self.declined,
        )
        draft.open = (*draft.open, opened)
        draft.turn = self.where.turn or draft.turn  # a step that counts turns opens in the new turn
        if draft.leaving:
            places = (self.step, *self.path)
            draft.leaving = {side: one for side, one in draft.leaving.items() if one.until not in places}

    def transition_error(self, game: Game) -> str:
        if game.ended:
            return f"the game is over: {game.ended}"
        if game.cursor.opened(self.step) is not None:
            return f"step {self.step} is already open"
        if self.where.turn not in (0, game.turn, game.turn + 1):
            return f"it is turn {game.turn}, and the step opens in turn {self.where.turn}"
        return next((unknown_side(game, side) for side in self.waits if side not in game.side_ids), VALID)

    def audit_text(self) -> str:
        where = self.where
        about = [f"turn {where.turn}"] if where.turn else []
        about += [where.side] if where.side else []
        about += where.items
        about += [f"round {where.round}"] if where.round else []
        waits = f"; it waits for {and_list(self.waits)}" if self.waits else ""
        return f"{step_words(self.step, self.name)} begins{in_brackets(', '.join(about))}{waits}"


class OrderGiven(Event, frozen=True, kw_only=True, tag="order.given"):
    """An order is carried out under a step. It is recorded for later tests whether the order was given."""

    step: str
    order: str
    side: str

    def apply(self, draft: FoldingGame) -> None:
        draft.open = tuple(
            replace(one, given=(*one.given, self.order)) if one.step == self.step else one for one in draft.open
        )

    def transition_error(self, game: Game) -> str:
        return _not_open(game, self.step)

    def audit_text(self) -> str:
        return f"{self.side or 'the referee'} gives {self.order} in step {self.step}"


class SideDone(Event, frozen=True, kw_only=True, tag="side.done"):
    """One of several sides ends its part of a step that still waits for others."""

    step: str
    side: str
    how: How = "done"
    why: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.open = tuple(self._left(one) if one.step == self.step else one for one in draft.open)

    def _left(self, one: OpenStep) -> OpenStep:
        waits = tuple(side for side in one.waits if side != self.side)
        return replace(one, waits=waits, declined=one.declined or self.how == "declined")

    def transition_error(self, game: Game) -> str:
        one = game.cursor.opened(self.step)
        if one is None:
            return _not_open(game, self.step)
        return VALID if self.side in one.waits else f"step {self.step} does not wait for {self.side}"

    def audit_text(self) -> str:
        return f"{self.side} {ENDINGS[self.how]} step {self.step}{in_brackets(self.why)}"


class SideLeaves(Event, frozen=True, kw_only=True, tag="side.leaves"):
    """A side ends every optional step up to a place, until any side acts, answers or picks."""

    side: str
    until: str

    def apply(self, draft: FoldingGame) -> None:
        said = LeaveUntil(until=self.until, acts=draft.acts, depth=len(draft.frames))
        draft.leaving = {**draft.leaving, self.side: said}

    def transition_error(self, game: Game) -> str:
        return VALID if self.side in game.side_ids else f"there is no side {self.side}"

    def audit_text(self) -> str:
        return f"{self.side} ends its optional steps up to {self.until}, until a side acts"


class StepClosed(Event, frozen=True, kw_only=True, tag="step.closed"):
    """A step is over. `to`: the next place, fixed now. `keep`: the loop that remembers the answer beyond its pass.

    `item`: the member that was picked for the innermost loop.
    """

    step: str
    answer: str = ""
    how: How = "done"
    to: str = "next"
    side: str = ""
    keep: str = ""
    item: str = ""
    why: str = ""

    def apply(self, draft: FoldingGame) -> None:
        if self.answer or self.item or self.how in ("excused", "overridden"):
            draft.leaving = {}
        draft.open = tuple(one for one in draft.open if one.step != self.step)
        closed = Closed(step=self.step, answer=self.answer, how=self.how)
        top = draft.frames[-1]
        if self.item:
            top = replace(top, item=self.item, finished=(*top.finished, self.item))
        else:
            top = replace(top, closed=_with(top.closed, closed))
        frames = [*draft.frames[:-1], top]
        if self.keep:
            keeper = max((at for at, frame in enumerate(frames) if frame.of == self.keep), default=0)
            frames[keeper] = replace(frames[keeper], kept=_kept(frames[keeper].kept, closed))
        draft.frames = tuple(frames)

    def transition_error(self, game: Game) -> str:
        return _not_open(game, self.step)

    def audit_text(self) -> str:
        if self.item:
            return f"{self.side or 'the referee'} picks {self.item} for step {self.step}{in_brackets(self.why)}"
        said = f"{self.side} " if self.side else ""
        how = (
            f"{said}answers step {self.step} with {self.answer}"
            if self.answer
            else f"step {self.step} {CLOSINGS[self.how]}"
        )
        leads = "" if self.to in ("", "next") else f"; play continues at {self.to}"
        return f"{how}{leads}{in_brackets(self.why)}"


class StepPassed(Event, frozen=True, kw_only=True, tag="step.passed"):
    """A step or a heading is passed by, because it does not apply now."""

    step: str
    name: str
    why: str

    def transition_error(self, game: Game) -> str:
        opened = any(one.step == self.step for one in game.cursor.open)
        return f"step {self.step} is open, so it cannot be skipped" if opened else VALID

    def audit_text(self) -> str:
        return f"{step_words(self.step, self.name)} does not apply: {self.why}"


class PlayJumped(Event, frozen=True, kw_only=True, tag="play.jumped"):
    """Play jumps to a place other than the next step, in one event.

    `frames`: the number of frames that stay open. `forgets`: steps whose results the innermost of them forgets.
    `broke_off`: steps that were open and stay unfinished. `stays`: open steps that stay open.
    """

    to: str
    frames: int
    forgets: tuple[str, ...] = ()
    broke_off: tuple[str, ...] = ()
    note: str = ""
    stays: tuple[str, ...] = ()

    def apply(self, draft: FoldingGame) -> None:
        frames = draft.frames[: max(self.frames, 1)]  # the outermost frame is the game
        top = frames[-1]
        kept = tuple(one for one in top.closed if one.step not in self.forgets)
        draft.frames = (*frames[:-1], replace(top, closed=kept))
        draft.open = tuple(one for one in draft.open if one.step in self.stays)
        draft.leaving = {}

    def transition_error(self, game: Game) -> str:
        frames = game.cursor.frames
        if not 1 <= self.frames <= len(frames):
            return f"it leaves {self.frames} loops, but {len(frames)} are open, counting the game itself"
        held = (one.step for frame in frames[self.frames :] for one in frame.held)
        opened = tuple(one.step for one in game.cursor.open)
        if closed := [step for step in self.stays if step not in opened]:
            return f"it leaves {', '.join(closed)} open, but the open steps are {_list(opened)}"
        unfinished = (*(step for step in opened if step not in self.stays), *held)
        if self.broke_off != unfinished:
            return f"it breaks off {_list(self.broke_off)}, but the unfinished steps are {_list(unfinished)}"
        return VALID

    def audit_text(self) -> str:
        broken = f"; unfinished: {', '.join(self.broke_off)}" if self.broke_off else ""
        return f"play continues at {self.to}{in_brackets(self.note)}{broken}"


class LoopOpened(Event, frozen=True, kw_only=True, tag="loop.opened"):
    """A frame is added to the cursor, for a loop, a called procedure, a borrowed stretch, or a trigger.

    `back`: the place after which play continues when the frame closes. `stretch`: the first and the last borrowed step;
    for a trigger, the target of the step that had just closed.
    """

    loop: str
    name: str
    kind: LoopKind = "loop"
    back: str = ""
    stretch: tuple[str, ...] = ()

    def apply(self, draft: FoldingGame) -> None:
        frame = Frame(of=self.loop, name=self.name, kind=self.kind, back=self.back, stretch=self.stretch)
        if self.kind == "instant":
            frame = replace(frame, held=draft.open)
            draft.open = ()
        draft.frames = (*draft.frames, frame)

    def transition_error(self, game: Game) -> str:
        if game.ended:
            return f"the game is over: {game.ended}"
        if self.kind in ("call", "borrow") and not self.back:
            return f"the call of {self.loop} does not name the place it returns to"
        return (
            f"{self.loop} does not name the stretch that it borrows"
            if self.kind == "borrow" and len(self.stretch) != 2
            else VALID
        )

    def audit_text(self) -> str:
        match self.kind:
            case "call":
                return f"{self.loop}{in_brackets(self.name)} begins, called from {self.back}"
            case "borrow":
                return f"steps {' to '.join(self.stretch)} begin, borrowed for {self.back or self.loop}"
            case "instant":
                return f"{self.loop}{in_brackets(self.name)} interrupts play"
            case _:
                return f"{self.loop}{in_brackets(self.name)} begins"


class PassBegun(Event, frozen=True, kw_only=True, tag="pass.begun"):
    """A pass of the innermost loop begins.

    `nth`: its number, from 1; `finished`: members that are done; `turn`: a new turn.
    """

    loop: str
    nth: int
    item: str = ""
    side: str = ""
    finished: tuple[str, ...] = ()
    turn: int = 0

    def apply(self, draft: FoldingGame) -> None:
        top = replace(
            draft.frames[-1],
            nth=self.nth,
            item=self.item,
            side=self.side,
            finished=self.finished,
            closed=(),
            kept=(),
        )
        draft.frames = (*draft.frames[:-1], top)
        draft.turn = self.turn or draft.turn
        if draft.leaving:  # the promise does not cover the next pass of a loop that was open when it was given
            depth = len(draft.frames)
            draft.leaving = {side: one for side, one in draft.leaving.items() if one.depth < depth}

    def transition_error(self, game: Game) -> str:
        top = game.cursor.frames[-1]
        if not top.of or top.of != self.loop:
            return _not_innermost(top, self.loop)
        if self.nth != top.nth + 1:
            return f"the next pass of {self.loop} is {top.nth + 1}, not {self.nth}"
        if self.turn not in (0, game.turn + 1):
            return f"the next turn is {game.turn + 1}, not {self.turn}"
        return unknown_side(game, self.side) if self.side else VALID

    def audit_text(self) -> str:
        about = ", ".join(filter(None, (self.side, self.item)))
        return (f"turn {self.turn} begins: " if self.turn else "") + f"{self.loop}, pass {self.nth}{in_brackets(about)}"


class LoopClosed(Event, frozen=True, kw_only=True, tag="loop.closed"):
    """The innermost frame is removed from the cursor; if a trigger opened it, the suspended steps are open again."""

    loop: str
    why: str = ""

    def apply(self, draft: FoldingGame) -> None:
        draft.open = (*draft.open, *draft.frames[-1].held)
        draft.frames = draft.frames[:-1] or draft.frames

    def transition_error(self, game: Game) -> str:
        frames = game.cursor.frames
        return VALID if len(frames) > 1 and frames[-1].of == self.loop else _not_innermost(frames[-1], self.loop)

    def audit_text(self) -> str:
        return f"{self.loop} is over{in_brackets(self.why)}"


class PlayResumed(Event, frozen=True, kw_only=True, tag="play.resumed"):
    """Play continues from a mid-game setup, with the open loops and the answers that they remember.

    The events that open its steps follow. `of`, `at`: the game and the record from which the setup was written. `acts`:
    the count of acts, high enough for everything done in those steps; `answered`: the count at which an answer was
    given, by its key.
    """

    frames: tuple[Frame, ...] = ()
    turn: int = 0
    acts: int = 0
    answered: dict[str, int] = {}
    of: str = ""
    at: int = 0

    def apply(self, draft: FoldingGame) -> None:
        draft.frames = self.frames or (Frame(),)
        draft.open = ()
        draft.turn = self.turn
        draft.acts = self.acts
        for key, acts in self.answered.items():
            if key in draft.choices:
                draft.choices[key] = replace(draft.choices[key], acts=acts)

    def transition_error(self, game: Game) -> str:
        if len(game.cursor.frames) > 1 or game.cursor.open or game.ended:
            return "play has already begun, so it cannot start from a mid-game setup"
        return (
            VALID
            if self.acts >= game.acts
            else f"the setup already counts {counted(game.acts, 'act')}, not {self.acts}"
        )

    def audit_text(self) -> str:
        at = f" at #{self.at}" if self.at else ""
        written = f", the state of {self.of}{at}" if self.of else ""
        return f"play continues from the scenario's mid-game setup{written}" + (
            f": turn {self.turn}" if self.turn else ""
        )


StepsEvent = (
    StepOpened
    | OrderGiven
    | SideDone
    | SideLeaves
    | StepClosed
    | StepPassed
    | PlayJumped
    | LoopOpened
    | PassBegun
    | LoopClosed
    | PlayResumed
)


def _with(closed: tuple[Closed, ...], one: Closed) -> tuple[Closed, ...]:
    return (*(other for other in closed if other.step != one.step), one)


def _kept(kept: tuple[Closed, ...], one: Closed) -> tuple[Closed, ...]:
    """Return the kept answers with one more. A repeated answer moves to the end."""
    return (*(other for other in kept if (other.step, other.answer) != (one.step, one.answer)), one)


def _not_open(game: Game, step: str) -> str:
    return VALID if any(one.step == step for one in game.cursor.open) else f"step {step} is not open"


def _not_innermost(top: Frame, loop: str) -> str:
    return (
        f"the innermost loop is {top.of}, not {loop}"
        if top.of
        else f"no loop is open, so {loop or 'the game'} cannot be the innermost one"
    )


def _list(steps: tuple[str, ...]) -> str:
    return ", ".join(steps) or "none"
