"""All secrets are revealed when the game is over: each seat sees what the referee sees, and its export is whole."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.desk.game import coded
from tests.desk.test_private_words import CLOSED, TABLE, WORDS, looks
from tests.face.domain import RuleViolation, events as e

SEATS = ("athens", "corinth", "sparta", "spectator", "referee")


@pytest.fixture
def desk(place: str) -> Iterator[umpire.Desk]:
    with umpire.open(place) as desk:
        yield desk


def played(desk: umpire.Desk, *, closed: bool = False, dice: umpire.DiceSource = "table") -> umpire.PlayedGame:
    """Play a private note, a secret choice of Athens and of Corinth, one of them revealed, and the end."""
    game = desk.new_from_text("freeform", TABLE, id="cities", dice=dice, options=CLOSED if closed else {})
    game.seat("athens").note(WORDS, to=["corinth"])
    game.seat("athens").order("seal-choice", question="plan", choice="by sea")
    game.seat("corinth").order("seal-choice", question="plan", choice="by land")
    game.seat("corinth").order("reveal", question="plan")
    return game


def ended(game: umpire.PlayedGame) -> umpire.PlayedGame:
    game.referee.order("end", reason="it is late")
    return game


def refused(seat: umpire.Seat) -> RuleViolation:
    size = seat.game.size
    with pytest.raises(RuleViolation) as refusal:
        seat.open_secrets()
    assert seat.game.size == size
    return refusal.value


def verdict(game: umpire.PlayedGame, seat: str, folder: Path) -> str:
    game.export(folder / f"{seat}.jsonl", seat=seat)
    return umpire.verify(folder / f"{seat}.jsonl").verdict.verdict


def seen(game: umpire.PlayedGame, seat: str) -> list[object]:
    """Return queries that do not name the seat, now and at an earlier position."""
    sits = game.seat(seat)
    known = [sits.known(), sits.known(game.size - 3)]
    return [sits.audit(all_lines=True), [one.text for one in sits.orders()], sits.status.last, *known]


class TestAfterTheEnd:
    def test_every_seat_sees_what_the_referee_sees(self, desk: umpire.Desk) -> None:
        game = ended(played(desk))
        assert WORDS not in looks(game, "sparta")
        told = game.referee.open_secrets()
        assert told.records[-1].event == e.SecretsOpened(upto=game.size)
        for seat in SEATS:
            assert WORDS in looks(game, seat)
            assert seen(game, seat) == seen(game, "referee")

    def test_every_export_is_whole_and_verifies(self, desk: umpire.Desk, tmp_path: Path) -> None:
        game = ended(played(desk))
        assert verdict(game, "sparta", tmp_path) == "VALID WITH REDACTIONS"
        redacted = (tmp_path / "sparta.jsonl").rename(tmp_path / "before.jsonl")
        game.referee.open_secrets()
        assert [verdict(game, seat, tmp_path) for seat in SEATS] == ["VALID"] * len(SEATS)
        game.seat("sparta").export_keys(tmp_path / "keys")
        opened = umpire.open_export(redacted, tmp_path / "keys", tmp_path / "opened.jsonl")
        assert opened.opened == 3

    def test_reveal_of_all_secrets_keeps_the_seed_hidden(self, desk: umpire.Desk, tmp_path: Path) -> None:
        # The seed has a separate order, `open-dice`.
        game = ended(played(desk, dice="ledger"))
        game.referee.open_secrets()
        assert verdict(game, "sparta", tmp_path) == "VALID WITH REDACTIONS"
        assert "dice.seeded" not in (tmp_path / "sparta.jsonl").read_text()
        assert not any(game.seat(seat).known().seed for seat in SEATS)
        game.referee.order("open-dice")
        assert verdict(game, "sparta", tmp_path) == "VALID"

    def test_rebuilt_read_models_show_the_same(self, desk: umpire.Desk) -> None:
        game = ended(played(desk))
        game.catch_up()
        game.referee.open_secrets()
        before = [seen(game, seat) for seat in SEATS]
        game.rebuild()
        assert [seen(game, seat) for seat in SEATS] == before


class TestConsent:
    def test_reveal_during_the_game_is_refused(self, desk: umpire.Desk) -> None:
        assert refused(played(desk).referee).code == "game-not-over"

    def test_reveal_is_for_the_referee_and_not_for_a_side(self, desk: umpire.Desk) -> None:
        game = ended(played(desk))
        assert refused(game.seat("athens")).code == "only-the-referee-reveals"
        game.referee.open_secrets()
        assert refused(game.referee).code == "revealed-already"

    def test_reveal_in_a_closed_game_needs_every_side(self, desk: umpire.Desk) -> None:
        """Otherwise the referee could end a game early to read them."""
        game = ended(played(desk, closed=True))
        assert refused(game.referee).code == "each-side-reveals"
        game.seat("athens").open_secrets()
        again = refused(game.seat("athens"))
        assert (again.code, again.fields["side"], again.remedy) == (
            "agreed-already",
            "athens",
            "ask Corinth, Sparta to agree",
        )
        game.seat("sparta").open_secrets()
        assert [seat for seat in SEATS if WORDS in looks(game, seat)] == ["athens", "corinth"]
        game.seat("corinth").open_secrets()
        assert all(WORDS in looks(game, seat) for seat in SEATS)

    def test_side_can_undo_its_consent_before_the_last_one(self, desk: umpire.Desk) -> None:
        game = ended(played(desk, closed=True))
        game.seat("athens").open_secrets()
        game.seat("athens").undo()
        game.seat("corinth").open_secrets()
        game.seat("sparta").open_secrets()
        assert WORDS not in looks(game, "sparta")


class TestLaterSecrets:
    def test_revealed_secrets_stay_public_and_later_ones_secret(self, desk: umpire.Desk) -> None:
        game = ended(played(desk))
        game.referee.open_secrets()
        with pytest.raises(RuleViolation, check=coded("reason-needed")):
            game.referee.undo()
        game.referee.undo(2, why="we play on")
        assert not game.ended
        assert WORDS in looks(game, "sparta")
        game.seat("athens").note("a new word", to=["corinth"])
        game.seat("athens").order("seal-choice", question="camp", choice="the hill")
        assert all(words not in looks(game, "sparta") for words in ("a new word", "the hill"))
        assert WORDS in looks(game, "sparta")
        ended(game)
        game.referee.open_secrets()
        assert all(words in looks(game, "sparta") for words in (WORDS, "a new word", "the hill"))

    def test_copy_up_to_the_end_keeps_its_secrets(self, desk: umpire.Desk) -> None:
        game = ended(played(desk))
        at = game.size
        game.referee.open_secrets()
        copy = game.fork("again", at=at)
        out = io.BytesIO()
        copy.export(out, seat="sparta")
        assert WORDS not in out.getvalue().decode()


class TestTerminal:
    def test_reveal_of_all_secrets_is_one_command(self, terminal: Terminal) -> None:
        terminal.new()
        terminal.ok("note", "ford", WORDS, "--to", "referee", "--as", "red")
        assert terminal.type("reveal", "ford", "--all", "3").code == 2
        early = terminal.type("reveal", "ford", "--all", "--json")
        assert (early.code, early.error["refusal_code"]) == (3, "game-not-over")
        terminal.ok("order", "ford", "end", "dawn")
        assert WORDS not in terminal.ok("audit", "ford", "--as", "blue").out
        terminal.ok("reveal", "ford", "--all")
        assert WORDS in terminal.ok("audit", "ford", "--as", "blue").out
        assert WORDS in terminal.ok("status", "ford", "--as", "blue").out
