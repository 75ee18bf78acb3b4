"""Refuse the name of a seat or side that the game does not have, with one code and one text for all orders."""

from umpire_ledger.domain.game.errors import UnknownName
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.refusals import REFUSALS
from umpire_ledger.domain.game.state import Game


def no_such_seat(game: Game, seat: str, known: str, do: str = "name") -> UnknownName:
    """Return the refusal of a seat that does not exist.

    Args:
        game: The game, for the place in its sequence.
        seat: The name given.
        known: The names that exist.
        do: The verb of the remedy.
    """
    fields = {"seat": seat, "known": known, "do": do}
    return refusal(UnknownName, REFUSALS, "no-such-seat", fields, where=game.where, rule="seats")


def no_such_side(game: Game, side: str, rule: str = "sides") -> UnknownName:
    """Return the refusal of a side that does not exist."""
    fields = {"side": side, "known": ", ".join(game.side_ids)}
    return refusal(UnknownName, REFUSALS, "no-such-side", fields, where=game.where, rule=rule)
