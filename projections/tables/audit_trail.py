"""Build the audit trail: one row for each record, in plain words, in position order. `audit_search.py` reads it.

The rows are a pure function of the lines of one game. `AuditTrail.take` returns a record's row and collects the rows
for other tables. A new column also needs an entry in `catalogue.TABLES` and a new `views_file.FORMAT`. To print it,
extend `audit_search.py` and `cli/audit_text.py`.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, get_args

import msgspec

from umpire_ledger.domain.game import events
from umpire_ledger.domain.game.events.dice import dice_words
from umpire_ledger.projections.record.visible_record import VisibleRecord, decode
from umpire_ledger.projections.tables.desk_rows import Act
from umpire_ledger.projections.tables.order_rows import OrderContext, OrderRow, order_row
from umpire_ledger.projections.tables.pieces import Piece
from umpire_ledger.projections.tables.step_index import OWN_STEP, SEQUENCE, StepPlaces
from umpire_ledger.projections.tables.undo_points import NOT_PLAY, PointRow, points_of
from umpire_ledger.projections.tables.views_file import HIDDEN, WITHHELD, row_id
from umpire_ledger.projections.tables.waiting import Waiting, waits_text


class AuditRow(NamedTuple):
    """The columns of table `audit`, in the order of `catalogue.TABLES`."""

    game: str
    position: int
    turn: int
    step: str
    seat: str
    text: str
    dice: str
    rule: str
    event: str
    counts: bool
    at: str
    visible_to: str | None
    units: str
    cause: str
    starts: bool
    command: str
    order_id: int | None
    id: int


RollRow = tuple[str, int, int, str, str, str, str, int, str, str, str, str, str, str, int]
"""The columns of table `roll`, in the order of `catalogue.TABLES`."""
WaitedRow = tuple[str, int, str, int]
"""The columns of table `waited`, in the order of `catalogue.TABLES`."""

_json = msgspec.json.Encoder().encode
STAY = (events.NoteAdded, events.NoteSealed, events.NoteOpened)
"""Notes that continue to count after a rewind."""


class AuditTrail:
    """Builds the rows of one game from a given position on.

    `rolls`, `orders`, `points`, `waited`, `acts`: collected rows for other tables; their writer empties these lists.
    `position`, `at`: position and time of the last record. `counts`: whether it is on the current branch, which the
    given stretches (first, last) describe in order.

    `secrets`: the first position of secret records, by seats that may see them and event. `attributes`: public names of
    unit attributes. `disputes`: each opened or settled dispute, and whether it is open. `touched`: table and id of the
    pieces that records are about. `replaced`: positions of notes that others replace.
    """

    def __init__(
        self, key: int, game_id: str, places: StepPlaces, stretches: Iterable[tuple[int, int]], waiting: Waiting
    ) -> None:
        self._key = key
        self._base = row_id(key, 0)
        self._game = game_id
        self._places = places
        self._stretches = iter(stretches)
        self._low, self._high = next(self._stretches, (0, 0))
        self._opened: dict[str, int] = {}
        self._waiting = waiting
        self._order: list[VisibleRecord] = []
        self._order_id: int | None = None
        self._given = OrderContext(0, "", False)
        self.position = 0
        self.at = ""
        self.rolls: list[RollRow] = []
        self.orders: list[OrderRow] = []
        self.points: list[PointRow] = []
        self.waited: list[WaitedRow] = []
        self.acts: list[Act] = []
        self.secrets: dict[tuple[str, str], int] = {}
        self.disputes: dict[str, bool] = {}
        self.attributes: set[str] = set()
        self.touched: set[tuple[str, str]] = set()
        self.replaced: list[int] = []

    def rows(self, lines: Iterable[bytes]) -> Iterator[AuditRow]:
        """Yield a row for each line; call `finish` after the last."""
        return map(self.take, map(decode, lines))

    def take(self, record: VisibleRecord) -> AuditRow:
        """Return the row of one record."""
        position, event, places = record.position, record.event, self._places
        # A rewind does not undo a note.
        self.counts = self._low <= position <= self._high or self._counts(position) or type(event) in STAY
        if record.prior is not None:
            self.finish()
            self._order_id = self._base + position
            self._given = OrderContext(places.turn, places.step_for(record.seat), self.counts)
        self._waiting.see(record)
        self.position, self.at = position, record.at
        self._order.append(record)
        tag, text, rule, dice, units, own_step = HIDDEN, WITHHELD, "", "", "", ""
        if event is not None:
            kind = KINDS[type(event)]
            tag, rule = kind.tag, event.rule
            text, units = event.audit_line(), "\n".join(event.units())
            if kind.piece is not None:
                self.touched.update(kind.piece(event))
            if kind.on_event is not None:
                dice = kind.on_event(self, record, event)
            if record.visible_to is None:
                if kind.moves_play:
                    places.see(event)
                if kind.step is not None:
                    own_step = kind.step(event)
        visible_to = None
        if record.visible_to is not None:
            visible_to = seats_text(record.visible_to)
            self.secrets.setdefault((visible_to, tag), position)
        return AuditRow(
            self._game,
            position,
            places.turn,
            own_step or places.step_for(record.seat),
            record.seat,
            text,
            dice,
            rule,
            tag,
            self.counts,
            record.at,
            visible_to,
            units,
            str(record.cause, "utf-8") if record.cause else "",
            record.prior is not None,
            record.command,
            self._order_id,
            self._base + position,
        )

    def rows_of_other_tables(self) -> Iterator[tuple[str, list[Any]]]:
        """Yield the collected rows for other tables, by table."""
        yield "roll", self.rolls
        yield "orders", self.orders
        yield "undo_point", self.points
        yield "waited", self.waited

    # Rows for other tables from some events; each method returns the dice of the record's own row.

    def on_roll(self, record: VisibleRecord, event: events.DiceRolled) -> str:
        """Collect the row of a roll for the table of dice."""
        self.rolls.append(roll_row(self._key, self._game, record, event))
        return dice_words(event)

    def on_rewind(self, _: VisibleRecord, event: events.PlayRewound) -> str:
        """Return to the step at the target of a rewind."""
        self._places.return_to(event.to)
        return ""

    def on_step(self, record: VisibleRecord, event: events.StepOpened) -> str:
        """Note the position at which a public step opens, for undo points."""
        if record.visible_to is None:
            self._opened[event.step] = record.position
        return ""

    def on_act(self, record: VisibleRecord, event: Any) -> str:
        """Collect a record for the referee's tables. A dispute stays open until it is settled, even after a rewind."""
        if record.visible_to is None:
            self.acts.append(Act(record, self.counts, self._order_id))
            if isinstance(event, events.DisputeOpened | events.DisputeSettled):
                self.disputes[event.dispute] = isinstance(event, events.DisputeOpened)
        return ""

    def on_note(self, _: VisibleRecord, event: events.NoteAdded) -> str:
        """Note the position of the note that a new note replaces, because the replaced note no longer counts."""
        if event.instead_of:
            self.replaced.append(event.instead_of)
        return ""

    def on_placed(self, record: VisibleRecord, event: events.UnitPlaced) -> str:
        """Collect the names of a new unit's public attributes."""
        if record.visible_to is None:
            self.attributes.update(event.attributes)
        return ""

    def on_changed(self, record: VisibleRecord, event: events.UnitChanged) -> str:
        """Collect the name of a changed public attribute, which may be new to the unit."""
        if record.visible_to is None:
            self.attributes.add(event.attribute)
        return ""

    def _counts(self, position: int) -> bool:
        """Return whether a position is on the current branch, and advance to the next stretch if needed."""
        while position > self._high and self._high:
            self._low, self._high = next(self._stretches, (0, 0))
        return self._low <= position <= self._high

    def finish(self) -> None:
        """Complete the last order, and collect its row, its waits and its undo points."""
        order, self._order = self._order, []
        if not order:
            return
        now = self._places.order_ends(self.position)
        if order[0].prior is not None:
            self.orders.append(
                order_row(self._key, self._game, order, self._given, self._waiting.title_as_in(now), now)
            )
        if self._waiting.order_ends(self.position, now):
            self.waited.append((self._game, self.position, waits_text(self._waiting.waits), self._base + self.position))
        if order[0].event is None or type(order[0].event) not in NOT_PLAY:
            self.points += points_of(self._key, self._game, self.position, self._places, self._opened)
        self._opened = {}


