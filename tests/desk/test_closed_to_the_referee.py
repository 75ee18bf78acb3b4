"""A game whose secrets are closed to the referee: only a side reveals its own, and the referee is refused."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import umpire_ledger as umpire
from tests.cli.terminal import Terminal
from tests.desk.game import FORD, coded
from tests.face.domain import (
    CLOSED_RULE,
    ChoiceRevealed,
    NoteOpened,
    RuleViolation,
)
from tests.face.testing import FIXTURES
from tests.naming import Naming

CLOSED = {"secrets_closed_to_referee": True}
SECRETS = ("left wing", "round the wood", "a word to blue")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[umpire.Desk]:
    with umpire.open(tmp_path / "umpire.db") as desk:
        yield desk


@pytest.fixture
def closed(desk: umpire.Desk) -> umpire.PlayedGame:
    """Red has a secret choice at #r-1, sealed orders and a private note; anna is a second seat of red."""
    return with_secrets(desk.new_from_text("freeform", FORD, id="g", dice="table", options=CLOSED))


def with_secrets(game: umpire.PlayedGame) -> umpire.PlayedGame:
    game.referee.order("take-seat", taker="anna", side="red")
    red = game.seat("red")
    red.order("seal-choice", question="flank", choice="left wing")
    red.seal_words("round the wood", "attacked")
    red.note("a word to blue", to=["blue"])
    return game


def sealed_at(game: umpire.PlayedGame) -> int:
    return next(one.position for one in game.seat("red").audit(event="note.sealed"))


def shown_to_referee(game: umpire.PlayedGame) -> str:
    referee = game.referee
    return str([list(referee.audit(all_lines=True)), msgspec.to_builtins(referee.status), referee.refusals()])


def refused(game: umpire.PlayedGame, act: Callable[[], object]) -> RuleViolation:
    """Return the refusal, after which the log is as it was and the referee has read no secret."""
    size = game.size
    with pytest.raises(RuleViolation) as found:
        act()
    assert game.size == size
    assert not any(secret in f"{found.value}{vars(found.value)}{shown_to_referee(game)}" for secret in SECRETS)
    return found.value


def entered(**order: Any) -> dict[str, Any]:
    return {"as": "red", **order}


class TestOrdersForASide:
    def test_open_secrets_entered_by_referee_is_refused(self, closed: umpire.PlayedGame) -> None:
        closed.referee.order("end", reason="it is late")
        for side in ("red", "blue", "anna"):
            order = {"as": side, "order": "open-secrets"}
            assert refused(closed, lambda order=order: closed.referee.order(order)).rule == CLOSED_RULE
        closed.referee.undo(why="we play on")
        assert not any(secret in shown_to_referee(closed) for secret in SECRETS)

    def test_reveal_entered_by_referee_is_refused(self, closed: umpire.PlayedGame) -> None:
        order = entered(order="reveal", question="flank")
        found = refused(closed, lambda: closed.referee.order(order))
        assert (found.rule, found.code) == (CLOSED_RULE, "only-the-side-reveals")
        assert found.remedy == Naming("`--as red`", "GAME red`")
        assert refused(closed, lambda: closed.referee.order({**order, "as": "anna"})).rule == CLOSED_RULE
        assert refused(closed, lambda: closed.play([(1, order)])).rule == CLOSED_RULE
        assert refused(closed, lambda: closed.play([(1, order)], check=True)).rule == CLOSED_RULE
        assert refused(closed, lambda: closed.referee.typed("reveal flank --as red")).rule == CLOSED_RULE

    @pytest.mark.parametrize("offset", [-1, 0, 1])
    def test_open_words_entered_by_referee_reveals_nothing(self, closed: umpire.PlayedGame, offset: int) -> None:
        """Hide also whether sealed orders, a private note or another record is at the position."""
        order = entered(order="open-words", note=sealed_at(closed) + offset)
        found = refused(closed, lambda: closed.referee.order(order))
        assert (found.rule, str(sealed_at(closed)) in found.what) == (CLOSED_RULE, False)

    def test_note_in_place_of_another_reveals_nothing(self, closed: umpire.PlayedGame) -> None:
        order = entered(order="note", text="x", instead_of=sealed_at(closed))
        assert refused(closed, lambda: closed.referee.order(order)).rule == CLOSED_RULE

    def test_refusal_of_an_entered_public_order_is_shown(self, closed: umpire.PlayedGame) -> None:
        found = refused(closed, lambda: closed.referee.order(entered(order="move", unit="r1", path=["0101"])))
        assert "r1" in found.what

    def test_other_orders_are_entered_for_a_side(self, closed: umpire.PlayedGame) -> None:
        moved = closed.referee.order(entered(order="move", unit="r1", path=["0201"]))
        noted = closed.referee.order(entered(order="note", text="entered"))
        assert (moved.carried_out, noted.position) == (True, moved.position + 1)


