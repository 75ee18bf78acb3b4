"""Report a title's fault to its author, let the referee continue, and record nothing of the order.

The folder `faulty/` holds such a title, in a package of its own. One function at a time is at fault.
"""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.cli.terminal import ROOT, Answer, Terminal
from tests.face.desk import need_title
from tests.face.domain import (
    StepOpened,
    Title,
    TitleFault,
    UnitMoved,
    check,
    scenario_for,
    suggestions,
)
from tests.face.testing import Story
from tests.naming import Naming

SITE = Path(__file__).parent / "faulty"
SCENARIO = SITE / "scenario.toml"
RED, BLUE = "red", "blue"


@pytest.fixture
def title(monkeypatch: pytest.MonkeyPatch) -> Title:
    monkeypatch.syspath_prepend(SITE)
    return need_title("faulty")


def text(fault: str = "") -> str:
    """Return the scenario with the name of the function that is at fault."""
    return SCENARIO.read_text().replace('fault = ""', f'fault = "{fault}"')


def story(title: Title, fault: str = "") -> Story:
    return Story(title, scenario_for(title, text(fault)))


def says(seat: str, order: str, **arguments: Any) -> dict[str, Any]:
    return {"as": seat, "order": order, **arguments}


def refused(table: Story, *orders: dict[str, Any], pips: tuple[int, ...] | None = None) -> TitleFault:
    """Return the fault raised by the last of these orders; check that the game is unchanged."""
    table.play(*orders[:-1])
    before = table.tip
    with pytest.raises(TitleFault) as found:
        table.when(orders[-1], pips=pips)
    assert table.tip == before
    return found.value


def test_title_without_a_planted_fault_is_valid(title: Title) -> None:
    """Play the sequence to its end without a planted fault."""
    assert check(title) == ()
    table = story(title).play(says(RED, "pass"), says(RED, "done"), says(BLUE, "done"))
    table.then(StepOpened, step="3")
    table.play(says(RED, "pick", member="heron"), says(RED, "done", answer="on"))
    assert table.game.ended


class TestInconsistentEvents:
    @pytest.mark.parametrize(
        ("what", "tag", "why", "pips"),
        [
            ("stale_before", "account.changed", Naming("coins", 2, 0), ()),
            ("wrong_sum", "account.changed", Naming(0, 2, 2, 9), ()),
            ("wandering_unit", "unit.moved", Naming("heron", "bend", "sea"), ()),
            ("unknown_unit", "unit.changed", Naming("pike"), ()),
            ("lost_roll", "dice.rolled", Naming(1, 2), (3, 4)),
            ("mended_pips", "dice.rolled", Naming("1d6", 9), (3,)),
        ],
    )
    def test_order_with_an_inconsistent_event_is_a_fault(
        self, title: Title, what: str, tag: str, why: Naming, pips: tuple[int, ...]
    ) -> None:
        fault = refused(story(title), says(RED, "tell", what=what), pips=pips)
        assert (fault.title, fault.decision) == ("faulty", "decide_tell")
        assert fault.what == Naming("faulty", "decide_tell (faulty)", f"`{tag}`")
        assert fault.what.partition(f"`{tag}`")[2] == why
        assert fault.where == "1 talking · Red and Blue"
        assert fault.remedy == Naming("faulty", "`--debug`", "`umpire", "story -o FILE`")

    def test_fault_holds_the_event(self, title: Title) -> None:
        fault = refused(story(title), says(RED, "tell", what="wandering_unit"))
        assert fault.event == UnitMoved(unit="heron", path=("sea", "mill"))

    def test_fault_names_a_value_that_is_not_an_event(self, title: Title) -> None:
        fault = refused(story(title), says(RED, "tell", what="no_event"))
        assert fault.what == Naming("`str`", "'heron drifts'")

    def test_automatic_event_that_is_inconsistent_is_a_fault(self, title: Title) -> None:
        table = story(title, "stale act")
        fault = refused(table, says(RED, "done"), says(BLUE, "done"))
        assert fault.decision == "flows"
        assert fault.what == Naming("flows (faulty)", "`marker.set`", "water", "'dry'")

    def test_set_up_that_places_a_unit_twice_opens_no_game(self, title: Title) -> None:
        with pytest.raises(TitleFault) as found:
            story(title, "stale set_up")
        assert found.value.what == Naming("set_up (faulty)", "`unit.placed`", "heron", "bend")
        assert found.value.remedy == Naming("faulty")


