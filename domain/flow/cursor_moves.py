"""Move play into a place, out of a place, to the next place after a step, and to a trigger's procedure.

Every move is an event that is applied as soon as it is emitted, so conditions always see the current game. `advance`
moves play after an order.
"""

from typing import NamedTuple

from umpire_ledger.domain.flow.event_emitter import EventEmitter
from umpire_ledger.domain.flow.queries import (
    empty_set_text,
    forfeits,
    members,
    no_holder_text,
    required_actions,
    sides_in,
)
from umpire_ledger.domain.flow.triggers import due
from umpire_ledger.domain.game.cursor import Frame, How
from umpire_ledger.domain.game.errors import DeclarationError
from umpire_ledger.domain.game.events import (
    GameEnded,
    LoopClosed,
    LoopOpened,
    PassBegun,
    PlayJumped,
    SideDone,
    StepClosed,
    StepOpened,
    StepPassed,
)
from umpire_ledger.domain.game.hidden_units import is_foggy
from umpire_ledger.domain.game.state import place_of, replace
from umpire_ledger.domain.kit.title import Called, Closes, Finds
from umpire_ledger.domain.sequence.constructs import (
    BACK,
    END,
    NEXT,
    Each,
    Heading,
    Instant,
    Rounds,
    Step,
    Together,
    Turns,
    names,
)
from umpire_ledger.domain.sequence.frames import beside, broken_off, forgotten, frame_for, going_on

LONGEST_WALK = 10_000
"""Limit of moves without waiting for a side; a longer walk means that play goes in a circle."""


class Enter(NamedTuple):
    """The move into a place."""

    place: str


class Leave(NamedTuple):
    """The move out of a place that is over."""

    place: str


class GoTo(NamedTuple):
    """The move from a closed step to its target."""

    target: str
    origin: str


Movement = Enter | Leave | GoTo


def _goes_round(where: str) -> DeclarationError:
    return DeclarationError(
        "the sequence loops without waiting for a side",
        where=where,
        rule="the sequence of play",
        remedy="let a step of the cycle wait for a side, or clear the condition of a trigger",
        code="endless-circle",
    )


