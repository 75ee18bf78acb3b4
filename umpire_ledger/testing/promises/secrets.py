"""Check that a seat without access to a secret cannot distinguish two games that differ only in this secret."""

import io
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from umpire_ledger.domain.game.decision import Decision, events_of
from umpire_ledger.domain.game.events import ChoiceMade, HiddenOrdered, RestrictedEvent
from umpire_ledger.domain.game.hidden_units import FOG
from umpire_ledger.domain.game.order_json import Sent
from umpire_ledger.domain.game.orders import Note, Order
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.domain.play.decide import decide
from umpire_ledger.ledger import replay_log
from umpire_ledger.projections.questions.order_lines import order_lines
from umpire_ledger.projections.tables.audit_search import Filter, audit_lines
from umpire_ledger.projections.tables.seat_visibility import sees
from umpire_ledger.projections.tables.updater import Follower
from umpire_ledger.testing.examples import NO_SCENARIO, Example
from umpire_ledger.testing.finding import Finding
from umpire_ledger.testing.in_ledger import GAME, GameInLedger, empty_ledger
from umpire_ledger.testing.openly import played_openly
from umpire_ledger.testing.random_play import NO_HISTORY, Player, opened
from umpire_ledger.testing.secret_pairs import (
    PAIRS,
    SharedOrder,
    WorldPair,
    follow,
    is_open,
    leak,
    pairs,
    visible_difference,
)
from umpire_ledger.testing.title_under_test import Trial

HASHES = ("salt", "prior", "inner", "cause_hash")
"""Fields of an export that differ because the secret differs, but reveal nothing about it."""
SCENARIOS, ORDERS = 2, 60
"""The number of scenarios to play under fog, and of orders in each."""

Examples = dict[type[Order], list[Example]]


def kept(trial: Trial) -> Iterator[Finding]:
    """Check every kind of order with a secret in several pairs of worlds, one pair of them in two real ledgers.

    Private notes and fog are tried for every title, because every game may have them.
    """
    seen: Examples = {**trial.observed.secrets, Note: list(_private_words(trial))}
    for kind, examples in _by_name(seen):
        tried = _tried(trial.title, examples)
        if examples and not tried and not any(_plays_openly(trial.title, example) for example in examples):
            yield _nothing_to_compare(trial, kind)
        yield from _told_apart(trial.title, tried)
        yield from islice((one for example in examples for one in _sealed_for_all(trial.title, example)), 1)
    for _, examples in _by_name(_in_the_dark(trial)):
        yield from _told_apart(trial.title, _tried(trial.title, examples))
    for step in trial.title.plan.leaves():
        given = all(trial.observed.accepted[kind] for kind in step.allows)
        if step.secret and given and not any(kind in seen for kind in step.allows):
            what = f"{step.id} {step.name} is secret, and no order that is given there tells a secret"
            yield Finding(what=what, remedy="seal what is secret, or take `secret` off the step", about=step.id)


def _by_name(examples: Examples) -> list[tuple[type[Order], list[Example]]]:
    return sorted(examples.items(), key=lambda one: one[0].tag())


def _tried(title: Title, examples: list[Example]) -> list[WorldPair]:
    """Return pairs of worlds; pairs that can be recorded in ledgers come first."""
    tried = [pair for example in examples for pair in islice(pairs(title, example), PAIRS)]
    return sorted(tried, key=lambda pair: not _from_the_opening(pair))


def _told_apart(title: Title, tried: list[WorldPair]) -> Iterator[Finding]:
    """Yield the first finding about a pair of worlds, if any."""
    for number, pair in enumerate(tried):
        if found := _compared(title, pair, in_ledgers=number == 0 and _from_the_opening(pair)):
            yield found[0]
            return


def _in_the_dark(trial: Trial) -> Examples:
    """Return orders about hidden units, by kind, from short random games of the first scenarios under fog."""
    found: Examples = {}
    for scenario in trial.scenarios[:SCENARIOS]:
        for example in _hidden_orders(trial, scenario):
            found.setdefault(type(example.order), []).append(example)
    return {kind: examples[:PAIRS] for kind, examples in found.items()}


def _hidden_orders(trial: Trial, scenario: Scenario) -> Iterator[Example]:
    try:
        decision = opened(trial.title, scenario, trial.seed, options={FOG: True})
        player, told = Player(trial.title, trial.seed), list(decision.told)
        for number in range(ORDERS):
            game, until = decision.game, len(told)
            order, decision = player.choose(game)
            told.extend(decision.told)
            if any(isinstance(event, HiddenOrdered) for event in events_of(decision.told)):
                yield Example(game, order, NO_SCENARIO, trial.seed, number, told, until)
    except Exception:  # Random play reports the exception.
        return


