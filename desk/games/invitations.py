"""Admit players and programs: make invitations to a seat, and exchange links for sessions.

An invitation is a random secret of 256 bits. It is shown once; the ledger stores its SHA-256 in the metadata of games,
so it is in no record, no export and no rebuild. There are two forms:

    link      for a person: exchanged once, for a session of their browser
    program   for a bot or a map program: sent with every request

A session has the seats of the links that were exchanged in it. An invitation ends when it expires, or as soon as it is
revoked, and the access through it ends at the same moment. An invitation for the referee of every game (`game` is "")
is the operator's. The game's log records the admission of a referee, once for each invitation and game.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Literal

import msgspec

from umpire_ledger.desk.core.authorship import authored
from umpire_ledger.desk.core.errors import NotAuthorized, WrongUse, not_there
from umpire_ledger.desk.core.open_game import FindGame
from umpire_ledger.desk.core.open_ledger import OpenLedger
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.order_batches import timestamp
from umpire_ledger.ledger.records.errors import PositionConflict
from umpire_ledger.ledger.storage.metadata import MetadataEntry, MetadataStore

INVITATION, SESSION, SHUT_OUT = "invitation", "session", "shut out"
"""Kinds of metadata entries. The name of an invitation or session is its public id."""
EVERY_GAME = ""
Find = Callable[[str, str, str], str | None]
Form = Literal["link", "program"]
LASTS = timedelta(days=30)
LONGEST = timedelta(days=366)
MOST_SEATS = 200
"""Maximum number of seats in one session."""
TRIES = 8
"""Maximum number of attempts to record the admission of a referee while others write."""
SECRET_BYTES = 32
_token = re.compile(r"([0-9a-f]{16})\.([A-Za-z0-9_-]{43})", re.ASCII).fullmatch


class Invitation(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation. Times are UTC, RFC 3339, "" for never.

    `game`: "" for every game. `who`: a name for the invited person or program. `used_at`: the time when a link was
    exchanged, or when a program first used the invitation.
    """

    id: str
    game: str
    seat: str
    form: Form
    made_at: str
    expires_at: str
    who: str = ""
    used_at: str = ""
    revoked_at: str = ""


class Invited(msgspec.Struct, frozen=True, kw_only=True):
    """A new invitation with its token, which cannot be shown again."""

    invitation: Invitation
    token: str


class GrantedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat in a session. `game`: "" for every game; `recorded`: games whose log records the admission."""

    game: str
    seat: str
    invitation: str
    expires_at: str
    recorded: tuple[str, ...] = ()


class Admission(msgspec.Struct, frozen=True, kw_only=True):
    """An admitted person or program. `id`: the public id of the session, or of the program's invitation."""

    id: str
    held: tuple[GrantedSeat, ...]

    @property
    def is_operator(self) -> bool:
        """Whether this is the referee of every game."""
        return any(one.game == EVERY_GAME for one in self.held)

    @property
    def watched(self) -> tuple[str, ...]:
        """The games in which a spectator's seat is the only one."""
        games = dict.fromkeys(one.game for one in self.held)
        return () if self.is_operator else tuple(game for game in games if set(self.seats(game)) == {SPECTATOR})

    def seats(self, game_id: str) -> tuple[str, ...]:
        """Return the seats in a game."""
        return tuple(dict.fromkeys(one.seat for one in self.held if one.game in (game_id, EVERY_GAME)))


class OpenedSession(msgspec.Struct, frozen=True, kw_only=True):
    """A session in exchange for a link: its token for the cookie, its admission, and the end of its validity."""

    token: str
    admission: Admission
    expires_at: str
    seat: GrantedSeat


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """An invitation as the ledger stores it."""

    hash: str
    invitation: Invitation
    recorded: tuple[str, ...] = ()


class _Session(msgspec.Struct, frozen=True, kw_only=True):
    """A session as the ledger stores it: its invitations by game and id."""

    hash: str
    expires_at: str
    invitations: tuple[tuple[str, str], ...]


_kept = msgspec.json.Decoder(_Kept).decode
_session = msgspec.json.Decoder(_Session).decode


