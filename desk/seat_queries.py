"""Answer a seat's queries: the state that it knows, the audit trail, and questions about records, units and dice.

Every answer uses only the records that the seat may see.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from types import ModuleType
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
from umpire_ledger.projections.questions.seat_knowledge import PastKnowledge, knowledge_from
from umpire_ledger.projections.questions.statements import Moment, TurnStatement, life, statement
from umpire_ledger.projections.tables.audit_search import AuditLine, Filter, audit_lines
from umpire_ledger.projections.tables.last_seen import LastSeen
from umpire_ledger.projections.tables.order_history import may_ask, orders_on_branch, seen_by
from umpire_ledger.projections.tables.order_sentences import OrderSentence, newest_orders, orders_of
from umpire_ledger.projections.tables.pieces import stacks
from umpire_ledger.projections.tables.seat_visibility import seats_at
from umpire_ledger.projections.tables.time_marks import TimeMarks, time_marks
from umpire_ledger.projections.tables.turn_view import TurnView
from umpire_ledger.projections.tables.undo_points import UndoPoint, undo_points
from umpire_ledger.projections.tables.updater import Follower

if TYPE_CHECKING:
    from umpire_ledger.desk.game import PlayedGame
    from umpire_ledger.desk.orders.click_choices import UnitOrders
    from umpire_ledger.desk.orders.completion import Completion, CompletionContext
    from umpire_ledger.desk.orders.order_forms import Given, OrderForm
    from umpire_ledger.desk.orders.order_pages import Openings, OrderPage
    from umpire_ledger.projections.pictures.charts import Chart
    from umpire_ledger.projections.pictures.table_picture import Picture

LAST_POSITION = 2**32 - 1


def _order_pages() -> ModuleType:
    from umpire_ledger.desk.orders import order_pages  # noqa: PLC0415 -- 5 ms: a look at the game does not need it

    return order_pages


class News(msgspec.Struct, frozen=True, kw_only=True):
    """The orders since a seat last read the game, as it may see them. `looked`: the position it read last, or 0."""

    seat: str
    looked: int
    since: tuple[OrderSentence, ...]


class UnitLife(msgspec.Struct, frozen=True, kw_only=True):
    """The history of a unit. `now`: the unit as the seat knows it now, or None."""

    id: str
    now: Unit | None
    life: tuple[Moment, ...]


class DiceReport(msgspec.Struct, frozen=True, kw_only=True):
    """Rolls, with statistics by die, seat and purpose. `seeds`: the ledger's seeds, oldest first.

    `openings_before`: the number of games that this ledger opened from the same scenario before and that were not
    played; `unplayed`: their ids, for the referee.
    """

    rolls: tuple[ThrownRoll, ...]
    totals: tuple[Total, ...]
    seeds: tuple[DiceEpoch, ...] = ()
    openings_before: int = 0
    unplayed: tuple[str, ...] = ()


class SeatKnowledge(msgspec.Struct, frozen=True, kw_only=True):
    """A seat's knowledge at a position: its turn view, its secrets, undone orders and hidden records."""

    seat: str
    position: int
    view: TurnView
    knew: PastKnowledge


def plain_unit(unit: Unit) -> dict[str, Any]:
    """Return a unit as plain data with every field."""
    fields = {name: getattr(unit, name) for name in ("id", "side", "kind", "at")}
    return {**fields, "attributes": dict(unit.attributes), "fate": unit.fate}


def plain_sighting(seen: LastSeen) -> dict[str, Any]:
    """Return a unit out of sight as plain data, as the seat saw it last."""
    unit = {"id": seen.unit, "side": seen.side, "kind": seen.kind, "at": seen.at}
    dated = {"turn": seen.turn, "position": seen.position}
    return {**unit, "attributes": dict(seen.attributes), "fate": "", "last_seen": dated}