def _private_words(trial: Trial) -> Iterator[Example]:
    """Yield a private note to the referee in the game of the first example of each of a few kinds of orders."""
    for kept in islice(trial.observed.examples.values(), PAIRS):
        for example in kept[:1]:
            note = Note(seat=example.game.side_ids[0], text="a private word", to=(REFEREE,))
            yield example._replace(order=note)


def _from_the_opening(pair: WorldPair) -> bool:
    """Return whether both worlds have the same history up to the order, and all of this history is known."""
    return bool(pair.example.told) and pair.before is pair.example.game


def _plays_openly(title: Title, example: Example) -> bool:
    """Return whether an order makes a secret of its side public, so that there may be no secret to compare."""
    decision = decide(title, example.game, Sent(order=example.order), NO_HISTORY)
    return bool(played_openly(example.game, decision, example.game.side_of(example.order.seat)))


def _sealed_for_all(title: Title, example: Example) -> Iterator[Finding]:
    """Yield a finding about each sealed answer that every side sees, because comparing games cannot find it."""
    decision = decide(title, example.game, Sent(order=example.order), NO_HISTORY)
    for told in (one for one in decision.told if isinstance(one, RestrictedEvent)):
        made = told.event
        if isinstance(made, ChoiceMade) and made.sealed and {*example.game.side_ids} <= {*told.visible_to}:
            what = f"what {made.side} sealed for {made.question} is visible to every side"
            yield example.finding(what, "show it to `eyes(game, side)`, or do not seal it")


def _nothing_to_compare(trial: Trial, kind: type[Order]) -> Finding:
    return Finding(
        what=f"{kind.tag()} tells a secret, and there is no second one to compare it with",
        remedy="let `tries` give at least two choices",
        about=kind.tag(),
        seed=trial.seed,
    )


def _compared(title: Title, pair: WorldPair, *, in_ledgers: bool) -> list[Finding]:
    """Return the findings if blind seats can distinguish two worlds by the order itself or by later play."""
    difference = visible_difference(pair, pair.one, pair.other)
    if difference is not None:
        seat, at, differs = difference
        opened = is_open(pair, pair.one, at)
        return [] if opened else [leak(pair, pair.orders[0], f"{seat} sees it in what it tells", differs)]
    found: list[Finding] = []
    shared = follow(title, pair, found)
    if in_ledgers and not found:
        found.extend(_in_ledgers(title, pair, shared))
    return found


# --- in real ledgers --------------------------------------------------------------------------------------------------


def _in_ledgers(title: Title, pair: WorldPair, shared: list[SharedOrder]) -> Iterator[Finding]:
    """Compare the state, turn view, audit trail and export of every blind seat in two ledgers."""
    before = Decision(told=tuple(pair.example.told[: pair.example.until]), game=pair.example.game)
    with empty_ledger() as here, empty_ledger() as there:
        worlds = (GameInLedger(here, title, before), GameInLedger(there, title, before))
        for at, table in enumerate(worlds):
            table.record(pair.orders[at], (pair.one, pair.other)[at])
            for step in shared:
                table.record(step.order, (step.one, step.other)[at])
        looks = [_looks(title, table, pair.blind) for table in worlds]
        for name, look in looks[0].items():
            if look != looks[1][name]:
                seat, what = name
                differs = _first_difference(look, looks[1][name])
                yield leak(pair, pair.orders[0], f"{seat} sees it in the {what}", differs)
                return


def _looks(title: Title, table: GameInLedger, seats: tuple[str, ...]) -> dict[tuple[str, str], Any]:
    """Return every view of the game for each seat, by seat and name of the view."""
    looks: dict[tuple[str, str], Any] = {}
    with Follower(table.ledger, ":memory:", lambda _: title) as follower:
        for seat in seats:
            looks[seat, "known state"] = follower.known_to(GAME, seat)
            looks[seat, "turn view"] = msgspec.to_builtins(follower.turn_view(GAME, seat))
            looks[seat, "audit trail"] = list(audit_lines(follower.connection, GAME, seat))
            everything = Filter(all_lines=True)
            looks[seat, "audit trail by order"] = order_lines(table.ledger, follower, GAME, seat, everything)
            looks[seat, "export"] = _export(table, seat)
    return looks


def _export(table: GameInLedger, seat: str) -> list[dict[str, Any]]:
    """Return the lines of a seat's export without hashes and salts."""
    out = io.BytesIO()
    state = table.game
    replay_log.write(table.ledger, GAME, out, lambda record: sees(state, seat, record.position, record.visible_to))
    lines = [msgspec.json.decode(line) for line in out.getvalue().splitlines()[:-1]]
    return [{key: value for key, value in line.items() if key not in HASHES} for line in lines]


def _first_difference(one: Any, other: Any) -> str:
    if isinstance(one, list):
        pairs_of = zip(one, other, strict=False)
        return next((f"{a}, or {b}" for a, b in pairs_of if a != b), f"{len(one)} lines, or {len(other)}")
    return f"{one}, or {other}"[:400]
