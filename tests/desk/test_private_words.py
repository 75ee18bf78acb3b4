"""Private words: notes to some, read by them alone."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from umpire_ledger.domain.game.errors import RuleViolation, UnknownName

TABLE = """
title = "freeform"
name = "Three cities"
dice = "table"
sides = [{ id = "athens", name = "Athens" }, { id = "corinth", name = "Corinth" }, { id = "sparta", name = "Sparta" }]

[[units]]
id = "a1"
side = "athens"
kind = "galley"
at = "0101"
"""
CLOSED = {"secrets_closed_to_referee": True}
WORDS = "we sail at dawn"


@pytest.fixture
def desk() -> Iterator[umpire.Desk]:
    with umpire.open(":memory:") as desk:
        yield desk


@pytest.fixture
def cities(desk: umpire.Desk) -> umpire.PlayedGame:
    game = desk.new_from_text("freeform", TABLE, id="cities")
    game.referee.order("take-seat", taker="dora", side="sparta")
    return game


@pytest.fixture
def closed(desk: umpire.Desk) -> umpire.PlayedGame:
    return desk.new_from_text("freeform", TABLE, id="closed", options=CLOSED)


def looks(game: umpire.PlayedGame, seat: str) -> str:
    """All that a seat is shown of a game, in one text."""
    sits = game.seat(seat)
    out = io.BytesIO()
    game.export(out, seat=seat)
    shown = [sits.status, list(sits.audit(all_lines=True)), list(sits.orders()), sits.since(), list(sits.units())]
    return f"{shown}{out.getvalue().decode()}"


def readers(game: umpire.PlayedGame, words: str = WORDS) -> list[str]:
    seats = ("athens", "corinth", "sparta", "referee", "spectator", *(["dora"] if game.id == "cities" else []))
    return [seat for seat in seats if words in looks(game, seat)]


class TestWhoReadsIt:
    def test_a_note_to_one_side_is_read_by_both_and_the_referee(self, cities: umpire.PlayedGame) -> None:
        cities.seat("athens").note(WORDS, to=["corinth"])
        assert readers(cities) == ["athens", "corinth", "referee"]

    def test_one_to_the_referee_is_between_the_two(self, cities: umpire.PlayedGame) -> None:
        cities.seat("athens").note(WORDS, to=["referee"])
        assert readers(cities) == ["athens", "referee"]

    def test_one_to_a_seat_is_not_for_the_others_of_its_side(self, cities: umpire.PlayedGame) -> None:
        cities.referee.note(WORDS, to=["dora", "athens"])
        assert readers(cities) == ["athens", "referee", "dora"]

    def test_a_seat_writes_for_its_side(self, cities: umpire.PlayedGame) -> None:
        cities.seat("dora").note(WORDS, to=["corinth"])
        assert readers(cities) == ["corinth", "sparta", "referee", "dora"]

    def test_where_secrets_are_closed_the_referee_reads_what_is_meant_for_him(self, closed: umpire.PlayedGame) -> None:
        closed.seat("athens").note(WORDS, to=["corinth"])
        assert readers(closed) == ["athens", "corinth"]
        closed.seat("athens").note("a word with you", to=["referee"])
        assert readers(closed, "a word with you") == ["athens", "referee"]

    def test_its_readers_see_that_it_is_private(self, cities: umpire.PlayedGame) -> None:
        told = cities.seat("athens").note(WORDS, to=["corinth", "referee"])
        assert told.told == (f"Athens writes to Corinth, the referee alone: {WORDS}",)
        (line,) = cities.seat("corinth").audit(event="note.added")
        assert line.text == f"private note to corinth, referee: {WORDS}"
        assert line.visible_to == ("athens", "corinth", "referee")
        assert cities.seat("corinth").status.last[-1].text == told.told[0]

    def test_the_others_learn_who_wrote_and_to_whom(self, cities: umpire.PlayedGame) -> None:
        # As at a table where a slip of paper is passed: the envelope is public.
        cities.seat("athens").note(WORDS, to=["corinth"])
        out = io.BytesIO()
        cities.export(out, seat="sparta")
        withheld = json.loads(out.getvalue().splitlines()[-2])
        assert (withheld["seat"], withheld["visible_to"]) == ("athens", ["athens", "corinth", "referee"])
        assert "event" not in withheld
        assert "cause" not in withheld
        assert cities.seat("sparta").orders()[-1].text == "something that is not for these eyes"

    def test_an_export_with_it_withheld_verifies(self, cities: umpire.PlayedGame, tmp_path: Path) -> None:
        cities.seat("athens").note(WORDS, to=["corinth"])
        cities.export(tmp_path / "sparta.jsonl", seat="sparta")
        assert umpire.verify(tmp_path / "sparta.jsonl").verdict.verdict == "VALID WITH REDACTIONS"
        assert WORDS not in (tmp_path / "sparta.jsonl").read_text()


class TestWhatIsRefused:
    def test_a_slip_of_the_pen_gets_the_nearest_name(self, cities: umpire.PlayedGame) -> None:
        size = cities.size
        with pytest.raises(UnknownName) as refused:
            cities.seat("athens").note(WORDS, to=["corinht"])
        assert (refused.value.what, refused.value.rule) == ("there is no seat corinht to write to", "notes")
        assert refused.value.remedy == "did you mean corinth?"
        with pytest.raises(UnknownName) as refused:
            cities.seat("athens").note(WORDS, to=["spectator"])
        assert "name some of: athens, corinth, sparta, dora, referee" in refused.value.remedy
        assert cities.size == size

    def test_nobody_takes_back_what_he_may_not_read(self, cities: umpire.PlayedGame) -> None:
        """To others it is no note, as it is with any other record."""
        at = cities.seat("athens").note(WORDS, to=["corinth"]).position
        for position, seat in ((at, "sparta"), (1, "sparta")):
            with pytest.raises(RuleViolation) as refused:
                cities.seat(seat).note("no", instead_of=position)
            assert refused.value.what == f"#{position} is no note"
        with pytest.raises(RuleViolation, match="is athens's"):
            cities.seat("corinth").note("no", instead_of=at)


class TestInItsPlace:
    def test_the_one_in_its_place_has_the_same_readers(self, cities: umpire.PlayedGame) -> None:
        at = cities.seat("athens").note("we sail at dusk", to=["corinth"]).position
        cities.seat("athens").note(WORDS, instead_of=at)
        assert readers(cities) == ["athens", "corinth", "referee"]
        assert [line.text for line in cities.seat("corinth").audit(event="note.added")] == [
            f"private note to corinth in place of #{at}: {WORDS}"
        ]

    def test_the_referee_mends_it_for_the_same_readers(self, cities: umpire.PlayedGame) -> None:
        at = cities.seat("athens").note("we sail at dusk", to=["corinth"]).position
        cities.referee.note(WORDS, instead_of=at, to=["corinth"])
        assert readers(cities) == ["athens", "corinth", "referee"]

    def test_other_readers_are_refused(self, cities: umpire.PlayedGame) -> None:
        secret = cities.seat("athens").note(WORDS, to=["corinth"]).position
        public = cities.seat("athens").note("good evening").position
        for at, meant in ((secret, "to corinth"), (public, "for everybody")):
            with pytest.raises(RuleViolation) as refused:
                cities.seat("athens").note(WORDS, instead_of=at, to=["sparta"])
            assert refused.value.what == f"the note #{at} is {meant}"
            assert "leave `to` out" in refused.value.remedy

    def test_an_undo_leaves_it(self, cities: umpire.PlayedGame) -> None:
        cities.seat("athens").order("move", unit="a1", path=["0102"])
        cities.seat("athens").note(WORDS, to=["corinth"])
        cities.seat("athens").undo()
        assert cities.seat("athens").units()[0].at == "0101"
        assert [line.counts for line in cities.seat("corinth").audit(event="note.added")] == [True]

    def test_a_position_is_handed_over_without_it(self, cities: umpire.PlayedGame) -> None:
        # Words are no part of a position: whoever may not read them still writes a scenario of it.
        cities.seat("athens").note(WORDS, to=["corinth"])
        assert WORDS not in cities.seat("sparta").scenario()


class TestAtTheTerminal:
    def test_it_is_written_and_read_by_its_readers(self, terminal: Terminal) -> None:
        (terminal.folder / "cities.toml").write_text(TABLE)
        terminal.ok("new", "freeform", "--id", "cities", "--scenario", "cities.toml")
        terminal.ok("note", "cities", WORDS, "--to", "corinth, referee", "--as", "athens")
        assert WORDS in terminal.ok("status", "cities", "--as", "corinth").out
        assert WORDS not in terminal.ok("status", "cities", "--as", "sparta").out
        refused = terminal.type("note", "cities", WORDS, "--to", "sprta", "--as", "athens")
        assert refused.code == 3
        assert "did you mean sparta?" in refused.err

    def test_its_readers_get_a_notice_that_holds_no_word_of_it(self, terminal: Terminal) -> None:
        (terminal.folder / "cities.toml").write_text(TABLE)
        terminal.ok("new", "freeform", "--id", "cities", "--scenario", "cities.toml")
        terminal.ok("note", "cities", WORDS, "--to", "corinth", "--as", "athens")
        found: list[dict[str, Any]] = terminal.ok("notices", "--json").json
        assert [(one["seat"], [point["kind"] for point in one["points"]]) for one in found] == [
            ("corinth", ["private-note"])
        ]
        assert "Athens wrote privately to corinth: `umpire audit cities` shows it" in found[0]["text"]
        assert WORDS not in found[0]["text"]
