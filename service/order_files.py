"""Play an order file in pieces, so that other requests can use the game between two pieces."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec

from umpire_ledger.desk.orders.file_play import BATCH, Played
from umpire_ledger.desk.seat import Seat
from umpire_ledger.service.problems import RequestRefused

Line = tuple[int, Mapping[str, Any]]


def too_many_lines(sent: int, most: int) -> RequestRefused:
    """Return the refusal of a file that would occupy a thread too long."""
    return RequestRefused(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "too-large",
        f"the file has {sent} orders",
        where="the body",
        rule=f"limits: {most} orders per file",
        remedy="split it into several files and send them in order",
    )


def in_pieces(seat: Seat, lines: Sequence[Line], *, check: bool, seen: int | None) -> Played:
    """Play the lines in pieces. With `seen`, each piece expects the position after the previous piece."""
    if check:
        return seat.game.play(lines, hand=seat.name, check=True, seen=seen)
    pieces = [lines[first : first + BATCH] for first in range(0, len(lines), BATCH)] or [lines]
    whole: Played | None = None
    for piece in pieces:
        done = seat.game.play(piece, hand=seat.name, seen=seen)
        seen = None if seen is None else done.position
        whole = _joined(whole, done) if whole else done
    assert whole is not None
    return whole


def _joined(first: Played, second: Played) -> Played:
    """Return the combined result of two pieces of a file."""
    return msgspec.structs.replace(
        second,
        orders=first.orders + second.orders,
        repeated=first.repeated + second.repeated,
        skipped=(*first.skipped, *second.skipped),
    )