class Invitations:
    """`desk.invitations`: make, list, revoke and exchange invitations, and check them at every request."""

    def __init__(self, opened: OpenLedger, find_game: FindGame) -> None:
        self._opened = opened
        self._find_game = find_game

    # --- for the referee ----------------------------------------------------------------------------------------------

    def invite(
        self, game_id: str, seat: str, *, form: Form = "link", lasts: timedelta = LASTS, who: str = ""
    ) -> Invited:
        """Create an invitation to a seat of a game; with `game_id` "", for the referee of all present and later games.

        Raises:
            NoSuchGame: When the ledger has no such game.
            NoSuchSeat: When the game has no such seat.
            WrongUse: When the seat is not the referee's for every game, or the time or the name is too long.
        """
        _verify_fits(lasts, who)
        # The referee of every game may be invited before the first game; a seat of a game requires an existing ledger.
        ledger = self._opened.ledger_for_writing if game_id == EVERY_GAME else self._opened.ledger
        if game_id == EVERY_GAME and seat != REFEREE:
            remedy = f"give a game, or invite the {REFEREE}"
            raise WrongUse(
                f"only the referee can be invited to every game, not {seat}",
                where="invitations",
                rule="seats",
                remedy=remedy,
            )
        id, secret = secrets.token_hex(8), secrets.token_urlsafe(SECRET_BYTES)
        if game_id != EVERY_GAME:
            played = self._find_game(game_id)
            played.verify_seat(seat)
            played.leave_a_trace(f"the referee invited {seat}: {form} {id}")
        made = Invitation(
            id=id,
            game=game_id,
            seat=seat,
            form=form,
            made_at=timestamp(self._now),
            expires_at=timestamp(self._now + lasts),
            who=" ".join(who.split()),
        )
        with ledger.metadata() as metadata:
            _put(metadata, _Kept(hash=_hash(secret), invitation=made))
        return Invited(invitation=made, token=f"{id}.{secret}")

    def listed(self, game_id: str | None = None) -> list[Invitation]:
        """Return the invitations to a game, to every game (""), or all of them (None), the oldest first."""
        found = [kept.invitation for kept in self._every(game_id)]
        return sorted(found, key=lambda one: (one.made_at, one.id))

    def revoke(self, id: str, game_id: str | None = None) -> Invitation:
        """End an invitation and all access through it at once. With `game_id`, it must be an invitation to that game.

        Raises:
            NotThere: When there is no such invitation.
        """
        known = {kept.invitation.id: kept for kept in self._every(game_id)}
        if id not in known:
            raise not_there("invitation", id, known, "invitations")
        with self._ledger.metadata() as metadata:
            _take_out(metadata, id)
            _shut_out(metadata)
            return _mark(metadata, known[id].invitation, revoked_at=timestamp(self._now))

    # --- admission ----------------------------------------------------------------------------------------------------

    def exchange(self, token: str, session: str = "") -> OpenedSession:
        """Exchange a link for a session.

        Args:
            session: The token of an earlier session, whose seats the new one keeps if it is still valid.

        Raises:
            NotAuthorized: When the token is unknown, used, expired, revoked, or a program's.
        """
        id, secret = _parts(token)
        found = self._find(id)
        self._verify(found, secret)
        assert found is not None
        if found.invitation.form != "link":
            raise _not_let_in(
                "token-of-a-program", "this token is for a program", "send it as a bearer token, or ask for a link"
            )
        with self._ledger.metadata() as metadata:
            _spend(metadata, found, timestamp(self._now))
            before = None
            with suppress(NotAuthorized):  # the link alone decides; an old session adds games only
                before = self._session_of(session, metadata.one)
            return self._open(metadata, found.invitation, before)

    def _open(self, metadata: MetadataStore, link: Invitation, before: "tuple[str, _Session] | None") -> OpenedSession:
        """Put a link into a session. Its token is always new, so that an attacker cannot have planted it."""
        held = _still_held(metadata, before[1].invitations if before else (), timestamp(self._now))
        if len(held) >= MOST_SEATS:
            what = f"this session already has {MOST_SEATS} seats"
            raise _not_let_in("session-full", what, "sign out, then use the link again")
        if before:
            metadata.drop(EVERY_GAME, SESSION, before[0])
        for entry in metadata.of(SESSION, EVERY_GAME):
            if _session(entry.value).expires_at <= timestamp(self._now):
                metadata.drop(EVERY_GAME, SESSION, entry.name)
        id, secret = secrets.token_hex(8), secrets.token_urlsafe(SECRET_BYTES)
        opened = _Session(
            hash=_hash(secret),
            expires_at=max(link.expires_at, before[1].expires_at if before else ""),
            invitations=(*held, (link.game, link.id)),
        )
        metadata.put(MetadataEntry(EVERY_GAME, SESSION, id, msgspec.json.encode(opened).decode()))
        seats = tuple(self._held(opened.invitations))
        return OpenedSession(
            token=f"{id}.{secret}",
            admission=Admission(id=id, held=seats),
            expires_at=opened.expires_at,
            seat=next((one for one in seats if one.invitation == link.id), _held_by(_Kept(hash="", invitation=link))),
        )

    def leave(self, session: str) -> None:
        """End a session.

        Raises:
            NotAuthorized: When there is no such session.
        """
        id, _ = self._session_of(session)
        with self._ledger.metadata() as metadata:
            metadata.drop(EVERY_GAME, SESSION, id)
            _shut_out(metadata)

    @property
    def revocation_stamp(self) -> str:
        """A word that changes when access is revoked. While it stays the same, an admission can only have expired."""
        return self._ledger.metadata_value(EVERY_GAME, SHUT_OUT) or ""

    def by_session(self, token: str, game_id: str | None = None) -> Admission:
        """Return the admission of a session, with its seats in a game, or (None) in all games.

        Raises:
            NotAuthorized: When there is no such session, or it is over.
        """
        id, session = self._session_of(token)
        wanted = (one for one in session.invitations if game_id is None or one[0] in (game_id, EVERY_GAME))
        return Admission(id=id, held=tuple(self._held(wanted)))

    def by_program(self, token: str) -> Admission:
        """Return the admission of a program by its token.

        Raises:
            NotAuthorized: When the token is not a program's, or not valid.
        """
        id, secret = _parts(token)
        found = self._find(id)
        self._verify(found, secret)
        assert found is not None
        if found.invitation.form != "program":
            raise _not_let_in(
                "token-of-a-link",
                "this token belongs to a link",
                "open the link in a browser, or ask for a program token",
            )
        if not found.invitation.used_at:
            with self._ledger.metadata() as metadata:
                _mark(metadata, found.invitation, used_at=timestamp(self._now))
        return Admission(id=id, held=(_held_by(found),))

    def record(self, held: GrantedSeat, game_id: str) -> None:
        """Record the admission of a referee in the log of a game, once for each invitation."""
        if held.seat != REFEREE or game_id in held.recorded:
            return
        self._note(game_id, f"the referee was let in by invitation {held.invitation}", f"let-in-{held.invitation}")
        with self._ledger.metadata() as metadata:
            raw = metadata.one(held.game, INVITATION, held.invitation)
            if raw is not None and game_id not in (kept := _kept(raw)).recorded:
                _put(metadata, msgspec.structs.replace(kept, recorded=(*kept.recorded, game_id)))

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _note(self, game_id: str, text: str, id: str) -> None:
        """Record a note in a game's log, under another id if another order has this one."""
        for left in range(TRIES, 0, -1):
            try:
                note = authored({"order": "note", "text": text, "about": 0}, REFEREE)
                self._find_game(game_id).record({**note, "id": id})
            except PositionConflict:
                if left == 1:
                    raise
            except RuleViolation as refusal:
                if refusal.rule != "command ids":
                    return  # a game that accepts no orders accepts no note either
                id = secrets.token_hex(8)
            else:
                return

    @property
    def _ledger(self) -> Ledger[Game]:
        return self._opened.ledger

    @property
    def _now(self) -> datetime:
        return self._ledger.clock()

    def _every(self, game_id: str | None) -> Iterator[_Kept]:
        return (_kept(entry.value) for entry in self._ledger.metadata_of_kind(INVITATION, game_id))

    def _find(self, id: str) -> _Kept | None:
        """Return an invitation by its id, with the same work for an unknown id."""
        return next((_kept(entry.value) for entry in self._ledger.metadata_named(INVITATION, id)), None)

    def _session_of(self, token: str, find: Find | None = None) -> tuple[str, _Session]:
        """Return a session with its id. `find`: reads its entry inside a transaction.

        Raises:
            NotAuthorized: When there is no such session, or it is over.
        """
        id, secret = _parts(token)
        raw = (find or self._ledger.metadata_value)(EVERY_GAME, SESSION, id)
        found = None if raw is None else _session(raw)
        known = _matches_hash(secret, found.hash if found else "")
        if found is None or not known or found.expires_at <= timestamp(self._now):
            raise _not_let_in("session-over", "this session has ended", "ask the referee for a new link")
        return id, found

    def _held(self, invitations: Iterable[tuple[str, str]]) -> Iterator[GrantedSeat]:
        """Yield the seats of the invitations that are still valid."""
        now = timestamp(self._now)
        for game, id in invitations:
            raw = self._ledger.metadata_value(game, INVITATION, id)
            if raw is not None and not (kept := _kept(raw)).invitation.revoked_at and kept.invitation.expires_at > now:
                yield _held_by(kept)

    def _verify(self, found: _Kept | None, secret: str) -> None:
        """Verify an invitation and its secret; give the reason for a refusal only to the holder of the secret.

        Raises:
            NotAuthorized: When the secret is wrong, or the invitation is revoked or expired.
        """
        if not _matches_hash(secret, found.hash if found else "") or found is None:
            raise _not_let_in("unknown-token", "this token is not valid", "ask the referee for a new one")
        if found.invitation.revoked_at or found.invitation.expires_at <= timestamp(self._now):
            code, ended = ("revoked", "was revoked") if found.invitation.revoked_at else ("expired", "has expired")
            raise _not_let_in(code, f"this invitation {ended}", "ask the referee for a new one")


