"""Properties of the desk for every title: random games with undo, redo and rewind in them."""

import io
import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.at_least_one import at_least_one
from tests.face.desk import GameStateBuilder, find_title, open_session
from tests.face.domain import (
    REFEREE,
    Game,
    StepClosed,
    StepPassed,
    Title,
    UnitChanged,
    UnitMoved,
)
from tests.face.ledger import Ledger
from tests.face.projections import (
    Follower,
    acts,
    case_of,
    conformance,
    counted,
    decode,
    dependents,
    disputes,
    life,
    orders_on_branch,
    page,
    placed,
    seen_by,
    sees,
    statement,
    thrown,
    why,
)
from tests.face.testing import recorded, titles
from umpire_ledger.ledger import replay_log

TITLES = titles()
every_title = pytest.mark.parametrize("title", TITLES, ids=[title.id for title in TITLES])
ORDERS = 150
UNTIL_UNITS_MOVE = 400
"""Federation & Empire begins with income and building; with fewer orders no unit moves."""


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger[Game]]:
    with Ledger.open(tmp_path / "umpire.db", GameStateBuilder()) as ledger:
        yield ledger


@every_title
def test_statements_and_lives_end_in_the_state(title: Title, ledger: Ledger[Game]) -> None:
    recorded(ledger, title, ORDERS)
    state = ledger.state("g")
    along = list(orders_on_branch(ledger, "g", REFEREE))
    for account, amount in state.accounts.items():
        turns = statement(along, account)
        assert turns[-1].closing == amount
        for one, following in itertools.pairwise(turns):
            assert one.closing == following.opening
    for unit in at_least_one(state.in_play()[:40]):
        moves = [one for one in life(along, unit.id) if one.event in ("unit.placed", "unit.moved")]
        assert unit.at in moves[-1].text


@every_title
def test_random_game_explains_each_record_and_counts_each_order(title: Title, ledger: Ledger[Game]) -> None:
    recorded(ledger, title, ORDERS)
    size = ledger.size("g")
    for position in range(1, size + 1, max(1, size // 25)):
        answer = why(ledger, "g", REFEREE, position)
        assert answer.position == position
        assert answer.counts == (position in ledger.branch("g"))
        assert {one.position for one in answer.beside} == {
            one.position for one in ledger.answer("g", ledger.record("g", position).command) if one.position != position
        }
    assert [record.position for deed in orders_on_branch(ledger, "g", REFEREE) for record in deed.records] == [
        *reversed(list(ledger.branch("g")))
    ]


@every_title
def test_later_changes_of_a_contested_unit_are_listed(title: Title, ledger: Ledger[Game]) -> None:
    recorded(ledger, title, UNTIL_UNITS_MOVE)
    along = list(orders_on_branch(ledger, "g", REFEREE))
    touches = UnitMoved | UnitChanged
    touched = [(at, event.unit) for deed in along[1:] for at, event in deed.events if isinstance(event, touches)]
    for contested, unit in at_least_one(touched[:: max(1, len(touched) // 6)]):
        listed = {position for one in dependents(along, (contested,)) for position in one.positions}
        later = {at for at, other in touched if other == unit and at > contested}
        assert later <= listed
        assert not listed or min(listed) > contested


@every_title
def test_conformance_labels_match_the_records(title: Title, ledger: Ledger[Game]) -> None:
    recorded(ledger, title, ORDERS)
    along = list(orders_on_branch(ledger, "g", REFEREE))
    for turn in at_least_one(range(ledger.state("g").turn + 1)):
        labels = conformance(title, along, turn)
        assert [one.id for one in labels] == list(title.plan.places)
        said = {position for one in labels for found in one.passes for position in (found.closed,)}
        for deed in along:
            for position, event, now, _ in placed(deed):
                if now == turn and (
                    isinstance(event, StepPassed) or (isinstance(event, StepClosed) and not event.item)
                ):
                    assert position in said, f"#{position} {event}"


@every_title
def test_case_made_from_its_replay_log_is_the_same(title: Title, ledger: Ledger[Game]) -> None:
    recorded(ledger, title, ORDERS)
    sitting = open_session(ledger, "g")
    records = [ledger.size("g") // 2, ledger.size("g") // 2 + 1]
    side = sitting.game.side_ids[0]
    sitting.order({"as": side, "order": "dispute", "records": records, "claim": "no"})
    for seat in (REFEREE, side):
        first = made(ledger, seat)
        with Ledger.open(":memory:", GameStateBuilder()) as other:
            replay_log.read_into(other, exported(ledger, seat))
            assert made(other, seat) == first


def exported(ledger: Ledger[Game], seat: str) -> io.BytesIO:
    """Return the replay log as exported to a seat."""
    log, state = io.BytesIO(), ledger.state("g")
    replay_log.write(ledger, "g", log, lambda one: sees(state, seat, one.position, one.visible_to))
    log.seek(0)
    return log


def made(ledger: Ledger[Game], seat: str) -> tuple[bytes, str]:
    """Make the case of the only dispute, as JSON and as a page."""
    with Follower(ledger, ":memory:", find_title) as follower:
        case = case_of(follower, ledger, disputes("g", map(decode, ledger.lines("g")))[0], seat)
    return msgspec.json.encode(case), page(case)


@every_title
def test_every_thrown_die_is_counted_and_every_correction(title: Title, ledger: Ledger[Game]) -> None:
    recorded(ledger, title, ORDERS)
    lines = [json.loads(line)["event"] for line in ledger.lines("g")]
    rolls = list(thrown(ledger, "g", REFEREE))
    assert [one.roll for one in rolls] == [one["roll"] for one in lines if one["type"] == "dice.rolled"]
    assert all("type" not in one.plain and one.plain["roll"] == one.event.roll for one in rolls)
    corrections = counted(acts(seen_by(ledger, "g", REFEREE, ledger.lines("g"))))["all"]["correction"]
    assert corrections == sum(one["type"] == "play.rewound" for one in lines)
