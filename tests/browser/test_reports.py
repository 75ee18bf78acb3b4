"""Open the situation report in a browser: it has its pictures, fetches nothing, and is accessible."""

from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.browser.conftest import missing
from tests.face.testing import FIXTURES

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "report.html"
    with umpire.open(":memory:") as desk:
        game = desk.import_log(FIXTURES / "federation-and-empire" / "replays" / "border-war.jsonl")
        game.referee.sitrep_page(1, "coalition", file)
    return file


@pytest.mark.parametrize("wide", [1200, 400])
def test_pictures_are_seen_and_nothing_is_fetched(browser: Any, report: Path, wide: int) -> None:
    page = browser.new_page(viewport={"width": wide, "height": 900})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    assert page.evaluate("document.images.length") > 30
    assert page.evaluate("[...document.images].every(one => one.complete && one.naturalWidth > 0)")
    assert [one for one in asked if not one.startswith("data:")] == [report.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= wide, "nothing stands out at the side"
    page.close()


@pytest.mark.parametrize("wide", [1200, 400])
def test_axe_finds_nothing_serious(browser: Any, report: Path, wide: int) -> None:
    if not AXE.is_file():
        missing("axe-core is not installed: npm ci --prefix tests/browser")
    page = browser.new_page(viewport={"width": wide, "height": 900}, bypass_csp=True)
    page.goto(report.as_uri())
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    page.close()
