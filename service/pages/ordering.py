"""Handle orders on a page: available orders, suggestions, the filled-in form of one order, the end of a step."""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from umpire_ledger.desk.core.errors import EXPECTED, Problem, problem_of
from umpire_ledger.desk.orders.order_forms import FormField, OrderForm, with_choices, words_of_form
from umpire_ledger.desk.orders.order_pages import AvailableOrder, Suggestion
from umpire_ledger.desk.seat import Seat
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.service.pages.page_request import Fields

FIELD, ADD, DROP, PIP = "f.", "add.", "drop.", "pip."
MOST_DIGITS = 10
ASKED_ELSEWHERE = ("done",)
"""Orders that have their own part of the page."""


class Die(msgspec.Struct, frozen=True, kw_only=True):
    """A die that the table must roll for an order: the number of its field, its faces, and the filled-in value."""

    number: int
    faces: int
    pips: str


class RequestedRoll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll that an order requires, with its dice."""

    purpose: str
    dice: str
    each: tuple[Die, ...]


class EndableStep(msgspec.Struct, frozen=True, kw_only=True):
    """A step that this seat may end. `answers`: the possible answers; empty if it needs none."""

    step: str
    name: str
    answers: tuple[str, ...]
    costs: tuple[str, ...]


class Ordering(msgspec.Struct, frozen=True, kw_only=True):
    """The orders on a page.

    `chosen`: the order whose form is open, "" for none; `wrong`: the reason why there is no form. `sealed`: whether no
    other seat can read the orders of the open step. `closed`: the reason why the order in the address has no open form.
    """

    now: tuple[AvailableOrder, ...]
    suggestions: tuple[Suggestion, ...]
    leaving: tuple[EndableStep, ...]
    chosen: str
    form: OrderForm | None
    wrong: Problem | None
    throws: tuple[RequestedRoll, ...]
    more_pips: str
    leave: bool
    sealed: bool
    closed: str = ""

    @property
    def main(self) -> tuple[FormField, ...]:
        """The main fields of the open form."""
        return tuple(one for one in self.form.fields if not one.beside) if self.form else ()

    @property
    def beside(self) -> tuple[FormField, ...]:
        """The optional fields of the open form."""
        return tuple(one for one in self.form.fields if one.beside) if self.form else ()


def ordering_of(seat: Seat, view: TurnView, fields: Fields) -> Ordering:
    """Return the orders of a page, with the form that the fields of its address name."""
    openings = seat.openings()
    now = tuple(one for one in openings.now if one.order not in ASKED_ELSEWHERE)
    chosen, closed = fields.one("order"), ""
    if chosen and _is_closed(seat, chosen, (*(one.order for one in now), *openings.always)):
        chosen, closed = "", f"{chosen} is not open now, so its form was closed"
    if not chosen and view.side in view.waiting:
        chosen = _first(view, openings.suggestions, now)
    form, wrong = None, None
    if chosen:
        try:
            form = _form(seat, chosen, fields)
        except EXPECTED as error:
            wrong, chosen = problem_of(error), ""
    return Ordering(
        now=now,
        suggestions=tuple(one for one in openings.suggestions if one.order["order"] not in ASKED_ELSEWHERE),
        leaving=tuple(_leaving(view)),
        chosen=chosen,
        form=form,
        wrong=wrong,
        throws=tuple(_throws(form, fields)) if form else (),
        more_pips=fields.one("pips"),
        leave=bool(fields.one("leave")),
        sealed=any(one.secret for one in view.steps),
        closed=closed,
    )


def closed_orders(why: str) -> Ordering:
    """Return an empty list of orders, with the reason."""
    return Ordering(
        now=(),
        suggestions=(),
        leaving=(),
        chosen="",
        form=None,
        wrong=None,
        throws=(),
        more_pips="",
        leave=False,
        sealed=False,
        closed=why,
    )


def _is_closed(seat: Seat, order: str, available: Collection[str]) -> bool:
    """Return whether an order of the title is not available; False for an unknown name, which the form reports."""
    title = seat.game.title
    return order not in available and title is not None and order in title.every_order


def _first(view: TurnView, suggestions: Sequence[Suggestion], now: Sequence[AvailableOrder]) -> str:
    """Return the order to open by default: a suggestion, except an order that Umpire gives automatically."""
    worth = [str(one.order["order"]) for one in suggestions] + [one.order for one in now]
    passed = (*ASKED_ELSEWHERE, *(("pick",) if view.by_itself else ()))
    return next((name for name in worth if name not in passed), now[0].order if now else "")


def _form(seat: Seat, name: str, fields: Fields) -> OrderForm:
    """Return the form of an order, after adding a place to a path or removing one."""
    given = _chosen(seat, name, fields)
    if fields.begun(DROP):
        chosen = {one.name: one.chosen for one in seat.order_form(name, given).fields}
        given |= {dropped: list(chosen.get(dropped, ())[:-1]) for dropped in fields.begun(DROP)}
    return seat.order_form(name, given)


def _chosen(seat: Seat, name: str, fields: Fields) -> dict[str, list[str]]:
    """Return the fields of a form, with the choices that are added to them."""
    title = seat.game.title
    assert title is not None, "the pages of a game need its title"
    return with_choices(title, name, fields.begun(FIELD), fields.begun(ADD))


def _throws(form: OrderForm, fields: Fields) -> Iterator[RequestedRoll]:
    at = 0
    for roll in form.rolls:
        each = []
        for _ in range(roll.pips):
            at += 1
            each.append(Die(number=at, faces=roll.faces, pips=fields.one(f"{PIP}{at}")))
        yield RequestedRoll(purpose=roll.purpose, dice=roll.dice, each=tuple(each))


def _leaving(view: TurnView) -> Iterator[EndableStep]:
    """Yield the steps that this seat's side may end; for the referee, every step."""
    names = {one.step: one.name for one in view.steps}
    answers = {(one.step, one.side): one.answers for one in view.answers}
    costs: dict[tuple[str, str], tuple[str, ...]] = {}
    for loss in view.on_done:
        costs[loss.step, loss.side] = (*costs.get((loss.step, loss.side), ()), loss.words)
    for allowed in view.allowed:
        if "done" in allowed.orders and allowed.side == view.side:
            at = allowed.step, allowed.side
            yield EndableStep(
                step=allowed.step,
                name=names.get(allowed.step, ""),
                answers=answers.get(at, ()),
                costs=costs.get(at, ()),
            )


def order_of(seat: Seat, fields: Fields) -> dict[str, object]:
    """Return the order that a form describes. Its words are read like typed words, with the same errors."""
    pips = pips_of(fields)
    given = _chosen(seat, fields.one("order"), fields)
    names = {one.name for one in seat.order_form(fields.one("order"), {}).fields if not one.several}
    said = {name: words[-1:] if name in names else words for name, words in given.items()}
    words = words_of_form(fields.one("order"), said, pips)
    return seat.read([*words, *(["--leave=here"] if fields.one("leave") else [])])


def pips_of(fields: Fields) -> list[int]:
    """Return the dice results of the form: from the typed list, or from the fields of the dice if there is none."""
    typed = fields.one("pips").replace(",", " ").split()
    each = sorted((int(name), said[-1]) for name, said in fields.begun(PIP).items() if is_number(name) and said)
    return [int(one) for one in typed or [pips for _, pips in each] if is_number(one)]


def is_number(word: str) -> bool:
    """Return whether a word is a whole number of a reasonable size."""
    return word.isascii() and word.isdigit() and len(word) < MOST_DIGITS
