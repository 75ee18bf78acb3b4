"""Hold the parts that all routes of a process share: desk, authentication, counters, change feed."""

from typing import Any

from litestar import Litestar

from umpire_ledger.desk.desk import Desk
from umpire_ledger.service.authentication import Authenticator
from umpire_ledger.service.change_feed import ChangeFeed
from umpire_ledger.service.growth import Growth
from umpire_ledger.service.limits import Streams
from umpire_ledger.service.metrics import Metrics
from umpire_ledger.service.notices import Notifier
from umpire_ledger.service.pages.renewal import SentPages
from umpire_ledger.service.pools import Pools
from umpire_ledger.service.settings import ServiceSettings


class Service:
    """The service in one worker process, for one ledger."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.settings = settings
        self.desk = Desk(settings.where, patience=settings.lock)
        self.pools = Pools(settings)
        self.doors = Authenticator(self.desk, settings)
        self.growth = Growth(settings.growth)
        self.streams = Streams(settings.streams, settings.streams_a_seat)
        self.counts = Metrics(settings.counts)
        self.watch = ChangeFeed(self.desk, settings.poll)
        self.sent_pages = SentPages()
        self.notices = Notifier(self.desk, settings, self.counts)


def service_of(app: Litestar) -> Service:
    """Return the service of a running app."""
    found: Any = app.state["service"]
    assert isinstance(found, Service)
    return found
