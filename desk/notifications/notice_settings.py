"""Read the settings for notices: options override the environment, and the environment overrides a configuration.

Only this module knows the names of the settings. A secret is never an option, because all users of the machine can read
a command line. It comes from the environment, from a file that an option names (`@FILE`), or from a configuration.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import get_args
from urllib.parse import urlsplit

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.text_files import read_text
from umpire_ledger.desk.notifications.email import Mbox, Server, Smtp, Tls
from umpire_ledger.desk.notifications.sender import Channel
from umpire_ledger.desk.notifications.webhook import Webhook

VARIABLES = {
    "webhook": "UMPIRE_WEBHOOK",
    "smtp_host": "UMPIRE_SMTP_HOST",
    "smtp_port": "UMPIRE_SMTP_PORT",
    "smtp_tls": "UMPIRE_SMTP_TLS",
    "smtp_user": "UMPIRE_SMTP_USER",
    "smtp_password": "UMPIRE_SMTP_PASSWORD",
    "smtp_from": "UMPIRE_SMTP_FROM",
    "addresses": "UMPIRE_ADDRESSES",
    "remind": "UMPIRE_REMIND",
}
"""Each setting and its variable. A configuration uses the names on the left."""
MOST = 65536
"""Maximum size of a file with a setting, in bytes."""


class NoticeSettings:
    """The settings, each from the first source that has it: options, the environment, a configuration."""

    def __init__(
        self,
        given: Mapping[str, str],
        environment: Mapping[str, str],
        beneath: Mapping[str, str] | None = None,
    ) -> None:
        self._sources = (
            given,
            {name: environment[variable] for name, variable in VARIABLES.items() if environment.get(variable)},
            beneath or {},
        )

    def get(self, name: str) -> str:
        """Return a setting; "" if it is not set."""
        return next((found for source in self._sources if (found := source.get(name, ""))), "")

    def webhook(self, typed: str = "") -> Webhook:
        """Return the typed webhook (a URL, or a @FILE that contains it); without one, the webhook of the settings.

        Raises:
            WrongUse: When there is none, or its URL is not valid.
        """
        url = _from_file(typed) or self.get("webhook")
        if not url:
            raise _missing("no webhook is configured", "set UMPIRE_WEBHOOK to its URL, or use --webhook @FILE")
        return Webhook(url)

    def mail(self, typed: str = "") -> Channel:
        """Return a channel to an mbox file or a server (`smtp://HOST:PORT`, `smtps://HOST`; "": the settings' server).

        Raises:
            WrongUse: When a setting is not valid, or no seat has an address.
        """
        addresses = self.addresses()
        in_file = typed and "://" not in typed
        channel = Mbox(typed, addresses, self.get("smtp_from")) if in_file else Smtp(self._server(typed), addresses)
        if not addresses:
            raise _missing("no seat has an e-mail address", "add --address, or set UMPIRE_ADDRESSES")
        return channel

    def given_addresses(self) -> dict[str, str]:
        """Return the addresses from options only, without the environment and a configuration."""
        return NoticeSettings(self._sources[0], {}).addresses()

    def addresses(self) -> dict[str, str]:
        """Return the addresses of all sources by seat: `athens=anna@example.org, harbour/syracuse=…`.

        Raises:
            WrongUse: When an address does not have this form.
        """
        found: dict[str, str] = {}
        for source in reversed(self._sources):
            for one in filter(str.strip, source.get("addresses", "").split(",")):
                seat, equals, address = one.partition("=")
                if not equals or not seat.strip() or not address.strip():
                    raise _missing("an address has no seat", "use SEAT=ADDRESS or GAME/SEAT=ADDRESS")
                found[seat.strip()] = address.strip()
        return found

    def _server(self, typed: str) -> Server:
        host, port, tls = self.get("smtp_host"), self.get("smtp_port"), self.get("smtp_tls") or "auto"
        if typed:
            host, port, scheme = _address_of(typed)
            tls = "tls" if scheme == "smtps" else tls
        modes: dict[str, Tls] = {mode: mode for mode in get_args(Tls)}
        if tls not in modes:
            raise _missing(f"UMPIRE_SMTP_TLS cannot be {tls!r}", f"use one of: {', '.join(modes)}")
        if port and not (port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65536):
            raise _missing(f"{port!r} is not a port", "use a number from 1 to 65535")
        return Server(
            host=host,
            port=int(port or 0),
            tls=modes[tls],
            user=self.get("smtp_user"),
            password=self.get("smtp_password"),
            sender=self.get("smtp_from"),
        )


def _address_of(typed: str) -> tuple[str, str, str]:
    """Return host, port and scheme.

    Raises:
        WrongUse: When the text is not a server's address, or has a user or password, which the error does not repeat.
    """
    try:
        parts = urlsplit(typed)
        host, port = parts.hostname or "", str(parts.port or "")
    except ValueError:
        raise _missing("the mail server's address is not valid", "use smtp://HOST:PORT or smtps://HOST") from None
    if parts.username is not None or parts.password is not None:
        what = "all users of this machine can read a user name or password on the command line"
        raise _missing(what, "set UMPIRE_SMTP_USER and UMPIRE_SMTP_PASSWORD instead")
    if parts.scheme not in ("smtp", "smtps") or not host:
        raise _missing("the mail server's address is not valid", "use smtp://HOST:PORT or smtps://HOST")
    return host, port, parts.scheme


def _from_file(typed: str) -> str:
    return read_text(Path(typed[1:]), MOST).strip() if typed.startswith("@") else typed


def _missing(what: str, remedy: str) -> WrongUse:
    return WrongUse(what, where="notices", rule="notices", remedy=remedy)
