"""Copy a title so that its facts record each answer."""

from collections import defaultdict
from contextlib import suppress
from typing import Any

import msgspec

from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.sequence.conditions import Asks, Fact


class FactRecorder:
    """Records the answers of each fact, by name."""

    def __init__(self) -> None:
        self.given: dict[str, set[bool]] = defaultdict(set)
        self._watched: dict[str, Asks] = {}

    def of(self, name: str) -> set[bool]:
        """Return the answers of a fact so far; an empty set if none was recorded."""
        return self.given.get(name, set())

    def watched(self, title: Title) -> Title:
        """Return a copy of the title whose facts record their answers. Equal facts stay equal."""
        return replace(title, sequence=self._copied(title.sequence))

    def _copied(self, part: Any) -> Any:
        match part:
            case Fact():
                return replace(part, asks=self._noting(part.name, part.asks))
            case tuple():
                parts = tuple(self._copied(one) for one in part)
                return part if all(new is old for new, old in zip(parts, part, strict=True)) else parts
            case msgspec.Struct():
                fields = {name: getattr(part, name) for name in part.__struct_fields__}
                copied = {name: self._copied(one) for name, one in fields.items()}
                changed = {name: one for name, one in copied.items() if one is not fields[name]}
                return replace(part, **changed) if changed else part
            case _:
                return part

    def ask_all(self, game: Game) -> None:
        """Compute every fact for every side, no matter which step is open.

        Facts that already had both answers are left out. Exceptions are ignored, because a fact may fail outside its
        step.
        """
        for asks in (asks for name, asks in self._watched.items() if len(self.of(name)) < 2):
            for side in ("", *game.side_ids):
                with suppress(Exception):  # Play reports faults of conditions.
                    asks(game, side)

    def _noting(self, name: str, asks: Asks) -> Asks:
        def noting(game: Game, side: str) -> bool:
            answer = asks(game, side)
            self.given[name].add(bool(answer))
            return answer

        return self._watched.setdefault(name, noting)
