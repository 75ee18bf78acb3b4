"""Read external XML safely: fetch nothing, refuse declared entities, and limit size, depth and number of elements.

A map file of TripleA names an external document type (`game.dtd`), which is never read.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from umpire_ledger.desk.core.errors import WrongUse
from umpire_ledger.desk.core.text_files import read_bytes
from umpire_ledger.ledger.records.limits import MIB, said

MOST_XML = 16 * MIB
"""Maximum size of a map file, in bytes; the largest published files have about 4 MiB."""
MOST_ELEMENTS = 300_000
MOST_LEVELS = 20
RULE = "map files of TripleA: an XML file by its game.dtd"


class Element:
    """An element with its attributes and inner elements; the text of these files is not needed."""

    def __init__(self, name: str, attributes: dict[str, str], line: int) -> None:
        self.name = name
        self.attributes = attributes
        self.line = line
        self.inside: list[Element] = []

    def all(self, *path: str) -> Iterator["Element"]:
        """Yield the elements at a path of names below this one, in order."""
        name, *rest = path
        for one in self.inside:
            if one.name == name:
                yield from one.all(*rest) if rest else (one,)

    def get(self, name: str) -> str:
        """Return an attribute; "" if it is missing."""
        return self.attributes.get(name, "").strip()


def read_xml(file: Path) -> Element:
    """Return the outermost element of a file.

    Raises:
        WrongUse: When the file cannot be read, is not XML, or exceeds a limit.
    """
    with read_bytes(file) as stream:
        raw = stream.read(MOST_XML + 1)
    if len(raw) > MOST_XML:
        _refuse(file, 0, f"{file.name} is too large", f"at most {said(MOST_XML)}", "give the map file alone")
    return _XmlReader(file).read(raw)


def _refuse(file: Path, line: int, what: str, limit: str, remedy: str) -> NoReturn:
    where = f"{file}:{line}" if line else str(file)
    raise WrongUse(what, where=where, rule=f"limits: {limit}" if limit else RULE, remedy=remedy)


class _XmlReader:
    def __init__(self, file: Path) -> None:
        self._file = file
        self._open: list[Element] = []
        self._top: Element | None = None
        self._count = 0
        self._expat = expat.ParserCreate()
        self._expat.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self._expat.StartElementHandler = self._begins
        self._expat.EndElementHandler = self._ends
        self._expat.EntityDeclHandler = self._declares
        self._expat.ExternalEntityRefHandler = self._refers
        self._expat.SkippedEntityHandler = self._skips

    def read(self, raw: bytes) -> Element:
        try:
            self._expat.Parse(raw, True)
        except expat.ExpatError as error:
            what = f"this is not XML: {expat.errors.messages[error.code]}"
            _refuse(self._file, error.lineno, what, "", "use a map file that TripleA can read")
        except (LookupError, ValueError, UnicodeError):
            _refuse(self._file, 1, "its encoding is not known", "", "save it as UTF-8")
        assert self._top is not None
        return self._top

    def _begins(self, name: str, attributes: dict[str, str]) -> None:
        line = self._expat.CurrentLineNumber
        self._count += 1
        if self._count > MOST_ELEMENTS:
            what = f"there are more than {MOST_ELEMENTS:,} elements"
            _refuse(self._file, line, what, f"at most {MOST_ELEMENTS:,} elements", "give a smaller map file")
        if len(self._open) >= MOST_LEVELS:
            what = f"elements are nested deeper than {MOST_LEVELS} levels"
            _refuse(self._file, line, what, f"at most {MOST_LEVELS} levels", "use a map file that TripleA can read")
        made = Element(name, attributes, line)
        if self._open:
            self._open[-1].inside.append(made)
        else:
            self._top = made
        self._open.append(made)

    def _ends(self, _: str) -> None:
        self._open.pop()

    def _declares(self, name: str, *_: object) -> None:
        self._no_entities(f"it declares an entity, {name}")

    def _refers(self, *_: object) -> int:
        self._no_entities("it refers to something outside the file")

    def _skips(self, name: str, *_: object) -> None:
        self._no_entities(f"it refers to an entity, {name}, which is not known")

    def _no_entities(self, what: str) -> NoReturn:
        line = self._expat.CurrentLineNumber
        _refuse(self._file, line, what, "", "write the text itself; entities are not fetched")
