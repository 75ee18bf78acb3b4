"""Open the read models in Datasette in a browser: the first page, a table with its facets, a search, a saved query."""

import importlib.util
import shlex
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import umpire_ledger as umpire
from tests.browser.conftest import missing
from tests.projections.read_models_of_games import make


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of Datasette, which runs with the command of `umpire read-models --open`."""
    if importlib.util.find_spec("datasette") is None:
        missing("Datasette is not installed, in which the read models are looked at: pip install '.[datasette]'")
    where = tmp_path_factory.mktemp("club") / "umpire.db"
    make(where)
    with umpire.open(where) as desk:
        words = shlex.split(desk.for_datasette().command)[1:-1]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    patient = ("--setting", "sql_time_limit_ms", "20000")  # the machine may have other things to do
    command = [sys.executable, "-m", "datasette", *words, *patient, "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_for(address, process)
            yield f"{address}/umpire-views"
        finally:
            process.terminate()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{address}/-/versions.json", timeout=5).close()
        except OSError:
            assert process.poll() is None, (process.stderr and process.stderr.read()) or "it ended"
            time.sleep(0.1)
        else:
            return
    pytest.fail("Datasette does not answer")


@pytest.fixture
def page(browser: Any, served: str) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1400, "height": 900}, base_url=served + "/")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda answer: faults.append(answer.url) if answer.status >= 400 else None)
    yield page
    context.close()
    assert [one for one in faults if not one.endswith("favicon.ico")] == []


def test_first_page_names_its_contents_and_links_on(page: Any, served: str) -> None:
    page.goto(served)
    assert "These tables contain every secret of their games" in page.inner_text("body")
    page.click("text=Ships set on fire")
    page.wait_for_selector("table.rows-and-columns")
    assert page.locator("table.rows-and-columns tbody tr").count() == 2


def test_table_has_facets(page: Any, served: str, tmp_path: Path) -> None:
    page.goto(f"{served}/units?seat=referee")
    assert page.is_visible("text=What the columns mean")
    before = page.locator("table.rows-and-columns tbody tr").count()
    assert before > 20
    page.locator(".facet-info a", has_text="athens").first.click()
    page.wait_for_url("**athens**")
    assert "athens" in page.inner_text("table.rows-and-columns tbody")
    assert "syracuse-1" not in page.inner_text("table.rows-and-columns tbody")
    page.screenshot(path=tmp_path / "units.png")
    assert (tmp_path / "units.png").stat().st_size > 20_000


def test_audit_trail_can_be_searched(page: Any, served: str) -> None:
    page.goto(f"{served}/audit")
    page.fill("input[name=_search]", "manpower")
    page.press("input[name=_search]", "Enter")
    page.wait_for_url("**_search=manpower**")
    rows = page.locator("table.rows-and-columns tbody tr")
    assert rows.count() > 0
    assert "manpower" in rows.first.inner_text()


def test_canned_query_is_run_by_its_form(page: Any, served: str) -> None:
    page.goto(f"{served}/where_a_unit_was")
    page.fill("input[name=game]", "great-harbour")
    page.fill("input[name=unit]", "syracuse-3")
    page.click("input[type=submit][value='Run SQL']")
    page.wait_for_url("**unit=syracuse-3**")
    rows = page.locator("table.rows-and-columns tbody tr")
    assert rows.count() == 2
    assert "syracuse-3" in rows.first.inner_text()