class SeatQueries:
    """The queries of a seat about its game."""

    def __init__(self, game: "PlayedGame", name: str) -> None:
        self.game = game.watched if name == SPECTATOR else game
        self.name = name

    # --- the board ----------------------------------------------------------------------------------------------------

    @property
    def side(self) -> str:
        """The side of this seat; "" for the referee and a spectator."""
        return self._whole.side_of(self.name)

    @property
    def status(self) -> TurnView:
        """The turn view now: step, sides that must act, allowed orders, required actions, state."""
        return self.status_at(None)

    def status_at(self, at: int | None) -> TurnView:
        """Return the turn view at a position (None: now).

        Raises:
            NoSuchRecord: When the game has no such position.
        """
        with self._following() as following:
            return following.turn_view(self.game.id, self.name, at)

    def known(self, at: int | None = None) -> Game:
        """Return the whole state as this seat knows it, now or at a position; it is immutable.

        Raises:
            NoSuchRecord: When the game has no such position.
        """
        with self._following() as following:
            return following.known_to(self.game.id, self.name, at)

    def units(self, *, at: int | None = None, side: str = "", gone: bool = False) -> tuple[Unit, ...]:
        """Return the units in play by id; with `gone`, also the others."""
        units = self.known(at).units
        if side and side not in self.game.sides:
            raise self._not_there("side", side, self.game.sides)
        chosen = (units[name] for name in sorted(units))
        return tuple(unit for unit in chosen if side in ("", unit.side) and (gone or not unit.fate))

    def last_seen(self, at: int | None = None) -> tuple[LastSeen, ...]:
        """Return the units that this seat has lost sight of, with the place, time and record of the last sighting."""
        with self._following() as following:
            return following.last_seen(self.game.id, self.name, at)

    def plain_units(self, *, at: int | None = None, side: str = "", gone: bool = False) -> list[dict[str, Any]]:
        """Return the units as plain data, each hidden unit with its viewers, and the last sighting of lost units."""
        hidden = self.known(at).hidden
        found = [
            {**plain_unit(unit), **({"seen_by": list(hidden[unit.id].seen_by)} if unit.id in hidden else {})}
            for unit in self.units(at=at, side=side, gone=gone)
        ]
        lost = (one for one in self.last_seen(at) if side in ("", one.side))
        return [*found, *map(plain_sighting, lost)]

    def stacks(self, units: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return units as plain data by place, in the notation that the title's players use; without one, by id."""
        return stacks(self.game.title, self.known(), units)

    def picture(self, at: int | None = None) -> "Picture":
        """Return the drawn board as plain data: places, stacks, paths and losses.

        Raises:
            NoSuchRecord: When the game has no such position.
        """
        from umpire_ledger.desk.pictures.pictures import table_at  # noqa: PLC0415 -- 35 ms: most looks draw nothing

        return table_at(self.game._open, self.known(at), self.name, at)

    def map(self, file: Path | str | None = None, *, at: int | None = None, stacks: bool = False) -> str:
        """Return the board as an SVG document; also write it to `file` (.svg, or .png with the extra `pictures`).

        Args:
            stacks: List stacks below the map, counter by counter.

        Raises:
            NoSuchRecord: When the game has no such position.
            WrongUse: When the file cannot be written, or is neither .svg nor .png.
        """
        from umpire_ledger.desk.pictures.pictures import save  # noqa: PLC0415 -- 36 ms: most looks draw nothing
        from umpire_ledger.projections.pictures.svg import svg_of  # noqa: PLC0415 -- 5 ms: most looks draw nothing

        drawn = svg_of(self.picture(at), stacks=stacks)
        if file is not None:
            save(drawn, Path(file))
        return drawn

    def map_in_page(self, at: int | None = None, *, background: str = "") -> str:
        """Return the board as part of an HTML page that has its style sheet.

        Args:
            background: The address under which the page finds the background picture, if the game has one.

        Raises:
            NoSuchRecord: When the game has no such position.
        """
        from umpire_ledger.projections.pictures.svg import svg_in_page  # noqa: PLC0415 -- 6 ms: most looks draw nothing

        drawn = self.picture(at)
        return svg_in_page(msgspec.structs.replace(drawn, background=background if drawn.background else ""))

    def chart_data(self, kind: str, *, all_lines: bool = False, pause: timedelta | str | None = None) -> "Chart":
        """Return a chart as plain data: `dice`, `accounts`, `losses` or `time`.

        Args:
            all_lines: Include dice of abandoned branches.
            pause: For `time`: longer gaps (`8h`) count for no side.

        Raises:
            WrongUse: When the kind is unknown, or `pause` is not a length of time.
        """
        from umpire_ledger.desk.pictures.charts import chart_of  # noqa: PLC0415 -- 27 ms: most looks draw nothing

        return chart_of(self.game._open, self.name, self.known(), kind, all_lines=all_lines, pause=pause)

    def chart(self, kind: "str | Chart", file: Path | str | None = None, **more: Any) -> str:
        """Return a chart as an SVG document, with its data in words in `<desc>`; also write it to `file` as `map` does.

        Args:
            kind: A kind as for `chart_data`, or the result of `chart_data`.
            more: The other arguments of `chart_data`.

        Raises:
            WrongUse: When an argument of `chart_data` is not valid, or when `file` cannot be written or is neither .svg
                nor .png.
        """
        from umpire_ledger.desk.pictures.pictures import save  # noqa: PLC0415 -- 35 ms: most looks draw nothing
        from umpire_ledger.projections.pictures.chart_svg import chart_svg_of  # noqa: PLC0415 -- 5 ms: most looks draw nothing

        drawn = chart_svg_of(self.chart_data(kind, **more) if isinstance(kind, str) else kind)
        if file is not None:
            save(drawn, Path(file))
        return drawn

    def legal_orders(self) -> tuple[Order, ...]:
        """Return concrete orders that this seat can give now, by trying the title's suggestions on its knowledge.

        The list cannot be complete if an argument is free text or any number. The dice have their own seed, so the list
        reveals nothing about the game's dice.
        """
        return tuple(self.game._legal_orders(self.known(), self.side or self.name))

    # --- input of orders ----------------------------------------------------------------------------------------------

    def completions(self, words: Sequence[str], incomplete: str = "") -> "tuple[Completion, ...]":
        """Return possible next words of an order: orders, options, and values that this seat may know.

        The likeliest words come first.
        """
        from umpire_ledger.desk.orders import completion  # noqa: PLC0415 -- 4 ms: a look at the game does not need it

        return tuple(completion.completions(self._table(), words, incomplete))

    def openings(self) -> "Openings":
        """Return the orders that this seat can give now, with suggestions; for the referee, those of every side."""
        table = self._table()
        found: Openings = _order_pages().openings_of(table, self.game._worth_trying(table.game, table.sides))
        return found

    def order_page(self, name: str) -> "OrderPage":
        """Return the explanation of an order, with an example from the game as it is now.

        Raises:
            UnknownName: When the title does not have the order; its remedy suggests similar names.
        """
        table = self._table()
        found: OrderPage = _order_pages().page_in_game(table, name, self.game._worth_trying(table.game, table.sides))
        return found

    def order_form(self, name: str, given: "Given | None" = None) -> "OrderForm":
        """Return an order as a form: fields with their choices, and the rolls of the filled-in order.

        The order is tried on this seat's knowledge, and nothing is recorded.

        Args:
            given: The words of each argument, as a person would type them.

        Raises:
            UnknownName: When the title does not have the order; its remedy suggests similar names.
        """
        from umpire_ledger.desk.orders.order_forms import form_of  # noqa: PLC0415 -- 5 ms: a look at the game does not need it

        table = self._table()
        return form_of(
            table,
            name,
            given or {},
            lambda words: self.game._typed(words, self.name),
            lambda raw: self.game._thrown_by(table.game, raw),
        )

    def unit_orders(
        self, unit: str = "", *, place: str = "", order: str = "", over: Sequence[str] = ()
    ) -> "UnitOrders":
        """Return the orders that begin with a unit, or with a place, or with neither, and every legal target of each.

        The rules decide each order on this seat's knowledge, and nothing is recorded. The referee gets the orders of
        every side.

        Args:
            order: Only this order.
            over: A path for it has to lead over these places to the last of them; then that is the only target.

        Raises:
            NotThere: When this seat knows of no such unit.
        """
        root_at, table = (
            self.game.size,
            self._table(),
        )  # size first: a record in between makes the stored answer outdated, not too new
        if unit and unit not in table.game.units:
            raise self._not_there("unit", unit, sorted(table.game.units))
        return self.game._unit_orders(table, root_at, unit, "" if unit else place, order, tuple(over))

    def _table(self) -> "CompletionContext":
        from umpire_ledger.desk.orders.completion import CompletionContext  # noqa: PLC0415 -- 5 ms: a look at the game does not need it

        known = self.known()
        return CompletionContext(need_title_of(known), known, self.name)

    # --- history ------------------------------------------------------------------------------------------------------

    def audit(self, *, first: int | None = None, last: int | None = None, **wanted: Any) -> list[AuditLine]:
        """Return the audit trail, oldest first: every record in words.

        Filters: `unit`, `step`, `side`, `seat` (the author), `dice`, `rule`, `event` (a tag), `text` (full text),
        `start` and `stop` (positions, both included), `all_lines` (with abandoned branches).

        Args:
            first: Return only this number of the oldest matches, as a page. The `start` of the next page is the
                position after its last one.
            last: Return only this number of the newest matches.

        Raises:
            NotThere: When nothing matches because the game has no such unit, step, side, seat, rule or kind of record.
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
        """Return the audit trail by order, oldest first: one sentence each, and its records as this seat may see them.

        The filters and errors are those of `audit`. An order is listed if one of its records matches.

        Args:
            last: Return only this number of the newest orders.
        """
        stop = wanted.pop("stop", None)
        chosen = Filter(stop=LAST_POSITION if stop is None else stop, **wanted)
        with self._following() as following:
            found = order_lines(self._ledger, following, self.game.id, self.name, chosen, last)
        if not found:
            self._verify_names(chosen)
        return found

    def _verify_names(self, wanted: Filter) -> None:
        """Verify that the names of a filter exist in the game as this seat knows it.

        Raises:
            NotThere: When a name does not exist.
        """
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
        """Return the undo points, newest first, each with the orders that a return would undo."""
        with self._following() as following:
            return undo_points(following.connection, self.game.id, self.name, last)

    def time_marks(self) -> TimeMarks:
        """Return the turns, steps, rolls and own orders that a time bar marks."""
        with self._following() as following:
            return time_marks(following.connection, self.game.id, self.name, self.game.size)

    def lines(self, last: int | None = None) -> list[LineOfPlay]:
        """Return the log as a tree: the current branch and the abandoned ones."""
        with self._following() as following:
            return lines(self._ledger, following.connection, self.game.id, self.name, last)

    def since(self, who: str = "", *, most: int | None = None) -> News:
        """Return the orders since a seat (by default this one) last read the game, at most the newest `most`.

        Raises:
            NoSuchSeat: When the game does not have the seat.
            Refused: When its news are closed to this seat.
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
        """The position that this seat read last; 0 if it has read none."""
        with self._following() as following:
            return self.game._looked(following.connection, self.name)

    def note_look(self, at: int | None = None) -> None:
        """Store the position up to which this seat has read, by default the last one; `since` begins after it."""
        self.game._note_look(self.name, self.game.size if at is None else at)

    # --- questions ----------------------------------------------------------------------------------------------------

    def why(self, position: int) -> Explanation:
        """Return the explanation of a record: its order, seat, step, causes and effects.

        Raises:
            NoSuchRecord: When the game has no such position.
        """
        self._verify()
        return why(self._ledger, self.game.id, self.name, position, self.game.title)

    def unit(self, unit: str) -> UnitLife:
        """Return the history of a unit.

        Raises:
            NotThere: When this seat knows of no such unit.
        """
        known = self.known().units
        moments = life(orders_on_branch(self._ledger, self.game.id, self.name), unit)
        if not moments:
            raise self._not_there("unit", unit, sorted(known))
        return UnitLife(id=unit, now=known.get(unit), life=tuple(moments))

    def account(self, account: str) -> list[TurnStatement]:
        """Return the statement of an account by turn: opening balance, entries, closing balance.

        Raises:
            NotThere: When this seat knows of no such account.
        """
        turns = statement(orders_on_branch(self._ledger, self.game.id, self.name), account)
        if not turns:
            raise self._not_there("account", account, sorted(self.known().accounts))
        return turns

    def dice(self, *, by: str = "", all_lines: bool = False) -> DiceReport:
        """Return every roll, or only the rolls `by` a seat, with totals and statistics."""
        self._verify()
        if by and by not in self.game.seats:
            raise no_such_seat(by, self.game.seats)

        from umpire_ledger.desk.scenarios.openings import unplayed_before  # noqa: PLC0415 -- 0.3 ms: only `rolls` reads other games

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
        """Return a seat's knowledge at a position.

        Raises:
            NoSuchSeat: When the game does not have the seat.
            Refused: When its knowledge is closed to this seat.
        """
        self._verify_may_ask(who)
        ledger, game = self._ledger, self.game.id
        with self._following() as following:
            view = following.turn_view(game, who, at)
        records = seen_by(ledger, game, who, ledger.lines(game, 1, at), at=at)
        found = knowledge_from(records, ledger.branch(game, at).stretches)
        return SeatKnowledge(seat=who, position=at, view=view, knew=found)

    def printed_rules(self, step: str) -> str:
        """Return the title and the rule numbers printed next to a step; "" if the title is not installed."""
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
        """The unfiltered game. Use it only for its public parts and for visibility checks."""
        return self._ledger.state(self.game.id)

    def _verify(self) -> None:
        """Verify that the game has this seat.

        Raises:
            NoSuchSeat: When the game does not have the seat.
            NoSuchGame: When the ledger does not have the game.
        """
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
        what = f"{self.name} cannot see the knowledge of {who}"
        raise RuleViolation(what, where=whole.where, rule="secrets", remedy=remedy)

    def _not_there(self, kind: str, name: str, known: Iterable[str]) -> NotThere:
        return not_there(kind, name, known, self._whole.where)
