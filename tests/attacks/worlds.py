"""Pairs of ledgers that hold the same game but for one secret, of every title that has secrets.

A game is played at random. Where an order tells something in secret, it is given again in another world with another
secret: another order of the same kind that looks the same to everybody else, or other dice. Then both worlds play on
with the same orders, as long as those look the same to whoever may not see the secret.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.desk.wiring import GameFolding, drafts_of
from umpire_ledger.domain.game.decision import Decision
from umpire_ledger.domain.game.errors import DomainError
from umpire_ledger.domain.game.events import Told
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.secrets import CLOSED_TO_REFEREE, may_see
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.candidates import suggestions
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.opening import open_game
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.testing import NO_PAST, Player, StuckError, scenarios, titles

GAME = "game"
LEDGER = "umpire.db"
WHEN = datetime(2026, 1, 1, 19, 0, tzinfo=UTC)
MOST_ORDERS = 400
"""Orders of a random game that are looked through for a secret one."""
FOLLOWED = 6
"""Orders that both worlds play on with."""
OTHER_SEED = "0d" * 32

Step = tuple[Order, Decision]


class Pair(NamedTuple):
    """One game with another secret in each world. `blind`: the seats that may not see it, `at`: its first position.

    `secret`: the name of the order that told it. `seats`: everybody with a view of the game.
    """

    title: str
    secret: str
    one: tuple[Step, ...]
    other: tuple[Step, ...]
    opening: Decision
    blind: tuple[str, ...]
    at: int

    @property
    def game(self) -> Game:
        return self.one[-1][1].game

    @property
    def seats(self) -> tuple[str, ...]:
        return (REFEREE, *self.game.side_ids, SPECTATOR)


def pairs(seed: int) -> Iterator[Pair]:
    """Pairs without end: every title, scenario after scenario, game after game."""
    sources = [(title, scenario) for title in titles() for scenario in scenarios(title)]
    have_secrets = {title.id: True for title, _ in sources}
    for game in range(seed * 1000, seed * 1000 + 10_000):
        for title, scenario in sources:
            if not have_secrets[title.id]:
                continue
            closed = game % 2 == 1
            opening = _opened(title, scenario, game, closed=closed)
            found = list(_in_one_game(title, opening, game))
            yield from found
            have_secrets[title.id] = bool(found) or game < seed * 1000 + 3


def _opened(title: Title, scenario: Any, seed: int, *, closed: bool) -> Decision:
    options = {CLOSED_TO_REFEREE: True} if closed else {}
    return open_game(title, scenario, game=GAME, dice="ledger", seed=f"{seed:064x}", options=options)


def _in_one_game(title: Title, opening: Decision, seed: int) -> Iterator[Pair]:
    """The first pair of a random game, and one later on."""
    chance, player = random.Random(seed), Player(title, seed)
    wanted = [0, chance.randrange(1, 6)]
    game, seen = opening.game, 0
    steps: list[Step] = []
    for _ in range(MOST_ORDERS):
        if game.ended or not wanted:
            return
        try:
            order, decision = player.choose(game)
        except (StuckError, DomainError):
            return
        if _tells(decision):
            pair = _pair(title, opening, steps, order, decision, chance) if seen >= wanted[0] else None
            seen += 1
            if pair is not None:
                wanted.pop(0)
                yield _played_on(title, pair, player)
        steps.append((order, decision))
        game = decision.game


def _tells(decision: Decision) -> bool:
    return any(isinstance(told, Told) and told.visible_to for told in decision.told)


def _pair(
    title: Title, opening: Decision, before: Sequence[Step], order: Order, one: Decision, chance: random.Random
) -> Pair | None:
    game = before[-1][1].game if before else opening.game
    blind = _blind(game, one)
    others = list(_others(title, game, order, one))
    chance.shuffle(others)
    for other_order, other in others:
        if other.told != one.told and blind and _same_to(blind, game, one, other):
            position = sum(len(decision.told) for decision in (opening, *(step[1] for step in before))) + 1
            return Pair(
                title=title.id,
                secret=order.tag(),
                one=(*before, (order, one)),
                other=(*before, (other_order, other)),
                opening=opening,
                blind=blind,
                at=position,
            )
    return None


def _others(title: Title, game: Game, order: Order, one: Decision) -> Iterator[Step]:
    """The order with another secret, as far as it is legal."""
    alike = [other for other in suggestions(title, game) if type(other) is type(order) and other.seat == order.seat]
    for other in (*alike, *_edited(title, order)):
        if other != order and (decision := _tried(title, game, other)):
            yield other, decision
    if decision := _tried(title, replace(game, seed=OTHER_SEED), order):
        yield order, Decision(told=decision.told, game=replace(decision.game, seed=game.seed))


def _edited(title: Title, order: Order) -> Iterator[Order]:
    """The order with another word or number in one place: shorter, longer, larger."""
    raw = msgspec.to_builtins(order)
    for name, value in raw.items():
        if name not in ("as", "order") and isinstance(value, str | int):
            others = (
                (value + 1, value + 1000) if isinstance(value, int) else ("x", f"{value}, and not what it was before")
            )
            for other in others:
                with suppress(DomainError):
                    yield read_order(title, {**raw, name: other}).order


def _tried(title: Title, game: Game, order: Order) -> Decision | None:
    try:
        return decide(title, game, Sent(order=order), NO_PAST)
    except DomainError:
        return None


def _blind(game: Game, decision: Decision) -> tuple[str, ...]:
    """Who may see none of what was told in secret."""
    told = [one.visible_to for one in decision.told if isinstance(one, Told)]
    seats = (*game.side_ids, SPECTATOR, *((REFEREE,) if game.options.get(CLOSED_TO_REFEREE) else ()))
    return tuple(seat for seat in seats if not any(may_see(seat, game.side_of(seat), one) for one in told))


def _same_to(blind: Sequence[str], game: Game, one: Decision, other: Decision) -> bool:
    return all(_shown(seat, game, one) == _shown(seat, game, other) for seat in blind)


def _shown(seat: str, game: Game, decision: Decision) -> list[Any]:
    """The records of a decision as a seat sees them."""
    return [
        (one.visible_to, one.event if may_see(seat, game.side_of(seat), one.visible_to) else None)
        if isinstance(one, Told)
        else one
        for one in decision.told
    ]


def _played_on(title: Title, pair: Pair, player: Player) -> Pair:
    """Both worlds with the orders that follow, until one of them would show the difference to a blind seat."""
    one, other = list(pair.one), list(pair.other)
    for _ in range(FOLLOWED):
        here, there = one[-1][1].game, other[-1][1].game
        step = next(_alike(title, pair, player, here, there), None)
        if here.ended or step is None:
            break
        order, mine, its = step
        one.append((order, mine))
        other.append((order, its))
    return pair._replace(one=tuple(one), other=tuple(other))


def _alike(
    title: Title, pair: Pair, player: Player, here: Game, there: Game
) -> Iterator[tuple[Order, Decision, Decision]]:
    for order in player.candidates(here):
        mine = _tried(title, here, order)
        its = _tried(title, there, order) if mine else None
        if mine and its and _same_to(pair.blind, here, mine, its):
            yield order, mine, its


def lay(path: Path, opening: Decision, steps: Sequence[Step]) -> None:
    """Write a game into a ledger as if it had been played there; only the salts are of chance."""
    with Ledger.open(path, GameFolding(), clock=lambda: WHEN) as ledger:
        size = _append(ledger, 0, REFEREE, "opening", opening, None)
        for number, (order, decision) in enumerate(steps):
            size = _append(ledger, size, order.seat, f"order-{number}", decision, msgspec.json.encode(order))


def _append(ledger: Ledger[Game], after: int, seat: str, command: str, decision: Decision, cause: bytes | None) -> int:
    drafts = drafts_of(decision.told, cause)
    records = ledger.append(GAME, after=after, seat=seat, command=command, drafts=drafts, state=decision.game)
    return records[-1].position
