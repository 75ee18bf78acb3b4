"""Let the operator open a game at `/new`, from a shipped or their own scenario, and invite its players."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, RawBody

from umpire_ledger.desk.core.errors import EXPECTED, NotAuthorized, WrongUse
from umpire_ledger.desk.desk import Desk
from umpire_ledger.desk.game import PlayedGame
from umpire_ledger.desk.games.invitations import Invited
from umpire_ledger.desk.orders.titles import titles
from umpire_ledger.desk.pictures.opening_pictures import opening_picture
from umpire_ledger.desk.scenarios.scenario_files import Examined, examined, scenario_template
from umpire_ledger.desk.scenarios.shipped import (
    ShippedScenario,
    shipped_scenario,
    shipped_scenarios,
)
from umpire_ledger.domain.game.events import DiceMode, Value
from umpire_ledger.domain.game.spectator_delay import EXAMPLE, SPECTATOR_DELAY
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR
from umpire_ledger.service.authentication import AnyRequest
from umpire_ledger.service.games import Person, verify_reachable
from umpire_ledger.service.pages.addresses import page_of
from umpire_ledger.service.pages.page_request import NOTHING, Fields, Refused, fields_in
from umpire_ledger.service.pages.rendering import UNKEPT, page
from umpire_ledger.service.problems import ProblemDetails, problem_for

KEEPER = "only the operator can open games"
DICE_WORDS: dict[DiceMode, str] = {
    "ledger": "ledger: Umpire rolls",
    "shared": "shared: Umpire rolls, with a dice share from each side",
    "witnessed": "witnessed: as shared, and each roll waits for the other sides",
    "table": "table: you roll and enter the results",
}
"""The choices of dice, as the forms show them."""
OPTION, INVITE, WHO = "option.", "invite.", "who."
CARD = 220, 130
"""Width and height of a scenario's picture on its card, in pixels."""
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The content policy of a picture, which contains its own style sheet."""


class OptionField(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a title in the form. `meaning`: the meaning of its values, or ""."""

    name: str
    value: Value
    meaning: str

    @property
    def label(self) -> str:
        """Its name in words."""
        return self.name.replace("_", " ").capitalize()

    @property
    def is_tick(self) -> bool:
        """Whether its value is true or false, so that the form has a check box."""
        return isinstance(self.value, bool)


class InvitedSeat(msgspec.Struct, frozen=True, kw_only=True):
    """A seat of the new game, with its invitation."""

    name: str
    invited: Invited


@get("/new", sync_to_thread=True, include_in_schema=False, media_type="text/html")
def new_game(request: AnyRequest) -> Response[str]:
    """Show the shipped scenarios; with `?from=`, the form of one of them; with `?title=`, a form with a template."""
    person = Person(request)
    person.verify_operator(KEEPER)
    asked = Fields(list(request.query_params.multi_items()))
    title, template, wrong = asked.one("title"), "", None
    try:
        if asked.one("from"):
            return _form_of(person.desk, shipped_scenario(asked.one("from")), asked)
        template = scenario_template(title) if title else ""
    except EXPECTED as error:
        wrong = problem_for(error)
    return _form(asked, template, wrong)


@get("/new/pictures/{title:str}/{name:str}", sync_to_thread=True, include_in_schema=False, media_type="image/svg+xml")
def picture(
    request: AnyRequest, title: FromPath[str], name: FromPath[str], card: FromQuery[bool] = False
) -> Response[str]:
    """Return the initial map of a shipped scenario; with `card`, only the part with counters."""
    Person(request).verify_operator(KEEPER)
    found = shipped_scenario(f"{title}/{name.removesuffix('.svg')}")
    return Response(
        opening_picture(found.title, found.text, CARD if card else None),
        media_type="image/svg+xml",
        headers={"Cache-Control": "private, max-age=3600", "Content-Security-Policy": PICTURE_POLICY},
    )


@post("/new", sync_to_thread=True, include_in_schema=False, status_code=200)
def open_game(request: AnyRequest, body: RawBody) -> Response[Any]:
    """Open a game and show its invitations, or the referee's page if there are none; or only check the scenario."""
    person = Person(request)
    person.verify_operator(KEEPER)
    fields = fields_in(request, body)
    try:
        if fields.one("check"):
            return _form(fields, tried=examined(fields.one("scenario"), fields.one("title")))
        game = _opened(person.desk, fields)
    except NotAuthorized:
        raise
    except EXPECTED as error:
        return _again(person.desk, fields, Refused(act="new", problem=problem_for(error), fields=fields))
    invited = tuple(_invited(game, fields))
    if not invited:
        return Response(
            None, status_code=HTTPStatus.SEE_OTHER, headers={"Location": page_of(game.id, REFEREE), **UNKEPT}
        )
    origin = person.service.settings.origin or str(request.base_url).rstrip("/")
    return page("opened.html", game=game.id, called=game.display_name or game.id, seats=invited, origin=origin)


