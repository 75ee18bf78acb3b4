"""Check the sides' dice shares in a log, record by record: each share, and each roll that needs shares."""

import re
from typing import Any

from umpire_ledger.domain.game.dice_shares import SHARED, WITNESSED, hash_of

_is_hash = re.compile("[0-9a-f]{64}").fullmatch


class Shares:
    """The sides' dice shares under one seed. `shown`: the newest share of each side.

    `asked`: the number of the first roll that new shares apply to; 0 if they apply to all rolls.
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
        """Let an order of a seat wait for dice, and return whether that is valid.

        It is invalid if shares are revealed for another order whose roll is still missing. Earlier shares do not count
        for the new order.

        Args:
            number: The number of the order's first roll.
            seat: The seat that gives the order.
            side: The seat's side, used if the seat has no pledge or share under its own name.
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
        """Stop waiting for an order's dice, as after a rewind."""
        self._asker = ""

    def allow(self, number: int, seat: str, command: str, hidden: int) -> bool:
        """Return whether an order of a seat may make a roll.

        With shared dice, every side must have revealed its share. With witnessed dice, every other side must have
        revealed a share since the order was given, and the roll must be the one that the shares apply to.

        Args:
            hidden: The number of withheld records of the order before this roll, each of which may be a roll.
        """
        if self._scheme == SHARED:
            return bool(self._given) and self._given.keys() == self.shown.keys()
        if self._scheme != WITNESSED or (command and command == self._thrower):
            return True
        asker, self._asker, self._thrower = self._asker, "", command
        missing = self._given.keys() - self._since - {self._own}
        is_next = self.asked <= number <= self.asked + hidden
        return seat == asker and is_next and bool(self._since) and not missing