class TestRefusalTexts:
    """Twilight Imperium 3: a refused card is answered with the cards that the side holds."""

    @pytest.fixture
    def galaxy(self, desk: umpire.Desk) -> umpire.PlayedGame:
        scenario = FIXTURES / "twilight-imperium-3" / "scenarios" / "three-players.toml"
        return desk.new("twilight-imperium-3", scenario, id="galaxy", dice="table", options=CLOSED)

    ORDER = {"order": "play-card", "card": "Bogus"}  # noqa: RUF012

    def test_side_reads_its_hand(self, galaxy: umpire.PlayedGame) -> None:
        with pytest.raises(RuleViolation) as found:
            galaxy.seat("sol").order(self.ORDER)
        assert "Sabotage" in found.value.remedy

    def test_referee_who_enters_it_does_not(self, galaxy: umpire.PlayedGame) -> None:
        found = refused(galaxy, lambda: galaxy.referee.order({"as": "sol", **self.ORDER}))
        assert (found.rule, "Sabotage" in f"{vars(found)}") == (CLOSED_RULE, False)
        at = galaxy.size
        found = refused(galaxy, lambda: galaxy.referee.amend(at, {"as": "sol", **self.ORDER}, why="x", how="before"))
        assert "Sabotage" not in f"{vars(found)}"

    @pytest.mark.parametrize("card", ["Sabotage", "Bogus"])
    def test_referee_tries_no_card_of_a_side(self, galaxy: umpire.PlayedGame, card: str) -> None:
        """Refuse: otherwise `--check` would reveal, without a trace, the cards that the side holds."""
        order = {"as": "sol", "order": "play-card", "card": card}
        tried = refused(galaxy, lambda: galaxy.play([(1, order)], check=True))
        galaxy.seat("sol").note("hello")
        act = lambda: galaxy.referee.amend(galaxy.size, order, why="x", how="before", check=True)  # noqa: E731
        amended = refused(galaxy, act)
        assert (tried.rule, amended.rule) == (CLOSED_RULE, CLOSED_RULE)
        assert card not in tried.what + amended.what


class TestOwnOrders:
    def test_ruling_that_reveals_is_refused(self, closed: umpire.PlayedGame) -> None:
        reveal = {"order": "reveal", "question": "flank", "as": "red"}
        act = lambda: closed.referee.rule("open it", why="curious", grounds="house rule", orders=[reveal])  # noqa: E731
        assert refused(closed, act).rule == CLOSED_RULE

    def test_amendment_that_reveals_is_refused(self, closed: umpire.PlayedGame) -> None:
        at = closed.seat("red").order("move", unit="r1", path=["0201"]).position
        reveal = {"order": "reveal", "question": "flank"}
        for check in (True, False):
            act = lambda check=check: closed.referee.amend(at, reveal, why="curious", check=check)  # noqa: E731
            assert refused(closed, act).rule == CLOSED_RULE

    def test_amendment_repeats_a_reveal_of_the_side(self, closed: umpire.PlayedGame) -> None:
        at = closed.seat("red").order("move", unit="r1", path=["0201"]).position
        closed.seat("red").order("reveal", question="flank")
        amended = closed.referee.amend(at, how="drop", why="not his turn")
        assert amended.stopped is None
        assert closed.referee.known().choices["flank/red"].choice == "left wing"

    def test_peek_is_recorded_before_anything_is_shown(self, closed: umpire.PlayedGame) -> None:
        outcome, secrets = closed.referee.peek("red", why="they disagree")
        assert "left wing" in str(secrets)
        assert outcome.records[0].text in str(closed.seat("blue").audit(event="secret.peeked"))


