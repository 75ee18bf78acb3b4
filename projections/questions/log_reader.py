"""Read a log once from its first record, and yield each order with its rows, its sentence and the games after it."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title, title_as_played
from umpire_ledger.projections.record.visible_record import VisibleRecord
from umpire_ledger.projections.tables.audit_trail import AuditRow, AuditTrail
from umpire_ledger.projections.tables.order_sentences import Records, SentenceBuilder
from umpire_ledger.projections.tables.seat_visibility import Visibility
from umpire_ledger.projections.tables.step_index import StepPlaces
from umpire_ledger.projections.tables.views_file import HIDDEN, UNSEEN
from umpire_ledger.projections.tables.waiting import Waiting

TitleOf = Callable[[str], Title | None]


class ReadOrder(msgspec.Struct, frozen=True):
    """An order. `rows`, `games`: one for each record; `text`: its sentence.

    `marks`: positions of records that set values for the rules only.
    """

    records: Records
    rows: tuple[AuditRow, ...]
    games: tuple[Game, ...]
    text: str
    marks: tuple[int, ...]


def read_orders(
    orders: Iterable[Records],
    names: Game,
    title_of: TitleOf,
    stretches: Iterable[tuple[int, int]],
    follows: Mapping[int, int],
) -> Iterator[ReadOrder]:
    """Yield every order of a log, including orders on abandoned branches. A hidden record has no event.

    Args:
        names: A game with the names of sides and seats.
        stretches: The positions that count.
        follows: The position from which a record continues, for each record that does not continue from the previous
            position.
    """
    targets = set(follows.values())
    kept: dict[int, Game] = {0: Game()}
    places = StepPlaces(0, Game(), lambda earlier: kept[earlier])
    trail = AuditTrail(0, "", places, stretches, Waiting(title_of))
    teller = SentenceBuilder(title_as_played(title_of, names), names, _Everything(frozenset()))
    game = Game()
    for records in orders:
        games, rows = [], []
        for record in records:
            if record.position in follows:
                game = kept[follows[record.position]]
            if record.event is not None:
                game = fold(game, (record.event,))
            if record.position in targets:
                kept[record.position] = game
            games.append(game)
            rows.append(_row(record, trail.take(record)))
        _let_go(trail)
        told = teller.told(records)
        text = told.text if told is not None else UNSEEN
        yield ReadOrder(records, tuple(rows), tuple(games), text, tuple(teller.marks(records)))


def _row(record: VisibleRecord, row: AuditRow) -> AuditRow:
    """Return the row of a record; a withheld secret has the same words as in the audit trail of a seat."""
    if record.event is None and record.visible_to is not None:
        return row._replace(text=UNSEEN, dice="", rule="", event=HIDDEN)
    return row


def _let_go(trail: AuditTrail) -> None:
    """Discard the rows for tables that are not used here."""
    for rows in (trail.rolls, trail.orders, trail.points, trail.waited, trail.acts):
        rows.clear()


class _Everything(Visibility, frozen=True):
    """Visibility of every record, because hidden events are already left out."""

    def see(self, position: int, visible_to: tuple[str, ...] | None) -> bool:
        return True