# --- the game ---------------------------------------------------------------------------------------------------------


def _opened(desk: Desk, fields: Fields) -> PlayedGame:
    """Open the game that a form describes."""
    id = fields.one("id").strip()
    verify_reachable(id)
    dice = next((mode for mode in DICE_WORDS if mode == fields.one("dice")), None)
    if fields.one("from"):
        found = shipped_scenario(fields.one("from"))
        text = found.named(fields.one("name").strip() or found.name)
        options = {**_ticked(found, fields), **_delay(fields)}
        return desk.new_from_text(found.title, text, id=id, dice=dice, options=options)
    options = {**_delay(fields), **_written(fields)}
    return desk.new_from_text(fields.one("title"), fields.one("scenario"), id=id, dice=dice, options=options)


def _ticked(found: ShippedScenario, fields: Fields) -> dict[str, Value]:
    """Return the options of a shipped scenario as filled in. A browser does not send an empty check box."""
    return {
        name: bool(fields.one(OPTION + name))
        if isinstance(value, bool)
        else _value(fields.one(OPTION + name) or str(value))
        for name, value in found.options.items()
    }


def _delay(fields: Fields) -> dict[str, Value]:
    late = fields.one("delay").strip()
    return {SPECTATOR_DELAY: late} if late else {}


def _written(fields: Fields) -> dict[str, Value]:
    """Return the options from lines of the form NAME=VALUE.

    Raises:
        WrongUse: When a line is not an option.
    """
    found: dict[str, Value] = {}
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


def _invited(game: PlayedGame, fields: Fields) -> Iterator[InvitedSeat]:
    """Invite a player to each seat that is ticked in the form, or to every seat of a side."""
    names = {one.id: one.name for one in game.referee.known().sides}
    for seat in game.seats:
        if seat not in (REFEREE, SPECTATOR) and (fields.one(INVITE + seat) or fields.one("invite-all")):
            invited = game.desk.invitations.invite(game.id, seat, who=fields.one(WHO + seat))
            yield InvitedSeat(name=names.get(seat, seat), invited=invited)


# --- the forms --------------------------------------------------------------------------------------------------------


def _form(
    asked: Fields = NOTHING,
    template: str = "",
    wrong: ProblemDetails | None = None,
    *,
    refused: Refused | None = None,
    tried: Examined | None = None,
) -> Response[str]:
    """Return the page with the cards of the shipped scenarios, and the form for another scenario."""
    status = refused.problem.status if refused else wrong.status if wrong else HTTPStatus.OK
    return page(
        "new.html",
        status,
        titles=titles(),
        shipped=shipped_scenarios(),
        asked=asked,
        scenario=template or asked.one("scenario"),
        wrong=wrong,
        refused=refused,
        tried=tried,
        dice_words=DICE_WORDS,
        set_dice="",
        example=EXAMPLE,
    )


def _form_of(desk: Desk, found: ShippedScenario, asked: Fields, refused: Refused | None = None) -> Response[str]:
    """Return the form of a shipped scenario."""
    return page(
        "new_shipped.html",
        refused.problem.status if refused else HTTPStatus.OK,
        found=found,
        options=[
            OptionField(name=name, value=value, meaning=found.meanings.get(name, ""))
            for name, value in _shown_options(found, refused).items()
        ],
        id=asked.one("id") or _free_id(desk, found.id.rpartition("/")[2]),
        asked=asked,
        refused=refused,
        dice_words=DICE_WORDS,
        set_dice=found.dice,
        example=EXAMPLE,
    )


def _again(desk: Desk, fields: Fields, refused: Refused) -> Response[str]:
    """Return the refused form as it was filled in."""
    known = {one.id for one in shipped_scenarios()}
    if fields.one("from") in known:
        return _form_of(desk, shipped_scenario(fields.one("from")), fields, refused)
    return _form(fields, refused=refused)


def _shown_options(found: ShippedScenario, refused: Refused | None) -> Mapping[str, Value]:
    return _ticked(found, refused.fields) if refused else found.options


def _free_id(desk: Desk, wanted: str) -> str:
    """Return an id that no game of the ledger has: the wanted id, else with the first free number."""
    taken = set(desk.ledger.game_ids())
    return next(
        id for id in (wanted, *(f"{wanted}-{number}" for number in range(2, len(taken) + 3))) if id not in taken
    )


OPENING = [new_game, picture, open_game]
