"""Define the errors of a ledger, split by who must act.

    LedgerError
    ├── PositionConflict     the caller: read the new records, and decide again
    │   └── PositionAhead    the caller: this copy of the game has fewer records than the order's seat saw
    ├── CannotBeWritten      the caller: the format cannot hold such a name or event
    ├── NoSuchGame           the caller: correct the game id
    ├── NoSuchRecord         the caller: the game has no such position
    ├── GameExists           the caller: another history has this id
    ├── BrokenLedger         the auditor: these records are not as they were written
    │   ├── BrokenProof      the auditor: this proof is not valid
    │   └── WrongKeys        the auditor: these keys do not match this log
    └── StoreUnavailable     the operator: the store is locked, full, read-only, or not a ledger
        ├── ConnectionBroken the caller: nothing was recorded, so repeat the order
        └── CommitUnknown    the caller: repeat the order with the same id

Each has three attributes: `what` is wrong, `where`, and the `remedy`.
"""

from __future__ import annotations


def record_count(number: int) -> str:
    """Return a number of records in words: `1 record`, `2 records`."""
    return "1 record" if number == 1 else f"{number} records"


class LedgerError(Exception):
    """An error that a user of the ledger must see, in three parts."""

    def __init__(self, what: str, *, where: str, remedy: str) -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy


class PositionConflict(LedgerError):
    """The game has grown since the order was decided; nothing of the order was recorded."""

    def __init__(self, *, game: str, expected: int, found: int) -> None:
        super().__init__(
            f"the order was decided at #{expected}, but {game} is at #{found}",
            where=f"{game} #{found}",
            remedy=f"read the records after #{expected}; then give the order again if it is still valid",
        )
        self.game = game
        self.expected = expected
        self.found = found


class PositionAhead(PositionConflict):
    """The order was decided at a position that the game does not have; nothing of the order was recorded."""

    def __init__(self, *, game: str, expected: int, found: int) -> None:
        super().__init__(game=game, expected=expected, found=found)
        self.what = f"the order was decided at #{expected}, but {game} has only {record_count(found)} here"
        self.args = (self.what,)
        self.where = f"{game} #{found}, the last one"
        self.remedy = (
            "this may be another copy of the game, or an old backup: compare the records with "
            f"those you saw after #{found} and ask the operator; then check the state and give the order at #{found}"
        )


class CannotBeWritten(LedgerError):
    """The format cannot hold this game id, seat, order id, event or reference."""


class NoSuchGame(LedgerError):
    """The ledger has no game with this id."""

    def __init__(self, *, game: str, remedy: str = "list the games of the ledger and check the spelling") -> None:
        super().__init__(f"no game {game} in this ledger", where=game, remedy=remedy)
        self.game = game


class NoSuchRecord(LedgerError):
    """The game has no record at this position."""

    def __init__(self, *, game: str, position: int, size: int) -> None:
        super().__init__(
            f"{game} has no record #{position}",
            where=f"{game} #{size}, the last one",
            remedy=f"give a position from 1 to {size}",
        )
        self.game = game
        self.position = position
        self.size = size


class GameExists(LedgerError):
    """The ledger already has a game with this id, with another or a longer history."""

    def __init__(self, *, game: str, reason: str) -> None:
        super().__init__(
            f"the ledger already has a game {game}: {reason}",
            where=game,
            remedy="use another id, or another ledger file",
        )
        self.game = game
        self.reason = reason


class BrokenLedger(LedgerError):
    """Records are not as they were written.

    `position`: the first bad record, 0 for the header of a replay log, -1 for a line without a readable position.
    `changed_between`: the first and last of the records among which one or more changed, if known.
    """

    def __init__(
        self,
        *,
        position: int,
        reason: str,
        game: str = "",
        expected: str = "",
        found: str = "",
        remedy: str = "",
        changed_between: tuple[int, int] | None = None,
    ) -> None:
        place = f"#{position}" if position > 0 else "its header" if position == 0 else "a line that is not a record"
        differs = f" (expected {expected}, found {found})" if expected or found else ""
        super().__init__(
            f"the log is broken at {place}: {reason}{differs}",
            where=f"{game or 'the log'} {place}",
            remedy=remedy or "get an undamaged copy and compare their checkpoints",
        )
        self.game = game
        self.position = position
        self.reason = reason
        self.expected = expected
        self.found = found
        self.changed_between = changed_between


class BrokenProof(BrokenLedger):
    """The proof of a record is not valid, or is malformed. `position`: the record's; 0 if it is unknown."""

    rule = "FORMAT.md, section 11: the record must lead to the checkpoint's root"

    def __init__(self, reason: str, *, game: str = "", position: int = 0, remedy: str = "") -> None:
        super().__init__(position=position, reason=reason, game=game)
        self.what = f"the proof is invalid: {reason}"
        self.args = (self.what,)
        self.where = f"{game or 'the proof'}{f' #{position}' if position else ''}"
        self.remedy = remedy or "get an undamaged copy of the proof, or a new one"


class WrongKeys(BrokenLedger):
    """Keys do not match the redacted log that they should complete.

    `position`: the record's; 0 if the fault is not in a single record.
    """

    rule = "FORMAT.md, section 12: a key must have the hashes of what was withheld"

    def __init__(self, reason: str, *, game: str = "", position: int = 0, remedy: str = "") -> None:
        super().__init__(position=position, reason=reason, game=game)
        self.what = f"the keys do not match{f' #{position}' if position else ''}: {reason}"
        self.args = (self.what,)
        self.where = f"{game or 'the keys'}{f' #{position}' if position else ''}"
        self.remedy = remedy or "get undamaged keys of this game and history"


class StoreUnavailable(LedgerError):
    """The store cannot be used: locked, full, read-only, missing, not a ledger, or of a newer format."""


class ConnectionBroken(StoreUnavailable):
    """The connection to the store broke before the commit: nothing was recorded."""


class CommitUnknown(StoreUnavailable):
    """The store failed during a commit, so that its outcome is unknown.

    `fault`: the failure in the words of the store. `order_ids`: the orders whose outcome is unknown.
    """

    def __init__(
        self,
        fault: str,
        *,
        where: str,
        subject: str = "this was recorded",
        remedy: str = "check whether it is recorded before you repeat it",
        order_ids: tuple[str, ...] = (),
    ) -> None:
        super().__init__(f"it is unknown whether {subject}: {fault}", where=where, remedy=remedy)
        self.fault = fault
        self.order_ids = order_ids

    def of(self, subject: str, *, remedy: str, order_ids: tuple[str, ...] = ()) -> CommitUnknown:
        """Return the same failure with another subject, remedy and orders."""
        return CommitUnknown(self.fault, where=self.where, subject=subject, remedy=remedy, order_ids=order_ids)

    def of_orders(self, order_ids: tuple[str, ...]) -> CommitUnknown:
        """Return the same failure with the orders that were being recorded."""
        many = len(order_ids) > 1
        named = f"orders {order_ids[0]} to {order_ids[-1]} were" if many else f"order {order_ids[0]} was"
        again = "repeat them with the same ids" if many else f"repeat it with the same id, {order_ids[0]}"
        remedy = f"{again}: an order that was recorded is not recorded twice"
        return self.of(f"{named} recorded", remedy=remedy, order_ids=order_ids)


AnswerLost = CommitUnknown
"""Deprecated name of `CommitUnknown`, kept for one release."""

SomebodyWroteFirst = PositionConflict
"""Deprecated name of `PositionConflict`, kept for one release."""