class TestOwnSide:
    @pytest.mark.parametrize("seat", ["red", "anna"])
    def test_side_opens_its_own(self, closed: umpire.PlayedGame, seat: str) -> None:
        closed.seat(seat).order("reveal", question="flank")
        closed.seat(seat).open_words(sealed_at(closed))
        assert "left wing" in shown_to_referee(closed)
        assert "round the wood" in shown_to_referee(closed)

    def test_other_side_opens_nothing_of_it(self, closed: umpire.PlayedGame) -> None:
        refused(closed, lambda: closed.seat("blue").order("reveal", question="flank"))
        refused(closed, lambda: closed.seat("blue").open_words(sealed_at(closed)))

    def test_undo_leaves_the_trace_of_a_reveal(self, closed: umpire.PlayedGame) -> None:
        at = closed.seat("red").order("reveal", question="flank").position
        with pytest.raises(RuleViolation, check=coded("reason-needed")):
            closed.referee.undo()
        closed.referee.undo(why="too early")
        assert [one.counts for one in closed.spectator.audit(all_lines=True, event="choice.revealed")] == [False]
        assert [one.position for one in closed.spectator.audit(all_lines=True, event="choice.revealed")] == [at]

    def test_undo_leaves_everything_open(self, closed: umpire.PlayedGame) -> None:
        closed.referee.order("end", reason="it is late")
        closed.seat("red").open_secrets()
        closed.seat("blue").open_secrets()
        closed.referee.undo(3, why="we play on")
        assert len(closed.spectator.audit(all_lines=True, event="secrets.opened")) == 2
        assert "round the wood" in shown_to_referee(closed)


class TestOpenGame:
    """If secrets are not closed, the referee sees them and enters any order."""

    def test_referee_enters_a_reveal(self, desk: umpire.Desk) -> None:
        game = with_secrets(desk.new_from_text("freeform", FORD, id="open", dice="table"))
        words = game.referee.order(entered(order="open-words", note=sealed_at(game)))
        flank = game.referee.order(entered(order="reveal", question="flank"))
        assert any(isinstance(one.event, NoteOpened) for one in words.records)
        assert any(isinstance(one.event, ChoiceRevealed) for one in flank.records)


class TestSecretRolls:
    def test_seed_stays_closed_until_the_sides_have_opened(self, desk: umpire.Desk) -> None:
        """Refuse, because the referee could end a game early, and compute the secret rolls of a side."""
        game = desk.new_from_text("freeform", FORD, id="dice", dice="ledger", options=CLOSED)
        roll = game.seat("red").order("roll", purpose="wind", dice="2d6")
        make_private(game, roll.position)
        game.referee.order("end", reason="it is late")
        with pytest.raises(RuleViolation, check=coded("secret-rolls")):
            game.referee.order("open-dice")
        game.seat("red").open_secrets()
        game.seat("blue").open_secrets()
        game.referee.order("open-dice")


def make_private(game: umpire.PlayedGame, position: int) -> None:
    """Add a copy of a roll that only red sees, as a title's secret roll is recorded."""
    from umpire_ledger.desk.core.adapters import drafts_of, event_of  # noqa: PLC0415
    from umpire_ledger.domain.game.events import RestrictedEvent  # noqa: PLC0415

    event = event_of(game.ledger.record(game.id, position))
    assert event is not None
    told = RestrictedEvent(msgspec.structs.replace(event, roll=2), ("red",))
    game.ledger.append(game.id, after=game.size, seat="red", command="secret", drafts=drafts_of((told,), b"{}"))


class TestTerminal:
    def test_order_file_of_the_referee_opens_nothing(self, terminal: Terminal) -> None:
        terminal.write(
            "ford.toml", FORD.replace("[[units]]", "options = { secrets_closed_to_referee = true }\n[[units]]", 1)
        )
        terminal.ok("new", "freeform", "--id", "g", "--scenario", "ford.toml", "--dice", "table")
        terminal.ok("order", "g", "seal-choice", "flank", "left wing", "--as", "red")
        lines = '{"as":"referee","order":"end","reason":"late"}\n{"as":"red","order":"open-secrets"}\n'
        terminal.write("orders.jsonl", lines)
        assert terminal.type("play", "g", "orders.jsonl").code == 3
        done = terminal.type("order", "g", '{"as": "red", "order": "open-secrets"}')
        assert (done.code, "left wing" in done.out + done.err) == (3, False)
