"""Read the background picture next to a scenario file.

Nothing in a picture is executed: pages and pictures show it as an image. A drawing with a script, a handler of events
or anything from outside is refused nevertheless, because a file may be opened separately.
"""

import re
import sys
from base64 import b64encode
from collections.abc import Mapping
from pathlib import Path
from xml.parsers import expat

from umpire_ledger.domain.game.board import Background, board_in
from umpire_ledger.domain.game.scenario import scenario_fault
from umpire_ledger.domain.game.scenario_fault import ScenarioFault, error_of
from umpire_ledger.domain.game.state import Game

MOST_PICTURE = 2 * 2**20
"""Most bytes of a picture."""
MOST_PIXELS = 50_000_000
"""Most pixels of a PNG, which has 4 bytes for each when it is drawn: blank ones compress a thousandfold."""
DEEPEST = 200
"""Most levels of elements in a drawing. Programs that draw it can fail at some ten thousand."""
PATH = "$.board.background.file"
MEDIA = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "svg": "image/svg+xml"}
BEGIN = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
"""The first bytes of a picture of each kind."""
SVG = "http://www.w3.org/2000/svg"
XHTML = "http://www.w3.org/1999/xhtml"
ENCODINGS = {None, "utf-8", "utf-16", "us-ascii"}
"""The encodings that every reader of a drawing decodes alike."""
LINKS = {"href", "src", "base"}
ACTIVE = {"script", "foreignobject", "iframe", "object", "embed", "audio", "video", "handler", "listener"}
"""The elements that a drawing may not have, and it may have none of XHTML."""
_inside = re.compile(r"#|data:image/(?:png|jpeg|webp);base64,")
_OWN = r"(?:#|data:image/(?:png|jpeg|webp);)"
_from_outside = re.compile(rf"@import|image-set\(|url\((?!\s*[\"']?{_OWN})|expression\(|javascript:", re.I)
_escape = re.compile(r"\\(?:([0-9a-f]{1,6})\s?|(.?))", re.I | re.DOTALL)


def beside(game: Game, folder: Path) -> str:
    """Return the picture that a new game's scenario names as a data URI; "" if it names none.

    Raises:
        ScenarioError: When the file is missing, too large, or not a picture that may be shown.
    """
    background = board_in(game.tables).background
    if background is None:
        return ""
    raw = _content_of(background.file, folder)
    if isinstance(raw, ScenarioFault):
        raise error_of(raw)
    return f"data:{_media(background.file)};base64,{b64encode(raw).decode()}"


def fault_of(background: Background, folder: Path) -> ScenarioFault | None:
    """Return the fault of a picture next to a scenario; None if it can be shown."""
    found = _content_of(background.file, folder)
    return found if isinstance(found, ScenarioFault) else None


def _content_of(name: str, folder: Path) -> bytes | ScenarioFault:
    """Return the content of a picture, or its fault."""
    raw = _bytes_of(folder / name)
    if raw is None:
        remedy = "put it in the folder of the scenario, or leave out the entry"
        return scenario_fault(f"there is no file {name} next to the scenario", PATH, remedy, code="picture-missing")
    media = _media(name)
    if media == "image/png" and _pixels(raw) > MOST_PIXELS:
        what = f"{name} has more than {MOST_PIXELS:,} pixels"
        return scenario_fault(what, PATH, "save it with fewer pixels", code="picture-too-large")
    if len(raw) > MOST_PICTURE:
        what = f"{name} is larger than {MOST_PICTURE // 2**20} MiB"
        return scenario_fault(what, PATH, "save it with fewer pixels or as WebP", code="picture-too-large")
    drawing = read_drawing(raw) if media == "image/svg+xml" else None
    if drawing is not None and drawing.active:
        what = f"{name} has {drawing.active[0]}, so it is not only a picture"
        return scenario_fault(what, PATH, "save it as a plain SVG, or as PNG", code="active-picture")
    if not (drawing.is_svg if drawing is not None else media and BEGIN[media].match(raw)):
        what = f"{name} is not a {name.rpartition('.')[2]} file"
        return scenario_fault(what, PATH, "save it as PNG, JPEG, WebP or SVG (UTF-8)", code="not-a-picture")
    return raw


