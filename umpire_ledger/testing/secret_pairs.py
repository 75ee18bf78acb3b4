"""Play two worlds that differ in one secret with the same later orders, until the secret is revealed.

Facts that an owner's order makes public on purpose (`testing.openly`) are not compared, because they are not leaks. For
a card that is played openly, the two worlds differ in the rest of the hand.
"""

from collections.abc import Iterator
from itertools import islice, pairwise
from random import Random
from typing import Any, NamedTuple

import msgspec

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import (
    ChoiceMade,
    ChoiceRevealed,
    DiceRolled,
    HiddenOrdered,
    RestrictedEvent,
)
from umpire_ledger.domain.game.hidden_units import is_foggy, known_to
from umpire_ledger.domain.game.order_json import Sent, read_order
from umpire_ledger.domain.game.orders import Note, Order, SealWords
from umpire_ledger.domain.game.sealed_choices import CLOSED_TO_REFEREE, may_see
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Choice, Game, replace
from umpire_ledger.domain.game.verb_agreement import counted
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.domain.play.event_visibility import hidden_names
from umpire_ledger.domain.play.suggested_orders import suggestions
from umpire_ledger.testing.examples import Example, tells_secret
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.hidden_orders import hidden_orders, look_alike
from umpire_ledger.testing.openly import differ_openly, played_openly
from umpire_ledger.testing.random_play import NO_HISTORY, PARTS, Player

OTHER_SEED = "0d" * 32
PAIRS = 3
"""The most pairs of worlds for one order, and the most replacements to try for one name."""
EDITS = 60
"""The most changed copies of one order to try."""
BESIDE = ("as", "order")
THOROUGH, MOST = 4, 20
"""The number of positions after the secret order at which blind seats try orders, and the most orders at each."""
FOLLOWED = 25
"""The most orders to give in both worlds after the secret order."""
_json = msgspec.json.Encoder().encode

Keys = frozenset[tuple[str, str]]
"""Questions whose answers differ between two worlds, each with the side whose reveal ends the secret; "" for any."""


class World(NamedTuple):
    """An order and its decision in the other world.

    `keys`: the questions with other sealed answers there; if empty, the questions that the first order seals. `before`:
    the other world before the order, if it already differs.
    """

    order: Order
    decision: Decision
    keys: Keys = frozenset()
    before: Game | None = None


Outcome = Decision | tuple[str, ...]
"""The result of an order: a decision, or the parts of its refusal."""
Shown = list[tuple[tuple[str, ...] | None, Any]]


class WorldPair(NamedTuple):
    """Two copies of a game with different secrets.

    `one`, `other`: the decisions in the two worlds. `blind`: the seats that may not see the secret. `keys`: the
    questions with secret answers. `orders`: the two orders, which are equal if only secret dice or an earlier secret
    differ. `before`: the other world before its order.
    """

    example: Example
    one: Decision
    other: Decision
    blind: tuple[str, ...]
    keys: Keys
    orders: tuple[Order, Order]
    before: Game


class SharedOrder(NamedTuple):
    """An order that was given in both worlds after the secret order, with both decisions."""

    order: Order
    one: Decision
    other: Decision


def pairs(title: Title, example: Example) -> Iterator[WorldPair]:
    """Yield pairs of worlds for a secret order that differ in a choice, in secret dice, or in a secret of the game."""
    one = decide(title, example.game, Sent(order=example.order), NO_HISTORY)
    for found, offered in (
        (_other_kind(title, example), True),
        (_other_choices(title, example), True),
        (_other_dice(title, example, one), True),
        (_other_games(title, example), True),
        (_other_hands(title, example), True),
        (_other_hidden(title, example, alike=True), True),
        (_other_hidden(title, example, alike=False), False),
        (_edited(title, example), False),
    ):
        for world in found:
            other, orders = world.decision, (example.order, world.order)
            if other.told == one.told or not tells_secret(other):
                continue
            blind, before = _blind(example.game, one, other), world.before or example.game
            pair = WorldPair(example, one, other, blind, world.keys or _keys(one), orders, before)
            if blind and _is_of_a_secret(pair) and (offered or visible_difference(pair, one, other) is None):
                yield pair


def _is_of_a_secret(pair: WorldPair) -> bool:
    """Return whether two worlds differ only in secrets, not in facts that their orders make public on purpose."""
    one, other = pair.one, pair.other
    if pair.orders[0] == pair.orders[1]:
        return not plays_openly(pair.orders[0], (pair.example.game, pair.before), (one, other))
    return _secrets(one) != _secrets(other) and not (
        differ_openly(pair.orders, (one, other))
        or plays_openly(pair.orders[0], (pair.example.game, pair.before), (one, other))
    )


