"""Show a game as one seat knows it: status, units, trail, undo points, branches, map and log."""

import io
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, QueryParameter, SkipValidation

from umpire_ledger.desk.core.errors import NotThere
from umpire_ledger.desk.games.games_list import GameEntry
from umpire_ledger.desk.orders.click_choices import UnitOrders
from umpire_ledger.desk.orders.order_forms import OrderForm
from umpire_ledger.desk.orders.order_pages import Openings, OrderPage
from umpire_ledger.desk.pictures.backgrounds import stored_picture
from umpire_ledger.desk.seat import Seat
from umpire_ledger.domain.game.state import SPECTATOR
from umpire_ledger.ledger.merkle.tree import Checkpoint
from umpire_ledger.projections.questions.branches import LineOfPlay
from umpire_ledger.projections.questions.order_lines import OrderLine
from umpire_ledger.projections.tables.audit_search import AuditLine
from umpire_ledger.projections.tables.undo_points import UndoPoint
from umpire_ledger.service.game_request import At, Looking

MOST_LINES = 1000
"""Maximum number of lines of the trail in one answer."""
DRAWING = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
"""The content policy of a picture opened separately: it may only be displayed."""
ONE_FILE = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; sandbox allow-scripts"
)
"""The policy of a page with its own scripts: the sandbox gives it a separate origin without cookies."""

Last = Annotated[int | None, QueryParameter(ge=1, le=MOST_LINES, description="Return at most this many, the newest.")]
After = Annotated[int, QueryParameter(ge=0, le=2**53, description="Return records after this position: the next page.")]
Limit = Annotated[int, QueryParameter(ge=1, le=MOST_LINES, description="Return at most this many.")]
Name = Annotated[str, QueryParameter(max_length=400)]


@get("/", sync_to_thread=True)
def entry(look: Looking) -> Response[GameEntry]:
    """Return the game's entry in the list of games."""

    def ask(seat: Seat) -> GameEntry:
        id = seat.game.id
        watched = (id,) if seat.name == SPECTATOR else ()
        return seat.game.desk.games(among={id}, watched=watched, archived=None)[0]

    return look.fresh(ask)


@get("/status", sync_to_thread=True)
def status(look: Looking, at: At = None) -> Response[dict[str, Any]]:
    """Return the turn view, now or at a position: step, sides that must act, allowed orders, required actions."""

    def ask(seat: Seat) -> dict[str, Any]:
        view: dict[str, Any] = msgspec.to_builtins(seat.status if at is None else seat.at(at).status)
        return {**view, "game": seat.game.id, "display_name": seat.game.display_name}

    return look(ask)


@get("/units", sync_to_thread=True)
def units(
    look: Looking, at: At = None, side: Name = "", gone: FromQuery[bool] = False, stacks: FromQuery[bool] = False
) -> Response[list[dict[str, Any]]]:
    """Return the units as the seat knows them; with `stacks`, by place in the notation of the title's players."""

    def ask(seat: Seat) -> list[dict[str, Any]]:
        found = seat.plain_units(at=at, side=side, gone=gone)
        return seat.stacks(found) if stacks else found

    return look(ask)


@get("/state", sync_to_thread=True)
def state(look: Looking, at: At = None) -> Response[dict[str, Any]]:
    """Return the turn view at a position and every unit, including units that have left play."""

    def ask(seat: Seat) -> dict[str, Any]:
        number = seat.game.size if at is None else at
        return {
            "position": number,
            "status": seat.at(number).status,
            "units": seat.plain_units(at=number, gone=True),
        }

    return look(ask)


def wanted(
    unit: Name = "",
    step: Name = "",
    side: Name = "",
    by: Name = "",
    dice: FromQuery[bool] = False,
    rule: Name = "",
    text: Name = "",
    after: After = 0,
    to: At = None,
    every_line: FromQuery[bool] = False,
) -> dict[str, Any]:
    """Return the filters of the trail by record or by order, under the desk's names."""
    names = {"unit": unit, "step": step, "side": side, "seat": by, "dice": dice, "rule": rule, "text": text}
    return {**names, "start": after + 1, "stop": to, "all_lines": every_line}


FILTERED = {"filters": Provide(wanted, sync_to_thread=False)}
Filters = NamedDependency[SkipValidation[dict[str, Any]]]


@get("/audit", sync_to_thread=True, dependencies=FILTERED)
def audit(
    look: Looking, filters: Filters, event: Name = "", limit: Limit = 200, last: Last = None
) -> Response[list[AuditLine]]:
    """Return the audit trail, one object for each record, oldest first; the header Link names the next page."""
    found: list[AuditLine] = []

    def ask(seat: Seat) -> list[AuditLine]:
        _verify_begin(seat, filters)
        found.extend(seat.audit(first=None if last else limit, last=last, event=event, **filters))
        return found

    answer = look(ask)
    if last is None and len(found) == limit:
        answer.headers["Link"] = f'<{look.page_after(found[-1].position)}>; rel="next"'
    return answer


@get("/orders", sync_to_thread=True, dependencies=FILTERED)
def orders(
    look: Looking,
    filters: Filters,
    last: Annotated[
        int, QueryParameter(ge=1, le=MOST_LINES, description="Return at most this many, the newest.")
    ] = 100,
) -> Response[list[OrderLine]]:
    """Return the orders, oldest first, each in one sentence with its records."""

    def ask(seat: Seat) -> list[OrderLine]:
        _verify_begin(seat, filters)
        return seat.orders(last=last, **filters)

    return look(ask)


