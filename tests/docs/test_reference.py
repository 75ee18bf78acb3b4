"""The API reference: `python docs/reference.py` shows every name of the API with a docstring."""

import importlib.util
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.docs.pages import ROOT

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pdoc") is None,
    reason="the reference is built with pdoc, which is not installed: pip install '.[docs]'",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the reference from another folder; a warning is an error."""
    made = tmp_path_factory.mktemp("reference")
    command = [sys.executable, "-W", "error", str(ROOT / "docs" / "reference.py"), str(made)]
    done = subprocess.run(command, cwd=made, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return made


@pytest.fixture(scope="module")
def sections(folder: Path) -> dict[str, str]:
    """Return the text under each name of the first page."""
    page = (folder / "umpire_ledger.html").read_text(encoding="utf-8")
    return dict(re.findall(r'<section id="([^"]+)">(.*?)</section>', page, re.DOTALL))


def docstring(html: str) -> str:
    """Return the first docstring in a piece of the page."""
    found = re.search(r'<div class="docstring">(.*?)</div>', html, re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "", found[1])).strip() if found else ""


def test_every_name_of_the_api_is_there_with_a_docstring(sections: dict[str, str]) -> None:
    assert sorted(sections) == sorted(umpire.__all__)
    assert [name for name in umpire.__all__ if len(docstring(sections[name])) < 20] == []


def test_name_is_explained_by_its_own_docstring(sections: dict[str, str]) -> None:
    assert umpire.Refused.__doc__ in docstring(sections["Refused"])
    assert 'class="def">class' in sections["Refused"]


@pytest.mark.parametrize("name", ["Desk", "PlayedGame", "Seat", "Position", "Following"])
def test_everything_that_can_be_done_is_there_with_a_docstring(name: str, sections: dict[str, str]) -> None:
    """Those of a seat too, most of which it inherits."""
    offered = getattr(umpire, name)
    for member in at_least_one(member for member in dir(offered) if not member.startswith("_")):
        found = re.search(rf'<div id="{name}\.{member}" class="classattr">(.*)', sections[name], re.DOTALL)
        assert found, f"{name}.{member} is not there"
        assert docstring(found[1].split('class="classattr"')[0]), f"{name}.{member} has no docstring"


def test_returned_types_are_explained_too(folder: Path, sections: dict[str, str]) -> None:
    """Follow the links of the types that a seat returns."""
    links = set(re.findall(r'href="(umpire_ledger/[^"#]+\.html)#(\w+)"', sections["Seat"]))
    assert ("umpire_ledger/projections/tables/audit_search.html", "AuditLine") in links
    for file, name in links:
        page = folder / file
        assert page.is_file(), file
        assert f'<section id="{name}">' in page.read_text(encoding="utf-8"), f"{file}#{name}"


def test_titles_authors_find_their_pages(folder: Path) -> None:
    for page in ("kit", "testing"):
        assert (folder / "umpire_ledger" / f"{page}.html").is_file()