def plays_openly(order: Order, before: tuple[Game, Game], after: tuple[Decision, Decision]) -> bool:
    """Return whether an order makes different secrets of its side public in two worlds."""
    side = before[0].side_of(order.seat)
    first, second = (played_openly(game, decision, side) for game, decision in zip(before, after, strict=True))
    return first != second


def _other_choices(title: Title, example: Example) -> Iterator[World]:
    """Yield worlds with other suggested orders of the same kind and seat."""
    mine, game = example.order, example.game
    for order in suggestions(title, game):
        alike = type(order) is type(mine) and order.seat == mine.seat and order != mine
        if alike and (other := _tried(title, game, order)):
            yield World(order, other)


def _other_kind(title: Title, example: Example) -> Iterator[World]:
    """Yield a world with a private note instead of a sealed order, because both are one withheld record."""
    mine, game = example.order, example.game
    if isinstance(mine, SealWords):
        # The note is only for its own side, because other seats get no notification of sealed orders either.
        note = Note(seat=mine.seat, text=mine.text, to=(game.side_of(mine.seat),))
        if other := _tried(title, game, note):
            yield World(note, other)


def _other_hidden(title: Title, example: Example, *, alike: bool) -> Iterator[World]:
    """Yield worlds with other orders of the same seat about hidden units.

    They name another unit or place, make a longer move, or take another action.

    Args:
        title: The title of the game.
        example: The secret order.
        alike: Whether to yield orders that must look the same to seats that do not see the units, or all others.
    """
    if not is_foggy(example.game):
        return
    chance = Random(f"{example.seed} {example.number}")
    game, mine = example.game, example.order
    others = (order for order in hidden_orders(title, game, chance) if order.seat == mine.seat and order != mine)
    for order in islice((order for order in others if look_alike(game, mine, order) is alike), EDITS):
        if other := _tried(title, game, order):
            yield World(order, other)


def _edited(title: Title, example: Example) -> Iterator[World]:
    """Yield worlds with orders that differ in one argument, which may not be secret."""
    for raw in islice(edits(msgspec.to_builtins(example.order), example.game), EDITS):
        order = _read(title, raw)
        if order is not None and order != example.order and (other := _tried(title, example.game, order)):
            yield World(order, other)


