"""A game copied to another ledger rolls other dice than the original, in any order of their rolls."""

import json
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.cli.terminal import Terminal
from tests.desk.game import coded
from tests.face.desk import LOG, event_of
from tests.face.domain import (
    DiceMode,
    DiceOpened,
    DiceRolled,
    GameCopied,
    RuleViolation,
    awaited,
)
from tests.face.testing import FIXTURES, folder_of, titles
from tests.naming import Naming

FORD = FIXTURES / "freeform" / "scenarios" / "ford.toml"
FIRE: dict[str, Any] = {"as": "red", "order": "roll", "dice": "20d6", "purpose": "fire"}
SIDES = ("red", "blue")
MODES: tuple[DiceMode, ...] = ("ledger", "shared", "witnessed")

Copy = Callable[[umpire.Desk, Path], Path]


def backed_up(desk: umpire.Desk, folder: Path) -> Path:
    desk.backup(folder / "backup.db")
    return folder / "backup.db"


def file_copied(desk: umpire.Desk, folder: Path) -> Path:
    desk.close()
    shutil.copyfile(folder / "club.db", folder / "copied.db")
    return folder / "copied.db"


def imported(desk: umpire.Desk, folder: Path) -> Path:
    desk.game("ford").export(folder / "ford.jsonl", seat="referee", whole=True)
    with umpire.open(folder / "imported.db") as other:
        other.import_log(folder / "ford.jsonl")
    return folder / "imported.db"


def all_imported(desk: umpire.Desk, folder: Path) -> Path:
    assert [one.code for one in desk.export_all(folder / "logs", seat="referee", whole=True)] == [0]
    with umpire.open(folder / "second.db") as other:
        assert [one.code for one in other.import_folder(folder / "logs")] == [0]
    return folder / "second.db"


COPIES: dict[str, tuple[Copy, str]] = {
    "backup": (backed_up, "backup"),
    "file": (file_copied, "file"),
    "import": (imported, "import"),
    "import-all": (all_imported, "import"),
}
every_copy = pytest.mark.parametrize("way", COPIES)
every_mode = pytest.mark.parametrize("mode", MODES)


def opened(folder: Path, mode: DiceMode = "ledger") -> None:
    """Game `ford` in club.db, with one roll."""
    with umpire.open(folder / "club.db") as desk:
        fire(desk.new("freeform", FORD, id="ford", dice=mode), folder)


def copy_of(folder: Path, way: str) -> Path:
    with umpire.open(folder / "club.db") as desk:
        return COPIES[way][0](desk, folder)


def give_due(game: umpire.PlayedGame, folder: Path) -> None:
    """Give the dice shares that are due for each side, until none is due."""
    due = True
    while due:
        due = False
        for side in SIDES:
            if (order := game.seat(side).dice_due(folder / side)) is not None:
                game.seat(side).order(order)
                due = True


def fire(game: umpire.PlayedGame, folder: Path) -> tuple[int, ...]:
    """Fire as red; the sides give their dice shares before it, and after it if it waits for them."""
    give_due(game, folder)
    game.seat("red").order(FIRE)
    give_due(game, folder)
    return rolls(game)[-1].pips


def events(game: umpire.PlayedGame, kind: type[Any], after: int = 0) -> list[Any]:
    found = (event_of(record) for record in game.ledger.records(game.id, after + 1))
    return [event for event in found if isinstance(event, kind)]


def rolls(game: umpire.PlayedGame) -> list[DiceRolled]:
    return events(game, DiceRolled)


def fired_in(file: Path, folder: Path) -> tuple[int, ...]:
    with umpire.open(file) as desk:
        return fire(desk.game("ford"), folder)


def ended(game: umpire.PlayedGame) -> umpire.Checked:
    game.referee.order("end", reason="night")
    game.referee.order("open-dice")
    return game.verify()


