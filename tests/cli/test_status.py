"""Check `umpire status`: waiting sides, disputes, requests for consent, and read marks."""

import re
import sys
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.cli.pseudo_terminal import PseudoTerminal
from tests.cli.terminal import Terminal
from tests.face.cli import status_lines, utc_now
from tests.face.desk import stored_status

REPLAYS = Path(__file__).parents[2] / "fixtures"
HARBOUR = "great-harbour"


@pytest.fixture
def harbour(terminal: Terminal) -> Terminal:
    """Return the recorded game, in which both sides must roll the wind of turn 3."""
    terminal.ok("import", str(REPLAYS / "war-galley" / "replays" / "great-harbour.jsonl"))
    return terminal


class TestWhoIsWaitedFor:
    def test_since_when_and_how_long_ago(self, harbour: Terminal) -> None:
        out = harbour.ok("status", HARBOUR).out
        assert re.search(r"waiting:  athens, since 2026-01-01 20:12 UTC \(\d+ d ago\)", out)
        assert "syracuse, since 2026-01-01 20:13 UTC" in out

    def test_as_rfc_3339(self, harbour: Terminal) -> None:
        waits = harbour.ok("status", HARBOUR, "--json").json["waits"]
        assert waits == [
            {"side": "athens", "since": "2026-01-01T20:12:00.000000Z", "position": 580},
            {"side": "syracuse", "since": "2026-01-01T20:13:30.000000Z", "position": 611},
        ]

    def test_side_that_has_finished_is_not_waited_for(self, harbour: Terminal) -> None:
        harbour.ok("order", HARBOUR, "roll-wind", "--pips", "3,4", "--as", "syracuse")
        harbour.ok("order", HARBOUR, "join", "athens-6", "menander", "--as", "athens")
        assert [one["side"] for one in harbour.ok("status", HARBOUR, "--json").json["waits"]] != ["athens"]

    def test_in_the_local_zone_on_request(self, harbour: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TZ", "Europe/Athens")
        out = harbour.process("status", HARBOUR, "--local").out
        assert "athens, since 2026-01-01 22:12+02:00 (" in out

    def test_earlier_status_names_waits_without_their_age(self, harbour: Terminal) -> None:
        then = harbour.ok("status", HARBOUR, "--at", "300")
        assert "athens, since 2026-01-01 19:36 UTC" in then.out
        assert "ago" not in then.out
        waits = harbour.ok("status", HARBOUR, "--at", "300", "--json").json["waits"]
        assert waits == [{"side": "athens", "since": "2026-01-01T19:36:00.000000Z", "position": 298}]

    def test_earlier_status_shows_a_dispute_open_at_the_time(self, harbour: Terminal) -> None:
        harbour.ok("dispute", "open", HARBOUR, "#303", "--claim", "the die was cocked", "--as", "syracuse")
        opened = harbour.ok("status", HARBOUR, "--json").json["position"]
        harbour.ok("dispute", "settle", HARBOUR, "d1", "--ruling", "it stands")
        assert [one["dispute"] for one in harbour.ok("status", HARBOUR, "--json").json["disputes"]] == []
        then = harbour.ok("status", HARBOUR, "--at", str(opened), "--json").json
        assert [one["dispute"] for one in then["disputes"]] == ["d1"]

    def test_minutes_hours_and_days(self) -> None:
        view = dict.fromkeys(("where", "note", "ended", "title", "name", "game", "position"), "")
        lists = dict.fromkeys(("allowed", "answers", "owed", "sides", "choices", "since", "last", "disputes"), ())
        for seconds, ago in ((5, "0 min ago"), (7000, "116 min ago"), (3 * 3600, "3 h ago"), (4 * 86400, "4 d ago")):
            now = utc_now()
            at = now.timestamp() - seconds
            since = now.fromtimestamp(at, now.tzinfo).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
            waits = [{"side": "red", "since": since, "position": 1}]
            shown = {**view, **lists, "waiting": ["red"], "waits": waits, "pick": None, "accounts": {}, "markers": {}}
            assert any(ago in line for line in status_lines(shown, now=now)), ago


class TestWhatIsOpen:
    def test_status_shows_a_dispute_until_it_is_settled(self, harbour: Terminal) -> None:
        harbour.ok("dispute", "open", HARBOUR, "596", "--claim", "that was a five", "--as", "syracuse")
        out = harbour.ok("status", HARBOUR, "--as", "athens").out
        assert "disputes: #612 d1 by syracuse about #596: that was a five" in out
        (found,) = harbour.ok("status", HARBOUR, "--json").json["disputes"]
        assert (found["dispute"], found["position"]) == ("d1", 612)
        harbour.ok("dispute", "settle", HARBOUR, "d1", "--ruling", "it was a six", "--why", "Anna saw it")
        assert "disputes:" not in harbour.ok("status", HARBOUR).out

    def test_status_shows_a_request_for_consent(self, harbour: Terminal) -> None:
        harbour.ok("ask-rewind", HARBOUR, "--to", "#590", "--why", "a slip", "--as", "syracuse")
        out = harbour.ok("status", HARBOUR, "--as", "athens").out
        assert "asked:    Syracuse asked to return to #590: a slip\n          waits for Athens: `consent`" in out
        assert harbour.ok("status", HARBOUR, "--json").json["asked"]["waits"] == ["athens"]

    def test_required_order_that_any_side_can_give_is_one_line(self, harbour: Terminal) -> None:
        out = harbour.ok("status", HARBOUR).out
        assert "required: athens or syracuse in A: roll the wind: `roll-wind` (War Galley A)\n" in out
        assert out.count("roll the wind") == 1
        assert [one["any_side"] for one in harbour.ok("status", HARBOUR, "--json").json["owed"]] == [True, True]


class TestWhoHasLooked:
    def test_view_by_the_referee_does_not_mark_the_seat_as_read(self, ford: Terminal) -> None:
        ford.ok("status", "ford", "--as", "blue")
        assert ford.ok("since", "ford", "blue", "--json").json["looked"] == 0

    def test_view_by_the_seat_marks_it_as_read(self, ford: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("UMPIRE_SEAT", "blue")
        ford.ok("status", "ford")
        assert ford.ok("since", "ford", "blue", "--json").json["looked"] == 3
        ford.ok("status", "ford", "--as", "referee")
        assert ford.ok("since", "ford", "referee", "--as", "referee", "--json").json["looked"] == 0

    def test_looked_option_marks_a_seat_as_read(self, ford: Terminal) -> None:
        ford.ok("status", "ford", "--as", "blue", "--looked")
        assert ford.ok("since", "ford", "blue", "--json").json["looked"] == 3

    def test_earlier_status_does_not_mark_a_seat_as_read(self, ford: Terminal) -> None:
        ford.ok("status", "ford", "--at", "2", "--as", "blue", "--looked")
        assert ford.ok("since", "ford", "blue", "--json").json["looked"] == 0


def test_first_status_stores_views_for_orders_of_other_programs(ford: Terminal) -> None:
    """Store turn views at the first `umpire status` after a bot's order, so that the second opens no ledger."""
    with umpire.open(ford.folder / "umpire.db") as desk:
        desk.game("ford").seat("red").order("move", unit="r1", path=["0101", "0102"])
    where = str(ford.folder / "umpire.db")
    assert stored_status(where, "ford", "blue") is None
    told = ford.ok("status", "ford", "--as", "blue").out
    assert stored_status(where, "ford", "blue") is not None
    assert ford.ok("status", "ford", "--as", "blue").out == told


class TestMarks:
    def test_internal_markers_are_shown_only_with_all(self, harbour: Terminal) -> None:
        assert "columns 20" not in harbour.ok("status", HARBOUR).out
        assert "columns 20" in harbour.ok("status", HARBOUR, "--all").out
        assert harbour.ok("status", HARBOUR, "--json").json["markers"]["columns"] == 20

    def test_list_in_a_marker_is_written_as_words(self, terminal: Terminal) -> None:
        terminal.ok("import", str(REPLAYS / "pacific-war" / "replays" / "marianas-final-operation.jsonl"))
        out = terminal.ok("status", "marianas-final-operation", "--all").out
        assert "holding_boxes pearl-harbor" in out
        assert "('" not in out
        assert "['" not in out


def test_on_a_terminal_no_line_is_wider(harbour: Terminal) -> None:
    """Print to a pseudo-terminal of 120 columns."""
    command = [sys.executable, "-m", "umpire_ledger", "status", HARBOUR]
    with PseudoTerminal(command, harbour.folder, harbour.environment) as screen:
        lines = screen.see("turn 3 begins").splitlines()
    assert len(lines) > 20
    assert max(map(len, lines)) <= 120


def test_in_a_pipe_each_thing_is_one_line(harbour: Terminal) -> None:
    assert max(map(len, harbour.ok("status", HARBOUR).out.splitlines())) > 150


def test_units_of_a_side_are_counted_in_singular_and_plural(terminal: Terminal) -> None:
    terminal.new()
    (line,) = (one for one in terminal.ok("status", "ford").out.splitlines() if one.startswith("sides:"))
    counts = {side["name"]: side["units"] for side in terminal.ok("status", "ford", "--json").json["sides"]}
    assert 1 in counts.values()
    for name, number in counts.items():
        assert re.search(rf"\b{name} {number} unit{'' if number == 1 else 's'}(,|$)", line)
    assert not re.search(r"\b1 [A-Za-z ]+s\b", line)
