"""Mix shares of the sides into the ledger's dice, so that no single party can choose or foresee a roll.

Shared dice (scheme 3): before the first roll, every side commits to a share, and then every side reveals its share.
Witnessed dice (scheme 4): a side's shares form a chain in which each share is the SHA-256 of the next. An order that
rolls waits until the other sides have revealed their next shares.
"""

import hashlib

from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.values import DiceMode

SHARED, WITNESSED = 3, 4
SCHEMES: dict[DiceMode, int] = {"ledger": 2, "shared": SHARED, "witnessed": WITNESSED}
"""The schemes of new games' rolls. Older logs use scheme 1."""
MODES = {scheme: mode for mode, scheme in SCHEMES.items()}


def hash_of(share: str) -> str:
    """Return the SHA-256 of a share, both in hex: its commitment, or the share revealed before it."""
    return hashlib.sha256(bytes.fromhex(share)).hexdigest()


def mode_of(game: Game) -> DiceMode:
    """Return the dice mode of a game; also "ledger" for older logs."""
    return "table" if game.dice == "table" else MODES.get(game.scheme, "ledger")


def takes_shares(game: Game) -> bool:
    """Return whether the dice use shares of the sides and the seed is still secret."""
    return game.dice == "ledger" and game.scheme in (SHARED, WITNESSED) and not game.dice_open


def unpledged(game: Game) -> tuple[str, ...]:
    """Return the sides that must commit to a share before any roll."""
    return tuple(side for side in game.side_ids if side not in game.pledges) if takes_shares(game) else ()


def unshown(game: Game) -> tuple[str, ...]:
    """Return the sides whose share is required now: with shared dice all sides, with witnessed dice all but the roller.

    No share is required until all sides have committed to theirs.
    """
    if not takes_shares(game) or unpledged(game):
        return ()
    if game.scheme == SHARED:
        return tuple(side for side in game.side_ids if not game.pledges[side].share)
    mine = game.side_of(game.awaits_dice)
    waited_for = [side for side in game.side_ids if side != mine] if game.awaits_dice else []
    return tuple(side for side in waited_for if not game.pledges[side].since)


def awaited(game: Game) -> tuple[str, ...]:
    """Return the sides that must act before the dice can be rolled."""
    return unpledged(game) or unshown(game)


def shares_of(game: Game) -> tuple[str, ...]:
    """Return the newest share of each side that has revealed one."""
    return tuple(one.share for one in game.pledges.values() if one.share)
