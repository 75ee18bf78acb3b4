"""The promises that hold for every title, the next one included."""

import io
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from umpire_ledger.desk.sitting import Sitting, open_ledger
from umpire_ledger.desk.wiring import GameFolding, drafts_of, find_title
from umpire_ledger.domain.flow.sequence_checks.every_check import check
from umpire_ledger.domain.game.decision import events_of
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import StepClosed, StepOpened, StepPassed
from umpire_ledger.domain.game.order_json import read_order
from umpire_ledger.domain.game.scenario import Scenario
from umpire_ledger.domain.game.snapshot import dump, load
from umpire_ledger.domain.game.state import REFEREE, Game, evolve, fold, replace
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger import replay_log
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.projections.tables.follower import Follower
from umpire_ledger.testing.fixtures import folder_of, scenarios, titles
from umpire_ledger.testing.random_play import Player, opened

TITLES = titles()
every_title = pytest.mark.parametrize("title", TITLES, ids=[title.id for title in TITLES])
ORDERS = 2500
"""Orders of one random game in memory; the seeds below make it several thousand a title."""


def random_game(title: Title, seed: int, orders: int) -> Iterator[tuple[Game, tuple[object, ...]]]:
    """The game after each order of a random game, a new one begun when one is over, with the order's events."""
    player = Player(title, seed)
    options = scenarios(title)
    decision = opened(title, options[seed % len(options)], seed)
    yield decision.game, tuple(events_of(decision.told))
    for number in range(orders):
        if decision.game.ended:
            decision = opened(title, options[(seed + number) % len(options)], seed + number)
        else:
            _, decision = player.choose(decision.game)
        yield decision.game, tuple(events_of(decision.told))


class TestTheSequence:
    @every_title
    def test_the_declaration_has_no_fault(self, title: Title) -> None:
        assert check(title) == ()


class TestRandomPlay:
    @every_title
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_thousands_of_orders_never_get_stuck_and_refuse_only_by_rule(self, title: Title, seed: int) -> None:
        for game, events in random_game(title, seed, ORDERS):
            assert events
            assert game.ended or game.cursor.waiting() or title.sequence is None

    @every_title
    def test_every_label_is_reached(self, title: Title) -> None:
        seen = {
            event.step
            for seed in (1, 2, 3)
            for _, events in random_game(title, seed, ORDERS)
            for event in events
            if isinstance(event, StepOpened | StepClosed | StepPassed)
        }
        leaves = {step.id for step in title.plan.leaves()}
        assert leaves <= seen, f"never reached: {sorted(leaves - seen)}"

    @every_title
    def test_live_state_is_the_fold_of_the_events_and_survives_being_saved(self, title: Title) -> None:
        state = Game()
        for number, (game, events) in enumerate(random_game(title, 4, 300)):
            state = fold(Game() if events[0].__class__.__name__ == "GameOpened" else state, events)  # type: ignore[arg-type]
            assert state == game
            if number % 20 == 0:
                assert load(dump(game)) == game


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger[Game]]:
    with Ledger.open(tmp_path / "umpire.db", GameFolding(), snapshot_every=40) as ledger:
        yield ledger


def recorded(ledger: Ledger[Game], title: Title, orders: int = 120, scenario: Scenario | None = None) -> list[Game]:
    """A random game in a real ledger with undo, redo and rewind; the live state at every position (0: none)."""
    player = Player(title, 5)
    decision = opened(title, scenario or scenarios(title)[0], 5, game="g")
    ledger.append(
        "g", after=0, seat=REFEREE, command="open", drafts=drafts_of(decision.told, None), state=decision.game
    )
    live = [Game(), *states_along(Game(), events_of(decision.told))]
    for number in range(orders):
        sitting = Sitting(ledger, "g")
        if number % 9 == 8:
            raw = rewinding(player, live)
        elif sitting.game.ended:
            break
        else:
            order, _ = player.choose(sitting.game)
            raw = msgspec.to_builtins(order)
        before = sitting.game
        try:
            outcome = sitting.order(raw)
        except RuleViolation:
            continue
        events = [msgspec.json.decode(bytes(record.event)) for record in outcome.records]
        if events[0]["type"] == "play.rewound":
            before = replace(live[events[0]["to"]], rolls=before.rolls)
        folding = GameFolding()
        for record in outcome.records:
            before = folding.fold(before, [record.encode()])
            live.append(before)
    return live


def states_along(state: Game, events: Iterator[object]) -> Iterator[Game]:
    for event in events:
        state = evolve(state, event)  # type: ignore[arg-type] # events of a decision
        yield state


def rewinding(player: Player, live: list[Game]) -> dict[str, object]:
    kind = player.random.choice(["undo", "redo", "rewind"])
    more = {"to": player.random.randrange(1, len(live)), "why": "to see"} if kind == "rewind" else {}
    return {"as": REFEREE, "order": kind, **({"why": "to see"} if kind == "undo" else {}), **more}


