"""Send notices as mail: to an mbox file, or through an SMTP server.

A password is sent only over TLS or to this machine. No error, stored attempt or channel name contains it.
"""

import contextlib
import mailbox
import os
import smtplib
import ssl
from collections.abc import Iterator, Mapping
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec

from umpire_ledger.desk.core.errors import DeliveryUnconfirmed, NotSent, WrongUse
from umpire_ledger.ledger.ledger import utc_now
from umpire_ledger.projections.record.escaping import inert
from umpire_ledger.projections.reports.notices import Notice

TIMEOUT = 15.0
"""Seconds for each step of a connection."""
Tls = Literal["auto", "starttls", "tls", "none"]
"""`tls`: from the first byte. `starttls`: before any other command. `auto`: if the server offers STARTTLS."""
NOBODY = "nobody@umpire.invalid"
LATER = "unsent notifications are sent next time"

Addresses = Mapping[str, str]
"""Addresses by seat: `athens` in every game, `harbour/athens` in one game."""


class Server(msgspec.Struct, frozen=True, kw_only=True):
    """An SMTP server and its user. `sender`: the address in the From header."""

    host: str
    port: int = 0
    tls: Tls = "auto"
    user: str = ""
    password: str = ""
    sender: str = ""

    def __repr__(self) -> str:
        return f"Server({self.host})"


def message(notice: Notice, sender: str, address: str) -> EmailMessage:
    """Return a notice as a message. A repeated notice has the same id, so that a mail reader can recognize it."""
    mail = EmailMessage()
    mail["From"] = Address(display_name="Umpire", addr_spec=sender)
    mail["To"] = Address(display_name=inert(f"{notice.seat} ({notice.name})"), addr_spec=address)
    mail["Subject"] = notice.subject
    mail["Date"] = format_datetime(utc_now())
    positions = [point.position for point in notice.points]
    told = f"{notice.game} {notice.seat} {positions}{notice.reminds and f' {notice.reminds}'}"
    mail["Message-ID"] = f"<{sha256(told.encode()).hexdigest()[:32]}@umpire.invalid>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(notice.text + "\n")
    return mail


def address_of(notice: Notice, addresses: Addresses) -> str:
    """Return the address of a notice's seat; "" if it has none."""
    return addresses.get(f"{notice.game}/{notice.seat}") or addresses.get(notice.seat, "")


class Mbox:
    """A file of messages, readable by mail programs; created with the first message."""

    def __init__(self, file: str | Path, addresses: Addresses, sender: str = "") -> None:
        self._file = Path(file)
        self._addresses = addresses
        self._sender = _verified(sender, "the sender") if sender else NOBODY
        for seat, address in addresses.items():
            _verified(address, seat)

    @property
    def name(self) -> str:
        """Name of the channel in its marks."""
        return f"mbox:{sha256(os.path.abspath(self._file).encode()).hexdigest()[:16]}"

    def __repr__(self) -> str:
        return f"mbox {self._file}"

    def reaches(self, notice: Notice) -> bool:
        """Return whether the seat has an address."""
        return bool(address_of(notice, self._addresses))

    def tell(self, notice: Notice) -> None:
        """Append the notice to the file.

        Raises:
            NotSent: When the file cannot be written.
        """
        mail = message(notice, self._sender, address_of(notice, self._addresses))
        if (
            self._file.exists() and not self._file.is_file() and not self._file.is_dir()
        ):  # reading a device may never end
            remedy = f"give a regular file; {LATER}"
            raise NotSent(f"{self!r} cannot be written: not a regular file", where=str(self._file), remedy=remedy)
        try:
            with contextlib.closing(mailbox.mbox(self._file)) as box:
                box.lock()
                box.add(mail)
        except (OSError, mailbox.Error) as error:
            why = getattr(error, "strerror", None) or "another program has locked it"
            remedy = f"check the folder, its free space and permissions; {LATER}"
            raise NotSent(f"{self!r} cannot be written: {why}", where=str(self._file), remedy=remedy) from error

    def close(self) -> None:
        """Do nothing: the file is closed after each message."""


