"""The sides' shares in the ledger's dice: with them nobody chose the dice, and nobody alone can foresee them.

Shared dice (scheme 3): before the first roll every side pledges a share, then every side shows it. Witnessed dice
(scheme 4): a side's shares are a chain, each the SHA-256 of the next, and an order that throws waits until the other
sides have shown their next ones.
"""

import hashlib

from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.game.values import DiceMode

SHARED, WITNESSED = 3, 4
SCHEMES: dict[DiceMode, int] = {"ledger": 2, "shared": SHARED, "witnessed": WITNESSED}
"""How the rolls of a new game are drawn. Scheme 1 is that of older logs."""
MODES = {scheme: mode for mode, scheme in SCHEMES.items()}


def hash_of(share: str) -> str:
    """The SHA-256, in hex, of a share in hex: what is pledged, or shown before it."""
    return hashlib.sha256(bytes.fromhex(share)).hexdigest()


def mode_of(game: Game) -> DiceMode:
    """How a game's dice are thrown; "ledger" for those of older logs too."""
    return "table" if game.dice == "table" else MODES.get(game.scheme, "ledger")


def takes_shares(game: Game) -> bool:
    """Whether the dice come from shares of the sides too, and may still be thrown."""
    return game.dice == "ledger" and game.scheme in (SHARED, WITNESSED) and not game.dice_open


def unpledged(game: Game) -> tuple[str, ...]:
    """The sides whose pledge no die can be thrown without."""
    return tuple(side for side in game.side_ids if side not in game.pledges) if takes_shares(game) else ()


def unshown(game: Game) -> tuple[str, ...]:
    """The sides whose share is waited for now: of shared dice every side's, of witnessed dice the others' than who
    throws. None are while a pledge is missing: a share is shown when nobody can choose his any more.
    """
    if not takes_shares(game) or unpledged(game):
        return ()
    if game.scheme == SHARED:
        return tuple(side for side in game.side_ids if not game.pledges[side].share)
    mine = game.side_of(game.awaits_dice)
    waited_for = [side for side in game.side_ids if side != mine] if game.awaits_dice else []
    return tuple(side for side in waited_for if not game.pledges[side].since)


def awaited(game: Game) -> tuple[str, ...]:
    """The sides without which the dice cannot be thrown now."""
    return unpledged(game) or unshown(game)


def shares_of(game: Game) -> tuple[str, ...]:
    """The newest share of each side that has shown one."""
    return tuple(one.share for one in game.pledges.values() if one.share)
