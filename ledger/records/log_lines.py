"""Define the first and the last line of a replay log and of a proof."""

import msgspec


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The first line. Later formats may add fields, so unknown fields are not refused before `format` is read."""

    umpire: str
    format: int
    game: str = ""


class LogEnd(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line: the checkpoint as text, and its size and root (hex) for readers without base64."""

    checkpoint: str
    size: int
    root: str
