"""Check the list of games with their waits, and the commands that rename and archive games."""

import csv
import io
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.shell_completion import ShellComplete

import umpire_ledger as umpire
from tests.cli.terminal import ROOT, Terminal
from tests.face.cli import umpire as umpire_command
from tests.face.projections import views_path

REPLAYS = ROOT / "fixtures"


@pytest.fixture
def club(terminal: Terminal) -> Terminal:
    """Return a ledger with a galley battle of last January, a skirmish of today and a galaxy."""
    terminal.ok("import", str(REPLAYS / "war-galley" / "replays" / "great-harbour.jsonl"))
    terminal.new("ford")
    terminal.ok("import", str(REPLAYS / "twilight-imperium-3" / "replays" / "full-round.jsonl"))
    return terminal


def ids(terminal: Terminal, *words: str) -> list[str]:
    return [one["game"] for one in terminal.ok("games", *words, "--json").json]


def entry(terminal: Terminal, game_id: str, *words: str) -> dict[str, Any]:
    (found,) = [one for one in terminal.ok("games", *words, "--json").json if one["game"] == game_id]
    return dict(found)


class TestWhatItSays:
    def test_list_shows_turn_waiting_sides_and_since_when(self, club: Terminal) -> None:
        """Name the side whose segment is open, and the order before it."""
        found = entry(club, "full-round")
        status = club.ok("status", "full-round", "--json").json
        assert found["title"] == "twilight-imperium-3"
        assert found["turn"] == status["turn"]
        assert found["waiting"] == status["waiting"]
        (wait,) = found["waits"]
        began = club.ok("audit", "full-round", "--from", str(wait["position"]), "--json").json[0]
        assert found["since"] == wait["since"] == began["at"]
        assert wait["side"] == "letnev"
        then = club.ok("status", "full-round", "--at", str(wait["position"]), "--json").json
        assert then["waiting"] == ["letnev"]

    def test_wait_is_not_restarted_by_an_order_in_the_same_step(self, terminal: Terminal) -> None:
        """Count the wait of Athens from the start of the step, not from its roll in it."""
        harbour = ROOT / "fixtures" / "war-galley"
        scenario = str(harbour / "scenarios" / "great-harbour.toml")
        terminal.ok("new", "war-galley", "--id", "harbour", "--scenario", scenario)
        before = {one["side"]: one for one in entry(terminal, "harbour")["waits"]}
        terminal.ok("order", "harbour", "roll-wind", "--pips", "3,4", "--as", "athens")
        after = {one["side"]: one for one in entry(terminal, "harbour")["waits"]}
        assert before["athens"] == after["athens"]

    def test_disputes_that_are_open_and_none_that_was_settled(self, club: Terminal) -> None:
        club.ok("dispute", "open", "great-harbour", "#300", "--claim", "out of range", "--as", "athens")
        club.ok("dispute", "open", "great-harbour", "#301", "--claim", "so was this", "--as", "athens")
        club.ok("dispute", "settle", "great-harbour", "d1", "--ruling", "it was not", "--why", "measured")
        assert entry(club, "great-harbour")["disputes"] == ["d2"]
        assert ids(club, "--disputed") == ["great-harbour"]

    def test_list_is_the_same_without_read_models(self, club: Terminal) -> None:
        """Delete the read models and compare the list after it is rebuilt from the records."""
        club.ok("dispute", "open", "great-harbour", "#300", "--claim", "out of range", "--as", "athens")
        club.ok("undo-points", "full-round")
        with_them = club.ok("games", "--json").json
        Path(views_path(club.folder / "umpire.db")).unlink()
        assert club.ok("games", "--json").json == with_them
        assert not Path(views_path(club.folder / "umpire.db")).exists()

    def test_list_from_read_models_does_not_open_the_ledger(self, club: Terminal) -> None:
        code = (
            "import sys, umpire_ledger as umpire\n"
            "with umpire.open('umpire.db', read_only=True) as desk:\n"
            "    found = desk.games()\n"
            "    print(len(found), desk._ledger)\n"
        )
        assert club.run(code).split() == ["3", "None"]

    def test_bad_game_does_not_hide_the_others(self, club: Terminal) -> None:
        """List a game with an overwritten record with its fault, and the other games unchanged."""
        with closing(sqlite3.connect(club.folder / "umpire.db")) as ledger:
            ledger.execute("DROP TRIGGER record_stays")
            ledger.execute("UPDATE record SET line = 'no record' WHERE game = 2 AND position = 2")
            ledger.commit()
        Path(views_path(club.folder / "umpire.db")).unlink()
        found = {one["game"]: one for one in club.ok("games", "--json").json}
        assert "broken" in found["ford"]["trouble"]
        assert found["great-harbour"]["trouble"] == ""
        assert found["great-harbour"]["waiting"] == ["athens", "syracuse"]

    def test_list_is_printed_as_table_csv_and_markdown(self, club: Terminal) -> None:
        text = club.ok("games").out
        assert "waits for" in text
        assert "2026-01-01 20:13" in text
        rows = list(csv.DictReader(io.StringIO(club.ok("games", "--csv").out)))
        assert [row["game"] for row in rows] == ["great-harbour", "ford", "full-round"]
        assert rows[0]["title"] == "war-galley"
        assert club.ok("games", "--markdown").out.startswith("| game | display_name |")