@every_mode
@every_copy
class TestNoFreeLook:
    def test_copy_rolls_first(self, tmp_path: Path, way: str, mode: DiceMode) -> None:
        opened(tmp_path, mode)
        copy = copy_of(tmp_path, way)
        assert fired_in(copy, tmp_path) != fired_in(tmp_path / "club.db", tmp_path)

    def test_original_rolls_first(self, tmp_path: Path, way: str, mode: DiceMode) -> None:
        opened(tmp_path, mode)
        copy = copy_of(tmp_path, way)
        assert fired_in(tmp_path / "club.db", tmp_path) != fired_in(copy, tmp_path)

    def test_both_verify_after_open_dice(self, tmp_path: Path, way: str, mode: DiceMode) -> None:
        """Check one roll as unverifiable: the seed of the original is not revealed in the copy."""
        opened(tmp_path, mode)
        copy = copy_of(tmp_path, way)
        for file, dice, closed in ((copy, 1, 1), (tmp_path / "club.db", 2, 0)):
            with umpire.open(file) as desk:
                fire(desk.game("ford"), tmp_path)
                checked = ended(desk.game("ford"))
                assert (checked.verdict.verdict, checked.findings) == ("VALID", ())
                assert (checked.dice, checked.dice_closed) == (dice, closed)


@every_copy
class TestFirstRecord:
    def test_copying_is_public_and_comes_first(self, tmp_path: Path, way: str) -> None:
        opened(tmp_path)
        with umpire.open(copy_of(tmp_path, way)) as desk:
            game = desk.game("ford")
            size = game.size
            assert game.verify().valid
            game.seat("blue").note("we play on here")
            first = game.ledger.record("ford", size + 1)
            assert event_of(first) == GameCopied(of="ford", at=size, game="ford", how=COPIES[way][1])  # type: ignore[arg-type] # one of them
            assert first.visible_to is None
            fire(game, tmp_path)
            assert len(events(game, GameCopied)) == 1
            assert (game.copied, game.full_name) == (None, "ford")

    def test_log_alone_gives_the_same_states(self, tmp_path: Path, way: str) -> None:
        opened(tmp_path)
        with umpire.open(copy_of(tmp_path, way)) as desk:
            game = desk.game("ford")
            fire(game, tmp_path)
            game.referee.rewind(game.size - 4, why="x", dice="keep")
            fire(game, tmp_path)
            states = [game.ledger.state("ford", at) for at in range(game.size + 1)]
            game.ledger.drop_snapshots()
            assert [game.ledger.state("ford", at) for at in range(game.size + 1)] == states

    def test_seats_undo_their_orders_across_it(self, tmp_path: Path, way: str) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            desk.game("ford").seat("blue").order("pay", account="points/blue", amount=2)
        with umpire.open(copy_of(tmp_path, way)) as desk:
            game = desk.game("ford")
            game.seat("blue").undo()
            game.seat("blue").redo()
            game.seat("blue").undo()
            pips = fire(game, tmp_path)
            assert len(events(game, GameCopied)) == 1
        assert pips != fired_in(tmp_path / "club.db", tmp_path)

    def test_rewind_before_it_still_rolls_other_dice(self, tmp_path: Path, way: str) -> None:
        opened(tmp_path)
        copy = copy_of(tmp_path, way)
        found = []
        for file in (copy, tmp_path / "club.db"):
            with umpire.open(file) as desk:
                game = desk.game("ford")
                start = next(record.position for record in game.ledger.records("ford") if record.seat == "red") - 1
                game.referee.rewind(start, why="x")
                found.append(fire(game, tmp_path))
                assert ended(game).valid
        assert found[0] != found[1]

    def test_open_dice_and_secrets_show_no_seed_of_the_original(self, tmp_path: Path, way: str) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            seed = desk.game("ford").ledger.state("ford").seed
        with umpire.open(copy_of(tmp_path, way)) as desk:
            game = desk.game("ford")
            game.referee.order("end", reason="night")
            game.referee.order("open-dice")
            game.referee.order("open-secrets")
            for seat in ("referee", "red", "spectator"):
                game.export(tmp_path / "seen.jsonl", seat=seat)
                assert seed not in (tmp_path / "seen.jsonl").read_text()

    def test_copy_of_the_copy_has_dice_of_its_own(self, tmp_path: Path, way: str) -> None:
        opened(tmp_path)
        with umpire.open(copy_of(tmp_path, way)) as desk:
            first = fire(desk.game("ford"), tmp_path)
            desk.backup(tmp_path / "again.db")
            second = fire(desk.game("ford"), tmp_path)
        third = fired_in(tmp_path / "again.db", tmp_path)
        assert len({first, second, third}) == 3


