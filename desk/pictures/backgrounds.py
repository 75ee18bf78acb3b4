"""Store the background picture of a game with its metadata: no record of a game has it."""

import re
from base64 import b64decode
from typing import NamedTuple

from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.storage.metadata import MetadataEntry

KIND = "background picture"
"""The kind of its metadata entry; the value is a data URI."""
_uri = re.compile(r"data:(image/(?:png|jpeg|webp|svg\+xml));base64,([A-Za-z0-9+/]*={0,2})")


class StoredPicture(NamedTuple):
    """A background picture of a game, with its media type."""

    media: str
    raw: bytes


def background_of(ledger: Ledger[Game], game_id: str) -> str:
    """Return the background picture of a game as a data URI; "" if it has none, or a damaged one."""
    stored = ledger.metadata_value(game_id, KIND) or ""
    return stored if _uri.fullmatch(stored) and len(stored.partition(",")[2]) % 4 == 0 else ""


def stored_picture(ledger: Ledger[Game], game_id: str) -> StoredPicture | None:
    """Return the background picture of a game; None if it has none, or a damaged one."""
    found = _uri.fullmatch(background_of(ledger, game_id))
    return StoredPicture(found[1], b64decode(found[2])) if found else None


def store(ledger: Ledger[Game], game_id: str, uri: str) -> None:
    """Store the background picture of a game, in place of the one before."""
    with ledger.metadata() as metadata:
        metadata.put(MetadataEntry(game_id, KIND, "", uri))
