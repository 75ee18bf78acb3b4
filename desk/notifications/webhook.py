"""Send notices to a webhook: one POST of JSON each, in a form for Discord, Matrix, Slack and Mattermost.

The URL of a webhook is a secret, because it permits posting. Errors, stored attempts and channel names contain at most
its host. Redirects are not followed, and certificates are always checked.
"""

import http.client
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import msgspec

from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.desk.core.errors import DeliveryUnconfirmed, NotSent, WrongUse
from umpire_ledger.projections.reports.notices import Notice

TIMEOUT = 10.0
"""Seconds for each step of a connection."""
PATIENCE = 30.0
"""Maximum total seconds that a webhook may ask to wait; after that, the notice is left for next time."""
MOST_CONTENT = 2000
"""Maximum length of a message in Discord, in characters."""
LATER = "run it again later; unsent notifications are sent then"
NOBODY_KNOWS = (HTTPStatus.BAD_GATEWAY, HTTPStatus.GATEWAY_TIMEOUT)
"""Answers that a gateway gives itself, although the server may have accepted the notice."""
TAKEN = (HTTPStatus.CREATED, HTTPStatus.ACCEPTED, HTTPStatus.NO_CONTENT)
MOST_ANSWER = 4096
"""Maximum number of bytes to read of an answer."""
REMEDIES = {
    400: "the webhook rejected the JSON: check that it belongs to Discord, Matrix (hookshot), Slack or Mattermost",
    401: "the webhook rejected its token: copy its URL again",
    403: "the webhook does not allow posting: copy its URL again",
    404: "the webhook does not exist: it was deleted, or its URL is incomplete",
    410: "the webhook was deleted: create a new one",
}

_MARKUP = str.maketrans({char: f"\\{char}" for char in "\\`*_~|[]<>"})


