"""Open, verify, rebuild and export the files of every earlier edition, to the same bytes.

`fixtures/formats/` has one folder for each past layout of a ledger; `old_files.py` made them.
"""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.attacks.old_files import LEDGER, STATED
from tests.face.ledger import FORMAT, STORE_FORMAT
from tests.face.testing import FIXTURES

EDITIONS = sorted(ledger.parent for ledger in FIXTURES.glob("formats/*/club.ledger"))
LOGS = [file for folder in EDITIONS for file in sorted(folder.glob("*.jsonl"))]
WHOLE = "whole"
FUTURE = 99
UNIT = ("id", "side", "kind", "at", "attributes")


def name(path: Path) -> str:
    return path.name if path.is_dir() else f"{path.parent.name}/{path.name}"


def said(folder: Path) -> Any:
    return json.loads((folder / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture(params=EDITIONS, ids=name)
def edition(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a copy of one edition's files in a separate folder."""
    shutil.copytree(request.param, tmp_path / "old")
    return tmp_path / "old"


@pytest.fixture
def desk(edition: Path) -> umpire.Desk:
    return umpire.open(edition / LEDGER)


class TestOldLedger:
    def test_opens_and_verifies_as_it_was(self, edition: Path, desk: umpire.Desk) -> None:
        with desk:
            games = said(edition)["games"]
            assert [entry.game for entry in desk.games()] == list(games)
            for game, expected in games.items():
                verdict = desk.game(game).verify().verdict
                assert (verdict.verdict, verdict.size, verdict.root) == (
                    expected["verdict"],
                    expected["size"],
                    expected["root"],
                )

    @pytest.mark.parametrize("views", ["as they were left", "taken away"])
    def test_says_the_same_to_every_seat(self, edition: Path, desk: umpire.Desk, views: str) -> None:
        if views == "taken away":
            for file in edition.glob("club.views*"):
                file.unlink()
        with desk:
            for game, expected in at_least_one(said(edition)["games"].items()):
                assert {seat: known(desk.game(game).seat(seat)) for seat in expected["seats"]} == expected["seats"]

    def test_its_snapshots_are_a_help_and_never_the_truth(self, edition: Path, desk: umpire.Desk) -> None:
        with desk:
            harbour = desk.game("harbour")
            at = [49, 50, 51, 99, 100, 101, harbour.size]
            with_snapshots = [desk.ledger.state("harbour", position) for position in at]
            desk.ledger.drop_snapshots()
            assert [desk.ledger.state("harbour", position) for position in at] == with_snapshots

    def test_exports_to_the_same_bytes(self, edition: Path, desk: umpire.Desk, tmp_path: Path) -> None:
        with desk:
            for file in at_least_one(edition.glob("*.jsonl")):
                game, seat, _ = file.name.split(".")
                whole = seat == WHOLE
                desk.game(game).export(tmp_path / file.name, seat="referee" if whole else seat, whole=whole)
                assert (tmp_path / file.name).read_bytes() == file.read_bytes()

    def test_is_played_on_and_gone_back_in(self, edition: Path, desk: umpire.Desk) -> None:
        with desk:
            before = {game: desk.game(game).checkpoint() for game in said(edition)["games"]}
            desk.game("ford").seat("blue").order("move", unit="blue-guard", path=["mill"])
            desk.game("ford").referee.rewind(13, why="to the beginning")
            desk.game("duel").referee.undo(why="the dice are shown too early")
            desk.game("harbour").referee.order("note", text="taken up again")
            for game, checkpoint in at_least_one(before.items()):
                assert desk.game(game).size > checkpoint.size
                assert desk.game(game).verify(checkpoint).valid

    def test_is_copied_and_looked_at_without_a_change_of_a_byte(self, edition: Path) -> None:
        before = (edition / LEDGER).read_bytes()
        with umpire.open(edition / LEDGER, read_only=True) as desk:
            assert desk.game("ford").seat("blue").audit()
            assert desk.game("harbour").referee.undo_points()
            assert desk.rebuild().keys() == said(edition)["games"].keys()
        assert (edition / LEDGER).read_bytes() == before


class TestOldLog:
    @pytest.mark.parametrize("log", LOGS, ids=name)
    def test_verifies_as_it_was(self, log: Path) -> None:
        expected = said(log.parent)["exports"][log.name]
        checked = umpire.verify(log)
        verdict = checked.verdict
        assert (verdict.game, verdict.verdict, verdict.size, verdict.root, checked.dice) == (
            expected["game"],
            expected["verdict"],
            expected["size"],
            expected["root"],
            expected["dice_thrown_again"],
        )
        assert checked.findings == ()

    @pytest.mark.parametrize("log", LOGS, ids=name)
    def test_is_taken_in_and_given_out_again_to_the_same_bytes(self, log: Path, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "second.ledger") as desk:
            desk.import_log(log).export(tmp_path / "again.jsonl", seat="referee", whole=True)
        assert (tmp_path / "again.jsonl").read_bytes() == log.read_bytes()

    def test_whole_log_imports_to_the_same_knowledge(self, edition: Path, tmp_path: Path) -> None:
        expected = said(edition)["games"]["ford"]["seats"]
        with umpire.open(tmp_path / "second.ledger") as desk:
            ford = desk.import_log(edition / f"ford.{WHOLE}.jsonl")
            assert {seat: known(ford.seat(seat)) for seat in expected} == expected


class TestFutureFormat:
    def test_ledger_of_later_format_is_refused(self, edition: Path) -> None:
        with closing(sqlite3.connect(edition / LEDGER)) as store:
            store.execute(f"PRAGMA user_version = {FUTURE}")
        before = (edition / LEDGER).read_bytes()
        for read_only in (True, False):
            with umpire.open(edition / LEDGER, read_only=read_only) as desk:
                with pytest.raises(umpire.StoreUnavailable, match=rf"format {FUTURE}\b.*newer Umpire") as refusal:
                    desk.games()
                assert (umpire.problem_of(refusal.value).code, refusal.value.remedy) == (7, "update Umpire")
        assert (edition / LEDGER).read_bytes() == before

    def test_log_of_later_format_is_refused(self, edition: Path, tmp_path: Path) -> None:
        log = edition / f"ford.{WHOLE}.jsonl"
        log.write_bytes(log.read_bytes().replace(b'"format":1,', b'"format":%d,' % FUTURE, 1))
        verdict = umpire.verify(log).verdict
        assert (verdict.verdict, verdict.first_bad) == ("INVALID", 0)
        assert f"format {FUTURE} was written by a newer Umpire" in verdict.reason
        refused = pytest.raises(umpire.BrokenLedger, match=rf"format {FUTURE}\b.*newer Umpire")
        with umpire.open(tmp_path / "second.ledger") as desk, refused:
            desk.import_log(log)
        assert not (tmp_path / "second.ledger").exists(), "a refused log leaves no empty ledger behind"

    def test_formats_of_this_edition_have_fixtures(self) -> None:
        """Require fixtures of the old and the new number when a format number rises."""
        stores = set()
        for folder in EDITIONS:
            with closing(sqlite3.connect(f"file:{folder / LEDGER}?mode=ro&immutable=1", uri=True)) as store:
                stores.add(store.execute("PRAGMA user_version").fetchone()[0])
        logs = {json.loads(log.read_bytes().partition(b"\n")[0])["format"] for log in LOGS}
        assert stores == set(range(1, STORE_FORMAT + 1))
        assert logs == set(range(1, FORMAT + 1))


def known(seat: umpire.Seat) -> Any:
    """Return the facts about a seat that `expected.json` has: from `status --json` and `units --json`."""
    status = msgspec.to_builtins(seat.status)
    units = [{key: getattr(unit, key) for key in UNIT} for unit in seat.units()]
    said = {"status": {key: status[key] for key in STATED}, "units": units}
    return json.loads(msgspec.json.encode(said))
