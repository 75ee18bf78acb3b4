"""What a seat may look at: the table as it knows it, the audit trail, and the questions that have one answer.

Everything here is the fold of the records that the seat may see, and of nothing else.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from umpire_ledger.desk.core.adapters import need_title_of
from umpire_ledger.desk.core.errors import NotThere, no_such_seat, not_there
from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.events import TAGS
from umpire_ledger.domain.game.orders import Order
from umpire_ledger.domain.game.state import REFEREE, SPECTATOR, Game, Unit
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.questions.branches import LineOfPlay, lines
from umpire_ledger.projections.questions.dice_statistics import Total, totals
from umpire_ledger.projections.questions.epochs import DiceEpoch, epochs_in
from umpire_ledger.projections.questions.order_lines import OrderLine, order_lines
from umpire_ledger.projections.questions.record_explanation import Explanation, why
from umpire_ledger.projections.questions.rolls import ThrownRoll, thrown_in, told_of
from umpire_ledger.projections.questions.seat_knowledge import Knew, knew
from umpire_ledger.projections.questions.statements import Moment, TurnStatement, life, statement
from umpire_ledger.projections.tables.last_seen import LastSeen
from umpire_ledger.projections.tables.order_history import may_ask, orders_on_branch, seen_by
from umpire_ledger.projections.tables.order_sentences import OrderSentence, newest_orders, orders_of
from umpire_ledger.projections.tables.pieces import stacks
from umpire_ledger.projections.tables.search import AuditLine, Filter, audit_lines
from umpire_ledger.projections.tables.seat_visibility import seats_at
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.projections.tables.undo_points import UndoPoint, undo_points
from umpire_ledger.projections.tables.updater import Follower

if TYPE_CHECKING:
    from umpire_ledger.desk.game import PlayedGame
    from umpire_ledger.desk.orders.completion import Completion, CompletionContext
    from umpire_ledger.desk.orders.order_forms import Given, OrderForm
    from umpire_ledger.desk.orders.order_pages import Openings, OrderPage
    from umpire_ledger.projections.pictures.charts import Chart
    from umpire_ledger.projections.pictures.table_picture import Picture

LAST_POSITION = 2**32 - 1


class News(msgspec.Struct, frozen=True, kw_only=True):
    """The orders since a seat last looked, as it may see them. `looked`: the position then, 0 if it never did."""

    seat: str
    looked: int
    since: tuple[OrderSentence, ...]


class UnitLife(msgspec.Struct, frozen=True, kw_only=True):
    """A unit as it stands, None where this seat knows of none, and what happened to it."""

    id: str
    now: Unit | None
    life: tuple[Moment, ...]


class DiceReport(msgspec.Struct, frozen=True, kw_only=True):
    """Rolls, and how even they look, by die, seat and purpose. `seeds`: from which the ledger threw, oldest first.

    `openings_before`: how many games this ledger opened from the same scenario before this one, which nobody played;
    `unplayed`: their ids, for the referee.
    """

    rolls: tuple[ThrownRoll, ...]
    totals: tuple[Total, ...]
    seeds: tuple[DiceEpoch, ...] = ()
    openings_before: int = 0
    unplayed: tuple[str, ...] = ()


class SeatKnowledge(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat had seen by a position: its turn view then, and its secrets, what was undone, what was hidden."""

    seat: str
    position: int
    view: TurnView
    knew: Knew


def plain_unit(unit: Unit) -> dict[str, Any]:
    """A unit as plain data, every field said."""
    fields = {name: getattr(unit, name) for name in ("id", "side", "kind", "at")}
    return {**fields, "attributes": dict(unit.attributes), "fate": unit.fate}


def plain_sighting(seen: LastSeen) -> dict[str, Any]:
    """A unit out of sight as plain data: as it was seen last."""
    unit = {"id": seen.unit, "side": seen.side, "kind": seen.kind, "at": seen.at}
    dated = {"turn": seen.turn, "position": seen.position}
    return {**unit, "attributes": dict(seen.attributes), "fate": "", "last_seen": dated}


