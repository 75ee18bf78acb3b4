"""Define the settings of the service. Plain data: it goes to worker processes through the environment."""

import os
from urllib.parse import urlsplit

import msgspec

VARIABLE = "UMPIRE_SERVICE"
KIB = 2**10


class ServiceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of the service; times are seconds.

    `where`: the ledger. `at`: the address that people use, "" for the one that is bound. `rate`: requests per second
    that one seat may send for long, `burst` at once; each worker process counts its own. `slow`: a reader that takes
    nothing for this time is dropped. `lock`: the longest wait for another program that writes. `lines`: orders in one
    file. `head_seconds`: the longest time until a connection has sent its request; it may stay open for `idle_seconds`
    between two requests. `counts`: a folder where workers store their counters. `lookers`, `writers`, `streamers`:
    threads; a caller has half of them at most, a game all but one. `work`: processor seconds per minute that one caller
    may use, three times that at once. `growth`: KiB per minute that one seat may add to the log, eight times that at
    once.

    `webhook`, `mail`: addresses for notices, as for `umpire notices`; None: no notices, "": take it from the
    environment. Notices leave after `quiet` seconds without a new record. `remind`: time until a reminder, for example
    `3d`; "": as in the environment, or never. `witness`: the folder of a witness that is served too.
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
        """Whether people come through TLS."""
        return self.at.startswith("https://")

    @property
    def origin(self) -> str:
        """Scheme, host and port that a page of this service has; "" where any name of this machine may be used."""
        parts = urlsplit(self.at)
        return f"{parts.scheme}://{parts.netloc}".lower() if parts.netloc else ""

    @property
    def cookie(self) -> str:
        """The name of the session's cookie; with TLS browsers hold it to this very host."""
        return "__Host-umpire" if self.is_secure else "umpire"


def to_environment(settings: ServiceSettings) -> None:
    """Leave the settings for worker processes."""
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()


def from_environment() -> ServiceSettings:
    """Return the settings that `to_environment` left."""
    return msgspec.json.decode(os.environ[VARIABLE], type=ServiceSettings)