class TestWhichOnes:
    def test_those_that_wait_for_a_side_or_for_its_seat(self, club: Terminal) -> None:
        assert ids(club, "--waiting", "letnev") == ["full-round"]
        assert ids(club, "--waiting", "sol") == []
        club.ok("order", "full-round", "take-seat", "anna", "letnev")
        assert ids(club, "--waiting", "anna") == ["full-round"]

    def test_list_can_be_limited_to_idle_games(self, club: Terminal) -> None:
        """List the battle of January as idle for three days, and not the skirmish of today."""
        assert "great-harbour" in ids(club, "--idle", "3d")
        assert "ford" not in ids(club, "--idle", "3d")
        assert "ford" in ids(club, "--idle", "0m")

    def test_list_can_be_limited_to_a_title_and_to_running_games(self, club: Terminal) -> None:
        assert ids(club, "--title", "freeform") == ["ford"]
        club.ok("order", "ford", json.dumps({"order": "end", "reason": "dark"}))
        assert ids(club, "--ended") == ["ford"]
        assert "ford" not in ids(club, "--running")
        assert ids(club, "--idle", "0m", "--title", "freeform") == []

    @pytest.mark.parametrize(
        ("words", "near"),
        [
            (("--waiting", "athenz"), "athens"),
            (("--title", "war-gally"), "war-galley"),
            (("--sort", "waitng"), "waiting"),
        ],
    )
    def test_unknown_name_in_a_filter_suggests_the_nearest(
        self, club: Terminal, words: tuple[str, str], near: str
    ) -> None:
        refused = club.type("games", *words, "--json")
        assert refused.code == 6
        assert near in refused.error["remedy"]

    @pytest.mark.parametrize("time", ["3", "d3", "3 days", "-1d", "٣d"])
    def test_invalid_length_of_time_is_refused_with_an_example(self, club: Terminal, time: str) -> None:
        refused = club.type("games", "--idle", time, "--json")
        assert refused.code == 2
        assert "3d" in refused.error["remedy"]

    def test_list_is_sorted_by_id_or_by_longest_wait(self, club: Terminal) -> None:
        assert ids(club) == ["great-harbour", "ford", "full-round"]
        assert ids(club, "--sort", "game") == ["ford", "full-round", "great-harbour"]
        assert ids(club, "--sort", "game", "--reverse") == ["great-harbour", "full-round", "ford"]
        longest = [one for one in club.ok("games", "--sort", "waiting", "--json").json if one["since"]]
        assert [one["since"] for one in longest] == sorted(one["since"] for one in longest)


class TestRename:
    def test_rename_keeps_the_id_and_all_records(self, club: Terminal) -> None:
        before = club.ok("verify", "ford", "--json").json
        club.ok("rename", "ford", "Summer league, round 2")
        assert entry(club, "ford")["display_name"] == "Summer league, round 2"
        assert entry(club, "ford")["name"] == "Skirmish at the ford"
        assert club.ok("verify", "ford", "--json").json == before
        assert "Summer league, round 2" in club.ok("status", "ford").out
        status = club.ok("status", "ford", "--json").json
        assert (status["name"], status["display_name"]) == ("Skirmish at the ford", "Summer league, round 2")

    def test_name_survives_a_rebuild_and_is_not_exported(self, club: Terminal) -> None:
        club.ok("export", "ford", "-o", "before.jsonl")
        club.ok("rename", "ford", "Summer league")
        club.ok("rebuild")
        assert entry(club, "ford")["display_name"] == "Summer league"
        club.ok("export", "ford", "-o", "after.jsonl")
        assert (club.folder / "before.jsonl").read_bytes() == (club.folder / "after.jsonl").read_bytes()

    def test_cleared_it_is_the_scenarios_name_again(self, club: Terminal) -> None:
        club.ok("rename", "ford", "Summer league")
        assert club.ok("rename", "ford", "--clear", "--json").json["display_name"] == "Skirmish at the ford"
        assert entry(club, "ford")["display_name"] == "Skirmish at the ford"

    def test_empty_name_long_name_and_unknown_game_are_refused(self, club: Terminal) -> None:
        assert club.type("rename", "ford", "  ").code == 2
        assert club.type("rename", "ford").code == 2
        long = club.type("rename", "ford", "x" * 121, "--json")
        assert long.code == 2
        assert "120" in long.error["rule"]
        assert club.type("rename", "frod", "Summer").code == 6

    def test_doctor_finds_nothing_wrong_with_the_notes(self, club: Terminal) -> None:
        club.ok("rename", "ford", "Summer league")
        found = club.ok("doctor", "--json").json
        assert {one["state"] for one in found if one["check"] in ("tables", "guards", "rows")} == {"ok"}


