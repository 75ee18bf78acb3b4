"""Check that the result does not depend on which side types first, if several sides act at the same time.

Pairs of orders by two sides are decided both ways, and each order has its own dice, so that chance is the same. The
pairs are legal orders at a position of random play, and consecutive orders of a recorded game. All orders of one
opening of a step in a recorded game are also decided with each side's orders first. Steps whose sides act in turn
(`in_turn`), and steps with a reason why the sequence of orders matters (`first_come`), are not tried.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain, combinations, islice, pairwise, product
from random import Random
from typing import Any, NamedTuple

from umpire_ledger.domain.flow.open_steps import acting, open_steps
from umpire_ledger.domain.game.errors import DomainError, RuleViolation
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import Done
from umpire_ledger.domain.game.state import Game, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.suggested_orders import suggested_here
from umpire_ledger.domain.sequence.constructs import Step
from umpire_ledger.testing.examples import text_of
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.play_report import Observed
from umpire_ledger.testing.random_play import NO_HISTORY
from umpire_ledger.testing.recorded import with_ledger_dice
from umpire_ledger.testing.title_under_test import Trial

OF_A_KIND, MOST = 3, 20
"""The most legal orders of one kind and side at one position, and the most suggestions to try for them."""
PAIRS, OF_TWO_KINDS = 60, 24
"""The most pairs of orders to swap at one position, and the most pairs of the same two kinds in one step."""
_REMEDY = (
    "apply the orders together once every side has left the step, or let the sides act `in_turn`; if the rules let"
    " orders count in the order in which they come, give the reason in the step's `first_come`"
)


class OrderPair(NamedTuple):
    """Two legal orders of two sides in one step of a game, each with its results of table dice."""

    game: Game
    step: Step
    first: Sent
    second: Sent


def kept(trial: Trial) -> Iterator[Finding]:
    """Yield the first finding about each step, in random play and in games with their own sequence."""
    for seen in (trial.observed, *trial.own_games):
        found: set[str] = set()
        tried: Counter[tuple[str, ...]] = Counter()
        for pair in chain(recorded_pairs(seen), suggested_pairs(seen, trial.seed)):
            kinds = (pair.step.id, *sorted((pair.first.order.tag(), pair.second.order.tag())))
            tried[kinds] += 1
            if pair.step.id not in found and tried[kinds] <= OF_TWO_KINDS and (differs := difference(seen.title, pair)):
                found.add(pair.step.id)
                yield _finding(pair, differs, trial.seed)
        for block in recorded_blocks(seen):
            if block.step.id not in found and (differs := difference_of_sides(seen.title, block)):
                found.add(block.step.id)
                yield _of_block(block, differs, trial.seed)


def _finding(pair: OrderPair, differs: str, seed: int) -> Finding:
    step, orders = pair.step, (pair.first.order, pair.second.order)
    what = f"in {step.id} {step.name} the result depends on whether {' or '.join(one.tag() for one in orders)} is first"
    text = "; ".join(text_of(one) for one in orders)
    return Finding(what=what, remedy=_REMEDY, about=step.id, differs=differs, order=text, seed=seed)


def _of_block(block: "OrderBlock", differs: str, seed: int) -> Finding:
    what = f"in {block.step.id} {block.step.name} the result depends on which side gives all its orders first"
    text = "; ".join(text_of(one.order) for one in block.orders)
    return Finding(what=what, remedy=_REMEDY, about=block.step.id, differs=differs, order=text, seed=seed)


def is_shared(title: Title, game: Game, step: Step) -> bool:
    """Return whether several sides may act in an open step now, and no rule determines who acts first."""
    return not step.in_turn and not step.first_come and len(acting(title, game, step)) > 1


# --- pairs ------------------------------------------------------------------------------------------------------------


def suggested_pairs(seen: Observed, seed: int) -> Iterator[OrderPair]:
    """Yield legal orders of two sides at positions of random play."""
    for name, games in sorted(seen.positions.items()):
        step = seen.title.plan.step(name)
        for game in games:
            if step is not None and is_shared(seen.title, game, step):
                yield from islice(_pairs_at(seen.title, game, step, Random(seed)), PAIRS)


def _pairs_at(title: Title, game: Game, step: Step, chance: Random) -> Iterator[OrderPair]:
    """Yield pairs of legal orders of two sides; pairs with `done` come last."""
    every = [Sent(order=one) for one in suggested_here(title, game) if _is_of(title, step, one)]
    chance.shuffle(every)
    given = {side: list(_legal(title, game, every, side)) for side in acting(title, game, step)}
    pairs = chain.from_iterable(product(given[one], given[other]) for one, other in combinations(given, 2))
    for first, second in sorted(pairs, key=lambda pair: sum(isinstance(one.order, Done) for one in pair)):
        yield OrderPair(game, step, first, second)


def _is_of(title: Title, step: Step, order: Any) -> bool:
    """Return whether an order belongs to a step; orders that the title declares as asides do not."""
    if isinstance(order, Done):
        return order.step in ("", step.id)
    return type(order) in step.allows and type(order) not in title.asides


def _legal(title: Title, game: Game, every: Iterable[Sent], side: str) -> Iterator[Sent]:
    """Yield a few legal orders of a side, of each kind."""
    tried: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for sent in every:
        kind = sent.order.tag()
        if sent.order.seat == side and found[kind] < OF_A_KIND and tried[kind] < MOST:
            tried[kind] += 1
            if _is_legal(title, game, sent):
                found[kind] += 1
                yield sent


def recorded_pairs(seen: Observed) -> Iterator[OrderPair]:
    """Yield consecutive orders of two sides in one opening of a step in recorded games, each of them legal first.

    An order that answers the other is left out, because it would be refused first.
    """
    for before, after in pairwise(seen.starts):
        first, second = _read(seen.title, before.order), _read(seen.title, after.order)
        if first is None or second is None or before.game.id != after.game.id:
            continue
        for step in open_steps(seen.title, before.game):
            pair = OrderPair(before.game, step, first, second)
            if _is_of_two_sides(seen.title, pair) and is_shared(seen.title, before.game, step):
                yield pair


def _is_of_two_sides(title: Title, pair: OrderPair) -> bool:
    """Return whether both orders are legal in the step, and come from two sides that may act there."""
    sides = {pair.game.side_of(sent.order.seat) for sent in (pair.first, pair.second)}
    if len(sides) < 2 or not sides <= {*acting(title, pair.game, pair.step)}:
        return False
    both = (pair.first, pair.second)
    return all(_is_of(title, pair.step, sent.order) and _is_legal(title, pair.game, sent) for sent in both)


class OrderBlock(NamedTuple):
    """All orders that several sides gave in one opening of a step, in recorded order."""

    game: Game
    step: Step
    orders: tuple[Sent, ...]


def recorded_blocks(seen: Observed) -> Iterator[OrderBlock]:
    """Yield blocks of at least three orders by at least two sides from recorded games; `recorded_pairs` covers two."""
    run: list[Sent] = []
    block: OrderBlock | None = None
    for start in seen.starts:
        sent = _read(seen.title, start.order)
        if block is None or sent is None or not _goes_on(seen.title, block, start.game, sent):
            yield from _whole(block, run)
            step = _shared_step(seen.title, start.game, sent)
            run, block = [], None if step is None else OrderBlock(start.game, step, ())
        if block is not None and sent is not None:
            run.append(sent)
    yield from _whole(block, run)


def _goes_on(title: Title, block: OrderBlock, game: Game, sent: Sent) -> bool:
    """Return whether an order belongs to the same opening of a step as a block of orders."""
    is_same = game.id == block.game.id and opening_of(game, block.step) == opening_of(block.game, block.step)
    return is_same and _is_of(title, block.step, sent.order) and game.side_of(sent.order.seat) in game.side_ids


def _whole(block: OrderBlock | None, run: Sequence[Sent]) -> Iterator[OrderBlock]:
    if block is not None and len(run) > 2 and len({block.game.side_of(one.order.seat) for one in run}) > 1:
        yield block._replace(orders=tuple(run))


def _shared_step(title: Title, game: Game, sent: Sent | None) -> Step | None:
    """Return the shared step in which a side gives an order, or None."""
    if sent is None:
        return None
    side = game.side_of(sent.order.seat)
    shared = (one for one in open_steps(title, game) if _is_of(title, one, sent.order) and is_shared(title, game, one))
    return next((one for one in shared if side in acting(title, game, one)), None)


def _read(title: Title, raw: Mapping[str, Any]) -> Sent | None:
    """Return a recorded order, or None if the title can no longer read it."""
    try:
        return read_order(title, dict(raw))
    except DomainError:
        return None


# --- two orders, both ways --------------------------------------------------------------------------------------------


class Result(NamedTuple):
    """The game after two orders, or after the first alone if the second cannot follow. `refused`: the reason, or ""."""

    game: Game
    refused: str = ""


def difference(title: Title, pair: OrderPair) -> str:
    """Return the difference that swapping two orders makes; "" if there is none.

    Nothing is compared if an interrupt suspends the step between the two orders. If each order makes the other
    unnecessary, such as a single die that any side may roll, both orders get the same dice.
    """
    one, other = _result(title, pair), _result(title, pair._replace(first=pair.second, second=pair.first))
    if one is None or other is None:
        return ""
    if one.refused and other.refused:
        alone = [Result(decided(title, pair.game, sent, "either")) for sent in (pair.first, pair.second)]
        one, other = alone[0]._replace(refused=one.refused), alone[1]._replace(refused=other.refused)
    differs = _first_difference(plain(one.game), plain(other.game))
    return "; ".join(filter(None, (one.refused, other.refused, differs))) if differs else ""


def difference_of_sides(title: Title, block: OrderBlock) -> str:
    """Return the first difference between the recorded game and one in which a side's orders come first; "" if none.

    An order that answers an order of another side is still given after it.
    """
    recorded = _all_given(title, block.game, block.step, block.orders)
    if recorded is None or recorded.refused:
        return ""
    for first in dict.fromkeys(block.game.side_of(one.order.seat) for one in block.orders):
        orders = sorted(block.orders, key=lambda one: block.game.side_of(one.order.seat) != first)
        other = _all_given(title, block.game, block.step, orders)
        if other is not None and (differs := _first_difference(plain(recorded.game), plain(other.game))):
            return "; ".join(filter(None, (f"{block.game.side_name(first)} first", other.refused, differs)))
    return ""


def _all_given(title: Title, game: Game, step: Step, orders: Sequence[Sent]) -> Result | None:
    """Give each of these orders as soon as it is legal, and return the game; None if one suspends the step."""
    at, waiting, refused = opening_of(game, step), [*orders], ""
    while waiting and opening_of(game, step) == at:
        for sent in waiting:
            try:
                game = decided(title, game, sent)
            except DomainError as error:
                refused = f"{sent.order.tag()} by {sent.order.seat}: {error.what}"
                continue
            waiting.remove(sent)
            break
        else:
            return Result(game, refused)
        if any(one.step == step.id for frame in game.cursor.frames for one in frame.held):
            return None
    left = ", ".join(f"{one.order.tag()} by {one.order.seat}" for one in waiting)
    return Result(game, left and f"the step is closed before {left}")


def _result(title: Title, pair: OrderPair) -> Result | None:
    """Return the game after both orders; None if the first suspends the step."""
    between = decided(title, pair.game, pair.first)
    if any(one.step == pair.step.id for frame in between.cursor.frames for one in frame.held):
        return None
    try:
        if opening_of(between, pair.step) == opening_of(pair.game, pair.step):
            return Result(decided(title, between, pair.second))
        refused = "the step is closed"
    except RuleViolation as violation:
        refused = violation.what
    first, second = (f"{one.order.tag()} by {one.order.seat}" for one in (pair.first, pair.second))
    return Result(between, f"after {first}, {second}: {refused}")


def opening_of(game: Game, step: Step) -> object:
    """Return a value that identifies the current opening of a step; None if the step is closed."""
    one = game.cursor.opened(step.id)
    return one and (one.acts, [(frame.of, frame.nth, frame.item, frame.side) for frame in game.cursor.frames])


def _is_legal(title: Title, game: Game, sent: Sent) -> bool:
    try:
        decided(title, game, sent)
    except DomainError:
        return False
    return True


def decided(title: Title, game: Game, sent: Sent, dice: str = "") -> Game:
    """Return the game after an order whose dice depend only on the order, or on `dice` if given.

    Raises:
        DomainError: When the order is refused.
    """
    seed = sha256((dice or text_of(sent.order)).encode()).hexdigest()
    before = replace(game, dice="table") if sent.pips else with_ledger_dice(replace(game, rolls=0), seed)
    decision = decide(title, before, sent, NO_HISTORY)
    if decision.failure is not None:
        raise decision.failure
    return decision.game


# --- comparing --------------------------------------------------------------------------------------------------------


def plain(game: Game) -> Mapping[str, Any]:
    """Return the state of a game as plain data for comparison, without dice, order counts and the order of lists."""
    return {
        "unit": {
            name: [
                unit.side,
                unit.kind,
                unit.at,
                unit.fate,
                {key: _bag(value) for key, value in unit.attributes.items()},
            ]
            for name, unit in game.units.items()
        },
        "account": {name: held for name, held in game.accounts.items() if held},
        "marker": {name: _bag(held) for name, held in game.markers.items() if held is not None},
        "choice": {name: replace(one, acts=0) for name, one in game.choices.items()},
        "step": {one.step: [sorted(one.waits), sorted(one.given)] for one in game.cursor.open},
        "loop": {
            str(depth): [frame.of, frame.nth, frame.item, frame.side, sorted(frame.finished), _closed(frame.closed)]
            for depth, frame in enumerate(game.cursor.frames)
        },
        "game": {"turn": game.turn, "end": game.ended, "winner": game.winner},
    }


def _bag(value: Any) -> Any:
    return sorted(value) if isinstance(value, tuple) else value


def _closed(steps: Sequence[Any]) -> list[tuple[str, str, str]]:
    return [(one.step, one.answer, one.how) for one in steps]


def _first_difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    for name, here in one.items():
        there = other[name]
        for key in sorted({*here, *there}):
            if here.get(key) != there.get(key):
                return f"{name} {key}: {here.get(key)}, or {there.get(key)}"
    return ""