class Smtp:
    """An SMTP server, connected with the first message.

    Raises:
        WrongUse: When a setting cannot be used.
    """

    def __init__(
        self,
        server: Server,
        addresses: Addresses,
        *,
        timeout: float = TIMEOUT,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        if not server.host:
            raise _unusable("no SMTP server is configured", "use --mail smtp://HOST:PORT or set UMPIRE_SMTP_HOST")
        if not server.sender:
            raise _unusable("no sender is configured", "use --from ADDRESS or set UMPIRE_SMTP_FROM")
        _verified(server.sender, "the sender")
        for seat, address in addresses.items():
            _verified(address, seat)
        self._server = server
        self._port = server.port or (465 if server.tls == "tls" else 587 if server.user else 25)
        self._addresses = addresses
        self._timeout = timeout
        self._trust = trust
        self._open: smtplib.SMTP | None = None

    @property
    def name(self) -> str:
        """Name of the channel in its marks, the same for every mail server."""
        return "mail"

    def __repr__(self) -> str:
        return f"mail server {self._server.host}:{self._port}"

    def reaches(self, notice: Notice) -> bool:
        """Return whether the seat has an address."""
        return bool(address_of(notice, self._addresses))

    def tell(self, notice: Notice) -> None:
        """Send the notice through the server.

        Raises:
            NotSent: When the server refuses it or cannot be reached.
            DeliveryUnconfirmed: When the connection broke before the answer.
        """
        address = address_of(notice, self._addresses)
        mail = message(notice, self._server.sender, address)
        smtp = self._connected()
        with self._trouble():
            self._answer(smtp.mail(self._server.sender), "the sender")
            self._answer(smtp.rcpt(address), f"the address of {notice.seat}", stops=False)
        try:
            code, _ = smtp.data(mail.as_bytes())
        except smtplib.SMTPDataError as error:
            raise self._refused(error.smtp_code, "the message") from None
        except (OSError, smtplib.SMTPException) as error:
            self._open = None
            what = f"{self!r} failed ({_why(error)}): it is unknown whether the message was accepted"
            raise DeliveryUnconfirmed(what, where=self._server.host) from None
        if code != 250:
            self._reset(smtp)
            raise self._refused(code, "the message", stops=False)

    def close(self) -> None:
        """Close the connection, if there is one."""
        smtp, self._open = self._open, None
        if smtp is not None:
            with contextlib.suppress(OSError, smtplib.SMTPException):  # every message was answered
                smtp.quit()

    def _connected(self) -> smtplib.SMTP:
        if self._open is None:
            with self._trouble():
                self._open = self._connect()
        return self._open

    def _connect(self) -> smtplib.SMTP:
        server, trust = self._server, self._trust or ssl.create_default_context()
        if server.tls == "tls":
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(server.host, self._port, timeout=self._timeout, context=trust)
        else:
            smtp = smtplib.SMTP(server.host, self._port, timeout=self._timeout)
        try:
            smtp.ehlo()
            secure = server.tls == "tls"
            if server.tls == "starttls" or (server.tls == "auto" and smtp.has_extn("starttls")):
                smtp.starttls(context=trust)
                smtp.ehlo()
                secure = True
            if server.user:
                self._verify_secret(secure=secure)
                smtp.login(server.user, server.password)
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _verify_secret(self, *, secure: bool) -> None:
        if not secure and self._server.host not in ("localhost", "127.0.0.1", "::1"):
            remedy = "use a server with TLS: smtps://HOST, or UMPIRE_SMTP_TLS=starttls"
            raise NotSent(
                f"{self!r} does not offer TLS, so the password would be sent unencrypted",
                where=self._server.host,
                remedy=remedy,
            )

    def _answer(self, answer: tuple[int, bytes], what: str, *, stops: bool = True) -> None:
        if answer[0] not in (250, 251):
            if self._open is not None:
                self._reset(self._open)
            raise self._refused(answer[0], what, stops=stops)

    def _reset(self, smtp: smtplib.SMTP) -> None:
        with contextlib.suppress(OSError, smtplib.SMTPException):  # the refusal is reported
            smtp.rset()

    def _refused(self, code: int, what: str, *, stops: bool = True) -> NotSent:
        later = "" if code >= 500 else " temporarily"
        remedy = f"check {what}; {LATER}" if code >= 500 else f"run it again later; {LATER}"
        return NotSent(f"{self!r} refused {what}{later} ({code})", where=self._server.host, remedy=remedy, stops=stops)

    @contextlib.contextmanager
    def _trouble(self) -> Iterator[None]:
        """Turn errors before the message into NotSent.

        The error leaves out the server's answer, because it may repeat the password.
        """
        try:
            yield
        except smtplib.SMTPAuthenticationError as error:
            remedy = "check UMPIRE_SMTP_USER and UMPIRE_SMTP_PASSWORD"
            what = f"{self!r} rejected the user or password ({error.smtp_code})"
            raise NotSent(what, where=self._server.host, remedy=remedy) from None
        except (OSError, smtplib.SMTPException) as error:
            self._open = None
            remedy = f"check the server's host and port, and UMPIRE_SMTP_TLS; {LATER}"
            what = f"{self!r} cannot be used: {_why(error)}"
            raise NotSent(what, where=self._server.host, remedy=remedy) from None


def _why(error: Exception) -> str:
    """Return the reason for an error, without any text from the connection."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return "it supports no TLS version that Umpire knows"
    if isinstance(error, smtplib.SMTPNotSupportedError):
        return "it does not offer TLS or login"
    if isinstance(error, smtplib.SMTPServerDisconnected):
        return "it closed the connection"
    if isinstance(error, smtplib.SMTPResponseException):
        return f"it answered {error.smtp_code}"
    if isinstance(error, TimeoutError):
        return "timeout"
    return getattr(error, "strerror", None) or type(error).__name__


def _verified(address: str, whose: str) -> str:
    """Verify that an address is valid in a header, and return it.

    Raises:
        WrongUse: When it is not.
    """
    try:
        Address(addr_spec=address).addr_spec.encode("ascii")
        if "@" not in address or not address.isprintable():
            raise ValueError
    except (ValueError, IndexError, MessageError):
        raise _unusable(f"the address of {whose} is not valid", "use the form name@example.org, in ASCII") from None
    return address


def _unusable(what: str, remedy: str) -> WrongUse:
    return WrongUse(what, where="mail", rule="notices", remedy=remedy)
