"""Name what tests use of the HTTP service, so that a move in it edits this file alone."""

from umpire_ledger.service.app import (
    build,
)
from umpire_ledger.service.authentication import (
    Authenticator,
)
from umpire_ledger.service.change_feed import (
    ChangeFeed,
)
from umpire_ledger.service.compression import (
    is_worth_it,
)
from umpire_ledger.service.connections import (
    PIECES_AT_ONCE,
    CountedPieces,
)
from umpire_ledger.service.document import (
    completed,
)
from umpire_ledger.service.limits import (
    Allowance,
    Streams,
    UnderWay,
)
from umpire_ledger.service.middleware import (
    PIECE,
    Middleware,
)
from umpire_ledger.service.notices import (
    ChannelState,
    pause_between,
)
from umpire_ledger.service.order_schemas import (
    order_components,
)
from umpire_ledger.service.pages.page_request import (
    Fields,
)
from umpire_ledger.service.pages.referee_forms import (
    ACTS,
    target as target_of,
)
from umpire_ledger.service.pages.referee_panels import (
    ALL_PANELS,
    PANELS,
)
from umpire_ledger.service.pages.renewal import (
    SentPages,
    changes,
)
from umpire_ledger.service.pages.seat_forms import (
    ACTS as acting_ACTS,
)
from umpire_ledger.service.pools import (
    A_CALLER,
    Share,
    ThreadPool,
    sharing,
)
from umpire_ledger.service.problems import (
    RequestRefused,
)
from umpire_ledger.service.request_guards import (
    KNOWN,
)
from umpire_ledger.service.service import (
    Service,
)
from umpire_ledger.service.settings import (
    ServiceSettings,
)
from umpire_ledger.service.store_listener import (
    StoreListener,
)
from umpire_ledger.service.streams import (
    BEAT,
    RETRY,
    Stream,
)
