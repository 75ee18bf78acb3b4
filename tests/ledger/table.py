"""Provide a small test game: events are numbers, and the state is the tuple of the numbers that count."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import strategies as st

from tests.face.ledger import Draft, Ledger, Record

Numbers = tuple[int, ...]


class Tally:
    """Applies an event {"n": 7} as (…, 7), and counts the events."""

    def __init__(self, schema: str = "numbers 1") -> None:
        self.schema = schema
        self.folded = 0

    def start(self) -> Numbers:
        return ()

    def fold(self, state: Numbers, lines: Iterable[bytes]) -> Numbers:
        numbers = [json.loads(line).get("event", {"n": -1})["n"] for line in lines]
        self.folded += len(numbers)
        return (*state, *numbers)

    def dump(self, state: Numbers) -> bytes:
        return json.dumps(state).encode()

    def load(self, raw: bytes) -> Numbers:
        return tuple(json.loads(raw))


class SlowClock:
    """A clock that starts at noon and advances one second per order."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def number(n: int, *, follows: int | None = None, visible_to: tuple[str, ...] | None = None) -> Draft:
    """Return the draft of one event."""
    return Draft(event=b'{"n":%d}' % n, follows=follows, visible_to=visible_to)


def play(ledger: Ledger[Numbers], game_id: str, *orders: Sequence[int], seat: str = "athens") -> tuple[Record, ...]:
    """Append one order for each list of numbers; return the records of the last order."""
    answer: tuple[Record, ...] = ()
    for numbers in orders:
        size = ledger.size(game_id)
        drafts = [number(n) for n in numbers]
        answer = ledger.append(game_id, after=size, seat=seat, command=f"order {size + 1}", drafts=drafts)
    return answer


def open_table(where: str | Path = ":memory:", **settings: object) -> Ledger[Numbers]:
    """Open a ledger with a tally and a slow clock."""
    folding = settings.pop("folding", None) or Tally()
    return Ledger.open(where, folding, clock=SlowClock(), **settings)  # type: ignore[arg-type]


def states_by_hand(follows: list[int]) -> list[Numbers]:
    """Return the state at each position, record by record: state(n) = state(follows of n) + n."""
    states: list[Numbers] = [()]
    for position, follow in enumerate(follows, 1):
        states.append((*states[follow], position))
    return states


# For each record: None to follow its predecessor, or a number that picks an earlier position to return to.
histories = st.lists(st.one_of(st.none(), st.none(), st.integers(0, 10**6)), min_size=1, max_size=60)


def follows_of(history: list[int | None]) -> list[int]:
    return [at if back is None else back % (at + 1) for at, back in enumerate(history)]
