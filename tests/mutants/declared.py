"""Read the declarations in this folder: areas, faults planted by hand, and changes without effect."""

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from tests.mutants.faults import Fault, fault_by_hand

ROOT = Path(__file__).parents[2]


class Area(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the program, and the tests that are about it."""

    paths: tuple[str, ...]
    tests: tuple[str, ...]
    always: tuple[str, ...] = ()
    critical: bool = False


class Areas(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`without`: files in which nothing is planted; `never`: tests that are never run."""

    areas: dict[str, Area]
    without: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def files(self) -> dict[str, list[str]]:
        """Return the files of each area; a file belongs to the first area that names it."""
        taken = {file.relative_to(ROOT).as_posix() for pattern in self.without for file in ROOT.glob(pattern)}
        found: dict[str, list[str]] = {}
        for name, area in self.areas.items():
            found[name] = [file for path in area.paths for file in part_of(path) if file not in taken]
            taken.update(found[name])
        return found


class Equivalent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A change without visible effect, as the lines `was` and `becomes` of a file, with the reason."""

    file: str
    was: str
    becomes: str
    why: str


class ByHand(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fault that is planted in every run. `what`: its meaning at the table."""

    area: str
    what: str
    file: str
    was: str
    becomes: str

    def fault(self) -> Fault:
        return fault_by_hand(self.file, (ROOT / self.file).read_bytes(), self.was, self.becomes)


def read(name: str, kind: Any) -> Any:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


def part_of(path: str) -> list[str]:
    """Return the Python files of a path: itself, or all below a folder."""
    found = ROOT / path
    return [path] if found.is_file() else sorted(map(relative, found.rglob("*.py")))


def relative(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()
