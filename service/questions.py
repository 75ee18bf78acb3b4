"""Answer questions about a game, and about its disputes, rulings and the referee's acts."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery, QueryParameter

from umpire_ledger.desk.seat import Seat
from umpire_ledger.desk.seat_queries import DiceReport, News, SeatKnowledge, plain_unit
from umpire_ledger.desk.seat_refereeing import DisputePage
from umpire_ledger.projections.questions.differences import Difference
from umpire_ledger.projections.questions.statements import TurnStatement
from umpire_ledger.projections.questions.times import Times
from umpire_ledger.projections.record.refusal import KeptRefusal
from umpire_ledger.projections.reports.conformance import Label
from umpire_ledger.projections.reports.disputes import DisputeLine, RulingLine
from umpire_ledger.projections.reports.referee import RefereeAct
from umpire_ledger.projections.reports.sitrep import Sitrep
from umpire_ledger.service.game_request import Looking
from umpire_ledger.service.view_routes import Last, Name

Number = Annotated[int, QueryParameter(ge=0, le=2**53)]
Turn = Annotated[int | None, QueryParameter(ge=0, le=2**53, description="The current turn by default.")]


@get("/why/{record:int}", sync_to_thread=True)
def why(look: Looking, record: FromPath[int]) -> Response[dict[str, Any]]:
    """Explain a record: its order, seat, step, prerequisites and effects."""

    def ask(seat: Seat) -> dict[str, Any]:
        answer = seat.why(record)
        return {**msgspec.structs.asdict(answer), "printed_rules": seat.printed_rules(answer.step)}

    return look(ask)


@get("/units/{unit:str}", sync_to_thread=True)
def unit(look: Looking, unit: FromPath[str]) -> Response[dict[str, Any]]:
    """Return the history of a unit, and its current state."""

    def ask(seat: Seat) -> dict[str, Any]:
        told = seat.unit(unit)
        return {"id": told.id, "now": plain_unit(told.now) if told.now else None, "life": told.life}

    return look(ask)


@get("/account", sync_to_thread=True)
def account(look: Looking, name: Name) -> Response[list[TurnStatement]]:
    """Return the statement of an account by turn."""
    return look(lambda seat: seat.account(name))


@get("/dice", sync_to_thread=True)
def dice(look: Looking, by: Name = "", every_line: FromQuery[bool] = False) -> Response[DiceReport]:
    """Return every roll, with totals and statistics."""
    return look(lambda seat: seat.dice(by=by, all_lines=every_line))


@get("/knew/{who:str}", sync_to_thread=True)
def knew(look: Looking, who: FromPath[str], at: Number) -> Response[SeatKnowledge]:
    """Return a seat's knowledge at a position, for its own side, and for the referee unless secrets are closed."""
    return look(lambda seat: seat.knew(who, at))


@get("/since", sync_to_thread=True)
def since(look: Looking, who: Name = "", most: Last = None) -> Response[News]:
    """Return the orders since a seat (by default this one) last looked."""
    return look.fresh(lambda seat: seat.since(who, most=most))


@get("/diff", sync_to_thread=True)
def diff(look: Looking, before: Number, after: Number) -> Response[list[Difference]]:
    """Return the differences between two positions of the game."""
    return look(lambda seat: seat.at(before).diff(seat.at(after)))


@get("/conformance", sync_to_thread=True)
def conformance(look: Looking, turn: Turn = None) -> Response[list[Label]]:
    """Return the result of every label of the printed sequence in a turn."""
    return look(lambda seat: seat.conformance(turn))


@get("/sitrep", sync_to_thread=True)
def sitrep(look: Looking, turn: Turn = None, side: Name = "") -> Response[Sitrep]:
    """Return the situation report of a turn, or of one side's player turn."""
    return look(lambda seat: seat.sitrep(turn, side))


@get("/times", sync_to_thread=True)
def times(look: Looking, pause: Name = "") -> Response[Times]:
    """Return how long the game waited for each side. Gaps longer than `pause`, such as 8h, count for no side."""
    return look.fresh(lambda seat: seat.game.times(pause=pause or None))


@get("/refusals", sync_to_thread=True)
def refusals(look: Looking, last: Last = None) -> Response[list[KeptRefusal]]:
    """Return the refused orders: all of them for the referee, those of its side for another seat."""
    return look.fresh(lambda seat: seat.refusals(last))


@get("/disputes", sync_to_thread=True)
def disputes(look: Looking, answer: FromQuery[Literal["open", "settled"] | None] = None) -> Response[list[DisputeLine]]:
    """Return the disputes of the game, the oldest first."""
    return look(lambda seat: seat.disputes(answer))


@get("/disputes/{dispute:str}", sync_to_thread=True)
def dispute(look: Looking, dispute: FromPath[str], direct: FromQuery[bool] = False) -> Response[DisputePage]:
    """Return a dispute, the orders that depend on its records, and earlier rulings of the game on the same rule."""

    def ask(seat: Seat) -> DisputePage:
        page = seat.dispute_page(dispute, direct=direct)
        own = (one for one in page.precedents if one.game == seat.game.id)
        return msgspec.structs.replace(page, precedents=tuple(msgspec.structs.replace(one, also=()) for one in own))

    return look.fresh(ask)


@get("/rulings", sync_to_thread=True)
def rulings(look: Looking, rule: Name = "", text: Name = "") -> Response[list[RulingLine]]:
    """Return the rulings of the game by rule number or words."""
    return look(lambda seat: seat.rulings(rule=rule, text=text))


@get("/referee", sync_to_thread=True)
def referee(look: Looking) -> Response[list[RefereeAct]]:
    """Return the referee's acts outside the rules, as the seat may see them."""
    return look(lambda seat: seat.referee_acts())


QUESTIONS = [
    *(why, unit, account, dice, knew, since, diff, conformance, sitrep, times),
    *(refusals, disputes, dispute, rulings, referee),
]