def roll_row(key: int, game_id: str, record: VisibleRecord, event: events.DiceRolled) -> RollRow:
    """Return the row of one roll, for the table of dice."""
    return (
        game_id,
        event.roll,
        record.position,
        record.seat,
        event.purpose,
        event.dice,
        str(_json(event.pips), "ascii"),
        event.total,
        event.needed,
        event.outcome,
        modifiers_text(event.modifiers),
        event.rule,
        "\n".join(event.subjects),
        event.source,
        row_id(key, record.position),
    )


def modifiers_text(modifiers: tuple[events.Modifier, ...]) -> str:
    """Return modifiers as JSON, each with its source."""
    return str(_json(modifiers), "utf-8") if modifiers else "[]"


@lru_cache(maxsize=256)
def seats_text(visible_to: tuple[str, ...]) -> str:
    """Return the seats that may see a record, as JSON that can be compared as text."""
    return str(_json(visible_to), "utf-8")


class RecordKind(msgspec.Struct, frozen=True):
    """Handling of the records of one event type, prepared once because every record looks it up."""

    tag: str
    step: Callable[[Any], str] | None
    moves_play: bool
    on_event: Callable[[AuditTrail, VisibleRecord, Any], str] | None
    piece: Callable[[Any], tuple[Piece, ...]] | None


ON_EVENT: dict[type, Callable[[AuditTrail, VisibleRecord, Any], str]] = {
    events.DiceRolled: AuditTrail.on_roll,
    events.PlayRewound: AuditTrail.on_rewind,
    events.StepOpened: AuditTrail.on_step,
    events.UnitPlaced: AuditTrail.on_placed,
    events.UnitChanged: AuditTrail.on_changed,
    events.NoteAdded: AuditTrail.on_note,
    **dict.fromkeys(
        (events.DisputeOpened, events.DisputeSettled, events.RulingMade, events.LineSealed), AuditTrail.on_act
    ),
}
PIECE: dict[type, Callable[[Any], tuple[Piece, ...]]] = {
    **dict.fromkeys(get_args(events.UnitEvent), lambda event: (("unit", event.unit),)),
    events.HiddenDone: lambda event: tuple(("unit", one.unit) for one in event.events),
    events.AccountChanged: lambda event: (("account", event.account),),
    events.MarkerSet: lambda event: (("marker", event.marker),),
}
"""Functions that return the pieces an event changes. Of the other events, only rewinds change pieces."""
KINDS = {
    event: RecordKind(
        tag=str(event.__struct_config__.tag),
        step=OWN_STEP.get(event),
        moves_play=event in SEQUENCE,
        on_event=ON_EVENT.get(event),
        piece=PIECE.get(event),
    )
    for event in (*get_args(events.AnyEvent), events.Unreadable)
}