class Webhook:
    """A webhook at a URL.

    Raises:
        WrongUse: When the URL is not an http or https URL. The error does not repeat it.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT, sleep: Callable[[float], None] = time.sleep) -> None:
        self._url = url.strip()
        self._host = _verified_host(self._url)
        self._timeout = timeout
        self._sleep = sleep
        self._waited = 0.0
        self._opener = urllib.request.build_opener(_NoOtherAddress)

    @property
    def name(self) -> str:
        """Name of the channel in its marks: a hash of the URL, so that each webhook has its own marks."""
        return f"webhook:{sha256(self._url.encode()).hexdigest()[:16]}"

    def __repr__(self) -> str:
        return f"webhook at {self._host}"

    def reaches(self, notice: Notice) -> bool:
        """Return True, because every reader of the webhook's channel sees each notice."""
        return True

    def tell(self, notice: Notice) -> None:
        """Post a notice; if the webhook asks for a short wait, post it again.

        Raises:
            NotSent: When the webhook refuses it or cannot be reached.
            DeliveryUnconfirmed: When its delivery is unknown.
        """
        body = msgspec.json.encode(payload(notice))
        while (pause := self._post(body)) is not None:
            self._waited += pause
            if self._waited > PATIENCE:
                raise self._not_sent(
                    f"asks to wait {pause:.0f} s", "run it again later; unsent notifications are sent then"
                )
            self._sleep(pause)

    def close(self) -> None:
        """Do nothing: each POST has its own connection."""

    def _post(self, body: bytes) -> float | None:
        """Post once; return None if the post was accepted, else the seconds that the webhook asks to wait."""
        headers = {"Content-Type": "application/json", "User-Agent": f"umpire-ledger/{EDITION}"}
        request = urllib.request.Request(self._url, data=body, headers=headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                if response.status not in TAKEN:
                    self._verify_taken(response.status, response.read(MOST_ANSWER))
                return None
        except urllib.error.HTTPError as error:
            with error:
                return self._answered(error.code, error.headers.get("Retry-After", ""))
        except urllib.error.URLError as error:  # during the connection, or before the request was complete
            raise self._unreachable(error.reason) from None
        except (OSError, http.client.HTTPException) as error:  # the request was complete, and no answer came
            what = f"{self!r} did not answer ({_why(error)}): it is unknown whether the notification was delivered"
            raise DeliveryUnconfirmed(what, where=self._host) from None

    def _verify_taken(self, code: int, body: bytes) -> None:
        """Verify that an answer is from the webhook itself.

        Raises:
            DeliveryUnconfirmed: When a proxy may have answered: with 203, or with a web page such as a login.
        """
        is_page = body.lstrip()[:1] == b"<"
        if code == HTTPStatus.OK and not is_page:
            return
        said = "with a web page" if is_page else _phrase(code)
        what = f"{self!r} answered {code} {said}, perhaps a proxy: it is unknown whether the notification was delivered"
        raise DeliveryUnconfirmed(what, where=self._host)

    def _answered(self, code: int, retry_after: str) -> float:
        if code == HTTPStatus.TOO_MANY_REQUESTS:
            return seconds_of(retry_after)
        said = f"{code} {_phrase(code)}".strip()
        if code in NOBODY_KNOWS:
            what = f"{self!r} answered {said}: it is unknown whether the notification was delivered"
            raise DeliveryUnconfirmed(what, where=self._host)
        if 300 <= code < 400:
            remedy = "use the final URL: Umpire does not follow redirects"
            raise self._not_sent(f"answered {said}, a redirect", remedy)
        remedy = REMEDIES.get(code, LATER)
        raise self._not_sent(f"answered {said}", remedy)

    def _unreachable(self, why: object) -> NotSent:
        if isinstance(why, ssl.SSLCertVerificationError):
            remedy = "check the URL; for your own certificate, set SSL_CERT_FILE"
            return self._not_sent(f"has a certificate that is not trusted: {why.verify_message}", remedy)
        if isinstance(why, ssl.SSLError):
            return self._not_sent(
                "supports no TLS version that Umpire knows", "check the URL: should it be http instead of https?"
            )
        remedy = "check the URL and the network; unsent notifications are sent next time"
        return self._not_sent(f"cannot be reached: {_why(why)}", remedy)

    def _not_sent(self, what: str, remedy: str) -> NotSent:
        return NotSent(f"{self!r} {what}", where=self._host, remedy=remedy)


class _NoOtherAddress(urllib.request.HTTPRedirectHandler):
    """Treat a redirect as an answer, because a notice must not go to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def payload(notice: Notice) -> dict[str, object]:
    """Return the JSON: `content` for Discord, `text` for the others. Names in a game mention no person."""
    content = "\n".join(_unmarked(line) for line in notice.text.split("\n"))
    return {
        "content": content if len(content) <= MOST_CONTENT else content[: MOST_CONTENT - 2].rstrip("\\") + " …",
        "text": notice.text,
        "username": "Umpire",
        "allowed_mentions": {"parse": []},
    }


def _unmarked(line: str) -> str:
    """Return a line without Discord's markup, except for the bullet of the notice; `allowed_mentions` disables `@`."""
    bullet = "- " if line.startswith("- ") else ""
    plain = line.removeprefix(bullet).translate(_MARKUP)
    return f"{bullet}\\{plain}" if plain.startswith(("#", "-", "+")) else f"{bullet}{plain}"


def seconds_of(retry_after: str) -> float:
    """Return a Retry-After header, a number or a date, in seconds; if it is unreadable, more than `PATIENCE`."""
    try:
        return max(0.0, float(retry_after))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(retry_after)
    except (TypeError, ValueError):
        return PATIENCE * 2
    then = then if then.tzinfo is not None else then.replace(tzinfo=UTC)
    return max(0.0, (then - datetime.now(UTC)).total_seconds())


def _verified_host(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        parts, host, port = urlsplit(""), "", None
    plain = url.isascii() and url.isprintable() and " " not in url
    if parts.scheme not in ("http", "https") or not host or not plain or parts.username is not None:
        raise WrongUse(
            "the webhook's URL is not valid",
            where="webhook",
            rule="notices",
            remedy="copy the whole URL, from https:// on, without a user name or spaces",
        )
    return f"{host}:{port}" if port else host


def _phrase(code: int) -> str:
    try:
        return HTTPStatus(code).phrase
    except ValueError:
        return ""


def _why(error: object) -> str:
    """Return the reason for an error, without any text of the request."""
    if isinstance(error, TimeoutError):
        return "timeout"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return "it closed the connection" if isinstance(error, http.client.HTTPException) else type(error).__name__
