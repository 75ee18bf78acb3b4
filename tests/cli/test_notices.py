"""Check that each seat gets each notification once, by each channel, with real servers."""

import json
import mailbox
import os
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.cli import post_office
from tests.cli.post_office import Hook, Post, answer, free_port, hang, hang_up
from tests.cli.terminal import ROOT, Answer, Terminal
from tests.face.desk import (
    NoticeSettings,
    Server,
    Smtp,
    Webhook,
    delivery_log,
    seconds_of,
    sender as telling,
)
from tests.face.ledger import MetadataEntry
from tests.face.projections import views_path

SCENARIO = str(ROOT / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml")
UNSENT = 9
ADDRESSES = ("--address", "athens=anna@club.example", "--address", "syracuse=bert@club.example")


@pytest.fixture
def club(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Return a galley battle in which both sides must roll for the wind; no proxy is set for the hooks."""
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name.startswith(("UMPIRE_WEBHOOK", "UMPIRE_SMTP", "UMPIRE_ADDRESSES")):
            monkeypatch.delenv(name)
    terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", SCENARIO)
    return terminal


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    yield from post_office.hook_of_the_user(monkeypatch)


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    yield from post_office.post_of_the_user(monkeypatch, "athens=anna@club.example, harbour/syracuse=bert@club.example")


class Clock:
    """A clock that only the notifications use; records have the real time."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def later(self, **time: float) -> None:
        self._ahead += timedelta(**time)

    def now(self) -> datetime:
        return datetime.now(UTC) + self._ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(telling, "utc_now", found.now)
    return found


def said(body: bytes) -> Any:
    """Return a handler that answers 200 with this body."""

    def with_it(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return with_it


page = said(b"<!doctype html><title>Log in to this network</title>")


def told(answer: Answer) -> dict[str, list[str]]:
    """Return the kinds of notices that each seat got."""
    return {one["seat"]: [point["kind"] for point in one["points"]] for one in answer.json}


def _unsure(answer: Answer, seat: str) -> bool:
    """Return whether an answer warns that the notification of #1 to #26 to this seat is unconfirmed."""
    return any(
        line.startswith("Warning: ") and f" {seat} in harbour " in line and " #26" in line and "--again" in line
        for line in answer.err.splitlines()
    )


def order(club: Terminal, seat: str, name: str, **arguments: Any) -> None:
    club.ok("order", "harbour", json.dumps({"order": name, **arguments}), "--as", seat)


class TestWhatIsTold:
    def test_notice_names_the_turn_and_the_required_actions(self, club: Terminal) -> None:
        found = club.ok("notices", "--json")
        assert told(found) == {"athens": ["your-turn", "you-owe"], "syracuse": ["your-turn", "you-owe"]}
        text = found.json[0]["text"]
        assert text.startswith("To athens in The Great Harbour, 413 BC (harbour): turn 1 · A the wind")
        turn, required = [line for line in text.splitlines() if line.startswith("- ")]
        assert " harbour: turn 1, " in turn
        assert turn.endswith(" A (the wind). (#26)")
        assert required.endswith(": `roll-wind` [War Galley A]. (#26)")

    def test_unchanged_required_action_is_notified_once(self, club: Terminal) -> None:
        club.ok("notices")
        club.ok("note", "harbour", "late tonight", "--as", "athens")
        again = club.ok("notices")
        assert again.out == ""
        assert told(club.ok("notices", "--json")) == {}

    def test_next_step_of_a_side_is_notified_again(self, club: Terminal) -> None:
        """Notify a side that still waits if the step and its required action are new."""
        club.ok("notices")
        order(club, "athens", "roll-wind", pips=[3, 4])
        found = club.ok("notices", "--json")
        assert told(found) == {"athens": ["your-turn", "you-owe"], "syracuse": ["your-turn", "you-owe"]}
        assert " `join`: athens-6" in found.json[0]["text"]
        assert told(club.ok("notices", "--json")) == {}

    def test_new_action_of_a_side_still_waited_for_is_notified(self, club: Terminal) -> None:
        """Notify Syracuse of its roll for initiative, although play has waited for it since the wind."""
        club.ok("notices")
        order(club, "athens", "roll-wind", pips=[3, 4])
        order(club, "athens", "join", ship="athens-6", squadron="menander")
        order(club, "syracuse", "join", ship="syracuse-6", squadron="sicanus")
        found = club.ok("notices", "--json")
        assert told(found) == {"athens": ["your-turn", "you-owe"], "syracuse": ["your-turn", "you-owe"]}
        assert all("`roll-initiative`" in one["text"] for one in found.json)
        order(club, "athens", "roll-initiative", pips=[3])
        assert club.ok("status", "harbour", "--json").json["waiting"] == ["syracuse"]
        assert told(club.ok("notices", "--json")) == {}

    def test_turn_that_has_passed_is_not_notified(self, club: Terminal) -> None:
        """Excuse Athens before the first notices, so that only Syracuse must act."""
        club.ok("order", "harbour", "excuse", "late", "--side", "athens")
        assert club.ok("status", "harbour", "--json").json["waiting"] == ["syracuse"]
        assert told(club.ok("notices", "--json")) == {
            "syracuse": ["your-turn", "you-owe", "ruling-made"],
            "athens": ["ruling-made"],
        }

    def test_open_dispute_is_notified_to_other_side_and_referee(self, club: Terminal) -> None:
        club.ok("notices")
        club.ok("dispute", "open", "harbour", "#5", "--claim", "too far", "--rule", "8.55", "--as", "athens")
        found = club.ok("notices", "--json", "--preview")
        assert told(found) == {"syracuse": ["dispute-opened"], "referee": ["dispute-opened"]}
        assert " d1 [8.55]: “too far”" in found.json[0]["text"]
        club.ok("dispute", "settle", "harbour", "d1", "--ruling", "it was not", "--why", "measured")
        found = club.ok("notices", "--json")
        assert told(found) == {"athens": ["ruling-made"], "syracuse": ["ruling-made"]}
        assert " d1 " in found.json[0]["text"]
        assert ": it was not. " in found.json[0]["text"]
        assert "Reason: “measured”." in found.json[0]["text"]

    def test_ruling_that_settles_a_dispute_is_notified_once(self, club: Terminal) -> None:
        club.ok("notices")
        club.ok("dispute", "open", "harbour", "#5", "--claim", "too far", "--as", "athens")
        ruling = ("rule", "harbour", "in range", "--rule", "8.55", "--grounds", "printed", "--why", "measured")
        club.ok(*ruling, "--dispute", "d1")
        found = club.ok("notices", "--json", "--seat", "athens")
        assert told(found) == {"athens": ["ruling-made"]}
        assert " [8.55]: in range. " in found.json[0]["text"]
        assert "Reason: “measured”." in found.json[0]["text"]

    def test_rewind_request_is_notified_to_sides_without_answer(self, club: Terminal) -> None:
        club.ok("notices")
        order(club, "athens", "roll-wind", pips=[3, 4])
        club.ok("notices")
        last = club.size("harbour")
        club.ok("ask-rewind", "harbour", "--to", f"#{last - 1}", "--why", "a die was cocked", "--as", "athens")
        found = club.ok("notices", "--json", "--preview")
        assert told(found) == {"syracuse": ["rewind-asked"], "referee": ["rewind-asked"]}
        assert "Reason: “a die was cocked”. " in found.json[0]["text"]
        club.ok("refuse", "harbour", "--as", "syracuse")
        found = club.ok("notices", "--json")
        assert told(found) == {"athens": ["rewind-answered"], "referee": ["rewind-answered"]}
        (answered,) = [line for line in found.json[0]["text"].splitlines() if line.startswith("- ")]
        assert answered.startswith("- Syracuse ")

    def test_ruling_and_end_are_notified_but_no_rewound_ruling(self, club: Terminal) -> None:
        club.ok("notices")
        before = club.size("harbour")
        order(club, "athens", "roll-wind", pips=[3, 4])
        club.ok("rule", "harbour", "no ram in shallow water", "--why", "the map", "--rule", "8.1", "--grounds", "house")
        club.ok("rewind", "harbour", "--to", f"#{before}", "--why", "a die was cocked")
        kinds = ["your-turn", "you-owe", "rewind-done"]
        found = club.ok("notices", "--json", "--preview")
        assert told(found) == {"athens": kinds, "syracuse": kinds}
        assert f" #{before}. " in found.json[0]["text"]
        assert ": “a die was cocked”." in found.json[0]["text"]
        club.ok("rule", "harbour", "no ram in shallow water", "--why", "the map", "--rule", "8.1", "--grounds", "house")
        order(club, "referee", "end", reason="it is late")
        kinds = ["rewind-done", "ruling-made", "ended"]
        assert told(club.ok("notices", "--json")) == {"athens": kinds, "syracuse": kinds, "referee": ["ended"]}

    def test_players_of_a_side_are_notified_in_its_place(self, club: Terminal) -> None:
        club.ok("order", "harbour", "take-seat", "anna", "athens")
        club.ok("order", "harbour", "take-seat", "carl", "athens")
        assert set(told(club.ok("notices", "--json"))) == {"anna", "carl", "syracuse"}

    def test_archived_game_is_silent_and_renamed_game_has_new_name(self, club: Terminal) -> None:
        club.ok("rename", "harbour", "Cup final")
        assert "Cup final (harbour)" in club.ok("notices", "--preview").out
        club.ok("archive", "harbour")
        assert club.ok("notices").out == ""

    def test_notices_can_be_limited_to_a_game_and_a_seat(self, club: Terminal) -> None:
        club.new("ford")
        assert set(told(club.ok("notices", "--seat", "athens", "--game", "harbour", "--json"))) == {"athens"}
        assert set(told(club.ok("notices", "--json"))) == {"syracuse"}
        for words, near in ((("--game", "harbuor"), "harbour"), (("--seat", "athenz"), "athens")):
            refused = club.type("notices", *words, "--json")
            assert refused.code == 6
            assert near in refused.error["remedy"]

    def test_notice_contains_no_secret(self, terminal: Terminal) -> None:
        """Check that no notice has a word of a sealed bid or of a private note."""
        terminal.new("ford", "--option", "secrets_closed_to_referee=true")
        sealed = {"order": "seal-choice", "question": "bid", "choice": "SECRETBID"}
        terminal.ok("order", "ford", json.dumps(sealed), "--as", "red")
        terminal.ok("dispute", "open", "ford", "#2", "--claim", "not that unit", "--as", "blue")
        found = terminal.ok("notices", "--json")
        assert told(found) == {"red": ["dispute-opened"], "referee": ["dispute-opened"]}
        assert "SECRETBID" not in found.out

    def test_many_points_are_counted_and_long_words_are_cut(self, club: Terminal, hook: Hook) -> None:
        club.ok("notices", "--webhook")
        for number in range(12):
            words = f"ruling {number}: " + "*" * 900
            club.ok("rule", "harbour", words, "--rule", "8.1", "--grounds", "house", "--why", "x" * 900)
        club.ok("notices", "--webhook", "--seat", "athens")
        assert "\n- and 4 " in hook.posted[-1]["text"]
        assert len(hook.posted[-1]["content"]) <= 2000

    def test_broken_game_does_not_delay_others(self, club: Terminal) -> None:
        club.new("ford")
        club.ok("dispute", "open", "ford", "#2", "--claim", "no", "--as", "red")
        with closing(sqlite3.connect(club.folder / "umpire.db")) as ledger:
            ledger.execute("DROP TRIGGER record_stays")
            ledger.execute("UPDATE record SET line = 'no record' WHERE game = 2 AND position > 1")
            ledger.commit()
        Path(views_path(club.folder / "umpire.db")).unlink()
        found = club.type("notices", "--json")
        assert found.code == 5
        assert {"athens", "syracuse"} <= set(told(found))
        (warning,) = found.err.splitlines()
        assert warning.startswith("Warning: ford ")

    def test_preview_marks_no_notice_as_sent(self, club: Terminal) -> None:
        first = club.ok("notices", "--preview").out
        assert first
        assert club.ok("notices", "--preview").out == first
        assert club.ok("notices").out == first

    def test_sent_notices_are_remembered_without_read_models(self, club: Terminal) -> None:
        club.ok("notices")
        Path(views_path(club.folder / "umpire.db")).unlink()
        club.ok("rebuild")
        assert club.ok("notices").out == ""

    def test_game_or_seat_that_is_not_notified_is_refused(self, club: Terminal) -> None:
        club.new("ford")
        refused = club.type("notices", "--game", "ford", "--seat", "athens", "--json")
        assert (refused.code, refused.error["where"]) == (6, "ford")
        club.ok("archive", "ford")
        refused = club.type("notices", "--game", "ford", "--json")
        assert refused.code == 6
        assert "ford" in refused.error["what"]
        assert refused.error["remedy"].endswith(" ford")

    def test_undo_is_notified_to_a_seat_that_was_notified_of_the_order(self, club: Terminal) -> None:
        order(club, "athens", "roll-wind", pips=[3, 4])
        order(club, "athens", "join", ship="athens-6", squadron="menander")
        club.ok("notices")
        order(club, "syracuse", "join", ship="syracuse-6", squadron="sicanus")
        order(club, "syracuse", "undo")
        assert told(club.ok("notices", "--json")) == {"syracuse": ["your-turn", "you-owe"]}
        order(club, "syracuse", "join", ship="syracuse-6", squadron="sicanus")
        club.ok("notices")
        order(club, "syracuse", "undo")
        found = club.ok("notices", "--json")
        assert told(found) == {"athens": ["rewind-done"], "syracuse": ["your-turn", "you-owe"]}
        order(club, "syracuse", "redo")
        assert told(club.ok("notices", "--json"))["athens"] == ["your-turn", "you-owe", "rewind-done"]

    def test_seat_taken_again_for_the_other_side_gets_its_actions(self, club: Terminal) -> None:
        before = club.size("harbour")
        club.ok("order", "harbour", "take-seat", "anna", "athens")
        club.ok("notices")
        club.ok("rewind", "harbour", "--to", f"#{before}", "--why", "the wrong side")
        club.ok("order", "harbour", "take-seat", "anna", "syracuse")
        found = told(club.ok("notices", "--json"))
        assert set(found) == {"anna", "athens"}, "athens itself was never notified"
        assert found["anna"] == ["your-turn", "you-owe", "rewind-done"]

    def test_output_that_cannot_be_written_is_not_delivered(self, club: Terminal) -> None:
        for words in ((), ("--json",)):
            with Path("/dev/full").open("wb") as full:
                command = club.command("notices", *words)
                failed = subprocess.run(
                    command, cwd=club.folder, env=club.environment, stdout=full, stderr=subprocess.PIPE, check=False
                )
            assert failed.returncode == UNSENT
            assert b"No space left" in failed.stderr
        assert set(told(club.ok("notices", "--json"))) == {"athens", "syracuse"}


class TestMarksOfAnEarlierEdition:
    """Marks without an edition, from a time when a required action was notified only with a new wait."""

    @pytest.fixture
    def old(self, club: Terminal) -> Terminal:
        mark(club, "athens", told=26)
        mark(club, "syracuse", told=26)
        return club

    def test_action_that_arose_with_the_wait_is_not_repeated(self, old: Terminal) -> None:
        assert told(old.ok("notices", "--json")) == {}

    def test_action_that_arose_later_is_notified_once(self, old: Terminal) -> None:
        order(old, "athens", "roll-wind", pips=[3, 4])
        for seat in ("athens", "syracuse"):
            mark(old, seat, told=47)
        actions = ["your-turn", "you-owe"]
        assert told(old.ok("notices", "--json")) == {"athens": actions, "syracuse": actions}
        assert told(old.ok("notices", "--json")) == {}

    def test_failed_notice_of_an_old_mark_stays_due(self, old: Terminal, hook: Hook) -> None:
        order(old, "athens", "roll-wind", pips=[3, 4])
        way = Webhook(hook.url).name
        for seat in ("athens", "syracuse"):
            mark(old, seat, way=way, told=47)
        hook.answers = [answer(500)]
        assert old.type("notices", "--webhook").code == UNSENT
        old.ok("notices", "--webhook")
        assert Counter(hook.told) == {hook.told[0]: 2, hook.told[-1]: 1}

    def test_unsent_and_unconfirmed_stretches_are_read(self, old: Terminal) -> None:
        mark(old, "athens", told=26, unsent=[[0, 26]])
        tried = {"token": "a", "at": "2026-01-01T00:00:00+00:00", "stretches": [[0, 26]], "unsure": True}
        mark(old, "syracuse", told=26, tries=[tried])
        found = old.ok("notices", "--json")
        assert set(told(found)) == {"athens"}
        assert _unsure(found, "syracuse")
        assert set(told(old.ok("notices", "--json", "--again"))) == {"syracuse"}


def mark(club: Terminal, seat: str, way: str = "text", **fields: Any) -> None:
    with umpire.open(club.folder / "umpire.db") as desk, desk.ledger.metadata() as metadata:
        metadata.put(MetadataEntry("harbour", delivery_log.TOLD, delivery_log.key(way, seat), json.dumps(fields)))


class TestReminders:
    def test_reminder_is_sent_once_in_the_time(self, club: Terminal, clock: Clock) -> None:
        club.ok("notices")
        clock.later(days=2)
        assert told(club.ok("notices", "--json", "--remind", "3d")) == {}
        clock.later(days=1)
        preview = club.ok("notices", "--json", "--remind", "3d", "--preview")
        found = club.ok("notices", "--json", "--remind", "3d")
        for one in (preview, found):
            assert told(one) == {"athens": ["your-turn", "you-owe"], "syracuse": ["your-turn", "you-owe"]}
            assert all(seat["reminder"] for seat in one.json)
        assert "reminder: your turn" in found.json[0]["subject"]
        assert found.json[0]["text"].startswith("Reminder to athens in ")
        assert told(club.ok("notices", "--json", "--remind", "3d")) == {}
        clock.later(days=3)
        assert club.ok("notices").out == ""
        assert set(told(club.ok("notices", "--json", "--remind", "3d"))) == {"athens", "syracuse"}

    def test_seat_that_gave_an_order_is_not_reminded(self, club: Terminal, clock: Clock) -> None:
        clock.later(days=-4)
        club.ok("notices")
        clock.later(days=4)
        club.ok("note", "harbour", "on holiday", "--as", "athens")
        assert set(told(club.ok("notices", "--json", "--remind", "3d"))) == {"syracuse"}
        clock.later(days=3, minutes=5)
        assert set(told(club.ok("notices", "--json", "--remind", "3d"))) == {"athens", "syracuse"}

    def test_new_action_is_not_a_reminder(self, club: Terminal, clock: Clock) -> None:
        club.ok("notices")
        clock.later(days=9)
        order(club, "athens", "roll-wind", pips=[3, 4])
        assert [one["reminder"] for one in club.ok("notices", "--json", "--remind", "3d").json] == [False, False]
        assert told(club.ok("notices", "--json", "--remind", "3d")) == {}

    def test_seat_that_is_not_required_to_act_is_not_reminded(self, club: Terminal, clock: Clock) -> None:
        club.ok("notices")
        club.ok("order", "harbour", "excuse", "late", "--side", "athens")
        club.ok("notices")
        clock.later(days=9)
        assert set(told(club.ok("notices", "--json", "--remind", "3d"))) == {"syracuse"}
        order(club, "referee", "end", reason="it is late")
        club.ok("notices")
        clock.later(days=9)
        assert told(club.ok("notices", "--json", "--remind", "3d")) == {}

    def test_failed_reminder_stays_due(self, club: Terminal, clock: Clock, hook: Hook) -> None:
        club.ok("notices", "--webhook")
        clock.later(days=3)
        hook.answers = [answer(500)]
        words = ("notices", "--webhook", "--remind", "3d", "--seat", "athens")
        assert club.type(*words).code == UNSENT
        assert [(one["seat"], one["reminder"]) for one in club.ok(*words, "--json").json] == [("athens", True)]
        assert club.ok(*words).out == ""

    def test_mail_of_a_reminder_is_another_message(self, club: Terminal, clock: Clock) -> None:
        """Give the reminder another message id, because mail programs merge messages of equal id."""
        for _ in range(3):
            club.ok("notices", "--mail", "a.mbox", *ADDRESSES, "--remind", "3d")
            clock.later(days=3)
        with closing(mailbox.mbox(club.folder / "a.mbox")) as box:
            assert len({mail["Message-ID"] for mail in box}) == len(box) == 6

    def test_reminder_after_an_old_mark_counts_from_its_record(self, club: Terminal, clock: Clock) -> None:
        mark(club, "athens", told=26)
        mark(club, "syracuse", told=26)
        assert told(club.ok("notices", "--json", "--remind", "3d")) == {}
        clock.later(days=3, minutes=5)
        assert set(told(club.ok("notices", "--json", "--remind", "3d"))) == {"athens", "syracuse"}

    def test_requested_rewind_is_reminded_of(self, club: Terminal, clock: Clock) -> None:
        order(club, "athens", "roll-wind", pips=[3, 4])
        club.ok("ask-rewind", "harbour", "--to", "#26", "--why", "a die was cocked", "--as", "athens")
        club.ok("notices")
        clock.later(days=3)
        found = told(club.ok("notices", "--json", "--remind", "3d"))
        assert found["syracuse"] == ["your-turn", "you-owe", "rewind-asked"]
        assert found["referee"] == ["rewind-asked"]

    @pytest.mark.parametrize("time", ["", "soon", "0d", "-3d", "3", "3 days"])
    def test_time_that_is_none_is_refused(self, club: Terminal, time: str, monkeypatch: pytest.MonkeyPatch) -> None:
        assert club.type("notices", "--remind", time).code == 2
        if time:
            monkeypatch.setenv("UMPIRE_REMIND", time)
            assert club.type("notices").code == 2

    def test_settings_name_the_time(self, club: Terminal, clock: Clock) -> None:
        club.write("umpire.toml", 'remind = "36h"\n')
        club.ok("notices")
        clock.later(hours=36)
        assert set(told(club.ok("notices", "--json"))) == {"athens", "syracuse"}


class TestWebhook:
    def test_webhook_posts_to_every_seat_once(self, club: Terminal, hook: Hook) -> None:
        first = club.ok("notices", "--webhook", "--json")
        assert [(one["seat"], one["outcome"]) for one in first.json] == [
            ("athens", "delivered"),
            ("syracuse", "delivered"),
        ]
        assert hook.told == [
            "To athens in The Great Harbour, 413 BC (harbour): turn 1 · A the wind · Athens and Syracuse",
            "To syracuse in The Great Harbour, 413 BC (harbour): turn 1 · A the wind · Athens and Syracuse",
        ]
        club.ok("notices", "--webhook")
        assert len(hook.posted) == 2

    def test_webhook_body_is_valid_for_discord_and_matrix(self, club: Terminal, hook: Hook) -> None:
        club.ok("rename", "harbour", "@everyone *bold* <b>")
        club.ok("notices", "--webhook", "--seat", "athens")
        (body,) = hook.posted
        assert body["allowed_mentions"] == {"parse": []}
        assert "@everyone \\*bold\\* \\<b\\>" in body["content"]
        assert "@everyone *bold* <b>" in body["text"]
        assert len(body["content"]) <= 2000
        assert hook.headers[0]["Content-Type"] == "application/json"
        assert hook.headers[0]["User-Agent"].startswith("umpire-ledger/")

    @pytest.mark.parametrize("answering", [answer(201), answer(202), said(b"ok"), said(b'{"ok": true}')])
    def test_other_answers_of_a_hook_count_as_delivered(self, club: Terminal, hook: Hook, answering: Any) -> None:
        hook.answers = [answering]
        assert club.ok("notices", "--webhook", "--seat", "athens", "--json").json[0]["outcome"] == "delivered"

    def test_channels_have_separate_marks(self, club: Terminal, hook: Hook) -> None:
        club.ok("notices")
        club.ok("notices", "--webhook")
        club.ok("notices", "--mail", "notices.mbox", *ADDRESSES)
        assert len(hook.posted) == 2
        assert len(mailbox.mbox(club.folder / "notices.mbox")) == 2

    def test_hook_that_asks_to_wait_is_tried_again(self, club: Terminal, hook: Hook) -> None:
        hook.answers = [answer(429, Retry_After="0"), answer(429, Retry_After="0.1")]
        club.ok("notices", "--webhook", "--seat", "athens")
        assert len(hook.posted) == 3
        club.ok("notices", "--webhook", "--seat", "athens")
        assert len(hook.posted) == 3

    def test_hook_that_asks_for_a_long_wait_is_left_for_the_next_run(self, club: Terminal, hook: Hook) -> None:
        hook.answers = [answer(429, Retry_After="3600")]
        later = club.type("notices", "--webhook")
        assert later.code == UNSENT
        assert " 3600 s\n" in later.err
        assert len(hook.posted) == 1
        club.ok("notices", "--webhook")
        assert Counter(hook.told[1:]) == Counter(set(hook.told))

    @pytest.mark.parametrize(
        ("code", "says"),
        [(404, "URL"), (401, "URL"), (400, "Discord"), (500, ""), (302, "302 Found, ")],
    )
    def test_webhook_error_names_a_fix_and_is_sent_in_the_next_run(
        self, club: Terminal, hook: Hook, code: int, says: str
    ) -> None:
        hook.answers = [answer(code, Location="http://127.0.0.1:9/elsewhere")]
        failed = club.type("notices", "--webhook", "--json", "--seat", "athens")
        assert failed.code == UNSENT
        (one,) = failed.json
        assert one["came"] == "not sent"
        assert str(code) in one["trouble"]
        assert says in one["trouble"] + one["remedy"]
        club.ok("notices", "--webhook", "--seat", "athens")
        assert len(hook.posted) == 2

    def test_failed_notice_is_sent_with_newer_ones(self, club: Terminal, hook: Hook) -> None:
        hook.answers = [answer(500)]
        club.type("notices", "--webhook", "--seat", "syracuse")
        club.ok("dispute", "open", "harbour", "#5", "--claim", "too far", "--as", "athens")
        found = club.ok("notices", "--webhook", "--seat", "syracuse", "--json")
        assert told(found) == {"syracuse": ["your-turn", "you-owe", "dispute-opened"]}

    def test_refused_connection_is_reported_without_the_secret(
        self, club: Terminal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("UMPIRE_WEBHOOK", f"http://127.0.0.1:{free_port()}/s3cr3t")
        failed = club.type("notices", "--webhook")
        assert failed.code == UNSENT
        assert "at 127.0.0.1:" in failed.err
        assert "Connection refused" in failed.err
        assert "s3cr3t" not in failed.err + failed.out

    def test_unknown_host_is_reported_without_the_secret(self, club: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("UMPIRE_WEBHOOK", "https://nowhere.invalid/s3cr3t")
        failed = club.type("notices", "--webhook", "--seat", "athens")
        assert failed.code == UNSENT
        assert "nowhere.invalid" in failed.err
        assert "s3cr3t" not in failed.err + failed.out

    def test_notice_without_answer_is_unconfirmed_and_not_repeated(self, club: Terminal, hook: Hook) -> None:
        """Leave a notice without an answer as unconfirmed, and send it again only by `again`."""
        hook.answers = [hang()]
        way = Webhook(hook.url, timeout=0.3)
        with umpire.open(club.folder / "umpire.db") as desk:
            (one,) = list(desk.tell(way, seats=["athens"]))
            assert one.came == "perhaps sent"
            assert list(desk.tell(way, seats=["athens"])) == []
        named = club.ok("notices", "--webhook", "--seat", "athens")
        assert _unsure(named, "athens")
        assert len(hook.posted) == 1
        club.ok("notices", "--webhook", "--seat", "athens", "--again")
        assert hook.told[0] == hook.told[1]
        assert club.ok("notices", "--webhook", "--seat", "athens", "--again").out == ""

    @pytest.mark.parametrize("answering", [hang_up, answer(502), answer(504), answer(203), page])
    def test_notice_on_a_lost_connection_is_unconfirmed(self, club: Terminal, hook: Hook, answering: Any) -> None:
        hook.answers = [answering]
        failed = club.type("notices", "--webhook", "--seat", "athens", "--json")
        assert failed.code == UNSENT
        assert failed.json[0]["came"] == "perhaps sent"
        assert club.ok("notices", "--webhook", "--seat", "athens").out == ""
        assert len(hook.posted) == 1

    @pytest.mark.parametrize("status", [200, 201, 202, 204])
    def test_success_without_body_is_delivered(self, club: Terminal, hook: Hook, status: int) -> None:
        hook.answers = [answer(status)]
        assert club.ok("notices", "--webhook", "--seat", "athens", "--json").json[0]["outcome"] == "delivered"

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
    def test_killed_run_sends_no_notice_twice(
        self, club: Terminal, hook: Hook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Kill a run after the notice to Athens: the next one notifies Syracuse and names the unconfirmed one."""
        hook.answers = [hang()]
        with subprocess.Popen(
            club.command("notices", "--webhook"), cwd=club.folder, env=club.environment, stderr=subprocess.DEVNULL
        ) as running:
            assert hook.came.wait(30)
            running.kill()
        club.ok("notices", "--webhook")
        assert [one.split()[1] for one in hook.told] == ["athens", "syracuse"]
        monkeypatch.setattr(delivery_log, "BROKEN_OFF", timedelta(0))
        assert _unsure(club.ok("notices", "--webhook"), "athens")
        assert len(hook.posted) == 2

    def test_parallel_runs_send_no_notice_twice(self, club: Terminal, hook: Hook) -> None:
        for game in range(6):
            club.ok("new", "war-galley", "--id", f"harbour-{game}", "--scenario", SCENARIO)
        hook.answers = [_slowly(0.05) for _ in range(30)]
        running = [
            subprocess.Popen(club.command("notices", "--webhook"), cwd=club.folder, env=club.environment)
            for _ in range(3)
        ]
        assert [one.wait(120) for one in running] == [0, 0, 0]
        assert len(hook.told) == 14
        assert set(Counter(hook.told).values()) == {1}

    def test_untrusted_certificate_of_a_hook_is_refused(self, club: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        with post_office.hook(secure=True) as secure:
            monkeypatch.setenv("UMPIRE_WEBHOOK", secure.url)
            failed = club.type("notices", "--webhook", "--json", "--seat", "athens")
            assert failed.code == UNSENT
            assert failed.json[0]["came"] == "not sent"
            assert "self-signed certificate" in failed.json[0]["trouble"]
            assert "SSL_CERT_FILE" in failed.json[0]["remedy"]
            assert secure.posted == []
            monkeypatch.setenv("SSL_CERT_FILE", str(post_office.TLS / "certificate.pem"))
            club.ok("notices", "--webhook", "--seat", "athens")
            assert len(secure.posted) == 1

    def test_tls_to_a_server_that_speaks_none(
        self, club: Terminal, hook: Hook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("UMPIRE_WEBHOOK", hook.url.replace("http:", "https:"))
        failed = club.type("notices", "--webhook", "--json", "--seat", "athens")
        assert failed.code == UNSENT
        assert "no TLS version that Umpire knows" in failed.json[0]["trouble"]

    @pytest.mark.parametrize(
        "url",
        ["ftp://club.example/s3cr3t", "s3cr3t", "https://anna:s3cr3t@club.example/", "https://club.example/s3cr3t x"],
    )
    def test_invalid_webhook_url_is_refused_and_not_shown(
        self, club: Terminal, monkeypatch: pytest.MonkeyPatch, url: str
    ) -> None:
        monkeypatch.setenv("UMPIRE_WEBHOOK", url)
        for words in (("--webhook",), ("--webhook", "--json"), ("--webhook", "--debug")):
            refused = club.type("notices", *words)
            assert refused.code == 2
            assert "s3cr3t" not in refused.err + refused.out

    def test_webhook_secret_is_only_in_the_environment(self, club: Terminal, hook: Hook) -> None:
        """Keep the secret out of the process list, the output and the ledger."""
        hook.answers = [hang()]
        with subprocess.Popen(
            club.command("--debug", "notices", "--webhook"),
            cwd=club.folder,
            env=club.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as running:
            assert hook.came.wait(30)
            listed = Path(f"/proc/{running.pid}/cmdline")
            if listed.exists():
                assert b"s3cr3t" not in listed.read_bytes()
            said, _ = running.communicate(timeout=60)
        assert "it is unknown" in said
        assert "s3cr3t" not in said
        raw = b"".join(file.read_bytes() for file in club.folder.glob("umpire.db*"))
        assert b"webhook:" in raw
        assert b"s3cr3t" not in raw

    def test_webhook_url_comes_from_a_file_or_is_typed(self, club: Terminal, hook: Hook) -> None:
        club.write("hook.txt", f"{hook.url}\n")
        club.ok("notices", "--webhook", "@hook.txt", "--seat", "athens")
        typed = club.ok("notices", "--webhook", hook.url, "--seat", "syracuse")
        assert typed.err.startswith("Warning: ")
        assert " UMPIRE_WEBHOOK " in typed.err
        assert len(hook.posted) == 2

    def test_missing_webhook_url_is_refused(self, club: Terminal) -> None:
        refused = club.type("notices", "--webhook", "--json")
        assert refused.code == 2
        assert "UMPIRE_WEBHOOK" in refused.error["remedy"]

    def test_retry_after_may_be_a_date_or_nonsense(self) -> None:
        soon = format_datetime(datetime.now(UTC) + timedelta(seconds=20))
        assert 10 < seconds_of(soon) <= 20
        assert seconds_of("5") == 5
        assert seconds_of("soon") > 30
        assert seconds_of("") > 30


def _slowly(seconds: float) -> Any:
    def with_it(handler: Any) -> None:
        time.sleep(seconds)
        answer(204)(handler)

    return with_it


class TestMail:
    def test_seats_with_an_address_get_mail(self, club: Terminal, post: Post) -> None:
        club.ok("rename", "harbour", "Hafenschlacht über alles")
        club.ok("notices", "--mail")
        assert [(sender, to) for sender, to, _ in post.mail] == [
            ("umpire@club.example", "anna@club.example"),
            ("umpire@club.example", "bert@club.example"),
        ]
        import email  # noqa: PLC0415 -- only here
        import email.policy  # noqa: PLC0415 -- as above

        first = email.message_from_string(post.mail[0][2], policy=email.policy.default)
        assert first["Subject"] == "Hafenschlacht über alles (harbour): your turn"
        assert first["Auto-Submitted"] == "auto-generated"
        assert ": `roll-wind` [War Galley A]. (#26)" in first.get_content()
        club.ok("notices", "--mail")
        assert len(post.mail) == 2

    def test_without_an_address_a_seat_is_left_for_later(
        self, club: Terminal, post: Post, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("UMPIRE_ADDRESSES")
        first = club.type("notices", "--mail", "--address", "athens=anna@club.example", "--json")
        assert first.code == UNSENT
        assert [one["outcome"] for one in first.json] == ["delivered", "not addressed"]
        club.ok("notices", "--mail", "--address", "syracuse=bert@club.example")
        assert [to for _, to, _ in post.mail] == ["anna@club.example", "bert@club.example"]

    def test_with_starttls_and_a_password(self, club: Terminal, post: Post) -> None:
        """Send a password only over TLS with a trusted certificate."""
        post.tls, post.user, post.password = True, "umpire", "s3cr3t"
        server = Server(
            host="localhost", port=post.port, user="umpire", password="s3cr3t", sender="umpire@club.example"
        )
        addresses = {"athens": "anna@club.example"}
        with umpire.open(club.folder / "umpire.db") as desk:
            (failed,) = list(desk.tell(Smtp(server, addresses), seats=["athens"]))
            assert failed.trouble.endswith(": self-signed certificate")
            (one,) = list(desk.tell(Smtp(server, addresses, trust=post_office.trusting()), seats=["athens"]))
            assert one.came == "told"
        assert post.secure == [True]

    def test_wrong_password_is_not_shown(self, club: Terminal, post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
        """Hide the answer of the server too, because this one repeats the password."""
        post.user, post.password = "umpire", "right"
        monkeypatch.setenv("UMPIRE_SMTP_USER", "umpire")
        monkeypatch.setenv("UMPIRE_SMTP_PASSWORD", "s3cr3t")
        failed = club.type("--debug", "notices", "--mail")
        assert failed.code == UNSENT
        assert " (535)\n" in failed.err
        assert "UMPIRE_SMTP_USER and UMPIRE_SMTP_PASSWORD" in failed.err
        assert "s3cr3t" not in failed.err + failed.out
        monkeypatch.setenv("UMPIRE_SMTP_PASSWORD", "right")
        club.ok("notices", "--mail")
        assert len(post.mail) == 2

    def test_password_is_not_sent_in_the_clear(self) -> None:
        server = Server(host="mail.club.example", port=1, user="umpire", password="s3cr3t", sender="a@club.example")
        way = Smtp(server, {})
        with pytest.raises(umpire.NotSent):
            way._verify_secret(secure=False)
        way._verify_secret(secure=True)
        assert "s3cr3t" not in f"{server!r} {way!r}"

    def test_refused_address_does_not_delay_another(self, club: Terminal, post: Post) -> None:
        post.says["RCPT"] = "550 no such user"
        failed = club.type("notices", "--mail", "--json")
        assert failed.code == UNSENT
        assert [one["came"] for one in failed.json] == ["not sent", "not sent"]
        assert failed.json[0]["trouble"].endswith(" athens (550)")
        post.says.clear()
        club.ok("notices", "--mail")
        assert len(post.mail) == 2

    @pytest.mark.parametrize("verb", ["EHLO", "MAIL", "RCPT"])
    def test_mail_is_sent_again_if_connection_fails_before_message(self, club: Terminal, post: Post, verb: str) -> None:
        post.dies_on = verb
        assert club.type("notices", "--mail", "--seat", "athens").code == UNSENT
        post.dies_on = ""
        club.ok("notices", "--mail", "--seat", "athens")
        assert len(post.mail) == 1

    def test_mail_is_unconfirmed_if_connection_fails_after_message(self, club: Terminal, post: Post) -> None:
        post.dies_on = "."
        failed = club.type("notices", "--mail", "--seat", "athens", "--json")
        assert failed.json[0]["came"] == "perhaps sent"
        post.dies_on = ""
        assert _unsure(club.ok("notices", "--mail", "--seat", "athens"), "athens")
        assert post.mail == []
        club.ok("notices", "--mail", "--seat", "athens", "--again")
        assert len(post.mail) == 1

    def test_refused_mail_is_sent_in_the_next_run(self, club: Terminal, post: Post) -> None:
        post.says["DATA"] = "451 try later"
        failed = club.type("notices", "--mail", "--seat", "athens", "--json")
        assert failed.json[0]["came"] == "not sent"
        assert "temporarily (451)" in failed.json[0]["trouble"]
        post.says.clear()
        club.ok("notices", "--mail", "--seat", "athens")
        assert len(post.mail) == 1

    def test_mail_server_that_refuses_or_is_slow_is_reported(self, club: Terminal, post: Post) -> None:
        address = f"smtp://127.0.0.1:{free_port()}"
        failed = club.type("notices", "--mail", address)
        assert failed.code == UNSENT
        assert f" {address.removeprefix('smtp://')} " in failed.err
        assert "Connection refused" in failed.err
        club.ok("notices", "--mail")
        assert len(post.mail) == 2

    def test_mbox_is_valid_for_mail_programs(self, club: Terminal) -> None:
        club.ok(
            "rule", "harbour", "From here on no rams", "--why", "From the map", "--rule", "8.1", "--grounds", "house"
        )
        club.ok("notices", "--mail", "notices.mbox", *ADDRESSES)
        with closing(mailbox.mbox(club.folder / "notices.mbox")) as box:
            mails = list(box)
        assert len(mails) == 2
        assert "athens" in mails[0]["To"]
        club.ok("notices", "--mail", "notices.mbox", *ADDRESSES)
        with closing(mailbox.mbox(club.folder / "notices.mbox")) as box:
            assert len(box) == 2

    def test_mbox_that_cannot_be_written_is_an_error(self, club: Terminal) -> None:
        failed = club.type("notices", "--mail", "nowhere/notices.mbox", *ADDRESSES)
        assert failed.code == UNSENT
        (club.folder / "nowhere").mkdir()
        club.ok("notices", "--mail", "nowhere/notices.mbox", *ADDRESSES)

    def test_mbox_that_is_a_device_is_refused(self, club: Terminal) -> None:
        failed = club.type("notices", "--mail", os.devnull, *ADDRESSES)
        assert failed.code == UNSENT
        assert f" {os.devnull} " in failed.err
        club.ok("notices", "--mail", "a.mbox", *ADDRESSES)

    @pytest.mark.parametrize("words", [("--mail", "a.mbox"), ("--mail",), ("--mail", "smtp://127.0.0.1")])
    def test_mail_without_any_address_is_refused(
        self, club: Terminal, post: Post, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
    ) -> None:
        monkeypatch.setenv("UMPIRE_ADDRESSES", " , ")
        refused = club.type("notices", *words, "--json")
        assert refused.code == 2
        assert "UMPIRE_ADDRESSES" in refused.error["remedy"]
        assert set(told(club.ok("notices", "--mail", "a.mbox", *ADDRESSES, "--json"))) == {"athens", "syracuse"}

    def test_mbox_for_a_seat_without_address_writes_no_mail(self, club: Terminal) -> None:
        first = club.type("notices", "--mail", "a.mbox", *ADDRESSES[:2])
        assert first.code == UNSENT
        assert "Error: syracuse in harbour " in first.err
        assert "--address syracuse=ADDRESS" in first.err
        with closing(mailbox.mbox(club.folder / "a.mbox")) as box:
            assert len(box) == 1
        (late,) = club.ok("notices", "--mail", "a.mbox", *ADDRESSES, "--json").json
        assert (late["seat"], late["outcome"]) == ("syracuse", "delivered")

    def test_address_of_an_unknown_seat_is_not_ignored(self, club: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
        """Refuse a typed address, but only name one of the settings, which may serve several ledgers."""
        refused = club.type("notices", "--mail", "a.mbox", "--address", "athenz=anna@club.example", "--json")
        assert refused.code == 6
        assert "athens" in refused.error["remedy"]
        monkeypatch.setenv("UMPIRE_ADDRESSES", "havn/athens=anna@club.example")
        warned = club.ok("notices", "--mail", "a.mbox", *ADDRESSES)
        assert warned.err.startswith("Warning: ")
        assert " havn/athens " in warned.err
        refused = club.type("notices", *ADDRESSES)
        assert refused.code == 2

    @pytest.mark.parametrize(
        ("words", "says"),
        [
            (("--mail", "smtp://anna:s3cr3t@club.example"), "UMPIRE_SMTP_PASSWORD"),
            (("--mail", "pop://club.example"), "://HOST:PORT"),
            (("--mail", "smtp://club.example:99999"), "://HOST:PORT"),
            (("--mail",), "UMPIRE_SMTP_HOST"),
            (("--mail", "smtp://club.example"), "UMPIRE_SMTP_FROM"),
            (("--mail", "smtp://club.example", "--from", "nobody"), "ASCII"),
            (("--mail", "a.mbox", "--address", "anna@club.example"), "SEAT=ADDRESS"),
            (("--mail", "a.mbox", "--address", "athens=b\r\nBcc: c@d.example"), "ASCII"),
        ],
    )
    def test_invalid_settings_are_refused_before_notices_are_marked(
        self, club: Terminal, words: tuple[str, ...], says: str
    ) -> None:
        refused = club.type("notices", *words, "--json")
        assert refused.code == 2
        assert says in refused.error["remedy"]
        assert "s3cr3t" not in refused.err


class TestSettings:
    def test_options_precede_environment_and_configuration(self) -> None:
        settings = NoticeSettings(
            {"smtp_from": "given@club.example", "addresses": "athens=given@club.example"},
            {"UMPIRE_SMTP_FROM": "env@club.example", "UMPIRE_SMTP_HOST": "env.example", "UMPIRE_SMTP_PORT": "26"},
            {
                "smtp_host": "conf.example",
                "smtp_tls": "none",
                "addresses": "athens=conf@x.example, syracuse=s@x.example",
            },
        )
        server = settings._server("")
        assert (server.host, server.port, server.sender, server.tls) == (
            "env.example",
            26,
            "given@club.example",
            "none",
        )
        assert settings.addresses() == {"athens": "given@club.example", "syracuse": "s@x.example"}

    @pytest.mark.parametrize("name", ["UMPIRE_SMTP_PORT", "UMPIRE_SMTP_TLS"])
    def test_nonsense_is_refused(self, name: str) -> None:
        with pytest.raises(umpire.WrongUse):
            NoticeSettings({}, {"UMPIRE_SMTP_HOST": "club.example", name: "nonsense"})._server("")

    def test_configuration_names_the_hook_and_the_mail_server(
        self, club: Terminal, hook: Hook, post: Post, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Read `umpire.toml` below the environment, so that no secret is typed or in the process list."""
        for name in list(os.environ):
            if name.startswith(("UMPIRE_SMTP", "UMPIRE_ADDRESSES", "UMPIRE_WEBHOOK")):
                monkeypatch.delenv(name)
        club.write(
            "umpire.toml",
            f'webhook = "{hook.url}"\n[mail]\nhost = "127.0.0.1"\nport = {post.port}\nfrom = "umpire@club.example"\n'
            'addresses = "athens=anna@club.example, syracuse=bert@club.example"\n',
        )
        club.ok("notices", "--webhook", "--mail")
        assert len(hook.posted) == 2
        assert [to for _, to, _ in post.mail] == ["anna@club.example", "bert@club.example"]
