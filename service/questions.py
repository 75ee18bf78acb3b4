"""Questions about a game that have one answer, and the referee's desk as it is looked at."""

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
    """Why a record is there: the order, who, where, what it rested on, what it led to."""

    def ask(seat: Seat) -> dict[str, Any]:
        answer = seat.why(record)
        return {**msgspec.structs.asdict(answer), "printed_rules": seat.printed_rules(answer.step)}

    return look(ask)


@get("/units/{unit:str}", sync_to_thread=True)
def unit(look: Looking, unit: FromPath[str]) -> Response[dict[str, Any]]:
    """The life of a unit, and as it stands."""

    def ask(seat: Seat) -> dict[str, Any]:
        told = seat.unit(unit)
        return {"id": told.id, "now": plain_unit(told.now) if told.now else None, "life": told.life}

    return look(ask)


@get("/account", sync_to_thread=True)
def account(look: Looking, name: Name) -> Response[list[TurnStatement]]:
    """The statement of an account, turn by turn."""
    return look(lambda seat: seat.account(name))


@get("/dice", sync_to_thread=True)
def dice(look: Looking, by: Name = "", every_line: FromQuery[bool] = False) -> Response[DiceReport]:
    """Every roll, with totals and how even they look."""
    return look(lambda seat: seat.dice(by=by, all_lines=every_line))


@get("/knew/{who:str}", sync_to_thread=True)
def knew(look: Looking, who: FromPath[str], at: Number) -> Response[SeatKnowledge]:
    """What a seat had seen by a position; one's own side may ask, and the referee where secrets are not closed."""
    return look(lambda seat: seat.knew(who, at))


@get("/since", sync_to_thread=True)
def since(look: Looking, who: Name = "", most: Last = None) -> Response[News]:
    """The orders since a seat, this one if left out, last looked."""
    return look.fresh(lambda seat: seat.since(who, most=most))


@get("/diff", sync_to_thread=True)
def diff(look: Looking, before: Number, after: Number) -> Response[list[Difference]]:
    """What differs between two positions of the game."""
    return look(lambda seat: seat.at(before).diff(seat.at(after)))


@get("/conformance", sync_to_thread=True)
def conformance(look: Looking, turn: Turn = None) -> Response[list[Label]]:
    """Every label of the printed sequence, and how it went in a turn."""
    return look(lambda seat: seat.conformance(turn))


@get("/sitrep", sync_to_thread=True)
def sitrep(look: Looking, turn: Turn = None, side: Name = "") -> Response[Sitrep]:
    """The situation report of a turn, or of one side's player turn."""
    return look(lambda seat: seat.sitrep(turn, side))


@get("/times", sync_to_thread=True)
def times(look: Looking, pause: Name = "") -> Response[Times]:
    """How long each side was waited for; `pause`: gaps longer than that, for instance 8h, are nobody's."""
    return look.fresh(lambda seat: seat.game.times(pause=pause or None))


@get("/refusals", sync_to_thread=True)
def refusals(look: Looking, last: Last = None) -> Response[list[KeptRefusal]]:
    """The orders that were refused: the referee sees them all, a seat those of its side."""
    return look.fresh(lambda seat: seat.refusals(last))


@get("/disputes", sync_to_thread=True)
def disputes(look: Looking, answer: FromQuery[Literal["open", "settled"] | None] = None) -> Response[list[DisputeLine]]:
    """The disputes of the game, the oldest first."""
    return look(lambda seat: seat.disputes(answer))


@get("/disputes/{dispute:str}", sync_to_thread=True)
def dispute(look: Looking, dispute: FromPath[str], direct: FromQuery[bool] = False) -> Response[DisputePage]:
    """A dispute, what depends on its records, and how the same rule was ruled on before."""

    def ask(seat: Seat) -> DisputePage:
        page = seat.dispute_page(dispute, direct=direct)
        own = (one for one in page.precedents if one.game == seat.game.id)
        return msgspec.structs.replace(page, precedents=tuple(msgspec.structs.replace(one, also=()) for one in own))

    return look.fresh(ask)


@get("/rulings", sync_to_thread=True)
def rulings(look: Looking, rule: Name = "", text: Name = "") -> Response[list[RulingLine]]:
    """The rulings of the game, by rule number or words."""
    return look(lambda seat: seat.rulings(rule=rule, text=text))


@get("/referee", sync_to_thread=True)
def referee(look: Looking) -> Response[list[RefereeAct]]:
    """What the referee did against or beside the rules, as far as the seat may see it."""
    return look(lambda seat: seat.referee_acts())


QUESTIONS = [
    *(why, unit, account, dice, knew, since, diff, conformance, sitrep, times),
    *(refusals, disputes, dispute, rulings, referee),
]