class Looks:
    """The looks of a seat at its game."""

    def __init__(self, game: "PlayedGame", name: str) -> None:
        self.game = game.watched if name == SPECTATOR else game
        self.name = name

    # --- the table ----------------------------------------------------------------------------------------------------

    @property
    def side(self) -> str:
        """The side that this seat speaks for; "" for the referee and a spectator."""
        return self._whole.side_of(self.name)

    @property
    def status(self) -> TurnView:
        """The turn view now: where we are, who must act, what is allowed, what is owed, how things stand."""
        return self.status_at(None)

    def status_at(self, at: int | None) -> TurnView:
        """The turn view as it stood at a position (None: now). Raises NoSuchRecord."""
        with self._following() as following:
            return following.turn_view(self.game.id, self.name, at)

    def known(self, at: int | None = None) -> Game:
        """The whole state as this seat knows it, now or at a position; immutable. Raises NoSuchRecord."""
        with self._following() as following:
            return following.known_to(self.game.id, self.name, at)

    def units(self, *, at: int | None = None, side: str = "", gone: bool = False) -> tuple[Unit, ...]:
        """The units by id: those in play, with `gone` those too that have left it."""
        units = self.known(at).units
        if side and side not in self.game.sides:
            raise self._not_there("side", side, self.game.sides)
        chosen = (units[name] for name in sorted(units))
        return tuple(unit for unit in chosen if side in ("", unit.side) and (gone or not unit.fate))

    def last_seen(self, at: int | None = None) -> tuple[LastSeen, ...]:
        """The units that this seat saw once and does not see now: where, when, and the record by which it lost them."""
        with self._following() as following:
            return following.last_seen(self.game.id, self.name, at)

    def plain_units(self, *, at: int | None = None, side: str = "", gone: bool = False) -> list[dict[str, Any]]:
        """The units as plain data; of hidden ones who sees them, of those out of sight when they were seen last."""
        hidden = self.known(at).hidden
        found = [
            {**plain_unit(unit), **({"seen_by": list(hidden[unit.id].seen_by)} if unit.id in hidden else {})}
            for unit in self.units(at=at, side=side, gone=gone)
        ]
        lost = (one for one in self.last_seen(at) if side in ("", one.side))
        return [*found, *map(plain_sighting, lost)]

    def stacks(self, units: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Units as plain data, place by place, in the notation of the title's players; ids where it has none."""
        return stacks(self.game.title, self.known(), units)

    def picture(self, at: int | None = None) -> "Picture":
        """The table as it is drawn, as plain data: where places lie, stacks, ways, losses. Raises NoSuchRecord."""
        from umpire_ledger.desk.pictures.pictures import table_at  # noqa: PLC0415 -- most looks draw nothing

        return table_at(self.game._open, self.known(at), self.name, at)

    def map(self, file: Path | str | None = None, *, at: int | None = None, stacks: bool = False) -> str:
        """The table as an SVG document, written to a file too (.svg, or .png with the extra `pictures`).

        `stacks`: opened out below the map, counter by counter.

        Raises NoSuchRecord; WrongUse where the file cannot be written or is neither.
        """
        from umpire_ledger.desk.pictures.pictures import save  # noqa: PLC0415 -- as above
        from umpire_ledger.projections.pictures.svg import svg_of  # noqa: PLC0415 -- as above

        drawn = svg_of(self.picture(at), stacks=stacks)
        if file is not None:
            save(drawn, Path(file))
        return drawn

    def map_in_page(self, at: int | None = None) -> str:
        """The same as a part of an HTML page that has the style for it. Raises NoSuchRecord."""
        from umpire_ledger.projections.pictures.svg import svg_in_page  # noqa: PLC0415 -- as above

        return svg_in_page(self.picture(at))

    def chart_data(self, kind: str, *, all_lines: bool = False, pause: timedelta | str | None = None) -> "Chart":
        """A chart as it is drawn, as plain data: `dice`, `accounts`, `losses` or `time`.

        `all_lines`: dice of abandoned lines too. `pause`: for `time`, gaps longer than that (`8h`) are nobody's. Raises
        WrongUse for another kind, or what is no length of time.
        """
        from umpire_ledger.desk.pictures.charts import chart_of  # noqa: PLC0415 -- as above

        return chart_of(self.game._open, self.name, self.known(), kind, all_lines=all_lines, pause=pause)

    def chart(self, kind: "str | Chart", file: Path | str | None = None, **more: Any) -> str:
        """A chart as an SVG document, written to a file too as `map` does. `kind`, `more`: those of `chart_data`.

        The whole of it in words is inside, in its `<desc>`. Raises WrongUse as they do.
        """
        from umpire_ledger.desk.pictures.pictures import save  # noqa: PLC0415 -- as above
        from umpire_ledger.projections.pictures.chart_svg import chart_svg_of  # noqa: PLC0415 -- as above

        drawn = chart_svg_of(self.chart_data(kind, **more) if isinstance(kind, str) else kind)
        if file is not None:
            save(drawn, Path(file))
        return drawn

    def legal_orders(self) -> tuple[Order, ...]:
        """Concrete orders that this seat could give now, found by trying each on what it knows.

        What is worth trying comes from the title; the list is never complete where arguments are free. Dice are thrown
        from a seed of their own, so nothing is learnt of the game's.
        """
        return tuple(self.game._legal_orders(self.known(), self.side or self.name))

    # --- what can be typed --------------------------------------------------------------------------------------------

    def completions(self, words: Sequence[str], incomplete: str = "") -> "tuple[Completion, ...]":
        """What could be typed next: orders, options, and values that this seat may know, the likeliest first."""
        from umpire_ledger.desk.orders import completion  # noqa: PLC0415 -- a look at the game does not need it

        return tuple(completion.completions(self._table(), words, incomplete))

    def openings(self) -> "Openings":
        """What this seat can order now, and concrete orders worth trying; the referee hears of every side's."""
        from umpire_ledger.desk.orders.order_pages import openings_of  # noqa: PLC0415 -- as above

        table = self._table()
        return openings_of(table, self.game._worth_trying(table.game, table.sides))

    def order_page(self, name: str) -> "OrderPage":
        """How an order is typed, with an example from the game as it stands. Raises UnknownName with the nearest."""
        from umpire_ledger.desk.orders.order_pages import page_in_game  # noqa: PLC0415 -- as above

        table = self._table()
        return page_in_game(table, name, self.game._worth_trying(table.game, table.sides))

    def order_form(self, name: str, given: "Given | None" = None) -> "OrderForm":
        """An order as a form: fields, what can be chosen for each, and what it would throw as it is filled in.

        `given`: the words of each argument, as they would be typed. It is tried on what this seat knows, and nothing is
        recorded. Raises UnknownName with the nearest.
        """
        from umpire_ledger.desk.orders.order_forms import form_of  # noqa: PLC0415 -- as above

        table = self._table()
        return form_of(
            table,
            name,
            given or {},
            lambda words: self.game._typed(words, self.name),
            lambda raw: self.game._thrown_by(table.game, raw),
        )

    def _table(self) -> "CompletionContext":
        from umpire_ledger.desk.orders.completion import CompletionContext  # noqa: PLC0415 -- as above

        known = self.known()
        return CompletionContext(need_title_of(known), known, self.name)

    # --- what happened ------------------------------------------------------------------------------------------------

    def audit(self, *, first: int | None = None, last: int | None = None, **wanted: Any) -> list[AuditLine]:
        """The audit trail, oldest first: every record in words. `last`: only the newest so many that fit.

        `first`: only the oldest so many, a page; the next one begins (`start`) behind its last position.

        Filters: `unit`, `step`, `side`, `seat` (the author), `dice`, `rule`, `event` (a tag), `text` (full text),
        `start` and `stop` (positions, both included), `all_lines` (abandoned ones too). Raises NotThere where nothing
        fits because the game has no such unit, step, side, seat, rule or kind of record.
        """
        stop = wanted.pop("stop", None)
        chosen = Filter(stop=LAST_POSITION if stop is None else stop, **wanted)
        with self._following() as following:
            views = following.connection
            found = list(
                audit_lines(views, self.game.id, self.name, chosen, newest_first=last is not None, limit=last or first)
            )
        if not found:
            self._verify_names(chosen)
        return found[::-1] if last is not None else found

    def orders(self, *, last: int | None = None, **wanted: Any) -> list[OrderLine]:
        """The audit trail by order, oldest first: one sentence each, and its records as this seat may see them.

        Filters are those of `audit`: an order is there when one of its records fits. `last`: only the newest so many
        orders. Raises NotThere as `audit` does.
        """
        stop = wanted.pop("stop", None)
        chosen = Filter(stop=LAST_POSITION if stop is None else stop, **wanted)
        with self._following() as following:
            found = order_lines(self._ledger, following, self.game.id, self.name, chosen, last)
        if not found:
            self._verify_names(chosen)
        return found

    def _verify_names(self, wanted: Filter) -> None:
        """Raises NotThere for a filter that nothing in this game can fit, as far as this seat knows."""
        title = self.game.title
        rules = {rule for line in self.audit(all_lines=True) for rule in line.rules} if wanted.rule else set()
        known: tuple[tuple[str, str, Iterable[str]], ...] = (
            ("unit", wanted.unit, sorted(self.known().units)),
            ("step", wanted.step, title.plan.places if title is not None else (wanted.step,)),
            ("side", wanted.side, self.game.sides),
            ("seat", wanted.seat, self.game.seats),
            ("kind of record", wanted.event, TAGS),
            ("rule", wanted.rule, sorted(rules)),
        )
        for kind, name, names in known:
            if name and name not in names:
                raise self._not_there(kind, name, names)

    def undo_points(self, last: int | None = None) -> list[UndoPoint]:
        """The places that play can be returned to, newest first, and what a return there would undo."""
        with self._following() as following:
            return undo_points(following.connection, self.game.id, self.name, last)

    def lines(self, last: int | None = None) -> list[LineOfPlay]:
        """The log as a tree: the line that counts, and those that were left."""
        with self._following() as following:
            return lines(self._ledger, following.connection, self.game.id, self.name, last)

    def since(self, who: str = "", *, most: int | None = None) -> News:
        """What happened since a seat, this one if left out, last looked, order by order: the newest `most`.

        Raises NoSuchSeat; Refused where it is not this seat's to ask.
        """
        who = who or self.name
        self._verify_may_ask(who)
        ledger, game = self._ledger, self.game.id
        with self._following() as following:
            start = self.game._looked(following.connection, who)
            if most is None:
                orders = list(orders_of(ledger.branch_bytes(game, after=start), whole=not start))
            else:
                newest = newest_orders(ledger, game, self.game.size, most)
                orders = [records for records in newest if records[0].position > start]
            return News(
                seat=who, looked=start, since=tuple(filter(None, map(following.teller(game, who).told, orders)))
            )

    @property
    def looked(self) -> int:
        """The position at which this seat last looked, 0 if it never did."""
        with self._following() as following:
            return self.game._looked(following.connection, self.name)

    def note_look(self, at: int | None = None) -> None:
        """Note that this seat has looked at everything up to a position, the last if left out: `since` begins there."""
        self.game._note_look(self.name, self.game.size if at is None else at)

    # --- questions ----------------------------------------------------------------------------------------------------

    def why(self, position: int) -> Explanation:
        """Why a record is there: the order, who, where, its causes and effects. Raises NoSuchRecord."""
        self._verify()
        return why(self._ledger, self.game.id, self.name, position, self.game.title)

    def unit(self, unit: str) -> UnitLife:
        """The life of a unit. Raises NotThere."""
        known = self.known().units
        moments = life(orders_on_branch(self._ledger, self.game.id, self.name), unit)
        if not moments:
            raise self._not_there("unit", unit, sorted(known))
        return UnitLife(id=unit, now=known.get(unit), life=tuple(moments))

    def account(self, account: str) -> list[TurnStatement]:
        """The statement of an account by turn: opening balance, entries, closing balance. Raises NotThere."""
        turns = statement(orders_on_branch(self._ledger, self.game.id, self.name), account)
        if not turns:
            raise self._not_there("account", account, sorted(self.known().accounts))
        return turns

    def dice(self, *, by: str = "", all_lines: bool = False) -> DiceReport:
        """Every roll, with totals and how even they look. `by`: rolls by that seat only."""
        self._verify()
        if by and by not in self.game.seats:
            raise no_such_seat(by, self.game.seats)
        from umpire_ledger.desk.scenarios.openings import unplayed_before  # noqa: PLC0415 -- it reads other games, for this alone

        ledger, game = self._ledger, self.game.id
        told = list(told_of(ledger, game, self.name))
        found = [one for one in thrown_in(told, ledger.branch(game)) if one.counts or all_lines]
        rolls = tuple(one for one in found if by in ("", one.seat))
        unplayed = unplayed_before(ledger, game) if self._whole.dice == "ledger" else ()
        return DiceReport(
            rolls=rolls,
            totals=tuple(totals([one.judged for one in rolls if not one.kept])),
            seeds=epochs_in(told),
            openings_before=len(unplayed),
            unplayed=unplayed if self.name == REFEREE else (),
        )

    def knew(self, who: str, at: int) -> SeatKnowledge:
        """What a seat had seen by a position. Raises NoSuchSeat; Refused where it is not this seat's to ask."""
        self._verify_may_ask(who)
        ledger, game = self._ledger, self.game.id
        with self._following() as following:
            view = following.turn_view(game, who, at)
        records = seen_by(ledger, game, who, ledger.lines(game, 1, at), at=at)
        found = knew(records, ledger.branch(game, at).stretches)
        return SeatKnowledge(seat=who, position=at, view=view, knew=found)

    def printed_rules(self, step: str) -> str:
        """The title and the rule numbers printed beside a step; "" where the title is not installed."""
        title = self.game.title
        if title is None or not step:
            return ""
        place = title.plan.places.get(step)
        return f"{title.name} {step}" + (f" [{', '.join(place.rules)}]" if place and place.rules else "")

    # --- helpers ------------------------------------------------------------------------------------------------------

    @property
    def _ledger(self) -> Ledger[Game]:
        return self.game.ledger

    @property
    def _whole(self) -> Game:
        """The game as nobody sees it: for what is public in it, and for who may see what."""
        return self._ledger.state(self.game.id)

    def _verify(self) -> None:
        """Raises NoSuchSeat for a seat that the game does not have, NoSuchGame."""
        known = seats_at(self._whole)
        if self.name not in known:
            raise no_such_seat(self.name, known)

    @contextmanager
    def _following(self) -> Iterator[Follower]:
        self._verify()
        with self.game._open.opened.read_models.caught_up(self.game.id) as following:
            yield following

    def _verify_may_ask(self, who: str) -> None:
        self._verify()
        whole = self._whole
        known = seats_at(whole)
        if who not in known:
            raise no_such_seat(who, known)
        if may_ask(whole, self.name, who):
            return
        remedy = f"ask --as {who}, or let the referee ask"
        if self.name == REFEREE:
            remedy = f"look with `umpire peek`, which is recorded, or let {who} ask: --as {who}"
        what = f"what {who} knows is closed to {self.name}"
        raise RuleViolation(what, where=whole.where, rule="secrets", remedy=remedy)

    def _not_there(self, kind: str, name: str, known: Iterable[str]) -> NotThere:
        return not_there(kind, name, known, self._whole.where)