def edits(value: Any, game: Game) -> Iterator[Any]:
    """Yield copies of an order's JSON that differ in one number, name, or member of a list."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case str():
            yield from (*_fellows(game, value), f"other {value}")
        case list() | tuple():
            yield from ([*value[:at], *value[at + 1 :]] for at in range(len(value)))
            inside = ((at, new) for at, one in enumerate(value) for new in edits(one, game))
            yield from ([*value[:at], new, *value[at + 1 :]] for at, new in inside)
        case dict():
            inner = ((key, new) for key, one in value.items() if key not in BESIDE for new in edits(one, game))
            yield from ({**value, key: new} for key, new in inner)


def _fellows(game: Game, name: str) -> list[str]:
    """Return ids of a few other units of the same side; [] if the name is not a unit."""
    unit = game.units.get(name)
    return [one.id for one in game.in_play(unit.side) if one.id != name][:PAIRS] if unit else []


def _read(title: Title, raw: Any) -> Order | None:
    try:
        return read_order(title, raw).order
    except RuleViolation:
        return None


def _tried(title: Title, game: Game, order: Order) -> Decision | None:
    try:
        return decide(title, game, Sent(order=order), NO_HISTORY)
    except Exception:  # Random play reports the exception.
        return None


def _other_games(title: Title, example: Example) -> Iterator[World]:
    """Yield worlds with the same order, but two swapped sealed choices of one side, such as two cards in a deck."""
    choices = sorted(example.game.choices.items())
    sealed = [(key, one) for key, one in choices if one.sealed and one.known]
    for (key, one), (other_key, other) in pairwise(sealed):
        if one.side == other.side and one.choice != other.choice and type(one.choice) is type(other.choice):
            swapped = example.game.choices.set(key, replace(one, choice=other.choice))
            swapped = swapped.set(other_key, replace(other, choice=one.choice))
            before = replace(example.game, choices=swapped)
            if found := _tried(title, before, example.order):
                keys = frozenset(((one.question, ""), (other.question, "")))
                yield World(example.order, found, keys, before)


def _other_hands(title: Title, example: Example) -> Iterator[World]:
    """Yield worlds with the same order, but another name in a sealed list of the side, such as a card in its hand.

    The other name comes from a sealed list too, so that the title knows it.
    """
    game, side = example.game, example.game.side_of(example.order.seat)
    lists = [(key, one) for key, one in sorted(game.choices.items()) if _is_hand(one)]
    names = dict.fromkeys(name for _, one in lists for name in _listed(one))
    for key, one in lists if side else ():
        for at, name in enumerate(_listed(one)) if one.side == side else ():
            for new in islice((new for new in names if new != name), PAIRS):
                choice = (*_listed(one)[:at], new, *_listed(one)[at + 1 :])
                before = replace(game, choices=game.choices.set(key, replace(one, choice=choice)))
                if found := _tried(title, before, example.order):
                    yield World(example.order, found, frozenset(((one.question, ""),)), before)


def _is_hand(choice: Choice) -> bool:
    return choice.sealed and choice.known and isinstance(choice.choice, tuple)


def _listed(choice: Choice) -> tuple[str, ...]:
    return choice.choice if isinstance(choice.choice, tuple) else ()


def _other_dice(title: Title, example: Example, one: Decision) -> Iterator[World]:
    """Yield worlds with the same order and other dice results, if all its rolls are secret."""
    thrown = [isinstance(told, RestrictedEvent) for told in one.told if isinstance(_event(told), DiceRolled)]
    if not thrown or not all(thrown):
        return
    for number in range(1, PAIRS + 1):
        seed = OTHER_SEED[:-2] + f"{number:02x}"
        other = _tried(title, replace(example.game, seed=seed), example.order)
        if other is not None:
            again = Decision(told=other.told, game=replace(other.game, seed=example.game.seed))
            yield World(example.order, again)


def _event(told: Any) -> Any:
    return told.event if isinstance(told, RestrictedEvent) else told


def _blind(game: Game, one: Decision, other: Decision) -> tuple[str, ...]:
    """Return the seats that see none of the secret records in which two worlds differ."""
    seen_by = [_decode(told)[1] for told in _secrets(one) ^ _secrets(other)]
    seats = (*game.side_ids, SPECTATOR, *((REFEREE,) if game.options.get(CLOSED_TO_REFEREE) else ()))
    return tuple(seat for seat in seats if not any(may_see(seat, game.side_of(seat), seats_of) for seats_of in seen_by))


def _secrets(decision: Decision) -> set[bytes]:
    return {
        _json([one.event, one.visible_to])
        for one in decision.told
        if isinstance(one, RestrictedEvent) and one.visible_to
    }


def _decode(raw: bytes) -> Any:
    event, visible_to = msgspec.json.decode(raw)
    return event, tuple(visible_to)


def _keys(decision: Decision) -> Keys:
    """Return the questions that a decision answers in secret, each with its side."""
    made = (
        one.event for one in decision.told if isinstance(one, RestrictedEvent) and isinstance(one.event, ChoiceMade)
    )
    return frozenset((event.question, event.side) for event in made)


# --- what the others see ----------------------------------------------------------------------------------------------


def shown(decision: Decision, seat: str, game: Game) -> Shown:
    """Return the records of a decision as a seat sees them: their viewers, and their event or None."""
    return [
        (one.visible_to, one.event if may_see(seat, game.side_of(seat), one.visible_to) else None)
        if isinstance(one, RestrictedEvent)
        else (None, one)
        for one in decision.told
    ]


def visible_difference(pair: WorldPair, one: Decision, other: Decision) -> tuple[str, int, str] | None:
    """Return the first difference that a blind seat can see: the seat, the index of the record, and both records."""
    game = pair.example.game
    for seat in pair.blind:
        here, there = shown(one, seat, game), shown(other, seat, game)
        if here == there and _json(here) == _json(there):  # 1 equals true in Python, but not in JSON.
            continue
        records = enumerate(zip(here, there, strict=False))
        at = next((at for at, (a, b) in records if _json(a) != _json(b)), min(len(here), len(there)))
        return seat, at, f"{_record(here, at)}, or {_record(there, at)}"
    return None


def _record(records: Shown, at: int) -> str:
    if at >= len(records):
        return counted(len(records), "record")
    visible_to, event = records[at]
    return str(_json(event), "utf-8") if event is not None else f"a record for {', '.join(visible_to or ())}"


def is_open(pair: WorldPair, decision: Decision, at: int) -> bool:
    """Return whether a decision reveals the secret up to its record `at`, or with it."""
    told = list(events_of(decision.told))[: at + 1]
    shown_now = {(one.question, side) for one in told if isinstance(one, ChoiceRevealed) for side in (one.side, "")}
    return not shown_now.isdisjoint(pair.keys)


# --- playing on -------------------------------------------------------------------------------------------------------


def follow(title: Title, pair: WorldPair, found: list[Finding]) -> list[SharedOrder]:
    """Continue play in both worlds until the secret is revealed, and add visible differences to `found`."""
    player = Player(title, pair.example.seed + pair.example.number)
    shared: list[SharedOrder] = []
    one, other = pair.one.game, pair.other.game
    while len(shared) < FOLLOWED and not one.ended:
        if len(shared) < THOROUGH and (told := _answers(title, pair, one, other)):
            found.append(told)
            break
        step = _both(title, pair, player, one, other, found)
        if step is None or found:
            break
        shared.append(step)
        one, other = step.one.game, step.other.game
    return shared


def _both(
    title: Title, pair: WorldPair, player: Player, one: Game, other: Game, found: list[Finding]
) -> SharedOrder | None:
    """Return the next order that is legal in both worlds; None if there is none or the worlds visibly differ.

    A difference that is a leak is added to `found`.
    """
    for order in player.candidates(one):
        here = _outcome(title, one, order)
        if not isinstance(here, Decision) and order.seat not in pair.blind:
            continue  # A seat that knows the secret may get another answer.
        there = _outcome(title, other, order)
        if isinstance(here, Decision) and isinstance(there, Decision):
            if _searches(here) and visible_difference(pair, here, there) is not None:
                pair = _without_side_of(pair, order.seat)  # Only the searching side sees the result.
                if visible_difference(pair, here, there) is None:
                    return None
            difference = visible_difference(pair, here, there)
            if difference is None:
                return SharedOrder(order, here, there)
            seat, at, differs = difference
            tells = order.seat in pair.blind or pair.keys or _tells_of_hidden(pair, order, one, other)
            if tells and not is_open(pair, here, at) and not plays_openly(order, (one, other), (here, there)):
                found.append(leak(pair, order, f"{seat} sees it in what {order.tag()} tells", differs))
            return None
        if told := _told_by_answer(pair, order, here, there):
            found.append(told)
            return None
    return None


def _searches(decision: Decision) -> bool:
    return any(isinstance(event, HiddenOrdered) and event.search for event in events_of(decision.told))


def _without_side_of(pair: WorldPair, seat: str) -> WorldPair:
    """Return the pair with fewer blind seats: without those of a given seat's side."""
    side_of = pair.example.game.side_of
    return pair._replace(blind=tuple(one for one in pair.blind if side_of(one) != side_of(seat)))