class TestTheLog:
    @every_title
    def test_at_every_position_the_replayed_state_is_the_live_state(self, title: Title, ledger: Ledger[Game]) -> None:
        live = recorded(ledger, title)
        assert ledger.size("g") > 100
        for position in range(1, ledger.size("g") + 1, 3):
            assert ledger.state("g", position) == live[position], f"#{position}"

    @every_title
    def test_a_state_through_a_snapshot_is_the_state_without(self, title: Title, ledger: Ledger[Game]) -> None:
        recorded(ledger, title)
        positions = range(1, ledger.size("g") + 1, 7)
        through = [ledger.state("g", position) for position in positions]
        ledger.drop_snapshots()
        assert [ledger.state("g", position) for position in positions] == through

    @every_title
    def test_exported_imported_and_replayed_it_is_the_same(self, title: Title, ledger: Ledger[Game]) -> None:
        recorded(ledger, title)
        first, second = io.BytesIO(), io.BytesIO()
        replay_log.write(ledger, "g", first)
        with open_ledger(":memory:", create=True) as other:
            replay_log.read_into(other, io.BytesIO(first.getvalue()))
            replay_log.write(other, "g", second)
            assert other.state("g") == ledger.state("g")
        assert first.getvalue() == second.getvalue()
        assert replay_log.verify(io.BytesIO(first.getvalue())).verdict == "VALID"

    @every_title
    def test_rewound_and_redone_it_is_as_before(self, title: Title, ledger: Ledger[Game]) -> None:
        recorded(ledger, title, orders=30)
        before = ledger.state("g")
        Sitting(ledger, "g").order(
            {"as": REFEREE, "order": "rewind", "to": title_opened(ledger), "why": "from the start"}
        )
        assert ledger.state("g") != before
        Sitting(ledger, "g").order({"as": REFEREE, "order": "redo"})
        assert ledger.state("g") == before

    @every_title
    def test_a_refused_order_leaves_ledger_and_state_untouched(self, title: Title, ledger: Ledger[Game]) -> None:
        recorded(ledger, title, orders=10)
        size, root, state = ledger.size("g"), ledger.checkpoint("g").text(), ledger.state("g")
        nonsense = [
            {"as": "nobody", "order": "done"},
            {"as": state.side_ids[0], "order": "no-such-order"},
            {"as": state.side_ids[0], "order": "rewind", "to": 1},
            {"as": state.side_ids[0], "order": "done", "step": "no-such-step"},
            {"as": state.side_ids[0]},
            {"as": REFEREE, "order": "excuse", "reason": "no such step", "step": "no-such-step"},
        ]
        for raw in nonsense:
            with pytest.raises(RuleViolation):
                Sitting(ledger, "g").order(raw)
        assert (ledger.size("g"), ledger.checkpoint("g").text(), ledger.state("g")) == (size, root, state)


def title_opened(ledger: Ledger[Game]) -> int:
    """The last position of the order that opened the game."""
    return ledger.answer("g", "open")[-1].position


class TestSecrets:
    @every_title
    def test_nobody_sees_the_seed_of_the_dice(self, title: Title, ledger: Ledger[Game]) -> None:
        recorded(ledger, title, orders=10)
        with Follower(ledger, ":memory:", find_title) as follower:
            for seat in (REFEREE, *ledger.state("g").side_ids, "spectator"):
                assert follower.known_to("g", seat).seed == ""

    def test_no_seat_learns_what_another_sealed(self, tmp_path: Path) -> None:
        """Two games that differ only in what Red sealed are the same for Blue and for a spectator."""
        title = next(title for title in TITLES if title.id == "freeform")
        known: list[list[Game]] = []
        for choice in ("left", "right"):
            with Ledger.open(tmp_path / f"{choice}.db", GameFolding()) as ledger:
                decision = opened(title, scenarios(title)[0], 1, game="g")
                drafts = drafts_of(decision.told, None)
                ledger.append("g", after=0, seat=REFEREE, command="open", drafts=drafts, state=decision.game)
                red, blue = decision.game.side_ids[:2]
                raw = {"as": red, "order": "seal-choice", "question": "flank", "choice": choice}
                Sitting(ledger, "g").order(raw)
                with Follower(ledger, ":memory:", find_title) as follower:
                    known.append([follower.known_to("g", seat) for seat in (blue, "spectator")])
                    assert follower.known_to("g", red) != follower.known_to("g", blue)
        assert known[0] == known[1]


class TestTheFixtures:
    @every_title
    def test_every_replay_is_valid_and_folds_to_its_stated_end(self, title: Title) -> None:
        replays = sorted((folder_of(title.id) / "replays").glob("*.jsonl"))
        assert replays, f"{title.id} has no recorded replay"
        for file in replays:
            with open_ledger(":memory:", create=True) as ledger, file.open("rb") as stream:
                game = replay_log.read_into(ledger, stream)
                stated = msgspec.json.decode(file.with_suffix(".end.json").read_bytes())
                state = ledger.state(game)
                assert {"accounts": dict(state.accounts), "turn": state.turn, "ended": state.ended} == {
                    key: stated[key] for key in ("accounts", "turn", "ended")
                }

    @every_title
    def test_every_step_is_seen_in_some_replay(self, title: Title) -> None:
        seen: set[str] = set()
        for file in (folder_of(title.id) / "replays").glob("*.jsonl"):
            for line in file.read_bytes().splitlines():
                event = msgspec.json.decode(line).get("event", {})
                if event.get("type") in ("step.opened", "step.closed", "step.passed"):
                    seen.add(event["step"])
        assert {step.id for step in title.plan.leaves()} <= seen


def test_an_order_reads_the_same_from_json_and_from_python() -> None:
    for title in TITLES:
        player = Player(title, 7)
        game = opened(title, scenarios(title)[0], 7).game
        for _ in range(20):
            if game.ended:
                break
            order, decision = player.choose(game)
            assert read_order(title, msgspec.to_builtins(order)).order == order
            game = decision.game
