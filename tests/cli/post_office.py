"""Run real servers on this machine that receive notifications: a hook with HTTP, and a mail server with SMTP."""

import base64
import json
import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

TLS = Path(__file__).parent / "tls"


def server_side() -> ssl.SSLContext:
    """Return a TLS context with a certificate that is not trusted."""
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.load_cert_chain(TLS / "certificate.pem", TLS / "key.pem")
    return found


def trusting() -> ssl.SSLContext:
    """Return a client context that trusts this certificate."""
    return ssl.create_default_context(cafile=str(TLS / "certificate.pem"))


@contextmanager
def _running(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# --- a hook -----------------------------------------------------------------------------------------------------------

Answering = Callable[[BaseHTTPRequestHandler], None]


def answer(code: int, **headers: str) -> Answering:
    """Return a handler that answers with this status."""

    def with_it(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return with_it


def hang(seconds: float = 30) -> Answering:
    """Return a handler that does not answer for some seconds."""
    return lambda handler: time.sleep(seconds)


def hang_up(handler: BaseHTTPRequestHandler) -> None:
    """Close the connection after the request was read."""
    handler.connection.shutdown(socket.SHUT_RDWR)


class Hook:
    """A hook with its received posts and its next answers; later answers are 204. `came` is set at each request."""

    def __init__(self, *, secure: bool = False) -> None:
        self.posted: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.answers: list[Answering] = []
        self.came = threading.Event()
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                answering = hook.answers.pop(0) if hook.answers else answer(204)
                hook.posted.append(json.loads(raw))
                hook.headers.append(dict(self.headers))
                hook.came.set()
                answering(self)

            do_GET = do_POST

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.block_on_close = False
        if secure:
            self.server.socket = server_side().wrap_socket(self.server.socket, server_side=True)
        self.scheme = "https" if secure else "http"
        self.port = self.server.server_address[1]

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}/api/webhooks/42/s3cr3t-t0ken"

    @property
    def told(self) -> list[str]:
        """The first line of each received post."""
        return [str(one["text"]).split("\n")[0] for one in self.posted]


@contextmanager
def hook(*, secure: bool = False) -> Iterator[Hook]:
    """Yield a running hook."""
    found = Hook(secure=secure)
    with _running(found.server):
        yield found


# --- a mail server ----------------------------------------------------------------------------------------------------


class Post:
    """The behavior of a mail server, and its received mail as (sender, recipient, message).

    `says`: answers that replace the usual ones, by command. `tls`: true if it offers STARTTLS. `user`, `password`: the
    accepted login; "" accepts every client. `dies_on`: the command at which it closes the connection.
    """

    def __init__(self) -> None:
        self.mail: list[tuple[str, str, str]] = []
        self.says: dict[str, str] = {}
        self.tls = False
        self.user = self.password = ""
        self.dies_on = ""
        self.seen: list[str] = []
        self.secure: list[bool] = []
        post = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                _Talk(post, self.connection).run()

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.block_on_close = False
        self.port: int = self.server.server_address[1]


class _Talk:
    """One connection."""

    def __init__(self, post: Post, connection: socket.socket) -> None:
        self.post = post
        self.line = connection
        self.stream = connection.makefile("rb")
        self.secure = False
        self.sender = self.recipient = ""

    def run(self) -> None:
        self.say("220 here")
        while raw := self.stream.readline():
            words = raw.decode().strip()
            verb = words.split(" ")[0].upper()
            self.post.seen.append(verb)
            if self.post.dies_on == verb:
                self.line.shutdown(socket.SHUT_RDWR)
                return
            if verb in self.post.says:
                self.say(self.post.says[verb])
            elif not self.answered(verb, words):
                return

    def say(self, *lines: str) -> None:
        self.line.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def answered(self, verb: str, words: str) -> bool:
        post = self.post
        match verb:
            case "EHLO":
                offers = ["here", *(["STARTTLS"] if post.tls and not self.secure else []), "AUTH PLAIN", "SIZE"]
                self.say(*(f"250-{one}" for one in offers[:-1]), f"250 {offers[-1]}")
            case "STARTTLS":
                self.say("220 go on")
                self.line = server_side().wrap_socket(self.line, server_side=True)
                self.stream = self.line.makefile("rb")
                self.secure = True
            case "AUTH":
                _, user, password = base64.b64decode(words.split(" ")[2]).decode().split("\0")
                self.say("235 welcome" if (user, password) == (post.user, post.password) else f"535 not {password}")
            case "MAIL":
                self.sender = words.split("<")[1].split(">", maxsplit=1)[0]
                self.say("250 ok")
            case "RCPT":
                self.recipient = words.split("<")[1].split(">", maxsplit=1)[0]
                self.say("250 ok")
            case "DATA":
                self.say("354 go on")
                lines = []
                while (line := self.stream.readline()) != b".\r\n":
                    lines.append(line)
                if post.dies_on == ".":
                    self.line.shutdown(socket.SHUT_RDWR)
                    return False
                post.mail.append((self.sender, self.recipient, b"".join(lines).decode()))
                post.secure.append(self.secure)
                self.say(post.says.get(".", "250 taken"))
            case "QUIT":
                self.say("221 goodbye")
                return False
            case _:
                self.say("250 ok")
        return True


@contextmanager
def post() -> Iterator[Post]:
    """Yield a running mail server."""
    found = Post()
    with _running(found.server):
        yield found


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


# --- as somebody who runs Umpire has them -----------------------------------------------------------------------------


def hook_of_the_user(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    """Yield a running hook that the environment names."""
    with hook() as found:
        monkeypatch.setenv("UMPIRE_WEBHOOK", found.url)
        yield found


def post_of_the_user(monkeypatch: pytest.MonkeyPatch, addresses: str) -> Iterator[Post]:
    """Yield a running mail server; the environment names it and the addresses."""
    with post() as found:
        monkeypatch.setenv("UMPIRE_SMTP_HOST", "127.0.0.1")
        monkeypatch.setenv("UMPIRE_SMTP_PORT", str(found.port))
        monkeypatch.setenv("UMPIRE_SMTP_FROM", "umpire@club.example")
        monkeypatch.setenv("UMPIRE_ADDRESSES", addresses)
        yield found
