"""Sealed orders: written for a possible case, opened with their exact words, or withdrawn unread."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

import umpire_ledger as umpire
from tests.attacks.damaged_logs import read, written_anew
from tests.cli.terminal import Terminal
from tests.desk.game import coded
from tests.desk.test_private_words import CLOSED, TABLE, looks
from tests.face.domain import NoteOpened, RuleViolation
from tests.naming import Naming

SEATS = ("athens", "corinth", "sparta", "spectator", "referee")
WORDS, CASE = "withdraw to 0608", "we are attacked"


@pytest.fixture
def desk(place: str) -> Iterator[umpire.Desk]:
    with umpire.open(place) as desk:
        yield desk


@pytest.fixture
def cities(desk: umpire.Desk) -> umpire.PlayedGame:
    return desk.new_from_text("freeform", TABLE, id="cities")


def readers(game: umpire.PlayedGame, words: str = WORDS) -> list[str]:
    return [seat for seat in SEATS if words in looks(game, seat)]


def refused(seat: umpire.Seat, note: int, *, withdraw: bool = False) -> RuleViolation:
    size = seat.game.size
    with pytest.raises(RuleViolation) as refusal:
        seat.open_words(note, withdraw=withdraw)
    assert (refusal.value.rule, seat.game.size) == ("sealed words", size)
    return refusal.value


class TestWaiting:
    def test_sealed_orders_are_read_by_their_side_and_referee(self, cities: umpire.PlayedGame) -> None:
        told = cities.seat("athens").seal_words(WORDS, CASE)
        assert [CASE in line and WORDS in line for line in told.told] == [True]
        assert readers(cities) == readers(cities, CASE) == ["athens", "referee"]

    def test_sealed_orders_in_a_closed_game_are_for_their_side(self, desk: umpire.Desk) -> None:
        closed = desk.new_from_text("freeform", TABLE, id="cities", options=CLOSED)
        at = closed.seat("athens").seal_words(WORDS, CASE).position
        assert readers(closed) == ["athens"]
        assert refused(closed.referee, at).code == "nothing-sealed"
        closed.seat("athens").open_words(at)
        assert readers(closed) == list(SEATS)

    def test_waiting_sealed_orders_are_listed_to_their_readers(self, cities: umpire.PlayedGame) -> None:
        first = cities.seat("athens").seal_words(WORDS, CASE).position
        cities.seat("corinth").seal_words("sail home", "the wind turns")
        assert [(one.side, one.text) for one in cities.referee.sealed_words()] == [
            ("athens", WORDS),
            ("corinth", "sail home"),
        ]
        opened = cities.referee.open_words(first).position
        (mine,) = cities.seat("athens").sealed_words()
        assert (mine.position, mine.condition, mine.opened) == (first, CASE, opened)
        assert cities.seat("sparta").sealed_words() == []

    def test_referee_cannot_seal_orders(self, cities: umpire.PlayedGame) -> None:
        with pytest.raises(RuleViolation, check=coded("nothing-to-seal")):
            cities.referee.seal_words(WORDS, CASE)


class TestStatus:
    def test_status_reminds_readers_of_waiting_sealed_orders(self, cities: umpire.PlayedGame) -> None:
        athens = cities.seat("athens")
        at = athens.seal_words(WORDS, CASE).position
        shown = {seat: [one.text for one in cities.seat(seat).status.sealed] for seat in SEATS}
        assert shown == {"athens": [WORDS], "corinth": [], "sparta": [], "spectator": [], "referee": [WORDS]}
        (mine,) = athens.status.sealed
        assert (mine.position, mine.side, mine.condition) == (at, "athens", CASE)
        assert athens.status_at(at - 1).sealed == ()

    def test_opened_or_withdrawn_sealed_orders_leave_the_status(self, cities: umpire.PlayedGame) -> None:
        athens = cities.seat("athens")
        first, second = (athens.seal_words(words, CASE).position for words in (WORDS, "hold on"))
        cities.referee.open_words(first)
        assert [one.text for one in athens.status.sealed] == ["hold on"]
        athens.open_words(second, withdraw=True)
        assert athens.status.sealed == cities.referee.status.sealed == ()
        assert [one.text for one in athens.status_at(second).sealed] == [WORDS, "hold on"]

    def test_rewind_keeps_sealed_orders(self, cities: umpire.PlayedGame) -> None:
        athens = cities.seat("athens")
        athens.order("move", unit="a1", path=["0102"])
        athens.seal_words(WORDS, CASE)
        athens.undo()
        assert [one.text for one in athens.status.sealed] == [WORDS]

    def test_status_of_a_closed_game_shows_the_referee_no_orders(self, desk: umpire.Desk) -> None:
        closed = desk.new_from_text("freeform", TABLE, id="cities", options=CLOSED)
        closed.seat("athens").seal_words(WORDS, CASE)
        assert closed.referee.status.sealed == ()

    def test_terminal_shows_sealed_orders(self, terminal: Terminal) -> None:
        terminal.write("cities.toml", TABLE)
        terminal.ok("new", "freeform", "--id", "ford", "--scenario", "cities.toml")
        terminal.ok("note", "ford", WORDS, "--if", CASE, "--as", "athens")
        assert f"sealed:   Athens, if {CASE}: {WORDS} (#" in terminal.ok("status", "ford", "--as", "athens").out
        assert "sealed:" not in terminal.ok("status", "ford", "--as", "corinth").out


class TestOpening:
    @pytest.mark.parametrize("opener", ["referee", "athens"])
    def test_sealed_orders_are_opened_with_their_exact_words(self, cities: umpire.PlayedGame, opener: str) -> None:
        at = cities.seat("athens").seal_words(WORDS, CASE).position
        told = cities.seat(opener).open_words(at)
        assert told.records[-1].event == NoteOpened(note=at, side="athens", text=WORDS, condition=CASE)
        assert all(part in told.told[0] for part in ("Athens", f"#{at}", CASE, WORDS))
        assert readers(cities) == list(SEATS)

    def test_sealed_orders_are_opened_once_by_their_readers(self, cities: umpire.PlayedGame) -> None:
        at = cities.seat("athens").seal_words(WORDS, CASE).position
        for seat, note in (("sparta", at), ("sparta", 1), ("athens", 1), ("referee", 999)):
            refusal = refused(cities.seat(seat), note)
            assert (refusal.code, refusal.fields) == ("nothing-sealed", {"note": note})
        cities.referee.open_words(at)
        assert refused(cities.seat("athens"), at).fields == {"note": at, "how": "opened"}

    def test_revealed_game_lets_every_side_open_earlier_seals(self, cities: umpire.PlayedGame) -> None:
        """Reveal everything: the last record before it is open, and one that is sealed afterwards is not."""
        athens, sparta = cities.seat("athens"), cities.seat("sparta")
        cities.referee.order("end", reason="late")
        first, last = (athens.seal_words(words, CASE).position for words in (WORDS, "hold on"))
        cities.referee.order("open-secrets")
        later = athens.seal_words("sail", CASE).position
        for note in (first, last):
            assert sparta.open_words(note).records[-1].event.note == note
        assert cities.size > later
        assert refused(sparta, later).code == "nothing-sealed"

    def test_side_withdraws_its_sealed_orders_unread(self, cities: umpire.PlayedGame) -> None:
        at = cities.seat("athens").seal_words(WORDS, CASE).position
        by_referee = refused(cities.referee, at, withdraw=True)
        assert (by_referee.code, by_referee.fields) == ("seal-of-another-side", {"side": "athens", "note": at})
        cities.seat("athens").open_words(at, withdraw=True)
        assert readers(cities) == ["athens", "referee"]
        assert refused(cities.referee, at).fields == {"note": at, "how": "withdrawn"}
        assert cities.referee.sealed_words()[0].withdrawn


class TestRewind:
    def test_takes_no_sealed_words_back(self, cities: umpire.PlayedGame) -> None:
        athens = cities.seat("athens")
        athens.order("move", unit="a1", path=["0102"])
        at = athens.seal_words(WORDS, CASE).position
        athens.undo()
        assert [line.counts for line in athens.audit(event="note.sealed")] == [True]
        assert cities.referee.open_words(at).told[0].endswith(WORDS)
        cities.rebuild()
        assert [line.counts for line in athens.audit(event="note.sealed")] == [True]

    def test_seat_cannot_undo_opened_sealed_orders(self, cities: umpire.PlayedGame) -> None:
        # All seats know them now.
        athens = cities.seat("athens")
        athens.order("move", unit="a1", path=["0102"])
        athens.open_words(athens.seal_words(WORDS, CASE).position)
        with pytest.raises(RuleViolation, check=coded("only-the-referee-undoes")):
            athens.undo()
        cities.referee.undo(why="a slip")
        assert readers(cities) == list(SEATS)
        assert refused(athens, athens.sealed_words()[0].position).code == "seal-opened-already"


class TestTerminal:
    def test_sealed_listed_opened_and_withdrawn(self, terminal: Terminal) -> None:
        terminal.new()
        terminal.ok("note", "ford", WORDS, "--if", CASE, "--as", "red")
        at = str(terminal.size())
        assert terminal.ok("reveal", "ford", "--as", "red").out.splitlines()[1].split()[:2] == [f"#{at}", "red"]
        assert terminal.ok("reveal", "ford", "--json", "--as", "blue").json == []
        assert terminal.type("reveal", "ford", "--withdraw").code == 2
        assert terminal.type("note", "ford", WORDS, "--if", CASE, "--to", "blue", "--as", "red").code == 2
        assert WORDS not in terminal.ok("audit", "ford", "--as", "blue").out
        terminal.ok("reveal", "ford", at)
        assert WORDS in terminal.ok("audit", "ford", "--as", "blue").out
        terminal.ok("note", "ford", "hold", "--if", CASE, "--as", "red")
        terminal.ok("reveal", "ford", str(terminal.size()), "--withdraw", "--as", "red")
        assert "hold" not in terminal.ok("audit", "ford", "--as", "blue").out


class TestVerify:
    """`umpire verify` compares opened words with sealed words, even if a forger computed every later hash again."""

    def forged(self, cities: umpire.PlayedGame, folder: Path, seat: str, **said: str) -> umpire.Checked:
        at = cities.seat("athens").seal_words(WORDS, CASE).position
        cities.referee.open_words(at)
        cities.seat(seat).export(folder / "log.jsonl")
        game, records = read((folder / "log.jsonl").read_bytes())
        last = msgspec.json.decode(bytes(records[-1].event))
        event = msgspec.Raw(msgspec.json.encode({**last, **said}))
        (folder / "log.jsonl").write_bytes(written_anew(game, [*records[:-1], replace(records[-1], event=event)]))
        return umpire.verify(folder / "log.jsonl")

    def test_unchanged_opened_words_are_valid(self, cities: umpire.PlayedGame, tmp_path: Path) -> None:
        assert self.forged(cities, tmp_path, "athens").verdict.verdict == "VALID"

    def test_changed_opened_words_are_invalid_and_keep_the_secret(
        self, cities: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        found = self.forged(cities, tmp_path, "referee", text="attack 0608").verdict
        assert (found.verdict, found.first_bad) == ("INVALID", cities.size)
        sealed = Naming(f"#{cities.size - 1}")
        assert (found.reason, found.expected, found.found) == (sealed, sealed, "a different text")
        assert WORDS not in str(found)

    def test_another_case_and_another_side_too(self, cities: umpire.PlayedGame, tmp_path: Path) -> None:
        found = self.forged(cities, tmp_path, "athens", condition="we attack").verdict
        assert (found.verdict, found.found) == ("INVALID", "a different condition")
        found = self.forged(cities, tmp_path, "athens", side="sparta").verdict
        assert (found.verdict, found.found) == ("INVALID", "another side")
        assert found.expected == Naming(f"#{cities.size - 1}")

    def test_changed_opened_words_are_valid_if_sealed_ones_withheld(
        self, cities: umpire.PlayedGame, tmp_path: Path
    ) -> None:
        assert self.forged(cities, tmp_path, "corinth", text="attack 0608").verdict.verdict == "VALID WITH REDACTIONS"

    def test_opened_words_in_the_ledger_are_verified(self, cities: umpire.PlayedGame) -> None:
        at = cities.seat("athens").seal_words(WORDS, CASE).position
        cities.referee.open_words(at)
        assert cities.verify().valid