class TestKeys:
    def test_keys_and_signatures_count_as_before(self, tmp_path: Path) -> None:
        pytest.importorskip("cryptography", reason="keys need the extra `keys`")
        from tests.desk.test_keys import KEYS, RED, signer  # noqa: PLC0415 -- they need cryptography

        with umpire.open(tmp_path / "club.db") as desk:
            desk.signer = signer(RED)
            desk.new("freeform", FORD, id="ford", dice="ledger", keys=KEYS).seat("red").order(FIRE)
            desk.backup(tmp_path / "backup.db")
        with umpire.open(tmp_path / "backup.db") as desk:
            with pytest.raises(RuleViolation, match="key"):
                desk.game("ford").seat("red").order(FIRE)
            desk.signer = signer(RED)
            game = umpire.PlayedGame(desk, "ford")
            game.seat("red").order(FIRE)
            checked = game.verify()
            assert checked.valid
            assert [(one.seat, one.orders, one.copied) for one in checked.signed] == [("red", 2, False)]


class TestWaitingOrder:
    def test_copy_asks_no_share_of_the_original(self, tmp_path: Path) -> None:
        """Red's order waits for blue; in the copy blue pledges again instead of showing its next share."""
        opened(tmp_path, "witnessed")
        with umpire.open(tmp_path / "club.db") as desk:
            desk.game("ford").seat("red").order(FIRE)
        with umpire.open(copy_of(tmp_path, "backup")) as desk:
            due = desk.game("ford").seat("blue").dice_due(tmp_path / "blue")
            assert due is not None
            assert "pledge" in due
            desk.game("ford").seat("blue").order(due)
            assert awaited(desk.game("ford").ledger.state("ford")) == ("red",)

    def test_order_with_all_shares_is_not_carried_out_in_a_copy(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Stop the original between the last share and the roll; the copy would show that roll."""
        opened(tmp_path, "witnessed")
        with umpire.open(tmp_path / "club.db") as desk:
            game = desk.game("ford")
            game.seat("red").order(FIRE)
            due = game.seat("blue").dice_due(tmp_path / "blue")
            assert due is not None
            monkeypatch.setattr("umpire_ledger.desk.core.game_session.GameSession._throw_what_was_asked", lambda _: ())
            game.seat("blue").order(due)
        monkeypatch.undo()
        with umpire.open(copy_of(tmp_path, "backup")) as desk:
            game = desk.game("ford")
            before = len(rolls(game))
            assert not game.throw_what_waits()
            game.seat("blue").note("hm")
            assert len(rolls(game)) == before


@every_copy
def test_dry_run_in_a_copy_records_nothing(tmp_path: Path, way: str) -> None:
    opened(tmp_path)
    copy = copy_of(tmp_path, way)
    orders = tmp_path / "orders.jsonl"
    lines = [FIRE, {"as": "red", "order": "note", "text": "hm"}, {"as": "referee", "order": "undo", "why": "x"}]
    orders.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    for read_only in (True, False):
        with umpire.open(copy, read_only=read_only) as desk:
            game = desk.game("ford")
            size = game.size
            assert game.play(orders, check=True).orders == len(lines)
            game.referee.amend(size, how="drop", why="x", check=True)
            game.referee.preview("undo", why="x")
            assert (game.size, events(game, GameCopied)) == (size, [])


class TestOtherWays:
    def test_fork_rolls_from_a_seed_of_its_own(self, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            copy = desk.game("ford").fork("what-if")
            assert fire(copy, tmp_path) != fire(desk.game("ford"), tmp_path)
            assert [one.how for one in events(copy, GameCopied)] == [""]

    def test_position_file_opens_a_game_with_a_seed_of_its_own(self, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            text = desk.game("ford").referee.scenario()
            other = desk.new_from_text("freeform", text, id="ford-2")
            seeds = {desk.ledger.state(game).seed for game in ("ford", "ford-2")}
            assert len(seeds) == 2
            assert events(other, GameCopied) == []

    def test_archive_and_unarchive_change_no_dice(self, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            game = desk.game("ford")
            game.archive(tmp_path / "ford.jsonl")
            game.unarchive()
            fire(game, tmp_path)
            assert events(game, GameCopied) == []
        with umpire.open(tmp_path / "other.db") as desk:
            fire(desk.import_log(tmp_path / "ford.jsonl"), tmp_path)
            assert [one.how for one in events(desk.game("ford"), GameCopied)] == ["import"]

    @pytest.mark.parametrize("seat", ["referee", "red", "spectator"])
    def test_redacted_import_rolls_no_dice(self, tmp_path: Path, seat: str) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            desk.game("ford").export(tmp_path / "ford.jsonl", seat=seat)
        with umpire.open(tmp_path / "other.db") as desk:
            game = desk.import_log(tmp_path / "ford.jsonl")
            with pytest.raises(RuleViolation, check=coded("seed-not-here")):
                game.seat("red").order(FIRE)

    def test_log_of_a_case_rolls_no_dice(self, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            game = desk.game("ford")
            game.seat("blue").dispute([game.size], "too far")
            game.referee.case("d1", tmp_path / "case")
        log = tmp_path / "case" / LOG
        with umpire.open(tmp_path / "other.db") as desk, pytest.raises(RuleViolation, check=coded("seed-not-here")):
            desk.import_log(log).seat("red").order(FIRE)

    def test_log_completed_with_all_keys_is_a_copy(self, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            desk.game("ford").export(tmp_path / "seen.jsonl")
            desk.game("ford").export_keys(tmp_path / "all.keys", seat="referee", whole=True)
        umpire.open_export(tmp_path / "seen.jsonl", tmp_path / "all.keys", tmp_path / "whole.jsonl")
        with umpire.open(tmp_path / "other.db") as desk:
            pips = fire(desk.import_log(tmp_path / "whole.jsonl"), tmp_path)
        assert pips != fired_in(tmp_path / "club.db", tmp_path)

    def test_import_of_what_is_there_changes_no_dice(self, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            game = desk.game("ford")
            game.export(tmp_path / "ford.jsonl", seat="referee", whole=True)
            desk.import_log(tmp_path / "ford.jsonl")
            fire(game, tmp_path)
            assert events(game, GameCopied) == []

    def test_moved_there_and_back_is_one_history(self, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(copy_of(tmp_path, "import")) as other:
            fire(other.game("ford"), tmp_path)
            other.game("ford").export(tmp_path / "back.jsonl", seat="referee", whole=True)
        with umpire.open(tmp_path / "club.db") as desk:
            game = desk.game("ford")
            desk.import_log(tmp_path / "back.jsonl")
            fire(game, tmp_path)
            assert [one.how for one in events(game, GameCopied)] == ["import", "import"]
            assert game.verify().findings == ()

    def test_renamed_file_has_no_copy_record(self, tmp_path: Path) -> None:
        opened(tmp_path)
        (tmp_path / "club.db").rename(tmp_path / "renamed.db")
        fired_in(tmp_path / "renamed.db", tmp_path)
        with umpire.open(tmp_path / "renamed.db") as desk:
            assert events(desk.game("ford"), GameCopied) == []

    def test_file_put_back_over_itself_is_not_noticed(self, tmp_path: Path) -> None:
        """Confirm the limit that docs/reference/dice-in-copies.md names; `umpire restored` is for it."""
        opened(tmp_path)
        shutil.copyfile(tmp_path / "club.db", tmp_path / "saved.db")
        pips = fired_in(tmp_path / "club.db", tmp_path)
        for ending in ("-wal", "-shm"):
            (tmp_path / f"club.db{ending}").unlink(missing_ok=True)
        shutil.copyfile(tmp_path / "saved.db", tmp_path / "club.db")
        assert fired_in(tmp_path / "club.db", tmp_path) == pips

    def test_backup_of_a_database_is_a_copy(self, database: str, tmp_path: Path) -> None:
        with umpire.open(database) as desk:
            game = desk.new("freeform", FORD, id="ford", dice="ledger")
            fire(game, tmp_path)
            desk.backup(tmp_path / "backup.db")
            pips = fire(game, tmp_path)
        assert fired_in(tmp_path / "backup.db", tmp_path) != pips

    def test_import_into_a_database_is_a_copy(self, database: str, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(tmp_path / "club.db") as desk:
            desk.game("ford").export(tmp_path / "ford.jsonl", seat="referee", whole=True)
        with umpire.open(database) as desk:
            pips = fire(desk.import_log(tmp_path / "ford.jsonl"), tmp_path)
            assert [one.how for one in events(desk.game("ford"), GameCopied)] == ["import"]
        assert fired_in(tmp_path / "club.db", tmp_path) != pips


class TestRestored:
    @every_mode
    def test_every_roll_verifies_after_open_dice(self, tmp_path: Path, mode: DiceMode) -> None:
        opened(tmp_path, mode)
        copy = copy_of(tmp_path, "backup")
        (tmp_path / "club.db").unlink()
        with umpire.open(copy) as desk:
            (done,) = desk.restored(why="the disk failed")
            game = desk.game("ford")
            assert event_of(game.ledger.record("ford", done.position)) == GameCopied(
                of="ford", at=done.position - 1, game="ford", how="restored", why="the disk failed"
            )
            fire(game, tmp_path)
            checked = ended(game)
            assert (checked.verdict.verdict, checked.dice, checked.dice_closed) == ("VALID", 2, 0)
            assert checked.findings == ()
            assert len(events(game, DiceOpened)) == 2
            game.referee.undo(2, why="one more turn")
            fire(game, tmp_path)
            assert ended(game).dice == 3

    def test_restored_after_a_first_order_reveals_no_original_seed(self, tmp_path: Path) -> None:
        opened(tmp_path)
        with umpire.open(copy_of(tmp_path, "backup")) as desk:
            game = desk.game("ford")
            fire(game, tmp_path)
            list(desk.restored())
            fire(game, tmp_path)
            checked = ended(game)
            assert (checked.verdict.verdict, checked.dice, checked.dice_closed) == ("VALID", 2, 1)

    def test_command_says_what_each_game_got(self, terminal: Terminal) -> None:
        terminal.ok("new", "freeform", "--id", "ford", "--scenario", str(FORD), "--dice", "ledger")
        terminal.ok("new", "freeform", "--id", "tabled", "--scenario", str(FORD), "--dice", "table")
        terminal.ok("backup", "b.db")
        size = terminal.size("ford")
        said = terminal.ok("restored", "--ledger", "b.db", "--why", "the disk failed", "--json").json
        assert said == [{"game": "ford", "position": size + 1}, {"game": "tabled", "position": 0}]
        trail = terminal.ok("audit", "ford", "--ledger", "b.db", "--as", "red", "--json").json
        texts = [one["text"] for one in trail if one["position"] == size + 1]
        assert texts == [Naming(f"#{size}", "(the disk failed)")]
        again = terminal.ok("restored", "--ledger", "b.db").out.splitlines()
        assert (len(again), again[0]) == (2, Naming("ford", f"#{size + 4}"))
        assert again[1].startswith("tabled")
        assert "#" not in again[1]


class TestExportAll:
    def test_copies_of_every_title_are_played_on(self, tmp_path: Path) -> None:
        with umpire.open(tmp_path / "club.db") as desk:
            for title in at_least_one(titles()):
                scenario = sorted((folder_of(title.id) / "scenarios").glob("*.toml"))[0]
                game = desk.new(title.id, scenario, id=title.id, dice="ledger")
                game.referee.rule("x", why="x", grounds="house rule", orders=["roll --dice 2d6 --purpose wind"])
            assert {one.code for one in desk.export_all(tmp_path / "logs", seat="referee", whole=True)} == {0}
        with umpire.open(tmp_path / "second.db") as desk:
            assert {one.code for one in desk.import_folder(tmp_path / "logs")} == {0}
            for title in titles():
                game = desk.game(title.id)
                game.referee.rule("x", why="x", grounds="house rule", orders=["roll --dice 2d6 --purpose wind"])
                assert [one.roll for one in rolls(game)] == [1, 2]
                assert game.verify().valid

    def test_keeper_s_logs_are_whole_and_private(self, terminal: Terminal) -> None:
        terminal.ok("new", "freeform", "--id", "ford", "--scenario", str(FORD), "--dice", "ledger")
        answer = terminal.ok("export", "--all", "logs")
        assert answer.err == Naming("logs", "--as SEAT")
        log = terminal.folder / "logs" / "ford.jsonl"
        assert stat.S_IMODE(log.stat().st_mode) == 0o600
        assert '"dice.seeded"' in log.read_text()
        terminal.ok("import", "logs", "--ledger", "second.db")
        fire = ("order", "ford", "roll", "--purpose", "fire", "--dice", "2d6", "--as", "red")
        terminal.ok(*fire, "--ledger", "second.db")

    @pytest.mark.parametrize("seat", ["referee", "spectator"])
    def test_logs_of_a_named_seat_hold_no_seed(self, terminal: Terminal, seat: str) -> None:
        terminal.ok("new", "freeform", "--id", "ford", "--scenario", str(FORD), "--dice", "ledger")
        answer = terminal.ok("export", "--all", "logs", "--as", seat)
        assert answer.err == ""
        log = terminal.folder / "logs" / "ford.jsonl"
        assert stat.S_IMODE(log.stat().st_mode) == 0o644
        assert '"dice.seeded"' not in log.read_text()
