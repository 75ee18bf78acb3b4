"""Give a copied game a new dice seed before its first own record, and record this publicly.

A backup, an imported log and a copied file contain the seed of the original. If both rolled from it, a roll in the copy
would show the next roll of the original.
"""

import secrets

import msgspec

from umpire_ledger.desk.core.adapters import LedgerHistory, drafts_of
from umpire_ledger.desk.core.order_ids import new_command
from umpire_ledger.domain.game.decision import events_of
from umpire_ledger.domain.game.events import CopyKind
from umpire_ledger.domain.game.evolve import fold
from umpire_ledger.domain.game.state import REFEREE, Game
from umpire_ledger.domain.history.dice_seeds import copied_dice, is_open
from umpire_ledger.domain.history.history import History
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.order_batches import PendingOrder
from umpire_ledger.ledger.storage.copies import COPIED, HOME, copied_entry, how_copied, is_same_home
from umpire_ledger.ledger.storage.metadata import MetadataEntry


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """A game with a new dice seed."""

    game: str
    """Id of the game."""
    position: int
    """Position of the public record of the new seed; 0 if the game needs no new seed."""


def note_home(ledger: Ledger[Game]) -> None:
    """Store the location of the ledger's file; if the file was copied, mark every game as a copy."""
    home, known_home = ledger.home(), ledger.metadata_value("", HOME)
    if not home or home == known_home:
        return
    with ledger.metadata() as metadata:
        if known_home is not None and not is_same_home(home, known_home):
            for game in ledger.game_ids():
                metadata.put(copied_entry(game, "file", ledger.size(game)))
        metadata.put(MetadataEntry("", HOME, "", home))


def first_order_of_copy(ledger: Ledger[Game], name: str, game: Game, history: History) -> PendingOrder | None:
    """Return the order with which a copied game begins in this ledger; None for any other game."""
    note_home(ledger)
    size = ledger.size(name)
    how = how_copied(ledger.metadata_value(name, COPIED), size)
    return _new_seed(name, game, history, size, how) if how else None


def as_continued(ledger: Ledger[Game], name: str, game: Game) -> Game:
    """Return the game as it will be after the first order of a copy; record nothing."""
    size, home, known_home = ledger.size(name), ledger.home(), ledger.metadata_value("", HOME)
    has_moved = bool(home and known_home) and not is_same_home(home, known_home or "")
    how = how_copied(ledger.metadata_value(name, COPIED), size) or ("file" if has_moved else None)
    order = _new_seed(name, game, LedgerHistory(ledger, name), size, how) if how else None
    return order.state if order is not None and isinstance(order.state, Game) else game


def _new_seed(name: str, game: Game, history: History, size: int, how: CopyKind, why: str = "") -> PendingOrder | None:
    """Return the order that gives a game a new seed; None if it has no secret seed."""
    if game.dice != "ledger" or not game.seed or is_open(game, history):
        return None
    told = copied_dice(game, name, size, secrets.token_hex(32), how, why)
    state = fold(game, events_of(told))
    return PendingOrder(seat=REFEREE, command=new_command(), drafts=drafts_of(told, None), state=state)


def restore(ledger: Ledger[Game], name: str, why: str) -> Restored:
    """Give a game of a restored ledger a new seed, with a public record, so that the ledger replaces the original.

    Raises:
        PositionConflict: Another program recorded something meanwhile.
    """
    size = ledger.size(name)
    order = _new_seed(name, ledger.state(name, size), LedgerHistory(ledger, name), size, "restored", why)
    if order is None:
        return Restored(game=name, position=0)
    ledger.append_many(name, after=size, orders=(order,))
    return Restored(game=name, position=size + 1)
