"""Declare the checks that a game session gets from the services above it, and the signer that a ledger is given."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.seat_keys import SeatKey
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.signed_note import Signature


class SecretHalf(Protocol):
    """The secret half of a seat's key."""

    key: SeatKey

    def sign(self, text: str) -> Signature:
        """Return the signature over a text."""


Signer = Callable[[str], SecretHalf | None]
"""Return the secret half of a public key; None if it is not available.

Raises:
    WrongUse: When the key cannot be used.
"""

TypoCheck = Callable[[Title, Game, Mapping[str, Any], RuleViolation], RuleViolation]
"""Return the refusal to show for a refused order: the typo in it, or the refusal itself."""


class SignatureCheck(Protocol):
    """Check the signatures of the orders of one game."""

    def with_signature(self, raw: Mapping[str, Any], seat: str, game: Game, size: int) -> Mapping[str, Any]:
        """Return the order as it may be recorded.

        Raises:
            RuleViolation: When its signature is missing or wrong.
        """

    def verify_given_for(self, seat: str, game: Game) -> None:
        """Verify that an amendment may give an order for a seat.

        Raises:
            RuleViolation: When it may not.
        """