def _verify_fits(lasts: timedelta, who: str) -> None:
    if not timedelta(0) < lasts <= LONGEST:
        what, remedy = f"an invitation cannot last {lasts}", f"use at most {LONGEST.days} days"
        raise WrongUse(what, where="invitations", rule="invitations", remedy=remedy)
    if len(who) > 80:
        raise WrongUse("the name is too long", where="invitations", rule="limits", remedy="use at most 80 characters")


def _parts(token: str) -> tuple[str, str]:
    """Return id and secret of a token.

    Raises:
        NotAuthorized: When it is not a token.
    """
    found = _token(token)
    if found is None:
        raise _not_let_in("unknown-token", "this token is not valid", "ask the referee for a new one")
    return found[1], found[2]


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def _matches_hash(secret: str, stored_hash: str) -> bool:
    """Compare a secret with a stored hash in constant time, even if there is no stored hash."""
    return hmac.compare_digest(_hash(secret), stored_hash or "0" * 64)


def _still_held(metadata: MetadataStore, held: Iterable[tuple[str, str]], now: str) -> tuple[tuple[str, str], ...]:
    """Return the invitations that are neither revoked nor expired, which a session keeps."""

    def ended(raw: str | None) -> bool:
        return raw is None or bool(_kept(raw).invitation.revoked_at) or _kept(raw).invitation.expires_at <= now

    return tuple((game, id) for game, id in held if not ended(metadata.one(game, INVITATION, id)))


