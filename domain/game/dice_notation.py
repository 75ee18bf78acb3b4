"""Read dice notation such as `2d6+1`, and compute the commitment to a seed."""

import hashlib
import re
from typing import NamedTuple

from umpire_ledger.domain.game.errors import RuleViolation
from umpire_ledger.domain.game.refusal_catalogue import refusal
from umpire_ledger.domain.game.refusals import REFUSALS

MOST_DICE = 100
MOST_FACES = 256
RULE = "dice"
NOTATION = re.compile(r"([0-9]{0,3})d([0-9]{1,3})([+-][0-9]{1,4})?")


class DiceNotation(NamedTuple):
    """Dice notation such as `2d6+1`: the number of dice, the faces of each, and a modifier of the total."""

    number: int
    faces: int
    plus: int


def parse(dice: str, where: str = "") -> DiceNotation:
    """Return parsed notation such as `d6`, `2d6` or `1d10-1`.

    Raises:
        RuleViolation: The notation is not valid, or exceeds 100 dice or 256 faces.
    """
    found = NOTATION.fullmatch(dice.replace(" ", ""))
    count = int(found[1] or 1) if found else 0
    faces = int(found[2]) if found else 0
    if not found or not 1 <= count <= MOST_DICE or not 2 <= faces <= MOST_FACES:
        raise refusal(
            RuleViolation,
            REFUSALS,
            "not-dice",
            {"dice": dice, "most_dice": MOST_DICE, "most_faces": MOST_FACES},
            where=where,
            rule=RULE,
        )
    return DiceNotation(count, faces, int(found[3] or 0))


def commitment_of(seed: str) -> str:
    """Return the public SHA-256, in hex, of a seed in hex."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()
