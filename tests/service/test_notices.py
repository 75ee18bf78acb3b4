"""Test that the running service sends each notice once, with failing hooks, killed processes and several workers."""

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("litestar", reason="the service needs the extra `serve`: pip install '.[serve]'")

from tests.cli import post_office
from tests.cli.post_office import Hook, Post, answer, hang
from tests.cli.terminal import ROOT
from tests.face.desk import delivery_log
from tests.face.service import ChannelState, pause_between
from tests.service.served import PATIENCE, Served

GALLEYS = ROOT / "fixtures" / "war-galley" / "scenarios" / "great-harbour.toml"
QUIET = 8.0
"""Seconds after which any pending notice would have been sent."""
CLAIM = {"records": [2], "claim": "the ford was closed"}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    yield from post_office.hook_of_the_user(monkeypatch)


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    yield from post_office.post_of_the_user(monkeypatch, "harbour/athens=anna@club.example")


def serving(place: Path, *options: str) -> Served:
    """Start a galley battle in which both sides must roll for the wind."""
    served = Served(place, "--rate", "5000", *options)
    with served.desk() as desk:
        desk.new("war-galley", GALLEYS, id="harbour")
    return served


def wait(until: Callable[[], Any], why: object = "") -> None:
    ended = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < ended, why
        time.sleep(0.1)


def turns(told: list[str]) -> Counter[str]:
    """Return the recipients of these notices, with counts."""
    return Counter(one.split(" in ")[0].removeprefix("To ") for one in told)


class TestWebhook:
    def test_notices_by_three_workers_are_sent_once_per_seat(self, place: Path, hook: Hook) -> None:
        served = serving(place, "--workers", "3", "--webhook")
        wait(lambda: len(hook.told) >= 2, served.log)
        red = served.program("first", "red")
        assert red.post("/games/first/disputes", CLAIM).status_code == 200
        wait(lambda: len(hook.told) >= 4, served.log)
        time.sleep(QUIET)
        once = turns(hook.told)
        assert once == {"athens": 1, "syracuse": 1, "blue": 1, "referee": 1}
        assert 'umpire_notices_total{came="told"} 4' in served.program("", "referee").get("/metrics").text
        served.stop()
        served.start()
        time.sleep(QUIET)
        assert turns(hook.told) == once
        served.stop()

    def test_hook_that_is_down_is_retried_after_restart(self, place: Path, hook: Hook) -> None:
        hook.answers = [answer(503)]
        served = serving(place, "--webhook")
        wait(lambda: hook.posted, served.log)
        wait(lambda: any('"not sent"' in line for line in tuple(served.log)), served.log)
        first = len(hook.posted)
        served.stop()
        served.start()
        wait(lambda: len(hook.posted) >= first + 2, served.log)
        time.sleep(QUIET)
        assert turns(hook.told[first:]) == {"athens": 1, "syracuse": 1}
        served.stop()

    def test_notice_of_killed_worker_is_not_sent_twice(self, place: Path, hook: Hook) -> None:
        """Do not send a notice of unknown outcome again; `umpire notices --again` does."""
        hook.answers = [hang(3)]
        served = serving(place, "--webhook")
        wait(lambda: hook.posted, served.log)
        served.process.send_signal(signal.SIGKILL)
        served.process.wait(PATIENCE)
        served.start()
        time.sleep(QUIET)
        assert len(hook.posted) == 1, "another worker is left alone with it for a minute"
        with served.desk() as desk:
            told = desk.ledger.metadata_of_kind("told", "harbour")
            doubts = [one for one in told if json.loads(one.value).get("tries")]
        assert len(doubts) == 1
        served.stop()

    def test_reminder_is_sent_by_the_service_once(self, place: Path, hook: Hook) -> None:
        served = serving(place, "--webhook", "--remind", "2d")
        wait(lambda: len(hook.told) >= 2, served.log)
        time.sleep(QUIET)
        served.stop()
        assert turns(hook.told) == {"athens": 1, "syracuse": 1}
        with served.desk() as desk, desk.ledger.metadata() as metadata:
            for entry in metadata.of(delivery_log.TOLD, "harbour"):
                before = (datetime.now(UTC) - timedelta(days=2)).isoformat()
                metadata.put(entry._replace(value=json.dumps({**json.loads(entry.value), "required_at": before})))
        served.start()
        wait(lambda: len(hook.told) >= 4, served.log)
        time.sleep(QUIET)
        assert Counter(one.split(" in ")[0] for one in hook.told[2:]) == {
            "Reminder to athens": 1,
            "Reminder to syracuse": 1,
        }
        said = [one for one in map(json.loads, tuple(served.log)) if one["event"] == "notice"]
        assert [one["reminder"] for one in said] == [False, False, True, True]
        served.stop()

    def test_notice_and_log_contain_no_secret_or_hook_address(self, place: Path, hook: Hook) -> None:
        served = serving(place, "--webhook")
        red = served.program("first", "red")
        choice = {"order": "seal-choice", "question": "plan", "choice": "the left flank"}
        assert red.post("/games/first/orders", choice).status_code == 200
        assert red.post("/games/first/disputes", CLAIM).status_code == 200
        wait(lambda: any("dispute d1" in str(one) for one in hook.posted), served.log)
        served.stop()
        assert "left flank" not in json.dumps(hook.posted)
        assert "s3cr3t" not in "".join(served.log)
        said = [one for one in map(json.loads, served.log) if one["event"] == "notice"]
        assert {one["came"] for one in said} == {"told"}
        assert all(one["way"].startswith("webhook:") for one in said)


