"""Opening a game to look at it or to write one order, for the commands of the referee's desk."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from cli.desk import Outcome, give_order, open_ledger
from cli.errors import REFUSED, Refusal
from cli.following import follow
from domain.game import Game
from ledger.application import Ledger
from projections.deeds import may_ask
from projections.knowledge import seats_at


@contextmanager
def looking(where: str, game_id: str, seat: str) -> Iterator[Ledger[Game]]:
    """The ledger, for reading. Raises NoSuchGame; Refusal for a seat that the game does not have."""
    with open_ledger(where, read_only=True) as ledger:
        verify_seat(ledger.state(game_id), seat)
        yield ledger


def verify_seat(game: Game, seat: str, where: str = "--as") -> None:
    """Raises Refusal for a seat that is a slip of the pen."""
    known = seats_at(game)
    if seat not in known:
        remedy = f"name one of: {', '.join(known)}"
        raise Refusal("refused", REFUSED, what=f"there is no seat {seat}", where=where, rule="seats", remedy=remedy)


def verify_may_ask(game: Game, asker: str, about: str) -> None:
    """Raises Refusal where one seat asks what another knows."""
    verify_seat(game, about, "SEAT")
    if not may_ask(game, asker, about):
        closed = asker == "referee"
        raise Refusal(
            "refused",
            REFUSED,
            what=f"what {about} knows is closed to {asker}",
            where=game.where,
            rule="secrets",
            remedy=f"look with `umpire peek`, which is recorded, or let {about} ask: --as {about}"
            if closed
            else f"ask --as {about}, or let the referee ask",
        )


@contextmanager
def giving(where: str, game_id: str, raw: Mapping[str, Any]) -> Iterator[tuple[Ledger[Game], Outcome]]:
    """One order, recorded and followed by the read models. Raises as `cli.desk.give_order` does."""
    with open_ledger(where) as ledger:
        outcome = give_order(ledger, game_id, {name: value for name, value in raw.items() if value not in ("", ())})
        follow(ledger, where, game_id)
        yield ledger, outcome
