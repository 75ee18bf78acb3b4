"""Assemble the application: its routes, their order, and the start and stop of every worker process."""

import asyncio
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from litestar import Litestar, Request, Response, Router
from litestar.datastructures import ResponseHeader
from litestar.di import Provide
from litestar.exceptions import NotFoundException
from litestar.openapi import OpenAPIConfig

from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.service.bodies import verify_body
from umpire_ledger.service.document import Document
from umpire_ledger.service.game_request import ReadRequest, WriteRequest
from umpire_ledger.service.games import GAMES, OF_ONE_GAME
from umpire_ledger.service.health_routes import UPKEEP
from umpire_ledger.service.library import LIBRARY, PUBLIC
from umpire_ledger.service.login import DOORSTEP
from umpire_ledger.service.metrics import LEFT_EVERY
from umpire_ledger.service.middleware import Middleware
from umpire_ledger.service.order_routes import ACTS
from umpire_ledger.service.pages.all_pages import PAGES
from umpire_ledger.service.pages.page_request import problem_page
from umpire_ledger.service.problems import answer_problem
from umpire_ledger.service.questions import QUESTIONS
from umpire_ledger.service.request_guards import know_parameters, let_in, let_operator_in, verify_asked, verify_measure
from umpire_ledger.service.request_log import log_event, to_standard_error
from umpire_ledger.service.service import Service
from umpire_ledger.service.settings import ServiceSettings, from_environment
from umpire_ledger.service.streams import stream
from umpire_ledger.service.view_routes import LOOKS
from umpire_ledger.service.witness import add_checkpoint

SWITCH = 0.0005
"""Seconds after which a computing thread lets another thread run. An order waits for the store about fifty times, and
each time also for every computing thread. With Python's default of 5 ms, that takes a second."""


def build(service: Service) -> Litestar:
    """Build the application with the routes of one service."""
    of_a_game = Router(
        "/games/{game:str}",
        route_handlers=[
            Router("/", route_handlers=[*LOOKS, *QUESTIONS, stream], tags=["looks"]),
            Router(
                "/",
                route_handlers=[*ACTS, *OF_ONE_GAME],
                tags=["acts"],
                guards=[let_in],
                before_request=verify_body,
            ),
        ],
        guards=[verify_asked],
        dependencies={
            "look": Provide(ReadRequest, sync_to_thread=False),
            "act": Provide(WriteRequest, sync_to_thread=False),
        },
    )
    every_game = Router(
        "/", route_handlers=GAMES, tags=["games"], guards=[verify_asked, let_operator_in], before_request=verify_body
    )
    library = Router("/", route_handlers=LIBRARY, tags=["titles"], guards=[verify_measure, verify_asked])
    app = Litestar(
        route_handlers=[
            of_a_game,
            every_game,
            library,
            Router("/", route_handlers=DOORSTEP, tags=["access"], guards=[verify_measure, verify_asked]),
            *([_witness()] if service.settings.witness else []),
            Router("/", route_handlers=UPKEEP, tags=["access"], guards=[verify_asked]),
            Router("/", route_handlers=[PAGES], guards=[let_in]),
        ],
        exception_handlers={Exception: _answer_problem},
        openapi_config=OpenAPIConfig(
            title="Umpire",
            version=EDITION,
            description="A referee's ledger for board wargames. Each request is answered as one seat.",
            openapi_router=Router(
                "/schema",
                route_handlers=[],
                include_in_schema=False,
                response_headers=[ResponseHeader(name="Cache-Control", value=PUBLIC["Cache-Control"])],
            ),
            operation_id_creator=_operation,
            render_plugins=[Document()],
        ),
        request_max_body_size=service.settings.most_body,
        lifespan=[_running],
        logging_config=None,
        debug=False,
        pdb_on_exception=False,
    )
    app.state["service"] = service
    know_parameters(app)
    return app


def _witness() -> Router:
    return Router("/", route_handlers=[add_checkpoint], tags=["access"], guards=[verify_measure, verify_asked])


def _answer_problem(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answer an error as JSON, or as a page if a browser opened an unknown address."""
    is_page = isinstance(error, NotFoundException) and "text/html" in request.headers.get("accept", "")
    return problem_page(request, error) if is_page else answer_problem(request, error)


def _operation(handler: Any, method: Any, path: list[Any]) -> str:
    """Return the operation id in the OpenAPI document, for generated clients: `get_games_disputes`."""
    parts = [part for part in path if isinstance(part, str)]
    names = [f"by_{part.name}" for part in path[-1:] if not isinstance(part, str)]
    return "_".join([str(getattr(method, "value", method)).lower(), *parts, *names]).replace("-", "_").replace(".", "_")


@asynccontextmanager
async def _running(app: Litestar) -> AsyncIterator[None]:
    service: Service = app.state["service"]
    _stop_early(service)
    tasks = [asyncio.ensure_future(one) for one in (service.watch.run(), _leave_counts(service))]
    notices = asyncio.ensure_future(service.notices.run())
    log_event("started", ledger=service.desk.where)
    try:
        yield
    finally:
        service.watch.stop()
        service.notices.stop()
        await asyncio.wait((notices,), timeout=service.settings.stop_seconds)  # let a notice that is being sent arrive
        for task in (*tasks, notices):
            task.cancel()
        await asyncio.gather(*tasks, notices, return_exceptions=True)
        service.counts.leave()
        await asyncio.to_thread(service.pools.shutdown)
        await asyncio.to_thread(service.desk.close)
        log_event("stopped")


def _stop_early(service: Service) -> None:
    """End streams at the signal that stops the process, because the server waits for them before it stops the app."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        before = signal.getsignal(number)

        def stop(sign: int, frame: Any, before: Any = before) -> None:
            loop.call_soon_threadsafe(service.watch.stop)
            if callable(before):
                before(sign, frame)

        with suppress(ValueError):  # only the main thread may set signals
            signal.signal(number, stop)


async def _leave_counts(service: Service) -> None:
    while True:
        await asyncio.sleep(LEFT_EVERY)
        await asyncio.to_thread(service.counts.leave)


def worker() -> Middleware:
    """Build the application of a worker process from the settings that its parent left in the environment."""
    to_standard_error()
    sys.setswitchinterval(SWITCH)
    app = wrapped(from_environment())
    app.service.pools.serve_routes()
    return app


def wrapped(settings: ServiceSettings) -> Middleware:
    """Build the application with its middleware, as a server calls it."""
    service = Service(settings)
    return Middleware(build(service), service)
