"""Build the documentation site and check its pages, its links and its API reference."""

import importlib.util
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.at_least_one import at_least_one
from tests.docs.pages import ROOT

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("sphinx") is None,
    reason="the site is built with Sphinx, which is not installed: pip install '.[docs]'",
)
API = "reference/api"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site from another folder; a warning or a broken link fails the build."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, str(ROOT / "docs" / "site"), str(folder / "made")]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "made"


@pytest.fixture(scope="module")
def names(site: Path) -> dict[str, Any]:
    """Return the text about each name of the API, and of the members of classes."""
    html = import_module("bs4").BeautifulSoup((site / API / "umpire_ledger.html").read_text("utf-8"), "html.parser")
    return {entry["id"].removeprefix("umpire_ledger."): entry for entry in html.find_all("dt", id=True)}


def about(entry: Any) -> str:
    text: str = entry.find_next_sibling("dd").get_text(" ", strip=True)
    return text


def test_site_has_every_page(site: Path) -> None:
    pages = [page.relative_to(ROOT / "docs").with_suffix(".html") for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in at_least_one(pages) if not (site / page).is_file()] == []
    assert (site / "reference" / "log-format.html").is_file()


def test_index_of_the_site_links_the_api_reference(site: Path) -> None:
    assert f'href="{API}/index.html"' in (site / "index.html").read_text("utf-8")


def test_every_name_of_the_api_is_there_with_a_docstring(names: dict[str, Any]) -> None:
    assert sorted(name for name in names if "." not in name) == sorted(umpire.__all__)
    assert [name for name in umpire.__all__ if len(about(names[name])) < 20] == []


def test_name_is_explained_by_its_own_docstring(names: dict[str, Any]) -> None:
    assert umpire.Refused.__doc__ is not None
    assert umpire.Refused.__doc__.splitlines()[0] in about(names["Refused"])
    assert "exception" in names["Refused"].get_text()


@pytest.mark.parametrize("name", ["Desk", "PlayedGame", "Seat", "Position", "Following"])
def test_every_member_is_there_with_a_docstring(name: str, names: dict[str, Any]) -> None:
    """Test inherited members too, which are most of those of a seat."""
    for member in at_least_one(member for member in dir(getattr(umpire, name)) if not member.startswith("_")):
        assert about(names[f"{name}.{member}"]), member


def test_returned_types_are_explained_too(site: Path, names: dict[str, Any]) -> None:
    links = {link["href"] for link in names["Seat.audit"].find_all("a", href=True)}
    target = "umpire_ledger.projections.tables.audit_search.AuditLine"
    assert f"types.html#{target}" in links
    assert f'id="{target}"' in (site / API / "types.html").read_text("utf-8")


def test_titles_authors_find_their_pages(site: Path) -> None:
    for page in ("kit", "testing"):
        assert (site / API / f"umpire_ledger.{page}.html").is_file()


def test_broken_link_and_file_from_outside_are_faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "site"))
    page = """<h1 id="top">a</h1><a href="#top"></a><a href="#end"></a><a href="b.html"></a>
        <a href="https://example.org"></a><script src="https://example.org/a.js"></script>"""
    (tmp_path / "a.html").write_text(page, "utf-8")
    faults = [re.sub(r"^a\.html: ", "", fault) for fault in import_module("links").faults_of(tmp_path)]
    assert faults == ["#end: no such anchor", "b.html: no such file", "loads https://example.org/a.js from outside"]
