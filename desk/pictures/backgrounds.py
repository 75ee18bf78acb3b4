"""Store the background picture of a game with its metadata: no record of a game has it."""

from base64 import b64decode
from typing import NamedTuple

from umpire_ledger.domain.game.state import Game
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.ledger.storage.metadata import MetadataEntry

KIND = "background picture"
"""The kind of its metadata entry; the value is a data URI."""


class StoredPicture(NamedTuple):
    """A background picture of a game, with its media type."""

    media: str
    raw: bytes


def background_of(ledger: Ledger[Game], game_id: str) -> str:
    """Return the background picture of a game as a data URI; "" if it has none."""
    return ledger.metadata_value(game_id, KIND) or ""


def stored_picture(ledger: Ledger[Game], game_id: str) -> StoredPicture | None:
    """Return the background picture of a game; None if it has none."""
    uri = background_of(ledger, game_id)
    media, _, raw = uri.removeprefix("data:").partition(";base64,")
    return StoredPicture(media, b64decode(raw)) if uri else None


def store(ledger: Ledger[Game], game_id: str, uri: str) -> None:
    """Store the background picture of a game, in place of the one before."""
    with ledger.metadata() as metadata:
        metadata.put(MetadataEntry(game_id, KIND, "", uri))
