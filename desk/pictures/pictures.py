"""Draw the board as a picture, as a seat knows it at a position."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from umpire_ledger.desk.core.adapters import event_of
from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.open_game import OpenGame
from umpire_ledger.desk.core.text_files import whole_file
from umpire_ledger.desk.pictures.backgrounds import background_of
from umpire_ledger.domain.game.board import Board, board_in, joined
from umpire_ledger.domain.game.events import AnyEvent, StepOpened, inner_events
from umpire_ledger.domain.game.state import Game
from umpire_ledger.domain.kit.title import Title
from umpire_ledger.ledger.ledger import Ledger
from umpire_ledger.projections.pictures import replay_page
from umpire_ledger.projections.pictures.table_picture import Picture, picture_of
from umpire_ledger.projections.tables.copies import copy_words
from umpire_ledger.projections.tables.order_history import seen_by
from umpire_ledger.projections.tables.seat_visibility import sees

PNG_SCALE = 2.0


def board_of(title: Title | None, game: Game) -> Board:
    """Return the places of a game: those of its title, if installed, and those of its scenario."""
    own = board_in(game.tables)
    return joined(title.board(game), own) if title is not None else own


def palette() -> str:
    """Return the style sheet with the colours and the fonts of every page."""
    return replay_page.palette()


def table_at(game: OpenGame, known: Game, seat: str, at: int | None) -> Picture:
    """Return the picture of a seat's knowledge at a position, with the changes since the current step began.

    Raises:
        NoSuchRecord: When the game has no such position.
    """
    since = reversed(list(_since_the_step(game.ledger, game.id, known, seat, at)))
    picture = picture_of(known, board_of(game.title, known), since, called=game.id, copied=copy_words(game.copied))
    has_one = picture.layout.ground is not None and picture.layout.ground.picture is not None
    return msgspec.structs.replace(picture, background=background_of(game.ledger, game.id)) if has_one else picture


def table_between(
    ledger: Ledger[Game], called: str, title: Title | None, known: Game, seat: str, span: tuple[int, int], copied: str
) -> Picture:
    """Return the picture of a seat's knowledge at the end of a span of positions, with all changes during the span."""
    since, at = span
    lines = ledger.branch_bytes(called, at, after=since)
    seen = (one.event for one in seen_by(ledger, called, seat, lines) if one.event is not None)
    events = [event for one in seen for event in inner_events(one)]
    return picture_of(known, board_of(title, known), events, called=called, copied=copied)


def _since_the_step(ledger: Ledger[Game], game_id: str, known: Game, seat: str, at: int | None) -> Iterator[AnyEvent]:
    """Yield the events that a seat may see since the oldest open step began, the newest first."""
    if not known.cursor.open:
        return
    state = ledger.state(game_id)  # the seats of the current state decide about visibility, as in `known`
    still_open = {one.step for one in known.cursor.open}
    for record in ledger.branch_records(game_id, at):
        event = event_of(record)
        if event is None or not sees(state, seat, record.position, record.visible_to):
            continue
        if isinstance(event, StepOpened):
            still_open.discard(event.step)
            if not still_open:
                return
        yield from reversed(inner_events(event))


def png_of(svg: str) -> bytes:
    """Return a picture as PNG, with two pixels for each unit of the drawing.

    Raises:
        WrongUse: When the extra is not installed.
    """
    try:
        from resvg_py import svg_to_bytes  # noqa: PLC0415 -- may be missing: an extra, and nothing that one loads for text
    except ImportError:
        what, remedy = (
            "a PNG needs a package that is not installed",
            "pip install 'umpire-ledger[pictures]', or ask for .svg",
        )
        raise WrongUse(what, where="the picture", rule="the extra `pictures`", remedy=remedy) from None
    return bytes(svg_to_bytes(svg_string=svg, zoom=PNG_SCALE, sans_serif_family="DejaVu Sans"))


def save(svg: str, file: Path) -> None:
    """Write a picture to a file in the format of its suffix.

    Raises:
        WrongUse: When the suffix is unknown, or the file cannot be written.
    """
    raw = written(svg, file)
    with whole_file(file) as out:
        out.write(raw)


def written(svg: str, file: Path) -> bytes:
    """Return the bytes of a picture for a file, in the format of its suffix.

    Raises:
        WrongUse: When the suffix is unknown, or the extra for it is not installed.
    """
    match file.suffix.lower():
        case ".svg":
            return svg.encode()
        case ".png":
            return png_of(svg)
        case other:
            what = f"a picture cannot be {other or 'a file without an ending'}"
            raise WrongUse(
                what, where=str(file), rule="kinds of pictures", remedy="name a file that ends in .svg or .png"
            )
