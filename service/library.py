"""List titles, their sequences of play and their orders. These routes are public, because they concern no game."""

import hashlib
from typing import Annotated, Any

from litestar import Response, get
from litestar.params import FromPath, QueryParameter

from umpire_ledger.desk.core.edition import EDITION
from umpire_ledger.desk.orders import titles as catalogue
from umpire_ledger.desk.orders.order_pages import OrderPage
from umpire_ledger.desk.scenarios.scenario_files import scenario_schema, scenario_template
from umpire_ledger.service.encoding import encoded
from umpire_ledger.service.game_request import NoneMatch, is_known

PUBLIC = {"Cache-Control": "public, max-age=60"}


def _shown(value: Any, known: str, media: str = "application/json") -> Response[Any]:
    raw = encoded(value)
    tag = f'"{hashlib.sha256(EDITION.encode() + raw).hexdigest()[:32]}"'
    if is_known(tag, known):
        return Response(b"", status_code=304, headers={"ETag": tag, **PUBLIC})
    return Response(raw, media_type=media, headers={"ETag": tag, **PUBLIC})


@get("/titles", sync_to_thread=True)
def titles(if_none_match: NoneMatch = "") -> Response[list[catalogue.TitleEntry]]:
    """List the titles that can be played."""
    return _shown(catalogue.titles(), if_none_match)


@get("/titles/{title:str}", sync_to_thread=True)
def title(title: FromPath[str], if_none_match: NoneMatch = "") -> Response[catalogue.TitlePage]:
    """Return the allowed contents of a title's scenarios: options, tables and house values."""
    return _shown(catalogue.page(title), if_none_match)


@get("/titles/{title:str}/sequence", sync_to_thread=True)
def sequence(title: FromPath[str], if_none_match: NoneMatch = "") -> Response[list[dict[str, Any]]]:
    """Return the whole sequence of play as printed: one object for each step or heading, in order."""
    return _shown(catalogue.sequence(title), if_none_match)


@get("/titles/{title:str}/orders", sync_to_thread=True)
def orders(title: FromPath[str], if_none_match: NoneMatch = "") -> Response[list[catalogue.OrderEntry]]:
    """List the orders of a title, each with its JSON Schema and an example."""
    return _shown(catalogue.orders(title), if_none_match)


@get("/titles/{title:str}/orders/{order:str}", sync_to_thread=True)
def order(title: FromPath[str], order: FromPath[str], if_none_match: NoneMatch = "") -> Response[OrderPage]:
    """Explain an order: its arguments, with an example."""
    return _shown(catalogue.order_page(title, order), if_none_match)


@get("/titles/{title:str}/scenario", sync_to_thread=True, media_type="application/toml")
def template(
    title: FromPath[str],
    schema: Annotated[bool, QueryParameter(description="The JSON Schema of a scenario, not a template.")] = False,
    if_none_match: NoneMatch = "",
) -> Response[str]:
    """Return a scenario template with every entry (TOML), or the JSON Schema of scenarios."""
    if schema:
        return _shown(scenario_schema(title), if_none_match)
    return _shown(scenario_template(title), if_none_match, "application/toml")


LIBRARY = [titles, title, sequence, orders, order, template]