class TestArchive:
    def test_archive_writes_a_valid_log_and_unlists_the_game(self, club: Terminal) -> None:
        done = club.ok("archive", "ford", "--json").json
        assert ids(club) == ["great-harbour", "full-round"]
        assert ids(club, "--archived") == ["ford"]
        assert ids(club, "--all") == ["great-harbour", "ford", "full-round"]
        assert done["file"].endswith("umpire.archive/ford.jsonl")
        checked = club.ok("verify", done["file"], "--json").json
        assert (checked["verdict"], checked["size"], checked["root"]) == ("VALID", done["size"], done["root"])

    def test_archive_deletes_no_records(self, club: Terminal) -> None:
        before = club.ok("verify", "ford", "--json").json
        club.ok("archive", "ford")
        assert club.ok("verify", "ford", "--json").json == before
        club.ok("order", "ford", json.dumps({"order": "note", "text": "still here"}))

    def test_archived_game_stays_unlisted_until_unarchived(self, club: Terminal) -> None:
        club.ok("archive", "ford")
        club.ok("rebuild")
        assert "ford" not in ids(club)
        club.ok("unarchive", "ford")
        assert "ford" in ids(club)

    def test_second_archive_after_more_play_gets_another_file(self, club: Terminal) -> None:
        first = club.ok("archive", "ford", "--json").json
        club.ok("unarchive", "ford")
        club.ok("order", "ford", json.dumps({"order": "note", "text": "one more"}))
        second = club.ok("archive", "ford", "--json").json
        assert second["size"] == first["size"] + 1
        assert second["file"] != first["file"]
        assert club.ok("verify", first["file"]).code == 0

    def test_twice_is_refused_and_so_is_a_file_that_is_there(self, club: Terminal) -> None:
        club.write("mine.jsonl", "mine")
        refused = club.type("archive", "ford", "-o", "mine.jsonl", "--json")
        assert refused.code == 2
        assert "mine.jsonl" in refused.error["what"]
        assert (club.folder / "mine.jsonl").read_text() == "mine"
        assert "ford" in ids(club)
        club.ok("archive", "ford")
        again = club.type("archive", "ford", "--json")
        assert again.code == 2
        assert "umpire unarchive ford" in again.error["remedy"]
        assert club.type("unarchive", "great-harbour").code == 2

    def test_game_that_does_not_verify_is_not_archived(self, club: Terminal) -> None:
        with closing(sqlite3.connect(club.folder / "umpire.db")) as ledger:
            ledger.execute("DROP TRIGGER record_stays")
            ledger.execute("UPDATE record SET line = replace(line, 'Skirmish', 'Massacre') WHERE game = 2")
            ledger.commit()
        refused = club.type("archive", "ford", "--json")
        assert refused.code == 5
        assert "ford" in ids(club)
        assert list((club.folder / "umpire.archive").iterdir()) == []

    def test_in_a_game_closed_to_the_referee_it_leaves_a_record(self, terminal: Terminal) -> None:
        """Record the archiving, because the archive holds every secret."""
        terminal.new("ford", "--option", "secrets_closed_to_referee=true")
        terminal.ok("archive", "ford")
        last = terminal.ok("audit", "ford", "--json", "--as", "red").json[-1]
        assert "every secret" in last["text"]


def test_library_lists_and_renames_games(tmp_path: Path) -> None:
    """List the games of a ledger in memory, which has no folder for an archive."""
    with umpire.open(":memory:") as desk:
        desk.import_log(REPLAYS / "war-galley" / "replays" / "great-harbour.jsonl").rename("Cup final")
        (found,) = desk.games(title="war-galley")
        assert found.display_name == "Cup final"
        with pytest.raises(umpire.WrongUse, match="in memory"):
            desk.game("great-harbour").archive()
        done = desk.game("great-harbour").archive(tmp_path / "cup.jsonl")
        assert umpire.verify(done.file).valid
        assert desk.games() == []


class TestCompletion:
    @pytest.mark.parametrize(
        ("words", "found"),
        [
            (("games", "--waiting", "le"), ["letnev"]),
            (("games", "--title", "w"), ["war-galley"]),
            (("games", "--sort", "wa"), ["waiting"]),
            (("notices", "--seat", "sy"), ["syracuse"]),
            (("archive", "fu"), ["full-round"]),
        ],
    )
    def test_names_in_the_games_are_completed(
        self, club: Terminal, words: tuple[str, ...], found: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(club.folder)
        complete = ShellComplete(umpire_command, {}, "umpire", "_UMPIRE_COMPLETE")
        assert [one.value for one in complete.get_completions(list(words[:-1]), words[-1])] == found