class TestMail:
    def test_mail_reaches_seats_with_address_and_logs_others(self, place: Path, post: Post) -> None:
        served = serving(place, "--mail", "--address", "red=rita@club.example")
        wait(lambda: post.mail, served.log)
        assert served.program("first", "blue").post("/games/first/disputes", CLAIM).status_code == 200
        wait(lambda: len(post.mail) >= 2, served.log)
        time.sleep(QUIET)
        assert sorted(to for _, to, _ in post.mail) == ["anna@club.example", "rita@club.example"]
        served.stop()
        served.options += ("--address", "harbour/syracuse=bert@club.example")
        served.start()
        wait(lambda: len(post.mail) >= 3, served.log)
        assert post.mail[-1][1] == "bert@club.example", "whose address is new is told what was left"
        missing = [one for one in map(json.loads, tuple(served.log)) if one.get("came") == "no address"]
        assert {one["seat"] for one in missing} == {"syracuse", "referee"}
        assert len(missing) == 3, "each is named once by a process"
        served.stop()

    @pytest.mark.parametrize(
        ("options", "says"),
        [
            (("--mail", "a.mbox"), "no seat has an e-mail address"),
            (("--address", "athens=anna@club.example"), "need --mail"),
            (("--remind", "3d"), "needs a channel"),
            (("--mail", "a.mbox", "--address", "athens=a@club.example", "--remind", "0d"), "reminder cannot be sent"),
        ],
    )
    def test_notices_that_could_never_be_sent_are_refused(
        self, place: Path, options: tuple[str, ...], says: str
    ) -> None:
        with pytest.raises(AssertionError, match=says):
            Served(place, *options)

    def test_unusable_settings_are_refused_before_serving(self, place: Path) -> None:
        with pytest.raises(AssertionError, match="no SMTP server is configured"):
            Served(place, "--mail")


class TestDueNotices:
    NOW, LATER, BEFORE = "2026-01-01T12:00:00", "2026-01-01T12:00:30", "2026-01-01T11:59:30"

    @pytest.mark.parametrize(
        ("stands", "due"),
        [
            (ChannelState(number=6), True),
            (ChannelState(number=7), False),
            (ChannelState(number=6, by="you", until=LATER), False),
            (ChannelState(number=6, by="you", until=BEFORE), True),
            (ChannelState(number=6, by="you", until=NOW), True),
            (ChannelState(number=6, by="me", until=LATER), True),
            (ChannelState(number=7, failures=1, again_at=BEFORE), True),
            (ChannelState(number=7, failures=1, again_at=NOW), True),
            (ChannelState(number=7, failures=1, again_at=LATER), False),
            (ChannelState(number=6, failures=1, again_at=LATER, stopped=True), False),
            (ChannelState(number=6, failures=1, again_at=LATER), True),
        ],
    )
    def test_notice_is_due_by_position_failure_and_claim(self, stands: ChannelState, due: bool) -> None:
        """Pause a failed channel for a while; a failed address does not delay the others."""
        assert stands.is_due(7, "me", self.NOW) is due

    def test_reminders_are_looked_for_several_times_in_their_time(self) -> None:
        seconds = [pause_between(timedelta(minutes=minutes)) for minutes in (1, 60, 5 * 24 * 60)]
        assert seconds == [60, 450, 3600]
