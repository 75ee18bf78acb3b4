"""The audit trail: one row a record, in plain words, in position order. Reading it is in `search.py`.

A pure fold of the lines of one game; `Trail.take` gives a record's row and remembers what other tables need of it.
A new column also belongs into `schema.TABLES`, a new `views_file.FORMAT`, and `cli/views.py` where it is printed.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import msgspec

from umpire_ledger.domain.game.events import (
    DiceRolled,
    DisputeOpened,
    DisputeSettled,
    Modifier,
    PlayRewound,
    StepOpened,
)
from umpire_ledger.projections.record.prose import UNITS, WORDS, dice_words, marked
from umpire_ledger.projections.record.stored_line import Seen, decode
from umpire_ledger.projections.tables.places import OWN_STEP, SEQUENCE, Places
from umpire_ledger.projections.tables.undo_points import NOT_PLAY, PointRow, points_of
from umpire_ledger.projections.tables.views_file import HIDDEN, WITHHELD, row_id
from umpire_ledger.projections.tables.waiting import Waiting

AuditRow = tuple[int, str, int, str, int, str, str, str, int, str, str, str, str, str, int, str | None, str]
"""The columns of table `audit`, in the order of `schema.TABLES`."""
RollRow = tuple[int, str, int, int, str, str, str, str, str, int, str, str, str, str, str]
"""The columns of table `roll`, likewise."""

_json = msgspec.json.Encoder().encode


class Trail:
    """The rows of one game from some position on.

    `counts`: whether a position is on the present line, as (first, last) stretches in order. `rolls`, `points` and
    `secrets` fill up as records are taken: dice, undo points, and (who may see it, event) to its first position.
    `disputes`: each that was opened or settled, and whether it is open. `waiting` learns who is waited for.
    """

    def __init__(
        self, key: int, game: str, places: Places, stretches: Iterable[tuple[int, int]], waiting: Waiting
    ) -> None:
        self._key = key
        self._base = row_id(key, 0)
        self._game = game
        self._places = places
        self._stretches = iter(stretches)
        self._low, self._high = next(self._stretches, (0, 0))
        self._opened: dict[str, int] = {}
        self._waiting = waiting
        self._first: Seen | None = None
        self.position = 0
        self.rolls: list[RollRow] = []
        self.points: list[PointRow] = []
        self.secrets: dict[tuple[str, str], int] = {}
        self.disputes: dict[str, bool] = {}

    def rows(self, lines: Iterable[bytes]) -> Iterator[AuditRow]:
        """A row a line; call `finish` behind the last."""
        return map(self.take, map(decode, lines))

    def take(self, record: Seen) -> AuditRow:
        """The row of one record."""
        if record.prior is not None:
            self.finish()
            self._first = record
        self._waiting.see(record)
        position = self.position = record.position
        event, places = record.event, self._places
        tag, text, rule, dice, units, own_step = HIDDEN, WITHHELD, "", "", "", ""
        if event is not None:
            kind = KINDS[type(event)]
            tag, rule = kind.tag, event.rule
            text = marked(kind.say(event), event) if event.overridden else kind.say(event)
            if kind.units is not None:
                units = "\n".join(kind.units(event))
            if kind.note is not None:
                dice = kind.note(self, record, event)
            if record.visible_to is None:
                if kind.moves_play:
                    places.see(event)
                if kind.step is not None:
                    own_step = kind.step(event)
        visible_to = None
        if record.visible_to is not None:
            visible_to = seats_text(record.visible_to)
            self.secrets.setdefault((visible_to, tag), position)
        return (
            self._base + position,
            self._game,
            position,
            record.at,
            places.turn,
            own_step or places.step_for(record.seat),
            record.seat,
            record.command,
            record.prior is not None,
            tag,
            text,
            rule,
            dice,
            str(record.cause, "utf-8") if record.cause else "",
            self._low <= position <= self._high or self._counts(position),
            visible_to,
            units,
        )

    # What some events leave behind beside their row; each gives the dice of the row.

    def note_roll(self, record: Seen, event: DiceRolled) -> str:
        """A roll has a table of its own."""
        self.rolls.append(roll_row(self._key, self._game, record, event))
        return dice_words(event)

    def note_rewind(self, _: Seen, event: PlayRewound) -> str:
        """Play stands where it stood."""
        self._places.return_to(event.to)
        return ""

    def note_step(self, record: Seen, event: StepOpened) -> str:
        """A step in which play may come to rest."""
        if record.visible_to is None:
            self._opened[event.step] = record.position
        return ""

    def note_dispute(self, record: Seen, event: DisputeOpened | DisputeSettled) -> str:
        """A dispute stands open until it is settled, whatever is rewound."""
        if record.visible_to is None:
            self.disputes[event.dispute] = isinstance(event, DisputeOpened)
        return ""

    def _counts(self, position: int) -> bool:
        """Also moves on to the stretch that comes next; the last is followed by none."""
        while position > self._high and self._high:
            self._low, self._high = next(self._stretches, (0, 0))
        return self._low <= position <= self._high

    def finish(self) -> None:
        """The last order is complete: see what undo points it leaves."""
        first, self._first = self._first, None
        if first is None:
            return
        self._waiting.order_ends(self.position, self._places.order_ends(self.position))
        if first.event is None or type(first.event) not in NOT_PLAY:
            self.points += points_of(self._key, self._game, self.position, self._places, self._opened)
        self._opened = {}


def roll_row(key: int, game: str, record: Seen, event: DiceRolled) -> RollRow:
    """The row of one roll, for the table of dice."""
    return (
        row_id(key, record.position),
        game,
        event.roll,
        record.position,
        record.seat,
        event.purpose,
        event.dice,
        str(_json(event.pips), "ascii"),
        modifiers_text(event.modifiers),
        event.total,
        event.needed,
        event.outcome,
        event.source,
        event.rule,
        "\n".join(event.subjects),
    )


def modifiers_text(modifiers: tuple[Modifier, ...]) -> str:
    """Modifiers as JSON, each with its source."""
    return str(_json(modifiers), "utf-8") if modifiers else "[]"


@lru_cache(maxsize=256)
def seats_text(visible_to: tuple[str, ...]) -> str:
    """Who may see a record, as JSON: equal texts are equal seats."""
    return str(_json(visible_to), "utf-8")


class Kind(msgspec.Struct, frozen=True):
    """How records of one event type are read: looked up once a record, because there are many."""

    tag: str
    say: Callable[[Any], str]
    units: Callable[[Any], tuple[str, ...]] | None
    step: Callable[[Any], str] | None
    moves_play: bool
    note: Callable[[Trail, Seen, Any], str] | None


NOTES: dict[type, Callable[[Trail, Seen, Any], str]] = {
    DiceRolled: Trail.note_roll,
    DisputeOpened: Trail.note_dispute,
    DisputeSettled: Trail.note_dispute,
    PlayRewound: Trail.note_rewind,
    StepOpened: Trail.note_step,
}
KINDS = {
    event: Kind(
        tag=str(event.__struct_config__.tag),
        say=say,
        units=UNITS.get(event),
        step=OWN_STEP.get(event),
        moves_play=event in SEQUENCE,
        note=NOTES.get(event),
    )
    for event, say in WORDS.items()
}
