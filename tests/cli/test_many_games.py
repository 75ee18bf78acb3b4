"""Manage forty games: back up the ledger during writes, export and import logs, and measure waiting times."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import ROOT, Terminal
from tests.face.desk import log_name, log_names
from tests.naming import Naming

FIXTURES = ROOT / "fixtures"
HARBOUR = FIXTURES / "war-galley" / "replays" / "great-harbour.jsonl"
GALAXY = FIXTURES / "twilight-imperium-3" / "replays" / "full-round.jsonl"


@pytest.fixture
def club(terminal: Terminal) -> Terminal:
    """Return a ledger with a galley battle and a skirmish."""
    terminal.ok("import", str(HARBOUR))
    terminal.new("ford")
    return terminal


class TestBackup:
    def test_backup_is_a_complete_ledger_in_a_single_file(self, club: Terminal) -> None:
        club.ok("rename", "ford", "Summer league")
        done = club.ok("backup", "copy.db", "--json").json
        assert (done["games"], done["broken"]) == (2, {})
        assert not list(club.folder.glob("copy.db-*"))
        there, here = (club.ok("games", "--ledger", db, "--json").json for db in ("copy.db", "umpire.db"))
        assert there == here
        assert club.ok("verify", "great-harbour", "--ledger", "copy.db").out == club.ok("verify", "great-harbour").out
        club.ok("order", "ford", json.dumps({"order": "note", "text": "in the copy"}), "--ledger", "copy.db")

    def test_while_others_write_it_is_one_moment_of_the_ledger(self, club: Terminal) -> None:
        """Make copies while two programs write; every copy is valid, and has each order completely or not at all."""
        stop = threading.Event()

        def write(game_id: str) -> None:
            with umpire.open(club.folder / "umpire.db") as desk:
                referee = desk.game(game_id).referee
                while not stop.is_set():
                    referee.order("note", text="x" * 2000)

        club.new("other")
        writers = [threading.Thread(target=write, args=(game,)) for game in ("ford", "other")]
        for writer in writers:
            writer.start()
        try:
            sizes = [club.ok("backup", f"copy-{at}.db", "--json").json["records"] for at in range(5)]
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        assert sizes == sorted(sizes)
        assert sizes[0] < sizes[-1]
        for at in range(5):
            assert club.ok("verify", "ford", "--ledger", f"copy-{at}.db").code == 0

    def test_backup_overwrites_no_file(self, club: Terminal) -> None:
        club.write("mine.db", "mine")
        for name in ("mine.db", "umpire.db"):
            refused = club.type("backup", name, "--json")
            assert refused.code == 2
            assert "already exists" in refused.error["what"]
        assert (club.folder / "mine.db").read_text() == "mine"

    def test_backup_with_a_too_long_name_is_an_error(self, club: Terminal) -> None:
        refused = club.type("backup", "x" * 300, "--json")
        assert refused.code == 7
        assert "check the folder" in refused.error["remedy"]

    def test_backup_into_a_missing_folder_is_an_error(self, club: Terminal) -> None:
        refused = club.type("backup", "nowhere/copy.db", "--json")
        assert refused.code == 7
        assert "create the folder" in refused.error["remedy"]

    def test_backup_of_a_missing_ledger_makes_no_file(self, terminal: Terminal) -> None:
        assert terminal.type("backup", "copy.db").code == 7
        assert not (terminal.folder / "copy.db").exists()

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="Windows kills otherwise")
    def test_killed_backup_leaves_no_copy(self, club: Terminal) -> None:
        """Kill a backup before its check: its file is absent, and the next backup succeeds."""
        code = (
            "import sys, time\n"
            "from pathlib import Path\n"
            "from umpire_ledger.desk.core.open_ledger import open_ledger\n"
            "def check(file):\n"
            "    print(file.stat().st_size, flush=True)\n"
            "    time.sleep(60)\n"
            "open_ledger('umpire.db', read_only=True).back_up(Path('copy.db'), check)\n"
        )
        with subprocess.Popen(
            [sys.executable, "-c", code], cwd=club.folder, env=club.environment, stdout=subprocess.PIPE
        ) as running:
            assert running.stdout is not None
            assert int(running.stdout.readline()) > 0
            running.kill()
        assert not (club.folder / "copy.db").exists()
        (left,) = club.folder.glob(".copy.db*.part")
        assert left.stat().st_size > 0
        assert club.ok("backup", "copy.db").code == 0

    def test_backup_of_damaged_pages_makes_no_copy(self, club: Terminal) -> None:
        file = club.folder / "umpire.db"
        with closing(sqlite3.connect(file)) as ledger:
            ledger.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            pages = ledger.execute("PRAGMA page_count").fetchone()[0]
        with file.open("r+b") as raw:
            raw.seek(4096 * (pages // 2))
            raw.write(os.urandom(4096 * 4))
        refused = club.type("backup", "copy.db", "--json")
        assert refused.code == 7
        assert "not kept" in refused.error["what"]
        assert not (club.folder / "copy.db").exists()
        assert not list(club.folder.glob(".copy.db*"))

    def test_backup_copies_and_names_a_game_that_does_not_verify(self, club: Terminal) -> None:
        with closing(sqlite3.connect(club.folder / "umpire.db")) as ledger:
            trigger = ledger.execute("SELECT sql FROM sqlite_master WHERE name = 'record_stays'").fetchone()[0]
            ledger.execute("DROP TRIGGER record_stays")
            ledger.execute("UPDATE record SET line = replace(line, 'Skirmish', 'Massacre') WHERE game = 2")
            ledger.execute(trigger)
            ledger.commit()
        done = club.type("backup", "copy.db", "--json")
        assert done.code == 5
        assert list(done.json["broken"]) == ["ford"]
        assert club.ok("verify", "great-harbour", "--ledger", "copy.db").code == 0


class TestAllLogs:
    def test_out_of_one_ledger_and_into_another(self, club: Terminal) -> None:
        club.ok("archive", "ford")
        out = club.ok("export", "--all", "logs", "--json").json
        assert [(one["game"], one["verdict"], one["code"]) for one in out] == [
            ("great-harbour", "VALID", 0),
            ("ford", "VALID", 0),
        ]
        taken = club.ok("import", "logs", "--ledger", "second.db", "--json").json
        assert {one["game"]: one["new"] for one in taken} == {one["game"]: one["size"] for one in out}
        for game in ("great-harbour", "ford"):
            assert club.ok("verify", game, "--ledger", "second.db").out == club.ok("verify", game).out

    def test_second_import_adds_only_new_records(self, club: Terminal) -> None:
        club.ok("export", "--all", "logs")
        club.ok("import", "logs", "--ledger", "second.db")
        assert {one["new"] for one in club.ok("import", "logs", "--ledger", "second.db", "--json").json} == {0}
        club.ok("order", "ford", json.dumps({"order": "note", "text": "one more"}))
        club.ok("export", "--all", "logs")
        taken = club.ok("import", "logs", "--ledger", "second.db", "--json").json
        assert {one["game"]: one["new"] for one in taken} == {"ford": 1, "great-harbour": 0}

    def test_bad_log_sets_the_exit_code_and_others_are_imported(self, club: Terminal) -> None:
        """Import a cut log, a changed one, a file without a log, one of another history, and a good log."""
        logs = club.folder / "logs"
        club.ok("export", "--all", "logs")
        raw = HARBOUR.read_bytes()
        (logs / "a-cut.jsonl").write_bytes(raw[: len(raw) // 2])
        (logs / "b-changed.jsonl").write_bytes(raw.replace(b"catches fire", b"catches cold").replace(b"3", b"4", 9))
        (logs / "c-none.jsonl").write_bytes(b"not a log\n")
        club.new("ford", "--ledger", "second.db")
        answer = club.type("import", "logs", "--ledger", "second.db", "--json")
        assert answer.code == 5
        found = {Path(one["file"]).name: one for one in answer.json}
        assert found["a-cut.jsonl"]["verdict"] == "INCOMPLETE"
        assert found["b-changed.jsonl"]["verdict"] == "INVALID"
        assert "not a replay log" in found["c-none.jsonl"]["trouble"]
        assert found["ford.jsonl"]["trouble"] == Naming("ford", 3)
        assert all(one["remedy"] for one in answer.json if one["code"])
        assert found["great-harbour.jsonl"]["new"] == 611
        assert club.ok("verify", "great-harbour", "--ledger", "second.db").code == 0
        text = club.type("import", "logs", "--ledger", "second.db")
        assert "5 logs, 4 with errors" in text.out

    def test_bad_logs_alone_leave_no_empty_ledger(self, terminal: Terminal) -> None:
        (terminal.folder / "logs").mkdir()
        terminal.write("logs/none.jsonl", "not a log\n")
        assert terminal.type("import", "logs").code == 5
        assert not (terminal.folder / "umpire.db").exists()

    def test_folder_without_logs_is_refused(self, terminal: Terminal) -> None:
        (terminal.folder / "logs").mkdir()
        refused = terminal.type("import", "logs", "--json")
        assert refused.code == 2
        assert "no log" in refused.error["what"]

    def test_game_without_the_seat_is_named_and_others_are_exported(self, club: Terminal) -> None:
        answer = club.type("export", "--all", "logs", "--as", "athens", "--json")
        assert answer.code == 3
        found = {one["game"]: one for one in answer.json}
        assert found["great-harbour"]["verdict"].startswith("VALID")
        assert "no seat athens" in found["ford"]["trouble"]

    def test_export_requires_either_a_game_or_all(self, club: Terminal) -> None:
        assert club.type("export", "ford", "--all", "logs").code == 2
        assert club.type("export").code == 2
        assert club.type("export", "ford").code == 2

    def test_export_folder_that_cannot_be_made_is_an_error(self, club: Terminal) -> None:
        club.write("logs", "in the way")
        assert club.type("export", "--all", "logs").code == 2


class TestNamesOfLogs:
    @pytest.mark.parametrize(
        ("game", "name"),
        [
            ("harbour", "harbour.jsonl"),
            ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd.jsonl"),
            (".hidden", "%2Ehidden.jsonl"),
            ("a:b*c", "a%3Ab%2Ac.jsonl"),
            ("con", "%63on.jsonl"),
            ("schön", "sch%C3%B6n.jsonl"),
        ],
    )
    def test_id_becomes_a_valid_file_name(self, game: str, name: str) -> None:
        assert log_name(game) == name

    def test_long_ids_and_ids_that_differ_in_case_stay_apart(self) -> None:
        games = ["x" * 200, "x" * 199, "Ford", "ford", "FORD"]
        names = log_names(games)
        assert len({name.lower() for name in names.values()}) == len(games)
        assert max(map(len, names.values())) < 200


class TestTimes:
    def test_sides_are_charged_while_they_must_act(self, terminal: Terminal) -> None:
        """Require the wind of two seats at 19:00, then enter the orders of each late, with their times."""
        galley = FIXTURES / "war-galley"
        scenario = str(galley / "scenarios" / "great-harbour.toml")
        terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", scenario)
        before = terminal.ok("times", "harbour", "--json").json
        assert before["seconds"] == 0
        assert {one["side"]: one["waits"] for one in before["sides"]} == {"athens": 1, "syracuse": 1}

    def test_sums_of_times_match_the_records(self, terminal: Terminal) -> None:
        """Check that each second of a round is charged to at least one side."""
        terminal.ok("import", str(GALAXY))
        found = terminal.ok("times", "full-round", "--json").json
        assert found["seconds"] == 4380
        assert found["nobody"] == 0
        for side in found["sides"]:
            assert 0 < side["alone"] <= side["waited"] <= found["seconds"]
            assert side["longest"] <= side["waited"]
        assert sum(side["alone"] for side in found["sides"]) <= found["seconds"]
        assert sum(side["waited"] for side in found["sides"]) >= found["seconds"]
        assert [side["side"] for side in found["sides"] if side["since"]] == ["letnev"]

    def test_gap_longer_than_a_pause_is_not_charged(self, terminal: Terminal) -> None:
        """Charge no time with pauses of ten seconds, because the records are half a minute apart."""
        terminal.ok("import", str(GALAXY))
        found = terminal.ok("times", "full-round", "--pause", "1m", "--json").json
        assert (found["pauses"], found["paused"]) == (0, 0)
        with umpire.open(terminal.folder / "umpire.db") as desk:
            short = desk.game("full-round").times(pause="0m")
        assert short.paused == short.seconds == 4380
        assert {side.waited for side in short.sides} == {0}

    def test_late_entry_counts_at_the_time_of_the_event(self, terminal: Terminal) -> None:
        """Charge the hours of an evening of last week that is recorded today, not the minutes of today."""
        galley = FIXTURES / "war-galley"
        log = terminal.folder / "harbour.jsonl"
        log.write_bytes((galley / "replays" / "great-harbour.jsonl").read_bytes())
        terminal.ok("import", str(log))
        before = terminal.ok("times", "great-harbour", "--json").json
        late = {"order": "roll-wind", "pips": [3, 4], "happened_at": "2026-01-01T22:13:30+01:00"}
        terminal.ok("order", "great-harbour", json.dumps(late), "--as", "athens")
        after = terminal.ok("times", "great-harbour", "--json").json
        assert after["last"] == "2026-01-01T21:13:30+00:00"
        assert after["seconds"] - before["seconds"] == 3600
        athens = [next(one for one in found["sides"] if one["side"] == "athens") for found in (before, after)]
        assert athens[1]["waited"] - athens[0]["waited"] == 3600

    def test_time_never_runs_backwards(self, terminal: Terminal) -> None:
        """Charge no side for an order of last year that is entered after one of this year."""
        terminal.ok("import", str(HARBOUR))
        before = terminal.ok("times", "great-harbour", "--json").json
        late = {"order": "roll-wind", "pips": [3, 4], "happened_at": "2025-01-01T22:00:00Z"}
        terminal.ok("order", "great-harbour", json.dumps(late), "--as", "athens")
        after = terminal.ok("times", "great-harbour", "--json").json
        assert after["seconds"] == before["seconds"]

    def test_as_a_table_csv_and_markdown(self, terminal: Terminal) -> None:
        terminal.ok("import", str(GALAXY))
        assert "28 min" in terminal.ok("times", "full-round").out
        assert terminal.ok("times", "full-round", "--csv").out.startswith("side,name,seats,waited")
        assert terminal.ok("times", "full-round", "--markdown").out.startswith("| side |")
        assert terminal.type("times", "full-round", "--pause", "soon").code == 2
        assert terminal.type("times", "nowhere").code == 6
