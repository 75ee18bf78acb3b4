"""Report health to operators: liveness, readiness, counters."""

from typing import Any

from litestar import Request, Response, get

from umpire_ledger.service.games import Person
from umpire_ledger.service.problems import RequestRefused
from umpire_ledger.service.service import service_of

NOW = {"Cache-Control": "no-store"}


@get("/health/live", sync_to_thread=False)
def live() -> Response[dict[str, str]]:
    """Answer that this process is alive."""
    return Response({"status": "alive"}, headers=NOW)


@get("/health/ready", sync_to_thread=True)
def ready(request: Request[Any, Any, Any]) -> Response[dict[str, str]]:
    """Answer 200 if the ledger can be read and the service is not stopping, else 503."""
    service = service_of(request.app)
    if service.watch.is_stopping:
        raise RequestRefused(
            503, "stopping", "the service is stopping", where="the service", remedy="come back in a moment"
        )
    service.desk.ledger.changed_games()
    return Response({"status": "ready"}, headers=NOW)


@get("/metrics", sync_to_thread=True, media_type="text/plain")
def metrics(request: Request[Any, Any, Any]) -> Response[str]:
    """Return the counters of all workers for Prometheus; for the operator only."""
    person = Person(request)
    person.verify_operator("only the operator can read the metrics")
    text = person.service.counts.text()
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8", headers=NOW)


UPKEEP = [live, ready, metrics]