def _verify_begin(seat: Seat, filters: Mapping[str, Any]) -> None:
    """Check the position after which the trail begins.

    Raises:
        NoSuchRecord: When the game has no such position.
    """
    seat.game.verify_position(filters["start"] - 1)


@get("/undo-points", sync_to_thread=True)
def undo_points(look: Looking, last: Last = None) -> Response[list[UndoPoint]]:
    """Return the undo points, newest first, each with the orders that a return would undo."""
    return look(lambda seat: seat.undo_points(last))


@get("/lines", sync_to_thread=True)
def lines(look: Looking, last: Last = None) -> Response[list[LineOfPlay]]:
    """Return the log as a tree: the current branch and the abandoned ones."""
    return look(lambda seat: seat.lines(last))


@get("/openings", sync_to_thread=True)
def openings(look: Looking) -> Response[Openings]:
    """Return the orders that the seat can give now, and suggested orders as people type them."""
    return look(lambda seat: seat.openings())


@get("/openings/{order:str}", sync_to_thread=True)
def opening(look: Looking, order: FromPath[str]) -> Response[OrderPage]:
    """Explain an order, with an example from the game as it is now."""
    return look(lambda seat: seat.order_page(order))


@get("/forms/{order:str}", sync_to_thread=True)
def form(
    look: Looking,
    order: FromPath[str],
    given: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=4000)]] | None,
        QueryParameter(description="A filled-in argument, NAME=WORD; repeat it for each word."),
    ] = None,
) -> Response[OrderForm]:
    """Return an order as a form: its fields with their choices, and the rolls of the filled-in order."""
    return look(lambda seat: seat.order_form(order, filled_in(given or ())))


def filled_in(pairs: Iterable[str]) -> dict[str, list[str]]:
    """Return the words in pairs of the form `NAME=WORD`, by name."""
    found: dict[str, list[str]] = {}
    for pair in pairs:
        name, _, word = pair.partition("=")
        found.setdefault(name, []).append(word)
    return found


@get("/clickable", sync_to_thread=True)
def clickable(
    look: Looking,
    unit: Name = "",
    place: Name = "",
    order: Name = "",
    over: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=400)]] | None,
        QueryParameter(
            description="A place that the path of `order` has to lead over; repeat it, the last is its end."
        ),
    ] = None,
) -> Response[UnitOrders]:
    """Return the orders that begin with a unit, a place or neither, with every target that the rules accept now."""
    return look(lambda seat: seat.unit_orders(unit, place=place, order=order, over=over or ()))


@get("/suggestions", sync_to_thread=True)
def suggestions(look: Looking) -> Response[list[dict[str, Any]]]:
    """Return concrete orders that the seat can give now, as JSON objects that `orders` accepts."""
    return look(lambda seat: [msgspec.to_builtins(order) for order in seat.legal_orders()])


@get("/map.svg", sync_to_thread=True, media_type="image/svg+xml")
def map_(look: Looking, at: At = None) -> Response[str]:
    """Return the board as an SVG document."""
    safe = {"Content-Security-Policy": DRAWING}
    return look(lambda seat: seat.map(at=at), media="image/svg+xml", headers=safe)


@get("/background", sync_to_thread=True, media_type="image/png")
def background(look: Looking) -> Response[bytes]:
    """Return the background picture of the map, as its scenario brought it."""
    game = look.seat().game
    found = stored_picture(game.ledger, game.id)
    if found is None:
        raise NotThere(
            "this game has no background picture", where=game.id, rule="the scenario's board", remedy="open `map.svg`"
        )
    return look.fresh(lambda _: found.raw, media=found.media, headers={"Content-Security-Policy": DRAWING})


@get("/page.html", sync_to_thread=True, media_type="text/html")
def page(look: Looking, first: At = None, last: At = None) -> Response[bytes]:
    """Return the replay page, one file that opens in any browser; `first`, `last`: the range of records to show."""

    def ask(seat: Seat) -> bytes:
        with tempfile.TemporaryDirectory(prefix="umpire-page-") as folder:
            file = Path(folder) / "page.html"
            seat.page(file, first=first, last=last)
            return file.read_bytes()

    return look(ask, media="text/html; charset=utf-8", headers={"Content-Security-Policy": ONE_FILE})


@get("/export", sync_to_thread=True, media_type="application/x-ndjson")
def export(look: Looking) -> Response[bytes]:
    """Return the game as a replay log (JSON Lines). Records that the seat may not see are withheld; hashes stay."""

    def ask(seat: Seat) -> bytes:
        out = io.BytesIO()
        seat.export(out)
        return out.getvalue()

    return look(ask, media="application/x-ndjson")


@get("/checkpoint", sync_to_thread=True, media_type="text/plain")
def checkpoint(look: Looking, at: At = None) -> Response[str]:
    """Return the checkpoint over all records, or up to a position: origin, size and root, three lines to keep."""

    def ask(seat: Seat) -> str:
        found: Checkpoint = seat.game.checkpoint(at)
        return found.text()

    return look(ask, media="text/plain; charset=utf-8")


@get("/scenario", sync_to_thread=True, media_type="application/toml")
def scenario(look: Looking, at: At = None) -> Response[str]:
    """Return a scenario (TOML) with which a new game continues this one from a position."""
    return look(lambda seat: seat.scenario(at=at), media="application/toml; charset=utf-8")


LOOKS = [
    entry,
    *(status, units, state, audit, orders, undo_points, lines, openings, opening, form, clickable, suggestions),
    *(map_, background, page, export, checkpoint, scenario),
]
