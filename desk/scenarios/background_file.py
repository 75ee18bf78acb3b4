"""Read the background picture next to a scenario file.

Nothing in a picture is executed: pages and pictures show it as an image. A drawing with a script, a handler of events
or anything from outside is refused nevertheless, because a file may be opened separately.
"""

import re
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
PATH = "$.board.background.file"
MEDIA = {"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "webp": "image/webp", "svg": "image/svg+xml"}
BEGIN = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
"""The first bytes of a picture of each kind."""
SVG = "http://www.w3.org/2000/svg"
LINKS = {"href", "src"}
ACTIVE = {"script", "foreignobject", "iframe", "object", "embed", "audio", "video", "handler", "listener"}
"""The elements that a drawing may not have."""
_inside = re.compile(r"#|data:image/(?:png|jpeg|webp);base64,")
_OWN = r"(?:#|data:image/(?:png|jpeg|webp);)"
_from_outside = re.compile(rf"@import|url\((?!\s*[\"']?{_OWN})|expression\(|javascript:", re.I)


def beside(game: Game, folder: Path) -> str:
    """Return the picture that a new game's scenario names as a data URI; "" if it names none.

    Raises:
        ScenarioError: When the file is missing, too large, or not a picture that may be shown.
    """
    background = board_in(game.tables).background
    if background is None:
        return ""
    fault = fault_of(background, folder)
    if fault is not None:
        raise error_of(fault)
    raw = (folder / background.file).read_bytes()
    return f"data:{_media(background.file)};base64,{b64encode(raw).decode()}"


def fault_of(background: Background, folder: Path) -> ScenarioFault | None:
    """Return the fault of a picture next to a scenario; None if it can be shown."""
    name = background.file
    try:
        with (folder / name).open("rb") as stream:
            raw = stream.read(MOST_PICTURE + 1)
    except OSError:
        remedy = "put it in the folder of the scenario, or leave out the entry"
        return scenario_fault(f"there is no file {name} next to the scenario", PATH, remedy, code="picture-missing")
    if len(raw) > MOST_PICTURE:
        what = f"{name} is larger than {MOST_PICTURE // 2**20} MiB"
        return scenario_fault(what, PATH, "save it with fewer pixels or as WebP", code="picture-too-large")
    if not _is_picture(_media(name), raw):
        what = f"{name} is not a {name.rpartition('.')[2]} file"
        return scenario_fault(what, PATH, "save it as PNG, JPEG, WebP or SVG (UTF-8)", code="not-a-picture")
    if name.endswith(".svg") and (found := read_drawing(raw).active):
        what = f"{name} has {found[0]}, so it is not only a picture"
        return scenario_fault(what, PATH, "save it as a plain SVG, or as PNG", code="active-picture")
    return None


def _media(name: str) -> str:
    return MEDIA[name.rpartition(".")[2]]


def _is_picture(media: str, raw: bytes) -> bool:
    return BEGIN[media].match(raw) is not None if media in BEGIN else read_drawing(raw).is_svg


class Drawing:
    """The content of an SVG file. `is_svg`: it can be read as one; `active`: its parts other than shapes, in words."""

    def __init__(self) -> None:
        self.is_svg = False
        self.active: list[str] = []
        self._root = ""
        self._texts: list[str] = []

    def take_element(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take the start of an element; its name has its namespace before a space."""
        tag = name.rpartition(" ")[2]
        self._root = self._root or name
        self.is_svg = self._root == f"{SVG} svg"
        if tag.lower() in ACTIVE:
            self.active.append(f"an element {tag}")
        for given, value in attributes.items():
            bare = given.rpartition(" ")[2].lower()
            changed = value.strip().lower().rpartition(":")[2] if bare == "attributename" else ""
            if bare.startswith("on") or changed.startswith(("on", "href")):
                self.active.append(f"a handler {bare}")
            elif (bare in LINKS and not _inside.match(value.strip())) or _from_outside.search(value):
                self.active.append(f"a reference in {bare} to something outside")

    def take_text(self, text: str) -> None:
        """Take a part of the text; a style can be split over several parts."""
        self._texts.append(text)

    def finish(self) -> None:
        """Look through the text, once: a file can have a million parts."""
        if _from_outside.search("".join(self._texts)):
            self.active.append("a style with something from outside")

    def take_other(self, *_: object) -> None:
        """Take a document type or an instruction, which could define entities or load a style."""
        self.active.append("a document type or an instruction to programs")


def read_drawing(raw: bytes) -> Drawing:
    """Return the content of an SVG file, read as UTF-8."""
    found = Drawing()
    parser = expat.ParserCreate("UTF-8", " ")
    parser.StartElementHandler = found.take_element
    parser.CharacterDataHandler = found.take_text
    parser.StartDoctypeDeclHandler = found.take_other
    parser.ProcessingInstructionHandler = found.take_other
    try:
        parser.Parse(raw, True)
    except expat.ExpatError:
        found.is_svg = False
    found.finish()
    return found
