"""The charts of a replay page: accounts, and units lost by side, at the end of each turn of the line that counts."""

from collections import Counter
from typing import Any, NamedTuple

from umpire_ledger.domain.game.state import Game
from umpire_ledger.projections.pictures.page_states import IsKept


class _Turn(NamedTuple):
    turn: int
    game: Game


class Turns:
    """The game at the end of each turn; a turn that play went back into is one more."""

    def __init__(self) -> None:
        self._ends: list[_Turn] = []

    def take(self, game: Game) -> None:
        """The game after the next record that counts."""
        if self._ends and self._ends[-1].turn == game.turn:
            self._ends.pop()
        self._ends.append(_Turn(game.turn, game))

    def charts(self, is_kept: IsKept) -> dict[str, Any]:
        """Turns, and by name so many numbers as there are turns. Accounts that only the rules keep are left out."""
        names = {name for end in self._ends for name in end.game.accounts if not is_kept("accounts", name)}
        gone = [Counter(unit.side for unit in end.game.units.values() if unit.fate) for end in self._ends]
        return {
            "turns": [end.turn for end in self._ends],
            "accounts": {name: [end.game.accounts.get(name, 0) for end in self._ends] for name in sorted(names)},
            "losses": {side: [one[side] for one in gone] for side in sorted(set().union(*gone))},
        }
