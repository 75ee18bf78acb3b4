"""Private words: notes to some, read by them alone."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.desk.game import coded
from tests.face.domain import RuleViolation, UnknownName

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
    """Return all that a seat is shown of a game, in one text."""
    sits = game.seat(seat)
    out = io.BytesIO()
    game.export(out, seat=seat)
    shown = [sits.status, list(sits.audit(all_lines=True)), list(sits.orders()), sits.since(), list(sits.units())]
    return f"{shown}{out.getvalue().decode()}"


def readers(game: umpire.PlayedGame, words: str = WORDS) -> list[str]:
    seats = ("athens", "corinth", "sparta", "referee", "spectator", *(["dora"] if game.id == "cities" else []))
    return [seat for seat in seats if words in looks(game, seat)]


class TestReaders:
    def test_note_to_a_side_is_read_by_both_sides_and_referee(self, cities: umpire.PlayedGame) -> None:
        cities.seat("athens").note(WORDS, to=["corinth"])
        assert readers(cities) == ["athens", "corinth", "referee"]

    def test_note_to_the_referee_is_read_by_author_and_referee(self, cities: umpire.PlayedGame) -> None:
        cities.seat("athens").note(WORDS, to=["referee"])
        assert readers(cities) == ["athens", "referee"]

    def test_note_to_a_seat_is_hidden_from_others_of_its_side(self, cities: umpire.PlayedGame) -> None:
        cities.referee.note(WORDS, to=["dora", "athens"])
        assert readers(cities) == ["athens", "referee", "dora"]

    def test_note_of_a_seat_is_read_by_its_side(self, cities: umpire.PlayedGame) -> None:
        cities.seat("dora").note(WORDS, to=["corinth"])
        assert readers(cities) == ["corinth", "sparta", "referee", "dora"]

    def test_note_in_a_closed_game_is_read_by_referee_if_addressed(self, closed: umpire.PlayedGame) -> None:
        closed.seat("athens").note(WORDS, to=["corinth"])
        assert readers(closed) == ["athens", "corinth"]
        closed.seat("athens").note("a word with you", to=["referee"])
        assert readers(closed, "a word with you") == ["athens", "referee"]

    def test_private_note_is_labelled_with_its_readers(self, cities: umpire.PlayedGame) -> None:
        told = cities.seat("athens").note(WORDS, to=["corinth", "referee"])
        (line,) = cities.seat("corinth").audit(event="note.added")
        assert line.text.endswith(f" corinth, referee: {WORDS}")
        assert line.visible_to == ("athens", "corinth", "referee")
        assert cities.seat("corinth").status.last[-1].text == told.told[0]

    def test_note_shows_its_author_and_readers_to_others(self, cities: umpire.PlayedGame) -> None:
        # The envelope is public, as when paper is passed at a table.
        cities.seat("athens").note(WORDS, to=["corinth"])
        out = io.BytesIO()
        cities.export(out, seat="sparta")
        withheld = json.loads(out.getvalue().splitlines()[-2])
        assert (withheld["seat"], withheld["visible_to"]) == ("athens", ["athens", "corinth", "referee"])
        assert "event" not in withheld
        assert "cause" not in withheld
        assert WORDS not in cities.seat("sparta").orders()[-1].text

    def test_export_with_a_withheld_note_verifies(self, cities: umpire.PlayedGame, tmp_path: Path) -> None:
        cities.seat("athens").note(WORDS, to=["corinth"])
        cities.export(tmp_path / "sparta.jsonl", seat="sparta")
        assert umpire.verify(tmp_path / "sparta.jsonl").verdict.verdict == "VALID WITH REDACTIONS"
        assert WORDS not in (tmp_path / "sparta.jsonl").read_text()


class TestRefusals:
    def test_mistyped_reader_gets_the_nearest_name(self, cities: umpire.PlayedGame) -> None:
        size = cities.size
        with pytest.raises(UnknownName) as refused:
            cities.seat("athens").note(WORDS, to=["corinht"])
        assert (refused.value.code, refused.value.rule) == ("no-such-reader-nearest", "notes")
        assert refused.value.fields == {"seat": "corinht", "near": "corinth"}
        with pytest.raises(UnknownName) as refused:
            cities.seat("athens").note(WORDS, to=["spectator"])
        assert refused.value.code == "no-such-reader"
        assert refused.value.fields["known"] == "athens, corinth, sparta, dora, referee"
        assert cities.size == size

    def test_unreadable_note_cannot_be_replaced(self, cities: umpire.PlayedGame) -> None:
        """To other seats it is not a note, like any other record."""
        at = cities.seat("athens").note(WORDS, to=["corinth"]).position
        for position, seat in ((at, "sparta"), (1, "sparta")):
            with pytest.raises(RuleViolation) as refused:
                cities.seat(seat).note("no", instead_of=position)
            assert (refused.value.code, refused.value.fields) == ("not-a-note", {"instead_of": position})
        with pytest.raises(RuleViolation, check=coded("note-of-another-seat", instead_of=at, seat="athens")):
            cities.seat("corinth").note("no", instead_of=at)


class TestReplacement:
    def test_replacement_of_a_note_has_the_same_readers(self, cities: umpire.PlayedGame) -> None:
        at = cities.seat("athens").note("we sail at dusk", to=["corinth"]).position
        cities.seat("athens").note(WORDS, instead_of=at)
        assert readers(cities) == ["athens", "corinth", "referee"]
        (line,) = cities.seat("corinth").audit(event="note.added")
        assert line.text.endswith(f" #{at}: {WORDS}")

    def test_replacement_by_the_referee_has_the_same_readers(self, cities: umpire.PlayedGame) -> None:
        at = cities.seat("athens").note("we sail at dusk", to=["corinth"]).position
        cities.referee.note(WORDS, instead_of=at, to=["corinth"])
        assert readers(cities) == ["athens", "corinth", "referee"]

    def test_other_readers_are_refused(self, cities: umpire.PlayedGame) -> None:
        secret = cities.seat("athens").note(WORDS, to=["corinth"]).position
        public = cities.seat("athens").note("good evening").position
        for at, meant in ((secret, "to corinth"), (public, "for everybody")):
            with pytest.raises(RuleViolation) as refused:
                cities.seat("athens").note(WORDS, instead_of=at, to=["sparta"])
            assert (refused.value.code, refused.value.fields) == ("other-readers", {"instead_of": at, "meant": meant})

    def test_undo_keeps_a_private_note(self, cities: umpire.PlayedGame) -> None:
        cities.seat("athens").order("move", unit="a1", path=["0102"])
        cities.seat("athens").note(WORDS, to=["corinth"])
        cities.seat("athens").undo()
        assert cities.seat("athens").units()[0].at == "0101"
        assert [line.counts for line in cities.seat("corinth").audit(event="note.added")] == [True]

    def test_scenario_omits_private_notes(self, cities: umpire.PlayedGame) -> None:
        # Notes are not part of a position: a seat that may not read them can still write a scenario of it.
        cities.seat("athens").note(WORDS, to=["corinth"])
        assert WORDS not in cities.seat("sparta").scenario()


class TestTerminal:
    def test_private_note_is_written_and_read_at_the_terminal(self, terminal: Terminal) -> None:
        (terminal.folder / "cities.toml").write_text(TABLE)
        terminal.ok("new", "freeform", "--id", "cities", "--scenario", "cities.toml")
        terminal.ok("note", "cities", WORDS, "--to", "corinth, referee", "--as", "athens")
        assert WORDS in terminal.ok("status", "cities", "--as", "corinth").out
        assert WORDS not in terminal.ok("status", "cities", "--as", "sparta").out
        refused = terminal.type("note", "cities", WORDS, "--to", "sprta", "--as", "athens", "--json")
        assert (refused.code, refused.error["refusal_code"]) == (3, "no-such-reader-nearest")

    def test_private_note_is_notified_without_its_words(self, terminal: Terminal) -> None:
        (terminal.folder / "cities.toml").write_text(TABLE)
        terminal.ok("new", "freeform", "--id", "cities", "--scenario", "cities.toml")
        terminal.ok("note", "cities", WORDS, "--to", "corinth", "--as", "athens")
        found: list[dict[str, Any]] = terminal.ok("notices", "--json").json
        assert [(one["seat"], [point["kind"] for point in one["points"]]) for one in found] == [
            ("corinth", ["private-note"])
        ]
        assert all(part in found[0]["text"] for part in ("Athens", " to Corinth. Read it with `umpire "))
        assert WORDS not in found[0]["text"]
