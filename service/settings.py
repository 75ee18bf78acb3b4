"""Define the settings of the service, as plain data that worker processes get through the environment."""

import os
from urllib.parse import urlsplit

import msgspec

VARIABLE = "UMPIRE_SERVICE"
KIB = 2**10


class ServiceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of the service; times are seconds.

    `where`: the ledger. `at`: the address that people use, "" for the bound address. `rate`: requests per second that
    one seat may send continuously; `burst`: requests that it may send at once; each worker process has its own count.
    `slow`: the time after which a client that reads nothing is dropped. `lock`: the longest wait for another program
    that writes. `lines`: the maximum number of orders in one file. `head_seconds`: the longest time until a connection
    has sent its request. `idle_seconds`: the longest time between two requests of a connection. `counts`: a folder
    where workers store their counters. `lookers`, `writers`, `streamers`: numbers of threads; a caller has at most half
    of them, a game all except one. `work`: processor seconds per minute that one caller may use, three times as many at
    once. `growth`: KiB per minute that one seat may add to the log, eight times as many at once.

    `webhook`, `mail`: addresses for notices, as for `umpire notices`; None for no notices, "" for the address in the
    environment. `quiet`: the time without a new record after which notices are sent. `remind`: the time until a
    reminder, for example `3d`; "" for the setting in the environment, or else no reminders. `witness`: the folder of a
    witness to serve, too.
    """

    where: str
    at: str = ""
    workers: int = 1
    most_body: int = 1024 * KIB
    body_seconds: float = 20.0
    rate: float = 20.0
    burst: int = 60
    looks_at_once: int = 8
    acts_at_once: int = 4
    lookers: int = 4
    writers: int = 3
    streamers: int = 2
    work: float = 20.0
    growth: int = 2048
    waiting: int = 256
    lock: float = 3.0
    lines: int = 500
    guesses: float = 0.2
    streams: int = 500
    streams_a_seat: int = 8
    heartbeat: float = 15.0
    slow: float = 20.0
    poll: float = 0.03
    stop_seconds: float = 20.0
    head_seconds: float = 15.0
    idle_seconds: int = 30
    connections: int = 1000
    connections_an_address: int = 250
    counts: str = ""
    webhook: str | None = None
    mail: str | None = None
    addresses: str = ""
    sender: str = ""
    remind: str = ""
    quiet: float = 3.0
    witness: str = ""

    @property
    def is_secure(self) -> bool:
        """Whether people connect with TLS."""
        return self.at.startswith("https://")

    @property
    def origin(self) -> str:
        """Scheme, host and port of this service's pages; "" if any name of this machine may be used."""
        parts = urlsplit(self.at)
        return f"{parts.scheme}://{parts.netloc}".lower() if parts.netloc else ""

    @property
    def cookie(self) -> str:
        """The name of the session cookie. With TLS, its prefix makes browsers send it to this host only."""
        return "__Host-umpire" if self.is_secure else "umpire"


def to_environment(settings: ServiceSettings) -> None:
    """Store the settings in the environment for worker processes."""
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()


def from_environment() -> ServiceSettings:
    """Return the settings that `to_environment` stored."""
    return msgspec.json.decode(os.environ[VARIABLE], type=ServiceSettings)
