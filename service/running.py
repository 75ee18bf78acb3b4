"""Serve a ledger: bind a socket on which one or several processes answer until a signal stops them."""

import socket
import tempfile
from collections.abc import Callable

import msgspec
import uvicorn
from uvicorn.supervisors import Multiprocess

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.service.connections import MOST_HEAD, LimitedConnection
from umpire_ledger.service.request_log import to_standard_error
from umpire_ledger.service.settings import ServiceSettings, to_environment

WORKER = "umpire_ledger.service.app:worker"


def bound(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises:
        WrongUse: When the address cannot be used.
    """
    try:
        family, kind, proto, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind, proto)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.set_inheritable(True)
    except OSError as error:
        raise WrongUse(
            f"cannot listen on {host}:{port}: {error.strerror or error}",
            where="umpire serve",
            rule="",
            remedy="choose another --port, or stop the program that uses it; --port 0 chooses a free one",
        ) from error
    return listening


def run(settings: ServiceSettings, listening: socket.socket, tell: Callable[[str], None]) -> None:
    """Serve until a signal stops the process. `tell`: called with the address."""
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    tell(f"http://{shown}:{port}")
    with tempfile.TemporaryDirectory(prefix="umpire-serve-") as counts:
        _serve(msgspec.structs.replace(settings, counts=counts if settings.workers > 1 else ""), listening)


def _serve(settings: ServiceSettings, listening: socket.socket) -> None:
    to_environment(settings)
    to_standard_error()
    config = uvicorn.Config(
        WORKER,
        factory=True,
        http=LimitedConnection,
        ws="none",
        lifespan="on",
        workers=settings.workers,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(settings.at),
        forwarded_allow_ips="127.0.0.1",
        timeout_keep_alive=settings.idle_seconds,
        timeout_graceful_shutdown=int(settings.stop_seconds),
        h11_max_incomplete_event_size=MOST_HEAD,
    )
    if settings.workers > 1:
        Multiprocess(config, sockets=[listening]).run()
    else:
        uvicorn.Server(config).run(sockets=[listening])
