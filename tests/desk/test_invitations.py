"""Admission from outside: the rights of an invitation, and its expiry and revocation."""

import contextlib
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.cli.terminal import SCENARIO
from tests.desk.game import coded
from tests.face.desk import (
    EVERY_GAME,
    Invitations,
    NotAuthorized,
    OpenGame,
    games_list,
)
from tests.naming import Naming

IN_A_FILE = pytest.mark.parametrize("store", ["sqlite"], indirect=True)


@pytest.fixture
def desk(place: str) -> umpire.Desk:
    desk = umpire.open(place)
    for game in ("ford", "bridge"):
        desk.new_from_text("freeform", SCENARIO, id=game)
    return desk


@pytest.fixture
def invitations(desk: umpire.Desk) -> Invitations:
    return desk.invitations


def texts(desk: umpire.Desk, game_id: str = "ford") -> list[str]:
    return [line.text for line in desk.game(game_id).spectator.audit()]


class TestLinks:
    def test_link_admits_once_and_its_session_holds_the_seat(self, invitations: Invitations) -> None:
        link = invitations.invite("ford", "red", who="Anna")
        opened = invitations.exchange(link.token)
        assert opened.admission.seats("ford") == ("red",)
        assert invitations.by_session(opened.token, "ford").seats("ford") == ("red",)
        with pytest.raises(NotAuthorized) as refusal:
            invitations.exchange(link.token)
        assert refusal.value.code == "link-used"

    def test_session_can_hold_several_seats(self, invitations: Invitations) -> None:
        first = invitations.exchange(invitations.invite("ford", "red").token)
        second = invitations.exchange(invitations.invite("bridge", "referee").token, first.token)
        known = invitations.by_session(second.token)
        assert known.seats("ford") == ("red",)
        assert known.seats("bridge") == ("referee",)

    def test_session_gets_a_new_token_with_each_seat(self, invitations: Invitations) -> None:
        # An attacker who planted the old token in another browser gains no access.
        first = invitations.exchange(invitations.invite("ford", "red").token)
        invitations.exchange(invitations.invite("ford", "blue").token, first.token)
        with pytest.raises(NotAuthorized, check=coded("session-over")):
            invitations.by_session(first.token)

    def test_link_is_not_a_token_of_a_program(self, invitations: Invitations) -> None:
        with pytest.raises(NotAuthorized, check=coded("token-of-a-link")):
            invitations.by_program(invitations.invite("ford", "red").token)

    def test_session_ends_when_its_user_leaves(self, invitations: Invitations) -> None:
        opened = invitations.exchange(invitations.invite("ford", "red").token)
        invitations.leave(opened.token)
        with pytest.raises(NotAuthorized):
            invitations.by_session(opened.token)

    def test_ended_session_does_not_block_a_new_link(self, invitations: Invitations) -> None:
        # Its cookie may still be sent; the link admits nevertheless, to its own seat alone.
        left = invitations.exchange(invitations.invite("ford", "red").token)
        invitations.leave(left.token)
        for cookie in (left.token, "no token at all"):
            opened = invitations.exchange(invitations.invite("ford", "blue").token, cookie)
            assert opened.admission.seats("ford") == ("blue",)

    def test_session_left_during_an_exchange_does_not_return(
        self, desk: umpire.Desk, invitations: Invitations, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        left = invitations.exchange(invitations.invite("ford", "red").token)
        link = invitations.invite("ford", "blue").token
        metadata = desk.ledger.metadata

        def leave_first() -> Any:
            monkeypatch.setattr(desk.ledger, "metadata", metadata)
            invitations.leave(left.token)
            return metadata()

        monkeypatch.setattr(desk.ledger, "metadata", leave_first)
        assert invitations.exchange(link, left.token).admission.seats("ford") == ("blue",)


class TestPrograms:
    def test_program_token_is_valid_repeatedly_for_its_game_only(self, invitations: Invitations) -> None:
        token = invitations.invite("ford", "blue", form="program").token
        for _ in range(2):
            known = invitations.by_program(token)
            assert known.seats("ford") == ("blue",)
            assert known.seats("bridge") == ()

    def test_program_token_cannot_be_exchanged(self, invitations: Invitations) -> None:
        with pytest.raises(NotAuthorized, check=coded("token-of-a-program")):
            invitations.exchange(invitations.invite("ford", "blue", form="program").token)


class TestExpiry:
    @pytest.mark.parametrize("form", ["link", "program"])
    def test_revoked_it_ends_at_once_with_all_that_it_let_in(self, invitations: Invitations, form: str) -> None:
        made = invitations.invite("ford", "red", form="link" if form == "link" else "program")
        session = invitations.exchange(made.token).token if form == "link" else ""
        invitations.revoke(made.invitation.id)
        if session:
            assert invitations.by_session(session, "ford").seats("ford") == ()
        else:
            with pytest.raises(NotAuthorized, check=coded("revoked")):
                invitations.by_program(made.token)

    def test_revoked_in_the_moment_of_its_first_use_it_stays_revoked(
        self, desk: umpire.Desk, invitations: Invitations, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Check that the note of the first use does not overwrite a simultaneous note of the referee."""
        made = invitations.invite("ford", "red", form="program")
        verify = Invitations._verify

        def verify_and_revoke(self: Invitations, found: Any, secret: str) -> None:
            verify(self, found, secret)
            monkeypatch.setattr(Invitations, "_verify", verify)
            desk.invitations.revoke(made.invitation.id)

        monkeypatch.setattr(Invitations, "_verify", verify_and_revoke)
        invitations.by_program(made.token)
        with pytest.raises(NotAuthorized, check=coded("revoked")):
            invitations.by_program(made.token)
        (only,) = invitations.listed("ford")
        assert only.used_at
        assert only.revoked_at

    def test_invitation_expires(self, desk: umpire.Desk, invitations: Invitations) -> None:
        made = invitations.invite("ford", "red", form="program", lasts=timedelta(hours=1))
        now = desk.ledger.clock()
        desk.ledger.clock = lambda: now + timedelta(hours=2)
        with pytest.raises(NotAuthorized, check=coded("expired")):
            invitations.by_program(made.token)

    def test_another_game_s_referee_does_not_end_it(self, invitations: Invitations) -> None:
        made = invitations.invite("ford", "red")
        with pytest.raises(umpire.NotThere) as refusal:
            invitations.revoke(made.invitation.id, "bridge")
        assert refusal.value.remedy.endswith(": none")


class TestToken:
    @IN_A_FILE
    def test_stored_invitation_has_only_the_hash_of_its_token(
        self, desk: umpire.Desk, invitations: Invitations, tmp_path: Path
    ) -> None:
        made = invitations.invite("ford", "red")
        opened = invitations.exchange(made.token)
        desk.close()
        kept = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
        assert made.invitation.id.encode() in kept
        for token in (made.token, opened.token):
            assert token.partition(".")[2].encode() not in kept

    def test_wrong_token_of_256_bits_is_refused(self, invitations: Invitations) -> None:
        made = invitations.invite("ford", "red", form="program")
        assert len(made.token.partition(".")[2]) == 43  # 32 bytes in base64
        wrong = made.token[:-1] + ("A" if made.token[-1] != "A" else "B")
        for token in (wrong, made.invitation.id, "", "." * 60, made.token + "A", "f" * 16 + made.token[16:]):
            with pytest.raises(NotAuthorized, check=coded("unknown-token")):
                invitations.by_program(token)

    def test_export_contains_no_invitation(self, desk: umpire.Desk, invitations: Invitations, tmp_path: Path) -> None:
        made = invitations.invite("ford", "red")
        desk.game("ford").export(tmp_path / "whole.jsonl", seat="referee", whole=True)
        assert made.invitation.id not in (tmp_path / "whole.jsonl").read_text()


class TestRecords:
    def test_admission_of_a_referee_is_recorded_once(self, desk: umpire.Desk, invitations: Invitations) -> None:
        token = invitations.invite("ford", "referee", form="program").token
        for _ in range(2):
            held = invitations.by_program(token).held[0]
            invitations.record(held, "ford")
        assert [held.invitation in text for text in texts(desk)].count(True) == 1

    def test_order_with_the_same_id_does_not_hide_an_admission(
        self, desk: umpire.Desk, invitations: Invitations
    ) -> None:
        made = invitations.invite("ford", "referee", form="program")
        desk.game("ford").seat("red").note("hm", id=f"let-in-{made.invitation.id}")
        for _ in range(2):
            invitations.record(invitations.by_program(made.token).held[0], "ford")
        assert [text.endswith(f" {made.invitation.id}") for text in texts(desk)].count(True) == 1

    @pytest.mark.parametrize(("times", "recorded"), [(1, 1), (7, 1), (8, 0)])
    def test_admission_is_recorded_or_refused_if_others_write_first(
        self, desk: umpire.Desk, invitations: Invitations, monkeypatch: pytest.MonkeyPatch, times: int, recorded: int
    ) -> None:
        held = invitations.exchange(invitations.invite("ford", "referee").token).seat
        late = [umpire.PositionConflict(game="ford", expected=2, found=3) for _ in range(times)]
        record = OpenGame.record

        def record_too_late(self: OpenGame, *order: Any, **more: Any) -> Any:
            if late:
                raise late.pop()
            return record(self, *order, **more)

        monkeypatch.setattr(OpenGame, "record", record_too_late)
        refused = contextlib.nullcontext() if recorded else pytest.raises(umpire.PositionConflict)
        with refused:
            invitations.record(held, "ford")
        assert not late
        assert sum("let in" in text for text in texts(desk)) == recorded

    def test_admission_of_an_operator_is_recorded_in_each_game(
        self, desk: umpire.Desk, invitations: Invitations
    ) -> None:
        token = invitations.invite(EVERY_GAME, "referee", form="program").token
        for game in ("ford", "bridge", "ford"):
            invitations.record(invitations.by_program(token).held[0], game)
        assert [sum("let in" in text for text in texts(desk, game)) for game in ("ford", "bridge")] == [1, 1]

    def test_admission_of_a_side_is_not_recorded(self, desk: umpire.Desk, invitations: Invitations) -> None:
        size = desk.game("ford").size
        invitations.record(invitations.exchange(invitations.invite("ford", "red").token).seat, "ford")
        assert desk.game("ford").size == size

    def test_invitation_in_a_game_closed_to_referee_is_public(self, desk: umpire.Desk) -> None:
        # The link of a side shows its secrets.
        desk.new_from_text("freeform", SCENARIO, id="closed", options={"secrets_closed_to_referee": True})
        made = desk.invitations.invite("closed", "red")
        assert texts(desk, "closed")[-1] == Naming("note", "red", "link", made.invitation.id)


class TestRefusals:
    def test_unknown_seat_is_refused(self, invitations: Invitations) -> None:
        with pytest.raises(umpire.NoSuchSeat) as refusal:
            invitations.invite("ford", "green")
        assert "red" in refusal.value.remedy

    def test_side_of_every_game_is_refused(self, invitations: Invitations) -> None:
        with pytest.raises(umpire.WrongUse):
            invitations.invite(EVERY_GAME, "red")

    @pytest.mark.parametrize("days", [0, -1, 400])
    def test_invalid_duration_is_refused(self, invitations: Invitations, days: int) -> None:
        with pytest.raises(umpire.WrongUse):
            invitations.invite("ford", "red", lasts=timedelta(days=days))


class TestSessions:
    def test_revoked_link_is_kept_in_no_session(self, desk: umpire.Desk, invitations: Invitations) -> None:
        red, blue, gone = (invitations.invite("ford", seat) for seat in ("red", "blue", "spectator"))
        session = invitations.exchange(red.token).token
        session = invitations.exchange(gone.token, session).token
        invitations.revoke(gone.invitation.id)
        assert gone.invitation.id not in kept_sessions(desk)
        assert [one.seat for one in invitations.by_session(session).held] == ["red"]
        session = invitations.exchange(blue.token, session).token
        assert {one.seat for one in invitations.by_session(session).held} == {"red", "blue"}

    def test_expired_link_is_dropped_with_the_next_one(
        self, desk: umpire.Desk, invitations: Invitations, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        short = invitations.invite("ford", "red", lasts=timedelta(minutes=1))
        session = invitations.exchange(short.token).token
        session = invitations.exchange(invitations.invite("ford", "blue").token, session).token
        assert short.invitation.id in kept_sessions(desk)
        now = desk.ledger.clock() + timedelta(minutes=2)
        monkeypatch.setattr(desk.ledger, "clock", lambda: now)
        invitations.exchange(invitations.invite("ford", "spectator").token, session)
        assert short.invitation.id not in kept_sessions(desk)


def kept_sessions(desk: umpire.Desk) -> str:
    return " ".join(note.value for note in desk.ledger.metadata_of_kind("session"))


class TestRevocationStamp:
    """Readers share an answer while the stamp is the same: each end of an access changes it, and nothing else does."""

    @pytest.fixture
    def session(self, invitations: Invitations) -> str:
        return invitations.exchange(invitations.invite("ford", "red").token).token

    def test_revocation_or_departure_changes_stamp(self, invitations: Invitations, session: str) -> None:
        stamps = [invitations.revocation_stamp]
        for seat in ("red", "blue"):
            invitations.revoke(invitations.invite("ford", seat, form="program").invitation.id)
            stamps.append(invitations.revocation_stamp)
        invitations.leave(session)
        stamps.append(invitations.revocation_stamp)
        assert len(set(stamps)) == 4

    def test_invited_or_refused_visitor_changes_nothing(self, invitations: Invitations, session: str) -> None:
        invitations.revoke(invitations.invite("ford", "blue").invitation.id)
        stamp = invitations.revocation_stamp
        session = invitations.exchange(invitations.invite("bridge", "referee").token, session).token
        with pytest.raises(NotAuthorized):
            invitations.leave("of.nobody")
        assert invitations.by_session(session, "ford").seats("ford") == ("red",)
        assert invitations.revocation_stamp == stamp


class TestManyInvitations:
    @pytest.mark.parametrize("known", [True, False])
    def test_token_is_looked_up_without_a_search(
        self, desk: umpire.Desk, invitations: Invitations, monkeypatch: pytest.MonkeyPatch, known: bool
    ) -> None:
        # An unknown token costs the same as a known one, for any number of invitations.
        made = invitations.invite("ford", "red", form="program")
        for _ in range(5):
            invitations.invite("ford", "blue")
        monkeypatch.setattr(type(desk.ledger), "metadata_of_kind", None)  # the list of all invitations is not read
        asked: list[str] = []
        look = type(desk.ledger).metadata_named

        def counted(self: Any, kind: str, name: str) -> Any:
            asked.append(name)
            return look(self, kind, name)

        monkeypatch.setattr(type(desk.ledger), "metadata_named", counted)
        token = made.token if known else f"{'f' * 16}{made.token[16:]}"
        with pytest.raises(NotAuthorized, check=coded("token-of-a-program" if known else "unknown-token")):
            invitations.exchange(token)
        if known:
            assert invitations.by_program(token).held[0].seat == "red"
        else:
            with pytest.raises(NotAuthorized, check=coded("unknown-token")):
                invitations.by_program(token)
        assert asked == [token[:16]] * 2

    @IN_A_FILE
    def test_invitation_is_found_by_an_index(self, desk: umpire.Desk, invitations: Invitations) -> None:
        invitations.invite("ford", "red")
        with sqlite3.connect(desk.where) as ledger:
            plan = ledger.execute(
                "EXPLAIN QUERY PLAN SELECT value FROM beside WHERE kind = 'invitation' AND name = 'x'"
            ).fetchall()
        assert "USING INDEX beside_named" in plan[0][3]

    @IN_A_FILE
    def test_ledger_without_the_index_admits_and_gets_it(self, desk: umpire.Desk, invitations: Invitations) -> None:
        made = invitations.invite("ford", "red", form="program")
        with sqlite3.connect(desk.where) as ledger:
            ledger.execute("DROP INDEX beside_named")
        assert invitations.by_program(made.token).held[0].seat == "red"
        with sqlite3.connect(desk.where) as ledger:
            found = ledger.execute("SELECT 1 FROM sqlite_master WHERE name = 'beside_named'").fetchall()
        assert found == [(1,)]


def test_only_games_of_the_admission_are_read(desk: umpire.Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    # A side of one game does not wait until a thousand others are read.
    read: list[str] = []
    listed = games_list.listed

    def counted(ledger: Any, game_id: str, find: Any) -> Any:
        read.append(game_id)
        return listed(ledger, game_id, find)

    monkeypatch.setattr(games_list, "listed", counted)
    assert [one.game for one in desk.games(among=["bridge"])] == ["bridge"]
    assert read == ["bridge"]