def _tells_of_hidden(pair: WorldPair, order: Order, one: Game, other: Game) -> bool:
    """Return whether the worlds differ in hidden units and an order names none, so that it must not reveal them."""
    hidden = any(isinstance(event, HiddenOrdered) for event in events_of(pair.one.told))
    named = any(hidden_names(known_to(game, REFEREE), order) for game in (one, other))
    return hidden and not named


def _answers(title: Title, pair: WorldPair, one: Game, other: Game) -> Finding | None:
    """Return a finding if a blind seat could learn the secret from the answers to its own orders."""
    for order in islice((order for order in suggestions(title, one) if order.seat in pair.blind), MOST):
        if told := _told_by_answer(pair, order, _outcome(title, one, order), _outcome(title, other, order)):
            return told
    return None


def _told_by_answer(pair: WorldPair, order: Order, here: Outcome, there: Outcome) -> Finding | None:
    """Return a finding if an order of a blind seat is refused in only one world, or with different words."""
    both = isinstance(here, Decision) and isinstance(there, Decision)
    if order.seat not in pair.blind or both or here == there:
        return None
    differs = f"{_outcome_text(here)}, or {_outcome_text(there)}"
    return leak(pair, order, f"{order.seat} sees it in how {order.tag()} is answered", differs)


def _outcome(title: Title, game: Game, order: Order) -> Outcome:
    """Return the result of an order: a decision, or the parts of its refusal."""
    try:
        return decide(title, game, Sent(order=order), NO_HISTORY)
    except RuleViolation as violation:
        return tuple(str(getattr(violation, part)) for part in PARTS)
    except Exception as error:  # Random play reports the exception.
        return (type(error).__name__,)


def _outcome_text(outcome: Outcome) -> str:
    return "accepted" if isinstance(outcome, Decision) else " / ".join(outcome)


def leak(pair: WorldPair, order: Order, how: str, differs: str) -> Finding:
    """Return the finding that a seat can distinguish two worlds."""
    first, second = (str(_json(one), "utf-8") for one in pair.orders)
    secret = f"one: {first}; other: {second}" if first != second else f"{first}, with other dice or cards"
    return pair.example.finding(
        f"the secret of {pair.orders[0].tag()} is known before it is revealed: {how}",
        "tell it with `seal` or `RestrictedEvent`, and let nothing that others see or are told depend on it"
        " before `reveal`",
        differs=f"{differs}; the worlds: {secret}",
        order=order,
    )
