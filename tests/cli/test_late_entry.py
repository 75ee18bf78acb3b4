"""Check late entry in every title: orders recorded after the event, with its time and a witness."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.terminal import Terminal
from tests.face.desk import (
    GameSession,
    GameStateBuilder,
    ReadModels,
    drafts_of,
    open_ledger,
    open_session,
)
from tests.face.domain import (
    REFEREE,
    Game,
    RuleViolation,
    Title,
)
from tests.face.ledger import Ledger
from tests.face.projections import audit_lines
from tests.face.testing import (
    Player,
    opened,
    scenarios,
    titles,
)

THEN = "2026-01-03T19:30:00+01:00"
TITLES = titles()
every_title = pytest.mark.parametrize("title", TITLES, ids=[title.id for title in TITLES])


def roll(ford: Terminal, *, seat: str = "red", game_id: str = "ford", **more: Any) -> dict[str, Any]:
    """Give a roll at the table and return its line of the audit trail."""
    answer = ford.give(seat, "roll", game_id, purpose="to hit", dice="1d6", pips=[5], **more)
    assert answer.code == 0, answer
    lines: list[dict[str, Any]] = ford.ok("audit", game_id, "--dice", "--json").json
    return lines[-1]


class TestTheAuditTrail:
    def test_audit_shows_event_time_witness_and_recorded_time(self, ford: Terminal) -> None:
        line = roll(ford, happened_at=THEN, witness="Anna")
        assert (line["happened_at"], line["witness"]) == (THEN, "Anna")
        assert line["at"] != THEN
        assert line["at"].endswith("Z")

    def test_both_stay_in_the_orders_cause(self, ford: Terminal) -> None:
        cause = roll(ford, happened_at=THEN, witness="Anna")["cause"]
        assert (cause["happened_at"], cause["witness"], cause["pips"]) == (THEN, "Anna", [5])

    def test_printed_audit_has_columns_for_both_times(self, ford: Terminal) -> None:
        roll(ford, happened_at=THEN, witness="Anna")
        text = ford.ok("audit", "ford", "--dice").out
        head, *rows = text.splitlines()
        assert head.split()[-3:] == ["recorded", "happened", "witness"]
        assert rows[-1].split()[-2:] == [THEN, "Anna"]

    def test_as_csv_and_markdown_too(self, ford: Terminal) -> None:
        roll(ford, happened_at=THEN, witness="Anna")
        rows = list(csv.DictReader(io.StringIO(ford.ok("audit", "ford", "--csv").out)))
        assert (rows[-1]["happened_at"], rows[-1]["witness"]) == (THEN, "Anna")
        assert f"| {THEN} | Anna |" in ford.ok("audit", "ford", "--markdown").out

    def test_game_without_late_entries_has_no_columns_for_them(self, ford: Terminal) -> None:
        assert roll(ford)["happened_at"] == ""
        assert "witness" not in ford.ok("audit", "ford").out

    def test_witness_without_a_time_is_recorded(self, ford: Terminal) -> None:
        assert roll(ford, witness="Anna and Bo")["witness"] == "Anna and Bo"

    def test_audit_can_search_for_a_witness(self, ford: Terminal) -> None:
        roll(ford, happened_at=THEN, witness="Wilhelmina")
        (line,) = ford.ok("audit", "ford", "--text", "Wilhelmina", "--json").json
        assert line["witness"] == "Wilhelmina"

    def test_note_that_mentions_a_witness_is_not_a_late_entry(self, ford: Terminal) -> None:
        ford.ok("note", "ford", "the witness says that it happened at nine")
        assert ford.ok("audit", "ford", "--json").json[-1]["witness"] == ""

    def test_order_file_can_hold_event_times_and_witnesses(self, ford: Terminal) -> None:
        line = {"as": "red", "order": "move", "unit": "r1", "path": ["0201"], "happened_at": THEN, "witness": "Bo"}
        ford.ok("play", "ford", ford.orders(line))
        assert ford.ok("audit", "ford", "--json").json[-1]["happened_at"] == THEN

    def test_replay_log_keeps_event_times_and_witnesses(self, ford: Terminal) -> None:
        roll(ford, happened_at=THEN, witness="Anna")
        ford.ok("export", "ford", "-o", "ford.jsonl")
        ford.ok("import", "ford.jsonl", "--ledger", "second.db")
        assert ford.ok("audit", "ford", "--ledger", "second.db", "--json").json[-1]["witness"] == "Anna"

    def test_secret_record_hides_its_time_and_witness(self, ford: Terminal) -> None:
        ford.give("red", "seal-choice", question="flank", choice="left", happened_at=THEN, witness="Anna")
        assert "Anna" not in ford.ok("audit", "ford", "--json", "--as", "blue").out
        assert "Anna" in ford.ok("audit", "ford", "--json", "--as", "red").out


class TestWhatIsRefused:
    @pytest.fixture(autouse=True)
    def _nothing_is_recorded(self, ford: Terminal) -> object:
        before = ford.size()
        yield
        assert ford.size() == before

    def refused(self, ford: Terminal, happened_at: object, witness: object = "Anna") -> dict[str, str]:
        raw = {"order": "roll", "purpose": "to hit", "pips": [5], "happened_at": happened_at, "witness": witness}
        answer = ford.type("order", "ford", json.dumps(raw), "--as", "red", "--json")
        assert answer.code == 3, answer
        return answer.error

    @pytest.mark.parametrize(
        "text",
        [
            "yesterday",
            "2026-01-03",
            "2026-01-03T19:30:00",
            "2026-02-30T19:30:00Z",
            "2026-01-03T25:30:00Z",
            "2026-01-03T19:30Z",
            "20260103T193000Z",
            "2026-W01-6T19:30:00Z",
        ],
    )
    def test_invalid_time_or_time_without_zone_is_refused(self, ford: Terminal, text: str) -> None:
        error = self.refused(ford, text)
        assert error["rule"] == "late entry"
        assert "is not a time" in error["what"]
        assert "2026-01-03T19:30:00+01:00" in error["remedy"]

    def test_time_in_the_future_is_refused(self, ford: Terminal) -> None:
        tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat(timespec="seconds")
        error = self.refused(ford, tomorrow)
        assert error["rule"] == "late entry"
        assert "in the future" in error["what"]
        assert "when it happened" in error["remedy"]

    def test_anything_but_text(self, ford: Terminal) -> None:
        assert "Expected `str`" in self.refused(ford, 1767465000)["what"]
        assert "Expected `str`" in self.refused(ford, THEN, witness=["Anna"])["what"]


class TestTheClock:
    """Comparison with the ledger's clock: the current moment is not in the future."""

    def sitting(self, ledger: Ledger[Game]) -> GameSession:
        title = next(title for title in TITLES if title.id == "freeform")
        decision = opened(title, scenarios(title)[0], 1, game_id="g")
        drafts = drafts_of(decision.told, None)
        ledger.append("g", after=0, seat=REFEREE, command="open", drafts=drafts, state=decision.game)
        return open_session(ledger, "g")

    def note(self, happened_at: str) -> dict[str, Any]:
        return {"as": REFEREE, "order": "note", "text": "late", "happened_at": happened_at}

    def test_zones_are_compared_not_letters(self) -> None:
        now = datetime(2026, 1, 3, 18, 30, tzinfo=UTC)
        with Ledger.open(":memory:", GameStateBuilder(), clock=lambda: now) as ledger:
            sitting = self.sitting(ledger)
            for good in (THEN, "2026-01-03T18:30:00Z", "2026-01-03t18:29:59.5z", "2026-01-03 17:30:00-01:00"):
                sitting.order(self.note(good))
            for late in ("2026-01-03T18:30:01Z", "2026-01-03T18:30:00-01:00"):
                with pytest.raises(RuleViolation, match="in the future"):
                    sitting.order(self.note(late))


class TestEveryTitle:
    @every_title
    def test_any_order_may_be_entered_late(self, title: Title, tmp_path: Path) -> None:
        decision = opened(title, scenarios(title)[0], 3, game_id="g")
        order, _ = Player(title, 3).choose(decision.game)
        raw = {**msgspec.to_builtins(order), "happened_at": THEN, "witness": "Anna"}
        file = tmp_path / "umpire.db"
        with open_ledger(file, create=True) as ledger:
            drafts = drafts_of(decision.told, None)
            ledger.append("g", after=0, seat=REFEREE, command="open", drafts=drafts, state=decision.game)
            outcome = open_session(ledger, "g").order(raw)
            causes = [bytes(record.cause) for record in outcome.records if record.cause]
            assert [json.loads(cause)["witness"] for cause in causes] == ["Anna"]
            with ReadModels(ledger, str(file)).caught_up("g") as following:
                following.catch_up("g")
                lines = list(audit_lines(following.connection, "g", REFEREE))
        late = [line for line in lines if line.happened_at == THEN and line.witness == "Anna"]
        assert [line.position for line in late] == [record.position for record in outcome.records]
