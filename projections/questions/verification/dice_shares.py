"""Check the sides' shares in the dice of a log, as they come: each share, and each roll that needs them."""

import re
from typing import Any

from umpire_ledger.domain.game.dice_shares import SHARED, WITNESSED, hash_of

_is_hash = re.compile("[0-9a-f]{64}").fullmatch


class Shares:
    """The shares of the sides in the dice of one seed. `shown`: by side, its newest share.

    `asked`: the number of the first roll that new shares are for; 0: for all.
    """

    def __init__(self, scheme: int = 0) -> None:
        self._scheme = scheme
        self._given: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.asked = 0
        self._since: set[str] = set()
        self._asker = ""
        self._own = ""
        self._may_have_thrown = False
        self._thrower = ""

    def take(self, event: dict[str, Any]) -> bool:
        """Add a pledge or the next share of a side, and return whether it is valid."""
        is_pledge = event.get("type") == "dice.pledged"
        side, given = event.get("side"), event.get("pledge" if is_pledge else "share")
        if self._scheme < SHARED or not isinstance(side, str) or not isinstance(given, str) or not _is_hash(given):
            return False
        before, self._given[side] = self._given.get(side), given
        if is_pledge:
            return not before and not self.shown
        is_due = self._scheme == SHARED or (bool(self._asker) and side not in (*self._since, self._own))
        self.shown[side] = given
        self._since.add(side)
        return is_due and hash_of(given) == before

    def ask(self, number: int, seat: str, side: str) -> bool:
        """Let an order of a seat wait for its dice, and return whether it may; earlier shares do not count for it.

        It may not while shares are shown for another order that has no visible or withheld roll.

        Args:
            number: The number of its first roll.
            seat: The seat that gives the order.
            side: The seat's side, used if no share is under the seat's own name.
        """
        is_due = self._scheme != WITNESSED or not self._asker or not self._since or self._may_have_thrown
        self.asked, self._asker, self._own = number, seat, seat if seat in self._given else side
        self._since.clear()
        self._may_have_thrown = False
        return is_due

    def withheld(self) -> None:
        """Note a withheld record, which may be a roll."""
        self._may_have_thrown = True

    def forget(self) -> None:
        """Let no order wait any longer, as after a rewind."""
        self._asker = ""

    def allow(self, number: int, seat: str, command: str, hidden: int) -> bool:
        """Return whether an order of a seat may make a roll.

        Shared dice: every side has shown its share. Witnessed dice: every side except that of the seat has shown one
        since the order was given, and the roll is the one that the shares are for.

        Args:
            hidden: The number of withheld records of the order before this one, each of which may be a roll.
        """
        if self._scheme == SHARED:
            return bool(self._given) and self._given.keys() == self.shown.keys()
        if self._scheme != WITNESSED or (command and command == self._thrower):
            return True
        asker, self._asker, self._thrower = self._asker, "", command
        missing = self._given.keys() - self._since - {self._own}
        is_next = self.asked <= number <= self.asked + hidden
        return seat == asker and is_next and bool(self._since) and not missing