def _take_out(metadata: MetadataStore, id: str) -> None:
    """Remove an invitation from every session that contains it."""
    for entry in metadata.of(SESSION, EVERY_GAME):
        session = _session(entry.value)
        left = tuple(one for one in session.invitations if one[1] != id)
        if left != session.invitations:
            kept = msgspec.structs.replace(session, invitations=left)
            metadata.put(entry._replace(value=msgspec.json.encode(kept).decode()))


def _shut_out(metadata: MetadataStore) -> None:
    metadata.put(MetadataEntry(EVERY_GAME, SHUT_OUT, "", secrets.token_hex(8)))


def _put(metadata: MetadataStore, kept: _Kept) -> None:
    one = kept.invitation
    metadata.put(MetadataEntry(one.game, INVITATION, one.id, msgspec.json.encode(kept).decode()))


def _mark(metadata: MetadataStore, invitation: Invitation, **marks: str) -> Invitation:
    """Read an invitation in this transaction and mark it, so that its other marks stay."""
    raw = metadata.one(invitation.game, INVITATION, invitation.id)
    now = _kept(raw) if raw is not None else None
    if now is None:
        return msgspec.structs.replace(invitation, **marks)
    marked = msgspec.structs.replace(now, invitation=msgspec.structs.replace(now.invitation, **marks))
    _put(metadata, marked)
    return marked.invitation


def _spend(metadata: MetadataStore, found: _Kept, at: str) -> None:
    """Mark a link as used, in a transaction: if two people use it at once, only one is admitted.

    Raises:
        NotAuthorized: When the link was used or revoked.
    """
    raw = metadata.one(found.invitation.game, INVITATION, found.invitation.id)
    now = _kept(raw).invitation if raw is not None else None
    if now is None or now.used_at or now.revoked_at:
        raise _not_let_in(
            "link-used",
            "this link has already been used",
            "a link works once: ask the referee for a new link, and tell them if you did not use this one",
        )
    _mark(metadata, now, used_at=at)


def _held_by(kept: _Kept) -> GrantedSeat:
    one = kept.invitation
    return GrantedSeat(
        game=one.game, seat=one.seat, invitation=one.id, expires_at=one.expires_at, recorded=kept.recorded
    )


def _not_let_in(code: str, what: str, remedy: str) -> NotAuthorized:
    return NotAuthorized(what, where="invitations", rule="invitations", remedy=remedy, code=code)