class Moving(EventEmitter):
    """An emitter that also moves play, move by move, until play waits for a side."""

    def go(self, movement: Movement | None) -> None:
        """Move until play waits for a side or the game is over; triggers are checked before play leaves a place."""
        for _ in range(LONGEST_WALK):
            if self.game.ended:
                return
            if instant := self._instant_before(movement):
                movement = self._break_in(instant, movement)
            elif movement is not None:
                movement = self._move(movement)
            elif (gone := self._gone_side()) is not None:
                movement = self._release(*gone)
            elif (idle := self._idle_side()) is not None:
                movement = self._leave_idle(*idle)
            else:
                return
        raise _goes_round(movement[0] if movement else self.game.where)

    def _instant_before(self, movement: Movement | None) -> Instant | None:
        """Return a trigger that holds now.

        Triggers are checked when a step has just closed and when play would wait.
        """
        match movement:
            case None:
                return due(self.title, self.game)
            case GoTo(origin=origin):
                return due(self.title, self.game, origin)
            case _:
                return None

    def _move(self, movement: Movement) -> Movement | None:
        match movement:
            case Enter(place):
                return self._enter(place)
            case Leave(place):
                return self._leave(place)
            case GoTo(target, origin):
                return self._go_to(target, origin)

    def _enter(self, place_id: str) -> Movement | None:
        place = self.plan.place(place_id)
        if not self.holds(place.when):
            return self._pass_by(place_id)
        match place:
            case Step():
                return self._borrow(place) if place.runs else self._open(place)
            case Heading(id=one):
                return Enter(self.plan.first(one))
            case Together():
                return self._open_together(place)
            case Rounds():
                self.emit(LoopOpened(loop=place_id, name=place.name))
                return self._next_round(place)
            case Each() | Turns():
                self.emit(LoopOpened(loop=place_id, name=place.name))
                return self._next_member(place)

    def _pass_by(self, place_id: str, why: str = "") -> Movement:
        """Record that play passes a place by, with the reason: by default, that its guard does not hold."""
        place = self.plan.place(place_id)
        why = why or (self.why(place.when) if place.when else "")
        self.emit(StepPassed(step=place_id, name=place.name, why=why))
        return Leave(place_id)

    def _leave(self, place_id: str) -> Movement | None:
        """Return the movement after a place that is over."""
        self.plan.place(place_id)
        top = self.game.cursor.top
        is_last = top.kind == "borrow" and self.plan.holds(place_id, top.stretch[1])
        if is_last or place_id in self.plan.procedures:
            return self._return(top)
        parent_id = self.plan.parent[place_id]
        parent = self.plan.places.get(parent_id)
        if isinstance(parent, Together):
            return self._leave_together(parent_id)
        following = self.plan.after(place_id)
        if following:
            return Enter(following)
        match parent:
            case Rounds():
                return self._end_of_round(parent)
            case Each() | Turns():
                return self._next_member(parent)
            case Heading():
                return Leave(parent_id)
            case _:
                self.emit(GameEnded(why="the sequence of play is over"))
                return None

    # --- steps --------------------------------------------------------------------------------------------------------

    def _open(self, step: Step) -> Movement | None:
        waits = sides_in(self.title, self.game, step.by)
        if step.by and not waits:
            return self._pass_by(step.id, no_holder_text(self.title, self.game, step.by))
        self._tell_open(step, waits)
        closes = self._act(step)
        if self.game.ended or (waits and closes is None):
            return None
        return self._close(step.id, answer=closes.answer if closes else "")

    def _open_together(self, place: Together) -> Movement | None:
        """Begin every track. If one leads out at once, play follows it and the later tracks never begin."""
        for track in place.steps:
            elsewhere = self._begin_track(track.id)
            if elsewhere or self.game.ended:
                return elsewhere
        return self._leave_together(place.id)

    def _begin_track(self, track: str) -> Movement | None:
        """Walk into a track until it waits or is over; return the move that leads out of it, if there is one.

        Triggers are checked when all tracks have begun.
        """
        movement: Movement | None = Enter(track)
        for _ in range(LONGEST_WALK):
            match movement:
                case None:
                    return None
                case Leave(place) if place == track:
                    return None
                case GoTo(target, _) if target != NEXT and self.plan.track(target) != track:
                    return movement
            movement = self._move(movement)
        raise _goes_round(track)

    def _leave_together(self, together: str) -> Movement | None:
        """Wait while a track is open; otherwise leave the tracks, because all are over."""
        still_open = any(self.plan.holds(together, one.step) for one in self.game.cursor.open)
        return None if still_open else Leave(together)

    def _tell_open(self, place: Step | Each | Turns, waits: tuple[str, ...]) -> None:
        where, path = place_of(self.game), self.plan.path(place.id)
        if isinstance(place, Step):
            where = replace(where, turn=self.game.turn + 1) if place.counts_turns else where
            name, secret = place.name, place.secret
        else:
            name, secret = f"pick for {place.name}", False
        self.emit(StepOpened(step=place.id, name=name, where=where, waits=waits, path=path, secret=secret))

    def _act(self, step: Step) -> Closes | None:
        """Emit the events of the title's automatic act at the opening of a step, and return its `Closes`; None without
        one.
        """
        act = self.title.acts.get(step.id)
        results = act(self.game) if act else []
        before, self.decision = self.decision, act
        for result in results:
            if not isinstance(result, Closes | Finds):
                self.emit(result)
        self.decision = before
        return next((result for result in results if isinstance(result, Closes)), None)

    def _close(
        self, step_id: str, *, answer: str = "", how: How = "done", side: str = "", why: str = ""
    ) -> Movement | None:
        step = self.plan.place(step_id)
        assert isinstance(step, Step)
        to = self._settle(step, answer, side)
        self.emit(StepClosed(step=step_id, answer=answer, how=how, to=to, side=side, keep=step.keep, why=why))
        return GoTo(to, step_id)

    def _settle(self, step: Step, answer: str, side: str) -> str:
        """Return the target of a step: that of its answer, else of the first exit whose condition holds, else NEXT."""
        said = next((one.to for one in step.answers if one.name == answer), "")
        return said or next((go.to for go in step.then if self.holds(go.when, side, step.id)), NEXT)

    def _gone_side(self) -> tuple[str, str] | None:
        """Return an open step that still waits for a side no longer in the game, and that side; None without one."""
        waiting = ((one.step, side) for one in self.game.cursor.open for side in one.waits)
        return next(((step, side) for step, side in waiting if not self.title.plays_on(self.game, side)), None)

    def _release(self, step: str, side: str) -> Movement | None:
        """Stop waiting for a side that is no longer in the game."""
        why = self.game.side_does(side, "is not in the game")
        loop = self.plan.places.get(step)
        if isinstance(loop, Each | Turns):
            self.emit(StepClosed(step=step, how="excused", side=side, why=why))
            return self._next_member(loop)
        if self.open(step).waits == (side,):
            return self._close(step, how="excused", side=side, why=why)
        self.emit(SideDone(step=step, side=side, how="excused", why=why))
        return None

    def _idle_side(self) -> tuple[Step, str] | None:
        """Return an open step that still waits for a side without a role in it, and that side; None without one.

        Only roles with `asked_again` are checked. Play keeps waiting at a step that is secret or has answers, and if
        the side still has required actions or would forfeit something. In games with fog it always waits, because an
        early end would reveal the loss of a hidden unit.
        """
        if is_foggy(self.game):
            return None
        for one in self.game.cursor.open:
            step = self.plan.places.get(one.step)
            if isinstance(step, Step) and not step.secret and not step.answers and self._is_asked_again(step):
                held = sides_in(self.title, self.game, step.by)
                lost = (side for side in one.waits if side not in held)
                for side in lost:
                    if not required_actions(self.title, self.game, step, side) and not forfeits(
                        self.title, self.game, step.id, side
                    ):
                        return step, side
        return None

    def _is_asked_again(self, step: Step) -> bool:
        roles = [self.title.roles.get(role) for role in names(step.by)]
        return bool(roles) and all(isinstance(role, Called) and role.asked_again for role in roles)

    def _leave_idle(self, step: Step, side: str) -> Movement | None:
        """Stop waiting for a side that can do nothing more in a step."""
        one = self.open(step.id)
        how: How = "done" if self.game.acts != one.acts else "idle"
        held = sides_in(self.title, self.game, step.by)
        nobody = no_holder_text(self.title, self.game, step.by)
        why = f"{self.game.side_name(side)} can do nothing more here" if held else nobody
        if one.waits == (side,):
            how = "declined" if how == "idle" and one.declined else how
            return self._close(step.id, how=how, side=side, why=why)
        self.emit(SideDone(step=step.id, side=side, how=how, why=why))
        return None

    # --- loops --------------------------------------------------------------------------------------------------------

    def _next_round(self, rounds: Rounds, first: str = "") -> Movement:
        nth = self.game.cursor.top.nth + 1
        self.emit(PassBegun(loop=rounds.id, nth=nth, turn=self.game.turn + 1 if rounds.counts_turns else 0))
        return Enter(first or self.plan.first(rounds.id))

    def _end_of_round(self, rounds: Rounds) -> Movement:
        if rounds.until is None or not self.holds(rounds.until):
            return self._next_round(rounds)
        self.emit(LoopClosed(loop=rounds.id, why=self.why(rounds.until)))
        return Leave(rounds.id)

    def _next_member(self, loop: Each | Turns) -> Movement | None:
        """Open the pick of the next member, begin its pass if no side picks, or close the loop if no member is left."""
        top = self.game.cursor.top
        side, free, finished = members(self.title, self.game, loop, top)
        if not free:
            self.emit(LoopClosed(loop=loop.id, why=empty_set_text(self.title, loop)))
            return Leave(loop.id)
        pickers = (side,) if isinstance(loop, Turns) else sides_in(self.title, self.game, loop.by)
        if not pickers:
            item = free[0]
            side = item if item in self.game.side_ids else side  # A member that is itself a side has the pass.
            self.emit(PassBegun(loop=loop.id, nth=top.nth + 1, item=item, side=side, finished=(*finished, item)))
            return Enter(self.plan.first(loop.id))
        self.emit(PassBegun(loop=loop.id, nth=top.nth + 1, side=side, finished=finished))
        self._tell_open(loop, pickers)
        return None

    # --- going elsewhere ----------------------------------------------------------------------------------------------

    def _go_to(self, target: str, origin: str) -> Movement | None:
        if target == NEXT:
            return Leave(origin)
        if target == END:
            self.emit(GameEnded(why=f"{origin} {self.plan.place(origin).name}"))
            return None
        if target == BACK:
            return self._back()
        if target in self.plan.procedures and target not in going_on(self.game.cursor):
            return self._call(target, origin)
        return self._jump(target, origin)

    def _call(self, procedure: str, origin: str) -> Movement:
        """Walk into a procedure that returns after the step that called it; pass it by if its guard does not hold."""
        place = self.plan.place(procedure)
        if not self.holds(place.when):
            self._pass_by(procedure)
            return Leave(origin)
        self._break_off(f"{origin} calls {procedure}")
        self.emit(LoopOpened(loop=procedure, name=place.name, kind="call", back=origin))
        return Enter(self.plan.first(procedure))

    def _break_off(self, note: str) -> None:
        """Record that the other open steps stay unfinished."""
        cursor = self.game.cursor
        if cursor.open:
            frames = len(cursor.frames)
            self.emit(PlayJumped(to="", frames=frames, broke_off=broken_off(cursor, frames), note=note))

    def _back(self) -> Movement | None:
        """Return from the innermost procedure, borrowed stretch or trigger.

        Raises:
            DeclarationError: Only loops are open, so there is nothing to return from.
        """
        frames = self.game.cursor.frames
        depth = max((at for at, frame in enumerate(frames) if frame.kind != "loop"), default=0)
        if depth == 0:
            raise DeclarationError(
                "there is no procedure to return from",
                where=self.game.where,
                rule="BACK",
                remedy="name a place",
                code="no-procedure-to-leave",
            )
        return self._return_from(depth)

    def _return_from(self, depth: int, note: str = "") -> Movement | None:
        """Break off the open steps and the frames inside a frame, and return from that frame."""
        cursor = self.game.cursor
        if cursor.open or depth < len(cursor.frames) - 1:
            broken = broken_off(cursor, depth + 1)
            self.emit(PlayJumped(to=BACK, frames=depth + 1, broke_off=broken, note=note))
        return self._return(self.game.cursor.top)

    def _return(self, frame: Frame) -> Movement | None:
        """Remove a called, borrowed or trigger frame and continue after it."""
        self.emit(LoopClosed(loop=frame.of))
        if frame.kind == "borrow":
            step = self.plan.step(frame.back)
            assert step is not None
            return self._open(step)
        if frame.kind == "instant":
            return GoTo(frame.stretch[0], frame.back) if frame.back else None
        return Leave(frame.back)

    def _borrow(self, step: Step) -> Movement:
        assert step.runs is not None
        self.emit(LoopOpened(loop=step.id, name=step.name, kind="borrow", back=step.id, stretch=step.runs))
        return Enter(step.runs[0])

    def _jump(self, target: str, origin: str) -> Movement | None:
        """Jump to a place in an open frame, as one event.

        A jump out of a borrowed stretch returns from the stretch instead.

        Raises:
            DeclarationError: The target is inside a loop that is not open.
        """
        self.plan.place(target)
        cursor = self.game.cursor
        depth = frame_for(self.plan, cursor, target)
        if depth is None:
            raise DeclarationError(
                f"{origin} leads into {target}, inside a loop that is not open",
                where=self.game.where,
                rule=self.plan.home(target),
                remedy="lead to the loop itself",
                code="loop-not-open",
                fields={"origin": origin, "target": target},
            )
        frame = cursor.frames[depth]
        if frame.kind == "borrow" and not self.plan.in_stretch(frame.stretch, target):
            return self._return_from(depth, f"{target} is outside the borrowed stretch")
        stays = beside(self.plan, cursor, origin, target)
        self.emit(
            PlayJumped(
                to=target,
                frames=depth + 1,
                forgets=forgotten(self.plan, frame, target, self.plan.track(target) if stays else ""),
                broke_off=broken_off(cursor, depth + 1, stays),
                note=f"from {origin}",
                stays=stays,
            )
        )
        return self._land(target)

    def _land(self, target: str) -> Movement | None:
        """Continue after a jump. A target loop, or rounds that begin at the target, begin their next pass."""
        top = self.game.cursor.top
        loop = self.plan.places.get(top.of) if top.kind == "loop" else None
        if isinstance(loop, Rounds) and (target == top.of or self.plan.begins(loop.id, target)):
            return self._next_round(loop, "" if target == top.of else target)
        if isinstance(loop, Each | Turns) and target == top.of:
            return self._next_member(loop)
        return Enter(self.plan.first(target) if target == top.of else target)

    # --- triggers -----------------------------------------------------------------------------------------------------

    def _break_in(self, instant: Instant, movement: Movement | None) -> Movement | None:
        """Suspend play for a trigger's procedure, or jump.

        If a step has just closed, its exit is followed afterwards.
        """
        if instant.to == END:
            self.emit(GameEnded(why=instant.name))
            return None
        if instant.to not in self.plan.procedures:
            return self._jump(instant.to, instant.name)
        pending = movement if isinstance(movement, GoTo) else None
        self.emit(
            LoopOpened(
                loop=instant.to,
                name=instant.name,
                kind="instant",
                back=pending.origin if pending else "",
                stretch=(pending.target,) if pending else (),
            )
        )
        return Enter(self.plan.first(instant.to))
