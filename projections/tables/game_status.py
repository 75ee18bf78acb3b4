"""Report the facts of a turn view that are not in the game's state: waits, open disputes, the newest orders."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.tables.dialect import Tables, Words, dialect_of
from umpire_ledger.projections.tables.order_sentences import OrderSentence
from umpire_ledger.projections.tables.step_index import order_by_order
from umpire_ledger.projections.tables.views_file import key_of, row_id, typed
from umpire_ledger.projections.tables.waiting import Waiting, Waits, read_names, read_waits


class OpenDispute(msgspec.Struct, frozen=True, kw_only=True):
    """An open dispute; `text`: the seat, the records and the claim, in words."""

    dispute: str
    position: int
    text: str


class GameStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The status of a game, now or at a position. `last`: the newest orders, as a seat may see them."""

    last: tuple[OrderSentence, ...] = ()
    waits: Waits = ()
    disputes: tuple[OpenDispute, ...] = ()


NOTHING = GameStatus()


def standing_of(connection: Tables, game_id: str) -> GameStatus:
    """Return the status from the read models, which must be up to date; `last` is empty."""
    select = "SELECT coalesce(waits, '[]'), coalesce(disputes, '[]') FROM game WHERE id = ?"
    waits, names = next(typed(connection.execute(select, (game_id,)), tuple[str, str]), ("[]", "[]"))
    return GameStatus(waits=read_waits(waits), disputes=_disputes(connection, game_id, read_names(names)))


def standing_at(
    connection: Tables, ledger: Ledger[Game], game_id: str, at: int, title_of: Callable[[str], Title | None]
) -> GameStatus:
    """Return the status after the record at a position.

    From the log, only the order with that record is read, up to the record.
    """
    key = key_of(connection, game_id)
    before = _order_of(connection, key, at) - 1
    waiting = Waiting(title_of, _waits_behind(connection, key, before))
    lines = ledger.lines(game_id, before + 1, at)
    for order, place in order_by_order(lines, lambda earlier: ledger.state(game_id, earlier), before):
        for record in order:
            waiting.see(record)
        waiting.order_ends(order[-1].position, place)
    return GameStatus(waits=waiting.waits, disputes=tuple(_open_at(connection, key, at)))


def _order_of(connection: Tables, key: int, at: int) -> int:
    """Return the first record of the order that contains a position."""
    select = "SELECT position FROM audit WHERE id BETWEEN ? AND ? AND starts ORDER BY id DESC LIMIT 1"
    found = connection.execute(select, (row_id(key, 1), row_id(key, at)))
    return next(typed(found, tuple[int]), (1,))[0]


def _waits_behind(connection: Tables, key: int, position: int) -> Waits:
    select = "SELECT waits FROM waited WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT 1"
    found = connection.execute(select, (row_id(key, 1), row_id(key, position)))
    return read_waits(next(typed(found, tuple[str]), ("[]",))[0])


def _disputes(connection: Tables, game_id: str, names: Iterable[str]) -> tuple[OpenDispute, ...]:
    found = (_dispute(connection, game_id, name) for name in names)
    return tuple(one for one in found if one is not None)


def _open_at(connection: Tables, key: int, at: int) -> Iterator[OpenDispute]:
    """Yield the disputes opened at or before a position and not settled by then."""
    select = (
        "SELECT disputes.dispute, disputes.position, audit.text FROM disputes JOIN audit ON audit.id = disputes.id"
        " WHERE disputes.id IN (SELECT max(id) FROM disputes WHERE id BETWEEN :first AND :last GROUP BY dispute)"
        " AND (settled_id IS NULL OR settled_id > :last) ORDER BY disputes.id"
    )
    found = connection.execute(select, {"first": row_id(key, 1), "last": row_id(key, at)})
    for name, position, text in typed(found, tuple[str, int, str]):
        yield OpenDispute(dispute=name, position=position, text=_opening_text(name, text))


def _opening_text(dispute: str, text: str) -> str:
    """Return the audit trail's words about the opening of a dispute, without the dispute's name."""
    return text.removeprefix(f"dispute {dispute} is opened").lstrip()


def _dispute(connection: Tables, game_id: str, name: str) -> OpenDispute | None:
    key, begins = key_of(connection, game_id), f"dispute {name} is opened"
    dialect = dialect_of(connection)
    select = (
        f"SELECT audit.position, audit.text FROM {dialect.hits}"
        " AND event = 'dispute.opened' AND visible_to IS NULL AND instr(audit.text, :begins) = 1"
        f" ORDER BY {dialect.hit} DESC LIMIT 1"
    )
    match = dialect.match([Words(begins, "text")])
    span = {"match": match, "begins": begins, "first": row_id(key, 1), "last": row_id(key + 1, -1)}
    row = next(typed(connection.execute(select, span), tuple[int, str]), None)
    if row is None:
        return None
    return OpenDispute(dispute=name, position=row[0], text=_opening_text(name, row[1]))
