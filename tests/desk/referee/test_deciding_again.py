"""Properties of answers found by deciding again: in recorded and in random games of every title."""

import io
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.at_least_one import at_least_one
from tests.attacks import worlds
from tests.face.desk import GameStateBuilder, open_ledger
from tests.face.domain import (
    REFEREE,
    AccountChanged,
    DiceRolled,
    EmptyHistory,
    Game,
    Note,
    Pay,
    Title,
    UnitPlaced,
    evolve,
    facts_of,
    order_again,
    replace,
    track_access,
)
from tests.face.ledger import Ledger
from tests.face.projections import (
    RecordedOrder,
    VisibleHistory,
    decided_again,
    decode,
    dependency_dependents as traces,
    dependents,
    depending,
    order_of,
    orders_on_branch,
    sees,
    why,
)
from tests.face.testing import folder_of, recorded, titles
from umpire_ledger.ledger import replay_log

TITLES = titles()
every_title = pytest.mark.parametrize("title", TITLES, ids=[title.id for title in TITLES])
REPLAYS = [
    pytest.param(title, file, id=f"{title.id}/{file.stem}")
    for title in TITLES
    for file in sorted((folder_of(title.id) / "replays").glob("*.jsonl"))
]
ORDERS = 120
ASKED = 12
"""Records of a random game that each seat asks for."""


@pytest.fixture
def ledger() -> Iterator[Ledger[Game]]:
    with Ledger.open(":memory:", GameStateBuilder()) as ledger:
        yield ledger


@pytest.mark.parametrize(("title", "file"), REPLAYS)
def test_every_order_of_play_is_decided_again_as_it_was(title: Title, file: Path) -> None:
    """Decide each order again on a game that tracks access to its facts, with the recorded dice results."""
    with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
        name = replay_log.read_into(ledger, stream)
        known = VisibleHistory()
        again = 0
        for deed in orders_on_branch(ledger, name, REFEREE):
            if order_of(title, deed) is not None:
                again += 1
                assert decided_again(title, known, deed) is not None, f"#{deed.first} {deed.cause}"
            known.add_order(deed)
    assert again > 1, "the shortest has two orders of play that are about no hidden unit"


def worded_otherwise(deed: RecordedOrder, **fields: object) -> RecordedOrder:
    """Return an order whose entries on accounts are recorded with other fields."""
    records = (
        replace(one, event=replace(one.event, **fields)) if isinstance(one.event, AccountChanged) else one
        for one in deed.records
    )
    return replace(deed, records=tuple(records))


def test_order_recorded_in_other_words_is_decided_again() -> None:
    """Check that a game of an earlier edition is explained, too: only its words may differ."""
    title = next(title for title in TITLES if title.id == "war-galley")
    with open_ledger(":memory:", create=True) as ledger:
        with (folder_of(title.id) / "replays" / "great-harbour.jsonl").open("rb") as log:
            name = replay_log.read_into(ledger, log)
        known, found = VisibleHistory(), 0
        for deed in orders_on_branch(ledger, name, REFEREE):
            paid = any(isinstance(event, AccountChanged) for _, event in deed.events)
            if paid and order_of(title, deed) is not None:
                found += 1
                as_recorded = decided_again(title, known, deed)
                reworded = decided_again(title, known, worded_otherwise(deed, cause="in other words"))
                assert as_recorded is not None
                assert reworded is not None
                assert decided_again(title, known, worded_otherwise(deed, amount=99)) is None
                last = deed.last
                assert reworded.prerequisites_of(last) == as_recorded.prerequisites_of(last)
            known.add_order(deed)
    assert found > 1