class TestExceptions:
    def test_order_that_crashes_is_a_fault(self, title: Title) -> None:
        fault = refused(story(title), says(RED, "tell", what="crash"))
        assert fault.what == Naming("decide_tell (faulty)", "tell", "ZeroDivisionError: the river has no width")
        assert (fault.title, fault.decision, fault.event) == ("faulty", "decide_tell", None)
        assert isinstance(fault.__cause__, ZeroDivisionError)
        assert fault.where == "1 talking · Red and Blue"

    def test_order_that_returns_no_events_is_a_fault(self, title: Title) -> None:
        fault = refused(story(title), says(RED, "tell", what="no_list"))
        assert fault.decision == "decide_tell"
        assert isinstance(fault.__cause__, TypeError)

    @pytest.mark.parametrize(
        ("where", "decision", "what"),
        [
            ("fact", "is_quiet", "is_quiet"),
            ("act", "flows", "act 2"),
            ("set", "rafts", "set rafts"),
            ("role", "players", "role players"),
        ],
    )
    def test_question_of_the_sequence_that_crashes_is_a_fault(
        self, title: Title, where: str, decision: str, what: str
    ) -> None:
        fault = refused(story(title, where), says(RED, "done"), says(BLUE, "done"))
        assert fault.decision == decision
        assert fault.what == Naming(f"{decision} (faulty)", what, "KeyError: 'the sea'")
        assert isinstance(fault.__cause__, KeyError)

    def test_plays_on_that_crashes_is_a_fault(self, title: Title) -> None:
        assert refused(story(title, "plays_on"), says(RED, "pass")).decision == "plays"

    def test_needs_that_crashes_is_a_fault(self, title: Title) -> None:
        assert refused(story(title, "needs"), says(RED, "done")).decision == "is_owed"

    def test_ideas_of_what_is_worth_trying(self, title: Title) -> None:
        with pytest.raises(TitleFault) as found:
            list(suggestions(title, story(title, "tries").game))
        assert found.value.decision == "ideas"

    def test_legal_orders_omit_an_order_that_crashes(self, title: Title, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            red = desk.new(title.id, SCENARIO, id="g").seat(RED)
            assert [order.tag() for order in red.legal_orders()] == ["pass", "done"]

    @pytest.mark.parametrize("where", ["set_up", "published", "sheets"])
    def test_opening_a_game(self, title: Title, where: str) -> None:
        with pytest.raises(TitleFault) as found:
            story(title, where)
        assert found.value.decision == where
        assert "the scenario" in found.value.remedy

    def test_reading_a_scenario(self, title: Title) -> None:
        with pytest.raises(TitleFault) as found:
            story(title, "schema")
        assert found.value.what == Naming("KeyError: 'the sea'")

    def test_title_copied_is_guarded_once(self, title: Title) -> None:
        """Guard once; otherwise every copy would cost one call more."""
        copy = msgspec.structs.replace(title, version="2")
        assert copy.roles["players"].unguarded is title.roles["players"].unguarded  # type: ignore[attr-defined]


AFTER_A_ROLL = pytest.mark.parametrize(
    ("what", "code", "error", "says"),
    [("odd_crash", 8, "title-fault", "ZeroDivisionError"), ("odd_refusal", 3, "refused", "is odd")],
)


def until_odd(give: Callable[[int], Any], pips: Callable[[Any], tuple[int, ...]]) -> Any:
    """Give an order until its die is odd; the last answer."""
    for number in range(60):
        answer = give(number)
        if pips(answer)[0] % 2:
            return answer
    raise AssertionError("60 dice were even")


def failures(game: umpire.PlayedGame, folder: Path) -> list[str]:
    """Return the failure of the order of each roll in the log; "" if the order was carried out."""
    game.export(folder / "rolls.jsonl")
    lines = map(json.loads, (folder / "rolls.jsonl").read_text(encoding="utf-8").splitlines())
    events = [line["event"] for line in lines if "event" in line]
    return [one.get("failed", "") for one in events if one["type"] == "dice.rolled"]


class TestAfterARoll:
    """The roll was shown, so it is recorded; the rest of the order is not, and every answer says so."""

    @AFTER_A_ROLL
    def test_outcome_says_that_order_was_not_carried_out(
        self, title: Title, tmp_path: Path, what: str, code: int, error: str, says: str
    ) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            game = desk.new(title.id, SCENARIO, id="g", dice="ledger")

            def give(number: int) -> umpire.Outcome:
                before = game.referee.status.accounts.get("coins", 0)
                outcome = game.seat(RED).order("tell", what=what, id=f"{number}")
                assert (game.referee.status.accounts.get("coins", 0) > before) == outcome.carried_out
                return outcome

            failed = until_odd(give, lambda one: one.records[0].event.pips)
            assert not failed.carried_out
            assert says in (failed.fault if code == 8 else failed.refused)
            assert not (failed.refused if code == 8 else failed.fault)
            with pytest.raises(umpire.TitleFault if code == 8 else umpire.Refused, match=says) as found:
                failed.verify_carried_out()
            assert umpire.problem_of(found.value).code == code
            again = game.seat(RED).order("tell", what=what, id=failed.command)
            assert (again.repeated, again.carried_out, again.fault) == (True, False, failed.fault)
            answered = game.seat(RED).answered(failed.command)
            assert answered is not None
            assert not answered.carried_out
            assert game.verify().valid

    @AFTER_A_ROLL
    def test_file_stops_at_the_order(
        self, title: Title, tmp_path: Path, what: str, code: int, error: str, says: str
    ) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            game = desk.new(title.id, SCENARIO, id="g", dice="ledger")
            orders = [(line, {"as": RED, "order": "tell", "what": what}) for line in range(1, 61)]
            with pytest.raises(umpire.TitleFault if code == 8 else umpire.Refused, match=says) as found:
                game.play(orders)
            *before, last = failures(game, tmp_path)
            assert found.value.where == Naming("orders", len(before) + 1)
            assert not any(before)
            assert last == ("fault" if code == 8 else "refused")

    def test_amendment_names_an_order_not_carried_out(self, title: Title, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "umpire.db") as desk:
            game = desk.new(title.id, SCENARIO, id="g", dice="ledger")
            game.seat(RED).order("pass")
            given = says(RED, "tell", what="odd_refusal")

            def give(_: int) -> umpire.Amendment:
                amendment = game.referee.amend(game.size, given, why="forgotten", dice="reroll")
                assert amendment.orders[-1].carried_out == (failures(game, tmp_path)[-1] == "")
                return amendment

            until_odd(give, lambda one: (1 - int(one.orders[-1].carried_out),))

    def test_table_dice_record_nothing(self, title: Title) -> None:
        fault = refused(story(title), says(RED, "tell", what="odd_crash"), pips=(3,))
        assert isinstance(fault.__cause__, ZeroDivisionError)


class TestAtTheCommandLine:
    @pytest.fixture
    def terminal(self, tmp_path: Path) -> Terminal:
        return Terminal(tmp_path)

    def umpire(self, terminal: Terminal, *words: str, debug: str = "") -> Answer:
        path = os.pathsep.join((str(ROOT), str(SITE)))
        done = subprocess.run(
            terminal.command(*words),
            cwd=terminal.folder,
            env={**os.environ, "PYTHONPATH": path, "UMPIRE_DEBUG": debug},
            capture_output=True,
            text=True,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)

    def opened(self, terminal: Terminal, fault: str = "") -> Answer:
        words = ("new", "faulty", "--id", "g", "--scenario", str(SCENARIO), "--option", f"fault={fault}")
        return self.umpire(terminal, *words)

    def test_crash_is_an_error_of_four_parts_with_exit_code_8(self, terminal: Terminal) -> None:
        assert self.opened(terminal).code == 0
        size = self.umpire(terminal, "status", "g", "--json").json["position"]
        order = ("order", "g", '{"order": "tell", "what": "crash"}', "--as", "red")
        told = self.umpire(terminal, *order)
        assert told.code == 8
        assert "Traceback" not in told.err
        assert [line.split()[0] for line in told.err.splitlines()] == ["Error:", "at:", "rule:", "do:"]
        as_json = self.umpire(terminal, *order, "--json")
        assert as_json.code == 8
        assert list(as_json.error) == ["error", "what", "where", "rule", "remedy", "refusal_code", "fields"]
        assert as_json.error["error"] == "title-fault"
        assert self.umpire(terminal, "status", "g", "--json").json["position"] == size
        assert self.umpire(terminal, "refusals", "g", "--json").json == []

    @AFTER_A_ROLL
    def test_order_not_carried_out_is_an_error(
        self, terminal: Terminal, what: str, code: int, error: str, says: str
    ) -> None:
        words = ("new", "faulty", "--id", "g", "--scenario", str(SCENARIO), "--dice", "ledger")
        assert self.umpire(terminal, *words).code == 0
        order = ("order", "g", f'{{"order": "tell", "what": "{what}"}}', "--as", "red", "--json")
        failed = until_odd(lambda _: self.umpire(terminal, *order), lambda one: one.json["events"][0]["pips"])
        assert failed.code == code
        assert (failed.json["carried_out"], failed.error["error"]) == (False, error)
        assert says in failed.json["fault" if code == 8 else "refused"]
        assert says in failed.error["what"]
        file = terminal.orders(*[{"as": "red", "order": "tell", "what": what}] * 60)
        played = self.umpire(terminal, "play", "g", file)
        assert played.code == code
        assert "orders.jsonl, line" in played.err
        assert self.umpire(terminal, "verify", "g").code == 0

    def test_debug_shows_where_in_the_code(self, terminal: Terminal) -> None:
        self.opened(terminal)
        order = ("order", "g", '{"order": "tell", "what": "crash"}', "--as", "red")
        for shown in (
            self.umpire(terminal, "--debug", *order),
            self.umpire(terminal, *order, "--debug"),
            self.umpire(terminal, *order, debug="1"),
        ):
            assert shown.code == 8
            assert "Traceback" in shown.err
            assert "in crash" in shown.err
            assert "Error: the title faulty is at fault" in shown.err
        assert "in crash" in self.umpire(terminal, *order, "--debug", "--json").error["traceback"]
        assert "Traceback" not in self.umpire(terminal, *order, debug="0").err

    def test_order_file_stops_at_a_fault_and_names_the_line(self, terminal: Terminal) -> None:
        self.opened(terminal)
        file = terminal.orders(says(RED, "pass"), says(RED, "tell", what="stale_before"), says(BLUE, "pass"))
        told = self.umpire(terminal, "play", "g", file)
        assert told.code == 8
        assert "orders.jsonl, line 2" in told.err
        assert self.umpire(terminal, "status", "g", "--json").json["accounts"] == {"coins": 1}

    @pytest.mark.parametrize("fault", ["set_up", "published", "schema"])
    def test_new_game_of_a_faulty_title_exits_with_8(self, terminal: Terminal, fault: str) -> None:
        terminal.write("scenario.toml", text(fault))
        told = self.umpire(terminal, "new", "faulty", "--id", "g", "--scenario", "scenario.toml")
        assert told.code == 8
        assert "the title faulty is at fault" in told.err

    @pytest.mark.parametrize("fault", ["needs", "notation"])
    def test_fault_in_a_view_still_shows_the_log(self, terminal: Terminal, fault: str) -> None:
        """Show the content of the log alone, with the reason, and keep the record."""
        assert self.opened(terminal, fault).code == 0
        looked = self.umpire(terminal, "status", "g", "--json")
        assert looked.code == 0
        assert looked.json["waiting"] == ["red", "blue"]
        assert "the title faulty is at fault" in looked.json["note"]
        assert self.umpire(terminal, "audit", "g").code == 0
