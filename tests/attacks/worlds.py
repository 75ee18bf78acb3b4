"""Make pairs of ledgers that differ only in one secret, of every title that has secrets, and of all under fog.

A game is played at random. If an order has a secret part, the test kit makes pairs of worlds of it
(`umpire_ledger.testing.secret_pairs`) and plays on in both; here they get their history, and are written into ledgers.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tests.face.desk import GameStateBuilder, drafts_of, need_title
from tests.face.domain import (
    CLOSED_TO_REFEREE,
    FOG,
    REFEREE,
    SPECTATOR,
    AnyEvent,
    ChoiceRevealed,
    Decision,
    DomainError,
    Game,
    HiddenOrdered,
    Note,
    Order,
    Scenario,
    SealWords,
    SendMessage,
    Title,
    Value,
    events_of,
    is_foggy,
    known_to,
    may_see,
    open_game,
    read,
)
from tests.face.ledger import Ledger, Record
from tests.face.testing import (
    Example,
    Finding,
    Player,
    StuckError,
    own_games,
    scenarios,
    tells_secret,
    titles,
    trial_of,
)
from umpire_ledger.testing import secret_pairs as testing

GAME = "game"
LEDGER = "umpire.db"
WHEN = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)
MOST_ORDERS = 400
"""Orders of a random game that are looked through for a secret one."""
WRITES_BY = 12
"""Orders of a random game within which a private note is written."""
FOLLOWED = 6
"""Orders that both worlds play on with."""

Step = tuple[Order, Decision]


class Pair(NamedTuple):
    """One game with another secret in each world. `blind`: the seats that may not see it, `at`: its first position.

    `secret`: the name of the secret order. `leaks`: differences that the rules alone show to the blind seats.
    `keys`: the sealed choices, as question and side. `number`: the pair's number for its seed, from 1.
    """

    title: str
    secret: str
    one: tuple[Step, ...]
    other: tuple[Step, ...]
    opening: Decision
    blind: tuple[str, ...]
    at: int
    leaks: tuple[str, ...] = ()
    keys: testing.Keys = frozenset()
    number: int = 0

    @property
    def game(self) -> Game:
        return self.one[-1][1].game

    @property
    def units(self) -> list[str]:
        """The ids of all units, hidden ones among them."""
        return sorted(known_to(self.game, REFEREE).units)

    @property
    def seats(self) -> tuple[str, ...]:
        return (REFEREE, *self.game.side_ids, SPECTATOR)


def pairs(seed: int) -> Iterator[Pair]:
    """Yield pairs without end: every title, scenario after scenario, game after game."""
    return _numbered(_pairs(seed, _sources()))


def pairs_of_own_sequences(seed: int) -> Iterator[Pair]:
    """Yield pairs of games whose scenario brings its own sequence of play."""
    return _numbered(_pairs(seed, own_games(need_title("freeform"))))


def pairs_in_the_dark(seed: int, title: str = "") -> Iterator[Pair]:
    """Yield pairs of games under fog, which differ in the acts of hidden units; of one title, or of each in turn."""
    sources = [source for source in _in_turn(_sources()) if title in ("", source[0].id)]
    return _numbered(_pairs(seed, sources, in_the_dark=lambda _: True))


def _in_turn(sources: Sequence[tuple[Title, Scenario]]) -> list[tuple[Title, Scenario]]:
    """Return the first scenario of each title, then the second of each."""
    before = Counter[str]()
    rounds = []
    for title, scenario in sources:
        rounds.append((before[title.id], title, scenario))
        before[title.id] += 1
    return [(title, scenario) for _, title, scenario in sorted(rounds, key=lambda one: one[0])]


def _sources() -> list[tuple[Title, Scenario]]:
    played = [(title, scenario) for title in titles() for scenario in scenarios(title)]
    return [*played, *own_games(need_title("freeform"))]


def _is_printed(title: Title, leak: Finding) -> bool:
    """Return whether the rules allow the guess, as the title declares in `promises.toml`, with the reason."""
    return any(one.covers("secrets-kept", leak) for one in _trial_of(title.id).exceptions)


_trial_of = cache(trial_of)


def _numbered(found: Iterator[Pair]) -> Iterator[Pair]:
    return (pair._replace(number=number) for number, pair in enumerate(found, 1))


def _every_third(game: int) -> bool:
    return game % 3 == 2


def _pairs(
    seed: int, sources: Sequence[tuple[Title, Scenario]], in_the_dark: Callable[[int], bool] = _every_third
) -> Iterator[Pair]:
    have_secrets = {title.id: True for title, _ in sources}
    for game in range(seed * 1000, seed * 1000 + 10_000):
        for title, scenario in sources:
            if in_the_dark(game):
                yield from _in_one_game(title, _opened(title, scenario, game, {FOG: True}), game)
            elif have_secrets[title.id]:
                closed = game % 2 == 1 and not scenario.options.get(FOG)
                opening = _opened(title, scenario, game, {CLOSED_TO_REFEREE: True} if closed else {})
                found = list(_in_one_game(title, opening, game))
                yield from found
                have_secrets[title.id] = bool(found) or game < seed * 1000 + 3


def _opened(title: Title, scenario: Any, seed: int, options: Mapping[str, Value]) -> Decision:
    return open_game(title, scenario, game_id=GAME, dice="ledger", seed=f"{seed:064x}", options=options)


def _in_one_game(title: Title, opening: Decision, seed: int) -> Iterator[Pair]:
    """Yield the first pair of a random game, a later one, and before them a pair about a private note.

    Under fog they differ in hidden units, and the first comes when some are hidden.
    """
    player = Player(title, seed)
    chance = random.Random(seed)
    dark = is_foggy(opening.game)
    wanted = [chance.randrange(4), chance.randrange(4, 16)] if dark else [0, chance.randrange(1, 6)]
    written = -1 if dark else chance.randrange(WRITES_BY)
    game, secrets = opening.game, 0
    steps: list[Step] = []
    for number in range(MOST_ORDERS):
        if number == written:
            words = (_private_word(game, chance), _sealed_orders(game, chance))
            yield from filter(None, (_pair(title, opening, steps, one, seed) for one in words))
        if game.ended or not wanted:
            return
        try:
            order, decision = player.choose(game)
        except (StuckError, DomainError):  # the promises for every title say so
            return
        if _is_about_hidden(decision) if dark else tells_secret(decision):
            pair = _pair(title, opening, steps, order, seed) if secrets >= wanted[0] else None
            secrets += 1
            if pair is not None:
                wanted.pop(0)
                yield pair
        steps.append((order, decision))
        game = decision.game


def _is_about_hidden(decision: Decision) -> bool:
    return any(isinstance(event, HiddenOrdered) for event in events_of(decision.told))


def _private_word(game: Game, chance: random.Random) -> Order:
    """Return a note of some seat to others, or a courier message if the game has turns."""
    if game.turn and chance.random() < 0.3:
        to, text = chance.choice((*game.side_ids, REFEREE)), f"word {chance.random()}"
        return SendMessage(seat=chance.choice(game.side_ids), text=text, to=(to,), arrives=game.turn + 1)
    seats = (*game.side_ids, REFEREE)
    writer, *others = chance.sample(seats, len(seats))
    return Note(seat=writer, text=f"word {chance.random()}", to=tuple(others[: chance.randint(1, len(others) - 1)]))


def _sealed_orders(game: Game, chance: random.Random) -> Order:
    """Return sealed orders of a side; in the other world of their pair they are a private note."""
    return SealWords(seat=chance.choice(game.side_ids), text=f"word {chance.random()}", condition="attacked")


def _pair(title: Title, opening: Decision, before: Sequence[Step], order: Order, seed: int) -> Pair | None:
    """Return the first two worlds of this order that look the same to the blind seats, played on in both."""
    game = before[-1][1].game if before else opening.game
    example = Example(game=game, order=order, scenario=0, seed=seed, number=len(before), told=[], until=0)
    for found in testing.pairs(title, example):
        other_history = any(not side for _, side in found.keys)
        if other_history or testing.visible_difference(found, found.one, found.other) is not None:
            continue
        leaks: list[Finding] = []
        shared = testing.follow(title, found, leaks)[:FOLLOWED]
        return Pair(
            title=title.id,
            secret=order.tag(),
            one=(*before, (order, found.one), *((step.order, step.one) for step in shared)),
            other=(*before, (found.orders[1], found.other), *((step.order, step.other) for step in shared)),
            opening=opening,
            blind=found.blind,
            at=sum(len(decision.told) for decision in (opening, *(step[1] for step in before))) + 1,
            leaks=tuple(leak.what for leak in leaks if not _is_printed(title, leak)),
            keys=found.keys,
        )
    return None


def lay(path: Path, opening: Decision, steps: Sequence[Step]) -> None:
    """Write a game into a ledger as if it had been played there; only the salts are of chance."""
    with Ledger.open(path, GameStateBuilder(), clock=lambda: WHEN) as ledger:
        size = _append(ledger, 0, REFEREE, "opening", opening, None)
        for number, (order, decision) in enumerate(steps):
            size = _append(ledger, size, order.seat, f"order-{number}", decision, msgspec.json.encode(order))


def _append(ledger: Ledger[Game], after: int, seat: str, command: str, decision: Decision, cause: bytes | None) -> int:
    drafts = drafts_of(decision.told, cause)
    records = ledger.append(GAME, after=after, seat=seat, command=command, drafts=drafts, state=decision.game)
    return records[-1].position


# --- what lays the secret open ----------------------------------------------------------------------------------------


def laid_open(pair: Pair, one: Sequence[Record], other: Sequence[Record]) -> bool:
    """Return whether a command's records reveal the whole secret to all seats, in both worlds, and none earlier.

    Then its answer may differ: the seat that ends the step before a reveal reads the revealed secret. An unrecorded
    difference is never excused, nor a record of only one world, nor a difference that a blind seat sees earlier.
    """
    if not pair.keys or not all(pair.keys <= set(map(_revealed, told)) for told in (one, other)):
        return False
    return all(_reveal_comes_first(pair, seat, one, other) for seat in pair.blind)


def _reveal_comes_first(pair: Pair, seat: str, one: Sequence[Record], other: Sequence[Record]) -> bool:
    """Return whether the reveal is the first record in which a seat sees a difference."""
    for here, there in zip(one, other, strict=False):
        if _seen(pair, seat, here) != _seen(pair, seat, there):
            key = _revealed(here)
            return key in pair.keys and key == _revealed(there)
    return False


def _seen(pair: Pair, seat: str, record: Record) -> tuple[tuple[str, ...] | None, AnyEvent | None]:
    """Return the seats that may see a record, and its event if this seat may."""
    seen = may_see(seat, pair.game.side_of(seat), record.visible_to)
    return record.visible_to, _event(record) if seen else None


def _revealed(record: Record) -> tuple[str, str] | None:
    """Return the question and the side of a choice that a record reveals to all seats."""
    event = _event(record)
    is_public = record.visible_to is None and isinstance(event, ChoiceRevealed)
    return (event.question, event.side) if is_public else None


def _event(record: Record) -> AnyEvent:
    return read(bytes(record.event), record.position)
