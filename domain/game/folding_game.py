"""Apply many events to one mutable game, and freeze it afterwards."""

from typing import Any

from umpire_ledger.domain.game.cursor import Cursor
from umpire_ledger.domain.game.state import Game, replace


class FoldingGame:
    """A mutable game, to apply several events before it is frozen. Its maps are mutations, which keeps events cheap."""

    __slots__ = (
        *("_base", "accounts", "acts", "choices", "frames", "leaving"),
        *("markers", "more", "open", "rolls", "turn", "units"),
    )

    def __init__(self, base: Game) -> None:
        self._base = base
        self.units = base.units.mutate()
        self.accounts = base.accounts.mutate()
        self.markers = base.markers.mutate()
        self.choices = base.choices.mutate()
        self.frames = base.cursor.frames
        self.open = base.cursor.open
        self.turn = base.turn
        self.acts = base.acts
        self.rolls = base.rolls
        self.leaving = base.leaving
        self.more: dict[str, Any] = {}

    def freeze(self) -> Game:
        """Return the game after the events."""
        return replace(
            self._base,
            units=self.units.finish(),
            accounts=self.accounts.finish(),
            markers=self.markers.finish(),
            choices=self.choices.finish(),
            cursor=Cursor(frames=self.frames, open=self.open),
            turn=self.turn,
            acts=self.acts,
            rolls=self.rolls,
            leaving=self.leaving,
            **self.more,
        )

    def now(self, field: str) -> Any:
        """Return the current value of a rarely changed field."""
        return self.more.get(field, getattr(self._base, field))
