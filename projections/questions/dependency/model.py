"""Define the data and the words for dependent orders, the reasons for listing them, and the causes of a record."""

import msgspec

from umpire_ledger.projections.tables.order_history import RecordedOrder

DECIDED_AGAIN, LAST_TOUCH, IN_THE_LOG = "deciding again", "last touch", "the log"
"""Methods of finding an answer: decide the order again, compare the things that orders concern, or read the log."""

HOW = {
    "rests": "depends on {what}, as #{since} left it",
    "keeps": "reuses the dice results of #{since}",
    "changes": "concerns {what}, as #{since} does",
    "names": "names {what}, which #{since} concerns",
    "within": "given for {what}, which #{since} picked",
    "order": "results from the same order as #{since}",
    "speaks": "refers to #{since}",
    "seals": "accepts #{since} and everything before it",
}


class ListingReason(msgspec.Struct, frozen=True, kw_only=True):
    """A reason for listing an order. `since`: the earlier record that it is related to."""

    how: str
    kind: str = ""
    id: str = ""
    attribute: str = ""
    since: int

    @property
    def text(self) -> str:
        """The reason in words."""
        rests = self.how == "rests"
        what = fact_words(self.kind, self.id, self.attribute) if rests else f"{self.kind} {self.id}"
        return HOW[self.how].format(what=what, since=self.since)


class Dependent(msgspec.Struct, frozen=True, kw_only=True):
    """A dependent order, or the dependent records of the contested order itself.

    `degree`: 1 if the order depends on a contested record directly, 2 if it depends on such an order, and so on.
    `found_by`: `DECIDED_AGAIN`, `LAST_TOUCH` or `IN_THE_LOG`.
    """

    deed: RecordedOrder
    positions: tuple[int, ...]
    why: tuple[ListingReason, ...]
    degree: int
    found_by: str = LAST_TOUCH


class Cause(msgspec.Struct, frozen=True, kw_only=True):
    """An earlier record that a record depended on, and the fact that was read.

    `attribute`: the attribute of a unit, or "". `seat`, `turn`, `step`, `order`, `sentence`: details of the order that
    wrote the fact, limited to what the asking seat may see. `set_up`: whether the record belongs to the opening of the
    game.
    """

    kind: str
    id: str
    position: int
    text: str
    attribute: str = ""
    seat: str = ""
    turn: int = 0
    step: str = ""
    order: str = ""
    sentence: str = ""
    set_up: bool = False

    @property
    def what(self) -> str:
        """The fact that was read, in words."""
        return fact_words(self.kind, self.id, self.attribute)


def fact_words(kind: str, name: str, attribute: str = "") -> str:
    """Return a fact in words."""
    if kind == "unit" and attribute:
        return f"{'place' if attribute == 'at' else attribute} of {name}"
    return {"roll": "its dice", "pick": f"the pick of {name}", "answer": f"how {name} ended"}.get(
        kind, f"{kind} {name}"
    )