@every_title
def test_prerequisites_are_earlier_visible_and_wrote_the_fact(title: Title, ledger: Ledger[Game]) -> None:
    recorded(ledger, title, ORDERS)
    state, size = ledger.state("g"), ledger.size("g")
    named = 0
    for seat in (REFEREE, *state.side_ids):
        for position in range(2, size + 1, max(1, size // ASKED)):
            answer = why(ledger, "g", seat, position, title)
            first = min([position, *(one.position for one in answer.beside)])
            for cause in answer.built_on:
                record = decode(next(ledger.lines("g", cause.position, cause.position)))
                assert cause.position < (position if cause.kind == "roll" else first)
                assert sees(state, seat, record.position, record.visible_to)
                assert record.event is not None
                if cause.kind == "roll" and answer.found_by == "deciding again":
                    assert isinstance(record.event, DiceRolled)
                elif answer.found_by == "deciding again":
                    named += 1
                    fact = (cause.kind, cause.id, cause.attribute)
                    assert fact in facts_of(record.event) or isinstance(record.event, UnitPlaced)
    assert named or title.sequence is None


@every_title
def test_dependents_are_later_on_the_branch_with_a_method(title: Title, ledger: Ledger[Game]) -> None:
    recorded(ledger, title, ORDERS)
    along = list(orders_on_branch(ledger, "g", REFEREE))
    line = {record.position for deed in along for record in deed.records}
    contested = [position for deed in along[1:] for position, event in deed.events if facts_of(event)]
    found = [
        one
        for position in at_least_one(contested[:: max(1, len(contested) // 8)])
        for one in dependents(along, (position,), title)
        if at_least_one(one.positions) and set(one.positions) <= line and min(one.positions) > position and one.why
    ]
    assert {one.found_by for one in found} <= {"deciding again", "last touch", "the log"}
    assert all(one.degree >= 1 for one in found)


@every_title
def test_seat_gets_the_same_answers_from_its_own_log(title: Title, ledger: Ledger[Game]) -> None:
    # With the export of a side in a separate ledger the answers are the same: they depend on visible records only.
    recorded(ledger, title, ORDERS)
    size = ledger.size("g")
    for seat in at_least_one(ledger.state("g").side_ids[:2]):
        with Ledger.open(":memory:", GameStateBuilder()) as other:
            replay_log.read_into(other, _exported(ledger, seat))
            for position in at_least_one(range(2, size + 1, max(1, size // ASKED))):
                assert why(other, "g", seat, position, title) == why(ledger, "g", seat, position, title)


def _exported(ledger: Ledger[Game], seat: str) -> io.BytesIO:
    log, state = io.BytesIO(), ledger.state("g")
    replay_log.write(ledger, "g", log, lambda one: sees(state, seat, one.position, one.visible_to))
    log.seek(0)
    return log


def test_orders_beyond_the_limit_are_found_by_last_touch(monkeypatch: pytest.MonkeyPatch) -> None:
    title = next(title for title in TITLES if title.id == "war-galley")
    with open_ledger(":memory:", create=True) as ledger:
        with (folder_of(title.id) / "replays" / "great-harbour.jsonl").open("rb") as log:
            name = replay_log.read_into(ledger, log)
        along = list(orders_on_branch(ledger, name, REFEREE))
    precise = list(dependents(along, (163,), title))
    monkeypatch.setattr(traces, "MOST_AGAIN", 3)
    coarse = list(dependents(along, (163,), title))
    assert "last touch" not in {one.found_by for one in precise}
    assert "last touch" in {one.found_by for one in coarse}
    assert len(coarse) > 3 * len(precise)


class TestTrackedGame:
    def game(self) -> Game:
        with open_ledger(":memory:", create=True) as ledger:
            with (folder_of("freeform") / "replays" / "ford.jsonl").open("rb") as log:
                name = replay_log.read_into(ledger, log)
            return ledger.state(name)

    def test_tracked_game_equals_the_game(self) -> None:
        game = self.game()
        watching = track_access(game)
        assert {name: dict(unit.attributes) for name, unit in watching.units.items()} == {
            name: dict(unit.attributes) for name, unit in game.units.items()
        }
        assert dict(watching.accounts) == dict(game.accounts)
        assert dict(watching.markers) == dict(game.markers)
        assert [unit.id for unit in watching.in_play()] == [unit.id for unit in game.in_play()]

    def test_asking_is_noted_and_going_through_the_names_is_not(self) -> None:
        watching = track_access(self.game())
        for _ in watching.units.values():
            pass
        assert list(watching.markers)
        assert len(watching.units) > 1
        assert watching.book.facts == ()
        assert watching.units["red-horse"].get("strength")
        assert watching.units.get("no-such-unit") is None
        assert "nothing" not in watching.markers
        assert watching.accounts.get("points/red", 0) is not None
        assert watching.book.facts == (
            ("unit", "red-horse", "strength"),
            ("unit", "no-such-unit", ""),
            ("marker", "nothing", ""),
            ("account", "points/red", ""),
        )

    def test_game_evolved_from_a_tracked_game_uses_the_same_log(self) -> None:
        watching = track_access(self.game())
        event = msgspec.convert(
            {"type": "unit.changed", "unit": "red-horse", "attribute": "tired", "before": None, "after": True},
            type=facts_of.__annotations__["event"],
        )
        then = evolve(watching, event)
        assert watching.book.facts == (), "a fold asks nothing"
        assert then.units["red-horse"].get("tired") is True
        assert watching.book.facts == (("unit", "red-horse", "tired"),)
        assert replace(then.units["red-horse"], at="wood").at == "wood"


class TestOrderAgain:
    def test_words_for_the_record_are_not_decided_again(self) -> None:
        title = next(title for title in TITLES if title.id == "freeform")
        assert order_again(title, msgspec.to_builtins(Note(seat="red", text="hm")), ()) is None
        assert order_again(title, {"as": "red", "order": "no-such-order"}, ()) is None
        assert order_again(title, msgspec.to_builtins(Pay(seat="red", account="points/red", amount=1)), ()) is not None

    def test_impossible_order_has_no_events(self) -> None:
        title = next(title for title in TITLES if title.id == "freeform")
        again = order_again(title, {"as": "nobody", "order": "pay", "account": "x", "amount": 1}, ())
        assert again is not None
        assert again.events(Game()) == ()

    def test_empty_past_has_no_orders(self) -> None:
        past = EmptyHistory()
        assert (past.tip, list(past.newest_first()), list(past.said())) == (0, [], [])
        assert (past.order_at(3), past.state(3)) == ((0, 0), Game())


PAIRS = 3
"""Pairs of games that differ in one secret, of every title that has secrets."""


def test_two_games_that_differ_in_a_secret_give_the_same_answers(tmp_path: Path) -> None:
    """Compare the answers to seats that may not see the secret, for each record around it and some before it."""
    for number, pair in enumerate(at_least_one(itertools.islice(worlds.pairs(7), PAIRS))):
        title = next(title for title in TITLES if title.id == pair.title)
        one, other = (_answers(tmp_path / f"{number}{name}", title, pair, steps) for name, steps in _worlds(pair))
        assert one == other, f"{pair.title} {pair.secret}"
        assert one


def _worlds(pair: worlds.Pair) -> tuple[tuple[str, tuple[worlds.Step, ...]], ...]:
    return ("one", pair.one), ("other", pair.other)


def _answers(path: Path, title: Title, pair: worlds.Pair, steps: tuple[worlds.Step, ...]) -> list[Any]:
    worlds.lay(path, pair.opening, steps)
    with Ledger.open(path, GameStateBuilder()) as ledger:
        size = ledger.size(worlds.GAME)
        around = range(pair.at - 2, size + 1)
        chosen = sorted({*around, *range(2, size, max(1, size // ASKED))})
        whys = [why(ledger, worlds.GAME, seat, at, title) for seat in pair.blind for at in chosen]
        return [*whys, *(depending(ledger, worlds.GAME, seat, [pair.at], title) for seat in pair.blind)]
