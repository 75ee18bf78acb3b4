"""Advance play after an order, from the current place in the sequence to the next one that waits for a side.

The cursor in the game is the only state kept between orders.
"""

from collections.abc import Callable
from typing import Any

from umpire_ledger.domain.flow.cursor_moves import Enter, Leave, Moving
from umpire_ledger.domain.flow.triggers import due, too_far
from umpire_ledger.domain.game.cursor import How
from umpire_ledger.domain.game.events import DiceRolled, LoopClosed, RestrictedEvent, SideDone, StepClosed
from umpire_ledger.domain.kit.title import Closes, Finds, Result
from umpire_ledger.domain.kit.title_errors import no_part


class PlayAdvancer(Moving):
    """Moves of play that orders cause: begin, carry out, close a step, pick, and end the picks."""

    def begin(self) -> None:
        """Walk into the first place of the sequence."""
        if self.plan.siblings[""]:
            self.go(Enter(self.plan.siblings[""][0]))

    def carry_out(self, results: list[Result], step: str, side: str) -> None:
        """Emit the events of an order that a side gave under an open step; move on if they close the step.

        All events from an order's first roll on count as one moment: a trigger that holds then waits for the last
        event.

        Raises:
            RuleViolation: A trigger holds after an event that is not the last one, before any roll.
        """
        events = [result for result in results if not isinstance(result, Closes | Finds)]
        rolled = False
        for at, event in enumerate(events):
            self.emit(event)
            rolled = rolled or isinstance(event.event if isinstance(event, RestrictedEvent) else event, DiceRolled)
            if not rolled and at < len(events) - 1 and (instant := due(self.title, self.game)):
                raise too_far(self.game, instant, events[: at + 1])
        closes = next((result for result in results if isinstance(result, Closes)), None)
        decision, self.decision = self.decision, None
        if closes is not None and step and not self.game.ended:
            self._close_after(closes, step, side, decision)
        else:
            self.go(None)

    def _close_after(self, closes: Closes, step: str, side: str, decision: Callable[..., Any] | None) -> None:
        """Close the step of an order, or end only the side's part if the step still waits for other sides.

        Raises:
            TitleFault: The step is closed already, or does not wait for the side, so the side has no part to end.
        """
        one = self.game.cursor.opened(step)
        if one is None:
            raise no_part(self.title.id, self.game, decision, side, step)
        waits = one.waits
        if closes.answer or closes.everybody or waits in ((), (side,)):
            self.close(step, answer=closes.answer)
        elif side in waits:
            self.side_done(step, side, "done")
        else:
            raise no_part(self.title.id, self.game, decision, side, step)

    def carry_out_anytime(self, results: list[Result], step_id: str) -> None:
        """Emit an order's events under a step that is open at any time. Play stays at its place."""
        step = self.plan.step(step_id)
        assert step is not None
        self._tell_open(step, ())
        for result in results:
            if not isinstance(result, Closes | Finds):
                self.emit(result)
        self.decision = None
        if not self.game.ended:
            self.emit(StepClosed(step=step_id, to=""))
        self.go(None)

    def close(self, step: str, *, answer: str = "", how: How = "done", side: str = "", why: str = "") -> None:
        """Close an open step, settle the next place and go there."""
        self.go(self._close(step, answer=answer, how=how, side=side, why=why))

    def side_done(self, step: str, side: str, how: How, why: str = "") -> None:
        """Record that a side has finished with a step; the last one closes it.

        If any side declined the step, the step is declined, whichever side ended its part last.
        """
        one = self.open(step)
        if one.waits == (side,):
            how = "declined" if how == "idle" and one.declined else how
            self.close(step, how=how, side=side, why=why)
        else:
            self.emit(SideDone(step=step, side=side, how=how, why=why))
            self.go(None)

    def pick(self, loop: str, member: str, side: str, why: str = "") -> None:
        """Begin a loop's next pass with this member."""
        self.emit(StepClosed(step=loop, answer=member, side=side, to=self.plan.first(loop), item=member, why=why))
        self.go(Enter(self.plan.first(loop)))

    def pick_no_more(self, loop: str, side: str) -> None:
        """End a side's picks for a loop that may be ended early; the last of several sides ends the loop."""
        if self.open(loop).waits == (side,):
            self._end_loop(loop, side=side, why=self.game.side_does(side, "picks no more"))
        else:
            self.emit(SideDone(step=loop, side=side))
            self.go(None)

    def give_up(self, loop: str, why: str) -> None:
        """Leave a loop whose next member is not going to be picked."""
        self._end_loop(loop, how="overridden", why=why)

    def _end_loop(self, loop: str, *, why: str, how: How = "done", side: str = "") -> None:
        self.emit(StepClosed(step=loop, how=how, side=side, why=why))
        self.emit(LoopClosed(loop=loop, why=why))
        self.go(Leave(loop))
