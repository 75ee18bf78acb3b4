"""Let the operator open a game of a title at `/new`, from a scenario that is checked before."""

from http import HTTPStatus
from typing import Any

from litestar import Response, get, post
from litestar.params import RawBody

from umpire_ledger.desk.core.errors import EXPECTED, NotAuthorized, WrongUse
from umpire_ledger.desk.orders.titles import titles
from umpire_ledger.desk.scenarios.scenario_files import Examined, examined, scenario_template
from umpire_ledger.domain.game.events import DiceMode, Value
from umpire_ledger.domain.game.spectator_delay import EXAMPLE, SPECTATOR_DELAY
from umpire_ledger.domain.game.state import REFEREE
from umpire_ledger.service.authentication import AnyRequest
from umpire_ledger.service.games import Person, verify_reachable
from umpire_ledger.service.pages.addresses import page_of
from umpire_ledger.service.pages.page_request import NOTHING, Fields, Refused, fields_in
from umpire_ledger.service.pages.rendering import UNKEPT, page
from umpire_ledger.service.problems import ProblemDetails, problem_for

KEEPER = "only the operator can open games"
DICE: dict[str, DiceMode] = {"ledger": "ledger", "shared": "shared", "witnessed": "witnessed", "table": "table"}


@get("/new", sync_to_thread=True, include_in_schema=False, media_type="text/html")
def new_game(request: AnyRequest) -> Response[str]:
    """Show the form; with `?title=` it has a scenario of that title, every entry with its default."""
    Person(request).verify_operator(KEEPER)
    asked = Fields(list(request.query_params.multi_items()))
    title, template, wrong = asked.one("title"), "", None
    try:
        template = scenario_template(title) if title else ""
    except EXPECTED as error:
        wrong = problem_for(error)
    return _form(asked, template, wrong)


@post("/new", sync_to_thread=True, include_in_schema=False, status_code=303)
def open_game(request: AnyRequest, body: RawBody) -> Response[Any]:
    """Open it, and lead to its referee's page; or only try the scenario, and list all that is wrong with it."""
    person = Person(request)
    person.verify_operator(KEEPER)
    fields = fields_in(request, body)
    try:
        if fields.one("check"):
            return _form(fields, tried=examined(fields.one("scenario"), fields.one("title")))
        id = fields.one("id").strip()
        verify_reachable(id)
        person.desk.new_from_text(
            fields.one("title"),
            fields.one("scenario"),
            id=id,
            dice=DICE.get(fields.one("dice")),
            options=_options(fields),
        )
    except NotAuthorized:
        raise
    except EXPECTED as error:
        return _form(fields, refused=Refused(act="new", problem=problem_for(error), fields=fields))
    return Response(None, status_code=HTTPStatus.SEE_OTHER, headers={"Location": page_of(id, REFEREE), **UNKEPT})


def _form(
    asked: Fields = NOTHING,
    template: str = "",
    wrong: ProblemDetails | None = None,
    *,
    refused: Refused | None = None,
    tried: Examined | None = None,
) -> Response[str]:
    status = refused.problem.status if refused else wrong.status if wrong else HTTPStatus.OK
    return page(
        "new.html",
        status,
        titles=titles(),
        asked=asked,
        scenario=template or asked.one("scenario"),
        wrong=wrong,
        refused=refused,
        tried=tried,
        example=EXAMPLE,
    )


def _options(fields: Fields) -> dict[str, Value]:
    """Return the options of the form: the delay, and lines of K=V.

    Raises:
        WrongUse: When a line is not an option.
    """
    late = fields.one("delay").strip()
    found: dict[str, Value] = {SPECTATOR_DELAY: late} if late else {}
    for line in filter(None, map(str.strip, fields.one("options").splitlines())):
        name, equals, value = (part.strip() for part in line.partition("="))
        if not equals or not name:
            what, remedy = f"'{line}' is not a valid option", "write NAME = VALUE, for example weather = true"
            raise WrongUse(what, where="Options", rule="options", remedy=remedy)
        found[name] = _value(value)
    return found


def _value(said: str) -> Value:
    """Return true, false and whole numbers as their values, other text unchanged."""
    if said.lower() in ("true", "false"):
        return said.lower() == "true"
    digits = said.removeprefix("-")
    return int(said) if digits.isascii() and digits.isdigit() and len(digits) < 16 else said


OPENING = [new_game, open_game]