def _bytes_of(file: Path) -> bytes | None:
    """Return at most one byte more than a picture may have; None if it is not a regular file."""
    if not file.is_file():
        return None
    try:
        with file.open("rb") as stream:
            return stream.read(MOST_PICTURE + 1)
    except OSError:
        return None


def _media(name: str) -> str:
    """Return the media type of a file name; "" for a name with a line break at its end, which the pattern accepts."""
    return MEDIA.get(name.rpartition(".")[2], "")


def _pixels(png: bytes) -> int:
    """Return the number of pixels that the header of a PNG declares."""
    return int.from_bytes(png[16:20]) * int.from_bytes(png[20:24])


def _is_from_outside(style: str) -> bool:
    """Check a style without its escapes, which can spell `url` as `u\\72l`."""
    plain = _escape.sub(lambda found: chr(min(int(found[1], 16), sys.maxunicode)) if found[1] else found[2], style)
    return _from_outside.search(plain) is not None


class _ReadNoFurther(Exception):
    """Stop at a document type, whose entities can make a small file a large one, or at too many levels."""


class Drawing:
    """The content of an SVG file. `is_svg`: it can be read as one; `active`: its parts other than shapes, in words."""

    def __init__(self) -> None:
        self.is_svg = False
        self.active: list[str] = []
        self._root = ""
        self._texts: list[str] = []
        self._depth = 0

    def take_element(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element; its name has its namespace before a space.

        Raises:
            _ReadNoFurther: At too many levels of elements.
        """
        self._depth += 1
        if self._depth > DEEPEST:
            self.active.append(f"more than {DEEPEST} levels of elements")
            raise _ReadNoFurther
        space, _, tag = name.rpartition(" ")
        self._root = self._root or name
        self.is_svg = self._root == f"{SVG} svg"
        if tag.lower() in ACTIVE or space == XHTML:
            self.active.append(f"an element {tag}")
        for given, value in attributes.items():
            bare = given.rpartition(" ")[2].lower()
            changed = value.strip().lower().rpartition(":")[2] if bare == "attributename" else ""
            if bare.startswith("on") or changed.startswith(("on", "href")):
                self.active.append(f"a handler {bare}")
            elif (bare in LINKS and not _inside.match(value.strip())) or _is_from_outside(value):
                self.active.append(f"a reference in {bare} to something outside")

    def take_end(self, _: str) -> None:
        """Take the end of an element."""
        self._depth -= 1

    def take_text(self, text: str) -> None:
        """Take a part of the text; a style can be split over several parts."""
        self._texts.append(text)

    def finish(self) -> None:
        """Look through the text, once: a file can have a million parts."""
        if _is_from_outside("".join(self._texts)):
            self.active.append("a style with something from outside")

    def take_instruction(self, *_: object) -> None:
        """Take an instruction, which could load a style."""
        self.active.append("an instruction to programs")

    def take_doctype(self, *_: object) -> None:
        """Take a document type, which could define entities.

        Raises:
            _ReadNoFurther: Always.
        """
        self.active.append("a document type")
        raise _ReadNoFurther

    def take_declaration(self, _: str, encoding: str | None, __: int) -> None:
        """Take the first line with its encoding."""
        if (encoding and encoding.lower()) not in ENCODINGS:
            self.active.append(f"the encoding {encoding}")


def read_drawing(raw: bytes) -> Drawing:
    """Return the content of an SVG file, read as UTF-8."""
    found = Drawing()
    parser = expat.ParserCreate("UTF-8", " ")
    parser.StartElementHandler = found.take_element
    parser.EndElementHandler = found.take_end
    parser.CharacterDataHandler = found.take_text
    parser.XmlDeclHandler = found.take_declaration
    parser.StartDoctypeDeclHandler = found.take_doctype
    parser.ProcessingInstructionHandler = found.take_instruction
    try:
        parser.Parse(raw, True)
    except (expat.ExpatError, _ReadNoFurther):
        found.is_svg = False
    found.finish()
    return found
