"""List every page of the service. A new page needs a line in this list."""

from litestar import Router
from litestar.di import Provide

from umpire_ledger.service.pages.lobby import LOBBY
from umpire_ledger.service.pages.opening import OPENING
from umpire_ledger.service.pages.page_request import SubmittedForm, Visit, problem_page
from umpire_ledger.service.pages.referee import REFEREES
from umpire_ledger.service.pages.rendering import static_file
from umpire_ledger.service.pages.replay import REPLAY
from umpire_ledger.service.pages.table import TABLE
from umpire_ledger.service.pages.watch import WATCH

PAGES = Router(
    "/",
    route_handlers=[*LOBBY, *OPENING, static_file, TABLE, REFEREES, WATCH, REPLAY],
    dependencies={"visit": Provide(Visit, sync_to_thread=False), "form": Provide(SubmittedForm, sync_to_thread=False)},
    exception_handlers={Exception: problem_page},
    include_in_schema=False,
)
