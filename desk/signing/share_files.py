"""Store a user's dice shares in `$XDG_CONFIG_HOME/umpire/dice`, else `~/.config/umpire/dice`.

Each commitment (`pledge`) has a file `NAME.share` with mode 0600. Its name is the first digits of the commitment, and
it contains the secret in hex and the number of shares that are derived from it. Each share is the SHA-256 of the share
that is revealed after it, and the commitment is the SHA-256 of the share that is revealed first. So the secret itself
is the last share.
"""

import os
import secrets
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.domain.game.dice_shares import WITNESSED, unpledged, unshown
from umpire_ledger.domain.game.state import Game

RULE = "dice"
CHAIN = 10_000
"""Number of shares from one secret. Each order of another side that rolls witnessed dice uses one share."""
SUFFIX = ".share"
SHOWN_DIGITS = 32
"""Number of digits of a commitment that name its file."""


def own_shares(environment: Mapping[str, str]) -> Path:
    """Return the current user's folder of dice shares."""
    config = environment.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(config) / "umpire" / "dice"


def due_order(game: Game, seat: str, folder: Path) -> dict[str, str] | None:
    """Return the order with the commitment or dice share that is required of a seat now; None if none is required.

    For a new commitment, store the secret in the folder.

    Raises:
        WrongUse: When the folder cannot be used, or lacks the secret of the required share.
    """
    side = game.side_of(seat)
    if side in unpledged(game):
        return {"as": seat, "order": "seat-dice", "pledge": draw(folder, CHAIN if game.scheme == WITNESSED else 1)}
    if side in unshown(game):
        given = game.pledges[side]
        return {"as": seat, "order": "seat-dice", "share": share_behind(folder, given.pledge, given.share)}
    return None


def draw(folder: Path, number: int) -> str:
    """Draw a secret for this number of shares, store it, and return the commitment to it.

    Raises:
        WrongUse: When the secret cannot be stored.
    """
    secret = secrets.token_bytes(32)
    pledge = list(_chain(secret, number))[-1].hex()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        place = os.open(_file(folder, pledge), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(place, "w", encoding="ascii") as out:
            out.write(f"{secret.hex()}\n{number}\n")
    except OSError as error:
        what, remedy = f"the dice share cannot be stored: {error.strerror}", "make the folder writable"
        raise WrongUse(what, where=str(folder), rule=RULE, remedy=remedy, code="share-not-kept") from error
    return pledge


def share_behind(folder: Path, pledge: str, shown: str) -> str:
    """Return the next share: the first share of a commitment, or the share after the last revealed one.

    Raises:
        WrongUse: When the secret is missing or wrong, or all shares are revealed.
    """
    file = _file(folder, pledge)
    secret, number = _read(file)
    links = [link.hex() for link in _chain(secret, number)]
    before = shown or pledge
    if before not in links or links[-1] != pledge:
        what = f"{file.name} has a different secret from the one you pledged"
        raise _wrong("other-secret", file, what, "restore the original file")
    if before == links[0]:
        what = f"all {number} shares of this pledge are revealed"
        raise _wrong("all-shares-shown", file, what, "ask the referee to start new dice: `open-dice`")
    return links[links.index(before) - 1]


def _chain(secret: bytes, number: int) -> Iterator[bytes]:
    """Yield the secret, then the result of each of `number` repeated applications of SHA-256."""
    yield secret
    for _ in range(number):
        secret = sha256(secret).digest()
        yield secret


def _file(folder: Path, pledge: str) -> Path:
    return folder / f"{pledge[:SHOWN_DIGITS]}{SUFFIX}"


def _read(file: Path) -> tuple[bytes, int]:
    try:
        secret, number = file.read_text(encoding="ascii").split()
        return bytes.fromhex(secret), min(int(number), CHAIN)
    except OSError as error:
        what = f"the secret of your pledge cannot be read: {error.strerror}"
        remedy = (
            "give the order on the computer that has it; if it is lost, ask the referee to start new dice: `open-dice`"
        )
        raise _wrong("secret-not-here", file, what, remedy) from error
    except ValueError as error:
        what = f"{file.name} has no secret"
        raise _wrong("no-secret", file, what, "restore the original file") from error


def _wrong(code: str, file: Path, what: str, remedy: str) -> WrongUse:
    return WrongUse(what, where=str(file.parent), rule=RULE, remedy=remedy, code=code)
