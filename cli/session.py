"""Opening a game to look at it or to write one order, for the commands of the referee's desk."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from umpire_ledger.cli.errors import REFUSED, Refusal
from umpire_ledger.cli.printing import progress
from umpire_ledger.desk import read_models
from umpire_ledger.desk.sitting import Outcome, give_order, open_ledger
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.application import Ledger
from umpire_ledger.projections.questions.deeds import may_ask
from umpire_ledger.projections.tables.knowledge import seats_at


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


def follow(ledger: Ledger[Game], where: str, game: str) -> None:
    """Let the read models take in what was just recorded; a warning where they could not."""
    with progress(f"following {game}", ledger.size(game)) as tell:
        warning = read_models.follow(ledger, where, game, tell)
    if warning:
        click.echo(f"Warning: {warning}", err=True)


@contextmanager
def giving(where: str, game_id: str, raw: Mapping[str, Any]) -> Iterator[tuple[Ledger[Game], Outcome]]:
    """One order, recorded and followed by the read models. Raises as `desk.sitting.give_order` does."""
    with open_ledger(where) as ledger:
        outcome = give_order(ledger, game_id, {name: value for name, value in raw.items() if value not in ("", ())})
        follow(ledger, where, game_id)
        yield ledger, outcome
