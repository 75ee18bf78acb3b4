"""Open a game session with the typo check and the signature check of every order."""

from collections.abc import Callable

from umpire_ledger.desk.core.game_session import GameSession
from umpire_ledger.desk.core.order_checks import SignatureCheck, Signer
from umpire_ledger.desk.orders.typo_check import typo_error
from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger


def open_session(ledger: Ledger[Game], game_id: str, *, batch: int = 1, signer: Signer | None = None) -> GameSession:
    """Return a session that decides and records the orders of one game.

    Raises:
        NoSuchGame: When the ledger does not have the game.
    """
    signatures = signature_check(ledger, game_id, signer)
    return GameSession(ledger, game_id, typo_check=typo_error, signatures=signatures, batch=batch)


def signature_check(ledger: Ledger[Game], game_id: str, signer: Signer | None = None) -> Callable[[], SignatureCheck]:
    """Return a function that makes the check of signatures, which only a game with keys needs."""

    def made() -> SignatureCheck:
        # A game without keys must not import the signing module: tests/desk/test_keys.py checks this.
        from umpire_ledger.desk.signing.signing import SignedOrders  # noqa: PLC0415 -- 2 ms: few games have keys

        return SignedOrders(ledger, game_id, signer)

    return made
